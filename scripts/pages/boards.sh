#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Prints a table of all RISC-V boards with a PMU: how many events each firmware counts there,
# according to pmumap perf, and the findings of pmumap check.
set -eu

# counted TREE FIRMWARE: number of perf's events that it counts, and behind "+" of wrong ones
counted() {
	{ pmumap perf --json --firmware "$2" "$1" || :; } | awk '
		/"answer":"wrong"/ { wrong++ }
		/"answer":"yes"/ { yes++ }
		END { printf "%d%s", yes, wrong ? " + " wrong : "" }'
}

# fixed TREE EVENT: counters that the newest OpenSBI uses for it
fixed() {
	pmumap perf "$1" "$2" | awk -v event="$2" '$1 == event { print $2 == "no" ? "no" : $4 }'
}

echo "| board | source | 1.6 | 1.8 | 1.9 | RustSBI | pmumap | samples | cycles | instructions | findings |"
echo "|---|---|--:|--:|--:|--:|--:|--:|---|---|---|"
grep -l '"riscv,pmu"' tests/trees/boards/*.dts | while read -r tree; do
	board=$(basename "$tree" .dts)
	source=$(sed -n "s,^boards/$board: ,,p" tests/trees/table.txt)
	case $source in "made up"*) continue ;; esac
	printf '| [%s](../%s) | %s' "$board" "$tree" "$source"
	blob=build/boards/$board.dtb
	for firmware in opensbi-1.6 opensbi-1.8 opensbi-1.9 rustsbi pmumap; do
		printf ' | ' && counted "$blob" $firmware
	done
	printf ' | %s' "$(pmumap perf --json "$blob" | grep -c '"samples":true' || :)"
	printf ' | %s | %s | ' "$(fixed "$blob" cycles || :)" "$(fixed "$blob" instructions || :)"
	pmumap check --json "$tree" | sed -E 's/.*"code":"([^"]*)".*/\1/' | sort -u |
		sed 's/.*/[&](findings.md#&)/' | paste -sd, | sed 's/,/, /g; s/$/ |/'
done
