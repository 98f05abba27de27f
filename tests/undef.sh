#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# undef.sh COMPILER...: at no optimisation level does an object need a symbol from outside, be it of
# libc or of the compiler's own library.
. tests/lib.sh
sources
# On 64-bit PowerPC the linker itself defines these, without a library.
linker=' (\.TOC\.|_(save|rest)gpr[01]_[0-9]+)$'

for target; do
	compiler "$target" || continue
	for level in -O0 -O1 -Os -O2 -O3; do
		for file in all implementation; do
			works "$target" $cc -std=c11 $level $freestanding -I. -c "$dir/$file.c" \
				-o "$dir/$file.o"
			nothing "$target $level $file.c needs" \
				"$(nm -u "$dir/$file.o" | grep -vE "$linker")"
		done
	done
done
finish
