/* SPDX-License-Identifier: BSD-2-Clause */
/* Sort names and offsets */
#pragma once

#include "core/pairs.h"
#include "imc/list.h"

/* The lowest byte with which a spelling of a unit begins; without a name, it is a slash. */
static inline uint32_t pmumap_imc_lowest_(const struct pmumap_imc *m,
					  const struct pmumap_imc_unit_row_ *u)
{
	uint32_t first = *(const unsigned char *)pmumap_image_at_(m, u->name);

	if (first == 0 || first == '@')
		first = '/';
	return u->type == PMUMAP_IMC_NEST && first > 'n' ? 'n' : first;
}

/* Order rows by name, then longer prefixes first. */
static inline int pmumap_imc_order_names_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_imc *m = (const struct pmumap_imc *)context;
	const struct pmumap_imc_row_ *x = pmumap_imc_rows_(m) + a, *y = pmumap_imc_rows_(m) + b;
	int order = pmumap_imc_compare_(m, x, (const unsigned char *)pmumap_image_at_(m, y->name),
					y->length);

	return order ? order
		     : (int)pmumap_imc_unit_rows_(m)[y->unit].prefix_bytes -
			       (int)pmumap_imc_unit_rows_(m)[x->unit].prefix_bytes;
}

/* Fill in where each bucket begins. scale: so many buckets would be all values of the keys. */
static inline void pmumap_imc_fill_starts_(struct pmumap_imc *m, uint32_t table, uint32_t buckets,
					   uint32_t scale, uint32_t (*pairs)[2])
{
	uint16_t *starts = (uint16_t *)(void *)((char *)m + table);
	uint32_t i, bucket = 0;

	for (i = 0; i < m->names; i++) {
		while (bucket <= pmumap_imc_bucket_(pairs[i][0], scale))
			starts[bucket++] = (uint16_t)i;
	}
	while (bucket <= buckets)
		starts[bucket++] = (uint16_t)i;
}

#define PMUMAP_IMC_NEAR_ 16u /* with a larger bucket, bisect all of them */

/* Sort all rows by offset. pairs: scratch memory for all of them. */
static inline void pmumap_imc_sort_offsets_(struct pmumap_imc *m, uint32_t (*pairs)[2])
{
	uint16_t *by_offset = (uint16_t *)(void *)((char *)m + m->by_offset);
	uint32_t i;

	for (i = 0; i < m->names; i++) {
		pairs[i][0] = pmumap_imc_hash_offset_(pmumap_imc_rows_(m)[i].offset);
		pairs[i][1] = i;
	}
	pmumap_sort_pairs_(pairs, m->names, 0, 0);
	pmumap_imc_fill_starts_(m, m->offset_starts, m->names + 1, m->names + 1, pairs);
	for (i = 0; i < m->names; i++)
		by_offset[i] = (uint16_t)pairs[i][1];
}

/* The same by name. */
static inline void pmumap_imc_sort_names_(struct pmumap_imc *m, uint32_t (*pairs)[2])
{
	struct pmumap_imc_entry_ *by_name =
		(struct pmumap_imc_entry_ *)(void *)((char *)m + m->by_name);
	const struct pmumap_imc_row_ *row = pmumap_imc_rows_(m);
	uint32_t i;

	for (i = 0; i < m->names; i++, row++) {
		uint64_t hash = pmumap_imc_hash_(
			m, (const unsigned char *)pmumap_image_at_(m, row->name), row->length);

		pairs[i][0] = pmumap_imc_bucket_of_(m, hash) << 16 | pmumap_imc_tag_(hash);
		pairs[i][1] = i;
	}
	pmumap_sort_pairs_(pairs, m->names, pmumap_imc_order_names_, m);
	pmumap_imc_fill_starts_(m, m->name_starts, 1u << (64 - m->shift), 1u << 16, pairs);
	m->bisect = 16;
	for (i = 0; i < m->names; i++) {
		by_name[i].tag = (uint16_t)pairs[i][0];
		by_name[i].event = (uint16_t)pairs[i][1];
		if (i >= PMUMAP_IMC_NEAR_ &&
		    pairs[i][0] >> 16 == pairs[i - PMUMAP_IMC_NEAR_][0] >> 16)
			m->bisect = ~(uint64_t)0;
	}
}
