/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tests of struct pmumap_amu_hw on a modelled CPU (amu_cpu.h), reached through operations or
 * through trapping instructions.
 */
#ifndef AMU_REGISTERS_H
#define AMU_REGISTERS_H

#include "amu_cpu.h"
#include "support.h"
#include "pmumap_amu_hw.h"

static struct amu_cpu cpu;

/* A handle for the CPU, not probed yet. */
static void attach(struct pmumap_amu_hw *hw);

static int untroubled(void)
{
	return cpu.undefined == 0 && cpu.foreign == 0;
}

static uint16_t no_gaps(uint32_t n)
{
	return (uint16_t)((1u << n) - 1);
}

/* AArch32 cannot tell which counters in between are missing. */
static uint16_t gaps(void)
{
	if (AMU_CPU_AARCH32)
		return no_gaps(random_below(17));
	return (uint16_t)(random64() >> random_below(16) & random64());
}

/* ---- probing --------------------------------------------------------------------------------- */

/* Reads each register once, only after the one that says it exists, and no others. */
static uint32_t probe_bad(uint32_t version, uint32_t ncg, uint16_t aux)
{
	static const uint32_t order[] = { 0, 2 << 3 | 1, 2 << 3 | 2, 2 << 3 | 6 };
	uint32_t seen = AMU_CPU_AARCH32 && version > 1 ? 1 : version;
	uint32_t steps = !version ? 1 : ncg && seen > 1 ? 4 : 3;
	struct pmumap_amu_hw hw;
	uint32_t bad = 0;

	amu_cpu_init(&cpu, version, ncg, aux);
	cpu.offsets = (uint32_t)random64() & 0xffff;
	attach(&hw);
	bad += pmumap_amu_probe(&hw) != (version != 0);
	bad += hw.version != seen;
	bad += hw.implemented[0] != (version ? 0xf : 0);
	bad += hw.implemented[1] != (version && ncg ? aux : 0);
	bad += hw.offsets[0] != (seen > 1 ? 0xd : 0);
	bad += hw.offsets[1] != (seen > 1 && ncg ? aux & cpu.offsets : 0);
	bad += cpu.accesses != steps || memcmp(cpu.log, order, steps * sizeof(order[0]));
	return bad + !untroubled() + cpu.writes;
}

static void probing(void)
{
	static const uint32_t versions[] = { 0, 1, 2, 3, 8, 15 };
	uint32_t i, bad = 0;

	test_now = "probing";
	for (i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		bad += probe_bad(versions[i], 0, 0) + probe_bad(versions[i], 0, 0xffff);
		bad += probe_bad(versions[i], 1, 0) + probe_bad(versions[i], 1, 0xffff);
		bad += probe_bad(versions[i], 8, 7) + probe_bad(versions[i], 15, 7);
	}
	for (i = 0; i <= 16; i++)
		bad += probe_bad(1, 1, no_gaps(i)) + probe_bad(2, 1, no_gaps(i)) +
		       probe_bad(2, 1, gaps());
	for (i = 0; i < 16 && !AMU_CPU_AARCH32; i++)
		bad += probe_bad(2 + i % 14, 1, (uint16_t)(1u << i));
	CHECK_EQ(bad, 0);
}

/* No more counters than the architecture has registers for. */
static void group0(void)
{
	static const uint32_t sizes[] = { 0, 1, 3, 4, 5, 8, 15, 16, 17, 31, 32, 33, 64, 255 };
	struct pmumap_amu_hw hw;
	uint32_t i;

	test_now = "group 0";
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		amu_cpu_init(&cpu, 2, 1, 7);
		cpu.cg0nc = sizes[i];
		attach(&hw);
		CHECK_EQ(pmumap_amu_probe(&hw), 1);
		CHECK_EQ(hw.implemented[0], no_gaps(sizes[i] < 4 ? sizes[i] : 4));
		CHECK_EQ(hw.implemented[1], 7);
	}
}

/* ---- one CPU --------------------------------------------------------------------------------- */

/* Numbers of counters just outside the possible ones. */
static const uint32_t numbers[] = { 0,  1,  2,  3,  4,  5,       6,          7,          8,  9,
				    10, 11, 12, 13, 14, 15,      16,         17,         31, 32,
				    33, 47, 48, 64, 80, 0x10000, 0x80000000, 0xfffffff0, ~0u };
enum { NUMBERS = sizeof(numbers) / sizeof(numbers[0]) };

static const uint32_t groups[] = { 0, 1, 2, 3, 16, 0x10000, 0x80000000, ~0u };

enum { GROUPS = sizeof(groups) / sizeof(groups[0]) };

static int is_there(uint32_t group, uint32_t n)
{
	return group < 2 && n < 16 && (cpu.there[group] >> n & 1);
}

/* The expected value of a counter; 0 if it is missing. */
static uint64_t count_of(uint32_t group, uint32_t n)
{
	return is_there(group, n) ? cpu.count[group & 1][n & 15] : 0;
}

static uint32_t event_of(uint32_t group, uint32_t n)
{
	return is_there(group, n) ? cpu.event[group & 1][n & 15] : 0;
}

/* Reading a counter takes one access. Missing counters return an error. */
static uint32_t reading_bad(struct pmumap_amu_hw *hw)
{
	uint32_t g, i, bad = 0;

	for (g = 0; g < GROUPS; g++)
		for (i = 0; i < NUMBERS; i++) {
			uint32_t group = groups[g], n = numbers[i];
			uint64_t count;

			amu_cpu_forget(&cpu);
			count = pmumap_amu_read(hw, group, n);
			bad += count != count_of(group, n);
			bad += pmumap_amu_event(hw, group, n) != event_of(group, n);
			bad += cpu.accesses != (is_there(group, n) ? 2 : 0);
			bad += cpu.writes || !untroubled();
		}
	for (g = 0; g < GROUPS; g++) {
		int there = groups[g] < 2 && cpu.there[groups[g]];

		amu_cpu_forget(&cpu);
		bad += pmumap_amu_running(hw, groups[g]) != (there ? cpu.on[groups[g]] : 0);
		bad += cpu.writes || !untroubled() || (!there && cpu.accesses);
	}
	return bad;
}

/* A write affects one counter or one group. */
static uint32_t others_changed(const struct amu_cpu *was, uint32_t group, uint32_t counters)
{
	uint32_t g, n, bad = 0;

	for (g = 0; g < AMU_CPU_GROUPS; g++) {
		uint32_t may = g == group ? counters : 0;

		bad += (cpu.started[g] & ~may) != 0 || (cpu.stopped[g] & ~may) != 0;
		for (n = 0; n < AMU_CPU_COUNTERS; n++) {
			uint64_t gain = was->on[g] >> n & 1 ? cpu.accesses * AMU_CPU_STEP : 0;

			if (!(may >> n & 1))
				bad += cpu.count[g][n] != was->count[g][n] + gain;
		}
	}
	return bad;
}

/*
 * Other counters keep running, and none starts that should not. A missing counter is refused
 * together with the others.
 */
static uint32_t run_bad(struct pmumap_amu_hw *hw, uint32_t group, uint16_t counters)
{
	struct amu_cpu was = cpu;
	uint32_t there = group < 2 ? cpu.there[group] : 0, bad = 0;
	uint32_t before = group < 2 ? cpu.on[group] : 0, change = before ^ counters;
	int good = group < 2 && (counters & ~there) == 0;

	amu_cpu_forget(&cpu);
	bad += pmumap_amu_run(hw, group, counters) != good;
	bad += !untroubled() + others_changed(&was, group, change);
	if (!good || !there)
		return bad + (cpu.accesses != 0);
	bad += cpu.on[group] != counters;
	bad += cpu.started[group] != (change & counters);
	return bad + (cpu.stopped[group] != (change & before));
}

/* Counters that cannot be enabled are left out; the others run. */
static uint32_t enable_bad(struct pmumap_amu_hw *hw, uint32_t group, uint16_t counters,
			   uint16_t allowed)
{
	uint32_t run = group < 2 ? counters & allowed & cpu.there[group] : 0, bad = 0;
	struct amu_cpu was = cpu;

	amu_cpu_forget(&cpu);
	bad += pmumap_amu_enable(hw, group, counters, allowed) != run;
	bad += !untroubled() + others_changed(&was, group, group < 2 ? was.on[group] ^ run : 0);
	return bad + (group < 2 ? cpu.on[group] != run : cpu.accesses != 0);
}

static uint32_t bits(uint32_t mask)
{
	uint32_t n = 0;

	for (; mask; mask &= mask - 1)
		n++;
	return n;
}

/*
 * Accesses of a save, or of a restore that need not stop counters or write events: AMCR; which
 * counters of each group run, and a write if any does; each count, auxiliary event and offset.
 */
static uint32_t accesses_of(const struct pmumap_amu_hw *hw, const uint16_t *on)
{
	uint32_t n = 1, g;

	for (g = 0; g < 2; g++) {
		n += cpu.there[g] ? 1 : 0;
		n += on[g] ? 1 : 0;
		n += bits(cpu.there[g]) * (1 + g) + bits(hw->offsets[g] & cpu.there[g]);
	}
	return n;
}

/* Restores the state after a power cycle, and also if the power stayed on. */
static uint32_t save_bad(struct pmumap_amu_hw *hw, int power_off)
{
	struct pmumap_amu_state state;
	struct amu_cpu was;
	uint32_t bad = 0, changed = 0, g, n;

	cpu.amcr = cpu.version > 1 ? 0x20000 : 0x400;
	amu_cpu_forget(&cpu);
	was = cpu;
	memset(&state, 0xa5, sizeof(state));
	bad += pmumap_amu_save(hw, &state) != 1 || cpu.on[0] || cpu.on[1] || !untroubled();
	bad += cpu.accesses != accesses_of(hw, was.on);
	memcpy(was.count, cpu.count, sizeof(was.count));
	if (power_off)
		amu_cpu_power_off(&cpu);
	else
		bad += !pmumap_amu_run(hw, 0, cpu.there[0]) || !pmumap_amu_run(hw, 1, cpu.there[1]);
	for (n = 0; n < AMU_CPU_COUNTERS; n++)
		changed += (cpu.there[1] >> n & 1) && cpu.event[1][n] != was.event[1][n];
	amu_cpu_forget(&cpu);
	bad += pmumap_amu_restore(hw, &state) != 1 || !untroubled();
	bad += power_off && cpu.accesses != accesses_of(hw, was.on) + changed;
	bad += cpu.amcr != was.amcr || memcmp(cpu.on, was.on, sizeof(was.on));
	for (g = 0; g < AMU_CPU_GROUPS; g++)
		for (n = 0; n < AMU_CPU_COUNTERS; n++) {
			/* Group 0 keeps running while group 1 stops and starts. */
			uint32_t on = was.on[g] >> n & 1 && g == 0;

			if (!(cpu.there[g] >> n & 1))
				continue;
			bad += cpu.count[g][n] - was.count[g][n] > 2 * AMU_CPU_STEP * on;
			bad += cpu.event[g][n] != was.event[g][n];
			if (hw->offsets[g] >> n & 1)
				bad += cpu.offset[g][n] != was.offset[g][n];
		}
	return bad;
}

/* Writes AMCR in one access. */
static uint32_t control_bad(struct pmumap_amu_hw *hw)
{
	uint32_t bad;

	amu_cpu_forget(&cpu);
	bad = pmumap_amu_control(hw, 0x400) != (hw->version != 0);
	return bad + (cpu.accesses != (hw->version != 0)) + !untroubled() +
	       (cpu.amcr != (hw->version ? 0x400 : 0));
}

/* Without activity monitors there is nothing to save and no register to read. */
static uint32_t saves_nothing_bad(struct pmumap_amu_hw *hw)
{
	struct pmumap_amu_state state = { 0 };
	uint32_t bad;

	amu_cpu_forget(&cpu);
	bad = pmumap_amu_save(hw, &state) != 0 || pmumap_amu_restore(hw, &state) != 0;
	return bad + cpu.accesses;
}

/* Behaviour of a handle that knows the counters. */
static void use_cpu(struct pmumap_amu_hw *hw)
{
	static const uint16_t all[] = { 0xffff, 0, 0xf0, 0xf, 1, 0x8000, 0x5555, 0xaaaa };
	uint32_t i, g, bad = 0;

	CHECK_EQ(reading_bad(hw), 0);
	for (i = 0; i < 16; i++) {
		uint16_t counters = i < 8 ? all[i] : (uint16_t)random64();

		for (g = 0; g < GROUPS; g++)
			bad += run_bad(hw, groups[g], counters) +
			       enable_bad(hw, groups[g], counters, (uint16_t)random64());
		bad += run_bad(hw, 0, counters & cpu.there[0]);
		bad += run_bad(hw, 1, counters & cpu.there[1]);
		if (i % 4 == 0)
			bad += reading_bad(hw);
		bad += control_bad(hw);
		bad += hw->version ? save_bad(hw, i & 1) : saves_nothing_bad(hw);
	}
	CHECK_EQ(bad, 0);
}

/* If the registers do not report gaps, the program declares them. */
static void one_cpu(uint32_t version, uint32_t ncg, uint16_t aux)
{
	struct pmumap_amu_hw hw;

	amu_cpu_init(&cpu, version, ncg, aux);
	cpu.offsets = (uint32_t)random64() & 0xffff;
	attach(&hw);
	CHECK_EQ(pmumap_amu_probe(&hw), version != 0);
	CHECK_EQ(hw.implemented[1], version == 1 ? no_gaps(cpu.cg1nc) : cpu.there[1]);
	hw.implemented[1] &= aux;
	use_cpu(&hw);
}

static void cpus(void)
{
	uint32_t i;

	test_now = "one CPU";
	for (i = 0; i <= 2; i++) {
		one_cpu(i, 0, 0);
		one_cpu(i, 1, 0);
		one_cpu(i, 1, 0xffff);
		one_cpu(i, 1, 7);
	}
	if (!AMU_CPU_AARCH32)
		one_cpu(2, 1, 0x8000);
	one_cpu(1, 1, 0x8005);
	one_cpu(1, 1, 0x2);
	for (i = 0; i < quick(200, 10); i++)
		one_cpu(2, 1, gaps());
}

/* Without the right to write, it neither writes nor reads any register for a write. */
static void locked(void)
{
	struct pmumap_amu_state state = { 0 };
	struct pmumap_amu_hw hw;
	uint32_t group, bad = 0;

	test_now = "locked";
	amu_cpu_init(&cpu, 2, 1, 0x3f);
	cpu.offsets = 0x33;
	attach(&hw);
	cpu.el = 1;
	cpu.on[0] = 0xf;
	cpu.on[1] = 0x21;
	hw.write = hw.write_offset = NULL;
	CHECK_EQ(pmumap_amu_probe(&hw), 1);
	CHECK_EQ(reading_bad(&hw), 0);
	amu_cpu_forget(&cpu);
	for (group = 0; group < 3; group++) {
		bad += pmumap_amu_run(&hw, group, 0xffff) != 0;
		bad += pmumap_amu_run(&hw, group, 0) != 0;
		bad += pmumap_amu_enable(&hw, group, 0xffff, 0xffff) != 0;
	}
	bad += pmumap_amu_save(&hw, &state) || pmumap_amu_restore(&hw, &state);
	bad += pmumap_amu_control(&hw, 0) != 0;
	CHECK_EQ(bad, 0);
	CHECK_EQ(cpu.accesses, 0);
}

#endif /* AMU_REGISTERS_H */
