/* SPDX-License-Identifier: BSD-2-Clause */
#include <libfdt.h>
#include "harts.h"
#include "opensbi.h"
#include "rows.h"
#include "text/text.h"

/* ---- how far it reads ------------------------------------------------------------------------ */

/* A row as OpenSBI keeps it. Ranges have select and mask 0, which raw rows are compared with. */
struct kept_row {
	uint32_t first, last;
	uint64_t select, mask;
};

struct kept_rows {
	struct kept_row row[OPENSBI_ROWS];
	uint32_t count;
};

static int add_range(struct kept_rows *kept, const unsigned char *cell)
{
	struct kept_row r = { .first = big_endian(cell), .last = big_endian(cell + 4) };

	if (r.first > r.last || r.last >= PMUMAP_EVENT_RAW ||
	    (r.first > 2 && big_endian(cell + 8) & FIXED_MASK) || kept->count == OPENSBI_ROWS)
		return 0;
	for (uint32_t i = 0; i < kept->count; i++) {
		if (kept->row[i].first <= r.last && r.first <= kept->row[i].last)
			return 0;
	}
	kept->row[kept->count++] = r;
	return 1;
}

static int add_raw(struct kept_rows *kept, const unsigned char *cell)
{
	struct kept_row r = { .select = two_cells(cell), .mask = two_cells(cell + 8) };

	if (big_endian(cell + 16) & FIXED_MASK || kept->count == OPENSBI_ROWS)
		return 0;
	for (uint32_t i = 0; i < kept->count; i++) {
		if (kept->row[i].select == r.select && kept->row[i].mask == r.mask)
			return 0;
	}
	kept->row[kept->count++] = r;
	return 1;
}

/* Returns how many rows of the table it keeps. Where it stops, it does not come to later tables. */
static uint32_t read_rows(struct opensbi *o, struct kept_rows *kept, const unsigned char *cell,
			  uint32_t rows, const char *property)
{
	int raw = !strcmp(property, RAW_ROWS);
	uint32_t row = 0;

	if (o->property)
		return 0;
	while (row < rows && (raw ? add_raw(kept, cell) : add_range(kept, cell))) {
		cell += 4 * row_width(property);
		row++;
	}
	if (row < rows) {
		o->property = property;
		o->row = row;
		o->full = kept->count == OPENSBI_ROWS;
	}
	return row;
}

static void read_tables(struct opensbi *o)
{
	struct kept_rows kept = { .count = 0 };
	uint32_t ranges, selectors, raws;
	const unsigned char *range = property_cells(o->source, o->node, RANGES, &ranges);
	const unsigned char *selector = property_cells(o->source, o->node, SELECTORS, &selectors);
	const unsigned char *raw = property_cells(o->source, o->node, RAW_ROWS, &raws);

	ranges /= 3;
	selectors /= 3;
	raws /= WIDEST;
	o->ranges = read_rows(o, &kept, range, ranges, RANGES);
	if (!o->property)
		o->selectors = selectors;
	if (!o->property && selector && !selectors) /* it cannot allocate 0 bytes */
		o->property = SELECTORS;
	o->raws = read_rows(o, &kept, raw, raws, RAW_ROWS);
	o->lost = ranges - o->ranges + selectors - o->selectors + raws - o->raws;
}

int opensbi_keeps(const struct opensbi *o, uint32_t event, uint64_t data)
{
	int raw = event == PMUMAP_EVENT_RAW || event == PMUMAP_EVENT_RAW_V2;
	const char *property = raw ? RAW_ROWS : RANGES;
	uint32_t cells, rows = raw ? o->raws : o->ranges;
	const unsigned char *cell = property_cells(o->source, o->node, property, &cells);

	for (uint32_t row = 0; row < rows; row++, cell += 4 * row_width(property)) {
		if (raw ? two_cells(cell) == (data & two_cells(cell + 8))
			: big_endian(cell) <= event && event <= big_endian(cell + 4))
			return 1;
	}
	return 0;
}

/* ---- the harts ------------------------------------------------------------------------------- */

static int lacks_fixed(const struct source *source)
{
	struct hart harts[HARTS];
	uint32_t count = list_harts(source, harts);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t features =
			pmumap_fdt_features(source->file.data, source->file.size, harts[i].id);

		if ((features & (PMUMAP_SSCOFPMF | PMUMAP_SMCNTRPMF)) == PMUMAP_SSCOFPMF)
			return 1;
	}
	return 0;
}

/* ---- what it leaves -------------------------------------------------------------------------- */

/* Whether the node has a table, also one of 2021, of a draft, or with its name misspelt. */
static int has_table(const void *blob, int node)
{
	const char *name;
	int property;

	fdt_for_each_property_offset(property, blob, node)
	{
		if (fdt_getprop_by_offset(blob, property, &name, NULL) &&
		    (!strncmp(name, "riscv,", 6) || strstr(name, "event") || strstr(name, "mhpm")))
			return 1;
	}
	return 0;
}

/* OpenSBI deletes the tables in the same pass in which it adds the memory that it keeps. */
static int is_handed_on(const void *blob)
{
	int node, memory = fdt_path_offset(blob, "/reserved-memory");

	if (memory < 0)
		return 0;
	fdt_for_each_subnode(node, blob, memory)
	{
		if (!strncmp(fdt_get_name(blob, node, NULL), "mmode_resv", 10))
			return 1;
	}
	return 0;
}

enum tables tables_of(const struct source *source, int node)
{
	const void *blob = source->file.data;

	if (!blob || node < 0 || has_table(blob, node))
		return TABLES_PRESENT;
	return is_handed_on(blob) ? TABLES_TAKEN : TABLES_MISSING;
}

struct opensbi ask_opensbi(const struct source *source, int node)
{
	struct opensbi o = { .source = source, .node = node };

	o.tables = tables_of(source, node);
	if (!source->file.data || node < 0)
		return o;
	o.lacks_fixed = lacks_fixed(source);
	read_tables(&o);
	return o;
}
