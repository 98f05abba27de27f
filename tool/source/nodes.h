/* SPDX-License-Identifier: BSD-2-Clause
 *
 * nodes.h -- reads what a finding needs from its node.
 */
#ifndef NODES_H
#define NODES_H

#include "source.h"

#define DEPTH_LIMIT 64 /* pmumap_fdt.h accepts no deeper tree */

/* Call it after changing the tree. */
void forget_nodes(struct source *source);

/* The path of a node, or NULL if there is no such node. Valid until the next call. */
const char *node_path(struct source *source, int node);

/* The text of a property, or NULL if it is not a string. */
const char *property_text(const struct source *source, int node, const char *property);

/* IMC: the name of the event with this reg in a list, or NULL. */
const char *event_name(const struct source *source, int list, uint64_t reg);

/* AMU: the first sibling with the same affinity as the finding's CPU; negative: none. */
int first_cpu(const struct source *source, const struct pmumap_finding *f);

/* RISC-V: the node that the map is of. Negative: none. */
int pmu_node(const struct source *source, const struct input *input);

/* The cells of a property, 4 bytes each, or NULL if there are none. */
const unsigned char *property_cells(const struct source *source, int node, const char *property,
				    uint32_t *cells);

/* The length of a property in bytes, or 0 if there is none. */
uint32_t property_bytes(const struct source *source, int node, const char *property);

/* The harts of a tree, and the riscv,pmu node that serves each. */

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

#endif /* NODES_H */
