#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: make analysis
#
# gcc's and clang's analyzers, clang-tidy (.clang-tidy says what is off there) and cppcheck find
# nothing in the headers; and each of them finds a planted bug.
. tests/check/lib.sh

language="-std=c11 -I. -DPMUMAP_IMPLEMENTATION"

# A header is read as a program, since functions of what is included are looked at less. What a
# header is built on comes first.
printf '#include "pmumap_fdt.h"\n' >"$dir/first.h"
includes $headers >"$dir/all.h"
# Of each kind one: a NULL, two equal sides, a second free().
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

# gcc 12 does not know that a length is 0 where its pointer is NULL; nor do the analyzers that a loop
# has written all elements that are read later. MSan and memcheck look for both as it runs.
gcc_analyzer() {
	gcc -x c $language -O1 -fanalyzer -Werror -Wno-analyzer-null-dereference \
		-Wno-analyzer-use-of-uninitialized-value -c "$1" -o /dev/null
}

# The bound keeps it to seconds.
unwritten=core.UndefinedBinaryOperatorResult,core.uninitialized.Branch
unwritten=$unwritten,core.uninitialized.ArraySubscript,core.uninitialized.Assign
clang_analyzer() {
	clang --analyze -x c $language -Xclang -analyzer-werror -Xclang \
		-analyzer-checker=core,unix,security,nullability,deadcode,alpha.security.ArrayBoundV2 \
		-Xclang -analyzer-disable-checker="$unwritten" \
		-Xclang -analyzer-config -Xclang max-nodes=5000 "$1" -o /dev/null
}

tidy() {
	clang-tidy -quiet --checks='-clang-analyzer-*' "$1" -- -x c $language -include "$dir/first.h"
}

# uninitvar: an address that is handed on to be written, as in a search for a place. The rest is
# taste (variableScope), of constants that are 0 in one configuration, or of what another header
# uses.
checked() {
	cppcheck -q --language=c --std=c11 --enable=warning,style,performance,portability \
		--inconclusive --error-exitcode=1 --suppress=missingIncludeSystem \
		--suppress=uninitvar:*pmumap*.h --suppress=ctuuninitvar:*pmumap*.h \
		--suppress=variableScope --suppress=badBitmaskCheck \
		--suppress=unusedStructMember -I. -DPMUMAP_IMPLEMENTATION "$1"
}

# each FUNCTION COMMAND PATTERN HEADER...: none has a finding; the planted bug has one like PATTERN
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
# gcc looks at all that is included, too.
each gcc_analyzer gcc 'analyzer-double-free' "$dir/all.h"
finish
