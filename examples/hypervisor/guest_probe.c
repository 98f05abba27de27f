/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tests what the firmware grants and rejects.
 */
#include "guest.h"
#include "runtime.h"

static void probe_counter(struct guest *g, uint64_t number)
{
	const uint64_t a[6] = { number, 0, 0, 0, 0, 0 };
	struct pmumap_sbi_ret r = g->sbi.call(g->sbi.arg, PMUMAP_SBI_GET_INFO, a);

	put("counter ");
	put_hex(number, 0);
	if (r.error || r.value >> (g->sbi.xlen - 1)) {
		r.value = 0;
		if (r.error)
			put_result(r);
		else
			put(" -> firmware\n");
		return;
	}
	put(" -> csr ");
	put_hex(r.value & 0xfff, 0);
	put(" bits ");
	put_decimal((r.value >> 12 & 63) + 1, 0);
	put("\n");
}

void probe_counters(struct guest *g)
{
	struct pmumap_sbi *s = &g->sbi;
	uint32_t i;

	for (i = 0; i < 32; i++) {
		if (!(s->counters >> i & 1))
			continue;
		g->firmware = s->index[i] + 1u;
		if (i > 2 && g->programmable == 0)
			g->programmable = s->index[i];
	}
	if (g->programmable == 0)
		g->programmable = g->firmware;
	put("counters -> ");
	put_decimal(s->total, 0);
	put("\n");
	for (i = 0; i <= s->total + 1; i++)
		probe_counter(g, i);
	probe_counter(g, 0xffffffff);
	probe_counter(g, s->xlen == 32 ? 0x80000000 : 0x100000000);
	probe_counter(g, s->xlen == 32 ? 0x80000002 : 0x100000002);
	probe_counter(g, NONE >> (64 - s->xlen));
}

/* Match the event, release it, and ask whether it is supported. */
static void probe_event(struct guest *g, uint32_t event, uint64_t data)
{
	struct set set = set_for(g, event);
	struct pmumap_sbi_ret r = try_match(g, set.base, set.mask, 0, event, data);

	if (r.error == 0)
		pmumap_sbi_stop_set(&g->sbi, r.value, 1, PMUMAP_SBI_RESET);
	put("offered ");
	put_hex(event, 0);
	put(" data ");
	put_hex(data, 0);
	put_result(event_info(g, event, data));
}

void probe_events(struct guest *g)
{
	static const struct {
		uint32_t event;
		uint64_t data;
	} odd[] = {
		{ 0x0000b, 0 },
		{ 0x00001, 1 },
		{ 0x10040, 0 },
		{ 0x10019, 1 },
		{ 0x20000, 0 },
		{ 0x20000, 0x10019 },
		{ 0x20000, 0x1000000010019 },
		{ 0x20001, 0x10019 },
		{ 0x30000, 0x10019 },
		{ 0x40000, 0 },
		{ 0xe0000, 0 },
		{ 0xf0005, 1 },
		{ 0xf00ff, 0 },
		{ 0xf0100, 0 },
		{ 0xffffe, 0 },
		{ 0xfffff, 0 },
		{ 0xfffff, 1 },
		{ 0x100000, 0 },
		{ 0x100001, 0 },
		{ 0x110019, 0 },
		{ 0x80010019, 0 },
	};
	uint32_t i;

	for (i = 0; i <= 10; i++)
		probe_event(g, i, 0);
	for (i = 0; i < 0x40; i++)
		probe_event(g, PMUMAP_EVENT_CACHE + i, 0);
	for (i = 0; i <= 22; i++)
		probe_event(g, PMUMAP_EVENT_FIRMWARE + i, 0);
	for (i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
		probe_event(g, odd[i].event, odd[i].data);
}

/* Sets and flags of CONFIG_MATCHING. Releases every match. */
static void probe_match(struct guest *g)
{
	const uint64_t hardware = set_for(g, 0).mask, one = g->programmable,
		       bit = (uint64_t)1 << one;
	const uint64_t first_fw = g->firmware, wrong = (uint64_t)1 << 8;
	const struct {
		uint64_t base, mask, flags;
		uint32_t event;
	} calls[] = {
		{ 0, 0, 0, LOAD_MISSES }, /* empty sets */
		{ 0, 0, 0, 1 },
		{ 0, 2, 0, LOAD_MISSES }, /* time */
		{ 0, 2, 0, 1 },
		{ 0, bit, 0, LOAD_MISSES },
		{ one, 1, 0, LOAD_MISSES },
		{ 0, 4, 0, 1 }, /* cycles, in a set of instret */
		{ 0, 1, 0, 2 },
		{ 0, bit, 0, 1 },
		{ 0, 1, 0, LOAD_MISSES },
		{ first_fw, 1, 0, LOAD_MISSES },
		{ 0, hardware, 0, SET_TIMER },
		{ first_fw + 3, 1, 0, SET_TIMER },
		{ g->sbi.total, 1, 0, LOAD_MISSES }, /* beyond the last counter */
		{ g->sbi.total - 1, 3, 0, LOAD_MISSES },
		{ NONE, 1, 0, LOAD_MISSES }, /* base + 1 is counter 0 */
		{ NONE, 3, 0, LOAD_MISSES },
		{ 0x80000000, 1, 0, LOAD_MISSES },
		{ 0, hardware, wrong, LOAD_MISSES },
		{ 0, hardware, wrong << 16, LOAD_MISSES },
		{ 0, hardware, PMUMAP_SBI_CLEAR_VALUE, LOAD_MISSES },
		{ 0, hardware, 31 << PMUMAP_SBI_INHIBIT_SHIFT, LOAD_MISSES },
		{ one, 1, PMUMAP_SBI_SKIP_MATCH, LOAD_MISSES },
		{ one, 1, PMUMAP_SBI_SKIP_MATCH, NOT_COUNTED },
		{ 1, 1, PMUMAP_SBI_SKIP_MATCH, LOAD_MISSES },
		{ g->sbi.total, 1, PMUMAP_SBI_SKIP_MATCH, LOAD_MISSES },
	};
	uint32_t i;

	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		struct pmumap_sbi_ret r = try_match(g, calls[i].base, calls[i].mask, calls[i].flags,
						    calls[i].event, 0);

		if (r.error == 0)
			pmumap_sbi_stop_set(&g->sbi, r.value, 1, PMUMAP_SBI_RESET);
	}
}

/* Drive one counter through all its states. */
static void probe_life(struct guest *g, uint32_t n, uint32_t event)
{
	const struct set set = set_of(g, n);

	try_start(g, n, 1, 0);
	try_stop(g, n, 1, 0);
	try_stop(g, n, 1, PMUMAP_SBI_RESET);
	try_match(g, set.base, set.mask, 0, event, 0);
	try_match(g, set.base, set.mask, 0, event, 0); /* busy */
	try_match(g, set.base, set.mask, PMUMAP_SBI_SKIP_MATCH, event, 0);
	try_stop(g, n, 1, 0);
	try_start(g, n, 1, 0);
	try_match(g, set.base, set.mask, PMUMAP_SBI_SKIP_MATCH, event, 0);
	try_start(g, n, 1, 0);
	try_stop(g, n, 1, 0);
	try_stop(g, n, 1, 0);
	try_start(g, n, 1, PMUMAP_SBI_SET_INIT_VALUE);
	try_stop(g, n, 1, PMUMAP_SBI_RESET);
	try_start(g, n, 1, 0);
	try_match(g, set.base, set.mask, PMUMAP_SBI_AUTO_START, event, 0);
	try_start(g, n, 1, 0);
	try_stop(g, n, 1, PMUMAP_SBI_RESET);
}

static void probe_sets(struct guest *g)
{
	const uint64_t one = g->programmable, last = g->sbi.total;

	try_start(g, one, 0, 0); /* empty, a hole, beyond the last counter */
	try_stop(g, one, 0, 0);
	try_start(g, 1, 1, 0);
	try_stop(g, 1, 1, 0);
	try_start(g, last, 1, 0);
	try_stop(g, last, 1, 0);
	try_start(g, last - 1, 2, 0);
	try_stop(g, last - 1, 2, 0);
	try_start(g, NONE, 2, 0);
	try_stop(g, NONE, 2, 0);
	try_start(g, one, 1, 4); /* undefined flags */
	try_stop(g, one, 1, 4);
	try_start(g, one, 1, PMUMAP_SBI_SET_INIT_VALUE | PMUMAP_SBI_INIT_SNAPSHOT);
	try_start(g, one, 1, PMUMAP_SBI_INIT_SNAPSHOT); /* no memory is set */
	try_stop(g, one, 1, PMUMAP_SBI_TAKE_SNAPSHOT);
}

void probe_calls(struct guest *g)
{
	const uint64_t first_fw = g->firmware;

	probe_match(g);
	probe_sets(g);
	put("# life of a hardware counter\n");
	probe_life(g, g->programmable, LOAD_MISSES);
	put("# life of a firmware counter\n");
	probe_life(g, g->firmware, SET_TIMER);
	put("# other calls\n");
	try_call(g, PMUMAP_SBI_FW_READ, "fw_read of a hardware counter", g->programmable, 0, 0, 0);
	try_call(g, PMUMAP_SBI_FW_READ, "fw_read of counter 1", 1, 0, 0, 0);
	try_call(g, PMUMAP_SBI_FW_READ, "fw_read of a free counter", first_fw, 0, 0, 0);
	try_call(g, PMUMAP_SBI_FW_READ, "fw_read beyond the last one", g->sbi.total, 0, 0, 0);
	try_call(g, PMUMAP_SBI_FW_READ_HI, "fw_read_hi of a free counter", first_fw, 0, 0, 0);
	try_call(g, PMUMAP_SBI_FW_READ_HI, "fw_read_hi beyond", g->sbi.total, 0, 0, 0);
	try_call(g, PMUMAP_SBI_EVENT_GET_INFO, "event_get_info of none", 0, 0, 0, 0);
	try_call(g, PMUMAP_SBI_EVENT_GET_INFO, "event_get_info at no multiple of 16", 8, 0, 1, 0);
	try_call(g, PMUMAP_SBI_EVENT_GET_INFO, "event_get_info with flags", 0, 0, 1, 1);
	try_call(g, PMUMAP_SBI_EVENT_GET_INFO, "event_get_info in the firmware", 0x80000000, 0, 1,
		 0);
	try_call(g, 9, "function 9", 0, 0, 0, 0);
	try_call(g, 0x7fffffff, "function 0x7fffffff", 0, 0, 0, 0);
}

/* Match an event until that fails. Bit N of the result: the set's base plus N. */
static uint64_t exhaust(struct guest *g, uint32_t event, int32_t *error)
{
	const struct set set = set_for(g, event);
	uint64_t given = 0;

	for (;;) {
		struct pmumap_sbi_ret r =
			pmumap_sbi_match(&g->sbi, set.base, set.mask, 0, event, 0);
		uint64_t bit = (uint64_t)1 << ((r.value - set.base) & 63);

		*error = r.error;
		if (r.error || (given & bit))
			return given;
		given |= bit;
	}
}

static uint32_t count_bits(uint64_t x)
{
	uint32_t n = 0;

	for (; x; x &= x - 1)
		n++;
	return n;
}

static void probe_all(struct guest *g, uint32_t event, uint32_t expected)
{
	int32_t error = 0;
	uint64_t given = exhaust(g, event, &error);

	put("exhaust ");
	put_hex(event, 0);
	put_checked(g, count_bits(given),
		    count_bits(given) == expected && error == PMUMAP_SBI_NOT_SUPPORTED);
}

static void put_offered(struct guest *g, const char *what, uint32_t event)
{
	put(what);
	put_result(event_info(g, event, 0));
}

/* While all counters are busy, supported events fail like unsupported ones. */
void probe_busy(struct guest *g)
{
	const uint64_t hardware = set_for(g, 0).mask;
	const struct set firmware = set_for(g, SET_TIMER);
	struct pmumap_sbi_ret r;

	probe_all(g, LOAD_MISSES, count_bits(g->sbi.counters & ~7u));
	try_match(g, 0, hardware, 0, STORE_MISSES, 0);
	put_offered(g, "offered while busy", STORE_MISSES);
	try_match(g, 0, hardware, 0, NOT_COUNTED, 0);
	put_offered(g, "offered if not counted", NOT_COUNTED);
	try_match(g, 0, hardware, 0, 1, 0); /* a fixed counter is still free ... */
	try_match(g, 0, hardware, 0, 1, 0); /* ... but only one */
	try_match(g, 0, hardware, 0, 2, 0);
	try_stop(g, 0, hardware, PMUMAP_SBI_RESET);
	r = try_match(g, 0, hardware, 0, STORE_MISSES, 0);
	put("free again");
	put_checked(g, 0, r.error == 0);
	try_stop(g, 0, hardware, PMUMAP_SBI_RESET);

	probe_all(g, SET_TIMER, g->sbi.total - g->firmware);
	try_match(g, firmware.base, firmware.mask, 0, SET_TIMER, 0);
	try_stop(g, firmware.base, firmware.mask, PMUMAP_SBI_RESET);

	/* Cycles on a fixed counter and on others. */
	try_match(g, 0, hardware, 0, 1, 0);
	try_match(g, 0, hardware, 0, 1, 0);
	try_stop(g, 0, hardware, PMUMAP_SBI_RESET);
}
