/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Guests' maps: for every granted event the granted counters and its selector; for others nothing.
 * Also maps combined from several.
 */
#include "support.h"
#include "fuzz/fuzz_rows.h"

/* ---- the model ------------------------------------------------------------------------------- */

static int in_ranges(const struct pmumap_grant *grant, uint32_t event)
{
	uint32_t i;
	int in = grant->count == 0;

	for (i = 0; i < grant->count; i++)
		in |= grant->ranges[i].first <= event && event <= grant->ranges[i].last;
	return in;
}

static uint32_t left_of(const struct model *m, const struct pmumap_grant *grant, uint32_t event)
{
	return in_ranges(grant, event) ? model_counters(m, event) & grant->counters : 0;
}

static uint32_t left_of_raw(const struct model *m, const struct pmumap_grant *grant, uint64_t raw)
{
	return in_ranges(grant, 0x20000) ? model_raw_counters(m, raw) & grant->counters : 0;
}

/* A remaining event is encoded as before, by every rule; it gets no default. */
static uint32_t bad_event(const struct pmumap *map, const struct model *m,
			  const struct pmumap_grant *grant, uint32_t event)
{
	uint32_t counters = left_of(m, grant, event), bad, rule;
	uint64_t got = 77, want = 77;
	int found = counters && model_selector(m, event, &want);

	bad = BROKEN("a granted event keeps its granted counters", event,
		     pmumap_counters(map, event) != counters);
	bad += BROKEN("an event that keeps counters keeps its selector", event,
		      pmumap_selector(map, event, &got) != found || got != want);
	for (rule = PMUMAP_RULE_NONE; counters && rule <= PMUMAP_RULE_ALWAYS; rule++) {
		got = want = 78;
		found = model_encode(m, event, 0x1234, rule, &want);
		bad += BROKEN("an event that keeps counters is encoded as before", event,
			      pmumap_encode(map, event, 0x1234, rule, &got) != found ||
				      got != want);
	}
	return bad;
}

static uint32_t bad_around(const struct pmumap *map, const struct model *m,
			   const struct pmumap_grant *grant, uint32_t event)
{
	uint32_t bad = 0, i;

	for (i = 0; i < 3; i++)
		if (event - 1 + i < MODEL_EVENTS)
			bad += bad_event(map, m, grant, event - 1 + i);
	return bad;
}

static uint32_t bad_answers(const struct pmumap *map, const struct model *m,
			    const struct pmumap_grant *grant)
{
	uint32_t i, bad = 0;

	for (i = 0; i < m->selectors; i++)
		bad += bad_around(map, m, grant, m->selector[i].event);
	for (i = 0; i < m->ranges; i++)
		bad += bad_around(map, m, grant, m->range[i].first) +
		       bad_around(map, m, grant, m->range[i].last);
	for (i = 0; i < grant->count; i++)
		bad += bad_around(map, m, grant, grant->ranges[i].first) +
		       bad_around(map, m, grant, grant->ranges[i].last);
	for (i = 0; i < 200; i++) {
		uint64_t raw = raw_value(m, i);

		bad += BROKEN("raw events keep their granted counters if 0x20000 is granted", raw,
			      pmumap_raw_counters(map, raw) != left_of_raw(m, grant, raw));
	}
	return bad;
}

/* ---- random grants --------------------------------------------------------------------------- */

static uint32_t random_code(const struct model *m)
{
	static const uint32_t codes[] = { 0, 0x20000, 0x20000, 0x1ffff, 0x20001, 0x30000, 0xfffff };

	switch (random_below(8)) {
	case 0:
		return codes[random_below(7)];
	case 1:
		return random_below(MODEL_EVENTS);
	case 2:
	case 3:
		return m->ranges ? m->range[random_below(m->ranges)].first + random_below(3) - 1
				 : 3;
	case 4:
		return 0x10000 + random_below(0x42);
	default:
		return random_below(0x42);
	}
}

static struct pmumap_range range[6];

static struct pmumap_grant random_grant(const struct model *m)
{
	static const uint32_t counters[] = { ~0u, 0, 0x8, 0xf8, 0x7, 0xfffffff8 };
	struct pmumap_grant grant = { 0, random_below(7), range };
	uint32_t i;

	grant.counters = counters[random_below(6)];
	if (random_below(3))
		grant.counters = (uint32_t)random64();
	for (i = 0; i < grant.count; i++) {
		range[i].first = random_code(m);
		range[i].last = random_below(4) ? random_code(m) : range[i].first;
		if (random_below(3) && range[i].first > range[i].last) {
			uint32_t first = range[i].first;

			range[i].first = range[i].last;
			range[i].last = first;
		}
		if (random_below(16) == 0)
			range[i].last = ~0u;
	}
	if (!grant.count && random_below(2))
		grant.ranges = NULL;
	return grant;
}

/*
 * In a block of exactly the need; the caller frees it. Rows that are not granted are not added,
 * rather than added and dropped.
 */
static struct pmumap *restricted(const struct pmumap *map, const struct pmumap_grant *grant,
				 size_t *need)
{
	const struct pmumap *part = NULL;
	struct pmumap_builder b;
	void *block;

	pmumap_begin(&b, NULL, 0);
	CHECK_EQ(pmumap_add_map(&b, map, grant), PMUMAP_OK);
	*need = pmumap_need(&b);
	block = exact(*need);
	pmumap_begin(&b, block, *need);
	CHECK_EQ(pmumap_add_map(&b, map, grant), PMUMAP_OK);
	CHECK_EQ(b.kept, b.selector_rows + b.counter_rows + b.raw_rows);
	CHECK_EQ(pmumap_restrict(map, grant, block, *need, &part), PMUMAP_OK);
	CHECK((const void *)part == block);
	return block;
}

/* Every smaller block fails, and nothing past its end is written. */
static uint32_t bad_sizes(const struct pmumap *map, const struct pmumap_grant *grant, size_t need)
{
	unsigned char *block = exact(need + 64);
	uint32_t bad = 0, i;
	size_t give;

	for (give = 0; give<need; give += need> 2000 ? 61 : 7) {
		const struct pmumap *part = map;

		memset(block, 0xa5, need + 64);
		bad += pmumap_restrict(map, grant, block, give, &part) != PMUMAP_E_NOSPACE || part;
		for (i = 0; i < 64; i++)
			bad += block[give + i] != 0xa5;
	}
	free(block);
	return bad;
}

static void random_grants(void)
{
	uint32_t i, n = quick(1000, 200), bad = 0;

	for (i = 0; i < n; i++) {
		struct pmumap *map, *part, *twice;
		struct pmumap_grant grant;
		struct model m;
		size_t need;

		random_rows(&m);
		map = build_rows(&m);
		grant = random_grant(&m);
		part = restricted(map, &grant, &need);
		bad += bad_answers(part, &m, &grant);
		if (i % 8 == 0)
			bad += bad_sizes(map, &grant, need);
		/* Restricting again with the same grant changes nothing. */
		twice = restricted(part, &grant, &need);
		bad += !same_image(part, twice);
		free(twice);
		twice = restricted(map, NULL, &need);
		bad += !same_image(map, twice);
		free(twice);
		free(part);
		free(map);
		model_free(&m);
	}
	CHECK_EQ(bad, 0);
}

/* ---- cases ----------------------------------------------------------------------------------- */

/* 3 to 6 on counters 3 and 4 with selectors, cycles on 0 and 3, and a raw row on 4 and 5. */
static struct pmumap *sample(void)
{
	struct model m;
	struct pmumap *map;
	uint32_t event;

	model_init(&m);
	for (event = 3; event <= 6; event++)
		model_add_selector(&m, event, event == 4 ? 3 : event);
	model_add_counters(&m, 3, 6, 0x18);
	model_add_counters(&m, 1, 1, 0x9);
	model_add_raw(&m, 1, 0xff, 0x30);
	map = build_rows(&m);
	model_free(&m);
	return map;
}

static void check_refused(void)
{
	static uint64_t block[1024];
	static const struct pmumap_range some[] = { { 0, 0x1ffff }, { 0x20001, ~0u } };
	const struct pmumap_grant events = { ~0u, 2, some }, none = { 0, 0, NULL };
	struct pmumap *map = sample();
	const struct pmumap *part = map;
	struct pmumap_builder b;
	struct pmumap nothing;

	CHECK_EQ(pmumap_restrict(map, NULL, (unsigned char *)block + 4, 8000, &part), PMUMAP_E_ARG);
	CHECK(!part);
	pmumap_begin(&b, (unsigned char *)block + 4, 8000);
	CHECK_EQ(pmumap_add_map(&b, map, NULL), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_add_map(&b, map, &events), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_add_map(&b, map, &none), PMUMAP_E_ARG);
	memset(&nothing, 0, sizeof(nothing));
	CHECK_EQ(pmumap_restrict(&nothing, NULL, (unsigned char *)block + 4, 8000, &part),
		 PMUMAP_E_ARG);
	pmumap_begin(&b, (unsigned char *)block + 4, 8000);
	CHECK_EQ(pmumap_add_map(&b, &nothing, NULL), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_restrict(&nothing, NULL, block, sizeof(block), &part), PMUMAP_OK);
	CHECK(part && !pmumap_event_next(part, 0, &(struct pmumap_run){ 0, 0, 0, 0, 0 }));
	free(map);
}

static void append_rows(struct model *to, const struct model *m)
{
	uint32_t i;

	for (i = 0; i < m->selectors; i++)
		model_add_selector(to, m->selector[i].event, m->selector[i].selector);
	for (i = 0; i < m->ranges; i++)
		model_add_counters(to, m->range[i].first, m->range[i].last, m->range[i].counters);
	for (i = 0; i < m->raws; i++)
		model_add_raw(to, m->raw[i].select, m->raw[i].mask, m->raw[i].counters);
}

/* The rows, or those of the map made from them. */
static void add_one(struct pmumap_builder *b, const struct model *m, const struct pmumap *map)
{
	if (map)
		CHECK_EQ(pmumap_add_map(b, map, NULL), PMUMAP_OK);
	else
		add_rows(b, m);
}

/* Rows and maps in sequence; of two selectors for an event the first counts. */
static void put_together(void)
{
	uint32_t i, k, n = quick(300, 50), bad = 0;

	for (i = 0; i < n; i++) {
		const struct pmumap *map = NULL;
		struct pmumap *maps[2], *want;
		struct pmumap_builder b;
		struct model m[3];
		void *block;
		size_t need;

		random_rows(&m[0]);
		random_rows(&m[1]);
		maps[0] = build_rows(&m[0]);
		maps[1] = build_rows(&m[1]);
		pmumap_begin(&b, NULL, 0);
		add_one(&b, &m[0], i & 1 ? maps[0] : NULL);
		add_one(&b, &m[1], i & 2 ? maps[1] : NULL);
		need = pmumap_need(&b);
		block = exact(need);
		pmumap_begin(&b, block, need);
		add_one(&b, &m[0], i & 1 ? maps[0] : NULL);
		add_one(&b, &m[1], i & 2 ? maps[1] : NULL);
		bad += pmumap_finish(&b, &map) != PMUMAP_OK;
		model_init(&m[2]);
		append_rows(&m[2], &m[0]);
		append_rows(&m[2], &m[1]);
		want = build_rows(&m[2]);
		bad += !map || !same_image(map, want);
		for (k = 0; k < 3; k++)
			model_free(&m[k]);
		free(maps[0]);
		free(maps[1]);
		free(want);
		free(block);
	}
	CHECK_EQ(bad, 0);
}

/* ---- boards ---------------------------------------------------------------------------------- */

static void board(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	struct pmumap *map = build_tree(fdt, size, 0, NULL, &status), *part;
	struct pmumap_grant grant;
	uint32_t i, bad = 0;
	struct model m;
	size_t need;

	CHECK_EQ(status, PMUMAP_OK);
	model_init(&m);
	if (map && CHECK(model_read(&m, fdt, 0))) {
		part = restricted(map, NULL, &need);
		CHECK(same_image(map, part));
		free(part);
		for (i = 0; i < 20; i++) {
			grant = random_grant(&m);
			part = restricted(map, &grant, &need);
			bad += bad_answers(part, &m, &grant);
			bad += i == 0 ? bad_sizes(map, &grant, need) : 0;
			free(part);
		}
		CHECK_EQ(bad, 0);
	}
	model_free(&m);
	free(map);
}

int main(void)
{
	check_refused();
	random_grants();
	put_together();
	CHECK(each_file(riscv_boards, board) >= 16);
	each_file("build/corpus/*.dtb", board);
	each_file("build/boards/imc-and-riscv.dtb", board);
	return test_summary();
}
