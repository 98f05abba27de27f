#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: bench/rv/run.sh CATALOG.dtb    (build/boards/*.dtb must be there)
#
# Instructions per look-up on RV64 and RV32 at -O2 and -Os; fails above the design's limits for RV64.
# The last line of each is the IMC catalog's: a name that is there, one that is not, an offset.
set -eu
out=build/rv
mkdir -p $out
cp "$1" $out/catalog.dtb
bad=0
flags="-std=c11 -Wall -Wextra -misa-spec=2.2 -mcmodel=medany -ffreestanding -fno-pic -static
	-nostdlib -fno-tree-loop-distribute-patterns -Wa,-Ibuild/boards -Wa,-I$out -Wl,--build-id=none
	-Wl,--no-warn-rwx-segments -T bench/rv/link.ld bench/rv/start.S bench/rv/main.c -lgcc"
printf '%-28s%13s%13s%13s%13s%9s%7s\n' 'mean / max instructions' selector counters 'raw hit' \
	'raw miss' build bytes
for xlen in 64 32; do
	abi=$([ $xlen = 64 ] && echo lp64 || echo ilp32)
	for level in -O2 -Os; do
		elf=$out/bench$xlen$level
		riscv64-unknown-elf-gcc $level -march=rv${xlen}imac -mabi=$abi \
			-DBUILD="\"rv$xlen $level\"" $flags -o $elf
		status=0
		timeout 60 qemu-system-riscv$xlen -machine virt -bios none -nographic \
			-icount shift=0 -kernel $elf </dev/null >$elf.txt || status=$?
		cat $elf.txt
		case $status,$xlen,$level in
		0,*) ;;
		1,64,*) bad=1 && echo "above the limit: selector and counters 16, raw 40" ;;
		1,*) ;;
		*) bad=1 && echo "rv$xlen $level: status $status" ;;
		esac
	done
done
exit $bad
