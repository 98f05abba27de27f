/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
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

/* ---- untrusted text -------------------------------------------------------------------------- */

#define OUTPUT_LIMIT (32u << 20) /* bytes counted per answer: half of what may be written */

static size_t written;

void reset_output(void)
{
	written = 0;
}

void count_output(size_t bytes)
{
	written += bytes;
	if (written < OUTPUT_LIMIT)
		return;
	reset_output();
	exit(complain(UNREADABLE, NULL, "stopped: this answer is longer than %u MiB",
		      OUTPUT_LIMIT >> 20));
}

/*
 * True if a CI service takes what begins here for a command in its log: :: at the beginning of a
 * line, or ##[ and ##name[ anywhere. begins: only blanks precede it in its line.
 */
static int is_command(const char *at, size_t left, int begins)
{
	size_t i = 2;

	if (left < 2 || at[0] != at[1])
		return 0;
	while (*at == '#' && i < left && isalpha((unsigned char)at[i]))
		i++;
	return *at == ':' ? begins : *at == '#' && i < left && at[i] == '[';
}

void put_escaped(FILE *out, const char *text, int json)
{
	size_t bytes = 0, left = strlen(text);
	int begins = 1;

	for (; *text; text++, left--) {
		unsigned char c = (unsigned char)*text;
		int command = is_command(text, left, begins);

		begins &= c <= ' ' || c >= 0x7f;
		if (c < ' ' || c >= 0x7f || command) {
			bytes += (size_t)fprintf(out, json ? "\\u%04x" : "\\x%02x", c);
			continue;
		}
		if (json && (c == '"' || c == '\\'))
			putc('\\', out);
		putc(c, out);
		bytes++;
	}
	count_output(bytes);
}

/* Characters that reverse the text direction, or end a line without a line feed. */
static int turns_text(uint32_t letter)
{
	return letter == 0x061c || letter == 0x200e || letter == 0x200f ||
	       (letter >= 0x2028 && letter <= 0x202e) || (letter >= 0x2066 && letter <= 0x2069);
}

/* The length of the UTF-8 letter here in bytes; 0 if it is invalid or must not be shown. */
static size_t letter_bytes(const unsigned char *at, size_t left)
{
	static const uint32_t least[] = { 0, 0, 0xa0, 0x800, 0x10000 }; /* below 0xa0: C1 */
	size_t bytes = *at >= 0xf0 ? 4 : *at >= 0xe0 ? 3 : 2;
	uint32_t letter = *at & (0x7fu >> bytes);

	if (*at < 0x80)
		return (*at >= ' ' && *at < 0x7f) || *at == '\t' || *at == '\n' ||
		       (*at == '\r' && left > 1 && at[1] == '\n');
	if (*at < 0xc2 || *at > 0xf4 || bytes > left)
		return 0;
	for (size_t i = 1; i < bytes; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		letter = letter << 6 | (at[i] & 0x3f);
	}
	if (letter < least[bytes] || letter > 0x10ffff || letter >> 11 == 0xd800 >> 11)
		return 0;
	return turns_text(letter) ? 0 : bytes;
}

void put_source_text(FILE *out, const char *text, size_t length)
{
	const unsigned char *at = (const unsigned char *)text;
	int begins = 1;
	size_t bytes;

	for (count_output(length); length; at += bytes, length -= bytes) {
		int command = is_command((const char *)at, length, begins);

		begins = *at == '\n' || (begins && (*at <= ' ' || *at >= 0x7f));
		bytes = command ? 0 : letter_bytes(at, length);
		if (bytes) {
			fwrite(at, 1, bytes, out);
			continue;
		}
		fprintf(out, "\\x%02x", *at);
		bytes = 1;
	}
}

/* ---- complaints ------------------------------------------------------------------------------ */

static char last[1024];

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
	put_escaped(stderr, last, 0);
	putc('\n', stderr);
	return code;
}

/* ---- memory and files ------------------------------------------------------------------------ */

static void out_of_memory(void)
{
	exit(complain(UNREADABLE, NULL, "stopped: more than %d MiB of memory are needed",
		      MEMORY_MIB));
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

char *printed(const char *format, ...)
{
	char *text;
	size_t size;
	FILE *out = open_text(&text, &size);
	va_list list;

	va_start(list, format);
	vfprintf(out, format, list);
	va_end(list);
	close_text(out);
	return text;
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
	int bad = ferror(out);

	if (fclose(out) || bad)
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
