/* SPDX-License-Identifier: BSD-2-Clause
 *
 * check_cells.c -- rows of a .dts that have a cell too few or too many. A tree has no groups, so
 * one such row shifts all behind it: what is found there follows from it, and is not worth telling.
 * Each odd row is replaced by what it may have meant, before the findings are made, and told by
 * itself.
 */
#include <libfdt.h>
#include "checks.h"
#include "findings.h"
#include "source/rows.h"
#include "text/text.h"

/* Whether these may be the select and the mask of a raw row that has lost a cell. */
static int is_plausible(uint64_t select, uint64_t mask)
{
	return !(select & ~mask) && mask >> 32 == UINT32_MAX;
}

/*
 * Of a raw row of 4 cells: whether the upper half of the select is missing, not that of the mask.
 * *lacks: that cell, if it can be no other.
 */
static int lacks_select(const uint32_t *cell, uint32_t *lacks)
{
	uint64_t low = (uint64_t)cell[0] << 32 | cell[1],
		 middle = (uint64_t)cell[1] << 32 | cell[2];
	int select = is_plausible(cell[0], middle);
	int mask = is_plausible(low, UINT64_MAX << 32 | cell[2]);

	if (select == mask)
		return cell[0] != 0;
	*lacks = select ? 0 : 2;
	return select;
}

static void put_cell(unsigned char *at, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		at[i] = (unsigned char)(value >> (24 - 8 * i));
}

/* What a row of count cells may have meant. A selector or mask of one cell is its lower half. */
static void guess_row(struct odd_row *odd, const uint32_t *cell)
{
	uint32_t width = row_width(odd->property), count = odd->cells, last = cell[count - 1];
	uint32_t *meant = odd->meant;
	int raw = width == WIDEST;

	odd->lacks = PMUMAP_NO_ROW;
	if (count > width) {
		uint32_t skip = raw && !cell[0] && !cell[1];

		memcpy(meant, cell + skip, 4 * (size_t)width);
	} else if (!raw) {
		meant[0] = cell[0];
		meant[1] = strcmp(odd->property, SELECTORS) ? cell[0] : 0;
		if (!meant[1] && count == 2 && cell[0] && pmumap_event_valid(cell[0]) && last)
			odd->lacks = 1;
	} else if (count == 4 && cell[3] & FIXED_MASK) { /* no counters: they are what is missing */
		memcpy(meant, cell, 16);
		last = 0;
	} else if (count == 4 && !lacks_select(cell, &odd->lacks)) {
		memcpy(meant, (const uint32_t[]){ cell[0], cell[1], UINT32_MAX, cell[2] }, 16);
	} else if (count == 4) {
		memcpy(meant, (const uint32_t[]){ 0, cell[0], cell[1], cell[2] }, 16);
	} else if (count == 3 && cell[0]) {
		memcpy(meant, (const uint32_t[]){ 0, cell[0], UINT32_MAX, cell[1] }, 16);
	} else {
		memcpy(meant, (const uint32_t[]){ 0, cell[count > 2], UINT32_MAX, UINT32_MAX }, 16);
	}
	if (last || count < width) /* counters come last, but not if a 0 was appended to them */
		meant[width - 1] = last;
}

/* Adds the odd row, and writes what it may have meant. */
static void add_odd(struct report *r, const char *property, uint32_t row,
		    const unsigned char *cells, uint32_t count, unsigned char *meant)
{
	uint32_t *cell = reallocate(NULL, count, sizeof(*cell));
	struct odd_row odd = { .property = property, .row = row, .cells = count };

	for (uint32_t i = 0; i < count; i++)
		cell[i] = big_endian(cells + 4 * i);
	guess_row(&odd, cell);
	free(cell);
	for (uint32_t i = 0; i < row_width(property); i++)
		put_cell(meant + 4 * i, odd.meant[i]);
	r->odd = grow(r->odd, r->odds, sizeof(*r->odd));
	r->odd[r->odds++] = odd;
}

/* The rows of the groups, odd ones as guessed; to be freed. */
static unsigned char *straight_rows(struct report *r, const struct groups *g, const char *property,
				    const unsigned char *cells, uint32_t *bytes)
{
	uint32_t width = row_width(property);
	unsigned char *rows = reallocate(NULL, g->cell_count + g->count * width, 4);

	*bytes = 0;
	for (uint32_t i = 0; i < g->count; i++) {
		const unsigned char *cell = cells + 4 * g->first[i];
		uint32_t count = cells_of(g, i), used = 4 * count;

		if (count % width) {
			add_odd(r, property, *bytes / (4 * width), cell, count, rows + *bytes);
			used = 4 * width;
		} else {
			memcpy(rows + *bytes, cell, used);
		}
		*bytes += used;
	}
	return rows;
}

/* Puts rows in the place of a property; of the node's place in the tree nothing changes. */
static void replace_rows(struct source *source, int node, const char *property,
			 const unsigned char *rows, uint32_t bytes)
{
	size_t size = source->file.size + bytes + 64;
	unsigned char *blob = reallocate(NULL, size, 1);

	if (fdt_open_into(source->file.data, blob, (int)size) ||
	    fdt_setprop(blob, node, property, rows, (int)bytes) || fdt_pack(blob)) {
		free(blob);
		return;
	}
	forget_nodes(source);
	free(source->file.data);
	source->file.data = blob;
	source->file.size = fdt_totalsize(blob);
}

void straighten_rows(struct report *r, const struct input *input)
{
	int node = pmu_node(&r->source, input);

	for (unsigned t = 0; node >= 0 && t < TABLES; t++) {
		const char *property = table_names[t], *file;
		struct groups g;
		uint32_t count, bytes;
		const unsigned char *cells;
		unsigned char *rows;

		read_groups(&g, property_piece(&r->source, &r->lines, node, property, &file),
			    row_width(property));
		cells = property_cells(&r->source, node, property, &count);
		if (g.exact && g.cell_count == count && g.odd) {
			rows = straight_rows(r, &g, property, cells, &bytes);
			replace_rows(&r->source, node, property, rows, bytes);
			free(rows);
		}
		unload_groups(&g);
	}
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

/* ---- lists without groups -------------------------------------------------------------------- */

static int is_sensible(const char *property, const unsigned char *cell)
{
	uint32_t first = big_endian(cell), last = big_endian(cell + 4), end = big_endian(cell + 8);

	if (!strcmp(property, RAW_ROWS))
		return !(two_cells(cell) & ~two_cells(cell + 8)) && big_endian(cell + 16) &&
		       two_cells(cell + 8);
	if (!first || first >= PMUMAP_EVENT_RAW || !pmumap_event_valid(first))
		return 0;
	return !strcmp(property, SELECTORS) ? !last || end
					    : last < PMUMAP_EVENT_RAW && first <= last && end;
}

uint32_t senseless_row(const struct report *r, const struct pmumap_finding *f)
{
	uint32_t cells, row = 0, width;
	const unsigned char *cell = property_cells(&r->source, f->node, f->property, &cells);
	int rest = 0;

	if (strncmp(f->property, "riscv,", 6))
		return PMUMAP_NO_ROW;
	width = row_width(f->property);
	for (uint32_t i = cells - cells % width; i < cells; i++)
		rest |= big_endian(cell + 4 * i) != 0;
	while (row < cells / width && is_sensible(f->property, cell + 4 * (row * width)))
		row++;
	return rest ? row : PMUMAP_NO_ROW;
}

void check_cells(struct report *r, const struct input *input, pmumap_report_fn *report)
{
	struct checker c = { r, pmu_node(&r->source, input), report };

	for (uint32_t i = 0; i < r->odds; i++)
		tell_mistake(&c, ROW_CELLS, PMUMAP_ERROR, r->odd[i].property, r->odd[i].row,
			     r->odd[i].cells);
}
