/* SPDX-License-Identifier: BSD-2-Clause */
/* Scales */
#pragma once

#include "imc/findings_api.h"

#define PMUMAP_IMC_EXPONENTS_ 9999 /* from -9999 to 9999 */

PMUMAP_DEF int pmumap_imc_scale(const char *scale, uint64_t *mantissa, int32_t *exponent)
{
	int32_t point = 0, tens = 0, sign = 1;
	uint64_t value = 0;

	for (; *scale == '.' || (*scale >= '0' && *scale <= '9'); scale++) {
		uint32_t digit = (uint32_t)(*scale - '0');

		if (*scale == '.') {
			if (point++)
				return 0;
			continue;
		}
		if (value > ~(uint64_t)0 / 10 || (value == ~(uint64_t)0 / 10 && digit > 5))
			return 0;
		value = value * 10 + digit;
		tens -= point;
	}
	if (*scale == 'e' || *scale == 'E') {
		int32_t power = 0;

		scale++;
		if (*scale == '+' || *scale == '-')
			sign = *scale++ == '-' ? -1 : 1;
		if (*scale == 0)
			return 0;
		for (; *scale >= '0' && *scale <= '9' && power <= PMUMAP_IMC_EXPONENTS_; scale++)
			power = power * 10 + (*scale - '0');
		tens += sign * power;
	}
	if (*scale || value == 0 || tens < -PMUMAP_IMC_EXPONENTS_ || tens > PMUMAP_IMC_EXPONENTS_)
		return 0;
	*mantissa = value;
	*exponent = tens;
	return 1;
}
