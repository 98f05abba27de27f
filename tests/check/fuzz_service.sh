#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Runs the build script for ClusterFuzzLite and OSS-Fuzz with the service's flags, for each
# sanitizer in project.yaml. Each harness must build and run its corpus.
. tests/check/lib.sh

command -v clang++ >/dev/null ||
	{ echo "SKIP fuzz_service: clang++ is not installed"; finish; }
export CC=clang CXX=clang++ LIB_FUZZING_ENGINE=-fsanitize=fuzzer
export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=silence_unsigned_overflow=1
sanitizers=$(sed -n 's/^  - //p' .clusterfuzzlite/project.yaml)
[ -n "$sanitizers" ] && pass || fail "project.yaml names no sanitizer"
for sanitizer in $sanitizers; do
	case $sanitizer in
	undefined)
		fatal=array-bounds,bool,builtin,enum,function,integer-divide-by-zero,null,object-size,return
		fatal=$fatal,returns-nonnull-attribute,shift,signed-integer-overflow,unreachable,vla-bound
		flags="-fsanitize=$fatal,unsigned-integer-overflow -fno-sanitize-recover=$fatal"
		;;
	*) flags=-fsanitize=$sanitizer ;;
	esac
	export CFLAGS="-O1 -gline-tables-only $flags -fsanitize=fuzzer-no-link"
	export CXXFLAGS=$CFLAGS SRC=$PWD/$dir/$sanitizer/src OUT=$PWD/$dir/$sanitizer/made
	mkdir -p "$SRC" "$OUT"
	ln -sfn "$PWD" "$SRC/pmumap"
	works "the build script, $sanitizer" .clusterfuzzlite/build.sh
	for source in fuzz/fuzz_*.c; do
		harness=$(basename "$source" .c)
		works "the inputs of $harness" python3 -m zipfile -e "$OUT/${harness}_seed_corpus.zip" \
			"$dir/$sanitizer/$harness"
		works "$harness, $sanitizer" "$OUT/$harness" -runs=0 -dict="$OUT/$harness.dict" \
			"$dir/$sanitizer/$harness"
	done
done
finish
