/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/api.h"
#include "riscv/api.h"
#include "builder/report.h"
#include "builder/rows.h"
#include "riscv/tables.h"

/* Check the counters of a range or a raw row; fixed: the fixed counters that belong there. */
static inline void pmumap_riscv_lint_counters_(struct pmumap_builder *b, uint32_t table,
					       const struct pmumap_row_ *r, uint32_t fixed)
{
	uint32_t row = pmumap_row_number_(r);

	if (r->counters & PMUMAP_TIME_BIT_)
		pmumap_report_(b, PMUMAP_FINDING_(TIME_BIT, PMUMAP_WARNING, table), row,
			       PMUMAP_NO_ROW, r->counters);
	if (r->counters & (PMUMAP_CYCLE_BIT_ | PMUMAP_INSTRET_BIT_) & ~fixed)
		pmumap_report_(b, PMUMAP_FINDING_(FIXED_BIT, PMUMAP_WARNING, table), row,
			       PMUMAP_NO_ROW, r->counters);
}

/* Check a range; furthest: of the ranges before it, the one that reaches furthest; or NULL. */
static inline void pmumap_riscv_lint_range_(struct pmumap_builder *b, const struct pmumap_row_ *r,
					    const struct pmumap_row_ *furthest)
{
	uint32_t first = pmumap_row_event_(r), last = (uint32_t)(pmumap_row_end_(r) - 1),
		 event = first, fixed = 0;

	if (last >= PMUMAP_EVENT_LIMIT)
		pmumap_report_(b, PMUMAP_FINDING_(EVENT_WIDE, PMUMAP_WARNING, PMUMAP_IN_RANGES_),
			       r->row, PMUMAP_NO_ROW, last);
	if (first < PMUMAP_EVENT_RAW_END_ && last >= PMUMAP_EVENT_RAW) {
		pmumap_report_(b, PMUMAP_FINDING_(RANGE_RAW, PMUMAP_WARNING, PMUMAP_IN_RANGES_),
			       r->row, PMUMAP_NO_ROW,
			       first > PMUMAP_EVENT_RAW ? first : PMUMAP_EVENT_RAW);
	} else {
		while (pmumap_riscv_is_hardware_event_(event))
			event++;
		if (event <= last)
			pmumap_report_(
				b,
				PMUMAP_FINDING_(EVENT_INVALID,
						event == first ? PMUMAP_WARNING : PMUMAP_NOTE,
						PMUMAP_IN_RANGES_),
				r->row, PMUMAP_NO_ROW, event);
	}
	if (first == last && first == PMUMAP_EVENT_CYCLES_)
		fixed = PMUMAP_CYCLE_BIT_;
	if (first == last && first == PMUMAP_EVENT_INSTRUCTIONS_)
		fixed = PMUMAP_INSTRET_BIT_;
	pmumap_riscv_lint_counters_(b, PMUMAP_IN_RANGES_, r, fixed);
	if (furthest && pmumap_row_end_(furthest) > first) {
		uint32_t row = r->row, other = furthest->row;

		pmumap_report_(b,
			       PMUMAP_CONFLICT_(RANGE_OVERLAP, PMUMAP_WARNING, PMUMAP_IN_RANGES_,
						PMUMAP_IN_RANGES_),
			       row > other ? row : other, row > other ? other : row, first);
	}
}

/* Whether a number of two cells has something in the upper one alone: are the two exchanged? */
static inline int pmumap_riscv_is_reversed_number_(uint64_t number)
{
	return number != 0 && (number & 0xffffffffu) == 0;
}

/*
 * Whether a mask compares all of the lower cell, and in the upper one some bits above some that it
 * ignores: are the two exchanged? Masks of only low bits, like 48, are as they should be.
 */
static inline int pmumap_riscv_is_reversed_mask_(uint64_t mask)
{
	return (uint32_t)mask == 0xffffffff && (mask & (mask + 1)) != 0;
}

/* Check the selector that counts for its event. */
static inline void pmumap_riscv_lint_selector_(struct pmumap_builder *b, const struct pmumap *m,
					       const struct pmumap_row_ *r)
{
	uint32_t event = pmumap_row_event_(r);
	uint64_t selector = pmumap_row_selector_(r);

	if (!pmumap_riscv_is_hardware_event_(event))
		pmumap_report_(b,
			       PMUMAP_FINDING_(EVENT_INVALID, PMUMAP_WARNING, PMUMAP_IN_SELECTORS_),
			       r->row, PMUMAP_NO_ROW, event);
	if (event != PMUMAP_EVENT_CYCLES_ && event != PMUMAP_EVENT_INSTRUCTIONS_ &&
	    pmumap_riscv_record_of_event_(m, event)->counters == 0)
		pmumap_report_(
			b, PMUMAP_FINDING_(SELECTOR_ORPHAN, PMUMAP_WARNING, PMUMAP_IN_SELECTORS_),
			r->row, PMUMAP_NO_ROW, event);
	if (selector & ~PMUMAP_RAW_V2_BITS_)
		pmumap_report_row_(
			b, PMUMAP_FINDING_(SELECTOR_BITS, PMUMAP_WARNING, PMUMAP_IN_SELECTORS_),
			r->row, selector);
	else if (pmumap_riscv_is_reversed_number_(selector))
		pmumap_report_row_(
			b, PMUMAP_FINDING_(SELECTOR_REVERSED, PMUMAP_WARNING, PMUMAP_IN_SELECTORS_),
			r->row, selector);
}

/* Whether select requires a bit between bits that the mask ignores, as if made from the select. */
static inline int pmumap_riscv_is_scattered_mask_(uint64_t select, uint64_t mask)
{
	uint64_t above = select & (mask + 1); /* above the lowest bit that is ignored */

	above &= 0 - above;
	return above && ~mask > above;
}

/* Check select and mask of a raw row. */
static inline void pmumap_riscv_lint_match_(struct pmumap_builder *b, const struct pmumap_row_ *r)
{
	uint64_t select = pmumap_row_select_(r), mask = pmumap_row_mask_(r);
	uint32_t row = pmumap_row_number_(r);

	if (select & ~PMUMAP_RAW_V2_BITS_)
		pmumap_report_row_(b,
				   PMUMAP_FINDING_(RAW_UNREACHABLE, PMUMAP_WARNING, PMUMAP_IN_RAW_),
				   row, select);
	else if (pmumap_riscv_is_reversed_number_(select) && ((uint32_t)mask & select >> 32) != 0)
		pmumap_report_row_(
			b, PMUMAP_FINDING_(SELECTOR_REVERSED, PMUMAP_WARNING, PMUMAP_IN_RAW_), row,
			select);
	if (pmumap_riscv_is_reversed_mask_(mask))
		pmumap_report_row_(b,
				   PMUMAP_FINDING_(MASK_REVERSED, PMUMAP_WARNING, PMUMAP_IN_RAW_),
				   row, mask);
	else if (pmumap_riscv_is_scattered_mask_(select, mask))
		pmumap_report_row_(b, PMUMAP_FINDING_(RAW_WIDE, PMUMAP_WARNING, PMUMAP_IN_RAW_),
				   row, mask);
}

#define PMUMAP_RAW_OVERLAPS_ 256u /* a raw row is compared with at most so many others */

/* Check raw row i of the sorted ones. It is reported against one row before it, the nearest. */
static inline void pmumap_riscv_lint_raw_(struct pmumap_builder *b, const struct pmumap_row_ *r,
					  uint32_t i)
{
	uint64_t select = pmumap_row_select_(&r[i]), mask = pmumap_row_mask_(&r[i]);
	uint32_t row = pmumap_row_number_(&r[i]), j;

	pmumap_riscv_lint_match_(b, &r[i]);
	pmumap_riscv_lint_counters_(b, PMUMAP_IN_RAW_, &r[i], 0);
	for (j = i; j-- > 0 && i - j <= PMUMAP_RAW_OVERLAPS_;) {
		uint64_t other_select = pmumap_row_select_(&r[j]);
		uint64_t other_mask = pmumap_row_mask_(&r[j]);
		uint32_t other = pmumap_row_number_(&r[j]);
		uint32_t what = r[i].counters == r[j].counters ? PMUMAP_NOTE : PMUMAP_WARNING;

		if ((select ^ other_select) & mask & other_mask)
			continue;
		what = PMUMAP_CONFLICT_(RAW_OVERLAP, what, PMUMAP_IN_RAW_, PMUMAP_IN_RAW_);
		if (mask == other_mask)
			what = PMUMAP_CONFLICT_(RAW_DUPLICATE, PMUMAP_WARNING, PMUMAP_IN_RAW_,
						PMUMAP_IN_RAW_);
		pmumap_report_(b, what, row > other ? row : other, row > other ? other : row,
			       select | other_select);
		break;
	}
}

/* Whether row i of the sorted ones is a selector that counts: the first for its event. */
static inline int pmumap_riscv_is_first_selector_(const struct pmumap_row_ *r, uint32_t i)
{
	if (i && pmumap_row_is_selector_(&r[i - 1]) &&
	    pmumap_row_event_(&r[i - 1]) == pmumap_row_event_(&r[i]))
		return 0;
	return pmumap_row_is_selector_(&r[i]);
}

/*
 * The row that this selector belongs to: the first in the table of selectors, else the first raw
 * row that matches it. Returns its row member, or PMUMAP_NO_ROW.
 */
static inline uint32_t pmumap_riscv_find_selecting_row_(const struct pmumap_row_ *r, uint32_t n,
							uint64_t selector)
{
	uint32_t row = PMUMAP_NO_ROW, i;

	for (i = 0; i < n; i++) {
		if (r[i].row >= row)
			continue;
		if (r[i].row & PMUMAP_RAW_ROW_) {
			if ((selector & pmumap_row_mask_(&r[i])) == pmumap_row_select_(&r[i]))
				row = r[i].row;
		} else if (pmumap_row_selector_(&r[i]) == selector &&
			   pmumap_riscv_is_first_selector_(r, i)) {
			row = r[i].row;
		}
	}
	return row;
}

/* Report an event with counters and no selector; and if its number selects something else, that. */
static inline void pmumap_riscv_lint_orphan_(struct pmumap_builder *b, const struct pmumap_row_ *r,
					     const struct pmumap_row_ *range, uint32_t event,
					     int again)
{
	uint32_t row = pmumap_riscv_find_selecting_row_(r, b->own.kept, event);

	if (!again)
		pmumap_report_(b,
			       PMUMAP_FINDING_(COUNTERS_ORPHAN, PMUMAP_WARNING, PMUMAP_IN_RANGES_),
			       range->row, PMUMAP_NO_ROW, event);
	if (row != PMUMAP_NO_ROW)
		pmumap_report_(b,
			       PMUMAP_CONFLICT_(DEFAULT_COLLISION, PMUMAP_WARNING,
						PMUMAP_IN_RANGES_,
						row & PMUMAP_RAW_ROW_ ? PMUMAP_IN_RAW_
								      : PMUMAP_IN_SELECTORS_),
			       range->row, row & ~PMUMAP_RAW_ROW_, event);
}

/*
 * Report events 1 and 2 that have fixed counters only, and others without a selector: 1 and 2 too,
 * where programmable counters are named. The first range that covers an event never lies before
 * that of a lower event: so one walk does for both.
 */
static inline void pmumap_riscv_lint_events_(struct pmumap_builder *b, const struct pmumap *m,
					     const struct pmumap_row_ *r)
{
	const struct pmumap_row_ *range = r, *end = r + (b->own.kept - b->own.raw_kept),
				 *orphan = 0;
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
		record = pmumap_riscv_record_of_event_(m, event);
		if (event <= PMUMAP_EVENT_INSTRUCTIONS_ &&
		    (record->counters & ~PMUMAP_FIXED_COUNTERS_) == 0) {
			pmumap_report_(b,
				       PMUMAP_FINDING_(FIXED_ONLY, PMUMAP_NOTE, PMUMAP_IN_RANGES_),
				       range->row, PMUMAP_NO_ROW, event);
		} else if ((b->own.map_flags & PMUMAP_HAS_SELECTORS) &&
			   !(record->key & PMUMAP_RECORD_HAS_SELECTOR_)) {
			pmumap_riscv_lint_orphan_(b, r, range, event, range == orphan);
			orphan = range;
		}
	}
}

/* Report which of events 1 and 2 no row names, if anything of RISC-V is described at all. */
static inline void pmumap_riscv_lint_fixed_(struct pmumap_builder *b, const struct pmumap *m)
{
	uint64_t rows = b->own.selector_rows | b->own.counter_rows | b->own.raw_rows;
	uint32_t event, missing = 0;

	for (event = PMUMAP_EVENT_CYCLES_; event <= PMUMAP_EVENT_INSTRUCTIONS_; event++) {
		if (!pmumap_riscv_record_of_event_(m, event)->counters)
			missing |= 1u << event;
	}
	if (missing && (rows || b->own.node != PMUMAP_NO_NODE))
		pmumap_report_row_(b, PMUMAP_FINDING_(FIXED_MISSING, PMUMAP_NOTE, PMUMAP_IN_NODE_),
				   PMUMAP_NO_ROW, missing);
}

/* Check the sorted rows. m answers for events already. */
static inline PMUMAP_COLD_ void pmumap_riscv_lint_rows_(struct pmumap_builder *b,
							const struct pmumap *m,
							const struct pmumap_row_ *r)
{
	const struct pmumap_row_ *furthest = 0, *selector = r;
	uint32_t events = b->own.kept - b->own.raw_kept, i;

	for (i = 0; i < events; i++) {
		if (!pmumap_row_is_selector_(&r[i])) {
			pmumap_riscv_lint_range_(b, &r[i], furthest);
			if (!furthest || pmumap_row_end_(furthest) < pmumap_row_end_(&r[i]))
				furthest = &r[i];
		} else if (pmumap_riscv_is_first_selector_(r, i)) {
			selector = &r[i];
			pmumap_riscv_lint_selector_(b, m, selector);
		} else {
			int same = pmumap_row_selector_(&r[i]) == pmumap_row_selector_(selector);

			pmumap_report_(b,
				       PMUMAP_CONFLICT_(SELECTOR_DUPLICATE,
							same ? PMUMAP_WARNING : PMUMAP_ERROR,
							PMUMAP_IN_SELECTORS_, PMUMAP_IN_SELECTORS_),
				       r[i].row, selector->row, pmumap_row_event_(&r[i]));
		}
	}
	for (i = 0; i < b->own.raw_kept; i++)
		pmumap_riscv_lint_raw_(b, r + events, i);
	pmumap_riscv_lint_events_(b, m, r);
	pmumap_riscv_lint_fixed_(b, m);
}
