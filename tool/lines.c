/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lines.c -- dtc writes annotations behind each line when it is asked twice (-T -T:
 * path:line:column-line:column). They tell of nodes and properties. Rows are counted in the text of
 * their property.
 */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <unistd.h>
#include <libfdt.h>
#include "dts.h"
#include "lines.h"
#include "nodes.h"

/* The place of one node (name NULL) or property. Strings lie in struct lines. */
struct mark {
	char *path; /* of the node; to be freed */
	const char *property, *file;
	uint32_t line, column, last_line, last_column;
};

/* "board.dts:7:4-10:9", and more of them behind a comma: the first one counts. */
static int read_annotation(char *note, struct mark *mark)
{
	char *end = strstr(note, ", ");
	unsigned number[4];

	if (end)
		*end = '\0';
	for (char *colon = strchr(note, ':'); colon; colon = strchr(colon + 1, ':')) {
		if (sscanf(colon, ":%u:%u-%u:%u", &number[0], &number[1], &number[2], &number[3]) !=
		    4)
			continue;
		*colon = '\0';
		mark->file = note;
		mark->line = number[0];
		mark->column = number[1];
		mark->last_line = number[2];
		mark->last_column = number[3];
		return 1;
	}
	return 0;
}

static char *join(const char *path, const char *name)
{
	size_t room = strlen(path) + strlen(name) + 2;
	char *joined = reallocate(NULL, room, 1);

	snprintf(joined, room, "%s%s%s", path, !*path || !strcmp(path, "/") ? "" : "/", name);
	return joined;
}

static struct mark *add_mark(struct lines *lines, char *path, const char *property)
{
	lines->marks = grow(lines->marks, lines->count, sizeof(*lines->marks));
	lines->marks[lines->count] = (struct mark){ .path = path, .property = property };
	return &lines->marks[lines->count++];
}

/* Behind the labels. */
static char *skip_labels(char *line)
{
	for (;;) {
		size_t length = strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					     "0123456789_");

		if (!length || line[length] != ':' || line[length + 1] != ' ')
			return line;
		line += length + 2;
	}
}

/* One line: it opens a node, closes one, or is a property. path: of the node it is in. */
static char *read_line(struct lines *lines, char *line, char *path)
{
	char *note = NULL, *end, *name, *inner;
	size_t length;

	line += strspn(line, " \t");
	for (char *at = strstr(line, "/* "); at; at = strstr(at + 1, "/* "))
		note = at;
	if (!note || !(end = strstr(note, " */")))
		return path;
	*end = '\0';
	end = note;
	while (end > line && end[-1] == ' ')
		end--;
	*end = '\0';
	note += strlen("/* ");
	if (*line == '}') {
		end = strrchr(path, '/');
		if (end)
			end[end == path && end[1]] = '\0';
		return path;
	}
	name = skip_labels(line);
	length = strcspn(name, " ;");
	if (end > line && end[-1] == '{') {
		name[length] = '\0';
		inner = join(path, name);
		free(path);
		read_annotation(note, add_mark(lines, join("", inner), NULL));
		return inner;
	}
	name[length] = '\0';
	read_annotation(note, add_mark(lines, join("", path), name));
	return path;
}

/* Once; a dtc that does not know -T leaves nothing. */
static void read_lines(struct lines *lines, const char *file)
{
	char *path = join("", ""), *line, *next;

	lines->asked = 1;
	lines->text.name = file;
	if (run_dtc(&lines->text, file, 1) == GOOD && lines->text.size) {
		lines->text.data = reallocate(lines->text.data, lines->text.size + 1, 1);
		lines->text.data[lines->text.size] = '\0';
		for (line = (char *)lines->text.data; line; line = next) {
			next = strchr(line, '\n');
			if (next)
				*next++ = '\0';
			path = read_line(lines, line, path);
		}
	}
	free(path);
}

void unload_lines(struct lines *lines)
{
	for (uint32_t i = 0; i < lines->count; i++)
		free(lines->marks[i].path);
	free(lines->marks);
	free(lines->text.data);
	free(lines->file.data);
}

/* ---- rows ------------------------------------------------------------------------------------ */

struct reader {
	const char *at, *end;
	uint32_t line, column;
};

static void step(struct reader *r)
{
	if (*r->at++ == '\n') {
		r->line++;
		r->column = 1;
	} else {
		r->column++;
	}
}

static int begins(const struct reader *r, const char *word)
{
	return (size_t)(r->end - r->at) >= strlen(word) && !strncmp(r->at, word, strlen(word));
}

/* Over blanks and comments. */
static void skip_blanks(struct reader *r)
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
static void skip_cell(struct reader *r)
{
	int depth = 0;

	while (r->at < r->end && (depth || (!isspace((unsigned char)*r->at) && *r->at != '>' &&
					    !begins(r, "/*") && !begins(r, "//")))) {
		depth += (*r->at == '(') - (*r->at == ')');
		step(r);
	}
}

/* The place of cell number wanted, if there are exactly so many in the property's text. */
static struct spot find_cell(struct reader r, const char *file, size_t cells, size_t wanted)
{
	struct spot spot = { 0 };
	struct reader start;
	size_t cell = 0;
	int inside = 0;

	while (skip_blanks(&r), r.at < r.end) {
		if (!inside || *r.at == '>') {
			/* Strings, bytes and /bits/ are no cells. */
			if (*r.at == '"' || *r.at == '[' || begins(&r, "/bits/"))
				return (struct spot){ 0 };
			inside = *r.at == '<' || (inside && *r.at != '>');
			step(&r);
			continue;
		}
		start = r;
		skip_cell(&r);
		if (r.at[-1] == ':') /* a label */
			continue;
		if (cell++ == wanted)
			spot = (struct spot){ file, start.line, start.column };
	}
	return cell == cells ? spot : (struct spot){ 0 };
}

static struct spot find_row(struct lines *lines, const struct mark *mark, size_t cells, size_t cell)
{
	struct bytes *file = &lines->file;
	struct reader r = { .line = 1, .column = 1 };
	const char *last;

	if (!file->name || strcmp(file->name, mark->file)) {
		free(file->data);
		*file = (struct bytes){ .name = mark->file };
		if (access(mark->file, R_OK) || read_file(file, mark->file) != GOOD)
			file->size = 0;
	}
	r.at = (const char *)file->data;
	r.end = last = r.at + file->size;
	while (r.at < r.end && (r.line < mark->line || r.column < mark->column))
		step(&r);
	for (struct reader to = r; to.at < to.end; step(&to)) {
		last = to.at;
		if (to.line == mark->last_line && to.column >= mark->last_column)
			break;
	}
	r.end = last;
	return find_cell(r, mark->file, cells, cell);
}

struct spot find_spot(struct source *source, struct lines *lines, int node, const char *property,
		      uint32_t row)
{
	const char *path = node_path(source, node);
	const struct mark *best = NULL;
	struct spot spot = { 0 };
	int length = 0;

	if (!path || !is_dts(source->file.name))
		return spot;
	if (!lines->asked)
		read_lines(lines, source->file.name);
	for (uint32_t i = 0; i < lines->count; i++) {
		const struct mark *m = &lines->marks[i];

		if (m->line && !strcmp(m->path, path) &&
		    (!m->property || (property && !strcmp(m->property, property))))
			best = best && best->property ? best : m;
	}
	if (!best)
		return spot;
	if (best->property && row != PMUMAP_NO_ROW &&
	    fdt_getprop(source->file.data, node, property, &length)) {
		size_t width = !strncmp(property, "riscv,raw", 9) ? 5 : 3;

		spot = find_row(lines, best, (size_t)length / 4, row * width);
	}
	return spot.line ? spot : (struct spot){ best->file, best->line, best->column };
}
