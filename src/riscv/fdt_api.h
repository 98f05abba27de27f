/* SPDX-License-Identifier: BSD-2-Clause */
/* Trees in and out */
#pragma once

#include "fdt/size_api.h"
#include "riscv/builder_api.h"

/* How to read a tree. Zero-initialise for the defaults, or pass NULL. */
struct pmumap_fdt_options {
	int node; /* libfdt's offset of the node, of any compatible; 0: the first riscv,pmu */
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
 * A child of /cpus that is a cpu by device_type or name. Its node is the first riscv,pmu whose
 * interrupts-extended, two cells an entry, names the interrupt controller that is its own child; if
 * none does, the first one without that property.
 */
struct pmumap_fdt_hart {
	uint64_t hart;     /* its mhartid (reg) */
	int node;          /* libfdt's offset of its node, or PMUMAP_NO_NODE */
	uint32_t features; /* PMUMAP_SSCOFPMF, PMUMAP_SMCNTRPMF, PMUMAP_DELEGATED */
	/* Private. */
	uint32_t cpu, phandle;
};

/*
 * List all harts of a tree, each once, sorted by hart. Harts with one node can share a map: build
 * it with options.node, or by pmumap_fdt_add_node(). Features are those of riscv,isa-extensions, or
 * of riscv,isa if that is absent.
 *
 * Returns  PMUMAP_OK and *count harts; with E_NOSPACE, *count is a room that is enough.
 * Errors   E_ARG, E_NOSPACE, E_FDT_*.
 * Cost     O(n log n) for any n bytes of blob: two passes, and two sorts of the harts.
 */
PMUMAP_API enum pmumap_status pmumap_fdt_harts(const void *fdt, size_t fdt_size,
					       struct pmumap_fdt_hart *harts, size_t room,
					       size_t *count);

/* Find a hart in such a list. Returns NULL if the tree does not have it. */
PMUMAP_API const struct pmumap_fdt_hart *pmumap_fdt_hart_find(const struct pmumap_fdt_hart *harts,
							      size_t count, uint64_t hart);

/*
 * Add the rows of the node at libfdt's offset. Any blob and offset are safe, but only this node is
 * validated: one pass over its properties. On failure nothing is added.
 * Errors   E_NODE, E_FDT_*; E_ARG, also if the tree overlaps the builder's block.
 */
PMUMAP_API enum pmumap_status pmumap_fdt_add_node(struct pmumap_builder *b, const void *fdt,
						  size_t fdt_size, int node);

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
