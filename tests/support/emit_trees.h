/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Trees to write maps into, and the maps.
 */
#ifndef EMIT_TREES_H
#define EMIT_TREES_H

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

static inline enum pmumap_status emit(void *fdt, size_t bytes, const void *arg, size_t *need)
{
	const struct emission *e = arg;

	return pmumap_fdt_emit(fdt, bytes, e->parent, e->map, need);
}

/* ---- trees ----------------------------------------------------------------------------------- */

static inline void plain(void)
{
	text("model", "board");
	begin("soc");
	cell("#address-cells", 1);
	end();
}

static inline void bare(void)
{
}

static inline void with_pmu(void)
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

static inline void with_tables(void)
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

static inline void with_one_table(void)
{
	unsigned char rows[120] = { 0 };

	begin("pmu");
	bytes(tables[1], rows, 120);
	text("compatible", "a long list of other things that it is compatible with");
	end();
}

static inline void with_old_tables(void)
{
	unsigned char rows[12] = { 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 8 };
	int i;

	begin("pmu");
	text("compatible", "riscv,pmu");
	for (i = 0; i < 3; i++)
		bytes(old_tables[i], rows, 12);
	end();
}

static inline void with_draft(void)
{
	begin("pmu");
	text("compatible", "riscv,pmu");
	cell("riscv,width-base-cntr", 63);
	end();
}

static inline void with_suffixes(void)
{
	text("not-compatible", "x");
	cell("x-riscv,event-to-mhpmevent", 1);
	cell("riscv,event-to-mhpmcounters-x", 2);
	cell("not-riscv,raw-event-to-mhpmcounters", 2);
}

static inline void doubled(void)
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

static inline void deep(void)
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

/* Replaces a node and properties by NOPs, before, between and after others. */
static inline void nop_some(unsigned char *fdt)
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

static inline unsigned char *make_tree(size_t t, size_t *size)
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

/* Maps from empty to large, and one with an empty table of selectors. */
enum { NOTHING, ONLY_RAW, ONLY_SELECTORS, ONLY_COUNTERS, ALL, NO_SELECTOR, KINDS };

static inline struct pmumap *map_of(int kind)
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
		map = build_tree(tree, size, 0, NULL, &status);
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
	map = build_rows(&m);
	model_free(&m);
	return map;
}
/* The node with exactly this name, without an address. */
static inline int child_pmu(const void *fdt, int parent)
{
	int node;

	fdt_for_each_subnode(node, fdt, parent)
	{
		if (!strcmp(fdt_get_name(fdt, node, NULL), "pmu"))
			break;
	}
	return node;
}

#endif /* EMIT_TREES_H */
