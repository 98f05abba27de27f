#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# clang-format would change no C file.
. tests/check/lib.sh

for file in $(git ls-files '*.c' '*.h'); do
	clang-format --dry-run -Werror "$file" >"$dir/format" 2>&1 && pass || fail "$file: clang-format -i $file"
done
finish
