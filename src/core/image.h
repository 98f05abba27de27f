/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks of a foreign image's head, and its offsets */
#pragma once

#include "core/api.h"

#define PMUMAP_MAX_BYTES_ 0x7fffffffu

static inline const void *pmumap_image_at_(const void *m, uint32_t offset)
{
	return (const char *)m + offset;
}

/*
 * Whether count elements of this size are in bounds, 8-byte aligned and behind the kind's head.
 * Nothing can wrap, and there is no division.
 */
static inline int pmumap_image_holds_(const struct pmumap_head_ *h, uint32_t head, uint32_t offset,
				      uint32_t count, uint32_t each)
{
	return offset >= head && offset % 8 == 0 && offset <= h->size &&
	       (uint64_t)count * each <= h->size - offset;
}

/* The same for an image with the head of m's type. */
#define PMUMAP_IMAGE_HOLDS_(m, offset, count, each)                                                \
	pmumap_image_holds_(&(m)->head, sizeof(*(m)), offset, count, each)

/* Check the head of a foreign image. head: the size of its kind's head, which includes this one. */
static inline enum pmumap_status pmumap_image_check_(const void *image, size_t bytes,
						     uint32_t magic, size_t head)
{
	const struct pmumap_head_ *h = (const struct pmumap_head_ *)image;

	if (!image || (size_t)image % 8)
		return PMUMAP_E_ARG;
	if (bytes < 2 * sizeof(uint32_t))
		return PMUMAP_E_IMAGE_SIZE;
	if (h->magic ==
	    ((magic & 0xff) << 24 | (magic & 0xff00) << 8 | (magic >> 8 & 0xff00) | magic >> 24))
		return PMUMAP_E_IMAGE_ORDER;
	if (h->magic != magic)
		return PMUMAP_E_IMAGE_MAGIC;
	if (h->version != PMUMAP_IMAGE_VERSION)
		return PMUMAP_E_IMAGE_VERSION;
	if (bytes < head || h->size < head || h->size > bytes || h->size > PMUMAP_MAX_BYTES_ ||
	    h->size % 8)
		return PMUMAP_E_IMAGE_SIZE;
	return PMUMAP_OK;
}
