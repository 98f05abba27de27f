/* SPDX-License-Identifier: BSD-2-Clause */
/* The builder: from lists, PMUs and chips to a map */
#pragma once

#include "pool/entries_api.h"
#include "imc/api.h"

/* The PMUs that the next chips belong to. */
enum pmumap_imc_chips_of_ {
	PMUMAP_IMC_CHIPS_OF_ALL_,  /* before the first unit: nest PMUs without their own chips */
	PMUMAP_IMC_CHIPS_OF_UNIT_, /* the last PMU */
	PMUMAP_IMC_CHIPS_DROPPED_  /* a PMU that was dropped */
};

/*
 * One per build, usually on the stack. You may set flags after pmumap_imc_begin(); other members
 * are private.
 */
struct pmumap_imc_builder {
	uint32_t flags; /* PMUMAP_DESC */
	int node;       /* the current node of a tree, or PMUMAP_NO_NODE */
	struct pmumap_entries_ entries;
	uint32_t names; /* events and PMUs so far */
	enum pmumap_imc_chips_of_ chips_of;
};

/*
 * Build a map without a device tree, from lists of events and PMUs that use them. Several PMUs
 * may use one list, which may be added before or after them.
 *
 * begin    mem: your block, 8-byte aligned; NULL: measure only. The block belongs to the builder
 *          until pmumap_imc_finish().
 * add      The id of a list is not 0. An event belongs to the list added last; its name, scale,
 *          measure, desc (with PMUMAP_DESC) and offset are used. Of a PMU, all members except
 *          events and chips are used. Chips belong to the PMU added last; those before the first
 *          PMU, to every nest PMU without its own. Events whose name is NULL and PMUs of
 *          unknown type are dropped. Strings must not overlap the block, and must live until
 *          finish() copies them. NULL means absent, and so does an empty scale, measure or desc.
 * need     returns the bytes of block needed so far, including the name index and the order of
 *          offsets for up to 2 names per PMU and event. With less, the map lacks these two: see
 *          pmumap_imc_names().
 * finish   builds the map at the start of the block. It takes pmumap_imc_size() bytes; you may
 *          reuse the rest. The builder is used up: its functions return E_ARG.
 *
 * Returns  PMUMAP_OK and the map (NULL when measuring); on failure *map is NULL.
 * Errors   E_ARG, E_NOSPACE, E_LIMIT.
 * Cost     O(n log n) for any n entries and their strings; for the index, as much again per name
 *          that the block has room for.
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
