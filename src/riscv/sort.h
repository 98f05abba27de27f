/* SPDX-License-Identifier: BSD-2-Clause */
/* Merge sort of rows */
#pragma once

#include "riscv/rows.h"

/* A total order, so that the order of the description does not matter. Raw rows come last. */
static inline int pmumap_row_before_(const struct pmumap_row_ *a, const struct pmumap_row_ *b)
{
	if ((a->row ^ b->row) & PMUMAP_RAW_ROW_)
		return a->row < b->row;
	if (a->key != b->key)
		return a->key < b->key;
	if (a->value != b->value)
		return a->value < b->value;
	return a->counters < b->counters;
}

/* Member by member, because compilers turn an assignment into memcpy. */
static inline void pmumap_row_copy_(struct pmumap_row_ *to, const struct pmumap_row_ *from)
{
	to->key = from->key;
	to->value = from->value;
	to->counters = from->counters;
	to->row = from->row;
}

/*
 * Merge two sorted runs of rows: run of them at to, and those from to + run up to stop. Copy the
 * left ones out of the way; what is left of them always fits between to and the right ones.
 */
static inline void pmumap_merge_runs_(struct pmumap_row_ *to, size_t run,
				      const struct pmumap_row_ *stop, struct pmumap_row_ *spare)
{
	const struct pmumap_row_ *right = to + run;
	struct pmumap_row_ *left;

	for (left = spare; to < right; to++) {
		pmumap_row_copy_(left, to);
		left++;
	}
	to -= run;
	for (left = spare; to < right; to++) {
		if (right < stop && pmumap_row_before_(right, left))
			pmumap_row_copy_(to, right++);
		else
			pmumap_row_copy_(to, left++);
	}
}

/*
 * Merge sort in O(n log n); spare has room for n rows. It reads memory sequentially, so that tables
 * larger than the cache cost little more per row.
 */
static inline void pmumap_merge_sort_(struct pmumap_row_ *r, size_t n, struct pmumap_row_ *spare)
{
	struct pmumap_row_ *end = r + n, *to, *stop;
	size_t run;

	for (run = 1; run < n; run *= 2) {
		for (to = r; to < end - run; to = stop) {
			stop = to + run < end - run ? to + 2 * run : end;
			pmumap_merge_runs_(to, run, stop, spare);
		}
	}
}

/* Sort all rows, with the start of the block as spare memory. */
static inline void pmumap_builder_sort_rows_(struct pmumap_builder *b)
{
	pmumap_merge_sort_(pmumap_builder_rows_(b), b->kept, (struct pmumap_row_ *)(void *)b->mem);
}
