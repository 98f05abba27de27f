#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: conformance/matrix.sh NOTES NAME=LOG...
#
# From logs of conformance/run.sh prints two tables of doc/conformance.md: how many rules each
# implementation follows, and all rules that not all of them answer alike and as it is wanted. NOTES
# says of each of these why: lines "RULE: text". Fails if one has no note, or a note has no rule.
set -eu
notes=$1
shift
awk -v notes="$notes" '
function cell(answer, good) {
	gsub("_", " ", answer)
	answer = tolower(answer)
	sub("invalid param", "invalid", answer)
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
END {
	split("MUST LINUX OPEN", severities, " ")
	head = "| |"
	rule = "|---|"
	for (i = 1; i <= n; i++) {
		head = head " " column[i] " |"
		rule = rule "---|"
	}
	print head "\n" rule
	for (s = 1; s <= 3; s++) {
		line = "| " severities[s] ": as wanted, of those asked |"
		for (i = 1; i <= n; i++)
			line = line sprintf(" %d of %d |", followed[severities[s], i],
				asked[severities[s], i])
		print line
	}
	line = "| no answer: the hart is dead or stuck |"
	for (i = 1; i <= n; i++)
		line = line " " dead[i] + 0 " |"
	print line "\n\n| rule | | place " substr(head, 3) " why |\n|---|---" rule "---|"
	for (r = 1; r <= rules; r++) {
		name = order[r]
		different = odd[name]
		first = ""
		for (i = 1; i <= n; i++) {
			a = answer[name, i]
			first = first == "" && a != "-" ? a : first
			different += a != "-" && a != first
		}
		if (!different) {
			if (name in why) {
				print "a note for nothing: " name >"/dev/stderr"
				failed = 1
			}
			continue
		}
		line = "| `" name "` | " severity[name] " | " place[name] " |"
		for (i = 1; i <= n; i++)
			line = line " " answer[name, i] " |"
		if (!(name in why)) {
			print "no note: " line >"/dev/stderr"
			failed = 1
		}
		print line " " why[name] " |"
		shown++
	}
	print ""
	print "Every implementation answers the other " rules - shown " rules as wanted."
	exit failed
}' "$@"
