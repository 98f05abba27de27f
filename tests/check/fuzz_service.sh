#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# The build script for ClusterFuzzLite and OSS-Fuzz, with the environment that it expects: each
# harness is built, and runs its inputs.
. tests/check/lib.sh

command -v clang++ >/dev/null ||
	{ echo "SKIP fuzz_service: clang++ is not installed"; finish; }
mkdir -p "$dir/src" "$dir/made"
ln -sfn "$PWD" "$dir/src/pmumap"
export CC=clang CXX=clang++ LIB_FUZZING_ENGINE=-fsanitize=fuzzer
export CFLAGS="-O1 -fsanitize=address,fuzzer-no-link" CXXFLAGS="-O1 -fsanitize=address,fuzzer-no-link"
export SRC=$PWD/$dir/src OUT=$PWD/$dir/made
works "the build script" .clusterfuzzlite/build.sh
for source in fuzz/fuzz_*.c; do
	harness=$(basename "$source" .c)
	works "the inputs of $harness" python3 -m zipfile -e "$OUT/${harness}_seed_corpus.zip" \
		"$dir/$harness"
	works "$harness" env ASAN_OPTIONS=detect_leaks=0 "$OUT/$harness" -runs=0 \
		-dict="$OUT/$harness.dict" "$dir/$harness"
done
finish
