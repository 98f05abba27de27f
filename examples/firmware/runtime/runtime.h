/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The runtime of a program without a libc on QEMU's machine "virt": console, traps and exit.
 * string.h has the memory and string functions that libfdt and compilers call.
 */
#ifndef RUNTIME_H
#define RUNTIME_H

#include <stdint.h>

#ifdef __cplusplus
#define _Noreturn [[noreturn]]
extern "C" {
#endif

/* The program, called with its hart and the device tree from a1. */
int main(unsigned long hart, const void *fdt);

/* Exit QEMU with the lower 8 bits of code, or with 1 if only these are 0. */
_Noreturn void finish(int code);

/* Enter S-mode in a function that may use all memory and must not return. */
_Noreturn void enter_s_mode(void (*function)(void));

/* The console. Pads text on the right and numbers on the left; width 0: no padding. */
void put(const char *text);
void put_text(const char *text, unsigned width);
void put_decimal(uint64_t value, unsigned width);
void put_hex(uint64_t value, unsigned width);

/* Like put_decimal(), for error codes. */
void put_signed(int64_t value, unsigned width);

/* The number of CSR instructions skipped because they trapped. */
extern volatile unsigned long traps;

/*
 * Called for every trap; returns the address to resume at. The default skips CSR instructions that
 * the hart lacks and otherwise exits QEMU with status 99. A program may define its own trap() and
 * traps.
 */
unsigned long trap(unsigned long cause, unsigned long pc, unsigned long value);

#ifdef __cplusplus
}
#endif

#endif /* RUNTIME_H */
