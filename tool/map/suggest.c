/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <strings.h>
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

/* The edit distance: letters inserted, removed, replaced or exchanged with the next one. */
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
	return *n->best ? brief(" (did you mean %.40s?)", n->best) : brief("%s", "");
}

int perf_parses(const char *name)
{
	static const char *const heads[] = {
		"r0x",           "L1-icache-store", "iTLB-store",
		"iTLB-prefetch", "branch-store",    "branch-prefetch"
	};

	for (size_t i = 0; i < LENGTH(heads); i++) {
		if (!strncasecmp(name, heads[i], strlen(heads[i])))
			return 0;
	}
	return 1;
}

void each_perf_event(void (*use)(void *arg, const char *name), void *arg)
{
	static const char *const hardware[] = { "cycles",
						"instructions",
						"cache-references",
						"cache-misses",
						"branches",
						"branch-misses",
						"bus-cycles",
						"stalled-cycles-frontend",
						"stalled-cycles-backend",
						"ref-cycles" };
	static const char *const caches[] = { "L1-dcache", "L1-icache", "LLC", "dTLB",
					      "iTLB",      "branch",    "node" };
	static const char *const parts[] = { "loads",        "load-misses", "stores",
					     "store-misses", "prefetches",  "prefetch-misses" };
	char name[WORD_LIMIT];

	for (size_t h = 0; h < LENGTH(hardware); h++)
		use(arg, hardware[h]);
	for (size_t c = 0; c < LENGTH(caches); c++) {
		for (size_t p = 0; p < LENGTH(parts); p++) {
			snprintf(name, sizeof(name), "%s-%s", caches[c], parts[p]);
			use(arg, name);
		}
	}
}

void each_event_name(void (*use)(void *arg, const char *name), void *arg)
{
	char name[WORD_LIMIT];

	each_perf_event(use, arg);
	for (uint32_t e = 1; e < PMUMAP_EVENT_FIRMWARE + 22; e++) {
		const char *sbi = pmumap_event_valid(e) ? pmumap_event_name(e) : NULL;

		if (e == 0x10040)
			e = PMUMAP_EVENT_FIRMWARE - 1;
		if (!sbi)
			continue;
		snprintf(name, sizeof(name), "%s", sbi + strlen("SBI_PMU_HW_"));
		for (char *c = name; *c; c++)
			*c = plain_letter(*c);
		use(arg, name);
		use(arg, sbi);
	}
}

static void consider_name(void *nearest, const char *name)
{
	consider(nearest, name);
}

struct nearest nearest_event(const char *word)
{
	struct nearest n = nearest_to(word);

	each_event_name(consider_name, &n);
	return n;
}

/* The length of the event before its modifier, as in "cycles:u"; 0: there is no modifier. */
static size_t before_modifier(const char *word)
{
	const char *colon = strrchr(word, ':');

	return colon && colon[1] && !colon[1 + strspn(colon + 1, "ukhpPGHISDWeb")]
		       ? (size_t)(colon - word)
		       : 0;
}

/* True if the list, with a blank around each word, has this word. */
static int is_listed(const char *list, const char *word, size_t length)
{
	char padded[WORD_LIMIT + 2];

	if (length >= WORD_LIMIT)
		return 0;
	snprintf(padded, sizeof(padded), " %.*s ", (int)length, word);
	return strstr(list, padded) != NULL;
}

enum software software_event(const char *name)
{
	size_t tail = before_modifier(name), length = tail ? tail : strlen(name);

	if (is_listed(" duration_time user_time system_time ", name, length))
		return SOFTWARE_OF_PERF;
	if (is_listed(" context-switches cs cpu-migrations migrations cgroup-switches ", name,
		      length))
		return SOFTWARE_IN_KERNEL;
	return is_listed(" cpu-clock task-clock page-faults faults minor-faults major-faults"
			 " alignment-faults emulation-faults bpf-output dummy ",
			 name, length)
		       ? SOFTWARE
		       : SOFTWARE_NOT;
}

struct same {
	const char *name;
	int found;
};

static void compare_name(void *same, const char *name)
{
	struct same *s = same;

	s->found |= !strcasecmp(s->name, name);
}

int is_perfs_own(const char *name)
{
	static const char others[] =
		" cpu-cycles branch-instructions idle-cycles-frontend idle-cycles-backend"
		" config config1 config2 config3 name period freq branch_type time call-graph"
		" stack-size max-stack nr inherit no-inherit overwrite no-overwrite driver-config"
		" percore aux-output aux-sample-size metric-id raw ";
	struct same s = { .name = name };
	char lower[WORD_LIMIT];
	size_t length = strlen(name);

	if (length >= sizeof(lower))
		return 0;
	for (size_t i = 0; i <= length; i++)
		lower[i] = (char)tolower((unsigned char)name[i]);
	each_perf_event(compare_name, &s);
	return s.found || software_event(lower) || is_listed(others, lower, length);
}

/* A hint for perf events that no RISC-V PMU counts. NULL: the word is not one of them. */
static const char *foreign_event(const char *word)
{
	static const char others[] = " mem-loads mem-stores mem-loads-aux slots topdown-retiring"
				     " topdown-bad-spec topdown-fe-bound topdown-be-bound ";

	return software_event(word)                    ? "; " COUNTED_BY_LINUX
	       : is_listed(others, word, strlen(word)) ? "; perf has it on other architectures only"
						       : NULL;
}

struct text hint_of(const char *word)
{
	size_t length = before_modifier(word);
	const char *foreign = foreign_event(word);
	struct nearest n;
	uint32_t event;
	uint64_t data;

	if (is_standard(word))
		return (struct text){ "; its code is the core's, in the file of --events" };
	if (foreign)
		return brief("%s", foreign);
	if (!strncmp(word, "cpu/", 4))
		return (struct text){ "; cpu/.../ takes an event, or event=0x5,firmware=2" };
	if (*word == 'r' && isdigit((unsigned char)word[1]))
		return (struct text){ "; a raw event is r and at most 14 hexadecimal digits" };
	if (!strncmp(word, "raw", 3))
		return (struct text){ "; a raw event has at most 56 bits (raw-v2:), or 48 (raw:)" };
	if (length && pmumap_event_parse(word, length, &event, &data))
		return (struct text){ "; write the event without modifiers such as :u" };
	if (strpbrk(word, "*?"))
		return (struct text){ "; only lookup takes globs" };
	n = nearest_event(word);
	return meant(&n);
}
