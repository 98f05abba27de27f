#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# amalgamate.sh [-l] SRC/NAME.h: prints the header, each part where it is listed; -l: with #line. A
# part may need what stands before it, in its own room or in one of a lower level.
exec awk -v lines="$([ "$1" != -l ] || echo 1)" -v root="${2:-$1}" '
function refuse(why) {
	print "amalgamate: " why >"/dev/stderr"
	exit 1
}
function out(line) { # no two empty lines
	if (line != "" || last != "")
		print line
	last = line
}
function quoted(line) { return substr(line, 11, index(substr(line, 11), "\"") - 1) }
function room(part) { return substr(part, 1, index(part, "/") - 1) }
function place(number, file) { if (lines) out("#line " number " \"" file "\"") }
function know(name,    line) { # what another header lists is there, too
	while ((getline line <(src name)) > 0)
		if (line ~ /^#include "/)
			line ~ /\// ? there[quoted(line)] = 1 : know(quoted(line))
}
function paste(part,    line, n, text, need) {
	level[room(part)] || refuse("no room for " part)
	while ((getline line <(src part)) > 0) {
		n++
		need = quoted(line)
		if (line !~ /^#include "/ && n > 1 && line != "#pragma once" && (line != "" || text)) {
			text++ || place(n, src part)
			out(line)
		} else if (line ~ /^#include "/ && (!(need in there) || \
		           (room(need) != room(part) && level[room(need)] >= level[room(part)])))
			refuse(part " may not need " need)
	}
	if (!text)
		refuse("no part: " part)
	there[part] = 1
}
BEGIN {
	src = substr(root, 1, match(root, /[^\/]*$/) - 1)
	rooms = "core 1 builder 2 fdt 3 pool 4 riscv 5 imc 5 amu 5 map 6 hw 7 server 7"
	for (i = split(rooms, words, " "); i; i -= 2)
		level[words[i - 1]] = words[i]
	while ((getline line <root) > 0) {
		if (number++ == 1)
			out(" * Generated from src/ by \"make headers\": change it there.")
		if (line ~ /^#include ".*\//) {
			out("")
			out("/* ---- " quoted(line) ": " substr(line, index(line, "/*") + 3) "\n")
			paste(quoted(line))
			place(number, root)
			line = ""
		} else if (line ~ /^#include "/)
			know(quoted(line))
		out(line)
	}
	if (!number)
		refuse("no header: " root)
}'
