/* SPDX-License-Identifier: BSD-2-Clause */
/* Choose counters, and say what they shall count */
#pragma once

#include "riscv/map_api.h"

#define PMUMAP_BUSY (-1)        /* a counter can count it, but none of those is free */
#define PMUMAP_UNSUPPORTED (-2) /* no counter counts it */

/* Features: what the hart has, and what this count needs. 8 is PMUMAP_MCOUNTINHIBIT. */
#define PMUMAP_CAN_INTERRUPT 1u /* programmable counters interrupt when they overflow */
#define PMUMAP_CAN_FILTER 16u   /* programmable counters can filter modes */
#define PMUMAP_SSCOFPMF (PMUMAP_CAN_FILTER | PMUMAP_CAN_INTERRUPT)
#define PMUMAP_SMCNTRPMF 2u  /* mcycle and minstret can filter modes */
#define PMUMAP_FILTER 4u     /* filter modes: then mcycle and minstret serve only with SMCNTRPMF */
#define PMUMAP_DELEGATED 32u /* M-mode can give counters to S-mode: Smcdeleg, Ssccfg, Sscsrind */

/* Modes in which a counter shall not count, in the order of SBI's filter flags from bit 3 on. */
#define PMUMAP_INHIBIT_VU 1u
#define PMUMAP_INHIBIT_VS 2u
#define PMUMAP_INHIBIT_U 4u
#define PMUMAP_INHIBIT_S 8u
#define PMUMAP_INHIBIT_M 16u

/* What a counter shall count. */
struct pmumap_job {
	uint64_t data;     /* of the event */
	uint64_t selector; /* pmumap_encode() */
	uint32_t event;
	uint32_t inhibit; /* modes, as far as the counter can filter them */
	uint32_t clear;   /* 1: count from 0 on */
};

/*
 * Plan one event: a free counter for it, the lowest of those that suit it best, and in *job what to
 * program into that: event, data and selector, all else 0.
 *
 * free: those of the hart's own counters that are not in use; 0 and 2 are among its own. With free
 * 0 you only learn whether the event is supported at all (BUSY) or not. BUSY ends once others are
 * stopped, unless the tree promises counters that the hart lacks: what is BUSY with all of the
 * hart's own counters in free stays so for ever.
 *
 * The fixed counters 0 and 2 can count events 1 and 2 (cycles, instructions), whether or not a row
 * says so, and need no selector: 0. With CAN_INTERRUPT they are the last choice, since they cannot
 * interrupt; without, the first. No other event ever gets counter 0, 1 or 2. An event that has no
 * selector by the rule (enum pmumap_rule) can use fixed counters only, and where none of those can
 * count it, it is UNSUPPORTED. So are firmware events, and the types of events that SBI reserves (4
 * to 14), even if a row covers them. Whether a programmable counter can do what FILTER asks for is
 * not checked: see CAN_FILTER.
 */
PMUMAP_API int pmumap_plan(const struct pmumap *m, uint32_t event, uint64_t data, uint32_t free,
			   uint32_t features, unsigned rule, struct pmumap_job *job);

struct pmumap_want {
	uint64_t data;
	uint32_t event;
	uint32_t pinned;   /* in: 1: it runs on counter already, and stays there */
	int32_t counter;   /* out: as from pmumap_plan(); in, if it is pinned */
	uint32_t counters; /* out: all counters that can count it, free or not */
};

/*
 * Plan n events at once, by the same rules: for as many of them as any choice of counters could
 * place. If not all can be placed, the earlier events win. job[i] is for want[i]; for a pinned
 * event it is what runs already. An event can be counted on this hart if the hart has one of
 * want[i].counters.
 *
 * Pinned events keep their counters, which need not be in free. One that is pinned to a number
 * below 0 has none. A number above 31 is no counter of the hart, but perhaps one of its firmware:
 * the event runs there, and takes no counter from the others.
 *
 * Returns  how many have a counter, the pinned ones included.
 * Cost     O(n); each event moves at most 32 others.
 */
PMUMAP_API int pmumap_plan_all(const struct pmumap *m, struct pmumap_want *want, uint32_t n,
			       uint32_t free, uint32_t features, unsigned rule,
			       struct pmumap_job *job);

/*
 * The counters of one hart, numbered as mhpmcounterN. What drives them may be the hart's CSRs or
 * SBI firmware (pmumap_hart_pmu and pmumap_sbi_pmu of pmumap_hw.h), an emulator or a test.
 *
 *   set		stop the counter, and let it count this job from the next start on. Returns
 *		1; or 0 if it cannot count that, and then changes nothing
 *   start	start the counter, from *value on, or where it stands if value is NULL
 *   stop	stop the counter; release: it belongs to no event any more
 *   read		the value of the counter
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
 * The same counters, and two functions that move many of them at once, where each call below is
 * dear (pmumap_sbi_sets). They serve virtual CPUs that take turns: see pmumap_vpmu_restore_sets().
 * Bit N of a set: counter N. arg is that of one.
 *
 *   release	write to value[] what the counters of running have counted, and add to *overflowed
 *		those that have wrapped since start; then stop and release all of loaded. What is
 *		in the counters of touched is a secret from now on: the next load wipes those that
 *		it does not use. Returns those that the hart refused to stop: they may still count
 *   load	give the counters their jobs, start each at its value, and wipe what release has
 *		left in others. Returns those that failed: of counters, the ones that stand
 *		released; of all others, the ones with a value that could not be wiped
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

/* Errors of SBI that the PMU extension returns. */
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

	PMUMAP_SBI_SKIP_MATCH = 1, /* of CONFIG_MATCHING; from bit 3 on PMUMAP_INHIBIT_BIT_... */
	PMUMAP_SBI_CLEAR_VALUE = 2,
	PMUMAP_SBI_AUTO_START = 4,
	PMUMAP_SBI_INHIBIT_SHIFT = 3,

	PMUMAP_SBI_SET_INIT_VALUE = 1, /* of START */
	PMUMAP_SBI_INIT_SNAPSHOT = 2,

	PMUMAP_SBI_RESET = 1, /* of STOP */
	PMUMAP_SBI_TAKE_SNAPSHOT = 2
};
