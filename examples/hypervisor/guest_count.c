/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Counts work with known counts.
 */
#include "guest.h"
#include "runtime.h"
#include "workload.h"

#define ROUNDS 100000u
/* Tolerances: the guest's own pages, which the work evicted from the TLB, and instructions. */
#define STRAY 8u
#define STRAY_INSTRUCTIONS 100u

#define EVENTS 5u

static const struct {
	uint32_t event;
	uint64_t least, most;
} expected[EVENTS] = {
	{ 1, WORK_INSTRUCTIONS(ROUNDS), WORK_INSTRUCTIONS(ROUNDS) + STRAY_INSTRUCTIONS },
	{ 2, WORK_INSTRUCTIONS(ROUNDS), WORK_INSTRUCTIONS(ROUNDS) + STRAY_INSTRUCTIONS },
	{ LOAD_MISSES, WORK_LOADS, WORK_LOADS + STRAY },
	{ STORE_MISSES, WORK_STORES, WORK_STORES + STRAY },
	{ FETCH_MISSES, WORK_CALLS, WORK_CALLS + STRAY },
};

static uint8_t pages[WORK_PAGES][PAGE] __attribute__((aligned(PAGE)));

static void work(void)
{
	static const struct work all = { ROUNDS, WORK_LOADS, WORK_STORES, WORK_CALLS };

	flush_tlb();
	do_work(&all, pages);
}

static void no_work(void)
{
	static const struct work none;

	flush_tlb();
	do_work(&none, pages);
}

/* The N of mhpmcounterN for an SBI counter number. */
static uint32_t counter_of(const struct guest *g, uint64_t number)
{
	uint32_t i;

	for (i = 0; i < 32; i++)
		if ((g->sbi.counters >> i & 1) && g->sbi.index[i] == number)
			return i;
	return 1;
}

static void put_event(const char *what, uint32_t event)
{
	put(what);
	put_hex(event, 0);
}

/* Match each event to its own counter. Returns the set of their numbers. */
static uint64_t match_all(struct guest *g, uint32_t *counter)
{
	uint64_t set = 0;
	uint32_t i;

	for (i = 0; i < EVENTS; i++) {
		struct pmumap_sbi_ret r = try_match(g, 0, set_for(g, 0).mask,
						    PMUMAP_SBI_CLEAR_VALUE, expected[i].event, 0);

		counter[i] = r.error ? 1 : counter_of(g, r.value);
		if (r.error == 0)
			set |= (uint64_t)1 << r.value;
	}
	return set;
}

static void read_all(struct guest *g, const uint32_t *counter, uint64_t *value)
{
	uint32_t i;

	for (i = 0; i < EVENTS; i++)
		value[i] = pmumap_sbi_read(&g->sbi, counter[i]);
}

/*
 * Count once without work and subtract that. Read counters while they run: in QEMU 7.2 a stopped
 * counter of cycles or instructions loses its value.
 */
static void count_work(struct guest *g, const uint32_t *counter)
{
	uint64_t start[EVENTS], none[EVENTS], all[EVENTS];
	uint32_t i;

	read_all(g, counter, start);
	no_work();
	read_all(g, counter, none);
	work();
	read_all(g, counter, all);
	for (i = 0; i < EVENTS; i++) {
		uint64_t n = all[i] - none[i] - (none[i] - start[i]);

		put_event("count ", expected[i].event);
		put_checked(g, n, n >= expected[i].least && n <= expected[i].most);
	}
}

/* A stopped counter keeps its value, then resumes from it or from a given value. */
static void count_stopped(struct guest *g, uint64_t set, const uint32_t *counter)
{
	const uint32_t which = 2; /* LOAD_MISSES */
	struct pmumap_sbi *s = &g->sbi;
	uint64_t first, again;

	put("stop all");
	put_result(pmumap_sbi_stop_set(s, 0, set, 0));
	first = pmumap_sbi_read(s, counter[which]);
	work();
	again = pmumap_sbi_read(s, counter[which]);
	put("count while stopped");
	put_checked(g, again - first, again == first);

	put("start again");
	put_result(pmumap_sbi_start_set(s, 0, set, 0, 0));
	work();
	again = pmumap_sbi_read(s, counter[which]) - first;
	put("count from there");
	put_checked(g, again, again >= WORK_LOADS && again <= WORK_LOADS + STRAY);

	put("stop all again");
	put_result(pmumap_sbi_stop_set(s, 0, set, 0));
	put("start from 0x123456789");
	put_result(pmumap_sbi_start_set(s, s->index[counter[which]], 1, PMUMAP_SBI_SET_INIT_VALUE,
					0x123456789));
	work();
	again = pmumap_sbi_read(s, counter[which]) - 0x123456789;
	put("count from 0x123456789");
	put_checked(g, again, again >= WORK_LOADS && again <= WORK_LOADS + STRAY);

	put("stop and release all");
	put_result(pmumap_sbi_stop_set(s, 0, set, PMUMAP_SBI_RESET));
}

/* Count one event through the common backend operations. */
static void count_by_backend(struct guest *g)
{
	const struct pmumap_job job = { .event = LOAD_MISSES, .clear = 1 };
	uint32_t counter = counter_of(g, g->programmable);
	const uint64_t zero = 0;
	struct pmumap_pmu pmu;
	uint64_t n = 0;

	pmumap_sbi_as_pmu(&g->sbi, &pmu);
	if (pmu.set(pmu.arg, counter, &job)) {
		pmu.start(pmu.arg, counter, &zero);
		work();
		n = pmu.read(pmu.arg, counter);
		pmu.stop(pmu.arg, counter, 1);
	}
	put_event("count by backend ", job.event);
	put_checked(g, n, n >= WORK_LOADS && n <= WORK_LOADS + STRAY);
}

/*
 * Count two events through the operations on sets, which virtual CPUs use when they are switched.
 * The second round shares a page for snapshots if the firmware has them.
 */
static void count_by_sets(struct guest *g, const uint32_t *counter)
{
	static uint8_t page[PAGE] __attribute__((aligned(4096)));
	const uint32_t loads = counter[2], stores = counter[3];
	const uint32_t both = 1u << loads | 1u << stores;
	const uint64_t from = 0x123456789;
	static struct pmumap_job job[32];
	struct pmumap_pmu_sets sets;
	uint32_t overflowed = 0, i;
	static uint64_t value[32];

	pmumap_sbi_sets(&g->sbi, &sets);
	job[loads].event = LOAD_MISSES;
	job[stores].event = STORE_MISSES;
	for (i = 0; i < 2; i++) {
		uint32_t failed;

		if (i)
			pmumap_sbi_share(&g->sbi, page, (uintptr_t)page);
		value[loads] = from;
		value[stores] = 2 * from;
		failed = sets.load(sets.one.arg, both, job, value);
		work();
		failed |= sets.release(sets.one.arg, both, both, both, value, &overflowed);
		put("refused by sets");
		put_checked(g, failed, failed == 0 && overflowed == 0);
		put("loads by sets");
		put_checked(g, value[loads] - from,
			    value[loads] >= from + WORK_LOADS &&
				    value[loads] <= from + WORK_LOADS + STRAY);
		put("stores by sets");
		put_checked(g, value[stores] - 2 * from,
			    value[stores] >= 2 * from + WORK_STORES &&
				    value[stores] <= 2 * from + WORK_STORES + STRAY);
		/* Loading no counters clears the values of the last ones. */
		failed = sets.load(sets.one.arg, 0, job, value);
		put("left by sets");
		put_checked(g, failed,
			    failed == 0 && pmumap_sbi_read(&g->sbi, loads) == 0 &&
				    pmumap_sbi_read(&g->sbi, stores) == 0);
	}
}

/* AUTO_START must start the counter; the filters must work if the hart has them. */
static void count_with_flags(struct guest *g, const char *what, uint32_t flags, int start)
{
	struct pmumap_sbi_ret r = pmumap_sbi_match(&g->sbi, 0, set_for(g, 0).mask,
						   PMUMAP_SBI_CLEAR_VALUE | flags, LOAD_MISSES, 0);
	uint32_t counter = r.error ? 1 : counter_of(g, r.value);
	uint64_t n;

	if (start)
		pmumap_sbi_start_set(&g->sbi, r.value, 1, PMUMAP_SBI_SET_INIT_VALUE, 0);
	n = pmumap_sbi_read(&g->sbi, counter);
	work();
	n = pmumap_sbi_read(&g->sbi, counter) - n;
	pmumap_sbi_stop_set(&g->sbi, r.value, 1, PMUMAP_SBI_RESET);
	put(what);
	put(n == 0                    ? " -> nothing\n"
	    : n <= WORK_LOADS + STRAY ? " -> something\n"
				      : " -> too much\n");
}

void count_events(struct guest *g)
{
	const uint32_t user = PMUMAP_INHIBIT_U << PMUMAP_SBI_INHIBIT_SHIFT;
	const uint32_t supervisor = PMUMAP_INHIBIT_S << PMUMAP_SBI_INHIBIT_SHIFT;
	uint32_t counter[EVENTS];
	uint64_t set;

	prepare_pages(pages);
	set = match_all(g, counter);
	put("start all");
	put_result(pmumap_sbi_start_set(&g->sbi, 0, set, PMUMAP_SBI_SET_INIT_VALUE, 0));
	count_work(g, counter);
	count_stopped(g, set, counter);
	count_by_backend(g);
	count_by_sets(g, counter);
	count_with_flags(g, "count with AUTO_START", PMUMAP_SBI_AUTO_START, 0);
	count_with_flags(g, "count without START", 0, 0);
	count_with_flags(g, "count inhibited in U", user, 1);
	count_with_flags(g, "count inhibited in S", supervisor, 1);
}

static void read_firmware(struct guest *g, const char *what, uint64_t number, uint64_t wanted)
{
	struct pmumap_sbi_ret r = pmumap_sbi_fw_read(&g->sbi, number);

	put(what);
	put_checked(g, r.value, r.error == 0 && r.value == wanted);
}

/* The only firmware event that the guest alone can cause. */
void count_firmware(struct guest *g)
{
	const struct set set = set_for(g, SET_TIMER);
	struct pmumap_sbi *s = &g->sbi;
	struct pmumap_sbi_ret r = try_match(g, set.base, set.mask, 0, SET_TIMER, 0);
	uint64_t n = r.error ? g->firmware : r.value;

	set_timer();
	read_firmware(g, "timers before START", n, 0);
	put("start for timers");
	put_result(pmumap_sbi_start_set(s, n, 1, PMUMAP_SBI_SET_INIT_VALUE, 0));
	set_timer();
	set_timer();
	set_timer();
	read_firmware(g, "timers", n, 3);
	put("stop for timers");
	put_result(pmumap_sbi_stop_set(s, n, 1, 0));
	set_timer();
	read_firmware(g, "timers after STOP", n, 3);
	put("start for timers from 0xffffffff");
	put_result(pmumap_sbi_start_set(s, n, 1, PMUMAP_SBI_SET_INIT_VALUE, 0xffffffff));
	set_timer();
	read_firmware(g, "timers from 0xffffffff", n, 0x100000000);
	put("stop and release for timers");
	put_result(pmumap_sbi_stop_set(s, n, 1, PMUMAP_SBI_RESET));
}

static int set_memory(struct guest *g, const char *what, uint64_t low, uint64_t high,
		      uint64_t flags)
{
	return try_call(g, PMUMAP_SBI_SNAPSHOT_SET_SHMEM, what, low, high, flags, 0).error == 0;
}

/* Firmware may have no snapshots. */
void count_snapshots(struct guest *g)
{
	static volatile uint64_t memory[512] __attribute__((aligned(4096)));
	const uint64_t address = (uintptr_t)memory;
	struct pmumap_sbi_ret r;
	uint64_t number, n;
	int offered;

	set_memory(g, "shared memory within a page", address + 8, 0, 0);
	set_memory(g, "shared memory with flags", address, 0, 1);
	set_memory(g, "shared memory in the firmware", 0x80000000, 0, 0);
	set_memory(g, "shared memory of the machine", 0x10000000, 0, 0);
	set_memory(g, "shared memory where there is none", address, 1, 0);
	set_memory(g, "shared memory at the end of addresses", NONE << 12, NONE, 0);
	offered = set_memory(g, "shared memory", address, 0, 0);

	memory[1] = 5000;
	r = try_match(g, 0, set_for(g, 0).mask, 0, LOAD_MISSES, 0);
	number = r.error ? g->programmable : r.value;
	put("start from a snapshot");
	put_result(pmumap_sbi_start_set(&g->sbi, number, 1, PMUMAP_SBI_INIT_SNAPSHOT, 0));
	work();
	put("stop with a snapshot");
	put_result(pmumap_sbi_stop_set(&g->sbi, number, 1,
				       PMUMAP_SBI_TAKE_SNAPSHOT | PMUMAP_SBI_RESET));
	n = memory[1] - 5000;
	put("count in a snapshot");
	put_checked(g, n, offered ? n >= WORK_LOADS && n <= WORK_LOADS + STRAY : n == 0);
	put("overflow in a snapshot");
	put_checked(g, memory[0], memory[0] == 0);
	try_stop(g, 0, set_for(g, 0).mask, PMUMAP_SBI_RESET);
	set_memory(g, "no shared memory", NONE, NONE, 0);
}
