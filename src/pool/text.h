/* SPDX-License-Identifier: BSD-2-Clause */
/* Compare and hash strings */
#pragma once

#include "core/bits.h"

/* Map a 32-bit number to 0..n-1 without a division. */
static inline uint32_t pmumap_scale_to_(uint32_t x, uint32_t n)
{
	return (uint32_t)((uint64_t)x * n >> 32);
}

/* Compare two strings by bytes. Returns -1, 0 or 1. */
static inline int pmumap_compare_strings_(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return (*a != *b) * ((unsigned char)*a < (unsigned char)*b ? -1 : 1);
}

/* Compare a terminated string with a text of len bytes. Returns -1, 0 or 1. */
static inline int pmumap_compare_text_(const char *s, const unsigned char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if ((unsigned char)s[i] != text[i] || s[i] == 0)
			return s[i] == 0 || (unsigned char)s[i] < text[i] ? -1 : 1;
	}
	return s[len] != 0;
}

/*
 * Words of 8 bytes from any address, the first byte highest, so that images do not depend on the
 * order. Where one instruction loads a word, say so: in loops, compilers do not recognise bytes.
 */
#if defined(__GNUC__) && (defined(__powerpc__) || defined(__x86_64__) || defined(__i386__) ||      \
			  defined(__s390__) || defined(__ARM_FEATURE_UNALIGNED))
#define PMUMAP_UNALIGNED_ 1

struct pmumap_unaligned_ {
	union {
		uint64_t word;
		uint32_t half;
	} at;
} __attribute__((__packed__, __may_alias__));

#define PMUMAP_READ_(part, p) (((const struct pmumap_unaligned_ *)(const void *)(p))->at.part)
#define PMUMAP_DIFFER_(part, a, b) (PMUMAP_READ_(part, a) ^ PMUMAP_READ_(part, b))

#else
#define PMUMAP_UNALIGNED_ 0
#endif

PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_load_word_(const unsigned char *p)
{
#if PMUMAP_UNALIGNED_ && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return PMUMAP_READ_(word, p);
#elif PMUMAP_UNALIGNED_
	return __builtin_bswap64(PMUMAP_READ_(word, p));
#else
	return (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 | (uint64_t)p[2] << 40 |
	       (uint64_t)p[3] << 32 | (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 |
	       (uint64_t)p[6] << 8 | (uint64_t)p[7];
#endif
}

/* 0 if n bytes are equal. The last words compared may overlap the previous ones. */
PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_differ_(const unsigned char *a, const unsigned char *b,
					      size_t n)
{
#if PMUMAP_UNALIGNED_
	if (n >= 16) {
		for (; n > 16; n -= 16, a += 16, b += 16) {
			if (PMUMAP_DIFFER_(word, a, b) | PMUMAP_DIFFER_(word, a + 8, b + 8))
				return 1;
		}
		a += n;
		b += n;
		return PMUMAP_DIFFER_(word, a - 16, b - 16) | PMUMAP_DIFFER_(word, a - 8, b - 8);
	}
	if (n >= 8)
		return PMUMAP_DIFFER_(word, a, b) | PMUMAP_DIFFER_(word, a + n - 8, b + n - 8);
	if (n >= 4)
		return PMUMAP_DIFFER_(half, a, b) | PMUMAP_DIFFER_(half, a + n - 4, b + n - 4);
#else
	for (; n >= 4; n -= 4, a += 4, b += 4) {
		if (a[0] != b[0] || a[1] != b[1] || a[2] != b[2] || a[3] != b[3])
			return 1;
	}
#endif
	return n && (a[0] != b[0] || a[n / 2] != b[n / 2] || a[n - 1] != b[n - 1]);
}

/* The result has a bit of PMUMAP_HIGH_BITS_ if and only if a byte is 0; ignore its other bits. */
static inline uint64_t pmumap_zero_bytes_(uint64_t word)
{
	return (word - 0x0101010101010101u) & ~word;
}

#define PMUMAP_HIGH_BITS_ 0x8080808080808080u

/* Multiply to 128 bits, and fold: the upper half XOR the lower half. */
PMUMAP_INLINE_ uint64_t pmumap_hash_mix_(uint64_t a, uint64_t b)
{
#if defined(__GNUC__) && defined(__SIZEOF_INT128__)
	__extension__ typedef unsigned __int128 product;
	product p = (product)a * b;

	return (uint64_t)p ^ (uint64_t)(p >> 64);
#else
	uint64_t low = (uint64_t)(uint32_t)a * (uint32_t)b;
	uint64_t one = (a >> 32) * (uint32_t)b + (low >> 32);
	uint64_t two = (b >> 32) * (uint32_t)a + (uint32_t)one;

	return ((a >> 32) * (b >> 32) + (one >> 32) + (two >> 32)) ^ (two << 32 | (uint32_t)low);
#endif
}

/*
 * Hash a text by two words at a time; the last two may overlap the previous ones. Texts that
 * collide with one key almost never do with another.
 */
PMUMAP_INLINE_ uint64_t pmumap_hash_text_(const unsigned char *p, size_t len, uint64_t key)
{
	uint64_t hash = len ^ (key << 32 | key >> 32), word = 0;
	size_t at;

	if (len >= 16) {
		for (at = 0; at < len - 16; at += 16)
			hash = pmumap_hash_mix_(pmumap_load_word_(p + at) ^ key,
						pmumap_load_word_(p + at + 8) ^ hash);
		return pmumap_hash_mix_(pmumap_load_word_(p + len - 16) ^ key,
					pmumap_load_word_(p + len - 8) ^ hash);
	}
	if (len >= 8)
		return pmumap_hash_mix_(pmumap_load_word_(p) ^ key,
					pmumap_load_word_(p + len - 8) ^ hash);
	for (; len; len--) {
		word = word << 8 | *p++;
		PMUMAP_NO_LIBCALL_();
	}
	return pmumap_hash_mix_(word ^ key, hash);
}
