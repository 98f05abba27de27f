/* SPDX-License-Identifier: BSD-2-Clause */
#include <ctype.h>
#include "tokens.h"

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
	if (begins_with(at, end, "&{") && !for_cpp)
		return path_end(at, end);
	for (at++; at < end && *at != '/' && *at != '"' && *at != '\'' && *at != '&' && *at != '#';)
		at++;
	return at;
}
