/* SPDX-License-Identifier: BSD-2-Clause
 *
 * here.c -- describes what the firmware of --firmware does with a finding's event.
 */
#include "checks.h"
#include "findings.h"
#include "map/riscv.h"
#include "source/request.h"
#include "source/rows.h"
#include "text/text.h"

/* The event of the finding's row: the first with a name, or the one that a raw row selects. */
static int event_of_row(const struct report *r, const struct pmumap_finding *f, uint32_t *event,
			uint64_t *data)
{
	uint32_t cells, width = row_width(f->property);
	const unsigned char *cell = property_cells(&r->source, f->node, f->property, &cells);
	uint64_t last;

	if (f->row >= cells / width)
		return 0;
	cell += 4 * width * f->row;
	if (width == WIDEST) {
		*data = two_cells(cell);
		*event = *data >> 48 ? PMUMAP_EVENT_RAW_V2 : PMUMAP_EVENT_RAW;
		return 1;
	}
	*event = big_endian(cell);
	last = strcmp(f->property, RANGES) ? *event : big_endian(cell + 4);
	while (!named(*event) && *event < last && *event < PMUMAP_EVENT_RAW)
		++*event;
	return named(*event);
}

/* The finding's event. Returns 0 if the finding is about no event, or without --firmware. */
static int event_here(const struct report *r, const struct pmumap_finding *f, uint32_t *event,
		      uint64_t *data)
{
	const enum value_kind kind = explain(f->code)->kind;

	*data = 0;
	if (!(r->options & FIRMWARE) || !r->source.map || f->node < 0)
		return 0;
	if (kind == VALUE_FIXED) {
		*event = f->value & 2 ? 1 : 2;
		return 1;
	}
	if ((kind == VALUE_EVENT || kind == VALUE_KEY) && !same(f->property, RAW_ROWS)) {
		*event = f->value < PMUMAP_EVENT_LIMIT ? (uint32_t)f->value : PMUMAP_EVENT_LIMIT;
		return named(*event);
	}
	return has_rows(f) && f->row != PMUMAP_NO_ROW && event_of_row(r, f, event, data);
}

static void put_event_here(FILE *out, const struct reading *reading, uint32_t event, uint64_t data)
{
	struct verdict v = ask_firmware(reading, event, data);
	const char *who = firmware_text(reading->firmware);
	const char *name = named(event) ? pmumap_event_name(event) : NULL;

	fprintf(out, "%s %s ", who, v.counts ? "counts" : "does not count");
	if (name)
		fputs(name, out);
	else
		fprintf(out, "raw event 0x%" PRIx64, data);
	if (v.counts)
		fprintf(out, " on %s", counter_list(v.counters).s);
	if (v.counts && v.has_value)
		fprintf(out, ", by 0x%" PRIx64, v.value);
	fputs(v.reason ? ": " : "", out);
	put_verdict(out, reading, &v);
}

/* Firmware reads the rows as they are written, and perf answers from the same. */
static const struct reading *reading_here(struct report *r, int node)
{
	if (!r->written.file.data)
		return reading_of(r, node);
	if (!r->shifted.source)
		r->shifted = read_as(r->firmware, &r->written, node, r->counters, NULL);
	return &r->shifted;
}

char *here(struct report *r, const struct pmumap_finding *f)
{
	uint32_t event;
	uint64_t data;
	char *text;
	size_t size;
	FILE *out = open_text(&text, &size);

	if (event_here(r, f, &event, &data))
		put_event_here(out, reading_here(r, f->node), event, data);
	close_text(out);
	return text;
}

int is_lost_here(struct report *r, const struct pmumap_finding *f)
{
	uint32_t event;
	uint64_t data;

	return event_here(r, f, &event, &data) &&
	       !ask_firmware(reading_here(r, f->node), event, data).counts;
}
