/* SPDX-License-Identifier: BSD-2-Clause */
/* One walk over the nodes of an untrusted blob, with the properties that a reader wants */
#pragma once

#include "core/image.h"
#include "fdt/blob.h"

/*
 * A reader lists the properties it wants once, as X(NAME, "name"). A '*' at the end matches any
 * rest. From its list it makes an enum and, with these macros, the concatenated texts and their
 * lengths.
 */
#define PMUMAP_FDT_WANT_(name, text) text "\0"
#define PMUMAP_FDT_WANT_BYTES_(name, text) sizeof(text),

/*
 * Invariant: start <= at <= end; at and end are multiples of 4 from start; end is in bounds; every
 * offset below names_bytes is a terminated string.
 */
struct pmumap_fdt_cursor_ {
	const unsigned char *blob;
	uint32_t start, at, end;
	uint32_t names, names_bytes;
	uint32_t depth, offset; /* of the current node */
	uint32_t closed;        /* the root has ended */
	const char *wanted;     /* the texts */
	const unsigned char *lengths;
	uint32_t count;       /* so many of them are wanted now */
	uint32_t *found;      /* for each, the offset of its value in the current node, or 0 */
	uint32_t (*memos)[2]; /* for memo.h */
};

/*
 * Returns a property's number by its name in the blob, or count if it is not wanted:
 * pmumap_fdt_number_(), or that of memo.h. NULL wants none: programs that only edit trees link no
 * search. It is an argument of the walk, not a member, so that compilers inline it.
 */
typedef uint32_t pmumap_fdt_number_fn_(const struct pmumap_fdt_cursor_ *c,
				       const unsigned char *name);

/* Validate the header, and go before the root. */
static inline enum pmumap_status pmumap_fdt_begin_(struct pmumap_fdt_cursor_ *c, const void *fdt,
						   size_t size)
{
	uint32_t h[PMUMAP_FDT_CELLS_], i;

	c->blob = (const unsigned char *)fdt;
	for (i = 0; i < PMUMAP_FDT_CELLS_ && 4 * i + 4 <= size; i++)
		h[i] = pmumap_load_be32_(c->blob + 4 * i);
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
	c->start = c->at = h[PMUMAP_FDT_TAGS_];
	c->end = c->start + h[PMUMAP_FDT_TAGS_SIZE_] / 4 * 4;
	c->names = h[PMUMAP_FDT_NAMES_];
	c->names_bytes = h[PMUMAP_FDT_NAMES_SIZE_];
	while (c->names_bytes && c->blob[c->names + c->names_bytes - 1])
		c->names_bytes--;
	c->depth = c->offset = c->closed = 0;
	return PMUMAP_OK;
}

/* The current node's name, terminated in bounds. */
static inline const unsigned char *pmumap_fdt_name_(const struct pmumap_fdt_cursor_ *c)
{
	return c->blob + c->start + c->offset + 4;
}

static inline uint32_t pmumap_fdt_number_(const struct pmumap_fdt_cursor_ *c,
					  const unsigned char *name)
{
	const char *text = c->wanted;
	uint32_t i, k;

	for (i = 0; i < c->count; text += c->lengths[i++]) {
		k = 0;
		while (name[k] && name[k] == (unsigned char)text[k])
			k++;
		if (text[k] == '*' || (text[k] == 0 && name[k] == 0))
			break;
	}
	return i;
}

/* Skip a property. If it is wanted and the first of its name, store where its value is. */
PMUMAP_INLINE_ int pmumap_fdt_take_property_(struct pmumap_fdt_cursor_ *c,
					     pmumap_fdt_number_fn_ *number)
{
	uint32_t bytes, name, i;

	if (c->end - c->at < 8)
		return 0;
	bytes = pmumap_load_be32_(c->blob + c->at);
	name = pmumap_load_be32_(c->blob + c->at + 4);
	c->at += 8;
	if (bytes > c->end - c->at || name >= c->names_bytes)
		return 0;
	i = number ? number(c, c->blob + c->names + name) : c->count;
	if (i < c->count && !c->found[i])
		c->found[i] = c->at;
	c->at += bytes + (4 - bytes % 4) % 4; /* the rest of the block is a multiple of 4 */
	return 1;
}

/* Enter a node behind its tag. Returns 0 if none may begin here. */
static inline int pmumap_fdt_enter_node_(struct pmumap_fdt_cursor_ *c)
{
	if (c->depth == PMUMAP_FDT_DEPTH_ || c->closed)
		return 0;
	c->offset = c->at - 4 - c->start;
	while (c->at < c->end && c->blob[c->at])
		c->at++;
	if (c->at == c->end)
		return 0;
	c->at += 4 - (c->at - c->start) % 4; /* at least the NUL; end is a multiple of 4 */
	c->depth++;
	pmumap_zero_words_(c->found, c->count * sizeof(*c->found));
	return 1;
}

/* Go to the next node and note its properties. Returns 1; 0 behind the last; -1: malformed. */
PMUMAP_INLINE_ int pmumap_fdt_next_(struct pmumap_fdt_cursor_ *c, pmumap_fdt_number_fn_ *number)
{
	uint32_t open = 0, tag;

	while (c->end - c->at >= 4) {
		tag = pmumap_load_be32_(c->blob + c->at);
		if (open && tag != PMUMAP_FDT_PROPERTY_ && tag != PMUMAP_FDT_NOP_)
			return 1;
		c->at += 4;
		if (tag == PMUMAP_FDT_BEGIN_NODE_) {
			if (!pmumap_fdt_enter_node_(c))
				return -1;
			open = 1;
		} else if (tag == PMUMAP_FDT_END_NODE_) {
			if (c->depth == 0)
				return -1;
			c->closed = --c->depth == 0;
		} else if (tag == PMUMAP_FDT_PROPERTY_) {
			if (!open || !pmumap_fdt_take_property_(c, number))
				return -1;
		} else if (tag != PMUMAP_FDT_NOP_) {
			return tag == PMUMAP_FDT_END_ && c->closed ? 0 : -1;
		}
	}
	return -1;
}

/* The value of a property and its length; NULL and 0 if it is missing. */
static inline const unsigned char *pmumap_fdt_value_(const struct pmumap_fdt_cursor_ *c,
						     uint32_t property, uint32_t *bytes)
{
	return pmumap_fdt_value_at_(c->blob, c->found[property], bytes);
}

/* Read the first cell of a property. Returns 0, and *value is unchanged, if it is missing. */
static inline int pmumap_fdt_cell_(const struct pmumap_fdt_cursor_ *c, uint32_t property,
				   uint32_t *value)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_value_(c, property, &bytes);

	if (bytes < 4)
		return 0;
	*value = pmumap_load_be32_(p);
	return 1;
}

/* The first string of a property; NULL if it is missing or unterminated. */
static inline const char *pmumap_fdt_text_(const struct pmumap_fdt_cursor_ *c, uint32_t property)
{
	uint32_t bytes, i = 0;
	const unsigned char *p = pmumap_fdt_value_(c, property, &bytes);

	while (i < bytes && p[i])
		i++;
	return i < bytes ? (const char *)p : 0;
}

/*
 * The current node's phandle, from its current or older property; 0 if it has neither. 0xffffffff
 * counts as absent: libfdt rejects it too.
 */
static inline uint32_t pmumap_fdt_phandle_(const struct pmumap_fdt_cursor_ *c, uint32_t property,
					   uint32_t older)
{
	uint32_t phandle = 0;

	if (!pmumap_fdt_cell_(c, property, &phandle))
		(void)pmumap_fdt_cell_(c, older, &phandle);
	return phandle == 0xffffffffu ? 0 : phandle;
}
