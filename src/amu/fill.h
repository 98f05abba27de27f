/* SPDX-License-Identifier: BSD-2-Clause */
/* Fill the tables of a map: one walk counts, a second one fills */
#pragma once

#include "core/pairs.h"
#include "amu/read.h"

#define PMUMAP_AMU_NONE_ 0xffffffffu

/*
 * State of a build. Until the map is packed, its tables have room for all that was counted, and
 * names are offsets in the tree. Behind them are lists that a finished map does not need. The
 * reader comes first, because visit casts it to this struct.
 */
struct pmumap_amu_build_ {
	struct pmumap_amu_reader_ r;
	const struct pmumap_amu_options *opt;
	size_t fdt_size;
	struct pmumap_amu *m; /* NULL: count */
	uint32_t view_count, counter_count, cpu_count, label_count;
	uint64_t text_bytes, need;
	uint32_t seen;         /* counters of the current view, while counting */
	uint32_t (*ids)[2];    /* phandle and place in the tree of each view */
	uint32_t *numbers;     /* of each view: whether the map has it; then its number, or NONE */
	uint32_t (*labels)[2]; /* for pmumap_amu_labels() */
};

/* A table at this offset of the block. */
static inline void *pmumap_amu_block_at_(const struct pmumap_amu_build_ *b, uint32_t offset)
{
	return (char *)(void *)b->m + offset;
}

static inline struct pmumap_amu_view_row_ *
pmumap_amu_built_views_(const struct pmumap_amu_build_ *b)
{
	return (struct pmumap_amu_view_row_ *)pmumap_amu_block_at_(b, b->m->views);
}

static inline struct pmumap_amu_cpu_row_ *pmumap_amu_built_cpus_(const struct pmumap_amu_build_ *b)
{
	return (struct pmumap_amu_cpu_row_ *)pmumap_amu_block_at_(b, b->m->cpus);
}

static inline uint32_t *pmumap_amu_built_words_(const struct pmumap_amu_build_ *b, uint32_t offset)
{
	return (uint32_t *)pmumap_amu_block_at_(b, offset);
}

static inline void pmumap_amu_count_item_(struct pmumap_amu_reader_ *r, uint32_t item)
{
	struct pmumap_amu_build_ *b = (struct pmumap_amu_build_ *)(void *)r;
	const unsigned char *name = pmumap_amu_name_(r);

	if (item == PMUMAP_AMU_CPU_) {
		b->cpu_count += !(r->flags & PMUMAP_AMU_BAD_REG_);
	} else if (item == PMUMAP_AMU_VIEW_) {
		b->view_count++;
		b->seen = 0;
	} else if (pmumap_amu_counter_fate_(r, b->seen) == PMUMAP_AMU_NEW_) {
		b->seen |= 1u << r->index;
		b->counter_count++;
		for (b->text_bytes++; *name; name++)
			b->text_bytes++;
	}
}

static inline uint32_t pmumap_amu_count_bits_(uint32_t bits)
{
	uint32_t n = 0;

	for (; bits; bits &= bits - 1)
		n++;
	return n;
}

/* Where the name of a described counter is, or belongs. */
static inline uint32_t *pmumap_amu_place_name_(const struct pmumap_amu_build_ *b,
					       const struct pmumap_amu_view_row_ *v, uint32_t index)
{
	return pmumap_amu_built_words_(b, b->m->names) + v->first +
	       pmumap_amu_count_bits_(v->described & ((1u << index) - 1));
}

/* Add the current counter to the last view. Names are in order of the counters' indices. */
static inline void pmumap_amu_fill_counter_(struct pmumap_amu_build_ *b)
{
	struct pmumap_amu_view_row_ *v = pmumap_amu_built_views_(b) + b->view_count - 1;
	int fate = pmumap_amu_counter_fate_(&b->r, v->described);
	uint32_t bit, *place, *end;

	if (fate == PMUMAP_AMU_LEFT_OUT_)
		return;
	bit = 1u << b->r.index;
	if (b->r.flags & PMUMAP_AMU_ENABLE_)
		v->enable |= (uint16_t)bit;
	if (fate != PMUMAP_AMU_NEW_)
		return;
	place = pmumap_amu_place_name_(b, v, b->r.index);
	for (end = pmumap_amu_built_words_(b, b->m->names) + b->counter_count++; end > place;
	     end--) {
		*end = end[-1];
		PMUMAP_NO_LIBCALL_();
	}
	*place = (uint32_t)(pmumap_amu_name_(&b->r) - b->r.w.blob);
	v->described |= (uint16_t)bit;
}

static inline void pmumap_amu_fill_item_(struct pmumap_amu_reader_ *r, uint32_t item)
{
	struct pmumap_amu_build_ *b = (struct pmumap_amu_build_ *)(void *)r;

	if (item == PMUMAP_AMU_COUNTER_) {
		pmumap_amu_fill_counter_(b);
	} else if (item == PMUMAP_AMU_VIEW_) {
		struct pmumap_amu_view_row_ *v = pmumap_amu_built_views_(b) + b->view_count;

		v->described = v->enable = 0;
		v->first = b->counter_count;
		b->ids[b->view_count][0] = r->id;
		b->ids[b->view_count][1] = b->view_count;
		b->numbers[b->view_count++] = r->flags & PMUMAP_AMU_LISTED_;
	} else if (!(r->flags & PMUMAP_AMU_BAD_REG_)) {
		struct pmumap_amu_cpu_row_ *c = pmumap_amu_built_cpus_(b) + b->cpu_count;

		c->affinity = pmumap_amu_pack_affinity_(r->mpidr);
		c->view = b->cpu_count;
		pmumap_amu_built_words_(b, b->m->by_tree)[b->cpu_count++] = r->id;
	}
}

/* Give n elements room in the block. Returns their offset, which is wrong if need passes 2 GiB. */
static inline uint32_t pmumap_amu_reserve_(struct pmumap_amu_build_ *b, uint64_t n, uint32_t each)
{
	uint64_t at = b->need;

	b->need += (n * each + 7) & ~(uint64_t)7;
	return (uint32_t)at;
}

static inline void pmumap_amu_move_words_(uint32_t *to, const uint32_t *from, uint32_t n)
{
	for (; n && to != from; n--) {
		*to++ = *from++;
		PMUMAP_NO_LIBCALL_();
	}
}

/* Validate the tree and count. Then lay out the block at mem, or only measure it if mem is NULL. */
static inline enum pmumap_status pmumap_amu_lay_out_(struct pmumap_amu_build_ *b, const void *fdt,
						     void *mem, size_t bytes)
{
	struct pmumap_amu head;
	enum pmumap_status status;
	uint32_t ids, numbers, labels;

	b->m = 0;
	b->view_count = b->counter_count = b->cpu_count = b->label_count = 0;
	b->text_bytes = 1;
	status = pmumap_amu_read_tree_(&b->r, fdt, b->fdt_size, b->opt, pmumap_amu_count_item_);
	if (status != PMUMAP_OK)
		return status;
	if (b->opt && b->opt->labels && b->r.symbols)
		b->opt->labels(b);
	pmumap_zero_words_(&head, sizeof(head));
	b->need = sizeof(head);
	head.views = pmumap_amu_reserve_(b, b->view_count, sizeof(struct pmumap_amu_view_row_));
	head.names = pmumap_amu_reserve_(b, b->counter_count, sizeof(uint32_t));
	head.strings = pmumap_amu_reserve_(b, b->text_bytes, 1);
	head.cpus = pmumap_amu_reserve_(b, b->cpu_count, sizeof(struct pmumap_amu_cpu_row_));
	head.by_tree = pmumap_amu_reserve_(b, b->cpu_count, sizeof(uint32_t));
	ids = pmumap_amu_reserve_(b, b->view_count, sizeof(*b->ids));
	numbers = pmumap_amu_reserve_(b, b->view_count, sizeof(*b->numbers));
	labels = pmumap_amu_reserve_(b, b->label_count, sizeof(*b->labels));
	if ((size_t)mem % 8)
		return PMUMAP_E_ARG;
	if (b->need > PMUMAP_MAX_BYTES_)
		return PMUMAP_E_LIMIT;
	if (!mem)
		return PMUMAP_OK;
	if (bytes < b->need)
		return PMUMAP_E_NOSPACE;
	b->m = (struct pmumap_amu *)mem;
	pmumap_amu_move_words_((uint32_t *)mem, (const uint32_t *)(const void *)&head,
			       sizeof(head) / sizeof(uint32_t));
	b->ids = (uint32_t(*)[2])pmumap_amu_block_at_(b, ids);
	b->numbers = pmumap_amu_built_words_(b, numbers);
	b->labels = (uint32_t(*)[2])pmumap_amu_block_at_(b, labels);
	return PMUMAP_OK;
}
