/* SPDX-License-Identifier: BSD-2-Clause */
/* The builder: from rows to a map */
#pragma once

#include "riscv/map_api.h"

/* One for each build, usually on the stack. Its members are for its own functions. */
struct pmumap_builder {
	unsigned char *mem;
	size_t bytes, room; /* of the block; how many rows fit into it */
	enum pmumap_status status;
	uint32_t map_flags;
	uint64_t selector_rows, counter_rows, raw_rows; /* added so far, also those dropped */
	uint32_t kept, raw_kept; /* those that wait at the end of the block; raw ones among them */
	uint32_t sorted_bound;   /* the sorted run has at most so many records */
};

/*
 * Begin a map in a block of your memory.
 *
 * mem: 8-byte aligned; or NULL, to measure only, whatever bytes is: add all rows, then ask
 * pmumap_need(). The block belongs to the builder until pmumap_finish(): what is added (strings, a
 * tree, a map) lies outside of it.
 */
PMUMAP_API void pmumap_begin(struct pmumap_builder *b, void *mem, size_t bytes);

/*
 * Bytes of the block that the rows added so far need. The same rows need the same, whatever block
 * is in use. The finished map is smaller: it takes pmumap_size() bytes at the start of the block,
 * and the rest is free again.
 */
PMUMAP_API size_t pmumap_need(const struct pmumap_builder *b);

/*
 * Build the map at the start of the block. After that the builder is used up: it writes nothing any
 * more, and its functions return E_ARG, until pmumap_begin() is called again.
 *
 * Returns  PMUMAP_OK and the map (NULL when only measuring); on failure *map is NULL.
 * Errors   E_ARG, E_NOSPACE, E_LIMIT. E_LIMIT also from 2^30 rows on, dropped ones
 *          included, so that no count wraps.
 * Cost     O(n log n) for n rows, whatever they say. The order of the rows does not change the map,
 *          except that the first of two selectors for one event wins.
 */
PMUMAP_API enum pmumap_status pmumap_finish(struct pmumap_builder *b, const struct pmumap **map);
