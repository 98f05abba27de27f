/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lines.c -- asks dtc to annotate each line with its position (-T -T:
 * path:line:column-line:column). Annotations cover nodes and properties. Rows are counted in the
 * text of their property.
 */
#define _POSIX_C_SOURCE 200809L
#include <sys/stat.h>
#include "dts.h"
#include "groups.h"
#include "rows.h"

/* The place of a node (name NULL) or property. Strings are inside struct lines. */
struct mark {
	char *path; /* the node's path; freed at the end */
	const char *property, *file;
	uint32_t line, column;
	struct row_place *rows; /* of a property; NULL: not read yet, or not found */
	uint32_t row_count;
	int asked; /* rows were looked for */
};

struct row_place {
	uint32_t line, column;
};

/* Reads "board.dts:7:4-10:9". If several follow, separated by commas, the first counts. */
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
		return 1;
	}
	return 0;
}

static char *join(const char *path, const char *name)
{
	return printed("%s%s%s", path, !*path || !strcmp(path, "/") ? "" : "/", name);
}

static struct mark *add_mark(struct lines *lines, char *path, const char *property)
{
	lines->marks = grow(lines->marks, lines->count, sizeof(*lines->marks));
	lines->marks[lines->count] = (struct mark){ .path = path, .property = property };
	return &lines->marks[lines->count++];
}

/* Skips labels. */
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

/* Handles one line: it opens a node, closes one, or is a property. path: of the enclosing node. */
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

/* Runs once. A dtc without -T leaves the list empty. */
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
	for (uint32_t i = 0; i < lines->count; i++) {
		free(lines->marks[i].path);
		free(lines->marks[i].rows);
	}
	free(lines->marks);
	free(lines->text.data);
	free(lines->file.data);
}

/* ---- a property's text ----------------------------------------------------------------------- */

/* The text from the mark on. dtc's end position is useless, because dtc sees expanded macros. */
static struct piece text_of(struct lines *lines, const struct mark *mark)
{
	struct bytes *file = &lines->file;
	struct piece text = { .line = 1, .column = 1 };
	struct stat what;

	if (!file->name || strcmp(file->name, mark->file)) {
		free(file->data);
		*file = (struct bytes){ .name = mark->file };
		/* A source can claim to be any file, and opening a FIFO would block. */
		if (stat(mark->file, &what) || !S_ISREG(what.st_mode) ||
		    read_file(file, mark->file) != GOOD)
			file->size = 0;
	}
	text.at = (const char *)file->data;
	text.end = text.at + file->size;
	for (; text.at < text.end &&
	       (text.line < mark->line || (text.line == mark->line && text.column < mark->column));
	     text.at++) {
		text.column = *text.at == '\n' ? 1 : text.column + 1;
		text.line += *text.at == '\n';
	}
	return text;
}

/* The mark of a property if there is one, otherwise of its node. NULL: neither has one. */
static struct mark *find_mark(struct source *source, struct lines *lines, int node,
			      const char *property)
{
	const char *path = node_path(source, node);
	struct mark *best = NULL;

	if (!path || !is_dts(source->file.name))
		return NULL;
	if (!lines->asked)
		read_lines(lines, source->file.name);
	for (uint32_t i = 0; i < lines->count; i++) {
		struct mark *m = &lines->marks[i];

		if (m->line && !strcmp(m->path, path) &&
		    (!m->property || (property && !strcmp(m->property, property))))
			best = best && best->property ? best : m;
	}
	return best;
}

struct piece property_piece(struct source *source, struct lines *lines, int node,
			    const char *property, const char **file)
{
	const struct mark *mark = find_mark(source, lines, node, property);

	*file = mark ? mark->file : NULL;
	return mark && mark->property ? text_of(lines, mark) : (struct piece){ 0 };
}

/* Finds the rows of a property. Runs once per property, because each row may have a finding. */
static void find_rows(struct source *source, struct lines *lines, int node, struct mark *mark)
{
	uint32_t width = row_width(mark->property), cells;
	const struct piece *cell;
	struct groups g;

	mark->asked = 1;
	read_groups(&g, text_of(lines, mark), mark->property);
	property_cells(source, node, mark->property, &cells);
	while (g.exact && (g.cell_count == cells || g.odd) &&
	       (cell = find_row(&g, width, mark->row_count))) {
		mark->rows = grow(mark->rows, mark->row_count, sizeof(*mark->rows));
		mark->rows[mark->row_count++] = (struct row_place){ cell->line, cell->column };
	}
	unload_groups(&g);
}

struct spot find_spot(struct source *source, struct lines *lines, int node, const char *property,
		      uint32_t row)
{
	struct mark *mark = find_mark(source, lines, node, property);
	struct spot spot;

	if (!mark)
		return (struct spot){ 0 };
	spot = (struct spot){ mark->file, mark->line, mark->column };
	if (!mark->property || row == PMUMAP_NO_ROW)
		return spot;
	if (!mark->asked)
		find_rows(source, lines, node, mark);
	if (row < mark->row_count) {
		spot.line = mark->rows[row].line;
		spot.column = mark->rows[row].column;
	}
	return spot;
}
