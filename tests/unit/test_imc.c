/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Catalogs of every generation: every answer of every map, and every finding, equals the model's;
 * from a tree, from an image, with and without the index, in blocks of any size.
 */
#include "imc_make.h"
#include "imc_support.h"

static struct findings findings;

/* The value of the last finding with this code; or 0. */
static uint64_t said(const char *code)
{
	uint32_t i;
	uint64_t value = 0;

	for (i = 0; i < findings.n; i++)
		if (!strcmp(findings.at[i].code, code))
			value = findings.at[i].value;
	return value;
}

/* ---- from a tree ----------------------------------------------------------------------------- */

static void check_copy(const struct pmumap_imc *map, const struct imc_model *m, uint32_t flags)
{
	size_t size = pmumap_imc_size(map);
	struct pmumap_imc *copy = exact_copy(map, size);
	const struct pmumap_imc *opened = NULL;

	CHECK_EQ(pmumap_imc_open(copy, size, &opened), PMUMAP_OK);
	CHECK(opened == copy);
	if (opened)
		check_imc(opened, m, flags);
	CHECK(same_imc_image(map, copy));
	free(copy);
}

static void check_tree(const unsigned char *fdt, size_t size, uint32_t flags)
{
	struct pmumap_imc_options opt = {
		.flags = flags, .check = pmumap_imc_check, .report = collect, .arg = &findings
	};
	unsigned char *before = exact_copy(fdt, size);
	enum pmumap_status status;
	struct imc_model m;
	struct pmumap_imc *map;

	findings.n = 0;
	map = imc_build(fdt, size, &opt, &status);
	CHECK_EQ(status, PMUMAP_OK);
	CHECK(memcmp(fdt, before, size) == 0);
	free(before);
	CHECK(imc_model_read(&m, fdt, 0, 0));
	check_block(fdt, size, &m);
	if (map) {
		check_imc(map, &m, flags);
		check_copy(map, &m, flags);
		check_imc_findings(&findings, &m);
	}
	free(map);
	imc_model_free(&m);
}

/* The same for a catalog whose names must be searched. */
static void check_searched(const unsigned char *fdt, size_t size, uint32_t flags)
{
	unsigned char *other = with_long_name(fdt, &size);

	check_tree(other, size, flags);
	free(other);
}

/* Units enabled by a vector; those of cores and threads always are. */
static void check_available(const unsigned char *fdt, size_t size)
{
	uint32_t i;

	for (i = 0; i < quick(24, 8); i++) {
		struct pmumap_imc_options opt = {
			.generation = i & 1 ? PMUMAP_IMC_P9 : PMUMAP_IMC_P10,
			.available = i < 2   ? 0
				     : i < 4 ? ~0ull
					     : random64() & (i & 2 ? ~0ull : random64()),
			.check = pmumap_imc_check,
			.report = collect,
			.arg = &findings,
		};
		enum pmumap_status status;
		struct imc_model m;
		struct pmumap_imc *map;

		findings.n = 0;
		map = imc_build(fdt, size, &opt, &status);
		CHECK_EQ(status, PMUMAP_OK);
		imc_model_read(&m, fdt, opt.generation, opt.available);
		if (map) {
			check_imc_listing(map, &m, 0);
			check_imc_findings(&findings, &m);
		}
		free(map);
		imc_model_free(&m);
	}
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static enum pmumap_status in_block(const unsigned char *fdt, size_t size, size_t bytes,
				   const struct imc_model *m)
{
	struct pmumap_imc_options opt = { .check = pmumap_imc_check,
					  .report = collect,
					  .arg = &findings };
	const struct pmumap_imc *map = NULL;
	void *block = exact(bytes);
	enum pmumap_status status;

	findings.n = 0;
	status = pmumap_imc_fdt_build(fdt, size, &opt, block, bytes, &map);
	CHECK((map != NULL) == (status == PMUMAP_OK));
	if (map)
		check_imc_listing(map, m, 0);
	if (map && m)
		check_names(map, m, 0);
	free(block);
	return status;
}

/* In any block: no map, a map without the index, or the whole map; and the size needed for more. */
static void check_blocks(const unsigned char *fdt, size_t size)
{
	struct imc_model m;
	size_t need = 0, bytes;
	size_t least = ~(size_t)0;
	uint64_t index = 0;
	uint32_t bad = 0;
	enum pmumap_status status;

	imc_model_read(&m, fdt, 0, 0);
	CHECK_EQ(pmumap_imc_fdt_measure(fdt, size, NULL, &need), PMUMAP_OK);
	for (bytes = 0; bytes <= need + 8; bytes += quick(1, 40)) {
		status = in_block(fdt, size, bytes, &m);
		if (status == PMUMAP_E_NOSPACE) {
			bad += bytes >= least;
			continue;
		}
		bad += status != PMUMAP_OK;
		if (bytes < least)
			least = bytes;
		if (said("no-index")) {
			index = said("no-index");
			bad += index <= bytes || index > need;
		}
	}
	CHECK_EQ(bad, 0);
	CHECK_EQ(in_block(fdt, size, need, &m), PMUMAP_OK);
	if (index) {
		CHECK_EQ(in_block(fdt, size, (size_t)index, &m), PMUMAP_OK);
		CHECK_EQ(said("no-index"), 0);
		CHECK_EQ(in_block(fdt, size, (size_t)index - 8, &m), PMUMAP_OK);
		CHECK_EQ(said("no-index"), index);
	}
	imc_model_free(&m);
}

/* ---- the boards ------------------------------------------------------------------------------ */

static void board(const unsigned char *fdt, size_t size)
{
	check_tree(fdt, size, 0);
	check_tree(fdt, size, PMUMAP_DESC);
	check_searched(fdt, size, 0);
	check_searched(fdt, size, PMUMAP_DESC);
	check_available(fdt, size);
	check_blocks(fdt, size);
}

static void corpus_board(const unsigned char *fdt, size_t size)
{
	check_tree(fdt, size, 0);
	check_searched(fdt, size, PMUMAP_DESC);
	check_available(fdt, size);
}

static const struct figures {
	const char *file;
	uint32_t names, distinct, clashes;
	size_t bytes;
} figures[] = {
	{ "build/corpus-imc/power9-4e0200.dtb", 621, 508, 56, 19700 },
	{ "build/corpus-imc/power10-800200.dtb", 422, 372, 0, 12288 },
};

/* Names as the map lists them; for equal ones, counts the first match. */
static void count_names(const struct pmumap_imc *map, uint32_t *names, uint32_t *distinct)
{
	struct pmumap_imc_event e, first;
	uint32_t unit, i;
	char text[128];

	*names = *distinct = 0;
	for (unit = 0; pmumap_imc_event_at(map, unit, 0, &e); unit++)
		for (i = 0; pmumap_imc_event_at(map, unit, i, &e); i++) {
			int len = snprintf(text, sizeof(text), "%s%s", e.prefix, e.name);

			(*names)++;
			if (CHECK(pmumap_imc_find(map, text, (size_t)len, 0, &first)))
				*distinct += first.unit_index == unit && first.offset == e.offset;
		}
}

static void known_board(const unsigned char *fdt, size_t size)
{
	struct pmumap_imc_options opt = { .check = pmumap_imc_check,
					  .report = collect,
					  .arg = &findings };
	enum pmumap_status status;
	struct pmumap_imc *map;
	uint32_t i, k, names, distinct, clashes = 0;

	findings.n = 0;
	map = imc_build(fdt, size, &opt, &status);
	for (i = 0; map && i < sizeof(figures) / sizeof(figures[0]); i++) {
		if (strcmp(figures[i].file, test_input) != 0)
			continue;
		count_names(map, &names, &distinct);
		CHECK_EQ(names, figures[i].names);
		CHECK_EQ(distinct, figures[i].distinct);
		for (k = 0; k < findings.n; k++)
			clashes += !strcmp(findings.at[k].code, "offset-clash");
		CHECK_EQ(clashes, figures[i].clashes);
		CHECK_EQ(findings.n, figures[i].clashes);
		printf("%s: map of %zu bytes\n", test_input, pmumap_imc_size(map));
		CHECK(pmumap_imc_size(map) <= figures[i].bytes);
	}
	free(map);
}

/* With only this node to read: its units and the number of names. NULL: it is no IMC root. */
static const struct {
	const char *node, *units;
	uint32_t names;
} nodes[] = {
	{ "/", "mba0@448 core@18 ", 4 },
	{ "/pmu", NULL, 0 },
	{ "/imc-counters", "mba0@448 ", 2 },
	{ "/more-counters", "core@18 ", 0 }, /* its list is elsewhere */
	{ "/imc-counters/mba0@448", NULL, 0 },
	{ "/imc-counters/nest-events", NULL, 0 },
};

static void one_node(const unsigned char *fdt, size_t size)
{
	struct pmumap_imc_options opt = { .node = 3 };
	enum pmumap_status status;
	struct pmumap_imc *map;
	size_t i;

	map = imc_build(fdt, size, &opt, &status);
	CHECK(!map && status == PMUMAP_E_NODE);
	for (i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++) {
		struct pmumap_imc_unit unit;
		char units[64] = "";
		uint32_t k;
		int indexed;

		test_now = nodes[i].node;
		opt.node = fdt_path_offset(fdt, nodes[i].node);
		map = imc_build(fdt, size, &opt, &status);
		CHECK_EQ(status, nodes[i].units ? PMUMAP_OK : PMUMAP_E_NODE);
		if (!map)
			continue;
		for (k = 0; k < 3 && pmumap_imc_unit(map, k, &unit); k++)
			strcat(strncat(units, unit.name, 12), " ");
		CHECK(same_text(units, nodes[i].units));
		CHECK_EQ(pmumap_imc_names(map, &indexed), nodes[i].names);
		free(map);
	}
}

int main(void)
{
	CHECK_EQ(each_file("build/boards/imc-and-riscv.dtb", one_node), 1);
	CHECK_EQ(each_file("build/boards/imc-*.dtb", board), 19);
	each_file("build/corpus-imc/*.dtb", corpus_board);
	each_file("build/corpus-imc/*.dtb", known_board);
	return test_summary();
}
