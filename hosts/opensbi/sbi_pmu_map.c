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

/* Rows of a platform without a tree */
static struct pmumap_builder *rows;
#define ROWS_BYTES PMUMAP_BLOCK(0, 64, 64)

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

/* Finish a map, and give harts a copy of its exact size. The first map that names a hart wins. */
static PMUMAP_SMALL int pmu_give_map(struct pmumap_builder *b,
				     const struct sbi_hartmask *harts)
{
	const struct pmumap *map;
	enum pmumap_status status = pmumap_finish(b, &map);
	struct sbi_scratch *scratch;
	void *copy;
	u32 i;

	if (status != PMUMAP_OK) {
		sbi_printf("PMU: no map (error %d)\n", status);
		return SBI_EINVAL;
	}
	if (!map_offset)
		map_offset = sbi_scratch_alloc_type_offset(void *);
	copy = map_offset ? sbi_malloc(pmumap_size(map)) : NULL;
	if (!copy)
		return SBI_ENOMEM;
	sbi_memcpy(copy, map, pmumap_size(map));
	for (i = 0; i < PMU_HARTS; i++) {
		scratch = sbi_hartindex_to_scratch(i);
		if (!scratch || sbi_hartmask_test_hartindex(i, &named_harts) ||
		    (harts ? !sbi_hartmask_test_hartindex(i, harts)
			   : !!sbi_scratch_read_type(scratch, void *,
						     map_offset)))
			continue;
		sbi_scratch_write_type(scratch, void *, map_offset, copy);
		if (harts)
			sbi_hartmask_set_hartindex(i, &named_harts);
	}
	return 0;
}

PMUMAP_SMALL int sbi_pmu_add_node(const void *const cells[3],
				  const int bytes[3],
				  const struct sbi_hartmask *harts)
{
	const int row_bytes[] = { 12, 12, 20 };
	size_t n[3], size;
	struct pmumap_builder b;
	void *block;
	int i, rc;

	for (i = 0; i < 3; i++)
		n[i] = cells[i] && bytes[i] > 0 ? bytes[i] / row_bytes[i] : 0;
	size  = PMUMAP_BLOCK(n[0], n[1], n[2]);
	block = sbi_malloc(size);
	if (!block)
		return SBI_ENOMEM;
	pmumap_begin(&b, block, size);
	for (i = 0; i < 3; i++)
		pmumap_add_table(&b, i, cells[i], bytes[i]);
	rc = pmu_give_map(&b, harts);
	sbi_free(block);
	return rc;
}

static PMUMAP_SMALL struct pmumap_builder *pmu_rows(void)
{
	if (!rows) {
		rows = sbi_malloc(sizeof(*rows) + ROWS_BYTES);
		if (rows)
			pmumap_begin(rows, rows + 1, ROWS_BYTES);
	}
	return rows;
}

PMUMAP_SMALL int sbi_pmu_add_hw_event_counter_map(u32 eidx_start, u32 eidx_end,
						  u32 cmap)
{
	struct pmumap_builder *b = pmu_rows();

	return b && !pmumap_add_counters(b, eidx_start, eidx_end, cmap)
		       ? 0
		       : SBI_EINVAL;
}

PMUMAP_SMALL int sbi_pmu_add_raw_event_counter_map(uint64_t select,
						   uint64_t select_mask,
						   u32 cmap)
{
	struct pmumap_builder *b = pmu_rows();

	return b && !pmumap_add_raw(b, select, select_mask, cmap) ? 0
								  : SBI_EINVAL;
}

PMUMAP_SMALL void sbi_pmu_finish_rows(void)
{
	if (rows)
		pmu_give_map(rows, NULL);
	sbi_free(rows);
	rows = NULL;
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
