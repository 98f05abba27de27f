/* SPDX-License-Identifier: BSD-2-Clause */
/* Validate the tables of a foreign image */
#pragma once

#include "riscv/tables.h"

/*
 * Whether each selector of the sorted run belongs to one event. One selector for a million events
 * would make pmumap_add_map() add a million rows.
 */
static inline int pmumap_riscv_open_selectors_(const struct pmumap *m)
{
	const struct pmumap_record *r = m->record;
	uint32_t next = PMUMAP_EVENT_LIMIT, first, end, i;

	r += m->sorted;
	for (i = m->sorted_count; i > 0; i--) {
		first = pmumap_riscv_first_event_(&r[i - 1]);
		/* After event 0xffff the run skips the events with an index byte. */
		end = first == PMUMAP_EVENT_CACHE - 1 ? PMUMAP_EVENT_CACHE + 0x40 : first + 1;
		if ((r[i - 1].key & PMUMAP_RECORD_HAS_SELECTOR_) && next != end)
			return 0;
		next = first;
	}
	return 1;
}

/*
 * Whether the records are valid: in bounds, record[0] empty, every index byte in range, the sorted
 * run rising from event 0, and its selectors for one event each.
 */
static inline int pmumap_riscv_open_events_(const struct pmumap *m)
{
	const struct pmumap_record *r = m->record;
	uint32_t i;

	if ((uint64_t)m->records * sizeof(*r) > m->head.size - PMUMAP_RECORDS_AT_)
		return 0;
	if (r->selector || r->counters || r->key)
		return 0;
	for (i = 0; i < sizeof(m->event_index); i++) {
		if (m->event_index[i] >= m->records)
			return 0;
	}
	if (m->sorted >= m->records || m->sorted_count == 0 ||
	    m->sorted_count > m->records - m->sorted)
		return 0;
	r += m->sorted;
	if (pmumap_riscv_first_event_(r))
		return 0;
	for (i = 1; i < m->sorted_count; i++) {
		if (pmumap_riscv_first_event_(&r[i]) <= pmumap_riscv_first_event_(&r[i - 1]) ||
		    pmumap_riscv_first_event_(&r[i]) >= PMUMAP_EVENT_LIMIT)
			return 0;
	}
	return pmumap_riscv_open_selectors_(m);
}

/*
 * The number of the row at this offset from the first one; too high for any number of rows if there
 * is none. 3 * 0xaaaaaaab is 1 modulo 2^32, and no two offsets have the same number.
 */
static inline uint32_t pmumap_riscv_raw_number_(uint32_t offset)
{
	return (offset >> 3 | offset << 29) * 0xaaaaaaabu;
}

/* Whether an offset is 0, for none, or that of one of the first rows. */
static inline int pmumap_riscv_leads_to_row_(const struct pmumap *m, uint32_t offset, uint32_t rows)
{
	uint32_t first = pmumap_riscv_raw_offset_(m, 0);

	return !offset || (offset >= first && pmumap_riscv_raw_number_(offset - first) < rows);
}

/* Whether the index is in bounds and leads to rows only. */
static inline int pmumap_riscv_open_raw_index_(const struct pmumap *m, uint32_t rows)
{
	const uint16_t *index = pmumap_riscv_raw_index_(m);
	uint32_t i;

	if (m->raw_low >= PMUMAP_RAW_PLACES_ || (m->raw_low & (m->raw_low + 1)) ||
	    m->records < 1 + pmumap_riscv_raw_records_(m))
		return 0;
	for (i = 0; i <= m->raw_low; i++) {
		if (!pmumap_riscv_leads_to_row_(m, (uint32_t)index[i] << 3, rows))
			return 0;
	}
	return pmumap_riscv_leads_to_row_(m, m->raw_none.more, rows);
}

/* Whether the raw rows are in bounds, and each leads to an earlier one, or to none. */
static inline int pmumap_riscv_open_raw_(const struct pmumap *m)
{
	const struct pmumap_raw_row *r;
	uint32_t i, rows = m->raw_count + m->raw_copies;

	if (m->raw_copies > 0xffffffffu - m->raw_count ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->raw_rows, rows, sizeof(struct pmumap_raw_row)))
		return 0;
	r = pmumap_riscv_raw_rows_(m);
	for (i = 0; i < rows; i++) {
		if (!pmumap_riscv_leads_to_row_(m, r[i].more, i))
			return 0;
	}
	return pmumap_riscv_open_raw_index_(m, rows);
}

/* The layout is the image format: the same on every target of one byte order. */
typedef char pmumap_image_layout_[sizeof(struct pmumap) == 232 &&
						  sizeof(struct pmumap_record) == 16 &&
						  sizeof(struct pmumap_raw_row) == 24
					  ? 1
					  : -1];

PMUMAP_DEF enum pmumap_status pmumap_open(const void *image, size_t bytes,
					  const struct pmumap **map)
{
	const struct pmumap *m = (const struct pmumap *)image;
	enum pmumap_status status;

	if (!map)
		return PMUMAP_E_ARG;
	*map = 0;
	status = pmumap_image_check_(image, bytes, PMUMAP_MAGIC, sizeof(*m));
	if (status != PMUMAP_OK)
		return status;
	if (!pmumap_riscv_open_events_(m) || !pmumap_riscv_open_raw_(m))
		return PMUMAP_E_IMAGE_TABLE;
	*map = m;
	return PMUMAP_OK;
}

PMUMAP_DEF size_t pmumap_size(const struct pmumap *m)
{
	return m->head.size;
}
