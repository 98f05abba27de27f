/* SPDX-License-Identifier: BSD-2-Clause
 *
 * guest.c -- a guest in S-mode or VS-mode that counts by SBI's PMU extension, and says how much.
 * With UART defined, it speaks there (8250, bytes), else by SBI's oldest call.
 *
 * Each line is a name and a number. The last one is "passed" or "failed", and how many counts were
 * not possible.
 */
#include "pmumap_hw.h"

#define LOOPS 100000u /* of two instructions each */
#define PERIOD 20000u
#define OVERFLOW 13u

static struct pmumap_sbi sbi;
static uint32_t sampling, samples, bad;

unsigned long trap(unsigned long cause, unsigned long pc, unsigned long value);
int main(unsigned long hart, const void *fdt);
void finish(int code);

static long call(unsigned long extension, unsigned long function, unsigned long argument)
{
	register unsigned long a0 __asm__("a0") = argument;
	register unsigned long a1 __asm__("a1") = 0;
	register unsigned long a6 __asm__("a6") = function;
	register unsigned long a7 __asm__("a7") = extension;

	__asm__ volatile("ecall" : "+r"(a0), "+r"(a1) : "r"(a6), "r"(a7) : "memory");
	return (long)a0;
}

static void put(const char *text)
{
	for (; *text; text++) {
#ifdef UART
		*(volatile uint8_t *)UART = (uint8_t)*text;
#else
		call(1, 0, (unsigned long)*text);
#endif
	}
}

static void put_number(const char *name, uint32_t value)
{
	char text[11];
	char *at = text + sizeof(text) - 1;

	*at = 0;
	do {
		*--at = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	put(name);
	put(" ");
	put(at);
	put("\n");
}

/* One after the other, so that at most one ends early. */
static void run(void)
{
	unsigned long left = LOOPS;

	__asm__ volatile("1: addi %0, %0, -1\n\tbnez %0, 1b" : "+r"(left));
}

static const uint64_t first = 0 - (uint64_t)PERIOD;

unsigned long trap(unsigned long cause, unsigned long pc, unsigned long value)
{
	(void)value;
	if (cause != (1ul << (sizeof(cause) * 8 - 1) | OVERFLOW)) {
		put_number("trap", (uint32_t)cause);
		finish(1);
	}
	samples++;
	pmumap_sbi_stop(&sbi, sampling, 0);
	__asm__ volatile("csrc sip, %0" ::"r"(1ul << OVERFLOW));
	pmumap_sbi_start(&sbi, sampling, &first);
	return pc;
}

/*
 * Count an event on one of these counters while the loop runs; from: its first value. It is read
 * before it stops: QEMU 7.2 tells what a stopped counter has counted only once, and a
 * hypervisor has asked then.
 */
static void count(const char *name, uint32_t event, uint32_t counters, const uint64_t *from)
{
	struct pmumap_job job = { 0 };
	uint64_t value;
	uint32_t n;

	job.event = event;
	job.clear = 1;
	for (n = 0; n < 32; n++) {
		if (!(counters & sbi.counters & 1u << n) || !pmumap_sbi_set(&sbi, n, &job))
			continue;
		sampling = n;
		pmumap_sbi_start(&sbi, n, from);
		run();
		value = pmumap_sbi_read(&sbi, n);
		pmumap_sbi_stop(&sbi, n, 1);
		put_number(name, (uint32_t)(value & 0xffffffff));
		return;
	}
	put(name);
	put(" refused\n");
	bad++;
}

/* Three timers that are never due, on a firmware counter. */
static void count_timers(void)
{
	const uint64_t mask = ((uint64_t)1 << (sbi.total - 1)) - 1;
	struct pmumap_sbi_ret r;
	unsigned i;

	r = pmumap_sbi_match(&sbi, 0, mask << 1 | 1, PMUMAP_SBI_AUTO_START | PMUMAP_SBI_CLEAR_VALUE,
			     0xf0005, 0);
	if (r.error) {
		put("timers refused\n");
		bad++;
		return;
	}
	for (i = 0; i < 3; i++)
		if (call(0x54494d45, 0, ~0ul))
			call(0, 0, ~0ul); /* the call of SBI 0.1 */
	put_number("timers", (uint32_t)pmumap_sbi_fw_read(&sbi, r.value).value);
}

int main(unsigned long hart, const void *fdt)
{
	(void)hart, (void)fdt;
	pmumap_sbi_init(&sbi);
	put_number("counters", pmumap_sbi_probe(&sbi));
	put_number("numbers", sbi.total);
	count("instructions", 2, ~0u, 0);
	count("cycles", 1, ~0u, 0);
	count("programmable", 2, ~7u, 0);
	__asm__ volatile("csrs sie, %0\n\tcsrsi sstatus, 2" ::"r"(1ul << OVERFLOW));
	count("left", 2, ~7u, &first);
	put_number("samples", samples);
	count_timers();
	put_number(bad ? "failed" : "passed", bad);
	return (int)bad;
}

void finish(int code)
{
	(void)code;
	call(0x53525354, 0, 0);
	call(8, 0, 0);
	for (;;)
		;
}
