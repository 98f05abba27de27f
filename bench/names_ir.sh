#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: bench/names_ir.sh DIR CATALOG
#
# Instructions of a look-up of a catalog's names, hit / miss, beside gperf's function of DIR: each
# instruction that QEMU traces, without those of the same program that looks up none. The caller's
# loop is included. Machines whose compiler is missing are left out.
set -eu
dir=$1
catalog=$2
name=$(basename "$catalog" .dtb)
out=$dir/names-ir
mkdir -p "$out"
sed '1,/^%%$/d; /^%%$/,$d' "$dir/gperf/$name.gperf" >"$out/names"
count=$(grep -c . "$out/names")
build/pmumap rom --binary --little "$catalog" >"$out/little" 2>"$out/log"
build/pmumap rom --binary --big "$catalog" >"$out/big" 2>>"$out/log"

# traced QEMU ARGUMENT...: how many instructions it runs
traced()
{
	"$1" -singlestep -d nochain,exec -D "$out/trace" "${@:2}"
	grep -c ^Trace "$out/trace"
}

# each QEMU ORDER WAY: instructions of a hit and of a miss
each()
{
	for kind in hit miss; do
		all=$(traced "$1" "$out/program" "$out/$2" "$out/names" "$3" $kind)
		none=$(traced "$1" "$out/program" "$out/$2" "$out/names" none $kind)
		echo $(((all - none + count / 2) / count))
	done | paste -sd / | sed 's,/, / ,'
}

echo "$name, $count names, hit / miss"
echo "| | pmumap -O2 | gperf -O2 | pmumap -Os | gperf -Os |"
echo "|---|--:|--:|--:|--:|"
while read -r machine order qemu cc; do
	command -v "$cc" >/dev/null || continue
	row="| $machine |"
	for level in -O2 -Os; do
		"$cc" $level -w -c "$dir/gperf/$name.c" -o "$out/gperf.o"
		"$cc" $level -static -I. bench/names_ir.c "$out/gperf.o" -o "$out/program"
		row="$row $(each "$qemu" "$order" pmumap) | $(each "$qemu" "$order" gperf) |"
	done
	echo "$row"
done <<END
ppc64le little qemu-ppc64le powerpc64le-linux-gnu-gcc
ppc64 big qemu-ppc64 powerpc64-linux-gnu-gcc
x86-64 little qemu-x86_64 gcc
AArch64 little qemu-aarch64 aarch64-linux-gnu-gcc
RV64 little qemu-riscv64 riscv64-linux-gnu-gcc
END
