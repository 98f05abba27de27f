/* SPDX-License-Identifier: BSD-2-Clause */
/* One hart's server, and the calls of its guest */
#pragma once

#include "riscv/pmu_api.h"

/* Firmware counters of a state: 1 to 32. Define it before the first header to have others. */
#ifndef PMUMAP_SERVER_FW_COUNTERS
#define PMUMAP_SERVER_FW_COUNTERS 16u
#endif
/*
 * The most entries that one EVENT_GET_INFO may have, to bound its time. Define it before the first
 * header to have another limit.
 */
#ifndef PMUMAP_SERVER_INFO_ENTRIES
#define PMUMAP_SERVER_INFO_ENTRIES 4096u
#endif

#if PMUMAP_SERVER_FW_COUNTERS < 1 || PMUMAP_SERVER_FW_COUNTERS > 32 ||                             \
	PMUMAP_SERVER_INFO_ENTRIES < 1 || PMUMAP_SERVER_INFO_ENTRIES > 0x1000000
#error "PMUMAP_SERVER_FW_COUNTERS is 1 to 32, PMUMAP_SERVER_INFO_ENTRIES 1 to 2^24"
#endif

#define PMUMAP_SERVER_FW_EVENTS 22u      /* codes 0 to 21: SBI's, PMUMAP_EVENT_FIRMWARE + code */
#define PMUMAP_SERVER_FW_OWN 256u        /* codes from here to 65534: your own */
#define PMUMAP_SERVER_FW_PLATFORM 65535u /* the code whose event is in the data */

#define PMUMAP_SERVER_NO_SNAPSHOT 1u /* of flags of struct pmumap_server */

/*
 * What the server needs besides counters. Either function may be NULL.
 *
 *   access	move bytes between data and the guest's memory at a guest-physical address (halves
 *		of xlen bits): into the memory if write is 1, else out of it. With data NULL nothing
 *		is moved: it asks whether the guest may read all of it and, if write is 1, write it.
 *		Returns 1: done, or it may. 0: not all of that is the guest's, and nothing was
 *		moved. At most 256 bytes are moved at once: 64-bit words, at an address that is a
 *		multiple of 8, and data points to such words. The address and bytes always add up
 *		without a carry out of 64 bits (of low; on RV32, of both halves), and bytes is at
 *		most 16 * PMUMAP_SERVER_INFO_ENTRIES. Check each time: what was once the guest's
 *		may be gone, and what is granted may not be there. Without this function there are
 *		neither snapshots nor EVENT_GET_INFO
 *   counts	whether you call pmumap_server_count() for a firmware event: one of SBI's or of your
 *		own codes, with data 0; or PMUMAP_SERVER_FW_PLATFORM, with any data. Without this
 *		function there are none
 */
struct pmumap_server_host {
	int (*access)(void *arg, uint64_t low, uint64_t high, void *data, uint64_t bytes,
		      int write);
	int (*counts)(void *arg, uint32_t code, uint64_t data);
	void *arg;
};

/* What a firmware counter counts: its code, or the data of PMUMAP_SERVER_FW_PLATFORM. */
struct pmumap_server_fw {
	uint64_t value;
	uint64_t event;
};

/*
 * One hart. The fields down to virtual_ are yours to fill in, and stay as they are after
 * pmumap_server_init(). Bit 1 of granted is ignored: time cannot be programmed.
 *
 * There is no pointer but the three that you fill in. So a state can be copied, saved and moved to
 * another machine, if those are set again there and the counters below have the same jobs.
 *
 *   features	as for pmumap_plan(): PMUMAP_SSCOFPMF and PMUMAP_SMCNTRPMF if the hart has them.
 *		PMUMAP_CAN_FILTER implies PMUMAP_FILTER: cycles and instructions never go to a
 *		counter that would ignore the guest's filters
 *   inhibit	PMUMAP_INHIBIT_*, added to what the guest asks for, as far as the counter can
 *		filter: _M by a monitor in M-mode; a hypervisor in HS-mode adds _S and _U
 *   virtual_	1: the guest's S and U modes are really VS and VU, and its filters are put on those
 *   delegated	bit N: S-mode itself owns mhpmcounterN (Smcdeleg). It keeps its number, but is never
 *		matched or touched, and GET_INFO refuses it
 *   flags	PMUMAP_SERVER_NO_SNAPSHOT: the guest gets no snapshots (NOT_SUPPORTED)
 */
struct pmumap_server {
	const struct pmumap *map;              /* may be NULL if granted is 0 */
	const struct pmumap_pmu *pmu;          /* may be NULL if granted is 0 */
	const struct pmumap_server_host *host; /* NULL: as with functions that are NULL */
	uint32_t xlen;                         /* of the guest: 32 or 64 */
	uint32_t granted;                      /* bit N: the guest may have mhpmcounterN */
	uint32_t features;
	uint32_t rule; /* enum pmumap_rule: where the map has no selector */
	uint32_t inhibit;
	uint32_t width; /* bits of the programmable counters */
	uint32_t virtual_;
	uint32_t delegated;
	uint32_t flags;

	/* What follows only the server changes. Bit N of a set: the counter of that number. */
	uint32_t counters;    /* granted, but for time */
	uint32_t usable;      /* of these, those that hold the filters which have to hold */
	uint32_t hardware;    /* the number of the first firmware counter */
	uint32_t total;       /* the number after the last one */
	uint32_t fw_platform; /* bit N: firmware counter N has an event of the platform */
	uint64_t ones;        /* all bits of a register of the guest */
	uint64_t shared[2];   /* the address of snapshots, low and high */
	uint64_t numbers;     /* all numbers, holes too */
	uint64_t matched;     /* those that a search may take: usable ones and firmware's */
	uint64_t configured;  /* those that have an event; of these ... */
	uint64_t started;     /* ... those that count it */
	struct pmumap_server_fw fw[PMUMAP_SERVER_FW_COUNTERS];
};

/*
 * Begin, once the fields above are filled in: nothing is configured, no counter is touched.
 *
 * bytes is the size of the state, which tells how many firmware counters it has. So files of one
 * program may differ in PMUMAP_SERVER_FW_COUNTERS: a state has as many as in the file that called
 * pmumap_server_init() for it, whichever file calls the other functions.
 */
PMUMAP_API void pmumap_server_init_sized(struct pmumap_server *s, size_t bytes);

/* The same, for the number of firmware counters that this file has. */
static inline void pmumap_server_init(struct pmumap_server *s)
{
	pmumap_server_init_sized(s, sizeof(*s));
}

/*
 * Answer a call of the guest: function is its a6, args its a0 to a5, of which only xlen bits count.
 * Put error into its a0 and value into its a1.
 */
PMUMAP_API struct pmumap_sbi_ret pmumap_server_call(struct pmumap_server *s, uint32_t function,
						    const uint64_t *args);

/*
 * The same where the guest's registers are unsigned longs one after another: a0 points to its a0,
 * and a7 comes last. It has to be a call of PMUMAP_SBI_EID. a0 and a1 are the answer afterwards.
 * The caller has to skip the ecall (mepc or sepc + 4).
 */
PMUMAP_API void pmumap_server_ecall(struct pmumap_server *s, unsigned long *a0);

/* A firmware event has happened once. data: which, where code is PMUMAP_SERVER_FW_PLATFORM. */
PMUMAP_API void pmumap_server_count(struct pmumap_server *s, uint32_t code, uint64_t data);

/* Stop and release all counters, forget shared memory: the guest's hart stops, or it reboots. */
PMUMAP_API void pmumap_server_reset(struct pmumap_server *s);
