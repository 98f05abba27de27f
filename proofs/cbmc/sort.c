/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The sort of numbers returns a sorted permutation. Arrays have their exact size.
 */
#include "proof.h"

static uint8_t rank[N];
static uint32_t at[N], spare[N];

static int by_rank(const void *context, uint32_t a, uint32_t b)
{
	prove(context == rank && a < N && b < N);
	return rank[a] < rank[b] ? -1 : rank[a] > rank[b];
}

void sort(void)
{
	uint32_t probe = nondet_u32(), before = 0, after = 0, i;

	for (i = 0; i < N; i++) {
		rank[i] = nondet_u8();
		at[i] = nondet_u32();
		assume(at[i] < N);
		before += at[i] == probe;
	}
	pmumap_sort_numbers_(at, N, spare, by_rank, rank);
	for (i = 0; i < N; i++) {
		after += at[i] == probe;
		prove(i == 0 || rank[at[i - 1]] <= rank[at[i]]);
	}
	prove(before == after);
	reached(at[0] != at[N - 1]);
}
