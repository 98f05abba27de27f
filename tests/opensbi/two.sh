#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# two.sh DTB OUT: splits the riscv,pmu node of a machine with two harts into one for each hart.
# Event 3 has counters 3 to 6 on hart 0, and 3 and 4 on hart 1.
set -eu
node() {
	printf 'pmu-%d { compatible = "riscv,pmu"; interrupts-extended = <%s 13>;\n' "$1" "$2"
	printf 'riscv,event-to-mhpmevent = <0x3 0x0 0x10019>;\n'
	printf 'riscv,event-to-mhpmcounters = <0x3 0x3 %s>; };\n' "$3"
}
phandle() {
	fdtget -t x "$1" "/cpus/cpu@$2/interrupt-controller" phandle
}
{
	dtc -q -I dtb -O dts "$1" | awk '/^\tpmu {/ { skip = 1 } !skip { print } /^\t};/ { skip = 0 }'
	echo '/ {'
	node 1 "0x$(phandle "$1" 1)" 0x18
	node 0 "0x$(phandle "$1" 0)" 0x78
	echo '};'
} | dtc -q -I dts -O dtb -o "$2"
