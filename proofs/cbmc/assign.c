/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Counters for N events at once, which may have any of COUNTERS each. Beside what pmumap_assign()
 * answers stands any other assignment that keeps the rules: it is never better.
 */
#include "proof.h"

static uint32_t may[N], asked;

uint32_t any_candidates(const struct pmumap *m, uint32_t event, uint64_t data, uint32_t features)
{
	return may[asked++ % N];
}

static uint32_t bit(int32_t counter)
{
	return counter < 0 ? 0 : 1u << counter;
}

int main(void)
{
	struct pmumap_want want[N];
	int32_t pinned[N], other[N]; /* counters; -1: none */
	uint32_t n = nondet_u8(), free = nondet_u32() & COUNTERS, features = nondet_u32();
	uint32_t taken = 0, others = 0, pins = 0, i, first = N;
	int placed, count = 0, other_count = 0;
	struct pmumap m;

	assume(n <= N);
	for (i = 0; i < N; i++) {
		may[i] = nondet_u32() & COUNTERS;
		want[i].pinned = nondet_u8() & 1;
		pinned[i] = (int32_t)(nondet_u8() % 34) - 2;
		want[i].counter = pinned[i];
		assume(i >= n || !want[i].pinned || !(bit(pinned[i]) & pins));
		if (i < n && want[i].pinned)
			pins |= bit(pinned[i]);
	}
	placed = pmumap_assign(&m, want, n, free, features);

	free &= ~pins;
	for (i = 0; i < n; i++) {
		prove(want[i].counters == may[i]);
		if (want[i].pinned) {
			prove(want[i].counter == pinned[i]);
			count += pinned[i] >= 0;
			continue;
		}
		prove(want[i].counter >= -2 && want[i].counter < 32);
		prove((want[i].counter == PMUMAP_UNSUPPORTED) == !may[i]);
		prove(!(bit(want[i].counter) & ~(may[i] & free)));
		prove(!(bit(want[i].counter) & taken));
		taken |= bit(want[i].counter);
		count += want[i].counter >= 0;
	}
	prove(placed == count);
	for (i = 0; i < n; i++) {
		other[i] = (int32_t)(nondet_u8() % 33) - 1;
		if (want[i].pinned)
			other[i] = pinned[i];
		else
			assume(!(bit(other[i]) & ~(may[i] & free & ~others)));
		others |= want[i].pinned ? 0 : bit(other[i]);
		other_count += other[i] >= 0;
		if (first == N && (other[i] >= 0) != (want[i].counter >= 0))
			first = i;
	}
	prove(other_count <= placed);
	prove(first == N || want[first].counter >= 0);
	reached(n == N && placed == N && !pins);
	reached(n == N && placed == N - 1 && other_count == placed && first < N);
	reached(pins & 8);
	return 0;
}
