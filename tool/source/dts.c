/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE /* memmem */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "dts.h"
#include "flat.h"
#include "read.h"

#define FOLDERS 32
#define MACROS 64

static const char *folders[FOLDERS], *macros[MACROS], *includes[MACROS];
static size_t folder_count, macro_count, include_count;

int search_in(const char *folder)
{
	if (folder_count == FOLDERS)
		return complain(USAGE, folder, "-I can be given at most %d times", FOLDERS);
	folders[folder_count++] = folder;
	trust_folder(folder);
	return GOOD;
}

static int refuse_more(const char *value)
{
	return complain(USAGE, value, "-D and -include can be given at most %d times each", MACROS);
}

int define(const char *macro)
{
	if (macro_count == MACROS)
		return refuse_more(macro);
	macros[macro_count++] = macro;
	return GOOD;
}

int include_first(const char *file)
{
	if (include_count == MACROS)
		return refuse_more(file);
	includes[include_count++] = file;
	trust_folder(file);
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

/* ---- cpp and dtc ----------------------------------------------------------------------------- */

/* Both read the text from their standard input. Only if the source is trusted, they search, too. */
static int start_cpp(struct program *p, const char *file, int in, int out, int quiet)
{
	const char *list[FOLDERS + CHECKOUT_FOLDERS];
	const char *command[8 + 2 * LENGTH(list) + 2 * LENGTH(macros)] = {
		"cpp", "-nostdinc", "-undef", "-D__DTS__", "-x", "assembler-with-cpp"
	};
	size_t n = 6, count = trusts_all() ? list_folders(list) : 0;

	for (size_t i = 0; i < count; i++) {
		command[n++] = "-I";
		command[n++] = list[i];
	}
	for (size_t i = 0; i < macro_count; i++) {
		command[n++] = "-D";
		command[n++] = macros[i];
	}
	command[n] = "-";
	return start_program(p, command, in, out, quiet, file);
}

/* in: the text; -1: dtc reads the file, which is trusted. */
static int start_dtc(struct program *p, const char *file, const char *folder, int in, int out,
		     int annotate)
{
	const char *list[1 + FOLDERS + CHECKOUT_FOLDERS] = { folder };
	const char *command[16 + 2 * LENGTH(list)] = { "dtc", "-q", "-I",
						       "dts", "-O", annotate ? "dts" : "dtb",
						       "-o",  "-" };
	size_t n = 8, count = trusts_all() ? 1 + list_folders(list + 1) : 0;

	if (annotate) {
		command[n++] = "-q";
		command[n++] = "-T";
		command[n++] = "-T";
	}
	for (size_t i = 0; i < count; i++) {
		command[n++] = "-i";
		command[n++] = list[i];
	}
	command[n++] = "--";
	command[n] = in >= 0 ? "-" : file;
	return start_program(p, command, in, out, annotate, file);
}
/* Returns a file with the text, rewound, or NULL after a complaint. */
static FILE *as_file(const struct bytes *text)
{
	FILE *file = tmpfile();

	if (file && (fwrite(text->data, 1, text->size, file) < text->size || fflush(file) ||
		     lseek(fileno(file), 0, SEEK_SET) < 0)) {
		fclose(file);
		file = NULL;
	}
	if (!file)
		complain(UNREADABLE, text->name, "%s", strerror(errno));
	return file;
}

static void forget(struct bytes *text)
{
	free(text->data);
	*text = (struct bytes){ .name = text->name };
}

/* Replaces the text by cpp's output. */
static int end_cpp(struct program *p, struct bytes *text, FILE *out, int quiet)
{
	int ended = end_program(p), code;

	forget(text);
	code = lseek(fileno(out), 0, SEEK_SET) < 0
		       ? complain(UNREADABLE, text->name, "%s", strerror(errno))
		       : read_all(text, fileno(out));
	put_messages(p, code == GOOD && !*p->why);
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

/* A .dtsi may refer to labels of the file that includes it, so treat it like an overlay. */
static int preprocess(struct bytes *text, const char *file, int quiet)
{
	FILE *in = as_file(text), *out = in ? tmpfile() : NULL;
	int code = UNREADABLE;
	struct program cpp;

	if (out && (!is_part(file) || write(fileno(out), PART_HEAD, strlen(PART_HEAD)) > 0))
		code = start_cpp(&cpp, file, fileno(in), fileno(out), quiet);
	else if (in)
		complain(UNREADABLE, text->name, "%s", strerror(errno));
	if (code == GOOD)
		code = end_cpp(&cpp, text, out, quiet);
	if (code == GOOD)
		clear_config(text);
	if (in)
		fclose(in);
	if (out)
		fclose(out);
	return code;
}

/* text: NULL if dtc reads the file itself. */
static int collect(struct bytes *bytes, const char *file, const struct bytes *text, int annotate)
{
	FILE *in = text ? as_file(text) : NULL;
	char *folder = strndup(file, (size_t)(base_name(file) - file));
	struct program dtc = { .child = -1 };
	int ends[2], code = text && !in ? UNREADABLE : GOOD, ended;

	if (code == GOOD && (!folder || pipe(ends) < 0))
		code = complain(UNREADABLE, bytes->name, "%s", strerror(errno));
	if (code == GOOD) {
		fcntl(ends[0], F_SETFD, FD_CLOEXEC);
		code = start_dtc(&dtc, file, *folder ? folder : ".", in ? fileno(in) : -1, ends[1],
				 annotate);
		close(ends[1]);
		if (code == GOOD)
			code = read_all(bytes, ends[0]);
		close(ends[0]);
	}
	free(folder);
	if (in)
		fclose(in);
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
	const char *at = (const char *)text->data, *end = at + text->size;

	while (at < end && !begins_with(at, end, "/dts-v1/")) {
		const char *next = memchr(at + 1, '/', (size_t)(end - at) - 1);

		at = next ? next : end;
	}
	return at < end;
}

static struct search_path include_path(const char **list)
{
	return (struct search_path){ list, list_folders(list),
				     checkout()->unconfigured ? "config.h" : NULL };
}

/* Makes dtc's input of the text. Then dtc reads nothing else, unless the source is trusted. */
static int prepare(struct bytes *text, const char *file, int with_cpp, int quiet)
{
	const char *list[FOLDERS + CHECKOUT_FOLDERS];
	const struct search_path path = include_path(list);
	int code = GOOD;

	if (with_cpp)
		code = flatten_for_cpp(text, file, &path, includes, include_count);
	if (code == GOOD && with_cpp)
		code = preprocess(text, file, quiet);
	if (code == GOOD && !trusts_all())
		code = flatten_for_dtc(text, file, &path);
	return code;
}

int compile_source(struct bytes *bytes)
{
	struct bytes text = *bytes;
	int code;

	if (has_any_directive(bytes))
		return complain(UNREADABLE, bytes->name,
				"#include lines do not work on stdin: give the file");
	*bytes = (struct bytes){ .name = text.name };
	code = prepare(&text, text.name, 0, 0);
	if (code == GOOD)
		code = collect(bytes, text.name, &text, 0);
	free(text.data);
	return code;
}

static int is_blob(const struct bytes *text)
{
	static const unsigned char magic[] = { 0xd0, 0x0d, 0xfe, 0xed };

	return text->size >= sizeof(magic) && !memcmp(text->data, magic, sizeof(magic));
}

static int needs_cpp(const struct bytes *text, const char *file)
{
	return folder_count || macro_count || include_count || is_part(file) ||
	       has_any_directive(text);
}

int compile_text(struct bytes *bytes, struct bytes *text, const char *file, int annotate)
{
	int code = prepare(text, file, needs_cpp(text, file), annotate);

	return code == GOOD ? collect(bytes, file, text, annotate) : code;
}

int run_dtc(struct bytes *bytes, const char *file, int annotate)
{
	struct bytes text = { .name = bytes->name };
	int code = read_file(&text, file);

	find_checkout(file);
	if (code == GOOD && is_blob(&text))
		code = complain(UNREADABLE, bytes->name, "a blob, not a source: name it .dtb");
	if (code == GOOD && trusts_all() && !needs_cpp(&text, file))
		code = collect(bytes, file, NULL, annotate);
	else if (code == GOOD)
		code = compile_text(bytes, &text, file, annotate);
	free(text.data);
	return code;
}

int lacks_pmu(const char *file)
{
	/* An included file may be missing (#error). dtc includes files itself. */
	static const char *const words[] = { "riscv,pmu",     "mhpm",   "ibm,im",
					     "ibm,opal-in-m", "amus",   "events-prefix",
					     "enable-at-el3", "#error", "/include/" };
	const char *list[FOLDERS + CHECKOUT_FOLDERS];
	struct bytes text = { .name = file };
	struct search_path path;
	int lacks = 0;

	if (is_dts(file) && !macro_count && read_file(&text, file) == GOOD && !is_blob(&text) &&
	    needs_cpp(&text, file)) {
		find_checkout(file);
		path = include_path(list);
		lacks = flatten_for_cpp(&text, file, &path, includes, include_count) == GOOD;
	}
	for (size_t i = 0; lacks && i < LENGTH(words); i++)
		lacks = !memmem(text.data, text.size, words[i], strlen(words[i]));
	free(text.data);
	return lacks;
}

/* On a terminal, the first process shows how far it is. */
static void show_progress(FILE *terminal, size_t i, size_t count)
{
	if (terminal && i % 64 == 0)
		fprintf(terminal, "%zu of %zu\r", i, count), fflush(terminal);
}

/* The process that goes on alone repeats complaints, so this one prints none. */
static void look(const struct files *files, size_t first, size_t step, unsigned char *lacking)
{
	FILE *terminal =
		first == 0 && isatty(STDERR_FILENO) ? fdopen(dup(STDERR_FILENO), "w") : NULL;

	dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
	for (size_t i = first; i < files->count; i += step) {
		limit_time();
		show_progress(terminal, i, files->count);
		lacking[i] = (unsigned char)lacks_pmu(files->names[i]);
	}
	_exit(0);
}

unsigned char *look_ahead(const struct files *files, uint64_t processes)
{
	unsigned char *lacking =
		mmap(NULL, files->count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (lacking == MAP_FAILED)
		return NULL;
	if (!processes)
		processes = cpus > 0 ? (uint64_t)cpus : 1;
	fflush(NULL);
	for (uint64_t i = 0; i < processes && i < files->count; i++) {
		if (fork() == 0)
			look(files, i, processes, lacking);
	}
	while (wait(NULL) > 0 || errno == EINTR)
		;
	return lacking;
}

void end_look(unsigned char *lacking, const struct files *files)
{
	if (lacking)
		munmap(lacking, files->count);
}

static int ends_with(const char *name, const char *end)
{
	size_t length = strlen(name), tail = strlen(end);

	return length > tail && !strcmp(name + length - tail, end);
}

int is_part(const char *name)
{
	return ends_with(name, ".dtsi");
}

int is_dts(const char *name)
{
	return ends_with(name, ".dts") || ends_with(name, ".dtso") || is_part(name);
}
