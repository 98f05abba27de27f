#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: bench/gperf.sh NAMES DIR CATALOG.dtb...
#
# Builds gperf's hash functions for the names that the program NAMES lists, as shared objects in
# DIR.
set -eu
names=$1
dir=$2
mkdir -p "$dir"
if ! command -v gperf >/dev/null; then
	echo "SKIP gperf: it is not installed"
	exit
fi
shift
"$names" --list "$@"
for list in "$dir"/*.gperf; do
	made=${list%.gperf}
	cmp -s "$list" "$made.list" && continue
	scripts/limit.sh 60 gperf -t -l -C -E -L ANSI-C -N gperf_find "$list" >"$made.c" || continue
	${CC:-cc} -O2 -shared -fPIC -w -x c "$made.c" -o "$made.so"
	cp "$list" "$made.list"
done
