/* SPDX-License-Identifier: BSD-2-Clause */
/* Activity monitors of a CPU */
#pragma once

#include "core/linkage.h"

/*
 * An activity monitor register is CRm << 3 | op2 of its name S3_3_C13_CRm_op2 (of EVCNTVOFF:
 * S3_4_C13_CRm_op2); n is added to these.
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
 * The activity monitors of the CPU that runs this. Fill in read, the writes and arg, or let
 * pmumap_amu_native() or pmumap_amu_mapped() do it; then pmumap_amu_probe(). Groups: 0 has the four
 * that the architecture defines, 1 the auxiliary ones of struct pmumap_amu_cpu.
 */
struct pmumap_amu_hw {
	uint64_t (*read)(void *arg, uint32_t reg);
	/* NULL below the highest exception level: nothing but offsets can be changed */
	void (*write)(void *arg, uint32_t reg, uint64_t value);
	/* EVCNTVOFF; NULL below EL2, where it cannot be read either */
	void (*write_offset)(void *arg, uint32_t reg, uint64_t value);
	void *arg;
	uint32_t version;        /* 0: none; 1: FEAT_AMUv1; 2: FEAT_AMUv1p1 */
	uint16_t implemented[2]; /* of each group; no other counter is ever touched */
	uint16_t offsets[2];     /* those of them that have an offset */
};

/*
 * Find what there is, each register only after the one that says that it is there. Returns 1, or 0:
 * no activity monitors. AArch32 and the mapped view cannot tell gaps between auxiliary counters:
 * where a CPU has some, clear their bits of implemented[1].
 *
 * Below EL3 this traps if firmware has set CPTR_EL3.TAM. If it has set AMCR.CG1RZ, auxiliary
 * counters read as 0 without a trap: ask pmumap_amu_readable() for implemented[1].
 */
PMUMAP_API int pmumap_amu_probe(struct pmumap_amu_hw *hw);

/* A counter's value, and the event it counts; 0 for one that is not there. */
PMUMAP_API uint64_t pmumap_amu_count(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n);
PMUMAP_API uint32_t pmumap_amu_event(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n);

/* Which counters of a group run. */
PMUMAP_API uint16_t pmumap_amu_running(struct pmumap_amu_hw *hw, uint32_t group);

/*
 * Let exactly these counters run; or, with enable, those of them that are implemented and allowed,
 * which it returns. Set a counter's value, or the event of an auxiliary one; the counter is stopped
 * meanwhile, as the architecture demands. An event that is fixed in hardware can only be set to
 * what it is: anything else traps.
 *
 * Return 1; or 0, nothing changed: a counter is not there (pmumap_amu_reconcile() tells which), or
 * hw cannot write, which only the highest exception level can.
 */
PMUMAP_API int pmumap_amu_run(struct pmumap_amu_hw *hw, uint32_t group, uint16_t counters);
PMUMAP_API uint16_t pmumap_amu_enable(struct pmumap_amu_hw *hw, uint32_t group, uint16_t counters,
				      uint16_t allowed);
PMUMAP_API int pmumap_amu_preset(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n,
				 uint64_t value);
PMUMAP_API int pmumap_amu_set_event(struct pmumap_amu_hw *hw, uint32_t n, uint16_t event);

/*
 * What is subtracted from a counter when EL1 or EL0 reads it, if HCR_EL2.AMVOFFEN is set; 0 where
 * there is no offset. For EL2, where it traps unless SCR_EL3.AMVOFFEN is set, and EL3.
 */
PMUMAP_API uint64_t pmumap_amu_offset(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n);
PMUMAP_API int pmumap_amu_set_offset(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n,
				     uint64_t value);

/* What a CPU loses with its power. Element n: counter n of group 0; n + 4: counter n of group 1. */
struct pmumap_amu_state {
	uint64_t amcr, count[20], offset[20];
	uint16_t event[20], running[2];
};

/*
 * Stop all counters and save what a power-down loses; later set all of it again, and let the same
 * counters run, even if the CPU has kept its power. Return 1; or 0, nothing done: hw cannot write,
 * or there are no activity monitors.
 */
PMUMAP_API int pmumap_amu_save(struct pmumap_amu_hw *hw, struct pmumap_amu_state *state);
PMUMAP_API int pmumap_amu_restore(struct pmumap_amu_hw *hw, const struct pmumap_amu_state *state);

/* The memory-mapped view at base, of any CPU: read-only, in 32-bit accesses. */
PMUMAP_API void pmumap_amu_mapped(struct pmumap_amu_hw *hw, const volatile void *base);

#if defined(__aarch64__) || (defined(__arm__) && __ARM_ARCH >= 8 && __ARM_ARCH_PROFILE == 'A')
/* The system registers: written with PMUMAP_AMU_HIGHEST_EL; offsets also with PMUMAP_AMU_EL2. */
PMUMAP_API void pmumap_amu_native(struct pmumap_amu_hw *hw);
#endif
