/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Trees that no compiler made: random, good and bad, hostile and damaged ones, all against the
 * model.
 */
#include "make.h"
#include "imc_support.h"

static struct findings findings;

/* ---- parts of a tree ------------------------------------------------------------------------- */

static void root(const char *name)
{
	begin(name);
	text("compatible", "ibm,opal-in-memory-counters");
}

static void list(uint32_t phandle)
{
	blob_format(&tree, "list { phandle=<%x>", (unsigned)phandle);
}

static void event(const char *name, uint32_t reg)
{
	blob_format(&tree, "event { event-name=\"%s\" reg=<%x> }", name, (unsigned)reg);
}

static void unit(const char *name, const char *prefix, uint32_t type, uint32_t reg, uint32_t events)
{
	blob_format(&tree,
		    "%s { compatible=\"ibm,imc-counters\" events-prefix=\"%s\" type=<%x> reg=<%x> "
		    "events=<%x>",
		    name, prefix, (unsigned)type, (unsigned)reg, (unsigned)events);
}

/* ---- against the model ----------------------------------------------------------------------- */

/* What units there are, in random trees: all, or of nest units those of a random vector. */
static unsigned generation;
static uint64_t available;

/* All answers, from the map and from its image, and all findings. Returns the number of counters. */
static uint32_t check_tree(const unsigned char *fdt, size_t size, uint32_t flags)
{
	struct pmumap_imc_options opt = { .flags = flags,
					  .generation = generation,
					  .available = available,
					  .wanted = pmumap_imc_wanted };
	const struct pmumap_imc *opened = NULL;
	enum pmumap_status status;
	struct imc_model m;
	struct pmumap_imc *map = imc_build(fdt, size, &opt, &status);
	uint32_t counters;

	CHECK_EQ(status, PMUMAP_OK);
	CHECK_EQ(imc_findings(fdt, size, &opt, &findings), PMUMAP_OK);
	if (!map)
		return 0;
	CHECK(imc_model_read(&m, fdt, generation, available));
	if (!generation)
		check_block(fdt, size, &m);
	CHECK_EQ(pmumap_imc_open(map, pmumap_imc_size(map), &opened), PMUMAP_OK);
	check_imc(map, &m, flags);
	check_imc_findings(&findings, &m);
	counters = m.counters;
	free(map);
	imc_model_free(&m);
	return counters;
}

static uint32_t check_finished(uint32_t flags)
{
	size_t size;
	unsigned char *fdt = finish(&size);
	uint32_t counters = check_tree(fdt, size, flags);

	free(fdt);
	return counters;
}

/* ---- random trees ---------------------------------------------------------------------------- */

static const char *one_of(const char *const *texts, uint32_t n)
{
	return texts[random_below(n)];
}

#define ONE_OF(...)                                                                                \
	one_of((const char *const[]){ __VA_ARGS__ },                                               \
	       sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

static uint32_t random_reg(void)
{
	switch (random_below(16)) {
	case 0:
		return random_below(64);
	case 1:
		return 0xfffffff8 - 8 * random_below(4);
	case 2:
		return 0x3fc00 + 8 * random_below(8) - 16;
	case 3:
		return (uint32_t)random64();
	default:
		return 8 * random_below(24);
	}
}

static void random_scale(void)
{
	if (random_below(3) == 0)
		text("scale", ONE_OF("1", "256", "1.2207e-4", "", "4 MiB", "0", "1e9", "x"));
	if (random_below(3) == 0)
		text("unit", ONE_OF("MiB", "KiB", "", "B/s"));
}

static void random_event(void)
{
	uint32_t name_fault = random_below(40), reg_fault = random_below(40);
	const char *name = ONE_OF("A", "B", "AB", "A_B", "PM_A", "PM_A_B", "_A", "B_A", "AA", "A/B",
				  "x/A", "A/", "/");

	begin(ONE_OF("event@0", "event@8", "event", "e"));
	if (name_fault == 0)
		text("event-name", "");
	else if (name_fault == 1)
		bytes("event-name", name, strlen(name));
	else if (name_fault != 2)
		text("event-name", name);
	if (reg_fault == 0)
		bytes("reg", "\0\0\1", 3);
	else if (reg_fault == 1)
		cell("Reg", 8);
	else if (reg_fault != 2)
		cell("reg", random_reg());
	random_scale();
	if (random_below(4) == 0)
		text("desc", ONE_OF("a description", "", "another, with some more words in it"));
	if (random_below(20) == 0) {
		begin("deeper");
		text("event-name", "NONE");
		cell("reg", 0);
		end();
	}
	end();
}

static void random_events(uint32_t most)
{
	uint32_t i, n = random_below(most);

	for (i = 0; i < n; i++)
		random_event();
	if (random_below(20) == 0) {
		begin("other"); /* neither event-name nor reg: no event */
		cell("size", 1);
		end();
	}
}

static void random_phandle(uint32_t phandle)
{
	uint32_t how = random_below(12);

	if (how == 0)
		return;
	if (how < 4)
		cell("linux,phandle", how == 2 ? 99 : phandle);
	if (how == 3)
		bytes("phandle", "\0\0\1", 3);
	else if (how != 1)
		cell("phandle", phandle);
}

static void random_list(uint32_t phandle)
{
	begin(ONE_OF("nest-events", "core-events", "l"));
	random_phandle(phandle);
	random_events(random_below(10) ? 9 : 40);
	end();
}

static void random_chips(void)
{
	static const unsigned char addresses[32] = { 0,    0,    0,    1,    0xff, 0xd0, 0,    0,
						     0,    0,    0,    2,    0xff, 0xd0, 0,    0,
						     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0 };
	static const unsigned char ids[12] = { 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 8 };
	uint32_t n = random_below(4), doc = random_below(2), other = random_below(20);

	if (other == 0)
		bytes("base-addr", addresses, 8 * n + 4);
	else if (other > 1)
		bytes(doc ? "base_addr" : "base-addr", addresses + 8 * (3 - n), 8 * n);
	bytes(doc ? "chipids" : "chip-id", ids, 4 * (other == 2 ? 3 : n));
}

static void random_kind(uint32_t *type)
{
	static const uint32_t types[] = { 0x10, 0x10, 0x10, 0x4, 0x1, 0x2 };
	uint32_t old = random_below(6), fault = random_below(24);

	*type = types[random_below(6)];
	if (old == 0 && *type != 2)
		text("compatible", *type == 0x10  ? "ibm,imc-counters-nest"
				   : *type == 0x4 ? "ibm,imc-counters-core"
						  : "ibm,imc-counters-thread");
	else if (old == 1)
		bytes("compatible", "other\0ibm,imc-counters\0x", 24);
	else
		text("compatible", "ibm,imc-counters");
	if (fault == 0)
		cell("type", random_below(2) ? 0x8 : 0x12);
	else if (fault == 1 && old)
		bytes("type", "\0\0", 2);
	else if (old || random_below(2))
		cell("type", *type);
}

static void random_unit(uint32_t phandle)
{
	uint32_t type, inside = random_below(5) == 0;

	begin(ONE_OF("mcs01@c8", "mcs01", "mcs23@48", "pb@118", "pb@198", "core", "core@18",
		     "thread", "x", "nx@1", "nest_x_imc", "x_imc"));
	random_kind(&type);
	random_phandle(phandle);
	if (random_below(10))
		text("events-prefix",
		     ONE_OF("PM_", "PM_A_", "PM_B_", "", "A", "A_", "B", "CPM_", "PM_"));
	if (random_below(12) && (!inside || random_below(2)))
		cell("reg", random_below(20) == 0 ? random_reg() : 8 * random_below(30));
	if (!inside)
		cell("events", random_below(20) == 0 ? random_below(4) * 0x55555555
						     : 1 + random_below(phandle + 3));
	if (random_below(4))
		cell("size", random_below(4) ? 0x40000 : random_below(300));
	if (random_below(4))
		cell("offset", 0x180000 * random_below(3));
	if (random_below(4) == 0)
		cell("cb_offset", random_below(2) ? 4 * random_below(40) : 0x3fc00);
	if (random_below(type == 0x10 ? 3 : 20) == 0)
		random_chips();
	random_scale();
	if (inside || random_below(20) == 0)
		random_events(6);
	end();
}

static void random_root(const char *name, uint32_t *phandle)
{
	uint32_t n = random_below(14), i;

	root(name);
	if (random_below(2)) {
		cell("imc-nest-offset", 0x320000);
		cell("imc-nest-size", 0x30000);
	}
	for (i = 0; i < n; i++)
		if (random_below(5) < 2)
			random_list((*phandle)++);
		else
			random_unit((*phandle)++);
	end();
}

static void random_trees(void)
{
	uint32_t i, n = quick(10000, 200), counters = 0;
	unsigned failed = test_failed;

	test_now = "random trees";
	for (i = 0; i < n && test_failed - failed < 10; i++) {
		uint32_t phandle = 1 + random_below(2);
		char now[32];

		snprintf(now, sizeof(now), "%" PRIu32, i);
		test_input = now;
		start();
		if (random_below(3) == 0) {
			random_root("", &phandle);
		} else {
			begin("");
			random_root("imc-counters", &phandle);
			if (random_below(8) == 0)
				random_root("imc-counters-2", &phandle);
			end();
		}
		generation = i % 4 == 1 ? PMUMAP_IMC_P9 : i % 4 == 3 ? PMUMAP_IMC_P10 : 0;
		available = random64() & random64();
		counters += check_finished(2 * (i / 4 % 4));
	}
	generation = 0;
	test_input = "";
	CHECK(counters > 2 * n);
	printf("%" PRIu32 " random trees with %" PRIu32 " counters\n", i, counters);
}

/* ---- damage ---------------------------------------------------------------------------------- */

/* A damaged tree gives a status, or a map with the model's answers. */
static uint32_t judge(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	struct pmumap_imc *map = imc_build(fdt, size, NULL, &status);
	struct imc_model m;

	if (!map)
		return 0;
	if (imc_model_read(&m, fdt, 0, 0)) {
		check_imc_listing(map, &m, 0);
		check_addresses(map, &m);
	}
	free(map);
	imc_model_free(&m);
	return 1;
}

static void damage(const unsigned char *fdt, size_t size)
{
	uint32_t i, n = quick(600, 20), accepted = 0;
	size_t cut;

	for (cut = 0; cut < size; cut += quick(7, 61)) {
		unsigned char *part = exact_copy(fdt, cut);

		CHECK(!judge(part, cut));
		free(part);
	}
	for (i = 0; i < n; i++) {
		unsigned char *copy = exact_copy(fdt, size);
		size_t at = 56 + random_below((uint32_t)size - 56);

		copy[at] ^= (unsigned char)(random_below(2) ? random64() : 1ull << i % 8);
		accepted += judge(copy, size);
		free(copy);
	}
	CHECK(accepted > 0);
}

/* ---- hostile --------------------------------------------------------------------------------- */

#define ROOT "compatible=\"ibm,opal-in-memory-counters\" "
#define NEST " { compatible=\"ibm,imc-counters\" events-prefix=\"PM_\" type=<10> "
#define CORE " { compatible=\"ibm,imc-counters\" events-prefix=\"PM_\" type=<4> reg=<0> "
#define LIST "list { phandle=<1> event { event-name=\"A\" reg=<0> } } "
#define OLD(kind)                                                                                  \
	ROOT LIST "u { compatible=\"ibm,imc-counters" kind "\" events-prefix=\"PM_\" reg=<0> "     \
		  "events=<1> }"
#define BY(phandle)                                                                                \
	ROOT "list { phandle=<" phandle "> event { event-name=\"A\" reg=<0> } } core" CORE         \
	     "events=<" phandle "> }"

/* All answers and findings equal the model's; and this is the number of counters. */
static const struct {
	const char *name, *tree;
	uint32_t counters;
} odd[] = {
	{ "a unit that is its own list",
	  ROOT "mcs0" NEST "reg=<100> events=<1> phandle=<1> event { event-name=\"A\" reg=<0> } "
	       "event { event-name=\"B\" reg=<8> } } "
	       "mcs1" NEST "reg=<200> events=<2> phandle=<3> event { event-name=\"C\" reg=<0> } } "
	       "list { phandle=<2> event { event-name=\"D\" reg=<0> } }",
	  1 },
	{ "phandles of what is no list",
	  ROOT "phandle=<1> mcs0" NEST "reg=<100> events=<1> } mcs1" NEST "reg=<200> events=<2> } "
	       "mcs2" NEST "reg=<300> events=<0> } mcs3" NEST "reg=<400> events=<ffffffff> } "
	       "list { phandle=<3> event { event-name=\"A\" reg=<0> phandle=<2> } }",
	  0 },
	{ "a root alone", ROOT, 0 },
	{ "lists alone", ROOT LIST "list { phandle=<2> }", 0 },
	{ "-nest", OLD("-nest"), 1 },
	{ "-core", OLD("-core"), 1 },
	{ "-thread", OLD("-thread"), 1 },
	{ "-nestx has no type", OLD("-nestx"), 0 },
	{ "-corex has no type", OLD("-corex"), 0 },
	{ "-cores has no type", OLD("-cores"), 0 },
	{ "-threads has no type", OLD("-threads"), 0 },
	{ "- has no type", OLD("-"), 0 },
	{ "properties of one root are not the next one's",
	  "first { " ROOT "imc-nest-offset=<320000> imc-nest-size=<30000> "
	  "list { phandle=<1> event { event-name=\"A\" reg=<8> } } "
	  "mcs0 { compatible=\"ibm,imc-counters-nest\" events-prefix=\"PM_\" reg=<100> events=<1> "
	  "chip-id=<0> base-addr=<1 0> } } second { " ROOT
	  "list { phandle=<2> event { event-name=\"A\" reg=<8> } } "
	  "mcs0 { compatible=\"ibm,imc-counters-nest\" events-prefix=\"PM_\" reg=<100> events=<2> "
	  "chip-id=<1> base-addr=<1 0> } }",
	  2 },
	{ "type 0 is another one than no type",
	  ROOT LIST "mcs0 { compatible=\"ibm,imc-counters\" events-prefix=\"PM_\" type=<0> reg=<0> "
		    "events=<1> } mcs1" NEST "reg=<100> events=<1> offset=<0> size=<40000> }",
	  1 },
	{ "phandle 0, which libfdt treats as missing", BY("0"), 0 },
	{ "phandle -1, likewise", BY("ffffffff"), 0 },
	{ "phandle -2, the largest", BY("fffffffe"), 1 },
	{ "nodes whose names have no letters, and two lists with one phandle",
	  ROOT LIST "list { phandle=<1> event { event-name=\"B\" reg=<0> } } @8" CORE
		    "events=<1> }" CORE "events=<1> } core" CORE "events=<1> }",
	  3 },
};

static void odd_trees(void)
{
	size_t i, size;

	for (i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		unsigned char *fdt = make(odd[i].tree, &size);

		test_now = odd[i].name;
		CHECK_EQ(check_tree(fdt, size, 0), odd[i].counters);
		free(fdt);
	}
}

/* All combinations of address and chip counts; only complete pairs count. */
static void chips(void)
{
	unsigned char bases[8 * 16], ids[4 * 16];
	uint32_t n, k, i;

	test_now = "chips";
	for (i = 0; i < sizeof(bases); i++)
		bases[i] = (unsigned char)(i + 1);
	for (i = 0; i < sizeof(ids); i++)
		ids[i] = (unsigned char)(200 - i);
	for (n = 0; n <= 16; n++) {
		for (k = 0; k <= 16; k++) {
			start();
			/* without a window it has no chips */
			blob_text(&tree, "{ " ROOT LIST "mcs0" NEST
					 "reg=<0> events=<1> size=<1000> offset=<1000>");
			bytes("base-addr", bases, 8 * n);
			bytes("chip-id", ids, 4 * k);
			CHECK_EQ(check_finished(0), 1);
		}
	}
}

/* A name that only begins like a root is none. */
static void no_root(void)
{
	static const struct pmumap_imc_options none;
	unsigned char *fdt;
	size_t size, need;

	test_now = "no root";
	fdt = make("compatible=\"ibm,opal-in-memory-counters-2\" mcs0" NEST "reg=<0> events=<1> }",
		   &size);
	CHECK_EQ(pmumap_imc_fdt_measure(fdt, size, NULL, &need), PMUMAP_E_NOTFOUND);
	CHECK_EQ(pmumap_imc_fdt_measure(fdt, size, &none, &need), PMUMAP_E_NOTFOUND);
	free(fdt);
}

/*
 * Units of all kinds alternate. In each, two of three counters share a place; some of the nest also
 * share one window.
 */
static void clashes(void)
{
	static const uint32_t types[] = { 0x4, 0x10, 0x1, 0x2 };
	unsigned n, i, k;

	test_now = "clashes";
	for (n = 2; n <= 24; n++) {
		start();
		root("");
		for (i = 0; i < n; i++) {
			list(1 + i);
			for (k = 0; k < 12; k++)
				blob_format(&tree, "event { event-name=\"E%u\" reg=<%x> }", k,
					    8 * (k * 7 % 12 / 3 * 2 + (k * 7 % 12 % 3 == 2)));
			end();
		}
		for (i = 0; i < n; i++) {
			char name[8];

			snprintf(name, sizeof(name), "u%u", i);
			unit(name, name, types[i % 4], 8 * (n - i), 1 + i);
			cell("offset", i / 16 << 16);
			end();
		}
		CHECK_EQ(check_finished(0), 12 * n);
	}
}

/* Offsets at the limits of 32 bits and of a window. */
static void offsets(void)
{
	static const uint32_t regs[] = { 0, 8, 0x7ffffff8, 0x80000000, 0xfffffff0, 0xfffffff8 };
	static const uint32_t sizes[] = { 7, 8, 9, 15, 16 };
	uint32_t i;

	test_now = "offsets";
	start();
	root("");
	list(1);
	for (i = 0; i < 6; i++)
		event(i % 2 ? "ODD" : "EVEN", regs[i]);
	end();
	for (i = 0; i < 12; i++) {
		unit("core", i < 6 ? "CPM_" : "SPM_", i == 11 ? 0x1 : 0x4, i < 6 ? regs[i] : 0, 1);
		if (i > 5 || i % 2)
			cell("size", i == 11 ? 0xffffffff : i > 5 ? sizes[i - 6] : 0x10);
		end();
	}
	CHECK(check_finished(0) > 12);
}

/* Names of any length up to the limit, with and without own strings. */
static void long_names(uint32_t flags, uint32_t letters, uint32_t prefix)
{
	enum pmumap_status status;
	char *name = exact(letters + 1);
	unsigned char *fdt;
	size_t size;
	uint32_t i;

	test_now = "long names";
	for (i = 0; i < letters; i++)
		name[i] = (char)('A' + i % 26);
	name[letters] = 0;
	start();
	root("");
	list(1);
	event(name, 0);
	event(name + 1, 8);
	begin("event");
	text("event-name", "SHORT");
	cell("reg", 16);
	text("desc", name);
	text("scale", name);
	text("unit", name);
	end();
	begin("event");
	bytes("event-name", name, letters);
	cell("reg", 24);
	end();
	end();
	unit("mcs0", name + letters - prefix, 0x10, 0, 1);
	end();
	unit("mcs1", "A", 0x10, 0x100, 1);
	end();
	unit(name, "PM_", 0x10, 0x200, 1);
	fdt = finish(&size);
	if ((prefix < 3 ? 3 : prefix) + letters > 4095) {
		CHECK(!imc_build(fdt, size, NULL, &status) && status == PMUMAP_E_LIMIT);
		CHECK_EQ(imc_findings(fdt, size, NULL, &findings), PMUMAP_E_LIMIT);
	} else {
		CHECK_EQ(check_tree(fdt, size, flags), 9);
	}
	free(fdt);
	free(name);
}

/*
 * Names whose first and last 16 bytes are equal have one hash: so many that the bucket is bisected,
 * all of them twice, and with prefixes of two lengths.
 */
static void one_hash(uint32_t events, uint32_t middle)
{
	char name[128];
	uint32_t i;

	test_now = "names of one hash";
	start();
	root("");
	list(1);
	for (i = 0; i < 2 * events; i++) {
		snprintf(name, sizeof(name), "_0123456789ABCDEF%0*u0123456789ABCDEF", (int)middle,
			 (unsigned)(i % events * 7 % events));
		event(name + i % 2, 8 * i);
	}
	event("OTHER_NAME_IN_A_LIST", 16 * events);
	event("SHORT", 16 * events + 8);
	end();
	unit("core", "", IMC_CORE, 0, 1);
	end();
	unit("thread", "_", IMC_THREAD, 0, 1);
	end();
	unit("nest", "", IMC_NEST, 0, 1);
	CHECK_EQ(check_finished(0), 3 * (2 * events + 2));
}

/* Properties of a small tree. Numbers are cells; those without a value are left out. */
static const struct row {
	const char *node, *property, *value;
} rows[] = {
	{ "root", "imc-nest-offset", "0x320000" },
	{ "root", "imc-nest-size", "0x30000" },
	{ "list", "phandle", "1" },
	{ "list", "linux,phandle", NULL },
	{ "event", "event-name", "A" },
	{ "event", "reg", "8" },
	{ "event", "scale", "1.5" },
	{ "event", "unit", "MiB" },
	{ "event", "desc", "words" },
	{ "unit", "compatible", "ibm,imc-counters-nest" },
	{ "unit", "events-prefix", "PM_" },
	{ "unit", "type", NULL },
	{ "unit", "reg", "0x100" },
	{ "unit", "events", "1" },
	{ "unit", "size", NULL },
	{ "unit", "offset", NULL },
	{ "unit", "cb_offset", NULL },
	{ "unit", "scale", "1.2207e-4" },
	{ "unit", "unit", "KiB" },
	{ "unit", "base-addr", NULL },
	{ "unit", "chip-id", NULL },
	{ "unit", "base_addr", NULL },
	{ "unit", "chipids", NULL },
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

/* Properties of a node; one is replaced by these bytes. */
static void node_of(const char *node, size_t bent, const void *value, size_t n)
{
	size_t i;

	for (i = 0; i < ROWS; i++) {
		const struct row *r = &rows[i];
		char *rest;
		uint32_t number;

		if (strcmp(r->node, node) != 0)
			continue;
		if (i == bent) {
			bytes(r->property, value, n);
		} else if (r->value) {
			number = (uint32_t)strtoul(r->value, &rest, 0);
			if (*rest)
				text(r->property, r->value);
			else
				cell(r->property, number);
		}
	}
}

static void bent_tree(size_t bent, const void *value, size_t n)
{
	start();
	begin("");
	root("imc-counters");
	node_of("root", bent, value, n);
	begin("events");
	node_of("list", bent, value, n);
	begin("event");
	node_of("event", bent, value, n);
	end();
	end();
	begin("mcs0");
	node_of("unit", bent, value, n);
}

static void lengths(void)
{
	static const char values[5][13] = { "\0\0\0\1\0\0\0\0\0\0\0", "AAAAAAAAAAAA",
					    "ibm,imc-coun", "\x40\0\0\0\0\0\0\0\0\0\0", "" };
	uint32_t value;
	size_t i, n;

	test_now = "lengths and values";
	bent_tree(ROWS, "", 0);
	CHECK_EQ(check_finished(PMUMAP_DESC), 1);
	for (i = 0; i < ROWS; i++)
		for (value = 0; value < 5; value++)
			for (n = 0; n <= 12; n++) {
				char now[64];

				snprintf(now, sizeof(now), "%s %s: %u bytes, value %u",
					 rows[i].node, rows[i].property, (unsigned)n,
					 (unsigned)value);
				test_input = now;
				bent_tree(i, values[value], n);
				check_finished(PMUMAP_DESC);
			}
	test_input = "";
}

/* ---- the block and its limits ---------------------------------------------------------------- */

enum { BLOCK_UNITS = 40, BLOCK_EVENTS = 600, NAME_BYTES = 31, SCALE_BYTES = 15, MOST_CHIPS = 16 };

/* A text of so many bytes that ends in this number. */
static const char *long_text(uint32_t n, uint32_t bytes)
{
	static char to[64];

	memset(to, 'x', bytes);
	snprintf(to + bytes - 6, 7, "%06u", (unsigned)n);
	return to;
}

/* All that PMUMAP_IMC_BLOCK() allows for. */
static unsigned char *largest_tree(uint32_t events, size_t *size)
{
	static unsigned char zeros[8 * MOST_CHIPS];
	char name[NAME_BYTES + 1];
	uint32_t i, k;

	start();
	root("");
	for (i = 0; i < BLOCK_UNITS; i++) {
		list(i + 1);
		for (k = 0; k < events / BLOCK_UNITS; k++) {
			begin("event");
			text("event-name", long_text(1000 * i + k, 47 - NAME_BYTES));
			cell("reg", 8 * k);
			text("scale", long_text(1000 * i + k, SCALE_BYTES));
			text("unit", long_text(500000 + 1000 * i + k, SCALE_BYTES));
			end();
		}
		end();
		strcpy(name, long_text(i, NAME_BYTES));
		unit(name, long_text(700000 + i, NAME_BYTES), 0x10, 8 * i, i + 1);
		cell("size", 0x40000);
		cell("offset", 0x180000);
		text("scale", long_text(800000 + i, SCALE_BYTES));
		text("unit", long_text(900000 + i, SCALE_BYTES));
		zeros[7] = (unsigned char)i;
		bytes("base-addr", zeros, 8 * MOST_CHIPS);
		bytes("chip-id", zeros, 4 * MOST_CHIPS);
		end();
	}
	return finish(size);
}

static void blocks(void)
{
	static uint64_t block[PMUMAP_IMC_BLOCK(BLOCK_UNITS, BLOCK_EVENTS) / 8];
	const struct pmumap_imc *map = NULL;
	unsigned char *fdt;
	size_t size, need;

	test_now = "blocks";
	fdt = largest_tree(0, &size);
	CHECK_EQ(pmumap_imc_fdt_measure(fdt, size, NULL, &need), PMUMAP_OK);
	CHECK(need <= PMUMAP_IMC_BLOCK(BLOCK_UNITS, 0));
	CHECK(need > PMUMAP_IMC_BLOCK(BLOCK_UNITS, 0) - 512); /* none is wasted on units */
	free(fdt);
	fdt = largest_tree(BLOCK_EVENTS, &size);
	CHECK_EQ(pmumap_imc_fdt_measure(fdt, size, NULL, &need), PMUMAP_OK);
	CHECK(need <= sizeof(block) && need > sizeof(block) - sizeof(block) / 32);
	CHECK_EQ(pmumap_imc_fdt_build(fdt, size, NULL, block, sizeof(block), &map), PMUMAP_OK);
	CHECK_EQ(map ? pmumap_imc_names(map) : 0, BLOCK_EVENTS);
	CHECK_EQ(PMUMAP_IMC_BLOCK(1, 1) % 8, 0);
	free(fdt);
	test_now = "";
}

/* So many lists, units and events for each list. Every third list is only referred to. */
static enum pmumap_status build_large(uint32_t lists, uint32_t units, uint32_t events,
				      uint32_t *names)
{
	enum pmumap_status status;
	struct pmumap_imc *map;
	unsigned char *fdt;
	uint32_t i, k;
	size_t size;

	start();
	root("");
	for (i = 0; i < units + lists - lists / 3; i++) {
		if (i >= lists || i % 3 == 2)
			unit("u", i % 2 && i >= lists ? "" : "B", IMC_CORE, 0,
			     i < lists ? 2 + i : 2);
		else
			list(2 + i);
		for (k = 0; i == 0 && k < events; k++)
			event("A", 8 * k);
		end();
	}
	fdt = finish(&size);
	map = imc_build(fdt, size, NULL, &status);
	*names = map ? pmumap_imc_names(map) : 0;
	free(map);
	free(fdt);
	return status;
}

static void limits(void)
{
	static const struct {
		uint32_t lists, units, events, names;
	} cases[] = {
		{ 128, 50, 4, 32 },     { 129, 50, 4, 0 },      { 130, 50, 4, 0 },
		{ 1, 65535, 1, 65535 }, { 1, 65536, 0, 0 },     { 1, 65535, 0, 0 },
		{ 1, 65535, 2, 0 },     { 1, 257, 255, 65535 }, { 1, 256, 256, 0 },
		{ 1, 1, 65535, 65535 }, { 1, 1, 65536, 0 },
	};
	uint32_t names;
	size_t i;

	test_now = "limits";
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int fits = cases[i].lists < 129 && cases[i].units < 65536 &&
			   (uint64_t)cases[i].events * cases[i].units < 65536;

		CHECK_EQ(build_large(cases[i].lists, cases[i].units, cases[i].events, &names),
			 fits ? PMUMAP_OK : PMUMAP_E_LIMIT);
		CHECK_EQ(names, cases[i].names);
	}
	test_now = "";
}

int main(void)
{
	random_trees();
	odd_trees();
	chips();
	no_root();
	clashes();
	offsets();
	long_names(0, 6, 1);
	long_names(0, 12, 3);
	long_names(0, 20, 14);
	long_names(0, 100, 28);
	long_names(0, 3000, 1095);
	long_names(0, 3000, 1096);
	long_names(0, 4092, 3);
	long_names(0, 4096, 0);
	long_names(PMUMAP_DESC, 4095 - 254, 254);
	long_names(0, 70000, 70000);
	one_hash(8, 3);
	one_hash(40, 50);
	lengths();
	blocks();
	limits();
	CHECK_EQ(each_file("build/boards/imc-*.dtb", damage), 16);
	return test_summary();
}
