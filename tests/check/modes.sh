#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The ways to include and link the headers: those that must work, and those that must be refused.
. tests/check/lib.sh
sources
gcc="${CC:-gcc} -std=c11 -O1 -I. $warnings"
gxx="${CXX:-g++} -std=c++11 -O1 -I. $warnings"

file() {
	cat >"$dir/$1"
}

file twice.c <<'E2'
#include "pmumap_fdt.h"
#include "pmumap.h"
#include "pmumap_fdt.h"
E2
file late.c <<'E2'
#include "pmumap_fdt.h"
#define PMUMAP_IMPLEMENTATION
#include "pmumap_fdt.h"
E2
file late_extern.c <<'E2'
#include "pmumap.h"
#define PMUMAP_EXTERN
#include "pmumap.h"
E2

works "included twice" $gcc -c "$dir/twice.c" -o "$dir/twice.o"
works "included twice, extern" $gcc -DPMUMAP_EXTERN -c "$dir/twice.c" -o "$dir/twice.o"
works "included twice, implementation" \
	$gcc -DPMUMAP_IMPLEMENTATION -c "$dir/twice.c" -o "$dir/twice.o"
works "declarations, then the implementation" \
	$gcc -DPMUMAP_EXTERN "$dir/late.c" "$dir/main.c" -o "$dir/late"
works "... which runs" "$dir/late"
refused "default, then the implementation" '#error' $gcc -c "$dir/late.c" -o "$dir/late.o"
refused "default, then extern" '#error' $gcc -c "$dir/late_extern.c" -o "$dir/late.o"

works "two default files" $gcc "$dir/all.c" "$dir/main.c" -o "$dir/two"
works "extern: two users and one implementation" \
	$gcc -DPMUMAP_EXTERN "$dir/all.c" "$dir/main.c" "$dir/implementation.c" -o "$dir/two"
refused "extern: no implementation" 'undefined reference' \
	$gcc -DPMUMAP_EXTERN "$dir/all.c" "$dir/main.c" -o "$dir/none"
cp "$dir/implementation.c" "$dir/implementation2.c"
refused "extern: two implementations" 'multiple definition' $gcc -DPMUMAP_EXTERN "$dir/main.c" \
	"$dir/implementation.c" "$dir/implementation2.c" -o "$dir/both"

for name in $names; do
	printf 'int %s(void);\nint %s(void)\n{\n\treturn 0;\n}\n' "$name" "$name"
done >"$dir/same.c"
works "a file with functions of the same names beside a default one" \
	$gcc "$dir/same.c" "$dir/main.c" -o "$dir/same"

works "C++ with the C implementation: the C part" \
	$gcc -c "$dir/implementation.c" -o "$dir/implementation.o"
works "C++ with the C implementation" \
	$gxx -DPMUMAP_EXTERN "$dir/all.cc" "$dir/main.cc" "$dir/implementation.o" -o "$dir/cxx"
works "... which runs" "$dir/cxx"
works "C++, default" $gxx "$dir/all.cc" "$dir/main.cc" -o "$dir/cxx"
works "C++, its own implementation" \
	$gxx -DPMUMAP_EXTERN "$dir/all.cc" "$dir/main.cc" "$dir/implementation.cc" -o "$dir/cxx"

# All that the implementation exports is what the headers declare, and it has no writable data.
exported=$(nm -g --defined-only "$dir/implementation.o" | awk '{ print $3 }' | sort)
nothing "exported, but not declared, or the reverse" \
	"$(printf '%s\n%s\n' "$exported" "$(echo "$names" | sort)" | sort | uniq -u)"
nothing "writable data" "$(nm "$dir/implementation.o" | grep -i ' [bcdgs] ')"

# At -O0 no function is folded away or cloned; a dot marks what lies inside of a function.
works "-O0" $gcc -O0 -c "$dir/all.c" -o "$dir/all.o"
nothing "symbols without the prefix" \
	"$(nm --defined-only "$dir/all.o" | awk '{ print $3 }' | grep -v -e '^pmumap_' -e '[.]')"

# PMUMAP_NO_STDINT keeps the system's names out of the preprocessor's output.
for mode in "" -DPMUMAP_EXTERN -DPMUMAP_IMPLEMENTATION; do
	printf '' | $gcc -dM -E -xc - | sort >"$dir/before"
	printf '#include "pmumap_fdt.h"\n' | $gcc -DPMUMAP_NO_STDINT $mode -dM -E -xc - | sort |
		comm -13 "$dir/before" - >"$dir/after"
	nothing "macros without the prefix ($mode)" \
		"$(awk '{ print $2 }' "$dir/after" | grep -v '^PMUMAP_')"
	printf '#include "pmumap_fdt.h"\n' | $gcc -DPMUMAP_NO_STDINT $mode -E -P -xc - >"$dir/text"
	nothing "tags, types and enumerators without the prefix ($mode)" "$(
		grep -oE '\<(struct|enum|union) +[A-Za-z_0-9]+' "$dir/text" | awk '{ print $2 }' |
			grep -vE '^pmumap(_|$)' | sort -u
		tr '\n' ' ' <"$dir/text" | grep -oE 'enum [a-z_]* *\{[^}]*\}' |
			grep -oE '[A-Z][A-Z_0-9]*' | grep -v '^PMUMAP_' | sort -u
		grep '^ *typedef' "$dir/text" | grep -v 'pmumap_'
	)"
done
finish
