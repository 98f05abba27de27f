/* SPDX-License-Identifier: BSD-2-Clause */
/* Pairs of numbers, sorted in place */
#pragma once

#include "core/compiler.h"

/* Orders two values whose keys are equal: below 0 if a comes first; 0: as numbers. */
typedef int pmumap_tie_fn_(const void *context, uint32_t a, uint32_t b);

/* Orders pairs of a key and a value. tie: NULL to compare the values as numbers. */
static inline int pmumap_is_pair_before_(const uint32_t *a, const uint32_t *b, pmumap_tie_fn_ *tie,
					 const void *context)
{
	int order;

	if (a[0] != b[0])
		return a[0] < b[0];
	order = tie ? tie(context, a[1], b[1]) : 0;
	return order ? order < 0 : a[1] < b[1];
}

static inline void pmumap_copy_pair_(uint32_t *to, const uint32_t *from)
{
	to[0] = from[0];
	to[1] = from[1];
}

/*
 * Sort without spare memory: make a heap, then take it apart from its end. If values stand for
 * texts, each comparison places one of the two. So a long text does not make the others expensive.
 */
static inline void pmumap_sort_pairs_(uint32_t (*pairs)[2], uint32_t n, pmumap_tie_fn_ *tie,
				      const void *context)
{
	uint32_t root = n / 2, at, child, x[2];

	while (n > 1) {
		if (root) {
			pmumap_copy_pair_(x, pairs[--root]);
		} else {
			pmumap_copy_pair_(x, pairs[--n]);
			pmumap_copy_pair_(pairs[n], pairs[0]);
		}
		for (at = root; (child = 2 * at + 1) < n; at = child) {
			if (child + 1 < n &&
			    pmumap_is_pair_before_(pairs[child], pairs[child + 1], tie, context))
				child++;
			if (!pmumap_is_pair_before_(x, pairs[child], tie, context))
				break;
			pmumap_copy_pair_(pairs[at], pairs[child]);
		}
		pmumap_copy_pair_(pairs[at], x);
	}
}
