/* SPDX-License-Identifier: BSD-2-Clause
 *
 * table.h -- prints tables of text from a device tree: escaped, aligned, within the terminal's
 * width.
 */
#ifndef TABLE_H
#define TABLE_H

#include "output.h"

#define LINE_WIDTH 100 /* for a terminal of unknown width */

/* A table is filled row by row. A column that is empty in every row is not printed. */
struct table {
	const char *const *heads; /* a head that starts with '>' right-aligns its column */
	unsigned columns;
	char **cells; /* a note is NULL, the text, then NULL up to the end of the row */
	size_t used;
};

/* Adds a cell. NULL is the same as "". */
void table_cell(struct table *t, const char *text);

/* Adds several cells. */
#define table_cells(t, ...)                                                                        \
	table_texts(t, (const char *const[]){ __VA_ARGS__ },                                       \
		    LENGTH(((const char *const[]){ __VA_ARGS__ })))
void table_texts(struct table *t, const char *const *texts, size_t count);

/* Adds a cell that is already escaped. The table frees it. */
void table_add(struct table *t, char *text);

/* Adds a text below the previous row. The table needs at least two columns. */
void table_note(struct table *t, const char *text);

/*
 * Prints the table and empties it. Lines wrap at the width of COLUMNS or of the terminal. Without
 * either, each row is one line.
 */
void table_end(struct table *t);

/*
 * Prints a text and ends the line. On a terminal it wraps at blanks, or inside a word that is too
 * long. column: where the text begins; indent: where its other lines begin.
 */
void put_folded(const char *text, int column, int indent);

#endif /* TABLE_H */
