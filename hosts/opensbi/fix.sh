#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: hosts/opensbi/fix.sh CHECKOUT [NAME... | --list]
#
# Fixes defects of OpenSBI 1.6 to 1.9, one small commit for each. Without names: all defects that
# this version has; --list prints these. fixes.md says what users see without the fixes.
. "$(dirname "$0")/../edit.sh"
. "$host/edits.sh"

shift

# Prints the defects that this version has.
defects() {
	echo info-memory
	echo skip-match
	# Since 1.7 a function checks the set; since 1.9 it refuses a base plus bit that wraps.
	grep -qe '-1UL - last' "$src/$pmu" && echo set-cost || echo set-wraps
	! sed -n '/ pmu_ctr_find_fw(/,/^}/p' "$src/$pmu" | grep -q 'return i;' || echo firmware-base
	echo find-hw
	! mentions $pmu sbi_pmu_ctr_start pmu_update_hw_mhpmevent || echo start-running
	echo event-info
	echo bad-row
	! mentions $fdt fdt_pmu_setup sbi_calloc || echo empty-selectors
}

fix_info_memory() {
	add "$host/sbi_pmu_memory.h" include/sbi/sbi_pmu_memory.h
	after $pmu '<sbi/sbi_pmu\.h>' <<'END'
#include <sbi/sbi_pmu_memory.h>
END
	take_out $pmu sbi_pmu_event_get_info '^	for \(i = 0;' '^	}$'
	# What the loop uses comes with it.
	used=$(body $pmu sbi_pmu_event_get_info
		sed -n "$first,${last}p" "$edited/$pmu" |
			grep -E '^	(uint32_t event_idx|struct sbi_pmu_hw_event \*temp|bool found = false);$')
	in_body $pmu sbi_pmu_event_get_info "$(echo "$used" | grep -c .)" \
		'^	(uint32_t event_idx|struct sbi_pmu_hw_event \*temp|bool found = false);$' d
	limit_entries
	before_function $pmu sbi_pmu_event_get_info <<END
static void pmu_answer_entries(struct sbi_pmu_hart_state *phs,
			       struct sbi_pmu_event_info *einfo, int num_events)
{
	int i, j, event_type;
$used

$taken
}

END
	set -- $pmu sbi_pmu_event_get_info
	in_body $1 $2 1 'int i, j, event_type;' 'c\
	struct sbi_pmu_event_info einfo[16];\
	unsigned long done, size;'
	in_body $1 $2 1 '^	struct sbi_pmu_event_info \*einfo;' d
	in_body $1 $2 1 'if \(!sbi_domain_check_addr_range' \
		's/!sbi_domain/shmem_phys_lo + shmem_size <= shmem_phys_lo ||\
	    &/'
	in_body $1 $2 1 '(_map_saddr|protection_map_range)\(' '{N;d;}'
	in_body $1 $2 1 'einfo = \(struct' 'c\
	for (done = 0; done < shmem_size; done += size) {\
		size = MIN(shmem_size - done, sizeof(einfo));\
		if (!sbi_pmu_move_entries(shmem_phys_lo + done, einfo, size, false))\
			return SBI_ERR_INVALID_ADDRESS;\
		pmu_answer_entries(phs, einfo, size / sizeof(*einfo));\
		if (!sbi_pmu_move_entries(shmem_phys_lo + done + 4,\
					  &einfo[0].output, size, true))\
			return SBI_ERR_INVALID_ADDRESS;\
	}'
	in_body $1 $2 1 '(_unmap_saddr|protection_unmap_range)\(' '{N;d;}'
	finish "lib: sbi_pmu: Access EVENT_GET_INFO's memory with S-mode's rights

The caller chooses the number of entries. Their size in bytes can wrap to 0,
and address plus size can wrap, too: sbi_domain_check_addr_range() then accepts
the range. M-mode overwrites what is there, for as long as that takes, and the
hart is lost if it traps where there is no memory. Limit the entries, refuse
ranges that wrap, and answer a trap with an error. Move sixteen entries at a
time: to prepare for a trap costs more than to answer an entry. Write only
their output: another hart may be writing the rest, which SBI makes read-only
for M-mode."
}

fix_skip_match() {
	edit_skip_match
	finish "lib: sbi_pmu: Check the counter that SKIP_MATCH names

SKIP_MATCH uses the first counter of the caller's set unchecked. A firmware
event on a hardware counter gives a negative index into fw_counters_data, and
with CLEAR_VALUE M-mode writes there. Any other event on a firmware counter
accesses a CSR that does not exist. A running counter is cleared under its
user; now that is not supported. Fixed counters are left as they are: Linux
skips to them while they run (perf_user_access 2)."
}

# fix_set MESSAGE: adds nothing, so nothing can wrap
fix_set() {
	set -- "$1" pmu_ctr_idx_validate
	if grep -q " $2(" "$src/$pmu"; then
		take_out $pmu $2 '^(	unsigned long last;|	/\* Do a basic)' '^	return .*< total_ctrs;'
		body $pmu $2
		insert $pmu $((last - 1)) <<'END'
	return cmask && pmu_ctr_set_fits(cbase, cmask);
END
	else
		set -- "$1" sbi_pmu_ctr_fw_read
		for caller in sbi_pmu_ctr_start sbi_pmu_ctr_stop sbi_pmu_ctr_cfg_match; do
			in_body $pmu $caller 1 'base \+ sbi_fls' \
				's/\(\((c[a-z_]*base) \+ sbi_fls\((c[a-z_]*)\)\) >= total_ctrs\)/(!pmu_ctr_set_fits(\1, \2))/'
		done
	fi
	before_function $pmu $2 <<'END'
/* Whether all counters of a set exist. */
static bool pmu_ctr_set_fits(unsigned long cbase, unsigned long cmask)
{
	unsigned long after = total_ctrs - cbase;

	/* Only RV32 can have more counters than a mask has bits. */
	if (BITS_PER_LONG == 32 && after >= 32)
		return cbase < total_ctrs;
	return cbase < total_ctrs && !(cmask >> after);
}

END
	finish "$1"
}

fix_set_wraps() {
	fix_set "lib: sbi_pmu: Check the base of a set on its own

Base plus highest bit can wrap to a small number, which passes the check. The
first counter of such a set lies outside of all tables."
}

fix_set_cost() {
	fix_set "lib: sbi_pmu: Check a set of counters without counting its bits

START, STOP and CONFIG_MATCHING look for the highest bit of the set, to see
whether the last counter exists. One shift tells that, too."
}

fix_firmware_base() {
	in_body $pmu pmu_ctr_find_fw 1 'active_events\[i\]' 's/\[i\]/[cidx]/'
	in_body $pmu pmu_ctr_find_fw 1 'return i;' 's/i;/cidx;/'
	in_body $pmu sbi_pmu_ctr_cfg_match 1 'if \(event_code == SBI_PMU_FW_PLATFORM\)' \
		's/event_code/ctr_idx >= 0 \&\& &/'
	finish "lib: sbi_pmu: Add the set's base to a firmware counter's number

pmu_ctr_find_fw() returns the position in the set. Unless the base is 0, that
is the number of another counter; if it is a hardware counter, the index into
fw_counters_data is negative."
}

fix_find_hw() {
	edit_find_hw
	finish "lib: sbi_pmu: Search all matching rows from the set's base

pmu_ctr_find_hw() uses cbase itself as the loop variable. For the second row
that matches an event, the caller's mask is therefore shifted by the counter
at which the first search ended. The search can return a counter outside of
the set, and miss counters in it. Collect the counters of all rows, and search
them once."
}

fix_start_running() {
	edit_start_running
	finish "lib: sbi_pmu: Leave mhpmevent of a running counter alone

START of a running counter writes mhpmevent again, with OF set. From then
on the overflows of that counter do not interrupt. The error that START
returns is right, but it comes after the write."
}

fix_event_info() {
	edit_event_info
	finish "lib: sbi_pmu: Let EVENT_GET_INFO agree with CONFIG_MATCHING

It took any range of events for a raw row, and then reported every raw event as
supported. It also looked for rows of events that need none: firmware events,
and cycles and instructions if a fixed counter counts them."
}

fix_bad_row() {
	in_body $fdt fdt_pmu_setup 2 'return result;' \
		's/return result;/sbi_printf("PMU: row %d refused (error %d)\\n",\
					   i, result);/'
	after $fdt '<libfdt\.h>' <<'END'
#include <sbi/sbi_console.h>
END
	finish "lib: utils: fdt_pmu: Continue after a row that is refused

OpenSBI stopped reading at the first row that it could not use. All later rows
and tables were lost, and only a debug build said so. Print the row and go on."
}

fix_empty_selectors() {
	edit_empty_selectors
	finish "lib: utils: fdt_pmu: Accept an empty table of selectors

Allocating memory for no rows returns NULL, which was taken for out of memory.
The raw events of such a tree were lost."
}

has=$(defects)
[ "${1-}" != --list ] || { echo "$has"; exit 0; }
for name in ${*:-$has}; do
	echo "$has" | grep -qx -e "$name" || give_up "this version has no defect $name"
done
for name in ${*:-$has}; do
	rm -rf "$edited"
	mkdir "$edited"
	fix_$(echo "$name" | tr - _)
done
