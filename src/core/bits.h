/* SPDX-License-Identifier: BSD-2-Clause */
/* Bits, and words of memory */
#pragma once

#include "core/compiler.h"

/* bytes: a multiple of 4; to: aligned to 4. */
static inline void pmumap_zero_words_(void *to, size_t bytes)
{
	uint32_t *word = (uint32_t *)to;

	for (bytes /= sizeof(*word); bytes; bytes--) {
		*word++ = 0;
		PMUMAP_NO_LIBCALL_();
	}
}

/* Big-endian numbers, read byte by byte because they may be unaligned. */
PMUMAP_LOAD_ uint32_t pmumap_load_be32_(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | (uint32_t)p[3];
}

static inline uint64_t pmumap_load_be64_(const unsigned char *p)
{
	return (uint64_t)pmumap_load_be32_(p) << 32 | pmumap_load_be32_(p + 4);
}

static inline int pmumap_is_overlap_(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
	return (size_t)a - (size_t)b < b_bytes || (size_t)b - (size_t)a < a_bytes;
}
