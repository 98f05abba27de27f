/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Counting through firmware that answers as OpenSBI does, and through firmware that lies: it fails
 * with any error, names any counter, and configures counters that nobody asked for. Each count is
 * right or refused, and no counter in use is disturbed.
 */
#include "support.h"
#include "pmumap_hw.h"
#include "pmumap_server.h"

#define COUNTERS 0xfdu /* 0, 2 to 7 */
#define INDEX(n) (40 - 3 * (n))
#define LEFT 0x12345u /* what somebody else has left in a counter */

/* The firmware. A counter without an event is free. */
struct counter {
	uint64_t value, data, flags;
	uint32_t event, running;
};

struct firmware {
	struct counter counter[8];
	uint32_t always_fixed;   /* 1: cycles get counter 0, whatever was asked: no Sscofpmf */
	uint32_t never_fixed;    /* 1: cycles never get counter 0 */
	uint32_t clears;         /* 1: it obeys CLEAR_VALUE */
	uint32_t lies;           /* 1 call of so many; 0: none */
	uint32_t refuses;        /* bit N: function N fails */
	uint32_t calls, started; /* the last START succeeded */

	/* What the test expects: counters in use, and the one that this call may touch. */
	uint32_t used, now, disturbed;
};

static int number_of(uint64_t index)
{
	int n;

	for (n = 0; n < 8; n++)
		if (index == INDEX((uint64_t)n) && n != 1)
			return n;
	return -1;
}

/* Not ALREADY_STOPPED, which a user would believe. */
static int32_t any_error(void)
{
	int32_t error = random_below(2) ? -1 - (int32_t)random_below(9) : (int32_t)random64();

	return error == 0 || error == PMUMAP_SBI_ALREADY_STOPPED ? PMUMAP_SBI_FAILED : error;
}

/* The counter that gets an event; -1: none. */
static int match(const struct firmware *f, int n, uint32_t event)
{
	if (event - 1 < 2 && f->always_fixed)
		return event == 1 ? 0 : 2;
	if (n < 0 || (n < 3 && (f->never_fixed || event != (n == 0 ? 1u : 2u))) || event == 9)
		return -1;
	return f->counter[n].event ? -1 : n;
}

static struct pmumap_sbi_ret configure(struct firmware *f, const uint64_t *a)
{
	struct pmumap_sbi_ret r = { 0, 0 };
	int n = match(f, number_of(a[0]), (uint32_t)a[3]);
	uint32_t other = random_below(8);

	/* It takes another one, which it must not take from its user. */
	if (f->lies && random_below(f->lies) == 0 && other != 1 && !f->counter[other].event)
		n = (int)other;
	if (n < 0) {
		r.error = PMUMAP_SBI_NOT_SUPPORTED;
		return r;
	}
	f->counter[n].event = (uint32_t)a[3];
	f->counter[n].data = a[4];
	f->counter[n].flags = a[2] & 0xf8;
	if (f->clears && (a[2] & PMUMAP_SBI_CLEAR_VALUE))
		f->counter[n].value = 0;
	r.value = INDEX((uint64_t)n);
	return r;
}

static int32_t start(struct counter *c, const uint64_t *a)
{
	if (!c->event)
		return PMUMAP_SBI_INVALID_PARAM;
	if (c->running)
		return PMUMAP_SBI_ALREADY_STARTED;
	if (a[2] & PMUMAP_SBI_SET_INIT_VALUE)
		c->value = a[3];
	c->running = 1;
	return 0;
}

static int32_t stop(struct counter *c, const uint64_t *a)
{
	int32_t error = c->running ? 0 : PMUMAP_SBI_ALREADY_STOPPED;

	c->running = 0;
	if (a[2] & PMUMAP_SBI_RESET)
		c->event = 0;
	return error;
}

static struct pmumap_sbi_ret honest(struct firmware *f, uint32_t function, const uint64_t *a)
{
	struct pmumap_sbi_ret r = { 0, 0 };
	int n = number_of(a[0]);

	switch (function) {
	case PMUMAP_SBI_NUM_COUNTERS:
		r.value = 41;
		break;
	case PMUMAP_SBI_GET_INFO:
		r.error = n < 0 ? PMUMAP_SBI_INVALID_PARAM : 0;
		r.value = (0xc00 + (uint64_t)(n & 7)) | 63 << 12;
		break;
	case PMUMAP_SBI_CONFIG_MATCHING:
		return configure(f, a);
	default:
		r.error = n < 0                          ? PMUMAP_SBI_INVALID_PARAM
			  : function == PMUMAP_SBI_START ? start(&f->counter[n], a)
							 : stop(&f->counter[n], a);
	}
	return r;
}

/* One time in so many it fails, with or without doing it, or names any counter. */
static struct pmumap_sbi_ret lie(struct firmware *f, uint32_t function, const uint64_t *a)
{
	struct pmumap_sbi_ret r = { 0, 0 };

	if (random_below(2))
		r = honest(f, function, a);
	if (function == PMUMAP_SBI_CONFIG_MATCHING && random_below(2)) {
		r.error = 0;
		r.value = random_below(2) ? INDEX((uint64_t)random_below(8)) : random64();
		r.value += r.value == a[0];
	} else {
		r.error = any_error();
	}
	return r;
}

static struct pmumap_sbi_ret call(void *arg, uint32_t function, const uint64_t *a)
{
	struct firmware *f = arg;
	struct pmumap_sbi_ret r = { PMUMAP_SBI_FAILED, 0 };
	int n = number_of(a[0]);

	f->calls++;
	/* Only a counter's own user starts and stops it. */
	f->disturbed += n >= 0 && (f->used >> n & 1) && f->now != (uint32_t)n &&
			(function == PMUMAP_SBI_START || function == PMUMAP_SBI_STOP);
	if (f->lies && random_below(f->lies) == 0)
		r = lie(f, function, a);
	else if (!(f->refuses >> function & 1))
		r = honest(f, function, a);
	if (function == PMUMAP_SBI_START)
		f->started = r.error == 0;
	return r;
}

static uint64_t read_csr(void *arg, uint32_t csr)
{
	return ((struct firmware *)arg)->counter[csr & 7].value;
}

static void begin(struct firmware *f, struct pmumap_sbi *s)
{
	uint32_t n;

	memset(f, 0, sizeof(*f));
	memset(s, 0xa5, sizeof(*s));
	for (n = 0; n < 8; n++)
		f->counter[n].value = LEFT + n;
	s->call = call;
	s->read = read_csr;
	s->arg = f;
	s->xlen = 64;
	s->features = 0;
	s->shared = NULL;
	CHECK_EQ(pmumap_sbi_probe(s), COUNTERS);
}

static void pass(struct firmware *f, uint64_t amount)
{
	uint32_t n;

	for (n = 0; n < 8; n++)
		f->counter[n].value += f->counter[n].running * amount;
}

static const struct pmumap *learn(struct pmumap_sbi *s)
{
	static uint64_t block[PMUMAP_BLOCK(0, 52, 0) / 8];
	const struct pmumap *map = NULL;
	struct pmumap_builder b;

	pmumap_begin(&b, block, sizeof(block));
	CHECK_EQ(pmumap_add_sbi(&b, s), PMUMAP_OK);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	return map;
}

/* ---- as OpenSBI answers ---------------------------------------------------------------------- */

/* Without Sscofpmf cycles get counter 0, whatever was asked. */
static void two_users(void)
{
	struct pmumap_job job = { 0, 0, 1, PMUMAP_INHIBIT_U, 1 };
	const struct pmumap *map;
	struct pmumap_sbi s;
	struct firmware f;
	uint64_t flags;

	test_now = "two users of cycles, and one counter for them";
	begin(&f, &s);
	f.always_fixed = 1;
	map = learn(&s);
	CHECK_EQ(pmumap_counters(map, 1), 1);
	CHECK_EQ(pmumap_counters(map, 2), 4);
	CHECK_EQ(pmumap_counters(map, 3), 0xf8);
	CHECK_EQ(s.counters, COUNTERS);
	CHECK(!f.counter[0].event && !f.counter[2].event && !f.counter[3].event);
	CHECK(pmumap_sbi_set(&s, 0, &job));
	pmumap_sbi_start(&s, 0, NULL);
	pass(&f, 5);
	f.used = 1;
	flags = f.counter[0].flags;
	job.inhibit = 0;
	f.now = 3;
	CHECK(!pmumap_sbi_set(&s, 3, &job));
	CHECK_EQ(f.counter[0].flags, flags); /* the first user's modes */
	CHECK_EQ(pmumap_plan(map, 1, 0, s.counters & ~1u, 0, PMUMAP_RULE_ALWAYS, &job),
		 PMUMAP_BUSY);
	map = learn(&s);
	CHECK(f.counter[0].running && pmumap_counters(map, 1) == 0);
	CHECK_EQ(f.disturbed, 0);
	CHECK_EQ(pmumap_sbi_read(&s, 0), 5);

	test_now = "a counter that the firmware chose itself is released";
	begin(&f, &s);
	f.always_fixed = 1;
	CHECK(!pmumap_sbi_set(&s, 3, &job));
	CHECK(!f.counter[0].event);
}

/* With Sscofpmf, but not Smcntrpmf, cycles and instructions never get counters 0 and 2. */
static void refused_fixed(void)
{
	const struct pmumap *map;
	struct pmumap_job job;
	struct pmumap_sbi s;
	struct firmware f;
	int event;

	test_now = "plans with what the firmware grants";
	begin(&f, &s);
	f.never_fixed = 1;
	map = learn(&s);
	CHECK_EQ(s.counters, COUNTERS & ~7u);
	for (event = 1; event <= 2; event++)
		CHECK_EQ(pmumap_plan(map, (uint32_t)event, 0, s.counters, 0, PMUMAP_RULE_ALWAYS,
				     &job),
			 3);
}

/* Starts at 0 where a job or a start asks for it, whatever the firmware does with CLEAR_VALUE. */
static void cleared(uint32_t clears)
{
	struct pmumap_job job = { 0, 0, 0x10019, 0, 1 };
	const uint64_t value = 100;
	struct pmumap_sbi s;
	struct firmware f;

	test_now = "a count from 0";
	begin(&f, &s);
	f.clears = clears;
	CHECK(pmumap_sbi_set(&s, 4, &job));
	CHECK(f.counter[4].value == 0 && !f.counter[4].running);
	f.counter[4].value = 7; /* counted between START and STOP */
	CHECK_EQ(pmumap_sbi_read(&s, 4), 0);
	pmumap_sbi_start(&s, 4, NULL);
	pass(&f, 9);
	CHECK_EQ(pmumap_sbi_read(&s, 4), 9);
	pmumap_sbi_stop(&s, 4, 0);
	pmumap_sbi_start(&s, 4, NULL);
	pass(&f, 1);
	CHECK_EQ(pmumap_sbi_read(&s, 4), 10);
	pmumap_sbi_start(&s, 4, &value); /* it runs, and the firmware writes no value */
	pass(&f, 1);
	CHECK_EQ(pmumap_sbi_read(&s, 4), 101);

	test_now = "a start that the firmware refuses";
	f.refuses = 1 << PMUMAP_SBI_START;
	pmumap_sbi_stop(&s, 4, 0);
	pmumap_sbi_start(&s, 4, &value);
	CHECK_EQ(pmumap_sbi_read(&s, 4), 0);
	CHECK(!pmumap_sbi_set(&s, 4, &job) && !f.counter[4].event);
}

/* Two virtual CPUs. The second one, or anybody, reads the hart's counter after the first has left. */
static void no_leak(uint32_t clears, int sets, uint32_t refuses)
{
	struct pmumap_job job = { 0, 0, 0x10019, 0, 1 };
	const uint64_t value = LEFT;
	static struct pmumap_vpmu v[2];
	struct pmumap_pmu_sets hart;
	struct pmumap_pmu p;
	struct pmumap_sbi s;
	struct firmware f;
	uint32_t i, hidden = 0;

	test_now = "a virtual CPU's value is wiped, or its counter is withdrawn";
	begin(&f, &s);
	f.clears = clears;
	pmumap_sbi_sets(&s, &hart);
	if (!sets)
		pmumap_sbi_as_pmu(&s, &hart.one);
	for (i = 0; i < 2; i++) {
		pmumap_vpmu_init(&v[i]);
		hidden |= sets ? pmumap_vpmu_restore_sets(&v[i], &hart)
			       : pmumap_vpmu_restore(&v[i], &hart.one);
		if (i)
			break;
		pmumap_vpmu_as_pmu(&v[i], &p);
		CHECK(p.set(p.arg, 5, &job));
		p.start(p.arg, 5, &value);
		f.refuses = refuses;
		hidden |= pmumap_vpmu_save(&v[i]);
	}
	CHECK(f.counter[5].value < LEFT || (hidden & 1u << 5));
	CHECK(refuses || (!hidden && f.counter[5].value == 0));
}

/* A counter that cannot be stopped was refused to its guest, but counts on. */
static void counts_on(void)
{
	struct pmumap_job job = { 0, 0, 0x10019, 0, 1 };
	struct pmumap_pmu_sets hart;
	struct pmumap_sbi s;
	struct firmware f;

	test_now = "a refused counter that counts on is withdrawn until it is wiped";
	begin(&f, &s);
	pmumap_sbi_sets(&s, &hart);
	f.refuses = 1 << PMUMAP_SBI_STOP;
	CHECK(!pmumap_sbi_set(&s, 5, &job) && f.counter[5].running);
	pass(&f, LEFT);
	CHECK_EQ(hart.load(hart.one.arg, 0, &job, NULL), 1 << 5);
	f.refuses = 0;
	CHECK_EQ(hart.load(hart.one.arg, 0, &job, NULL), 0);
	CHECK(f.counter[5].value == 0 && !f.counter[5].running);
}

/* ---- lies ------------------------------------------------------------------------------------ */

/*
 * Random jobs on counters that the test follows by plain sums. Firmware may fail with or without
 * doing what it was asked to, and may name any counter. It may not say that it did what it has not
 * done: nobody could notice.
 */
struct follower {
	struct firmware f;
	struct pmumap_sbi s;
	uint64_t want[8];
	uint32_t has, shown; /* bit N: a job; it shows its count, or else 0 */
};

static void random_set(struct follower *t, uint32_t n)
{
	struct pmumap_job job = { random64(), 0, 1 + random_below(10), random_below(32), 1 };
	const struct counter *c = &t->f.counter[n];
	uint32_t bit = 1u << n;

	if (n < 3 && random_below(2))
		job.event = n / 2 + 1;
	t->has &= ~bit;
	t->f.used &= ~bit;
	if (!pmumap_sbi_set(&t->s, n, &job))
		return;
	t->has |= bit;
	t->f.used |= bit;
	t->shown &= ~bit;
	t->want[n] = 0;
	CHECK(c->event == job.event && c->data == job.data && c->flags == job.inhibit << 3);
	CHECK(c->value == 0 && !c->running);
}

static void random_start(struct follower *t, uint32_t n)
{
	uint64_t value = random64() >> random_below(64);
	uint32_t bit = 1u << n, writes = random_below(2);

	pmumap_sbi_start(&t->s, n, writes ? &value : NULL);
	if (!writes && (t->shown & bit))
		return;
	t->want[n] = writes ? value : 0;
	t->shown &= ~bit;
	t->shown |= t->f.started ? bit : 0;
}

static void random_step(struct follower *t)
{
	uint64_t amount = random_below(1000);
	uint32_t n = random_below(8);

	t->f.now = n;
	t->f.lies = random_below(5);
	switch (n == 1 ? 3 : random_below(4)) {
	case 0:
		random_set(t, n);
		break;
	case 1:
		if (t->has >> n & 1)
			random_start(t, n);
		break;
	case 2:
		if (random_below(2)) {
			pmumap_sbi_stop(&t->s, n, 0);
			break;
		}
		pmumap_sbi_stop(&t->s, n, 1);
		t->has &= ~(1u << n);
		t->f.used &= ~(1u << n);
		break;
	default:
		break;
	}
	pass(&t->f, amount);
	for (n = 0; n < 8; n++) {
		t->want[n] += t->f.counter[n].running * amount;
		if (t->has >> n & 1)
			CHECK_EQ(pmumap_sbi_read(&t->s, n), t->shown >> n & 1 ? t->want[n] : 0);
	}
}

static void lies(void)
{
	static struct follower t;
	uint32_t calls, limit = quick(1000000, 20000), i, jobs = 0;

	test_now = "a firmware that lies";
	for (calls = 0; calls < limit && test_failed < 20; calls += t.f.calls) {
		begin(&t.f, &t.s);
		t.f.always_fixed = random_below(3) == 0;
		t.f.clears = random_below(2);
		t.has = 0;
		t.shown = COUNTERS;
		for (i = 0; i < 100; i++) {
			random_step(&t);
			jobs += t.has != 0;
		}
		CHECK_EQ(t.f.disturbed, 0);
	}
	CHECK(jobs > calls / 10);
}

int main(void)
{
	static const uint32_t refuses[] = { 0, 1 << PMUMAP_SBI_CONFIG_MATCHING,
					    1 << PMUMAP_SBI_START, 1 << PMUMAP_SBI_STOP };
	uint32_t i;

	two_users();
	refused_fixed();
	cleared(0);
	cleared(1);
	for (i = 0; i < 16; i++)
		no_leak(i & 1, i >> 1 & 1, refuses[i >> 2]);
	counts_on();
	lies();
	return test_summary();
}
