/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bl33.S -- what TF-A starts in the end: says so by semihosting, and leaves QEMU.
 */
#define SYS_WRITE0 4
#define SYS_EXIT 0x18
#define CALL hlt #0xf000

	.globl _start
_start:
	adr x1, text
	mov x0, #SYS_WRITE0
	CALL
	adr x1, block
	mov x0, #SYS_EXIT
	CALL

	.balign 8
block:	.quad 0x20026, 0 /* the application has ended, with status 0 */
text:	.asciz "BL33 runs\n"
