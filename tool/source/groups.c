/* SPDX-License-Identifier: BSD-2-Clause */
#include <ctype.h>
#include "groups.h"

static void step(struct piece *r)
{
	if (*r->at++ == '\n') {
		r->line++;
		r->column = 1;
	} else {
		r->column++;
	}
}

static int begins(const struct piece *r, const char *word)
{
	return (size_t)(r->end - r->at) >= strlen(word) && !strncmp(r->at, word, strlen(word));
}

/* Over blanks and comments. */
static void skip_blanks(struct piece *r)
{
	while (r->at < r->end) {
		if (begins(r, "//")) {
			while (r->at < r->end && *r->at != '\n')
				step(r);
		} else if (begins(r, "/*")) {
			while (r->at < r->end && !begins(r, "*/"))
				step(r);
			for (int i = 0; i < 2 && r->at < r->end; i++)
				step(r);
		} else if (isspace((unsigned char)*r->at)) {
			step(r);
		} else {
			return;
		}
	}
}

/* Over one cell: a number, a reference, or an expression in parentheses. */
static void skip_cell(struct piece *r)
{
	int depth = 0;

	while (r->at < r->end && (depth || (!isspace((unsigned char)*r->at) && *r->at != '>' &&
					    !begins(r, "/*") && !begins(r, "//")))) {
		depth += (*r->at == '(') - (*r->at == ')');
		step(r);
	}
}

static void open_group(struct groups *g, const struct piece *r)
{
	g->groups = grow(g->groups, g->count, sizeof(*g->groups));
	g->first = reallocate(g->first, g->count + 2, sizeof(*g->first));
	g->first[g->count] = g->first[g->count + 1] = g->cell_count;
	g->groups[g->count++] = *r;
}

static void add_cell(struct groups *g, struct piece *r)
{
	struct piece cell = *r;

	skip_cell(r);
	cell.end = r->at;
	if (cell.end == cell.at || cell.end[-1] == ':') /* a label */
		return;
	g->cells = grow(g->cells, g->cell_count, sizeof(*g->cells));
	g->cells[g->cell_count++] = cell;
	g->first[g->count] = g->cell_count;
}

static void read_text(struct groups *g, struct piece text)
{
	struct piece r = text;
	int inside = 0;

	*g = (struct groups){ 0 };
	while (skip_blanks(&r), r.at < r.end && (inside || *r.at != ';')) {
		if (inside && *r.at != '>') {
			add_cell(g, &r);
			continue;
		}
		/* Strings, bytes and /bits/ are no cells. */
		if (*r.at == '"' || *r.at == '[' || begins(&r, "/bits/"))
			return;
		if (*r.at == '<') {
			open_group(g, &r);
			inside = 1;
		}
		if (*r.at == '>' && inside) {
			g->groups[g->count - 1].end = r.at + 1;
			inside = 0;
		}
		step(&r);
	}
	g->exact = r.at < r.end;
}

uint32_t cells_of(const struct groups *g, uint32_t group)
{
	return g->first[group + 1] - g->first[group];
}

/* Zeros are left over, as in the trees of QEMU up to 8.0. */
static int is_all_zero(const struct groups *g, uint32_t group)
{
	char *end;

	for (uint32_t i = g->first[group]; i < g->first[group + 1]; i++) {
		if (strtoul(g->cells[i].at, &end, 0) || end != g->cells[i].end)
			return 0;
	}
	return 1;
}

/* How many groups are one row. *odd: how many are no rows at all. */
static uint32_t count_rows(const struct groups *g, uint32_t width, uint32_t *odd)
{
	uint32_t rows = 0;

	*odd = 0;
	for (uint32_t i = 0; i < g->count; i++) {
		rows += cells_of(g, i) == width;
		*odd += cells_of(g, i) % width != 0 && !is_all_zero(g, i);
	}
	return rows;
}

/* The same cells in other groups, one for each line. */
static struct groups group_lines(const struct groups *g)
{
	struct groups lines = { .cells = g->cells, .exact = 1 };

	for (uint32_t i = 0; i < g->cell_count; i++) {
		if (!i || g->cells[i].line != g->cells[i - 1].line)
			open_group(&lines, &g->cells[i]);
		lines.groups[lines.count - 1].end = g->cells[i].end;
		lines.first[lines.count] = ++lines.cell_count;
	}
	return lines;
}

static void unload_bounds(struct groups *g)
{
	free(g->groups);
	free(g->first);
}

/* Whether all have the same number of cells: then each was meant as a row, or is one list. */
static int are_alike(const struct groups *g, uint32_t width)
{
	uint32_t cells = cells_of(g, 0);

	for (uint32_t i = 1; i < g->count; i++) {
		if (cells_of(g, i) != cells)
			return 0;
	}
	return cells > 1 && (g->count > 1 || cells < width);
}

static int has_odd_rows(const struct groups *g, uint32_t width)
{
	uint32_t odd, rows = count_rows(g, width, &odd);

	return odd && (rows || are_alike(g, width));
}

void read_groups(struct groups *g, struct piece text, uint32_t width)
{
	struct groups lines;
	uint32_t rows, odd;

	read_text(g, text);
	g->odd = has_odd_rows(g, width);
	if (!g->exact || g->cell_count % width == 0 || g->odd)
		return;
	lines = group_lines(g);
	rows = count_rows(&lines, width, &odd);
	lines.odd = odd && rows > odd;
	unload_bounds(lines.odd ? g : &lines);
	*g = lines.odd ? lines : *g;
}

void unload_groups(struct groups *g)
{
	free(g->cells);
	unload_bounds(g);
	*g = (struct groups){ 0 };
}

const struct piece *find_row(const struct groups *g, uint32_t width, uint32_t row)
{
	uint32_t before = 0;

	if (!g->odd)
		return row < g->cell_count / width ? &g->cells[row * width] : NULL;
	for (uint32_t i = 0; i < g->count; i++) {
		uint32_t cells = cells_of(g, i), rows = cells % width ? 1 : cells / width;

		if (row < before + rows)
			return &g->cells[g->first[i] + (row - before) * width];
		before += rows;
	}
	return NULL;
}
