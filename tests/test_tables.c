/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tables that no board has: every number of raw rows and every kind of mask that takes another way
 * through the builder, and many ranges that overlap, nest and touch.
 */
#include "support.h"

static struct paint paint;
static struct findings findings;

/* Masks: one for all; few; prefixes of an address; many alike and some without; dense; sparse. */
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

/* Selects: counting up, shifted into the mask, or anything that the mask lets through. */
static void raw_rows(struct model *m, uint32_t n, uint32_t kind)
{
	uint32_t row;

	for (row = 0; row < n; row++) {
		uint64_t mask = mask_of(kind % 8, row);
		uint64_t select = kind & 8 ? random64() : (uint64_t)row * 0x100000001u;

		model_add_raw(m, select & mask, mask, 8u << row % 29);
	}
}

/* A block one byte short is too small, and the need does not depend on the block. */
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

static void check_table(struct model *m, uint32_t values)
{
	struct pmumap *map = build_rows(m, &findings);
	const struct pmumap *opened = NULL;

	CHECK(pairs_good(&findings, m));
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
			test_now = what;
			model_init(&m);
			raw_rows(&m, sizes[i], kind);
			check_table(&m, sizes[i] > 100 ? quick(2000, 100) : quick(5000, 500));
			model_free(&m);
		}
	test_now = "";
}

/* Ranges and selectors by the hundred, around the events that SBI defines and anywhere else. */
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
	/* No two for one event: the order of those would count. */
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
			test_now = what;
			model_init(&m);
			event_rows(&m, sizes[i], kind);
			map = build_rows(&m, NULL);
			model_paint(&m, paint.counters, paint.has, paint.selector);
			check_events(map, &paint);
			free(map);
			check_table(&m, 10);
			model_free(&m);
		}
	test_now = "";
}

/* More rows than the index has numbers for. */
static void most_rows(void)
{
	struct model m;
	struct pmumap *map;

	test_now = "40000 raw rows";
	model_init(&m);
	raw_rows(&m, 40000, 0);
	map = build_rows(&m, NULL);
	check_raw(map, &m, quick(1000, 100));
	free(map);
	model_free(&m);
}

int main(void)
{
	raw_tables();
	most_rows();
	event_tables();
	return test_summary();
}
