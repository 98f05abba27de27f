/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fdt_pmumap.c -- for OpenSBI: the functions of fdt_pmu.h, by a map of the device tree. See
 * README.md.
 *
 * With CONFIG_PMUMAP_SERVER the map is used as it is. Without, sbi_pmu.c goes on to choose counters
 * by scanning rows: it gets rows here that its checks cannot refuse, each event in one range only.
 */
#include <libfdt.h>
#include <sbi/sbi_ecall_interface.h>
#include <sbi/sbi_hart.h>
#include <sbi/sbi_pmu.h>
#include <sbi/sbi_pmumap.h>
#include <sbi/sbi_scratch.h>
#include <sbi_utils/fdt/fdt_pmu.h>
#include <sbi_utils/fdt/fdt_pmumap.h>

#ifdef CONFIG_PMUMAP_SERVER
#include <sbi/sbi_pmu_server.h>

#define map sbi_pmu_map()

static int use_tree(const void *fdt)
{
	return sbi_pmu_read_tree(fdt);
}
#else
static const struct pmumap
	*map; /* in the heap, for good; NULL: there is none */

/* The programmable counters of this hart that may count an event; 0: it cannot be counted. */
static uint32_t programmable(uint32_t event, uint32_t present)
{
	return fdt_pmu_xlate_to_mhpmevent(event, 0)
		       ? pmumap_counters(map, event) & present
		       : 0;
}

/* Whether no event has a selector, and so each is its own: as pmumap_encode() does it. */
static bool own_numbers(void)
{
	return !fdt_pmu_get_select_value(SBI_PMU_HW_CPU_CYCLES) &&
	       fdt_pmu_xlate_to_mhpmevent(SBI_PMU_HW_CPU_CYCLES, 0);
}

static int hand_range(uint32_t first, uint32_t last, uint32_t counters)
{
	return counters
		       ? sbi_pmu_add_hw_event_counter_map(first, last, counters)
		       : 0;
}

/* Neighbouring runs with the same counters become one row: selectors do not matter here. */
static int hand_ranges(uint32_t present)
{
	uint32_t first = 0, last = SBI_PMU_HW_INSTRUCTIONS, counters = 0, c;
	const bool own = own_numbers();
	struct pmumap_run run;
	int rc;

	/* A row each, if only for the fixed counter: what has no row is "not supported". */
	rc = hand_range(SBI_PMU_HW_CPU_CYCLES, SBI_PMU_HW_CPU_CYCLES,
			programmable(SBI_PMU_HW_CPU_CYCLES, present) | 0x1);
	rc |= hand_range(SBI_PMU_HW_INSTRUCTIONS, SBI_PMU_HW_INSTRUCTIONS,
			 programmable(SBI_PMU_HW_INSTRUCTIONS, present) | 0x4);
	while (pmumap_event_next(map, last + 1, &run) &&
	       run.first < PMUMAP_EVENT_RAW) {
		c = (run.has_selector ? run.selector != 0 : own)
			    ? run.counters & present
			    : 0;
		if (run.first != last + 1 || c != counters) {
			rc |= hand_range(first, last, counters);
			first	 = run.first;
			counters = c;
		}
		last = run.last < PMUMAP_EVENT_RAW ? run.last
						   : PMUMAP_EVENT_RAW - 1;
	}
	return rc | hand_range(first, last, counters);
}

/*
 * Of rows for the same events only the first one is taken: it gets the counters of all. This is
 * done before any range is handed on: after one, a row that matches every event passes for such.
 */
static int hand_raw(uint32_t present)
{
	uint64_t select, mask, other_select, other_mask;
	uint32_t i, j, counters, more;
	int rc = 0;

	for (i = 0; pmumap_raw_at(map, i, &select, &mask, &counters); i++) {
		for (j = 0;
		     pmumap_raw_at(map, j, &other_select, &other_mask, &more);
		     j++) {
			if (other_select != select || other_mask != mask)
				continue;
			if (j < i)
				break;
			counters |= more;
		}
		counters &= present;
		if (j >= i && counters)
			rc |= sbi_pmu_add_raw_event_counter_map(select, mask,
								counters);
	}
	return rc;
}

static PMUMAP_SMALL int use_tree(const void *fdt)
{
	const uint32_t present =
		sbi_hart_mhpm_mask(sbi_scratch_thishart_ptr()) &
		~SBI_PMU_FIXED_CTR_MASK;
	int rc = pmumap_of_tree(fdt, &map);

	if (rc)
		return rc;
	rc = hand_raw(present);
	return rc | hand_ranges(present) ? SBI_ENOSPC : 0;
}
#endif

int fdt_pmu_setup(const void *fdt)
{
	return fdt ? use_tree(fdt) : SBI_EINVAL;
}

/* Tables are for firmware; and without Sscofpmf no counter interrupts. */
PMUMAP_SMALL int fdt_pmu_fixup(void *fdt)
{
	static const char *const names[] = {
		"riscv,event-to-mhpmevent",
		"riscv,event-to-mhpmcounters",
		"riscv,raw-event-to-mhpmcounters",
		"pmu,event-to-mhpmevent",
		"pmu,event-to-mhpmcounters",
		"pmu,raw-event-to-mhpmcounters",
	};
	struct sbi_scratch *scratch = sbi_scratch_thishart_ptr();
	int node, found = SBI_ENOENT;
	unsigned int i;

	if (!fdt)
		return SBI_EINVAL;
	for (node = fdt_node_offset_by_compatible(fdt, -1, "riscv,pmu");
	     node >= 0;
	     node = fdt_node_offset_by_compatible(fdt, node, "riscv,pmu")) {
		for (i = 0; i < array_size(names); i++)
			fdt_delprop(fdt, node, names[i]);
		if (!sbi_hart_has_extension(scratch, SBI_HART_EXT_SSCOFPMF))
			fdt_delprop(fdt, node, "interrupts-extended");
		found = 0;
	}
	return found;
}

PMUMAP_SMALL uint64_t fdt_pmu_get_select_value(uint32_t event_idx)
{
	uint64_t selector;

	return map && pmumap_selector(map, event_idx, &selector) ? selector : 0;
}

PMUMAP_SMALL uint64_t fdt_pmu_xlate_to_mhpmevent(uint32_t event_idx,
						 uint64_t data)
{
	uint64_t value;

	return map && pmumap_encode(map, event_idx, data, PMUMAP_RULE_ABSENT,
				    &value)
		       ? value
		       : 0;
}
