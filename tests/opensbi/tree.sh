#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# tree.sh DTB ROWS OUT: replaces the rows in a machine's device tree. ROWS is a file, or a name of
# rows() below, or "two": splits the riscv,pmu node of a machine with two harts into one for each hart.
# Event 3 then has counters 3 to 6 on hart 0, and 3 and 4 on hart 1.
set -eu
source=$(dtc -q -I dtb -O dts "$1")

# NAME: why, and then the rows
rows() {
	awk -v name="$1:" '/^[a-z]/ { on = $1 == name } on && /^\t/' <<'END'
bad: row 1 overlaps row 0, 7 has no selector, 9 names a fixed counter, and all raw rows meet
	riscv,event-to-mhpmcounters =
		<0x3 0x4 0x18>, <0x4 0x6 0x60>, <0x10019 0x10019 0x7fff8>, <0x7 0x7 0x80>, <0x9 0x9 0x1>;
	riscv,event-to-mhpmevent =
		<0x3 0x0 0x10019>, <0x4 0x0 0x1001b>, <0x5 0x0 0x10021>, <0x6 0x0 0x7>, <0x9 0x0 0x9>,
		<0x10019 0x0 0x10019>;
	riscv,raw-event-to-mhpmcounters =
		<0x0 0x0 0x0 0x0 0x100>,
		<0x0 0x2 0xffffffff 0xffffffff 0x8>,
		<0x0 0x0 0xffffffff 0xfffffff0 0x30>;

raw: two raw rows meet, neither inside the other; 9 has no selector, but is the selector of 7
	riscv,event-to-mhpmcounters = <0x7 0x7 0x80>, <0x9 0x9 0x80>;
	riscv,event-to-mhpmevent = <0x7 0x0 0x9>;
	riscv,raw-event-to-mhpmcounters =
		<0x0 0x2 0xffffffff 0xffffff0f 0x8>,
		<0x0 0x0 0xffffffff 0xfffffff0 0x30>;

swapped: load misses and store misses have each other's selectors; 0x10021 has none
	riscv,event-to-mhpmcounters =
		<0x1 0x1 0x7fff9>, <0x2 0x2 0x7fffc>, <0x10019 0x10019 0x7fff8>, <0x1001b 0x1001b 0x7fff8>,
		<0x10021 0x10021 0x7fff8>;
	riscv,event-to-mhpmevent =
		<0x1 0x0 0x1>, <0x2 0x0 0x2>, <0x10019 0x0 0x1001b>, <0x1001b 0x0 0x10019>;
END
}
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
	rows=$(cat "$2" 2>/dev/null || rows "$2")
	[ "$rows" ] || { echo "tree.sh: no rows $2" >&2; exit 1; }
	echo "$source" | ROWS=$rows awk '
		/riscv,event-to-mhpmcounters/ { print ENVIRON["ROWS"]; next }
		{ print }'
fi | dtc -q -I dts -O dtb -o "$3"
