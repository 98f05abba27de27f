/* SPDX-License-Identifier: BSD-2-Clause
 *
 * check_cells.c -- rows of a .dts that have a cell too few or too many. A tree has no groups, so
 * one such row shifts all behind it: what is found there follows from it, and is not worth telling.
 * Each odd row is replaced by what it may have meant, before the findings are made, and told by
 * itself.
 */
#include <libfdt.h>
#include "findings.h"
#include "report.h"
#include "rows.h"
#include "text.h"

static void put_cell(unsigned char *at, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		at[i] = (unsigned char)(value >> (24 - 8 * i));
}

/* What a row of count cells may have meant. A selector or mask of one cell is its lower half. */
static void guess_row(const char *property, const unsigned char *cell, uint32_t count,
		      unsigned char *row)
{
	uint32_t width = row_width(property), last = big_endian(cell + 4 * (count - 1)), i;
	uint32_t first = big_endian(cell), second = count > 1 ? big_endian(cell + 4) : last;
	uint32_t guess[WIDEST] = { first, second, UINT32_MAX, UINT32_MAX, last };

	if (count > width) {
		uint32_t skip = width == WIDEST && !first && !second;

		for (i = 0; i < width; i++)
			guess[i] = big_endian(cell + 4 * (i + skip));
	} else if (!strcmp(property, SELECTORS)) {
		guess[1] = 0;
		guess[2] = last;
	} else if (!strcmp(property, RANGES)) {
		guess[1] = first;
		guess[2] = last;
	} else if (count == 4 && first) { /* of the select one half is there */
		guess[0] = 0;
		guess[1] = first;
		guess[2] = second;
		guess[3] = big_endian(cell + 8);
	} else if (count == 4) { /* of the mask */
		guess[3] = big_endian(cell + 8);
	}
	if (last || count < width) /* counters come last, but not if a 0 was appended to them */
		guess[width - 1] = last;
	for (i = 0; i < width; i++)
		put_cell(row + 4 * i, guess[i]);
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
			r->odd = grow(r->odd, r->odds, sizeof(*r->odd));
			r->odd[r->odds++] =
				(struct odd_row){ property, *bytes / (4 * width), count };
			guess_row(property, cell, count, rows + *bytes);
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

void straighten_rows(struct report *r, const char *path)
{
	int node = pmu_node(&r->source, path);

	for (unsigned t = 0; node >= 0 && t < TABLES; t++) {
		const char *property = table_names[t], *file;
		struct groups g;
		uint32_t count, bytes;
		const unsigned char *cells;
		unsigned char *rows;

		read_groups(&g, property_piece(&r->source, &r->lines, node, property, &file));
		cells = property_cells(&r->source, node, property, &count);
		if (g.exact && g.cell_count == count && has_odd_rows(&g, row_width(property))) {
			rows = straight_rows(r, &g, property, cells, &bytes);
			replace_rows(&r->source, node, property, rows, bytes);
			free(rows);
		}
		unload_groups(&g);
	}
}

static int is_odd(const struct report *r, const char *property, uint32_t row)
{
	for (uint32_t i = 0; property && i < r->odds; i++) {
		if (r->odd[i].row == row && !strcmp(r->odd[i].property, property))
			return 1;
	}
	return 0;
}

int has_odd_row(const struct report *r, const struct pmumap_finding *f)
{
	return (int)f->code != ROW_CELLS &&
	       (is_odd(r, f->property, f->row) || is_odd(r, f->other_property, f->other));
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

void check_cells(struct report *r, const char *path, pmumap_report_fn *report)
{
	struct checker c = { r, pmu_node(&r->source, path), report };

	for (uint32_t i = 0; i < r->odds; i++)
		tell_mistake(&c, ROW_CELLS, PMUMAP_ERROR, r->odd[i].property, r->odd[i].row,
			     r->odd[i].cells);
}
