/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A map written into a device tree reads back as the same map. libfdt, making the same change, gets
 * the same tree of the same size.
 */
#include "emit_support.h"
#include "fuzz/fuzz_rows.h"

/* ---- what is written ------------------------------------------------------------------------- */

/* The tree that libfdt makes from the same values. */
static unsigned char *by_libfdt(const void *fdt, int parent, const void *emitted, int node)
{
	unsigned char *copy = opened(fdt, fdt_totalsize(emitted) + 4096);
	int pmu = child_pmu(copy, parent), i;

	/* libfdt adds no "pmu" if there is a "pmu@0", but can rename a node. */
	if (pmu < 0) {
		pmu = fdt_add_subnode(copy, parent, "new");
		must(pmu < 0 ? pmu : fdt_set_name(copy, pmu, "pmu"));
	}
	for (i = 0; i < 3; i++) {
		while (fdt_delprop(copy, pmu, model_names[0][i]) == 0)
			;
		while (fdt_delprop(copy, pmu, model_names[1][i]) == 0)
			;
	}
	while (fdt_delprop(copy, pmu, "compatible") == 0)
		;
	must(fdt_setprop_string(copy, pmu, "compatible", "riscv,pmu"));
	for (i = 0; i < 3; i++) {
		int bytes;
		const void *value = fdt_getprop(emitted, node, model_names[0][i], &bytes);

		if (value)
			must(fdt_setprop(copy, pmu, model_names[0][i], value, bytes));
	}
	return copy;
}

/* The tree before, the tree with the map, and the size of the change. */
static void check_emitted(const void *fdt, int parent, const struct pmumap *map,
			  unsigned char *emitted, size_t need)
{
	int node = child_pmu(emitted, parent);
	struct pmumap *again;
	enum pmumap_status status;
	unsigned char *want, *copy;
	size_t size = fdt_totalsize(emitted);
	const void *value;

	CHECK_EQ(fdt_check_full(emitted, size), 0);
	if (!CHECK(node >= 0))
		return;
	/* Padding is 0. */
	value = fdt_getprop(emitted, node, "compatible", NULL);
	CHECK(value && memcmp(value, "riscv,pmu\0\0\0", 12) == 0);
	again = build_tree(emitted, size, node, NULL, &status);
	CHECK_EQ(status, PMUMAP_OK);
	CHECK(again && same_image(again, map));
	free(again);
	/* Without a PMU before, a reader finds the new node by itself. */
	if (pmumap_fdt_measure(fdt, fdt_totalsize(fdt), NULL, &size) == PMUMAP_E_NOTFOUND) {
		again = build_tree(emitted, fdt_totalsize(emitted), 0, NULL, &status);
		CHECK(again && same_image(again, map));
		free(again);
	}
	size = fdt_totalsize(emitted);
	want = by_libfdt(fdt, parent, emitted, node);
	CHECK(same_trees(emitted, want));
	CHECK_EQ(need, packed(want) + overhead(fdt));
	CHECK_EQ(fdt_node_check_compatible(emitted, node, "riscv,pmu"), 0);
	free(want);
	copy = exact_copy(emitted, size);
	dirty_stack();
	CHECK_EQ(pmumap_fdt_emit(copy, size, parent, map, &size), PMUMAP_OK);
	CHECK_EQ(size, need);
	CHECK(memcmp(copy, emitted, fdt_totalsize(emitted)) == 0);
	free(copy);
}

static void emit_into(const void *fdt, size_t size, int parent, const struct pmumap *map,
		      size_t step)
{
	struct emission e = { parent, map };
	enum pmumap_status status;
	size_t need;
	unsigned char *emitted = changed(fdt, size, emit, &e, step, &need, &status);

	CHECK_EQ(status, PMUMAP_OK);
	if (emitted)
		check_emitted(fdt, parent, map, emitted, need);
	free(emitted);
}

/* ---- trees ----------------------------------------------------------------------------------- */

static void check_every_tree(void)
{
	char name[100];
	size_t t, l, size, laid;
	int kind, node;

	for (t = 0; t < TREES; t++) {
		unsigned char *fdt = make_tree(t, &size);

		for (kind = 0; kind < KINDS; kind++) {
			struct pmumap *map = map_of(kind);

			for (l = 0; l < LAYOUTS && layouts[l].grows; l++) {
				unsigned char *other = lay_out(&layouts[l], fdt, &laid);

				snprintf(name, sizeof(name), "%s, %s, map %d", trees[t].name,
					 layouts[l].name, kind);
				test_input = name;
				node = l ? 0 : -1;
				do {
					if (node >= 0)
						emit_into(other, laid, node, map, l ? 7 : 1);
					node = fdt_next_node(other, node, NULL);
				} while (node >= 0 && !l && t != DEEP);
				emit_into(other, laid, 0, map, 7);
				free(other);
			}
			free(map);
		}
		free(fdt);
	}
	test_input = "";
}

/*
 * Which tables are written: those with rows; an empty table of selectors if it means "none";
 * counters if the node would otherwise look like a draft.
 */
static void check_tables(void)
{
	static const unsigned written[KINDS] = { 2, 4, 1, 2, 7, 3 };
	size_t size;
	int kind, i;

	test_now = "tables";
	for (kind = 0; kind < KINDS; kind++) {
		unsigned char *fdt = make_tree(0, &size), *copy = room(fdt, size, 4096);
		struct pmumap *map = map_of(kind);
		unsigned got = 0;

		CHECK_EQ(pmumap_fdt_emit(copy, 4096, 0, map, NULL), PMUMAP_OK);
		for (i = 0; i < 3; i++)
			if (fdt_getprop(copy, child_pmu(copy, 0), model_names[0][i], NULL))
				got |= 1u << i;
		CHECK_EQ(got, written[kind]);
		free(map);
		free(copy);
		free(fdt);
	}
	test_now = "";
}

/* Offsets that are no node, and layouts that cannot grow. */
static void check_refused(void)
{
	size_t size, laid, need = 77, l;
	unsigned char *fdt = make_tree(3, &size), *copy;
	struct pmumap *map = map_of(ALL);
	int offset, node = -1, nodes = 0;

	copy = room(fdt, size, size + 1000);
	for (offset = -3; offset < (int)fdt_size_dt_struct(fdt) + 8; offset++) {
		if (offset == fdt_next_node(fdt, node, NULL)) {
			node = offset;
			nodes++;
			continue;
		}
		CHECK_EQ(pmumap_fdt_emit(copy, size + 1000, offset, map, &need), PMUMAP_E_NODE);
	}
	CHECK(nodes == 5);
	CHECK_EQ(pmumap_fdt_emit(copy, size + 1000, -2147483647 - 1, map, &need), PMUMAP_E_NODE);
	CHECK_EQ(pmumap_fdt_emit(copy, size + 1000, 2147483647, map, &need), PMUMAP_E_NODE);
	CHECK_EQ(pmumap_fdt_emit(NULL, size, 0, map, &need), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_fdt_emit(copy, size, 0, NULL, &need), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_fdt_emit(copy, size - 1, 0, map, &need), PMUMAP_E_FDT_SIZE);
	CHECK_EQ(pmumap_fdt_fixup(NULL, size), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_fdt_fixup(copy, size - 1), PMUMAP_E_FDT_SIZE);
	CHECK(need == 77 && memcmp(copy, fdt, size) == 0);
	free(copy);
	for (l = 0; l < LAYOUTS; l++) {
		unsigned char *other = lay_out(&layouts[l], fdt, &laid);

		test_now = layouts[l].name;
		copy = room(other, laid, laid + 1000);
		CHECK_EQ(pmumap_fdt_emit(copy, laid + 1000, 0, map, NULL),
			 layouts[l].grows ? PMUMAP_OK : PMUMAP_E_FDT_LAYOUT);
		CHECK(layouts[l].grows || memcmp(copy, other, laid) == 0);
		free(copy);
		free(other);
	}
	test_now = "";
	free(map);
	free(fdt);
}

/* One map after another: the node matches the last one, and so does its size. */
static void check_turns(void)
{
	size_t bytes = 8000, need, want, size, i;
	unsigned char *fdt = make_tree(3, &size), *copy = room(fdt, size, bytes), *fresh;
	struct pmumap *maps[KINDS];

	for (i = 0; i < KINDS; i++)
		maps[i] = map_of((int)i);
	for (i = 0; i < 200; i++) {
		const struct pmumap *map = maps[random_below(KINDS)];

		fresh = room(fdt, size, bytes);
		CHECK_EQ(pmumap_fdt_emit(fresh, bytes, 0, map, &want), PMUMAP_OK);
		CHECK_EQ(pmumap_fdt_emit(copy, bytes, 0, map, &need), PMUMAP_OK);
		CHECK(same_trees(copy, fresh) && fdt_check_full(copy, bytes) == 0);
		/* Names that were needed once stay. */
		CHECK_EQ(need - fdt_size_dt_strings(copy), want - fdt_size_dt_strings(fresh));
		CHECK(fdt_size_dt_strings(copy) <= fdt_size_dt_strings(fdt) + 100);
		free(fresh);
	}
	for (i = 0; i < KINDS; i++)
		free(maps[i]);
	free(copy);
	free(fdt);
}

/* This many levels with one node each, and the name of the last one. */
static unsigned char *make_levels(int levels, const char *last, size_t *size)
{
	int i;

	start();
	for (i = 0; i < levels; i++)
		begin(i == levels - 1 ? last : i ? "n" : "");
	return finish(size);
}

/* Writes no node that is too deep to be read. */
static void check_depth(void)
{
	struct pmumap *map = map_of(ALL);
	int levels, node, next;

	for (levels = 62; levels <= 64; levels++) {
		size_t size, need = 77;
		unsigned char *fdt = make_levels(levels, "n", &size), *copy;

		for (next = node = 0; next >= 0; next = fdt_next_node(fdt, next, NULL))
			node = next;
		copy = room(fdt, size, size + 1000);
		CHECK_EQ(pmumap_fdt_emit(copy, size + 1000, node, map, &need),
			 levels == 64 ? PMUMAP_E_LIMIT : PMUMAP_OK);
		CHECK(levels != 64 || (need == 77 && memcmp(copy, fdt, size) == 0));
		CHECK_EQ(pmumap_fdt_measure(copy, size + 1000, NULL, &need),
			 levels == 64 ? PMUMAP_E_NOTFOUND : PMUMAP_OK);
		free(copy);
		free(fdt);
		/* One that is there already does not lie deeper than it did. */
		fdt = make_levels(levels, "pmu", &size);
		for (next = node = 0; (next = fdt_next_node(fdt, next, NULL)) >= 0;)
			if (strcmp(fdt_get_name(fdt, next, NULL), "pmu") != 0)
				node = next;
		copy = room(fdt, size, size + 1000);
		CHECK_EQ(pmumap_fdt_emit(copy, size + 1000, node, map, &need), PMUMAP_OK);
		CHECK_EQ(pmumap_fdt_measure(copy, size + 1000, NULL, &need), PMUMAP_OK);
		free(copy);
		free(fdt);
	}
	free(map);
}

/* The root is not the node, even with that name. */
static void check_root(void)
{
	struct pmumap *map = map_of(ALL);
	size_t size, need;
	unsigned char *fdt, *copy;

	start();
	begin("pmu");
	fdt = finish(&size);
	copy = room(fdt, size, size + 1000);
	CHECK_EQ(pmumap_fdt_emit(copy, size + 1000, 0, map, &need), PMUMAP_OK);
	CHECK(!fdt_getprop(copy, 0, "compatible", NULL));
	CHECK(fdt_subnode_offset(copy, 0, "pmu") > 0);
	free(copy);
	free(fdt);
	free(map);
}

/* Padding of the root's empty name may have any value; properties begin after it. */
static void check_padding(void)
{
	static const unsigned char row[12] = { 0 };
	unsigned char *fdt;
	size_t size;

	start();
	begin("");
	bytes(model_names[0][0], row, sizeof(row));
	text("compatible", "riscv,pmu");
	fdt = finish(&size);
	memset(fdt + fdt_off_dt_struct(fdt) + 5, 'x', 3);
	CHECK_EQ(pmumap_fdt_fixup(fdt, size), PMUMAP_OK);
	CHECK(!fdt_getprop(fdt, 0, model_names[0][0], NULL));
	CHECK(fdt_getprop(fdt, 0, "compatible", NULL) != NULL);
	free(fdt);
}

/* Selectors of an image that does not declare any. */
static void check_flag(void)
{
	struct pmumap *map = map_of(ONLY_SELECTORS);
	size_t size, need;
	unsigned char *fdt = make_tree(0, &size), *copy = room(fdt, size, size + 1000);
	uint64_t selector = 0;
	const struct pmumap *again;
	uint64_t block[256];

	map->head.flags = 0;
	CHECK_EQ(pmumap_open(map, pmumap_size(map), &again), PMUMAP_OK);
	CHECK_EQ(pmumap_fdt_emit(copy, size + 1000, 0, map, &need), PMUMAP_OK);
	CHECK_EQ(pmumap_fdt_build(copy, size + 1000, NULL, block, sizeof(block), &again),
		 PMUMAP_OK);
	CHECK(again && pmumap_selector(again, 0x12345, &selector) && selector == 7);
	free(copy);
	free(fdt);
	free(map);
}

/* A tree whose strings end just below 2 GiB; most of the block is never touched. */
static void check_limit(void)
{
	static const struct layout usual = { "", { RESERVED, TAGS, STRINGS }, { 0 }, 0, 0, 1 };
	struct pmumap *map = map_of(ALL);
	size_t size, bytes = 0x7fffffff, need = 77;
	unsigned char *small = make_tree(0, &size), *fdt = lay_out(&usual, small, &size);
	uint32_t strings = fdt_size_dt_strings(fdt), at = (uint32_t)bytes - strings - 200;
	unsigned char *large = malloc(bytes);

	if (large) {
		memcpy(large, fdt, size);
		memcpy(large + at, fdt + fdt_off_dt_strings(fdt), strings);
		fdt_set_off_dt_strings(large, at);
		fdt_set_totalsize(large, at + strings);
		CHECK_EQ(pmumap_fdt_emit(large, bytes, 0, map, &need), PMUMAP_E_LIMIT);
		CHECK_EQ(need, 77);
		CHECK_EQ(fdt_totalsize(large), at + strings);
	}
	free(large);
	free(small);
	free(fdt);
	free(map);
}

/* The root alone, with strings at some offset, in a block with a 0 after it. */
static unsigned char *root_alone(uint32_t reserved, uint32_t names, const char *strings,
				 uint32_t bytes)
{
	const uint32_t cells[18] = { 0xd00dfeed, names + bytes,
				     56,         names,
				     reserved,   17,
				     16,         0,
				     bytes,      16,
				     0,          0,
				     0,          0,
				     1,          0,
				     2,          9 };
	unsigned char *fdt = exact(512);
	uint32_t i;

	memset(fdt, 0, 512);
	for (i = 0; i < 18; i++)
		fdt32_st(fdt + 4 * i, cells[i]);
	memcpy(fdt + 72, strings, bytes);
	return fdt;
}

/* A tree has at most 2 GiB less one byte. Strings that do not exist are not read. */
static void check_far(void)
{
	static const struct {
		uint32_t reserved;
		enum pmumap_status status;
	} rows[] = { { 40, PMUMAP_E_NOSPACE },
		     { 56, PMUMAP_E_NOSPACE },
		     { 64, PMUMAP_E_FDT_LAYOUT } };
	struct model m;
	struct pmumap *map;
	unsigned char *fdt;
	size_t need = 0, i;
	uint32_t most;

	test_now = "far strings";
	model_init(&m);
	map = build_rows(&m);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fdt = root_alone(rows[i].reserved, 0x10000000, "", 0);
		CHECK_EQ(pmumap_fdt_emit(fdt, 0x10000000, 0, map, &need), rows[i].status);
		free(fdt);
	}
	most = 0x7fffffff - ((uint32_t)need - 0x10000000);
	for (i = 0; i < 2 && sizeof(void *) > 4; i++) {
		fdt = root_alone(40, most + (uint32_t)i, "", 0);
		CHECK_EQ(pmumap_fdt_emit(fdt, most + i, 0, map, &need),
			 i ? PMUMAP_E_LIMIT : PMUMAP_E_NOSPACE);
		CHECK_EQ(need, 0x7fffffff);
		free(fdt);
	}
	free(map);
	model_free(&m);
}

/* A last string without NUL does not count, and is not taken for its prefix. */
static void check_names(void)
{
	struct model m;
	struct pmumap *map;
	unsigned char *fdt = root_alone(40, 72, "x\0compatible", 12);
	int node, len = 0;

	test_now = "names";
	model_init(&m);
	model_add_counters(&m, 3, 3, 8);
	map = build_rows(&m);
	CHECK_EQ(pmumap_fdt_emit(fdt, 512, 0, map, NULL), PMUMAP_OK);
	node = fdt_path_offset(fdt, "/pmu");
	CHECK(node > 0 && !strcmp(fdt_getprop(fdt, node, "compatible", &len), "riscv,pmu"));
	free(fdt);
	fdt = exact(1024);
	must(fdt_create_empty_tree(fdt, 1024));
	node = fdt_add_subnode(fdt, 0, "pmu");
	must(fdt_setprop_string(fdt, node, "compatible", "riscv,pmu"));
	must(fdt_setprop_string(fdt, node, "compatible-too", "kept"));
	must(fdt_setprop_string(fdt, node, "riscv,event-to-mhpmcounters-too", "kept"));
	CHECK_EQ(pmumap_fdt_emit(fdt, 1024, 0, map, NULL), PMUMAP_OK);
	node = fdt_path_offset(fdt, "/pmu");
	CHECK(fdt_getprop(fdt, node, "compatible-too", NULL) &&
	      fdt_getprop(fdt, node, "riscv,event-to-mhpmcounters-too", NULL));
	free(fdt);
	free(map);
	model_free(&m);
}

/* ---- boards ---------------------------------------------------------------------------------- */

static struct paint painted, wanted;

/* The naive reader gets the same answers from the written tree as from the board's. */
static void check_by_model(const void *board, const void *emitted)
{
	struct model from, to;
	int node = child_pmu(emitted, 0);

	model_init(&from);
	model_init(&to);
	CHECK(model_read(&from, board, 0) && model_read(&to, emitted, node));
	model_paint(&from, &wanted);
	model_paint(&to, &painted);
	CHECK(memcmp(wanted.counters, painted.counters, sizeof(wanted.counters)) == 0);
	CHECK(memcmp(wanted.has, painted.has, sizeof(wanted.has)) == 0);
	CHECK(memcmp(wanted.selector, painted.selector, sizeof(wanted.selector)) == 0);
	CHECK_EQ(from.has_selectors, to.has_selectors);
	model_free(&from);
	model_free(&to);
}

/* Into an empty tree, and into the board's own, which may have a pmu node there or elsewhere. */
static void board(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	struct pmumap *map = build_tree(fdt, size, 0, NULL, &status);
	size_t little, bytes;
	unsigned char *empty;

	CHECK_EQ(status, PMUMAP_OK);
	if (!map)
		return;
	empty = make_tree(2, &little);
	emit_into(empty, little, 0, map, 7);
	if (fdt_check_full(fdt, size) == 0)
		emit_into(fdt, size, 0, map, 17);
	bytes = little + size + pmumap_size(map) * 2;
	empty = realloc(empty, bytes);
	CHECK_EQ(pmumap_fdt_emit(empty, bytes, 0, map, NULL), PMUMAP_OK);
	check_by_model(fdt, empty);
	free(empty);
	free(map);
}

/* ---- random maps ----------------------------------------------------------------------------- */

static void random_maps(void)
{
	uint32_t i, n = quick(10000, 100), bad = 0;
	unsigned char *fdt[TREES];
	size_t size[TREES], t;

	for (t = 0; t < TREES; t++)
		fdt[t] = make_tree(t, &size[t]);
	for (i = 0; i < n; i++) {
		enum pmumap_status status = PMUMAP_E_NOTFOUND;
		struct pmumap *map, *again = NULL;
		unsigned char *copy;
		size_t need = 0;
		struct model m;
		int node;

		t = i % TREES;
		random_rows(&m);
		map = build_rows(&m);
		pmumap_fdt_emit(fdt[t], size[t], 0, map, &need);
		copy = room(fdt[t], size[t], larger(need, size[t]));
		bad += pmumap_fdt_emit(copy, larger(need, size[t]), 0, map, &need) != PMUMAP_OK;
		bad += fdt_check_full(copy, larger(need, size[t])) != 0;
		node = child_pmu(copy, 0);
		if (node > 0)
			again = build_tree(copy, fdt_totalsize(copy), node, NULL, &status);
		bad += status != PMUMAP_OK || !same_image(map, again);
		free(again);
		free(copy);
		free(map);
		model_free(&m);
	}
	CHECK_EQ(bad, 0);
	for (t = 0; t < TREES; t++)
		free(fdt[t]);
}

static void many_rows(void)
{
	unsigned char *empty;
	struct pmumap *map;
	struct model m;
	size_t size;
	uint32_t i;

	test_now = "4096 rows";
	model_init(&m);
	for (i = 0; i < 2048; i++) {
		if (i < 1024)
			model_add_selector(&m, i < 512 ? i : 0x10000 + i, i / 3);
		if (i < 1024)
			model_add_counters(&m, 0x10000 + 2 * i, 0x10000 + 2 * i + i % 3,
					   8u << i % 28);
		model_add_raw(&m, (uint64_t)i << i % 40, ~0ull << i % 40, 8u << i % 7);
	}
	map = build_rows(&m);
	empty = make_tree(0, &size);
	emit_into(empty, size, 0, map, 5001);
	free(empty);
	free(map);
	model_free(&m);
	test_now = "";
}

int main(void)
{
	check_every_tree();
	check_tables();
	check_refused();
	check_turns();
	check_depth();
	check_root();
	check_padding();
	check_flag();
	check_limit();
	check_far();
	check_names();
	CHECK(each_file(riscv_boards, board) >= 16);
	each_file("build/corpus/*.dtb", board);
	each_file("build/boards/imc-and-riscv.dtb", board);
	many_rows();
	random_maps();
	return test_summary();
}
