/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/api.h"
#include "riscv/api.h"
#include "builder/report.h"
#include "riscv/add.h"
#include "fdt/blob.h"
#include "fdt/walk.h"

static inline void pmumap_riscv_note_property_(struct pmumap_fdt_walk_ *w, uint32_t name,
					       uint32_t bytes)
{
	static const char tables[PMUMAP_TABLES_][26] = { PMUMAP_SELECTORS_NAME_,
							 PMUMAP_RANGES_NAME_, PMUMAP_RAW_NAME_ };
	const unsigned char *s = w->blob + name;
	uint32_t i, prefix;

	if (pmumap_fdt_match_string_(s, "compatible", 0)) {
		if (!(w->flags & PMUMAP_FDT_COMPATIBLE_) &&
		    pmumap_fdt_match_list_(w->blob + w->at, bytes, "riscv,pmu", 0))
			w->flags |= PMUMAP_FDT_PMU_;
		w->flags |= PMUMAP_FDT_COMPATIBLE_;
		return;
	}
	prefix = pmumap_fdt_match_string_(s, "riscv,", 1) ? 6
		 : pmumap_fdt_match_string_(s, "pmu,", 1) ? 4
							  : 0;
	for (i = 0; prefix && i < PMUMAP_TABLES_; i++) {
		if (!pmumap_fdt_match_string_(s + prefix, tables[i], 0))
			continue;
		w->flags |= PMUMAP_FDT_TABLE_;
		/* The new name before the old one, and the first of each. */
		if (!w->tables[i].name || (*s == 'r' && w->blob[w->tables[i].name] == 'p')) {
			w->tables[i].name = name;
			w->tables[i].at = w->at;
		}
		return;
	}
	if (prefix == 6)
		w->flags |= PMUMAP_FDT_DRAFT_;
}

/* Is it the one? */
static inline void pmumap_riscv_choose_node_(struct pmumap_fdt_walk_ *w, struct pmumap_builder *b)
{
	int drafted = (w->flags & (PMUMAP_FDT_DRAFT_ | PMUMAP_FDT_TABLE_)) == PMUMAP_FDT_DRAFT_;
	int fits = w->wanted ? w->offset == w->wanted : (w->flags & PMUMAP_FDT_PMU_) && !drafted;
	uint32_t i;

	if (w->chosen == PMUMAP_NO_NODE && fits) {
		w->chosen = (int)w->offset;
		for (i = 0; i < PMUMAP_TABLES_; i++) {
			if (!w->tables[i].name)
				continue;
			b->names[i] = (const char *)w->blob + w->tables[i].name;
			b->rows[i] = w->blob + w->tables[i].at;
		}
	} else if (w->flags & PMUMAP_FDT_PMU_) {
		pmumap_found_(b,
			      drafted ? PMUMAP_WHAT_(FOREIGN_NODE, PMUMAP_WARNING, PMUMAP_NO_TABLE_)
				      : PMUMAP_WHAT_(EXTRA_NODE, PMUMAP_NOTE, PMUMAP_NO_TABLE_),
			      PMUMAP_NO_ROW, PMUMAP_NO_ROW,
			      drafted     ? 0
			      : w->wanted ? w->wanted
					  : (uint64_t)w->chosen);
	}
}

/* One row of a table; of raw rows without a mask, cells has 3 entries. */
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

static inline void pmumap_riscv_read_table_(struct pmumap_builder *b, uint32_t table)
{
	const unsigned char *p = b->rows[table];
	uint32_t left = pmumap_load_be32_(p - 8), old = *b->names[table] == 'p', rows = 0;
	uint32_t count = table == PMUMAP_RAW_ && !old ? 5 : 3, i, cells[5];

	if (table == PMUMAP_SELECTORS_) /* also an empty table says that there is no default */
		b->map_flags |= PMUMAP_HAS_SELECTORS;
	if (old)
		pmumap_found_(b, PMUMAP_WHAT_(LEGACY_PREFIX, PMUMAP_WARNING, table), PMUMAP_NO_ROW,
			      PMUMAP_NO_ROW, 0);
	for (; left >= 4 * count; left -= 4 * count, rows++) {
		for (i = 0; i < count; i++, p += 4)
			cells[i] = pmumap_load_be32_(p);
		pmumap_riscv_read_row_(b, table, cells, count);
	}
	if (old && table == PMUMAP_RAW_)
		pmumap_found_(b, PMUMAP_WHAT_(LEGACY_RAW3, PMUMAP_WARNING, table), PMUMAP_NO_ROW,
			      PMUMAP_NO_ROW, rows);
	if (left)
		pmumap_found_(b, PMUMAP_WHAT_(TRAILING_BYTES, PMUMAP_WARNING, table), PMUMAP_NO_ROW,
			      PMUMAP_NO_ROW, left);
}
