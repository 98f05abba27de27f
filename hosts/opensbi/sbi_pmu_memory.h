/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026, the pmumap authors
 *
 * sbi_pmu_memory.h -- accesses the supervisor's memory with the supervisor's own rights. See
 * README.md.
 */
#ifndef __SBI_PMU_MEMORY_H__
#define __SBI_PMU_MEMORY_H__

#include <sbi/riscv_asm.h>
#include <sbi/riscv_encoding.h>
#include <sbi/sbi_hart.h>
#include <sbi/sbi_trap.h>

/* Instructions that load from the guest's address or store there. */
#define SBI_PMU_WITH_MPRV(instructions)                                 \
	".option push\n"                                                \
	".option norvc\n"                                               \
	"csrs mstatus, %[mprv]\n" instructions "csrw mstatus, %[old]\n" \
	".option pop"

#define SBI_PMU_LOAD_PAIR                                           \
	REG_L " %[first], 0(%[guest])\n" REG_L " %[second], " SZREG \
	      "(%[guest])\n"
#define SBI_PMU_STORE_OUTPUT "sw %[output], 0(%[guest])\n"

/*
 * Read entries of EVENT_GET_INFO, or write only their output words, from the first one on: another
 * hart may be writing the rest. Returns 1, or 0 after a trap (PMP denies access, or the memory does
 * not exist); some entries may have been moved by then. Addresses are physical, so satp is 0 during
 * the move. sbi_load_u64() prepares for a trap at every word, which would double the cost.
 *
 * OpenSBI's handler of expected traps needs a3, overwrites a4 and skips 4 bytes, so these
 * instructions must not be compressed.
 */
static inline int sbi_pmu_move_entries(unsigned long guest, void *own,
				       unsigned long bytes, int write)
{
	unsigned long *word	 = own;
	const unsigned long step = write ? 16 : 2 * sizeof(*word);
	const unsigned long end = guest + bytes, mprv = MSTATUS_MPRV;
	const unsigned long old = csr_read(CSR_MSTATUS);
	unsigned long satp, mtvec, first, second;
	struct sbi_trap_info trap;
	register struct sbi_trap_info *expected asm("a3") = &trap;

	trap.cause = 0;
	satp	   = csr_swap(CSR_SATP, 0);
	mtvec	   = csr_swap(CSR_MTVEC, (unsigned long)sbi_hart_expected_trap);
	for (; guest < end; guest += step, word += step / sizeof(*word)) {
		if (write) {
			asm volatile(SBI_PMU_WITH_MPRV(SBI_PMU_STORE_OUTPUT)
				     :
				     : [output] "r"(*(const uint32_t *)word),
				       [guest] "r"(guest), [mprv] "r"(mprv),
				       [old] "r"(old), "r"(expected)
				     : "a4", "memory");
			continue;
		}
		asm volatile(
			SBI_PMU_WITH_MPRV(SBI_PMU_LOAD_PAIR)
			: [first] "=&r"(first), [second] "=&r"(second)
			: [guest] "r"(guest), [mprv] "r"(mprv), [old] "r"(old),
			  "r"(expected)
			: "a4", "memory");
		word[0] = first;
		word[1] = second;
	}
	csr_write(CSR_MTVEC, mtvec);
	csr_write(CSR_SATP, satp);
	return !trap.cause;
}

#endif
