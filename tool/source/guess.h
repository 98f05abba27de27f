/* SPDX-License-Identifier: BSD-2-Clause
 *
 * guess.h -- rows of a table that have too few or too many cells, and what they may have meant.
 */
#ifndef GUESS_H
#define GUESS_H

#include "rows.h"

struct odd_row {
	const char *property;
	uint32_t row, cells;
	int wide; /* /bits/ 64 made two cells of each number */
	uint32_t meant[WIDEST];
	uint32_t lacks; /* the only cell that can be missing; PMUMAP_NO_ROW: others can be, too */
};

/*
 * Fills in what a row of odd->cells cells may have meant. A selector or mask of one cell is its
 * lower half.
 */
void guess_row(struct odd_row *odd, const uint32_t *cell);

/* Whether the values of a row make sense. */
int is_sensible(const char *property, const uint32_t *cell);

/*
 * Finds the rows of a flat list whose cells make no sense as rows of the right width: one other
 * width that all rows have, or one row with a cell too few or too many; of wide numbers first the
 * groups. starts[i]: a group begins at cell i; changed to where rows begin. Returns 0: there is
 * nothing to mend, or no single answer.
 */
int split_list(const char *property, const uint32_t *cells, uint32_t count, int wide,
	       unsigned char *starts);

#endif /* GUESS_H */
