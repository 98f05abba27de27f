/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fdt_pmumap.c -- implements fdt_pmu.h of OpenSBI with a map of the device tree. See
 * README.md.
 */
#include <libfdt.h>
#include <sbi/sbi_ecall_interface.h>
#include <sbi/sbi_hart.h>
#include <sbi/sbi_pmu.h>
#include <sbi/sbi_pmumap.h>
#include <sbi/sbi_scratch.h>
#include <sbi_utils/fdt/fdt_pmu.h>
#include <sbi_utils/fdt/fdt_pmumap.h>

int fdt_pmu_setup(const void *fdt)
{
	return fdt ? sbi_pmu_read_tree(fdt) : SBI_EINVAL;
}

/* The tables are for firmware only, and without Sscofpmf no counter interrupts. */
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
	const struct pmumap *map = pmumap_thishart();
	uint64_t selector;

	return map && pmumap_selector(map, event_idx, &selector) ? selector : 0;
}
