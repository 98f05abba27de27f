/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Contract for arguments: overlapping memory, counts that would wrap, too large images, NULL
 * with length 0. Also names that are nearly those of tables.
 */
#include "make.h"
#include "pmumap_imc_check.h"
#include "pmumap_imc_hw.h"

#define ROWS 0x40000000u /* more row numbers there are not */

static struct findings findings;

/* ---- overlaps -------------------------------------------------------------------------------- */

/* What a map is built from. */
enum { TREE, CATALOG, MAP };

static unsigned char *small_tree(size_t *size)
{
	return make("pmu { compatible=\"riscv,pmu\" riscv,event-to-mhpmcounters=<3 3 8> }", size);
}

/* A catalog with an unused list. */
static unsigned char *small_catalog(size_t *size)
{
	return make("compatible=\"ibm,opal-in-memory-counters\" "
		    "list { phandle=<1> event { event-name=\"E\" reg=<8> } } "
		    "list { phandle=<2> event { event-name=\"F\" reg=<8> } } "
		    "u { compatible=\"ibm,imc-counters\" events-prefix=\"P_\" type=<4> reg=<0> "
		    "events=<1> size=<40> }",
		    size);
}

static unsigned char *small_map(size_t *size)
{
	struct model m;
	struct pmumap *map;

	model_init(&m);
	model_add_counters(&m, 3, 3, 0x18);
	map = build_rows(&m);
	model_free(&m);
	*size = pmumap_size(map);
	return (unsigned char *)map;
}

/* How often building into this block breaks its rule: refused only if the two share memory. */
static uint32_t bad_builds(int kind, const void *from, size_t size, void *block, size_t bytes,
			   enum pmumap_status want)
{
	const struct pmumap_grant grant = { 0x8, 0, NULL };
	const struct pmumap_imc *catalog = from;
	const struct pmumap *map = from;
	struct pmumap_builder b;
	uint32_t bad = 0;

	if (kind == CATALOG) {
		bad += pmumap_imc_fdt_build(from, size, NULL, block, bytes, &catalog) != want;
		bad += pmumap_imc_check(from, size, NULL, block, bytes, collect, &findings) != want;
		return bad + ((catalog != NULL) != (want == PMUMAP_OK));
	}
	if (kind == MAP) {
		bad += pmumap_restrict(from, &grant, block, bytes, &map) != want;
		bad += map && pmumap_counters(map, 3) != 8;
		pmumap_begin(&b, block, bytes);
		bad += pmumap_add_map(&b, from, NULL) != want;
		bad += pmumap_add_counters(&b, 4, 4, 8) != want;
	} else {
		bad += pmumap_fdt_build(from, size, NULL, block, bytes, &map) != want;
	}
	return bad + ((map != NULL) != (want == PMUMAP_OK));
}

/* Moves the block across what it is built from. given: claimed size of a tree, or 0. */
static void overlaps(int kind, unsigned char *(*make_source)(size_t *size), size_t given)
{
	static uint64_t memory[1024];
	unsigned char *all = (unsigned char *)memory, *from = all + 2048;
	size_t size, block = 1024, at;
	unsigned char *source = make_source(&size);
	uint32_t bad = 0;

	memcpy(from, source, size);
	for (at = 0; at + block <= sizeof(memory); at += 8) {
		int shared = at + block > 2048 && at < 2048 + size;

		bad += BROKEN("a block must not overlap what a map is built from", at,
			      bad_builds(kind, from, given ? given : size, all + at, block,
					 shared ? PMUMAP_E_ARG : PMUMAP_OK));
		bad += memcmp(from, source, size) != 0;
	}
	CHECK_EQ(bad, 0);
	if (kind == TREE) { /* data that is no blob, or not of that size, may overlap */
		bad += bad_builds(TREE, from, 7, all, block, PMUMAP_E_FDT_SIZE);
		from[4] = 0x7f;
		bad += bad_builds(TREE, from, size, all, block, PMUMAP_E_FDT_SIZE);
	} else if (kind == MAP) { /* without a block nothing overlaps, whatever its claimed size */
		struct pmumap_builder b;

		pmumap_begin(&b, NULL, ~(size_t)0);
		bad += pmumap_add_map(&b, (const void *)from, NULL) != PMUMAP_OK;
	}
	CHECK_EQ(bad, 0);
	free(source);
}

/* After building, the builder writes neither to its map nor to the rest of the block. */
static void used_up(void)
{
	static uint64_t memory[512], before[512];
	const struct pmumap *map = NULL, *again;
	struct pmumap_builder b;

	pmumap_begin(&b, memory, sizeof(memory));
	CHECK_EQ(pmumap_add_counters(&b, 3, 3, 0x18), PMUMAP_OK);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	memcpy(before, memory, sizeof(memory));
	again = map;
	CHECK_EQ(pmumap_add_selector(&b, 4, 0x44), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_add_counters(&b, 4, 4, 0x8), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_add_raw(&b, 4, 4, 0x8), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_finish(&b, &again), PMUMAP_E_ARG);
	CHECK(!again && !memcmp(before, memory, sizeof(memory)));

	/* Even if it was empty. */
	pmumap_begin(&b, memory, sizeof(memory));
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	memcpy(before, memory, sizeof(memory));
	CHECK_EQ(pmumap_add_selector(&b, 4, 0x44), PMUMAP_E_ARG);
	CHECK(!memcmp(before, memory, sizeof(memory)));
}

static void tree_and_map(void)
{
	static uint64_t memory[512];
	unsigned char *fdt = (unsigned char *)memory;
	const struct pmumap *m = NULL;
	size_t size, need = 0;
	unsigned char *small = small_tree(&size);

	memcpy(fdt, small, size);
	free(small);
	CHECK_EQ(pmumap_fdt_build(fdt, size, NULL, memory + 128, 1024, &m), PMUMAP_OK);
	if (!CHECK(m))
		return;
	CHECK_EQ(pmumap_fdt_emit(fdt, 1025, 0, m, &need), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_fdt_emit(fdt, sizeof(memory), 0, m, &need), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_fdt_emit(fdt, 1024, 0, m, &need), PMUMAP_OK);
}

/* ---- counts ---------------------------------------------------------------------------------- */

static enum pmumap_status add_one(struct pmumap_builder *b, uint32_t kind, int good)
{
	if (kind == 0)
		return pmumap_add_selector(b, good ? 3 : PMUMAP_EVENT_LIMIT, 1);
	if (kind == 1)
		return pmumap_add_counters(b, 3, good ? 3 : 2, 8);
	return pmumap_add_raw(b, 1, good ? 1 : 0, 8);
}

/* Adding that many rows takes too long, so set the builder's count. */
static enum pmumap_status after(uint32_t kind, uint64_t rows, int kept, int good)
{
	static uint64_t block[512];
	const struct pmumap *map = NULL;
	struct pmumap_builder b;
	enum pmumap_status status;

	pmumap_begin(&b, block, sizeof(block));
	b.selector_rows = kind == 0 ? rows : 0;
	b.counter_rows = kind == 1 ? rows : 0;
	b.raw_rows = kind == 2 ? rows : 0;
	if (kept)
		b.kept = (uint32_t)rows;
	if (kept && kind == 2)
		b.raw_kept = (uint32_t)rows;
	CHECK_EQ(add_one(&b, kind, good), PMUMAP_OK);
	CHECK_EQ(add_one(&b, kind, good), PMUMAP_OK);
	CHECK(pmumap_need(&b) > 0);
	status = pmumap_finish(&b, &map);
	CHECK((map != NULL) == (status == PMUMAP_OK));
	return status;
}

static void row_counts(void)
{
	uint32_t kind, good;

	for (kind = 0; kind < 3; kind++) {
		for (good = 0; good < 2; good++) {
			CHECK_EQ(after(kind, ROWS - 3, 0, (int)good), PMUMAP_OK);
			CHECK_EQ(after(kind, ROWS - 2, 0, (int)good), PMUMAP_E_LIMIT);
			CHECK_EQ(after(kind, 0xfffffffe, 0, (int)good), PMUMAP_E_LIMIT);
			CHECK_EQ(after(kind, 0xffffffff, 0, (int)good), PMUMAP_E_LIMIT);
			/* the count of those kept wraps to 0, and to 1 */
			CHECK_EQ(after(kind, 0xfffffffe, 1, (int)good), PMUMAP_E_LIMIT);
			CHECK_EQ(after(kind, 0xffffffff, 1, (int)good), PMUMAP_E_LIMIT);
		}
	}
}

/* ---- images ---------------------------------------------------------------------------------- */

/* Only the head exists: an image rejected for its size is not read. */
static void large_images(void)
{
	static const uint32_t sizes[] = { 0x80000000, 0xfffffff8 };
	const struct pmumap_imc *imc;
	const struct pmumap *map = NULL;
	_Alignas(8) struct pmumap head; /* on 32 bits its own alignment may be 4 */
	uint32_t i;

	for (i = 0; i < 2; i++) {
		memset(&head, 0, sizeof(head));
		head.head.magic = PMUMAP_MAGIC;
		head.head.version = PMUMAP_IMAGE_VERSION;
		head.head.size = sizes[i];
		head.records = head.sorted_count = 1;
		head.sorted = 0;
		map = &head;
		CHECK_EQ(pmumap_open(&head, ~(size_t)0, &map), PMUMAP_E_IMAGE_SIZE);
		CHECK(!map);
		head.head.magic = PMUMAP_IMC_MAGIC;
		imc = (const struct pmumap_imc *)(const void *)&head;
		CHECK_EQ(pmumap_imc_open(&head, ~(size_t)0, &imc), PMUMAP_E_IMAGE_SIZE);
		CHECK(!imc);
	}
}

/* ---- NULL with length 0 ---------------------------------------------------------------------- */

/* Refused or answered, and outputs as they were; a map that there is not is NULL. */
static void null_arguments(void)
{
	static uint64_t block[64], other[64];
	const struct pmumap_grant grant = { 8, 0, NULL }; /* no ranges: all events */
	const struct pmumap *some = NULL, *map;
	struct pmumap_builder b;
	uint32_t event = 5;
	uint64_t data = 6;

	dirty_stack();
	pmumap_begin(&b, block, sizeof(block));
	CHECK_EQ(pmumap_add_counters(&b, 3, 3, 8), PMUMAP_OK);
	CHECK_EQ(pmumap_finish(&b, &some), PMUMAP_OK);
	map = some;
	pmumap_begin(&b, NULL, 0);
	CHECK(pmumap_add_counters(&b, 3, 3, 8) == PMUMAP_OK && pmumap_need(&b));
	CHECK(pmumap_finish(&b, &map) == PMUMAP_OK && !map);
	map = some;
	CHECK_EQ(pmumap_fdt_build(NULL, 0, NULL, other, sizeof(other), &map), PMUMAP_E_ARG);
	CHECK(!map);
	CHECK_EQ(pmumap_fdt_build(block, sizeof(block), NULL, other, sizeof(other), NULL),
		 PMUMAP_E_ARG);
	CHECK_EQ(pmumap_fdt_check(block, sizeof(block), NULL, other, sizeof(other), NULL, NULL),
		 PMUMAP_E_ARG);
	CHECK_EQ(pmumap_fdt_check(NULL, 0, NULL, other, sizeof(other), collect, &findings),
		 PMUMAP_E_ARG);
	map = some;
	CHECK(pmumap_restrict(some, &grant, NULL, 0, &map) == PMUMAP_OK && !map);
	CHECK(!pmumap_event_parse(NULL, 0, &event, &data) && event == 5 && data == 6);
	CHECK_EQ(pmumap_plan_all(some, NULL, 0, ~0u, 0, PMUMAP_RULE_ALWAYS, NULL), 0);
}

static void null_imc_maps(void)
{
	static uint64_t block[128];
	const struct pmumap_imc *some = (const struct pmumap_imc *)block, *map = some;
	size_t need = 1;

	CHECK(pmumap_imc_open(NULL, 0, &map) == PMUMAP_E_ARG && !map);
	CHECK(pmumap_imc_fdt_measure(NULL, 0, NULL, &need) == PMUMAP_E_ARG && need == 1);
	CHECK_EQ(pmumap_imc_fdt_measure(block, 8, NULL, NULL), PMUMAP_E_ARG);
	map = some;
	CHECK(pmumap_imc_fdt_build(NULL, 0, NULL, block, 64, &map) == PMUMAP_E_ARG && !map);
	CHECK_EQ(pmumap_imc_fdt_build(block, 64, NULL, block + 8, 64, NULL), PMUMAP_E_ARG);
	map = some;
	CHECK(pmumap_imc_fdt_build(block, 64, NULL, NULL, 0, &map) == PMUMAP_E_ARG && !map);
	map = some;
	CHECK(pmumap_imc_fdt_build(block, 8, NULL, (char *)block + 65, 64, &map) == PMUMAP_E_ARG &&
	      !map);
	CHECK_EQ(pmumap_imc_check(NULL, 0, NULL, block, 64, collect, &findings), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_imc_check(block, 64, NULL, block + 8, 64, NULL, NULL), PMUMAP_E_ARG);
}

static void null_imc_arguments(void)
{
	static const struct pmumap_imc_chips chips = { .count = 0 }; /* neither chips nor bases */
	static uint64_t block[128];
	const struct pmumap_imc *map = NULL;
	uint32_t event = 7;
	unsigned char *fdt;
	size_t offset = 1, size = 2, bytes;

	fdt = small_catalog(&bytes);
	CHECK_EQ(pmumap_imc_fdt_build(fdt, bytes, NULL, block, sizeof(block), &map), PMUMAP_OK);
	CHECK(map && !pmumap_imc_find_name(map, NULL, 0, 0, &event) &&
	      !pmumap_imc_find_name(map, NULL, 0, 1, &event) && event == 7);
	free(fdt);
	CHECK(!pmumap_imc_catalog(NULL, 0, 0, &offset, &size) && offset == 1 && size == 2);
	CHECK(pmumap_imc_fdt_fixup(NULL, 0, &chips, &size) == PMUMAP_E_ARG && size == 2);
	fdt = small_tree(&bytes);
	CHECK_EQ(pmumap_imc_fdt_fixup(fdt, bytes, &chips, &size), PMUMAP_OK);
	free(fdt);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* A hostile node: similar names, and values that are never read past their end. */
static void hostile_names(void)
{
	static const struct {
		const char *name;
		uint32_t near;
	} names[] = {
		{ "riscv,event-to-mhpmevent-and-so-on-and-on-and-on-and-on-and-on", 0 },
		{ "-------------------------------------------------------------", 0 },
		{ "riscv,------------------------------event-to-mhpmevent", 0 },
		{ "riscv,-----------------------------event-to-mhpmevent", 1 },
		{ "riscv,----------------------------event-to-mhpmevent-", 1 },
		{ "", 0 },
		{ "riscv", 0 },
		{ "riscv,", 0 },
		{ ",", 0 },
		{ "status-", 0 },
		{ "event-to-mhpmeve", 1 },
		{ "event-to-mhpmev", 0 },
		{ "event-to-mhpmeventxy", 1 },
		{ "event-to-mhpmeventxyz", 0 },
		{ "xyevent-to-mhpmevent", 1 },
		{ "event-to-mhpmxyzent", 0 },
		{ "event-to-mhpmxyent", 1 },
	};
	size_t i, size;
	enum pmumap_status status;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		static uint64_t block[256];
		struct model m;
		unsigned char *fdt;

		test_now = names[i].name;
		start();
		begin("");
		begin("pmu");
		text("compatible", "riscv,pmu");
		cell(names[i].name, 1);
		fdt = finish(&size);
		findings.n = 0;
		status =
			pmumap_fdt_check(fdt, size, NULL, block, sizeof(block), collect, &findings);
		CHECK_EQ(status, PMUMAP_OK);
		CHECK_EQ(findings.n, 1 + names[i].near);
		model_init(&m);
		CHECK(model_read(&m, fdt, 0));
		model_check(&m);
		check_findings(&findings, &m);
		model_free(&m);
		free(fdt);
	}
	test_now = "";
}

int main(void)
{
	overlaps(TREE, small_tree, 0);
	overlaps(TREE, small_tree, 4096);
	overlaps(CATALOG, small_catalog, 0);
	overlaps(MAP, small_map, 0);
	used_up();
	tree_and_map();
	row_counts();
	large_images();
	null_arguments();
	null_imc_maps();
	null_imc_arguments();
	hostile_names();
	return test_summary();
}
