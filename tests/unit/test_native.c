/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The code for a RISC-V hart's own registers, on any machine: the macros that are CSR instructions
 * there access a simulated hart here. A second hart, accessed by calls, has to end in the same
 * state after each of many random operations, in M-mode and in S-mode.
 */
#undef PMUMAP_EXTERN /* compile this file's functions for RISC-V */

#include <limits.h>
#include <stdint.h>

#ifndef XLEN
#if ULONG_MAX > 0xffffffff
#define XLEN 64
#else
#define XLEN 32
#endif
#endif
#undef __riscv_xlen
#define __riscv_xlen XLEN
#ifndef __riscv
#define __riscv 1
#endif
#include "core/compiler.h"
#include "hw/csr.h"

static unsigned long native_read(uint32_t csr);
static void native_write(uint32_t csr, uint64_t value);
static unsigned long native_swap(uint32_t csr, unsigned long value);
static unsigned long ecall(const unsigned long *a);
static unsigned long ecall_value;

#undef PMUMAP_CSR_GET_
#undef PMUMAP_CSR_PUT_
#undef PMUMAP_CSR_SWAP_
#undef PMUMAP_CSR_SET_
#undef PMUMAP_CSR_CLEAR_
#undef PMUMAP_CSR_GET_NTH_
#undef PMUMAP_CSR_PUT_NTH_
#undef PMUMAP_CSR_READ_
#undef PMUMAP_CSR_GET_BOTH_
#undef PMUMAP_CSR_PUT_BOTH_
#undef PMUMAP_CSR_PUT_GET_
#define PMUMAP_CSR_GET_(x, csr) ((x) = native_read(csr))
#define PMUMAP_CSR_PUT_(x, csr) native_write(csr, x)
#define PMUMAP_CSR_SWAP_(x, csr) ((x) = native_swap(csr, x))
#define PMUMAP_CSR_SET_(x, csr) native_write(csr, native_read(csr) | (x))
#define PMUMAP_CSR_CLEAR_(x, csr) native_write(csr, native_read(csr) & ~(x))
#define PMUMAP_CSR_GET_NTH_(x, csr, n) ((x) = native_read((csr) + (uint32_t)(n)))
#define PMUMAP_CSR_PUT_NTH_(x, csr, n) native_write((csr) + (uint32_t)(n), x)
#define PMUMAP_CSR_READ_(high, low, again, n) native_value((uint32_t)(n), &(high), &(low), &(again))
#define PMUMAP_CSR_GET_BOTH_(value, event, n)                                                      \
	((value) = native_read(0xb00 + (uint32_t)(n)), (event) = native_read(0x320 + (uint32_t)(n)))
#define PMUMAP_CSR_PUT_BOTH_(value, event, n, no_high, write)                                      \
	(native_put_event((uint32_t)(n), event, no_high),                                          \
	 native_put((uint32_t)(n), value, (write) != 0))
#define PMUMAP_CSR_PUT_GET_(value, eventh, event, n, no_high, write)                               \
	(native_put((uint32_t)(n), value, (write) != 0),                                           \
	 native_event((uint32_t)(n), &(eventh), &(event), no_high))

/* What a table's entry does. */
static void native_value(uint32_t n, unsigned long *high, unsigned long *low, unsigned long *again)
{
	if (XLEN == 32)
		*high = native_read(0xb80 + n);
	*low = native_read(0xb00 + n);
	if (XLEN == 32)
		*again = native_read(0xb80 + n);
}

static void native_event(uint32_t n, unsigned long *high, unsigned long *low, unsigned long no_high)
{
	*low = native_read(0x320 + n);
	if (XLEN == 32 && !no_high)
		*high = native_read(0x720 + n);
}

static void native_put(uint32_t n, uint64_t value, int write)
{
	if (write && XLEN == 32) {
		native_write(0xb00 + n, 0);
		native_write(0xb80 + n, value >> 32);
	}
	if (write)
		native_write(0xb00 + n, value);
}

static void native_put_event(uint32_t n, uint64_t event, unsigned long no_high)
{
	if (XLEN == 32 && !no_high)
		native_write(0x720 + n, event >> 32);
	native_write(0x320 + n, event);
}

/* The names of a0 to a7, and ecall. */
#define __asm__(name)
#define __volatile__(...)                                                                          \
	("" : : : "memory");                                                                       \
	a0 = ecall((const unsigned long[]){ a0, a1, a2, a3, a4, a5, a6, a7 }), a1 = ecall_value
#include "hw/straight.h"
#include "hw/riscv_native.h"
#undef __asm__
#undef __volatile__

#include "support.h"
#include "machine.h"

/* ---- the simulated hart ---------------------------------------------------------------------- */

static struct machine *now;
static unsigned long siselect; /* has to be what it was, after each operation */
static uint32_t odd;           /* accesses through it to what is no counter */

/* S-mode's CSRs by M-mode's numbers. */
static uint32_t number_of(uint32_t csr)
{
	static const uint16_t bases[] = { 0xb00, 0x320, 0, 0, 0xb80, 0x720 };
	uint32_t n = (uint32_t)siselect & 31, which = csr - 0x151;

	if (csr == 0x106 || csr == 0x120)
		return csr + 0x200;
	if (which >= sizeof(bases) / sizeof(bases[0]))
		return csr;
	odd += siselect >> 5 != 2 || !bases[which] || n == 1;
	return bases[which] + (which % 4 == 1 && n == 0 ? 1 : n);
}

static unsigned long native_read(uint32_t csr)
{
	return csr == 0x150 ? siselect : (unsigned long)csr_read(now, number_of(csr));
}

static void native_write(uint32_t csr, uint64_t value)
{
	value &= ones(XLEN); /* where long is longer */
	if (csr == 0x150)
		siselect = (unsigned long)value;
	else
		csr_write(now, number_of(csr), value);
}

static unsigned long native_swap(uint32_t csr, unsigned long value)
{
	unsigned long before = native_read(csr);

	native_write(csr, value);
	return before;
}

/* ---- two harts ------------------------------------------------------------------------------- */

struct twin {
	struct machine m;
	struct pmumap_hart h;
	struct pmumap_pmu_sets sets;
};

static void twins_begin(struct twin *t, uint32_t features, int below)
{
	int i;

	for (i = 0; i < 2; i++) {
		machine_begin(&t[i].m, XLEN, features);
		t[i].m.counters = 0x8000007d;
		t[i].m.width = 48;
		t[i].m.hidden = below ? 0x9 : 0;
		t[i].m.inhibit = t[i].m.counters & ~1u;
		t[i].m.enable = below ? ~0u : 0; /* for scountovf */
		t[i].m.has[0] = t[i].m.has[1] = t[i].m.has[2] = ~0ull;
		hart_begin(&t[i].h, &t[i].m);
		t[i].h.below = (uint32_t)below & !i; /* the other is told by what begins it */
		pmumap_hart_sets(&t[i].h, &t[i].sets);
	}
	if (below)
		pmumap_hart_init_supervisor(&t[1].h);
	else
		pmumap_hart_init_machine(&t[1].h);
	CHECK(!t[1].h.arg && t[1].h.xlen == XLEN && t[1].h.below == (uint32_t)below);
	CHECK_EQ(t[1].h.direct, 1);
	now = &t[1].m;
	siselect = 0x1234;
}

static int alike(const struct twin *t)
{
	const struct machine *a = &t[0].m, *b = &t[1].m;

	return !memcmp(a->value, b->value, sizeof(a->value)) &&
	       !memcmp(a->event, b->event, sizeof(a->event)) && a->inhibit == b->inhibit &&
	       a->enable == b->enable && !memcmp(a->control, b->control, sizeof(a->control)) &&
	       !memcmp(t[0].h.selector, t[1].h.selector, sizeof(t[0].h.selector)) &&
	       t[0].h.secret == t[1].h.secret && t[0].h.counters == t[1].h.counters &&
	       t[0].h.features == t[1].h.features && t[0].h.width == t[1].h.width && !odd &&
	       siselect == 0x1234;
}

static void probe_both(struct twin *t, int below)
{
	uint32_t found[2], i;

	for (i = 0; i < 2; i++) {
		found[i] = pmumap_hart_probe(&t[i].h);
		CHECK(below || pmumap_hart_delegate(&t[i].h, 0x58) == 0x58);
	}
	CHECK_EQ(found[1], found[0]);
	CHECK_EQ(found[1], t[0].m.counters & ~t[0].m.hidden);
	CHECK(alike(t) && t[0].m.absent == t[1].m.absent && t[0].m.reserved == t[1].m.reserved);
}

/* All running counters leave, and maybe some of them enter again. Returns whether all agree. */
static int change_sets(struct twin *t, const struct pmumap_job *job, uint32_t counters)
{
	uint64_t value[2][32];
	uint32_t over[2] = { 0, 0 }, refused[2], i, n;

	for (i = 0; i < 2; i++) {
		memset(value[i], 0, sizeof(value[i]));
		over[i] = 0;
		refused[i] = t[i].sets.release(&t[i].h, counters, counters,
					       counters & ~t[i].m.inhibit, value[i], &over[i]);
	}
	if (memcmp(value[0], value[1], sizeof(value[0])) || over[0] != over[1] ||
	    refused[0] != refused[1] || !alike(t))
		return 0;
	for (n = 0; n < 32; n++)
		value[0][n] = value[1][n] = random64() & ones(48);
	counters &= random_below(2) ? ~0u : (uint32_t)random64();
	for (i = 0; i < 2; i++)
		refused[i] = t[i].sets.load(&t[i].h, counters, job, value[i]);
	return refused[0] == refused[1];
}

/* Both probe again, perhaps after the hart has gained or lost features. */
static void probe_again(struct twin *t, uint32_t features)
{
	uint32_t i, kept = random_below(2) ? ~0u : STOPS;

	for (i = 0; i < 2; i++) {
		t[i].m.features = features & kept;
		t[i].h.features = t[i].m.features | PMUMAP_TOLD;
		pmumap_hart_probe(&t[i].h);
	}
}

/* One operation on both. counters: that the test has set. */
static int operate(struct twin *t, uint32_t *counters)
{
	static const uint8_t numbers[] = { 0, 2, 3, 4, 5, 6, 31, 7 };
	uint32_t n = numbers[random_below(8)], kind = random_below(7), i;
	uint64_t value = random_below(2) ? random64() & ones(48) : ones(48) - random_below(9),
		 got[2];
	struct pmumap_job job[32];

	for (i = 0; i < 32; i++) {
		job[i].data = 0;
		job[i].selector = i < 3 ? 0 : random64() & ones(random_below(4) ? 32 : 64);
		job[i].event = i == 0 ? 1 : i;
		job[i].inhibit = random_below(9) ? random_below(32) : (uint32_t)random64();
		job[i].clear = random_below(2);
	}
	if (kind == 0)
		return change_sets(t, job, *counters & ~7u);
	for (i = 0; i < 2; i++) {
		struct pmumap_pmu *p = &t[i].sets.one;

		got[i] = 0;
		if (kind == 1)
			got[i] = (uint64_t)p->set(p->arg, n, &job[n]);
		else if (kind == 2)
			p->start(p->arg, n, value & 1 ? &value : NULL);
		else if (kind == 3)
			p->stop(p->arg, n, value % 8 == 0);
		else if (kind == 4)
			got[i] = p->read(p->arg, n);
		else if (kind == 5)
			got[i] = (uint64_t)p->overflowed(p->arg, n);
		else
			t[i].m.mode = 1u << value % 5, run(&t[i].m, value % 1000);
	}
	if (kind == 1 && got[0])
		*counters |= 1u << n;
	if (kind == 3 && value % 8 == 0)
		*counters &= ~(1u << n);
	return got[0] == got[1];
}

/* What can be stopped is accessed without calls: no function to call. */
static void without_calls(struct twin *t)
{
	static const struct pmumap_job job = { 0, 0x703, 4, 0, 0 }, fixed = { 0, 0, 2, 0, 0 };
	struct pmumap_job jobs[32] = { { 0, 0, 0, 0, 0 } };
	uint64_t value = 5, values[32] = { 0 };
	uint32_t over = 0, accesses;

	t->m.hidden = 0;
	CHECK(pmumap_hart_set(&t->h, 4, &job) && pmumap_hart_set(&t->h, 2, &fixed));
	t->h.secret = 0;
	t->h.read = NULL;
	t->h.write = NULL;
	accesses = t->m.writes;
	pmumap_hart_start(&t->h, 4, &value);
	CHECK_EQ(pmumap_hart_read(&t->h, 4), 5);
	pmumap_hart_stop(&t->h, 4, 0);
	CHECK_EQ(t->m.writes - accesses, XLEN == 64 ? 3 : 5);
	pmumap_hart_start(&t->h, 4, NULL);
	pmumap_hart_start(&t->h, 2, NULL);
	CHECK(pmumap_hart_set(&t->h, 4, &job));
	jobs[4] = job;
	CHECK_EQ(t->sets.release(&t->h, 0x10, 0x10, 0x10, values, &over), 0);
	CHECK(values[4] == 5 && !over);
	CHECK_EQ(t->sets.load(&t->h, 0x10, jobs, values), 0);
}

/* by_hand: without a probe. */
static void operations(uint32_t features, int below, int by_hand)
{
	static struct twin t[2];
	uint32_t i, counters = 0, rounds = quick(100000, 2000);

	test_now = below ? "S-mode" : "M-mode";
	twins_begin(t, features, below);
	if (by_hand)
		t[0].h.counters = t[1].h.counters &= ~t[0].m.hidden;
	else
		probe_both(t, below);
	t[1].m.absent = t[1].m.reserved = 0;
	for (i = 0; i < rounds && CHECK(operate(t, &counters) && alike(t)); i++) {
		if (!CHECK(!t[1].m.absent && !t[1].m.reserved))
			break;
		t[0].m.writes = t[1].m.writes = 0;
		if (!random_below(500))
			probe_again(t, features);
	}
	if (features & STOPS)
		without_calls(&t[1]);
}

/* The lower half of a running counter wraps between accesses. */
static void wraps(int below)
{
	static struct twin t[2];
	static const uint32_t numbers[] = { 2, 5 };
	struct pmumap_job job = { 0, 1, 2, 0, 0 };
	uint64_t start, read, before;
	uint32_t i, n;

	test_now = "wraps";
	twins_begin(t, STOPS | SOF, below);
	for (i = 0; i < 32; i++) {
		n = numbers[i % 2];
		t[1].m.step = 0;
		CHECK(pmumap_hart_set(&t[1].h, n, &job));
		start = 0x6ffffffff - i / 2;
		pmumap_hart_start(&t[1].h, n, &start);
		t[1].m.step = 1;
		before = t[1].m.value[n];
		read = pmumap_hart_read(&t[1].h, n);
		CHECK(read > before && read <= t[1].m.value[n]);

		t[1].m.value[n] = 0x2ffffffff - i / 2;
		start = 0x500000003;
		pmumap_hart_start(&t[1].h, n, &start);
		CHECK(t[1].m.value[n] - start < 8);
	}
}

/* ---- SBI ------------------------------------------------------------------------------------- */

static unsigned long registers[8];

static unsigned long ecall(const unsigned long *a)
{
	memcpy(registers, a, sizeof(registers));
	ecall_value = (unsigned long)-77;
	return (unsigned long)-7;
}

static void sbi(void)
{
	static struct twin t[2];
	static const uint32_t csrs[] = { 0xc00, 0xc03, 0xc1f, 0xda0, XLEN == 32 ? 0xc83 : 0xc03 };
	uint64_t a[6] = { 10, 11, 12, 13, 14, 15 };
	struct pmumap_sbi_ret ret;
	struct pmumap_sbi s;
	size_t i;

	test_now = "SBI";
	memset(&s, 0, sizeof(s));
	pmumap_sbi_init(&s);
	CHECK(!s.arg && s.xlen == XLEN);
	ret = s.call(s.arg, 3, a);
	for (i = 0; i < 6; i++)
		CHECK_EQ(registers[i], 10 + i);
	CHECK(registers[6] == 3 && registers[7] == 0x504d55);
	CHECK(ret.error == -7 && ret.value == (unsigned long)-77);
	twins_begin(t, SOF | STOPS, 0);
	t[0].m.enable = t[1].m.enable = ~0u;
	t[1].m.event[3] = t[0].m.event[3] = 1ull << 63;
	for (i = 0; i < 32; i++)
		t[0].m.value[i] = t[1].m.value[i] = random64() & ones(48);
	for (i = 0; i < sizeof(csrs) / sizeof(csrs[0]); i++)
		CHECK_EQ(s.read(s.arg, csrs[i]), csr_read(&t[0].m, csrs[i]));
	CHECK_EQ(s.read(s.arg, 0x300), 0);
}

int main(void)
{
	static const uint32_t features[] = { STOPS | SOF | SMC, STOPS | SOF, STOPS, STOPS | SMC,
					     STOPS | CAN_F,     SOF,         0 };
	size_t i;

	for (i = 0; i < 2 * sizeof(features) / sizeof(features[0]); i++) {
		operations(features[i / 2], 0, i % 2);
		if (features[i / 2] & STOPS)
			operations(features[i / 2], 1, i % 2);
	}
	wraps(0);
	wraps(1);
	sbi();
	return test_summary();
}
