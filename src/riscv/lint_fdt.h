/* SPDX-License-Identifier: BSD-2-Clause */
/* What is probably unintended in the node in use */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/map_api.h"
#include "builder/api.h"
#include "core/bits.h"
#include "core/compiler.h"
#include "core/text.h"
#include "builder/report.h"
#include "fdt/blob.h"
#include "riscv/fdt.h"

#define PMUMAP_NAME_LETTERS_ 48u /* no name is longer that is near that of a table */
#define PMUMAP_NAME_EDITS_ 2u    /* so many letters in a row may differ */

/*
 * The letters of a name behind its prefix, in lower case: without '-' and '_', and without any 's',
 * as plurals are mixed up. Returns how many; 0: the name is too long for any table.
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

/* Whether n letters are those of a text, but for a few in one place. */
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
 * The table whose name is near this one; PMUMAP_TABLES_: none. Its cost is bounded. The last one
 * comes first: with "raw" misspelt, a name is near to that of ranges as well.
 */
static inline uint32_t pmumap_riscv_near_table_(const unsigned char *name)
{
	static const char texts[PMUMAP_TABLES_][22] = { "eventtomhpmevent", "eventtomhpmcounter",
							"raweventtomhpmcounter" };
	char letters[PMUMAP_NAME_LETTERS_];
	uint32_t n, table = PMUMAP_TABLES_;

	if (pmumap_fdt_match_string_(name, "riscv", 1))
		name += 5; /* whatever stands for the comma */
	n = pmumap_riscv_name_letters_(name, letters);
	while (table-- > 0) {
		if (pmumap_riscv_is_near_text_(letters, n, texts[table]))
			return table;
	}
	return PMUMAP_TABLES_;
}

/* Report a finding about a property of the node in use that is no table. */
static inline void pmumap_riscv_report_property_(struct pmumap_builder *b, uint32_t what,
						 const unsigned char *name, uint64_t value)
{
	const char *before = b->own.properties[0];

	b->own.properties[0] = (const char *)name; /* what place 0 is called, meanwhile */
	pmumap_report_row_(b, what, PMUMAP_NO_ROW, value);
	b->own.properties[0] = before;
}

/* Check a property of the node in use, as far as it is no table. */
static inline void pmumap_riscv_lint_property_(struct pmumap_builder *b, const unsigned char *name,
					       const unsigned char *value, uint32_t bytes)
{
	uint32_t table;

	if (pmumap_fdt_match_string_(name, "status", 0)) {
		if (!pmumap_fdt_match_list_(value, bytes, "okay", 0) &&
		    !pmumap_fdt_match_list_(value, bytes, "ok", 0))
			pmumap_riscv_report_property_(
				b, PMUMAP_FINDING_(NODE_DISABLED, PMUMAP_NOTE, 0), name, 0);
	} else if (!pmumap_riscv_is_table_name_(name)) {
		table = pmumap_riscv_near_table_(name);
		if (table < PMUMAP_TABLES_)
			pmumap_riscv_report_property_(
				b, PMUMAP_FINDING_(PROPERTY_UNKNOWN, PMUMAP_WARNING, 0), name,
				table);
	}
}

/* Check how the tables in use are written, but for their rows. */
static inline void pmumap_riscv_lint_tables_(struct pmumap_builder *b)
{
	uint32_t table, bytes, row;

	for (table = 0; table < PMUMAP_TABLES_; table++) {
		if (!b->own.rows[table])
			continue;
		bytes = pmumap_load_be32_(b->own.rows[table] - 8);
		row = 4 * pmumap_riscv_row_cells_(b, table);
		if (pmumap_riscv_is_old_table_(b, table))
			pmumap_report_row_(b, PMUMAP_FINDING_(LEGACY_PREFIX, PMUMAP_WARNING, table),
					   PMUMAP_NO_ROW, 0);
		if (pmumap_riscv_is_old_table_(b, table) && table == PMUMAP_RAW_)
			pmumap_report_row_(b, PMUMAP_FINDING_(LEGACY_RAW3, PMUMAP_WARNING, table),
					   PMUMAP_NO_ROW, bytes / row);
		if (bytes % row)
			pmumap_report_row_(b,
					   PMUMAP_FINDING_(TRAILING_BYTES, PMUMAP_WARNING, table),
					   PMUMAP_NO_ROW, bytes % row);
	}
}

/* Check the node in use of a blob that has been walked. Only for those who listen. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ void pmumap_riscv_lint_node_(struct pmumap_builder *b,
							  const unsigned char *blob)
{
	const unsigned char *names = blob + pmumap_load_be32_(blob + 4 * PMUMAP_FDT_NAMES_);
	const unsigned char *tag =
		blob + pmumap_load_be32_(blob + 4 * PMUMAP_FDT_TAGS_) + (uint32_t)b->own.node;

	pmumap_riscv_lint_tables_(b);
	while ((tag = pmumap_fdt_next_property_(tag)) != 0)
		pmumap_riscv_lint_property_(b, names + pmumap_load_be32_(tag + 8),
					    tag + PMUMAP_FDT_PROPERTY_HEAD_,
					    pmumap_load_be32_(tag + 4));
}
