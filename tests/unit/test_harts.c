/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which node serves which hart: trees with expected answers, odd trees, and random ones against the
 * model.
 */
#include "make.h"

#define NOBODY 0u

static struct findings findings;

/* The list of a tree's harts in an array of exactly that room; the caller frees it. */
static struct pmumap_fdt_hart *list(const unsigned char *fdt, size_t size, size_t *count)
{
	struct pmumap_fdt_hart *harts;
	size_t room, small;

	CHECK_EQ(pmumap_fdt_harts(fdt, size, NULL, 0, &room), room ? PMUMAP_E_NOSPACE : PMUMAP_OK);
	harts = exact(room * sizeof(*harts));
	if (room) {
		CHECK_EQ(pmumap_fdt_harts(fdt, size, harts, room - 1, &small), PMUMAP_E_NOSPACE);
		CHECK_EQ(small, room);
	}
	CHECK_EQ(pmumap_fdt_harts(fdt, size, harts, room, count), PMUMAP_OK);
	CHECK(*count <= room);
	return harts;
}

/* The map of a node, by the builder and by the reader, which agree. NULL if there is none. */
static struct pmumap *map_of(const unsigned char *fdt, size_t size, int node)
{
	struct pmumap_builder b;
	enum pmumap_status status, added;
	const struct pmumap *map = NULL;
	struct pmumap *same;
	struct pmumap_run run;
	size_t bytes;
	void *block;

	pmumap_begin(&b, NULL, 0);
	added = pmumap_fdt_add_node(&b, fdt, size, node);
	bytes = pmumap_need(&b);
	block = exact(bytes);
	pmumap_begin(&b, block, bytes);
	CHECK_EQ(pmumap_fdt_add_node(&b, fdt, size, node), added);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	if (added != PMUMAP_OK) {
		CHECK_EQ(added, PMUMAP_E_NODE);
		CHECK(!pmumap_event_next(map, 0, &run) && map->raw_count == 0);
		free(block);
		return NULL;
	}
	same = build_tree(fdt, size, node, NULL, &status);
	/* 0 means the first node, so no options choose the root. */
	CHECK(node == 0 || (same && same_image(same, map)));
	free(same);
	return block;
}

/* The list of a valid tree is the model's: each number once, the first in the tree. */
static void check_list(const unsigned char *fdt, size_t size)
{
	struct pmumap_fdt_hart *harts;
	struct model_hart *want;
	uint32_t n = model_harts(fdt, &want), i, k;
	size_t count, found = 0;

	harts = list(fdt, size, &count);
	for (i = 0; i < n; i++) {
		const struct pmumap_fdt_hart *h = pmumap_fdt_hart_find(harts, count, want[i].id);
		uint32_t features = model_features(fdt, &want[i]);

		for (k = 0; want[k].id != want[i].id; k++)
			;
		CHECK(h != NULL);
		if (k < i || !h)
			continue;
		found++;
		CHECK_EQ(h->hart, want[i].id);
		CHECK(!BROKEN(
			"a hart has the first node that names it, else the first without names",
			h->hart, h->node != model_node_of(fdt, &want[i])));
		CHECK_EQ(h->features,
			 (features & MODEL_SSCOFPMF ? PMUMAP_SSCOFPMF : 0) |
				 (features & MODEL_HART_SMCNTRPMF ? PMUMAP_SMCNTRPMF : 0) |
				 (features & MODEL_DELEGATED ? PMUMAP_DELEGATED : 0));
	}
	CHECK_EQ(count, found);
	for (i = 1; i < count; i++)
		CHECK(harts[i - 1].hart < harts[i].hart);
	for (i = 0; i < count; i++) {
		CHECK(pmumap_fdt_hart_find(harts, count, harts[i].hart) == &harts[i]);
		if (i == 0 || harts[i].node != harts[i - 1].node)
			free(map_of(fdt, size, harts[i].node));
	}
	free(harts);
	free(want);
}

/* The node that serves a hart, and its map; negative if there is none. */
static int node_of(const unsigned char *fdt, size_t size, uint64_t id, struct pmumap **map)
{
	const struct pmumap_fdt_hart *h;
	struct pmumap_fdt_hart *harts;
	size_t count;
	int node;

	harts = list(fdt, size, &count);
	h = pmumap_fdt_hart_find(harts, count, id);
	node = h ? h->node : PMUMAP_NO_NODE;
	free(harts);
	*map = map_of(fdt, size, node);
	CHECK_EQ(node >= 0, *map != NULL);
	return node;
}

/* ---- trees as they are written --------------------------------------------------------------- */

/* Counters of event 3 on a hart; 0 if no node serves it. */
static const struct {
	const char *tree;
	uint64_t hart;
	uint32_t counters;
	uint64_t selector;
} rows[] = {
	{ "harts-two", 0, 0x78, 0x1801 },
	{ "harts-two", 1, 0x18, 0x202 },
	{ "harts-two", 2, NOBODY, 0 },
	{ "harts-two", 0x100000001, NOBODY, 0 },
	{ "harts-rest", 0, 0x18, 0x11 },
	{ "harts-rest", 4, 0x1f8, 0x21 },
	{ "harts-rest", 5, 0x1f8, 0x21 },
	{ "harts-rest", 1, NOBODY, 0 },
	{ "harts-clusters", 0, 0x10, 0x32 },
	{ "harts-clusters", 1, 0x10, 0x32 },
	{ "harts-clusters", 0x100000000, 0x8, 0x31 },
	{ "harts-clusters", 0x100000001, 0x8, 0x31 },
	{ "harts-clusters", 0xf, NOBODY, 0 },
	{ "harts-clusters", 0x10000000f, NOBODY, 0 },
	{ "hart-shared", 0, 0x8, 0x1 },
	{ "hart-shared", 1, 0x8, 0x1 },
	{ "hart-unserved", 0, 0x8, 0x1 },
	{ "hart-unserved", 1, NOBODY, 0 },
	{ "harts-unknown", 0, 0x8, 0x1 },
	{ "extra-node", 0, NOBODY, 0 },
};

static void row(size_t i)
{
	char path[64];
	struct pmumap *map;
	unsigned char *fdt;
	size_t size;
	uint64_t selector = 0;

	snprintf(path, sizeof(path), "build/trees/%s.dtb", rows[i].tree);
	fdt = load(path, &size);
	CHECK_EQ(node_of(fdt, size, rows[i].hart, &map) >= 0, rows[i].counters != NOBODY);
	if (map) {
		CHECK_EQ(pmumap_counters(map, 3), rows[i].counters);
		CHECK(pmumap_selector(map, 3, &selector));
		CHECK_EQ(selector, rows[i].selector);
	}
	free(map);
	free(fdt);
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void arguments(void)
{
	struct pmumap_fdt_hart harts[4];
	size_t size, count;
	unsigned char *fdt = load("build/trees/harts-two.dtb", &size);

#define LIST(fdt, size, harts, room) pmumap_fdt_harts(fdt, size, harts, room, &count)
	CHECK_EQ(LIST(fdt, size, harts, 4), PMUMAP_OK);
	CHECK_EQ(count, 2);
	CHECK_EQ(LIST(fdt, size, harts, SIZE_MAX), PMUMAP_OK);
	CHECK_EQ(pmumap_fdt_harts(fdt, size, harts, 4, NULL), PMUMAP_E_ARG);
	CHECK_EQ(LIST(NULL, size, harts, 4), PMUMAP_E_ARG);
	CHECK_EQ(count, 0);
	CHECK_EQ(LIST(NULL, 0, harts, 4), PMUMAP_E_ARG);
	CHECK_EQ(LIST(fdt, size, NULL, 1), PMUMAP_E_ARG);
	CHECK_EQ(LIST(fdt, size, (struct pmumap_fdt_hart *)(void *)fdt, 1), PMUMAP_E_ARG);
	CHECK_EQ(LIST(fdt, size, (struct pmumap_fdt_hart *)(void *)(fdt + size / 8 * 8 - 8), 1),
		 PMUMAP_E_ARG);
	CHECK_EQ(LIST(fdt, size - 1, harts, 4), PMUMAP_E_FDT_SIZE);
	CHECK_EQ(count, 0);
	fdt_set_size_dt_struct(fdt, fdt_size_dt_struct(fdt) - 4); /* without its last tag */
	CHECK_EQ(LIST(fdt, size, harts, 4), PMUMAP_E_FDT_STRUCT);
	CHECK_EQ(count, 0);
	free(fdt);
}

/* Each offset of a tree, and more. libfdt takes the same ones for nodes. */
static void offsets(void)
{
	struct pmumap_builder b;
	size_t size;
	unsigned char *fdt = load("build/trees/harts-two.dtb", &size);
	int node, nodes = 0;
	const int end = (int)fdt_size_dt_struct(fdt);

	for (node = -8; node < end + 8; node++) {
		pmumap_begin(&b, NULL, 0);
		if (node >= 0 && node % 4 == 0 && fdt_get_name(fdt, node, NULL)) {
			CHECK_EQ(pmumap_fdt_add_node(&b, fdt, size, node), PMUMAP_OK);
			nodes += b.kept > 0;
		} else {
			CHECK_EQ(pmumap_fdt_add_node(&b, fdt, size, node), PMUMAP_E_NODE);
			CHECK_EQ(b.kept, 0);
		}
	}
	CHECK_EQ(nodes, 3); /* before the tables of /pmu-0 stands <1 13>, which looks like a tag */
	node = fdt_path_offset(fdt, "/pmu-1");
	pmumap_begin(&b, NULL, 0);
	CHECK_EQ(pmumap_fdt_add_node(&b, NULL, size, node), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_fdt_add_node(&b, fdt, size - 1, node), PMUMAP_E_FDT_SIZE);
	pmumap_begin(&b, fdt, size);
	CHECK_EQ(pmumap_fdt_add_node(&b, fdt, size, node), PMUMAP_E_ARG);
	/* The blob ends inside of the node. */
	pmumap_begin(&b, NULL, 0);
	fdt_set_size_dt_struct(fdt, (uint32_t)node + 16);
	CHECK_EQ(pmumap_fdt_add_node(&b, fdt, size, node), PMUMAP_E_FDT_STRUCT);
	CHECK_EQ(b.kept, 0);
	free(fdt);
}

/* ---- odd ones -------------------------------------------------------------------------------- */

/* Compares a tree's findings with the model's; node: the one to read, or 0. */
static void check_tree(const unsigned char *fdt, size_t size, int node)
{
	enum pmumap_status status;
	struct pmumap *map = build_tree(fdt, size, node, &findings, &status);
	struct model m;

	model_init(&m);
	CHECK_EQ(model_read(&m, fdt, node), map != NULL);
	model_check(&m);
	check_findings(&findings, &m);
	model_free(&m);
	free(map);
}

/* Compares the list of harts, and the findings for each node in use. */
static void check_harts(const unsigned char *fdt, size_t size)
{
	int node = -1;

	check_list(fdt, size);
	while ((node = fdt_node_offset_by_compatible(fdt, node, "riscv,pmu")) >= 0)
		check_tree(fdt, size, node);
	check_tree(fdt, size, 0);
}

#define INTC(phandle) "interrupt-controller { interrupt-controller phandle=<" #phandle "> } "
#define HART_WITH(controllers) "cpu@0 { reg=<0> " controllers "} "
#define HART(id, phandle) "cpu@" #id " { reg=<" #id "> " INTC(phandle) "} "
#define LOOKS(name, type) name " { reg=<0> device_type=\"" type "\" " INTC(1) "} "
#define HARTS(cells, harts) "{ #address-cells=<" #cells "> " harts HART(1, 3) "} "
#define CPUS(harts) "cpus " HARTS(1, harts)
#define PMU(name, entries) name " { compatible=\"riscv,pmu\" interrupts-extended" entries " } "
#define ONE PMU("pmu", "=<1 d>") /* phandle and interrupt */

/* Hart 0 is served by a node or not. */
static const struct {
	const char *name, *root, *tree;
	int served;
} odd[] = {
	{ "named by its phandle", "", CPUS(HART(0, 1)) ONE, 1 },
	{ "a cell more than whole entries", "", CPUS(HART(0, 1)) PMU("pmu", "=<1 d 1>"), 1 },
	{ "its phandle in half of an entry", "", CPUS(HART(0, 1)) PMU("pmu", "=<1>"), 0 },
	{ "its controller has no phandle, an entry is 0", "",
	  CPUS(HART_WITH("interrupt-controller { interrupt-controller } ")) PMU("pmu", "=<0 d>"),
	  0 },
	{ "no entries", "", CPUS(HART(0, 1)) PMU("pmu", ""), 0 },
	{ "its controller's phandle is 0, and an entry", "", CPUS(HART(0, 0)) PMU("pmu", "=<0 d>"),
	  0 },
	{ "named: another hart", "", CPUS(HART(0, 2)) ONE, 0 },
	{ "its phandle as the interrupt of other harts", "",
	  CPUS(HART(0, d)) PMU("pmu", "=<6 d 7 d>"), 0 },
	{ "a node that is only called interrupts", "",
	  CPUS(HART_WITH("interrupts { phandle=<1> } ")) ONE, 0 },
	{ "a controller of another name", "",
	  CPUS(HART_WITH("aplic { interrupt-controller phandle=<1> } ")) ONE, 1 },
	{ "a controller below a child of the hart", "",
	  CPUS(HART_WITH(INTC(2) "interrupts { " INTC(1) "} ")) ONE, 0 },
	{ "other controllers behind its own", "",
	  CPUS(HART_WITH(INTC(1) "interrupts { " INTC(
		  2) "} interrupts { phandle=<6> } "
		     "interrupt-controller@1 { interrupt-controller phandle=<7> } ")) ONE,
	  1 },
	{ "a cache with the hart's reg before it", "",
	  CPUS("l2-cache@0 { reg=<0> " INTC(6) "} cpu { reg=<0> " INTC(1) "} ") ONE, 1 },
	{ "a hart by its device_type alone", "", CPUS(LOOKS("core@0", "cpu")) ONE, 1 },
	{ "cpus, cpu-map and a device_type of cpux are no hart", "",
	  CPUS(LOOKS("cpu-map", "cp") LOOKS("cpus", "cpux") LOOKS("l2-cache", "cpux")) ONE, 0 },
	{ "a reg of three cells", "", "cpus " HARTS(3, HART(0, 1)) ONE, 0 },
	{ "two nodes for the hart: the first counts", "",
	  CPUS(HART(0, 2) HART(1, 3) HART(0, 1)) ONE, 0 },
	{ "nodes below and beside that only look like it", "",
	  CPUS("cpu-map { " HART(0, 1) "} " INTC(1) HART(0, 2)) ONE, 0 },
	{ "the node comes before the hart, and a second /cpus after it", "",
	  ONE CPUS(HART(0, 1)) "cpus { #address-cells=<1> " HART(0, 8) "} ", 1 },
	{ "harts with one phandle, and rows that repeat it: one finding for a node", "",
	  "cpus { #address-cells=<1> " HART(0, 1) HART(1, 1) HART(2, 1) "} " PMU("pmu@0", "=<1 d>")
		  PMU("pmu@1", "=<1 d 1 d 1 d 1 d 1 d>"),
	  1 },
	{ "/cpusX is no /cpus", "", "cpusX " HARTS(1, HART(0, 1)) ONE, 0 },
	{ "the root is no /cpus, whatever it is called", "cpus",
	  "#address-cells=<1> " HART(0, 1) ONE, 0 },
};

static void odd_tree(size_t i)
{
	unsigned char *fdt;
	struct pmumap *map;
	size_t size;

	start();
	begin(odd[i].root);
	blob_text(&tree, odd[i].tree);
	fdt = finish(&size);
	CHECK_EQ(node_of(fdt, size, 0, &map) >= 0, odd[i].served);
	free(map);
	check_harts(fdt, size);
	free(fdt);
}

/* All harts are checked, if the block has room for them. */
static void many(void)
{
	unsigned char *fdt;
	struct pmumap *map;
	size_t size, bytes = 150 * sizeof(struct pmumap_fdt_hart);
	unsigned i;
	void *block;

	start();
	blob_text(&tree, "{ cpus { #address-cells=<1>");
	for (i = 0; i < 150; i++)
		blob_format(&tree,
			    "cpu@%x { reg=<%x> interrupt-controller { interrupt-controller "
			    "phandle=<%x> } }",
			    i, i, i + 1);
	blob_text(&tree, "} " PMU("pmu", "=<96 d>"));
	fdt = finish(&size);
	CHECK(node_of(fdt, size, 149, &map) > 0);
	free(map);
	CHECK(node_of(fdt, size, 148, &map) < 0);
	free(map);
	check_list(fdt, size);
	check_tree(fdt, size, 0);
	CHECK_EQ(findings.n, 149 + 1); /* and fixed-missing */
	block = exact(bytes);
	findings.n = 0;
	CHECK_EQ(pmumap_fdt_check(fdt, size, NULL, block, bytes - 8, collect, &findings),
		 PMUMAP_E_NOSPACE);
	CHECK_EQ(findings.n, 1);
	CHECK_EQ(pmumap_fdt_check(fdt, size, NULL, block, bytes, collect, &findings), PMUMAP_OK);
	CHECK_EQ(findings.n, 1 + 149 + 1);
	free(block);
	free(fdt);
}

/* Tables of a node that is read after all: none has the format of the node that it replaces. */
static void formats(void)
{
	size_t size;
	unsigned char *fdt = make(
		CPUS(HART(0, 1)) "old { compatible=\"riscv,pmu\" } pmu { "
				 "compatible=\"riscv,pmu\" interrupts-extended=<1 d> "
				 "riscv,raw-event-to-mhpmcounters=<0 7 ffffffff ffffffff 18> }",
		&size);
	struct pmumap *map;

	CHECK(node_of(fdt, size, 0, &map) > 0);
	CHECK_EQ(pmumap_raw_counters(map, 7), 0x18);
	free(map);
	free(fdt);
}

/* ---- random ones ----------------------------------------------------------------------------- */

static void random_hart(uint32_t i)
{
	static const char *const harts[] = { "cpu", "core", "cpus", "cpu-map" };
	static const char *const names[] = { "interrupt-controller", "aplic", "interrupts" };
	static const char *const status[] = { "okay", "ok", "disabled" };
	char name[16];

	snprintf(name, sizeof(name), "%s@%" PRIx32, harts[random_below(4)], i);
	begin(random_below(8) ? name : "cpu");
	if (random_below(8))
		cell("reg", random_below(6));
	if (random_below(2))
		text("device_type", random_below(4) ? "cpu" : "cpux");
	if (random_below(3) == 0)
		text("status", status[random_below(3)]);
	for (i = 0; i < 2; i++) {
		int below = random_below(5) == 0;
		uint32_t which = random_below(3), phandle = random_below(8);

		if (below)
			begin("interrupts");
		begin(names[which]);
		if (which < 2)
			bytes("interrupt-controller", "", 0);
		if (phandle)
			cell("phandle", phandle);
		end();
		if (below)
			end();
	}
	end();
}

static void random_cpus(void)
{
	uint32_t i, n = random_below(6);

	begin(random_below(6) ? "cpus" : "cpu");
	if (random_below(8))
		cell("#address-cells", random_below(12) ? 1 : random_below(4));
	for (i = 0; i < n; i++)
		random_hart(i);
	end();
}

static void random_pmu(uint32_t i)
{
	unsigned char entries[36];
	char name[16];
	uint32_t k;

	snprintf(name, sizeof(name), "pmu-%" PRIu32, i);
	for (k = 0; k < 9; k++)
		put32(entries + 4 * k, k % 2 ? 13 : k < 8 ? random_below(8) : 1);
	begin(name);
	text("compatible", random_below(8) ? "riscv,pmu" : "other");
	if (random_below(8) == 0)
		text("riscv,hw-event-map", "");
	if (random_below(3))
		bytes("interrupts-extended", entries,
		      8 * random_below(5) + (random_below(4) ? 0 : 4));
	end();
}

static void random_trees(void)
{
	uint32_t i, k, n = quick(20000, 500);
	unsigned failed = test_failed;

	for (i = 0; i < n && test_failed - failed < 10; i++) {
		unsigned char *fdt;
		size_t size;

		start();
		begin("");
		for (k = 0; k < 4; k++) {
			if (random_below(3) == 0)
				random_cpus();
			else
				random_pmu(k);
		}
		fdt = finish(&size);
		check_harts(fdt, size);
		free(fdt);
	}
}

/* ---- many harts ------------------------------------------------------------------------------ */

#define MOST 1024u

/* Node k names the harts k, k + nodes, and so on. */
static void large_nodes(uint32_t harts, uint32_t nodes)
{
	static unsigned char entries[8 * MOST];
	unsigned char selector[12] = { 0, 0, 0, 3 };
	char name[16];
	uint32_t i, k, n;

	for (k = 0; k < nodes; k++) {
		for (i = k, n = 0; i < harts; i += nodes, n += 8) {
			put32(entries + n, i + 1);
			put32(entries + n + 4, 13);
		}
		put32(selector + 8, k + 1);
		snprintf(name, sizeof(name), "pmu-%" PRIu32, k);
		begin(name);
		text("compatible", "riscv,pmu");
		bytes("interrupts-extended", entries, n);
		bytes("riscv,event-to-mhpmevent", selector, sizeof(selector));
		end();
	}
}

static unsigned char *large(uint32_t harts, uint32_t nodes, int first, size_t *size)
{
	uint32_t i;

	start();
	begin("");
	if (first)
		large_nodes(harts, nodes);
	blob_text(&tree, "cpus { #address-cells=<1>");
	for (i = 0; i < harts; i++) /* 421 is odd, so that all numbers differ */
		blob_format(&tree,
			    "cpu@%x { reg=<%x> riscv,isa=\"rv64i%s\" interrupt-controller { "
			    "interrupt-controller phandle=<%x> } }",
			    i, i * 421 % MOST, i % 3 ? "_sscofpmf" : "", i + 1);
	end();
	if (!first)
		large_nodes(harts, nodes);
	return finish(size);
}

/* Hart i * 421 has node i % nodes, whose number is in its map. */
static void check_large(uint32_t harts, uint32_t nodes, int first)
{
	size_t size, count, found = 0;
	unsigned char *fdt = large(harts, nodes, first, &size);
	struct pmumap_fdt_hart *h = list(fdt, size, &count);
	uint32_t i;

	CHECK_EQ(count, harts);
	for (i = 0; i < harts; i++) {
		const struct pmumap_fdt_hart *one = pmumap_fdt_hart_find(h, count, i * 421 % MOST);
		struct pmumap_builder b;
		const struct pmumap *map = NULL;
		uint64_t block[128], selector = 0;

		pmumap_begin(&b, block, sizeof(block));
		found += one && one->hart == i * 421 % MOST &&
			 one->features == (i % 3 ? PMUMAP_SSCOFPMF : 0) &&
			 pmumap_fdt_add_node(&b, fdt, size, one->node) == PMUMAP_OK &&
			 pmumap_finish(&b, &map) == PMUMAP_OK &&
			 pmumap_selector(map, 3, &selector) && selector == i % nodes + 1;
	}
	CHECK_EQ(found, harts);
	free(h);
	free(fdt);
}

static void large_trees(void)
{
	static const uint32_t nodes[] = { 1, 2, 3, 33, 500, 1023, 1024 };
	size_t i;

	for (i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++) {
		check_large(MOST, nodes[i], 0);
		check_large(MOST, nodes[i], 1);
	}
	for (i = 1; i < 40; i++)
		check_large((uint32_t)i, (uint32_t)(i + 1) / 2, i % 2);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Most changes are to the cells and names that decide which node serves which hart. */
static void spoiled(const unsigned char *fdt, size_t size)
{
	unsigned char *copy = exact_copy(fdt, size);
	uint32_t k, n = quick(60, 6), tags = fdt_off_dt_struct(fdt);
	size_t room, i;

	check_list(fdt, size);
	for (k = 0; k < n; k++) {
		for (i = random_below(4) + 1; i; i--)
			copy[tags + random_below((uint32_t)size - tags)] =
				random_below(2) ? (unsigned char)random_below(8)
						: fdt[tags + random_below((uint32_t)size - tags)];
		if (pmumap_fdt_harts(copy, size, NULL, 0, &room) == PMUMAP_E_NOSPACE)
			check_list(copy, size);
		memcpy(copy, fdt, size);
	}
	free(copy);
}

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		test_now = rows[i].tree;
		row(i);
	}
	for (i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		test_now = odd[i].name;
		odd_tree(i);
	}
	test_now = "";
	arguments();
	offsets();
	many();
	formats();
	random_trees();
	large_trees();
	each_file("build/trees/*.dtb", spoiled);
	each_file("build/boards/*.dtb", spoiled);
	return test_summary();
}
