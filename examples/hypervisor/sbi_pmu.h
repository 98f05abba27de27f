/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sbi_pmu.h -- serve the PMU extension of SBI v3.0 (EID 0x504D55) from a map: for firmware,
 * hypervisors and emulators. It needs nothing but pmumap.h.
 *
 * QUICK START
 *	#include "sbi_pmu.h"		// and with it pmumap.h
 *
 *	static struct sbi_pmu pmu;	// one per hart, or per virtual hart; your memory, any place
 *
 *	pmu.map = map;			// pmumap_fdt_build(), pmumap_finish() or pmumap_open()
 *	pmu.pmu = &counters;		// pmumap_hart_pmu(), pmumap_sbi_pmu(), or functions of yours
 *	pmu.xlen = 64;
 *	pmu.granted = hart.counters;
 *	pmu.width = hart.width;
 *	pmu.features = hart.features;
 *	pmu.rule = PMUMAP_RULE_ABSENT;
 *	pmu.inhibit = PMUMAP_INHIBIT_M;
 *	pmu.firmware = 1 << 5;		// all other fields may stay 0
 *	sbi_pmu_init(&pmu);
 *
 *	// in the trap handler: an ecall with a7 == PMUMAP_SBI_EID; x: the guest's registers
 *	struct pmumap_sbi_ret r = sbi_pmu_call(&pmu, (uint32_t)x[16], &x[10]);
 *	x[10] = (uint64_t)r.error, x[11] = r.value;
 *
 *	// where the firmware event happens; costs one load and one branch while nobody counts it
 *	sbi_pmu_count(&pmu, 5, 0);	// SBI_PMU_FW_SET_TIMER
 *
 *	// an emulator's counters: this is all that it has to write
 *	struct pmumap_pmu counters = { my_set, my_start, my_stop, my_read, my_overflowed, my_hart };
 *
 * CONTRACT
 *   Memory	no heap, no globals, no recursion; under 512 bytes of state; optimised, under
 *		512 of stack besides that of your functions.
 *   Libc	none, and no function of the compiler's library, at any optimisation level.
 *   Threads	what a state belongs to is one hart: a call and a count never run at once.
 *   Guest	function, arguments and shared memory may be hostile. They are cut to xlen bits and
 *		checked before they index; a word of shared memory is read once. A call costs at
 *		most the counters there are (48), or the entries of EVENT_GET_INFO, which the guest
 *		chooses within its own memory: let memory() refuse more than you would wait for.
 *   Host	the fields of struct sbi_pmu and the map are believed.
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
 *   Sets	one member too high, also base + bit past the highest number: INVALID_PARAM, nothing
 *		is done. Else all is done that can be, and then the result says what could not:
 *		START: INVALID_PARAM for a member that is not configured, before ALREADY_STARTED.
 *		STOP: ALREADY_STOPPED for one that did not run and was not released either.
 *		An empty set is no error, but no counter of it can count anything.
 *   Firmware	a firmware counter is 0 until it is configured and after it was released.
 */
#ifndef SBI_PMU_H
#define SBI_PMU_H

#include "pmumap.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SBI_PMU_FW_COUNTERS 16u    /* as many as every state has */
#define SBI_PMU_FW_EVENTS 22u      /* codes 0..21, PMUMAP_EVENT_FIRMWARE + code */
#define SBI_PMU_FW_PLATFORM 65535u /* the code whose event is in the data */
#define SBI_PMU_COUNTERS_ (32u + SBI_PMU_FW_COUNTERS)

/*
 * Memory of the guest, of a type that may alias any other: little-endian, accessed only in aligned
 * words of 32 bits.
 */
#ifdef __GNUC__
typedef uint32_t __attribute__((__may_alias__)) sbi_pmu_word;
#else
typedef uint32_t sbi_pmu_word;
#endif

/*
 * What the server needs besides counters. Any of them may be NULL.
 *
 *   memory	the guest's memory at a guest-physical address (halves of xlen bits), as a pointer,
 *		aligned as the address is. NULL: some of it is not the guest's to read and write.
 *		That of SNAPSHOT_SET_SHMEM (4096 bytes) is used until the guest sets another one or
 *		sbi_pmu_reset(), all other only during the call. Without: neither snapshots nor
 *		EVENT_GET_INFO
 *   platform	whether the platform's own firmware event with this data is counted. Without: none is
 */
struct sbi_pmu_host {
	volatile void *(*memory)(void *arg, uint64_t low, uint64_t high, uint64_t bytes);
	int (*platform)(void *arg, uint64_t data);
	void *arg;
};

/*
 * One hart. The fields down to firmware are yours to fill in, and stay as they are after
 * sbi_pmu_init(). Bit 1 of granted is ignored: nobody programs time.
 *
 *   features	as for pmumap_pick(): PMUMAP_SSCOFPMF and PMUMAP_SMCNTRPMF if the hart has them,
 *		PMUMAP_FILTER if inhibit or the guest's filters have to be obeyed: then cycles and
 *		instructions never go to counters that would ignore them
 *   inhibit	PMUMAP_INHIBIT_BIT_*, added to what the guest asks for: _M by a monitor in M-mode; a
 *		hypervisor in HS-mode adds _S and _U
 *   virtual_	1: the guest's S and U modes are really VS and VU, and its filters are put on those
 *   firmware	bit N: you call sbi_pmu_count() for firmware event N, 0 to 21
 */
struct sbi_pmu {
	const struct pmumap *map;        /* NULL: only with granted 0 */
	const struct pmumap_pmu *pmu;    /* likewise */
	const struct sbi_pmu_host *host; /* NULL: as with functions that are NULL */
	uint32_t xlen;                   /* of the guest: 32 or 64 */
	uint32_t granted;                /* bit N: the guest may have mhpmcounterN */
	uint32_t features;
	uint32_t rule; /* enum pmumap_rule: where the map has no selector */
	uint32_t inhibit;
	uint32_t width; /* bits of the programmable counters */
	uint32_t virtual_;
	uint64_t firmware;

	/* The server's own. */
	volatile sbi_pmu_word *shared; /* of the snapshots; NULL: none */
	uint64_t fw_value[SBI_PMU_FW_COUNTERS];
	uint64_t fw_data[SBI_PMU_FW_COUNTERS];
	uint16_t fw_code[SBI_PMU_FW_COUNTERS];
	uint32_t fw_counting;             /* bit N: firmware counter N is started */
	uint32_t hardware;                /* the number of the first firmware counter */
	uint8_t state[SBI_PMU_COUNTERS_]; /* by number, SBI_PMU_PRESENT_ and so on; 0: none such */
};

/* Begin, once the fields above are filled in: nothing is configured, no counter is touched. */
static inline void sbi_pmu_init(struct sbi_pmu *s);

/*
 * Answer a call of the guest: function is its a6, args its a0 to a5, of which only xlen bits count.
 * Put error into its a0 and value into its a1.
 */
static inline struct pmumap_sbi_ret sbi_pmu_call(struct sbi_pmu *s, uint32_t function,
						 const uint64_t *args);

/* A firmware event has happened once; data: of the platform's own, code SBI_PMU_FW_PLATFORM. */
static inline void sbi_pmu_count(struct sbi_pmu *s, uint32_t code, uint64_t data);

/* Stop and release all counters, forget shared memory: the guest's hart stops, or it reboots. */
static inline void sbi_pmu_reset(struct sbi_pmu *s);

/* ---- definitions ---------------------------------------------------------------------------- */

/* A counter's state; each bit comes with those before it. */
#define SBI_PMU_PRESENT_ 1u
#define SBI_PMU_CONFIGURED_ 2u
#define SBI_PMU_STARTED_ 4u

/* In loops that compilers would turn into calls of memset or memcpy. */
#ifdef __GNUC__
#define SBI_PMU_NO_LIBCALL_() __asm__ __volatile__("" : : : "memory")
#else
#define SBI_PMU_NO_LIBCALL_() ((void)0)
#endif

static inline struct pmumap_sbi_ret sbi_pmu_ret_(int error, uint64_t value)
{
	struct pmumap_sbi_ret r;

	r.error = error;
	r.value = value;
	return r;
}

/* A 32-bit word of the guest to a number and back. */
static inline uint32_t sbi_pmu_swap_(uint32_t x)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	x = x >> 24 | (x >> 8 & 0xff00) | (x & 0xff00) << 8 | x << 24;
#endif
	return x;
}

static inline uint64_t sbi_pmu_load_(const volatile sbi_pmu_word *p)
{
	uint32_t low = sbi_pmu_swap_(p[0]);

	return low | (uint64_t)sbi_pmu_swap_(p[1]) << 32;
}

/* All bits of a register of the guest. */
static inline uint64_t sbi_pmu_ones_(const struct sbi_pmu *s)
{
	return s->xlen == 32 ? 0xffffffffu : ~(uint64_t)0;
}

/* A 64-bit argument: on RV32 in two registers. */
static inline uint64_t sbi_pmu_wide_(const struct sbi_pmu *s, const uint64_t *a)
{
	return s->xlen == 32 ? a[0] | a[1] << 32 : a[0];
}

/* Whether all members of a set (bit i of the mask: base + i) are numbers of counters or holes. */
static inline int sbi_pmu_set_valid_(const struct sbi_pmu *s, uint64_t base, uint64_t mask)
{
	for (; mask; mask >>= 1, base++) {
		if (base >= s->hardware + SBI_PMU_FW_COUNTERS)
			return 0;
	}
	return 1;
}

static inline void sbi_pmu_run_(struct sbi_pmu *s, uint32_t n, const uint64_t *value)
{
	if (n < s->hardware) {
		s->pmu->start(s->pmu->arg, n, value);
	} else {
		if (value)
			s->fw_value[n - s->hardware] = *value;
		s->fw_counting |= 1u << (n - s->hardware);
	}
	s->state[n] |= SBI_PMU_STARTED_;
}

static inline void sbi_pmu_halt_(struct sbi_pmu *s, uint32_t n, int release)
{
	if (n < s->hardware)
		s->pmu->stop(s->pmu->arg, n, release);
	else
		s->fw_counting &= ~(1u << (n - s->hardware));
	s->state[n] = release ? SBI_PMU_PRESENT_ : SBI_PMU_PRESENT_ | SBI_PMU_CONFIGURED_;
}

static inline struct pmumap_sbi_ret sbi_pmu_get_info_(const struct sbi_pmu *s, uint64_t n)
{
	uint32_t width;

	if (n >= SBI_PMU_COUNTERS_ || !s->state[n])
		return sbi_pmu_ret_(PMUMAP_SBI_INVALID_PARAM, 0);
	if (n >= s->hardware)
		return sbi_pmu_ret_(PMUMAP_SBI_OK, sbi_pmu_ones_(s) ^ sbi_pmu_ones_(s) >> 1);
	width = n < 3 ? 64 : s->width;
	return sbi_pmu_ret_(PMUMAP_SBI_OK, (0xc00u + (uint32_t)n) | ((width - 1) & 63) << 12);
}

/* Whether an event is of one of the types 4 to 14, which SBI does not have; a map might. */
static inline int sbi_pmu_reserved_(uint32_t event)
{
	return event < PMUMAP_EVENT_FIRMWARE && event >> 16 > PMUMAP_EVENT_RAW_V2 >> 16;
}

/* Whether there is anything that counts a firmware event. */
static inline int sbi_pmu_firmware_(const struct sbi_pmu *s, const struct pmumap_job *job)
{
	uint32_t code = job->event - PMUMAP_EVENT_FIRMWARE;

	if (code == SBI_PMU_FW_PLATFORM)
		return s->host && s->host->platform && s->host->platform(s->host->arg, job->data);
	return code < SBI_PMU_FW_EVENTS && job->data == 0 && ((uint32_t)s->firmware >> code & 1);
}

/*
 * Which of some counters counts an event, by its number, and with which selector; or -1. Bit N of
 * hardware: hardware counter N, of firmware: firmware counter N.
 */
static inline int sbi_pmu_match_(const struct sbi_pmu *s, struct pmumap_job *job, uint32_t hardware,
				 uint32_t firmware)
{
	int counter = (int)s->hardware;

	job->selector = 0;
	if (job->event >= PMUMAP_EVENT_FIRMWARE) {
		if (firmware == 0 || !sbi_pmu_firmware_(s, job))
			return -1;
		for (; !(firmware & 1); firmware >>= 1)
			counter++;
		return counter;
	}
	if (hardware == 0 || sbi_pmu_reserved_(job->event))
		return -1;
	/* What has no selector may yet be what a fixed counter always counts. */
	if (!pmumap_encode(s->map, job->event, job->data, s->rule, &job->selector))
		hardware &= 7;
	counter = pmumap_pick(s->map, job->event, job->data, hardware, s->features);
	if (counter < 3)
		job->selector = 0;
	return counter < 0 ? -1 : counter;
}

/* The filter flags of SBI, as modes of the hart. */
static inline uint32_t sbi_pmu_inhibit_(const struct sbi_pmu *s, uint32_t flags)
{
	uint32_t modes = flags >> PMUMAP_SBI_INHIBIT_SHIFT & 31;

	if (s->virtual_)
		modes = (modes & PMUMAP_INHIBIT_M) |
			(modes >> 2 & (PMUMAP_INHIBIT_VS | PMUMAP_INHIBIT_VU));
	return modes | s->inhibit;
}

/* Whether an event may come with data that is not 0. */
static inline int sbi_pmu_has_data_(uint32_t event)
{
	if (event >= PMUMAP_EVENT_FIRMWARE)
		return event == PMUMAP_EVENT_FIRMWARE + SBI_PMU_FW_PLATFORM;
	return event >= PMUMAP_EVENT_RAW;
}

static inline struct pmumap_sbi_ret sbi_pmu_configure_(struct sbi_pmu *s, uint32_t n,
						       const struct pmumap_job *job, uint32_t flags)
{
	if (n < s->hardware) {
		if (!s->pmu->set(s->pmu->arg, n, job))
			return sbi_pmu_ret_(PMUMAP_SBI_NOT_SUPPORTED, 0);
	} else {
		uint32_t i = n - s->hardware;

		if (job->clear || !(s->state[n] & SBI_PMU_CONFIGURED_))
			s->fw_value[i] = 0;
		s->fw_code[i] = (uint16_t)(job->event & 0xffff);
		s->fw_data[i] = job->data;
	}
	s->state[n] |= SBI_PMU_CONFIGURED_;
	if (flags & PMUMAP_SBI_AUTO_START)
		sbi_pmu_run_(s, n, 0);
	return sbi_pmu_ret_(PMUMAP_SBI_OK, n);
}

static inline struct pmumap_sbi_ret sbi_pmu_config_matching_(struct sbi_pmu *s, const uint64_t *a)
{
	uint64_t mask = a[1];
	uint32_t flags = (uint32_t)a[2], n = (uint32_t)a[0], hardware = 0, firmware = 0;
	uint32_t busy = flags & PMUMAP_SBI_SKIP_MATCH ? SBI_PMU_STARTED_ : SBI_PMU_CONFIGURED_;
	struct pmumap_job job;
	int counter;

	job.event = (uint32_t)a[3];
	job.data = sbi_pmu_wide_(s, &a[4]);
	job.inhibit = sbi_pmu_inhibit_(s, flags);
	job.clear = (flags & PMUMAP_SBI_CLEAR_VALUE) != 0;
	if (!sbi_pmu_set_valid_(s, a[0], mask) || a[2] >> 8 || a[3] >> 20 ||
	    (job.data && !sbi_pmu_has_data_(job.event)))
		return sbi_pmu_ret_(PMUMAP_SBI_INVALID_PARAM, 0);

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
			return sbi_pmu_ret_(PMUMAP_SBI_INVALID_PARAM, 0);
		break;
	}
	counter = sbi_pmu_match_(s, &job, hardware, firmware);
	if (counter < 0)
		return sbi_pmu_ret_(PMUMAP_SBI_NOT_SUPPORTED, 0);
	return sbi_pmu_configure_(s, (uint32_t)counter, &job, flags);
}

/* What is wrong with the set or the flags of START and STOP. */
static inline int sbi_pmu_refuse_(const struct sbi_pmu *s, const uint64_t *a)
{
	if (!sbi_pmu_set_valid_(s, a[0], a[1]) || a[2] >> 2)
		return PMUMAP_SBI_INVALID_PARAM;
	/* The same bit as PMUMAP_SBI_TAKE_SNAPSHOT. */
	if ((a[2] & PMUMAP_SBI_INIT_SNAPSHOT) && !s->shared)
		return PMUMAP_SBI_NO_SHMEM;
	return PMUMAP_SBI_OK;
}

/* The value of the counter that is i above the base of a set, in shared memory. */
static inline volatile sbi_pmu_word *sbi_pmu_snapshot_(const struct sbi_pmu *s, uint32_t i)
{
	return s->shared + 2 + 2 * i;
}

static inline struct pmumap_sbi_ret sbi_pmu_start_(struct sbi_pmu *s, const uint64_t *a)
{
	uint64_t mask = a[1], value = sbi_pmu_wide_(s, &a[3]);
	uint32_t flags = (uint32_t)a[2], n = (uint32_t)a[0], i = 0, absent = 0, running = 0;
	int error = sbi_pmu_refuse_(s, a);

	if (a[2] == (PMUMAP_SBI_SET_INIT_VALUE | PMUMAP_SBI_INIT_SNAPSHOT))
		error = PMUMAP_SBI_INVALID_PARAM;
	if (error)
		return sbi_pmu_ret_(error, 0);
	for (; mask; mask >>= 1, n++, i++) {
		if (!(mask & 1))
			continue;
		if (!(s->state[n] & SBI_PMU_CONFIGURED_)) {
			absent = 1;
		} else if (s->state[n] & SBI_PMU_STARTED_) {
			running = 1;
		} else {
			if (flags & PMUMAP_SBI_INIT_SNAPSHOT)
				value = sbi_pmu_load_(sbi_pmu_snapshot_(s, i));
			sbi_pmu_run_(s, n, flags ? &value : 0);
		}
	}
	return sbi_pmu_ret_(absent    ? PMUMAP_SBI_INVALID_PARAM
			    : running ? PMUMAP_SBI_ALREADY_STARTED
				      : PMUMAP_SBI_OK,
			    0);
}

/* Counter n is i above the base of its set: put its value and its overflow into shared memory. */
static inline void sbi_pmu_save_(const struct sbi_pmu *s, uint32_t n, uint32_t i)
{
	volatile sbi_pmu_word *value = sbi_pmu_snapshot_(s, i), *bits = s->shared + (i >> 5);
	uint32_t overflowed = 0;
	uint64_t x;

	if (n < s->hardware) {
		x = s->pmu->read(s->pmu->arg, n);
		overflowed = s->pmu->overflowed(s->pmu->arg, n) != 0;
	} else {
		x = s->fw_value[n - s->hardware];
	}
	value[0] = sbi_pmu_swap_((uint32_t)(x & 0xffffffffu));
	value[1] = sbi_pmu_swap_((uint32_t)(x >> 32));
	i &= 31;
	*bits = sbi_pmu_swap_((sbi_pmu_swap_(*bits) & ~(1u << i)) | overflowed << i);
}

static inline struct pmumap_sbi_ret sbi_pmu_stop_(struct sbi_pmu *s, const uint64_t *a)
{
	uint64_t mask = a[1];
	uint32_t flags = (uint32_t)a[2], n = (uint32_t)a[0], i = 0, idle = 0;
	/* States in which a counter has to be for STOP to have something to do with it. */
	uint32_t expected = flags & PMUMAP_SBI_RESET ? SBI_PMU_CONFIGURED_ : SBI_PMU_STARTED_;
	int error = sbi_pmu_refuse_(s, a);

	if (error)
		return sbi_pmu_ret_(error, 0);
	for (; mask; mask >>= 1, n++, i++) {
		if (!(mask & 1))
			continue;
		if (!(s->state[n] & expected))
			idle = 1;
		if (!(s->state[n] & SBI_PMU_CONFIGURED_))
			continue;
		if (s->state[n] & SBI_PMU_STARTED_)
			sbi_pmu_halt_(s, n, 0);
		if (flags & PMUMAP_SBI_TAKE_SNAPSHOT)
			sbi_pmu_save_(s, n, i);
		if (flags & PMUMAP_SBI_RESET)
			sbi_pmu_halt_(s, n, 1);
	}
	return sbi_pmu_ret_(idle ? PMUMAP_SBI_ALREADY_STOPPED : PMUMAP_SBI_OK, 0);
}

/* FW_READ, or with high its upper half on RV32. */
static inline struct pmumap_sbi_ret sbi_pmu_fw_read_(const struct sbi_pmu *s, uint64_t n, int high)
{
	uint64_t value = 0;

	if (n < s->hardware || n >= s->hardware + SBI_PMU_FW_COUNTERS)
		return sbi_pmu_ret_(PMUMAP_SBI_INVALID_PARAM, 0);
	if (s->state[n] & SBI_PMU_CONFIGURED_)
		value = s->fw_value[n - s->hardware];
	if (high)
		value = s->xlen == 32 ? value >> 32 : 0;
	return sbi_pmu_ret_(PMUMAP_SBI_OK, value & sbi_pmu_ones_(s));
}

/* The guest's memory at the address in a[0] and a[1]; NULL: not its own. */
static inline volatile sbi_pmu_word *sbi_pmu_memory_(const struct sbi_pmu *s, const uint64_t *a,
						     uint64_t bytes)
{
	return (volatile sbi_pmu_word *)s->host->memory(s->host->arg, a[0], a[1], bytes);
}

static inline int sbi_pmu_set_shmem_(struct sbi_pmu *s, const uint64_t *a)
{
	volatile sbi_pmu_word *memory;

	if (!s->host || !s->host->memory)
		return PMUMAP_SBI_NOT_SUPPORTED;
	if (a[2])
		return PMUMAP_SBI_INVALID_PARAM;
	if ((a[0] & a[1]) == sbi_pmu_ones_(s)) {
		s->shared = 0;
		return PMUMAP_SBI_OK;
	}
	if (a[0] & 4095)
		return PMUMAP_SBI_INVALID_PARAM;
	memory = sbi_pmu_memory_(s, a, 4096);
	if (!memory)
		return PMUMAP_SBI_INVALID_ADDRESS;
	s->shared = memory;
	return PMUMAP_SBI_OK;
}

static inline int sbi_pmu_event_info_(const struct sbi_pmu *s, const uint64_t *a)
{
	volatile sbi_pmu_word *entry = 0;
	uint64_t left = a[2];
	struct pmumap_job job;

	if (!s->host || !s->host->memory)
		return PMUMAP_SBI_NOT_SUPPORTED;
	if (a[3] || (a[0] & 15))
		return PMUMAP_SBI_INVALID_PARAM;
	if (left == 0)
		return PMUMAP_SBI_OK;
	if (left >> 60 == 0) /* of more the size has more than 64 bits */
		entry = sbi_pmu_memory_(s, a, left << 4);
	if (!entry)
		return PMUMAP_SBI_INVALID_ADDRESS;
	for (; left; left--, entry += 4) {
		job.event = sbi_pmu_swap_(entry[0]);
		job.data = sbi_pmu_load_(entry + 2);
		if (job.event >> 20 || sbi_pmu_reserved_(job.event))
			return PMUMAP_SBI_INVALID_PARAM;
		entry[1] = sbi_pmu_swap_(sbi_pmu_match_(s, &job, s->granted & ~2u, 0xffff) >= 0);
	}
	return PMUMAP_SBI_OK;
}

static inline struct pmumap_sbi_ret sbi_pmu_call(struct sbi_pmu *s, uint32_t function,
						 const uint64_t *args)
{
	uint64_t a[6];
	uint32_t i;

	for (i = 0; i < 6; i++) {
		a[i] = args[i] & sbi_pmu_ones_(s);
		SBI_PMU_NO_LIBCALL_();
	}
	switch (function) {
	case PMUMAP_SBI_NUM_COUNTERS:
		return sbi_pmu_ret_(PMUMAP_SBI_OK, s->hardware + SBI_PMU_FW_COUNTERS);
	case PMUMAP_SBI_GET_INFO:
		return sbi_pmu_get_info_(s, a[0]);
	case PMUMAP_SBI_CONFIG_MATCHING:
		return sbi_pmu_config_matching_(s, a);
	case PMUMAP_SBI_START:
		return sbi_pmu_start_(s, a);
	case PMUMAP_SBI_STOP:
		return sbi_pmu_stop_(s, a);
	case PMUMAP_SBI_FW_READ:
	case PMUMAP_SBI_FW_READ_HI:
		return sbi_pmu_fw_read_(s, a[0], function == PMUMAP_SBI_FW_READ_HI);
	case PMUMAP_SBI_SNAPSHOT_SET_SHMEM:
		return sbi_pmu_ret_(sbi_pmu_set_shmem_(s, a), 0);
	case PMUMAP_SBI_EVENT_GET_INFO:
		return sbi_pmu_ret_(sbi_pmu_event_info_(s, a), 0);
	default:
		return sbi_pmu_ret_(PMUMAP_SBI_NOT_SUPPORTED, 0);
	}
}

static inline void sbi_pmu_count(struct sbi_pmu *s, uint32_t code, uint64_t data)
{
	uint32_t left = s->fw_counting, i;

	for (i = 0; left; left >>= 1, i++) {
		if ((left & 1) && s->fw_code[i] == code &&
		    (code != SBI_PMU_FW_PLATFORM || s->fw_data[i] == data))
			s->fw_value[i]++;
	}
}

static inline void sbi_pmu_init(struct sbi_pmu *s)
{
	uint32_t granted = s->granted & ~2u, left, n;

	s->shared = 0;
	s->fw_counting = 0;
	s->hardware = 0;
	for (left = granted; left; left >>= 1)
		s->hardware++;
	for (n = 0; n < SBI_PMU_COUNTERS_; n++) {
		uint32_t present =
			n < s->hardware ? granted >> n & 1 : n < s->hardware + SBI_PMU_FW_COUNTERS;

		s->state[n] = present ? SBI_PMU_PRESENT_ : 0;
		SBI_PMU_NO_LIBCALL_();
	}
}

static inline void sbi_pmu_reset(struct sbi_pmu *s)
{
	uint32_t n;

	s->shared = 0;
	for (n = 0; n < SBI_PMU_COUNTERS_; n++) {
		if (s->state[n] & SBI_PMU_CONFIGURED_)
			sbi_pmu_halt_(s, n, 1);
	}
}

#ifdef __cplusplus
}
#endif

#endif /* SBI_PMU_H */
