/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "imc/api.h"
#include "core/text.h"
#include "imc/unit_name.h"

/* The units that have bits in an availability vector; count 0: one, without a number. */
struct pmumap_imc_vector_row_ {
	char stem[9];
	uint8_t bit, count;
	uint8_t state; /* of a link, whose three bits say what it is used as; 0: one bit each */
	uint8_t parts; /* _0, _1, ... behind the number */
};

/* Bits count from the highest. */
static inline uint32_t pmumap_imc_vector_bit_(uint64_t vector, uint32_t bit)
{
	return (uint32_t)(bit < 32 ? vector >> 32 : vector) >> (31 - bit % 32) & 1;
}

/* The number that text begins with, without leading zeros; below 100, or 100. */
static inline uint32_t pmumap_imc_take_number_(const char **text)
{
	uint32_t n = 100;

	if (**text >= '0' && **text <= '9') {
		n = (uint32_t)(*(*text)++ - '0');
		if (n && **text >= '0' && **text <= '9')
			n = n * 10 + (uint32_t)(*(*text)++ - '0');
	}
	return n;
}

/* One row against a name: 1 or 0, whether the unit is there; 2: some other unit. */
static inline int pmumap_imc_bit_of_unit_(const struct pmumap_imc_vector_row_ *row, uint64_t vector,
					  const char *text, const char *end)
{
	uint32_t n = 0;

	text = pmumap_skip_stem_(text, row->stem);
	if (!text)
		return 2;
	if (row->count) {
		n = pmumap_imc_take_number_(&text);
		if (n >= row->count)
			return 2;
	}
	if (row->parts && text < end && *text == '_') {
		text++;
		if (pmumap_imc_take_number_(&text) >= row->parts)
			return 2;
	}
	if (text != end)
		return 2;
	if (!row->state)
		return (int)pmumap_imc_vector_bit_(vector, row->bit + n);
	n = row->bit + 3 * n;
	return (pmumap_imc_vector_bit_(vector, n) << 2 |
		pmumap_imc_vector_bit_(vector, n + 1) << 1 |
		pmumap_imc_vector_bit_(vector, n + 2)) == row->state;
}

/* Memory controllers, alike in all generations: mcs0 to mcs7 in bits 1 to 8, and pairs of them. */
static inline int pmumap_imc_bit_of_mcs_(uint64_t vector, const char *text, const char *end)
{
	text = pmumap_skip_stem_(text, "mcs");
	if (!text || *text < '0' || *text > '7')
		return 2;
	if (end - text == 1)
		return 0;
	if (end - text != 2 || *text % 2 || text[1] != *text + 1)
		return 2;
	return (int)(pmumap_imc_vector_bit_(vector, 1u + (uint32_t)(*text - '0')) |
		     pmumap_imc_vector_bit_(vector, 2u + (uint32_t)(*text - '0')));
}

PMUMAP_DEF int pmumap_imc_available(unsigned generation, uint64_t vector, const char *unit)
{
	static const struct pmumap_imc_vector_row_ rows[] = {
		/* clang-format off */
		{ "powerbus", 0, 1, 0, 0 }, { "mba", 9, 8, 0, 0 }, { "centaur", 17, 8, 0, 0 },
		{ "xlink", 25, 3, 0, 0 }, { "mcd", 28, 2, 0, 0 }, { "phb", 30, 6, 0, 0 },
		{ "nx", 36, 0, 0, 0 }, { "capp", 37, 2, 0, 0 }, { "vas", 39, 0, 0, 0 },
		{ "int", 40, 0, 0, 0 }, { "alink", 41, 4, 0, 0 }, { "nvlink", 45, 6, 0, 0 },

		{ "pb", 0, 0, 0, 0 }, { "pec", 9, 2, 0, 0 }, { "xlink", 11, 8, 5, 0 },
		{ "alink", 11, 8, 6, 0 }, { "otl", 11, 8, 7, 2 }, { "phb", 35, 6, 0, 3 },
		{ "ocmb", 41, 16, 0, 0 }, { "nx", 57, 0, 0, 0 }
		/* clang-format on */
	};
	const uint32_t p9 = 12, all = sizeof(rows) / sizeof(rows[0]);
	uint32_t row = generation == PMUMAP_IMC_P9 ? 0 : p9;
	uint32_t end = generation == PMUMAP_IMC_P9 ? p9 : all;
	size_t len = 0;
	int says;

	if (generation != PMUMAP_IMC_P9 && generation != PMUMAP_IMC_P10)
		return 1;
	for (; unit[len] && unit[len] != '@'; len++)
		;
	(void)pmumap_imc_strip_linux_name_(&unit, &len, 1);
	says = pmumap_imc_bit_of_mcs_(vector, unit, unit + len);
	for (; says == 2 && row < end; row++)
		says = pmumap_imc_bit_of_unit_(&rows[row], vector, unit, unit + len);
	return says != 0;
}
