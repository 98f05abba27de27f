#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The quick starts in the manuals of both headers compile as they stand there, in C and C++; that of
# pmumap.h yields the number that its last comment says.
. tests/check/lib.sh

# lines HEADER: its quick start; an empty one is a failure
lines()
{
	awk '/^ \* QUICK START/ { on = 1; next } /^ \* [A-Z]/ { on = 0 } on' "$1" |
		sed -E 's/^ \*\t?//' >"$dir/lines"
	grep -q 'int counter' "$dir/lines" && pass || fail "there is no quick start in $1"
}

# program PARAMETERS: the lines, as a function with these parameters
program()
{
	grep '^#include' "$dir/lines"
	echo "#include <stdio.h>"
	echo "static void quick_start($1);"
	echo "static void quick_start($1)"
	echo "{"
	grep -v '^#include' "$dir/lines"
	printf '\tprintf("%%d\\n", counter);\n}\n'
}

for compile in "${CC:-gcc} -std=c11" "${CXX:-g++} -std=c++11"; do
	file=$dir/quick.c
	[ "${compile##*+}" = 11 ] && file=$dir/quick.cc
	rm -f "$dir/quick"

	lines pmumap_fdt.h
	program 'const void *fdt, size_t fdt_size' >"$file"
	echo 'int main(void) { quick_start("", 0); return 0; }' >>"$file"
	works "quick start of pmumap_fdt.h" $compile -O2 $warnings -I. "$file" -o "$dir/quick"

	lines pmumap.h
	program void >"$file"
	echo 'int main(void) { quick_start(); return 0; }' >>"$file"
	works "quick start of pmumap.h" $compile -O2 $warnings -I. "$file" -o "$dir/quick"
	want=$(grep . "$dir/lines" | tail -n 1 | sed -nE 's|.*// ||p')
	got=$("$dir/quick" 2>&1)
	[ "$got" = "$want" ] && pass || fail "quick start: got '$got', its comment says '$want'"
done
finish
