/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdarg.h>
#include <unistd.h>
#include "output.h"

const char *paint(const char *sequence)
{
	const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");

	if ((no && *no) || (terminal && !strcmp(terminal, "dumb")) || !isatty(STDOUT_FILENO))
		return "";
	return sequence;
}

void put_escaped(FILE *out, const char *text, int json)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < ' ' || c >= 0x7f) {
			fprintf(out, json ? "\\u%04x" : "\\x%02x", c);
			continue;
		}
		if (json && (c == '"' || c == '\\'))
			putc('\\', out);
		putc(c, out);
	}
}

static char last[256];

const char *last_complaint(void)
{
	return last;
}

int complain(int code, const char *subject, const char *format, ...)
{
	va_list list;

	fflush(stdout);
	fputs("pmumap: ", stderr);
	if (subject) {
		put_escaped(stderr, subject, 0);
		fputs(": ", stderr);
	}
	va_start(list, format);
	vsnprintf(last, sizeof(last), format, list);
	va_end(list);
	va_start(list, format);
	vfprintf(stderr, format, list);
	va_end(list);
	putc('\n', stderr);
	return code;
}

static void out_of_memory(void)
{
	exit(complain(UNREADABLE, NULL, "out of memory"));
}

void *reallocate(void *old, size_t count, size_t each)
{
	void *memory = count <= SIZE_MAX / each ? realloc(old, count * each) : NULL;

	if (!memory)
		out_of_memory();
	return memory;
}

void *grow(void *array, size_t used, size_t each)
{
	return used & (used - 1) ? array : reallocate(array, used ? 2 * used : 1, each);
}

FILE *open_text(char **text, size_t *size)
{
	FILE *out = open_memstream(text, size);

	if (!out)
		out_of_memory();
	return out;
}

void close_text(FILE *out)
{
	if (fclose(out))
		out_of_memory();
}

const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int is_stdout(const char *file)
{
	return !file || !strcmp(file, "-");
}

FILE *open_output(const char *file)
{
	FILE *out = is_stdout(file) ? stdout : fopen(file, "wb");

	if (!out)
		complain(UNREADABLE, file, "%s", strerror(errno));
	return out;
}

int close_output(FILE *out, const char *file)
{
	int bad = !is_stdout(file) && ferror(out);

	if (!is_stdout(file) && (fclose(out) || bad))
		return complain(UNREADABLE, file, "cannot be written");
	return GOOD;
}
