/* SPDX-License-Identifier: BSD-2-Clause */
#include <ctype.h>
#include "flat.h"
#include "text/output.h"

#define DEEPEST 100 /* files that are open at a time */
#define MOST 10000  /* files in all */

void put_piece(struct flat *x, const char *at, const char *end)
{
	fwrite(at, 1, (size_t)(end - at), x->out);
	x->size += (size_t)(end - at);
}

void put_line(struct flat *x, const char *file, uint32_t line)
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

char *path_in(const char *folder, size_t length, const struct name *name)
{
	size_t room = length + name->length + 2;
	char *path = reallocate(NULL, room, 1);

	length = name->length && *name->at == '/' ? 0 : length;
	snprintf(path, room, "%.*s%s%.*s", (int)length, folder,
		 length && folder[length - 1] != '/' ? "/" : "", (int)name->length, name->at);
	return path;
}

int include(struct flat *x, const struct frame *f, const struct name *name)
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

/* A comment without an end keeps its beginning, so that dtc rejects it. */
void blank_comments(char *at, const char *end, int for_cpp)
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

int flatten(struct flat *x, struct bytes *text, const char *const *first, size_t firsts)
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
