/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The RISC-V backends on a simulated hart: CSRs in M-mode, SBI firmware from S-mode, and both with
 * the SBI PMU server in between.
 */
#include "support.h"
#include "machine.h"
#include "pmumap_server.h"

static struct machine m;
static struct pmumap_hart h; /* drives it */

static void begin(uint32_t xlen, uint32_t features)
{
	machine_begin(&m, xlen, features);
	hart_begin(&h, &m);
}

/* A programmable counter's event with everything that a job specifies. */
static int set_event(uint32_t counter, uint64_t selector, uint32_t inhibit, uint32_t clear)
{
	struct pmumap_job job = { 0, selector, 3, inhibit, clear };

	if (counter < 3)
		job.event = counter == 0 ? 1 : 2;
	return pmumap_hart_set(&h, counter, &job);
}

/* ---- M-mode: registers ----------------------------------------------------------------------- */

#define WIDE 0x12345689abcdefu
#define EVENT (~0ull >> 6)

/* A job of counter 4: the event that it gets, or 0 if it is refused. */
static const struct {
	const char *rule;
	uint32_t xlen, features;
	uint64_t selector;
	uint32_t inhibit;
	uint64_t event;
} events[] = {
	{ "mhpmeventh before mhpmevent", 32, SOF | STOPS, WIDE, 0, WIDE },
	{ "mhpmeventh first, without mcountinhibit", 32, SOF, WIDE, 0, WIDE },
	{ "mhpmevent alone", 64, SOF | STOPS, WIDE, 0, WIDE },
	{ "mhpmevent alone, of 32 bits", 32, STOPS, 0x12345689, 31, 0x12345689 },
	{ "33 bits without mhpmeventh", 32, STOPS, 1ull << 32, 0, 0 },
	{ "64 bits without mhpmeventh", 32, STOPS, ~0ull, 0, 0 },
	{ "bit 63 without mhpmeventh", 32, STOPS, 1ull << 63, 0, 0 },
	{ "32 bits without mhpmeventh", 32, STOPS, 0xffffffff, 0, 0xffffffff },
	{ "64 bits of which none filter", 64, STOPS, ~0ull, 31, ~0ull },
	{ "bits that filter", 64, STOPS | SOF, ~0ull, 0, EVENT },
	{ "bits that filter, on RV32", 32, STOPS | SOF, ~0ull, 0, EVENT },
	{ "modes alone", 64, STOPS | CAN_F, ~0ull, PMUMAP_INHIBIT_M, EVENT | 1ull << 62 },
	{ "modes alone, on RV32", 32, STOPS | CAN_F, ~0ull, PMUMAP_INHIBIT_M, EVENT | 1ull << 62 },
	{ "overflow alone", 64, STOPS | CAN_I, ~0ull, PMUMAP_INHIBIT_M, ~0ull >> 1 },
	{ "overflow alone, on RV32", 32, STOPS | CAN_I, ~0ull, PMUMAP_INHIBIT_M, ~0ull >> 1 },
};

/* It stops, if it can; then its event is written, upper half first; and nothing else. */
static int wrote_event(uint32_t features)
{
	uint32_t at = 0, good = 1;

	if (features & STOPS)
		good &= m.log[at++].csr == 0x320;
	if (m.xlen == 32 && features & SOF)
		good &= m.log[at++].csr == 0x724;
	good &= m.log[at++].csr == 0x324;
	return good && m.writes == at;
}

static void set_events(void)
{
	uint32_t i, features;

	for (i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		test_now = events[i].rule;
		features = events[i].features;
		begin(events[i].xlen, features);
		CHECK_EQ(set_event(4, events[i].selector, events[i].inhibit, 0),
			 events[i].event != 0);
		if (!events[i].event) {
			CHECK(m.writes == 0 && h.selector[4] == 0);
			continue;
		}
		CHECK_EQ(m.event[4], features & STOPS ? events[i].event : 0);
		if (!(features & STOPS)) {
			m.writes = 0;
			pmumap_hart_start(&h, 4, NULL);
		}
		CHECK(wrote_event(features));
		CHECK_EQ(m.event[4], events[i].event);
		pmumap_hart_start(&h, 4, NULL);
		m.event[4] |= 1ull << 63;
		CHECK_EQ(pmumap_hart_overflowed(&h, 4) != 0, (features & CAN_I) != 0);
		CHECK_EQ(m.absent + m.reserved, 0);
	}
}

/*
 * A suspend loses the registers, including mcountinhibit, which then stops all counters or none. A
 * start writes the event and the modes again, whether the counter was running or not, and whatever
 * is there instead.
 */
static void suspend(uint32_t xlen, uint32_t features)
{
	static const uint64_t others[] = { 0, 0x704, 0x706 };
	uint32_t how;

	test_now = "a start after a suspend";
	for (how = 0; how < 12; how++) {
		uint64_t value = 1000, before, modes;

		begin(xlen, features);
		CHECK(set_event(3, 0x705, PMUMAP_INHIBIT_U, 1));
		CHECK(set_event(0, 0, PMUMAP_INHIBIT_U, 1));
		pmumap_hart_start(&h, 3, NULL);
		before = m.event[3];
		modes = m.event[0];
		CHECK_EQ(before & 0xffff, 0x705);
		if (how & 1)
			pmumap_hart_stop(&h, 3, 0);
		memset(m.event, 0, sizeof(m.event));
		memset(m.value, 0, sizeof(m.value));
		m.event[3] = others[how / 4];
		m.inhibit = features & STOPS && how & 2 ? m.counters : 0;
		pmumap_hart_start(&h, 0, NULL);
		pmumap_hart_start(&h, 3, &value);
		CHECK(m.event[3] == before && m.event[0] == modes);
		run(&m, 7);
		CHECK_EQ(pmumap_hart_read(&h, 3), 1035);
		CHECK_EQ(m.absent + m.reserved, 0);
	}
}

/* Starting a running counter again does not lose its overflow, */
static void started_twice(uint32_t xlen, uint32_t features)
{
	uint64_t value = ~0ull - 9;

	test_now = "a start of what runs";
	begin(xlen, features | CAN_I);
	CHECK(set_event(5, 0x1001, 0, 1));
	pmumap_hart_start(&h, 5, &value);
	run(&m, 20);
	CHECK(pmumap_hart_overflowed(&h, 5));
	pmumap_hart_start(&h, 5, NULL);
	CHECK(pmumap_hart_overflowed(&h, 5) && m.event[5] == (0x1001 | 1ull << 63));
	pmumap_hart_stop(&h, 5, 0);
	CHECK(pmumap_hart_overflowed(&h, 5));
	pmumap_hart_start(&h, 5, NULL);
	CHECK(!pmumap_hart_overflowed(&h, 5) && m.event[5] == 0x1001);
	/* even if the hart does not keep all of the event. */
	m.loses = 0x1000;
	m.event[5] = 1 | 1ull << 63;
	pmumap_hart_start(&h, 5, NULL);
	CHECK_EQ(m.event[5], 1 | 1ull << 63);
	pmumap_hart_stop(&h, 5, 0);
	pmumap_hart_start(&h, 5, NULL);
	CHECK_EQ(m.event[5], 1);
	/* A value that somebody else wrote is replaced. */
	m.loses = 0;
	m.event[5] = 0x77 | 1ull << 63;
	pmumap_hart_start(&h, 5, NULL);
	CHECK_EQ(m.event[5], 0x1001 | 1ull << 63);
	CHECK_EQ(m.absent + m.reserved, 0);
}

/* Every set of modes on every kind of counter: written, if there is a register for it. */
static void inhibit_bits(uint32_t xlen, uint32_t features)
{
	uint32_t modes, n, good = 0;

	begin(xlen, features);
	for (modes = 0; modes < 32; modes++)
		for (n = 0; n < 7; n++) {
			uint64_t want = n < 3 ? 0 : 0x700 + n;
			int ok;

			if (filters(&m, n))
				want |= (uint64_t)modes << 58;
			ok = set_event(n, 0x700 + n, modes | 0xffffffe0u, 0);
			pmumap_hart_start(&h, n, NULL);
			good += n == 1 ? !ok : ok && m.event[n] == want;
		}
	CHECK_EQ(good, 32 * 7);
	CHECK_EQ(m.absent + m.reserved, 0);
}

static void fixed(uint32_t xlen)
{
	struct pmumap_job job = { 0, 0x1234, 2, 31, 1 };

	test_now = "fixed counters";
	begin(xlen, STOPS | SMC);
	m.value[0] = m.value[2] = 99;
	CHECK(!pmumap_hart_set(&h, 0, &job));
	CHECK(!pmumap_hart_set(&h, 1, &job));
	job.event = 1;
	CHECK(!pmumap_hart_set(&h, 1, &job));
	CHECK(!pmumap_hart_set(&h, 2, &job));
	job.event = 3;
	CHECK(!pmumap_hart_set(&h, 0, &job));
	CHECK(!pmumap_hart_set(&h, 2, &job));
	CHECK(m.writes == 0 && m.value[0] == 99 && m.value[2] == 99);

	job.event = 1;
	CHECK(pmumap_hart_set(&h, 0, &job));
	CHECK_EQ(m.event[0], 31ull << 58);
	CHECK(m.value[0] == 0 && m.inhibit == 1 && m.event[2] == 0);
	job.event = 2;
	job.inhibit = PMUMAP_INHIBIT_S;
	job.clear = 0;
	CHECK(pmumap_hart_set(&h, 2, &job));
	CHECK_EQ(m.event[2], 1ull << 61);
	CHECK(m.value[2] == 99 && m.inhibit == 5);
	pmumap_hart_start(&h, 2, NULL);
	CHECK(m.inhibit == 1 && m.event[2] == 1ull << 61);
	CHECK(!pmumap_hart_overflowed(&h, 0) && !pmumap_hart_overflowed(&h, 2));
	CHECK_EQ(m.absent + m.reserved, 0);

	test_now = "fixed counters without Smcntrpmf, with Sscofpmf";
	begin(xlen, STOPS | SOF);
	job.event = 1;
	CHECK(pmumap_hart_set(&h, 0, &job));
	pmumap_hart_start(&h, 0, NULL);
	pmumap_hart_stop(&h, 0, 1);
	CHECK(m.event[0] == 0 && m.inhibit == 1);
	CHECK(!pmumap_hart_overflowed(&h, 0));
	CHECK_EQ(m.absent + m.reserved, 0);
}

static void overflow(uint32_t xlen, uint32_t features)
{
	uint64_t event = 0x1001 | 1ull << 40 | (uint64_t)PMUMAP_INHIBIT_U << 58;
	uint64_t value = ~0ull - 9;

	test_now = "overflow";
	begin(xlen, features | SOF);
	CHECK(set_event(5, event, PMUMAP_INHIBIT_U, 1));
	pmumap_hart_start(&h, 5, &value);
	CHECK(!pmumap_hart_overflowed(&h, 5));
	run(&m, 9);
	CHECK(!pmumap_hart_overflowed(&h, 5) && pmumap_hart_read(&h, 5) == ~0ull);
	run(&m, 1);
	CHECK(pmumap_hart_overflowed(&h, 5) && pmumap_hart_read(&h, 5) == 0);
	CHECK(!pmumap_hart_overflowed(&h, 4) && !pmumap_hart_overflowed(&h, 0));
	if (features & STOPS)
		CHECK_EQ(m.event[5], event | 1ull << 63);
	pmumap_hart_stop(&h, 5, 0);
	CHECK(pmumap_hart_overflowed(&h, 5));
	pmumap_hart_start(&h, 5, NULL);
	CHECK(!pmumap_hart_overflowed(&h, 5));
	CHECK_EQ(m.event[5], event);
	run(&m, 7);
	CHECK_EQ(pmumap_hart_read(&h, 5), 7);
	CHECK_EQ(m.absent + m.reserved, 0);
	/* Jobs do not cause overflows either. */
	pmumap_hart_stop(&h, 5, 1);
	CHECK(!pmumap_hart_overflowed(&h, 5));
	m.event[4] = 1ull << 63;
	CHECK(set_event(4, event, 0, 1));
	pmumap_hart_start(&h, 4, NULL);
	CHECK(!pmumap_hart_overflowed(&h, 4));
	m.features = h.features = features;
	CHECK(!pmumap_hart_overflowed(&h, 5));
}

/* Missing counters are not accessed. */
static void not_there(uint32_t xlen)
{
	static const uint32_t none[] = { 1, 7, 31, 32, 33, 0x80000000u, 0xffffffffu };
	uint64_t value = 1;
	uint32_t i;

	test_now = "counters that are not there";
	begin(xlen, STOPS | SOF | SMC);
	h.counters |= 2; /* time stays time */
	m.step = 1;
	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		CHECK(!set_event(none[i], 0x701, 0, 1));
		pmumap_hart_start(&h, none[i], &value);
		pmumap_hart_stop(&h, none[i], 1);
		CHECK_EQ(pmumap_hart_read(&h, none[i]), 0);
		CHECK(!pmumap_hart_overflowed(&h, none[i]));
	}
	CHECK(m.writes == 0 && m.value[0] == 0);
}

/* ---- M-mode: values -------------------------------------------------------------------------- */

static const uint64_t steps[] = { 0, 1, 2, 3, 0xffff, 0x10000, 0x20000000 };
#define STEPS (sizeof(steps) / sizeof(steps[0]))

/* A value is between the true ones at the start and at the end of the read. */
static void reads_across_carry(uint32_t xlen, uint32_t counter)
{
	uint32_t i, k, good = 0;

	test_now = "reads across a carry";
	begin(xlen, STOPS);
	CHECK(set_event(counter, 0x701, 0, 1));
	pmumap_hart_start(&h, counter, NULL);
	for (i = 0; i < STEPS; i++)
		for (k = 0; k < 16; k++) {
			uint64_t before, got;

			m.step = steps[i];
			m.value[counter] = before = 0x700000000u + (4 - (uint64_t)k) * m.step - k;
			got = pmumap_hart_read(&h, counter);
			good += got >= before && got <= m.value[counter];
		}
	CHECK_EQ(good, STEPS * 16);
	CHECK_EQ(m.absent + m.reserved, 0);
}

/* A value is written as a whole, by a start or a job that clears it, even while it counts. */
static void writes_across_carry(uint32_t xlen)
{
	static const uint64_t values[] = { 0, 5, 0x7ffffffffu, 0x123456789abcdef0u, ~0ull << 32 };
	uint32_t i, k, v, good = 0;

	test_now = "writes across a carry";
	begin(xlen, 0);
	CHECK(set_event(0, 0, 0, 0));
	for (i = 0; i < STEPS; i++)
		for (k = 0; k < 16; k++)
			for (v = 0; v < 5; v++) {
				m.step = steps[i];
				m.value[0] = 0x500000000u + (4 - (uint64_t)k) * m.step - k;
				pmumap_hart_start(&h, 0, &values[v]);
				good += m.value[0] - values[v] <= m.step;
				m.value[0] = 0x500000000u + (4 - (uint64_t)k) * m.step - k;
				good += set_event(0, 0, 0, 1) && m.value[0] <= m.step;
			}
	CHECK_EQ(good, 2 * STEPS * 16 * 5);
	CHECK_EQ(m.absent + m.reserved, 0);
}

/* ---- M-mode: probing ------------------------------------------------------------------------- */

/* known: features that the caller declares. */
static void probe(uint32_t xlen, uint32_t features, uint32_t counters, uint32_t bits,
		  uint32_t known)
{
	uint32_t n, good = 0, before, enable;
	uint64_t modes[2];

	machine_begin(&m, xlen, features);
	m.counters = counters;
	m.width = bits;
	m.step = 1;
	m.loses = random_below(2) || features & SOF ? 0 : ~ones(58);
	/* Whatever was running before. */
	for (n = 3; n < 32; n++) {
		m.value[n] = there(&m, n) ? random64() & ones(bits) : 0;
		m.event[n] = there(&m, n) ? random64() & ~m.loses : 0;
		if (xlen == 32 && !(features & SOF))
			m.event[n] &= 0xffffffffu;
	}
	for (n = 0; n < 2; n++)
		m.event[2 * n] = modes[n] = features & SMC ? random64() >> 59 << 58 : 0;
	m.enable = enable = (uint32_t)random64();
	m.inhibit = features & STOPS ? (uint32_t)random64() & counters & ~2u : 0;
	before = m.inhibit & 5;
	m.value[0] = m.value[2] = 1ull << 40;
	hart_begin(&h, &m);
	h.counters = h.width = 0xdead;
	h.features = known;
	CHECK_EQ(pmumap_hart_probe(&h), counters & ~2u);
	CHECK_EQ(h.counters, counters & ~2u);
	CHECK_EQ(h.width, counters & ~7u ? bits : 64);
	/* Without a counter that can overflow, Sscofpmf cannot be detected. */
	if (!(counters & ~7u))
		features &= ~SOF;
	CHECK_EQ(h.features, features | (known & ~STOPS));
	/* A counter that cannot be stopped may overflow between the halves of its event. */
	for (n = 3; n < 32; n++)
		good += m.value[n] == 0 && m.event[n] << 1 == 0 && h.selector[n] == 0;
	CHECK_EQ(good, 29);
	CHECK_EQ(m.inhibit & 5, before);
	CHECK(m.enable == enable && m.event[0] == modes[0] && m.event[2] == modes[1]);
	CHECK(m.value[0] >= 1ull << 40 && m.value[2] >= 1ull << 40 && m.value[0] < 1ull << 41 &&
	      m.value[2] < 1ull << 41);
	CHECK_EQ(m.reserved, 0);
	run(&m, 100);
	for (n = 3, good = 0; n < 32; n++)
		good += m.value[n] == 0;
	CHECK_EQ(good, 29);
}

static void probes(uint32_t xlen)
{
	static const uint32_t widths[] = { 1, 31, 32, 33, 40, 48, 63, 64 };
	static const uint32_t sets[] = { 5, 0xd, 0x7d, 0x80000005u, 0xfffffffdu, 0xaaaaaaadu };
	uint32_t i, k, f;

	test_now = "probe";
	for (f = 0; f < 8; f++) {
		uint32_t features = (f & 1 ? SOF : 0) | (f & 2 ? SMC : 0) | (f & 4 ? STOPS : 0);

		for (i = 0; i < 8; i++)
			for (k = 0; k < 6; k++) {
				probe(xlen, features, sets[k], widths[i], 0);
				probe(xlen, features, sets[k], widths[i],
				      (features & ~STOPS) | (~features & STOPS));
				probe(xlen, features, sets[k], widths[i], PMUMAP_MUST_FILTER);
			}
	}
}

/* A hart may have just one bit of mcyclecfg, as with M-mode only. */
static void one_mode(uint32_t xlen)
{
	uint32_t bit;

	test_now = "one mode";
	for (bit = 58; bit < 63; bit++) {
		machine_begin(&m, xlen, SMC);
		m.loses_modes = ~(1ull << bit);
		hart_begin(&h, &m);
		h.features = 0;
		CHECK_EQ(pmumap_hart_probe(&h), 0x7d);
		CHECK_EQ(h.features, SMC);
	}
}

/* The width is that of the narrowest counter. */
static void narrow(uint32_t xlen)
{
	uint32_t n;

	test_now = "narrow";
	for (n = 3; n < 7; n++) {
		machine_begin(&m, xlen, STOPS);
		m.width = 48;
		m.narrow = 1u << n;
		hart_begin(&h, &m);
		CHECK_EQ(pmumap_hart_probe(&h), 0x7d);
		CHECK_EQ(h.width, 47);
	}
}

/*
 * The last counter alone suffices; the fixed ones never overflow; mcountinhibit may have one bit.
 */
static void ends(uint32_t xlen)
{
	uint32_t i;

	test_now = "ends";
	machine_begin(&m, xlen, STOPS);
	m.counters = 0x80000005u;
	hart_begin(&h, &m);
	CHECK(set_event(31, 0x701, 0, 1));
	m.value[31] = 77;
	CHECK_EQ(pmumap_hart_read(&h, 31), 77);
	begin(xlen, STOPS | SOF | SMC);
	for (i = 0; i < 4; i++) {
		m.event[i] = 1ull << 63;
		CHECK_EQ(pmumap_hart_overflowed(&h, i), i == 3);
	}
	for (i = 0; i < 32; i++) {
		if (i == 1)
			continue;
		machine_begin(&m, xlen, STOPS);
		m.counters = 1u << i;
		hart_begin(&h, &m);
		h.features = 0;
		(void)pmumap_hart_probe(&h);
		CHECK_EQ(h.features, STOPS);
	}
}

static void permit(uint32_t xlen)
{

	test_now = "permit";
	begin(xlen, 0);
	m.enable = 0xff00ff02u;
	pmumap_hart_permit(&h, 0x1d);
	CHECK_EQ(m.enable, 0x1f);
	pmumap_hart_permit(&h, 0xffffffffu);
	CHECK_EQ(m.enable, 0x7f);
	pmumap_hart_permit(&h, 0);
	CHECK_EQ(m.enable, 2);
	m.enable = 0;
	pmumap_hart_permit(&h, 0xffffffffu);
	CHECK_EQ(m.enable, 0x7d);
	pmumap_hart_permit(&h, 2);
	CHECK_EQ(m.enable, 0);
	h.counters |= 2; /* of time, only the firmware decides */
	pmumap_hart_permit(&h, 0xffffffffu);
	CHECK_EQ(m.enable, 0x7d);
	CHECK_EQ(m.absent + m.reserved, 0);
}

/* ---- who has which counters ------------------------------------------------------------------ */

#define CDE (1ull << 60) /* of menvcfg; CSRIND of mstateen0 is the same bit */
#define SE (1ull << 63)
#define OTHER_INTERRUPTS 0x222u /* of mideleg */

static const struct {
	const char *what;
	uint64_t envcfg, stateen; /* bits that there are */
	uint32_t features, asked, given, mideleg;
} delegations[] = {
	{ "no Smcdeleg", 0, 0, SOF, 0x7d, 0, 0 },
	{ "no Smstateen", CDE, 0, 0, 0x7d, 0x7d, 0 },
	{ "Smstateen", CDE, SE | CDE, 0, 0x18, 0x18, 0 },
	{ "Smstateen without Sscsrind", CDE, SE, SOF, 0x7d, 0, 0 },
	{ "not all bits of menvcfg", CDE | 1, SE | CDE | 2, SOF, 0xffffffffu, 0x7d, 1 << 13 },
	{ "none", CDE, 0, SOF, 0, 0, 1 << 13 },
};

static void delegate(uint32_t xlen)
{
	uint32_t i;

	for (i = 0; i < sizeof(delegations) / sizeof(delegations[0]); i++) {
		test_now = delegations[i].what;
		machine_begin(&m, xlen, delegations[i].features);
		m.has[0] = ~0ull;
		m.has[1] = delegations[i].envcfg;
		m.has[2] = delegations[i].stateen;
		m.control[0] = OTHER_INTERRUPTS;
		m.control[1] = m.has[1] & 1;
		m.control[2] = m.has[2] & 2;
		m.enable = 0x80000002u;
		hart_begin(&h, &m);
		CHECK_EQ(pmumap_hart_delegate(&h, delegations[i].asked), delegations[i].given);
		CHECK_EQ(m.enable, delegations[i].given | 2);
		CHECK_EQ(m.control[0], delegations[i].mideleg | OTHER_INTERRUPTS);
		/* No other bit changes. */
		CHECK_EQ(m.control[1], m.has[1] & (CDE | 1));
		CHECK(!delegations[i].given || m.control[2] == (m.has[2] & (CDE | 2)));
		CHECK_EQ(m.absent + m.reserved, 0);
	}
}

/* Delegated counters are found, and everything else is left alone. */
static void probe_below(uint32_t xlen)
{
	uint32_t f;

	test_now = "probe in S-mode";
	for (f = 0; f < 4; f++) {
		machine_begin(&m, xlen, STOPS | (f & 1 ? SOF : 0) | (f & 2 ? SMC : 0));
		m.hidden = 0x29;
		m.inhibit = 0x28;
		m.enable = ~m.hidden;
		m.event[3] = m.value[3] = m.value[5] = 77;
		m.loses_modes = 1ull << 62; /* M-mode's own */
		hart_begin(&h, &m);
		h.below = 1;
		h.counters = h.features = 0;
		CHECK_EQ(pmumap_hart_probe(&h), 0x54);
		CHECK_EQ(h.features, m.features);
		CHECK(m.event[3] == 77 && m.value[3] == 77 && m.value[5] == 77);
		CHECK_EQ(m.inhibit, 0x78);
		CHECK_EQ(m.reserved, 0);
	}
}

/* Fixed counters that M-mode keeps are not found, although S-mode can stop them. */
static void probe_kept(uint32_t xlen)
{

	test_now = "probe in S-mode, fixed counters kept";
	machine_begin(&m, xlen, STOPS);
	m.kept = 5;
	hart_begin(&h, &m);
	h.below = 1;
	h.features = STOPS | PMUMAP_TOLD;
	CHECK_EQ(pmumap_hart_probe(&h), 0x78);
	m.kept = 1;
	CHECK_EQ(pmumap_hart_probe(&h), 0x7c);
	m.kept = 0x7d;
	CHECK(pmumap_hart_probe(&h) == 0 && h.width == 64);
}

/* A secret value stays secret if another virtual CPU cannot set its counter. */
static void set_refused(uint32_t xlen)
{
	const struct pmumap_job job = { 0, 0x123, 0x10000, 0, 0 };
	struct pmumap_pmu_sets sets;

	test_now = "a set that is refused";
	begin(xlen, STOPS);
	pmumap_hart_sets(&h, &sets);
	h.secret = 0x88;
	CHECK(!sets.one.set(sets.one.arg, 7, &job) && h.secret == 0x88);
	CHECK(sets.one.set(sets.one.arg, 3, &job) && h.secret == 0x80);
}

/* A set that leaves stands still. The next one wipes what it does not use, or cannot set. */
static void sets_wiped(uint32_t xlen)
{
	struct pmumap_job job[5] = { { 0, 0, 0, 0, 0 } };
	uint64_t value[5] = { 7, 0, 7, 100, 40 };
	uint32_t overflowed = 0;
	struct pmumap_pmu_sets sets;

	test_now = "sets, wiped";
	begin(xlen, STOPS | SOF);
	pmumap_hart_sets(&h, &sets);
	job[3].event = job[4].event = PMUMAP_EVENT_RAW;
	job[3].selector = job[4].selector = 0x701;
	CHECK_EQ(sets.load(sets.one.arg, 0x1d, job, value), 5);
	run(&m, 9);
	CHECK_EQ(sets.release(sets.one.arg, 0x18, 0x18, 8, value, &overflowed), 0);
	CHECK(value[3] == 109 && value[4] == 40 && overflowed == 0);
	run(&m, 9);
	CHECK(m.value[3] == 109 && m.value[4] == 49 && h.selector[3] == 0x701);
	CHECK_EQ(sets.load(sets.one.arg, 0x10, job, value), 0);
	CHECK(m.value[3] == 0 && m.event[3] == 0 && h.selector[3] == 0 && h.secret == 0);
	CHECK(m.value[4] == 40 && m.event[4] == 0x701);
}

/* If all features are declared, no missing register is accessed. */
static void probe_told(uint32_t xlen)
{
	uint32_t f;

	test_now = "probe, told";
	for (f = 0; f < 8; f++) {
		uint32_t features = (f & 1 ? SOF : 0) | (f & 2 ? SMC : 0) | (f & 4 ? STOPS : 0);

		machine_begin(&m, xlen, features);
		m.counters = 0x8000001du;
		hart_begin(&h, &m);
		h.counters = 0;
		h.features = features | PMUMAP_TOLD;
		CHECK_EQ(pmumap_hart_probe(&h), m.counters);
		CHECK_EQ(h.features, features | PMUMAP_TOLD);
		CHECK_EQ(m.absent + m.reserved, 0);
	}
}

/* ---- M-mode: at random ----------------------------------------------------------------------- */

/* Expected values of all counters. */
struct tracked {
	uint64_t value;
	uint32_t set, started, rate, modes;
};

static void track(struct tracked *t, uint64_t units)
{
	uint32_t n;

	for (n = 0; n < 32; n++) {
		int on = n < 3 && !(m.features & STOPS) ? 1 : t[n].started != 0;

		if (!there(&m, n) || !on || (filters(&m, n) && t[n].modes & m.mode))
			continue;
		t[n].value = (t[n].value + units * (n < 3 ? 1 : t[n].rate)) & ones(width(&m, n));
	}
}

static void step(struct pmumap_pmu *p, struct tracked *t)
{
	uint32_t n = random_below(8), kind = random_below(6), units = random_below(1000);
	struct pmumap_job job = { 0, 0x700 + random_below(256), n == 0 ? 1 : n, random_below(32),
				  random_below(2) };
	uint64_t value = random64() & ones(width(&m, n));

	if (kind == 0 && !t[n].started && p->set(p->arg, n, &job)) {
		t[n].set = 1;
		t[n].rate = (uint32_t)job.selector & 0xff;
		t[n].modes = job.inhibit;
		t[n].value = job.clear ? 0 : t[n].value;
	} else if (kind == 1 && t[n].set && !t[n].started) {
		p->start(p->arg, n, units & 1 ? &value : NULL);
		t[n].started = 1;
		t[n].value = units & 1 ? value : t[n].value;
	} else if (kind == 2 && t[n].set) {
		p->stop(p->arg, n, units & 1);
		t[n].started = 0;
		t[n].set = !(units & 1);
		if (units & 1) /* who comes next is not filtered */
			t[n].modes = 0;
	} else {
		m.mode = 1u << random_below(5);
		run(&m, units);
		track(t, units);
	}
}

/* Counters that nobody has started stand still, and without mcountinhibit count no event. */
static int still(const struct tracked *t)
{
	uint32_t n, bad = 0;

	for (n = 0; n < 7; n++) {
		bad += m.features & STOPS && n != 1 && (m.inhibit >> n & 1) == t[n].started;
		bad += n > 2 && (m.features & STOPS ? !t[n].set : !t[n].started) && m.event[n];
	}
	return !bad;
}

static void sequences(uint32_t xlen, uint32_t features)
{
	uint32_t i, n, good = 0, rounds = quick(20000, 1000);
	struct tracked t[32];
	struct pmumap_pmu p;

	test_now = "sequences";
	machine_begin(&m, xlen, features);
	m.width = 48;
	m.inhibit = features & STOPS ? m.counters : 0;
	hart_begin(&h, &m);
	pmumap_hart_as_pmu(&h, &p);
	memset(t, 0, sizeof(t));
	for (i = 0; i < rounds; i++) {
		step(&p, t);
		n = random_below(8);
		good += p.read(p.arg, n) == t[n].value && still(t);
	}
	CHECK_EQ(good, rounds);
	CHECK_EQ(m.absent + m.reserved, 0);
}

/* ---- S-mode: the calls ----------------------------------------------------------------------- */

/* Firmware that logs calls and returns the answers of the test. */
struct firmware {
	uint32_t calls, dirty; /* in dirty ones a register that is no argument is not 0 */
	uint32_t function[64];
	uint64_t a[64][6];
	int error;
	uint64_t number, count, advance; /* of counters; of a firmware counter, and its pace */
	uint32_t xlen;
};

/* Index to CSR: unordered, with holes, and with numbers that are no hardware counters. */
static const uint16_t csr_of[] = {
	0xc00, 0, 0xc1f, 0xc02, 0xb03, 0xc04, 0xc20, 0xc01, 0xbff, 0xc03
};
#define CSRS (sizeof(csr_of) / sizeof(csr_of[0]))

static int clean(const struct firmware *f, uint32_t function, const uint64_t *a)
{
	static const uint32_t arguments[] = { 0, 1, 5, 4, 3, 1, 1 };
	uint32_t i = arguments[function];

	/* The last of these is wide. */
	i += f->xlen == 32 && i > 3;
	while (i < 6 && a[i] == 0)
		i++;
	return i == 6;
}

static struct pmumap_sbi_ret firmware_call(void *arg, uint32_t function, const uint64_t *a)
{
	struct firmware *f = arg;
	struct pmumap_sbi_ret r = { f->error, 0 };
	uint32_t at = f->calls % 64;

	f->calls++;
	f->dirty += !clean(f, function, a);
	f->function[at] = function;
	memcpy(f->a[at], a, sizeof(f->a[at]));
	if (function == PMUMAP_SBI_NUM_COUNTERS)
		r.value = f->number;
	if (function == PMUMAP_SBI_GET_INFO) {
		uint32_t bits = a[0] == 3 ? 64 : a[0] == 5 ? 40 : 48;

		if (a[0] < CSRS && csr_of[a[0]]) {
			r.value = csr_of[a[0]] | (uint64_t)(bits - 1) << 12;
		} else if (a[0] < CSRS) { /* what stands beside an error is nothing */
			r.error = PMUMAP_SBI_INVALID_PARAM;
			r.value = 0xc05 | 47 << 12;
		} else { /* firmware's, with bits that mean nothing */
			r.value = 1ull << (f->xlen - 1) | 0xc05;
		}
	}
	if (function == PMUMAP_SBI_CONFIG_MATCHING)
		r.value = a[0];
	if (function == PMUMAP_SBI_FW_READ)
		r.value = f->count & ones(f->xlen);
	if (function == PMUMAP_SBI_FW_READ_HI)
		r.value = f->xlen == 32 ? f->count >> 32 : 0;
	f->count += f->advance;
	return r;
}

static void sbi_begin(struct pmumap_sbi *s, struct firmware *f, uint32_t xlen)
{
	memset(f, 0, sizeof(*f));
	f->number = CSRS + 3;
	f->xlen = xlen;
	machine_begin(&m, xlen, SOF | STOPS);
	m.counters = 0x8000001d;
	m.enable = 0xffffffffu;
	memset(s, 0, sizeof(*s));
	s->call = firmware_call;
	s->read = csr_read;
	s->arg = f;
	s->xlen = xlen;
}

static int last_call(const struct firmware *f, uint32_t function, uint64_t a0, uint64_t a1,
		     uint64_t a2)
{
	uint32_t at = (f->calls - 1) % 64;

	return f->calls && f->function[at] == function && f->a[at][0] == a0 && f->a[at][1] == a1 &&
	       f->a[at][2] == a2;
}

static int last_rest(const struct firmware *f, uint64_t a3, uint64_t a4, uint64_t a5)
{
	const uint64_t *a = f->a[(f->calls - 1) % 64];

	return a[3] == a3 && a[4] == a4 && a[5] == a5;
}

/* One counter, with the CSR after the counters'. */
static struct pmumap_sbi_ret odd_csr(void *arg, uint32_t function, const uint64_t *a)
{
	struct pmumap_sbi_ret r = { 0, function == PMUMAP_SBI_GET_INFO ? 0xc20 | 47 << 12 : 1 };

	(void)arg;
	(void)a;
	return r;
}

static void sbi_probe(uint32_t xlen)
{
	struct pmumap_sbi s;
	struct firmware f;

	test_now = "probe through SBI";
	sbi_begin(&s, &f, xlen);
	CHECK_EQ(pmumap_sbi_probe(&s), 0x8000001d);
	CHECK_EQ(s.counters, 0x8000001d);
	CHECK_EQ(s.width, 40);
	CHECK_EQ(s.total, CSRS + 3);
	CHECK(s.index[0] == 0 && s.index[31] == 2 && s.index[2] == 3 && s.index[4] == 5 &&
	      s.index[3] == 9);
	CHECK_EQ(f.calls, 1 + CSRS + 3);
	f.number = 3;
	CHECK_EQ(pmumap_sbi_probe(&s), 0x80000001);
	CHECK(s.width == 48 && s.total == 3);
	f.number = 0;
	CHECK(pmumap_sbi_probe(&s) == 0 && s.counters == 0 && s.total == 0);
	CHECK(s.width == 64 && f.dirty == 0);
	/* More than anybody has. */
	f.number = ones(xlen);
	CHECK_EQ(pmumap_sbi_probe(&s), 0x8000001d);
	CHECK_EQ(s.total, 0xffff);
	f.number = 0x10000;
	CHECK_EQ(pmumap_sbi_probe(&s), 0x8000001d);
	CHECK_EQ(s.total, 0xffff);
	f.number = 0xfffe;
	CHECK_EQ(pmumap_sbi_probe(&s), 0x8000001d);
	CHECK_EQ(s.total, 0xfffe);
	f.number = 5;
	f.error = PMUMAP_SBI_NOT_SUPPORTED;
	f.calls = 0;
	CHECK(pmumap_sbi_probe(&s) == 0 && s.counters == 0 && s.total == 0 && f.calls == 1);
	s.call = odd_csr;
	CHECK(pmumap_sbi_probe(&s) == 0 && s.total == 1 && s.width == 64);
}

static void sbi_arguments(uint32_t xlen)
{
	uint64_t x = 0x123456789abcdef0u, low = xlen == 32 ? 0x9abcdef0 : x;
	uint64_t high = xlen == 32 ? 0x12345678 : 0;
	struct pmumap_job job = { x, 0x55, 0x20000, 31, 0 };
	struct pmumap_sbi s;
	struct firmware f;

	test_now = "arguments of SBI";
	sbi_begin(&s, &f, xlen);
	CHECK(pmumap_sbi_probe(&s) != 0);
	CHECK(pmumap_sbi_set(&s, 4, &job));
	CHECK(last_call(&f, PMUMAP_SBI_CONFIG_MATCHING, 5, 1, 0xf8));
	CHECK(last_rest(&f, 0x20000, low, high));
	job.inhibit = PMUMAP_INHIBIT_S;
	CHECK(pmumap_sbi_set(&s, 31, &job));
	CHECK(last_call(&f, PMUMAP_SBI_CONFIG_MATCHING, 2, 1, 0x40));
	pmumap_sbi_start(&s, 3, NULL);
	CHECK(last_call(&f, PMUMAP_SBI_START, 9, 1, 0) && last_rest(&f, 0, 0, 0));
	pmumap_sbi_start(&s, 3, &x);
	CHECK(last_call(&f, PMUMAP_SBI_START, 9, 1, PMUMAP_SBI_SET_INIT_VALUE));
	CHECK(last_rest(&f, low, high, 0));
	pmumap_sbi_stop(&s, 2, 0);
	CHECK(last_call(&f, PMUMAP_SBI_STOP, 3, 1, 0));
	pmumap_sbi_stop(&s, 0, 1);
	CHECK(last_call(&f, PMUMAP_SBI_STOP, 0, 1, PMUMAP_SBI_RESET));
	CHECK_EQ(pmumap_sbi_match(&s, 7, 0xf0, 0x81, 3, x).error, 0);
	CHECK(last_call(&f, PMUMAP_SBI_CONFIG_MATCHING, 7, 0xf0, 0x81));
	CHECK(last_rest(&f, 3, low, high));
	(void)pmumap_sbi_start_set(&s, 7, 0xf0, 2, x);
	CHECK(last_call(&f, PMUMAP_SBI_START, 7, 0xf0, 2) && last_rest(&f, low, high, 0));
	(void)pmumap_sbi_stop_set(&s, 7, 0xf0, 3);
	CHECK(last_call(&f, PMUMAP_SBI_STOP, 7, 0xf0, 3));
	CHECK_EQ(f.dirty, 0);
	f.error = PMUMAP_SBI_ALREADY_STOPPED;
	CHECK_EQ(pmumap_sbi_stop_set(&s, 0, 1, 0).error, PMUMAP_SBI_ALREADY_STOPPED);
	CHECK_EQ(pmumap_sbi_start_set(&s, 0, 1, 0, 0).error, PMUMAP_SBI_ALREADY_STOPPED);
}

static void sbi_not_there(uint32_t xlen)
{
	static const uint32_t none[] = { 1, 5, 30, 32, 33, 0xffffffffu };
	struct pmumap_job job = { 0, 0, 3, 0, 0 };
	struct pmumap_sbi s;
	struct firmware f;
	uint32_t i;

	test_now = "counters that firmware does not grant";
	sbi_begin(&s, &f, xlen);
	s.features = SOF;
	CHECK(pmumap_sbi_probe(&s) != 0);
	f.calls = 0;
	m.absent = 0;
	m.counters = m.enable = 0xffffffffu;
	for (i = 0; i < 32; i++) {
		m.value[i] = 7;
		m.event[i] = 1ull << 63;
	}
	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		CHECK(!pmumap_sbi_set(&s, none[i], &job));
		pmumap_sbi_start(&s, none[i], NULL);
		pmumap_sbi_stop(&s, none[i], 1);
		s.arg = &m;
		CHECK_EQ(pmumap_sbi_read(&s, none[i]), 0);
		CHECK(!pmumap_sbi_overflowed(&s, none[i]));
		s.arg = &f;
	}
	CHECK_EQ(f.calls + m.absent, 0);

	test_now = "firmware that fails";
	f.error = PMUMAP_SBI_NOT_SUPPORTED;
	CHECK(!pmumap_sbi_set(&s, 3, &job));
	CHECK(f.calls == 2 && last_call(&f, PMUMAP_SBI_CONFIG_MATCHING, 9, 1, 0));
	CHECK(f.function[0] == PMUMAP_SBI_STOP && f.a[0][2] == PMUMAP_SBI_RESET);
	f.error = PMUMAP_SBI_FAILED;
	CHECK(!pmumap_sbi_set(&s, 3, &job));
	f.error = 0;
	CHECK(pmumap_sbi_set(&s, 3, &job));
	f.error = PMUMAP_SBI_INVALID_PARAM;
	f.calls = 0;
	CHECK_EQ(pmumap_sbi_fw_read(&s, 11).error, PMUMAP_SBI_INVALID_PARAM);
	CHECK_EQ(f.calls, 1);
}

/* On RV32 firmware counters are read in halves while they run. */
static void sbi_fw_read(uint32_t xlen)
{
	uint32_t i, k, good = 0;
	struct pmumap_sbi s;
	struct firmware f;

	test_now = "firmware counters";
	sbi_begin(&s, &f, xlen);
	for (i = 0; i < STEPS; i++)
		for (k = 0; k < 32; k++) {
			uint64_t wrap = k & 16 ? 0 : 0x700000000u; /* of a half, or of both */
			struct pmumap_sbi_ret r;
			uint64_t before;

			f.advance = steps[i];
			f.count = before = wrap + (4 - (uint64_t)(k % 16)) * f.advance - k % 16;
			r = pmumap_sbi_fw_read(&s, 11);
			good += r.error == 0 && r.value - before <= f.count - before;
			good += f.a[(f.calls - 1) % 64][0] == 11;
		}
	CHECK_EQ(good, STEPS * 32 * 2);
	CHECK_EQ(f.dirty, 0);
	f.calls = 0;
	CHECK_EQ(pmumap_sbi_fw_read(&s, 12).error, 0);
	CHECK(xlen == 32 || f.calls == 1);
}

/* Values come from the user's CSRs, overflows from scountovf. */
static void sbi_read(uint32_t xlen)
{
	uint32_t i, k, good = 0;
	struct pmumap_sbi s;
	struct firmware f;
	struct pmumap_pmu p;

	test_now = "hardware counters from S-mode";
	sbi_begin(&s, &f, xlen);
	CHECK(pmumap_sbi_probe(&s) != 0);
	s.arg = &m;
	m.mode = PMUMAP_INHIBIT_S;
	m.event[31] = 0x701;
	for (i = 0; i < STEPS; i++)
		for (k = 0; k < 32; k++) {
			uint64_t wrap = k & 16 ? 0 : 0x700000000u, before, got;

			m.step = steps[i];
			m.value[31] = before = wrap + (4 - (uint64_t)(k % 16)) * m.step - k % 16;
			got = pmumap_sbi_read(&s, 31);
			good += got - before <= m.value[31] - before;
		}
	CHECK_EQ(good, STEPS * 32);
	m.event[31] = 1ull << 63;
	CHECK(!pmumap_sbi_overflowed(&s, 31));
	CHECK_EQ(m.absent, 0);
	s.features = SOF;
	CHECK(pmumap_sbi_overflowed(&s, 31) && !pmumap_sbi_overflowed(&s, 3));
	pmumap_sbi_as_pmu(&s, &p);
	m.value[31] = m.step = 77;
	m.event[31] = 1ull << 63;
	CHECK(p.read(p.arg, 31) == 77 && p.overflowed(p.arg, 31) && !p.overflowed(p.arg, 4));
	CHECK_EQ(m.absent + m.reserved, 0);
}

/* ---- from end to end ------------------------------------------------------------------------- */

/* A guest on a monitor on a machine; or a guest on a hypervisor on all that. */
struct stack {
	struct pmumap_pmu below, between;
	struct pmumap_server monitor, hypervisor;
	struct pmumap_sbi host, guest;
	struct pmumap_server_host memory;
	uint64_t page[512];
	struct model rows;
	struct pmumap *map;
};

#define PAGE 0x1000u /* where the guest has that page */

static int page_of(void *arg, uint64_t low, uint64_t high, void *data, uint64_t bytes, int write)
{
	struct stack *t = arg;
	unsigned char *at = (unsigned char *)t->page + (low - PAGE);

	if (high || low < PAGE || low - PAGE > sizeof(t->page) ||
	    bytes > sizeof(t->page) - (low - PAGE))
		return 0;
	if (data)
		memcpy(write ? at : data, write ? data : at, (size_t)bytes);
	return 1;
}

static int all_counted(void *arg, uint32_t code, uint64_t data)
{
	(void)arg, (void)data;
	return code < PMUMAP_SERVER_FW_EVENTS;
}

static struct pmumap_sbi_ret to_monitor(void *arg, uint32_t function, const uint64_t *a)
{
	return pmumap_server_call(&((struct stack *)arg)->monitor, function, a);
}

static struct pmumap_sbi_ret to_hypervisor(void *arg, uint32_t function, const uint64_t *a)
{
	return pmumap_server_call(&((struct stack *)arg)->hypervisor, function, a);
}

static uint64_t guest_read(void *arg, uint32_t csr)
{
	(void)arg;
	return csr_read(&m, csr);
}

static void rows_of(struct model *rows)
{
	model_init(rows);
	model_add_counters(rows, 3, 4, 0x18);
	model_add_counters(rows, 0x10019, 0x10019, 0x70);
	model_add_counters(rows, 2, 2, 0x20);
	model_add_selector(rows, 2, 0x702);
	model_add_selector(rows, 3, 0x703);
	model_add_selector(rows, 4, 0x704);
	model_add_selector(rows, 0x10019, 0x719);
	model_add_raw(rows, 0x7000, ~0xffull, 0x60);
}

static void server(struct stack *t, struct pmumap_server *s, const struct pmumap_pmu *pmu,
		   uint32_t granted, uint32_t inhibit)
{
	memset(s, 0, sizeof(*s));
	s->map = t->map;
	s->pmu = pmu;
	s->host = &t->memory;
	s->xlen = m.xlen;
	s->granted = granted;
	s->features = m.features & (SOF | SMC);
	s->rule = PMUMAP_RULE_NONE;
	s->inhibit = inhibit;
	s->width = m.width;
	pmumap_server_init(s);
}

static void client(struct stack *t, struct pmumap_sbi *s,
		   struct pmumap_sbi_ret (*call)(void *, uint32_t, const uint64_t *))
{
	memset(s, 0, sizeof(*s));
	s->call = call;
	s->read = guest_read;
	s->arg = t;
	s->xlen = m.xlen;
	s->features = m.features & SOF;
	CHECK(pmumap_sbi_probe(s) != 0);
}

/* granted: counters of the guest. nested: there is a hypervisor in between. */
static struct pmumap_sbi *stack_begin(struct stack *t, uint32_t xlen, uint32_t features,
				      uint32_t granted, int nested)
{
	memset(t, 0, sizeof(*t));
	t->memory.access = page_of;
	t->memory.counts = all_counted;
	t->memory.arg = t;
	rows_of(&t->rows);
	t->map = build_rows(&t->rows);
	machine_begin(&m, xlen, features);
	m.width = 48;
	hart_begin(&h, &m);
	CHECK_EQ(pmumap_hart_probe(&h), m.counters);
	m.absent = 0; /* those were asked for */
	pmumap_hart_as_pmu(&h, &t->below);
	pmumap_hart_permit(&h, 0x7d);
	server(t, &t->monitor, &t->below, nested ? 0x7d : granted, PMUMAP_INHIBIT_M);
	client(t, &t->host, to_monitor);
	m.mode = nested ? PMUMAP_INHIBIT_VS : PMUMAP_INHIBIT_S;
	if (!nested)
		return &t->host;
	pmumap_sbi_as_pmu(&t->host, &t->between);
	server(t, &t->hypervisor, &t->between, granted, PMUMAP_INHIBIT_S | PMUMAP_INHIBIT_U);
	t->hypervisor.for_vs = 1;
	client(t, &t->guest, to_hypervisor);
	return &t->guest;
}

static void stack_end(struct stack *t)
{
	CHECK_EQ(m.absent + m.reserved, 0);
	free(t->map);
	model_free(&t->rows);
}

/* One event on one counter: the guest reads what the machine counts. */
static void counted(struct pmumap_sbi *s, uint32_t event, uint64_t data, uint32_t counter,
		    uint64_t rate)
{
	struct pmumap_job job = { data, 0, event, 0, 1 };
	uint64_t value = 0x2fffffff0u;
	/* Only counters that cannot be stopped still count. */
	uint64_t more = counter < 3 && !(m.features & STOPS) ? 1 : 0;

	CHECK(pmumap_sbi_set(s, counter, &job));
	pmumap_sbi_start(s, counter, &value);
	run(&m, 100);
	CHECK_EQ(pmumap_sbi_read(s, counter), value + 100 * rate);
	pmumap_sbi_stop(s, counter, 0);
	run(&m, 50);
	CHECK_EQ(pmumap_sbi_read(s, counter), value + 100 * rate + 50 * more);
	pmumap_sbi_start(s, counter, NULL);
	run(&m, 7);
	CHECK_EQ(pmumap_sbi_read(s, counter), value + 107 * rate + 50 * more);
	pmumap_sbi_stop(s, counter, 1);
	CHECK(pmumap_sbi_set(s, counter, &job));
	pmumap_sbi_start(s, counter, NULL);
	run(&m, 9);
	CHECK_EQ(pmumap_sbi_read(s, counter), 9 * rate);
	pmumap_sbi_stop(s, counter, 1);
}

static void modes_end_to_end(struct pmumap_sbi *s, int nested)
{
	struct pmumap_job job = { 0, 0, 3, PMUMAP_INHIBIT_U, 1 };

	if ((m.features & SOF) != SOF)
		return;
	CHECK(pmumap_sbi_set(s, 3, &job));
	pmumap_sbi_start(s, 3, NULL);
	m.mode = nested ? PMUMAP_INHIBIT_VU : PMUMAP_INHIBIT_U;
	run(&m, 1000);
	m.mode = PMUMAP_INHIBIT_M;
	run(&m, 1000);
	if (nested) {
		m.mode = PMUMAP_INHIBIT_S;
		run(&m, 1000);
		m.mode = PMUMAP_INHIBIT_U;
		run(&m, 1000);
	}
	m.mode = nested ? PMUMAP_INHIBIT_VS : PMUMAP_INHIBIT_S;
	run(&m, 10);
	CHECK_EQ(pmumap_sbi_read(s, 3), 30);
	CHECK(!pmumap_sbi_overflowed(s, 3));
	run(&m, 1ull << 46);
	run(&m, 1ull << 46);
	CHECK(pmumap_sbi_overflowed(s, 3));
	pmumap_sbi_stop(s, 3, 0);
	pmumap_sbi_start(s, 3, NULL);
	CHECK(!pmumap_sbi_overflowed(s, 3));
	pmumap_sbi_stop(s, 3, 1);
}

/* A 64-bit word of the guest's page, which is little-endian. */
static uint64_t page_word(const struct stack *t, uint32_t n)
{
	const unsigned char *at = (const unsigned char *)&t->page[n];
	uint64_t value = 0;
	uint32_t i;

	for (i = 8; i-- > 0;)
		value = value << 8 | at[i];
	return value;
}

/* The snapshot has the final count, although the counter was stopped before. */
static void snapshot(struct stack *t, struct pmumap_sbi *s)
{
	struct pmumap_job job = { 0, 0, 3, 0, 1 };
	uint64_t share[6] = { PAGE, 0, 0, 0, 0, 0 }, value = ones(48) - 9;

	CHECK_EQ(s->call(s->arg, PMUMAP_SBI_SNAPSHOT_SET_SHMEM, share).error, 0);
	CHECK(pmumap_sbi_set(s, 3, &job) && pmumap_sbi_set(s, 4, &job));
	pmumap_sbi_start(s, 3, &value);
	pmumap_sbi_start(s, 4, NULL);
	run(&m, 100);
	CHECK_EQ(pmumap_sbi_stop_set(s, 2, 6, PMUMAP_SBI_TAKE_SNAPSHOT).error, 0);
	CHECK_EQ(page_word(t, 0), m.features & CAN_I ? 2 : 0);
	CHECK_EQ(page_word(t, 2), 290);
	CHECK_EQ(page_word(t, 3), 300);
	CHECK_EQ(pmumap_sbi_start_set(s, 2, 6, PMUMAP_SBI_INIT_SNAPSHOT, 0).error, 0);
	run(&m, 1);
	CHECK_EQ(pmumap_sbi_stop_set(s, 3, 3, PMUMAP_SBI_TAKE_SNAPSHOT | PMUMAP_SBI_RESET).error,
		 0);
	CHECK_EQ(page_word(t, 0), 0);
	CHECK_EQ(page_word(t, 1), 293);
	CHECK_EQ(page_word(t, 2), 303);
}

static void end_to_end(uint32_t xlen, uint32_t features, int nested)
{
	struct stack *t = exact(sizeof(*t));
	struct pmumap_sbi *s = stack_begin(t, xlen, features, 0x5d, nested);
	struct pmumap_job job = { 0, 0, 3, 0, 1 }, cycles = { 0, 0, 1, 0, 1 };
	struct pmumap_sbi_ret r;

	test_now = nested ? "guest, hypervisor, monitor, hart" : "guest, monitor, hart";
	CHECK_EQ(s->counters, 0x5d);
	CHECK_EQ(s->width, 48);
	CHECK_EQ(s->total, 7 + 16);
	/* A fixed counter would also count modes that the guest or its host excludes. */
	if ((features & PMUMAP_CAN_FILTER) && !(features & SMC)) {
		CHECK(!pmumap_sbi_set(s, 0, &cycles));
	} else {
		counted(s, 1, 0, 0, 1);
		counted(s, 2, 0, 2, 1);
	}
	counted(s, 3, 0, 3, 3);
	counted(s, 4, 0, 4, 4);
	counted(s, 0x10019, 0, 6, 0x19);
	counted(s, 0x20000, 0x7055, 6, 0x55);
	counted(s, 0x30000, 0x70aa, 6, 0xaa);
	modes_end_to_end(s, nested);
	snapshot(t, s);
	/* Events and counters that the map or the grant lacks. */
	CHECK(!pmumap_sbi_set(s, 5, &job) && !pmumap_sbi_set(s, 6, &job));
	CHECK(pmumap_sbi_set(s, 3, &job) && pmumap_sbi_set(s, 4, &job));
	CHECK_EQ(pmumap_sbi_match(s, 0, 0x7f, 0, 4, 0).error, PMUMAP_SBI_NOT_SUPPORTED);
	pmumap_sbi_stop(s, 3, 1);
	r = pmumap_sbi_match(s, 0, 0x7f, 0, 4, 0);
	CHECK(r.error == 0 && r.value == 3);
	/* A firmware counter across a carry of its low half. */
	r = pmumap_sbi_match(s, 7, 0xffff, 0, 0xf0005, 0);
	CHECK(r.error == 0 && r.value == 7);
	CHECK_EQ(pmumap_sbi_start_set(s, r.value, 1, 1, 0xfffffffffu).error, 0);
	pmumap_server_firmware_event(nested ? &t->hypervisor : &t->monitor, 5, 0);
	CHECK_EQ(pmumap_sbi_fw_read(s, r.value).value, 0x1000000000);
	pmumap_server_reset(nested ? &t->hypervisor : &t->monitor);
	CHECK(m.event[3] == 0 && m.event[4] == 0);
	stack_end(t);
	free(t);
}

/* A suspend that loses the registers; and a start of a running counter. */
static void started_again(uint32_t xlen, uint32_t features)
{
	static struct stack t;
	uint64_t match[6] = { 3, 1, 0, 3, 0, 0 }, start[6] = { 3, 1, 0, 0, 0, 0 };
	uint64_t stop[6] = { 3, 1, 0, 0, 0, 0 };
	struct pmumap_server *s = &t.monitor;

	test_now = "START after a suspend that lost the CSRs";
	stack_begin(&t, xlen, features, 0x5d, 0);
	CHECK_EQ(pmumap_server_call(s, PMUMAP_SBI_CONFIG_MATCHING, match).error, 0);
	CHECK_EQ(pmumap_server_call(s, PMUMAP_SBI_START, start).error, 0);
	run(&m, 10);
	CHECK_EQ(pmumap_server_call(s, PMUMAP_SBI_STOP, start).error, 0);
	memset(m.event, 0, sizeof(m.event));
	memset(m.value, 0, sizeof(m.value));
	start[2] = PMUMAP_SBI_SET_INIT_VALUE;
	start[3] = 100;
	CHECK_EQ(pmumap_server_call(s, PMUMAP_SBI_START, start).error, 0);
	run(&m, 10);
	CHECK_EQ(m.value[3], 130);

	test_now = "START of a counter that runs";
	m.event[3] |= 1ull << 63;
	CHECK_EQ(pmumap_server_call(s, PMUMAP_SBI_START, start).error, PMUMAP_SBI_ALREADY_STARTED);
	CHECK(m.event[3] >> 63 == 1 && m.value[3] == 130);
	CHECK_EQ(pmumap_server_call(s, PMUMAP_SBI_STOP, stop).error, 0);
	CHECK_EQ(pmumap_server_call(s, PMUMAP_SBI_START, start).error, 0);
	CHECK(m.event[3] >> 63 == 0 && m.value[3] == 100);
	stack_end(&t);
}

/* ---- a map of what the firmware below answers ------------------------------------------------ */

/* The rows that follow from the firmware's map and grant, for all hardware and cache events. */
static void expected_rows(struct model *want, const struct model *rows, uint32_t features,
			  unsigned rule, uint32_t granted)
{
	uint32_t event;
	uint64_t selector;

	if (features & PMUMAP_CAN_FILTER) /* the server's */
		features |= PMUMAP_MUST_FILTER;
	model_init(want);
	for (event = 1; event < 0x10040; event = event == 0x3f ? 0x10000 : event + 1) {
		uint32_t counters = model_candidates(rows, event, 0, features) & granted;

		if (!model_encode(rows, event, 0, rule, &selector))
			counters &= 7;
		if (model_valid(event) && counters)
			model_add_counters(want, event, event, counters);
	}
}

/* The map built from the firmware's answers equals that of these rows. */
static int same_rows(struct pmumap_sbi *s, const struct model *rows, enum pmumap_status *status)
{
	static uint64_t block[PMUMAP_BLOCK(0, 52, 0) / 8];
	struct pmumap *want = build_rows(rows);
	const struct pmumap *map;
	struct pmumap_builder b;
	int same;

	pmumap_begin(&b, block, sizeof(block));
	*status = pmumap_add_sbi(&b, s);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	same = map && same_image(map, want);
	free(want);
	return same;
}

/*
 * The server as firmware: each of its events, with and without shared memory; nothing else changes.
 */
static void add_server(uint32_t xlen, uint32_t features, uint32_t granted, int nested, int shares)
{
	struct stack *t = exact(sizeof(*t));
	struct pmumap_sbi *s = stack_begin(t, xlen, features, granted, nested);
	struct pmumap_job job = { 0, 0, 3, 0, 1 };
	enum pmumap_status status;
	struct machine before;
	struct model want;

	test_now = "a map of what the server answers";
	if (shares) {
		s->shared = t->page;
		s->shared_address = PAGE;
	}
	expected_rows(&want, &t->rows, t->monitor.features, PMUMAP_RULE_NONE, granted);
	before = m;
	CHECK(same_rows(s, &want, &status) && status == PMUMAP_OK);
	before.absent = m.absent;
	before.writes = m.writes;
	memcpy(before.log, m.log, sizeof(before.log));
	before.inhibit = m.inhibit; /* all that is released stands still */
	CHECK(memcmp(&before, &m, sizeof(before)) == 0);
	CHECK_EQ(m.absent, 0);
	model_free(&want);

	test_now = "one that counts stays what it is";
	CHECK(pmumap_sbi_set(s, 3, &job));
	pmumap_sbi_start(s, 3, NULL);
	run(&m, 5);
	expected_rows(&want, &t->rows, t->monitor.features, PMUMAP_RULE_NONE, granted & ~8u);
	CHECK(same_rows(s, &want, &status) && status == PMUMAP_OK);
	run(&m, 5);
	CHECK_EQ(pmumap_sbi_read(s, 3), 30);
	CHECK_EQ(pmumap_sbi_match(s, s->index[3], 1, 0, 3, 0).error, PMUMAP_SBI_NOT_SUPPORTED);
	model_free(&want);
	stack_end(t);
	free(t);
}

/* Firmware asked in every possible way; some of its counters have odd numbers. */
struct asked {
	uint64_t address;
	const unsigned char *entry;
	uint32_t xlen, denies, infos, matches, stops, busy, wrong;
	int error, last; /* of EVENT_GET_INFO; the counter that is to be released */
};

static struct pmumap_sbi_ret asked_call(void *arg, uint32_t function, const uint64_t *a)
{
	struct asked *f = arg;
	struct pmumap_sbi_ret r = { 0, 0 };
	uint32_t event = (uint32_t)a[3];

	f->wrong += f->last >= 0 && function != PMUMAP_SBI_STOP;
	switch (function) {
	case PMUMAP_SBI_EVENT_GET_INFO:
		f->infos++;
		f->wrong +=
			a[0] != (f->address & ones(f->xlen)) || a[2] != 1 || a[3] || a[4] || a[5];
		f->wrong += a[1] != (f->xlen == 32 ? f->address >> 32 : 0);
		event = model_cell(f->entry);
		event = event >> 24 | (event >> 8 & 0xff00) | (event & 0xff00) << 8;
		f->wrong += f->entry[3] || model_cell(f->entry + 4) || model_cell(f->entry + 8) ||
			    model_cell(f->entry + 12);
		/*
		 * Cycles and instructions are denied, although they are counted. Bits above the
		 * answer are reserved.
		 */
		((unsigned char *)(uintptr_t)f->entry)[4] =
			0xfe | (event > 2 && event != f->denies);
		r.error = f->error;
		break;
	case PMUMAP_SBI_CONFIG_MATCHING:
		f->matches++;
		f->wrong += a[1] != 1 || a[2] || a[4] || a[5] || !model_valid(event);
		r.error = f->busy == a[0] || (a[0] > 7 && a[0] != 1000) ||
					  (event != 2 && a[0] == 7) || (event != 1 && a[0] == 0)
				  ? PMUMAP_SBI_NOT_SUPPORTED
				  : 0;
		f->last = r.error ? -1 : (int)a[0];
		r.value = a[0];
		break;
	case PMUMAP_SBI_STOP:
		f->stops++;
		f->wrong += (int)a[0] != f->last || a[1] != 1 || a[2] != PMUMAP_SBI_RESET;
		f->last = -1;
		r.error = PMUMAP_SBI_ALREADY_STOPPED; /* which says nothing */
		break;
	default:
		f->wrong++;
	}
	return r;
}

/* Cycles and instructions on counters 0 and 2, all but one on 4 and 31. */
static void asked_rows(struct model *want, uint32_t denied)
{
	uint32_t event;

	model_init(want);
	for (event = 1; event < 0x10038; event = event == 10 ? 0x10000 : event + 1)
		if (model_valid(event) && event != denied)
			model_add_counters(want, event, event,
					   0x80000010u | (event < 3 ? event * event : 0));
}

static void add_asked(uint32_t xlen, uint32_t denied)
{
	static unsigned char page[32];
	struct asked f = { 0x123456780u, NULL, xlen, denied, 0, 0, 0, 5, 0, 0, -1 };
	enum pmumap_status status;
	struct pmumap_sbi s;
	struct model want;

	test_now = "a map of what firmware answers";
	if (xlen == 64)
		f.address = 0xfedcba9876543210u;
	memset(&s, 0, sizeof(s));
	s.call = asked_call;
	s.arg = &f;
	s.xlen = xlen;
	model_init(&want);
	CHECK(same_rows(&s, &want, &status) && status == PMUMAP_E_NOTFOUND);
	CHECK_EQ(f.infos + f.matches + f.stops + f.wrong, 0);

	s.counters = 0x8000003du; /* 0, 2, 3, 4, 5, 31 */
	s.index[2] = 7;
	s.index[3] = 5; /* which is in use */
	s.index[4] = 4;
	s.index[5] = 9; /* which counts nothing */
	s.index[31] = 1000;
	asked_rows(&want, 0);
	CHECK(same_rows(&s, &want, &status) && status == PMUMAP_OK);
	CHECK(f.infos == 0 && f.matches == 52 * 4 + 2 && f.stops == 52 * 2 + 2 && f.wrong == 0);

	/* Firmware without the call is asked only once. */
	memset(page, 0xa5, sizeof(page));
	s.shared = page;
	s.shared_address = f.address;
	f.entry = page;
	f.error = PMUMAP_SBI_NOT_SUPPORTED;
	CHECK(same_rows(&s, &want, &status) && status == PMUMAP_OK);
	CHECK(f.infos == 1 && f.matches == 2 * (52 * 4 + 2) && f.wrong == 0);
	model_free(&want);

	f.error = 0;
	f.infos = f.matches = 0;
	asked_rows(&want, denied);
	CHECK(same_rows(&s, &want, &status) && status == PMUMAP_OK);
	CHECK(f.infos == 52 && f.matches == 51 * 4 + 2 && f.wrong == 0);
	CHECK(page[15] == 0 && page[16] == 0xa5);
	model_free(&want);
}

/* A builder that fails reports it. */
static void add_misaligned(void)
{
	static uint64_t block[512];
	struct asked f = { 0, NULL, 64, 0, 0, 0, 0, 5, 0, 0, -1 };
	struct pmumap_builder b;
	struct pmumap_sbi s;

	memset(&s, 0, sizeof(s));
	s.call = asked_call;
	s.arg = &f;
	s.xlen = 64;
	s.counters = 0x10;
	s.index[4] = 4;
	pmumap_begin(&b, (unsigned char *)block + 1, 1024);
	CHECK_EQ(pmumap_add_sbi(&b, &s), PMUMAP_E_ARG);
	CHECK(f.matches == 1 && f.stops == 1);
}

static void add_servers(uint32_t xlen)
{
	static const uint32_t granted[] = { 0x7d, 0x5d, 0x18, 0x78 };
	uint32_t i, f;

	for (i = 0; i < 16; i++) {
		f = (i & 1 ? SOF : 0) | STOPS | (i & 2 ? SMC : 0);
		add_server(xlen, f, granted[i / 4], 0, i & 1);
		add_server(xlen, f, granted[i / 4], 1, i & 2);
	}
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void all(uint32_t xlen)
{
	uint32_t f;

	for (f = 0; f < 16; f++) {
		uint32_t features = (f & 1 ? CAN_I : 0) | (f & 2 ? SMC : 0) | (f & 4 ? CAN_F : 0) |
				    (f & 8 ? STOPS : 0);

		test_now = "modes";
		inhibit_bits(xlen, features);
		sequences(xlen, features);
		suspend(xlen, features);
		started_twice(xlen, features);
		end_to_end(xlen, features, 0);
		end_to_end(xlen, features, 1);
	}
	started_again(xlen, SOF | STOPS);
	fixed(xlen);
	overflow(xlen, STOPS);
	overflow(xlen, 0);
	overflow(xlen, STOPS | SMC);
	not_there(xlen);
	reads_across_carry(xlen, 0);
	reads_across_carry(xlen, 5);
	writes_across_carry(xlen);
	probes(xlen);
	narrow(xlen);
	one_mode(xlen);
	ends(xlen);
	permit(xlen);
	delegate(xlen);
	probe_below(xlen);
	probe_told(xlen);
	probe_kept(xlen);
	set_refused(xlen);
	sets_wiped(xlen);
	sbi_probe(xlen);
	sbi_arguments(xlen);
	sbi_not_there(xlen);
	sbi_fw_read(xlen);
	sbi_read(xlen);
	add_servers(xlen);
	add_asked(xlen, 0x10019);
	add_asked(xlen, 3); /* next to those that are tried all the same */
}

int main(void)
{
	set_events();
	add_misaligned();
	all(64);
	all(32);
	return test_summary();
}
