/* SPDX-License-Identifier: BSD-2-Clause */
/* This CPU's own system registers: the register's number is part of the instruction */
#pragma once

#include "amu/hw_api.h"

#if defined(__aarch64__) || (defined(__arm__) && __ARM_ARCH >= 8 && __ARM_ARCH_PROFILE == 'A')
#define PMUMAP_AMU_HAS_NATIVE_ 1
#define PMUMAP_AMU_NATIVE_READ_ pmumap_amu_native_read_
#define PMUMAP_AMU_INLINE_ static inline __attribute__((__always_inline__))

/* What is done in a row is ordered by a barrier only, for reads and writes before and behind it. */
#define PMUMAP_AMU_BARRIER_() __asm__ __volatile__("isb" : : : "memory")

/* X(n) for 4 or 16 numbers. */
#define PMUMAP_AMU_4_(X, n) X(n) X((n) + 1) X((n) + 2) X((n) + 3)
#define PMUMAP_AMU_16_(X, n)                                                                       \
	PMUMAP_AMU_4_(X, n)                                                                        \
	PMUMAP_AMU_4_(X, (n) + 4) PMUMAP_AMU_4_(X, (n) + 8) PMUMAP_AMU_4_(X, (n) + 12)

/* Instructions, whose registers' numbers are constants: op1, CRm and op2 are operands 1 to 3. */
#define PMUMAP_AMU_OP_(reg) "i"((reg) >> 5 == 2 ? 4 : 3), "i"((reg) >> 3), "i"((reg) % 8)
#define PMUMAP_AMU_OUT_(code, reg, v) __asm__ __volatile__(code : "=r"(v) : PMUMAP_AMU_OP_(reg))
#define PMUMAP_AMU_IN_(code, reg, v)                                                               \
	__asm__ __volatile__(code : : "r"(v), PMUMAP_AMU_OP_(reg) : "memory")
#ifdef __aarch64__
#define PMUMAP_AMU_MRS_(reg, v) PMUMAP_AMU_OUT_("mrs %0, S3_%c1_C13_C%c2_%c3", reg, v)
#define PMUMAP_AMU_MSR_(reg, v) PMUMAP_AMU_IN_("msr S3_%c1_C13_C%c2_%c3, %0", reg, v)
#define PMUMAP_AMU_MRS_COUNT_ PMUMAP_AMU_MRS_
#define PMUMAP_AMU_MSR_COUNT_ PMUMAP_AMU_MSR_
#define PMUMAP_AMU_MRS_OFFSET_ PMUMAP_AMU_MRS_
#define PMUMAP_AMU_MSR_OFFSET_ PMUMAP_AMU_MSR_
#else
#define PMUMAP_AMU_MRS_(reg, v) PMUMAP_AMU_OUT_("mrc p15, 0, %0, c13, c%c2, %c3", reg, v)
#define PMUMAP_AMU_MSR_(reg, v) PMUMAP_AMU_IN_("mcr p15, 0, %0, c13, c%c2, %c3", reg, (uint32_t)(v))
/* CRm is 0 for EVCNTR0, and 4 and 5 for EVCNTR1. There are no offsets. */
#define PMUMAP_AMU_OF_COUNT_(reg) ((reg) - ((reg) < PMUMAP_AMU_EVCNTR1 ? 0x20 : 0x40))
#define PMUMAP_AMU_MRS_COUNT_(reg, v)                                                              \
	PMUMAP_AMU_OUT_("mrrc p15, %c3, %Q0, %R0, c%c2", PMUMAP_AMU_OF_COUNT_(reg), v)
#define PMUMAP_AMU_MSR_COUNT_(reg, v)                                                              \
	PMUMAP_AMU_IN_("mcrr p15, %c3, %Q0, %R0, c%c2", PMUMAP_AMU_OF_COUNT_(reg), v)
#define PMUMAP_AMU_MRS_OFFSET_(reg, v) ((void)0)
#define PMUMAP_AMU_MSR_OFFSET_(reg, v) ((void)0)
#endif

#define PMUMAP_AMU_CASE_(reg, statement)                                                           \
	case reg:                                                                                  \
		statement;                                                                         \
		break;
#define PMUMAP_AMU_MRS_CASE_(reg) PMUMAP_AMU_CASE_(reg, PMUMAP_AMU_MRS_(reg, word))
#define PMUMAP_AMU_MRS_COUNT_CASE_(reg) PMUMAP_AMU_CASE_(reg, PMUMAP_AMU_MRS_COUNT_(reg, count))
#define PMUMAP_AMU_MSR_CASE_(reg) PMUMAP_AMU_CASE_(reg, PMUMAP_AMU_MSR_(reg, value))

/* One instruction if reg is a constant. */
PMUMAP_AMU_INLINE_ uint64_t pmumap_amu_native_read_(uint32_t reg)
{
	size_t word = 0;
	uint64_t count = 0;

	switch (reg) {
		PMUMAP_AMU_MRS_CASE_(PMUMAP_AMU_CR)
		PMUMAP_AMU_MRS_CASE_(PMUMAP_AMU_CFGR)
		PMUMAP_AMU_MRS_CASE_(PMUMAP_AMU_CGCR)
		PMUMAP_AMU_MRS_CASE_(PMUMAP_AMU_CNTENSET0)
		PMUMAP_AMU_MRS_CASE_(PMUMAP_AMU_CNTENSET1)
		PMUMAP_AMU_4_(PMUMAP_AMU_MRS_CASE_, PMUMAP_AMU_EVTYPER0)
		PMUMAP_AMU_16_(PMUMAP_AMU_MRS_CASE_, PMUMAP_AMU_EVTYPER1)
		PMUMAP_AMU_4_(PMUMAP_AMU_MRS_COUNT_CASE_, PMUMAP_AMU_EVCNTR0)
		PMUMAP_AMU_16_(PMUMAP_AMU_MRS_COUNT_CASE_, PMUMAP_AMU_EVCNTR1)
#ifdef __aarch64__
		PMUMAP_AMU_MRS_CASE_(PMUMAP_AMU_CG1IDR)
	case PMUMAP_AMU_ID:
		__asm__ __volatile__("mrs %0, ID_AA64PFR0_EL1" : "=r"(word));
		return word >> 44 & 15;
#else
	case PMUMAP_AMU_ID:
		__asm__ __volatile__("mrc p15, 0, %0, c0, c1, 0" : "=r"(word));
		/* AMCG1IDR is missing: use FEAT_AMUv1p1 like version 1. */
		return (word >> 20 & 15) != 0;
#endif
	default:
		break;
	}
	return word | count;
}

PMUMAP_DEF void pmumap_amu_native(struct pmumap_amu_hw *hw)
{
	hw->read = 0;
	hw->write = hw->write_offset = 0;
	hw->arg = 0;
}
#else
#define PMUMAP_AMU_HAS_NATIVE_ 0
#define PMUMAP_AMU_BARRIER_() ((void)0)
#define PMUMAP_AMU_NATIVE_READ_(reg) ((uint64_t)0 * (reg))
#endif

#if PMUMAP_AMU_HAS_NATIVE_ && defined(PMUMAP_AMU_HIGHEST_EL)
/* The same: AMCR and switches only, because restore alone writes others. */
PMUMAP_AMU_INLINE_ void pmumap_amu_native_write_(uint32_t reg, uint64_t value)
{
	switch (reg) {
		PMUMAP_AMU_MSR_CASE_(PMUMAP_AMU_CR)
		PMUMAP_AMU_MSR_CASE_(PMUMAP_AMU_CNTENCLR0)
		PMUMAP_AMU_MSR_CASE_(PMUMAP_AMU_CNTENSET0)
		PMUMAP_AMU_MSR_CASE_(PMUMAP_AMU_CNTENCLR1)
		PMUMAP_AMU_MSR_CASE_(PMUMAP_AMU_CNTENSET1)
	default:
		break;
	}
}

#define PMUMAP_AMU_MAY_WRITE_ 1
#define PMUMAP_AMU_NATIVE_WRITE_ pmumap_amu_native_write_
#define PMUMAP_AMU_NATIVE_EACH_(X) PMUMAP_AMU_4_(X, 0) PMUMAP_AMU_16_(X, 4)
#else
#define PMUMAP_AMU_MAY_WRITE_ 0
#define PMUMAP_AMU_NATIVE_WRITE_(reg, value) ((void)(reg), (void)(value))
#define PMUMAP_AMU_NATIVE_EACH_(X)
#endif
