/* SPDX-License-Identifier: BSD-2-Clause */
/* AMU: each CPU's activity monitors, by device tree */
#pragma once

#include "core/api.h"

struct pmumap_amu; /* a map: read it through the functions below */

/*
 * Bytes of a block that is enough for a tree with this many CPUs, and counters in all views
 * together (CPUs share views), as an integer constant for numbers up to a million. It allows for
 * one view per counter, names of 31 bytes, and no labels.
 */
#define PMUMAP_AMU_BLOCK(cpus, counters) (104u + 12u * (cpus) + 56u * (counters))

struct pmumap_amu_build_;

/*
 * How to read a tree. Zero-initialise for the defaults, or pass NULL.
 *
 *   node	libfdt's offset of /cpus, to read nothing else; 0: the whole tree
 *   labels	pmumap_amu_labels (pmumap_amu_check.h), to name counters by the labels of dtc -@.
 *		NULL: by their nodes, and no code for labels is linked
 */
struct pmumap_amu_options {
	int node;
	void (*labels)(struct pmumap_amu_build_ *b);
};

/*
 * Measure the block for a tree, or validate the tree and build its map. The map takes
 * pmumap_amu_size() bytes of the block; you may reuse the rest.
 *
 * Returns  PMUMAP_OK and the map at the start of mem; on failure *map is NULL.
 * Errors   E_ARG, E_NOSPACE (not from measure), E_LIMIT, E_FDT_*, E_NOTFOUND; with node, E_NODE.
 * Cost     two walks (measure: one), and O(n log n) for n CPUs and views.
 */
PMUMAP_API enum pmumap_status pmumap_amu_fdt_measure(const void *fdt, size_t fdt_size,
						     const struct pmumap_amu_options *opt,
						     size_t *bytes);
PMUMAP_API enum pmumap_status pmumap_amu_fdt_build(const void *fdt, size_t fdt_size,
						   const struct pmumap_amu_options *opt, void *mem,
						   size_t bytes, const struct pmumap_amu **map);

#define PMUMAP_AMU_MAGIC 0x504d5541u

/*
 * Validate an 8-byte aligned image from elsewhere; afterwards no look-up reads outside it. The map
 * is the image itself; on failure *map is NULL. Errors: E_ARG, E_IMAGE_*. Cost: O(size).
 */
PMUMAP_API enum pmumap_status pmumap_amu_open(const void *image, size_t bytes,
					      const struct pmumap_amu **map);

/* Bytes of the image, for copying or storing it. */
PMUMAP_API size_t pmumap_amu_size(const struct pmumap_amu *m);

#define PMUMAP_AMU_AFFINITY 0xff00ffffffu /* the bits of MPIDR that identify a CPU */
#define PMUMAP_AMU_NO_VIEW 0xffffffffu

/* One CPU. Bit N of the masks: auxiliary counter N, of 16. */
struct pmumap_amu_cpu {
	uint64_t mpidr;     /* its affinity bits */
	uint32_t view;      /* its set of counters, which CPUs may share, or NO_VIEW */
	uint16_t described; /* counters that the tree describes */
	uint16_t enable;    /* of these, those that the highest exception level is to enable */
};

/*
 * Find a CPU by its affinity bits (other bits of MPIDR are ignored), or by its position in the
 * tree. Returns 1; or 0, and *out is unchanged. Cost: a binary search, and one access.
 */
PMUMAP_API int pmumap_amu_cpu_find(const struct pmumap_amu *m, uint64_t mpidr,
				   struct pmumap_amu_cpu *out);
PMUMAP_API int pmumap_amu_cpu_at(const struct pmumap_amu *m, uint32_t index,
				 struct pmumap_amu_cpu *out);

/* The masks of a view. Returns 0 if there is no such view. */
PMUMAP_API int pmumap_amu_view_at(const struct pmumap_amu *m, uint32_t view, uint16_t *described,
				  uint16_t *enable);

/*
 * The label of a counter, if it was asked for and is shorter than 64 bytes; otherwise its node's
 * name, "counter@1". NULL if it is not described.
 */
PMUMAP_API const char *pmumap_amu_counter_name(const struct pmumap_amu *m, uint32_t view,
					       uint32_t counter);
