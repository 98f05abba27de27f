/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Rules for planned counters, for one event or several.
 */
#ifndef WANTS_H
#define WANTS_H

#include "support.h"

#define WANTS 8u /* at most */

/* Counters that can count an event. A programmable one needs a selector for mhpmevent. */
static inline uint32_t servers(const struct model *m, uint32_t event, uint64_t data,
			       uint32_t features, unsigned rule, uint64_t *selector)
{
	uint32_t counters = model_candidates(m, event, data, features);

	*selector = 0;
	return model_encode(m, event, data, rule, selector) ? counters : counters & 7;
}

/* The counter that an event must get among those that can count it. */
static inline int server_of(uint32_t counters, uint32_t free, uint32_t features)
{
	return !counters            ? PMUMAP_UNSUPPORTED
	       : !(counters & free) ? PMUMAP_BUSY
				    : model_best(counters & free, features);
}

/* Rules broken by one event's result; taken: counters of the unpinned events before it. */
static inline uint32_t broken_by_one(const struct pmumap_want *was, const struct pmumap_want *want,
				     uint32_t could, uint32_t free, uint32_t *taken)
{
	uint32_t bit = want->counter >= 0 ? 1u << (want->counter & 31) : 0, bad = 0;

	bad += want->event != was->event || want->data != was->data;
	bad += want->pinned != was->pinned || want->counters != could;
	if (want->pinned)
		return bad + (want->counter != was->counter);
	bad += want->counter > 31 || (bit & *taken) || (bit & ~(free & could));
	bad += !bit && want->counter != (could ? PMUMAP_BUSY : PMUMAP_UNSUPPORTED);
	*taken |= bit;
	return bad;
}

/*
 * The number of rules that an assignment breaks. was: the requested events; could: possible
 * counters of each; got: the result. No other assignment may place more events, or an earlier
 * one. No event may leave a better counter of its own free.
 */
static inline uint32_t broken_rules(const struct pmumap_want *was, const struct pmumap_want *want,
				    uint32_t n, const uint32_t *could, uint32_t free,
				    uint32_t features, int got)
{
	uint32_t i, set[WANTS], all[WANTS], chosen = 0, open = 0, taken = 0, bad = 0;

	for (i = 0; i < n; i++)
		if (was[i].pinned && was[i].counter >= 0) {
			if (was[i].counter < 32)
				free &= ~(1u << was[i].counter);
			got--;
		}
	for (i = 0; i < n; i++) {
		bad += broken_by_one(&was[i], &want[i], could[i], free, &taken);
		if (want[i].pinned)
			continue;
		set[chosen] = all[open++] = could[i];
		if (model_assign(set, chosen + 1, free) == chosen + 1) {
			chosen++;
			bad += want[i].counter < 0;
		} else {
			bad += want[i].counter >= 0;
		}
	}
	bad += got != (int)chosen || got != (int)model_assign(all, open, free);
	for (i = 0; i < n; i++)
		if (!want[i].pinned && want[i].counter >= 0)
			bad += model_best((could[i] & free & ~taken) | 1u << (want[i].counter & 31),
					  features) != want[i].counter;
	return bad;
}

#endif /* WANTS_H */
