/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Virtual CPUs that take turns on a simulated hart: at a million random moments one leaves and the
 * other comes. Each counter is compared with plain sums. Again with counters driven by firmware,
 * and with firmware calls that fail.
 */
#include "turns.h"

static struct turns t;
static struct pmumap_vpmu *const v = &t.cpu[0].vpmu;
static const struct pmumap_pmu *const p = &t.cpu[0].pmu;

/* A random call of the guest. */
static void random_step(void)
{
	static const uint8_t numbers[] = { 0, 2, 3, 4, 5, 6 };
	uint64_t value =
		random_below(2) ? random64() >> random_below(64) : ones(40) - random_below(9000);

	guest_step(&t, numbers[random_below(6)], (uint32_t)random64(), value);
}

/* sets: 1: by sets of counters; 2: and with a page shared with the firmware; 3: a hart's. */
static void take_turns(uint32_t xlen, uint32_t features, uint64_t step, uint32_t times, int sets)
{
	uint32_t i;

	test_now = "two virtual CPUs take turns";
	if (sets == 3)
		turns_begin(&t, BY_SETS, xlen, features, step);
	else if (sets)
		sets_begin(&t, xlen, features, step, 0x7d, sets == 2);
	else
		turns_begin(&t, BY_ONE, xlen, features, step);
	for (i = 0; i < times; i++) {
		uint32_t steps = random_below(4);

		while (steps--) {
			random_step();
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
	CHECK(!sets || t.m.absent + t.m.reserved == 0);
	/* Also queries while it is on no hart. */
	pmumap_vpmu_save(&t.cpu[t.now].vpmu);
	t.now = 1 - t.now;
	for (i = 0; i < 32; i++) {
		const struct cpu *c = &t.cpu[t.now];

		CHECK_EQ(c->pmu.read(c->pmu.arg, i), c->sum[i].value);
		CHECK_EQ(c->pmu.overflowed(c->pmu.arg, i) != 0, c->sum[i].overflowed);
	}
}

/* Calls while the virtual CPU is on no hart, and calls for missing counters. */
static void off_the_hart(void)
{
	struct pmumap_job job = { 0, 0x705, 3, 0, 0 };
	uint64_t value = 1000;

	test_now = "on no hart";
	turns_begin(&t, BY_ONE, 64, SOF | STOPS, 0);
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
	pmumap_vpmu_save(v);
	CHECK_EQ(p->read(p->arg, 3), 50);
	CHECK(!p->set(p->arg, 5, &job));
	p->start(p->arg, 4, &value);
	p->stop(p->arg, 3, 0);
	run(&t.m, 10);
	CHECK_EQ(p->read(p->arg, 3), 50);
	CHECK_EQ(p->read(p->arg, 4), 1000);
	CHECK_EQ(pmumap_vpmu_restore(v, &t.below), 0);
	run(&t.m, 10);
	CHECK_EQ(p->read(p->arg, 3), 50);
	CHECK_EQ(p->read(p->arg, 4), 1050);
	pmumap_vpmu_save(v);
	p->stop(p->arg, 3, 1);
	p->stop(p->arg, 4, 1);
	CHECK_EQ(pmumap_vpmu_restore(v, &t.below), 0);
	run(&t.m, 10);
	CHECK(t.m.event[3] == 0 && t.m.event[4] == 0);
	CHECK_EQ(t.m.absent + t.m.reserved, 0);
}

/* Garbage in its memory is ignored; and it may leave without having been on the hart. */
static void init_is_enough(void)
{
	struct pmumap_job job = { 0, 0x705, 3, 0, 0 };
	uint32_t garbage, n;

	test_now = "init";
	for (garbage = 0; garbage < 6; garbage++) { /* off the hart before, or put there at once */
		turns_begin(&t, BY_ONE, 64, SOF | STOPS, 0);
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
		/* A counter does not show what another virtual CPU left in it. */
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
		CHECK(clean_but(&t, 0));
	}
}

/* Counter 31 exists, 32 does not, and is not an alias of counter 0. */
static void last_counter(void)
{
	struct pmumap_job job = { 7, 0x705, PMUMAP_EVENT_RAW, 0, 1 };
	uint64_t value = 1000;
	struct pmumap_vpmu before;

	test_now = "the last counter";
	turns_begin(&t, BY_ONE, 64, SOF | STOPS, 0);
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

/* A hart that may refuse jobs without an event, as a wipe is one. */
static int refuses;

static int refusing_set(void *arg, uint32_t counter, const struct pmumap_job *job)
{
	return !(refuses && !job->selector) && pmumap_hart_set(arg, counter, job);
}

/*
 * If a counter cannot be wiped as required, the call reports it; it is stopped, saved, and can
 * return.
 */
static void refused_wipe(void)
{
	struct pmumap_job job = { 0, 0x705, 3, 0, 0 };
	uint64_t value = 77;

	test_now = "a wipe that is refused";
	turns_begin(&t, BY_ONE, 64, STOPS | SOF, 0);
	t.below.set = refusing_set;
	refuses = 0;
	CHECK(p->set(p->arg, 3, &job) && p->set(p->arg, 4, &job));
	p->start(p->arg, 3, &value);
	p->stop(p->arg, 3, 0);
	p->start(p->arg, 4, &value);
	run(&t.m, 10);
	refuses = 1;
	CHECK_EQ(pmumap_vpmu_save(v), 0x18);
	CHECK(clean_but(&t, 0) && !v->hart && !v->loaded && !v->touched);
	CHECK(p->read(p->arg, 3) == 77 && p->read(p->arg, 4) == 127);
	CHECK_EQ(pmumap_vpmu_save(v), 0);
	refuses = 0;
	CHECK_EQ(pmumap_vpmu_restore(v, &t.below), 0);
	run(&t.m, 10);
	CHECK(p->read(p->arg, 3) == 77 && p->read(p->arg, 4) == 177);
	CHECK_EQ(pmumap_vpmu_save(v), 0);
	CHECK(clean_but(&t, 0));
}

/* A hart that refuses sometimes: bit N of refusing is the Nth call of set from now. */
static uint32_t refusing, refused;

static int moody_set(void *arg, uint32_t counter, const struct pmumap_job *job)
{
	uint32_t now = refusing & 1;

	refusing >>= 1;
	refused += now;
	return !now && pmumap_hart_set(arg, counter, job);
}

/* A counter's history before set; the first restore is refused if it is on no hart. */
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

/*
 * set either does everything, or changes nothing and leaves no value on the hart. If the hart then
 * refuses the old job, too, the counter is no longer loaded and keeps its count.
 */
static void refused_now_and_then(uint32_t past, uint32_t pattern, uint32_t clear)
{
	struct pmumap_job job = { 0, 0x702, 3, 0, 0 }, next = { 0, 0x705, 3, 0, clear };
	uint64_t value = 77, want = clear ? 0 : pasts[past].value, left;
	int done;

	test_now = pasts[past].name;
	turns_begin(&t, BY_ONE, 64, STOPS | SOF, 0);
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
	CHECK_EQ(v->loaded >> 3 & 1, done || (pasts[past].loaded && refused == 1));
	CHECK_EQ(v->running >> 3 & 1, !done && pasts[past].running);
	CHECK_EQ(p->read(p->arg, 3), done ? want : pasts[past].value);
	if (!done && !pasts[past].loaded)
		CHECK(t.m.value[3] == 0 && t.m.event[3] == 0 && t.hart.selector[3] == 0);
	else if (v->loaded >> 3 & 1)
		CHECK(t.m.value[3] == p->read(p->arg, 3));
	left = t.m.value[3];
	p->start(p->arg, 3, NULL);
	run(&t.m, 10);
	if (v->loaded >> 3 & 1)
		CHECK_EQ(t.m.value[3], (done ? want + 50 : pasts[past].value + 20));
	else
		CHECK(t.m.value[3] == left && t.m.event[3] == 0 && t.hart.selector[3] == 0);
	CHECK((v->loaded >> 3 & 1) || p->read(p->arg, 3) == pasts[past].value);
	refusing = 0;
	CHECK(p->set(p->arg, 3, &next));
	pmumap_vpmu_save(v);
	CHECK(clean_but(&t, 0));
}

/* Refuses at random. Half of the time it has then released the counter and lost its value (SBI). */
static int fickle_set(void *arg, uint32_t counter, const struct pmumap_job *job)
{
	if (random_below(4))
		return pmumap_hart_set(arg, counter, job);
	refused++;
	if (random_below(2) && there(((struct pmumap_hart *)arg)->arg, counter)) {
		pmumap_hart_stop(arg, counter, 1);
		((struct machine *)((struct pmumap_hart *)arg)->arg)->value[counter] = 0;
	}
	return 0;
}

/*
 * Two virtual CPUs on such a hart keep all that they have counted, and count on while they are
 * loaded. Whatever a save could not wipe is named.
 */
static void refused_at_random(uint32_t xlen, uint32_t features)
{
	uint32_t i, hidden, kept = 0, lost = 0;

	test_now = "jobs that are refused at random";
	turns_begin(&t, BY_ONE, xlen, features, 0);
	t.below.set = fickle_set;
	refused = 0;
	for (i = 0; i < quick(400000, 8000); i++) {
		struct pmumap_vpmu *on = &t.cpu[t.now].vpmu;
		uint32_t loaded = on->loaded, n = refused;

		if (random_below(2))
			(void)guest_sets(&t, 3 + random_below(4), (uint32_t)random64());
		else
			guest_step(&t, 3 + random_below(4),
				   random_below(2) * 4 + 1 + random_below(2), random64() >> 24);
		kept += refused != n && loaded && on->loaded == loaded;
		lost += (loaded & on->configured & ~on->loaded) != 0;
		guest_runs(&t, random_below(100), modes[random_below(2)]);
		if (!CHECK(has_sums(&t)))
			break;
		if (random_below(4))
			continue;
		hidden = pmumap_vpmu_save(on);
		if (!CHECK(has_sums(&t) && clean_but(&t, hidden)))
			break;
		t.now = 1 - t.now;
		on = &t.cpu[t.now].vpmu;
		hidden = pmumap_vpmu_restore(on, &t.below);
		CHECK_EQ(hidden, on->configured & ~on->loaded);
		if (!CHECK(has_sums(&t)))
			break;
	}
	CHECK(kept > 100 && lost > 100);
}

/* Which of the hart's counters are stopped; and which were still running when one was wiped. */
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

/* Wiping a counter takes time, in which no other may count. */
static void all_stop_first(void)
{
	struct pmumap_job job = { 0, 0x705, 3, 0, 0 };
	uint32_t n;

	test_now = "all stop first";
	turns_begin(&t, BY_ONE, 64, STOPS | SOF, 0);
	for (n = 3; n <= 5; n++) {
		CHECK(p->set(p->arg, n, &job));
		p->start(p->arg, n, NULL);
	}
	t.below.set = noting_set;
	t.below.stop = noted_stop;
	stopped = late = 0;
	pmumap_vpmu_save(v);
	CHECK(stopped == 0x38 && late == 0);
}

/* A stopped counter is restored exactly, although the write takes time. */
static void stands_still(uint32_t xlen, uint32_t features, uint32_t counter)
{
	struct pmumap_job job = { 0, counter < 3 ? 0 : 0x703, counter == 2 ? 2 : 3, 0, 0 };
	uint64_t value = 1000;

	test_now = "a counter that stands";
	turns_begin(&t, BY_ONE, xlen, features, 1);
	CHECK(p->set(p->arg, counter, &job));
	p->start(p->arg, counter, &value);
	p->stop(p->arg, counter, 0);
	value = p->read(p->arg, counter);
	CHECK(value > 1000 && value == t.m.value[counter]);
	pmumap_vpmu_save(v);
	CHECK(clean_but(&t, 0));
	CHECK_EQ(pmumap_vpmu_restore(v, &t.below), 0);
	CHECK_EQ(t.m.value[counter], value);
	p->stop(p->arg, counter, 1);
	CHECK(p->set(p->arg, counter, &job));
	CHECK_EQ(t.m.value[counter], value);
}

/* Starts k counters from 3 on, each with its own event and value. */
static void start_counters(uint32_t k, uint32_t first, uint32_t rate)
{
	struct cpu *c = &t.cpu[t.now];
	uint32_t n;

	for (n = first; n < first + k; n++) {
		struct pmumap_job job = { 0, 0, PMUMAP_EVENT_RAW, PMUMAP_INHIBIT_M, 0 };
		uint64_t value = ((uint64_t)(rate + n) << 32) + n;

		c->sum[n].rate = rate + n;
		c->sum[n].configured = c->sum[n].running = 1;
		c->sum[n].value = value;
		job.data = job.selector = 0x700 | (rate + n);
		CHECK(c->pmu.set(c->pmu.arg, n, &job));
		c->pmu.start(c->pmu.arg, n, &value);
	}
}

/* Number of firmware calls in the last steps. */
static uint32_t calls_of(void)
{
	uint32_t calls = t.calls;

	t.calls = 0;
	return calls;
}

static const uint32_t counted[] = { 1, 2, 4, 8, 29 };

/* The same one by one, and back to sets: nine calls for each. */
static void count_single_calls(uint32_t k)
{

	(void)pmumap_vpmu_save(v);
	(void)calls_of();
	CHECK_EQ(pmumap_vpmu_restore(v, &t.sets.one), 0);
	CHECK(same(&t));
	CHECK_EQ(pmumap_vpmu_save(v), 0);
	CHECK_EQ(calls_of(), 9 * k);
	CHECK(clean_but(&t, 0));
	CHECK_EQ(pmumap_vpmu_restore_sets(v, &t.sets), 0);
	(void)calls_of();
}

/* A stopped counter needs more calls. */
static void count_standing_calls(void)
{
	struct cpu *c = &t.cpu[t.now];

	c->pmu.stop(c->pmu.arg, 3, 0);
	c->sum[3].running = 0;
	(void)pmumap_vpmu_save(&c->vpmu);
	(void)calls_of();
	CHECK_EQ(come(&t, c), 0);
	CHECK_EQ(calls_of(), 5);
	CHECK(same(&t));
}

/* Leaving and entering cost one call for all counters, and one or two for each. */
static void count_calls(uint32_t xlen, int shares, uint32_t k)
{
	const struct pmumap_job unknown = { 0x9999, 0x9999, PMUMAP_EVENT_RAW, 0, 1 };
	uint32_t turn = shares ? k + 2 : 2 * k + 1, i;

	test_now = "calls of the firmware";
	sets_begin(&t, xlen, STOPS | SOF | SMC, 1, 0xfffffffdu, shares);
	/* A counter refused while nobody owned it keeps no secret. */
	CHECK(!p->set(p->arg, 3, &unknown));
	start_counters(k, 3, 1);
	CHECK(!p->set(p->arg, 3 + k, &unknown));
	guest_runs(&t, 1000, PMUMAP_INHIBIT_S);
	count_single_calls(k);
	CHECK_EQ(pmumap_vpmu_save(v), 0);
	CHECK_EQ(calls_of(), 1);
	CHECK_EQ(come(&t, &t.cpu[0]), 0);
	CHECK_EQ(calls_of() + 1, turn);
	CHECK(same(&t));
	/*
	 * A virtual CPU without counters wipes them; then it has the same ones with other events.
	 */
	switch_cpu(&t);
	CHECK_EQ(calls_of(), 1 + k + 2);
	CHECK_EQ(t.flags, 31 << PMUMAP_SBI_INHIBIT_SHIFT);
	start_counters(k, 3, 101);
	for (i = 0; i < 4; i++) {
		guest_runs(&t, 1000, PMUMAP_INHIBIT_U);
		CHECK(same(&t));
		(void)calls_of();
		switch_cpu(&t);
		CHECK_EQ(calls_of(), turn);
		CHECK(same(&t));
	}
	if (k == 1)
		count_standing_calls();
	CHECK_EQ(t.m.absent + t.m.reserved, 0);
}

/* The firmware's numbers differ from the hart's and are farther apart than a mask reaches. */
static struct pmumap_sbi_ret scattered(void *arg, uint32_t function, const uint64_t *a)
{
	struct pmumap_sbi_ret ret = { 0, 0 };
	uint64_t own[6];
	uint32_t i;

	(void)arg;
	memcpy(own, a, sizeof(own));
	if (function == PMUMAP_SBI_NUM_COUNTERS) {
		ret.value = 84;
		return ret;
	}
	/* 3 is 83, 4 is 20, 5 is 51, 6 is 52: 20 and 51 share a call, and so do 52 and 83. */
	for (i = 0; i < 32; i++) {
		static const uint8_t number[] = { 83, 20, 51, 52 };
		uint32_t n;

		for (n = 0; n < 4 && number[n] != a[0] + i; n++)
			;
		if (function == PMUMAP_SBI_GET_INFO) {
			ret.error = n < 4 ? 0 : PMUMAP_SBI_INVALID_PARAM;
			ret.value = 0xc03 + n + (39u << 12);
			return ret;
		}
		if (!(a[1] >> i & 1))
			continue;
		CHECK(n < 4);
		own[0] = 3 + n;
		own[1] = 1;
		ret = pmumap_server_call(&t.monitor, function, own);
		if (function == PMUMAP_SBI_CONFIG_MATCHING)
			ret.value = a[0] + i;
	}
	t.calls++;
	return ret;
}

static void scattered_numbers(uint32_t xlen)
{

	test_now = "numbers far apart";
	sets_begin(&t, xlen, STOPS | SOF, 1, 0x7d, 0);
	t.sbi.call = scattered;
	CHECK_EQ(pmumap_sbi_probe(&t.sbi), 0x78);
	start_counters(4, 3, 1);
	(void)calls_of();
	guest_runs(&t, 1000, PMUMAP_INHIBIT_S);
	CHECK_EQ(pmumap_vpmu_save(v), 0);
	CHECK_EQ(calls_of(), 2);
	CHECK(clean_but(&t, 0x78));
	CHECK_EQ(come(&t, &t.cpu[0]), 0);
	CHECK_EQ(calls_of(), 8);
	CHECK(same(&t));
}

/*
 * A counter keeps counting while it is saved, and wraps: its value and its overflow flag are from
 * the same moment, whenever it wraps.
 */
static void wraps_while_saved(uint32_t xlen)
{
	uint32_t before, n, wrapped = 0;

	test_now = "a wrap while it is saved";
	for (before = 0; before < 120; before++) {
		sets_begin(&t, xlen, STOPS | CAN_I, 0, 0x8000007du, 0);
		start_counters(4, 3, 1);
		t.m.event[31] |= 1ull << 63; /* of somebody else */
		for (n = 3; n < 7; n++)
			t.m.value[n] = ones(40) - before * (1 + n);
		t.m.step = 1;
		CHECK_EQ(pmumap_vpmu_save(v), 0);
		for (n = 3; n < 7; n++) {
			int small = p->read(p->arg, n) < ones(20);

			CHECK_EQ(p->overflowed(p->arg, n) != 0, small);
			wrapped += (uint32_t)small;
		}
		CHECK(!(t.cpu[0].vpmu.overflowed >> 31));
	}
	CHECK(wrapped > 4 && wrapped < 4 * 120 - 4);
}

/* Counters that a hart lacks are not accessed; they wait for a hart that has them. */
static void less_counters(uint32_t xlen, uint32_t by)
{
	test_now = "fewer counters";
	if (by != BY_FIRMWARE)
		turns_begin(&t, by, xlen, STOPS | SOF | SMC, 1);
	else
		sets_begin(&t, xlen, STOPS | SOF | SMC, 1, 0x7d, 0);
	start_counters(4, 3, 1);
	p->stop(p->arg, 6, 0);
	t.cpu[0].sum[6].running = 0;
	guest_runs(&t, 1000, PMUMAP_INHIBIT_S);
	CHECK_EQ(pmumap_vpmu_save(v), 0);
	t.sbi.counters = t.hart.counters = t.m.counters = by == BY_FIRMWARE ? 0x18 : 0x1d;
	t.sbi.secret = 0;
	(void)calls_of();
	CHECK_EQ(come(&t, &t.cpu[0]), 0x60);
	CHECK_EQ(calls_of(), by == BY_FIRMWARE ? 4 : 0);
	guest_runs(&t, 1000, PMUMAP_INHIBIT_S);
	CHECK(has_sums(&t));
	CHECK_EQ(pmumap_vpmu_save(v), 0);
	t.sbi.counters = t.hart.counters = t.m.counters = 0x7d;
	CHECK_EQ(come(&t, &t.cpu[0]), 0);
	CHECK(same(&t));
	guest_runs(&t, 1000, PMUMAP_INHIBIT_S);
	CHECK(same(&t));
	CHECK(v->sets == (by ? &t.sets : NULL));
	CHECK_EQ(pmumap_vpmu_restore(v, by ? &t.sets.one : &t.below), 0);
	CHECK(v->sets == NULL);
	CHECK_EQ(t.m.absent + t.m.reserved, 0);
}

/*
 * A turn of two guests that share some counters, with calls that fail from one on. Returns 0 if
 * there are not so many calls. If the firmware lies, its work is lost, but the final state must be
 * right.
 */
static int failing_turn(uint32_t xlen, int shares, enum way way, uint32_t first, uint32_t failures)
{
	uint32_t hidden, reached;

	sets_begin(&t, xlen, STOPS | SOF | SMC, 1, 0xfffffffdu, shares);
	start_counters(4, 3, 1);
	guest_runs(&t, 1000, PMUMAP_INHIBIT_S);
	switch_cpu(&t);
	start_counters(4, 5, 101);
	guest_runs(&t, 1000, PMUMAP_INHIBIT_S);
	switch_cpu(&t);
	guest_runs(&t, 1000, PMUMAP_INHIBIT_S);
	t.calls = 0;
	t.first_failure = first;
	t.failures = failures;
	t.way = way;
	hidden = pmumap_vpmu_save(v);
	CHECK((hidden & ~0x78u) == 0 && (way != LIES || hidden == 0));
	if (way == REFUSES && first == 1 && failures > 4)
		CHECK_EQ(hidden, 0x78);
	t.now = 1;
	hidden = come(&t, &t.cpu[1]);
	CHECK(way == LIES || hides(&t, hidden));
	if (failures == 1 && way != LIES) {
		/*
		 * With a shared page there is a second way for everything; refused counters are
		 * released.
		 */
		CHECK(!shares || !(hidden & t.cpu[1].vpmu.configured));
		CHECK_EQ((uint32_t)t.monitor.configured, t.cpu[1].vpmu.loaded);
	}
	guest_runs(&t, 1000, PMUMAP_INHIBIT_S);
	CHECK(way == LIES || has_sums(&t));
	(void)pmumap_vpmu_save(&t.cpu[1].vpmu);
	t.now = 0;
	hidden = come(&t, &t.cpu[0]);
	CHECK(way == LIES || hides(&t, hidden));
	guest_runs(&t, 1000, PMUMAP_INHIBIT_S);
	CHECK(way == LIES || has_sums(&t));
	reached = t.calls >= first;
	t.failures = 0;
	CHECK_EQ(pmumap_vpmu_save(v), 0);
	t.now = 1;
	CHECK_EQ(come(&t, &t.cpu[1]), 0);
	CHECK(hides(&t, 0));
	CHECK(way == LIES || same(&t));
	switch_cpu(&t);
	CHECK(way == LIES || same(&t));
	switch_cpu(&t);
	pmumap_vpmu_save(&t.cpu[1].vpmu);
	pmumap_vpmu_init(&t.cpu[1].vpmu);
	CHECK_EQ(come(&t, &t.cpu[1]), 0);
	CHECK(clean_but(&t, 0));
	CHECK_EQ(t.m.absent + t.m.reserved, 0);
	return (int)reached;
}

static void failing_firmware(uint32_t xlen, int shares)
{
	static const uint32_t failures[] = { 1, 2, 3, 6, 1000 };
	static const enum way ways[] = { REFUSES, DOES_IT_BUT_FAILS, NAMES_ANOTHER, LIES };
	uint32_t way, i, first;

	test_now = "a firmware whose calls fail";
	for (way = 0; way < 4; way++)
		for (i = 0; i < 5; i++)
			for (first = 1; failing_turn(xlen, shares, ways[way], first, failures[i]);
			     first++)
				CHECK(first < 200);
}

/*
 * While no guest is on the hart, it is stopped or suspended without its registers: counters are
 * lost or random, and the firmware has forgotten their owners and its page. A restore repairs
 * everything.
 */
static void hart_forgets(uint32_t xlen, int sets)
{
	uint32_t n;

	test_now = "a hart that forgets";
	if (sets)
		sets_begin(&t, xlen, STOPS | SOF | SMC, 1, 0x7d, sets == 2);
	else
		turns_begin(&t, BY_ONE, xlen, STOPS | SOF | SMC, 1);
	start_counters(3, 3, 1);
	guest_runs(&t, 1000, PMUMAP_INHIBIT_S);
	p->stop(p->arg, 4, 0);
	t.cpu[0].sum[4].running = 0;
	CHECK_EQ(pmumap_vpmu_save(v), 0);
	if (sets)
		pmumap_server_init(&t.monitor);
	memset(t.hart.selector, 0, sizeof(t.hart.selector));
	for (n = 3; n < 6; n++) {
		t.m.event[n] = 0;
		t.m.value[n] = 12345 * n;
	}
	t.m.inhibit = t.m.counters;
	CHECK_EQ(come(&t, &t.cpu[0]), 0);
	CHECK(same(&t));
	guest_runs(&t, 1000, PMUMAP_INHIBIT_S);
	CHECK(same(&t));
	switch_cpu(&t);
	CHECK(t.m.value[3] == 0 && t.m.value[4] == 0 && t.m.value[5] == 0);
}

/* A guest reboots while its virtual CPU is on no hart: nothing of it returns. */
static void reset_off_the_hart(void)
{
	static const uint64_t match[6] = { 3, 1, PMUMAP_SBI_AUTO_START, 3, 0, 0 };
	static uint64_t block[PMUMAP_BLOCK(1, 1, 0) / 8];
	static struct pmumap_server server;
	struct pmumap_builder b;

	test_now = "a reset on no hart";
	turns_begin(&t, BY_ONE, 64, STOPS | SOF, 0);
	pmumap_begin(&b, block, sizeof(block));
	CHECK_EQ(pmumap_add_selector(&b, 3, 0x703), PMUMAP_OK);
	CHECK_EQ(pmumap_add_counters(&b, 3, 3, 8), PMUMAP_OK);
	CHECK_EQ(pmumap_finish(&b, &server.map), PMUMAP_OK);
	server.pmu = &t.cpu[0].pmu;
	server.xlen = 64;
	server.granted = 8;
	pmumap_server_init(&server);
	CHECK_EQ(pmumap_server_call(&server, PMUMAP_SBI_CONFIG_MATCHING, match).error, 0);
	run(&t.m, 10);
	CHECK_EQ(pmumap_vpmu_save(v), 0);
	CHECK_EQ(pmumap_server_call(&server, PMUMAP_SBI_CONFIG_MATCHING, match).error,
		 PMUMAP_SBI_NOT_SUPPORTED);
	pmumap_server_reset(&server);
	CHECK_EQ(t.cpu[0].vpmu.configured, 0);
	CHECK_EQ(pmumap_vpmu_restore(v, &t.below), 0);
	CHECK(clean_but(&t, 0));
	CHECK_EQ(pmumap_server_call(&server, PMUMAP_SBI_CONFIG_MATCHING, match).error, 0);
}

/* Callbacks that return anything. odd: queries that nobody may make. */
static uint32_t odd;

static int lying_set(void *arg, uint32_t counter, const struct pmumap_job *job)
{
	(void)arg;
	odd += counter > 31 || !job;
	return random_below(3) != 0;
}

static void lying_start(void *arg, uint32_t counter, const uint64_t *value)
{
	(void)arg, (void)value;
	odd += counter > 31;
}

static void lying_stop(void *arg, uint32_t counter, int release)
{
	(void)arg, (void)release;
	odd += counter > 31;
}

static uint64_t lying_read(void *arg, uint32_t counter)
{
	(void)arg;
	odd += counter > 31;
	return random64();
}

static int lying_overflowed(void *arg, uint32_t counter)
{
	(void)arg;
	odd += counter > 31;
	return random_below(2) != 0;
}

static uint32_t lying_release(void *arg, uint32_t touched, uint32_t loaded, uint32_t running,
			      uint64_t *value, uint32_t *overflowed)
{
	(void)arg;
	odd += (loaded & ~touched) || (running & ~loaded);
	value[random_below(32)] = random64();
	*overflowed |= (uint32_t)random64();
	return (uint32_t)random64();
}

static uint32_t lying_load(void *arg, uint32_t counters, const struct pmumap_job *job,
			   const uint64_t *value)
{
	(void)arg, (void)counters;
	odd += !job || !value;
	return (uint32_t)random64();
}

/* The state stays consistent whatever they return, and a save ends with it on no hart. */
static void liars(void)
{
	static const struct pmumap_pmu_sets sets = { { lying_set, lying_start, lying_stop,
						       lying_read, lying_overflowed, NULL },
						     lying_release,
						     lying_load };
	static struct pmumap_vpmu lone;
	struct pmumap_pmu its;
	uint32_t i, n, bad = 0;

	test_now = "a hart that lies";
	pmumap_vpmu_init(&lone);
	pmumap_vpmu_as_pmu(&lone, &its);
	odd = 0;
	for (i = 0; i < quick(1000000, 20000); i++) {
		const struct pmumap_job job = { 0, random64(), random_below(8), 0,
						random_below(2) };
		uint64_t value = random64();

		n = random_below(40);
		switch (random_below(8)) {
		case 0:
			(void)pmumap_vpmu_save(&lone);
			bad += lone.hart || lone.sets || lone.loaded || lone.touched;
			bad += pmumap_vpmu_save(&lone) != 0;
			break;
		case 1:
			(void)pmumap_vpmu_save(&lone);
			if (random_below(2))
				n = pmumap_vpmu_restore_sets(&lone, &sets);
			else
				n = pmumap_vpmu_restore(&lone, &sets.one);
			bad += (lone.configured & ~n & ~lone.loaded) ||
			       (lone.running & lone.loaded & n);
			break;
		case 2:
			its.start(its.arg, n, random_below(2) ? &value : NULL);
			break;
		case 3:
			its.stop(its.arg, n, (int)random_below(2));
			break;
		case 4:
			(void)its.read(its.arg, n);
			bad += its.overflowed(its.arg, n) && n > 31;
			break;
		default:
			if (its.set(its.arg, n, &job))
				bad += n > 31 || !lone.hart || !(lone.loaded >> n & 1);
			break;
		}
		bad += (lone.running & ~lone.configured) || (lone.loaded & ~lone.configured) ||
		       (lone.loaded & ~lone.touched) || (!lone.hart && (lone.touched || lone.sets));
	}
	CHECK_EQ(bad, 0);
	CHECK_EQ(odd, 0);
}

int main(void)
{
	static const uint32_t features[] = { STOPS | SOF | SMC, STOPS | SOF,  STOPS, 0, SOF,
					     STOPS | CAN_F,     STOPS | CAN_I };
	const uint32_t kinds = sizeof(features) / sizeof(features[0]);
	uint32_t i, times = quick(1000000, 8000) / 16;

	for (i = 0; i < 14; i++)
		take_turns(i & 1 ? 32 : 64, features[i / 2 % kinds], 0, times, 0);
	/* If everything can be filtered, the time of a switch belongs to nobody. */
	take_turns(64, STOPS | SOF | SMC, 1, times, 0);
	take_turns(32, STOPS | SOF | SMC, 3, times, 0);
	for (i = 0; i < 16; i++)
		take_turns(i & 1 ? 32 : 64, features[i / 4], i < 4 ? 1 : 0, times,
			   1 + (i >> 1 & 1));
	for (i = 0; i < 2 * kinds; i++)
		take_turns(i & 1 ? 32 : 64, features[i / 2], 0, times, 3);
	take_turns(64, STOPS | SOF | SMC, 1, times, 3);
	take_turns(32, STOPS | SOF | SMC, 3, times, 3);
	for (i = 0; i < 2 * 2 * 5; i++)
		count_calls(i & 1 ? 32 : 64, i >> 1 & 1, counted[i / 4]);
	for (i = 0; i < 4; i++)
		failing_firmware(i & 1 ? 32 : 64, (int)i >> 1);
	for (i = 0; i < 6; i++)
		less_counters(i & 1 ? 32 : 64, i >> 1);
	wraps_while_saved(64);
	wraps_while_saved(32);
	scattered_numbers(64);
	scattered_numbers(32);
	for (i = 0; i < 2; i++) {
		stands_still(i ? 32 : 64, STOPS, 3);
		stands_still(i ? 32 : 64, STOPS | SOF | SMC, 3);
		stands_still(i ? 32 : 64, STOPS | SOF | SMC, 2);
	}
	init_is_enough();
	last_counter();
	off_the_hart();
	refused_wipe();
	for (i = 0; i < 6 * 8; i++) {
		refused_now_and_then(i / 8, i % 8, 0);
		refused_now_and_then(i / 8, i % 8, 1);
	}
	for (i = 0; i < 4; i++)
		refused_at_random(i & 1 ? 32 : 64, features[i / 2]);
	all_stop_first();
	for (i = 0; i < 6; i++)
		hart_forgets(i & 1 ? 32 : 64, (int)i >> 1);
	reset_off_the_hart();
	liars();
	return test_summary();
}
