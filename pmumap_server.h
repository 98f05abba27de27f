/* SPDX-License-Identifier: BSD-2-Clause
 * Generated from src/ by "make headers": change it there.
 *
 * pmumap_server.h 0.2.1 -- the PMU extension of SBI v3.0 (EID 0x504D55), served from a map: for
 * firmware, hypervisors and emulators.
 *
 * QUICK START
 *	#include "pmumap_server.h"	// and with it pmumap.h
 *
 *	static struct pmumap_server pmu; // one for each hart, or virtual hart; your memory
 *	static const struct pmumap_server_host host = { my_access, my_counts, 0 };
 *
 *	pmu.map = map;			// pmumap_fdt_build(), pmumap_finish() or pmumap_open()
 *	pmu.pmu = &counters;		// pmumap_hart_pmu(), pmumap_sbi_pmu(), or your functions
 *	pmu.host = &host;		// the guest's memory, and firmware events
 *	pmu.xlen = 64;
 *	pmu.granted = hart.counters;
 *	pmu.width = hart.width;
 *	pmu.features = hart.features;
 *	pmu.rule = PMUMAP_RULE_ABSENT;
 *	pmu.inhibit = PMUMAP_INHIBIT_M; // all other fields may stay 0
 *	pmumap_server_init(&pmu);
 *
 *	// in the trap handler: an ecall with a7 == PMUMAP_SBI_EID; x: the guest's registers
 *	pmumap_server_ecall(&pmu, &x[10]);
 *
 *	// where the firmware event happens; cheap while nobody counts it
 *	pmumap_server_count(&pmu, 5, 0);	// SBI_PMU_FW_SET_TIMER
 *
 * Whole programs, of firmware, a hypervisor and an emulator, and what stays yours: doc/server.md.
 * An emulator writes these five functions for its counters, and nothing else:
 *	struct pmumap_pmu counters = { my_set, my_start, my_stop, my_read, my_overflowed, my_hart };
 *
 * CONTRACT
 *   As in pmumap.h, and:
 *   Needs	only pmumap.h.
 *   Memory	no heap, no globals, no recursion; at most 416 bytes of state with 16 firmware
 *		counters; optimised, under 640 of stack besides that of your functions, of which 256
 *		are entries of EVENT_GET_INFO.
 *   Libc	none, and no function of the compiler's library, at any optimisation level.
 *   Threads	a state is for one hart: pmumap_server_call() and pmumap_server_count() must not run
 *		at the same time.
 *   Guest	function, arguments and memory may be hostile. They are cut to xlen bits and checked
 *		before they index; what is read of its memory is read once, and only after access()
 *		was asked about all of it. A call costs at most the counters that it does something
 *		with (at most 64), however wide its mask is; or the entries of EVENT_GET_INFO, at
 *		most PMUMAP_SERVER_INFO_ENTRIES (4096): more are INVALID_PARAM.
 *   Host	the fields of struct pmumap_server and the map are trusted. What callbacks answer is
 *		not: they may be slow, refuse or lie. Then the guest waits, gets an error or a wrong
 *		count, but the state stays in order. Each has to return; only access() may be left
 *		by a jump, and then the guest may call again.
 *   Harts	save virtual CPUs, or reset the server, before a hart stops: what it counts after
 *		that is lost. Between two calls a state may be copied and go on elsewhere.
 *
 * WHAT THE GUEST SEES
 *   Counters	hardware counter N is counter N (CSR 0xc00 + N), up to the highest one granted; in
 *		between are holes. Then the firmware counters, 64 bits wide.
 *   Match	the map decides, as pmumap_plan() does, among the free counters of the set.
 *		A configured counter is busy, started or not, until STOP with RESET. EVENT_GET_INFO
 *		answers what CONFIG_MATCHING would if all counters were free.
 *   Filters	where counters can filter modes, cycles and instructions never go to a fixed one
 *		that cannot. Where none can, the guest's filters are the hints that SBI calls them;
 *		PMUMAP_FILTER among your features says that they have to hold.
 *   Sets	an empty one, or a member above the highest counter: INVALID_PARAM. So is START of a
 *		counter that is not configured. Then nothing is done. A counter that runs already
 *		(or is stopped) does not keep the others from being started (or stopped).
 *   Skipping	SKIP_MATCH takes the first counter of the set. It has to be configured already;
 *		fixed counters always are. If it runs, it is stopped.
 *   Firmware	a firmware counter that is not configured has no value: INVALID_PARAM.
 *   Snapshots	with Sscofpmf the bits of counters outside the set stay; without, all bits are 0.
 *
 * WHERE SBI 3.0 IS NOT FOLLOWED TO THE LETTER, OR LEAVES IT OPEN
 *   doc/server.md says why, and who notices. tests/unit/test_sbi_pmu.c has tests of these names.
 *   D1	CONFIG_MATCHING passes over holes in its set.
 *   D2	STOP answers ALREADY_STOPPED for a hole or a counter that is not configured.
 *   D4	SKIP_MATCH of an event that this counter cannot count: NOT_SUPPORTED.
 *   D5	EVENT_GET_INFO answers 0 for events of the types 4 to 14, and writes entries back whole.
 *   D6	GET_INFO says that firmware counters have 64 bits.
 *   D7	NO_SHMEM where memory that was set for snapshots is not the guest's any more: no counter is
 *	started from it; counters are stopped and released.
 *   D9	Raw events are cut to 48 or 56 bits. Events of more than 20 bits, and data of events that
 *	have none: INVALID_PARAM.
 */
#include "pmumap.h"

/* ---- core/version.h: Refuses a header of another version */
/*
 * Part of every header: all that a program includes are of one version. One that is left over from
 * another release would compile, and read a struct by another layout.
 */
#ifndef PMUMAP_VERSION_MAJOR
#define PMUMAP_VERSION_MAJOR 0
#define PMUMAP_VERSION_MINOR 2
#define PMUMAP_VERSION_PATCH 1
#elif PMUMAP_VERSION_MAJOR != 0 || PMUMAP_VERSION_MINOR != 2 || PMUMAP_VERSION_PATCH != 1
#error "headers of two versions of pmumap meet here: take all of them from one release"
#endif

/* C has no other casts and no other null pointer. A function may have the name of a struct. */
#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
#pragma GCC diagnostic ignored "-Wshadow"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PMUMAP_SERVER_H
#define PMUMAP_SERVER_H

/* ---- server/api.h: One hart's server, and the calls of its guest */
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

/* ---- server/vpmu_api.h: Counters of virtual CPUs that take turns on a hart */
/*
 * The counters of a virtual CPU, on top of those of the hart that it runs on. Others may take turns
 * with it there if each has one of these: pmumap_vpmu_save() when it leaves a hart, and
 * pmumap_vpmu_restore() when it comes to one. Each counter then counts what its own virtual CPU
 * does, and no value of one is left for another to read. When saved, it has no pointers and can
 * move. A counter that no virtual CPU has configured is the hart's: mcycle and minstret run from
 * reset on, and show what others did to whoever may read them.
 *
 *   overflowed	bit N: counter N has wrapped since it was started, but was stopped or saved since.
 *		Its OF bit does not come back to the hart: in scountovf the guest shall read these
 *		bits or those of the hart, and if its interrupt was still to come, raise it
 */
struct pmumap_vpmu {
	struct pmumap_job job[32];
	uint64_t value[32]; /* of those that are not on a hart now */
	uint32_t configured, running, overflowed;
	uint32_t loaded;               /* bit N: the hart's counter N is this one */
	uint32_t touched;              /* bit N: it has been since restore, so it has our value */
	const struct pmumap_pmu *hart; /* NULL: saved */
	const struct pmumap_pmu_sets *sets; /* NULL: it is moved one counter after another */
};

/* Begin: nothing is configured, all values are 0, and it is on no hart. */
PMUMAP_API void pmumap_vpmu_init(struct pmumap_vpmu *v);

/*
 * The functions for a server or a profiler of this virtual CPU. While it is on no hart, set returns
 * 0; all others act on what is saved. A start with value NULL goes on from the saved value.
 */
PMUMAP_API void pmumap_vpmu_pmu(struct pmumap_vpmu *v, struct pmumap_pmu *pmu);

/*
 * Leave the hart: all counters that it had are stopped and released there, with the value 0. After
 * pmumap_vpmu_restore_sets() their values stay until the next such restore on that hart.
 *
 * Returns the counters that the hart refused to wipe or to stop. The virtual CPU is saved all the
 * same, with the values that it had, and can come back to this or another hart. But on this hart
 * such a counter may count on, or show its value: let no guest read it (mcounteren, hcounteren)
 * before a later save or restore of somebody who uses it succeeds.
 */
PMUMAP_API uint32_t pmumap_vpmu_save(struct pmumap_vpmu *v);

/*
 * Come to a hart, on which nobody uses the counters that this virtual CPU has configured; they stay
 * yours until save. Returns the counters that this hart could not take over: they stand, and keep
 * their values until another hart can.
 */
PMUMAP_API uint32_t pmumap_vpmu_restore(struct pmumap_vpmu *v, const struct pmumap_pmu *hart);

/*
 * The same with a call for all counters instead of some for each, until save: for a hart below
 * firmware (pmumap_sbi_sets). What one virtual CPU leaves is not wiped when it is saved, but when
 * the next one comes, where it does not use that counter itself. So everybody on this hart who may
 * read counters has to come by this function; an empty struct pmumap_vpmu wipes all. In the result
 * there are also counters that could not be wiped: let the guest read none of the result.
 */
PMUMAP_API uint32_t pmumap_vpmu_restore_sets(struct pmumap_vpmu *v,
					     const struct pmumap_pmu_sets *hart);

#endif /* PMUMAP_SERVER_H */

#if PMUMAP_LINKAGE_ == 1 && (defined(PMUMAP_EXTERN) || defined(PMUMAP_IMPLEMENTATION))
#error "pmumap_server.h was included here without PMUMAP_EXTERN before: define that for the whole program"
#endif

#if (PMUMAP_LINKAGE_ == 1 || defined(PMUMAP_IMPLEMENTATION)) && !defined(PMUMAP_SERVER_IMPLEMENTED_)
#define PMUMAP_SERVER_IMPLEMENTED_

/* ---- server/guest.h: Words and registers of the guest, and results of its calls */
/* The result of a call. */
static inline struct pmumap_sbi_ret pmumap_server_make_ret_(int error, uint64_t value)
{
	struct pmumap_sbi_ret r;

	r.error = error;
	r.value = value;
	return r;
}

/* 64 bits of the guest's memory to a number and back. */
static inline uint64_t pmumap_server_swap_word_(uint64_t x)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	x = (x & 0x00ff00ff00ff00ff) << 8 | (x >> 8 & 0x00ff00ff00ff00ff);
	x = (x & 0x0000ffff0000ffff) << 16 | (x >> 16 & 0x0000ffff0000ffff);
	x = x << 32 | x >> 32;
#endif
	return x;
}

/* A 64-bit argument, which takes two registers on RV32. */
static inline uint64_t pmumap_server_join_argument_(const struct pmumap_server *s,
						    const uint64_t *a)
{
	return a[0] | (a[1] << 32 & ~s->ones);
}

/*
 * Whether the host lets the guest's memory be reached at all: without it there is neither
 * SNAPSHOT_SET_SHMEM nor EVENT_GET_INFO.
 */
static inline int pmumap_server_has_memory_(const struct pmumap_server *s)
{
	return s->host && s->host->access;
}

/* access() of the host, at an offset from the address whose halves are in at[0] and at[1]. */
static inline int pmumap_server_access_(const struct pmumap_server *s, const uint64_t *at,
					uint64_t offset, void *data, uint64_t bytes, int write)
{
	uint64_t low = (at[0] + offset) & s->ones;

	return s->host->access(s->host->arg, low, at[1] + (low < at[0]), data, bytes, write);
}

/*
 * Whether the guest may read and write all bytes from the address in at[0] and at[1] on. The host
 * is not asked about a range that ends at 2^64 or wraps: its own sums could wrap, too.
 */
static inline int pmumap_server_may_access_(const struct pmumap_server *s, const uint64_t *at,
					    uint64_t bytes)
{
	return bytes <= ~pmumap_server_join_argument_(s, at) &&
	       pmumap_server_access_(s, at, 0, 0, bytes, 1);
}

/* ---- server/counters.h: The states of counters, and to start and stop one */
/* Shift a set by n, below 64. On 32-bit machines compilers would call a library for that. */
static inline uint64_t pmumap_server_shift_up_(uint64_t set, uint32_t n)
{
#if defined(__SIZEOF_POINTER__) && __SIZEOF_POINTER__ < 8
	uint32_t low = (uint32_t)(set & 0xffffffffu), high = (uint32_t)(set >> 32);

	if (n & 32) {
		high = low;
		low = 0;
	}
	n &= 31;
	high = high << n | low >> 1 >> (31 - n);
	return low << n | (uint64_t)high << 32;
#else
	return set << n;
#endif
}

/* The same to the right. */
static inline uint64_t pmumap_server_shift_down_(uint64_t set, uint32_t n)
{
#if defined(__SIZEOF_POINTER__) && __SIZEOF_POINTER__ < 8
	uint32_t low = (uint32_t)(set & 0xffffffffu), high = (uint32_t)(set >> 32);

	if (n & 32) {
		low = high;
		high = 0;
	}
	n &= 31;
	low = low >> n | high << 1 << (31 - n);
	return low | (uint64_t)(high >> n) << 32;
#else
	return set >> n;
#endif
}

/* The set of counter n alone. */
static inline uint64_t pmumap_server_set_of_(uint32_t n)
{
	return pmumap_server_shift_up_(1, n);
}

/* The lowest number in a set; there is one. */
static inline uint32_t pmumap_server_lowest_number_(uint64_t set)
{
	uint32_t low = (uint32_t)(set & 0xffffffffu);

	return low ? pmumap_lowest_bit_(low) : 32 + pmumap_lowest_bit_((uint32_t)(set >> 32));
}

/*
 * The set of a call: bit i of the mask a[1] is number a[0] + i. Returns 0 if it is empty, or if one
 * of its members is above all counters.
 */
static inline int pmumap_server_take_set_(const struct pmumap_server *s, const uint64_t *a,
					  uint64_t *set)
{
	if (a[0] >= s->total || a[1] - 1 >= pmumap_server_shift_down_(s->numbers, (uint32_t)a[0]))
		return 0;
	*set = pmumap_server_shift_up_(a[1], (uint32_t)a[0]);
	return 1;
}

/* Firmware counter i of a state, which may have others than the array of this file. */
static inline struct pmumap_server_fw *pmumap_server_firmware_(struct pmumap_server *s, uint32_t i)
{
	struct pmumap_server_fw *first = s->fw;

	return first + i;
}

/* Start counter n, which is configured; value: what it counts from, or NULL: as it is. */
static inline void pmumap_server_start_counter_(struct pmumap_server *s, uint32_t n,
						const uint64_t *value)
{
	if (n < s->hardware)
		s->pmu->start(s->pmu->arg, n, value);
	else if (value)
		pmumap_server_firmware_(s, n - s->hardware)->value = *value;
	s->started |= pmumap_server_set_of_(n);
}

/* Stop counter n, which is configured; release: it is then no longer configured. */
static inline void pmumap_server_stop_counter_(struct pmumap_server *s, uint32_t n, int release)
{
	uint64_t others = ~pmumap_server_set_of_(n);

	if (n < s->hardware)
		s->pmu->stop(s->pmu->arg, n, release);
	s->started &= others;
	if (release)
		s->configured &= others;
}

/* ---- server/match.h: CONFIG_MATCHING: a counter for an event */
/* Whether there is anything that counts a firmware event. */
static inline int pmumap_server_has_firmware_event_(const struct pmumap_server *s, uint32_t event,
						    uint64_t data)
{
	uint32_t code = event - PMUMAP_EVENT_FIRMWARE;

	if (!s->host || !s->host->counts)
		return 0;
	if (code >= PMUMAP_SERVER_FW_EVENTS && code < PMUMAP_SERVER_FW_OWN)
		return 0;
	if (code != PMUMAP_SERVER_FW_PLATFORM && data)
		return 0;
	return s->host->counts(s->host->arg, code, data) != 0;
}

/* Those of some hardware counters that can count an event, and its selector. */
PMUMAP_OUTLINE_ uint32_t pmumap_server_find_counters_(const struct pmumap_server *s, uint32_t event,
						      uint64_t data, uint32_t free,
						      uint64_t *selector)
{
	return free ? pmumap_riscv_find_counters_(s->map, event, data, free, s->rule, selector) : 0;
}

/*
 * Choose a counter of a set for the event of a job, and fill in its selector. Returns the number of
 * the counter; -1: none of them.
 */
static inline int pmumap_server_match_event_(const struct pmumap_server *s, struct pmumap_job *job,
					     uint64_t free)
{
	uint32_t counters;

	job->selector = 0;
	if (job->event >= PMUMAP_EVENT_FIRMWARE) {
		free &= ~(uint64_t)s->counters;
		if (free == 0 || !pmumap_server_has_firmware_event_(s, job->event, job->data))
			return -1;
		return (int)pmumap_server_lowest_number_(free);
	}
	counters = pmumap_server_find_counters_(s, job->event, job->data,
						s->counters & (uint32_t)(free & 0xffffffffu),
						&job->selector);
	if (counters == 0)
		return -1;
	counters = pmumap_riscv_best_counter_(counters, s->features);
	if (counters < PMUMAP_FIRST_PROGRAMMABLE_)
		job->selector = 0;
	return (int)counters;
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

/* Configure firmware counter i, which is that of a set alone, for a job. */
static inline void pmumap_server_configure_firmware_(struct pmumap_server *s, uint32_t i,
						     uint64_t set, const struct pmumap_job *job)
{
	struct pmumap_server_fw *fw = pmumap_server_firmware_(s, i);
	uint32_t code = job->event - PMUMAP_EVENT_FIRMWARE, bit = (uint32_t)1 << i;

	if (job->clear || !(s->configured & set))
		fw->value = 0;
	fw->event = code;
	s->fw_platform &= ~bit;
	if (code == PMUMAP_SERVER_FW_PLATFORM) {
		fw->event = job->data;
		s->fw_platform |= bit;
	}
}

/* CONFIG_MATCHING: configure one counter of a set. The value is its number. */
static inline struct pmumap_sbi_ret pmumap_server_configure_set_(struct pmumap_server *s,
								 const uint64_t *a)
{
	uint32_t flags = (uint32_t)a[2], n;
	uint64_t set, free;
	struct pmumap_job job;
	int counter;

	job.event = (uint32_t)a[3];
	job.data = pmumap_server_join_argument_(s, &a[4]);
	job.inhibit = pmumap_server_inhibit_modes_(s, flags);
	job.clear = (flags & PMUMAP_SBI_CLEAR_VALUE) != 0;
	if (!pmumap_server_take_set_(s, a, &set) || a[2] >> 8 || a[3] >> 20 ||
	    (job.data && !pmumap_server_event_has_data_(job.event)))
		return pmumap_server_make_ret_(PMUMAP_SBI_INVALID_PARAM, 0);

	free = set & s->matched & ~s->configured;
	if (flags & PMUMAP_SBI_SKIP_MATCH) {
		free = set & (0 - set);
		if (free & ~(s->configured | (s->counters & PMUMAP_FIXED_COUNTERS_)))
			return pmumap_server_make_ret_(PMUMAP_SBI_INVALID_PARAM, 0);
		/* Linux takes mcycle so when perf_user_access is 2, although it cannot filter. */
		if (s->features & PMUMAP_FILTER)
			free &= s->matched;
	}
	counter = pmumap_server_match_event_(s, &job, free);
	if (counter < 0)
		return pmumap_server_make_ret_(PMUMAP_SBI_NOT_SUPPORTED, 0);
	n = (uint32_t)counter;
	set = pmumap_server_set_of_(n);
	if (n >= s->hardware)
		pmumap_server_configure_firmware_(s, n - s->hardware, set, &job);
	else if (!s->pmu->set(s->pmu->arg, n, &job))
		return pmumap_server_make_ret_(PMUMAP_SBI_NOT_SUPPORTED, 0);
	s->configured |= set;
	if (flags & PMUMAP_SBI_AUTO_START)
		pmumap_server_start_counter_(s, n, 0);
	else if (s->started & set)
		s->started &= ~set; /* it ran, and SKIP_MATCH has given it a job that stopped it */
	return pmumap_server_make_ret_(PMUMAP_SBI_OK, n);
}

/* ---- server/snapshot.h: SNAPSHOT_SET_SHMEM; a snapshot, and what it does on a fault */
#define PMUMAP_SERVER_SHARED_BYTES_ 4096u /* of shared memory, which is aligned to that */
#define PMUMAP_SERVER_NOT_SHARED_ 1u      /* as its address: there is none */

/* SNAPSHOT_SET_SHMEM: set where snapshots go. Returns an error of SBI; nothing is changed then. */
static inline int pmumap_server_set_shmem_(struct pmumap_server *s, const uint64_t *a)
{
	uint64_t low = a[0];

	if (!pmumap_server_has_memory_(s) || (s->flags & PMUMAP_SERVER_NO_SNAPSHOT))
		return PMUMAP_SBI_NOT_SUPPORTED;
	if (a[2])
		return PMUMAP_SBI_INVALID_PARAM;
	if ((a[0] & a[1]) == s->ones) {
		low = PMUMAP_SERVER_NOT_SHARED_;
	} else {
		if (a[0] & (PMUMAP_SERVER_SHARED_BYTES_ - 1))
			return PMUMAP_SBI_INVALID_PARAM;
		if (!pmumap_server_may_access_(s, a, PMUMAP_SERVER_SHARED_BYTES_))
			return PMUMAP_SBI_INVALID_ADDRESS;
	}
	s->shared[0] = low;
	s->shared[1] = a[1];
	return PMUMAP_SBI_OK;
}

/*
 * Move a 64-bit number out of shared memory, or into it: at index 0 the overflows, from 1 on the
 * values. Returns 0 if the host does not, since the memory is not the guest's any more.
 */
static inline int pmumap_server_move_shared_(const struct pmumap_server *s, uint32_t index,
					     uint64_t *number, int write)
{
	uint64_t word = pmumap_server_swap_word_(*number);

	if (!pmumap_server_access_(s, s->shared, 8 * index, &word, sizeof(word), write))
		return 0;
	*number = pmumap_server_swap_word_(word);
	return 1;
}

/* Write the value of counter n to shared memory; base: of the set in the call. */
static inline int pmumap_server_save_value_(struct pmumap_server *s, uint32_t n, uint32_t base)
{
	uint64_t value = n < s->hardware ? s->pmu->read(s->pmu->arg, n)
					 : pmumap_server_firmware_(s, n - s->hardware)->value;

	return pmumap_server_move_shared_(s, 1 + n - base, &value, 1);
}

/* Whether counter n has overflowed, for what the hart or the host knows of that. */
static inline int pmumap_server_has_overflowed_(const struct pmumap_server *s, uint32_t n)
{
	return n < s->hardware && s->pmu->overflowed(s->pmu->arg, n);
}

/*
 * Write to shared memory which of the members have overflowed, and leave the bits of all others.
 * Without Sscofpmf no bit may be set.
 */
static inline int pmumap_server_save_overflows_(const struct pmumap_server *s, uint64_t members,
						uint64_t overflowed, uint32_t base)
{
	uint64_t bits = 0;

	if (s->features & PMUMAP_CAN_INTERRUPT) {
		if (!pmumap_server_move_shared_(s, 0, &bits, 0))
			return 0;
		bits &= ~pmumap_server_shift_down_(members, base);
		bits |= pmumap_server_shift_down_(overflowed, base);
	}
	return pmumap_server_move_shared_(s, 0, &bits, 1);
}

/*
 * Stop the members of a set, all configured, and write what they have counted, and which of them
 * have overflowed, to shared memory. Returns 0 if the host refused any of that.
 */
static inline int pmumap_server_take_snapshot_(struct pmumap_server *s, uint64_t members,
					       uint32_t base)
{
	uint64_t left, overflowed = 0;
	int good = 1;

	for (left = members; left; left &= left - 1) {
		uint32_t n = pmumap_server_lowest_number_(left);
		uint64_t member = left & (0 - left);

		if (s->started & member)
			pmumap_server_stop_counter_(s, n, 0);
		good &= pmumap_server_save_value_(s, n, base);
		if (pmumap_server_has_overflowed_(s, n))
			overflowed |= member;
	}
	return pmumap_server_save_overflows_(s, members, overflowed, base) && good;
}

/* ---- server/sets.h: START and STOP of a set of counters */
/* Take the set and check the flags of START or STOP. Returns the error of SBI. */
static inline int pmumap_server_check_set_(const struct pmumap_server *s, const uint64_t *a,
					   uint64_t *set)
{
	if (!pmumap_server_take_set_(s, a, set) || a[2] >> 2)
		return PMUMAP_SBI_INVALID_PARAM;
	/* The same bit as PMUMAP_SBI_TAKE_SNAPSHOT. */
	if ((a[2] & PMUMAP_SBI_INIT_SNAPSHOT) && s->shared[0] == PMUMAP_SERVER_NOT_SHARED_)
		return PMUMAP_SBI_NO_SHMEM;
	return PMUMAP_SBI_OK;
}

/*
 * START: nothing is done unless all counters of the set are configured. Those that run already do
 * not keep the others from being started.
 */
static inline struct pmumap_sbi_ret pmumap_server_start_set_(struct pmumap_server *s,
							     const uint64_t *a)
{
	uint64_t set, left, value = pmumap_server_join_argument_(s, &a[3]);
	uint32_t flags = (uint32_t)a[2];
	int error = pmumap_server_check_set_(s, a, &set);

	if (a[2] == (PMUMAP_SBI_SET_INIT_VALUE | PMUMAP_SBI_INIT_SNAPSHOT))
		error = PMUMAP_SBI_INVALID_PARAM;
	if (!error && (set & ~s->configured))
		error = PMUMAP_SBI_INVALID_PARAM;
	if (error)
		return pmumap_server_make_ret_(error, 0);
	if (set & s->started)
		error = PMUMAP_SBI_ALREADY_STARTED;
	for (left = set & ~s->started; left; left &= left - 1) {
		uint32_t n = pmumap_server_lowest_number_(left);

		if ((flags & PMUMAP_SBI_INIT_SNAPSHOT) &&
		    !pmumap_server_move_shared_(s, 1 + n - (uint32_t)a[0], &value, 0))
			error = PMUMAP_SBI_NO_SHMEM;
		else
			pmumap_server_start_counter_(s, n, flags ? &value : 0);
	}
	return pmumap_server_make_ret_(error, 0);
}

/* STOP: stop each counter of the set that runs; the error is about the others. */
static inline struct pmumap_sbi_ret pmumap_server_stop_set_(struct pmumap_server *s,
							    const uint64_t *a)
{
	uint64_t set, left;
	int error = pmumap_server_check_set_(s, a, &set), release = (int)(a[2] & PMUMAP_SBI_RESET);

	if (error)
		return pmumap_server_make_ret_(error, 0);
	if (set & ~s->started)
		error = PMUMAP_SBI_ALREADY_STOPPED;
	set &= s->configured;
	if ((a[2] & PMUMAP_SBI_TAKE_SNAPSHOT) &&
	    !pmumap_server_take_snapshot_(s, set, (uint32_t)a[0]))
		error = PMUMAP_SBI_NO_SHMEM;
	for (left = release ? set : set & s->started; left; left &= left - 1)
		pmumap_server_stop_counter_(s, pmumap_server_lowest_number_(left), release);
	return pmumap_server_make_ret_(error, 0);
}

/* ---- server/info.h: GET_INFO; EVENT_GET_INFO and its bounds */
#define PMUMAP_SERVER_CSR_CYCLE_ 0xc00u /* the CSR of counter 0 */
#define PMUMAP_SERVER_ENTRIES_ 16u      /* of EVENT_GET_INFO that are copied at once */

/*
 * GET_INFO: the CSR of counter n, and how wide it is; or that it is a firmware counter. Of those
 * the width means nothing to SBI, but Linux cuts what it has counted to it.
 */
static inline struct pmumap_sbi_ret pmumap_server_get_counter_info_(const struct pmumap_server *s,
								    uint64_t n)
{
	uint32_t width, csr;

	if (n >= s->total || (n < s->hardware && !(s->counters >> n & 1)))
		return pmumap_server_make_ret_(PMUMAP_SBI_INVALID_PARAM, 0);
	if (n >= s->hardware)
		return pmumap_server_make_ret_(PMUMAP_SBI_OK, (s->ones ^ s->ones >> 1) | 63u << 12);
	width = n < 3 ? 64 : s->width;
	csr = PMUMAP_SERVER_CSR_CYCLE_ + (uint32_t)n;
	return pmumap_server_make_ret_(PMUMAP_SBI_OK, csr | ((width - 1) & 63) << 12);
}

/* Whether some counter of the guest can count an event, were all of them free; -1: it is none. */
static inline int pmumap_server_has_event_(const struct pmumap_server *s, uint32_t event,
					   uint64_t data)
{
	uint64_t selector;

	if (event >= PMUMAP_EVENT_FIRMWARE)
		return event >> 20 ? -1 : pmumap_server_has_firmware_event_(s, event, data);
	return pmumap_server_find_counters_(s, event, data, s->usable, &selector) != 0;
}

/*
 * Answer n entries that are copied from the guest's memory: each has the event, 32 bits for the
 * answer, and data. Returns how many there are before the first one whose event is none.
 */
static inline uint32_t pmumap_server_answer_entries_(const struct pmumap_server *s, uint64_t *entry,
						     uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++, entry += 2) {
		uint64_t data = pmumap_server_swap_word_(entry[1]);
		uint32_t event = (uint32_t)pmumap_server_swap_word_(entry[0]);
		int has = pmumap_server_has_event_(s, event, data);

		if (has < 0)
			break;
		entry[0] = pmumap_server_swap_word_(event | (uint64_t)has << 32);
	}
	return i;
}

/* EVENT_GET_INFO: write into each entry whether some counter of the guest can count its event. */
static inline int pmumap_server_get_event_info_(const struct pmumap_server *s, const uint64_t *a)
{
	uint64_t entries[2 * PMUMAP_SERVER_ENTRIES_], done;
	uint32_t n, good;

	if (!pmumap_server_has_memory_(s))
		return PMUMAP_SBI_NOT_SUPPORTED;
	/* The limit comes first: the size of more entries could wrap. */
	if (a[3] || (a[0] & 15) || a[2] > PMUMAP_SERVER_INFO_ENTRIES)
		return PMUMAP_SBI_INVALID_PARAM;
	if (a[2] == 0)
		return PMUMAP_SBI_OK;
	if (!pmumap_server_may_access_(s, a, a[2] << 4))
		return PMUMAP_SBI_INVALID_ADDRESS;
	for (done = 0; done < a[2]; done += n) {
		n = PMUMAP_SERVER_ENTRIES_;
		if (n > a[2] - done)
			n = (uint32_t)(a[2] - done);
		if (!pmumap_server_access_(s, a, done << 4, entries, n * 16, 0))
			return PMUMAP_SBI_FAILED;
		good = pmumap_server_answer_entries_(s, entries, n);
		if (good && !pmumap_server_access_(s, a, done << 4, entries, good * 16, 1))
			return PMUMAP_SBI_FAILED;
		if (good < n)
			return PMUMAP_SBI_INVALID_PARAM;
	}
	return PMUMAP_SBI_OK;
}

/* ---- server/calls.h: Each call to its function; init, count and reset */
/* FW_READ; high: FW_READ_HI, the upper half on RV32. */
static inline struct pmumap_sbi_ret pmumap_server_read_firmware_(struct pmumap_server *s,
								 uint64_t n, int high)
{
	uint64_t value;

	if (n < s->hardware || n >= s->total ||
	    !(pmumap_server_shift_down_(s->configured, (uint32_t)n) & 1))
		return pmumap_server_make_ret_(PMUMAP_SBI_INVALID_PARAM, 0);
	value = pmumap_server_firmware_(s, (uint32_t)n - s->hardware)->value;
	if (high)
		value = (value & ~s->ones) >> 32;
	return pmumap_server_make_ret_(PMUMAP_SBI_OK, value & s->ones);
}

PMUMAP_DEF struct pmumap_sbi_ret pmumap_server_call(struct pmumap_server *s, uint32_t function,
						    const uint64_t *args)
{
	const uint64_t *a = args;
	uint64_t cut[6];
	uint32_t i;

	if (s->xlen == 32) {
		for (i = 0; i < 6; i++) {
			cut[i] = args[i] & 0xffffffffu;
			PMUMAP_NO_LIBCALL_();
		}
		a = cut;
	}
	switch (function) {
	case PMUMAP_SBI_NUM_COUNTERS:
		return pmumap_server_make_ret_(PMUMAP_SBI_OK, s->total);
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

PMUMAP_DEF void pmumap_server_ecall(struct pmumap_server *s, unsigned long *a0)
{
	uint64_t function = a0[6] & s->ones, args[6];
	struct pmumap_sbi_ret r;
	uint32_t i;

	for (i = 0; i < 6; i++) {
		args[i] = a0[i];
		PMUMAP_NO_LIBCALL_();
	}
	/* What does not fit into 32 bits is no function either. */
	r = pmumap_server_call(s, function >> 32 ? 0xffffffffu : (uint32_t)function, args);
	a0[0] = (unsigned long)(long)r.error;
	a0[1] = (unsigned long)r.value;
}

PMUMAP_DEF void pmumap_server_count(struct pmumap_server *s, uint32_t code, uint64_t data)
{
	uint32_t left = (uint32_t)pmumap_server_shift_down_(s->started, s->hardware);

	if (code == PMUMAP_SERVER_FW_PLATFORM) {
		left &= s->fw_platform;
	} else {
		left &= ~s->fw_platform;
		data = code;
	}
	for (; left; left &= left - 1) {
		struct pmumap_server_fw *fw = pmumap_server_firmware_(s, pmumap_lowest_bit_(left));

		fw->value += fw->event == data;
	}
}

PMUMAP_DEF void pmumap_server_init_sized(struct pmumap_server *s, size_t bytes)
{
	size_t counters = (bytes - (sizeof(*s) - sizeof(s->fw))) / sizeof(s->fw[0]);
	uint32_t features = s->features;

	s->counters = s->granted & ~PMUMAP_TIME_BIT_;
	s->hardware = pmumap_bit_width_(s->counters);
	s->counters &= ~s->delegated;
	if (features & PMUMAP_CAN_FILTER)
		features |= PMUMAP_FILTER;
	s->usable = s->counters & pmumap_riscv_usable_counters_(features);
	s->total = s->hardware + (uint32_t)counters;
	s->ones = s->xlen == 32 ? 0xffffffffu : ~(uint64_t)0;
	s->fw_platform = 0;
	s->shared[0] = PMUMAP_SERVER_NOT_SHARED_;
	s->numbers = pmumap_server_shift_down_(~(uint64_t)0, 64 - s->total);
	s->matched = s->usable | (s->numbers & ~(pmumap_server_set_of_(s->hardware) - 1));
	s->configured = 0;
	s->started = 0;
}

PMUMAP_DEF void pmumap_server_reset(struct pmumap_server *s)
{
	s->shared[0] = PMUMAP_SERVER_NOT_SHARED_;
	while (s->configured)
		pmumap_server_stop_counter_(s, pmumap_server_lowest_number_(s->configured), 1);
}

/* ---- server/vpmu.h: Virtual CPUs: each operation, save and restore */
#define PMUMAP_VPMU_ALL_MODES_ 31u /* of struct pmumap_job.inhibit */

/* Member by member: from one assignment compilers make a call of memcpy. */
static inline void pmumap_vpmu_copy_job_(struct pmumap_job *to, const struct pmumap_job *from)
{
	to->data = from->data;
	to->selector = from->selector;
	to->event = from->event;
	to->inhibit = from->inhibit;
	to->clear = from->clear;
}

/* Whether a counter of the virtual CPU is one of its hart now. */
static inline int pmumap_vpmu_is_loaded_(const struct pmumap_vpmu *v, uint32_t counter)
{
	return v->loaded >> counter & 1;
}

/*
 * Put a value into a counter of the hart, for set() or stop() to come. A value is only ever written
 * at a start: so until then it counts nothing, as far as that is possible.
 */
static inline int pmumap_vpmu_place_value_(const struct pmumap_vpmu *v, uint32_t counter,
					   const struct pmumap_job *job, uint64_t value)
{
	struct pmumap_job nothing;

	pmumap_vpmu_copy_job_(&nothing, job);
	nothing.selector = 0;
	nothing.inhibit = PMUMAP_VPMU_ALL_MODES_;
	nothing.clear = value == 0;
	if (!v->hart->set(v->hart->arg, counter, &nothing))
		return 0;
	if (value)
		v->hart->start(v->hart->arg, counter, &value);
	return 1;
}

/*
 * Give a counter of the hart a job, and this value to stand at until it is started: a guest may
 * read it by itself. Returns 0: the hart refuses, and the counter is released without the value.
 */
static inline int pmumap_vpmu_load_standing_(const struct pmumap_vpmu *v, uint32_t counter,
					     const struct pmumap_job *job, uint64_t value)
{
	const uint64_t none = 0;
	struct pmumap_job own;

	pmumap_vpmu_copy_job_(&own, job);
	own.clear = value == 0;
	if (value && !pmumap_vpmu_place_value_(v, counter, job, value))
		return 0;
	if (v->hart->set(v->hart->arg, counter, &own))
		return 1;
	if (value) {
		v->hart->start(v->hart->arg, counter, &none);
		v->hart->stop(v->hart->arg, counter, 1);
	}
	return 0;
}

/* Let a counter of the hart be one of the virtual CPU, with its job and its value. */
static inline int pmumap_vpmu_load_counter_(const struct pmumap_vpmu *v, uint32_t counter)
{
	if (!(v->running >> counter & 1))
		return pmumap_vpmu_load_standing_(v, counter, &v->job[counter], v->value[counter]);
	if (!v->hart->set(v->hart->arg, counter, &v->job[counter]))
		return 0;
	v->hart->start(v->hart->arg, counter, &v->value[counter]);
	return 1;
}

/* Keep the value of a counter that the hart has stopped, and whether it has overflowed. */
static inline void pmumap_vpmu_keep_value_(struct pmumap_vpmu *v, uint32_t counter)
{
	v->value[counter] = v->hart->read(v->hart->arg, counter);
	if (v->hart->overflowed(v->hart->arg, counter))
		v->overflowed |= (uint32_t)1 << counter;
}

/* The functions of struct pmumap_pmu. */
static inline int pmumap_vpmu_set_(void *arg, uint32_t counter, const struct pmumap_job *job)
{
	struct pmumap_vpmu *v = (struct pmumap_vpmu *)arg;
	uint32_t bit = (uint32_t)1 << (counter & 31);
	uint64_t value;

	if (counter > 31 || !v->hart)
		return 0;
	value = job->clear ? 0 : v->value[counter];
	if (!(v->loaded & bit)) {
		/* Its old value, another guest's, must not leak. */
		if (!pmumap_vpmu_load_standing_(v, counter, job, value))
			return 0;
	} else {
		if (!v->hart->set(v->hart->arg, counter, job))
			return 0;
		if (!job->clear && (v->running & bit))
			value = v->hart->read(v->hart->arg, counter);
	}
	v->value[counter] = value;
	pmumap_vpmu_copy_job_(&v->job[counter], job);
	v->job[counter].clear = 0;
	v->configured |= bit;
	v->running &= ~bit;
	v->overflowed &= ~bit;
	v->loaded |= bit;
	v->touched |= bit;
	return 1;
}

static inline void pmumap_vpmu_start_(void *arg, uint32_t counter, const uint64_t *value)
{
	struct pmumap_vpmu *v = (struct pmumap_vpmu *)arg;
	uint32_t bit = (uint32_t)1 << (counter & 31);

	if (counter > 31 || !(v->configured & bit))
		return;
	if (value)
		v->value[counter] = *value;
	/* One that runs goes on from where it is, and what it has overflowed stays to be told. */
	if (pmumap_vpmu_is_loaded_(v, counter))
		v->hart->start(v->hart->arg, counter,
			       value || !(v->running & bit) ? &v->value[counter] : 0);
	v->overflowed &= v->running | ~bit;
	v->running |= bit;
}

static inline void pmumap_vpmu_stop_(void *arg, uint32_t counter, int release)
{
	struct pmumap_vpmu *v = (struct pmumap_vpmu *)arg;
	uint32_t bit = (uint32_t)1 << (counter & 31);

	if (counter > 31 || !(v->configured & bit))
		return;
	if (pmumap_vpmu_is_loaded_(v, counter)) {
		v->hart->stop(v->hart->arg, counter, 0);
		if (v->running & bit)
			pmumap_vpmu_keep_value_(v, counter);
		if (release)
			v->hart->stop(v->hart->arg, counter, 1);
	}
	v->running &= ~bit;
	if (release) {
		v->configured &= ~bit;
		v->loaded &= ~bit;
		v->overflowed &= ~bit;
	}
}

static inline uint64_t pmumap_vpmu_read_(void *arg, uint32_t counter)
{
	struct pmumap_vpmu *v = (struct pmumap_vpmu *)arg;

	if (counter > 31)
		return 0;
	if ((v->loaded & v->running) >> counter & 1)
		return v->hart->read(v->hart->arg, counter);
	return v->value[counter];
}

static inline int pmumap_vpmu_overflowed_(void *arg, uint32_t counter)
{
	struct pmumap_vpmu *v = (struct pmumap_vpmu *)arg;

	if (counter > 31)
		return 0;
	if (v->overflowed >> counter & 1)
		return 1;
	return (v->loaded & v->running) >> counter & 1 &&
	       v->hart->overflowed(v->hart->arg, counter);
}

PMUMAP_DEF void pmumap_vpmu_init(struct pmumap_vpmu *v)
{
	pmumap_zero_words_(v->value, sizeof(v->value));
	v->configured = 0;
	v->running = 0;
	v->overflowed = 0;
	v->loaded = 0;
	v->touched = 0;
	v->hart = 0;
	v->sets = 0;
}

PMUMAP_DEF void pmumap_vpmu_pmu(struct pmumap_vpmu *v, struct pmumap_pmu *pmu)
{
	pmu->set = pmumap_vpmu_set_;
	pmu->start = pmumap_vpmu_start_;
	pmu->stop = pmumap_vpmu_stop_;
	pmu->read = pmumap_vpmu_read_;
	pmu->overflowed = pmumap_vpmu_overflowed_;
	pmu->arg = v;
}

/*
 * Stop, wipe and release counters one after another. One that does not take the job that counts
 * nothing is wiped with its own: what is left is what it has counted between start and stop.
 */
PMUMAP_OUTLINE_ uint32_t pmumap_vpmu_release_each_(struct pmumap_vpmu *v)
{
	const uint64_t none = 0;
	uint32_t left, refused = 0;

	/* First all stop; to wipe one takes time, in which the others would count. */
	for (left = v->loaded & v->running; left; left &= left - 1) {
		v->hart->stop(v->hart->arg, pmumap_lowest_bit_(left), 0);
		pmumap_vpmu_keep_value_(v, pmumap_lowest_bit_(left));
	}
	for (left = v->touched; left; left &= left - 1) {
		uint32_t counter = pmumap_lowest_bit_(left);

		if (!pmumap_vpmu_place_value_(v, counter, &v->job[counter], 0)) {
			v->hart->start(v->hart->arg, counter, &none);
			refused |= left & (0 - left);
		}
		v->hart->stop(v->hart->arg, counter, 1);
	}
	return refused;
}

PMUMAP_DEF uint32_t pmumap_vpmu_save(struct pmumap_vpmu *v)
{
	uint32_t refused;

	if (v->sets)
		refused = v->sets->release(v->sets->one.arg, v->touched, v->loaded,
					   v->loaded & v->running, v->value, &v->overflowed);
	else
		refused = pmumap_vpmu_release_each_(v);
	v->loaded = 0;
	v->touched = 0;
	v->hart = 0;
	v->sets = 0;
	return refused;
}

/* Let the hart have some of the configured counters, one after another. */
PMUMAP_OUTLINE_ void pmumap_vpmu_load_each_(struct pmumap_vpmu *v, uint32_t counters)
{
	for (; counters; counters &= counters - 1) {
		if (pmumap_vpmu_load_counter_(v, pmumap_lowest_bit_(counters)))
			v->loaded |= counters & (0 - counters);
	}
}

PMUMAP_DEF uint32_t pmumap_vpmu_restore(struct pmumap_vpmu *v, const struct pmumap_pmu *hart)
{
	v->hart = hart;
	v->sets = 0;
	pmumap_vpmu_load_each_(v, v->configured);
	v->touched = v->loaded;
	return v->configured & ~v->loaded;
}

PMUMAP_DEF uint32_t pmumap_vpmu_restore_sets(struct pmumap_vpmu *v,
					     const struct pmumap_pmu_sets *hart)
{
	uint32_t running = v->configured & v->running, refused;

	v->hart = &hart->one;
	v->sets = hart;
	/* Those that stand need some calls each, in which the others should not count yet. */
	if (v->configured & ~running)
		pmumap_vpmu_load_each_(v, v->configured & ~running);
	refused = hart->load(hart->one.arg, running, v->job, v->value);
	v->loaded |= running & ~refused;
	v->touched = v->loaded;
	return (v->configured & ~v->loaded) | refused;
}

#endif /* PMUMAP_SERVER_IMPLEMENTED_ */

#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
