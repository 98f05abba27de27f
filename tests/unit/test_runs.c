/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Runs of pmumap_event_next(), asked for at every place where one can begin or end: the limits of
 * the index, of event types, and of each row.
 */
#include "support.h"

/* Limits of SBI's events, of the index, and of codes. */
static const uint32_t borders[] = { 0, 0x40, 0xffff, 0x10000, 0x1003f, 0x10040, 0x20000, 0xf0000 };
#define BORDERS ((uint32_t)(sizeof(borders) / sizeof(borders[0])))

struct edges {
	uint32_t n;
	uint32_t at[4096]; /* sorted; answers may differ before and after each of them */
};

static void edge(struct edges *e, uint32_t event)
{
	uint32_t i;

	if (event >= MODEL_EVENTS)
		return;
	for (i = e->n; i && e->at[i - 1] > event; i--)
		;
	if (i && e->at[i - 1] == event)
		return;
	if (!CHECK(e->n < sizeof(e->at) / sizeof(e->at[0])))
		return;
	memmove(&e->at[i + 1], &e->at[i], (e->n - i) * sizeof(e->at[0]));
	e->at[i] = event;
	e->n++;
}

static void edges_of(struct edges *e, const struct model *m)
{
	uint32_t i;

	e->n = 0;
	for (i = 0; i < BORDERS; i++)
		edge(e, borders[i]);
	for (i = 0; i < m->selectors; i++) {
		edge(e, m->selector[i].event);
		edge(e, m->selector[i].event + 1);
	}
	for (i = 0; i < m->ranges; i++) {
		edge(e, m->range[i].first);
		edge(e, m->range[i].last + 1);
	}
}

/* The rows' answer for an event. */
static struct pmumap_run answer(const struct model *m, uint32_t event)
{
	struct pmumap_run a = { event, event, model_counters(m, event), 0, 0 };

	a.has_selector = (uint32_t)model_selector(m, event, &a.selector);
	return a;
}

static int alike(const struct pmumap_run *a, const struct pmumap_run *b)
{
	return a->counters == b->counters && a->has_selector == b->has_selector &&
	       (!a->has_selector || a->selector == b->selector);
}

/*
 * The first event from this one on with an answer, and the last one that follows with the same
 * answer. A run may end earlier, at a limit.
 */
static uint32_t right(const struct pmumap *map, const struct model *m, const struct edges *e,
		      uint32_t from)
{
	struct pmumap_run run, want = { from, 0, 0, 0, 0 }, next;
	uint32_t i = 0, last, border = 0;
	int found = pmumap_event_next(map, from, &run);

	want = answer(m, from);
	while (i < e->n && e->at[i] <= from)
		i++;
	while (!want.counters && !want.has_selector && i < e->n)
		want = answer(m, e->at[i++]);
	if (!want.counters && !want.has_selector)
		return !found;
	if (!found || run.first != want.first || !alike(&run, &want))
		return 0;
	for (; i < e->n; i++) {
		next = answer(m, e->at[i]);
		if (!alike(&next, &want))
			break;
	}
	last = (i < e->n ? e->at[i] : MODEL_EVENTS) - 1;
	for (i = 0; i < BORDERS; i++)
		border |= run.last + 1 == borders[i];
	return run.last == last || (run.last < last && run.last >= run.first && border);
}

static void at_edges(const struct pmumap *map, const struct model *m)
{
	static struct edges e;
	uint32_t i, good = 0, n = 0;

	edges_of(&e, m);
	for (i = 0; i < 3 * e.n; i++) {
		uint32_t from = e.at[i / 3] + i % 3 - 1;

		if (from < MODEL_EVENTS) {
			good += right(map, m, &e, from);
			n++;
		}
	}
	CHECK_EQ(good, n);
}

static void board(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	struct pmumap *map = build_tree(fdt, size, 0, NULL, &status);
	struct model m;

	CHECK_EQ(status, PMUMAP_OK);
	model_init(&m);
	CHECK(model_read(&m, fdt, 0));
	at_edges(map, &m);
	free(map);
	model_free(&m);
}

/* Two rows that meet anywhere near a limit, and a selector at the end of the first. */
static void rows_that_meet(void)
{
	uint32_t a, b, i;

	test_now = "rows that meet";
	for (i = 0; i < 4 * BORDERS * BORDERS * 4; i++) {
		struct pmumap *map;
		struct model m;

		a = borders[i / 4 % BORDERS] + i % 4 - 2;
		b = borders[i / 4 / BORDERS % BORDERS] + i / 4 / BORDERS / BORDERS - 2;
		if (a > b || b > 0xf0000)
			continue;
		model_init(&m);
		model_add_counters(&m, a, b, 8);
		model_add_counters(&m, b + 1, b + 1 + i % 3, 0x10);
		if (i % 5 == 0)
			model_add_selector(&m, b, 0x77);
		map = build_rows(&m);
		at_edges(map, &m);
		free(map);
		model_free(&m);
	}
}

/* A guest's grant ends exactly where its range does. */
static void grants(void)
{
	uint32_t i;

	test_now = "grants";
	for (i = 0; i < 5 * BORDERS; i++) {
		uint32_t last = borders[i / 5] + i % 5 - 2;
		struct pmumap_range range = { last > 0x100 ? last - 0x100 : 0, last };
		struct pmumap_grant grant = { ~0u, 1, &range };
		uint64_t block[256];
		const struct pmumap *part;
		struct model all, m;
		struct pmumap *map;

		if (last >= PMUMAP_EVENT_RAW)
			continue;
		model_init(&all);
		model_add_counters(&all, 0, 0x1ffff, 0x18);
		map = build_rows(&all);
		CHECK_EQ(pmumap_restrict(map, &grant, block, sizeof(block), &part), PMUMAP_OK);
		model_init(&m);
		model_add_counters(&m, range.first, last, 0x18);
		if (part)
			at_edges(part, &m);
		free(map);
		model_free(&m);
		model_free(&all);
	}
}

int main(void)
{
	CHECK(each_riscv_board(board) >= 16);
	each_file("build/corpus/*.dtb", board);
	rows_that_meet();
	grants();
	return test_summary();
}
