#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: make qemu    (or tests/check/delegated.sh, once build/qemu/*.elf are there)
#
# Counters that S-mode has of its own, in QEMU 10: examples/delegated counts, and the registers are
# as a model of them says.
. tests/check/lib.sh

get_new_qemu

# boot NAME STATUS XLEN CPU [OPTION...]
boot() {
	name=$1 status=$2 xlen=$3 cpu=$4
	shift 4
	log=$dir/$name-$xlen-${cpu//[^a-z]/-}.log
	scripts/limit.sh 300 ${new_qemu//riscv64/riscv$xlen} -M virt -cpu "$cpu" -bios none -nographic "$@" \
		-kernel build/qemu/$name-rv$xlen.elf </dev/null >"$log" 2>&1
	[ $? = "$status" ] && pass || { fail "$name $xlen $cpu"; tail -n 5 "$log"; }
}

# QEMU 10 does not keep bit 60 of mstateen0 on RV32: there only without Smstateen.
while read -r xlen cpu; do
	boot delegated 0 $xlen $cpu -icount shift=0,sleep=off
	boot kernel 0 $xlen $cpu -icount shift=0,sleep=off
	boot kernel-kept 0 $xlen $cpu
	boot registers 0 $xlen $cpu
	[ "$(grep -c ': [0-9]* operations as expected' "$log")" = 2 ] && pass || fail "$log"
done <<EOF
64 max
64 max,smcntrpmf=off
32 max,smstateen=off
32 max,smstateen=off,smcntrpmf=off
EOF
boot delegated 2 64 max,smcdeleg=off -icount shift=0,sleep=off
finish
