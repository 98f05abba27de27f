/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Runs the programs of the README and of doc/firmware.md, unchanged, for every board: they count
 * cycles, instructions and every event in the tree, on a hart with the tree's counters.
 */
#include "support.h"
#include "machine.h"

#define UNITS 1000    /* of time that the work takes */
#define BEFORE 12345u /* what the fixed counters have counted by then */

static const char *printed;
static struct machine machine;
static uint32_t works, counting; /* bit N: counter N counts for the work, an event or from 0 on */
static uint64_t events[32];

static void print(const char *text)
{
	printed = text;
}

static void work(void)
{
	uint32_t n;

	works++;
	for (n = 0, counting = 0; n < 32; n++)
		if (counts(&machine, n) && (n < 3 ? machine.value[n] == 0 : machine.event[n] != 0))
			counting |= 1u << n;
	memcpy(events, machine.event, sizeof(events));
	run(&machine, UNITS);
}

/* Replaces this machine's registers. */
static void machine_native(struct pmumap_hart *h)
{
	h->read = csr_read;
	h->write = csr_write;
	h->arg = &machine;
	h->xlen = machine.xlen;
	h->features = 0; /* this hart has other ones than the last */
}

#define pmumap_hart_init_machine machine_native
#include "build/readme.h"
#include "build/firmware.h"

/* Expected result for an event: an error, or the counter in *on and its configuration. */
static int64_t expected(const struct model *m, uint32_t event, uint64_t data, uint32_t *on,
			uint64_t *selector)
{
	uint32_t features = machine.features & ~STOPS;
	uint32_t could = model_candidates(m, event, data, features);

	*on = 0;
	*selector = 0;
	if (!model_encode(m, event, data, MODEL_RULE_ABSENT, selector))
		could &= 7;
	if (!could)
		return PMUMAP_UNSUPPORTED;
	if (!(could & machine.counters))
		return PMUMAP_BUSY;
	*on = 1u << model_best(could & machine.counters, features);
	if (*on < 8)
		return UNITS;
	if (machine.xlen == 32 && !(features & SOF) && *selector >> 32) {
		*on = 0;
		return PMUMAP_UNSUPPORTED;
	}
	return UNITS * (int64_t)(*selector & 0xff);
}

/*
 * Returns whether the result is right; *programmable: incremented if a programmable counter was
 * used.
 */
static uint32_t right(const struct pmumap *map, const struct model *m, uint32_t event,
		      uint64_t data, uint32_t *programmable)
{
	uint32_t on, n, good;
	uint64_t selector;
	int64_t want = expected(m, event, data, &on, &selector), got;

	machine.value[0] = machine.value[2] = BEFORE;
	works = counting = 0;
	got = count(map, event, data);
	good = got == want && works == (on != 0) && counting == on;
	for (n = 3; n < 32; n++) {
		if (!(on >> n & 1))
			continue;
		++*programmable;
		/* The six bits above the event belong to the hart. */
		good &= (events[n] ^ selector) << 6 == 0 && machine.event[n] == 0;
	}
	return good;
}

/* Cycles, instructions, all named SBI events, and one event of each raw row. */
static void all_events(const struct pmumap *map, const struct model *m)
{
	uint32_t event, i, programmable = 0, good = 0, n = 0;

	for (event = 1; event < 0x10040; event = event == 0x3f ? 0x10000 : event + 1, n++)
		good += right(map, m, event, 0, &programmable);
	for (i = 0; i < m->raws; i++) {
		uint64_t data = m->raw[i].select | (~m->raw[i].mask & 0xffffff);

		/* 0 in mhpmevent means no event. */
		if (data & ones(56)) {
			good += right(map, m, PMUMAP_EVENT_RAW_V2, data, &programmable);
			n++;
		}
	}
	CHECK_EQ(good, n);
	good = programmable;
	CHECK(right(map, m, 1, 0, &programmable) && right(map, m, 2, 0, &programmable));
	/* If a tree has events for programmable counters, some were counted. */
	for (i = n = 0; i < m->ranges; i++)
		n |= m->range[i].counters;
	for (i = 0; i < m->raws; i++)
		n |= m->raw[i].counters;
	CHECK(good || !(n & machine.counters & ~7u));
}

/* Several events at once have the same counts as alone; then all counters are free again. */
static void together(const struct pmumap *map)
{
	static const uint32_t events_of[][4] = {
		{ 1, 2, 3, 4 },
		{ 2, 1, 0x10000, 0x10001 },
		{ 4, 0x10019, 1, 5 },
		{ 0x10021, 0x1001b, 6, 1 },
	};
	uint32_t group, n, i, good = 0, all = 0, most = 0;
	int64_t got[8], alone;

	for (group = 0; group < 4; group++) {
		for (n = 1; n <= 4; n++, all++) {
			const uint32_t *event = events_of[group];
			uint32_t right_ones = 1, possible = 1;
			int done;

			works = 0;
			done = count_all(map, event, n, got);
			right_ones &= works == (done != 0);
			for (i = 3; i < 32; i++)
				right_ones &= machine.event[i] == 0;
			for (i = 0; i < n; i++) {
				alone = count(map, event[i], 0);
				possible &= alone >= 0;
				right_ones &= !done || got[i] == alone;
			}
			/* Cycles and instructions have counters of their own. */
			right_ones &= done ? possible : n > 2 || !possible || group > 1;
			right_ones &= n > 1 || done == (int)possible;
			most = done && n > most ? n : most;
			good += right_ones;
		}
	}
	CHECK_EQ(good, all);
	CHECK(most >= 2);
	works = 0;
	CHECK(!count_all(map, events_of[0], 9, got) && works == 0);
}

/* The README's program has the same counts as that of doc/firmware.md. */
static void in_one(const unsigned char *fdt, const struct pmumap *map)
{
	uint32_t event, good = 0, n = 0;

	for (event = 1; event < 0x10040; event = event == 0xb ? 0x10000 : event + 1, n++) {
		int64_t got = count_once(fdt, event), want = count(map, event, 0);

		good += want < 0 ? got < 0 : got == want;
	}
	CHECK_EQ(good, n);
}

/* A host with libfdt builds the same map, unless the tables have their names of 2021. */
static void check_libfdt(const unsigned char *fdt, const struct pmumap *map)
{
	static uint64_t memory[1 << 14];
	const struct pmumap *same = NULL;
	struct pmumap_builder b;

	pmumap_begin(&b, memory, sizeof(memory));
	CHECK_EQ(add_tables(&b, fdt), PMUMAP_OK);
	CHECK_EQ(pmumap_finish(&b, &same), PMUMAP_OK);
	CHECK(same_image(same, map) || b.counter_rows == 0);
}

static void on_hart(const unsigned char *fdt, size_t size, const struct model *m, uint32_t xlen,
		    uint32_t features)
{
	const struct pmumap *map, *again;
	uint32_t i;

	machine_begin(&machine, xlen, features);
	machine.counters = 0x5;
	for (i = 0; i < m->ranges; i++)
		machine.counters |= m->range[i].counters & ~2u;
	for (i = 0; i < m->raws; i++)
		machine.counters |= m->raw[i].counters & ~2u;
	memset(&hart, 0, sizeof(hart));
	map = start(fdt);
	if (!CHECK(map != NULL))
		return;
	CHECK_EQ(hart.counters, machine.counters);
	/* Found on a programmable counter, if there is one. */
	CHECK_EQ(hart.features, features & ~(machine.counters & ~7u ? 0 : SOF));
	machine.features = hart.features;
	all_events(map, m);
	in_one(fdt, map);
	together(map);
	check_libfdt(fdt, map);
	again = start_measured(fdt, exact);
	CHECK(again && pmumap_size(again) == pmumap_size(map) && same_image(again, map));
	free((void *)(uintptr_t)again);
	CHECK(size == pmumap_fdt_size(fdt));
}

static void board(const unsigned char *fdt, size_t size)
{
	static const uint32_t features[] = { STOPS, STOPS | SOF, STOPS | SOF | SMC, 0 };
	uint32_t i;
	struct model m;

	model_init(&m);
	CHECK(model_read(&m, fdt, 0));
	for (i = 0; i < 8; i += quick(1, 3))
		on_hart(fdt, size, &m, i & 1 ? 32 : 64, features[i / 2]);
	model_free(&m);
}

/* Data that is no tree, and a tree without a PMU. */
static void failures(void)
{
	size_t size;
	unsigned char *fdt = load("build/boards/amu-doc.dtb", &size);

	printed = NULL;
	fdt[0] ^= 1;
	CHECK(!start(fdt) && printed);
	printed = NULL;
	CHECK(count_once(fdt, 1) == PMUMAP_UNSUPPORTED && printed);
	printed = NULL;
	CHECK(!start_measured(fdt, exact) && printed);
	free(fdt);
}

int main(void)
{
	CHECK(each_file(riscv_boards, board) >= 16);
	each_file("build/corpus/*.dtb", board);
	failures();
	return test_summary();
}
