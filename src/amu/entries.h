/* SPDX-License-Identifier: BSD-2-Clause */
/* What waits for the builder, and what it works on */
#pragma once

#include "pool/entries.h"
#include "pool/sort.h"
#include "pool/pool.h"
#include "amu/tables.h"

/* Entry i of a builder, counted from the oldest, as a struct of its kind: view, text, cpu ... */
#define PMUMAP_AMU_ENTRY_(name, b, i)                                                              \
	((struct pmumap_amu_##name##_entry_ *)pmumap_entries_at_(&(b)->entries, i))

/* Kinds of entries. */
enum {
	PMUMAP_AMU_VIEW_ = 1 << 24,
	PMUMAP_AMU_VIEW_NAME_ = 2 << 24, /* of the view before it, which lies in /cpus/amus */
	PMUMAP_AMU_COUNTER_ = 3 << 24,   /* of the view before it */
	PMUMAP_AMU_CPU_ = 4 << 24,
	PMUMAP_AMU_LABEL_ = 5 << 24, /* then the PATH that it stands for */
	PMUMAP_AMU_PATH_ = 6 << 24   /* "/cpus/amus/amu-0/counter@1" */
};

struct pmumap_amu_view_entry_ {
	uint64_t id;
	uint32_t cells;  /* of an address in the view */
	uint32_t number; /* in the map, once it is there */
	uint32_t node;
	uint32_t kind; /* flags: */
} PMUMAP_MAY_ALIAS_;

enum {
	PMUMAP_AMU_VIEW_USED_ = 1,  /* by a CPU */
	PMUMAP_AMU_VIEW_LISTED_ = 2 /* it lies in /cpus/amus, or comes from a builder */
};

/* The name of a view, a label, a path. */
struct pmumap_amu_text_entry_ {
	uint64_t text;
	uint32_t first, count; /* of a view's name: its counters, while they get labels */
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
	PMUMAP_AMU_COUNTER_ENABLE_VALUE_ = 2, /* enable-at-el3 has a value, which means nothing */
	PMUMAP_AMU_COUNTER_MISMATCH_ = 4,     /* its unit address differs from its index */
	PMUMAP_AMU_COUNTER_NO_REG_ = 8,
	PMUMAP_AMU_COUNTER_BAD_NAME_ = 16,
	PMUMAP_AMU_COUNTER_LABELED_ = 32
};

struct pmumap_amu_cpu_entry_ {
	uint64_t mpidr;
	uint32_t view; /* its id */
	uint32_t node;
	uint32_t
		cpu; /* its number in the tree; of one DROPPED, the entry of the one that is kept */
	uint32_t kind; /* flags: */
} PMUMAP_MAY_ALIAS_;

enum {
	PMUMAP_AMU_CPU_HAS_VIEW_ = 1, /* there is a property amu */
	PMUMAP_AMU_CPU_DISABLED_ = 2,
	PMUMAP_AMU_CPU_ODD_NAME_ = 4,
	PMUMAP_AMU_CPU_BAD_REG_ = 8,
	PMUMAP_AMU_CPU_DROPPED_ = 16, /* there is one with this affinity already */
	PMUMAP_AMU_CPU_LEFT_OUT_ = PMUMAP_AMU_CPU_BAD_REG_ | PMUMAP_AMU_CPU_DROPPED_
};

#define PMUMAP_AMU_CPU_CELLS_SHIFT_ 8 /* the flags above these bits: cells of the property amu */

/* What pmumap_amu_build_() works on. */
struct pmumap_amu_build_ {
	struct pmumap_amu_builder *b;
	struct pmumap_amu *m;
	struct pmumap_pool_ pool;
	uint32_t *views; /* numbers of their entries, by id */
	uint32_t *names; /* of those in /cpus/amus, by name */
	uint32_t *cpus;  /* numbers of their entries, by affinity */
	uint32_t view_count, name_count, cpu_count, counter_count;
};

/* The name of the view in entry i, which lies in /cpus/amus. */
static inline const char *pmumap_amu_entry_view_name_(const struct pmumap_amu_builder *b,
						      uint32_t i)
{
	return (const char *)(size_t)PMUMAP_AMU_ENTRY_(text, b, i + 1)->text;
}

/* Views by name. */
static inline int pmumap_amu_order_view_names_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_amu_builder *builder = (const struct pmumap_amu_builder *)context;

	return pmumap_compare_strings_(pmumap_amu_entry_view_name_(builder, a),
				       pmumap_amu_entry_view_name_(builder, b));
}

/* The affinity of the CPU in entry i. */
static inline uint32_t pmumap_amu_entry_affinity_(const struct pmumap_amu_builder *b, uint32_t i)
{
	return pmumap_amu_pack_affinity_(PMUMAP_AMU_ENTRY_(cpu, b, i)->mpidr);
}

/* CPUs by affinity. */
static inline int pmumap_amu_order_affinities_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_amu_builder *builder = (const struct pmumap_amu_builder *)context;
	uint32_t x = pmumap_amu_entry_affinity_(builder, a);
	uint32_t y = pmumap_amu_entry_affinity_(builder, b);

	return x < y ? -1 : x > y;
}

/*
 * Count the entries, and sort views by id, views in /cpus/amus by name, CPUs by affinity. What
 * sorting takes besides is free again then.
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

/* What becomes of a counter: nothing; it is there; or it was already, and may still be enabled. */
enum { PMUMAP_AMU_LEFT_OUT_, PMUMAP_AMU_NEW_, PMUMAP_AMU_AGAIN_ };

/* seen: the counters of its view so far */
static inline int pmumap_amu_counter_fate_(const struct pmumap_amu_counter_entry_ *e, uint32_t seen)
{
	if ((e->kind & (PMUMAP_AMU_COUNTER_BAD_NAME_ | PMUMAP_AMU_COUNTER_NO_REG_)) ||
	    e->index >= PMUMAP_AMU_COUNTERS_)
		return PMUMAP_AMU_LEFT_OUT_;
	return seen >> e->index & 1 ? PMUMAP_AMU_AGAIN_ : PMUMAP_AMU_NEW_;
}

/* Whether entry i is a view that becomes part of the map. */
static inline int pmumap_amu_is_kept_view_(const struct pmumap_amu_builder *b, uint32_t i)
{
	return pmumap_entries_kind_(&b->entries, i) == PMUMAP_AMU_VIEW_ &&
	       (PMUMAP_AMU_ENTRY_(view, b, i)->kind &
		(PMUMAP_AMU_VIEW_USED_ | PMUMAP_AMU_VIEW_LISTED_));
}
