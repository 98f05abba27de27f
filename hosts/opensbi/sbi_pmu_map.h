/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026, the pmumap authors
 *
 * sbi_pmu_map.h -- the maps of PMU events, one for each kind of hart.
 */
#ifndef __SBI_PMU_MAP_H__
#define __SBI_PMU_MAP_H__

#include <sbi/sbi_types.h>

struct sbi_hartmask;

#define PMUMAP_NO_STDINT
#define PMUMAP_NO_NATIVE /* OpenSBI accesses the CSRs; the header's code is 850 bytes more */
#include <sbi/pmumap.h>

/*
 * Optimise the function, and all that only it calls, for size. For code that
 * runs once at boot, or whose CSR accesses dominate.
 */
#define PMUMAP_SMALL __attribute__((cold))

/**
 * Add the map of a riscv,pmu node
 * @param cells Values of riscv,event-to-mhpmevent, -mhpmcounters and riscv,raw-event-to-mhpmcounters
 * @param bytes Their lengths, as fdt_getprop() returns them
 * @param harts Harts that the node names; NULL: all that no node names
 * @return 0 on success, error otherwise
 */
int sbi_pmu_add_node(const void *const cells[3], const int bytes[3],
		     const struct sbi_hartmask *harts);

/** Make the rows that a platform has added the map of all harts that have none */
void sbi_pmu_finish_rows(void);

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
