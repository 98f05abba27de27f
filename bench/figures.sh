#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: bench/figures.sh NAME FILE [--update]
#
# Compares FILE with the text between "NAME begin" and "NAME end" in PAGE (doc/performance.md).
# --update writes it there.
set -eu
page=${PAGE:-doc/performance.md}
if [ "${3:-}" = --update ]; then
	awk -v name="$1" -v file="$2" '
		index($0, "<!-- " name " end -->") { inside = 0 }
		!inside
		index($0, "<!-- " name " begin -->") {
			inside = 1
			while ((getline line < file) > 0)
				print line
		}' "$page" >"$2.new"
	cat "$2.new" >"$page"
	rm "$2.new"
fi
if ! grep -q "^<!-- $1 begin -->\$" "$page"; then
	echo "$page has no markers: <!-- $1 begin --> and <!-- $1 end -->"
	exit 1
fi
awk -v name="$1" '
	index($0, "<!-- " name " end -->") { inside = 0 }
	inside
	index($0, "<!-- " name " begin -->") { inside = 1 }' "$page" | diff - "$2"
