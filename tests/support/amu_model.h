/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The naive model of AMU: every CPU's view and masks, by straight loops over the tree. Like the
 * model of RISC-V events it shares nothing with the library.
 *
 * And a second one: what TF-A 2.12, the last release that reads the binding, makes of a tree.
 */
#ifndef AMU_MODEL_H
#define AMU_MODEL_H

#include "model.h"

enum { AMU_COUNTERS = 16 };

struct amu_model_cpu {
	uint64_t mpidr;
	uint32_t view; /* MODEL_NO_ROW: none */
	uint16_t described, enable;
	int node;
};

/* Names point into the tree; NULL: not described. */
struct amu_model_view {
	const char *name[AMU_COUNTERS];
	uint16_t described, enable;
	int node;
};

/* Both in the order of the tree. */
struct amu_model {
	const void *fdt;
	struct amu_model_cpu *cpu;
	struct amu_model_view *view;
	struct model_finding *finding;
	uint32_t cpus, views, findings;
};

/*
 * Read a tree that is known to be well formed and to outlive the model. Returns 0 if it has nothing
 * of AMU: neither /cpus/amus nor a CPU with a property amu.
 */
int amu_model_read(struct amu_model *m, const void *fdt);
void amu_model_free(struct amu_model *m);

/* The number of the CPU with these affinity bits; MODEL_NO_ROW: none. */
uint32_t amu_model_cpu(const struct amu_model *m, uint64_t mpidr);

/* The lowest counter that does not fit, and why: 1 not described, 2 not there, 3 not readable. */
int amu_model_reconcile(unsigned described, unsigned enable, unsigned implemented,
			unsigned readable, int *why);

/* ---- TF-A ------------------------------------------------------------------------------------ */

/* What TF-A does besides reading what the tree says; without any of these its masks are right. */
enum {
	TFA_PANIC = 1,     /* the boot ends: error */
	TFA_SKIPPED = 2,   /* a CPU with a view is passed over */
	TFA_LOST = 4,      /* the bit of a counter fell out of the mask */
	TFA_UNDEFINED = 8, /* a shift by 31 or more */
	TFA_MERGED = 16,   /* two CPUs of one number became one */
	TFA_PART = 32      /* of a number not the cells that make it were read */
};

struct tfa {
	unsigned doubts;  /* TFA_* */
	int error;        /* of libfdt */
	uint64_t *mpidr;  /* of the CPUs it has met */
	uint16_t *enable; /* what is written to AMCNTENSET1 */
	uint32_t cpus;
	uint64_t steps; /* tags read */
};

void tfa_read(struct tfa *t, const void *fdt);
void tfa_free(struct tfa *t);

/* The mask of a CPU; 0 of one that it has not read. */
unsigned tfa_enable(const struct tfa *t, uint64_t mpidr);

/* The tags of a tree. */
uint64_t tfa_tags(const void *fdt);

#endif /* AMU_MODEL_H */
