#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# scripts/run.sh reports the right last line and exit status.
. tests/check/lib.sh

unset REQUIRE
good() { printf 'echo "%s"' "$1"; }

# sums LAST COMMAND...: compares the last line; the status is 0 unless something failed
sums() {
	want=$1
	shift
	scripts/run.sh "$@" >"$dir/out" 2>&1
	status=$?
	case $want in *" 0 failed"*) right=0 ;; *) right=1 ;; esac
	[ "$(tail -n 1 "$dir/out")" = "$want" ] && [ $status = $right ] && pass || {
		fail "not '$want', $right, but $status: $*"
		cat "$dir/out"
	}
}
sums "5 passed, 0 failed, 0 skipped" "$(good '2 passed, 0 failed')" "$(good '3 passed, 0 failed')"
sums "2 passed, 1 failed, 0 skipped" "$(good '2 passed, 1 failed'); false"
sums "2 passed, 1 failed, 0 skipped" "$(good '2 passed, 0 failed'); false"
sums "0 passed, 1 failed, 0 skipped" "$(good '2 passed')"
sums "0 passed, 1 failed, 0 skipped" "$(good '0 passed, 0 failed')"
skips='echo SKIP a; echo "  SKIP b"; echo SKIP a'
sums "1 passed, 0 failed, 2 skipped" "$skips; $(good '1 passed, 0 failed')"
sums "0 passed, 0 failed, 2 skipped" "$skips; $(good '0 passed, 0 failed')"
nested="scripts/run.sh '$skips; echo 1 passed, 0 failed' 'echo SKIP a; echo 1 passed, 0 failed'"
sums "3 passed, 0 failed, 3 skipped" "$nested" "$(good '1 passed, 0 failed, 0 skipped')"
export REQUIRE=1
sums "1 passed, 1 failed, 2 skipped" "$skips; $(good '1 passed, 0 failed')"
sums "2 passed, 0 failed, 0 skipped" "$(good '2 passed, 0 failed')"
finish
