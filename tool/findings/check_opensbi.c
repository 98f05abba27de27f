/* SPDX-License-Identifier: BSD-2-Clause
 *
 * check_opensbi.c -- reports how OpenSBI misreads a riscv,pmu node that the binding allows.
 */
#include "findings.h"
#include "map/riscv.h"
#include "checks.h"
#include "source/request.h"
#include "source/rows.h"
#include "text/text.h"

const struct reading *reading_of(struct report *r, int node)
{
	if (!r->reading.source)
		r->reading = read_as(r->firmware, &r->source, node, r->counters, NULL);
	return &r->reading;
}

int is_replaced(struct report *r, const struct pmumap_finding *f)
{
	const struct reading *o;

	if (f->code != PMUMAP_F_FIXED_MISSING && f->code != PMUMAP_F_FIXED_ONLY)
		return 0;
	o = reading_of(r, f->node);
	if (f->code == PMUMAP_F_FIXED_MISSING && r->options & FIRMWARE && is_opensbi(o->firmware) &&
	    !has_sbi_3(o->firmware)) /* it has no EVENT_GET_INFO, so nothing is denied */
		return 1;
	return o->tables != TABLES_PRESENT || denies_fixed(o);
}

/*
 * Reports cycles and instructions that no programmable counter can count. Call it only where
 * OpenSBI denies the fixed counters.
 */
static void check_fixed(const struct checker *c)
{
	uint32_t missing = 0;

	for (uint32_t e = 1; e <= 2; e++) {
		uint32_t row = row_of_event(&c->r->source, c->node, RANGES, e);

		if (pmumap_counters(c->r->source.map, e) & ~FIXED_MASK)
			continue;
		if (row == PMUMAP_NO_ROW)
			missing |= 1u << e;
		else
			tell_mistake(c, FIXED_DENIED, PMUMAP_NOTE, RANGES, row, 1u << e);
	}
	if (missing)
		tell_mistake(c, FIXED_DENIED, PMUMAP_NOTE, NULL, PMUMAP_NO_ROW, missing);
}

/* ---- events selected by their own numbers ---------------------------------------------------- */

/* True if some raw row accepts a single code below 0x10000 that is not an SBI event. */
static int has_own_codes(const struct pmumap *map)
{
	uint64_t select, mask;
	uint32_t counters;

	for (uint32_t i = 0; pmumap_raw_at(map, i, &select, &mask, &counters); i++) {
		if (!(~mask << 16) && select && select < 0x10000 &&
		    !pmumap_event_valid((uint32_t)select))
			return 1;
	}
	return 0;
}

/*
 * True if the events' own numbers cannot be their selectors: no raw row accepts some number on the
 * event's counters, or the raw rows have the core's own codes.
 */
static int lacks_selectors(const struct checker *c)
{
	const struct pmumap *map = c->r->source.map;
	uint64_t select, mask;
	uint32_t counters;
	struct pmumap_run line;
	int own = has_own_codes(map);

	if (!pmumap_raw_at(map, 0, &select, &mask, &counters) ||
	    property_cells(&c->r->source, c->node, table_name(&c->r->source, c->node, SELECTORS),
			   &counters))
		return 0;
	for (uint32_t e = 1; next_line(map, e, &line); e = line.last + 1) {
		counters = line.counters & ~FIXED_MASK;
		if (counters && named(line.first) &&
		    (own || (pmumap_raw_counters(map, line.first) & ~FIXED_MASK) != counters))
			return 1;
	}
	return 0;
}

void check_opensbi(const struct checker *c)
{
	const struct reading *o = reading_of(c->r, c->node);

	if (o->tables != TABLES_PRESENT) {
		if (o->tables == TABLES_TAKEN)
			tell_mistake(c, TABLES_GONE, PMUMAP_WARNING, NULL, PMUMAP_NO_ROW, 0);
		else
			tell_mistake(c, TABLES_ABSENT, PMUMAP_ERROR, NULL, PMUMAP_NO_ROW, 0);
		return;
	}
	if (denies_fixed(o))
		check_fixed(c);
	if (c->r->odds) /* the values of odd rows are guesses */
		return;
	if (o->stop == STOP_FULL || (o->stop == STOP_ROW && o->lost > 1))
		tell_mistake(c, ROWS_LOST, PMUMAP_ERROR, o->property, o->row, o->lost);
	if (lacks_selectors(c))
		tell_mistake(c, SELECTORS_ABSENT, PMUMAP_WARNING, NULL, PMUMAP_NO_ROW, 0);
}
