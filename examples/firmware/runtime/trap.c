/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime.h"

#define ILLEGAL_INSTRUCTION 2
#define ALL_MEMORY 0x1f /* pmpcfg0: read, write and execute everything below pmpaddr0 */
#define MPP_SHIFT 11    /* mstatus: the mode that mret enters; 1 is S */

volatile unsigned long traps;

/* SYSTEM instructions except ecall, mret and the like. They are never compressed. */
static int is_csr_access(unsigned long pc)
{
	uint16_t low = *(const volatile uint16_t *)pc;

	return (low & 0x7f) == 0x73 && (low >> 12 & 3) != 0;
}

unsigned long trap(unsigned long cause, unsigned long pc, unsigned long value)
{
	if (cause == ILLEGAL_INSTRUCTION && is_csr_access(pc)) {
		traps++;
		return pc + 4;
	}
	put("trap: cause ");
	put_hex(cause, 0);
	put(", pc ");
	put_hex(pc, 0);
	put(", value ");
	put_hex(value, 0);
	put("\n");
	finish(99);
}

void enter_s_mode(void (*function)(void))
{
	unsigned long status;

	__asm__ volatile("csrw pmpaddr0, %0; csrw pmpcfg0, %1" : : "r"(~0ul), "r"(ALL_MEMORY));
	__asm__ volatile("csrr %0, mstatus" : "=r"(status));
	status = (status & ~(3ul << MPP_SHIFT)) | 1ul << MPP_SHIFT;
	__asm__ volatile("csrw mstatus, %0; csrw mepc, %1; mret"
			 :
			 : "r"(status), "r"(function)
			 : "memory");
	__builtin_unreachable();
}
