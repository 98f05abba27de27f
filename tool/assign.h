/* SPDX-License-Identifier: BSD-2-Clause
 *
 * assign.h -- events that take turns on the counters.
 */
#ifndef ASSIGN_H
#define ASSIGN_H

#include "map.h"

/*
 * The fewest groups such that all events of one run at once, as perf's {...}. wants: as
 * pmumap_plan_all() leaves them; each gets a counter, of those that are free, in its group. group:
 * from 1 on; 0: nothing free counts the event. Firmware counts without a counter: group 1. Returns
 * how many groups there are.
 */
uint32_t plan_groups(struct pmumap_want *wants, uint32_t count, uint32_t unpinned, uint32_t *group);

#endif /* ASSIGN_H */
