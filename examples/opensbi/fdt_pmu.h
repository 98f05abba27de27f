/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fdt_pmu.h -- for OpenSBI, in the place of include/sbi_utils/fdt/fdt_pmu.h: see README.md.
 */
#ifndef __FDT_PMU_H__
#define __FDT_PMU_H__

#include <sbi/sbi_types.h>

#ifdef CONFIG_FDT_PMU

/*
 * Build the map, and hand its rows to sbi_pmu.c. From pmu_init() of the platform, once.
 * Returns 0, also where rows had to be left out; SBI_ENOENT: the tree describes no PMU.
 */
int fdt_pmu_setup(const void *fdt);

/* Take out of the tree what is not for the next stage. From final_init() of the platform. */
int fdt_pmu_fixup(void *fdt);

/* The selector of an event of type 0 or 1; 0: the tree gives none. */
uint64_t fdt_pmu_get_select_value(uint32_t event_idx);

/*
 * What to write to mhpmevent for any hardware event; 0: nothing, the event is refused. The whole
 * of the platform's operation pmu_xlate_to_mhpmevent.
 */
uint64_t fdt_pmu_xlate_to_mhpmevent(uint32_t event_idx, uint64_t data);

#else

static inline int fdt_pmu_setup(const void *fdt)
{
	return 0;
}

static inline int fdt_pmu_fixup(void *fdt)
{
	return 0;
}

static inline uint64_t fdt_pmu_get_select_value(uint32_t event_idx)
{
	return 0;
}

/* Of types 2 and 3 the event is in data. */
static inline uint64_t fdt_pmu_xlate_to_mhpmevent(uint32_t event_idx, uint64_t data)
{
	return event_idx >= 0x20000 ? data : event_idx;
}

#endif

#endif
