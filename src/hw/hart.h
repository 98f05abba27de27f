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

/* The offset from mhpmevent's base; mcyclecfg is 0x321, minstretcfg 0x322. */
static inline uint32_t pmumap_hart_event_csr_(uint32_t counter)
{
	return counter ? counter : 1;
}

static inline uint64_t pmumap_hart_read_event_(const struct pmumap_hart *h, uint32_t counter)
{
	uint32_t n = pmumap_hart_event_csr_(counter);
	uint64_t high = 0;

	if (h->xlen == 32 && pmumap_hart_has_high_bits_(h, counter))
		high = h->read(h->arg, PMUMAP_CSR_MHPMEVENTH_ + n) << 32;
	return high | h->read(h->arg, PMUMAP_CSR_MHPMEVENT_ + n);
}

/* Write the lower half last: the counter may start with that write. */
static inline void pmumap_hart_write_event_(const struct pmumap_hart *h, uint32_t counter,
					    uint64_t value)
{
	uint32_t n = pmumap_hart_event_csr_(counter);

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

/* The bits of a selector that belong to the event, and the modes that the counter can filter. */
static inline uint64_t pmumap_hart_own_bits_(const struct pmumap_hart *h, uint32_t counter)
{
	if (pmumap_hart_has_filter_(h, counter))
		return ~(uint64_t)0 >> (64 - PMUMAP_INHIBIT_BIT_);
	return ~pmumap_hart_overflow_bit_(h);
}

static inline uint32_t pmumap_hart_modes_(const struct pmumap_hart *h, uint32_t counter)
{
	return pmumap_hart_has_filter_(h, counter) ? 31 : 0;
}

/* The value of mhpmevent for a job. */
static inline uint64_t pmumap_hart_event_of_job_(const struct pmumap_job *job, uint64_t own,
						 uint32_t modes)
{
	return (job->selector & own) | (uint64_t)(job->inhibit & modes) << PMUMAP_INHIBIT_BIT_;
}

#if PMUMAP_RV64_
/* Choose the direct access path. A counter that cannot be stopped has none. */
static inline void pmumap_hart_choose_place_(struct pmumap_hart *h, uint32_t counter)
{
	uint32_t bit = (uint32_t)1 << counter;

	h->whole &= ~bit;
	h->place[(int)counter] = 0;
	if (h->direct && (h->features & PMUMAP_MCOUNTINHIBIT)) {
		h->place[(int)counter] =
			(signed char)((h->below ? PMUMAP_IN_S_ : PMUMAP_IN_M_) |
				      (pmumap_hart_has_event_(h, counter) ? 0 : PMUMAP_NO_EVENT_));
		h->whole |= counter > 2 ? bit : 0;
	}
}
#endif

PMUMAP_DEF int pmumap_hart_set(struct pmumap_hart *h, uint32_t counter,
			       const struct pmumap_job *job)
{
	uint32_t modes = pmumap_hart_modes_(h, counter);
	uint64_t event, own = pmumap_hart_own_bits_(h, counter);

	if (!pmumap_hart_has_counter_(h, counter) ||
	    (counter < 3 && job->event != (counter == 0 ? 1u : 2u)))
		return 0;
	event = pmumap_hart_event_of_job_(job, counter < 3 ? 0 : own, modes);
	if (h->xlen == 32 && event >> 32 && !pmumap_hart_has_high_bits_(h, counter))
		return 0;
	pmumap_hart_stop(h, counter, 0);
#if PMUMAP_RV64_
	pmumap_hart_choose_place_(h, counter);
#endif
	h->selector[counter] = event;
	if (counter < 3 ? modes != 0 : (h->features & PMUMAP_MCOUNTINHIBIT) != 0)
		pmumap_hart_write_event_(h, counter, event);
	if (job->clear)
		pmumap_hart_write_value_(h, counter, 0);
	return 1;
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
#if PMUMAP_RV64_
	int place = counter < 32 ? h->place[(int)counter] : 0;

	if (place) {
		uint64_t event = value ? pmumap_straight_write_(place, counter, *value)
				 : place & PMUMAP_NO_EVENT_ ? 0
							    : pmumap_hart_read_event_(h, counter);

		if (event == h->selector[counter]) {
			pmumap_straight_run_(place, 1ul << counter);
			return;
		}
		value = 0; /* a suspend has lost the event, or the counter has overflowed */
	}
#endif
	pmumap_hart_call_start_(h, counter, value);
}

PMUMAP_DEF void pmumap_hart_stop(struct pmumap_hart *h, uint32_t counter, int release)
{
#if PMUMAP_RV64_
	if (counter < 32 && h->place[(int)counter] && !release) {
		pmumap_straight_stop_(h->place[(int)counter], 1ul << counter);
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
#if PMUMAP_RV64_
	int place = counter < 32 ? h->place[(int)counter] : 0;

	if (place)
		return pmumap_straight_read_(place, counter);
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

PMUMAP_DEF void pmumap_hart_pmu(struct pmumap_hart *h, struct pmumap_pmu *pmu)
{
	pmu->set = pmumap_hart_pmu_set_;
	pmu->start = pmumap_hart_pmu_start_;
	pmu->stop = pmumap_hart_pmu_stop_;
	pmu->read = pmumap_hart_pmu_read_;
	pmu->overflowed = pmumap_hart_pmu_overflowed_;
	pmu->arg = h;
}
