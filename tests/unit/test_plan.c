/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One call for one event: the counter and what to program, against the model. Also the block that
 * suffices for a number of rows, and the facts about a hart in a tree.
 */
#include "make.h"
#include "wants.h"

#define SOF PMUMAP_SSCOFPMF
#define SMC PMUMAP_SMCNTRPMF
#define FIL PMUMAP_FILTER

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

/* A hardware or cache event, or a raw one, which data selects. */
static uint32_t some_event(const struct model *m, uint64_t *data)
{
	uint32_t i = random_below(5);

	*data = i < 3 ? 0 : raw_value(m, random_below(8));
	if (i > 2)
		return i == 3 ? PMUMAP_EVENT_RAW : PMUMAP_EVENT_RAW_V2;
	return i ? 0x10000 + random_below(0x38) : random_below(12);
}

/* Several at once, some of them running already: who gets which counter, and every job. */
static uint32_t all_planned(const struct pmumap *map, const struct model *m)
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
		want[i].event = some_event(m, &want[i].data);
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
	uint32_t event, i, good = 0, n = 0;
	struct model m;

	CHECK_EQ(status, PMUMAP_OK);
	model_init(&m);
	CHECK(model_read(&m, fdt, 0));
	for (event = 0; event < 16 * 0x48; event++) {
		uint32_t code = event / 0x48 << 16 | event % 0x48;

		for (i = 0; i < 7 * 8 * 3; i++, n++)
			good += planned(map, &m, code, raw_value(&m, i % 8), frees[i % 8],
					features[i / 8 % 7], i / 56);
	}
	CHECK_EQ(good, n);
	for (i = n = 0; i < quick(20000, 1000); i++)
		n += all_planned(map, &m);
	CHECK_EQ(n, 0);
	CHECK(pmumap_size(map) <= PMUMAP_BLOCK(m.selectors, m.ranges, m.raws));
	free(map);
	model_free(&m);
}

/* Common on real boards: cycles and instructions have no selector there. */
static void fixed_counters(void)
{
	size_t size;
	unsigned char *fdt = load("build/boards/sifive-u74.dtb", &size);
	enum pmumap_status status;
	struct pmumap *map = build_tree(fdt, size, 0, NULL, &status);
	struct pmumap_job job;

	CHECK_EQ(pmumap_plan(map, 1, 0, 0x1d, 0, PMUMAP_RULE_ABSENT, &job), 0);
	CHECK_EQ(job.selector, 0);
	CHECK_EQ(pmumap_plan(map, 2, 0, 0x1d, 0, PMUMAP_RULE_ABSENT, &job), 2);
	CHECK_EQ(pmumap_plan(map, 0x10001, 0, 0x1d, 0, PMUMAP_RULE_ABSENT, &job), 3);
	CHECK_EQ(job.selector, 0x202);
	CHECK_EQ(pmumap_plan(map, 1, 0, 0x18, 0, PMUMAP_RULE_ABSENT, &job), PMUMAP_BUSY);
	/* Only a fixed counter could count it, and that one cannot filter. */
	CHECK_EQ(pmumap_plan(map, 1, 0, 0x1d, FIL, PMUMAP_RULE_ABSENT, &job), PMUMAP_UNSUPPORTED);
	CHECK_EQ(pmumap_plan(map, 0x20000, 0x1801, 0x1d, 0, PMUMAP_RULE_ABSENT, &job), 3);
	CHECK_EQ(job.selector, 0x1801);
	CHECK_EQ(job.data, 0x1801);
	free(map);
	free(fdt);
}

/* An event without a selector does not take a counter from one that has a selector. */
static void without_selector(void)
{
	struct pmumap_want want[3] = { { 0, 5, 0, 0, 0 }, { 0, 1, 0, 0, 0 }, { 0, 4, 0, 0, 0 } };
	struct pmumap_job job[3];
	struct pmumap *map;
	struct model m;

	model_init(&m);
	model_add_counters(&m, 1, 6, 0x8);
	model_add_selector(&m, 4, 0x44);
	map = build_rows(&m);
	CHECK_EQ(pmumap_plan_all(map, want, 3, 0x9, PMUMAP_CAN_INTERRUPT, PMUMAP_RULE_ABSENT, job),
		 2);
	CHECK(want[0].counter == PMUMAP_UNSUPPORTED && want[0].counters == 0);
	CHECK(want[1].counter == 0 && want[1].counters == 1 && job[1].selector == 0);
	CHECK(want[2].counter == 3 && want[2].counters == 8 && job[2].selector == 0x44);
	CHECK_EQ(pmumap_plan_all(map, want, 3, 0x9, 0, PMUMAP_RULE_ALWAYS, job), 2);
	CHECK(want[0].counter == 3 && job[0].selector == 5 && want[2].counter == PMUMAP_BUSY);
	free(map);
	model_free(&m);
}

/* If free has all counters of the hart, BUSY can never end: the tree names others. */
static void for_ever(void)
{
	struct pmumap_want want = { 0, 4, 0, 0, 0 };
	struct pmumap_job job;
	struct pmumap *map;
	struct model m;

	model_init(&m);
	model_add_counters(&m, 3, 4, 0x18);
	model_add_counters(&m, 5, 6, 0x20);
	map = build_rows(&m);
	CHECK_EQ(pmumap_plan(map, 4, 0, 0x5, 0, PMUMAP_RULE_ABSENT, &job), PMUMAP_BUSY);
	CHECK_EQ(pmumap_plan(map, 4, 0, 0xd, 0, PMUMAP_RULE_ABSENT, &job), 3);
	CHECK_EQ(pmumap_plan_all(map, &want, 1, 0xd, 0, PMUMAP_RULE_ABSENT, &job), 1);
	CHECK(want.counters & 0xd);
	CHECK_EQ(pmumap_plan(map, 5, 0, 0xd, 0, PMUMAP_RULE_ABSENT, &job), PMUMAP_BUSY);
	want.event = 5;
	CHECK_EQ(pmumap_plan_all(map, &want, 1, 0xd, 0, PMUMAP_RULE_ABSENT, &job), 0);
	CHECK(!(want.counters & 0xd));
	CHECK_EQ(pmumap_plan(map, 7, 0, 0xd, 0, PMUMAP_RULE_ABSENT, &job), PMUMAP_UNSUPPORTED);
	free(map);
	model_free(&m);
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

struct cpu {
	const char *isa, *extensions; /* of the latter "|" stands for the NUL between two */
	uint32_t want;
};

static const struct cpu cpus[] = {
	{ NULL, NULL, 0 },
	{ "rv64imafdc", NULL, 0 },
	{ "rv64imafdc_sscofpmf", NULL, SOF },
	{ "rv64imafdch_zicntr_sscofpmf_smcntrpmf", NULL, SOF | SMC },
	{ "RV64GC_SSCOFPMF1p0_Smcntrpmf", NULL, SOF | SMC },
	{ "rv64imafdc_sscofpmfx_xsmcntrpmf", NULL, 0 },
	{ "rv64imafdcsscofpmf", NULL, SOF },
	{ "RV64IMACSmcntrpmf1p0_sscofpmf", NULL, SOF | SMC },
	{ "rv64i_sscofpmf0p9_smcntrpmf9", NULL, SOF | SMC },
	{ "rv64imafdcxsscofpmf", NULL, 0 },
	{ "rv64imafdczicsr_xsmcntrpmf", NULL, 0 },
	{ "rv64imafdcsu_sscofpmf", NULL, SOF },
	{ "rv64i_m_smcntrpmfsscofpmf", NULL, 0 },
	{ "rv64i_smcntrpm", NULL, 0 },
	{ "rv64i_sscofpmf.1", NULL, 0 },
	{ NULL, "i|m|sscofpmf", SOF },
	{ NULL, "smcntrpmf", SMC },
	{ NULL, "i|sscofpmf2|smcntrpmf", SMC },
	{ "rv64i_sscofpmf_smcntrpmf", "i|smcntrpmf", SMC },
	{ "rv64i_sscofpmf", "i", 0 },
	{ "rv64i_sscofpmf", "", 0 },
	{ "rv64iysscofpmf", NULL, SOF }, /* y is a letter as others are */
	{ "rv64izsscofpmf", NULL, 0 },   /* one word */
	{ "rv64ixsscofpmf", NULL, 0 },
	{ "rv64i__x", NULL, 0 },
	{ "rv64i_", NULL, 0 },
	{ "rv64i_smcdeleg_ssccfg_sscsrind", NULL, PMUMAP_DELEGATED },
	{ "rv64i_smcdeleg", NULL, 0 },
	{ "rv64i_ssccfg", NULL, 0 },
	{ NULL, "i|ssccfg|smcdeleg|sscofpmf", SOF | PMUMAP_DELEGATED },
};

#define CPUS (sizeof(cpus) / sizeof(cpus[0]))

/*
 * All of them in one tree, numbered from first; cells of an address: 1 or 2, or 0 for unspecified.
 */
static unsigned char *harts(uint32_t cells, uint32_t first, size_t *size)
{
	uint32_t i, at;

	start(8192);
	begin("");
	if (cells == 1)
		cell("#address-cells", 2); /* not that of /cpus */
	begin("cpus");
	if (cells)
		cell("#address-cells", cells);
	for (i = 0; i < CPUS; i++) {
		unsigned char reg[8] = { 0 }, list[64];
		char name[16];

		snprintf(name, sizeof(name), "cpu@%x", (unsigned)(first + i));
		begin(name);
		reg[cells == 1 ? 3 : 7] = (unsigned char)(first + i);
		bytes("reg", reg, cells == 1 ? 4 : 8);
		if (cpus[i].isa)
			text("riscv,isa", cpus[i].isa);
		for (at = 0; cpus[i].extensions && cpus[i].extensions[at]; at++)
			list[at] = cpus[i].extensions[at] == '|'
					   ? 0
					   : (unsigned char)cpus[i].extensions[at];
		list[at] = 0;
		if (cpus[i].extensions)
			bytes("riscv,isa-extensions", list, at + 1);
		begin("interrupt-controller");
		bytes("reg", reg, cells == 1 ? 4 : 8);
		text("riscv,isa", "rv64i_sscofpmf_smcntrpmf");
		begin("cpu@62");
		reg[cells == 1 ? 3 : 7] = 0x62;
		bytes("reg", reg, cells == 1 ? 4 : 8);
		text("riscv,isa", "rv64i_sscofpmf");
		end();
		end();
		end();
	}
	end();
	begin("soc");
	begin("cpu@63");
	cell("reg", 0x63);
	text("riscv,isa", "rv64i_sscofpmf");
	end();
	end();
	end();
	return finish(size);
}

static void features(void)
{
	uint32_t cells, i;
	unsigned char *fdt;
	size_t size, cut;

	for (cells = 0; cells <= 2; cells++) {
		fdt = harts(cells, 5, &size);
		for (i = 0; i < CPUS; i++)
			CHECK_EQ(pmumap_fdt_features(fdt, size, 5 + i), cpus[i].want);
		CHECK_EQ(pmumap_fdt_features(fdt, size, 4), 0);
		CHECK_EQ(pmumap_fdt_features(fdt, size, 0x62), 0);
		CHECK_EQ(pmumap_fdt_features(fdt, size, 0x63), 0);
		CHECK_EQ(pmumap_fdt_features(fdt, size, (1ull << 32) + 7), 0);
		CHECK_EQ(pmumap_fdt_size(fdt), size);
		for (cut = 0; cut < size; cut++) {
			unsigned char *part = exact_copy(fdt, cut);

			CHECK_EQ(pmumap_fdt_features(part, cut, 7), 0);
			free(part);
		}
		free(fdt);
	}
	fdt = harts(2, 5, &size);
	fdt[size - fdt_size_dt_strings(fdt) - 1] = 0; /* the last tag: FDT_END no more */
	CHECK_EQ(pmumap_fdt_features(fdt, size, 7), 0);
	free(fdt);
	fdt = harts(3, 5, &size);
	CHECK_EQ(pmumap_fdt_features(fdt, size, 7), 0);
	free(fdt);
	CHECK_EQ(pmumap_fdt_features(NULL, 0, 0), 0);
}

/* Truncated values; the first of two properties and of two harts counts. */
static void odd_harts(void)
{
	unsigned char *fdt;
	size_t size;

	start(4096);
	begin("");
	begin("cpus");
	bytes("#address-cells", "\0\0\1", 3); /* no cell: 2 */
	begin("cpu-map");
	text("riscv,isa", "rv64i_sscofpmf");
	end();
	begin("l2-cache@2");
	bytes("reg", "\0\0\0\0\0\0\0\2", 8);
	text("riscv,isa", "rv64i_smcntrpmf");
	end();
	begin("cpu@0");
	bytes("reg", "\0\0\0\0\0\0\0", 7);
	text("riscv,isa", "rv64i_sscofpmf");
	end();
	begin("cpu@1");
	bytes("reg", "\0\0\0\0\0\0\0\1", 8);
	bytes("riscv,isa", "rv64i_sscofpmf_smcntrpm", 22);
	text("riscv,isa", "rv64i_smcntrpmf");
	end();
	begin("cpu@1,again");
	bytes("reg", "\0\0\0\0\0\0\0\1", 8);
	text("riscv,isa", "rv64i_smcntrpmf");
	end();
	begin("cpu@2");
	bytes("reg", "\0\0\0\0\0\0\0\2", 8);
	bytes("riscv,isa", "rv64i_sscofpmf", 14); /* no NUL */
	end();
	begin("cpu@3");
	bytes("reg", "\0\0\0\0\0\0\0\3", 8);
	bytes("riscv,isa-extensions", "sscofpmf", 8);
	end();
	begin("cpu@7");
	bytes("reg", "\0\0\0\0\0\0\0\7", 8);
	bytes("riscv,isa", "rv64i\0_sscofpmf", 16);
	end();
	begin("cpu@5");
	bytes("reg-names", "\0\0\0\0\0\0\0\6", 8);
	bytes("reg", "\0\0\0\0\0\0\0\5", 8);
	text("riscv,isa", "rv64i_sscofpmf");
	end();
	end();
	begin("soc");
	begin("cpus");
	end();
	begin("cpu@6"); /* in no cpus, though beside one */
	bytes("reg", "\0\0\0\0\0\0\0\6", 8);
	text("riscv,isa", "rv64i_sscofpmf");
	end();
	end();
	begin("cpus@1");
	begin("cpu@4");
	bytes("reg", "\0\0\0\0\0\0\0\4", 8);
	text("riscv,isa", "rv64i_sscofpmf");
	end();
	end();
	end();
	fdt = finish(&size);
	CHECK_EQ(pmumap_fdt_features(fdt, size, 0), 0);
	CHECK_EQ(pmumap_fdt_features(fdt, size, 1), SOF);
	CHECK_EQ(pmumap_fdt_features(fdt, size, 2), SOF);
	CHECK_EQ(pmumap_fdt_features(fdt, size, 3), 0);
	CHECK_EQ(pmumap_fdt_features(fdt, size, 4), 0);
	CHECK_EQ(pmumap_fdt_features(fdt, size, 5), SOF);
	CHECK_EQ(pmumap_fdt_features(fdt, size, 6), 0);
	CHECK_EQ(pmumap_fdt_features(fdt, size, 7), 0);
	free(fdt);
}

/* No cells, no address. */
static void no_cells(void)
{
	unsigned char *fdt;
	size_t size;

	start(4096);
	begin("");
	begin("cpus");
	cell("#address-cells", 0);
	begin("cpu@0");
	bytes("reg", "\0\0\0\0\0\0\0\0", 8);
	text("riscv,isa", "rv64i_sscofpmf");
	end();
	end();
	end();
	fdt = finish(&size);
	CHECK_EQ(pmumap_fdt_features(fdt, size, 0), 0);
	free(fdt);
}

static void sizes(void)
{
	static const struct {
		unsigned char head[8];
		uint32_t want;
	} rows[] = {
		{ { 0xd0, 0x0d, 0xfe, 0xed, 0, 0, 0x12, 0x34 }, 0x1234 },
		{ { 0xd0, 0x0d, 0xfe, 0xed, 0xff, 0xff, 0xff, 0xff }, 0xffffffffu },
		{ { 0xd0, 0x0d, 0xfe, 0xed, 0, 0, 0, 40 }, 40 },
		{ { 0xd0, 0x0d, 0xfe, 0xed, 0, 0, 0, 39 }, 0 },
		{ { 0xed, 0xfe, 0x0d, 0xd0, 0, 0, 0x12, 0x34 }, 0 },
		{ { 0, 0, 0, 0, 0, 0, 0x12, 0x34 }, 0 },
	};
	uint32_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		void *head = exact_copy(rows[i].head, 8);

		CHECK_EQ(pmumap_fdt_size(head), rows[i].want);
		free(head);
	}
	CHECK_EQ(pmumap_fdt_size(NULL), 0);
}

int main(void)
{
	CHECK(each_riscv_board(board) >= 16);
	each_file("build/corpus/*.dtb", board);
	fixed_counters();
	without_selector();
	for_ever();
	blocks();
	features();
	odd_harts();
	no_cells();
	sizes();
	return test_summary();
}
