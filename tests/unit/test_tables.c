/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the rows of a node mean, one rule each. Then synthetic tables: numbers of raw rows and kinds
 * of masks for each path through the builder, and many ranges that overlap, nest and touch.
 */
#include "make.h"

static struct paint paint;
static struct findings findings;

/* Masks: one for all; few; prefixes of an address; many equal and some disjoint; dense; sparse. */
static uint64_t mask_of(uint32_t kind, uint32_t row)
{
	switch (kind) {
	case 0:
		return ~0ull;
	case 1:
		return 0xfffffff0000000ffull;
	case 2:
		return row % 7 ? 0xff0000ffull : 0xfe04000000ffull;
	case 3:
		return ~0ull << random_below(64);
	case 4:
		return row % 20 ? 0xffffull : 1ull << random_below(64);
	case 5:
		return random64() | random64();
	case 6:
		return random64() & random64() & random64();
	default:
		return row ? random64() : 0;
	}
}

/* Selects: counting up, shifted into the mask, or random within the mask. */
static void raw_rows(struct model *m, uint32_t n, uint32_t kind)
{
	uint32_t row;

	for (row = 0; row < n; row++) {
		uint64_t mask = mask_of(kind % 8, row);
		uint64_t select = kind & 8 ? random64() : (uint64_t)row * 0x100000001u;

		model_add_raw(m, select & mask, mask, 8u << row % 29);
	}
}

/* A block one byte too short fails, and the need does not depend on the block. */
static void check_need(const struct model *m)
{
	struct pmumap_builder b;
	const struct pmumap *map;
	void *block;
	size_t need;

	pmumap_begin(&b, NULL, 0);
	add_rows(&b, m);
	need = pmumap_need(&b);
	block = exact(need);
	pmumap_begin(&b, block, need - 1);
	add_rows(&b, m);
	CHECK(pmumap_need(&b) == need && pmumap_finish(&b, &map) == PMUMAP_E_NOSPACE && !map);
	free(block);
}

/* As a tree they have the right findings for their pairs. */
static void check_pairs(const struct model *m)
{
	struct model again;

	findings_of_rows(m, &findings, &again);
	CHECK(pairs_good(&findings, &again));
	model_free(&again);
}

/* The map in a block of its size: no look-up uses the extra room of the build. */
static void check_table(struct model *m, uint32_t values)
{
	struct pmumap *built = build_rows(m);
	struct pmumap *map = exact_copy(built, pmumap_size(built));
	const struct pmumap *opened = NULL;

	free(built);
	check_pairs(m);
	check_raw(map, m, values);
	check_need(m);
	check_listing(map, m);
	check_orders(map, m, 5);
	CHECK(pmumap_open(map, pmumap_size(map), &opened) == PMUMAP_OK && opened == map);
	free(map);
}

static void raw_tables(void)
{
	static const uint32_t sizes[] = { 1,  2,  3,  4,  5,  7,   8,   9,   15,  16,  17,  31,  32,
					  33, 48, 63, 64, 65, 127, 128, 129, 255, 256, 300, 1025 };
	char what[40];
	uint32_t i, kind;
	size_t sizes_n = sizeof(sizes) / sizeof(sizes[0]);

	for (i = 0; i < sizes_n; i++)
		for (kind = 0; kind < 16; kind++) {
			struct model m;

			snprintf(what, sizeof(what), "%u raw rows, kind %u", (unsigned)sizes[i],
				 (unsigned)kind);
			test_input = what;
			model_init(&m);
			raw_rows(&m, sizes[i], kind);
			check_table(&m, sizes[i] > 100 ? quick(2000, 100) : quick(5000, 500));
			model_free(&m);
		}
	test_input = "";
}

/* Hundreds of ranges and selectors, near SBI's events and elsewhere. */
static void event_rows(struct model *m, uint32_t n, uint32_t kind)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		uint32_t first = (uint32_t)random64() & (kind & 1 ? 0xfffff : 0x1007f);
		uint32_t length = random_below(1u << random_below(kind & 2 ? 20 : 6));

		if (kind == 8) { /* from events with an index byte to those without */
			first = i % 2 << 16 | (0x20 + random_below(0x20));
			length = 0x20 + random_below(0x1f);
		}
		model_add_counters(m, first, first + length,
				   (uint32_t)random64() & (uint32_t)random64());
	}
	/* No two for the same event, because their order would count. */
	for (i = 0; i < n; i++)
		model_add_selector(m, kind & 4 ? i * 2087 % MODEL_EVENTS : i % 2 << 16 | i, i % 5);
}

static void event_tables(void)
{
	static const uint32_t sizes[] = { 1, 2, 3, 30, 70, 130, 300 };
	char what[40];
	uint32_t i, kind;

	for (i = 0; i < quick(7, 4); i++)
		for (kind = 0; kind < 9; kind++) {
			struct pmumap *map;
			struct model m;

			snprintf(what, sizeof(what), "%u ranges, kind %u", (unsigned)sizes[i],
				 (unsigned)kind);
			test_input = what;
			model_init(&m);
			event_rows(&m, sizes[i], kind);
			map = build_rows(&m);
			model_paint(&m, &paint);
			check_events(map, &paint);
			free(map);
			check_table(&m, 10);
			model_free(&m);
		}
	test_input = "";
}

/*
 * Few rows give each event with a byte its own answer. The smallest block has room for these
 * records and for everything after them, and no more.
 */
static void all_different(void)
{
	struct pmumap *map;
	uint32_t i, bad = 0;
	struct model m;

	test_now = "all different";
	model_init(&m);
	for (i = 0; i < 66; i++)
		model_add_selector(&m, i < 64 ? i : 0xfffe + i, i);
	for (i = 0; i < 31; i++)
		model_add_counters(&m, 0x10000 + i, 0x1001e + i, 1u << (i < 3 ? i : i + 1));
	model_add_counters(&m, 0, 0x1003f, 8);
	for (i = 0; i < 10; i++)
		model_add_selector(&m, 0x20000 + 2 * i, 66 + i);
	map = build_rows(&m);
	for (i = 0; i < MODEL_EVENTS; i += i % 0x10000 == 0x7f ? 0xff81 : 1) {
		uint64_t got = 0, want = 0;

		bad += pmumap_selector(map, i, &got) != model_selector(&m, i, &want);
		bad += pmumap_counters(map, i) != model_counters(&m, i) || got != want;
	}
	CHECK_EQ(bad, 0);
	free(map);
	model_free(&m);
}

/* The place of each row has no other, unless there are copies or no index. */
static void check_places(const char *what, uint32_t n, uint64_t step, uint64_t mask, uint32_t low,
			 uint32_t copies)
{
	struct pmumap *map;
	struct model m;
	uint32_t i;

	test_now = what;
	model_init(&m);
	for (i = 0; i < n; i++)
		model_add_raw(&m, i * step & mask, mask, 8u << i % 29);
	map = build_rows(&m);
	CHECK_EQ(map->raw_low, low);
	CHECK_EQ(map->raw_copies, copies);
	CHECK_EQ(map->raw_none.more != 0, n > 10000);
	check_raw(map, &m, 100);
	free(map);
	model_free(&m);
}

static void places(void)
{
	static const struct {
		const char *what;
		uint32_t n;
		uint64_t step, mask;
		uint32_t low, copies;
	} tables[] = {
		{ "one row needs no bit", 1, 1, ~0ull, 0, 0 },
		{ "two rows need one", 2, 1, ~0ull, 1, 0 },
		{ "as many bits as the rows need", 9, 1, ~0ull, 15, 0 },
		{ "at most 16 places for a row, and 16 more", 2, 32, ~0ull, 0, 1 },
		{ "bits that all rows have in common", 16, 4, ~0ull, 63, 0 },
		{ "512 places", 512, 1, ~0ull, 511, 0 },
		{ "more rows than places", 1024, 1, ~0ull, 511, 512 },
		{ "nothing in the lowest bits", 30, 1ull << 16, ~0ull, 0, 30 },
		{ "rows in each place", 8, 2, ~1ull, 15, 0 },
		{ "as many rows as the index reaches", 10000, 512, ~0ull, 0, 10000 },
		{ "more rows than that", 12000, 1, ~0ull, 0, 0 },
	};
	size_t i;

	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		check_places(tables[i].what, tables[i].n, tables[i].step, tables[i].mask,
			     tables[i].low, tables[i].copies);
}

/* Rows that match together, or may: the answers, and how many copies there are. */
static void together(void)
{
	static const struct {
		const char *what;
		uint32_t n, copies;
		struct {
			uint64_t select, mask;
		} row[4];
	} tables[] = {
		{ "equal rows", 3, 2, { { 5, 15 }, { 5, 15 }, { 5, 15 } } },
		{ "one in the other", 2, 1, { { 0, 1ull << 40 }, { 0, 3ull << 40 } } },
		{ "one may match with the other", 2, 2, { { 0, 1ull << 40 }, { 0, 1ull << 41 } } },
		{ "and a third one",
		  3,
		  3,
		  { { 0, 1ull << 40 }, { 0, 1ull << 41 }, { 0, 7ull << 40 } } },
		{ "two apart", 2, 1, { { 0, 1ull << 40 }, { 1ull << 40, 1ull << 40 } } },
	};
	size_t k;

	for (k = 0; k < sizeof(tables) / sizeof(tables[0]); k++) {
		struct pmumap *map;
		struct model m;
		uint32_t i;

		test_now = tables[k].what;
		model_init(&m);
		for (i = 0; i < tables[k].n; i++)
			model_add_raw(&m, tables[k].row[i].select, tables[k].row[i].mask, 8u << i);
		map = build_rows(&m);
		CHECK_EQ(map->raw_low == 0 ? map->raw_copies : 0,
			 map->raw_low == 0 ? tables[k].copies : 0);
		check_raw(map, &m, 200);
		free(map);
		model_free(&m);
	}
}

/* A dropped row is no failure; an error of the block is. */
static void dropped(void)
{
	uint64_t block[64];
	struct pmumap_builder b;
	uint32_t skew;

	test_now = "dropped";
	for (skew = 0; skew < 8; skew += 4) {
		enum pmumap_status want = skew ? PMUMAP_E_ARG : PMUMAP_OK;

		pmumap_begin(&b, (char *)block + skew, sizeof(block) - skew);
		CHECK_EQ(pmumap_add_counters(&b, 3, 4, 0), want);
		CHECK_EQ(pmumap_add_raw(&b, 1, 1, 0), want);
		CHECK_EQ(pmumap_add_selector(&b, 0x100000, 1), want);
		CHECK_EQ(pmumap_add_counters(&b, 4, 3, 8), want);
		CHECK_EQ(pmumap_add_counters(&b, 0x100000, 0x100000, 8), want);
		CHECK_EQ(pmumap_add_raw(&b, 2, 1, 8), want);
		CHECK_EQ(b.kept, 0);
	}
}

/* Rows of one kind, far apart: each needs what it becomes. */
static void tight(void)
{
	const uint32_t n = 1000, row = 24; /* bytes that one waits in */
	const uint32_t sweep = 128;        /* bytes to find out in what a range says */
	const uint32_t copy = 24;          /* bytes of the copy of a raw row, if it gets one */
	uint32_t kind, i;

	test_now = "need";
	for (kind = 0; kind < 4; kind++) {
		struct pmumap_builder b;
		struct pmumap *map;
		struct model m;

		model_init(&m);
		for (i = 0; i < n; i++) {
			if (kind == 0)
				model_add_selector(&m,
						   i < 64    ? i
						   : i < 128 ? 0x10000 - 64 + i
							     : 0x40 + 2 * i,
						   i);
			else if (kind == 1)
				model_add_counters(&m, 0x40 + 2 * i, 0x40 + 2 * i, 8);
			else if (kind == 2)
				model_add_counters(&m, i % 64, 63, 8);
			else
				model_add_raw(&m, 0, random64() & random64(), 8);
		}
		pmumap_begin(&b, NULL, 0);
		add_rows(&b, &m);
		map = build_rows(&m);
		/* The map, or the rows again for sorting; these rows; and a fixed part. */
		CHECK(pmumap_need(&b) >= pmumap_size(map) + n * row + sweep);
		CHECK(pmumap_need(&b) <= (kind == 2 ? 2 * n * row : pmumap_size(map) + n * row) +
						 (kind == 3 ? n * copy : 0) + 4096);
		free(map);
		model_free(&m);
	}
}

/* That many rows, wherever they are, fit into the block for that many. */
static void blocks(void)
{
	static const uint32_t counts[] = { 0, 1, 2, 15, 16, 17, 63, 64, 65, 200 };
	static uint64_t block[PMUMAP_BLOCK(3, 2, 1) / 8];
	const struct pmumap *map;
	struct pmumap_builder b;
	uint32_t i, j, good = 0, equal = 0;

	for (i = 0; i < 1000; i++) {
		uint32_t s = counts[i % 10], r = counts[i / 10 % 10], w = counts[i / 100];

		pmumap_begin(&b, NULL, 0);
		for (j = 0; j < s; j++)
			pmumap_add_selector(&b, 0x1000 + 7 * j, j);
		for (j = 0; j < r; j++)
			pmumap_add_counters(&b, 0x3000 + j, 0x4000 + j, 8);
		for (j = 0; j < w; j++)
			pmumap_add_raw(&b, j, ~0ull, 8);
		good += pmumap_need(&b) <= PMUMAP_BLOCK(s, r, w) && PMUMAP_BLOCK(s, r, w) % 8 == 0;
		equal += pmumap_need(&b) == PMUMAP_BLOCK(s, r, w);
	}
	CHECK_EQ(good, 1000);
	CHECK_EQ(equal, 1000); /* none of these events has a place in the index */
	pmumap_begin(&b, block, sizeof(block));
	for (j = 1; j <= 3; j++)
		pmumap_add_selector(&b, 0x10000 + j, j);
	pmumap_add_counters(&b, 3, 4, 8);
	pmumap_add_counters(&b, 0x10001, 0x10003, 0x18);
	pmumap_add_raw(&b, 0, 0, 8);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
}

/* ---- one rule each --------------------------------------------------------------------------- */

#define SELECTORS "event-to-mhpmevent=<"
#define RANGES "event-to-mhpmcounters=<"
#define RAW "raw-event-to-mhpmcounters=<"
#define TWO "riscv," RANGES "3 6 8 1003e 10081 18>"
#define NEXT "> } next { compatible=\"riscv,pmu\" riscv,"
#define ONES "ffffffff ffffffff "
#define NONE 0xdeadbeefu /* no selector */

/* The tables of a node, and the counters of an event or of raw data, or a selector. */
static const struct {
	const char *rule, *tables;
	enum { COUNTERS_OF, COUNTERS_OF_RAW, SELECTOR_OF } ask;
	uint64_t question, want;
} rules[] = {
	{ "a range does not include the event before it", TWO, COUNTERS_OF, 0x2, 0 },
	{ "a range includes its first event", TWO, COUNTERS_OF, 0x3, 0x8 },
	{ "a range includes its last event", TWO, COUNTERS_OF, 0x6, 0x8 },
	{ "a range does not include the event after it", TWO, COUNTERS_OF, 0x7, 0 },
	{ "a long range does not include the event before it", TWO, COUNTERS_OF, 0x1003d, 0 },
	{ "a long range includes its first event", TWO, COUNTERS_OF, 0x1003e, 0x18 },
	{ "a long range includes its last event", TWO, COUNTERS_OF, 0x10081, 0x18 },
	{ "a long range does not include the event after it", TWO, COUNTERS_OF, 0x10082, 0 },
	{ "an event has the counters of all ranges that include it",
	  "riscv," RANGES "3 6 8 6 9 10>", COUNTERS_OF, 6, 0x18 },
	{ "ranges that begin together offer the counters of both", "riscv," RANGES "3 6 10 3 4 8>",
	  COUNTERS_OF, 3, 0x18 },
	{ "a range that ends before it begins is dropped", "riscv," RANGES "6 3 8>", COUNTERS_OF, 4,
	  0 },
	{ "an incomplete row is dropped", "riscv," RANGES "3 4 8 5 6>", COUNTERS_OF, 5, 0 },
	{ "of two selectors for an event the first counts", "riscv," SELECTORS "3 0 1 3 0 2>",
	  SELECTOR_OF, 3, 1 },
	{ "the upper cell of a selector comes first", "riscv," SELECTORS "3 1 2>", SELECTOR_OF, 3,
	  0x100000002 },
	{ "an event without a row has no selector", "riscv," SELECTORS "3 0 1>", SELECTOR_OF, 4,
	  NONE },
	{ "a selector offers no counter", "riscv," SELECTORS "3 0 1>", COUNTERS_OF, 3, 0 },
	{ "a raw row matches where its mask has ones", "riscv," RAW "0 10 0 f0 8>", COUNTERS_OF_RAW,
	  0x1f, 8 },
	{ "a raw row matches no other value", "riscv," RAW "0 10 0 f0 8>", COUNTERS_OF_RAW, 0x2f,
	  0 },
	{ "a raw row that selects a bit outside its mask is dropped", "riscv," RAW "0 11 0 f0 8>",
	  COUNTERS_OF_RAW, 0x11, 0 },
	{ "raw rows that match together offer the counters of both",
	  "riscv," RAW "0 5 " ONES "8 0 0 ffffffff fffffff0 10>", COUNTERS_OF_RAW, 5, 0x18 },
	{ "the tables of 2021 are read", "pmu," RANGES "3 4 8>", COUNTERS_OF, 3, 8 },
	{ "a table's current name wins", "pmu," RANGES "3 4 8> riscv," RANGES "3 4 10>",
	  COUNTERS_OF, 3, 0x10 },
	{ "a raw row of 2021 has three cells and matches one value", "pmu," RAW "0 5 8 0 6 10>",
	  COUNTERS_OF_RAW, 6, 0x10 },
	{ "a raw row of 2021 matches no other value", "pmu," RAW "0 5 8>", COUNTERS_OF_RAW, 0x15,
	  0 },
	{ "a raw row of 2021 compares all 64 bits", "pmu," RAW "0 5 8>", COUNTERS_OF_RAW,
	  0x8000000100000005, 0 },
	{ "of two nodes the first is read", "riscv," RANGES "3 4 8" NEXT RANGES "3 4 10>",
	  COUNTERS_OF, 3, 8 },
	{ "a node of the drafts of 2018 to 2020 is not read",
	  "riscv,width-base-cntr=<3f" NEXT RANGES "3 4 10>", COUNTERS_OF, 3, 0x10 },
	{ "a node with a draft's property is read if it has a table",
	  "riscv,width-base-cntr=<3f> riscv," RANGES "3 4 8" NEXT RANGES "3 4 10>", COUNTERS_OF, 3,
	  8 },
};

static void each_rule(void)
{
	char input[32];
	size_t i;

	for (i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		enum pmumap_status status;
		uint64_t number = rules[i].question, selector = NONE;
		struct pmumap *map;
		unsigned char *fdt;
		size_t size;

		start();
		blob_format(&tree, "{ pmu { compatible=\"riscv,pmu\" %s", rules[i].tables);
		fdt = finish(&size);
		map = build_tree(fdt, size, 0, NULL, &status);
		test_now = rules[i].rule;
		test_input = input;
		snprintf(input, sizeof(input), "0x%" PRIx64, number);
		if (rules[i].ask == COUNTERS_OF)
			CHECK_EQ(pmumap_counters(map, (uint32_t)number), rules[i].want);
		else if (rules[i].ask == COUNTERS_OF_RAW)
			CHECK_EQ(pmumap_raw_counters(map, number), rules[i].want);
		else
			CHECK_EQ((pmumap_selector(map, (uint32_t)number, &selector), selector),
				 rules[i].want);
		free(map);
		free(fdt);
	}
	test_now = test_input = "";
}

/* ---- properties as a tree stores them -------------------------------------------------------- */

enum { UNKNOWN = PMUMAP_TABLE_RAW_2021 + 1 };

/* So many bytes of a table are so many rows. Each cell has its number as value. */
static const struct {
	const char *name;
	int table;
	size_t bytes;
	uint32_t rows;
	enum pmumap_status status;
} lengths[] = {
	{ "an empty table of selectors", PMUMAP_TABLE_SELECTORS, 0, 0, PMUMAP_OK },
	{ "a byte too few for a selector", PMUMAP_TABLE_SELECTORS, 11, 0, PMUMAP_OK },
	{ "a selector", PMUMAP_TABLE_SELECTORS, 12, 1, PMUMAP_OK },
	{ "a selector and a rest", PMUMAP_TABLE_SELECTORS, 23, 1, PMUMAP_OK },
	{ "many selectors", PMUMAP_TABLE_SELECTORS, 119, 9, PMUMAP_OK },
	{ "a byte too few for a range", PMUMAP_TABLE_COUNTERS, 11, 0, PMUMAP_OK },
	{ "a range", PMUMAP_TABLE_COUNTERS, 12, 1, PMUMAP_OK },
	{ "many ranges", PMUMAP_TABLE_COUNTERS, 131, 10, PMUMAP_OK },
	{ "a byte too few for a raw row", PMUMAP_TABLE_RAW, 19, 0, PMUMAP_OK },
	{ "a raw row", PMUMAP_TABLE_RAW, 20, 1, PMUMAP_OK },
	{ "many raw rows", PMUMAP_TABLE_RAW, 119, 5, PMUMAP_OK },
	{ "a byte too few for a raw row of 2021", PMUMAP_TABLE_RAW_2021, 11, 0, PMUMAP_OK },
	{ "a raw row of 2021", PMUMAP_TABLE_RAW_2021, 12, 1, PMUMAP_OK },
	{ "many raw rows of 2021", PMUMAP_TABLE_RAW_2021, 59, 4, PMUMAP_OK },
	{ "an unknown table", UNKNOWN, 60, 0, PMUMAP_E_ARG },
	{ "a negative table", -1, 60, 0, PMUMAP_E_ARG },
};

/* The rows of the model that these cells are. */
static void model_table(struct model *m, int table, const unsigned char *at, uint32_t rows)
{
	const uint32_t each = table == PMUMAP_TABLE_RAW ? 20 : 12;

	m->has_selectors |= table == PMUMAP_TABLE_SELECTORS;
	for (; rows; rows--, at += each) {
		uint64_t pair = (uint64_t)model_cell(at) << 32 | model_cell(at + 4);

		if (table == PMUMAP_TABLE_SELECTORS)
			model_add_selector(m, model_cell(at),
					   (uint64_t)model_cell(at + 4) << 32 | model_cell(at + 8));
		else if (table == PMUMAP_TABLE_COUNTERS)
			model_add_counters(m, model_cell(at), model_cell(at + 4),
					   model_cell(at + 8));
		else if (table == PMUMAP_TABLE_RAW_2021)
			model_add_raw(m, pair, ~0ull, model_cell(at + 8));
		else if (table == PMUMAP_TABLE_RAW)
			model_add_raw(m, pair,
				      (uint64_t)model_cell(at + 8) << 32 | model_cell(at + 12),
				      model_cell(at + 16));
	}
}

/* At any address, in memory of exactly these bytes. Each cell is larger than the one before. */
static void length(size_t i, size_t shift)
{
	unsigned char *cells = exact(shift + lengths[i].bytes);
	uint64_t block[512];
	const struct pmumap *map = NULL;
	struct pmumap *want;
	struct pmumap_builder b;
	struct model m;
	size_t k;

	for (k = 0; k < lengths[i].bytes; k++)
		cells[shift + k] = (unsigned char)(k % 4 == 3 ? k / 4 : k % 4 == 2 ? 0xf8 : 0);
	model_init(&m);
	model_table(&m, lengths[i].table, cells + shift, lengths[i].rows);
	pmumap_begin(&b, block, sizeof(block));
	CHECK_EQ(pmumap_add_table(&b, (enum pmumap_table)lengths[i].table, cells + shift,
				  lengths[i].bytes),
		 lengths[i].status);
	CHECK_EQ(b.selector_rows + b.counter_rows + b.raw_rows, lengths[i].rows);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	CHECK_EQ(map->head.flags & PMUMAP_HAS_SELECTORS,
		 m.has_selectors ? PMUMAP_HAS_SELECTORS : 0);
	if (lengths[i].rows) {
		want = build_rows(&m);
		CHECK(same_image(want, map));
		free(want);
	}
	model_free(&m);
	free(cells);
}

/* NULL is no property, whatever the length. Other errors are those of a row. */
static void no_property(void)
{
	static const unsigned char cells[20];
	uint64_t block[64];
	struct pmumap_builder b;
	int table;

	for (table = 0; table < UNKNOWN; table++) {
		pmumap_begin(&b, block, sizeof(block));
		CHECK_EQ(pmumap_add_table(&b, (enum pmumap_table)table, NULL, (size_t)-1),
			 PMUMAP_OK);
		CHECK_EQ(b.selector_rows + b.counter_rows + b.raw_rows + b.map_flags, 0);
		pmumap_begin(&b, (char *)block + 4, sizeof(block) - 4);
		CHECK_EQ(pmumap_add_table(&b, (enum pmumap_table)table, NULL, 0), PMUMAP_E_ARG);
		CHECK_EQ(pmumap_add_table(&b, (enum pmumap_table)table, cells, 20), PMUMAP_E_ARG);
	}
}

/* What libfdt finds in a node makes the same map as the reader. */
static void by_libfdt(const unsigned char *fdt, size_t size)
{
	static const char *const names[] = { "event-to-mhpmevent", "event-to-mhpmcounters",
					     "raw-event-to-mhpmcounters" };
	int node = -1, length, table, form;
	char name[64];

	while ((node = fdt_node_offset_by_compatible(fdt, node, "riscv,pmu")) > 0) {
		enum pmumap_status status;
		struct pmumap *want = build_tree(fdt, size, node, NULL, &status);
		uint64_t *block = exact(status == PMUMAP_OK ? 1 << 20 : 0);
		const struct pmumap *map = NULL;
		struct pmumap_builder b;

		pmumap_begin(&b, block, status == PMUMAP_OK ? 1 << 20 : 0);
		for (table = 0; table < 3; table++) {
			const void *cells;

			snprintf(name, sizeof(name), "riscv,%s", names[table]);
			cells = fdt_getprop(fdt, node, name, &length);
			form = table;
			if (!cells) {
				snprintf(name, sizeof(name), "pmu,%s", names[table]);
				cells = fdt_getprop(fdt, node, name, &length);
				form += table == PMUMAP_TABLE_RAW;
			}
			pmumap_add_table(&b, (enum pmumap_table)form, cells, (size_t)length);
		}
		CHECK(want && pmumap_finish(&b, &map) == PMUMAP_OK && same_image(want, map));
		free(want);
		free(block);
	}
}

static void properties(void)
{
	size_t i, shift;

	for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		test_now = lengths[i].name;
		for (shift = 0; shift < 4; shift++)
			length(i, shift);
	}
	test_now = "";
	no_property();
	each_file("build/trees/*.dtb", by_libfdt);
	each_file(riscv_boards, by_libfdt);
}

int main(void)
{
	each_rule();
	properties();
	blocks();
	raw_tables();
	dropped();
	tight();
	places();
	together();
	all_different();
	event_tables();
	return test_summary();
}
