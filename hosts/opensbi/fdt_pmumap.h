/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fdt_pmumap.h -- adds to fdt_pmu.h what a platform needs with a map. See README.md.
 */
#ifndef __FDT_PMUMAP_H__
#define __FDT_PMUMAP_H__

#include <sbi/sbi_pmumap.h>

/*
 * The value of mhpmevent for a hardware event; 0 rejects the event. A platform's operation
 * pmu_xlate_to_mhpmevent needs no more than this.
 */
static inline uint64_t fdt_pmu_xlate_to_mhpmevent(uint32_t event_idx,
						  uint64_t data)
{
	const struct pmumap *map = pmumap_thishart();
	uint64_t value;

	return map && pmumap_encode(map, event_idx, data, PMUMAP_RULE_ABSENT,
				    &value)
		       ? value
		       : 0;
}

#endif
