/* SPDX-License-Identifier: BSD-2-Clause */
/* Turn rows into records; which row wins an overlap */
#pragma once

#include "riscv/rows.h"
#include "riscv/tables.h"

/* Bytes below the rows, for pmumap_riscv_sweep_rows_(). */
#define PMUMAP_SWEEP_BYTES_ (PMUMAP_COUNTERS_ * (uint32_t)sizeof(uint32_t))

#define PMUMAP_EVENT_PAGE_ 0x40u /* events with an index byte: 0 on, and PMUMAP_EVENT_CACHE on */

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
	uint64_t value = selector ? selector->value : 0;
	uint32_t key = selector ? PMUMAP_RECORD_HAS_SELECTOR_ : 0;
	size_t i = 0;

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
		pmumap_riscv_add_record_(m, selector->value, counters,
					 first | PMUMAP_RECORD_HAS_SELECTOR_);
	else if ((before->key & PMUMAP_RECORD_HAS_SELECTOR_) || before->counters != counters)
		pmumap_riscv_add_record_(m, 0, counters, first);
}

/* Make the record of events first to end - 1, if they are of the wanted kind. */
static inline void pmumap_riscv_emit_run_(struct pmumap *m, uint32_t first, uint32_t end,
					  const struct pmumap_row_ *selector, uint32_t counters,
					  int indexed)
{
	if (indexed != pmumap_riscv_is_indexed_event_(first))
		return;
	if (indexed)
		pmumap_riscv_emit_indexed_(m, first, end, selector, counters);
	else
		pmumap_riscv_emit_sorted_(m, first, selector, counters);
}

/* A range offers these counters for the events below end, which may need 33 bits. */
static inline void pmumap_riscv_extend_reach_(uint32_t *reach, uint32_t counters, uint64_t end)
{
	uint32_t stop = end < PMUMAP_EVENT_LIMIT ? (uint32_t)end : PMUMAP_EVENT_LIMIT;
	size_t counter;

	for (counter = 0; counters; counters >>= 1, counter++) {
		if ((counters & 1) && reach[counter] < stop)
			reach[counter] = stop;
	}
}

struct pmumap_riscv_taken_ {
	const struct pmumap_row_ *end;
	uint32_t counters;
};

/* Let the rows of an event extend the reach. Returns their counters, and the row behind them. */
static inline struct pmumap_riscv_taken_ pmumap_riscv_take_rows_(const struct pmumap_row_ *r,
								 const struct pmumap_row_ *end,
								 uint32_t at, uint32_t *reach)
{
	struct pmumap_riscv_taken_ taken;

	taken.counters = 0;
	for (; r < end && pmumap_row_event_(r) == at; r++) {
		taken.counters |= r->counters;
		pmumap_riscv_extend_reach_(reach, r->counters, pmumap_row_end_(r));
	}
	taken.end = r;
	return taken;
}

/* The first selector of these rows, or NULL. */
static inline const struct pmumap_row_ *pmumap_riscv_first_selector_(const struct pmumap_row_ *r,
								     const struct pmumap_row_ *end)
{
	for (; r < end; r++) {
		if (pmumap_row_is_selector_(r))
			return r;
	}
	return 0;
}

/* The next event that has an index byte if event at has none, or the other way round. */
static inline uint32_t pmumap_riscv_page_end_(uint32_t at)
{
	if (pmumap_riscv_is_indexed_event_(at))
		return (at / PMUMAP_EVENT_PAGE_ + 1) * PMUMAP_EVENT_PAGE_;
	return at < PMUMAP_EVENT_CACHE ? PMUMAP_EVENT_CACHE : PMUMAP_EVENT_LIMIT;
}

struct pmumap_riscv_span_ {
	uint32_t counters, end;
};

/* Which of these counters reach beyond event at; and where the first ends, if before end. */
static inline struct pmumap_riscv_span_
pmumap_riscv_find_span_(const uint32_t *reach, uint32_t counters, uint32_t at, uint32_t end)
{
	struct pmumap_riscv_span_ span;
	size_t counter;

	span.counters = 0;
	span.end = end;
	for (counter = 0; counters; counters >>= 1, counter++) {
		if (reach[counter] <= at)
			continue;
		span.counters |= 1u << counter;
		if (reach[counter] < span.end)
			span.end = reach[counter];
	}
	return span;
}

/* The counters of event at, and the event at which they or its selector may change. */
static inline struct pmumap_riscv_span_ pmumap_riscv_find_run_(const struct pmumap_row_ *r,
							       const struct pmumap_row_ *end,
							       const struct pmumap_row_ *selector,
							       const uint32_t *reach, uint32_t seen,
							       uint32_t at)
{
	uint32_t next = pmumap_riscv_page_end_(at);

	if (r < end && pmumap_row_event_(r) < next)
		next = pmumap_row_event_(r);
	if (selector)
		next = at + 1;
	return pmumap_riscv_find_span_(reach, seen, at, next);
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
	const struct pmumap_row_ *selector, *from;
	uint32_t *reach = (uint32_t *)(void *)pmumap_builder_rows_(b) - PMUMAP_COUNTERS_;
	struct pmumap_riscv_span_ span;
	struct pmumap_riscv_taken_ taken;
	uint32_t at, seen = 0;

	pmumap_zero_words_(reach, PMUMAP_SWEEP_BYTES_);
	for (at = 0; at < PMUMAP_EVENT_LIMIT; at = span.end) {
		from = r;
		taken = pmumap_riscv_take_rows_(r, end, at, reach);
		seen |= taken.counters;
		r = taken.end;
		selector = pmumap_riscv_first_selector_(from, r);
		span = pmumap_riscv_find_run_(r, end, selector, reach, seen, at);
		pmumap_riscv_emit_run_(m, at, span.end, selector, span.counters, indexed);
	}
}

/* Make all records from the n sorted rows of events. Those of the raw index are absent for now. */
static inline void pmumap_riscv_build_events_(struct pmumap_builder *b, struct pmumap *m,
					      const struct pmumap_row_ *r, uint32_t n)
{
	do
		pmumap_riscv_add_record_(m, 0, 0, 0);
	while (m->records <= pmumap_riscv_raw_records_(m));
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
