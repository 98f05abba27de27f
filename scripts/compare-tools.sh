#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: scripts/compare-tools.sh OLD NEW
#
# Compares two builds of the tool: output, errors and exit status of each verb, for every tree of
# tests/ and of ../shared/corpus, as source and as blob. Prints each difference.
#
# Skips images and their sizes if the builds have different image versions.
# NAMES: event names to look up per tree (default 60).
set -u

if [ $# != 2 ] || ! [ -x "$1" ] || ! [ -x "$2" ]; then
	sed -n 's/^# usage/usage/p' "$0" >&2
	exit 2
fi
old=$(realpath "$1")
new=$(realpath "$2")
cd "$(dirname "$0")/.." || exit 1
names=${NAMES:-60}
corpus=../shared/corpus
export LC_ALL=C

passed=0
failed=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

version() {
	"$1" rom | sed -nE 's/^#if PMUMAP_IMAGE_VERSION != //p'
}
images=$(version "$old")
if [ "$images" != "$(version "$new")" ]; then
	echo "SKIP images, and how large maps are: versions $images and $(version "$new")"
	images=
fi

# plain: masks sizes that depend on the image version
plain() {
	if [ -n "$images" ]; then
		cat
		return
	fi
	sed -E 's/(map of|the map:) [0-9]+ bytes/\1 N bytes/; s/"bytes":[0-9]+/"bytes":N/
		s/: [0-9]+ bytes (for one|needed)/: N bytes \1/
		/"code":"no-(index|space)"/s/"value":"0x[0-9a-f]+"/"value":N/'
}

# stdout and stderr go to one file: the tool flushes its output before it prints an error, so the
# order is fixed.
answer() {
	"$@" <"$input" 2>&1
	echo "exit status $?"
}

# same ARGUMENT...: compares the output of both tools
input=/dev/null
same() {
	answer "$old" "$@" >"$dir/old"
	answer "$new" "$@" >"$dir/new"
	if cmp -s "$dir/old" "$dir/new" || cmp -s <(plain <"$dir/old") <(plain <"$dir/new"); then
		passed=$((passed + 1))
		return
	fi
	failed=$((failed + 1))
	printf 'FAIL %.150s\n' "$*"
	diff <(plain <"$dir/old") <(plain <"$dir/new") | head -n 6 | cut -c 1-200
}

# ---- queries

sbi=$(for ((i = 0; i <= 10; i++)); do echo $i; done
	for ((i = 0x10000; i <= 0x10037; i++)); do printf '0x%x\n' $i; done)
words="cycles instructions cache-misses branch-misses bus-cycles L1-dcache-load-misses dTLB-load-misses
	SBI_PMU_HW_CACHE_REFERENCES set-timer fw:0 fw:5 fw:21 fw:255 platform:0x1 platform:0xffff
	platform:12000000000000000000 cache-mises 0x20000 0x10040 0xfffff 0x100000 r raw: -1 imc:x amu:x"
raw="r0 r1 r2 r3 r5 r8 rff r101 r302 r1801 r2002 r4000 r6001 r00ffffffffffff r1ffffffffffffff
	raw:0x0 raw:0x1 raw:0x7 raw:0x10 raw:0x22 raw:0x1c raw:0x1b raw:0x201 raw:0x1801 raw:0x3ffff00
	raw:0xffffffffffff raw:0x1000000000000 raw-v2:0x1801 raw-v2:0xffffffffffffff
	raw-v2:0x100000000000000 raw:1801 r0x1801"
offsets="imc:0x0 imc:0x8 imc:0x10 imc:0x18 imc:0x20 imc:0x118 imc:0x450 imc:0x540 imc:0xffffffff
	imc:mcs01:0xc8 imc:core:0x20 imc:nest_mcs01_imc:0x118 imc:none:0x8"
cpus="amu:#0 amu:#1 amu:#2 amu:#3 amu:#31 amu:#32 amu:#4294967295 amu:#4294967296 amu: amu:#
	amu:0x0 amu:0x1 amu:0x100 amu:0x10000 amu:0x80000000 amu:0x100000000 amu:0x81000100"

# sample FILE: at most $names lines, spread evenly over the file
sample() {
	awk -v limit="$names" '{ line[NR] = $0 }
		END { step = NR > limit ? NR / limit : 1
			for (at = 1; int(at) <= NR; at += step) print line[int(at)] }' "$1"
}

# Queries for event names and CPUs, from the old tool's JSON.
queries() {
	sed -nE 's/^\{"unit":"([^"]*)","name":"([^"]*)","type":"[a-z]*","offset":"(0x[0-9a-f]*)".*/\1 \2 \3/p' \
		"$dir/json" >"$dir/events"
	sample "$dir/events" >"$dir/some"
	while read -r unit name offset; do
		printf '%s\n' "$name" "$unit/$name" "${unit%@*}/$name" "imc:$offset" "imc:$unit:$offset"
	done <"$dir/some"
	sed -nE 's/^\{"cpu":[0-9]*,"mpidr":"(0x[0-9a-f]*)".*/amu:\1/p' "$dir/json" >"$dir/cpus"
	sample "$dir/cpus"
}

# ask TREE: repeats some look-ups alone, because several in one call share an exit status
ask() {
	local tree=$1 query all=()

	"$old" show --json --events "$tree" >"$dir/json" 2>/dev/null
	mapfile -t all < <(queries)
	for form in "" --json; do
		same lookup $form "$tree" $sbi
		same lookup $form "$tree" $words
		same lookup $form "$tree" $raw
		same lookup $form "$tree" $offsets
		same lookup $form "$tree" $cpus
		[ ${#all[@]} = 0 ] || same lookup $form "$tree" "${all[@]}"
		[ ${#all[@]} = 0 ] || same lookup $form --no-index "$tree" "${all[@]}"
		same assign $form "$tree" cycles instructions cache-misses branch-misses
		same assign $form "$tree" cycles cycles r1801 0x10019 fw:5 L1-dcache-load-misses r2 r2
		same assign $form --free 3,4-6 --features sscofpmf,smcntrpmf "$tree" cycles cache-misses@4
		same assign $form --free 0x1fffd --features filter "$tree" cycles instructions 0x10001
	done
	for query in cycles 3 0x10019 r1801 fw:5 nothing imc:0x8 amu:#0 ${all[0]+"${all[0]}"}; do
		same lookup "$tree" "$query"
	done
	sed -nE 's/^\{"unit":"([^"]*)","type":.*/\1/p' "$dir/json" | head -n 3 >"$dir/units"
	while read -r query; do
		same show --unit "$query" "$tree"
		same show --unit "${query%@*}" --json "$tree"
		same picture --unit "nest_${query%@*}_imc" "$tree"
	done <"$dir/units"
}

# look TREE: every way to show, check and write it
look() {
	for form in "" --json --events "--json --events" "--desc --no-index" "--available P9:0xff"; do
		same show $form "$1"
	done
	for form in "" --json --all --strict --sarif; do
		same check $form "$1"
	done
	same picture "$1"
	same rom --amu-enables "$1"
	[ -n "$images" ] || return
	for form in "" "--desc --no-index" "--name board" "--binary --big" "--binary --little"; do
		same rom $form "$1"
	done
}

# ---- trees

sources="$(echo tests/trees/boards/*.dts tests/trees/*.dts tests/tool/*.dts)"
if [ -d $corpus ]; then
	sources="$sources $(find $corpus -name '*.dts' | sort)"
else
	echo "SKIP $corpus: it is not there"
fi
if ! command -v dtc >/dev/null; then
	echo "SKIP trees: no dtc"
	sources=
fi
for source in $sources; do
	for form in "" --json --sarif "--all --strict"; do
		same check $form "$source"
	done
	same show "$source"
	blob=$dir/$(basename "$source" .dts).dtb
	dtc -q -I dts -O dtb -o "$blob" "$source" 2>/dev/null || continue
	look "$blob"
	ask "$blob"
	[ "$blob" = "$dir/imc-power9.dtb" ] || [ "$blob" = "$dir/sifive-u74.dtb" ] || rm "$blob"
done
for blob in $(find $corpus -name '*.dtb' 2>/dev/null | sort); do
	look "$blob"
	ask "$blob"
done

# ---- no FILE, stdin, images, containers

for form in "" --json --sarif --strict; do
	same check $form
done
same show
same show --json
same lookup $sbi $words $raw
same lookup --json $sbi $words $raw
same assign cycles cache-misses r1801
same rom --amu-enables
same picture
[ -z "$images" ] || same rom
same check --explain all
same check --json --explain all
same check --explain raw-dead

board=$dir/sifive-u74.dtb
if [ -f "$board" ]; then
	input=$board
	same show -
	same check --sarif -
	same lookup - cache-misses
	input=/dev/null
	same picture -o "$dir/picture" "$board"
	same check --strict "$board" "$dir/none" "$dir/imc-power9.dtb"
	same check --json "$board" "$dir/imc-power9.dtb"
	same check --sarif "$board" "$dir/imc-power9.dtb"
	for size in 0 8 40 100 240 600; do
		head -c $size "$board" >"$dir/cut"
		same show "$dir/cut"
		same check --sarif "$dir/cut"
	done
fi
if [ -f "$board" ] && [ -n "$images" ]; then
	for tree in "$board" "$dir/imc-power9.dtb"; do
		"$old" rom --binary "$tree" >"$dir/image"
		"$old" rom --binary --big "$tree" >"$dir/image.big"
		same show --json --events "$dir/image"
		same lookup "$dir/image" cycles imc:0x450
		same picture "$dir/image"
		same check "$dir/image"
		same rom "$dir/image"
		same show --node /pmu "$dir/image"
		same show "$dir/image.big"
	done
fi
if [ -f "$board" ] && command -v xz >/dev/null; then
	tests/tool/container.sh 0x4e0200 "$dir/imc-power9.dtb" 0x800200 "$board" >"$dir/catalogs"
	same show "$dir/catalogs"
	same show --json "$dir/catalogs"
	same check "$dir/catalogs"
	for pvr in 0x4e1202 0x801201 0x4d0200 0 x; do
		same show --events --pvr $pvr "$dir/catalogs"
		same check --json --pvr $pvr "$dir/catalogs"
	done
	same show --pvr 0x4e1202 "$board"
else
	echo "SKIP containers of catalogs: no xz, or no dtc"
fi

# ---- usage errors and help

while read -r line; do
	eval "same $line"
done <<'END'

--help
--version
help
help show
help nothing
show --help
lookup --help
check --help
assign --help
rom --help
picture --help
--json
--nothing
-x
-o
shwo
Makefile
show --strict
show --jsn
show --colour=never
show one two
show build-nowhere/none
show tests
show Makefile
show - /dev/null
show --node
show --node /pmu
show --available x
show --available P9:
show --available P9:0xff
show --pvr x
show --pvr 0
show --unit none
picture one two
picture --json
picture --unit none
picture -o /dev/full
picture -o build-nowhere/none/file
rom one two
rom --big
rom --big --little --binary
rom --binary --name x
rom --order 0x0
rom --amu-enables --binary
rom --amu-enables --order 0x0
rom --name int
rom --name 1a
rom --name ""
lookup
lookup Makefile
lookup cycles Makefile
lookup nothing else
lookup ""
assign
assign nothing
assign cycles@32
assign cycles@x
assign cycles@0 cycles@0
assign --free 33 cycles
assign --free 3- cycles
assign --free 0x100000000 cycles
assign --features none cycles
assign --features "" cycles
check --explain nothing
check --explain raw-daed
check --explain raw-dead Makefile
check --json --sarif
check --free 3
check build-nowhere/none
END

echo "$passed passed, $failed failed"
[ $failed = 0 ]
