/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/api.h"
#include "amu/api.h"
#include "core/compiler.h"
#include "core/bits.h"
#include "core/text.h"
#include "builder/report.h"
#include "builder/rows.h"
#include "builder/entries.h"
#include "builder/pool.h"
#include "amu/tables.h"
#include "amu/entries.h"
#include "amu/lint.h"

#define PMUMAP_AMU_SEARCHED_ 64u /* rows that a label is looked for in */

/*
 * Give a counter the label of a row, unless it has one: above its node stands the row's number
 * then. A path means the first node of its name, so that a label, whose room is held once, is used
 * once.
 */
static inline void pmumap_amu_give_label_(struct pmumap_amu_build_ *w, uint32_t label)
{
	const struct pmumap_row_ *path = pmumap_builder_entry_(w->b, label + 1);
	const unsigned char *view =
		(const unsigned char *)(size_t)path->value + sizeof("/cpus/amus/") - 1;
	uint32_t low = 0, n = w->name_rows, i, searched;
	size_t bytes = 0, rest = 0;

	while (view[bytes] && view[bytes] != '/')
		bytes++;
	if (!view[bytes])
		return;
	while (view[bytes + 1 + rest]) {
		rest++;
		PMUMAP_NO_LIBCALL_();
	}
	while (n) {
		uint32_t half = n / 2;

		if (pmumap_compare_text_(pmumap_amu_entry_view_name_(w->b, w->names[low + half]),
					 view, bytes) < 0) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	if (low == w->name_rows ||
	    pmumap_compare_text_(pmumap_amu_entry_view_name_(w->b, w->names[low]), view, bytes))
		return;
	i = w->names[low] + 1;
	for (searched = 0; i < w->b->later && searched < PMUMAP_AMU_SEARCHED_; i++, searched++) {
		struct pmumap_row_ *r = pmumap_builder_entry_(w->b, i);

		if (pmumap_entry_kind_(r) == PMUMAP_AMU_VIEW_)
			return;
		if (pmumap_entry_kind_(r) != PMUMAP_AMU_COUNTER_ ||
		    pmumap_compare_text_((const char *)(size_t)r->value, view + bytes + 1, rest))
			continue;
		if (!(r->row & PMUMAP_AMU_LABELED_))
			r->key = (uint64_t)label << 32 | pmumap_entry_y_(r);
		r->row |= PMUMAP_AMU_LABELED_;
		return;
	}
}

/* Give labels, drop CPUs that are there twice, and find out which views the others use. */
static inline void pmumap_amu_resolve_views_(struct pmumap_amu_build_ *w)
{
	uint32_t i, view, first = 0;

	for (i = 1; i < w->cpu_rows; i++) {
		struct pmumap_row_ *r = pmumap_builder_entry_(w->b, w->cpus[i]);

		if (pmumap_amu_pack_affinity_(r->value) !=
		    pmumap_amu_pack_affinity_(pmumap_builder_entry_(w->b, w->cpus[first])->value)) {
			first = i;
			continue;
		}
		r->row |= PMUMAP_AMU_DROPPED_;
		r->counters = w->cpus[first];
	}
	for (i = 0; i < w->b->later; i++) {
		struct pmumap_row_ *r = pmumap_builder_entry_(w->b, i);

		if (pmumap_entry_kind_(r) == PMUMAP_AMU_LABEL_)
			pmumap_amu_give_label_(w, i);
		if (pmumap_entry_kind_(r) != PMUMAP_AMU_CPU_ ||
		    (r->row & (PMUMAP_AMU_DROPPED_ | PMUMAP_AMU_BAD_REG_)))
			continue;
		view = pmumap_builder_find_entry_(w->b, w->views, w->view_rows, r->counters);
		if (view != PMUMAP_NO_ROW)
			pmumap_builder_entry_(w->b, view)->row |= PMUMAP_AMU_USED_;
	}
}

/* The masks of a view whose row has number i; its counters' rows by index. */
static inline void pmumap_amu_build_view_(struct pmumap_amu_build_ *w, uint32_t i,
					  struct pmumap_amu_view_row_ *v, uint32_t *rows)
{
	const struct pmumap_row_ *view = pmumap_builder_entry_(w->b, i), *r;
	uint32_t any = 0;

	v->described = v->enable = 0;
	for (i++; i < w->b->later; i++) {
		r = pmumap_builder_entry_(w->b, i);
		if (pmumap_entry_kind_(r) == PMUMAP_AMU_VIEW_)
			break;
		if (pmumap_entry_kind_(r) != PMUMAP_AMU_COUNTER_)
			continue;
		if (!any++ && view->counters != 1)
			pmumap_amu_report_(w, view, PMUMAP_WHAT_(CELLS, PMUMAP_WARNING, 0),
					   "#address-cells", view->counters);
		if (!pmumap_amu_lint_counter_(w, r, v->described))
			continue;
		v->described |= (uint16_t)(1u << r->counters);
		if (r->row & PMUMAP_AMU_ENABLE_)
			v->enable |= (uint16_t)(1u << r->counters);
		rows[r->counters] = i;
	}
	if (!(view->row & PMUMAP_AMU_LISTED_))
		pmumap_amu_report_(w, view, PMUMAP_WHAT_(VIEW_FOREIGN, PMUMAP_WARNING, 0), 0, 0);
}

/* Whether a row is a view that the map holds. */
static inline int pmumap_amu_is_kept_view_(const struct pmumap_row_ *r)
{
	return pmumap_entry_kind_(r) == PMUMAP_AMU_VIEW_ &&
	       (r->row & (PMUMAP_AMU_USED_ | PMUMAP_AMU_LISTED_));
}

/* The views, then the names of their counters; a row of a view then holds its number. */
static inline void pmumap_amu_build_views_(struct pmumap_amu_build_ *w)
{
	struct pmumap_amu_view_row_ *v;
	uint32_t rows[16], i, n, bytes, counter, *name;

	for (i = n = 0; i < w->b->later; i++)
		n += (uint32_t)pmumap_amu_is_kept_view_(pmumap_builder_entry_(w->b, i));
	bytes = n * (uint32_t)sizeof(*v);
	v = (struct pmumap_amu_view_row_ *)pmumap_append_table_(w->m, &w->a->views, bytes);
	w->a->view_count = n;
	w->a->names = w->m->size;
	for (i = n = 0; i < w->b->later; i++) {
		struct pmumap_row_ *r = pmumap_builder_entry_(w->b, i);

		if (!pmumap_amu_is_kept_view_(r))
			continue;
		pmumap_amu_build_view_(w, i, v, rows);
		r->counters = n++;
		v->first = w->a->name_count;
		for (counter = 0; counter < 16; counter++) {
			if (!(v->described >> counter & 1))
				continue;
			name = (uint32_t *)(void *)((char *)w->m + w->m->size);
			*name = rows[counter];
			w->m->size += (uint32_t)sizeof(*name);
			w->a->name_count++;
		}
		v++;
	}
	pmumap_pad_image_(w->m);
}

static inline void pmumap_amu_build_names_(struct pmumap_amu_build_ *w)
{
	uint32_t *name = (uint32_t *)(void *)((char *)w->m + w->a->names), i;

	w->a->strings = w->m->size;
	pmumap_pool_begin_texts_(&w->pool);
	for (i = 0; i < w->a->name_count; i++) {
		const struct pmumap_row_ *r = pmumap_builder_entry_(w->b, name[i]);

		if (r->row & PMUMAP_AMU_LABELED_)
			r = pmumap_builder_entry_(w->b, (uint32_t)(r->key >> 32));
		name[i] = pmumap_pool_keep_text_(&w->pool, (const char *)(size_t)r->value);
	}
	pmumap_pad_image_(w->m);
	w->a->string_bytes = w->m->size - w->a->strings;
}

/* The CPUs; a staged row of one then holds its number in the tree. */
static inline void pmumap_amu_build_cpus_(struct pmumap_amu_build_ *w)
{
	struct pmumap_amu_cpu_row_ *c;
	uint32_t i, *order, n = 0, view;

	for (i = 0; i < w->b->later; i++) {
		struct pmumap_row_ *r = pmumap_builder_entry_(w->b, i);

		if (pmumap_entry_kind_(r) != PMUMAP_AMU_CPU_)
			continue;
		view = pmumap_builder_find_entry_(w->b, w->views, w->view_rows, r->counters);
		pmumap_amu_lint_cpu_(w, r, view);
		if (r->row & (PMUMAP_AMU_BAD_REG_ | PMUMAP_AMU_DROPPED_))
			continue;
		pmumap_entry_set_y_(r, w->a->cpu_count++);
	}
	c = (struct pmumap_amu_cpu_row_ *)pmumap_append_table_(
		w->m, &w->a->cpus, w->a->cpu_count * (uint32_t)sizeof(*c));
	order = (uint32_t *)pmumap_append_table_(w->m, &w->a->by_tree,
						 w->a->cpu_count * (uint32_t)sizeof(*order));
	for (i = 0; i < w->cpu_rows; i++) {
		const struct pmumap_row_ *r = pmumap_builder_entry_(w->b, w->cpus[i]);

		if (r->row & PMUMAP_AMU_DROPPED_)
			continue;
		view = pmumap_builder_find_entry_(w->b, w->views, w->view_rows, r->counters);
		c[n].affinity = pmumap_amu_pack_affinity_(r->value);
		c[n].view = view == PMUMAP_NO_ROW ? PMUMAP_AMU_NO_VIEW
						  : pmumap_builder_entry_(w->b, view)->counters;
		order[pmumap_entry_y_(r)] = n++;
	}
}

/* The AMU part of the map, behind what is there already. */
static inline void pmumap_amu_finish_part_(struct pmumap_builder *b, struct pmumap *m)
{
	struct pmumap_amu_build_ w;

	w.b = b;
	w.m = m;
	w.view_rows = w.name_rows = w.cpu_rows = 0;
	w.a = (struct pmumap_amu *)pmumap_append_table_(m, &m->amu, sizeof(struct pmumap_amu));
	pmumap_zero_words_(w.a, sizeof(struct pmumap_amu));
	pmumap_pool_init_(&w.pool, m, pmumap_builder_rows_(b));
	pmumap_amu_count_entries_(&w);
	pmumap_amu_resolve_views_(&w);
	pmumap_amu_build_views_(&w);
	pmumap_amu_build_names_(&w);
	pmumap_amu_build_cpus_(&w);
}
