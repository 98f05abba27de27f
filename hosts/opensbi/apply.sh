#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: hosts/opensbi/apply.sh CHECKOUT [--depth map|server]
#
# Puts pmumap into OpenSBI 1.6 to 1.9 and enables it for PLATFORM=generic. With "map", the default,
# sbi_pmu.c looks events up in the map, and fix.sh fixes its defects first. With "server",
# pmumap_server.h replaces sbi_pmu.c.
. "$(dirname "$0")/../edit.sh"

[ $# != 1 ] || set -- "$1" --depth map
depth=${3-}
case $2:$depth in
--depth:map | --depth:server) ;;
*)
	echo "usage: $0 CHECKOUT [--depth map|server]" >&2
	exit 2
	;;
esac

pmu=lib/sbi/sbi_pmu.c

add "$host/sbi_pmumap.h" include/sbi/sbi_pmumap.h
add "$host/fdt_pmumap.h" include/sbi_utils/fdt/fdt_pmumap.h
add "$host/fdt_pmumap.c" lib/utils/fdt/fdt_pmumap.c

before lib/utils/fdt/Kconfig '^config FDT_FIXUPS_PRESERVE_PMU_NODE' <"$host/Kconfig"
after lib/utils/fdt/objects.mk 'fdt/fdt_pmu\.o' <<'END'
libsbiutils-objs-$(CONFIG_PMUMAP) += fdt/fdt_pmumap.o
END
# If the symbol is off, the file goes to objs-n or objs-, which nothing reads.
change lib/utils/fdt/objects.mk 'fdt/fdt_pmu\.o' 's/\$\(CONFIG_FDT_PMU\)/$(if $(CONFIG_PMUMAP),n,&)/'
after platform/generic/platform.c '<sbi_utils/fdt/fdt_pmu\.h>' <<'END'
#include <sbi_utils/fdt/fdt_pmumap.h>
END
inside platform/generic/platform.c '^[a-z].*generic_pmu_xlate_to_mhpmevent\(uint32_t' <<'END'
#ifdef CONFIG_PMUMAP
	return fdt_pmu_xlate_to_mhpmevent(event_idx, data);
#endif
END

defconfig=platform/generic/configs/defconfig
if [ $depth = server ]; then
	add "$host/sbi_pmu_memory.h" include/sbi/sbi_pmu_memory.h
	add "$host/sbi_pmu_server.c" lib/sbi/sbi_pmu_server.c
	after lib/sbi/objects.mk ' sbi_pmu\.o$' <<'END'
libsbi-objs-$(CONFIG_PMUMAP_SERVER) += sbi_pmu_server.o
END
	change lib/sbi/objects.mk ' sbi_pmu\.o$' 's/objs-y/objs-$(if $(CONFIG_PMUMAP_SERVER),n,y)/'
	# A counter's number has all bits of its register.
	wide='s/uint32_t/unsigned long/'
	change include/sbi/sbi_pmu.h '^int sbi_pmu_ctr_get_info\(' "$wide"
	# Before 1.9, FW_READ_HI answered any number on RV64.
	if grep -q '^int sbi_pmu_ctr_fw_read(uint32_t' "$src/include/sbi/sbi_pmu.h"; then
		change include/sbi/sbi_pmu.h '^int sbi_pmu_ctr_fw_read\(' "$wide"
		before lib/sbi/sbi_ecall_pmu.c '^		out->value = 0;' <<'END'
		ret = sbi_pmu_ctr_fw_read(regs->a0, &temp);
END
	fi
	after $defconfig '^CONFIG_FDT_GPIO=y' <<'END'
CONFIG_PMUMAP=y
CONFIG_PMUMAP_SERVER=y
END
	header include/sbi/pmumap.h "$host"/*.[ch]
	finish "lib: sbi_pmu: Serve the PMU extension by pmumap

The tree's riscv,pmu node becomes a map at boot. EVENT_GET_INFO agrees with
CONFIG_MATCHING for every event. An unusable row is skipped without losing
the others."
else
	fixes=$("$host/fix.sh" "$src" --list | grep -vx -e bad-row -e empty-selectors)
	"$host/fix.sh" "$src" $fixes
	left="the fixes stay"
	after $pmu '<sbi/sbi_string\.h>' <<'END'
#ifdef CONFIG_PMUMAP
#include <sbi/sbi_pmumap.h>
#endif
END
	change $pmu '^static uint32_t pmu_event_counters\(' 's/event/row/'
	before $pmu '^static int pmu_ctr_find_fixed_hw\(' <<'END'
#ifndef CONFIG_PMUMAP
#define pmu_event_counters pmu_row_counters
#else
const struct pmumap *sbi_pmu_map, **sbi_pmu_maps;
static uint32_t map_counters; /* programmable counters of the boot hart */
static bool map_is_plain; /* every event with counters has a value for mhpmevent */

/* An event without a value for mhpmevent has no counters. */
static PMUMAP_SMALL uint32_t pmu_search_counters(unsigned long event_idx,
						 uint64_t data)
{
	const struct pmumap *map = pmumap_thishart();
	uint32_t counters = map_counters;
	uint64_t value;

	if (!map)
		return pmu_row_counters(event_idx, data);
	if (sbi_pmu_maps)
		counters = sbi_hart_mhpm_mask(sbi_scratch_thishart_ptr()) &
			   ~SBI_PMU_FIXED_CTR_MASK;
	if (event_idx > PMUMAP_EVENT_RAW_V2 ||
	    !pmumap_encode(map, event_idx, data, PMUMAP_RULE_ABSENT,
			   &value) ||
	    !value)
		return 0;
	return counters & (event_idx < PMUMAP_EVENT_RAW ?
			   pmumap_counters(map, event_idx) :
			   pmumap_raw_counters(map, value));
}

/* A platform's rows are used only if the tree has no PMU. */
static inline uint32_t pmu_event_counters(unsigned long event_idx, uint64_t data)
{
	if (!map_is_plain || event_idx >= PMUMAP_EVENT_RAW)
		return pmu_search_counters(event_idx, data);
	return pmumap_counters(sbi_pmu_map, event_idx) & map_counters;
}

PMUMAP_SMALL int sbi_pmu_read_tree(const void *fdt)
{
	struct pmumap_run run = { .last = -1 };
	int rc = pmumap_of_tree(fdt);

	if (rc)
		return rc;
	map_counters = sbi_hart_mhpm_mask(sbi_scratch_thishart_ptr()) &
		       ~SBI_PMU_FIXED_CTR_MASK;
	map_is_plain = !sbi_pmu_maps;
	while (map_is_plain && pmumap_event_next(sbi_pmu_map, run.last + 1, &run) &&
	       run.first < PMUMAP_EVENT_RAW)
		if (run.counters & map_counters && !pmu_search_counters(run.first, 0))
			map_is_plain = false;
	return 0;
}
#endif

END
	after $defconfig '^CONFIG_FDT_GPIO=y' <<'END'
CONFIG_PMUMAP=y
END
	header include/sbi/pmumap.h "$host"/*_pmumap.[ch] "$edited/$pmu"
	finish "lib: sbi_pmu: Look events up in a map of the tree

The tree is validated in one pass before any row is used. An unusable row is
skipped without losing the others. Counters and selectors are looked up, not
searched."
fi
