/* SPDX-License-Identifier: BSD-2-Clause */
/* The image of a map */
#pragma once

#include "core/findings_api.h"

#define PMUMAP_MAGIC 0x504d554du
#define PMUMAP_EVENT_LIMIT 0x100000u /* event_idx of the SBI specification has 20 bits */

/*
 * The answers for one event. The table begins with the records that event_index points to. The
 * sorted run follows, up to the end: sorted by first event, it covers all events without an index
 * byte.
 */
struct pmumap_record {
	uint64_t selector;
	uint32_t counters;
	uint32_t key; /* bit 31: has a selector; the rest, in the sorted run: first event */
};

struct pmumap_raw_row {
	uint64_t select, mask;
	uint32_t counters;
	uint32_t more; /* the next row of the same place, in bytes from raw_none; 0: the last */
};

/*
 * The head of every map; its tables follow in the same block, at offsets in bytes from the head. A
 * zeroed struct pmumap is a valid, empty map. Read it through the functions below: its members
 * change with PMUMAP_IMAGE_VERSION.
 */
struct pmumap {
	struct pmumap_head_ head; /* flags: PMUMAP_HAS_SELECTORS */
	uint32_t records;         /* all records; record[0] is absent: no selector, no counter */
	uint32_t sorted;          /* the first record of the sorted run, for event 0 on ... */
	uint32_t sorted_count;    /* ... and how many it has; record[0] alone if it is empty */
	uint32_t raw_rows;        /* offset of raw_count rows, and raw_copies behind them */
	uint32_t raw_count;
	uint32_t raw_copies;
	uint32_t raw_low;               /* the lowest bits of a raw event, which are its place */
	uint32_t reserved;              /* 0 */
	struct pmumap_raw_row raw_none; /* of a place without rows; more: all rows, unindexed */
	uint8_t event_index[128];
	/*
	 * From record[1] on lies the raw index: for each place its first row, in units of 8 bytes
	 * from raw_none. It takes (raw_low + 8) / 8 records.
	 */
	struct pmumap_record record[2];
};

#define PMUMAP_HAS_SELECTORS 1u /* head.flags: the description has a table of selectors */

/*
 * Validate an image from elsewhere; afterwards no look-up reads outside it. image: 8-byte aligned;
 * bytes: at least its size, which is at most 2 GiB.
 *
 * Returns  PMUMAP_OK and the map, which is the image itself; on failure *map is NULL.
 * Errors   E_ARG, E_IMAGE_*.
 * Cost     O(size); writes nothing.
 */
PMUMAP_API enum pmumap_status pmumap_open(const void *image, size_t bytes,
					  const struct pmumap **map);

/* Bytes of the image, for copying or storing it. */
PMUMAP_API size_t pmumap_size(const struct pmumap *m);
