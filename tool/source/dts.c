/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include "checkout.h"
#include "dts.h"
#include "included.h"
#include "programs.h"

#define FOLDERS 32
#define MACROS 64

static const char *folders[FOLDERS], *macros[2 * MACROS];
static size_t folder_count, macro_count;
static int trusts_all;

void allow_incbin(void)
{
	trusts_all = 1;
}

int search_in(const char *folder)
{
	if (folder_count == FOLDERS)
		return complain(USAGE, folder, "-I can be given at most %d times", FOLDERS);
	folders[folder_count++] = folder;
	trust_folder(folder);
	return GOOD;
}

int pass_to_cpp(const char *option, const char *value)
{
	if (macro_count == LENGTH(macros))
		return complain(USAGE, value, "-D and -include can be given at most %d times",
				MACROS);
	macros[macro_count++] = option;
	macros[macro_count++] = value;
	if (!strcmp(option, "-include"))
		trust_folder(value);
	return GOOD;
}

/* The folders of -I, then those of the source tree that contains the file. */
static size_t list_folders(const char **list)
{
	const struct checkout *tree = checkout();

	memcpy(list, folders, folder_count * sizeof(*folders));
	memcpy(list + folder_count, tree->folders, tree->count * sizeof(*list));
	return folder_count + tree->count;
}

/* ---- is cpp needed? -------------------------------------------------------------------------- */

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

/* True if the line is a directive. dtc reads any other word with # as a property name. */
static int is_directive(const char *line, const char *end)
{
	static const char *const words[] = { "include", "define", "undef", "if" };

	line = skip_blanks(line, end);
	if (line == end || *line != '#')
		return 0;
	line = skip_blanks(line + 1, end);
	for (size_t i = 0; i < LENGTH(words); i++) {
		size_t length = strlen(words[i]);

		if ((size_t)(end - line) >= length && !memcmp(line, words[i], length))
			return 1;
	}
	return 0;
}

static int has_directive(const struct bytes *text)
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

/* ---- cpp and dtc ----------------------------------------------------------------------------- */

/* Uses no shell, so a file name is one argument. A leading "-" gets "./": cpp has no "--". */
static int start_cpp(struct program *p, const char *file, int out, int quiet)
{
	const char *list[FOLDERS + CHECKOUT_FOLDERS];
	const char *command[10 + 2 * LENGTH(list) + LENGTH(macros)] = {
		"cpp", "-nostdinc", "-undef", "-D__DTS__", "-x", "assembler-with-cpp"
	};
	size_t n = 6, count = list_folders(list);

	for (size_t i = 0; i < count; i++) {
		command[n++] = "-I";
		command[n++] = list[i];
	}
	for (size_t i = 0; i < macro_count; i++)
		command[n++] = macros[i];
	command[n] = file;
	return start_program(p, command, -1, out, quiet, file);
}

/* in: cpp's output. folder is then the folder of the file. */
static int start_dtc(struct program *p, const char *file, const char *folder, int in, int out,
		     int annotate)
{
	const char *list[FOLDERS + CHECKOUT_FOLDERS];
	const char *command[16 + 2 * LENGTH(list)] = { "dtc", "-q", "-I",
						       "dts", "-O", annotate ? "dts" : "dtb",
						       "-o",  "-" };
	size_t n = 8, count = list_folders(list);

	if (annotate) {
		command[n++] = "-q";
		command[n++] = "-T";
		command[n++] = "-T";
	}
	if (in >= 0) {
		command[n++] = "-i";
		command[n++] = folder;
	}
	for (size_t i = 0; i < count; i++) {
		command[n++] = "-i";
		command[n++] = list[i];
	}
	command[n++] = "--";
	command[n] = in >= 0 ? "-" : file;
	return start_program(p, command, in, out, annotate, file);
}

/* Returns dtc's input: cpp's output or the source itself. */
static int check_source(const struct bytes *text, const char *file, const char *folder)
{
	const char *list[1 + FOLDERS + CHECKOUT_FOLDERS] = { folder };
	const struct search_path path = { list, 1 + list_folders(list + 1) };

	return trusts_all ? GOOD : check_included(text, file, &path);
}

/* Returns the folder of a file, or NULL after a complaint. */
static char *folder_of(const struct bytes *bytes, const char *file)
{
	size_t length = (size_t)(base_name(file) - file);
	char *folder = length ? strndup(file, length) : strdup(".");

	if (!folder)
		complain(UNREADABLE, bytes->name, "%s", strerror(errno));
	return folder;
}

/* Reads cpp's output and rewinds it. */
static int read_output(struct bytes *text, FILE *out)
{
	int code;

	if (lseek(fileno(out), 0, SEEK_SET) < 0)
		return complain(UNREADABLE, text->name, "%s", strerror(errno));
	code = read_all(text, fileno(out));
	lseek(fileno(out), 0, SEEK_SET);
	return code;
}

/* cpp's messages may quote files that the source must not read. Check the names first. */
static int end_cpp(struct program *p, struct bytes *text, FILE *out, const char *path, int quiet)
{
	int ended = end_program(p), code = read_output(text, out);

	if (code == GOOD && !trusts_all)
		code = check_markers(text, path);
	put_messages(p, code == GOOD && !*p->why);
	if (code == GOOD && ended == 0 && clear_config(text)) {
		fwrite(text->data, 1, text->size, out);
		fflush(out);
		lseek(fileno(out), 0, SEEK_SET);
	}
	if (code != GOOD || ended == 0 || quiet)
		return ended == 0 ? code : UNREADABLE;
	if (*p->why)
		return complain(UNREADABLE, text->name, "cpp %s", p->why);
	return complain(
		UNREADABLE, text->name, "%s",
		ended == 127 ? "has #include lines and needs cpp: install it, or give a .dtb"
			     : "cpp rejected the file. Its message is above; -I DIR adds a folder "
			       "for #include");
}

#define PART_HEAD "/dts-v1/;/plugin/;\n"

/* Returns the preprocessed source, rewound, or NULL after a complaint. */
static FILE *preprocess(struct bytes *text, const char *file, int quiet)
{
	FILE *out = tmpfile();
	size_t room = strlen(file) + sizeof("./");
	struct program cpp;
	char *path;
	int code;

	if (!out) {
		complain(UNREADABLE, text->name, "%s", strerror(errno));
		return NULL;
	}
	path = reallocate(NULL, room, 1);
	snprintf(path, room, "%s%s", *file == '-' ? "./" : "", file);
	/* A .dtsi may refer to labels of the file that includes it, so treat it like an overlay. */
	if (is_part(file) && write(fileno(out), PART_HEAD, strlen(PART_HEAD)) < 0)
		complain(UNREADABLE, text->name, "%s", strerror(errno));
	code = start_cpp(&cpp, path, fileno(out), quiet);
	if (code == GOOD)
		code = end_cpp(&cpp, text, out, path, quiet);
	free(path);
	if (code == GOOD)
		return out;
	fclose(out);
	return NULL;
}

/* in: the preprocessed source, or NULL. */
static int collect(struct bytes *bytes, const char *file, const char *folder, FILE *in,
		   int annotate)
{
	struct program dtc;
	int ends[2], code, ended;

	if (pipe(ends) < 0)
		return complain(UNREADABLE, bytes->name, "%s", strerror(errno));
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	code = start_dtc(&dtc, file, folder, in ? fileno(in) : -1, ends[1], annotate);
	close(ends[1]);
	if (code == GOOD)
		code = read_all(bytes, ends[0]);
	close(ends[0]);
	if (dtc.child < 0)
		return code;
	ended = end_program(&dtc);
	put_messages(&dtc, !*dtc.why);
	if (code != GOOD || annotate || ended == 0)
		return code;
	if (*dtc.why)
		return complain(UNREADABLE, bytes->name, "dtc %s", dtc.why);
	return complain(UNREADABLE, bytes->name, "%s",
			ended == 127
				? "needs dtc: install device-tree-compiler, or give a .dtb"
				: "dtc rejected the file. Its message is above; the mistake may be "
				  "on the preceding line");
}

int is_source(const struct bytes *text)
{
	static const char first[] = "/dts-v1/";
	const char *at = (const char *)text->data, *end = at + text->size;

	while (at < end && (size_t)(end - at) >= strlen(first)) {
		if (!memcmp(at, first, strlen(first)))
			return 1;
		at = memchr(at + 1, '/', (size_t)(end - at) - 1);
		if (!at)
			return 0;
	}
	return 0;
}

int compile_source(struct bytes *bytes)
{
	FILE *in;
	int code;

	if (has_directive(bytes))
		return complain(UNREADABLE, bytes->name,
				"#include lines do not work on stdin: give the file");
	code = check_source(bytes, bytes->name, ".");
	if (code != GOOD)
		return code;
	in = tmpfile();
	if (!in)
		return complain(UNREADABLE, bytes->name, "%s", strerror(errno));
	fwrite(bytes->data, 1, bytes->size, in);
	free(bytes->data);
	bytes->data = NULL;
	bytes->size = 0;
	code = fflush(in) || lseek(fileno(in), 0, SEEK_SET)
		       ? complain(UNREADABLE, bytes->name, "%s", strerror(errno))
		       : collect(bytes, "-", ".", in, 0);
	fclose(in);
	return code;
}

static int is_blob(const struct bytes *text)
{
	static const unsigned char magic[] = { 0xd0, 0x0d, 0xfe, 0xed };

	return text->size >= sizeof(magic) && !memcmp(text->data, magic, sizeof(magic));
}

int run_dtc(struct bytes *bytes, const char *file, int annotate)
{
	struct bytes text = { .name = bytes->name };
	int code = read_file(&text, file);
	char *folder = NULL;
	FILE *in = NULL;

	find_checkout(file);
	if (code == GOOD && is_blob(&text))
		code = complain(UNREADABLE, bytes->name, "a blob, not a source: name it .dtb");
	if (code == GOOD &&
	    (folder_count || macro_count || is_part(file) || has_directive(&text))) {
		free(text.data);
		text = (struct bytes){ .name = bytes->name };
		in = preprocess(&text, file, annotate);
		code = in ? GOOD : UNREADABLE;
	}
	if (code == GOOD) {
		folder = folder_of(bytes, file);
		code = folder ? check_source(&text, file, folder) : UNREADABLE;
	}
	free(text.data);
	if (code == GOOD)
		code = collect(bytes, file, folder, in, annotate);
	free(folder);
	if (in)
		fclose(in);
	return code;
}
