/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime.h"

#define ILLEGAL_INSTRUCTION 2

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
