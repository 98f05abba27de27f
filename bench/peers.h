/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What pmumap is compared with: the plain scans of today's firmware, from their description.
 *
 * OpenSBI keeps the selectors in one array of 16-byte rows, where the first match counts and 0 is
 * none; and all rows that name counters, those of ranges and those of raw events, in one array of
 * 32-byte rows, which every search reads to its end. Its limit of 255 rows is not imitated.
 */
#ifndef PEERS_H
#define PEERS_H

#include <stdint.h>

#define PEER_RAW_FIRST 0x20000u
#define PEER_RAW_LAST 0x30000u

struct peer_selector {
	uint32_t event;
	uint64_t selector;
};

struct peer_row {
	uint32_t first, last, counters;
	uint64_t select, mask;
};

struct peer {
	struct peer_selector *selector;
	struct peer_row *row;
	uint32_t selectors, rows;
	uint32_t ranges; /* how many of the rows, the first ones, are ranges */
};

static inline uint64_t peer_selector(const struct peer *p, uint32_t event)
{
	uint32_t i;

	for (i = 0; i < p->selectors; i++) {
		if (p->selector[i].event == event)
			return p->selector[i].selector;
	}
	return 0;
}

static inline uint32_t peer_counters(const struct peer *p, uint32_t event, uint64_t data)
{
	int raw = event == PEER_RAW_FIRST || event == PEER_RAW_LAST;
	uint32_t i, counters = 0;

	for (i = 0; i < p->rows; i++) {
		const struct peer_row *row = &p->row[i];

		if (event < row->first || event > row->last)
			continue;
		if (raw && row->select != (data & row->mask))
			continue;
		counters |= row->counters;
	}
	return counters;
}

#endif
