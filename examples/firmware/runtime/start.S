/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Entry and trap vector of a bare-metal program in M-mode, or with -DSUPERVISOR in S-mode. Hart 0
 * calls main(a0, a1), the hart and the device tree, and exits QEMU with its result.
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

#ifdef SUPERVISOR
#define xtvec stvec
#define xepc sepc
#define xcause scause
#define xtval stval
#define xret sret
#else
#define xtvec mtvec
#define xepc mepc
#define xcause mcause
#define xtval mtval
#define xret mret
#endif

	.section .text.entry, "ax"
	.globl	_start
_start:
#ifndef SUPERVISOR
	csrr	t0, mhartid
	bnez	t0, park
#endif
	la	sp, stack_top
	la	t0, trapped
	csrw	xtvec, t0
	la	t0, bss_start
	la	t1, bss_end
1:	bgeu	t0, t1, 2f
	STORE	zero, (t0)
	addi	t0, t0, WORD
	j	1b
2:	call	main
	call	finish
	.weak	park /* other harts end here, unless a program has another park */
park:	wfi
	j	park

/*
 * Calls trap(cause, pc, value) on the interrupted program's stack and resumes where it says. The
 * program must run in the same mode. Saves only the caller-saved registers.
 */
	.macro	registers what
	\what	ra, 0 * WORD(sp)
	\what	t0, 1 * WORD(sp)
	\what	t1, 2 * WORD(sp)
	\what	t2, 3 * WORD(sp)
	\what	t3, 4 * WORD(sp)
	\what	t4, 5 * WORD(sp)
	\what	t5, 6 * WORD(sp)
	\what	t6, 7 * WORD(sp)
	\what	a0, 8 * WORD(sp)
	\what	a1, 9 * WORD(sp)
	\what	a2, 10 * WORD(sp)
	\what	a3, 11 * WORD(sp)
	\what	a4, 12 * WORD(sp)
	\what	a5, 13 * WORD(sp)
	\what	a6, 14 * WORD(sp)
	\what	a7, 15 * WORD(sp)
	.endm

	.balign	4
	.globl	trapped
trapped:
	addi	sp, sp, -16 * WORD
	registers STORE
	csrr	a0, xcause
	csrr	a1, xepc
	csrr	a2, xtval
	call	trap
	csrw	xepc, a0
	registers LOAD
	addi	sp, sp, 16 * WORD
	xret
