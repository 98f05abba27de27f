#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Prints the short cost table of doc/firmware.md, from doc/performance.md.
exec awk -F' *[|] *' '
	/price begin/ { on = 1 }
	/price end/ { on = 0 }
	on && /^\| instructions / { n = split($0, head, / *[|] */) }
	on && /^\| (set|start|read|stop) / {
		for (i = 3; i < n; i++)
			cell[$2, head[i]] = $i
		found++
	}
	function row(text, column) {
		print "| " text " | " cell["set", column] " | " cell["start", column] " | " \
			cell["read", column] " | " cell["stop", column] " |"
		found += (("set", column) in cell)
	}
	END {
		print "| instructions, RV64 -O2 | set | start | read | stop |"
		print "|---|--:|--:|--:|--:|"
		row("M-mode", "M-mode")
		row("S-mode, delegated", "S-mode")
		row("your `read` and `write`", "by calls")
		row("SBI on OpenSBI 1.6", "SBI, OpenSBI 1.6")
		exit found != 8
	}' doc/performance.md
