/* SPDX-License-Identifier: BSD-2-Clause
 *
 * N rows of events, kept by the builder's own functions, then sorted and swept: the emission for an
 * event matches the rows. A watch on one arbitrary event replaces emitting; emit.c proves that a
 * look-up returns what was emitted. 8-bit selectors are enough to distinguish them.
 */
#include "proof.h"

static struct {
	uint32_t scratch[32];
	struct pmumap_row_ rows[N];
} upper; /* end of a block */

static uint32_t probe;
static uint32_t hits, counters, has_selector;
static uint64_t selector;
static uint32_t sorted_at, sorted_records;
static uint32_t before_counters, before_selects;

static void says(const struct pmumap_row_ *row, uint32_t mask)
{
	has_selector = row != 0;
	selector = row ? row->value : 0;
	counters = mask;
}

void watch_indexed(struct pmumap *m, uint32_t first, uint32_t end, const struct pmumap_row_ *row,
		   uint32_t mask)
{
	prove(first < end && pmumap_riscv_is_indexed_event_(first) && (end - 1) >> 6 == first >> 6);
	if (!pmumap_riscv_is_indexed_event_(probe) || probe < first || probe >= end)
		return;
	hits++;
	says(row, mask);
}

/* Valid from first up to the next one; a record only where the answer changes. */
void watch_sorted(struct pmumap *m, uint32_t first, const struct pmumap_row_ *row, uint32_t mask)
{
	prove(first > sorted_at && first < PMUMAP_EVENT_LIMIT &&
	      !pmumap_riscv_is_indexed_event_(first));
	sorted_at = first;
	sorted_records += row || before_selects || before_counters != mask;
	before_selects = row != 0;
	before_counters = mask;
	if (!pmumap_riscv_is_indexed_event_(probe) && first <= probe)
		says(row, mask);
}

static void sweep(int indexed)
{
	uint32_t is_selector[N], event[N], last[N], mask[N], i;
	uint32_t want = 0, want_selector = 0;
	uint64_t value[N], want_value = 0;
	struct pmumap_row_ rows[N], spare[N];
	struct pmumap_builder b;
	struct pmumap m;

	probe = nondet_u32() & (PMUMAP_EVENT_LIMIT - 1);
	assume(pmumap_riscv_is_indexed_event_(probe) == indexed);
	pmumap_begin(&b, &upper, sizeof(upper));
	assume(b.status == PMUMAP_OK); /* upper is aligned */
	b.status = PMUMAP_OK;
	b.room = N;
	for (i = 0; i < N; i++) {
		is_selector[i] = nondet_u8() & 1;
		event[i] = nondet_u32() & (PMUMAP_EVENT_LIMIT - 1);
		last[i] = nondet_u32() & (2 * PMUMAP_EVENT_LIMIT - 1);
		mask[i] = nondet_u32() & COUNTERS;
		value[i] = nondet_u8();
		if (is_selector[i]) {
			(void)pmumap_add_selector(&b, event[i], value[i]);
		} else {
			assume(event[i] <= last[i] && mask[i]);
			(void)pmumap_add_counters(&b, event[i], last[i], mask[i]);
		}
		prove(b.kept == i + 1);
		b.kept = i + 1;
	}
	for (i = 0; i < N; i++)
		rows[i] = upper.rows[i];
	pmumap_merge_sort_(rows, N, spare);
	pmumap_zero_words_(&m, sizeof(m));
	pmumap_riscv_sweep_rows_(&b, &m, rows, rows + N, indexed);

	for (i = 0; i < N; i++) {
		if (is_selector[i] && event[i] == probe && !want_selector) {
			want_selector = 1;
			want_value = value[i];
		}
		if (!is_selector[i] && event[i] <= probe && probe <= last[i])
			want |= mask[i];
	}
	prove(hits == (uint32_t)indexed);
	prove(counters == want);
	prove(has_selector == want_selector);
	prove(!want_selector || selector == want_value);
	prove(sorted_records <= b.sorted_bound);
	reached(want && (N == 1 || want_selector));
}

void indexed(void)
{
	sweep(1);
}

void sorted(void)
{
	sweep(0);
}
