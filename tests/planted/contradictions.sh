#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# contradictions.sh [NAME...]: adds one contradictory annotation at a time to a copy of
# proofs/wp. Everything would then be provable, so WP's smoke tests must notice it, within
# wp.sh's limit. And adds one false fact about words at a time, which bits.py must not prove.
. tests/check/lib.sh
wanted=" $* "
. proofs/wp/lib.sh

# change FILE FROM TO: in a copy of proofs/wp; FROM occurs in one line of FILE
change() {
	here=$dir/wp
	rm -rf "$here"
	cp -r proofs/wp "$here"
	replace "$2" "$3" "proofs/wp/$1" >"$here/$1" && return
	fail "$name: not one line of $1 has: $2"
	return 1
}

# contradiction NAME PART FILE FROM TO FUNCTION: FROM occurs in one line of FILE; the smoke tests of
# FUNCTION must notice
contradiction() {
	local name=$1 part=$2 file=$3 found
	[ "$wanted" = "  " ] || [[ $wanted == *" $name "* ]] || return 0
	change "$file" "$4" "$5" || return
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

# falsehood NAME PART FILE FROM TO: FROM occurs in one line of FILE; bits.py must find the fact false
falsehood() {
	local name=$1 part=$2 answers
	[ "$wanted" = "  " ] || [[ $wanted == *" $name "* ]] || return 0
	change "$3" "$4" "$5" || return
	weave "$part" || return
	if answers=$(proofs/wp/bits.py "$dir/$part/wp.c") || ! grep -q ': sat: ' <<<"$answers"; then
		fail "$name: bits.py does not notice: $answers"
	else
		pass
		echo "  $name: $(grep ': sat: ' <<<"$answers" | head -n 1)"
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
contradiction admitted riscv riscv.acsl 'admit (r->key >> 31) == highest(r->key) &&' \
	'admit found > 1 && (r->key >> 31) == highest(r->key) &&' pmumap_riscv_take_selector_
# An axiom; admitted lines of each kind of function; a name's meaning.
falsehood false-axiom events spec.acsl 'has(x, c) ==> 0 <= c < 32' 'has(x, c) ==> 0 <= c < 31'
falsehood false-shift events events.acsl 'admit counter < 32 ==>' 'admit counter <= 32 ==>'
falsehood false-ghost raw raw.acsl 'admit !proper(1, 0)' 'admit proper(1, 0)'
falsehood false-place raw raw.acsl 'proper(select, mask) && full(low) && p ==' 'proper(select, mask) && p =='
falsehood false-next raw raw.acsl 'more <= low && (more == 0 || was < more) && \forall' \
	'more <= low && was < more && \forall'
falsehood false-meaning raw spec.acsl 'MEANS((raw & mask) == select)' 'MEANS((raw & mask) == 0)'
falsehood false-key rank rank.acsl '>> 1) == r->key / 0x200000000' '>> 1) == r->key / 0x100000000'
falsehood false-row rank rank.acsl 'admit ((a->row ^ b->row) & 0x80000000)' \
	'admit ((a->row ^ b->row) & 0x40000000)'
falsehood false-set vpmu vpmu.acsl 'admit some_of(v->loaded >> counter & 1, v->loaded)' \
	'admit some_of(v->loaded >> counter & 1, v->running)'
falsehood false-count amu amu.acsl 'index <= 15 && (v->described >> index & 1) != 0 ==>' 'index <= 15 ==>'
finish
