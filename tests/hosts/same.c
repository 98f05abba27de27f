/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The builders and look-ups that files in hosts/ put in place of pmumap's: random rows must give the
 * same answers. Compiled once with pmumap.h and once with a host's header, HEADER. SBI_EVENTS: the
 * host asks only for events with an index byte, and gets no answer for others. RAW: it has raw rows.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include HEADER

#define ROWS 200u
#define QUESTIONS 400u
#define MAPS 500u

struct row {
	uint32_t table, first, last, counters;
	uint64_t select, mask;
};

struct answer {
	uint64_t selector;
	uint32_t counters, raw;
};

typedef void answer_fn(const struct row *rows, uint32_t n, const uint64_t *questions,
		       struct answer *answers);

/* Builds a map in so many bytes, and no byte more. Returns a copy of exactly its size, or NULL. */
static struct pmumap *build(const struct row *rows, uint32_t n, size_t bytes)
{
	void *block = malloc(bytes);
	struct pmumap *copy = NULL;
	const struct pmumap *m;
	struct pmumap_builder b;
	uint32_t i;

	pmumap_begin(&b, block, bytes);
	for (i = 0; i < n; i++) {
#ifdef RAW
		if (rows[i].table == 2)
			pmumap_add_raw(&b, rows[i].select, rows[i].mask, rows[i].counters);
		if (rows[i].table == 1)
			pmumap_add_selector(&b, rows[i].first, rows[i].select);
#endif
		if (rows[i].table == 0)
			pmumap_add_counters(&b, rows[i].first, rows[i].last, rows[i].counters);
	}
	if (pmumap_finish(&b, &m) == PMUMAP_OK) {
		copy = malloc(pmumap_size(m));
		memcpy(copy, m, pmumap_size(m));
	}
	free(block);
	return copy;
}

/* Each answer of the map, built in the smallest block that the builder accepts. */
static void answer_all(const struct row *rows, uint32_t n, const uint64_t *questions,
		       struct answer *answers)
{
	size_t most = (3600u + 72u * n) / 8, least = 0;
	struct pmumap *m = build(rows, n, most * 8);
	uint32_t i;

	while (least + 1 < most) {
		const size_t middle = (least + most) / 2;
		struct pmumap *smaller = build(rows, n, middle * 8);

		if (smaller) {
			free(m);
			m = smaller;
			most = middle;
		} else {
			least = middle;
		}
	}
	memset(answers, 0, QUESTIONS * sizeof(*answers));
	for (i = 0; m && i < QUESTIONS; i++) {
		const uint32_t event = (uint32_t)questions[i];

		if (!pmumap_selector(m, event, &answers[i].selector))
			answers[i].selector = 0;
		answers[i].counters = pmumap_counters(m, event);
#ifdef RAW
		answers[i].raw = pmumap_raw_counters(m, questions[i]);
#endif
	}
	free(m);
}

extern answer_fn answer_host;

#ifdef HOST
void answer_host(const struct row *rows, uint32_t n, const uint64_t *questions,
		 struct answer *answers)
{
	answer_all(rows, n, questions, answers);
}
#else
static uint64_t state = 1;

static uint32_t below(uint32_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % n;
}

/* Mostly an event of SBI. */
static uint32_t event(void)
{
	return (below(2) ? 0x10000u : 0) + below(below(4) ? 0x40 : 0xf0000);
}

/* tables: 3 or more, or the number of the only one. */
static void random_row(struct row *r, uint32_t tables)
{
	static const uint64_t masks[] = { ~(uint64_t)0, 0xffffffff, 0xff, ~(uint64_t)0xf, 0xf0f };

	r->table = tables < 3 ? tables : below(3);
	r->first = event();
	r->last = r->first + (below(3) ? below(8) : below(0x20000));
	r->counters = 1u << below(32) | below(0x7fffffff);
	r->mask = masks[below(5)];
	r->select = below(0x1000) & (below(20) ? r->mask : ~(uint64_t)0);
}

/* Whether both give the same answers for n random rows. */
static int is_same(uint32_t n)
{
	static struct answer want[QUESTIONS], got[QUESTIONS];
	struct row rows[ROWS];
	uint64_t questions[QUESTIONS];
	const uint32_t tables = below(6);
	uint32_t i;

	for (i = 0; i < n; i++)
		random_row(&rows[i], tables);
	for (i = 0; i < QUESTIONS; i++)
		questions[i] = below(4) ? event() : below(0x1000);
	answer_all(rows, n, questions, want);
	answer_host(rows, n, questions, got);
#ifdef SBI_EVENTS
	for (i = 0; i < QUESTIONS; i++) {
		if ((questions[i] & ~(uint64_t)0x1003f) != 0)
			want[i].selector = want[i].counters = 0;
	}
#endif
	return memcmp(want, got, sizeof(want)) == 0;
}

int main(void)
{
	uint32_t i, same = 0;

	for (i = 0; i < MAPS; i++)
		same += (uint32_t)is_same(below(ROWS + 1));
	printf("%u passed, %u failed\n", same, MAPS - same);
	return same != MAPS;
}
#endif
