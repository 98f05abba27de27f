/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows in, look-ups */
#pragma once

#include "riscv/builder_api.h"

/*
 * The rows of the three tables, in any order. An unusable row is dropped; later rows still count.
 *
 * Returns  PMUMAP_OK, also for a row that was dropped. Also for a row that did not fit, or was one
 *          too many: pmumap_finish() then fails.
 * Errors   E_ARG, if pmumap_begin() got misaligned memory, or pmumap_add_map() a map in the block,
 *          or the builder is used up.
 * Cost     O(1).
 */
PMUMAP_API enum pmumap_status pmumap_add_selector(struct pmumap_builder *b, uint32_t event,
						  uint64_t selector);
PMUMAP_API enum pmumap_status pmumap_add_counters(struct pmumap_builder *b, uint32_t first,
						  uint32_t last, uint32_t counters);
PMUMAP_API enum pmumap_status pmumap_add_raw(struct pmumap_builder *b, uint64_t select,
					     uint64_t mask, uint32_t counters);

/*
 * Bytes of a block that is large enough for every map of so many rows, as a constant:
 *	static uint64_t block[PMUMAP_BLOCK(10, 10, 3) / 8];
 * pmumap_need() often asks for less.
 */
#define PMUMAP_BLOCK(selectors, ranges, raws)                                                      \
	(sizeof(struct pmumap) + PMUMAP_BLOCK_SWEEP_ +                                             \
	 sizeof(struct pmumap_record) * (PMUMAP_BLOCK_INDEXED_(2u * ((selectors) + (ranges))) +    \
					 2u * ((selectors) + (ranges)) + 1u) +                     \
	 24u * ((selectors) + (ranges) + (raws)) + PMUMAP_BLOCK_RAW_((raws)))
#define PMUMAP_BLOCK_SWEEP_ 128u
#define PMUMAP_BLOCK_INDEXED_(n) ((n) < 128u ? (n) : 128u)
#define PMUMAP_BLOCK_RAW_(n) ((n) == 0 ? 0u : ((n) + 1u) * (sizeof(struct pmumap_raw_row) + 32u))

#define PMUMAP_EVENT_CACHE 0x10000u
#define PMUMAP_EVENT_RAW 0x20000u    /* the event is in the data, 48 bits */
#define PMUMAP_EVENT_RAW_V2 0x30000u /* the event is in the data, 56 bits */
#define PMUMAP_EVENT_FIRMWARE 0xf0000u

/*
 * The value for mhpmevent. Returns 1; or 0 and *selector untouched, where the description has none.
 * Cost     one table access for the 128 codes 0..0x3f and 0x10000..0x1003f, among which are all of
 *          SBI's hardware events; else a binary search.
 */
PMUMAP_API int pmumap_selector(const struct pmumap *m, uint32_t event, uint64_t *selector);

/*
 * The counters that can count an event, by any row. Bit N: mhpmcounterN (0, 1, 2: mcycle, time,
 * minstret). 0: none can.
 */
PMUMAP_API uint32_t pmumap_counters(const struct pmumap *m, uint32_t event);

/*
 * The same for a raw event: the counters of all rows with select == (raw & mask).
 * Cost     one hash probe and at most 16 rows; all rows, if there are more than 16 whose masks have
 *          too few bits in common for a hash, or more than 32,768.
 */
PMUMAP_API uint32_t pmumap_raw_counters(const struct pmumap *m, uint64_t raw);

/* How to encode an event that has no selector. */
enum pmumap_rule {
	PMUMAP_RULE_NONE,   /* not at all */
	PMUMAP_RULE_ABSENT, /* as event_idx, if there is no table of selectors, not even an empty
				one (QEMU's trees, RustSBI) */
	PMUMAP_RULE_ALWAYS  /* as event_idx (OpenSBI) */
};

/*
 * The value for mhpmevent of any hardware event: its selector, or event_idx by the rule. For a raw
 * event it is the data, cut to 48 or 56 bits. Returns 1; or 0 and *mhpmevent untouched.
 */
PMUMAP_API int pmumap_encode(const struct pmumap *m, uint32_t event, uint64_t data, unsigned rule,
			     uint64_t *mhpmevent);

/* Consecutive events with the same answers. They have counters, or a selector, or both. */
struct pmumap_run {
	uint32_t first, last;
	uint32_t counters;
	uint32_t has_selector;
	uint64_t selector;
};

/* List the map: the next run from event "from" on. Begin at 0, go on at last + 1. 0: no more. */
PMUMAP_API int pmumap_event_next(const struct pmumap *m, uint32_t from, struct pmumap_run *run);

/* List the raw rows, in the order that they have in the map. 0: index is too large. */
PMUMAP_API int pmumap_raw_at(const struct pmumap *m, uint32_t index, uint64_t *select,
			     uint64_t *mask, uint32_t *counters);

/*
 * The part of a map that a guest may use. A range with PMUMAP_EVENT_RAW (0x20000) grants raw
 * events; PMUMAP_EVENT_RAW_V2 alone grants nothing.
 */
struct pmumap_range {
	uint32_t first, last;
};
struct pmumap_grant {
	uint32_t counters;
	uint32_t count; /* of ranges; 0: all events */
	const struct pmumap_range *ranges;
};

/*
 * Add the rows of a finished map, which lies outside of the builder's block. With grant NULL
 * these are all of them, and the new map answers as the old one. Else they are those of granted
 * events, with the granted counters. An event that keeps no counter keeps no selector either.
 * Errors   E_ARG, as above, and if the map lies in the block: then nothing is added.
 * Cost     O(runs * ranges).
 */
PMUMAP_API enum pmumap_status pmumap_add_map(struct pmumap_builder *b, const struct pmumap *m,
					     const struct pmumap_grant *grant);

/*
 * The map of a guest, in a block of its own: pmumap_begin(), pmumap_add_map(), pmumap_finish(),
 * with their errors.
 */
PMUMAP_API enum pmumap_status pmumap_restrict(const struct pmumap *m,
					      const struct pmumap_grant *grant, void *mem,
					      size_t bytes, const struct pmumap **map);

/* Whether SBI v3.0 defines the code (firmware: 0..21, 256..65535). 0 is none: it means no event. */
PMUMAP_API int pmumap_event_valid(uint32_t event);
