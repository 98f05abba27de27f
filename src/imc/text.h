/* SPDX-License-Identifier: BSD-2-Clause */
/* A name to find, and its hash */
#pragma once

#include "imc/hash.h"

/*
 * A text to find in the index, at most INDEXED_BYTES_ long. One pass hashes its words, and keeps
 * them for the comparison if reading them again would be slow.
 *
 * Most targets load an unaligned word in one instruction, so keeping words gains nothing. With
 * KEEP_WORDS_ 1 it takes eight loads and as many steps to join them. There the words are kept, and
 * the strings of the map are read by aligned words: the map is 8-byte aligned.
 */
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ &&                              \
	((defined(__riscv_xlen) && __riscv_xlen == 64) ||                                          \
	 (defined(__aarch64__) && !defined(__ARM_FEATURE_UNALIGNED)))
#define PMUMAP_IMC_KEEP_WORDS_ 1
#else
#define PMUMAP_IMC_KEEP_WORDS_ 0
#endif

#define PMUMAP_IMC_ZERO_DIGITS_ 0x3030303030303030u

struct pmumap_imc_text_ {
	size_t len;
#if PMUMAP_IMC_KEEP_WORDS_
	/* bytes past the end are 0xff; one more word is read, its value does not matter */
	uint64_t word[PMUMAP_IMC_INDEXED_BYTES_ / 8 + 2];
#else
	const unsigned char *at;
#endif
};

/* Prepare a text to find. Returns its hash, equal to that of pmumap_imc_hash_name_(). */
PMUMAP_INLINE_ uint64_t pmumap_imc_hash_text_(const struct pmumap_imc *m, const unsigned char *p,
					      size_t len, struct pmumap_imc_text_ *text)
{
#if PMUMAP_IMC_KEEP_WORDS_
	uint64_t hash = m->seed, word = ~(uint64_t)0, rest = word;
	uint64_t *to = text->word;
	uint32_t bits = len % 8 * 8;
	size_t left;

	for (left = len; left >= 8; left -= 8, p += 8) {
		word = pmumap_load_le64_(p);
		hash = pmumap_hash_mix_(hash, word);
		*to++ = word;
	}
	while (left)
		rest = rest << 8 | p[--left];
	to[0] = rest;
	to[1] = 0;
	text->len = len;
	return bits ? pmumap_hash_mix_(hash + len, rest << (64 - bits) | word >> bits) : hash;
#else
	text->at = p;
	text->len = len;
	return pmumap_imc_hash_name_(p, len, m->seed);
#endif
}

/* Whether n bytes of the text, beginning at from, equal a string of the map. */
PMUMAP_INLINE_ int pmumap_imc_text_has_(const struct pmumap_imc_text_ *text, uint32_t from,
					const struct pmumap_imc *m, uint32_t at, uint32_t n)
{
#if PMUMAP_IMC_KEEP_WORDS_
	typedef uint64_t PMUMAP_MAY_ALIAS_ word;
	const word *s = (const word *)pmumap_image_at_(m, at & ~(uint32_t)7);
	const uint64_t *t = text->word + from / 8;
	uint32_t s_bits = at % 8 * 8, t_bits = from % 8 * 8;
	uint64_t x;

	for (;; n -= 8, s++, t++) {
		x = (s[0] >> s_bits | s[1] << 1 << (63 - s_bits)) ^
		    (t[0] >> t_bits | t[1] << 1 << (63 - t_bits));
		if (n <= 8)
			return (x << (32 - 4 * n) << (32 - 4 * n)) == 0;
		if (x)
			return 0;
	}
#else
	return pmumap_equal_bytes_(text->at + from, (const unsigned char *)pmumap_image_at_(m, at),
				   n);
#endif
}

/* The result has a bit of PMUMAP_HIGH_BITS_ if and only if a byte is below '0'; ignore others. */
static inline uint64_t pmumap_imc_low_bytes_(uint64_t word)
{
	return (word - PMUMAP_IMC_ZERO_DIGITS_) & ~word;
}

/*
 * Whether the text has a byte below '0', such as a slash. Every miss runs this, so it reads words.
 * Almost no name has such a byte, and testing for '/' alone takes more instructions.
 */
PMUMAP_INLINE_ int pmumap_imc_text_has_low_byte_(const struct pmumap_imc_text_ *text)
{
	uint64_t found = 0;
	size_t i;

#if PMUMAP_IMC_KEEP_WORDS_
	for (i = 0; i <= text->len / 8; i++)
		found |= pmumap_imc_low_bytes_(text->word[i]);
#else
	if (text->len < 8) {
		for (i = 0; i < text->len; i++) {
			if (text->at[i] < '0')
				return 1;
		}
		return 0;
	}
	/* The first word, then the others from the end: the last of them may overlap the first. */
	found |= pmumap_imc_low_bytes_(pmumap_load_le64_(text->at));
	for (i = text->len; i > 8; i -= 8)
		found |= pmumap_imc_low_bytes_(pmumap_load_le64_(text->at + i - 8));
#endif
	return (found & PMUMAP_HIGH_BITS_) != 0;
}
