#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: proofs/wp/mutate.sh PART[:FUNCTION,...]...
#
# Do the contracts notice wrong code? N mutants (default: 3) of each function with a proof, from
# tests/mutants/change.py, are proved in its place. If all parts with a contract for the function
# still prove one, the contract needs mending, or the mutant a reason in survivors.txt. What
# tests/mutants lists as equivalent or acceptable is left out. The choice depends on names alone.
#
# The code itself must be proved with the same limit, so that no slow machine counts as a mutant
# that is noticed. PROVED: see proofs/proved.sh. SHOW=1: prints each mutant.
# FIT=1: proves nothing; checks that each reason names a mutant.
cd "$(dirname "$0")/../.." || exit 1
. tests/check/lib.sh
. proofs/wp/lib.sh
. proofs/proved.sh
limit="-wp-timeout ${TIMEOUT:-30}"
# WP tries no assertion that Frama-C already knows to be false.
still_open='Goal .* : (Timeout|Unknown|Stepout|Failed)|guaranteed RTE'

# mutate PART FUNCTION [NAME]: prints the mutants' names in the order in which they are tried, or
# writes the one with this name; without arguments prints what survivors.txt has
mutate() {
	PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=tests/mutants python3 - "$dir/${1:-}" "${@:2}" <<-'END'
		import glob, sys, change, header, mutants
		folder, *wanted = sys.argv[1:]
		if not wanted:
		    for key in mutants.explanations("proofs/wp/survivors.txt"):
		        print(*key)
		for path in glob.glob(folder + "/*.woven") if wanted else []:
		    h = header.Header(path, mutants.read(path))
		    f = next((f for f in h.functions if f.name == wanted[0]), None)
		    known = mutants.listed("tests/mutants", "source")
		    found = [m for m in change.mutants(f) if m.key() not in known] if f else []
		    for m in sorted(found, key=lambda m: mutants.digest(*m.key())):
		        if not wanted[1:]:
		            print(m.name)
		        elif m.name == wanted[1]:
		            text = h.lines[:f.body - 1] + [m.text] + h.lines[f.last:]
		            open(path.replace(".woven", ".h"), "w").write("".join(text))
	END
}

# restore PART: the headers as they are
restore() {
	local file
	for file in "$dir/$1"/*.woven; do
		cp "$file" "${file%.woven}.h"
	done
}

# judge PART FUNCTION: "proved"; "open" once a goal is; or "invalid"
judge() {
	local job got= total=
	rm -f "$dir/$1/proof.log"
	set -m
	wp "$1" proof "$2" $limit &
	job=$!
	set +m
	while kill -0 $job 2>/dev/null && ! grep -qsE "$still_open" "$dir/$1/proof.log"; do
		sleep 0.2
	done
	kill -- -$job 2>/dev/null
	wait $job 2>/dev/null
	if grep -qE "$still_open" "$dir/$1/proof.log"; then
		echo open
		return
	fi
	[ ! -e "$dir/$1/proof.json" ] || read -r got total < <(counts "$1" | sed -n "s/^$2 //p")
	if [ -z "$total" ]; then
		echo invalid
	elif [ "$got" = "$total" ]; then
		echo proved
	else
		echo open
	fi
}

# is_sound PART FUNCTION: the function itself is proved
is_sound() {
	[ -e "$dir/$1/$2.sound" ] && return
	restore "$1"
	[ "$(judge "$1" "$2")" = proved ] && touch "$dir/$1/$2.sound"
}

# try PART FUNCTION NAME: sets $verdict
try() {
	local other
	for other in $1 $(parts_of "$2" | grep -vx "$1"); do
		is_sound "$other" "$2" || { verdict=unsound; return; }
		mutate "$other" "$2" "$3"
		verdict=$(judge "$other" "$2")
		[ "$verdict" = proved ] || return
	done
}

# parts_of FUNCTION: parts with a contract for it
parts_of() {
	local other
	for other in $all_parts; do
		! grep -qx "$1" "$dir/$other/contracts" || echo "$other"
	done
}

# ask PART FUNCTION: tries its mutants
ask() {
	local name tried=0 verdict
	mutate "$1" "$2" >"$dir/names"
	while read -r name && [ $tried -lt "${N:-3}" ]; do
		try "$1" "$2" "$name"
		[ -z "${SHOW:-}" ] || echo "  $2: $name: $verdict"
		case $verdict in
		open) noticed=$((noticed + 1)) ;;
		invalid) continue ;;
		unsound) fail "$1: $2 itself is not proved within the limit"; return ;;
		proved)
			if grep -qxF "$2 $name" "$dir/reasons"; then
				excused=$((excused + 1))
			else
				fail "$1 still proves:"
				printf '%s\n\t\t%s\n' "$2" "$name"
			fi
			;;
		esac
		pass
		tried=$((tried + 1))
	done <"$dir/names"
}

mutate >"$dir/reasons"
for part in $all_parts; do
	weave $part || continue
	for file in "$dir/$part"/*.h; do
		mv "$file" "${file%.h}.woven"
	done
	names contract $part | grep -v '^pmumap_see_' >"$dir/$part/contracts"
	restore $part
	printf 'mutants/%s\t%s\t.\t%s\t%s\n' "$part" "$dir/$part/wp.c" \
		"$(paste -sd , "$dir/$part/contracts")" \
		"$( (cat "$0" tests/mutants/change.py; declare -f wp) | tr '\n\t' '  ')" >>"$dir/inputs"
done
proofs/input.py <"$dir/inputs" >"$dir/hashes"

while read -r name mutant; do
	for part in $(parts_of "$name") none; do
		! mutate $part "$name" | grep -xF "$mutant" >/dev/null || break
	done
	if [ $part = none ]; then
		fail "survivors.txt: there is no such mutant: $name: $mutant"
	else
		pass
	fi
done <"$dir/reasons"
[ -z "$fit" ] || finish

for what; do
	part=${what%%:*} noticed=0 excused=0 before=$failed
	functions=$(cat "$dir/$part/contracts")
	[ "$what" = "$part" ] || functions=$(tr , ' ' <<<"${what#*:}")
	if [ "$what" = "$part" ] && trusted "mutants/$part"; then
		pass
		continue
	fi
	for name in $functions; do
		ask "$part" "$name"
	done
	echo "$part: $noticed mutants noticed, $excused with a reason, $((failed - before)) without"
	[ $failed != $before ] || [ "$what:${N:-3}" != "$part:3" ] || proved "mutants/$part" ||
		failed=$((failed + 1))
done
finish
