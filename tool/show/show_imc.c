/* SPDX-License-Identifier: BSD-2-Clause */
#include "map/imc.h"
#include "show.h"
#include "text/json.h"
#include "text/table.h"
#include "text/text.h"

/* ---- totals ---------------------------------------------------------------------------------- */

/* The first event of a name stands for it. */
static uint32_t distinct_names(const struct pmumap_imc *map)
{
	struct pmumap_imc_event event;
	uint32_t distinct = 0, first;

	for (uint32_t i = 0; pmumap_imc_event(map, i, &event); i++) {
		char *name = printed("%s%s", event.prefix, event.name);

		distinct += pmumap_imc_find_name(map, name, strlen(name), 0, &first) && first == i;
		free(name);
	}
	return distinct;
}

struct imc_sum {
	uint32_t units, of_type[IMC_TYPES];
	uint32_t names;
	uint32_t distinct;
	uint32_t pairs; /* of chip and base; a chip id may have several */
	int more;       /* there are more pairs than that */
	struct {
		uint32_t id, units;
		uint64_t base;
	} chip[CHIPS_LIMIT];
};

/* Most units have the same chips in the same order, so look at index first. */
static void add_chip(struct imc_sum *sum, uint32_t index, uint32_t id, uint64_t base)
{
	if (index >= sum->pairs || sum->chip[index].id != id || sum->chip[index].base != base) {
		for (index = 0; index < sum->pairs; index++) {
			if (sum->chip[index].id == id && sum->chip[index].base == base)
				break;
		}
	}
	if (index == CHIPS_LIMIT) {
		sum->more = 1;
		return;
	}
	if (index == sum->pairs) {
		sum->chip[index].id = id;
		sum->chip[index].base = base;
		sum->pairs++;
	}
	sum->chip[index].units++;
}

static void sum_up(const struct pmumap_imc *map, struct imc_sum *sum)
{
	struct pmumap_imc_unit unit;
	uint32_t id;
	uint64_t base;

	memset(sum, 0, sizeof(*sum));
	sum->names = pmumap_imc_names(map);
	for (; pmumap_imc_unit_at(map, sum->units, &unit); sum->units++) {
		for (size_t type = 0; type < IMC_TYPES; type++)
			sum->of_type[type] += unit.type == imc_types[type].type;
		for (uint32_t i = 0; i < unit.chips && i < CHIPS_LIMIT; i++) {
			if (pmumap_imc_chip_at(map, sum->units, i, &id, &base))
				add_chip(sum, i, id, base);
		}
		sum->more |= unit.chips > CHIPS_LIMIT;
	}
	sum->distinct = distinct_names(map);
}

static uint32_t chip_ids(const struct imc_sum *sum)
{
	uint32_t ids = 0;

	for (uint32_t i = 0; i < sum->pairs; i++) {
		uint32_t first = 0;

		while (sum->chip[first].id != sum->chip[i].id)
			first++;
		ids += first == i;
	}
	return ids;
}

static void summary_text(const struct imc_sum *sum)
{
	const char *separator = " (";

	printf("%" PRIu32 " %s", sum->units, sum->units == 1 ? "PMU" : "PMUs");
	for (size_t type = 0; type < IMC_TYPES; type++) {
		if (!sum->of_type[type])
			continue;
		printf("%s%" PRIu32 " %s", separator, sum->of_type[type], imc_types[type].name);
		separator = ", ";
	}
	printf("%s, %" PRIu32 " %s", *separator == ',' ? ")" : "", sum->names,
	       sum->names == 1 ? "name" : "names");
	if (sum->distinct != sum->names)
		printf(" (%" PRIu32 " distinct)", sum->distinct);
	if (sum->pairs)
		printf(", %s%" PRIu32 " %s", sum->more ? "more than " : "", chip_ids(sum),
		       chip_ids(sum) == 1 ? "chip" : "chips");
	putchar('\n');
}

static void summary_json(const struct imc_sum *sum)
{
	json_kind("imc");
	json_number("units", sum->units);
	json_number("names", sum->names);
	if (sum->distinct)
		json_number("distinct", sum->distinct);
	if (!sum->more)
		json_number("chip_count", chip_ids(sum));
	json_end();
}

/* ---- units, chips, events -------------------------------------------------------------------- */

static void unit_row(struct table *t, const struct pmumap_imc_unit *unit)
{
	int nest = unit->type == PMUMAP_IMC_NEST;

	table_cells(t, unit->name, imc_type(unit->type), *unit->prefix ? unit->prefix : "\"\"",
		    hex(unit->reg).s, nest ? hex(unit->offset).s : "",
		    unit->size ? hex(unit->size).s : "", nest ? hex(unit->control).s : "",
		    decimal(unit->events).s, unit->scale, unit->measure);
}

static void show_units(const struct pmumap_imc *map, const char *spelling)
{
	static const char *const heads[] = { "PMU",   "type",     "prefix",  ">reg",   ">offset",
					     ">size", ">control", ">events", ">scale", "measure" };
	struct table t = { .heads = heads, .columns = LENGTH(heads) };
	struct pmumap_imc_unit unit;

	for (uint32_t u = 0; pmumap_imc_unit_at(map, u, &unit); u++) {
		if (is_meant(map, u, &unit, spelling))
			unit_row(&t, &unit);
	}
	table_end(&t);
}

static void show_all_chips(const struct imc_sum *sum)
{
	static const char *const heads[] = { ">chip", ">base", ">PMUs" };
	struct table t = { .heads = heads, .columns = LENGTH(heads) };

	if (!sum->pairs)
		return;
	for (uint32_t i = 0; i < sum->pairs; i++) {
		table_cells(&t, decimal(sum->chip[i].id).s, hex(sum->chip[i].base).s,
			    decimal(sum->chip[i].units).s);
	}
	putchar('\n');
	table_end(&t);
	if (sum->more)
		puts("and more");
}

/* Prints where the window and the control block of a unit are. */
static void show_chips(const struct pmumap_imc *map, uint32_t index,
		       const struct pmumap_imc_unit *unit)
{
	static const char *const heads[] = { ">chip", ">base", ">window", ">control block" };
	struct table t = { .heads = heads, .columns = LENGTH(heads) };
	uint64_t base, control;
	uint32_t id;

	for (uint32_t i = 0; pmumap_imc_chip_at(map, index, i, &id, &base); i++) {
		table_cells(&t, decimal(id).s, hex(base).s,
			    base <= UINT64_MAX - unit->offset ? hex(base + unit->offset).s : "",
			    pmumap_imc_control_address(map, index, id, &control) ? hex(control).s
										 : "");
	}
	if (!t.used)
		return;
	putchar('\n');
	table_end(&t);
}

static void events_json(const struct pmumap_imc *map, uint32_t index)
{
	struct pmumap_imc_event event;

	for (uint32_t e = 0; event_of(map, index, e, &event); e++) {
		json_kind("imc-event");
		event_json(&event);
		json_end();
	}
}

static void events_text(const struct pmumap_imc *map, uint32_t index,
			const struct pmumap_imc_unit *unit)
{
	static const char *const heads[] = { "event", ">offset", ">scale", "measure",
					     "description" };
	struct table t = { .heads = heads, .columns = LENGTH(heads) };
	struct pmumap_imc_event event;

	putchar('\n');
	put_escaped(stdout, unit->name, 0);
	printf(" (%s):%s\n", imc_type(unit->type), unit->events ? "" : " no events");
	for (uint32_t e = 0; event_of(map, index, e, &event); e++) {
		table_add(&t, escaped(event.prefix, event.name));
		table_cells(&t, hex(event.offset).s, event.scale, event.measure, event.desc);
	}
	if (t.used)
		table_end(&t);
}

static void show_events_of(const struct pmumap_imc *map, uint32_t index,
			   const struct pmumap_imc_unit *unit, int json)
{
	if (json)
		events_json(map, index);
	else
		events_text(map, index, unit);
}

static void unit_json(const struct pmumap_imc *m, uint32_t index, const struct pmumap_imc_unit *u)
{
	uint64_t base;
	uint32_t id;

	json_kind("imc-unit");
	json_unit(m, index, u->name);
	json_string("type", imc_type(u->type));
	json_string("prefix", u->prefix);
	json_hex("reg", u->reg);
	if (u->type == PMUMAP_IMC_NEST)
		json_hex("offset", u->offset);
	if (u->size)
		json_hex("size", u->size);
	if (u->type == PMUMAP_IMC_NEST)
		json_hex("control", u->control);
	json_number("event_count", u->events);
	json_scale(u->scale);
	json_text("measure", u->measure);
	if (u->type == PMUMAP_IMC_NEST) {
		json_list("chips");
		for (uint32_t i = 0; pmumap_imc_chip_at(m, index, i, &id, &base); i++) {
			json_item();
			printf("{\"chip\":%" PRIu32 ",\"base\":\"0x%" PRIx64 "\"}", id, base);
		}
		json_list_end();
	}
	json_end();
}

static const char nest_formula[] =
	"Nest: a counter is at the chip's base + the PMU's offset + the event's offset, which\n"
	"includes the PMU's reg. The control block is at base + offset + control.";

void show_imc(const struct pmumap_imc *map, const struct view *view)
{
	struct pmumap_imc_unit unit;
	struct imc_sum sum;

	sum_up(map, &sum);
	if (view->json) {
		summary_json(&sum);
	} else {
		summary_text(&sum);
		putchar('\n');
		show_units(map, NULL);
		show_all_chips(&sum);
		if (sum.of_type[0]) /* nest */
			printf("\n%s\n", nest_formula);
		if (sum.of_type[0] && !sum.pairs && !view->available)
			puts("A machine may lack PMUs: --available P9:VECTOR leaves them out.");
	}
	for (uint32_t u = 0; pmumap_imc_unit_at(map, u, &unit); u++) {
		if (view->json)
			unit_json(map, u, &unit);
		if (view->events)
			show_events_of(map, u, &unit, view->json);
	}
}

int show_unit(const char *file, const struct pmumap_imc *map, const struct view *view)
{
	struct pmumap_imc_unit unit;

	if (!means_any(map, view->unit))
		return complain(FAULT, file, "no PMU %s; pmumap show lists them", view->unit);
	if (!view->json)
		show_units(map, view->unit);
	for (uint32_t u = 0; pmumap_imc_unit_at(map, u, &unit); u++) {
		if (!is_meant(map, u, &unit, view->unit))
			continue;
		if (view->json)
			unit_json(map, u, &unit);
		else
			show_chips(map, u, &unit);
		show_events_of(map, u, &unit, view->json);
	}
	return GOOD;
}
