/* SPDX-License-Identifier: BSD-2-Clause
 *
 * assign.h -- what the verb assign is asked for, and what comes of it.
 */
#ifndef ASSIGN_H
#define ASSIGN_H

#include "map/map.h"
#include "source/request.h"

struct plan {
	const char **queries;
	struct pmumap_want *wants;
	int *modes;      /* whether they matter to the event */
	uint32_t *group; /* with groups, from 1 on; 0: nothing free counts the event */
	uint32_t groups; /* 0: all events are to run at once */
	uint32_t unpinned, features;
	int count;
};

/*
 * Gives the events counters. grouped: in the fewest groups such that all events of one run at once,
 * as perf's {...}. What firmware counts, without a counter, is in group 1.
 */
void make_plan(const struct pmumap *map, struct plan *p, int grouped);

#endif /* ASSIGN_H */
