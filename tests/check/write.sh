#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# "pmumap write" reproduces a board's table: the same events, selectors, counters and raw events, no
# findings, and no more cells than the vendor's tree. Then tables written from the events of cores.
. tests/check/lib.sh

export PATH="${TOOL:-$PWD/build}:$PATH" LC_ALL=C
command -v dtc >/dev/null || { echo "SKIP all (device-tree-compiler is not installed)"; finish; }

# show --json as a table.
to_table() {
	sed -nE -e 's/^\{"kind":"event","event":"([^"]*)","last":"([^"]*)",.*"counters":\[([^]]*)\].*/\1-\2 - \3/p;t' \
		-e 's/^\{"kind":"event","event":"([^"]*)",.*"selector":"([^"]*)","counters":\[([^]]*)\].*/\1 \2 \3/p;t' \
		-e 's/^\{"kind":"event","event":"([^"]*)",.*"counters":\[([^]]*)\].*/\1 - \2/p;t' \
		-e 's/^\{"kind":"raw","select":"([^"]*)","mask":"0xffffffffffffffff","counters":\[([^]]*)\].*/raw:\1 - \2/p;t' \
		-e 's/^\{"kind":"raw","select":"([^"]*)","mask":"([^"]*)","counters":\[([^]]*)\].*/raw:\1\/\2 - \3/p'
}

# Number of cells in the three tables of a .dts.
cells() {
	awk '/riscv,(raw-)?event-to/ { inside = 1 }
		inside { sub(/\/\*.*\*\//, ""); n += gsub(/0x[0-9a-f]+/, "") }
		/;/ { inside = 0 }
		END { print n + 0 }' "$1"
}

rows() {
	awk '/^\t\t\t</' "$1" | wc -l
}

# All raw events below 0x800, and some above with one more bit.
raws=$(awk 'BEGIN {
	for (i = 0; i < 2048; i++)
		printf "raw:0x%x ", i
	for (i = 11; i < 48; i++)
		printf "raw:0x%x raw:0x%x raw:0x%x ", 2 ^ i, 2 ^ i + 1, 2 ^ i + 0x28
}')

# accepted FILE: which of these have counters, and which counters
accepted() {
	pmumap lookup --json "$1" $raws | sed -nE 's/.*"query":"raw:([^"]*)".*"counters":\[([^]]*)\],"found":true.*/\1 \2/p'
}

# codes FILE: findings, except for fixed counters, which depend on harts that a lone node lacks
codes() {
	pmumap check --json "$1" | grep -v '"code":"fixed-' |
		sed -nE 's/^\{"kind":"finding","code":"([^"]*)","severity":"([^"]*)".*/\1 \2/p' | sort -u
}

boards="thead-th1520 sophgo-sg2044 allwinner-d1 andes-ax45mp spacemit-k1 sifive-u74 starfive-jhb100 eswin-eic7700"
for board in $boards; do
	blob=build/boards/$board.dtb
	pmumap show --json "$blob" >"$dir/shipped.json"
	to_table <"$dir/shipped.json" >"$dir/$board.txt"
	works "$board: write" pmumap write -o "$dir/$board.dts" "$dir/$board.txt"
	pmumap show --json "$dir/$board.dts" >"$dir/written.json"
	for file in shipped written; do
		grep '"event"' "$dir/$file.json" >"$dir/$file.events"
	done
	works "$board: events" diff "$dir/shipped.events" "$dir/written.events"
	accepted "$blob" >"$dir/shipped.raw"
	accepted "$dir/$board.dts" >"$dir/written.raw"
	works "$board: raw events" diff "$dir/shipped.raw" "$dir/written.raw"
	[ "$(cells "$dir/$board.dts")" -le "$(cells "tests/trees/boards/$board.dts")" ] && pass ||
		fail "$board: $(cells "$dir/$board.dts") cells, shipped with $(cells "tests/trees/boards/$board.dts")"
	codes "$blob" >"$dir/shipped.findings"
	codes "$dir/$board.dts" >"$dir/written.findings"
	case $board in
	# The vendors' tables of these boards have mistakes of their own.
	sifive-u74 | sophgo-sg2044 | starfive-jhb100 | eswin-eic7700)
		works "$board: findings" cmp "$dir/shipped.findings" "$dir/written.findings"
		;;
	*) nothing "$board: findings" "$(cat "$dir/written.findings")" ;;
	esac
done

# exactly EVENTS CODES ROWS: a core without ORed codes needs at most ROWS disjoint rows
exactly() {
	pmumap write --events "tests/events/$1" --counters 3-6 -o "$dir/core.dts"
	cat "tests/events/$1"/*.json "tests/events/$1" 2>/dev/null |
		sed -nE 's/.*"EventCode": "([^"]*)".*/\1/p' | while read -r code; do
		printf '0x%x 3,4,5,6\n' "$code"
	done | sort >"$dir/want"
	accepted "$dir/core.dts" | sort >"$dir/got"
	works "$1: $2 codes" diff "$dir/want" "$dir/got"
	[ "$(wc -l <"$dir/want")" = "$2" ] && pass || fail "$1: not $2 codes"
	rows=$(rows "$dir/core.dts")
	[ "$rows" -le "$3" ] && pass || fail "$1: $rows rows, more than $3"
	nothing "$1: findings" "$(pmumap check --json "$dir/core.dts" | grep -v fixed-missing)"
	nothing "$1: findings with the events" \
		"$(pmumap check --json --events "tests/events/$1" "$dir/core.dts" | grep -v fixed-missing)"
}
if grep -q JANSSON build/pmumap.libs; then
	exactly c900 42 8
	exactly ax45.json 51 12
	exactly dubhe-80.json 34 7
	exactly x60.json 21 13
	pmumap write --events tests/events/sifive/bullet.json --counters 3-4 >"$dir/core.dts"
	[ "$(rows "$dir/core.dts")" = 3 ] && pass || fail "U74's events take more than 3 rows"
else
	echo "SKIP the events of cores (libjansson-dev is not installed)"
fi

# Linux's tables of a tree, with the macros of its patches: each place has the selector and the
# counters that "perf --firmware delegated" answers.
cat >"$dir/linux.c" <<'EOC'
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#define C(x) PERF_COUNT_HW_CACHE_##x
#define NONE { UINT64_MAX, 0 }
#define PERF_MAP_ALL_UNSUPPORTED [0 ... PERF_COUNT_HW_MAX - 1] = NONE
#define PERF_CACHE_MAP_ALL_UNSUPPORTED [0 ... C(MAX) - 1] = { \
	[0 ... C(OP_MAX) - 1] = { [0 ... C(RESULT_MAX) - 1] = NONE } }
struct riscv_pmu_event {
	uint64_t event_id;
	uint32_t counter_mask;
};
#include "tables.c"

static void put(unsigned event, const struct riscv_pmu_event *e)
{
	if (e->counter_mask)
		printf("0x%x 0x%llx", event, (unsigned long long)e->event_id);
	for (int n = 0; n < 32; n++)
		if (e->counter_mask >> n & 1)
			printf(" %d", n);
	if (e->counter_mask)
		printf("\n");
}

int main(void)
{
	for (unsigned i = 0; i < PERF_COUNT_HW_MAX; i++)
		put(1 + i, &board_hw_event_map[i]);
	for (unsigned i = 0; i < C(MAX) * 8; i++)
		if (i % 8 < 2 * C(OP_MAX))
			put(0x10000 + i, &board_cache_event_map[i / 8][i % 8 / 2][i % 2]);
	return 0;
}
EOC

# asks FIRMWARE [OPTION...] TREE [EVENT...]: event, selector and counters of what it counts
asks() {
	pmumap perf --json --firmware "$@" |
		sed -nE 's/.*"event":"([^"]*)","answer":"yes".*"counters":\[([^]]*)\],"mhpmevent":"([^"]*)".*/\1 \3 \2/p' |
		tr , ' '
}

# hands_over BOARD EVENTS TABLE NAMES: Linux's tables of the board have TABLE events. With the JSON
# made from the tree, both OpenSBI and Linux count NAMES of the core's events, on the same counters.
hands_over() {
	tree=build/boards/$1.dtb
	pmumap write --linux board -o "$dir/tables.c" "$tree" >"$dir/out" 2>&1
	works "$1: the tables compile" ${CC:-gcc} $warnings -Wno-pedantic -Wno-override-init -I"$dir" \
		"$dir/linux.c" -o "$dir/linux"
	"$dir/linux" | sort >"$dir/table"
	asks delegated "$tree" | sort >"$dir/answers"
	works "$1: Linux's tables" diff "$dir/table" "$dir/answers"
	[ "$(wc -l <"$dir/table")" = "$3" ] && pass || fail "$1: not $3 events in Linux's tables"
	asks opensbi "$tree" | sort | comm -12 - "$dir/table" >"$dir/both"
	works "$1: what both count is alike" diff "$dir/both" "$dir/table"
	pmumap write --json --events "tests/events/$2" "$tree" >"$dir/core.json" 2>"$dir/out"
	names=$(sed -nE 's/.*"EventName": *"([^"]*)".*/\1/p' "$dir/core.json")
	for firmware in opensbi delegated; do
		asks $firmware --events "$dir/core.json" "$tree" $names >"$dir/$firmware"
	done
	[ "$(grep -cxFf "$dir/delegated" "$dir/opensbi")" = "$4" ] &&
		[ "$(wc -l <"$dir/opensbi")" = "$4" ] && pass || fail "$1: not $4 names alike"
}
if grep -q JANSSON build/pmumap.libs; then
	hands_over sophgo-sg2044 c900 20 42
	hands_over spacemit-k1 x60.json 15 21
	hands_over eswin-eic7700 sifive/p550.json 6 33
	hands_over tenstorrent-x280 sifive/bullet-07.json 10 35
fi

# 10,000 raw events: the tool stops at its limit of work.
awk 'BEGIN { for (i = 0; i < 10000; i++) printf "raw:0x%x - 3-6\n", i * 7919 % 65536 }' >"$dir/many.txt"
works "10,000 events" sh -c "ulimit -t 20; pmumap write '$dir/many.txt' >'$dir/many.dts' 2>'$dir/error'; [ \$? = 1 ]"
grep -q 'OpenSBI reads at most 255' "$dir/error" && pass || fail "10,000 events: $(cat "$dir/error")"
finish
