/* SPDX-License-Identifier: BSD-2-Clause */
/* One pass over the tags */
#pragma once

#include "fdt/size.h"

/* The properties that a reader wants: concatenated names, and their lengths. See property.h. */
struct pmumap_fdt_names_ {
	const char *texts;
	const unsigned char *bytes;
	uint32_t count;
};

/*
 * One pass over the structure block. Invariant: start <= at <= end; at and end are multiples of 4
 * from start; end is in bounds; every offset below names_bytes is a terminated string.
 */
struct pmumap_fdt_walk_ {
	const unsigned char *blob;
	uint32_t start, at, end;
	uint32_t names, names_bytes;
	uint32_t depth;
	uint32_t wanted; /* offset of the only node to read, or 0 */
	uint32_t offset; /* of the current node */
	uint32_t open;   /* it may have more properties */
	uint32_t closed; /* the root has ended */
	/*
	 * Called when a node's properties are complete. NULL: only validate. The members below are
	 * for read_node.
	 */
	void (*read_node)(struct pmumap_fdt_walk_ *w);
	/*
	 * Called for each property, with its value at w->at: pmumap_fdt_note_property_(). A
	 * pointer, so that programs that only edit trees do not link it.
	 */
	void (*note_property)(struct pmumap_fdt_walk_ *w, uint32_t name);
	struct pmumap_fdt_names_ wanted_names;
	uint32_t *found; /* for each, the offset of its value in the current node, or 0 */
};

/* Validate the header. On success the invariant of the walk holds. */
static inline enum pmumap_status pmumap_fdt_validate_header_(struct pmumap_fdt_walk_ *w,
							     size_t size)
{
	uint32_t h[PMUMAP_FDT_CELLS_], i;

	for (i = 0; i < PMUMAP_FDT_CELLS_ && 4 * i + 4 <= size; i++)
		h[i] = pmumap_load_be32_(w->blob + 4 * i);
	if (i && h[PMUMAP_FDT_MAGIC_] != PMUMAP_FDT_MAGIC_NUMBER_)
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

/* The current node's name, terminated in bounds. */
static inline const unsigned char *pmumap_fdt_node_name_(const struct pmumap_fdt_walk_ *w)
{
	return w->blob + w->start + w->offset + 4;
}

/* The current node's properties are complete: read it once, then forget them. */
static inline void pmumap_fdt_end_properties_(struct pmumap_fdt_walk_ *w)
{
	if (!w->open || !w->read_node)
		return;
	w->read_node(w);
	pmumap_zero_words_(w->found, w->wanted_names.count * sizeof(*w->found));
}

/* Skip the rest of a node's tag. Returns 0 if no node may begin here. */
static inline int pmumap_fdt_begin_node_(struct pmumap_fdt_walk_ *w)
{
	uint32_t offset = w->at - 4 - w->start;

	if (w->depth == PMUMAP_FDT_DEPTH_ || w->closed)
		return 0;
	pmumap_fdt_end_properties_(w);
	while (w->at < w->end && w->blob[w->at])
		w->at++;
	if (w->at == w->end)
		return 0;
	w->at += 4 - (w->at - w->start) % 4; /* at least the NUL; end is a multiple of 4 */
	w->depth++;
	w->open = 1;
	w->offset = offset;
	return 1;
}

/* Skip the rest of a property. Returns 0 if none may come here, or it is out of bounds. */
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
	if (w->note_property)
		w->note_property(w, w->names + name);
	w->at += bytes + (4 - bytes % 4) % 4; /* the rest of the block is a multiple of 4 */
	return 1;
}

/* Validate all tags and read nodes meanwhile. Stops at the first bad tag. */
static inline enum pmumap_status pmumap_fdt_walk_tags_(struct pmumap_fdt_walk_ *w)
{
	int good = 1;

	while (good && w->end - w->at >= 4) {
		uint32_t tag = pmumap_load_be32_(w->blob + w->at);

		w->at += 4;
		switch (tag) {
		case PMUMAP_FDT_BEGIN_NODE_:
			good = pmumap_fdt_begin_node_(w);
			break;
		case PMUMAP_FDT_END_NODE_:
			pmumap_fdt_end_properties_(w);
			w->open = 0;
			good = w->depth != 0;
			w->closed = w->depth-- == 1;
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

/* Validate the blob at w->blob and read it meanwhile. */
static inline enum pmumap_status pmumap_fdt_walk_blob_(struct pmumap_fdt_walk_ *w, size_t size)
{
	enum pmumap_status status = pmumap_fdt_validate_header_(w, size);

	return status == PMUMAP_OK ? pmumap_fdt_walk_tags_(w) : status;
}
