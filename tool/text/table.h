/* SPDX-License-Identifier: BSD-2-Clause
 *
 * table.h -- tables of text that comes from a device tree: escaped, aligned, within the terminal.
 */
#ifndef TABLE_H
#define TABLE_H

#include "output.h"

#define LINE_WIDTH 100 /* of a terminal that does not say how wide it is */

/* A table is filled row by row. A column that is empty in every row is not printed. */
struct table {
	const char *const *heads; /* of a head with '>' before it, the column stands right */
	unsigned columns;
	char **cells; /* of a note: NULL, the text, and NULL up to the end of the row */
	size_t used;
};

/* Adds a cell. NULL is as good as "". */
void table_cell(struct table *t, const char *text);

/* Adds a cell that is escaped already; the table frees it. */
void table_add(struct table *t, char *text);

/* Adds a text below the row before it. Needs a table of at least two columns. */
void table_note(struct table *t, const char *text);

/*
 * Prints the table and leaves it empty. Lines are broken at the width that COLUMNS says, or the
 * terminal; where there is none, a row is a line.
 */
void table_end(struct table *t);

/*
 * Prints a text and ends the line. On a terminal it is broken at blanks, or where it has to be.
 * column: where the text begins; indent: where its other lines begin.
 */
void put_folded(const char *text, int column, int indent);

#endif /* TABLE_H */
