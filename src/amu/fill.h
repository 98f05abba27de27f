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
	struct pmumap_amu *m; /* NULL: only count */
	uint32_t view_count, counter_count, cpu_count, label_count;
	uint64_t text_bytes, need;
	uint32_t seen; /* counters of the current view */
	struct pmumap_amu_view_row_ *views;
	struct pmumap_amu_cpu_row_ *cpus;
	uint32_t *by_tree, *names;
	uint32_t (*ids)[2];    /* phandle and place in the tree of each view */
	uint32_t *numbers;     /* of each view: whether the map has it; then its number, or NONE */
	uint32_t (*labels)[2]; /* for pmumap_amu_labels() */
};

/* The first of n sorted pairs with this key, or NULL. */
static inline uint32_t *pmumap_find_pair_(uint32_t (*pairs)[2], uint32_t n, uint32_t key)
{
	uint32_t low = 0, count = n;

	while (count) {
		uint32_t half = count / 2;

		if (pairs[low + half][0] < key) {
			low += half + 1;
			count -= half + 1;
		} else {
			count = half;
		}
	}
	return low < n && pairs[low][0] == key ? &pairs[low][0] : 0;
}

/* A table at this offset of the block. */
static inline uint32_t *pmumap_amu_block_at_(const struct pmumap_amu_build_ *b, uint32_t offset)
{
	return (uint32_t *)(void *)((char *)(void *)b->m + offset);
}

static inline uint32_t pmumap_amu_count_bits_(uint32_t bits)
{
	uint32_t n = 0;

	for (; bits; bits &= bits - 1)
		n++;
	return n;
}

/* Where the name of a described counter is, or belongs: in order of the counters' indices. */
static inline uint32_t *pmumap_amu_place_name_(const struct pmumap_amu_build_ *b,
					       const struct pmumap_amu_view_row_ *v, uint32_t index)
{
	return b->names + v->first + pmumap_amu_count_bits_(v->described & ((1u << index) - 1));
}

/* Add a new counter to the last view. */
static inline void pmumap_amu_fill_counter_(struct pmumap_amu_build_ *b)
{
	struct pmumap_amu_view_row_ *v = b->views + b->view_count - 1;
	uint32_t *place = pmumap_amu_place_name_(b, v, b->r.index), *end;

	for (end = b->names + b->counter_count; end > place; end--) {
		*end = end[-1];
		PMUMAP_NO_LIBCALL_();
	}
	*place = (uint32_t)(pmumap_fdt_name_(&b->r.w) - b->r.w.blob);
	v->described |= (uint16_t)(1u << b->r.index);
}

static inline void pmumap_amu_take_counter_(struct pmumap_amu_build_ *b)
{
	int fate = pmumap_amu_counter_fate_(&b->r, b->seen);
	const unsigned char *name = pmumap_fdt_name_(&b->r.w);

	if (fate == PMUMAP_AMU_NEW_) {
		if (b->m)
			pmumap_amu_fill_counter_(b);
		b->seen |= 1u << b->r.index;
		b->counter_count++;
		for (b->text_bytes++; *name; name++)
			b->text_bytes++;
	}
	if (b->m && fate != PMUMAP_AMU_LEFT_OUT_ && (b->r.flags & PMUMAP_AMU_ENABLE_))
		b->views[b->view_count - 1].enable |= (uint16_t)(1u << b->r.index);
}

/* Count an item, and fill it in if there is a block. */
static inline void pmumap_amu_take_item_(struct pmumap_amu_reader_ *r, uint32_t item)
{
	struct pmumap_amu_build_ *b = (struct pmumap_amu_build_ *)(void *)r;

	if (item == PMUMAP_AMU_COUNTER_) {
		pmumap_amu_take_counter_(b);
	} else if (item == PMUMAP_AMU_VIEW_) {
		if (b->m) {
			b->views[b->view_count].described = b->views[b->view_count].enable = 0;
			b->views[b->view_count].first = b->counter_count;
			b->ids[b->view_count][0] = r->id;
			b->ids[b->view_count][1] = b->view_count;
			b->numbers[b->view_count] = r->flags & PMUMAP_AMU_LISTED_;
		}
		b->view_count++;
		b->seen = 0;
	} else if (!(r->flags & PMUMAP_AMU_BAD_REG_)) {
		if (b->m) {
			b->cpus[b->cpu_count].affinity = pmumap_amu_pack_affinity_(r->mpidr);
			b->cpus[b->cpu_count].view = b->cpu_count;
			b->by_tree[b->cpu_count] = r->id;
		}
		b->cpu_count++;
	}
}

/* Count the tree's items, and fill them in if there is a block. */
static inline enum pmumap_status pmumap_amu_take_tree_(struct pmumap_amu_build_ *b, const void *fdt)
{
	b->view_count = b->counter_count = b->cpu_count = 0;
	b->text_bytes = 1;
	return pmumap_amu_read_tree_(&b->r, fdt, b->fdt_size, b->opt, pmumap_amu_take_item_);
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
						     size_t fdt_size,
						     const struct pmumap_amu_options *opt,
						     void *mem, size_t bytes)
{
	struct pmumap_amu head;
	enum pmumap_status status;
	uint32_t ids, numbers, labels;

	b->m = 0;
	b->opt = opt;
	b->fdt_size = fdt_size;
	b->label_count = 0;
	status = pmumap_amu_take_tree_(b, fdt);
	if (status != PMUMAP_OK)
		return status;
	if (opt && opt->labels && b->r.symbols)
		opt->labels(b);
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
	b->views = (struct pmumap_amu_view_row_ *)(void *)pmumap_amu_block_at_(b, head.views);
	b->cpus = (struct pmumap_amu_cpu_row_ *)(void *)pmumap_amu_block_at_(b, head.cpus);
	b->by_tree = pmumap_amu_block_at_(b, head.by_tree);
	b->names = pmumap_amu_block_at_(b, head.names);
	b->ids = (uint32_t(*)[2])pmumap_amu_block_at_(b, ids);
	b->numbers = pmumap_amu_block_at_(b, numbers);
	b->labels = (uint32_t(*)[2])pmumap_amu_block_at_(b, labels);
	return PMUMAP_OK;
}
