/* SPDX-License-Identifier: BSD-2-Clause */
/* A hart's counters, by CSRs or by SBI */
#pragma once

#include "riscv/builder_api.h"
#include "riscv/pmu_api.h"

/* More features. */
#define PMUMAP_MCOUNTINHIBIT 8u /* counters can be stopped */
#define PMUMAP_TOLD 64u         /* features are complete: pmumap_hart_probe() tests for no others */

/*
 * One hart's counters by CSRs: in M-mode, or in S-mode if they are delegated. First zero it. Then
 * call pmumap_hart_init_machine() or pmumap_hart_init_supervisor(), or set read, write, arg and
 * xlen. Then call pmumap_hart_probe(), or set counters, width and features. Once a counter was set,
 * only pmumap_hart_probe() may change them. read and write always get M-mode's CSR numbers.
 *
 * In S-mode, AIA drivers use siselect too. Each function restores it, but no handler may change it
 * meanwhile: disable interrupts, or let handlers restore it.
 */
struct pmumap_hart {
	uint64_t (*read)(void *arg, uint32_t csr); /* xlen bits */
	void (*write)(void *arg, uint32_t csr, uint64_t value);
	void *arg;
	uint32_t xlen;     /* 32 or 64 */
	uint32_t features; /* CAN_FILTER, CAN_INTERRUPT, SMCNTRPMF, MCOUNTINHIBIT */
	uint32_t below;    /* 1: in S-mode */
	uint32_t counters; /* bit N: mhpmcounterN exists */
	uint32_t width;    /* bits of the narrowest programmable counter */

	/* The members below are private. */
	uint64_t selector[32]; /* for mhpmevent at each start: a suspend may have lost it */
	uint64_t own, modes;   /* bits of programmable counters' mhpmevent: selector, modes */
	uint32_t direct;       /* 1: this hart's own CSRs; then no calls are needed for ... */
	signed char place[32]; /* ... each counter that was set, if it can be stopped */
	uint32_t whole;        /* bit N: programmable counter N has a place */
	uint32_t secret;       /* bit N: counter N has a value of a virtual CPU that left */
};

/*
 * Find counters by writing to them. Programmable counters are then 0 and stopped; mcycle and
 * minstret go on. Features found are added to yours: Sscofpmf, Smcntrpmf, mcountinhibit. S-mode
 * touches delegated counters only.
 *
 * A missing CSR may trap: your handler must skip the instruction (4 bytes) and keep the registers.
 * To avoid traps, set all features of the hart, PMUMAP_TOLD and PMUMAP_MCOUNTINHIBIT; then the
 * counters are those that can be stopped.
 *
 * Returns  counters.
 */
PMUMAP_API uint32_t pmumap_hart_probe(struct pmumap_hart *h);

/*
 * As in struct pmumap_pmu. set returns 0, and writes nothing, for a missing counter, for time, and
 * for an event that counters 0 and 2 cannot count; on RV32 without mhpmeventh, also for a selector
 * above 32 bits. RV32 accesses values whole even while the counter runs.
 *
 * start rewrites the event and clears the overflow, unless the counter runs. Without mcountinhibit,
 * fixed counters never stop; others stop by counting no event.
 */
PMUMAP_API int pmumap_hart_set(struct pmumap_hart *h, uint32_t counter,
			       const struct pmumap_job *job);
PMUMAP_API void pmumap_hart_start(struct pmumap_hart *h, uint32_t counter, const uint64_t *value);
PMUMAP_API void pmumap_hart_stop(struct pmumap_hart *h, uint32_t counter, int release);
PMUMAP_API uint64_t pmumap_hart_read(struct pmumap_hart *h, uint32_t counter);
PMUMAP_API int pmumap_hart_overflowed(struct pmumap_hart *h, uint32_t counter);
PMUMAP_API void pmumap_hart_as_pmu(struct pmumap_hart *h, struct pmumap_pmu *pmu);

/*
 * Add functions that move sets of counters, for pmumap_vpmu_restore_sets(). They take a few
 * instructions per counter.
 */
PMUMAP_API void pmumap_hart_sets(struct pmumap_hart *h, struct pmumap_pmu_sets *sets);

/*
 * Delegate these counters, and no others, from M-mode to S-mode: menvcfg, mstateen0, mcounteren,
 * and mideleg for their interrupt. Bit 0 is mcycle, bit 2 minstret. S-mode cannot read the others.
 * Call it only if the tree names Smcdeleg (PMUMAP_DELEGATED). A missing CSR may trap, as in
 * pmumap_hart_probe().
 * Returns  the counters that S-mode now owns: do not touch them. 0: the hart cannot delegate.
 */
PMUMAP_API uint32_t pmumap_hart_delegate(struct pmumap_hart *h, uint32_t counters);

/* Let lower modes read these counters, and no others (mcounteren). */
PMUMAP_API void pmumap_hart_permit(struct pmumap_hart *h, uint32_t counters);

/*
 * One hart's counters by SBI firmware, in S- or VS-mode. Set features; then call
 * pmumap_sbi_init(), or set call, read, arg and xlen; then call pmumap_sbi_probe().
 */
struct pmumap_sbi {
	struct pmumap_sbi_ret (*call)(void *arg, uint32_t function, const uint64_t *a); /* a0..a5 */
	uint64_t (*read)(void *arg, uint32_t csr);
	void *arg;
	uint32_t xlen;
	uint32_t features;  /* PMUMAP_CAN_INTERRUPT with Sscofpmf: scountovf exists */
	uint32_t counters;  /* hardware counters that the firmware grants */
	uint32_t width;     /* bits of the narrowest of them */
	uint32_t total;     /* number of SBI counters, including firmware ones */
	uint16_t index[32]; /* SBI's number for each counter */

	/* For pmumap_add_sbi() only: 16 bytes, aligned to 16; or 0 for both. */
	void *shared;
	uint64_t shared_address; /* their physical address */

	/* The members below are private. */
	void *snapshot;     /* the page of pmumap_sbi_share(), or NULL */
	uint32_t used;      /* bit N: counter N has a job */
	uint32_t readable;  /* bit N: counter N shows its count; otherwise it has counted 0 */
	uint32_t secret;    /* bit N: counter N has the value of another owner ... */
	uint32_t event[32]; /* ... which can be wiped with this last event */
	uint64_t data[32];
	unsigned char flags[32];
};

/* Query all counters. Returns counters; 0 without the PMU extension. */
PMUMAP_API uint32_t pmumap_sbi_probe(struct pmumap_sbi *s);

/*
 * As in struct pmumap_pmu. If the firmware refuses set, or configures another counter than the one
 * asked for, the counter is released. If it refuses a start at a value, the counter reads 0.
 */
PMUMAP_API int pmumap_sbi_set(struct pmumap_sbi *s, uint32_t counter, const struct pmumap_job *job);
PMUMAP_API void pmumap_sbi_start(struct pmumap_sbi *s, uint32_t counter, const uint64_t *value);
PMUMAP_API void pmumap_sbi_stop(struct pmumap_sbi *s, uint32_t counter, int release);
PMUMAP_API uint64_t pmumap_sbi_read(struct pmumap_sbi *s, uint32_t counter);
PMUMAP_API int pmumap_sbi_overflowed(struct pmumap_sbi *s, uint32_t counter);
PMUMAP_API void pmumap_sbi_as_pmu(struct pmumap_sbi *s, struct pmumap_pmu *pmu);

/*
 * Add functions that move sets of counters. A turn of k counters takes 2k + 1 calls: one STOP, and
 * a CONFIG_MATCHING and a START each; after pmumap_sbi_share(), k + 2. Wiping k counters that the
 * next virtual CPU leaves unused takes k + 2 calls.
 */
PMUMAP_API void pmumap_sbi_sets(struct pmumap_sbi *s, struct pmumap_pmu_sets *sets);

/*
 * Share a snapshot page with the firmware, after pmumap_sbi_probe(): 4,096 bytes, aligned to 4,096,
 * at this physical address. The firmware keeps it until the hart stops; then share it again.
 * Returns 1; or 0 if the firmware has no snapshots.
 */
PMUMAP_API int pmumap_sbi_share(struct pmumap_sbi *s, void *page, uint64_t address);

/*
 * Add rows for the events that the firmware can count: firmware hides its tables from S-mode. Call
 * it after pmumap_sbi_probe(), before anything counts. PMUMAP_BLOCK(0, 52, 0) is always enough.
 *
 * EVENT_GET_INFO tells which of SBI's 52 hardware and cache events exist, if you share memory.
 * CONFIG_MATCHING then tries each counter, without starting it, and releases it. Counters in use
 * get no row.
 *
 * The map has no raw events, which are too many to try, and no selectors: plan with
 * PMUMAP_RULE_ALWAYS and with free counters of s->counters only. If the firmware does not count
 * cycles on counter 0, or instructions on counter 2, that counter is no longer in s->counters,
 * because it can count nothing else: pmumap_plan() would offer it even without a row.
 *
 * Errors   E_NOTFOUND: no PMU extension; and those of pmumap_add_counters().
 * Cost     at most 52 calls for the events, and two per event and counter.
 */
PMUMAP_API enum pmumap_status pmumap_add_sbi(struct pmumap_builder *b, struct pmumap_sbi *s);

/*
 * The calls themselves, with SBI's counter numbers; a set is base and mask. On RV32 they split
 * 64-bit arguments into two registers, and fw_read returns all 64 bits.
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

#if defined(__riscv) && !defined(PMUMAP_NO_NATIVE)
/* Use this machine's own CSRs, in M-mode or in S-mode; or its own ecall and user counters. */
PMUMAP_API void pmumap_hart_init_machine(struct pmumap_hart *h);
PMUMAP_API void pmumap_hart_init_supervisor(struct pmumap_hart *h);
PMUMAP_API void pmumap_sbi_init(struct pmumap_sbi *s);
#endif
