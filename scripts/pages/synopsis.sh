#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Prints the synopsis of each verb for the manual page, or with -v the descriptions, from --help.
# Options that every verb with a FILE has are printed once, after the verbs.
set -eu
for verb in $(build/pmumap --help | sed -nE 's/^  ([a-z]+) .*/\1/p' | grep -vx help); do
	build/pmumap "$verb" --help
done | awk -v what="${1:-}" '
	# Arguments as mdoc has them: "[FILE] QUERY..."
	function arguments(text,  n, i, word, line, more) {
		n = split(text, word, " ")
		line = ""
		for (i = 1; i <= n; i++) {
			more = sub(/[.][.][.]/, "", word[i]) ? " ..." : ""
			gsub(/[|]/, " | ", word[i])
			line = line (sub(/^\[/, "", word[i]) && sub(/\]$/, "", word[i]) ? ".Op Ar " : ".Ar ") \
				word[i] more "\n"
		}
		return line
	}
	function plain(text) {
		gsub(/\\/, "\\e", text)
		gsub(/-/, "\\-", text)
		sub(/^[.\047]/, "\\\\\\&&", text)
		return text
	}
	/^Usage: / {
		verb[++verbs] = $3
		sub(/.*\[OPTION\]\.\.\. ?/, "")
		operands[verbs] = $0
		files += / *FILE/
		state = "what"
		next
	}
	state == "what" && sub(/^Prints /, "") {
		about[verbs] = toupper(substr($0, 1, 1)) substr($0, 2) "\n"
		state = "details"
		next
	}
	/^  --/ { state = "options" }
	state == "details" && /^$/ { gap = 1; next }
	state == "details" {
		if (gap && about[verbs] ~ /\n.*\n/) about[verbs] = about[verbs] ".Pp\n"
		gap = 0
		about[verbs] = about[verbs] plain($0) "\n"
	}
	state == "options" && /^  --/ && $1 != "--help" {
		option = substr($1, 2)
		argument = $0 ~ /^  --[a-z-]+ [^ ]/ ? $2 : ""
		gsub(/[|]/, " | ", argument)
		if (!(option in has)) { order[++options] = option; takes[option] = argument }
		has[option]++
		of[verbs, option] = 1
	}
	function flag(option) {
		return "Fl " option (takes[option] ? " Ar " takes[option] : "")
	}
	END {
		if (what)
			print ".Bl -tag -width Ds"
		for (v = 1; v <= verbs; v++) {
			if (what) {
				printf ".It Cm %s\n%s", verb[v], about[v]
				continue
			}
			printf ".Nm\n.Cm %s\n", verb[v]
			for (i = 1; i <= options; i++)
				if ((v, order[i]) in of && has[order[i]] < files)
					print ".Op " flag(order[i])
			printf "%s", arguments(operands[v])
		}
		if (!what)
			exit
		print ".El"
		print ".Pp\nEach verb that reads a\n.Ar FILE\nalso takes these options:"
		for (i = 1; i <= options; i++)
			if (has[order[i]] == files)
				list = list (list ? " ,\n" : "") ".Fl " substr(flag(order[i]), 4)
		print list " ."
	}'
