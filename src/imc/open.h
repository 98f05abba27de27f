/* SPDX-License-Identifier: BSD-2-Clause */
/* Validate the tables of a foreign image */
#pragma once

#include "imc/tables.h"

/* Whether n strings are in bounds, where the last one ends; from absent on, 0 is none. */
static inline int pmumap_imc_holds_strings_(const struct pmumap_imc *m, const uint32_t *strings,
					    uint32_t n, uint32_t absent)
{
	while (n &&
	       ((n > absent && strings[n - 1] == 0) ||
		(strings[n - 1] >= m->strings && strings[n - 1] - m->strings < m->string_bytes)))
		n--;
	return n == 0;
}

/* Whether the starts of buckets are in bounds and in order. */
static inline int pmumap_imc_open_starts_(const struct pmumap_imc *m, uint32_t table, uint32_t n)
{
	const uint16_t *starts = PMUMAP_IMC_NUMBERS_(m, table);

	if (!PMUMAP_IMAGE_HOLDS_(m, table, n + 1, sizeof(*starts)) || starts[n] > m->names)
		return 0;
	while (n && starts[n - 1] <= starts[n])
		n--;
	return n == 0;
}

/*
 * Whether what rows refer to is in bounds, and each row is one of its unit's. A name can be
 * compared by words.
 */
static inline int pmumap_imc_open_rows_(const struct pmumap_imc *m)
{
	const struct pmumap_imc_unit_row_ *u = PMUMAP_IMC_UNITS_(m);
	const struct pmumap_imc_row_ *row = PMUMAP_IMC_ROWS_(m);
	uint32_t i, n = 0, first;

	for (i = 0; i < m->unit_count; i++, u++) {
		if (!pmumap_imc_is_type_(u->type) ||
		    !pmumap_imc_holds_strings_(m, (const uint32_t *)(const void *)u, 4, 2) ||
		    u->first != n || u->events > m->names - n || u->chips > m->chip_count ||
		    u->chip_count > m->chip_count - u->chips)
			return 0;
		for (first = n; n - first < u->events; n++, row++) {
			if (row->unit != i || row->name % 8 || row->length < u->prefix_bytes ||
			    !pmumap_imc_holds_strings_(m, &row->name, 1, 1) ||
			    row->length + 8u > m->strings + m->string_bytes - row->name ||
			    PMUMAP_IMC_BY_NAME_(m)[n].event >= m->names ||
			    PMUMAP_IMC_NUMBERS_(m, m->by_offset)[n] >= m->names)
				return 0;
		}
	}
	if (n != m->names)
		return 0;
	for (i = 0; i < m->own_count; i++) {
		if (!pmumap_imc_holds_strings_(
			    m, (const uint32_t *)(const void *)(PMUMAP_IMC_OWNS_(m) + i) + 1, 3, 0))
			return 0;
	}
	return 1;
}

PMUMAP_DEF enum pmumap_status pmumap_imc_open(const void *image, size_t bytes,
					      const struct pmumap_imc **map)
{
	const struct pmumap_imc *m = (const struct pmumap_imc *)image;
	enum pmumap_status status;

	if (!map)
		return PMUMAP_E_ARG;
	*map = 0;
	status = pmumap_image_check_(image, bytes, PMUMAP_IMC_MAGIC, sizeof(*m));
	if (status != PMUMAP_OK)
		return status;
	if (m->names > PMUMAP_IMC_MOST_ || m->unit_count > PMUMAP_IMC_MOST_ ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->units, m->unit_count, sizeof(struct pmumap_imc_unit_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->rows, m->names, sizeof(struct pmumap_imc_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->by_name, m->names, sizeof(struct pmumap_imc_entry_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->by_offset, m->names, sizeof(uint16_t)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->owns, m->own_count, sizeof(struct pmumap_imc_own_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->chips, m->chip_count, sizeof(struct pmumap_imc_chip_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->strings, m->string_bytes, 1) || m->string_bytes < 8 ||
	    m->string_bytes % 8 || m->shift < 48 || m->shift > 63 || m->bisect < 16 ||
	    *PMUMAP_IMC_TABLE_(m, uint64_t, m->strings + m->string_bytes - 8) ||
	    !pmumap_imc_open_starts_(m, m->name_starts, 1u << (64 - m->shift)) ||
	    !pmumap_imc_open_starts_(m, m->offset_starts, m->names + 1) ||
	    !pmumap_imc_open_rows_(m))
		return PMUMAP_E_IMAGE_TABLE;
	*map = m;
	return PMUMAP_OK;
}
