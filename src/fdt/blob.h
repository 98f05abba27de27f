/* SPDX-License-Identifier: BSD-2-Clause */
/* Cells and strings of a blob that may be anything */
#pragma once

#include "core/bits.h"

#define PMUMAP_FDT_MAGIC_NUMBER_ 0xd00dfeedu
#define PMUMAP_FDT_DEPTH_ 64u

/* The header's cells. */
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

/* Whether a part of the blob lies behind the header and ends by total. */
static inline int pmumap_fdt_holds_part_(uint32_t total, uint32_t offset, uint32_t bytes)
{
	return offset >= 4 * PMUMAP_FDT_CELLS_ && offset <= total && bytes <= total - offset;
}

/*
 * Compare a terminated string of the blob with a literal; prefix: only its beginning. Returns what
 * follows the literal in it; NULL: they differ.
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

/* The same with each string of a list; the first that matches counts. */
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

#define PMUMAP_FDT_PROPERTY_HEAD_ 12u /* bytes before the value of a property: tag, length, name */

/* Bytes of a tag with all that belongs to it, up to the next tag. The blob has been validated. */
static inline uint32_t pmumap_fdt_tag_bytes_(const unsigned char *tag)
{
	uint32_t n = 4;

	switch (pmumap_load_be32_(tag)) {
	case PMUMAP_FDT_BEGIN_NODE_:
		for (; tag[n]; n++)
			PMUMAP_NO_LIBCALL_();
		return (n + 4) & ~3u;
	case PMUMAP_FDT_PROPERTY_:
		return PMUMAP_FDT_PROPERTY_HEAD_ + ((pmumap_load_be32_(tag + 4) + 3) & ~3u);
	default:
		return 4;
	}
}

/*
 * The next property of a node, behind this tag of it: its own or that of a property. NULL: none.
 * The blob has been validated.
 */
static inline const unsigned char *pmumap_fdt_next_property_(const unsigned char *tag)
{
	do
		tag += pmumap_fdt_tag_bytes_(tag);
	while (pmumap_load_be32_(tag) == PMUMAP_FDT_NOP_);
	return pmumap_load_be32_(tag) == PMUMAP_FDT_PROPERTY_ ? tag : 0;
}

/* What a property has at this offset of the blob. Offset 0 is no property: NULL, and bytes 0. */
static inline const unsigned char *pmumap_fdt_value_at_(const unsigned char *blob, uint32_t at,
							uint32_t *bytes)
{
	*bytes = at ? pmumap_load_be32_(blob + at - 8) : 0;
	return at ? blob + at : 0;
}

/* The first address in a reg. Returns 0: it is too short, or cells is not 1 or 2. */
static inline int pmumap_fdt_load_address_(const unsigned char *reg, uint32_t bytes, uint32_t cells,
					   uint64_t *address)
{
	if (cells < 1 || cells > 2 || bytes / 4 < cells)
		return 0;
	*address = cells == 2 ? pmumap_load_be64_(reg) : pmumap_load_be32_(reg);
	return 1;
}

/* Bytes of the blob as its header says, if there are so many. What lies behind is not read. */
static inline size_t pmumap_fdt_blob_bytes_(const void *fdt, size_t fdt_size)
{
	uint32_t total = fdt_size < 8 ? 0 : pmumap_load_be32_((const unsigned char *)fdt + 4);

	return total < fdt_size ? total : fdt_size;
}
