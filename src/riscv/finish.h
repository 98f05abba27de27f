/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory for a build; the map of all rows */
#pragma once

#include "riscv/sort.h"
#include "riscv/build.h"

/* Bytes of block that a build takes at most. Sorting needs room for the rows twice. */
static inline uint64_t pmumap_map_need_(const struct pmumap_builder *b)
{
	uint64_t rows = (uint64_t)b->kept * sizeof(struct pmumap_row_);
	uint64_t bytes = sizeof(struct pmumap) + pmumap_riscv_need_(b);

	return bytes < 2 * rows ? 2 * rows : bytes;
}

PMUMAP_DEF PMUMAP_COLD_ size_t pmumap_need(const struct pmumap_builder *b)
{
	uint64_t need = pmumap_map_need_(b);

	return need > PMUMAP_MAX_BYTES_ ? PMUMAP_MAX_BYTES_ : (size_t)need;
}

/* Begin with the head of an empty map. The magic number comes last, in pmumap_finish(). */
static inline struct pmumap *pmumap_map_begin_image_(const struct pmumap_builder *b)
{
	struct pmumap *m = (struct pmumap *)(void *)b->mem;

	pmumap_zero_words_(m, sizeof(*m));
	m->head.version = PMUMAP_IMAGE_VERSION;
	m->head.flags = b->map_flags;
	m->head.size = (uint32_t)sizeof(*m);
	return m;
}

/* The raw rows, once sorted. */
static inline const struct pmumap_row_ *pmumap_builder_raws_(const struct pmumap_builder *b)
{
	return pmumap_builder_rows_(b) + (b->kept - b->raw_kept);
}

/* Begin the map: sort the rows and build the records of events. Without a block, do nothing. */
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
	if (b->raw_kept)
		pmumap_riscv_choose_raw_(*m, pmumap_builder_raws_(b), b->raw_kept);
	pmumap_riscv_build_events_(b, *m, pmumap_builder_rows_(b), b->kept - b->raw_kept);
	(*m)->head.size += ((*m)->records - 2) * (uint32_t)sizeof((*m)->record[0]);
	return PMUMAP_OK;
}

/* Complete the map with the raw rows. This uses the builder up. */
static inline const struct pmumap *pmumap_end_map_(struct pmumap_builder *b, struct pmumap *m)
{
	m->raw_rows = m->head.size;
	if (b->raw_kept)
		pmumap_riscv_build_raw_(m, pmumap_builder_raws_(b), b->raw_kept);
	m->head.magic = PMUMAP_MAGIC;
	b->status = PMUMAP_E_ARG;
	b->room = 0;
	return m;
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_finish(struct pmumap_builder *b,
							 const struct pmumap **map)
{
	enum pmumap_status status;
	struct pmumap *m = 0;

	if (map)
		*map = 0;
	if (b->mem && !map)
		return PMUMAP_E_ARG;
	status = pmumap_begin_map_(b, &m);
	if (m)
		*map = pmumap_end_map_(b, m);
	return status;
}
