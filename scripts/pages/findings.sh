#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Prints the tool's text for each finding, by binding, with the severity from the sources and from
# tests/trees/table.txt.
set -eu
# list SECTION FILE: finding codes in the file
list() {
	sed -nE 's/^\tX\([A-Z_0-9]+, [0-9]+, "([a-z0-9-]+)"\).*/section \1 '"$1/p" "$2"
}
{
	list 1 src/riscv/findings_api.h
	list 3 tool/findings/findings.h
	list 4 src/imc/findings_api.h
	list 5 src/amu/findings_api.h
	# Of the tool's findings, those that need a vendor's file.
	sed -nE 's/^\t\{ \(uint32_t\)([A-Z_0-9]+), VALUE_(VENDOR|ENTRY).*/section \L\1 2/p' \
		tool/findings/findings_tool.c | sed 's/_/-/g'
	# clang-format may break a call after any comma, so join the lines.
	cat src/*/*.h | tr -d '\n' | grep -oE 'PMUMAP_(AMU_|IMC_)?FINDING_\([A-Z_0-9]+,\s*[A-Z_]+' |
		sed -E 's/.*\(([A-Z_0-9]+),\s*(PMUMAP_)?([A-Z]+).*/severity \L\1 \3/; s/_/-/g'
	sed -nE 's/^\t.*(error|warning|note) ([a-z0-9-]+) .*/severity \2 \1/p' tests/trees/table.txt
	sed -nE 's/^([^ ]*: )?(error|warning|note) ([a-z0-9-]+):.*/severity \3 \2/p' tests/tool/events.txt
	for file in tests/trees/*.dts; do
		echo "tree $(basename "$file" .dts)"
	done
	build/pmumap check --explain all
} | awk '
	BEGIN {
		split("error warning note", order, " ")
		n = split("RISC-V|A core\047s events|Mistakes that only the tool finds|IMC|AMU", title, "|")
	}
	/^section / { section[$2] = $3; next }
	/^severity / { has[$2, $3] = 1; next }
	/^tree / { tree[$2] = 1; next }
	/^[a-z]/ {
		code = $1
		g = section[code]
		severity = ""
		for (i = 1; i <= 3; i++)
			if ((code, order[i]) in has)
				severity = severity (severity ? ", " : "") order[i]
		if (!severity) {
			print "of which severity is " code "?" >"/dev/stderr"
			failed = 1
		}
		list[g] = list[g] " [`" code "`](#" code ")"
		text[g] = text[g] "\n### " code "\n\n" toupper(substr(severity, 1, 1)) \
			substr(severity, 2)
		if (code in tree)
			text[g] = text[g] "; [a tree that has it](../tests/trees/" code ".dts)"
		text[g] = text[g] ".\n\n"
		next
	}
	/^ / {
		label = $1
		sub(/^ +[a-z]+ +/, "")
		if (label ~ /^(wrong|right)$/)
			$0 = "`" $0 "`"
		else
			gsub(/</, "\\&lt;")
		text[g] = text[g] "- **" label ":** " $0 "\n"
	}
	END {
		for (i = 1; i <= n; i++)
			printf("%s## %s\n\nCodes:%s\n%s", (i > 1 ? "\n" : ""), title[i], list[i],
				text[i])
		exit failed
	}'
