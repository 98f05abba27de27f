/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory for a build; the map of all entries */
#pragma once

#include "amu/labels.h"

/* Drop every CPU whose affinity an earlier one has. */
static inline void pmumap_amu_drop_duplicates_(struct pmumap_amu_build_ *w)
{
	uint32_t i, first = 0;

	for (i = 1; i < w->cpu_count; i++) {
		struct pmumap_amu_cpu_entry_ *e = PMUMAP_AMU_ENTRY_(cpu, w->b, w->cpus[i]);

		if (pmumap_amu_entry_affinity_(w->b, w->cpus[i]) !=
		    pmumap_amu_entry_affinity_(w->b, w->cpus[first])) {
			first = i;
			continue;
		}
		e->kind |= PMUMAP_AMU_CPU_DROPPED_;
		e->cpu = w->cpus[first];
	}
}

static inline void pmumap_amu_resolve_views_(struct pmumap_amu_build_ *w)
{
	uint32_t i, view;

	for (i = 0; i < w->b->entries.count; i++) {
		const struct pmumap_amu_cpu_entry_ *e = PMUMAP_AMU_ENTRY_(cpu, w->b, i);

		if (pmumap_entries_kind_(&w->b->entries, i) != PMUMAP_AMU_CPU_ ||
		    (e->kind & PMUMAP_AMU_CPU_LEFT_OUT_))
			continue;
		view = pmumap_entries_find_(&w->b->entries, w->views, w->view_count, e->view);
		if (view != PMUMAP_NO_ENTRY_)
			PMUMAP_AMU_ENTRY_(view, w->b, view)->kind |= PMUMAP_AMU_VIEW_USED_;
	}
}

/* Fill in the masks of the view in entry i, and its counters' entries by index. */
static inline void pmumap_amu_build_view_(struct pmumap_amu_build_ *w, uint32_t i,
					  struct pmumap_amu_view_row_ *v, uint32_t *counters)
{
	const struct pmumap_amu_counter_entry_ *e;
	uint32_t kind;
	int fate;

	v->described = v->enable = 0;
	for (i++; i < w->b->entries.count; i++) {
		kind = pmumap_entries_kind_(&w->b->entries, i);
		if (kind == PMUMAP_AMU_VIEW_)
			break;
		if (kind != PMUMAP_AMU_COUNTER_)
			continue;
		e = PMUMAP_AMU_ENTRY_(counter, w->b, i);
		fate = pmumap_amu_counter_fate_(e, v->described);
		if (fate && (e->kind & PMUMAP_AMU_COUNTER_ENABLE_))
			v->enable |= (uint16_t)(1u << e->index);
		if (fate != PMUMAP_AMU_NEW_)
			continue;
		v->described |= (uint16_t)(1u << e->index);
		counters[e->index] = i;
	}
}

/* Build the views. Until names exist, their table holds the entries of the counters. */
static inline void pmumap_amu_build_views_(struct pmumap_amu_build_ *w)
{
	struct pmumap_amu_view_row_ *v;
	uint32_t counters[PMUMAP_AMU_COUNTERS_], i, n, bytes, counter, *name;

	for (i = n = 0; i < w->b->entries.count; i++)
		n += (uint32_t)pmumap_amu_is_kept_view_(w->b, i);
	bytes = n * (uint32_t)sizeof(*v);
	v = (struct pmumap_amu_view_row_ *)pmumap_append_table_(w->m, &w->m->views, bytes);
	w->m->view_count = n;
	w->m->names = w->m->head.size;
	for (i = n = 0; i < w->b->entries.count; i++) {
		if (!pmumap_amu_is_kept_view_(w->b, i))
			continue;
		pmumap_amu_build_view_(w, i, v, counters);
		PMUMAP_AMU_ENTRY_(view, w->b, i)->number = n++;
		v->first = w->m->name_count;
		for (counter = 0; counter < PMUMAP_AMU_COUNTERS_; counter++) {
			if (!(v->described >> counter & 1))
				continue;
			name = (uint32_t *)(void *)((char *)w->m + w->m->head.size);
			*name = counters[counter];
			w->m->head.size += (uint32_t)sizeof(*name);
			w->m->name_count++;
		}
		v++;
	}
	pmumap_pad_image_(w->m);
}

/* Replace these entries with names: the counter's label, or the name of its node. */
static inline void pmumap_amu_build_names_(struct pmumap_amu_build_ *w)
{
	uint32_t *name = (uint32_t *)(void *)((char *)w->m + w->m->names), i;
	const struct pmumap_amu_counter_entry_ *e;
	uint64_t text;

	w->m->strings = w->m->head.size;
	pmumap_pool_begin_texts_(&w->pool);
	for (i = 0; i < w->m->name_count; i++) {
		e = PMUMAP_AMU_ENTRY_(counter, w->b, name[i]);
		text = e->name;
		if (e->kind & PMUMAP_AMU_COUNTER_LABELED_)
			text = PMUMAP_AMU_ENTRY_(text, w->b, e->label)->text;
		name[i] = pmumap_pool_keep_text_(&w->pool, (const char *)(size_t)text);
	}
	pmumap_pad_image_(w->m);
	w->m->string_bytes = w->m->head.size - w->m->strings;
}

/* Build the CPUs, sorted by affinity, and their order in the tree. */
static inline void pmumap_amu_build_cpus_(struct pmumap_amu_build_ *w)
{
	struct pmumap_amu_cpu_row_ *c;
	uint32_t i, *order, n = 0, view;
	struct pmumap_amu_cpu_entry_ *e;

	for (i = 0; i < w->b->entries.count; i++) {
		if (pmumap_entries_kind_(&w->b->entries, i) != PMUMAP_AMU_CPU_)
			continue;
		e = PMUMAP_AMU_ENTRY_(cpu, w->b, i);
		if (!(e->kind & PMUMAP_AMU_CPU_LEFT_OUT_))
			e->cpu = w->m->cpu_count++;
	}
	c = (struct pmumap_amu_cpu_row_ *)pmumap_append_table_(
		w->m, &w->m->cpus, w->m->cpu_count * (uint32_t)sizeof(*c));
	order = (uint32_t *)pmumap_append_table_(w->m, &w->m->by_tree,
						 w->m->cpu_count * (uint32_t)sizeof(*order));
	for (i = 0; i < w->cpu_count; i++) {
		e = PMUMAP_AMU_ENTRY_(cpu, w->b, w->cpus[i]);
		if (e->kind & PMUMAP_AMU_CPU_DROPPED_)
			continue;
		view = pmumap_entries_find_(&w->b->entries, w->views, w->view_count, e->view);
		c[n].affinity = pmumap_amu_pack_affinity_(e->mpidr);
		c[n].view = view == PMUMAP_NO_ENTRY_ ? PMUMAP_AMU_NO_VIEW
						     : PMUMAP_AMU_ENTRY_(view, w->b, view)->number;
		order[e->cpu] = n++;
	}
}

/* Begin with the head of an empty map. The magic number comes last. */
static inline struct pmumap_amu *pmumap_amu_begin_image_(const struct pmumap_amu_builder *b)
{
	struct pmumap_amu *m = (struct pmumap_amu *)(void *)b->entries.mem;

	pmumap_zero_words_(m, sizeof(*m));
	m->head.version = PMUMAP_IMAGE_VERSION;
	m->head.size = (uint32_t)sizeof(*m);
	return m;
}

static inline void pmumap_amu_build_(struct pmumap_amu_builder *b, struct pmumap_amu *m)
{
	struct pmumap_amu_build_ w;

	w.b = b;
	w.m = m;
	w.view_count = w.name_count = w.cpu_count = w.counter_count = 0;
	pmumap_pool_init_(&w.pool, m, pmumap_entries_end_(&b->entries));
	pmumap_amu_count_entries_(&w);
	pmumap_amu_drop_duplicates_(&w);
	pmumap_amu_give_labels_(&w);
	pmumap_amu_resolve_views_(&w);
	pmumap_pool_reserve_texts_(&w.pool, w.counter_count);
	pmumap_amu_build_views_(&w);
	pmumap_amu_build_names_(&w);
	pmumap_amu_build_cpus_(&w);
}

/* Bytes of block that a build takes at most. */
static inline uint64_t pmumap_amu_map_need_(const struct pmumap_amu_builder *b)
{
	return sizeof(struct pmumap_amu) + 128 /* tables are rounded up */ + b->entries.need;
}

PMUMAP_DEF PMUMAP_COLD_ size_t pmumap_amu_need(const struct pmumap_amu_builder *b)
{
	uint64_t need = pmumap_amu_map_need_(b);

	return need > PMUMAP_MAX_BYTES_ ? PMUMAP_MAX_BYTES_ : (size_t)need;
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_amu_finish(struct pmumap_amu_builder *b,
							     const struct pmumap_amu **map)
{
	struct pmumap_amu *m;

	if (map)
		*map = 0;
	if (b->entries.mem && !map)
		return PMUMAP_E_ARG;
	if (!pmumap_entries_fit_(&b->entries, pmumap_amu_map_need_(b)))
		return b->entries.status;
	m = pmumap_amu_begin_image_(b);
	pmumap_amu_build_(b, m);
	m->head.magic = PMUMAP_AMU_MAGIC;
	*map = m;
	pmumap_entries_close_(&b->entries);
	return PMUMAP_OK;
}
