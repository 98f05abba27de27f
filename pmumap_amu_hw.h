/* SPDX-License-Identifier: BSD-2-Clause
 * Generated from src/ by "make headers": change it there.
 *
 * pmumap_amu_hw.h 0.3.1 -- operate Arm's activity monitors: by system registers or in memory.
 *
 * QUICK START
 *	#include "pmumap_amu_hw.h"		// needs no other header
 *
 *	static struct pmumap_amu_hw amu;
 *
 *	pmumap_amu_native(&amu);		// or pmumap_amu_mapped(), for any CPU
 *	if (!pmumap_amu_probe(&amu))
 *		return;				// it has none
 *	pmumap_amu_run(&amu, 0, amu.implemented[0]);	// fails below the highest EL
 *	uint64_t cycles = pmumap_amu_read(&amu, 0, 0);
 *
 * CONTRACT
 *   Memory	no heap, no globals, no recursion, no libc.
 *   Threads	use a struct pmumap_amu_hw on its own CPU only, and never twice at once.
 *   Failure	an unusable register reads 0, and is not written.
 *
 * LINKAGE
 *   As in pmumap_amu.h, and:
 *   PMUMAP_AMU_HIGHEST_EL	the program runs at the highest exception level: pmumap_amu_native()
 *				may write
 */

/* ---- core/version.h: Refuse a header of another version */
/* A header left over from another release would compile, and read a struct of another layout. */
#ifndef PMUMAP_VERSION_MAJOR
#define PMUMAP_VERSION_MAJOR 0
#define PMUMAP_VERSION_MINOR 3
#define PMUMAP_VERSION_PATCH 1
#elif PMUMAP_VERSION_MAJOR != 0 || PMUMAP_VERSION_MINOR != 3 || PMUMAP_VERSION_PATCH != 1
#error "headers of two versions of pmumap meet here: take all of them from one release"
#endif

/* C has no other casts and no other null pointer. A function may have the name of a struct. */
#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
#pragma GCC diagnostic ignored "-Wshadow"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#endif

/* ---- core/linkage.h: How functions are linked */
#ifndef PMUMAP_HAS_CORE_LINKAGE_
#define PMUMAP_HAS_CORE_LINKAGE_
#ifndef PMUMAP_NO_STDINT
#include <stddef.h>
#include <stdint.h>
#endif

#if defined(PMUMAP_IMPLEMENTATION) && !defined(PMUMAP_EXTERN)
#define PMUMAP_EXTERN
#endif
#ifdef PMUMAP_EXTERN
#define PMUMAP_LINKAGE_ 2
#define PMUMAP_API extern
#define PMUMAP_DEF
#else
#define PMUMAP_LINKAGE_ 1
#define PMUMAP_API static inline
#define PMUMAP_DEF static inline
#endif
#endif /* PMUMAP_HAS_CORE_LINKAGE_ */

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PMUMAP_AMU_HW_H
#define PMUMAP_AMU_HW_H

/* ---- amu/hw_api.h: A CPU's activity monitors */
enum pmumap_amu_mismatch {
	PMUMAP_AMU_FITS = 0,
	PMUMAP_AMU_NOT_DESCRIBED = 1, /* to be enabled, but not described */
	PMUMAP_AMU_NOT_IMPLEMENTED,   /* described or to be enabled, but does not exist */
	PMUMAP_AMU_NOT_READABLE       /* to be enabled and exists, but cannot be read */
};

/*
 * Compare a tree's masks with a CPU's counters. readable: from pmumap_amu_readable(), or
 * implemented at the highest exception level. Returns the lowest counter that does not fit, and
 * why; or -1, and *why is FITS.
 */
PMUMAP_API int pmumap_amu_reconcile(uint16_t described, uint16_t enable, uint16_t implemented,
				    uint16_t readable, enum pmumap_amu_mismatch *why);

/* Decode a CPU's auxiliary counters from its registers. amcg1idr counts only with FEAT_AMUv1p1. */
PMUMAP_API uint16_t pmumap_amu_implemented(uint64_t amcfgr, uint64_t amcgcr, int v1p1,
					   uint64_t amcg1idr);

#define PMUMAP_AMU_CG1RZ 0x20000u  /* of AMCR */
#define PMUMAP_AMU_TAM 0x40000000u /* of CPTR_EL3 and CPTR_EL2 */

/*
 * Who reads counters, and the registers that may prevent it. Pass 0 for a register that is missing
 * or has no effect: those of EL2 if EL2 is disabled; hafgrtr_el2 if SCR_EL3.FGTEn is 0 and, for
 * EL0, if HCR_EL2.E2H and TGE are set.
 */
struct pmumap_amu_access {
	uint32_t el, highest_el;     /* the reader's exception level; the CPU's highest */
	uint64_t amcr;               /* CG1RZ: below the highest level, group 1 reads as 0 */
	uint64_t cptr_el3, cptr_el2; /* TAM: any access from below EL3, or below EL2, traps */
	uint64_t hafgrtr_el2;        /* reading the counters it names traps below EL2 */
	uint64_t amuserenr;          /* EN: 0: an access from EL0 traps */
};

/* Which counters of a group (1: auxiliary) this level can read. Others trap or yield 0. */
PMUMAP_API uint16_t pmumap_amu_readable(const struct pmumap_amu_access *access, uint32_t group,
					uint16_t implemented);

/*
 * The numbers of registers: CRm << 3 | op2 of S3_3_C13_CRm_op2 (EVCNTVOFF: S3_4_C13_CRm_op2). Add n
 * for counter n.
 */
enum {
	PMUMAP_AMU_ID = 0x00, /* the field AMU of ID_AA64PFR0_EL1 or ID_PFR0 */
	PMUMAP_AMU_CR = 0x10,
	PMUMAP_AMU_CFGR = 0x11,
	PMUMAP_AMU_CGCR = 0x12,
	PMUMAP_AMU_USERENR = 0x13,
	PMUMAP_AMU_CNTENCLR0 = 0x14,
	PMUMAP_AMU_CNTENSET0 = 0x15,
	PMUMAP_AMU_CG1IDR = 0x16,
	PMUMAP_AMU_CNTENCLR1 = 0x18,
	PMUMAP_AMU_CNTENSET1 = 0x19,
	PMUMAP_AMU_EVCNTR0 = 0x20,
	PMUMAP_AMU_EVTYPER0 = 0x30,
	PMUMAP_AMU_EVCNTVOFF0 = 0x40,
	PMUMAP_AMU_EVCNTVOFF1 = 0x50,
	PMUMAP_AMU_EVCNTR1 = 0x60,
	PMUMAP_AMU_EVTYPER1 = 0x70
};

/*
 * The activity monitors of the CPU that runs this. Call pmumap_amu_native() or pmumap_amu_mapped(),
 * or set read, the writes and arg; then call pmumap_amu_probe(). Group 0 has the architecture's
 * four counters, group 1 the auxiliary ones of struct pmumap_amu_cpu.
 */
struct pmumap_amu_hw {
	/* NULL: this CPU's system registers, without a call */
	uint64_t (*read)(void *arg, uint32_t reg);
	/* NULL below the highest exception level */
	void (*write)(void *arg, uint32_t reg, uint64_t value);
	/* for EVCNTVOFF; NULL below EL2, where it cannot be read either */
	void (*write_offset)(void *arg, uint32_t reg, uint64_t value);
	void *arg;
	uint32_t version;        /* 0: none; 1: FEAT_AMUv1; 2: FEAT_AMUv1p1 */
	uint16_t implemented[2]; /* of each group; no other counter is ever accessed */
	uint16_t offsets[2];     /* of these, those with an offset */
};

/*
 * Find the counters; each register is read only after the one that proves that it exists. Returns
 * 1, or 0 without activity monitors. AArch32 and the mapped view cannot tell gaps between auxiliary
 * counters: clear their bits in implemented[1] yourself.
 *
 * Below EL3 this traps if firmware has set CPTR_EL3.TAM. If it has set AMCR.CG1RZ, auxiliary
 * counters silently read as 0: restrict implemented[1] by pmumap_amu_readable().
 */
PMUMAP_API int pmumap_amu_probe(struct pmumap_amu_hw *hw);

/* A counter's value, and the event it counts; 0 for a missing counter. */
PMUMAP_API uint64_t pmumap_amu_read(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n);
PMUMAP_API uint32_t pmumap_amu_event(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n);

/* The running counters of a group. */
PMUMAP_API uint16_t pmumap_amu_running(struct pmumap_amu_hw *hw, uint32_t group);

/*
 * Run exactly these counters of a group. Returns 1; or 0, and nothing changes: a counter is missing
 * (pmumap_amu_reconcile() tells which), or hw cannot write, below the highest exception level.
 * enable runs and returns those that are also implemented and allowed.
 */
PMUMAP_API int pmumap_amu_run(struct pmumap_amu_hw *hw, uint32_t group, uint16_t counters);
PMUMAP_API uint16_t pmumap_amu_enable(struct pmumap_amu_hw *hw, uint32_t group, uint16_t counters,
				      uint16_t allowed);

/* Write AMCR: 0, or PMUMAP_AMU_CG1RZ. Returns 0 if hw cannot write. */
PMUMAP_API int pmumap_amu_control(struct pmumap_amu_hw *hw, uint64_t amcr);

/* What a CPU loses with its power. Counter n of group 0 is element n, of group 1 element n + 4. */
struct pmumap_amu_state {
	uint64_t amcr, count[20], offset[20];
	uint16_t event[16]; /* of auxiliary counters; those of group 0 are fixed */
	uint16_t running[2];
};

/*
 * Stop all counters and save what a power-down loses; restore it and run the same counters, even if
 * the CPU kept its power. Return 1; or 0, and nothing happens: hw cannot write, or there are no
 * activity monitors. Offsets need write_offset. An event is written only if it differs.
 */
PMUMAP_API int pmumap_amu_save(struct pmumap_amu_hw *hw, struct pmumap_amu_state *state);
PMUMAP_API int pmumap_amu_restore(struct pmumap_amu_hw *hw, const struct pmumap_amu_state *state);

/* Use the memory-mapped view of any CPU at base: read-only, in 32-bit accesses. */
PMUMAP_API void pmumap_amu_mapped(struct pmumap_amu_hw *hw, const volatile void *base);

#if defined(__aarch64__) || (defined(__arm__) && __ARM_ARCH >= 8 && __ARM_ARCH_PROFILE == 'A')
/* Use the system registers. PMUMAP_AMU_HIGHEST_EL permits writes. */
PMUMAP_API void pmumap_amu_native(struct pmumap_amu_hw *hw);
#endif

#endif /* PMUMAP_AMU_HW_H */

#if PMUMAP_LINKAGE_ == 1 && (defined(PMUMAP_EXTERN) || defined(PMUMAP_IMPLEMENTATION))
#error "pmumap_amu_hw.h was included here without PMUMAP_EXTERN before: define that for the whole program"
#endif

#if (PMUMAP_LINKAGE_ == 1 || defined(PMUMAP_IMPLEMENTATION)) && !defined(PMUMAP_AMU_HW_IMPLEMENTED_)
#define PMUMAP_AMU_HW_IMPLEMENTED_

/* ---- amu/masks.h: Which counters exist, and who can read them */
PMUMAP_DEF int pmumap_amu_reconcile(uint16_t described, uint16_t enable, uint16_t implemented,
				    uint16_t readable, enum pmumap_amu_mismatch *why)
{
	uint32_t i;

	for (i = 0; i < 16; i++) {
		uint32_t bit = 1u << i;

		if ((enable & bit) && !(described & bit))
			*why = PMUMAP_AMU_NOT_DESCRIBED;
		else if (((enable | described) & bit) && !(implemented & bit))
			*why = PMUMAP_AMU_NOT_IMPLEMENTED;
		else if ((enable & bit) && !(readable & bit))
			*why = PMUMAP_AMU_NOT_READABLE;
		else
			continue;
		return (int)i;
	}
	*why = PMUMAP_AMU_FITS;
	return -1;
}

PMUMAP_DEF uint16_t pmumap_amu_implemented(uint64_t amcfgr, uint64_t amcgcr, int v1p1,
					   uint64_t amcg1idr)
{
	uint32_t n = (uint32_t)amcgcr >> 8 & 0xff;

	if (((uint32_t)amcfgr >> 28 & 0xf) == 0)
		return 0;
	return (uint16_t)(v1p1 ? amcg1idr : n < 16 ? (1u << n) - 1 : 0xffff);
}

PMUMAP_DEF uint16_t pmumap_amu_readable(const struct pmumap_amu_access *access, uint32_t group,
					uint16_t implemented)
{
	uint32_t traps = (uint32_t)(group ? access->hafgrtr_el2 >> 18 : access->hafgrtr_el2 >> 1);
	uint32_t n, trapped = 0;

	if ((access->el < 3 && (access->cptr_el3 & PMUMAP_AMU_TAM)) ||
	    (access->el < 2 && (access->cptr_el2 & PMUMAP_AMU_TAM)) ||
	    (access->el < 1 && !(access->amuserenr & 1)) ||
	    (group && access->el < access->highest_el && (access->amcr & PMUMAP_AMU_CG1RZ)))
		return 0;
	for (n = 0; n < 16 && access->el < 2; n++) {
		trapped |= (traps & 1) << n;
		traps >>= group ? 2 : 1;
	}
	return (uint16_t)(implemented & ~trapped);
}

/* ---- amu/native.h: This CPU's own system registers: the register's number is part of the instruction */
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

/* ---- amu/hw.h: Operate activity monitors */
#define PMUMAP_AMU_IS_NATIVE_(hw) (PMUMAP_AMU_HAS_NATIVE_ && !(hw)->read)

static inline int pmumap_amu_may_write_(const struct pmumap_amu_hw *hw)
{
	return PMUMAP_AMU_IS_NATIVE_(hw) ? PMUMAP_AMU_MAY_WRITE_ : hw->write != 0;
}

/* Access a register without a barrier: by one instruction if native and reg is a constant. */
#define PMUMAP_AMU_GET_(hw, reg)                                                                   \
	(PMUMAP_AMU_IS_NATIVE_(hw) ? PMUMAP_AMU_NATIVE_READ_(reg) : (hw)->read((hw)->arg, reg))
#define PMUMAP_AMU_SET_(hw, reg, value)                                                            \
	(PMUMAP_AMU_IS_NATIVE_(hw) ? PMUMAP_AMU_NATIVE_WRITE_(reg, value)                          \
				   : (hw)->write((hw)->arg, reg, value))

/* Earlier writes take effect before what follows, and no later read comes before. */
static inline void pmumap_amu_wait_(const struct pmumap_amu_hw *hw)
{
	if (PMUMAP_AMU_IS_NATIVE_(hw))
		PMUMAP_AMU_BARRIER_();
}

PMUMAP_DEF int pmumap_amu_probe(struct pmumap_amu_hw *hw)
{
	uint64_t cfgr, cgcr, g1idr = 0;
	uint32_t group0;

	hw->implemented[0] = hw->implemented[1] = hw->offsets[0] = hw->offsets[1] = 0;
	hw->version = (uint32_t)PMUMAP_AMU_GET_(hw, PMUMAP_AMU_ID) & 15;
	if (hw->version == 0)
		return 0;
	cfgr = PMUMAP_AMU_GET_(hw, PMUMAP_AMU_CFGR);
	cgcr = PMUMAP_AMU_GET_(hw, PMUMAP_AMU_CGCR);
	group0 = (uint32_t)cgcr & 0xff;
	hw->implemented[0] = (uint16_t)((1u << (group0 < 4 ? group0 : 4)) - 1);
	if (hw->version > 1) {
		if (cfgr >> 28 & 15)
			g1idr = PMUMAP_AMU_GET_(hw, PMUMAP_AMU_CG1IDR);
		hw->offsets[0] = hw->implemented[0] & 0xd; /* counter 1 has none */
		hw->offsets[1] = (uint16_t)(g1idr & g1idr >> 16);
	}
	hw->implemented[1] = pmumap_amu_implemented(cfgr, cgcr, hw->version > 1, g1idr);
	return 1;
}

/* Read a register of a counter; reg: that of counter 0 in group 0. Returns 0 if it is missing. */
static inline uint64_t pmumap_amu_get_of_counter_(const struct pmumap_amu_hw *hw, uint32_t reg,
						  uint32_t group, uint32_t n)
{
	if (group > 1 || n > 15 || !(hw->implemented[group] >> n & 1))
		return 0;
	pmumap_amu_wait_(hw);
	return PMUMAP_AMU_GET_(hw, reg + 0x40 * group + n);
}

PMUMAP_DEF uint64_t pmumap_amu_read(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n)
{
	return pmumap_amu_get_of_counter_(hw, PMUMAP_AMU_EVCNTR0, group, n);
}

PMUMAP_DEF uint32_t pmumap_amu_event(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n)
{
	return (uint32_t)pmumap_amu_get_of_counter_(hw, PMUMAP_AMU_EVTYPER0, group, n) & 0xffff;
}

PMUMAP_DEF uint16_t pmumap_amu_running(struct pmumap_amu_hw *hw, uint32_t group)
{
	uint32_t reg = group ? PMUMAP_AMU_CNTENSET1 : PMUMAP_AMU_CNTENSET0;

	if (group > 1 || !hw->implemented[group])
		return 0;
	return (uint16_t)(PMUMAP_AMU_GET_(hw, reg) & hw->implemented[group]);
}

/* Stop and start counters of a group; others keep running or stopped. No barrier. */
static inline void pmumap_amu_switch_(struct pmumap_amu_hw *hw, uint32_t group, uint32_t stop,
				      uint32_t start)
{
	if (stop)
		PMUMAP_AMU_SET_(hw, group ? PMUMAP_AMU_CNTENCLR1 : PMUMAP_AMU_CNTENCLR0, stop);
	if (start)
		PMUMAP_AMU_SET_(hw, group ? PMUMAP_AMU_CNTENSET1 : PMUMAP_AMU_CNTENSET0, start);
}

PMUMAP_DEF int pmumap_amu_run(struct pmumap_amu_hw *hw, uint32_t group, uint16_t counters)
{
	if (!pmumap_amu_may_write_(hw) || group > 1 ||
	    (counters & ~(uint32_t)hw->implemented[group]))
		return 0;
	pmumap_amu_switch_(hw, group, hw->implemented[group] & ~(uint32_t)counters, counters);
	pmumap_amu_wait_(hw);
	return 1;
}

PMUMAP_DEF uint16_t pmumap_amu_enable(struct pmumap_amu_hw *hw, uint32_t group, uint16_t counters,
				      uint16_t allowed)
{
	counters &= group < 2 ? allowed & hw->implemented[group] : 0;
	return pmumap_amu_run(hw, group, counters) ? counters : 0;
}

PMUMAP_DEF int pmumap_amu_control(struct pmumap_amu_hw *hw, uint64_t amcr)
{
	if (!hw->version || !pmumap_amu_may_write_(hw))
		return 0;
	PMUMAP_AMU_SET_(hw, PMUMAP_AMU_CR, amcr);
	pmumap_amu_wait_(hw);
	return 1;
}

/* clang-format off */
/*
 * Save or restore a counter if it exists, and its offset. The registers of the groups are 0x40
 * apart, of offsets 0x10. Counter 1 of group 0 has no offset, and the events of group 0 are fixed.
 */
#define PMUMAP_AMU_SAVE_(group, n, get, get_count, get_offset)                                     \
	if (hw->implemented[group] >> (n) & 1) {                                                   \
		get_count(PMUMAP_AMU_EVCNTR0 + 0x40 * (group) + (n),                               \
			  state->count[4 * (group) + (n)]);                                        \
		if (group) {                                                                       \
			get(PMUMAP_AMU_EVTYPER1 + (n), event);                                     \
			state->event[n] = (uint16_t)event;                                         \
		}                                                                                  \
		if (((group) || (n) != 1) && (hw->offsets[group] >> (n) & 1)) {                    \
			get_offset(PMUMAP_AMU_EVCNTVOFF0 + 0x10 * (group) + (n),                   \
				   state->offset[4 * (group) + (n)]);                              \
		}                                                                                  \
	}
#define PMUMAP_AMU_RESTORE_(group, n, get, set, set_count, set_offset)                             \
	if (hw->implemented[group] >> (n) & 1) {                                                   \
		set_count(PMUMAP_AMU_EVCNTR0 + 0x40 * (group) + (n),                               \
			  state->count[4 * (group) + (n)]);                                        \
		if (group) {                                                                       \
			get(PMUMAP_AMU_EVTYPER1 + (n), event);                                     \
			if ((uint16_t)event != state->event[n]) {                                  \
				event = state->event[n];                                           \
				set(PMUMAP_AMU_EVTYPER1 + (n), event);                             \
			}                                                                          \
		}                                                                                  \
		if (((group) || (n) != 1) && (hw->offsets[group] >> (n) & 1)) {                    \
			set_offset(PMUMAP_AMU_EVCNTVOFF0 + 0x10 * (group) + (n),                   \
				   state->offset[4 * (group) + (n)]);                              \
		}                                                                                  \
	}

/* Element i of a state: by instructions, for which i is a constant; and by calls. */
#define PMUMAP_AMU_NATIVE_SAVE_(i)                                                                 \
	PMUMAP_AMU_SAVE_((i) > 3, (i) > 3 ? (i) - 4 : (i), PMUMAP_AMU_MRS_,                        \
			 PMUMAP_AMU_MRS_COUNT_, PMUMAP_AMU_MRS_OFFSET_)
#define PMUMAP_AMU_NATIVE_RESTORE_(i)                                                              \
	PMUMAP_AMU_RESTORE_((i) > 3, (i) > 3 ? (i) - 4 : (i), PMUMAP_AMU_MRS_, PMUMAP_AMU_MSR_,    \
			    PMUMAP_AMU_MSR_COUNT_, PMUMAP_AMU_MSR_OFFSET_)
#define PMUMAP_AMU_READ_EVENT_(reg, v) ((v) = (uint16_t)hw->read(hw->arg, reg))
#define PMUMAP_AMU_READ_(reg, v) ((v) = hw->read(hw->arg, reg))
#define PMUMAP_AMU_WRITE_(reg, v) hw->write(hw->arg, reg, v)
#define PMUMAP_AMU_READ_OFFSET_(reg, v) if (hw->write_offset) PMUMAP_AMU_READ_(reg, v)
#define PMUMAP_AMU_WRITE_OFFSET_(reg, v) if (hw->write_offset) hw->write_offset(hw->arg, reg, v)
/* clang-format on */

PMUMAP_DEF int pmumap_amu_save(struct pmumap_amu_hw *hw, struct pmumap_amu_state *state)
{
	size_t event;
	uint32_t i;

	if (!hw->version || !pmumap_amu_may_write_(hw))
		return 0;
	state->amcr = PMUMAP_AMU_GET_(hw, PMUMAP_AMU_CR);
	for (i = 0; i < 2; i++) {
		state->running[i] = pmumap_amu_running(hw, i);
		pmumap_amu_switch_(hw, i, state->running[i], 0);
	}
	pmumap_amu_wait_(hw);
	if (PMUMAP_AMU_IS_NATIVE_(hw)) {
		PMUMAP_AMU_NATIVE_EACH_(PMUMAP_AMU_NATIVE_SAVE_)
		return 1;
	}
	for (i = 0; i < 32; i++) {
		PMUMAP_AMU_SAVE_(i / 16, i % 16, PMUMAP_AMU_READ_EVENT_, PMUMAP_AMU_READ_,
				 PMUMAP_AMU_READ_OFFSET_)
	}
	return 1;
}

PMUMAP_DEF int pmumap_amu_restore(struct pmumap_amu_hw *hw, const struct pmumap_amu_state *state)
{
	uint32_t i, running = 0;
	size_t event;

	if (!hw->version || !pmumap_amu_may_write_(hw))
		return 0;
	for (i = 0; i < 2; i++)
		running |= (uint32_t)pmumap_amu_running(hw, i) << 16 * i;
	if (running) {
		pmumap_amu_switch_(hw, 0, running & 0xffff, 0);
		pmumap_amu_switch_(hw, 1, running >> 16, 0);
		pmumap_amu_wait_(hw);
	}
	PMUMAP_AMU_SET_(hw, PMUMAP_AMU_CR, state->amcr);
	if (PMUMAP_AMU_IS_NATIVE_(hw)) {
		PMUMAP_AMU_NATIVE_EACH_(PMUMAP_AMU_NATIVE_RESTORE_)
	} else {
		for (i = 0; i < 32; i++) {
			PMUMAP_AMU_RESTORE_(i / 16, i % 16, PMUMAP_AMU_READ_EVENT_,
					    PMUMAP_AMU_WRITE_, PMUMAP_AMU_WRITE_,
					    PMUMAP_AMU_WRITE_OFFSET_)
		}
	}
	for (i = 0; i < 2; i++)
		pmumap_amu_switch_(hw, i, 0, state->running[i] & (uint32_t)hw->implemented[i]);
	pmumap_amu_wait_(hw);
	return 1;
}

/* Report version 1, because the view has no register that tells gaps between counters. */
static inline uint64_t pmumap_amu_mapped_read_(void *arg, uint32_t reg)
{
	const volatile uint32_t *view = (const volatile uint32_t *)arg;
	uint32_t n = reg & 15, high, low, again;

	switch (reg & ~15u) {
	case PMUMAP_AMU_ID:
		return 1;
	case PMUMAP_AMU_EVTYPER0:
		return view[0x400 / 4 + n];
	case PMUMAP_AMU_EVTYPER1:
		return view[0x480 / 4 + n];
	case PMUMAP_AMU_EVCNTR0:
	case PMUMAP_AMU_EVCNTR1:
		view += 2 * n + (reg - n == PMUMAP_AMU_EVCNTR1 ? 0x100 / 4 : 0);
		high = view[1];
		low = view[0];
		again = view[1];
		if (again != high)
			low = view[0];
		return (uint64_t)again << 32 | low;
	default:
		return reg == PMUMAP_AMU_CFGR        ? view[0xe00 / 4]
		       : reg == PMUMAP_AMU_CGCR      ? view[0xce0 / 4]
		       : reg == PMUMAP_AMU_CNTENSET0 ? view[0xc00 / 4]
		       : reg == PMUMAP_AMU_CNTENSET1 ? view[0xc04 / 4]
						     : 0;
	}
}

PMUMAP_DEF void pmumap_amu_mapped(struct pmumap_amu_hw *hw, const volatile void *base)
{
	hw->read = pmumap_amu_mapped_read_;
	hw->write = hw->write_offset = 0;
	hw->arg = (void *)(size_t)base;
}

#endif /* PMUMAP_AMU_HW_IMPLEMENTED_ */

#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
