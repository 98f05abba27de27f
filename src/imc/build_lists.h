/* SPDX-License-Identifier: BSD-2-Clause */
/* From entries to event lists and strings */
#pragma once

#include "pool/sort.h"
#include "imc/entries.h"

/* Count lists, units and texts, and the events of each list. Returns the events of all lists. */
static inline uint32_t pmumap_imc_count_entries_(struct pmumap_imc_build_ *w)
{
	struct pmumap_imc_list_entry_ *list = 0;
	uint32_t i, events = 0;

	for (i = 0; i < w->b->entries.count; i++) {
		switch (pmumap_entries_kind_(&w->b->entries, i)) {
		case PMUMAP_IMC_LIST_:
			list = PMUMAP_IMC_ENTRY_(list, w->b, i);
			w->list_count++;
			break;
		case PMUMAP_IMC_EVENT_:
			if (list)
				list->events++;
			events++;
			w->text_count++;
			break;
		case PMUMAP_IMC_UNIT_:
			w->m->unit_count++;
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
	return events;
}

/* Place the scratch tables, and fill the first with the lists, sorted by id. */
static inline void pmumap_imc_place_scratch_(struct pmumap_imc_build_ *w, uint32_t events)
{
	uint32_t i, n = 0;

	w->lists = pmumap_pool_scratch_(&w->pool, w->list_count);
	w->order = pmumap_pool_scratch_(&w->pool, events);
	w->spare = pmumap_pool_scratch_(&w->pool, events < w->list_count ? w->list_count : events);
	pmumap_pool_reserve_texts_(&w->pool, w->text_count);
	for (i = 0; i < w->b->entries.count; i++) {
		if (pmumap_entries_kind_(&w->b->entries, i) == PMUMAP_IMC_LIST_)
			w->lists[n++] = i;
	}
	pmumap_sort_numbers_(w->lists, n, w->spare, pmumap_entries_order_ids_, &w->b->entries);
}

/*
 * The entry of a unit's list, or NO_ENTRY_; before: the last list before the unit. If the unit has
 * its own list, that is the one: the reader adds it first.
 */
static inline uint32_t pmumap_imc_list_of_unit_(const struct pmumap_imc_build_ *w,
						const struct pmumap_imc_unit_entry_ *unit,
						uint32_t before)
{
	if (!(unit->kind & PMUMAP_IMC_UNIT_OWN_LIST_))
		return pmumap_entries_find_(&w->b->entries, w->lists, w->list_count, unit->list);
	return PMUMAP_IMC_ENTRY_(list, w->b, before)->events ? before : PMUMAP_NO_ENTRY_;
}

/* Find the list of every unit. Unused lists stay unflagged and do not enter the map. */
static inline void pmumap_imc_resolve_lists_(struct pmumap_imc_build_ *w)
{
	uint32_t i, before = PMUMAP_NO_ENTRY_;
	struct pmumap_imc_unit_entries_ *e;
	struct pmumap_imc_list_entry_ *list;

	for (i = 0; i < w->b->entries.count; i++) {
		if (pmumap_entries_kind_(&w->b->entries, i) == PMUMAP_IMC_LIST_)
			before = i;
		if (pmumap_entries_kind_(&w->b->entries, i) != PMUMAP_IMC_UNIT_)
			continue;
		e = pmumap_imc_unit_at_(w->b, i);
		e->chips.list = pmumap_imc_list_of_unit_(w, &e->unit, before);
		if (e->chips.list == PMUMAP_NO_ENTRY_)
			continue;
		list = PMUMAP_IMC_ENTRY_(list, w->b, e->chips.list);
		if (!(list->kind & PMUMAP_IMC_LIST_USED_))
			w->m->event_count += list->events;
		list->kind |= PMUMAP_IMC_LIST_USED_;
		if ((e->unit.kind & PMUMAP_IMC_UNIT_TYPE_) != PMUMAP_IMC_TRACE)
			list->kind |= PMUMAP_IMC_LIST_COUNTED_;
	}
}

/* Copy the strings of units and used lists into the map, and their offsets into the entries. */
static inline void pmumap_imc_build_strings_(struct pmumap_imc_build_ *w)
{
	int used = 0, kept = 0;
	uint32_t i, kind;

	w->m->strings = w->m->head.size;
	pmumap_pool_begin_texts_(&w->pool);
	for (i = 0; i < w->b->entries.count; i++) {
		struct pmumap_imc_text_entry_ *e = PMUMAP_IMC_ENTRY_(text, w->b, i);

		kind = pmumap_entries_kind_(&w->b->entries, i);
		if (kind == PMUMAP_IMC_LIST_)
			used = (e->kind & PMUMAP_IMC_LIST_USED_) != 0;
		if (kind == PMUMAP_IMC_EVENT_ || kind == PMUMAP_IMC_UNIT_)
			kept = kind == PMUMAP_IMC_UNIT_ || used;
		if (kept && kind >= PMUMAP_IMC_EVENT_ && kind <= PMUMAP_IMC_PREFIX_)
			e->text = pmumap_pool_keep_text_(&w->pool, (const char *)(size_t)e->text);
	}
	pmumap_pad_image_(w->m);
	w->m->string_bytes = w->m->head.size - w->m->strings;
}

/* Compare events by offset, then by name. */
static inline int pmumap_imc_order_entry_regs_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_imc_build_ *w = (const struct pmumap_imc_build_ *)context;
	uint32_t x = PMUMAP_IMC_ENTRY_(event, w->b, a)->reg;
	uint32_t y = PMUMAP_IMC_ENTRY_(event, w->b, b)->reg;

	return x < y ? -1 : x > y ? 1 : pmumap_imc_order_entry_names_(context, a, b);
}

/*
 * Append the override of the event in entry i, which has number event in the map. Returns 0 if it
 * has no string but its name.
 */
static inline int pmumap_imc_emit_override_(struct pmumap_imc_build_ *w, uint32_t i, uint32_t event)
{
	struct pmumap_imc_override_ *o = 0;

	for (i++; i < w->b->entries.count; i++) {
		uint32_t kind = pmumap_entries_kind_(&w->b->entries, i);
		uint32_t text = (uint32_t)PMUMAP_IMC_ENTRY_(text, w->b, i)->text;

		if (kind < PMUMAP_IMC_SCALE_ || kind > PMUMAP_IMC_DESC_)
			break;
		if (!o) {
			o = (struct pmumap_imc_override_ *)pmumap_append_table_(w->m, 0,
										sizeof(*o));
			o->event = event;
			o->scale = o->measure = o->desc = 0;
			w->m->override_count++;
		}
		if (kind == PMUMAP_IMC_SCALE_)
			o->scale = text;
		else if (kind == PMUMAP_IMC_MEASURE_)
			o->measure = text;
		else
			o->desc = text;
	}
	return o != 0;
}

/* Fill in the n events of order[]; the first of them has number first in the map. */
static inline void pmumap_imc_emit_list_(struct pmumap_imc_build_ *w,
					 struct pmumap_imc_event_row_ *to, uint32_t first,
					 uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		const struct pmumap_imc_event_entry_ *e =
			PMUMAP_IMC_ENTRY_(event, w->b, w->order[i]);

		to[i].name = (uint32_t)e->name;
		to[i].reg = e->reg;
		if (pmumap_imc_emit_override_(w, w->order[i], first + i))
			to[i].name |= PMUMAP_IMC_HAS_OVERRIDE_;
	}
}

/* Build each used list once; its entry gets the number of its first event. */
static inline void pmumap_imc_build_lists_(struct pmumap_imc_build_ *w)
{
	struct pmumap_imc_event_row_ *events;
	uint32_t i, j, n, first = 0;
	int used;

	events = (struct pmumap_imc_event_row_ *)pmumap_append_table_(
		w->m, &w->m->events, w->m->event_count * (uint32_t)sizeof(*events));
	w->m->overrides = w->m->head.size;
	for (i = 0; i < w->b->entries.count; i++) {
		struct pmumap_imc_list_entry_ *list = PMUMAP_IMC_ENTRY_(list, w->b, i);

		if (pmumap_entries_kind_(&w->b->entries, i) != PMUMAP_IMC_LIST_)
			continue;
		used = (list->kind & PMUMAP_IMC_LIST_USED_) != 0;
		for (j = i + 1, n = 0; used && n < list->events; j++) {
			if (pmumap_entries_kind_(&w->b->entries, j) == PMUMAP_IMC_EVENT_)
				w->order[n++] = j;
		}
		if (!used)
			continue;
		pmumap_sort_numbers_(w->order, n, w->spare, pmumap_imc_order_entry_regs_, w);
		pmumap_imc_emit_list_(w, events + first, first, n);
		list->first = first;
		first += n;
	}
}
