/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"

/*
 * In loops that look like memset, memcpy or strlen: compilers turn those into calls even when
 * freestanding. `make check-undef` fails where one is missing.
 */
#ifdef __GNUC__
#define PMUMAP_NO_LIBCALL_() __asm__ __volatile__("" : : : "memory")
#else
#define PMUMAP_NO_LIBCALL_() ((void)0)
#endif

/*
 * LOADED: a value that is loaded before the test that uses it, so that the test needs no branch.
 * OUTLINE: a function of its own. Of a look-up the rarer way, so that the usual one has no stack
 * frame; and what gcc -Os would copy into each of its callers.
 */
#ifdef __GNUC__
#define PMUMAP_LOADED_(x) __asm__ __volatile__("" : "+r"(x))
#define PMUMAP_OUTLINE_ static __attribute__((__noinline__, __unused__))
#else
#define PMUMAP_LOADED_(x) ((void)0)
#define PMUMAP_OUTLINE_ static inline
#endif
