#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# embed.sh COMPILER...: the headers compile in firmware with its own type header, as in OpenSBI and
# Xvisor, and without standard headers.
. tests/check/lib.sh
sources

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

for target; do
	compiler "$target" || continue
	compile="$cc -std=c11 -fsyntax-only $freestanding -nostdinc $warnings -I. -DPMUMAP_NO_STDINT"
	for options in "" -DPMUMAP_IMPLEMENTATION; do
	for wide in "" -DLONG_LONG; do
		works "$target, own types before" $compile $options $wide -include "$dir/types.h" \
			"$dir/all.c"
		# The headers' own declarations must not clash with the firmware's later ones.
		works "$target, own types after" $compile $options $wide -include "$dir/int.h" \
			-include "$dir/headers.h" -include "$dir/types.h" "$dir/all.c"
	done
	done
done
finish
