/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fix_text.c -- a corrected copy of a .dts. Only the mistakes change: comments, spelling of numbers
 * and the order of rows stay.
 */
#include "fix.h"

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

/* Writes the text as it is after all edits. Overlapping edits are both applied. */
static void put_edited(FILE *out, const struct edits *e)
{
	const char *at = e->begin;

	for (uint32_t i = 0; i < e->count; i++) {
		const struct edit *x = &e->list[i];

		if (x->at > at)
			fwrite(at, 1, (size_t)(x->at - at), out);
		fwrite(x->text, 1, x->length, out);
		at = x->end > at ? x->end : at;
	}
	fwrite(at, 1, (size_t)(e->end - at), out);
}

/* Line i extends from at[i] to at[i + 1]. */
struct lines_of {
	const char **at;
	size_t count;
};

static struct lines_of split(const char *at, const char *end)
{
	struct lines_of l = { 0 };

	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));

		l.at = grow(l.at, l.count, sizeof(*l.at));
		l.at[l.count++] = at;
		at = stop ? stop + 1 : end;
	}
	l.at = grow(l.at, l.count, sizeof(*l.at));
	l.at[l.count] = end;
	return l;
}

static size_t length_of(const struct lines_of *l, size_t i)
{
	return (size_t)(l->at[i + 1] - l->at[i]);
}

/* An edit changes no line's end, so both texts have the same lines. */
static int differ(const struct lines_of *a, const struct lines_of *b, size_t i)
{
	return length_of(a, i) != length_of(b, i) || memcmp(a->at[i], b->at[i], length_of(a, i));
}

static void put_line(char sign, const struct lines_of *l, size_t i)
{
	putchar(sign);
	put_source_text(stdout, l->at[i], length_of(l, i));
	if (l->at[i + 1][-1] != '\n')
		puts("\n\\ No newline at end of file");
}

static void put_hunk(const struct lines_of *a, const struct lines_of *b, size_t from, size_t to)
{
	printf("@@ -%zu,%zu +%zu,%zu @@\n", from + 1, to - from, from + 1, to - from);
	for (size_t i = from, end = from; i < to; i = end) {
		while (end < to && differ(a, b, end))
			end++;
		for (size_t k = i; k < end; k++)
			put_line('-', a, k);
		for (size_t k = i; k < end; k++)
			put_line('+', b, k);
		if (end < to && end == i)
			put_line(' ', a, end++);
	}
}

static void put_difference(const struct lines_of *a, const struct lines_of *b)
{
	for (size_t i = 0, last; i < a->count; i = last) {
		last = i + 1;
		if (!differ(a, b, i))
			continue;
		for (size_t k = last; k < a->count && k <= last + 2 * CONTEXT; k++) {
			if (differ(a, b, k))
				last = k + 1;
		}
		put_hunk(a, b, i > CONTEXT ? i - CONTEXT : 0,
			 last + CONTEXT < a->count ? last + CONTEXT : a->count);
	}
}

int fix_text(struct report *r, const struct mends *mends, struct bytes *copy, uint32_t *left)
{
	struct bytes whole = { .name = r->source.file.name };
	struct edits e = { 0 };
	struct lines_of before, after;
	char *text;
	FILE *out;
	int code = read_file(&whole, whole.name);

	e.begin = (const char *)whole.data;
	e.end = e.begin + whole.size;
	for (uint32_t i = 0; code == GOOD && i < mends->count; i++)
		*left += !add_mend(r, &e, mends, &mends->list[i]);
	if (!e.count) {
		free(whole.data);
		return code;
	}
	qsort(e.list, e.count, sizeof(*e.list), by_place);
	out = open_text(&text, &copy->size);
	put_edited(out, &e);
	close_text(out);
	copy->data = (unsigned char *)text;
	before = split(e.begin, e.end);
	after = split(text, text + copy->size);
	put_names(r);
	put_difference(&before, &after);
	free(before.at);
	free(after.at);
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
