/* SPDX-License-Identifier: BSD-2-Clause */
/* Collect units, lists and events in the block */
#pragma once

#include "core/pairs.h"
#include "imc/count.h"

static inline void *pmumap_imc_block_at_(const struct pmumap_imc_build_ *b, uint32_t offset)
{
	return (char *)b->m + offset;
}

/*
 * In the scratch memory: the offset of each event, sorted in each list, and twice the place of its
 * name in the tree, plus 1 if it has own strings.
 */
static inline uint32_t (*pmumap_imc_pairs_(const struct pmumap_imc_build_ *b))[2]
{
	return (uint32_t(*)[2])pmumap_imc_block_at_(b, b->scratch);
}

static inline const char *pmumap_imc_name_of_pair_(const struct pmumap_imc_build_ *b,
						   const uint32_t *pair)
{
	return (const char *)b->r.w.blob + pair[1] / 2;
}

/* Behind them: own strings, sorted by where the name is in the tree, which is in row. */
static inline struct pmumap_imc_own_ *pmumap_imc_collected_owns_(const struct pmumap_imc_build_ *b)
{
	return (struct pmumap_imc_own_ *)(void *)(pmumap_imc_pairs_(b) + b->events);
}

static inline struct pmumap_imc_unit_row_ *
pmumap_imc_built_units_(const struct pmumap_imc_build_ *b)
{
	return (struct pmumap_imc_unit_row_ *)pmumap_imc_block_at_(b, b->m->units);
}

/* Append a table. Returns its offset; the padding is 0. */
static inline uint32_t pmumap_imc_append_(struct pmumap_imc *m, uint32_t bytes)
{
	uint32_t at = m->head.size;

	m->head.size += (bytes + 7) & ~7u;
	if (bytes)
		*(uint64_t *)(void *)((char *)m + m->head.size - 8) = 0;
	return at;
}

/* The offset in the tree of a string that is kept; 0 if it is absent or empty. */
static inline uint32_t pmumap_imc_tree_offset_(const struct pmumap_imc_build_ *b, const char *text)
{
	return text && *text ? (uint32_t)((const unsigned char *)text - b->r.w.blob) : 0;
}

/* Collect the current unit: strings by their offsets in the tree, and its list in first. */
static inline void pmumap_imc_collect_unit_(struct pmumap_imc_build_ *b,
					    const struct pmumap_imc_unit *u,
					    const struct pmumap_imc_chip_cells_ *chips)
{
	struct pmumap_imc_unit_row_ *row = pmumap_imc_built_units_(b) + b->m->unit_count++;
	struct pmumap_imc_list_ *list;

	(void)pmumap_imc_list_of_unit_(b, &list);
	row->name = (uint32_t)((const unsigned char *)u->name - b->r.w.blob);
	row->prefix = pmumap_imc_tree_offset_(b, u->prefix);
	row->scale = pmumap_imc_tree_offset_(b, u->scale);
	row->measure = pmumap_imc_tree_offset_(b, u->measure);
	row->reg = u->reg;
	row->size = u->size;
	row->offset = u->offset;
	row->control = u->control;
	row->first = list ? (uint32_t)(list - b->lists) : PMUMAP_IMC_NONE_;
	row->events = u->chips ? (uint32_t)(chips->chips - b->r.w.blob) : 0;
	row->chips = u->chips ? (uint32_t)(chips->bases - b->r.w.blob) : 0;
	row->chip_count = u->chips;
	row->type = (uint16_t)u->type;
	row->prefix_bytes = (uint16_t)(u->prefix ? pmumap_imc_text_bytes_(u->prefix) : 0);
}

/* Collect the current event, which has number n. */
static inline void pmumap_imc_collect_event_(struct pmumap_imc_build_ *b,
					     const struct pmumap_imc_event *e, uint32_t n)
{
	struct pmumap_imc_own_ *own = pmumap_imc_collected_owns_(b) + b->owns;
	uint32_t *pair = pmumap_imc_pairs_(b)[n];

	own->row = (uint32_t)((const unsigned char *)e->name - b->r.w.blob);
	pair[0] = e->offset;
	pair[1] = 2 * own->row;
	own->scale = pmumap_imc_tree_offset_(b, e->scale);
	own->measure = pmumap_imc_tree_offset_(b, e->measure);
	own->desc = pmumap_imc_tree_offset_(b, e->desc);
	if (own->scale | own->measure | own->desc) {
		pair[1]++;
		b->owns++;
	}
}

/* Walk over the tree again and collect units, and the events of lists that are used. */
static inline void pmumap_imc_collect_(struct pmumap_imc_build_ *b, const void *fdt,
				       size_t fdt_size)
{
	struct pmumap_imc_chip_cells_ chips;
	struct pmumap_imc_unit u;
	struct pmumap_imc_event e;
	uint32_t n = 0, i;
	int more, format;

	(void)pmumap_imc_begin_(&b->r, fdt, fdt_size, b->r.opt);
	b->owns = 0;
	while ((more = pmumap_imc_next_(&b->r)) > 0) {
		if (more == PMUMAP_IMC_EVENT_) {
			if (b->list && b->list->users && pmumap_imc_read_event_(b, &e))
				pmumap_imc_collect_event_(b, &e, n++);
			continue;
		}
		b->list = 0;
		format = pmumap_imc_format_(&b->r, &u.type);
		if (format == PMUMAP_IMC_NO_UNIT_) {
			(void)pmumap_imc_begin_list_(b);
			if (b->list)
				b->list->first = n;
		} else if (format != PMUMAP_IMC_UNREAD_ &&
			   pmumap_imc_describe_unit_(&b->r, format, u.type, &u, &chips) ==
				   PMUMAP_IMC_KEPT_) {
			pmumap_imc_collect_unit_(b, &u, &chips);
		}
	}
	for (i = 0; i < b->list_count; i++) {
		if (b->lists[i].users)
			pmumap_sort_pairs_(pmumap_imc_pairs_(b) + b->lists[i].first,
					   b->lists[i].events, 0, 0);
	}
}

/* Begin a map, and collect the units and lists of a tree in the block. */
static inline enum pmumap_status pmumap_imc_collect_tree_(struct pmumap_imc_build_ *b,
							  const void *fdt, size_t fdt_size,
							  const struct pmumap_imc_options *opt,
							  void *mem, size_t bytes)
{
	enum pmumap_status status;

	if (!fdt || !mem || (size_t)mem % 8 ||
	    pmumap_is_overlap_(fdt, pmumap_fdt_blob_bytes_(fdt, fdt_size), mem, bytes))
		return PMUMAP_E_ARG;
	status = pmumap_imc_count_(b, fdt, fdt_size, opt);
	if (status != PMUMAP_OK)
		return status;
	if (bytes < b->need)
		return PMUMAP_E_NOSPACE;
	b->m = (struct pmumap_imc *)mem;
	pmumap_zero_words_(b->m, sizeof(*b->m));
	b->m->head.size = sizeof(*b->m);
	b->m->units =
		pmumap_imc_append_(b->m, b->units * (uint32_t)sizeof(struct pmumap_imc_unit_row_));
	pmumap_imc_collect_(b, fdt, fdt_size);
	return PMUMAP_OK;
}
