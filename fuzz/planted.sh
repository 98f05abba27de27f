#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: fuzz/planted.sh BUILD TESTS [BUG...]
#
# Plants bugs into copies of the headers, one at a time, and sees who finds them: the harness's
# inputs as they are; AFL++ from those inputs that do not show it, in LIMIT (600) seconds at most; the
# tests that are about it, of TESTS/test_*.o, as they are or else under ASan and UBSan. Both have to
# find it, and the tests nothing where nothing was planted.
#
# With PMUMAP_EXTERN only one object has the functions, so that nothing else is compiled again.
# FIT=1: only whether each bug has its one line in the headers.
set -u
build=$1
tests=$2
shift 2
wanted=" $* "
limit=${LIMIT:-600}
fit=${FIT:-}
cpu=${CPU:-0}
passed=0
failed=0
dir=$build/planted
models="model imc_model amu_model sbi_model"
san="-fsanitize=address,undefined -fno-sanitize-recover=all" # what the harnesses are built with

export ASAN_OPTIONS=abort_on_error=1:symbolize=0:detect_leaks=0 UBSAN_OPTIONS=abort_on_error=1
export AFL_NO_UI=1 AFL_QUIET=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1
export AFL_NO_AFFINITY=1 AFL_FAST_CAL=1 AFL_BENCH_UNTIL_CRASH=1 PMUMAP_QUICK=1

# edit FILE OLD NEW: OLD has to be there once, whole lines aside from the white space around them
edit() {
	if [ "$(grep -cF -- "$2" "$dir/$1")" != 1 ]; then
		echo "FAIL $1 has this not exactly once: $2"
		return 1
	fi
	OLD=$2 NEW=$3 awk '{
		at = index($0, ENVIRON["OLD"])
		if (at)
			$0 = substr($0, 1, at - 1) ENVIRON["NEW"] \
				substr($0, at + length(ENVIRON["OLD"]))
		print
	}' "$dir/$1" >"$dir/edited" && mv "$dir/edited" "$dir/$1"
}

# objects FOLDER NAME...
objects() {
	folder=$1
	shift
	for name; do
		printf '%s ' "$folder/$name.o"
	done
}

# shows FILE: whether the harness fails on it
shows() {
	! ignored=$(scripts/limit.sh 30 "$dir/harness" <"$1" 2>&1)
}

# fuzz HARNESS: sets $seeds and $found
fuzz() {
	local all=0 showing=0
	rm -rf "$dir/in" "$dir/out"
	mkdir -p "$dir/in"
	for file in fuzz/corpus/"$1"/*; do
		all=$((all + 1))
		if shows "$file"; then
			showing=$((showing + 1))
		else
			cp "$file" "$dir/in"
		fi
	done
	seeds="$showing of $all"
	[ $showing -lt $all ] || printf '\1' >"$dir/in/one"
	unset AFL_CUSTOM_MUTATOR_LIBRARY
	case $1 in
	blob | emit) export AFL_CUSTOM_MUTATOR_LIBRARY=$PWD/$build/afl/mutator.so ;;
	esac
	taskset -c "$cpu" afl-fuzz -t 5000 -V "$limit" -x fuzz/fdt.dict -i "$dir/in" -o "$dir/out" \
		-- "$dir/harness" >"$dir/log" 2>&1
	found=$(find "$dir/out" -path '*crashes/id*' -o -path '*hangs/id*' | head -n 1 |
		sed -nE 's/.*,time:([0-9]+).*/\1/p')
	found=${found:+$((found / 1000)).$((found / 100 % 10))}
}

# by_tests FLAGS TEST...: sets $caught to those that fail
by_tests() {
	flags=$1
	shift
	caught=
	gcc -std=c11 -O0 $flags -I"$dir" -c "$dir/implementation.c" -o "$dir/tests.o" || return
	for name; do
		gcc $flags $(objects "$tests" "test_$name" $models) "$dir/tests.o" -lfdt \
			-o "$dir/test" && ignored=$(scripts/limit.sh 300 "$dir/test" >"$dir/test.log" 2>&1) &&
			continue
		caught="$caught${caught:+, }test_$name"
	done
}

# harness NAME: one with the headers in the folder
harness() {
	AFL_QUIET=1 afl-clang-fast -std=c11 -O0 -fsanitize=address -I"$dir" -c "$dir/implementation.c" \
		-o "$dir/harness.o" 2>"$dir/log" &&
		AFL_QUIET=1 afl-clang-fast $san $(objects "$build/afl" "fuzz_$1" main $models) \
			"$dir/harness.o" -lfdt -o "$dir/harness" 2>"$dir/log"
}

# nothing FLAGS TEST...: they find nothing in the headers as they are, or the rest means nothing
nothing() {
	cp pmumap.h pmumap_fdt.h "$dir"
	by_tests "$@"
	if [ -n "$caught" ]; then
		echo "FAIL without a bug: $caught"
		tail -n 3 "$dir/test.log"
		failed=$((failed + 1))
	else
		passed=$((passed + 1))
	fi
}

# plant NAME KIND HARNESS TESTS FILE OLD NEW
plant() {
	[ "$wanted" = "  " ] || [ "${wanted#* $1 }" != "$wanted" ] || return 0
	cp pmumap.h pmumap_fdt.h "$dir"
	if ! edit "$5" "$6" "$7" || { [ -z "$fit" ] && ! harness "$3"; }; then
		echo "FAIL $1 was not built"
		failed=$((failed + 1))
		return
	fi
	if [ -n "$fit" ]; then
		passed=$((passed + 1))
		return
	fi
	fuzz "$3"
	by_tests "" $4
	how=
	[ -n "$caught" ] || { by_tests "$san" $4 && how=" under ASan"; }
	by="$caught"
	[ -z "$how" ] || nothing "$san" $4
	printf '| %s | %s | %s | %s | %s | %s |\n' "$1" "$2" "$3" "$seeds" \
		"${found:-not in $limit} s" "${by:+$by$how}"
	if [ -n "$found" ] && [ -n "$by" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
	fi
}

rm -rf "$dir"
mkdir -p "$dir"
if [ -z "$fit" ]; then
	command -v afl-fuzz >/dev/null ||
		{ echo "SKIP planted (afl-fuzz not found)"; echo "0 passed, 0 failed"; exit; }
	printf '#define PMUMAP_EXTERN\n#define PMUMAP_IMPLEMENTATION\n#include "pmumap_fdt.h"\n' \
		>"$dir/implementation.c"
	nothing "" blob tables image pick imc amu emit
	echo '| bug | kind | harness | inputs that show it | AFL++ without them | tests |'
	echo '|---|---|---|---|---|---|'
fi

plant property-end "out-of-bounds read" blob "blob" pmumap_fdt.h \
	'if (bytes > w->end - w->at || name >= w->names_bytes)' 'if (name >= w->names_bytes)'
plant range-cut "wrong union" tree "tables" pmumap.h \
	'if ((bits & 1) && reach[counter] < pmumap_row_end_(r))' 'if (bits & 1)'
plant last-row "lost row" tree "tables blob" pmumap_fdt.h \
	'for (; left >= 4 * count; left -= 4 * count) {' \
	'for (; left > 4 * count; left -= 4 * count) {'
plant chips-unchecked "unchecked offset in open" image "image" pmumap.h \
	'!pmumap_image_holds_(m, c->chips, c->chip_count, sizeof(struct pmumap_imc_chip_row_)) ||' ''
plant pinned-31 "off-by-one in assign" image "pick" pmumap.h \
	'else if (want[i].counter >= 0 && want[i].counter < (int32_t)PMUMAP_COUNTERS_)' \
	'else if (want[i].counter >= 0 && want[i].counter < 31)'
plant imc-last-event "lost event" tree "imc" pmumap.h \
	'if (place >= c->names)' 'if (place + 1 >= c->names)'
plant amu-next-name "wrong name" tree "amu" pmumap.h \
	'bits = v->described & ((1u << counter) - 1)' 'bits = v->described & ((2u << counter) - 1)'
plant emit-mask "wrong cell written" emit "emit" pmumap_fdt.h \
	'pmumap_fdt_edit_put_pair_(e, mask);' 'pmumap_fdt_edit_put_pair_(e, select | mask >> 1);'

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
