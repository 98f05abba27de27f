#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: tests/check/hypervisor.sh, once build/qemu/*.elf are there
#
# Boots the guest on the monitor and on OpenSBI and compares the output; then two guests that take
# turns. Logs: build/qemu/NAME.log.
set -u
dir=build/qemu
passed=0
failed=0

pass() {
	passed=$((passed + 1))
}

fail() {
	failed=$((failed + 1))
	echo "FAIL $*"
}

# boot NAME STATUS CPU QEMU_OPTIONS...: CPU is rv64 or rv32, with its options
boot() {
	name=$1
	local want=$2 cpu=$3 status=0 xlen=${3:2:2}
	shift 3
	log=$dir/$name.log
	# limit.sh kills: QEMU ignores SIGTERM while the machine waits for an interrupt.
	scripts/limit.sh 60 qemu-system-riscv$xlen -M virt -cpu "$cpu" -nographic \
		-icount shift=0,sleep=off "$@" </dev/null >"$log" 2>&1 || status=$?
	if [ $status = "$want" ]; then
		pass
	else
		fail "$name: status $status, not $want:"
		tail -n 20 "$log" | sed 's/^/  /'
	fi
}

# says PATTERN...: the last log matches each
says() {
	local pattern
	for pattern; do
		grep -Eq -- "$pattern" "$log" && pass || fail "$name: no line like: $pattern"
	done
}

# add COMMAND...: adds the counts of its last line
add() {
	local out last
	out=$("$@") && last=$(tail -n 1 <<<"$out") || last=${out##*$'\n'}
	echo "$out" | sed '$d'
	if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
		passed=$((passed + BASH_REMATCH[1]))
		failed=$((failed + BASH_REMATCH[2]))
	else
		fail "$*: no count"
	fi
}

# events LOG: events that the guest could match, without counter numbers
events() {
	sed -nE 's/^match .* (event .*counter )[0-9]+/\1/p' "$1" | sort -u
}

# ---- with some of the counters, and with all

for xlen in 64 32; do
	monitor="-bios $dir/monitor-rv$xlen.elf -kernel $dir/guest-rv$xlen.elf"
	for cpu in rv$xlen rv$xlen,sscofpmf=true; do
		boot guest-${cpu/,*=*/-sscofpmf} 0 $cpu $monitor
		says '^passed' '^counters -> 25' '^counter 0x4 -> error -3' '^exhaust 0x10019 -> 5 ok' \
			'^count 0x1 .* ok' '^count 0x10021 .* ok' '^count in a snapshot -> 2.. ok' \
			'^# tree: events 0x2 to 0x2 on counters 0x1ec' \
			'^# tree: events 0x10019 to 0x10019 on counters 0x1e8'
		part=$log
		boot $name-all 0 $cpu $monitor -append grant=0xffffffff
		says '^passed' '^counters -> 35' '^counter 0x4 -> csr 0xc04' '^exhaust 0x10019 -> 16 ok'
		cmp <(events "$part") <(events "$log") && pass || fail "$name: other events"
	done
	says '^count inhibited in S -> nothing' '^count inhibited in U -> something'
	cp "$log" "$log.first"
	boot $name 0 $cpu $monitor -append grant=0xffffffff
	cmp "$log" "$log.first" && pass || fail "$name: another log the second time"

	# The guest must notice what is missing.
	boot guest-rv$xlen-no-counters 1 rv$xlen $monitor -append grant=0x0
	says '^no hardware counter'
	boot guest-rv$xlen-fixed-counters 1 rv$xlen $monitor -append grant=0x5
	says '^count 0x2 .* ok' '^count 0x10019 .* FAILED' '^FAILED'
	boot guest-rv$xlen-hart-without 1 rv$xlen,pmu-num=0 $monitor
	says '^counters -> 19' '^FAILED'
done

# ---- two guests that take turns

# take_turns MONITOR STATUS CPU
take_turns() {
	local xlen=${3:2:2}
	boot $1-${3/,*=*/-sscofpmf} $2 $3 -bios $dir/$1-rv$xlen.elf \
		-device loader,file=$dir/turns-guest0-rv$xlen.elf \
		-device loader,file=$dir/turns-guest1-rv$xlen.elf
}

for xlen in 64 32; do
	for cpu in rv$xlen rv$xlen,sscofpmf=true; do
		take_turns turns 0 $cpu
		says '^guest 0 passed after [0-9]{2,} turns' '^guest 1 passed after [0-9]{2,} turns'
	done
done
# Planted bugs: no restore, no save, a shared state.
for mistake in restore save own; do
	take_turns turns-without-$mistake 1 rv64
	says '^guest [01] failed after [0-9]* turns'
done

# ---- hostile guests

# intrude NAME STATUS ASSEMBLY: this guest ends QEMU with STATUS
intrude() {
	if printf '.globl _start\n_start:\n%s\n1: j 1b\n' "$3" |
		riscv64-unknown-elf-gcc -march=rv64imac -misa-spec=2.2 -mabi=lp64 -nostdlib -static \
			-Wl,-Ttext=0x80200000 -x assembler - -o $dir/intruder.elf; then
		boot "guest-$1" "$2" rv64 -bios $dir/monitor-rv64.elf -kernel $dir/intruder.elf
	else
		fail "$1 does not assemble"
	fi
}

pass='li t0, 0x100000; li t1, 0x5555; sw t1, (t0)'
intrude reads-monitor 70 'li t0, 0x80000000; ld t0, (t0)'
says 'unknown cause 0x5'
intrude writes-monitor 70 'li t0, 0x801ffff8; sd t0, (t0)'
says 'unknown cause 0x7'
intrude jumps-to-monitor 70 'li t0, 0x80000000; jr t0'
says 'unknown cause 0x1'
intrude writes-timer 70 'li t0, 0x2004000; sw zero, (t0)'
says 'unknown cause 0x7'
intrude beyond-its-memory 70 'li t0, 0x84000000; ld t0, (t0)'
intrude takes-own-traps 0 'la t0, 2f; csrw stvec, t0; .word 0; .balign 4; 2: '"$pass"
intrude shuts-down 0 'li a0, 0; li a1, 0; li a6, 0; li a7, 0x53525354; ecall'
intrude shuts-down-failed 1 'li a0, 0; li a1, 1; li a6, 0; li a7, 0x53525354; ecall'
intrude shuts-down-as-ever 0 'li a7, 8; ecall'

# Timer: the interrupt is pending when due, and no longer once the next one is set.
timer='li a7, 0x54494d45; li a6, 0; ecall'
intrude takes-timer 0 "li t0, 32
	li a0, 1000; $timer; 2: csrr t1, sip; and t1, t1, t0; beqz t1, 2b
	li a0, -1; $timer; 2: csrr t1, sip; and t1, t1, t0; bnez t1, 2b
	$pass"

# The guest may read time, but no counter that was not granted.
other='.balign 4; 2: csrr t0, sepc; lwu t0, (t0); li t1, 0xc04022f3; bne t0, t1, 2b;'
intrude reads-other-counter 0 \
	"la t0, 2f; csrw stvec, t0; csrr t0, 0xc03; csrr t0, 0xc04; 3: j 3b; $other $pass"

# Shared memory must belong to the guest up to its last byte.
shared='.macro shared function, address, n, error
	li a0, \address; li a1, 0; li a2, \n; li a3, 0; li a6, \function; li a7, 0x504d55; ecall
	li t0, \error; bne a0, t0, 3f
.endm'
intrude shares-others-memory 0 "$shared
	shared 7, 0x83fff000, 0, 0
	shared 7, 0x84000000, 0, -5
	shared 7, 0x801ff000, 0, -5
	shared 7, 0xfffffffffffff000, 0, -5
	shared 8, 0x83fffff0, 1, 0
	shared 8, 0x83fffff0, 2, -5
	shared 8, 0x83ff0010, 4096, -5
	shared 8, 0x83000000, 4097, -3
	shared 8, 0x83000000, 0x1000000000000001, -3
	shared 8, 0x801ffff0, 2, -5
	$pass; j 1f
	3: li t0, 0x100000; li t1, 0x13333; sw t1, (t0)"

# ---- OpenSBI: QEMU's, and that of scripts/opensbi-build.sh if it is built

# compare NAME CPU BIOS ROW...
compare() {
	boot "$1" 0 $2 -bios "$3" -kernel $dir/guest-rv64.elf
	says '^passed'
	shift 3
	[ "$cpu" != rv64 ] || add tests/check/sbi_compare.sh $dir/guest-rv64-all.log "$log" "$@"
}

# QEMU before 8.1 pads its table with zeros, which make one more row.
qemu-system-riscv64 -M virt,dumpdtb=$dir/own.dtb -bios none -nographic 2>/dev/null
words=$(fdtget -t x $dir/own.dtb /pmu riscv,event-to-mhpmcounters | wc -w)
[ $((words % 3)) = 0 ] && rows=zero-row || rows=

built=build/firmware/opensbi
for cpu in rv64 rv64,sscofpmf=true; do
	compare guest-opensbi${cpu#rv64} $cpu default
	[ ! -e $built-stock-1.6.bin ] || compare guest-stock${cpu#rv64} $cpu $built-stock-1.6.bin $rows
done

# ---- an S-mode kernel that counts through SBI, on each firmware

# kernel XLEN NAME QEMU_OPTIONS...
kernel() {
	local xlen=$1 firmware=$2 cpu
	shift 2
	for cpu in rv$xlen rv$xlen,sscofpmf=true; do
		boot kernel-sbi-$firmware-${cpu%=true} 0 $cpu "$@" -kernel $dir/kernel-sbi-rv$xlen.elf
		says '^passed'
	done
}

for xlen in 64 32; do
	kernel $xlen monitor -bios $dir/monitor-rv$xlen.elf -append grant=0xffffffff
done
kernel 64 opensbi -bios default
for file in $built-stock-1.6.bin $built-stock-newer.bin; do
	[ ! -e $file ] || kernel 64 ${file##*/} -bios $file
done
[ ! -e $built-stock-1.6-32.bin ] || kernel 32 1.6 -bios $built-stock-1.6-32.bin

echo "$passed passed, $failed failed"
[ $failed = 0 ]
