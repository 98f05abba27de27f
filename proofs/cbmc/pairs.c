/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Pairs are sorted in place, none is lost, and a search finds the first of a key.
 */
#include "proof.h"

#define N 4

void pairs(void)
{
	uint32_t all[N][2], kept[N][2], key = nondet_u32(), n = nondet_u32(), i, k;
	uint32_t before = 0, after = 0;
	const uint32_t *found;

	assume(n <= N);
	for (i = 0; i < n; i++) {
		all[i][0] = kept[i][0] = nondet_u32();
		all[i][1] = kept[i][1] = nondet_u32();
	}
	pmumap_sort_pairs_(all, n, 0, 0);
	for (i = 1; i < n; i++)
		prove(!pmumap_is_pair_before_(all[i], all[i - 1], 0, 0));
	k = nondet_u32();
	assume(k < n);
	for (i = 0; i < n; i++) {
		before += kept[i][0] == kept[k][0] && kept[i][1] == kept[k][1];
		after += all[i][0] == kept[k][0] && all[i][1] == kept[k][1];
	}
	prove(before == after);
	found = pmumap_amu_find_pair_(all, n, key);
	for (i = 0; i < n && all[i][0] != key; i++)
		;
	prove(found == (i < n ? &all[i][0] : 0));
	reached(found && i == N - 1);
	reached(!found && n == N);
}
