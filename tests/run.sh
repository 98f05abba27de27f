#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Runs every argument as a shell command and adds up what they have counted.
#
# A command counts by its last line, make's own complaints aside: "N passed, M failed". No such
# line, an exit status that does not fit it, a time-out, or nothing counted without a SKIP line to
# say why: one failure more.
# REQUIRE=1: a SKIP line is a failure too. LIMIT: seconds for each command, not for what is below it.
set -u

limit=${LIMIT:-300}
unset LIMIT

mkdir -p build
log=$(mktemp build/log.XXXXXX) || exit 1
trap 'rm -f "$log"' EXIT
# timeout gives the command a process group of its own, which a Ctrl-C does not reach.
child=
trap 'kill $child; exit 130' INT TERM
passed=0
failed=0

for command; do
	start=$(date +%s)
	timeout "$limit" sh -c "$command" >"$log" 2>&1 &
	child=$!
	wait $child
	status=$?
	seconds=$(($(date +%s) - start))

	last=$(grep -v '^make' "$log" | tail -n 1 |
		sed -nE 's/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p')
	p=${last% *}
	f=${last#* }
	why=
	if [ -z "$last" ]; then
		p=0 f=1 why=" (no count; exit status $status)"
	elif [ "$f" = 0 ] && [ $status != 0 ]; then
		f=1 why=" (exit status $status)"
	elif [ "$f" = 0 ] && grep -q '^ *SKIP' "$log"; then
		[ -z "${REQUIRE:-}" ] || { f=1 why=" (skipped)"; }
	elif [ "$p$f" = 00 ]; then
		f=1 why=" (nothing was checked)"
	fi

	if [ "$f" != 0 ]; then
		sed 's/^/  /' "$log"
	else
		grep '^ *SKIP' "$log"
	fi
	printf '%7d passed %4d failed %4d s  %s%s\n' "$p" "$f" "$seconds" "$command" "$why"
	passed=$((passed + p))
	failed=$((failed + f))
done

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
