/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Findings of each tree equal the model's, and each code occurs in a tree or in a board with a
 * mistake (tests/trees/table.txt lists them for check-trees). Then random tables against the model.
 */
#include "make.h"
#include "imc_support.h"
#include "amu_support.h"
#include "fuzz/fuzz_rows.h"

static struct findings findings;
static struct paint paint;

static const struct {
	uint32_t number;
	const char *text;
} codes[] = {
#define X(name, number, text) { PMUMAP_F_##name, text },
	PMUMAP_FINDING_LIST(X) PMUMAP_IMC_FINDING_LIST(X) PMUMAP_AMU_FINDING_LIST(X)
#undef X
};

#define CODES (sizeof(codes) / sizeof(codes[0]))

static unsigned char covered[CODES]; /* codes that some fixture has shown */

static void note_codes(void)
{
	uint32_t i, code;

	for (i = 0; i < findings.n; i++) {
		for (code = 0; code < CODES; code++)
			if (!strcmp(findings.at[i].code, codes[code].text))
				break;
		CHECK(code < CODES && findings.number[i] == codes[code].number);
		if (code < CODES)
			covered[code] = 1;
	}
}

static void imc_fixture(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	struct pmumap_imc *map = imc_build(fdt, size, NULL, &status);
	struct pmumap_imc_unit unit;
	struct imc_model m;

	CHECK_EQ(imc_findings(fdt, size, NULL, &findings), status);
	CHECK_EQ(imc_model_read(&m, fdt, 0, 0), map != NULL);
	CHECK(!BROKEN("a unit without a known type, or with events but no reg, is dropped", m.units,
		      map && pmumap_imc_unit_at(map, m.units, &unit)));
	check_imc_findings(&findings, &m);
	CHECK(map != NULL && (m.counters > 0 || m.old));
	if (map)
		check_imc(map, &m, 0);
	free(map);
	imc_model_free(&m);
}

static void amu_fixture(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	struct pmumap_amu *map = amu_build(fdt, size, 0, &status);
	struct amu_model m;

	findings = amu_findings;
	CHECK_EQ(amu_model_read(&m, fdt), map != NULL);
	match_findings(&amu_findings, m.finding, m.findings, NULL, same_in_all, NULL);
	CHECK(map != NULL && m.cpus > 0);
	if (map)
		check_amu(map, &m);
	free(map);
	amu_model_free(&m);
}

static void riscv_fixture(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	struct pmumap *map = build_tree(fdt, size, 0, &findings, &status);
	struct model m;

	CHECK(status == PMUMAP_OK || status == PMUMAP_E_NOTFOUND);
	model_init(&m);
	CHECK_EQ(model_read(&m, fdt, 0), map != NULL);
	model_check(&m);
	check_findings(&findings, &m);
	if (map) {
		model_paint(&m, &paint);
		check_events(map, &paint);
		check_raw(map, &m, 10000);
	}
	free(map);
	model_free(&m);
}

/* The kinds of map in a tree. A tree without a map counts as RISC-V. */
static void fixture(const unsigned char *fdt, size_t size)
{
	size_t bytes;
	int imc = pmumap_imc_fdt_measure(fdt, size, NULL, &bytes) == PMUMAP_OK;
	int amu = pmumap_amu_fdt_measure(fdt, size, NULL, &bytes) == PMUMAP_OK;
	int riscv = pmumap_fdt_measure(fdt, size, NULL, &bytes) == PMUMAP_OK || !(imc || amu);

	if (imc) {
		imc_fixture(fdt, size);
		note_codes();
	}
	if (amu) {
		amu_fixture(fdt, size);
		note_codes();
	}
	if (riscv) {
		riscv_fixture(fdt, size);
		note_codes();
	}
}

/* The builder's own statuses. */
static void builder(void)
{
	static uint64_t block[512];
	struct pmumap_builder b;
	const struct pmumap *map = (const struct pmumap *)block;
	uint32_t i;

	test_now = "builder";
	unasked(block, sizeof(block));
	pmumap_begin(&b, (char *)block + 4, sizeof(block) - 4);
	CHECK_EQ(pmumap_add_raw(&b, 1, 1, 8), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_E_ARG);
	CHECK(!map && untouched(block, sizeof(block)));
	pmumap_begin(&b, block, sizeof(block));
	CHECK_EQ(pmumap_finish(&b, NULL), PMUMAP_E_ARG);
	pmumap_begin(&b, NULL, 0);
	map = (const struct pmumap *)block;
	CHECK_EQ(pmumap_add_counters(&b, 3, 3, 8), PMUMAP_OK);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	CHECK(!map);
	pmumap_begin(&b, block, sizeof(struct pmumap));
	CHECK_EQ(pmumap_add_counters(&b, 3, 3, 8), PMUMAP_OK);
	map = (const struct pmumap *)block;
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_E_NOSPACE);
	CHECK(!map);
	CHECK_EQ(pmumap_open(block, sizeof(block), &map), PMUMAP_E_IMAGE_MAGIC);
	pmumap_begin(&b, NULL, 0);
	for (i = quick(1, 0) ? 0 : 40000000; i < 40000000; i++)
		(void)pmumap_add_selector(&b, 0x40, i);
	CHECK_EQ(pmumap_finish(&b, &map), quick(PMUMAP_E_LIMIT, PMUMAP_OK));
	test_now = "";
}

/*
 * A second selector is an error unless it is equal. The first one applies, with or without a check.
 */
static void second_selector(void)
{
	uint32_t second;

	test_now = "a second selector";
	for (second = 1; second < 4; second++) {
		struct pmumap *map;
		struct model m, again;
		uint64_t selector = 0;

		model_init(&m);
		model_add_counters(&m, 1, 3, 8);
		model_add_selector(&m, 1, 4);
		model_add_selector(&m, 2, 5);
		model_add_selector(&m, 3, 2);
		model_add_selector(&m, 3, second);
		findings_of_rows(&m, &findings, &again);
		CHECK(findings.n == 1 && !strcmp(findings.at[0].code, "selector-duplicate"));
		CHECK_EQ(findings.at[0].severity, second == 2 ? PMUMAP_WARNING : PMUMAP_ERROR);
		map = build_rows(&m);
		CHECK(pmumap_selector(map, 3, &selector) && selector == 2);
		free(map);
		model_free(&again);
		model_free(&m);
	}
	test_now = "";
}

/* A tree of these rows has the model's findings. */
static void check_rows(const struct model *m)
{
	struct model again;

	findings_of_rows(m, &findings, &again);
	model_check(&again);
	check_findings(&findings, &again);
	model_free(&again);
}

/* For single events, each set of fixed counters against the model. */
static void fixed_counters(void)
{
	uint32_t event, counters;

	test_now = "fixed counters";
	for (event = 0; event < 5; event++)
		for (counters = 8; counters < 16; counters++) {
			struct model m;

			model_init(&m);
			model_add_counters(&m, event, event, counters);
			check_rows(&m);
			model_free(&m);
		}
	test_now = "";
}

/* A row is compared with the 256 rows before it; comparing all would not be O(n log n). */
static void far_rows(void)
{
	uint32_t n, i;

	test_now = "far rows";
	for (n = 257; n <= 258; n++) {
		struct model m, again;

		model_init(&m);
		model_add_raw(&m, 0, 0xff, 8); /* overlaps only the last row */
		for (i = 1; i < n - 1; i++)
			model_add_raw(&m, i / 255 << 8 | (i % 255 + 1), ~0ull, 8);
		model_add_raw(&m, 0x10000, ~0ull, 8);
		findings_of_rows(&m, &findings, &again);
		CHECK_EQ(findings.n, n == 257 ? 2 : 1); /* and fixed-missing */
		CHECK(pairs_good(&findings, &again));
		model_free(&again);
		model_free(&m);
	}
	test_now = "";
}

static void texts(void)
{
	static const struct {
		uint32_t number;
		const char *text;
	} statuses[] = {
#define X(name, number, text) { PMUMAP_##name, text },
		PMUMAP_STATUS_LIST(X)
#undef X
	};
	size_t i;

	for (i = 0; i < CODES; i++) {
		test_now = codes[i].text;
		CHECK(covered[i]);
	}
	for (i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
		test_now = statuses[i].text;
		CHECK(!strcmp(pmumap_status_str((enum pmumap_status)statuses[i].number),
			      statuses[i].text));
	}
	test_now = "texts";
	CHECK(pmumap_status_str((enum pmumap_status)99));
	CHECK(pmumap_status_str((enum pmumap_status) - 1));
	for (i = 0; i < 256; i++) { /* an unknown number has the text for unknown */
		const char *status = pmumap_status_str((enum pmumap_status)i);
		size_t k;

		for (k = 0; k < sizeof(statuses) / sizeof(statuses[0]); k++)
			CHECK_EQ(!strcmp(status, statuses[k].text), i == statuses[k].number);
	}
	CHECK(!strcmp(pmumap_severity_str(PMUMAP_ERROR), "error"));
	CHECK(!strcmp(pmumap_severity_str(PMUMAP_WARNING), "warning"));
	CHECK(!strcmp(pmumap_severity_str(PMUMAP_NOTE), "note"));
}

static void random_tables(void)
{
	uint32_t i, n = quick(20000, 500);
	unsigned failed = test_failed;

	test_now = "random tables";
	for (i = 0; i < n && test_failed - failed < 10; i++) {
		struct model m;

		random_rows(&m);
		check_rows(&m);
		model_free(&m);
	}
}

int main(void)
{
	CHECK(each_file("build/trees/*.dtb", fixture) > 50);
	CHECK(each_file("build/mistakes/*.dtb", fixture) > 40);
	test_now = "";
	builder();
	second_selector();
	fixed_counters();
	far_rows();
	texts();
	random_tables();
	return test_summary();
}
