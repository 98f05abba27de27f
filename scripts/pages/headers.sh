#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Prints a table of the headers: lines, bytes and included headers.
set -eu

# purpose NAME: short text; for other headers, the first line of the manual
purpose() {
	case $1 in
	pmumap) echo "every RISC-V program: look up, plan; maps without a device tree" ;;
	pmumap_fdt) echo "firmware with a device tree: read one, write one" ;;
	pmumap_check) echo "tools: findings, names of events" ;;
	pmumap_hw) echo "code that counts: in M-mode, in S-mode, through SBI" ;;
	pmumap_server) echo "SBI firmware, hypervisors, emulators: SBI's PMU extension" ;;
	pmumap_imc) echo "POWER firmware and tools: IBM's In-Memory Collection (IMC)" ;;
	pmumap_imc_check) echo "tools: findings of IMC" ;;
	pmumap_imc_hw) echo "POWER firmware: IMC's registers, catalogs" ;;
	pmumap_amu) echo "Arm firmware: activity monitors (AMU)" ;;
	pmumap_amu_check) echo "tools: findings and labels of AMU" ;;
	pmumap_amu_hw) echo "Arm code that counts: AMU's registers" ;;
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
