/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "riscv/pmu.h"

#define PMUMAP_SERVER_FW_COUNTERS 16u    /* as many as every state has */
#define PMUMAP_SERVER_FW_EVENTS 22u      /* codes 0..21, PMUMAP_EVENT_FIRMWARE + code */
#define PMUMAP_SERVER_FW_PLATFORM 65535u /* the code whose event is in the data */
#define PMUMAP_SERVER_COUNTERS_ (32u + PMUMAP_SERVER_FW_COUNTERS)

/*
 * Memory of the guest, of a type that may alias any other: little-endian, accessed only in aligned
 * words of 32 bits.
 */
#ifdef __GNUC__
typedef uint32_t __attribute__((__may_alias__)) pmumap_server_word;
#else
typedef uint32_t pmumap_server_word;
#endif

/*
 * What the server needs besides counters. Any of them may be NULL.
 *
 *   memory	the guest's memory at a guest-physical address (halves of xlen bits), as a pointer,
 *		aligned as the address is. NULL: some of it is not the guest's to read and write.
 *		That of SNAPSHOT_SET_SHMEM (4096 bytes) is used until the guest sets another one or
 *		pmumap_server_reset(), all other only during the call. Without: neither snapshots
 *		nor EVENT_GET_INFO
 *   platform	whether the platform's own firmware event with this data is counted. Without: none
 */
struct pmumap_server_host {
	volatile void *(*memory)(void *arg, uint64_t low, uint64_t high, uint64_t bytes);
	int (*platform)(void *arg, uint64_t data);
	void *arg;
};

/*
 * One hart. The fields down to firmware are yours to fill in, and stay as they are after
 * pmumap_server_init(). Bit 1 of granted is ignored: time cannot be programmed.
 *
 *   features	as for pmumap_pick(): PMUMAP_SSCOFPMF and PMUMAP_SMCNTRPMF if the hart has them,
 *		PMUMAP_FILTER if inhibit or the guest's filters have to be obeyed: then cycles and
 *		instructions never go to counters that would ignore them
 *   inhibit	PMUMAP_INHIBIT_BIT_*, added to what the guest asks for: _M by a monitor in M-mode; a
 *		hypervisor in HS-mode adds _S and _U
 *   virtual_	1: the guest's S and U modes are really VS and VU, and its filters are put on those
 *   firmware	bit N: you call pmumap_server_count() for firmware event N, 0 to 21
 */
struct pmumap_server {
	const struct pmumap *map;              /* NULL: only with granted 0 */
	const struct pmumap_pmu *pmu;          /* likewise */
	const struct pmumap_server_host *host; /* NULL: as with functions that are NULL */
	uint32_t xlen;                         /* of the guest: 32 or 64 */
	uint32_t granted;                      /* bit N: the guest may have mhpmcounterN */
	uint32_t features;
	uint32_t rule; /* enum pmumap_rule: where the map has no selector */
	uint32_t inhibit;
	uint32_t width; /* bits of the programmable counters */
	uint32_t virtual_;
	uint64_t firmware;

	/* What follows only the server changes. */
	volatile pmumap_server_word *shared; /* of the snapshots; NULL: none */
	uint64_t fw_value[PMUMAP_SERVER_FW_COUNTERS];
	uint64_t fw_data[PMUMAP_SERVER_FW_COUNTERS];
	uint16_t fw_code[PMUMAP_SERVER_FW_COUNTERS];
	uint32_t fw_counting; /* bit N: firmware counter N is started */
	uint32_t hardware;    /* the number of the first firmware counter */
	/* By number, PMUMAP_SERVER_PRESENT_ and so on; 0: none such. */
	uint8_t state[PMUMAP_SERVER_COUNTERS_];
};

/* Begin, once the fields above are filled in: nothing is configured, no counter is touched. */
PMUMAP_API void pmumap_server_init(struct pmumap_server *s);

/*
 * Answer a call of the guest: function is its a6, args its a0 to a5, of which only xlen bits count.
 * Put error into its a0 and value into its a1.
 */
PMUMAP_API struct pmumap_sbi_ret pmumap_server_call(struct pmumap_server *s, uint32_t function,
						    const uint64_t *args);

/* A firmware event has happened once. data: which, where code is PMUMAP_SERVER_FW_PLATFORM. */
PMUMAP_API void pmumap_server_count(struct pmumap_server *s, uint32_t code, uint64_t data);

/* Stop and release all counters, forget shared memory: the guest's hart stops, or it reboots. */
PMUMAP_API void pmumap_server_reset(struct pmumap_server *s);
