#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: make analysis
#
# The analyzers of gcc and clang, clang-tidy (exceptions: clang-tidy.yml) and cppcheck find nothing
# in the headers, and each finds a planted bug.
. tests/check/lib.sh

language="-std=c11 -I. -DPMUMAP_IMPLEMENTATION"

# Analyse each header as a main file: analyzers skip functions of included files. Headers that it
# needs are included first.
printf '#include "pmumap_fdt.h"\n' >"$dir/first.h"
includes $headers >"$dir/all.h"
# One bug per analyzer: NULL, equal operands, double free().
cat >"$dir/bug.h" <<'END'
#include <stdlib.h>

int planted(int n, char *text);
int planted(int n, char *text)
{
	int *p = 0;

	free(text);
	free(text);
	if (n > 3 && n == n)
		p = &n;
	return *p;
}
END

# gcc 12 does not see that a NULL pointer has length 0. No analyzer sees that a loop has written all
# elements read later. MSan and memcheck cover both at run time.
gcc_analyzer() {
	gcc -x c $language -O1 -fanalyzer -Werror -Wno-analyzer-null-dereference \
		-Wno-analyzer-use-of-uninitialized-value -c "$1" -o /dev/null
}

# max-nodes limits the run to seconds.
unwritten=core.UndefinedBinaryOperatorResult,core.uninitialized.Branch
unwritten=$unwritten,core.uninitialized.ArraySubscript,core.uninitialized.Assign
clang_analyzer() {
	clang --analyze -x c $language -Xclang -analyzer-werror -Xclang \
		-analyzer-checker=core,unix,security,nullability,deadcode,alpha.security.ArrayBoundV2 \
		-Xclang -analyzer-disable-checker="$unwritten" \
		-Xclang -analyzer-config -Xclang max-nodes=5000 "$1" -o /dev/null
}

tidy() {
	clang-tidy -quiet --config-file=tests/check/clang-tidy.yml --checks='-clang-analyzer-*' "$1" -- \
		-x c $language -include "$dir/first.h"
}

# uninitvar: false alarm for out-parameters, as in a search for a place. The others are style
# (variableScope), constants that are 0 in one configuration, or members used by other headers.
checked() {
	cppcheck -q --language=c --std=c11 --enable=warning,style,performance,portability \
		--inconclusive --error-exitcode=1 --suppress=missingIncludeSystem \
		--suppress=uninitvar:*pmumap*.h --suppress=ctuuninitvar:*pmumap*.h \
		--suppress=variableScope --suppress=badBitmaskCheck \
		--suppress=unusedStructMember -I. -DPMUMAP_IMPLEMENTATION "$1"
}

# each FUNCTION COMMAND PATTERN HEADER...: no finding in HEADERs, and PATTERN in the planted bug
each() {
	analyzer=$1 command=$2 pattern=$3
	shift 3
	if ! command -v "$command" >/dev/null; then
		echo "SKIP $command (not found)"
		return
	fi
	for header; do
		works "$command: $header" "$analyzer" "$header"
	done
	refused "$command: a planted bug" "$pattern" "$analyzer" "$dir/bug.h"
}
each clang_analyzer clang 'unix.Malloc' $headers
each tidy clang-tidy 'misc-redundant-expression' $headers
each checked cppcheck 'doubleFree' $headers
# gcc also analyses included files, so one run covers all headers.
each gcc_analyzer gcc 'analyzer-double-free' "$dir/all.h"
finish
