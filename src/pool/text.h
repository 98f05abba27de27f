/* SPDX-License-Identifier: BSD-2-Clause */
/* Compare and hash strings */
#pragma once

#include "core/compiler.h"

/* Hash the next 8 bytes. */
static inline uint64_t pmumap_hash_mix_(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 32;
}

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

/* Compilers turn this into one load where the target allows. */
PMUMAP_INLINE_ uint64_t pmumap_load_le64_(const unsigned char *p)
{
	return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
	       (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
	       (uint64_t)p[7] << 56;
}

/* The result has a bit of PMUMAP_HIGH_BITS_ if and only if a byte is 0; ignore its other bits. */
static inline uint64_t pmumap_zero_bytes_(uint64_t word)
{
	return (word - 0x0101010101010101u) & ~word;
}

#define PMUMAP_HIGH_BITS_ 0x8080808080808080u

/*
 * Hash a text in parts, to put names into the index. pmumap_imc_hash_name_() hashes a whole text,
 * to find them, and must agree with this one.
 */
struct pmumap_hash_ {
	uint64_t hash, word;
	uint32_t bytes;
};

/* Different seeds give different hashes. */
static inline void pmumap_hash_begin_(struct pmumap_hash_ *h, uint32_t seed)
{
	h->hash = seed;
	h->word = ~(uint64_t)0;
	h->bytes = 0;
}

static inline void pmumap_hash_add_byte_(struct pmumap_hash_ *h, unsigned char byte)
{
	h->word = h->word >> 8 | (uint64_t)byte << 56;
	if (++h->bytes % 8 == 0)
		h->hash = pmumap_hash_mix_(h->hash, h->word);
}

/* Hash the next part of the text. */
static inline void pmumap_hash_add_(struct pmumap_hash_ *h, const char *text)
{
	for (; *text; text++)
		pmumap_hash_add_byte_(h, (unsigned char)*text);
}

/*
 * Hash the next part by words, up to its 0. 8 bytes must be readable from each of its bytes on. Add
 * single bytes until the words line up with those of the hash: shifting by a variable needs libgcc
 * on 32-bit machines.
 */
static inline void pmumap_hash_add_words_(struct pmumap_hash_ *h, const char *text)
{
	uint64_t word;

	for (; h->bytes % 8 && *text; text++)
		pmumap_hash_add_byte_(h, (unsigned char)*text);
	for (;; text += 8) {
		word = pmumap_load_le64_((const unsigned char *)text);
		if (pmumap_zero_bytes_(word) & PMUMAP_HIGH_BITS_)
			break;
		h->hash = pmumap_hash_mix_(h->hash, word);
		h->word = word;
		h->bytes += 8;
	}
	pmumap_hash_add_(h, text);
}

static inline uint64_t pmumap_hash_end_(const struct pmumap_hash_ *h)
{
	return h->bytes % 8 ? pmumap_hash_mix_(h->hash + h->bytes, h->word) : h->hash;
}

static inline uint32_t pmumap_load_le32_(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Whether n bytes are equal. The last word compared may overlap the previous one. */
PMUMAP_INLINE_ int pmumap_equal_bytes_(const unsigned char *a, const unsigned char *b, size_t n)
{
	size_t i;

	if (n >= 8) {
		for (; n > 8; n -= 8) {
			if (pmumap_load_le64_(a) != pmumap_load_le64_(b))
				return 0;
			a += 8;
			b += 8;
		}
		return pmumap_load_le64_(a + n - 8) == pmumap_load_le64_(b + n - 8);
	}
	if (n >= 4)
		return pmumap_load_le32_(a) == pmumap_load_le32_(b) &&
		       pmumap_load_le32_(a + n - 4) == pmumap_load_le32_(b + n - 4);
	for (i = 0; i < n; i++) {
		if (a[i] != b[i])
			return 0;
	}
	return 1;
}
