/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Virtual CPUs that take turns on a simulated hart: at a million random moments one leaves and the
 * other comes. What each counter has counted is compared with sums that are kept beside.
 */
#include "machine.h"
#include "pmumap_server.h"

#define CPUS 2u

/* What a counter has to be: plain sums of what its own virtual CPU did. */
struct sum {
	uint64_t value, rate;
	uint32_t inhibit, configured, running, overflowed;
};

struct cpu {
	struct pmumap_vpmu vpmu;
	struct pmumap_pmu pmu;
	struct sum sum[32];
};

struct turns {
	struct machine m;
	struct pmumap_hart hart;
	struct pmumap_pmu below;
	struct cpu cpu[CPUS];
	uint32_t now;
	uint64_t switches;
};

/* Modes of a guest; of the monitor, M, nothing is counted that can be filtered. */
static const uint32_t modes[] = { PMUMAP_INHIBIT_S, PMUMAP_INHIBIT_U };

static uint64_t cut(const struct turns *t, uint32_t counter, uint64_t value)
{
	return value & ones(width(&t->m, counter));
}

static void turns_begin(struct turns *t, uint32_t xlen, uint32_t features, uint64_t step)
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
	pmumap_hart_pmu(&t->hart, &t->below);
	for (i = 0; i < CPUS; i++) {
		memset(&t->cpu[i].vpmu, 0xa5, sizeof(t->cpu[i].vpmu));
		pmumap_vpmu_init(&t->cpu[i].vpmu);
		pmumap_vpmu_pmu(&t->cpu[i].vpmu, &t->cpu[i].pmu);
	}
	CHECK_EQ(pmumap_vpmu_restore(&t->cpu[0].vpmu, &t->below), 0);
}

/* The guest does something for a while. */
static void guest_runs(struct turns *t, uint64_t units, uint32_t mode)
{
	struct cpu *c = &t->cpu[t->now];
	uint32_t n;

	t->m.mode = mode;
	run(&t->m, units);
	t->m.mode = PMUMAP_INHIBIT_M;
	for (n = 0; n < 32; n++) {
		struct sum *s = &c->sum[n];
		uint64_t end = cut(t, n, s->value + units * s->rate);

		if (!s->running || (filters(&t->m, n) && s->inhibit & mode))
			continue;
		if (end < s->value && n > 2 && t->m.features & PMUMAP_CAN_INTERRUPT)
			s->overflowed = 1;
		s->value = end;
	}
}

/* Whether the hart can hold a fixed counter still. */
static int stands(const struct turns *t, uint32_t n)
{
	return n > 2 || t->m.features & STOPS;
}

/* What the guest is told, and what it reads by itself. */
static int same(struct turns *t)
{
	struct cpu *c = &t->cpu[t->now];
	uint32_t n, good = 1;

	for (n = 0; n < 32; n++) {
		const struct sum *s = &c->sum[n];

		if (!there(&t->m, n))
			continue;
		good &= c->pmu.read(c->pmu.arg, n) == s->value;
		good &= (c->pmu.overflowed(c->pmu.arg, n) != 0) == s->overflowed;
		if (s->configured && stands(t, n))
			good &= t->m.value[n] == s->value;
		good &= (t->m.event[n] & 0xff) == 0 || s->configured;
	}
	return good != 0;
}

/* Nothing is left of a virtual CPU but zeros, and nothing counts. */
static int clean(const struct turns *t)
{
	uint32_t n, good = 1;

	for (n = 0; n < 32; n++) {
		if (!there(&t->m, n) || !stands(t, n))
			continue;
		good &= t->m.value[n] == 0 && t->m.event[n] == 0;
	}
	return good != 0;
}

static void switch_cpu(struct turns *t)
{
	struct cpu *c = &t->cpu[t->now];

	t->switches++;
	pmumap_vpmu_save(&c->vpmu);
	CHECK(c->vpmu.hart == NULL);
	CHECK(clean(t));
	t->now = (t->now + 1) % CPUS;
	c = &t->cpu[t->now];
	if (random_below(64) == 0) {
		/* It was moved meanwhile. */
		static struct pmumap_vpmu copy;

		copy = c->vpmu;
		memset(&c->vpmu, 0x5a, sizeof(c->vpmu));
		c->vpmu = copy;
	}
	CHECK_EQ(pmumap_vpmu_restore(&c->vpmu, &t->below), 0);
}

static void random_set(struct turns *t, uint32_t n)
{
	struct cpu *c = &t->cpu[t->now];
	struct sum *s = &c->sum[n];
	struct pmumap_job job = { 0, 0, n == 0 ? 1 : n == 2 ? 2 : 3, PMUMAP_INHIBIT_M, 0 };

	s->rate = n < 3 ? 1 : 1 + random_below(255);
	job.selector = n < 3 ? 0 : 0x700 | s->rate;
	job.clear = random_below(2);
	if (random_below(3) == 0)
		job.inhibit |= modes[random_below(2)];
	CHECK(c->pmu.set(c->pmu.arg, n, &job));
	s->inhibit = job.inhibit;
	s->configured = 1;
	s->running = s->overflowed = 0;
	if (job.clear)
		s->value = 0;
}

/* Some call of the guest's. */
static void random_step(struct turns *t)
{
	static const uint8_t numbers[] = { 0, 2, 3, 4, 5, 6 };
	struct cpu *c = &t->cpu[t->now];
	uint32_t n = numbers[random_below(6)], release;
	struct sum *s = &c->sum[n];
	uint64_t value =
		random_below(2) ? random64() >> random_below(64) : ones(40) - random_below(9000);

	switch (random_below(4)) {
	case 0:
		if (!s->running || n > 2 || t->m.features & STOPS)
			random_set(t, n);
		break;
	case 1:
		if (!s->configured)
			break;
		if (random_below(2)) {
			c->pmu.start(c->pmu.arg, n, &value);
			s->value = cut(t, n, value);
		} else {
			c->pmu.start(c->pmu.arg, n, NULL);
		}
		s->overflowed &= s->running;
		s->running = 1;
		break;
	case 2:
		release = random_below(2);
		c->pmu.stop(c->pmu.arg, n, (int)release);
		s->running = 0;
		if (release && s->configured)
			s->configured = s->overflowed = 0;
		break;
	default:
		break;
	}
}

static void take_turns(uint32_t xlen, uint32_t features, uint64_t step, uint32_t times)
{
	static struct turns t;
	uint32_t i;

	test_now = "two virtual CPUs take turns";
	turns_begin(&t, xlen, features, step);
	for (i = 0; i < times; i++) {
		uint32_t steps = random_below(4);

		while (steps--) {
			random_step(&t);
			guest_runs(&t, random_below(8) ? random_below(100) : random64() >> 40,
				   modes[random_below(2)]);
		}
		if (!CHECK(same(&t)))
			break;
		switch_cpu(&t);
		if (!CHECK(same(&t)))
			break;
	}
	CHECK_EQ(t.switches, times);
	/* Also what is asked of one that is on no hart. */
	pmumap_vpmu_save(&t.cpu[t.now].vpmu);
	t.now = 1 - t.now;
	for (i = 0; i < 32; i++) {
		const struct cpu *c = &t.cpu[t.now];

		CHECK_EQ(c->pmu.read(c->pmu.arg, i), c->sum[i].value);
		CHECK_EQ(c->pmu.overflowed(c->pmu.arg, i) != 0, c->sum[i].overflowed);
	}
}

/* What is called while the virtual CPU is on no hart, and for no counter. */
static void off_the_hart(void)
{
	struct pmumap_job job = { 0, 0x705, 3, 0, 0 };
	uint64_t value = 1000;
	static struct turns t;
	struct pmumap_pmu *p = &t.cpu[0].pmu;

	test_now = "on no hart";
	turns_begin(&t, 64, SOF | STOPS, 0);
	CHECK(p->set(p->arg, 3, &job) && p->set(p->arg, 4, &job));
	CHECK(!p->set(p->arg, 7, &job) && !p->set(p->arg, 1, &job) && !p->set(p->arg, 32, &job));
	p->start(p->arg, 3, NULL);
	p->start(p->arg, 32, NULL);
	p->stop(p->arg, 32, 1);
	p->start(p->arg, 5, &value); /* not configured */
	CHECK_EQ(p->read(p->arg, 5), 0);
	p->stop(p->arg, 5, 1);
	CHECK_EQ(p->read(p->arg, 32), 0);
	CHECK_EQ(p->overflowed(p->arg, 32), 0);
	run(&t.m, 10);
	CHECK_EQ(p->read(p->arg, 3), 50);
	p->start(p->arg, 3, NULL); /* once more: it goes on */
	CHECK_EQ(p->read(p->arg, 3), 50);
	pmumap_vpmu_save(&t.cpu[0].vpmu);
	CHECK_EQ(p->read(p->arg, 3), 50);
	CHECK(!p->set(p->arg, 5, &job));
	p->start(p->arg, 4, &value);
	p->stop(p->arg, 3, 0);
	run(&t.m, 10);
	CHECK_EQ(p->read(p->arg, 3), 50);
	CHECK_EQ(p->read(p->arg, 4), 1000);
	CHECK_EQ(pmumap_vpmu_restore(&t.cpu[0].vpmu, &t.below), 0);
	run(&t.m, 10);
	CHECK_EQ(p->read(p->arg, 3), 50);
	CHECK_EQ(p->read(p->arg, 4), 1050);
	pmumap_vpmu_save(&t.cpu[0].vpmu);
	p->stop(p->arg, 3, 1);
	p->stop(p->arg, 4, 1);
	CHECK_EQ(pmumap_vpmu_restore(&t.cpu[0].vpmu, &t.below), 0);
	run(&t.m, 10);
	CHECK(t.m.event[3] == 0 && t.m.event[4] == 0);
	CHECK_EQ(t.m.absent + t.m.reserved, 0);
}

/* Of whatever lay in its memory, nothing is believed; and it may leave without having been there. */
static void init_is_enough(void)
{
	struct pmumap_job job = { 0, 0x705, 3, 0, 0 };
	static struct turns t;
	struct pmumap_vpmu *v = &t.cpu[0].vpmu;
	struct pmumap_pmu *p = &t.cpu[0].pmu;
	uint32_t garbage, n;

	test_now = "init";
	for (garbage = 0; garbage < 6; garbage++) { /* off the hart before, or put there at once */
		turns_begin(&t, 64, SOF | STOPS, 0);
		memset(v, (int)(garbage / 2 * 0x5a & 0xff), sizeof(*v));
		pmumap_vpmu_init(v);
		for (n = 0; garbage % 2 && n < 33; n++) {
			CHECK(!p->set(p->arg, n, &job));
			p->start(p->arg, n, NULL);
			p->stop(p->arg, n, 1);
			CHECK(p->read(p->arg, n) == 0 && !p->overflowed(p->arg, n));
		}
		if (garbage % 2) {
			pmumap_vpmu_save(v);
			pmumap_vpmu_save(v);
		}
		CHECK_EQ(pmumap_vpmu_restore(v, &t.below), 0);
		/* What another one left in a counter is not shown. */
		for (n = 3; n < 7; n++) {
			t.m.value[n] = 12345;
			CHECK(p->set(p->arg, n, &job));
			CHECK_EQ(t.m.value[n], 0);
			p->stop(p->arg, n, 1);
			t.m.value[n] = 12345;
			CHECK(p->set(p->arg, n, &job));
			CHECK_EQ(t.m.value[n], 0);
		}
		pmumap_vpmu_save(v);
		pmumap_vpmu_save(v);
		CHECK(clean(&t));
	}
}

/* Counter 31 is one, 32 is none, and no other name for counter 0. */
static void last_counter(void)
{
	struct pmumap_job job = { 7, 0x705, PMUMAP_EVENT_RAW, 0, 1 };
	uint64_t value = 1000;
	static struct turns t;
	struct pmumap_vpmu *v = &t.cpu[0].vpmu, before;
	struct pmumap_pmu *p = &t.cpu[0].pmu;

	test_now = "the last counter";
	turns_begin(&t, 64, SOF | STOPS, 0);
	t.m.counters = t.hart.counters = 0x80000005u;
	CHECK(p->set(p->arg, 31, &job));
	CHECK(v->job[31].data == 7 && v->job[31].event == PMUMAP_EVENT_RAW);
	p->start(p->arg, 31, &value);
	run(&t.m, 2);
	CHECK_EQ(p->read(p->arg, 31), 1010);
	CHECK(!p->overflowed(p->arg, 31));
	value = ones(40);
	p->start(p->arg, 31, &value);
	run(&t.m, 1);
	CHECK(p->overflowed(p->arg, 31));
	p->stop(p->arg, 31, 0);
	run(&t.m, 2);
	CHECK_EQ(p->read(p->arg, 31), 4);
	CHECK(p->overflowed(p->arg, 31));
	job.event = 1;
	job.selector = 0;
	CHECK(p->set(p->arg, 0, &job) && !p->set(p->arg, 32, &job));
	before = *v;
	p->start(p->arg, 32, &value);
	CHECK(!memcmp(&before, v, sizeof(before)));
	run(&t.m, 9);
	CHECK_EQ(p->read(p->arg, 0), 0);
	p->start(p->arg, 0, NULL);
	v->overflowed |= 1;
	p->stop(p->arg, 32, 1);
	run(&t.m, 9);
	CHECK(p->read(p->arg, 0) == 9 && p->read(p->arg, 32) == 0);
	CHECK(p->overflowed(p->arg, 0) && !p->overflowed(p->arg, 32));
}

/* A hart that lacks a counter, or an event, leaves it as it is, until it is on a hart that has it. */
static void other_hart(void)
{
	struct pmumap_job job = { 0, 0x705, 3, 0, 0 };
	static struct turns t;
	static struct machine less;
	struct pmumap_hart hart;
	struct pmumap_pmu below, *p = &t.cpu[0].pmu;

	test_now = "another hart";
	turns_begin(&t, 64, STOPS, 0);
	machine_begin(&less, 64, STOPS);
	less.counters = 0xd;
	hart_begin(&hart, &less);
	pmumap_hart_pmu(&hart, &below);
	CHECK(p->set(p->arg, 3, &job) && p->set(p->arg, 4, &job) && p->set(p->arg, 5, &job));
	p->start(p->arg, 3, NULL);
	p->start(p->arg, 4, NULL);
	run(&t.m, 10);
	pmumap_vpmu_save(&t.cpu[0].vpmu);
	CHECK_EQ(pmumap_vpmu_restore(&t.cpu[0].vpmu, &below), 0x30);
	run(&less, 7);
	CHECK_EQ(p->read(p->arg, 3), 85);
	CHECK_EQ(p->read(p->arg, 4), 50);
	CHECK_EQ(p->read(p->arg, 5), 0);
	pmumap_vpmu_save(&t.cpu[0].vpmu);
	CHECK_EQ(pmumap_vpmu_restore(&t.cpu[0].vpmu, &t.below), 0);
	run(&t.m, 1);
	CHECK_EQ(p->read(p->arg, 3), 90);
	CHECK_EQ(p->read(p->arg, 4), 55);
	CHECK_EQ(p->read(p->arg, 5), 0);
	CHECK_EQ(t.m.absent + t.m.reserved + less.absent + less.reserved, 0);
}

/* Hardware that takes a counter, but not the job: the second call of set fails. */
static int refuses; /* 1: any event, 2: all, 3: no event */
static uint32_t starts;

static int refusing_set(void *arg, uint32_t counter, const struct pmumap_job *job)
{
	return refuses != 2 && !(refuses == 1 && job->selector) &&
	       !(refuses == 3 && !job->selector) && pmumap_hart_set(arg, counter, job);
}

static void counted_start(void *arg, uint32_t counter, const uint64_t *value)
{
	starts++;
	pmumap_hart_start(arg, counter, value);
}

static int accepting_set(void *arg, uint32_t counter, const struct pmumap_job *job)
{
	(void)arg;
	(void)counter;
	(void)job;
	return 1;
}

static void refused_job(void)
{
	struct pmumap_job job = { 0, 0x705, 3, 0, 0 };
	uint64_t value = 77;
	static struct turns t;
	struct pmumap_pmu *p = &t.cpu[0].pmu;

	test_now = "a job that is refused";
	turns_begin(&t, 64, STOPS | SOF, 0);
	t.below.set = refusing_set;
	refuses = 0;
	CHECK(p->set(p->arg, 3, &job) && p->set(p->arg, 4, &job));
	p->start(p->arg, 3, &value);
	p->stop(p->arg, 3, 0);
	p->start(p->arg, 4, &value);
	pmumap_vpmu_save(&t.cpu[0].vpmu);
	refuses = 1;
	CHECK_EQ(pmumap_vpmu_restore(&t.cpu[0].vpmu, &t.below), 0x18);
	run(&t.m, 10);
	CHECK(p->read(p->arg, 3) == 77 && p->read(p->arg, 4) == 77);
	CHECK(t.m.event[3] == 0 && t.m.event[4] == 0 && t.hart.selector[3] == 0);
	refuses = 0;
	pmumap_vpmu_save(&t.cpu[0].vpmu);
	CHECK_EQ(pmumap_vpmu_restore(&t.cpu[0].vpmu, &t.below), 0);
	run(&t.m, 10);
	CHECK(p->read(p->arg, 3) == 77 && p->read(p->arg, 4) == 127);
	pmumap_vpmu_save(&t.cpu[0].vpmu);
	refuses = 2;
	starts = 0;
	t.below.start = counted_start;
	CHECK_EQ(pmumap_vpmu_restore(&t.cpu[0].vpmu, &t.below), 0x18);
	CHECK_EQ(starts, 0); /* what is not given to it is not started */
	pmumap_vpmu_save(&t.cpu[0].vpmu);
	refuses = 3; /* so the value of the one that stands cannot be put there */
	CHECK_EQ(pmumap_vpmu_restore(&t.cpu[0].vpmu, &t.below), 0x8);
	t.below.set = accepting_set; /* which has a counter 32, or says so */
	CHECK(!p->set(p->arg, 32, &job));
}

/* A hart that refuses now and then: bit N of refusing: the Nth call of set from here on. */
static uint32_t refusing, refused;

static int moody_set(void *arg, uint32_t counter, const struct pmumap_job *job)
{
	uint32_t now = refusing & 1;

	refusing >>= 1;
	refused += now;
	return !now && pmumap_hart_set(arg, counter, job);
}

/* What a counter went through before set: the first restore is refused where it is on no hart. */
static const struct {
	const char *name;
	uint64_t value;
	uint32_t configured, running, loaded;
} pasts[] = {
	{ "new", 0, 0, 0, 0 },
	{ "released", 77, 0, 0, 0 },
	{ "stands", 77, 1, 0, 1 },
	{ "runs", 77, 1, 1, 1 },
	{ "stands elsewhere", 77, 1, 0, 0 },
	{ "runs elsewhere", 77, 1, 1, 0 },
};

/* Either set does all that it is asked to, or all is as it was and no value is left on the hart. */
static void refused_now_and_then(uint32_t past, uint32_t pattern, uint32_t clear)
{
	struct pmumap_job job = { 0, 0x702, 3, 0, 0 }, next = { 0, 0x705, 3, 0, clear };
	uint64_t value = 77, want = clear ? 0 : pasts[past].value;
	static struct turns t;
	struct pmumap_vpmu *v = &t.cpu[0].vpmu;
	struct pmumap_pmu *p = &t.cpu[0].pmu;
	int done;

	test_now = pasts[past].name;
	turns_begin(&t, 64, STOPS | SOF, 0);
	t.below.set = moody_set;
	refusing = 0;
	if (pasts[past].value) {
		CHECK(p->set(p->arg, 3, &job));
		p->start(p->arg, 3, &value);
		if (!pasts[past].running)
			p->stop(p->arg, 3, !pasts[past].configured);
	}
	if (!pasts[past].loaded) {
		pmumap_vpmu_save(v);
		refusing = ~0u;
		CHECK_EQ(pmumap_vpmu_restore(v, &t.below), pasts[past].configured << 3);
	}
	refusing = pattern;
	refused = 0;
	done = p->set(p->arg, 3, &next);
	CHECK_EQ(done, refused == 0);
	CHECK_EQ(v->configured >> 3 & 1, done || pasts[past].configured);
	CHECK_EQ(v->loaded >> 3 & 1, done || pasts[past].loaded);
	CHECK_EQ(v->running >> 3 & 1, !done && pasts[past].running);
	CHECK_EQ(p->read(p->arg, 3), done ? want : pasts[past].value);
	if (!done && !pasts[past].loaded)
		CHECK(t.m.value[3] == 0 && t.m.event[3] == 0 && t.hart.selector[3] == 0);
	else
		CHECK(t.m.value[3] == p->read(p->arg, 3));
	p->start(p->arg, 3, NULL);
	run(&t.m, 10);
	if (v->loaded >> 3 & 1)
		CHECK_EQ(t.m.value[3], (done ? want + 50 : pasts[past].value + 20));
	else
		CHECK(t.m.value[3] == 0 && t.m.event[3] == 0 && t.hart.selector[3] == 0);
	refusing = 0;
	CHECK(p->set(p->arg, 3, &next));
	pmumap_vpmu_save(v);
	CHECK(clean(&t));
}

/* Which counters of the hart have been stopped, and which were not yet when one was wiped. */
static uint32_t stopped, late;

static void noted_stop(void *arg, uint32_t counter, int release)
{
	stopped |= 1u << counter;
	pmumap_hart_stop(arg, counter, release);
}

static int noting_set(void *arg, uint32_t counter, const struct pmumap_job *job)
{
	late |= 0x38 & ~stopped;
	return pmumap_hart_set(arg, counter, job);
}

/* To wipe a counter takes time, in which no other one may count. */
static void all_stop_first(void)
{
	struct pmumap_job job = { 0, 0x705, 3, 0, 0 };
	static struct turns t;
	struct pmumap_pmu *p = &t.cpu[0].pmu;
	uint32_t n;

	test_now = "all stop first";
	turns_begin(&t, 64, STOPS | SOF, 0);
	for (n = 3; n <= 5; n++) {
		CHECK(p->set(p->arg, n, &job));
		p->start(p->arg, n, NULL);
	}
	t.below.set = noting_set;
	t.below.stop = noted_stop;
	stopped = late = 0;
	pmumap_vpmu_save(&t.cpu[0].vpmu);
	CHECK(stopped == 0x38 && late == 0);
}

/* A counter that stands is put back as it was, though writing to it takes time that it could count. */
static void stands_still(uint32_t xlen, uint32_t features, uint32_t counter)
{
	struct pmumap_job job = { 0, counter < 3 ? 0 : 0x703, counter == 2 ? 2 : 3, 0, 0 };
	uint64_t value = 1000;
	static struct turns t;
	struct pmumap_pmu *p = &t.cpu[0].pmu;

	test_now = "a counter that stands";
	turns_begin(&t, xlen, features, 1);
	CHECK(p->set(p->arg, counter, &job));
	p->start(p->arg, counter, &value);
	p->stop(p->arg, counter, 0);
	value = p->read(p->arg, counter);
	CHECK(value > 1000 && value == t.m.value[counter]);
	pmumap_vpmu_save(&t.cpu[0].vpmu);
	CHECK(clean(&t));
	CHECK_EQ(pmumap_vpmu_restore(&t.cpu[0].vpmu, &t.below), 0);
	CHECK_EQ(t.m.value[counter], value);
	p->stop(p->arg, counter, 1);
	CHECK(p->set(p->arg, counter, &job));
	CHECK_EQ(t.m.value[counter], value);
}

/* Two guests of two servers, which count the same event at the same number. */
static void two_guests(uint32_t xlen)
{
	static const uint64_t match[6] = { 3, 1, PMUMAP_SBI_AUTO_START | 2, 3, 0, 0 };
	static const uint64_t stop[6] = { 3, 1, 0, 0, 0, 0 };
	static uint64_t block[PMUMAP_BLOCK(1, 1, 0) / 8];
	struct pmumap_server server[CPUS];
	const struct pmumap *map;
	struct pmumap_builder b;
	static struct turns t;
	uint32_t i;

	test_now = "two guests";
	pmumap_begin(&b, block, sizeof(block));
	CHECK_EQ(pmumap_add_selector(&b, 3, 0x703), PMUMAP_OK);
	CHECK_EQ(pmumap_add_counters(&b, 3, 3, 8), PMUMAP_OK);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	turns_begin(&t, xlen, SOF | STOPS, 1);
	memset(server, 0, sizeof(server));
	for (i = 0; i < CPUS; i++) {
		server[i].map = map;
		server[i].pmu = &t.cpu[i].pmu;
		server[i].xlen = xlen;
		server[i].granted = 8;
		server[i].features = SOF;
		server[i].inhibit = PMUMAP_INHIBIT_M;
		server[i].width = 40;
		pmumap_server_init(&server[i]);
	}
	for (i = 0; i < 20; i++) {
		if (i < CPUS)
			CHECK_EQ(pmumap_server_call(&server[t.now], PMUMAP_SBI_CONFIG_MATCHING,
						    match)
					 .error,
				 0);
		t.m.mode = PMUMAP_INHIBIT_S;
		run(&t.m, t.now ? 100 : 7);
		t.m.mode = PMUMAP_INHIBIT_M;
		switch_cpu(&t);
	}
	for (i = 0; i < CPUS; i++) {
		struct pmumap_pmu *p = &t.cpu[t.now].pmu;

		CHECK_EQ(pmumap_server_call(&server[t.now], PMUMAP_SBI_STOP, stop).error, 0);
		CHECK_EQ(p->read(p->arg, 3), 3 * 10 * (t.now ? 100 : 7));
		pmumap_server_reset(&server[t.now]);
		switch_cpu(&t);
	}
	CHECK_EQ(t.m.absent + t.m.reserved, 0);
}

int main(void)
{
	static const uint32_t features[] = { STOPS | SOF | SMC, STOPS | SOF,  STOPS, 0, SOF,
					     STOPS | CAN_F,     STOPS | CAN_I };
	const uint32_t kinds = sizeof(features) / sizeof(features[0]);
	uint32_t i, times = quick(1000000, 8000) / 16;

	for (i = 0; i < 14; i++)
		take_turns(i & 1 ? 32 : 64, features[i / 2 % kinds], 0, times);
	/* Where everything can be filtered, the time that a switch takes is nobody's. */
	take_turns(64, STOPS | SOF | SMC, 1, times);
	take_turns(32, STOPS | SOF | SMC, 3, times);
	for (i = 0; i < 2; i++) {
		stands_still(i ? 32 : 64, STOPS, 3);
		stands_still(i ? 32 : 64, STOPS | SOF | SMC, 3);
		stands_still(i ? 32 : 64, STOPS | SOF | SMC, 2);
	}
	init_is_enough();
	last_counter();
	off_the_hart();
	other_hart();
	refused_job();
	for (i = 0; i < 6 * 8; i++) {
		refused_now_and_then(i / 8, i % 8, 0);
		refused_now_and_then(i / 8, i % 8, 1);
	}
	all_stop_first();
	two_guests(64);
	two_guests(32);
	return test_summary();
}
