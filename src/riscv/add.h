/* SPDX-License-Identifier: BSD-2-Clause */
/* Take a row */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/map_api.h"
#include "builder/api.h"
#include "riscv/api.h"
#include "builder/report.h"
#include "builder/rows.h"
#include "riscv/tables.h"

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_add_selector(struct pmumap_builder *b,
							       uint32_t event, uint64_t selector)
{
	uint32_t row = (uint32_t)b->own.selector_rows++;

	b->own.map_flags |= PMUMAP_HAS_SELECTORS;
	if (event >= PMUMAP_EVENT_LIMIT) {
		pmumap_report_(b, PMUMAP_FINDING_(EVENT_WIDE, PMUMAP_ERROR, PMUMAP_IN_SELECTORS_),
			       row, PMUMAP_NO_ROW, event);
		return b->own.status;
	}
	if (!pmumap_riscv_is_indexed_event_(event))
		b->own.sorted_bound += 2;
	return pmumap_builder_add_row_(b, pmumap_row_key_(event, PMUMAP_SELECT_, row), selector, 0,
				       row);
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status
pmumap_add_counters(struct pmumap_builder *b, uint32_t first, uint32_t last, uint32_t counters)
{
	uint32_t row = (uint32_t)b->own.counter_rows++, what = 0;

	if (first > last)
		what = PMUMAP_FINDING_(RANGE_REVERSED, PMUMAP_ERROR, PMUMAP_IN_RANGES_);
	else if (first >= PMUMAP_EVENT_LIMIT)
		what = PMUMAP_FINDING_(EVENT_WIDE, PMUMAP_ERROR, PMUMAP_IN_RANGES_);
	else if (counters == 0)
		what = PMUMAP_FINDING_(COUNTERS_EMPTY, PMUMAP_WARNING, PMUMAP_IN_RANGES_);
	if (what) {
		pmumap_report_(b, what, row, PMUMAP_NO_ROW, first);
		return b->own.status;
	}
	if (!pmumap_riscv_is_indexed_event_(first) || first >> 6 != last >> 6)
		b->own.sorted_bound += 2;
	return pmumap_builder_add_row_(b, pmumap_row_key_(first, PMUMAP_RANGE_, row),
				       (uint64_t)last + 1, counters, row);
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_add_raw(struct pmumap_builder *b, uint64_t select,
							  uint64_t mask, uint32_t counters)
{
	uint32_t row = (uint32_t)b->own.raw_rows++, what = 0;

	if (select & ~mask)
		what = PMUMAP_FINDING_(RAW_DEAD, PMUMAP_ERROR, PMUMAP_IN_RAW_);
	else if (counters == 0)
		what = PMUMAP_FINDING_(COUNTERS_EMPTY, PMUMAP_WARNING, PMUMAP_IN_RAW_);
	if (what) {
		pmumap_report_(b, what, row, PMUMAP_NO_ROW, select);
		return b->own.status;
	}
	b->own.raw_kept++;
	return pmumap_builder_add_row_(b, select, mask, counters, row | PMUMAP_RAW_ROW_);
}
