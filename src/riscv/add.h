/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/api.h"
#include "riscv/api.h"
#include "builder/report.h"
#include "builder/rows.h"
#include "riscv/tables.h"

PMUMAP_DEF enum pmumap_status pmumap_add_selector(struct pmumap_builder *b, uint32_t event,
						  uint64_t selector)
{
	uint32_t row = b->selector_rows++;

	b->map_flags |= PMUMAP_HAS_SELECTORS;
	if (event >= PMUMAP_EVENT_LIMIT) {
		pmumap_found_(b, PMUMAP_WHAT_(EVENT_WIDE, PMUMAP_ERROR, PMUMAP_SELECTORS_), row,
			      PMUMAP_NO_ROW, event);
		return b->status;
	}
	if (!pmumap_riscv_is_indexed_event_(event))
		b->sorted_bound += 2;
	return pmumap_builder_add_row_(b, (uint64_t)(event << 1 | PMUMAP_SELECT_) << 32 | row,
				       selector, 0, row);
}

PMUMAP_DEF enum pmumap_status pmumap_add_counters(struct pmumap_builder *b, uint32_t first,
						  uint32_t last, uint32_t counters)
{
	uint32_t row = b->counter_rows++, what = 0;

	if (first > last)
		what = PMUMAP_WHAT_(RANGE_REVERSED, PMUMAP_ERROR, PMUMAP_RANGES_);
	else if (first >= PMUMAP_EVENT_LIMIT)
		what = PMUMAP_WHAT_(EVENT_WIDE, PMUMAP_ERROR, PMUMAP_RANGES_);
	else if (counters == 0)
		what = PMUMAP_WHAT_(COUNTERS_EMPTY, PMUMAP_WARNING, PMUMAP_RANGES_);
	if (what) {
		pmumap_found_(b, what, row, PMUMAP_NO_ROW, first);
		return b->status;
	}
	if (!pmumap_riscv_is_indexed_event_(first) || !pmumap_riscv_is_indexed_event_(last) ||
	    last - first >= 0x40)
		b->sorted_bound += 2;
	return pmumap_builder_add_row_(b, (uint64_t)(first << 1 | PMUMAP_RANGE_) << 32 | row,
				       (uint64_t)last + 1, counters, row);
}

PMUMAP_DEF enum pmumap_status pmumap_add_raw(struct pmumap_builder *b, uint64_t select,
					     uint64_t mask, uint32_t counters)
{
	uint32_t row = b->raw_rows++, what = 0;

	if (select & ~mask)
		what = PMUMAP_WHAT_(RAW_DEAD, PMUMAP_ERROR, PMUMAP_RAW_);
	else if (counters == 0)
		what = PMUMAP_WHAT_(COUNTERS_EMPTY, PMUMAP_WARNING, PMUMAP_RAW_);
	if (what) {
		pmumap_found_(b, what, row, PMUMAP_NO_ROW, select);
		return b->status;
	}
	b->raw_staged++;
	return pmumap_builder_add_row_(b, select, mask, counters, row | PMUMAP_RAW_ROW_);
}
