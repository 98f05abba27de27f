/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "builder/api.h"
#include "core/compiler.h"
#include "builder/rows.h"

/*
 * A total order of rows, so that the order of the description does not change the map. Raw rows
 * come after the others; entries come last, in the order that they have.
 */
static inline int pmumap_row_before_(const struct pmumap_row_ *a, const struct pmumap_row_ *b)
{
	if ((a->row ^ b->row) & PMUMAP_ENTRY_)
		return a->row < b->row;
	if (PMUMAP_HAS_ENTRIES_ && a->row >= PMUMAP_ENTRY_)
		return 0;
	if (a->key != b->key)
		return a->key < b->key;
	if (a->value != b->value)
		return a->value < b->value;
	return a->counters < b->counters;
}

/* Member by member, as compilers make a call of memcpy from the assignment of such a struct. */
static inline void pmumap_row_copy_(struct pmumap_row_ *to, const struct pmumap_row_ *from)
{
	to->key = from->key;
	to->value = from->value;
	to->counters = from->counters;
	to->row = from->row;
}

/*
 * Merge sort; spare: room for n rows. O(n log n). It reads memory from end to end, so that a table
 * larger than the cache costs little more for each row.
 */
static inline void pmumap_merge_sort_(struct pmumap_row_ *r, size_t n, struct pmumap_row_ *spare)
{
	struct pmumap_row_ *end = r + n, *to, *left, *right, *stop;
	size_t run;

	for (run = 1; run < n; run *= 2) {
		for (to = r; to < end - run; to = stop) {
			right = to + run;
			stop = right < end - run ? right + run : end;
			for (left = spare; to < right; to++)
				pmumap_row_copy_(left++, to);
			to -= run;
			/* What is left of the left run fits between here and the right one. */
			for (left = spare; to < right; to++) {
				if (right < stop && pmumap_row_before_(right, left))
					pmumap_row_copy_(to, right++);
				else
					pmumap_row_copy_(to, left++);
			}
		}
	}
}

/* Sort all rows, and move entries among them behind them. Needs the start of the block as spare. */
static inline void pmumap_builder_sort_rows_(struct pmumap_builder *b)
{
	uint32_t n = b->own.kept;

	if (PMUMAP_HAS_ENTRIES_ && b->own.interleaved)
		n += b->own.entries;
	pmumap_merge_sort_(pmumap_builder_rows_(b), n, (struct pmumap_row_ *)(void *)b->own.mem);
}

/*
 * Orders two numbers that are sorted: below 0 if a comes first, above 0 if b does, and 0 if they
 * stay as they are.
 */
typedef int pmumap_order_fn_(const void *context, uint32_t a, uint32_t b);

/*
 * Merge sort of numbers; spare: room for n of them. Numbers of equal rank keep their order. Where
 * they stand for texts: after each comparison one of the two is in its place. So a pass reads each
 * text about once, and only up to its own end, however long the others are. A heap would read a
 * long text once for each of the others. Runs that are in order already take one comparison.
 */
static inline void pmumap_sort_numbers_(uint32_t *at, uint32_t n, uint32_t *spare,
					pmumap_order_fn_ *order, const void *context)
{
	uint32_t run, to, i, left, right, stop;

	for (run = 1; run < n; run *= 2) {
		for (to = 0; n - to > run; to = stop) {
			right = to + run;
			stop = n - right > run ? right + run : n;
			if (order(context, at[right - 1], at[right]) <= 0)
				continue;
			for (i = to; i < right; i++) {
				spare[i - to] = at[i];
				PMUMAP_NO_LIBCALL_();
			}
			/* What is left of the left run fits between here and the right one. */
			for (left = 0; left < run; to++) {
				if (right < stop && order(context, spare[left], at[right]) > 0)
					at[to] = at[right++];
				else
					at[to] = spare[left++];
			}
		}
	}
}

/*
 * Heap sort of numbers, in place, where there is no room for as many again; for an order that costs
 * the same for all of them. O(n log n); O(n) if they are in order already.
 */
static inline void pmumap_heap_sort_(uint32_t *at, uint32_t n, pmumap_order_fn_ *order,
				     const void *context)
{
	uint32_t start = n / 2, i, child, t;

	for (i = 1; i < n && order(context, at[i - 1], at[i]) <= 0; i++)
		;
	while (n > 1 && i < n) {
		uint32_t root;

		if (start) {
			start--;
		} else {
			t = at[--n];
			at[n] = at[0];
			at[0] = t;
		}
		for (root = start; (child = 2 * root + 1) < n; root = child) {
			if (child + 1 < n && order(context, at[child], at[child + 1]) < 0)
				child++;
			if (order(context, at[root], at[child]) >= 0)
				break;
			t = at[root];
			at[root] = at[child];
			at[child] = t;
		}
		i = 0;
	}
}
