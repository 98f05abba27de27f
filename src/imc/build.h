/* SPDX-License-Identifier: BSD-2-Clause */
/* From a tree to a map */
#pragma once

#include "imc/fill.h"

/* Order rows by name, then longer prefixes first. */
static inline int pmumap_imc_order_names_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_imc *m = (const struct pmumap_imc *)context;
	const struct pmumap_imc_row_ *x = PMUMAP_IMC_ROWS_(m) + a, *y = PMUMAP_IMC_ROWS_(m) + b;
	int order = pmumap_imc_compare_(m, a, PMUMAP_IMC_BYTES_(m, y->name), y->length);

	return order ? order
		     : (int)PMUMAP_IMC_UNITS_(m)[y->unit].prefix_bytes -
			       (int)PMUMAP_IMC_UNITS_(m)[x->unit].prefix_bytes;
}

#define PMUMAP_IMC_NEAR_ 16u /* with a larger bucket of names, bisect all of them */

/* Sort all rows by name, otherwise by offset. pairs: scratch memory for all of them. */
static inline void pmumap_imc_sort_(struct pmumap_imc *m, int by_name, uint32_t (*pairs)[2])
{
	const struct pmumap_imc_row_ *row = PMUMAP_IMC_ROWS_(m);
	uint16_t *to = (uint16_t *)(void *)((char *)m + (by_name ? m->by_name : m->by_offset));
	uint16_t *starts =
		(uint16_t *)(void *)((char *)m + (by_name ? m->name_starts : m->offset_starts));
	uint32_t buckets = by_name ? 1u << (64 - m->shift) : m->names + 1, bucket = 0, i;
	uint64_t hash;

	for (i = 0; i < m->names; i++, row++) {
		pairs[i][0] = row->offset * PMUMAP_IMC_MIX_OFFSET_;
		pairs[i][1] = i;
		if (by_name) {
			hash = pmumap_imc_hash_(m, PMUMAP_IMC_BYTES_(m, row->name), row->length);
			pairs[i][0] = PMUMAP_IMC_BUCKET_(m, hash) << 16 | PMUMAP_IMC_TAG_(hash);
		}
	}
	pmumap_sort_pairs_(pairs, m->names, by_name ? pmumap_imc_order_names_ : 0, m);
	for (i = 0; i < m->names; i++) {
		while (bucket <=
		       (by_name ? pairs[i][0] >> 16 : PMUMAP_IMC_SHARE_(pairs[i][0], buckets)))
			starts[bucket++] = (uint16_t)i;
		if (by_name)
			*to++ = (uint16_t)pairs[i][0];
		*to++ = (uint16_t)pairs[i][1];
		if (by_name && i >= PMUMAP_IMC_NEAR_ &&
		    pairs[i][0] >> 16 == pairs[i - PMUMAP_IMC_NEAR_][0] >> 16)
			m->bisect = ~(uint64_t)0;
	}
	while (bucket <= buckets)
		starts[bucket++] = (uint16_t)i;
}

PMUMAP_DEF enum pmumap_status pmumap_imc_fdt_measure(const void *fdt, size_t fdt_size,
						     const struct pmumap_imc_options *opt,
						     size_t *bytes)
{
	struct pmumap_imc_build_ b;
	enum pmumap_status status;

	if (!fdt || !bytes)
		return PMUMAP_E_ARG;
	status = pmumap_imc_count_(&b, fdt, fdt_size, opt);
	*bytes = status == PMUMAP_OK ? (size_t)b.need : 0;
	return status;
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status
pmumap_imc_fdt_build(const void *fdt, size_t fdt_size, const struct pmumap_imc_options *opt,
		     void *mem, size_t bytes, const struct pmumap_imc **map)
{
	struct pmumap_imc_build_ b;
	enum pmumap_status status;

	if (!map)
		return PMUMAP_E_ARG;
	*map = 0;
	status = pmumap_imc_collect_tree_(&b, fdt, fdt_size, opt, mem, bytes);
	if (status != PMUMAP_OK)
		return status;
	pmumap_imc_append_tables_(&b);
	pmumap_imc_fill_(&b);
	b.m->bisect = PMUMAP_IMC_NEAR_;
	pmumap_imc_sort_(b.m, 0, PMUMAP_IMC_PAIRS_(&b));
	pmumap_imc_sort_(b.m, 1, PMUMAP_IMC_PAIRS_(&b));
	b.m->head.version = PMUMAP_IMAGE_VERSION;
	b.m->head.magic = PMUMAP_IMC_MAGIC;
	*map = b.m;
	return PMUMAP_OK;
}
