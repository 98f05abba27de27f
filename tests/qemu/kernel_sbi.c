/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Runs the kernel of doc/kernel.md that counts through SBI, unchanged, in S-mode; then two virtual
 * CPUs that take turns on the same counters. QEMU ends with status 0 if each count is right or
 * refused, and if neither virtual CPU finds a value of the other one. Counts through SBI take time:
 * a counter that cannot filter modes also counts calls of the firmware.
 */
#include "runtime.h"
#include "workload.h"
#include "pmumap_server.h"

#include <libfdt.h>
#include "build/kernel-sbi.h"

#define ROUNDS 100000u
#define LOADS 256u
#define STRAY 64u /* pages of the program and the firmware, which evict the work's TLB entries */
#define LOAD_MISSES 0x10019u
#define STORE_MISSES 0x1001bu
#define SECRET 0x123456789a000ull

static uint8_t pages[LOADS][PAGE] __attribute__((aligned(PAGE)));
static int failed;

static void expect(const char *what, uint64_t got, uint64_t least, uint64_t most)
{
	int good = got >= least && got <= most;

	put(good ? "  " : "FAILED ");
	put(what);
	put(" ");
	put_decimal(got, 0);
	put("\n");
	failed |= !good;
}

static unsigned long now(void)
{
	unsigned long time;

	__asm__ volatile("csrr %0, time" : "=r"(time) : : "memory");
	return time;
}

/* Instructions since then, which includes all calls. The clock ticks every 100 instructions. */
static uint64_t since(unsigned long start)
{
	return (uint64_t)(now() - start + 1) * 100;
}

/*
 * Users of cycles: the first counts, whether or not a second one does. In QEMU, a second counter
 * with the same event stays 0.
 */
static void two_users(void)
{
	unsigned long start = now();
	int first, second, accesses, users = pmu_start_three(&first, &second, &accesses);

	spin(ROUNDS);
	expect("counters of cycles", (uint64_t)users, 1, 2);
	expect("no counter of L1D accesses", accesses == PMUMAP_UNSUPPORTED, 1, 1);
	expect("cycles", pmu_stop(first), SPIN_INSTRUCTIONS(ROUNDS), since(start));
	if (second >= 0)
		expect("cycles again", pmu_stop(second), 0, since(start));
	else
		expect("BUSY", second == PMUMAP_BUSY, 1, 1);
	expect("counters in use", busy, 0, 0);
}

/*
 * Users that ask for cycles on any counter, without a plan. Whatever the firmware answers, the ones
 * that it took count right.
 */
static void each_counter(void)
{
	const struct pmumap_job job = { .event = 1, .clear = 1 };
	unsigned long start = now();
	uint32_t n, taken = 0;
	uint64_t least = SPIN_INSTRUCTIONS(ROUNDS);

	for (n = 0; n < 32; n++) {
		if (!(own.counters >> n & 1) || !pmumap_sbi_set(&own, n, &job))
			continue;
		pmumap_sbi_start(&own, n, NULL);
		taken |= 1u << n;
	}
	expect("counters that take cycles", taken, 1, ~2u);
	expect("as the map says", taken == pmumap_counters(map, 1), 1, 1);
	spin(ROUNDS);
	for (n = 0; n < 32; n++) {
		if (!(taken >> n & 1))
			continue;
		expect("cycles", pmumap_sbi_read(&own, n), least, since(start));
		least = n < 3 ? least : 0;
		pmumap_sbi_stop(&own, n, 1);
	}
}

/* A job that clears its counter starts at 0, after one that left something there. */
static void from_zero(void)
{
	struct pmumap_job job = { .event = LOAD_MISSES, .clear = 1 };
	int n = pmu_start(LOAD_MISSES, SECRET);

	if (n < 0) {
		expect("no counter", 1, 0, 0);
		return;
	}
	expect("load misses", pmu_stop(n) - SECRET, 0, STRAY);
	failed |= !pmumap_sbi_set(&own, (uint32_t)n, &job);
	pmumap_sbi_start(&own, (uint32_t)n, NULL);
	flush_tlb();
	load_pages(pages, LOADS);
	expect("load misses from 0", pmumap_sbi_read(&own, (uint32_t)n), LOADS, LOADS + STRAY);
	pmumap_sbi_stop(&own, (uint32_t)n, 1);
}

/* What a guest finds in the counters of the hart, by itself. */
static void nothing_of(uint64_t secret)
{
	uint32_t n, found = 0;

	for (n = 0; n < 32; n++)
		if (own.counters >> n & 1)
			found += own.read(own.arg, 0xc00 + n) >= (secret & ~0xfffu);
	expect("values of the other virtual CPU", found, 0, 0);
}

/* Virtual CPU i counts (i + 1) * LOADS load misses in each of three turns. */
static void virtual_cpus(int sets)
{
	static struct pmumap_vpmu cpu[2];
	const uint64_t start = SECRET & ~(uint64_t)0 >> (__riscv_xlen == 32 ? 32 : 0);
	const struct pmumap_job job = { .event = LOAD_MISSES, .clear = 1 };
	const struct pmumap_job stores = { .event = STORE_MISSES, .clear = 1 };
	struct pmumap_pmu_sets hart;
	struct pmumap_pmu pmu;
	uint32_t turn, hidden = 0;

	pmumap_sbi_sets(&own, &hart);
	if (!sets)
		pmumap_sbi_as_pmu(&own, &hart.one);
	for (turn = 0; turn < 8; turn++) {
		uint32_t i = turn & 1;

		if (turn < 2)
			pmumap_vpmu_init(&cpu[i]);
		hidden |= sets ? pmumap_vpmu_restore_sets(&cpu[i], &hart)
			       : pmumap_vpmu_restore(&cpu[i], &hart.one);
		pmumap_vpmu_as_pmu(&cpu[i], &pmu);
		if (turn == 0) {
			failed |= !pmu.set(pmu.arg, 3, &job) || !pmu.set(pmu.arg, 4, &stores);
			pmu.start(pmu.arg, 3, &start);
			pmu.start(pmu.arg, 4, &start);
			pmu.stop(pmu.arg, 4, 0);
		} else if (turn == 1) {
			nothing_of(start);
			failed |= !pmu.set(pmu.arg, 3, &job);
			nothing_of(start);
			pmu.start(pmu.arg, 3, NULL);
		}
		flush_tlb();
		load_pages(pages, (i + 1) * LOADS / 2);
		if (i)
			nothing_of(start);
		if (turn > 5)
			expect("load misses of a virtual CPU",
			       pmu.read(pmu.arg, 3) - (i ? 0 : start), (i + 1) * LOADS * 2,
			       ((i + 1) * LOADS / 2 + STRAY) * 4);
		hidden |= pmumap_vpmu_save(&cpu[i]);
	}
	expect("counters withdrawn", hidden, 0, 0);
	nothing_of(start);
}

/* Whether the hart's ISA names Sscofpmf. */
static uint32_t features_of(const void *fdt)
{
	int node = fdt_node_offset_by_prop_value(fdt, -1, "device_type", "cpu", 4), length = 0;
	const char *isa = fdt_getprop(fdt, node, "riscv,isa", &length), *end = isa + length;

	for (; isa && isa + 8 < end; isa++)
		if (!memcmp(isa, "sscofpmf", 8))
			return PMUMAP_CAN_INTERRUPT;
	return 0;
}

int main(unsigned long hart, const void *fdt)
{
	(void)hart;
	expect("counters", pmu_init(0) != 0, 1, 1);
	two_users();
	expect("counters", pmu_init(features_of(fdt)) != 0, 1, 1);
	two_users();
	each_counter();
	from_zero();
	virtual_cpus(0);
	virtual_cpus(1);
	put(failed ? "FAILED\n" : "passed\n");
	return failed;
}
