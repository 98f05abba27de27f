/* SPDX-License-Identifier: BSD-2-Clause */
/* Trees in and out */
#pragma once

#include "fdt/size_api.h"
#include "riscv/map_api.h"

#define PMUMAP_FOR_HART 1u

/*
 * How to read a tree. Zero-initialise for the defaults, or pass NULL.
 *
 *   node	libfdt's offset of the node to read, whatever its compatible. 0: the first riscv,pmu
 *		node; nodes in the format of the old draft are skipped
 *   flags	PMUMAP_FOR_HART: the first node that serves this hart, unless node is set
 *   hart	its mhartid (reg in /cpus), for PMUMAP_FOR_HART. A node serves the harts whose
 *		interrupt controllers its interrupts-extended names, two cells each. A node without
 *		that property serves all other harts
 */
struct pmumap_fdt_options {
	int node;
	uint32_t flags;
	uint64_t hart;
};

/*
 * Bytes of block that pmumap_fdt_build() needs for the same tree and options; always enough.
 *
 * Errors   those of pmumap_fdt_build() except E_NOSPACE.
 * Cost     one pass over the blob, and one over the rows.
 */
PMUMAP_API enum pmumap_status pmumap_fdt_measure(const void *fdt, size_t fdt_size,
						 const struct pmumap_fdt_options *opt,
						 size_t *bytes);

/*
 * Validate the blob, read the PMU node and build the map.
 *
 * Any blob at any address is safe: no read outside fdt_size or the size in its header, no write
 * outside the block. If the two overlap, it returns E_ARG.
 *
 * Returns  PMUMAP_OK and the map at the start of mem; on failure *map is NULL.
 * Errors   E_ARG, E_NOSPACE, E_LIMIT, E_NODE, E_FDT_*, E_NOTFOUND.
 * Cost     O(n log n) for any n bytes of blob and block.
 */
PMUMAP_API enum pmumap_status pmumap_fdt_build(const void *fdt, size_t fdt_size,
					       const struct pmumap_fdt_options *opt, void *mem,
					       size_t bytes, const struct pmumap **map);

/*
 * The libfdt offset of the node that pmumap_fdt_build() reads. Harts with the same node can share a
 * map: build it once with this offset as options.node.
 * Errors   E_FDT_*, E_NOTFOUND, E_NODE, E_ARG; then *node is PMUMAP_NO_NODE.
 */
PMUMAP_API enum pmumap_status pmumap_fdt_node(const void *fdt, size_t fdt_size,
					      const struct pmumap_fdt_options *opt, int *node);

/*
 * The features that the tree names for a hart (its mhartid): PMUMAP_SSCOFPMF, PMUMAP_SMCNTRPMF,
 * PMUMAP_DELEGATED; from riscv,isa-extensions, or riscv,isa if that is absent. Returns 0 for a bad
 * blob or an unknown hart. Cost: one pass over the blob.
 */
PMUMAP_API uint32_t pmumap_fdt_features(const void *fdt, size_t fdt_size, uint64_t hart);

/*
 * The functions below edit a tree at the start of a buffer of this many bytes, into which it may
 * grow. They validate it first. A map must not overlap the buffer: E_ARG. On failure the tree is
 * unchanged. With OK and E_NOSPACE, *need (unless NULL) is the buffer size needed.
 *
 * Errors   E_ARG, E_NOSPACE, E_LIMIT, E_NODE, E_FDT_*.
 * Cost     one pass over the blob and, if it grows, one move of the bytes behind.
 */

/*
 * Write a map as node "pmu" below the node at libfdt's offset parent. An existing "pmu" node keeps
 * its other properties. Reading the node yields the same map. For a guest, write the map of
 * pmumap_restrict().
 */
PMUMAP_API enum pmumap_status pmumap_fdt_emit(void *fdt, size_t bytes, int parent,
					      const struct pmumap *m, size_t *need);

/*
 * Delete the tables from every riscv,pmu node: they are for firmware, not for the next stage. The
 * tree does not grow.
 */
PMUMAP_API enum pmumap_status pmumap_fdt_fixup(void *fdt, size_t bytes);
