#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: bench/rv/price.sh [--update]
#
# Instructions for one count in QEMU: inline in M-mode and S-mode, through read and write callbacks,
# through SBI on Debian's OpenSBI (RV64), and with CSRs alone. Fails if doc/performance.md differs or
# an operation exceeds its limit. sid's OpenSBI changes, so its figures are only printed.
. tests/check/lib.sh

get_new_qemu
machine="-M virt -nographic -net none -icount shift=0,sleep=off"

# prices XLEN COMMAND...: adds what a program in this QEMU prints, as "XLEN WAY WHAT INSTRUCTIONS"
prices() {
	local xlen=$1
	shift
	scripts/limit.sh 60 "$@" $machine </dev/null 2>>"$dir/errors" | tr -d '\r' | sed -n "s/^=/$xlen /p" \
		>>"$dir/prices"
}
# On RV32, QEMU 10 drops bit 60 of mstateen0, so Smstateen is off there.
prices 64 $new_qemu -cpu max,smcntrpmf=off -bios none -kernel build/qemu/price-m-rv64.elf
prices 64 $new_qemu -cpu max,smcntrpmf=off -bios none -kernel build/qemu/empty-rv64.elf
prices 32 ${new_qemu//riscv64/riscv32} -cpu max,smcntrpmf=off,smstateen=off -bios none \
	-kernel build/qemu/price-m-rv32.elf
for suite in bookworm trixie sid; do
	to=build/firmware/opensbi-$suite
	SUITE=$suite scripts/fetch.sh deb all opensbi $to || { fail "no OpenSBI of $suite"; continue; }
	prices 64 qemu-system-riscv64 -cpu rv64,sscofpmf=true -kernel build/qemu/price-s-rv64.elf \
		-bios $to/usr/lib/riscv64-linux-gnu/opensbi/generic/fw_dynamic.bin
	sed -i "s/^64 sbi /64 $suite /" "$dir/prices"
done

# may XLEN WHAT NATIVE DELEGATED: limits in M-mode and in S-mode; - for none
may() {
	local way=native most price
	for most in $3 $4; do
		price=$(awk -v row="$1 $way $2" '$1 " " $2 " " $3 == row { print $4 }' "$dir/prices")
		[ $most = - ] || { [ -n "$price" ] && [ "$price" -le $most ]; } && pass ||
			fail "RV$1 $way $2: ${price:-none}, not $most"
		way=delegated
	done
}
may 64 set 30 30
may 64 start 16 16
may 64 read 12 12
may 64 stop 5 6
may 64 sample 33 34
may 64 turn 240 240
may 64 empty 20 -
may 32 set 34 34
may 32 start 28 28
may 32 read 22 24
may 32 stop 8 8
may 32 sample 60 60
may 32 turn 500 500

awk '
	function row(xlen, what, text,  i, line) {
		line = "| " text " |"
		for (i = 1; i <= n; i++)
			line = line " " ((xlen, way[i], what) in price ? price[xlen, way[i], what] : "-") " |"
		print line
	}
	function rows(xlen) {
		row(xlen, "set", "set")
		row(xlen, "start", "start")
		row(xlen, "read", "read")
		row(xlen, "stop", "stop")
		row(xlen, "sample", "sample: stop, read, start from 0")
		row(xlen, "turn", "two virtual CPUs change places, 4 counters each")
	}
	{ price[$1, $2, $3] = $4 }
	END {
		n = split("native bare-m delegated bare-s called bookworm trixie", way, " ")
		print "| instructions | M-mode | its CSRs alone | S-mode | its CSRs alone | by calls | OpenSBI 1.1 | OpenSBI 1.6 |"
		print "|---|--:|--:|--:|--:|--:|--:|--:|"
		rows(64)
		row(64, "empty", "count_once() of README.md, with an empty work()")
		n = split("native delegated called", way, " ")
		print "\n| RV32 | M-mode | S-mode | by calls |"
		print "|---|--:|--:|--:|"
		rows(32)
	}' "$dir/prices" >"$dir/table"
sed -n 's/^64 sid/OpenSBI of sid:/p' "$dir/prices"
bench/figures.sh price "$dir/table" ${1:+"$1"} && pass || fail "doc/performance.md is stale"
finish
