/* SPDX-License-Identifier: BSD-2-Clause */
/* Parse numbers that people write */
#pragma once

#include "core/words.h"

#define PMUMAP_TENTH_ 0x1999999999999999u /* a tenth of the largest 64-bit number */

/* Parse all of the text in base 10 or 16. Returns 0 if it is empty, malformed or above 64 bits. */
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
