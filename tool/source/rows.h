/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rows.h -- the three tables of a riscv,pmu node, as a tree stores them.
 */
#ifndef ROWS_H
#define ROWS_H

#include "nodes.h"

#define SELECTORS "riscv,event-to-mhpmevent"
#define RANGES "riscv,event-to-mhpmcounters"
#define RAW_ROWS "riscv,raw-event-to-mhpmcounters"
#define TABLES 3u
#define WIDEST 5u     /* cells of the widest row */
#define FIXED_MASK 7u /* counters that a selector cannot program */

extern const char *const table_names[TABLES];

/*
 * The name by which a node has this table. As in pmumap_fdt.h, that of 2021 counts only without
 * today's. Other names, and NULL, are returned.
 */
const char *table_name(const struct source *source, int node, const char *property);

/* The number of cells in a row of this property. */
uint32_t row_width(const char *property);

/* Reads a 64-bit number from two cells. */
uint64_t two_cells(const unsigned char *cell);

/* The first row of three cells that starts with the event, or whose range contains it. */
uint32_t row_of_event(const struct source *source, int node, const char *property, uint32_t event);

/* The raw rows of a node; in 2021, they had no mask. */
struct raw_rows {
	const unsigned char *cell;
	uint32_t count, width;
};

struct stored_row {
	uint64_t select, mask;
	uint32_t counters;
};

struct raw_rows raw_rows_of(const struct source *source, int node);
struct stored_row stored_row(const struct raw_rows *rows, uint32_t row);

/* The raw row with this select and mask. Both return PMUMAP_NO_ROW if there is none. */
uint32_t row_of_raw(const struct source *source, int node, uint64_t select, uint64_t mask);

/* Taken: /sys/firmware/fdt has no tables, because OpenSBI deletes them before it starts Linux. */
enum tables { TABLES_PRESENT, TABLES_MISSING, TABLES_TAKEN };
enum tables tables_of(const struct source *source, int node);

#endif /* ROWS_H */
