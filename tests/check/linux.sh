#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Debian's kernel for RISC-V on OpenSBI as it is, with the files of examples/opensbi, and with the
# server, under QEMU: what its perf counts when examples/opensbi/perf_init.c touches 65536 pages,
# how often it is interrupted for that, and what it refuses.
. tests/check/lib.sh

scripts/opensbi-build.sh || { fail "OpenSBI does not build"; finish; }
scripts/fetch.sh deb riscv64 linux-image-riscv64 build/firmware/linux ||
	{ fail "no kernel"; finish; }
kernel=$(ls build/firmware/linux/boot/vmlinux-* | head -n 1)

# A static program is all that there is.
mkdir "$dir/root"
works "the program builds" riscv64-linux-gnu-gcc -std=gnu11 -O2 $warnings -static \
	examples/opensbi/perf_init.c -o "$dir/root/init"
(cd "$dir/root" && find . | cpio -o -H newc --quiet) >"$dir/initrd"

machine="qemu-system-riscv64 -cpu rv64,sscofpmf=true -m 1G -nographic -net none"
works "QEMU's tree" $machine -machine virt,dumpdtb="$dir/virt.dtb"
works "the tree swapped" tests/opensbi/tree.sh "$dir/virt.dtb" tests/opensbi/swapped.dtsi \
	"$dir/swapped.dtb"

# boot LOG FIRMWARE TREE
boot() {
	timeout 120 $machine -machine virt -dtb "$dir/$3.dtb" -bios "build/firmware/opensbi-$2.bin" \
		-kernel "$kernel" -initrd "$dir/initrd" -append "console=ttyS0 quiet panic=-1" \
		</dev/null 2>&1 | head -c 1000000 | tr -d '\r' >"$dir/$1.log"
	grep -q '^=raw' "$dir/$1.log" || { fail "$1: no counts"; tail -n 10 "$dir/$1.log"; }
}

# field LOG EVENT NUMBER: count, error, enabled, running
field() {
	awk -v event="=$2" -v n="$3" '$1 == event { print $(n + 1) }' "$dir/$1.log"
}

# counted LOG EVENT LEAST MOST
counted() {
	count=$(field "$1" "$2" 1)
	[ "$(field "$1" "$2" 2)" = 0 ] && [ "$(field "$1" "$2" 3)" = "$(field "$1" "$2" 4)" ] &&
		[ "$count" -ge "$3" ] && [ "$count" -le "$4" ] && pass ||
		fail "$1, $2: ${count:-nothing}, not $3 to $4"
}

# not_there LOG EVENT: Linux says that there is no such event
not_there() {
	[ "$(field "$1" "$2" 2)" = 2 ] && pass || fail "$1, $2: not refused" # ENOENT
}

for firmware in stock pmumap server; do
	boot $firmware $firmware virt
	# Without -icount these are the host's clock: anything that is not absurd.
	counted $firmware cycles 131072 100000000000
	counted $firmware instructions 131072 100000000000
	counted $firmware dTLB-load-misses 65536 70000
	counted $firmware dTLB-store-misses 65536 70000
	counted $firmware iTLB-load-misses 1 16384
	counted $firmware samples 16 18 # of 4096 dTLB-load-misses each
	not_there $firmware branch-misses
	not_there $firmware LLC-load-misses
	# Linux asks for a counter only when it needs one.
	[ "$(field $firmware raw-0x1234 4)" = 0 ] && pass || fail "$firmware: a raw event has a counter"
done

# Selectors come from the tree, and where it has some, from nowhere else.
boot swapped pmumap swapped
counted swapped dTLB-load-misses 0 16384
counted swapped dTLB-store-misses 0 16384
counted swapped instructions 131072 100000000000
not_there swapped iTLB-load-misses
not_there swapped branch-misses

printf '%-18s %12s %12s %12s\n' "" stock pmumap server
for event in cycles instructions dTLB-load-misses dTLB-store-misses iTLB-load-misses \
	samples branch-misses LLC-load-misses; do
	printf '%-18s' $event
	for firmware in stock pmumap server; do
		[ "$(field $firmware $event 2)" = 0 ] && printf ' %12s' "$(field $firmware $event 1)" ||
			printf ' %12s' refused
	done
	printf '\n'
done
finish
