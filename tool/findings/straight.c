/* SPDX-License-Identifier: BSD-2-Clause
 *
 * straight.c -- handles rows of a .dts that have too few or too many cells. A blob does not show
 * where rows begin, so one such row shifts every row after it and causes findings there that only
 * repeat the mistake. Before checks run, each odd row is replaced by the row that was probably
 * meant.
 */
#include <libfdt.h>
#include "checks.h"
#include "source/request.h"
#include "text/text.h"

/* Records the odd row, and writes the row that was probably meant. */
static void add_odd(struct report *r, const char *property, uint32_t row,
		    const unsigned char *cells, uint32_t count, int wide, unsigned char *meant)
{
	uint32_t *cell = reallocate(NULL, count, sizeof(*cell));
	struct odd_row odd = { .property = property, .row = row, .cells = count, .wide = wide };

	for (uint32_t i = 0; i < count; i++)
		cell[i] = big_endian(cells + 4 * i);
	guess_row(&odd, cell);
	free(cell);
	for (uint32_t i = 0; i < row_width(property); i++)
		fdt32_st(meant + 4 * i, odd.meant[i]);
	if (lacks_counters(&odd)) /* any: other rows must not seem to lack them */
		fdt32_st(meant + 4 * (row_width(property) - 1), ~FIXED_MASK);
	r->odd = grow(r->odd, r->odds, sizeof(*r->odd));
	r->odd[r->odds++] = odd;
}

/* The rows of all groups, with odd ones replaced. The caller frees them. */
static unsigned char *straight_rows(struct report *r, const struct groups *g, const char *property,
				    const unsigned char *cells, uint32_t *bytes)
{
	uint32_t width = row_width(property);
	unsigned char *rows = reallocate(NULL, g->cell_count + g->count * width, 4);

	*bytes = 0;
	for (uint32_t i = 0; i < g->count; i++) {
		const unsigned char *cell = cells + 4 * g->first[i];
		uint32_t count = cells_of(g, i), used = 4 * count;

		if (is_odd(g, i, width)) {
			add_odd(r, property, *bytes / (4 * width), cell, count, is_wide(g, i),
				rows + *bytes);
			if (g->wide) /* the cell may be half of a 64-bit number */
				r->odd[r->odds - 1].lacks = PMUMAP_NO_ROW;
			used = 4 * width;
		} else {
			memcpy(rows + *bytes, cell, used);
		}
		*bytes += used;
	}
	return rows;
}

/* Replaces the rows of a property. The node keeps its own offset in the blob. */
static void replace_rows(struct report *r, int node, const char *property,
			 const unsigned char *rows, uint32_t bytes)
{
	struct source *source = &r->source;
	size_t size = source->file.size + bytes + 64;
	unsigned char *blob = reallocate(NULL, size, 1);

	if (fdt_open_into(source->file.data, blob, (int)size) ||
	    fdt_setprop(blob, node, property, rows, (int)bytes) || fdt_pack(blob)) {
		free(blob);
		return;
	}
	forget_nodes(source);
	if (r->written.file.data)
		free(source->file.data);
	else
		r->written.file = source->file;
	source->file.data = blob;
	source->file.size = fdt_totalsize(blob);
	read_harts(source);
}

void straighten_rows(struct report *r, const struct input *input)
{
	int node = pmu_node(&r->source, input);
	struct input quiet = *input;

	quiet.allow_none = quiet.all_harts = 1;
	for (unsigned t = 0; node >= 0 && t < TABLES; t++) {
		const char *property = table_names[t], *file;
		struct groups g;
		uint32_t count, bytes;
		const unsigned char *cells;
		unsigned char *rows;

		read_groups(&g, property_piece(&r->source, &r->lines, node, property, &file),
			    property);
		cells = property_cells(&r->source, node, property, &count);
		if (g.exact && g.cell_count == count && g.odd) {
			rows = straight_rows(r, &g, property, cells, &bytes);
			replace_rows(r, node, property, rows, bytes);
			free(rows);
		}
		unload_groups(&g);
	}
	if (r->written.file.data && r->options & FIRMWARE)
		understand(&r->written, &quiet, NULL, NULL);
}
