/* SPDX-License-Identifier: BSD-2-Clause */
/* CPU to counters; a CPU without a view */
#pragma once

#include "amu/tables.h"

PMUMAP_DEF int pmumap_amu_view(const struct pmumap_amu *m, uint32_t view, uint16_t *described,
			       uint16_t *enable)
{
	if (view >= m->view_count)
		return 0;
	*described = pmumap_amu_view_rows_(m)[view].described;
	*enable = pmumap_amu_view_rows_(m)[view].enable;
	return 1;
}

/* Fill in a CPU from its row; both masks are 0 where it has no view. */
static inline void pmumap_amu_fill_cpu_(const struct pmumap_amu *m,
					const struct pmumap_amu_cpu_row_ *r,
					struct pmumap_amu_cpu *out)
{
	out->mpidr = (uint64_t)(r->affinity >> 24) << 32 | (r->affinity & 0xffffffu);
	out->view = r->view;
	out->described = out->enable = 0;
	(void)pmumap_amu_view(m, r->view, &out->described, &out->enable);
}

PMUMAP_DEF int pmumap_amu_cpu_at(const struct pmumap_amu *m, uint32_t index,
				 struct pmumap_amu_cpu *out)
{
	uint32_t row;

	if (index >= m->cpu_count)
		return 0;
	row = ((const uint32_t *)pmumap_image_at_(m, m->by_tree))[index];
	pmumap_amu_fill_cpu_(m, pmumap_amu_cpu_rows_(m) + row, out);
	return 1;
}

PMUMAP_DEF int pmumap_amu_cpu(const struct pmumap_amu *m, uint64_t mpidr,
			      struct pmumap_amu_cpu *out)
{
	const struct pmumap_amu_cpu_row_ *r;
	uint32_t affinity = pmumap_amu_pack_affinity_(mpidr), n;

	if (m->cpu_count == 0)
		return 0;
	r = pmumap_amu_cpu_rows_(m);
	n = m->cpu_count;
	while (n > 1) {
		uint32_t half = n / 2;

		r += r[half].affinity <= affinity ? half : 0;
		n -= half;
	}
	if (r->affinity != affinity)
		return 0;
	pmumap_amu_fill_cpu_(m, r, out);
	return 1;
}

PMUMAP_DEF const char *pmumap_amu_counter_name(const struct pmumap_amu *m, uint32_t view,
					       uint32_t counter)
{
	const struct pmumap_amu_view_row_ *v;
	uint32_t first, bits;

	if (view >= m->view_count || counter > 15)
		return 0;
	v = pmumap_amu_view_rows_(m) + view;
	if (!(v->described >> counter & 1))
		return 0;
	first = v->first;
	for (bits = v->described & ((1u << counter) - 1); bits; bits &= bits - 1)
		first++;
	return (const char *)pmumap_image_at_(
		m, ((const uint32_t *)pmumap_image_at_(m, m->names))[first]);
}

PMUMAP_DEF int pmumap_amu_reconcile(uint16_t described, uint16_t enable, uint16_t implemented,
				    uint16_t readable, enum pmumap_amu_mismatch *why)
{
	uint32_t i;

	for (i = 0; i < 16; i++) {
		uint32_t bit = 1u << i;

		if ((enable & bit) && !(described & bit))
			*why = PMUMAP_AMU_NOT_DESCRIBED;
		else if (((enable | described) & bit) && !(implemented & bit))
			*why = PMUMAP_AMU_NOT_IMPLEMENTED;
		else if ((enable & bit) && !(readable & bit))
			*why = PMUMAP_AMU_NOT_READABLE;
		else
			continue;
		return (int)i;
	}
	*why = PMUMAP_AMU_FITS;
	return -1;
}

PMUMAP_DEF uint16_t pmumap_amu_implemented(uint64_t amcfgr, uint64_t amcgcr, int v1p1,
					   uint64_t amcg1idr)
{
	uint32_t n = (uint32_t)amcgcr >> 8 & 0xff;

	if (((uint32_t)amcfgr >> 28 & 0xf) == 0)
		return 0;
	if (v1p1)
		return (uint16_t)amcg1idr;
	return (uint16_t)(n < 16 ? (1u << n) - 1 : 0xffff);
}
