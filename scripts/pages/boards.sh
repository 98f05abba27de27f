#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Prints a table of all boards with a PMU of RISC-V: what each firmware counts there, by the models
# of pmumap perf, and what pmumap check finds.
set -eu

# counted TREE FIRMWARE: how many of perf's events
counted() {
	pmumap perf --json --firmware "$2" "$1" | grep -c '"counts":true' || :
}

# fixed TREE EVENT: the counters that the newest OpenSBI gives to it
fixed() {
	pmumap perf "$1" "$2" | awk -v event="$2" '$1 == event { print $2 == "yes" ? $3 : "no" }'
}

echo "| board | source | 1.6 | 1.8 | 1.9 | RustSBI | pmumap | cycles | instructions | findings |"
echo "|---|---|--:|--:|--:|--:|--:|---|---|---|"
grep -l '"riscv,pmu"' tests/trees/boards/*.dts | while read -r tree; do
	board=$(basename "$tree" .dts)
	source=$(sed -n "s,^boards/$board: ,,p" tests/trees/table.txt)
	case $source in "made up"*) continue ;; esac
	printf '| [%s](../%s) | %s' "$board" "$tree" "$source"
	for firmware in opensbi-1.6 opensbi-1.8 opensbi-1.9 rustsbi pmumap; do
		printf ' | %s' "$(counted "$tree" $firmware)"
	done
	printf ' | %s | %s | ' "$(fixed "$tree" cycles || :)" "$(fixed "$tree" instructions || :)"
	pmumap check --json "$tree" | sed -E 's/.*"code":"([^"]*)".*/\1/' | sort -u |
		sed 's/.*/[&](findings.md#&)/' | paste -sd, | sed 's/,/, /g; s/$/ |/'
done
