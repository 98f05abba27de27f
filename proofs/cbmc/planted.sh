#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# planted.sh [CLAIM...]: each claim against headers that are broken on purpose; it has to fail. All
# bugs, or those of the named claims. One claim is passed for each bug that is found. FIT=1: only
# whether each bug has its one line in the headers.
set -u

dir=$(mktemp -d build/planted.XXXXXX) || exit 1
trap 'rm -rf "$dir"' EXIT
passed=0
failed=0
wanted=" $* "

# bug CLAIM FILE WHAT FROM TO: FROM stands in one line of the file
bug() {
	local found
	[ "$wanted" = "  " ] || [[ $wanted == *" $1 "* ]] || return
	cp pmumap.h pmumap_fdt.h "$dir/"
	if [ "$(grep -cF -- "$4" "$2")" != 1 ]; then
		echo "FAIL $1: not one line of $2 has: $4"
		failed=$((failed + 1))
		return
	fi
	if [ -n "${FIT:-}" ]; then
		passed=$((passed + 1))
		return
	fi
	from=$4 to=$5 awk '
		i = index($0, ENVIRON["from"]) {
			$0 = substr($0, 1, i - 1) ENVIRON["to"] substr($0, i + length(ENVIRON["from"]))
		}
		{ print }' "$2" >"$dir/$2"
	found=$(CHECKED=$dir JOBS=1 proofs/cbmc/run.sh "$1")
	if grep -q 'SUCCESS$' <<<"$found" || ! grep -q '^  \[.*: FAILURE' <<<"$found"; then
		echo "FAIL $1: does not find: $3"
		failed=$((failed + 1))
		sed 's/^/  /' <<<"$found"
	else
		passed=$((passed + 1))
	fi
	printf '%-16s %-52s %5s s of CPU  %s\n' "$1" "$3" \
		"$(sed -nE 's/.* ([0-9]+) s of CPU.*/\1/p' <<<"$found")" \
		"$(grep -m 1 '^  \[.*: FAILURE' <<<"$found" | sed -E 's/^  \[([^]]*)\].*/\1/')"
}

bug open-events pmumap.h "open: index byte one too large" \
	'event_index[i] >= m->records' 'event_index[i] > m->records'
bug emit-sorted pmumap.h "look-up: off by one at the start of a record" \
	'pmumap_riscv_first_event_(&r[half]) <= event' 'pmumap_riscv_first_event_(&r[half]) < event'
bug sweep-indexed pmumap.h "builder: a selector holds for two events" 'next = at + 1;' 'next = at + 2;'
bug raw-indexed pmumap.h "look-up: the last raw row in place of the union" \
	'counters |= mine & (0u' 'counters = mine & (0u'
bug assign pmumap.h "assign: the counter beside a pinned one is taken off" \
	'free &= ~(1u << want[i].counter)' 'free &= ~(2u << want[i].counter)'
bug assign pmumap.h "assign: a fixed counter before one that interrupts" \
	'features & PMUMAP_CAN_INTERRUPT' 'features & PMUMAP_FILTER'
bug assign pmumap.h "assign: who is pinned to -1 counts as placed" \
	'want[i].pinned && want[i].counter >= 0;' 'want[i].pinned && want[i].counter >= -1;'
bug read-counters pmumap_fdt.h "reader: a row that is not complete" \
	'for (; left >= 4 * count; left' 'for (; left + 1 >= 4 * count; left'
bug pick pmumap.h "pick: raw events of version 2 cut to 48 bits" \
	'#define PMUMAP_RAW_V2_BITS_ 0xffffffffffffffu' '#define PMUMAP_RAW_V2_BITS_ 0xffffffffffffu'
bug trace-scom pmumap.h "decode: buffer 5" '(scom >> 13 & 7) > 4' '(scom >> 13 & 7) > 5'

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
