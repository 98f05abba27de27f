#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# tree.sh DTB ROWS OUT: replaces the rows in a machine's device tree. ROWS is a file, or a name in
# rows.txt, or "two": splits the riscv,pmu node of a machine with two harts into one for each hart.
# Event 3 then has counters 3 to 6 on hart 0, and 3 and 4 on hart 1.
set -eu
source=$(dtc -q -I dtb -O dts "$1")

node() {
	printf 'pmu-%d { compatible = "riscv,pmu"; interrupts-extended = <%s 13>;\n' "$1" "$2"
	printf 'riscv,event-to-mhpmevent = <0x3 0x0 0x10019>;\n'
	printf 'riscv,event-to-mhpmcounters = <0x3 0x3 %s>; };\n' "$3"
}
phandle() {
	fdtget -t x "$1" "/cpus/cpu@$2/interrupt-controller" phandle
}

if [ "$2" = two ]; then
	echo "$source" | awk '/^\tpmu {/ { skip = 1 } !skip { print } /^\t};/ { skip = 0 }'
	echo '/ {'
	node 1 "0x$(phandle "$1" 1)" 0x18
	node 0 "0x$(phandle "$1" 0)" 0x78
	echo '};'
else
	rows=$(cat "$2" 2>/dev/null ||
		awk -v name="$2:" '/^[a-z]/ { on = $1 == name } on && /^\t/' tests/opensbi/rows.txt)
	[ "$rows" ] || { echo "tree.sh: no rows $2" >&2; exit 1; }
	echo "$source" | ROWS=$rows awk '
		/riscv,event-to-mhpmcounters/ { print ENVIRON["ROWS"]; next }
		{ print }'
fi | dtc -q -I dts -O dtb -o "$3"
