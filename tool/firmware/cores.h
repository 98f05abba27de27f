/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cores.h -- what a tree tells Linux and OpenSBI about its harts, beside Sscofpmf and Smcntrpmf.
 */
#ifndef CORES_H
#define CORES_H

#include "source/source.h"

/* Who interrupts on overflow. Linux wants the extension on all harts. */
enum overflow { OVERFLOW_NONE, OVERFLOW_SSCOFPMF, OVERFLOW_THEAD, OVERFLOW_ANDES };

struct cores {
	enum overflow overflow;
	int guessed; /* the tree lists no harts */
};
struct cores cores_of(const struct source *source);

/* True for the tree of QEMU's virt machine, whose counters take an event's number. */
int is_qemu(const struct source *source);

/* What a tree is, if it cannot tell what perf counts. */
enum tree { TREE_WHOLE, TREE_OVERLAY, TREE_FRAGMENT, TREE_FOREIGN };
enum tree tree_of(const struct source *source);

#endif /* CORES_H */
