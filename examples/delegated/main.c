/* SPDX-License-Identifier: BSD-2-Clause
 *
 * An S-mode kernel that programs its counters itself if M-mode has delegated them (Smcdeleg,
 * Ssccfg), and otherwise calls SBI. With its own M-mode firmware, which is part of this file:
 *
 *	qemu-system-riscv64 -M virt -cpu max -bios none -icount shift=0,sleep=off -nographic \
 *		-kernel build/qemu/delegated-rv64.elf
 *
 * On SBI firmware, without "-bios none", the kernel alone is build/qemu/delegated-sbi-rv64.elf.
 *
 * Delegation needs QEMU 10. The kernel counts a workload with known counts and ends QEMU with
 * status 0 if they are right, 1 if they are wrong, or 2 if the firmware cannot delegate counters.
 */
#include "pmumap_fdt.h"
#include "pmumap_hw.h"
#include "runtime.h"
#include "workload.h"
#include <libfdt.h>

#define KEPT 8u /* counter 3 stays M-mode's */
#define ROUNDS 10000u
/* Tolerance: the program's own pages, which the work evicted from the TLB. */
#define STRAY 8u

static const struct {
	uint32_t event, stray;
	uint64_t count; /* expected; up to stray more are correct */
} counts[] = {
	{ 1, 0, WORK_INSTRUCTIONS(ROUNDS) }, /* cycles: with -icount, one per instruction */
	{ 2, 0, WORK_INSTRUCTIONS(ROUNDS) }, { 0x10019, STRAY, WORK_LOADS }, /* dTLB read misses */
	{ 0x1001b, STRAY, WORK_STORES },                                     /* dTLB write misses */
	{ 0x10021, STRAY, WORK_CALLS },                                      /* iTLB misses */
};
#define COUNTS (sizeof(counts) / sizeof(counts[0]))

static uint64_t block[512];
static const struct pmumap *map;
static uint32_t kept;     /* counters that M-mode has not delegated */
static uint32_t features; /* of the hart, according to the tree */
static uint8_t pages[WORK_PAGES][PAGE] __attribute__((aligned(PAGE)));

/* ---- the kernel, in S-mode ------------------------------------------------------------------- */

static struct pmumap_pmu pmu; /* delegated counters, or those of SBI */

/* Give each event a counter. Returns 0 if an event gets none. */
static int assign(uint32_t counters, enum pmumap_rule rule, int32_t *counter)
{
	struct pmumap_want want[COUNTS];
	struct pmumap_job job[COUNTS];
	uint32_t i;

	for (i = 0; i < COUNTS; i++) {
		want[i].event = counts[i].event;
		want[i].data = 0;
		want[i].pinned = 0;
	}
	pmumap_plan_all(map, want, COUNTS, counters, features, rule, job);
	for (i = 0; i < COUNTS; i++) {
		counter[i] = want[i].counter;
		if (counter[i] < 0 || !pmu.set(pmu.arg, (uint32_t)counter[i], &job[i])) {
			while (i--)
				pmu.stop(pmu.arg, (uint32_t)counter[i], 1);
			return 0;
		}
	}
	return 1;
}

/* Use the delegated counters. Returns them; 0: M-mode has delegated none, or an event has none. */
static uint32_t open_delegated(int32_t *counter)
{
	static struct pmumap_hart own;

	if (!map || !(features & PMUMAP_DELEGATED))
		return 0;
	pmumap_hart_init_supervisor(&own);
	own.features = features | PMUMAP_MCOUNTINHIBIT | PMUMAP_TOLD;
	pmumap_hart_probe(&own);
	pmumap_hart_as_pmu(&own, &pmu);
	features = own.features;
	return assign(own.counters, PMUMAP_RULE_ABSENT, counter) ? own.counters : 0;
}

/* Use SBI. The firmware removes the tables from the tree, so the map has to come from SBI too. */
static uint32_t open_sbi(int32_t *counter)
{
	static struct pmumap_sbi sbi;
	struct pmumap_builder builder;

	pmumap_sbi_init(&sbi);
	pmumap_begin(&builder, block, sizeof(block));
	if (!pmumap_sbi_probe(&sbi) || pmumap_add_sbi(&builder, &sbi) != PMUMAP_OK ||
	    pmumap_finish(&builder, &map) != PMUMAP_OK)
		return 0;
	pmumap_sbi_as_pmu(&sbi, &pmu);
	return assign(sbi.counters, PMUMAP_RULE_ALWAYS, counter) ? sbi.counters : 0;
}

/* Count some work, starting from 0. */
static void count(const int32_t *counter, const struct work *w, uint64_t *got)
{
	const uint64_t zero = 0;
	uint32_t i;

	flush_tlb();
	for (i = 0; i < COUNTS; i++)
		pmu.start(pmu.arg, (uint32_t)counter[i], &zero);
	do_work(w, pages);
	for (i = 0; i < COUNTS; i++)
		pmu.stop(pmu.arg, (uint32_t)counter[i], 0);
	for (i = 0; i < COUNTS; i++)
		got[i] = pmu.read(pmu.arg, (uint32_t)counter[i]);
}

static int kernel(void)
{
	/* Both on one page, so that they cause equally many misses. */
	static const struct work works[]
		__attribute__((aligned(32))) = { { 0 },
						 { ROUNDS, WORK_LOADS, WORK_STORES, WORK_CALLS } };
	int32_t counter[COUNTS];
	uint64_t empty[COUNTS], got[COUNTS]; /* counted around nothing, and around the work */
	unsigned long before = traps;
	uint32_t i, counters = open_delegated(counter);
	int failed;

	put(counters ? "delegated counters: " : "SBI counters: ");
	if (!counters) {
		before = traps; /* if nothing is delegated, looking for it traps */
		counters = open_sbi(counter);
	}
	put_hex(counters, 0);
	put("\n");
	if (!counters) {
		put("an event has no counter\n");
		return 1;
	}
	prepare_pages(pages);
	count(counter, &works[0], empty);
	count(counter, &works[1], got);

	failed = counters & kept || traps != before;
	put("  event    counter   expected    counted  of nothing\n");
	for (i = 0; i < COUNTS; i++) {
		uint64_t done = got[i] - empty[i];
		int good = done >= counts[i].count && done <= counts[i].count + counts[i].stray;

		put_hex(counts[i].event, 7);
		put_decimal((uint32_t)counter[i], 11);
		put_decimal(counts[i].count, 11);
		put_decimal(done, 11);
		put_decimal(empty[i], 12);
		put(good ? "  ok\n" : "  FAILED\n");
		failed += !good;
	}
	put(failed ? "FAILED\n" : "passed\n");
	return failed != 0;
}

static void enter_kernel(void)
{
	finish(kernel());
}

/* ---- the firmware, in M-mode ----------------------------------------------------------------- */

/* The runtime skips a CSR access that traps. */
static int is_m_mode(void)
{
	const unsigned long before = traps;
	unsigned long value;

	__asm__ volatile("csrr %0, mscratch" : "=r"(value) : : "memory");
	return traps == before;
}

int main(unsigned long hart, const void *fdt)
{
	static struct pmumap_fdt_hart harts[64];
	static struct pmumap_hart machine;
	const struct pmumap_fdt_hart *own = NULL;
	size_t count;

	(void)pmumap_fdt_build(fdt, fdt_totalsize(fdt), NULL, block, sizeof(block), &map);
	if (pmumap_fdt_harts(fdt, fdt_totalsize(fdt), harts, 64, &count) == PMUMAP_OK)
		own = pmumap_fdt_hart_find(harts, count, hart);
	features = own ? own->features : 0;
	if (!is_m_mode())
		return kernel();
	pmumap_hart_init_machine(&machine);
	pmumap_hart_probe(&machine);
	if (!map || !(features & PMUMAP_DELEGATED) ||
	    !pmumap_hart_delegate(&machine, machine.counters & ~KEPT)) {
		put("no counters can be delegated\n");
		return 2;
	}
	kept = KEPT;
	enter_s_mode(enter_kernel);
}
