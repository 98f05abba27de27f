/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/api.h"
#include "core/bits.h"
#include "builder/report.h"
#include "builder/rows.h"
#include "builder/sort.h"
#include "riscv/tables.h"
#include "riscv/build_events.h"
#include "riscv/build_raw.h"
#include "riscv/lint.h"
#include "imc/entries.h"
#include "imc/lint.h"

/*
 * A row makes two records at most, where its counters begin and where they end, and at most 128 are
 * indexed. The raw index is smaller than the bit vectors that are there instead of it; up to
 * PMUMAP_RAW_CHAIN_ rows there is always an index, of at most 16 places for each row and one more.
 * Before there is a map, sorting takes as much again as the rows.
 */
static inline uint64_t pmumap_map_need_(const struct pmumap_builder *b)
{
	uint64_t n = b->raw_staged, indexed = 2 * ((uint64_t)b->staged - n);
	uint64_t records = (indexed < 128 ? indexed : 128) + b->sorted_bound + 1;
	uint64_t rows = ((uint64_t)b->staged + PMUMAP_ENTRIES_(b)) * sizeof(struct pmumap_row_);
	uint64_t bytes = sizeof(struct pmumap) + PMUMAP_SWEEP_BYTES_;

	if (n)
		bytes += (n + 1) * sizeof(struct pmumap_raw_row) +
			 (n > PMUMAP_RAW_CHAIN_
				  ? (n / 64 + 1) * PMUMAP_RAW_VECTOR_WORDS_ * sizeof(uint64_t)
				  : (n + 1) * 16 * sizeof(uint16_t));
	bytes += records * sizeof(struct pmumap_record) + b->staged * sizeof(struct pmumap_row_) +
		 (PMUMAP_HAS_ENTRIES_ ? b->extra : 0);
	return bytes < 2 * rows ? 2 * rows : bytes;
}

/* What the name index of IMC takes besides, for 4 names of each entry. */
static inline uint64_t pmumap_map_need_index_(const struct pmumap_builder *b)
{
	uint64_t bytes = pmumap_imc_index_bytes_(4 * (uint64_t)b->imc.entries);
	uint64_t rows = ((uint64_t)b->staged + b->later) * sizeof(struct pmumap_row_);

	if (b->imc.entries == 0 || (b->flags & PMUMAP_NO_INDEX) || bytes < rows)
		return 0;
	return bytes - rows; /* it is built where the rows were */
}

PMUMAP_DEF size_t pmumap_need(const struct pmumap_builder *b)
{
	uint64_t need = pmumap_map_need_(b);

	if (PMUMAP_BINDINGS & PMUMAP_IMC)
		need += pmumap_map_need_index_(b);
	return need > PMUMAP_MAX_BYTES_ ? PMUMAP_MAX_BYTES_ : (size_t)need;
}

/* The head of a map of nothing; the magic number comes last of all. */
static inline struct pmumap *pmumap_map_begin_image_(const struct pmumap_builder *b)
{
	struct pmumap *m = (struct pmumap *)(void *)b->mem;

	pmumap_zero_words_(m, sizeof(*m));
	m->version = PMUMAP_IMAGE_VERSION;
	m->flags = b->map_flags;
	return m;
}

PMUMAP_DEF enum pmumap_status pmumap_finish(struct pmumap_builder *b, const struct pmumap **map)
{
	uint64_t need = pmumap_map_need_(b);
	uint32_t events = b->staged - b->raw_staged;
	struct pmumap_row_ *r;
	struct pmumap *m;

	if (map)
		*map = 0;
	if (b->status == PMUMAP_E_ARG || (b->mem && !map))
		return PMUMAP_E_ARG;
	if (need > PMUMAP_MAX_BYTES_)
		return b->status = PMUMAP_E_LIMIT;
	if (!b->mem)
		return PMUMAP_OK;
	if (b->bytes < need) {
		pmumap_found_(
			b, PMUMAP_WHAT_(NO_SPACE, PMUMAP_ERROR, PMUMAP_NO_TABLE_), PMUMAP_NO_ROW,
			PMUMAP_NO_ROW,
			need + (PMUMAP_BINDINGS & PMUMAP_IMC ? pmumap_map_need_index_(b) : 0));
		return b->status = PMUMAP_E_NOSPACE;
	}
	r = pmumap_builder_rows_(b);
	pmumap_merge_sort_(r, PMUMAP_HAS_ENTRIES_ && b->mixed ? b->staged + b->later : b->staged,
			   (struct pmumap_row_ *)(void *)b->mem);
	m = pmumap_map_begin_image_(b);
	pmumap_riscv_build_events_(b, m, r, events);
	m->size = (uint32_t)sizeof(*m) + (m->records - 1) * (uint32_t)sizeof(m->record[0]);
	if (b->lint)
		b->lint(b, m, r);
	if (b->raw_staged)
		pmumap_riscv_build_raw_(m, r + events, b->raw_staged);
	if ((PMUMAP_BINDINGS & PMUMAP_AMU) && b->amu_finish)
		b->amu_finish(b, m);
	if ((PMUMAP_BINDINGS & PMUMAP_IMC) &&
	    b->imc.finish) /* the last: it also takes the place of the rows */
		b->imc.finish(b, m);
	if (b->errors && (b->flags & PMUMAP_STRICT))
		return b->status = PMUMAP_E_STRICT;
	m->magic = PMUMAP_MAGIC;
	*map = m;
	return PMUMAP_OK;
}

PMUMAP_DEF void pmumap_listen(struct pmumap_builder *b, pmumap_report_fn *report, void *arg)
{
	b->report = report;
	b->arg = arg;
	b->lint = report ? pmumap_riscv_lint_rows_ : 0;
	if (PMUMAP_BINDINGS & PMUMAP_IMC)
		b->imc.lint = report ? pmumap_imc_lint_all_ : 0;
	b->names[PMUMAP_SELECTORS_] = "riscv," PMUMAP_SELECTORS_NAME_;
	b->names[PMUMAP_RANGES_] = "riscv," PMUMAP_RANGES_NAME_;
	b->names[PMUMAP_RAW_] = "riscv," PMUMAP_RAW_NAME_;
}
