/* SPDX-License-Identifier: BSD-2-Clause */
/* Properties of the current node */
#pragma once

#include "fdt/walk.h"

/*
 * A reader lists the properties it wants once, as X(NAME, "name"). A '*' at the end matches any
 * rest. From its list the reader makes an enum and, with these macros, the concatenated texts and
 * their lengths.
 */
#define PMUMAP_FDT_TEXT_(name, text) text "\0"
#define PMUMAP_FDT_BYTES_(name, text) sizeof(text),

/* A property's index in the list, or n->count if the reader does not want it. */
static inline uint32_t pmumap_fdt_number_of_name_(const struct pmumap_fdt_names_ *n,
						  const unsigned char *name)
{
	const char *text = n->texts;
	uint32_t i, k;

	for (i = 0; i < n->count; text += n->bytes[i++]) {
		k = 0;
		while (name[k] && name[k] == (unsigned char)text[k])
			k++;
		if (text[k] == '*' || (text[k] == 0 && name[k] == 0))
			break;
	}
	return i;
}

/*
 * Store the offset of a wanted property's value, which is at w->at. The first of duplicates wins.
 * name: offset of its name in the blob.
 */
static inline void pmumap_fdt_note_property_(struct pmumap_fdt_walk_ *w, uint32_t name)
{
	uint32_t i = pmumap_fdt_number_of_name_(&w->wanted_names, w->blob + name);

	if (i < w->wanted_names.count && !w->found[i])
		w->found[i] = w->at;
}

/* Make the walk store the properties of a reader's list: its texts, their lengths and number. */
static inline void pmumap_fdt_want_(struct pmumap_fdt_walk_ *w, const char *texts,
				    const unsigned char *bytes, uint32_t count, uint32_t *found)
{
	w->note_property = pmumap_fdt_note_property_;
	w->wanted_names.texts = texts;
	w->wanted_names.bytes = bytes;
	w->wanted_names.count = count;
	w->found = found;
}

/* The value of a property and its length; NULL and 0 if it is missing. */
static inline const unsigned char *pmumap_fdt_property_value_(const struct pmumap_fdt_walk_ *w,
							      uint32_t property, uint32_t *bytes)
{
	return pmumap_fdt_value_at_(w->blob, w->found[property], bytes);
}

/* Read the first cell of a property. Returns 0, and *value is unchanged, if it is missing. */
static inline int pmumap_fdt_property_number_(const struct pmumap_fdt_walk_ *w, uint32_t property,
					      uint32_t *value)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_property_value_(w, property, &bytes);

	if (bytes < 4)
		return 0;
	*value = pmumap_load_be32_(p);
	return 1;
}

/* The current node's #address-cells, whose index is property; 2 if it is missing. */
static inline uint32_t pmumap_fdt_address_cells_(const struct pmumap_fdt_walk_ *w,
						 uint32_t property)
{
	uint32_t cells = 2;

	(void)pmumap_fdt_property_number_(w, property, &cells);
	return cells;
}

/*
 * Read an address of this many cells from a property. Returns 0 if it is too short, or cells is not
 * 1 or 2.
 */
static inline int pmumap_fdt_reg_address_(const struct pmumap_fdt_walk_ *w, uint32_t property,
					  uint32_t cells, uint64_t *address)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_property_value_(w, property, &bytes);

	return pmumap_fdt_load_address_(p, bytes, cells, address);
}
