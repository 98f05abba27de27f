/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The entry, and traps: whatever happens while a rule is asked ends the rule, not the program.
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

	.macro	saved what
	\what	ra, 0 * WORD(t0)
	\what	sp, 1 * WORD(t0)
	\what	s0, 2 * WORD(t0)
	\what	s1, 3 * WORD(t0)
	\what	s2, 4 * WORD(t0)
	\what	s3, 5 * WORD(t0)
	\what	s4, 6 * WORD(t0)
	\what	s5, 7 * WORD(t0)
	\what	s6, 8 * WORD(t0)
	\what	s7, 9 * WORD(t0)
	\what	s8, 10 * WORD(t0)
	\what	s9, 11 * WORD(t0)
	\what	s10, 12 * WORD(t0)
	\what	s11, 13 * WORD(t0)
	.endm

	.section .text.start, "ax"
	.globl	_start
_start:
	csrw	sie, zero
	la	sp, stack_top
	la	t0, bss_start
	la	t1, bss_end
1:	bgeu	t0, t1, 2f
	STORE	zero, (t0)
	addi	t0, t0, WORD
	j	1b
2:	la	t0, trap
	csrw	stvec, t0
	call	main
3:	wfi
	j	3b

/* The second hart starts here. A trap ends what it is asked. */
	.globl	start_of_hart
start_of_hart:
	csrw	sie, zero
	la	sp, stack_of_hart_top
	la	t0, trap_of_hart_here
	csrw	stvec, t0
	tail	main_of_hart
	.balign	4
trap_of_hart_here:
	tail	trap_of_hart

/* long guarded(long (*rule)(void)): its answer, or TRAPPED or HANGS of conformance.h */
	.globl	guarded
guarded:
	mv	t1, a0
	la	t0, context
	saved	STORE
	csrsi	sstatus, 2
	jalr	t1
	csrci	sstatus, 2
	la	t0, context
	saved	LOAD
	ret

	.balign	4
trap:
	csrr	t0, sepc
	la	t1, peek
	beq	t0, t1, 1f
	la	t0, context
	saved	LOAD
	csrr	t1, scause
	li	a0, 3
	bgez	t1, 2f
	li	a0, 4
2:	ret
1:	la	t1, 3f
	csrw	sepc, t1
	li	a0, 0
	sret

/* long peek(address): 1: S-mode can read there. Else it traps. */
	.option	push
	.option	norvc
	.globl	peek
	.balign	4
peek:
	lbu	t0, (a0)
	li	a0, 1
	.option	pop
3:	ret

/* reg read_counter(n): CSR 0xc00 + n, below 32 */
	.globl	read_counter
read_counter:
	slli	a0, a0, 3
	la	t0, 4f
	add	t0, t0, a0
	jr	t0
	.option	push
	.option	norvc
	.balign	4
4:	.set	n, 0xc00
	.rept	32
	csrr	a0, n
	ret
	.set	n, n + 1
	.endr
	.option	pop

	.bss
	.balign	16
context:
	.zero	16 * WORD
	.zero	8192
stack_top:
	.zero	8192
stack_of_hart_top:
