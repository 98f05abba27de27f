/* SPDX-License-Identifier: BSD-2-Clause */
/* Read by scripts/host-header.py, which puts these functions in place of pmumap's */

/*
 * For a host that asks the map only for SBI's hardware events, which all have an index byte: no
 * sorted run. Tables have few raw rows, and an index of them would cost 840 bytes of code: none.
 */

static inline int pmumap_selector(const struct pmumap *m, uint32_t event, uint64_t *selector)
{
	return pmumap_riscv_is_indexed_event_(event) &&
	       pmumap_riscv_take_selector_(pmumap_riscv_indexed_record_(m, event), selector);
}

static inline uint32_t pmumap_counters(const struct pmumap *m, uint32_t event)
{
	return pmumap_riscv_is_indexed_event_(event)
		       ? pmumap_riscv_indexed_record_(m, event)->counters
		       : 0;
}

static inline uint32_t pmumap_raw_counters(const struct pmumap *m, uint64_t raw)
{
	const struct pmumap_raw_row *r =
		(const struct pmumap_raw_row *)pmumap_image_at_(m, m->raw_rows);
	const struct pmumap_raw_row *end = r + m->raw_count;
	uint32_t counters = 0;

	for (; r < end; r++) {
		if ((raw & r->mask) == r->select)
			counters |= r->counters;
	}
	return counters;
}

/* Make the record of events first to end - 1, if SBI names such events. */
static inline void pmumap_riscv_emit_run_(struct pmumap *m, uint32_t first, uint32_t end,
					  const struct pmumap_row_ *selector, uint32_t counters,
					  int indexed)
{
	if (indexed == pmumap_riscv_is_indexed_event_(first))
		pmumap_riscv_emit_indexed_(m, first, end, selector, counters);
}

/* Make all records from the n sorted rows of events. */
static inline void pmumap_riscv_build_events_(struct pmumap_builder *b, struct pmumap *m,
					      const struct pmumap_row_ *r, uint32_t n)
{
	pmumap_riscv_add_record_(m, 0, 0, 0);
	pmumap_riscv_sweep_rows_(b, m, r, r + n, 1);
}

/* Store the n sorted raw rows. */
static inline void pmumap_riscv_build_raw_(struct pmumap *m, const struct pmumap_row_ *r,
					   uint32_t n)
{
	pmumap_riscv_store_raw_(m, m->head.size, r, n);
	m->head.size += n * (uint32_t)sizeof(struct pmumap_raw_row);
}

/* Bytes besides the head, for at most 128 records, and tables and waiting rows. */
static inline uint64_t pmumap_riscv_need_(const struct pmumap_builder *b)
{
	return PMUMAP_SWEEP_BYTES_ + (PMUMAP_INDEXED_EVENTS_ + 1) * sizeof(struct pmumap_record) +
	       (uint64_t)b->kept * (sizeof(struct pmumap_row_) + sizeof(struct pmumap_raw_row));
}

/* Begin the map: sort the rows and build the records of events. */
static inline enum pmumap_status pmumap_begin_map_(struct pmumap_builder *b, struct pmumap **m)
{
	uint64_t need = pmumap_map_need_(b);

	if (b->status == PMUMAP_E_ARG)
		return PMUMAP_E_ARG;
	if (b->bytes < need)
		return b->status = PMUMAP_E_NOSPACE;
	pmumap_builder_sort_rows_(b);
	*m = pmumap_map_begin_image_(b);
	pmumap_riscv_build_events_(b, *m, pmumap_builder_rows_(b), b->kept - b->raw_kept);
	(*m)->head.size += ((*m)->records - 2) * (uint32_t)sizeof((*m)->record[0]);
	return PMUMAP_OK;
}
