/* SPDX-License-Identifier: BSD-2-Clause */
#include <ctype.h>
#include "map.h"
#include "suggest.h"

struct nearest nearest_to(const char *word)
{
	size_t length = strlen(word);

	return (struct nearest){ .word = word,
				 .distance = length < 3 ? 2 : (unsigned)length / 3 + 1 };
}

static char plain_letter(char c)
{
	return c == '_' ? '-' : (char)tolower((unsigned char)c);
}

/* How many letters are to be inserted, removed, replaced or exchanged with the next one. */
static unsigned letters_apart(const char *a, const char *b)
{
	unsigned rows[3][WORD_LIMIT + 1];
	size_t length = strlen(b);

	if (strlen(a) >= WORD_LIMIT || length >= WORD_LIMIT)
		return WORD_LIMIT;
	for (unsigned j = 0; j <= length; j++)
		rows[0][j] = j;
	for (unsigned i = 1; a[i - 1]; i++) {
		unsigned *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];

		now[0] = i;
		for (unsigned j = 1; j <= length; j++) {
			char x = plain_letter(a[i - 1]), y = plain_letter(b[j - 1]);
			unsigned cost = last[j - 1] + (x != y);

			cost = last[j] + 1 < cost ? last[j] + 1 : cost;
			cost = now[j - 1] + 1 < cost ? now[j - 1] + 1 : cost;
			if (i > 1 && j > 1 && x == plain_letter(b[j - 2]) &&
			    plain_letter(a[i - 2]) == y && before[j - 2] + 1 < cost)
				cost = before[j - 2] + 1;
			now[j] = cost;
		}
	}
	return rows[strlen(a) % 3][length];
}

void consider(struct nearest *n, const char *candidate)
{
	unsigned distance = letters_apart(n->word, candidate);

	if (distance >= n->distance)
		return;
	n->distance = distance;
	snprintf(n->best, sizeof(n->best), "%s", candidate);
}

struct text meant(const struct nearest *n)
{
	struct text hint = { "" };

	if (*n->best)
		snprintf(hint.s, sizeof(hint.s), " (did you mean %.40s?)", n->best);
	return hint;
}

struct nearest nearest_event(const char *word)
{
	static const char *const caches[] = { "L1-dcache", "L1-icache", "LLC", "dTLB",
					      "iTLB",      "branch",    "node" };
	static const char *const parts[] = { "loads",        "load-misses", "stores",
					     "store-misses", "prefetches",  "prefetch-misses" };
	struct nearest n = nearest_to(word);
	char name[WORD_LIMIT];

	consider(&n, "cycles");
	consider(&n, "branches");
	for (size_t c = 0; c < LENGTH(caches); c++) {
		for (size_t p = 0; p < LENGTH(parts); p++) {
			snprintf(name, sizeof(name), "%s-%s", caches[c], parts[p]);
			consider(&n, name);
		}
	}
	for (uint32_t e = 1; e < PMUMAP_EVENT_FIRMWARE + 22; e++) {
		const char *sbi = pmumap_event_valid(e) ? pmumap_event_name(e) : NULL;

		if (e == 0x10040)
			e = PMUMAP_EVENT_FIRMWARE - 1;
		if (!sbi)
			continue;
		consider(&n, sbi);
		snprintf(name, sizeof(name), "%s", sbi + strlen("SBI_PMU_HW_"));
		for (char *c = name; *c; c++)
			*c = plain_letter(*c);
		consider(&n, name);
	}
	return n;
}

/* "cycles:u": the event without its modifier. */
static int has_modifier(const char *word)
{
	const char *colon = strrchr(word, ':');

	return colon && colon[1] && !colon[1 + strspn(colon + 1, "ukhpPGHISDWeb")];
}

struct text hint_of(const char *word)
{
	struct nearest n;

	if (!strncmp(word, "cpu/", 4))
		return (struct text){ "; write the event alone, without cpu/ and /" };
	if (!strncmp(word, "r0x", 3))
		return (struct text){ "; a raw event is r and its digits, as r1801, without 0x" };
	if (*word == 'r' && isdigit((unsigned char)word[1]))
		return (struct text){ "; a raw event is r and at most 14 hexadecimal digits" };
	if (!strncmp(word, "raw", 3))
		return (struct text){ "; a raw event has at most 56 bits (raw-v2:), or 48 (raw:)" };
	if (has_modifier(word))
		return (struct text){ "; write the event without modifiers, as :u" };
	if (strpbrk(word, "*?"))
		return (struct text){ "; patterns are for IMC only, pmumap show lists events" };
	n = nearest_event(word);
	return meant(&n);
}
