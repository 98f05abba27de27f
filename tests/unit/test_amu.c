/* SPDX-License-Identifier: BSD-2-Clause
 *
 * AMU on boards: every answer of every map, and every finding, equals the model's; from a tree
 * and from an image, in blocks of any size. Also masks.
 */
#include "amu_support.h"
#include "image_support.h"
#include <libfdt.h>

enum { HEAD = 56 }; /* bytes */

/* ---- what the boards are known to say -------------------------------------------------------- */

/* One counter of one CPU of a board, in the order of files. counter -1: not described. */
static const struct known {
	const char *board;
	uint64_t mpidr;
	unsigned described, enable;
	int counter;
	const char *name;
} known[] = {
	{ "aff3", 0xff00ffffff, 0x1, 0x1, 0, "counter@0" },
	{ "aff3", 0xffffff, 0x1, 0x1, 0, "counter@0" },
	{ "aff3", 0, 0x8080, 0x8000, 7, "counter@7" },
	{ "aff3", 0x100000100, 0x8080, 0x8000, 15, "counter@f" },
	{ "device-type", 0x100, 0x3, 0x2, 1, "counter@1" },
	{ "device-type", 0x200, 0, 0, -1, NULL },
	{ "doc", 0x100, 0x3, 0x3, 0, "counter@0" },
	{ "doc", 0x10100, 0x1, 0x1, 0, "counter@0" },
	{ "doc-labels", 0, 0x3, 0x3, 0, "counterX" },
	{ "doc-labels", 0x100, 0x3, 0x3, 1, "counterY" },
	{ "doc-labels", 0x10000, 0x1, 0x1, 0, "counterZ" },
	{ "doc-labels", 0x10100, 0x1, 0x1, 0, "counterZ" },
	{ "mpmm-labels", 0, 0x7, 0x7, 0, "mpmm_gear0" },
	{ "mpmm-labels", 0x300, 0x7, 0x7, 1, "mpmm_gear1" },
	{ "mpmm-labels", 0x700, 0x7, 0x7, 2, "mpmm_gear2" },
	{ "tc2", 0, 0x7, 0x7, 0, "counter@0" },
	{ "tc2", 0xd00, 0x7, 0x7, 2, "counter@2" },
	{ "three", 0, 0x5, 0x1, 0, "gear0" },
	{ "three", 0, 0x5, 0x1, 2, "counter@2" },
	{ "three", 1, 0x2, 0x2, 1, "counter@1" },
	{ "views", 0, 0xffff, 0x9249, 11, "counter@b" },
	{ "views", 1, 0, 0, -1, NULL },
	{ "views", 2, 0x201, 0, 9, "counter@9" },
	{ "views", 3, 0, 0, -1, NULL },
	{ "views", 4, 0xffff, 0x9249, 0, "counter@0" },
};

enum { KNOWN = sizeof(known) / sizeof(known[0]) };

static uint32_t known_used;

static void check_known(const struct pmumap_amu *map)
{
	struct pmumap_amu_cpu c;
	char path[64];
	uint32_t i;

	for (i = 0; i < KNOWN; i++) {
		const struct known *k = &known[i];

		sprintf(path, "build/boards/amu-%s.dtb", k->board);
		if (strcmp(path, test_input) != 0)
			continue;
		known_used++;
		memset(&c, 0, sizeof(c));
		CHECK(pmumap_amu_cpu_find(map, k->mpidr | 0xc1000000, &c));
		CHECK_EQ(c.mpidr, k->mpidr);
		CHECK_EQ(c.described, k->described);
		CHECK_EQ(c.enable, k->enable);
		if (k->counter >= 0)
			CHECK(same_text(pmumap_amu_counter_name(map, c.view, (uint32_t)k->counter),
					k->name));
		else
			CHECK(!pmumap_amu_counter_name(map, c.view, 0));
	}
}

/* ---- bad calls ------------------------------------------------------------------------------- */

static void arguments(const unsigned char *fdt, size_t size)
{
	const struct pmumap_amu *map = NULL;
	size_t need = 0, i;
	unsigned char *both;
	char *block;

	CHECK_EQ(pmumap_amu_fdt_measure(NULL, size, NULL, &need), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_amu_fdt_measure(fdt, size, NULL, NULL), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_amu_fdt_measure(fdt, size, NULL, &need), PMUMAP_OK);
	block = exact(need);
	CHECK_EQ(pmumap_amu_fdt_build(fdt, size, NULL, block, need, NULL), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_amu_fdt_build(NULL, size, NULL, block, need, &map), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_amu_fdt_build(fdt, size, NULL, NULL, need, &map), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_amu_fdt_build(fdt, size, NULL, block + 4, need - 4, &map), PMUMAP_E_ARG);
	CHECK(!map);
	CHECK_EQ(pmumap_amu_check(fdt, size, NULL, block, need, NULL, NULL), PMUMAP_E_ARG);
	free(block);
	/* The tree overlaps the block, completely or with its last byte. */
	both = exact(2 * size + need + 8);
	for (i = 0; i < 2; i++) {
		size_t at = i ? need / 8 * 8 - 8 : 0;

		memcpy(both + at, fdt, size);
		CHECK_EQ(pmumap_amu_fdt_build(both + at, size, NULL, both, need, &map),
			 PMUMAP_E_ARG);
		CHECK(!map && !memcmp(both + at, fdt, size));
	}
	free(both);
}

/* ---- images ---------------------------------------------------------------------------------- */

static void check_image(const struct pmumap_amu *map, const struct amu_model *m)
{
	size_t size = pmumap_amu_size(map);
	struct pmumap_amu *copy = exact_copy(map, size);
	const struct pmumap_amu *opened = NULL;

	CHECK_EQ(pmumap_amu_open(copy, size, &opened), PMUMAP_OK);
	CHECK(opened == copy);
	if (opened)
		check_amu(opened, m);
	CHECK(same_image(map, copy));
	free(copy);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* A block of the need holds the whole map, a smaller one none; the same for findings. */
static void check_blocks(const unsigned char *fdt, size_t size, const struct amu_model *m)
{
	struct pmumap_amu_options opt = { .labels = pmumap_amu_labels };
	size_t need = 0, bytes;
	uint32_t bad = 0, found = 0;

	CHECK_EQ(pmumap_amu_fdt_measure(fdt, size, &opt, &need), PMUMAP_OK);
	for (bytes = need % 40; bytes <= need + 8; bytes += quick(1, 40)) {
		enum pmumap_status want = bytes < need ? PMUMAP_E_NOSPACE : PMUMAP_OK;
		const struct pmumap_amu *map = NULL;
		void *block = exact(bytes);

		bad += pmumap_amu_fdt_build(fdt, size, &opt, block, bytes, &map) != want;
		bad += (map != NULL) != (want == PMUMAP_OK);
		if (map)
			check_views(map, m);
		amu_findings.n = 0;
		bad += pmumap_amu_check(fdt, size, &opt, block, bytes, collect, &amu_findings) !=
		       want;
		if (map && !found++)
			bad += amu_findings.n != m->findings;
		bad += !map && amu_findings.n;
		free(block);
	}
	CHECK_EQ(bad, 0);
}

/* The block's old contents do not affect the image. */
static void check_fill(const unsigned char *fdt, size_t size)
{
	struct pmumap_amu *first = NULL;
	size_t need = 0;
	uint32_t fill, same = 0;
	void *block;

	CHECK_EQ(pmumap_amu_fdt_measure(fdt, size, NULL, &need), PMUMAP_OK);
	block = exact(need);
	for (fill = 0; fill < 256; fill++) {
		const struct pmumap_amu *map = NULL;

		memset(block, (int)fill, need);
		if (pmumap_amu_fdt_build(fdt, size, NULL, block, need, &map) != PMUMAP_OK)
			break;
		if (!first)
			first = exact_copy(map, pmumap_amu_size(map));
		same += (uint32_t)same_image(first, map);
	}
	CHECK_EQ(same, 256);
	free(block);
	free(first);
}

/* ---- the boards ------------------------------------------------------------------------------ */

static void corpus_board(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	unsigned doubts;
	struct amu_model m;
	struct pmumap_amu *map;

	if (!check_amu_tree(fdt, size, &doubts))
		return;
	map = amu_build(fdt, size, 0, &status);
	amu_model_read(&m, fdt);
	if (map) {
		check_image(map, &m);
		check_known(map);
	}
	amu_model_free(&m);
	free(map);
}

static void board(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	struct amu_model m;
	struct pmumap_amu *map = amu_build(fdt, size, 0, &status);

	corpus_board(fdt, size);
	amu_model_read(&m, fdt);
	if (map) {
		foreign_images(map, HEAD);
		changes(map, 0, 1, 1);
		check_blocks(fdt, size, &m);
		check_fill(fdt, size);
	}
	amu_model_free(&m);
	free(map);
}

static void tc2(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	struct pmumap_amu *map = amu_build(fdt, size, 0, &status);
	struct pmumap_amu_cpu c;

	CHECK(map && pmumap_amu_cpu_at(map, 13, &c) && !pmumap_amu_cpu_at(map, 14, &c));
	CHECK_EQ(amu_findings.n, 0);
	if (map) {
		printf("%s: map of %zu bytes\n", test_input, pmumap_amu_size(map));
		CHECK(pmumap_amu_size(map) <= 512);
	}
	free(map);
}

/* TF-A understands the real trees, except the documentation's own example. */
static void understood(const unsigned char *fdt, size_t size)
{
	struct tfa t;

	(void)size;
	tfa_read(&t, fdt);
	CHECK_EQ(t.doubts, strstr(test_input, "example") ? TFA_SKIPPED : 0);
	tfa_free(&t);
}

/* Next to other kinds of map: each reads its own nodes and rejects the others' images. */
static void three(const unsigned char *fdt, size_t size)
{
	static uint64_t block[KINDS][512];
	const void *map[KINDS] = { NULL }, *opened = NULL;
	struct pmumap_imc_event event;
	struct pmumap_amu_cpu c;
	uint32_t e;
	int i, k;

	for (i = 0; i < KINDS; i++)
		if (!CHECK(any_build(i, fdt, size, block[i], sizeof(block[i]), &map[i]) ==
			   PMUMAP_OK))
			return;
	for (i = 0; i < KINDS; i++)
		for (k = 0; k < KINDS; k++) {
			CHECK_EQ(any_open(k, map[i], any_size(i, map[i]), &opened),
				 i == k ? PMUMAP_OK : PMUMAP_E_IMAGE_MAGIC);
			CHECK(!opened == (i != k));
		}
	CHECK_EQ(pmumap_counters(map[RISCV], 0x10019), 0x38);
	CHECK(pmumap_imc_find_name(map[IMC], "CPM_READ_BYTES", 14, 0, &e) &&
	      pmumap_imc_event(map[IMC], e, &event) && event.offset == 0x18);
	CHECK(pmumap_amu_cpu_find(map[AMU], 1, &c) && c.view == 1);
}

/* A caller that names the node to read gets nothing, unless it is /cpus. */
static void one_node(const unsigned char *fdt, size_t size)
{
	static const struct {
		const char *node;
		uint32_t cpus;
	} rows[] = {
		{ "/pmu", 0 },
		{ "/cpus", 2 },
		{ "/cpus/amus", 0 },
		{ "/cpus/amus/amu-0", 0 },
		{ "/cpus/cpu@0", 0 },
		{ "/soc/monitors", 0 },
		{ "/soc/monitors/counter@1", 0 },
	};
	enum pmumap_status status;
	uint32_t i, k, cpus;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int node = fdt_path_offset(fdt, rows[i].node);
		struct pmumap_amu *map = amu_build(fdt, size, node, &status);
		struct pmumap_amu_cpu c;

		CHECK_EQ(status, rows[i].cpus ? PMUMAP_OK : PMUMAP_E_NODE);
		for (cpus = 0; map && pmumap_amu_cpu_at(map, cpus, &c); cpus++)
			CHECK_EQ(c.described, cpus ? 0 : 0x5);
		CHECK_EQ(cpus, rows[i].cpus);
		for (k = 0; k < amu_findings.n; k++)
			CHECK(cpus && !strcmp(amu_findings.at[k].code, "view-missing"));
		free(map);
	}
	CHECK(!amu_build(fdt, size, 2, &status));
	CHECK_EQ(status, PMUMAP_E_NODE);
}

/* ---- masks ----------------------------------------------------------------------------------- */

static uint32_t ask_reconcile(uint32_t described, uint32_t enable, uint32_t implemented,
			      uint32_t readable)
{
	static const enum pmumap_amu_mismatch reasons[] = { PMUMAP_AMU_FITS,
							    PMUMAP_AMU_NOT_DESCRIBED,
							    PMUMAP_AMU_NOT_IMPLEMENTED,
							    PMUMAP_AMU_NOT_READABLE };
	enum pmumap_amu_mismatch why = (enum pmumap_amu_mismatch)77;
	int reason = 0, want, got;

	want = amu_model_reconcile(described & 0xffff, enable & 0xffff, implemented & 0xffff,
				   readable & 0xffff, &reason);
	got = pmumap_amu_reconcile((uint16_t)described, (uint16_t)enable, (uint16_t)implemented,
				   (uint16_t)readable, &why);
	return got != want || why != reasons[reason];
}

static void reconcile(void)
{
	uint32_t i, shift, bad = 0;

	test_now = "reconcile";
	/*
	 * Four counters in all combinations, at the lowest and highest numbers and in the middle.
	 */
	for (shift = 0; shift <= 12; shift += 6)
		for (i = 0; i < 0x10000; i++)
			bad += ask_reconcile((i & 15) << shift, (i >> 4 & 15) << shift,
					     (i >> 8 & 15) << shift, i >> 12 << shift);
	for (i = 0; i < 16; i++) {
		uint32_t bit = 1u << i;

		bad += ask_reconcile(0xffff, 0xffff, 0xffff, 0xffff & ~bit);
		bad += ask_reconcile(0xffff, 0xffff, 0xffff & ~bit, 0xffff);
		bad += ask_reconcile(0xffff & ~bit, 0xffff, 0xffff, 0xffff);
		bad += ask_reconcile(0xffff, 0xffff & ~bit, 0xffff, 0xffff & ~bit);
		bad += ask_reconcile(bit, 0, 0, 0) + ask_reconcile(0, bit, 0, 0);
	}
	for (i = 0; i < quick(1000000, 10000); i++) {
		uint64_t masks = random64() | (i & 1 ? random64() : 0);

		bad += ask_reconcile((uint32_t)masks, (uint32_t)(masks >> 16 & random64()),
				     (uint32_t)(masks >> 32), (uint32_t)(masks >> 48));
	}
	CHECK_EQ(bad, 0);
	test_now = "";
}

/* AMCFGR has NCG in 31:28, AMCGCR CG1NC in 15:8; AMCG1IDR is read with v1p1 only. */
static const struct {
	uint64_t amcfgr, amcgcr;
	int v1p1;
	uint64_t amcg1idr;
	uint16_t implemented;
} registers[] = {
	{ 0x10003f06, 0x0304, 0, 0, 0x0007 },
	{ 0x10003f06, 0x0304, 0, 0xffff, 0x0007 },
	{ 0x10003f06, 0x0304, 1, 0x0007, 0x0007 },
	{ 0x10003f06, 0x0304, 1, 0x8005, 0x8005 },
	{ 0x10003f06, 0x0304, 1, 0xffff0005, 0x0005 },
	{ 0x10003f06, 0x0304, 1, 0, 0 },
	{ 0x00003f03, 0x0004, 0, 0, 0 },
	{ 0x00003f03, 0x0304, 0, 0, 0 },
	{ 0x0f003f03, 0x0304, 1, 0xffff, 0 },
	{ 0xf0003f03, 0x0004, 0, 0, 0 },
	{ 0x10003f03, 0x0004, 0, 0xffff, 0 },
	{ 0x10003f04, 0x0104, 0, 0, 0x0001 },
	{ 0x10003f12, 0x0f04, 0, 0, 0x7fff },
	{ 0x10003f13, 0x1004, 0, 0, 0xffff },
	{ 0x10003f14, 0x1104, 0, 0, 0xffff },
	{ 0x10003f23, 0x2004, 0, 0, 0xffff },
	{ 0x10003fff, 0xff04, 0, 0, 0xffff },
	{ 0x10003f06, 0xffff00000304, 0, 0, 0x0007 },
	{ 0xffffffff10003f06, 0xffffffffffff02ff, 0, 0, 0x0003 },
	{ 0xffffffff00003f06, 0x0304, 1, 0xffff, 0 },
	{ 0x80003f06, 0x0304, 0, 0, 0x0007 },
};

static void implemented(void)
{
	size_t i;

	test_now = "implemented";
	for (i = 0; i < sizeof(registers) / sizeof(registers[0]); i++)
		CHECK_EQ(pmumap_amu_implemented(registers[i].amcfgr, registers[i].amcgcr,
						registers[i].v1p1, registers[i].amcg1idr),
			 registers[i].implemented);
	test_now = "";
}

int main(void)
{
	image_kind = AMU;
	CHECK_EQ(each_file("build/boards/amu-*.dtb", board), 8);
	CHECK_EQ(known_used, KNOWN);
	CHECK_EQ(each_file("build/boards/amu-tc2.dtb", tc2), 1);
	CHECK_EQ(each_file("build/boards/amu-tc2.dtb", arguments), 1);
	CHECK_EQ(each_file("build/boards/amu-three.dtb", three), 1);
	CHECK_EQ(each_file("build/boards/amu-three.dtb", one_node), 1);
	each_file("build/corpus-amu/*.dtb", corpus_board);
	each_file("build/corpus-amu/tfa-*.dtb", understood);
	each_file("build/boards/amu-tc2.dtb", understood);
	reconcile();
	implemented();
	return test_summary();
}
