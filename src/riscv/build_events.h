/* SPDX-License-Identifier: BSD-2-Clause */
/* Turn rows into records; which row wins an overlap */
#pragma once

#include "riscv/rows.h"
#include "riscv/tables.h"

/* Bytes below the rows, for pmumap_riscv_sweep_rows_(). */
#define PMUMAP_SWEEP_BYTES_ (PMUMAP_COUNTERS_ * (uint32_t)sizeof(uint32_t))

PMUMAP_OUTLINE_ PMUMAP_COLD_ void pmumap_riscv_add_record_(struct pmumap *m, uint64_t selector,
							   uint32_t counters, uint32_t key)
{
	struct pmumap_record *r = m->record;

	r += m->records++;
	r->selector = selector;
	r->counters = counters;
	r->key = key;
}

/*
 * Set the index bytes of events first to end - 1, which share one answer. Equal records are stored
 * once.
 */
static inline void pmumap_riscv_emit_indexed_(struct pmumap *m, uint32_t first, uint32_t end,
					      const struct pmumap_row_ *selector, uint32_t counters)
{
	const struct pmumap_record *r = m->record;
	uint64_t value = selector ? pmumap_row_selector_(selector) : 0;
	uint32_t key = selector ? PMUMAP_RECORD_HAS_SELECTOR_ : 0, i = 0;

	while (i < m->records &&
	       (r[i].selector != value || r[i].counters != counters || r[i].key != key))
		i++;
	if (i == m->records)
		pmumap_riscv_add_record_(m, value, counters, key);
	for (; first < end; first++) {
		m->event_index[pmumap_riscv_index_slot_(first)] = (uint8_t)i;
		PMUMAP_NO_LIBCALL_();
	}
}

/*
 * Append a record of the sorted run from event first on, unless the previous one has the same
 * answer.
 */
static inline void pmumap_riscv_emit_sorted_(struct pmumap *m, uint32_t first,
					     const struct pmumap_row_ *selector, uint32_t counters)
{
	const struct pmumap_record *before = m->record;

	before += m->records - 1;
	if (selector)
		pmumap_riscv_add_record_(m, pmumap_row_selector_(selector), counters,
					 first | PMUMAP_RECORD_HAS_SELECTOR_);
	else if ((before->key & PMUMAP_RECORD_HAS_SELECTOR_) || before->counters != counters)
		pmumap_riscv_add_record_(m, 0, counters, first);
}

/*
 * Sweep from event to event at which the answer may change, and make the records of either indexed
 * or other events. r to end: the sorted rows of events. reach[i], below the rows, is the first
 * event that no range so far offers counter i for.
 */
static inline PMUMAP_COLD_ void pmumap_riscv_sweep_rows_(struct pmumap_builder *b, struct pmumap *m,
							 const struct pmumap_row_ *r,
							 const struct pmumap_row_ *end, int indexed)
{
	const struct pmumap_row_ *selector;
	uint32_t *reach = (uint32_t *)(void *)pmumap_builder_rows_(b) - PMUMAP_COUNTERS_;
	uint32_t at, next, active, counter, bits, seen = 0;

	pmumap_zero_words_(reach, PMUMAP_SWEEP_BYTES_);
	for (at = 0; at < PMUMAP_EVENT_LIMIT; at = next) {
		next = at < PMUMAP_EVENT_CACHE ? PMUMAP_EVENT_CACHE : PMUMAP_EVENT_LIMIT;
		if (pmumap_riscv_is_indexed_event_(at))
			next = (at | 0x3f) + 1;
		for (selector = 0; r < end && pmumap_row_event_(r) == at; r++) {
			if (pmumap_row_is_selector_(r) && !selector)
				selector = r;
			seen |= r->counters;
			for (bits = r->counters, counter = 0; bits; bits >>= 1, counter++) {
				if ((bits & 1) && reach[counter] < pmumap_row_end_(r))
					reach[counter] = pmumap_row_end_(r) < PMUMAP_EVENT_LIMIT
								 ? (uint32_t)pmumap_row_end_(r)
								 : PMUMAP_EVENT_LIMIT;
			}
		}
		if (r < end && pmumap_row_event_(r) < next)
			next = pmumap_row_event_(r);
		if (selector)
			next = at + 1;
		active = 0;
		for (bits = seen, counter = 0; bits; bits >>= 1, counter++) {
			if (reach[counter] <= at)
				continue;
			active |= 1u << counter;
			if (reach[counter] < next)
				next = reach[counter];
		}
		if (indexed != pmumap_riscv_is_indexed_event_(at))
			continue;
		if (indexed)
			pmumap_riscv_emit_indexed_(m, at, next, selector, active);
		else
			pmumap_riscv_emit_sorted_(m, at, selector, active);
	}
}

/* Make all records from the n sorted rows of events. */
static inline void pmumap_riscv_build_events_(struct pmumap_builder *b, struct pmumap *m,
					      const struct pmumap_row_ *r, uint32_t n)
{
	pmumap_riscv_add_record_(m, 0, 0, 0);
	pmumap_riscv_sweep_rows_(b, m, r, r + n, 1);
	m->sorted = m->records;
	pmumap_riscv_add_record_(m, 0, 0, 0);
	pmumap_riscv_sweep_rows_(b, m, r, r + n, 0);
	m->sorted_count = m->records - m->sorted;
	if (m->sorted_count == 1) { /* only the start: record[0] serves as well */
		m->records--;
		m->sorted = 0;
	}
}
