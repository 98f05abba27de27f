/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Trees that no compiler made: random, good and bad, hostile and damaged ones, all against the
 * model.
 */
#include "imc_make.h"
#include "imc_support.h"

static struct findings findings;

/* ---- against the model ----------------------------------------------------------------------- */

/*
 * All answers and, if wanted, all findings. In the smallest block the index may be missing, and
 * findings that need room. Returns the number of counters.
 */
static uint32_t check_tree(const unsigned char *fdt, size_t size, uint32_t flags, int with_findings,
			   int least)
{
	struct pmumap_imc_options opt = {
		.flags = flags, .check = pmumap_imc_check, .report = collect, .arg = &findings
	};
	enum pmumap_status status;
	struct imc_model m;
	struct pmumap_imc *map;
	uint32_t counters;

	findings.n = 0;
	map = least ? imc_build_least(fdt, size, &opt, &status)
		    : imc_build(fdt, size, &opt, &status);
	CHECK_EQ(status, PMUMAP_OK);
	if (!map)
		return 0;
	CHECK(imc_model_read(&m, fdt, 0, 0));
	check_block(fdt, size, &m);
	check_imc(map, &m, flags);
	if (with_findings)
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
	uint32_t counters = check_tree(fdt, size, flags, 1, 0);

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
		text("compatible",
		     *type == 0x10  ? ONE_OF("ibm,imc-counters-nest", "ibm,ima-counters-nest")
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
		cell(random_below(2) ? "imc-nest-offset" : "ima-nest-offset", 0x320000);
		cell(random_below(2) ? "imc-nest-size" : "ima-nest-size", 0x30000);
	}
	for (i = 0; i < n; i++)
		if (random_below(5) < 2)
			random_list((*phandle)++);
		else
			random_unit((*phandle)++);
	end();
}

static void random_homers(void)
{
	uint32_t cells = 1 + random_below(2), i;

	begin("reserved-memory");
	if (cells == 1 || random_below(2))
		cell("#address-cells", cells);
	for (i = 0; i < random_below(4); i++) {
		begin(ONE_OF("ibm,homer-image", "ibm,homer-image@2ffc00000", "ibm,slw-image"));
		if (random_below(8))
			cell("ibm,chip-id", i);
		bytes("reg", "\0\0\0\1\xff\xc0\0\0\0\0\0\0\0\x40\0\0",
		      random_below(8) ? 16 : random_below(9));
		begin("ibm,homer-image"); /* too deep */
		cell("ibm,chip-id", 77);
		end();
		end();
	}
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
		start(1 << 16);
		if (random_below(3) == 0) {
			random_root("", &phandle);
		} else {
			begin("");
			if (random_below(3) == 0) {
				random_homers();
				if (random_below(2)) { /* elsewhere */
					begin("memory");
					begin("ibm,homer-image");
					cell("ibm,chip-id", 78);
					bytes("reg", "\0\0\0\2\0\0\0\0", 8);
					end();
					end();
				}
			}
			random_root("imc-counters", &phandle);
			if (random_below(8) == 0)
				random_root("imc-counters-2", &phandle);
			end();
		}
		counters += check_finished(2 * (i % 4));
	}
	test_input = "";
	CHECK(counters > 3 * n);
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

/* Lists that are units, their own or each other's. */
static void loops(void)
{
	test_now = "a unit that is its own list";
	start(4096);
	root("");
	unit("mcs0", "PM_", 0x10, 0x100, 1);
	cell("phandle", 1);
	event("A", 0);
	event("B", 8);
	end();
	end();
	CHECK_EQ(check_finished(0), 2);

	test_now = "units that are each other's lists";
	start(4096);
	root("");
	unit("mcs0", "PM_", 0x10, 0x100, 2);
	cell("phandle", 1);
	event("A", 0);
	end();
	unit("mcs1", "PM_", 0x10, 0x200, 1);
	cell("phandle", 2);
	event("B", 8);
	end();
	unit("core", "CPM_", 0x4, 0x18, 3);
	cell("phandle", 3);
	end();
	end();
	CHECK_EQ(check_finished(0), 2);

	test_now = "phandles of what is no list";
	start(4096);
	root("");
	cell("phandle", 1);
	unit("mcs0", "PM_", 0x10, 0x100, 1);
	end();
	unit("mcs1", "PM_", 0x10, 0x200, 2);
	end();
	unit("mcs2", "PM_", 0x10, 0x300, 0);
	end();
	unit("mcs3", "PM_", 0x10, 0x400, 0xffffffff);
	end();
	list(3);
	begin("event");
	text("event-name", "A");
	cell("reg", 0);
	cell("phandle", 2);
	end();
	end();
	end();
	CHECK_EQ(check_finished(0), 0);
}

static void no_units(void)
{
	test_now = "a root alone";
	start(4096);
	root("");
	end();
	CHECK_EQ(check_finished(0), 0);
	test_now = "lists alone";
	start(4096);
	root("");
	list(1);
	event("A", 0);
	end();
	list(2);
	end();
	end();
	CHECK_EQ(check_finished(0), 0);
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
			start(4096);
			root("");
			list(1);
			event("A", 0);
			end();
			unit("mcs0", "PM_", 0x10, 0, 1);
			cell("size", 0x1000); /* without a window it has no chips */
			cell("offset", 0x1000);
			bytes("base-addr", bases, 8 * n);
			bytes("chip-id", ids, 4 * k);
			end();
			end();
			CHECK_EQ(check_finished(0), 1);
		}
	}
}

/* A name that only begins like an old kind of unit has no type. */
static void old_kinds(void)
{
	static const char *const names[] = { "-nest",  "-core",  "-thread",  "-nestx",
					     "-corex", "-cores", "-threads", "-" };
	char compatible[32];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		test_now = names[i];
		start(4096);
		root("");
		list(1);
		event("A", 0);
		end();
		begin("u");
		snprintf(compatible, sizeof(compatible), "ibm,imc-counters%s", names[i]);
		text("compatible", compatible);
		text("events-prefix", "PM_");
		cell("reg", 0);
		cell("events", 1);
		end();
		end();
		CHECK_EQ(check_finished(0), i < 3);
	}
}

/* Properties of one root do not apply to units of the next one. */
static void two_roots(void)
{
	uint32_t i;

	test_now = "two roots";
	start(4096);
	begin("");
	for (i = 0; i < 2; i++) {
		root(i ? "second" : "first");
		if (i == 0) {
			cell("imc-nest-offset", 0x320000);
			cell("imc-nest-size", 0x30000);
		}
		list(1 + i);
		event("A", 8);
		end();
		begin("mcs0");
		text("compatible", "ibm,imc-counters-nest");
		text("events-prefix", "PM_");
		cell("reg", 0x100);
		cell("events", 1 + i);
		cell("chip-id", i);
		bytes("base-addr", "\0\0\0\1\0\0\0\0", 8);
		end();
		end();
	}
	end();
	CHECK_EQ(check_finished(0), 2);
}

/* A name that only begins like a root is none. */
static void no_root(void)
{
	static uint64_t block[32];
	const struct pmumap_imc *map;
	unsigned char *fdt;
	size_t size, need;

	test_now = "no root";
	start(4096);
	begin("");
	text("compatible", "ibm,opal-in-memory-counters-2");
	unit("mcs0", "PM_", 0x10, 0, 1);
	fdt = finish(&size);
	CHECK_EQ(pmumap_imc_fdt_measure(fdt, size, NULL, &need), PMUMAP_E_NOTFOUND);
	CHECK_EQ(pmumap_imc_check(fdt, size, NULL, block, sizeof(block), &map), PMUMAP_E_NOTFOUND);
	free(fdt);
}

/* Type 0 is different from no type. */
static void no_type(void)
{
	test_now = "type 0";
	start(4096);
	root("");
	list(1);
	event("A", 0);
	end();
	unit("mcs0", "PM_", 0, 0, 1);
	end();
	unit("mcs1", "PM_", 0x10, 0x100, 1);
	cell("offset", 0);
	cell("size", 0x40000);
	end();
	end();
	CHECK_EQ(check_finished(0), 1);
	CHECK(findings.n == 1 && !strcmp(findings.at[0].code, "type-unknown"));
}

/* Lists by phandle: two that libfdt treats as missing, and its largest valid one. */
static void phandles(void)
{
	static const struct {
		uint32_t phandle, names;
	} cases[] = { { 0, 0 }, { 0xfffffffe, 1 }, { 0xffffffff, 0 } };
	size_t i;

	test_now = "phandles";
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		start(4096);
		root("");
		list(cases[i].phandle);
		event("A", 0);
		end();
		unit("core", "PM_", 0x4, 0, cases[i].phandle);
		end();
		end();
		CHECK_EQ(check_finished(0), cases[i].names);
	}
}

/* A vector disables only nest units, whatever the names of others. */
static void absent(void)
{
	struct pmumap_imc_options opt = { .generation = PMUMAP_IMC_P9 };
	enum pmumap_status status;
	struct pmumap_imc_unit u;
	struct pmumap_imc *map;
	unsigned char *fdt;
	size_t size;

	test_now = "absent";
	start(4096);
	root("");
	unit("mcs01", "PM_", 0x10, 0, 0);
	end();
	unit("mcs01", "CPM_", 0x4, 0, 0);
	fdt = finish(&size);
	map = imc_build(fdt, size, &opt, &status);
	CHECK_EQ(status, PMUMAP_OK);
	CHECK(map && pmumap_imc_unit(map, 0, &u) && u.type == 0x4);
	CHECK(map && !pmumap_imc_unit(map, 1, &u));
	free(map);
	free(fdt);
}

/*
 * Units of all kinds alternate. In each, two of three counters share a place; some of the nest also
 * share one window.
 */
static void clashes(void)
{
	static const uint32_t types[] = { 0x4, 0x10, 0x1, 0x2 };
	uint32_t n, i, k;

	test_now = "clashes";
	for (n = 2; n <= 24; n++) {
		start(1 << 16);
		root("");
		for (i = 0; i < n; i++) {
			list(1 + i);
			for (k = 0; k < 12; k++) {
				char name[8];

				snprintf(name, sizeof(name), "E%u", (unsigned)k);
				event(name, 8 * (k * 7 % 12 / 3 * 2 + (k * 7 % 12 % 3 == 2)));
			}
			end();
		}
		for (i = 0; i < n; i++) {
			char name[8];

			snprintf(name, sizeof(name), "u%u", (unsigned)i);
			unit(name, name, types[i % 4], 8 * (n - i), 1 + i);
			cell("offset", i / 16 << 16);
			end();
		}
		end();
		CHECK_EQ(check_finished(0), 12 * n);
	}
}

/* So many units with one list that comparing its places takes more room than all rows did. */
static void shared(void)
{
	char name[8];
	uint32_t i;

	test_now = "shared";
	start(1 << 16);
	root("");
	list(1);
	for (i = 0; i < 30; i++) {
		snprintf(name, sizeof(name), "E%u", (unsigned)i);
		event(name, 8 * (i / 2 * 2));
	}
	end();
	for (i = 0; i < 10; i++) {
		snprintf(name, sizeof(name), "u%u", (unsigned)i);
		unit(name, name, 0x4, 0, 1);
		cell("size", 0x2000);
		end();
	}
	end();
	CHECK_EQ(check_finished(0), 10 * 30);
	CHECK_EQ(findings.n, 10 * 15 + 1); /* and no-index */
}

/* The chips' memory is found only in /reserved-memory. */
static void elsewhere(void)
{
	struct pmumap_imc_options none = { 0 };
	enum pmumap_status status;
	struct pmumap_imc *map;
	unsigned char *fdt;
	uint32_t i, chip;
	uint64_t base;
	size_t size;

	test_now = "memory elsewhere";
	for (i = 0; i < 2; i++) {
		start(4096);
		begin("");
		begin("reserved-memory");
		begin("other");
		begin("ibm,homer-image@1");
		end();
		end();
		begin("ibm,homer-image@2");
		cell("ibm,chip-id", 2);
		bytes("reg", "\0\0\0\2\0\0\0\0", 8);
		end();
		end();
		begin("ibm,homer-image@3");
		cell("ibm,chip-id", 3);
		bytes("reg", "\0\0\0\3\0\0\0\0", 8);
		begin("ibm,homer-image@4");
		cell("ibm,chip-id", 4);
		bytes("reg", "\0\0\0\4\0\0\0\0", 8);
		end();
		end();
		begin("reserved-memory-6");
		begin("ibm,homer-image@6");
		cell("ibm,chip-id", 6);
		bytes("reg", "\0\0\0\6\0\0\0\0", 8);
		end();
		end();
		begin("soc");
		begin("reserved-memory");
		begin("ibm,homer-image@7");
		cell("ibm,chip-id", 7);
		bytes("reg", "\0\0\0\7\0\0\0\0", 8);
		end();
		end();
		end();
		root("imc");
		list(1);
		event("A", 0);
		end();
		unit("mcs0", "PM_", 0x10, 0, 1);
		cell("offset", 0x180000);
		cell("size", 0x40000);
		end();
		end();
		if (i) { /* behind the units, too */
			begin("ibm,homer-image@5");
			cell("ibm,chip-id", 5);
			bytes("reg", "\0\0\0\5\0\0\0\0", 8);
			end();
		}
		fdt = finish(&size);
		CHECK_EQ(check_tree(fdt, size, 0, 1, 0), 1);
		map = imc_build(fdt, size, &none, &status);
		CHECK(map && pmumap_imc_chip(map, 0, 0, &chip, &base) && chip == 2);
		CHECK(map && !pmumap_imc_chip(map, 0, 1, &chip, &base));
		free(map);
		free(fdt);
	}
}

/* It is found by path, even in a tree whose root is the IMC root. */
static void under_imc(void)
{
	struct pmumap_imc_options none = { 0 };
	enum pmumap_status status;
	struct pmumap_imc *map;
	unsigned char *fdt;
	uint32_t chip;
	uint64_t base;
	size_t size;

	test_now = "memory under the root of IMC";
	start(4096);
	root("");
	list(1);
	event("A", 0);
	end();
	unit("mcs0", "PM_", 0x10, 0, 1);
	cell("offset", 0x180000);
	cell("size", 0x40000);
	end();
	begin("reserved-memory");
	begin("ibm,homer-image@8");
	cell("ibm,chip-id", 8);
	bytes("reg", "\0\0\0\1\0\0\0\0", 8);
	fdt = finish(&size);
	CHECK_EQ(check_tree(fdt, size, 0, 1, 0), 1);
	map = imc_build(fdt, size, &none, &status);
	CHECK(map && pmumap_imc_chip(map, 0, 0, &chip, &base) && chip == 8 && base == 0x100000000);
	free(map);
	free(fdt);
}

/* Offsets at the limits of 32 bits and of a window. */
static void offsets(void)
{
	static const uint32_t regs[] = { 0, 8, 0x7ffffff8, 0x80000000, 0xfffffff0, 0xfffffff8 };
	static const uint32_t sizes[] = { 7, 8, 9, 15, 16 };
	uint32_t i, k;

	test_now = "offsets";
	start(1 << 14);
	root("");
	list(1);
	for (k = 0; k < 6; k++)
		event(k % 2 ? "ODD" : "EVEN", regs[k]);
	end();
	for (i = 0; i < 6; i++) {
		unit("core", "CPM_", 0x4, regs[i], 1);
		if (i % 2)
			cell("size", 0x10);
		end();
	}
	unit("thread", "", 0x1, 0, 1);
	cell("size", 0xffffffff);
	end();
	for (i = 0; i < 5; i++) {
		unit("core", "SPM_", 0x4, 0, 1);
		cell("size", sizes[i]);
		end();
	}
	end();
	CHECK(check_finished(0) > 12);
}

/* A full name of 128 bytes or more prevents an index, and a finding says so. */
static void long_names(uint32_t flags, int least, uint32_t letters, uint32_t prefix)
{
	int is_long = (prefix < 3 ? 3 : prefix) + letters >= 128; /* one unit has PM_ */
	char *name = exact(letters + 1);
	unsigned char *fdt;
	size_t size;
	uint32_t i;

	test_now = "long names";
	for (i = 0; i < letters; i++)
		name[i] = (char)('A' + i % 26);
	name[letters] = 0;
	start(1 << 20);
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
	CHECK_EQ(check_tree(fdt, size, flags, !is_long, least), 9);
	for (i = 0; i < findings.n && strcmp(findings.at[i].code, "no-index") != 0; i++)
		;
	CHECK(i == findings.n || (is_long && findings.at[i].node == PMUMAP_NO_NODE));
	free(fdt);
	free(name);
}

/*
 * Names with equal hashes, all of them twice, as events and as prefixes: not all are found to be
 * equal strings.
 */
static void one_hash(uint32_t events, uint32_t prefixes, int least)
{
	char names[40][17];
	uint32_t i;
	unsigned char *fdt;
	size_t size;

	test_now = "names of one hash";
	start(1 << 16);
	root("");
	list(1);
	for (i = 0; i < 40; i++)
		alike_name(names[i]);
	for (i = 0; i < 2 * events; i++)
		event(names[i % events], 8 * i);
	end();
	unit("core", "", IMC_CORE, 0, 1);
	end();
	for (i = 0; i < 2 * prefixes; i++) {
		unit("core", names[i % prefixes], IMC_CORE, 0, 1);
		end();
	}
	fdt = finish(&size);
	CHECK_EQ(check_tree(fdt, size, 0, !least, least), 2 * events * (2 * prefixes + 1));
	for (i = 0; i < findings.n; i++)
		CHECK(strcmp(findings.at[i].code, "no-index") != 0);
	free(fdt);
}

/* Properties of a small tree. Numbers are cells; those without a value are left out. */
static const struct row {
	const char *node, *property, *value;
} rows[] = {
	{ "reserved-memory", "#address-cells", "1" },
	{ "homer", "ibm,chip-id", "3" },
	{ "homer", "reg", "0x1000" },
	{ "root", "imc-nest-offset", "0x320000" },
	{ "root", "imc-nest-size", "0x30000" },
	{ "root", "ima-nest-offset", NULL },
	{ "root", "ima-nest-size", NULL },
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
	start(4096);
	begin("");
	begin("reserved-memory");
	node_of("reserved-memory", bent, value, n);
	begin("ibm,homer-image@1000");
	node_of("homer", bent, value, n);
	end();
	end();
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
	end();
	end();
	end();
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

/* ---- the block ------------------------------------------------------------------------------- */

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

	start(1 << 19);
	root("");
	for (i = 0; i < BLOCK_UNITS; i++) {
		list(i + 1);
		for (k = 0; k < events / BLOCK_UNITS; k++) {
			begin("event");
			text("event-name", long_text(1000 * i + k, NAME_BYTES));
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
		zeros[7] = (unsigned char)i; /* otherwise all units share their chips */
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
	int indexed = 0;

	test_now = "blocks";
	fdt = largest_tree(0, &size);
	CHECK_EQ(pmumap_imc_fdt_measure(fdt, size, NULL, &need), PMUMAP_OK);
	CHECK(need <= PMUMAP_IMC_BLOCK(BLOCK_UNITS, 0));
	CHECK(need > PMUMAP_IMC_BLOCK(BLOCK_UNITS, 0) - 512); /* none is wasted on units */
	free(fdt);
	fdt = largest_tree(BLOCK_EVENTS, &size);
	CHECK_EQ(pmumap_imc_fdt_measure(fdt, size, NULL, &need), PMUMAP_OK);
	CHECK(need <= sizeof(block));
	CHECK_EQ(pmumap_imc_fdt_build(fdt, size, NULL, block, sizeof(block), &map), PMUMAP_OK);
	CHECK_EQ(map ? pmumap_imc_names(map, &indexed) : 0, BLOCK_EVENTS);
	CHECK(indexed);
	CHECK_EQ(PMUMAP_IMC_BLOCK(1, 1) % 8, 0);
	free(fdt);
	test_now = "";
}

int main(void)
{
	int least;

	random_trees();
	loops();
	no_units();
	chips();
	old_kinds();
	two_roots();
	no_root();
	no_type();
	phandles();
	absent();
	clashes();
	shared();
	elsewhere();
	under_imc();
	offsets();
	long_names(0, 0, 100, 27);
	long_names(0, 0, 100, 28);
	long_names(0, 0, 124, 2);
	long_names(0, 0, 125, 2);
	long_names(0, 0, 128, 0);
	long_names(0, 0, 255, 254);
	long_names(0, 0, 255, 255);
	long_names(0, 0, quick(70000, 1000), 254);
	long_names(0, 0, quick(70000, 1000), 255);
	long_names(0, 0, 70000, 70000);
	long_names(PMUMAP_DESC, 1, 70000, 70000);
	for (least = 0; least < 2; least++) {
		one_hash(2, 2, least);
		one_hash(40, 0, least);
		one_hash(2, 40, least);
	}
	lengths();
	blocks();
	CHECK_EQ(each_file("build/boards/imc-*.dtb", damage), 19);
	return test_summary();
}
