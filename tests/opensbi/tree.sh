#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# tree.sh DTB DTSI OUT: replaces the rows in a machine's device tree by those of DTSI
set -eu
dtc -q -I dtb -O dts "$1" | awk -v file="$2" '
	/riscv,event-to-mhpmcounters/ {
		while ((getline line <file) > 0)
			print line
		next
	}
	{ print }' | dtc -q -I dts -O dtb -o "$3"
