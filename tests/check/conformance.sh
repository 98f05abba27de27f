#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The monitor of examples/hypervisor passes the conformance suite (conformance/) on RV64 and RV32,
# with and without Sscofpmf, and logs are reproducible. Wrong firmware fails. Firmware that crashes
# on one rule is still asked the others.
. tests/check/lib.sh

if ! command -v qemu-system-riscv64 >/dev/null; then
	echo "SKIP conformance (qemu-system-riscv64 not found)"
	finish
fi

# ask XLEN CPU_OPTIONS NAME QEMU_OPTION...
ask() {
	xlen=$1 cpu=rv$1$2 log=$dir/$3.tap
	shift 3
	CPU=$cpu QUIET=4 conformance/run.sh build/qemu/conformance-rv$xlen.elf "$firmware" "$log" "$@"
}

rules=$(grep -c '^RULE(' conformance/rules.inc)
for xlen in 64 32; do
	firmware=build/qemu/monitor-rv$xlen.elf
	for more in "" ,sscofpmf=true; do
		name=monitor$xlen$more
		works "$name" ask $xlen "$more" "$name" -append grant=0xffffffff
		lines=$(grep -cE '^ok [0-9]+ - [a-z0-9_]+ \| (MUST|LINUX|OPEN) \| ' "$log")
		[ "$lines" = "$rules" ] && pass || fail "$name: $lines good lines of $rules"
	done
	cp "$log" "$log.first"
	works "$name again" ask $xlen "$more" "$name" -append grant=0xffffffff
	works "$name is the same the second time" cmp "$log" "$log.first"
done

# A guest with no hardware counter, and one with some of them.
firmware=build/qemu/monitor-rv64.elf
works "no counters" ask 64 "" none -append grant=0x0
works "a part of them" ask 64 "" part -append grant=0x1ed

# After a crash the payload boots again and starts behind that rule.
firmware=build/qemu/monitor-rv64.elf
cat >"$dir/dies.S" <<'END'
	# Answers of a firmware that dies of FW_READ, and knows no other call.
	.globl	_start
_start:
	csrr	t0, mhartid
	bnez	t0, dead
	la	t0, trap
	csrw	mtvec, t0
	li	t0, -1
	csrw	pmpaddr0, t0
	li	t0, 0x1f
	csrw	pmpcfg0, t0
	li	t0, -1
	csrw	mcounteren, t0
	li	t0, 0x1800
	csrc	mstatus, t0
	li	t0, 0x800
	csrs	mstatus, t0
	li	t0, 0x80200000
	csrw	mepc, t0
	mret
	.balign	4
trap:
	csrr	t0, mepc
	addi	t0, t0, 4
	csrw	mepc, t0
	li	t0, 0x10
	li	a1, 0
	beq	a7, t0, base
	li	t0, 0x504d55
	bne	a7, t0, none
	li	a0, 0
	beqz	a6, back
	li	t0, 5
	beq	a6, t0, dead
none:	li	a0, -2
	mret
base:	li	t0, 3
	bne	a6, t0, good
	li	t0, 0x504d55
	bne	a0, t0, good
	li	a1, 1
good:	li	a0, 0
back:	mret
dead:	j	dead
END
works "firmware that dies" riscv64-unknown-elf-gcc -march=rv64imac -misa-spec=2.2 -mabi=lp64 \
	-nostdlib -static -Wl,-Ttext=0x80000000 "$dir/dies.S" -o "$dir/dies.elf"
firmware=$dir/dies.elf
ask 64 "" dies >"$dir/out" 2>&1 && fail "firmware that dies passes" || pass
[ "$(grep -c '^\(not \)*ok' "$log")" = "$rules" ] && pass || fail "firmware that dies: not all rules"
dead=$(grep -c 'no answer$' "$log")
[ "$dead" = "$(grep -c '^RULE(fw_[bf]' conformance/rules.inc)" ] && pass ||
	fail "firmware that dies: $dead rules have no answer"
grep -q '^not ok [0-9]* - info_far | MUST | FID 1, errors | NOT_SUPPORTED | wanted INVALID_PARAM$' \
	"$log" && pass || fail "firmware that dies: another answer of info_far"
finish
