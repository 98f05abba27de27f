#!/bin/bash -eu
# SPDX-License-Identifier: BSD-2-Clause
#
# Builds each harness into $OUT, with its inputs and the dictionary: $CC, $CXX, $CFLAGS, $CXXFLAGS,
# $LIB_FUZZING_ENGINE and $SRC are the fuzzing service's. libfdt is linked in, since the programs run
# where it is not installed.
cd "$SRC/pmumap"
objects=$(mktemp -d)
flags="$CFLAGS -std=c11 -I. -Itests/support -DPMUMAP_EXTERN -DFUZZ_STEPS=2000 -DFUZZ_LIBFUZZER"

compile() {
	$CC $flags $2 -c "$1" -o "$objects/$(basename "$1" .c).o"
}

{ echo '#define PMUMAP_IMPLEMENTATION' && printf '#include "%s"\n' pmumap*.h; } >"$objects/implementation.c"
compile "$objects/implementation.c" -fsanitize-coverage=trace-pc
compile fuzz/steps.c ""
compile fuzz/main.c ""
for model in tests/support/*model.c; do
	compile "$model" ""
done
for source in fuzz/fuzz_*.c; do
	harness=$(basename "$source" .c)
	compile "$source" ""
	$CXX $CXXFLAGS "$objects/$harness.o" "$objects"/{implementation,steps,main}.o \
		"$objects"/*model.o $LIB_FUZZING_ENGINE \
		-l:libfdt.a -Wl,--wrap=__sanitizer_cov_trace_pc -o "$OUT/$harness"
	mkdir "$objects/$harness"
	tar -xf "fuzz/corpus/${harness#fuzz_}.tar.xz" -C "$objects/$harness"
	zip -jq "$OUT/${harness}_seed_corpus.zip" "$objects/$harness"/*
	cp fuzz/fdt.dict "$OUT/$harness.dict"
done
rm -r "$objects"
