/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters by SBI firmware */
#pragma once

#include "core/compiler.h"
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
 * Configure a released counter, and remember its event for wiping. If the firmware refuses, the
 * counter's old value is secret from now on.
 */
static inline int pmumap_sbi_configure_(struct pmumap_sbi *s, uint32_t counter,
					const struct pmumap_job *job, uint32_t clear)
{
	uint64_t flags = (uint64_t)(job->inhibit & 31) << PMUMAP_SBI_INHIBIT_SHIFT |
			 (clear ? PMUMAP_SBI_CLEAR_VALUE : 0);
	uint32_t bit = (uint32_t)1 << counter;

	if (pmumap_sbi_match(s, s->index[counter], 1, flags, job->event, job->data).error) {
		if (s->event[counter])
			s->secret |= bit;
		return 0;
	}
	s->secret &= ~bit;
	s->event[counter] = job->event;
	s->data[counter] = job->data;
	return 1;
}

PMUMAP_DEF int pmumap_sbi_set(struct pmumap_sbi *s, uint32_t counter, const struct pmumap_job *job)
{
	if (!pmumap_sbi_has_counter_(s, counter))
		return 0;
	pmumap_sbi_stop(s, counter, 1);
	return pmumap_sbi_configure_(s, counter, job, job->clear);
}

PMUMAP_DEF void pmumap_sbi_start(struct pmumap_sbi *s, uint32_t counter, const uint64_t *value)
{
	if (pmumap_sbi_has_counter_(s, counter))
		(void)pmumap_sbi_start_set(s, s->index[counter], 1,
					   value ? PMUMAP_SBI_SET_INIT_VALUE : 0,
					   value ? *value : 0);
}

PMUMAP_DEF void pmumap_sbi_stop(struct pmumap_sbi *s, uint32_t counter, int release)
{
	if (pmumap_sbi_has_counter_(s, counter))
		(void)pmumap_sbi_stop_set(s, s->index[counter], 1, release ? PMUMAP_SBI_RESET : 0);
}

PMUMAP_DEF uint64_t pmumap_sbi_read(struct pmumap_sbi *s, uint32_t counter)
{
	if (!pmumap_sbi_has_counter_(s, counter))
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

PMUMAP_DEF void pmumap_sbi_pmu(struct pmumap_sbi *s, struct pmumap_pmu *pmu)
{
	pmu->set = pmumap_sbi_pmu_set_;
	pmu->start = pmumap_sbi_pmu_start_;
	pmu->stop = pmumap_sbi_pmu_stop_;
	pmu->read = pmumap_sbi_pmu_read_;
	pmu->overflowed = pmumap_sbi_pmu_overflowed_;
	pmu->arg = s;
}
