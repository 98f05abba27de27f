/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cover.h -- few raw rows that accept exactly the raw events of a list.
 */
#ifndef COVER_H
#define COVER_H

#include "text/output.h"

/* A raw row: it accepts e if (e & mask) == select. */
struct cube {
	uint64_t select, mask;
};

/*
 * Rows that accept the codes and no others, each code by one row. codes: ascending, each once. Up
 * to 64 codes the rows are the fewest, or as few as a bounded search finds; of more codes, the
 * fewest of several ways. No mask ignores bits on both sides of one that has to be set. Returns how
 * many there are, by select; *cubes is to be freed.
 */
size_t cover(const uint64_t *codes, size_t count, struct cube **cubes);

#endif /* COVER_H */
