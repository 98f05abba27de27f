#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# mistakes.sh FOLDER: compiles each mistake of tests/trees/table.txt to a blob named after its line
# number.
set -eu
rm -rf "$1"
mkdir -p "$1"
awk '/^[a-z][^ :]* [0-9]/ { sub(/: .*/, ""); print NR, $0 }' tests/trees/table.txt |
	while read -r line board change; do
		sed -E "$change" "tests/trees/$board.dts" | dtc -q -I dts -O dtb -o "$1/$line.dtb"
	done
