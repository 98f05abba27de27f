/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cover_task.h -- shared by the ways to cover a set.
 */
#ifndef COVER_TASK_H
#define COVER_TASK_H

#include "text/output.h"

/* A row under construction. The bits that a row ignores are free. */
struct piece {
	uint64_t select, free, key;
};

struct pieces {
	struct piece *list;
	size_t count;
};

/* The set, and the best result so far. */
struct task {
	const uint64_t *codes;
	size_t count;
	uint64_t bits[64]; /* bits in which codes differ, from the lowest */
	unsigned width;
	struct pieces best;
};

/* The same rule as raw-wide: free bits above and below one that must be set. */
int is_scattered(uint64_t select, uint64_t free);

/* Takes it as the best result if it has fewer rows. */
void take_if_better(struct task *t, const struct pieces *p);

/* For few codes: searches for fewer rows than the best result, for a bounded time. */
void try_search(struct task *t);

#endif /* COVER_TASK_H */
