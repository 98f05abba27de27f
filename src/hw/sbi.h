/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters by SBI firmware */
#pragma once

#include "core/compiler.h"
#include "riscv/tables.h"
#include "hw/riscv_api.h"
#include "hw/csr.h"
#include "hw/pmu.h"

/* A call with three arguments of one register each. */
static inline struct pmumap_sbi_ret pmumap_sbi_call_function_(struct pmumap_sbi *s,
							      uint32_t function, uint64_t a0,
							      uint64_t a1, uint64_t a2)
{
	const uint64_t a[6] = { a0, a1, a2, 0, 0, 0 };

	return s->call(s->arg, function, a);
}

/* A 64-bit argument takes one register, or two on RV32. */
static inline uint64_t pmumap_sbi_low_(const struct pmumap_sbi *s, uint64_t value)
{
	return s->xlen == 32 ? value & 0xffffffffu : value;
}

static inline uint64_t pmumap_sbi_high_(const struct pmumap_sbi *s, uint64_t value)
{
	return s->xlen == 32 ? value >> 32 : 0;
}

PMUMAP_DEF uint32_t pmumap_sbi_probe(struct pmumap_sbi *s)
{
	struct pmumap_sbi_ret r = pmumap_sbi_call_function_(s, PMUMAP_SBI_NUM_COUNTERS, 0, 0, 0);
	uint32_t i;

	s->counters = 0;
	s->snapshot = 0;
	s->secret = 0;
	s->used = 0;
	for (i = 0; i < 32; i++) {
		s->event[i] = 0;
		PMUMAP_NO_LIBCALL_();
	}
	s->width = 64;
	s->total = r.error ? 0 : r.value < 0xffff ? (uint32_t)r.value : 0xffff;
	for (i = 0; i < s->total; i++) {
		uint32_t counter, width;

		r = pmumap_sbi_call_function_(s, PMUMAP_SBI_GET_INFO, i, 0, 0);
		if (r.error || ((s->xlen == 32 ? r.value >> 31 : r.value >> 63) & 1))
			continue;
		counter = ((uint32_t)r.value & 0xfff) - PMUMAP_CSR_HPMCOUNTER_;
		width = ((uint32_t)r.value >> 12 & 63) + 1;
		if (counter >= 32 || counter == 1)
			continue;
		s->counters |= 1u << counter;
		s->index[counter] = (uint16_t)i;
		if (width < s->width)
			s->width = width;
	}
	s->readable = s->counters;
	return s->counters;
}

static inline int pmumap_sbi_has_counter_(const struct pmumap_sbi *s, uint32_t counter)
{
	return counter < 32 && (s->counters >> counter & 1);
}

PMUMAP_DEF struct pmumap_sbi_ret pmumap_sbi_match(struct pmumap_sbi *s, uint64_t base,
						  uint64_t mask, uint64_t flags, uint32_t event,
						  uint64_t data)
{
	const uint64_t a[6] = {
		base, mask, flags, event, pmumap_sbi_low_(s, data), pmumap_sbi_high_(s, data)
	};

	return s->call(s->arg, PMUMAP_SBI_CONFIG_MATCHING, a);
}

PMUMAP_DEF struct pmumap_sbi_ret pmumap_sbi_start_set(struct pmumap_sbi *s, uint64_t base,
						      uint64_t mask, uint64_t flags, uint64_t value)
{
	const uint64_t a[6] = {
		base, mask, flags, pmumap_sbi_low_(s, value), pmumap_sbi_high_(s, value), 0
	};

	return s->call(s->arg, PMUMAP_SBI_START, a);
}

PMUMAP_DEF struct pmumap_sbi_ret pmumap_sbi_stop_set(struct pmumap_sbi *s, uint64_t base,
						     uint64_t mask, uint64_t flags)
{
	return pmumap_sbi_call_function_(s, PMUMAP_SBI_STOP, base, mask, flags);
}

/* On RV32, rereading the upper half shows whether the lower half wrapped. */
PMUMAP_DEF struct pmumap_sbi_ret pmumap_sbi_fw_read(struct pmumap_sbi *s, uint64_t index)
{
	struct pmumap_sbi_ret high, low, again;

	low = pmumap_sbi_call_function_(s, PMUMAP_SBI_FW_READ, index, 0, 0);
	if (s->xlen != 32 || low.error)
		return low;
	high = pmumap_sbi_call_function_(s, PMUMAP_SBI_FW_READ_HI, index, 0, 0);
	low = pmumap_sbi_call_function_(s, PMUMAP_SBI_FW_READ, index, 0, 0);
	again = pmumap_sbi_call_function_(s, PMUMAP_SBI_FW_READ_HI, index, 0, 0);
	if (again.value != high.value)
		low = pmumap_sbi_call_function_(s, PMUMAP_SBI_FW_READ, index, 0, 0);
	low.value |= again.value << 32;
	return low;
}

/*
 * Start a counter at a value. The firmware writes none into a running counter: stop that first.
 * Returns 0 if the firmware refuses.
 */
static inline int pmumap_sbi_try_start_(struct pmumap_sbi *s, uint32_t counter, uint64_t value)
{
	const uint64_t flags = PMUMAP_SBI_SET_INIT_VALUE, index = s->index[counter];
	int32_t error = pmumap_sbi_start_set(s, index, 1, flags, value).error;

	if (error == PMUMAP_SBI_ALREADY_STARTED) {
		(void)pmumap_sbi_stop_set(s, index, 1, 0);
		error = pmumap_sbi_start_set(s, index, 1, flags, value).error;
	}
	return error == 0;
}

/* Stop counters. Returns 0 if the firmware refuses. */
static inline int pmumap_sbi_try_stop_(struct pmumap_sbi *s, uint64_t base, uint64_t mask,
				       uint64_t flags)
{
	int32_t error = pmumap_sbi_stop_set(s, base, mask, flags).error;

	return error == 0 || error == PMUMAP_SBI_ALREADY_STOPPED;
}

/*
 * The firmware configured another counter than the one asked for. Release it, or give it back its
 * own job, because its modes may have changed. A number that is none of ours is not touched.
 */
static inline void pmumap_sbi_give_back_(struct pmumap_sbi *s, uint64_t index)
{
	uint32_t left;

	for (left = s->counters; left; left &= left - 1) {
		uint32_t n = pmumap_lowest_bit_(left);

		if (s->index[n] != index)
			continue;
		if (s->used >> n & 1)
			(void)pmumap_sbi_match(s, index, 1, s->flags[n], s->event[n], s->data[n]);
		else
			pmumap_sbi_stop(s, n, 1);
	}
}

/* CONFIG_MATCHING for one counter. Returns 0 unless the firmware configured just that one. */
static inline int pmumap_sbi_try_match_(struct pmumap_sbi *s, uint32_t counter, uint64_t flags,
					uint32_t event, uint64_t data)
{
	struct pmumap_sbi_ret r = pmumap_sbi_match(s, s->index[counter], 1, flags, event, data);

	if (r.error)
		return 0;
	if (r.value == s->index[counter])
		return 1;
	pmumap_sbi_give_back_(s, r.value);
	return 0;
}

/*
 * Configure a released counter, and remember its event for wiping. If the firmware refuses, the
 * counter's old value is secret from now on. Never pass CLEAR_VALUE: OpenSBI before 1.9 ignores it
 * for cache and raw events, and the firmware would clear a counter that it chose itself.
 */
static inline int pmumap_sbi_configure_(struct pmumap_sbi *s, uint32_t counter,
					const struct pmumap_job *job)
{
	uint32_t flags = (job->inhibit & 31) << PMUMAP_SBI_INHIBIT_SHIFT;
	uint32_t bit = (uint32_t)1 << counter;

	if (!pmumap_sbi_try_match_(s, counter, flags, job->event, job->data)) {
		if (s->event[counter])
			s->secret |= bit;
		return 0;
	}
	s->used |= bit;
	s->flags[counter] = (unsigned char)flags;
	s->event[counter] = job->event;
	s->data[counter] = job->data;
	return 1;
}

PMUMAP_DEF int pmumap_sbi_set(struct pmumap_sbi *s, uint32_t counter, const struct pmumap_job *job)
{
	uint32_t bit = (uint32_t)1 << (counter & 31);

	if (!pmumap_sbi_has_counter_(s, counter))
		return 0;
	pmumap_sbi_stop(s, counter, 1);
	if (!pmumap_sbi_configure_(s, counter, job))
		return 0;
	if (!job->clear)
		return 1;
	/* It may count until it stops: the next start writes 0 again. */
	s->readable &= ~bit;
	if (pmumap_sbi_try_start_(s, counter, 0) &&
	    pmumap_sbi_try_stop_(s, s->index[counter], 1, 0)) {
		s->secret &= ~bit;
		return 1;
	}
	pmumap_sbi_stop(s, counter, 1);
	s->secret |= bit; /* it counts on if that was refused too */
	return 0;
}

PMUMAP_DEF void pmumap_sbi_start(struct pmumap_sbi *s, uint32_t counter, const uint64_t *value)
{
	uint32_t bit = (uint32_t)1 << (counter & 31);

	if (!pmumap_sbi_has_counter_(s, counter))
		return;
	if (!value && (s->readable & bit)) {
		(void)pmumap_sbi_start_set(s, s->index[counter], 1, 0, 0);
		return;
	}
	s->readable &= ~bit;
	if (pmumap_sbi_try_start_(s, counter, value ? *value : 0)) {
		s->readable |= bit;
		s->secret &= ~bit;
	}
}

PMUMAP_DEF void pmumap_sbi_stop(struct pmumap_sbi *s, uint32_t counter, int release)
{
	if (!pmumap_sbi_has_counter_(s, counter))
		return;
	if (release)
		s->used &= ~((uint32_t)1 << counter);
	(void)pmumap_sbi_stop_set(s, s->index[counter], 1, release ? PMUMAP_SBI_RESET : 0);
}

PMUMAP_DEF uint64_t pmumap_sbi_read(struct pmumap_sbi *s, uint32_t counter)
{
	if (counter > 31 || !(s->readable >> counter & 1))
		return 0;
	return pmumap_csr_read_counter_(s->read, s->arg, s->xlen, PMUMAP_CSR_HPMCOUNTER_ + counter);
}

/* scountovf, or 0 without it. */
static inline uint32_t pmumap_sbi_read_overflows_(struct pmumap_sbi *s)
{
	if (!(s->features & PMUMAP_CAN_INTERRUPT))
		return 0;
	return (uint32_t)s->read(s->arg, PMUMAP_CSR_SCOUNTOVF_);
}

PMUMAP_DEF int pmumap_sbi_overflowed(struct pmumap_sbi *s, uint32_t counter)
{
	return pmumap_sbi_has_counter_(s, counter) &&
	       (pmumap_sbi_read_overflows_(s) >> counter & 1);
}

PMUMAP_PMU_FUNCTIONS_(sbi)

PMUMAP_DEF void pmumap_sbi_as_pmu(struct pmumap_sbi *s, struct pmumap_pmu *pmu)
{
	pmu->set = pmumap_sbi_pmu_set_;
	pmu->start = pmumap_sbi_pmu_start_;
	pmu->stop = pmumap_sbi_pmu_stop_;
	pmu->read = pmumap_sbi_pmu_read_;
	pmu->overflowed = pmumap_sbi_pmu_overflowed_;
	pmu->arg = s;
}
