/* SPDX-License-Identifier: BSD-2-Clause */
/* Turn raw rows into a hash index */
#pragma once

#include "riscv/rows.h"
#include "riscv/tables.h"

/* Count the rows in each place. Returns 0 if a place has more than most. */
static inline int pmumap_riscv_try_raw_hash_(const struct pmumap *m, uint16_t *index,
					     const struct pmumap_row_ *r, uint32_t n, uint32_t most)
{
	uint32_t i;

	pmumap_zero_words_(index, sizeof(*index) << (32 - m->raw_shift));
	for (i = 0; i < n; i++) {
		if (++index[pmumap_riscv_raw_place_(m, pmumap_row_select_(&r[i]))] > most)
			return 0;
	}
	return 1;
}

/* With up to this many rows, try one row per place first, then 2, 4, 8 and 16. */
#define PMUMAP_RAW_PERFECT_ROWS_ 64u

/* With more rows there is no index: pmumap_raw_counters() scans all. */
#define PMUMAP_RAW_INDEXED_ROWS_ 32768u

/*
 * Find a hash in a bounded number of tries, so that no table makes a build slow. Returns 0 if there
 * is none. The number of a try encodes the rows allowed per place (1, 2, 4, 8, 16: bit 7 on), the
 * size of the index (1, 2, 4, 8 times the least: bits 5 and 6) and one of 32 multipliers. With many
 * rows, only 8 per place and double size are tried.
 */
static inline int pmumap_riscv_find_raw_hash_(struct pmumap *m, uint16_t *index,
					      const struct pmumap_row_ *r, uint32_t n)
{
	uint32_t bits = 2, end = n > PMUMAP_RAW_PERFECT_ROWS_ ? 14 * 32 : 20 * 32;
	uint32_t i = n > PMUMAP_RAW_PERFECT_ROWS_ ? 13 * 32 : 0;

	while (n >> bits)
		bits++;
	for (; i < end && n <= PMUMAP_RAW_INDEXED_ROWS_; i++) {
		m->raw_shift = 32 - bits - (i >> 5 & 3);
		m->raw_multiplier = 0x9e3779b19e3779b1u * (2 * i + 1);
		if (pmumap_riscv_try_raw_hash_(m, index, r, n, 1u << (i >> 7)))
			return 1;
	}
	return 0;
}

/* Turn the count of each place into the number of its first row; 0: none. */
static inline void pmumap_riscv_begin_places_(uint16_t *index, uint32_t bits)
{
	size_t place, next = 1;

	for (place = 0; place >> bits == 0; place++) {
		uint32_t count = index[place];

		index[place] = (uint16_t)(count ? next : 0);
		next += count;
	}
}

/* The bits that all rows compare. */
static inline uint64_t pmumap_riscv_common_bits_(const struct pmumap_row_ *r, uint32_t n)
{
	uint64_t common = ~(uint64_t)0;
	uint32_t i;

	for (i = 0; i < n; i++) {
		uint64_t mask = pmumap_row_mask_(&r[i]);

		common &= mask;
	}
	return common;
}

/* Fill the first free row from here on; more is 1 in those before it. */
static inline void pmumap_riscv_put_row_(struct pmumap_raw_row *row, const struct pmumap_row_ *r)
{
	while (row->counters) { /* taken: counters is never 0 */
		row->more = 1;
		row++;
	}
	row->select = pmumap_row_select_(r);
	row->mask = pmumap_row_mask_(r);
	row->counters = r->counters;
}

/* Put each row into its place; without an index, in order. */
static inline void pmumap_riscv_put_rows_(const struct pmumap *m, struct pmumap_raw_row *rows,
					  const uint16_t *index, const struct pmumap_row_ *r,
					  uint32_t n)
{
	uint32_t i, at;

	for (i = 0; i < n; i++) {
		at = i + 1;
		if (m->raw_index)
			at = index[pmumap_riscv_raw_place_(m, pmumap_row_select_(&r[i]))];
		pmumap_riscv_put_row_(rows + at, &r[i]);
	}
}

/* Make the raw tables. Rows of one place are adjacent; more is 1 in all but the last. */
static inline void pmumap_riscv_build_raw_(struct pmumap *m, const struct pmumap_row_ *r,
					   uint32_t n)
{
	struct pmumap_raw_row *rows = (struct pmumap_raw_row *)(void *)((char *)m + m->head.size);
	uint16_t *index = (uint16_t *)(void *)(rows + n + 1);
	uint32_t size = m->head.size;

	pmumap_zero_words_(rows, (n + 1) * sizeof(*rows));
	rows->select = 1;
	m->raw_rows = size;
	m->raw_count = n;
	m->raw_common = pmumap_riscv_common_bits_(r, n);
	size += (n + 1) * (uint32_t)sizeof(*rows);
	if (pmumap_riscv_find_raw_hash_(m, index, r, n)) {
		pmumap_riscv_begin_places_(index, 32 - m->raw_shift);
		m->raw_index = size;
		size += (uint32_t)sizeof(*index) << (32 - m->raw_shift);
	}
	m->head.size = size;
	pmumap_riscv_put_rows_(m, rows, index, r, n);
}
