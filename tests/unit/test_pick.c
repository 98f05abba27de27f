/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which counter a plan chooses. First known mistakes of current firmware, D1 to D11, which
 * tests/check/sbi_compare.sh names too; then, with all jobs, against the model and brute force. Rows
 * take the rule that gives most events a selector.
 */
#include "support.h"

#define ALL 0xfffffff8u
#define SOF PMUMAP_SSCOFPMF
#define SMC PMUMAP_SMCNTRPMF
#define FIL PMUMAP_MUST_FILTER
#define CAN_F PMUMAP_CAN_FILTER
#define CAN_I PMUMAP_CAN_INTERRUPT

static int pick(const struct pmumap *map, uint32_t event, uint64_t data, uint32_t free,
		uint32_t features)
{
	struct pmumap_job job;

	return pmumap_plan(map, event, data, free, features, PMUMAP_RULE_ALWAYS, &job);
}

static int assign(const struct pmumap *map, struct pmumap_want *want, uint32_t n, uint32_t free,
		  uint32_t features)
{
	static struct pmumap_job job[1000];

	return pmumap_plan_all(map, want, n, free, features, PMUMAP_RULE_ALWAYS, job);
}

struct row {
	uint64_t a, b;
	uint32_t counters;
};

static const struct row d1_raw[] = { { 2, ~0ull, 0x8 }, { 0, ~0xfull, 0x30 }, { 0, 0, 0 } };
static const struct row catch_all[] = { { 0, 0, 0x18 }, { 0, 0, 0 } };
static const struct row every[] = { { 0, 0xfffff, 8 }, { 0, 0, 0 } };
static const uint32_t selected[] = {
	0x1ffff, 0x20001, 0x3ffff, 0x40000, 0xeffff, 0xf0005, 0xfffff
};
static const struct row six[] = { { 4, 6, 0x18 }, { 0, 0, 0 } };
static const struct row fixed[] = { { 1, 1, 1 }, { 2, 2, 4 }, { 3, 3, 8 }, { 0, 0, 0 } };
static const struct row both[] = { { 1, 2, 0x78 }, { 3, 3, 0x78 }, { 0, 0, 0 } };

/* A row with counters 0 ends the ranges, and so the raw rows. Only "every" has selectors. */
static struct pmumap *table(struct model *m, const struct row *ranges, const struct row *raw)
{
	size_t i;

	model_init(m);
	for (i = 0; ranges == every && i < sizeof(selected) / sizeof(selected[0]); i++)
		model_add_selector(m, selected[i], 1);
	for (; ranges && ranges->counters; ranges++)
		model_add_counters(m, (uint32_t)ranges->a, (uint32_t)ranges->b, ranges->counters);
	for (; raw && raw->counters; raw++)
		model_add_raw(m, raw->a, raw->b, raw->counters);
	return build_rows(m);
}

/* One query each; event 0x20000 has data. */
static const struct question {
	const char *name;
	const struct row *ranges, *raw;
	uint32_t event;
	uint64_t data;
	uint32_t free, features;
	int want;
} questions[] = {
	{ "D1 two raw rows match: the counters of both", six, d1_raw, 0x20000, 2, ~0x18u, 0, 5 },
	{ "D1 two raw rows match, no counter is free", six, d1_raw, 0x20000, 2, ~0x38u, 0, -1 },
	{ "D1 the counters of both in raw v2", six, d1_raw, 0x30000, 2, ~0x18u, 0, 5 },
	{ "D2 ranges match no raw event", six, d1_raw, 0x20000, 0xabcdef, ALL, 0, -2 },
	{ "D2 no raw row, no raw event", six, NULL, 0x20000, 0, ALL, 0, -2 },
	{ "D3 firmware events have no counter", every, catch_all, 0xf0005, 0, ~0u, 0, -2 },
	{ "D3 the platform's has no counter", every, catch_all, 0xfffff, 7, ~0u, 0, -2 },
	{ "D4 cycles need no row", six, NULL, 1, 0, ~0u, 0, 0 },
	{ "D4 instructions need no row", six, NULL, 2, 0, ~0u, 0, 2 },
	{ "D4 what is not free is busy", six, NULL, 1, 0, 0, 0, -1 },
	{ "D5 Sscofpmf, cycles on a fixed row", fixed, NULL, 1, 0, ~0u, SOF, 0 },
	{ "D5 Sscofpmf, instructions without a row", six, NULL, 2, 0, ~0u, SOF, 2 },
	{ "D5 fixed counters filter by Smcntrpmf only", fixed, NULL, 1, 0, ~0u, SOF | FIL, -2 },
	{ "D5 fixed counters filter by Smcntrpmf", fixed, NULL, 1, 0, ~0u, SOF | SMC | FIL, 0 },
	{ "D5 programmable counters filter", both, NULL, 1, 0, ~0u, SOF | FIL, 3 },
	{ "D5 counters that filter are busy", both, NULL, 1, 0, 7, SOF | FIL, -1 },
	{ "D9 a raw row that matches all", six, catch_all, 0x20000, 0x1234, ALL, 0, 3 },
	{ "D9 it matches raw events only", six, catch_all, 3, 0, ALL, 0, -2 },
	{ "D10 raw event 0", six, d1_raw, 0x20000, 0, ALL, 0, 4 },
	{ "D11 mcycle is not in free", six, NULL, 1, 0, ALL, 0, -1 },
	{ "D11 minstret is not in free", fixed, NULL, 2, 0, ALL | 3, 0, -1 },
	{ "D11 another counter of cycles is in free", both, NULL, 1, 0, ALL, 0, 3 },
	{ "fixed counters come first", both, NULL, 2, 0, ~0u, 0, 2 },
	{ "Sscofpmf: fixed counters come last", both, NULL, 2, 0, ~0u, SOF, 3 },
	{ "Sscofpmf: if no other is free, the fixed one", both, NULL, 2, 0, 0x107, SOF, 2 },
	{ "interrupts make fixed counters come last", both, NULL, 2, 0, ~0u, CAN_I, 3 },
	{ "filters do not", both, NULL, 2, 0, ~0u, CAN_F, 2 },
	{ "Smcntrpmf does not", both, NULL, 1, 0, ~0u, CAN_F | SMC, 0 },
	{ "FILTER does not ask the hart", both, NULL, 3, 0, ~0u, FIL, 3 },
	{ "raw data is cut to 48 bits", six, d1_raw, 0x20000, 2 | 1ull << 48, ALL, 0, 3 },
	{ "raw v2 data is cut to 56 bits", six, d1_raw, 0x30000, 2 | 1ull << 56, ALL, 0, 3 },
	{ "raw v2 data has 56 bits", six, d1_raw, 0x30000, 2 | 1ull << 55, ALL, 0, -2 },
	{ "a raw event has no code", every, catch_all, 0x20001, 0, ALL, 0, -2 },
	{ "a raw v2 event has no code", every, catch_all, 0x3ffff, 0, ALL, 0, -2 },
	{ "the last cache event", every, NULL, 0x1ffff, 0, ALL, 0, 3 },
	{ "type 4 has no counter", every, catch_all, 0x40000, 0, ALL, 0, -2 },
	{ "type 14 has no counter", every, catch_all, 0xeffff, 0, ALL, 0, -2 },
	{ "event 0 is no event", every, catch_all, 0, 0, ~0u, 0, -2 },
	{ "an event has 20 bits", every, catch_all, 0x100004, 0, ~0u, 0, -2 },
};

static void ask(void)
{
	size_t i;

	for (i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
		const struct question *q = &questions[i];
		struct model m;
		struct pmumap *map = table(&m, q->ranges, q->raw);
		uint32_t counters;
		uint64_t none;

		test_now = q->name;
		CHECK_EQ(pick(map, q->event, q->data, q->free, q->features), q->want);
		counters = servers(&m, q->event, q->data, q->features, PMUMAP_RULE_ALWAYS, &none);
		CHECK_EQ(server_of(counters, q->free, q->features), q->want);
		free(map);
		model_free(&m);
	}
	test_now = "";
}

static uint32_t planned(const struct pmumap *map, const struct model *m, uint32_t event,
			uint64_t data, uint32_t free, uint32_t features, unsigned rule)
{
	struct pmumap_job job;
	uint64_t selector;
	uint32_t counters = servers(m, event, data, features, rule, &selector);
	int want = server_of(counters, free, features);

	memset(&job, 0x5a, sizeof(job));
	return pmumap_plan(map, event, data, free, features, rule, &job) == want &&
	       job.event == event && job.data == data && job.inhibit == 0 && job.clear == 0 &&
	       job.selector == (want > 2 ? selector : 0);
}

/* A hardware event; of 5 kinds, also a cache event, or a raw one, which data selects. */
static uint32_t some_event(const struct model *m, uint32_t kinds, uint64_t *data)
{
	uint32_t i = random_below(kinds);

	*data = i < 3 ? 0 : raw_value(m, random_below(8));
	if (i > 2)
		return i == 3 ? PMUMAP_EVENT_RAW : PMUMAP_EVENT_RAW_V2;
	return i ? 0x10000 + random_below(0x38) : random_below(12);
}

/* Several at once, some of them running already: who gets which counter, and every job. */
static uint32_t all_planned(const struct pmumap *map, const struct model *m, uint32_t kinds)
{
	struct pmumap_want want[WANTS], was[WANTS];
	struct pmumap_job job[WANTS], blank[WANTS];
	uint64_t selector[WANTS];
	uint32_t n = 1 + random_below(6), features = random_below(32), rule = random_below(3);
	uint32_t free = (uint32_t)random64() & (random_below(2) ? 0x7f : ~0u), pins = 0, i, bad;
	uint32_t could[WANTS];
	int placed;

	memset(want, 0x5a, sizeof(want));
	for (i = 0; i < n; i++) {
		want[i].event = some_event(m, kinds, &want[i].data);
		want[i].counter = (int32_t)random_below(36) - 2;
		want[i].pinned = random_below(6) == 0 && !(pins >> (want[i].counter & 31) & 1);
		want[i].counters = 0xdead;
		if (want[i].pinned)
			pins |= 1u << (want[i].counter & 31);
		could[i] = servers(m, want[i].event, want[i].data, features, rule, &selector[i]);
	}
	memcpy(was, want, sizeof(was));
	memset(job, 0x5a, sizeof(job));
	memset(blank, 0x5a, sizeof(blank));
	placed = pmumap_plan_all(map, want, n, free, features, rule, job);
	bad = broken_rules(was, want, n, could, free, features, placed);
	bad += memcmp(want + n, was + n, (WANTS - n) * sizeof(want[0])) != 0;
	bad += memcmp(job + n, blank + n, (WANTS - n) * sizeof(job[0])) != 0;
	for (i = 0; i < n; i++) {
		struct pmumap_job one;
		uint64_t value = want[i].counter > 2 ? selector[i] : 0;

		bad += job[i].event != want[i].event || job[i].data != want[i].data ||
		       job[i].selector != value || job[i].inhibit || job[i].clear;
		if (want[i].pinned || want[i].counter < 0)
			continue;
		/* The plan of this event alone, if only this counter is free. */
		bad += pmumap_plan(map, want[i].event, want[i].data, 1u << want[i].counter,
				   features, rule, &one) != want[i].counter;
		bad += one.selector != job[i].selector || one.event != job[i].event ||
		       one.data != job[i].data;
	}
	return bad;
}

/* Every SBI event and some others, each rule, some features and counters. */
static void board(const unsigned char *fdt, size_t size)
{
	static const uint32_t features[] = {
		0, PMUMAP_CAN_INTERRUPT, SMC, SOF | SMC, FIL, SOF | FIL, SMC | FIL
	};
	static const uint32_t frees[] = { 0, 1, 4, 7, 8, 0x18, 0xfffffff8u, 0xffffffffu };
	enum pmumap_status status;
	struct pmumap *map = build_tree(fdt, size, 0, NULL, &status);
	uint32_t event, i, bad = 0;
	struct model m;

	CHECK_EQ(status, PMUMAP_OK);
	model_init(&m);
	CHECK(model_read(&m, fdt, 0));
	for (event = 0; event < 16 * 0x48; event++) {
		uint32_t code = event / 0x48 << 16 | event % 0x48;

		for (i = 0; i < 7 * 8 * 3; i++)
			bad += BROKEN("a plan takes the best free counter of an event", code,
				      !planned(map, &m, code, raw_value(&m, i % 8), frees[i % 8],
					       features[i / 8 % 7], i / 56));
	}
	CHECK_EQ(bad, 0);
	for (i = 0; i < quick(20000, 1000); i++)
		bad += BROKEN("plans place as many events as possible, early ones first", i,
			      all_planned(map, &m, 5));
	CHECK_EQ(bad, 0);
	CHECK(pmumap_size(map) <= PMUMAP_BLOCK(m.selectors, m.ranges, m.raws));
	free(map);
	model_free(&m);
}

/* Eight events, each with its own set of eight counters; many sets are small or equal. */
static struct pmumap *random_sets(struct model *m)
{
	struct row ranges[9] = { { 0, 0, 0 } };
	uint32_t few = random_below(2) ? 0x18 : 0xff, event;

	for (event = 0; event < 8; event++) {
		uint32_t counters = few & (uint32_t)random64() & (uint32_t)random64();

		ranges[event] = (struct row){ event + 1, event + 1, counters | 1u << 31 };
	}
	return table(m, ranges, NULL);
}

static void random_wants(void)
{
	uint32_t i, k, tables = quick(1000, 30), bad = 0;

	test_now = "random wants";
	for (i = 0; i < tables; i++) {
		struct model m;
		struct pmumap *map = random_sets(&m);

		for (k = 0; k < 100; k++)
			bad += BROKEN("plans place as many events as possible, early ones first", i,
				      all_planned(map, &m, 1));
		free(map);
		model_free(&m);
	}
	CHECK_EQ(bad, 0);
}

/* Pinned below 0 means not running; pinned above 31 takes no counter. */
static void pinned(void)
{
	static const struct row rows[] = { { 4, 5, 0x80000008u }, { 0, 0, 0 } };
	struct pmumap *map;
	struct model m;
	int32_t k;

	test_now = "pinned";
	map = table(&m, rows, NULL);
	for (k = -3; k <= 65; k++) {
		int32_t at = k == 65 ? INT32_MAX : k == -3 ? INT32_MIN : k;
		struct pmumap_want want[4] = {
			{ 0, 4, 1, at, 0 }, { 0, 4, 0, 0, 0 }, { 0, 5, 0, 0, 0 }, { 0, 1, 0, 0, 0 }
		};
		int taken = at == 0 || at == 3 || at == 31;

		CHECK_EQ(assign(map, want, 4, ~0u, 0), (at >= 0) + 3 - taken);
		CHECK_EQ(want[0].counter, at);
		CHECK_EQ(want[1].counter, at == 3 ? 31 : 3);
		CHECK_EQ(want[2].counter, at == 3 || at == 31 ? PMUMAP_BUSY : 31);
		CHECK_EQ(want[3].counter, at == 0 ? PMUMAP_BUSY : 0);
	}
	free(map);
	model_free(&m);
}

/* Far more events than counters: each counter is used once. */
static void many(void)
{
	static const struct row rows[] = { { 3, 10, ALL }, { 0, 0, 0 } };
	static struct pmumap_want want[1000];
	struct model m;
	struct pmumap *map = table(&m, rows, NULL);
	uint32_t i, taken = 0;

	test_now = "many";
	for (i = 0; i < 1000; i++)
		want[i].event = 3 + i % 8;
	CHECK_EQ(assign(map, want, 1000, ~0u, 0), 29);
	for (i = 0; i < 1000; i++)
		CHECK(i < 29 ? want[i].counter >= 3 : want[i].counter == PMUMAP_BUSY);
	for (i = 0; i < 29; i++)
		taken |= 1u << want[i].counter;
	CHECK_EQ(taken, ALL);
	free(map);
	model_free(&m);
}

int main(void)
{
	ask();
	CHECK(each_file(riscv_boards, board) >= 16);
	each_file("build/corpus/*.dtb", board);
	random_wants();
	pinned();
	many();
	return test_summary();
}
