/* SPDX-License-Identifier: BSD-2-Clause
 *
 * harts.h -- the harts of a tree, and the riscv,pmu node that each of them reads.
 */
#ifndef HARTS_H
#define HARTS_H

#include "source.h"

#define HARTS 128u /* that are looked at; each costs walks through the tree */

struct hart {
	uint64_t id; /* its mhartid */
	int node;    /* PMUMAP_NO_NODE: none serves it */
};

/* The harts in /cpus, in the order of the tree, without their nodes. Returns how many. */
uint32_t list_harts(const struct source *source, struct hart *harts);

/* The node that serves a hart; PMUMAP_NO_NODE: none. */
int node_of_hart(const struct source *source, uint64_t id);

/* The harts with their nodes, if these are not all the same; else returns 0. */
uint32_t list_mixed_harts(const struct source *source, struct hart *harts);

/* Builds the RISC-V map of another node of the tree in the place of the present one. */
void use_node(struct source *source, int node);

#endif /* HARTS_H */
