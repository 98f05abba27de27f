/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Counters for N events at once, each with any set of COUNTERS. The answer of pmumap_plan_all() is
 * compared with any other assignment that keeps the rules; the other one is never better.
 */
#include "proof.h"

static uint32_t may[N], asked;

uint32_t any_candidates(const struct pmumap *m, uint32_t event, uint64_t data, uint32_t free,
			unsigned rule, uint64_t *selector)
{
	return may[asked++ % N];
}

/* For pinned events. */
int any_encode(const struct pmumap *m, uint32_t event, uint64_t data, unsigned rule,
	       uint64_t *selector)
{
	*selector = nondet_u32();
	return *selector != 0;
}

static uint32_t bit(int32_t counter)
{
	return counter < 0 || counter > 31 ? 0 : 1u << counter;
}

/*
 * Returns whether a counter is the best of a set: the lowest, a programmable one if it can
 * interrupt.
 */
static int is_best(int32_t counter, uint32_t of, uint32_t features)
{
	uint32_t programmable = of & ~7u;

	if ((features & PMUMAP_CAN_INTERRUPT) && programmable)
		of = programmable;
	return (of & bit(counter)) && !(of & (bit(counter) - 1));
}

int main(void)
{
	struct pmumap_want want[N];
	struct pmumap_job job[N];
	int32_t pinned[N], other[N]; /* counters; -1 for none */
	uint32_t n = nondet_u8(), free = nondet_u32() & COUNTERS, features = nondet_u32();
	uint32_t taken = 0, others = 0, pins = 0, i, first = N;
	int placed, count = 0, other_count = 0;
	struct pmumap m;

	assume(n <= N);
	for (i = 0; i < N; i++) {
		may[i] = nondet_u32() & COUNTERS;
		want[i].pinned = nondet_u8() & 1;
		pinned[i] = (int32_t)(nondet_u8() % 44) - 3;
		want[i].counter = pinned[i];
		assume(i >= n || !want[i].pinned || !(bit(pinned[i]) & pins));
		if (i < n && want[i].pinned)
			pins |= bit(pinned[i]);
	}
	placed = pmumap_plan_all(&m, want, n, free, features, nondet_u32(), job);

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
	for (i = 0; i < n; i++)
		prove(job[i].event == want[i].event && (want[i].counter >= 3 || !job[i].selector));
	/* No event leaves a better counter of its own free. */
	for (i = 0; i < n; i++) {
		if (!want[i].pinned && want[i].counter >= 0)
			prove(is_best(want[i].counter,
				      (may[i] & free & ~taken) | bit(want[i].counter), features));
	}
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
	reached(n == N && (features & PMUMAP_CAN_INTERRUPT) && want[0].counter == 0);
	reached(n == N && want[0].pinned && pinned[0] == 40 && placed == N);
	reached(n == N && want[0].pinned && pinned[0] == -1 && placed == 1);
	return 0;
}
