/* SPDX-License-Identifier: BSD-2-Clause */
/* Take the rows of a property */
#pragma once

#include "riscv/add.h"

#define PMUMAP_TABLES_ 3u /* of a node */

/* The unread rows of a table. */
struct pmumap_riscv_rest_ {
	const unsigned char *at;
	size_t bytes;
	uint32_t cells; /* of a row */
};

/* Begin to read a table's rows. In 2021, raw rows had no mask. */
static inline void pmumap_riscv_begin_rows_(struct pmumap_riscv_rest_ *rest, uint32_t table,
					    const void *cells, size_t bytes)
{
	rest->at = (const unsigned char *)cells;
	rest->bytes = bytes;
	rest->cells = table == PMUMAP_TABLE_RAW ? 5 : 3;
}

/* Read the next row's cells. Returns 0 at the end; some bytes may be left. */
static inline int pmumap_riscv_next_row_(struct pmumap_riscv_rest_ *rest, uint32_t *cells)
{
	uint32_t i;

	if (rest->bytes < 4 * rest->cells)
		return 0;
	for (i = 0; i < rest->cells; i++, rest->at += 4)
		cells[i] = pmumap_load_be32_(rest->at);
	rest->bytes -= 4 * rest->cells;
	return 1;
}

/* Join two cells, the upper one first. */
static inline uint64_t pmumap_fdt_join_cells_(const uint32_t *cells)
{
	return (uint64_t)cells[0] << 32 | cells[1];
}

/* Decode a raw row of 5 or 3 cells. With 3 there is no mask: all bits are compared. */
static inline void pmumap_riscv_load_raw_(const uint32_t *cells, uint32_t count, uint64_t *select,
					  uint64_t *mask, uint32_t *counters)
{
	*select = pmumap_fdt_join_cells_(cells);
	*mask = count == 3 ? ~(uint64_t)0 : pmumap_fdt_join_cells_(cells + 2);
	*counters = cells[count - 1];
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status
pmumap_add_table(struct pmumap_builder *b, enum pmumap_table table, const void *cells, size_t bytes)
{
	struct pmumap_riscv_rest_ rest;
	uint32_t row[5], counters;
	uint64_t select, mask;

	if ((uint32_t)table > PMUMAP_TABLE_RAW_2021)
		return PMUMAP_E_ARG;
	if (!cells)
		return b->status;
	if (table == PMUMAP_TABLE_SELECTORS) /* even an empty table disables the default */
		b->map_flags |= PMUMAP_HAS_SELECTORS;
	pmumap_riscv_begin_rows_(&rest, table, cells, bytes);
	while (pmumap_riscv_next_row_(&rest, row)) {
		if (table == PMUMAP_TABLE_SELECTORS) {
			(void)pmumap_add_selector(b, row[0], pmumap_fdt_join_cells_(row + 1));
		} else if (table == PMUMAP_TABLE_COUNTERS) {
			(void)pmumap_add_counters(b, row[0], row[1], row[2]);
		} else {
			pmumap_riscv_load_raw_(row, rest.cells, &select, &mask, &counters);
			(void)pmumap_add_raw(b, select, mask, counters);
		}
	}
	return b->status;
}
