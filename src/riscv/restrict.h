/* SPDX-License-Identifier: BSD-2-Clause */
/* Copy a map, or the part that a guest may use */
#pragma once

#include "riscv/list.h"
#include "riscv/add.h"
#include "riscv/finish.h"

/* Intersect a run with a range. Returns 0 if they are disjoint. */
static inline int pmumap_map_common_range_(const struct pmumap_run *run,
					   const struct pmumap_range *range,
					   struct pmumap_range *common)
{
	common->first = run->first > range->first ? run->first : range->first;
	common->last = run->last < range->last ? run->last : range->last;
	return common->first <= common->last;
}

/* Add a part of a run, with the counters of the grant, if any. */
static inline void pmumap_map_add_run_(struct pmumap_builder *b, const struct pmumap_run *run,
				       const struct pmumap_range *part,
				       const struct pmumap_grant *grant)
{
	uint32_t counters = run->counters & (grant ? grant->counters : ~0u), event;

	if (grant && !counters)
		return;
	if (counters)
		pmumap_add_counters(b, part->first, part->last, counters);
	for (event = part->first; run->has_selector && event <= part->last; event++)
		pmumap_add_selector(b, event, run->selector);
}

PMUMAP_DEF enum pmumap_status pmumap_add_map(struct pmumap_builder *b, const struct pmumap *m,
					     const struct pmumap_grant *grant)
{
	const struct pmumap_range all = { 0, ~0u };
	const struct pmumap_range *ranges = grant && grant->count ? grant->ranges : &all;
	uint32_t count = grant && grant->count ? grant->count : 1, from, i, counters;
	struct pmumap_range part;
	struct pmumap_run run;
	uint64_t select, mask;
	int raw = 0;

	if (b->mem && pmumap_is_overlap_(m, m->head.size, b->mem, b->bytes)) {
		b->room = 0; /* so that no further row is kept */
		return b->status = PMUMAP_E_ARG;
	}
	/* Even without selectors this matters: PMUMAP_RULE_ABSENT must not apply. */
	b->map_flags |= m->head.flags & PMUMAP_HAS_SELECTORS;
	for (i = 0; i < count; i++)
		raw |= ranges[i].first <= PMUMAP_EVENT_RAW && ranges[i].last >= PMUMAP_EVENT_RAW;
	for (from = 0; pmumap_event_next(m, from, &run); from = run.last + 1) {
		for (i = 0; i < count; i++) {
			if (pmumap_map_common_range_(&run, &ranges[i], &part))
				pmumap_map_add_run_(b, &run, &part, grant);
		}
	}
	for (i = 0; raw && pmumap_raw_at(m, i, &select, &mask, &counters); i++) {
		counters &= grant ? grant->counters : ~0u;
		if (counters)
			pmumap_add_raw(b, select, mask, counters);
	}
	return b->status;
}

PMUMAP_DEF enum pmumap_status pmumap_restrict(const struct pmumap *m,
					      const struct pmumap_grant *grant, void *mem,
					      size_t bytes, const struct pmumap **map)
{
	struct pmumap_builder b;

	pmumap_begin(&b, mem, bytes);
	(void)pmumap_add_map(&b, m, grant);
	return pmumap_finish(&b, map);
}
