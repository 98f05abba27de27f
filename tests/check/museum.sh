#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The museum: what shipped or was posted, and the code by which "pmumap check" catches it, at the line
# of its .dts. Then the good boards: no error, and no warning but those listed with their reason.
. tests/check/lib.sh

export PATH="$PWD/build:$PATH" LC_ALL=C
dtc=$(command -v dtc) || echo "SKIP the exhibits (device-tree-compiler is not installed)"

# Code, file below tests/, the line that it is found at, and what it was.
exhibits() {
	cat <<-'EOF'
		raw-dead findings/raw-dead-u74 9 U74, patches v5 and v6: select and mask exchanged and inverted
		time-bit findings/time-bit-p550 10 P550 as shipped: instructions on the bit of the time CSR
		default-collision boards/sophgo-sg2044 252 SG2044: bus-cycles counts conditional branches
		raw-wide findings/raw-wide-dubhe 11 Dubhe: one event was meant, 64 match
		raw-wide boards/starfive-jhb100 105 JHB100: the same row again
		trailing-bytes findings/trailing-bytes-qemu 8 QEMU up to 8.0: 20 cells where 15 were meant
		counters-empty boards/qemu-virt-old 25 QEMU up to 8.0: the sixth row that these cells make
		selector-orphan findings/selector-orphan-d1 18 D1, v1 of the patch: a selector, and no counter
		event-invalid boards/opensbi-doc-example1 9 OpenSBI's manual: a selector for 0xb, no event
		raw-overlap boards/linux-binding-example1 17 Linux's binding: raw event 2 in two rows
		raw-unreachable boards/linux-binding-example1 18 Linux's binding: selects that no SBI call can ask for
		fixed-bit museum/u74-minstret 12 OpenSBI's manual up to v1.1: 0xc for the U74's counters 3 and 4
		counters-orphan boards/openpiton 63 a fork of OpenPiton: ranges with events in them that have no selector
		default-collision boards/vexiiriscv 20 VexiiRiscv: 4 has no selector, and 4 selects stalls of the frontend
		range-raw museum/firmware-events 9 OpenSBI reads nothing behind a range up to the firmware's events
		raw-overlap findings/raw-overlap-catch-all 10 a row for all raw events, and one for a single event
		fixed-denied boards/eswin-eic7700 71 EIC7700: cycles "not supported" since OpenSBI of 2026
		fixed-denied boards/spacemit-k1 186 K1: the same, where no row names cycles
		selector-orphan boards/tenstorrent-x280 71 X280: a selector of cycles that firmware never writes
		rows-lost museum/u74-minstret 12 OpenSBI's manual up to v1.1: no row of that tree is read
		tables-taken findings/tables-taken 17 /sys/firmware/fdt: OpenSBI has deleted the tables
		legacy-prefix findings/legacy-prefix 8 the names of 2021, without "riscv,"
		legacy-raw3 findings/legacy-raw3 10 Dubhe's branch of OpenSBI: raw rows without a mask
		foreign-node findings/foreign-node 6 drafts of 2018-2020 with the same compatible
		property-unknown findings/property-unknown-all 8 names in the plural: firmware reads no table
		selector-reversed findings/selector-reversed 9 a selector of two cells, the lower one first
		selector-bits findings/selector-bits 9 a selector that sets the bit of overflow
		mask-reversed findings/mask-reversed 11 a mask of U74's, its halves exchanged
		node-disabled findings/node-disabled 8 a node that is switched off, and read
		fixed-missing boards/sifive-u74 11 U74: no cycles by EVENT_GET_INFO
		extra-node findings/extra-node 14 one node for each kind of hart: firmware reads one
		offset-clash boards/imc-power9 71 POWER9: nvlink's offsets twice, in unit and event
		offset-clash museum/imc-xlink2 42 POWER9 before 2020: xlink2 and nvlink1 share two offsets
		offset-alias findings/offset-alias 47 nvlink units as IBM's catalogs list them: one name, one offset
		unit-duplicate boards/imc-power10-dd1 57 POWER10 DD1: two units mcs, two units pb
		name-duplicate boards/imc-same-name 11 POWER9, 2017: CPM_CS_ six times in core and thread
		control-overlap museum/imc-control 19 a counter in the control block, which Linux does not notice
		old-format boards/imc-gen-e-mixed 37 the week of 2017-07-05: nest units new, core and thread old
		type-missing findings/type-missing 14 a unit that skiboot removes and Linux skips
		list-empty findings/list-empty 8 a list that crashes Linux
		list-unused findings/list-unused 14 as IBM's catalogs had six in September 2017
		scale-empty boards/imc-gen-d 54 POWER9, January 2017: 16 scales are empty, perf multiplies by 0
		window-missing findings/window-missing 14 nest units without a window: skiboot loops at boot
		cell-width findings/cell-width 47 eight bytes for one cell: Linux reads 0
		control-range findings/control-range 32 a control block that Linux's debugfs would write behind the window
		events-missing findings/events-missing 19 a unit that Linux registers without events
		prefix-missing findings/prefix-missing 14 likewise, for a missing events-prefix
		offset-range findings/offset-range 26 a counter that Linux reads from behind the page
		chip-mismatch findings/chip-mismatch 21 two chips, one address: Linux drops the unit
		scale-bad findings/scale-bad 12 a scale "4 MiB", of which perf reads the 4
		cpu-name boards/amu-doc 32 the AMU binding's own example: TF-A skips all of its CPUs
		counter-name museum/amu-getter 14 the comment of TF-A's reader: its code ignores such counters
		cpu-reg museum/amu-live-mpidr 21 MPIDR_EL1 as it is read, RES1 and MT included: TF-A panics
		cells findings/cells 23 no #address-cells: TF-A panics
		counter-range findings/counter-range 23 index 33, by which TF-A enables counter 1
		counter-reg findings/counter-reg 14 a counter without reg: TF-A panics
		counter-duplicate findings/counter-duplicate 22 an index twice, silently
		enable-value findings/enable-value 16 enable-at-el3 = <0>, by which TF-A enables it
		view-missing findings/view-missing 25 a phandle of nothing: TF-A panics
		view-extra findings/view-extra 33 two phandles, of which TF-A takes one
		view-foreign findings/view-foreign 37 a view outside of /cpus/amus, which TF-A takes all the same
		unit-mismatch findings/unit-mismatch 15 another number in the name than in reg
		cpu-duplicate findings/cpu-duplicate 39 two CPUs of one MPIDR: TF-A merges their masks
	EOF
}

# The same, with the core's events: which, below tests/events/.
events_exhibits() {
	cat <<-'EOF'
		selector-event boards/thead-th1520 110 c900 TH1520: bus-cycles counts mispredicted jumps
		selector-event boards/thead-th1520 111 c900 TH1520: stalls of the frontend are jumps
		selector-event boards/thead-th1520 112 c900 TH1520: stalls of the backend are failed speculation
		selector-event boards/thead-th1520 113 c900 TH1520: ref-cycles are stores
		selector-event boards/sophgo-sg2044 245 c900 SG2044: branch predictions as reads of a node
		selector-event boards/sophgo-sg2044 246 c900 SG2044: mispredicted branches as misses of a node
		selector-event boards/starfive-jhb100 85 dubhe-80.json JHB100: LL read misses are stores
		selector-event boards/starfive-jhb100 86 dubhe-80.json JHB100: LL write accesses are load misses
		selector-unlisted boards/starfive-jhb100 82 dubhe-80.json JHB100: 0x9e, which Dubhe-80 does not have
		events-refused boards/allwinner-d1 34 c900 D1: 30 of 42, for the file is that of C910 too
		events-refused boards/sifive-u74 31 sifive/bullet U74: five bits for six events
		events-refused boards/tenstorrent-x280 92 sifive/bullet-07 X280: watchpoints, clock, a stall
		events-refused boards/tenstorrent-x280 92 sifive/bullet-0d X280: two stalls more
		events-refused boards/eswin-eic7700 84 sifive/p550.json EIC7700: perf's file is of another core
	EOF
}

# Boards, their events, how many warnings of these codes, and how many events are refused.
judged() {
	cat <<-'EOF'
		thead-th1520 c900 4 0
		sophgo-sg2044 c900 2 0
		starfive-jhb100 dubhe-80.json 2 0
		allwinner-d1 c900 1 30
		sifive-u74 sifive/bullet 1 1
		tenstorrent-x280 sifive/bullet-07 1 11
		tenstorrent-x280 sifive/bullet-0d 1 13
		eswin-eic7700 sifive/p550.json 1 5
		andes-ax45mp ax45.json 0 0
		spacemit-k1 x60.json 0 0
	EOF
}

# Board, code of a warning, and why it is meant to be there. "opensbi" stands for both manuals.
known() {
	cat <<-'EOF'
		amu-device-type cpu-name made up: a CPU that only device_type tells
		amu-doc cpu-name TF-A's manual has cpu0@, which its code skips
		amu-doc-labels cpu-name likewise
		amu-views view-unused its purpose: a view of nobody
		amu-three view-foreign its purpose: a view elsewhere in the tree
		amu-three selector-unmatched made up: its raw rows are not those of a core
		imc-and-riscv selector-unmatched likewise
		imc-doc-names property-near the names of Linux's text, which no code reads
		imc-gen-a old-format its purpose: what no firmware of today reads
		imc-gen-b old-format likewise
		imc-gen-c old-format likewise
		imc-gen-d old-format likewise
		imc-gen-e-mixed old-format likewise
		imc-gen-d scale-empty as the binding's first text has it
		imc-power10-dd1 unit-duplicate as IBM's catalog for DD1 has it
		imc-power9 offset-clash as IBM's catalogs have had it since 2020
		imc-same-name name-duplicate as IBM's catalogs had it in 2017
		eswin-eic7700 fixed-denied OpenSBI from 1.9 on does not support cycles there
		sophgo-sg2044 fixed-denied likewise
		spacemit-k1 fixed-denied likewise
		starfive-jhb100 fixed-denied likewise
		tenstorrent-x280 fixed-denied likewise
		tenstorrent-x280 selector-orphan selectors for cycles and instructions, on fixed counters
		linux-binding-example1 event-invalid an example, not a board: 0xb
		linux-binding-example1 selector-orphan likewise
		linux-binding-example1 counters-orphan likewise: one selector, 62 events
		linux-binding-example1 default-collision likewise
		linux-binding-example1 raw-overlap likewise: raw event 2
		linux-binding-example1 raw-unreachable likewise
		opensbi-doc-example1 event-invalid the same example
		opensbi-doc-example1 selector-orphan likewise
		opensbi-doc-example1 counters-orphan likewise
		opensbi-doc-example1 default-collision likewise
		opensbi-doc-example1 raw-overlap likewise
		opensbi-doc-example1 raw-unreachable likewise
		openpiton counters-orphan 0x1000a-0x1000d: in the range, without selectors
		qemu-virt-old trailing-bytes QEMU up to 8.0
		qemu-virt-old counters-empty likewise
		sophgo-sg2044 counters-orphan bus-cycles and ref-cycles have no selector
		sophgo-sg2044 default-collision likewise: 0x7 and 0xa select other events
		sifive-u74 selector-unmatched 0x2002: five bits for six events in its raw row
		starfive-jhb100 selector-unmatched 0x9e and 0x9f, which Dubhe-80 does not have
		starfive-jhb100 raw-wide event 34 alone was meant
		vexiiriscv counters-orphan ranges 1-9 and 0x10000-0x10009, six selectors
		vexiiriscv default-collision likewise: 3, 4 and 7 select other events
	EOF
}

caught() {
	code=$1 file=$2 line=$3 events=${4:+--events=tests/events/$4}
	dtc -q -O dtb -o "$dir/exhibit.dtb" "tests/$file.dts"
	pmumap check --json $events "$dir/exhibit.dtb" >"$dir/blob"
	pmumap check --json $events "tests/$file.dts" >"$dir/source"
	if ! grep -q "^{\"kind\":\"finding\",\"code\":\"$code\"" "$dir/blob"; then
		fail "tests/$file.dts: no $code"
		cat "$dir/blob"
	elif ! grep -q "^{\"kind\":\"finding\",\"code\":\"$code\".*\"line\":$line}" "$dir/source"; then
		fail "tests/$file.dts: no $code in line $line"
		grep "^{\"kind\":\"finding\",\"code\":\"$code\"" "$dir/source"
	else
		pass
	fi
}

if [ -n "$dtc" ]; then
	exhibits >"$dir/exhibits"
	while read -r code file line what; do
		caught "$code" "$file" "$line"
	done <"$dir/exhibits"
fi

if ! grep -q JANSSON build/pmumap.libs; then
	echo "SKIP the exhibits with a vendor's events (libjansson-dev is not installed)"
elif [ -n "$dtc" ]; then
	events_exhibits >"$dir/exhibits"
	while read -r code file line events what; do
		caught "$code" "$file" "$line" "$events"
	done <"$dir/exhibits"
	judged >"$dir/judged"
	while read -r board events warnings refused; do
		pmumap check --json --events "tests/events/$events" "build/boards/$board.dtb" >"$dir/out"
		sed -nE '/"(events-|selector-(event|unlisted))/p' "$dir/out" >"$dir/ours"
		[ "$(grep -c '"severity":"warning"' "$dir/ours")" = "$warnings" ] && pass ||
			fail "$board: not $warnings warnings about its events"
		names=$(sed -nE 's/.*"refused":\[([^]]*)\].*/\1/p' "$dir/out" | tr , '\n' | grep -c .)
		[ "$names" = "$refused" ] && pass || fail "$board: $names refused, not $refused"
		[ "$warnings" != 0 ] || nothing "$board is not silent" "$(cat "$dir/ours")"
	done <"$dir/judged"
fi

known >"$dir/known"
for blob in build/boards/*.dtb; do
	board=$(basename "$blob" .dtb)
	if pmumap check --json "$blob" >"$dir/out"; then
		pass
	else
		fail "$board: exit status $?"
	fi
	sed -nE 's/^\{"kind":"finding","code":"([^"]*)","severity":"(warning|error)".*/'"$board"' \1/p' "$dir/out" |
		sort -u >"$dir/warnings"
	sed -nE "s/^($board [^ ]*) .*/\1/p" "$dir/known" | sort -u >"$dir/listed"
	nothing "$board has warnings that are not listed" "$(comm -23 "$dir/warnings" "$dir/listed")"
	nothing "$board: warnings that are listed, but not there" \
		"$(comm -13 "$dir/warnings" "$dir/listed")"
done
finish
