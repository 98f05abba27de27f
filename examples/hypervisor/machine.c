/* SPDX-License-Identifier: BSD-2-Clause */
#include "machine.h"
#include "runtime.h"

_Noreturn void give_up(const char *why, uint64_t value)
{
	put("monitor: ");
	put(why);
	put(" ");
	put_hex(value, 0);
	put("\n");
	finish(70);
}

_Noreturn void give_up_trap(const struct guest_state *g, unsigned long cause)
{
	put("monitor: the guest trapped at ");
	put_hex(g->pc, 0);
	put(" with ");
	put_hex(CSR_READ(mtval), 0);
	put("\n");
	give_up("unknown cause", cause);
}

void need(enum pmumap_status status)
{
	if (status != PMUMAP_OK)
		give_up(pmumap_status_str(status), status);
}

void delegate(void)
{
	const unsigned long exceptions = 1 << 0 |          /* misaligned fetch */
					 1 << 2 | 1 << 3 | /* illegal instruction, ebreak */
					 1 << 8 |          /* ecall from U-mode */
					 1 << 12 | 1 << 13 | 1 << 15; /* page faults */
	const unsigned long interrupts = 1 << 1 | 1 << 5 | 1 << 9 | /* software, timer, external */
					 1 << 13;                   /* counter overflow */

	CSR_WRITE(medeleg, exceptions);
	CSR_WRITE(mideleg, interrupts);
	CSR_SET(mcounteren, 1 << 1); /* time */
}

void choose_supervisor(void)
{
	const unsigned long mode = 3 << 11, supervisor = 1 << 11;

	CSR_CLEAR(mstatus, mode);
	CSR_SET(mstatus, supervisor);
	CSR_WRITE(satp, 0);
}

/* Copying bytes would dominate the cost of EVENT_GET_INFO. */
void move_words(volatile void *to, const volatile void *from, uint64_t bytes)
{
	volatile uint64_t *into = (volatile uint64_t *)to;
	const volatile uint64_t *word = (const volatile uint64_t *)from;

	if (bytes == 4)
		*(volatile uint32_t *)to = *(const volatile uint32_t *)from;
	for (; bytes >= 8; bytes -= 8)
		*into++ = *word++;
}

void set_monitor_timer(uint64_t time)
{
	static volatile uint32_t *const mtimecmp = (volatile uint32_t *)0x02004000;

	mtimecmp[1] = 0xffffffff;
	mtimecmp[0] = (uint32_t)time;
	mtimecmp[1] = (uint32_t)(time >> 32);
	CSR_SET(mie, TIMER_BIT);
}
