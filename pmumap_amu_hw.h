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

/*
 * Which implemented counters of a group this exception level can read. Group 0 is the
 * architecture's, 1 the auxiliary one. Reading others traps or yields 0.
 */
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
	/* NULL below the highest exception level, where only offsets can change */
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
 * Run exactly these counters of a group. enable runs and returns those that are also implemented
 * and allowed.
 *
 * Returns  1; or 0, and nothing changes: a counter is missing (pmumap_amu_reconcile() tells which),
 *          or hw cannot write, below the highest exception level.
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
/* Use the system registers. PMUMAP_AMU_HIGHEST_EL permits writes, PMUMAP_AMU_EL2 only offsets. */
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
	if (v1p1)
		return (uint16_t)amcg1idr;
	return (uint16_t)(n < 16 ? (1u << n) - 1 : 0xffff);
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

/* ---- core/compiler.h: Keep compilers from calling libc */
#ifndef PMUMAP_HAS_CORE_COMPILER_
#define PMUMAP_HAS_CORE_COMPILER_
#ifdef __GNUC__
/* For loops like memset, memcpy or strlen, which compilers replace by calls, even freestanding. */
#define PMUMAP_NO_LIBCALL_() __asm__ __volatile__("" : : : "memory")
/*
 * Load the value before the branch that depends on it, so that the compiler can select without a
 * branch. On x86-64 a selector takes 3 ns instead of 9 if keys come in random order.
 */
#define PMUMAP_LOADED_(x) __asm__ __volatile__("" : "+r"(x))
/* Never inline: a fast path needs no stack frame then, and gcc -Os makes no copies. */
#define PMUMAP_OUTLINE_ static __attribute__((__noinline__, __unused__))
/* Inline even when optimising for size: the call would be larger. */
#define PMUMAP_ALWAYS_INLINE_ static inline __attribute__((__always_inline__))
/* Inline into callers unless optimising for size: a leaf look-up needs no stack frame. */
#ifdef __OPTIMIZE_SIZE__
#define PMUMAP_INLINE_ static inline
#else
#define PMUMAP_INLINE_ PMUMAP_ALWAYS_INLINE_
#endif
/* Where unaligned big-endian loads are one instruction, a call would be larger. */
#ifdef __powerpc64__
#define PMUMAP_LOAD_ PMUMAP_ALWAYS_INLINE_
#else
#define PMUMAP_LOAD_ static inline
#endif
/* Memory of this type may be accessed as another type. */
#define PMUMAP_MAY_ALIAS_ __attribute__((__may_alias__))
/* Runs once per boot; optimised for size even at -O2. Not for work per node or per name. */
#define PMUMAP_COLD_ __attribute__((__cold__))
#else
#define PMUMAP_NO_LIBCALL_() ((void)0)
#define PMUMAP_LOADED_(x) ((void)0)
#define PMUMAP_OUTLINE_ static inline
#define PMUMAP_ALWAYS_INLINE_ static inline
#define PMUMAP_INLINE_ static inline
#define PMUMAP_LOAD_ static inline
#define PMUMAP_MAY_ALIAS_
#define PMUMAP_COLD_
#endif
#endif /* PMUMAP_HAS_CORE_COMPILER_ */

/* ---- amu/native.h: This CPU's own system registers: the register's number is part of the instruction */
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

/* ---- amu/hw.h: Operate activity monitors */
#define PMUMAP_AMU_IS_NATIVE_(hw) (PMUMAP_AMU_HAS_NATIVE_ && !(hw)->read)

static inline int pmumap_amu_may_write_(const struct pmumap_amu_hw *hw)
{
	return PMUMAP_AMU_IS_NATIVE_(hw) ? PMUMAP_AMU_MAY_WRITE_ : hw->write != 0;
}

/* Access a register without a barrier. */
PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_amu_get_(const struct pmumap_amu_hw *hw, uint32_t reg)
{
	return PMUMAP_AMU_IS_NATIVE_(hw) ? PMUMAP_AMU_NATIVE_READ_(reg) : hw->read(hw->arg, reg);
}

PMUMAP_ALWAYS_INLINE_ void pmumap_amu_set_(const struct pmumap_amu_hw *hw, uint32_t reg,
					   uint64_t value)
{
	if (PMUMAP_AMU_IS_NATIVE_(hw))
		PMUMAP_AMU_NATIVE_WRITE_(reg, value);
	else
		hw->write(hw->arg, reg, value);
}

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
	hw->version = (uint32_t)pmumap_amu_get_(hw, PMUMAP_AMU_ID) & 15;
	if (hw->version == 0)
		return 0;
	cfgr = pmumap_amu_get_(hw, PMUMAP_AMU_CFGR);
	cgcr = pmumap_amu_get_(hw, PMUMAP_AMU_CGCR);
	group0 = (uint32_t)cgcr & 0xff;
	hw->implemented[0] = (uint16_t)((1u << (group0 < 4 ? group0 : 4)) - 1);
	if (hw->version > 1) {
		if (cfgr >> 28 & 15)
			g1idr = pmumap_amu_get_(hw, PMUMAP_AMU_CG1IDR);
		hw->offsets[0] = hw->implemented[0] & 0xd; /* counter 1 has none */
		hw->offsets[1] = (uint16_t)(g1idr & g1idr >> 16);
	}
	hw->implemented[1] = pmumap_amu_implemented(cfgr, cgcr, hw->version > 1, g1idr);
	return 1;
}

/* Read a register of a counter; reg: that of counter 0 in group 0. Returns 0 if it is missing. */
PMUMAP_OUTLINE_ uint64_t pmumap_amu_get_of_counter_(const struct pmumap_amu_hw *hw, uint32_t reg,
						    uint32_t group, uint32_t n)
{
	if (group > 1 || n > 15 || !(hw->implemented[group] >> n & 1))
		return 0;
	pmumap_amu_wait_(hw);
	return pmumap_amu_get_(hw, reg + 0x40 * group + n);
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
	uint64_t running;

	if (group > 1 || !hw->implemented[group])
		return 0;
	running = group ? pmumap_amu_get_(hw, PMUMAP_AMU_CNTENSET1)
			: pmumap_amu_get_(hw, PMUMAP_AMU_CNTENSET0);
	return (uint16_t)(running & hw->implemented[group]);
}

/* Stop and start counters of a group; others keep running or stopped. No barrier. */
static inline void pmumap_amu_switch_(struct pmumap_amu_hw *hw, uint32_t group, uint32_t stop,
				      uint32_t start)
{
	if (stop && group)
		pmumap_amu_set_(hw, PMUMAP_AMU_CNTENCLR1, stop);
	else if (stop)
		pmumap_amu_set_(hw, PMUMAP_AMU_CNTENCLR0, stop);
	if (start && group)
		pmumap_amu_set_(hw, PMUMAP_AMU_CNTENSET1, start);
	else if (start)
		pmumap_amu_set_(hw, PMUMAP_AMU_CNTENSET0, start);
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
	uint16_t run = 0;

	if (group < 2)
		run = counters & allowed & hw->implemented[group];
	return pmumap_amu_run(hw, group, run) ? run : 0;
}

PMUMAP_DEF int pmumap_amu_control(struct pmumap_amu_hw *hw, uint64_t amcr)
{
	if (!hw->version || !pmumap_amu_may_write_(hw))
		return 0;
	pmumap_amu_set_(hw, PMUMAP_AMU_CR, amcr);
	pmumap_amu_wait_(hw);
	return 1;
}

/* Save or restore a stopped counter by calls. The groups' EVCNTR are 0x40 apart, EVCNTVOFF 0x10. */
static inline void pmumap_amu_save_counter_(const struct pmumap_amu_hw *hw,
					    struct pmumap_amu_state *state, uint32_t group,
					    uint32_t n)
{
	uint32_t element = 4 * group + n;

	state->count[element] = hw->read(hw->arg, PMUMAP_AMU_EVCNTR0 + 0x40 * group + n);
	if (group)
		state->event[n] = (uint16_t)hw->read(hw->arg, PMUMAP_AMU_EVTYPER1 + n);
	if (hw->write_offset && (hw->offsets[group] >> n & 1))
		state->offset[element] =
			hw->read(hw->arg, PMUMAP_AMU_EVCNTVOFF0 + 0x10 * group + n);
}

static inline void pmumap_amu_restore_counter_(const struct pmumap_amu_hw *hw,
					       const struct pmumap_amu_state *state, uint32_t group,
					       uint32_t n)
{
	uint32_t element = 4 * group + n, event = PMUMAP_AMU_EVTYPER1 + n;

	hw->write(hw->arg, PMUMAP_AMU_EVCNTR0 + 0x40 * group + n, state->count[element]);
	if (group && (uint16_t)hw->read(hw->arg, event) != state->event[n])
		hw->write(hw->arg, event, state->event[n]);
	if (hw->write_offset && (hw->offsets[group] >> n & 1))
		hw->write_offset(hw->arg, PMUMAP_AMU_EVCNTVOFF0 + 0x10 * group + n,
				 state->offset[element]);
}

PMUMAP_DEF int pmumap_amu_save(struct pmumap_amu_hw *hw, struct pmumap_amu_state *state)
{
	uint32_t i;

	if (!hw->version || !pmumap_amu_may_write_(hw))
		return 0;
	state->amcr = pmumap_amu_get_(hw, PMUMAP_AMU_CR);
	for (i = 0; i < 2; i++) {
		state->running[i] = pmumap_amu_running(hw, i);
		pmumap_amu_switch_(hw, i, state->running[i], 0);
	}
	pmumap_amu_wait_(hw);
	if (PMUMAP_AMU_IS_NATIVE_(hw)) {
		PMUMAP_AMU_NATIVE_SAVE_(hw, state);
		return 1;
	}
	for (i = 0; i < 32; i++) {
		if (hw->implemented[i / 16] >> i % 16 & 1)
			pmumap_amu_save_counter_(hw, state, i / 16, i % 16);
	}
	return 1;
}

PMUMAP_DEF int pmumap_amu_restore(struct pmumap_amu_hw *hw, const struct pmumap_amu_state *state)
{
	uint32_t i, running = 0;

	if (!hw->version || !pmumap_amu_may_write_(hw))
		return 0;
	for (i = 0; i < 2; i++) {
		uint32_t stop = pmumap_amu_running(hw, i);

		pmumap_amu_switch_(hw, i, stop, 0);
		running |= stop;
	}
	if (running)
		pmumap_amu_wait_(hw);
	pmumap_amu_set_(hw, PMUMAP_AMU_CR, state->amcr);
	if (PMUMAP_AMU_IS_NATIVE_(hw)) {
		PMUMAP_AMU_NATIVE_RESTORE_(hw, state);
	} else {
		for (i = 0; i < 32; i++) {
			if (hw->implemented[i / 16] >> i % 16 & 1)
				pmumap_amu_restore_counter_(hw, state, i / 16, i % 16);
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
