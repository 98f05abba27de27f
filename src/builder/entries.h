/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/api.h"
#include "core/compiler.h"
#include "builder/rows.h"

/*
 * Rows of the other bindings wait as RISC-V's do, but in the order of the calls: the number of a
 * row stands inverted in the upper half of its key, so that the newest is the lowest, sorted or
 * not.
 */
PMUMAP_OUTLINE_ enum pmumap_status pmumap_builder_add_entry_(struct pmumap_builder *b,
							     uint32_t kind, uint64_t value,
							     uint32_t x, uint32_t y)
{
	struct pmumap_row_ *r;

	b->mixed |= b->staged != 0;
	b->later++;
	b->extra += sizeof(*r);
	if (b->staged + b->later <= b->room) {
		r = pmumap_builder_rows_(b);
		r->key = (uint64_t)(uint32_t)~b->later << 32 | y;
		r->value = value;
		r->counters = x;
		r->row = PMUMAP_ENTRY_ | kind;
	}
	return b->status;
}

/* Number i of these rows, the oldest first. */
static inline struct pmumap_row_ *pmumap_builder_entry_(const struct pmumap_builder *b, uint32_t i)
{
	return (struct pmumap_row_ *)(void *)(b->mem + (b->bytes & ~(size_t)7)) - 1 - i;
}

static inline uint32_t pmumap_entry_kind_(const struct pmumap_row_ *r)
{
	return r->row & (0x3fu << 24);
}

/* The second number of a row. */
static inline uint32_t pmumap_entry_y_(const struct pmumap_row_ *r)
{
	return (uint32_t)r->key;
}

static inline void pmumap_entry_set_y_(struct pmumap_row_ *r, uint32_t y)
{
	r->key = (r->key & ~(uint64_t)0xffffffffu) | y;
}

/* A string that the map will hold, and two places for it in the table that finds it again. */
static inline uint64_t pmumap_builder_reserve_text_(struct pmumap_builder *b, const char *text)
{
	uint32_t bytes = 1;

	while (text[bytes - 1]) {
		bytes++;
		PMUMAP_NO_LIBCALL_();
	}
	b->extra += bytes + 2 * sizeof(uint32_t);
	return (size_t)text;
}

static inline int pmumap_entry_id_before_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_builder *builder = (const struct pmumap_builder *)context;
	uint64_t x = pmumap_builder_entry_(builder, a)->value,
		 y = pmumap_builder_entry_(builder, b)->value;

	return x != y ? x < y : a < b;
}

/* The first of some rows, sorted by value, with this one; NO_ROW: none, or 0. */
static inline uint32_t pmumap_builder_find_entry_(const struct pmumap_builder *b,
						  const uint32_t *rows, uint32_t count,
						  uint32_t value)
{
	uint32_t low = 0, n = count;

	while (n) {
		uint32_t half = n / 2;

		if (pmumap_builder_entry_(b, rows[low + half])->value < value) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return value && low < count && pmumap_builder_entry_(b, rows[low])->value == value
		       ? rows[low]
		       : PMUMAP_NO_ROW;
}
