/* SPDX-License-Identifier: BSD-2-Clause */
/* This CPU's own system registers: the register's number is part of the instruction */
#pragma once

#include "core/compiler.h"
#include "amu/hw_api.h"

#if defined(__aarch64__) || (defined(__arm__) && __ARM_ARCH >= 8 && __ARM_ARCH_PROFILE == 'A')
#define PMUMAP_AMU_HAS_NATIVE_ 1
#define PMUMAP_AMU_NATIVE_READ_ pmumap_amu_native_read_

/* clang-format off */
/* X(reg, element, CRm, op2): register reg + op2, element + op2 of struct pmumap_amu_state */
#define PMUMAP_AMU_4_(X, reg, element, crm)                                                        \
	X(reg, element, crm, 0) X(reg, element, crm, 1) X(reg, element, crm, 2)                    \
	X(reg, element, crm, 3)
#define PMUMAP_AMU_8_(X, reg, element, crm)                                                        \
	PMUMAP_AMU_4_(X, reg, element, crm) X(reg, element, crm, 4) X(reg, element, crm, 5)        \
	X(reg, element, crm, 6) X(reg, element, crm, 7)
#define PMUMAP_AMU_WRITTEN_(X) X(0x10, 0, 2, 0) X(0x10, 0, 2, 4) X(0x10, 0, 2, 5)                  \
	X(0x18, 0, 3, 0) X(0x18, 0, 3, 1)
#define PMUMAP_AMU_READ_(X) X(0x10, 0, 2, 0) X(0x10, 0, 2, 1) X(0x10, 0, 2, 2) X(0x10, 0, 2, 5)    \
	X(0x18, 0, 3, 1) PMUMAP_AMU_4_(X, 0x30, 0, 6)
#define PMUMAP_AMU_EVENTS_(X) PMUMAP_AMU_8_(X, 0x70, 0, 14) PMUMAP_AMU_8_(X, 0x78, 8, 15)
#ifdef __aarch64__
#define PMUMAP_AMU_COUNTS_(X) PMUMAP_AMU_4_(X, 0x20, 0, 4)                                         \
	PMUMAP_AMU_8_(X, 0x60, 4, 12) PMUMAP_AMU_8_(X, 0x68, 12, 13)
#define PMUMAP_AMU_OFFSETS_(X) X(0x40, 0, 8, 0) X(0x40, 0, 8, 2) X(0x40, 0, 8, 3)                  \
	PMUMAP_AMU_8_(X, 0x50, 4, 10) PMUMAP_AMU_8_(X, 0x58, 12, 11)
#define PMUMAP_AMU_GET_(v, crm, n) "mrs %0, S3_3_C13_C" #crm "_" #n : "=r"(v)
#define PMUMAP_AMU_SET_(v, crm, n) "msr S3_3_C13_C" #crm "_" #n ", %0" : : "r"(v) : "memory"
#define PMUMAP_AMU_GET_COUNT_ PMUMAP_AMU_GET_
#define PMUMAP_AMU_SET_COUNT_ PMUMAP_AMU_SET_
#define PMUMAP_AMU_GET_OFFSET_(v, crm, n) "mrs %0, S3_4_C13_C" #crm "_" #n : "=r"(v)
#define PMUMAP_AMU_SET_OFFSET_(v, crm, n) "msr S3_4_C13_C" #crm "_" #n ", %0" : : "r"(v) : "memory"
#else
#define PMUMAP_AMU_COUNTS_(X) PMUMAP_AMU_4_(X, 0x20, 0, 0)                                         \
	PMUMAP_AMU_8_(X, 0x60, 4, 4) PMUMAP_AMU_8_(X, 0x68, 12, 5)
#define PMUMAP_AMU_OFFSETS_(X)
#define PMUMAP_AMU_GET_(v, crm, n) "mrc p15, 0, %0, c13, c" #crm ", " #n : "=r"(v)
#define PMUMAP_AMU_SET_(v, crm, n)                                                                 \
	"mcr p15, 0, %0, c13, c" #crm ", " #n : : "r"((uint32_t)(v)) : "memory"
#define PMUMAP_AMU_GET_COUNT_(v, crm, n) "mrrc p15, " #n ", %Q0, %R0, c" #crm : "=r"(v)
#define PMUMAP_AMU_SET_COUNT_(v, crm, n) "mcrr p15, " #n ", %Q0, %R0, c" #crm : : "r"(v) : "memory"
#endif
#define PMUMAP_AMU_ASM_(...) __asm__ __volatile__(__VA_ARGS__);
#define PMUMAP_AMU_CASE_(reg, ...) case reg: PMUMAP_AMU_ASM_(__VA_ARGS__) break;
#define PMUMAP_AMU_GET_CASE_(reg, element, crm, n)                                                 \
	PMUMAP_AMU_CASE_((reg) + (n), PMUMAP_AMU_GET_(word, crm, n))
#define PMUMAP_AMU_GET_COUNT_CASE_(reg, element, crm, n)                                           \
	PMUMAP_AMU_CASE_((reg) + (n), PMUMAP_AMU_GET_COUNT_(count, crm, n))
#define PMUMAP_AMU_SET_CASE_(reg, element, crm, n)                                                 \
	PMUMAP_AMU_CASE_((reg) + (n), PMUMAP_AMU_SET_(value, crm, n))

#define PMUMAP_AMU_SAVE_COUNT_(reg, element, crm, n)                                               \
	if (counters >> ((element) + (n)) & 1)                                                     \
		PMUMAP_AMU_ASM_(PMUMAP_AMU_GET_COUNT_(state->count[(element) + (n)], crm, n))
#define PMUMAP_AMU_SAVE_OFFSET_(reg, element, crm, n)                                              \
	if (offsets >> ((element) + (n)) & 1)                                                      \
		PMUMAP_AMU_ASM_(PMUMAP_AMU_GET_OFFSET_(state->offset[(element) + (n)], crm, n))
#define PMUMAP_AMU_SAVE_EVENT_(reg, element, crm, n)                                               \
	if (hw->implemented[1] >> ((element) + (n)) & 1) {                                         \
		PMUMAP_AMU_ASM_(PMUMAP_AMU_GET_(event, crm, n))                                    \
		state->event[(element) + (n)] = (uint16_t)event;                                   \
	}
#define PMUMAP_AMU_RESTORE_COUNT_(reg, element, crm, n)                                            \
	if (counters >> ((element) + (n)) & 1)                                                     \
		PMUMAP_AMU_ASM_(PMUMAP_AMU_SET_COUNT_(state->count[(element) + (n)], crm, n))
#define PMUMAP_AMU_RESTORE_OFFSET_(reg, element, crm, n)                                           \
	if (offsets >> ((element) + (n)) & 1)                                                      \
		PMUMAP_AMU_ASM_(PMUMAP_AMU_SET_OFFSET_(state->offset[(element) + (n)], crm, n))
#define PMUMAP_AMU_RESTORE_EVENT_(reg, element, crm, n)                                            \
	if (hw->implemented[1] >> ((element) + (n)) & 1) {                                         \
		PMUMAP_AMU_ASM_(PMUMAP_AMU_GET_(event, crm, n))                                    \
		if ((uint16_t)event != state->event[(element) + (n)]) {                            \
			event = state->event[(element) + (n)];                                     \
			PMUMAP_AMU_ASM_(PMUMAP_AMU_SET_(event, crm, n))                            \
		}                                                                                  \
	}
/* clang-format on */

/* What is done in a row is ordered by a barrier only, for reads and writes before and behind it. */
#define PMUMAP_AMU_BARRIER_() __asm__ __volatile__("isb" : : : "memory")

/* One instruction if reg is a constant. */
PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_amu_native_read_(uint32_t reg)
{
	size_t word = 0;
	uint64_t count = 0;

	switch (reg) {
		PMUMAP_AMU_READ_(PMUMAP_AMU_GET_CASE_)
		PMUMAP_AMU_EVENTS_(PMUMAP_AMU_GET_CASE_)
		PMUMAP_AMU_COUNTS_(PMUMAP_AMU_GET_COUNT_CASE_)
#ifdef __aarch64__
		PMUMAP_AMU_GET_CASE_(0x10, 0, 2, 6)
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

#ifdef PMUMAP_AMU_HIGHEST_EL
/* The same: AMCR and switches only, because restore alone writes others. */
PMUMAP_ALWAYS_INLINE_ void pmumap_amu_native_write_(uint32_t reg, uint64_t value)
{
	switch (reg) {
		PMUMAP_AMU_WRITTEN_(PMUMAP_AMU_SET_CASE_)
	default:
		break;
	}
}

/* The implemented counters, and those with an offset, as elements of a state. */
#define PMUMAP_AMU_ELEMENTS_(masks) ((masks)[0] | (uint32_t)(masks)[1] << 4)

static inline void pmumap_amu_native_save_(const struct pmumap_amu_hw *hw,
					   struct pmumap_amu_state *state)
{
	uint32_t counters = PMUMAP_AMU_ELEMENTS_(hw->implemented);
	uint32_t offsets = PMUMAP_AMU_ELEMENTS_(hw->offsets) & counters;
	size_t event;

	PMUMAP_AMU_COUNTS_(PMUMAP_AMU_SAVE_COUNT_)
	PMUMAP_AMU_EVENTS_(PMUMAP_AMU_SAVE_EVENT_)
	PMUMAP_AMU_OFFSETS_(PMUMAP_AMU_SAVE_OFFSET_)
	(void)offsets;
}

static inline void pmumap_amu_native_restore_(const struct pmumap_amu_hw *hw,
					      const struct pmumap_amu_state *state)
{
	uint32_t counters = PMUMAP_AMU_ELEMENTS_(hw->implemented);
	uint32_t offsets = PMUMAP_AMU_ELEMENTS_(hw->offsets) & counters;
	size_t event;

	PMUMAP_AMU_COUNTS_(PMUMAP_AMU_RESTORE_COUNT_)
	PMUMAP_AMU_EVENTS_(PMUMAP_AMU_RESTORE_EVENT_)
	PMUMAP_AMU_OFFSETS_(PMUMAP_AMU_RESTORE_OFFSET_)
	(void)offsets;
}
#endif

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
#define PMUMAP_AMU_MAY_WRITE_ 1
#define PMUMAP_AMU_NATIVE_WRITE_ pmumap_amu_native_write_
#define PMUMAP_AMU_NATIVE_SAVE_ pmumap_amu_native_save_
#define PMUMAP_AMU_NATIVE_RESTORE_ pmumap_amu_native_restore_
#else
#define PMUMAP_AMU_MAY_WRITE_ 0
#define PMUMAP_AMU_NATIVE_WRITE_(reg, value) ((void)(reg), (void)(value))
#define PMUMAP_AMU_NATIVE_SAVE_(hw, state) ((void)0)
#define PMUMAP_AMU_NATIVE_RESTORE_(hw, state) ((void)0)
#endif
