/* SPDX-License-Identifier: BSD-2-Clause */
#include <ctype.h>
#include <string.h>
#include "flat.h"
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
	return begins_with(r->at, r->end, word);
}

/* Skips blanks, line ends and comments. */
static void skip_gap(struct piece *r)
{
	while (r->at < r->end) {
		const char *stop = r->at;

		if (is_comment(r->at, r->end))
			stop = token_end(r->at, r->end, 0);
		else if (isspace((unsigned char)*r->at))
			stop++;
		if (stop == r->at)
			return;
		while (r->at < stop)
			step(r);
	}
}

/* Skips one cell: a number, a reference, or an expression in parentheses. */
static void skip_cell(struct piece *r)
{
	int depth = 0;

	while (r->at < r->end && (depth || (!isspace((unsigned char)*r->at) && *r->at != '>' &&
					    !is_comment(r->at, r->end)))) {
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

static void append(struct groups *g, struct piece cell)
{
	g->cells = grow(g->cells, g->cell_count, sizeof(*g->cells));
	g->cells[g->cell_count++] = cell;
	g->first[g->count] = g->cell_count;
}

/* wide: the number has 64 bits and makes two cells. */
static void add_cell(struct groups *g, struct piece *r, int wide)
{
	struct piece cell = *r;

	skip_cell(r);
	cell.end = r->at;
	if (cell.end == cell.at || cell.end[-1] == ':') /* a label */
		return;
	append(g, cell);
	if (wide)
		append(g, cell);
}

/* Skips /bits/ 64. Other sizes are left for the caller. */
static int skip_bits(struct piece *r)
{
	struct piece at = *r;

	if (!begins(r, "/bits/"))
		return 0;
	while (at.at < at.end && *at.at != '<' && *at.at != ';') {
		if (begins(&at, "64")) {
			while (*at.at != '<' && *at.at != ';' && at.at + 1 < at.end)
				step(&at);
			*r = at;
			return *at.at == '<';
		}
		step(&at);
	}
	return 0;
}

static void read_text(struct groups *g, struct piece text)
{
	struct piece r = text;
	int inside = 0, wide = 0;

	*g = (struct groups){ 0 };
	while (skip_gap(&r), r.at < r.end && (inside || *r.at != ';')) {
		if (inside && *r.at != '>') {
			add_cell(g, &r, wide);
			continue;
		}
		if (!inside && skip_bits(&r))
			g->wide = wide = 1;
		/* Strings, bytes and other /bits/ are not cells. */
		if (*r.at == '"' || *r.at == '[' || begins(&r, "/bits/"))
			return;
		if (*r.at == '<') {
			open_group(g, &r);
			inside = 1;
		}
		if (*r.at == '>' && inside) {
			g->groups[g->count - 1].end = r.at + 1;
			inside = wide = 0;
		}
		step(&r);
	}
	g->exact = r.at < r.end;
}

uint32_t cells_of(const struct groups *g, uint32_t group)
{
	return g->first[group + 1] - g->first[group];
}

/* QEMU up to 8.0 leaves zeros at the end of its tables. */
static int is_all_zero(const struct groups *g, uint32_t group)
{
	char *end;

	for (uint32_t i = g->first[group]; i < g->first[group + 1]; i++) {
		if (strtoul(g->cells[i].at, &end, 0) || end != g->cells[i].end)
			return 0;
	}
	return 1;
}

/* The number of groups that are one row. *odd: the number of groups that are not whole rows. */
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

/* The same cells in different groups. */
static struct groups regroup(const struct groups *g, const unsigned char *starts)
{
	struct groups other = { .cells = g->cells, .exact = 1, .wide = g->wide };

	for (uint32_t i = 0; i < g->cell_count; i++) {
		if (starts[i])
			open_group(&other, &g->cells[i]);
		other.groups[other.count - 1].end = g->cells[i].end;
		other.first[other.count] = ++other.cell_count;
	}
	return other;
}

static void unload_bounds(struct groups *g)
{
	free(g->groups);
	free(g->first);
}

/*
 * True if all groups have the same number of cells. Then each was meant as a row, or the only one
 * is a list.
 */
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

static void take(struct groups *g, struct groups *other, int odd)
{
	other->odd = odd;
	unload_bounds(odd ? g : other);
	*g = odd ? *other : *g;
}

/* If most lines are rows, make each line a group. */
static void split_by_lines(struct groups *g, uint32_t width, unsigned char *starts)
{
	struct groups lines;
	uint32_t rows, odd;

	for (uint32_t i = 0; i < g->cell_count; i++)
		starts[i] = !i || g->cells[i].line != g->cells[i - 1].line;
	lines = regroup(g, starts);
	rows = count_rows(&lines, width, &odd);
	take(g, &lines, odd && rows > odd);
}

/* The numbers of all cells. Returns 0 if a cell is not a number, such as a name. */
static int read_values(const struct groups *g, uint32_t *values)
{
	char *end;

	for (uint32_t i = 0; i < g->cell_count; i++) {
		const struct piece *cell = &g->cells[i];
		uint64_t value = strtoull(cell->at, &end, 0);

		if (end != cell->end)
			return 0;
		values[i] = (uint32_t)value;
		if (g->wide && i + 1 < g->cell_count && cell[1].at == cell->at) {
			values[i] = (uint32_t)(value >> 32);
			values[++i] = (uint32_t)value;
		}
	}
	return 1;
}

/* True if all groups have equally many numbers. Some are wide, but each is a row of its own. */
static int are_wide_rows(const struct groups *g)
{
	uint32_t numbers = 0;

	for (uint32_t i = 0; i < g->count; i++) {
		uint32_t n = 0;

		for (uint32_t c = g->first[i]; c < g->first[i + 1]; c++)
			n += c == g->first[i] || g->cells[c].at != g->cells[c - 1].at;
		if (n < 2 || (i && n != numbers))
			return 0;
		numbers = n;
	}
	return 1;
}

static void split_by_values(struct groups *g, const char *property, unsigned char *starts)
{
	uint32_t *values = reallocate(NULL, g->cell_count, sizeof(*values));
	struct groups rows;

	memset(starts, 0, g->cell_count);
	for (uint32_t i = 0; i < g->count; i++) {
		if (cells_of(g, i))
			starts[g->first[i]] = 1;
	}
	if (read_values(g, values) &&
	    split_list(property, values, g->cell_count, g->wide, starts)) {
		rows = regroup(g, starts);
		rows.split = 1;
		take(g, &rows, 1);
	}
	free(values);
}

void read_groups(struct groups *g, struct piece text, const char *property)
{
	uint32_t width = row_width(property);
	unsigned char *starts;

	read_text(g, text);
	g->exact = g->exact && (!g->wide || are_wide_rows(g));
	if (!g->exact || !g->cell_count)
		return;
	g->odd = !g->wide && has_odd_rows(g, width);
	starts = reallocate(NULL, g->cell_count, 1);
	if (!g->odd && !g->wide && g->cell_count % width)
		split_by_lines(g, width, starts);
	if (!g->odd && (g->count == 1 || g->wide))
		split_by_values(g, property, starts);
	free(starts);
}

int is_odd(const struct groups *g, uint32_t group, uint32_t width)
{
	return g->split ? cells_of(g, group) != width : cells_of(g, group) % width != 0;
}

void unload_groups(struct groups *g)
{
	free(g->cells);
	unload_bounds(g);
	*g = (struct groups){ 0 };
}

int is_wide(const struct groups *g, uint32_t group)
{
	const struct piece *cell = g->cells + g->first[group];

	return cells_of(g, group) > 1 && cell[0].at == cell[1].at;
}

const struct piece *find_row(const struct groups *g, uint32_t width, uint32_t row)
{
	uint32_t before = 0;

	if (!g->odd)
		return row < g->cell_count / width ? &g->cells[row * width] : NULL;
	for (uint32_t i = 0; i < g->count; i++) {
		uint32_t rows = is_odd(g, i, width) ? 1 : cells_of(g, i) / width;

		if (row < before + rows)
			return &g->cells[g->first[i] + (row - before) * width];
		before += rows;
	}
	return NULL;
}
