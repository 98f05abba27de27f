/* SPDX-License-Identifier: BSD-2-Clause
 *
 * attack.c -- runs in S-mode on any SBI firmware: PMU calls that must neither access firmware
 * memory nor crash the hart. First a list of calls that must all fail; then, with satp on, virtual
 * addresses that differ from physical ones; then CALLS random calls from a fixed seed.
 *
 * FIRMWARE_END: first address after the firmware. On success the last line is "=alive" and no line
 * begins with "FAIL". The program never ends, so that the firmware's memory can be inspected. It is
 * linked at 0x84000000: no range that starts in lower memory may reach it.
 */
#include "smode.h"

#ifndef CALLS
#define CALLS 0
#endif

enum { NUMBER, INFO, MATCH, START, STOP, FW_READ, FW_READ_HI, SHARE, EVENTS };

#define FIRMWARE 0x80000000ul
#ifndef FIRMWARE_END
#define FIRMWARE_END 0x80050000ul
#endif
#define RAM_END 0x90000000ul /* -m 256M */
#define ELSEWHERE 0x84400000ul
#define SKIP 1
#define CLEAR 2
#define FW_EVENT 0xf0005
#define XLEN ((int)sizeof(long) * 8)
#define ONE_AT(bit) (1ul << (bit))

static uint64_t arena[8192] __attribute__((aligned(4096))); /* 64 KiB */

static void say(const char *text)
{
	while (*text)
		put(*text++);
}

static void failed(const char *what, const unsigned long *a, long error)
{
	int i;

	say("FAIL ");
	say(what);
	put(' ');
	for (i = 0; i < 6; i++)
		print_hex(a[i], ' ');
	print_hex((uint64_t)error, '\n');
}

static struct ret call(long function, const unsigned long *a)
{
	return sbi(PMU, function, (long)a[0], (long)a[1], (long)a[2], (long)a[3], (long)a[4],
		   (long)a[5]);
}

/* This call must fail. */
static void refused(const char *what, long function, unsigned long a0, unsigned long a1,
		    unsigned long a2, unsigned long a3)
{
	const unsigned long a[6] = { a0, a1, a2, a3, 0, 0 };
	const struct ret ret = call(function, a);

	if (ret.error >= 0)
		failed(what, a, ret.error);
}

static void reach_firmware(void)
{
	unsigned long at;

	for (at = FIRMWARE; at < FIRMWARE_END; at += 0x1000) {
		refused("in the firmware", EVENTS, at, 0, 1, 0);
		refused("around the end", EVENTS, at, 0, (0 - at) >> 4, 0);
		refused("up to the end", EVENTS, at, 0, ((0 - at) >> 4) - 1, 0);
		refused("a size of 0", EVENTS, at, 0, ONE_AT(XLEN - 4), 0);
		refused("a size of 16", EVENTS, at, 0, ONE_AT(XLEN - 4) + 1, 0);
		refused("a snapshot", SHARE, at, 0, 0, 0);
	}
	refused("into the firmware", EVENTS, FIRMWARE - 16, 0, 2, 0);
}

static void reach_nothing(void)
{
	refused("no memory at 0", EVENTS, 0, 0, 1, 0);
	refused("no memory at 16", EVENTS, 16, 0, 3, 0);
	refused("behind the last memory", EVENTS, RAM_END, 0, 1, 0);
	refused("out of memory", EVENTS, RAM_END - 16, 0, 2, 0);
	refused("out of memory later", EVENTS, RAM_END - 0x200, 0, 64, 0);
	refused("the last entry", EVENTS, 0ul - 16, 0, 1, 0);
	refused("the upper half", EVENTS, (unsigned long)arena, 1, 1, 0);
	refused("too many", EVENTS, (unsigned long)arena, 0, 4097, 0);
	refused("2^25", EVENTS, (unsigned long)arena, 0, ONE_AT(25), 0);
	refused("a size of 0", EVENTS, (unsigned long)arena, 0, ONE_AT(XLEN - 4), 0);
	refused("a size of 0", EVENTS, (unsigned long)arena, 0, 0ul - ONE_AT(XLEN - 4), 0);
	refused("all ones", EVENTS, (unsigned long)arena, 0, ~0ul, 0);
	refused("half the addresses", EVENTS, (unsigned long)arena, 0, ONE_AT(XLEN - 5), 0);
}

/* Missing counters, and events that the counter cannot count. */
static void misuse_counters(unsigned long total)
{
	const unsigned long firmware = total - 16; /* the first firmware counter */
	unsigned long i, flags;

	/* May succeed, but must return; then SKIP_MATCH may name this counter. */
	sbi(PMU, MATCH, (long)firmware, 1, CLEAR, FW_EVENT, 0, 0);
	for (flags = SKIP; flags < 8; flags += 2) {
		refused("no firmware counter", MATCH, 0, 1, flags, FW_EVENT);
		refused("no firmware counter", MATCH, 2, 1, flags, FW_EVENT);
		refused("no hardware counter", MATCH, firmware, 1, flags, 1);
		refused("time", MATCH, 1, 1, flags, 1);
		refused("no counter", MATCH, total, 1, flags, 1);
		refused("no counter", MATCH, 0, 0, flags, FW_EVENT);
		for (i = 1; i < 64; i++) {
			refused("a base below 0", MATCH, 0 - i, 1 | ONE_AT(i % (unsigned)XLEN),
				flags, FW_EVENT);
			refused("a base below 0", MATCH, 0 - i, 1 | ONE_AT(i % (unsigned)XLEN),
				flags, 1);
			refused("a base of 32 bits", MATCH, 0xfffffffful - i, 1, flags, FW_EVENT);
		}
	}
	for (i = 1; i < (unsigned long)XLEN; i++) {
		refused("a base below 0", START, 0 - i, 1, 0, 0);
		refused("a base below 0", FW_READ, 0 - i, 0, 0, 0);
		refused("not of firmware", FW_READ, i % firmware, 0, 0, 0);
	}
	sbi(PMU, STOP, (long)firmware, 1, 1, 0, 0, 0);
}

/* A running counter keeps its event, value and state, whatever SKIP_MATCH asks of it. */
static void skip_to_running(unsigned long firmware)
{
	const unsigned long hardware = 3;
	unsigned long flags, value;
	int i;

	sbi(PMU, MATCH, (long)firmware, 1, 0, FW_EVENT, 0, 0);
	sbi(PMU, MATCH, (long)hardware, 1, 0, 0x10019, 0, 0);
	for (i = 0; i < 2; i++)
		if (sbi(PMU, START, (long)(i ? firmware : hardware), 1, 1, 0x7000000, 0, 0).error)
			say("FAIL to start\n");
	for (flags = SKIP; flags < 0x100; flags += 2) {
		refused("a running counter", MATCH, firmware, 1, flags, FW_EVENT);
		refused("a running counter", MATCH, hardware, 1, flags, 0x10019);
		refused("a running counter", MATCH, hardware, 1, flags, 0x1001b);
	}
	__asm__ volatile("csrr %0, hpmcounter3" : "=r"(value));
	if (value < 0x7000000 ||
	    sbi(PMU, FW_READ, (long)firmware, 0, 0, 0, 0, 0).value != 0x7000000)
		say("FAIL a running counter has another value\n");
	for (i = 0; i < 2; i++)
		if (sbi(PMU, STOP, (long)(i ? firmware : hardware), 1, 1, 0, 0, 0).error)
			say("FAIL a running counter has stopped\n");
}

/* ---- with satp ------------------------------------------------------------------------------- */

#if __riscv_xlen == 64
static uint64_t root[512] __attribute__((aligned(4096)));
static uint64_t middle[512] __attribute__((aligned(4096)));

/* A megapage of 2 MiB with these permissions. */
static void map(unsigned long at, unsigned long to)
{
	middle[at >> 21 & 511] = to >> 12 << 10 | 0xcf;
}

/* SBI addresses are physical: virtual 0x84200000 maps other memory, and ELSEWHERE is invalid. */
static void translate(void)
{
	volatile uint64_t *entry = (volatile uint64_t *)0x84200000;
	const unsigned long at = (unsigned long)entry;

	entry[0] = 77ull << 32 | 1;
	entry[1] = 0;
	root[at >> 30] = (unsigned long)middle >> 12 << 10 | 1;
	map(0x84000000, 0x84000000);
	map(at, ELSEWHERE);
	__asm__ volatile("sfence.vma\n csrw satp, %0\n sfence.vma"
			 :
			 : "r"(8ull << 60 | (unsigned long)root >> 12)
			 : "memory");
	entry[0] = 77ull << 32 | 0x10019;
	entry[1] = 0;
	if (sbi(PMU, EVENTS, ELSEWHERE, 0, 1, 0, 0, 0).error || entry[0] != (1ull << 32 | 0x10019))
		say("FAIL elsewhere\n");
	entry[0] = 77ull << 32 | 1;
	if (sbi(PMU, EVENTS, (long)at, 0, 1, 0, 0, 0).error || entry[0] != (77ull << 32 | 1))
		say("FAIL not elsewhere\n");
	__asm__ volatile("csrw satp, zero\n sfence.vma" ::: "memory");
	if (entry[0] >> 32 > 1 || (uint32_t)entry[0] != 1)
		say("FAIL nothing is written there\n");
}
#else
static void translate(void)
{
}
#endif

/* ---- random calls ---------------------------------------------------------------------------- */

static uint64_t seed = 0x9e3779b97f4a7c15;

static uint64_t random64(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed * 0x2545f4914f6cdd1d;
}

static unsigned below(unsigned n)
{
	return (unsigned)(random64() >> 32) % n;
}

/* Addresses: own memory, firmware, end of memory, unmapped, a device, beyond the bus, random. */
static unsigned long address(void)
{
	const unsigned long page = (unsigned long)(random64() & 0xffff);

	switch (below(8)) {
	case 0:
	case 1:
		return (unsigned long)arena + page / 2;
	case 2:
		return FIRMWARE + (unsigned long)random64() % (FIRMWARE_END - FIRMWARE);
	case 3:
		return RAM_END - page % 0x400;
	case 4:
		return page;
	case 5:
		return 0x10000000ul + (page << 12);
	case 6:
		return 0ul - page;
	default:
		return (unsigned long)(random64() >> below(64)) | ONE_AT(XLEN - 1);
	}
}

static unsigned long any(void)
{
	static const uint32_t events[] = { 0,       1,       2,       0x10019, 0x1001b, 0x10021,
					   0x20000, 0x30000, 0xf0005, 0xfffff, 0x40000, 0xf0000 };

	switch (below(8)) {
	case 0:
		return below(80);
	case 1:
		return ONE_AT(below((unsigned)XLEN));
	case 2:
		return ONE_AT(below((unsigned)XLEN)) | ONE_AT(below((unsigned)XLEN));
	case 3:
		return 0ul - below(80);
	case 4:
		return events[below(sizeof(events) / sizeof(events[0]))];
	case 5:
		return address();
	case 6:
		return (unsigned long)random64();
	default:
		return 0;
	}
}

/* Number of entries: mostly small, sometimes the maximum, sometimes large enough to wrap. */
static unsigned long entries(unsigned long at)
{
	switch (below(8)) {
	case 0:
		return (0 - at) >> 4;
	case 1:
		return ONE_AT(XLEN - 4) + below(3);
	case 2:
		return below(256) ? below(64) : 4095 + below(3);
	case 3:
		return any();
	default:
		return 1 + below(4);
	}
}

static void attack_at_random(unsigned long calls)
{
	static const unsigned char functions[] = {
		MATCH, MATCH, MATCH,  START,  STOP,   FW_READ,
		INFO,  SHARE, NUMBER, EVENTS, EVENTS, FW_READ_HI
	};
	unsigned long a[6];
	long function;
	int i;

	for (; calls; calls--) {
		for (i = 0; i < 6; i++)
			a[i] = any();
		function = functions[below(sizeof(functions))];
		if (!below(64))
			function = (long)any();
		if (function == EVENTS) {
			for (i = 0; i < 16; i++)
				arena[below(8192)] = any();
			a[0] = below(32) ? address() & ~15ul : a[0];
			a[1] = below(32) ? 0 : a[1];
			a[2] = entries(a[0]);
			a[3] = below(32) ? 0 : a[3];
		} else if (function == MATCH) {
			a[0] = below(4) ? below(36) : a[0];
			a[1] = below(4) ? 1 : a[1];
			a[2] = below(4) ? below(8) : a[2];
			a[4] = below(2) ? 0 : a[4];
		}
		call(function, a);
	}
}

void check(void)
{
	const long total = sbi(PMU, NUMBER, 0, 0, 0, 0, 0, 0).value;

	put('\n');
	reach_firmware();
	reach_nothing();
	misuse_counters((unsigned long)total);
	skip_to_running((unsigned long)total - 16);
	translate();
	attack_at_random(CALLS);
	if (sbi(PMU, NUMBER, 0, 0, 0, 0, 0, 0).value != total)
		say("FAIL another number of counters\n");
	say("\n=alive\n");
	for (;;)
		__asm__ volatile("wfi");
}
