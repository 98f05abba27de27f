#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The second museum: boards with one mistake each, as tests/museum/mistakes.txt has them. "pmumap
# check" tells each by a warning or an error that the board without the mistake does not have, at the
# line of the .dts. Some of them "check --fix" mends, in the source and in the blob: then there is no
# difference to the board. Of a row with a cell too few or too many, nothing that follows from it is told.
. tests/check/lib.sh

export PATH="$PWD/build:$PATH" LC_ALL=C
if ! command -v dtc >/dev/null; then
	echo "SKIP the mistakes (device-tree-compiler is not installed)"
	finish
fi

patch=$(command -v patch) || echo "SKIP the differences that --fix shows (patch is not installed)"

# told FILE: the codes of errors and warnings, and their lines
told() {
	pmumap check --json "$1" 2>&1 |
		sed -nE 's/^\{"kind":"finding","code":"([^"]*)","severity":"(warning|error)".*"line":([0-9]+)\}$/\1 \3/p' |
		sort
}

# source_of BLOB: its properties in order
source_of() {
	dtc -q -s -I dtb -O dts "$1"
}

# mended BOARD: counts it, if the mistake can be mended
repaired=0
mended() {
	rm -f "$dir/fixed.dts" "$dir/fixed.dtb"
	dtc -q -O dtb -o "$dir/tree.dtb" "$dir/$1/tree.dts"
	dtc -q -O dtb -o "$dir/board.dtb" "tests/boards/$1.dts"
	pmumap check --fix -o "$dir/fixed.dts" "$dir/$1/tree.dts" >"$dir/patch" 2>/dev/null
	pmumap check --fix -o "$dir/fixed.dtb" "$dir/tree.dtb" >/dev/null 2>&1
	[ -s "$dir/patch" ] || return # then it is a copy
	[ -z "$patch" ] || patch -s -o "$dir/patched.dts" "$dir/$1/tree.dts" "$dir/patch"
	if [ -n "$patch" ] && ! cmp -s "$dir/patched.dts" "$dir/fixed.dts"; then
		fail "$name: the difference is not that to the copy"
	elif cmp -s "$dir/fixed.dts" "tests/boards/$1.dts" &&
		[ "$(source_of "$dir/fixed.dtb")" = "$(source_of "$dir/board.dtb")" ]; then
		repaired=$((repaired + 1))
	fi
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
	mended "$board"
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
[ "$repaired" = 13 ] && pass || fail "--fix: $repaired mended, not 13"
finish
