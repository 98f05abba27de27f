/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/api.h"

/* The layout is the image format. So it is the same on every target of one byte order. */
typedef char pmumap_image_layout_[sizeof(struct pmumap) == 232 &&
						  sizeof(struct pmumap_record) == 16 &&
						  sizeof(struct pmumap_raw_row) == 24
					  ? 1
					  : -1];

/* What lies at an offset of the image. */
static inline const void *pmumap_image_at_(const struct pmumap *m, uint32_t offset)
{
	return (const char *)m + offset;
}

/*
 * Whether count elements of so many bytes each lie inside the image, behind its head and 8-byte
 * aligned. Nothing can wrap, and there is no division.
 */
static inline int pmumap_image_holds_(const struct pmumap *m, uint32_t offset, uint32_t count,
				      uint32_t each)
{
	return offset >= sizeof(struct pmumap) && offset % 8 == 0 && offset <= m->size &&
	       (uint64_t)count * each <= m->size - offset;
}

PMUMAP_DEF size_t pmumap_size(const struct pmumap *m)
{
	return m->size;
}
