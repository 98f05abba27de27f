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
 * duplicates. No mask ignores bits on both sides of a bit that it requires to be set. Returns the
 * number of rows, sorted by select; the caller frees *cubes.
 */
size_t cover(const uint64_t *codes, size_t count, struct cube **cubes);

#endif /* COVER_H */
