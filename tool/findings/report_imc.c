/* SPDX-License-Identifier: BSD-2-Clause */
#include "map/imc.h"
#include "report.h"
#include "text/json.h"

#define CLASH_LIMIT 8u /* counters named per offset */

/* True if the window of this nest unit is known. */
static int has_window(const struct pmumap_imc_unit *unit)
{
	return unit->size || unit->offset;
}

/* The nth counter at the finding's place. *from is the search position; start with 0. */
static int clash_next(const struct pmumap_imc *map, const struct pmumap_finding *f, uint32_t *from,
		      struct pmumap_imc_event *event)
{
	struct pmumap_imc_unit one, other;
	uint32_t number;

	if (!pmumap_imc_unit_at(map, f->row, &one))
		return 0;
	while (*from < MATCH_LIMIT &&
	       pmumap_imc_find_offset(map, PMUMAP_IMC_ALL, (uint32_t)f->value, (*from)++,
				      &number) &&
	       pmumap_imc_event(map, number, event)) {
		if (event->unit_index == f->row)
			return 1;
		if (one.type == PMUMAP_IMC_NEST && event->type == PMUMAP_IMC_NEST &&
		    pmumap_imc_unit_at(map, event->unit_index, &other) && has_window(&one) &&
		    has_window(&other) && other.offset == one.offset)
			return 1;
	}
	return 0;
}

/* Prints the event in a spelling that lookup accepts. */
static void put_event(FILE *out, const struct pmumap_imc_event *event, int json)
{
	put_escaped(out, event->unit, json);
	putc('/', out);
	put_escaped(out, event->prefix, json);
	put_escaped(out, event->name, json);
}

void put_clash(FILE *out, const struct pmumap_imc *map, const struct pmumap_finding *f)
{
	const char *separator = ":";
	struct pmumap_imc_event event;
	uint32_t from = 0;

	fprintf(out, "offset 0x%" PRIx64, f->value);
	for (uint32_t n = 0; clash_next(map, f, &from, &event); n++) {
		if (n == CLASH_LIMIT) {
			fputs(", ...", out);
			break;
		}
		fprintf(out, "%s ", separator);
		put_event(out, &event, 0);
		separator = ",";
	}
}

void json_units(const struct pmumap_imc *map, const struct pmumap_finding *f)
{
	struct pmumap_imc_event event;
	struct pmumap_imc_unit unit;
	uint32_t from = 0;

	if (f->code == PMUMAP_F_UNIT_DUPLICATE && pmumap_imc_unit_at(map, f->row, &unit)) {
		json_string("unit", unit.name);
		if (pmumap_imc_unit_at(map, f->other, &unit))
			json_string("other_unit", unit.name);
	}
	if (!shares_place(f->code))
		return;
	json_list("events");
	while (clash_next(map, f, &from, &event)) {
		json_item();
		putchar('"');
		put_event(stdout, &event, 1);
		putchar('"');
	}
	json_list_end();
}
