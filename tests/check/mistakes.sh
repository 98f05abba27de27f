#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The second museum: boards with one mistake each, as tests/museum/mistakes.txt has them. "pmumap
# check" tells each by a warning or an error that the board without the mistake does not have, at the
# line of the .dts. Of a row with a cell too few or too many, nothing that follows from it is told.
. tests/check/lib.sh

export PATH="$PWD/build:$PATH" LC_ALL=C
if ! command -v dtc >/dev/null; then
	echo "SKIP the mistakes (device-tree-compiler is not installed)"
	finish
fi

# told FILE: the codes of errors and warnings, and their lines
told() {
	pmumap check --json "$1" 2>&1 |
		sed -nE 's/^\{"code":"([^"]*)","severity":"(warning|error)".*"line":([0-9]+)\}$/\1 \3/p' |
		sort
}

grep '^[a-z]' tests/museum/mistakes.txt >"$dir/mistakes"
while read -r kind board at code line command; do
	name="$kind: $board line $at: $command"
	mkdir -p "$dir/$board"
	[ -f "$dir/$board/before" ] || told "tests/boards/$board.dts" >"$dir/$board/before"
	sed -E "$at$command" "tests/boards/$board.dts" >"$dir/$board/tree.dts"
	if cmp -s "tests/boards/$board.dts" "$dir/$board/tree.dts"; then
		fail "$name: changes nothing"
		continue
	fi
	told "$dir/$board/tree.dts" >"$dir/$board/after"
	if grep -qx "$code $line" "$dir/$board/before"; then
		fail "$name: found without the mistake"
	elif [ "$kind" = cells ] &&
		[ "$(comm -13 "$dir/$board/before" "$dir/$board/after")" != "$code $line" ]; then
		fail "$name: not only $code in line $line, but" $(cat "$dir/$board/after")
	elif grep -qx "$code $line" "$dir/$board/after"; then
		pass
	else
		fail "$name: no $code in line $line, but" $(cat "$dir/$board/after")
	fi
done <"$dir/mistakes"
finish
