/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Checks that counting does not cover: rejected selectors, overflow, and carries on RV32.
 */
#include "firmware.h"
#include "runtime.h"
#include "workload.h"

#define CYCLES 1u /* QEMU's selector */
#define MHPMEVENT 0x320u
#define MHPMEVENTH 0x720u
#define MHPMCOUNTER 0xb00u

#define CARRYING 3u /* the counter to read while it carries */
#define CARRIES 1000u
#define CARRY_CYCLES 4000u

static int set(struct pmumap_hart *h, uint32_t counter, uint64_t selector)
{
	struct pmumap_job job = { .event = PMUMAP_EVENT_RAW, .selector = selector, .clear = 1 };

	return pmumap_hart_set(h, counter, &job);
}

/* RV32 needs mhpmeventh for a selector of 33 bits. Without it, the register must not change. */
int check_selector(struct pmumap_hart *h, uint32_t counter)
{
	const uint64_t large = 0x100000123;
	int fits = h->xlen == 64 || (h->features & PMUMAP_SSCOFPMF), done;
	uint64_t csr;

	set(h, counter, 0x456);
	done = set(h, counter, large);
	csr = h->read(h->arg, MHPMEVENT + counter);
	if (h->xlen == 32 && fits)
		csr |= h->read(h->arg, MHPMEVENTH + counter) << 32;
	pmumap_hart_stop(h, counter, 1);
	return fits ? check("a selector of 33 bits is set", done && csr == large)
		    : check("a selector of 33 bits is rejected, the old one stays",
			    !done && csr == 0x456);
}

/*
 * A counter of cycles reports an overflow if the hart has Sscofpmf. TLB misses will not do here:
 * with -icount their pending interrupt crashes QEMU 7.2.
 */
int check_overflow(struct pmumap_hart *h, uint32_t counter)
{
	const uint64_t nearly = (h->width == 64 ? 0 : (uint64_t)1 << h->width) - 1000;
	int before, after, restarted;

	set(h, counter, CYCLES);
	pmumap_hart_start(h, counter, &nearly);
	before = pmumap_hart_overflowed(h, counter);
	spin(1000);
	after = pmumap_hart_overflowed(h, counter);
	pmumap_hart_stop(h, counter, 0);
	pmumap_hart_start(h, counter, &nearly);
	restarted = pmumap_hart_overflowed(h, counter);
	pmumap_hart_stop(h, counter, 1);
	return h->features & PMUMAP_CAN_INTERRUPT
		       ? check("overflow is reported, and cleared by the next start",
			       !before && after && !restarted)
		       : check("overflow is never reported without Sscofpmf",
			       !before && !after && !restarted);
}

/* QEMU's timer ticks every 100 cycles and ends wfi. */
static volatile uint32_t *const mtime = (volatile uint32_t *)0x0200bff8;
static volatile uint32_t *const mtimecmp = (volatile uint32_t *)0x02004000;
#define TIMER_INTERRUPT (1 << 7)

/* mcycle is QEMU's own clock until something writes or stops it. */
static uint32_t clock_low(struct pmumap_hart *h)
{
	return (uint32_t)h->read(h->arg, MHPMCOUNTER);
}

/* Sleep until shortly before the lower half carries. Interrupts are off, so wfi just ends. */
static void sleep_until_carry(struct pmumap_hart *h)
{
	uint64_t time = (uint64_t)mtime[1] << 32 | mtime[0];

	time += (0u - 3 * CARRY_CYCLES / 4 - clock_low(h)) / 100;
	mtimecmp[1] = 0xffffffff;
	mtimecmp[0] = (uint32_t)time;
	mtimecmp[1] = (uint32_t)(time >> 32);
	__asm__ volatile("csrs mie, %0; wfi; csrc mie, %0" : : "r"(TIMER_INTERRUPT));
}

/* The wrong way: read the upper half, then the lower. */
static uint64_t read_torn(struct pmumap_hart *h, uint32_t counter)
{
	uint64_t high = h->read(h->arg, MHPMCOUNTER + 0x80 + counter);

	return high << 32 | h->read(h->arg, MHPMCOUNTER + counter);
}

/* Read the counter across its carry. Returns whether it never jumped. */
static int is_steady(struct pmumap_hart *h, uint64_t from, int torn)
{
	uint64_t last = from, now;
	int steady = 1;

	do {
		now = torn ? read_torn(h, CARRYING) : pmumap_hart_read(h, CARRYING);
		steady = steady && now >= last && now - last < CARRY_CYCLES;
		last = now;
	} while (clock_low(h) - CARRY_CYCLES > 0x80000000);
	return steady && last >> 32 == (from >> 32) + 1;
}

/*
 * On RV32, set a counter of cycles just below the carry into its upper half and read it across the
 * carry, at a different moment in each round. Every value must be right. Reads of two halves
 * without a check must sometimes be wrong, or this would test nothing.
 *
 * QEMU (7.2, 10.0) counts each half on its own: half of its clock, minus its value at the start,
 * plus what was written. The halves carry together only if the lower half written equals the clock
 * at that moment. ahead is the time from reading the clock to that moment; the first round
 * measures it. The clock must never have stopped, so nothing may probe the hart before.
 */
int check_carry(void)
{
	static struct pmumap_hart hart, *const h = &hart;
	uint32_t round, ahead = 0, right = 0, torn = 0, odd = 0;

	pmumap_hart_init_machine(h);
	if (h->xlen != 32)
		return 0;
	h->counters = 1u << CARRYING;
	h->features = PMUMAP_MCOUNTINHIBIT;
	set(h, CARRYING, CYCLES);
	for (round = 0; round <= 2 * CARRIES; round++) {
		uint32_t clock = 0, counter = 0;
		uint64_t from;

		sleep_until_carry(h);
		spin(round / 2 % 256);
		from = (uint64_t)(round + 0x7000) << 32 | (clock_low(h) + ahead);
		pmumap_hart_start(h, CARRYING, &from);
		__asm__ volatile("csrr %0, mcycle; csrr %1, mhpmcounter3"
				 : "+&r"(clock), "+r"(counter));
		ahead -= counter - clock - 1;
		odd += round && counter - clock != 1;
		if (round % 2)
			right += (uint32_t)is_steady(h, from, 0);
		else if (round)
			torn += (uint32_t)!is_steady(h, from, 1);
		pmumap_hart_stop(h, CARRYING, 0);
	}
	pmumap_hart_stop(h, CARRYING, 1);
	put_decimal(CARRIES, 0);
	put(" carries read: ");
	put_decimal(right, 0);
	put(" right; as many read half by half: ");
	put_decimal(torn, 0);
	put(" wrong\n");
	return check("a counter of 64 bits is read whole while it carries",
		     right == CARRIES && torn > 0 && odd == 0);
}
