/* SPDX-License-Identifier: BSD-2-Clause */
/* Tags and properties of a validated blob */
#pragma once

#include "fdt/blob.h"

/* Bytes from a tag to the next one, in a validated blob. */
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
 * The next property of a node, or NULL. tag: that of the node or of one of its properties, in a
 * validated blob.
 */
static inline const unsigned char *pmumap_fdt_next_property_(const unsigned char *tag)
{
	do
		tag += pmumap_fdt_tag_bytes_(tag);
	while (pmumap_load_be32_(tag) == PMUMAP_FDT_NOP_);
	return pmumap_load_be32_(tag) == PMUMAP_FDT_PROPERTY_ ? tag : 0;
}
