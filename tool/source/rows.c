/* SPDX-License-Identifier: BSD-2-Clause */
#include "rows.h"
#include "text/text.h"

const char *const table_names[TABLES] = { SELECTORS, RANGES, RAW_ROWS };

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
	const unsigned char *cell = property_cells(source, node, property, &cells);
	int range = !strcmp(property, RANGES);

	for (; row < cells / 3; row++, cell += 12) {
		if (big_endian(cell) == event)
			return row;
		if (range && big_endian(cell) < event && event <= big_endian(cell + 4))
			return row;
	}
	return PMUMAP_NO_ROW;
}

uint32_t row_of_raw(const struct source *source, int node, uint64_t select, uint64_t mask)
{
	uint32_t cells, row = 0;
	const unsigned char *cell = property_cells(source, node, RAW_ROWS, &cells);

	for (; row < cells / 5; row++, cell += 20) {
		if (two_cells(cell) == select && two_cells(cell + 8) == mask)
			return row;
	}
	return PMUMAP_NO_ROW;
}
