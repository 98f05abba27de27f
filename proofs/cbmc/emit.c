/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What sweep.c proves to be emitted is what a look-up returns, for each event.
 */
#include "proof.h"

#define RUN 8 /* events emitted at once; the library emits up to 64 */

static struct {
	struct pmumap m;
	struct pmumap_record more[RECORDS];
} image;

static void selecting(struct pmumap_row_ *row)
{
	row->key = 1ull << 32;
	row->value = nondet_u64();
}

/*
 * One step from any map of up to RECORDS records with a valid index: emitted events change to the
 * emitted answer, all others keep theirs.
 */
void indexed(void)
{
	uint32_t first = nondet_u32(), end = nondet_u32(), mask = nondet_u32(),
		 event = nondet_u32();
	uint32_t other = nondet_u32(), records, counters, i;
	uint64_t before = 77, after = 77;
	struct pmumap_row_ row;
	int selects = nondet_u8() & 1, had, has;

	for (i = 0; i < 128; i++)
		image.m.event_index[i] = nondet_u8();
	image.m.record[0].selector = image.m.record[0].counters = image.m.record[0].key = 0;
	for (i = 0; i < RECORDS; i++) {
		image.more[i].selector = nondet_u64();
		image.more[i].counters = nondet_u32();
		image.more[i].key = nondet_u8() & 1 ? PMUMAP_RECORD_HAS_SELECTOR_ : 0;
	}
	records = nondet_u32();
	assume(records >= 1 && records <= RECORDS);
	image.m.records = records;
	assume(pmumap_riscv_is_indexed_event_(event) && pmumap_riscv_is_indexed_event_(other));
	assume(image.m.event_index[pmumap_riscv_index_slot_(event)] < records);
	assume(image.m.event_index[pmumap_riscv_index_slot_(other)] < records);
	assume(pmumap_riscv_is_indexed_event_(first) && first < end &&
	       (end - 1) >> 6 == first >> 6);
	assume(end - first <= RUN);
	assume(first <= event && event < end && !(first <= other && other < end));
	selecting(&row);

	counters = pmumap_counters(&image.m, other);
	had = pmumap_selector(&image.m, other, &before);
	pmumap_riscv_emit_indexed_(&image.m, first, end, selects ? &row : 0, mask);

	prove(image.m.records == records || image.m.records == records + 1);
	prove(image.m.event_index[pmumap_riscv_index_slot_(event)] < image.m.records);
	prove(image.m.event_index[pmumap_riscv_index_slot_(other)] < image.m.records);
	prove(pmumap_counters(&image.m, other) == counters);
	has = pmumap_selector(&image.m, other, &after);
	prove(!has == !had && before == after);
	after = 77;
	prove(pmumap_counters(&image.m, event) == mask);
	has = pmumap_selector(&image.m, event, &after);
	prove(!has == !selects && after == (selects ? row.value : 77));
	reached(image.m.records == RECORDS + 1);
	reached(image.m.records == records && selects && mask);
	reached(end == first + RUN);
}

/* A sequence of emissions from an empty map: an event has the last emission at or before it. */
void sorted(void)
{
	uint32_t event = nondet_u32(), at = 0, counters = 0, selects = 0, emitted, i;
	uint64_t value = 0, got = 77;
	struct pmumap_row_ row[RECORDS - 1];
	int has;

	assume(!pmumap_riscv_is_indexed_event_(event));
	image.m.records = 1;
	image.m.sorted = 0;
	emitted = nondet_u32();
	assume(emitted <= RECORDS - 1);
	pmumap_riscv_add_record_(&image.m, 0, 0, 0);
	image.m.sorted = 1;
	for (i = 0; i < RECORDS - 1; i++) {
		uint32_t first = nondet_u32(), mask = nondet_u32(), select = nondet_u8() & 1;

		if (i >= emitted)
			break;
		assume(first > at && first < PMUMAP_EVENT_LIMIT);
		at = first;
		selecting(&row[i]);
		pmumap_riscv_emit_sorted_(&image.m, first, select ? &row[i] : 0, mask);
		if (first <= event) {
			counters = mask;
			selects = select;
			value = row[i].value;
		}
	}
	image.m.sorted_count = image.m.records - image.m.sorted;
	if (event >= PMUMAP_EVENT_LIMIT)
		counters = selects = 0;
	prove(pmumap_counters(&image.m, event) == counters);
	has = pmumap_selector(&image.m, event, &got);
	prove(!has == !selects && got == (selects ? value : 77));
	reached(image.m.records == RECORDS + 1 && has);
	reached(image.m.records == RECORDS && !counters && event > 0x10040);
}
