/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which node serves which hart: trees with expected answers, odd trees, and random ones against the
 * model.
 */
#include "make.h"

#define NOBODY 0u
#define PHANDLE 1u    /* of an interrupt controller: this and the hart's number */
#define INTERRUPT 13u /* the second cell of each entry */

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
	free(fdt);
}

/* ---- odd ones -------------------------------------------------------------------------------- */

/* Entries of two cells; odd adds one more cell. */
static void names(const uint32_t *phandles, uint32_t n, int odd)
{
	uint32_t cells[16], i;
	unsigned char value[64], *to = value;

	for (i = 0; i < n; i++) {
		cells[2 * i] = phandles[i];
		cells[2 * i + 1] = INTERRUPT;
	}
	cells[2 * n] = PHANDLE;
	put_cells(&to, cells, 2 * n + (odd != 0));
	bytes("interrupts-extended", value, (size_t)(to - value));
}

/* Begins a tree, which finish() ends. */
static void open_tree(const char *root)
{
	start(1 << 16);
	begin(root);
}

static void pmu(const char *name, const uint32_t *phandles, uint32_t n, int odd)
{
	begin(name);
	text("compatible", "riscv,pmu");
	if (phandles)
		names(phandles, n, odd);
	end();
}

/* An interrupt controller, or a node that is only called so; phandle 0: without one. */
static void controller(const char *name, uint32_t phandle)
{
	begin(name);
	if (strcmp(name, "interrupts"))
		bytes("interrupt-controller", "", 0);
	if (phandle)
		cell("phandle", phandle);
	end();
}

static void hart(const char *name, uint32_t id, const char *its, uint32_t phandle)
{
	begin(name);
	cell("reg", id);
	controller(its, phandle);
	end();
}

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

/* Each tree has a hart 0, served by a node or not. */
enum {
	NAMED,
	ODD,
	HALF,
	ABSENT,
	EMPTY,
	ZERO,
	OTHER,
	NUMBER,
	PLAIN,
	RENAMED,
	BELOW,
	BEHIND,
	CACHE,
	TYPED,
	LOOKS,
	CELLS,
	SECOND,
	DEEP,
	LATER,
	WRONG,
	ROOT
};

static const struct {
	const char *name;
	int kind, served;
} odd[] = {
	{ "named by its phandle", NAMED, 1 },
	{ "a cell more than whole entries", ODD, 1 },
	{ "its phandle in half of an entry", HALF, 0 },
	{ "its controller has no phandle, an entry is 0", ABSENT, 0 },
	{ "no entries", EMPTY, 0 },
	{ "its controller's phandle is 0, and an entry", ZERO, 0 },
	{ "named: another hart", OTHER, 0 },
	{ "its phandle as the interrupt of other harts", NUMBER, 0 },
	{ "a node that is only called interrupts", PLAIN, 0 },
	{ "a controller of another name", RENAMED, 1 },
	{ "a controller below a child of the hart", BELOW, 0 },
	{ "other controllers behind its own", BEHIND, 1 },
	{ "a cache with the hart's reg before it", CACHE, 1 },
	{ "a hart by its device_type alone", TYPED, 1 },
	{ "cpus, cpu-map and a device_type of cpux are no hart", LOOKS, 0 },
	{ "a reg of three cells", CELLS, 0 },
	{ "two nodes for the hart: the first counts", SECOND, 0 },
	{ "nodes below and beside that only look like it", DEEP, 0 },
	{ "the node comes before the hart, and a second /cpus after it", LATER, 1 },
	{ "/cpusX is no /cpus", WRONG, 0 },
	{ "the root is no /cpus, whatever it is called", ROOT, 0 },
};

/* Nodes that are, or look like, hart 0. */
static void odd_hart(int kind)
{
	static const char *const looks[] = { "cpu-map", "cpus", "l2-cache" };
	uint32_t phandle = kind == OTHER || kind == SECOND || kind == BELOW ? PHANDLE + 1 : PHANDLE;
	uint32_t i;

	if (kind == NUMBER)
		phandle = INTERRUPT;
	if (kind == CACHE)
		hart("l2-cache@0", 0, "interrupt-controller", PHANDLE + 5);
	for (i = 0; kind == LOOKS && i < 3; i++) {
		begin(looks[i]);
		cell("reg", 0);
		text("device_type", i ? "cpux" : "cp");
		controller("interrupt-controller", PHANDLE);
		end();
	}
	if (kind == LOOKS)
		return;
	begin(kind == TYPED ? "core@0" : kind == CACHE ? "cpu" : "cpu@0");
	cell("reg", 0);
	if (kind == TYPED)
		text("device_type", "cpu");
	if (kind == ZERO) {
		begin("interrupt-controller");
		bytes("interrupt-controller", "", 0);
		cell("phandle", 0);
		end();
	} else {
		controller(kind == PLAIN     ? "interrupts"
			   : kind == RENAMED ? "aplic"
					     : "interrupt-controller",
			   kind == ABSENT ? 0 : phandle);
	}
	if (kind == BELOW || kind == BEHIND) {
		begin("interrupts");
		controller("interrupt-controller", PHANDLE + (kind == BEHIND));
		end();
	}
	if (kind == BEHIND) {
		controller("interrupts", PHANDLE + 5);
		controller("interrupt-controller@1", PHANDLE + 6);
	}
	end();
}

static void odd_cpus(int kind)
{
	begin(kind == WRONG ? "cpusX" : "cpus");
	cell("#address-cells", kind == CELLS ? 3 : 1);
	if (kind == DEEP) {
		begin("cpu-map");
		hart("cpu@0", 0, "interrupt-controller", PHANDLE);
		end();
		controller("interrupt-controller", PHANDLE);
		hart("cpu@0", 0, "interrupt-controller", PHANDLE + 1);
	} else {
		odd_hart(kind);
	}
	hart("cpu@1", 1, "interrupt-controller", PHANDLE + 2);
	if (kind == SECOND)
		hart("cpu@0", 0, "interrupt-controller", PHANDLE);
	end();
}

static void odd_root(void)
{
	cell("#address-cells", 1);
	hart("cpu@0", 0, "interrupt-controller", PHANDLE);
}

static void odd_tree(size_t i)
{
	static const uint32_t phandle = PHANDLE, zero = 0, others[] = { PHANDLE + 5, PHANDLE + 6 };
	int kind = odd[i].kind;
	unsigned char *fdt;
	struct pmumap *map;
	size_t size;

	open_tree(kind == ROOT ? "cpus" : "");
	if (kind == LATER)
		pmu("pmu", &phandle, 1, 0);
	else if (kind == ROOT)
		odd_root();
	else
		odd_cpus(kind);
	if (kind == HALF || kind == EMPTY)
		pmu("pmu", &phandle, 0, kind == HALF);
	else if (kind == ABSENT || kind == ZERO)
		pmu("pmu", &zero, 1, 0);
	else if (kind == NUMBER)
		pmu("pmu", others, 2, 0);
	else if (kind != LATER)
		pmu("pmu", &phandle, 1, kind == ODD);
	if (kind == LATER) {
		odd_cpus(kind);
		begin("cpus");
		cell("#address-cells", 1);
		hart("cpu@0", 0, "interrupt-controller", PHANDLE + 7);
		end();
	}
	fdt = finish(&size);
	CHECK_EQ(node_of(fdt, size, 0, &map) >= 0, odd[i].served);
	free(map);
	check_harts(fdt, size, 3);
	free(fdt);
}

/* Of harts with one phandle, each has one finding, and each row has one: 3 for 5 rows. */
static void crowd(void)
{
	static const uint32_t phandles[] = { PHANDLE, PHANDLE, PHANDLE, PHANDLE, PHANDLE };
	unsigned char *fdt;
	size_t size;

	open_tree("");
	begin("cpus");
	cell("#address-cells", 1);
	hart("cpu@0", 0, "interrupt-controller", PHANDLE);
	hart("cpu@1", 1, "interrupt-controller", PHANDLE);
	hart("cpu@2", 2, "interrupt-controller", PHANDLE);
	end();
	pmu("pmu@0", phandles, 1, 0);
	pmu("pmu@1", phandles, 5, 0);
	fdt = finish(&size);
	check_harts(fdt, size, 3);
	CHECK_EQ(findings.n, 3 + 1); /* and fixed-missing */
	free(fdt);
}

/* Harts beyond the examined number are served, but have no findings. */
static void many(void)
{
	const uint32_t last = PHANDLE + 149;
	char name[16];
	unsigned char *fdt;
	struct pmumap *map;
	size_t size;
	uint32_t i;

	open_tree("");
	begin("cpus");
	cell("#address-cells", 1);
	for (i = 0; i < 150; i++) {
		snprintf(name, sizeof(name), "cpu@%" PRIx32, i);
		hart(name, i, "interrupt-controller", PHANDLE + i);
	}
	end();
	pmu("pmu", &last, 1, 0);
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
	static const uint32_t phandle = PHANDLE;
	unsigned char *fdt;
	struct pmumap *map;
	size_t size;

	open_tree("");
	odd_cpus(NAMED);
	pmu("old", NULL, 0, 0);
	begin("pmu");
	text("compatible", "riscv,pmu");
	names(&phandle, 1, 0);
	bytes("riscv,raw-event-to-mhpmcounters",
	      "\0\0\0\0\0\0\0\7\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\x18", 20);
	end();
	fdt = finish(&size);
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

		if (below)
			begin("interrupts");
		controller(names[random_below(3)], random_below(8));
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
	uint32_t phandles[4], k;
	char name[16];

	snprintf(name, sizeof(name), "pmu-%" PRIu32, i);
	for (k = 0; k < 4; k++)
		phandles[k] = random_below(8);
	begin(name);
	text("compatible", random_below(8) ? "riscv,pmu" : "other");
	if (random_below(8) == 0)
		text("riscv,hw-event-map", "");
	if (random_below(3))
		names(phandles, random_below(5), random_below(4) == 0);
	end();
}

static void random_trees(void)
{
	uint32_t i, k, n = quick(20000, 500);
	unsigned failed = test_failed;

	for (i = 0; i < n && test_failed - failed < 10; i++) {
		unsigned char *fdt;
		size_t size;

		open_tree("");
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
