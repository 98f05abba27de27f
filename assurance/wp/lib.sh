# SPDX-License-Identifier: BSD-2-Clause
#
# For wp.sh and the scripts of assurance/planted, after tests/check/lib.sh: annotated copies of the
# headers, and Frama-C.
#
# TIMEOUT: seconds of a prover for one goal; of wall time, so that a busy machine needs many.
# FIT=1: nothing is proved.

here=assurance/wp
timeout=${TIMEOUT:-120}
fit=${FIT:-}

if [ -z "$fit" ]; then
	if ! command -v frama-c >/dev/null || ! command -v why3 >/dev/null ||
		! command -v cvc4 >/dev/null; then
		echo "SKIP WP (frama-c, why3 or cvc4 not found)"
		finish
	fi
	# why3 finds its provers by a file of its own.
	export WHY3CONFIG=$PWD/$dir/why3.conf
	why3 config detect -C "$WHY3CONFIG" >"$dir/why3.log" 2>&1
	grep -q '^name = "CVC4"' "$WHY3CONFIG" || fail "why3 has not found cvc4"
fi
# Frama-C spends less time on garbage so, and more memory.
export OCAMLRUNPARAM=s=8M,o=400

# weave PART: the annotated headers in $dir/PART, of those in $original
original=.
weave() {
	local part=$1 files=$here/$1.acsl top=pmumap_fdt headers header
	local map="struct pmumap" head=208 first=pmumap_image_at_
	mkdir -p "$dir/$part"
	# What one part proves, another may use.
	case $part in
	imc | names)
		top=pmumap_imc map="struct pmumap_imc" head=120 first=pmumap_imc_unit_rows_
		[ $part = imc ] || files="$here/imc.acsl $files"
		files="$here/image.acsl $files"
		;;
	fdt | reader) files="$here/fdt.acsl $here/reader.acsl" ;;
	text) top=pmumap_imc files="$here/fdt.acsl $here/reader.acsl $files" ;;
	vpmu) top=pmumap_server ;;
	pool) top=pmumap_imc ;;
	amu)
		top=pmumap_amu map="struct pmumap_amu" head=56 first=pmumap_amu_cpu_rows_
		files="$here/image.acsl $files"
		;;
	*) files="$here/image.acsl $files" ;;
	esac
	headers="pmumap $top"
	# These stand alone.
	case $top in pmumap_amu | pmumap_imc) headers=$top ;; esac
	for header in $headers; do
		if ! python3 $here/weave.py "$original/$header.h" "$dir/$part/$header.h" "MAP=$map" \
			HEAD_BYTES=$head FIRST=$first $files; then
			fail "$part: the annotations do not fit the headers"
			return 1
		fi
	done
	echo "#include \"$top.h\"" >"$dir/$part/wp.c"
}

# wp PART RUN FUNCTIONS OPTION...: RUN.json, RUN.log and RUN.seconds, of CPU, in $dir/PART
# Without __GNUC__ there is no inline assembly: the headers say then what it stands for. WP cannot
# prove that a pointer to a function is valid; "calls" asks for a proof of which function it is.
# What constant tables hold is not told (-wp-no-init-const): no proof needs the values, and to state
# them for each function took most of Frama-C's own time.
# Smoke tests do without what -wp-rte asks to prove: it adds nothing that could contradict.
# Three of Qed's simplifiers (of ground terms, ranges of integers and masks) cost up to a fifth of the
# time, most where names are searched for, and no goal needs them.
wp() {
	local part=$1 run=$2 functions=$3 model=Typed+cast rte= TIMEFORMAT=%U
	shift 3
	[ "$run" = smoke ] || rte="-wp-rte -rte-no-pointer-call"
	# There a query and its match, locals of the caller, are variables beside the memory.
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

# All that is proved; without it, smoke tests are left.
kinds="assigns requires ensures exits assert invariant variant breaks continues returns
	complete_behaviors disjoint_behaviors terminates decreases lemma"

# smoke PART FUNCTIONS: tries to prove false where code is reached, and where a function begins. It
# can be proved where a contract, an invariant, an axiom or what is admitted contradicts another,
# and then all else is proved there, too. The limit is one of cvc4's steps, which are the same on a
# busy machine; planted/contradictions.sh shows what it suffices for. What a call promises is
# tested where the statement behind it begins, so that calls need no tests of their own.
smoke() {
	wp "$1" smoke "$2" -wp-smoke-tests -wp-no-smoke-dead-call -wp-smoke-timeout "$timeout" \
		-wp-steps 54000 -wp-prop="$(printf -- '-@%s,' $kinds)"
}

# dead PART: "FUNCTION: LINE" for each smoke test that has failed
dead() {
	sed -nE 's/^\[wp\] \[Failed\] Smoke-test typed_cast_(ref_)?(.*)_wp_smoke_.*/\2/p;
		s/^\[wp\] (.*\.h):([0-9]+): Warning: Failed smoke-test.*/\1 \2/p' "$dir/$1/smoke.log" |
		while read -r name && read -r header line; do
			echo "$name: $(sed -nE "${line}s/^[[:space:]]*//p" "$dir/$1/$header")"
		done
}

# counts PART: "FUNCTION proved total" for each function of its report
counts() {
	python3 - "$dir/$1/proof.json" <<-'EOF'
		import json, sys
		for name, goals in json.load(open(sys.argv[1])).get("wp:functions", {}).items():
		    all = goals["wp:section"]["wp:main"]
		    print(name, all.get("valid", 0), all["total"])
	EOF
}
