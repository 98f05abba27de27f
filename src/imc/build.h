/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory for a build; from entries to a map */
#pragma once

#include "imc/build_lists.h"
#include "imc/build_index.h"
#include "imc/build_orders.h"

/* Upper bound of the bytes that a build without indexes takes. */
static inline uint64_t pmumap_imc_map_need_(const struct pmumap_imc_builder *b)
{
	return sizeof(struct pmumap_imc) + 256 /* tables are rounded up */ + b->entries.need;
}

PMUMAP_DEF PMUMAP_COLD_ size_t pmumap_imc_need(const struct pmumap_imc_builder *b)
{
	uint64_t need = pmumap_imc_map_need_(b);

	return need > PMUMAP_MAX_BYTES_ ? PMUMAP_MAX_BYTES_ : (size_t)need;
}

/* Begin with the head of an empty map. The magic number is written last. */
static inline struct pmumap_imc *pmumap_imc_begin_image_(const struct pmumap_imc_builder *b)
{
	struct pmumap_imc *m = (struct pmumap_imc *)(void *)b->entries.mem;

	pmumap_zero_words_(m, sizeof(*m));
	m->head.version = PMUMAP_IMAGE_VERSION;
	m->head.size = (uint32_t)sizeof(*m);
	return m;
}

/* Build lists, chips, units and strings; do nothing when measuring. */
static inline enum pmumap_status pmumap_imc_build_tables_(struct pmumap_imc_build_ *w,
							  struct pmumap_imc_builder *b)
{
	if (!pmumap_entries_fit_(&b->entries, pmumap_imc_map_need_(b)))
		return b->entries.status;
	w->b = b;
	w->m = pmumap_imc_begin_image_(b);
	w->list_count = w->text_count = 0;
	pmumap_pool_init_(&w->pool, w->m, pmumap_entries_end_(&b->entries));
	pmumap_imc_place_scratch_(w, pmumap_imc_count_entries_(w));
	pmumap_imc_resolve_lists_(w);
	pmumap_imc_build_strings_(w);
	pmumap_imc_build_lists_(w);
	pmumap_imc_build_chips_(w);
	pmumap_imc_build_units_(w);
	pmumap_imc_choose_number_bits_(w->m);
	return PMUMAP_OK;
}

/* Free the memory of the entries: nothing reads them from here on. */
static inline void pmumap_imc_release_entries_(struct pmumap_imc_build_ *w)
{
	w->pool.top = w->b->entries.mem + (w->b->entries.bytes & ~(size_t)7);
}

/* Index names and offsets, also over the entries. */
static inline const struct pmumap_imc *pmumap_imc_build_indexes_(struct pmumap_imc_build_ *w)
{
	pmumap_imc_release_entries_(w);
	if (pmumap_imc_build_index_(w) || !w->m->slots)
		pmumap_imc_build_orders_(w);
	pmumap_imc_build_offsets_(w);
	w->m->head.magic = PMUMAP_IMC_MAGIC;
	pmumap_entries_close_(&w->b->entries);
	return w->m;
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_imc_finish(struct pmumap_imc_builder *b,
							     const struct pmumap_imc **map)
{
	struct pmumap_imc_build_ w;
	enum pmumap_status status;

	if (map)
		*map = 0;
	if (b->entries.mem && !map)
		return PMUMAP_E_ARG;
	status = pmumap_imc_build_tables_(&w, b);
	if (status == PMUMAP_OK && b->entries.mem)
		*map = pmumap_imc_build_indexes_(&w);
	return status;
}
