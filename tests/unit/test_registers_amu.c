/* SPDX-License-Identifier: BSD-2-Clause
 *
 * AMU registers through the operations of struct pmumap_amu_hw: on a modelled CPU that reports
 * every access that the architecture leaves undefined, and on a page of memory. Then trees meet
 * CPUs.
 */
#define _GNU_SOURCE
#include "amu_support.h"
#include "amu_registers.h"
#include <signal.h>
#include <ucontext.h>

/* Garbage in the handle must not matter. */
static void attach(struct pmumap_amu_hw *hw)
{
	memset(hw, 0xa5, sizeof(*hw));
	hw->read = amu_cpu_read;
	hw->write = hw->write_offset = amu_cpu_write;
	hw->arg = &cpu;
	amu_cpu_forget(&cpu);
}

/* ---- the memory-mapped view ------------------------------------------------------------------ */

enum { VIEW_WORDS = 0x1000 / 4 };

static void fill_view(volatile uint32_t *page, const struct amu_cpu *c)
{
	uint32_t g, n, i;

	for (i = 0; i < VIEW_WORDS; i++)
		page[i] = 0x0bad0000 | i;
	for (g = 0; g < AMU_CPU_GROUPS; g++) {
		for (n = 0; n < AMU_CPU_COUNTERS; n++) {
			int there = c->there[g] >> n & 1;

			page[(g * 0x100 + n * 8) / 4] = there ? (uint32_t)c->count[g][n] : 0;
			page[(g * 0x100 + n * 8) / 4 + 1] =
				there ? (uint32_t)(c->count[g][n] >> 32) : 0;
			page[(0x400 + g * 0x80 + n * 4) / 4] = there ? c->event[g][n] : 0;
		}
		page[(0xc00 + g * 4) / 4] = c->on[g];
		page[(0xc20 + g * 4) / 4] = c->on[g];
	}
	page[0xce0 / 4] = c->cg1nc << 8 | 4;
	page[0xe00 / 4] = c->ncg << 28 | 63u << 8 | (3 + c->cg1nc);
}

static uint32_t view_bad(uint32_t ncg, uint16_t aux)
{
	volatile uint32_t *page = exact(VIEW_WORDS * 4);
	uint32_t g, i, bad = 0;
	struct pmumap_amu_hw hw;
	void *before;

	amu_cpu_init(&cpu, 1, ncg, aux);
	cpu.count[0][0] &= 0xfffffff; /* as AMCFGR without group 1 */
	cpu.on[0] = 0x5;
	cpu.on[1] = cpu.there[1] & 0x55aa;
	fill_view(page, &cpu);
	before = exact_copy((void *)page, VIEW_WORDS * 4);
	memset(&hw, 0xa5, sizeof(hw));
	pmumap_amu_mapped(&hw, page);
	bad += hw.write || hw.write_offset || pmumap_amu_probe(&hw) != 1 || hw.version != 1;
	bad += hw.implemented[0] != 0xf || hw.implemented[1] != no_gaps(cpu.cg1nc);
	for (g = 0; g < GROUPS; g++)
		for (i = 0; i < NUMBERS; i++) {
			uint32_t group = groups[g], n = numbers[i];

			bad += pmumap_amu_read(&hw, group, n) != count_of(group, n);
			bad += pmumap_amu_event(&hw, group, n) != event_of(group, n);
		}
	for (g = 0; g < GROUPS; g++) {
		bad += pmumap_amu_running(&hw, groups[g]) !=
		       (groups[g] < 2 ? cpu.on[groups[g]] : 0);
		bad += pmumap_amu_run(&hw, groups[g], 0xffff) != 0;
	}
	bad += hw.read(hw.arg, PMUMAP_AMU_CFGR) != page[0xe00 / 4];
	bad += hw.read(hw.arg, PMUMAP_AMU_CGCR) != page[0xce0 / 4];
	bad += hw.read(hw.arg, PMUMAP_AMU_CG1IDR) != 0; /* no register of the view */
	bad += hw.offsets[0] || hw.offsets[1];
	bad += memcmp(before, (void *)page, VIEW_WORDS * 4) != 0;
	free(before);
	free((void *)page);
	return bad;
}

static void views(void)
{
	uint32_t i, bad = 0;

	test_now = "memory-mapped view";
	for (i = 0; i <= 16; i++)
		bad += view_bad(0, no_gaps(i)) + view_bad(1, no_gaps(i));
	for (i = 0; i < 64; i++)
		bad += view_bad(1, gaps());
	CHECK_EQ(bad, 0);
}

/*
 * A counter carries into its upper half, or wraps, before each instruction of a read in turn. The
 * CPU single-steps for this; on other CPUs the test is skipped.
 */
#ifdef __x86_64__
static volatile uint32_t stepped_page[VIEW_WORDS];
static volatile uint32_t steps, carry_at;
static volatile uint64_t carried; /* what it is then */

static void step(int number, siginfo_t *info, void *context)
{
	ucontext_t *u = (ucontext_t *)context;

	(void)number;
	(void)info;
	if (++steps == carry_at) {
		stepped_page[0x100 / 4] = (uint32_t)carried;
		stepped_page[0x104 / 4] = (uint32_t)(carried >> 32);
	}
	if (steps > 100000)
		u->uc_mcontext.gregs[REG_EFL] &= ~0x100ll;
}

/* One read in single steps; locals may be below the stack pointer. */
static uint64_t read_in_steps(struct pmumap_amu_hw *hw, uint32_t at, uint64_t from, uint64_t to)
{
	uint64_t value;

	stepped_page[0x100 / 4] = (uint32_t)from;
	stepped_page[0x104 / 4] = (uint32_t)(from >> 32);
	steps = 0;
	carry_at = at;
	carried = to;
	__asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; orq $0x100, (%%rsp); popfq; "
			 "lea 128(%%rsp), %%rsp" ::
				 : "memory", "cc");
	value = pmumap_amu_read(hw, 1, 0);
	__asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; andq $~0x100, (%%rsp); popfq; "
			 "lea 128(%%rsp), %%rsp" ::
				 : "memory", "cc");
	return value;
}

static void carry_from(struct pmumap_amu_hw *hw, uint64_t from, uint64_t to)
{
	uint32_t at, bad = 0, before = 0, after = 0;

	steps = 0;
	for (at = 1; steps + 1 >= at; at++) {
		uint64_t value = read_in_steps(hw, at, from, to);

		/* A carry after the old value was read no longer matters. */
		before += value == from;
		after += value == to;
		bad += value != (before ? from : to);
	}
	CHECK_EQ(bad, 0);
	CHECK(before > 0 && after > 2 && before + after == at - 1);
}

static void carry(void)
{
	struct sigaction action;
	struct pmumap_amu_hw hw;

	test_now = "carry";
	memset(&action, 0, sizeof(action));
	action.sa_sigaction = step;
	action.sa_flags = SA_SIGINFO;
	CHECK(sigaction(SIGTRAP, &action, NULL) == 0);
	amu_cpu_init(&cpu, 1, 1, 1);
	fill_view(stepped_page, &cpu);
	pmumap_amu_mapped(&hw, stepped_page);
	CHECK_EQ(pmumap_amu_probe(&hw), 1);
	carry_from(&hw, 0x7fffffff0, 0x800000002);
	carry_from(&hw, 0xfffffffffffffff0, 2);
}
#else
static void carry(void)
{
}
#endif

/* ---- trees and CPUs -------------------------------------------------------------------------- */

static uint32_t fitted;

/* Firmware on a CPU of a tree: probes, compares, and enables the tree's counters. */
static int bring_up(struct pmumap_amu_hw *hw, const struct pmumap_amu_cpu *c,
		    enum pmumap_amu_mismatch *why)
{
	int counter;

	attach(hw);
	CHECK_EQ(pmumap_amu_probe(hw), 1);
	counter = pmumap_amu_reconcile(c->described, c->enable, hw->implemented[1],
				       hw->implemented[1], why);
	if (counter < 0)
		CHECK_EQ(pmumap_amu_run(hw, 1, c->enable), 1);
	CHECK(untroubled());
	return counter;
}

/* A CPU with all described counters, then without each of them. */
static void tree_and_cpu(const struct pmumap_amu *map, const struct pmumap_amu_cpu *c)
{
	enum pmumap_amu_mismatch why = PMUMAP_AMU_NOT_READABLE;
	struct pmumap_amu_hw hw;
	uint32_t i;

	amu_cpu_init(&cpu, 2, 1, (uint16_t)(c->described | gaps()));
	CHECK_EQ(bring_up(&hw, c, &why), -1);
	CHECK_EQ(why, PMUMAP_AMU_FITS);
	CHECK_EQ(cpu.on[1], c->enable);
	CHECK_EQ(pmumap_amu_running(&hw, 1), c->enable);
	fitted++;
	for (i = 0; i < 16; i++) {
		if (!(c->described >> i & 1))
			continue;
		amu_cpu_init(&cpu, 2, 1, (uint16_t)(c->described & ~(1u << i)));
		CHECK_EQ(bring_up(&hw, c, &why), i);
		CHECK_EQ(why, PMUMAP_AMU_NOT_IMPLEMENTED);
		CHECK(pmumap_amu_counter_name(map, c->view, i) != NULL);
		CHECK_EQ(cpu.on[1], 0);
	}
}

static void board(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	struct pmumap_amu *map = amu_build(fdt, size, 0, &status);
	struct pmumap_amu_cpu c;
	uint32_t i;

	CHECK(map != NULL);
	for (i = 0; map && pmumap_amu_cpu_at(map, i, &c); i++)
		tree_and_cpu(map, &c);
	free(map);
}

/* The gears of MPMM on a CPU with two of them, and on one without auxiliary counters. */
static void gears(const unsigned char *fdt, size_t size)
{
	enum pmumap_amu_mismatch why = PMUMAP_AMU_NOT_READABLE;
	enum pmumap_status status;
	struct pmumap_amu *map = amu_build(fdt, size, 0, &status);
	struct pmumap_amu_cpu c;
	struct pmumap_amu_hw hw;

	if (!CHECK(map && pmumap_amu_cpu_find(map, 0x81000700, &c)))
		return;
	amu_cpu_init(&cpu, 1, 1, 3);
	CHECK_EQ(bring_up(&hw, &c, &why), 2);
	CHECK_EQ(why, PMUMAP_AMU_NOT_IMPLEMENTED);
	CHECK(same_text(pmumap_amu_counter_name(map, c.view, 2), "mpmm_gear2"));
	amu_cpu_init(&cpu, 1, 0, 0);
	CHECK_EQ(bring_up(&hw, &c, &why), 0);
	CHECK(same_text(pmumap_amu_counter_name(map, c.view, 0), "mpmm_gear0"));
	/* AMCR.CG1RZ hides them from all but the highest exception level. */
	why = PMUMAP_AMU_NOT_DESCRIBED;
	CHECK_EQ(pmumap_amu_reconcile(c.described, c.enable, 7, 0, &why), 0);
	CHECK_EQ(why, PMUMAP_AMU_NOT_READABLE);
	free(map);
}

/* ---- who can read ---------------------------------------------------------------------------- */

static const uint64_t TAM = 1 << 30, CG1RZ = 1 << 17;

/*
 * At each level, with any registers: reads exactly the counters that the model allows. A level above
 * the highest, which does not exist, counts as it.
 */
static void access_levels(void)
{
	uint32_t i, group, n, bad = 0, some = 0, all = 0;

	test_now = "who can read";
	for (i = 0; i < quick(20000, 2000); i++) {
		uint64_t dice = random64();
		struct pmumap_amu_access a;
		struct pmumap_amu_hw hw;

		amu_cpu_init(&cpu, 2, 1, gaps());
		attach(&hw);
		cpu.highest = a.highest_el = 1 + random_below(3);
		cpu.el = a.el = random_below(a.highest_el + 1);
		if (cpu.el == 3)
			a.el += dice >> 8 & 1;
		cpu.amcr = a.amcr = (random64() & ~CG1RZ) | (dice & 1 ? CG1RZ : 0);
		cpu.amuserenr = a.amuserenr = random64();
		cpu.cptr_el3 = cpu.cptr_el2 = random64() & ~TAM;
		cpu.cptr_el3 |= cpu.highest == 3 && (dice & 0x1c) == 4 ? TAM : 0;
		cpu.cptr_el2 |= cpu.highest >= 2 && (dice & 0xe0) == 32 ? TAM : 0;
		a.cptr_el3 = cpu.cptr_el3;
		a.cptr_el2 = cpu.cptr_el2;
		cpu.hafgrtr_el2 = a.hafgrtr_el2 = cpu.highest >= 2 ? random64() & random64() : 0;
		for (group = 0; group < 2; group++) {
			uint16_t want = 0;

			for (n = 0; n < 16; n++) {
				if (!(cpu.there[group] >> n & 1))
					continue;
				amu_cpu_forget(&cpu);
				if (hw.read(hw.arg,
					    (group ? PMUMAP_AMU_EVCNTR1 : PMUMAP_AMU_EVCNTR0) +
						    n) == cpu.count[group][n])
					want |= (uint16_t)(1u << n);
			}
			bad += pmumap_amu_readable(&a, group, cpu.there[group]) != want;
			some += want != 0 && want != cpu.there[group];
			all += want == cpu.there[group];
		}
	}
	CHECK_EQ(bad, 0);
	CHECK(some > 100 && all > 100);
}

/* Without a function for them, offsets are neither saved nor restored. */
static void without_offsets(void)
{
	struct pmumap_amu_state state = { 0 };
	struct pmumap_amu_hw hw;
	uint32_t i, bad = 0;

	test_now = "without offsets";
	amu_cpu_init(&cpu, 2, 1, 0x3f);
	cpu.offsets = 0x33;
	attach(&hw);
	hw.write_offset = NULL;
	CHECK_EQ(pmumap_amu_probe(&hw), 1);
	CHECK(hw.offsets[0] && pmumap_amu_save(&hw, &state) && pmumap_amu_restore(&hw, &state));
	for (i = 0; i < sizeof(state.offset) / sizeof(state.offset[0]); i++)
		bad += state.offset[i] != 0;
	CHECK_EQ(bad, 0);
}

int main(void)
{
	probing();
	group0();
	cpus();
	locked();
	without_offsets();
	access_levels();
	views();
	carry();
	CHECK_EQ(each_file("build/boards/amu-*.dtb", board), 8);
	CHECK(fitted > 20);
	CHECK_EQ(each_file("build/boards/amu-mpmm-labels.dtb", gears), 1);
	return test_summary();
}
