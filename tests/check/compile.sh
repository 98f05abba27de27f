#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# compile.sh undef|std|embed COMPILER...: compiles all functions with each of these compilers. A name
# that ends in ++ is a C++ compiler.
part=$1 # also of the folder's name: several run at a time
shift
. tests/check/lib.sh
sources

# ---- undef: at every optimisation level objects need no external symbol (libc, libgcc), and compile
# without a warning. LEVELS limits the levels. HERE: only -Os

# On 64-bit PowerPC the linker defines these itself.
linker=' (\.TOC\.|_(save|rest)gpr[01]_[0-9]+)$'

# needs TARGET LEVEL FILE: needs no external symbol
needs() {
	works "$1" $cc -std=c11 "$2" $freestanding $warnings -I. -c "$dir/$3.c" -o "$dir/$3.o"
	nothing "$1 $2 $3.c needs" "$(nm -u "$dir/$3.o" | grep -vE "$linker")"
}

undef() {
	[ -z "${HERE:-}" ] || LEVELS=-Os
	for level in ${LEVELS:--O0 -O1 -Os -O2 -O3}; do
		needs "$target" $level implementation
	done
	[ -z "${HERE:-}" ] || return
	# The same functions as static ones. At -O0 they would be the same.
	needs "$target" -O2 all
}

# ---- std: every function compiles without a warning in every standard and both modes. Then repeats
# this with warnings that other projects enable: hypervisors, boot loaders and kernels in C, Spike
# and Genode in C++.

std() {
	case $target in
	*++)
		standards="c++11 c++20" suffix=cc
		more="-std=c++20 -Wswitch-default -Wzero-as-null-pointer-constant -Wold-style-cast
			-Weffc++ -Wcast-qual -Wcast-align -Wdouble-promotion -Wmissing-declarations"
		case $target in clang*) ;; *) more="$more -Wuseless-cast" ;; esac
		;;
	*)
		standards="c99 c11 c17 c2x" suffix=c
		more="-std=c11 -Wswitch-default -Wmissing-prototypes -Wmissing-declarations
			-Wstrict-prototypes -Wcast-qual -Wvla -Wimplicit-fallthrough -Wcast-align
			-Wdeclaration-after-statement -Wredundant-decls -Wnested-externs
			-Wold-style-definition -Wbad-function-cast"
		;;
	esac
	for standard in $standards; do
		for file in all implementation; do
			works "$target $standard" $cc -std=$standard -fsyntax-only -ffreestanding \
				$warnings -I. "$dir/$file.$suffix"
		done
	done
	# Some warnings need the optimiser. undef covers those in C.
	if [ $suffix = cc ]; then
		works "$target -O2" $cc -O2 -ffreestanding $warnings -I. -c "$dir/all.cc" -o "$dir/o.o"
	fi
	# Extra warnings of other projects. None of them needs the optimiser.
	includes $headers >"$dir/include.$suffix"
	for file in include implementation; do
		works "$target, with more warnings" $cc -fsyntax-only -ffreestanding $warnings $more -I. \
			"$dir/$file.$suffix"
	done
	# Each header alone: nothing in it may be unused either.
	for header in $headers; do
		includes "$header" >"$dir/alone.$suffix"
		works "$target $header" $cc -fsyntax-only -ffreestanding $warnings -DPMUMAP_IMPLEMENTATION \
			-I. "$dir/alone.$suffix"
	done
}

# ---- embed: the headers compile in firmware with its own type header, as in OpenSBI and Xvisor, and
# without standard headers.

includes $headers >"$dir/headers.h"

# On rv32 this uint32_t differs from the compiler's (unsigned long); with LONG_LONG uint64_t does
# too.
cat >"$dir/int.h" <<'E2'
#ifndef INT_H
#define INT_H
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef int int32_t;
#if defined(__LP64__) && !defined(LONG_LONG)
typedef unsigned long uint64_t;
#else
typedef unsigned long long uint64_t;
#endif
typedef __SIZE_TYPE__ size_t;
#endif
E2
cat >"$dir/types.h" <<'E2'
#include "int.h"
typedef int bool;
#define true 1
#define false 0
#define NULL ((void *)0)
typedef signed char int8_t;
typedef short int16_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __INTPTR_TYPE__ ssize_t;
#define UINT32_MAX 0xffffffffU
#define offsetof(type, member) __builtin_offsetof(type, member)
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
E2

embed() {
	compile="$cc -std=c11 -fsyntax-only $freestanding -nostdinc $warnings -I. -DPMUMAP_NO_STDINT"
	for options in "" -DLONG_LONG -DPMUMAP_IMPLEMENTATION "-DPMUMAP_IMPLEMENTATION -DLONG_LONG"; do
		works "$target, own types before" $compile $options -include "$dir/types.h" "$dir/all.c"
		# The headers' own declarations must not clash with the firmware's later ones.
		works "$target, own types after" $compile $options -include "$dir/int.h" \
			-include "$dir/headers.h" -include "$dir/types.h" "$dir/all.c"
	done
}

for target; do
	compiler "$target" || continue
	$part
done
finish
