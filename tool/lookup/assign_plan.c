/* SPDX-License-Identifier: BSD-2-Clause
 *
 * assign_plan.c -- assigns counters to events that run at once, of which some exclude modes.
 */
#include "lookup.h"
#include "map/riscv.h"
#include "text/output.h"

#define FIXED 5u /* mcycle and minstret; without Smcntrpmf they count in all modes */

/*
 * A free fixed counter for event i, or a negative number if there is none or the event excludes
 * modes.
 */
static int plain_counter(const struct pmumap *map, const struct plan *p, int i, uint32_t unpinned)
{
	const struct pmumap_want *want = &p->wants[i];
	struct pmumap_job job;

	return p->modes[i] ? -1
			   : pmumap_plan(map, want->event, want->data, unpinned & FIXED, 0,
					 PMUMAP_RULE_ABSENT, &job);
}

/*
 * If only some events exclude modes, gives the fixed counters to the others. Events that exclude
 * modes cannot use them. Returns the counters that were pinned.
 */
static uint32_t pin_plain(const struct pmumap *map, struct plan *p)
{
	uint32_t unpinned = p->unpinned, pinned = 0;

	for (int i = 0; i < p->count; i++) {
		if (p->wants[i].pinned)
			unpinned &= ~(1u << p->wants[i].counter);
	}
	for (int i = 0; i < p->count; i++) {
		int counter = plain_counter(map, p, i, unpinned & ~pinned);

		if (counter < 0 || p->wants[i].pinned)
			continue;
		p->wants[i].counter = counter;
		p->wants[i].pinned = 1;
		pinned |= 1u << counter;
	}
	return pinned;
}

/* Undoes pin_plain(), and allows the fixed counters again for events that exclude no modes. */
static void unpin_plain(const struct pmumap *map, struct plan *p, uint32_t pinned)
{
	for (int i = 0; i < p->count; i++) {
		struct pmumap_want *want = &p->wants[i];
		int counter = plain_counter(map, p, i, UINT32_MAX);

		if (counter < 0)
			continue;
		want->counters |= 1u << counter;
		if (want->pinned && pinned >> want->counter & 1)
			want->pinned = 0;
	}
}

void make_plan(const struct pmumap *map, struct plan *p)
{
	struct pmumap_job *jobs = reallocate(NULL, (size_t)p->count + 1, sizeof(*jobs));
	uint32_t features = p->features, pinned = 0;
	int some = 0;

	for (int i = 0; i < p->count; i++)
		some |= p->modes[i] != 0;
	some = some && !(features & PMUMAP_MUST_FILTER);
	if (some) {
		pinned = pin_plain(map, p);
		features |= PMUMAP_MUST_FILTER;
	}
	pmumap_plan_all(map, p->wants, (uint32_t)p->count, p->unpinned, features,
			PMUMAP_RULE_ABSENT, jobs);
	if (some)
		unpin_plain(map, p, pinned);
	p->features = features;
	free(jobs);
}
