/* SPDX-License-Identifier: BSD-2-Clause */
/* Find an offset */
#pragma once

#include "imc/tables.h"

/* Find an offset in one unit, whose rows are sorted by it. */
static inline int pmumap_imc_find_in_unit_(const struct pmumap_imc *m, uint32_t unit,
					   uint32_t offset, uint32_t nth, uint32_t *event)
{
	const struct pmumap_imc_row_ *rows = pmumap_imc_rows_(m);
	uint32_t at, end, n;

	if (unit >= m->unit_count)
		return 0;
	at = pmumap_imc_unit_rows_(m)[unit].first;
	n = pmumap_imc_unit_rows_(m)[unit].events;
	end = at + n;
	while (n) {
		uint32_t half = (n + 1) / 2;

		at += rows[at + half - 1].offset < offset ? half : 0;
		n -= half;
	}
	if (nth >= end - at || rows[at + nth].offset != offset)
		return 0;
	*event = at + nth;
	return 1;
}

/* Bisect a bucket by hash. Matches are neighbours, in the order of their numbers. */
PMUMAP_DEF int pmumap_imc_find_offset(const struct pmumap_imc *m, uint32_t unit, uint32_t offset,
				      uint32_t nth, uint32_t *event)
{
	const struct pmumap_imc_row_ *rows = pmumap_imc_rows_(m);
	const uint16_t *order = pmumap_imc_numbers_(m, m->by_offset), *start;
	uint32_t hash = pmumap_imc_hash_offset_(offset), at, end, n;

	if (unit != PMUMAP_IMC_ALL)
		return pmumap_imc_find_in_unit_(m, unit, offset, nth, event);
	start = pmumap_imc_numbers_(m, m->offset_starts) + pmumap_imc_bucket_(hash, m->names + 1);
	at = start[0];
	end = start[1];
	for (n = end - at; n;) {
		uint32_t half = (n + 1) / 2;

		at += pmumap_imc_hash_offset_(rows[order[at + half - 1]].offset) < hash ? half : 0;
		n -= half;
	}
	if (nth >= end - at || rows[order[at + nth]].offset != offset)
		return 0;
	*event = order[at + nth];
	return 1;
}
