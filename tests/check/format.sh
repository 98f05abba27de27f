#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Every C file of the repository is as clang-format leaves it.
. tests/check/lib.sh

for file in $(git ls-files '*.c' '*.h'); do
	clang-format --dry-run -Werror "$file" >"$dir/format" 2>&1 && pass || fail "$file: clang-format -i $file"
done
finish
