/* SPDX-License-Identifier: BSD-2-Clause */
/* AMU: the activity monitors of each CPU */
#pragma once

#include "pool/entries_api.h"

struct pmumap_amu; /* a map: read it through the functions below */

/*
 * Bytes of a block that is enough for a tree of so many CPUs, and of so many nodes of counters in
 * all its views: an integer constant, a multiple of 8, for numbers up to a million. It has room
 * for one view for each counter, names of 31 bytes, and a label for each counter and view.
 *
 *	static uint64_t block[PMUMAP_AMU_BLOCK(128, 16) / 8];
 */
#define PMUMAP_AMU_BLOCK(cpus, counters) (184u + 40u * (cpus) + 384u * (counters))

/* One for each build, usually on the stack. Its members are for its own functions. */
struct pmumap_amu_builder {
	struct pmumap_entries_ entries;
	int node; /* of a tree, in which the next entry lies; PMUMAP_NO_NODE without a tree */
};

/*
 * Build a map without a device tree: views, each with the counters that are added after it, and
 * CPUs.
 *
 * begin    mem: your block, 8-byte aligned; or NULL, to measure only: add all, then ask
 *          pmumap_amu_need(). The block belongs to the builder until pmumap_amu_finish().
 * add      The id of a view is not 0. A CPU has the id of its view, which may be added later, or 0.
 *          Strings lie outside of the block, and have to live until finish() copies them.
 * need     bytes of the block that what was added so far needs.
 * finish   puts the map at the start of the block. The rest of it is free again: the map takes
 *          pmumap_amu_size() bytes. The builder is used up: its functions return E_ARG.
 *
 * Returns  PMUMAP_OK and the map (NULL when only measuring); on failure *map is NULL.
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
 * How a tree is read. Zero-initialise for the defaults, or pass NULL.
 *
 *   node	libfdt's offset of /cpus, if nothing else may be read; 0: all of the tree
 *   check	pmumap_amu_check: findings go to report. NULL: nobody wants them, and a program that
 *		never names that function does not link it
 */
struct pmumap_amu_options {
	int node;
	enum pmumap_status (*check)(const void *fdt, size_t fdt_size,
				    const struct pmumap_amu_options *opt, void *mem, size_t bytes,
				    const struct pmumap_amu **map);
	pmumap_report_fn *report; /* see its type for what it must not do */
	void *arg;                /* given to report */
};

/*
 * Validate a flattened device tree and build the map of it; measure: how many bytes of block that
 * takes.
 *
 * The blob may be anything, at any address: no byte outside of fdt_size is read, nor behind the
 * size in its header, and only the block is written. If the two share a byte: E_ARG.
 *
 * Returns  PMUMAP_OK and the map at the start of mem; on failure *map is NULL.
 * Errors   E_ARG, E_NOSPACE (not of measure), E_LIMIT, E_FDT_*, E_NOTFOUND; with node, E_NODE.
 * Cost     O(n log n) for n bytes of blob and block, whatever they are.
 */
PMUMAP_API enum pmumap_status pmumap_amu_fdt_measure(const void *fdt, size_t fdt_size,
						     const struct pmumap_amu_options *opt,
						     size_t *bytes);
PMUMAP_API enum pmumap_status pmumap_amu_fdt_build(const void *fdt, size_t fdt_size,
						   const struct pmumap_amu_options *opt, void *mem,
						   size_t bytes, const struct pmumap_amu **map);

/*
 * For options.check: builds the map, then reports what is wrong with the tree or probably
 * unintended. In a finding, row is the number of a CPU and other that of another one; of a CPU that
 * was dropped, row is the number that the next one gets.
 */
PMUMAP_API enum pmumap_status pmumap_amu_check(const void *fdt, size_t fdt_size,
					       const struct pmumap_amu_options *opt, void *mem,
					       size_t bytes, const struct pmumap_amu **map);

#define PMUMAP_AMU_MAGIC 0x504d5541u

/*
 * Check an image that comes from elsewhere. After that no look-up reads outside of it, whatever it
 * is asked. image: 8-byte aligned; bytes: at least those of the image, which has at most 2 GiB.
 *
 * Returns  PMUMAP_OK and the map, which is the image itself; on failure *map is NULL.
 * Errors   E_ARG, E_IMAGE_MAGIC, E_IMAGE_ORDER, E_IMAGE_VERSION, E_IMAGE_SIZE, E_IMAGE_TABLE.
 * Cost     O(size); writes nothing.
 */
PMUMAP_API enum pmumap_status pmumap_amu_open(const void *image, size_t bytes,
					      const struct pmumap_amu **map);

/* Bytes of the image: what to copy, store or hand on. */
PMUMAP_API size_t pmumap_amu_size(const struct pmumap_amu *m);

#define PMUMAP_AMU_AFFINITY 0xff00ffffffu /* the bits of MPIDR that tell CPUs apart */
#define PMUMAP_AMU_NO_VIEW 0xffffffffu

/* One CPU. Bit N of the masks: auxiliary counter N, of 16. */
struct pmumap_amu_cpu {
	uint64_t mpidr; /* its affinity bits */
	uint32_t view;  /* which counters it has, shared by CPUs; or NO_VIEW: none is described */
	uint16_t described; /* counters that the tree names */
	uint16_t enable;    /* those of them that the highest exception level shall enable: if any
			       node of a counter says so */
};

/*
 * The CPU with these affinity bits (others of MPIDR may be set), and the CPUs in the order of the
 * tree. Returns 1; or 0, *out untouched. Cost: a binary search, and one access.
 */
PMUMAP_API int pmumap_amu_cpu(const struct pmumap_amu *m, uint64_t mpidr,
			      struct pmumap_amu_cpu *out);
PMUMAP_API int pmumap_amu_cpu_at(const struct pmumap_amu *m, uint32_t index,
				 struct pmumap_amu_cpu *out);

/* The masks of a view. Returns 0: there is no such view. */
PMUMAP_API int pmumap_amu_view(const struct pmumap_amu *m, uint32_t view, uint16_t *described,
			       uint16_t *enable);

/*
 * The label of a counter, where the tree has kept labels and it has less than 64 bytes, else
 * "counter@1"; NULL: not described.
 */
PMUMAP_API const char *pmumap_amu_counter_name(const struct pmumap_amu *m, uint32_t view,
					       uint32_t counter);

enum pmumap_amu_mismatch {
	PMUMAP_AMU_FITS = 0,
	PMUMAP_AMU_NOT_DESCRIBED = 1, /* to be enabled, but not described */
	PMUMAP_AMU_NOT_IMPLEMENTED,   /* described or to be enabled, but not there */
	PMUMAP_AMU_NOT_READABLE       /* to be enabled and there, but it cannot be read */
};

/*
 * Compare what a tree says with what a CPU has. readable: from pmumap_amu_readable(); at the
 * highest exception level, implemented. Returns the lowest counter that does not fit, and why; or
 * -1, and *why is FITS.
 */
PMUMAP_API int pmumap_amu_reconcile(uint16_t described, uint16_t enable, uint16_t implemented,
				    uint16_t readable, enum pmumap_amu_mismatch *why);

/* The auxiliary counters of a CPU from its registers; amcg1idr counts only with FEAT_AMUv1p1. */
PMUMAP_API uint16_t pmumap_amu_implemented(uint64_t amcfgr, uint64_t amcgcr, int v1p1,
					   uint64_t amcg1idr);

#define PMUMAP_AMU_CG1RZ 0x20000u  /* of AMCR */
#define PMUMAP_AMU_TAM 0x40000000u /* of CPTR_EL3 and CPTR_EL2 */

/*
 * Who reads counters, and the registers that may prevent it. Pass 0 for a register that the CPU
 * does not have, or that has no effect: those of EL2 where EL2 is disabled; hafgrtr_el2 where
 * SCR_EL3.FGTEn is 0, and for EL0 where HCR_EL2.E2H and TGE are set.
 */
struct pmumap_amu_access {
	uint32_t el, highest_el;     /* the exception level that reads; the highest of the CPU */
	uint64_t amcr;               /* CG1RZ: below the highest level, group 1 reads as 0 */
	uint64_t cptr_el3, cptr_el2; /* TAM: any access from below EL3, or below EL2, traps */
	uint64_t hafgrtr_el2;        /* reading the counters it names traps below EL2 */
	uint64_t amuserenr;          /* EN: 0: an access from EL0 traps */
};

/*
 * The counters that this exception level can read, of those implemented in a group: 0 or 1, the
 * auxiliary ones. Reading any other one traps, or yields 0.
 */
PMUMAP_API uint16_t pmumap_amu_readable(const struct pmumap_amu_access *access, uint32_t group,
					uint16_t implemented);
