#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Runs OpenSBI's own code on this machine (unchanged, fixed, with the map and with the server) for
# each event of each board and of random trees. Each difference from what the rows say must have a
# name in tests/opensbi/differences.txt, and each name a difference. Also tests device hooks, the
# overflow event of SSE and shared memory. The tool's firmware models (tool/firmware) must not
# differ at all. NIGHT: five times as many random trees.
#
# usage: tests/check/oracle.sh, or OPENSBI=CHECKOUT tests/check/oracle.sh COMMIT...
#
# With commits of a checkout, tests only hosts/opensbi/series.sh on them.
. tests/check/lib.sh

more=1
[ -z "${NIGHT:-}" ] || more=5
[ $# -gt 0 ] || SOURCES=1 NAMES="stock fixed map server" scripts/opensbi-build.sh ||
	{ fail "OpenSBI has no sources"; finish; }
[ "$(ls build/boards/*.dtb | wc -l)" -gt 10 ] || fail "no boards"

# All boards with a RISC-V PMU.
boards=$(for tree in build/boards/*.dtb; do
	fdtget -l "$tree" / >/dev/null 2>&1 && strings -a "$tree" | grep -q 'riscv,pmu$' && echo "$tree"
done)

trees=$(for tree in build/boards/*.dtb build/trees/*.dtb build/mistakes/*.dtb build/corpus/*.dtb; do
	fdtget -l "$tree" / >/dev/null 2>&1 && strings -a "$tree" | grep -q 'riscv,pmu$' && echo "$tree"
done)
[ "$(echo $trees | wc -w)" -gt 80 ] || fail "no trees"

# oracle NAME VERSION: builds it from OpenSBI's source
oracle() {
	src=build/firmware/opensbi-$1-$2/src
	symbols=-DCONFIG_FDT_PMU objects=
	case $1 in
	series) symbols="$symbols -DSERIES" ;;
	map | server) symbols="$symbols -DPMU_MAP" ;;
	esac
	for file in $src/lib/sbi/sbi_bitops.c $src/lib/sbi/sbi_pmu*.c $src/lib/utils/fdt/fdt_pmu.c \
		tests/opensbi/model/machine.c; do
		objects="$objects $dir/$(basename "$file" .c).o"
		works "$file" gcc -O1 -g -Wall -Wno-int-to-pointer-cast -ffreestanding \
			-fno-strict-aliasing -D__riscv_xlen=64 $symbols -Itests/opensbi/model \
			-I$src/include -I$src/lib/utils/libfdt -c "$file" \
			-o "$dir/$(basename "$file" .c).o"
	done
	works "hooks" gcc -O1 -g -Wall -ffreestanding -fno-builtin -fno-strict-aliasing \
		-D__riscv_xlen=64 $symbols -Itests/opensbi/model -I$src/include \
		-c tests/opensbi/hooks.c -o "$dir/hooks.o"
	works "the hooks of $1-$2" gcc "$dir/hooks.o" $objects -lfdt -o "$dir/hooks-$1-$2"
	works "the oracle $1-$2" gcc -O1 -g $warnings tests/opensbi/oracle.c $objects -lfdt -o "$dir/oracle-$1-$2"
}

# models NAME VERSION MODEL RANDOM: compares the tool's model with the code from oracle(), for all
# trees with a RISC-V PMU and RANDOM random ones
models() {
	works "the models, $1-$2" gcc -O1 -g $warnings -I. -Itool tests/opensbi/models.c \
		$objects \
		build/command/firmware/*.o build/command/source/*.o build/command/map/*.o \
		build/command/text/*.o $(grep -o -- '-l[a-z]*' build/pmumap.libs) -lfdt \
		-o "$dir/models-$1-$2"
	"$dir/models-$1-$2" "$3" $trees -- "$4" >"$dir/models.txt" || fail "$3: exit status $?"
	answers=$(awk '$1 == "answers" { n += $2 } END { print n + 0 }' "$dir/models.txt")
	echo "$3 beside $1-$2: $answers answers of $(echo $trees | wc -w) trees and $4 random ones"
	[ "$answers" -gt 100000 ] && pass || fail "$3: only $answers answers"
	# Trees that it reads otherwise, each once, and why.
	sort -u "$dir/models.txt" | awk -F '\t' '$1 == "known" { n[$3]++ }
		END { for (why in n) print "\tnot compared: " n[why] " with " why }'
	grep -v -e '^answers' -e '^known' "$dir/models.txt" | head -n 5 >"$dir/differ.txt"
	nothing "$3 answers otherwise than $1-$2" "$(cat "$dir/differ.txt")"
}

# series VERSION: OpenSBI with hosts/opensbi/series.sh answers as the rows say and, for each hart of a
# tree, as pmumap does
series() {
	NAMES=series SOURCES=1 scripts/opensbi-build.sh "$1" || { fail "series-$1 has no source"; return; }
	lines=$(git diff --no-index --numstat "build/firmware/opensbi-$1" "build/firmware/opensbi-series-$1/src" |
		awk '!/docs\/|tests\// { more += $1; less += $2 } END { print "+" more " -" less }')
	grep -qF "| all | $lines |" hosts/opensbi/series.md && pass ||
		fail "series-$1: $lines lines, but hosts/opensbi/series.md has another figure"
	oracle series "$1"
	"$dir/oracle-series-$1" $boards -- 1000 >"$dir/series-$1.txt" || fail "series-$1: exit status $?"
	echo "series-$1: $(awk '{ n += $2 } END { print n + 0 }' "$dir/series-$1.txt") answers"
	grep -v '^answers' "$dir/series-$1.txt" | head -n 5 >"$dir/differ.txt"
	nothing "series-$1 answers otherwise than the rows" "$(cat "$dir/differ.txt")"
	models series "$1" series $((1300 * more))
}

if [ $# -gt 0 ]; then
	for version; do
		series "$version"
	done
	finish
fi

for version in 1.6 newer; do
	for name in stock fixed map server; do
		oracle $name $version
		case $name in
		stock) models $name $version "opensbi-$(version_of $version)" $((2000 * more)) ;;
		server) models $name $version pmumap $((200 * more)) ;;
		esac
		"$dir/oracle-$name-$version" $boards -- $((30 * more)) >"$dir/$name-$version.txt" ||
			fail "$name-$version: exit status $?"
		answers=$(awk '$1 == "answers" { n += $2 } END { print n + 0 }' \
			"$dir/$name-$version.txt")
		echo "$name-$version: $answers answers"
		[ "$answers" -gt $((2000 * more)) ] && pass || fail "$name-$version: only $answers answers"
		awk -F '\t' -v name="$name-$version" '$1 != "answers" { n[$1]++; if (!first[$1]) first[$1] = $0 }
			END { for (c in n) print name "\t" c "\t" n[c] "\t" first[c] }' \
			"$dir/$name-$version.txt" >>"$dir/found.txt"
	done
done

if since 1.9 newer; then
	series newer
else
	echo "without the series: OpenSBI $(version_of newer) is older than 1.9"
fi

# Claims of findings about OpenSBI, tested on its code.
grep '^[0-9]' tests/opensbi/answers.txt >"$dir/answers"
for version in 1.6 newer; do
	asked=0
	while IFS='	' read -r first tree event data counters selector why; do
		since "$first" $version || continue
		asked=$((asked + 1))
		is=$("$dir/oracle-stock-$version" --ask "build/$tree.dtb" "$event" "$data")
		[ "$is" = "$counters $selector" ] && pass ||
			fail "stock-$version: $tree $event $data: $is, not $counters $selector ($why)"
	done <"$dir/answers"
	[ "$asked" -ge 20 ] && pass || fail "stock-$version: asked about $asked answers only"
	echo "stock-$version, $(version_of $version): $asked answers of findings"
done

# The tree that OpenSBI hands on has no tables; check must know that they were there.
for version in 1.6 newer; do
	"$dir/oracle-stock-$version" --hand-on build/boards/sifive-u74.dtb >"$dir/handed.dtb" ||
		fail "stock-$version: no tree is handed on"
	codes=$(build/pmumap check --json "$dir/handed.dtb" | sed -E 's/.*"code":"([^"]*)".*/\1/' | paste -sd' ')
	[ "$codes" = tables-missing ] && pass || fail "stock-$version: of the tree handed on: $codes"
done

# With the map and the server, no node has tables afterwards, in trees with two nodes.
for version in 1.6 newer; do
	for name in map server; do
		for tree in build/trees/harts-two.dtb build/trees/harts-rest.dtb; do
			"$dir/oracle-$name-$version" --hand-on $tree >"$dir/handed.dtb" ||
				fail "$name-$version: $tree is not handed on"
			nothing "$name-$version: tables in $tree handed on" "$(dtc -q "$dir/handed.dtb" | grep 'event-to')"
		done
	done
done

# Calls around counting: the same results as OpenSBI's own code with START of a running counter
# fixed. 1.6 itself supports only Sscofpmf's overflow interrupt for SSE.
for version in 1.6 newer; do
	for machine in device filter event; do
		for name in fixed map server; do
			"$dir/hooks-$name-$version" $machine >"$dir/hooks" ||
				fail "hooks $machine, $name-$version: exit status $?"
			case $version-$machine in
			1.6-device | 1.6-filter) sed '/^register_cb\|^no event/,/^info/d' "$dir/hooks" ;;
			*) cat "$dir/hooks" ;;
			esac >"$dir/hooks-$name"
		done
		[ "$(wc -l <"$dir/hooks-fixed")" -ge 16 ] && pass || fail "hooks $machine: too few lines"
		for name in map server; do
			works "hooks $machine, $name-$version" diff "$dir/hooks-fixed" "$dir/hooks-$name"
		done
	done
done

# Each difference found has a name, and each name is found; by NIGHT, because some need many trees.
while IFS='	' read -r name class n first; do
	grep -q "^$name	$class	" tests/opensbi/differences.txt && pass ||
		fail "$name: $n answers without a name: $first"
done <"$dir/found.txt"
[ -n "${NIGHT:-}" ] || finish
while IFS='	' read -r name class why; do
	case $name in '' | '#'*) continue ;; esac
	grep -q "^$name	$class	" "$dir/found.txt" && pass ||
		fail "$name: no answer is $class any more ($why)"
done <tests/opensbi/differences.txt
finish
