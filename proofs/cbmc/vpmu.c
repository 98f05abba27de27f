/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A virtual CPU's count on a hart that refuses jobs.
 */
#include "proof.h"
#include "pmumap_server.h"

/* A hart's only counter. owned: it has a job. What it shows is lost when it is released. */
static struct {
	uint64_t value;
	_Bool owned;
} moody;

static void moody_stop(void *arg, uint32_t counter, int release)
{
	if (release) {
		moody.value = nondet_u64();
		moody.owned = 0;
	}
}

/* Refuses at will. Then it may have released the counter, as firmware does. */
static int moody_set(void *arg, uint32_t counter, const struct pmumap_job *job)
{
	if (nondet_u8() & 1) {
		moody_stop(arg, counter, nondet_u8() & 1);
		return 0;
	}
	if (!moody.owned)
		moody.value = nondet_u64();
	if (job->clear)
		moody.value = 0;
	moody.owned = 1;
	return 1;
}

static void moody_start(void *arg, uint32_t counter, const uint64_t *value)
{
	if (value && moody.owned)
		moody.value = *value;
}

static int moody_overflowed(void *arg, uint32_t counter)
{
	return nondet_u8() & 1;
}

static uint64_t moody_read(void *arg, uint32_t counter)
{
	return moody.value;
}

/*
 * Whatever set refuses, a virtual CPU keeps its count through each call, save and restore; and a
 * loaded counter has a job on the hart.
 */
void keeps(void)
{
	const struct pmumap_pmu hart = { moody_set,  moody_start,      moody_stop,
					 moody_read, moody_overflowed, 0 };
	const uint32_t n = 31, bit = 1u << n;
	struct pmumap_vpmu v;
	struct pmumap_pmu p;
	struct pmumap_job job;
	uint32_t act = nondet_u8() % 5, configured, running;
	_Bool loaded;
	int done = 0;

	moody.value = nondet_u64();
	moody.owned = nondet_u8() & 1;
	assume(!(v.touched & ~bit) && !(v.loaded & ~v.touched) && !(v.configured & ~bit));
	assume(!((v.running | v.loaded) & ~v.configured));
	assume(!v.loaded || moody.owned);
	assume(!(v.configured & bit) || !v.job[n].clear);
	v.hart = &hart;
	v.sets = 0;
	pmumap_vpmu_as_pmu(&v, &p);
	configured = v.configured;
	running = v.running;
	loaded = v.loaded >> n;

	uint64_t count = p.read(p.arg, n);

	if (act == 0)
		done = p.set(p.arg, n, &job);
	else if (act == 1)
		p.start(p.arg, n, 0);
	else if (act == 2)
		p.stop(p.arg, n, nondet_u8() & 1);
	else if (act >= 3)
		(void)pmumap_vpmu_save(&v);
	if (act == 4)
		(void)pmumap_vpmu_restore(&v, &hart);
	prove(p.read(p.arg, n) == (done && job.clear ? 0 : count));
	prove(!v.loaded || moody.owned);
	prove(act == 0 || act == 2 || v.configured == configured);
	prove(done || act == 1 || act == 2 || v.running == running);
	prove(!done || v.loaded == bit);
	reached(act == 0 && !done && loaded && v.loaded && running);
	reached(act == 0 && !done && loaded && !v.loaded && running);
	reached(act == 0 && done && loaded && running && !job.clear);
	reached(act == 4 && running && !v.loaded);
	reached(act == 4 && v.loaded && !running && count);
}
