/* SPDX-License-Identifier: BSD-2-Clause */
/* The labels of counters */
#pragma once

#include "amu/entries.h"

/* Orders counters by the names of their nodes. */
static inline int pmumap_amu_order_counter_names_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_amu_builder *builder = (const struct pmumap_amu_builder *)context;

	return pmumap_compare_strings_(
		(const char *)(size_t)PMUMAP_AMU_ENTRY_(counter, builder, a)->name,
		(const char *)(size_t)PMUMAP_AMU_ENTRY_(counter, builder, b)->name);
}

/*
 * Find the first of n entries with this text, by which they are sorted, or NO_ENTRY. behind:
 * distance from such an entry to the one with its text.
 */
static inline uint32_t pmumap_amu_find_text_(const struct pmumap_amu_builder *b,
					     const uint32_t *entries, uint32_t n, uint32_t behind,
					     const unsigned char *text, size_t bytes)
{
	uint32_t low = 0, count = n;

	while (n) {
		uint32_t half = n / 2;
		uint64_t s = pmumap_entries_value_(&b->entries, entries[low + half] + behind);

		if (pmumap_compare_text_((const char *)(size_t)s, text, bytes) < 0) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	if (low == count)
		return PMUMAP_NO_ENTRY_;
	return pmumap_compare_text_((const char *)(size_t)pmumap_entries_value_(
					    &b->entries, entries[low] + behind),
				    text, bytes)
		       ? PMUMAP_NO_ENTRY_
		       : entries[low];
}

/*
 * Give a label to the counter that its path names, unless it already has one. If several nodes have
 * that name, the path means the first. So each label is used at most once, as its room requires.
 */
static inline void pmumap_amu_give_label_(struct pmumap_amu_build_ *w, const uint32_t *counters,
					  uint32_t label)
{
	const unsigned char *path =
		(const unsigned char *)(size_t)PMUMAP_AMU_ENTRY_(text, w->b, label + 1)->text;
	const unsigned char *view = path + sizeof("/cpus/amus/") - 1, *name;
	const struct pmumap_amu_text_entry_ *e;
	struct pmumap_amu_counter_entry_ *counter;
	size_t bytes = 0, rest = 0;
	uint32_t i;

	while (view[bytes] && view[bytes] != '/')
		bytes++;
	if (!view[bytes])
		return;
	name = view + bytes + 1;
	while (name[rest]) {
		rest++;
		PMUMAP_NO_LIBCALL_();
	}
	i = pmumap_amu_find_text_(w->b, w->names, w->name_count, 1, view, bytes);
	if (i == PMUMAP_NO_ENTRY_)
		return;
	e = PMUMAP_AMU_ENTRY_(text, w->b, i + 1);
	i = pmumap_amu_find_text_(w->b, counters + e->first, e->count, 0, name, rest);
	if (i == PMUMAP_NO_ENTRY_)
		return;
	counter = PMUMAP_AMU_ENTRY_(counter, w->b, i);
	if (!(counter->kind & PMUMAP_AMU_COUNTER_LABELED_))
		counter->label = label;
	counter->kind |= PMUMAP_AMU_COUNTER_LABELED_;
}

/*
 * Give labels to the counters of views in /cpus/amus. Sort each view's counters by name first, so
 * that the cost stays O(n log n).
 */
static inline void pmumap_amu_give_labels_(struct pmumap_amu_build_ *w)
{
	unsigned char *top = w->pool.top;
	uint32_t *counters = pmumap_pool_scratch_(&w->pool, w->counter_count);
	uint32_t *spare = pmumap_pool_scratch_(&w->pool, w->counter_count);
	struct pmumap_amu_text_entry_ *view = 0;
	uint32_t i, n = 0, kind;

	for (i = 0; i < w->b->entries.count; i++) {
		kind = pmumap_entries_kind_(&w->b->entries, i);
		if (kind == PMUMAP_AMU_VIEW_)
			view = 0;
		if (kind == PMUMAP_AMU_VIEW_NAME_) {
			view = PMUMAP_AMU_ENTRY_(text, w->b, i);
			view->first = n;
			view->count = 0;
		}
		if (kind == PMUMAP_AMU_COUNTER_ && view) {
			counters[n++] = i;
			view->count++;
		}
	}
	for (i = 0; i < w->name_count; i++) {
		view = PMUMAP_AMU_ENTRY_(text, w->b, w->names[i] + 1);
		pmumap_sort_numbers_(counters + view->first, view->count, spare,
				     pmumap_amu_order_counter_names_, w->b);
	}
	for (i = 0; i < w->b->entries.count; i++) {
		if (pmumap_entries_kind_(&w->b->entries, i) == PMUMAP_AMU_LABEL_)
			pmumap_amu_give_label_(w, counters, i);
	}
	w->pool.top = top;
}
