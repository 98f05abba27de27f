/* SPDX-License-Identifier: BSD-2-Clause */
/* The entries of other bindings, which wait there too */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/map_api.h"
#include "builder/api.h"
#include "core/compiler.h"
#include "builder/rows.h"

/*
 * What bindings other than RISC-V keep until pmumap_finish(). An entry is as large as a row and
 * waits beside the rows, in the order of the calls, newest first. A binding has a struct for each
 * kind of its entries. It begins with a number to find it by, or with a text, and ends with the
 * kind. Entries are moved as rows are: hence MAY_ALIAS.
 */
struct pmumap_entry_ {
	uint64_t value;
	uint32_t numbers[3];
	uint32_t kind; /* PMUMAP_ENTRY_, the kind and its flags */
} PMUMAP_MAY_ALIAS_;

#define PMUMAP_ENTRY_FLAGS_ 0xffffffu /* the bits of kind that flags may use */

/* Entry i, counted from the oldest, as a struct of its kind: imc_list, amu_view and so on. */
#define PMUMAP_ENTRY_AT_(name, b, i) ((struct pmumap_##name##_entry_ *)pmumap_builder_entry_(b, i))

static inline void *pmumap_builder_entry_(const struct pmumap_builder *b, uint32_t i)
{
	return (struct pmumap_entry_ *)(void *)(b->own.mem + (b->own.bytes & ~(size_t)7)) - 1 - i;
}

static inline uint32_t pmumap_entry_kind_(const struct pmumap_builder *b, uint32_t i)
{
	const struct pmumap_entry_ *e = (const struct pmumap_entry_ *)pmumap_builder_entry_(b, i);

	return e->kind & ~(PMUMAP_ENTRY_ | PMUMAP_ENTRY_FLAGS_);
}

/* The number that an entry begins with. */
static inline uint64_t pmumap_entry_value_(const struct pmumap_builder *b, uint32_t i)
{
	return ((const struct pmumap_entry_ *)pmumap_builder_entry_(b, i))->value;
}

/* Add an entry. The caller fills in all but the kind. NULL: no room, or the build only measures. */
PMUMAP_OUTLINE_ void *pmumap_builder_add_entry_(struct pmumap_builder *b, uint32_t kind)
{
	struct pmumap_entry_ *e = 0;

	b->own.entry_bytes += sizeof(*e);
	if (b->own.entry_bytes > PMUMAP_MAX_BYTES_) /* pmumap_finish() says so */
		return 0;
	b->own.interleaved |= b->own.kept != 0;
	if (b->own.kept + b->own.entries < b->own.room) {
		e = (struct pmumap_entry_ *)(void *)pmumap_builder_rows_(b) - 1;
		e->kind = PMUMAP_ENTRY_ | kind;
	}
	b->own.entries++;
	return e;
}

/* Count the room for a string of the map, and for two places in the table that finds it again. */
static inline void pmumap_builder_reserve_text_(struct pmumap_builder *b, const char *text)
{
	uint32_t bytes = 1;

	while (text[bytes - 1]) {
		bytes++;
		PMUMAP_NO_LIBCALL_();
	}
	b->own.entry_bytes += bytes + 2 * sizeof(uint32_t);
}

/* Entries by their number. */
static inline int pmumap_order_entry_ids_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_builder *builder = (const struct pmumap_builder *)context;
	uint64_t x = pmumap_entry_value_(builder, a), y = pmumap_entry_value_(builder, b);

	return x < y ? -1 : x > y;
}

/* The first of some entries, in that order, with this number. NO_ROW: none; and always for 0. */
static inline uint32_t pmumap_builder_find_entry_(const struct pmumap_builder *b,
						  const uint32_t *entries, uint32_t count,
						  uint32_t value)
{
	uint32_t low = 0, n = count;

	while (n) {
		uint32_t half = n / 2;

		if (pmumap_entry_value_(b, entries[low + half]) < value) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return value && low < count && pmumap_entry_value_(b, entries[low]) == value
		       ? entries[low]
		       : PMUMAP_NO_ROW;
}
