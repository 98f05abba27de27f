/* SPDX-License-Identifier: BSD-2-Clause */
/* All of a tree into one map */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/map_api.h"
#include "builder/api.h"
#include "core/bits.h"
#include "builder/report.h"
#include "builder/rows.h"
#include "map/finish.h"
#include "fdt/api.h"
#include "fdt/blob.h"
#include "fdt/walk.h"
#include "fdt/property.h"
#include "fdt/properties.h"
#include "riscv/fdt.h"
#include "riscv/lint_fdt.h"
#include "imc/fdt.h"

/* Reads all bindings in one walk. w comes first: its callback gets the reader from its address. */
struct pmumap_map_reader_ {
	struct pmumap_fdt_walk_ w;
	uint32_t found[PMUMAP_FDT_PROPERTIES_];
#if PMUMAP_BINDINGS & PMUMAP_RISCV
	int chosen; /* offset of the riscv,pmu node in use, or PMUMAP_NO_NODE */
#endif
	struct pmumap_builder *b;
#if PMUMAP_BINDINGS & PMUMAP_IMC
	struct pmumap_imc_reader_ imc;
#endif
};

/* Read the node at hand, whose properties are complete. */
static inline void pmumap_map_read_node_(struct pmumap_fdt_walk_ *w)
{
	struct pmumap_map_reader_ *r = (struct pmumap_map_reader_ *)(void *)w;

	r->b->own.node = (int)w->offset;
#if PMUMAP_BINDINGS & PMUMAP_RISCV
	pmumap_riscv_choose_node_(&r->chosen, w, r->b);
#endif
#if PMUMAP_BINDINGS & PMUMAP_IMC
	pmumap_imc_read_node_(&r->imc, w, r->b);
#endif
}

/*
 * Settle which bindings the tree describes, and drop what belongs to none of them: chips without a
 * catalog. Returns bits of PMUMAP_BINDINGS.
 */
static inline uint32_t pmumap_map_settle_bindings_(const struct pmumap_map_reader_ *r)
{
	uint32_t found = 0;

#if PMUMAP_BINDINGS & PMUMAP_RISCV
	if (r->chosen != PMUMAP_NO_NODE)
		found |= PMUMAP_RISCV;
#endif
#if PMUMAP_BINDINGS & PMUMAP_IMC
	if (r->imc.roots)
		found |= PMUMAP_IMC;
#endif
	if (PMUMAP_HAS_ENTRIES_ && !(found & ~(uint32_t)PMUMAP_RISCV)) {
		r->b->own.entries = r->b->own.interleaved = 0;
		r->b->own.entry_bytes = 0;
	}
	return found;
}

/* Validate the blob, add its entries, and note where the tables of the riscv,pmu node are. */
static inline enum pmumap_status pmumap_map_walk_tree_(struct pmumap_builder *b, const void *fdt,
						       size_t fdt_size,
						       const struct pmumap_fdt_options *opt)
{
	static const unsigned char lengths[] = { PMUMAP_FDT_PROPERTY_LIST_(PMUMAP_FDT_BYTES_) };
	struct pmumap_map_reader_ r;
	enum pmumap_status status;

	pmumap_zero_words_(&r, sizeof(r));
	r.w.blob = (const unsigned char *)fdt;
	r.w.wanted = opt ? (uint32_t)opt->node : 0;
	r.w.read_node = pmumap_map_read_node_;
	pmumap_fdt_want_(&r.w, pmumap_fdt_texts_(), lengths, PMUMAP_FDT_PROPERTIES_, r.found);
	r.b = b;
#if PMUMAP_BINDINGS & PMUMAP_RISCV
	r.chosen = PMUMAP_NO_NODE;
#endif
#if PMUMAP_BINDINGS & PMUMAP_IMC
	r.imc.opt = opt;
#endif
	status = pmumap_fdt_walk_blob_(&r.w, fdt_size);
	if (status == PMUMAP_OK && !pmumap_map_settle_bindings_(&r))
		status = r.w.wanted ? PMUMAP_E_NODE : PMUMAP_E_NOTFOUND;
#if PMUMAP_BINDINGS & PMUMAP_RISCV
	b->own.node = r.chosen;
#else
	b->own.node = PMUMAP_NO_NODE;
#endif
	return status;
}

/* What measure and build share: all but pmumap_finish(). */
static inline enum pmumap_status pmumap_map_read_tree_(struct pmumap_builder *b, const void *fdt,
						       size_t fdt_size,
						       const struct pmumap_fdt_options *opt)
{
	enum pmumap_status status = pmumap_map_walk_tree_(b, fdt, fdt_size, opt);
#if PMUMAP_BINDINGS & PMUMAP_RISCV
	uint32_t table;

	for (table = 0; table < PMUMAP_TABLES_ && status == PMUMAP_OK; table++) {
		if (b->own.rows[table])
			pmumap_riscv_read_table_(b, table);
	}
#endif
	return status;
}

PMUMAP_DEF enum pmumap_status pmumap_fdt_measure(const void *fdt, size_t fdt_size,
						 const struct pmumap_fdt_options *opt,
						 size_t *bytes)
{
	struct pmumap_builder b;
	enum pmumap_status status;

	if (!fdt || !bytes)
		return PMUMAP_E_ARG;
	pmumap_begin(&b, 0, 0);
	b.flags = opt ? opt->flags : 0;
	status = pmumap_map_read_tree_(&b, fdt, fdt_size, opt);
	*bytes = status == PMUMAP_OK ? pmumap_need(&b) : 0;
	return status == PMUMAP_OK ? pmumap_finish(&b, 0) : status;
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_fdt_build(const void *fdt, size_t fdt_size,
							    const struct pmumap_fdt_options *opt,
							    void *mem, size_t bytes,
							    const struct pmumap **map)
{
	struct pmumap_builder b;
	enum pmumap_status status;

	if (!map)
		return PMUMAP_E_ARG;
	*map = 0;
	if (!fdt || !mem ||
	    pmumap_is_overlap_(fdt, pmumap_fdt_blob_bytes_(fdt, fdt_size), mem, bytes))
		return PMUMAP_E_ARG;
	pmumap_begin(&b, mem, bytes);
	if (opt) {
		b.flags = opt->flags;
		pmumap_listen(&b, opt->report, opt->arg);
	}
	status = pmumap_map_read_tree_(&b, fdt, fdt_size, opt);
#if PMUMAP_BINDINGS & PMUMAP_RISCV
	if (status == PMUMAP_OK && opt && opt->report && b.own.node != PMUMAP_NO_NODE)
		pmumap_riscv_lint_node_(&b, (const unsigned char *)fdt);
#endif
	return status == PMUMAP_OK ? pmumap_finish(&b, map) : status;
}
