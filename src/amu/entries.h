/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "builder/api.h"
#include "core/text.h"
#include "builder/entries.h"
#include "builder/sort.h"
#include "builder/pool.h"
#include "amu/tables.h"

/* Kinds of rows, as of IMC. */
enum {
	PMUMAP_AMU_VIEW_ = 16 << 24,      /* id; cells, later the view's number; node */
	PMUMAP_AMU_VIEW_NAME_ = 17 << 24, /* name of the node, of the view before it */
	PMUMAP_AMU_COUNTER_ = 18 << 24,   /* name; index; node. Of the view before it */
	PMUMAP_AMU_CPU_ = 19 << 24,       /* MPIDR; id of the view; node */
	PMUMAP_AMU_LABEL_ = 20 << 24,     /* label, behind it: */
	PMUMAP_AMU_PATH_ = 21 << 24,      /* "/cpus/amus/amu-0/counter@1" */

	PMUMAP_AMU_USED_ = 1,   /* of a view: by a CPU */
	PMUMAP_AMU_LISTED_ = 2, /* of a view: it lies in /cpus/amus, or comes from a builder */

	PMUMAP_AMU_ENABLE_ = 1, /* of a counter */
	PMUMAP_AMU_ENABLE_VALUE_ = 2,
	PMUMAP_AMU_MISMATCH_ = 4, /* its unit address is not its index */
	PMUMAP_AMU_NO_REG_ = 8,
	PMUMAP_AMU_BAD_NAME_ = 16,
	PMUMAP_AMU_LABELED_ = 32,

	PMUMAP_AMU_HAS_VIEW_ = 1, /* of a CPU: there is a property */
	PMUMAP_AMU_DISABLED_ = 2,
	PMUMAP_AMU_ODD_NAME_ = 4,
	PMUMAP_AMU_BAD_REG_ = 8,
	PMUMAP_AMU_DROPPED_ = 16,
	PMUMAP_AMU_CELLS_ = 8 /* of a CPU: cells of its property, from this bit on */
};

/* What pmumap_amu_finish_part_() works on; as struct pmumap_imc_build_. */
struct pmumap_amu_build_ {
	struct pmumap_builder *b;
	struct pmumap *m;
	struct pmumap_amu *a;
	struct pmumap_pool_ pool;
	uint32_t *views; /* numbers of their rows, by id */
	uint32_t *names; /* of those in /cpus/amus, by name */
	uint32_t *cpus;  /* numbers of their rows, by affinity */
	uint32_t view_rows, name_rows, cpu_rows;
};

/* The name of a view in /cpus/amus. */
static inline const char *pmumap_amu_entry_view_name_(const struct pmumap_builder *b, uint32_t i)
{
	return (const char *)(size_t)pmumap_builder_entry_(b, i + 1)->value;
}

static inline int pmumap_amu_view_name_before_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_builder *builder = (const struct pmumap_builder *)context;
	const char *s = pmumap_amu_entry_view_name_(builder, a),
		   *t = pmumap_amu_entry_view_name_(builder, b);

	return pmumap_text_before_(s, t) || (!pmumap_text_before_(t, s) && a < b);
}

static inline int pmumap_amu_cpu_affinity_before_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_builder *builder = (const struct pmumap_builder *)context;
	uint32_t x = pmumap_amu_pack_affinity_(pmumap_builder_entry_(builder, a)->value);
	uint32_t y = pmumap_amu_pack_affinity_(pmumap_builder_entry_(builder, b)->value);

	return x != y ? x < y : a < b;
}

static inline void pmumap_amu_count_entries_(struct pmumap_amu_build_ *w)
{
	uint32_t i, kind, texts = 0;

	for (i = 0; i < w->b->later; i++) {
		kind = pmumap_entry_kind_(pmumap_builder_entry_(w->b, i));
		w->view_rows += kind == PMUMAP_AMU_VIEW_;
		w->cpu_rows += kind == PMUMAP_AMU_CPU_;
		texts += kind == PMUMAP_AMU_COUNTER_;
	}
	w->views = pmumap_pool_scratch_(&w->pool, w->view_rows);
	w->names = pmumap_pool_scratch_(&w->pool, w->view_rows);
	w->cpus = pmumap_pool_scratch_(&w->pool, w->cpu_rows);
	w->view_rows = w->cpu_rows = 0;
	for (i = 0; i < w->b->later; i++) {
		kind = pmumap_entry_kind_(pmumap_builder_entry_(w->b, i));
		if (kind == PMUMAP_AMU_VIEW_)
			w->views[w->view_rows++] = i;
		if (kind == PMUMAP_AMU_VIEW_NAME_)
			w->names[w->name_rows++] = i - 1;
		if (kind == PMUMAP_AMU_CPU_ &&
		    !(pmumap_builder_entry_(w->b, i)->row & PMUMAP_AMU_BAD_REG_))
			w->cpus[w->cpu_rows++] = i;
	}
	pmumap_heap_sort_(w->views, w->view_rows, pmumap_entry_id_before_, w->b);
	pmumap_heap_sort_(w->names, w->name_rows, pmumap_amu_view_name_before_, w->b);
	pmumap_heap_sort_(w->cpus, w->cpu_rows, pmumap_amu_cpu_affinity_before_, w->b);
	pmumap_pool_reserve_texts_(&w->pool, texts);
}
