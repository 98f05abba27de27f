/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Real boards: every answer of every map, and every finding, equals the model's.
 */
#include "support.h"

static struct paint paint;
static struct findings findings;

static void check_encode(const struct pmumap *map, const struct model *m)
{
	uint32_t rule, i, good = 0, n = 0;

	/* And a rule that does not exist. */
	for (rule = PMUMAP_RULE_NONE; rule <= PMUMAP_RULE_ALWAYS + 1; rule++) {
		/* All codes of all SBI event types, and their neighbours. */
		for (i = 0; i < 16 * 0x102; i++, n++) {
			uint32_t event =
				i / 0x102 << 16 | (i % 0x102 == 0x101 ? 0xffff : i % 0x102);
			uint64_t data = random64(), got = 1, want = 1;
			int found = pmumap_encode(map, event, data, rule, &got);

			good += found == model_encode(m, event, data, rule, &want) && got == want;
		}
		good += pmumap_encode(map, MODEL_EVENTS + 1, 0, rule, &(uint64_t){ 0 }) == 0;
		n++;
	}
	CHECK_EQ(good, n);
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
	struct pmumap_fdt_options opt = { .check = pmumap_check,
					  .report = collect,
					  .arg = &findings };
	static uint64_t block[1 << 15];
	unsigned char *bytes = (unsigned char *)block;
	size_t need = 0, give, i, step = 1;
	uint32_t good = 0, n = 0;

	CHECK_EQ(pmumap_fdt_measure(fdt, size, &opt, &need), PMUMAP_OK);
	if (!CHECK(need + 64 < sizeof(block)))
		return;
	for (give = 0; give < need; give += step, n++) {
		const struct pmumap *map = (const struct pmumap *)block;

		step = give > 600 && give + 80 < need ? 61 : 1;
		memset(bytes + give, 0xa5, 64);
		findings.n = 0;
		good += pmumap_fdt_build(fdt, size, n % 2 ? &opt : NULL, block, give, &map) ==
				PMUMAP_E_NOSPACE &&
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
	model_paint(&m, paint.counters, paint.has, paint.selector);
	check_events(map, &paint);
	CHECK_EQ(pmumap_counters(map, MODEL_EVENTS | 3), 0);
	check_raw(map, &m, quick(1000000, 20000));
	check_encode(map, &m);
	check_copies(map, &m);
	check_listing(map, &m);
	check_orders(map, &m, 100);
	check_sizes(fdt, size);
	free(map);
	model_free(&m);
}

int main(void)
{
	CHECK(each_riscv_board(board) >= 16);
	each_file("build/corpus/*.dtb", board);
	return test_summary();
}
