#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# OpenSBI 1.6 and newer, unchanged, with the map and with the server (hosts/opensbi), under QEMU.
# Compares their answers in S-mode on QEMU's own tree and on two trees with rows that OpenSBI does
# not expect. Runs attacks from S-mode (tests/opensbi/attack.c), and counters delegated to S-mode next
# to those of SBI (tests/opensbi/deleg.c). NIGHT: more random calls, and OpenSBI's own unit tests.
#
# From 1.9 on, also with hosts/opensbi/series.sh, which must answer as the map.
#
# usage: tests/check/opensbi.sh, or OPENSBI=CHECKOUT tests/check/opensbi.sh COMMIT...
#
# With commits of a checkout, runs only the attacks, the delegated counters and the tests of the
# series.
. tests/check/lib.sh

# program NAME RESULT COMPILER BASE [FLAG...]: builds an S-mode program
program() {
	name=$1 result=$2 compiler=$3 base=$4
	shift 4
	works "$name builds" $compiler -O2 -Wall -Wextra -Werror $freestanding "$@" \
		-fno-toplevel-reorder -nostdlib -static -no-pie -mcmodel=medany \
		-Wl,-N,-Ttext=$base,--build-id=none,--no-warn-rwx-segments \
		tests/opensbi/$name.c -o "$dir/$result.elf"
}

# smode NAME BASE [FLAG...]: the same for RV64
smode() {
	name=$1 base=$2
	shift 2
	program $name $name riscv64-linux-gnu-gcc $base "$@"
}

smode check 0x80200000

machine="qemu-system-riscv64 -cpu rv64,sscofpmf=true -m 256M -nographic -net none"

works "QEMU's tree" $machine -machine virt,dumpdtb="$dir/virt.dtb"

# boot TREE FIRMWARE: writes TREE-FIRMWARE.log
boot() {
	log=$dir/$1-$2.log
	scripts/limit.sh 120 $machine -machine virt -dtb "$dir/$1.dtb" \
		-bios "build/firmware/opensbi-$2.bin" -kernel "$dir/check.elf" </dev/null 2>&1 |
		head -c 100000 | tr -d '\r' >"$log"
	grep -q '^=0x1 ' "$log" || { fail "$1 on $2: it does not run"; tail -n 5 "$log"; }
}

# Valid entries for EVENT_GET_INFO in a page that the firmware protects and does not use. A write to
# firmware memory would show there.
awk 'BEGIN { for (i = 0; i < 256; i++) printf "\\31\\0\\1\\0\\31\\0\\1\\0\\0\\0\\0\\0\\0\\0\\0\\0" }' |
	xargs -0 printf >"$dir/entries"

# attack FIRMWARE CALLS SECONDS: runs tests/opensbi/attack.c. Returns 0 if each call of the list
# returns an error, the hart survives, and firmware code and that page are unchanged.
attack() {
	said=$dir/attack-$1.log memory=$PWD/$dir/memory-$1
	[ -e "$dir/virt-$1.log" ] || boot virt $1
	set -- $1 $2 $3 $(sed -nE 's/^Domain0 Region.*: 0x0*(80[0-9a-f]*)-0x0*(80[0-9a-f]*) +M: \((F,)?R,W\) .*: \(\)$/0x\1 0x\2/p' \
		"$dir/virt-$1.log")
	[ $# = 5 ] || { echo "no memory of $1"; return 1; }
	smode attack 0x84000000 -DCALLS=$2 -DFIRMWARE_END="($5 + 1)"
	rm -f "$said" "$memory"
	{
		waited=0
		until grep -aq '^=alive' "$said" || [ $waited = $3 ]; do
			sleep 1
			waited=$((waited + 1))
		done 2>/dev/null
		echo "pmemsave 0x80000000 $(($5 + 1 - 0x80000000)) \"$memory\""
		echo quit
	} | scripts/limit.sh $(($3 + 30)) qemu-system-riscv64 -cpu rv64,sscofpmf=true -m 256M -net none \
		-display none -machine virt -monitor stdio -serial "file:$said" \
		-device loader,file="$dir/entries",addr=$(($5 - 4095)),force-raw=on \
		-bios "build/firmware/opensbi-$1.bin" -kernel "$dir/attack.elf" >"$dir/monitor" 2>&1
	grep -a '^FAIL' "$said" | head -n 5
	grep -aq '^=alive' "$said" && ! grep -aq '^FAIL' "$said" &&
		cmp -n $(($4 - 0x80000000)) "$memory" "build/firmware/opensbi-$1.bin" &&
		tail -c 4096 "$memory" | cmp - "$dir/entries"
}

# with_series VERSION NAME...: builds these forms if series.sh is for that version, and prints them
with_series() {
	since 1.9 $1 || return 0
	version=$1
	shift
	NAMES="$*" scripts/opensbi-build.sh $version >&2 && echo "$*"
}

# attacks VERSION...: unprotected firmware must fail, or the program proves nothing
attacks() {
	calls=5000
	[ -z "${NIGHT:-}" ] || calls=50000
	for version; do
		attack stock-$version 0 10 >/dev/null && fail "stock-$version stands attack.c"
		for name in map server $(with_series $version series); do
			attack $name-$version ${CALLS:-$calls} 900 && pass || fail "$name-$version: attack.c"
		done
	done
}

# own_tests FIRMWARE: OpenSBI's own unit tests pass
own_tests() {
	count=$(grep -c '^extern' build/firmware/opensbi-$1/rv64/lib/sbi/tests/sbi_unit_tests.carray.c)
	boot virt $1
	nothing "$1" "$(grep FAILED "$dir/virt-$1.log" | grep -v ' 0 FAILED ')"
	found=$(grep -c ' PASSED / 0 FAILED / ' "$dir/virt-$1.log")
	[ "$count" -gt 0 ] && [ "$found" = "$count" ] && pass ||
		fail "$1: $found of $count suites of OpenSBI's own tests"
}

# beside FIRMWARE XLEN: runs tests/opensbi/deleg.c on a hart with Smcdeleg. Returns 0 if neither
# user disturbed the other.
beside() {
	said=$dir/deleg-$1.log
	scripts/limit.sh 120 $(echo $new_qemu | sed "s/system-riscv64/system-riscv$2/") -M virt -m 256M \
		-cpu rv$2,sscofpmf=true,smcsrind=true,sscsrind=true,smcdeleg=true,ssccfg=true \
		-nographic -net none -bios "build/firmware/opensbi-$1.bin" \
		-kernel "$dir/deleg-$2.elf" </dev/null 2>&1 | head -c 100000 | tr -d '\r' >"$said"
	grep '^FAIL' "$said" | head -n 5
	grep -q '^=alive' "$said" && grep -q '^=found 0x0$' "$said"
}

# delegation VERSION...: OpenSBI's own code, also with the map, must take one of S-mode's counters,
# or the program proves nothing
delegation() {
	for version; do
		for name in stock map; do
			beside $name-$version 64 | grep -q '^FAIL taken by SBI' && pass ||
				fail "$name-$version takes no counter in deleg.c"
		done
		beside server-$version 64 && pass || fail "server-$version: deleg.c"
	done
}

get_new_qemu
# -fno-reorder-functions: the entry point must come first, before cold functions.
program deleg deleg-64 riscv64-linux-gnu-gcc 0x80200000 -I. -fno-reorder-functions
program deleg deleg-32 "riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32" 0x80400000 -I. \
	-fno-reorder-functions

if [ $# -gt 0 ]; then
	scripts/opensbi-build.sh "$@" && attacks "$@" && delegation "$@" ||
		fail "OpenSBI does not build"
	for version; do
		for name in $(with_series $version seriesunit); do
			own_tests $name-$version
		done
	done
	finish
fi

suites="mapunit unit"
[ -n "${NIGHT:-}" ] || suites=
NAMES="stock map server $suites" scripts/opensbi-build.sh ||
	{ fail "OpenSBI does not build"; finish; }

# pmumap's headers before and after all of OpenSBI's; only OpenSBI's types come first.
src=build/firmware/opensbi-1.6
for order in before after; do
	{
		echo '#include <sbi/sbi_types.h>'
		[ $order = after ] || includes $headers
		for header in "$src"/include/sbi/*.h; do
			# Not for C code in general: included by assembly or in one place.
			case $header in
			*/fw_dynamic.h | */riscv_elf.h | */sbi_unit_test.h) continue ;;
			esac
			echo "#include <sbi/${header##*/}>"
		done
		[ $order = before ] || includes $headers
	} >"$dir/$order.c"
	for isa in "rv64gc -mabi=lp64d" "rv32gc -mabi=ilp32d"; do
		works "$order OpenSBI's headers" riscv64-unknown-elf-gcc -march=$isa -std=gnu11 -O2 -Wall \
			-Werror -ffreestanding -fno-strict-aliasing -DPMUMAP_NO_STDINT -I. \
			-I"$src/include" -c "$dir/$order.c" -o "$dir/$order.o"
	done
done

# Code size of the firmware, compared with a build without pmumap.
text() {
	riscv64-linux-gnu-size build/firmware/opensbi-$1/rv64/platform/generic/firmware/fw_dynamic.elf |
		awk 'NR == 2 { print $1 }'
}
table=hosts/opensbi/README.md
for version in 1.6 newer; do
	# The table's row for this version, within 64 bytes.
	name=$(version_of $version)
	for depth in map server; do
		[ $depth = map ] && most=2500 || most=5000
		more=$(($(text $depth-$version) - $(text stock-$version)))
		echo "$depth-$version: $more bytes of code more"
		[ $more -le $most ] && pass || fail "$depth-$version: $more bytes of code more, not $most"
		told=$(sed -nE "s/^\| $name[.0-9]* with the $depth \|.*\| ([0-9,]+) \|\$/\1/p" $table | tr -d ,)
		if [ -z "$told" ]; then
			echo "$table has no figure of $name with the $depth"
		elif [ $((more - told)) -le 64 ] && [ $((told - more)) -le 64 ]; then
			pass
		else
			fail "$depth-$version: $more bytes of code more, but $table says $told"
		fi
	done
done
# Lines that the edits insert: at most so many, and as the page says.
inserted() {
	lines=$(diff -rN build/firmware/opensbi-1.6 build/firmware/opensbi-$1-1.6/src | grep -c '^>')
	echo "$1-1.6: $lines lines"
	[ "$lines" -le "$2" ] && pass || fail "$1-1.6: $lines lines inserted, not $2"
	grep -qE "^\| $1 \|.* $(echo "$lines" | sed -E 's/([0-9])([0-9]{3})$/\1,\2/') \|$" $table && pass ||
		fail "$table does not say that $1 inserts $lines lines"
}
inserted map 1200
inserted server 3000
for figure in $(sed -n '/^| \[OpenSBI/p' hosts/README.md | grep -oE '[0-9]{3},[0-9]{3}'); do
	grep -q "| $figure |" $table && pass || fail "hosts/README.md: $figure is not in $table"
done

for tree in bad raw; do
	works "the tree $tree" tests/opensbi/tree.sh "$dir/virt.dtb" $tree \
		"$dir/$tree.dtb"
done

# expected TREE FIRMWARE EVENT DATA
expected() {
	awk -F '\t' -v tree="$1" -v firmware="${2%%-*}" -v event="$3" -v data="$4" '
		$1 == tree && $2 == event && $3 == data {
			print (firmware == "stock" ? $4 : firmware == "server" && NF >= 6 ? $6 : $5)
			found = 1
		}
		END {
			if (!found)
				print "0x0", firmware == "stock" && event ~ /^0x[23]0000$/ ? "0x1" : "0x0"
		}' tests/opensbi/expect.txt
}

# Since 1.9, OpenSBI gives out no fixed counter that cannot filter while programmable ones can. An
# event with no other counter is then unsupported.
sed -n '/^static int pmu_ctr_find_hw(/,/^}/p' build/firmware/opensbi-newer/lib/sbi/sbi_pmu.c |
	grep -q EXT_SMCNTRPMF && filters=y || filters=
without_fixed() {
	counters=$((${1% *} & ~5))
	printf '0x%x 0x%x' $counters $((counters != 0))
}

series=
[ -z "$(with_series newer series)" ] || series=series-newer
for tree in virt bad raw; do
	for firmware in stock-1.6 map-1.6 server-1.6 map-newer server-newer $series; do
		boot $tree $firmware
		while read -r event data answer; do
			right=$(expected $tree $firmware "$event" "$data")
			[ $firmware$filters != map-newery ] && [ $firmware != series-newer ] || right=$(without_fixed "$right")
			[ "$answer" = "$right" ] && pass ||
				fail "$tree on $firmware, $event $data: $answer, not $right"
		done <<-E2
			$(sed -n 's/^=//p' "$log")
		E2
	done
done

# Two harts with one riscv,pmu node each: each hart answers from its own, and loses no store into
# entries of EVENT_GET_INFO.
smode harts 0x80200000
works "QEMU's tree of two harts" $machine -smp 2 -machine virt,dumpdtb="$dir/smp.dtb"
works "the tree of two nodes" tests/opensbi/tree.sh "$dir/smp.dtb" two "$dir/two.dtb"
for firmware in map-1.6 server-1.6 map-newer server-newer $series; do
	answers=$(scripts/limit.sh 120 $machine -smp 2 -machine virt -dtb "$dir/two.dtb" \
		-bios "build/firmware/opensbi-$firmware.bin" -kernel "$dir/harts.elf" </dev/null 2>&1 |
		head -c 100000 | tr -d '\r' | sed -n 's/^=//p')
	[ "$answers" = "0x0 0x78 0x1
0x1 0x18 0x1
0x0" ] && pass || fail "two harts on $firmware: $answers"
done

attacks 1.6 newer
delegation 1.6 newer
beside server-1.6-32 32 && pass || fail "server-1.6-32: deleg.c"

# OpenSBI's own unit tests pass with our files; with the series there is a suite more.
[ -z "${NIGHT:-}" ] || for name in $(with_series newer seriesunit); do
	own_tests $name-newer
done
for version in 1.6 newer; do
	for name in $suites; do
		own_tests $name-$version
	done
done

# run XLEN SUFFIX FIRMWARE STATUS: boots the guest of examples/hypervisor, which ends with STATUS
run() {
	log=$dir/guest$1-$3.log
	scripts/limit.sh 120 qemu-system-riscv$1 -machine virt -cpu rv$1,sscofpmf=true -m 256M -nographic \
		-net none -icount shift=0,sleep=off -bios build/firmware/opensbi-$3-1.6$2.bin \
		-kernel build/qemu/guest-rv$1.elf </dev/null >"$log" 2>&1
	status=$?
	[ $status = "$4" ] && pass ||
		{ fail "guest-rv$1 on $3: exit status $status"; tail -n 10 "$log"; }
	# Leave out lines with the firmware's own size.
	tr -d '\r' <"$log" | grep -v -e '^offered ' -e '^PMU: ' -e '^Firmware .*: .*0x' \
		-e '^Firmware .* KB' -e '^Firmware Scratch' -e '^Domain0 Region' >"$log.said"
}

# guest XLEN SUFFIX STATUS: on OpenSBI's own server the guest ends with STATUS. With the map it
# prints the same on RV64, except for what fix.sh fixes: EVENT_GET_INFO, sets that wrap, SKIP_MATCH
# of a running counter, and firmware counters of a set with a base. On RV32 the guest needs such a set, so it passes only with
# the fix.
guest() {
	[ -e build/qemu/guest-rv$1.elf ] ||
		{ echo "SKIP the guest of examples/hypervisor (make build/qemu/guest-rv$1.elf)"; return; }
	run $1 "$2" stock $3
	run $1 "$2" map 0
	for firmware in stock map; do
		# The number of QEMU's TLB misses varies.
		sed -E -e '/ base 0xf* mask/d' -e '/ base 0x16 mask 0x1 .* event 0xf0005 /d' \
			-e '/ base 0x0 mask 0x8(0000)? flags 0x1 event /d' \
			-e 's/ [0-9]+ ok$/ N ok/' "$dir/guest$1-$firmware.log.said" >"$dir/$firmware"
	done
	[ $3 = 1 ] || works "the same for guest-rv$1" cmp "$dir/stock" "$dir/map"
	run $1 "$2" server 0
}

guest 64 "" 0
guest 32 -32 1
finish
