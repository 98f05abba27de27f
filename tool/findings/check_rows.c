/* SPDX-License-Identifier: BSD-2-Clause
 *
 * check_rows.c -- reports mistakes within a single row that do not matter to a caller who only
 * builds a map.
 */
#include "checks.h"
#include "findings.h"
#include "source/rows.h"
#include "text/text.h"

#define TIME_BIT 2u   /* the time CSR in a counter bitmap */
#define COMPARED 256u /* earlier rows that a row is compared with */

int is_half(uint64_t mask)
{
	return mask && mask <= UINT32_MAX;
}

/*
 * True if the row matches every 32-bit event by mistake. A deliberate catch-all row has mask 0, or
 * compares only bits that no raw event has.
 */
static int takes_all(uint64_t select, uint64_t mask)
{
	return !select && mask << 8 && !(uint32_t)mask;
}

/*
 * The builder drops a raw row that can match nothing, and reports nothing else about it. OpenSBI
 * keeps the row or stops there, so its other mistakes still matter.
 */
static void check_dead(const struct checker *c, const struct raw_rows *rows, uint32_t row)
{
	const struct stored_row dead = stored_row(rows, row);
	uint32_t counters = dead.counters, back = 1;

	if (counters & TIME_BIT)
		tell_mistake(c, PMUMAP_F_TIME_BIT, PMUMAP_WARNING, RAW_ROWS, row, counters);
	if (counters & FIXED_MASK & ~TIME_BIT)
		tell_mistake(c, PMUMAP_F_FIXED_BIT, PMUMAP_WARNING, RAW_ROWS, row, counters);
	while (back <= row && back < COMPARED &&
	       (stored_row(rows, row - back).select != dead.select ||
		stored_row(rows, row - back).mask != dead.mask))
		back++;
	if (back <= row && back < COMPARED)
		tell_conflict(c, PMUMAP_F_RAW_DUPLICATE, PMUMAP_WARNING, RAW_ROWS, row, RAW_ROWS,
			      row - back, dead.select);
}

static void check_raws(const struct checker *c)
{
	const struct source *source = &c->r->source;
	const struct raw_rows rows = raw_rows_of(source, c->node);
	uint32_t ranges;

	(void)property_cells(source, c->node, table_name(source, c->node, RANGES), &ranges);
	for (uint32_t row = 0; row < rows.count; row++) {
		uint64_t select = stored_row(&rows, row).select, mask = stored_row(&rows, row).mask;

		if (select & ~mask)
			check_dead(c, &rows, row);
		else if (is_half(mask) || takes_all(select, mask))
			tell_mistake(c, MASK_HALF, PMUMAP_WARNING, RAW_ROWS, row, mask);
		if (!select && !mask && ranges >= 3)
			tell_mistake(c, RAW_CATCH_ALL, PMUMAP_WARNING, RAW_ROWS, row, 0);
		if (!select && !(~mask << 8))
			tell_mistake(c, SELECTOR_ZERO, PMUMAP_WARNING, RAW_ROWS, row, 0);
		if (select >> 48 && !(select >> 56) && !(select & ~mask))
			tell_mistake(c, PMUMAP_F_RAW_UNREACHABLE, PMUMAP_NOTE, RAW_ROWS, row,
				     select);
	}
}

/* Reports counters that the core does not have. A row that names no other counter is lost. */
static void check_counters(const struct checker *c, const char *table)
{
	const char *property = table_name(&c->r->source, c->node, table);
	uint32_t cells, width = row_width(property), has = c->r->counters | FIXED_MASK;
	const unsigned char *cell = property_cells(&c->r->source, c->node, property, &cells);

	for (uint32_t row = 0; row < cells / width; row++, cell += 4 * width) {
		uint32_t counters = big_endian(cell + 4 * (width - 1));

		if (counters & ~has)
			tell_mistake(c, COUNTERS_ABSENT,
				     counters & has ? PMUMAP_WARNING : PMUMAP_ERROR, property, row,
				     counters & ~has);
	}
}

void check_rows(const struct checker *c)
{
	check_raws(c);
	if (!c->r->counters)
		return;
	check_counters(c, RANGES);
	check_counters(c, RAW_ROWS);
}

const struct odd_row *odd_row(const struct report *r, const char *property, uint32_t row)
{
	for (uint32_t i = 0; property && i < r->odds; i++) {
		if (r->odd[i].row == row && !strcmp(r->odd[i].property, property))
			return &r->odd[i];
	}
	return NULL;
}

int has_odd_row(const struct report *r, const struct pmumap_finding *f)
{
	return (int)f->code != ROW_CELLS &&
	       (odd_row(r, f->property, f->row) || odd_row(r, f->other_property, f->other));
}

uint32_t senseless_row(const struct report *r, const struct pmumap_finding *f)
{
	uint32_t cells, row = 0, width, values[WIDEST];
	const unsigned char *cell = property_cells(&r->source, f->node, f->property, &cells);
	int rest = 0;

	if (strncmp(f->property, "riscv,", 6))
		return PMUMAP_NO_ROW;
	width = row_width(f->property);
	for (uint32_t i = cells - cells % width; i < cells; i++)
		rest |= big_endian(cell + 4 * i) != 0;
	for (; row < cells / width; row++) {
		for (uint32_t i = 0; i < width; i++)
			values[i] = big_endian(cell + 4 * (row * width + i));
		if (!is_sensible(f->property, values))
			break;
	}
	return rest ? row : PMUMAP_NO_ROW;
}

void check_cells(struct report *r, const struct input *input, pmumap_report_fn *report)
{
	struct checker c = { r, pmu_node(&r->source, input), report };

	for (uint32_t i = 0; i < r->odds; i++)
		tell_mistake(&c, ROW_CELLS, PMUMAP_ERROR, r->odd[i].property, r->odd[i].row,
			     r->odd[i].cells);
}
