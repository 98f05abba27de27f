/* SPDX-License-Identifier: BSD-2-Clause */
/* Which nest units a machine has */
#pragma once

#include "pool/text.h"
#include "imc/unit_name.h"

/* The rest of a text after stem; NULL if it does not begin with stem. */
static inline const char *pmumap_skip_stem_(const char *text, const char *stem)
{
	while (*stem && *text == *stem) {
		text++;
		stem++;
	}
	return *stem ? 0 : text;
}

/* Units with bits in an availability vector, by the stem of their name. */
struct pmumap_imc_vector_row_ {
	char stem[9];
	uint8_t bit, count; /* first bit; number of units; 0: one unit, no number in its name */
	uint8_t state;      /* of a link: it exists if its three bits are this; 0: one bit each */
	uint8_t parts;      /* how many suffixes _0, _1, ... the name may have */
};

#define PMUMAP_IMC_OTHER_UNIT_ 2 /* besides exists (1) and does not (0): another row's unit */

/* A bit of the vector; bit 0 is the highest. */
static inline uint32_t pmumap_imc_vector_bit_(uint64_t vector, uint32_t bit)
{
	return (uint32_t)(bit < 32 ? vector >> 32 : vector) >> (31 - bit % 32) & 1;
}

/* Consume a number below 100 without leading zeros. Returns it, or 100 if there is none. */
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

/* Whether a row says that the unit named from text to end exists; or OTHER_UNIT_. */
static inline int pmumap_imc_bit_of_unit_(const struct pmumap_imc_vector_row_ *row, uint64_t vector,
					  const char *text, const char *end)
{
	uint32_t n = 0;

	text = pmumap_skip_stem_(text, row->stem);
	if (!text)
		return PMUMAP_IMC_OTHER_UNIT_;
	if (row->count) {
		n = pmumap_imc_take_number_(&text);
		if (n >= row->count)
			return PMUMAP_IMC_OTHER_UNIT_;
	}
	if (row->parts && text < end && *text == '_') {
		text++;
		if (pmumap_imc_take_number_(&text) >= row->parts)
			return PMUMAP_IMC_OTHER_UNIT_;
	}
	if (text != end)
		return PMUMAP_IMC_OTHER_UNIT_;
	if (!row->state)
		return (int)pmumap_imc_vector_bit_(vector, row->bit + n);
	n = row->bit + 3 * n;
	return (pmumap_imc_vector_bit_(vector, n) << 2 |
		pmumap_imc_vector_bit_(vector, n + 1) << 1 |
		pmumap_imc_vector_bit_(vector, n + 2)) == row->state;
}

/*
 * The same for memory controllers: bits 1 to 8 in all generations. A pair like mcs01 exists if
 * either half does. mcs0 to mcs7 alone belong to the debug modes and do not exist.
 */
static inline int pmumap_imc_bit_of_mcs_(uint64_t vector, const char *text, const char *end)
{
	text = pmumap_skip_stem_(text, "mcs");
	if (!text || *text < '0' || *text > '7')
		return PMUMAP_IMC_OTHER_UNIT_;
	if (end - text == 1)
		return 0;
	if (end - text != 2 || *text % 2 || text[1] != *text + 1)
		return PMUMAP_IMC_OTHER_UNIT_;
	return (int)(pmumap_imc_vector_bit_(vector, 1u + (uint32_t)(*text - '0')) |
		     pmumap_imc_vector_bit_(vector, 2u + (uint32_t)(*text - '0')));
}

PMUMAP_DEF int pmumap_imc_available(unsigned generation, uint64_t vector, const char *unit)
{
	static const struct pmumap_imc_vector_row_ p9[] = {
		/* clang-format off */
		{ "powerbus", 0, 1, 0, 0 }, { "mba", 9, 8, 0, 0 }, { "centaur", 17, 8, 0, 0 },
		{ "xlink", 25, 3, 0, 0 }, { "mcd", 28, 2, 0, 0 }, { "phb", 30, 6, 0, 0 },
		{ "nx", 36, 0, 0, 0 }, { "capp", 37, 2, 0, 0 }, { "vas", 39, 0, 0, 0 },
		{ "int", 40, 0, 0, 0 }, { "alink", 41, 4, 0, 0 }, { "nvlink", 45, 6, 0, 0 }
		/* clang-format on */
	};
	static const struct pmumap_imc_vector_row_ p10[] = {
		/* clang-format off */
		{ "pb", 0, 0, 0, 0 }, { "pec", 9, 2, 0, 0 }, { "xlink", 11, 8, 5, 0 },
		{ "alink", 11, 8, 6, 0 }, { "otl", 11, 8, 7, 2 }, { "phb", 35, 6, 0, 3 },
		{ "ocmb", 41, 16, 0, 0 }, { "nx", 57, 0, 0, 0 }
		/* clang-format on */
	};
	const struct pmumap_imc_vector_row_ *row = generation == PMUMAP_IMC_P9 ? p9 : p10;
	const struct pmumap_imc_vector_row_ *end =
		row + (generation == PMUMAP_IMC_P9 ? sizeof(p9) / sizeof(p9[0])
						   : sizeof(p10) / sizeof(p10[0]));
	size_t len = 0;
	int there;

	if (generation != PMUMAP_IMC_P9 && generation != PMUMAP_IMC_P10)
		return 1;
	if (vector == 0)
		return 0;
	for (; unit[len] && unit[len] != '@'; len++)
		;
	(void)pmumap_imc_strip_linux_name_(&unit, &len, 1);
	there = pmumap_imc_bit_of_mcs_(vector, unit, unit + len);
	for (; there == PMUMAP_IMC_OTHER_UNIT_ && row < end; row++)
		there = pmumap_imc_bit_of_unit_(row, vector, unit, unit + len);
	return there != 0;
}

/* Whether to keep a unit, by the options generation (with or without NO_TRACE) and available. */
static inline int pmumap_imc_is_wanted_(unsigned generation, uint64_t vector, uint32_t type,
					const char *unit)
{
	if (type == PMUMAP_IMC_TRACE)
		return !(generation & PMUMAP_IMC_NO_TRACE);
	return type != PMUMAP_IMC_NEST ||
	       pmumap_imc_available(generation & ~(unsigned)PMUMAP_IMC_NO_TRACE, vector, unit);
}
