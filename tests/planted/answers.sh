#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# answers.sh [NAME...]: plants one bug at a time that breaks a theorem of proofs/README.md: it changes
# an answer, or lets a guest reach what it was not granted. WP must leave a goal of the function
# open. Without a bug it must prove all of them with the same limit, so that no slow machine counts
# as a bug that is noticed.
#
# part=PART: only bugs of this part of wp.sh.
#
# RULES=1: proves nothing; a rule of the conformance suite must notice each bug of the server in the
# monitor of examples/hypervisor. About half of them show on RV64 with a host that refuses nothing.
# Bugs that are planted for one rule must be noticed by it.
# FIT=1: proves nothing; checks that each bug matches one line and each annotation has its place.
. tests/check/lib.sh
wanted=" $* "
. proofs/wp/lib.sh
limit="-wp-timeout ${TIMEOUT:-30}"

# proved PART FUNCTIONS: "PROVED TOTAL" of their goals in headers with a bug, or without
proved() {
	wp "$1" proof "$2" $limit
	counts "$1" | awk '{ proved += $2; total += $3 } END { print proved + 0, total + 0 }'
}

# plant FUNCTION FROM TO FILE: in the function's only line that has FROM, TO instead
plant() {
	python3 - "$@" <<-'END'
		import re, sys
		name, old, new, path = sys.argv[1:]
		text = open(path).read()
		body = re.search(r"(?m)^(?![#/]|typedef)[^;\n]*\b%s\([^;]*?\n\{\n(?s:.*?)^\}" % name, text)
		if not body or body[0].count(old) != 1:
		    sys.exit(1)
		at = body.start() + body[0].index(old)
		open(path, "w").write(text[:at] + new + text[at + len(old) :])
	END
}

# rules NAME FUNCTION FROM TO [FILE RULE]: planted into the server of a copy, or into FILE; the suite asks
# its monitor
rules() {
	local tree=$dir/tree file=${5:-pmumap_server.h}
	[ -d "$tree" ] || { mkdir "$tree" && git ls-files -z | xargs -0 cp --parents -t "$tree"; }
	cp pmumap_server.h "$tree"
	cp examples/hypervisor/monitor.c "$tree/examples/hypervisor"
	[ "$1" = control ] || plant "$2" "$3" "$4" "$tree/$file" || { fail "$1: not one line"; return; }
	[ -z "$fit" ] || { pass; return; }
	if ! make -sC "$tree" MAKEFLAGS= build/qemu/{conformance,monitor}-rv64.elf >"$dir/log" 2>&1; then
		fail "$1: the compiler refuses it"
	elif QUIET=4 conformance/run.sh "$tree"/build/qemu/{conformance,monitor}-rv64.elf "$dir/tap" \
		-append grant=0xffffffff >"$dir/log" 2>&1; then
		[ "$1" = control ] && pass || fail "$1: no rule"
	else
		[ "$1" != control ] && grep -q "^not ok [0-9]* - ${6:-.*} " "$dir/tap" && pass || fail "$1 ${6:-}"
		echo "  $1: $(sed -n 's/^not ok [0-9]* - \([a-z0-9_]*\).*/\1/p' "$dir/tap" | head -n 3 | xargs)"
	fi
}

# bug NAME PART FUNCTION FROM TO: planted into the annotated copy
bug() {
	local got total header=pmumap
	[ "${part:-$2}" = "$2" ] || return 0
	local part=$2
	[ "$wanted" = "  " ] || [[ $wanted == *" $1 "* ]] || return 0
	if [ -n "${RULES:-}" ]; then
		[ "$2" != server ] || rules "$1" "$3" "$4" "$5"
		return
	fi
	case $3 in pmumap_server_*) header=pmumap_server ;; esac
	if [ -n "$fit" ] && [ -e "$dir/$part/$header.woven" ]; then
		cp "$dir/$part/$header.woven" "$dir/$part/$header.h"
	else
		weave "$part" || return
		cp "$dir/$part/$header.h" "$dir/$part/$header.woven"
	fi
	if ! plant "$3" "$4" "$5" "$dir/$part/$header.h"; then
		fail "$1: not one line of $3 has: $4"
		return
	fi
	[ -z "$fit" ] || { pass; return; }
	read -r got total < <(proved "$part" "$3")
	if [ "$total" != 0 ] && [ "$got" -lt "$total" ]; then
		pass
		echo "  $1: $((total - got)) of $total goals are open"
	else
		fail "$1: WP proves $got of $total goals of $3"
	fi
}

# rule RULE FILE FUNCTION FROM TO: noticed by this rule
rule() {
	[ -n "${RULES:-}$fit" ] && [[ $wanted == "  " || $wanted == *" $1 "* ]] || return 0
	rules "$1" "$3" "$4" "$5" "$2" "$1"
}

# control PART FUNCTION...
control() {
	local part=$1 got total
	shift
	[ -z "$fit${RULES:-}" ] && [ "$wanted" = "  " ] || return 0
	weave "$part" || return
	read -r got total < <(proved "$part" "$(echo $* | tr ' ' ,)")
	if [ "$total" != 0 ] && [ "$got" = "$total" ]; then pass; else fail "$part: $got of $total"; fi
}

[ -z "${RULES:-}" ] || rules control
for each in ${part:-events rank order same chain added reader raw server}; do
	control $each $(sed -nE "s/^bug [a-z0-9-]+ $each (pmumap_[a-z_]+) .*/\1/p" "$0" | sort -u)
done
bug counters-lost events pmumap_riscv_add_record_ \
	'r->counters = counters;' 'r->counters = counters & 0xffff;'
bug key-lost events pmumap_riscv_add_record_ \
	'r->key = key;' 'r->key = key & 0xffff;'
bug no-selector events pmumap_riscv_emit_indexed_ \
	'selector ? PMUMAP_RECORD_HAS_SELECTOR_ : 0;' '0;'
bug value-only events pmumap_riscv_emit_indexed_ \
	'r[i].counters != counters ||' ''
bug index-last events pmumap_riscv_emit_indexed_ \
	'(uint8_t)i;' '(uint8_t)(m->records - 1);'
bug merged-selector events pmumap_riscv_emit_sorted_ \
	'(before->key & PMUMAP_RECORD_HAS_SELECTOR_) ||' ''
bug merged-counters events pmumap_riscv_emit_sorted_ \
	'|| before->counters != counters)' ')'
bug start-next events pmumap_riscv_emit_sorted_ \
	'add_record_(m, 0, counters, first);' 'add_record_(m, 0, counters, first + 1);'
bug other-kind events pmumap_riscv_emit_run_ \
	'if (indexed != pmumap' 'if (indexed == pmumap'
bug reach-shrinks events pmumap_riscv_extend_reach_ \
	'if ((counters & 1) && reach[counter] < stop)' 'if (counters & 1)'
bug counter-beside events pmumap_riscv_extend_reach_ \
	'reach[counter] = stop;' 'reach[counter ? counter - 1 : 0] = stop;'
bug range-short events pmumap_riscv_take_rows_ \
	'pmumap_row_end_(r));' 'pmumap_row_end_(r) - 1);'
bug row-too-many events pmumap_riscv_take_rows_ \
	'for (; r < end && pmumap_row_event_(r) == at; r++) {' \
	'for (; r < end && pmumap_row_event_(r) <= at + 1; r++) {'
bug taken-replaced events pmumap_riscv_take_rows_ \
	'taken.counters |= r->counters;' 'taken.counters = r->counters;'
bug range-selects events pmumap_riscv_first_selector_ \
	'if (pmumap_row_is_selector_(r))' 'if (!pmumap_row_is_selector_(r))'
bug page-long events pmumap_riscv_page_end_ \
	'(at / PMUMAP_EVENT_PAGE_ + 1) *' '(at / PMUMAP_EVENT_PAGE_ + 2) *'
bug ended-counts events pmumap_riscv_find_span_ \
	'if (reach[counter] <= at)' 'if (reach[counter] < at)'
bug active-replaced events pmumap_riscv_find_span_ \
	'span.counters |= 1u << counter;' 'span.counters = 1u << counter;'
bug end-late events pmumap_riscv_find_span_ \
	'if (reach[counter] < span.end)' 'if (reach[counter] < at)'
bug selector-spreads events pmumap_riscv_find_run_ \
	'next = at + 1;' 'next = at + 2;'
bug range-late events pmumap_riscv_find_run_ \
	'if (r < end && pmumap_row_event_(r) < next)' 'if (r < end && pmumap_row_event_(r) > next)'
bug value-ignored rank pmumap_row_before_ \
	'if (a->value != b->value)' 'if (0)'
bug raw-first rank pmumap_row_before_ \
	'return a->row < b->row;' 'return a->row > b->row;'
bug counters-kept rank pmumap_row_copy_ \
	'to->counters = from->counters;' ''
bug right-first order pmumap_merge_runs_ \
	'if (right < stop && pmumap_row_before_(right, left))' 'if (right < stop)'
bug greater-first order pmumap_merge_runs_ \
	'pmumap_row_before_(right, left)' 'pmumap_row_before_(left, right)'
bug pass-missing order pmumap_merge_sort_ \
	'run < n; run *= 2' 'run < n / 2; run *= 2'
bug row-twice same pmumap_merge_runs_ \
	'pmumap_see_put(to, right++)' 'pmumap_see_put(to, (right++, left))'
bug row-lost same pmumap_merge_runs_ \
	'pmumap_see_aside(left, to)' 'pmumap_see_aside(left, right - 1)'
bug seen-replaced events pmumap_riscv_sweep_rows_ \
	'seen |= taken.counters;' 'seen = taken.counters;'
bug selector-late events pmumap_riscv_sweep_rows_ \
	'pmumap_riscv_first_selector_(from, r);' 'pmumap_riscv_first_selector_(from + 1, r);'
bug sorted-early chain pmumap_riscv_build_events_ \
	'm->sorted = m->records;' 'm->sorted = m->records - 1;'
bug run-lost chain pmumap_riscv_build_events_ \
	'if (m->sorted_count == 1)' 'if (m->sorted_count <= 2)'
bug search-short chain pmumap_riscv_search_record_ \
	'<= event ? half : 0;' '< event ? half : 0;'
bug limit-answers chain pmumap_riscv_search_record_ \
	'event >= PMUMAP_EVENT_LIMIT' 'event > PMUMAP_EVENT_LIMIT'
bug found-twisted chain pmumap_riscv_take_selector_ \
	'if (found)' 'if (!found)'
bug event-beside chain pmumap_riscv_search_counters_ \
	'search_record_(m, event)' 'search_record_(m, event + 1)'
bug kind-above-event rank pmumap_row_key_ \
	'return (uint64_t)(event << 1 | kind)' 'return (uint64_t)(event | kind << 20)'
bug event-halved rank pmumap_row_event_ \
	'return (uint32_t)(r->key >> 32) >> 1;' 'return (uint32_t)(r->key >> 32) >> 2;'
bug newest-replaced added pmumap_builder_add_row_ \
	'r = pmumap_builder_rows_(b) - 1;' 'r = pmumap_builder_rows_(b) - (b->kept ? 0 : 1);'
bug value-halved added pmumap_builder_add_row_ \
	'r->value = value;' 'r->value = (uint32_t)value;'
bug selector-as-range added pmumap_add_selector \
	'pmumap_row_key_(event, PMUMAP_SELECT_, row)' 'pmumap_row_key_(event, PMUMAP_RANGE_, row)'
bug last-lost added pmumap_add_counters \
	'(uint64_t)last + 1, counters' '(uint64_t)last, counters'
bug single-dropped added pmumap_add_counters \
	'if (first > last ||' 'if (first >= last ||'
bug mask-as-select added pmumap_add_raw \
	'(b, select, mask, counters,' '(b, mask, mask, counters,'
bug raw-as-event added pmumap_add_raw \
	'counters, row | PMUMAP_RAW_ROW_);' 'counters, row);'
bug last-row-lost reader pmumap_riscv_next_row_ \
	'if (rest->bytes < 4 * rest->cells)' 'if (rest->bytes <= 4 * rest->cells)'
bug halves-swapped reader pmumap_fdt_join_cells_ \
	'return (uint64_t)cells[0] << 32 | cells[1];' 'return (uint64_t)cells[1] << 32 | cells[0];'
bug old-mask-short reader pmumap_riscv_load_raw_ \
	'count == 3 ? ~(uint64_t)0 :' 'count == 3 ? 0xffffffffffffu :'
bug last-is-first reader pmumap_add_table \
	'(b, row[0], row[1], row[2]);' '(b, row[0], row[0], row[2]);'
bug event-in-selector reader pmumap_add_table \
	'pmumap_fdt_join_cells_(row + 1));' 'pmumap_fdt_join_cells_(row));'
bug row-unplaced raw pmumap_riscv_place_rows_ \
	'for (i = 0;' 'for (i = 1;'
bug ignored-kept raw pmumap_riscv_place_rows_ \
	'low & ~(uint32_t)r[i].mask' 'low & (uint32_t)r[i].mask'
bug place-skipped raw pmumap_riscv_place_rows_ \
	'more = (more - any) & any;' 'more = (more + 1) & any;'
bug copies-unlinked raw pmumap_riscv_push_raw_ \
	'row->more = (uint32_t)*first << 3;' 'row->more = 0;'
bug copy-counters raw pmumap_riscv_push_raw_ \
	'row->counters = counters;' 'row->counters = counters & 0xffff;'
bug mask-select raw pmumap_riscv_store_raw_ \
	'row[i].mask = r[i].value;' 'row[i].mask = r[i].key;'
bug raw-row-lost raw pmumap_riscv_store_raw_ \
	'm->raw_count = n;' 'm->raw_count = n - 1;'
bug union-lost raw pmumap_riscv_put_raw_ \
	'counters ? counters : row->counters);' 'row->counters);'
bug counters-lost raw pmumap_riscv_join_raw_ \
	'counters |= r->counters;' 'counters |= r->counters & 0xffff;'
bug joined-replaced raw pmumap_riscv_join_raw_ \
	'counters |= r->counters;' 'counters = r->counters;'
bug overlap-missed raw pmumap_riscv_join_raw_ \
	'if (r->mask & ~row->mask)' 'if (r->mask == row->mask)'
bug chain-short raw pmumap_riscv_chain_raw_ \
	'm->raw_count - 1' 'm->raw_count - 2'
bug match-inverted raw pmumap_riscv_find_raw_ \
	'(raw & r->mask) != r->select' '(raw & r->mask) == r->select'
bug place-beside raw pmumap_riscv_find_raw_ \
	'(size_t)raw & m->raw_low' '(size_t)(raw >> 1) & m->raw_low'
bug rest-ignored raw pmumap_riscv_find_raw_ \
	'if (more)' 'if (0)'
bug rest-replaced raw pmumap_riscv_more_raw_ \
	'counters |= r->counters;' 'counters = r->counters;'
bug last-ignored raw pmumap_riscv_more_raw_ \
	'counters |= r->counters;' 'counters |= r->more ? r->counters : 0;'
bug base-behind server pmumap_server_take_set_ \
	'a[0] >= s->total' 'a[0] > s->total'
bug member-behind server pmumap_server_take_set_ \
	'a[1] - 1 >=' 'a[1] - 1 >'
bug base-lost server pmumap_server_take_set_ \
	'pmumap_server_shift_up_(a[1], (uint32_t)a[0])' 'a[1]'
bug base-unseen server pmumap_server_take_set_ \
	'(s->numbers, (uint32_t)a[0])' '(s->numbers, 0)'
bug start-first-firmware server pmumap_server_start_counter_ \
	'n < s->hardware' 'n <= s->hardware'
bug start-other-firmware server pmumap_server_start_counter_ \
	'(s, n - s->hardware)' '(s, n)'
bug start-beside server pmumap_server_start_counter_ \
	's->pmu->arg, n, value' 's->pmu->arg, n + 1, value'
bug started-beside server pmumap_server_start_counter_ \
	'pmumap_server_set_of_(n)' 'pmumap_server_set_of_(n + 1)'
bug start-no-value server pmumap_server_start_counter_ \
	'else if (value)' 'else'
bug stop-beside server pmumap_server_stop_counter_ \
	's->pmu->arg, n, release' 's->pmu->arg, n ^ 1, release'
bug stop-firmware server pmumap_server_stop_counter_ \
	'n < s->hardware' 'n < s->total'
bug released-runs server pmumap_server_stop_counter_ \
	's->started &= others;' ''
bug stop-configures server pmumap_server_stop_counter_ \
	's->configured &= others;' 's->configured = others;'
bug stop-keeps server pmumap_server_stop_counter_ \
	'if (release)' 'if (!release)'
bug high-beside server pmumap_server_lowest_number_ \
	': 32 +' ': 31 +'
bug halves-crossed server pmumap_server_lowest_number_ \
	'low ?' '!low ?'
bug firmware-behind server pmumap_server_firmware_ \
	'first + i' 'first + i + 1'
bug shift-more server pmumap_server_shift_up_ \
	'return set << n' 'return set << n << 1'
bug join-short server pmumap_server_join_argument_ \
	'return a[0] | (a[1] << 32' 'return a[0] | (a[1] << 31'
bug address-uncut server pmumap_server_access_ \
	'low = (at[0] + offset) & s->ones' 'low = at[0] + offset'
bug carry-lost server pmumap_server_access_ \
	'at[1] + (low < at[0])' 'at[1]'
bug wrap-allowed server pmumap_server_may_access_ \
	'bytes <= ~pmumap_server_join_argument_(s, at) &&' ''
bug end-allowed server pmumap_server_may_access_ \
	'bytes <= ~' 'bytes - 1 <= ~'
bug read-only-allowed server pmumap_server_may_access_ \
	'bytes, 1)' 'bytes, 0)'
bug asks-less server pmumap_server_may_access_ \
	'bytes, 1)' 'bytes - 1, 1)'
bug refusal-ignored server pmumap_server_may_access_ \
	'(s, at) &&' '(s, at) ||'
bug page-unaligned server pmumap_server_set_shmem_ \
	'(PMUMAP_SERVER_SHARED_BYTES_ - 1)' '3'
bug half-page server pmumap_server_set_shmem_ \
	'(s, a, PMUMAP_SERVER_SHARED_BYTES_)' '(s, a, 2048)'
bug page-unasked server pmumap_server_set_shmem_ \
	'if (!pmumap_server_may_access_' 'if (0 && !pmumap_server_may_access_'
bug page-half-moved server pmumap_server_set_shmem_ \
	's->shared[1] = a[1];' ''
bug no-page-zero server pmumap_server_set_shmem_ \
	'low = PMUMAP_SERVER_NOT_SHARED_;' 'low = 0;'
bug page-without-host server pmumap_server_set_shmem_ \
	'!pmumap_server_has_memory_(s) ||' ''
bug page-left server pmumap_server_move_shared_ \
	'8 * index' '64 * index'
bug value-unaligned server pmumap_server_move_shared_ \
	'8 * index' '4 * index'
bug two-words server pmumap_server_move_shared_ \
	'sizeof(word)' '2 * sizeof(word)'
bug read-offset server pmumap_server_save_value_ \
	's->pmu->arg, n)' 's->pmu->arg, n - base)'
bug slot-before server pmumap_server_save_value_ \
	'1 + n - base' 'n - base - 1'
bug read-first-firmware server pmumap_server_save_value_ \
	'n < s->hardware' 'n <= s->hardware'
bug save-other-firmware server pmumap_server_save_value_ \
	'(s, n - s->hardware)' '(s, n)'
bug overflow-firmware server pmumap_server_has_overflowed_ \
	'n < s->hardware &&' ''
bug overflow-beside server pmumap_server_has_overflowed_ \
	's->pmu->arg, n)' 's->pmu->arg, n + 1)'
bug snapshot-endless server pmumap_server_take_snapshot_ \
	'left &= left - 1' 'left &= left'
bug snapshot-releases server pmumap_server_take_snapshot_ \
	'(s, n, 0)' '(s, n, 1)'
bug snapshot-beside server pmumap_server_take_snapshot_ \
	'lowest_number_(left)' 'lowest_number_(left) + 1'
bug overflows-far server pmumap_server_save_overflows_ \
	'(s, 0, &bits, 0)' '(s, base + 64, &bits, 0)'
bug page-unneeded server pmumap_server_check_set_ \
	'(a[2] & PMUMAP_SBI_INIT_SNAPSHOT)' '(a[2] & PMUMAP_SBI_SET_INIT_VALUE)'
bug set-unchecked server pmumap_server_check_set_ \
	'!pmumap_server_take_set_(s, a, set)' 'pmumap_server_take_set_(s, a, set)'
bug start-unconfigured server pmumap_server_start_set_ \
	'!error && (set' 'error && (set'
bug start-in-spite server pmumap_server_start_set_ \
	'if (error)' 'if (0)'
bug start-slot-far server pmumap_server_start_set_ \
	'1 + n - (uint32_t)a[0]' '1 + n + (uint32_t)a[0]'
bug start-all server pmumap_server_start_set_ \
	'left = set & ~s->started' 'left = ~s->started'
bug start-no-page server pmumap_server_start_set_ \
	'(flags & PMUMAP_SBI_INIT_SNAPSHOT)' '(flags & 3)'
bug stop-unconfigured server pmumap_server_stop_set_ \
	'set &= s->configured;' ''
bug stop-no-page server pmumap_server_stop_set_ \
	'(a[2] & PMUMAP_SBI_TAKE_SNAPSHOT)' 'a[2]'
bug stop-counts-down server pmumap_server_stop_set_ \
	'left &= left - 1' 'left -= 1'
bug snapshot-base server pmumap_server_stop_set_ \
	'set, (uint32_t)a[0])' 'set, (uint32_t)a[0] + 1)'
bug match-hole server pmumap_server_configure_set_ \
	'set & s->matched & ~s->configured' 'set & ~s->configured'
bug skip-to-fixed server pmumap_server_configure_set_ \
	'(s->counters & PMUMAP_FIXED_COUNTERS_)' 'PMUMAP_FIXED_COUNTERS_'
bug none-configured server pmumap_server_configure_set_ \
	'counter < 0' 'counter < -1'
bug configure-beside server pmumap_server_configure_set_ \
	's->pmu->arg, n, &job' 's->pmu->arg, n + 1, &job'
bug match-nothing server pmumap_server_match_event_ \
	'free == 0 ||' ''
bug match-firmware server pmumap_server_match_event_ \
	's->counters & (uint32_t)' '(uint32_t)'
bug match-none server pmumap_server_match_event_ \
	'if (counters == 0)' 'if (0)'
bug match-beside server pmumap_server_match_event_ \
	'(int)counters' '(int)counters + 1'
bug configure-behind server pmumap_server_configure_firmware_ \
	'firmware_(s, i)' 'firmware_(s, i + 1)'
bug best-none server pmumap_riscv_best_counter_ \
	'&& (counters & ~PMUMAP_FIXED_COUNTERS_)' ''
bug answer-next server pmumap_server_answer_entry_ \
	'offset + 4' 'offset + 16'
bug answer-wide server pmumap_server_answer_entry_ \
	'&answer, 4, 1' '&answer, 8, 1'
bug answer-unaligned server pmumap_server_answer_entry_ \
	'offset + 4' 'offset + 2'
bug entries-unbounded server pmumap_server_get_event_info_ \
	'|| a[2] > PMUMAP_SERVER_INFO_ENTRIES' ''
bug entries-unaligned server pmumap_server_get_event_info_ \
	'(a[0] & 15) ||' ''
bug entries-unasked server pmumap_server_get_event_info_ \
	'n && !pmumap_server_may_access_' '0 && !pmumap_server_may_access_'
bug entries-partly server pmumap_server_get_event_info_ \
	'may_access_(s, a, n)' 'may_access_(s, a, n - 15)'
bug entries-behind server pmumap_server_get_event_info_ \
	'n - i < sizeof(entries) ? n - i : sizeof(entries)' 'sizeof(entries)'
bug entries-left server pmumap_server_get_event_info_ \
	'i % sizeof(entries)' 'i % 512'
bug entries-halved server pmumap_server_get_event_info_ \
	'i += 16' 'i += 8'
bug entry-beside server pmumap_server_get_event_info_ \
	'from / 8' 'from / 4'
bug entry-more server pmumap_server_get_event_info_ \
	'i < n' 'i <= n'
bug no-access server pmumap_server_has_memory_ \
	's->host && s->host->access' 's->host != 0'
bug no-counts server pmumap_server_has_firmware_event_ \
	'!s->host || !s->host->counts' '!s->host'
bug firmware-before server pmumap_server_read_firmware_ \
	'n < s->hardware ||' ''
bug firmware-last server pmumap_server_read_firmware_ \
	'n >= s->total' 'n > s->total'
bug registers-uncut server pmumap_server_call \
	's->xlen == 32' '0'
bug last-uncut server pmumap_server_call \
	'i < 6' 'i < 5'
bug wide-shift server pmumap_server_get_counter_info_ \
	'n < s->hardware && ' ''
bug third-register server pmumap_server_ecall \
	'a0[0] =' 'a0[2] ='
bug eight-registers server pmumap_server_ecall \
	'i < 6' 'i < 8'
bug event-unshifted server pmumap_server_firmware_event \
	'(s->started, s->hardware)' '(s->started, 0)'
bug time-granted server pmumap_server_init_sized \
	's->granted & ~PMUMAP_TIME_BIT_' 's->granted'
bug delegated-granted server pmumap_server_init_sized \
	's->counters &= ~s->delegated;' ''
bug number-more server pmumap_server_init_sized \
	'64 - s->total' '63 - s->total'
bug matched-holes server pmumap_server_init_sized \
	'(s->numbers & ~(pmumap_server_set_of_(s->hardware) - 1))' 's->numbers'
bug xlen-swapped server pmumap_server_init_sized \
	's->xlen == 32' 's->xlen == 64'
bug shared-at-once server pmumap_server_init_sized \
	'PMUMAP_SERVER_NOT_SHARED_' '0'
bug total-more server pmumap_server_init_sized \
	'(uint32_t)counters' '(uint32_t)counters + 1'
bug reset-endless server pmumap_server_reset \
	'(s->configured), 1)' '(s->configured), 0)'
bug reset-shared server pmumap_server_reset \
	's->shared[0] = PMUMAP_SERVER_NOT_SHARED_;' ''
rule list_many pmumap_server.h pmumap_server_get_event_info_ \
	'error = pmumap' 'error = i % 256 ? 0 : pmumap'
rule list_pages pmumap_server.h pmumap_server_get_event_info_ \
	'n = (uint32_t)a[2] << 4;' 'n = (4096 - (uint32_t)a[0] % 4096) < a[2] << 4 ? 4096 - (uint32_t)a[0] % 4096 : (uint32_t)a[2] << 4;'
rule list_raw pmumap_server.h pmumap_server_answer_entry_ \
	'swap_word_((uint64_t)has)' 'swap_word_((uint64_t)(has || event >> 17 == 1))'
rule num_error pmumap_server.h pmumap_server_call \
	'(PMUMAP_SBI_OK, s->total)' '(PMUMAP_SBI_FAILED, s->total)'
rule start_values_fw pmumap_server.h pmumap_server_start_set_ \
	'flags ? &value : 0);' 'flags ? &value : 0), flags = 0;'
rule registers examples/hypervisor/monitor.c ecall \
	'&g->x[A0]);' '&g->x[A0]), g->x[A1 + 1]++;'
rule hart_free examples/hypervisor/monitor.c ecall \
	'pmumap_server_ecall(&o->server' 'pmumap_server_ecall(&harts[0].server'
rule hart_start examples/hypervisor/monitor.c ecall \
	'pmumap_server_ecall(&o->server' \
	'harts[1].server.started |= harts[0].server.started; pmumap_server_ecall(&o->server'
rule hart_stop examples/hypervisor/monitor.c stop_hart \
	'pmumap_server_reset(&o->server)' 'pmumap_server_reset(&harts[0].server)'
rule hart_fw examples/hypervisor/monitor.c time_call \
	'(&o->server' '(((void)o, &harts[0].server)'
rule hart_ipi examples/hypervisor/monitor.c take_interrupt \
	'(&o->server' '(&harts[0].server'
finish
