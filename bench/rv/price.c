/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Cost of a count: instructions of each operation on one counter, including call and arguments.
 * Exact, because the machine counts one cycle for each (-icount shift=0). In M-mode, then in S-mode
 * if the hart can delegate counters; with -DSBI only in S-mode, through the firmware. Lines are
 * "=WAY WHAT INSTRUCTIONS".
 */
#include "pmumap_hw.h"
#include "pmumap_server.h"
#include "runtime.h"

#define FIRST 3u /* counters FIRST to FIRST + 3 belong to a virtual CPU */
#define EVENT 0x10019u

static unsigned long now(void)
{
	unsigned long cycles;

	__asm__ volatile("csrr %0, cycle" : "=r"(cycles) : : "memory");
	return cycles;
}

static volatile int
	silent; /* warm-up; not inlined, because code that runs once is optimised for size */

static void say(const char *way, const char *what, unsigned long instructions)
{
	if (silent)
		return;
	put("=");
	put(way);
	put(" ");
	put(what);
	put(" ");
	put_decimal(instructions, 0);
	put("\n");
}

#define PRICE(way, what, ...)                                                                      \
	do {                                                                                       \
		unsigned long from = now(), to = now(), time = now();                              \
		__VA_ARGS__;                                                                       \
		time = now() - time - (to - from);                                                 \
		say(way, what, time);                                                              \
	} while (0)

static volatile uint64_t sink;
static const uint64_t zero;
static const struct pmumap_job job = { 0, EVENT, EVENT, 0, 1 };

/* kind: hart or sbi */
#define ONE_COUNTER(way, kind, k)                                                                  \
	do {                                                                                       \
		PRICE(way, "set", pmumap_##kind##_set(k, FIRST, &job));                            \
		PRICE(way, "start", pmumap_##kind##_start(k, FIRST, &zero));                       \
		PRICE(way, "read", sink = pmumap_##kind##_read(k, FIRST));                         \
		PRICE(way, "stop", pmumap_##kind##_stop(k, FIRST, 0));                             \
		pmumap_##kind##_start(k, FIRST, &zero);                                            \
		PRICE(way, "sample", pmumap_##kind##_stop(k, FIRST, 0);                            \
		      sink = pmumap_##kind##_read(k, FIRST);                                       \
		      pmumap_##kind##_start(k, FIRST, &zero));                                     \
		pmumap_##kind##_stop(k, FIRST, 1);                                                 \
	} while (0)

/* Two virtual CPUs with four running counters: one leaves, the other one comes. */
static void turn(const char *way, const struct pmumap_pmu_sets *sets)
{
	static struct pmumap_vpmu cpu[2];
	struct pmumap_pmu pmu;
	uint32_t i, n;

	for (i = 0; i < 2; i++) {
		pmumap_vpmu_init(&cpu[i]);
		pmumap_vpmu_restore_sets(&cpu[i], sets);
		pmumap_vpmu_as_pmu(&cpu[i], &pmu);
		for (n = FIRST; n < FIRST + 4; n++) {
			pmu.set(pmu.arg, n, &job);
			pmu.start(pmu.arg, n, &zero);
		}
		pmumap_vpmu_save(&cpu[i]);
	}
	pmumap_vpmu_restore_sets(&cpu[0], sets);
	PRICE(way, "turn", pmumap_vpmu_save(&cpu[0]); pmumap_vpmu_restore_sets(&cpu[1], sets));
	pmumap_vpmu_save(&cpu[1]);
}

#ifdef SBI
int main(unsigned long number, const void *fdt)
{
	static struct pmumap_sbi sbi;
	struct pmumap_pmu_sets sets;
	int round;

	(void)number;
	(void)fdt;
	pmumap_sbi_init(&sbi);
	pmumap_sbi_probe(&sbi);
	if (!pmumap_sbi_set(&sbi, FIRST, &job))
		return 1;
	for (round = 0; round < 2; round++) {
		silent = round == 0;
		ONE_COUNTER("sbi", sbi, &sbi);
		pmumap_sbi_sets(&sbi, &sets);
		turn("sbi", &sets);
	}
	return 0;
}
#else
static struct pmumap_hart hart;

static void prices(const char *way)
{
	struct pmumap_pmu_sets sets;
	int round;

	for (round = 0; round < 2; round++) {
		silent = round == 0;
		ONE_COUNTER(way, hart, &hart);
		pmumap_hart_sets(&hart, &sets);
		turn(way, &sets);
	}
}

/* Lower bound: the bare instructions. */
static void bare_in_m(void)
{
	unsigned long count = 0;

	PRICE("bare-m", "start",
	      __asm__ volatile("csrw mhpmcounter3, %0; csrci mcountinhibit, 8"
			       :
			       : "r"(0)));
	PRICE("bare-m", "read", __asm__ volatile("csrr %0, mhpmcounter3" : "=r"(count)));
	PRICE("bare-m", "stop", __asm__ volatile("csrsi mcountinhibit, 8"));
	PRICE("bare-m", "sample",
	      __asm__ volatile("csrsi mcountinhibit, 8; csrr %0, mhpmcounter3\n"
			       "csrw mhpmcounter3, zero; csrci mcountinhibit, 8"
			       : "=r"(count)));
}

static void bare_in_s(void)
{
	unsigned long count = 0;

	PRICE("bare-s", "start",
	      __asm__ volatile("csrw 0x150, %1; csrw 0x151, %0; csrci 0x120, 8"
			       :
			       : "r"(0), "r"(0x43)));
	PRICE("bare-s", "read", __asm__ volatile("csrr %0, hpmcounter3" : "=r"(count)));
	PRICE("bare-s", "stop", __asm__ volatile("csrsi 0x120, 8"));
	PRICE("bare-s", "sample",
	      __asm__ volatile("csrsi 0x120, 8; csrr %0, hpmcounter3; csrw 0x150, %1\n"
			       "csrw 0x151, zero; csrci 0x120, 8"
			       : "=&r"(count)
			       : "r"(0x43)));
}

static void in_s_mode(void)
{
	static const struct pmumap_hart none;

	hart = none;
	pmumap_hart_init_supervisor(&hart);
	pmumap_hart_probe(&hart);
	prices("delegated");
	bare_in_s();
	finish(0);
}

int main(unsigned long number, const void *fdt)
{
	static struct pmumap_hart called;

	(void)number;
	(void)fdt;
	pmumap_hart_init_machine(&hart);
	pmumap_hart_probe(&hart);
	called = hart;
	prices("native");
	hart = called;
	hart.direct = 0; /* as on a model */
	prices("called");
	bare_in_m();
	if (!pmumap_hart_delegate(&hart, ~0u))
		return 0;
	enter_s_mode(in_s_mode);
}
#endif
