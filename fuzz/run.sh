#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: fuzz/run.sh SECONDS BUILD ENGINE/HARNESS...
#
# Fuzzes one harness after another, SECONDS in total. ENGINE is afl, libfuzzer, or fast: libFuzzer
# without sanitizers, so that only the harness judges. The programs are in BUILD/ENGINE. CPUS (1):
# runs on that many, each with its share. Inputs are BUILD/inputs/HARNESS and the small files of the
# folders BLOBS. Fails if nothing was fuzzed, or if an input crashes or hangs. Then it prints the
# file, the reason and, if it is small, the whole input, because a CI machine may be gone later. The
# last line has the total number of runs.
#
# KEEP: a folder for a campaign. A run starts from the inputs in KEEP/HARNESS, adds what it finds,
# and appends its date, harness, seconds and executions to the file RECORD, then prints the sum.
set -u
seconds=$1
build=$2
shift 2
cpus=${CPUS:-1}
[ "$cpus" -le $# ] || cpus=$#
each=$((seconds * cpus / $#))
[ $each -gt 0 ] || each=1

. fuzz/env.sh
export AFL_HANG_TMOUT=10000

# inputs DIR HARNESS
inputs() {
	rm -rf "$1"
	mkdir -p "$1"
	cp "$build/inputs/$2"/* "$1"
	[ -z "${KEEP:-}" ] || find "$KEEP/$2" -type f -exec cp -t "$1" {} + 2>/dev/null
	case $2 in
	blob | emit)
		[ -z "${BLOBS:-}" ] || find $BLOBS -name '*.dtb' -size -8 -exec cp {} "$1" \;
		;;
	esac
}

# keep ENGINE/HARNESS OUT: adds to the campaign what a run has found, each input once, and its row
keep() {
	local file folder=$KEEP/${1#*/}
	mkdir -p "$folder"
	find "$2/out" -type f ! -name '*,orig:*' \( -path '*/queue/id*' -o -path "$2/out/[0-9a-f]*" \) |
		while read -r file; do
			cp -n "$file" "$folder/$(sha1sum <"$file" | cut -c1-10)"
		done
	echo "$(date -u +%F) $1 $each ${execs:-0}" >>"$RECORD"
}

# line WHAT SECONDS EXECS EXECS/S EDGES STABILITY: prints a row
line() {
	printf '%-18s %7s %11s %8s %13s %9s\n' "$@"
}

# afl HARNESS OUT: prints a row, and puts bad inputs into OUT/bad
afl() {
	local out=$2/out stats=$2/out/default/fuzzer_stats more=
	[ "$seconds" -lt 600 ] || more="-c $build/cmplog/fuzz_$1"
	mutator "$1" "$build/afl"
	taskset -c "$cpu" afl-fuzz -t 5000 -V "$each" -x fuzz/fdt.dict $more -i "$2/in" \
		-o "$out" -- "$build/afl/fuzz_$1" >"$2/log" 2>&1
	stat() { sed -nE "s/^$1 +: //p" "$stats" 2>/dev/null; }
	execs=$(stat execs_done)
	line "afl/$1" "$(stat run_time)" "$execs" "$(stat execs_per_sec)" \
		"$(stat edges_found)/$(stat total_edges)" "$(stat stability)"
	find "$out/default/crashes" "$out/default/hangs" -name 'id*' -exec cp {} "$2/bad" \;
}

libfuzzer() {
	mkdir -p "$2/out"
	taskset -c "$cpu" "$build/$engine/fuzz_$1" -max_total_time="$each" -max_len=262144 -len_control=20 \
		-timeout=10 -dict=fuzz/fdt.dict -use_value_profile=1 \
		-print_final_stats=1 -artifact_prefix="$2/bad/" "$2/out" "$2/in" >"$2/log" 2>&1
	execs=$(sed -nE 's/^stat::number_of_executed_units: +//p' "$2/log")
	line "$engine/$1" "$each" "$execs" \
		"$(sed -nE 's/^stat::average_exec_per_sec: +//p' "$2/log")" \
		"$(sed -nE 's/.* cov: ([0-9]+) .*/\1/p' "$2/log" | tail -n 1)" -
}

fast() {
	libfuzzer "$@"
}

# why ENGINE HARNESS FILE: prints why the input is bad
why() {
	local text
	if [ "$1" = afl ]; then
		timeout 60 "$build/afl/fuzz_$2" <"$3" 2>&1
	else
		timeout 60 "$build/$1/fuzz_$2" "$3" 2>&1
	fi | grep . | tail -n 5
	text=$(gzip -9 -n <"$3" | base64 -w 0)
	[ ${#text} -gt 4000 ] || echo "base64 -d <<<$text | gunzip"
}

# fuzz ENGINE/HARNESS: adds to passed, failed and total
fuzz() {
	local engine=${1%/*} harness=${1#*/} out=$build/fuzz/${1/\//-}
	if [ ! -x "$build/$engine/fuzz_$harness" ]; then
		echo "SKIP $1 ($build/$engine/fuzz_$harness is not there)"
		return
	fi
	rm -rf "$out"
	mkdir -p "$out/bad"
	inputs "$out/in" "$harness"
	execs=
	$engine "$harness" "$out"
	total=$((total + ${execs:-0}))
	[ -z "${KEEP:-}" ] || keep "$1" "$out"
	if [ -n "$(ls "$out/bad")" ]; then
		failed=$((failed + 1))
		echo "FAIL $1: $(ls "$out"/bad/* | head -n 5 | tr '\n' ' ')"
		why "$engine" "$harness" "$(find "$out/bad" -type f | sort | head -n 1)"
	elif [ "${execs:-0}" -lt 100 ]; then
		failed=$((failed + 1))
		echo "FAIL $1: nothing was fuzzed"
		tail -n 20 "$out/log"
	else
		passed=$((passed + 1))
	fi
}

# every COUNT CPU ENGINE/HARNESS...: this CPU's share, every COUNT-th run
every() {
	local count=$1 cpu=$2 passed=0 failed=0 total=0 n=0 run
	shift 2
	for run; do
		[ $((n++ % count)) != "$cpu" ] || fuzz "$run"
	done
	echo "$passed $failed $total" >"$build/fuzz/counts.$cpu"
}

mkdir -p "$build/fuzz"
rm -f "$build"/fuzz/counts.*
line "" seconds execs execs/s edges stability
for ((cpu = 0; cpu < cpus; cpu++)); do
	every "$cpus" "$cpu" "$@" &
done
wait
read -r passed failed total < <(awk '{ p += $1; f += $2; t += $3 } END { print p + 0, f + 0, t + 0 }' \
	"$build"/fuzz/counts.*)
[ "$(ls "$build"/fuzz/counts.* | wc -l)" = "$cpus" ] || failed=$((failed + 1))
echo "$total executions"
[ -z "${KEEP:-}" ] || awk '/^[0-9]/ { n += $4 } END { print n, "executions on record" }' "$RECORD"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
