/* SPDX-License-Identifier: BSD-2-Clause */
#include <ctype.h>
#include "flat.h"

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
