/* SPDX-License-Identifier: BSD-2-Clause
 *
 * IMC registers through the operations of struct pmumap_imc_hw: control blocks in a small memory,
 * and SCOM writes (register writes of POWER) in order.
 */
#include "make.h"
#include "imc_support.h"
#include "pmumap_hw.h"

enum { LOG = 16, UNITS = 8 };

static struct machine {
	uint32_t fail_at; /* number of the SCOM write that fails; 0 for none */
	int fail_save;
	/* access log */
	uint32_t loads, stores, scoms;
	uint64_t phys, word; /* of the last access */
	struct {
		enum pmumap_imc_chiplet chiplet;
		uint32_t core, address;
		uint64_t value;
	} scom[LOG], saved[LOG];
	uint32_t saves;
	uint64_t idle; /* the address of a word that is 0 */
} machine;

/* Each word is unique and shows its place. */
static uint64_t content(uint64_t phys)
{
	return phys * 0x9e3779b97f4a7c15;
}

static uint64_t load_word(void *arg, uint64_t phys)
{
	struct machine *m = arg;

	m->loads++;
	m->phys = phys;
	return phys == m->idle ? 0 : content(phys);
}

static void store_word(void *arg, uint64_t phys, uint64_t value)
{
	struct machine *m = arg;

	m->stores++;
	m->phys = phys;
	m->word = value;
}

static int write_scom(void *arg, enum pmumap_imc_chiplet chiplet, uint32_t core, uint32_t address,
		      uint64_t value)
{
	struct machine *m = arg;

	if (m->scoms < LOG) {
		m->scom[m->scoms].chiplet = chiplet;
		m->scom[m->scoms].core = core;
		m->scom[m->scoms].address = address;
		m->scom[m->scoms].value = value;
	}
	return ++m->scoms != m->fail_at;
}

static int save_scom(void *arg, enum pmumap_imc_chiplet chiplet, uint32_t core, uint32_t address,
		     uint64_t value)
{
	struct machine *m = arg;

	if (m->saves < LOG) {
		m->saved[m->saves].chiplet = chiplet;
		m->saved[m->saves].core = core;
		m->saved[m->saves].address = address;
		m->saved[m->saves].value = value;
	}
	m->saves++;
	return !m->fail_save;
}

static struct pmumap_imc_hw hw = { load_word, store_word, write_scom, &machine, NULL };

static void calm(void)
{
	memset(&machine, 0, sizeof(machine));
}

/* ---- control blocks -------------------------------------------------------------------------- */

enum { FIRST_CHIP = 0, SECOND_CHIP = 8, OWN_CHIP = 3 };

/* Units with a control block: its place on the chips, or none. */
static const struct {
	const char *name;
	uint32_t type, size, offset, control; /* 0: the usual place */
	uint64_t own_base;                    /* of its only chip, 0: it has those of all */
	uint32_t block;                       /* from the chip's base; 0: it has none */
} units[UNITS] = {
	{ "mcs01@c8", PMUMAP_IMC_NEST, 0x40000, 0x180000, 0, 0, 0x1bfc00 },
	{ "xlink0@0", PMUMAP_IMC_NEST, 0x40000, 0x180000, 0x3fc00, 0, 0x1bfc00 },
	{ "early@0", PMUMAP_IMC_NEST, 0x80000, 0x320000, 0x1000, 0, 0x321000 },
	{ "own@0", PMUMAP_IMC_NEST, 0x40000, 0, 0x3ffd8, 0xfffffffffffc0000, 0x3ffd8 },
	{ "short@0", PMUMAP_IMC_NEST, 0x40000, 0x180000, 0x3ffe0, 0, 0 },
	{ "high@0", PMUMAP_IMC_NEST, 0x40000, 0x180000, 0x3fc00, 0xffffffffffe403e0, 0 },
	{ "core@18", PMUMAP_IMC_CORE, 0x2000, 0, 0x1000, 0, 0 },
	{ "trace@0", PMUMAP_IMC_TRACE, 0x40000, 0, 0, 0, 0 },
};

static const uint64_t bases[] = { 0x1ffd0000000, 0x3ffd800000 };

/* The chips of a unit: its own, or both. */
static void put_chips(uint64_t own)
{
	const uint32_t ids[] = { own ? OWN_CHIP : FIRST_CHIP, SECOND_CHIP };
	uint32_t i, n = own ? 1 : 2;

	table_of("base-addr", n, 2);
	for (i = 0; i < n; i++) {
		uint64_t base = own ? own : bases[i];

		put_cells((uint32_t[]){ (uint32_t)(base >> 32), (uint32_t)base }, 2);
	}
	table_of("chip-id", n, 1);
	put_cells(ids, n);
}

static struct pmumap_imc *build_units(void)
{
	enum pmumap_status status;
	struct pmumap_imc *map;
	unsigned char *fdt;
	uint32_t i;
	size_t size;

	start();
	blob_text(&tree, "{ compatible=\"ibm,opal-in-memory-counters\" list { phandle=<1> "
			 "event { event-name=\"CYCLES\" reg=<8> } }");
	for (i = 0; i < UNITS; i++) {
		blob_format(&tree,
			    "%s { compatible=\"ibm,imc-counters\" events-prefix=\"PM_\" type=<%x> "
			    "reg=<0> events=<1>",
			    units[i].name, (unsigned)units[i].type);
		cell("size", units[i].size);
		cell("offset", units[i].offset);
		if (units[i].control)
			cell("cb_offset", units[i].control);
		put_chips(units[i].own_base);
		end();
	}
	fdt = finish(&size);
	map = imc_build(fdt, size, NULL, &status);
	CHECK(map != NULL);
	free(fdt);
	return map;
}

/* Place of a word; 0 for none. */
static uint64_t place(uint32_t unit, uint32_t chip, uint32_t word)
{
	uint64_t base;

	if (unit >= UNITS || !units[unit].block || word % 8 || word >= 40)
		return 0;
	if (units[unit].own_base ? chip != OWN_CHIP : chip != FIRST_CHIP && chip != SECOND_CHIP)
		return 0;
	base = units[unit].own_base ? units[unit].own_base : bases[chip == SECOND_CHIP];
	return base + units[unit].block + word;
}

static uint32_t word_bad(const struct pmumap_imc *map, uint32_t unit, uint32_t chip, uint32_t word)
{
	uint64_t phys = place(unit, chip, word), value = 0x5a5a, written = random64();
	uint32_t there = phys != 0, bad = 0;

	calm();
	bad += pmumap_imc_control_load(map, &hw, unit, chip, word, &value) != (int)there;
	bad += value != (there ? content(phys) : 0x5a5a);
	bad += machine.loads != there || machine.phys != phys || machine.stores;
	calm();
	bad += pmumap_imc_control_store(map, &hw, unit, chip, word, written) != (int)there;
	bad += machine.stores != there || machine.phys != phys || machine.loads;
	return bad + (machine.word != (there ? written : 0)) + machine.scoms;
}

static void control_blocks(void)
{
	static const uint32_t chips[] = { 0, 1, 3, 7, 8, 9, 0x10000, 0x80000008, ~0u };
	static const uint32_t far[] = { 0x100, 0xfffffff8, 0x80000000, 0x80000008, 0x3fc00, ~0u };
	struct pmumap_imc *map = build_units();
	uint32_t unit, i, word, bad = 0;

	test_now = "control blocks";
	for (unit = 0; unit <= UNITS; unit++)
		for (i = 0; i < sizeof(chips) / sizeof(chips[0]); i++) {
			for (word = 0; word <= 64; word++)
				bad += word_bad(map, unit, chips[i], word);
			for (word = 0; word < sizeof(far) / sizeof(far[0]); word++)
				bad += word_bad(map, unit, chips[i], far[word]);
		}
	bad += word_bad(map, ~0u, 0, 0);
	CHECK_EQ(bad, 0);
	free(map);
}

/* A machine as firmware hands it on: which units exist, then pausing them. */
static void live(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	struct pmumap_imc *map = imc_build(fdt, size, NULL, &status);
	struct pmumap_imc_unit u;
	uint32_t unit, found = 0;
	uint64_t value = 0;

	calm();
	for (unit = 0; CHECK(map != NULL) && pmumap_imc_unit_at(map, unit, &u); unit++) {
		if (strcmp(u.name, "mcs01@c8") != 0)
			continue;
		found++;
		CHECK_EQ(
			pmumap_imc_control_load(map, &hw, unit, 0, PMUMAP_IMC_CB_AVAILABLE, &value),
			1);
		CHECK_EQ(value, content(0x1ffd01bfc18));
		CHECK_EQ(pmumap_imc_control_load(map, &hw, unit, 8, PMUMAP_IMC_CB_STATUS, &value),
			 1);
		CHECK_EQ(value, content(0x3ffd9bfc00));
		CHECK_EQ(pmumap_imc_control_store(map, &hw, unit, 8, PMUMAP_IMC_CB_COMMAND,
						  PMUMAP_IMC_PAUSE),
			 1);
		CHECK(machine.phys == 0x3ffd9bfc08 && machine.word == 2);
		CHECK_EQ(pmumap_imc_control_store(map, &hw, unit, 0, PMUMAP_IMC_CB_SPEED,
						  PMUMAP_IMC_1000MS),
			 1);
		CHECK(machine.phys == 0x1ffd01bfc10 && machine.word == 7);
		CHECK_EQ(pmumap_imc_control_load(map, &hw, unit, 0, PMUMAP_IMC_CB_MODE, &value), 1);
		CHECK_EQ(value, content(0x1ffd01bfc20));
	}
	CHECK_EQ(found, 1);
	CHECK_EQ(machine.loads, 3);
	CHECK_EQ(machine.stores, 2);
	free(map);
}

/* The vector of a chip whose units are not known yet; as skiboot finds it, at 0x1bfc18. */
static void vectors(void)
{
	static const uint64_t chips[] = { 0x1ffd0000000, 0x3ffd800000, 0x2000000000000, 8 };
	const uint64_t highest = 0xffffffffffffffd8 - 0x1bfc00;
	uint32_t i;

	test_now = "availability vectors";
	for (i = 0; i < 4; i++) {
		calm();
		CHECK_EQ(pmumap_imc_vector(&hw, chips[i]), content(chips[i] + 0x1bfc18));
		CHECK_EQ(machine.loads, 2);
		machine.idle = chips[i] + 0x1bfc00; /* no microcode */
		CHECK_EQ(pmumap_imc_vector(&hw, chips[i]), 0);
		CHECK_EQ(machine.loads, 3);
	}
	calm();
	CHECK_EQ(pmumap_imc_vector(&hw, 0), 0); /* the chip has no memory */
	CHECK_EQ(pmumap_imc_vector(&hw, highest + 1), 0);
	CHECK_EQ(pmumap_imc_vector(&hw, ~0ull), 0);
	CHECK_EQ(machine.loads, 0);
	CHECK_EQ(pmumap_imc_vector(&hw, highest - 1), content(highest - 1 + 0x1bfc18));
}

/* ---- SCOMs ----------------------------------------------------------------------------------- */

/* The writes of these machines' firmware; those of a core go to one of four places. */
static const struct {
	unsigned generation;
	uint32_t page[4], htm[4], mask, trace;
} scoms[] = {
	{ 9,
	  { 0x1001220b, 0x1001230b, 0x1001260b, 0x1001270b },
	  { 0x10012200, 0x10012300, 0x10012600, 0x10012700 },
	  0x20010aa8,
	  0x20010aa9 },
	{ 10,
	  { 0x2001868b, 0x2001468b, 0x2001268b, 0x2001168b },
	  { 0x20018680, 0x20014680, 0x20012680, 0x20011680 },
	  0x20020400,
	  0x20020401 },
};

static const uint64_t event_mask = 0x0402010000000000, htm_off = 0xe000000000000000,
		      htm_on = 0xe800000000000000;

static const uint32_t cores[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 23, 31, 0x80000001, ~0u };

enum { CORES = sizeof(cores) / sizeof(cores[0]) };

/* skiboot: event mask and trace use get_imc_scom_addr_for_core(), the others ..._quad(). */
#define CORE PMUMAP_IMC_CORE_CHIPLET
#define QUAD PMUMAP_IMC_QUAD_CHIPLET

/* One expected step. */
static uint32_t scom_bad(uint32_t at, enum pmumap_imc_chiplet chiplet, uint32_t core,
			 uint32_t address, uint64_t value)
{
	return machine.scom[at].chiplet != chiplet || machine.scom[at].core != core ||
	       machine.scom[at].address != address || machine.scom[at].value != value;
}

/* The first writes of a sequence; the last one may have failed. */
static uint32_t init_bad(uint32_t g, uint32_t core, uint64_t page, uint32_t fail_at)
{
	uint32_t writes = fail_at ? fail_at : 3, bad = 0;

	calm();
	machine.fail_at = fail_at;
	bad += pmumap_imc_core_init(&hw, scoms[g].generation, core, page) != !fail_at;
	bad += machine.scoms != writes || machine.loads || machine.stores;
	bad += scom_bad(0, QUAD, core, scoms[g].page[core % 4], page);
	if (writes > 1)
		bad += scom_bad(1, CORE, core, scoms[g].mask, event_mask);
	if (writes > 2)
		bad += scom_bad(2, QUAD, core, scoms[g].htm[core % 4], htm_off);
	return bad;
}

static uint32_t run_bad(uint32_t g, uint32_t core, int run, uint32_t fail_at)
{
	uint32_t bad = 0;

	calm();
	machine.fail_at = fail_at;
	bad += pmumap_imc_core_run(&hw, scoms[g].generation, core, run) != !fail_at;
	bad += machine.scoms != 1 || machine.loads || machine.stores;
	return bad + scom_bad(0, QUAD, core, scoms[g].htm[core % 4], run ? htm_on : htm_off);
}

static uint32_t trace_bad(uint32_t g, uint32_t core, uint32_t fail_at)
{
	/* As in the firmware of P9 and P10, and one of each field. */
	static const struct {
		struct pmumap_imc_trace_scom fields;
		uint64_t value;
	} traces[] = {
		{ { 1, 250, 4, 2, 0 }, 0x7fffffc142020000 },
		{ { 0, 250, 4, 2, 0 }, 0x3fffffc142020000 },
		{ { 0, 0xffffffff, 0, 0, 0 }, 0 },
		{ { 3, 0xffffffff, 0, 0, 0 }, 0xc000000000000000 },
		{ { 0, 0xffffffff, 0x7f, 0, 0 }, 0x3f800000 },
		{ { 0, 0xffffffff, 0, 0x7f, 0 }, 0x7f0000 },
		{ { 0, 0xffffffff, 0, 0, 4 }, 0x8000 },
	};
	uint32_t i, bad = 0;

	for (i = 0; i < sizeof(traces) / sizeof(traces[0]); i++) {
		calm();
		machine.fail_at = fail_at;
		bad += pmumap_imc_trace_init(&hw, scoms[g].generation, core, &traces[i].fields) !=
		       !fail_at;
		bad += machine.scoms != (fail_at ? fail_at : 2);
		bad += scom_bad(0, QUAD, core, scoms[g].htm[core % 4], htm_off);
		if (fail_at != 1)
			bad += scom_bad(1, CORE, core, scoms[g].trace, traces[i].value);
	}
	return bad + machine.loads + machine.stores;
}

static void sequences(void)
{
	static const uint64_t pages[] = { 0, 0x2000, 0x3ffffffffe000, 0x2000000000000,
					  0x1234567896000 };
	uint32_t g, i, k, fail_at, bad = 0;

	test_now = "SCOMs";
	for (g = 0; g < 2; g++)
		for (i = 0; i < CORES; i++) {
			for (k = 0; k < sizeof(pages) / sizeof(pages[0]); k++)
				for (fail_at = 0; fail_at <= 3; fail_at++)
					bad += init_bad(g, cores[i], pages[k], fail_at);
			for (fail_at = 0; fail_at <= 1; fail_at++)
				bad += run_bad(g, cores[i], 0, fail_at) +
				       run_bad(g, cores[i], 1, fail_at) +
				       run_bad(g, cores[i], -2, fail_at);
			for (fail_at = 0; fail_at <= 2; fail_at++)
				bad += trace_bad(g, cores[i], fail_at);
		}
	CHECK_EQ(bad, 0);
}

/*
 * Deep stop states lose what skiboot hands to p9_stop_save_scom(): the page, in the section of the
 * quad, and event mask and trace, in that of the core; not the mode.
 */
static void saves(void)
{
	static const struct pmumap_imc_trace_scom trace = { 1, 250, 4, 2, 0 };
	struct pmumap_imc_hw deep = hw;
	uint32_t g, i, fail, bad = 0;

	test_now = "saved SCOMs";
	deep.save = save_scom;
	for (g = 0; g < 2; g++)
		for (i = 0; i < CORES; i++)
			for (fail = 0; fail < 2; fail++) {
				uint32_t core = cores[i];

				calm();
				machine.fail_save = (int)fail;
				bad += pmumap_imc_core_init(&deep, scoms[g].generation, core,
							    0x2000) != !fail;
				bad += machine.saves != (fail ? 1 : 2);
				bad += machine.scoms != (fail ? 1 : 3);
				bad += machine.saved[0].chiplet != QUAD ||
				       machine.saved[0].core != core ||
				       machine.saved[0].address != scoms[g].page[core % 4] ||
				       machine.saved[0].value != 0x2000;
				if (!fail)
					bad += machine.saved[1].chiplet != CORE ||
					       machine.saved[1].core != core ||
					       machine.saved[1].address != scoms[g].mask ||
					       machine.saved[1].value != event_mask;
				calm();
				machine.fail_save = (int)fail;
				bad += pmumap_imc_core_run(&deep, scoms[g].generation, core, 1) !=
				       1;
				bad += machine.saves != 0;
				bad += pmumap_imc_trace_init(&deep, scoms[g].generation, core,
							     &trace) != !fail;
				bad += machine.saves != 1 || machine.saved[0].chiplet != CORE ||
				       machine.saved[0].core != core ||
				       machine.saved[0].address != scoms[g].trace ||
				       machine.saved[0].value != 0x7fffffc142020000;
				calm();
				machine.fail_at = 1; /* what was not written is not saved */
				bad += pmumap_imc_core_init(&deep, scoms[g].generation, core,
							    0x2000) != 0;
				bad += machine.saves != 0;
			}
	CHECK_EQ(bad, 0);
}

static void refused(void)
{
	static const unsigned generations[] = { 0, 1, 8, 11, 0x109, 0x10a, ~0u };
	static const struct pmumap_imc_trace_scom good = { 1, 250, 4, 2, 0 }, wide[] = {
		{ 4, 250, 4, 2, 0 }, { 1, 250, 0x80, 2, 0 }, { 1, 250, 4, 0x80, 0 },
		{ 1, 250, 4, 2, 5 }, { ~0u, 250, 4, 2, 0 },  { 1, 250, 4, 2, ~0u },
	};
	uint32_t i, bit, core, bad = 0;

	test_now = "refused SCOMs";
	calm();
	for (core = 0; core < 8; core++) {
		for (i = 0; i < sizeof(generations) / sizeof(generations[0]); i++) {
			bad += pmumap_imc_core_init(&hw, generations[i], core, 0x2000) != 0;
			bad += pmumap_imc_core_run(&hw, generations[i], core, 1) != 0;
			bad += pmumap_imc_core_run(&hw, generations[i], core, 0) != 0;
			bad += pmumap_imc_trace_init(&hw, generations[i], core, &good) != 0;
		}
		for (i = 0; i < 2; i++)
			for (bit = 0; bit < 64; bit++)
				if (bit < 13 || bit > 49)
					bad += pmumap_imc_core_init(&hw, scoms[i].generation, core,
								    0x2000 | 1ull << bit) != 0;
		for (i = 0; i < sizeof(wide) / sizeof(wide[0]); i++)
			bad += pmumap_imc_trace_init(&hw, 9, core, &wide[i]) != 0 ||
			       pmumap_imc_trace_init(&hw, 10, core, &wide[i]) != 0;
	}
	CHECK_EQ(bad, 0);
	CHECK_EQ(machine.scoms + machine.loads + machine.stores, 0);
}

int main(void)
{
	control_blocks();
	CHECK_EQ(each_file("build/boards/imc-live.dtb", live), 1);
	vectors();
	sequences();
	saves();
	refused();
	return test_summary();
}
