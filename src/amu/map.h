/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of a map, their validation, and look-ups */
#pragma once

#include "core/image.h"
#include "amu/api.h"

#define PMUMAP_AMU_COUNTERS_ 16u /* auxiliary counters that a CPU can have */

/* The head of a map; its tables follow in the same block, at offsets in bytes from the head. */
struct pmumap_amu {
	struct pmumap_head_ head;
	uint32_t cpus, cpu_count; /* sorted by affinity */
	uint32_t by_tree;         /* the row of each CPU in the order of the tree */
	uint32_t views, view_count;
	uint32_t names, name_count; /* offsets of strings: each view's counters, lowest first */
	uint32_t strings, string_bytes;
	uint32_t unused;
};

struct pmumap_amu_cpu_row_ {
	uint32_t affinity; /* Aff3..Aff0 */
	uint32_t view;
};

struct pmumap_amu_view_row_ {
	uint16_t described, enable;
	uint32_t first; /* index in names of its lowest counter */
};

static inline const struct pmumap_amu_cpu_row_ *pmumap_amu_cpu_rows_(const struct pmumap_amu *m)
{
	return (const struct pmumap_amu_cpu_row_ *)pmumap_image_at_(m, m->cpus);
}

static inline const struct pmumap_amu_view_row_ *pmumap_amu_view_rows_(const struct pmumap_amu *m)
{
	return (const struct pmumap_amu_view_row_ *)pmumap_image_at_(m, m->views);
}

/* The affinity bits of MPIDR in 32 bits: Aff3 on top of Aff2, Aff1 and Aff0. */
static inline uint32_t pmumap_amu_pack_affinity_(uint64_t mpidr)
{
	return ((uint32_t)mpidr & 0xffffffu) | (uint32_t)(mpidr >> 32) << 24;
}

static inline uint32_t pmumap_amu_count_bits_(uint32_t bits)
{
	uint32_t n = 0;

	for (; bits; bits &= bits - 1)
		n++;
	return n;
}

/* Where a view has the name of a counter: they are in the order of the counters' indices. */
static inline uint32_t pmumap_amu_place_of_name_(const struct pmumap_amu_view_row_ *v,
						 uint32_t index)
{
	return v->first + pmumap_amu_count_bits_(v->described & ((1u << index) - 1));
}

/* Validate the tables of an image. Returns 0 if an offset, number or string is out of bounds. */
static inline int pmumap_amu_open_tables_(const struct pmumap_amu *m)
{
	const uint32_t *names;
	const struct pmumap_amu_view_row_ *v;
	uint32_t i;

	if (!PMUMAP_IMAGE_HOLDS_(m, m->cpus, m->cpu_count, sizeof(struct pmumap_amu_cpu_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->by_tree, m->cpu_count, sizeof(uint32_t)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->views, m->view_count, sizeof(struct pmumap_amu_view_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->names, m->name_count, sizeof(uint32_t)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->strings, m->string_bytes, 1) || m->string_bytes == 0 ||
	    *((const char *)pmumap_image_at_(m, m->strings) + m->string_bytes - 1))
		return 0;
	names = (const uint32_t *)pmumap_image_at_(m, m->names);
	for (i = 0; i < m->cpu_count; i++) {
		uint32_t view = pmumap_amu_cpu_rows_(m)[i].view;

		if (((const uint32_t *)pmumap_image_at_(m, m->by_tree))[i] >= m->cpu_count ||
		    (view >= m->view_count && view != PMUMAP_AMU_NO_VIEW))
			return 0;
	}
	for (i = 0; i < m->view_count; i++) {
		v = pmumap_amu_view_rows_(m) + i;
		if (v->first > m->name_count ||
		    pmumap_amu_count_bits_(v->described) > m->name_count - v->first)
			return 0;
	}
	for (i = 0; i < m->name_count; i++) {
		if (names[i] < m->strings || names[i] - m->strings >= m->string_bytes)
			return 0;
	}
	return 1;
}

PMUMAP_DEF enum pmumap_status pmumap_amu_open(const void *image, size_t bytes,
					      const struct pmumap_amu **map)
{
	const struct pmumap_amu *m = (const struct pmumap_amu *)image;
	enum pmumap_status status;

	if (!map)
		return PMUMAP_E_ARG;
	status = pmumap_image_check_(image, bytes, PMUMAP_AMU_MAGIC, sizeof(*m));
	if (status == PMUMAP_OK && !pmumap_amu_open_tables_(m))
		status = PMUMAP_E_IMAGE_TABLE;
	*map = status == PMUMAP_OK ? m : 0;
	return status;
}

PMUMAP_DEF size_t pmumap_amu_size(const struct pmumap_amu *m)
{
	return m->head.size;
}

PMUMAP_DEF int pmumap_amu_view_at(const struct pmumap_amu *m, uint32_t view, uint16_t *described,
				  uint16_t *enable)
{
	if (view >= m->view_count)
		return 0;
	*described = pmumap_amu_view_rows_(m)[view].described;
	*enable = pmumap_amu_view_rows_(m)[view].enable;
	return 1;
}

/* Fill in a CPU from its row. Without a view both masks are 0. */
static inline int pmumap_amu_fill_cpu_(const struct pmumap_amu *m,
				       const struct pmumap_amu_cpu_row_ *r,
				       struct pmumap_amu_cpu *out)
{
	out->mpidr = (uint64_t)(r->affinity >> 24) << 32 | (r->affinity & 0xffffffu);
	out->view = r->view;
	out->described = out->enable = 0;
	(void)pmumap_amu_view_at(m, r->view, &out->described, &out->enable);
	return 1;
}

PMUMAP_DEF int pmumap_amu_cpu_at(const struct pmumap_amu *m, uint32_t index,
				 struct pmumap_amu_cpu *out)
{
	const uint32_t *row = (const uint32_t *)pmumap_image_at_(m, m->by_tree);

	if (index >= m->cpu_count)
		return 0;
	return pmumap_amu_fill_cpu_(m, pmumap_amu_cpu_rows_(m) + row[index], out);
}

PMUMAP_DEF int pmumap_amu_cpu_find(const struct pmumap_amu *m, uint64_t mpidr,
				   struct pmumap_amu_cpu *out)
{
	const struct pmumap_amu_cpu_row_ *r = pmumap_amu_cpu_rows_(m);
	uint32_t affinity = pmumap_amu_pack_affinity_(mpidr), n = m->cpu_count, half;

	if (n == 0)
		return 0;
	for (; n > 1; n -= half) {
		half = n / 2;
		r += r[half].affinity <= affinity ? half : 0;
	}
	if (r->affinity != affinity)
		return 0;
	return pmumap_amu_fill_cpu_(m, r, out);
}

PMUMAP_DEF const char *pmumap_amu_counter_name(const struct pmumap_amu *m, uint32_t view,
					       uint32_t counter)
{
	const uint32_t *names = (const uint32_t *)pmumap_image_at_(m, m->names);
	const struct pmumap_amu_view_row_ *v;

	if (view >= m->view_count || counter > 15)
		return 0;
	v = pmumap_amu_view_rows_(m) + view;
	if (!(v->described >> counter & 1))
		return 0;
	return (const char *)pmumap_image_at_(m, names[pmumap_amu_place_of_name_(v, counter)]);
}
