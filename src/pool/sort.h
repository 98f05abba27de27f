/* SPDX-License-Identifier: BSD-2-Clause */
/* Merge sort of numbers */
#pragma once

#include "core/compiler.h"

/* Compare two numbers: below 0 if a comes first, above 0 if b does, 0 to keep their order. */
typedef int pmumap_order_fn_(const void *context, uint32_t a, uint32_t b);

/*
 * Stable merge sort; spare has room for n numbers. If numbers stand for texts, each comparison
 * places one of the two. So a pass reads each text about once, and a long text does not make the
 * others expensive. Two runs already in order cost one comparison.
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
			/* The rest of the left run always fits between to and the right run. */
			for (left = 0; left < run; to++) {
				if (right < stop && order(context, spare[left], at[right]) > 0)
					at[to] = at[right++];
				else
					at[to] = spare[left++];
			}
		}
	}
}
