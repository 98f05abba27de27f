/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The rules. Each starts with no counter configured and returns one number: see conformance.h.
 */
#include "conformance.h"

#define TOP ((reg)1 << (__riscv_xlen - 1))
#define PAGE 4096u

/* Shared memory: a page for snapshots and lists, and the page after it. */
static volatile uint64_t page[2 * PAGE / 8] __attribute__((aligned(4096)));

static long yes(int is)
{
	return is ? YES : NO;
}

/* Calls for one counter. Base 0, because some firmware handles other bases wrongly. */
static long config(reg n, reg flags, reg event)
{
	return n < __riscv_xlen ? match(0, (reg)1 << n, flags, event) : match(n, 1, flags, event);
}

static long start(reg n, reg flags, uint64_t value)
{
	return pmu(START, n, 1, flags, (reg)value, RV64 ? 0 : (reg)(value >> 32)).error;
}

static long stop(reg n, reg flags)
{
	return pmu(STOP, n, 1, flags, 0, 0).error;
}

static long run(reg n, reg event)
{
	return config(n, 0, event) ? NO : start(n, 0, 0);
}

static long info(reg n)
{
	return pmu(INFO, n, 0, 0, 0, 0).error;
}

/* Returns whether a counter is counting. */
static int runs(reg n)
{
	return start(n, 0, 0) == STARTED;
}

/* A firmware counter's value; ~0 on error. */
static uint64_t fw(reg n)
{
	struct ret low = pmu(FW_READ, n, 0, 0, 0, 0);
	reg high = RV64 ? 0 : pmu(FW_READ_HI, n, 0, 0, 0, 0).value;

	return low.error ? ~(uint64_t)0 : low.value | (uint64_t)high << 16 << 16;
}

/* A hardware counter's value from its CSR; the lower half on RV32. */
static reg value_of(reg n)
{
	return read_counter(pmu(INFO, n, 0, 0, 0, 0).value & 31);
}

static void work(void)
{
	volatile unsigned i;

	for (i = 0; i < 1000; i++)
		;
}

/* A call changes no registers but a0 and a1. The compiler itself relies on the saved ones. */
static long registers_stay(void)
{
	reg changed;

	__asm__ volatile("li a7, %1\n\tli a6, 0\n\tli a2, 12\n\tli a3, 13\n\tli a4, 14\n\t"
			 "li a5, 15\n\tli t0, 5\n\tli t1, 6\n\tli t2, 7\n\tli t3, 28\n\t"
			 "li t4, 29\n\tli t5, 30\n\tli t6, 31\n\tecall\n\t"
			 "addi a2, a2, -12\n\taddi a3, a3, -13\n\taddi a4, a4, -14\n\t"
			 "addi a5, a5, -15\n\taddi t0, t0, -5\n\taddi t1, t1, -6\n\t"
			 "addi t2, t2, -7\n\taddi t3, t3, -28\n\taddi t4, t4, -29\n\t"
			 "addi t5, t5, -30\n\taddi t6, t6, -31\n\tor a2, a2, a3\n\t"
			 "or a4, a4, a5\n\tor t0, t0, t1\n\tor t2, t2, t3\n\tor t4, t4, t5\n\t"
			 "or a2, a2, a4\n\tor a2, a2, t0\n\tor a2, a2, t2\n\tor a2, a2, t4\n\t"
			 "or a2, a2, t6\n\tor %0, a2, a6"
			 : "=r"(changed)
			 : "i"(PMU)
			 : "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "t0", "t1", "t2", "t3",
			   "t4", "t5", "t6", "memory");
	return yes(changed == 0);
}

/* ---- counters -------------------------------------------------------------------------------- */

/* Returns whether no valid counter of this type has a bit in mask set. */
static long all_info(uint64_t set, reg mask, reg want)
{
	reg n;

	for (n = 0; n < 64; n++)
		if (set >> n & 1 && (pmu(INFO, n, 0, 0, 0, 0).value & mask) != want)
			return NO;
	return YES;
}

static long info_csr(void)
{
	reg n, csr, seen = 0;

	for (n = 0; n < 64; n++) {
		if (!(k.hw >> n & 1))
			continue;
		csr = (pmu(INFO, n, 0, 0, 0, 0).value & 0xfff) - 0xc00;
		if (csr > 31 || csr == 1 || seen >> csr & 1)
			return NO;
		seen |= (reg)1 << csr;
	}
	return YES;
}

/* At most one number lacks a counter: that of the time CSR. */
static long one_hole(void)
{
	reg n, holes = 0;

	for (n = 0; n < k.total && n < 64; n++)
		holes += info(n) != 0;
	return yes(holes <= 1);
}

/* ---- CONFIG_MATCHING ------------------------------------------------------------------------- */

/* Every general and cache event gets a hardware counter or NOT_SUPPORTED. */
static long match_all(void)
{
	reg e;

	for (e = 1; e < 0x10038; e = e == 10 ? 0x10000 : e + 1) {
		long error = e >> 16 && (e & 6) == 6 ? NOT_SUPPORTED : match(0, k.all, 0, e);

		if (error ? error != NOT_SUPPORTED : matched > 63 || !(k.hw >> matched & 1))
			return NO;
		if (!error)
			stop(matched, RESET);
	}
	return YES;
}

/* A set with all firmware counters and some numbers without counter. */
static long match_firmware(void)
{
	reg base = k.total > __riscv_xlen ? k.total - __riscv_xlen : 0;
	reg left = k.total - base;
	long error = match(base, left < __riscv_xlen ? ((reg)1 << left) - 1 : ONES, 0, k.fw_event);

	return error ? error : yes(matched < 64 && k.fw >> matched & 1);
}

/* A firmware counter that accepts the event is the requested one. */
static long match_fw_each(void)
{
	reg n;

	for (n = k.first_fw; n < k.total; n++)
		if (config(n, 0, k.fw_event) == OK && matched != n)
			return NO;
	return YES;
}

/* CLEAR_VALUE clears a fixed counter with its own event. */
static long fixed_clears(reg n, reg event)
{
	long error = match(n, 1, 0, event);

	if (error)
		return error;
	start(n, VALUE, 0x7fffffff);
	stop(n, RESET);
	error = match(n, 1, CLEAR, event);
	return error ? error : yes(value_of(n) < 0x7fffffff);
}

static long match_clears(void)
{
	config(k.a, 0, k.event);
	start(k.a, VALUE, 0x12345);
	stop(k.a, 0);
	value_of(k.a);
	stop(k.a, RESET);
	return config(k.a, CLEAR, k.event) ? NO : yes(value_of(k.a) == 0);
}

/* AUTO_START does not change the value. */
static long auto_keeps(void)
{
	config(k.f, 0, k.fw_event);
	start(k.f, VALUE, 77);
	stop(k.f, 0);
	return config(k.f, SKIP | AUTO, k.fw_event) ? NO : yes(fw(k.f) - 77 < 9);
}

static long skip_first(void)
{
	config(k.a, 0, k.event);
	config(k.b, 0, k.event);
	return match(k.a, (reg)1 << (k.b - k.a) | 1, SKIP, k.event) ? NO : yes(matched == k.a);
}

/* ---- START and STOP -------------------------------------------------------------------------- */

/* Two counters, a and b: the bits say which are configured, and started. */
static reg two(unsigned configured, unsigned started)
{
	unsigned i;

	for (i = 0; i < 2; i++) {
		if (configured >> i & 1)
			config(i ? k.b : k.a, 0, k.event);
		if (started >> i & 1)
			start(i ? k.b : k.a, 0, 0);
	}
	return (reg)1 << (k.b - k.a) | 1;
}

static long start_mixed(void)
{
	reg mask = two(1, 0);

	return pmu(START, k.a, mask, 0, 0, 0).error == INVALID ? yes(!runs(k.a)) : NO;
}

static long start_others(void)
{
	reg mask = two(3, 1);

	pmu(START, k.a, mask, 0, 0, 0);
	return yes(runs(k.b));
}

static long stop_others(void)
{
	reg mask = two(3, 2);

	pmu(STOP, k.a, mask, 0, 0, 0);
	return yes(!runs(k.b));
}

/* All counters, like Linux at boot. */
static long stop_all(void)
{
	two(3, 3);
	pmu(STOP, 0, (reg)(k.hw | k.fw) & k.all, RESET, 0, 0);
	return yes(config(k.a, 0, k.event) == OK && config(k.b, 0, k.event) == OK && !runs(k.b));
}

/* The counter's increase between two reads. */
static reg gain(reg flags, uint64_t value)
{
	reg before;

	start(k.c, flags, value);
	before = flags ? (reg)value : value_of(k.c);
	work();
	stop(k.c, 0);
	return value_of(k.c) - before;
}

static long counts(reg flags, uint64_t value)
{
	reg gained;

	config(k.c, 0, k.count);
	stop(k.c, 0);
	gained = gain(flags, value);
	return yes(gained > 1000 && gained < 100000000);
}

/* Cycles or instructions on any counter; the value increases while it counts. */
static long event_counts(reg event)
{
	long error = match(0, k.set, 0, event);
	reg n = matched, before;

	if (error)
		return error;
	start(n, 0, 0);
	before = value_of(n);
	work();
	stop(n, 0);
	return yes(value_of(n) > before);
}

/* A high start value, then a low one: the old value must not leak. */
static long start_lower(void)
{
	reg high, low;

	config(k.c, 0, k.count);
	start(k.c, VALUE, 0x7fffffff);
	stop(k.c, 0);
	high = value_of(k.c);
	start(k.c, VALUE, 100);
	work();
	stop(k.c, 0);
	low = value_of(k.c);
	return yes(low < high && low > 100);
}

static long hardware_goes_on(void)
{
	reg stopped;

	config(k.c, CLEAR, k.count);
	start(k.c, VALUE, 0xffff);
	stop(k.c, 0);
	stopped = value_of(k.c);
	start(k.c, 0, 0);
	work();
	return yes(value_of(k.c) > stopped && stopped >= 0xffff);
}

/* STOP with RESET of a stopped counter. */
static long stop_reset(reg n, reg event)
{
	run(n, event);
	stop(n, 0);
	return stop(n, RESET);
}

/* Starts a counter just before it wraps; returns whether its interrupt becomes pending. */
static int overflows(void)
{
	uint64_t end = now() + LIMIT / 8;

	clear_interrupt();
	config(k.c, 0, k.count);
	start(k.c, VALUE, ~(uint64_t)0 - 100000);
	while (!interrupt_pending() && now() < end)
		;
	return interrupt_pending();
}

static long interrupts(void)
{
	long answer = yes(overflows());

	stop(k.c, 0);
	clear_interrupt();
	return answer;
}

static long stop_halts(void)
{
	reg before;

	config(k.c, 0, k.count);
	start(k.c, VALUE, 5);
	stop(k.c, 0);
	/* QEMU 7.2 returns the count of a stopped counter only to the first reader. */
	value_of(k.c);
	before = value_of(k.c);
	work();
	return yes(value_of(k.c) == before);
}

/* ---- firmware counters ----------------------------------------------------------------------- */

static long firmware_value(uint64_t value)
{
	config(k.f, 0, k.fw_event);
	start(k.f, VALUE, value);
	return yes(fw(k.f) == value);
}

/* SET_INIT_VALUE is for all counters of the set. */
static long firmware_values(void)
{
	if (config(k.f, 0, k.fw_event) || config(k.f + 1, 0, k.fw_event))
		return NOT_SUPPORTED;
	pmu(START, k.f, 3, VALUE, 77, 0);
	return yes(fw(k.f) == 77 && fw(k.f + 1) == 77);
}

/* SET_TIMER is counted n times: while the counter runs, or after it stopped. */
static long firmware_counts(int stopped)
{
	config(k.f, CLEAR, SET_TIMER);
	start(k.f, 0, 0);
	set_timer(50000000);
	if (stopped)
		stop(k.f, 0);
	set_timer(50000000);
	return yes(fw(k.f) == (stopped ? 1 : 2));
}

static long firmware_auto(void)
{
	config(k.f, CLEAR | AUTO, SET_TIMER);
	set_timer(50000000);
	return yes(fw(k.f) == 1);
}

/* After a stop a counter continues from its value. */
static long firmware_restart(void)
{
	uint64_t first, stopped;

	config(k.f, CLEAR, SET_TIMER);
	start(k.f, VALUE, 25);
	set_timer(50000000);
	first = fw(k.f);
	stop(k.f, 0);
	set_timer(50000000);
	stopped = fw(k.f);
	start(k.f, 0, 0);
	set_timer(50000000);
	return yes(first == 26 && stopped == 26 && fw(k.f) == 27);
}

/* IPI_SENT to a hart that does not exist: RustSBI's test counts it. */
static long ipi_to_nobody(void)
{
	long error = config(k.f, CLEAR | AUTO, IPI_SENT);

	if (error)
		return NOT_SUPPORTED;
	sbi(IPI, 0, 1, 4000, 0, 0, 0, 0);
	return yes(fw(k.f) == 1);
}

static long firmware_again(void)
{
	config(k.f, 0, k.fw_event);
	start(k.f, VALUE, 77);
	stop(k.f, RESET);
	return config(k.f, CLEAR, k.fw_event) ? NO : yes(fw(k.f) == 0);
}

static long firmware_goes_on(void)
{
	config(k.f, 0, k.fw_event);
	start(k.f, VALUE, 77);
	stop(k.f, 0);
	start(k.f, 0, 5);
	return yes(fw(k.f) == 77);
}

/* ---- a second hart --------------------------------------------------------------------------- */

/* It configures and starts the same counter while it runs here. */
static long other_runs(void)
{
	long error = config(k.a, 0, k.event);

	return error ? error : start(k.a, 0, 0);
}

static long hart_is_free(void)
{
	run(k.a, k.event);
	begin_on_hart(other_runs);
	return answer_of_hart();
}

/* A counter that is configured there is started here, stopped and released. */
static long other_waits(void)
{
	long error = config(k.a, 0, k.event);

	take_step(1);
	await_step(2);
	return error ? error : start(k.a, 0, 0);
}

static long hart_starts(void)
{
	begin_on_hart(other_waits);
	await_step(1);
	config(k.a, 0, k.event);
	start(k.a, 0, 0);
	take_step(2);
	return answer_of_hart();
}

static long hart_stops(void)
{
	run(k.a, k.event);
	begin_on_hart(other_runs);
	return answer_of_hart() ? NO : yes(runs(k.a));
}

/* SET_TIMER is counted there three times, and here once. */
static long other_sets_timer(void)
{
	config(k.f, CLEAR, SET_TIMER);
	start(k.f, VALUE, 0);
	take_step(1);
	await_step(2);
	set_timer(50000000);
	set_timer(50000000);
	set_timer(~(uint64_t)0);
	return yes(fw(k.f) == 3);
}

static long hart_counts(void)
{
	begin_on_hart(other_sets_timer);
	await_step(1);
	config(k.f, CLEAR, SET_TIMER);
	start(k.f, VALUE, 0);
	set_timer(50000000);
	take_step(2);
	return answer_of_hart() == YES ? yes(fw(k.f) == 1) : NO;
}

/* It counts the interrupts that it gets; the sender counts those that it sends. */
static long other_is_interrupted(void)
{
	long error = config(k.f, CLEAR, IPI_RECEIVED);

	start(k.f, VALUE, 0);
	take_step(1);
	if (error)
		return error;
	__asm__ volatile("csrci sstatus, 2\n\tcsrs sie, %0\n\twfi" : : "r"((reg)2));
	return yes(fw(k.f) == 1);
}

static long hart_interrupts(void)
{
	long error = config(k.f, CLEAR, IPI_SENT), answer;

	if (error)
		return error;
	begin_on_hart(other_is_interrupted);
	await_step(1);
	start(k.f, VALUE, 0);
	sbi(IPI, 0, 1, k.hart, 0, 0, 0, 0);
	answer = answer_of_hart();
	return answer == YES ? yes(fw(k.f) == 1) : answer;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static long share(reg low, reg high, reg flags)
{
	return pmu(SHMEM, low, high, flags, 0, 0).error;
}

static long share_page(void)
{
	unsigned i;

	for (i = 0; i < 65; i++)
		page[i] = 0x5a5a;
	page[0] = 0;
	return share((reg)page, 0, 0);
}

/* START or STOP of the firmware counter with a base below it: its value is in page[2]. */
static long shared(reg function, reg flags)
{
	return pmu(function, k.f - 1, 2, flags, 0, 0).error;
}

/* Returns whether the shared page is unchanged, except for word i if i is not 0. */
static int untouched(unsigned i)
{
	unsigned j, changed = page[0] != 0;

	for (j = 1; j < 65; j++)
		changed += j != i && page[j] != 0x5a5a;
	return changed == 0;
}

/* Snapshot of a firmware counter: only the word of its value may change. */
static long snapshot(void)
{
	share_page();
	config(k.f, 0, k.fw_event);
	start(k.f, VALUE, 77);
	return shared(STOP, SNAPSHOT) ? NO : yes(page[2] == 77 && untouched(2));
}

static long start_from_snapshot(void)
{
	share_page();
	page[2] = 0x500000007;
	config(k.f, 0, k.fw_event);
	return shared(START, FROM_SNAPSHOT) ? NO : yes(fw(k.f) == 0x500000007);
}

/*
 * A hardware counter: its value is read from and written to the page. Not on RV32, where QEMU 7.2
 * loses the count of a stopped counter between the reads of its halves.
 */
static long snapshot_of_hardware(void)
{
	share_page();
	config(k.c, 0, k.count);
	page[1] = 100;
	if (pmu(START, k.c, 1, FROM_SNAPSHOT, 0, 0).error)
		return NO;
	work();
	return stop(k.c, SNAPSHOT) ? NO : yes(page[1] > 1000 && !(page[1] >> 40));
}

static long snapshot_of_overflow(void)
{
	int pending;
	long error;

	share_page();
	pending = overflows();
	error = stop(k.c, SNAPSHOT);
	clear_interrupt();
	return yes(pending && error == OK && page[0] == 1 && !(page[1] >> 40));
}

/* After a refused request, the memory shared before must be shared completely or not at all. */
static long snapshot_after_refusal(void)
{
	share_page();
	share(0 - (reg)PAGE, 0, 0);
	config(k.f, 0, k.fw_event);
	return shared(START, FROM_SNAPSHOT);
}

static long snapshot_after_off(void)
{
	share_page();
	share(ONES, ONES, 0);
	run(k.f, k.fw_event);
	return stop(k.f, SNAPSHOT);
}

static long list(reg low, reg high, reg n, reg flags)
{
	page[0] = CYCLES | (uint64_t)0xffffffff << 32;
	page[1] = 0;
	return pmu(EVENTS, low, high, n, flags, 0).error;
}

/* Answer of EVENT_GET_INFO for an event: an error, or yes and no. */
static long listed(reg event, uint64_t data)
{
	long error;

	page[0] = event | (uint64_t)0xffffffff << 32;
	page[1] = data;
	error = pmu(EVENTS, (reg)page, 0, 1, 0, 0).error;
	if (error)
		return error;
	if ((uint32_t)page[0] != event || page[1] != data || page[0] >> 33)
		return FAILED;
	return yes((int)(page[0] >> 32));
}

/* EVENT_GET_INFO and CONFIG_MATCHING agree. */
static long list_agrees(void)
{
	reg e;

	for (e = 1; e < 0xf0016; e = e == 10 ? 0x10000 : e == 0x10037 ? 0xf0000 : e + 1) {
		long error = e >> 16 == 15 ? config(k.f, 0, e) : match(0, k.set, 0, e);

		if (!error)
			stop(matched, RESET);
		if (error == INVALID)
			continue;
		if (listed(e, 0) != yes(error == OK))
			return NO;
	}
	return YES;
}

/* Likewise for raw events, of which a few are asked. */
static long list_raw(void)
{
	reg data;

	for (data = 0; data < 0x10000; data = 2 * data + 1) {
		long error = pmu(MATCH, 0, k.set, 0, 0x20000, data).error;

		reset();
		if (error != INVALID && listed(0x20000, data) != yes(error == OK))
			return NO;
	}
	return YES;
}

/* Each of 40 entries is answered as if it were alone, and nothing else changes. */
static long list_many(unsigned offset)
{
	const reg events[] = { k.event, 0x10006, CYCLES, SET_TIMER, 0x10019 };
	volatile uint64_t *entry = page + offset / 8;
	long alone[5];
	unsigned i;

	for (i = 0; i < 5; i++)
		alone[i] = listed(events[i], 0);
	for (i = 0; i < 40; i++) {
		entry[2 * i] = events[i % 5] | (uint64_t)0xffffffff << 32;
		entry[2 * i + 1] = 0;
	}
	entry[80] = 0x5a5a;
	if (pmu(EVENTS, (reg)entry, 0, 40, 0, 0).error)
		return NO;
	for (i = 0; i < 40; i++)
		if ((uint32_t)entry[2 * i] != events[i % 5] || entry[2 * i + 1] ||
		    yes((int)(entry[2 * i] >> 32)) != alone[i % 5])
			return NO;
	return yes(entry[80] == 0x5a5a);
}

static long list_busy(void)
{
	reg n;

	for (n = 3; n < __riscv_xlen; n++)
		if (k.hw >> n & 1)
			config(n, 0, k.event);
	return listed(k.event, 0);
}

/* ---- anything -------------------------------------------------------------------------------- */

/* All flags, numbers and events at once must give some error. */
static long hostile(reg function)
{
	return pmu(function, ONES, ONES, ONES, ONES, ONES).error;
}

static long random_calls(void)
{
	static const reg odd[] = { 0,  1,  2,       3,       5,   31,   32,
				   63, 64, 0xf0005, 0x10019, TOP, ONES, ONES - 1 };
	uint32_t x = 1, i, j;
	reg a[6];

	for (i = 0; i < 3000; i++) {
		for (j = 0; j < 6; j++) {
			x ^= x << 13, x ^= x >> 17, x ^= x << 5;
			a[j] = x & 1 ? odd[(x >> 8) % (sizeof(odd) / sizeof(odd[0]))]
				     : x >> (x >> 4 & 31);
		}
		a[0] = a[0] % 9;
		/* Memory is ours or nobody's. */
		if (a[0] == SHMEM || a[0] == EVENTS) {
			a[1] = a[1] & 1 ? (reg)page : a[1] | ~(reg)0xffff;
			a[3] = a[0] == EVENTS ? a[3] & 255 : a[3];
		}
		pmu(a[0], a[1], a[0] >= SHMEM ? 0 : a[2], a[3], a[4], a[5]);
	}
	share(ONES, ONES, 0);
	return YES;
}

#define RULE(name, severity, place, needs, wants, ...)                                             \
	static long ask_##name(void)                                                               \
	{                                                                                          \
		return __VA_ARGS__;                                                                \
	}
#include "rules.inc"
#undef RULE

#define RULE(name, severity, place, needs, wants, ...)                                             \
	{ #name, place, ask_##name, severity, needs, wants },
const struct rule rules[] = {
#include "rules.inc"
};
#undef RULE

const unsigned rules_count = sizeof(rules) / sizeof(rules[0]);
