#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Each part of src/ compiles after what it includes, calls only functions defined there, and is
# small: 300 lines, 100 columns, functions of 60 lines. The same widths and function lengths apply
# to the tool. scripts/amalgamate.py rejects cycles and upward includes, so calls cannot go upwards
# either.

. tests/check/lib.sh

# sizes FILE LINES: prints what is too large
sizes() {
	expand "$1" | awk -v lines="$2" '
		length > 100 { print NR ": " length " columns" }
		/^\{/ { start = NR }
		/^\}/ { if (start && NR - start > 61) print start ": a function of " NR - start - 1 " lines"
			start = 0 }
		END { if (NR > lines) print NR " lines" }'
}

# undefined PART: "PART FUNCTION" for each function that it calls but does not include. Functions of
# other bindings or later parts may be declared; compiled as static, they lack a definition here.
undefined() {
	LC_ALL=C ${CC:-gcc} -std=c99 -Isrc -fsyntax-only "$dir/part.c" 2>&1 | sed -nE \
		"s,.*[' ]'?(pmumap_[a-z0-9_]+)'? (used but never|has internal linkage but is not) defined.*,$1 \\1,p"
}

parts=$(cd src && ls -- */*.h)
for part in $parts; do
	printf '#include "%s"\ntypedef int not_empty;\n' "$part" >"$dir/part.c"
	works "$part alone" ${CC:-gcc} -std=c99 $warnings -Isrc -DPMUMAP_EXTERN \
		-DPMUMAP_IMPLEMENTATION -fsyntax-only "$dir/part.c"
	undefined "$part" >>"$dir/calls"
	nothing "src/$part" "$(sizes "src/$part" 300)"
	# A part that no header lists would never be compiled.
	if grep -qF "/* ---- $part: " pmumap*.h; then pass; else fail "src/$part is in no header"; fi
done
# An inline function of an api.h may call functions that its room defines later.
nothing "called, but not included" "$(awk '$1 ~ /api[.]h$/ { inlined[$2] } { call[NR] = $0; name[NR] = $2 }
	END { for (i = 1; i <= NR; i++) if (!(name[i] in inlined)) print call[i] ";" }' "$dir/calls")"
# Test of the check itself.
printf '#include "riscv/api.h"\nstatic inline int f(uint32_t e)\n{\n\treturn pmumap_event_valid(e);\n}\n' \
	>"$dir/part.c"
[ "$(undefined f)" = "f pmumap_event_valid" ] && pass || fail "a call of what is not included is not noticed"
for root in src/*.h; do
	nothing "$root" "$(expand "$root" | awk 'length > 100 { print NR ": " length " columns" }')"
done
for file in tool/*.[ch] tool/*/*.[ch]; do
	nothing "$file" "$(sizes "$file" 350)"
done
# One part defines a macro, even if no compiler here sees both definitions.
nothing "defined in several parts" "$(for part in $parts; do
	sed -nE 's/^[[:space:]]*#[[:space:]]*define (PMUMAP_[A-Za-z0-9_]+).*/\1/p' "src/$part" | sort -u
done | grep -vx PMUMAP_X_ | sort | uniq -d)"
# Private functions are defined before use, without a declaration.
nothing "declared before it is defined" "$(grep -hE '^(static inline|PMUMAP_(OUT|IN)LINE_)' -A3 src/*/*.h |
	awk '/^(static inline|PMUMAP_(OUT|IN)LINE_)/ { head = "" } { head = head $0 }
		/\);$/ && head ~ /^[^{]*\)[^{]*;$/ { print head; head = "{" } /\{/ { head = "{" }')"
finish
