#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# run.sh COMMAND...: runs each as a shell command, reports its start and end, and adds up the
# counts. The last line is "N passed, M failed, K skipped". After about ten silent seconds it names
# the running commands.
#
# A command reports its counts in its last line (make's messages ignored): "N passed, M failed". One
# failure is added if that line is missing, if it contradicts the exit status, if a limit was
# exceeded, or if nothing was counted and no SKIP line gives the reason. The line before it may be
# "N checks": cases times inputs.
# Each SKIP line counts as one skip. A nested run.sh reports the number in its last line.
# The command -- is a barrier: everything before it ends first.
# REQUIRE=1: a SKIP line is a failure.
#
# Not passed on to the commands:
# JOBS: commands to run in parallel; they must share no file.
# LIMIT: CPU seconds for each process of a command (300). WALL: wall-clock seconds for a command
# (20 times LIMIT), for commands that hang without computing; even a busy machine does not reach it.
# TABLE=1: repeats the counts and times of all commands at the end, in order; otherwise only of failed
# ones.
# LIVE=1: passes output through at once, for commands that report their own progress.
set -u

limit=${LIMIT:-300}
wall=${WALL:-$((20 * limit))}
jobs=${JOBS:-1}
live=${LIVE:-}
table=${TABLE:-}
unset LIMIT WALL JOBS LIVE TABLE

mkdir -p build
dir=$(mktemp -d build/run.XXXXXX) || exit 1
trap 'kill $beat 2>/dev/null; rm -rf "$dir"' EXIT
trap 'kill $(jobs -p) 2>/dev/null; exit 130' INT TERM

total=0
for command; do
	[ "$command" = -- ] || total=$((total + 1))
done
# Without parallel jobs, each step prints one line and completes it at its end.
alone=
[ "$jobs" != 1 ] || [ -n "$live" ] || alone=y

# say FORMAT ARGUMENT...: prints, and records the time
say() {
	printf "$@"
	: >"$dir/said"
}

# After some silence, names the running commands, or adds a dot to an unfinished line.
heartbeat() {
	local file name running
	trap 'kill ${!:-} 2>/dev/null; exit' TERM
	while kill -0 $$ 2>/dev/null; do
		sleep 4 &
		wait $!
		[ $(($(date +%s) - $(stat -c %Y "$dir/said"))) -ge 8 ] || continue
		running=
		for file in "$dir"/*.runs; do
			[ ! -f "$file" ] || running="$running, $(cat "$file")"
		done
		if [ -n "$alone" ]; then
			say .
		else
			say 'after %d s, running: %s\n' $SECONDS "${running#, }"
		fi
	done
}

# one NUMBER COMMAND: prints the result, with the log of a failure, and writes the counts to a file
one() {
	local start=$SECONDS log=$dir/$1.log child status p f s c why= result name skipped=
	local user system cpu second tenths=0
	printf -v name '%*d/%d %s' ${#total} "$1" "$total" "$2"
	if [ -n "$alone" ]; then
		say '%-44s ' "$name"
	else
		say '%s\n' "$name: starts"
	fi
	echo "$2" >"$dir/$1.runs"
	# timeout starts a new process group, which Ctrl-C does not reach.
	trap 'kill $child; exit 130' INT TERM
	: >"$log" # so that tail can open it
	(ulimit -S -t "$limit" && exec timeout "$wall" sh -c "$2") >"$log" 2>&1 &
	child=$!
	[ -z "$live" ] || tail -n +1 -f -s 0.2 --pid=$child "$log" &
	wait $child 2>/dev/null
	status=$?
	wait
	times >"$dir/$1.times"
	rm "$dir/$1.runs"

	: >"$dir/$1.skips"
	read -r p f s c < <(awk -v skips="$dir/$1.skips" '
		/^ *SKIP/ && !seen[$0]++ { print >skips; skipped++ }
		!/^make/ { before = last; last = $0 }
		END {
			split(last, word, /[ ,]+/)
			if (last !~ /^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$/)
				word[1] = "none"
			print word[1], word[3] + 0, (word[5] == "" ? skipped : word[5]) + 0, \
				(before ~ /^[0-9]+ checks$/ ? before + 0 : "")
		}' "$log")
	if [ "$p" = none ]; then
		p=0 f=1 why=" (no count; exit status $status)"
	elif [ "$f" = 0 ] && [ $status != 0 ]; then
		f=1 why=" (exit status $status)"
	elif [ "$f" = 0 ] && [ "$s" != 0 ]; then
		[ -z "${REQUIRE:-}" ] || { f=1 why=" (skipped)"; }
	elif [ "$p$f" = 00 ]; then
		f=1 why=" (nothing was checked)"
	fi
	case $status in
	124) why=" (more than $wall s by the clock)" ;;
	152) why=" (more than $limit s of CPU)" ;;
	esac

	# The second line of "times" is for child processes: "1m2.345s 0m0.678s".
	{ read -r _ && read -r user system; } <"$dir/$1.times"
	for cpu in "$user" "$system"; do
		second=${cpu#*m} second=${second%s}
		tenths=$((tenths + 600 * ${cpu%m*} + 10#${second/[.,]} / 100))
	done
	[ "$s" = 0 ] || skipped=", $s skipped"
	printf -v result '%7d passed %4d failed %5d s, %5d.%d s of CPU%s' "$p" "$f" \
		$((SECONDS - start)) $((tenths / 10)) $((tenths % 10)) "${c:+, $c checks}$skipped$why"
	printf '%-44s %s\n' "$name" "$result" >"$dir/$1.line"
	{
		[ -n "$alone" ] || result="$name: $result"
		[ "$f" = 0 ] || [ -z "$alone" ] || echo
		if [ -n "$live" ]; then
			:
		elif [ "$f" != 0 ]; then
			sed 's/^/  /' "$log"
		elif [ -s "$dir/$1.skips" ]; then
			result="$result
$(cat "$dir/$1.skips")"
		fi
		echo "$result"
	} >"$dir/$1.out"
	say '%s\n' "$(<"$dir/$1.out")"
	echo "$p $f $s ${c:-0}" >"$dir/$1.count"
}

steps="$total steps"
[ "$total" != 1 ] || steps="1 step"
[ "$jobs" = 1 ] || steps="$steps, $jobs at once"
say '%s\n' "$steps"

# Disowned, so that "wait" does not wait for it. Not needed with LIVE.
beat=
if [ -z "$live" ]; then
	heartbeat &
	beat=$!
	disown $beat
fi

number=0
for command; do
	if [ "$command" = -- ]; then
		wait
		continue
	fi
	while running=($(jobs -rp)) && [ ${#running[@]} -ge "$jobs" ]; do
		wait -n
	done
	number=$((number + 1))
	one $number "$command" &
done
wait

passed=0
failed=0
skips=0
checks=0
for ((i = 1; i <= number; i++)); do
	[ -z "$table" ] || [ ! -f "$dir/$i.line" ] || cat "$dir/$i.line"
	p=0 f=1 s=0 c=0
	[ ! -f "$dir/$i.count" ] || read -r p f s c <"$dir/$i.count"
	[ "$f" = 0 ] || [ $total = 1 ] || [ -n "$table" ] || cat "$dir/$i.line"
	passed=$((passed + p))
	failed=$((failed + f))
	skips=$((skips + s))
	checks=$((checks + c))
done
[ $checks = 0 ] || echo "$checks checks"
echo "$passed passed, $failed failed, $skips skipped"
[ "$failed" = 0 ]
