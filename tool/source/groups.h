/* SPDX-License-Identifier: BSD-2-Clause
 *
 * groups.h -- parses a property in a .dts: its cells, and the groups <...> that contain them; and
 * the positions of nodes, properties and rows.
 */
#ifndef GROUPS_H
#define GROUPS_H

#include "rows.h"

/* A piece of the text. line and column count from 1. */
struct piece {
	const char *at, *end;
	uint32_t line, column;
};

struct groups {
	struct piece *cells, *groups; /* a group extends from < to > */
	uint32_t *first;              /* index of each group's first cell, plus one end entry */
	uint32_t cell_count, count;
	int exact; /* all cells have 32 bits, or the rows are wide */
	int wide;  /* 64-bit numbers: two cells share one piece */
	int split; /* each group is one row; a row of another width is odd */
	int odd;   /* the groups are rows, or several rows each, but for some that have too few or
		      too many cells; or all of them have the same number, which is another one.
		      Other groups mean nothing. Groups of zeros are not odd. */
};

/*
 * Reads a property from its name to its semicolon. Where the groups are no rows, and something is
 * left over, lines are the groups, if most of them are rows; else a flat list is split, if its
 * values show how. To be unloaded at the end.
 */
void read_groups(struct groups *g, struct piece text, const char *property);
void unload_groups(struct groups *g);

/* The cells of a group. */
uint32_t cells_of(const struct groups *g, uint32_t group);

/* True if the group is one row with too few or too many cells. */
int is_odd(const struct groups *g, uint32_t group, uint32_t width);

/* True if the group begins with a 64-bit number. */
int is_wide(const struct groups *g, uint32_t group);

/* The row's first cell; each odd row is one. NULL: there is no such row. */
const struct piece *find_row(const struct groups *g, uint32_t width, uint32_t row);

/* Table rows with too few or too many cells, and what was probably meant. */

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

/* True if only the row's counters are missing: the guess has 0. */
int lacks_counters(const struct odd_row *odd);

/* False if the guess makes no sense as a row. */
int is_probable(const struct odd_row *odd);

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

/* ---- positions ------------------------------------------------------------------------------- */

struct mark;

/* Positions in one .dts. Zero it before use and unload it at the end. */
struct lines {
	int asked;
	struct bytes text; /* dtc's output, cut into strings */
	struct mark *marks;
	uint32_t count;
	struct bytes file; /* the file read last to find rows */
};

/* A position; line 0: unknown. */
struct spot {
	const char *file;
	uint32_t line, column;
};

/*
 * Finds a node, one of its properties (or NULL), and one of its rows (or PMUMAP_NO_ROW). Falls back
 * to the property if the row is not found, then to the node. The first call runs dtc.
 */
struct spot find_spot(struct source *source, struct lines *lines, int node, const char *property,
		      uint32_t row);

/*
 * The text from a property on; *file: its file. NULL: the position is unknown. The result is valid
 * until the next call of either function.
 */
struct piece property_piece(struct source *source, struct lines *lines, int node,
			    const char *property, const char **file);

void unload_lines(struct lines *lines);

#endif /* GROUPS_H */
