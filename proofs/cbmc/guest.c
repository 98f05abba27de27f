/* SPDX-License-Identifier: BSD-2-Clause
 *
 * State and answers of a guest's counters, and accesses to its memory, whatever registers, hart and
 * host return.
 */
#include "proof.h"
#include "pmumap_hw.h"
#include "pmumap_server.h"

/* ---- the value of a counter ------------------------------------------------------------------ */

/* Only the two registers of one counter are kept; others may hold anything. */
struct registers {
	uint32_t counter, xlen;
	uint64_t low, high;
};

static uint64_t any_read(void *arg, uint32_t csr)
{
	const struct registers *r = (const struct registers *)arg;

	if (csr == 0xb00 + r->counter)
		return r->low;
	if (csr == 0xb80 + r->counter)
		return r->high;
	return r->xlen == 32 ? nondet_u32() : nondet_u64();
}

static void any_write(void *arg, uint32_t csr, uint64_t value)
{
	struct registers *r = (struct registers *)arg;

	prove(r->xlen == 64 || value <= 0xffffffff);
	if (csr == 0xb00 + r->counter)
		r->low = value;
	if (csr == 0xb80 + r->counter)
		r->high = value;
}

/* A start value reads back, from one register or two. */
void hart_value(void)
{
	struct registers r;
	struct pmumap_hart h;
	uint64_t value = nondet_u64();

	assume(r.counter < 32 && r.counter != 1 && (r.xlen == 32 || r.xlen == 64));
	h.read = any_read;
	h.write = any_write;
	h.arg = &r;
	h.xlen = r.xlen;
	h.counters = 1u << r.counter;
	pmumap_hart_start(&h, r.counter, &value);
	prove(pmumap_hart_read(&h, r.counter) == value);
	reached(r.xlen == 32 && value >> 32);
	reached(r.xlen == 64 && value >> 32);
}

/* ---- what has overflowed --------------------------------------------------------------------- */

static _Bool hart_overflows;

static int any_set(void *arg, uint32_t counter, const struct pmumap_job *job)
{
	return nondet_u8() & 1;
}

static void any_start(void *arg, uint32_t counter, const uint64_t *value)
{
}

static void any_stop(void *arg, uint32_t counter, int release)
{
}

static uint64_t any_value(void *arg, uint32_t counter)
{
	return nondet_u64();
}

static int any_overflow(void *arg, uint32_t counter)
{
	return hart_overflows;
}

/*
 * A counter has overflowed if its flag was set and it ran on, or if it overflowed before it
 * stopped. A start, set or release clears the flag. Operations on one counter do not affect
 * another.
 */
void overflows(void)
{
	const struct pmumap_pmu hart = { any_set, any_start, any_stop, any_value, any_overflow, 0 };
	struct pmumap_vpmu v;
	struct pmumap_pmu p;
	struct pmumap_job job;
	const uint32_t n = 31, other = 3; /* the solver needs minutes for any two */
	uint32_t act = nondet_u8() % 4, before;
	uint64_t value = nondet_u64();
	_Bool had, ran, configured, loaded, has;
	int done = 1;

	v.hart = &hart;
	pmumap_vpmu_as_pmu(&v, &p);
	before = v.overflowed;
	had = before >> n & 1;
	ran = v.running >> n & 1;
	configured = v.configured >> n & 1;
	loaded = v.loaded >> n & 1;
	hart_overflows = nondet_u8() & 1;
	if (act == 0)
		done = p.set(p.arg, n, &job);
	else if (act == 1)
		p.start(p.arg, n, nondet_u8() & 1 ? &value : 0);
	else
		p.stop(p.arg, n, act == 3);
	has = v.overflowed >> n & 1;
	prove(((v.overflowed ^ before) >> other & 1) == 0);
	if (act == 0)
		prove(has == (done ? 0 : had || (loaded && ran && hart_overflows)));
	else if (!configured)
		prove(has == had);
	else if (act == 1)
		prove(has == (had && ran));
	else if (act == 2)
		prove(has == (had || (loaded && ran && hart_overflows)));
	else
		prove(!has);
	reached(act == 1 && had && !ran && configured);
	reached(act == 2 && !had && has);
}

/* ---- EVENT_GET_INFO -------------------------------------------------------------------------- */

static struct {
	uint64_t low, high, bytes, ones;
	uint32_t moves;
} asked;

/* The host agrees to everything, and ends long loops. */
static int any_access(void *arg, uint64_t low, uint64_t high, void *data, uint64_t bytes, int write)
{
	uint64_t from = low < asked.low ? asked.ones - asked.low + low + 1 : low - asked.low;

	if (!data) {
		asked.low = low;
		asked.high = high;
		asked.bytes = bytes;
		prove(bytes <= 16 * PMUMAP_SERVER_INFO_ENTRIES);
		prove(bytes <= ~(low | (asked.ones >> 32 ? 0 : high << 32)));
		return nondet_u8() & 1;
	}
	prove(bytes != 0 && bytes <= 256);
	prove(!write || (bytes == 4 && from % 16 == 4));
	prove(from <= asked.bytes && bytes <= asked.bytes - from);
	prove(high == asked.high + (low < asked.low));
	reached(from != 0 && write);
	return ++asked.moves < 4;
}

/* Instead of a real answer, which needs look-ups. */
int any_answer(const struct pmumap_server *s, uint32_t event, uint64_t data)
{
	return nondet_u8() % 3 - 1;
}

/* Moves only bytes that the host was asked about, however many entries the guest claims. */
void event_info(void)
{
	const struct pmumap_server_host host = { any_access, 0, 0 };
	struct pmumap_server s;
	uint64_t a[6];

	s.host = &host;
	s.xlen = nondet_u8() & 1 ? 32 : 64;
	s.ones = asked.ones = s.xlen == 32 ? 0xffffffff : ~(uint64_t)0;
	for (int i = 0; i < 6; i++) {
		a[i] = nondet_u64();
		assume(a[i] <= s.ones);
	}
	prove(pmumap_server_get_event_info_(&s, a) <= 0);
	reached(a[2] > PMUMAP_SERVER_INFO_ENTRIES);
	reached(s.xlen == 32 && asked.moves && asked.low + asked.bytes > s.ones);
	reached(asked.moves == 4);
}
