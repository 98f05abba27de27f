/* SPDX-License-Identifier: BSD-2-Clause */
/* The nodes of riscv,pmu */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/map_api.h"
#include "builder/api.h"
#include "riscv/api.h"
#include "core/compiler.h"
#include "core/status.h"
#include "builder/report.h"
#include "riscv/add.h"
#include "fdt/blob.h"
#include "fdt/walk.h"
#include "fdt/property.h"
#include "fdt/properties.h"

/*
 * Whether the node at hand is a PMU by its compatible: 0, no; 1, yes; -1, it follows an old
 * draft. A draft has properties of its own and none of the tables.
 */
static inline int pmumap_riscv_is_pmu_node_(const struct pmumap_fdt_walk_ *w)
{
	uint32_t bytes, tables = 0, i;
	const unsigned char *p = pmumap_fdt_property_value_(w, PMUMAP_FDT_COMPATIBLE_, &bytes);

	if (!pmumap_fdt_match_list_(p, bytes, "riscv,pmu", 0))
		return 0;
	for (i = PMUMAP_FDT_SELECTORS_; i <= PMUMAP_FDT_OLD_RAW_; i++)
		tables |= w->found[i];
	return !tables && (w->found[PMUMAP_FDT_DRAFT_HW_] | w->found[PMUMAP_FDT_DRAFT_WIDTH_]) ? -1
											       : 1;
}

/* The name of a table; from PMUMAP_TABLES_ on, those of 2021. */
static inline const char *pmumap_riscv_table_name_(uint32_t table)
{
	return pmumap_nth_text_(pmumap_fdt_texts_(), PMUMAP_FDT_SELECTORS_ + table);
}

/* Whether a property is a table by its name, of today or of 2021. */
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

/* Use the tables of the node at hand. Today's name of a table wins over that of 2021. */
static inline void pmumap_riscv_use_node_(const struct pmumap_fdt_walk_ *w,
					  struct pmumap_builder *b)
{
	const uint32_t *tables = w->found + PMUMAP_FDT_SELECTORS_;
	uint32_t i, named;

	for (i = 0; i < PMUMAP_TABLES_; i++) {
		named = tables[i] ? i : i + PMUMAP_TABLES_;
		if (!tables[named])
			continue;
		b->own.properties[i] = pmumap_riscv_table_name_(named);
		b->own.rows[i] = w->blob + tables[named];
	}
}

/*
 * Use the node at hand, whose properties are complete, if it is the first that fits; if not, report
 * why. chosen: offset of the node in use, or PMUMAP_NO_NODE.
 */
static inline void pmumap_riscv_choose_node_(int *chosen, const struct pmumap_fdt_walk_ *w,
					     struct pmumap_builder *b)
{
	int pmu = pmumap_riscv_is_pmu_node_(w);

	if (*chosen == PMUMAP_NO_NODE && (w->wanted ? w->offset == w->wanted : pmu > 0)) {
		*chosen = (int)w->offset;
		pmumap_riscv_use_node_(w, b);
	} else if (pmu) {
		pmumap_report_(
			b,
			pmu < 0 ? PMUMAP_FINDING_(FOREIGN_NODE, PMUMAP_WARNING, PMUMAP_IN_NODE_)
				: PMUMAP_FINDING_(EXTRA_NODE, PMUMAP_WARNING, PMUMAP_IN_NODE_),
			PMUMAP_NO_ROW, PMUMAP_NO_ROW,
			pmu < 0     ? 0
			: w->wanted ? w->wanted
				    : (uint64_t)*chosen);
	}
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
