/* SPDX-License-Identifier: BSD-2-Clause
 *
 * groups.h -- the text of a property in a .dts: its cells, and the groups <...> that they stand in.
 */
#ifndef GROUPS_H
#define GROUPS_H

#include "text/output.h"

/* A piece of the text; line and column count from 1. */
struct piece {
	const char *at, *end;
	uint32_t line, column;
};

struct groups {
	struct piece *cells, *groups; /* a group is all from < to > */
	uint32_t *first;              /* of each group, its first cell; one more than groups */
	uint32_t cell_count, count;
	int exact; /* there is nothing in it but cells of 32 bits */
	int odd;   /* the groups are rows, or several rows each, but for some that have too few or
		      too many cells; or all of them have the same number, which is another one.
		      Other groups mean nothing. Groups of zeros are not odd. */
};

/*
 * Reads a property from its name to its semicolon. Where the groups are no rows of so many cells,
 * and something is left over, lines are the groups, if most of them are rows. To be unloaded at the
 * end.
 */
void read_groups(struct groups *g, struct piece text, uint32_t width);
void unload_groups(struct groups *g);

/* The cells of a group. */
uint32_t cells_of(const struct groups *g, uint32_t group);

/* The row's first cell; each odd row is one. NULL: there is no such row. */
const struct piece *find_row(const struct groups *g, uint32_t width, uint32_t row);

#endif /* GROUPS_H */
