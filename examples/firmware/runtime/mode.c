/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime.h"

#define ALL_MEMORY 0x1f /* pmpcfg0: read, write and execute everything below pmpaddr0 */
#define MPP_SHIFT 11    /* mstatus: the mode that mret enters; 1 is S */

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
