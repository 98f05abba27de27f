/* SPDX-License-Identifier: BSD-2-Clause */
/* Merge sort and heap sort of numbers */
#pragma once

#include "core/linkage.h"
#include "core/compiler.h"

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
