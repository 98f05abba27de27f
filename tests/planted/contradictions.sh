#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# contradictions.sh [NAME...]: adds one contradictory annotation at a time to a copy of
# proofs/wp. Everything would then be provable, so WP's smoke tests must notice it, within
# wp.sh's limit.
. tests/check/lib.sh
wanted=" $* "
. proofs/wp/lib.sh

# contradiction NAME PART FILE FROM TO FUNCTION: FROM occurs in one line of FILE; the smoke tests of
# FUNCTION must notice
contradiction() {
	local name=$1 part=$2 file=$3 found
	[ "$wanted" = "  " ] || [[ $wanted == *" $name "* ]] || return 0
	here=$dir/wp
	rm -rf "$here"
	cp -r proofs/wp "$here"
	if ! replace "$4" "$5" "proofs/wp/$file" >"$here/$file"; then
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

# In preconditions: of a head, and of all rows of a table.
contradiction empty-run riscv riscv.acsl 'm->sorted + m->sorted_count <= m->records &&' \
	'm->sorted + m->sorted_count <= m->sorted &&' pmumap_selector
contradiction order riscv riscv.acsl 'm->sorted <= i < j < end ==>' 'm->sorted <= i <= j < end ==>' \
	pmumap_counters
# In what the walk passes on.
contradiction node fdt fdt.acsl '(\exists integer k; w->start + w->offset + 4 <= k < w->end &&' \
	'(\exists integer k; w->end <= k < w->start &&' pmumap_fdt_next_
# In trusted parts: an axiom, a contract, an admitted line.
contradiction axiom amu amu.acsl '0 <= ones(x) <= 16' '17 <= ones(x) <= 16' pmumap_amu_open_tables_
contradiction contract riscv riscv.acsl 'ensures \result == slot(event);' \
	'ensures \result == slot(event) && slot(event) > 255;' pmumap_riscv_indexed_record_
contradiction admitted riscv riscv.acsl 'admit found == highest(r->key);' \
	'admit found == highest(r->key) && found > 1;' pmumap_riscv_take_selector_
finish
