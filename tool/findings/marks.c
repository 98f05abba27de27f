/* SPDX-License-Identifier: BSD-2-Clause
 *
 * marks.c -- comments in a source that ignore findings.
 */
#include <ctype.h>
#include <sys/stat.h>
#include "report.h"

static const char word[] = "pmumap: ignore ";

struct ignore_mark {
	uint32_t line, code;
	int used;
};

static struct marked {
	char *file;
	struct ignore_mark *marks;
	size_t count;
} * files;
static size_t file_count;

/* Reads the codes after the mark, separated by blanks or commas, until any other word. */
static void add_marks(struct marked *m, const char *at, const char *end, uint32_t line)
{
	int must = 1; /* a comma, or the mark itself, announces a code */

	while (at < end) {
		const char *start = at;
		uint32_t code;

		while (at < end && (isalnum((unsigned char)*at) || *at == '-'))
			at++;
		code = code_of(start, (size_t)(at - start));
		if (!code && must)
			complain(GOOD, m->file,
				 "line %" PRIu32 " ignores %.*s, which is no finding", line,
				 (int)(at - start), start);
		if (!code)
			return;
		m->marks = grow(m->marks, m->count, sizeof(*m->marks));
		m->marks[m->count++] = (struct ignore_mark){ line, code, 0 };
		for (must = 0; at < end && (*at == ' ' || *at == ','); at++)
			must |= *at == ',';
	}
}

static void find_marks(struct marked *m, const struct bytes *text)
{
	const char *at = (const char *)text->data, *end = at + text->size;
	uint32_t line = 1;

	for (; at < end; at++) {
		line += *at == '\n';
		if (*at == *word && (size_t)(end - at) > strlen(word) &&
		    !memcmp(at, word, strlen(word)))
			add_marks(m, at + strlen(word), end, line);
	}
}

/* A source can claim to be any file. Opening a FIFO would block, so read regular files only. */
static struct marked *marks_of(const char *file)
{
	struct bytes text = { .name = file };
	struct stat what;
	struct marked *m;

	for (size_t i = file_count; i-- > 0;) {
		if (!strcmp(files[i].file, file))
			return &files[i];
	}
	files = grow(files, file_count, sizeof(*files));
	m = &files[file_count++];
	*m = (struct marked){ .file = printed("%s", file) };
	if (!stat(file, &what) && S_ISREG(what.st_mode) && read_file(&text, file) == GOOD)
		find_marks(m, &text);
	free(text.data);
	return m;
}

void read_marks(const char *file)
{
	(void)marks_of(file);
}

int is_marked(struct report *r, const struct found *found)
{
	const struct pmumap_finding *f = &found->f;
	uint32_t line = found->spot.line, above = line;
	struct marked *m;
	int marked = 0;

	if (!line)
		return 0;
	m = marks_of(found->spot.file);
	if (m->count && f->property && f->row != PMUMAP_NO_ROW)
		above = find_spot(&r->source, &r->lines, f->node, f->property, PMUMAP_NO_ROW).line;
	for (size_t i = 0; i < m->count; i++) {
		struct ignore_mark *mark = &m->marks[i];

		if (mark->code != f->code || (mark->line != line && mark->line + 1 != line &&
					      (mark->line + 1 != above || above + 1 != line)))
			continue;
		marked = mark->used = 1;
	}
	return marked;
}

/* Without their options, these findings do not appear. */
static int is_optional(uint32_t code, const struct events *core)
{
	const enum value_kind kind = explain(code)->kind;

	return (kind == VALUE_VENDOR && !core->path) || kind == VALUE_ABSENT;
}

void tell_marks(const struct events *core)
{
	for (size_t i = 0; i < file_count; i++) {
		for (size_t j = 0; j < files[i].count; j++) {
			const struct ignore_mark *mark = &files[i].marks[j];

			if (!mark->used && !is_optional(mark->code, core))
				complain(GOOD, files[i].file,
					 "line %" PRIu32 " ignores %s, which is not found there",
					 mark->line, code_text(mark->code));
		}
		free(files[i].file);
		free(files[i].marks);
	}
	free(files);
}
