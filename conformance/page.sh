#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Tests all firmware in doc/conformance.md's columns and writes its tables. Build firmware first
# with scripts/opensbi-build.sh. Fetches the kernels; Debian sid's takes 150 MB.
set -eu
payload=build/qemu/conformance-rv64.elf
page=doc/conformance.md
logs=()

# column NAME FIRMWARE [QEMU_OPTION...]
column() {
	local log=build/qemu/conformance-${2##*/}.tap
	[ -e "$2" ] || { echo "$2 is not there"; exit 1; }
	echo "$1: $(conformance/run.sh $payload "$2" "$log" "${@:3}" | tail -n 1)"
	logs+=("$1=$log")
}

built=build/firmware/opensbi
column "OpenSBI 1.6" $built-stock-1.6.bin
column "1.6 server" $built-server-1.6.bin
# The newest tree, if somebody has built it there.
for tree in newer v1.9; do
	[ -e $built-stock-$tree.bin ] || continue
	version=$(sed -n 's/^#define OPENSBI_VERSION_M[AI][JN]OR[ \t]*//p' \
		$built-$tree/include/sbi/sbi_version.h | paste -sd .)
	column "OpenSBI $version" $built-stock-$tree.bin
	column "$version map" $built-map-$tree.bin
	column "$version server" $built-server-$tree.bin
done
column monitor build/qemu/monitor-rv64.elf -append grant=0xffffffff

# kvm FOLDER: the kernel in FOLDER on OpenSBI, with the payload as its guest
kvm() {
	local guest=build/qemu/conformance-${1##*/}.cpio log=build/qemu/conformance-${1##*/}.tap kernel
	kernel=$(conformance/kvm.sh "$1" $payload "$guest")
	local name="KVM $(sed -E 's,.*/(modules/|vmlinux-)([0-9]+[.][0-9]+)[.].*,\2,' <<<"$kernel")"
	echo "$name: $(KERNEL=$kernel CPU=rv64,sscofpmf=true,h=true \
		conformance/run.sh "$guest" $built-stock-1.6.bin "$log" | tail -n 1)"
	logs+=("$name=$log")
}
scripts/fetch.sh deb riscv64 linux-image-riscv64 build/firmware/linux
SUITE=sid scripts/fetch.sh deb riscv64 linux-image-riscv64 build/firmware/linux-sid
kvm build/firmware/linux
kvm build/firmware/linux-sid

conformance/matrix.sh conformance/notes.txt "${logs[@]}" >build/qemu/conformance-matrix
sed -e '/^<!-- matrix -->/,/^<!-- end/{/^<!--/!d}' -e '/^<!-- matrix -->/r build/qemu/conformance-matrix' \
	$page >build/qemu/conformance-page
cat build/qemu/conformance-page >$page
