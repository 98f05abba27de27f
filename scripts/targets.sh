#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# targets.sh [--all] MAKEFILE...: lists targets in groups. A makefile declares them as "NAME: ... ##
# GROUP: text", or as "NAME: ... ##- GROUP: text" to show the text only with --all. The default
# group is "change".
set -eu

all=
[ "$1" != --all ] || { all=y; shift; }

awk -v all="$all" '
	BEGIN {
		groups = split("use change trust measure", group)
		title["use"] = "Use it"
		title["change"] = "Change it"
		title["trust"] = "Trust it"
		title["measure"] = "Measure it"
	}
	/^[a-z][a-z0-9-]*:.*##-? / {
		name = text = $0
		sub(/:.*/, "", name)
		minor = text ~ /##- /
		sub(/.*##-? /, "", text)
		at = "change"
		if (match(text, /^[a-z]+: /) && substr(text, 1, RLENGTH - 2) in title) {
			at = substr(text, 1, RLENGTH - 2)
			text = substr(text, RLENGTH + 1)
		}
		if (minor && !all)
			more[at] = more[at] " " name
		else
			lines[at] = lines[at] sprintf("  %-18s %s\n", name, text)
	}
	# The names, in lines of at most 100 columns.
	function fold(names,    n, word, i, line) {
		n = split(names, word)
		line = "  besides:"
		for (i = 1; i <= n; i++) {
			if (length(line word[i]) > 98) {
				print line
				line = "          "
			}
			line = line " " word[i]
		}
		print line
	}
	END {
		for (i = 1; i <= groups; i++) {
			at = group[i]
			printf "%s%s\n%s", (i > 1 ? "\n" : ""), title[at], lines[at]
			if (more[at])
				fold(more[at])
		}
		if (!all)
			print "\nmake help says a line about each of them."
	}' "$@"
