/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lookup_like.c -- RISC-V events by a substring or a glob of their names.
 */
#include "lookup.h"
#include "text/text.h"

#define NAMED 4u /* events named if none is counted */

/* Compares each name with the glob. An event is listed once, under its first matching name. */
struct search {
	const struct pmumap *map;
	const struct events *events;
	const char *query;
	char *pattern;
	struct likes *likes;
};

static int is_taken(const struct likes *likes, const struct answer *a)
{
	for (uint32_t i = 0; i < likes->count; i++) {
		if (likes->list[i].event == a->event && likes->list[i].data == a->data)
			return 1;
	}
	return 0;
}

static void compare(void *arg, const char *name)
{
	struct search *s = arg;
	struct likes *likes = s->likes;
	struct answer a;

	if (!is_like(name, s->pattern))
		return;
	a = ask(s->map, s->events, name);
	if (!a.known || is_taken(likes, &a))
		return;
	a.match = escaped(name, "");
	a.query = s->query;
	likes->list = grow(likes->list, likes->count, sizeof(a));
	likes->list[likes->count++] = a;
}

/* Sorts counted events first, then by number. */
static int by_event(const void *left, const void *right)
{
	const struct answer *a = left, *b = right;

	if (found(a) != found(b))
		return found(a) ? -1 : 1;
	if (a->event != b->event)
		return a->event < b->event ? -1 : 1;
	return a->data < b->data ? -1 : a->data > b->data;
}

struct likes find_likes(const struct pmumap *map, const struct events *events, const char *query)
{
	struct likes likes = { .query = query };
	struct search s = { map, events, query, NULL, &likes };

	if (is_short(query))
		return likes;
	s.pattern = pattern_of(query);
	for (size_t i = 0; i < events->count; i++)
		compare(&s, events->list[i].name);
	each_event_name(compare, &s);
	free(s.pattern);
	if (likes.count)
		qsort(likes.list, likes.count, sizeof(*likes.list), by_event);
	while (likes.counted < likes.count && found(&likes.list[likes.counted]))
		likes.counted++;
	return likes;
}

void put_likes(const struct likes *likes)
{
	uint32_t i;

	if (likes->counted == likes->count)
		return;
	put_escaped(stdout, likes->query, 0);
	if (likes->counted) {
		printf(": %" PRIu32 " of %" PRIu32 " matching events are counted\n", likes->counted,
		       likes->count);
		return;
	}
	fputs(": nothing counts", stdout);
	for (i = 0; i < likes->count && i < NAMED; i++)
		printf("%s %s", i ? "," : "", likes->list[i].match);
	if (i < likes->count)
		printf(" and %" PRIu32 " more", likes->count - i);
	putchar('\n');
}

void unload_likes(struct likes *likes)
{
	for (uint32_t i = 0; i < likes->count; i++)
		free(likes->list[i].match);
	free(likes->list);
}
