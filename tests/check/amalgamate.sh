#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# The product headers match src/, and scripts/amalgamate.py refuses what it must.
# Usage: amalgamate.sh NAME...

. tests/check/lib.sh

# same WHAT GOT WANT
same() {
	if [ "$2" = "$3" ]; then pass; else fail "$1: '$2' instead of '$3'"; fi
}

put=scripts/amalgamate.py
for name; do
	if $put "src/$name.h" >"$dir/$name.h" && cmp -s "$dir/$name.h" "$name.h"; then
		pass
	else
		fail "$name.h is not what src/ says: run make headers"
	fi
	# #line must change nothing else, and each number must be right.
	$put -l "src/$name.h" | awk '
		/^#line / { at = $2; file = substr($3, 2, length($3) - 2); next }
		file { n = 0; while (n < at && (getline line <file) > 0) n++; close(file)
			if (line != $0 && ($0 != "" || line !~ /^#include/)) print file ":" at; lines++; file = "" }
		END { if (lines < 5) print "no lines" }' >"$dir/lines"
	nothing "#line in $name.h" "$(cat "$dir/lines")"
done

# uses WHAT NAME|FILE...: a host's header with these compiles alone
uses() {
	local what=$1
	shift
	works "$what: its header" sh -c 'to=$1; shift; scripts/host-header.py "$@" >"$to"' - "$dir/host.h" "$@"
	works "$what" gcc -std=c99 -O1 -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef \
		-Werror -fsyntax-only -include "$dir/host.h" -x c /dev/null
}

for header; do
	uses "all calls of $header.h" $(grep -oE '^PMUMAP_API [^;]*\<pmumap_[a-z0-9_]+\(' $header.h | sed 's/.* \**\(.*\)(/\1/')
done
uses "a file" hosts/semu/semu_pmu.c
works "a call" sh -c 'scripts/host-header.py pmumap_fdt_build >"$1"' - "$dir/host.h"
nothing "not called" "$(grep -oE '^static inline [^;]*\<pmumap_(counters|restrict|plan|fdt_emit|hart_set)\(' "$dir/host.h")"
printf '%s\n' '/* SPDX */' '/* Title */' '' '/* Mine. */' \
	'static inline uint32_t pmumap_counters(const struct pmumap *m, uint32_t event)' '{' \
	'	return m->records + event;' '}' >"$dir/own.h"
uses "a function of its own" pmumap_counters "$dir/own.h"
same "its own function alone" "$(grep -c 'Mine\|records + event\|search_counters' "$dir/host.h")" 2
refused "an unknown call" "pmumap has no pmumap_nothing" scripts/host-header.py pmumap_nothing

# tree: creates a header with one part of each kind
tree() {
	rm -rf "$dir/src"
	mkdir -p "$dir/src/core" "$dir/src/riscv" "$dir/src/imc"
	printf '%s\n' '/* SPDX' ' * x */' '' '#include "riscv/api.h"' '#include "imc/d.h"' |
		sed 's,^ [*] x [*]/, * x\n */,' >"$dir/src/x.h"
	part core/version.h 'int version;'
	part core/linkage.h 'int linkage;'
	part core/a.h 'int a;'
	part core/b.h 'int b;' core/a.h
	part riscv/api.h 'int api;' core/linkage.h
	part imc/d.h 'int d;' core/b.h core/linkage.h
}

# part NAME TEXT NEEDED...
part() {
	local name=$1 text=$2
	shift 2
	{
		printf '%s\n' '/* SPDX */' "/* About $name */" '#pragma once' ''
		[ $# = 0 ] || printf '#include "%s"\n' "$@" ''
		echo "$text"
	} >"$dir/src/$name"
}

# order: part texts in the order of the generated header
order() {
	$put "$dir/src/x.h" | sed -n 's/^int \(.*\);/\1/p' | tr '\n' ' '
}

tree
same "each part once, behind what it needs; declarations first" "$(order)" "version linkage api a b d "
works "a good tree" $put "$dir/src/x.h"
same "the title of a part" "$(grep -c '^/\* ---- imc/d.h: About imc/d.h \*/$' "$dir/out")" 1
same "guards of what several headers share" \
	"$(sed -n 's/^#ifndef PMUMAP_HAS_\(.*\)_$/\1/p' "$dir/out" | tr '\n' ' ')" \
	"CORE_LINKAGE CORE_A CORE_B "
part core/version.h 'int version;'
printf '%s\n' '/* SPDX' ' * y' ' */' '#include "x.h"' '#include "imc/e.h"' >"$dir/src/y.h"
part imc/e.h 'int e;' core/b.h
same "what the header below has is not repeated" \
	"$($put "$dir/src/y.h" | sed -n 's/^int \(.*\);/\1/p' | tr '\n' ' ')" "version e "

part core/a.h 'int a;' core/b.h
refused "a circle" "core/[ab].h needs itself" $put "$dir/src/x.h"
tree
part core/b.h 'int b;' imc/d.h
refused "a part of a room above" "core/b.h may not need imc/d.h" $put "$dir/src/x.h"
tree
part imc/d.h 'int d;' riscv/api.h
refused "another binding" "imc/d.h may not need riscv/api.h" $put "$dir/src/x.h"
tree
part riscv/api.h 'int api;' core/a.h
refused "a declaration that needs a definition" "riscv/api.h declares: it may not need core/a.h" \
	$put "$dir/src/x.h"
tree
sed -i 2d "$dir/src/core/a.h"
refused "a part without a title" "core/a.h has no title" $put "$dir/src/x.h"
tree
rm "$dir/src/core/a.h"
refused "a part that is not there" "no part: core/a.h" $put "$dir/src/x.h"
tree
mv "$dir/src/imc" "$dir/src/toy"
sed -i 's,imc/,toy/,' "$dir/src/x.h" "$dir"/src/*/*.h
works "a room that nothing names is a binding" $put "$dir/src/x.h"
refused "a header that is not there" "no header" $put "$dir/src/z.h"
finish
