/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026, the pmumap authors
 *
 * sbi_pmu_map.c -- the maps of PMU events, one for each kind of hart.
 */
#include <sbi/sbi_console.h>
#include <sbi/sbi_error.h>
#include <sbi/sbi_hartmask.h>
#include <sbi/sbi_heap.h>
#include <sbi/sbi_pmu.h>
#include <sbi/sbi_pmu_map.h>
#include <sbi/sbi_scratch.h>
#include <sbi/sbi_string.h>

#define PMUMAP_NO_STDINT
#include <sbi/pmumap.h>

/* Optimise for size, with all that only these functions call: they run once at boot. */
#define __boot __attribute__((cold))

/* Enough memory to build a map of so many rows, and how many a platform without a tree gets */
#define BLOCK_BYTES(rows) (3600 + 72 * (rows))
#define PLATFORM_ROWS 114

/* The map in the making, or NULL */
static struct pmumap_builder *builder;

/* Of the pointer to a hart's map in its scratch space; 0: no hart has one */
static unsigned long map_offset;
/* Harts with a map of their own, not the one for all others */
static struct sbi_hartmask named_harts;

#ifdef sbi_hart_count
#define PMU_HARTS sbi_hart_count()
#else
#define PMU_HARTS (sbi_scratch_last_hartindex() + 1)
#endif

const struct pmumap *sbi_pmu_thishart_map(void)
{
	return map_offset ? sbi_scratch_read_type(sbi_scratch_thishart_ptr(),
						  void *, map_offset)
			  : NULL;
}

__boot int sbi_pmu_begin_map(unsigned long rows, bool selectors)
{
	builder = sbi_malloc(sizeof(*builder) + BLOCK_BYTES(rows));
	if (!builder)
		return SBI_ENOMEM;
	pmumap_begin(builder, builder + 1, BLOCK_BYTES(rows));
	if (selectors)
		builder->map_flags = PMUMAP_HAS_SELECTORS;
	return 0;
}

__boot int sbi_pmu_add_hw_event_select(u32 event_idx, uint64_t select)
{
	return pmumap_add_selector(builder, event_idx, select);
}

__boot int sbi_pmu_add_hw_event_counter_map(u32 eidx_start, u32 eidx_end,
					    u32 cmap)
{
	if (!builder && sbi_pmu_begin_map(PLATFORM_ROWS, false))
		return SBI_ENOMEM;
	return pmumap_add_counters(builder, eidx_start, eidx_end, cmap);
}

__boot int sbi_pmu_add_raw_event_counter_map(uint64_t select,
					     uint64_t select_mask, u32 cmap)
{
	if (!builder && sbi_pmu_begin_map(PLATFORM_ROWS, false))
		return SBI_ENOMEM;
	return pmumap_add_raw(builder, select, select_mask, cmap);
}

/* Give harts the map. The first one that names a hart wins. */
static void pmu_give_map(const void *map, const struct sbi_hartmask *harts)
{
	struct sbi_scratch *scratch;
	u32 i;

	for (i = 0; i < PMU_HARTS; i++) {
		scratch = sbi_hartindex_to_scratch(i);
		if (!scratch || sbi_hartmask_test_hartindex(i, &named_harts) ||
		    (harts ? !sbi_hartmask_test_hartindex(i, harts)
			   : !!sbi_scratch_read_type(scratch, void *,
						     map_offset)))
			continue;
		sbi_scratch_write_type(scratch, const void *, map_offset, map);
		if (harts)
			sbi_hartmask_set_hartindex(i, &named_harts);
	}
}

__boot int sbi_pmu_finish_map(const struct sbi_hartmask *harts)
{
	const struct pmumap *map;
	enum pmumap_status status;
	void *copy = NULL;

	if (!builder)
		return 0;
	status = pmumap_finish(builder, &map);
	if (status != PMUMAP_OK)
		sbi_printf("PMU: no map (error %d)\n", status);
	else if (map_offset ||
		 (map_offset = sbi_scratch_alloc_type_offset(void *)))
		copy = sbi_malloc(pmumap_size(map));
	if (copy) {
		sbi_memcpy(copy, map, pmumap_size(map));
		pmu_give_map(copy, harts);
	}
	sbi_free(builder);
	builder = NULL;
	return copy ? 0 : SBI_ENOMEM;
}

static inline uint64_t pmu_select_value(const struct pmumap *map, u32 event_idx,
					uint64_t data)
{
	uint64_t select;

	if (event_idx >= PMUMAP_EVENT_RAW)
		return data &
		       (~0ULL >> (event_idx == PMUMAP_EVENT_RAW ? 16 : 8));
	if (!map || !(map->head.flags & PMUMAP_HAS_SELECTORS))
		return event_idx;
	return pmumap_selector(map, event_idx, &select) ? select : 0;
}

uint64_t sbi_pmu_get_select_value(u32 event_idx, uint64_t data)
{
	return pmu_select_value(sbi_pmu_thishart_map(), event_idx, data);
}

/* One function, because EVENT_GET_INFO asks for each of its entries. */
uint32_t sbi_pmu_get_counters(u32 event_idx, uint64_t data)
{
	const struct pmumap *map = sbi_pmu_thishart_map();
	const uint64_t select	 = pmu_select_value(map, event_idx, data);

	/* With 0 in mhpmevent, a counter counts nothing */
	if (!map || !select)
		return 0;
	return event_idx < PMUMAP_EVENT_RAW ? pmumap_counters(map, event_idx)
					    : pmumap_raw_counters(map, select);
}
