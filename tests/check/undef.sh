#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# undef.sh COMPILER...: at no optimisation level does an object need a symbol from outside, be it of
# libc or of the compiler's own library; nor is there a warning. LEVELS: of these levels only.
. tests/check/lib.sh
sources
# On 64-bit PowerPC the linker itself defines these, without a library.
linker=' (\.TOC\.|_(save|rest)gpr[01]_[0-9]+)$'

# needs TARGET LEVEL FILE: nothing
needs() {
	works "$1" $cc -std=c11 "$2" $freestanding $warnings -I. -c "$dir/$3.c" -o "$dir/$3.o"
	nothing "$1 $2 $3.c needs" "$(nm -u "$dir/$3.o" | grep -vE "$linker")"
}

for target; do
	compiler "$target" || continue
	for level in ${LEVELS:--O0 -O1 -Os -O2 -O3}; do
		needs "$target" $level implementation
	done
	# The same functions, as static ones. What is not optimised is the same.
	needs "$target" -O2 all
done
finish
