# SPDX-License-Identifier: BSD-2-Clause
#
# For planted.sh: AFL++ on the headers in $dir, from those inputs that do not show the bug.

export ASAN_OPTIONS=abort_on_error=1:symbolize=0:detect_leaks=0 UBSAN_OPTIONS=abort_on_error=1
export AFL_NO_UI=1 AFL_QUIET=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1
export AFL_NO_AFFINITY=1 AFL_FAST_CAL=1 AFL_BENCH_UNTIL_CRASH=1

# fuzz HARNESS: sets $took, of the clock; 0 if it finds something
fuzz() {
	local file afl_models=${models//$objects/$afl}
	AFL_QUIET=1 afl-clang-fast -std=c11 -O0 -fsanitize=address -DPMUMAP_EXTERN -I"$dir" \
		-c "$dir/implementation.c" -o "$dir/afl.o" 2>"$dir/layer.log" &&
		AFL_QUIET=1 afl-clang-fast $san "$afl/fuzz_$1.o" "$afl/main.o" $afl_models "$dir/afl.o" \
			-lfdt -o "$dir/harness" 2>"$dir/layer.log" || return
	rm -rf "$dir/in" "$dir/out"
	mkdir -p "$dir/in"
	for file in assurance/fuzz/corpus/"$1"/*; do
		! scripts/limit.sh 30 "$dir/harness" <"$file" >/dev/null 2>&1 || cp "$file" "$dir/in"
	done
	[ -n "$(ls "$dir/in")" ] || printf '\1' >"$dir/in/one"
	unset AFL_CUSTOM_MUTATOR_LIBRARY
	case $1 in
	blob | emit) export AFL_CUSTOM_MUTATOR_LIBRARY=$PWD/${afl#"$PWD/"}/mutator.so ;;
	esac
	afl-fuzz -t 5000 -V "${LIMIT:-600}" -x assurance/fuzz/fdt.dict -i "$dir/in" -o "$dir/out" \
		-- "$dir/harness" >"$dir/layer.log" 2>&1
	took=$(find "$dir/out" -path '*crashes/id*' -o -path '*hangs/id*' | head -n 1 |
		sed -nE 's/.*,time:([0-9]+)([0-9]{2})[0-9].*/\1.\2/p; s/.*,time:([0-9]{1,2}),.*/0.0/p')
	[ -n "$took" ]
}
