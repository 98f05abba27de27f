/* SPDX-License-Identifier: BSD-2-Clause */
/* Read a tree: its views, their counters, and CPUs */
#pragma once

#include "fdt/property.h"
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

#define PMUMAP_AMU_PARENTS_ 8u   /* nodes outside /cpus/amus at this depth are no views */
#define PMUMAP_AMU_MEMORIES_ 16u /* a power of two */

/* An item that was read. A counter belongs to the view before it. */
enum { PMUMAP_AMU_VIEW_, PMUMAP_AMU_COUNTER_, PMUMAP_AMU_CPU_ };

/* Flags of an item. */
enum {
	PMUMAP_AMU_LISTED_ = 1, /* a view in /cpus/amus */
	PMUMAP_AMU_ENABLE_ = 2, /* a counter to enable */
	PMUMAP_AMU_BAD_NAME_ = 4,
	PMUMAP_AMU_BAD_REG_ = 8
};

/* A node on the path to the current one that may hold counters. */
struct pmumap_amu_parent_ {
	uint32_t id; /* its phandle */
	uint32_t offset, cells;
	uint32_t is_view; /* 1: it was passed to visit already */
};

/*
 * State of the walk. A depth is 0 outside its node. The walk comes first, because its callbacks
 * cast the walk to this struct.
 */
struct pmumap_amu_reader_ {
	struct pmumap_fdt_walk_ w;
	void (*visit)(struct pmumap_amu_reader_ *r, uint32_t item);
	uint32_t found[PMUMAP_AMU_PROPERTIES_];
	/* names of properties, by offset + 1, and their numbers: a tree has few */
	uint32_t memory[PMUMAP_AMU_MEMORIES_][2];
	uint32_t cpus_depth, cpus_cells; /* of /cpus; of addresses in it */
	uint32_t amus_depth;             /* of /cpus/amus */
	uint32_t symbols;                /* offset of /__symbols__, or 0 */
	uint32_t seen;                   /* 1: this tree has something of AMU */
	uint32_t last_view;              /* offset of the view that counters are added to */
	struct pmumap_amu_parent_ parents[PMUMAP_AMU_PARENTS_]; /* by depth */
	/* the item */
	uint32_t node, flags;
	uint32_t id;    /* of a view; of the view that a CPU names */
	uint32_t cells; /* of addresses in a view */
	uint32_t index; /* of a counter; ~0 if it has more than 32 bits */
	uint64_t mpidr; /* of a CPU */
};

/* Look up a name only if the last one in its place was another. */
static inline void pmumap_amu_note_property_(struct pmumap_fdt_walk_ *w, uint32_t name)
{
	struct pmumap_amu_reader_ *r = (struct pmumap_amu_reader_ *)(void *)w;
	uint32_t *memory = r->memory[name % PMUMAP_AMU_MEMORIES_];

	if (memory[0] != name + 1) {
		memory[0] = name + 1;
		memory[1] = pmumap_fdt_number_of_name_(&w->wanted_names, w->blob + name);
	}
	if (memory[1] < PMUMAP_AMU_PROPERTIES_ && !r->found[memory[1]])
		r->found[memory[1]] = w->at;
}

/* The first string of a property; NULL if it is missing or unterminated. */
static inline const unsigned char *pmumap_amu_text_(const struct pmumap_amu_reader_ *r,
						    uint32_t property)
{
	uint32_t bytes, i = 0;
	const unsigned char *p = pmumap_fdt_property_value_(&r->w, property, &bytes);

	while (i < bytes && p[i])
		i++;
	return i < bytes ? p : 0;
}

static inline int pmumap_amu_is_node_(const struct pmumap_amu_reader_ *r, const char *name)
{
	return pmumap_fdt_match_string_(pmumap_fdt_node_name_(&r->w), name, 0) != 0;
}

/* Whether a name is "cpu", decimal digits, '@' and an address. */
static inline int pmumap_amu_is_cpu_name_(const unsigned char *s)
{
	s = pmumap_fdt_match_string_(s, "cpu", 1);
	while (s && *s >= '0' && *s <= '9')
		s++;
	return s && *s == '@';
}

/* Read a child of /cpus, which may be a CPU. */
static inline void pmumap_amu_read_cpu_(struct pmumap_amu_reader_ *r)
{
	const unsigned char *type = pmumap_amu_text_(r, PMUMAP_AMU_PROPERTY_DEVICE_TYPE_);

	if (!pmumap_amu_is_cpu_name_(pmumap_fdt_node_name_(&r->w)) &&
	    (!type || !pmumap_fdt_match_string_(type, "cpu", 0)))
		return;
	r->node = r->w.offset;
	r->flags = r->id = 0;
	r->mpidr = 0;
	if (!pmumap_fdt_reg_address_(&r->w, PMUMAP_AMU_PROPERTY_REG_, r->cpus_cells, &r->mpidr))
		r->flags = PMUMAP_AMU_BAD_REG_;
	if (r->found[PMUMAP_AMU_PROPERTY_AMU_])
		r->seen = 1;
	(void)pmumap_fdt_property_number_(&r->w, PMUMAP_AMU_PROPERTY_AMU_, &r->id);
	r->visit(r, PMUMAP_AMU_CPU_);
}

/* Read a view: a node on the path to the current one. */
static inline void pmumap_amu_read_view_(struct pmumap_amu_reader_ *r,
					 struct pmumap_amu_parent_ *view, uint32_t flags)
{
	r->last_view = r->node = view->offset;
	r->id = view->id;
	r->cells = view->cells;
	r->flags = flags;
	view->is_view = 1;
	r->visit(r, PMUMAP_AMU_VIEW_);
}

/*
 * Read the current counter. Its index is the view's #address-cells of its reg, or as many as exist.
 */
static inline void pmumap_amu_read_counter_(struct pmumap_amu_reader_ *r)
{
	struct pmumap_amu_parent_ *view = &r->parents[r->w.depth - 1];
	uint32_t bytes, cells, i;
	const unsigned char *p =
		pmumap_fdt_property_value_(&r->w, PMUMAP_AMU_PROPERTY_REG_, &bytes);

	if (!view->is_view)
		pmumap_amu_read_view_(r, view, 0);
	if (r->last_view != view->offset)
		return; /* it follows a view nested in its view */
	r->node = r->w.offset;
	r->flags = bytes == 0 || bytes % 4 ? PMUMAP_AMU_BAD_REG_ : 0;
	cells = view->cells == 0 || view->cells > bytes / 4 ? bytes / 4 : view->cells;
	r->index = 0;
	for (i = 0; i < cells && !r->flags; i++)
		r->index = r->index ? 0xffffffffu : pmumap_load_be32_(p + 4 * i);
	if (!pmumap_fdt_match_string_(pmumap_fdt_node_name_(&r->w), "counter@", 1))
		r->flags |= PMUMAP_AMU_BAD_NAME_;
	if (r->found[PMUMAP_AMU_PROPERTY_ENABLE_])
		r->flags |= PMUMAP_AMU_ENABLE_;
	r->visit(r, PMUMAP_AMU_COUNTER_);
}

/* Remember the current node as a possible view. libfdt rejects phandle 0xffffffff, too. */
static inline struct pmumap_amu_parent_ *pmumap_amu_note_view_(struct pmumap_amu_reader_ *r)
{
	struct pmumap_amu_parent_ *view = &r->parents[r->w.depth];

	view->id = 0;
	if (!pmumap_fdt_property_number_(&r->w, PMUMAP_AMU_PROPERTY_PHANDLE_, &view->id))
		(void)pmumap_fdt_property_number_(&r->w, PMUMAP_AMU_PROPERTY_LINUX_PHANDLE_,
						  &view->id);
	view->id = view->id == 0xffffffffu ? 0 : view->id;
	view->offset = r->w.offset;
	view->cells = pmumap_fdt_address_cells_(&r->w, PMUMAP_AMU_PROPERTY_ADDRESS_CELLS_);
	view->is_view = 0;
	return view;
}

/* Read the current node, whose properties are complete. */
static inline void pmumap_amu_read_node_(struct pmumap_fdt_walk_ *w)
{
	struct pmumap_amu_reader_ *r = (struct pmumap_amu_reader_ *)(void *)w;

	if (w->depth == 2 && !r->symbols && pmumap_amu_is_node_(r, "__symbols__"))
		r->symbols = w->offset;
	if (w->depth <= r->cpus_depth)
		r->cpus_depth = 0;
	if (w->depth <= r->amus_depth)
		r->amus_depth = 0;
	if (w->wanted && w->wanted != w->offset && !r->cpus_depth)
		return;
	if (r->amus_depth) {
		if (w->depth == r->amus_depth + 1)
			pmumap_amu_read_view_(r, pmumap_amu_note_view_(r), PMUMAP_AMU_LISTED_);
		else if (w->depth == r->amus_depth + 2)
			pmumap_amu_read_counter_(r);
		return;
	}
	if (r->cpus_depth && w->depth == r->cpus_depth + 1) {
		if (pmumap_amu_is_node_(r, "amus")) {
			r->amus_depth = w->depth;
			r->seen = 1;
			return;
		}
		pmumap_amu_read_cpu_(r);
	}
	if (w->depth == 2 && pmumap_amu_is_node_(r, "cpus")) {
		r->cpus_depth = w->depth;
		r->cpus_cells = pmumap_fdt_address_cells_(w, PMUMAP_AMU_PROPERTY_ADDRESS_CELLS_);
	}
	/* The root, at depth 1, is not a view. */
	if (w->depth > 2 && w->depth <= PMUMAP_AMU_PARENTS_ && r->parents[w->depth - 1].id &&
	    pmumap_fdt_match_string_(pmumap_fdt_node_name_(w), "counter@", 1))
		pmumap_amu_read_counter_(r);
	if (w->depth < PMUMAP_AMU_PARENTS_)
		(void)pmumap_amu_note_view_(r);
}

/* Validate the tree and visit its items. */
static inline enum pmumap_status
pmumap_amu_read_tree_(struct pmumap_amu_reader_ *r, const void *fdt, size_t fdt_size,
		      const struct pmumap_amu_options *opt,
		      void (*visit)(struct pmumap_amu_reader_ *r, uint32_t item))
{
	static const char texts[] = PMUMAP_AMU_PROPERTY_LIST_(PMUMAP_FDT_TEXT_);
	static const unsigned char lengths[] = { PMUMAP_AMU_PROPERTY_LIST_(PMUMAP_FDT_BYTES_) };
	enum pmumap_status status;

	pmumap_zero_words_(r, sizeof(*r));
	r->w.blob = (const unsigned char *)fdt;
	r->w.wanted = opt ? (uint32_t)opt->node : 0;
	r->w.read_node = pmumap_amu_read_node_;
	pmumap_fdt_want_(&r->w, texts, lengths, PMUMAP_AMU_PROPERTIES_, r->found);
	r->w.note_property = pmumap_amu_note_property_;
	r->visit = visit;
	status = pmumap_fdt_walk_blob_(&r->w, fdt_size);
	if (status == PMUMAP_OK && !r->seen)
		status = r->w.wanted ? PMUMAP_E_NODE : PMUMAP_E_NOTFOUND;
	return status;
}

/* A counter is left out; kept; or a duplicate, which may still enable the first one. */
enum { PMUMAP_AMU_LEFT_OUT_, PMUMAP_AMU_NEW_, PMUMAP_AMU_AGAIN_ };

/* What becomes of the current counter; seen: the earlier ones of its view. */
static inline int pmumap_amu_counter_fate_(const struct pmumap_amu_reader_ *r, uint32_t seen)
{
	if ((r->flags & (PMUMAP_AMU_BAD_NAME_ | PMUMAP_AMU_BAD_REG_)) ||
	    r->index >= PMUMAP_AMU_COUNTERS_)
		return PMUMAP_AMU_LEFT_OUT_;
	return seen >> r->index & 1 ? PMUMAP_AMU_AGAIN_ : PMUMAP_AMU_NEW_;
}
