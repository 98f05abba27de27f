/* SPDX-License-Identifier: BSD-2-Clause */
/* Count the units, lists and events of a tree, then collect them in the block */
#pragma once

#include "core/pairs.h"
#include "imc/read.h"

/*
 * In the scratch memory: each event's offset and number, sorted in each list. Behind them: by
 * number, the places of its strings.
 */
#define PMUMAP_IMC_PAIRS_(b) ((uint32_t(*)[2])(void *)((char *)(b)->m + (b)->scratch))
#define PMUMAP_IMC_EVENTS_(b)                                                                      \
	((uint32_t(*)[PMUMAP_IMC_STRINGS_])(void *)(PMUMAP_IMC_PAIRS_(b) + (b)->events))

/* Append a table. Returns its offset; the padding is 0. */
static inline uint32_t pmumap_imc_append_(struct pmumap_imc *m, uint32_t bytes)
{
	uint32_t at = m->head.size;

	m->head.size += (bytes + 7) & ~7u;
	if (bytes)
		*PMUMAP_IMC_TABLE_(m, uint64_t, m->head.size - 8) = 0;
	return at;
}

/* Count the current unit if it is kept; or collect it. */
static inline void pmumap_imc_add_unit_(struct pmumap_imc_build_ *b, const unsigned char *suffix)
{
	struct pmumap_imc_unit_row_ counted, *u = &counted;
	struct pmumap_imc_list_ *list;
	uint32_t prefix;

	if (b->m) /* there is room, also for one that is not kept: the next overwrites it */
		u = PMUMAP_IMC_UNITS_(b->m) + b->m->unit_count;
	if (pmumap_imc_describe_unit_(b, suffix, u) <= 0)
		return;
	if (b->m) {
		b->m->unit_count++;
		return;
	}
	b->units++;
	b->chips += u->chip_count;
	prefix = pmumap_imc_text_bytes_(b, u->prefix);
	b->need += pmumap_imc_text_bytes_(b, u->name) + prefix +
		   pmumap_imc_text_bytes_(b, u->scale) + pmumap_imc_text_bytes_(b, u->measure) + 11;
	list = b->lists + u->first;
	list->users++;
	if (list->longest_prefix < prefix)
		list->longest_prefix = prefix;
}

/* Count an event of the current list if the current node is one; or collect it for its users. */
static inline void pmumap_imc_add_event_(struct pmumap_imc_build_ *b)
{
	struct pmumap_imc_list_ *list = b->list;
	uint32_t n = list->first + list->events, counted[PMUMAP_IMC_STRINGS_], offset, bytes, i;
	uint32_t *strings = counted;

	if (b->m && !list->users)
		return;
	if (b->m)
		strings = &PMUMAP_IMC_EVENTS_(b)[n][0];
	if (!pmumap_imc_read_event_(b, strings, &offset))
		return;
	list->events++;
	if (b->m) {
		PMUMAP_IMC_PAIRS_(b)[n][0] = offset;
		PMUMAP_IMC_PAIRS_(b)[n][1] = n;
		return;
	}
	bytes = pmumap_imc_text_bytes_(b, strings[0]);
	if (list->longest_name < bytes)
		list->longest_name = bytes;
	list->bytes += bytes + 8;
	for (i = 1; i < PMUMAP_IMC_STRINGS_; i++) {
		list->bytes += pmumap_imc_text_bytes_(b, strings[i]);
		list->own |= strings[i];
	}
}

/* Walk over the tree: count or, if there is a map, collect. */
static inline enum pmumap_status pmumap_imc_walk_(struct pmumap_imc_build_ *b)
{
	enum pmumap_status status = pmumap_imc_begin_(b);
	const unsigned char *suffix;
	int more = 0;

	while (status == PMUMAP_OK && (more = pmumap_imc_next_(b)) > 0) {
		if (b->w.depth > b->root + 1 && b->list)
			pmumap_imc_add_event_(b);
		if (b->w.depth == b->root + 1 && (suffix = pmumap_imc_begin_child_(b)) != 0)
			pmumap_imc_add_unit_(b, suffix);
	}
	if (status != PMUMAP_OK || more < 0)
		return status != PMUMAP_OK ? status : PMUMAP_E_FDT_STRUCT;
	if (b->roots == 0)
		return b->opt->node ? PMUMAP_E_NODE : PMUMAP_E_NOTFOUND;
	return PMUMAP_OK;
}

/*
 * Count a tree, and add up the block: the map without its index, then the collected lists; or, in
 * their place, the index and what is sorted for it.
 */
static inline enum pmumap_status pmumap_imc_count_(struct pmumap_imc_build_ *b, const void *fdt,
						   size_t fdt_size,
						   const struct pmumap_imc_options *opt)
{
	static const struct pmumap_imc_options defaults = { 0, 0, 0, 0, 0 };
	enum pmumap_status status;
	struct pmumap_imc_list_ *list;
	uint64_t names = 0, each;

	pmumap_zero_words_(b, sizeof(*b) - sizeof(b->lists) + sizeof(b->lists[0]));
	b->list_count = 1;
	b->fdt = fdt;
	b->fdt_size = fdt_size;
	b->opt = opt ? opt : &defaults;
	status = pmumap_imc_walk_(b);
	if (status != PMUMAP_OK)
		return status;
	for (list = b->lists; list < b->lists + b->list_count; list++) {
		if (list->users == 0 || list->events == 0)
			continue;
		if (list->longest_name + list->longest_prefix > 4095)
			return PMUMAP_E_LIMIT;
		names += (uint64_t)list->users * list->events;
		each = list->longest_prefix + (list->own ? 3 : 0);
		b->need += list->users * (list->bytes + list->events * each);
		list->first = b->events;
		b->events += list->events;
		list->events = 0;
	}
	if (b->full || b->units > PMUMAP_IMC_MOST_ || names > PMUMAP_IMC_MOST_)
		return PMUMAP_E_LIMIT;
	b->names = (uint32_t)names;
	each = 24 * (uint64_t)b->events;
	b->need += sizeof(struct pmumap_imc) + b->units * sizeof(struct pmumap_imc_unit_row_) +
		   (uint64_t)b->chips * sizeof(struct pmumap_imc_chip_row_) +
		   names * sizeof(struct pmumap_imc_row_) + 64 +
		   (each < 20 * names ? 20 * names : each);
	b->need = (b->need + 7) / 8 * 8;
	b->scratch = (uint32_t)(b->need - each);
	return b->need > PMUMAP_MAX_BYTES_ ? PMUMAP_E_LIMIT : PMUMAP_OK;
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
