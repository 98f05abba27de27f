#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Each part of src/ compiles alone after what it names, and is small: 300 lines, 100 columns,
# functions of 60 lines. The tool's files are as narrow, and their functions as short.

. tests/check/lib.sh

# sizes FILE LINES: what is too large in it
sizes() {
	expand "$1" | awk -v lines="$2" '
		length > 100 { print NR ": " length " columns" }
		/^\{/ { start = NR }
		/^\}/ { if (start && NR - start > 61) print start ": a function of " NR - start - 1 " lines"
			start = 0 }
		END { if (NR > lines) print NR " lines" }'
}

parts=$(cd src && ls -- */*.h)
for part in $parts; do
	printf '#include "%s"\ntypedef int not_empty;\n' "$part" >"$dir/part.c"
	works "$part alone" ${CC:-gcc} -std=c99 $warnings -Isrc -DPMUMAP_EXTERN \
		-DPMUMAP_IMPLEMENTATION -fsyntax-only "$dir/part.c"
	nothing "src/$part" "$(sizes "src/$part" 300)"
	# One that no header lists is nowhere.
	if grep -qF "/* ---- $part: " pmumap*.h; then pass; else fail "src/$part is in no header"; fi
done
for root in src/*.h; do
	nothing "$root" "$(expand "$root" | awk 'length > 100 { print NR ": " length " columns" }')"
done
for file in tool/*.[ch] tool/*/*.[ch]; do
	nothing "$file" "$(sizes "$file" 350)"
done
# A macro belongs to one part, even if no compiler here sees both.
nothing "defined in several parts" "$(for part in $parts; do
	sed -nE 's/^[[:space:]]*#[[:space:]]*define (PMUMAP_[A-Za-z0-9_]+).*/\1/p' "src/$part" | sort -u
done | grep -vx PMUMAP_X_ | sort | uniq -d)"
# No private function is declared before it is defined.
nothing "declared before it is defined" "$(grep -hE '^(static inline|PMUMAP_(OUT|IN)LINE_)' -A3 src/*/*.h |
	awk '/^(static inline|PMUMAP_(OUT|IN)LINE_)/ { head = "" } { head = head $0 }
		/\);$/ && head ~ /^[^{]*\)[^{]*;$/ { print head; head = "{" } /\{/ { head = "{" }')"
finish
