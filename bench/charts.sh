#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: bench/charts.sh BENCH.txt DIR
#
# Draws DIR/*.svg from the lines that begin with "Benchmark". Their colours are to be seen on white
# and on black.
set -eu
lines=$1
dir=$2
data=$(dirname "$lines")/charts
rm -rf "$data"
mkdir -p "$data"
[ -s "$lines" ] || { echo "charts: no $lines; make bench" >&2 && exit 1; }
command -v gnuplot >/dev/null || { echo "SKIP charts: gnuplot is not installed" && exit; }

# A file "LOOK-UP.SERIES.CANDIDATE" of "rows ns" for each series NAME-1, NAME-2, ...; and of each
# board "board.LOOK-UP", in columns pmumap, opensbi, rustsbi, load.
awk -v data="$data" '
	function part(key,  text) {
		if (!match($1, "/" key "=[^/]*"))
			return ""
		return substr($1, RSTART + length(key) + 2, RLENGTH - length(key) - 2)
	}
	function short(name) {
		sub(/^(ax45mp|u74|[a-z]+)-/, "", name)
		return toupper(name)
	}
	/^BenchmarkBuild/ {
		tree = part("tree")
		file = "board"
		if (match(tree, /-[0-9]+$/) && tree ~ /^(riscv|imc|amu)-[a-z]+-[0-9]+$/)
			file = substr(tree, 1, RSTART - 1)
		print part("bytes"), $3 / 1e6, $7 / 1e6, tree >(data "/build." file)
		next
	}
	!/^Benchmark/ || part("keys") != "mixed" || part("mode") != "throughput" { next }
	{
		lookup = substr($1, 10, index($1, "/") - 10)
		table = part("table")
		impl = part("impl")
		if (table ~ /^(sbi|event|raw|masks|names|cpus)-[0-9]+$/) {
			sub(/-.*/, "", table)
			print part("rows"), $3 >(data "/" lookup "." table "." impl)
		} else if (lookup == "Selector" || lookup == "Counters" || lookup == "Raw") {
			sub(/-.*/, "", impl)
			value[lookup, table, impl] = $3
			if (!((lookup, table) in seen)) {
				seen[lookup, table] = 1
				tables[lookup] = tables[lookup] " " table
			}
		}
	}
	END {
		for (lookup in tables) {
			n = split(tables[lookup], t, " ")
			for (i = 1; i <= n; i++)
				printf("\"%s\" %s %s %s %s\n", short(t[i]),
					value[lookup, t[i], "pmumap"], value[lookup, t[i], "opensbi"],
					value[lookup, t[i], "rustsbi"],
					value[lookup, t[i], "load"]) >(data "/board." lookup)
		}
	}' "$lines"

# draw NAME WIDTH HEIGHT: gnuplot's commands come from the standard input
draw()
{
	{
		cat <<-END
		set terminal svg size $2,$3 font "sans-serif,12" name "pmumap_$1"
		set output "$dir/$1.svg"
		set format y "10^{%T}"
		set border 3 lc rgb "#8a8f98"
		set tics nomirror textcolor rgb "#8a8f98"
		set title textcolor rgb "#8a8f98"
		set xlabel textcolor rgb "#8a8f98"
		set ylabel textcolor rgb "#8a8f98"
		set key left top reverse Left textcolor rgb "#8a8f98" samplen 2
		set grid ytics lc rgb "#8a8f98" lw 0.3 dt 3
		set style line 1 lc rgb "#e0304e" lw 2.5
		set style line 2 lc rgb "#3b82c4" lw 1.5
		set style line 3 lc rgb "#e08e2b" lw 1.5
		set style line 4 lc rgb "#8a8f98" lw 1.5
		set style line 5 lc rgb "#2e9e6b" lw 1.5
		set style line 6 lc rgb "#9a6bd0" lw 1.5
		set style line 7 lc rgb "#e0304e" lw 1.5 dt 2
		set style line 8 lc rgb "#b08d57" lw 1.5
		d = "$data/"
		END
		cat
	} | gnuplot
}

draw events 1000 400 <<'END'
set multiplot layout 1,3
set logscale xy
set xtics (1, 4, 16, 64, 256, 1024, 4096)
set xlabel "rows"
set yrange [1:1000000]
set ylabel "ns"
set title "selector of an event"
plot d."Selector.sbi.pmumap" w l ls 1 t "pmumap", \
     d."Selector.event.pmumap" w l ls 7 t "pmumap, other codes", \
     d."Selector.event.opensbi-scan" w l ls 2 t "OpenSBI's scan", \
     d."Selector.event.rustsbi-map" w l ls 3 t "RustSBI's ordered map", \
     d."Selector.event.load" w l ls 4 t "a call and one load"
set ylabel ""
set title "counters of an event"
plot d."Counters.sbi.pmumap" w l ls 1 t "pmumap", \
     d."Counters.event.pmumap" w l ls 7 t "pmumap, other codes", \
     d."Counters.event.opensbi-scan" w l ls 2 t "OpenSBI's scan", \
     d."Counters.event.rustsbi-list" w l ls 3 t "RustSBI's list", \
     d."Counters.event.load" w l ls 4 t "a call and one load"
set title "counters of a raw event"
plot d."Raw.raw.pmumap" w l ls 1 t "pmumap", \
     d."Raw.masks.pmumap" w l ls 7 t "pmumap, all masks differ", \
     d."Raw.raw.opensbi-scan" w l ls 2 t "OpenSBI's scan", \
     d."Raw.raw.rustsbi-list" w l ls 3 t "RustSBI's list", \
     d."Raw.raw.load" w l ls 4 t "a call and one load"
END

draw names 1000 380 <<'END'
set multiplot layout 1,2
set logscale xy
set xtics (1, 4, 16, 64, 256, 1024, 4096)
set xlabel "names"
set yrange [3:10000000]
set ylabel "ns"
set title "IMC: event of a full name"
plot d."Name.names.pmumap" w l ls 1 t "pmumap", \
     d."Name.names.no-index" w l ls 7 t "pmumap without an index", \
     d."Name.names.linear" w l ls 2 t "strcmp, one by one", \
     d."Name.names.perf" w l ls 3 t "perf's search", \
     d."Name.names.bsearch" w l ls 8 t "binary search", \
     d."Name.names.cmph-chm" w l ls 6 t "cmph (CHM)", \
     d."Name.names.gperf" w l ls 5 t "gperf, at compile time", \
     d."Name.names.floor" w l ls 4 t "compare the right one"
set ylabel ""
set xlabel "CPUs"
set yrange [1:100000000]
set title "AMU: counters of a CPU"
plot d."Cpu.cpus.pmumap" w l ls 1 t "pmumap", \
     d."Cpu.cpus.linear" w l ls 2 t "array, one by one", \
     d."Cpu.cpus.bsearch" w l ls 8 t "binary search", \
     d."Cpu.cpus.map" w l ls 3 t "ordered map", \
     d."Cpu.cpus.libfdt" w l ls 5 t "asking the tree", \
     d."Cpu.cpus.load" w l ls 4 t "a call and one load"
END

draw boards 1000 420 <<'END'
set multiplot layout 1,3
set logscale y
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.9 noborder
set yrange [1:1000]
set xtics rotate by -55
set key right top noreverse Right
set ylabel "ns"
set title "selector"
plot d."board.Selector" u 2:xtic(1) ls 1 t "pmumap", "" u 3 ls 2 t "OpenSBI", \
     "" u 4 ls 3 t "RustSBI", "" u 5 ls 4 t "call, load"
set ylabel ""
set title "counters"
plot d."board.Counters" u 2:xtic(1) ls 1 t "pmumap", "" u 3 ls 2 t "OpenSBI", \
     "" u 4 ls 3 t "RustSBI", "" u 5 ls 4 t "call, load"
set title "counters of a raw event"
plot d."board.Raw" u 2:xtic(1) ls 1 t "pmumap", "" u 3 ls 2 t "OpenSBI", \
     "" u 4 ls 3 t "RustSBI", "" u 5 ls 4 t "call, load"
END

draw builds 760 420 <<'END'
set logscale xy
set xlabel "bytes of the device tree"
set ylabel "ms"
set format x "10^{%T}"
set xrange [500:12000000]
set title "building a map"
plot d."build.board" u 1:2 w p pt 7 ps 0.5 lc rgb "#e0304e" t "boards and catalogs", \
     d."build.riscv-equal" u 1:2 w lp ls 2 pt 7 ps 0.4 t "RISC-V, one mask", \
     d."build.riscv-loose" u 1:2 w lp ls 6 pt 7 ps 0.4 t "RISC-V, every row another mask", \
     d."build.imc-lists" u 1:2 w lp ls 3 pt 7 ps 0.4 t "IMC, lists of three units", \
     d."build.imc-units" u 1:2 w lp ls 8 pt 7 ps 0.4 t "IMC, units of 16 lists", \
     d."build.amu-cpus" u 1:2 w lp ls 5 pt 7 ps 0.4 t "AMU", \
     d."build.imc-lists" u 1:3 w l ls 4 t "libfdt visits each property (IMC)"
END
sed -i '2i <!-- SPDX-License-Identifier: BSD-2-Clause -->' "$dir"/*.svg
ls -l "$dir"/*.svg | awk '{ print $9, $5 " bytes" }'
