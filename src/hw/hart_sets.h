/* SPDX-License-Identifier: BSD-2-Clause */
/* Save and restore sets of counters through CSRs */
#pragma once

#include "riscv/tables.h"
#include "hw/hart.h"

/* The slow path of release: stop counters one by one and save running values. */
PMUMAP_OUTLINE_ uint32_t pmumap_hart_take_each_(struct pmumap_hart *h, uint32_t touched,
						uint32_t loaded, uint32_t running, uint64_t *value,
						uint32_t *overflowed)
{
	h->secret |= touched;
	for (; loaded; loaded &= loaded - 1)
		pmumap_hart_stop(h, pmumap_lowest_bit_(loaded), 0);
	for (; running; running &= running - 1) {
		uint32_t n = pmumap_lowest_bit_(running);

		value[n] = pmumap_hart_read(h, n);
		*overflowed |= (uint32_t)pmumap_hart_overflowed(h, n) << n;
	}
	return 0;
}

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

#ifdef PMUMAP_NATIVE_
/* The fast path for counters with a place: stop them all at once, then save the running values. */
static inline uint32_t pmumap_hart_take_whole_(struct pmumap_hart *h, int place,
					       unsigned long loaded, unsigned long running,
					       uint64_t *value, uint32_t *overflowed)
{
	unsigned long n = 3, events = 0, shown = 0, left;

	PMUMAP_STRAIGHT_INHIBIT_(PMUMAP_CSR_SET_, place, loaded);
	for (left = running >> n; left; left >>= 1, n++) {
		unsigned long event = 0, count = 0;

		if (!(left & 1))
			continue;
		if (__riscv_xlen == 64 && place > 0) {
			PMUMAP_CSR_GET_BOTH_(count, event, n);
			value[n] = count;
		} else {
			value[n] = pmumap_straight_read_(place, n);
			if (place > 0 && (h->features & PMUMAP_CAN_INTERRUPT))
				PMUMAP_CSR_GET_NTH_(event, PMUMAP_CSR_MHPMEVENTH_, n);
		}
		events |= event;
	}
	if (place < 0 && (h->features & PMUMAP_CAN_INTERRUPT)) {
		PMUMAP_CSR_GET_(shown, PMUMAP_CSR_SCOUNTOVF_);
		*overflowed |= (uint32_t)(shown & running);
	}
	if (events >> (__riscv_xlen - 1)) /* rare: find out which overflowed */
		(void)pmumap_hart_take_each_(h, 0, 0, (uint32_t)running, value, overflowed);
	return 0;
}

/* The fast path: load stopped counters with a place, then start all at once. */
static inline uint32_t pmumap_hart_load_whole_(struct pmumap_hart *h, int place, uint32_t counters,
					       const struct pmumap_job *job, const uint64_t *value)
{
	unsigned long n = 3, left;
	uint64_t own = h->own, modes = h->modes;

	place |= __riscv_xlen == 64 || pmumap_hart_has_high_bits_(h, 3) ? 0 : PMUMAP_NO_HIGH_;
	for (left = counters >> n; left; left >>= 1, n++) {
		uint64_t event = pmumap_hart_event_of_job_(&job[n], own, modes);

		if (!(left & 1))
			continue;
		if ((place & PMUMAP_NO_HIGH_) && event >> 32)
			return pmumap_hart_load_each_(h, counters, job, value);
		h->selector[n] = event;
		pmumap_straight_set_(place, n, event, value[n], 1);
	}
	PMUMAP_STRAIGHT_INHIBIT_(PMUMAP_CSR_CLEAR_, place, (unsigned long)counters);
	h->secret = 0;
	return 0;
}
#endif

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

#ifdef PMUMAP_NATIVE_
	if (loaded && !(loaded & ~h->whole)) {
		h->secret |= touched;
		return h->below ? pmumap_hart_take_whole_(h, PMUMAP_IN_S_, loaded, running, value,
							  overflowed)
				: pmumap_hart_take_whole_(h, PMUMAP_IN_M_, loaded, running, value,
							  overflowed);
	}
#endif
	return pmumap_hart_take_each_(h, touched, loaded, running, value, overflowed);
}

static inline uint32_t pmumap_hart_sets_load_(void *arg, uint32_t counters,
					      const struct pmumap_job *job, const uint64_t *value)
{
	struct pmumap_hart *h = (struct pmumap_hart *)arg;

#ifdef PMUMAP_NATIVE_
	if (counters && !((h->secret & ~counters) | (counters & ~h->whole)))
		return h->below ? pmumap_hart_load_whole_(h, PMUMAP_IN_S_, counters, job, value)
				: pmumap_hart_load_whole_(h, PMUMAP_IN_M_, counters, job, value);
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
	pmumap_hart_as_pmu(h, &sets->one);
	sets->one.set = pmumap_hart_sets_set_;
	sets->release = pmumap_hart_sets_release_;
	sets->load = pmumap_hart_sets_load_;
}
