#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: bench/ir.sh BENCH BOARD.dtb...
#
# Instructions per look-up on this machine's processor, counted by callgrind: the same on every run.
set -eu
out=build/ir
mkdir -p $out
# With debug information callgrind would split a function by the files that were inlined into it.
objcopy --strip-debug "$1" $out/bench
shift
printf '%-20s%12s%12s%12s%12s%12s%12s\n' 'instructions' selector scan counters scan raw scan
for board; do
	name=$(basename "$board" .dtb)
	valgrind -q --tool=callgrind --callgrind-out-file=$out/$name $out/bench --ir "$board"
	callgrind_annotate --inclusive=yes --auto=no --threshold=100 $out/$name |
	awk -v board="$name" '
		match($0, /:(selector|counters|raw)_(pmumap|scan)/) {
			count = $1
			gsub(",", "", count)
			per[substr($0, RSTART + 1, RLENGTH - 1)] = count / 4096
		}
		END {
			printf "%-20s%12.1f%12.1f%12.1f%12.1f%12.1f%12.1f\n", board,
				per["selector_pmumap"], per["selector_scan"],
				per["counters_pmumap"], per["counters_scan"],
				per["raw_pmumap"], per["raw_scan"]
		}'
done
