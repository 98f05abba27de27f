/* SPDX-License-Identifier: BSD-2-Clause */
/* Add rows, look up */
#pragma once

#include "riscv/builder_api.h"

/*
 * Add a row to one of the three tables, in any order. Unusable rows are dropped.
 *
 * Returns  PMUMAP_OK, even if the row was dropped or did not fit; then pmumap_finish() fails for
 *          the latter.
 * Errors   E_ARG: pmumap_begin() got misaligned memory, or the builder is used up.
 * Cost     O(1).
 */
PMUMAP_API enum pmumap_status pmumap_add_selector(struct pmumap_builder *b, uint32_t event,
						  uint64_t selector);
PMUMAP_API enum pmumap_status pmumap_add_counters(struct pmumap_builder *b, uint32_t first,
						  uint32_t last, uint32_t counters);
PMUMAP_API enum pmumap_status pmumap_add_raw(struct pmumap_builder *b, uint64_t select,
					     uint64_t mask, uint32_t counters);

/* The tables of a riscv,pmu node. */
enum pmumap_table {
	PMUMAP_TABLE_SELECTORS, /* riscv,event-to-mhpmevent */
	PMUMAP_TABLE_COUNTERS,  /* riscv,event-to-mhpmcounters */
	PMUMAP_TABLE_RAW,       /* riscv,raw-event-to-mhpmcounters */
	PMUMAP_TABLE_RAW_2021   /* pmu,raw-event-to-mhpmcounters: its rows have no mask */
};

/*
 * Add all rows of a table: the value of its property as the tree stores it, big-endian and at any
 * address, and its length. A rest that is no whole row is ignored. NULL: the tree has no such
 * property, whatever bytes says; so pass on what fdt_getprop() returns.
 *
 * Returns  as pmumap_add_selector(); E_ARG also for an unknown table.
 */
PMUMAP_API enum pmumap_status pmumap_add_table(struct pmumap_builder *b, enum pmumap_table table,
					       const void *cells, size_t bytes);

/*
 * Bytes of a block that is always large enough for this many rows, as a constant:
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
#define PMUMAP_BLOCK_RAW_(n) ((n) == 0 ? 0u : 48u * (n) + 144u + 2u * PMUMAP_BLOCK_PLACES_((n)))
#define PMUMAP_BLOCK_PLACES_(n) ((n) < 32u ? 16u * (n) + 16u : 512u)

#define PMUMAP_EVENT_CACHE 0x10000u
#define PMUMAP_EVENT_RAW 0x20000u    /* the event is in the data, 48 bits */
#define PMUMAP_EVENT_RAW_V2 0x30000u /* the event is in the data, 56 bits */
#define PMUMAP_EVENT_FIRMWARE 0xf0000u

/*
 * The value for mhpmevent. Returns 1; or 0 if there is none, and *selector is unchanged.
 * Cost     one table access for codes 0..0x3f and 0x10000..0x1003f, which include all hardware
 *          events of SBI; otherwise a binary search.
 */
PMUMAP_API int pmumap_selector(const struct pmumap *m, uint32_t event, uint64_t *selector);

/*
 * The counters that some row offers for an event. Bit N: mhpmcounterN (0 mcycle, 1 time, 2
 * minstret).
 */
PMUMAP_API uint32_t pmumap_counters(const struct pmumap *m, uint32_t event);

/*
 * The counters of all rows that match a raw event: select == (raw & mask).
 * Cost     one row and an index of up to 512 places by the lowest bits. If that row does not match,
 *          the others that begin with the same bits too. All rows above about 10,000.
 */
PMUMAP_API uint32_t pmumap_raw_counters(const struct pmumap *m, uint64_t raw);

/* How to encode an event without a selector. */
enum pmumap_rule {
	PMUMAP_RULE_NONE,   /* not at all */
	PMUMAP_RULE_ABSENT, /* as event_idx if there is no selector table (QEMU's trees, RustSBI) */
	PMUMAP_RULE_ALWAYS  /* as event_idx (OpenSBI) */
};

/*
 * The value for mhpmevent of a hardware event: its selector, or event_idx by the rule; of a raw
 * event its data, cut to 48 or 56 bits. Returns 1; or 0, and *mhpmevent is unchanged.
 */
PMUMAP_API int pmumap_encode(const struct pmumap *m, uint32_t event, uint64_t data, unsigned rule,
			     uint64_t *mhpmevent);

/* Consecutive events with the same answers: counters, a selector, or both. */
struct pmumap_run {
	uint32_t first, last;
	uint32_t counters;
	uint32_t has_selector;
	uint64_t selector;
};

/* List the runs of the map. Begin with from 0, continue with last + 1. Returns 0 at the end. */
PMUMAP_API int pmumap_event_next(const struct pmumap *m, uint32_t from, struct pmumap_run *run);

/* List the raw rows in the map's order. Returns 0 if index is too large. */
PMUMAP_API int pmumap_raw_at(const struct pmumap *m, uint32_t index, uint64_t *select,
			     uint64_t *mask, uint32_t *counters);

/*
 * What a guest may use. A range with PMUMAP_EVENT_RAW (0x20000) grants raw events; a range with
 * PMUMAP_EVENT_RAW_V2 alone grants nothing.
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
 * Add the rows of a finished map; with grant, only granted events with granted counters. An event
 * without a counter loses its selector too.
 * Errors   E_ARG, as above; also if the map overlaps the builder's block: then nothing is added.
 * Cost     O(runs * ranges).
 */
PMUMAP_API enum pmumap_status pmumap_add_map(struct pmumap_builder *b, const struct pmumap *m,
					     const struct pmumap_grant *grant);

/*
 * Build a guest's map in a block of its own: pmumap_begin(), pmumap_add_map() and pmumap_finish()
 * in one call, with their errors.
 */
PMUMAP_API enum pmumap_status pmumap_restrict(const struct pmumap *m,
					      const struct pmumap_grant *grant, void *mem,
					      size_t bytes, const struct pmumap **map);

/* Whether SBI v3.0 defines the event (firmware: 0..21, 256..65535). 0 means "no event". */
PMUMAP_API int pmumap_event_valid(uint32_t event);
