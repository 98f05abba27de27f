#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: bench/ir.sh BENCH CALLS "FUNCTION..." TREE.dtb...
#
# Instructions per call of these functions on this machine's processor, counted by callgrind: the
# same on every run.
set -eu
out=build/ir
mkdir -p $out
# With debug information callgrind would split a function by the files that were inlined into it.
objcopy --strip-debug "$1" $out/bench
calls=$2
functions=$3
shift 3
printf '%-20s' instructions
printf '%17s' $functions
printf '\n'
for tree; do
	name=$(basename "$tree" .dtb)
	valgrind -q --tool=callgrind --callgrind-out-file=$out/$name $out/bench --ir "$tree"
	callgrind_annotate --inclusive=yes --auto=no --threshold=100 $out/$name |
	awk -v tree="$name" -v calls="$calls" -v functions="$functions" '
		match($0, /:[a-z_]+( |$)/) {
			count = $1
			gsub(",", "", count)
			function_name = substr($0, RSTART + 1, RLENGTH - 1)
			sub(" ", "", function_name)
			per[function_name] = count / calls
		}
		END {
			printf "%-20s", tree
			n = split(functions, wanted, " ")
			for (i = 1; i <= n; i++)
				printf "%17.1f", per[wanted[i]]
			printf "\n"
		}'
done
