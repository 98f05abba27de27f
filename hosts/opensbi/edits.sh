# SPDX-License-Identifier: BSD-2-Clause
#
# The edits of OpenSBI that apply.sh, fix.sh and series.sh share. Source it after edit.sh.
pmu=lib/sbi/sbi_pmu.c
fdt=lib/utils/fdt/fdt_pmu.c
header=include/sbi/sbi_pmu.h
reader=include/sbi_utils/fdt/fdt_pmu.h
generic=platform/generic/platform.c

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

# delete FILE LINES, drop FILE ANCHOR: remove lines, by number or the one that matches
delete() {
	sed "$2d" "$edited/$1" >"$edited/.new"
	cat "$edited/.new" >"$edited/$1"
}

drop() {
	change "$1" "$2" d
}

# rewrite FILE FUNCTION: replaces all lines between its braces with standard input
rewrite() {
	body "$1" "$2"
	brace=$(sed -n "$first,\$ { /^{\$/ { =; q; } }" "$edited/$1")
	delete "$1" $((brace + 1)),$((last - 1))
	insert "$1" "$brace"
}

limit_entries() {
	before_function $pmu sbi_pmu_event_get_info <<'END'
/* The most entries of one EVENT_GET_INFO call: the hart is busy until it returns. */
#define PMU_EVENT_INFO_MAX 4096

END
	in_body $pmu sbi_pmu_event_get_info 1 'if \(!num_events' \
		's/!num_events/& || num_events > PMU_EVENT_INFO_MAX/'
}

edit_skip_match() {
	# Since 1.9 it must exist.
	exists='cidx_first >= total_ctrs ||\
		    '
	! mentions $pmu sbi_pmu_ctr_cfg_match 'cidx_first >= total_ctrs' || exists=
	in_body $pmu sbi_pmu_ctr_cfg_match 1 'if \(phs->active_events\[cidx_first\]' 'i\
		if ('"$exists"'(event_type == SBI_PMU_EVENT_TYPE_FW) != (cidx_first >= num_hw_ctrs))\
			return SBI_EINVAL;\

'
	in_body $pmu sbi_pmu_ctr_cfg_match 1 'ctr_idx = cidx_first;' 'i\
		if (pmu_ctr_is_in_use(phs, cidx_first))\
			return SBI_ENOTSUPP;'
	before_function $pmu sbi_pmu_ctr_cfg_match <<'END'
/* Linux skips to fixed counters that run. Without mcountinhibit, all others run, too. */
static bool pmu_ctr_is_in_use(struct sbi_pmu_hart_state *phs, uint32_t cidx)
{
	if (cidx >= num_hw_ctrs)
		return phs->fw_counters_started & BIT(cidx - num_hw_ctrs);
	return cidx > 2 && sbi_hart_priv_version(sbi_scratch_thishart_ptr()) >=
		       SBI_HART_PRIV_VER_1_11 &&
	       !(csr_read(CSR_MCOUNTINHIBIT) & BIT(cidx));
}

END
}

# What finds counters and EVENT_GET_INFO both ask; the first of their edits brings it.
add_event_counters() {
	copy $pmu
	! grep -q ' pmu_event_counters(' "$edited/$pmu" || return 0
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

edit_find_hw() {
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
}

edit_start_running() {
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
}

edit_event_info() {
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
}

edit_empty_selectors() {
	in_body $fdt fdt_pmu_setup 1 '!fdt_pmu_evt_select' 's/!fdt_pmu_evt_select/len \&\& &/'
}

# Nobody uses the argument hw_evt.
drop_event_argument() {
	in_body $pmu pmu_update_hw_mhpmevent 1 'struct sbi_pmu_hw_event \*hw_evt, ' 's/struct[^,]*, //'
	sed -E 's/(pmu_update_hw_mhpmevent\()NULL, /\1/' "$edited/$pmu" >"$edited/.new"
	cat "$edited/.new" >"$edited/$pmu"
}

fix_up_all_nodes() {
	set -- $fdt fdt_pmu_fixup
	in_body $1 $2 5 '^	+(fdt_delprop|if \(!sbi_hart_has_extension)' 's/^/	/'
	in_body $1 $2 1 '"riscv,event-to-mhpmcounters"' 'i\
	do {'
	in_body $1 $2 1 '"interrupts-extended"' 'a\
		pmu_offset = fdt_node_offset_by_compatible(fdt, pmu_offset,\
							   "riscv,pmu");\
	} while (pmu_offset >= 0);'
}

# drop_row_list, drop_row_block VARIABLE: remove what adds rows to the list, and the list's memory
drop_row_list() {
	cut_out $pmu '^static bool pmu_event_range_overlap\(' '^}'
	cut_out $pmu '^static bool pmu_event_select_overlap\(' '^}'
	cut_out $pmu '^static int pmu_add_hw_event_map\(' '^}'
}

drop_row_block() {
	take_out $pmu sbi_pmu_init '^		'"$1"' = sbi_calloc' '^			return'
	delete $pmu "$from"
	take_out $pmu sbi_pmu_init '^			sbi_free\(' '^		}$'
	insert $pmu $((from - 1)) <<'END'
			return SBI_ENOMEM;
END
	in_body $pmu sbi_pmu_init 1 'if \(!phs_ptr_offset\)' 's/ \{//'
}

drop_select_list() {
	cut_out $fdt '^uint64_t fdt_pmu_get_select_value\(' '^}'
	cut_out $reader '^struct fdt_pmu_hw_event_select_map \{' '^};'
	cut_out $reader '^uint64_t fdt_pmu_get_select_value\('
	drop $reader '^static inline uint64_t fdt_pmu_get_select_value\('
}

# Reads the harts that a node's interrupts-extended names, in C.
fdt_harts='	cpus = fdt_path_offset(fdt, "/cpus");
	fdt_for_each_subnode(cpu, fdt, cpus) {
		fdt_for_each_subnode(intc, fdt, cpu) {
			phandle = fdt_get_phandle(fdt, intc);
			for (i = 0; phandle && i < len / 8; i++)
				if (fdt32_to_cpu(cell[2 * i]) == phandle &&
				    !fdt_parse_hart_id(fdt, cpu, &hartid))
					sbi_hartmask_set_hartid(hartid, &harts);
		}
	}'
