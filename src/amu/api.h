/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/api.h"

/*
 * AMU without a device tree: views, each with the counters that are added after it, and CPUs. The
 * id of a view is not 0. A CPU has the id of its view, which may be added later, or 0. Strings have
 * to live until pmumap_finish(), which copies them.
 */
PMUMAP_API enum pmumap_status pmumap_add_amu_view(struct pmumap_builder *b, uint32_t id);
PMUMAP_API enum pmumap_status pmumap_add_amu_counter(struct pmumap_builder *b, uint32_t index,
						     const char *name, int enable);
PMUMAP_API enum pmumap_status pmumap_add_amu_cpu(struct pmumap_builder *b, uint64_t mpidr,
						 uint32_t view);

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
PMUMAP_API int pmumap_amu_cpu(const struct pmumap *m, uint64_t mpidr, struct pmumap_amu_cpu *out);
PMUMAP_API int pmumap_amu_cpu_at(const struct pmumap *m, uint32_t index,
				 struct pmumap_amu_cpu *out);

/* The masks of a view. Returns 0: there is no such view. */
PMUMAP_API int pmumap_amu_view(const struct pmumap *m, uint32_t view, uint16_t *described,
			       uint16_t *enable);

/*
 * The label of a counter, where the tree has kept labels and it has less than 64 bytes, else
 * "counter@1"; NULL: not described.
 */
PMUMAP_API const char *pmumap_amu_counter_name(const struct pmumap *m, uint32_t view,
					       uint32_t counter);

enum pmumap_amu_mismatch {
	PMUMAP_AMU_FITS = 0,
	PMUMAP_AMU_NOT_DESCRIBED = 1, /* to be enabled, but not described */
	PMUMAP_AMU_NOT_IMPLEMENTED,   /* described or to be enabled, but not there */
	PMUMAP_AMU_NOT_READABLE       /* to be enabled and there, but it cannot be read */
};

/*
 * Compare what a tree says with what a CPU has. Returns the lowest counter that does not fit, and
 * why; or -1, and *why is FITS.
 */
PMUMAP_API int pmumap_amu_reconcile(uint16_t described, uint16_t enable, uint16_t implemented,
				    uint16_t readable, enum pmumap_amu_mismatch *why);

/* The auxiliary counters of a CPU from its registers; amcg1idr counts only with FEAT_AMUv1p1. */
PMUMAP_API uint16_t pmumap_amu_implemented(uint64_t amcfgr, uint64_t amcgcr, int v1p1,
					   uint64_t amcg1idr);
