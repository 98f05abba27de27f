#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: fuzz/cov.sh BUILD HARNESS...
#
# Coverage of the headers by the inputs of each harness, and by all together. BUILD has the
# harnesses with --coverage. BLOBS: more folders of blobs.
set -u
build=$1
shift
failed=0
passed=0

# figures WHAT: covered lines and branches of each header, with totals
figures() {
	for way in "" --branches; do
		gcovr $way --root . --object-directory "$build" --filter 'pmumap[a-z_]*\.h$' \
			"$build" | awk '$1 ~ /\.h$/ { printf "%s %d/%d\n", $1, $3, $2 }'
	done | awk -v what="$1" '
		{ figure[$1] = figure[$1] sprintf(" %12s", $2) }
		END { for (header in figure) print what, header figure[header] }' | sort |
		while read -r what header lines branches; do
			printf '%-8s %-14s %12s %12s\n' "$what" "$header" "$lines" "$branches"
		done
}

command -v gcovr >/dev/null || { echo "SKIP fuzz-cov (gcovr not found)"; echo "0 passed, 0 failed"; exit; }
printf '%-8s %-14s %12s %12s\n' "" "" lines branches
rm -rf "$build/kept"
mkdir -p "$build/kept"
for harness; do
	rm -f "$build"/*.gcda
	case $harness in
	blob | emit) more=${BLOBS:-} ;;
	*) more= ;;
	esac
	if "$build/fuzz_$harness" "build/inputs/$harness" $more \
		>"$build/$harness.log" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		tail -n 3 "$build/$harness.log"
	fi
	figures "$harness"
	gcovr --root . --object-directory "$build" --filter 'pmumap[a-z_]*\.h$' "$build" \
		--json "$build/kept/$harness.json"
done
for way in "" --branches; do
	gcovr $way --root . $(printf -- '-a %s ' "$build"/kept/*.json) |
		awk -v way="${way:-lines}" '$1 ~ /\.h$|^TOTAL/ { print "all", $1, $3 "/" $2, way, $4 }'
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
