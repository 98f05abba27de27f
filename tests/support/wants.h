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

/*
 * The number of rules that an assignment breaks. was: the requested events; could: possible
 * counters of each; got: the result. Of the events so far, no other assignment may place more. No
 * event may leave a better counter of its own free.
 */
static inline uint32_t broken_rules(const struct pmumap_want *was, const struct pmumap_want *want,
				    uint32_t n, const uint32_t *could, uint32_t free,
				    uint32_t features, int got)
{
	uint32_t i, bit, open = 0, taken = 0, bad = 0, set[WANTS];

	for (i = 0; i < n; i++)
		if (was[i].pinned && was[i].counter >= 0 && was[i].counter < 32)
			free &= ~(1u << was[i].counter);
	for (i = 0; i < n; i++) {
		const struct pmumap_want *w = &want[i];

		bad += w->event != was[i].event || w->data != was[i].data;
		bad += w->pinned != was[i].pinned || w->counters != could[i];
		got -= w->counter >= 0;
		if (w->pinned) {
			bad += w->counter != was[i].counter;
			continue;
		}
		bit = w->counter >= 0 ? 1u << (w->counter & 31) : 0;
		bad += w->counter > 31 || (bit & taken) || (bit & ~(free & could[i]));
		bad += !bit && w->counter != (could[i] ? PMUMAP_BUSY : PMUMAP_UNSUPPORTED);
		taken |= bit;
		set[open++] = could[i];
		bad += model_assign(set, open, free) - model_assign(set, open - 1, free) != !!bit;
	}
	for (i = 0; i < n; i++)
		if (!want[i].pinned && want[i].counter >= 0)
			bad += model_best((could[i] & free & ~taken) | 1u << (want[i].counter & 31),
					  features) != want[i].counter;
	return bad + (got != 0);
}

#endif /* WANTS_H */
