/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Peers of pmumap: the searches of current firmware, written from their descriptions.
 *
 * OpenSBI keeps selectors in an array of 16-byte rows, where the first match counts and 0 means
 * none. All rows with counters (ranges and raw events) are in one array of 32-byte rows, which
 * every search reads to its end. Its limit of 255 rows is ignored here.
 *
 * RustSBI keeps selectors in an ordered map, and ranges and raw rows in one list each. The first
 * match ends a search.
 */
#ifndef PEERS_H
#define PEERS_H

#include "ordered.h"

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

struct peer_range {
	uint32_t first, last, counters;
};

struct peer_raw {
	uint64_t select, mask;
	uint32_t counters;
};

struct peer {
	struct peer_selector *selector;
	struct peer_row *row;
	uint32_t selectors, rows;
	uint32_t ranges; /* the first rows are ranges; this many */
	struct ordered *map;
	struct peer_range *range;
	struct peer_raw *raw;
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

static inline uint64_t peer_map_selector(const struct peer *p, uint32_t event)
{
	const uint64_t *selector = ordered_find(p->map, event);

	return selector ? *selector : 0;
}

static inline uint32_t peer_list_counters(const struct peer *p, uint32_t event)
{
	uint32_t i;

	for (i = 0; i < p->ranges; i++) {
		if (event >= p->range[i].first && event <= p->range[i].last)
			return p->range[i].counters;
	}
	return 0;
}

static inline uint32_t peer_list_raw(const struct peer *p, uint64_t data)
{
	uint32_t i, n = p->rows - p->ranges;

	for (i = 0; i < n; i++) {
		if (p->raw[i].select == (data & p->raw[i].mask))
			return p->raw[i].counters;
	}
	return 0;
}

/* RustSBI's form of the other peers' data. */
static inline void peer_lists(struct peer *p)
{
	struct ordered_pair *pair = need_memory(p->selectors * sizeof(*pair));
	uint32_t i, n = p->rows - p->ranges;

	for (i = 0; i < p->selectors; i++) {
		pair[i].key = p->selector[i].event;
		pair[i].value = p->selector[i].selector;
	}
	qsort(pair, p->selectors, sizeof(*pair), ordered_before);
	p->map = ordered_make(pair, p->selectors);
	free(pair);
	p->range = need_memory(p->ranges * sizeof(*p->range));
	for (i = 0; i < p->ranges; i++) {
		p->range[i].first = p->row[i].first;
		p->range[i].last = p->row[i].last;
		p->range[i].counters = p->row[i].counters;
	}
	p->raw = need_memory(n * sizeof(*p->raw));
	for (i = 0; i < n; i++) {
		p->raw[i].select = p->row[p->ranges + i].select;
		p->raw[i].mask = p->row[p->ranges + i].mask;
		p->raw[i].counters = p->row[p->ranges + i].counters;
	}
}

#endif
