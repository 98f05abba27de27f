/* SPDX-License-Identifier: BSD-2-Clause */
/* Which counters can count an event; optimal assignment */
#pragma once

#include "riscv/pmu_api.h"
#include "core/bits.h"
#include "riscv/lookup.h"

/* The fixed counter for an event, as a bit: mcycle counts event 1, minstret event 2. */
static inline uint32_t pmumap_riscv_own_counter_(uint32_t event)
{
	return event <= PMUMAP_EVENT_INSTRUCTIONS_ ? event * event : 0;
}

/* The counters that can apply mandatory filters: fixed ones only with Smcntrpmf. */
static inline uint32_t pmumap_riscv_usable_counters_(uint32_t features)
{
	return (features & PMUMAP_MUST_FILTER) && !(features & PMUMAP_SMCNTRPMF)
		       ? ~PMUMAP_FIXED_COUNTERS_
		       : ~(uint32_t)0;
}

/* pmumap_riscv_find_counters_() for events without a record. */
static inline uint32_t pmumap_riscv_find_raw_counters_(const struct pmumap *m, uint32_t event,
						       uint64_t data, uint32_t free,
						       uint64_t *selector)
{
	uint64_t bits = pmumap_riscv_raw_bits_(event);

	if (bits == 0)
		return 0;
	*selector = data & bits;
	return pmumap_riscv_find_raw_(m, data & bits) & free & ~PMUMAP_FIXED_COUNTERS_;
}

/*
 * The rule for plans and guests alike: which of the free counters can count an event, and its
 * selector if any of them is programmable. Without a selector only fixed counters qualify. SBI's
 * reserved types 4 to 14 have no counter, even if the map lists some.
 */
PMUMAP_ALWAYS_INLINE_ uint32_t pmumap_riscv_find_counters_(const struct pmumap *m, uint32_t event,
							   uint64_t data, uint32_t free,
							   unsigned rule, uint64_t *selector)
{
	const struct pmumap_record *r;
	uint32_t counters;

	if (!pmumap_riscv_is_indexed_event_(event) && event >= PMUMAP_EVENT_RAW)
		return pmumap_riscv_find_raw_counters_(m, event, data, free, selector);
	r = pmumap_riscv_record_of_event_(m, event);
	counters = free & r->counters & ~PMUMAP_FIXED_COUNTERS_;
	if (counters) {
		*selector = r->selector;
		if (!(r->key & PMUMAP_RECORD_HAS_SELECTOR_)) {
			*selector = event;
			if (!pmumap_riscv_is_own_selector_(m, event, rule))
				counters = 0;
		}
	}
	return counters | (free & pmumap_riscv_own_counter_(event));
}

/* The lowest of these counters. Fixed ones come last if the others can interrupt. */
static inline uint32_t pmumap_riscv_best_counter_(uint32_t counters, uint32_t features)
{
	if ((features & PMUMAP_CAN_INTERRUPT) && (counters & ~PMUMAP_FIXED_COUNTERS_))
		counters &= ~PMUMAP_FIXED_COUNTERS_;
	return pmumap_lowest_bit_(counters);
}

/* The best free candidate, or the reason why there is none. */
static inline int pmumap_riscv_choose_counter_(uint32_t counters, uint32_t free, uint32_t features)
{
	if (counters == 0)
		return PMUMAP_UNSUPPORTED;
	if ((counters & free) == 0)
		return PMUMAP_BUSY;
	return (int)pmumap_riscv_best_counter_(counters & free, features);
}

/* Fill in a job. Returns all counters of a hart that can count its event. */
PMUMAP_OUTLINE_ uint32_t pmumap_riscv_begin_job_(const struct pmumap *m, uint32_t event,
						 uint64_t data, uint32_t features, unsigned rule,
						 struct pmumap_job *job)
{
	job->data = data;
	job->selector = 0;
	job->event = event;
	job->inhibit = 0;
	job->clear = 0;
	return pmumap_riscv_find_counters_(m, event, data, pmumap_riscv_usable_counters_(features),
					   rule, &job->selector);
}

/* A fixed counter takes no selector; nor does a job without a counter. */
static inline void pmumap_riscv_end_job_(struct pmumap_job *job, int32_t counter)
{
	if (counter < PMUMAP_FIRST_PROGRAMMABLE_)
		job->selector = 0;
}

PMUMAP_DEF int pmumap_plan(const struct pmumap *m, uint32_t event, uint64_t data, uint32_t free,
			   uint32_t features, unsigned rule, struct pmumap_job *job)
{
	uint32_t counters = pmumap_riscv_begin_job_(m, event, data, features, rule, job);
	int counter = pmumap_riscv_choose_counter_(counters, free, features);

	pmumap_riscv_end_job_(job, counter);
	return counter;
}

/* Which counters are assigned, and to which want. */
struct pmumap_riscv_owners_ {
	uint32_t given;
	uint32_t want[PMUMAP_COUNTERS_];
};

#define PMUMAP_PATH_START_ PMUMAP_COUNTERS_ /* instead of a counter */

/*
 * Place want[n]; returns 0 if that is impossible. If all its counters are assigned, search the
 * shortest chain of events that each move to the next one's counter, the last to an unassigned one
 * (an augmenting path). If there is none now, later events cannot create one, so one attempt per
 * event is enough.
 */
static inline int pmumap_riscv_place_want_(struct pmumap_want *want, struct pmumap_riscv_owners_ *o,
					   uint32_t n, uint32_t free, uint32_t features)
{
	/* The counter whose owner could move here; PMUMAP_PATH_START_: n itself. */
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

/* Assign counters to all events, once their candidates are known. */
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

PMUMAP_DEF int pmumap_plan_all(const struct pmumap *m, struct pmumap_want *want, uint32_t n,
			       uint32_t free, uint32_t features, unsigned rule,
			       struct pmumap_job *job)
{
	uint32_t i;
	int placed;

	for (i = 0; i < n; i++) {
		want[i].counters = pmumap_riscv_begin_job_(m, want[i].event, want[i].data, features,
							   rule, &job[i]);
		if (!want[i].pinned)
			continue;
		job[i].selector = 0; /* it may run on a counter outside its candidates */
		(void)pmumap_encode(m, want[i].event, want[i].data, rule, &job[i].selector);
	}
	placed = pmumap_riscv_place_wants_(want, n, free, features);
	for (i = 0; i < n; i++)
		pmumap_riscv_end_job_(&job[i], want[i].counter);
	return placed;
}
