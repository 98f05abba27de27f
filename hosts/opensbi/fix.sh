#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: hosts/opensbi/fix.sh CHECKOUT [NAME... | --list]
#
# Fixes defects of OpenSBI 1.6 to 1.9, one small commit for each. Without names: all defects that
# this version has; --list prints these. fixes.md says what users see without the fixes.
. "$(dirname "$0")/../edit.sh"

shift
pmu=lib/sbi/sbi_pmu.c
fdt=lib/utils/fdt/fdt_pmu.c

# body FILE FUNCTION: sets $first and $last to the lines of the function's definition
body() {
	copy "$1"
	set -- "$1" "$2" $(awk -v name="$2" '
		/^[a-z].*[^;]$/ && match($0, "[^A-Za-z0-9_]" name "[(]") { print NR; inside = 1 }
		inside && /^}/ { print NR; exit }' "$edited/$1")
	[ $# = 4 ] || give_up "$1 does not define $2"
	first=$3 last=$4
}

# in_body FILE FUNCTION TIMES ANCHOR COMMAND: runs the sed command on the lines of the function that
# match the anchor; there must be exactly TIMES of them
in_body() {
	body "$1" "$2"
	found=$(sed -n "$first,${last}p" "$edited/$1" | grep -cE -e "$4" || :)
	[ "$found" = "$3" ] || give_up "$1, $2(): $found lines match '$4', expected $3"
	sed -E "$first,$last{/$4/$5
}" "$edited/$1" >"$edited/.new"
	cat "$edited/.new" >"$edited/$1"
}

# before_function FILE FUNCTION: inserts standard input before the function
before_function() {
	body "$1" "$2"
	insert "$1" $((first - 1))
}

# mentions FILE FUNCTION NAME: whether the function uses the name
mentions() {
	body "$1" "$2"
	sed -n "$first,${last}p" "$edited/$1" | grep -qw -e "$3"
}

# Prints the defects that this version has.
defects() {
	echo info-memory
	echo skip-match
	# Since 1.7 a function checks the set; since 1.9 it refuses a base plus bit that wraps.
	grep -qe '-1UL - last' "$src/$pmu" || echo set-wraps
	! sed -n '/ pmu_ctr_find_fw(/,/^}/p' "$src/$pmu" | grep -q 'return i;' || echo firmware-base
	echo find-hw
	! mentions $pmu sbi_pmu_ctr_start pmu_update_hw_mhpmevent || echo start-running
	echo event-info
	echo bad-row
	! mentions $fdt fdt_pmu_setup sbi_calloc || echo empty-selectors
}

fix_info_memory() {
	after $pmu '<sbi/sbi_scratch\.h>' <<'END'
#include <sbi/sbi_trap.h>
#include <sbi/sbi_unpriv.h>
END
	before_function $pmu sbi_pmu_event_get_info <<'END'
/* The most entries of one EVENT_GET_INFO call: the hart is busy until it returns. */
#define PMU_EVENT_INFO_MAX 4096

END
	set -- $pmu sbi_pmu_event_get_info
	in_body $1 $2 1 'bool found = false;' 'a\
	struct sbi_trap_info trap = { 0 };\
	unsigned long satp;\
	uint64_t event_data;'
	in_body $1 $2 1 'if \(!num_events' 's/!num_events/& || num_events > PMU_EVENT_INFO_MAX/'
	in_body $1 $2 1 'if \(!sbi_domain_check_addr_range' \
		's/!sbi_domain/shmem_phys_lo + shmem_size <= shmem_phys_lo ||\
	    &/'
	in_body $1 $2 1 '(_map_saddr|protection_map_range)\(' 'c\
	/* Access the list with S-mode'"'"'s rights, at physical addresses. */\
	satp = csr_swap(CSR_SATP, 0);'
	in_body $1 $2 1 '(_unmap_saddr|protection_unmap_range)\(' 'c\
	csr_write(CSR_SATP, satp);'
	in_body $1 $2 1 'i < num_events;' 's/i < num_events/& \&\& !trap.cause/'
	in_body $1 $2 1 'event_idx = einfo' 'c\
		event_idx = sbi_load_u32(\&einfo[i].event_idx, \&trap);\
		if (!trap.cause)\
			event_data = sbi_load_u64(\&einfo[i].event_data, \&trap);\
		if (trap.cause)\
			break;'
	in_body $1 $2 2 '\(.*einfo\[i\]\.event_data( |\))' 's/einfo\[i\]\.event_data/event_data/'
	in_body $1 $2 3 'einfo\[i\]\.output =' \
		's/einfo(.*) = ([01]);/sbi_store_u32(\&einfo\1, \2, \&trap);/'
	in_body $1 $2 1 'return 0;' 's/0/trap.cause ? SBI_ERR_INVALID_ADDRESS : 0/'
	finish "lib: sbi_pmu: Access EVENT_GET_INFO's memory with S-mode's rights

The caller chooses the number of entries. Their size in bytes can wrap to 0,
and address plus size can wrap, too: sbi_domain_check_addr_range() then accepts
the range. M-mode overwrites what is there, for as long as that takes, and the
hart is lost if it traps where there is no memory. Limit the entries, refuse
ranges that wrap, and answer a trap with an error."
}

fix_skip_match() {
	in_body $pmu sbi_pmu_ctr_cfg_match 1 'if \(phs->active_events\[cidx_first\]' 'i\
		if (cidx_first >= total_ctrs ||\
		    (event_type == SBI_PMU_EVENT_TYPE_FW) != (cidx_first >= num_hw_ctrs))\
			return SBI_EINVAL;\

'
	finish "lib: sbi_pmu: Check the counter that SKIP_MATCH names

SKIP_MATCH uses the first counter of the caller's set unchecked. A firmware
event on a hardware counter gives a negative index into fw_counters_data, and
with CLEAR_VALUE M-mode writes there. Any other event on a firmware counter
accesses a CSR that does not exist."
}

fix_set_wraps() {
	if grep -q ' pmu_ctr_idx_validate(' "$src/$pmu"; then
		in_body $pmu pmu_ctr_idx_validate 1 'return cmask' 's/cmask &&/& cbase < total_ctrs \&\&/'
	else
		for caller in sbi_pmu_ctr_start sbi_pmu_ctr_stop sbi_pmu_ctr_cfg_match; do
			in_body $pmu $caller 1 'base \+ sbi_fls' \
				's/\((c[a-z_]*base) \+ /\1 >= total_ctrs || &/'
		done
	fi
	finish "lib: sbi_pmu: Check the base of a set on its own

Base plus highest bit can wrap to a small number, which passes the check. The
first counter of such a set lies outside of all tables."
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
	in_body $pmu pmu_ctr_find_hw 1 'struct sbi_pmu_hw_event \*temp;' 'i\
	unsigned long cidx;'
	in_body $pmu pmu_ctr_find_hw 1 'for_each_set_bit_from\(cbase,' 'i\
		cidx = cbase;'
	in_body $pmu pmu_ctr_find_hw 1 'for_each_set_bit_from\(cbase,' 's/cbase/cidx/'
	in_body $pmu pmu_ctr_find_hw 1 'active_events\[cbase\]' 's/cbase/cidx/'
	in_body $pmu pmu_ctr_find_hw 1 '__test_bit\(cbase,' 's/cbase/cidx/'
	in_body $pmu pmu_ctr_find_hw 1 'ctr_idx = cbase' 's/cbase/cidx/'
	finish "lib: sbi_pmu: Search each matching row from the set's base

pmu_ctr_find_hw() uses cbase itself as the loop variable. For the second row
that matches an event, the caller's mask is therefore shifted by the counter
at which the first search ended. The search can return a counter outside of
the set, and miss counters in it."
}

fix_start_running() {
	before_function $pmu sbi_pmu_ctr_start <<'END'
/* Whether a counter is running; false if there is no mcountinhibit. */
static bool pmu_ctr_hw_running(uint32_t cidx)
{
	struct sbi_scratch *scratch = sbi_scratch_thishart_ptr();

	return sbi_hart_priv_version(scratch) >= SBI_HART_PRIV_VER_1_11 &&
	       !(csr_read(CSR_MCOUNTINHIBIT) & BIT(cidx));
}

END
	in_body $pmu sbi_pmu_ctr_start 1 'cidx >= 3' 's/cidx >= 3/& \&\& !pmu_ctr_hw_running(cidx)/'
	finish "lib: sbi_pmu: Leave mhpmevent of a running counter alone

START of a running counter writes mhpmevent again, with OF set. From then
on the overflows of that counter do not interrupt. The error that START
returns is right, but it comes after the write."
}

fix_event_info() {
	scratch= usable=true
	# These versions never choose a fixed counter that cannot filter modes.
	if mentions $pmu pmu_ctr_find_hw SBI_HART_EXT_SMCNTRPMF; then
		scratch='	struct sbi_scratch *scratch = sbi_scratch_thishart_ptr();

'
		usable='!sbi_hart_has_extension(scratch, SBI_HART_EXT_SSCOFPMF) ||
	       sbi_hart_has_extension(scratch, SBI_HART_EXT_SMCNTRPMF)'
	fi
	before_function $pmu sbi_pmu_event_get_info <<END
/* Whether an event can be counted without a row. */
static bool pmu_event_needs_no_row(int event_type, unsigned long event_idx)
{
$scratch	if (event_type == SBI_PMU_EVENT_TYPE_FW)
		return true;
	if (pmu_ctr_find_fixed_hw(event_idx) < 0)
		return false;
	return $usable;
}

END
	in_body $pmu sbi_pmu_event_get_info 1 'temp->select ==' \
		's/temp->select ==/temp->start_idx == SBI_PMU_EVENT_RAW_IDX \&\&\
					    &/'
	in_body $pmu sbi_pmu_event_get_info 1 'for \(j = 0;' 'i\
			found = pmu_event_needs_no_row(event_type, event_idx);'
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
	in_body $fdt fdt_pmu_setup 1 '!fdt_pmu_evt_select' 's/!fdt_pmu_evt_select/len \&\& &/'
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
