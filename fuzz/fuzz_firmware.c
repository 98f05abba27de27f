/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Any bytes as a hart and two virtual CPUs that take turns on it, over CSRs or over firmware, both of
 * which refuse now and then. Probing finds what the hart has, rows from the firmware are what it can
 * count, each counter shows its own guest's work, and no value of the other one.
 */
#include "turns.h"
#include "fuzz_rows.h"
#include "steps.h"

#define MAX_STEPS 200u
#define CDE (1ull << 60) /* of menvcfg; of mstateen0 CSRIND */
#define SE (1ull << 63)

/* ---- probing --------------------------------------------------------------------------------- */

/* Fixed counters, and at least one that is programmable. */
static void take_hart(struct bytes *in, struct machine *m)
{
	static const uint32_t features[] = { 0, SOF, STOPS, STOPS | SOF };
	uint32_t shape = take(in, 1);

	machine_begin(m, shape & 1 ? 32 : 64, features[shape >> 1 & 3]);
	m->counters = (take_counters(in) & ~2u) | 13;
	m->features |= shape & 8 ? SMC : 0;
	m->width = 32 + shape % 33;
	m->narrow = shape & 16 ? 8 : 0;
	m->enable = m->counters | 2;
	m->inhibit = m->counters & ~(shape >> 4 & 5);
	m->event[0] = shape & 8 ? (uint64_t)(shape >> 4) << 58 : 0;
	m->has[0] = ~0ull;
	m->has[1] = shape & 32 ? CDE : 0;
	m->has[2] = shape & 64 ? CDE | SE : shape & 128 ? SE : 0;
}

static void check_probe(struct bytes *in)
{
	struct machine m;
	struct pmumap_hart h;
	uint32_t asked, owned, fixed;
	uint64_t modes_before;

	take_hart(in, &m);
	fixed = m.inhibit & 5;
	modes_before = m.event[0];
	hart_begin(&h, &m);
	h.features = take(in, 1) & 1 && m.features & STOPS ? m.features | PMUMAP_TOLD : 0;
	STEPS(TURN, STEPS_GUEST, (void)pmumap_hart_probe(&h));
	MUST(h.counters == m.counters);
	MUST((h.features & ~PMUMAP_TOLD) == m.features);
	MUST(h.width == m.width - (m.narrow != 0) && m.reserved == 0);
	MUST(m.enable == (m.counters | 2) && m.event[0] == modes_before);
	MUST(!(m.features & STOPS) || (m.inhibit & 5) == fixed);
	MUST(!(h.features & PMUMAP_TOLD) || m.absent == 0);
	if (!(m.features & STOPS))
		return;
	asked = take_counters(in);
	owned = m.has[1] && m.has[2] != SE ? asked & m.counters : 0;
	MUST(pmumap_hart_delegate(&h, asked) == owned && m.enable == (owned | 2));
	MUST(m.control[0] ==
	     (owned || (m.has[1] && m.has[2] != SE) ? (uint64_t)(m.features & CAN_I) << 13 : 0));
}

/* ---- the firmware's events ------------------------------------------------------------------- */

/* The counters of the firmware that can count an event, by the rows below it. */
static uint32_t counted(const struct turns *t, const struct model *rows, uint32_t event)
{
	uint32_t counters = model_counters(rows, event) & ~7u;
	uint64_t selector;

	/* Without mhpmeventh, a wide selector does not fit. */
	if (t->m.xlen == 32 && !(t->m.features & SOF) && model_selector(rows, event, &selector) &&
	    selector >> 32)
		counters = 0;
	if (event <= 2 && (filters(&t->m, 0) || !filters(&t->m, 3)))
		counters |= event == 1 ? 1 : 4;
	return counters & t->m.counters;
}

/* It denies every other event, with noise in the bits above the answer. */
static struct pmumap_sbi_ret noisy(void *arg, uint32_t function, const uint64_t *a)
{
	struct turns *t = arg;
	struct pmumap_sbi_ret ret = firmware(arg, function, a);
	unsigned char *entry = (unsigned char *)t->page;

	if (function == PMUMAP_SBI_EVENT_GET_INFO && entry[0] & 1)
		entry[4] = 0xfe;
	return ret;
}

static void check_rows(struct bytes *in, struct turns *t, const struct model *rows)
{
	static uint64_t block[PMUMAP_BLOCK(0, 52, 0) / 8];
	const struct pmumap *map;
	struct pmumap_builder b;
	uint32_t i, told = take(in, 1), counters = t->sbi.counters;
	enum pmumap_status status;

	t->sbi.call = told & 2 ? noisy : firmware;
	t->sbi.shared = told & 1 ? t->page : NULL;
	t->sbi.shared_address = told & 1 ? PAGE : 0;
	t->first_failure = t->calls + 1 + take(in, 1);
	t->failures = told & 4 ? take(in, 1) : 0;
	pmumap_begin(&b, block, sizeof(block));
	STEPS(TURN, STEPS_GUEST, status = pmumap_add_sbi(&b, &t->sbi));
	MUST(status == (counters ? PMUMAP_OK : PMUMAP_E_NOTFOUND));
	MUST(pmumap_finish(&b, &map) == PMUMAP_OK);
	for (i = 0; i < 128; i++) {
		uint32_t event = i / 64 << 16 | i % 64, got = pmumap_counters(map, event);
		uint32_t want = model_valid(event) ? counted(t, rows, event) : 0;

		if ((told & 3) == 3 && !t->failures && event > 2 && event & 1)
			want = 0;
		MUST(t->failures ? !(got & ~want) : got == want);
	}
	t->failures = 0;
	t->sbi.call = firmware;
	pmumap_server_reset(&t->monitor);
	memset(t->page, 0, sizeof(t->page));
}

/* ---- a hart that refuses --------------------------------------------------------------------- */

/*
 * Bit N of pattern: it refuses the Nth call of set from now. Only while no time passes, because a
 * counter that refuses to be wiped keeps what it counts until it is stopped.
 */
static struct {
	int (*set)(void *arg, uint32_t counter, const struct pmumap_job *job);
	uint32_t pattern, refused;
} hart;

static int moody_set(void *arg, uint32_t counter, const struct pmumap_job *job)
{
	uint32_t now = hart.pattern & 1;

	hart.pattern >>= 1;
	hart.refused += now;
	return !now && hart.set(arg, counter, job);
}

static void hart_begins(struct turns *t)
{
	struct pmumap_pmu *one = t->by ? &t->sets.one : &t->below;

	if (t->by == BY_FIRMWARE)
		return;
	hart.set = one->set;
	one->set = moody_set;
}

/* set does everything, or changes nothing. */
static void take_set(struct bytes *in, struct turns *t, uint32_t n, uint32_t pattern)
{
	int done;

	hart.pattern = pattern;
	hart.refused = 0;
	done = guest_sets(t, n, take(in, 2));
	MUST(done == !hart.refused);
	hart.pattern = 0;
}

/* ---- turns ----------------------------------------------------------------------------------- */

static void turn_begins(struct bytes *in, struct turns *t)
{
	static const uint32_t features[] = {
		STOPS | SOF | SMC, STOPS | SOF,   STOPS, 0,
		STOPS | CAN_F,     STOPS | CAN_I, SOF,   STOPS | SOF | SMC
	};
	uint32_t shape = take(in, 1), xlen = shape & 1 ? 32 : 64, has = features[shape >> 3 & 7];
	uint64_t step = shape & 64 && (has & SMC);
	struct model rows;
	struct pmumap *map;

	if ((shape >> 1 & 3) < BY_FIRMWARE) {
		turns_begin(t, shape >> 1 & 3, xlen, has, step);
		return;
	}
	sets_begin(t, xlen, has, step, 0x7d, 0);
	MUST(pmumap_vpmu_save(&t->cpu[0].vpmu) == 0);
	model_init(&rows);
	take_rows(in, &rows);
	model_add_raw(&rows, 0x700, ~0xffull, 0xfffffff8u);
	map = build_rows(&rows);
	t->monitor.map = map;
	t->monitor.rule = PMUMAP_RULE_ALWAYS;
	pmumap_server_init(&t->monitor);
	MUST(pmumap_sbi_probe(&t->sbi) == 0x7d && t->sbi.width == t->m.width);
	check_rows(in, t, &rows);
	model_free(&rows);
	/* Calls that failed may have cost a fixed counter. */
	MUST(pmumap_sbi_probe(&t->sbi) == 0x7d);
	MUST((shape >> 1 & 3) == 2 || pmumap_sbi_share(&t->sbi, t->page, PAGE));
	MUST(come(t, &t->cpu[0]) == 0);
}

/*
 * One leaves and the other comes, while some calls of the firmware fail. Returns 0 if none did: a
 * failed START leaves a stopped counter without its value, which its guest may see.
 */
static uint32_t take_turn(struct bytes *in, struct turns *t, uint32_t kind)
{
	uint32_t hidden, loaded = t->cpu[t->now].vpmu.touched;

	t->first_failure = t->calls + 1 + (kind & 7 ? take(in, 1) % 32 : 0);
	t->failures = kind & 7;
	t->way = kind & 8 ? DOES_IT_BUT_FAILS : REFUSES;
	hart.pattern = t->failures && t->by == BY_ONE && !t->m.step ? take(in, 1) : 0;
	STEPS(TURN, STEPS_GUEST, hidden = pmumap_vpmu_save(&t->cpu[t->now].vpmu));
	MUST(!(hidden & ~loaded) && (t->failures || !hidden));
	t->now = 1 - t->now;
	STEPS(TURN, STEPS_GUEST, hidden = come(t, &t->cpu[t->now]));
	MUST(t->failures || !hidden);
	MUST(hides(t, hidden));
	hidden |= t->failures ? ~0u : 0;
	t->failures = hart.pattern = 0;
	return hidden;
}

static void take_step(struct bytes *in, struct turns *t, uint32_t *hidden)
{
	uint32_t kind = take(in, 1), n = 2 + (kind >> 5) % 5;

	if (kind < 0x20)
		*hidden = take_turn(in, t, kind);
	else if (kind < 0x28 && t->by != BY_FIRMWARE && !t->m.step)
		take_set(in, t, n + (n < 3), kind & 7);
	else if (kind < 0x50)
		guest_runs(t, take_number(in) >> 24 | (kind & 14) << 4, modes[kind & 1]);
	else
		guest_step(t, kind & 16 && n == 2 ? 0 : n, take(in, 2) << 2 | (kind & 3),
			   ones(40) & (kind & 4 ? ~(uint64_t)take(in, 1) : take_number(in)));
	MUST(has_sums(t));
	if (!*hidden)
		MUST(same(t));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes in = { data, size };
	uint32_t steps = 0, hidden = 0;
	static struct turns t;

	fuzz_seed(data, size);
	random_state = fuzz_random() | 1;
	check_probe(&in);
	t.monitor.map = NULL;
	turn_begins(&in, &t);
	hart_begins(&t);
	while (in.left && steps++ < MAX_STEPS)
		take_step(&in, &t, &hidden);
	MUST(!t.by || t.m.absent + t.m.reserved == 0);
	if (t.by == BY_FIRMWARE)
		free((void *)(uintptr_t)t.monitor.map);
	MUST(!test_failed);
	return 0;
}
