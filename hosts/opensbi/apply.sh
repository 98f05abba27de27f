#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: hosts/opensbi/apply.sh CHECKOUT [--depth map|server]
#
# Puts pmumap into OpenSBI, 1.6 to 1.9, and turns it on for PLATFORM=generic: with "map", which is
# the default, behind the functions of fdt_pmu.h; with "server" behind those of sbi_pmu.h too. With
# "map" sbi_pmu.c goes on to work, so it is mended, as fix.sh does it.
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

for header in pmumap pmumap_fdt; do
	add "$product/$header.h" include/sbi/$header.h
done
add "$host/sbi_pmumap.h" include/sbi/sbi_pmumap.h
add "$host/fdt_pmumap.h" include/sbi_utils/fdt/fdt_pmumap.h
add "$host/fdt_pmumap.c" lib/utils/fdt/fdt_pmumap.c

before lib/utils/fdt/Kconfig '^config FDT_FIXUPS_PRESERVE_PMU_NODE' <"$host/Kconfig"
after lib/utils/fdt/objects.mk 'fdt/fdt_pmu\.o' <<'END'
libsbiutils-objs-$(CONFIG_PMUMAP) += fdt/fdt_pmumap.o
END
# A file of a symbol that is off goes to objs-n or objs-, which nobody reads.
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
	for header in pmumap_hw pmumap_server; do
		add "$product/$header.h" include/sbi/$header.h
	done
	add "$host/sbi_pmu_memory.h" include/sbi/sbi_pmu_memory.h
	add "$host/sbi_pmu_server.h" include/sbi/sbi_pmu_server.h
	add "$host/sbi_pmu_server.c" lib/sbi/sbi_pmu_server.c
	after lib/sbi/objects.mk ' sbi_pmu\.o$' <<'END'
libsbi-objs-$(CONFIG_PMUMAP_SERVER) += sbi_pmu_server.o
END
	change lib/sbi/objects.mk ' sbi_pmu\.o$' 's/objs-y/objs-$(if $(CONFIG_PMUMAP_SERVER),n,y)/'
	after $defconfig '^CONFIG_FDT_GPIO=y' <<'END'
CONFIG_PMUMAP=y
CONFIG_PMUMAP_SERVER=y
END
	finish "lib: sbi_pmu: Serve the PMU extension by pmumap

The tree's riscv,pmu node becomes a map at boot. EVENT_GET_INFO answers what
CONFIG_MATCHING does, for every event, and rows that cannot be used are left
out one by one."
else
	after $defconfig '^CONFIG_FDT_GPIO=y' <<'END'
CONFIG_PMUMAP=y
END
	finish "lib: utils: fdt_pmu: Read the PMU's node into a map

The tree is judged in one pass before a row of it is believed, and rows that
cannot be used are left out one by one. Selectors are looked up, not searched."
	"$host/fix.sh" "$src" $("$host/fix.sh" "$src" --list | grep -vx -e bad-row -e empty-selectors)
fi
