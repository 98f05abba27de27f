/* SPDX-License-Identifier: BSD-2-Clause
 *
 * check.c -- in S-mode, on any SBI firmware: which counters it gives to which events. Of each event
 * a line: event, data, all counters that can be had at once, and what EVENT_GET_INFO says.
 */
#include <stdint.h>

#define PMU 0x504d55

/* First in the file, and with -fno-toplevel-reorder first in the program, where QEMU starts it. */
__asm__(".text\n"
	".global _start\n"
	"_start:\n"
	"	la	sp, stack_top\n"
	"	j	check\n"
	".bss\n"
	".balign 16\n"
	"	.zero	4096\n"
	"stack_top:\n"
	".text\n");

struct ret {
	long error, value;
};

static struct ret sbi(long eid, long fid, long a0, long a1, long a2, long a3, long a4)
{
	register long r0 __asm__("a0") = a0;
	register long r1 __asm__("a1") = a1;
	register long r2 __asm__("a2") = a2;
	register long r3 __asm__("a3") = a3;
	register long r4 __asm__("a4") = a4;
	register long r6 __asm__("a6") = fid;
	register long r7 __asm__("a7") = eid;

	__asm__ volatile("ecall"
			 : "+r"(r0), "+r"(r1)
			 : "r"(r2), "r"(r3), "r"(r4), "r"(r6), "r"(r7)
			 : "memory");
	return (struct ret){ r0, r1 };
}

static void put(char c)
{
	sbi(1, 0, c, 0, 0, 0, 0);
}

static void print_hex(uint64_t value, char end)
{
	int shift = 60;

	while (shift && !(value >> shift))
		shift -= 4;
	put('0');
	put('x');
	for (; shift >= 0; shift -= 4)
		put("0123456789abcdef"[value >> shift & 15]);
	put(end);
}

/* Take counters until there is none; a fixed one is given again and again. */
static uint64_t take_all(uint32_t event, uint64_t data, uint64_t mask)
{
	uint64_t taken = 0;
	struct ret ret;

	for (;;) {
		ret = sbi(PMU, 2, 0, (long)mask, 0, event, (long)data);
		if (ret.error || taken >> ret.value & 1)
			break;
		taken |= (uint64_t)1 << ret.value;
	}
	if (taken)
		sbi(PMU, 4, 0, (long)taken, 1, 0, 0);
	return taken;
}

static uint32_t info(uint32_t event, uint64_t data)
{
	static _Alignas(16) volatile uint32_t entry[4];

	entry[0] = event;
	entry[1] = 77;
	entry[2] = (uint32_t)data;
	entry[3] = (uint32_t)(data >> 32);
	sbi(PMU, 8, (long)entry, 0, 1, 0, 0);
	return entry[1];
}

static const struct {
	uint32_t event;
	uint64_t data;
} asked[] = {
	{ 0x1, 0 },       { 0x2, 0 },       { 0x3, 0 },        { 0x4, 0 },
	{ 0x5, 0 },       { 0x6, 0 },       { 0x7, 0 },        { 0x9, 0 },
	{ 0x10000, 0 },   { 0x10019, 0 },   { 0x1001b, 0 },    { 0x10021, 0 },
	{ 0x20000, 0x2 }, { 0x20000, 0x5 }, { 0x20000, 0x77 }, { 0x30000, 0x2 },
};

void check(void)
{
	const uint64_t mask = ((uint64_t)1 << (sbi(PMU, 0, 0, 0, 0, 0, 0).value - 1)) - 1;
	unsigned i;

	put('\n');
	for (i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		put('=');
		print_hex(asked[i].event, ' ');
		print_hex(asked[i].data, ' ');
		print_hex(take_all(asked[i].event, asked[i].data, mask), ' ');
		print_hex(info(asked[i].event, asked[i].data), '\n');
	}
	sbi(0x53525354, 0, 0, 0, 0, 0, 0);
	for (;;)
		;
}
