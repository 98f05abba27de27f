/* SPDX-License-Identifier: BSD-2-Clause */
/* Choose counters, and describe what they count */
#pragma once

#include "riscv/map_api.h"

#define PMUMAP_BUSY (-1)        /* all counters that can count it are in use */
#define PMUMAP_UNSUPPORTED (-2) /* no counter can count it */

/* Features of the hart, and needs of a count. 8 is PMUMAP_MCOUNTINHIBIT. */
#define PMUMAP_CAN_INTERRUPT 1u /* programmable counters interrupt on overflow */
#define PMUMAP_CAN_FILTER 16u   /* programmable counters can filter modes */
#define PMUMAP_SSCOFPMF (PMUMAP_CAN_FILTER | PMUMAP_CAN_INTERRUPT)
#define PMUMAP_SMCNTRPMF 2u   /* mcycle and minstret can filter modes */
#define PMUMAP_MUST_FILTER 4u /* modes must be filtered: mcycle and minstret need SMCNTRPMF */
#define PMUMAP_DELEGATED 32u  /* M-mode can delegate counters: Smcdeleg, Ssccfg */

/* Modes in which a counter must not count, in the order of SBI's filter flags (bit 3 on). */
#define PMUMAP_INHIBIT_VU 1u
#define PMUMAP_INHIBIT_VS 2u
#define PMUMAP_INHIBIT_U 4u
#define PMUMAP_INHIBIT_S 8u
#define PMUMAP_INHIBIT_M 16u

/* What a counter is to count. */
struct pmumap_job {
	uint64_t data;     /* of the event */
	uint64_t selector; /* from pmumap_encode() */
	uint32_t event;
	uint32_t inhibit; /* modes, as far as the counter can filter them */
	uint32_t clear;   /* 1: count from 0 */
};

/*
 * Plan one event: choose the free counter that suits it best, the lowest of equals. *job gets the
 * event, its data and its selector; its other members are 0.
 *
 * free: the hart's unused counters, 0 and 2 included. Pass 0 to learn only whether the event is
 * supported (BUSY). If it is BUSY with all counters free, the tree promises counters that the hart
 * lacks.
 *
 * Fixed counters 0 and 2 count events 1 and 2 (cycles, instructions) even without a row, with
 * selector 0. If programmable counters can interrupt, the fixed ones (which cannot) are chosen
 * last, otherwise first. No other event gets counters 0 to 2.
 *
 * An event without a selector by the rule can use fixed counters only. UNSUPPORTED are also
 * firmware events and SBI's reserved types (4 to 14), even if a row covers them. FILTER does not
 * exclude programmable counters: check CAN_FILTER yourself.
 *
 * Returns  the counter, PMUMAP_BUSY or PMUMAP_UNSUPPORTED.
 */
PMUMAP_API int pmumap_plan(const struct pmumap *m, uint32_t event, uint64_t data, uint32_t free,
			   uint32_t features, unsigned rule, struct pmumap_job *job);

struct pmumap_want {
	uint64_t data;
	uint32_t event;
	uint32_t pinned;   /* in: 1: it already runs on counter, and stays there */
	int32_t counter;   /* out: as from pmumap_plan(); in, if pinned */
	uint32_t counters; /* out: all counters that can count it, free or not */
};

/*
 * Plan n events at once by the same rules. The assignment is optimal: it places as many events as
 * possible; if not all fit, earlier events win. job[i] is for want[i].
 *
 * A pinned event keeps its counter, which need not be free. Below 0 it has none. Above 31 it is a
 * firmware counter, and takes none from the others.
 *
 * Returns  how many events have a counter, including pinned ones.
 * Cost     O(n); each event moves at most 32 others.
 */
PMUMAP_API int pmumap_plan_all(const struct pmumap *m, struct pmumap_want *want, uint32_t n,
			       uint32_t free, uint32_t features, unsigned rule,
			       struct pmumap_job *job);

/*
 * The counters of one hart, numbered like mhpmcounterN. Behind them may be CSRs or SBI firmware
 * (pmumap_hart_as_pmu() and pmumap_sbi_as_pmu() of pmumap_hw.h), an emulator or a test.
 *
 *   set	stop the counter and prepare it for this job; with clear, write 0. Returns 1; or 0
 *		if it cannot do that: nothing changes, but SBI firmware releases the counter
 *   start	start the counter at *value; with NULL, continue. Firmware may refuse silently
 *   stop	stop the counter; release: it no longer belongs to an event
 *   read	the counter's value
 *   overflowed	whether the counter has wrapped since start; 0 if the hart cannot tell
 */
struct pmumap_pmu {
	int (*set)(void *arg, uint32_t counter, const struct pmumap_job *job);
	void (*start)(void *arg, uint32_t counter, const uint64_t *value);
	void (*stop)(void *arg, uint32_t counter, int release);
	uint64_t (*read)(void *arg, uint32_t counter);
	int (*overflowed)(void *arg, uint32_t counter);
	void *arg;
};

/*
 * The same counters with functions that move many at once, for hosts where each call is expensive
 * (pmumap_sbi_sets()): see pmumap_vpmu_restore_sets(). Bit N of a set is counter N; arg is one.arg.
 *
 *   release	store the values of running in value[], add counters that wrapped since start to
 *		*overflowed, then stop and release all of loaded. The values of touched stay secret:
 *		the next load wipes those that it does not reuse. Returns the counters that the hart
 *		refused to stop; they may still count
 *   load	give counters their jobs, start each at its value, and wipe what release left in
 *		others. Returns the failures, all released: of counters, and of those that set and
 *		start loaded before, what the hart refused; of the others, what it could not wipe
 */
struct pmumap_pmu_sets {
	struct pmumap_pmu one;
	uint32_t (*release)(void *arg, uint32_t touched, uint32_t loaded, uint32_t running,
			    uint64_t *value, uint32_t *overflowed);
	uint32_t (*load)(void *arg, uint32_t counters, const struct pmumap_job *job,
			 const uint64_t *value);
};

struct pmumap_sbi_ret {
	int32_t error;
	uint64_t value; /* xlen bits */
};

/* SBI errors that the PMU extension returns. */
#define PMUMAP_SBI_OK 0
#define PMUMAP_SBI_FAILED (-1)
#define PMUMAP_SBI_NOT_SUPPORTED (-2)
#define PMUMAP_SBI_INVALID_PARAM (-3)
#define PMUMAP_SBI_INVALID_ADDRESS (-5)
#define PMUMAP_SBI_ALREADY_STARTED (-7)
#define PMUMAP_SBI_ALREADY_STOPPED (-8)
#define PMUMAP_SBI_NO_SHMEM (-9)

#define PMUMAP_SBI_EID 0x504d55u

/* The functions of the PMU extension, and their flags. */
enum {
	PMUMAP_SBI_NUM_COUNTERS,
	PMUMAP_SBI_GET_INFO,
	PMUMAP_SBI_CONFIG_MATCHING,
	PMUMAP_SBI_START,
	PMUMAP_SBI_STOP,
	PMUMAP_SBI_FW_READ,
	PMUMAP_SBI_FW_READ_HI,
	PMUMAP_SBI_SNAPSHOT_SET_SHMEM,
	PMUMAP_SBI_EVENT_GET_INFO,

	PMUMAP_SBI_SKIP_MATCH = 1, /* of CONFIG_MATCHING; from bit 3 on PMUMAP_INHIBIT_* */
	PMUMAP_SBI_CLEAR_VALUE = 2,
	PMUMAP_SBI_AUTO_START = 4,
	PMUMAP_SBI_INHIBIT_SHIFT = 3,

	PMUMAP_SBI_SET_INIT_VALUE = 1, /* of START */
	PMUMAP_SBI_INIT_SNAPSHOT = 2,

	PMUMAP_SBI_RESET = 1, /* of STOP */
	PMUMAP_SBI_TAKE_SNAPSHOT = 2
};
