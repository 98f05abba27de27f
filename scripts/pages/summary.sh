#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Prints the small table of the README, of figures that doc/performance.md has, which are measured.
exec awk -F' *[|] *' '
	# The first table whose heads are these has the columns; a row is found by its text.
	/^\|/ && $2 == "" && $3 != "" { split($0, head, / *[|] */) }
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
	END {
		print "| | selector, U74 | raw event, U74 | raw event, 52 rows |"
		print "|---|--:|--:|--:|"
		o = "RV64 -Os"
		raw = "raw counters, "
		print "| RV64 instructions | " get("selector, U74", o) " | " get(raw "U74", o) " | " \
			get(raw "AX45MP, 52 rows", o) " |"
		for (i = 1; i <= split("pmumap OpenSBI RustSBI", peer, " "); i++)
			print "| " peer[i] ", ns on x86-64 | " first("selector, U74", peer[i]) " | " \
				first("raw, U74 (3 rows)", peer[i]) " | " \
				first("raw, AX45MP (52 rows)", peer[i]) " |"
		print ""
		print "| bytes, RV64 -Os | |"
		print "|---|--:|"
		print "| code of the RISC-V look-ups | " \
			get("look-ups of RISC-V: selector, counters, raw, encode", "rv64") " |"
		print "| device tree reader and builder of RISC-V | " \
			get("device tree reader and builder of RISC-V", "rv64") " |"
		print "| SBI server, with what it needs of the map | " \
			get("SBI PMU server, with what it needs of the map", "rv64") " |"
		print "| stack of a RISC-V build, of a look-up | " \
			first("build or measure, RISC-V", "rv64") ", " \
			first("any look-up of RISC-V, plan", "rv64") " |"
		print "| map of the U74, of POWER9 with 621 names | " get("U74", "map") ", " \
			get("POWER9, 621 names (Linux about 390 000, skiboot 233 000)", "map") " |"
		exit failed
	}' doc/performance.md
