#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Prints a table of the public functions, then their declarations. Fails if a function has no
# comment. Names that end with "_" are private and left out.
set -eu
headers=$("${0%/pages/*}/products.sh")
for header in $headers; do
	sed -nE 's,^/\* ---- ([a-z]+/[a-z_]+\.h): (.*) \*/,\1 \2,p' $header.h |
		while read -r part title; do
			grep -q '^PMUMAP_API' "src/$part" || continue
			# Shared parts belong to the first header that has them.
			[ "$(grep -lF "/* ---- $part:" $(printf '%s.h\n' $headers) |
				head -n 1)" = $header.h ] || continue
			echo "@header $header.h"
			echo "@part $title"
			sed 2d "src/$part" # already printed as title
			echo
		done
done | awk '
	# Of the first paragraph of a comment.
	function first_sentence(s) {
		gsub(/\/[*]| [*]\//, "", s)
		gsub(/\n [*]/, "\n", s)
		sub(/^\n/, "", s)
		sub(/\n\n.*/, "", s)
		gsub(/[ \t\n]+/, " ", s)
		sub(/^ /, "", s)
		if (match(s, /[.;] /) || match(s, /[.;]? ?$/))
			s = substr(s, 1, RSTART - 1)
		if (length(s) > 90 && match(s, /: /))
			s = substr(s, 1, RSTART - 1)
		gsub(/</, "\\&lt;", s)
		gsub(/[*]/, "\\*", s)
		return s
	}
	# The names of the functions in the code of a block.
	function functions(  i, n, line, names, name) {
		n = split(code, line, "\n")
		for (i = 1; i <= n; i++) {
			if (line[i] !~ /^(PMUMAP_API|static inline|pmumap_)/ ||
			    !match(line[i], /pmumap_[a-z0-9_]+\(/))
				continue
			name = substr(line[i], RSTART, RLENGTH - 1)
			names = names (names ? ", " : "") name
		}
		return names
	}
	function end_block(  names, shown) {
		names = code ~ /PMUMAP_API|static inline/ ? functions() : ""
		if (names && comment == "") {
			print header ": no comment says what " names " does" >"/dev/stderr"
			failed = 1
		}
		if (names) {
			sub(/\n\{.*/, ";\n", code)
			shown = names
			gsub(/, /, "`, `", shown)
			title = names
			gsub(/, /, "-", title)
			table = table "| [`" shown "`](#" title ") | " first_sentence(comment) \
				" |\n"
			text = text "\n### " names "\n"
		}
		if (names || code !~ /^(struct|enum|typedef) [^;\n]*_(fn_)?[ (;]/)
			text = text (comment code == "" ? "" : "\n```c\n" comment code "```\n")
		code = comment = ""
	}
	sub(/^@header /, "") {
		if ($0 != header)
			table = table "| **`" $0 "`** | |\n"
		header = $0
		next
	}
	sub(/^@part /, "") {
		text = text "\n## " toupper(substr($0, 1, 1)) substr($0, 2) "\n"
		next
	}
	/^\/\* SPDX/ || /^#(pragma|include|if|ifdef|ifndef|endif|error|undef)/ { next }
	/^#define/ { private = $2 ~ /^[A-Z_0-9]+_(\(|$)/ }
	private { private = /\\$/; next }
	/^\/\*/ && code == "" || in_comment {
		comment = comment $0 "\n"
		in_comment = !/\*\/$/
		next
	}
	/^$/ && depth == 0 { end_block(); next }
	{
		code = code $0 "\n"
		depth += gsub(/\{/, "{") - gsub(/\}/, "}")
	}
	END {
		end_block()
		print "| function | |\n|---|---|"
		printf "%s%s", table, text
		exit failed
	}'
