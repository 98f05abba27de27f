#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# coverage.sh gcc|mcdc...: coverage of the headers, from programs built for it
#
# gcc: lines and branches, from gcovr. mcdc (modified condition/decision coverage): the conditions
# that are shown to affect their decision on their own, from clang. A decision that clang cannot
# measure counts as missed. A miss that coverage.txt does not list is a failure, and so is a listed
# line that is not missed. build/coverage-*/missed has all misses.
. tests/check/lib.sh

reasons=tests/check/coverage.txt

# programs KIND: all tests but test_steps, which needs other instrumentation
programs() {
	for source in tests/unit/test_*.c test_native32; do
		[ "$source" = tests/unit/test_steps.c ] ||
			echo "build/coverage-$1/$(basename "$source" .c)"
	done
}

# run KIND: runs them in parallel with fewer cases, which reach as much as all. They add to the same
# counts.
run() {
	for program in $(programs "$1"); do
		room "$(nproc)"
		rm -f "$program.good"
		LLVM_PROFILE_FILE=$program.profraw PMUMAP_QUICK=1 "$program" >"$program.log" 2>&1 &&
			touch "$program.good" &
	done
	wait
	cat build/coverage-"$1"/*.log | grep '^SKIP' | sort -u
	for program in $(programs "$1"); do
		[ -f "$program.good" ] && continue
		echo "FAIL $program"
		grep -vE ' passed, |^[0-9]+ checks$' "$program.log" | head -n 5
		failed=$((failed + 1))
	done
}

# Turns "KIND HEADER LINE" into "KIND HEADER FUNCTION: TEXT", which does not change when lines move.
texts() {
	sort -u | while read -r kind header line; do
		awk -v kind="$kind" -v header="$header" -v line="$line" '
			/^[A-Za-z].*\(/ && !/^(struct|enum|union|typedef) [a-z_]* *{/ {
				name = $0
				sub(/\(.*/, "", name)
				sub(/.*[ *]/, "", name)
			}
			NR == line {
				gsub(/^[ \t]+|[ \t]+$/, "")
				print kind, header, name ": " $0
				exit
			}' "$header"
	done
}

# judge KIND...: compares the misses on stdin with the reasons for these kinds
judge() {
	missed=$(texts | sort -u)
	allowed=$(for kind; do grep "^$kind " "$reasons"; done | sort -u)
	new=$(comm -23 <(echo "$missed") <(echo "$allowed") | grep .)
	old=$(comm -13 <(echo "$missed") <(echo "$allowed") | grep .)
	echo "$missed" >"build/coverage-$mode/missed"
	passed=$((passed + $(comm -12 <(echo "$missed") <(echo "$allowed") | grep -c .)))
	[ -z "$new" ] || echo "$new" | sed 's/^/FAIL missed: /'
	[ -z "$old" ] || echo "$old" | sed "s|^|FAIL $reasons has what is not missed: |"
	failed=$((failed + $(printf '%s\n%s\n' "$new" "$old" | grep -c .)))
}

# table KIND: prints "HEADER TAKEN of TOTAL" from gcovr's table, and writes the misses to a file
table() {
	awk -v kind="$1" -v file="build/coverage-gcc/$1" '
		$1 ~ /\.h$/ {
			headers++
			printf "%-32s %5d of %5d %s\n", $1, $3, $2, kind
			n = split($5, part, ",")
			for (i = 1; i <= n; i++) {
				m = split(part[i], end, "-")
				for (line = end[1]; line <= end[m]; line++)
					print kind, $1, line >file
			}
		}
		END { exit !headers }'
}

gcc_() {
	rm -f build/coverage-gcc/*.gcda build/coverage-gcc/lines build/coverage-gcc/branches
	touch build/coverage-gcc/lines build/coverage-gcc/branches
	run gcc
	set -- --root . --object-directory build/coverage-gcc --filter 'pmumap(_[a-z]+)*\.h$' \
		build/coverage-gcc
	gcovr "$@" | table lines || failed=$((failed + 1))
	gcovr --branches "$@" | table branches || failed=$((failed + 1))
	judge lines branches <<<"$(cat build/coverage-gcc/lines build/coverage-gcc/branches)"
}

# pairs HEADER: prints totals from llvm-cov's listing, and writes the misses to a file. If several
# programs contain a function, the best coverage of a decision counts. Constant-folded conditions do
# not count.
pairs() {
	awk -v header="$1" -v file=build/coverage-mcdc/pairs '
		/MC\/DC Decision Region/ {
			at = $0
			sub(/.*Region \(/, "", at)
			sub(/\).*/, "", at)
			all = good = 0
		}
		/C[0-9]+-Pair:/ && !/constant folded/ {
			all++
			good += /Pair: covered/
		}
		/MC\/DC Coverage for Decision/ {
			total[at] = all
			if (good > best[at])
				best[at] = good
		}
		END {
			for (at in total) {
				sum += total[at]
				covered += best[at]
				line = at
				sub(/:.*/, "", line)
				if (best[at] < total[at])
					print "mcdc", header, line >>file
			}
			printf "%-32s %5d of %5d conditions of decisions\n", header, covered, sum
			exit !sum
		}'
}

# Decisions with nested decisions or with too many conditions.
unmeasured() {
	clang-19 -std=c11 -I. -DPMUMAP_EXTERN -O0 -fprofile-instr-generate -fcoverage-mapping \
		-fcoverage-mcdc -fno-caret-diagnostics -c build/implementation.c \
		-o build/coverage-mcdc/x.o 2>&1 |
		sed -nE 's|^(tests/\.\./)?([^:]*\.h):([0-9]+):[0-9]+: warning: unsupported MC/DC.*|\2 \3|p' |
		sed -E 's|^.*\.\./||; s/^/unmeasured /' | sort -u
}

mcdc_() {
	objects=
	rm -f build/coverage-mcdc/*.profraw build/coverage-mcdc/pairs
	touch build/coverage-mcdc/pairs
	run mcdc
	llvm-profdata-19 merge -sparse build/coverage-mcdc/*.profraw \
		-o build/coverage-mcdc/profile || failed=$((failed + 1))
	for program in $(programs mcdc); do
		objects="$objects${objects:+ -object} $program"
	done
	for header in $headers; do
		# stderr: it warns that each program has its own main().
		llvm-cov-19 show --show-mcdc -instr-profile build/coverage-mcdc/profile $objects \
			"$header" 2>/dev/null | pairs "$header" || failed=$((failed + 1))
	done
	unmeasured >>build/coverage-mcdc/pairs
	judge mcdc unmeasured <build/coverage-mcdc/pairs
}

for mode; do
	tool=gcovr
	[ "$mode" = gcc ] || tool=clang-19
	command -v "$tool" >/dev/null || { echo "SKIP $mode ($tool not found)" && continue; }
	${mode}_
	pass
done
finish
