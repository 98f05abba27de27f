/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables of events and of raw rows */
#pragma once

#include "riscv/api.h"
#include "core/compiler.h"
#include "core/image.h"

#define PMUMAP_EVENT_CYCLES_ 1u       /* the events that a fixed counter can count: mcycle ... */
#define PMUMAP_EVENT_INSTRUCTIONS_ 2u /* ... and minstret */

#define PMUMAP_EVENT_PLATFORM_ (PMUMAP_EVENT_FIRMWARE | 0xffffu) /* its code is in the data */
#define PMUMAP_EVENT_RAW_END_ 0x40000u /* the first event after the codes of raw events */

#define PMUMAP_COUNTERS_ 32u /* of a hart: the bits of a set of counters */

/* The fixed counters, as bits. */
#define PMUMAP_CYCLE_BIT_ 1u
#define PMUMAP_TIME_BIT_ 2u
#define PMUMAP_INSTRET_BIT_ 4u
#define PMUMAP_FIXED_COUNTERS_ (PMUMAP_CYCLE_BIT_ | PMUMAP_TIME_BIT_ | PMUMAP_INSTRET_BIT_)
#define PMUMAP_FIRST_PROGRAMMABLE_ 3

#define PMUMAP_RECORD_HAS_SELECTOR_ 0x80000000u /* pmumap_record.key */
#define PMUMAP_INDEXED_EVENTS_ 128u             /* that have a byte in event_index */
#define PMUMAP_RAW_PLACES_ 512u                 /* of the raw index, at most */

/* raw_count rows, and raw_copies behind them. */
static inline const struct pmumap_raw_row *pmumap_riscv_raw_rows_(const struct pmumap *m)
{
	return (const struct pmumap_raw_row *)pmumap_image_at_(m, m->raw_rows);
}

/* Lies where records were written. */
typedef uint16_t pmumap_raw_place_ PMUMAP_MAY_ALIAS_;

/* For each place, its first row. */
static inline const pmumap_raw_place_ *pmumap_riscv_raw_index_(const struct pmumap *m)
{
	return (const pmumap_raw_place_ *)(const void *)&m->record[1];
}

/* The records that the raw index takes. */
static inline uint32_t pmumap_riscv_raw_records_(const struct pmumap *m)
{
	return (m->raw_low + 8) / 8;
}

/* The row so many bytes from raw_none. That is part of the load, which saves an instruction. */
static inline const struct pmumap_raw_row *pmumap_riscv_raw_row_(const struct pmumap *m,
								 size_t offset)
{
	return &((const struct pmumap *)(const void *)((const char *)m + offset))->raw_none;
}

/* Offsets in struct pmumap; there may be no <stddef.h> to ask. */
#define PMUMAP_RAW_NONE_AT_ 48u
#define PMUMAP_RECORDS_AT_ 200u

/* Where a row is from raw_none on. */
static inline uint32_t pmumap_riscv_raw_offset_(const struct pmumap *m, uint32_t row)
{
	return m->raw_rows - PMUMAP_RAW_NONE_AT_ + row * (uint32_t)sizeof(struct pmumap_raw_row);
}

/* The first event that a record of the sorted run covers. */
static inline uint32_t pmumap_riscv_first_event_(const struct pmumap_record *r)
{
	return r->key & ~PMUMAP_RECORD_HAS_SELECTOR_;
}

/* SBI's hardware events: 1 to 10, and 7 caches with 3 operations (2 bits) and 2 results. */
static inline int pmumap_riscv_is_hardware_event_(uint32_t event)
{
	if (event < PMUMAP_EVENT_CACHE)
		return event >= 1 && event <= 10;
	event -= PMUMAP_EVENT_CACHE;
	return event < 7 * 8 && (event & 6) != 6;
}

/* Whether an event has a byte in event_index: 0 to 0x3f, 0x10000 to 0x1003f. */
static inline int pmumap_riscv_is_indexed_event_(uint32_t event)
{
	size_t page = event >> 6; /* size_t gives the smallest code on RISC-V */

	return (page & ~(size_t)(PMUMAP_EVENT_CACHE >> 6)) == 0;
}

static inline uint32_t pmumap_riscv_index_slot_(uint32_t event)
{
	return (event | event >> 10) & 0x7f;
}

static inline uint32_t pmumap_riscv_slot_event_(uint32_t slot)
{
	return (slot & 0x3f) | (slot & 0x40) << 10;
}

/* The last record of the sorted run that starts at or before the event. */
static inline const struct pmumap_record *pmumap_riscv_search_record_(const struct pmumap *m,
								      uint32_t event)
{
	const struct pmumap_record *r = m->record;
	uint32_t n = m->sorted_count;

	if (event >= PMUMAP_EVENT_LIMIT)
		return r;
	r += m->sorted;
	while (n > 1) {
		uint32_t half = n / 2;

		r += pmumap_riscv_first_event_(&r[half]) <= event ? half : 0;
		n -= half;
	}
	return r;
}

/*
 * The record of an event with an index byte. The offset of the records is part of the load, which
 * saves an instruction on RISC-V.
 */
static inline const struct pmumap_record *pmumap_riscv_indexed_record_(const struct pmumap *m,
								       uint32_t event)
{
	uint32_t i = m->event_index[pmumap_riscv_index_slot_(event)];

	return ((const struct pmumap *)pmumap_image_at_(m, i * (uint32_t)sizeof(m->record[0])))
		->record;
}

static inline const struct pmumap_record *pmumap_riscv_record_of_event_(const struct pmumap *m,
									uint32_t event)
{
	return pmumap_riscv_is_indexed_event_(event) ? pmumap_riscv_indexed_record_(m, event)
						     : pmumap_riscv_search_record_(m, event);
}

#define PMUMAP_RAW_BITS_ 0xffffffffffffu /* the bits of a raw event: 48, or 56 */
#define PMUMAP_RAW_V2_BITS_ 0xffffffffffffffu

/* The bits of a raw event, or 0 for any other event. */
static inline uint64_t pmumap_riscv_raw_bits_(uint32_t event)
{
	if (event == PMUMAP_EVENT_RAW)
		return PMUMAP_RAW_BITS_;
	return event == PMUMAP_EVENT_RAW_V2 ? PMUMAP_RAW_V2_BITS_ : 0;
}

/* The lowest set bit's number; x is not 0. */
static inline uint32_t pmumap_lowest_bit_(uint32_t x)
{
	uint32_t n = 0;

	if (!(x & 0xffff)) {
		n = 16;
		x >>= 16;
	}
	if (!(x & 0xff)) {
		n += 8;
		x >>= 8;
	}
	if (!(x & 0xf)) {
		n += 4;
		x >>= 4;
	}
	if (!(x & 3)) {
		n += 2;
		x >>= 2;
	}
	return n + !(x & 1);
}

/* How many bits x needs; 0 for 0. */
static inline uint32_t pmumap_bit_width_(uint64_t x)
{
	uint32_t n = 0;

	for (; x; x >>= 1)
		n++;
	return n;
}
