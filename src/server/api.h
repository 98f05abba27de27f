/* SPDX-License-Identifier: BSD-2-Clause */
/* One hart's server, and its guest's calls */
#pragma once

#include "riscv/pmu_api.h"

/* Firmware counters of a server: 1 to 32. To change it, define it before the first header. */
#ifndef PMUMAP_SERVER_FW_COUNTERS
#define PMUMAP_SERVER_FW_COUNTERS 16u
#endif
/* EVENT_GET_INFO takes at most this many entries, to bound its time. Define it to change it. */
#ifndef PMUMAP_SERVER_INFO_ENTRIES
#define PMUMAP_SERVER_INFO_ENTRIES 4096u
#endif

#if PMUMAP_SERVER_FW_COUNTERS < 1 || PMUMAP_SERVER_FW_COUNTERS > 32 ||                             \
	PMUMAP_SERVER_INFO_ENTRIES < 1 || PMUMAP_SERVER_INFO_ENTRIES > 0x1000000
#error "PMUMAP_SERVER_FW_COUNTERS is 1 to 32, PMUMAP_SERVER_INFO_ENTRIES 1 to 2^24"
#endif

#define PMUMAP_SERVER_FW_EVENTS 22u      /* codes 0 to 21: SBI's, PMUMAP_EVENT_FIRMWARE + code */
#define PMUMAP_SERVER_FW_NONE 255u       /* no event */
#define PMUMAP_SERVER_FW_OWN 256u        /* codes from here to 65534: your own */
#define PMUMAP_SERVER_FW_PLATFORM 65535u /* the code whose event is in the data */

#define PMUMAP_SERVER_NO_SNAPSHOT 1u /* for flags of struct pmumap_server */

/*
 * What the server needs from its host. Either function may be NULL.
 *
 *   access	copy bytes from the guest's memory to data; with write 1, from data to the guest's
 *		memory. low and high are the halves of a guest-physical address, xlen bits each.
 *		A read is of aligned 64-bit words, at most 256 bytes; a write is one aligned word of
 *		4 or 8 bytes: another hart of the guest may be writing those beside it. With data
 *		NULL, copy nothing: tell whether the guest may read and write all of the range, at
 *		most 16 * PMUMAP_SERVER_INFO_ENTRIES bytes. No range wraps. Return 1; or 0 if you
 *		refuse any word, even if you have copied others. Check every time: the guest may
 *		have lost memory. Without this function there are no snapshots and no EVENT_GET_INFO
 *   counts	whether you call pmumap_server_firmware_event() for this code: SBI's or your own
 *		with data 0, or PMUMAP_SERVER_FW_PLATFORM with any data. Without this function there
 *		are no firmware events
 */
struct pmumap_server_host {
	int (*access)(void *arg, uint64_t low, uint64_t high, void *data, uint64_t bytes,
		      int write);
	int (*counts)(void *arg, uint32_t code, uint64_t data);
	void *arg;
};

/* A firmware counter's value and event: its code, or the data of PMUMAP_SERVER_FW_PLATFORM. */
struct pmumap_server_fw {
	uint64_t value;
	uint64_t event;
};

/*
 * One hart. Fill in the members down to flags before pmumap_server_init(); then they must stay. Bit
 * 1 of granted is ignored: time cannot be programmed.
 *
 * You can copy it, or move it to another machine, if you set its three pointers again and the
 * counters below have the same jobs.
 *
 *   features	as for pmumap_plan(): PMUMAP_SSCOFPMF and PMUMAP_SMCNTRPMF if the hart has them.
 *		PMUMAP_CAN_FILTER implies PMUMAP_MUST_FILTER: cycles and instructions never go to a
 *		counter that would ignore the guest's filters
 *   inhibit	PMUMAP_INHIBIT_*, added to the guest's filters if the counter can filter: _M for a
 *		monitor in M-mode; _M, _S and _U for a hypervisor in HS-mode
 *   for_vs	1: the guest's S- and U-mode are really VS and VU; its filters apply to those
 *   delegated	bit N: S-mode owns mhpmcounterN (Smcdeleg). It keeps its number, but is never
 *		matched or touched, and GET_INFO refuses it
 *   flags	PMUMAP_SERVER_NO_SNAPSHOT: snapshots are NOT_SUPPORTED
 */
struct pmumap_server {
	const struct pmumap *map;              /* may be NULL if granted is 0 */
	const struct pmumap_pmu *pmu;          /* may be NULL if granted is 0 */
	const struct pmumap_server_host *host; /* NULL: like two NULL functions */
	uint32_t xlen;                         /* of the guest: 32 or 64 */
	uint32_t granted;                      /* bit N: the guest may use mhpmcounterN */
	uint32_t features;
	uint32_t rule; /* enum pmumap_rule, for events without a selector */
	uint32_t inhibit;
	uint32_t width; /* bits of the programmable counters */
	uint32_t for_vs;
	uint32_t delegated;
	uint32_t flags;

	/* The members below are private. Bit N of a set: the counter with that number. */
	uint32_t counters;    /* granted, except time */
	uint32_t usable;      /* of these, those that can apply mandatory filters */
	uint32_t hardware;    /* the first firmware counter's number */
	uint32_t total;       /* the last counter's number + 1 */
	uint32_t fw_platform; /* bit N: firmware counter N has a platform event */
	uint64_t ones;        /* the guest's largest register value */
	uint64_t shared[2];   /* the address of snapshots, low and high */
	uint64_t numbers;     /* all numbers, including holes */
	uint64_t matched;     /* counters that matching may choose: usable and firmware ones */
	uint64_t configured;  /* counters with an event; of these ... */
	uint64_t started;     /* ... those that run */
	struct pmumap_server_fw fw[PMUMAP_SERVER_FW_COUNTERS];
};

/*
 * Begin, once the members above are filled in: nothing is configured, no counter is touched.
 *
 * bytes is the size of the struct: files of one program may define PMUMAP_SERVER_FW_COUNTERS
 * differently, and the file that calls pmumap_server_init() decides.
 */
PMUMAP_API void pmumap_server_init_sized(struct pmumap_server *s, size_t bytes);

/* The same, with this file's number of firmware counters. */
static inline void pmumap_server_init(struct pmumap_server *s)
{
	pmumap_server_init_sized(s, sizeof(*s));
}

/*
 * Handle a guest's call. function is its a6; args are its a0 to a5, of which only xlen bits count.
 * Return error in its a0 and value in its a1.
 */
PMUMAP_API struct pmumap_sbi_ret pmumap_server_call(struct pmumap_server *s, uint32_t function,
						    const uint64_t *args);

/*
 * Handle a guest's call in place: a0 points to its saved a0 to a7, unsigned longs in a row, with
 * PMUMAP_SBI_EID in a7. a0 and a1 get the answer. The caller must skip the ecall (mepc or sepc +
 * 4).
 */
PMUMAP_API void pmumap_server_ecall(struct pmumap_server *s, unsigned long *a0);

/* Count one firmware event. data: the event if code is PMUMAP_SERVER_FW_PLATFORM. */
PMUMAP_API void pmumap_server_firmware_event(struct pmumap_server *s, uint32_t code, uint64_t data);

/* The firmware event of an SBI call: timer, IPI, remote fence, legacy calls too; or FW_NONE. */
PMUMAP_API uint32_t pmumap_server_event_of(uint64_t eid, uint64_t function);

/* A host's counts() for exactly those events. */
PMUMAP_API int pmumap_server_counts_calls(void *arg, uint32_t code, uint64_t data);

/* Stop and release all counters, forget shared memory: the guest's hart stops or reboots. */
PMUMAP_API void pmumap_server_reset(struct pmumap_server *s);
