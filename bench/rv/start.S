/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Machine mode on QEMU's "virt", -bios none: entry, exit, the empty function, the boards.
 */
#if __riscv_xlen == 64
#define WORD .dword
#else
#define WORD .word
#endif

	.section .text.entry, "ax"
	.globl	_start, empty, boards
_start:	la	sp, stack_top
	la	t0, fault
	csrw	mtvec, t0
	call	bench
	/* QEMU ends with status a0. */
stop:	li	t0, 0x100000
	li	t1, 0x5555
	beqz	a0, 1f
	slli	a0, a0, 16
	li	t1, 0x3333
	or	t1, t1, a0
1:	sw	t1, 0(t0)
	j	1b

	.balign	4
fault:	li	a0, 2
	j	stop

	/* What a call costs that does nothing. */
empty:	ret

	.macro	board name
	.section .rodata.blobs, "a"
	.balign	8
1:	.incbin	"\name\().dtb"
2:	.string	"\name"
	.section .rodata.boards, "a"
	WORD	2b, 1b, 2b - 1b
	.endm

	.section .rodata.boards, "a"
	.balign	8
boards:	board	sifive-u74
	board	andes-ax45mp
	board	sophgo-sg2044
	board	eswin-eic7700
	board	imc-power9
#ifdef CATALOG
	board	CATALOG
#endif
	board	amu-tc2
	board	amu-views
	WORD	0
