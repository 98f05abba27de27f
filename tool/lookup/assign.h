/* SPDX-License-Identifier: BSD-2-Clause
 *
 * assign.h -- the question that the verb assign asks, and its answer.
 */
#ifndef ASSIGN_H
#define ASSIGN_H

#include "map/map.h"
#include "source/request.h"

struct plan {
	const char **queries;
	struct pmumap_want *wants;
	unsigned *modes; /* by event: those that it excludes */
	uint32_t *group; /* with groups: numbered from 1; 0 if no free counter fits */
	uint32_t groups; /* 0: all events run at once */
	uint32_t unpinned, features;
	int count;
};

/*
 * Assigns counters to events. grouped: splits the events into as few groups as possible, like
 * perf's {...}; all events of a group run at once. Firmware events need no counter and join group
 * 1.
 */
void make_plan(const struct pmumap *map, struct plan *p, int grouped);

#endif /* ASSIGN_H */
