#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# contradictions.sh [NAME...]: annotations that contradict each other, one at a time in a copy of
# assurance/wp. From what they say all would be proved, and WP's smoke tests have to notice, within
# the limit that wp.sh has.
. tests/check/lib.sh
wanted=" $* "
. assurance/wp/lib.sh

# contradiction NAME PART FILE FROM TO FUNCTION: FROM stands in one line of FILE; the smoke tests of
# FUNCTION have to notice
contradiction() {
	local name=$1 part=$2 file=$3 found
	[ "$wanted" = "  " ] || [[ $wanted == *" $name "* ]] || return 0
	here=$dir/wp
	rm -rf "$here"
	cp -r assurance/wp "$here"
	if ! replace "$4" "$5" "assurance/wp/$file" >"$here/$file"; then
		fail "$name: not one line of $file has: $4"
		return
	fi
	weave "$part" || return
	smoke "$part" "$6"
	found=$(dead "$part" | wc -l)
	if [ "$found" != 0 ]; then
		pass
		echo "  $name: $found; $(cat "$dir/$part/smoke.seconds") s of CPU"
	else
		fail "$name: no smoke test of $6 notices"
		tail -n 3 "$dir/$part/smoke.log"
	fi
}

# What a function requires: of a head, and of all rows of a table.
contradiction empty-run riscv riscv.acsl 'm->sorted + m->sorted_count <= m->records &&' \
	'm->sorted + m->sorted_count <= m->sorted &&' pmumap_selector
contradiction order riscv riscv.acsl 'm->sorted <= i < j < end ==>' 'm->sorted <= i <= j < end ==>' \
	pmumap_counters
contradiction string-end names imc.acsl 's[n] == 0 && \forall integer i; 0 <= i < n ==> s[i] != 0' \
	's[n] == 0 && \forall integer i; 0 <= i <= n ==> s[i] != 0' pmumap_imc_is_name_of_
contradiction text imc imc.acsl 'm->strings <= offset <= last(m);' \
	'last(m) <= offset < m->strings;' pmumap_imc_unit
# What the walk hands on.
contradiction node fdt fdt.acsl '(\exists integer k; w->start + w->offset + 4 <= k < w->end &&' \
	'(\exists integer k; w->end <= k < w->start &&' pmumap_fdt_end_properties_
# What is believed: an axiom, a contract, an admitted line.
contradiction axiom amu amu.acsl '0 <= ones(x) <= 16' '17 <= ones(x) <= 16' pmumap_amu_open_tables_
contradiction contract riscv riscv.acsl 'ensures \result == slot(event);' \
	'ensures \result == slot(event) && slot(event) > 255;' pmumap_riscv_indexed_record_
contradiction admitted riscv riscv.acsl 'admit found == highest(r->key);' \
	'admit found == highest(r->key) && found > 1;' pmumap_riscv_take_selector_
finish
