/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The binding's text as a program: model.c reads a tree's rows with libfdt and answers by scanning
 * them. Of 100,000 random trees, all boards and all test trees, pmumap answers the same three
 * questions alike: an event's selector, its counters, and a raw event's counters.
 */
#include "support.h"
#include "fuzz/riscv_tree.h"

#define TREES 100000u
#define INPUT 600u   /* random bytes of a tree */
#define VALUES 64u   /* raw events asked for */
#define STRIDE 0x667 /* between events that no row names */

static uint32_t trees, rows; /* compared so far */

static uint32_t ask_event(const struct pmumap *map, const struct model *m, uint32_t event)
{
	uint64_t want = 1, got = 1;
	int found = model_selector(m, event, &want);

	return pmumap_selector(map, event, &got) != found || got != want ||
	       pmumap_counters(map, event) != model_counters(m, event);
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

		bad += pmumap_raw_counters(map, raw) != model_raw_counters(m, raw);
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

	test_now = "boards and test trees";
	CHECK(each_riscv_board(compare) >= 16);
	each_file("build/trees/*.dtb", compare);
	each_file("build/corpus/*.dtb", compare);
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
