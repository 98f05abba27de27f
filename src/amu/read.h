/* SPDX-License-Identifier: BSD-2-Clause */
/* Read a tree: its views, their counters, and CPUs */
#pragma once

#include "fdt/memo.h"
#include "fdt/address.h"
#include "amu/map.h"

/* The properties to read. */
#define PMUMAP_AMU_PROPERTY_LIST_(X)                                                               \
	X(REG, "reg")                                                                              \
	X(ADDRESS_CELLS, "#address-cells")                                                         \
	X(PHANDLE, "phandle")                                                                      \
	X(LINUX_PHANDLE, "linux,phandle")                                                          \
	X(AMU, "amu")                                                                              \
	X(ENABLE, "enable-at-el3")                                                                 \
	X(DEVICE_TYPE, "device_type")                                                              \
	X(STATUS, "status")

enum {
#define PMUMAP_X_(name, text) PMUMAP_AMU_PROPERTY_##name##_,
	PMUMAP_AMU_PROPERTY_LIST_(PMUMAP_X_)
#undef PMUMAP_X_
		PMUMAP_AMU_PROPERTIES_
};

#define PMUMAP_AMU_PARENTS_ 8u /* nodes outside /cpus/amus at this depth are no views */

/* An item that was read. A counter belongs to the view before it. */
enum { PMUMAP_AMU_VIEW_, PMUMAP_AMU_COUNTER_, PMUMAP_AMU_CPU_ };

/* Why a counter or CPU is left out. AGAIN: its view has this counter, which it may still enable. */
enum {
	PMUMAP_AMU_AGAIN_ = 1,
	PMUMAP_AMU_BAD_NAME_ = 2,
	PMUMAP_AMU_BAD_REG_ = 4,
	PMUMAP_AMU_BAD_INDEX_ = 8
};

/* A node on the path to the current one that may hold counters. */
struct pmumap_amu_parent_ {
	uint32_t id; /* its phandle */
	uint32_t offset, cells;
	uint32_t is_view; /* 1: it was passed to visit already */
};

/* State of the walk. */
struct pmumap_amu_reader_ {
	struct pmumap_fdt_cursor_ w;
	void (*visit)(struct pmumap_amu_reader_ *r, uint32_t item);
	uint32_t found[PMUMAP_AMU_PROPERTIES_];
	uint32_t memos[PMUMAP_FDT_MEMOS_][2];
	uint32_t wanted;                               /* offset of the only /cpus to read, or 0 */
	uint32_t in_cpus, in_amus;                     /* 1: in /cpus, or in /cpus/amus */
	uint32_t cpus_cells;                           /* of addresses in /cpus */
	uint32_t symbols;                              /* offset of /__symbols__, or 0 */
	uint32_t seen;                                 /* 1: this tree has something of AMU */
	uint32_t view_count, counter_count, cpu_count; /* without those that are left out */
	uint64_t text_bytes;                           /* of the names of counters */
	struct pmumap_amu_parent_ parents[PMUMAP_AMU_PARENTS_]; /* by depth */
	struct pmumap_amu_parent_ *view; /* the last one, which counters are added to */
	uint32_t described, enable;      /* its counters so far */
	/* the item */
	uint32_t node, flags;
	uint32_t index; /* of a counter; ~0 if it has more than 32 bits */
	uint32_t id;    /* of the view that a CPU names */
	uint64_t mpidr; /* of a CPU */
};

/* Whether the current node has this name; prefix: a name that begins with it. */
static inline int pmumap_amu_is_node_(const struct pmumap_amu_reader_ *r, const char *name,
				      int prefix)
{
	return pmumap_fdt_match_string_(pmumap_fdt_name_(&r->w), name, prefix) != 0;
}

/* Whether the current node's name is "cpu", decimal digits, '@' and an address. */
static inline int pmumap_amu_is_cpu_name_(const struct pmumap_amu_reader_ *r)
{
	const unsigned char *s = pmumap_fdt_match_string_(pmumap_fdt_name_(&r->w), "cpu", 1);

	while (s && *s >= '0' && *s <= '9')
		s++;
	return s && *s == '@';
}

/* Read a child of /cpus, which may be a CPU. */
static inline void pmumap_amu_read_cpu_(struct pmumap_amu_reader_ *r)
{
	const char *type = pmumap_fdt_text_(&r->w, PMUMAP_AMU_PROPERTY_DEVICE_TYPE_);

	if (!pmumap_amu_is_cpu_name_(r) &&
	    (!type || !pmumap_fdt_match_string_((const unsigned char *)type, "cpu", 0)))
		return;
	r->node = r->w.offset;
	r->flags = r->id = 0;
	r->mpidr = 0;
	if (!pmumap_fdt_reg_address_(&r->w, PMUMAP_AMU_PROPERTY_REG_, r->cpus_cells, &r->mpidr))
		r->flags = PMUMAP_AMU_BAD_REG_;
	if (r->found[PMUMAP_AMU_PROPERTY_AMU_])
		r->seen = 1;
	(void)pmumap_fdt_cell_(&r->w, PMUMAP_AMU_PROPERTY_AMU_, &r->id);
	r->visit(r, PMUMAP_AMU_CPU_);
	r->cpu_count += !r->flags;
}

/* Read a view: a node on the path to the current one. */
static inline void pmumap_amu_read_view_(struct pmumap_amu_reader_ *r,
					 struct pmumap_amu_parent_ *view)
{
	r->view = view;
	r->node = view->offset;
	r->described = r->enable = 0;
	view->is_view = 1;
	r->visit(r, PMUMAP_AMU_VIEW_);
	r->view_count++;
}

/* Read the current counter. Its index has as many cells of its reg as the view says, or exist. */
static inline void pmumap_amu_read_counter_(struct pmumap_amu_reader_ *r)
{
	struct pmumap_amu_parent_ *view = &r->parents[r->w.depth - 1];
	uint32_t bytes, cells, i;
	const unsigned char *p = pmumap_fdt_value_(&r->w, PMUMAP_AMU_PROPERTY_REG_, &bytes);

	if (!view->is_view)
		pmumap_amu_read_view_(r, view);
	if (r->view != view)
		return; /* it follows a view nested in its view */
	r->node = r->w.offset;
	r->flags = bytes == 0 || bytes % 4 ? PMUMAP_AMU_BAD_REG_ : 0;
	cells = view->cells == 0 || view->cells > bytes / 4 ? bytes / 4 : view->cells;
	r->index = 0;
	for (i = 0; i < cells && !r->flags; i++)
		r->index = r->index ? 0xffffffffu : pmumap_load_be32_(p + 4 * i);
	if (!pmumap_amu_is_node_(r, "counter@", 1))
		r->flags |= PMUMAP_AMU_BAD_NAME_;
	if (r->index >= PMUMAP_AMU_COUNTERS_)
		r->flags |= PMUMAP_AMU_BAD_INDEX_;
	if (!r->flags) {
		r->flags = r->described >> r->index & 1 ? PMUMAP_AMU_AGAIN_ : 0;
		r->described |= 1u << r->index;
		r->enable |= (uint32_t)(r->found[PMUMAP_AMU_PROPERTY_ENABLE_] != 0) << r->index;
	}
	r->visit(r, PMUMAP_AMU_COUNTER_);
	if (r->flags)
		return;
	r->counter_count++;
	for (p = pmumap_fdt_name_(&r->w), r->text_bytes++; *p; p++)
		r->text_bytes++;
}

/* Remember the current node as a possible view. In /cpus/amus it is one. */
static inline void pmumap_amu_note_view_(struct pmumap_amu_reader_ *r)
{
	struct pmumap_amu_parent_ *view = &r->parents[r->w.depth];

	view->id = pmumap_fdt_phandle_(&r->w, PMUMAP_AMU_PROPERTY_PHANDLE_,
				       PMUMAP_AMU_PROPERTY_LINUX_PHANDLE_);
	view->offset = r->w.offset;
	view->cells = pmumap_fdt_address_cells_(&r->w, PMUMAP_AMU_PROPERTY_ADDRESS_CELLS_);
	view->is_view = 0;
	if (r->in_amus)
		pmumap_amu_read_view_(r, view);
}

/* Read the current node, whose properties are complete. */
static inline void pmumap_amu_read_node_(struct pmumap_amu_reader_ *r)
{
	const struct pmumap_fdt_cursor_ *w = &r->w;

	if (w->depth == 2) {
		r->in_cpus =
			pmumap_amu_is_node_(r, "cpus", 0) && (!r->wanted || r->wanted == w->offset);
		r->cpus_cells = pmumap_fdt_address_cells_(w, PMUMAP_AMU_PROPERTY_ADDRESS_CELLS_);
		if (!r->symbols && pmumap_amu_is_node_(r, "__symbols__", 0))
			r->symbols = w->offset;
	}
	if (r->wanted && !r->in_cpus)
		return;
	if (w->depth < 4)
		r->in_amus = r->in_cpus && w->depth == 3 && pmumap_amu_is_node_(r, "amus", 0);
	if (r->in_amus)
		r->seen = 1;
	else if (r->in_cpus && w->depth == 3)
		pmumap_amu_read_cpu_(r);
	/* Elsewhere a counter makes its parent a view, unless that is the root, at depth 1. */
	if (r->in_amus
		    ? w->depth == 5
		    : w->depth > 2 && w->depth <= PMUMAP_AMU_PARENTS_ &&
			      r->parents[w->depth - 1].id && pmumap_amu_is_node_(r, "counter@", 1))
		pmumap_amu_read_counter_(r);
	if (r->in_amus ? w->depth == 4 : w->depth < PMUMAP_AMU_PARENTS_)
		pmumap_amu_note_view_(r);
}

/* Validate the tree and visit its items. */
static inline enum pmumap_status
pmumap_amu_read_tree_(struct pmumap_amu_reader_ *r, const void *fdt, size_t fdt_size,
		      const struct pmumap_amu_options *opt,
		      void (*visit)(struct pmumap_amu_reader_ *r, uint32_t item))
{
	static const char wanted[] = PMUMAP_AMU_PROPERTY_LIST_(PMUMAP_FDT_WANT_);
	static const unsigned char lengths[] = { PMUMAP_AMU_PROPERTY_LIST_(
		PMUMAP_FDT_WANT_BYTES_) };
	enum pmumap_status status;
	int more = 0;

	pmumap_zero_words_(r, sizeof(*r));
	r->w.memos = r->memos;
	r->w.wanted = wanted;
	r->w.lengths = lengths;
	r->w.count = PMUMAP_AMU_PROPERTIES_;
	r->w.found = r->found;
	r->wanted = opt ? (uint32_t)opt->node : 0;
	r->visit = visit;
	status = pmumap_fdt_begin_(&r->w, fdt, fdt_size);
	while (status == PMUMAP_OK && (more = pmumap_fdt_next_(&r->w, pmumap_fdt_recall_)) > 0)
		pmumap_amu_read_node_(r);
	if (more < 0)
		status = PMUMAP_E_FDT_STRUCT;
	if (status == PMUMAP_OK && !r->seen)
		status = r->wanted ? PMUMAP_E_NODE : PMUMAP_E_NOTFOUND;
	return status;
}
