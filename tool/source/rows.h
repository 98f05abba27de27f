/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rows.h -- what a finding needs from its node; harts; the three tables of a riscv,pmu node.
 */
#ifndef ROWS_H
#define ROWS_H

#include "source.h"

#define DEPTH_LIMIT 64 /* pmumap_fdt.h accepts no deeper tree */

/* Call it after changing the tree. */
void forget_nodes(struct source *source);

/* The path of a node, or NULL if there is no such node. Valid until the next call. */
const char *node_path(struct source *source, int node);

/* The text of a property, or NULL if it is not a string. */
const char *property_text(const struct source *source, int node, const char *property);

/* IMC: the name of the event with this reg in a list, or NULL. */
const char *event_name(const struct source *source, int list, uint64_t reg);

/* AMU: the first sibling with the same affinity as the finding's CPU; negative: none. */
int first_cpu(const struct source *source, const struct pmumap_finding *f);

/* RISC-V: the node that the map is of. Negative: none. */
int pmu_node(const struct source *source, const struct input *input);

/* The cells of a property, 4 bytes each, or NULL if there are none. */
const unsigned char *property_cells(const struct source *source, int node, const char *property,
				    uint32_t *cells);

/* The length of a property in bytes, or 0 if there is none. */
uint32_t property_bytes(const struct source *source, int node, const char *property);

/* ---- harts ----------------------------------------------------------------------------------- */

/* Lists the harts of the tree in source. Call it after changing the tree. */
void read_harts(struct source *source);

/* Returns NULL if the tree does not have it. */
const struct pmumap_fdt_hart *find_hart(const struct source *source, uint64_t id);

/* Returns the node that serves a hart, or PMUMAP_NO_NODE. */
int node_of_hart(const struct source *source, uint64_t id);

/*
 * PMUMAP_SSCOFPMF and PMUMAP_SMCNTRPMF of a hart. With id NULL, of a hart that has Sscofpmf without
 * Smcntrpmf, otherwise of the first hart.
 */
uint32_t features_in_tree(const struct source *source, const uint64_t *id);

/* Whether harts use different nodes. */
int has_mixed_harts(const struct source *source);

/* Replaces the RISC-V map by the map of another node. */
void use_node(struct source *source, int node);

/* ---- tables ---------------------------------------------------------------------------------- */

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
