/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which node serves which hart: trees with expected answers, odd trees, and random ones against the
 * model.
 */
#include "make.h"

#define NOBODY 0u

static struct findings findings;

/* The node that serves a hart, according to all functions; negative if none. */
static int node_of(const unsigned char *fdt, size_t size, uint64_t hart, struct pmumap **map)
{
	struct pmumap_fdt_options opt = { .flags = PMUMAP_FOR_HART, .hart = hart };
	enum pmumap_status status, same;
	const struct pmumap *built;
	size_t bytes = 0;
	void *block;
	int node = 12345;

	*map = NULL;
	status = pmumap_fdt_node(fdt, size, &opt, &node);
	CHECK_EQ(pmumap_fdt_measure(fdt, size, &opt, &bytes), status);
	block = exact(bytes);
	CHECK_EQ(pmumap_fdt_build(fdt, size, &opt, block, bytes, &built), status);
	CHECK_EQ(pmumap_fdt_check(fdt, size, &opt, block, bytes, collect, &findings), status);
	CHECK_EQ(pmumap_fdt_build(fdt, size, &opt, block, bytes, &built), status);
	CHECK_EQ(node >= 0, status == PMUMAP_OK);
	if (status != PMUMAP_OK) {
		CHECK(node == PMUMAP_NO_NODE && status == PMUMAP_E_NOTFOUND && !built);
		free(block);
		return -1;
	}
	*map = block;
	if (node) { /* a given node leaves no choice */
		struct pmumap *other = build_tree(fdt, size, node, NULL, &same);

		CHECK(other && same_image(other, *map));
		free(other);
	}
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

/* Without PMUMAP_FOR_HART the first node counts. A given node has priority over a hart's. */
static void without(void)
{
	struct pmumap_fdt_options opt = { .hart = 1 };
	size_t size;
	unsigned char *fdt = load("build/trees/harts-two.dtb", &size);
	int first = fdt_path_offset(fdt, "/pmu-0"), second = fdt_path_offset(fdt, "/pmu-1"), node;

	CHECK_EQ(pmumap_fdt_node(fdt, size, NULL, &node), PMUMAP_OK);
	CHECK_EQ(node, first);
	CHECK_EQ(pmumap_fdt_node(fdt, size, &opt, &node), PMUMAP_OK);
	CHECK_EQ(node, first);
	opt.flags = PMUMAP_FOR_HART;
	CHECK_EQ(pmumap_fdt_node(fdt, size, &opt, &node), PMUMAP_OK);
	CHECK_EQ(node, second);
	opt.node = first;
	CHECK_EQ(pmumap_fdt_node(fdt, size, &opt, &node), PMUMAP_OK);
	CHECK_EQ(node, first);
	opt.node = 4;
	CHECK_EQ(pmumap_fdt_node(fdt, size, &opt, &node), PMUMAP_E_NODE);
	CHECK_EQ(node, PMUMAP_NO_NODE);
	CHECK_EQ(pmumap_fdt_node(fdt, size, &opt, NULL), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_fdt_node(NULL, size, &opt, &node), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_fdt_node(fdt, size - 1, NULL, &node), PMUMAP_E_FDT_SIZE);
	CHECK_EQ(node, PMUMAP_NO_NODE);
	/* Without its last tag. */
	fdt_set_size_dt_struct(fdt, fdt_size_dt_struct(fdt) - 4);
	opt.node = 0;
	CHECK_EQ(pmumap_fdt_node(fdt, size, &opt, &node), PMUMAP_E_FDT_STRUCT);
	CHECK_EQ(node, PMUMAP_NO_NODE);
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

/* Compares the map for each of these harts, and the findings for each node in use. */
static void check_harts(const unsigned char *fdt, size_t size, uint32_t n)
{
	struct pmumap *map;
	uint32_t i;
	int node = -1;

	for (i = 0; i < n; i++) {
		CHECK_EQ(node_of(fdt, size, i, &map), model_node_of(fdt, i));
		free(map);
	}
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
	check_harts(fdt, size, 3);
	free(fdt);
}

/* Of harts with one phandle, each has one finding, and each row has one: 3 for 5 rows. */
static void crowd(void)
{
	size_t size;
	unsigned char *fdt = make("cpus { #address-cells=<1> " HART(0, 1) HART(1, 1)
					  HART(2, 1) "} " PMU("pmu@0", "=<1 d>")
						  PMU("pmu@1", "=<1 d 1 d 1 d 1 d 1 d>"),
				  &size);

	check_harts(fdt, size, 3);
	CHECK_EQ(findings.n, 3 + 1); /* and fixed-missing */
	free(fdt);
}

/* Harts beyond the examined number are served, but have no findings. */
static void many(void)
{
	unsigned char *fdt;
	struct pmumap *map;
	size_t size;
	unsigned i;

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
	check_harts(fdt, size, 0);
	CHECK_EQ(findings.n, MODEL_HARTS + 1); /* and fixed-missing */
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
		check_harts(fdt, size, 6);
		free(fdt);
	}
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
	without();
	many();
	formats();
	crowd();
	random_trees();
	return test_summary();
}
