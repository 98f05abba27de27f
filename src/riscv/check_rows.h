/* SPDX-License-Identifier: BSD-2-Clause */
/* Probable mistakes in an event's rows */
#pragma once

#include "riscv/check_row.h"

/* Whether sorted row i is the selector that wins: the first for its event. */
static inline int pmumap_riscv_is_first_selector_(const struct pmumap_row_ *r, uint32_t i)
{
	if (i && pmumap_row_is_selector_(&r[i - 1]) &&
	    pmumap_row_event_(&r[i - 1]) == pmumap_row_event_(&r[i]))
		return 0;
	return pmumap_row_is_selector_(&r[i]);
}

/*
 * The row that programs this selector: the first in the table of selectors, otherwise the first raw
 * row that matches. Returns its row member, or PMUMAP_NO_ROW.
 */
static inline uint32_t pmumap_riscv_find_selecting_row_(const struct pmumap_row_ *r, uint32_t n,
							uint64_t selector)
{
	uint32_t row = PMUMAP_NO_ROW, i;

	for (i = 0; i < n; i++) {
		if (r[i].row >= row)
			continue;
		if (r[i].row & PMUMAP_RAW_ROW_) {
			if ((selector & r[i].value) == r[i].key)
				row = r[i].row;
		} else if (r[i].value == selector && pmumap_riscv_is_first_selector_(r, i)) {
			row = r[i].row;
		}
	}
	return row;
}

/* Report an event with counters and no selector, and another row that its number would select. */
static inline void pmumap_riscv_check_orphan_(const struct pmumap_checker_ *c,
					      const struct pmumap_row_ *range, uint32_t event,
					      int again)
{
	uint32_t row = pmumap_riscv_find_selecting_row_(c->rows, c->b->kept, event);

	if (!again)
		PMUMAP_WARN_(c, COUNTERS_ORPHAN, PMUMAP_IN_RANGES_, range->row, event);
	if (row != PMUMAP_NO_ROW)
		pmumap_tell_two_(c,
				 PMUMAP_CONFLICT_(DEFAULT_COLLISION, PMUMAP_WARNING,
						  PMUMAP_IN_RANGES_,
						  row & PMUMAP_RAW_ROW_ ? PMUMAP_IN_RAW_
									: PMUMAP_IN_SELECTORS_),
				 range->row, row & ~PMUMAP_RAW_ROW_, event);
}

/*
 * Report events 1 and 2 with fixed counters only, and events without a selector; 1 and 2 are among
 * those if programmable counters are named. The first range that covers an event never precedes
 * that of a lower event, so one pass over the rows is enough.
 */
static inline void pmumap_riscv_check_events_(const struct pmumap_checker_ *c)
{
	const struct pmumap_row_ *range = c->rows, *orphan = 0;
	const struct pmumap_row_ *end = range + (c->b->kept - c->b->raw_kept);
	const struct pmumap_record *record;
	uint32_t slot, event;

	for (slot = 0; slot < PMUMAP_INDEXED_EVENTS_; slot++) {
		event = pmumap_riscv_slot_event_(slot);
		while (range < end &&
		       (pmumap_row_is_selector_(range) || pmumap_row_end_(range) <= event))
			range++;
		if (range == end || pmumap_row_event_(range) > event ||
		    !pmumap_riscv_is_hardware_event_(event))
			continue;
		record = pmumap_riscv_record_of_event_(c->m, event);
		if (event <= PMUMAP_EVENT_INSTRUCTIONS_ &&
		    (record->counters & ~PMUMAP_FIXED_COUNTERS_) == 0) {
			pmumap_tell_(c, PMUMAP_FINDING_(FIXED_ONLY, PMUMAP_NOTE, PMUMAP_IN_RANGES_),
				     range->row, event);
		} else if ((c->m->head.flags & PMUMAP_HAS_SELECTORS) &&
			   !(record->key & PMUMAP_RECORD_HAS_SELECTOR_)) {
			pmumap_riscv_check_orphan_(c, range, event, range == orphan);
			orphan = range;
		}
	}
}

/* Report which of events 1 and 2 no row names. */
static inline void pmumap_riscv_check_fixed_(const struct pmumap_checker_ *c)
{
	uint32_t event, missing = 0;

	for (event = PMUMAP_EVENT_CYCLES_; event <= PMUMAP_EVENT_INSTRUCTIONS_; event++) {
		if (!pmumap_riscv_record_of_event_(c->m, event)->counters)
			missing |= 1u << event;
	}
	if (missing)
		pmumap_tell_(c, PMUMAP_FINDING_(FIXED_MISSING, PMUMAP_WARNING, PMUMAP_IN_NODE_),
			     PMUMAP_NO_ROW, missing);
}

/* Check the sorted rows, with a map that already answers for events. */
static inline PMUMAP_COLD_ void pmumap_riscv_check_rows_(const struct pmumap_checker_ *c)
{
	const struct pmumap_row_ *r = c->rows, *furthest = 0, *selector = r;
	uint32_t events = c->b->kept - c->b->raw_kept, i;

	for (i = 0; i < events; i++) {
		if (!pmumap_row_is_selector_(&r[i])) {
			pmumap_riscv_check_range_(c, &r[i], furthest);
			if (!furthest || pmumap_row_end_(furthest) < pmumap_row_end_(&r[i]))
				furthest = &r[i];
		} else if (pmumap_riscv_is_first_selector_(r, i)) {
			selector = &r[i];
			pmumap_riscv_check_selector_(c, selector);
		} else {
			int same = r[i].value == selector->value;

			pmumap_tell_two_(c,
					 PMUMAP_CONFLICT_(SELECTOR_DUPLICATE,
							  same ? PMUMAP_WARNING : PMUMAP_ERROR,
							  PMUMAP_IN_SELECTORS_,
							  PMUMAP_IN_SELECTORS_),
					 r[i].row, selector->row, pmumap_row_event_(&r[i]));
		}
	}
	for (i = 0; i < c->b->raw_kept; i++)
		pmumap_riscv_check_raw_(c, r + events, i);
	pmumap_riscv_check_events_(c);
	pmumap_riscv_check_fixed_(c);
}
