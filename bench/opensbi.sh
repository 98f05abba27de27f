#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: bench/opensbi.sh DIR BOARD.dtb...
#
# Builds OpenSBI 1.6's own search for a selector, from Debian's source, as a shared object for each
# board in DIR: its tables are static. OpenSBI has no function that returns the counters of an event.
set -eu
dir=$1
shift
src=build/firmware/opensbi-1.6
rm -rf "$dir"
mkdir -p "$dir"
if ! scripts/fetch.sh source opensbi "$src" >"$dir/log" 2>&1; then
	echo "SKIP OpenSBI's own code: its source cannot be had"
	exit
fi
cat >"$dir/opensbi.c" <<'END'
#include "lib/utils/fdt/fdt_pmu.c"

uint64_t opensbi_selector(const void *unused, uint64_t event)
{
	return fdt_pmu_get_select_value((uint32_t)event);
}
END
${CC:-cc} -O2 -w -ffreestanding -fno-strict-aliasing -fPIC -shared -D__riscv_xlen=64 \
	-DCONFIG_FDT_PMU -Itests/opensbi/model -I"$src" -I"$src/include" \
	-I"$src/lib/utils/libfdt" "$dir/opensbi.c" tests/opensbi/model/machine.c \
	"$src/lib/sbi/sbi_pmu.c" "$src/lib/sbi/sbi_bitops.c" -lfdt -o "$dir/opensbi"
for board; do
	cp "$dir/opensbi" "$dir/$(basename "$board" .dtb).so"
done
