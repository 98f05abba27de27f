/* SPDX-License-Identifier: BSD-2-Clause */
/* Add views, counters, CPUs; the builder's entries and state */
#pragma once

#include "pool/entries.h"
#include "pool/sort.h"
#include "pool/pool.h"
#include "amu/map.h"

/* Entry i, counted from the oldest, as a struct of its kind: view, text, counter or cpu. */
#define PMUMAP_AMU_ENTRY_(name, b, i)                                                              \
	((struct pmumap_amu_##name##_entry_ *)pmumap_entries_at_(&(b)->entries, i))

enum {
	PMUMAP_AMU_VIEW_ = 1 << 24,
	PMUMAP_AMU_VIEW_NAME_ = 2 << 24, /* of the previous view, which is in /cpus/amus */
	PMUMAP_AMU_COUNTER_ = 3 << 24,   /* of the previous view */
	PMUMAP_AMU_CPU_ = 4 << 24,
	PMUMAP_AMU_LABEL_ = 5 << 24, /* followed by its PATH */
	PMUMAP_AMU_PATH_ = 6 << 24   /* "/cpus/amus/amu-0/counter@1" */
};

struct pmumap_amu_view_entry_ {
	uint64_t id;
	uint32_t cells;  /* of an address in the view */
	uint32_t number; /* in the map, once assigned */
	uint32_t node;
	uint32_t kind; /* flags: */
} PMUMAP_MAY_ALIAS_;

enum {
	PMUMAP_AMU_VIEW_USED_ = 1,  /* by a CPU */
	PMUMAP_AMU_VIEW_LISTED_ = 2 /* it is in /cpus/amus, or was added without a tree */
};

/* The name of a view, a label or a path. */
struct pmumap_amu_text_entry_ {
	uint64_t text;
	uint32_t first, count; /* of a view's name: its range of counters, while they get labels */
	uint32_t unused;
	uint32_t kind;
} PMUMAP_MAY_ALIAS_;

struct pmumap_amu_counter_entry_ {
	uint64_t name;
	uint32_t index;
	uint32_t node;
	uint32_t label; /* with the flag LABELED: the entry of its label */
	uint32_t kind;  /* flags: */
} PMUMAP_MAY_ALIAS_;

enum {
	PMUMAP_AMU_COUNTER_ENABLE_ = 1,
	PMUMAP_AMU_COUNTER_ENABLE_VALUE_ = 2, /* enable-at-el3 has a value, which has no meaning */
	PMUMAP_AMU_COUNTER_MISMATCH_ = 4,     /* its unit address differs from its index */
	PMUMAP_AMU_COUNTER_NO_REG_ = 8,
	PMUMAP_AMU_COUNTER_BAD_NAME_ = 16,
	PMUMAP_AMU_COUNTER_LABELED_ = 32
};

struct pmumap_amu_cpu_entry_ {
	uint64_t mpidr;
	uint32_t view; /* its id */
	uint32_t node;
	uint32_t cpu;  /* its number in the tree; if DROPPED, the entry that was kept */
	uint32_t kind; /* flags: */
} PMUMAP_MAY_ALIAS_;

enum {
	PMUMAP_AMU_CPU_HAS_VIEW_ = 1, /* it has the property amu */
	PMUMAP_AMU_CPU_DISABLED_ = 2,
	PMUMAP_AMU_CPU_ODD_NAME_ = 4,
	PMUMAP_AMU_CPU_BAD_REG_ = 8,
	PMUMAP_AMU_CPU_DROPPED_ = 16, /* an earlier one has this affinity */
	PMUMAP_AMU_CPU_LEFT_OUT_ = PMUMAP_AMU_CPU_BAD_REG_ | PMUMAP_AMU_CPU_DROPPED_
};

#define PMUMAP_AMU_CPU_CELLS_SHIFT_ 8 /* above these bits: how many cells the property amu has */

/* State of pmumap_amu_build_(). */
struct pmumap_amu_build_ {
	struct pmumap_amu_builder *b;
	struct pmumap_amu *m;
	struct pmumap_pool_ pool;
	uint32_t *views; /* their entries, by id */
	uint32_t *names; /* of those in /cpus/amus, by name */
	uint32_t *cpus;  /* their entries, by affinity */
	uint32_t view_count, name_count, cpu_count, counter_count;
};

/* The name of the view in entry i, which is in /cpus/amus. */
static inline const char *pmumap_amu_entry_view_name_(const struct pmumap_amu_builder *b,
						      uint32_t i)
{
	return (const char *)(size_t)PMUMAP_AMU_ENTRY_(text, b, i + 1)->text;
}

/* Orders views by name. */
static inline int pmumap_amu_order_view_names_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_amu_builder *builder = (const struct pmumap_amu_builder *)context;

	return pmumap_compare_strings_(pmumap_amu_entry_view_name_(builder, a),
				       pmumap_amu_entry_view_name_(builder, b));
}

static inline uint32_t pmumap_amu_entry_affinity_(const struct pmumap_amu_builder *b, uint32_t i)
{
	return pmumap_amu_pack_affinity_(PMUMAP_AMU_ENTRY_(cpu, b, i)->mpidr);
}

/* Orders CPUs by affinity. */
static inline int pmumap_amu_order_affinities_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_amu_builder *builder = (const struct pmumap_amu_builder *)context;
	uint32_t x = pmumap_amu_entry_affinity_(builder, a);
	uint32_t y = pmumap_amu_entry_affinity_(builder, b);

	return x < y ? -1 : x > y;
}

/*
 * Count the entries; sort views by id, views in /cpus/amus by name, CPUs by affinity. Spare memory
 * is released afterwards.
 */
static inline void pmumap_amu_count_entries_(struct pmumap_amu_build_ *w)
{
	uint32_t i, kind, *spare;
	unsigned char *top;

	for (i = 0; i < w->b->entries.count; i++) {
		kind = pmumap_entries_kind_(&w->b->entries, i);
		w->view_count += kind == PMUMAP_AMU_VIEW_;
		w->cpu_count += kind == PMUMAP_AMU_CPU_;
		w->counter_count += kind == PMUMAP_AMU_COUNTER_;
	}
	w->views = pmumap_pool_scratch_(&w->pool, w->view_count);
	w->names = pmumap_pool_scratch_(&w->pool, w->view_count);
	w->cpus = pmumap_pool_scratch_(&w->pool, w->cpu_count);
	top = w->pool.top;
	spare = pmumap_pool_scratch_(&w->pool, w->view_count + w->cpu_count);
	w->view_count = w->cpu_count = 0;
	for (i = 0; i < w->b->entries.count; i++) {
		kind = pmumap_entries_kind_(&w->b->entries, i);
		if (kind == PMUMAP_AMU_VIEW_)
			w->views[w->view_count++] = i;
		if (kind == PMUMAP_AMU_VIEW_NAME_)
			w->names[w->name_count++] = i - 1;
		if (kind == PMUMAP_AMU_CPU_ &&
		    !(PMUMAP_AMU_ENTRY_(cpu, w->b, i)->kind & PMUMAP_AMU_CPU_BAD_REG_))
			w->cpus[w->cpu_count++] = i;
	}
	pmumap_sort_numbers_(w->views, w->view_count, spare, pmumap_entries_order_ids_,
			     &w->b->entries);
	pmumap_sort_numbers_(w->names, w->name_count, spare, pmumap_amu_order_view_names_, w->b);
	pmumap_sort_numbers_(w->cpus, w->cpu_count, spare, pmumap_amu_order_affinities_, w->b);
	w->pool.top = top;
}

/* The fate of a counter: left out; kept; or a duplicate, which may still enable the first one. */
enum { PMUMAP_AMU_LEFT_OUT_, PMUMAP_AMU_NEW_, PMUMAP_AMU_AGAIN_ };

/* seen: the earlier counters of its view */
static inline int pmumap_amu_counter_fate_(const struct pmumap_amu_counter_entry_ *e, uint32_t seen)
{
	if ((e->kind & (PMUMAP_AMU_COUNTER_BAD_NAME_ | PMUMAP_AMU_COUNTER_NO_REG_)) ||
	    e->index >= PMUMAP_AMU_COUNTERS_)
		return PMUMAP_AMU_LEFT_OUT_;
	return seen >> e->index & 1 ? PMUMAP_AMU_AGAIN_ : PMUMAP_AMU_NEW_;
}

/* Whether entry i is a view that the map keeps. */
static inline int pmumap_amu_is_kept_view_(const struct pmumap_amu_builder *b, uint32_t i)
{
	return pmumap_entries_kind_(&b->entries, i) == PMUMAP_AMU_VIEW_ &&
	       (PMUMAP_AMU_ENTRY_(view, b, i)->kind &
		(PMUMAP_AMU_VIEW_USED_ | PMUMAP_AMU_VIEW_LISTED_));
}

PMUMAP_DEF PMUMAP_COLD_ void pmumap_amu_begin(struct pmumap_amu_builder *b, void *mem, size_t bytes)
{
	pmumap_entries_begin_(&b->entries, mem, bytes);
	b->node = PMUMAP_NO_NODE;
}

/* Add the name of a view, a label or a path. The text is not copied. */
static inline void pmumap_amu_add_text_(struct pmumap_amu_builder *b, uint32_t kind,
					const char *text)
{
	struct pmumap_amu_text_entry_ *e =
		(struct pmumap_amu_text_entry_ *)pmumap_entries_add_(&b->entries, kind);

	if (e)
		e->text = (size_t)text;
}

/* Add a view; name: NULL unless it is in /cpus/amus; flags: PMUMAP_AMU_VIEW_LISTED_ or 0. */
static inline enum pmumap_status pmumap_amu_add_view_entry_(struct pmumap_amu_builder *b,
							    uint32_t id, const char *name,
							    uint32_t cells, uint32_t flags)
{
	struct pmumap_amu_view_entry_ *e;

	b->entries.need += sizeof(struct pmumap_amu_view_row_) + 2 * sizeof(uint32_t);
	e = (struct pmumap_amu_view_entry_ *)pmumap_entries_add_(&b->entries,
								 PMUMAP_AMU_VIEW_ | flags);
	if (e) {
		e->id = id;
		e->cells = cells;
		e->node = (uint32_t)b->node;
	}
	if (name)
		pmumap_amu_add_text_(b, PMUMAP_AMU_VIEW_NAME_, name);
	return b->entries.status;
}

/* Add a counter to the view added last; flags: PMUMAP_AMU_COUNTER_ENABLE_ and so on. */
static inline enum pmumap_status pmumap_amu_add_counter_entry_(struct pmumap_amu_builder *b,
							       uint32_t index, const char *name,
							       uint32_t flags)
{
	struct pmumap_amu_counter_entry_ *e;

	b->entries.need += sizeof(uint32_t);
	e = (struct pmumap_amu_counter_entry_ *)pmumap_entries_add_(&b->entries,
								    PMUMAP_AMU_COUNTER_ | flags);
	if (e) {
		e->name = (size_t)name;
		e->index = index;
		e->node = (uint32_t)b->node;
	}
	pmumap_entries_reserve_text_(&b->entries, name);
	return b->entries.status;
}

/* Add a CPU; view: the id in its property; flags: PMUMAP_AMU_CPU_HAS_VIEW_ and so on. */
static inline enum pmumap_status pmumap_amu_add_cpu_entry_(struct pmumap_amu_builder *b,
							   uint64_t mpidr, uint32_t view,
							   uint32_t flags)
{
	struct pmumap_amu_cpu_entry_ *e;

	b->entries.need += sizeof(struct pmumap_amu_cpu_row_) + 2 * sizeof(uint32_t);
	e = (struct pmumap_amu_cpu_entry_ *)pmumap_entries_add_(&b->entries,
								PMUMAP_AMU_CPU_ | flags);
	if (e) {
		e->mpidr = mpidr;
		e->view = view;
		e->node = (uint32_t)b->node;
	}
	return b->entries.status;
}

PMUMAP_DEF enum pmumap_status pmumap_amu_add_view(struct pmumap_amu_builder *b, uint32_t id)
{
	return pmumap_amu_add_view_entry_(b, id, 0, 1, PMUMAP_AMU_VIEW_LISTED_);
}

PMUMAP_DEF enum pmumap_status pmumap_amu_add_counter(struct pmumap_amu_builder *b, uint32_t index,
						     const char *name, int enable)
{
	return pmumap_amu_add_counter_entry_(b, index, name ? name : "",
					     enable ? (uint32_t)PMUMAP_AMU_COUNTER_ENABLE_ : 0u);
}

PMUMAP_DEF enum pmumap_status pmumap_amu_add_cpu(struct pmumap_amu_builder *b, uint64_t mpidr,
						 uint32_t view)
{
	return pmumap_amu_add_cpu_entry_(
		b, mpidr, view,
		view ? PMUMAP_AMU_CPU_HAS_VIEW_ | 1u << PMUMAP_AMU_CPU_CELLS_SHIFT_ : 0u);
}
