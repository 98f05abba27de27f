#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# undef.sh COMPILER...: at every optimisation level objects need no external symbol (libc, libgcc),
# and compile without a warning. LEVELS limits the levels.
. tests/check/lib.sh
sources
# On 64-bit PowerPC the linker defines these itself.
linker=' (\.TOC\.|_(save|rest)gpr[01]_[0-9]+)$'

# needs TARGET LEVEL FILE: needs no external symbol
needs() {
	works "$1" $cc -std=c11 "$2" $freestanding $warnings -I. -c "$dir/$3.c" -o "$dir/$3.o"
	nothing "$1 $2 $3.c needs" "$(nm -u "$dir/$3.o" | grep -vE "$linker")"
}

for target; do
	compiler "$target" || continue
	for level in ${LEVELS:--O0 -O1 -Os -O2 -O3}; do
		needs "$target" $level implementation
	done
	# The same functions as static ones. At -O0 they would be the same.
	needs "$target" -O2 all
done
finish
