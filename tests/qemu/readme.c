/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Runs the programs of the README and of doc/firmware.md, unchanged, on QEMU's bare machine, with a
 * workload whose counts are known. QEMU ends with status 0 if the counts are right.
 */
#include <stddef.h>
#include <stdint.h>
#include "pmumap_check.h"
#include "runtime.h"
#include "workload.h"

#define ROUNDS 10000u
#define LOADS 256u
#define INSTRUCTIONS (SPIN_INSTRUCTIONS(ROUNDS) + LOAD_INSTRUCTIONS(LOADS))
#define STRAY 8u          /* pages of the program itself, which evict the work's TLB entries */
#define STRAY_CYCLES 400u /* as in examples/firmware */

static uint8_t pages[LOADS][PAGE] __attribute__((aligned(PAGE)));
static uint32_t rounds, loads;

static void print(const char *text)
{
	put(text);
	put("\n");
}

static void work(void)
{
	flush_tlb();
	spin(rounds);
	load_pages(pages, loads);
}

#include "build/readme.h"
#include "build/firmware.h"

/* Counts of the work minus those of an empty one. Returns whether they are wrong. */
static int is_wrong(const struct pmumap *map, uint32_t event, uint64_t least, uint64_t most)
{
	int64_t none, all;
	int wrong;

	rounds = loads = 0;
	(void)count(map, event, 0); /* the first set of a counter takes longer */
	none = count(map, event, 0);
	rounds = ROUNDS;
	loads = LOADS;
	all = count(map, event, 0);
	wrong = none < 0 || (uint64_t)(all - none) < least || (uint64_t)(all - none) > most;
	put(pmumap_event_name(event));
	put(" ");
	put_signed(all - none, 0);
	put(wrong ? " FAILED\n" : " ok\n");
	return wrong;
}

/* Cycles, instructions and TLB misses of the same work, at the same time. */
static int is_wrong_together(const struct pmumap *map)
{
	static const uint32_t events[] = { 1, 2, 0x10019 };
	int64_t none[3], all[3];
	int wrong;

	rounds = loads = 0;
	(void)count_all(map, events, 3, none);
	wrong = !count_all(map, events, 3, none);
	rounds = ROUNDS;
	loads = LOADS;
	wrong |= !count_all(map, events, 3, all);
	wrong = wrong || all[0] - none[0] < (int64_t)INSTRUCTIONS ||
		all[0] - none[0] > (int64_t)(INSTRUCTIONS + STRAY_CYCLES) ||
		all[1] - none[1] != (int64_t)INSTRUCTIONS || all[2] - none[2] < (int64_t)LOADS ||
		all[2] - none[2] > (int64_t)(LOADS + STRAY);
	put(wrong ? "three at once FAILED\n" : "three at once ok\n");
	return wrong;
}

static uint64_t memory[512];

static void *allocate(size_t bytes)
{
	return bytes <= sizeof(memory) ? memory : NULL;
}

int main(unsigned long id, const void *fdt)
{
	const struct pmumap *map = start(fdt);
	int failed = 0;
	int64_t all;

	(void)id;
	if (!map)
		return 2;
	failed += is_wrong(map, 1, INSTRUCTIONS, INSTRUCTIONS + STRAY_CYCLES);
	failed += is_wrong(map, 2, INSTRUCTIONS, INSTRUCTIONS);
	failed += is_wrong(map, 0x10019, LOADS, LOADS + STRAY);
	failed += is_wrong_together(map);
	map = start_measured(fdt, allocate);
	failed += !map || is_wrong(map, 0x10019, LOADS, LOADS + STRAY);
	all = count_once(fdt, 0x10019);
	failed += all < (int64_t)LOADS || all > (int64_t)(LOADS + STRAY);
	put(hart.features & PMUMAP_SSCOFPMF ? "with" : "without");
	put(" Sscofpmf, ");
	put(hart.features & PMUMAP_SMCNTRPMF ? "with" : "without");
	put(" Smcntrpmf\n");
	failed += count(map, 0x10000, 0) != PMUMAP_UNSUPPORTED; /* L1D accesses: QEMU lacks them */
	put(failed ? "FAILED\n" : "passed\n");
	return failed != 0;
}
