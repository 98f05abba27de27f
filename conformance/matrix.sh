#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: conformance/matrix.sh NOTES NAME=LOG...
#
# Prints two tables of doc/conformance.md from logs of conformance/run.sh: how many rules each
# implementation follows, and every rule with differing or unwanted answers. NOTES explains them in
# lines "RULE: text"; "as RULE" refers to the text of another rule. Rules with the same text and
# answers share a row, implementations with the same figures and answers a column. Fails if such a
# rule has no note, or a note has no rule.
set -eu
notes=$1
shift
awk -v notes="$notes" '
function cell(answer, good) {
	answer = tolower(answer)
	sub("invalid_param", "invalid", answer)
	sub("not_supported", "unsupported", answer)
	sub("no answer", "dies", answer)
	return good ? answer : "**" answer "**"
}
BEGIN {
	while ((getline line <notes) > 0)
		if (match(line, /^[a-z0-9_]+: /)) {
			name = substr(line, 1, RLENGTH - 2)
			why[name] = substr(line, RLENGTH + 1)
		} else if (line !~ /^(#|$)/) {
			why[name] = why[name] " " line
		}
	for (i = 1; i < ARGC; i++) {
		column[i] = ARGV[i]
		sub(/=.*/, "", column[i])
		sub(/^[^=]*=/, "", ARGV[i])
	}
}
FNR == 1 { n++ }
/^(not )?ok [0-9]+ - / {
	good = !/^not/
	skipped = /# SKIP/
	sub(/^(not )?ok [0-9]+ - /, "")
	split($0, part, / [|] /)
	rule = part[1]
	if (!(rule in place)) {
		order[++rules] = rule
		severity[rule] = part[2]
		place[rule] = part[3]
	}
	if (skipped) {
		answer[rule, n] = "-"
		next
	}
	answer[rule, n] = cell(part[4], good)
	odd[rule] += !good || part[5] ~ /^others want/
	if (part[4] == "no answer")
		dead[n]++
	else
		followed[part[2], n] += good && part[5] == ""
	asked[part[2], n]++
}
# Whether implementations i and j have the same figures, and answer every rule alike.
function alike(i, j,  r, s) {
	for (r = 1; r <= rules; r++)
		if (answer[order[r], i] != answer[order[r], j])
			return 0
	for (s = 1; s <= 3; s++)
		if (followed[severities[s], i] != followed[severities[s], j] ||
		    asked[severities[s], i] != asked[severities[s], j])
			return 0
	return dead[i] == dead[j]
}
# The note of a rule: where all of it is "as OTHER", the note of that.
function note(name,  other) {
	other = why[name]
	if (sub(/^as /, "", other) && other in why)
		return note(other)
	return why[name]
}
function differs(name,  i, a, first) {
	for (i = 1; i <= n; i++) {
		a = answer[name, i]
		if (a == "-")
			continue
		if (first != "" && a != first)
			return 1
		first = a
	}
	return odd[name]
}
# cells NAME: its answers, one a column
function cells(name,  i, line) {
	for (i = 1; i <= columns; i++)
		line = line " " answer[name, shown[i]] " |"
	return line
}
END {
	split("MUST LINUX OPEN", severities, " ")
	for (i = 1; i <= n; i++) {
		for (j = 1; j <= columns && !alike(i, shown[j]); j++)
			;
		if (j > columns)
			shown[++columns] = i
		head[j] = head[j] (head[j] ? ", " : "") column[i]
	}
	for (i = 1; i <= columns; i++) {
		heads = heads " " head[i] " |"
		line_below = line_below "---|"
	}
	print "| |" heads "\n|---|" line_below
	for (s = 1; s <= 3; s++) {
		line = "| " severities[s] " |"
		for (i = 1; i <= columns; i++)
			line = line sprintf(" %d/%d |", followed[severities[s], shown[i]],
				asked[severities[s], shown[i]])
		print line
	}
	line = "| dies |"
	for (i = 1; i <= columns; i++)
		line = line " " dead[shown[i]] + 0 " |"
	print line "\n\n| rules | |" heads " why |\n|---|---|" line_below "---|"
	for (r = 1; r <= rules; r++) {
		name = order[r]
		if (!differs(name)) {
			if (name in why) {
				print "a note for nothing: " name >"/dev/stderr"
				failed = 1
			}
			continue
		}
		if (!(name in why)) {
			print "no note: " name cells(name) >"/dev/stderr"
			failed = 1
		}
		different++
		key = severity[name] " |" cells(name) " " note(name)
		if (!(key in row)) {
			row[key] = ++count
			last[count] = cells(name) " " (note(name) in said ? why[name] : note(name))
			of[count] = severity[name]
			said[note(name)] = 1
		}
		names[row[key]] = names[row[key]] " `" name "`"
	}
	for (i = 1; i <= count; i++)
		print "|" names[i] " | " of[i] " |" last[i] " |"
	print ""
	print "Every implementation answers the other " rules - different " rules as wanted."
	exit failed
}' "$@"
