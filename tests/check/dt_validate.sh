#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Validates the nodes that pmumap_fdt_emit() writes for every board with dt-validate (Debian:
# dt-schema), if installed. It has no schema for riscv,pmu, so tests/schemas has one.
. tests/check/lib.sh

schemas=tests/schemas

if ! command -v dt-validate >/dev/null || ! command -v dtc >/dev/null; then
	echo "SKIP emitted nodes against the binding (dt-schema is not installed)"
	echo "0 passed, 0 failed"
	exit
fi
works "the schema" dt-mk-schema -j -o "$dir/schemas.json" $schemas

# dt-validate reports errors in its output, not in its exit status. Only this schema applies: others
# expect a complete tree.
validate() {
	dt-validate -s "$dir/schemas.json" -l riscv-pmu "$1" >"$dir/said" 2>&1
	[ $? = 0 ] && ! grep . "$dir/said"
}

cat >"$dir/emit.c" <<'EOC'
#include <libfdt.h>
#include <stdio.h>
#include "pmumap_fdt.h"

static unsigned char in[1 << 20], out[1 << 20];
static uint64_t block[1 << 16];

int main(int argc, char **argv)
{
	const struct pmumap *map;
	FILE *f = argc == 3 ? fopen(argv[1], "rb") : 0;
	size_t size = f ? fread(in, 1, sizeof(in), f) : 0;

	if (pmumap_fdt_build(in, size, 0, block, sizeof(block), &map) != PMUMAP_OK ||
	    fdt_create_empty_tree(out, 256) != 0 ||
	    pmumap_fdt_emit(out, sizeof(out), 0, map, 0) != PMUMAP_OK)
		return 1;
	f = fopen(argv[2], "wb");
	return !f || fwrite(out, fdt_totalsize(out), 1, f) != 1 || fclose(f) != 0;
}
EOC
works "the program that emits" ${CC:-gcc} -std=c11 $warnings -I. "$dir/emit.c" -lfdt -o "$dir/emit"

for dts in tests/trees/boards/*.dts; do
	name=$(basename "$dts" .dts)
	case $name in
	imc-[!a]* | amu-*) continue ;;
	esac
	works "$name.dts" dtc -q -I dts -O dtb -o "$dir/board.dtb" "$dts"
	works "$name" "$dir/emit" "$dir/board.dtb" "$dir/$name.dtb"
	works "$name by the binding" validate "$dir/$name.dtb"
done

# wrong WHAT PROPERTIES: the schema rejects these
wrong() {
	printf '/dts-v1/; / { pmu { compatible = "riscv,pmu"; %s }; };' "$2" |
		dtc -q -I dts -O dtb -o "$dir/wrong.dtb"
	refused "$1" "pmu: " validate "$dir/wrong.dtb"
}

wrong "rows of two cells" 'riscv,event-to-mhpmcounters = <1 2>;'
wrong "seven cells" 'riscv,event-to-mhpmcounters = <1 2 3 4 5 6 7>;'
wrong "raw rows of three cells" 'riscv,raw-event-to-mhpmcounters = <0 1 8>;'
wrong "an event of 21 bits" 'riscv,event-to-mhpmcounters = <1 0x100000 8>;'
wrong "no counters" 'riscv,event-to-mhpmcounters = <1 2 0>;'
wrong "selectors alone" 'riscv,event-to-mhpmevent = <1 0 2>;'
wrong "old names" 'pmu,event-to-mhpmcounters = <1 2 8>;'
wrong "text" 'riscv,event-to-mhpmcounters = "text";'
finish
