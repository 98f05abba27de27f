/* SPDX-License-Identifier: BSD-2-Clause */
/* The builder: from lists, units and chips to a map */
#pragma once

#include "pool/entries_api.h"
#include "imc/api.h"

/* To which units the next chips belong. */
enum pmumap_imc_chips_of_ {
	PMUMAP_IMC_CHIPS_OF_ALL_,  /* before the first unit: all nest units without their own */
	PMUMAP_IMC_CHIPS_OF_UNIT_, /* the last unit */
	PMUMAP_IMC_CHIPS_DROPPED_  /* a unit that was dropped */
};

/*
 * One for each build, usually on the stack. You may set flags after pmumap_imc_begin(); the other
 * members are for its own functions.
 */
struct pmumap_imc_builder {
	uint32_t flags; /* PMUMAP_DESC */
	int node;       /* of a tree, in which the next entry lies; PMUMAP_NO_NODE without a tree */
	struct pmumap_entries_ entries;
	uint32_t names; /* events and units so far */
	enum pmumap_imc_chips_of_ chips_of;
};

/*
 * Build a map without a device tree: lists of events, and units that use them; any number of units
 * may use one list, before or after it is added.
 *
 * begin    mem: your block, 8-byte aligned; or NULL, to measure only: add all, then ask
 *          pmumap_imc_need(). The block belongs to the builder until pmumap_imc_finish().
 * add      The id of a list is not 0. An event belongs to the list added last. Its name, scale,
 *          measure, desc (with PMUMAP_DESC) and offset are used; of a unit, all members but events
 *          and chips. Chips belong to the unit added last; chips before the first unit, to every
 *          nest unit without chips of its own. An event without a name and a unit of no known type
 *          are left out. Strings lie outside of the block, and have to live until finish() copies
 *          them; NULL and "" are absent.
 * need     bytes of the block that what was added so far needs, with an index of names and an order
 *          of offsets, for up to 4 names for each unit and event. In a smaller block the map is
 *          built without them: pmumap_imc_names() tells.
 * finish   puts the map at the start of the block. The rest of it is free again: the map takes
 *          pmumap_imc_size() bytes. The builder is used up: its functions return E_ARG.
 *
 * Returns  PMUMAP_OK and the map (NULL when only measuring); on failure *map is NULL.
 * Errors   E_ARG, E_NOSPACE, E_LIMIT.
 * Cost     O(n log n) for n entries and their strings, whatever they say; the index of names takes
 *          as much again for each name that the block has room for.
 */
PMUMAP_API void pmumap_imc_begin(struct pmumap_imc_builder *b, void *mem, size_t bytes);
PMUMAP_API enum pmumap_status pmumap_imc_add_list(struct pmumap_imc_builder *b, uint32_t id);
PMUMAP_API enum pmumap_status pmumap_imc_add_event(struct pmumap_imc_builder *b,
						   const struct pmumap_imc_event *event);
PMUMAP_API enum pmumap_status pmumap_imc_add_unit(struct pmumap_imc_builder *b, uint32_t list,
						  const struct pmumap_imc_unit *unit);
PMUMAP_API enum pmumap_status pmumap_imc_add_chip(struct pmumap_imc_builder *b, uint32_t chip,
						  uint64_t base);
PMUMAP_API size_t pmumap_imc_need(const struct pmumap_imc_builder *b);
PMUMAP_API enum pmumap_status pmumap_imc_finish(struct pmumap_imc_builder *b,
						const struct pmumap_imc **map);
