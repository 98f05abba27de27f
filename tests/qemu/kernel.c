/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Runs the kernel of doc/kernel.md, unchanged, in S-mode on QEMU's bare machine. M-mode delegates
 * all counters but one, or with -DKEEP none. QEMU ends with status 0 if the kernel's counts match
 * the work, or if it reports correctly that tree and firmware leave it no counter.
 */
#include "runtime.h"
#include "workload.h"

#include "build/kernel.h"

#define KEPT 8u
#define ROUNDS 10000u
#define LOADS 256u
#define STRAY 8u /* pages of the program itself, which evict the work's TLB entries */

static uint8_t pages[LOADS][PAGE] __attribute__((aligned(PAGE)));
static const void *tree;
static unsigned long number;
static volatile uint32_t rounds, loads; /* keeps gcc from cloning it for each amount of work */

/* Counts instructions and TLB misses at the same time. */
static void count(uint64_t *got)
{
	int instructions = pmu_start(2, 0, 0), misses = pmu_start(0x10019, 0, 0);

	flush_tlb();
	spin(rounds);
	load_pages(pages, loads);
	got[0] = pmu_stop(instructions);
	got[1] = pmu_stop(misses);
}

static void kernel(void)
{
	uint32_t counters = pmu_init(tree, number);
	uint64_t none[2], all[2];

	put_hex(counters, 0);
	put(" are the counters of S-mode\n");
#ifdef KEEP
	finish(counters != 0);
#endif
	if (!counters || (counters & KEPT))
		finish(1);
	count(none);
	count(none); /* the first run also sets the counters up */
	rounds = ROUNDS;
	loads = LOADS;
	count(all);
	put_decimal(all[0] - none[0], 0);
	put(" instructions, ");
	put_decimal(all[1] - none[1], 0);
	put(" TLB misses\n");
	finish(all[0] - none[0] != SPIN_INSTRUCTIONS(ROUNDS) + LOAD_INSTRUCTIONS(LOADS) ||
	       all[1] - none[1] < LOADS || all[1] - none[1] > LOADS + STRAY || busy ||
	       pmu_start(0x10000, 0, 0) >= 0); /* L1D accesses: QEMU lacks them */
}

int main(unsigned long hart, const void *fdt)
{
	static struct pmumap_hart machine;

	number = hart;
	tree = fdt;
	pmumap_hart_init_machine(&machine);
	pmumap_hart_probe(&machine);
#ifdef KEEP
	pmumap_hart_permit(&machine, ~0u); /* S-mode may read all, as on older firmware */
#else
	if (!pmumap_hart_delegate(&machine, machine.counters & ~KEPT))
		return 2;
#endif
	enter_s_mode(kernel);
}
