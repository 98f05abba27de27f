#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Prints the README's table from the measured figures in doc/performance.md.
exec awk -F' *[|] *' '
	# The first table whose heads are these has the columns; a row is found by its text.
	/^\|/ && $3 != "" && ($2 == "" || $2 == "instructions") {
		split($0, head, / *[|] */)
	}
	/^\| [^-]/ && $2 != "" {
		for (i = 3; i < NF; i++) {
			if (!(($2, head[i]) in cell))
				cell[$2, head[i]] = $i
		}
	}
	function get(text, column) {
		if (!((text, column) in cell)) {
			print "doc/performance.md has no \"" text "\", " column >"/dev/stderr"
			failed = 1
		}
		return cell[text, column]
	}
	function first(text, column,  pair) {
		split(get(text, column), pair, " / ")
		return pair[1]
	}
	function price(what, text, other,  way, i) {
		printf "| %s |", what
		for (i = 1; i <= split("M-mode|S-mode|OpenSBI 1.6", way, "|"); i++)
			printf " %s%s |", get(text, way[i]), other ? "; " get(other, way[i]) : ""
		print ""
	}
	function one(what, value) {
		print "| " what " | " value " | | |"
	}
	END {
		raw = "raw, AX45MP (52 rows)"
		print "| RV64 | M-mode | S-mode | through OpenSBI 1.6 |"
		print "|---|--:|--:|--:|"
		price("instructions: read a counter", "read")
		price("start it; stop it", "start", "stop")
		price("sample: stop, read, start from 0", "sample: stop, read, start from 0")
		one("look up a raw event among 52 rows (x86-64: " first(raw, "pmumap") " ns, OpenSBI " \
			first(raw, "OpenSBI") ", RustSBI " first(raw, "RustSBI") ")", \
			get("raw counters, AX45MP, 52 rows", "RV64 -Os"))
		one("bytes: code of the look-ups", \
			get("look-ups of RISC-V: selector, counters, raw, encode", "rv64"))
		one("code that reads a tree and builds the map", \
			get("device tree reader and builder of RISC-V", "rv64"))
		exit failed
	}' doc/performance.md
