/* SPDX-License-Identifier: BSD-2-Clause */
/* Virtual CPUs: operations, save and restore */
#pragma once

#include "core/compiler.h"
#include "riscv/tables.h"
#include "core/bits.h"
#include "server/vpmu_api.h"

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
