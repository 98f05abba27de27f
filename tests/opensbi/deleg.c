/* SPDX-License-Identifier: BSD-2-Clause
 *
 * deleg.c -- runs in S-mode on a hart with Smcdeleg: two users share the counters. One programs
 * them directly (pmumap_hart_init_supervisor()), the other through SBI. After each of STEPS random steps
 * (from a fixed seed) all counters must be as their users left them: event, running or not, and
 * value, whose upper bits are a mark.
 *
 * Prints up to 20 lines "FAIL". "=found N" counts all deviations; the last line is "=alive".
 */
#include "smode.h"

#include "pmumap.h"
#include "pmumap_hw.h"

#ifndef STEPS
#define STEPS 100000
#endif

enum { NUMBER, INFO, MATCH, START, STOP };
enum { NOBODY, BY_ITSELF, BY_SBI };

#define NOT_SUPPORTED (-2)
#define EVENT_BITS (~0ull >> 6) /* without Sscofpmf's bits */
#define MARK_SHIFT 40           /* no counter counts this far here */

static struct pmumap_hart hart;
static struct {
	int user, runs;
	uint64_t event, value; /* value: current if stopped, else at the start */
} of[32];
static long found;

static void say(const char *text)
{
	while (*text)
		put(*text++);
}

static void failed(const char *what, uint32_t counter, uint64_t is)
{
	if (++found > 20)
		return;
	say("FAIL ");
	say(what);
	put(' ');
	print_hex(counter, ' ');
	print_hex(is, '\n');
}

/* No trap is expected. */
static void __attribute__((used)) trapped(void)
{
	say("FAIL a trap\n");
	for (;;)
		__asm__ volatile("wfi");
}

__asm__(".balign 4\n"
	"on_trap:\n"
	"	j	trapped\n");

/* ---- random choices -------------------------------------------------------------------------- */

static uint64_t seed = 0x9e3779b97f4a7c15;

static uint32_t below(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 32) % n;
}

/* A QEMU event; its number is also its selector. */
static uint32_t any_event(void)
{
	static const uint32_t events[] = { 1, 2, 0x10019, 0x1001b, 0x10021 };

	return events[below(sizeof(events) / sizeof(events[0]))];
}

/* A unique value, never used before. */
static uint64_t any_value(uint32_t counter)
{
	return (uint64_t)(counter << 12 | below(1 << 12)) << MARK_SHIFT;
}

/* ---- what can be seen of a counter ----------------------------------------------------------- */

static uint64_t event_of(uint32_t counter)
{
	uint64_t event = hart.read(hart.arg, 0x320 + counter);

	if (sizeof(long) == 4)
		event |= hart.read(hart.arg, 0x720 + counter) << 32;
	return event & EVENT_BITS;
}

static int runs(uint32_t counter)
{
	return !(hart.read(hart.arg, 0x320) >> counter & 1);
}

static void look_at(uint32_t counter)
{
	const uint64_t value = pmumap_hart_read(&hart, counter);

	if (event_of(counter) != of[counter].event)
		failed("another event", counter, event_of(counter));
	if (runs(counter) != of[counter].runs)
		failed("started or stopped", counter, (uint64_t)of[counter].runs);
	if (of[counter].runs ? value >> MARK_SHIFT != of[counter].value >> MARK_SHIFT
			     : value != of[counter].value)
		failed("another value", counter, value);
}

/* Reports each effect of a step on other counters only once. */
static void look_at_all(void)
{
	uint32_t n;

	for (n = 3; n < 32; n++) {
		if (of[n].user == NOBODY)
			continue;
		look_at(n);
		of[n].event = event_of(n);
		of[n].runs = runs(n);
		of[n].value = pmumap_hart_read(&hart, n);
	}
}

/* A random counter of a user that runs or not; 0 if none. */
static uint32_t one_of(int user, int running)
{
	uint32_t n, i, first = below(32);

	for (i = 0; i < 32; i++) {
		n = (first + i) & 31;
		if (n > 2 && (hart.counters >> n & 1) && of[n].user == user &&
		    (user == NOBODY || of[n].runs == running))
			return n;
	}
	return 0;
}

/* ---- by itself ------------------------------------------------------------------------------- */

/* Takes a counter without an event. */
static void take(void)
{
	struct pmumap_job job;
	const uint32_t n = one_of(NOBODY, 0);

	if (!n)
		return;
	if (event_of(n))
		failed("an event of nobody", n, event_of(n));
	job.event = any_event();
	job.selector = job.event;
	job.data = 0;
	job.inhibit = 0;
	job.clear = 1;
	if (!pmumap_hart_set(&hart, n, &job))
		failed("not set", n, job.event);
	of[n].user = BY_ITSELF;
	of[n].event = job.event;
	of[n].runs = 0;
	of[n].value = 0;
}

static void start(void)
{
	const uint32_t n = one_of(BY_ITSELF, 0);

	if (!n)
		return;
	of[n].value = any_value(n);
	of[n].runs = 1;
	pmumap_hart_start(&hart, n, &of[n].value);
}

static void stop(void)
{
	const uint32_t n = one_of(BY_ITSELF, 1) & 31; /* tells gcc that it is below 32 */

	if (!n)
		return;
	pmumap_hart_stop(&hart, n, 0);
	of[n].runs = 0;
	of[n].value = pmumap_hart_read(&hart, n);
}

static void give_back(void)
{
	const uint32_t n = one_of(BY_ITSELF, (int)below(2));

	if (!n)
		return;
	pmumap_hart_stop(&hart, n, 1);
	of[n].user = NOBODY;
}

/* ---- by SBI ---------------------------------------------------------------------------------- */

static struct ret call(long function, unsigned long base, unsigned long mask, unsigned long flags,
		       unsigned long a3)
{
	return sbi(PMU, function, (long)base, (long)mask, (long)flags, (long)a3, 0, 0);
}

/* Asks for a counter from a random set of programmable ones, or from all. */
static void match(void)
{
	const uint32_t base = below(8), event = any_event(), flags = below(2) << 1;
	uint32_t set = below(2) ? below(~0u) : ~0u, free = 0, n;
	struct ret ret;

	set &= (hart.counters & ~7u) >> base;
	for (n = 3; n < 32; n++)
		free |= (uint32_t)(of[n].user == NOBODY) << n;
	free &= set << base & hart.counters;
	ret = call(MATCH, base, set, flags, event);
	if (ret.error) {
		if (free || (set && ret.error != NOT_SUPPORTED))
			failed("refused", free, (uint64_t)ret.error);
		return;
	}
	n = (uint32_t)ret.value & 31;
	if (n < 3) /* 1.6 returns a fixed counter outside of the set */
		return;
	if (!(free >> n & 1))
		failed(of[n].user == BY_ITSELF ? "taken by SBI" : "given twice", n, free);
	of[n].user = BY_SBI;
	of[n].event = event;
	of[n].runs = 0;
	of[n].value = pmumap_hart_read(&hart, n);
}

static void start_by_sbi(void)
{
	const uint32_t n = one_of(BY_SBI, 0);
	struct ret ret;

	if (!n)
		return;
	of[n].value = any_value(n);
	of[n].runs = 1;
	ret = sbi(PMU, START, n, 1, 1, (long)of[n].value, (long)(of[n].value >> 32), 0);
	if (ret.error)
		failed("not started", n, (uint64_t)ret.error);
}

/* One or all of its own counters; never the other user's. */
static void stop_by_sbi(unsigned long flags)
{
	const unsigned long all = below(8) == 0;
	const uint32_t n = one_of(BY_SBI, (int)below(2));
	uint32_t i;

	if (!n && !all)
		return;
	if (all)
		call(STOP, 0, hart.counters & ~7u, flags, 0);
	else
		call(STOP, n, 1, flags, 0);
	for (i = 3; i < 32; i++) {
		if (of[i].user != BY_SBI || (!all && i != n))
			continue;
		of[i].runs = 0;
		of[i].value = pmumap_hart_read(&hart, i);
		if (flags)
			of[i].user = NOBODY;
	}
}

/* SBI must refuse to start, stop or configure the other user's counters. */
static void misuse(void)
{
	const uint32_t n = one_of(BY_ITSELF, (int)below(2));
	const uint32_t flags = below(2), function = START + below(2);

	if (!n)
		return;
	if (!call(function, n, 1, flags, (unsigned long)any_value(n)).error)
		failed("started or stopped by SBI", n, function);
	if (!call(MATCH, n, 1, 1 | flags << 1, any_event()).error)
		failed("configured by SBI", n, 0);
}

/* ---------------------------------------------------------------------------------------------- */

static void step(void)
{
	switch (below(9)) {
	case 0:
		take();
		break;
	case 1:
		start();
		break;
	case 2:
		stop();
		break;
	case 3:
		give_back();
		break;
	case 4:
	case 5:
		match();
		break;
	case 6:
		start_by_sbi();
		break;
	case 7:
		misuse();
		break;
	default:
		stop_by_sbi(below(2));
		break;
	}
}

void check(void)
{
	long i;

	__asm__ volatile("la t0, on_trap\n .insn i 0x73, 1, x0, t0, 0x105" ::: "t0");
	put('\n');
	pmumap_hart_init_supervisor(&hart);
	hart.features = PMUMAP_SSCOFPMF | PMUMAP_MCOUNTINHIBIT | PMUMAP_TOLD;
	if (!(pmumap_hart_probe(&hart) >> 3))
		failed("no counters", 0, 0);
	for (i = 0; i < STEPS; i++) {
		step();
		look_at_all();
	}
	say("=found ");
	print_hex((uint64_t)found, '\n');
	say("=alive\n");
	sbi(0x53525354, 0, 0, 0, 0, 0, 0, 0);
	for (;;)
		;
}
