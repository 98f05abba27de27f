/* SPDX-License-Identifier: BSD-2-Clause */
/* Which nest units a machine has */
#pragma once

#include "imc/list.h"
#include "imc/machine_api.h"
#include "core/compiler.h"

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
	uint8_t parts;      /* how many suffixes _0, _1, ... the name may have, at most 10 */
};

/* So many bits of the vector, from bit n on; bit 0 is the highest. At most bit 63. */
static inline uint32_t pmumap_imc_vector_bits_(uint64_t vector, uint32_t n, uint32_t width)
{
	uint32_t high = (uint32_t)(vector >> 32), low = (uint32_t)vector;

	if (n >= 32) {
		high = low;
		low = 0;
	}
	if (n % 32)
		high = high << n % 32 | low >> (32 - n % 32);
	return high >> (32 - width);
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

/* Whether a row names the unit from text to end; *bit: its first one. */
PMUMAP_OUTLINE_ int pmumap_imc_is_row_of_unit_(const struct pmumap_imc_vector_row_ *row,
					       const char *text, const char *end, uint32_t *bit)
{
	uint32_t n = 0;

	text = pmumap_skip_stem_(text, row->stem);
	if (!text)
		return 0;
	if (row->count) {
		n = pmumap_imc_take_number_(&text);
		if (n >= row->count)
			return 0;
	}
	if (end - text == 2 && *text == '_' && (uint32_t)text[1] - '0' < row->parts)
		text = end;
	*bit = row->bit + n * (row->state ? 3 : 1);
	return text == end;
}

/*
 * Memory controllers have bits 1 to 8 in all generations. A pair like mcs01 exists if either half
 * does. mcs0 to mcs7 alone belong to the debug modes and do not exist. Returns the digits of such a
 * name, 1 or 2, and *bit, the first one; 0 for any other name.
 */
static inline int pmumap_imc_digits_of_mcs_(const char *text, const char *end, uint32_t *bit)
{
	text = pmumap_skip_stem_(text, "mcs");
	if (!text || *text < '0' || *text > '7')
		return 0;
	*bit = 1u + (uint32_t)(*text - '0');
	if (end - text == 2 && *text % 2 == 0 && text[1] == *text + 1)
		return 2;
	return end - text == 1;
}

/* Whether a nest unit exists; unit: the name of its node. */
static inline int pmumap_imc_has_unit_(unsigned generation, uint64_t vector, const char *unit,
				       size_t len)
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
	uint32_t bit = 0, bits, state = 0;
	int digits;

	if (generation != PMUMAP_IMC_P9 && generation != PMUMAP_IMC_P10)
		return 1;
	digits = pmumap_imc_digits_of_mcs_(unit, unit + len, &bit);
	if (vector == 0 || digits == 1)
		return 0;
	if (digits == 0) {
		while (row < end && !pmumap_imc_is_row_of_unit_(row, unit, unit + len, &bit))
			row++;
		if (row == end)
			return 1;
		state = row->state;
	}
	bits = pmumap_imc_vector_bits_(vector, bit, digits ? 2 : state ? 3 : 1);
	return state ? bits == state : bits != 0;
}

/* The length of a node's name without the address. */
static inline size_t pmumap_imc_base_name_bytes_(const char *node)
{
	size_t len = 0;

	for (; node[len] && node[len] != '@'; len++)
		PMUMAP_NO_LIBCALL_();
	return len;
}

/*
 * Whether to keep a unit, by the options generation (with or without NO_TRACE) and available. unit:
 * the node's name.
 */
static inline int pmumap_imc_is_wanted_(unsigned generation, uint64_t vector, uint32_t type,
					const char *unit)
{
	if (type == PMUMAP_IMC_TRACE)
		return !(generation & PMUMAP_IMC_NO_TRACE);
	return type != PMUMAP_IMC_NEST ||
	       pmumap_imc_has_unit_(generation & ~(unsigned)PMUMAP_IMC_NO_TRACE, vector, unit,
				    pmumap_imc_base_name_bytes_(unit));
}

PMUMAP_DEF int pmumap_imc_available(unsigned generation, uint64_t vector, const char *unit)
{
	size_t len = pmumap_imc_base_name_bytes_(unit);
	const char *linux_name = pmumap_skip_stem_(unit, PMUMAP_IMC_LINUX_NEST_);

	if (linux_name && len >= 9 && pmumap_skip_stem_(unit + len - 4, PMUMAP_IMC_LINUX_END_)) {
		unit = linux_name;
		len -= 9;
	}
	return pmumap_imc_has_unit_(generation, vector, unit, len);
}

PMUMAP_DEF int pmumap_imc_wanted(const struct pmumap_imc_options *opt, uint32_t type,
				 const char *unit)
{
	return pmumap_imc_is_wanted_(opt->generation, opt->available, type, unit);
}
