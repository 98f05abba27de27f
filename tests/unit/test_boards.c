/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The binding's text as a program: model.c reads a tree's rows with libfdt and answers by scanning
 * them. On boards, every answer of every map and every finding equals the model's. On test trees and
 * 100,000 random trees, an event's selector and counters, a raw event's counters, and the runs of
 * events with one answer do.
 */
#include "support.h"
#include "fuzz/riscv_tree.h"

/* ---- runs of pmumap_event_next(), asked for wherever one can begin or end ---------------------- */

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
	uint32_t i, bad = 0;

	edges_of(&e, m);
	for (i = 0; i < 3 * e.n; i++) {
		uint32_t from = e.at[i / 3] + i % 3 - 1;

		if (from < MODEL_EVENTS) {
			bad += BROKEN("a run has all neighbours with its answer", from,
				      !right(map, m, &e, from));
		}
	}
	CHECK_EQ(bad, 0);
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

/* ---- boards ---------------------------------------------------------------------------------- */

static struct paint paint;
static struct findings findings;

static void check_encode(const struct pmumap *map, const struct model *m)
{
	uint32_t rule, i, bad = 0;

	/* And a rule that does not exist. */
	for (rule = PMUMAP_RULE_NONE; rule <= PMUMAP_RULE_ALWAYS + 1; rule++) {
		/* All codes of all SBI event types, and their neighbours. */
		for (i = 0; i < 16 * 0x102; i++) {
			uint32_t event =
				i / 0x102 << 16 | (i % 0x102 == 0x101 ? 0xffff : i % 0x102);
			uint64_t data = random64(), got = 1, want = 1;
			int found = pmumap_encode(map, event, data, rule, &got);

			bad += BROKEN(
				"mhpmevent is the selector, raw data, or by the rule the code",
				event,
				found != model_encode(m, event, data, rule, &want) || got != want);
		}
		bad += BROKEN("an event has 20 bits", rule,
			      pmumap_encode(map, MODEL_EVENTS + 1, 0, rule, &(uint64_t){ 0 }));
	}
	CHECK_EQ(bad, 0);
}

static void check_copies(const struct pmumap *map, const struct model *m)
{
	size_t size = pmumap_size(map);
	struct pmumap *copy = exact_copy(map, size);
	const struct pmumap *opened = NULL;

	CHECK_EQ(pmumap_open(copy, size, &opened), PMUMAP_OK);
	CHECK(opened == copy);
	if (opened) {
		check_events(opened, &paint);
		check_raw(opened, m, 10000);
		check_encode(opened, m);
	}
	CHECK(same_image(map, copy));
	free(copy);
}

/*
 * Every block that is too small, with and without findings: a status, no map, no byte written
 * outside.
 */
static void check_sizes(const unsigned char *fdt, size_t size)
{
	static uint64_t block[1 << 15];
	unsigned char *bytes = (unsigned char *)block;
	size_t need = 0, give, i, step = 1;
	uint32_t good = 0, n = 0;

	CHECK_EQ(pmumap_fdt_measure(fdt, size, NULL, &need), PMUMAP_OK);
	if (!CHECK(need + 64 < sizeof(block)))
		return;
	for (give = 0; give < need; give += step, n++) {
		const struct pmumap *map = (const struct pmumap *)block;

		step = give > 600 && give + 80 < need ? 61 : 1;
		memset(bytes + give, 0xa5, 64);
		findings.n = 0;
		good += pmumap_fdt_check(fdt, size, NULL, block, give, collect, &findings) ==
				PMUMAP_E_NOSPACE &&
			pmumap_fdt_build(fdt, size, NULL, block, give, &map) == PMUMAP_E_NOSPACE &&
			!map;
		for (i = 0; i < 64; i++)
			good -= bytes[give + i] != 0xa5;
	}
	CHECK_EQ(good, n);
}

static void board(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	unsigned char *before = exact_copy(fdt, size);
	struct pmumap *map = build_tree(fdt, size, 0, &findings, &status);
	struct model m;

	CHECK_EQ(status, PMUMAP_OK);
	CHECK(memcmp(fdt, before, size) == 0);
	free(before);
	model_init(&m);
	if (!CHECK(model_read(&m, fdt, 0)) || !map) {
		model_free(&m);
		return;
	}
	model_check(&m);
	check_findings(&findings, &m);
	model_paint(&m, &paint);
	check_events(map, &paint);
	CHECK_EQ(pmumap_counters(map, MODEL_EVENTS | 3), 0);
	check_raw(map, &m, quick(1000000, 20000));
	check_encode(map, &m);
	check_copies(map, &m);
	check_listing(map, &m);
	check_orders(map, &m, 100);
	at_edges(map, &m);
	check_sizes(fdt, size);
	free(map);
	model_free(&m);
}

/* ---- test trees and random trees ------------------------------------------------------------- */

#define TREES 100000u
#define INPUT 600u   /* random bytes of a tree */
#define VALUES 64u   /* raw events asked for */
#define STRIDE 0x667 /* between events that no row names */

static uint32_t trees, rows; /* compared so far */

static uint32_t ask_event(const struct pmumap *map, const struct model *m, uint32_t event)
{
	uint64_t want = 1, got = 1;
	int found = model_selector(m, event, &want);

	return BROKEN(SELECTOR_RULE, event,
		      pmumap_selector(map, event, &got) != found || got != want) +
	       BROKEN(COUNTERS_RULE, event,
		      pmumap_counters(map, event) != model_counters(m, event));
}

static uint32_t ask_near(const struct pmumap *map, const struct model *m, uint32_t first,
			 uint32_t last)
{
	return ask_event(map, m, first - 1) + ask_event(map, m, first) +
	       ask_event(map, m, first + (last - first) / 2) + ask_event(map, m, last) +
	       ask_event(map, m, last + 1);
}

static uint32_t ask_all(const struct pmumap *map, const struct model *m)
{
	uint32_t i, bad = 0;

	for (i = 0; i < 128; i++)
		bad += ask_event(map, m, i / 64 << 16 | i % 64);
	for (i = random_below(STRIDE); i < 2 * MODEL_EVENTS; i += 16 * STRIDE)
		bad += ask_event(map, m, i);
	for (i = 0; i < m->selectors; i++)
		bad += ask_near(map, m, m->selector[i].event, m->selector[i].event);
	for (i = 0; i < m->ranges; i++)
		bad += ask_near(map, m, m->range[i].first, m->range[i].last);
	for (i = 0; i < VALUES; i++) {
		uint64_t raw = raw_value(m, i);

		bad += BROKEN(RAW_RULE, raw,
			      pmumap_raw_counters(map, raw) != model_raw_counters(m, raw));
	}
	return bad;
}

static void compare(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	struct pmumap *map = build_tree(fdt, size, 0, NULL, &status);
	struct model m;

	if (!map)
		return;
	model_init(&m);
	model_read(&m, fdt, 0);
	CHECK_EQ(ask_all(map, &m), 0);
	trees++;
	rows += m.selectors + m.ranges + m.raws;
	if (m.selectors + m.ranges < 20)
		at_edges(map, &m);
	free(map);
	model_free(&m);
}

static void random_tree(void)
{
	static uint64_t block[1 << 13];
	uint8_t bytes[INPUT];
	uint32_t i, n = 8 + random_below(INPUT - 8);
	struct tree t = { { bytes, n }, block, fdt_create(block, sizeof(block)) };
	unsigned char *fdt;

	for (i = 0; i < n; i++)
		bytes[i] = (uint8_t)random64();
	t.err |= fdt_finish_reservemap(t.fdt);
	t.err |= fdt_begin_node(t.fdt, "");
	put_pmu(&t, "pmu");
	if (n % 8 == 0)
		put_pmu(&t, "pmu@1");
	t.err |= fdt_end_node(t.fdt);
	t.err |= fdt_finish(t.fdt);
	CHECK(!t.err);
	fdt = exact_copy(block, fdt_totalsize(block));
	compare(fdt, fdt_totalsize(block));
	free(fdt);
}

int main(void)
{
	uint32_t i, n = quick(TREES, TREES / 50);

	CHECK(each_file(riscv_boards, board) >= 16);
	each_file("build/corpus/*.dtb", board);
	rows_that_meet();
	test_now = "test trees";
	each_file("build/trees/*.dtb", compare);
	each_file("build/mistakes/*.dtb", compare);
	CHECK(trees >= 40);
	test_now = n == TREES ? "100,000 random trees" : "2,000 random trees";
	trees = rows = 0;
	for (i = 0; i < n && test_failed < 20; i++)
		random_tree();
	CHECK_EQ(trees, n);
	printf("%" PRIu32 " trees, %" PRIu32 " rows\n", trees, rows);
	CHECK(rows > 10 * n);
	return test_summary();
}
