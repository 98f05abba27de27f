/* SPDX-License-Identifier: BSD-2-Clause */
/* A hart's counters, through CSRs and through SBI */
#pragma once

#include "riscv/builder_api.h"
#include "riscv/pmu_api.h"

/* Features like those above. */
#define PMUMAP_MCOUNTINHIBIT 8u /* counters can be stopped */
#define PMUMAP_TOLD 64u         /* to pmumap_hart_probe(): it has no others than these */

/*
 * One hart's counters through its CSRs, in M-mode or, where M-mode has delegated them, in S-mode.
 * Fill in read, write, arg and xlen, or let pmumap_hart_native() or pmumap_hart_delegated() do it;
 * then counters, width and features, or let pmumap_hart_probe() find them. All else has to be 0 at
 * first. read and write always get M-mode's numbers of CSRs.
 *
 * In S-mode, siselect is shared with all others that use it, such as drivers of AIA. Each function
 * leaves it as it was. But between its own two writes no handler may change it: disable interrupts,
 * or let handlers that use siselect restore it.
 */
struct pmumap_hart {
	uint64_t (*read)(void *arg, uint32_t csr); /* xlen bits */
	void (*write)(void *arg, uint32_t csr, uint64_t value);
	void *arg;
	uint32_t xlen;         /* 32 or 64 */
	uint32_t features;     /* CAN_FILTER, CAN_INTERRUPT, SMCNTRPMF, MCOUNTINHIBIT */
	uint32_t below;        /* 1: in S-mode */
	uint32_t counters;     /* bit N: mhpmcounterN exists */
	uint32_t width;        /* bits of the narrowest programmable counter */
	uint64_t selector[32]; /* what each start writes to mhpmevent: a suspend may have lost it */
	uint32_t direct;       /* 1: this hart's own, so also without read and write ... */
	signed char place[32]; /* ... each counter that was set, if it can be stopped */
	uint32_t whole;        /* bit N: programmable counter N has a place */
	uint32_t secret;       /* bit N: counter N has a value of a virtual CPU that left */
};

/*
 * Find counters by writing to them; all programmable ones are then 0 and count nothing. Features
 * that are found (Sscofpmf, by a programmable counter; Smcntrpmf; mcountinhibit) are added to those
 * that you know already. mcycle and minstret stay. In S-mode only counters are touched that M-mode
 * has delegated.
 *
 * A CSR that is not there may trap: the handler has to skip the instruction (4 bytes) and leave the
 * registers as they are, which then reads 0. Nothing traps if you have set features to all that the
 * hart has, with PMUMAP_TOLD and PMUMAP_MCOUNTINHIBIT: then counters are those that can be stopped.
 *
 * Returns counters.
 */
PMUMAP_API uint32_t pmumap_hart_probe(struct pmumap_hart *h);

/*
 * As in struct pmumap_pmu. set returns 0 for a counter that is not there, time, a selector that
 * counters 0 and 2 do not have, and one of more than 32 bits where RV32 has no mhpmeventh: nothing
 * is ever written in part. On RV32 a value is read and written whole, also while it counts.
 *
 * start writes the event again, and forgets an overflow unless the counter is running. Without
 * mcountinhibit the fixed counters never stop, and the others stop by counting no event.
 */
PMUMAP_API int pmumap_hart_set(struct pmumap_hart *h, uint32_t counter,
			       const struct pmumap_job *job);
PMUMAP_API void pmumap_hart_start(struct pmumap_hart *h, uint32_t counter, const uint64_t *value);
PMUMAP_API void pmumap_hart_stop(struct pmumap_hart *h, uint32_t counter, int release);
PMUMAP_API uint64_t pmumap_hart_read(struct pmumap_hart *h, uint32_t counter);
PMUMAP_API int pmumap_hart_overflowed(struct pmumap_hart *h, uint32_t counter);
PMUMAP_API void pmumap_hart_pmu(struct pmumap_hart *h, struct pmumap_pmu *pmu);

/*
 * The same with functions for sets of counters, for pmumap_vpmu_restore_sets(): all that a virtual
 * CPU takes along is moved by a few instructions for each counter.
 */
PMUMAP_API void pmumap_hart_sets(struct pmumap_hart *h, struct pmumap_pmu_sets *sets);

/*
 * In M-mode: let S-mode have these counters and no others (menvcfg, mstateen0, mcounteren), and
 * their interrupt (mideleg). mcycle is 0, minstret 2. All others stay yours, and S-mode cannot read
 * them. Call it where the tree names Smcdeleg (PMUMAP_DELEGATED), since some harts keep these bits
 * without it. A CSR that is not there may trap, as with pmumap_hart_probe().
 * Returns those that S-mode has now: leave them alone. 0: the hart cannot do that.
 */
PMUMAP_API uint32_t pmumap_hart_delegate(struct pmumap_hart *h, uint32_t counters);

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
	uint32_t features;  /* PMUMAP_CAN_INTERRUPT, as with Sscofpmf: there is scountovf */
	uint32_t counters;  /* hardware counters that the firmware grants */
	uint32_t width;     /* bits of the narrowest of them */
	uint32_t total;     /* numbers of counters, those of the firmware included */
	uint16_t index[32]; /* the number that SBI has for each of them */

	/* For pmumap_add_sbi() alone, both 0 if there is none: 16 bytes, aligned to 16. */
	void *shared;
	uint64_t shared_address; /* where the firmware finds them: a physical address */

	/* What follows only these functions change. */
	void *snapshot;     /* the page of pmumap_sbi_share(); NULL: none */
	uint32_t secret;    /* bit N: counter N is free, but has a value of who had it last ... */
	uint32_t event[32]; /* ... and can be wiped with the event that it had */
	uint64_t data[32];
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
 * The same with functions for sets of counters. k counters that leave and come again cost 2k + 1
 * calls: one STOP, a CONFIG_MATCHING and a START for each. After pmumap_sbi_share() they cost
 * k + 2, because one START takes all values from the page. To wipe counters that the next virtual
 * CPU does not use costs one call for each, and two for all.
 */
PMUMAP_API void pmumap_sbi_sets(struct pmumap_sbi *s, struct pmumap_pmu_sets *sets);

/*
 * Share a page with the firmware (SNAPSHOT_SET_SHMEM), after pmumap_sbi_probe(): 4,096 bytes,
 * aligned to that, which the firmware finds at a physical address. It is the firmware's until the
 * hart stops; share it again afterwards. Returns 1, or 0 if the firmware has no snapshots.
 */
PMUMAP_API int pmumap_sbi_share(struct pmumap_sbi *s, void *page, uint64_t address);

/*
 * Add rows of what the firmware below says it can count. For where no tree says so, as in HS- and
 * S-mode, whose firmware keeps the tables to itself. Call it after pmumap_sbi_probe(), before
 * anything is counted; PMUMAP_BLOCK(0, 52, 0) is always enough.
 *
 * EVENT_GET_INFO tells which of SBI's 52 hardware and cache events there are, if you share memory
 * and the firmware has this call. Only CONFIG_MATCHING tells which counters an event can have: it
 * is called for each counter, does not start it, and the counter is released again. A counter that
 * is in use is left alone, and is in no row.
 *
 * Raw events are too many to ask for: none is in the map. Nor are selectors, which stay with the
 * firmware: plan with PMUMAP_RULE_ALWAYS. A map lets counters 0 and 2 count cycles and instructions
 * in any case: where the firmware does not, pmumap_sbi_set() returns 0.
 *
 * Returns  PMUMAP_OK.
 * Errors   E_NOTFOUND: no counters, so no PMU extension; and those of pmumap_add_counters().
 * Cost     at most 52 calls for the events, and two for each event and counter.
 */
PMUMAP_API enum pmumap_status pmumap_add_sbi(struct pmumap_builder *b, struct pmumap_sbi *s);

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

#if defined(__riscv) && !defined(PMUMAP_NO_NATIVE)
/* This machine's own CSRs, in M-mode and in S-mode; its own ecall and user counters. */
PMUMAP_API void pmumap_hart_native(struct pmumap_hart *h);
PMUMAP_API void pmumap_hart_delegated(struct pmumap_hart *h);
PMUMAP_API void pmumap_sbi_native(struct pmumap_sbi *s);
#endif
