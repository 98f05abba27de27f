#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Runs every argument as a shell command and adds up what they have counted.
#
# A command counts by its last line, make's own complaints aside: "N passed, M failed". No such
# line, an exit status that does not fit it, a time-out, or nothing counted without a SKIP line to
# say why: one failure more.
# A command that is --: what is before it ends before the rest begins.
# REQUIRE=1: a SKIP line is a failure too. JOBS: how many run at once, for commands that share no
# file. LIMIT: seconds for each command. JOBS and LIMIT are not for what is below a command.
set -u

limit=${LIMIT:-300}
jobs=${JOBS:-1}
unset LIMIT JOBS

mkdir -p build
dir=$(mktemp -d build/run.XXXXXX) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'kill $(jobs -p) 2>/dev/null; exit 130' INT TERM

# one NUMBER COMMAND: what it printed if that matters, the result, and the counts in a file
one() {
	local start=$SECONDS log=$dir/$1.log child status last p f why=
	# timeout gives the command a process group of its own, which a Ctrl-C does not reach.
	trap 'kill $child; exit 130' INT TERM
	timeout "$limit" sh -c "$2" >"$log" 2>&1 &
	child=$!
	wait $child
	status=$?

	last=$(grep -v '^make' "$log" | tail -n 1 |
		sed -nE 's/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p')
	p=${last% *}
	f=${last#* }
	if [ -z "$last" ]; then
		p=0 f=1 why=" (no count; exit status $status)"
	elif [ "$f" = 0 ] && [ $status != 0 ]; then
		f=1 why=" (exit status $status)"
	elif [ "$f" = 0 ] && grep -q '^ *SKIP' "$log"; then
		[ -z "${REQUIRE:-}" ] || { f=1 why=" (skipped)"; }
	elif [ "$p$f" = 00 ]; then
		f=1 why=" (nothing was checked)"
	fi

	{
		if [ "$f" != 0 ]; then
			sed 's/^/  /' "$log"
		else
			grep '^ *SKIP' "$log"
		fi
		printf '%7d passed %4d failed %4d s  %s%s\n' "$p" "$f" $((SECONDS - start)) "$2" "$why"
	} >"$dir/$1.out"
	cat "$dir/$1.out"
	echo "$p $f" >"$dir/$1.count"
}

number=0
for command; do
	if [ "$command" = -- ]; then
		wait
		continue
	fi
	while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do
		wait -n
	done
	number=$((number + 1))
	one $number "$command" &
done
wait

passed=0
failed=0
for ((i = 1; i <= number; i++)); do
	p=0 f=1
	[ ! -f "$dir/$i.count" ] || read -r p f <"$dir/$i.count"
	passed=$((passed + p))
	failed=$((failed + f))
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
