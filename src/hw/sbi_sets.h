/* SPDX-License-Identifier: BSD-2-Clause */
/* Save and restore sets of counters in few SBI calls */
#pragma once

#include "riscv/tables.h"
#include "core/bits.h"
#include "hw/sbi.h"

#define PMUMAP_SBI_SET_BITS_ 32u /* of a mask: RV32 has no more, and wider shifts need libgcc */

/*
 * Choose the counters that one call can reach, from the lowest SBI number on, and that call's base
 * and mask. counters is not 0.
 */
static inline uint32_t pmumap_sbi_find_group_(const struct pmumap_sbi *s, uint32_t counters,
					      uint64_t *base, uint64_t *mask)
{
	uint32_t left, first = 0xffff, bits = 0, group = 0;

	for (left = counters; left; left &= left - 1) {
		uint32_t index = s->index[pmumap_lowest_bit_(left)];

		first = index < first ? index : first;
	}
	for (left = counters; left; left &= left - 1) {
		uint32_t place = s->index[pmumap_lowest_bit_(left)] - first;

		if (place >= PMUMAP_SBI_SET_BITS_)
			continue;
		bits |= (uint32_t)1 << place;
		group |= left & (0 - left);
	}
	*base = first;
	*mask = bits;
	return group;
}

/*
 * Stop and release counters. Retry a refused set one by one, so that one counter does not block the
 * others. Returns those refused.
 */
static inline uint32_t pmumap_sbi_release_counters_(struct pmumap_sbi *s, uint32_t counters)
{
	uint32_t group, left, refused = 0;
	uint64_t base, mask;

	s->used &= ~counters;
	for (; counters; counters &= ~group) {
		group = pmumap_sbi_find_group_(s, counters, &base, &mask);
		if (pmumap_sbi_try_stop_(s, base, mask, PMUMAP_SBI_RESET))
			continue;
		for (left = group; left; left &= left - 1) {
			if (!pmumap_sbi_try_stop_(s, s->index[pmumap_lowest_bit_(left)], 1,
						  PMUMAP_SBI_RESET))
				refused |= left & (0 - left);
		}
	}
	return refused;
}

/*
 * Configure a counter that should be free. If a STOP failed, or somebody left the counter
 * configured, release it first and retry.
 */
static inline int pmumap_sbi_take_counter_(struct pmumap_sbi *s, uint32_t counter,
					   const struct pmumap_job *job)
{
	if (pmumap_sbi_configure_(s, counter, job))
		return 1;
	pmumap_sbi_stop(s, counter, 1);
	return pmumap_sbi_configure_(s, counter, job);
}

/*
 * Wipe secret values of free counters: configure each with its event in no mode, and let a START
 * write 0. Values that the firmware refuses to wipe stay secret until next time.
 */
static inline void pmumap_sbi_wipe_counters_(struct pmumap_sbi *s)
{
	uint32_t left, group, wiped = 0;
	uint64_t base, mask;
	struct pmumap_job job;

	job.inhibit = 31;
	for (left = s->secret & ~s->used; left; left &= left - 1) {
		uint32_t counter = pmumap_lowest_bit_(left);

		job.event = s->event[counter];
		job.data = s->data[counter];
		if (pmumap_sbi_take_counter_(s, counter, &job))
			wiped |= left & (0 - left);
	}
	for (left = wiped; left; left &= ~group) {
		group = pmumap_sbi_find_group_(s, left, &base, &mask);
		if (!pmumap_sbi_start_set(s, base, mask, PMUMAP_SBI_SET_INIT_VALUE, 0).error)
			s->secret &= ~group;
	}
	s->secret |= pmumap_sbi_release_counters_(s, wiped);
}

/* Store a value in the page, little-endian. place: the counter's index in the set. */
static inline void pmumap_sbi_put_value_(const struct pmumap_sbi *s, uint32_t place, uint64_t value)
{
	volatile unsigned char *to = (volatile unsigned char *)s->snapshot + 8 + 8 * (size_t)place;
	uint32_t i;

	for (i = 0; i < 8; i++, value >>= 8)
		to[i] = (unsigned char)(value & 0xff);
}

/* Start a set by one call. Returns 0 if that failed; some may have wrong values. */
static inline int pmumap_sbi_start_group_(struct pmumap_sbi *s, uint32_t group, uint64_t base,
					  uint64_t mask, const uint64_t *value)
{
	if (!s->snapshot)
		return 0;
	for (; group; group &= group - 1) {
		uint32_t counter = pmumap_lowest_bit_(group);

		pmumap_sbi_put_value_(s, s->index[counter] - (uint32_t)base, value[counter]);
	}
	if (!pmumap_sbi_start_set(s, base, mask, PMUMAP_SBI_INIT_SNAPSHOT, 0).error)
		return 1;
	(void)pmumap_sbi_stop_set(s, base, mask, 0);
	return 0;
}

/* Start counters at their values. Returns those that the firmware refuses; it may release them. */
static inline uint32_t pmumap_sbi_start_values_(struct pmumap_sbi *s, uint32_t counters,
						const uint64_t *value)
{
	uint32_t group, left, refused = 0;
	uint64_t base, mask;

	s->readable |= counters;
	s->secret &= ~counters;
	for (; counters; counters &= ~group) {
		group = pmumap_sbi_find_group_(s, counters, &base, &mask);
		if (pmumap_sbi_start_group_(s, group, base, mask, value))
			continue;
		for (left = group; left; left &= left - 1) {
			uint32_t counter = pmumap_lowest_bit_(left);

			if (!pmumap_sbi_try_start_(s, counter, value[counter]))
				refused |= left & (0 - left);
		}
	}
	return refused;
}

/*
 * The functions of struct pmumap_pmu_sets. Read values before stopping, because after the release
 * the counters are not ours; counts in between are lost. If a counter wraps meanwhile, reread it,
 * so that its value and its overflow match.
 */
static inline uint32_t pmumap_sbi_sets_release_(void *arg, uint32_t touched, uint32_t loaded,
						uint32_t running, uint64_t *value,
						uint32_t *overflowed)
{
	struct pmumap_sbi *s = (struct pmumap_sbi *)arg;
	uint32_t left, before, wrapped = pmumap_sbi_read_overflows_(s);

	left = running;
	do {
		for (; left; left &= left - 1) {
			uint32_t counter = pmumap_lowest_bit_(left);

			value[counter] = pmumap_sbi_read(s, counter);
		}
		before = wrapped;
		wrapped |= pmumap_sbi_read_overflows_(s);
		left = running & wrapped & ~before;
	} while (left);
	*overflowed |= running & wrapped;
	s->secret |= touched;
	return pmumap_sbi_release_counters_(s, loaded);
}

static inline uint32_t pmumap_sbi_sets_load_(void *arg, uint32_t counters,
					     const struct pmumap_job *job, const uint64_t *value)
{
	struct pmumap_sbi *s = (struct pmumap_sbi *)arg;
	uint32_t left, refused, taken = 0, lost = s->secret & s->used;

	/* Counters that are loaded, but refused to be wiped or to take their value. */
	(void)pmumap_sbi_release_counters_(s, lost);
	for (left = counters & s->counters; left; left &= left - 1) {
		uint32_t counter = pmumap_lowest_bit_(left);

		if (pmumap_sbi_take_counter_(s, counter, &job[counter]))
			taken |= left & (0 - left);
	}
	/* Wipe first: it takes time, in which nothing should count yet. */
	pmumap_sbi_wipe_counters_(s);
	refused = pmumap_sbi_start_values_(s, taken, value);
	(void)pmumap_sbi_release_counters_(s, refused);
	s->secret |= refused;
	return (counters & ~taken) | lost | s->secret;
}

PMUMAP_DEF void pmumap_sbi_sets(struct pmumap_sbi *s, struct pmumap_pmu_sets *sets)
{
	pmumap_sbi_as_pmu(s, &sets->one);
	sets->release = pmumap_sbi_sets_release_;
	sets->load = pmumap_sbi_sets_load_;
}

PMUMAP_DEF int pmumap_sbi_share(struct pmumap_sbi *s, void *page, uint64_t address)
{
	if (pmumap_sbi_call_function_(s, PMUMAP_SBI_SNAPSHOT_SET_SHMEM, pmumap_sbi_low_(s, address),
				      pmumap_sbi_high_(s, address), 0)
		    .error)
		return 0;
	s->snapshot = page;
	return 1;
}
