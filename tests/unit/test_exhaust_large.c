/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Trees of 10 MB that try to be slow: huge numbers of rows, units, CPUs, properties, names and
 * levels, in every place where the reader looks. Each is rejected, or becomes a map that answers,
 * within two seconds of CPU time and in a block proportional to the tree.
 */
#include "exhaust.h"

#include <time.h>

#include "make.h"

#define SECONDS 2
#define BLOCK_PER_BYTE 16u /* limit; a 100-byte IMC unit indexes all names of its list */

static uint32_t limit; /* bytes of a tree */

static int more(void)
{
	return fdt_size_dt_struct(tree) < limit;
}

static uint32_t count;

static uint32_t next(void)
{
	return count++;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static void pmu(const char *name)
{
	begin(name);
	text("compatible", "riscv,pmu");
}

static void catalog(void)
{
	begin("imc");
	text("compatible", "ibm,opal-in-memory-counters");
}

static void event(const char *name, uint32_t reg)
{
	begin("event");
	text("event-name", name);
	cell("reg", reg);
	end();
}

static void list(uint32_t phandle)
{
	begin("list");
	cell("phandle", phandle);
}

static void unit(const char *name, const char *prefix, uint32_t events)
{
	begin(name);
	text("compatible", "ibm,imc-counters");
	text("events-prefix", prefix);
	cell("type", 0x10);
	cell("reg", 0);
	cell("size", 0x40000);
	cell("offset", 0x180000);
	cell("events", events);
}

static void cpus(void)
{
	begin("cpus");
	cell("#address-cells", 1);
	cell("#size-cells", 0);
}

static void view(uint32_t phandle)
{
	begin("amu");
	cell("phandle", phandle);
	cell("#address-cells", 1);
	cell("#size-cells", 0);
}

static void counter(const char *name, uint32_t reg)
{
	begin(name);
	cell("reg", reg);
	cell("enable-at-el3", 0);
	end();
}

static void cpu(uint32_t reg, uint32_t amu)
{
	begin("cpu@0");
	cell("reg", reg);
	cell("amu", amu);
	end();
}

/* A property as long as the tree, of n cells each; cells: their values by index. */
static void rows(const char *name, uint32_t n, uint32_t share,
		 void (*cells)(uint32_t row, uint32_t *to))
{
	uint32_t bytes = limit / share / (4 * n) * (4 * n), i, k, to[5];
	unsigned char *p;
	void *value;

	must(fdt_property_placeholder(tree, name, (int)bytes, &value));
	for (i = 0, p = value; i < bytes / (4 * n); i++) {
		cells(i, to);
		for (k = 0; k < n; k++, p += 4) {
			p[0] = (unsigned char)(to[k] >> 24);
			p[1] = (unsigned char)(to[k] >> 16);
			p[2] = (unsigned char)(to[k] >> 8);
			p[3] = (unsigned char)to[k];
		}
	}
}

/* ---- RISC-V ---------------------------------------------------------------------------------- */

#define SELECTORS "riscv,event-to-mhpmevent"
#define COUNTERS "riscv,event-to-mhpmcounters"
#define RAW "riscv,raw-event-to-mhpmcounters"

static void any_row(uint32_t row, uint32_t *to)
{
	uint64_t noise = random64();

	(void)row;
	to[0] = (uint32_t)noise & 0xfffff;
	to[1] = to[0] | (uint32_t)(noise >> 44);
	to[2] = to[3] = (uint32_t)(noise >> 32);
	to[0] &= to[2];
	to[4] = 8;
}

static void same_row(uint32_t row, uint32_t *to)
{
	to[0] = 0;
	to[1] = 0xfffff;
	to[2] = row | 8;
	to[3] = 0xffffffff;
	to[4] = 8;
}

static void nested_row(uint32_t row, uint32_t *to)
{
	to[0] = row % 0x80000;
	to[1] = 0xfffff - row % 0x80000;
	to[2] = 8u << row % 29;
}

/* At most two bits of select, so that most rows overlap. */
static void thin_row(uint32_t row, uint32_t *to)
{
	to[0] = to[1] = 0;
	to[2] = row;
	to[3] = 1u << row % 32;
	to[4] = 8u << row % 29;
}

static void any_rows(void)
{
	pmu("pmu");
	rows(SELECTORS, 3, 3, any_row);
	rows(COUNTERS, 3, 3, any_row);
	rows(RAW, 5, 3, any_row);
	end();
}

static void same_rows(void)
{
	pmu("pmu");
	rows(SELECTORS, 3, 3, same_row);
	rows(COUNTERS, 3, 3, same_row);
	rows(RAW, 5, 3, same_row);
	end();
}

static void nested_ranges(void)
{
	pmu("pmu");
	rows(COUNTERS, 3, 1, nested_row);
	end();
}

static void thin_masks(void)
{
	pmu("pmu");
	rows(RAW, 5, 1, thin_row);
	end();
}

static void many_pmus(void)
{
	while (more()) {
		pmu("pmu");
		bytes(COUNTERS, "\0\0\0\1\0\0\0\1\0\0\0\x8", 12);
		end();
	}
}

static void many_tables(void)
{
	pmu("pmu");
	while (more())
		bytes(COUNTERS, "\0\0\0\1\0\0\0\1\0\0\0\x8", 12);
	end();
}

static void long_compatible(void)
{
	void *value;

	begin("pmu");
	must(fdt_property_placeholder(tree, "compatible", (int)limit, &value));
	memset(value, 0, limit);
	memcpy((char *)value + limit - 10, "riscv,pmu", 10);
	end();
}

static void many_compatibles(void)
{
	while (more()) {
		void *value;

		begin("n");
		must(fdt_property_placeholder(tree, "compatible", 4096, &value));
		memset(value, 'r', 4096);
		end();
	}
}

/* ---- IMC ------------------------------------------------------------------------------------- */

static void same_events(void)
{
	catalog();
	list(1);
	while (more())
		event("SAME", 8);
	end();
	unit("u@0", "", 1);
	end();
	end();
}

static void lists_backwards(void)
{
	catalog();
	while (more()) {
		uint32_t i = next();

		unit("u@0", "P_", ~i);
		end();
		list(~i - 1);
		event("E", 8 * i);
		end();
	}
	end();
}

static void lost_lists(void)
{
	catalog();
	list(0x7fffffff);
	event("E", 0);
	end();
	while (more()) {
		unit("u@0", "P_", next());
		end();
	}
	end();
}

static void one_phandle(void)
{
	catalog();
	while (more()) {
		list(1);
		event("E", next() * 8);
		end();
		unit("same@0", "P_", 1);
		end();
	}
	end();
}

static char *long_text(uint32_t n, char letter)
{
	char *s = exact(n + 1);

	memset(s, letter, n);
	s[n] = 0;
	return s;
}

static void long_names(void)
{
	char *name = long_text(limit / 8, 'N');

	catalog();
	list(1);
	event(name, 0);
	event(name, 8);
	event("E", 16);
	end();
	unit("u@0", name, 1);
	end();
	name[limit / 8 - 1] = 'M';
	unit("v@0", name, 1);
	text("scale", name);
	text("unit", name);
	end();
	unit(name, "", 1);
	end();
	end();
	free(name);
}

static void long_scales(void)
{
	char *scale = long_text(65536, '0');

	scale[0] = '1';
	catalog();
	list(1);
	event("E", 16);
	end();
	while (more()) {
		unit("u@0", "P", 1);
		text("scale", scale);
		end();
	}
	end();
	free(scale);
}

static void chip_cells(uint32_t row, uint32_t *to)
{
	to[0] = 0;
	to[1] = row / 4;
}

static void many_chips(void)
{
	catalog();
	list(1);
	event("E", 16);
	end();
	unit("u@0", "P", 1);
	rows("base-addr", 2, 2, chip_cells);
	rows("chip-id", 1, 4, chip_cells);
	end();
	end();
}

static void many_homers(void)
{
	catalog();
	list(1);
	event("E", 16);
	end();
	unit("u@0", "P", 1);
	end();
	unit("v@0", "Q", 1);
	end();
	end();
	while (more()) {
		begin("homer-image@0");
		text("compatible", "ibm,homer-image");
		bytes("reg", "\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\1", 16);
		cell("ibm,chip-id", next() / 2);
		end();
	}
}

/* ---- AMU ------------------------------------------------------------------------------------- */

static void own_views(void)
{
	cpus();
	while (more()) {
		uint32_t i = next();

		cpu(i, ~i);
		begin("amus");
		view(~i - 1);
		counter("counter@1", 1);
		end();
		end();
	}
	end();
}

static void one_cpu(void)
{
	cpus();
	begin("amus");
	view(1);
	counter("counter@1", 1);
	end();
	end();
	while (more())
		cpu(0, 1);
	end();
}

static void lost_views(void)
{
	cpus();
	while (more()) {
		uint32_t i = next();

		cpu(i, i + 1);
	}
	end();
}

static void same_views(void)
{
	cpus();
	begin("amus");
	while (more()) {
		view(1);
		counter("counter@1", 1);
		end();
	}
	end();
	cpu(0, 1);
	end();
}

static void same_counters(void)
{
	cpus();
	begin("amus");
	view(1);
	while (more())
		counter("counter@1", 1);
	end();
	end();
	cpu(0, 1);
	end();
}

static void labels(void)
{
	char name[16];

	cpus();
	begin("amus");
	view(1);
	counter("counter@1", 1);
	end();
	end();
	cpu(0, 1);
	end();
	begin("__symbols__");
	/* libfdt compares each new name with all earlier ones, so use few names, repeated. */
	while (more()) {
		sprintf(name, "l%u", (unsigned)(next() % 64));
		text(name, "/cpus/amus/amu/counter@1");
	}
	end();
}

/* ---- structure ------------------------------------------------------------------------------- */

static void levels(void)
{
	uint32_t i;

	while (more()) {
		for (i = 0; i < 63; i++)
			begin("l");
		for (i = 0; i < 63; i++)
			end();
	}
}

/* libfdt does not close nodes by itself. */
static void too_deep(void)
{
	while (more())
		begin("");
}

static void nops(void)
{
	begin("n");
	while (more())
		must(fdt_property(tree, "n", "", 0));
	end();
}

static void node_name(void)
{
	char *name = long_text(limit, 'n');

	begin(name);
	end();
	free(name);
}

/* A million properties in each kind of node that is read. */
static void properties(void)
{
	while (more())
		must(fdt_property(tree, "x", "", 0));
}

static void in_pmu(void)
{
	pmu("pmu");
	bytes(COUNTERS, "\0\0\0\1\0\0\0\1\0\0\0\x8", 12);
	properties();
	end();
}

static void in_unit(void)
{
	catalog();
	list(1);
	event("E", 0);
	end();
	unit("u@0", "P_", 1);
	properties();
	end();
	end();
}

static void in_event(void)
{
	catalog();
	list(1);
	begin("event");
	text("event-name", "E");
	cell("reg", 0);
	properties();
	end();
	end();
	unit("u@0", "P_", 1);
	end();
	end();
}

static void in_cpu(void)
{
	cpus();
	begin("amus");
	view(1);
	counter("counter@1", 1);
	end();
	end();
	begin("cpu@0");
	cell("reg", 0);
	cell("amu", 1);
	properties();
	end();
	end();
}

static void in_view(void)
{
	cpus();
	begin("amus");
	view(1);
	counter("counter@1", 1);
	end();
	view(2);
	properties();
	end();
	end();
	cpu(0, 1);
	end();
}

static void in_symbols(void)
{
	cpus();
	begin("amus");
	view(1);
	counter("counter@1", 1);
	end();
	end();
	cpu(0, 1);
	end();
	begin("__symbols__");
	properties();
	end();
}

/* ---- what libfdt does not write -------------------------------------------------------------- */

/* Calls a function for every property "x" or "n". */
static void each_property(unsigned char *fdt, void (*call)(struct fdt_property *p, uint32_t i))
{
	int at = 0, next_at = 0;
	uint32_t i = 0;

	for (; fdt_next_tag(fdt, at, &next_at) != FDT_END && next_at > 0; at = next_at) {
		struct fdt_property *p = (struct fdt_property *)(fdt + fdt_off_dt_struct(fdt) + at);
		const char *name;

		if (fdt32_to_cpu(p->tag) != FDT_PROP)
			continue;
		name = (const char *)fdt + fdt_off_dt_strings(fdt) + fdt32_to_cpu(p->nameoff);
		if (!strcmp(name, "x") || !strcmp(name, "n"))
			call(p, i++);
	}
}

static uint32_t names_at, names_size;

static void far_name(struct fdt_property *p, uint32_t i)
{
	p->nameoff = cpu_to_fdt32(names_at + i % (names_size - 1));
}

static void no_property(struct fdt_property *p, uint32_t i)
{
	(void)i;
	p->tag = p->len = p->nameoff = cpu_to_fdt32(FDT_NOP);
}

/*
 * Makes their names parts of one long name that ends with the tree or not at all. It begins like a
 * name that is searched for.
 */
static unsigned char *unending(unsigned char *fdt, size_t *size, int ends)
{
	static const char like[] = COUNTERS "reg" RAW;
	unsigned char *longer;
	uint32_t i;

	names_size = limit / 2;
	names_at = fdt_size_dt_strings(fdt);
	longer = memcpy(exact(*size + names_size), fdt, *size);
	free(fdt);
	for (i = 0; i < names_size; i++)
		longer[*size + i] = (unsigned char)like[i % (sizeof(like) - 1)];
	if (ends)
		longer[*size + names_size - 1] = 0;
	each_property(longer, far_name);
	*size += names_size;
	fdt_set_totalsize(longer, (uint32_t)*size);
	fdt_set_size_dt_strings(longer, names_at + names_size);
	return longer;
}

static unsigned char *unending_names(unsigned char *fdt, size_t *size)
{
	return unending(fdt, size, 1);
}

static unsigned char *open_names(unsigned char *fdt, size_t *size)
{
	return unending(fdt, size, 0);
}

static unsigned char *to_nops(unsigned char *fdt, size_t *size)
{
	(void)size;
	each_property(fdt, no_property);
	return fdt;
}

/* The structure ends inside the name. */
static unsigned char *open_node(unsigned char *fdt, size_t *size)
{
	(void)size;
	memset(fdt + fdt_off_dt_struct(fdt) + fdt_size_dt_struct(fdt) - 24, 'n', 24);
	return fdt;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static const struct shape {
	const char *name;
	void (*make)(void);
	enum pmumap_status status;
	unsigned char *(*bend)(unsigned char *fdt, size_t *size);
} shapes[] = {
	{ "any rows", any_rows, PMUMAP_OK, NULL },
	{ "the same rows", same_rows, PMUMAP_OK, NULL },
	{ "nested ranges", nested_ranges, PMUMAP_OK, NULL },
	{ "thin masks", thin_masks, PMUMAP_OK, NULL },
	{ "many PMUs", many_pmus, PMUMAP_OK, NULL },
	{ "many tables", many_tables, PMUMAP_OK, NULL },
	{ "long compatible", long_compatible, PMUMAP_OK, NULL },
	{ "many compatibles", many_compatibles, PMUMAP_E_NOTFOUND, NULL },
	{ "the same events", same_events, PMUMAP_OK, NULL },
	{ "lists backwards", lists_backwards, PMUMAP_OK, NULL },
	{ "lost lists", lost_lists, PMUMAP_OK, NULL },
	{ "one phandle", one_phandle, PMUMAP_OK, NULL },
	{ "long names", long_names, PMUMAP_OK, NULL },
	{ "long scales", long_scales, PMUMAP_OK, NULL },
	{ "many chips", many_chips, PMUMAP_OK, NULL },
	{ "many homers", many_homers, PMUMAP_OK, NULL },
	{ "own views", own_views, PMUMAP_OK, NULL },
	{ "one CPU", one_cpu, PMUMAP_OK, NULL },
	{ "lost views", lost_views, PMUMAP_OK, NULL },
	{ "same views", same_views, PMUMAP_OK, NULL },
	{ "same counters", same_counters, PMUMAP_OK, NULL },
	{ "labels", labels, PMUMAP_OK, NULL },
	{ "levels", levels, PMUMAP_E_NOTFOUND, NULL },
	{ "nops", nops, PMUMAP_E_NOTFOUND, to_nops },
	{ "node name", node_name, PMUMAP_E_NOTFOUND, NULL },
	{ "open node name", node_name, PMUMAP_E_FDT_STRUCT, open_node },
	{ "properties of a PMU", in_pmu, PMUMAP_OK, NULL },
	{ "properties of a unit", in_unit, PMUMAP_OK, NULL },
	{ "properties of an event", in_event, PMUMAP_OK, NULL },
	{ "properties of a CPU", in_cpu, PMUMAP_OK, NULL },
	{ "properties of a view", in_view, PMUMAP_OK, NULL },
	{ "properties of labels", in_symbols, PMUMAP_OK, NULL },
	{ "unending names in a PMU", in_pmu, PMUMAP_OK, unending_names },
	{ "unending names in a unit", in_unit, PMUMAP_OK, unending_names },
	{ "unending names in an event", in_event, PMUMAP_OK, unending_names },
	{ "unending names in a CPU", in_cpu, PMUMAP_OK, unending_names },
	{ "unending names in a view", in_view, PMUMAP_OK, unending_names },
	{ "unending labels", in_symbols, PMUMAP_OK, unending_names },
	{ "open names", in_pmu, PMUMAP_E_FDT_STRUCT, open_names },
};

static uint64_t findings;

static void number(void *arg, const struct pmumap_finding *f)
{
	(void)arg;
	(void)f;
	findings++;
}

static int in_time(clock_t began)
{
	return clock() - began < SECONDS * CLOCKS_PER_SEC;
}

static enum pmumap_status run_kind(int kind, const char *name, const unsigned char *fdt,
				   size_t size)
{
	enum pmumap_status status;
	const void *map = NULL;
	clock_t began, first;
	size_t need = 0;
	void *block;

	began = clock();
	status = any_measure(kind, fdt, size, &need);
	first = clock() - began;
	CHECK(in_time(began));
	CHECK(need <= BLOCK_PER_BYTE * size + 65536);
	block = exact(need);
	findings = 0;
	began = clock();
	CHECK_EQ(any_build(kind, fdt, size, number, NULL, block, need, &map), status);
	CHECK(in_time(began));
	if (map || kind == RISCV)
		printf("%s: %zu bytes, %ld + %ld ms, block of %zu, %" PRIu64 " findings\n", name,
		       size, (long)(first * 1000 / CLOCKS_PER_SEC),
		       (long)((clock() - began) * 1000 / CLOCKS_PER_SEC), need, findings);
	/* Not one for every pair. */
	CHECK(findings <= size / 4);
	if (map) {
		began = clock();
		any_ask(kind, map);
		CHECK(in_time(began));
	}
	free(block);
	return status;
}

/* A tree has at most one kind. */
static void run(const struct shape *s)
{
	enum pmumap_status status;
	int kind, maps = 0;
	unsigned char *fdt;
	size_t size;

	test_now = s->name;
	count = 0;
	start(2u * limit + 65536);
	begin("");
	s->make();
	end();
	fdt = finish(&size);
	if (s->bend)
		fdt = s->bend(fdt, &size);
	for (kind = 0; kind < KINDS; kind++) {
		status = run_kind(kind, s->name, fdt, size);
		maps += status == PMUMAP_OK;
		CHECK(status == s->status ||
		      (s->status == PMUMAP_OK && status == PMUMAP_E_NOTFOUND));
	}
	CHECK_EQ(maps, s->status == PMUMAP_OK);
	free(fdt);
}

/*
 * As many levels as bytes. The nodes stay open, because libfdt would need too long to close them.
 */
static void bottomless(void)
{
	struct fdt_header *header;
	size_t size, need = 0;
	int kind;

	test_now = "levels without end";
	start(2u * limit);
	too_deep();
	header = (struct fdt_header *)tree;
	header->magic = cpu_to_fdt32(FDT_MAGIC);
	header->size_dt_strings = 0;
	size = fdt_off_dt_struct(tree) + fdt_size_dt_struct(tree);
	header->off_dt_strings = header->totalsize = cpu_to_fdt32((uint32_t)size);
	for (kind = 0; kind < KINDS; kind++)
		CHECK_EQ(any_measure(kind, tree, size, &need), PMUMAP_E_FDT_STRUCT);
	free(tree);
}

int main(void)
{
	uint32_t i;

	limit = quick(10000000, 500000);
	for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		run(&shapes[i]);
	bottomless();
	return test_summary();
}
