#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# answers.sh [NAME...]: plants one bug at a time that changes an answer, but no access to memory.
# WP must leave a goal of the function open. Without a bug it must prove all of them with the same
# limit, so that no slow machine counts as a bug that is noticed.
#
# A bug in a line whose effect on bits is admitted goes unnoticed here: seen |= ... as seen = ...
#
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

# bug NAME PART FUNCTION FROM TO: planted into the annotated copy
bug() {
	local part=$2 got total header=pmumap
	[ "$wanted" = "  " ] || [[ $wanted == *" $1 "* ]] || return 0
	if [ -n "$fit" ] && [ -e "$dir/$part.h" ]; then
		cp "$dir/$part.h" "$dir/$part/$header.h"
	else
		weave "$part" || return
		cp "$dir/$part/$header.h" "$dir/$part.h"
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

# control PART FUNCTION...
control() {
	local part=$1 got total
	shift
	[ -z "$fit" ] && [ "$wanted" = "  " ] || return 0
	weave "$part" || return
	read -r got total < <(proved "$part" "$(echo $* | tr ' ' ,)")
	if [ "$total" != 0 ] && [ "$got" = "$total" ]; then pass; else fail "$part: $got of $total"; fi
}

for part in events rank order same chain added reader raw; do
	control $part $(sed -nE "s/^bug [a-z-]+ $part (pmumap_[a-z_]+) .*/\1/p" "$0" | sort -u)
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
bug range-selects events pmumap_riscv_first_selector_ \
	'if (pmumap_row_is_selector_(r))' 'if (!pmumap_row_is_selector_(r))'
bug page-long events pmumap_riscv_page_end_ \
	'(at / PMUMAP_EVENT_PAGE_ + 1) *' '(at / PMUMAP_EVENT_PAGE_ + 2) *'
bug ended-counts events pmumap_riscv_find_span_ \
	'if (reach[counter] <= at)' 'if (reach[counter] < at)'
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
bug overlap-missed raw pmumap_riscv_join_raw_ \
	'if (r->mask & ~row->mask)' 'if (r->mask == row->mask)'
bug chain-short raw pmumap_riscv_chain_raw_ \
	'm->raw_count - 1' 'm->raw_count - 2'
bug match-inverted raw pmumap_riscv_find_raw_ \
	'(raw & r->mask) != r->select' '(raw & r->mask) == r->select'
bug rest-ignored raw pmumap_riscv_find_raw_ \
	'if (more)' 'if (0)'
bug last-ignored raw pmumap_riscv_more_raw_ \
	'counters |= r->counters;' 'counters |= r->more ? r->counters : 0;'
finish
