/* SPDX-License-Identifier: BSD-2-Clause */
/* Edit a tree in place */
#pragma once

#include "fdt/next.h"
#include "fdt/size.h"
#include "fdt/tags.h"

/* A validated tree that is being edited. */
struct pmumap_fdt_edit_ {
	struct pmumap_fdt_cursor_ w; /* start, end, names */
	unsigned char *blob;
	uint32_t tags_bytes, names_bytes; /* as in the header */
	uint32_t total;                   /* end of its last part */
	uint32_t names_to;                /* offset of the strings after the edit */
	uint32_t grow_names;              /* bytes of strings to add */
	uint32_t moved;                   /* how far the strings were moved */
	/* the current node */
	uint32_t begin, first, last; /* offsets of its tag, its properties and their end */
	uint32_t depth;
	/* the next tag */
	uint32_t at;
	uint32_t to; /* its destination: below at while the tree is growing */
};

/* Write a big-endian number, possibly unaligned. */
static inline void pmumap_fdt_write_cell_(unsigned char *p, uint32_t cell)
{
	p[0] = (unsigned char)(cell >> 24);
	p[1] = (unsigned char)(cell >> 16);
	p[2] = (unsigned char)(cell >> 8);
	p[3] = (unsigned char)cell;
}

/* Validate a tree before editing it, by a walk that wants no properties. */
static inline enum pmumap_status pmumap_fdt_edit_begin_(struct pmumap_fdt_edit_ *e, void *fdt,
							size_t bytes)
{
	enum pmumap_status status = pmumap_fdt_begin_(&e->w, fdt, bytes);
	int more;

	if (status != PMUMAP_OK)
		return status;
	e->blob = (unsigned char *)fdt;
	e->w.count = 0;
	e->w.found = 0;
	do
		more = pmumap_fdt_next_(&e->w, 0);
	while (more > 0);
	if (more < 0)
		return PMUMAP_E_FDT_STRUCT;
	e->tags_bytes = pmumap_load_be32_(e->blob + 4 * PMUMAP_FDT_TAGS_SIZE_);
	e->names_bytes = pmumap_load_be32_(e->blob + 4 * PMUMAP_FDT_NAMES_SIZE_);
	e->total = e->w.names + e->names_bytes;
	e->grow_names = e->moved = 0;
	e->begin = e->first = e->last = e->at = e->to = e->w.start;
	e->depth = 0;
	return PMUMAP_OK;
}

/*
 * Check whether the tree has room for a change: bytes of tags added and removed, and strings
 * placed. The strings must come last, so that they can grow. Nothing in the tree changes.
 */
static inline enum pmumap_status pmumap_fdt_edit_check_room_(struct pmumap_fdt_edit_ *e,
							     size_t bytes, uint64_t added,
							     uint32_t removed, size_t *need)
{
	uint64_t all = e->total - removed + added + e->grow_names;

	if (e->w.names < e->w.start + e->tags_bytes ||
	    pmumap_load_be32_(e->blob + 4 * PMUMAP_FDT_RESERVED_) > e->w.start)
		return PMUMAP_E_FDT_LAYOUT;
	if (all > PMUMAP_MAX_BYTES_)
		return PMUMAP_E_LIMIT;
	if (need)
		*need = (size_t)all;
	e->names_to = (uint32_t)(e->w.names - removed + added);
	return all > bytes ? PMUMAP_E_NOSPACE : PMUMAP_OK;
}

/* Move bytes of the blob; the two ranges may overlap. */
static inline void pmumap_fdt_move_bytes_(unsigned char *blob, uint32_t from, uint32_t to,
					  uint32_t bytes)
{
	uint32_t i;

	for (i = 0; to < from && i < bytes; i++) {
		blob[to + i] = blob[from + i];
		PMUMAP_NO_LIBCALL_();
	}
	for (i = bytes; to > from && i > 0; i--) {
		blob[to + i - 1] = blob[from + i - 1];
		PMUMAP_NO_LIBCALL_();
	}
}

/*
 * Advance to the next node, moving its tag and properties to their destination. Returns 0 at the
 * end.
 */
static inline int pmumap_fdt_edit_next_node_(struct pmumap_fdt_edit_ *e)
{
	int open = 0;

	for (;;) {
		uint32_t tag = pmumap_load_be32_(e->blob + e->at);
		uint32_t bytes = pmumap_fdt_tag_bytes_(e->blob + e->at);

		if (open && (tag == PMUMAP_FDT_BEGIN_NODE_ || tag == PMUMAP_FDT_END_NODE_)) {
			e->last = e->to;
			return 1;
		}
		pmumap_fdt_move_bytes_(e->blob, e->at, e->to, bytes);
		if (tag == PMUMAP_FDT_BEGIN_NODE_) {
			open = 1;
			e->depth++;
			e->begin = e->to;
			e->first = e->to + bytes;
		} else if (tag == PMUMAP_FDT_END_NODE_) {
			e->depth--;
		}
		e->at += bytes;
		e->to += bytes;
		if (tag == PMUMAP_FDT_END_)
			return 0;
	}
}

/* The name of the property at this offset of a validated blob. */
static inline const unsigned char *pmumap_fdt_edit_property_name_(const struct pmumap_fdt_edit_ *e,
								  uint32_t at)
{
	return e->blob + e->w.names + e->moved + pmumap_load_be32_(e->blob + at + 8);
}

/* The current node's first property with this name, from at on; otherwise last. */
static inline uint32_t pmumap_fdt_edit_find_property_(const struct pmumap_fdt_edit_ *e, uint32_t at,
						      const char *name)
{
	for (; at < e->last; at += pmumap_fdt_tag_bytes_(e->blob + at)) {
		if (pmumap_load_be32_(e->blob + at) == PMUMAP_FDT_PROPERTY_ &&
		    pmumap_fdt_match_string_(pmumap_fdt_edit_property_name_(e, at), name, 0))
			break;
	}
	return at;
}

static inline int pmumap_fdt_edit_is_compatible_(const struct pmumap_fdt_edit_ *e,
						 const char *compatible)
{
	uint32_t at = pmumap_fdt_edit_find_property_(e, e->first, "compatible");

	return at < e->last &&
	       pmumap_fdt_match_list_(e->blob + at + PMUMAP_FDT_PROPERTY_HEAD_,
				      pmumap_load_be32_(e->blob + at + 4), compatible, 0);
}

/* Overwrite tags with NOPs; bytes is a multiple of 4. */
static inline void pmumap_fdt_nop_bytes_(struct pmumap_fdt_edit_ *e, uint32_t at, uint32_t bytes)
{
	for (; bytes; bytes -= 4, at += 4)
		pmumap_fdt_write_cell_(e->blob + at, PMUMAP_FDT_NOP_);
}

/* The offset of a name among the strings or, if it is missing, where it will be appended. */
static inline uint32_t pmumap_fdt_edit_place_string_(struct pmumap_fdt_edit_ *e, const char *name)
{
	const unsigned char *strings = e->blob + e->w.names;
	uint32_t at, bytes = 1;

	for (at = 0; at < e->w.names_bytes; at++) {
		if (strings[at] == (unsigned char)*name &&
		    pmumap_fdt_match_string_(strings + at, name, 0))
			return at;
	}
	at = e->names_bytes + e->grow_names;
	for (; name[bytes - 1]; bytes++)
		PMUMAP_NO_LIBCALL_();
	e->grow_names += bytes;
	return at;
}

/* Append a placed string, unless it existed. All else has been moved already. */
static inline void pmumap_fdt_edit_append_string_(struct pmumap_fdt_edit_ *e, uint32_t at,
						  const char *name)
{
	unsigned char *to = e->blob + e->names_to + at;

	if (at < e->names_bytes)
		return;
	for (; *name; name++) {
		*to++ = (unsigned char)*name;
		PMUMAP_NO_LIBCALL_();
	}
	*to = 0;
}

/* Write the header of the edited tree. totalsize may grow, and never shrinks. */
static inline void pmumap_fdt_edit_end_(struct pmumap_fdt_edit_ *e)
{
	unsigned char *total = e->blob + 4 * PMUMAP_FDT_TOTAL_;
	uint32_t names_bytes = e->names_bytes + e->grow_names, all = e->names_to + names_bytes;

	pmumap_fdt_write_cell_(e->blob + 4 * PMUMAP_FDT_TAGS_SIZE_,
			       e->tags_bytes + e->names_to - e->w.names);
	pmumap_fdt_write_cell_(e->blob + 4 * PMUMAP_FDT_NAMES_, e->names_to);
	pmumap_fdt_write_cell_(e->blob + 4 * PMUMAP_FDT_NAMES_SIZE_, names_bytes);
	if (all > pmumap_load_be32_(total))
		pmumap_fdt_write_cell_(total, all);
}

static inline void pmumap_fdt_edit_put_cell_(struct pmumap_fdt_edit_ *e, uint32_t cell)
{
	pmumap_fdt_write_cell_(e->blob + e->to, cell);
	e->to += 4;
}

static inline void pmumap_fdt_edit_put_pair_(struct pmumap_fdt_edit_ *e, uint64_t pair)
{
	pmumap_fdt_edit_put_cell_(e, (uint32_t)(pair >> 32));
	pmumap_fdt_edit_put_cell_(e, (uint32_t)pair);
}

/* Insert the head of a property; its cells follow. */
static inline void pmumap_fdt_edit_put_property_(struct pmumap_fdt_edit_ *e, uint32_t name,
						 uint32_t bytes)
{
	pmumap_fdt_edit_put_cell_(e, PMUMAP_FDT_PROPERTY_);
	pmumap_fdt_edit_put_cell_(e, bytes);
	pmumap_fdt_edit_put_cell_(e, name);
}
