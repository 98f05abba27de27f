/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "riscv/pmu.h"
#include "imc/api.h"

#define PMUMAP_MCOUNTINHIBIT 8u /* a feature like those above: mcounters can be stopped */

/*
 * One hart's counters through its CSRs, in M-mode. Fill in read, write, arg and xlen, or let
 * pmumap_hart_native() do it; then counters, width and features, or let pmumap_hart_probe() find
 * the first two and whether there is mcountinhibit. selector has to be 0 at first.
 */
struct pmumap_hart {
	uint64_t (*read)(void *arg, uint32_t csr); /* xlen bits */
	void (*write)(void *arg, uint32_t csr, uint64_t value);
	void *arg;
	uint32_t xlen;         /* 32 or 64 */
	uint32_t features;     /* PMUMAP_SSCOFPMF, PMUMAP_SMCNTRPMF, PMUMAP_MCOUNTINHIBIT */
	uint32_t counters;     /* that there are */
	uint32_t width;        /* bits of the narrowest programmable counter */
	uint64_t selector[32]; /* what a counter counts that is stopped without mcountinhibit */
};

/*
 * Find counters by writing to them; all programmable ones are then 0 and count nothing. A CSR that
 * is not there may trap: the handler has to skip the instruction (4 bytes), which then reads 0.
 * Returns counters.
 */
PMUMAP_API uint32_t pmumap_hart_probe(struct pmumap_hart *h);

/*
 * As in struct pmumap_pmu. set returns 0 for a counter that is not there, time, a selector that
 * counters 0 and 2 do not have, and one of more than 32 bits where RV32 has no mhpmeventh: nothing
 * is ever written in part. On RV32 a value is read and written whole, also while it counts.
 *
 * Without mcountinhibit the fixed counters never stop, and the others stop by counting no event.
 */
PMUMAP_API int pmumap_hart_set(struct pmumap_hart *h, uint32_t counter,
			       const struct pmumap_job *job);
PMUMAP_API void pmumap_hart_start(struct pmumap_hart *h, uint32_t counter, const uint64_t *value);
PMUMAP_API void pmumap_hart_stop(struct pmumap_hart *h, uint32_t counter, int release);
PMUMAP_API uint64_t pmumap_hart_read(struct pmumap_hart *h, uint32_t counter);
PMUMAP_API int pmumap_hart_overflowed(struct pmumap_hart *h, uint32_t counter);
PMUMAP_API void pmumap_hart_pmu(struct pmumap_hart *h, struct pmumap_pmu *pmu);

/* Let lower modes read these counters and no others (mcounteren). */
PMUMAP_API void pmumap_hart_permit(struct pmumap_hart *h, uint32_t counters);

/*
 * One hart's counters through SBI firmware, in S-mode or VS-mode. Fill in call, read, arg, xlen and
 * features, or let pmumap_sbi_native() do it (but for features); then pmumap_sbi_probe().
 */
struct pmumap_sbi {
	struct pmumap_sbi_ret (*call)(void *arg, uint32_t function, const uint64_t *a); /* a0..a5 */
	uint64_t (*read)(void *arg, uint32_t csr);
	void *arg;
	uint32_t xlen;
	uint32_t features;  /* PMUMAP_SSCOFPMF: there is scountovf */
	uint32_t counters;  /* hardware counters that the firmware grants */
	uint32_t width;     /* bits of the narrowest of them */
	uint32_t total;     /* numbers of counters, those of the firmware included */
	uint16_t index[32]; /* the number that SBI has for each of them */
};

/* Ask for all counters. Returns counters; 0 also where there is no PMU extension. */
PMUMAP_API uint32_t pmumap_sbi_probe(struct pmumap_sbi *s);

/* As in struct pmumap_pmu; but where the firmware refuses to set a counter, it is released. */
PMUMAP_API int pmumap_sbi_set(struct pmumap_sbi *s, uint32_t counter, const struct pmumap_job *job);
PMUMAP_API void pmumap_sbi_start(struct pmumap_sbi *s, uint32_t counter, const uint64_t *value);
PMUMAP_API void pmumap_sbi_stop(struct pmumap_sbi *s, uint32_t counter, int release);
PMUMAP_API uint64_t pmumap_sbi_read(struct pmumap_sbi *s, uint32_t counter);
PMUMAP_API int pmumap_sbi_overflowed(struct pmumap_sbi *s, uint32_t counter);
PMUMAP_API void pmumap_sbi_pmu(struct pmumap_sbi *s, struct pmumap_pmu *pmu);

/*
 * The calls themselves, with SBI's own numbers of counters; a set of them is base and mask. Where a
 * 64-bit argument takes two registers on RV32 it is split here. fw_read gives 64 bits, also on
 * RV32.
 */
PMUMAP_API struct pmumap_sbi_ret pmumap_sbi_match(struct pmumap_sbi *s, uint64_t base,
						  uint64_t mask, uint64_t flags, uint32_t event,
						  uint64_t data);
PMUMAP_API struct pmumap_sbi_ret pmumap_sbi_start_set(struct pmumap_sbi *s, uint64_t base,
						      uint64_t mask, uint64_t flags,
						      uint64_t value);
PMUMAP_API struct pmumap_sbi_ret pmumap_sbi_stop_set(struct pmumap_sbi *s, uint64_t base,
						     uint64_t mask, uint64_t flags);
PMUMAP_API struct pmumap_sbi_ret pmumap_sbi_fw_read(struct pmumap_sbi *s, uint64_t index);

#ifdef __riscv
/* This machine's own CSRs, in M-mode; its own ecall and user counters. */
PMUMAP_API void pmumap_hart_native(struct pmumap_hart *h);
PMUMAP_API void pmumap_sbi_native(struct pmumap_sbi *s);
#endif

/*
 * An activity monitor register is CRm << 3 | op2 of its name S3_3_C13_CRm_op2; n is added to these.
 */
enum {
	PMUMAP_AMU_ID = 0x00, /* the field AMU of ID_AA64PFR0_EL1 or ID_PFR0 */
	PMUMAP_AMU_CFGR = 0x11,
	PMUMAP_AMU_CGCR = 0x12,
	PMUMAP_AMU_CNTENCLR0 = 0x14,
	PMUMAP_AMU_CNTENSET0 = 0x15,
	PMUMAP_AMU_CG1IDR = 0x16,
	PMUMAP_AMU_CNTENCLR1 = 0x18,
	PMUMAP_AMU_CNTENSET1 = 0x19,
	PMUMAP_AMU_EVCNTR0 = 0x20,
	PMUMAP_AMU_EVTYPER0 = 0x30,
	PMUMAP_AMU_EVCNTR1 = 0x60,
	PMUMAP_AMU_EVTYPER1 = 0x70
};

/*
 * The activity monitors of the CPU that runs this. Fill in read, write and arg, or let
 * pmumap_amu_native() or pmumap_amu_mapped() do it; then pmumap_amu_probe(). Groups: 0 has the four
 * that the architecture defines, 1 the auxiliary ones of struct pmumap_amu_cpu.
 */
struct pmumap_amu_hw {
	uint64_t (*read)(void *arg, uint32_t reg);
	void (*write)(void *arg, uint32_t reg, uint64_t value); /* NULL: nothing can be changed */
	void *arg;
	uint32_t version;        /* 0: none; 1: FEAT_AMUv1; 2: FEAT_AMUv1p1 */
	uint16_t implemented[2]; /* of each group; no other counter is ever touched */
};

/*
 * Find what there is, each register only after the one that says that it is there. Returns 1, or 0:
 * no activity monitors. AArch32 and the mapped view cannot tell gaps between auxiliary counters:
 * where a CPU has some, clear their bits of implemented[1].
 */
PMUMAP_API int pmumap_amu_probe(struct pmumap_amu_hw *hw);

/* A counter's value, and the event it counts; 0 for one that is not there. */
PMUMAP_API uint64_t pmumap_amu_count(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n);
PMUMAP_API uint32_t pmumap_amu_event(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n);

/* Which counters of a group run. */
PMUMAP_API uint16_t pmumap_amu_running(struct pmumap_amu_hw *hw, uint32_t group);

/*
 * Let exactly these run; and set a counter's value, stopped meanwhile as the architecture demands.
 * Return 1; or 0, nothing changed: a counter is not there (pmumap_amu_reconcile() tells which), or
 * hw cannot write, which only the highest exception level can.
 */
PMUMAP_API int pmumap_amu_run(struct pmumap_amu_hw *hw, uint32_t group, uint16_t counters);
PMUMAP_API int pmumap_amu_preset(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n,
				 uint64_t value);

/* The memory-mapped view at base, of any CPU: read-only, in 32-bit accesses. */
PMUMAP_API void pmumap_amu_mapped(struct pmumap_amu_hw *hw, const volatile void *base);

#if defined(__aarch64__) || (defined(__arm__) && __ARM_ARCH >= 8 && __ARM_ARCH_PROFILE == 'A')
/* The system registers. They are written only where PMUMAP_AMU_HIGHEST_EL is defined. */
PMUMAP_API void pmumap_amu_native(struct pmumap_amu_hw *hw);
#endif

/*
 * Memory and core SCOMs of an IBM POWER machine, for firmware. load and store: big-endian words, as
 * numbers. scom: write a register of a core, by its address in that core's chiplet; 0: it failed.
 */
struct pmumap_imc_hw {
	uint64_t (*load)(void *arg, uint64_t phys);
	void (*store)(void *arg, uint64_t phys, uint64_t value);
	int (*scom)(void *arg, uint32_t core, uint32_t address, uint64_t value);
	void *arg;
};

/*
 * One word of the control block of a nest unit on a chip: PMUMAP_IMC_CB_STATUS, ..._COMMAND and so
 * on. Returns 1; or 0, nothing touched: no such unit, chip, word or control block.
 */
PMUMAP_API int pmumap_imc_cb_load(const struct pmumap *m, struct pmumap_imc_hw *hw, uint32_t unit,
				  uint32_t chip, uint32_t word, uint64_t *value);
PMUMAP_API int pmumap_imc_cb_store(const struct pmumap *m, struct pmumap_imc_hw *hw, uint32_t unit,
				   uint32_t chip, uint32_t word, uint64_t value);

/*
 * Core counters: let a core count into a page, stopped at first; run and stop it. And its trace:
 * the record of what fields say. generation: PMUMAP_IMC_P9 or PMUMAP_IMC_P10. Return 1; or 0: an
 * unknown generation, an address or a field out of range, nothing written; or a SCOM that failed.
 */
PMUMAP_API int pmumap_imc_core_init(struct pmumap_imc_hw *hw, unsigned generation, uint32_t core,
				    uint64_t page);
PMUMAP_API int pmumap_imc_core_run(struct pmumap_imc_hw *hw, unsigned generation, uint32_t core,
				   int run);
PMUMAP_API int pmumap_imc_trace_init(struct pmumap_imc_hw *hw, unsigned generation, uint32_t core,
				     const struct pmumap_imc_trace_scom *fields);
