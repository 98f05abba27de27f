/* SPDX-License-Identifier: BSD-2-Clause */
/* How much a map needs, and the map itself */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/map_api.h"
#include "builder/api.h"
#include "core/bits.h"
#include "builder/report.h"
#include "builder/rows.h"
#include "builder/sort.h"
#include "riscv/build.h"
#include "riscv/lint.h"
#include "imc/lint.h"
#include "imc/build.h"

/*
 * Bytes of the block that a map of the rows and entries takes at most, while it is built. Sorting,
 * before that, needs room for the rows twice.
 */
static inline uint64_t pmumap_map_need_(const struct pmumap_builder *b)
{
	uint64_t rows = ((uint64_t)b->own.kept + PMUMAP_ENTRIES_(b)) * sizeof(struct pmumap_row_);
	uint64_t bytes = sizeof(struct pmumap);

#if PMUMAP_HAS_ENTRIES_
	bytes += b->own.entry_bytes;
#endif
#if PMUMAP_BINDINGS & PMUMAP_RISCV
	bytes += pmumap_riscv_need_(b);
#endif
	return bytes < 2 * rows ? 2 * rows : bytes;
}

/* More bytes, for what a map can do without: the index and the orders of IMC. */
static inline uint64_t pmumap_map_need_indexes_(const struct pmumap_builder *b)
{
#if PMUMAP_BINDINGS & PMUMAP_IMC
	return pmumap_imc_need_indexes_(b);
#else
	(void)b;
	return 0;
#endif
}

PMUMAP_DEF PMUMAP_COLD_ size_t pmumap_need(const struct pmumap_builder *b)
{
	uint64_t need = pmumap_map_need_(b) + pmumap_map_need_indexes_(b);

	return need > PMUMAP_MAX_BYTES_ ? PMUMAP_MAX_BYTES_ : (size_t)need;
}

/* Begin with the head of an empty map. The magic number comes last of all, in pmumap_finish(). */
static inline struct pmumap *pmumap_map_begin_image_(const struct pmumap_builder *b)
{
	struct pmumap *m = (struct pmumap *)(void *)b->own.mem;

	pmumap_zero_words_(m, sizeof(*m));
	m->head.version = PMUMAP_IMAGE_VERSION;
	m->head.flags = b->own.map_flags;
	m->head.size = (uint32_t)sizeof(*m);
#if !(PMUMAP_BINDINGS & PMUMAP_RISCV)
	m->records = m->sorted_count = 1; /* none but record[0] */
#endif
	return m;
}

/* Build all parts. IMC's has to be the last: it also uses the place of the entries. */
static inline struct pmumap *pmumap_map_build_(struct pmumap_builder *b)
{
	struct pmumap *m;

#if PMUMAP_BINDINGS & PMUMAP_RISCV
	pmumap_builder_sort_rows_(b);
#endif
	m = pmumap_map_begin_image_(b);
#if PMUMAP_BINDINGS & PMUMAP_RISCV
	pmumap_riscv_finish_part_(b, m);
#endif
#if PMUMAP_BINDINGS & PMUMAP_IMC
	if (b->own.imc.finish)
		b->own.imc.finish(b, m);
#endif
	return m;
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_finish(struct pmumap_builder *b,
							 const struct pmumap **map)
{
	uint64_t need = pmumap_map_need_(b);
	struct pmumap *m;

	if (map)
		*map = 0;
	if (b->own.status == PMUMAP_E_ARG || (b->own.mem && !map))
		return PMUMAP_E_ARG;
	if (need > PMUMAP_MAX_BYTES_)
		return b->own.status = PMUMAP_E_LIMIT;
	if (!b->own.mem)
		return PMUMAP_OK;
	if (b->own.bytes < need) {
		pmumap_report_(b, PMUMAP_FINDING_(NO_SPACE, PMUMAP_ERROR, PMUMAP_IN_NODE_),
			       PMUMAP_NO_ROW, PMUMAP_NO_ROW, need + pmumap_map_need_indexes_(b));
		return b->own.status = PMUMAP_E_NOSPACE;
	}
	m = pmumap_map_build_(b);
	if (b->own.errors && (b->flags & PMUMAP_STRICT))
		return b->own.status = PMUMAP_E_STRICT;
	m->head.magic = PMUMAP_MAGIC;
	*map = m;
	b->own.status = PMUMAP_E_ARG; /* used up: the map is read from now on, */
	b->own.room = 0;              /* and the rest of the block is the caller's */
	return PMUMAP_OK;
}

PMUMAP_DEF PMUMAP_COLD_ void pmumap_listen(struct pmumap_builder *b, pmumap_report_fn *report,
					   void *arg)
{
	b->own.report = report;
	b->own.arg = arg;
	b->own.tell = report ? pmumap_tell_finding_ : 0;
#if PMUMAP_BINDINGS & PMUMAP_RISCV
	b->own.lint_rows = report ? pmumap_riscv_lint_rows_ : 0;
	b->own.properties[PMUMAP_SELECTORS_] = "riscv," PMUMAP_SELECTORS_NAME_;
	b->own.properties[PMUMAP_RANGES_] = "riscv," PMUMAP_RANGES_NAME_;
	b->own.properties[PMUMAP_RAW_] = "riscv," PMUMAP_RAW_NAME_;
#endif
#if PMUMAP_BINDINGS & PMUMAP_IMC
	b->own.imc.lint_list = report ? pmumap_imc_lint_list_ : 0;
	b->own.imc.lint_units = report ? pmumap_imc_lint_units_ : 0;
#endif
}
