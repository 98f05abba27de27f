/* SPDX-License-Identifier: BSD-2-Clause */
/* The same in an event, and all of these checks in order */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/map_api.h"
#include "builder/api.h"
#include "riscv/api.h"
#include "builder/report.h"
#include "builder/rows.h"
#include "riscv/tables.h"
#include "riscv/lint_row.h"

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
