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

# take_out FILE FUNCTION FROM TO: removes lines of the function, from the only one that matches FROM
# to the next that matches TO. $taken has them; the first was line $from.
take_out() {
	body "$1" "$2"
	from=$(sed -n "$first,${last}p" "$edited/$1" | grep -nE -e "$3" | cut -d: -f1)
	case $from in
	'' | *[!0-9]*) give_up "$1, $2(): not one line matches '$3'" ;;
	esac
	from=$((first - 1 + from))
	taken=$(sed -nE "$from,$last{p;/$4/q;}" "$edited/$1")
	to=$((from - 1 + $(echo "$taken" | wc -l)))
	[ $to -lt $last ] || give_up "$1, $2(): no line matches '$4' behind '$3'"
	sed "$from,${to}d" "$edited/$1" >"$edited/.new"
	cat "$edited/.new" >"$edited/$1"
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
	before_function $pmu sbi_pmu_event_get_info <<END
/* The most entries of one EVENT_GET_INFO call: the hart is busy until it returns. */
#define PMU_EVENT_INFO_MAX 4096

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
	in_body $1 $2 1 'if \(!num_events' 's/!num_events/& || num_events > PMU_EVENT_INFO_MAX/'
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
	in_body $pmu sbi_pmu_ctr_cfg_match 1 'if \(phs->active_events\[cidx_first\]' 'i\
		if (cidx_first >= total_ctrs ||\
		    (event_type == SBI_PMU_EVENT_TYPE_FW) != (cidx_first >= num_hw_ctrs))\
			return SBI_EINVAL;\

'
	in_body $pmu sbi_pmu_ctr_cfg_match 1 'ctr_idx = cidx_first;' 'i\
		if (pmu_ctr_is_running(phs, cidx_first))\
			return SBI_ENOTSUPP;'
	before_function $pmu sbi_pmu_ctr_cfg_match <<'END'
/* Without mcountinhibit every hardware counter runs, so none counts as running. */
static bool pmu_ctr_is_running(struct sbi_pmu_hart_state *phs, uint32_t cidx)
{
	if (cidx >= num_hw_ctrs)
		return phs->fw_counters_started & BIT(cidx - num_hw_ctrs);
	return sbi_hart_priv_version(sbi_scratch_thishart_ptr()) >=
		       SBI_HART_PRIV_VER_1_11 &&
	       !(csr_read(CSR_MCOUNTINHIBIT) & BIT(cidx));
}

END
	finish "lib: sbi_pmu: Check the counter that SKIP_MATCH names

SKIP_MATCH uses the first counter of the caller's set unchecked. A firmware
event on a hardware counter gives a negative index into fw_counters_data, and
with CLEAR_VALUE M-mode writes there. Any other event on a firmware counter
accesses a CSR that does not exist. A running counter is cleared under its
user; now that is not supported."
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

# What finds counters and EVENT_GET_INFO both ask; the first of their edits brings it.
add_event_counters() {
	! grep -q ' pmu_event_counters(' "$src/$pmu" || return 0
	before_function $pmu pmu_ctr_find_fixed_hw <<'END'
/* The counters of all rows that match an event. */
static uint32_t pmu_event_counters(unsigned long event_idx, uint64_t data)
{
	const struct sbi_pmu_hw_event *row = hw_event_map;
	const struct sbi_pmu_hw_event *end = row + num_hw_events;
	uint32_t counters = 0;

	for (; row < end; row++) {
		if (row->start_idx <= event_idx && event_idx <= row->end_idx &&
		    row->select == (data & row->select_mask))
			counters |= row->counters;
	}
	return counters;
}

END
}

fix_find_hw() {
	add_event_counters
	# 1.6 goes on to the last counter that is free.
	order='cidx = 3; ctr_mask \&\& cidx < num_hw_ctrs; cidx++'
	mentions $pmu pmu_ctr_find_hw break ||
		order='cidx = num_hw_ctrs - 1; ctr_mask \&\& cidx >= 3; cidx--'
	take_out $pmu pmu_ctr_find_hw '^	for \(i = 0; i < num_hw_events' '^	}$'
	in_body $pmu pmu_ctr_find_hw 1 'if \(ctr_idx == SBI_ENOTSUPP\)' 'i\
	/* Fixed counters are no part of the search. */\
	ctr_mask = pmu_event_counters(event_idx, data) \& (cmask << cbase) \&\
		   mctr_inhbt \& ~SBI_PMU_FIXED_CTR_MASK;\
	for ('"$order"') {\
		if ((ctr_mask \& BIT(cidx)) \&\&\
		    phs->active_events[cidx] == SBI_PMU_EVENT_IDX_INVALID) {\
			ctr_idx = cidx;\
			break;\
		}\
	}\

'
	in_body $pmu pmu_ctr_find_hw 1 'unsigned long mctr_inhbt = 0;' 's/= 0/= -1UL/'
	in_body $pmu pmu_ctr_find_hw 1 'int i, ret' 's/int i,/int cidx,/'
	in_body $pmu pmu_ctr_find_hw 1 'struct sbi_pmu_hw_event \*temp;' d
	in_body $pmu pmu_ctr_find_hw 1 'pmu_update_hw_mhpmevent\(temp' 's/temp/NULL/'
	finish "lib: sbi_pmu: Search all matching rows from the set's base

pmu_ctr_find_hw() uses cbase itself as the loop variable. For the second row
that matches an event, the caller's mask is therefore shifted by the counter
at which the first search ended. The search can return a counter outside of
the set, and miss counters in it. Collect the counters of all rows, and search
them once."
}

fix_start_running() {
	take_out $pmu sbi_pmu_ctr_start '^			if \(cidx >= 3\) \{' '^			}$'
	before_function $pmu pmu_ctr_start_hw <<'END'
static inline int pmu_ctr_restore_hw(struct sbi_pmu_hart_state *phs,
				     uint32_t cidx);

END
	before_function $pmu sbi_pmu_ctr_start <<'END'
/* A suspend may have lost the event of a counter. Without phs it was just written. */
static inline int pmu_ctr_restore_hw(struct sbi_pmu_hart_state *phs,
				     uint32_t cidx)
{
	if (!phs || cidx < 3)
		return 0;
	return pmu_update_hw_mhpmevent(NULL, cidx,
				       phs->hw_counters_cfg[cidx].flags,
				       phs->active_events[cidx],
				       phs->hw_counters_cfg[cidx].event_data);
}

END
	in_body $pmu sbi_pmu_ctr_start 1 'pmu_ctr_start_hw\(cidx' 's/cidx/phs, &/'
	in_body $pmu sbi_pmu_ctr_cfg_match 1 'pmu_ctr_start_hw\(ctr_idx' 's/ctr_idx/NULL, &/'
	in_body $pmu pmu_ctr_start_hw 1 'pmu_ctr_start_hw\(uint32_t cidx' \
		's/uint32_t cidx/struct sbi_pmu_hart_state *phs,\
			    &/'
	in_body $pmu pmu_ctr_start_hw 1 'unsigned long mctr_inhbt;' 'a\
	int ret;'
	in_body $pmu pmu_ctr_start_hw 1 'priv_version\(scratch\) < ' 'a\
		ret = pmu_ctr_restore_hw(phs, cidx);\
		if (ret)\
			return ret;'
	in_body $pmu pmu_ctr_start_hw 1 '__clear_bit\(cidx' 'i\
	ret = pmu_ctr_restore_hw(phs, cidx);\
	if (ret)\
		return ret;'
	finish "lib: sbi_pmu: Leave mhpmevent of a running counter alone

START of a running counter writes mhpmevent again, with OF set. From then
on the overflows of that counter do not interrupt. The error that START
returns is right, but it comes after the write."
}

fix_event_info() {
	add_event_counters
	scratch= usable=
	# These versions never choose a fixed counter that cannot filter modes.
	if mentions $pmu pmu_ctr_find_hw SBI_HART_EXT_SMCNTRPMF; then
		scratch='	struct sbi_scratch *scratch = sbi_scratch_thishart_ptr();
'
		usable=' &&
	    (!sbi_hart_has_extension(scratch, SBI_HART_EXT_SSCOFPMF) ||
	     sbi_hart_has_extension(scratch, SBI_HART_EXT_SMCNTRPMF))'
	fi
	answers=sbi_pmu_event_get_info
	! grep -q ' pmu_answer_entries(' "$src/$pmu" || answers=pmu_answer_entries
	take_out $pmu $answers '^	for \(i = 0; i < num_events' '^	}$'
	insert $pmu $((from - 1)) <<'END'
	for (i = 0; i < num_events; i++)
		einfo[i].output = pmu_event_is_countable(phs, einfo[i].event_idx,
							 einfo[i].event_data);
END
	in_body $pmu $answers 3 \
		'^	(uint32_t event_idx|struct sbi_pmu_hw_event \*temp|bool found = false);$' d
	in_body $pmu $answers 1 '^	int i, j, event_type;' 's/, .*/;/'
	before_function $pmu $answers <<END
/* Whether CONFIG_MATCHING finds a counter for an event, if all are free. */
static bool pmu_event_is_countable(struct sbi_pmu_hart_state *phs,
				   unsigned long event_idx, uint64_t data)
{
$scratch	bool found = get_cidx_type(event_idx) == SBI_PMU_EVENT_TYPE_FW;

	if (pmu_ctr_find_fixed_hw(event_idx) >= 0$usable)
		found = true;
	if (!found && pmu_event_counters(event_idx, data) > SBI_PMU_FIXED_CTR_MASK)
		found = true;
	return found && pmu_event_validate(phs, event_idx, data) >= 0;
}

END
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
