/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The trap vector of a hart whose guest runs.
 */
#if __riscv_xlen == 64
#define STORE sd
#define LOAD ld
#define WORD 8
#else
#define STORE sw
#define LOAD lw
#define WORD 4
#endif

	.text
	.macro	registers what
	\what	a0, 0 * WORD(sp)
	\what	a1, 1 * WORD(sp)
	\what	a2, 2 * WORD(sp)
	\what	a3, 3 * WORD(sp)
	\what	a4, 4 * WORD(sp)
	\what	a5, 5 * WORD(sp)
	\what	a6, 6 * WORD(sp)
	\what	a7, 7 * WORD(sp)
	\what	ra, 8 * WORD(sp)
	\what	t0, 9 * WORD(sp)
	\what	t1, 10 * WORD(sp)
	\what	t2, 11 * WORD(sp)
	\what	t3, 12 * WORD(sp)
	\what	t4, 13 * WORD(sp)
	\what	t5, 14 * WORD(sp)
	\what	t6, 15 * WORD(sp)
	.endm

/* Calls guest_trapped(a0 to a7, mcause), and resumes behind the guest's ecall. */
	.balign	4
	.globl	guest_trap
guest_trap:
	csrrw	sp, mscratch, sp
	addi	sp, sp, -16 * WORD
	registers STORE
	mv	a0, sp
	csrr	a1, mcause
	call	guest_trapped
	csrr	t0, mepc
	addi	t0, t0, 4
	csrw	mepc, t0
	registers LOAD
	addi	sp, sp, 16 * WORD
	csrrw	sp, mscratch, sp
	mret

	.bss
	.balign	16
	.globl	trap_stacks /* 4 KiB for each hart */
trap_stacks:
	.space	2 * 4096
