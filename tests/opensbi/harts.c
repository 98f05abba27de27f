/* SPDX-License-Identifier: BSD-2-Clause
 *
 * harts.c -- runs in S-mode on two harts of any SBI firmware and prints a line for each hart: its
 * number, all counters that event 3 can get at once, and the answer of EVENT_GET_INFO. Then the
 * first hart calls EVENT_GET_INFO while the second stores into the same entries. A last line has
 * the number of stores that are lost.
 */
#include "smode.h"

#define EVENT 3
#define HSM 0x48534d

/* Entry of the second hart, with its number in a0. */
__asm__(".text\n"
	"second_start:\n"
	"	la	sp, second_top\n"
	"	j	second\n"
	".bss\n"
	".balign 16\n"
	"	.zero	4096\n"
	"second_top:\n"
	".text\n");
extern const char second_start[];
void second(long hart);

static volatile struct answer {
	uint64_t taken;
	uint32_t info;
	int there;
} answers[2];

static void ask(volatile struct answer *a)
{
	static _Alignas(16) volatile uint32_t entry[2][4];
	volatile uint32_t *mine = entry[a - answers];
	struct ret ret;

	for (;;) {
		ret = sbi(PMU, 2, 0, -1ul >> 33, 0, EVENT, 0, 0);
		if (ret.error || a->taken >> ret.value & 1)
			break;
		a->taken |= (uint64_t)1 << ret.value;
	}
	mine[0] = EVENT;
	sbi(PMU, 8, (long)mine, 0, 1, 0, 0, 0);
	a->info = mine[1];
	__sync_synchronize();
	a->there = 1;
}

#define ENTRIES 1024

static _Alignas(16) volatile uint32_t list[ENTRIES][4];
static volatile uint64_t lost;
static volatile int called, stored;

/* Events and data are the supervisor's to write, at any time. */
static void store_beside(void)
{
	uint32_t turn, i;

	for (turn = 1; !called; turn++) {
		for (i = 0; i < ENTRIES; i++) {
			list[i][0] = EVENT + turn % 2;
			list[i][2] = turn;
		}
		for (i = 0; i < ENTRIES; i++)
			lost += (list[i][0] != EVENT + turn % 2) + (list[i][2] != turn);
	}
	__sync_synchronize();
	stored = 1;
}

void second(long hart)
{
	ask(&answers[hart & 1]);
	store_beside();
	for (;;)
		__asm__ volatile("wfi");
}

void check(long hart)
{
	long i;

	ask(&answers[hart & 1]);
	sbi(HSM, 0, !hart, (long)second_start, 0, 0, 0, 0);
	for (i = 0; i < 100000000 && !answers[!hart].there; i++)
		;
	put('\n');
	for (i = 0; i < 2; i++) {
		put('=');
		print_hex((uint64_t)i, ' ');
		print_hex(answers[i].taken, ' ');
		print_hex(answers[i].info, '\n');
	}
	for (i = 0; i < 200; i++)
		sbi(PMU, 8, (long)list, 0, ENTRIES, 0, 0, 0);
	called = 1;
	while (!stored)
		;
	put('=');
	print_hex(lost, '\n');
	sbi(0x53525354, 0, 0, 0, 0, 0, 0, 0);
}
