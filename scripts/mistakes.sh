#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# mistakes.sh FOLDER: compiles the mistakes of tests/trees/table.txt, each to a blob that has its
# line's number for a name.
set -eu
rm -rf "$1"
mkdir -p "$1"
awk '/^[a-z][^ :]* [0-9]/ { sub(/: .*/, ""); print NR, $0 }' tests/trees/table.txt |
	while read -r line board change; do
		sed -E "$change" "tests/trees/$board.dts" | dtc -q -I dts -O dtb -o "$1/$line.dtb"
	done
