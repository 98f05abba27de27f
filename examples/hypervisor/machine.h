/* SPDX-License-Identifier: BSD-2-Clause
 *
 * QEMU's "virt" for a monitor in M-mode: CSRs, memory and a guest's registers.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include "pmumap.h"

#define CSR_READ(name)                                                                             \
	__extension__({                                                                            \
		unsigned long value_ = 0;                                                          \
		__asm__ volatile("csrr %0, " #name : "+r"(value_) : : "memory");                   \
		value_;                                                                            \
	})
#define CSR_WRITE(name, value)                                                                     \
	__asm__ volatile("csrw " #name ", %0" : : "r"((unsigned long)(value)) : "memory")
#define CSR_SET(name, bits)                                                                        \
	__asm__ volatile("csrs " #name ", %0" : : "r"((unsigned long)(bits)) : "memory")
#define CSR_CLEAR(name, bits)                                                                      \
	__asm__ volatile("csrc " #name ", %0" : : "r"((unsigned long)(bits)) : "memory")

/* Memory below GUEST belongs to the monitor. */
#define MEMORY 0x80000000u
#define MEMORY_END 0x84000000u
#define GUEST (__riscv_xlen == 64 ? 0x80200000u : 0x80400000u)
#define CONSOLE 0x10000000u
#define FINISHER 0x100000u

#define SBI_TIME 0x54494d45u
#define SBI_SYSTEM_RESET 0x53525354u

#define INTERRUPT (1ul << (__riscv_xlen - 1))
#define CAUSE_TIMER (INTERRUPT | 7)
#define CAUSE_ECALL 9
#define TIMER_BIT (1u << 7) /* mie: the monitor's timer */

enum { A0 = 10, A1 = 11, A6 = 16, A7 = 17 };

/* A guest that is not running. switch.S depends on the offsets. */
struct guest_state {
	unsigned long x[32];
	unsigned long pc;
	unsigned long host_sp, host_tvec;
};

/* Run a guest until its next trap into M-mode. */
void enter_guest(struct guest_state *g);

/* Delegate traps and time to the guest. PMP faults stay with the monitor. */
void delegate(void);

/* Make mret enter S-mode, without address translation. */
void choose_supervisor(void);

/* A PMP address register. bytes is a power of two, and base a multiple of it. */
#define PMP_ADDRESS(base, bytes) ((base) >> 2 | (((bytes) >> 3) - 1))
#define PMP_READ 1u
#define PMP_WRITE 2u
#define PMP_EXECUTE 4u
#define PMP_RANGE 0x18u

/* Copy one 32-bit word, or 64-bit words, to or from a guest's memory. */
void move_words(volatile void *to, const volatile void *from, uint64_t bytes);

/* Set the monitor's timer to a time of the machine's clock. */
void set_monitor_timer(uint64_t time);

/* Fatal errors: exit QEMU with status 70. */
_Noreturn void give_up(const char *why, uint64_t value);
_Noreturn void give_up_trap(const struct guest_state *g, unsigned long cause);
void need(enum pmumap_status status);

#endif /* MACHINE_H */
