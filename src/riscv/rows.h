/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows that wait at the end of the block */
#pragma once

#include "riscv/api.h"
#include "core/bits.h"
#include "core/image.h"

/*
 * Rows wait at the end of the block for pmumap_finish(). The three kinds share one type so that one
 * sort orders them, by key and then value.
 *
 *	kind		key			value
 *	range		pmumap_row_key_()	the event after the last
 *	selector	pmumap_row_key_()	selector
 *	raw		select			mask
 */
struct pmumap_row_ {
	uint64_t key;
	uint64_t value;
	uint32_t counters; /* 0: a selector */
	uint32_t row;      /* its number; with PMUMAP_RAW_ROW_: in the raw table */
};

enum { PMUMAP_RANGE_, PMUMAP_SELECT_ };

#define PMUMAP_RAW_ROW_ 0x80000000u

/* The key of rows that are not raw orders them by event, then as they were added. */
static inline uint64_t pmumap_row_key_(uint32_t event, uint32_t kind, uint32_t row)
{
	return (uint64_t)(event << 1 | kind) << 32 | row;
}

/* The event of a selector, or the first event of a range. */
static inline uint32_t pmumap_row_event_(const struct pmumap_row_ *r)
{
	return (uint32_t)(r->key >> 32) >> 1;
}

/* For rows that are not raw: a selector or a range. */
static inline int pmumap_row_is_selector_(const struct pmumap_row_ *r)
{
	return (int)((uint32_t)(r->key >> 32) & PMUMAP_SELECT_);
}

/* The event after the last one of a range; it may need 33 bits. */
static inline uint64_t pmumap_row_end_(const struct pmumap_row_ *r)
{
	return r->value;
}

static inline uint32_t pmumap_row_number_(const struct pmumap_row_ *r)
{
	return r->row & ~PMUMAP_RAW_ROW_;
}

PMUMAP_DEF PMUMAP_COLD_ void pmumap_begin(struct pmumap_builder *b, void *mem, size_t bytes)
{
	pmumap_zero_words_(b, sizeof(*b));
	b->mem = (unsigned char *)mem;
	b->bytes = bytes;
	b->status = (size_t)mem % 8 ? PMUMAP_E_ARG : PMUMAP_OK;
	if (mem && b->status == PMUMAP_OK)
		b->room = bytes / sizeof(struct pmumap_row_);
}

/* The rows so far, newest first, at the end of the block. */
PMUMAP_ALWAYS_INLINE_ struct pmumap_row_ *pmumap_builder_rows_(const struct pmumap_builder *b)
{
	return (struct pmumap_row_ *)(void *)(b->mem + (b->bytes & ~(size_t)7)) - b->kept;
}

/* Keep a row if there is room. It is counted in any case. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ enum pmumap_status
pmumap_builder_add_row_(struct pmumap_builder *b, uint64_t key, uint64_t value, uint32_t counters,
			uint32_t row)
{
	struct pmumap_row_ *r;

	/* Test first, count after: a wrapped count must not index past the block. */
	if (b->kept < b->room) {
		r = pmumap_builder_rows_(b) - 1;
		r->key = key;
		r->value = value;
		r->counters = counters;
		r->row = row;
	}
	b->kept++;
	return b->status;
}
