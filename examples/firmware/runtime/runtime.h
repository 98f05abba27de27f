/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a program without a libc has on QEMU's machine "virt": a console, traps, an end. Also the
 * memory and string functions that libfdt and compilers call (string.h).
 */
#ifndef RUNTIME_H
#define RUNTIME_H

#include <stdint.h>

/* The program: its hart, and the device tree that the one who started it has left in a1. */
int main(unsigned long hart, const void *fdt);

/* End QEMU. Its status is 0 only for code 0; else the lower 8 bits of code, or 1 if these are 0. */
_Noreturn void finish(int code);

/* Leave M-mode for a function in S-mode, which may use all memory and must not return. */
_Noreturn void enter_s_mode(void (*function)(void));

/* The console. Text is filled up on its right, numbers on their left; 0: no more than they need. */
void put(const char *text);
void put_text(const char *text, unsigned width);
void put_decimal(uint64_t value, unsigned width);
void put_hex(uint64_t value, unsigned width);

/* Like put_decimal(), for error codes. */
void put_signed(int64_t value, unsigned width);

/* CSR instructions that were skipped since they trapped: what they ask for is not there. */
extern volatile unsigned long traps;

/*
 * Called for every trap; returns the address to go on at. The runtime's own skips CSR instructions
 * that the hart does not know, and ends QEMU with status 99 for all else. A program that defines
 * this function and traps gets its own.
 */
unsigned long trap(unsigned long cause, unsigned long pc, unsigned long value);

#endif /* RUNTIME_H */
