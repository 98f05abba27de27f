/* SPDX-License-Identifier: BSD-2-Clause */
/* Sort names and offsets */
#pragma once

#include "core/pairs.h"
#include "imc/list.h"

/* The bits of first_bytes for the spellings of a unit; without a name, they begin with a slash. */
static inline uint32_t pmumap_imc_first_bytes_(const struct pmumap_imc *m,
					       const struct pmumap_imc_unit_row_ *u)
{
	unsigned char first = *(const unsigned char *)pmumap_image_at_(m, u->name);
	uint32_t bits = 1u << (first >> 3);

	if (first == 0 || first == '@')
		bits |= 1u << ('/' >> 3);
	return u->type == PMUMAP_IMC_NEST ? bits | 1u << ('n' >> 3) : bits;
}

/* Order rows by name, then longer prefixes first, then by number. */
static inline int pmumap_imc_order_names_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_imc *m = (const struct pmumap_imc *)context;
	const struct pmumap_imc_row_ *x = pmumap_imc_rows_(m) + a, *y = pmumap_imc_rows_(m) + b;
	int order = pmumap_imc_compare_(m, x,
					(const unsigned char *)pmumap_image_at_(m, y->name),
					pmumap_imc_length_(y));

	if (order == 0)
		order = (int)pmumap_imc_unit_rows_(m)[y->unit].prefix_bytes -
			(int)pmumap_imc_unit_rows_(m)[x->unit].prefix_bytes;
	return order ? order : a < b ? -1 : 1;
}

/* Fill in where each bucket begins in an order, whose pairs are sorted by hash. */
static inline void pmumap_imc_fill_starts_(struct pmumap_imc *m, uint32_t table,
					   uint32_t (*pairs)[2])
{
	uint16_t *starts = (uint16_t *)(void *)((char *)m + table);
	uint32_t i, bucket = 0;

	for (i = 0; i < m->names; i++) {
		while (bucket <= pmumap_imc_place_(m, pairs[i][0]) >> 32)
			starts[bucket++] = (uint16_t)i;
	}
	while (bucket < m->names + 2)
		starts[bucket++] = (uint16_t)i;
}

/* Sort all rows by name and by offset. pairs: scratch memory for all of them. */
static inline void pmumap_imc_index_(struct pmumap_imc *m, uint32_t (*pairs)[2])
{
	const struct pmumap_imc_row_ *rows = pmumap_imc_rows_(m);
	uint32_t *by_name = (uint32_t *)(void *)((char *)m + m->by_name), i;
	uint16_t *by_offset = (uint16_t *)(void *)((char *)m + m->by_offset);

	for (i = 0; i < m->names; i++) {
		pairs[i][0] = (uint32_t)pmumap_imc_hash_offset_(rows[i].offset);
		pairs[i][1] = i;
	}
	pmumap_sort_pairs_(pairs, m->names, 0, 0);
	pmumap_imc_fill_starts_(m, m->offset_starts, pairs);
	for (i = 0; i < m->names; i++)
		by_offset[i] = (uint16_t)pairs[i][1];
	for (i = 0; i < m->names; i++) {
		pairs[i][0] = (uint32_t)pmumap_imc_hash_(
			(const unsigned char *)pmumap_image_at_(m, rows[i].name),
			pmumap_imc_length_(rows + i));
		pairs[i][1] = i;
	}
	pmumap_sort_pairs_(pairs, m->names, pmumap_imc_order_names_, m);
	pmumap_imc_fill_starts_(m, m->name_starts, pairs);
	for (i = 0; i < m->names; i++)
		by_name[i] = ((uint32_t)pmumap_imc_place_(m, pairs[i][0]) & 0xffff0000u) |
			     pairs[i][1];
}
