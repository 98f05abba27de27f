/* SPDX-License-Identifier: BSD-2-Clause
 * Generated from src/ by "make headers": change it there.
 *
 * pmumap_server.h 0.3.1 -- serve the PMU extension of SBI v3.0 (EID 0x504D55) from a map: for
 * firmware, hypervisors and emulators.
 *
 * QUICK START
 *	#include "pmumap_server.h"	// includes pmumap.h
 *
 *	static struct pmumap_server pmu; // one per hart or virtual hart
 *	static const struct pmumap_server_host host = { my_access, my_counts, 0 };
 *
 *	pmu.map = map;			// pmumap_fdt_build(), pmumap_finish() or pmumap_open()
 *	pmu.pmu = &counters;		// pmumap_hart_as_pmu(), pmumap_sbi_as_pmu(), or your own
 *	pmu.host = &host;		// guest memory and firmware events
 *	pmu.xlen = 64;
 *	pmu.granted = hart.counters;
 *	pmu.width = hart.width;
 *	pmu.features = hart.features;
 *	pmu.rule = PMUMAP_RULE_ABSENT;
 *	pmu.inhibit = PMUMAP_INHIBIT_M; // other members may stay 0
 *	pmumap_server_init(&pmu);
 *
 *	// in the trap handler, for an ecall with a7 == PMUMAP_SBI_EID; x: guest registers
 *	pmumap_server_ecall(&pmu, &x[10]);
 *
 *	// where a firmware event happens; cheap while nobody counts it
 *	pmumap_server_firmware_event(&pmu, 5, 0);	// SBI_PMU_FW_SET_TIMER
 *
 * Whole programs are in doc/server.md (firmware) and examples/server.md. An emulator writes only
 * these five functions for its counters:
 *	struct pmumap_pmu counters = { my_set, my_start, my_stop, my_read, my_overflowed, my_hart };
 *
 * CONTRACT
 *   As in pmumap.h, and:
 *   Memory	no heap, no globals, no recursion. A state has at most 416 bytes with 16 firmware
 *		counters. Optimised code needs less than 640 bytes of stack besides your functions;
 *		256 of them are entries of EVENT_GET_INFO.
 *   Libc	none; on CPUs with multiplication no libgcc, at any optimisation level.
 *   Threads	a state belongs to one hart: pmumap_server_call() and pmumap_server_firmware_event()
 *		must not run at the same time.
 *   Guest	any function, argument or memory is safe. Arguments are cut to xlen bits and checked
 *		before they are used as an index. Memory is read once, and only after access() has
 *		permitted all of it. The cost of a call grows with the counters that it acts on, at
 *		most 64, however wide its mask is; or with the entries of EVENT_GET_INFO. More than
 *		PMUMAP_SERVER_INFO_ENTRIES (4096) are INVALID_PARAM.
 *   Host	the members of struct pmumap_server and the map are trusted; answers of callbacks
 *		are not. If they refuse or lie, the guest gets an error or a wrong count, and the
 *		state stays consistent. Only access() may longjmp away, and the guest may call
 *		again; for other callbacks that do not return see doc/server.md.
 *   Harts	before a hart stops, save virtual CPUs or reset the server, or counts are lost.
 *		Between calls you may copy or move a state.
 *
 * WHAT THE GUEST SEES
 *   Counters	hardware counter N is counter N (CSR 0xc00 + N), up to the highest one granted, with
 *		holes. The firmware counters follow; they have 64 bits.
 *   Match	the map chooses among the free counters of the set, like pmumap_plan(). A configured
 *		counter is busy, started or not, until STOP with RESET. EVENT_GET_INFO answers as
 *		CONFIG_MATCHING would with all counters free.
 *   Filters	if counters can filter modes, cycles and instructions never go to a fixed counter
 *		that cannot. If none can, the guest's filters are hints, as SBI says.
 *		PMUMAP_MUST_FILTER in your features makes them mandatory.
 *   Sets	an empty set, or a member above the highest counter, is INVALID_PARAM, and so is
 *		START of a counter that is not configured; then nothing changes. A counter that
 *		already runs (or is stopped) does not keep the others from starting (or stopping).
 *   Skipping	SKIP_MATCH takes the first counter of the set. It must be configured already; fixed
 *		counters always are. If it runs, it is NOT_SUPPORTED, and the counter goes on.
 *   Firmware	FW_READ of a firmware counter that is not configured is INVALID_PARAM.
 *   Snapshots	with Sscofpmf, overflow bits outside the set stay; without, all are 0.
 *
 * DEVIATIONS FROM SBI 3.0, AND WHAT IT LEAVES OPEN
 *   doc/server.md has the reasons. tests/unit/test_sbi_pmu.c tests each by its name.
 *   D1	CONFIG_MATCHING ignores holes in its set.
 *   D2	STOP of a hole or a counter that is not configured is ALREADY_STOPPED.
 *   D4	SKIP_MATCH is NOT_SUPPORTED if the counter runs, or cannot count the event.
 *   D5	EVENT_GET_INFO answers 0 for events of types 4 to 14.
 *   D6	GET_INFO reports 64 bits for firmware counters.
 *   D7	If snapshot memory is no longer the guest's, START and STOP return NO_SHMEM: counters do not
 *	start from it, but they stop and are released.
 *   D9	Raw events are cut to 48 or 56 bits. Events above 20 bits, and data of events that have
 *	none, are INVALID_PARAM.
 */
#include "pmumap.h"

/* ---- core/version.h: Refuse a header of another version */
/* A header left over from another release would compile, and read a struct of another layout. */
#ifndef PMUMAP_VERSION_MAJOR
#define PMUMAP_VERSION_MAJOR 0
#define PMUMAP_VERSION_MINOR 3
#define PMUMAP_VERSION_PATCH 1
#elif PMUMAP_VERSION_MAJOR != 0 || PMUMAP_VERSION_MINOR != 3 || PMUMAP_VERSION_PATCH != 1
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

/* ---- server/api.h: One hart's server, and its guest's calls */
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

/* ---- server/vpmu_api.h: Counters of virtual CPUs that take turns on a hart */
/*
 * The counters of a virtual CPU, on top of its hart's. Virtual CPUs can share a hart if each has
 * one of these, calls pmumap_vpmu_save() when it leaves a hart, and pmumap_vpmu_restore() when it
 * arrives. Then each counts only its own work, and can read no value of another. A saved struct has
 * no pointers and can move. Counters that no virtual CPU configures stay the hart's: readable
 * mcycle and minstret show everybody's work since reset.
 *
 *   loaded	bit N: this is the hart's counter N now. 0 also if the hart refused a job: the
 *		counter waits, with its count, for a restore
 *   overflowed	bit N: counter N wrapped, and was then stopped or saved. The hart's OF bit is not
 *		restored: show the guest these bits in scountovf besides the hart's, and raise its
 *		interrupt if that was pending
 */
struct pmumap_vpmu {
	struct pmumap_job job[32];
	uint64_t value[32]; /* of counters that are not on a hart now */
	uint32_t configured, running, overflowed;
	uint32_t loaded;
	uint32_t touched;              /* bit N: it was since restore, so the hart has our value */
	const struct pmumap_pmu *hart; /* NULL: saved */
	const struct pmumap_pmu_sets *sets; /* NULL: counters are moved one by one */
};

/* Begin: nothing is configured, all values are 0, and it is on no hart. */
PMUMAP_API void pmumap_vpmu_init(struct pmumap_vpmu *v);

/*
 * Get the functions for a server or a profiler of this virtual CPU. On no hart, set returns 0, and
 * the others act on the saved state. A start with value NULL continues from the saved value.
 */
PMUMAP_API void pmumap_vpmu_as_pmu(struct pmumap_vpmu *v, struct pmumap_pmu *pmu);

/*
 * Leave the hart: its counters are stopped, wiped and released. After pmumap_vpmu_restore_sets()
 * values stay until the next such restore on that hart.
 *
 * Returns  the counters that the hart refused to stop or wipe. The state is still saved, and any
 *          hart can restore it. Such a counter may still count, or show its value: let no
 *          guest read it (mcounteren, hcounteren) until somebody who uses it is saved or restored
 *          without refusal.
 */
PMUMAP_API uint32_t pmumap_vpmu_save(struct pmumap_vpmu *v);

/*
 * Arrive at a hart. Nobody else may use the counters that this virtual CPU has configured until
 * save.
 * Returns  the counters that this hart refused; they stop, and keep their values for another hart.
 */
PMUMAP_API uint32_t pmumap_vpmu_restore(struct pmumap_vpmu *v, const struct pmumap_pmu *hart);

/*
 * The same with one call for all counters until save, for a hart behind firmware
 * (pmumap_sbi_sets()). Values are wiped not at save, but when the next virtual CPU arrives and
 * leaves that counter unused. So everybody on this hart who may read counters must arrive by this
 * function; an empty struct pmumap_vpmu wipes all.
 * Returns  as above, and the counters that could not be wiped: let the guest read none of them.
 */
PMUMAP_API uint32_t pmumap_vpmu_restore_sets(struct pmumap_vpmu *v,
					     const struct pmumap_pmu_sets *hart);

#endif /* PMUMAP_SERVER_H */

#if PMUMAP_LINKAGE_ == 1 && (defined(PMUMAP_EXTERN) || defined(PMUMAP_IMPLEMENTATION))
#error "pmumap_server.h was included here without PMUMAP_EXTERN before: define that for the whole program"
#endif

#if (PMUMAP_LINKAGE_ == 1 || defined(PMUMAP_IMPLEMENTATION)) && !defined(PMUMAP_SERVER_IMPLEMENTED_)
#define PMUMAP_SERVER_IMPLEMENTED_

/* ---- server/guest.h: Guest memory and arguments, results of calls */
static inline struct pmumap_sbi_ret pmumap_server_make_ret_(int error, uint64_t value)
{
	struct pmumap_sbi_ret r;

	r.error = error;
	r.value = value;
	return r;
}

/* Convert a little-endian word of guest memory, either way. */
static inline uint64_t pmumap_server_swap_word_(uint64_t x)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	x = (x & 0x00ff00ff00ff00ff) << 8 | (x >> 8 & 0x00ff00ff00ff00ff);
	x = (x & 0x0000ffff0000ffff) << 16 | (x >> 16 & 0x0000ffff0000ffff);
	x = x << 32 | x >> 32;
#endif
	return x;
}

/* A 64-bit argument takes two registers on RV32. */
static inline uint64_t pmumap_server_join_argument_(const struct pmumap_server *s,
						    const uint64_t *a)
{
	return a[0] | (a[1] << 32 & ~s->ones);
}

/* Without access to guest memory, SNAPSHOT_SET_SHMEM and EVENT_GET_INFO are unsupported. */
static inline int pmumap_server_has_memory_(const struct pmumap_server *s)
{
	return s->host && s->host->access;
}

/* Call the host's access() at an offset from the address in at[0] and at[1]. */
static inline int pmumap_server_access_(const struct pmumap_server *s, const uint64_t *at,
					uint64_t offset, void *data, uint64_t bytes, int write)
{
	uint64_t low = (at[0] + offset) & s->ones;

	return s->host->access(s->host->arg, low, at[1] + (low < at[0]), data, bytes, write);
}

/*
 * Whether the guest may read and write this range. A range that ends at 2^64 or wraps is refused
 * here, because the host's own arithmetic could wrap too.
 */
static inline int pmumap_server_may_access_(const struct pmumap_server *s, const uint64_t *at,
					    uint64_t bytes)
{
	return bytes <= ~pmumap_server_join_argument_(s, at) &&
	       pmumap_server_access_(s, at, 0, 0, bytes, 1);
}

/* ---- server/counters.h: Counter states; start and stop one counter */
/* Shift a set left by n, below 64, without libgcc on 32-bit machines. */
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

static inline uint64_t pmumap_server_set_of_(uint32_t n)
{
	return pmumap_server_shift_up_(1, n);
}

/* The lowest number in a set that is not empty. */
static inline uint32_t pmumap_server_lowest_number_(uint64_t set)
{
	uint32_t low = (uint32_t)(set & 0xffffffffu);

	return low ? pmumap_lowest_bit_(low) : 32 + pmumap_lowest_bit_((uint32_t)(set >> 32));
}

/*
 * Decode a call's set: bit i of the mask a[1] is counter a[0] + i. Returns 0 if it is empty or has
 * a member above all counters.
 */
static inline int pmumap_server_take_set_(const struct pmumap_server *s, const uint64_t *a,
					  uint64_t *set)
{
	if (a[0] >= s->total || a[1] - 1 >= pmumap_server_shift_down_(s->numbers, (uint32_t)a[0]))
		return 0;
	*set = pmumap_server_shift_up_(a[1], (uint32_t)a[0]);
	return 1;
}

/* Firmware counter i. The array of this file may be shorter, hence the pointer. */
static inline struct pmumap_server_fw *pmumap_server_firmware_(struct pmumap_server *s, uint32_t i)
{
	struct pmumap_server_fw *first = s->fw;

	return first + i;
}

/* Start configured counter n at *value; with NULL, continue. */
static inline void pmumap_server_start_counter_(struct pmumap_server *s, uint32_t n,
						const uint64_t *value)
{
	if (n < s->hardware)
		s->pmu->start(s->pmu->arg, n, value);
	else if (value)
		pmumap_server_firmware_(s, n - s->hardware)->value = *value;
	s->started |= pmumap_server_set_of_(n);
}

/* Stop configured counter n; release: it loses its event. */
static inline void pmumap_server_stop_counter_(struct pmumap_server *s, uint32_t n, int release)
{
	uint64_t others = ~pmumap_server_set_of_(n);

	if (n < s->hardware)
		s->pmu->stop(s->pmu->arg, n, release);
	s->started &= others;
	if (release)
		s->configured &= others;
}

/* ---- server/match.h: CONFIG_MATCHING: choose a counter for an event */
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

/* Which of the free hardware counters can count an event, and its selector. */
PMUMAP_OUTLINE_ uint32_t pmumap_server_find_counters_(const struct pmumap_server *s, uint32_t event,
						      uint64_t data, uint32_t free,
						      uint64_t *selector)
{
	return free ? pmumap_riscv_find_counters_(s->map, event, data, free, s->rule, selector) : 0;
}

/* Choose a free counter for a job's event, and fill in the selector. Returns its number, or -1. */
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

/* The hart's modes in which a counter must not count, for the guest's filters and the host's. */
static inline uint32_t pmumap_server_inhibit_modes_(const struct pmumap_server *s, uint32_t flags)
{
	uint32_t modes = flags >> PMUMAP_SBI_INHIBIT_SHIFT & 31;

	if (s->for_vs)
		modes = (modes & PMUMAP_INHIBIT_M) |
			(modes >> 2 & (PMUMAP_INHIBIT_VS | PMUMAP_INHIBIT_VU));
	return modes | s->inhibit;
}

/* Whether an event may have data other than 0. */
static inline int pmumap_server_event_has_data_(uint32_t event)
{
	if (event >= PMUMAP_EVENT_FIRMWARE)
		return event == PMUMAP_EVENT_FIRMWARE + PMUMAP_SERVER_FW_PLATFORM;
	return event >= PMUMAP_EVENT_RAW;
}

/* Configure firmware counter i; set has only its number. */
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

/* CONFIG_MATCHING: configure one counter of a set, and return its number. */
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
		free &= ~s->started;
		/* For perf_user_access 2, Linux skips to mcycle although it cannot filter. */
		if (s->features & PMUMAP_MUST_FILTER)
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
	return pmumap_server_make_ret_(PMUMAP_SBI_OK, n);
}

/* ---- server/snapshot.h: SNAPSHOT_SET_SHMEM; snapshots, and faults in them */
#define PMUMAP_SERVER_SHARED_BYTES_ 4096u /* of shared memory, and its alignment */
#define PMUMAP_SERVER_NOT_SHARED_ 1u      /* as the address: no memory is shared */

/* SNAPSHOT_SET_SHMEM: set the address of snapshots. Returns an SBI error; then nothing changes. */
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
 * Copy a 64-bit number from or to shared memory. Index 0: overflows; from 1: values. Returns 0 if
 * the host refuses, because the memory is no longer the guest's.
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

/* Store counter n's value in shared memory; base: the set's base. */
static inline int pmumap_server_save_value_(struct pmumap_server *s, uint32_t n, uint32_t base)
{
	uint64_t value = n < s->hardware ? s->pmu->read(s->pmu->arg, n)
					 : pmumap_server_firmware_(s, n - s->hardware)->value;

	return pmumap_server_move_shared_(s, 1 + n - base, &value, 1);
}

static inline int pmumap_server_has_overflowed_(const struct pmumap_server *s, uint32_t n)
{
	return n < s->hardware && s->pmu->overflowed(s->pmu->arg, n);
}

/*
 * Update the overflow bits of the members in shared memory; others stay. Without Sscofpmf all bits
 * must be 0.
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
 * Stop all members, which are configured, and store their values and overflows in shared memory.
 * Returns 0 if the host refused any access.
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
/* Decode the set and check the flags of START or STOP. Returns an SBI error. */
static inline int pmumap_server_check_set_(const struct pmumap_server *s, const uint64_t *a,
					   uint64_t *set)
{
	if (!pmumap_server_take_set_(s, a, set) || a[2] >> 2)
		return PMUMAP_SBI_INVALID_PARAM;
	/* PMUMAP_SBI_TAKE_SNAPSHOT is the same bit. */
	if ((a[2] & PMUMAP_SBI_INIT_SNAPSHOT) && s->shared[0] == PMUMAP_SERVER_NOT_SHARED_)
		return PMUMAP_SBI_NO_SHMEM;
	return PMUMAP_SBI_OK;
}

/*
 * START does nothing unless every counter of the set is configured. Counters that already run do
 * not keep the others from starting.
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

/* STOP stops each running counter of the set; ALREADY_STOPPED is about the others. */
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

/* ---- server/info.h: GET_INFO; EVENT_GET_INFO and its limits */
#define PMUMAP_SERVER_CSR_CYCLE_ 0xc00u /* the CSR of counter 0 */
#define PMUMAP_SERVER_ENTRIES_ 16u      /* of EVENT_GET_INFO, copied at once */

/*
 * GET_INFO: the counter's CSR and width, or that it is a firmware counter. SBI ignores the width of
 * those, but Linux truncates their counts to it.
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

/* 1: some counter of the guest could count the event. 0: none could. -1: not an event. */
static inline int pmumap_server_has_event_(const struct pmumap_server *s, uint32_t event,
					   uint64_t data)
{
	uint64_t selector;

	if (event >= PMUMAP_EVENT_FIRMWARE)
		return event >> 20 ? -1 : pmumap_server_has_firmware_event_(s, event, data);
	return pmumap_server_find_counters_(s, event, data, s->usable, &selector) != 0;
}

/*
 * Answer the entry at this offset (event and answer, data). Only the answer is written: another
 * hart may be writing the rest.
 */
static inline int pmumap_server_answer_entry_(const struct pmumap_server *s, const uint64_t *a,
					      uint64_t offset, const uint64_t *entry)
{
	uint32_t event = (uint32_t)pmumap_server_swap_word_(entry[0]);
	int has = pmumap_server_has_event_(s, event, pmumap_server_swap_word_(entry[1]));
	uint64_t answer = pmumap_server_swap_word_((uint64_t)has);

	if (has < 0)
		return PMUMAP_SBI_INVALID_PARAM;
	return pmumap_server_access_(s, a, offset + 4, &answer, 4, 1) ? PMUMAP_SBI_OK
								      : PMUMAP_SBI_FAILED;
}

/* EVENT_GET_INFO: write into each entry whether some counter could count its event. */
static inline int pmumap_server_get_event_info_(const struct pmumap_server *s, const uint64_t *a)
{
	uint64_t entries[2 * PMUMAP_SERVER_ENTRIES_];
	uint32_t i, n, from;
	int error = PMUMAP_SBI_OK;

	if (!pmumap_server_has_memory_(s))
		return PMUMAP_SBI_NOT_SUPPORTED;
	/* Check the limit first: the size of more entries could wrap. */
	if (a[3] || (a[0] & 15) || a[2] > PMUMAP_SERVER_INFO_ENTRIES)
		return PMUMAP_SBI_INVALID_PARAM;
	n = (uint32_t)a[2] << 4;
	if (n && !pmumap_server_may_access_(s, a, n))
		return PMUMAP_SBI_INVALID_ADDRESS;
	for (i = 0; i < n && !error; i += 16) {
		from = i % sizeof(entries);
		if (!from &&
		    !pmumap_server_access_(s, a, i, entries,
					   n - i < sizeof(entries) ? n - i : sizeof(entries), 0))
			return PMUMAP_SBI_FAILED;
		error = pmumap_server_answer_entry_(s, a, i, entries + from / 8);
	}
	return error;
}

/* ---- server/calls.h: Dispatch each call; init, count and reset */
/* FW_READ, or FW_READ_HI (the upper half on RV32). */
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
	/* A function number above 32 bits is unknown too. */
	r = pmumap_server_call(s, function >> 32 ? 0xffffffffu : (uint32_t)function, args);
	a0[0] = (unsigned long)(long)r.error;
	a0[1] = (unsigned long)r.value;
}

PMUMAP_DEF void pmumap_server_firmware_event(struct pmumap_server *s, uint32_t code, uint64_t data)
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
		features |= PMUMAP_MUST_FILTER;
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

/* ---- server/host.h: Firmware events of SBI calls */
PMUMAP_DEF uint32_t pmumap_server_event_of(uint64_t eid, uint64_t function)
{
	/* By function; their order differs from the codes'. */
	static const uint8_t fences[] = { 8, 10, 12, 16, 14, 20, 18 };

	if (eid >= 5 && eid <= 7) /* legacy calls */
		return fences[eid - 5];
	if (eid == 0x52464e43 && function < sizeof(fences))
		return fences[function];
	if (eid == 0 || (eid == 0x54494d45 && function == 0))
		return 5;
	return eid == 4 || (eid == 0x735049 && function == 0) ? 6 : PMUMAP_SERVER_FW_NONE;
}

PMUMAP_DEF int pmumap_server_counts_calls(void *arg, uint32_t code, uint64_t data)
{
	(void)arg, (void)data;
	return code < PMUMAP_SERVER_FW_EVENTS && (0x155560u >> code & 1);
}

/* ---- server/vpmu.h: Virtual CPUs: operations, save and restore */
#define PMUMAP_VPMU_ALL_MODES_ 31u /* of struct pmumap_job.inhibit */

/* Member by member, because compilers turn an assignment into memcpy. */
static inline void pmumap_vpmu_copy_job_(struct pmumap_job *to, const struct pmumap_job *from)
{
	to->data = from->data;
	to->selector = from->selector;
	to->event = from->event;
	to->inhibit = from->inhibit;
	to->clear = from->clear;
}

static inline int pmumap_vpmu_is_loaded_(const struct pmumap_vpmu *v, uint32_t counter)
{
	return v->loaded >> counter & 1;
}

/*
 * Write a value into a hart's counter. Only a start writes values, so give it a job that counts
 * nothing, as far as possible.
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
 * Load a job into a stopped counter with this value, because a guest may read it directly. Returns
 * 0 if the hart refuses; then the counter is released and wiped.
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

/* Load a counter of the virtual CPU into the hart. */
static inline int pmumap_vpmu_load_counter_(const struct pmumap_vpmu *v, uint32_t counter)
{
	if (!(v->running >> counter & 1))
		return pmumap_vpmu_load_standing_(v, counter, &v->job[counter], v->value[counter]);
	if (!v->hart->set(v->hart->arg, counter, &v->job[counter]))
		return 0;
	v->hart->start(v->hart->arg, counter, &v->value[counter]);
	return 1;
}

/* Save a stopped counter's value and overflow. */
static inline void pmumap_vpmu_keep_value_(struct pmumap_vpmu *v, uint32_t counter)
{
	v->value[counter] = v->hart->read(v->hart->arg, counter);
	if (v->hart->overflowed(v->hart->arg, counter))
		v->overflowed |= (uint32_t)1 << counter;
}

/*
 * The slow path: give a loaded counter another job. A hart that refuses may have released the
 * counter, so take its count first and load the old job again. If the hart refuses that too, the
 * counter is no longer loaded, and keeps its count.
 */
PMUMAP_OUTLINE_ int pmumap_vpmu_change_job_(struct pmumap_vpmu *v, uint32_t counter,
					    const struct pmumap_job *job)
{
	if (v->running >> counter & 1) {
		v->hart->stop(v->hart->arg, counter, 0);
		pmumap_vpmu_keep_value_(v, counter);
	}
	if (v->hart->set(v->hart->arg, counter, job))
		return 1;
	if (!pmumap_vpmu_load_counter_(v, counter)) {
		v->hart->stop(v->hart->arg, counter, 1);
		v->loaded &= ~((uint32_t)1 << counter);
	}
	return 0;
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
	if (v->loaded & bit) {
		if (!pmumap_vpmu_change_job_(v, counter, job))
			return 0;
	} else if (!pmumap_vpmu_load_standing_(v, counter, job, value)) {
		return 0; /* a hart's old value may be another guest's: it is overwritten */
	}
	if (job->clear)
		v->value[counter] = 0;
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
	/* A running counter continues, and keeps its overflow. */
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

PMUMAP_DEF void pmumap_vpmu_as_pmu(struct pmumap_vpmu *v, struct pmumap_pmu *pmu)
{
	pmu->set = pmumap_vpmu_set_;
	pmu->start = pmumap_vpmu_start_;
	pmu->stop = pmumap_vpmu_stop_;
	pmu->read = pmumap_vpmu_read_;
	pmu->overflowed = pmumap_vpmu_overflowed_;
	pmu->arg = v;
}

/*
 * Stop, wipe and release counters one by one. If a counter refuses the empty job, wipe it with its
 * own; it then keeps what it counts between start and stop.
 */
PMUMAP_OUTLINE_ uint32_t pmumap_vpmu_release_each_(struct pmumap_vpmu *v)
{
	const uint64_t none = 0;
	uint32_t left, refused = 0;

	/* Stop all first: wiping takes time, in which the others would count. */
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

/* The slow path: load configured counters one by one. */
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
	/*
	 * Load stopped counters first: each takes some calls, in which running ones should not
	 * count.
	 */
	if (v->configured & ~running)
		pmumap_vpmu_load_each_(v, v->configured & ~running);
	refused = hart->load(hart->one.arg, running, v->job, v->value);
	v->loaded = (v->loaded | running) & ~refused;
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
