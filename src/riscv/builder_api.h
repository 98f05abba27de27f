/* SPDX-License-Identifier: BSD-2-Clause */
/* The builder: from rows to a map */
#pragma once

#include "riscv/map_api.h"

/* One per build, usually on the stack. Its members are private. */
struct pmumap_builder {
	unsigned char *mem;
	size_t bytes, room; /* of the block; how many rows fit into it */
	enum pmumap_status status;
	uint32_t map_flags;
	uint64_t selector_rows, counter_rows, raw_rows; /* added so far, including dropped ones */
	uint32_t kept,
		raw_kept;      /* rows waiting at the end of the block; how many of them are raw */
	uint32_t sorted_bound; /* upper bound of records in the sorted run */
};

/*
 * Begin a map in your block, or only measure it.
 *
 * mem: 8-byte aligned. NULL: measure only; add all rows, then call pmumap_need(). The block belongs
 * to the builder until pmumap_finish(). Trees, maps and strings that you add must not overlap it.
 */
PMUMAP_API void pmumap_begin(struct pmumap_builder *b, void *mem, size_t bytes);

/*
 * Bytes of block that the rows added so far need; the same for any block. The finished map is
 * smaller: it takes pmumap_size() bytes at the start of the block, and you may reuse the rest.
 */
PMUMAP_API size_t pmumap_need(const struct pmumap_builder *b);

/*
 * Build the map at the start of the block. This uses the builder up: its functions return E_ARG
 * until the next pmumap_begin().
 *
 * Returns  PMUMAP_OK and the map (NULL when measuring); on failure *map is NULL.
 * Errors   E_ARG; E_NOSPACE; E_LIMIT, also from 2^30 rows on, including dropped ones.
 * Cost     O(n log n) for any n rows. Their order does not matter, except that the first of two
 *          selectors for one event wins.
 */
PMUMAP_API enum pmumap_status pmumap_finish(struct pmumap_builder *b, const struct pmumap **map);
