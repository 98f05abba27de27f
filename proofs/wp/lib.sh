# SPDX-License-Identifier: BSD-2-Clause
#
# For wp.sh and the scripts of tests/planted: annotates copies of the headers and runs Frama-C.
# Source it after tests/check/lib.sh.
#
# TIMEOUT: wall-clock seconds for one goal; a busy machine needs more.
# FIT=1: proves nothing.

here=proofs/wp
timeout=${TIMEOUT:-120}
fit=${FIT:-}

if [ -z "$fit" ]; then
	if ! command -v frama-c >/dev/null || ! command -v why3 >/dev/null ||
		! command -v cvc4 >/dev/null; then
		echo "SKIP WP (frama-c, why3 or cvc4 not found)"
		finish
	fi
	# why3 finds provers only through its own configuration file.
	export WHY3CONFIG=$PWD/$dir/why3.conf
	why3 config detect -C "$WHY3CONFIG" >"$dir/why3.log" 2>&1
	grep -q '^name = "CVC4"' "$WHY3CONFIG" || fail "why3 has not found cvc4"
fi
# A larger heap: Frama-C spends less time on garbage collection.
export OCAMLRUNPARAM=s=8M,o=400

# The slowest parts are first.
all_parts="events order same chain raw server added builder riscv amu vpmu fdt reader rank"

# names KIND PART: names in a part's annotations
names() {
	local also=
	case $2 in riscv | amu) also=$here/image.acsl ;; esac
	sed -n "s/^@$1 \([a-z0-9_]*\)$/\1/p" $here/$2.acsl $also
	# Helper functions for the provers, defined in the annotations.
	[ "$1" = contract ] && sed -n 's/^void \(pmumap_see_[a-z]*\)(.*[^;]$/\1/p' $here/$2.acsl
}

# weave PART: writes annotated copies of the headers in $original to $dir/PART
original=.
weave() {
	local part=$1 files=$here/$1.acsl top=pmumap_fdt headers included header
	local map="struct pmumap" head=232 first=pmumap_image_at_
	mkdir -p "$dir/$part"
	# A part may use what another part proves.
	case $part in
	fdt | reader) files="$here/spec.acsl $here/fdt.acsl $here/reader.acsl" ;;
	server) top=pmumap_server files="$here/words.acsl $files" ;;
	riscv) top=pmumap_server files="$here/image.acsl $here/words.acsl $files" ;;
	vpmu) top=pmumap_server ;;
	order | rank | same) top=pmumap ;;
	raw) top=pmumap files="$here/spec.acsl $files" ;;
	events) top=pmumap files="$here/spec.acsl $files" ;;
	chain) top=pmumap files="$here/spec.acsl $here/events.acsl $files" ;;
	added) top=pmumap files="$here/spec.acsl $here/rank.acsl $here/builder.acsl $files" ;;
	amu)
		top=pmumap_amu map="struct pmumap_amu" head=56 first=pmumap_amu_cpu_rows_
		files="$here/image.acsl $files"
		;;
	*) files="$here/image.acsl $files" ;;
	esac
	headers="pmumap $top" included=$top
	case $top in
	pmumap) headers=$top ;; # it needs no other header
	pmumap_amu) headers="pmumap_amu_hw pmumap_amu" included=$headers ;;
	esac
	for header in $headers; do
		if ! python3 $here/weave.py "$original/$header.h" "$dir/$part/$header.h" "MAP=$map" \
			HEAD_BYTES=$head FIRST=$first $files; then
			fail "$part: the annotations do not fit the headers"
			return 1
		fi
	done
	printf '#include "%s.h"\n' $included >"$dir/$part/wp.c"
}

# wp PART RUN FUNCTIONS OPTION...: writes RUN.json, RUN.log and RUN.seconds (CPU) to $dir/PART.
# Without __GNUC__ the headers use plain C instead of inline assembly. WP cannot prove that a
# function pointer is valid; "calls" asks it to prove which function it is. -wp-no-init-const: no
# proof needs the contents of constant tables, and stating them for each function took most of
# Frama-C's own time. Smoke tests run without -wp-rte, whose goals cannot add a contradiction. Three
# of Qed's simplifiers (ground terms, ranges of integers, masks) cost up to a fifth of the time,
# most in searches of names, and no goal needs them.
wp() {
	local part=$1 run=$2 functions=$3 model=Typed+cast rte= TIMEFORMAT=%U
	shift 3
	[ "$run" = smoke ] || rte="-wp-rte -rte-no-pointer-call"
	# In this part a query and its match, locals of the caller, are variables outside the memory
	# model.
	[ "$part" = names ] && model=Typed+cast+ref
	rm -f "$dir/$part/$run.json"
	{ time (cd "$dir/$part" &&
		frama-c -machdep gcc_x86_64 -cpp-extra-args="-U__GNUC__ -I." \
			-wp $rte \
			-wp-model $model -wp-no-warn-memory-model -wp-cache none \
			-wp-no-init-const -wp-no-ground -wp-no-simplify-is-cint \
			-wp-no-simplify-land-mask -wp-prover cvc4 -wp-par 2 -wp-timeout "$timeout" \
			${functions:+-wp-fct "$functions"} \
			-wp-report-json "$run.json" "$@" wp.c >"$run.log" 2>&1); } \
		2>"$dir/$part/$run.seconds"
}

# All kinds of goals. Without them, smoke tests remain.
kinds="assigns requires ensures exits assert invariant variant breaks continues returns
	complete_behaviors disjoint_behaviors terminates decreases lemma"

# smoke PART FUNCTIONS: tries to prove "false" where code is reached and where a function begins. A
# proof means that a contract, an invariant, an axiom or an admitted line contradicts another, so
# that everything else is provable there too. The limit counts cvc4's steps, which do not depend on
# the machine's load; planted/contradictions.sh tests that it is high enough. A call's postcondition
# is tested at the next statement, so calls need no tests of their own.
smoke() {
	wp "$1" smoke "$2" -wp-smoke-tests -wp-no-smoke-dead-call -wp-smoke-timeout "$timeout" \
		-wp-steps 54000 -wp-prop="$(printf -- '-@%s,' $kinds)"
}

# dead PART: "FUNCTION: LINE" for each failed smoke test
dead() {
	sed -nE 's/^\[wp\] \[Failed\] Smoke-test typed_cast_(ref_)?(.*)_wp_smoke_.*/\2/p;
		s/^\[wp\] (.*\.h):([0-9]+): Warning: Failed smoke-test.*/\1 \2/p' "$dir/$1/smoke.log" |
		while read -r name && read -r header line; do
			echo "$name: $(sed -nE "${line}s/^[[:space:]]*//p" "$dir/$1/$header")"
		done
}

# counts PART: "FUNCTION proved total" for each function in its report
counts() {
	python3 - "$dir/$1/proof.json" <<-'EOF'
		import json, sys
		for name, goals in json.load(open(sys.argv[1])).get("wp:functions", {}).items():
		    all = goals["wp:section"]["wp:main"]
		    print(name, all.get("valid", 0), all["total"])
	EOF
}
