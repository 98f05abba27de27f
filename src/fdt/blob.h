/* SPDX-License-Identifier: BSD-2-Clause */
/* Cells and strings of an untrusted blob */
#pragma once

#include "core/bits.h"

#define PMUMAP_FDT_MAGIC_NUMBER_ 0xd00dfeedu
#define PMUMAP_FDT_DEPTH_ 64u

enum {
	PMUMAP_FDT_MAGIC_,
	PMUMAP_FDT_TOTAL_,
	PMUMAP_FDT_TAGS_,
	PMUMAP_FDT_NAMES_,
	PMUMAP_FDT_RESERVED_,
	PMUMAP_FDT_VERSION_,
	PMUMAP_FDT_COMPATIBLE_WITH_,
	PMUMAP_FDT_NAMES_SIZE_ = 8,
	PMUMAP_FDT_TAGS_SIZE_,
	PMUMAP_FDT_CELLS_
};

/* Whether a part of the blob is in bounds: behind the header, and up to total. */
static inline int pmumap_fdt_holds_part_(uint32_t total, uint32_t offset, uint32_t bytes)
{
	return offset >= 4 * PMUMAP_FDT_CELLS_ && offset <= total && bytes <= total - offset;
}

/*
 * Compare a terminated string with a literal; prefix: only its beginning. Returns the rest of the
 * string, or NULL if they differ.
 */
static inline const unsigned char *pmumap_fdt_match_string_(const unsigned char *s,
							    const char *text, int prefix)
{
	while (*text && *s == (unsigned char)*text) {
		s++;
		text++;
	}
	return *text == 0 && (prefix || *s == 0) ? s : 0;
}

/* The same for a list of strings; the first match wins. */
static inline const unsigned char *pmumap_fdt_match_list_(const unsigned char *s, uint32_t bytes,
							  const char *text, int prefix)
{
	const unsigned char *found = 0;
	uint32_t from = 0, i;

	for (i = 0; i < bytes && !found; i++) {
		if (s[i])
			continue;
		found = pmumap_fdt_match_string_(s + from, text, prefix);
		from = i + 1;
	}
	return found;
}

enum {
	PMUMAP_FDT_BEGIN_NODE_ = 1,
	PMUMAP_FDT_END_NODE_ = 2,
	PMUMAP_FDT_PROPERTY_ = 3,
	PMUMAP_FDT_NOP_ = 4,
	PMUMAP_FDT_END_ = 9
};

#define PMUMAP_FDT_PROPERTY_HEAD_ 12u /* bytes before a property's value: tag, length, name */

/* The value at this offset of the blob, and its length; NULL and 0 for offset 0. */
static inline const unsigned char *pmumap_fdt_value_at_(const unsigned char *blob, uint32_t at,
							uint32_t *bytes)
{
	*bytes = at ? pmumap_load_be32_(blob + at - 8) : 0;
	return at ? blob + at : 0;
}

/* The blob's size by its header, at most fdt_size. Nothing behind it is read. */
static inline size_t pmumap_fdt_blob_bytes_(const void *fdt, size_t fdt_size)
{
	uint32_t total = fdt_size < 8 ? 0 : pmumap_load_be32_((const unsigned char *)fdt + 4);

	return total < fdt_size ? total : fdt_size;
}
