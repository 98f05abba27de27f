/* SPDX-License-Identifier: BSD-2-Clause */
/* Validate the tables of a foreign image */
#pragma once

#include "imc/tables.h"

/* Whether a string is in bounds, where the last one ends. */
#define PMUMAP_IMC_HOLDS_STRING_(m, at) ((at) - (m)->strings < (m)->string_bytes)

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
		if (!pmumap_imc_is_type_(u->type) || !PMUMAP_IMC_HOLDS_STRING_(m, u->name) ||
		    !PMUMAP_IMC_HOLDS_STRING_(m, u->prefix) ||
		    (u->scale && !PMUMAP_IMC_HOLDS_STRING_(m, u->scale)) ||
		    (u->measure && !PMUMAP_IMC_HOLDS_STRING_(m, u->measure)) || u->first != n ||
		    u->events > m->names - n || u->chips > m->chip_count ||
		    u->chip_count > m->chip_count - u->chips)
			return 0;
		for (first = n; n - first < u->events; n++, row++) {
			if (row->unit != i || row->name % 8 || row->length < u->prefix_bytes ||
			    !PMUMAP_IMC_HOLDS_STRING_(m, row->name) ||
			    row->length + 8u > m->strings + m->string_bytes - row->name ||
			    PMUMAP_IMC_BY_NAME_(m)[n].event >= m->names ||
			    PMUMAP_IMC_NUMBERS_(m, m->by_offset)[n] >= m->names)
				return 0;
		}
	}
	return n == m->names;
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
	    !PMUMAP_IMAGE_HOLDS_(m, m->chips, m->chip_count, sizeof(struct pmumap_imc_chip_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->rows, m->names, sizeof(struct pmumap_imc_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->by_name, m->names, sizeof(struct pmumap_imc_entry_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->by_offset, m->names, sizeof(uint16_t)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->strings, m->string_bytes, 1) || m->string_bytes < 8 ||
	    m->string_bytes % 8 || m->shift < 48 || m->shift > 63 || m->whole < 9 ||
	    *PMUMAP_IMC_TABLE_(m, uint64_t, m->strings + m->string_bytes - 8) ||
	    !pmumap_imc_open_starts_(m, m->name_starts, 1u << (64 - m->shift)) ||
	    !pmumap_imc_open_starts_(m, m->offset_starts, m->names + 1) ||
	    !pmumap_imc_open_rows_(m))
		return PMUMAP_E_IMAGE_TABLE;
	*map = m;
	return PMUMAP_OK;
}
