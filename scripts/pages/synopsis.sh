#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Prints the description of each verb for the manual page, with the names of its options, then all
# options, from --help.
set -eu
for verb in $(pmumap --help | sed -nE 's/^  ([a-z]+) .*/\1/p' | grep -vx help); do
	pmumap "$verb" --help
done | awk '
	# Arguments as mdoc has them: "[FILE] QUERY..."
	function arguments(text,  n, i, word, line, more) {
		n = split(text, word, " ")
		for (i = 1; i <= n; i++) {
			more = sub(/[.][.][.]/, "", word[i]) ? " ..." : ""
			gsub(/[|]/, " | ", word[i])
			line = line (sub(/^\[/, "", word[i]) && sub(/\]$/, "", word[i]) ? \
				" Oo Ar " word[i] more " Oc" : " Ar " word[i] more)
		}
		return line
	}
	function plain(text) {
		gsub(/\\/, "\\e", text)
		gsub(/-/, "\\-", text)
		sub(/^[.\047]/, "\\\\\\&&", text)
		return text
	}
	function end_options() {
		if (options)
			print ".Pp\nOptions:\n." substr(options, 4) " ."
		options = ""
	}
	BEGIN { print ".Bl -tag -width Ds" }
	/^Usage: / {
		end_options()
		verb = $3
		sub(/.*\[OPTION\]\.\.\. ?/, "")
		print ".It Cm " verb arguments($0)
		state = "what"
		next
	}
	state == "what" && sub(/^Prints /, "") {
		print toupper(substr($0, 1, 1)) substr($0, 2)
		state = "details"
		gap = -1
		next
	}
	/^  --/ { state = "options" }
	state == "details" && /^$/ { gap++; next }
	state == "details" {
		if (gap > 0)
			print ".Pp"
		gap = 0
		print plain($0)
	}
	state == "options" && /^  --/ && $1 != "--help" {
		name = substr($1, 2)
		options = options " , Fl " name
		if (name in about)
			next
		order[++count] = name
		takes = $0 ~ /^  --[a-z-]+ [^ ]/ ? $2 : ""
		gsub(/[|]/, " | ", takes)
		sub(/^  [^ ]+ ([^ ]+)? */, "")
		if (/^[a-z]+ /)
			$0 = toupper(substr($0, 1, 1)) substr($0, 2)
		about[name] = (takes ? " Ar " takes : "") "\n" plain($0) "."
	}
	END {
		end_options()
		print ".El\n.Ss Options\n.Bl -tag -width Ds"
		for (i = 1; i <= count; i++)
			print ".It Fl " order[i] about[order[i]]
	}'
