/* SPDX-License-Identifier: BSD-2-Clause
 *
 * table.h -- tables of text that comes from a device tree: escaped, aligned, within 100 columns.
 */
#ifndef TABLE_H
#define TABLE_H

#include "output.h"

#define LINE_WIDTH 100
#define NARROWEST 24 /* a longer text in the last column needs so much room beside the others */
#define WIDEST 48    /* a longer text moves the rest of its row */
#define COLUMNS 10

/* Fill it row by row; what is empty in every row is not printed. */
struct table {
	const char *const *heads; /* numbers stand right, below a head with '>' before it */
	unsigned columns;
	char **cells; /* of a note: NULL, the text, and NULL up to the end of the row */
	size_t used;
};

static char *escaped(const char *first, const char *second)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out) {
		put_escaped(out, first, 0);
		put_escaped(out, second, 0);
	}
	if (!out || fclose(out))
		exit(complain(UNREADABLE, NULL, "out of memory"));
	return text;
}

static void table_add(struct table *t, char *text)
{
	/* Powers of two: realloc() each time they are passed. */
	if (!(t->used & (t->used - 1)))
		t->cells = reallocate(t->cells, t->used ? 2 * t->used : 1, sizeof(*t->cells));
	t->cells[t->used++] = text;
}

/* NULL is as good as "". */
static void table_cell(struct table *t, const char *text)
{
	table_add(t, escaped(text ? text : "", ""));
}

/* A text below the row before it. Needs a table of at least two columns. */
static void table_note(struct table *t, const char *text)
{
	table_add(t, NULL);
	table_add(t, escaped(text, ""));
	while (t->used % t->columns)
		table_add(t, NULL);
}

/* Broken at blanks, or where it has to be. column: where the text begins; indent: its other lines. */
static void put_folded(const char *text, int column, int indent)
{
	for (;;) {
		size_t room = column < LINE_WIDTH ? (size_t)(LINE_WIDTH - column) : 0, cut = room;

		if (strlen(text) <= room)
			break;
		while (cut && text[cut] != ' ')
			cut--;
		if (!cut && column <= indent)
			cut = room;
		printf("%.*s", (int)cut, text);
		text += cut + strspn(text + cut, " ");
		if (*text)
			printf("\n%*s", indent, "");
		column = indent;
	}
	puts(text);
}

static void put_wrapped(const char *text, int column)
{
	put_folded(text, column, column);
}

/* column: where the line ends so far; start: where the next cell begins. */
static void table_row(const struct table *t, const int *width, char *const *cells)
{
	int column = 0, start = 0;
	unsigned last = t->columns - 1;

	if (!cells[0]) {
		printf("%4s", "");
		put_wrapped(cells[1], 4);
		return;
	}
	while (last && !*cells[last])
		last--;
	for (unsigned c = 0; c <= last; c++) {
		int length = (int)strlen(cells[c]), indent;

		if (!width[c])
			continue;
		if (c == t->columns - 1 && length > NARROWEST) {
			/* A word is not broken, as long as a line has room for it. */
			if (LINE_WIDTH - start < NARROWEST ||
			    (LINE_WIDTH - start < length && !strchr(cells[c], ' '))) {
				putchar('\n');
				column = 0;
				start = 8;
			}
			printf("%*s", start - column, "");
			put_wrapped(cells[c], start);
			return;
		}
		indent = start - column;
		if (*t->heads[c] == '>' && length < width[c])
			indent += width[c] - length;
		printf("%*s%s", indent, "", cells[c]);
		column += indent + length;
		start += wider(width[c], cells[c]) + 2;
	}
	putchar('\n');
}

/* Prints the table and leaves it empty. */
static void table_end(struct table *t)
{
	int width[COLUMNS] = { 0 };
	char *heads[COLUMNS];

	for (size_t i = 0; i < t->used; i++) {
		int *w = &width[i % t->columns];

		if (t->cells[i - i % t->columns])
			*w = wider(*w, t->cells[i]);
		*w = *w > WIDEST ? WIDEST : *w;
	}
	for (unsigned c = 0; c < t->columns; c++) {
		const char *head = t->heads[c] + (*t->heads[c] == '>');

		heads[c] = escaped(width[c] ? head : "", "");
		width[c] = wider(width[c], heads[c]);
	}
	fputs(paint(BOLD), stdout);
	table_row(t, width, heads);
	fputs(paint(PLAIN), stdout);
	for (size_t i = 0; i < t->used; i += t->columns)
		table_row(t, width, t->cells + i);
	for (unsigned c = 0; c < t->columns; c++)
		free(heads[c]);
	for (size_t i = 0; i < t->used; i++)
		free(t->cells[i]);
	free(t->cells);
	t->cells = NULL;
	t->used = 0;
}

#endif /* TABLE_H */
