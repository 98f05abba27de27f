#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# run.sh [CLAIM...]: proves the claims of claims.sh with CBMC, all or the named ones.
#
# A claim is a function of a harness. It holds if every property holds, including CBMC's own checks
# of memory, arithmetic and loop bounds, and if each REACHED property fails: that shows that a state
# can occur, so the proof is not vacuous. JOBS: claims in parallel (2). LIMIT: CPU seconds per claim
# (300). N: rows that the builder sweeps over (1). CHECKED: folder of the headers (.), to test
# broken copies. TOOLS: where CBMC is or will be unpacked, from Debian trixie (build/trixie-cbmc).
# PROVED: see proofs/proved.sh.
set -u
. proofs/proved.sh

here=proofs/cbmc
checked=${CHECKED:-.}
tools=${TOOLS:-build/trixie-cbmc}
limit=${LIMIT:-300}

checks="--bounds-check --pointer-check --pointer-overflow-check --pointer-primitive-check
	--signed-overflow-check --unsigned-overflow-check --div-by-zero-check
	--undefined-shift-check --unwinding-assertions"

# Functions where arithmetic wraps on purpose: hashes, masks made of a comparison, the lowest bit of
# a set, values then not used, and counts that end below 0.
wraps="pmumap_riscv_raw_number_ pmumap_riscv_open_raw_ pmumap_riscv_place_rows_
	pmumap_is_overlap_ pmumap_server_access_
	pmumap_vpmu_load_each_ pmumap_vpmu_release_each_"

skip() {
	echo "SKIP prove-cbmc ($1)"
	echo "0 passed, 0 failed"
	exit 0
}

fetch() {
	[ ! -e "$tools" ] || return 0
	command -v mmdebstrap >/dev/null || skip "mmdebstrap not found"
	scripts/mirror.sh >/dev/null || skip "no Debian mirror is configured"
	mkdir -p "${tools%/*}"
	scripts/fetch.sh root cbmc "$tools" || { echo "0 passed, 1 failed"; exit 1; }
}

# Runs a program from another Debian release with that release's loader.
tool() {
	local program=$1
	shift
	"$loader" --library-path "$tools/usr/lib/$arch:$tools/usr/lib" "$tools/usr/bin/$program" "$@"
}

# Properties whose result in CBMC's output is not the expected one.
wrong() {
	awk -v wraps="$wraps" '
		BEGIN { n = split(wraps, names); for (i = 1; i <= n; i++) wrap[names[i]] = 1 }
		!/^\[.*: (SUCCESS|FAILURE|UNKNOWN|ERROR)$/ { next }
		{ seen++ }
		/ REACHED / { reached++; if (!/: FAILURE$/) print "never happens: " $0; next }
		/ arithmetic overflow on unsigned / {
			name = substr($1, 2)
			sub(/\.overflow\.[0-9]+\]$/, "", name)
			if (wrap[name]) next
		}
		!/: SUCCESS$/
		END {
			if (!seen) print "no property was checked"
			if (!reached) print "nothing shows that the claim is not empty"
		}' "$1"
}

# check OUT FUNCTION FILE DEFINES REPLACED OPTIONS...
check() {
	local out=$1 function=$2 file=$3 defines=$4 replaced=$5 r child
	shift 5
	tool goto-cc $defines -I"$checked" -I$here --function "$function" -o "$out.gb" \
		"$here/$file" || return
	for r in $replaced; do
		tool goto-instrument --replace-calls "$r" "$out.gb" "$out.new" || return
		mv "$out.new" "$out.gb"
	done
	scripts/limit.sh "$limit" "$loader" --library-path "$tools/usr/lib/$arch:$tools/usr/lib" \
		"$tools/usr/bin/cbmc" "$out.gb" $checks --slice-formula --drop-unused-functions "$@" &
	child=$!
	trap 'kill $child; exit 130' INT TERM
	wait $child
}

# claim NAME FUNCTION FILE BOUND DEFINES REPLACED OPTIONS...
claim() {
	local name=$1 bound=$4 out=$dir/$1 bad result=FAILURE TIMEFORMAT='%R %U'
	{ time check "$out" "$2" "$3" "${@:5}" >"$out.log" 2>&1; } 2>"$out.time"
	bad=$(wrong "$out.log")
	if [ -z "$bad" ]; then
		result=SUCCESS
		echo 1 >"$out.passed"
	fi
	printf '%-16s %-50s %5.0f s, %5.0f s of CPU  %s\n' "$name" "$bound" \
		$(cat "$out.time") $result
	[ -n "$bad" ] || return
	{ grep 'FAILURE$' <<<"$bad"; grep -v 'FAILURE$' <<<"$bad"; } | head -n 10 | sed 's/^/  /'
	grep -iE '^(.*: )?error|^Reason|out of memory' "$out.log" | head -n 3 | sed 's/^/  /'
}

arch=$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || echo "$(uname -m)-linux-gnu")
dir=$(mktemp -d build/cbmc.XXXXXX) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'kill $(jobs -p) 2>/dev/null; exit 130' INT TERM

# FUNCTION and the stubs are the code of a claim, without what they replace.
run() {
	local roots=$2 r
	for r in $6; do
		roots=$roots,-${r%:*},${r#*:}
	done
	printf 'cbmc/%s\t%s\t%s\t%s\t%s\n' "$1" "$here/$3" "$checked,$here" "$roots" \
		"$(echo $checks $wraps "${@:2}" "$(declare -f check wrong)" | tr '\n\t' '  ')"
}
. $here/claims.sh >"$dir/inputs"
proofs/input.py --deep <"$dir/inputs" >"$dir/hashes"

number=0
known=0
wanted=" $* "
# run NAME ...: starts a claim when a slot is free
run() {
	[ "$wanted" = "  " ] || [[ $wanted == *" $1 "* ]] || return
	trusted "cbmc/$1" && known=$((known + 1)) && return
	if [ $number = 0 ]; then
		fetch
		loader=$(echo "$tools"/usr/lib*/ld-linux-*.so.2)
	fi
	while [ "$(jobs -rp | wc -l)" -ge "${JOBS:-2}" ]; do
		wait -n
	done
	number=$((number + 1))
	claim "$@" &
}
. $here/claims.sh
wait

passed=0
for file in "$dir"/*.passed; do
	file=${file##*/}
	[ ! -e "$dir/$file" ] || ! proved "cbmc/${file%.passed}" || passed=$((passed + 1))
done
echo "$known claims are about code that was proved before"
echo "$((passed + known)) passed, $((number - passed)) failed"
[ $((number + known)) != 0 ] && [ "$passed" = "$number" ]
