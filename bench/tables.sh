#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: bench/tables.sh BENCH.txt
#
# Writes the tables of time in doc/performance.md from the "Benchmark" lines.
set -eu
lines=$1
[ -s "$lines" ] || { echo "tables: no $lines; make bench" >&2 && exit 1; }
awk '
	function part(key) {
		if (!match($1, "/" key "=[^/]*"))
			return ""
		return substr($1, RSTART + length(key) + 2, RLENGTH - length(key) - 2)
	}
	function number(ns) {
		return sprintf(ns < 99.5 ? "%.1f" : "%.0f", ns)
	}
	function cell(lookup, table, impl,  key) {
		key = lookup SUBSEP table SUBSEP impl SUBSEP "mixed" SUBSEP
		if (!((key "throughput") in ns))
			return "-"
		return number(ns[key "throughput"]) " / " number(ns[key "latency"])
	}
	function row(text, lookup, table, impls,  c, n, i, line) {
		if (cell(lookup, table, "pmumap") == "-")
			return
		line = "| " text " |"
		n = split(impls, c, " ")
		for (i = 1; i <= n; i++)
			line = line " " cell(lookup, table, c[i]) " |"
		print line
	}
	function time(us) {
		if (us == 0)
			return "-"
		if (us < 999.5)
			return sprintf("%.1f us", us)
		return us < 999500 ? sprintf("%.1f ms", us / 1e3) : sprintf("%.2f s", us / 1e6)
	}
	function tree(text, name) {
		if (!(name in size))
			return
		printf("| %s | %s | %s | %s | %s |\n", text, size[name],
			time(build[name] / 1e3), time(walk[name] / 1e3), time(naive[name] / 1e3))
	}
	# How often another candidate that answers the same is faster.
	function lost(mode, synthetic,  key, k, cases, n) {
		for (key in ns) {
			split(key, k, SUBSEP)
			if (k[5] != mode || k[3] ~ /^(pmumap|load|floor)$/)
				continue
			if (synthetic != (k[2] ~ /^(sbi|event|raw|masks|names|cpus)-[0-9]+$/))
				continue
			cases++
			n += ns[key] < ns[k[1], k[2], "pmumap", k[4], mode]
		}
		return n " of " cases
	}
	/^BenchmarkBuild/ {
		name = part("tree")
		size[name] = part("bytes")
		build[name] = $3
		walk[name] = $7
		naive[name] = $9
		next
	}
	/^Benchmark/ {
		lookup = substr($1, 10, index($1, "/") - 10)
		ns[lookup, part("table"), part("impl"), part("keys"), part("mode")] = $3
	}
	END {
		print "Nanoseconds, throughput / latency, on x86-64 (`make bench`, then `make charts`; gcc -O2): medians of one run in which"
		print "all candidates take turns, with fresh random keys of which half are hits. The peers are rewritten from their description."
		print ""
		print "![time against rows](../bench/events.svg)"
		print "![boards](../bench/boards.svg)"
		print ""
		print "| | pmumap | OpenSBI | RustSBI | call and load |"
		print "|---|--:|--:|--:|--:|"
		s = "pmumap opensbi-scan rustsbi-map load"
		row("selector, U74", "Selector", "sifive-u74", s)
		s = "pmumap opensbi-scan rustsbi-list load"
		row("counters, SG2044", "Counters", "sophgo-sg2044", s)
		row("raw, U74 (3 rows)", "Raw", "sifive-u74", s)
		row("raw, AX45MP (52 rows)", "Raw", "andes-ax45mp", s)
		row("raw, 1024 rows with one mask", "Raw", "raw-1024", s)
		row("raw, 256 rows, 256 masks", "Raw", "masks-256", s)
		print ""
		print "![names of IMC](../bench/names.svg)"
		print ""
		print "| IMC names | pmumap | gperf | bsearch |"
		print "|---|--:|--:|--:|"
		s = "pmumap gperf bsearch"
		row("POWER9, 508 names", "Name", "power9-4e0200", s)
		row("POWER10, 372 names", "Name", "power10-800200", s)
		print ""
		print "![CPUs of AMU](../bench/cpus.svg)"
		print ""
		print "| AMU | pmumap | array | bsearch | ordered map | asking the tree | call and load |"
		print "|---|--:|--:|--:|--:|--:|--:|"
		s = "pmumap linear bsearch map libfdt load"
		row("TC2, 14 CPUs", "Cpu", "amu-tc2", s)
		print ""
		print "On boards and catalogs a peer has the better throughput in " lost("throughput", 0) " cases, and the better latency in"
		print lost("latency", 0) "; on synthetic tables of 1 to 10 000 rows in " lost("throughput", 1) " and " lost("latency", 1) "."
		print ""
		print "![building](../bench/builds.svg)"
		print ""
		print "| a tree | bytes | build | libfdt visits each property | a reader on libfdt |"
		print "|---|--:|--:|--:|--:|"
		tree("U74", "sifive-u74")
		tree("SG2044", "sophgo-sg2044")
		tree("POWER9", "power9-4e0200")
		tree("TC2", "amu-tc2")
		tree("RISC-V, rows with one mask", "riscv-equal-10")
		tree("AMU", "amu-cpus-10")
	}' "$lines" >"$lines.readme"
bench/figures.sh bench "$lines.readme" --update
echo "doc/performance.md is written"
