/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "dts.h"

#define FOLDERS 32

static const char *folders[FOLDERS];
static size_t folder_count;

int is_dts(const char *name)
{
	size_t length = strlen(name);

	return length > 4 && !strcmp(name + length - 4, ".dts");
}

int search_in(const char *folder)
{
	if (folder_count == FOLDERS)
		return complain(USAGE, folder, "-I can be given %d times", FOLDERS);
	folders[folder_count++] = folder;
	return GOOD;
}

/* ---- whether the preprocessor is needed ------------------------------------------------------ */

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

/* #include and the like; to dtc, what begins with # is the name of a property. */
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

/* ---- the two programs ------------------------------------------------------------------------ */

/* No shell: whatever a file is called, it is one argument. in: -1 where nothing is read. */
static pid_t start(const char *const *command, int in, int out, int quiet)
{
	pid_t child = fork();

	if (child)
		return child;
	if (in >= 0)
		dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	if (!quiet || freopen("/dev/null", "w", stderr))
		execvp(command[0], (char *const *)(size_t)command);
	_exit(127);
}

static pid_t start_cpp(const char *file, int out, int quiet)
{
	const char *command[8 + 2 * FOLDERS] = { "cpp",       "-nostdinc", "-undef",
						 "-D__DTS__", "-x",        "assembler-with-cpp" };
	size_t n = 6;

	for (size_t i = 0; i < folder_count; i++) {
		command[n++] = "-I";
		command[n++] = folders[i];
	}
	command[n] = file;
	return start(command, -1, out, quiet);
}

/* in: what the preprocessor writes; then folder is that of the file. */
static pid_t start_dtc(const char *file, const char *folder, int in, int out, int annotate)
{
	const char *command[16 + 2 * FOLDERS] = { "dtc", "-q", "-I",
						  "dts", "-O", annotate ? "dts" : "dtb",
						  "-o",  "-" };
	size_t n = 8;

	if (annotate) {
		command[n++] = "-q";
		command[n++] = "-T";
		command[n++] = "-T";
	}
	if (in >= 0) {
		command[n++] = "-i";
		command[n++] = folder;
	}
	for (size_t i = 0; i < folder_count; i++) {
		command[n++] = "-i";
		command[n++] = folders[i];
	}
	command[n++] = "--";
	command[n] = in >= 0 ? "-" : file;
	return start(command, in, out, annotate);
}

/* Waits for a program that was started. Returns its exit status, 127 if it could not run, or 1. */
static int finished(pid_t child)
{
	int status = 0;

	if (child < 0)
		return 127;
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* The source behind the preprocessor, to be read from the start; NULL after a complaint. */
static FILE *preprocess(const struct bytes *bytes, const char *file, int quiet)
{
	FILE *out = tmpfile();
	size_t room = strlen(file) + sizeof("./");
	char *path;
	int ended;

	if (!out) {
		complain(UNREADABLE, bytes->name, "%s", strerror(errno));
		return NULL;
	}
	path = reallocate(NULL, room, 1);
	snprintf(path, room, "%s%s", *file == '-' ? "./" : "", file); /* cpp knows no "--" */
	ended = finished(start_cpp(path, fileno(out), quiet));
	free(path);
	if (ended == 0 && lseek(fileno(out), 0, SEEK_SET) == 0)
		return out;
	fclose(out);
	complain(UNREADABLE, bytes->name, "%s",
		 ended == 127 ? "has #include lines and needs cpp: install it, or give a .dtb"
			      : "cpp refuses it; -I DIR says where #include looks");
	return NULL;
}

/* in: the source behind the preprocessor, or NULL. */
static int collect(struct bytes *bytes, const char *file, FILE *in, int annotate)
{
	size_t length = (size_t)(base_name(file) - file);
	char *folder = length ? strndup(file, length) : strdup(".");
	int ends[2], code, ended;
	pid_t child;

	if (!folder || pipe(ends) < 0) {
		free(folder);
		return complain(UNREADABLE, bytes->name, "%s", strerror(errno));
	}
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	child = start_dtc(file, folder, in ? fileno(in) : -1, ends[1], annotate);
	close(ends[1]);
	code = read_all(bytes, ends[0]);
	close(ends[0]);
	free(folder);
	ended = finished(child);
	if (code != GOOD || annotate || ended == 0)
		return code;
	return complain(UNREADABLE, bytes->name,
			ended == 127
				? "needs dtc: install device-tree-compiler, or give a .dtb"
				: "dtc refuses it: what is wrong stands there, or just before");
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
	FILE *in = tmpfile();
	int code;

	if (!in)
		return complain(UNREADABLE, bytes->name, "%s", strerror(errno));
	if (has_directive(bytes)) {
		fclose(in);
		return complain(UNREADABLE, bytes->name,
				"a source with #include lines needs a name: give its file");
	}
	fwrite(bytes->data, 1, bytes->size, in);
	free(bytes->data);
	bytes->data = NULL;
	bytes->size = 0;
	code = fflush(in) || lseek(fileno(in), 0, SEEK_SET)
		       ? complain(UNREADABLE, bytes->name, "%s", strerror(errno))
		       : collect(bytes, "-", in, 0);
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
	FILE *in = NULL;

	if (code == GOOD && is_blob(&text))
		code = complain(UNREADABLE, bytes->name, "a blob, and no source: name it .dtb");
	if (code == GOOD && (folder_count || has_directive(&text))) {
		in = preprocess(bytes, file, annotate);
		code = in ? GOOD : UNREADABLE;
	}
	free(text.data);
	if (code == GOOD)
		code = collect(bytes, file, in, annotate);
	if (in)
		fclose(in);
	return code;
}
