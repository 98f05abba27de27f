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
#define PMUMAP_AMU_VIEWS_(m) PMUMAP_AMU_TABLE_(m, struct pmumap_amu_view_row_, (m)->views)

/*
 * State of a build. Until the map is packed, its tables have room for all that was counted, and
 * names are offsets in the tree. Behind them are lists that a finished map does not need. The
 * reader comes first, because visit casts it to this struct.
 */
struct pmumap_amu_build_ {
	struct pmumap_amu_reader_ r;
	const struct pmumap_amu_options *opt;
	size_t fdt_size;
	struct pmumap_amu *m; /* NULL: only count */
	uint32_t view_count, counter_count, cpu_count, label_count;
	uint64_t text_bytes, need;
	struct pmumap_amu_view_row_ counted, *view; /* the current view: this one, or that in m */
	uint32_t (*ids)[2];                         /* phandle and place in the tree of each view */
	uint32_t *numbers;     /* of each view: whether the map has it; then its number, or NONE */
	uint32_t (*labels)[2]; /* for pmumap_amu_labels(), like the rest */
	uint32_t name;         /* offset in the tree of the current counter's; 0: list the labels */
	uint32_t hashed_view, view_hash; /* of its path and a slash */
};

static inline uint32_t pmumap_amu_count_bits_(uint32_t bits)
{
	uint32_t n = 0;

	for (; bits; bits &= bits - 1)
		n++;
	return n;
}

/* Where a view has the name of a counter: they are in the order of the counters' indices. */
static inline uint32_t pmumap_amu_place_of_name_(const struct pmumap_amu_view_row_ *v,
						 uint32_t index)
{
	return v->first + pmumap_amu_count_bits_(v->described & ((1u << index) - 1));
}

static inline void pmumap_amu_take_counter_(struct pmumap_amu_build_ *b)
{
	int fate = pmumap_amu_counter_fate_(&b->r, b->view->described);
	const unsigned char *name = pmumap_fdt_name_(&b->r.w);
	uint32_t bit = fate == PMUMAP_AMU_LEFT_OUT_ ? 0 : 1u << b->r.index, *place, *end;

	b->name = (uint32_t)(name - b->r.w.blob);
	if (b->m && b->label_count && b->r.in_amus)
		b->opt->labels(b);
	if (b->r.flags & PMUMAP_AMU_ENABLE_)
		b->view->enable |= (uint16_t)bit;
	if (fate != PMUMAP_AMU_NEW_)
		return;
	if (b->m) {
		place = PMUMAP_AMU_WORDS_(b->m, b->m->names);
		end = place + b->counter_count;
		place += pmumap_amu_place_of_name_(b->view, b->r.index);
		for (; end > place; end--) {
			*end = end[-1];
			PMUMAP_NO_LIBCALL_();
		}
		*place = b->name;
	}
	b->view->described |= (uint16_t)bit;
	b->counter_count++;
	for (b->text_bytes++; *name; name++)
		b->text_bytes++;
}

/* Count an item, and fill it in if there is a block. */
static inline void pmumap_amu_take_item_(struct pmumap_amu_reader_ *r, uint32_t item)
{
	struct pmumap_amu_build_ *b = (struct pmumap_amu_build_ *)(void *)r;
	uint32_t *pair;

	if (item == PMUMAP_AMU_COUNTER_) {
		pmumap_amu_take_counter_(b);
	} else if (item == PMUMAP_AMU_VIEW_) {
		if (b->m) {
			b->view = PMUMAP_AMU_VIEWS_(b->m) + b->view_count;
			pair = b->ids[b->view_count];
			pair[0] = r->id;
			pair[1] = b->view_count;
			b->numbers[b->view_count] = r->flags & PMUMAP_AMU_LISTED_;
		}
		b->view->described = b->view->enable = 0;
		b->view->first = b->counter_count;
		b->view_count++;
	} else if (!(r->flags & PMUMAP_AMU_BAD_REG_)) {
		if (b->m) {
			pair = &PMUMAP_AMU_PAIRS_(b->m, b->m->cpus)[b->cpu_count][0];
			pair[0] = pmumap_amu_pack_affinity_(r->mpidr);
			pair[1] = b->cpu_count;
			PMUMAP_AMU_WORDS_(b->m, b->m->by_tree)[b->cpu_count] = r->id;
		}
		b->cpu_count++;
	}
}

/* Count the tree's items, and fill them in if there is a block. */
static inline enum pmumap_status pmumap_amu_take_tree_(struct pmumap_amu_build_ *b, const void *fdt)
{
	b->view_count = b->counter_count = b->cpu_count = 0;
	b->text_bytes = 1;
	b->view = &b->counted;
	return pmumap_amu_read_tree_(&b->r, fdt, b->fdt_size, b->opt, pmumap_amu_take_item_);
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
	static const unsigned char each[] = { 8, 4, 8, 4, 1, 8, 4, 8 };
	uint64_t count[sizeof(each)];
	uint32_t at[sizeof(each)], i;
	enum pmumap_status status;

	b->m = 0;
	b->opt = opt;
	b->fdt_size = fdt_size;
	b->label_count = 0;
	status = pmumap_amu_take_tree_(b, fdt);
	if (status != PMUMAP_OK)
		return status;
	if (opt && opt->labels && b->r.symbols)
		opt->labels(b);
	count[0] = count[5] = count[6] = b->view_count;
	count[1] = b->counter_count;
	count[2] = count[3] = b->cpu_count;
	count[4] = b->text_bytes;
	count[7] = b->label_count;
	b->need = sizeof(*b->m);
	for (i = 0; i < sizeof(each); i++) {
		at[i] = (uint32_t)b->need;
		b->need += (count[i] * each[i] + 7) & ~(uint64_t)7;
	}
	if ((size_t)mem % 8)
		return PMUMAP_E_ARG;
	if (b->need > PMUMAP_MAX_BYTES_)
		return PMUMAP_E_LIMIT;
	if (!mem || bytes < b->need)
		return mem ? PMUMAP_E_NOSPACE : PMUMAP_OK;
	b->m = (struct pmumap_amu *)mem;
	pmumap_zero_words_(b->m, at[4]);
	b->m->views = at[0];
	b->m->names = at[1];
	b->m->cpus = at[2];
	b->m->by_tree = at[3];
	b->m->strings = at[4];
	b->ids = PMUMAP_AMU_PAIRS_(mem, at[5]);
	b->numbers = PMUMAP_AMU_WORDS_(mem, at[6]);
	b->labels = PMUMAP_AMU_PAIRS_(mem, at[7]);
	return PMUMAP_OK;
}
