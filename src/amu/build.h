/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/api.h"
#include "amu/api.h"
#include "core/compiler.h"
#include "core/bits.h"
#include "builder/report.h"
#include "builder/rows.h"
#include "builder/entries.h"
#include "pool/pool.h"
#include "amu/tables.h"
#include "amu/entries.h"
#include "amu/lint.h"
#include "amu/labels.h"

/* Drop every CPU whose affinity an earlier one has already. */
static inline void pmumap_amu_drop_duplicates_(struct pmumap_amu_build_ *w)
{
	uint32_t i, first = 0;

	for (i = 1; i < w->cpu_count; i++) {
		struct pmumap_amu_cpu_entry_ *e = PMUMAP_ENTRY_AT_(amu_cpu, w->b, w->cpus[i]);

		if (pmumap_amu_entry_affinity_(w->b, w->cpus[i]) !=
		    pmumap_amu_entry_affinity_(w->b, w->cpus[first])) {
			first = i;
			continue;
		}
		e->kind |= PMUMAP_AMU_CPU_DROPPED_;
		e->cpu = w->cpus[first];
	}
}

/* Mark the views that CPUs use. */
static inline void pmumap_amu_resolve_views_(struct pmumap_amu_build_ *w)
{
	uint32_t i, view;

	for (i = 0; i < w->b->own.entries; i++) {
		const struct pmumap_amu_cpu_entry_ *e = PMUMAP_ENTRY_AT_(amu_cpu, w->b, i);

		if (pmumap_entry_kind_(w->b, i) != PMUMAP_AMU_CPU_ ||
		    (e->kind & PMUMAP_AMU_CPU_LEFT_OUT_))
			continue;
		view = pmumap_builder_find_entry_(w->b, w->views, w->view_count, e->view);
		if (view != PMUMAP_NO_ROW)
			PMUMAP_ENTRY_AT_(amu_view, w->b, view)->kind |= PMUMAP_AMU_VIEW_USED_;
	}
}

/* Fill in the masks of the view in entry i, and by index the entries of its counters. */
static inline void pmumap_amu_build_view_(struct pmumap_amu_build_ *w, uint32_t i,
					  struct pmumap_amu_view_row_ *v, uint32_t *counters)
{
	const struct pmumap_amu_view_entry_ *view = PMUMAP_ENTRY_AT_(amu_view, w->b, i);
	const struct pmumap_amu_counter_entry_ *e;
	uint32_t any = 0, kind;
	int kept;

	v->described = v->enable = 0;
	for (i++; i < w->b->own.entries; i++) {
		kind = pmumap_entry_kind_(w->b, i);
		if (kind == PMUMAP_AMU_VIEW_)
			break;
		if (kind != PMUMAP_AMU_COUNTER_)
			continue;
		e = PMUMAP_ENTRY_AT_(amu_counter, w->b, i);
		if (!any++ && view->cells != 1)
			pmumap_amu_report_(
				w, view->node,
				PMUMAP_FINDING_(CELLS, PMUMAP_WARNING, PMUMAP_IN_ADDRESS_CELLS_),
				view->cells);
		kept = pmumap_amu_lint_counter_(w, e, v->described);
		if (kept && (e->kind & PMUMAP_AMU_COUNTER_ENABLE_))
			v->enable |= (uint16_t)(1u << e->index);
		if (kept != PMUMAP_AMU_NEW_)
			continue;
		v->described |= (uint16_t)(1u << e->index);
		counters[e->index] = i;
	}
	if (!(view->kind & PMUMAP_AMU_VIEW_LISTED_))
		pmumap_amu_report_(w, view->node,
				   PMUMAP_FINDING_(VIEW_FOREIGN, PMUMAP_WARNING, PMUMAP_IN_NODE_),
				   0);
}

/* Whether entry i is a view that becomes part of the map. */
static inline int pmumap_amu_is_kept_view_(const struct pmumap_builder *b, uint32_t i)
{
	return pmumap_entry_kind_(b, i) == PMUMAP_AMU_VIEW_ &&
	       (PMUMAP_ENTRY_AT_(amu_view, b, i)->kind &
		(PMUMAP_AMU_VIEW_USED_ | PMUMAP_AMU_VIEW_LISTED_));
}

/* Build the views. The table of names gets, for now, the entries of their counters. */
static inline void pmumap_amu_build_views_(struct pmumap_amu_build_ *w)
{
	struct pmumap_amu_view_row_ *v;
	uint32_t counters[PMUMAP_AMU_COUNTERS_], i, n, bytes, counter, *name;

	for (i = n = 0; i < w->b->own.entries; i++)
		n += (uint32_t)pmumap_amu_is_kept_view_(w->b, i);
	bytes = n * (uint32_t)sizeof(*v);
	v = (struct pmumap_amu_view_row_ *)pmumap_append_table_(w->m, &w->a->views, bytes);
	w->a->view_count = n;
	w->a->names = w->m->head.size;
	for (i = n = 0; i < w->b->own.entries; i++) {
		if (!pmumap_amu_is_kept_view_(w->b, i))
			continue;
		pmumap_amu_build_view_(w, i, v, counters);
		PMUMAP_ENTRY_AT_(amu_view, w->b, i)->number = n++;
		v->first = w->a->name_count;
		for (counter = 0; counter < PMUMAP_AMU_COUNTERS_; counter++) {
			if (!(v->described >> counter & 1))
				continue;
			name = (uint32_t *)(void *)((char *)w->m + w->m->head.size);
			*name = counters[counter];
			w->m->head.size += (uint32_t)sizeof(*name);
			w->a->name_count++;
		}
		v++;
	}
	pmumap_pad_image_(w->m);
}

/* Replace these entries by names: the label of the counter, else the name of its node. */
static inline void pmumap_amu_build_names_(struct pmumap_amu_build_ *w)
{
	uint32_t *name = (uint32_t *)(void *)((char *)w->m + w->a->names), i;
	const struct pmumap_amu_counter_entry_ *e;
	uint64_t text;

	w->a->strings = w->m->head.size;
	pmumap_pool_begin_texts_(&w->pool);
	for (i = 0; i < w->a->name_count; i++) {
		e = PMUMAP_ENTRY_AT_(amu_counter, w->b, name[i]);
		text = e->name;
		if (e->kind & PMUMAP_AMU_COUNTER_LABELED_)
			text = PMUMAP_ENTRY_AT_(amu_text, w->b, e->label)->text;
		name[i] = pmumap_pool_keep_text_(&w->pool, (const char *)(size_t)text);
	}
	pmumap_pad_image_(w->m);
	w->a->string_bytes = w->m->head.size - w->a->strings;
}

/* Build the CPUs, sorted by affinity, and their order in the tree. */
static inline void pmumap_amu_build_cpus_(struct pmumap_amu_build_ *w)
{
	struct pmumap_amu_cpu_row_ *c;
	uint32_t i, *order, n = 0, view;
	struct pmumap_amu_cpu_entry_ *e;

	for (i = 0; i < w->b->own.entries; i++) {
		if (pmumap_entry_kind_(w->b, i) != PMUMAP_AMU_CPU_)
			continue;
		e = PMUMAP_ENTRY_AT_(amu_cpu, w->b, i);
		view = pmumap_builder_find_entry_(w->b, w->views, w->view_count, e->view);
		pmumap_amu_lint_cpu_(w, e, view);
		if (!(e->kind & PMUMAP_AMU_CPU_LEFT_OUT_))
			e->cpu = w->a->cpu_count++;
	}
	c = (struct pmumap_amu_cpu_row_ *)pmumap_append_table_(
		w->m, &w->a->cpus, w->a->cpu_count * (uint32_t)sizeof(*c));
	order = (uint32_t *)pmumap_append_table_(w->m, &w->a->by_tree,
						 w->a->cpu_count * (uint32_t)sizeof(*order));
	for (i = 0; i < w->cpu_count; i++) {
		e = PMUMAP_ENTRY_AT_(amu_cpu, w->b, w->cpus[i]);
		if (e->kind & PMUMAP_AMU_CPU_DROPPED_)
			continue;
		view = pmumap_builder_find_entry_(w->b, w->views, w->view_count, e->view);
		c[n].affinity = pmumap_amu_pack_affinity_(e->mpidr);
		c[n].view = view == PMUMAP_NO_ROW ? PMUMAP_AMU_NO_VIEW
						  : PMUMAP_ENTRY_AT_(amu_view, w->b, view)->number;
		order[e->cpu] = n++;
	}
}

/* Build the AMU part, behind what the map has already. */
static inline void pmumap_amu_finish_part_(struct pmumap_builder *b, struct pmumap *m)
{
	struct pmumap_amu_build_ w;

	w.b = b;
	w.m = m;
	w.view_count = w.name_count = w.cpu_count = w.counter_count = 0;
	w.a = (struct pmumap_amu *)pmumap_append_table_(m, &m->amu, sizeof(struct pmumap_amu));
	pmumap_zero_words_(w.a, sizeof(struct pmumap_amu));
	pmumap_pool_init_(&w.pool, m, pmumap_builder_rows_(b));
	pmumap_amu_count_entries_(&w);
	pmumap_amu_drop_duplicates_(&w);
	pmumap_amu_give_labels_(&w);
	pmumap_amu_resolve_views_(&w);
	pmumap_pool_reserve_texts_(&w.pool, w.counter_count);
	pmumap_amu_build_views_(&w);
	pmumap_amu_build_names_(&w);
	pmumap_amu_build_cpus_(&w);
}
