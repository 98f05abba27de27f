/* SPDX-License-Identifier: BSD-2-Clause */
/* Count the units, lists and events of a tree, then collect them in the block */
#pragma once

#include "core/pairs.h"
#include "imc/read.h"

#define PMUMAP_IMC_AT_(m, type, at) ((type *)(void *)((char *)(m) + (at)))
#define PMUMAP_IMC_BUILT_(b) PMUMAP_IMC_AT_((b)->m, struct pmumap_imc_unit_row_, (b)->m->units)
/*
 * In the scratch memory: each event's offset, and twice the place of its name, plus 1 if it has own
 * strings; sorted in each list. Behind them: own strings, with that place as row.
 */
#define PMUMAP_IMC_PAIRS_(b) ((uint32_t(*)[2])(void *)((char *)(b)->m + (b)->scratch))
#define PMUMAP_IMC_EVENT_OWNS_(b)                                                                  \
	PMUMAP_IMC_AT_(PMUMAP_IMC_PAIRS_(b) + (b)->events, struct pmumap_imc_own_, 0)

/* Append a table. Returns its offset; the padding is 0. */
static inline uint32_t pmumap_imc_append_(struct pmumap_imc *m, uint32_t bytes)
{
	uint32_t at = m->head.size;

	m->head.size += (bytes + 7) & ~7u;
	if (bytes)
		*(uint64_t *)(void *)((char *)m + m->head.size - 8) = 0;
	return at;
}

static inline void pmumap_imc_copy_(void *to, const void *from, size_t n)
{
	unsigned char *p = (unsigned char *)to;
	const unsigned char *q = (const unsigned char *)from;

	for (; n; n--) {
		*p++ = *q++;
		PMUMAP_NO_LIBCALL_();
	}
}

/* Count the current unit, which is kept; or collect it, with its list in first. */
static inline void pmumap_imc_add_unit_(struct pmumap_imc_build_ *b, struct pmumap_imc_unit_row_ *u)
{
	uint32_t phandle = 0, prefix = pmumap_imc_text_bytes_(b, u->prefix);
	struct pmumap_imc_list_ *list;

	(void)pmumap_fdt_cell_(&b->w, PMUMAP_IMC_P_EVENTS_, &phandle);
	list = pmumap_imc_list_of_(b, phandle);
	if (b->m) {
		u->first = list ? (uint32_t)(list - b->lists) : PMUMAP_IMC_NONE_;
		pmumap_imc_copy_(PMUMAP_IMC_BUILT_(b) + b->m->unit_count++, u, sizeof(*u));
		return;
	}
	b->units++;
	b->chips += u->chip_count;
	b->need += pmumap_imc_text_bytes_(b, u->name) + prefix +
		   pmumap_imc_text_bytes_(b, u->scale) + pmumap_imc_text_bytes_(b, u->measure) +
		   4 * 8;
	if (!list)
		return;
	list->users++;
	if (list->longest_prefix < prefix)
		list->longest_prefix = (uint16_t)(prefix < 4096 ? prefix : 4096);
}

/* Count an event of the current list; or collect it if the list is used. */
static inline void pmumap_imc_add_event_(struct pmumap_imc_build_ *b,
					 const struct pmumap_imc_own_ *e, uint32_t offset)
{
	struct pmumap_imc_list_ *list = b->list;
	uint32_t own = (e->scale | e->measure | e->desc) != 0, name, *pair;

	if (!b->m) {
		name = pmumap_imc_text_bytes_(b, e->row);
		list->events++;
		list->bytes += name + 8;
		if (list->longest_name < name)
			list->longest_name = (uint16_t)(name < 4096 ? name : 4096);
		if (own) {
			list->owns++;
			list->bytes += (uint32_t)sizeof(*e);
			list->once += pmumap_imc_text_bytes_(b, e->scale) +
				      pmumap_imc_text_bytes_(b, e->measure) +
				      pmumap_imc_text_bytes_(b, e->desc) + (e->desc ? 24u : 16u);
		}
	} else if (list->users) {
		pair = &PMUMAP_IMC_PAIRS_(b)[b->collected++][0];
		pair[0] = offset;
		pair[1] = 2 * e->row + own;
		if (own)
			pmumap_imc_copy_(PMUMAP_IMC_EVENT_OWNS_(b) + b->owned++, e, sizeof(*e));
	}
}

/* Walk over the tree: count or, if there is a map, collect. */
static inline enum pmumap_status pmumap_imc_walk_(struct pmumap_imc_build_ *b)
{
	enum pmumap_status status = pmumap_imc_begin_(b);
	struct pmumap_imc_unit_row_ u;
	struct pmumap_imc_own_ e;
	uint32_t value;
	int more = 0, format;

	while (status == PMUMAP_OK && (more = pmumap_imc_next_(b)) > 0) {
		if (b->w.depth > b->root + 1) {
			if (b->list && pmumap_imc_read_event_(b, &e, &value))
				pmumap_imc_add_event_(b, &e, value);
			continue;
		}
		format = pmumap_imc_begin_child_(b, &value);
		if (b->list)
			b->list->first = b->collected;
		if (format > PMUMAP_IMC_UNREAD_ &&
		    pmumap_imc_describe_unit_(b, format, value, &u) == PMUMAP_IMC_KEPT_)
			pmumap_imc_add_unit_(b, &u);
	}
	if (status != PMUMAP_OK || more < 0)
		return status != PMUMAP_OK ? status : PMUMAP_E_FDT_STRUCT;
	if (b->roots == 0)
		return b->opt && b->opt->node ? PMUMAP_E_NODE : PMUMAP_E_NOTFOUND;
	return PMUMAP_OK;
}

/*
 * Count a tree, and add up the block: the map, then scratch memory, where lists are collected first
 * and the index is sorted afterwards.
 */
static inline enum pmumap_status pmumap_imc_count_(struct pmumap_imc_build_ *b, const void *fdt,
						   size_t fdt_size,
						   const struct pmumap_imc_options *opt)
{
	enum pmumap_status status;
	const struct pmumap_imc_list_ *list;
	uint64_t names = 0;
	uint32_t scratch, collected;

	pmumap_zero_words_(b, sizeof(*b) - sizeof(b->lists));
	b->fdt = fdt;
	b->fdt_size = fdt_size;
	b->opt = opt;
	status = pmumap_imc_walk_(b);
	if (status != PMUMAP_OK)
		return status;
	for (list = b->lists; list < b->lists + b->list_count; list++) {
		if (list->users == 0 || list->events == 0)
			continue;
		if (list->longest_name + list->longest_prefix > 4095)
			return PMUMAP_E_LIMIT;
		names += (uint64_t)list->users * list->events;
		b->events += list->events;
		b->owns += list->owns;
		b->need += list->once +
			   (uint64_t)list->users *
				   (list->bytes + (uint64_t)list->events * list->longest_prefix);
	}
	if (b->full || b->units > PMUMAP_IMC_MOST_ || names > PMUMAP_IMC_MOST_)
		return PMUMAP_E_LIMIT;
	scratch = 8 * (names < b->units ? b->units : (uint32_t)names);
	collected = 8 * b->events + b->owns * (uint32_t)sizeof(struct pmumap_imc_own_);
	b->need += sizeof(struct pmumap_imc) + b->units * sizeof(struct pmumap_imc_unit_row_) +
		   (uint64_t)b->chips * sizeof(struct pmumap_imc_chip_row_) +
		   names * (sizeof(struct pmumap_imc_row_) + 12) + 96;
	b->need = (b->need + 7) / 8 * 8;
	b->scratch = (uint32_t)b->need;
	b->need += scratch < collected ? collected : scratch;
	if (b->need > PMUMAP_MAX_BYTES_)
		return PMUMAP_E_LIMIT;
	return PMUMAP_OK;
}

/* Begin a map, and collect the units and lists of a tree in the block. */
static inline enum pmumap_status pmumap_imc_collect_tree_(struct pmumap_imc_build_ *b,
							  const void *fdt, size_t fdt_size,
							  const struct pmumap_imc_options *opt,
							  void *mem, size_t bytes)
{
	enum pmumap_status status;
	uint32_t i;

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
	(void)pmumap_imc_walk_(b);
	for (i = 0; i < b->list_count; i++) {
		if (b->lists[i].users)
			pmumap_sort_pairs_(PMUMAP_IMC_PAIRS_(b) + b->lists[i].first,
					   b->lists[i].events, 0, 0);
	}
	return PMUMAP_OK;
}
