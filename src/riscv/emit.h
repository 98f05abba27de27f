/* SPDX-License-Identifier: BSD-2-Clause */
/* Write a riscv,pmu node; delete its tables */
#pragma once

#include "riscv/list.h"
#include "fdt/edit.h"
#include "riscv/fdt.h"

/* The properties written: compatible, then the three tables. */
#define PMUMAP_RISCV_EMITTED_NAMES_ (PMUMAP_TABLES_ + 1)

static inline const char *pmumap_riscv_emitted_name_(uint32_t n)
{
	return n ? pmumap_riscv_table_name_(n - 1) : "compatible";
}

/*
 * Count the rows of each table. Returns a bitmap of tables to write. Selectors are written even
 * without a row if the map has no default. Ranges are written if no other table is, because a node
 * without tables would look like an old draft.
 */
static inline uint32_t pmumap_riscv_count_rows_(const struct pmumap *m, uint32_t *rows)
{
	struct pmumap_run run;
	uint64_t select, mask;
	uint32_t from, counters, tables = 0;

	rows[PMUMAP_TABLE_SELECTORS] = rows[PMUMAP_TABLE_COUNTERS] = rows[PMUMAP_TABLE_RAW] = 0;
	for (from = 0; pmumap_event_next(m, from, &run); from = run.last + 1) {
		rows[PMUMAP_TABLE_SELECTORS] += run.has_selector ? run.last - run.first + 1 : 0;
		rows[PMUMAP_TABLE_COUNTERS] += run.counters != 0;
	}
	while (pmumap_raw_at(m, rows[PMUMAP_TABLE_RAW], &select, &mask, &counters))
		rows[PMUMAP_TABLE_RAW]++;
	if (rows[PMUMAP_TABLE_RAW])
		tables |= 1u << PMUMAP_TABLE_RAW;
	if (rows[PMUMAP_TABLE_SELECTORS] || (m->head.flags & PMUMAP_HAS_SELECTORS))
		tables |= 1u << PMUMAP_TABLE_SELECTORS;
	if (rows[PMUMAP_TABLE_COUNTERS] || !tables)
		tables |= 1u << PMUMAP_TABLE_COUNTERS;
	return tables;
}

static inline uint32_t pmumap_riscv_table_bytes_(uint32_t table, uint32_t rows)
{
	return rows * (table == PMUMAP_TABLE_RAW ? 20 : 12);
}

static inline void pmumap_riscv_put_table_(struct pmumap_fdt_edit_ *e, const struct pmumap *m,
					   uint32_t table)
{
	struct pmumap_run run;
	uint64_t select, mask;
	uint32_t from, counters;

	if (table == PMUMAP_TABLE_RAW) {
		for (from = 0; pmumap_raw_at(m, from, &select, &mask, &counters); from++) {
			pmumap_fdt_edit_put_pair_(e, select);
			pmumap_fdt_edit_put_pair_(e, mask);
			pmumap_fdt_edit_put_cell_(e, counters);
		}
		return;
	}
	for (from = 0; pmumap_event_next(m, from, &run); from = run.last + 1) {
		uint32_t event = run.first;

		if (table == PMUMAP_TABLE_COUNTERS && run.counters) {
			pmumap_fdt_edit_put_cell_(e, run.first);
			pmumap_fdt_edit_put_cell_(e, run.last);
			pmumap_fdt_edit_put_cell_(e, run.counters);
		}
		for (; table == PMUMAP_TABLE_SELECTORS && run.has_selector && event <= run.last;
		     event++) {
			pmumap_fdt_edit_put_cell_(e, event);
			pmumap_fdt_edit_put_pair_(e, run.selector);
		}
	}
}

/* Find node "pmu" in parent. Returns 1: found; 0: only parent exists; -1: no parent. */
static inline int pmumap_riscv_find_node_(struct pmumap_fdt_edit_ *e, int parent)
{
	uint32_t depth = 0, last = 0;

	while (pmumap_fdt_edit_next_node_(e)) {
		if (e->depth <= depth)
			break;
		if (depth && e->depth == depth + 1 &&
		    pmumap_fdt_match_string_(e->blob + e->begin + 4, "pmu", 0))
			return 1;
		if (e->begin - e->w.start == (uint32_t)parent) {
			depth = e->depth;
			last = e->last;
		}
	}
	e->depth = depth;
	e->last = last;
	return depth ? 0 : -1;
}

/* Whether the tag at this offset begins a table. */
static inline int pmumap_riscv_is_table_(const struct pmumap_fdt_edit_ *e, uint32_t at)
{
	return pmumap_load_be32_(e->blob + at) == PMUMAP_FDT_PROPERTY_ &&
	       pmumap_riscv_is_table_name_(pmumap_fdt_edit_property_name_(e, at));
}

/*
 * Delete the tables and compatible from the node's properties by moving the others up, if really.
 * Returns how many bytes that frees.
 */
static inline uint32_t pmumap_riscv_take_tables_out_(struct pmumap_fdt_edit_ *e, int really)
{
	uint32_t at, to = e->first, bytes;

	for (at = e->first; at < e->last; at += bytes) {
		bytes = pmumap_fdt_tag_bytes_(e->blob + at);
		if (pmumap_riscv_is_table_(e, at) ||
		    (pmumap_load_be32_(e->blob + at) == PMUMAP_FDT_PROPERTY_ &&
		     pmumap_fdt_match_string_(pmumap_fdt_edit_property_name_(e, at), "compatible",
					      0)))
			continue;
		if (really)
			pmumap_fdt_move_bytes_(e->blob, at, to, bytes);
		to += bytes;
	}
	return e->last - to;
}

/* Write the node (or, if not whole, its properties) into the gap at e->to. */
static inline void pmumap_riscv_put_node_(struct pmumap_fdt_edit_ *e, const struct pmumap *m,
					  const uint32_t *rows, uint32_t tables,
					  const uint32_t *names, int whole)
{
	uint32_t n;

	if (whole) {
		pmumap_fdt_edit_put_cell_(e, PMUMAP_FDT_BEGIN_NODE_);
		pmumap_fdt_edit_put_cell_(e, 0x706d7500); /* "pmu" */
	}
	pmumap_fdt_edit_put_property_(e, names[0], 10);
	pmumap_fdt_edit_put_pair_(e, 0x72697363762c706du); /* "riscv,pm" */
	pmumap_fdt_edit_put_cell_(e, 0x75000000);          /* "u" */
	for (n = 0; n < PMUMAP_TABLES_; n++) {
		if (tables >> n & 1) {
			pmumap_fdt_edit_put_property_(e, names[n + 1],
						      pmumap_riscv_table_bytes_(n, rows[n]));
			pmumap_riscv_put_table_(e, m, n);
		}
	}
	if (whole)
		pmumap_fdt_edit_put_cell_(e, PMUMAP_FDT_END_NODE_);
}

PMUMAP_DEF enum pmumap_status pmumap_fdt_emit(void *fdt, size_t bytes, int parent,
					      const struct pmumap *m, size_t *need)
{
	uint32_t rows[PMUMAP_TABLES_], names[PMUMAP_RISCV_EMITTED_NAMES_], tables, n, out,
		added = 12 + 12;
	struct pmumap_fdt_edit_ e;
	enum pmumap_status status;
	int there;

	if (!fdt || !m || pmumap_is_overlap_(fdt, bytes, m, m->head.size))
		return PMUMAP_E_ARG;
	status = pmumap_fdt_edit_begin_(&e, fdt, bytes);
	if (status != PMUMAP_OK)
		return status;
	there = pmumap_riscv_find_node_(&e, parent);
	if (there < 0)
		return PMUMAP_E_NODE;
	if (!there && e.depth == PMUMAP_FDT_DEPTH_)
		return PMUMAP_E_LIMIT;
	out = there ? pmumap_riscv_take_tables_out_(&e, 0) : 0;
	added += there ? 0 : 12; /* its tags and name */
	tables = pmumap_riscv_count_rows_(m, rows);
	names[0] = pmumap_fdt_edit_place_string_(&e, pmumap_riscv_emitted_name_(0));
	for (n = 0; n < PMUMAP_TABLES_; n++) {
		names[n + 1] = 0;
		if (tables >> n & 1) {
			names[n + 1] = pmumap_fdt_edit_place_string_(
				&e, pmumap_riscv_emitted_name_(n + 1));
			added += 12 + pmumap_riscv_table_bytes_(n, rows[n]);
		}
	}
	status = pmumap_fdt_edit_check_room_(&e, bytes, added, out, need);
	if (status != PMUMAP_OK)
		return status;
	if (there)
		(void)pmumap_riscv_take_tables_out_(&e, 1);
	pmumap_fdt_move_bytes_(e.blob, e.last, e.last - out + added, e.total - e.last);
	e.to = e.last - out;
	pmumap_riscv_put_node_(&e, m, rows, tables, names, !there);
	for (n = 0; n < PMUMAP_RISCV_EMITTED_NAMES_; n++) {
		if (n == 0 || (tables >> (n - 1) & 1))
			pmumap_fdt_edit_append_string_(&e, names[n], pmumap_riscv_emitted_name_(n));
	}
	pmumap_fdt_edit_end_(&e);
	return PMUMAP_OK;
}

PMUMAP_DEF enum pmumap_status pmumap_fdt_fixup(void *fdt, size_t bytes)
{
	struct pmumap_fdt_edit_ e;
	enum pmumap_status status;
	uint32_t at, size;

	if (!fdt)
		return PMUMAP_E_ARG;
	status = pmumap_fdt_edit_begin_(&e, fdt, bytes);
	if (status != PMUMAP_OK)
		return status;
	while (pmumap_fdt_edit_next_node_(&e)) {
		if (!pmumap_fdt_edit_is_compatible_(&e, "riscv,pmu"))
			continue;
		for (at = e.first; at < e.last; at += size) {
			size = pmumap_fdt_tag_bytes_(e.blob + at);
			if (pmumap_riscv_is_table_(&e, at))
				pmumap_fdt_nop_bytes_(&e, at, size);
		}
	}
	return PMUMAP_OK;
}
