/* SPDX-License-Identifier: BSD-2-Clause */
/* Text properties */
#pragma once

#include "pool/text.h"
#include "fdt/property.h"

/* The first string of a property; NULL if absent or unterminated. Scans by words. */
PMUMAP_OUTLINE_ const char *pmumap_fdt_property_text_(const struct pmumap_fdt_walk_ *w,
						      uint32_t property)
{
	uint32_t bytes, i = 0;
	const unsigned char *p = pmumap_fdt_property_value_(w, property, &bytes);

	while (i + 8 <= bytes &&
	       !(pmumap_zero_bytes_(pmumap_load_word_(p + i)) & PMUMAP_HIGH_BITS_))
		i += 8;
	while (i < bytes && p[i])
		i++;
	return i < bytes ? (const char *)p : 0;
}

/* The first of two names for a property if it is present, otherwise the second. */
static inline uint32_t pmumap_fdt_either_property_(const struct pmumap_fdt_walk_ *w,
						   uint32_t property, uint32_t other)
{
	return w->found[property] ? property : other;
}

/*
 * The current node's phandle, from its current or older property; 0 if it has neither. 0xffffffff
 * counts as absent: libfdt rejects it too.
 */
static inline uint32_t pmumap_fdt_phandle_(const struct pmumap_fdt_walk_ *w, uint32_t property,
					   uint32_t older)
{
	uint32_t phandle = 0;

	if (!pmumap_fdt_property_number_(w, property, &phandle))
		(void)pmumap_fdt_property_number_(w, older, &phandle);
	return phandle == 0xffffffffu ? 0 : phandle;
}
