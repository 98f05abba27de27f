/* SPDX-License-Identifier: BSD-2-Clause */
/* Fill the tables of a map: one walk counts, a second one fills */
#pragma once

#include "core/pairs.h"
#include "amu/read.h"

#define PMUMAP_AMU_NONE_ 0xffffffffu

/* Tables of the block that a map is built in. */
#define PMUMAP_AMU_TABLE_(m, type, at) ((type *)(void *)((char *)(m) + (at)))
#define PMUMAP_AMU_WORDS_(m, at) PMUMAP_AMU_TABLE_(m, uint32_t, at)
#define PMUMAP_AMU_PAIRS_(m, at) ((uint32_t(*)[2])(void *)PMUMAP_AMU_WORDS_(m, at))
#define PMUMAP_AMU_ROOM_(n, each) (((uint64_t)(n) * (each) + 7) & ~(uint64_t)7)
#define PMUMAP_AMU_VIEWS_(m) PMUMAP_AMU_TABLE_(m, struct pmumap_amu_view_row_, (m)->views)

/*
 * State of a build. Until the map is packed, its tables have room for all that was counted, and
 * names are offsets in the tree. Behind them are lists that a finished map does not need. The
 * reader comes first, because visit casts it to this struct.
 */
struct pmumap_amu_build_ {
	struct pmumap_amu_reader_ r;
	const struct pmumap_amu_options *opt;
	struct pmumap_amu *m; /* NULL: only count */
	uint64_t need;
	uint32_t label_count;
	uint32_t (*ids)[2];    /* phandle and place in the tree of each view */
	uint32_t *numbers;     /* of each view: whether the map has it; then its number, or NONE */
	uint32_t (*labels)[2]; /* for pmumap_amu_labels(), like the rest */
	uint32_t name;         /* offset in the tree of the current counter's; 0: list the labels */
};

/* Fill in a counter. The names of its view are in the order of the counters' indices. */
static inline void pmumap_amu_fill_counter_(struct pmumap_amu_build_ *b)
{
	struct pmumap_amu_view_row_ *v = PMUMAP_AMU_VIEWS_(b->m) + b->r.view_count - 1;
	uint32_t *names = PMUMAP_AMU_WORDS_(b->m, b->m->names), place, i;

	b->name = (uint32_t)(pmumap_fdt_name_(&b->r.w) - b->r.w.blob);
	if (b->label_count && b->r.in_amus)
		b->opt->labels(b);
	v->described = (uint16_t)b->r.described;
	v->enable = (uint16_t)b->r.enable;
	if (b->r.flags)
		return;
	place = pmumap_amu_place_of_name_(v, b->r.index);
	for (i = b->r.counter_count; i > place; i--) {
		names[i] = names[i - 1];
		PMUMAP_NO_LIBCALL_();
	}
	names[place] = b->name;
}

/* Fill in an item, unless there is no block yet. */
static inline void pmumap_amu_fill_item_(struct pmumap_amu_reader_ *r, uint32_t item)
{
	struct pmumap_amu_build_ *b = (struct pmumap_amu_build_ *)(void *)r;
	uint32_t *pair;

	if (!b->m)
		return;
	if (item == PMUMAP_AMU_COUNTER_) {
		pmumap_amu_fill_counter_(b);
	} else if (item == PMUMAP_AMU_VIEW_) {
		PMUMAP_AMU_VIEWS_(b->m)[r->view_count].first = r->counter_count;
		pair = b->ids[r->view_count];
		pair[0] = r->view->id;
		pair[1] = r->view_count;
		b->numbers[r->view_count] = r->in_amus;
	} else if (!r->flags) {
		pair = &PMUMAP_AMU_PAIRS_(b->m, b->m->cpus)[r->cpu_count][0];
		pair[0] = pmumap_amu_pack_affinity_(r->mpidr);
		pair[1] = r->cpu_count;
		PMUMAP_AMU_WORDS_(b->m, b->m->by_tree)[r->cpu_count] = r->id;
	}
}

/*
 * Validate the tree and count. Then lay out the block at mem, or only measure it if mem is NULL.
 * Strings come last in the map, because only their number is known; lists of the build follow.
 */
static inline enum pmumap_status pmumap_amu_lay_out_(struct pmumap_amu_build_ *b, const void *fdt,
						     size_t fdt_size,
						     const struct pmumap_amu_options *opt,
						     void *mem, size_t bytes)
{
	uint64_t names, cpus, by_tree, strings, ids, numbers, labels;
	enum pmumap_status status;

	b->m = 0;
	b->opt = opt;
	b->label_count = b->name = 0;
	status = pmumap_amu_read_tree_(&b->r, fdt, fdt_size, opt, pmumap_amu_fill_item_);
	if (status != PMUMAP_OK)
		return status;
	if (opt && opt->labels && b->r.symbols)
		opt->labels(b);
	names = sizeof(*b->m) + PMUMAP_AMU_ROOM_(b->r.view_count, 8);
	cpus = names + PMUMAP_AMU_ROOM_(b->r.counter_count, 4);
	by_tree = cpus + PMUMAP_AMU_ROOM_(b->r.cpu_count, 8);
	strings = by_tree + PMUMAP_AMU_ROOM_(b->r.cpu_count, 4);
	ids = strings + PMUMAP_AMU_ROOM_(b->r.text_bytes + 1, 1);
	numbers = ids + PMUMAP_AMU_ROOM_(b->r.view_count, 8);
	labels = numbers + PMUMAP_AMU_ROOM_(b->r.view_count, 4);
	b->need = labels + PMUMAP_AMU_ROOM_(b->label_count, 8);
	if ((size_t)mem % 8)
		return PMUMAP_E_ARG;
	if (b->need > PMUMAP_MAX_BYTES_)
		return PMUMAP_E_LIMIT;
	if (!mem || bytes < b->need)
		return mem ? PMUMAP_E_NOSPACE : PMUMAP_OK;
	b->m = (struct pmumap_amu *)mem;
	pmumap_zero_words_(b->m, (size_t)strings);
	b->m->views = sizeof(*b->m);
	b->m->names = (uint32_t)names;
	b->m->cpus = (uint32_t)cpus;
	b->m->by_tree = (uint32_t)by_tree;
	b->m->strings = (uint32_t)strings;
	b->ids = PMUMAP_AMU_PAIRS_(mem, ids);
	b->numbers = PMUMAP_AMU_WORDS_(mem, numbers);
	b->labels = PMUMAP_AMU_PAIRS_(mem, labels);
	if (b->label_count)
		opt->labels(b);
	return PMUMAP_OK;
}
