/* SPDX-License-Identifier: BSD-2-Clause
 * Generated from src/ by "make headers": change it there.
 *
 * pmumap_server.h 0.1.0 -- the PMU extension of SBI v3.0 (EID 0x504D55), served from a map: for
 * firmware, hypervisors and emulators.
 *
 * QUICK START
 *	#include "pmumap_server.h"	// and with it pmumap.h
 *
 *	static struct pmumap_server pmu; // one for each hart, or virtual hart; your memory
 *
 *	pmu.map = map;			// pmumap_fdt_build(), pmumap_finish() or pmumap_open()
 *	pmu.pmu = &counters;		// pmumap_hart_pmu(), pmumap_sbi_pmu(), or your functions
 *	pmu.xlen = 64;
 *	pmu.granted = hart.counters;
 *	pmu.width = hart.width;
 *	pmu.features = hart.features;
 *	pmu.rule = PMUMAP_RULE_ABSENT;
 *	pmu.inhibit = PMUMAP_INHIBIT_M;
 *	pmu.firmware = 1 << 5;		// all other fields may stay 0
 *	pmumap_server_init(&pmu);
 *
 *	// in the trap handler: an ecall with a7 == PMUMAP_SBI_EID; x: the guest's registers
 *	struct pmumap_sbi_ret r = pmumap_server_call(&pmu, (uint32_t)x[16], &x[10]);
 *	x[10] = (uint64_t)r.error, x[11] = r.value;
 *
 *	// where the firmware event happens; costs one load and one branch while nobody counts it
 *	pmumap_server_count(&pmu, 5, 0);	// SBI_PMU_FW_SET_TIMER
 *
 * An emulator writes these five functions for its counters, and nothing else:
 *	struct pmumap_pmu counters = { my_set, my_start, my_stop, my_read, my_overflowed, my_hart };
 *
 * CONTRACT
 *   As in pmumap.h, and:
 *   Needs	only pmumap.h, with PMUMAP_RISCV among PMUMAP_BINDINGS.
 *   Memory	no heap, no globals, no recursion; under 512 bytes of state; optimised, under
 *		512 of stack besides that of your functions.
 *   Libc	none, and no function of the compiler's library, at any optimisation level.
 *   Threads	a state is for one hart: pmumap_server_call() and pmumap_server_count() must not run
 *		at the same time.
 *   Guest	function, arguments and shared memory may be hostile. They are cut to xlen bits and
 *		checked before they index; a word of shared memory is read once. A call costs at
 *		most the counters there are (48), or the entries of EVENT_GET_INFO, which the guest
 *		chooses within its own memory: let memory() refuse more than you would wait for.
 *   Host	the fields of struct pmumap_server and the map are trusted.
 *
 * WHAT THE GUEST SEES
 *   Counters	hardware counter N is counter N (CSR 0xc00 + N), up to the highest one granted; in
 *		between are holes. Then 16 firmware counters of 64 bits.
 *   Match	the map decides: pmumap_pick() among the free counters of the set, the selector from
 *		pmumap_encode(). Holes in a set of CONFIG_MATCHING are no candidates and no error.
 *		A configured counter is busy, started or not, until STOP with RESET. EVENT_GET_INFO
 *		answers what CONFIG_MATCHING would if all counters were free.
 *   Skip	SKIP_MATCH takes the lowest counter of the set, if it can count the event and is not
 *		started.
 *   Sets	a member above the highest counter, however far: INVALID_PARAM, and nothing is done.
 *		Else all is done that can be, and the result tells what could not:
 *		START: INVALID_PARAM for a member that is not configured, else ALREADY_STARTED.
 *		STOP: ALREADY_STOPPED for one that did not run and was not released either.
 *		An empty set is no error, but no counter of it can count anything.
 *   Firmware	a firmware counter is 0 until it is configured and after it was released.
 */
#include "pmumap.h"

#ifndef PMUMAP_SERVER_H
#define PMUMAP_SERVER_H

#if !(PMUMAP_BINDINGS & PMUMAP_RISCV)
#error "pmumap_server.h needs PMUMAP_RISCV among PMUMAP_BINDINGS"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- server/api.h: one hart's server, and the calls of its guest */

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

#ifdef __cplusplus
}
#endif

#endif /* PMUMAP_SERVER_H */

#if (PMUMAP_LINKAGE_ == 1 || defined(PMUMAP_IMPLEMENTATION)) && !defined(PMUMAP_SERVER_IMPLEMENTED_)
#define PMUMAP_SERVER_IMPLEMENTED_

#ifdef __cplusplus
extern "C" {
#endif

/* ---- server/guest.h: words and registers of the guest, and results of its calls */

/* The result of a call. */
static inline struct pmumap_sbi_ret pmumap_server_make_ret_(int error, uint64_t value)
{
	struct pmumap_sbi_ret r;

	r.error = error;
	r.value = value;
	return r;
}

/* A 32-bit word of the guest to a number and back. */
static inline uint32_t pmumap_server_swap_word_(uint32_t x)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	x = x >> 24 | (x >> 8 & 0xff00) | (x & 0xff00) << 8 | x << 24;
#endif
	return x;
}

/* A 64-bit number of the guest, each half of which is read once. */
static inline uint64_t pmumap_server_load_value_(const volatile pmumap_server_word *p)
{
	uint32_t low = pmumap_server_swap_word_(p[0]);

	return low | (uint64_t)pmumap_server_swap_word_(p[1]) << 32;
}

/* All bits of a register of the guest. */
static inline uint64_t pmumap_server_register_mask_(const struct pmumap_server *s)
{
	return s->xlen == 32 ? 0xffffffffu : ~(uint64_t)0;
}

/* A 64-bit argument, which takes two registers on RV32. */
static inline uint64_t pmumap_server_join_argument_(const struct pmumap_server *s,
						    const uint64_t *a)
{
	return s->xlen == 32 ? a[0] | a[1] << 32 : a[0];
}

/* ---- server/counters.h: the states of counters, and to start and stop one */

/* A counter's state. Each bit is set only together with those above. */
#define PMUMAP_SERVER_PRESENT_ 1u
#define PMUMAP_SERVER_CONFIGURED_ 2u
#define PMUMAP_SERVER_STARTED_ 4u

/* Whether each member of a set (bit i of mask: base + i) is the number of a counter or a hole. */
static inline int pmumap_server_is_valid_set_(const struct pmumap_server *s, uint64_t base,
					      uint64_t mask)
{
	for (; mask; mask >>= 1, base++) {
		if (base >= s->hardware + PMUMAP_SERVER_FW_COUNTERS)
			return 0;
	}
	return 1;
}

/* Start counter n, which is configured; value: what it counts from, or NULL: as it is. */
static inline void pmumap_server_start_counter_(struct pmumap_server *s, uint32_t n,
						const uint64_t *value)
{
	if (n < s->hardware) {
		s->pmu->start(s->pmu->arg, n, value);
	} else {
		if (value)
			s->fw_value[n - s->hardware] = *value;
		s->fw_counting |= 1u << (n - s->hardware);
	}
	s->state[n] |= PMUMAP_SERVER_STARTED_;
}

/* Stop counter n, which is configured; release: it is then no longer configured. */
static inline void pmumap_server_stop_counter_(struct pmumap_server *s, uint32_t n, int release)
{
	if (n < s->hardware)
		s->pmu->stop(s->pmu->arg, n, release);
	else
		s->fw_counting &= ~(1u << (n - s->hardware));
	s->state[n] = release ? PMUMAP_SERVER_PRESENT_
			      : PMUMAP_SERVER_PRESENT_ | PMUMAP_SERVER_CONFIGURED_;
}

/* ---- server/match.h: CONFIG_MATCHING: a counter for an event */

/* Whether an event is of one of the types 4 to 14: SBI reserves them, but a map may have some. */
static inline int pmumap_server_is_reserved_event_(uint32_t event)
{
	return event < PMUMAP_EVENT_FIRMWARE && event >> 16 > PMUMAP_EVENT_RAW_V2 >> 16;
}

/* Whether there is anything that counts a firmware event. */
static inline int pmumap_server_has_firmware_event_(const struct pmumap_server *s,
						    const struct pmumap_job *job)
{
	uint32_t code = job->event - PMUMAP_EVENT_FIRMWARE;

	if (code == PMUMAP_SERVER_FW_PLATFORM)
		return s->host && s->host->platform && s->host->platform(s->host->arg, job->data);
	return code < PMUMAP_SERVER_FW_EVENTS && job->data == 0 &&
	       ((uint32_t)s->firmware >> code & 1);
}

#define PMUMAP_SERVER_FIXED_ 7u /* mcycle, time, minstret */

/*
 * Choose a counter for the event of a job, and fill in its selector. Bit N of hardware, firmware:
 * the hardware or firmware counter N is free. Returns the number of the counter; -1: none of them.
 */
static inline int pmumap_server_match_event_(const struct pmumap_server *s, struct pmumap_job *job,
					     uint32_t hardware, uint32_t firmware)
{
	int counter = (int)s->hardware;

	job->selector = 0;
	if (job->event >= PMUMAP_EVENT_FIRMWARE) {
		if (firmware == 0 || !pmumap_server_has_firmware_event_(s, job))
			return -1;
		for (; !(firmware & 1); firmware >>= 1)
			counter++;
		return counter;
	}
	if (hardware == 0 || pmumap_server_is_reserved_event_(job->event))
		return -1;
	/* Without a selector only fixed counters are left, which count what they always do. */
	if (!pmumap_encode(s->map, job->event, job->data, s->rule, &job->selector))
		hardware &= PMUMAP_SERVER_FIXED_;
	counter = pmumap_pick(s->map, job->event, job->data, hardware, s->features);
	if (counter < 3)
		job->selector = 0;
	return counter < 0 ? -1 : counter;
}

/* The modes of the hart in which a counter must not count: from the guest's flags and the host. */
static inline uint32_t pmumap_server_inhibit_modes_(const struct pmumap_server *s, uint32_t flags)
{
	uint32_t modes = flags >> PMUMAP_SBI_INHIBIT_SHIFT & 31;

	if (s->virtual_)
		modes = (modes & PMUMAP_INHIBIT_M) |
			(modes >> 2 & (PMUMAP_INHIBIT_VS | PMUMAP_INHIBIT_VU));
	return modes | s->inhibit;
}

/* Whether an event may come with data that is not 0. */
static inline int pmumap_server_event_has_data_(uint32_t event)
{
	if (event >= PMUMAP_EVENT_FIRMWARE)
		return event == PMUMAP_EVENT_FIRMWARE + PMUMAP_SERVER_FW_PLATFORM;
	return event >= PMUMAP_EVENT_RAW;
}

/* Configure counter n for a job, and start it if AUTO_START is among the flags. */
static inline struct pmumap_sbi_ret pmumap_server_configure_counter_(struct pmumap_server *s,
								     uint32_t n,
								     const struct pmumap_job *job,
								     uint32_t flags)
{
	if (n < s->hardware) {
		if (!s->pmu->set(s->pmu->arg, n, job))
			return pmumap_server_make_ret_(PMUMAP_SBI_NOT_SUPPORTED, 0);
	} else {
		uint32_t i = n - s->hardware;

		if (job->clear || !(s->state[n] & PMUMAP_SERVER_CONFIGURED_))
			s->fw_value[i] = 0;
		s->fw_code[i] = (uint16_t)(job->event & 0xffff);
		s->fw_data[i] = job->data;
	}
	s->state[n] |= PMUMAP_SERVER_CONFIGURED_;
	if (flags & PMUMAP_SBI_AUTO_START)
		pmumap_server_start_counter_(s, n, 0);
	return pmumap_server_make_ret_(PMUMAP_SBI_OK, n);
}

/* CONFIG_MATCHING: configure one counter of a set. The value is its number. */
static inline struct pmumap_sbi_ret pmumap_server_configure_set_(struct pmumap_server *s,
								 const uint64_t *a)
{
	uint64_t mask = a[1];
	uint32_t flags = (uint32_t)a[2], n = (uint32_t)a[0], hardware = 0, firmware = 0;
	uint32_t busy =
		flags & PMUMAP_SBI_SKIP_MATCH ? PMUMAP_SERVER_STARTED_ : PMUMAP_SERVER_CONFIGURED_;
	struct pmumap_job job;
	int counter;

	job.event = (uint32_t)a[3];
	job.data = pmumap_server_join_argument_(s, &a[4]);
	job.inhibit = pmumap_server_inhibit_modes_(s, flags);
	job.clear = (flags & PMUMAP_SBI_CLEAR_VALUE) != 0;
	if (!pmumap_server_is_valid_set_(s, a[0], mask) || a[2] >> 8 || a[3] >> 20 ||
	    (job.data && !pmumap_server_event_has_data_(job.event)))
		return pmumap_server_make_ret_(PMUMAP_SBI_INVALID_PARAM, 0);

	for (; mask; mask >>= 1, n++) {
		if (!(mask & 1))
			continue;
		if (s->state[n] && !(s->state[n] & busy)) {
			if (n < s->hardware)
				hardware |= 1u << n;
			else
				firmware |= 1u << (n - s->hardware);
		}
		if (!(flags & PMUMAP_SBI_SKIP_MATCH))
			continue;
		if (!s->state[n])
			return pmumap_server_make_ret_(PMUMAP_SBI_INVALID_PARAM, 0);
		break;
	}
	counter = pmumap_server_match_event_(s, &job, hardware, firmware);
	if (counter < 0)
		return pmumap_server_make_ret_(PMUMAP_SBI_NOT_SUPPORTED, 0);
	return pmumap_server_configure_counter_(s, (uint32_t)counter, &job, flags);
}

/* ---- server/snapshot.h: shared memory: SNAPSHOT_SET_SHMEM, and a counter put there */

#define PMUMAP_SERVER_SHARED_BYTES_ 4096u /* of shared memory, which is aligned to that */

/* The guest's memory at the address in a[0] and a[1]; NULL: it may not use some of it. */
static inline volatile pmumap_server_word *
pmumap_server_find_memory_(const struct pmumap_server *s, const uint64_t *a, uint64_t bytes)
{
	return (volatile pmumap_server_word *)s->host->memory(s->host->arg, a[0], a[1], bytes);
}

/* SNAPSHOT_SET_SHMEM: set where snapshots go. Returns an error of SBI; nothing is changed then. */
static inline int pmumap_server_set_shmem_(struct pmumap_server *s, const uint64_t *a)
{
	volatile pmumap_server_word *memory;

	if (!s->host || !s->host->memory)
		return PMUMAP_SBI_NOT_SUPPORTED;
	if (a[2])
		return PMUMAP_SBI_INVALID_PARAM;
	if ((a[0] & a[1]) == pmumap_server_register_mask_(s)) {
		s->shared = 0;
		return PMUMAP_SBI_OK;
	}
	if (a[0] & (PMUMAP_SERVER_SHARED_BYTES_ - 1))
		return PMUMAP_SBI_INVALID_PARAM;
	memory = pmumap_server_find_memory_(s, a, PMUMAP_SERVER_SHARED_BYTES_);
	if (!memory)
		return PMUMAP_SBI_INVALID_ADDRESS;
	s->shared = memory;
	return PMUMAP_SBI_OK;
}

/* Where shared memory has a counter's value; i: how far its number is above the base of its set. */
static inline volatile pmumap_server_word *
pmumap_server_find_snapshot_(const struct pmumap_server *s, uint32_t i)
{
	return s->shared + 2 + 2 * i;
}

/* Write the value and the overflow of counter n to shared memory; i: as above. */
static inline void pmumap_server_save_snapshot_(const struct pmumap_server *s, uint32_t n,
						uint32_t i)
{
	volatile pmumap_server_word *value = pmumap_server_find_snapshot_(s, i);
	volatile pmumap_server_word *bits = s->shared + (i >> 5);
	uint32_t overflowed = 0;
	uint64_t x;

	if (n < s->hardware) {
		x = s->pmu->read(s->pmu->arg, n);
		overflowed = s->pmu->overflowed(s->pmu->arg, n) != 0;
	} else {
		x = s->fw_value[n - s->hardware];
	}
	value[0] = pmumap_server_swap_word_((uint32_t)(x & 0xffffffffu));
	value[1] = pmumap_server_swap_word_((uint32_t)(x >> 32));
	i &= 31;
	*bits = pmumap_server_swap_word_((pmumap_server_swap_word_(*bits) & ~(1u << i)) |
					 overflowed << i);
}

/* ---- server/sets.h: START and STOP of a set of counters */

/* Check the set and the flags of START or STOP. Returns the error of SBI. */
static inline int pmumap_server_check_set_(const struct pmumap_server *s, const uint64_t *a)
{
	if (!pmumap_server_is_valid_set_(s, a[0], a[1]) || a[2] >> 2)
		return PMUMAP_SBI_INVALID_PARAM;
	/* The same bit as PMUMAP_SBI_TAKE_SNAPSHOT. */
	if ((a[2] & PMUMAP_SBI_INIT_SNAPSHOT) && !s->shared)
		return PMUMAP_SBI_NO_SHMEM;
	return PMUMAP_SBI_OK;
}

/* START: start each counter of the set that can be; the error is about the others. */
static inline struct pmumap_sbi_ret pmumap_server_start_set_(struct pmumap_server *s,
							     const uint64_t *a)
{
	uint64_t mask = a[1], value = pmumap_server_join_argument_(s, &a[3]);
	uint32_t flags = (uint32_t)a[2], n = (uint32_t)a[0], i = 0, absent = 0, running = 0;
	int error = pmumap_server_check_set_(s, a);

	if (a[2] == (PMUMAP_SBI_SET_INIT_VALUE | PMUMAP_SBI_INIT_SNAPSHOT))
		error = PMUMAP_SBI_INVALID_PARAM;
	if (error)
		return pmumap_server_make_ret_(error, 0);
	for (; mask; mask >>= 1, n++, i++) {
		if (!(mask & 1))
			continue;
		if (!(s->state[n] & PMUMAP_SERVER_CONFIGURED_)) {
			absent = 1;
		} else if (s->state[n] & PMUMAP_SERVER_STARTED_) {
			running = 1;
		} else {
			if (flags & PMUMAP_SBI_INIT_SNAPSHOT)
				value = pmumap_server_load_value_(
					pmumap_server_find_snapshot_(s, i));
			pmumap_server_start_counter_(s, n, flags ? &value : 0);
		}
	}
	return pmumap_server_make_ret_(absent    ? PMUMAP_SBI_INVALID_PARAM
				       : running ? PMUMAP_SBI_ALREADY_STARTED
						 : PMUMAP_SBI_OK,
				       0);
}

/* STOP: stop each counter of the set that can be; the error is about the others. */
static inline struct pmumap_sbi_ret pmumap_server_stop_set_(struct pmumap_server *s,
							    const uint64_t *a)
{
	uint64_t mask = a[1];
	uint32_t flags = (uint32_t)a[2], n = (uint32_t)a[0], i = 0, idle = 0;
	/* The state without which STOP has nothing to do. */
	uint32_t expected =
		flags & PMUMAP_SBI_RESET ? PMUMAP_SERVER_CONFIGURED_ : PMUMAP_SERVER_STARTED_;
	int error = pmumap_server_check_set_(s, a);

	if (error)
		return pmumap_server_make_ret_(error, 0);
	for (; mask; mask >>= 1, n++, i++) {
		if (!(mask & 1))
			continue;
		if (!(s->state[n] & expected))
			idle = 1;
		if (!(s->state[n] & PMUMAP_SERVER_CONFIGURED_))
			continue;
		if (s->state[n] & PMUMAP_SERVER_STARTED_)
			pmumap_server_stop_counter_(s, n, 0);
		if (flags & PMUMAP_SBI_TAKE_SNAPSHOT)
			pmumap_server_save_snapshot_(s, n, i);
		if (flags & PMUMAP_SBI_RESET)
			pmumap_server_stop_counter_(s, n, 1);
	}
	return pmumap_server_make_ret_(idle ? PMUMAP_SBI_ALREADY_STOPPED : PMUMAP_SBI_OK, 0);
}

/* ---- server/info.h: GET_INFO and EVENT_GET_INFO */

#define PMUMAP_SERVER_CSR_CYCLE_ 0xc00u /* the CSR of counter 0 */

/* GET_INFO: the CSR of counter n, and how wide it is; or that it is a firmware counter. */
static inline struct pmumap_sbi_ret pmumap_server_get_counter_info_(const struct pmumap_server *s,
								    uint64_t n)
{
	uint32_t width, csr;

	if (n >= PMUMAP_SERVER_COUNTERS_ || !s->state[n])
		return pmumap_server_make_ret_(PMUMAP_SBI_INVALID_PARAM, 0);
	if (n >= s->hardware) {
		uint64_t ones = pmumap_server_register_mask_(s);

		return pmumap_server_make_ret_(PMUMAP_SBI_OK, ones ^ ones >> 1);
	}
	width = n < 3 ? 64 : s->width;
	csr = PMUMAP_SERVER_CSR_CYCLE_ + (uint32_t)n;
	return pmumap_server_make_ret_(PMUMAP_SBI_OK, csr | ((width - 1) & 63) << 12);
}

/* EVENT_GET_INFO: write into each entry whether some counter of the guest can count its event. */
static inline int pmumap_server_get_event_info_(const struct pmumap_server *s, const uint64_t *a)
{
	volatile pmumap_server_word *entry = 0;
	uint64_t left = a[2];
	struct pmumap_job job;

	if (!s->host || !s->host->memory)
		return PMUMAP_SBI_NOT_SUPPORTED;
	if (a[3] || (a[0] & 15))
		return PMUMAP_SBI_INVALID_PARAM;
	if (left == 0)
		return PMUMAP_SBI_OK;
	if (left >> 60 == 0) /* else their bytes need more than 64 bits */
		entry = pmumap_server_find_memory_(s, a, left << 4);
	if (!entry)
		return PMUMAP_SBI_INVALID_ADDRESS;
	for (; left; left--, entry += 4) {
		job.event = pmumap_server_swap_word_(entry[0]);
		job.data = pmumap_server_load_value_(entry + 2);
		if (job.event >> 20 || pmumap_server_is_reserved_event_(job.event))
			return PMUMAP_SBI_INVALID_PARAM;
		entry[1] = pmumap_server_swap_word_(
			pmumap_server_match_event_(s, &job, s->granted & ~2u, 0xffff) >= 0);
	}
	return PMUMAP_SBI_OK;
}

/* ---- server/calls.h: each call to its function; init, count and reset */

/* FW_READ; high: FW_READ_HI, the upper half on RV32. */
static inline struct pmumap_sbi_ret pmumap_server_read_firmware_(const struct pmumap_server *s,
								 uint64_t n, int high)
{
	uint64_t value = 0;

	if (n < s->hardware || n >= s->hardware + PMUMAP_SERVER_FW_COUNTERS)
		return pmumap_server_make_ret_(PMUMAP_SBI_INVALID_PARAM, 0);
	if (s->state[n] & PMUMAP_SERVER_CONFIGURED_)
		value = s->fw_value[n - s->hardware];
	if (high)
		value = s->xlen == 32 ? value >> 32 : 0;
	return pmumap_server_make_ret_(PMUMAP_SBI_OK, value & pmumap_server_register_mask_(s));
}

PMUMAP_DEF struct pmumap_sbi_ret pmumap_server_call(struct pmumap_server *s, uint32_t function,
						    const uint64_t *args)
{
	uint64_t a[6];
	uint32_t i;

	for (i = 0; i < 6; i++) {
		a[i] = args[i] & pmumap_server_register_mask_(s);
		PMUMAP_NO_LIBCALL_();
	}
	switch (function) {
	case PMUMAP_SBI_NUM_COUNTERS:
		return pmumap_server_make_ret_(PMUMAP_SBI_OK,
					       s->hardware + PMUMAP_SERVER_FW_COUNTERS);
	case PMUMAP_SBI_GET_INFO:
		return pmumap_server_get_counter_info_(s, a[0]);
	case PMUMAP_SBI_CONFIG_MATCHING:
		return pmumap_server_configure_set_(s, a);
	case PMUMAP_SBI_START:
		return pmumap_server_start_set_(s, a);
	case PMUMAP_SBI_STOP:
		return pmumap_server_stop_set_(s, a);
	case PMUMAP_SBI_FW_READ:
	case PMUMAP_SBI_FW_READ_HI:
		return pmumap_server_read_firmware_(s, a[0], function == PMUMAP_SBI_FW_READ_HI);
	case PMUMAP_SBI_SNAPSHOT_SET_SHMEM:
		return pmumap_server_make_ret_(pmumap_server_set_shmem_(s, a), 0);
	case PMUMAP_SBI_EVENT_GET_INFO:
		return pmumap_server_make_ret_(pmumap_server_get_event_info_(s, a), 0);
	default:
		return pmumap_server_make_ret_(PMUMAP_SBI_NOT_SUPPORTED, 0);
	}
}

PMUMAP_DEF void pmumap_server_count(struct pmumap_server *s, uint32_t code, uint64_t data)
{
	uint32_t left = s->fw_counting, i;

	for (i = 0; left; left >>= 1, i++) {
		if ((left & 1) && s->fw_code[i] == code &&
		    (code != PMUMAP_SERVER_FW_PLATFORM || s->fw_data[i] == data))
			s->fw_value[i]++;
	}
}

PMUMAP_DEF void pmumap_server_init(struct pmumap_server *s)
{
	uint32_t granted = s->granted & ~2u, left, n;

	s->shared = 0;
	s->fw_counting = 0;
	s->hardware = 0;
	for (left = granted; left; left >>= 1)
		s->hardware++;
	for (n = 0; n < PMUMAP_SERVER_COUNTERS_; n++) {
		uint32_t present = n < s->hardware ? granted >> n & 1
						   : n < s->hardware + PMUMAP_SERVER_FW_COUNTERS;

		s->state[n] = present ? PMUMAP_SERVER_PRESENT_ : 0;
		PMUMAP_NO_LIBCALL_();
	}
}

PMUMAP_DEF void pmumap_server_reset(struct pmumap_server *s)
{
	uint32_t n;

	s->shared = 0;
	for (n = 0; n < PMUMAP_SERVER_COUNTERS_; n++) {
		if (s->state[n] & PMUMAP_SERVER_CONFIGURED_)
			pmumap_server_stop_counter_(s, n, 1);
	}
}

#ifdef __cplusplus
}
#endif

#endif /* PMUMAP_SERVER_IMPLEMENTED_ */
