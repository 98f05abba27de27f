#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The programs of doc/server.md compile as they stand there, in C and C++, and print what stands
# behind them.
. tests/check/lib.sh

awk -v dir="$dir" '
	/^```c$/ { on = 1; file = dir "/program" ++n ".c"; next }
	/^```text$/ { on = 1; file = dir "/program" n ".want"; next }
	/^```$/ { on = 0 }
	on { print >file }' doc/server.md
for n in 1 2 3; do
	for compile in "${CC:-gcc} -std=c11" "${CXX:-g++} -std=c++20 -x c++"; do
		works "program $n" $compile -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all \
			$warnings -I. "$dir/program$n.c" -o "$dir/program"
		"$dir/program" >"$dir/said" 2>&1 && pass || fail "program $n: status $?"
		works "what program $n prints" cmp "$dir/said" "$dir/program$n.want"
		rm -f "$dir/program"
	done
done
[ ! -e "$dir/program4.c" ] && pass || fail "there is one more program"
finish
