/* SPDX-License-Identifier: BSD-2-Clause
 *
 * assign_groups.c -- the fewest groups for events that do not fit at once. In k groups each counter
 * serves k events, and which of them comes in which group is free: so it is a matching in which a
 * counter takes up to k events.
 */
#include "assign.h"
#include "riscv.h"

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

/* Gives event i the first counter that serves one more. */
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
 * The same, or one that another event leaves for it. tried: counters that are looked at already,
 * which bounds the depth.
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

/* How many events of the same counter stand before this one. */
static uint32_t turn_of(const struct turns *t, uint32_t i)
{
	uint32_t before = 0;

	for (uint32_t j = 0; j < i; j++)
		before += t->wants[j].counter == t->wants[i].counter;
	return before;
}

uint32_t plan_groups(struct pmumap_want *wants, uint32_t count, uint32_t unpinned, uint32_t *group)
{
	struct turns t = { wants, count, unpinned, 1 };
	uint32_t groups = 0, tried;

	for (uint32_t i = 0; i < count; i++)
		wants[i].counter = wants[i].counter < 0 ? wants[i].counter : PMUMAP_BUSY;
	for (uint32_t i = 0; i < count; i++) {
		for (tried = 0; wants[i].counters & unpinned && !place(&t, i, &tried); tried = 0)
			t.groups++;
	}
	for (uint32_t i = 0; i < count; i++) {
		group[i] = is_firmware_event(wants[i].event) ? 1
			   : wants[i].counter < 0            ? 0
							     : turn_of(&t, i) + 1;
		groups = group[i] > groups ? group[i] : groups;
	}
	return groups;
}
