#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The quick start in the manual of pmumap.h compiles as it stands there, in C and C++, and yields
# the number that its last comment says.
. tests/lib.sh

awk '/^ \* QUICK START/ { on = 1; next } / \* CONTRACT/ { exit } on' pmumap.h |
	sed -E 's/^ \*\t?//' >"$dir/lines"
grep '^#include' "$dir/lines" >"$dir/quick.c"
cat >>"$dir/quick.c" <<'E2'
#include <stdio.h>
static void quick_start(void);
static void quick_start(void)
{
E2
grep -v '^#include' "$dir/lines" >>"$dir/quick.c"
cat >>"$dir/quick.c" <<'E2'
	printf("%d\n", counter);
}
int main(void)
{
	quick_start();
	return 0;
}
E2
cp "$dir/quick.c" "$dir/quick.cc"
want=$(grep . "$dir/lines" | tail -n 1 | sed -nE 's|.*// ||p')
grep -q pmumap_finish "$dir/lines" && pass || fail "there is no quick start in pmumap.h"

for compile in "${CC:-gcc} -std=c11" "${CXX:-g++} -std=c++11"; do
	file=$dir/quick.c
	[ "${compile##*+}" = 11 ] && file=$dir/quick.cc
	rm -f "$dir/quick"
	works "quick start" $compile -O2 $warnings -I. "$file" -o "$dir/quick"
	got=$("$dir/quick" 2>&1)
	[ "$got" = "$want" ] && pass || fail "quick start: got '$got', its comment says '$want'"
done
finish
