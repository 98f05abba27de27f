/* SPDX-License-Identifier: BSD-2-Clause
 *
 * For a program with two harts: hart 1, which start.S parks, calls run_hart_1() once no_map is 0.
 */
	.text
	.globl	park
park:
	csrr	t0, mhartid
	li	t1, 1
	bne	t0, t1, sleep
	la	t0, no_map
1:	lw	t1, (t0)
	bnez	t1, 1b
	fence
	la	sp, stack_of_hart_1_top
	la	t0, trapped
	csrw	mtvec, t0
	call	run_hart_1
sleep:	wfi
	j	sleep

	.bss
	.balign	16
	.space	8192
stack_of_hart_1_top:
