/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cover_task.h -- what the ways to cover a set have in common.
 */
#ifndef COVER_TASK_H
#define COVER_TASK_H

#include "text/output.h"

/* Rows as the ways make them: the bits that a row ignores are free. */
struct piece {
	uint64_t select, free, key;
};

struct pieces {
	struct piece *list;
	size_t count;
};

/* The set, and the best result up to now. */
struct task {
	const uint64_t *codes;
	size_t count;
	uint64_t bits[64]; /* in which codes differ, from the lowest */
	unsigned width;
	struct pieces best;
};

/* As pmumap finds raw-wide: free bits above and below one that has to be set. */
int is_scattered(uint64_t select, uint64_t free);

/* Makes it the best result, if it has fewer rows. */
void take_if_better(struct task *t, const struct pieces *p);

/* Of few codes: looks for fewer rows than the best result has, for a bounded time. */
void try_search(struct task *t);

#endif /* COVER_TASK_H */
