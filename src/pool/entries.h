/* SPDX-License-Identifier: BSD-2-Clause */
/* A builder's entries */
#pragma once

#include "core/bits.h"
#include "core/image.h"
#include "pool/entries_api.h"

#define PMUMAP_NO_ENTRY_ 0xffffffffu

/*
 * The common layout of all entries. Each kind has its own struct: it begins with a number to search
 * for, or a text, and ends with the kind. Hence MAY_ALIAS.
 */
struct pmumap_pool_entry_ {
	uint64_t value;
	uint32_t numbers[3];
	uint32_t kind; /* and its flags */
} PMUMAP_MAY_ALIAS_;

#define PMUMAP_POOL_ENTRY_FLAGS_ 0xffffffu /* the bits of kind for flags */

/* Start adding entries to a block; with mem NULL, only measure. */
static inline void pmumap_entries_begin_(struct pmumap_entries_ *e, void *mem, size_t bytes)
{
	e->mem = (unsigned char *)mem;
	e->bytes = bytes;
	e->status = (size_t)mem % 8 ? PMUMAP_E_ARG : PMUMAP_OK;
	e->room = mem && e->status == PMUMAP_OK ? bytes / sizeof(struct pmumap_pool_entry_) : 0;
	e->count = 0;
	e->need = 0;
}

/* Entry i; 0 is the oldest. */
static inline void *pmumap_entries_at_(const struct pmumap_entries_ *e, uint32_t i)
{
	return (struct pmumap_pool_entry_ *)(void *)(e->mem + (e->bytes & ~(size_t)7)) - 1 - i;
}

/* The lowest byte used by entries. */
static inline void *pmumap_entries_end_(const struct pmumap_entries_ *e)
{
	return (struct pmumap_pool_entry_ *)(void *)(e->mem + (e->bytes & ~(size_t)7)) - e->count;
}

static inline uint32_t pmumap_entries_kind_(const struct pmumap_entries_ *e, uint32_t i)
{
	return ((const struct pmumap_pool_entry_ *)pmumap_entries_at_(e, i))->kind &
	       ~PMUMAP_POOL_ENTRY_FLAGS_;
}

/* The number that an entry begins with. */
static inline uint64_t pmumap_entries_value_(const struct pmumap_entries_ *e, uint32_t i)
{
	return ((const struct pmumap_pool_entry_ *)pmumap_entries_at_(e, i))->value;
}

/* Add an entry; the caller fills in everything but the kind. NULL if full, or when measuring. */
PMUMAP_OUTLINE_ void *pmumap_entries_add_(struct pmumap_entries_ *e, uint32_t kind)
{
	struct pmumap_pool_entry_ *entry = 0;

	e->need += sizeof(*entry);
	if (e->need > PMUMAP_MAX_BYTES_) /* pmumap_entries_fit_() reports that */
		return 0;
	if (e->count < e->room) {
		entry = (struct pmumap_pool_entry_ *)pmumap_entries_at_(e, e->count);
		entry->kind = kind;
	}
	e->count++;
	return entry;
}

/* Count the memory of a string and of its two places in the string table. */
static inline void pmumap_entries_reserve_text_(struct pmumap_entries_ *e, const char *text)
{
	uint32_t bytes = 1;

	while (text[bytes - 1]) {
		bytes++;
		PMUMAP_NO_LIBCALL_();
	}
	e->need += bytes + 2 * sizeof(uint32_t);
}

/* Compare entries by number. */
static inline int pmumap_entries_order_ids_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_entries_ *e = (const struct pmumap_entries_ *)context;
	uint64_t x = pmumap_entries_value_(e, a), y = pmumap_entries_value_(e, b);

	return x < y ? -1 : x > y;
}

/* The first of these sorted entries with this number, or NO_ENTRY; always NO_ENTRY for 0. */
static inline uint32_t pmumap_entries_find_(const struct pmumap_entries_ *e,
					    const uint32_t *entries, uint32_t count, uint32_t value)
{
	uint32_t low = 0, n = count;

	while (n) {
		uint32_t half = n / 2;

		if (pmumap_entries_value_(e, entries[low + half]) < value) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return value && low < count && pmumap_entries_value_(e, entries[low]) == value
		       ? entries[low]
		       : PMUMAP_NO_ENTRY_;
}

/* Whether a build of this size can start. If not, status says why; OK: it only measures. */
static inline int pmumap_entries_fit_(struct pmumap_entries_ *e, uint64_t need)
{
	if (e->status != PMUMAP_OK)
		return 0;
	if (need > PMUMAP_MAX_BYTES_)
		e->status = PMUMAP_E_LIMIT;
	else if (e->mem && e->bytes < need)
		e->status = PMUMAP_E_NOSPACE;
	return e->mem && e->status == PMUMAP_OK;
}

/* The map is complete: accept no more entries. */
static inline void pmumap_entries_close_(struct pmumap_entries_ *e)
{
	e->status = PMUMAP_E_ARG;
	e->room = 0;
}
