/* SPDX-License-Identifier: BSD-2-Clause */
/* Count the units, lists and events of a tree, then collect them in the block */
#pragma once

#include "core/pairs.h"
#include "imc/read.h"

/*
 * In the scratch memory: each event's offset, and twice the place of its name, plus 1 if it has own
 * strings; sorted in each list. Behind them: events with own strings.
 */
#define PMUMAP_IMC_PAIRS_(b) ((uint32_t(*)[2])(void *)((char *)(b)->m + (b)->scratch))
#define PMUMAP_IMC_OWNS_(b)                                                                        \
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

/* Count the current unit, which is kept. */
static inline void pmumap_imc_count_unit_(struct pmumap_imc_build_ *b,
					  const struct pmumap_imc_unit_row_ *u)
{
	uint32_t prefix = pmumap_imc_text_bytes_(b, u->prefix);
	struct pmumap_imc_list_ *list;

	b->units++;
	b->chips += u->chip_count;
	b->need += pmumap_imc_text_bytes_(b, u->name) + prefix +
		   pmumap_imc_text_bytes_(b, u->scale) + pmumap_imc_text_bytes_(b, u->measure) + 11;
	if (u->first == PMUMAP_IMC_NONE_)
		return;
	list = b->lists + u->first;
	list->users++;
	if (list->longest_prefix < prefix)
		list->longest_prefix = prefix;
}

/* Count an event of the current list; or collect it if the list is used. */
static inline void pmumap_imc_add_event_(struct pmumap_imc_build_ *b, const uint32_t *strings,
					 uint32_t offset)
{
	struct pmumap_imc_list_ *list = b->list;
	uint32_t own = (strings[1] | strings[2] | strings[3]) != 0, name, i, *pair;

	if (!b->m) {
		name = pmumap_imc_text_bytes_(b, strings[0]);
		if (list->longest_name < name)
			list->longest_name = name;
		list->events++;
		list->owns += own;
		list->bytes += name + 8;
		for (i = 1; own && i < PMUMAP_IMC_STRINGS_; i++)
			list->bytes += pmumap_imc_text_bytes_(b, strings[i]);
	} else if (list->users) {
		pair = &PMUMAP_IMC_PAIRS_(b)[b->collected++][0];
		pair[0] = offset;
		pair[1] = 2 * strings[0] + own;
		for (i = 0; own && i < PMUMAP_IMC_STRINGS_; i++)
			PMUMAP_IMC_OWNS_(b)[b->owned][i] = strings[i];
		b->owned += own;
	}
}

/* Walk over the tree: count or, if there is a map, collect. */
static inline enum pmumap_status pmumap_imc_walk_(struct pmumap_imc_build_ *b)
{
	enum pmumap_status status = pmumap_imc_begin_(b);
	struct pmumap_imc_unit_row_ counted, *u;
	uint32_t strings[PMUMAP_IMC_STRINGS_], offset;
	const unsigned char *suffix;
	int more = 0;

	while (status == PMUMAP_OK && (more = pmumap_imc_next_(b)) > 0) {
		if (b->w.depth > b->root + 1) {
			if (b->list && pmumap_imc_read_event_(b, strings, &offset))
				pmumap_imc_add_event_(b, strings, offset);
			continue;
		}
		suffix = pmumap_imc_begin_child_(b);
		if (b->list)
			b->list->first = b->collected;
		/* If it is not kept, the one behind is overwritten: there is room. */
		u = b->m ? PMUMAP_IMC_UNITS_(b->m) + b->m->unit_count : &counted;
		if (!suffix || pmumap_imc_describe_unit_(b, suffix, u) <= 0)
			continue;
		if (b->m)
			b->m->unit_count++;
		else
			pmumap_imc_count_unit_(b, u);
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
	uint64_t names = 0, collected = 0, scratch, each;

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
		collected += 8 * (uint64_t)list->events + 16 * (uint64_t)list->owns;
		each = list->longest_prefix + (list->owns ? 3 : 0);
		b->need += list->users * (list->bytes + list->events * each);
	}
	if (b->full || b->units > PMUMAP_IMC_MOST_ || names > PMUMAP_IMC_MOST_)
		return PMUMAP_E_LIMIT;
	b->names = (uint32_t)names;
	scratch = 8 * (names < b->units ? b->units : names);
	b->need += sizeof(struct pmumap_imc) + b->units * sizeof(struct pmumap_imc_unit_row_) +
		   (uint64_t)b->chips * sizeof(struct pmumap_imc_chip_row_) +
		   names * (sizeof(struct pmumap_imc_row_) + 10) + 96;
	b->need = (b->need + 7) / 8 * 8;
	b->scratch = (uint32_t)b->need;
	b->need += scratch < collected ? collected : scratch;
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
