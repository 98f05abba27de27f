/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which counter a plan chooses. First known mistakes of current firmware, D1 to D11, which
 * tests/check/sbi_compare.sh names too; then against the model and brute force. The rule under test
 * is the one that gives most events a selector.
 */
#include "wants.h"

#define ALL 0xfffffff8u
#define SOF PMUMAP_SSCOFPMF
#define SMC PMUMAP_SMCNTRPMF
#define FIL PMUMAP_FILTER
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

static uint32_t candidates(const struct model *m, uint32_t event, uint64_t data, uint32_t features)
{
	uint64_t selector;

	return servers(m, event, data, features, PMUMAP_RULE_ALWAYS, &selector);
}

static int model_picks(const struct model *m, uint32_t event, uint64_t data, uint32_t free,
		       uint32_t features)
{
	return server_of(candidates(m, event, data, features), free, features);
}

struct row {
	uint64_t a, b;
	uint32_t counters;
};

/* A row with counters 0 ends the ranges, and so the raw rows. */
static struct pmumap *table(struct model *m, const struct row *ranges, const struct row *raw)
{
	model_init(m);
	for (; ranges && ranges->counters; ranges++)
		model_add_counters(m, (uint32_t)ranges->a, (uint32_t)ranges->b, ranges->counters);
	for (; raw && raw->counters; raw++)
		model_add_raw(m, raw->a, raw->b, raw->counters);
	return build_rows(m);
}

static struct pmumap *file(struct model *m, const char *path)
{
	enum pmumap_status status;
	size_t size;
	unsigned char *fdt = load(path, &size);
	struct pmumap *map = build_tree(fdt, size, 0, NULL, &status);

	CHECK_EQ(status, PMUMAP_OK);
	model_init(m);
	CHECK(model_read(m, fdt, 0));
	free(fdt);
	return map;
}

static const struct row d1_raw[] = { { 2, ~0ull, 0x8 }, { 0, ~0xfull, 0x30 }, { 0, 0, 0 } };
static const struct row catch_all[] = { { 0, 0, 0x18 }, { 0, 0, 0 } };
static const struct row six[] = { { 4, 6, 0x18 }, { 0, 0, 0 } };
static const struct row fixed[] = { { 1, 1, 1 }, { 2, 2, 4 }, { 3, 3, 8 }, { 0, 0, 0 } };
static const struct row both[] = { { 1, 2, 0x78 }, { 3, 3, 0x78 }, { 0, 0, 0 } };

/* One query each; event 0x20000 has data. */
static const struct question {
	const char *name;
	const struct row *ranges, *raw;
	uint32_t event;
	uint64_t data;
	uint32_t free, features;
	int want;
} questions[] = {
	{ "D1 the union of two raw rows, first", six, d1_raw, 0x20000, 2, 0xfffffffd, 0, 3 },
	{ "D1 the union of two raw rows, second", six, d1_raw, 0x20000, 2, 0xfffffff5, 0, 4 },
	{ "D1 the union of two raw rows, third", six, d1_raw, 0x20000, 2, 0xffffffe5, 0, 5 },
	{ "D1 the union of two raw rows, no more", six, d1_raw, 0x20000, 2, 0xffffffc5, 0, -1 },
	{ "D1 as raw v2", six, d1_raw, 0x30000, 2, 0xffffffe5, 0, 5 },
	{ "D2 range rows match no raw event", six, d1_raw, 0x20000, 0xabcdef, ALL, 0, -2 },
	{ "D2 without raw rows", six, NULL, 0x20000, 0, ALL, 0, -2 },
	{ "D3 firmware events have no counter", six, catch_all, 0xf0005, 0, ~0u, 0, -2 },
	{ "D3 nor has the platform's", six, catch_all, 0xfffff, 7, ~0u, 0, -2 },
	{ "D4 cycles without a row", six, NULL, 1, 0, ~0u, 0, 0 },
	{ "D4 instructions without a row", six, NULL, 2, 0, ~0u, 0, 2 },
	{ "D4 supported is not free", six, NULL, 1, 0, 0, 0, -1 },
	{ "D5 fixed rows, Sscofpmf, no filter", fixed, NULL, 1, 0, ~0u, SOF, 0 },
	{ "D5 fixed rows, Sscofpmf, instructions", fixed, NULL, 2, 0, ~0u, SOF, 2 },
	{ "D5 no rows, Sscofpmf, no filter", six, NULL, 2, 0, ~0u, SOF, 2 },
	{ "D5 to filter it takes Smcntrpmf", fixed, NULL, 1, 0, ~0u, SOF | FIL, -2 },
	{ "D5 which some have", fixed, NULL, 1, 0, ~0u, SOF | SMC | FIL, 0 },
	{ "D5 or a programmable counter", both, NULL, 1, 0, ~0u, SOF | FIL, 3 },
	{ "D5 busy is not unsupported", both, NULL, 1, 0, 7, SOF | FIL, -1 },
	{ "D9 a catch-all raw row beside ranges", six, catch_all, 0x20000, 0x1234, ALL, 0, 3 },
	{ "D9 catches not what is no raw event", six, catch_all, 3, 0, ALL, 0, -2 },
	{ "D10 raw event 0", six, d1_raw, 0x20000, 0, ALL, 0, 4 },
	{ "D10 raw event 0, catch-all", six, catch_all, 0x20000, 0, ALL, 0, 3 },
	{ "D11 mcycle is not in free", six, NULL, 1, 0, ALL, 0, -1 },
	{ "D11 minstret is not in free", fixed, NULL, 2, 0, ALL | 3, 0, -1 },
	{ "D11 a programmable one is", both, NULL, 1, 0, ALL, 0, 3 },
	{ "without Sscofpmf the fixed one first", both, NULL, 2, 0, ~0u, 0, 2 },
	{ "with it the programmable one first", both, NULL, 2, 0, ~0u, SOF, 3 },
	{ "with it the fixed one last", both, NULL, 2, 0, 0x107, SOF, 2 },
	{ "since it cannot interrupt", both, NULL, 2, 0, ~0u, CAN_I, 3 },
	{ "to filter is no reason", both, NULL, 2, 0, ~0u, CAN_F, 2 },
	{ "nor is Smcntrpmf", both, NULL, 1, 0, ~0u, CAN_F | SMC, 0 },
	{ "who filters asks CAN_FILTER", both, NULL, 3, 0, ~0u, FIL, 3 },
	{ "raw data is cut to 48 bits", six, d1_raw, 0x20000, 2 | 1ull << 48, ALL, 0, 3 },
	{ "raw v2 data is cut to 56 bits", six, d1_raw, 0x30000, 2 | 1ull << 56, ALL, 0, 3 },
	{ "raw v2 data has 56 bits", six, d1_raw, 0x30000, 2 | 1ull << 55, ALL, 0, -2 },
	{ "a raw event has no code of its own", six, catch_all, 0x20001, 0, ALL, 0, -2 },
	{ "nor has a raw v2 event", six, catch_all, 0x30001, 0, ALL, 0, -2 },
	{ "no event", six, catch_all, 0, 0, ~0u, 0, -2 },
	{ "an event of 21 bits", six, catch_all, 0x100004, 0, ~0u, 0, -2 },
};

static void ask(void)
{
	size_t i;

	for (i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
		const struct question *q = &questions[i];
		struct model m;
		struct pmumap *map = table(&m, q->ranges, q->raw);

		test_now = q->name;
		CHECK_EQ(pick(map, q->event, q->data, q->free, q->features), q->want);
		CHECK_EQ(model_picks(&m, q->event, q->data, q->free, q->features), q->want);
		free(map);
		model_free(&m);
	}
}

/* D2 to D4: whether an event is supported is the same query with no counter free. */
static void ask_again(const struct pmumap *map, const struct model *m)
{
	uint32_t i, n = quick(50000, 5000), bad = 0;

	for (i = 0; i < n; i++) {
		static const uint32_t bases[] = { 0, 0x10000, 0x20000, 0x30000, 0xf0000, 0x10000 };
		uint32_t event = bases[i % 6] + (i % 3 ? random_below(0x40) : 0);
		uint32_t free = (uint32_t)random64() & (uint32_t)random64(), features = i & 7;
		uint64_t data = raw_value(m, i);
		int counter = pick(map, event, data, free, features);

		bad += counter != model_picks(m, event, data, free, features);
		bad += counter >= 0 && !(free >> counter & 1);
		bad += (pick(map, event, data, 0, features) == PMUMAP_UNSUPPORTED) !=
		       (counter == PMUMAP_UNSUPPORTED);
	}
	CHECK_EQ(bad, 0);
}

/* Number of broken rules: of a plan, and of the same plan again, which must not change anything. */
static uint32_t broken(const struct pmumap *map, const struct model *m, struct pmumap_want *want,
		       uint32_t n, uint32_t free, uint32_t features)
{
	struct pmumap_want was[WANTS];
	uint32_t i, round, could[WANTS], bad = 0;

	for (i = 0; i < n; i++)
		could[i] = candidates(m, want[i].event, want[i].data, features);
	for (round = 0; round < 2; round++) {
		memcpy(was, want, n * sizeof(*want));
		bad += broken_rules(was, want, n, could, free, features,
				    assign(map, want, n, free, features));
		for (i = 0; round && i < n; i++)
			bad += want[i].counter != was[i].counter;
	}
	return bad;
}

/* All ways to request up to six kinds of a board's events, on eight of its counters. */
static uint32_t all_wants(const struct pmumap *map, const struct model *m, const uint32_t *kinds,
			  uint32_t n_kinds, uint32_t free, uint32_t features, uint32_t *cases)
{
	uint32_t digit[7] = { 0 }, n, i, bad = 0;

	for (n = 1; n <= 6; n++) {
		memset(digit, 0, sizeof(digit));
		while (!digit[n]) {
			struct pmumap_want want[WANTS] = { { 0, 0, 0, 0, 0 } };

			for (i = 0; i < n; i++)
				want[i].event = kinds[digit[i]];
			bad += broken(map, m, want, n, free, features);
			++*cases;
			for (i = 0; i < n && ++digit[i] == n_kinds; i++)
				digit[i] = 0;
			digit[n] = i == n;
		}
	}
	return bad;
}

/* One event for each distinct set of candidates, up to limit. */
static uint32_t kinds_of(const struct model *m, uint32_t features, uint32_t *kinds, uint32_t limit)
{
	uint32_t event, i, n = 0;

	for (event = 1; event < 0x10038 && n < limit; event = event == 10 ? 0x10000 : event + 1) {
		uint32_t counters = candidates(m, event, 0, features);

		for (i = 0; i < n; i++)
			if (candidates(m, kinds[i], 0, features) == counters)
				break;
		if (i == n)
			kinds[n++] = event;
	}
	return n;
}

/* The lowest n counters of a set. */
static uint32_t lowest(uint32_t set, uint32_t n)
{
	uint32_t rest = set;

	while (n--)
		rest &= rest - (rest != 0);
	return set & ~rest;
}

static void board(const unsigned char *fdt, size_t size)
{
	static const uint32_t features[] = { 0, SOF | FIL };
	enum pmumap_status status;
	struct pmumap *map = build_tree(fdt, size, 0, NULL, &status);
	uint32_t kinds[5], i, k, n, any, cases = 0, bad = 0;
	struct model m;

	CHECK_EQ(status, PMUMAP_OK);
	model_init(&m);
	if (map && CHECK(model_read(&m, fdt, 0))) {
		ask_again(map, &m);
		for (i = 0; i < 2; i++) {
			n = kinds_of(&m, features[i], kinds, quick(5, 3));
			for (k = any = 0; k < n; k++)
				any |= candidates(&m, kinds[k], 0, features[i]);
			bad += all_wants(map, &m, kinds, n, lowest(any, 8), features[i], &cases);
			bad += all_wants(map, &m, kinds, n, any & ~lowest(any, 2) & 0x7f,
					 features[i], &cases);
		}
		CHECK_EQ(bad, 0);
		CHECK(cases > 0);
	}
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

static uint32_t random_want(const struct pmumap *map, const struct model *m)
{
	struct pmumap_want want[WANTS] = { { 0, 0, 0, 0, 0 } };
	uint32_t i, n = 1 + random_below(6), taken = 0;

	for (i = 0; i < n; i++) {
		uint32_t counter = random_below(8);

		want[i].event = random_below(10);
		want[i].counter = (int32_t)counter;
		if (random_below(8) == 0 && !(taken >> counter & 1)) {
			want[i].pinned = 1;
			taken |= 1u << counter;
		}
	}
	return broken(map, m, want, n, (uint32_t)random64() & 0xff, random_below(32));
}

static void random_wants(void)
{
	uint32_t i, k, tables = quick(1000, 30), bad = 0;

	test_now = "random wants";
	for (i = 0; i < tables; i++) {
		struct model m;
		struct pmumap *map = random_sets(&m);

		for (k = 0; k < 100; k++)
			bad += random_want(map, &m);
		free(map);
		model_free(&m);
	}
	CHECK_EQ(bad, 0);
}

/* Counters allocated one by one, as firmware does on each call. */
static uint32_t one_by_one(const struct pmumap *map, const uint32_t *events, uint32_t n,
			   uint32_t free, uint32_t features)
{
	uint32_t i, placed = 0;

	for (i = 0; i < n; i++) {
		int counter = pick(map, events[i], 0, free, features);

		if (counter < 0)
			continue;
		free &= ~(1u << counter);
		placed++;
	}
	return placed;
}

static uint32_t at_once(const struct pmumap *map, const struct model *m, const uint32_t *events,
			uint32_t n, uint32_t free, uint32_t features)
{
	struct pmumap_want want[WANTS] = { { 0, 0, 0, 0, 0 } };
	uint32_t i, placed = 0;

	for (i = 0; i < n; i++)
		want[i].event = events[i];
	CHECK_EQ(broken(map, m, want, n, free, features), 0);
	for (i = 0; i < n; i++)
		placed += want[i].counter >= 0;
	return placed;
}

static void first_come_fails(void)
{
	static const uint32_t events[] = { 1, 2, 3, 4, 5, 6 };
	struct model m;
	struct pmumap *map;

	/* Cycles and instructions take two of the four programmable counters; two events starve. */
	test_now = "AX45MP with Sscofpmf";
	map = file(&m, "build/boards/andes-ax45mp.dtb");
	CHECK_EQ(one_by_one(map, events, 6, ~0u, SOF), 4);
	CHECK_EQ(at_once(map, &m, events, 6, ~0u, SOF), 6);
	CHECK_EQ(at_once(map, &m, events, 6, ~0u, SOF | FIL), 4);
	free(map);
	model_free(&m);

	test_now = "U74 with rows for cycles and instructions";
	map = file(&m, "build/boards/sifive-u74.dtb");
	free(map);
	model_add_counters(&m, 1, 2, 0x18);
	map = build_rows(&m);
	CHECK_EQ(one_by_one(map, events, 4, ~0u, SOF), 2);
	CHECK_EQ(at_once(map, &m, events, 4, ~0u, SOF), 4);
	free(map);
	model_free(&m);
}

/*
 * Which counter: if the hart can interrupt, a programmable one, unless another event needs it; a
 * fixed one for a filtered count only if it can filter.
 */
static void choices(void)
{
	enum { FIXED, LAST, NEVER }; /* the fixed counters come first, last, or are no candidates */
	static const int32_t want_of[3][4][4] = {
		{ { 0 }, { 0, 2 }, { 0, 2, 3 }, { 0, 2, 3, 4 } },
		{ { 3 }, { 3, 4 }, { 0, 4, 3 }, { 0, 2, 3, 4 } },
		{ { 3 }, { 3, 4 }, { 3, 4, PMUMAP_BUSY }, { 3, 4, PMUMAP_BUSY, PMUMAP_BUSY } },
	};
	static const uint32_t rows[][2] = {
		{ 0, FIXED },
		{ CAN_F, FIXED },
		{ SMC, FIXED },
		{ FIL | SMC, FIXED },
		{ SOF, LAST },
		{ SOF | SMC, LAST },
		{ CAN_I, LAST },
		{ CAN_I | SMC | FIL, LAST },
		{ SOF | SMC | FIL, LAST },
		{ FIL, NEVER },
		{ SOF | FIL, NEVER },
		{ CAN_F | FIL, NEVER },
	};
	struct model m;
	struct pmumap *map;
	uint32_t i, k, n;

	test_now = "choices";
	model_init(&m);
	model_add_counters(&m, 1, 4, 0x18);
	map = build_rows(&m);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (n = 1; n <= 4; n++) {
			struct pmumap_want want[WANTS] = { { 0, 0, 0, 0, 0 } };

			for (k = 0; k < n; k++)
				want[k].event = k + 1;
			CHECK_EQ(broken(map, &m, want, n, ~0u, rows[i][0]), 0);
			for (k = 0; k < n; k++)
				CHECK_EQ(want[k].counter, want_of[rows[i][1]][n - 1][k]);
		}
	}
	free(map);
	model_free(&m);
}

static void pinned(void)
{
	static const int32_t odd[] = { INT32_MIN, INT32_MAX };
	struct pmumap_want want[3] = { { 0, 3, 0, 0, 0 }, { 0, 4, 1, 3, 0 }, { 0, 1, 0, 0, 0 } };
	struct model m;
	struct pmumap *map = file(&m, "build/boards/sifive-u74.dtb");
	size_t i;

	test_now = "pinned";
	CHECK_EQ(assign(map, want, 3, ~0u, 0), 3);
	CHECK(want[0].counter == 4 && want[1].counter == 3 && want[2].counter == 0);
	CHECK(want[0].counters == 0x18 && want[1].counters == 0x18 && want[2].counters == 1);
	/*
	 * A pinned event keeps its counter even if free lacks it, and no other event gets that
	 * counter.
	 */
	CHECK_EQ(assign(map, want, 3, 0x11, 0), 3);
	want[0].event = want[2].event = 5;
	CHECK_EQ(assign(map, want, 3, 0x18, 0), 2);
	CHECK(want[0].counter == 4 && want[1].counter == 3 && want[2].counter == PMUMAP_BUSY);
	want[2].event = 7;
	CHECK_EQ(assign(map, want, 3, 0x18, 0), 2);
	CHECK(want[2].counter == PMUMAP_UNSUPPORTED && want[2].counters == 0);
	CHECK_EQ(assign(map, want, 0, ~0u, 0), 0);
	for (i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		want[1].counter = odd[i];
		want[2].event = 1;
		CHECK_EQ(assign(map, want, 3, ~0u, 0), 2 + (odd[i] > 0));
		CHECK(want[1].counter == odd[i] && want[0].counter == 3);
	}
	free(map);
	model_free(&m);
}

/* Pinned below 0 means not running; pinned above 31 takes no counter. */
static void pinned_anywhere(void)
{
	struct pmumap *map;
	struct model m;
	int32_t at;

	test_now = "pinned anywhere";
	map = table(&m, six, NULL);
	for (at = -3; at <= 40; at++) {
		struct pmumap_want want[WANTS] = {
			{ 0, 4, 1, at, 0 }, { 0, 4, 0, 0, 0 }, { 0, 5, 0, 0, 0 }, { 0, 1, 0, 0, 0 }
		};
		int taken = at == 0 || at == 3 || at == 4;

		CHECK_EQ(assign(map, want, 4, ~0u, 0), (at >= 0) + 3 - taken);
		CHECK_EQ(want[0].counter, at);
		CHECK_EQ(want[1].counter, at == 3 ? 4 : 3);
		CHECK_EQ(want[2].counter, at == 3 || at == 4 ? PMUMAP_BUSY : 4);
		CHECK_EQ(want[3].counter, at == 0 ? PMUMAP_BUSY : 0);
		CHECK_EQ(broken(map, &m, want, 4, ~0u, 0), 0);
	}
	free(map);
	model_free(&m);
}

/*
 * The highest counter is taken by an event pinned to it, and not by one pinned to a number beyond.
 */
static void pinned_last(void)
{
	static const int32_t odd[] = { -1, 32, 63, INT32_MAX };
	struct pmumap_want want[3] = { { 0, 3, 1, 31, 0 }, { 0, 3, 0, 0, 0 }, { 0, 1, 0, 0, 0 } };
	struct model m;
	struct pmumap *map;
	size_t i;

	test_now = "pinned on 31";
	model_init(&m);
	model_add_counters(&m, 3, 3, 0x80000000);
	map = build_rows(&m);
	CHECK_EQ(assign(map, want, 3, ~0u, 0), 2);
	CHECK(want[0].counter == 31 && want[1].counter == PMUMAP_BUSY);
	for (i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		want[0].counter = odd[i];
		(void)assign(map, want, 3, ~0u, 0);
		CHECK(want[1].counter == 31 && want[2].counter == 0);
	}
	free(map);
	model_free(&m);
}

/* Raw, firmware and reserved events have no counter here, even if a row covers them. */
static void firmware(void)
{
	static const struct {
		uint32_t event;
		int want;
	} events[] = {
		{ 0x1ffff, 3 },
		{ 0x20000, PMUMAP_UNSUPPORTED },
		{ 0x20001, PMUMAP_UNSUPPORTED },
		{ 0x3ffff, PMUMAP_UNSUPPORTED },
		{ 0x40000, PMUMAP_UNSUPPORTED },
		{ 0xeffff, PMUMAP_UNSUPPORTED },
		{ 0xf0000, PMUMAP_UNSUPPORTED },
		{ 0xf0001, PMUMAP_UNSUPPORTED },
		{ 0xfffff, PMUMAP_UNSUPPORTED },
	};
	struct model m;
	struct pmumap *map;
	size_t i;

	test_now = "firmware";
	model_init(&m);
	model_add_counters(&m, 0, 0xfffff, 8);
	model_add_selector(&m, 0x1ffff, 1);
	model_add_selector(&m, 0x40000, 1);
	model_add_selector(&m, 0xf0001, 1);
	map = build_rows(&m);
	for (i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		CHECK_EQ(pick(map, events[i].event, 0, ~0u, 0), events[i].want);
	free(map);
	model_free(&m);
}

/* Far more events than counters: each counter is used once. */
static void many(void)
{
	static struct pmumap_want want[1000];
	struct model m;
	struct pmumap *map = file(&m, "build/boards/sophgo-sg2044.dtb");
	uint32_t i, taken = 0;

	test_now = "many";
	for (i = 0; i < 1000; i++)
		want[i].event = 3 + i % 8;
	CHECK_EQ(assign(map, want, 1000, ~0u, 0), 29);
	for (i = 0; i < 1000; i++)
		CHECK(i < 29 ? want[i].counter >= 3 : want[i].counter == PMUMAP_BUSY);
	for (i = 0; i < 29; i++)
		taken |= 1u << want[i].counter;
	CHECK_EQ(taken, 0xfffffff8u);
	free(map);
	model_free(&m);
}

int main(void)
{
	ask();
	CHECK(each_riscv_board(board) >= 16);
	random_wants();
	first_come_fails();
	choices();
	pinned();
	pinned_anywhere();
	pinned_last();
	firmware();
	many();
	return test_summary();
}
