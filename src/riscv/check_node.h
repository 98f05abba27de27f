/* SPDX-License-Identifier: BSD-2-Clause */
/* Mistakes in the chosen node */
#pragma once

#include "core/words.h"
#include "fdt/tags.h"
#include "riscv/check_harts.h"

#define PMUMAP_NAME_LETTERS_ 48u /* longer names resemble no table's */
#define PMUMAP_NAME_EDITS_ 2u    /* differing letters that still resemble it, in one place */

/*
 * The letters of a name behind its prefix, in lower case, without '-' and '_'. All 's' are dropped
 * because people mix up plurals. Returns how many; 0 if the name is too long for any table.
 */
static inline uint32_t pmumap_riscv_name_letters_(const unsigned char *name, char *letters)
{
	uint32_t n = 0, i;
	char c;

	for (i = 0; name[i]; i++) {
		c = pmumap_fold_case_((char)name[i]);
		if (i == PMUMAP_NAME_LETTERS_)
			return 0;
		if (c == ',')
			n = 0;
		else if (c != '-' && c != 's')
			letters[n++] = c;
	}
	return n;
}

/* Whether n letters equal a text except for a few in one place. */
static inline int pmumap_riscv_is_near_text_(const char *letters, uint32_t n, const char *text)
{
	uint32_t same = 0, end = 0, len = 0, less;

	while (text[len]) {
		len++;
		PMUMAP_NO_LIBCALL_();
	}
	less = n < len ? n : len;
	while (same < less && letters[same] == text[same])
		same++;
	while (same + end < less && letters[n - 1 - end] == text[len - 1 - end])
		end++;
	return (n > len ? n : len) - same - end <= PMUMAP_NAME_EDITS_;
}

/*
 * The table with a similar name, or PMUMAP_TABLES_, in bounded time. Start with the last table:
 * with "raw" misspelt, a name also resembles that of ranges.
 */
static inline uint32_t pmumap_riscv_near_table_(const unsigned char *name)
{
	static const char texts[PMUMAP_TABLES_][22] = { "eventtomhpmevent", "eventtomhpmcounter",
							"raweventtomhpmcounter" };
	char letters[PMUMAP_NAME_LETTERS_];
	uint32_t n, table = PMUMAP_TABLES_;

	if (pmumap_fdt_match_string_(name, "riscv", 1))
		name += 5; /* the comma may be misspelt too */
	n = pmumap_riscv_name_letters_(name, letters);
	while (table-- > 0) {
		if (pmumap_riscv_is_near_text_(letters, n, texts[table]))
			return table;
	}
	return PMUMAP_TABLES_;
}

/* Check a property of the chosen node that is not a table. */
static inline void pmumap_riscv_check_property_(struct pmumap_checker_ *c,
						const unsigned char *name,
						const unsigned char *value, uint32_t bytes)
{
	uint32_t table;

	c->names[PMUMAP_IN_PROPERTY_] = (const char *)name;
	if (pmumap_fdt_match_string_(name, "status", 0)) {
		if (!pmumap_riscv_is_enabled_(value, bytes))
			pmumap_tell_(
				c, PMUMAP_FINDING_(NODE_DISABLED, PMUMAP_NOTE, PMUMAP_IN_PROPERTY_),
				PMUMAP_NO_ROW, 0);
	} else if (!pmumap_riscv_is_table_name_(name)) {
		table = pmumap_riscv_near_table_(name);
		if (table < PMUMAP_TABLES_)
			pmumap_tell_(
				c,
				PMUMAP_FINDING_(PROPERTY_UNKNOWN,
						c->r.tables[table] ? PMUMAP_WARNING : PMUMAP_ERROR,
						PMUMAP_IN_PROPERTY_),
				PMUMAP_NO_ROW, table);
	}
}

/* Check a row by itself, from its cells. */
static inline void pmumap_riscv_check_cells_(const struct pmumap_checker_ *c, uint32_t table,
					     uint32_t row, const uint32_t *cells, uint32_t count)
{
	uint64_t select, mask, value = cells[0];
	uint32_t what = 0, counters;

	if (table == PMUMAP_TABLE_SELECTORS) {
		if (cells[0] >= PMUMAP_EVENT_LIMIT)
			what = PMUMAP_FINDING_(EVENT_WIDE, PMUMAP_ERROR, PMUMAP_IN_SELECTORS_);
	} else if (table == PMUMAP_TABLE_COUNTERS) {
		if (cells[0] > cells[1])
			what = PMUMAP_FINDING_(RANGE_REVERSED, PMUMAP_ERROR, PMUMAP_IN_RANGES_);
		else if (cells[0] >= PMUMAP_EVENT_LIMIT)
			what = PMUMAP_FINDING_(EVENT_WIDE, PMUMAP_ERROR, PMUMAP_IN_RANGES_);
		else if (cells[2] == 0)
			what = PMUMAP_FINDING_(COUNTERS_EMPTY, PMUMAP_WARNING, PMUMAP_IN_RANGES_);
	} else {
		pmumap_riscv_load_raw_(cells, count, &select, &mask, &counters);
		value = select;
		if (select & ~mask)
			what = PMUMAP_FINDING_(RAW_DEAD, PMUMAP_ERROR, PMUMAP_IN_RAW_);
		else if (counters == 0)
			what = PMUMAP_FINDING_(COUNTERS_EMPTY, PMUMAP_WARNING, PMUMAP_IN_RAW_);
	}
	if (what)
		pmumap_tell_(c, what, row, value);
}

/* Check the rows of the chosen node's table. Returns how many; *left: bytes behind the last row. */
static inline uint32_t pmumap_riscv_check_table_(const struct pmumap_checker_ *c, uint32_t table,
						 uint32_t *left)
{
	const unsigned char *value = c->r.w.blob + c->r.tables[table];
	struct pmumap_riscv_rest_ rest;
	uint32_t cells[5], row;

	pmumap_riscv_begin_rows_(&rest, pmumap_riscv_form_(&c->r, table), value,
				 pmumap_load_be32_(value - 8));
	for (row = 0; pmumap_riscv_next_row_(&rest, cells); row++)
		pmumap_riscv_check_cells_(c, table, row, cells, rest.cells);
	*left = (uint32_t)rest.bytes;
	return row;
}

/* Check the chosen node's tables: first their rows, then their names and sizes. */
static inline void pmumap_riscv_check_tables_(struct pmumap_checker_ *c)
{
	uint32_t table, old, rows[PMUMAP_TABLES_], left[PMUMAP_TABLES_];

	for (table = 0; table < PMUMAP_TABLES_; table++) {
		old = c->r.old >> table & 1;
		c->names[table] = pmumap_riscv_table_name_(old ? table + PMUMAP_TABLES_ : table);
		if (c->r.tables[table])
			rows[table] = pmumap_riscv_check_table_(c, table, &left[table]);
	}
	for (table = 0; table < PMUMAP_TABLES_; table++) {
		if (!c->r.tables[table])
			continue;
		old = c->r.old >> table & 1;
		if (old)
			PMUMAP_WARN_(c, LEGACY_PREFIX, table, PMUMAP_NO_ROW, 0);
		if (old && table == PMUMAP_TABLE_RAW)
			PMUMAP_WARN_(c, LEGACY_RAW3, table, PMUMAP_NO_ROW, rows[table]);
		if (left[table])
			PMUMAP_WARN_(c, TRAILING_BYTES, table, PMUMAP_NO_ROW, left[table]);
	}
}

/* Check the chosen node after the walk. */
static inline void pmumap_riscv_check_node_(struct pmumap_checker_ *c)
{
	const struct pmumap_fdt_cursor_ *w = &c->r.w;
	const unsigned char *tag = w->blob + w->start + c->r.chosen;

	c->node = (int)c->r.chosen;
	pmumap_riscv_check_tables_(c);
	while ((tag = pmumap_fdt_next_property_(tag)) != 0)
		pmumap_riscv_check_property_(c, w->blob + w->names + pmumap_load_be32_(tag + 8),
					     tag + PMUMAP_FDT_PROPERTY_HEAD_,
					     pmumap_load_be32_(tag + 4));
}
