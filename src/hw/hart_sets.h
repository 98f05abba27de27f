/* SPDX-License-Identifier: BSD-2-Clause */
/* Save and restore sets of counters through CSRs */
#pragma once

#include "riscv/tables.h"
#include "hw/hart.h"

/* The slow path: stop counters one by one and save running values. Returns 0: none is refused. */
PMUMAP_OUTLINE_ uint32_t pmumap_hart_take_each_(struct pmumap_hart *h, uint32_t loaded,
						uint32_t running, uint64_t *value,
						uint32_t *overflowed)
{
	for (; loaded; loaded &= loaded - 1)
		pmumap_hart_stop(h, pmumap_lowest_bit_(loaded), 0);
	for (; running; running &= running - 1) {
		uint32_t n = pmumap_lowest_bit_(running);

		value[n] = pmumap_hart_read(h, n);
		*overflowed |= (uint32_t)pmumap_hart_overflowed(h, n) << n;
	}
	return 0;
}

#if PMUMAP_RV64_
#define PMUMAP_FIRST_WHOLE_ 3ul

/* The fast path for counters with a place: stop them all at once, then save the running values. */
static inline void pmumap_hart_take_whole_(struct pmumap_hart *h, int place, unsigned long loaded,
					   unsigned long running, uint64_t *value,
					   uint32_t *overflowed)
{
	unsigned long n = PMUMAP_FIRST_WHOLE_, before = 0, events = 0, shown = 0, left;

	pmumap_straight_stop_(place, loaded);
	if (place < 0)
		PMUMAP_CSR_GET_(before, PMUMAP_CSR_SISELECT_);
	for (left = running >> n; left; left >>= 1, n++) {
		unsigned long event = 0, count = 0;

		if (!(left & 1))
			continue;
		if (place < 0) {
			PMUMAP_CSR_PUT_(PMUMAP_ISELECT_COUNTER_ + n, PMUMAP_CSR_SISELECT_);
			PMUMAP_CSR_GET_(count, PMUMAP_CSR_SIREG_);
		} else {
			PMUMAP_CSR_GET_BOTH_(count, event, n);
		}
		value[n] = count;
		events |= event;
	}
	if (place < 0) {
		PMUMAP_CSR_PUT_(before, PMUMAP_CSR_SISELECT_);
		if (h->features & PMUMAP_CAN_INTERRUPT)
			PMUMAP_CSR_GET_(shown, PMUMAP_CSR_SCOUNTOVF_);
		*overflowed |= (uint32_t)(shown & running);
	}
	if (events >> PMUMAP_OVERFLOW_BIT_) /* rare: find out which */
		(void)pmumap_hart_take_each_(h, 0, (uint32_t)running, value, overflowed);
}

/* The fast path: load jobs and values of stopped counters with a place, then start all at once. */
static inline void pmumap_hart_load_whole_(struct pmumap_hart *h, int place, unsigned long counters,
					   const struct pmumap_job *job, const uint64_t *value)
{
	unsigned long n = PMUMAP_FIRST_WHOLE_, before = 0, left;
	uint32_t modes = pmumap_hart_modes_(h, (uint32_t)n);
	uint64_t own = pmumap_hart_own_bits_(h, (uint32_t)n);

	if (place < 0)
		PMUMAP_CSR_GET_(before, PMUMAP_CSR_SISELECT_);
	for (left = counters >> n; left; left >>= 1, n++) {
		unsigned long event, count;

		if (!(left & 1))
			continue;
		event = pmumap_hart_event_of_job_(&job[n], own, modes);
		count = value[n];
		h->selector[n] = event;
		if (place < 0) {
			PMUMAP_CSR_PUT_(PMUMAP_ISELECT_COUNTER_ + n, PMUMAP_CSR_SISELECT_);
			PMUMAP_CSR_PUT_(event, PMUMAP_CSR_SIREG_ + 1);
			PMUMAP_CSR_PUT_(count, PMUMAP_CSR_SIREG_);
		} else {
			PMUMAP_CSR_PUT_BOTH_(count, event, n);
		}
	}
	if (place < 0)
		PMUMAP_CSR_PUT_(before, PMUMAP_CSR_SISELECT_);
	pmumap_straight_run_(place, counters);
}
#endif

/* The slow path: wipe secrets, then load and start counters one by one. Returns those refused. */
PMUMAP_OUTLINE_ uint32_t pmumap_hart_load_each_(struct pmumap_hart *h, uint32_t counters,
						const struct pmumap_job *job, const uint64_t *value)
{
	uint32_t n, refused = 0;

	for (; h->secret; h->secret &= h->secret - 1) {
		n = pmumap_lowest_bit_(h->secret);
		pmumap_hart_stop(h, n, 1);
		pmumap_hart_write_value_(h, n, 0);
	}
	for (; counters; counters &= counters - 1) {
		n = pmumap_lowest_bit_(counters);
		if (pmumap_hart_set(h, n, &job[n]))
			pmumap_hart_start(h, n, &value[n]);
		else
			refused |= counters & (0 - counters);
	}
	return refused;
}

/*
 * The functions of struct pmumap_pmu_sets. A virtual CPU's values are wiped only when the next one
 * arrives, because most are overwritten anyway. The fast path is for the CSRs of this very hart.
 * Only counters with a place tell that, so an empty set takes the slow path.
 */
static inline uint32_t pmumap_hart_sets_release_(void *arg, uint32_t touched, uint32_t loaded,
						 uint32_t running, uint64_t *value,
						 uint32_t *overflowed)
{
	struct pmumap_hart *h = (struct pmumap_hart *)arg;

	h->secret |= touched;
#if PMUMAP_RV64_
	if (loaded && !(loaded & ~h->whole)) {
		if (h->below)
			pmumap_hart_take_whole_(h, PMUMAP_IN_S_, loaded, running, value,
						overflowed);
		else
			pmumap_hart_take_whole_(h, PMUMAP_IN_M_, loaded, running, value,
						overflowed);
		return 0;
	}
#endif
	return pmumap_hart_take_each_(h, loaded, running, value, overflowed);
}

static inline uint32_t pmumap_hart_sets_load_(void *arg, uint32_t counters,
					      const struct pmumap_job *job, const uint64_t *value)
{
	struct pmumap_hart *h = (struct pmumap_hart *)arg;

#if PMUMAP_RV64_
	if (counters && !((h->secret & ~counters) | (counters & ~h->whole))) {
		h->secret = 0;
		if (h->below)
			pmumap_hart_load_whole_(h, PMUMAP_IN_S_, counters, job, value);
		else
			pmumap_hart_load_whole_(h, PMUMAP_IN_M_, counters, job, value);
		return 0;
	}
#endif
	return pmumap_hart_load_each_(h, counters, job, value);
}

/* Setting a counter overwrites its secret value. */
static inline int pmumap_hart_sets_set_(void *arg, uint32_t counter, const struct pmumap_job *job)
{
	struct pmumap_hart *h = (struct pmumap_hart *)arg;
	int done = pmumap_hart_set(h, counter, job);

	if (done)
		h->secret &= ~((uint32_t)1 << counter);
	return done;
}

PMUMAP_DEF void pmumap_hart_sets(struct pmumap_hart *h, struct pmumap_pmu_sets *sets)
{
	pmumap_hart_pmu(h, &sets->one);
	sets->one.set = pmumap_hart_sets_set_;
	sets->release = pmumap_hart_sets_release_;
	sets->load = pmumap_hart_sets_load_;
}
