#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Instructions of a guest's PMU calls, from its ecall until it goes on, on QEMU's tree and with the
# tables of two boards: of OpenSBI as Debian sid has it, of OpenSBI 1.6 as it is and with the server,
# and of the server in examples/hypervisor's monitor, which is all that there is below.
#
# "trap" is what comes before and after any call; less that, no call of the server may cost more than
# that of sid's OpenSBI.
. tests/check/lib.sh

if ! command -v qemu-system-riscv64 >/dev/null; then
	echo "SKIP calls (qemu-system-riscv64 not found)"
	finish
fi
scripts/opensbi-build.sh 1.6 || { fail "OpenSBI does not build"; finish; }
sid=build/firmware/opensbi-sid
SUITE=sid scripts/fetch.sh deb all opensbi $sid || { fail "no OpenSBI of sid"; finish; }

machine="qemu-system-riscv64 -cpu rv64,sscofpmf=true -nographic -net none"
works "QEMU's tree" $machine -machine virt,dumpdtb="$dir/virt.dtb" -bios none
for board in sifive-u74 sophgo-sg2044; do
	sed -n '/riscv,event-to-mhpmevent *=/,/};/p' tests/boards/$board.dts | sed '$d' \
		>"$dir/$board.dtsi"
	works "the tree of $board" tests/opensbi/tree.sh "$dir/virt.dtb" "$dir/$board.dtsi" \
		"$dir/$board.dtb"
done

# measure TREE NAME OPTION...
measure() {
	log=$dir/$1-$2.log
	tree=$1
	shift 2
	scripts/limit.sh 60 $machine -machine virt -icount shift=10,sleep=off \
		-dtb "$dir/$tree.dtb" -kernel build/qemu/calls-rv64.elf "$@" </dev/null |
		tr -d '\r' | sed -n 's/^=//p' >"$log"
	[ "$(wc -l <"$log")" = 10 ] && pass || fail "$log: not ten rows"
}

for tree in virt sifive-u74 sophgo-sg2044; do
	measure $tree sid -bios $sid/usr/lib/riscv64-linux-gnu/opensbi/generic/fw_dynamic.bin
	measure $tree stock -bios build/firmware/opensbi-stock-1.6.bin
	measure $tree server -bios build/firmware/opensbi-server-1.6.bin
	measure $tree monitor -bios build/qemu/monitor-rv64.elf -append grant=0xffffffff
	printf '%-14s %10s %10s %10s %10s\n' $tree sid 1.6 1.6+server monitor
	while read -r what mean _; do
		row=
		for firmware in sid stock server monitor; do
			row="$row $(awk -v what="$what" '$1 == what { printf "%.0f", $2 / 100 }' \
				"$dir/$tree-$firmware.log")"
		done
		set -- $row
		[ "$what" != trap ] || trap_sid=$1 trap_server=$3
		printf '%-14s %10s %10s %10s %10s\n' "$what" "$@"
		[ $(($3 - trap_server)) -le $(($1 - trap_sid)) ] && pass ||
			fail "$tree, $what: $3 - $trap_server is more than $1 - $trap_sid"
	done <"$dir/$tree-server.log"
done
finish
