/* SPDX-License-Identifier: BSD-2-Clause
 *
 * assign_plan.c -- assigns counters to events that run at once, or in as few groups as possible.
 * With k groups each counter serves k events, and these can go into the groups in any order. So the
 * problem is a bipartite matching in which each counter has capacity k.
 */
#include "lookup.h"
#include "map/riscv.h"
#include "text/output.h"

#define FIXED 5u /* mcycle and minstret; without Smcntrpmf they count in all modes */

/* ---- groups ---------------------------------------------------------------------------------- */

struct turns {
	struct pmumap_want *wants;
	uint32_t count, unpinned, groups;
};

static uint32_t users_of(const struct turns *t, int32_t counter)
{
	uint32_t users = 0;

	for (uint32_t i = 0; i < t->count; i++)
		users += t->wants[i].counter == counter;
	return users;
}

/* Gives event i the first counter that has room for one more event. */
static int place_beside(struct turns *t, uint32_t i)
{
	for (int32_t counter = 0; counter < 32; counter++) {
		if (!(t->wants[i].counters & t->unpinned & 1u << counter) ||
		    users_of(t, counter) >= t->groups)
			continue;
		t->wants[i].counter = counter;
		return 1;
	}
	return 0;
}

/*
 * Gives event i a counter, moving other events if necessary. tried: counters already visited, which
 * bounds the depth.
 */
static int place(struct turns *t, uint32_t i, uint32_t *tried)
{
	if (place_beside(t, i))
		return 1;
	for (int32_t counter = 0; counter < 32; counter++) {
		uint32_t bit = 1u << counter;

		if (!(t->wants[i].counters & t->unpinned & ~*tried & bit))
			continue;
		*tried |= bit;
		for (uint32_t j = 0; j < t->count; j++) {
			if (t->wants[j].counter != counter || !place(t, j, tried))
				continue;
			t->wants[i].counter = counter;
			return 1;
		}
	}
	return 0;
}

/* The number of earlier events on the same counter. */
static uint32_t turn_of(const struct turns *t, uint32_t i)
{
	uint32_t before = 0;

	for (uint32_t j = 0; j < i; j++)
		before += t->wants[j].counter == t->wants[i].counter;
	return before;
}

static void plan_groups(struct plan *p)
{
	struct turns t = { p->wants, (uint32_t)p->count, p->unpinned, 1 };
	uint32_t tried;

	for (uint32_t i = 0; i < t.count; i++) {
		struct pmumap_want *want = &p->wants[i];

		want->counter = want->counter < 0 ? want->counter : PMUMAP_BUSY;
	}
	for (uint32_t i = 0; i < t.count; i++) {
		for (tried = 0; p->wants[i].counters & p->unpinned && !place(&t, i, &tried);
		     tried = 0)
			t.groups++;
	}
	for (uint32_t i = 0; i < t.count; i++) {
		p->group[i] = is_firmware_event(p->wants[i].event) ? 1
			      : p->wants[i].counter < 0            ? 0
								   : turn_of(&t, i) + 1;
		p->groups = p->group[i] > p->groups ? p->group[i] : p->groups;
	}
}

/* ---- modes ----------------------------------------------------------------------------------- */

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

void make_plan(const struct pmumap *map, struct plan *p, int grouped)
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
	if (grouped)
		plan_groups(p);
	free(jobs);
}
