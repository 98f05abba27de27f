/* SPDX-License-Identifier: BSD-2-Clause */
/* Addresses of nodes */
#pragma once

#include "fdt/next.h"

/* The current node's #address-cells, whose number is property; 2 if they are missing. */
static inline uint32_t pmumap_fdt_address_cells_(const struct pmumap_fdt_cursor_ *c,
						 uint32_t property)
{
	uint32_t cells = 2;

	(void)pmumap_fdt_cell_(c, property, &cells);
	return cells;
}

/*
 * Read an address of this many cells from a property. Returns 0 if it is too short, or cells is not
 * 1 or 2.
 */
static inline int pmumap_fdt_reg_address_(const struct pmumap_fdt_cursor_ *c, uint32_t property,
					  uint32_t cells, uint64_t *address)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_value_(c, property, &bytes);

	if (cells < 1 || cells > 2 || bytes / 4 < cells)
		return 0;
	*address = cells == 2 ? pmumap_load_be64_(p) : pmumap_load_be32_(p);
	return 1;
}
