/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rows.h -- the three tables of a riscv,pmu node, as they stand in a tree.
 */
#ifndef ROWS_H
#define ROWS_H

#include "nodes.h"

#define SELECTORS "riscv,event-to-mhpmevent"
#define RANGES "riscv,event-to-mhpmcounters"
#define RAW_ROWS "riscv,raw-event-to-mhpmcounters"
#define TABLES 3u
#define WIDEST 5u     /* cells of the widest row */
#define FIXED_MASK 7u /* the counters that no selector reaches */

extern const char *const table_names[TABLES];

/* The cells of a row of this property. */
uint32_t row_width(const char *property);

/* A number of two cells. */
uint64_t two_cells(const unsigned char *cell);

/* The first row of three cells that begins with the event, or whose range has it. */
uint32_t row_of_event(const struct source *source, int node, const char *property, uint32_t event);

/* The raw row of this select and mask. Both return PMUMAP_NO_ROW where there is none. */
uint32_t row_of_raw(const struct source *source, int node, uint64_t select, uint64_t mask);

#endif /* ROWS_H */
