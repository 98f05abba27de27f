/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/api.h"
#include "core/compiler.h"
#include "builder/report.h"
#include "builder/rows.h"
#include "fdt/api.h"
#include "fdt/blob.h"

enum {
	PMUMAP_FDT_COMPATIBLE_ = 1,
	PMUMAP_FDT_PMU_ = 2,
	PMUMAP_FDT_DRAFT_ = 4,
	PMUMAP_FDT_TABLE_ = 8
};

/* Properties of the bindings other than RISC-V's; of each node the first of each name is kept. */
enum {
	PMUMAP_FDT_REG_,
	PMUMAP_FDT_EVENT_NAME_,
	PMUMAP_FDT_DESC_,
	PMUMAP_FDT_SCALE_,
	PMUMAP_FDT_UNIT_,
	PMUMAP_FDT_COMPATIBLE_LIST_, /* compatible */
	PMUMAP_FDT_EVENTS_,
	PMUMAP_FDT_PREFIX_,
	PMUMAP_FDT_TYPE_,
	PMUMAP_FDT_SIZE_,
	PMUMAP_FDT_OFFSET_,
	PMUMAP_FDT_CONTROL_,
	PMUMAP_FDT_PHANDLE_,
	PMUMAP_FDT_LINUX_PHANDLE_,
	PMUMAP_FDT_BASE_,
	PMUMAP_FDT_CHIP_,
	PMUMAP_FDT_DOC_BASE_,
	PMUMAP_FDT_DOC_CHIP_,
	PMUMAP_FDT_NEST_OFFSET_,
	PMUMAP_FDT_NEST_SIZE_,
	PMUMAP_FDT_IMA_OFFSET_,
	PMUMAP_FDT_IMA_SIZE_,
	PMUMAP_FDT_HOMER_CHIP_,
	PMUMAP_FDT_ADDRESS_CELLS_,
	PMUMAP_FDT_AMU_,
	PMUMAP_FDT_ENABLE_,
	PMUMAP_FDT_DEVICE_TYPE_,
	PMUMAP_FDT_STATUS_,
	PMUMAP_FDT_PROPERTIES_
};

#define PMUMAP_FDT_PARENTS_ 8u /* depth of nodes outside of /cpus/amus that may be views */

/* A node that counters may be in. */
struct pmumap_fdt_parent_ {
	uint32_t id; /* its phandle */
	uint32_t offset, cells;
	uint32_t staged; /* 1: the builder knows it as a view */
};

/* What the walk knows for bindings other than RISC-V's. */
struct pmumap_fdt_others_ {
	const struct pmumap_fdt_options *opt;
	uint32_t properties[PMUMAP_FDT_PROPERTIES_]; /* where the value lies; 0: there is none */
	uint32_t imc_depth;                          /* of the IMC root that we are in; or 0 */
	uint32_t nest_offset, nest_size;             /* of that root */
	uint32_t reserved_depth, reserved_cells; /* of /reserved-memory likewise; of addresses */
	uint32_t imc_roots, old_formats;         /* roots, and units of old formats, so far */
	struct pmumap_builder *b;
	uint32_t cpus_depth, cpus_cells; /* of /cpus, as above */
	uint32_t amus_depth;             /* of /cpus/amus */
	uint32_t amu_seen;               /* 1: there is something of AMU in this tree */
	uint32_t symbols;                /* 1: the node at hand is /__symbols__ */
	uint32_t last_view;              /* offset of the view that counters are added to */
	struct pmumap_fdt_parent_ parents[PMUMAP_FDT_PARENTS_]; /* by depth */
};

/*
 * One pass over the structure block. Invariant: start <= at <= end, at and end are multiples of 4
 * from start, end lies inside the blob; every offset below names_bytes is a terminated string.
 */
struct pmumap_fdt_walk_ {
	const unsigned char *blob;
	uint32_t start, at, end;
	uint32_t names, names_bytes;
	uint32_t depth;
	uint32_t wanted; /* offset of the node that the caller named, or 0 */
	int chosen;      /* offset of the node to read, or PMUMAP_NO_NODE */
	uint8_t open;    /* the node at hand may still get properties */
	uint8_t closed;  /* the root has ended */
	uint8_t flags;   /* of the node at hand: PMUMAP_FDT_*_ */
	uint32_t offset;
	struct pmumap_fdt_others_ *others; /* there if PMUMAP_HAS_ENTRIES_ */
	/*
	 * What is made of the properties of a node, and of each one. NULL: the blob is only judged,
	 * and there are no others.
	 */
	void (*judge)(struct pmumap_fdt_walk_ *w, struct pmumap_builder *b);
	void (*keep)(struct pmumap_fdt_walk_ *w, uint32_t name, uint32_t bytes);
	struct {
		uint32_t at;
		uint32_t name; /* where it lies in the blob; 0: the table is not there */
	} tables[PMUMAP_TABLES_];
};

/* The header; afterwards the invariant of the walk holds. */
static inline enum pmumap_status pmumap_fdt_validate_header_(struct pmumap_fdt_walk_ *w,
							     size_t size)
{
	uint32_t h[PMUMAP_FDT_CELLS_], i;

	for (i = 0; i < PMUMAP_FDT_CELLS_ && 4 * i + 4 <= size; i++)
		h[i] = pmumap_load_be32_(w->blob + 4 * i);
	if (i && h[PMUMAP_FDT_MAGIC_] != 0xd00dfeedu)
		return PMUMAP_E_FDT_MAGIC;
	if (i < PMUMAP_FDT_CELLS_)
		return PMUMAP_E_FDT_SIZE;
	if (h[PMUMAP_FDT_VERSION_] < 17 || h[PMUMAP_FDT_COMPATIBLE_WITH_] > 17)
		return PMUMAP_E_FDT_VERSION;
	if (h[PMUMAP_FDT_TOTAL_] > size || h[PMUMAP_FDT_TOTAL_] > PMUMAP_MAX_BYTES_ ||
	    h[PMUMAP_FDT_TAGS_] % 4 || h[PMUMAP_FDT_RESERVED_] % 8 ||
	    !pmumap_fdt_holds_part_(h[PMUMAP_FDT_TOTAL_], h[PMUMAP_FDT_RESERVED_], 16) ||
	    !pmumap_fdt_holds_part_(h[PMUMAP_FDT_TOTAL_], h[PMUMAP_FDT_TAGS_],
				    h[PMUMAP_FDT_TAGS_SIZE_]) ||
	    !pmumap_fdt_holds_part_(h[PMUMAP_FDT_TOTAL_], h[PMUMAP_FDT_NAMES_],
				    h[PMUMAP_FDT_NAMES_SIZE_]))
		return PMUMAP_E_FDT_SIZE;
	w->start = w->at = h[PMUMAP_FDT_TAGS_];
	w->end = w->start + h[PMUMAP_FDT_TAGS_SIZE_] / 4 * 4;
	w->names = h[PMUMAP_FDT_NAMES_];
	w->names_bytes = h[PMUMAP_FDT_NAMES_SIZE_];
	while (w->names_bytes && w->blob[w->names + w->names_bytes - 1])
		w->names_bytes--;
	return PMUMAP_OK;
}

/* A node has ended: is it one that things were read in? */
static inline void pmumap_fdt_leave_node_(struct pmumap_fdt_walk_ *w)
{
	struct pmumap_fdt_others_ *o = w->others;

	if (w->depth < o->imc_depth)
		o->imc_depth = 0;
	if (w->depth < o->reserved_depth)
		o->reserved_depth = 0;
	if (w->depth < o->cpus_depth)
		o->cpus_depth = 0;
	if (w->depth < o->amus_depth)
		o->amus_depth = 0;
}

static inline const unsigned char *pmumap_fdt_node_name_(const struct pmumap_fdt_walk_ *w)
{
	return w->blob + w->start + w->offset + 4;
}

/* A node has begun. */
static inline void pmumap_fdt_enter_node_(struct pmumap_fdt_walk_ *w)
{
	uint32_t i;

	for (i = 0; i < PMUMAP_FDT_PROPERTIES_; i++) {
		w->others->properties[i] = 0;
		PMUMAP_NO_LIBCALL_();
	}
	w->others->symbols = w->depth == 2 &&
			     pmumap_fdt_match_string_(pmumap_fdt_node_name_(w), "__symbols__", 0);
}

static inline int pmumap_fdt_begin_node_(struct pmumap_fdt_walk_ *w, struct pmumap_builder *b)
{
	uint32_t offset = w->at - 4 - w->start, i;

	if (w->depth == PMUMAP_FDT_DEPTH_ || w->closed)
		return 0;
	if (w->open && w->judge)
		w->judge(w, b);
	while (w->at < w->end && w->blob[w->at])
		w->at++;
	if (w->at == w->end)
		return 0;
	w->at += 4 - (w->at - w->start) % 4; /* at least the NUL; end is a multiple of 4 */
	w->depth++;
	w->open = 1;
	w->offset = offset;
	w->flags = 0;
	for (i = 0; i < PMUMAP_TABLES_; i++)
		w->tables[i].name = 0;
	if (PMUMAP_HAS_ENTRIES_ && w->others)
		pmumap_fdt_enter_node_(w);
	return 1;
}

static inline int pmumap_fdt_walk_property_(struct pmumap_fdt_walk_ *w)
{
	uint32_t bytes, name;

	if (!w->open || w->end - w->at < 8)
		return 0;
	bytes = pmumap_load_be32_(w->blob + w->at);
	name = pmumap_load_be32_(w->blob + w->at + 4);
	w->at += 8;
	if (bytes > w->end - w->at || name >= w->names_bytes)
		return 0;
	if (w->keep)
		w->keep(w, w->names + name, bytes);
	w->at += bytes + (4 - bytes % 4) % 4; /* the rest of the block is a multiple of 4 */
	return 1;
}

/* All tags; E_FDT_STRUCT at the first that does not fit. Cost: O(size of the blob). */
static inline enum pmumap_status pmumap_fdt_walk_tags_(struct pmumap_fdt_walk_ *w,
						       struct pmumap_builder *b)
{
	int good = 1;

	while (good && w->end - w->at >= 4) {
		uint32_t tag = pmumap_load_be32_(w->blob + w->at);

		w->at += 4;
		switch (tag) {
		case PMUMAP_FDT_BEGIN_NODE_:
			good = pmumap_fdt_begin_node_(w, b);
			break;
		case PMUMAP_FDT_END_NODE_:
			if (w->open && w->judge)
				w->judge(w, b);
			w->open = 0;
			good = w->depth != 0;
			w->closed = w->depth-- == 1;
			if (PMUMAP_HAS_ENTRIES_ && w->others)
				pmumap_fdt_leave_node_(w);
			break;
		case PMUMAP_FDT_PROPERTY_:
			good = pmumap_fdt_walk_property_(w);
			break;
		case PMUMAP_FDT_NOP_:
			break;
		case PMUMAP_FDT_END_:
			return w->closed ? PMUMAP_OK : PMUMAP_E_FDT_STRUCT;
		default:
			return PMUMAP_E_FDT_STRUCT;
		}
	}
	return PMUMAP_E_FDT_STRUCT;
}
