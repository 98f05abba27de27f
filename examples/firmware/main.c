/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Firmware in M-mode, without a libc: device tree -> map -> counters -> counts.
 *
 *	qemu-system-riscv64 -M virt -bios none -icount shift=0,sleep=off -nographic \
 *		-kernel build/qemu/firmware-rv64.elf
 *
 * It counts a workload with known counts and ends QEMU with status 0 if they are right, 1 if they
 * are wrong, or 2 if the tree describes no PMU. With -icount shift=0 QEMU counts every instruction
 * as one cycle. The first access to a page misses the TLB, in M-mode too.
 *
 * -append swapped: expect the tree to confuse loads with stores.
 */
#include "firmware.h"
#include "pmumap_check.h" /* pmumap_event_name() */
#include "runtime.h"
#include "workload.h"
#include <libfdt.h>

#define ROUNDS 10000u
/*
 * Tolerances. STRAY: the program's own pages, which the work evicted from the TLB. STRAY_CYCLES:
 * QEMU 7.2 counts cycles from the write of the counter and reports an overflow there, so the
 * second start takes longer than the first.
 */
#define STRAY 8u
#define STRAY_CYCLES 400u

#define LOAD_MISSES 0x10019u
#define STORE_MISSES 0x1001bu

struct count {
	uint32_t event;
	uint64_t least, most; /* both 0: unsupported */
	struct pmumap_job job;
	int32_t counter;
	uint64_t got;
};

static uint64_t block[512];
static struct pmumap_hart hart_pmu;
static uint8_t pages[WORK_PAGES][PAGE] __attribute__((aligned(PAGE)));

static struct count counts[] = {
	{ .event = 1,
	  .least = WORK_INSTRUCTIONS(ROUNDS),
	  .most = WORK_INSTRUCTIONS(ROUNDS) + STRAY_CYCLES },
	{ .event = 2, .least = WORK_INSTRUCTIONS(ROUNDS), .most = WORK_INSTRUCTIONS(ROUNDS) },
	{ .event = LOAD_MISSES, .least = WORK_LOADS, .most = WORK_LOADS + STRAY },
	{ .event = STORE_MISSES, .least = WORK_STORES, .most = WORK_STORES + STRAY },
	{ .event = 0x10021, .least = WORK_CALLS, .most = WORK_CALLS + STRAY }, /* iTLB misses */
	{ .event = 0x10000 }, /* L1D accesses, which QEMU does not count */
};
#define COUNTS (sizeof(counts) / sizeof(counts[0]))

/* ---- the device tree: building the map has validated it, so libfdt may read it -------------- */

static int is_swapped(const void *fdt)
{
	int bytes;
	const char *args = fdt_getprop(fdt, fdt_path_offset(fdt, "/chosen"), "bootargs", &bytes);

	return args && fdt_stringlist_contains(args, bytes, "swapped");
}

/* ---- the log --------------------------------------------------------------------------------- */

static void put_event(uint32_t event)
{
	const char *name = pmumap_event_name(event);

	put_hex(event, 7);
	put("  ");
	put_text(name ? name : "-", 34);
}

/* Print a bitmap of counters as ranges: "0 3-18". */
static void put_counters(uint32_t counters)
{
	unsigned first, last;

	for (first = 0; first < 32; first = last + 1) {
		last = first;
		if (!(counters >> first & 1))
			continue;
		while (last < 31 && (counters >> (last + 1) & 1))
			last++;
		put(" ");
		put_decimal(first, 0);
		if (last > first) {
			put("-");
			put_decimal(last, 0);
		}
	}
}

static void put_map(const struct pmumap *map)
{
	struct pmumap_run run;
	uint32_t from;

	put("  first     last  name of the first                   selector  counters\n");
	for (from = 0; pmumap_event_next(map, from, &run); from = run.last + 1) {
		put_hex(run.first, 7);
		put("  ");
		put_event(run.last);
		if (run.has_selector)
			put_hex(run.selector, 10);
		else
			put_text("         -", 10);
		put(" ");
		put_counters(run.counters);
		put("\n");
	}
}

static void put_hart(const struct pmumap_hart *h)
{
	put("hart: counters");
	put_counters(h->counters);
	put(" of ");
	put_decimal(h->width, 0);
	put(" bits,");
	put(h->features & PMUMAP_CAN_INTERRUPT ? "" : " no");
	put(" Sscofpmf,");
	put(h->features & PMUMAP_MCOUNTINHIBIT ? "" : " no");
	put(" mcountinhibit; ");
	put_decimal(traps, 0);
	put(" CSR accesses trapped\n");
}

int check(const char *what, int good)
{
	put_text(what, 70);
	put(good ? "ok\n" : "FAILED\n");
	return !good;
}

/* ---- counting -------------------------------------------------------------------------------- */

/* Assign and set a counter for each event. The tree may name counters that the hart lacks. */
static void assign(const struct pmumap *map, struct pmumap_hart *h)
{
	struct pmumap_want want[COUNTS];
	struct pmumap_job job[COUNTS];
	uint32_t i;

	for (i = 0; i < COUNTS; i++) {
		want[i].event = counts[i].event;
		want[i].data = 0;
		want[i].pinned = 0;
	}
	pmumap_plan_all(map, want, COUNTS, h->counters, h->features, PMUMAP_RULE_ABSENT, job);
	for (i = 0; i < COUNTS; i++) {
		struct count *c = &counts[i];

		c->job = job[i];
		c->counter = want[i].counters & h->counters ? want[i].counter : PMUMAP_UNSUPPORTED;
		if (c->counter >= 0 && !pmumap_hart_set(h, (uint32_t)c->counter, &c->job))
			c->counter = PMUMAP_UNSUPPORTED;
	}
}

/*
 * Count from 0. Read counters while they run: in QEMU 7.2 a stopped counter of cycles or
 * instructions loses its value.
 */
static void run(struct pmumap_hart *h, const struct work *w)
{
	const uint64_t zero = 0;
	uint32_t i;

	flush_tlb();
	for (i = 0; i < COUNTS; i++)
		if (counts[i].counter >= 0)
			pmumap_hart_start(h, (uint32_t)counts[i].counter, &zero);
	do_work(w, pages);
	for (i = 0; i < COUNTS; i++)
		if (counts[i].counter >= 0)
			counts[i].got =
				pmumap_hart_read(h, (uint32_t)counts[i].counter) - counts[i].got;
	for (i = 0; i < COUNTS; i++)
		if (counts[i].counter >= 0)
			pmumap_hart_stop(h, (uint32_t)counts[i].counter, 0);
}

static void put_counter(const struct count *c)
{
	if (c->counter < 0) {
		put_text(c->counter == PMUMAP_BUSY ? "       busy" : "unsupported", 23);
		return;
	}
	put_decimal((uint32_t)c->counter, 11);
	if (c->counter > 2)
		put_hex(c->job.selector, 12);
	else
		put_text("           -", 12);
}

static int put_count(const struct count *c)
{
	int good = c->most ? c->counter >= 0 && c->got >= c->least && c->got <= c->most
			   : c->counter == PMUMAP_UNSUPPORTED;

	put_event(c->event);
	put_counter(c);
	put_decimal(c->least, 8);
	put_decimal(c->most, 8);
	put_decimal(c->got, 10);
	put(good ? "  ok\n" : "  FAILED\n");
	return !good;
}

/* Run the empty workload first and subtract its counts. Returns the number of wrong counts. */
static int count_all(struct pmumap_hart *h)
{
	/* Both on one page, so that they cause equally many misses. */
	static const struct work works[]
		__attribute__((aligned(32))) = { { 0 },
						 { ROUNDS, WORK_LOADS, WORK_STORES, WORK_CALLS } };
	uint32_t i;
	int failed = 0;

	prepare_pages(pages);
	run(h, &works[0]);
	run(h, &works[1]);
	put("  event  name                              ");
	put("    counter    selector   least    most     count\n");
	for (i = 0; i < COUNTS; i++) {
		failed += put_count(&counts[i]);
		if (counts[i].counter >= 0)
			pmumap_hart_stop(h, (uint32_t)counts[i].counter, 1);
	}
	return failed;
}

static void swap_expected(struct count *a, struct count *b)
{
	uint64_t least = a->least, most = a->most;

	a->least = b->least;
	a->most = b->most;
	b->least = least;
	b->most = most;
}

/* Returns what the tree says of this hart, or NULL. */
static const struct pmumap_fdt_hart *list_harts(const void *fdt, unsigned long hart)
{
	static struct pmumap_fdt_hart harts[64];
	size_t count;

	if (pmumap_fdt_harts(fdt, fdt_totalsize(fdt), harts, 64, &count) != PMUMAP_OK)
		return NULL;
	return pmumap_fdt_hart_find(harts, count, hart);
}

int main(unsigned long hart, const void *fdt)
{
	const struct pmumap_fdt_hart *own = list_harts(fdt, hart);
	struct pmumap_fdt_options options = { 0 };
	struct pmumap_hart *h = &hart_pmu;
	const struct pmumap *map;
	enum pmumap_status status;
	int failed;

	if (!own || own->node == PMUMAP_NO_NODE) {
		put("the tree describes no PMU of this hart\n");
		return 2;
	}
	options.node = own->node;
	status = pmumap_fdt_build(fdt, fdt_totalsize(fdt), &options, block, sizeof(block), &map);
	if (status != PMUMAP_OK) {
		put(pmumap_status_str(status));
		put("\n");
		return 2;
	}
	put("map of ");
	put_decimal(pmumap_size(map), 0);
	put(" bytes\n");
	put_map(map);

	failed = check_carry();
	pmumap_hart_init_machine(h);
	pmumap_hart_probe(h);
	put_hart(h);
	failed += check(
		"tree and registers agree on Sscofpmf and Smcntrpmf",
		!(h->counters & ~7u) || /* no counter would show it */
			!((h->features ^ own->features) & (PMUMAP_SSCOFPMF | PMUMAP_SMCNTRPMF)));

	if (is_swapped(fdt))
		swap_expected(&counts[2], &counts[3]);
	assign(map, h);
	failed += count_all(h);
	if (counts[2].counter > 2)
		failed += check_selector(h, (uint32_t)counts[2].counter) +
			  check_overflow(h, (uint32_t)counts[2].counter);
	put(failed ? "FAILED\n" : "passed\n");
	return failed != 0;
}
