/* SPDX-License-Identifier: BSD-2-Clause
 *
 * void enter_guest(struct guest_state *g): run the guest until its next trap into M-mode. The
 * offsets match struct guest_state.
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

#define PC (32 * WORD)
#define HOST_SP (33 * WORD)
#define HOST_TVEC (34 * WORD)
#define A0 10

	/* All guest registers except a0, which points to its state. */
	.macro	guest_registers what
	.irp	n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, \
		25, 26, 27, 28, 29, 30, 31
	\what	x\n, \n * WORD(a0)
	.endr
	.endm

	/* The callee-saved registers, gp and tp. */
	.macro	host_registers what
	\what	ra, 0 * WORD(sp)
	\what	s0, 1 * WORD(sp)
	\what	s1, 2 * WORD(sp)
	\what	s2, 3 * WORD(sp)
	\what	s3, 4 * WORD(sp)
	\what	s4, 5 * WORD(sp)
	\what	s5, 6 * WORD(sp)
	\what	s6, 7 * WORD(sp)
	\what	s7, 8 * WORD(sp)
	\what	s8, 9 * WORD(sp)
	\what	s9, 10 * WORD(sp)
	\what	s10, 11 * WORD(sp)
	\what	s11, 12 * WORD(sp)
	\what	gp, 13 * WORD(sp)
	\what	tp, 14 * WORD(sp)
	.endm

	.text
	.globl	enter_guest
	.balign	4
enter_guest:
	addi	sp, sp, -16 * WORD
	host_registers STORE
	STORE	sp, HOST_SP(a0)
	csrw	mscratch, a0
	la	t0, leave_guest
	csrrw	t0, mtvec, t0
	STORE	t0, HOST_TVEC(a0)
	LOAD	t0, PC(a0)
	csrw	mepc, t0
	guest_registers LOAD
	LOAD	a0, A0 * WORD(a0)
	mret

	.balign	4
leave_guest:
	csrrw	a0, mscratch, a0
	guest_registers STORE
	csrr	t0, mscratch
	STORE	t0, A0 * WORD(a0)
	csrr	t0, mepc
	STORE	t0, PC(a0)
	LOAD	t0, HOST_TVEC(a0)
	csrw	mtvec, t0
	LOAD	sp, HOST_SP(a0)
	host_registers LOAD
	addi	sp, sp, 16 * WORD
	ret
