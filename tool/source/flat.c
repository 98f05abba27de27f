/* SPDX-License-Identifier: BSD-2-Clause */
#include <ctype.h>
#include "flat.h"
#include "text/output.h"

#define DEEPEST 100 /* files that are open at a time */
#define MOST 10000  /* files in all */

/* A file that is being read, and the one that includes it. */
struct frame {
	const struct frame *outer;
	const char *file;
	unsigned depth;
};

/* The name of an included file. */
struct name {
	const char *at;
	size_t length;
	int beside; /* search beside the file that includes it first */
};

struct flat {
	/* Adds a file, with all that it includes. */
	int (*add)(struct flat *x, const struct bytes *text, const struct frame *f);
	const struct search_path *path;
	const char *source;
	int for_cpp;
	FILE *out;
	size_t size, files;
};

static void put_piece(struct flat *x, const char *at, const char *end)
{
	fwrite(at, 1, (size_t)(end - at), x->out);
	x->size += (size_t)(end - at);
}

/* Tells cpp and dtc where the next line comes from. */
static void put_line(struct flat *x, const char *file, uint32_t line)
{
	x->size += strlen(file);
	fprintf(x->out, "\n#line %" PRIu32 " \"", line);
	for (; *file; file++)
		fprintf(x->out,
			isalnum((unsigned char)*file) || strchr("._-+", *file) ? "%c" : "\\%03o",
			(unsigned char)*file);
	fputs("\"\n", x->out);
}

/* cpp rejects a file that includes itself, unless a guard skips that. */
static int add_file(struct flat *x, struct bytes *text, const struct frame *outer)
{
	const struct frame f = { outer, text->name, outer ? outer->depth + 1 : 0 };

	if (f.depth > DEEPEST || x->files++ == MOST || x->size > (size_t)PROGRAM_MIB << 20)
		return complain(UNREADABLE, x->source,
				"includes too much: more than %d files or %d MiB, or %d levels",
				MOST, PROGRAM_MIB, DEEPEST);
	for (; outer && x->for_cpp; outer = outer->outer) {
		if (!strcmp(outer->file, f.file)) {
			fputs("#error this file includes itself\n", x->out);
			return GOOD;
		}
	}
	put_line(x, f.file, 1);
	return x->add(x, text, &f);
}

/* The path of a name in a folder of this length. The caller frees it. */
static char *path_in(const char *folder, size_t length, const struct name *name)
{
	length = name->length && *name->at == '/' ? 0 : length;
	return printed("%.*s%s%.*s", (int)length, folder,
		       length && folder[length - 1] != '/' ? "/" : "", (int)name->length, name->at);
}

/* Searches for a file and adds it. Returns MISSING if there is none. */
static int include(struct flat *x, const struct frame *f, const struct name *name)
{
	int code = MISSING;

	for (size_t i = !name->beside; code == MISSING && i <= x->path->count; i++) {
		const char *folder = i ? x->path->folders[i - 1] : f->file;
		size_t length = i ? strlen(folder) : (size_t)(base_name(folder) - folder);
		struct bytes text = { 0 };
		char *path = path_in(folder, length, name);

		text.name = path;
		code = read_included(&text, x->source);
		if (code == GOOD)
			code = add_file(x, &text, f);
		free(text.data);
		free(path);
	}
	return code;
}

/*
 * Replaces comments by blanks: lines and columns stay. A comment without an end keeps its
 * beginning, so that dtc rejects it.
 */
static void blank_comments(char *at, const char *end, int for_cpp)
{
	while (at < end) {
		char *stop = at + (token_end(at, end, for_cpp) - at), *c = stop;

		if (is_comment(at, end))
			c = at[1] == '/' || (stop - at >= 4 && stop[-2] == '*' && stop[-1] == '/')
				    ? at
				    : at + 2;
		for (; c < stop; c++)
			*c = *c == '\n' ? '\n' : ' ';
		at = stop;
	}
}

/* Adds the files first[] and then the text, which is replaced. */
static int flatten(struct flat *x, struct bytes *text, const char *const *first, size_t firsts)
{
	struct bytes whole = { .name = x->source, .data = text->data, .size = text->size };
	int code = GOOD;
	char *data;

	x->out = open_text(&data, &text->size);
	for (size_t i = 0; i < firsts && code == GOOD; i++) {
		struct bytes file = { .name = first[i] };

		code = read_included(&file, x->source);
		code = code == MISSING
			       ? complain(UNREADABLE, file.name, "No such file or directory")
		       : code == GOOD ? add_file(x, &file, NULL)
				      : code;
		free(file.data);
	}
	if (code == GOOD)
		code = add_file(x, &whole, NULL);
	close_text(x->out);
	free(whole.data);
	text->data = (unsigned char *)data;
	return code;
}

int begins_with(const char *at, const char *end, const char *word)
{
	size_t length = strlen(word);

	return (size_t)(end - at) >= length && !memcmp(at, word, length);
}

const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && (unsigned char)*at <= ' ' && *at != '\n')
		at++;
	return at;
}

int is_comment(const char *at, const char *end)
{
	return end - at >= 2 && *at == '/' && (at[1] == '/' || at[1] == '*');
}

/* dtc accepts line ends in a string, but none after a backslash. */
static const char *string_end(const char *at, const char *end, int for_cpp)
{
	const char *start = at;
	char quote = *at;

	for (at++; at < end && *at != quote; at++) {
		if (*at == '\n' && for_cpp)
			return at;
		if (*at == '\\' && ++at < end && *at == '\n' && !for_cpp)
			return start + 1;
	}
	return at < end ? at + 1 : for_cpp ? end : start + 1;
}

/* For dtc, a quote after a backslash ends the letter only if no other quote does. */
static const char *letter_end(const char *at, const char *end)
{
	const char *last = at + 1;

	for (at++; at < end; at++) {
		if (*at != '\'')
			continue;
		last = at + 1;
		if (at[-1] != '\\')
			break;
	}
	return last;
}

static const char *comment_end(const char *at, const char *end, int for_cpp)
{
	const char *stop;

	if (at[1] == '*') {
		for (at += 2; end - at >= 2; at++) {
			if (at[0] == '*' && at[1] == '/')
				return at + 2;
		}
		return end;
	}
	do {
		stop = memchr(at, '\n', (size_t)(end - at));
		at = stop ? stop + 1 : end;
	} while (for_cpp && stop && stop[-1] == '\\');
	return stop ? stop : end;
}

/* A path such as &{/soc/pmu} contains no comments. */
static const char *path_end(const char *start, const char *end)
{
	const char *at = start + 2;

	while (at < end && *at && (isalnum((unsigned char)*at) || strchr(",._+*#?@-/", *at)))
		at++;
	return at < end && *at == '}' ? at + 1 : start + 1;
}

const char *token_end(const char *at, const char *end, int for_cpp)
{
	if (*at == '"' || (*at == '\'' && for_cpp))
		return string_end(at, end, for_cpp);
	if (*at == '\'')
		return letter_end(at, end);
	if (is_comment(at, end))
		return comment_end(at, end, for_cpp);
	if (!for_cpp && begins_with(at, end, "&{"))
		return path_end(at, end);
	for (at++; at < end && *at != '/' && *at != '"' && *at != '\'' && *at != '&' && *at != '#';)
		at++;
	return at;
}

/* ---- cpp ------------------------------------------------------------------------------------- */

static int is_word(const char *at, const char *end, const char *word)
{
	size_t length = strlen(word);

	return begins_with(at, end, word) &&
	       ((size_t)(end - at) == length ||
		!(isalnum((unsigned char)at[length]) || at[length] == '_'));
}

/* True if cpp may find a directive in the line that reads a file, or only asks for one. */
static int has_other_directive(const char *at, const char *end)
{
	static const char *const words[] = { "include", "include_next", "import",
					     "embed",   "line",         "pragma" };

	for (; at < end; at++) {
		const char *word = at + (*at == '%' ? 2 : 1);

		if (*at != '_' && *at != '%' && *at != '#')
			continue;
		if (begins_with(at, end, "__has_") || begins_with(at, end, "%\\"))
			return 1;
		if (*at != '#' && !begins_with(at, end, "%:"))
			continue;
		word = skip_blanks(word, end);
		if (word < end && (*word == '\\' || *word == '/' || *word == '_'))
			return 1;
		for (size_t i = 0; i < LENGTH(words); i++) {
			if (is_word(word, end, words[i]))
				return 1;
		}
		while (word < end && isalpha((unsigned char)*word))
			word++;
		if (word < end && *word == '\\')
			return 1;
	}
	return 0;
}

/* The directive in this line, or end. */
static const char *directive(const char *at, const char *end)
{
	at = skip_blanks(at, end);
	return at < end && *at == '#' ? skip_blanks(at + 1, end) : end;
}

/* Finds NAME in include "NAME" or include <NAME>. Returns 0 if there is none. */
static int included_by_cpp(const char *at, const char *end, struct name *name)
{
	const char *stop;

	if (!is_word(at, end, "include"))
		return 0;
	at = skip_blanks(at + strlen("include"), end);
	if (at == end || (*at != '"' && *at != '<'))
		return 0;
	stop = memchr(at + 1, *at == '"' ? '"' : '>', (size_t)(end - at) - 1);
	*name = (struct name){ at + 1, stop ? (size_t)(stop - at) - 1 : 0, *at == '"' };
	return stop != NULL;
}

/* A missing file is an error only if cpp gets there. */
static int include_for_cpp(struct flat *x, const struct frame *f, const struct name *name)
{
	int code = include(x, f, name);
	char *text;

	if (code != MISSING)
		return code;
	text = path_in("", 0, name);
	if (!x->path->empty || strcmp(text, x->path->empty) != 0) {
		fputs("#error ", x->out);
		put_escaped(x->out, text, 0);
		fputs(": No such file or directory", x->out);
	}
	free(text);
	return GOOD;
}

static int add_for_cpp(struct flat *x, const struct bytes *text, const struct frame *f)
{
	char *at = (char *)text->data, *end = at + text->size, *next;
	uint32_t line = 2;
	int included = 0, code = GOOD;

	blank_comments(at, end, 1);
	for (; code == GOOD && at < end; at = next, line++) {
		const char *stop = memchr(at, '\n', (size_t)(end - at)), *word;
		struct name name;

		next = stop ? at + (stop - at) + 1 : end;
		word = directive(at, next);
		if (included_by_cpp(word, next, &name)) {
			code = include_for_cpp(x, f, &name);
			put_line(x, f->file, line);
			included = 1;
		} else if (is_word(word, next, "line") || begins_with(word, next, "pragma once")) {
			putc('\n', x->out);
		} else if (!trusts_all() && has_other_directive(at, next)) {
			code = complain(UNREADABLE, f->file,
					"line %" PRIu32 ": cpp could read any file here; only "
					"#include \"NAME\" and <NAME> need no --allow-incbin",
					line - 1);
		} else {
			put_piece(x, at, next);
			/* cpp has skipped the number of the line, too. */
			if (included && *word == 'e' && !is_word(word, next, "error"))
				put_line(x, f->file, line);
		}
	}
	return code;
}

int flatten_for_cpp(struct bytes *text, const char *file, const struct search_path *path,
		    const char *const *first, size_t firsts)
{
	struct flat x = { .add = add_for_cpp, .path = path, .source = file, .for_cpp = 1 };

	return flatten(&x, text, first, firsts);
}

/* ---- is cpp needed? -------------------------------------------------------------------------- */

/* True if the line is a directive. dtc reads any other word with # as a property name. */
static int is_directive(const char *line, const char *end)
{
	static const char *const words[] = { "include", "define", "undef", "if" };
	const char *word = directive(line, end);
	int is = 0;

	for (size_t i = 0; i < LENGTH(words); i++)
		is |= begins_with(word, end, words[i]);
	return is;
}

int has_any_directive(const struct bytes *text)
{
	const char *at = (const char *)text->data, *end = at + text->size;
	int found = 0;

	while (!found && at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));

		stop = stop ? stop : end;
		found = is_directive(at, stop);
		at = stop < end ? stop + 1 : end;
	}
	return found;
}

/* ---- dtc ------------------------------------------------------------------------------------- */

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
