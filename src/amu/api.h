/* SPDX-License-Identifier: BSD-2-Clause */
/* AMU: each CPU's activity monitors */
#pragma once

#include "pool/entries_api.h"

struct pmumap_amu; /* a map: read it through the functions below */

/*
 * Bytes of a block that is enough for a tree with this many CPUs, and counters in all views
 * together (CPUs share views), as an integer constant for numbers up to a million. It allows for
 * one view per counter, names of 31 bytes, and a label for each counter and view.
 *
 *	static uint64_t block[PMUMAP_AMU_BLOCK(128, 16) / 8];
 */
#define PMUMAP_AMU_BLOCK(cpus, counters) (184u + 40u * (cpus) + 384u * (counters))

/* One per build, usually on the stack. Its members are private. */
struct pmumap_amu_builder {
	struct pmumap_entries_ entries;
	int node; /* the current node of a tree, or PMUMAP_NO_NODE */
};

/*
 * Build a map without a device tree, from views, their counters and CPUs.
 *
 * begin    mem: your block, 8-byte aligned; NULL: measure only. The block belongs to the builder
 *          until pmumap_amu_finish().
 * add      A counter belongs to the view added last. The id of a view is not 0. A CPU takes the id
 *          of its view, which may be added later, or 0. Strings must not overlap the block, and
 *          must live until finish() copies them.
 * need     returns the bytes of block needed so far.
 * finish   builds the map at the start of the block. It takes pmumap_amu_size() bytes; you may
 *          reuse the rest. The builder is used up: its functions return E_ARG.
 *
 * Returns  PMUMAP_OK and the map (NULL when measuring); on failure *map is NULL.
 * Errors   E_ARG, E_NOSPACE, E_LIMIT.
 * Cost     O(n log n) for n entries and their strings.
 */
PMUMAP_API void pmumap_amu_begin(struct pmumap_amu_builder *b, void *mem, size_t bytes);
PMUMAP_API enum pmumap_status pmumap_amu_add_view(struct pmumap_amu_builder *b, uint32_t id);
PMUMAP_API enum pmumap_status pmumap_amu_add_counter(struct pmumap_amu_builder *b, uint32_t index,
						     const char *name, int enable);
PMUMAP_API enum pmumap_status pmumap_amu_add_cpu(struct pmumap_amu_builder *b, uint64_t mpidr,
						 uint32_t view);
PMUMAP_API size_t pmumap_amu_need(const struct pmumap_amu_builder *b);
PMUMAP_API enum pmumap_status pmumap_amu_finish(struct pmumap_amu_builder *b,
						const struct pmumap_amu **map);

/*
 * How to read a tree. Zero-initialise for the defaults, or pass NULL.
 *
 *   node	libfdt's offset of /cpus, to read nothing else; 0: the whole tree
 *   check	pmumap_amu_check, to get findings in report. NULL: no findings, and no code for them
 *		is linked
 */
struct pmumap_amu_options {
	int node;
	enum pmumap_status (*check)(const void *fdt, size_t fdt_size,
				    const struct pmumap_amu_options *opt, void *mem, size_t bytes,
				    const struct pmumap_amu **map);
	pmumap_report_fn *report; /* called for each finding; pmumap_report_fn has its rules */
	void *arg;                /* passed to report */
};

/*
 * Measure the block for a tree, or validate the tree and build its map.
 *
 * Any blob at any address is safe. If blob and block overlap, it returns E_ARG.
 *
 * Returns  PMUMAP_OK and the map at the start of mem; on failure *map is NULL.
 * Errors   E_ARG, E_NOSPACE (not from measure), E_LIMIT, E_FDT_*, E_NOTFOUND; with node, E_NODE.
 * Cost     O(n log n) for any n bytes of blob and block.
 */
PMUMAP_API enum pmumap_status pmumap_amu_fdt_measure(const void *fdt, size_t fdt_size,
						     const struct pmumap_amu_options *opt,
						     size_t *bytes);
PMUMAP_API enum pmumap_status pmumap_amu_fdt_build(const void *fdt, size_t fdt_size,
						   const struct pmumap_amu_options *opt, void *mem,
						   size_t bytes, const struct pmumap_amu **map);

/*
 * For options.check: build the map and report mistakes in the tree. row and other are numbers of
 * CPUs. For a dropped CPU, row is the number that the next one gets.
 */
PMUMAP_API enum pmumap_status pmumap_amu_check(const void *fdt, size_t fdt_size,
					       const struct pmumap_amu_options *opt, void *mem,
					       size_t bytes, const struct pmumap_amu **map);

#define PMUMAP_AMU_MAGIC 0x504d5541u

/*
 * Validate an image from elsewhere; afterwards no look-up reads outside it. image: 8-byte aligned;
 * bytes: at least its size, which is at most 2 GiB.
 *
 * Returns  PMUMAP_OK and the map, which is the image itself; on failure *map is NULL.
 * Errors   E_ARG, E_IMAGE_*.
 * Cost     O(size); writes nothing.
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
PMUMAP_API int pmumap_amu_cpu(const struct pmumap_amu *m, uint64_t mpidr,
			      struct pmumap_amu_cpu *out);
PMUMAP_API int pmumap_amu_cpu_at(const struct pmumap_amu *m, uint32_t index,
				 struct pmumap_amu_cpu *out);

/* The masks of a view. Returns 0 if there is no such view. */
PMUMAP_API int pmumap_amu_view(const struct pmumap_amu *m, uint32_t view, uint16_t *described,
			       uint16_t *enable);

/*
 * The label of a counter, if the tree has labels and it is shorter than 64 bytes; otherwise its
 * node's name, "counter@1". NULL if it is not described.
 */
PMUMAP_API const char *pmumap_amu_counter_name(const struct pmumap_amu *m, uint32_t view,
					       uint32_t counter);

enum pmumap_amu_mismatch {
	PMUMAP_AMU_FITS = 0,
	PMUMAP_AMU_NOT_DESCRIBED = 1, /* to be enabled, but not described */
	PMUMAP_AMU_NOT_IMPLEMENTED,   /* described or to be enabled, but does not exist */
	PMUMAP_AMU_NOT_READABLE       /* to be enabled and exists, but cannot be read */
};

/*
 * Compare a tree's masks with a CPU's counters. readable: from pmumap_amu_readable(), or
 * implemented at the highest exception level. Returns the lowest counter that does not fit, and
 * why; or -1, and *why is FITS.
 */
PMUMAP_API int pmumap_amu_reconcile(uint16_t described, uint16_t enable, uint16_t implemented,
				    uint16_t readable, enum pmumap_amu_mismatch *why);

/* Decode a CPU's auxiliary counters from its registers. amcg1idr counts only with FEAT_AMUv1p1. */
PMUMAP_API uint16_t pmumap_amu_implemented(uint64_t amcfgr, uint64_t amcgcr, int v1p1,
					   uint64_t amcg1idr);

#define PMUMAP_AMU_CG1RZ 0x20000u  /* of AMCR */
#define PMUMAP_AMU_TAM 0x40000000u /* of CPTR_EL3 and CPTR_EL2 */

/*
 * Who reads counters, and the registers that may prevent it. Pass 0 for a register that is missing
 * or has no effect: those of EL2 if EL2 is disabled; hafgrtr_el2 if SCR_EL3.FGTEn is 0 and, for
 * EL0, if HCR_EL2.E2H and TGE are set.
 */
struct pmumap_amu_access {
	uint32_t el, highest_el;     /* the reader's exception level; the CPU's highest */
	uint64_t amcr;               /* CG1RZ: below the highest level, group 1 reads as 0 */
	uint64_t cptr_el3, cptr_el2; /* TAM: any access from below EL3, or below EL2, traps */
	uint64_t hafgrtr_el2;        /* reading the counters it names traps below EL2 */
	uint64_t amuserenr;          /* EN: 0: an access from EL0 traps */
};

/*
 * Which implemented counters of a group this exception level can read. Group 0 is the
 * architecture's, 1 the auxiliary one. Reading others traps or yields 0.
 */
PMUMAP_API uint16_t pmumap_amu_readable(const struct pmumap_amu_access *access, uint32_t group,
					uint16_t implemented);
