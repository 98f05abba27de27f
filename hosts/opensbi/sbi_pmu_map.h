/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026, the pmumap authors
 *
 * sbi_pmu_map.h -- the maps of PMU events, one for each kind of hart.
 */
#ifndef __SBI_PMU_MAP_H__
#define __SBI_PMU_MAP_H__

#include <sbi/sbi_types.h>

struct pmumap;
struct sbi_hartmask;

/**
 * Begin the map of a riscv,pmu node. Then add its rows, in any order.
 * @param rows      How many rows follow at most
 * @param selectors Whether the node has a table of values for mhpmevent, which may be empty
 * @return 0 on success, error otherwise
 */
int sbi_pmu_begin_map(unsigned long rows, bool selectors);

/** Add a row of riscv,event-to-mhpmevent; sbi_pmu.h declares the functions for the other tables */
int sbi_pmu_add_hw_event_select(u32 event_idx, uint64_t select);

/**
 * Make the rows that were added the map of these harts
 * @param harts Harts that the node names; NULL: all that no node names
 * @return 0 on success, also without rows, error otherwise
 */
int sbi_pmu_finish_map(const struct sbi_hartmask *harts);

/** This hart's map, or NULL */
const struct pmumap *sbi_pmu_thishart_map(void);

/**
 * Get the value for mhpmevent from this hart's map
 * @param event_idx Event idx
 * @param data      Data of a raw event
 * @return the value, or 0 if there is none
 */
uint64_t sbi_pmu_get_select_value(u32 event_idx, uint64_t data);

/** Get the counters of an event from this hart's map; none if it has no value for mhpmevent */
uint32_t sbi_pmu_get_counters(u32 event_idx, uint64_t data);

#endif
