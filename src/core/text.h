/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts that people write: numbers and words */
#pragma once

#include "core/linkage.h"
#include "core/status.h"
#include "core/compiler.h"
#include "core/bits.h"

/*
 * Texts that people wrote are read from at to end, in lower case and with '_' as '-'.
 */
static inline char pmumap_fold_case_(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c - 'A' + 'a');
	return c == '_' ? '-' : c;
}

/* Step over a word if the text begins with it. Returns 1; or 0 and *at untouched. */
static inline int pmumap_skip_word_(const char **at, const char *end, const char *word)
{
	const char *c = *at;

	for (; *word; word++, c++) {
		if (c == end || pmumap_fold_case_(*c) != pmumap_fold_case_(*word))
			return 0;
	}
	*at = c;
	return 1;
}

/* Whether all of the text is this word. */
static inline int pmumap_is_word_(const char *at, const char *end, const char *word)
{
	return pmumap_skip_word_(&at, end, word) && at == end;
}

#define PMUMAP_TENTH_ 0x1999999999999999u /* a tenth of the largest 64-bit number */

/*
 * All of the text as a number; base: 10 or 16. Returns 0 without a digit, for anything else, and if
 * it has more than 64 bits.
 */
static inline int pmumap_parse_digits_(const char *at, const char *end, uint32_t base,
				       uint64_t *value)
{
	if (at == end)
		return 0;
	for (*value = 0; at < end; at++) {
		char c = pmumap_fold_case_(*at);
		uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
				 : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
							: 16;

		if (digit >= base || *value > (base == 16 ? ~(uint64_t)0 >> 4 : PMUMAP_TENTH_))
			return 0;
		if (digit > ~(uint64_t)0 - *value * base)
			return 0;
		*value = *value * base + digit;
	}
	return 1;
}

/* The same, in hexadecimal behind 0x, else in decimal. */
static inline int pmumap_parse_number_(const char *at, const char *end, uint64_t *value)
{
	uint32_t base = pmumap_skip_word_(&at, end, "0x") ? 16 : 10;

	return pmumap_parse_digits_(at, end, base, value);
}

/* Step over one of n words, if '-' or the end follows it. Returns which; n: none of them. */
static inline uint32_t pmumap_skip_listed_word_(const char **at, const char *end, const char *words,
						uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++, words = pmumap_nth_text_(words, 1)) {
		const char *rest = *at;

		if (!pmumap_skip_word_(&rest, end, words) ||
		    (rest < end && pmumap_fold_case_(*rest) != '-'))
			continue;
		*at = rest;
		break;
	}
	return i;
}
