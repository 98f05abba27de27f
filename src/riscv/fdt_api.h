/* SPDX-License-Identifier: BSD-2-Clause */
/* Trees in and out */
#pragma once

#include "fdt/size_api.h"
#include "riscv/map_api.h"

#define PMUMAP_FOR_HART 1u

/*
 * How a tree is read. Zero-initialise for the defaults, or pass NULL.
 *
 *   node	libfdt's offset of the node to read; its compatible is ignored. 0: the first
 *		riscv,pmu node, skipping nodes in the format of the old draft
 *   flags	PMUMAP_FOR_HART: without node, the first that serves this hart
 *   hart	with PMUMAP_FOR_HART its mhartid, which is its reg in /cpus. A node serves the harts
 *		whose interrupt controllers its interrupts-extended names, each by two cells; one
 *		without that property serves all harts that no node names
 *   check	pmumap_check of pmumap_check.h: findings go to report. NULL: nobody wants them, and
 *		a program that never names that function does not link it
 */
struct pmumap_fdt_options {
	int node;
	enum pmumap_status (*check)(const void *fdt, size_t fdt_size,
				    const struct pmumap_fdt_options *opt, void *mem, size_t bytes,
				    const struct pmumap **map);
	pmumap_report_fn *report; /* see its type for what it must not do */
	void *arg;                /* given to report */
	uint32_t flags;
	uint64_t hart;
};

/*
 * How many bytes of block pmumap_fdt_build() needs for the same tree and options; always enough.
 *
 * Errors   those of pmumap_fdt_build() but E_NOSPACE.
 * Cost     one pass over the blob, and one over the rows.
 */
PMUMAP_API enum pmumap_status pmumap_fdt_measure(const void *fdt, size_t fdt_size,
						 const struct pmumap_fdt_options *opt,
						 size_t *bytes);

/*
 * Validate the blob, read what describes counters, build the map.
 *
 * The blob may be anything, at any address: no byte outside of fdt_size is read, nor behind the
 * size in its header, and only the block is written. If the two share a byte: E_ARG.
 *
 * Returns  PMUMAP_OK and the map at the start of mem; on failure *map is NULL.
 * Errors   E_ARG, E_NOSPACE, E_LIMIT, E_NODE, E_FDT_*, E_NOTFOUND.
 * Cost     O(n log n) for n bytes of blob and block, whatever they are.
 */
PMUMAP_API enum pmumap_status pmumap_fdt_build(const void *fdt, size_t fdt_size,
					       const struct pmumap_fdt_options *opt, void *mem,
					       size_t bytes, const struct pmumap **map);

/*
 * The node that pmumap_fdt_build() reads with these options, as libfdt's offset. Harts with the
 * same node share a map: build it once, with this offset as options.node.
 * Errors   E_FDT_*, E_NOTFOUND, E_NODE, E_ARG; then *node is PMUMAP_NO_NODE.
 */
PMUMAP_API enum pmumap_status pmumap_fdt_node(const void *fdt, size_t fdt_size,
					      const struct pmumap_fdt_options *opt, int *node);

/*
 * What the tree says of a hart, the one whose reg in /cpus is its mhartid: PMUMAP_SSCOFPMF and
 * PMUMAP_SMCNTRPMF, as pmumap_plan() takes them, and PMUMAP_DELEGATED. It is read from
 * riscv,isa-extensions, and from riscv,isa only where there is no such property. 0 also for a blob
 * that is no good, and for a hart that is not there. Cost: one pass over the blob.
 */
PMUMAP_API uint32_t pmumap_fdt_features(const void *fdt, size_t fdt_size, uint64_t hart);

/*
 * The functions below write to a tree. It lies at the start of a buffer of so many bytes, and grows
 * into the rest of it; it is validated first, like any other. A map that is put in lies outside of
 * the buffer: E_ARG if not. On failure the tree is as it was. With E_NOSPACE and OK, *need (unless
 * NULL) is the size that the buffer has to have, if more than totalsize.
 *
 * Errors   E_ARG, E_NOSPACE, E_LIMIT, E_NODE, E_FDT_*.
 * Cost     one pass over the blob and, if it grows, one move of what lies behind.
 */

/*
 * A map as node "pmu" below the node at libfdt's offset parent, where a "pmu" that is there already
 * keeps its other properties. Reading the node gives the same map again; pmumap_restrict() builds
 * the map for a guest.
 */
PMUMAP_API enum pmumap_status pmumap_fdt_emit(void *fdt, size_t bytes, int parent,
					      const struct pmumap *m, size_t *need);

/*
 * Take the tables out of every riscv,pmu node: they are for the firmware, not for what it starts.
 * The tree does not grow.
 */
PMUMAP_API enum pmumap_status pmumap_fdt_fixup(void *fdt, size_t bytes);
