/* SPDX-License-Identifier: BSD-2-Clause */
#define _XOPEN_SOURCE 700
#include <ctype.h>
#include <sys/stat.h>
#include <unistd.h>
#include "included.h"

/* ---- trusted folders ------------------------------------------------------------------------- */

static const char **trusted;
static size_t trusted_count;

void trust_folder(const char *folder)
{
	trusted = grow(trusted, trusted_count, sizeof(*trusted));
	trusted[trusted_count++] = folder;
}

/* real: the path with links resolved. If folder is a file, only that file is trusted. */
static int is_below(const char *real, const char *folder)
{
	char *root = realpath(folder, NULL);
	size_t length = root ? strlen(root) : 0;
	int below;

	length -= length == 1; /* "/" */
	below = root && !strncmp(real, root, length) && (real[length] == '/' || !real[length]);
	free(root);
	return below;
}

/* Returns the folder of a file, for the caller to free. */
static char *folder_of(const char *file)
{
	size_t length = (size_t)(base_name(file) - file);
	char *folder = reallocate(NULL, length + 2, 1);

	memcpy(folder, file, length);
	strcpy(folder + length, length ? "" : ".");
	return folder;
}

/* True if the source may include this file. A missing file is harmless. */
static int may_include(const char *file, const char *source)
{
	char *real = realpath(file, NULL), *folder = folder_of(source);
	int may = !real || is_below(real, folder) || is_below(real, ".");

	for (size_t i = 0; i < trusted_count && !may; i++)
		may = is_below(real, trusted[i]);
	free(real);
	free(folder);
	return may;
}

static int refuse_outside(const char *file, const char *source)
{
	return complain(UNREADABLE, source,
			"includes %s from another folder: permit that folder with -I DIR", file);
}

/* ---- what dtc reads -------------------------------------------------------------------------- */

static int begins_with(const char *at, const char *end, const char *word)
{
	size_t length = strlen(word);

	return (size_t)(end - at) >= length && !memcmp(at, word, length);
}

/* Returns the end of the string that begins here, or NULL if it is unterminated. */
static const char *skip_string(const char *at, const char *end)
{
	for (at++; at < end && *at != '"'; at++) {
		if (*at == '\\' && (++at == end || *at == '\n'))
			return NULL;
	}
	return at < end ? at + 1 : NULL;
}

/* A quote after a backslash ends the letter only if no other quote does. */
static const char *skip_letter(const char *at, const char *end)
{
	const char *last = NULL;

	for (at++; at < end; at++) {
		if (*at != '\'')
			continue;
		last = at + 1;
		if (at[-1] != '\\')
			break;
	}
	return last;
}

static const char *skip_comment(const char *at, const char *end)
{
	for (at += 2; end - at >= 2; at++) {
		if (at[0] == '*' && at[1] == '/')
			return at + 2;
	}
	return NULL;
}

static const char *skip_line(const char *at, const char *end)
{
	const char *stop = memchr(at, '\n', (size_t)(end - at));

	return stop ? stop + 1 : NULL;
}

/* A path such as &{/soc/pmu} contains no comments. */
static const char *skip_path(const char *at, const char *end)
{
	for (at += 2;
	     at < end && (isalnum((unsigned char)*at) || strchr(",._+*#?@-/", *at)) && *at;)
		at++;
	return at < end && *at == '}' ? at + 1 : NULL;
}

/*
 * Returns the end of a token that may contain something that looks like another token (a string, a
 * comment), as dtc's lexer reads it; otherwise the next letter. dtc does not accept an unterminated
 * token either.
 */
static const char *skip_token(const char *at, const char *end, int *unended)
{
	const char *next = NULL;

	if (*at == '"') {
		next = skip_string(at, end);
	} else if (*at == '\'') {
		next = skip_letter(at, end);
	} else if (begins_with(at, end, "//")) {
		next = skip_line(at, end);
	} else if (begins_with(at, end, "/*") && !*unended) {
		next = skip_comment(at, end);
		*unended = !next; /* later ones are unterminated too */
	} else if (begins_with(at, end, "&{")) {
		next = skip_path(at, end);
	}
	return next ? next : at + 1;
}

/* Files still to be read, each once. */
struct worklist {
	char **files;
	size_t count;
	const struct search_path *path;
	const char *source;
};

static char *join(const char *folder, const char *name, size_t length)
{
	size_t room = strlen(folder) + length + 2;
	char *path = reallocate(NULL, room, 1);

	if (length && *name == '/')
		snprintf(path, room, "%.*s", (int)length, name);
	else
		snprintf(path, room, "%s/%.*s", folder, (int)length, name);
	return path;
}

/* Searches like dtc, beside the including file first. NULL: dtc will not find it either. */
static char *find_included(const struct worklist *w, const char *file, const char *name,
			   size_t length)
{
	char *folder = folder_of(file), *path = join(folder, name, length);

	free(folder);
	for (size_t i = 0; access(path, R_OK); i++) {
		free(path);
		if (i == w->path->count)
			return NULL;
		path = join(w->path->folders[i], name, length);
	}
	return path;
}

static int add_included(struct worklist *w, const char *file, const char *name, size_t length)
{
	char *path = find_included(w, file, name, length);
	struct stat what;
	size_t i = 0;

	if (!path)
		return GOOD;
	while (i < w->count && strcmp(w->files[i], path))
		i++;
	if (i < w->count) {
		free(path);
		return GOOD;
	}
	w->files = grow(w->files, w->count, sizeof(*w->files));
	w->files[w->count++] = path;
	if (stat(path, &what) || !S_ISREG(what.st_mode))
		return complain(UNREADABLE, w->source, "includes %s, which is not a file", path);
	return may_include(path, w->source) ? GOOD : refuse_outside(path, w->source);
}

/* Returns the start of NAME in /include/ "NAME", or NULL. */
static const char *included_name(const char *at, const char *end)
{
	if (!begins_with(at, end, "/include/"))
		return NULL;
	for (at += strlen("/include/"); at < end && isspace((unsigned char)*at);)
		at++;
	return at < end && *at == '"' && skip_string(at, end) ? at + 1 : NULL;
}

static int scan(struct worklist *w, const struct bytes *text, const char *file)
{
	const char *at = (const char *)text->data, *end = at + text->size, *name;
	int unended = 0, code = GOOD;

	while (code == GOOD && at < end) {
		if (begins_with(at, end, "/incbin/"))
			return complain(UNREADABLE, file,
					"/incbin/ can read any file: --allow-incbin "
					"permits it");
		name = included_name(at, end);
		if (name) {
			at = skip_string(name - 1, end);
			code = add_included(w, file, name, (size_t)(at - 1 - name));
		} else {
			at = skip_token(at, end, &unended);
		}
	}
	return code;
}

int check_included(const struct bytes *text, const char *file, const struct search_path *path)
{
	struct worklist w = { .path = path, .source = file };
	int code = scan(&w, text, file);

	for (size_t i = 0; i < w.count && code == GOOD; i++) {
		struct bytes next = { .name = w.files[i] };

		code = read_file(&next, w.files[i]);
		if (code == GOOD)
			code = scan(&w, &next, w.files[i]);
		free(next.data);
	}
	for (size_t i = 0; i < w.count; i++)
		free(w.files[i]);
	free(w.files);
	return code;
}

/* ---- what cpp read --------------------------------------------------------------------------- */

/* Reads a letter of a quoted name as cpp writes it: \\n, \\033 or the letter itself. */
static const char *read_letter(const char *at, const char *end, char *letter)
{
	unsigned octal = 0;
	int digits = 0;

	if (*at != '\\' || end - at < 2) {
		*letter = *at;
		return at + 1;
	}
	for (at++; digits < 3 && at < end && *at >= '0' && *at <= '7'; digits++)
		octal = 8 * octal + (unsigned)(*at++ - '0');
	if (digits) {
		*letter = (char)octal;
		return at;
	}
	*letter = *at == 'n' ? '\n' : *at;
	return at + 1;
}

/* Returns the file of a line marker, # 12 "file.h" 1, or NULL. The caller frees it. */
static char *marked_file(const char *at, const char *end)
{
	char *name, *to;

	if (!begins_with(at, end, "# "))
		return NULL;
	for (at += 2; at < end && isdigit((unsigned char)*at);)
		at++;
	if (!begins_with(at, end, " \""))
		return NULL;
	at += 2;
	name = to = reallocate(NULL, (size_t)(end - at) + 1, 1);
	while (at < end && *at != '"')
		at = read_letter(at, end, to++);
	*to = '\0';
	if (*name != '<')
		return name;
	free(name);
	return NULL;
}

int check_markers(const struct bytes *text, const char *file)
{
	const char *at = (const char *)text->data, *end = at + text->size, *next;
	char *last = NULL, *name;
	int code = GOOD;

	for (; code == GOOD && at < end; at = next) {
		next = skip_line(at, end);
		next = next ? next : end;
		name = marked_file(at, next);
		if (!name)
			continue;
		if ((!last || strcmp(last, name)) && strcmp(name, file) && !may_include(name, file))
			code = refuse_outside(name, file);
		free(last);
		last = name;
	}
	free(last);
	return code;
}
