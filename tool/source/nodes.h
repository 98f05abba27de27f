/* SPDX-License-Identifier: BSD-2-Clause
 *
 * nodes.h -- what a tree says at the nodes that a finding names.
 */
#ifndef NODES_H
#define NODES_H

#include "source.h"

#define DEPTH_LIMIT 64 /* of what pmumap_fdt.h accepts */

/* To be called when the tree has changed. */
void forget_nodes(struct source *source);

/* The path of a node; NULL: there is no such node. It holds until the next call. */
const char *node_path(struct source *source, int node);

/* The text of a property; NULL: it is no string. */
const char *property_text(const struct source *source, int node, const char *property);

/* IMC: the name of the event with this reg in a list; NULL: none. */
const char *event_name(const struct source *source, int list, uint64_t reg);

/* AMU: the first sibling of the finding's CPU that has the same affinity; negative: none. */
int first_cpu(const struct source *source, const struct pmumap_finding *f);

/* RISC-V: the node that is asked for; else the first, which firmware reads. Negative: none. */
int pmu_node(const struct source *source, const struct input *input);

/* The cells of a property; NULL: there are none. Each is 4 bytes. */
const unsigned char *property_cells(const struct source *source, int node, const char *property,
				    uint32_t *cells);

/* The length of a property; 0: there is none. */
uint32_t property_bytes(const struct source *source, int node, const char *property);

#endif /* NODES_H */
