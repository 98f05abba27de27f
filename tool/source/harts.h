/* SPDX-License-Identifier: BSD-2-Clause
 *
 * harts.h -- the harts of a tree, and the riscv,pmu node that serves each.
 */
#ifndef HARTS_H
#define HARTS_H

#include "source.h"

#define HARTS 128u /* at most this many harts are read; each costs walks of the tree */

struct hart {
	uint64_t id; /* mhartid */
	int node;    /* PMUMAP_NO_NODE if no node serves it */
};

/* Lists the harts in /cpus in tree order, without their nodes. Returns their number. */
uint32_t list_harts(const struct source *source, struct hart *harts);

/*
 * PMUMAP_SSCOFPMF and PMUMAP_SMCNTRPMF of a hart. With id NULL, of the first hart that has Sscofpmf
 * without Smcntrpmf, otherwise of the first hart.
 */
uint32_t features_in_tree(const struct source *source, const uint64_t *id);

int has_hart(const struct source *source, uint64_t id);

/* Returns the node that serves a hart, or PMUMAP_NO_NODE. */
int node_of_hart(const struct source *source, uint64_t id);

/* Lists the harts and their nodes. Returns 0 if all harts use the same node. */
uint32_t list_mixed_harts(const struct source *source, struct hart *harts);

/* Replaces the RISC-V map by the map of another node. */
void use_node(struct source *source, int node);

#endif /* HARTS_H */
