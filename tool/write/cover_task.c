/* SPDX-License-Identifier: BSD-2-Clause */
#include "cover.h"

int is_scattered(uint64_t select, uint64_t free)
{
	uint64_t above = select & ~((free & (0 - free)) * 2 - 1);

	if (!free)
		return 0;
	above &= 0 - above;
	return above && free > above;
}

void take_if_better(struct task *t, const struct pieces *p)
{
	if (t->best.count && t->best.count <= p->count)
		return;
	t->best.list = reallocate(t->best.list, p->count, sizeof(*p->list));
	memcpy(t->best.list, p->list, p->count * sizeof(*p->list));
	t->best.count = p->count;
}
