/* SPDX-License-Identifier: BSD-2-Clause
 *
 * output.h -- what the tool prints with: text, JSON, complaints, exit codes.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* FAULT: a finding of severity error, or something is not found. */
enum exit_code { GOOD, FAULT, USAGE, UNREADABLE };

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

#define BOLD "\033[1m"
#define PLAIN "\033[0m"

static const char *paint(const char *sequence)
{
	const char *no = getenv("NO_COLOR");

	return isatty(STDOUT_FILENO) && !(no && *no) ? sequence : "";
}

/* Names come from the device tree: no byte of them may act on a terminal or end a string. */
static void put_escaped(FILE *out, const char *text, int json)
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

__attribute__((format(printf, 3, 4))) static int complain(int code, const char *subject,
							  const char *format, ...)
{
	va_list list;

	fflush(stdout);
	fputs("pmumap: ", stderr);
	if (subject) {
		put_escaped(stderr, subject, 0);
		fputs(": ", stderr);
	}
	va_start(list, format);
	vfprintf(stderr, format, list);
	va_end(list);
	putc('\n', stderr);
	return code;
}

/* realloc() or an end of the program; the product may not overflow. */
static void *reallocate(void *old, size_t count, size_t each)
{
	void *memory = count <= SIZE_MAX / each ? realloc(old, count * each) : NULL;

	if (!memory)
		exit(complain(UNREADABLE, NULL, "out of memory"));
	return memory;
}

static const char *json_separator = "{";

static void json_key(const char *key)
{
	printf("%s\"%s\":", json_separator, key);
	json_separator = ",";
}

static void json_string(const char *key, const char *text)
{
	json_key(key);
	putchar('"');
	put_escaped(stdout, text, 1);
	putchar('"');
}

static void json_hex(const char *key, uint64_t value)
{
	json_key(key);
	printf("\"0x%" PRIx64 "\"", value);
}

static void json_number(const char *key, uint32_t value)
{
	json_key(key);
	printf("%" PRIu32, value);
}

static void json_end(void)
{
	puts("}");
	json_separator = "{";
}

struct text {
	char s[64];
};

static struct text hex(uint64_t value)
{
	struct text number;

	snprintf(number.s, sizeof(number.s), "0x%" PRIx64, value);
	return number;
}

static struct text decimal(uint64_t value)
{
	struct text number;

	snprintf(number.s, sizeof(number.s), "%" PRIu64, value);
	return number;
}

/* All of text: digits, or 0x and hexadecimal ones. Returns 0 for anything else. */
static int read_number(const char *text, uint64_t limit, uint64_t *value)
{
	int base = text[0] == '0' && text[1] == 'x' ? 16 : 10;
	const char *digits = base == 16 ? text + 2 : text;
	unsigned long long number;
	char *end;

	if (!isxdigit((unsigned char)*digits))
		return 0;
	errno = 0;
	number = strtoull(digits, &end, base);
	if (*end || errno || number > limit)
		return 0;
	*value = number;
	return 1;
}

/* "3-6,8", or "none". 32 bits make at most 16 runs, 42 characters. */
static struct text counter_list(uint32_t counters)
{
	struct text list = { "none" };
	size_t used = 0;

	for (unsigned bit = 0; bit < 32; bit++) {
		unsigned first = bit;

		if (!(counters >> bit & 1))
			continue;
		while (bit < 31 && counters >> (bit + 1) & 1)
			bit++;
		used += (size_t)snprintf(list.s + used, sizeof(list.s) - used,
					 first == bit ? "%s%u" : "%s%u-%u", used ? "," : "", first,
					 bit);
	}
	return list;
}

static struct text event_code(uint32_t first, uint32_t last)
{
	struct text code;

	snprintf(code.s, sizeof(code.s),
		 first == last ? "0x%05" PRIx32 : "0x%05" PRIx32 "-0x%05" PRIx32, first, last);
	return code;
}

static int wider(int width, const char *text)
{
	int length = (int)strlen(text);

	return length > width ? length : width;
}

#endif /* OUTPUT_H */
