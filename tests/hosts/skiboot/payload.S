/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What skiboot starts: copies the tree that it gets to TREE, then writes READY below it, and stops.
 */
	.text
	.globl	_start
_start:
	lis	%r4, TREE@h
	lwz	%r5, 4(%r3)	/* totalsize */
	addi	%r5, %r5, 3
	srwi	%r5, %r5, 2
	mtctr	%r5
	addi	%r6, %r3, -4
	addi	%r7, %r4, -4
1:	lwzu	%r0, 4(%r6)
	stwu	%r0, 4(%r7)
	bdnz	1b
	sync
	lis	%r5, READY@h
	ori	%r5, %r5, READY@l
	stw	%r5, -16(%r4)
2:	b	2b
