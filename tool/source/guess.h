/* SPDX-License-Identifier: BSD-2-Clause
 *
 * guess.h -- table rows with too few or too many cells, and what was probably meant.
 */
#ifndef GUESS_H
#define GUESS_H

#include "rows.h"

struct odd_row {
	const char *property;
	uint32_t row, cells;
	int wide; /* /bits/ 64 made two cells of each number */
	uint32_t meant[WIDEST];
	uint32_t lacks; /* the only cell that can be missing; PMUMAP_NO_ROW: it is not unique */
};

/*
 * Fills in what a row of odd->cells cells may have meant. A selector or mask of one cell is taken
 * as the lower half.
 */
void guess_row(struct odd_row *odd, const uint32_t *cell);

/* True if the values of a row make sense. */
int is_sensible(const char *property, const uint32_t *cell);

/*
 * Finds the rows of a flat list that makes no sense as rows of the right width. Tries one other
 * width for all rows, and one row with a cell too few or too many; for wide numbers, the groups
 * first. starts[i]: a group begins at cell i; on success, a row begins there. Returns 0 if nothing
 * is wrong, or there is no single answer.
 */
int split_list(const char *property, const uint32_t *cells, uint32_t count, int wide,
	       unsigned char *starts);

#endif /* GUESS_H */
