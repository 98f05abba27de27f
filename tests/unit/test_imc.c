/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Catalogs of every generation: every answer of every map, and every finding, equals the model's;
 * from a tree, and from an image.
 */
#include <libfdt.h>

#include "imc_support.h"

static struct findings findings;

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
	CHECK(same_image(map, copy));
	free(copy);
}

static void check_tree(const unsigned char *fdt, size_t size, uint32_t flags)
{
	struct pmumap_imc_options opt = { .flags = flags };
	unsigned char *before = exact_copy(fdt, size);
	enum pmumap_status status;
	struct imc_model m;
	struct pmumap_imc *map = imc_build(fdt, size, &opt, &status);

	CHECK_EQ(status, PMUMAP_OK);
	CHECK_EQ(imc_findings(fdt, size, &opt, &findings), PMUMAP_OK);
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
			.wanted = pmumap_imc_wanted,
		};
		enum pmumap_status status;
		struct imc_model m;
		struct pmumap_imc *map = imc_build(fdt, size, &opt, &status);

		CHECK_EQ(status, PMUMAP_OK);
		CHECK_EQ(imc_findings(fdt, size, &opt, &findings), PMUMAP_OK);
		imc_model_read(&m, fdt, opt.generation, opt.available);
		if (map) {
			check_imc_listing(map, &m, 0);
			check_imc_findings(&findings, &m);
		}
		free(map);
		imc_model_free(&m);
	}
}

/* A block that is too small yields nothing; a larger one, the same map. */
static void check_blocks(const unsigned char *fdt, size_t size)
{
	const struct pmumap_imc *map = NULL, *other;
	size_t need = 0, bytes;
	void *block, *larger;

	CHECK_EQ(pmumap_imc_fdt_measure(fdt, size, NULL, &need), PMUMAP_OK);
	for (bytes = 0; bytes < need; bytes += quick(1, 40)) {
		block = exact(bytes);
		CHECK_EQ(pmumap_imc_fdt_build(fdt, size, NULL, block, bytes, &map),
			 PMUMAP_E_NOSPACE);
		CHECK(!map);
		free(block);
	}
	block = exact(need);
	larger = exact(need + 8);
	memset(larger, 0xa5, need + 8);
	CHECK_EQ(pmumap_imc_fdt_build(fdt, size, NULL, block, need, &map), PMUMAP_OK);
	CHECK_EQ(pmumap_imc_fdt_build(fdt, size, NULL, larger, need + 8, &other), PMUMAP_OK);
	CHECK(map && other && same_image(map, other));
	free(block);
	free(larger);
}

/* ---- the boards ------------------------------------------------------------------------------ */

static void board(const unsigned char *fdt, size_t size)
{
	check_tree(fdt, size, 0);
	check_tree(fdt, size, PMUMAP_DESC);
	check_available(fdt, size);
	check_blocks(fdt, size);
}

static void corpus_board(const unsigned char *fdt, size_t size)
{
	check_tree(fdt, size, 0);
	check_tree(fdt, size, PMUMAP_DESC);
	check_available(fdt, size);
}

static const struct figures {
	const char *file;
	uint32_t names, clashes;
	size_t bytes;
} figures[] = {
	{ "build/corpus-imc/power9-4e0200.dtb", 621, 56, 36 << 10 },
	{ "build/corpus-imc/power10-800200.dtb", 422, 0, 26 << 10 },
};

static void known_board(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	struct pmumap_imc *map = imc_build(fdt, size, NULL, &status);
	uint32_t i, k, clashes = 0;

	CHECK_EQ(imc_findings(fdt, size, NULL, &findings), PMUMAP_OK);
	for (i = 0; map && i < sizeof(figures) / sizeof(figures[0]); i++) {
		if (strcmp(figures[i].file, test_input) != 0)
			continue;
		CHECK_EQ(pmumap_imc_names(map), figures[i].names);
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

		test_now = nodes[i].node;
		opt.node = fdt_path_offset(fdt, nodes[i].node);
		map = imc_build(fdt, size, &opt, &status);
		CHECK_EQ(status, nodes[i].units ? PMUMAP_OK : PMUMAP_E_NODE);
		if (!map)
			continue;
		for (k = 0; k < 3 && pmumap_imc_unit_at(map, k, &unit); k++)
			strcat(strncat(units, unit.name, 12), " ");
		CHECK(same_text(units, nodes[i].units));
		CHECK_EQ(pmumap_imc_names(map), nodes[i].names);
		free(map);
	}
}

int main(void)
{
	CHECK_EQ(each_file("build/boards/imc-and-riscv.dtb", one_node), 1);
	CHECK_EQ(each_file("build/boards/imc-*.dtb", board), 16);
	each_file("build/corpus-imc/*.dtb", corpus_board);
	each_file("build/corpus-imc/*.dtb", known_board);
	return test_summary();
}
