/* SPDX-License-Identifier: BSD-2-Clause */
/* What keeps compilers from calling libc */
#pragma once

#include "core/linkage.h"

/*
 * For loops that look like memset, memcpy or strlen. Compilers turn those into calls of libc, even
 * when freestanding. `make check-undef` fails where this is missing.
 */
#ifdef __GNUC__
#define PMUMAP_NO_LIBCALL_() __asm__ __volatile__("" : : : "memory")
#else
#define PMUMAP_NO_LIBCALL_() ((void)0)
#endif

/*
 * LOADED: load this value before the test that decides about it, so that the test needs no branch.
 * On x86-64, where keys come in no order, a selector takes 3 ns with it and 9 without.
 * OUTLINE: keep this a function of its own: the rarer way of a look-up, so that the usual one needs
 * no stack frame; and what gcc -Os would copy into each of its callers.
 * COLD: called once at boot: small rather than fast, at -O2 too. Not what a reader or a builder
 * does for each node of a tree or each name of a catalog: those may be many.
 * INLINE: copy this into its callers unless code has to be small: a look-up that calls nothing
 * needs no stack frame.
 * ALWAYS_INLINE: also where code has to be small: a call would take more.
 * MAY_ALIAS: memory of this type may also be used as another type.
 */
#ifdef __GNUC__
#define PMUMAP_LOADED_(x) __asm__ __volatile__("" : "+r"(x))
#define PMUMAP_OUTLINE_ static __attribute__((__noinline__, __unused__))
#define PMUMAP_ALWAYS_INLINE_ static inline __attribute__((__always_inline__))
#ifdef __OPTIMIZE_SIZE__
#define PMUMAP_INLINE_ static inline
#else
#define PMUMAP_INLINE_ PMUMAP_ALWAYS_INLINE_
#endif
#define PMUMAP_MAY_ALIAS_ __attribute__((__may_alias__))
#define PMUMAP_COLD_ __attribute__((__cold__))
#else
#define PMUMAP_LOADED_(x) ((void)0)
#define PMUMAP_OUTLINE_ static inline
#define PMUMAP_ALWAYS_INLINE_ static inline
#define PMUMAP_INLINE_ static inline
#define PMUMAP_MAY_ALIAS_
#define PMUMAP_COLD_
#endif
