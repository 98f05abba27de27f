/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lines.h -- where a node, a property or a row stands in a .dts.
 */
#ifndef LINES_H
#define LINES_H

#include "groups.h"
#include "source.h"

struct mark;

/* What is known of a .dts. To be zeroed before, and unloaded at the end. */
struct lines {
	int asked;
	struct bytes text; /* what dtc wrote, cut into strings */
	struct mark *marks;
	uint32_t count;
	struct bytes file; /* that was read last, to find rows in */
};

/* Where something stands; line 0: unknown. */
struct spot {
	const char *file;
	uint32_t line, column;
};

/*
 * Finds a node, one of its properties (or NULL), and one of its rows (or PMUMAP_NO_ROW). If the
 * row cannot be found, the answer is the property; if that cannot, the node. The first call runs
 * dtc.
 */
struct spot find_spot(struct source *source, struct lines *lines, int node, const char *property,
		      uint32_t row);

/*
 * The text from a property on, and in *file where it stands; NULL: it is not known where. It holds
 * until the next call of these two.
 */
struct piece property_piece(struct source *source, struct lines *lines, int node,
			    const char *property, const char **file);

void unload_lines(struct lines *lines);

#endif /* LINES_H */
