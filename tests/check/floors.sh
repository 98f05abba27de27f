#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Layers of the tool ("floors"): a file includes and calls only its own floor and lower ones, rooms
# of one floor are independent, and there are no cycles. Nothing outside src/ includes a part of it.
# scripts/amalgamate.py and parts.sh check src/ itself.
. tests/check/lib.sh

# From bottom to top. Rooms not named here are verbs. The last floor is tool/ itself.
verbs=$(for room in tool/*/; do basename "$room"; done | grep -vxE 'text|map|source|firmware|findings|check')
floors="text
map
source
firmware
findings
$(echo $verbs)
check
tool"

# Lines "FROM TO HOW" for files below tool/, without suffixes.
grep -H '^#include "' tool/*.[ch] tool/*/*.[ch] | sed -E 's/^tool\///; s/:#include "([^"]*)".*/ \1/' |
	while read -r from to; do
		case $to in
		*.c | pmumap*.h | riscv/* | imc/* | amu/*) [ -e "tool/$to" ] || continue ;;
		esac
		case $from in
		*/*) [ ! -e "tool/${from%/*}/$to" ] || to=${from%/*}/$to ;;
		esac
		echo "$from $to includes"
	done >"$dir/includes"
objects=$(ls tool/*.c tool/*/*.c | sed 's,^tool\(.*\)c$,build/command\1o,')
nm -A -g $objects | sed -E 's/^build\/command\///; s/\.o:[0-9a-f ]* ([A-Z]) /.c \1 /' |
	awk '{ type[NR] = $2; file[NR] = $1; name[NR] = $3 }
		$2 != "U" && $3 !~ /^pmumap_/ { home[$3] = $1 }
		END {
			for (i = 1; i <= NR; i++)
				if (type[i] == "U" && name[i] in home)
					print file[i], home[name[i]], "calls " name[i] " of"
		}' >"$dir/calls"
[ -s "$dir/includes" ] && [ -s "$dir/calls" ] && pass || fail "there are no includes, or no calls"

# upwards FLOORS <LINES: those that point upwards or sideways
upwards() {
	awk -v floors="$1" '
		function room(file) { return file ~ /\// ? substr(file, 1, index(file, "/") - 1) : "tool" }
		BEGIN {
			n = split(floors, line, "\n")
			for (i = 1; i <= n; i++) {
				m = split(line[i], word, " ")
				for (j = 1; j <= m; j++) floor[word[j]] = i
			}
		}
		room($1) != room($2) && floor[room($1)] <= floor[room($2)] {
			to = $2; from = $1
			$1 = $2 = ""
			print from " " substr($0, 3) " " to
		}'
}
nothing "upwards" "$(cat "$dir/includes" "$dir/calls" | upwards "$floors")"
nothing "circles of includes" "$(awk '{ print $1, $2 }' "$dir/includes" | tsort 2>&1 >/dev/null)"
nothing "circles of calls" "$(awk '{ print $1, $2 }' "$dir/calls" | sort -u | tsort 2>&1 >/dev/null)"

# The check itself must notice an upward and a sideways call.
for call in "text/table.c show/show.c" "show/show.c rom/rom.c"; do
	if [ "$(echo "$call calls x of" | upwards "$floors")" ]; then
		pass
	else
		fail "not noticed: $call"
	fi
done

# verbs.c declares the verbs' functions by itself, so the definitions must match.
declared=$(sed -nE 's/^(int [a-z]+_verb\(.*\));$/\1/p' tool/verbs.c)
[ "$(echo "$declared" | wc -l)" -ge 7 ] && pass || fail "tool/verbs.c declares no verbs"
nothing "declared, but not defined like that" "$(echo "$declared" | while read -r line; do
	grep -qxF "$line" tool/*/*.c || echo "$line"
done)"

nothing "parts of src/ that others include" \
	"$(grep -rnE '#include "([.][.]/)*src/' tool tests examples hosts bench fuzz proofs packaging --include='*.[ch]')"
finish
