#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: tests/check/sbi_compare.sh MONITOR_LOG OPENSBI_LOG [ROW...]
#
# Compares the output of examples/hypervisor/guest.c on examples/hypervisor/monitor.c and on
# OpenSBI, line by line: "WHAT -> RESULT". Chosen counters and counts are left out; the guest checks
# them itself. The table below must list every other difference, and each row for this version of
# OpenSBI must occur, except the ROWs given as arguments.
set -u

# ROW | versions | WHAT, a regular expression for the whole text | RESULT here | RESULT there
#
# The table leaves out OpenSBI's wrong choice among overlapping raw rows (D1), because QEMU's tree
# has none, and its refusal of cycles without Smcntrpmf (D5), because 1.6 does not do that yet.
table() {
	cat <<-'END'
	# ---- wrong there

	# A fixed counter is given to whoever asks for its event: also if the set does not have it ...
	D11-fixed-outside | 1.1 1.6 | match .* mask 0x[0-4] flags 0x0 event 0x[12] .* | error -2 | fixed [02]
	D11-fixed-outside | 1.1 1.6 | match .* mask 0x8 flags 0x0 event 0x1 .* | programmable | fixed 0
	# ... and to as many as ask, so that no other counter gets it.
	fixed-never-busy | 1.1 1.6 | match .* mask 0x7ffff flags 0x0 event 0x1 .* | programmable | fixed 0
	fixed-never-busy | 1.1 1.6 | match .* mask 0x7ffff flags 0x0 event 0x1 .* | error -2 | fixed 0

	# AUTO_START works for general events only.
	auto-start | 1.1 1.6 | count with AUTO_START | something | nothing
	auto-start | 1.1 1.6 | start base 0x3 mask 0x1 flags 0x0 | error -7 | 0x0

	# SKIP_MATCH of a counter that runs changes it.
	skip-match-running | 1.6 | match base 0x0 mask 0x8 flags 0x1 event 0x10019 .* | error -2 | programmable
	skip-match-running | 1.6 | match base 0x0 mask 0x80000 flags 0x1 event 0xf0005 .* | error -2 | firmware
	# OpenSBI 1.1 takes the base for the counter.
	skip-match-base | 1.1 | match base 0x0 .* flags 0x1 event 0x10019 .* | (error -2|programmable) | error -3
	skip-match-base | 1.1 | match base 0x0 .* flags 0x1 event 0xf0005 .* | (error -2|firmware) | error -3

	# Data that has to be 0, flags and numbers of counters and events that there are not.
	data-unchecked | 1.1 1.6 | match .* event 0x1 data 0x1 | error -3 | fixed 0
	data-unchecked | 1.1 1.6 | match .* event 0x10019 data 0x1 | error -3 | programmable
	data-unchecked | 1.1 1.6 | match .* event 0xf0005 data 0x1 | error -3 | firmware
	flags-unchecked | 1.1 1.6 | match .* flags 0x1(00)* event .* | error -3 | programmable
	flags-unchecked | 1.1 | (start|stop) base 0x3 mask 0x1 flags 0x2 | error -9 | error -3
	number-cut | 1.1 1.6 | counter 0x10000000[02] | error -3 | csr 0xc0[02] bits 64
	base-unchecked | 1.1 | match base 0x80000000 .* | error -3 | error -2
	set-wraps | 1.6 | match base 0xf+ mask 0x3 .* | error -3 | error -2
	set-wraps | 1.6 | (start|stop) base 0xf+ mask 0x2 .* | error -3 | 0x0
	wide-event | 1.1 1.6 | match .* event 0x(10000[01]|110019|80010019) .* | error -3 | error -2
	# Firmware events that there are not, up to 0xfffff.
	firmware-code | 1.1 | match .* event 0xf(0016|00ff|0100|fffe|ffff) .* | error -2 | firmware

	# Firmware counters of a set are counted from its base on, but looked up from 0 on.
	firmware-base | 1.6 | match base 0x16 .* event 0xf0005 .* | firmware | error -2
	# They may be started and stopped twice, and FW_READ_HI is 0 for whatever.
	firmware-twice | 1.1 1.6 | start base 0x13 mask 0x1 flags 0x0 | error -7 | 0x0
	firmware-twice | 1.1 1.6 | stop base 0x13 mask 0x1 flags 0x0 | error -8 | 0x0
	# Of a set, the last counter decides: what was stopped already before it is no error.
	last-decides | 1.1 1.6 | stop and release all | error -8 | 0x0
	last-decides | 1.1 1.6 | stop base 0x0 mask 0x7fff80000 flags 0x1 | error -8 | 0x0
	firmware-high | 1.6 | fw_read_hi (beyond|of a free counter) | error -3 | 0x0

	# EVENT_GET_INFO: the rows of other events answer for any raw event,
	D2-info-raw | 1.6 | offered 0x[23]0000 .* | 0x0 | 0x1
	# no firmware event is supported,
	D3-info-firmware | 1.6 | offered 0xf000[567] data 0x0 | 0x1 | 0x0
	# reserved types and bits are no error,
	info-reserved | 1.6 | offered 0x([4e]0000|10000[01]|110019|80010019) .* | error -3 | 0x0
	# and the zeros at the end of QEMU 7.2's table are a row for event 0.
	zero-row | 1.6 | offered 0x0 data 0x0 | 0x0 | 0x1

	# Without Sscofpmf the bits that filter modes are set all the same, and QEMU 7.2 obeys.
	filter | 1.1 | count inhibited in S | something | nothing

	# ---- left open by SBI, and decided otherwise there

	# The monitor counts no other firmware event than SET_TIMER.
	host | 1.1 1.6 | match .* event 0xf00(0[0-46-9a-f]|1[0-5]) .* | error -2 | firmware
	# Codes that SBI does not define: an error, or events that nothing counts.
	undefined-code | 1.6 | match .* event 0x100([0-3][67ef]|3[89a-d]) .* | error -2 | error -3
	undefined-code | 1.6 | match .* event 0x(b|10040|20001|40000|e0000) .* | error -2 | error -3
	undefined-code | 1.6 | match .* event 0xf(0016|00ff|0100|fffe|ffff) .* | error -2 | error -3
	# Sets of no counters, and of counters that are not configured; lists of no events.
	empty-set | 1.1 1.6 | match base 0x0 mask 0x0 .* | error -3 | error -2|fixed 0
	stop-free | 1.1 1.6 | stop base 0x(1|3|13) mask 0x1 flags 0x[01] | error -8 | error -3
	stop-free | 1.1 | stop base 0x0 mask 0x7ffff flags 0x1 | error -8 | error -3
	info-none | 1.6 | event_get_info of none | 0x0 | error -3
	# Two errors at once.
	two-errors | 1.6 | start base 0x3 mask 0x1 flags 0x3 | error -3 | error -9

	# ---- not there yet

	# OpenSBI 1.1: SBI 1.0. OpenSBI 1.6: SBI 2.0 without shared memory.
	no-function | 1.1 | offered .* | 0x[01]|error -3 | error -2
	no-function | 1.1 | event_get_info .* | 0x0|error -[35] | error -2
	no-function | 1.1 | fw_read_hi .* | 0x0|error -3 | error -2
	no-function | 1.1 1.6 | (no )?shared memory.* | 0x0|error -[35] | error -2
	no-function | 1.6 | (start from|stop with) a snapshot | 0x0 | error -9
	END
}

monitor=$1
opensbi=$2
shift 2
version=$(sed -nE 's/^# SBI .* implementation 0x1 version 0x(1)000([0-9])\r?$/\1.\2/p' "$opensbi")

# Lines with a result, without the parts that may differ.
lines() {
	tr -d '\r' <"$1" | sed -nE '/ -> /{
		s/counter [0-9]+ (programmable|firmware)$/\1/
		s/counter ([02]) fixed$/fixed \1/
		s/ -> [0-9]+ (ok|FAILED)$/ -> N \1/
		p
	}'
}

table | grep '^[A-Za-z]' | awk -F ' [|] ' -v version="$version" -v except=" $* " '
	function result(line) { return substr(line, index(line, " -> ") + 4) }
	function what(line) { return substr(line, 1, index(line, " -> ") - 1) }
	function fail(text) { failed++; print "FAIL " text }
	FILENAME == "-" {
		if (index(" " $2 " ", " " version " ") && !index(except, " " $1 " ")) {
			rows++
			row[rows] = $0; name[rows] = $1
			key[rows] = "^(" $3 ")$"; ours[rows] = "^(" $4 ")$"; theirs[rows] = "^(" $5 ")$"
		}
		next
	}
	FILENAME != last { last = FILENAME; file++ }
	file == 1 { here[++nhere] = $0 }
	file == 2 { there[++nthere] = $0 }
	END {
		if (rows == 0)
			fail("there is no table for version \"" version "\" of OpenSBI")
		if (nhere == 0 || nhere != nthere)
			fail("the logs have " nhere + 0 " and " nthere + 0 " lines")
		for (n = 1; n <= nhere && n <= nthere; n++) {
			if (here[n] == there[n]) {
				passed++
				continue
			}
			found = 0
			if (what(here[n]) == what(there[n]))
				for (i = 1; i <= rows; i++)
					if (what(here[n]) ~ key[i] && result(here[n]) ~ ours[i] &&
					    result(there[n]) ~ theirs[i]) {
						used[i]++
						found = 1
					}
			if (found)
				passed++
			else
				fail("not in the table: " here[n] ", there: " there[n])
		}
		for (i = 1; i <= rows; i++)
			if (used[i])
				count[name[i]] += used[i]
			else
				fail("in the table, but there is no such difference: " row[i])
		for (i = 1; i <= rows; i++)
			if (name[i] in count) {
				printf "  OpenSBI %s %-18s %3d lines\n", version, name[i], count[name[i]]
				delete count[name[i]]
			}
		print passed + 0 " passed, " failed + 0 " failed"
		exit failed != 0
	}' - <(lines "$monitor") <(lines "$opensbi")
