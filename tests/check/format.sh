#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# clang-format would change no C file.
. tests/check/lib.sh

git ls-files '*.c' '*.h' >"$dir/files"
xargs clang-format --dry-run -Werror <"$dir/files" >"$dir/format" 2>&1 && passed=$(wc -l <"$dir/files") ||
	for file in $(sed -nE 's/^([^:]*\.[ch]):[0-9]+:.*/\1/p' "$dir/format" | sort -u) "$(tail -n 1 "$dir/format")"; do
		fail "clang-format -i $file"
	done
finish
