/* SPDX-License-Identifier: BSD-2-Clause */
/* A CPU's activity monitors */
#pragma once

#include "core/linkage.h"

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
