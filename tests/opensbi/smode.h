/* SPDX-License-Identifier: BSD-2-Clause
 *
 * smode.h -- entry, SBI calls and console of an S-mode program on any SBI firmware.
 */
#ifndef TESTS_OPENSBI_SMODE_H
#define TESTS_OPENSBI_SMODE_H

#include <stdint.h>

#define PMU 0x504d55

/*
 * Must come first in the file; -fno-toplevel-reorder then puts it first in the program, where QEMU
 * starts.
 */
__asm__(".text\n"
	".global _start\n"
	"_start:\n"
	"	la	sp, stack_top\n"
	"	j	check\n"
	".bss\n"
	".balign 16\n"
	"	.zero	4096\n"
	"stack_top:\n"
	".text\n");

struct ret {
	long error, value;
};

static struct ret sbi(long eid, long fid, long a0, long a1, long a2, long a3, long a4, long a5)
{
	register long r0 __asm__("a0") = a0;
	register long r1 __asm__("a1") = a1;
	register long r2 __asm__("a2") = a2;
	register long r3 __asm__("a3") = a3;
	register long r4 __asm__("a4") = a4;
	register long r5 __asm__("a5") = a5;
	register long r6 __asm__("a6") = fid;
	register long r7 __asm__("a7") = eid;

	__asm__ volatile("ecall"
			 : "+r"(r0), "+r"(r1)
			 : "r"(r2), "r"(r3), "r"(r4), "r"(r5), "r"(r6), "r"(r7)
			 : "memory");
	return (struct ret){ r0, r1 };
}

static void put(char c)
{
	sbi(1, 0, c, 0, 0, 0, 0, 0);
}

static void print_hex(uint64_t value, char end)
{
	int shift = 60;

	while (shift && !(value >> shift))
		shift -= 4;
	put('0');
	put('x');
	for (; shift >= 0; shift -= 4)
		put("0123456789abcdef"[value >> shift & 15]);
	put(end);
}

#endif
