/* SPDX-License-Identifier: BSD-2-Clause */
/* A property that is a text */
#pragma once

#include "core/linkage.h"
#include "core/compiler.h"
#include "pool/text.h"
#include "fdt/walk.h"
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
