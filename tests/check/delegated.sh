#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: make qemu    (or tests/check/delegated.sh, once build/qemu/*.elf are there)
#
# Delegated counters in QEMU 10: examples/delegated uses them on its own firmware, and counts
# through SBI on QEMU's OpenSBI. Registers are compared with a model.
. tests/check/lib.sh

get_new_qemu

# boot NAME STATUS XLEN CPU [OPTION...]
boot() {
	name=$1 status=$2 xlen=$3 cpu=$4
	shift 4
	log=$dir/$name-$xlen-${cpu//[^a-z]/-}.log
	scripts/limit.sh 300 ${new_qemu//riscv64/riscv$xlen} -M virt -cpu "$cpu" -nographic "$@" \
		-kernel build/qemu/$name-rv$xlen.elf </dev/null >"$log" 2>&1
	[ $? = "$status" ] && pass || { fail "$name $xlen $cpu"; tail -n 5 "$log"; }
}

# counts WAY: the last boot's kernel counted this way
counts() {
	grep -q "^$1 counters: 0x" "$log" && pass || fail "$log: no $1 counters"
}

counting="-icount shift=0,sleep=off"

# On RV32, QEMU 10 drops bit 60 of mstateen0, so Smstateen is off there.
while read -r xlen cpu; do
	boot delegated 0 $xlen $cpu -bios none $counting
	counts delegated
	boot delegated-sbi 0 $xlen $cpu $counting
	counts SBI
	boot kernel-sbi 0 $xlen $cpu $counting
	boot kernel 0 $xlen $cpu -bios none $counting
	boot kernel-kept 0 $xlen $cpu -bios none
	boot registers 0 $xlen $cpu -bios none
	[ "$(grep -c ': [0-9]* operations as expected' "$log")" = 2 ] && pass || fail "$log"
done <<EOF
64 max
64 max,smcntrpmf=off
32 max,smstateen=off
32 max,smstateen=off,smcntrpmf=off
EOF

# Harts without Sscofpmf, then without Smcntrpmf too.
while read -r xlen cpu; do
	boot registers 0 $xlen $cpu -bios none
	grep -q '^M .*: [0-9]* operations as expected' "$log" && pass || fail "$log"
done <<EOF
64 max,smcdeleg=off,sscofpmf=off
64 max,smcdeleg=off,sscofpmf=off,smcntrpmf=off
32 max,smstateen=off,smcdeleg=off,sscofpmf=off
32 max,smstateen=off,smcdeleg=off,sscofpmf=off,smcntrpmf=off
EOF
boot delegated 2 64 max,smcdeleg=off -bios none $counting
boot delegated-sbi 0 64 max,smcdeleg=off $counting
counts SBI
finish
