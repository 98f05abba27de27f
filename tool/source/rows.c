/* SPDX-License-Identifier: BSD-2-Clause */
#include <libfdt.h>
#include "rows.h"
#include "text/text.h"

const char *const table_names[TABLES] = { SELECTORS, RANGES, RAW_ROWS };

const char *table_name(const struct source *source, int node, const char *property)
{
	static const char *const names_2021[TABLES] = { "pmu,event-to-mhpmevent",
							"pmu,event-to-mhpmcounters",
							"pmu,raw-event-to-mhpmcounters" };
	uint32_t cells, t = 0;

	while (t < TABLES && property && strcmp(property, table_names[t]))
		t++;
	if (!property || t == TABLES || property_cells(source, node, property, &cells) ||
	    !property_cells(source, node, names_2021[t], &cells))
		return property;
	return names_2021[t];
}

uint32_t row_width(const char *property)
{
	return strcmp(property, RAW_ROWS) ? 3 : WIDEST;
}

uint64_t two_cells(const unsigned char *cell)
{
	return (uint64_t)big_endian(cell) << 32 | big_endian(cell + 4);
}

uint32_t row_of_event(const struct source *source, int node, const char *property, uint32_t event)
{
	uint32_t cells, row = 0;
	const unsigned char *cell =
		property_cells(source, node, table_name(source, node, property), &cells);
	int range = !strcmp(property, RANGES);

	for (; row < cells / 3; row++, cell += 12) {
		if (big_endian(cell) == event)
			return row;
		if (range && big_endian(cell) < event && event <= big_endian(cell + 4))
			return row;
	}
	return PMUMAP_NO_ROW;
}

struct raw_rows raw_rows_of(const struct source *source, int node)
{
	const char *property = table_name(source, node, RAW_ROWS);
	struct raw_rows rows = { .width = row_width(property) };

	rows.cell = property_cells(source, node, property, &rows.count);
	rows.count /= rows.width;
	return rows;
}

struct stored_row stored_row(const struct raw_rows *rows, uint32_t row)
{
	const unsigned char *cell = rows->cell + 4 * (size_t)rows->width * row;

	return (struct stored_row){ .select = two_cells(cell),
				    .mask = rows->width == WIDEST ? two_cells(cell + 8)
								  : UINT64_MAX,
				    .counters = big_endian(cell + 4 * (rows->width - 1)) };
}

uint32_t row_of_raw(const struct source *source, int node, uint64_t select, uint64_t mask)
{
	const struct raw_rows rows = raw_rows_of(source, node);

	for (uint32_t row = 0; row < rows.count; row++) {
		const struct stored_row r = stored_row(&rows, row);

		if (r.select == select && r.mask == mask)
			return row;
	}
	return PMUMAP_NO_ROW;
}

/* True if the node has a table, including a misspelt one or one of the 2021 draft. */
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

/* True if OpenSBI prepared this blob: it deletes the tables when it reserves its own memory. */
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
