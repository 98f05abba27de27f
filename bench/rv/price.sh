#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: bench/rv/price.sh [--update]
#
# Instructions for one count in QEMU: inline in M-mode and S-mode, through read and write callbacks,
# through SBI on OpenSBI 1.6, and with CSRs alone. Fails if doc/performance.md differs or an
# operation exceeds its limit.
. tests/check/lib.sh

get_new_qemu
NAMES=stock scripts/opensbi-build.sh 1.6 >/dev/null || fail "OpenSBI does not build"
machine="-M virt -nographic -net none -icount shift=0,sleep=off"
{
	for program in price-m empty; do
		scripts/limit.sh 60 $new_qemu $machine -cpu max,smcntrpmf=off -bios none \
			-kernel build/qemu/$program-rv64.elf
	done
	scripts/limit.sh 60 qemu-system-riscv64 $machine -cpu rv64,sscofpmf=true \
		-bios build/firmware/opensbi-stock-1.6.bin -kernel build/qemu/price-s-rv64.elf
} </dev/null 2>"$dir/errors" | tr -d '\r' | sed -n 's/^=//p' >"$dir/prices"

# may WHAT MOST [WAYS]: limit in M-mode, and in S-mode unless WAYS says otherwise
may() {
	for way in native ${3-delegated}; do
		price=$(awk -v way=$way -v what="$1" '$1 == way && $2 == what { print $3 }' "$dir/prices")
		[ -n "$price" ] && [ "$price" -le "$2" ] && pass || fail "$way $1: ${price:-none}, not $2"
	done
}
may read 16
may start 40
may stop 24
may sample 60
may turn 250
may empty 20 ''

awk '
	function row(what, text,  i, line) {
		line = "| " text " |"
		for (i = 1; i <= n; i++)
			line = line " " ((way[i], what) in price ? price[way[i], what] : "-") " |"
		print line
	}
	{ price[$1, $2] = $3 }
	END {
		n = split("native bare-m delegated bare-s called sbi", way, " ")
		print "| instructions | M-mode | its CSRs alone | S-mode | its CSRs alone | by calls | SBI, OpenSBI 1.6 |"
		print "|---|--:|--:|--:|--:|--:|--:|"
		row("set", "set")
		row("start", "start")
		row("read", "read")
		row("stop", "stop")
		row("sample", "sample: stop, read, start from 0")
		row("turn", "two virtual CPUs change places, 4 counters each")
		row("empty", "count_once() of README.md, with an empty work()")
	}' "$dir/prices" >"$dir/table"
bench/figures.sh price "$dir/table" ${1:+"$1"} && pass || fail "doc/performance.md is stale"
finish
