/* SPDX-License-Identifier: BSD-2-Clause */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include "text.h"

struct text brief(const char *format, ...)
{
	struct text text;
	va_list list;

	va_start(list, format);
	vsnprintf(text.s, sizeof(text.s), format, list);
	va_end(list);
	return text;
}

struct text hex(uint64_t value)
{
	return brief("0x%" PRIx64, value);
}

struct text hex16(uint16_t bits)
{
	return brief("0x%04x", (unsigned)bits);
}

struct text decimal(uint64_t value)
{
	return brief("%" PRIu64, value);
}

/* 32 bits give at most 16 runs, which take 42 characters. */
struct text counter_list(uint32_t counters)
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

struct text event_code(uint32_t first, uint32_t last)
{
	return first == last ? brief("0x%05" PRIx32, first)
			     : brief("0x%05" PRIx32 "-0x%05" PRIx32, first, last);
}

int wider(int width, const char *text)
{
	int length = (int)strlen(text);

	return length > width ? length : width;
}

char *escaped(const char *first, const char *second)
{
	char *text;
	size_t size;
	FILE *out = open_text(&text, &size);

	put_escaped(out, first, 0);
	put_escaped(out, second, 0);
	close_text(out);
	return text;
}

int read_number(const char *text, uint64_t limit, uint64_t *value)
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

uint32_t big_endian(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

void put_word(FILE *out, const char *word, const char *others)
{
	for (; *word; word++)
		putc(isalnum((unsigned char)*word) || strchr(others, *word) ? *word : '_', out);
}

int is_identifier(const char *text)
{
	size_t length = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				     "_0123456789");

	return length && !text[length] && !isdigit((unsigned char)*text);
}

int read_counters(const char *text, uint32_t *counters)
{
	const char *at = text;
	uint64_t all;

	if (!strncmp(text, "0x", 2)) {
		if (!read_number(text, UINT32_MAX, &all))
			return 0;
		*counters = (uint32_t)all;
		return 1;
	}
	for (*counters = 0;; at++) {
		unsigned long first, last;
		char *end;

		if (!isdigit((unsigned char)*at))
			return 0;
		first = last = strtoul(at, &end, 10);
		if (*end == '-' && isdigit((unsigned char)end[1]))
			last = strtoul(end + 1, &end, 10);
		if (first > last || last > 31)
			return 0;
		for (; first <= last; first++)
			*counters |= 1u << first;
		at = end;
		if (*at != ',')
			return !*at;
	}
}

unsigned count_bits(uint64_t set)
{
	unsigned n = 0;

	for (; set; set &= set - 1)
		n++;
	return n;
}

static char plain_letter(char c)
{
	return (char)tolower((unsigned char)c);
}

/* A star takes as few letters as possible. */
int is_like(const char *text, const char *pattern)
{
	const char *star = NULL, *again = NULL;

	while (*text) {
		if (*pattern == '*') {
			star = pattern++;
			again = text;
		} else if (*pattern == '?' || plain_letter(*pattern) == plain_letter(*text)) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star + 1;
			text = ++again;
		} else {
			return 0;
		}
	}
	return !pattern[strspn(pattern, "*")];
}

int is_short(const char *text)
{
	return strlen(text) < 3 && !strpbrk(text, "*?");
}

char *pattern_of(const char *text)
{
	return strpbrk(text, "*?") ? printed("%s", text) : printed("*%s*", text);
}
