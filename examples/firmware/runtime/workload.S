/* SPDX-License-Identifier: BSD-2-Clause
 *
 * See workload.h. Every round takes equally many instructions.
 */
	.option	norvc

	.macro	function name
	.globl	\name
	.balign	4
\name:
	.endm

	/* Run \access once on each of a1 pages from a0. */
	.macro	each_page access:vararg
	li	t1, 4096
1:	beqz	a1, 2f
	\access
	add	a0, a0, t1
	addi	a1, a1, -1
	j	1b
2:
	.endm

	.text
	function spin
1:	beqz	a0, 2f
	addi	a0, a0, -1
	j	1b
2:	ret

	function load_pages
	each_page lbu t0, (a0)
	ret

	function store_pages
	each_page sb zero, (a0)
	ret

	function call_pages
	mv	t2, ra
	each_page jalr ra, (a0)
	jr	t2

	function make_callable
	li	t0, 0x00008067 /* ret */
	each_page sw t0, (a0)
	fence.i
	ret

	function flush_tlb
	sfence.vma
	ret
