/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Memory of RISC-V tables during a build, compared with the count of pmumap_need(); and taking over
 * a map.
 */
#include "proof.h"

static struct pmumap_builder builder;

static uint32_t raw_rows;

/* For pmumap_riscv_store_raw_(): the rows that a trial stores and their copies have room. */
void stored(struct pmumap *m, uint32_t offset, const struct pmumap_row_ *r, uint32_t n)
{
	prove(offset + (uint64_t)(2 * n + PMUMAP_RAW_SPARE_) * sizeof(struct pmumap_raw_row) <=
	      pmumap_map_need_(&builder) - n * sizeof(*r));
	prove(n == raw_rows);
	m->raw_rows = offset;
	m->raw_count = n;
}

static void fits(const struct pmumap *m)
{
	prove(offsetof(struct pmumap, record[1]) +
		      pmumap_riscv_raw_records_(m) * sizeof(m->record[0]) <=
	      sizeof(*m) + 2 * pmumap_riscv_most_places_(raw_rows));
}

/* For pmumap_riscv_place_rows_(): any outcome, if the index reaches the rows. */
int tried(struct pmumap *m, int apart, struct pmumap_riscv_crowd_ *crowd)
{
	fits(m);
	crowd->places = nondet_u16() & 511;
	crowd->rows = nondet_u16();
	return !pmumap_riscv_is_raw_far_(m) && (nondet_u8() & 1);
}

/* Each tried index, and the chosen one, has room before the rows. */
void find(void)
{
	static const uint32_t rows[] = { 1, 2, 4, 8, 16, 17, 64, 8192, 0x3fffffff };
	static struct pmumap m;
	uint32_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		raw_rows = rows[i];
		builder.kept = builder.raw_kept = raw_rows;
		pmumap_riscv_choose_raw_(&m, 0, raw_rows);
		prove(m.raw_low < pmumap_riscv_most_places_(raw_rows));
		prove((m.raw_low & (m.raw_low + 1)) == 0);
		reached(m.raw_low == 511);
	}
	reached(m.raw_low == 0);
}

#define RUNS 2

static struct pmumap_range granted[2];
static struct pmumap_run runs[RUNS];
static uint32_t asked, from_next;

/* For pmumap_event_next(): any sequence of runs; must be asked after each. */
int any_run(const struct pmumap *m, uint32_t from, struct pmumap_run *run)
{
	prove(from == from_next);
	if (asked == RUNS)
		return 0;
	run->first = nondet_u32();
	run->last = nondet_u32();
	run->counters = nondet_u32();
	run->has_selector = nondet_u8() & 1;
	run->selector = nondet_u64();
	assume(from <= run->first && run->first <= run->last && run->last < PMUMAP_EVENT_LIMIT);
	assume(!run->has_selector || run->last - run->first < 2);
	from_next = run->last + 1;
	runs[asked++] = *run;
	return 1;
}

/* What is added is in the last run and in a range. */
static int is_granted(uint32_t first, uint32_t last)
{
	const struct pmumap_run *run = &runs[asked - 1];

	return asked && run->first <= first && first <= last && last <= run->last &&
	       ((granted[0].first <= first && last <= granted[0].last) ||
		(granted[1].first <= first && last <= granted[1].last));
}

static uint32_t added_counters, added_selectors;

enum pmumap_status added(struct pmumap_builder *b, uint32_t first, uint32_t last, uint32_t counters)
{
	prove(is_granted(first, last) && counters == (runs[asked - 1].counters & 5));
	added_counters++;
	return PMUMAP_OK;
}

enum pmumap_status added_selector(struct pmumap_builder *b, uint32_t event, uint64_t selector)
{
	prove(is_granted(event, event) && runs[asked - 1].has_selector &&
	      selector == runs[asked - 1].selector && (runs[asked - 1].counters & 5));
	added_selectors++;
	return PMUMAP_OK;
}

/* A guest gets exactly the granted events; the loops end. */
void add_map(void)
{
	static struct pmumap m;
	struct pmumap_grant grant = { 0 };
	uint32_t i;

	for (i = 0; i < 2; i++) {
		granted[i].first = nondet_u32();
		granted[i].last = nondet_u32();
	}
	grant.ranges = granted;
	grant.count = 2;
	grant.counters = 5;
	(void)pmumap_add_map(&builder, &m, &grant);
	prove(asked == RUNS);
	reached(added_counters == 4 && added_selectors == 8);
	reached(added_counters == 0);
}
