#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: proofs/wp/wp.sh [PART...]
#
# Proves the look-ups, the blob check, the builder, the server and the virtual PMU with Frama-C WP.
#
# Annotations are woven into copies of the headers, so the proof is about the headers' own code.
# Each goal of a function counts as one. A function is a failure if it has no goal, or if it is in
# the list below and not proved. Each smoke test counts too; code that can be proved dead is a
# failure. PROVED: see proofs/proved.sh.
cd "$(dirname "$0")/../.." || exit 1
. tests/check/lib.sh
. proofs/wp/lib.sh
. proofs/proved.sh

# Promised in the table of proofs/README.md. Other functions are named in a part's own files.
fdt="pmumap_fdt_begin_ pmumap_fdt_enter_node_ pmumap_fdt_take_property_ pmumap_fdt_next_"
reader="pmumap_riscv_is_pmu_node_ pmumap_riscv_use_node_ pmumap_riscv_fits_ pmumap_riscv_begin_rows_
	pmumap_riscv_next_row_ pmumap_riscv_load_raw_ pmumap_add_table pmumap_riscv_form_ pmumap_riscv_read_tables_
	pmumap_fdt_number_ pmumap_fdt_value_ pmumap_fdt_cell_ pmumap_fdt_text_ pmumap_fdt_phandle_
	pmumap_fdt_reg_address_ pmumap_fdt_match_list_"
riscv="pmumap_open pmumap_riscv_open_events_ pmumap_riscv_open_raw_ pmumap_image_holds_ pmumap_image_check_ pmumap_selector
	pmumap_counters pmumap_raw_counters pmumap_encode pmumap_event_next pmumap_raw_at pmumap_plan"
amu="pmumap_amu_open pmumap_amu_open_tables_ pmumap_image_holds_ pmumap_image_check_ pmumap_amu_view_at pmumap_amu_cpu_at
	pmumap_amu_cpu_find pmumap_amu_counter_name pmumap_amu_reconcile pmumap_amu_implemented pmumap_amu_readable"

events="pmumap_riscv_add_record_ pmumap_riscv_emit_indexed_ pmumap_riscv_emit_sorted_ pmumap_riscv_emit_run_
	pmumap_riscv_extend_reach_ pmumap_riscv_take_rows_ pmumap_riscv_first_selector_
	pmumap_riscv_page_end_ pmumap_riscv_find_span_ pmumap_riscv_find_run_ pmumap_riscv_sweep_rows_"
chain="pmumap_riscv_build_events_ pmumap_riscv_search_record_ pmumap_riscv_indexed_record_
	pmumap_riscv_take_selector_ pmumap_riscv_search_selector_ pmumap_riscv_search_counters_
	pmumap_selector pmumap_counters pmumap_see_answers"
added="pmumap_begin pmumap_builder_add_row_ pmumap_add_selector pmumap_add_counters pmumap_add_raw"
raw="pmumap_see_own pmumap_riscv_raw_offset_ pmumap_riscv_join_raw_ pmumap_riscv_push_raw_ pmumap_riscv_put_raw_
	pmumap_riscv_is_raw_far_ pmumap_riscv_place_rows_ pmumap_riscv_store_raw_ pmumap_riscv_choose_raw_
	pmumap_riscv_chain_raw_ pmumap_riscv_build_raw_ pmumap_riscv_more_raw_ pmumap_riscv_find_raw_ pmumap_raw_counters
	pmumap_see_union"
builder="pmumap_builder_rows_ pmumap_builder_sort_rows_
	pmumap_need pmumap_map_begin_image_ pmumap_begin_map_ pmumap_end_map_ pmumap_finish"
rank="pmumap_row_before_ pmumap_row_copy_ pmumap_row_key_ pmumap_row_event_ pmumap_row_is_selector_"
order="pmumap_merge_runs_ pmumap_merge_sort_"
same=$order
vpmu="pmumap_vpmu_set_ pmumap_vpmu_start_ pmumap_vpmu_stop_ pmumap_vpmu_read_ pmumap_vpmu_overflowed_
	pmumap_vpmu_init pmumap_vpmu_save pmumap_vpmu_restore pmumap_vpmu_restore_sets"
server="pmumap_server_init_sized pmumap_server_call pmumap_server_ecall pmumap_server_firmware_event
	pmumap_server_reset pmumap_server_access_ pmumap_server_may_access_ pmumap_server_configure_set_
	pmumap_server_start_set_ pmumap_server_stop_set_ pmumap_server_take_snapshot_
	pmumap_server_get_event_info_"

# Assumed contracts of functions of one number, tested for all numbers.
bits() {
	local line
	if ! gcc -O2 -o "$dir/bits" $here/bits.c || ! line=$("$dir/bits"); then
		fail "bits.c: ${line:-does not compile}"
		return
	fi
	pass
	echo "  bits.c $line"
}

# words PART: z3 proves a part's axioms and admitted lines about words.
words() {
	local line
	if line=$($here/bits.py "$dir/$1/wp.c") && proved "bits/$1"; then pass; else fail "$1: bits.py"; fi
	echo "$1: $line"
}

# prepare PART: weaves, and prints lines for input.py
prepare() {
	local part=$1 functions name promised=${!1}
	functions=$(names contract "$part")
	for name in $promised; do
		grep -qx "$name" <<<"$functions" || fail "$part: no proof of $name"
	done
	weave "$part" || return
	echo $functions | tr ' ' , >"$dir/$part/functions"
	printf 'wp/%s\t%s\t.\t%s\t%s\n' "$part" "$dir/$part/wp.c" "$(cat "$dir/$part/functions")" \
		"$(declare -f wp smoke | tr '\n\t' '  ')" >>"$dir/inputs"
	printf 'bits/%s\t%s\t.\t%s\t%s\n' "$part" "$dir/$part/wp.c" "$(cat "$dir/$part/functions")" \
		"$(tr '\n\t' '  ' <$here/bits.py)" >>"$dir/inputs"
}

# start PART: proves in the background
start() {
	local part=$1 functions
	functions=$(cat "$dir/$part/functions")
	# One run more than cores; each may take 700 MB.
	room $(($(nproc) + 1))
	wp "$part" proof "$functions" &
	room $(($(nproc) + 1))
	smoke "$part" "$functions" &
}

# figure N: as the README writes it
figure() {
	sed -E ':a; s/([0-9])([0-9]{3})($|,)/\1,\2\3/; ta' <<<"$1"
}

# report PART: results of the proof
all=0 smokes=0
report() {
	local part=$1 name proved total goals=0
	if [ ! -f "$dir/$part/proof.json" ]; then
		fail "$part: Frama-C:"
		tail -n 20 "$dir/$part/proof.log"
		return
	fi
	counts "$part" >"$dir/$part/counts"
	for name in $(names contract "$part"); do
		read -r proved total < <(sed -n "s/^$name //p" "$dir/$part/counts")
		if [ "${total:-0}" = 0 ]; then
			fail "$part: $name has no goals"
			continue
		fi
		echo "  $name $proved/$total"
		goals=$((goals + total))
		passed=$((passed + proved))
		failed=$((failed + total - proved))
	done
	grep 'Goal ' "$dir/$part/proof.log" | grep -v ': Valid'
	all=$((all + goals))
	grep -qE "^\| ([^|]*: )?$part \|.*\| $(figure "$goals") \| [0-9]+ \|$" proofs/README.md ||
		fail "$part: proofs/README.md does not say $(figure "$goals") goals"
	echo "$part: $(cat "$dir/$part/proof.seconds") s of CPU;" \
		"$(grep -c '^	admit' $here/"$part".acsl) admitted; assumed:" \
		"$(names assume "$part" | tr '\n' ' ')"
}

# alive PART: results of the smoke tests
alive() {
	local part=$1 name live
	while read -r name; do
		fail "$part: dead code, or a contradiction: $name"
	done < <(dead "$part")
	live=$(grep -c '^\[wp\] \[Passed\] Smoke-test' "$dir/$part/smoke.log")
	[ "$live" != 0 ] || fail "$part: no smoke tests"
	passed=$((passed + live))
	smokes=$((smokes + live))
	echo "$part: $live smoke tests; $(cat "$dir/$part/smoke.seconds") s of CPU"
}

# lemmas PART: lemmas in the part's own annotations
lemmas() {
	local part=$1 stated proved
	stated=$(grep -c '^lemma' $here/"$part".acsl)
	wp "$part" lemma "" -wp-prop=@lemma -wp-prover cvc4,z3
	proved=$(grep -c 'Goal typed_cast_lemma.*: Valid' "$dir/$part/lemma.log")
	passed=$((passed + proved))
	[ "$proved" = "$stated" ] || fail "$part: $proved of $stated lemmas proved"
}

bits
for part in ${*:-$all_parts}; do
	prepare "$part"
done
proofs/input.py <"$dir/inputs" >"$dir/hashes"
parts=
for part in ${*:-$all_parts}; do
	if trusted "bits/$part"; then pass; else words "$part"; fi
done
for part in ${*:-$all_parts}; do
	if trusted "wp/$part"; then
		pass
	else
		parts="$parts $part"
		start "$part"
	fi
done
wait
for part in $parts; do
	before=$failed
	report "$part"
	alive "$part"
	! grep -q '^lemma' "$here/$part.acsl" || lemmas "$part"
	[ $failed != $before ] || proved "wp/$part" || failed=$((failed + 1))
done
echo "proved:${parts:- nothing, all inputs are as they were proved}"
if [ "$(echo $parts)" = "$all_parts" ]; then
	grep -q "^All $(figure $all) goals are proved, and $(figure $smokes) smoke tests " proofs/README.md ||
		fail "proofs/README.md does not say $(figure $all) goals and $(figure $smokes) smoke tests"
fi
finish
