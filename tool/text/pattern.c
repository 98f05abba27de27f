/* SPDX-License-Identifier: BSD-2-Clause */
#include <ctype.h>
#include "output.h"
#include "pattern.h"

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
	size_t room = strlen(text) + 3;
	char *pattern = reallocate(NULL, room, 1);

	snprintf(pattern, room, strpbrk(text, "*?") ? "%s" : "*%s*", text);
	return pattern;
}
