/* SPDX-License-Identifier: BSD-2-Clause */
#include "suggest.h"
#include "text/text.h"

#define MODIFIERS "ukhGHIpPSDWeb" /* the last seven control sampling and grouping */

/* Reads the number after "WORD=". Returns 0 if the word differs, or no number follows. */
static int read_term(const char *term, size_t length, const char *word, uint64_t *value)
{
	size_t head = strlen(word);
	char number[24];

	if (length <= head || length - head >= sizeof(number) || strncmp(term, word, head))
		return 0;
	snprintf(number, sizeof(number), "%.*s", (int)(length - head), term + head);
	return read_number(number, UINT64_MAX, value);
}

/* A raw code as perf writes it: bits 62 and 63 select the kind. */
static int parse_config(uint64_t config, uint32_t *event, uint64_t *data)
{
	char raw[24];

	snprintf(raw, sizeof(raw), "r%" PRIx64, config);
	return pmumap_event_parse(raw, strlen(raw), event, data);
}

/*
 * Reads the terms between the slashes: one name, or event=N, firmware=N or config=N; name=... is
 * ignored.
 */
static int parse_terms(const struct events *events, const char *text, size_t length,
		       uint32_t *event, uint64_t *data)
{
	const char *end = text + length;
	uint64_t config = 0, value;
	int terms = 0, names = 0;

	while (text < end) {
		size_t term = strcspn(text, ",/");

		if (read_term(text, term, "event=", &value) ||
		    read_term(text, term, "config=", &value)) {
			config |= value;
			terms++;
		} else if (read_term(text, term, "firmware=", &value) && value < 4) {
			config |= value << 62;
			terms++;
		} else if (strncmp(text, "name=", 5)) {
			names++;
			if (!parse_event(events, text, term, event, data))
				return 0;
		}
		text += term + 1;
	}
	return terms ? !names && parse_config(config, event, data) : names == 1;
}

/* Some of the letters are there, so the others are excluded. */
static unsigned without(const char *letters, const char *text, size_t length, unsigned first)
{
	unsigned excluded = 0, all = 0;

	for (; *letters; letters++, first <<= 1) {
		all |= first;
		excluded |= memchr(text, *letters, length) ? 0 : first;
	}
	return excluded == all ? 0 : excluded;
}

/* The number of modifier letters at the end. */
static size_t count_modifiers(const char *text, size_t length)
{
	size_t n = 0;

	while (n < length && strchr(MODIFIERS, text[length - 1 - n]))
		n++;
	return n;
}

static unsigned excluded_by(const char *letters, size_t length)
{
	return without("ukh", letters, length, EXCLUDE_USER) |
	       without("GH", letters, length, EXCLUDE_GUEST) |
	       (memchr(letters, 'I', length) ? EXCLUDE_IDLE : 0);
}

int parse_spelling(const struct events *events, const char *text, size_t length, uint32_t *event,
		   uint64_t *data, unsigned *excluded)
{
	uint64_t code;
	size_t tail;

	*excluded = 0;
	if (parse_event(events, text, length, event, data))
		return 1;
	tail = count_modifiers(text, length);
	*excluded = excluded_by(text + length - tail, tail);
	length -= tail;
	if (length > 5 && !strncmp(text, "cpu/", 4) && text[length - 1] == '/')
		return parse_terms(events, text + 4, length - 5, event, data);
	if (tail && length && text[length - 1] == ':')
		length--;
	else
		length += tail;
	if (text[length] != ':')
		*excluded = 0;
	return parse_event(events, text, length, event, data) ||
	       (!strncmp(text, "r0x", 3) && read_term(text, length, "r", &code) &&
		parse_config(code, event, data));
}

/* A query ends at a comma, unless the comma is between the slashes of cpu/.../. */
static const char *end_of_query(const char *at)
{
	at += *at == '{';
	if (!strncmp(at, "cpu/", 4))
		at += 4 + strcspn(at + 4, "/");
	return at + strcspn(at, ",");
}

static void add_query(struct queries *queries, const char *at, const char *end)
{
	at += *at == '{';
	end -= end > at && end[-1] == '}';
	queries->list = grow(queries->list, (size_t)queries->count, sizeof(*queries->list));
	queries->list[queries->count++] = printed("%.*s", (int)(end - at), at);
}

struct queries split_queries(char *const *args, int count)
{
	struct queries queries = { 0 };

	for (int i = 0; i < count; i++) {
		const char *at = args[i], *end = end_of_query(at);

		for (; *end; at = end + 1, end = end_of_query(at))
			add_query(&queries, at, end);
		add_query(&queries, at, end);
	}
	return queries;
}

void unload_queries(struct queries *queries)
{
	for (int i = 0; i < queries->count; i++)
		free(queries->list[i]);
	free(queries->list);
}
