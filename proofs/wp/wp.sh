#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Proves the look-ups and the blob check with Frama-C WP: proofs/wp/wp.sh [PART...]
#
# Annotations are woven into copies of the headers, so that it is the headers' own code that is
# proved. A function counts one for each of its goals; one that has none, or is in the list below
# and was not proved, is a failure. Then what has to fail does: see mutants.
# TIMEOUT: seconds of a prover for one goal; of wall time, so that a busy machine needs many.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh

here=proofs/wp
timeout=${TIMEOUT:-40}

# What the table of proofs/README.md promises. A part's own files name all that it proves.
fdt="pmumap_fdt_header_ pmumap_fdt_tags_ pmumap_fdt_begin_ pmumap_fdt_property_"
riscv="pmumap_open pmumap_open_events_ pmumap_open_raw_ pmumap_inside_ pmumap_selector
	pmumap_counters pmumap_raw_counters pmumap_encode pmumap_event_next pmumap_raw_at pmumap_pick"
amu="pmumap_open pmumap_open_amu_ pmumap_amu_view pmumap_amu_cpu_at pmumap_amu_cpu
	pmumap_amu_counter_name pmumap_amu_reconcile pmumap_amu_implemented"
imc="pmumap_open pmumap_open_imc_ pmumap_open_imc_units_ pmumap_open_imc_events_
	pmumap_open_imc_names_ pmumap_imc_names pmumap_imc_unit pmumap_imc_event_at pmumap_imc_chip
	pmumap_imc_address pmumap_imc_control"
names="pmumap_imc_find pmumap_imc_at pmumap_imc_query_run_ pmumap_imc_search_ pmumap_imc_probe_
	pmumap_imc_hash_ pmumap_imc_unit_is_"

if ! command -v frama-c >/dev/null || ! command -v why3 >/dev/null || ! command -v cvc4 >/dev/null
then
	echo "SKIP WP (frama-c, why3 or cvc4 not found)"
	finish
fi
# why3 finds its provers by a file of its own.
export WHY3CONFIG=$PWD/$dir/why3.conf
why3 config detect -C "$WHY3CONFIG" >"$dir/why3.log" 2>&1
grep -q '^name = "CVC4"' "$WHY3CONFIG" || fail "why3 has not found cvc4"
# Frama-C spends less time on garbage so, and more memory.
export OCAMLRUNPARAM=s=8M,o=400

# weave PART [SED]: the annotated headers in $dir/PART, of headers changed by a sed script
weave() {
	local part=$1 files=$here/$1.acsl from=$dir/$1/from
	mkdir -p "$from"
	[ "$part" = names ] && files="$here/imc.acsl $files"
	[ "$part" = fdt ] || files="$here/image.acsl $files"
	sed "${2:-}" pmumap.h >"$from/pmumap.h"
	sed "${2:-}" pmumap_fdt.h >"$from/pmumap_fdt.h"
	if [ -n "${2:-}" ] && cmp -s pmumap.h "$from/pmumap.h" &&
		cmp -s pmumap_fdt.h "$from/pmumap_fdt.h"; then
		fail "$part: nothing for $2 to change"
		return 1
	fi
	if ! python3 $here/weave.py "$from/pmumap.h" "$dir/$part/pmumap.h" $files ||
		! python3 $here/weave.py "$from/pmumap_fdt.h" "$dir/$part/pmumap_fdt.h" $files; then
		fail "$part: the annotations do not fit the headers"
		return 1
	fi
	echo '#include "pmumap_fdt.h"' >"$dir/$part/wp.c"
}

# wp PART FUNCTIONS OPTION...: report.json in $dir/PART
# Without __GNUC__ there is no inline assembly: the headers say then what it stands for.
wp() {
	local part=$1 functions=$2 model=Typed+cast
	shift 2
	# There a query and its match, locals of the caller, are variables beside the memory.
	[ "$part" = names ] && model=Typed+cast+ref
	rm -f "$dir/$part/report.json"
	(cd "$dir/$part" &&
		frama-c -machdep gcc_x86_64 -cpp-extra-args="-U__GNUC__ -I." -wp -wp-rte \
			-wp-model $model -wp-no-warn-memory-model -wp-cache none \
			-wp-prover cvc4 -wp-par 2 -wp-timeout "$timeout" ${functions:+-wp-fct "$functions"} \
			-wp-report-json report.json "$@" wp.c) >"$dir/$part/log" 2>&1
}

# What is admitted about bits: compiled and run.
bits() {
	local line
	if ! gcc -O2 -o "$dir/bits" $here/bits.c || ! line=$("$dir/bits"); then
		fail "bits.c: ${line:-does not compile}"
		return
	fi
	pass
	echo "  bits.c $line"
}

# names KIND PART: of a part's annotations
names() {
	local also=
	[ "$2" = riscv ] && also=$here/image.acsl
	sed -n "s/^@$1 \([a-z0-9_]*\)$/\1/p" $here/$2.acsl $also
	# Steps for the provers are functions of the annotations' own.
	[ "$1" = contract ] && sed -n 's/^void \(pmumap_see_[a-z]*\)(.*[^;]$/\1/p' $here/$2.acsl
}

# counts PART: "FUNCTION proved total" for each function of its report
counts() {
	python3 - "$dir/$1/report.json" <<-'EOF'
		import json, sys
		for name, goals in json.load(open(sys.argv[1])).get("wp:functions", {}).items():
		    all = goals["wp:section"]["wp:main"]
		    print(name, all.get("valid", 0), all["total"])
	EOF
}

# start PART: weaves, and proves in the background
start() {
	local part=$1 functions name promised=${!1}
	functions=$(names contract "$part")
	for name in $promised; do
		grep -qx "$name" <<<"$functions" || fail "$part: no proof of $name"
	done
	weave "$part" || return
	wp "$part" "$(echo $functions | tr ' ' ,)" &
}

# report PART: what the run has proved
report() {
	local part=$1 name proved total
	if [ ! -f "$dir/$part/report.json" ]; then
		fail "$part: Frama-C:"
		tail -n 20 "$dir/$part/log"
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
		passed=$((passed + proved))
		failed=$((failed + total - proved))
	done
	grep 'Goal ' "$dir/$part/log" | grep -v ': Valid'
	echo "$part: $(grep -c '^	admit' $here/"$part".acsl) admitted; assumed:" \
		"$(names assume "$part" | tr '\n' ' ')"
}

# lemmas PART: those that the part's own annotations state
lemmas() {
	local part=$1 stated proved
	stated=$(grep -c '^lemma' $here/"$part".acsl)
	wp "$part" "" -wp-prop=@lemma -wp-prover cvc4,z3
	proved=$(grep -c 'Goal typed_cast_lemma.*: Valid' "$dir/$part/log")
	passed=$((passed + proved))
	[ "$proved" = "$stated" ] || fail "$part: $proved of $stated lemmas proved"
}

# mutant PART FUNCTION SED: without a check, goals of the function are open
mutant() {
	local part=$1 name=$2 proved total
	weave "$part" "$3" || return
	wp "$part" "$name" -wp-timeout 3 -wp-prop=-@assigns
	read -r proved total < <(counts "$part" | sed -n "s/^$name //p")
	if [ "${total:-0}" -gt "${proved:-0}" ]; then
		pass
	else
		fail "$part: $name is still proved ($proved/$total) after $3"
	fi
}

bits
# Each is one process for the most part.
parts=${*:-imc names riscv amu fdt}
for part in $parts; do
	start "$part"
done
wait
for part in $parts; do
	report "$part"
	case $part in
	fdt)
		lemmas fdt
		mutant fdt pmumap_fdt_property_ 's/w->end - w->at < 8)/w->end - w->at < 4)/'
		;;
	riscv)
		mutant riscv pmumap_open_raw_ \
			's/raw_count + 1, sizeof(struct pmumap_raw_row)/raw_count, sizeof(struct pmumap_raw_row)/'
		mutant riscv pmumap_search_ 's/if (event >= PMUMAP_EVENT_LIMIT)/if (event > PMUMAP_EVENT_LIMIT)/'
		;;
	amu)
		mutant amu pmumap_amu_cpu_at 's/index >= pmumap_amu_(m)->cpu_count/index > pmumap_amu_(m)->cpu_count/'
		;;
	imc)
		mutant imc pmumap_imc_inside_ 's/offset - c->strings < c->string_bytes/offset - c->strings <= c->string_bytes/'
		mutant imc pmumap_imc_event_at \
			's/index >= pmumap_imc_units_(m)\[unit\].events/index > pmumap_imc_units_(m)[unit].events/'
		;;
	names)
		mutant names pmumap_imc_hash_ 's/word_(p + left - 8)/word_(p + left - 7)/'
		mutant names pmumap_imc_named_ 's/equal_(name + n, rest/equal_(name, rest/'
		;;
	esac
done
finish
