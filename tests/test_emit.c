/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A map into a device tree, and the tables out of one: what is written reads back as the same map,
 * and libfdt, making the same change, gets the same tree of the same size.
 */
#include <time.h>

#include "emit_support.h"

static const char *const tables[] = { "riscv,event-to-mhpmevent", "riscv,event-to-mhpmcounters",
				      "riscv,raw-event-to-mhpmcounters" };
static const char *const old_tables[] = { "pmu,event-to-mhpmevent", "pmu,event-to-mhpmcounters",
					  "pmu,raw-event-to-mhpmcounters" };

/* ---- emit ------------------------------------------------------------------------------------ */

struct emission {
	int parent;
	const struct pmumap *map;
};

static enum pmumap_status emit(void *fdt, size_t bytes, const void *arg, size_t *need)
{
	const struct emission *e = arg;

	return pmumap_fdt_emit(fdt, bytes, e->parent, e->map, need);
}

/* The RISC-V part of a map, in a block of its own. */
static struct pmumap *restricted(const struct pmumap *map)
{
	const struct pmumap *part = NULL;
	struct pmumap_builder b;
	size_t bytes;
	void *block;

	pmumap_begin(&b, NULL, 0);
	CHECK_EQ(pmumap_add_map(&b, map, NULL), PMUMAP_OK);
	bytes = pmumap_need(&b);
	block = exact(bytes);
	CHECK_EQ(pmumap_restrict(map, NULL, block, bytes, &part), PMUMAP_OK);
	CHECK((const void *)part == block);
	return block;
}

/* The node of exactly this name, without an address. */
static int child_pmu(const void *fdt, int parent)
{
	int node;

	fdt_for_each_subnode(node, fdt, parent)
	{
		if (!strcmp(fdt_get_name(fdt, node, NULL), "pmu"))
			break;
	}
	return node;
}

/* What libfdt makes of the tree, given the values that were written. */
static unsigned char *by_libfdt(const void *fdt, int parent, const void *emitted, int node)
{
	unsigned char *copy = opened(fdt, fdt_totalsize(emitted) + 4096);
	int pmu = child_pmu(copy, parent), i;

	/* Where there is a "pmu@0" libfdt adds no "pmu", but lets a node be called so. */
	if (pmu < 0) {
		pmu = fdt_add_subnode(copy, parent, "new");
		must(pmu < 0 ? pmu : fdt_set_name(copy, pmu, "pmu"));
	}
	for (i = 0; i < 3; i++) {
		while (fdt_delprop(copy, pmu, tables[i]) == 0)
			;
		while (fdt_delprop(copy, pmu, old_tables[i]) == 0)
			;
	}
	while (fdt_delprop(copy, pmu, "compatible") == 0)
		;
	must(fdt_setprop_string(copy, pmu, "compatible", "riscv,pmu"));
	for (i = 0; i < 3; i++) {
		int bytes;
		const void *value = fdt_getprop(emitted, node, tables[i], &bytes);

		if (value)
			must(fdt_setprop(copy, pmu, tables[i], value, bytes));
	}
	return copy;
}

/* Gaps stay where they are, and strings that nobody uses; libfdt takes the former out. */
static size_t overhead(const void *fdt)
{
	unsigned char *copy = opened(fdt, 64);
	size_t bytes = fdt_off_dt_strings(fdt) + fdt_size_dt_strings(fdt) - packed(copy);

	free(copy);
	return bytes;
}

/* The tree before, the same with the map in it, and what that takes. */
static void check_emitted(const void *fdt, int parent, const struct pmumap *map,
			  unsigned char *emitted, size_t need)
{
	int node = child_pmu(emitted, parent);
	struct pmumap *again;
	enum pmumap_status status;
	unsigned char *want, *copy;
	size_t size = fdt_totalsize(emitted);

	CHECK_EQ(fdt_check_full(emitted, size), 0);
	if (!CHECK(node >= 0))
		return;
	again = build_tree(emitted, size, node, 0, NULL, &status);
	CHECK_EQ(status, PMUMAP_OK);
	CHECK(again && same_image(again, map));
	free(again);
	want = by_libfdt(fdt, parent, emitted, node);
	CHECK(same_trees(emitted, want));
	CHECK_EQ(need, packed(want) + overhead(fdt));
	CHECK_EQ(fdt_node_check_compatible(emitted, node, "riscv,pmu"), 0);
	free(want);
	copy = exact_copy(emitted, size);
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

/* ---- trees to emit into ---------------------------------------------------------------------- */

static void plain(void)
{
	text("model", "board");
	begin("soc");
	cell("#address-cells", 1);
	end();
}

static void bare(void)
{
}

static void with_pmu(void)
{
	begin("cpus");
	end();
	begin("pmu");
	cell("phandle", 1);
	text("compatible", "arm,pmu");
	cell("interrupts", 7);
	begin("pmu");
	text("compatible", "riscv,pmu");
	end();
	end();
	begin("pmu@1");
	text("compatible", "x,pmu");
	end();
}

static void with_tables(void)
{
	unsigned char rows[200] = { 0 };

	begin("pmus");
	end();
	begin("pmu");
	bytes(tables[0], rows, 24);
	bytes(tables[0], rows, 12);
	text("status", "okay");
	bytes(tables[1], rows, 200);
	bytes(tables[2], rows, 7);
	bytes(tables[2], rows, 0);
	text("compatible", "riscv,pmu");
	text("compatible", "riscv,pmu");
	text("label", "second");
	begin("child");
	bytes(tables[1], rows, 12);
	end();
	end();
}

static void with_one_table(void)
{
	unsigned char rows[120] = { 0 };

	begin("pmu");
	bytes(tables[1], rows, 120);
	text("compatible", "a long list of other things that it is compatible with");
	end();
}

static void with_old_tables(void)
{
	unsigned char rows[12] = { 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 8 };
	int i;

	begin("pmu");
	text("compatible", "riscv,pmu");
	for (i = 0; i < 3; i++)
		bytes(old_tables[i], rows, 12);
	end();
}

static void with_draft(void)
{
	begin("pmu");
	text("compatible", "riscv,pmu");
	cell("riscv,width-base-cntr", 63);
	end();
}

static void with_suffixes(void)
{
	text("not-compatible", "x");
	cell("x-riscv,event-to-mhpmevent", 1);
	cell("riscv,event-to-mhpmcounters-x", 2);
	cell("not-riscv,raw-event-to-mhpmcounters", 2);
}

static void doubled(void)
{
	cell("cells", 1);
	cell("cells", 2);
	cell("cells", 1);
	begin("a");
	end();
	begin("a");
	cell("cells", 3);
	end();
}

static void deep(void)
{
	int i;

	for (i = 0; i < 62; i++) {
		begin("pmu@0");
		cell("depth", (uint32_t)i);
	}
	for (i = 0; i < 62; i++)
		end();
}

static const struct {
	const char *name;
	void (*make)(void);
	int reserved, nops;
} trees[] = {
	{ "plain", plain, 0, 0 },
	{ "reserved memory", plain, 3, 0 },
	{ "no strings", bare, 0, 0 },
	{ "a pmu of another kind", with_pmu, 1, 0 },
	{ "tables that are there", with_tables, 0, 0 },
	{ "more than will be", with_one_table, 0, 0 },
	{ "old tables", with_old_tables, 0, 0 },
	{ "a draft", with_draft, 0, 0 },
	{ "names that end alike", with_suffixes, 0, 0 },
	{ "doubled", doubled, 2, 0 },
	{ "deep", deep, 0, 0 },
	{ "nops", plain, 0, 1 },
	{ "nops in a pmu", with_tables, 0, 1 },
};
#define TREES (sizeof(trees) / sizeof(trees[0]))

/* A node and properties become NOPs, before, between and behind others. */
static void nop_some(unsigned char *fdt)
{
	int pmu = fdt_path_offset(fdt, "/pmu"), soc = fdt_path_offset(fdt, "/soc");

	if (pmu >= 0) {
		must(fdt_nop_property(fdt, pmu, "status"));
		must(fdt_nop_property(fdt, pmu, "label"));
		must(fdt_nop_node(fdt, fdt_path_offset(fdt, "/pmus")));
	} else {
		must(fdt_nop_property(fdt, soc, "#address-cells"));
		must(fdt_nop_property(fdt, 0, "model"));
	}
}

static unsigned char *make_tree(size_t t, size_t *size)
{
	int i;

	tree = exact(1 << 16);
	must(fdt_create(tree, 1 << 16));
	for (i = 0; i < trees[t].reserved; i++)
		must(fdt_add_reservemap_entry(tree, 0x80000000u + (uint32_t)i, 0x1000));
	must(fdt_finish_reservemap(tree));
	begin("");
	trees[t].make();
	end();
	tree = finish(size);
	fdt_set_boot_cpuid_phys(tree, 5);
	if (trees[t].nops)
		nop_some(tree);
	return tree;
}

/* Maps from nothing to much, and one that only says that no event has a selector. */
enum { NOTHING, ONLY_RAW, ONLY_SELECTORS, ONLY_COUNTERS, ALL, NO_SELECTOR, KINDS };

static struct pmumap *map_of(int kind)
{
	struct model m;
	struct pmumap *map;
	enum pmumap_status status;
	size_t size;

	if (kind == NO_SELECTOR) {
		start(1024);
		begin("");
		text("compatible", "riscv,pmu");
		bytes(tables[0], "", 0);
		bytes(tables[1], "\0\0\0\3\0\0\0\4\0\0\0\x18", 12);
		end();
		tree = finish(&size);
		map = build_tree(tree, size, 0, 0, NULL, &status);
		free(tree);
		return map;
	}
	model_init(&m);
	if (kind == ONLY_RAW || kind == ALL) {
		model_add_raw(&m, 2, ~0ull, 0x8);
		model_add_raw(&m, 0x123456789abc0000, 0xffffffffffff0000, 0xfffffff8);
	}
	if (kind == ONLY_SELECTORS || kind == ALL) {
		model_add_selector(&m, 3, 0xfedcba9876543210);
		model_add_selector(&m, 4, 0);
		model_add_selector(&m, 0x12345, 7);
	}
	if (kind == ONLY_COUNTERS || kind == ALL)
		model_add_counters(&m, 3, 0xfffff, 0x80000001);
	map = build_rows(&m, NULL);
	model_free(&m);
	return map;
}

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
				test_now = name;
				node = l ? 0 : -1;
				do {
					if (node >= 0)
						emit_into(other, laid, node, map, l ? 7 : 1);
					node = fdt_next_node(other, node, NULL);
				} while (node >= 0 && !l && t != 10);
				emit_into(other, laid, 0, map, 7);
				free(other);
			}
			free(map);
		}
		free(fdt);
	}
	test_now = "";
}

/* Offsets of no node, and layouts that cannot grow. */
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

/* One map after another: the node is always the last one's, and takes what that takes. */
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
		/* Names that once were needed stay. */
		CHECK_EQ(need - fdt_size_dt_strings(copy), want - fdt_size_dt_strings(fresh));
		CHECK(fdt_size_dt_strings(copy) <= fdt_size_dt_strings(fdt) + 100);
		free(fresh);
	}
	for (i = 0; i < KINDS; i++)
		free(maps[i]);
	free(copy);
	free(fdt);
}

/* This many levels, with one node in each. */
static unsigned char *make_levels(int levels, size_t *size)
{
	int i;

	start(1 << 12);
	for (i = 0; i < levels; i++)
		begin(i ? "n" : "");
	for (i = 0; i < levels; i++)
		end();
	return finish(size);
}

/* No node is written that is too deep to be read. */
static void check_depth(void)
{
	struct pmumap *map = map_of(ALL);
	int levels, node, next;

	for (levels = 62; levels <= 64; levels++) {
		size_t size, need = 77;
		unsigned char *fdt = make_levels(levels, &size), *copy;

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
	}
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

/* ---- boards ---------------------------------------------------------------------------------- */

static struct paint painted, wanted;

/* The naive reader reads the same answers in what was written as in the board's own tree. */
static void check_by_model(const void *board, const void *emitted)
{
	struct model from, to;
	int node = child_pmu(emitted, 0);

	model_init(&from);
	model_init(&to);
	CHECK(model_read(&from, board, 0) && model_read(&to, emitted, node));
	model_paint(&from, wanted.counters, wanted.has, wanted.selector);
	model_paint(&to, painted.counters, painted.has, painted.selector);
	CHECK(memcmp(wanted.counters, painted.counters, sizeof(wanted.counters)) == 0);
	CHECK(memcmp(wanted.has, painted.has, sizeof(wanted.has)) == 0);
	CHECK(memcmp(wanted.selector, painted.selector, sizeof(wanted.selector)) == 0);
	CHECK_EQ(from.has_selectors, to.has_selectors);
	model_free(&from);
	model_free(&to);
}

/* Into a tree of nothing, and into the board's own, whose pmu may be there and elsewhere. */
static void board(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	struct pmumap *map = build_tree(fdt, size, 0, 0, NULL, &status), *part;
	size_t little, bytes;
	unsigned char *empty;

	CHECK_EQ(status, PMUMAP_OK);
	if (!map)
		return;
	part = restricted(map);
	CHECK(same_image(map, part) || map->imc || map->amu);
	empty = make_tree(2, &little);
	emit_into(empty, little, 0, part, 7);
	if (fdt_check_full(fdt, size) == 0)
		emit_into(fdt, size, 0, part, 17);
	bytes = little + size + pmumap_size(map) * 2;
	empty = realloc(empty, bytes);
	CHECK_EQ(pmumap_fdt_emit(empty, bytes, 0, map, NULL), PMUMAP_OK);
	check_by_model(fdt, empty);
	free(empty);
	free(part);
	free(map);
}

/* ---- random maps ----------------------------------------------------------------------------- */

static uint32_t random_code(void)
{
	static const uint32_t bases[] = { 0, 0, 0x10000, 0x10000, 0x20000, 0x40000, 0xf0000 };
	uint32_t kind = random_below(16);

	if (kind == 0)
		return random_below(0x100000);
	return kind == 1 ? 0xfffff : bases[random_below(7)] + random_below(kind & 1 ? 8 : 0x50);
}

static void random_rows(struct model *m)
{
	uint32_t i, n = random_below(12);

	model_init(m);
	for (i = 0; i < n; i++)
		model_add_selector(m, random_code(), i & 1 ? random64() : random_below(3));
	n = random_below(8);
	for (i = 0; i < n; i++) {
		uint32_t first = random_code(), last = i & 1 ? random_code() : first + (i & 6);

		model_add_counters(m, first, last,
				   i & 4 ? 0xf8 : (uint32_t)random64() & (uint32_t)random64());
	}
	n = random_below(12);
	for (i = 0; i < n; i++) {
		uint64_t mask = i & 1 ? ~0ull << random_below(64) : random64() | random64();

		model_add_raw(m, random64() & mask, mask, 8u << random_below(29));
	}
}

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
		map = build_rows(&m, NULL);
		pmumap_fdt_emit(fdt[t], size[t], 0, map, &need);
		copy = room(fdt[t], size[t], larger(need, size[t]));
		bad += pmumap_fdt_emit(copy, larger(need, size[t]), 0, map, &need) != PMUMAP_OK;
		bad += fdt_check_full(copy, larger(need, size[t])) != 0;
		node = child_pmu(copy, 0);
		if (node > 0)
			again = build_tree(copy, fdt_totalsize(copy), node, 0, NULL, &status);
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
	map = build_rows(&m, NULL);
	empty = make_tree(0, &size);
	emit_into(empty, size, 0, map, 5001);
	free(empty);
	free(map);
	model_free(&m);
	test_now = "";
}

/* ---- fixup ----------------------------------------------------------------------------------- */

static void wild(void)
{
	unsigned char rows[20] = { 0 };
	int i;

	text("compatible", "riscv,pmu");
	bytes(tables[0], rows, 12);
	begin("soc");
	begin("pmu@0");
	text("riscv,event-to-mhpmeventx", "stays");
	text("riscv,event-to-mhpm", "stays");
	text("priscv,event-to-mhpmevent", "stays");
	text("event-to-mhpmevent", "stays");
	text("riscv,pmu,event-to-mhpmevent", "stays");
	bytes("compatible", "riscv,other\0riscv,pmu", 22);
	for (i = 0; i < 6; i++) {
		bytes(i % 2 ? tables[i / 2] : old_tables[i / 2], rows, (size_t)(i * 3));
		bytes(i % 2 ? tables[i / 2] : old_tables[i / 2], rows, 4);
	}
	text("status", "okay");
	begin("inside");
	text("compatible", "riscv,pmu");
	bytes(old_tables[1], rows, 12);
	cell("riscv,width-base-cntr", 63);
	end();
	end();
	begin("other");
	bytes("compatible", "riscv,pmu", 9);
	bytes(tables[0], rows, 12);
	end();
	begin("another");
	bytes("compatible", "riscv,pmux\0xriscv,pmu", 22);
	bytes(tables[0], rows, 12);
	end();
	begin("first");
	text("compatible", "x");
	text("compatible", "riscv,pmu");
	bytes(tables[0], rows, 12);
	end();
	begin("none");
	bytes(tables[0], rows, 12);
	end();
	begin("last");
	bytes(tables[2], rows, 20);
	text("compatible", "riscv,pmu");
	end();
	end();
}

/* libfdt's way, in the same place: the size is the same. */
static void nop_tables(void *fdt)
{
	int node, i;

	for (node = fdt_next_node(fdt, -1, NULL); node >= 0;
	     node = fdt_next_node(fdt, node, NULL)) {
		if (fdt_stringlist_search(fdt, node, "compatible", "riscv,pmu") < 0)
			continue;
		for (i = 0; i < 3; i++) {
			while (fdt_nop_property(fdt, node, tables[i]) == 0)
				;
			while (fdt_nop_property(fdt, node, old_tables[i]) == 0)
				;
		}
	}
}

static void check_fixup(const unsigned char *fdt, size_t size)
{
	struct buffer b = buffer_of(fdt, size, size + 32), c;
	unsigned char *want = exact_copy(fdt, size), *copy = exact_copy(fdt, size);

	if (fdt_check_full(fdt, size)) {
		CHECK(pmumap_fdt_fixup(copy, size) <= PMUMAP_E_STRICT);
	} else {
		nop_tables(want);
		CHECK_EQ(pmumap_fdt_fixup(b.fdt, b.bytes), PMUMAP_OK);
		CHECK(written_at_most(&b, size));
		CHECK(memcmp(b.fdt, fdt, 40) == 0);
		CHECK(memcmp(b.fdt, want, size) == 0 && same_trees(b.fdt, want));
		CHECK_EQ(pmumap_fdt_fixup(copy, size), PMUMAP_OK);
		CHECK(memcmp(copy, b.fdt, size) == 0);
		c = buffer_of(b.fdt, size, size);
		CHECK_EQ(pmumap_fdt_fixup(c.fdt, size), PMUMAP_OK);
		CHECK(written_at_most(&c, 0));
		drop(&c);
	}
	drop(&b);
	free(copy);
	free(want);
}

static void check_fixups(void)
{
	unsigned char *fdt, *other;
	size_t size, laid, t, l;

	start(1 << 16);
	begin("");
	wild();
	end();
	fdt = finish(&size);
	for (l = 0; l < LAYOUTS; l++) {
		test_now = layouts[l].name;
		other = lay_out(&layouts[l], fdt, &laid);
		if (fdt_check_full(other, laid) == 0) {
			check_fixup(other, laid);
		} else {
			CHECK_EQ(pmumap_fdt_fixup(other, laid), PMUMAP_OK);
		}
		free(other);
	}
	free(fdt);
	for (t = 0; t < TREES; t++) {
		test_now = trees[t].name;
		fdt = make_tree(t, &size);
		check_fixup(fdt, size);
		free(fdt);
	}
	test_now = "";
	each_file("build/boards/*.dtb", check_fixup);
	each_file("build/findings/*.dtb", check_fixup);
	each_file("build/corpus/*.dtb", check_fixup);
}

/* ---- hostile trees --------------------------------------------------------------------------- */

static struct pmumap *rich; /* a map of all kinds of rows */
static uint32_t hostile_calls, hostile_bad;

/* A status and nothing written, or a tree that can be read. */
static void survive(const unsigned char *fdt, size_t size, const struct emission *e)
{
	size_t bytes = size + 700, need = 77, again;
	unsigned char *copy = room(fdt, size, bytes);
	enum pmumap_status status = e ? pmumap_fdt_emit(copy, bytes, e->parent, e->map, &need)
				      : pmumap_fdt_fixup(copy, bytes);

	hostile_calls++;
	if (status != PMUMAP_OK) {
		hostile_bad += memcmp(copy, fdt, size) != 0;
		hostile_bad += (need != 77) != (status == PMUMAP_E_NOSPACE);
	} else {
		enum pmumap_status after = pmumap_fdt_measure(copy, bytes, NULL, &again);

		hostile_bad += e && after != PMUMAP_OK && after != PMUMAP_E_NOTFOUND;
		hostile_bad += pmumap_status_str(after) == NULL;
	}
	for (again = status == PMUMAP_OK && e ? larger(need, size) : size; again < bytes; again++)
		hostile_bad += copy[again] != 0x5a;
	free(copy);
}

static void hostile(const unsigned char *fdt, size_t size)
{
	struct emission e = { 0, rich };

	for (; e.parent < 64; e.parent += 4)
		survive(fdt, size, &e);
	survive(fdt, size, NULL);
}

static void ruin(unsigned char *fdt, size_t size)
{
	struct emission e = { 0, rich };
	size_t at;
	uint32_t step = quick(1, 16), value;

	for (at = 0; at < size; at++) {
		survive(fdt, at, &e);
		survive(fdt, at, NULL);
	}
	for (at = 0; at < size; at++) {
		for (value = 1; value < 256; value += step) {
			fdt[at] ^= (unsigned char)value;
			survive(fdt, size, &e);
			survive(fdt, size, NULL);
			fdt[at] ^= (unsigned char)value;
		}
	}
}

/* Several words changed at once, many to what might be one of the tree's offsets, sizes or tags. */
static void mix(unsigned char *fdt, size_t size, uint32_t rounds)
{
	struct emission e = { 0, rich };
	uint32_t i, k;

	for (i = 0; i < rounds; i++) {
		unsigned char *copy = exact_copy(fdt, size);

		for (k = random_below(3) + 1; k; k--) {
			size_t at = 4 * (random_below(2) ? random_below(10)
							 : random_below((uint32_t)size / 4));
			uint32_t value = random_below(4) ? random_below((uint32_t)size + 4)
							 : random_below(16);

			fdt32_st(copy + at, random_below(16) ? value : (uint32_t)random64());
		}
		fdt32_st(copy, FDT_MAGIC);
		e.parent = (int)random_below(4) * 8;
		survive(copy, size, &e);
		survive(copy, size, NULL);
		free(copy);
	}
}

static void check_hostile(void)
{
	unsigned char *fdt;
	size_t size;

	rich = map_of(ALL);
	each_file("../shared/corpus/hostile/*.dtb", hostile);
	each_file("build/findings/*.dtb", hostile);
	fdt = make_tree(1, &size);
	ruin(fdt, size);
	mix(fdt, size, quick(50000, 2000));
	free(fdt);
	start(1024);
	begin("");
	begin("pmu");
	text("compatible", "riscv,pmu");
	bytes(tables[1], "\0\0\0\3\0\0\0\4\0\0\0\x18", 12);
	end();
	end();
	fdt = finish(&size);
	ruin(fdt, size);
	mix(fdt, size, quick(50000, 2000));
	free(fdt);
	CHECK(hostile_calls > 1000);
	CHECK_EQ(hostile_bad, 0);
	free(rich);
}

/* Ten megabytes of properties, every other one of which is taken out. */
static void check_time(void)
{
	uint32_t i, n = quick(100000, 10000);
	unsigned char *fdt, *copy, rows[96] = { 0 };
	struct pmumap *map = map_of(ALL);
	size_t size, need = 0, over;
	clock_t before;

	start(n * 120 + 4096);
	begin("");
	begin("pmu");
	text("compatible", "riscv,pmu");
	for (i = 0; i < n; i++)
		bytes(i & 1 ? tables[i / 2 % 3] : "status", rows, 90);
	end();
	end();
	fdt = finish(&size);
	over = overhead(fdt);
	before = clock();
	CHECK_EQ(pmumap_fdt_emit(fdt, size, 0, map, &need), PMUMAP_OK);
	CHECK(need < size - n / 2 * 90);
	CHECK_EQ(fdt_totalsize(fdt), size);
	CHECK_EQ(pmumap_fdt_fixup(fdt, size), PMUMAP_OK);
	CHECK(clock() - before < 3 * CLOCKS_PER_SEC);
	copy = opened(fdt, 64);
	CHECK_EQ(packed(copy) + over, need);
	CHECK(properties(fdt, fdt_path_offset(fdt, "/pmu")) == n / 2 + 1);
	free(copy);
	free(map);
	free(fdt);
}

int main(void)
{
	check_every_tree();
	check_refused();
	check_turns();
	check_depth();
	check_limit();
	CHECK(each_riscv_board(board) >= 16);
	each_file("build/corpus/*.dtb", board);
	each_file("build/boards/imc-and-riscv.dtb", board);
	many_rows();
	random_maps();
	check_fixups();
	check_hostile();
	check_time();
	return test_summary();
}
