/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters for one event, and for many at once */
#pragma once

#include "core/linkage.h"
#include "riscv/api.h"
#include "riscv/pmu_api.h"
#include "core/bits.h"
#include "core/compiler.h"
#include "riscv/tables.h"
#include "riscv/lookup.h"

/* The fixed counter that counts an event, as a bit: mcycle counts event 1, minstret event 2. */
static inline uint32_t pmumap_riscv_own_counter_(uint32_t event)
{
	return event <= PMUMAP_EVENT_INSTRUCTIONS_ ? event * event : 0;
}

/* The fixed counters that may count at all: none if modes have to be filtered and they cannot. */
static inline uint32_t pmumap_riscv_fixed_counters_(uint32_t features)
{
	return (features & PMUMAP_FILTER) && !(features & PMUMAP_SMCNTRPMF)
		       ? 0
		       : PMUMAP_CYCLE_BIT_ | PMUMAP_INSTRET_BIT_;
}

/*
 * The counters that may count an event, for plans and guests alike. A fixed counter counts its own
 * event, and only if it is among fixed. A programmable one needs a selector: it goes to *selector,
 * which is 0 if neither map nor rule has one, and then only a fixed counter is left. With selector
 * NULL that does not matter. Events of types that SBI reserves have no counter, whatever the map
 * says.
 */
PMUMAP_OUTLINE_ uint32_t pmumap_riscv_find_counters_(const struct pmumap *m, uint32_t event,
						     uint64_t data, uint32_t fixed, unsigned rule,
						     uint64_t *selector)
{
	const struct pmumap_record *r;
	uint32_t counters;

	if (event >= PMUMAP_EVENT_RAW) {
		uint64_t bits = pmumap_riscv_raw_bits_(event);

		if (selector)
			*selector = data & bits;
		return bits ? pmumap_raw_counters(m, data & bits) & ~PMUMAP_FIXED_COUNTERS_ : 0;
	}
	r = pmumap_riscv_record_of_event_(m, event);
	counters = r->counters & ~PMUMAP_FIXED_COUNTERS_;
	if (selector) {
		*selector = r->selector;
		if (!(r->key & PMUMAP_RECORD_HAS_SELECTOR_)) {
			*selector = event;
			if (!pmumap_riscv_is_own_selector_(m, event, rule))
				*selector = counters = 0;
		}
	}
	return counters | (fixed & pmumap_riscv_own_counter_(event));
}

/* The lowest of some counters; the fixed ones come last where the others can interrupt. */
static inline uint32_t pmumap_riscv_best_counter_(uint32_t counters, uint32_t features)
{
	if ((features & PMUMAP_CAN_INTERRUPT) && (counters & ~PMUMAP_FIXED_COUNTERS_))
		counters &= ~PMUMAP_FIXED_COUNTERS_;
	return pmumap_lowest_bit_(counters);
}

/* The best of the candidates that is free, or why there is none. */
static inline int pmumap_riscv_choose_counter_(uint32_t counters, uint32_t free, uint32_t features)
{
	if (counters == 0)
		return PMUMAP_UNSUPPORTED;
	if ((counters & free) == 0)
		return PMUMAP_BUSY;
	return (int)pmumap_riscv_best_counter_(counters & free, features);
}

PMUMAP_DEF int pmumap_pick(const struct pmumap *m, uint32_t event, uint64_t data, uint32_t free,
			   uint32_t features)
{
	uint32_t counters = pmumap_riscv_find_counters_(
		m, event, data, pmumap_riscv_fixed_counters_(features), PMUMAP_RULE_NONE, 0);

	return pmumap_riscv_choose_counter_(counters, free, features);
}

/* What to program into a counter. A fixed one, or none, takes no selector. */
static inline void pmumap_riscv_fill_job_(struct pmumap_job *job, uint32_t event, uint64_t data,
					  uint64_t selector, int32_t counter)
{
	job->data = data;
	job->selector = counter < PMUMAP_FIRST_PROGRAMMABLE_ ? 0 : selector;
	job->event = event;
	job->inhibit = 0;
	job->clear = 0;
}

PMUMAP_DEF int pmumap_plan(const struct pmumap *m, uint32_t event, uint64_t data, uint32_t free,
			   uint32_t features, unsigned rule, struct pmumap_job *job)
{
	uint64_t selector;
	uint32_t counters = pmumap_riscv_find_counters_(
		m, event, data, pmumap_riscv_fixed_counters_(features), rule, &selector);
	int counter = pmumap_riscv_choose_counter_(counters, free, features);

	pmumap_riscv_fill_job_(job, event, data, selector, counter);
	return counter;
}

/* Which counters have been given away, and to which want each. */
struct pmumap_riscv_owners_ {
	uint32_t given;
	uint32_t want[PMUMAP_COUNTERS_];
};

#define PMUMAP_PATH_START_ PMUMAP_COUNTERS_ /* instead of a counter */

/*
 * Place one more event, want[n]. Returns 0 if that is impossible. If all its counters are given
 * away, others move: by the shortest chain of events that go to the counter of the next one, the
 * last to a counter that nobody has (an augmenting path). If there is no such chain now, there will
 * be none for this event when more events are placed. So one try for each event is enough.
 */
static inline int pmumap_riscv_place_want_(struct pmumap_want *want, struct pmumap_riscv_owners_ *o,
					   uint32_t n, uint32_t free, uint32_t features)
{
	/* The counter whose owner could move here; PMUMAP_PATH_START_: n itself could. */
	uint8_t from[PMUMAP_COUNTERS_];
	uint32_t reached = 0, waiting = 0, mover = n, via = PMUMAP_PATH_START_, counter;

	for (;;) {
		uint32_t fresh = want[mover].counters & free & ~reached;

		reached |= fresh;
		waiting |= fresh;
		for (counter = fresh; counter; counter &= counter - 1)
			from[pmumap_lowest_bit_(counter)] = (uint8_t)via;
		if (fresh & ~o->given)
			break;
		if (waiting == 0)
			return 0;
		via = pmumap_lowest_bit_(waiting);
		waiting &= waiting - 1;
		mover = o->want[via];
	}
	counter = pmumap_riscv_best_counter_(waiting & ~o->given, features);
	o->given |= 1u << counter;
	while (from[counter] != PMUMAP_PATH_START_) {
		o->want[counter] = o->want[from[counter]];
		counter = from[counter];
	}
	o->want[counter] = n;
	return 1;
}

/* pmumap_assign(), once it is known which counters each event can have. */
static inline int pmumap_riscv_place_wants_(struct pmumap_want *want, uint32_t n, uint32_t free,
					    uint32_t features)
{
	struct pmumap_riscv_owners_ o;
	uint32_t i;
	int placed = 0;

	for (i = 0; i < n; i++) {
		if (!want[i].pinned)
			want[i].counter = want[i].counters ? PMUMAP_BUSY : PMUMAP_UNSUPPORTED;
		else if (want[i].counter >= 0 && want[i].counter < (int32_t)PMUMAP_COUNTERS_)
			free &= ~(1u << want[i].counter);
		placed += want[i].pinned && want[i].counter >= 0;
	}
	o.given = 0;
	for (i = 0; i < n; i++) {
		if (!want[i].pinned)
			placed += pmumap_riscv_place_want_(want, &o, i, free, features);
	}
	for (; o.given; o.given &= o.given - 1) {
		uint32_t counter = pmumap_lowest_bit_(o.given);

		want[o.want[counter]].counter = (int32_t)counter;
	}
	return placed;
}

PMUMAP_DEF int pmumap_assign(const struct pmumap *m, struct pmumap_want *want, uint32_t n,
			     uint32_t free, uint32_t features)
{
	uint32_t fixed = pmumap_riscv_fixed_counters_(features), i;

	for (i = 0; i < n; i++)
		want[i].counters = pmumap_riscv_find_counters_(m, want[i].event, want[i].data,
							       fixed, PMUMAP_RULE_NONE, 0);
	return pmumap_riscv_place_wants_(want, n, free, features);
}

PMUMAP_DEF int pmumap_plan_all(const struct pmumap *m, struct pmumap_want *want, uint32_t n,
			       uint32_t free, uint32_t features, unsigned rule,
			       struct pmumap_job *job)
{
	uint32_t fixed = pmumap_riscv_fixed_counters_(features), i;
	int placed;

	for (i = 0; i < n; i++)
		want[i].counters = pmumap_riscv_find_counters_(m, want[i].event, want[i].data,
							       fixed, rule, &job[i].selector);
	placed = pmumap_riscv_place_wants_(want, n, free, features);
	for (i = 0; i < n; i++)
		pmumap_riscv_fill_job_(&job[i], want[i].event, want[i].data, job[i].selector,
				       want[i].counter);
	return placed;
}
