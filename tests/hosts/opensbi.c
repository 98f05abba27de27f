/* SPDX-License-Identifier: BSD-2-Clause
 *
 * opensbi.c -- random trees through examples/opensbi/fdt_pmu.c: the rows that it hands on, looked up
 * in the two ways in which versions of OpenSBI scan rows, against the rows of the tree.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libfdt.h>
#include "opensbi.h"
#include "sbi_utils/fdt/fdt_pmu.h"

#define ROWS 255
#define RAW 0x20000u
#define PRESENT 0x0007fff8u
#define BITS 6u /* raw events are those of so many bits */

struct row {
	uint64_t select, mask;
	uint32_t first, last, counters;
};

static struct row tree[3][64]; /* selectors, ranges, raw */
static uint32_t rows_of[3];
static struct row rows[ROWS]; /* as handed on, in order */
static uint32_t count;
static uint64_t passed, failed;
static uint32_t state = 1;

static uint32_t random_below(uint32_t n)
{
	state = state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)(state >> 4) * n >> 28);
}

static void check(int good, const char *what, uint64_t event)
{
	passed += good;
	failed += !good;
	if (!good && failed < 10)
		printf("FAIL %s, event 0x%" PRIx64 "\n", what, event);
}

/* ---- what OpenSBI does with rows ------------------------------------------------------------- */

struct sbi_scratch *sbi_scratch_thishart_ptr(void)
{
	return NULL;
}

unsigned int sbi_hart_mhpm_mask(struct sbi_scratch *scratch)
{
	(void)scratch;
	return PRESENT;
}

bool sbi_hart_has_extension(struct sbi_scratch *scratch, int extension)
{
	(void)scratch;
	return extension == SBI_HART_EXT_SSCOFPMF;
}

int sbi_printf(const char *format, ...)
{
	(void)format;
	return 0;
}

static int add(const struct row *row)
{
	uint32_t i;

	if (row->first > SBI_PMU_HW_INSTRUCTIONS && row->counters & 7)
		return SBI_EDENIED;
	if (count == ROWS)
		return SBI_EFAIL;
	for (i = 0; i < count; i++) {
		if (row->first == RAW ? rows[i].select == row->select && rows[i].mask == row->mask
				      : rows[i].last >= row->first && rows[i].first <= row->last)
			return SBI_EINVAL;
	}
	rows[count++] = *row;
	return 0;
}

/* What is refused was not worth handing on, unless there is no room. */
static int added(const struct row *row)
{
	int status = add(row);

	check(!status || status == SBI_EFAIL, "a row is refused", row->first);
	return status;
}

int sbi_pmu_add_hw_event_counter_map(uint32_t first, uint32_t last, uint32_t counters)
{
	struct row row = { 0, 0, first, last, counters };

	check(first <= last && last < RAW, "no range", first);
	return added(&row);
}

int sbi_pmu_add_raw_event_counter_map(uint64_t select, uint64_t mask, uint32_t counters)
{
	struct row row = { select, mask, RAW, 0x30000, counters };

	return added(&row);
}

static int lowest(uint32_t mask, uint32_t from)
{
	for (; from < 32; from++) {
		if (mask >> from & 1)
			return (int)from;
	}
	return -1;
}

/*
 * The scan: a counter for an event. It begins at 0, and shifts the mask of free ones by where it is,
 * which for the second row is where the first one has left it: at the counter found if later, behind
 * all counters in 1.6.
 */
static int scan(uint32_t event, uint64_t data, uint32_t free, int later)
{
	uint32_t base = 0, mask, i;
	int found = -1, counter;

	for (i = 0; i < count; i++) {
		if (event < rows[i].first || event > rows[i].last ||
		    (event == RAW && rows[i].select != (data & rows[i].mask)))
			continue;
		mask = base < 32 ? rows[i].counters & (0xfffffff8u << base) & ~7u : 0;
		counter = lowest(mask & free, base);
		if (counter >= 0)
			found = counter;
		base = later && counter >= 0 ? (uint32_t)counter : 32;
	}
	return found;
}

/* ---- trees ----------------------------------------------------------------------------------- */

static void cells(void *fdt, const char *name, const uint32_t *cell, uint32_t n)
{
	fdt32_t value[64 * 5];
	uint32_t i;

	for (i = 0; i < n; i++)
		value[i] = cpu_to_fdt32(cell[i]);
	if (n)
		fdt_property(fdt, name, value, (int)(n * 4));
}

static void write_tree(void *fdt, int bytes)
{
	static const char *const names[] = { "riscv,event-to-mhpmevent",
					     "riscv,event-to-mhpmcounters",
					     "riscv,raw-event-to-mhpmcounters" };
	uint32_t cell[64 * 5], table, i, n;
	const struct row *r;

	fdt_create(fdt, bytes);
	fdt_finish_reservemap(fdt);
	fdt_begin_node(fdt, "");
	fdt_begin_node(fdt, "pmu");
	fdt_property_string(fdt, "compatible", "riscv,pmu");
	for (table = 0; table < 3; table++) {
		for (i = n = 0; i < rows_of[table]; i++) {
			r = &tree[table][i];
			if (table == 2) {
				cell[n++] = (uint32_t)(r->select >> 32);
				cell[n++] = (uint32_t)r->select;
				cell[n++] = (uint32_t)(r->mask >> 32);
				cell[n++] = (uint32_t)r->mask;
				cell[n++] = r->counters;
				continue;
			}
			cell[n++] = r->first;
			cell[n++] = table ? r->last : 0;
			cell[n++] = table ? r->counters : (uint32_t)r->select;
		}
		cells(fdt, names[table], cell, n);
	}
	fdt_end_node(fdt);
	fdt_end_node(fdt);
	fdt_finish(fdt);
}

static uint32_t random_event(void)
{
	return random_below(2) ? random_below(16) : 0x10000 + random_below(0x40);
}

static void make_tree(uint32_t raw)
{
	const uint64_t universe = (1u << BITS) - 1;
	uint32_t i;

	rows_of[0] = random_below(8);
	rows_of[1] = random_below(8);
	rows_of[2] = random_below(raw);
	for (i = 0; i < rows_of[0]; i++) {
		tree[0][i].first = random_event();
		tree[0][i].select = random_below(4);
	}
	for (i = 0; i < rows_of[1]; i++) {
		tree[1][i].first = random_event();
		tree[1][i].last = tree[1][i].first + random_below(12);
		tree[1][i].counters = random_below(0x100) << random_below(16);
	}
	for (i = 0; i < rows_of[2]; i++) {
		tree[2][i].mask = (random_below(2) ? ~universe : 0) | random_below(1u << BITS);
		tree[2][i].select = tree[2][i].mask & random_below(1u << BITS);
		tree[2][i].counters = random_below(0x100) << random_below(16);
	}
}

/* ---- what the tree says ---------------------------------------------------------------------- */

static uint32_t counters_of(uint32_t event, uint64_t data)
{
	uint32_t i, table = event == RAW ? 2 : 1, counters = 0;

	for (i = 0; i < rows_of[table]; i++) {
		const struct row *r = &tree[table][i];

		if (table == 2 ? r->select == (data & r->mask)
			       : r->first <= event && event <= r->last)
			counters |= r->counters;
	}
	return counters & PRESENT;
}

/* Whether SBI defines it: OpenSBI refuses others before it looks at rows. */
static int defined(uint32_t event)
{
	return event < 0x10000 ? event > 0 && event <= 10
			       : event >> 3 < (0x10000 >> 3) + 7 && (event >> 1 & 3) < 3;
}

/* Its selector; or its number, where no event has one; 0: there is none. */
static uint64_t selector_of(uint32_t event)
{
	uint32_t i;

	for (i = 0; i < rows_of[0]; i++) {
		if (tree[0][i].first == event)
			return tree[0][i].select;
	}
	return rows_of[0] ? 0 : event;
}

static void check_event(uint32_t event, uint64_t data, uint32_t counters)
{
	uint32_t free = random_below(0x10000) << 3;
	int counter = scan(event, data, free, 0), later = scan(event, data, free, 1);

	check(counter == lowest(counters & free, 0), "1.6", event == RAW ? data : event);
	check(counters & free ? later >= 0 && counters & free & 1u << later : later < 0, "later",
	      event == RAW ? data : event);
}

static void check_tree(void)
{
	uint32_t event;
	uint64_t data;

	for (event = 0; event < 0x10050; event += event == 0x20 ? 0x10000 - 0x20 : 1) {
		if (!defined(event))
			continue;
		check_event(event, 0, selector_of(event) ? counters_of(event, 0) : 0);
		check(fdt_pmu_xlate_to_mhpmevent(event, 0) == selector_of(event), "selector",
		      event);
	}
	for (data = 0; data < 1u << BITS; data++)
		check_event(RAW, data, counters_of(RAW, data));
}

int main(void)
{
	static uint64_t fdt[1024];
	uint32_t i;

	for (i = 0; i < 2000; i++) {
		make_tree(i % 10 ? 7 : 64);
		write_tree(fdt, sizeof(fdt));
		count = 0;
		check(fdt_pmu_setup(fdt) == 0, "setup", i);
		/* Where very many rows meet there may be no room for all that they have in common. */
		if (i % 10)
			check_tree();
		check(fdt_pmu_fixup(fdt) == 0 && fdt_pmu_fixup(fdt) == 0, "fixup", i);
		count = 0;
		check(fdt_pmu_setup(fdt) == 0 && count == 2, "after fixup", i);
	}
	check(fdt_pmu_setup(NULL) == SBI_EINVAL && fdt_pmu_fixup(NULL) == SBI_EINVAL, "NULL", 0);
	memset(fdt, 0, sizeof(fdt));
	check(fdt_pmu_setup(fdt) == SBI_EINVAL, "no tree", 0);
	check(fdt_pmu_xlate_to_mhpmevent(1, 0) == 0 && fdt_pmu_get_select_value(1) == 0, "no map",
	      0);
	printf("%" PRIu64 " passed, %" PRIu64 " failed\n", passed, failed);
	return failed != 0;
}
