/* SPDX-License-Identifier: BSD-2-Clause */
/* List a map */
#pragma once

#include "riscv/tables.h"

/* The last of consecutive events from event on that share record r. */
static inline uint32_t pmumap_riscv_run_end_(const struct pmumap *m, uint32_t event,
					     const struct pmumap_record *r)
{
	uint32_t limit = PMUMAP_EVENT_LIMIT - 1;

	if (pmumap_riscv_is_indexed_event_(event)) {
		while ((event & 0x3f) != 0x3f && pmumap_riscv_record_of_event_(m, event + 1) == r)
			event++;
		return event;
	}
	if (event < PMUMAP_EVENT_CACHE)
		limit = PMUMAP_EVENT_CACHE - 1;
	if (r + 1 < &m->record[0] + m->sorted + m->sorted_count) {
		uint32_t next = pmumap_riscv_first_event_(&r[1]);

		if (next <= limit)
			return next - 1;
	}
	return limit;
}

PMUMAP_DEF int pmumap_event_next(const struct pmumap *m, uint32_t from, struct pmumap_run *run)
{
	uint32_t last;

	for (; from < PMUMAP_EVENT_LIMIT; from = last + 1) {
		const struct pmumap_record *r = pmumap_riscv_record_of_event_(m, from);

		last = pmumap_riscv_run_end_(m, from, r);
		if (!(r->key & PMUMAP_RECORD_HAS_SELECTOR_) && r->counters == 0)
			continue;
		run->first = from;
		run->last = last;
		run->counters = r->counters;
		run->has_selector = r->key >> 31;
		run->selector = r->selector;
		return 1;
	}
	return 0;
}

PMUMAP_DEF int pmumap_raw_at(const struct pmumap *m, uint32_t index, uint64_t *select,
			     uint64_t *mask, uint32_t *counters)
{
	const struct pmumap_raw_row *r = pmumap_riscv_raw_rows_(m);

	if (index >= m->raw_count)
		return 0;
	*select = r[index].select;
	*mask = r[index].mask;
	*counters = r[index].counters;
	return 1;
}
