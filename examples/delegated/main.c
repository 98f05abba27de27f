/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A kernel that counts in S-mode without a single call: M-mode has given it counters (Smcdeleg,
 * Ssccfg). Both are in this file, one after the other.
 *
 *	qemu-system-riscv64 -M virt -cpu max -bios none -icount shift=0,sleep=off -nographic \
 *		-kernel build/qemu/delegated-rv64.elf
 *
 * It needs QEMU 10. It counts a workload whose counts are known, and ends QEMU with status 0 if they
 * are right, 1 if they are not, or 2 if the hart cannot delegate counters.
 */
#include "pmumap_fdt.h"
#include "pmumap_hw.h"
#include "runtime.h"
#include "workload.h"
#include <libfdt.h>

#define KEPT 8u /* counter 3 stays M-mode's */
#define ROUNDS 10000u
/* What the program itself adds: pages that left the TLB for those of the work. */
#define STRAY 8u

static const struct {
	uint32_t event, stray;
	uint64_t count; /* expected: up to stray more are right, too */
} counts[] = {
	{ 1, 0, WORK_INSTRUCTIONS(ROUNDS) }, /* cycles: with -icount QEMU counts one an instruction */
	{ 2, 0, WORK_INSTRUCTIONS(ROUNDS) }, { 0x10019, STRAY, WORK_LOADS }, /* dTLB read misses */
	{ 0x1001b, STRAY, WORK_STORES },                                     /* dTLB write misses */
	{ 0x10021, STRAY, WORK_CALLS },                                      /* iTLB misses */
};
#define COUNTS (sizeof(counts) / sizeof(counts[0]))

static uint64_t block[512];
static const struct pmumap *map;
static uint32_t features; /* of the hart, as the tree has them */
static uint8_t pages[WORK_PAGES][PAGE] __attribute__((aligned(PAGE)));

/* ---- the kernel, in S-mode ------------------------------------------------------------------- */

static struct pmumap_hart own;

/* Give each event a counter. Returns 0 if there is one that none can count. */
static int assign(int32_t *counter)
{
	struct pmumap_want want[COUNTS];
	struct pmumap_job job[COUNTS];
	uint32_t i;

	for (i = 0; i < COUNTS; i++) {
		want[i].event = counts[i].event;
		want[i].data = 0;
		want[i].pinned = 0;
	}
	pmumap_plan_all(map, want, COUNTS, own.counters, own.features, PMUMAP_RULE_ABSENT, job);
	for (i = 0; i < COUNTS; i++) {
		counter[i] = want[i].counter;
		if (counter[i] < 0 || !pmumap_hart_set(&own, (uint32_t)counter[i], &job[i]))
			return 0;
	}
	return 1;
}

/* Count some work, from 0 on. */
static void count(const int32_t *counter, const struct work *w, uint64_t *got)
{
	const uint64_t zero = 0;
	uint32_t i;

	flush_tlb();
	for (i = 0; i < COUNTS; i++)
		pmumap_hart_start(&own, (uint32_t)counter[i], &zero);
	do_work(w, pages);
	for (i = 0; i < COUNTS; i++)
		pmumap_hart_stop(&own, (uint32_t)counter[i], 0);
	for (i = 0; i < COUNTS; i++)
		got[i] = pmumap_hart_read(&own, (uint32_t)counter[i]);
}

static int kernel(void)
{
	/* On one page, so that either misses it as often. */
	static const struct work works[]
		__attribute__((aligned(32))) = { { 0 },
						 { ROUNDS, WORK_LOADS, WORK_STORES, WORK_CALLS } };
	int32_t counter[COUNTS];
	uint64_t empty[COUNTS], got[COUNTS]; /* counted around nothing, and around the work */
	unsigned long before = traps;
	uint32_t i;
	int failed;

	pmumap_hart_delegated(&own);
	own.features = features | PMUMAP_MCOUNTINHIBIT | PMUMAP_TOLD;
	pmumap_hart_probe(&own);
	put("counters of S-mode: ");
	put_hex(own.counters, 0);
	put("\n");
	if (!assign(counter)) {
		put("an event has no counter\n");
		return 1;
	}
	prepare_pages(pages);
	count(counter, &works[0], empty);
	count(counter, &works[1], got);

	failed = own.counters & KEPT || traps != before;
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

int main(unsigned long hart, const void *fdt)
{
	static struct pmumap_hart machine;

	if (pmumap_fdt_build(fdt, fdt_totalsize(fdt), NULL, block, sizeof(block), &map) !=
	    PMUMAP_OK)
		return 2;
	features = pmumap_fdt_features(fdt, fdt_totalsize(fdt), hart);
	pmumap_hart_native(&machine);
	pmumap_hart_probe(&machine);
	if (!(features & PMUMAP_DELEGATED) ||
	    !pmumap_hart_delegate(&machine, machine.counters & ~KEPT)) {
		put("no counters can be delegated\n");
		return 2;
	}
	enter_s_mode(enter_kernel);
}
