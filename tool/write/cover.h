/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cover.h -- finds few raw rows that accept exactly the raw events of a list.
 */
#ifndef COVER_H
#define COVER_H

#include "text/output.h"

/* A raw row: it accepts e if (e & mask) == select. */
struct cube {
	uint64_t select, mask;
};

/*
 * Finds rows that accept these codes and no others, each code by one row. codes: ascending, no
 * duplicates. Up to 64 codes, the number of rows is minimal unless the bounded search runs out.
 * With more codes, it is the smallest of several heuristics. No mask ignores bits on both sides of
 * a bit that it requires to be set. Returns the number of rows, sorted by select; the caller frees
 * *cubes.
 */
size_t cover(const uint64_t *codes, size_t count, struct cube **cubes);

/* ---- shared by the ways to cover a set ------------------------------------------------------- */

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

#endif /* COVER_H */
