/* SPDX-License-Identifier: BSD-2-Clause */
/* Remember the numbers of properties: a tree has few names, and large trees repeat them */
#pragma once

#include "fdt/next.h"

#define PMUMAP_FDT_MEMOS_ 32u /* a power of two */

/* pmumap_fdt_number_(), with memos: offsets of names in the blob, and numbers. All 0 at first. */
static inline uint32_t pmumap_fdt_recall_(const struct pmumap_fdt_cursor_ *c,
					  const unsigned char *name)
{
	uint32_t offset = (uint32_t)(name - c->blob);
	uint32_t *memo = c->memos[offset % PMUMAP_FDT_MEMOS_];

	if (memo[0] != offset) {
		memo[0] = offset;
		memo[1] = pmumap_fdt_number_(c, name);
	}
	return memo[1];
}
