/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Virtual CPUs that take turns on a simulated hart, and what each of its counters should have
 * counted. The counters below them may be driven one by one, in sets, or by firmware whose calls
 * fail.
 */
#ifndef TURNS_H
#define TURNS_H

#include "support.h"
#include "machine.h"
#include "pmumap_server.h"

#define CPUS 2u

/* Expected counts: plain sums of the virtual CPU's own work. */
struct sum {
	uint64_t value, rate;
	uint32_t inhibit, configured, running, overflowed;
};

struct cpu {
	struct pmumap_vpmu vpmu;
	struct pmumap_pmu pmu;
	struct sum sum[32];
};

/* Effect of a failing firmware call. */
enum way { REFUSES, DOES_IT_BUT_FAILS, NAMES_ANOTHER, LIES };

struct turns {
	struct machine m; /* first */
	struct pmumap_hart hart;
	struct pmumap_pmu below;
	struct cpu cpu[CPUS];
	uint32_t now;
	uint64_t switches;

	/* Counters moved by sets: the hart's, or those of a server on it that acts as firmware. */
	enum { BY_ONE, BY_SETS, BY_FIRMWARE } by;
	struct pmumap_pmu machine;
	struct pmumap_server monitor;
	struct pmumap_server_host memory;
	struct pmumap_sbi sbi;
	struct pmumap_pmu_sets sets;
	_Alignas(8) uint64_t block[PMUMAP_BLOCK(0, 0, 1) / 8];
	uint64_t page[512];
	uint32_t calls, first_failure, failures; /* the first has number 1 */
	enum way way;
	uint64_t flags; /* of the last CONFIG_MATCHING */
};

/* Guest modes are counted. The monitor runs in M-mode, which is excluded where possible. */
static const uint32_t modes[2] = { PMUMAP_INHIBIT_S, PMUMAP_INHIBIT_U };

/* A virtual CPU enters the hart. */
static inline uint32_t come(struct turns *t, struct cpu *c)
{
	return t->by ? pmumap_vpmu_restore_sets(&c->vpmu, &t->sets)
		     : pmumap_vpmu_restore(&c->vpmu, &t->below);
}

/* by: BY_ONE or BY_SETS. For BY_FIRMWARE call sets_begin(). */
static inline void turns_begin(struct turns *t, uint32_t by, uint32_t xlen, uint32_t features,
			       uint64_t step)
{
	uint32_t i;

	memset(t, 0, sizeof(*t));
	machine_begin(&t->m, xlen, features);
	t->m.width = 40;
	t->m.step = step;
	hart_begin(&t->hart, &t->m);
	CHECK_EQ(pmumap_hart_probe(&t->hart), t->m.counters);
	pmumap_hart_stop(&t->hart, 0, 1);
	pmumap_hart_stop(&t->hart, 2, 1);
	t->m.value[0] = t->m.value[2] = 0;
	t->m.absent = 0; /* those were asked for */
	pmumap_hart_as_pmu(&t->hart, &t->below);
	for (i = 0; i < CPUS; i++) {
		memset(&t->cpu[i].vpmu, 0xa5, sizeof(t->cpu[i].vpmu));
		pmumap_vpmu_init(&t->cpu[i].vpmu);
		pmumap_vpmu_as_pmu(&t->cpu[i].vpmu, &t->cpu[i].pmu);
	}
	t->by = by;
	pmumap_hart_sets(&t->hart, &t->sets);
	CHECK(by == BY_FIRMWARE || come(t, &t->cpu[0]) == 0);
}

#define PAGE 0x40001000u /* where the firmware has the page that is shared with it */

static inline int shared_page(void *arg, uint64_t low, uint64_t high, void *data, uint64_t bytes,
			      int write)
{
	unsigned char *at = (unsigned char *)arg + (low - PAGE);

	if (high || low < PAGE || low - PAGE > 4096 || bytes > 4096 - (low - PAGE))
		return 0;
	if (data)
		memcpy(write ? at : data, write ? data : at, (size_t)bytes);
	return 1;
}

static inline struct pmumap_sbi_ret firmware(void *arg, uint32_t function, const uint64_t *a)
{
	struct turns *t = arg;
	struct pmumap_sbi_ret ret = { 0, 0 };
	int fails = ++t->calls >= t->first_failure && t->calls - t->first_failure < t->failures;

	if (function == PMUMAP_SBI_CONFIG_MATCHING)
		t->flags = a[2];
	if (!fails || t->way == DOES_IT_BUT_FAILS)
		ret = pmumap_server_call(&t->monitor, function, a);
	if (fails && t->way == NAMES_ANOTHER && function == PMUMAP_SBI_CONFIG_MATCHING)
		ret.value = (a[0] + 1) % 8;
	else if (fails && t->way != LIES)
		ret.error = PMUMAP_SBI_FAILED;
	return ret;
}

/* counters: those of the hart, instead of 0 and 2 to 6. */
static inline void sets_begin(struct turns *t, uint32_t xlen, uint32_t features, uint64_t step,
			      uint32_t counters, int shares)
{
	struct pmumap_server *s = &t->monitor;
	struct pmumap_builder b;

	turns_begin(t, BY_FIRMWARE, xlen, features, step);
	t->m.counters = t->hart.counters = counters;
	pmumap_hart_permit(&t->hart, counters);
	pmumap_begin(&b, t->block, sizeof(t->block));
	CHECK_EQ(pmumap_add_raw(&b, 0x700, ~(uint64_t)0xff, 0xfffffff8u), PMUMAP_OK);
	CHECK_EQ(pmumap_finish(&b, &s->map), PMUMAP_OK);
	t->machine = t->below;
	t->memory.access = shared_page;
	t->memory.arg = t->page;
	s->pmu = &t->machine;
	s->host = &t->memory;
	s->xlen = xlen;
	s->granted = counters;
	s->features = features & (SOF | SMC);
	s->inhibit = PMUMAP_INHIBIT_M;
	s->width = t->m.width;
	pmumap_server_init(s);
	memset(&t->sbi, 0x5a, sizeof(t->sbi));
	t->sbi.call = firmware;
	t->sbi.read = csr_read; /* of the machine */
	t->sbi.arg = t;
	t->sbi.xlen = xlen;
	t->sbi.features = features & CAN_I;
	CHECK_EQ(pmumap_sbi_probe(&t->sbi), counters);
	if (shares) {
		CHECK(!pmumap_sbi_share(&t->sbi, t->page, PAGE + 1)); /* not aligned */
		CHECK(pmumap_sbi_share(&t->sbi, t->page, PAGE));
	}
	pmumap_sbi_sets(&t->sbi, &t->sets);
	CHECK_EQ(come(t, &t->cpu[0]), 0);
}

/* The guest works for a while. */
static inline void guest_runs(struct turns *t, uint64_t units, uint32_t mode)
{
	struct cpu *c = &t->cpu[t->now];
	uint32_t n;

	t->m.mode = mode;
	run(&t->m, units);
	t->m.mode = PMUMAP_INHIBIT_M;
	for (n = 0; n < 32; n++) {
		struct sum *s = &c->sum[n];
		uint64_t end = (s->value + units * s->rate) & ones(width(&t->m, n));

		if (!s->running || !(c->vpmu.loaded >> n & 1) ||
		    (filters(&t->m, n) && s->inhibit & mode))
			continue;
		if (end < s->value && n > 2 && t->m.features & PMUMAP_CAN_INTERRUPT)
			s->overflowed = 1;
		s->value = end;
	}
}

/* Returns whether the hart can stop a fixed counter. */
static inline int stands(const struct turns *t, uint32_t n)
{
	return n > 2 || t->m.features & STOPS;
}

/* The server's answer to the guest, and what the guest reads by itself. */
static inline int same(struct turns *t)
{
	struct cpu *c = &t->cpu[t->now];
	uint32_t n, good = 1;

	for (n = 0; n < 32; n++) {
		const struct sum *s = &c->sum[n];

		if (!there(&t->m, n))
			continue;
		good &= c->pmu.read(c->pmu.arg, n) == s->value;
		good &= (c->pmu.overflowed(c->pmu.arg, n) != 0) == s->overflowed;
		/* A hart that refused both jobs has released the counter; its count waits. */
		if (s->configured && stands(t, n) && c->vpmu.loaded >> n & 1)
			good &= t->m.value[n] == s->value;
		good &= (t->m.event[n] & 0xff) == 0 || s->configured;
	}
	return good != 0;
}

/* Other counters are 0 and do not count. */
static inline int clean_but(const struct turns *t, uint32_t but)
{
	uint32_t n, good = 1;

	for (n = 0; n < 32; n++) {
		if (!there(&t->m, n) || !stands(t, n) || but >> n & 1)
			continue;
		good &= t->m.value[n] == 0 && t->m.event[n] == 0;
	}
	return good != 0;
}

static inline void switch_cpu(struct turns *t)
{
	struct cpu *c = &t->cpu[t->now];

	t->switches++;
	CHECK_EQ(pmumap_vpmu_save(&c->vpmu), 0);
	CHECK(c->vpmu.hart == NULL && c->vpmu.sets == NULL);
	CHECK(t->by || clean_but(t, 0));
	t->now = (t->now + 1) % CPUS;
	c = &t->cpu[t->now];
	if (random_below(64) == 0) {
		/* It was moved meanwhile. */
		static struct pmumap_vpmu copy;

		copy = c->vpmu;
		memset(&c->vpmu, 0x5a, sizeof(c->vpmu));
		c->vpmu = copy;
	}
	CHECK_EQ(come(t, c), 0);
	CHECK(clean_but(t, c->vpmu.configured));
}

/*
 * The guest configures a counter. how: bits 0-7 its rate, 8 clear, 9-12 modes that do not count.
 * Returns 0 if the hart refuses.
 */
static inline int guest_sets(struct turns *t, uint32_t n, uint32_t how)
{
	struct cpu *c = &t->cpu[t->now];
	struct sum *s = &c->sum[n];
	struct pmumap_job job = { 0, 0, PMUMAP_EVENT_RAW, PMUMAP_INHIBIT_M, how >> 8 & 1 };

	if (n < 3)
		job.event = n == 0 ? 1 : 2;
	else
		job.selector = job.data = 0x701 + how % 255;
	/* Where counters can filter, these bits of a selector are not the event's. */
	if (filters(&t->m, n))
		job.selector |= (uint64_t)(how >> 13 & 1) << 61;
	if ((how >> 9) % 3 == 0)
		job.inhibit |= modes[how >> 12 & 1];
	if (!c->pmu.set(c->pmu.arg, n, &job))
		return 0;
	s->rate = n < 3 ? 1 : job.data & 0xff;
	s->inhibit = job.inhibit;
	s->configured = 1;
	s->running = s->overflowed = 0;
	if (job.clear)
		s->value = 0;
	return 1;
}

/* A call of the guest. how: bits 0-1 which, 2 with the value, or release; the rest for a set. */
static inline void guest_step(struct turns *t, uint32_t n, uint32_t how, uint64_t value)
{
	struct cpu *c = &t->cpu[t->now];
	uint32_t given = how >> 2 & 1;
	struct sum *s;

	/* The firmware refuses a counter that cannot filter. */
	if (t->by == BY_FIRMWARE && filters(&t->m, 3) && !filters(&t->m, n))
		n = 3;
	s = &c->sum[n];
	switch (how & 3) {
	case 0:
		if (!s->running || n > 2 || t->m.features & STOPS)
			CHECK(guest_sets(t, n, how >> 3));
		break;
	case 1:
		/* The firmware does not start a running counter from another value. */
		if (!s->configured || (t->by == BY_FIRMWARE && s->running))
			break;
		c->pmu.start(c->pmu.arg, n, given ? &value : NULL);
		s->value = given ? value & ones(width(&t->m, n)) : s->value;
		s->overflowed &= s->running;
		s->running = 1;
		break;
	case 2:
		c->pmu.stop(c->pmu.arg, n, (int)given);
		s->running = 0;
		if (given && s->configured)
			s->configured = s->overflowed = 0;
		break;
	}
}

/* Returns whether a guest that reads all counters except hidden sees nothing of the other one. */
static inline int hides(const struct turns *t, uint32_t hidden)
{
	const struct cpu *c = &t->cpu[t->now];

	return clean_but(t, hidden | c->vpmu.configured) &&
	       c->vpmu.loaded == (c->vpmu.configured & ~hidden);
}

/* Counts of each counter while on the hart; nothing is lost. */
static inline int has_sums(struct turns *t)
{
	uint32_t i, n, good = 1;

	for (i = 0; i < CPUS; i++) {
		struct cpu *c = &t->cpu[i];

		for (n = 0; n < 32; n++)
			good &= c->pmu.read(c->pmu.arg, n) == c->sum[n].value;
	}
	return good != 0;
}

#endif /* TURNS_H */
