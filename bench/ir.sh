#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: bench/ir.sh DIR [--update]
#        BOARDS, CATALOGS, AMUS: device trees; DIR has the programs "events", "names", ...
#
# Counts instructions, which are the same on every run: here with callgrind, on RISC-V with QEMU.
# Lines of bench/baseline.txt are "ISA/LOOK-UP/TREE mean most". Fails if a mean is more than 3 %
# above it. The numbers depend on the compiler; the baseline is from Debian 12. --update writes it.
set -eu
dir=$1
update=${2:-}
out=$dir/ir
base=bench/baseline.txt
mkdir -p "$out"
rm -f "$out"/*.txt
passed=0
failed=0
isa=$(uname -m)
real=
for catalog in $CATALOGS; do
	case $catalog in *corpus*) real=${real:-$catalog} ;; esac
done

# counted PROGRAM ARGUMENT...: lines "LOOK-UP TREE KEYS CANDIDATE INSTRUCTIONS", minus an empty call
counted()
{
	program=$1
	shift
	valgrind -q --tool=callgrind --combine-dumps=yes --callgrind-out-file="$out/$program.calls" \
		"$dir/$program" --ir "$@" >&2
	awk '
		sub(/^desc: Trigger: Client Request: /, "") { split($0, label, " ") }
		sub(/^totals: /, "") && label[1] {
			name = label[2] " " label[3] " " label[4] " " label[5]
			if (label[1] == "call")
				sum[name] = $0
			else
				idle[name] = $0
			if (label[1] == "call" && !(name in calls))
				order[++n] = name
			calls[name] = label[6]
			label[1] = ""
		}
		END {
			for (i = 1; i <= n; i++) {
				name = order[i]
				printf "%s %.2f\n", name, (sum[name] - idle[name]) / calls[name]
			}
		}' "$out/$program.calls"
}

bench/rv/run.sh "$out" "$TREES" $real >"$out/rv.log" 2>&1 &
qemu=$!
# shellcheck disable=SC2086
{
	counted events $BOARDS
	counted names "$dir/gperf" $CATALOGS
	counted cpus $AMUS
	counted builds $BOARDS $CATALOGS $AMUS
} >"$out/host.txt"
if wait $qemu; then
	passed=$((passed + 1))
else
	failed=$((failed + 1))
fi
cat "$out/rv.log"

# ---- output for people

awk -v isa="$isa" '
	BEGIN { printf "%s: instructions of a call, hits / misses\n", isa }
	$1 == "Build" || $1 == "Harts" { next }
	{
		row = $1 " " $2
		if (!(row in seen)) {
			seen[row] = ++n
			rows[n] = row
		}
		if (!((row, $4) in has)) {
			has[row, $4] = 1
			of[row] = of[row] " " $4
		}
		value[row, $4, $3] = $5
	}
	END {
		for (i = 1; i <= n; i++) {
			row = rows[i]
			k = split(of[row], c, " ")
			split(row, w, " ")
			split(rows[i - 1], before, " ")
			if (w[1] != before[1] || of[row] != of[rows[i - 1]]) {
				printf "\n%-9s %-15s", "look-up", "table"
				for (j = 1; j <= k; j++)
					printf "%16s", c[j]
				printf "\n"
			}
			printf "%-9s %-15s", w[1], w[2]
			for (j = 1; j <= k; j++)
				printf "%16s", sprintf("%.0f / %.0f", value[row, c[j], "hits"],
					value[row, c[j], "misses"])
			printf "\n"
		}
		printf "\n"
	}' "$out/host.txt"
awk -F'[/ ]' '
	BEGIN { print "RISC-V: instructions of a call, mean / most, and of a build" }
	{
		row = $2 " " $3
		if (!(row in seen)) {
			seen[row] = ++n
			rows[n] = row
		}
		value[row, $1] = $2 == "build" ? $5 : sprintf("%.1f / %d", $4 / 100, $5)
	}
	END {
		printf "\n%-13s %-15s", "", ""
		m = split("rv64-O2 rv64-Os rv32-O2 rv32-Os", isa, " ")
		for (j = 1; j <= m; j++)
			printf "%16s", isa[j]
		printf "\n"
		for (i = 1; i <= n; i++) {
			split(rows[i], w, " ")
			printf "%-13s %-15s", w[1], w[2]
			for (j = 1; j <= m; j++)
				printf "%16s", value[rows[i], isa[j]]
			printf "\n"
		}
		printf "\n"
	}' "$out/rv.txt"

# ---- baseline: pmumap only

{
	awk '{ printf "%s %.2f %d\n", $1, $2 / 100, $3 }' "$out/rv.txt"
	awk -v isa="$isa" '$4 == "pmumap" {
		printf "%s/%s-%s/%s %s\n", isa, tolower($1), $3, $2, $5
	}' "$out/host.txt"
} >"$out/now.txt"
if [ -n "$update" ]; then
	{
		echo "# SPDX-License-Identifier: BSD-2-Clause"
		echo "# $(riscv64-unknown-elf-gcc --version | head -n 1)"
		echo "# $isa: ${CC:-gcc} $(${CC:-gcc} -dumpfullversion) ${CFLAGS:-}"
		cat "$out/now.txt"
	} >$base
	echo "$base is written"
fi
result=$(awk -v base=$base -v isa="$isa" '
	/^#/ { next }
	FILENAME == base { want[$1] = $2; next }
	{ have[$1] = $2 }
	END {
		for (name in have) {
			if (!(name in want)) {
				print "NEW " name " " have[name]
				continue
			}
			change = 100 * (have[name] - want[name]) / want[name]
			bad += change > 3
			good += change <= 3
			if (change > 3 || change < -3)
				printf("%s %s %s -> %s (%+.1f %%)\n",
					change > 0 ? "GREW" : "better", name, want[name],
					have[name], change)
		}
		for (name in want) {
			if (name in have)
				continue
			# A catalog that lies outside of the repository, or another processor.
			print "not measured: " name
			if (name ~ /^rv/ && name !~ /\/power[0-9]+-/)
				bad++
		}
		print good + 0, bad + 0
	}' $base "$out/now.txt" | sort)
counts=$(echo "$result" | grep -E '^[0-9]+ [0-9]+$')
echo "$result" | grep -vE '^[0-9]+ [0-9]+$' || true
passed=$((passed + ${counts% *}))
failed=$((failed + ${counts#* }))

# ---- figures in doc/performance.md, from the baseline

awk -v base=$base '
	function mean(isa, what, tree) {
		return sprintf("%.0f", value[isa "/" what "/" tree])
	}
	function row(text, what, tree,  j, line) {
		if (!((isa[1] "/" what "/" tree) in value))
			return
		line = "| " text " |"
		for (j = 1; j <= 4; j++)
			line = line " " mean(isa[j], what, tree) " |"
		print line
	}
	!/^#/ { value[$1] = $2 }
	END {
		split("rv64-Os rv64-O2 rv32-Os rv32-O2", isa, " ")
		print "Instructions that retire in QEMU, without the call itself: the mean of all events, rows, names and CPUs"
		print "(`make bench-ir`; gcc 12)."
		print ""
		print "| | RV64 -Os | RV64 -O2 | RV32 -Os | RV32 -O2 |"
		print "|---|--:|--:|--:|--:|"
		row("selector, U74", "selector", "sifive-u74")
		row("counters, U74", "counters", "sifive-u74")
		row("raw counters, U74", "raw-hit", "sifive-u74")
		row("raw counters, AX45MP, 52 rows", "raw-hit", "andes-ax45mp")
		row("raw counters, the same by RustSBI", "list-hit", "andes-ax45mp")
		row("IMC name that is there, POWER9", "name-hit", "power9-4e0200")
		row("IMC name that is not", "name-miss", "power9-4e0200")
		row("IMC offset, POWER9", "at", "power9-4e0200")
		row("AMU CPU, TC2", "cpu", "amu-tc2")
		row("build, U74", "build", "sifive-u74")
		row("build, SG2044", "build", "sophgo-sg2044")
		row("build, POWER9", "build", "power9-4e0200")
		row("build, TC2", "build", "amu-tc2")
	}' $base >"$out/readme.txt"
if bench/figures.sh instructions "$out/readme.txt" ${update:+--update}; then
	passed=$((passed + 1))
else
	echo "doc/performance.md is stale"
	failed=$((failed + 1))
fi
if [ "$failed" != 0 ]; then
	echo "meant to be so? make bench-ir-update"
elif echo "$result" | grep -qE '^(better|NEW)'; then
	echo "keep it so: make bench-ir-update"
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
