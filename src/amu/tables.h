/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of CPUs, views and names */
#pragma once

#include "core/image.h"
#include "amu/api.h"

#define PMUMAP_AMU_COUNTERS_ 16u /* auxiliary counters that a CPU can have */

/* The head of a map; its tables follow in the same block. Offsets are in bytes from the head. */
struct pmumap_amu {
	struct pmumap_head_ head;
	uint32_t cpus, cpu_count; /* sorted by affinity */
	uint32_t by_tree;         /* of each CPU in the order of the tree: its row */
	uint32_t views, view_count;
	uint32_t names, name_count; /* offsets of strings: of each view's counters, lowest first */
	uint32_t strings, string_bytes;
	uint32_t unused;
};

struct pmumap_amu_cpu_row_ {
	uint32_t affinity; /* Aff3..Aff0 */
	uint32_t view;
};

struct pmumap_amu_view_row_ {
	uint16_t described, enable;
	uint32_t first; /* place in names of its lowest counter */
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
