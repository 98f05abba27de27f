/* SPDX-License-Identifier: BSD-2-Clause */
/* Probable mistakes in one row */
#pragma once

#include "riscv/tell.h"

/* Check the counters of a range or a raw row. fixed: the fixed counters that are right there. */
static inline void pmumap_riscv_check_counters_(const struct pmumap_checker_ *c, uint32_t table,
						const struct pmumap_row_ *r, uint32_t fixed)
{
	uint32_t row = pmumap_row_number_(r);

	if (r->counters & PMUMAP_TIME_BIT_)
		PMUMAP_WARN_(c, TIME_BIT, table, row, r->counters);
	if (r->counters & (PMUMAP_CYCLE_BIT_ | PMUMAP_INSTRET_BIT_) & ~fixed)
		PMUMAP_WARN_(c, FIXED_BIT, table, row, r->counters);
}

/* Check a range. furthest: the range with the highest end among those before it, or NULL. */
static inline void pmumap_riscv_check_range_(const struct pmumap_checker_ *c,
					     const struct pmumap_row_ *r,
					     const struct pmumap_row_ *furthest)
{
	uint32_t first = pmumap_row_event_(r), last = (uint32_t)(pmumap_row_end_(r) - 1),
		 event = first, fixed = 0;

	if (last >= PMUMAP_EVENT_LIMIT)
		PMUMAP_WARN_(c, EVENT_WIDE, PMUMAP_IN_RANGES_, r->row, last);
	if (last >= PMUMAP_EVENT_RAW) {
		PMUMAP_WARN_(c, RANGE_RAW, PMUMAP_IN_RANGES_, r->row,
			     first > PMUMAP_EVENT_RAW ? first : PMUMAP_EVENT_RAW);
	} else {
		while (pmumap_riscv_is_hardware_event_(event))
			event++;
		if (event <= last)
			pmumap_tell_(c,
				     PMUMAP_FINDING_(EVENT_INVALID,
						     event == first ? PMUMAP_WARNING : PMUMAP_NOTE,
						     PMUMAP_IN_RANGES_),
				     r->row, event);
	}
	if (first == last && first == PMUMAP_EVENT_CYCLES_)
		fixed = PMUMAP_CYCLE_BIT_;
	if (first == last && first == PMUMAP_EVENT_INSTRUCTIONS_)
		fixed = PMUMAP_INSTRET_BIT_;
	pmumap_riscv_check_counters_(c, PMUMAP_IN_RANGES_, r, fixed);
	if (furthest && pmumap_row_end_(furthest) > first) {
		uint32_t row = r->row, other = furthest->row;

		pmumap_tell_two_(c,
				 PMUMAP_CONFLICT_(RANGE_OVERLAP, PMUMAP_WARNING, PMUMAP_IN_RANGES_,
						  PMUMAP_IN_RANGES_),
				 row > other ? row : other, row > other ? other : row, first);
	}
}

/* Whether only the upper cell of a number is set: the two cells are probably swapped. */
static inline int pmumap_riscv_is_reversed_number_(uint64_t number)
{
	return number != 0 && (number & 0xffffffffu) == 0;
}

/*
 * Whether a mask's cells are probably swapped: it compares all bits of the lower cell, and ignores
 * a bit of the upper one below a bit that it compares. A mask of low bits, like 48, is fine. So is
 * a mask whose swapped form would ignore bits of select.
 */
static inline int pmumap_riscv_is_reversed_mask_(uint64_t select, uint64_t mask)
{
	return (uint32_t)mask == 0xffffffff && (mask & (mask + 1)) != 0 &&
	       ((uint32_t)select & ~(uint32_t)(mask >> 32)) == 0;
}

/* Check the selector that wins for its event. */
static inline void pmumap_riscv_check_selector_(const struct pmumap_checker_ *c,
						const struct pmumap_row_ *r)
{
	uint32_t event = pmumap_row_event_(r);
	uint64_t selector = r->value;

	if (!pmumap_riscv_is_hardware_event_(event))
		PMUMAP_WARN_(c, EVENT_INVALID, PMUMAP_IN_SELECTORS_, r->row, event);
	if (event != PMUMAP_EVENT_CYCLES_ && event != PMUMAP_EVENT_INSTRUCTIONS_ &&
	    pmumap_riscv_record_of_event_(c->m, event)->counters == 0)
		PMUMAP_WARN_(c, SELECTOR_ORPHAN, PMUMAP_IN_SELECTORS_, r->row, event);
	if (selector & ~PMUMAP_RAW_V2_BITS_)
		PMUMAP_WARN_(c, SELECTOR_BITS, PMUMAP_IN_SELECTORS_, r->row, selector);
	else if (pmumap_riscv_is_reversed_number_(selector))
		PMUMAP_WARN_(c, SELECTOR_REVERSED, PMUMAP_IN_SELECTORS_, r->row, selector);
}

/*
 * Whether a mask ignores bits on both sides of a bit of select, as if it were derived from select.
 * Bits above any raw event do not matter.
 */
static inline int pmumap_riscv_is_scattered_mask_(uint64_t select, uint64_t mask)
{
	uint64_t above = select & (mask + 1); /* bits of select above the lowest ignored bit */

	above &= 0 - above;
	return above && (~mask & PMUMAP_RAW_V2_BITS_) > above;
}

/* Check select and mask of a raw row. */
static inline void pmumap_riscv_check_match_(const struct pmumap_checker_ *c,
					     const struct pmumap_row_ *r)
{
	uint64_t select = r->key, mask = r->value;
	uint32_t row = pmumap_row_number_(r);

	if (select & ~PMUMAP_RAW_V2_BITS_)
		PMUMAP_WARN_(c, RAW_UNREACHABLE, PMUMAP_IN_RAW_, row, select);
	else if (pmumap_riscv_is_reversed_number_(select) && ((uint32_t)mask & select >> 32) != 0)
		PMUMAP_WARN_(c, SELECTOR_REVERSED, PMUMAP_IN_RAW_, row, select);
	if (pmumap_riscv_is_reversed_mask_(select, mask))
		PMUMAP_WARN_(c, MASK_REVERSED, PMUMAP_IN_RAW_, row, mask);
	else if (pmumap_riscv_is_scattered_mask_(select, mask))
		PMUMAP_WARN_(c, RAW_WIDE, PMUMAP_IN_RAW_, row, mask);
}

#define PMUMAP_RAW_OVERLAPS_ 256u /* limit of comparisons per raw row */

/* Check sorted raw row i. At most one conflict is reported, with the nearest row before it. */
static inline void pmumap_riscv_check_raw_(const struct pmumap_checker_ *c,
					   const struct pmumap_row_ *r, uint32_t i)
{
	uint64_t select = r[i].key, mask = r[i].value;
	uint32_t row = pmumap_row_number_(&r[i]), j;

	pmumap_riscv_check_match_(c, &r[i]);
	pmumap_riscv_check_counters_(c, PMUMAP_IN_RAW_, &r[i], 0);
	for (j = i; j-- > 0 && i - j <= PMUMAP_RAW_OVERLAPS_;) {
		uint64_t other_select = r[j].key;
		uint64_t other_mask = r[j].value;
		uint32_t other = pmumap_row_number_(&r[j]);
		uint32_t what = r[i].counters == r[j].counters ? PMUMAP_NOTE : PMUMAP_WARNING;

		if ((select ^ other_select) & mask & other_mask)
			continue;
		what = PMUMAP_CONFLICT_(RAW_OVERLAP, what, PMUMAP_IN_RAW_, PMUMAP_IN_RAW_);
		if (mask == other_mask)
			what = PMUMAP_CONFLICT_(RAW_DUPLICATE, PMUMAP_WARNING, PMUMAP_IN_RAW_,
						PMUMAP_IN_RAW_);
		pmumap_tell_two_(c, what, row > other ? row : other, row > other ? other : row,
				 select | other_select);
		break;
	}
}
