#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Prints a table of the headers: lines and bytes, and which of them they include.
set -eu

# purpose NAME: in short; otherwise as the first line of its manual has it
purpose() {
	case $1 in
	pmumap) echo "a RISC-V map: build it from rows, look up, plan, restrict" ;;
	pmumap_fdt) echo "the map of a device tree; writing trees; features of a hart" ;;
	pmumap_check) echo "findings, and the names of events" ;;
	pmumap_hw) echo "counters of a hart, by its CSRs or through SBI" ;;
	pmumap_server) echo "SBI's PMU extension for guests" ;;
	pmumap_imc) echo "IBM's In-Memory Collection: trees, names, offsets, registers" ;;
	pmumap_amu) echo "Arm's activity monitors: trees, CPUs, registers" ;;
	*) sed -n '3s/.* -- \(.*\)[.]$/\1/p' "src/$1.h" ;;
	esac
}

echo "| header | for | includes | lines | bytes |"
echo "|---|---|---|--:|--:|"
for name in $(scripts/products.sh); do
	header=$name.h
	included=$(sed -nE 's/^#include "(pmumap[a-z_]*\.h)".*/`\1`/p' "src/$header" | paste -sd' ')
	echo "| \`$header\` | $(purpose "$name") | $included | $(wc -l <"$header") | $(wc -c <"$header") |"
done | sed -E ':a; s/\b([0-9]+)([0-9]{3}) \|/\1,\2 |/; ta'
