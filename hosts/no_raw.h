/* SPDX-License-Identifier: BSD-2-Clause */
/* Read by scripts/host-header.py, which puts these functions in place of pmumap's */

/* For hosts that add no raw rows to their maps. */

static inline uint32_t pmumap_riscv_find_raw_(const struct pmumap *m, uint64_t raw)
{
	(void)m;
	(void)raw;
	return 0;
}

/*
 * Bytes besides the head, for tables and waiting rows. A row makes at most two records: where its
 * counters begin, and where they end. At most 128 records are indexed.
 */
static inline uint64_t pmumap_riscv_need_(const struct pmumap_builder *b)
{
	uint64_t n = b->kept;
	uint64_t records = 2 * n < PMUMAP_INDEXED_EVENTS_ ? 2 * n : PMUMAP_INDEXED_EVENTS_;

	return PMUMAP_SWEEP_BYTES_ +
	       (records + b->sorted_bound + 1) * sizeof(struct pmumap_record) +
	       n * sizeof(struct pmumap_row_);
}

/* Begin the map: sort the rows and build the records. */
static inline enum pmumap_status pmumap_begin_map_(struct pmumap_builder *b, struct pmumap **m)
{
	uint64_t need = pmumap_map_need_(b);

	if (b->status == PMUMAP_E_ARG)
		return PMUMAP_E_ARG;
	if (need > PMUMAP_MAX_BYTES_)
		return b->status = PMUMAP_E_LIMIT;
	if (!b->mem)
		return PMUMAP_OK;
	if (b->bytes < need)
		return b->status = PMUMAP_E_NOSPACE;
	pmumap_builder_sort_rows_(b);
	*m = pmumap_map_begin_image_(b);
	pmumap_riscv_build_events_(b, *m, pmumap_builder_rows_(b), b->kept);
	(*m)->head.size += ((*m)->records - 2) * (uint32_t)sizeof((*m)->record[0]);
	return PMUMAP_OK;
}

/* Complete the map. This uses the builder up. */
static inline const struct pmumap *pmumap_end_map_(struct pmumap_builder *b, struct pmumap *m)
{
	m->raw_rows = m->head.size;
	m->head.magic = PMUMAP_MAGIC;
	b->status = PMUMAP_E_ARG;
	b->room = 0;
	return m;
}
