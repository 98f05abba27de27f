/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/api.h"
#include "core/compiler.h"
#include "core/bits.h"

/*
 * A row waits at the end of the block for pmumap_finish(). Sorted by key, the rows of the event
 * tables are in the order of their events, and those of one event in the order of the description.
 */
struct pmumap_row_ {
	uint64_t key;   /* event << 33 | kind << 32 | row; of a raw row: select */
	uint64_t value; /* selector; the event after the last; of a raw row: mask */
	uint32_t counters;
	uint32_t row; /* its number; PMUMAP_RAW_ROW_: in the raw table; PMUMAP_ENTRY_: neither */
};

enum { PMUMAP_RANGE_, PMUMAP_SELECT_ };

#define PMUMAP_RAW_ROW_ 0x80000000u
#define PMUMAP_ENTRY_ 0xc0000000u
#define PMUMAP_MAX_BYTES_ 0x7fffffffu

static inline uint32_t pmumap_row_event_(const struct pmumap_row_ *r)
{
	return (uint32_t)(r->key >> 32) >> 1;
}

static inline int pmumap_row_is_selector_(const struct pmumap_row_ *r)
{
	return (int)((uint32_t)(r->key >> 32) & PMUMAP_SELECT_);
}

PMUMAP_DEF void pmumap_begin(struct pmumap_builder *b, void *mem, size_t bytes)
{
	pmumap_zero_words_(b, sizeof(*b));
	b->node = PMUMAP_NO_NODE;
	b->mem = (unsigned char *)mem;
	b->bytes = bytes;
	b->status = (size_t)mem % 8 ? PMUMAP_E_ARG : PMUMAP_OK;
	if (mem && b->status == PMUMAP_OK)
		b->room = bytes / sizeof(struct pmumap_row_);
}

#define PMUMAP_HAS_ENTRIES_                                                                        \
	((PMUMAP_BINDINGS & ~PMUMAP_RISCV) != 0) /* more is read than RISC-V's */

/* Rows of the other bindings. */
#define PMUMAP_ENTRIES_(b) (PMUMAP_HAS_ENTRIES_ ? (b)->later : 0)

/* The staged rows so far: the last bytes of the block, newest first. */
static inline struct pmumap_row_ *pmumap_builder_rows_(const struct pmumap_builder *b)
{
	return (struct pmumap_row_ *)(void *)(b->mem + (b->bytes & ~(size_t)7)) -
	       (b->staged + PMUMAP_ENTRIES_(b));
}

PMUMAP_OUTLINE_ enum pmumap_status pmumap_builder_add_row_(struct pmumap_builder *b, uint64_t key,
							   uint64_t value, uint32_t counters,
							   uint32_t row)
{
	struct pmumap_row_ *r;

	if (b->staged++ + PMUMAP_ENTRIES_(b) < b->room) {
		r = pmumap_builder_rows_(b);
		r->key = key;
		r->value = value;
		r->counters = counters;
		r->row = row;
	}
	return b->status;
}
