/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The device tree of monitor.c's guest.
 */
	.section .rodata
	.globl	guest_tree, guest_tree_end
	.balign	8
guest_tree:
#if __riscv_xlen == 64
	.incbin	"build/qemu/rv64/guest.dtb"
#else
	.incbin	"build/qemu/rv32/guest.dtb"
#endif
guest_tree_end:
