/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/compiler.h"
#include "core/text.h"
#include "fdt/blob.h"
#include "fdt/walk.h"

/* The value of a property of the node at hand; NULL where there is none. */
static inline const unsigned char *pmumap_fdt_property_value_(const struct pmumap_fdt_walk_ *w,
							      uint32_t property, uint32_t *bytes)
{
	const unsigned char *p = w->blob + w->others->properties[property];

	*bytes = w->others->properties[property] ? pmumap_load_be32_(p - 8) : 0;
	return w->others->properties[property] ? p : 0;
}

/* Its first cell. Returns 0, *value untouched: it has none. */
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

/* Its first string; NULL: it has none. */
static inline const char *pmumap_fdt_property_text_(const struct pmumap_fdt_walk_ *w,
						    uint32_t property)
{
	uint32_t bytes, i = 0;
	const unsigned char *p = pmumap_fdt_property_value_(w, property, &bytes);

	while (i < bytes && p[i])
		i++;
	return i < bytes ? (const char *)p : 0;
}

/* Of two properties the one that is there. */
static inline uint32_t pmumap_fdt_either_property_(const struct pmumap_fdt_walk_ *w,
						   uint32_t property, uint32_t other)
{
	return w->others->properties[property] ? property : other;
}

/* The number of an address: all its cells, which are one or two. Returns 0: they are not. */
static inline int pmumap_fdt_reg_address_(const struct pmumap_fdt_walk_ *w, uint32_t cells,
					  uint64_t *address)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_property_value_(w, PMUMAP_FDT_REG_, &bytes);

	if (cells < 1 || cells > 2 || bytes / 4 < cells)
		return 0;
	*address = cells == 2 ? pmumap_load_be64_(p) : pmumap_load_be32_(p);
	return 1;
}

/* The number behind the '@' of a name; 0 is returned where there is none. */
static inline int pmumap_fdt_unit_address_(const unsigned char *s, uint64_t *address)
{
	const unsigned char *end;

	while (*s && *s != '@')
		s++;
	if (*s++ == 0)
		return 0;
	for (end = s; *end; end++)
		PMUMAP_NO_LIBCALL_();
	return pmumap_parse_digits_((const char *)s, (const char *)end, 16, address);
}
