/* SPDX-License-Identifier: BSD-2-Clause */
/* A property that is a text */
#pragma once

#include "pool/text.h"
#include "fdt/property.h"

/* The first string of a property, whose end is looked for by words; NULL: there is none. */
PMUMAP_OUTLINE_ const char *pmumap_fdt_property_text_(const struct pmumap_fdt_walk_ *w,
						      uint32_t property)
{
	uint32_t bytes, i = 0;
	const unsigned char *p = pmumap_fdt_property_value_(w, property, &bytes);

	while (i + 8 <= bytes &&
	       !(pmumap_zero_bytes_(pmumap_load_le64_(p + i)) & PMUMAP_HIGH_BITS_))
		i += 8;
	while (i < bytes && p[i])
		i++;
	return i < bytes ? (const char *)p : 0;
}

/* The first of two names for a property if it is there, else the other. */
static inline uint32_t pmumap_fdt_either_property_(const struct pmumap_fdt_walk_ *w,
						   uint32_t property, uint32_t other)
{
	return w->found[property] ? property : other;
}

/*
 * What other nodes name the node at hand by, in a property of today's name or in the older one; 0:
 * nothing. No node is named by 0xffffffff: libfdt takes it for an error.
 */
static inline uint32_t pmumap_fdt_phandle_(const struct pmumap_fdt_walk_ *w, uint32_t property,
					   uint32_t older)
{
	uint32_t phandle = 0;

	if (!pmumap_fdt_property_number_(w, property, &phandle))
		(void)pmumap_fdt_property_number_(w, older, &phandle);
	return phandle == 0xffffffffu ? 0 : phandle;
}
