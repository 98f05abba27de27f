# SPDX-License-Identifier: BSD-2-Clause
#
# For wp.sh and tests/planted/planted.sh, after tests/check/lib.sh: annotated copies of the headers, and
# Frama-C.
#
# TIMEOUT: seconds of a prover for one goal; of wall time, so that a busy machine needs many.
# FIT=1: nothing is proved.

here=proofs/wp
timeout=${TIMEOUT:-40}
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

# weave PART: the annotated headers in $dir/PART, of those in $headers
headers=.
weave() {
	local part=$1 files=$here/$1.acsl header
	mkdir -p "$dir/$part"
	# What one part proves, another may use.
	case $part in
	names) files="$here/image.acsl $here/imc.acsl $files" ;;
	fdt | reader) files="$here/fdt.acsl $here/reader.acsl" ;;
	*) files="$here/image.acsl $files" ;;
	esac
	for header in pmumap pmumap_fdt; do
		if ! python3 $here/weave.py "$headers/$header.h" "$dir/$part/$header.h" $files; then
			fail "$part: the annotations do not fit the headers"
			return 1
		fi
	done
	echo '#include "pmumap_fdt.h"' >"$dir/$part/wp.c"
}

# wp PART FUNCTIONS OPTION...: report.json in $dir/PART, and the seconds of CPU
# Without __GNUC__ there is no inline assembly: the headers say then what it stands for. WP cannot
# prove that a pointer to a function is valid; "calls" asks for a proof of which function it is.
wp() {
	local part=$1 functions=$2 model=Typed+cast TIMEFORMAT=%U
	shift 2
	# There a query and its match, locals of the caller, are variables beside the memory.
	[ "$part" = names ] && model=Typed+cast+ref
	rm -f "$dir/$part/report.json"
	{ time (cd "$dir/$part" &&
		frama-c -machdep gcc_x86_64 -cpp-extra-args="-U__GNUC__ -I." \
			-wp -wp-rte -rte-no-pointer-call \
			-wp-model $model -wp-no-warn-memory-model -wp-cache none \
			-wp-prover cvc4 -wp-par 2 -wp-timeout "$timeout" ${functions:+-wp-fct "$functions"} \
			-wp-report-json report.json "$@" wp.c >log 2>&1); } 2>"$dir/$part/seconds"
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
