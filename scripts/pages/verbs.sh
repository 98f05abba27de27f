#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Prints the list of verbs for doc/tool.md: a link to the section of the page, where it has one.
set -eu
build/pmumap --help | sed -nE 's/^  ([a-z]+) .{16,}  ([^ ].*)/\1 \2/p' | while read -r verb what; do
	[ "$verb" != help ] || continue
	grep -qx "## $verb" doc/tool.md && verb="[$verb](#$verb)" || verb="\`$verb\`"
	echo "- $verb: $what"
done
