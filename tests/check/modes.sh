#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Valid and invalid ways to include and link the headers.
. tests/check/lib.sh
sources
# -O0: optimisation does not affect linking. compile.sh optimises.
gcc="${CC:-gcc} -std=c11 -O0 -I. $warnings"
gxx="${CXX:-g++} -std=c++11 -O0 -I. $warnings"

file() {
	cat >"$dir/$1"
}

# Compile once what several programs link: NAME.o, and NAME.extern.o with PMUMAP_EXTERN.
for name in all main implementation; do
	works "$name" $gcc -c "$dir/$name.c" -o "$dir/$name.o"
done
for name in all main; do
	works "$name, extern" $gcc -DPMUMAP_EXTERN -c "$dir/$name.c" -o "$dir/$name.extern.o"
done

# Every header twice.
includes $headers $headers >"$dir/twice.c"
{
	includes $headers
	echo '#define PMUMAP_IMPLEMENTATION'
	includes $headers
} >"$dir/late.c"
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
	$gcc -DPMUMAP_EXTERN "$dir/late.c" "$dir/main.extern.o" -o "$dir/late"
works "... which runs" "$dir/late"
refused "default, then the implementation" '#error' $gcc -c "$dir/late.c" -o "$dir/late.o"
refused "default, then extern" '#error' $gcc -c "$dir/late_extern.c" -o "$dir/late.o"

# A header of another version before and after each header.
mkdir "$dir/other"
sed -E 's/^(#define PMUMAP_VERSION_PATCH ).*/\19/; s/(PMUMAP_VERSION_PATCH != )[0-9]+$/\19/' pmumap.h \
	>"$dir/other/pmumap.h"
for header in $headers; do
	printf '#include "%s"\n' "$dir/other/pmumap.h" "$header" >"$dir/other.c"
	refused "$header, after pmumap.h of another version" '#error.*two versions' \
		$gcc -c "$dir/other.c" -o "$dir/other.o"
	printf '#include "%s"\n' "$header" "$dir/other/pmumap.h" >"$dir/other.c"
	refused "pmumap.h of another version, after $header" '#error.*two versions' \
		$gcc -c "$dir/other.c" -o "$dir/other.o"
done

# Of two headers each comes before the other, and each header comes first and last.
orders=$(for list in "$(echo $headers)" "$(echo $(echo "$headers" | tac))"; do
	for header in $headers; do
		set -- $list
		echo "$@"
		shift
		list="$* ${list%% *}"
	done
done)
[ "$(echo "$orders" | sort -u | wc -l)" = $((2 * $(echo "$headers" | wc -l))) ] && pass ||
	fail "there are not two orders for each header"

# compiles FILE OPTION...: many orders preprocess to the same text. Compile each text once.
compiles() {
	source=$1
	shift
	$gcc "$@" -E -P "$source" >"$dir/order.text" || return
	text=$dir/$(cksum <"$dir/order.text" | tr ' ' -).text
	cmp -s "$dir/order.text" "$text" && return
	$gcc "$@" -fsyntax-only "$source" && mv "$dir/order.text" "$text"
}

# In each order, all functions exist as static ones; declarations followed by the implementation
# compile; and the lines are the same as in any other order.
while read -r order; do
	{
		includes $order
		grep -v '^#include' "$dir/all.c"
	} >"$dir/order.c"
	{
		includes $order
		echo '#define PMUMAP_IMPLEMENTATION'
		includes $order
	} >"$dir/order_late.c"
	works "$order" compiles "$dir/order.c"
	works "$order, then the implementation" compiles "$dir/order_late.c" -DPMUMAP_EXTERN
	sort "$text" >"$dir/order.lines"
	[ -f "$dir/first.lines" ] || cp "$dir/order.lines" "$dir/first.lines"
	works "$order: the same lines" cmp "$dir/first.lines" "$dir/order.lines"
done <<END
$orders
END

# Headers of other map kinds are independent: they include no other header and none includes them.
others=$(for header in $headers; do
	grep -q '^#include "pmumap' "$header" || grep -q "^#include \"$header\"" $headers ||
		echo "$header"
done)

# alone HEADER PATTERN: defines no other functions than its own and the shared ones
alone() {
	includes "$1" >"$dir/alone.c"
	works "$1 alone" $gcc -DPMUMAP_IMPLEMENTATION -c "$dir/alone.c" -o "$dir/alone.o"
	nothing "$1 alone has" "$(nm -g --defined-only "$dir/alone.o" | awk '{ print $3 }' |
		grep -vE "$2|^pmumap_(status_str|severity_str|fdt_size)$")"
}
for header in $others; do
	kind=${header%.h}
	alone "$header" "^${kind%_hw}_"
done
riscv='^pmumap_(begin|need|finish|open|size|add_(selector|counters|raw|map|table)|restrict)$'
riscv="$riscv|^pmumap_(selector|counters|raw_(counters|at)|encode|event_(next|valid)|plan|plan_all)$"
alone pmumap.h "$riscv"
alone pmumap_fdt.h "$riscv|^pmumap_fdt_(measure|build|add_node|harts|hart_find|emit|fixup)$"
includes pmumap_server.h >"$dir/server.c"

# Two files with different numbers of firmware counters, which use each other's state: with static
# functions, and with an implementation that has a third number.
server_user() {
	cat <<-EOF
		#define PMUMAP_SERVER_FW_COUNTERS $2
		#include "pmumap_server.h"
		struct pmumap_server *$1(void);
		struct pmumap_sbi_ret $1_total(struct pmumap_server *s);
		struct pmumap_server *$1(void)
		{
			static struct pmumap_server own;
			own.xlen = 64;
			pmumap_server_init(&own);
			return &own;
		}
		struct pmumap_sbi_ret $1_total(struct pmumap_server *s)
		{
			static const uint64_t none[6];
			return pmumap_server_call(s, PMUMAP_SBI_NUM_COUNTERS, none);
		}
	EOF
}
server_user few 4 >"$dir/few.c"
server_user many 32 >"$dir/many.c"
cat >"$dir/numbers.c" <<EOF
#include "pmumap_server.h"
struct pmumap_server *few(void), *many(void);
struct pmumap_sbi_ret few_total(struct pmumap_server *s), many_total(struct pmumap_server *s);
int main(void)
{
	return few_total(few()).value != 4 || many_total(few()).value != 4 ||
	       few_total(many()).value != 32 || many_total(many()).value != 32;
}
EOF
works "two numbers of firmware counters" $gcc "$dir/few.c" "$dir/many.c" "$dir/numbers.c" \
	-o "$dir/numbers"
works "... which run" "$dir/numbers"
works "two numbers of firmware counters, extern" $gcc -DPMUMAP_EXTERN "$dir/few.c" "$dir/many.c" \
	"$dir/numbers.c" "$dir/implementation.o" -o "$dir/numbers"
works "... which run" "$dir/numbers"
for number in 0 33; do
	refused "$number firmware counters" '#error.*PMUMAP_SERVER_FW_COUNTERS' \
		$gcc -DPMUMAP_SERVER_FW_COUNTERS=$number -fsyntax-only "$dir/server.c"
done

works "two default files" $gcc "$dir/all.o" "$dir/main.o" -o "$dir/two"
works "extern: two users and one implementation" \
	$gcc "$dir/all.extern.o" "$dir/main.extern.o" "$dir/implementation.o" -o "$dir/two"
refused "extern: no implementation" 'undefined reference' \
	$gcc "$dir/all.extern.o" "$dir/main.extern.o" -o "$dir/none"
cp "$dir/implementation.o" "$dir/implementation2.o"
refused "extern: two implementations" 'multiple definition' $gcc "$dir/main.extern.o" \
	"$dir/implementation.o" "$dir/implementation2.o" -o "$dir/both"

for name in $names; do
	printf 'int %s(void);\nint %s(void)\n{\n\treturn 0;\n}\n' "$name" "$name"
done >"$dir/same.c"
works "a file with functions of the same names beside a default one" \
	$gcc "$dir/same.c" "$dir/main.o" -o "$dir/same"

works "C++ with the C implementation" \
	$gxx -DPMUMAP_EXTERN "$dir/all.cc" "$dir/main.cc" "$dir/implementation.o" -o "$dir/cxx"
works "... which runs" "$dir/cxx"
works "C++, default" $gxx "$dir/all.cc" "$dir/main.cc" -o "$dir/cxx"
works "C++, its own implementation" \
	$gxx -DPMUMAP_EXTERN "$dir/all.cc" "$dir/main.cc" "$dir/implementation.cc" -o "$dir/cxx"

# The implementation exports exactly the declared functions, and has no writable data.
exported=$(nm -g --defined-only "$dir/implementation.o" | awk '{ print $3 }' | sort)
nothing "exported, but not declared, or the reverse" \
	"$(printf '%s\n%s\n' "$exported" "$(echo "$names" | sort)" | sort | uniq -u)"
nothing "writable data" "$(nm "$dir/implementation.o" | grep -i ' [bcdgs] ')"

# -O0 neither folds nor clones functions. A dot marks a local static.
nothing "symbols without the prefix" \
	"$(nm --defined-only "$dir/all.o" | awk '{ print $3 }' | grep -v -e '^pmumap_' -e '[.]')"

# PMUMAP_NO_STDINT keeps system names out of the preprocessor's output.
for mode in "" -DPMUMAP_EXTERN -DPMUMAP_IMPLEMENTATION; do
	printf '' | $gcc -dM -E -xc - | sort >"$dir/before"
	includes $headers | $gcc -DPMUMAP_NO_STDINT $mode -dM -E -xc - | sort |
		comm -13 "$dir/before" - >"$dir/after"
	nothing "macros without the prefix ($mode)" \
		"$(awk '{ print $2 }' "$dir/after" | grep -v '^PMUMAP_')"
	includes $headers | $gcc -DPMUMAP_NO_STDINT $mode -E -P -xc - >"$dir/text"
	nothing "tags, types and enumerators without the prefix ($mode)" "$(
		grep -oE '\<(struct|enum|union) +[A-Za-z_0-9]+' "$dir/text" | awk '{ print $2 }' |
			grep -vE '^pmumap(_|$)' | sort -u
		tr '\n' ' ' <"$dir/text" | grep -oE 'enum [a-z_]* *\{[^}]*\}' |
			grep -oE '[A-Z][A-Z_0-9]*' | grep -v '^PMUMAP_' | sort -u
		grep '^ *typedef' "$dir/text" | grep -v 'pmumap_'
	)"
done
finish
