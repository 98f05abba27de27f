/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Memory of RISC-V tables during a build, compared with the count of pmumap_need(); and taking over
 * a map.
 */
#include "proof.h"

static struct pmumap_builder builder;

static uint32_t raw_rows;
static uint64_t raw_bytes; /* bytes counted for them */

/* For pmumap_riscv_try_raw_hash_(): fails as long as it may. Each try is checked. */
int last_try(const struct pmumap *m, uint16_t *index, const struct pmumap_row_ *r, uint32_t n,
	     uint32_t most)
{
	prove(n == raw_rows && m->raw_shift >= 14 && m->raw_shift <= 31);
	prove((n + 1) * sizeof(struct pmumap_raw_row) + (sizeof(*index) << (32 - m->raw_shift)) <=
	      raw_bytes);
	return most >= n;
}

/* An index fits whenever one is tried; for up to a chain of rows there is one. */
void find(void)
{
	static const uint32_t rows[] = { 1, 2, 4, 8, 16, 17, 64, 32768, 32769 };
	static struct pmumap m;
	uint64_t none = pmumap_riscv_need_(&builder);
	uint32_t i, n;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		raw_rows = n = rows[i];
		builder.kept = builder.raw_kept = n;
		raw_bytes = pmumap_riscv_need_(&builder) - none - n * sizeof(struct pmumap_row_);
		if (pmumap_riscv_find_raw_hash_(&m, 0, 0, n))
			continue;
		prove(n > PMUMAP_RAW_CHAIN_ &&
		      (n + 1) * sizeof(struct pmumap_raw_row) <= raw_bytes);
		reached(n == PMUMAP_RAW_CHAIN_ + 1);
	}
	reached(m.raw_shift == 15);
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
