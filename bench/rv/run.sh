#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: bench/rv/run.sh DIR BOARDS [CATALOG.dtb]
#
# Instructions on RV64 and RV32 at -O2 and -Os, printed by bench/rv/main.c to DIR/rv.txt. Fails
# above the design's limits for RV64. BOARDS: folder with the boards' blobs.
set -eu
out=$1
boards=$2
define=
if [ -n "${3:-}" ]; then
	cp "$3" "$out/"
	define=-DCATALOG=$(basename "$3" .dtb)
fi
bad=0
flags="-std=c11 -Wall -Wextra -misa-spec=2.2 -mcmodel=medany -ffreestanding -fno-pic -static
	-nostdlib -fno-tree-loop-distribute-patterns -Wa,-I$boards -Wa,-I$out -Wl,--build-id=none
	-Wl,--no-warn-rwx-segments -T bench/rv/link.ld bench/rv/start.S bench/rv/main.c -lgcc"

# one XLEN LEVEL
one()
{
	abi=$([ "$1" = 64 ] && echo lp64 || echo ilp32)
	elf=$out/rv$1$2
	status=0
	riscv64-unknown-elf-gcc $2 -march=rv$1imac -mabi=$abi -DBUILD="\"rv$1$2\"" $define $flags \
		-o $elf &&
		scripts/limit.sh 60 qemu-system-riscv$1 -machine virt -bios none -nographic \
			-icount shift=0 -kernel $elf </dev/null >$elf.txt || status=$?
	case $status,$1 in
	0,* | 1,32) return 0 ;;
	1,64) echo "rv$1 $2: above a limit of bench/rv/main.c" ;;
	*) echo "rv$1 $2: status $status" ;;
	esac
	return 1
}

for xlen in 64 32; do
	one $xlen -O2 &
	other=$!
	one $xlen -Os || bad=1
	wait $other || bad=1
done
cat $out/rv64-O2.txt $out/rv64-Os.txt $out/rv32-O2.txt $out/rv32-Os.txt | tr -d '\r' >$out/rv.txt
exit $bad
