#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Each part of src/ compiles after what it includes, calls only functions defined there, and is
# small: 300 lines, 100 columns, functions of 60 lines. The same widths and function lengths apply
# to the tool. scripts/amalgamate.py rejects cycles and upward includes, so calls cannot go upwards
# either.

. tests/check/lib.sh

# sizes LINES FILE...: prints what is too large
sizes() {
	awk -v lines="$1" '
		function end() { if (last > lines) print file ": " last " lines" }
		function columns(text, i, n, part, sum) {
			n = split(text, part, "\t")
			for (i = 1; i < n; i++)
				sum += length(part[i]) + 8 - (sum + length(part[i])) % 8
			return sum + length(part[n])
		}
		FNR == 1 { end(); file = FILENAME; start = 0 }
		{ last = FNR }
		length >= 30 && columns($0) > 100 { print FILENAME ":" FNR ": " columns($0) " columns" }
		/^\{/ { start = FNR }
		/^\}/ { if (start && FNR - start > 61) print FILENAME ":" start ": a function of " FNR - start - 1 " lines"
			start = 0 }
		END { end() }' "${@:2}"
}

# compiled: tries $dir/part.c; $dir/undefined gets each function that it calls but does not include,
# and $dir/out all other warnings. Functions of other bindings or later parts may be declared;
# compiled as static, they lack a definition here.
compiled() {
	LC_ALL=C ${CC:-gcc} -std=c99 ${warnings% -Werror} -Wno-unused-function -fno-diagnostics-show-caret \
		-Isrc -fsyntax-only "$dir/part.c" 2>"$dir/said"
	local status=$? pattern=".*[' ]'?(pmumap_[a-z0-9_]+)'? (used but never|has internal linkage but is not) defined.*"
	: >"$dir/undefined" >"$dir/out"
	[ -s "$dir/said" ] || return $status
	sed -nE "s,$pattern,\1,p" "$dir/said" >"$dir/undefined"
	! grep -E ': (warning|error|fatal error): ' "$dir/said" | grep -vE "$pattern" >"$dir/out"
}

parts=$(cd src && ls -- */*.h)
for part in $parts; do
	printf '#include "%s"\ntypedef int not_empty;\n' "$part" >"$dir/part.c"
	if compiled; then pass; else fail "$part alone" && cat "$dir/out"; fi
	[ ! -s "$dir/undefined" ] || sed "s,^,$part ," "$dir/undefined" >>"$dir/calls"
done
nothing "too large" "$(sizes 300 src/*/*.h; sizes 520 tool/*.[ch] tool/*/*.[ch]; sizes 100000 src/*.h)"
# A part that no header lists would never be compiled.
nothing "in no header" "$(for part in $parts; do echo "$part"; done |
	grep -vxF "$(sed -nE 's,^/\* ---- ([^:]*): .*,\1,p' pmumap*.h)")"
# An inline function of an api.h may call functions that its room defines later.
nothing "called, but not included" "$(awk '$1 ~ /api[.]h$/ { inlined[$2] } { call[NR] = $0; name[NR] = $2 }
	END { for (i = 1; i <= NR; i++) if (!(name[i] in inlined)) print call[i] ";" }' "$dir/calls")"
# Test of the check itself.
printf '#include "riscv/api.h"\nstatic inline int f(uint32_t e)\n{\n\treturn pmumap_event_valid(e);\n}\n' \
	>"$dir/part.c"
compiled && [ "$(cat "$dir/undefined")" = pmumap_event_valid ] && pass || fail "a call of what is not included is not noticed"
# One part defines a macro, even if no compiler here sees both definitions.
nothing "defined in several parts" "$(for part in $parts; do
	sed -nE 's/^[[:space:]]*#[[:space:]]*define (PMUMAP_[A-Za-z0-9_]+).*/\1/p' "src/$part" | sort -u
done | grep -vx PMUMAP_X_ | sort | uniq -d)"
# Private functions are defined before use, without a declaration.
nothing "declared before it is defined" "$(grep -hE '^(static inline|PMUMAP_(OUT|IN)LINE_)' -A3 src/*/*.h |
	awk '/^(static inline|PMUMAP_(OUT|IN)LINE_)/ { head = "" } { head = head $0 }
		/\);$/ && head ~ /^[^{]*\)[^{]*;$/ { print head; head = "{" } /\{/ { head = "{" }')"
finish
