/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A contest: candidates answer the same questions about one table. Contests take turns, and so do
 * the candidates within each. Answers are compared before timing. Every round has new keys; every
 * look-up is a call.
 */
#ifndef MATCH_H
#define MATCH_H

#include <dlfcn.h>
#include "bench.h"

#if defined(__has_include)
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif
#endif

#define ROUNDS 31
#define CALLS 2048u
#define SAMPLE_NS 60000.0 /* a sample of a slow candidate has fewer calls */
#define MAX_CANDIDATES 12

enum { HITS, MISSES, MIXED, KINDS };

static const char *const kind_name[] = { "hits", "misses", "mixed" };

/* A key is a number or the address of one. */
typedef uint64_t look_fn(const void *structure, uint64_t key);
typedef uint64_t key_fn(const void *table, uint32_t number, int hit);

/* For a candidate; 0: a peer that answers like pmumap. */
enum {
	OURS = 1,
	FIRST = 2, /* a peer that stops at the first match: a subset of the union's bits */
	FLOOR = 4, /* no competitor; answers are not compared */
	PLACES = 8 /* gets row numbers instead of keys */
};

struct candidate {
	const char *name;
	look_fn *look;
	const void *structure;
	unsigned flags;
	uint32_t calls;
	double ns[KINDS][MODES][ROUNDS];
};

struct contest {
	const char *lookup;
	char table[48];
	uint32_t rows;
	int number;
	key_fn *key;
	const void *keys_of;
	struct candidate *candidate;
	int candidates;
};

static struct contest *contests;
static int n_contests;
static uint64_t contest_keys[CALLS], contest_places[CALLS];

static inline struct contest *new_contest(const char *lookup, const char *table, uint32_t rows,
					  key_fn *key, const void *keys_of)
{
	struct contest *c;

	contests = realloc(contests, (size_t)(n_contests + 1) * sizeof(*contests));
	if (!contests)
		die("no memory", table);
	c = &contests[n_contests++];
	memset(c, 0, sizeof(*c));
	c->number = n_contests;
	c->lookup = lookup;
	snprintf(c->table, sizeof(c->table), "%s", table);
	c->rows = rows;
	c->key = key;
	c->keys_of = keys_of;
	c->candidate = need_memory(MAX_CANDIDATES * sizeof(*c->candidate));
	return c;
}

static inline void enter(struct contest *c, const char *name, look_fn *look, const void *structure,
			 unsigned flags)
{
	struct candidate *to = &c->candidate[c->candidates++];

	if (c->candidates > MAX_CANDIDATES)
		die("too many candidates", c->table);
	to->name = name;
	to->look = look;
	to->structure = structure;
	to->flags = flags;
	to->calls = CALLS;
}

static inline void new_keys(const struct contest *c, int kind)
{
	uint32_t i;

	for (i = 0; i < CALLS; i++) {
		int hit = kind == MIXED ? (int)(rng() >> 63) : kind == HITS;

		contest_keys[i] = c->key(c->keys_of, i, hit);
		contest_places[i] = below(c->rows < CALLS ? c->rows : CALLS);
	}
}

static inline const uint64_t *keys_for(const struct candidate *c)
{
	return c->flags & PLACES ? contest_places : contest_keys;
}

static inline double sample(const struct candidate *c, const uint64_t *keys, int mode)
{
	uint64_t zero = opaque_zero, last = 0, total = 0;
	const void *structure = c->structure;
	look_fn *look = c->look;
	double start = now(), end;
	uint32_t i, n = c->calls;

	if (mode == THROUGHPUT) {
		for (i = 0; i < n; i++)
			total += look(structure, keys[i]);
	} else {
		for (i = 0; i < n; i++)
			last = look(structure, keys[i] ^ (last & zero));
	}
	end = now();
	opaque_sum = total + last;
	return (end - start) / n;
}

static inline int agree(const struct candidate *c, uint64_t ours, uint64_t theirs)
{
	if (c->flags & FLOOR)
		return 1;
	return c->flags & FIRST ? (theirs & ~ours) == 0 && !theirs == !ours : theirs == ours;
}

/* The first candidate is pmumap. Also finds how many calls make a sample. */
static inline void verify(struct contest *c)
{
	int kind, i;
	uint32_t n;

	for (kind = 0; kind < KINDS; kind++) {
		new_keys(c, kind);
		for (i = 1; i < c->candidates; i++) {
			struct candidate *them = &c->candidate[i];
			double start = now(), ns;
			uint32_t fit;

			for (n = 0; n < CALLS && now() - start < 4e6; n++) {
				uint64_t ours = c->candidate[0].look(c->candidate[0].structure,
								     contest_keys[n]);

				if (!agree(them, ours,
					   them->look(them->structure, keys_for(them)[n])))
					die("the answers differ", c->table);
			}
			ns = (now() - start) / n;
			fit = ns * CALLS < SAMPLE_NS ? CALLS : (uint32_t)(SAMPLE_NS / ns) + 16;
			them->calls = fit < them->calls ? fit : them->calls;
		}
	}
}

static inline void one_round(struct contest *c, int turn)
{
	int kind, mode, i;

	for (kind = 0; kind < KINDS; kind++) {
		for (mode = 0; mode < MODES; mode++) {
			new_keys(c, kind);
			for (i = 0; i < c->candidates; i++) {
				struct candidate *now_it =
					&c->candidate[(i + turn) % c->candidates];

				now_it->ns[kind][mode][turn] =
					sample(now_it, keys_for(now_it), mode);
			}
		}
	}
}

/* ---- reports ---- */

static inline double median(const struct candidate *c, int kind, int mode)
{
	return c->ns[kind][mode][ROUNDS / 2];
}

static inline void print_lines(struct contest *c)
{
	int i, kind, mode;

	for (i = 0; i < c->candidates; i++) {
		struct candidate *it = &c->candidate[i];

		for (kind = 0; kind < KINDS; kind++) {
			for (mode = 0; mode < MODES; mode++) {
				double *ns = it->ns[kind][mode];

				qsort(ns, ROUNDS, sizeof(*ns), ascending);
				printf("Benchmark%s/table=%s/rows=%u/keys=%s/impl=%s/mode=%s %u "
				       "%.2f ns/op %.2f min-ns/op %.2f p90-ns/op\n",
				       c->lookup, c->table, c->rows, kind_name[kind], it->name,
				       mode_name[mode], it->calls * ROUNDS, ns[ROUNDS / 2], ns[0],
				       ns[ROUNDS * 9 / 10]);
			}
		}
	}
}

static inline void print_row(const struct contest *c)
{
	int i;

	printf("%-10s %-24s", c->lookup, c->table);
	for (i = 0; i < c->candidates; i++) {
		char cell[40];

		snprintf(cell, sizeof(cell), "%.*f / %.*f",
			 median(&c->candidate[i], MIXED, THROUGHPUT) < 99.5, /* decimals */
			 median(&c->candidate[i], MIXED, THROUGHPUT),
			 median(&c->candidate[i], MIXED, LATENCY) < 99.5,
			 median(&c->candidate[i], MIXED, LATENCY));
		printf(" %15s", cell);
	}
	printf("\n");
}

static inline int same_candidates(const struct contest *a, const struct contest *b)
{
	int i;

	for (i = 0; i < a->candidates && a->candidates == b->candidates; i++) {
		if (strcmp(a->candidate[i].name, b->candidate[i].name))
			return 0;
	}
	return a->candidates == b->candidates;
}

static inline void print_table(void)
{
	int i, j;

	printf("\nmedian ns, throughput / latency; half of the keys are hits\n");
	for (i = 0; i < n_contests; i++) {
		const struct contest *c = &contests[i];

		if (!i || c->lookup != c[-1].lookup || !same_candidates(c, c - 1)) {
			printf("\n%-10s %-24s", "look-up", "table");
			for (j = 0; j < c->candidates; j++)
				printf(" %15s", c->candidate[j].name);
			printf("\n");
		}
		print_row(c);
	}
}

/* Prints where a peer's median is better, for any kind of keys. Returns how often. */
static inline int print_lost(int mode)
{
	int i, j, kind, lost = 0, cases = 0;

	printf("\n%s: where a peer is faster\n", mode_name[mode]);
	for (i = 0; i < n_contests; i++) {
		const struct candidate *c = contests[i].candidate;

		for (kind = 0; kind < KINDS; kind++) {
			for (j = 1; j < contests[i].candidates; j++) {
				double ours = median(c, kind, mode),
				       theirs = median(c + j, kind, mode);

				if (c[j].flags & (FLOOR | OURS))
					continue;
				cases++;
				if (ours <= theirs)
					continue;
				lost++;
				printf("  %-10s %-24s %-7s %8.2f ns, %s %.2f\n", contests[i].lookup,
				       contests[i].table, kind_name[kind], ours, c[j].name, theirs);
			}
		}
	}
	printf("%s: a peer is faster in %d of %d cases\n", mode_name[mode], lost, cases);
	return lost;
}

static inline void compete(void)
{
	int turn, i;

	for (i = 0; i < n_contests; i++)
		verify(&contests[i]);
	for (turn = 0; turn < ROUNDS; turn++) {
		for (i = 0; i < n_contests; i++)
			one_round(&contests[i], turn);
	}
	printf("pkg: pmumap %d.%d.%d\ncompiler: %s\n", PMUMAP_VERSION_MAJOR, PMUMAP_VERSION_MINOR,
	       PMUMAP_VERSION_PATCH, __VERSION__);
	for (i = 0; i < n_contests; i++)
		print_lines(&contests[i]);
	print_table();
	print_lost(THROUGHPUT);
	print_lost(LATENCY);
	printf("\n");
}

/* ---- instructions ---- */

static NOINLINE uint64_t nothing(const void *structure, uint64_t key)
{
	(void)structure;
	return key;
}

#ifdef CALLGRIND_ZERO_STATS
#define COUNT_BEGIN_() CALLGRIND_ZERO_STATS
#define COUNT_END_(label) CALLGRIND_DUMP_STATS_AT(label)
#else
#define COUNT_BEGIN_() die("valgrind/callgrind.h was not there", "--ir")
#define COUNT_END_(label) (void)(label)
#endif

/*
 * For bench/ir.sh: callgrind's dump for each CALLS look-ups is named "call" or "iall" (an empty
 * call), then "LOOKUP TABLE KEYS IMPL CALLS".
 */
static inline void count_one(const struct contest *c, int kind, const struct candidate *it)
{
	struct candidate idle = { "nothing", nothing, NULL, 0, it->calls, { { { 0 } } } };
	char label[200];

	snprintf(label, sizeof(label), "call %s %s %s %s %u", c->lookup, c->table, kind_name[kind],
		 it->name, it->calls);
	COUNT_BEGIN_();
	sample(it, keys_for(it), THROUGHPUT);
	COUNT_END_(label);
	label[0] = 'i';
	COUNT_BEGIN_();
	sample(&idle, keys_for(it), THROUGHPUT);
	COUNT_END_(label);
}

static inline void count_all(void)
{
	int i, j, kind;

	opaque_sum = (uint64_t)now(); /* warm-up */
	for (i = 0; i < n_contests; i++) {
		struct contest *c = &contests[i];

		for (kind = 0; kind < MIXED; kind++) {
			new_keys(c, kind);
			for (j = 0; j < c->candidates; j++) {
				c->candidate[j].calls = 256;
				count_one(c, kind, &c->candidate[j]);
			}
		}
	}
}

/* ---- functions from shared objects built earlier */

/* Sets *function to SYMBOL of DIR/NAME.so, or to NULL if it is missing. */
static inline void load_function(const char *dir, const char *name, const char *symbol,
				 void *function)
{
	char path[256];
	void *object, *found;

	snprintf(path, sizeof(path), "%s/%s.so", dir, name);
	object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	found = object ? dlsym(object, symbol) : NULL;
	memcpy(function, &found,
	       sizeof(found)); /* converts an object pointer to a function pointer */
}

#endif
