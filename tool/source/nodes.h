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

/* ---- harts ----------------------------------------------------------------------------------- */

/* Lists the harts of the tree in source. Call it after changing the tree. */
void read_harts(struct source *source);

/* Returns NULL if the tree does not have it. */
const struct pmumap_fdt_hart *find_hart(const struct source *source, uint64_t id);

/* Returns the node that serves a hart, or PMUMAP_NO_NODE. */
int node_of_hart(const struct source *source, uint64_t id);

/*
 * PMUMAP_SSCOFPMF and PMUMAP_SMCNTRPMF of a hart. With id NULL, of a hart that has Sscofpmf without
 * Smcntrpmf, otherwise of the first hart.
 */
uint32_t features_in_tree(const struct source *source, const uint64_t *id);

/* Whether harts use different nodes. */
int has_mixed_harts(const struct source *source);

/* Replaces the RISC-V map by the map of another node. */
void use_node(struct source *source, int node);

#endif /* NODES_H */
