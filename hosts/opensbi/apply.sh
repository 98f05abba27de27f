#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: hosts/opensbi/apply.sh CHECKOUT [--depth map|server]
#
# Puts pmumap into OpenSBI 1.6 to 1.9. With "map", the default, sbi_pmu.c looks events up in a map of
# the tree, and fix.sh fixes its defects first. With "server", pmumap_server.h answers the calls.
. "$(dirname "$0")/../edit.sh"
. "$host/edits.sh"

[ $# != 1 ] || set -- "$1" --depth map
depth=${3-}
case $2:$depth in
--depth:map | --depth:server) ;;
*)
	echo "usage: $0 CHECKOUT [--depth map|server]" >&2
	exit 2
	;;
esac

# The maps, and fdt_pmu.c, which reads them with libfdt.
add_maps() {
	add "$host/sbi_pmu_map.c" lib/sbi/sbi_pmu_map.c
	add "$host/sbi_pmu_map.h" include/sbi/sbi_pmu_map.h
	after lib/sbi/objects.mk ' sbi_pmu\.o$' <<'END'
libsbi-objs-y += sbi_pmu_map.o
END
	for name in 'struct fdt_pmu_hw_event_select_map .*fdt_pmu_evt_select' 'uint32_t hw_event_count'; do
		cut_out $fdt "^(static )?$name"
		copy $reader
		! grep -qE "^extern $name" "$edited/$reader" || cut_out $reader "^extern $name"
	done
	copy $fdt
	! grep -q '^#define FDT_PMU_HW_EVENT_MAX' "$edited/$fdt" || cut_out $fdt '^#define FDT_PMU_HW_EVENT_MAX'
	drop_select_list
	after $fdt '<sbi/sbi_hart\.h>' <<'END'
#include <sbi/sbi_hartmask.h>
#include <sbi/sbi_pmu_map.h>
END
	fix_up_all_nodes
	before_function $fdt fdt_pmu_fixup <<'END'
static int fdt_pmu_nodes;

END
	in_body $fdt fdt_pmu_fixup 1 'int pmu_offset;' 's/;/, nodes = fdt_pmu_nodes;/'
	in_body $fdt fdt_pmu_fixup 1 'by_compatible\(fdt, pmu_offset,' 'i\
		if (--nodes <= 0)\
			break;'
	before_function $fdt fdt_pmu_setup <<END
/* Add the map of a node, for the harts that interrupts-extended names */
static int fdt_pmu_add_node(const void *fdt, int node)
{
	static const char *const tables[] = {
		"riscv,event-to-mhpmevent",
		"riscv,event-to-mhpmcounters",
		"riscv,raw-event-to-mhpmcounters",
	};
	int i, j, table, cpus, cpu, intc, len, rc, bytes[3], rows = 0;
	u32 hartid, phandle, row[5];
	struct sbi_hartmask harts = { 0 };
	const fdt32_t *cell, *cells[3];

	for (i = 0; i < 3; i++) {
		cells[i] = fdt_getprop(fdt, node, tables[i], &bytes[i]);
		rows += cells[i] ? bytes[i] / (i == 2 ? 20 : 12) : 0;
	}
	rc = sbi_pmu_begin_map(rows, !!cells[0]);
	if (rc)
		return rc;

	for (table = 0; table < 3; table++) {
		len = table == 2 ? 5 : 3;
		for (i = 0; cells[table] && i < bytes[table] / 4 / len; i++) {
			for (j = 0; j < len; j++)
				row[j] = fdt32_to_cpu(cells[table][i * len + j]);
			if (table == 0)
				sbi_pmu_add_hw_event_select(row[0],
					(uint64_t)row[1] << 32 | row[2]);
			else if (table == 1)
				sbi_pmu_add_hw_event_counter_map(row[0], row[1],
								 row[2]);
			else
				sbi_pmu_add_raw_event_counter_map(
					(uint64_t)row[0] << 32 | row[1],
					(uint64_t)row[2] << 32 | row[3], row[4]);
		}
	}

	cell = fdt_getprop(fdt, node, "interrupts-extended", &len);
	if (!cell)
		return sbi_pmu_finish_map(NULL);

$fdt_harts

	return sbi_pmu_finish_map(&harts);
}

END
	rewrite $fdt fdt_pmu_setup <<'END'
	int node, rc = 0;

	if (!fdt)
		return SBI_EINVAL;

	node = fdt_node_offset_by_compatible(fdt, -1, "riscv,pmu");
	if (node < 0)
		return SBI_ENOENT;

	for (; node >= 0; fdt_pmu_nodes++) {
		if (!rc)
			rc = fdt_pmu_add_node(fdt, node);
		node = fdt_node_offset_by_compatible(fdt, node, "riscv,pmu");
	}

	return rc;
END
	after $generic '<sbi/sbi_platform\.h>' <<'END'
#include <sbi/sbi_pmu_map.h>
END
	rewrite $generic generic_pmu_xlate_to_mhpmevent <<'END'
	return sbi_pmu_get_select_value(event_idx, data);
END
}

# The server takes the place of sbi_pmu.c.
serve() {
	add "$host/sbi_pmu_memory.h" include/sbi/sbi_pmu_memory.h
	copy $pmu
	cat "$host/sbi_pmu_server.c" >"$edited/$pmu"
	# A counter's number has all bits of its register.
	wide='s/uint32_t/unsigned long/'
	change $header '^int sbi_pmu_ctr_get_info\(' "$wide"
	# Before 1.9, FW_READ_HI answered any number on RV64.
	if grep -q '^int sbi_pmu_ctr_fw_read(uint32_t' "$src/$header"; then
		change $header '^int sbi_pmu_ctr_fw_read\(' "$wide"
		before lib/sbi/sbi_ecall_pmu.c '^		out->value = 0;' <<'END'
		ret = sbi_pmu_ctr_fw_read(regs->a0, &temp);
END
	fi
}

# sbi_pmu.c looks events up.
look_up() {
	after $pmu '<sbi/sbi_pmu\.h>' <<'END'
#include <sbi/sbi_pmu_map.h>
END
	cut_out $pmu '^struct sbi_pmu_hw_event \{' '^};'
	cut_out $pmu '^static struct sbi_pmu_hw_event \*hw_event_map;'
	cut_out $pmu '^static uint32_t num_hw_events;'
	drop_row_list
	cut_out $pmu '^int sbi_pmu_add_hw_event_counter_map\(' '^}'
	cut_out $pmu '^int sbi_pmu_add_raw_event_counter_map\(' '^}'
	drop_event_argument
	rewrite $pmu pmu_event_counters <<'END'
	return sbi_pmu_get_counters(event_idx, data) &
	       sbi_hart_mhpm_mask(sbi_scratch_thishart_ptr());
END
	drop_row_block hw_event_map
	in_body $pmu sbi_pmu_init 1 'mcycle & minstret is available' 'i\
		sbi_pmu_finish_map(NULL);\

'
}

if [ $depth = server ]; then
	add_maps
	serve
	header include/sbi/pmumap.h opensbi/server
	finish "lib: sbi_pmu: Serve the PMU extension by pmumap

The tree's riscv,pmu nodes become maps at boot, one for each kind of hart.
EVENT_GET_INFO agrees with CONFIG_MATCHING for every event. An unusable row is
skipped without losing the others."
else
	fixes=$("$host/fix.sh" "$src" --list | grep -vx -e bad-row -e empty-selectors)
	"$host/fix.sh" "$src" $fixes
	left="the fixes stay"
	add_maps
	look_up
	header include/sbi/pmumap.h opensbi/map
	finish "lib: sbi_pmu: Look events up in a map of the tree

The tree's riscv,pmu nodes become maps at boot, one for each kind of hart. An
unusable row is skipped without losing the others. Counters and selectors are
looked up, not searched. The maps take less memory than the lists."
fi
