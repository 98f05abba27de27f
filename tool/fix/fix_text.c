/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fix_text.c -- a corrected copy of a .dts. Only the mistakes change: comments, spelling of numbers
 * and the order of rows stay.
 */
#include "fix.h"
#include "source/flat.h"

/* ---- removing a row -------------------------------------------------------------------------- */

/* A piece of the text and its replacement. Either may be empty. */
struct edit {
	const char *at, *end;
	const char *text;
	size_t length;
};

struct edits {
	struct edit *list;
	uint32_t count;
	const char *begin,
		*end; /* of the whole text; a copy, because find_spot() may read other files */
};

static void add_edit(struct edits *e, const char *at, const char *end, const char *text,
		     size_t length)
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
static int remove_row(struct edits *e, const struct mends *mends, const struct mend *m,
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

#define CONTEXT 3u /* lines around a change */

/* ---- from changes to edits ------------------------------------------------------------------- */

static int exchange_cells(struct edits *e, const struct mend *m, const struct groups *g)
{
	const struct piece *row = find_row(g, row_width(m->property), m->row), *a, *b;

	if (!row)
		return 0;
	a = row + m->cell;
	b = row + m->other;
	add_edit(e, a->at, a->end, b->at, (size_t)(b->end - b->at));
	add_edit(e, b->at, b->end, a->at, (size_t)(a->end - a->at));
	return 1;
}

/* Replaces one word by another between quotes, at its first occurrence. */
static int reword(struct edits *e, const struct mend *m, struct piece text)
{
	size_t length = strlen(m->old);

	for (; text.at + length + 1 < text.end && *text.at != ';'; text.at++) {
		if (*text.at != '"' || strncmp(text.at + 1, m->old, length) ||
		    text.at[length + 1] != '"')
			continue;
		add_edit(e, text.at + 1, text.at + 1 + length, m->name, strlen(m->name));
		return 1;
	}
	return 0;
}

static int insert_cell(struct edits *e, const struct mend *m, const struct groups *g)
{
	const struct piece *row = find_row(g, row_width(m->property), m->row);

	if (row)
		add_edit(e, row[m->cell].at, row[m->cell].at, m->name, strlen(m->name));
	return row != NULL;
}

static int rename_property(struct edits *e, const struct mend *m, struct piece text)
{
	size_t length = strlen(m->property);

	for (; text.at + length < text.end && *text.at != '=' && *text.at != ';'; text.at++) {
		if (strncmp(text.at, m->property, length))
			continue;
		add_edit(e, text.at, text.at + length, m->name, strlen(m->name));
		return 1;
	}
	return 0;
}

static int add_mend(struct report *r, struct edits *e, const struct mends *mends,
		    const struct mend *m)
{
	const char *file;
	struct piece text = property_piece(&r->source, &r->lines, m->node, m->property, &file);
	struct groups g = { 0 };
	uint32_t cells;
	int done = 0;

	if (!text.at || strcmp(file, r->source.file.name))
		return 0;
	text.at = e->begin + (text.at - (const char *)r->lines.file.data);
	text.end = e->end;
	if (m->kind == RENAME)
		return rename_property(e, m, text);
	if (m->kind == REWORD)
		return reword(e, m, text);
	read_groups(&g, text, m->property);
	property_cells(&r->source, m->node, m->property, &cells);
	if (g.exact && (g.cell_count == cells || g.odd))
		done = m->kind == REMOVE   ? remove_row(e, mends, m, &g)
		       : m->kind == INSERT ? insert_cell(e, m, &g)
					   : exchange_cells(e, m, &g);
	unload_groups(&g);
	return done;
}

/* ---- the copy and the differences ------------------------------------------------------------ */

static int by_place(const void *left, const void *right)
{
	const struct edit *a = left, *b = right;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

/* Writes a piece of the text as it is after all edits. Overlapping edits are both applied. */
static void put_edited(FILE *out, const struct edits *e, const char *at, const char *end)
{
	for (uint32_t i = 0; i < e->count && e->list[i].at < end; i++) {
		const struct edit *x = &e->list[i];

		if (x->end <= at && x->at < at)
			continue;
		if (x->at > at)
			fwrite(at, 1, (size_t)(x->at - at), out);
		fwrite(x->text, 1, x->length, out);
		at = x->end > at ? x->end : at;
	}
	if (at < end)
		fwrite(at, 1, (size_t)(end - at), out);
}

static const char *next_line(const struct edits *e, const char *at)
{
	const char *stop = at < e->end ? memchr(at, '\n', (size_t)(e->end - at)) : NULL;

	return stop ? stop + 1 : e->end;
}

static const char *line_begin(const struct edits *e, const char *at, uint32_t lines_before)
{
	while (at > e->begin && (at[-1] != '\n' || lines_before--))
		at--;
	return at;
}

static uint32_t count_lines(const char *at, const char *end)
{
	uint32_t n = 0;

	for (; at < end; at++)
		n += *at == '\n' || at + 1 == end;
	return n;
}

static void put_lines(char sign, const char *at, const char *end)
{
	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));

		putchar(sign);
		put_source_text(stdout, at, (size_t)((stop ? stop + 1 : end) - at));
		if (!stop)
			puts("\n\\ No newline at end of file");
		at = stop ? stop + 1 : end;
	}
}

/* The lines that edits from i on change without a gap. Returns the first edit after them. */
static uint32_t changed_lines(const struct edits *e, uint32_t i, const char **at, const char **end)
{
	*at = line_begin(e, e->list[i].at, 0);
	*end = *at;
	for (; i < e->count && line_begin(e, e->list[i].at, 0) <= *end; i++) {
		const char *stop = next_line(
			e, e->list[i].end - (e->list[i].end > *at && e->list[i].end[-1] == '\n'));

		*end = stop > *end ? stop : *end;
	}
	return i;
}

/*
 * Prints a hunk: its head, and the changes whose context lines overlap. moved: lines added so far.
 */
static uint32_t put_hunk(const struct edits *e, uint32_t i, int *moved)
{
	const char *at, *end, *from = line_begin(e, e->list[i].at, CONTEXT), *to = from;
	uint32_t first = i, old, now;
	char *body, *text;
	size_t size, length;
	FILE *out;

	do {
		i = changed_lines(e, i, &at, &end);
		to = end;
		for (uint32_t n = 0; n < CONTEXT; n++)
			to = next_line(e, to);
	} while (i < e->count && line_begin(e, e->list[i].at, CONTEXT) <= to);
	out = open_text(&body, &size);
	put_edited(out, e, from, to);
	close_text(out);
	old = count_lines(from, to);
	now = count_lines(body, body + size);
	free(body);
	printf("@@ -%" PRIu32 ",%" PRIu32 " +%d,%" PRIu32 " @@\n", count_lines(e->begin, from) + 1,
	       old, (int)count_lines(e->begin, from) + 1 + *moved, now);
	*moved += (int)now - (int)old;
	for (uint32_t j = first; j < i;) {
		j = changed_lines(e, j, &at, &end);
		put_lines(' ', from, at);
		put_lines('-', at, end);
		out = open_text(&text, &length);
		put_edited(out, e, at, end);
		close_text(out);
		put_lines('+', text, text + length);
		free(text);
		from = end;
	}
	put_lines(' ', from, to);
	return i;
}

int fix_text(struct report *r, const struct mends *mends, struct bytes *copy, uint32_t *left)
{
	struct bytes whole = { .name = r->source.file.name };
	struct edits e = { 0 };
	char *text;
	FILE *out;
	int moved = 0, code = read_file(&whole, whole.name);

	e.begin = (const char *)whole.data;
	e.end = e.begin + whole.size;
	for (uint32_t i = 0; code == GOOD && i < mends->count; i++)
		*left += !add_mend(r, &e, mends, &mends->list[i]);
	if (!e.count) {
		free(whole.data);
		return code;
	}
	qsort(e.list, e.count, sizeof(*e.list), by_place);
	put_names(r);
	for (uint32_t i = 0; i < e.count;)
		i = put_hunk(&e, i, &moved);
	out = open_text(&text, &copy->size);
	put_edited(out, &e, e.begin, e.end);
	close_text(out);
	copy->data = (unsigned char *)text;
	free(e.list);
	free(whole.data);
	return GOOD;
}

void put_names(const struct report *r)
{
	fputs("--- ", stdout);
	put_escaped(stdout, r->source.file.name, 0);
	fputs("\n+++ ", stdout);
	put_escaped(stdout, r->source.file.name, 0);
	fputs(" (fixed)\n", stdout);
}
