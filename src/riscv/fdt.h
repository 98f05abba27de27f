/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/api.h"
#include "riscv/api.h"
#include "core/compiler.h"
#include "builder/report.h"
#include "riscv/add.h"
#include "fdt/blob.h"
#include "fdt/walk.h"

/* What has been seen of the node at hand, as flags. */
enum {
	PMUMAP_RISCV_COMPATIBLE_ = 1, /* it has a property compatible ... */
	PMUMAP_RISCV_PMU_ = 2,        /* ... which lists "riscv,pmu" */
	PMUMAP_RISCV_DRAFT_ = 4,      /* it has a property of the drafts of 2018 to 2020 */
	PMUMAP_RISCV_TABLE_ = 8       /* it has a table */
};

/* What reads the nodes of RISC-V. The tables are those of the node at hand. */
struct pmumap_riscv_reader_ {
	int chosen; /* offset of the node to read, or PMUMAP_NO_NODE */
	uint32_t flags;
	struct {
		uint32_t at;   /* where its rows lie in the blob */
		uint32_t name; /* where its name lies in it; 0: the node has no such table */
	} tables[PMUMAP_TABLES_];
};

/* The name of a table without its prefix. */
static inline const char *pmumap_riscv_table_name_(uint32_t table)
{
	static const char names[PMUMAP_TABLES_][26] = { PMUMAP_SELECTORS_NAME_, PMUMAP_RANGES_NAME_,
							PMUMAP_RAW_NAME_ };

	return names[table];
}

/* The table that a property is by its name, of today or of 2021; PMUMAP_TABLES_ or more: none. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ uint32_t pmumap_riscv_table_of_name_(const unsigned char *name)
{
	const unsigned char *rest = pmumap_fdt_match_string_(name, "riscv,", 1);
	uint32_t i = 0;

	if (!rest)
		rest = pmumap_fdt_match_string_(name, "pmu,", 1);
	if (!rest)
		return PMUMAP_NO_ROW;
	while (i < PMUMAP_TABLES_ &&
	       !pmumap_fdt_match_string_(rest, pmumap_riscv_table_name_(i), 0))
		i++;
	return i;
}

/* Note a property of the node at hand; name: where its name lies in the blob. */
static inline void pmumap_riscv_note_property_(struct pmumap_riscv_reader_ *r,
					       const struct pmumap_fdt_walk_ *w, uint32_t name,
					       uint32_t bytes)
{
	const unsigned char *s = w->blob + name;
	uint32_t i;

	if (pmumap_fdt_match_string_(s, "compatible", 0)) {
		if (!(r->flags & PMUMAP_RISCV_COMPATIBLE_) &&
		    pmumap_fdt_match_list_(w->blob + w->at, bytes, "riscv,pmu", 0))
			r->flags |= PMUMAP_RISCV_PMU_;
		r->flags |= PMUMAP_RISCV_COMPATIBLE_;
		return;
	}
	i = pmumap_riscv_table_of_name_(s);
	if (i < PMUMAP_TABLES_) {
		r->flags |= PMUMAP_RISCV_TABLE_;
		/* The name of today wins; of two with one name, the first. */
		if (!r->tables[i].name || (*s == 'r' && w->blob[r->tables[i].name] == 'p')) {
			r->tables[i].name = name;
			r->tables[i].at = w->at;
		}
	} else if (pmumap_fdt_match_string_(s, "riscv,hw-", 1) ||
		   pmumap_fdt_match_string_(s, "riscv,width-", 1)) {
		r->flags |= PMUMAP_RISCV_DRAFT_;
	}
}

/* All properties of the node at hand are known: choose it, or report why not. */
static inline void pmumap_riscv_choose_node_(struct pmumap_riscv_reader_ *r,
					     const struct pmumap_fdt_walk_ *w,
					     struct pmumap_builder *b)
{
	int drafted =
		(r->flags & (PMUMAP_RISCV_DRAFT_ | PMUMAP_RISCV_TABLE_)) == PMUMAP_RISCV_DRAFT_;
	int fits = w->wanted ? w->offset == w->wanted : (r->flags & PMUMAP_RISCV_PMU_) && !drafted;
	uint32_t i;

	if (r->chosen == PMUMAP_NO_NODE && fits) {
		r->chosen = (int)w->offset;
		for (i = 0; i < PMUMAP_TABLES_; i++) {
			if (!r->tables[i].name)
				continue;
			b->own.properties[i] = (const char *)w->blob + r->tables[i].name;
			b->own.rows[i] = w->blob + r->tables[i].at;
		}
	} else if (r->flags & PMUMAP_RISCV_PMU_) {
		pmumap_report_(
			b,
			drafted ? PMUMAP_FINDING_(FOREIGN_NODE, PMUMAP_WARNING, PMUMAP_IN_NODE_)
				: PMUMAP_FINDING_(EXTRA_NODE, PMUMAP_WARNING, PMUMAP_IN_NODE_),
			PMUMAP_NO_ROW, PMUMAP_NO_ROW,
			drafted     ? 0
			: w->wanted ? w->wanted
				    : (uint64_t)r->chosen);
	}
	r->flags = 0;
	for (i = 0; i < PMUMAP_TABLES_; i++)
		r->tables[i].name = 0;
}

/* Add a row of a table. A raw row of the old table has no mask, and 3 cells. */
static inline void pmumap_riscv_read_row_(struct pmumap_builder *b, uint32_t table,
					  const uint32_t *cells, uint32_t count)
{
	if (table == PMUMAP_SELECTORS_)
		(void)pmumap_add_selector(b, cells[0], pmumap_fdt_join_cells_(cells + 1));
	else if (table == PMUMAP_RANGES_)
		(void)pmumap_add_counters(b, cells[0], cells[1], cells[2]);
	else
		(void)pmumap_add_raw(b, pmumap_fdt_join_cells_(cells),
				     count == 3 ? ~(uint64_t)0 : pmumap_fdt_join_cells_(cells + 2),
				     cells[count - 1]);
}

/* Whether a table has its name of 2021. */
static inline int pmumap_riscv_is_old_table_(const struct pmumap_builder *b, uint32_t table)
{
	return *b->own.properties[table] == 'p';
}

/* Cells of a row; in 2021 raw rows had no mask. */
static inline uint32_t pmumap_riscv_row_cells_(const struct pmumap_builder *b, uint32_t table)
{
	return table == PMUMAP_RAW_ && !pmumap_riscv_is_old_table_(b, table) ? 5 : 3;
}

/* Add the rows of a table that pmumap_riscv_choose_node_() has found. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ void pmumap_riscv_read_table_(struct pmumap_builder *b, uint32_t table)
{
	const unsigned char *p = b->own.rows[table];
	uint32_t left = pmumap_load_be32_(p - 8), count = pmumap_riscv_row_cells_(b, table), i;
	uint32_t cells[5];

	if (table == PMUMAP_SELECTORS_) /* also an empty table says that there is no default */
		b->own.map_flags |= PMUMAP_HAS_SELECTORS;
	for (; left >= 4 * count; left -= 4 * count) {
		for (i = 0; i < count; i++, p += 4)
			cells[i] = pmumap_load_be32_(p);
		pmumap_riscv_read_row_(b, table, cells, count);
	}
}
