/* SPDX-License-Identifier: BSD-2-Clause */
#define _DEFAULT_SOURCE
#include <limits.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "table.h"
#include "text.h"

#define NARROWEST 24 /* a long last column wraps if it has this much room beside the others */
#define WIDEST 48    /* a longer text shifts the rest of its row */
#define COLUMNS 10
#define ROW_BYTES 64u /* blanks of a row; cells were counted when they were escaped */

/* 0: unknown, or the system cannot tell, like WASI. */
static int terminal_width(void)
{
#ifdef TIOCGWINSZ
	struct winsize size;

	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		return size.ws_col;
#endif
	return 0;
}

/* The width from COLUMNS, otherwise the terminal's, otherwise this one. */
static int line_width(int otherwise)
{
	const char *columns = getenv("COLUMNS");
	uint64_t width = 0;
	int own;

	if (columns && read_number(columns, INT_MAX, &width) && width)
		return width < NARROWEST ? NARROWEST : (int)width;
	if (!isatty(STDOUT_FILENO))
		return otherwise;
	own = terminal_width();
	if (!own)
		return LINE_WIDTH;
	return own < NARROWEST ? NARROWEST : own;
}

void table_add(struct table *t, char *text)
{
	t->cells = grow(t->cells, t->used, sizeof(*t->cells));
	t->cells[t->used++] = text;
}

void table_cell(struct table *t, const char *text)
{
	table_add(t, escaped(text ? text : "", ""));
}

void table_texts(struct table *t, const char *const *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		table_cell(t, texts[i]);
}

void table_note(struct table *t, const char *text)
{
	table_add(t, NULL);
	table_add(t, escaped(text, ""));
	while (t->used % t->columns)
		table_add(t, NULL);
}

static void fold(const char *text, int column, int indent, int width)
{
	for (;;) {
		size_t room = column < width ? (size_t)(width - column) : 0, cut = room;

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

void put_folded(const char *text, int column, int indent)
{
	fold(text, column, indent, line_width(INT_MAX));
}

static int longest_word(const char *text)
{
	size_t longest = 0;

	for (; *text; text += strspn(text, " ")) {
		size_t length = strcspn(text, " ");

		longest = length > longest ? length : longest;
		text += length;
	}
	return (int)longest;
}

/* column: the current end of the line. start: where the next cell begins. */
static void table_row(const struct table *t, const int *width, char *const *cells)
{
	const int room = line_width(INT_MAX);
	int column = 0, start = 0;
	unsigned last = t->columns - 1;

	count_output(ROW_BYTES);
	if (!cells[0]) {
		printf("%4s", "");
		fold(cells[1], 4, 4, room);
		return;
	}
	while (last && !*cells[last])
		last--;
	for (unsigned c = 0; c <= last; c++) {
		int length = (int)strlen(cells[c]), indent;

		if (!width[c])
			continue;
		if (!*cells[c]) {
			start += width[c] + 2;
			continue;
		}
		if (c == t->columns - 1 && length > NARROWEST) {
			/* Do not break a word while a line has room for it. */
			if (room - start < NARROWEST || room - start < longest_word(cells[c])) {
				putchar('\n');
				column = 0;
				start = 8;
			}
			printf("%*s", start - column, "");
			fold(cells[c], start, start, room);
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

void table_end(struct table *t)
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
