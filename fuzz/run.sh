#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: fuzz/run.sh [seconds per harness]
#
# Fuzzes both harnesses under ASan and UBSan, one CPU: AFL++ where it is installed, else libFuzzer.
# Fails if an input crashes or hangs, and says where it is kept.
set -eu
seconds=${1:-30}
out=build/fuzz
flags="-std=gnu11 -O2 -g"
models="tests/imc_model.c tests/amu_model.c"
export ASAN_OPTIONS=abort_on_error=1:symbolize=0:detect_leaks=0
export AFL_NO_UI=1 AFL_QUIET=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1
export AFL_NO_AFFINITY=1 AFL_HANG_TMOUT=5000

afl()
{
	AFL_USE_ASAN=1 AFL_USE_UBSAN=1 afl-clang-fast $flags -o "$out/afl_$1" \
		"fuzz/fuzz_$1.c" fuzz/main.c $models -lfdt >"$out/$1.log" 2>&1
	taskset -c 0 afl-fuzz -t 2000 -V "$seconds" -x fuzz/fdt.dict -i "$out/in_$1" \
		-o "$out/out_$1" -- "$out/afl_$1" >>"$out/$1.log" 2>&1
	grep -E '^(execs_done|execs_per_sec|corpus_count|bitmap_cvg)' \
		"$out/out_$1/default/fuzzer_stats"
}

libfuzzer()
{
	mkdir -p "$out/out_$1/default/crashes" "$out/out_$1/default/queue"
	clang $flags -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
		-o "$out/lf_$1" "fuzz/fuzz_$1.c" $models -lfdt
	"$out/lf_$1" -max_total_time="$seconds" -max_len=8192 -timeout=5 -dict=fuzz/fdt.dict \
		-use_value_profile=1 -artifact_prefix="$out/out_$1/default/crashes/id_" \
		"$out/out_$1/default/queue" "$out/in_$1" >"$out/$1.log" 2>&1 || true
	tail -n 1 "$out/$1.log"
}

if command -v afl-fuzz >/dev/null; then engine=afl; else engine=libfuzzer; fi
for harness in blob image; do
	rm -rf "$out/in_$harness" "$out/out_$harness"
	mkdir -p "$out/in_$harness"
	cp fuzz/corpus/$harness/* "$out/in_$harness"
	[ $harness = image ] || find build/boards -name '*.dtb' -size -4 \
		-exec cp {} "$out/in_$harness" \; 2>/dev/null || true
	echo "$harness: $engine, $seconds s"
	$engine $harness || { tail -n 20 "$out/$harness.log"; exit 1; }
done
bad=$(find "$out"/out_*/default/crashes "$out"/out_*/default/hangs -name 'id*' 2>/dev/null || true)
[ -z "$bad" ] || { echo "$bad"; exit 1; }
echo "no crash, no hang"
