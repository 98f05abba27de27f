/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/api.h"

#define PMUMAP_BUSY (-1)        /* the hart can count it, but no such counter is free */
#define PMUMAP_UNSUPPORTED (-2) /* no counter counts it */

/* What the hart has, and what this count needs. */
#define PMUMAP_SSCOFPMF 1u  /* programmable counters can filter modes and interrupt */
#define PMUMAP_SMCNTRPMF 2u /* mcycle and minstret can filter modes */
#define PMUMAP_FILTER 4u    /* modes have to be filtered: mcycle and minstret only with SMCNTRPMF */

/*
 * A counter for one event, out of free; the lowest of the best. With free 0 the answer is only
 * whether the event is supported at all (BUSY) or not.
 *
 * Events 1 and 2 may also be counted by the fixed counters 0 and 2, whether or not a row says so:
 * first choice without Sscofpmf, else last. Nothing else is ever put on counters 0 to 2. Firmware
 * events have no hardware counter: UNSUPPORTED.
 */
PMUMAP_API int pmumap_pick(const struct pmumap *m, uint32_t event, uint64_t data, uint32_t free,
			   uint32_t features);

struct pmumap_want {
	uint64_t data;
	uint32_t event;
	uint32_t pinned;   /* in: 1, it already runs on counter and stays there */
	int32_t counter;   /* out: as from pmumap_pick(); in, if pinned */
	uint32_t counters; /* out: all counters that could count it, free or not */
};

/*
 * Counters for n events at once. If any assignment places k of them, so does this; among equals the
 * earlier events win. Pinned events keep their counters, in free or not.
 *
 * Returns  how many have a counter, the pinned ones included.
 * Cost     O(n); each event moves at most 32 others.
 */
PMUMAP_API int pmumap_assign(const struct pmumap *m, struct pmumap_want *want, uint32_t n,
			     uint32_t free, uint32_t features);

/* Modes in which a counter does not count, as SBI's filter flags have them from bit 3 on. */
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
	uint32_t inhibit; /* modes; as far as the counter can */
	uint32_t clear;   /* 1: from 0 on */
};

/*
 * The counters of one hart, whatever is below: in pmumap_hw.h its CSRs (pmumap_hart_pmu) or SBI
 * firmware (pmumap_sbi_pmu); an emulator, a test. Counters are those of mhpmcounterN.
 *
 *   set		shall count this, and is stopped. Returns 0: it cannot, and is as before
 *   start	counts, from *value on unless NULL
 *   stop	counts no more; release: belongs to no event any more
 *   read		its value
 *   overflowed	whether it has passed its end since start; 0 where the hart cannot tell
 */
struct pmumap_pmu {
	int (*set)(void *arg, uint32_t counter, const struct pmumap_job *job);
	void (*start)(void *arg, uint32_t counter, const uint64_t *value);
	void (*stop)(void *arg, uint32_t counter, int release);
	uint64_t (*read)(void *arg, uint32_t counter);
	int (*overflowed)(void *arg, uint32_t counter);
	void *arg;
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

/* Its functions, and their flags. */
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
