/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A trap vector for probing CSRs in machine mode: skips the instruction that trapped. Overwrites
 * mscratch.
 */
	.text
	.globl	pmu_skip
	.align	2
pmu_skip:
	csrw	mscratch, t0
	csrr	t0, mepc
	addi	t0, t0, 4
	csrw	mepc, t0
	csrr	t0, mscratch
	mret
