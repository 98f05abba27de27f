/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "imc/api.h"
#include "builder/report.h"
#include "builder/rows.h"
#include "builder/entries.h"
#include "builder/sort.h"
#include "builder/pool.h"
#include "imc/tables.h"
#include "imc/entries.h"

/* Count everything, and how many events each list has; then the lists by id. */
static inline void pmumap_imc_count_entries_(struct pmumap_imc_build_ *w)
{
	struct pmumap_row_ *list = 0, *r;
	uint32_t i, n = 0;

	for (i = 0; i < w->b->later; i++) {
		r = pmumap_builder_entry_(w->b, i);
		switch (pmumap_entry_kind_(r)) {
		case PMUMAP_IMC_LIST_:
			list = r;
			w->list_count++;
			break;
		case PMUMAP_IMC_EVENT_:
			if (list)
				list->counters++;
			n++;
			w->text_count++;
			break;
		case PMUMAP_IMC_UNIT_:
			w->c->unit_count++;
			w->text_count += 2;
			break;
		case PMUMAP_IMC_SCALE_:
		case PMUMAP_IMC_MEASURE_:
		case PMUMAP_IMC_DESC_:
			w->text_count++;
			break;
		default:
			break;
		}
	}
	w->lists = pmumap_pool_scratch_(&w->pool, w->list_count);
	w->order = pmumap_pool_scratch_(&w->pool, n);
	w->nodes = pmumap_pool_scratch_(&w->pool, w->c->unit_count);
	w->counts = pmumap_pool_scratch_(&w->pool, w->c->unit_count);
	pmumap_pool_reserve_texts_(&w->pool, w->text_count);
	for (i = n = 0; i < w->b->later; i++) {
		if (pmumap_entry_kind_(pmumap_builder_entry_(w->b, i)) == PMUMAP_IMC_LIST_)
			w->lists[n++] = i;
	}
	pmumap_heap_sort_(w->lists, n, pmumap_entry_id_before_, w->b);
}

/* Find the list of every unit: its row's number. Lists that no unit uses are left out. */
static inline void pmumap_imc_resolve_lists_(struct pmumap_imc_build_ *w)
{
	uint32_t i, unit = 0, own = PMUMAP_NO_ROW, list, id;
	struct pmumap_row_ *r, *l;

	for (i = 0; i < w->b->later; i++) {
		r = pmumap_builder_entry_(w->b, i);
		if (pmumap_entry_kind_(r) == PMUMAP_IMC_LIST_)
			own = i;
		if (pmumap_entry_kind_(r) != PMUMAP_IMC_UNIT_)
			continue;
		w->nodes[unit] = pmumap_entry_y_(r);
		id = pmumap_entry_y_(pmumap_builder_entry_(w->b, i + 1));
		list = r->row & PMUMAP_IMC_OWN_LIST_
			       ? own
			       : pmumap_builder_find_entry_(w->b, w->lists, w->list_count, id);
		l = list == PMUMAP_NO_ROW ? 0 : pmumap_builder_entry_(w->b, list);
		if (l && l->counters == 0 && (r->row & PMUMAP_IMC_OWN_LIST_))
			l = 0;
		if (!l) {
			w->b->node = (int)w->nodes[unit];
			pmumap_other_found_(w->b, PMUMAP_WHAT_(EVENTS_MISSING, PMUMAP_WARNING, 0),
					    "events", unit, PMUMAP_NO_ROW, id);
			list = PMUMAP_NO_ROW;
		} else {
			if (!(l->row & PMUMAP_IMC_USED_))
				w->c->event_count += l->counters;
			l->row |= (r->row & 0xff) == PMUMAP_IMC_TRACE
					  ? PMUMAP_IMC_USED_
					  : PMUMAP_IMC_USED_ | PMUMAP_IMC_COUNTED_;
		}
		pmumap_entry_set_y_(pmumap_builder_entry_(w->b, i + 1), list);
		unit++;
	}
}

/* All strings of what the map holds; the rows keep the offsets. */
static inline void pmumap_imc_build_strings_(struct pmumap_imc_build_ *w)
{
	int live = 0, kept = 0;
	uint32_t i, kind;

	w->c->strings = w->m->size;
	pmumap_pool_begin_texts_(&w->pool);
	for (i = 0; i < w->b->later; i++) {
		struct pmumap_row_ *r = pmumap_builder_entry_(w->b, i);

		kind = pmumap_entry_kind_(r);
		if (kind == PMUMAP_IMC_LIST_)
			live = (r->row & PMUMAP_IMC_USED_) != 0;
		if (kind == PMUMAP_IMC_EVENT_ || kind == PMUMAP_IMC_UNIT_)
			kept = kind == PMUMAP_IMC_UNIT_ || live;
		if (kept && kind >= PMUMAP_IMC_EVENT_ && kind <= PMUMAP_IMC_PREFIX_)
			r->value = pmumap_pool_keep_text_(&w->pool, (const char *)(size_t)r->value);
	}
	pmumap_pad_image_(w->m);
	w->c->string_bytes = w->m->size - w->c->strings;
}

static inline int pmumap_imc_entry_reg_before_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_imc_build_ *w = (const struct pmumap_imc_build_ *)context;
	uint32_t x = pmumap_builder_entry_(w->b, a)->counters,
		 y = pmumap_builder_entry_(w->b, b)->counters;

	return x != y ? x < y : pmumap_imc_entry_name_before_(context, a, b);
}

/* The events in order[] into the map, with the strings that they have of their own. */
static inline void pmumap_imc_emit_list_(struct pmumap_imc_build_ *w,
					 struct pmumap_imc_event_row_ *to, uint32_t first,
					 uint32_t n)
{
	struct pmumap_imc_override_ *own;
	uint32_t i, j;

	for (i = 0; i < n; i++) {
		const struct pmumap_row_ *r = pmumap_builder_entry_(w->b, w->order[i]);

		to[i].name = (uint32_t)r->value;
		to[i].reg = r->counters;
		for (own = 0, j = w->order[i] + 1; j < w->b->later; j++) {
			uint32_t kind = pmumap_entry_kind_(pmumap_builder_entry_(w->b, j));
			uint32_t text = (uint32_t)pmumap_builder_entry_(w->b, j)->value;

			if (kind < PMUMAP_IMC_SCALE_ || kind > PMUMAP_IMC_DESC_)
				break;
			if (!own) {
				own = (struct pmumap_imc_override_ *)pmumap_append_table_(
					w->m, 0, sizeof(*own));
				own->event = first + i;
				own->scale = own->measure = own->desc = 0;
				w->c->own_count++;
				to[i].name |= PMUMAP_IMC_HAS_OVERRIDE_;
			}
			if (kind == PMUMAP_IMC_SCALE_)
				own->scale = text;
			else if (kind == PMUMAP_IMC_MEASURE_)
				own->measure = text;
			else
				own->desc = text;
		}
	}
}

/* The lists that units use, each of them once; a row of a list then holds its first event. */
static inline void pmumap_imc_build_lists_(struct pmumap_imc_build_ *w)
{
	struct pmumap_imc_event_row_ *events;
	uint32_t i, j, n, first = 0;

	events = (struct pmumap_imc_event_row_ *)pmumap_append_table_(
		w->m, &w->c->events, w->c->event_count * (uint32_t)sizeof(*events));
	w->c->owns = w->m->size;
	for (i = 0; i < w->b->later; i++) {
		struct pmumap_row_ *list = pmumap_builder_entry_(w->b, i);

		if (pmumap_entry_kind_(list) != PMUMAP_IMC_LIST_ || !(list->row & PMUMAP_IMC_USED_))
			continue;
		for (j = i + 1, n = 0; n < list->counters; j++) {
			if (pmumap_entry_kind_(pmumap_builder_entry_(w->b, j)) == PMUMAP_IMC_EVENT_)
				w->order[n++] = j;
		}
		if (w->b->imc.lint)
			w->b->imc.lint(w, list, n);
		pmumap_heap_sort_(w->order, n, pmumap_imc_entry_reg_before_, w);
		pmumap_imc_emit_list_(w, events + first, first, n);
		pmumap_entry_set_y_(list, first);
		first += n;
	}
}
