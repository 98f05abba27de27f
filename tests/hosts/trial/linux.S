/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linux.S -- the first instructions of an image with Linux, its tree and its initramfs.
 */
	.globl _start
_start:
	li a0, 0
	li a1, BASE + 0x3000000
	li t0, BASE + 0x200000
	jr t0
