/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Shared by all harnesses: the engines' entry point, and properties of every map.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmumap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Optional: a harness's setup, run once. */
#ifdef FUZZ_MAIN
__attribute__((weak))
#endif
int LLVMFuzzerInitialize(int *argc, char ***argv);

#define FUZZ_DATA_V1 0xffffffffffffu
#define FUZZ_DATA_V2 0xffffffffffffffu

#define MUST(promise)                                                                              \
	do {                                                                                       \
		if (!(promise)) {                                                                  \
			fflush(stdout);                                                            \
			fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #promise);      \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

/* Random numbers come from a hash of the input, so that it always asks the same queries. */
static uint64_t fuzz_state;

static inline void fuzz_seed(const uint8_t *data, size_t size)
{
	fuzz_state = 0xcbf29ce484222325;
	while (size--)
		fuzz_state = (fuzz_state ^ *data++) * 0x100000001b3;
}

static inline uint64_t fuzz_random(void)
{
	uint64_t x = fuzz_state += 0x9e3779b97f4a7c15;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

/* The rest of the input; zeros after its end. */
struct bytes {
	const uint8_t *p;
	size_t left;
};

static inline uint32_t take(struct bytes *in, unsigned n)
{
	uint32_t value = 0;

	for (; n; n--) {
		value = value << 8 | (in->left ? *in->p : 0);
		in->p += in->left != 0;
		in->left -= in->left != 0;
	}
	return value;
}

/* Mostly SBI codes, sometimes any 20 bits, rarely any 32. */
static inline uint32_t fuzz_event(void)
{
	uint32_t r = (uint32_t)fuzz_random();

	switch (r >> 28) {
	case 0:
		return r & 0xfffffff;
	case 1:
	case 2:
		return r & 0xfffff;
	case 3:
	case 4:
		return PMUMAP_EVENT_RAW;
	case 5:
		return PMUMAP_EVENT_RAW_V2;
	default:
		return (r & 0x80 ? 0x10000 : 0) | (r & 0x3f);
	}
}

/* An exact block on the heap, so that a sanitizer sees the first byte past it. */
static inline void *fuzz_copy(const void *data, size_t size)
{
	void *copy = calloc(size ? size : 1, 1);

	MUST(copy);
	if (size)
		memcpy(copy, data, size);
	return copy;
}

/* Returns whether the rules of pmumap_plan() allow the event, for types that they mention. */
static inline uint32_t fuzz_candidates(const struct pmumap *m, uint32_t event, uint64_t data,
				       uint32_t features, unsigned rule)
{
	uint32_t fixed = 0;
	uint64_t selector;

	if (event == PMUMAP_EVENT_RAW)
		return pmumap_raw_counters(m, data & FUZZ_DATA_V1) & ~7u;
	if (event == PMUMAP_EVENT_RAW_V2)
		return pmumap_raw_counters(m, data & FUZZ_DATA_V2) & ~7u;
	if (!(features & PMUMAP_MUST_FILTER) || features & PMUMAP_SMCNTRPMF)
		fixed = event == 1 ? 1 : event == 2 ? 4 : 0;
	return (pmumap_encode(m, event, data, rule, &selector) ? pmumap_counters(m, event) & ~7u
							       : 0) |
	       fixed;
}

static inline void fuzz_plan(const struct pmumap *m, uint32_t event, uint64_t data,
			     uint32_t free_mask, uint32_t features, unsigned rule)
{
	struct pmumap_job job;
	int none = pmumap_plan(m, event, data, 0, features, rule, &job);
	int all = pmumap_plan(m, event, data, ~0u, features, rule, &job);
	int got = pmumap_plan(m, event, data, free_mask, features, rule, &job);
	uint32_t could = fuzz_candidates(m, event, data, features, rule);
	uint64_t selector = 0;

	MUST(none == (all >= 0 ? PMUMAP_BUSY : PMUMAP_UNSUPPORTED));
	MUST(job.event == event && job.data == data && !job.inhibit && !job.clear);
	if (event < PMUMAP_EVENT_RAW || event == PMUMAP_EVENT_RAW || event == PMUMAP_EVENT_RAW_V2)
		MUST((none == PMUMAP_BUSY) == (could != 0));
	if (none == PMUMAP_UNSUPPORTED)
		MUST(all == PMUMAP_UNSUPPORTED && got == PMUMAP_UNSUPPORTED);
	else if (!(free_mask & could))
		MUST(got == PMUMAP_BUSY);
	else
		MUST(got >= 0 && got < 32 && free_mask & could & 1u << got);
	if (got > 2)
		MUST(pmumap_encode(m, event, data, rule, &selector));
	MUST(job.selector == selector);
}

/*
 * The maximum number of the first n events with counters at once, by Hall's theorem, without
 * searching for an assignment. n is small.
 */
static inline uint32_t fuzz_most(const uint32_t *could, uint32_t n)
{
	uint32_t subset, most = n;

	for (subset = 1; subset < 1u << n; subset++) {
		uint32_t i, reach = 0, placed = n - (uint32_t)__builtin_popcount(subset);

		for (i = 0; i < n; i++)
			reach |= subset & 1u << i ? could[i] : 0;
		placed += (uint32_t)__builtin_popcount(reach);
		most = placed < most ? placed : most;
	}
	return most;
}

#define FUZZ_WANTS 6u

/* The plan is optimal, prefers earlier events, uses only free, and keeps pinned events. */
static inline void fuzz_plan_all(const struct pmumap *m, uint32_t features, unsigned rule)
{
	struct pmumap_want want[FUZZ_WANTS], was;
	struct pmumap_job job[FUZZ_WANTS];
	uint32_t could[FUZZ_WANTS], free_mask = (uint32_t)(fuzz_random() & fuzz_random());
	uint32_t n = 1 + (uint32_t)(fuzz_random() % FUZZ_WANTS), i, open = 0, taken = 0, pinned = 0;
	uint32_t base = (uint32_t)fuzz_random() & 31;
	int placed = 0;

	memset(want, 0, sizeof(want));
	for (i = 0; i < n; i++) {
		want[i].event = fuzz_event();
		want[i].data = fuzz_random() >> (fuzz_random() & 63);
		want[i].pinned = fuzz_random() % 8 == 0;
		want[i].counter = (int32_t)(base + i) & 31;
		pinned |= want[i].pinned ? 1u << want[i].counter : 0;
	}
	was = want[0];
	placed = pmumap_plan_all(m, want, n, free_mask, features, rule, job);
	MUST(want[0].event == was.event && want[0].data == was.data &&
	     want[0].pinned == was.pinned);
	for (i = 0; i < n; i++) {
		uint32_t bit = want[i].counter < 0 ? 0 : 1u << want[i].counter;

		MUST(want[i].counter >= PMUMAP_UNSUPPORTED && want[i].counter < 32);
		MUST(!(bit & taken));
		taken |= bit;
		placed -= bit != 0;
		if (want[i].pinned) {
			MUST(want[i].counter == ((int32_t)(base + i) & 31));
			continue;
		}
		MUST((want[i].counters == 0) == (want[i].counter == PMUMAP_UNSUPPORTED));
		MUST(!(bit & ~(want[i].counters & free_mask & ~pinned)));
		could[open++] = want[i].counters & free_mask & ~pinned;
		MUST((bit != 0) == (fuzz_most(could, open) > fuzz_most(could, open - 1)));
	}
	MUST(placed == 0);
}

/* More events than counters, and wrong claims about pinned counters. */
static inline void fuzz_crowd(const struct pmumap *m, uint32_t features, unsigned rule)
{
	struct pmumap_want want[40];
	struct pmumap_job job[40];
	uint32_t n = sizeof(want) / sizeof(want[0]), i, taken = 0;
	uint32_t free_mask = (uint32_t)fuzz_random();
	int32_t pinned_to = (int32_t)fuzz_random();
	int placed;

	for (i = 0; i < n; i++) {
		want[i].event = fuzz_event();
		want[i].data = fuzz_random() >> (fuzz_random() & 63);
		want[i].pinned = i == 7 || i == 11;
		want[i].counter = pinned_to;
	}
	placed = pmumap_plan_all(m, want, n, free_mask, features, rule, job);
	MUST(want[7].counter == pinned_to && want[11].counter == pinned_to);
	for (i = 0; i < n; i++) {
		uint32_t bit = want[i].counter < 0 ? 0 : 1u << (want[i].counter & 31);

		placed -= want[i].counter >= 0;
		if (want[i].pinned)
			continue;
		MUST(want[i].counter < 32 && !(bit & (taken | ~(want[i].counters & free_mask))));
		taken |= bit;
	}
	MUST(placed == 0);
}

/* The listing ends and only increases. */
static inline uint32_t fuzz_list(const struct pmumap *m)
{
	uint32_t from = 0, runs = 0, bound = 300 + (uint32_t)(pmumap_size(m) / 4), rows = 0;
	uint64_t select, mask, selector;
	uint32_t counters;
	struct pmumap_run run;

	while (pmumap_event_next(m, from, &run)) {
		MUST(run.first >= from && run.last >= run.first && run.last < PMUMAP_EVENT_LIMIT);
		MUST(run.counters || run.has_selector);
		MUST(pmumap_selector(m, run.first, &selector) == (run.has_selector != 0));
		MUST(++runs <= bound);
		from = run.last + 1;
	}
	while (pmumap_raw_at(m, rows, &select, &mask, &counters))
		MUST(++rows <= bound);
	MUST(!pmumap_raw_at(m, ~0u, &select, &mask, &counters));
	return rows;
}

static inline void fuzz_encode(const struct pmumap *m, uint32_t event, uint64_t data)
{
	uint64_t value = 0x5555, selector = 0x5555;
	int found = pmumap_selector(m, event, &selector);

	MUST(found || selector == 0x5555);
	if (event == PMUMAP_EVENT_RAW || event == PMUMAP_EVENT_RAW_V2) {
		MUST(pmumap_encode(m, event, data, PMUMAP_RULE_NONE, &value));
		MUST(value == (data & (event == PMUMAP_EVENT_RAW ? FUZZ_DATA_V1 : FUZZ_DATA_V2)));
	} else if (event < PMUMAP_EVENT_RAW) {
		MUST(pmumap_encode(m, event, data, PMUMAP_RULE_NONE, &value) == found);
		MUST(value == selector);
	}
	(void)pmumap_encode(m, event, data, PMUMAP_RULE_ABSENT, &value);
	(void)pmumap_encode(m, event, data, PMUMAP_RULE_ALWAYS, &value);
	(void)pmumap_encode(m, event, data, (unsigned)data, &value);
}

/* Plan and encode, for any map: n plans of several events, and four times as many of one. */
static inline void fuzz_questions(const struct pmumap *m, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < 4 * n; i++) {
		uint32_t event = fuzz_event(), features = (uint32_t)fuzz_random() & 7;
		uint64_t data = fuzz_random() >> (fuzz_random() & 63);

		fuzz_plan(m, event, data, (uint32_t)(fuzz_random() & fuzz_random()), features,
			  i % 3);
		fuzz_encode(m, event, data);
	}
	for (i = 0; i < n; i++)
		fuzz_plan_all(m, (uint32_t)fuzz_random() & 7, i % 3);
	fuzz_crowd(m, (uint32_t)fuzz_random() & 7, PMUMAP_RULE_ABSENT);
}

/* All look-ups, and so many plans. */
static inline void fuzz_look_up(const struct pmumap *m, uint32_t plans)
{
	uint32_t i, rows = fuzz_list(m), counters;
	uint64_t select, mask, selector;

	for (i = 0; i < 0x40; i++) {
		(void)pmumap_selector(m, i, &selector);
		(void)pmumap_selector(m, 0x10000 + i, &selector);
		(void)pmumap_counters(m, i);
		(void)pmumap_counters(m, 0x10000 + i);
		(void)pmumap_counters(m, (uint32_t)fuzz_random() >> (i & 31));
		(void)pmumap_raw_counters(m, fuzz_random() >> i);
	}
	for (i = 0; i < rows; i += 1 + rows / 64) {
		MUST(pmumap_raw_at(m, i, &select, &mask, &counters));
		(void)pmumap_raw_counters(m, select);
		(void)pmumap_raw_counters(m, select | (fuzz_random() & ~mask));
	}
	for (i = 0; i < 16; i++) {
		uint64_t value = ~0ull << 4 * i;

		(void)pmumap_raw_counters(m, value);
		(void)pmumap_raw_counters(m, ~value);
	}
	fuzz_questions(m, plans);
}

#endif
