/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lines.h -- the position of a node, a property or a row in a .dts.
 */
#ifndef LINES_H
#define LINES_H

#include "groups.h"
#include "source.h"

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

#endif /* LINES_H */
