/* SPDX-License-Identifier: BSD-2-Clause */
/* Index raw rows by their lowest bits */
#pragma once

#include "riscv/rows.h"
#include "riscv/tables.h"

#define PMUMAP_RAW_SPARE_ 6u       /* n rows have at most n and this many copies */
#define PMUMAP_RAW_WALK_ 8u        /* rows of its place that a new one is compared with */
#define PMUMAP_RAW_REACH_ 0x80000u /* the index leads to rows in this many bytes */

/* How many places the index of n rows may have. */
static inline uint32_t pmumap_riscv_most_places_(uint64_t n)
{
	return n < PMUMAP_RAW_PLACES_ / 16 ? 16 * (uint32_t)n + 16 : PMUMAP_RAW_PLACES_;
}

static inline struct pmumap_raw_row *pmumap_riscv_built_rows_(struct pmumap *m)
{
	return (struct pmumap_raw_row *)(void *)((char *)m + m->raw_rows);
}

/*
 * The counters of a row, and of those of its place, from the first on, that match whenever it does.
 * 0: others may match too, or there are many.
 */
static inline uint32_t pmumap_riscv_join_raw_(const struct pmumap *m,
					      const struct pmumap_raw_row *row, uint32_t first)
{
	uint32_t counters = row->counters, left = PMUMAP_RAW_WALK_;

	for (;;) {
		const struct pmumap_raw_row *r = pmumap_riscv_raw_row_(m, first);

		if (((r->select ^ row->select) & r->mask & row->mask) == 0) {
			if (r->mask & ~row->mask)
				return 0;
			counters |= r->counters;
		}
		first = r->more;
		if (!first)
			return counters;
		if (--left == 0)
			return 0;
	}
}

/* Put a new copy before the first row of a place. */
static inline void pmumap_riscv_push_raw_(struct pmumap *m, pmumap_raw_place_ *first,
					  uint64_t select, uint64_t mask, uint32_t counters)
{
	uint32_t i = m->raw_count + m->raw_copies++, offset = pmumap_riscv_raw_offset_(m, i);
	struct pmumap_raw_row *row = pmumap_riscv_built_rows_(m) + i;

	row->select = select;
	row->mask = mask;
	row->counters = counters;
	row->more = (uint32_t)*first << 3;
	*first = (uint16_t)(offset >> 3);
}

/*
 * Add row i to a place. The first row of a place has the counters of all that match with it. If
 * that is not known, a guard comes first, which matches nothing: the only one without counters.
 */
static inline void pmumap_riscv_put_raw_(struct pmumap *m, uint32_t i, pmumap_raw_place_ *first)
{
	struct pmumap_raw_row *rows = pmumap_riscv_built_rows_(m), *row = rows + i, *guard;
	uint32_t counters = 0;

	if (!*first) {
		*first = (uint16_t)(pmumap_riscv_raw_offset_(m, i) >> 3);
		return;
	}
	guard = (struct pmumap_raw_row *)(void *)((char *)&m->raw_none + ((size_t)*first << 3));
	if (!guard->counters) {
		guard->select = row->select;
		guard->mask = row->mask;
		guard->counters = row->counters;
	} else {
		counters = pmumap_riscv_join_raw_(m, row, (uint32_t)*first << 3);
		pmumap_riscv_push_raw_(m, first, row->select, row->mask,
				       counters ? counters : row->counters);
	}
	if (counters)
		return;
	pmumap_riscv_push_raw_(m, first, 1, 0, 0);
}

/* Whether the index would not reach all rows, were they stored here. */
static inline int pmumap_riscv_is_raw_far_(const struct pmumap *m)
{
	uint64_t rows = 2 * (uint64_t)m->raw_count + PMUMAP_RAW_SPARE_;

	return m->raw_rows + rows * sizeof(struct pmumap_raw_row) > PMUMAP_RAW_REACH_;
}

/* How crowded an index is: its places with rows, and the rows in them, each as often as it is. */
struct pmumap_riscv_crowd_ {
	uint32_t places, rows;
};

/*
 * Put each row into its places: all values of the low bits that its mask ignores. Returns 0 if that
 * takes too many copies, or the index would not reach them; with apart, also if a place has two.
 */
static inline int pmumap_riscv_place_rows_(struct pmumap *m, int apart,
					   struct pmumap_riscv_crowd_ *crowd)
{
	const struct pmumap_raw_row *r = pmumap_riscv_built_rows_(m);
	pmumap_raw_place_ *index = (pmumap_raw_place_ *)(void *)&m->record[1];
	uint32_t i, low = m->raw_low;

	if (pmumap_riscv_is_raw_far_(m))
		return 0;
	pmumap_zero_words_(index, pmumap_riscv_raw_records_(m) * sizeof(m->record[0]));
	crowd->places = crowd->rows = 0;
	m->raw_copies = 0;
	for (i = 0; i < m->raw_count; i++) {
		uint32_t any = low & ~(uint32_t)r[i].mask, more = 0;

		do {
			pmumap_raw_place_ *first = &index[((uint32_t)r[i].select & low) | more];

			if ((apart && *first) ||
			    m->raw_copies + 2 > m->raw_count + PMUMAP_RAW_SPARE_)
				return 0;
			crowd->places += !*first;
			crowd->rows++;
			pmumap_riscv_put_raw_(m, i, first);
			more = (more - any) & any;
		} while (more);
	}
	return 1;
}

/* Store n rows at this offset. */
static inline void pmumap_riscv_store_raw_(struct pmumap *m, uint32_t offset,
					   const struct pmumap_row_ *r, uint32_t n)
{
	struct pmumap_raw_row *row;
	uint32_t i;

	m->raw_rows = offset;
	m->raw_count = n;
	row = pmumap_riscv_built_rows_(m);
	for (i = 0; i < n; i++) {
		row[i].select = r[i].key;
		row[i].mask = r[i].value;
		row[i].counters = r[i].counters;
		row[i].more = 0;
	}
}

/*
 * Choose the bits of the index, by trial, before records are built behind it: the fewest that give
 * each row places of its own, or those that make places least crowded; a bit more must then gain an
 * eighth.
 */
static inline void pmumap_riscv_choose_raw_(struct pmumap *m, const struct pmumap_row_ *r,
					    uint32_t n)
{
	uint32_t low, chosen = 0, most = pmumap_riscv_most_places_(n);
	struct pmumap_riscv_crowd_ best = { 1, 0 }, crowd;

	best.rows = n;
	pmumap_riscv_store_raw_(m, (uint32_t)sizeof(*m) + 2 * most, r, n);
	for (low = 0; low < most; low = 2 * low + 1) {
		m->raw_low = low;
		if (n <= low + 1 && pmumap_riscv_place_rows_(m, 1, &crowd))
			return;
	}
	for (low = 0; low < most; low = 2 * low + 1) {
		m->raw_low = low;
		if ((n > 4 * low + 4 && low + 1 < most) || !pmumap_riscv_place_rows_(m, 0, &crowd))
			continue;
		if (8 * crowd.rows * best.places < 7 * best.rows * crowd.places) {
			best = crowd;
			chosen = low;
		}
	}
	m->raw_low = chosen;
}

/* Chain all rows, for any place. */
static inline void pmumap_riscv_chain_raw_(struct pmumap *m)
{
	struct pmumap_raw_row *row = pmumap_riscv_built_rows_(m);
	uint32_t i;

	pmumap_zero_words_(&m->record[1], pmumap_riscv_raw_records_(m) * sizeof(m->record[0]));
	m->raw_copies = 0;
	for (i = 1; i < m->raw_count; i++)
		row[i].more = pmumap_riscv_raw_offset_(m, i - 1);
	m->raw_none.select = 1;
	m->raw_none.more = pmumap_riscv_raw_offset_(m, m->raw_count - 1);
}

/* Make the raw rows and their index, for which there is room before the records. */
static inline void pmumap_riscv_build_raw_(struct pmumap *m, const struct pmumap_row_ *r,
					   uint32_t n)
{
	struct pmumap_riscv_crowd_ crowd;

	pmumap_riscv_store_raw_(m, m->head.size, r, n);
	if (!pmumap_riscv_place_rows_(m, 0, &crowd))
		pmumap_riscv_chain_raw_(m);
	m->head.size += (n + m->raw_copies) * (uint32_t)sizeof(struct pmumap_raw_row);
}
