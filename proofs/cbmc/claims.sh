# SPDX-License-Identifier: BSD-2-Clause
#
# run NAME FUNCTION FILE BOUND DEFINES REPLACED OPTIONS...; the slowest claims come first

any="every input"
lookups="pmumap_riscv_record_of_event_:any_record pmumap_riscv_find_raw_:any_raw pmumap_selector:any_selector
	pmumap_lowest_bit_:lowest"

# Without CBMC's built-in checks, which cost more than the claim.
sweep="pmumap_riscv_emit_indexed_:watch_indexed pmumap_riscv_emit_sorted_:watch_sorted"
n=${N:-1}
for kind in indexed sorted; do
	checks=--unwinding-assertions run sweep-$kind $kind sweep.c "any $n row(s) of counters 0 and 31, any event" \
		"-DN=$n -DCOUNTERS=0x80000001u" "$sweep" --no-standard-checks --unwind 33 \
		--unwindset pmumap_zero_words_.0:80,pmumap_merge_runs_.0:$((n + 1)),pmumap_merge_runs_.1:$((2 * n + 1)),pmumap_merge_sort_.0:$((n + 1)),pmumap_merge_sort_.1:$((n + 1)) \
		--unwindset pmumap_riscv_sweep_rows_.0:$((2 * n + 5)),pmumap_riscv_take_rows_.0:$((n + 1)) \
		--unwindset pmumap_riscv_first_selector_.0:$((n + 1))
done
run emit-indexed indexed emit.c "one emission of 1..8 events, any map of 3 records" -DRECORDS=3 "" \
	--unwind 5 --unwindset indexed.0:129,pmumap_riscv_emit_indexed_.1:9
run emit-sorted sorted emit.c "3 emissions, then any event" -DRECORDS=4 "" --unwind 6
run raw-plain plain raw.c "any 2 rows, any raw event" -DN=2 \
	pmumap_riscv_is_raw_far_:far --unwind 4 --unwindset pmumap_zero_words_.0:20
run assign main assign.c "any 2 events, counters 0, 2, 3, 4 and 31" "-DN=2 -DCOUNTERS=0x8000001du" \
	"pmumap_riscv_find_counters_:any_candidates pmumap_encode:any_encode pmumap_lowest_bit_:lowest" \
	--unwind 4 --unwindset pmumap_riscv_place_want_.0:6
run plan plan pick.c "$any, whatever the tables say" "" "$lookups" --unwind 2
run encode encode pick.c "$any, whatever the tables say" "" "$lookups" --unwind 2

run open-events events open.c "any image of 280 bytes, any event" -DBYTES=280 "" --unwind 6 \
	--unwindset opened.0:129,pmumap_riscv_open_events_.0:129,opened.1:8,pmumap_riscv_open_raw_index_.0:33
run open-amu amu open.c "any image of 104 bytes, any question" -DBYTES=104 "" --unwind 27
run open-raw raw open.c "any image of 288 bytes, any question" -DBYTES=288 "" --unwind 8 \
	--unwindset opened.0:129,pmumap_riscv_open_events_.0:129,opened.1:9,pmumap_riscv_open_raw_index_.0:33
run open-no-raw no_raw open.c "any image of 264 bytes, any raw event" -DBYTES=264 "" --unwind 5 \
	--unwindset opened.0:129,pmumap_riscv_open_events_.0:129,opened.1:8,pmumap_riscv_open_raw_index_.0:25

# reader NAME FUNCTION BYTES: strings and lists may fill the whole blob
reader() {
	run "$1" "$2" readers.c "any node, properties and name in $3 bytes" -DBYTES="$3" "" \
		--unwind $(($3 + 1)) --unwindset pmumap_zero_words_.0:80,pmumap_nth_text_.0:130
}
reader read-counter amu_counter 32
reader read-cpu amu_cpu 32
for table in selectors counters raw raw_old; do
	run "read-$table" $table readers.c "any property of up to 84 bytes" -DBYTES=96 "" --unwind 4 \
		--unwindset fill.0:97,pmumap_zero_words_.0:80,pmumap_fdt_match_string_.0:6,pmumap_riscv_next_row_.0:6,pmumap_add_table.0:9
done

run sort-pairs pairs pairs.c "any 4 pairs, any key" "" "" --unwind 6
run raw-fits find build_riscv.c "1 to 2^30 - 1 rows, 9 numbers of them" "" \
	"pmumap_riscv_place_rows_:tried pmumap_riscv_store_raw_:stored" \
	--unwind 11
run add-map add_map build_riscv.c "any 2 runs, any 2 ranges" "" \
	"pmumap_event_next:any_run pmumap_add_counters:added pmumap_add_selector:added_selector" \
	--unwind 3

run lowest bits pure.c "$any" "" ""
run number number pure.c "any text of up to 5 characters" "" "" --unwind 6
run event-codes events pure.c "$any" "" ""
run fdt-part fdt_part pure.c "$any" "" ""
run amu-reconcile amu_reconcile pure.c "$any" "" "" --unwind 17
run amu-implemented amu_implemented pure.c "$any" "" ""
run amu-readable amu_readable pure.c "$any" "" "" --unwind 17
run amu-registers amu_registers pure.c "any counters, any arguments, any state" "" "" --unwind 33
run trace-scom trace_scom pure.c "$any" "" ""
run trace-config trace_config pure.c "$any" "" ""

run hart-value hart_value guest.c "$any, RV32 and RV64" "" ""
run vpmu-overflows overflows guest.c "any state, any call for counter 31" "" ""
run vpmu-keeps keeps vpmu.c "any state, any call, any refusals, counter 31" "" \
	"pmumap_lowest_bit_:lowest" --unwind 3
run event-info event_info guest.c "any arguments; 4 moves of memory" "" \
	"pmumap_server_has_event_:any_answer" --unwind 7
