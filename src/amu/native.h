/* SPDX-License-Identifier: BSD-2-Clause */
/* This CPU's own system registers */
#pragma once

#include "amu/hw_api.h"

#if defined(__aarch64__) || (defined(__arm__) && __ARM_ARCH >= 8 && __ARM_ARCH_PROFILE == 'A')
/*
 * A register's number is part of the instruction. Barriers, because reads are not ordered with what
 * is counted, and a stop must take effect before a write.
 */
/* clang-format off */
#define PMUMAP_AMU_8_(X, reg, crm)                                                                 \
	X(reg, crm, 0) X(reg, crm, 1) X(reg, crm, 2) X(reg, crm, 3)                                \
	X(reg, crm, 4) X(reg, crm, 5) X(reg, crm, 6) X(reg, crm, 7)
#define PMUMAP_AMU_CONTROL_(X) X(0x10, 2, 1) X(0x10, 2, 2) X(0x10, 2, 3) X(0x30, 6, 0)             \
	X(0x30, 6, 1) X(0x30, 6, 2) X(0x30, 6, 3)
#define PMUMAP_AMU_WRITTEN_(X) X(0x10, 2, 0) X(0x10, 2, 4) X(0x10, 2, 5) X(0x18, 3, 0)             \
	X(0x18, 3, 1) PMUMAP_AMU_8_(X, 0x70, 14) PMUMAP_AMU_8_(X, 0x78, 15)
#define PMUMAP_AMU_CASE_(reg, ...)                                                                 \
	case reg:                                                                                  \
		__asm__ __volatile__(__VA_ARGS__);                                                 \
		break;
#ifdef __aarch64__
#define PMUMAP_AMU_EVCNTRS_(X)                                                                    \
	X(0x20, 4, 0) X(0x20, 4, 1) X(0x20, 4, 2) X(0x20, 4, 3)                                    \
	PMUMAP_AMU_8_(X, 0x60, 12) PMUMAP_AMU_8_(X, 0x68, 13)
#define PMUMAP_AMU_OFFSETS_(X)                                                                     \
	X(0x40, 8, 0) X(0x40, 8, 2) X(0x40, 8, 3)                                                  \
	PMUMAP_AMU_8_(X, 0x50, 10) PMUMAP_AMU_8_(X, 0x58, 11)
#define PMUMAP_AMU_READ_(reg, crm, n)                                                              \
	PMUMAP_AMU_CASE_((reg) + (n), "mrs %0, S3_3_C13_C" #crm "_" #n : "=r"(value))
#define PMUMAP_AMU_WRITE_(reg, crm, n)                                                             \
	PMUMAP_AMU_CASE_((reg) + (n), "msr S3_3_C13_C" #crm "_" #n ", %0" : : "r"(value) : "memory")
#define PMUMAP_AMU_READ_OFFSET_(reg, crm, n)                                                       \
	PMUMAP_AMU_CASE_((reg) + (n), "mrs %0, S3_4_C13_C" #crm "_" #n : "=r"(value))
#define PMUMAP_AMU_WRITE_OFFSET_(reg, crm, n)                                                      \
	PMUMAP_AMU_CASE_((reg) + (n), "msr S3_4_C13_C" #crm "_" #n ", %0" : : "r"(value) : "memory")
#else
#define PMUMAP_AMU_EVCNTRS_(X)                                                                    \
	X(0x20, 0, 0) X(0x20, 0, 1) X(0x20, 0, 2) X(0x20, 0, 3)                                    \
	PMUMAP_AMU_8_(X, 0x60, 4) PMUMAP_AMU_8_(X, 0x68, 5)
#define PMUMAP_AMU_READ_(reg, crm, n)                                                              \
	PMUMAP_AMU_CASE_((reg) + (n), "mrc p15, 0, %0, c13, c" #crm ", " #n : "=r"(low))
#define PMUMAP_AMU_READ_PAIR_(reg, crm, n)                                                         \
	PMUMAP_AMU_CASE_((reg) + (n), "mrrc p15, " #n ", %0, %1, c" #crm : "=r"(low), "=r"(high))
#define PMUMAP_AMU_WRITE_(reg, crm, n)                                                             \
	PMUMAP_AMU_CASE_((reg) + (n), "mcr p15, 0, %0, c13, c" #crm ", " #n : : "r"(low) : "memory")
#define PMUMAP_AMU_WRITE_PAIR_(reg, crm, n)                                                        \
	PMUMAP_AMU_CASE_((reg) + (n), "mcrr p15, " #n ", %0, %1, c" #crm                           \
			 : : "r"(low), "r"(high) : "memory")
#endif
/* clang-format on */

static inline uint64_t pmumap_amu_hw_native_read_(void *arg, uint32_t reg)
{
#ifdef __aarch64__
	uint64_t value = 0;

	(void)arg;
	__asm__ __volatile__("isb" : : : "memory");
	switch (reg) {
		PMUMAP_AMU_CONTROL_(PMUMAP_AMU_READ_)
		PMUMAP_AMU_READ_(0x10, 2, 6)
		PMUMAP_AMU_WRITTEN_(PMUMAP_AMU_READ_)
		PMUMAP_AMU_EVCNTRS_(PMUMAP_AMU_READ_)
		PMUMAP_AMU_OFFSETS_(PMUMAP_AMU_READ_OFFSET_)
	case PMUMAP_AMU_ID:
		__asm__ __volatile__("mrs %0, ID_AA64PFR0_EL1" : "=r"(value));
		return value >> 44 & 15;
	default:
		break;
	}
	return value;
#else
	uint32_t low = 0, high = 0;

	(void)arg;
	__asm__ __volatile__("isb" : : : "memory");
	switch (reg) {
		PMUMAP_AMU_CONTROL_(PMUMAP_AMU_READ_)
		PMUMAP_AMU_WRITTEN_(PMUMAP_AMU_READ_)
		PMUMAP_AMU_EVCNTRS_(PMUMAP_AMU_READ_PAIR_)
	case PMUMAP_AMU_ID:
		__asm__ __volatile__("mrc p15, 0, %0, c0, c1, 0" : "=r"(low));
		/* AMCG1IDR is missing: use FEAT_AMUv1p1 like version 1. */
		return (low >> 20 & 15) != 0;
	default:
		break;
	}
	return (uint64_t)high << 32 | low;
#endif
}

#if defined(PMUMAP_AMU_HIGHEST_EL) || defined(PMUMAP_AMU_EL2)
static inline void pmumap_amu_hw_native_write_(void *arg, uint32_t reg, uint64_t value)
{
#ifndef __aarch64__
	uint32_t low = (uint32_t)value, high = (uint32_t)(value >> 32);
#endif

	(void)arg;
	switch (reg) {
		PMUMAP_AMU_WRITTEN_(PMUMAP_AMU_WRITE_)
#ifdef __aarch64__
		PMUMAP_AMU_EVCNTRS_(PMUMAP_AMU_WRITE_)
		PMUMAP_AMU_OFFSETS_(PMUMAP_AMU_WRITE_OFFSET_)
#else
		PMUMAP_AMU_EVCNTRS_(PMUMAP_AMU_WRITE_PAIR_)
#endif
	default:
		break;
	}
	__asm__ __volatile__("isb" : : : "memory");
}
#endif

PMUMAP_DEF void pmumap_amu_native(struct pmumap_amu_hw *hw)
{
	hw->read = pmumap_amu_hw_native_read_;
	hw->write = hw->write_offset = 0;
	hw->arg = 0;
#ifdef PMUMAP_AMU_HIGHEST_EL
	hw->write = pmumap_amu_hw_native_write_;
#endif
#if defined(__aarch64__) && (defined(PMUMAP_AMU_HIGHEST_EL) || defined(PMUMAP_AMU_EL2))
	hw->write_offset = pmumap_amu_hw_native_write_;
#endif
}
#endif
