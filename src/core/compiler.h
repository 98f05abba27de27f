/* SPDX-License-Identifier: BSD-2-Clause */
/* Keep compilers from calling libc */
#pragma once

#include "core/linkage.h"

#ifdef __GNUC__
/* For loops like memset, memcpy or strlen, which compilers replace by calls, even freestanding. */
#define PMUMAP_NO_LIBCALL_() __asm__ __volatile__("" : : : "memory")
/*
 * Load the value before the branch that depends on it, so that the compiler can select without a
 * branch. On x86-64 a selector takes 3 ns instead of 9 if keys come in random order.
 */
#define PMUMAP_LOADED_(x) __asm__ __volatile__("" : "+r"(x))
/* Never inline: a fast path needs no stack frame then, and gcc -Os makes no copies. */
#define PMUMAP_OUTLINE_ static __attribute__((__noinline__, __unused__))
/* Inline even when optimising for size: the call would be larger. */
#define PMUMAP_ALWAYS_INLINE_ static inline __attribute__((__always_inline__))
/* Inline into callers unless optimising for size: a leaf look-up needs no stack frame. */
#ifdef __OPTIMIZE_SIZE__
#define PMUMAP_INLINE_ static inline
#else
#define PMUMAP_INLINE_ PMUMAP_ALWAYS_INLINE_
#endif
/* Where unaligned big-endian loads are one instruction, a call would be larger. */
#ifdef __powerpc64__
#define PMUMAP_LOAD_ PMUMAP_ALWAYS_INLINE_
#else
#define PMUMAP_LOAD_ static inline
#endif
/* Memory of this type may be accessed as another type. */
#define PMUMAP_MAY_ALIAS_ __attribute__((__may_alias__))
/* Runs once per boot; optimised for size even at -O2. Not for work per node or per name. */
#define PMUMAP_COLD_ __attribute__((__cold__))
#else
#define PMUMAP_NO_LIBCALL_() ((void)0)
#define PMUMAP_LOADED_(x) ((void)0)
#define PMUMAP_OUTLINE_ static inline
#define PMUMAP_ALWAYS_INLINE_ static inline
#define PMUMAP_INLINE_ static inline
#define PMUMAP_LOAD_ static inline
#define PMUMAP_MAY_ALIAS_
#define PMUMAP_COLD_
#endif
