/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "riscv/pmu.h"

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
