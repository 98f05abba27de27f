/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fix_remove.c -- removes a row with the commas and comments around it.
 */
#include "fix.h"
#include "source/flat.h"

void add_edit(struct edits *e, const char *at, const char *end, const char *text, size_t length)
{
	e->list = grow(e->list, e->count, sizeof(*e->list));
	e->list[e->count++] = (struct edit){ at, end, text, length };
}

/* The group that contains this cell, if it consists of whole rows; negative: none. */
static int64_t group_of_row(const struct groups *g, const struct piece *cell, uint32_t width)
{
	for (uint32_t i = 0; cell && i < g->count; i++) {
		if (cell >= &g->cells[g->first[i]] && cell < &g->cells[g->first[i + 1]])
			return cells_of(g, i) % width ? -1 : (int64_t)i;
	}
	return -1;
}

/* A removed row has no other change. */
static int is_removed(const struct mends *mends, const struct mend *of, uint32_t row)
{
	const struct mend *m = mend_of_row(mends, of, row);

	return m && m->kind == REMOVE;
}

/* True if a line of the piece is a preprocessor directive. It must not be removed with the row. */
static int has_directive(const char *at, const char *end)
{
	for (const char *line = memchr(at, '\n', (size_t)(end - at)); line;
	     line = memchr(line, '\n', (size_t)(end - line))) {
		line++;
		line += strspn(line, " \t");
		if (line < end && *line == '#')
			return 1;
	}
	return 0;
}

/* The comma between two rows, ignoring commas in comments; NULL: none. */
static const char *find_comma(const char *at, const char *end)
{
	while (at < end && *at != ',')
		at = is_comment(at, end) ? token_end(at, end, 0) : at + 1;
	return at < end ? at : NULL;
}

static int is_blank(const char *at, const char *end)
{
	return at + strspn(at, " \t\r\n") >= end;
}

/*
 * Removes the last row, which ends at stop, together with the comma before it. If a semicolon
 * follows directly, it replaces the comma, and everything after the comma's line is removed.
 */
static void remove_last(struct edits *e, const char *comma, const char *row, const char *stop)
{
	const char *from = memchr(comma, '\n', (size_t)(row - comma));

	if (*stop == ';') {
		add_edit(e, comma, comma + 1, ";", 1);
		add_edit(e, from ? from : comma + 1, stop + 1, "", 0);
		return;
	}
	if (is_blank(comma + 1, row)) {
		while (strchr(" \t\r\n", comma[-1]))
			comma--;
		add_edit(e, comma, stop, "", 0);
		return;
	}
	add_edit(e, comma, comma + 1, "", 0);
	add_edit(e, row, stop, "", 0);
}

/* Removes one of several rows in a group, with everything up to the next row. */
static int remove_cells(struct edits *e, const struct piece *row, uint32_t width, int first,
			int last)
{
	const char *from = first || !last ? row->at : row[-1].end;
	const char *end = last ? row[width - 1].end : row[width].at;

	if (has_directive(from, end))
		return 0;
	add_edit(e, from, end, "", 0);
	return 1;
}

/* A row is removed with everything up to the next one. */
int remove_row(struct edits *e, const struct mends *mends, const struct mend *m,
	       const struct groups *g)
{
	uint32_t width = row_width(m->property), last = m->row;
	const struct piece *cell = find_row(g, width, m->row);
	int64_t group = group_of_row(g, cell, width), before;
	const char *comma, *stop;

	if (group < 0)
		return 0;
	if (cells_of(g, (uint32_t)group) > width)
		return remove_cells(e, cell, width, cell == &g->cells[g->first[group]],
				    cell + width == &g->cells[g->first[group + 1]]);
	if ((uint32_t)group + 1 < g->count) {
		if (has_directive(g->groups[group].at, g->groups[group + 1].at))
			return 0;
		add_edit(e, g->groups[group].at, g->groups[group + 1].at, "", 0);
		return 1;
	}
	while (last > 0 && is_removed(mends, m, last - 1))
		last--;
	before = last ? group_of_row(g, find_row(g, width, last - 1), width) : -1;
	if (before < 0)
		return 0;
	stop = g->groups[group].end;
	comma = find_comma(g->groups[before].end, stop);
	if (!comma || has_directive(comma, stop))
		return 0;
	remove_last(e, comma, g->groups[before + 1].at, stop);
	return 1;
}
