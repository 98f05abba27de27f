/* SPDX-License-Identifier: BSD-2-Clause */
#include <ctype.h>
#include "flat.h"

static const char *const readers[] = { "/include/", "/incbin/" };

static int is_reader(const char *at, const char *end)
{
	return begins_with(at, end, readers[0]) || begins_with(at, end, readers[1]);
}

/* A backslash, which dtc drops, keeps the words out of strings. */
static void put_string(struct flat *x, const char *at, const char *end)
{
	const char *from = at;

	for (; at < end; at++) {
		if (!is_reader(at, end))
			continue;
		put_piece(x, from, at + 1);
		putc('\\', x->out);
		from = at + 1;
	}
	put_piece(x, from, end);
}

/* What the last marker says: the text after it is from this line of the file. */
struct origin {
	const char *file, *file_end; /* with its quotes; NULL: there is no marker */
	const char *from;
	uint32_t line;
};

/* Reads # 12 "file.h" or #line 12 "file.h" at the beginning of a line. */
static void read_marker(struct origin *o, const char *at, const char *end)
{
	uint32_t line = 0;
	const char *stop;

	at += begins_with(at, end, "#line") ? strlen("#line") : 1;
	at = skip_blanks(at, end);
	for (; at < end && isdigit((unsigned char)*at); at++)
		line = 10 * line + (uint32_t)(*at - '0');
	at = skip_blanks(at, end);
	if (at == end || *at != '"')
		return;
	stop = token_end(at, end, 1);
	*o = (struct origin){ at, stop, memchr(stop, '\n', (size_t)(end - stop)), line };
	o->from = o->from ? o->from + 1 : end;
}

/* The line of the outer file, after what has been put in. */
static void put_origin(struct flat *x, struct origin *o, const char *at, const char *file)
{
	for (; o->from < at; o->from++)
		o->line += *o->from == '\n';
	if (!o->file) {
		put_line(x, file, o->line);
		return;
	}
	fprintf(x->out, "\n#line %" PRIu32 " ", o->line);
	put_string(x, o->file, o->file_end);
	putc('\n', x->out);
}

/* Finds NAME in /include/ "NAME". Returns the end of the string, or NULL. */
static const char *included_by_dtc(const char *at, const char *end, struct name *name)
{
	const char *stop;

	if (!begins_with(at, end, readers[0]))
		return NULL;
	for (at += strlen(readers[0]); at < end && isspace((unsigned char)*at);)
		at++;
	stop = at < end && *at == '"' ? token_end(at, end, 0) : at;
	if (stop - at < 2)
		return NULL;
	*name = (struct name){ at + 1, (size_t)(stop - at) - 2, 1 };
	return stop;
}

static int include_for_dtc(struct flat *x, const struct frame *f, const struct name *name)
{
	int code = include(x, f, name);

	return code == MISSING ? complain(UNREADABLE, f->file, "includes %.*s, which is missing",
					  (int)name->length, name->at)
			       : code;
}

static int add_for_dtc(struct flat *x, const struct bytes *text, const struct frame *f)
{
	char *begin = (char *)text->data;
	const char *at = begin, *end = at + text->size, *next;
	struct origin o = { .from = at, .line = 1 };
	struct name name;
	int code = GOOD;

	blank_comments(begin, end, 0);
	for (; code == GOOD && at < end; at = next) {
		if (*at == '#' && (at == begin || at[-1] == '\n'))
			read_marker(&o, at, end);
		next = included_by_dtc(at, end, &name);
		if (next) {
			code = include_for_dtc(x, f, &name);
			put_origin(x, &o, next, f->file);
			continue;
		}
		if (begins_with(at, end, readers[1]))
			return complain(UNREADABLE, f->file,
					"/incbin/ can read any file: --allow-incbin permits it");
		next = token_end(at, end, 0);
		if (*at == '"')
			put_string(x, at, next);
		else
			put_piece(x, at, next);
	}
	return code;
}

/* The last look is what counts: it needs no lexer that agrees with dtc's. */
int flatten_for_dtc(struct bytes *text, const char *file, const struct search_path *path)
{
	struct flat x = { .add = add_for_dtc, .path = path, .source = file };
	int code = flatten(&x, text, NULL, 0);
	const char *at = (const char *)text->data, *end = at + text->size;

	for (; code == GOOD && (at = memchr(at, '/', (size_t)(end - at))); at++) {
		if (is_reader(at, end))
			return complain(UNREADABLE, file, "hides /include/ or /incbin/");
	}
	return code;
}
