/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of a map, their validation, and look-ups */
#pragma once

#include "core/compiler.h"
#include "core/image.h"
#include "amu/api.h"

#define PMUMAP_AMU_COUNTERS_ 16u /* auxiliary counters that a CPU can have */

/* The head of a map; its tables follow in the same block, at offsets in bytes from the head. */
struct pmumap_amu {
	struct pmumap_head_ head;
	uint32_t cpus, cpu_count; /* pairs of affinity and view, sorted */
	uint32_t by_tree;         /* the pair of each CPU in the order of the tree */
	uint32_t views, view_count;
	uint32_t names, name_count; /* offsets of strings: each view's counters, lowest first */
	uint32_t strings, string_bytes;
	uint32_t unused;
};

struct pmumap_amu_view_row_ {
	uint16_t described, enable;
	uint32_t first; /* index in names of its lowest counter */
};

/* Tables of a map, or of the block that it is built in. */
#define PMUMAP_AMU_TABLE_(m, type, at) ((type *)(void *)((char *)(size_t)(m) + (at)))
#define PMUMAP_AMU_WORDS_(m, at) PMUMAP_AMU_TABLE_(m, uint32_t, at)
#define PMUMAP_AMU_PAIRS_(m, at) ((uint32_t(*)[2])(void *)PMUMAP_AMU_WORDS_(m, at))
#define PMUMAP_AMU_VIEWS_(m) PMUMAP_AMU_TABLE_(m, struct pmumap_amu_view_row_, (m)->views)

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

/* The first of n sorted pairs with this key, or NULL. No branch depends on the key. */
PMUMAP_ALWAYS_INLINE_ uint32_t *pmumap_amu_find_pair_(uint32_t (*pairs)[2], uint32_t n,
						      uint32_t key)
{
	uint32_t(*half)[2];

	if (n == 0)
		return 0;
	for (; n > 1; n -= n / 2) {
		half = pairs + n / 2;
		pairs = half[-1][0] < key ? half : pairs;
	}
	return pairs[0][0] == key ? pairs[0] : 0;
}

/* Validate the tables of an image. Returns 0 if an offset, number or string is out of bounds. */
static inline int pmumap_amu_open_tables_(const struct pmumap_amu *m)
{
	const struct pmumap_amu_view_row_ *v = PMUMAP_AMU_VIEWS_(m);
	uint32_t i, view;

	if (!PMUMAP_IMAGE_HOLDS_(m, m->cpus, m->cpu_count, 2 * sizeof(uint32_t)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->by_tree, m->cpu_count, sizeof(uint32_t)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->views, m->view_count, sizeof(*v)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->names, m->name_count, sizeof(uint32_t)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->strings, m->string_bytes, 1) || m->string_bytes == 0 ||
	    *PMUMAP_AMU_TABLE_(m, char, m->strings + m->string_bytes - 1))
		return 0;
	for (i = 0; i < m->cpu_count; i++) {
		view = PMUMAP_AMU_PAIRS_(m, m->cpus)[i][1];
		if (PMUMAP_AMU_WORDS_(m, m->by_tree)[i] >= m->cpu_count ||
		    (view >= m->view_count && view != PMUMAP_AMU_NO_VIEW))
			return 0;
	}
	for (i = 0; i < m->view_count; i++, v++) {
		if (v->first > m->name_count ||
		    pmumap_amu_count_bits_(v->described) > m->name_count - v->first)
			return 0;
	}
	for (i = 0; i < m->name_count; i++) {
		if (PMUMAP_AMU_WORDS_(m, m->names)[i] - m->strings >= m->string_bytes)
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
	*map = 0;
	status = pmumap_image_check_(image, bytes, PMUMAP_AMU_MAGIC, sizeof(*m));
	if (status != PMUMAP_OK)
		return status;
	if (!pmumap_amu_open_tables_(m))
		return PMUMAP_E_IMAGE_TABLE;
	*map = m;
	return PMUMAP_OK;
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
	*described = PMUMAP_AMU_VIEWS_(m)[view].described;
	*enable = PMUMAP_AMU_VIEWS_(m)[view].enable;
	return 1;
}

/* Fill in a CPU from its pair of affinity and view. Without a view both masks are 0. */
static inline int pmumap_amu_fill_cpu_(const struct pmumap_amu *m, const uint32_t *pair,
				       struct pmumap_amu_cpu *out)
{
	if (!pair)
		return 0;
	out->mpidr = (uint64_t)(pair[0] >> 24) << 32 | (pair[0] & 0xffffffu);
	out->view = pair[1];
	out->described = out->enable = 0;
	(void)pmumap_amu_view_at(m, pair[1], &out->described, &out->enable);
	return 1;
}

PMUMAP_DEF int pmumap_amu_cpu_at(const struct pmumap_amu *m, uint32_t index,
				 struct pmumap_amu_cpu *out)
{
	const uint32_t *by_tree = PMUMAP_AMU_WORDS_(m, m->by_tree);

	return index < m->cpu_count &&
	       pmumap_amu_fill_cpu_(m, PMUMAP_AMU_PAIRS_(m, m->cpus)[by_tree[index]], out);
}

PMUMAP_DEF int pmumap_amu_cpu_find(const struct pmumap_amu *m, uint64_t mpidr,
				   struct pmumap_amu_cpu *out)
{
	return pmumap_amu_fill_cpu_(m,
				    pmumap_amu_find_pair_(PMUMAP_AMU_PAIRS_(m, m->cpus),
							  m->cpu_count,
							  pmumap_amu_pack_affinity_(mpidr)),
				    out);
}

PMUMAP_DEF const char *pmumap_amu_counter_name(const struct pmumap_amu *m, uint32_t view,
					       uint32_t counter)
{
	const struct pmumap_amu_view_row_ *v = PMUMAP_AMU_VIEWS_(m) + view;

	if (view >= m->view_count || counter > 15 || !(v->described >> counter & 1))
		return 0;
	return PMUMAP_AMU_TABLE_(
		m, const char,
		PMUMAP_AMU_WORDS_(m, m->names)[pmumap_amu_place_of_name_(v, counter)]);
}
