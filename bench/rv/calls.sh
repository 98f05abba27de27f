#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Instructions of a guest's PMU calls, from ecall to the next instruction, for QEMU's tree and the
# tables of two boards. Compares Debian sid's OpenSBI; OpenSBI 1.6 and the newer one, each
# unchanged, with the map and with the server; and the monitor in examples/hypervisor, which is the
# bare server.
#
# "trap" is the part common to all calls. Without it, no call of the server but one may cost more
# than in sid's OpenSBI, and with the map every call must cost less than in the same OpenSBI
# unchanged. "trap" itself must cost the same. The one is info-52, at most 1.6 times: the server
# stores each answer with the guest's rights, and OpenSBI with its own. For the same reason, it may cost
# 1.4 times as much with hosts/opensbi/series.sh, whose other calls cost at most what they did.
. tests/check/lib.sh

if ! command -v qemu-system-riscv64 >/dev/null; then
	echo "SKIP calls (qemu-system-riscv64 not found)"
	finish
fi
scripts/opensbi-build.sh || { fail "OpenSBI does not build"; finish; }
sid=build/firmware/opensbi-sid
SUITE=sid scripts/fetch.sh deb all opensbi $sid || { fail "no OpenSBI of sid"; finish; }

machine="qemu-system-riscv64 -cpu rv64,sscofpmf=true -nographic -net none"
works "QEMU's tree" $machine -machine virt,dumpdtb="$dir/virt.dtb" -bios none
for board in sifive-u74 sophgo-sg2044; do
	sed -n '/riscv,event-to-mhpmevent *=/,/};/p' tests/trees/boards/$board.dts | sed '$d' \
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

firmwares="stock-1.6 map-1.6 server-1.6 stock-newer map-newer server-newer"
series=
if since 1.9 newer; then
	series=series-newer firmwares="$firmwares series-newer"
	NAMES=series scripts/opensbi-build.sh newer || fail "OpenSBI does not build"
fi

# mean FIRMWARE: of row $what, in hundredths
mean() {
	awk -v what="$what" '$1 == what { print $2 }' "$dir/$tree-$1.log"
}

# row NAME TEXT...
row() {
	printf '%-14s' "$1"
	shift
	printf ' %12s' "$@"
	echo
}

for tree in virt sifive-u74 sophgo-sg2044; do
	measure $tree sid -bios $sid/usr/lib/riscv64-linux-gnu/opensbi/generic/fw_dynamic.bin
	for firmware in $firmwares; do
		measure $tree $firmware -bios build/firmware/opensbi-$firmware.bin
	done
	measure $tree monitor -bios build/qemu/monitor-rv64.elf -append grant=0xffffffff
	row $tree sid $firmwares monitor
	while read -r what mean _; do
		means=
		for firmware in sid $firmwares monitor; do
			means="$means $(($(mean $firmware) / 100))"
		done
		row $what $means
		[ "$what" != trap ] || trap_sid=$(mean sid) trap_server=$(mean server-1.6)
		sid_less=$(($(mean sid) - trap_sid)) server_less=$(($(mean server-1.6) - trap_server))
		most=$sid_less
		[ $what != info-52 ] || most=$((sid_less * 8 / 5))
		[ $server_less -le $most ] && pass ||
			fail "$tree, $what: $server_less hundredths, $sid_less in sid's OpenSBI"
		for version in 1.6 newer; do
			stock=$(mean stock-$version) map=$(mean map-$version)
			[ $what != info-52 ] || stock=$((stock * 7 / 5))
			[ "$map" -lt "$stock" ] || [ "$what $map" = "trap $stock" ] && pass ||
				fail "$tree, $what, map-$version: $map hundredths, $stock without"
		done
		[ "$series" ] || continue
		series_mean=$(mean $series)
		[ "$series_mean" -le $stock ] && pass ||
			fail "$tree, $what, $series: $series_mean hundredths, $stock without"
	done <"$dir/$tree-sid.log"
done
finish
