/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Naive model of AMU: each CPU's view and masks, by plain loops over the tree. It shares no code
 * with the library, like the model of RISC-V events.
 *
 * Also a second model: what TF-A 2.12, the last release that reads the binding, makes of a tree.
 */
#ifndef AMU_MODEL_H
#define AMU_MODEL_H

#include "model.h"

enum { AMU_COUNTERS = 16 };

struct amu_model_cpu {
	uint64_t mpidr;
	uint32_t view; /* or MODEL_NO_ROW */
	uint16_t described, enable;
	int node;
};

/* Names point into the tree; NULL if not described. */
struct amu_model_view {
	const char *name[AMU_COUNTERS];
	uint16_t described, enable;
	int node;
};

/* Both in tree order. */
struct amu_model {
	const void *fdt;
	struct amu_model_cpu *cpu;
	struct amu_model_view *view;
	struct model_finding *finding;
	uint32_t cpus, views, findings;
};

/*
 * Reads a well-formed tree that must outlive the model. Returns 0 if it has no AMU: neither
 * /cpus/amus nor a CPU with the property amu.
 */
int amu_model_read(struct amu_model *m, const void *fdt);
void amu_model_free(struct amu_model *m);

/* The CPU with these affinity bits, or MODEL_NO_ROW. */
uint32_t amu_model_cpu(const struct amu_model *m, uint64_t mpidr);

/*
 * The lowest counter that does not fit, and the reason: 1 not described, 2 missing, 3 unreadable.
 */
int amu_model_reconcile(unsigned described, unsigned enable, unsigned implemented,
			unsigned readable, int *why);

/* ---- TF-A ------------------------------------------------------------------------------------ */

/* Deviations of TF-A from the tree. Without any of them its masks are right. */
enum {
	TFA_PANIC = 1,     /* the boot stops: error */
	TFA_SKIPPED = 2,   /* skips a CPU that has a view */
	TFA_LOST = 4,      /* a counter's bit does not fit into the mask */
	TFA_UNDEFINED = 8, /* a shift by 31 or more */
	TFA_MERGED = 16,   /* merges two CPUs that have the same number */
	TFA_PART = 32      /* computes a CPU's number from the wrong cells */
};

struct tfa {
	unsigned doubts;  /* bits TFA_* */
	int error;        /* of libfdt */
	uint64_t *mpidr;  /* CPUs found */
	uint16_t *enable; /* value for AMCNTENSET1 */
	uint32_t cpus;
};

void tfa_read(struct tfa *t, const void *fdt);
void tfa_free(struct tfa *t);

/* The mask of a CPU; 0 if TF-A did not read the CPU. */
unsigned tfa_enable(const struct tfa *t, uint64_t mpidr);

#endif /* AMU_MODEL_H */
