#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: tests/check/slow.sh BUILD
#
# The step counter of fuzz/steps.h must notice a call that takes more than n log n steps, in headers
# made slow on purpose. BUILD/steps has the harnesses that count.
. tests/check/lib.sh
build=$1

# slow WHAT HEADER OLD NEW: edits one line of a copy; some input must then take too many steps
slow() {
	cp pmumap*.h "$dir"
	replace "$3" "$4" "$2" >"$dir/$2" || { fail "$1: $2 has this not exactly once: $3" && return; }
	works "$1" gcc -std=c11 -O1 -DPMUMAP_EXTERN -fsanitize-coverage=trace-pc -I"$dir" \
		-c build/implementation.c -o "$dir/implementation.o" &&
		works "$1" gcc "$build"/steps/{fuzz_shared,main,steps}.o \
			"$build"/steps/*model.o "$dir/implementation.o" -lfdt \
			-Wl,--wrap=__sanitizer_cov_trace_pc -o "$dir/harness" &&
		refused "$1" "takes more than n log n steps" scripts/limit.sh 60 "$dir/harness" \
			"$build/inputs/shared"
}

slow "labels read to their ends" pmumap_amu_check.h \
	'while (i < PMUMAP_AMU_LABEL_BYTES_ && name[i])' 'while (name[i])'
finish
