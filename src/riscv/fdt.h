/* SPDX-License-Identifier: BSD-2-Clause */
/* Nodes of riscv,pmu */
#pragma once

#include "riscv/fdt_api.h"
#include "riscv/hart.h"

/*
 * Whether the current node is a PMU by its compatible. 0: no; 1: yes; -1: an old draft, with its
 * own properties instead of the tables.
 */
static inline int pmumap_riscv_is_pmu_node_(const struct pmumap_fdt_cursor_ *w)
{
	uint32_t bytes, tables = 0, i;
	const unsigned char *p = pmumap_fdt_value_(w, PMUMAP_RISCV_PROPERTY_COMPATIBLE_, &bytes);

	if (!pmumap_fdt_match_list_(p, bytes, "riscv,pmu", 0))
		return 0;
	for (i = PMUMAP_RISCV_PROPERTY_SELECTORS_; i <= PMUMAP_RISCV_PROPERTY_OLD_RAW_; i++)
		tables |= w->found[i];
	return !tables && (w->found[PMUMAP_RISCV_PROPERTY_DRAFT_HW_] |
			   w->found[PMUMAP_RISCV_PROPERTY_DRAFT_WIDTH_])
		       ? -1
		       : 1;
}

/* The name of a table; from PMUMAP_TABLES_ on, its name of 2021. */
static inline const char *pmumap_riscv_table_name_(uint32_t table)
{
	return pmumap_nth_text_(pmumap_riscv_property_texts_(),
				PMUMAP_RISCV_PROPERTY_SELECTORS_ + table);
}

/* Whether a property has the name of a table, current or of 2021. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ int pmumap_riscv_is_table_name_(const unsigned char *name)
{
	const char *text = pmumap_riscv_table_name_(0);
	uint32_t i;

	for (i = 0; i < 2 * PMUMAP_TABLES_; i++, text = pmumap_nth_text_(text, 1)) {
		if (pmumap_fdt_match_string_(name, text, 0))
			return 1;
	}
	return 0;
}

/* Choose the current node's tables. The current name wins over that of 2021. */
static inline void pmumap_riscv_use_node_(struct pmumap_reader_ *r)
{
	const uint32_t *found = r->found + PMUMAP_RISCV_PROPERTY_SELECTORS_;
	uint32_t table;

	r->chosen = r->w.offset;
	r->old = 0;
	for (table = 0; table < PMUMAP_TABLES_; table++) {
		r->tables[table] = found[table];
		if (!found[table]) {
			r->tables[table] = found[table + PMUMAP_TABLES_];
			r->old |= 1u << table;
		}
	}
}

/*
 * How well the current node fits. 2: it is the wanted node, or names the hart. 1: it serves all
 * harts that no node names, or no hart is wanted. 0: it does not fit.
 */
static inline uint32_t pmumap_riscv_rank_node_(const struct pmumap_reader_ *r)
{
	uint32_t bytes;
	const unsigned char *p;

	if (r->wanted)
		return r->w.offset == r->wanted ? 2 : 0;
	/* Skip nodes that cannot beat the chosen one. Without a phandle, no node names the hart. */
	if (r->rank > r->hart.phandle || pmumap_riscv_is_pmu_node_(&r->w) <= 0)
		return 0;
	p = pmumap_fdt_value_(&r->w, PMUMAP_RISCV_PROPERTY_HARTS_, &bytes);
	if (!p || !r->for_hart)
		return 1;
	for (; r->hart.phandle && bytes >= 8; bytes -= 8, p += 8) {
		if (pmumap_load_be32_(p) == r->hart.phandle)
			return 2;
	}
	return 0;
}

static inline PMUMAP_COLD_ void pmumap_riscv_read_hart_(struct pmumap_reader_ *r)
{
	if (r->hart.place == PMUMAP_RISCV_IN_HART_ && r->w.depth > 3)
		pmumap_riscv_note_controller_(&r->w, &r->hart.phandle);
	else
		(void)pmumap_riscv_is_hart_(&r->w, &r->hart);
}

/* Choose the current node if it fits better than any before. */
static inline void pmumap_riscv_read_node_(struct pmumap_reader_ *r)
{
	uint32_t rank = pmumap_riscv_rank_node_(r);

	if (rank > r->rank) {
		r->rank = rank;
		pmumap_riscv_use_node_(r);
	}
}

/* The unread rows of a table. */
struct pmumap_riscv_rest_ {
	const unsigned char *at;
	uint32_t bytes;
	uint32_t cells; /* of a row */
};

/* Begin to read a table of the chosen node, which has it. In 2021, raw rows had no mask. */
static inline void pmumap_riscv_begin_table_(const struct pmumap_reader_ *r, uint32_t table,
					     struct pmumap_riscv_rest_ *rest)
{
	rest->at = r->w.blob + r->tables[table];
	rest->bytes = pmumap_load_be32_(rest->at - 8);
	rest->cells = table == PMUMAP_RAW_ && !(r->old >> PMUMAP_RAW_ & 1) ? 5 : 3;
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

/* Add the rows of a table of the chosen node, which has it. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ void pmumap_riscv_read_table_(const struct pmumap_reader_ *r,
							   uint32_t table, struct pmumap_builder *b)
{
	struct pmumap_riscv_rest_ rest;
	uint32_t cells[5], counters;
	uint64_t select, mask;

	if (table == PMUMAP_SELECTORS_) /* even an empty table disables the default */
		b->map_flags |= PMUMAP_HAS_SELECTORS;
	pmumap_riscv_begin_table_(r, table, &rest);
	while (pmumap_riscv_next_row_(&rest, cells)) {
		if (table == PMUMAP_SELECTORS_) {
			(void)pmumap_add_selector(b, cells[0], pmumap_fdt_join_cells_(cells + 1));
		} else if (table == PMUMAP_RANGES_) {
			(void)pmumap_add_counters(b, cells[0], cells[1], cells[2]);
		} else {
			pmumap_riscv_load_raw_(cells, rest.cells, &select, &mask, &counters);
			(void)pmumap_add_raw(b, select, mask, counters);
		}
	}
}
