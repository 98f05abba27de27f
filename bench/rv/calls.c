/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Cost of PMU calls for a guest in S-mode, from ecall to the next instruction, on any firmware.
 * Exact, because the machine's clock counts instructions (-icount shift=10). Lines are "=WHAT MEAN
 * MOST" in instructions, the mean in hundredths.
 */
#include "pmumap.h"
#include "runtime.h"

#define SBI_BASE 0x10
#define COUNTERS 35u /* 19 hardware ones of QEMU's hart, time's number included, 16 firmware */
#define EVENTS 52u   /* events that Linux requests: 10 general, 7 caches with 6 each */

/* 2^10 ns each, at 10 MHz. */
#define INSTRUCTIONS(ticks) (((ticks)*100 + 512) / 1024)

struct call {
	unsigned long error, value, instructions;
};

struct stats {
	const char *what;
	unsigned long sum, most, n;
};

/* One instruction between both reads is the read itself. */
static struct call call_extension(unsigned long extension, unsigned long function, unsigned long b,
				  unsigned long mask, unsigned long flags, unsigned long event)
{
	register unsigned long a0 __asm__("a0") = b;
	register unsigned long a1 __asm__("a1") = mask;
	register unsigned long a2 __asm__("a2") = flags;
	register unsigned long a3 __asm__("a3") = event;
	register unsigned long a4 __asm__("a4") = 0;
	register unsigned long a5 __asm__("a5") = 0;
	register unsigned long a6 __asm__("a6") = function;
	register unsigned long a7 __asm__("a7") = extension;
	unsigned long start, end;
	struct call c;

	__asm__ volatile("csrr %0, time\n"
			 "ecall\n"
			 "csrr %1, time\n"
			 : "=&r"(start), "=&r"(end), "+r"(a0), "+r"(a1)
			 : "r"(a2), "r"(a3), "r"(a4), "r"(a5), "r"(a6), "r"(a7)
			 : "memory");
	c.error = a0;
	c.value = a1;
	c.instructions = INSTRUCTIONS(end - start) - 1;
	return c;
}

static struct call call(unsigned long function, unsigned long b, unsigned long mask,
			unsigned long flags, unsigned long event)
{
	return call_extension(PMUMAP_SBI_EID, function, b, mask, flags, event);
}

/* Counts a successful call. */
static struct call add(struct stats *s, struct call c)
{
	if (c.error)
		return c;
	s->sum += c.instructions;
	s->n++;
	if (c.instructions > s->most)
		s->most = c.instructions;
	return c;
}

static void put_stats(const struct stats *s)
{
	if (s->n == 0)
		return;
	put("=");
	put(s->what);
	put(" ");
	put_decimal(s->sum * 100 / s->n, 0);
	put(" ");
	put_decimal(s->most, 0);
	put("\n");
}

static unsigned long event_at(unsigned i)
{
	if (i < 10)
		return 1 + i;
	i -= 10;
	return 0x10000 + i / 6 * 8 + i % 6;
}

static struct call match(unsigned long b, unsigned long mask, unsigned i)
{
	return call(PMUMAP_SBI_CONFIG_MATCHING, b, mask, PMUMAP_SBI_CLEAR_VALUE, event_at(i));
}

static struct call stop(unsigned long counter, unsigned long flags)
{
	return call(PMUMAP_SBI_STOP, counter, 1, flags, 0);
}

/* Each event, if it is found among this many of the first counters. */
static void measure_matches(unsigned width, struct stats *s)
{
	unsigned i;

	for (i = 0; i < EVENTS; i++) {
		struct call c = match(0, ~0ul >> (64 - width), i);

		if (c.error)
			continue;
		stop(c.value, PMUMAP_SBI_RESET);
		add(s, c);
	}
}

/* The same for a set with only that counter; then uses the counter. */
static void measure_one(struct stats *found, struct stats *start, struct stats *halt,
			struct stats *reset)
{
	unsigned i;

	for (i = 0; i < EVENTS; i++) {
		struct call c = match(0, ~0ul >> (64 - COUNTERS), i);

		if (c.error)
			continue;
		stop(c.value, PMUMAP_SBI_RESET);
		c = add(found, match(c.value, 1, i));
		if (c.error)
			continue;
		add(start, call(PMUMAP_SBI_START, c.value, 1, PMUMAP_SBI_SET_INIT_VALUE, 0));
		add(halt, stop(c.value, 0));
		call(PMUMAP_SBI_START, c.value, 1, PMUMAP_SBI_SET_INIT_VALUE, 0);
		add(reset, stop(c.value, PMUMAP_SBI_RESET));
	}
}

/* Like Linux at boot: matches each event on all counters and releases the counter. */
static void measure_boot(struct stats *s)
{
	struct call all = { 0, 0, 0 };
	unsigned i;

	for (i = 0; i < EVENTS; i++) {
		struct call c = call(PMUMAP_SBI_CONFIG_MATCHING, 0, ~0ul >> (64 - COUNTERS), 0,
				     event_at(i));

		all.instructions += c.instructions;
		if (c.error)
			continue;
		c = stop(c.value, PMUMAP_SBI_RESET);
		all.instructions += c.instructions;
	}
	add(s, all);
}

static void measure_info(struct stats *s)
{
	static uint32_t entries[4 * EVENTS] __attribute__((aligned(16)));
	unsigned i;

	for (i = 0; i < EVENTS; i++)
		entries[4 * i] = (uint32_t)event_at(i);
	add(s, call(PMUMAP_SBI_EVENT_GET_INFO, (unsigned long)entries, 0, EVENTS, 0));
}

int main(unsigned long hart, const void *fdt)
{
	enum {
		TRAP,
		MATCH_1,
		MATCH_16,
		MATCH_19,
		MATCH_35,
		START,
		STOP,
		STOP_RESET,
		INFO,
		BOOT,
		ROWS
	};
	static struct stats s[ROWS] = {
		{ "trap", 0, 0, 0 },     { "match-1", 0, 0, 0 },    { "match-16", 0, 0, 0 },
		{ "match-19", 0, 0, 0 }, { "match-35", 0, 0, 0 },   { "start", 0, 0, 0 },
		{ "stop", 0, 0, 0 },     { "stop-reset", 0, 0, 0 }, { "info-52", 0, 0, 0 },
		{ "boot-52", 0, 0, 0 },
	};
	unsigned i;

	(void)hart, (void)fdt;
	/* The firmware's own way in and out: the SBI version. */
	add(&s[TRAP], call_extension(SBI_BASE, 0, 0, 0, 0, 0));
	if (call(PMUMAP_SBI_NUM_COUNTERS, 0, 0, 0, 0).value != COUNTERS)
		return 1;
	/* First of all, like Linux. */
	measure_boot(&s[BOOT]);
	measure_one(&s[MATCH_1], &s[START], &s[STOP], &s[STOP_RESET]);
	measure_matches(16, &s[MATCH_16]);
	measure_matches(19, &s[MATCH_19]);
	measure_matches(COUNTERS, &s[MATCH_35]);
	measure_info(&s[INFO]);
	for (i = 0; i < ROWS; i++)
		put_stats(&s[i]);
	return 0;
}
