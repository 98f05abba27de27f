/* SPDX-License-Identifier: BSD-2-Clause */
/* Validate the tables of a foreign image */
#pragma once

#include "imc/tables.h"

/* Whether an offset is in the strings, which end in 8 bytes of 0. absent: it may be 0, for none. */
static inline int pmumap_imc_holds_string_(const struct pmumap_imc *m, uint32_t string, int absent)
{
	return (absent && string == 0) ||
	       (string >= m->strings && string - m->strings < m->string_bytes);
}

static inline int pmumap_imc_holds_strings_(const struct pmumap_imc *m, const uint32_t *strings,
					    uint32_t n)
{
	while (n && pmumap_imc_holds_string_(m, *strings, 1)) {
		strings++;
		n--;
	}
	return n == 0;
}

/* Whether the starts of buckets are in bounds and in order. */
static inline int pmumap_imc_open_starts_(const struct pmumap_imc *m, uint32_t table, uint32_t n)
{
	const uint16_t *starts = pmumap_imc_numbers_(m, table);
	uint32_t i;

	if (!PMUMAP_IMAGE_HOLDS_(m, table, n + 1, sizeof(*starts)))
		return 0;
	for (i = 0; i < n; i++) {
		if (starts[i] > starts[i + 1])
			return 0;
	}
	return starts[n] <= m->names;
}

static inline int pmumap_imc_open_units_(const struct pmumap_imc *m)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m);
	uint32_t i;

	for (i = 0; i < m->unit_count; i++, u++) {
		if (!pmumap_imc_is_type_(u->type) || !pmumap_imc_holds_string_(m, u->name, 0) ||
		    !pmumap_imc_holds_string_(m, u->prefix, 0) ||
		    !pmumap_imc_holds_strings_(m, &u->scale, 1) ||
		    !pmumap_imc_holds_strings_(m, &u->measure, 1) || u->first > m->names ||
		    u->events > m->names - u->first || u->chips > m->chip_count ||
		    u->chip_count > m->chip_count - u->chips)
			return 0;
	}
	return 1;
}

/* A row's name can be compared by words, and its unit's prefix is in it. */
static inline int pmumap_imc_open_rows_(const struct pmumap_imc *m)
{
	const struct pmumap_imc_row_ *row = pmumap_imc_rows_(m);
	uint32_t i;

	for (i = 0; i < m->names; i++, row++) {
		if (row->name % 8 || !pmumap_imc_holds_string_(m, row->name, 0) ||
		    row->length + 8u > m->strings + m->string_bytes - row->name ||
		    row->unit >= m->unit_count ||
		    pmumap_imc_unit_rows_(m)[row->unit].prefix_bytes > row->length ||
		    pmumap_imc_by_name_(m)[i].event >= m->names ||
		    pmumap_imc_numbers_(m, m->by_offset)[i] >= m->names)
			return 0;
	}
	for (i = 0; i < m->own_count; i++) {
		if (!pmumap_imc_holds_strings_(m, &pmumap_imc_owns_(m)[i].scale, 3))
			return 0;
	}
	return 1;
}

/* Validate all tables. Returns 0 if a look-up could read out of bounds. */
static inline int pmumap_imc_open_tables_(const struct pmumap_imc *m)
{
	if (m->names > PMUMAP_IMC_MOST_ || m->unit_count > PMUMAP_IMC_MOST_ ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->units, m->unit_count, sizeof(struct pmumap_imc_unit_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->rows, m->names, sizeof(struct pmumap_imc_row_)) ||
	    m->shift < 48 || m->shift > 63 || m->bisect < 16 ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->by_name, m->names, sizeof(struct pmumap_imc_entry_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->by_offset, m->names, sizeof(uint16_t)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->owns, m->own_count, sizeof(struct pmumap_imc_own_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->chips, m->chip_count, sizeof(struct pmumap_imc_chip_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->strings, m->string_bytes, 1) || m->string_bytes < 8 ||
	    m->string_bytes % 8)
		return 0;
	return !*(const uint64_t *)pmumap_image_at_(m, m->strings + m->string_bytes - 8) &&
	       pmumap_imc_open_starts_(m, m->name_starts, 1u << (64 - m->shift)) &&
	       pmumap_imc_open_starts_(m, m->offset_starts, m->names + 1) &&
	       pmumap_imc_open_units_(m) && pmumap_imc_open_rows_(m);
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
	if (!pmumap_imc_open_tables_(m))
		return PMUMAP_E_IMAGE_TABLE;
	*map = m;
	return PMUMAP_OK;
}
