/* SPDX-License-Identifier: BSD-2-Clause */
/* Take a row, or drop it */
#pragma once

#include "riscv/rows.h"
#include "riscv/tables.h"

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_add_selector(struct pmumap_builder *b,
							       uint32_t event, uint64_t selector)
{
	uint32_t row = (uint32_t)b->selector_rows++;

	b->map_flags |= PMUMAP_HAS_SELECTORS;
	if (event >= PMUMAP_EVENT_LIMIT)
		return b->status;
	if (!pmumap_riscv_is_indexed_event_(event))
		b->sorted_bound += 2;
	return pmumap_builder_add_row_(b, pmumap_row_key_(event, PMUMAP_SELECT_, row), selector, 0,
				       row);
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status
pmumap_add_counters(struct pmumap_builder *b, uint32_t first, uint32_t last, uint32_t counters)
{
	uint32_t row = (uint32_t)b->counter_rows++;

	if (first > last || first >= PMUMAP_EVENT_LIMIT || counters == 0)
		return b->status;
	if (!pmumap_riscv_is_indexed_event_(first) || first >> 6 != last >> 6)
		b->sorted_bound += 2;
	return pmumap_builder_add_row_(b, pmumap_row_key_(first, PMUMAP_RANGE_, row),
				       (uint64_t)last + 1, counters, row);
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_add_raw(struct pmumap_builder *b, uint64_t select,
							  uint64_t mask, uint32_t counters)
{
	uint32_t row = (uint32_t)b->raw_rows++;

	if ((select & ~mask) || counters == 0)
		return b->status;
	b->raw_kept++;
	return pmumap_builder_add_row_(b, select, mask, counters, row | PMUMAP_RAW_ROW_);
}
