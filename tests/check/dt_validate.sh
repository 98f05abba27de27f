#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Validates the nodes that pmumap_fdt_emit() writes for every board, and the trees with IMC and AMU,
# with dt-validate (Debian: dt-schema), if installed. It has no schemas for them, so tests/schemas has.
. tests/check/lib.sh

schemas=tests/schemas

if ! command -v dt-validate >/dev/null || ! command -v dtc >/dev/null; then
	echo "SKIP emitted nodes against the binding (dt-schema is not installed)"
	echo "0 passed, 0 failed"
	exit
fi
# dt-mk-schema leaves out a schema with mistakes, and says so on stderr.
dt-mk-schema -j -o "$dir/schemas.json" $schemas >"$dir/out" 2>&1 && ! grep . "$dir/out" && pass ||
	fail "the schemas"

# validate TREE [SCHEMA]: dt-validate reports errors in its output, not in its exit status. Only this
# schema applies: others expect a complete tree.
validate() {
	dt-validate -s "$dir/schemas.json" -l ${2:-riscv,pmu} "$1" >"$dir/said" 2>&1
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
	case $name in
	# The examples of two documents have an event 0xb, and a raw event of 64 bits.
	*-example1) refused "$name" "11 is not one of" validate "$dir/$name.dtb" ;;
	*) works "$name by the binding" validate "$dir/$name.dtb" ;;
	esac
done
dt-doc-validate $schemas/perf/riscv,pmu.yaml >"$dir/said" 2>&1
nothing "the schema for Linux" "$(grep -v 'relative path\|expected:' "$dir/said")"

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

# Boards that follow the bindings of today.
for name in gen-e gen-f gen-g gen-h live mambo power8 power9 power10 power10-dd1 power10-links \
	same-name and-riscv; do
	works "imc-$name by the binding" validate build/boards/imc-$name.dtb ibm-imc
done
for name in aff3 mpmm-labels tc2 three views; do
	works "amu-$name by the binding" validate build/boards/amu-$name.dtb arm-amu
done

# Boards of older formats, or with names that their firmware does not read; and trees of findings.
while read -r schema tree pattern; do
	refused "$tree" "$pattern" validate build/$tree.dtb $schema
done <<'END'
ibm-imc boards/imc-gen-d mcs0: 'size' is a required property
ibm-imc boards/imc-gen-e-mixed thread:compatible:0: 'ibm,imc-counters' was expected
ibm-imc boards/imc-doc-names mcs3: 'base_addr', 'chipids' do not match
ibm-imc trees/cell-width size (2) error for type uint32
ibm-imc trees/chip-mismatch mcs2: 'base-addr' is a dependency of 'chip-id'
ibm-imc trees/control-range core: 'offset' is a dependency of 'cb_offset'
ibm-imc trees/events-missing mcs1: 'events' is a required property
ibm-imc trees/list-empty event@0: 'reg' is a required property
ibm-imc trees/list-extra mcs0:events:0: \[1, 2\] is too long
ibm-imc trees/name-missing event@8: 'event-name' is a required property
ibm-imc trees/offset-align mcs1:reg:0:0: 516 is not a multiple of 8
ibm-imc trees/prefix-missing mcs0: 'events-prefix' is a required property
ibm-imc trees/scale-bad scale
ibm-imc trees/scale-empty scale
ibm-imc trees/type-missing mcs0: 'type' is a required property
ibm-imc trees/type-unknown mcs0:type:0:0: 8 is not one of
ibm-imc trees/window-missing mcs1: 'offset' is a required property
arm-amu boards/amu-doc 'cpu0@00000' does not match
arm-amu boards/amu-device-type 'core-0' does not match
arm-amu trees/amu-getter 'counter-1', 'counters' do not match
arm-amu trees/cells amu-0:#address-cells:0:0: 1 was expected
arm-amu trees/counter-name 'ctr@2'
arm-amu trees/counter-range 'counter@10'
arm-amu trees/cpu-reg cpu@1: 'reg' is a required property
arm-amu trees/enable-value is not of type 'boolean'
arm-amu trees/property-near 'enable_at_el3' does not match
arm-amu trees/unit-mismatch 'counter@10'
arm-amu trees/view-extra cpu@0: amu:0: \[1, 2\] is too long
arm-amu trees/view-missing error for type phandle
END
finish
