#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Prints a table of the headers: lines and bytes, and which of them they include.
set -eu
echo "| header | for | includes | lines | bytes |"
echo "|---|---|---|--:|--:|"
while IFS='|' read -r header purpose; do
	included=$(sed -nE 's/^#include "(pmumap[a-z_]*\.h)".*/`\1`/p' "src/$header" | paste -sd' ')
	echo "| \`$header\` | $purpose | $included | $(wc -l <"$header") | $(wc -c <"$header") |"
done <<END | sed -E ':a; s/\b([0-9]+)([0-9]{3}) \|/\1,\2 |/; ta'
pmumap.h|a RISC-V map: build it from rows, look up, plan, restrict
pmumap_fdt.h|the map of a device tree; writing trees; features of a hart
pmumap_check.h|findings, and the names of events
pmumap_hw.h|counters of a hart, by its CSRs or through SBI
pmumap_server.h|SBI's PMU extension for guests
pmumap_imc.h|IBM's In-Memory Collection: trees, names, offsets, registers
pmumap_amu.h|Arm's activity monitors: trees, CPUs, registers
END
