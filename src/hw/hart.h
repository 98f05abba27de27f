/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters through CSRs */
#pragma once

#include "core/compiler.h"
#include "hw/pmu.h"
#include "hw/straight.h"

#define PMUMAP_OVERFLOW_BIT_ 63 /* bit of mhpmevent: has overflowed */
#define PMUMAP_INHIBIT_BIT_ 58  /* the lowest of its bits that inhibit counting in a mode */

static inline int pmumap_hart_has_counter_(const struct pmumap_hart *h, uint32_t counter)
{
	return counter < 32 && counter != 1 && (h->counters >> counter & 1);
}

static inline int pmumap_hart_has_filter_(const struct pmumap_hart *h, uint32_t counter)
{
	return (h->features & (counter < 3 ? PMUMAP_SMCNTRPMF : PMUMAP_CAN_FILTER)) != 0;
}

/* Whether the event has bits for modes or overflow above it: on RV32, mhpmeventh exists. */
static inline int pmumap_hart_has_high_bits_(const struct pmumap_hart *h, uint32_t counter)
{
	return (h->features & (counter < 3 ? PMUMAP_SMCNTRPMF : PMUMAP_SSCOFPMF)) != 0;
}

static inline uint64_t pmumap_hart_read_value_(const struct pmumap_hart *h, uint32_t counter)
{
	return pmumap_csr_read_counter_(h->read, h->arg, h->xlen,
					PMUMAP_CSR_MHPMCOUNTER_ + counter);
}

/* Whether the counter has an event register, even if only for modes. */
static inline int pmumap_hart_has_event_(const struct pmumap_hart *h, uint32_t counter)
{
	return counter > 2 || pmumap_hart_has_filter_(h, counter);
}

/* The overflow bit of programmable counters; 0 without Sscofpmf. */
static inline uint64_t pmumap_hart_overflow_bit_(const struct pmumap_hart *h)
{
	return (uint64_t)(h->features & PMUMAP_CAN_INTERRUPT) << PMUMAP_OVERFLOW_BIT_;
}

static inline uint64_t pmumap_hart_read_event_(const struct pmumap_hart *h, uint32_t counter)
{
	uint32_t n = counter ? counter : 1;
	uint64_t high = 0;

	if (h->xlen == 32 && pmumap_hart_has_high_bits_(h, counter))
		high = h->read(h->arg, PMUMAP_CSR_MHPMEVENTH_ + n) << 32;
	return high | h->read(h->arg, PMUMAP_CSR_MHPMEVENT_ + n);
}

/* Write the lower half last: the counter may start with that write. */
static inline void pmumap_hart_write_event_(const struct pmumap_hart *h, uint32_t counter,
					    uint64_t value)
{
	uint32_t n = counter ? counter : 1;

	if (h->xlen == 32) {
		if (pmumap_hart_has_high_bits_(h, counter))
			h->write(h->arg, PMUMAP_CSR_MHPMEVENTH_ + n, value >> 32);
		value &= 0xffffffffu;
	}
	h->write(h->arg, PMUMAP_CSR_MHPMEVENT_ + n, value);
}

/* Write 0 first, so that a running counter cannot carry between the two halves. */
static inline void pmumap_hart_write_value_(const struct pmumap_hart *h, uint32_t counter,
					    uint64_t value)
{
	uint32_t csr = PMUMAP_CSR_MHPMCOUNTER_ + counter;

	if (h->xlen == 32) {
		h->write(h->arg, csr, 0);
		h->write(h->arg, csr + PMUMAP_CSR_COUNTER_HIGH_, value >> 32);
		value &= 0xffffffffu;
	}
	h->write(h->arg, csr, value);
}

static inline uint32_t pmumap_hart_read_inhibit_(const struct pmumap_hart *h)
{
	return (uint32_t)h->read(h->arg, PMUMAP_CSR_MCOUNTINHIBIT_);
}

static inline void pmumap_hart_write_inhibit_(const struct pmumap_hart *h, uint32_t counters)
{
	h->write(h->arg, PMUMAP_CSR_MCOUNTINHIBIT_, counters);
}

/* The bits of an event register that its selector decides. Others below bit 63 are its modes. */
static inline uint64_t pmumap_hart_own_bits_(const struct pmumap_hart *h, uint32_t counter)
{
	if (counter < 3 || pmumap_hart_has_filter_(h, counter))
		return counter < 3 ? 0 : ~(uint64_t)0 >> (64 - PMUMAP_INHIBIT_BIT_);
	return ~pmumap_hart_overflow_bit_(h);
}

/* The value of mhpmevent for a job. */
static inline uint64_t pmumap_hart_event_of_job_(const struct pmumap_job *job, uint64_t own,
						 uint64_t modes)
{
	return (job->selector & own) | ((uint64_t)job->inhibit << PMUMAP_INHIBIT_BIT_ & modes);
}

PMUMAP_BY_CALLS_ int pmumap_hart_call_set_(struct pmumap_hart *h, uint32_t counter,
					   const struct pmumap_job *job)
{
	uint64_t event = 0, own = pmumap_hart_own_bits_(h, counter), modes = ~own << 1 >> 1;

	if (!pmumap_hart_has_counter_(h, counter) ||
	    (counter < 3 && job->event != (counter == 0 ? 1u : 2u)))
		return 0;
	if (pmumap_hart_has_event_(h, counter))
		event = pmumap_hart_event_of_job_(job, own, modes);
	if (h->xlen == 32 && event >> 32 && !pmumap_hart_has_high_bits_(h, counter))
		return 0;
	pmumap_hart_stop(h, counter, 0);
#ifdef PMUMAP_NATIVE_
	/* A counter that can be stopped gets a place. Remember what its features mean. */
	if (h->direct && (h->features & PMUMAP_MCOUNTINHIBIT)) {
		int place = h->below ? PMUMAP_IN_S_ : PMUMAP_IN_M_;

		place |= pmumap_hart_has_event_(h, counter) ? 0 : PMUMAP_NO_EVENT_;
		place |= h->xlen == 64 || pmumap_hart_has_high_bits_(h, counter) ? 0
										 : PMUMAP_NO_HIGH_;
		h->place[(int)counter] = (signed char)place;
		if (counter > 2) {
			h->whole |= (uint32_t)1 << counter;
			h->own = own;
			h->modes = modes;
		}
	}
#endif
	h->selector[counter] = event;
	if (counter < 3 ? pmumap_hart_has_filter_(h, counter)
			: (h->features & PMUMAP_MCOUNTINHIBIT) != 0)
		pmumap_hart_write_event_(h, counter, event);
	if (job->clear)
		pmumap_hart_write_value_(h, counter, 0);
	return 1;
}

/* The direct path is for programmable counters that were set before. */
PMUMAP_DEF int pmumap_hart_set(struct pmumap_hart *h, uint32_t counter,
			       const struct pmumap_job *job)
{
#ifdef PMUMAP_NATIVE_
	int place = counter - 3 < 29 ? h->place[(int)counter] : 0;

	if (PMUMAP_LIKELY_(place)) {
		uint64_t event = pmumap_hart_event_of_job_(job, h->own, h->modes);

		if ((place & PMUMAP_NO_HIGH_) && event >> 32)
			return 0;
		PMUMAP_STRAIGHT_INHIBIT_(PMUMAP_CSR_SET_, place, 1ul << counter);
		h->selector[(int)counter] = event;
		pmumap_straight_set_(place, (unsigned long)(int)counter, event, 0, job->clear);
		return 1;
	}
#endif
	return pmumap_hart_call_set_(h, counter, job);
}

/*
 * Write a programmable counter's event again, because a suspend may have lost it. Leave it alone if
 * it is right already. A running counter keeps its overflow.
 */
static inline void pmumap_hart_renew_event_(struct pmumap_hart *h, uint32_t counter)
{
	uint64_t event = pmumap_hart_read_event_(h, counter);
	uint64_t overflowed = event & pmumap_hart_overflow_bit_(h);

	event -= overflowed;
	if (event == 0 ||
	    ((h->features & PMUMAP_MCOUNTINHIBIT) && (pmumap_hart_read_inhibit_(h) >> counter & 1)))
		overflowed = 0;
	else if (event == h->selector[counter])
		return;
	pmumap_hart_write_event_(h, counter, h->selector[counter] | overflowed);
}

PMUMAP_BY_CALLS_ void pmumap_hart_call_start_(struct pmumap_hart *h, uint32_t counter,
					      const uint64_t *value)
{
	if (!pmumap_hart_has_counter_(h, counter))
		return;
	if (value)
		pmumap_hart_write_value_(h, counter, *value);
	if (counter > 2)
		pmumap_hart_renew_event_(h, counter);
	else if (pmumap_hart_has_filter_(h, counter))
		pmumap_hart_write_event_(h, counter, h->selector[counter]);
	if (h->features & PMUMAP_MCOUNTINHIBIT)
		pmumap_hart_write_inhibit_(h, pmumap_hart_read_inhibit_(h) & ~(1u << counter));
}

PMUMAP_DEF void pmumap_hart_start(struct pmumap_hart *h, uint32_t counter, const uint64_t *value)
{
#ifdef PMUMAP_NATIVE_
	int place = counter < 32 ? h->place[(int)counter] : 0;

	if (PMUMAP_LIKELY_(place)) {
		if (pmumap_straight_write_(place, (unsigned long)(int)counter, value) ==
		    h->selector[(int)counter]) {
			PMUMAP_STRAIGHT_INHIBIT_(PMUMAP_CSR_CLEAR_, place, 1ul << counter);
			return;
		}
		value = 0; /* a suspend has lost the event, or the counter has overflowed */
	}
#endif
	pmumap_hart_call_start_(h, counter, value);
}

PMUMAP_DEF void pmumap_hart_stop(struct pmumap_hart *h, uint32_t counter, int release)
{
#ifdef PMUMAP_NATIVE_
	if (counter < 32 && h->place[(int)counter] && !release) {
		PMUMAP_STRAIGHT_INHIBIT_(PMUMAP_CSR_SET_, h->place[(int)counter], 1ul << counter);
		return;
	}
#endif
	if (!pmumap_hart_has_counter_(h, counter))
		return;
	if (h->features & PMUMAP_MCOUNTINHIBIT)
		pmumap_hart_write_inhibit_(h, pmumap_hart_read_inhibit_(h) | 1u << counter);
	if (release && pmumap_hart_has_event_(h, counter))
		pmumap_hart_write_event_(h, counter, 0);
	else if (counter > 2 && !(h->features & PMUMAP_MCOUNTINHIBIT))
		pmumap_hart_write_event_(h, counter,
					 (uint64_t)pmumap_hart_overflowed(h, counter)
						 << PMUMAP_OVERFLOW_BIT_);
	if (release)
		h->selector[counter] = 0;
}

PMUMAP_DEF uint64_t pmumap_hart_read(struct pmumap_hart *h, uint32_t counter)
{
#ifdef PMUMAP_NATIVE_
	int place = counter < 32 ? h->place[(int)counter] : 0;

	if (PMUMAP_LIKELY_(place))
		return pmumap_straight_read_(place, (unsigned long)(int)counter);
#endif
	return pmumap_hart_has_counter_(h, counter) ? pmumap_hart_read_value_(h, counter) : 0;
}

PMUMAP_DEF int pmumap_hart_overflowed(struct pmumap_hart *h, uint32_t counter)
{
	return pmumap_hart_has_counter_(h, counter) && counter > 2 &&
	       (pmumap_hart_read_event_(h, counter) & pmumap_hart_overflow_bit_(h)) != 0;
}

PMUMAP_DEF void pmumap_hart_permit(struct pmumap_hart *h, uint32_t counters)
{
	uint32_t time = (uint32_t)h->read(h->arg, PMUMAP_CSR_MCOUNTEREN_) & 2;

	h->write(h->arg, PMUMAP_CSR_MCOUNTEREN_, (counters & h->counters & ~2u) | time);
}

PMUMAP_PMU_FUNCTIONS_(hart)

PMUMAP_DEF void pmumap_hart_as_pmu(struct pmumap_hart *h, struct pmumap_pmu *pmu)
{
	pmu->set = pmumap_hart_pmu_set_;
	pmu->start = pmumap_hart_pmu_start_;
	pmu->stop = pmumap_hart_pmu_stop_;
	pmu->read = pmumap_hart_pmu_read_;
	pmu->overflowed = pmumap_hart_pmu_overflowed_;
	pmu->arg = h;
}
