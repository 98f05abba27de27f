#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: conformance/kvm.sh LINUX PAYLOAD TO [TREE]
#
# Writes TO, an initramfs that runs PAYLOAD (an ELF file at 0x80200000) as a KVM guest, with the
# device tree TREE if the payload reads one. LINUX: folder where scripts/fetch.sh has unpacked a
# kernel with its modules. Prints the kernel's name.
set -eu
linux=$1 payload=$2 to=$3 tree=${4:-}
folder=${to%.cpio}
rm -rf "$folder"
mkdir -p "$folder"
riscv64-linux-gnu-gcc -std=gnu11 -O2 -static -Wall -Wextra -Werror conformance/kvm.c \
	-o "$folder/init"
riscv64-unknown-elf-objcopy -O binary "$payload" "$folder/guest"
[ -z "$tree" ] || cp "$tree" "$folder/guest.dtb"
xz -dc "$(find "$linux" -name kvm.ko.xz)" >"$folder/kvm.ko"
(cd "$folder" && find . | cpio -o -H newc --quiet) >"$to"
find "$linux" -name 'vmlinu[xz]*' | head -n 1
