/* SPDX-License-Identifier: BSD-2-Clause */
/* Nodes of riscv,pmu */
#pragma once

#include "riscv/fdt_api.h"
#include "riscv/reader.h"

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

/* Whether the current node is the one to read: the wanted one, or if that is 0 a riscv,pmu. */
static inline int pmumap_riscv_fits_(const struct pmumap_reader_ *r, uint32_t wanted)
{
	return wanted ? r->w.offset == wanted : pmumap_riscv_is_pmu_node_(&r->w) > 0;
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

/* A table's form: its number, or that of 2021. The chosen node has it. */
static inline enum pmumap_table pmumap_riscv_form_(const struct pmumap_reader_ *r, uint32_t table)
{
	return table == PMUMAP_TABLE_RAW && (r->old >> PMUMAP_TABLE_RAW & 1)
		       ? PMUMAP_TABLE_RAW_2021
		       : (enum pmumap_table)table;
}

/* Add all rows of the chosen node. */
static inline void pmumap_riscv_read_tables_(const struct pmumap_reader_ *r,
					     struct pmumap_builder *b)
{
	const unsigned char *cells;
	uint32_t table, bytes;

	for (table = 0; table < PMUMAP_TABLES_; table++) {
		cells = pmumap_fdt_value_at_(r->w.blob, r->tables[table], &bytes);
		(void)pmumap_add_table(b, pmumap_riscv_form_(r, table), cells, bytes);
	}
}
