/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables and strings of a growing map */
#pragma once

#include "core/bits.h"
#include "pool/text.h"
#include "core/image.h"

/* Append a table to the map, padded with 0. Its offset goes to *offset, unless NULL. */
static inline void *pmumap_append_table_(void *map, uint32_t *offset, uint32_t bytes)
{
	struct pmumap_head_ *m = (struct pmumap_head_ *)map;
	uint32_t at = m->size;

	if (offset)
		*offset = at;
	m->size += (bytes + 7) & ~7u;
	if (bytes % 8) /* so that equal trees yield equal bytes */
		pmumap_zero_words_((unsigned char *)m + m->size - 8, 8);
	return (unsigned char *)m + at;
}

/* Pad the image to a multiple of 8. */
static inline void pmumap_pad_image_(void *map)
{
	struct pmumap_head_ *m = (struct pmumap_head_ *)map;
	unsigned char *end = (unsigned char *)m + m->size;

	for (; m->size % 8; m->size++) {
		*end++ = 0;
		PMUMAP_NO_LIBCALL_();
	}
}

/*
 * Memory during a build. The map grows up from the start of the block; scratch tables grow down
 * from the entries. One of them is a hash table that deduplicates strings.
 */
struct pmumap_pool_ {
	struct pmumap_head_ *m;
	unsigned char *top; /* the lowest byte in use above the map */
	uint32_t *table;    /* of strings: offsets in the map; 0: free */
	uint32_t table_size;
	uint32_t empty; /* offset of the empty string */
};

/* top: the lowest byte in use above the map, 4-byte aligned. */
static inline void pmumap_pool_init_(struct pmumap_pool_ *p, void *map, void *top)
{
	p->m = (struct pmumap_head_ *)map;
	p->top = (unsigned char *)top;
}

/* Place a scratch table of numbers below the others; its memory is counted in need. */
static inline uint32_t *pmumap_pool_scratch_(struct pmumap_pool_ *p, uint32_t count)
{
	p->top -= count * sizeof(uint32_t);
	return (uint32_t *)(void *)p->top;
}

/* Place the table that deduplicates strings. */
static inline void pmumap_pool_reserve_texts_(struct pmumap_pool_ *p, uint32_t texts)
{
	p->table_size = 2 * texts;
	p->table = pmumap_pool_scratch_(p, p->table_size);
	pmumap_zero_words_(p->table, p->table_size * sizeof(uint32_t));
}

/* Begin the map's strings with the empty one. */
static inline void pmumap_pool_begin_texts_(struct pmumap_pool_ *p)
{
	p->empty = p->m->size;
	*((char *)p->m + p->m->size++) = 0;
}

/* Comparing this many bytes costs one more try. */
#define PMUMAP_POOL_TRY_BYTES_ 512u
#define PMUMAP_POOL_KEY_ 0x9e3779b97f4a7c15u /* of its hashes; any number serves */

/*
 * Store a string in the map, usually once, and return its offset. Copy it first: in the map it may
 * be read by words, because tables follow. The search is bounded, so hostile strings cannot make it
 * slow; in return, a string may be stored twice.
 */
static inline uint32_t pmumap_pool_keep_text_(struct pmumap_pool_ *p, const char *text)
{
	char *copy = (char *)p->m + p->m->size, *to = copy;
	uint32_t place, tries, bytes;
	const char *s;
	uint64_t hash;

	if (!*text)
		return p->empty;
	while ((*to++ = *text++) != 0)
		PMUMAP_NO_LIBCALL_();
	bytes = (uint32_t)(to - copy) - 1;
	hash = pmumap_hash_text_((const unsigned char *)copy, bytes, PMUMAP_POOL_KEY_);
	place = pmumap_scale_to_((uint32_t)(hash >> 32), p->table_size);
	for (tries = 0; tries < 32 && p->table[place]; tries++) {
		s = (const char *)pmumap_image_at_(p->m, p->table[place]);
		if (s + bytes < copy && s[bytes] == 0) {
			if (!pmumap_differ_((const unsigned char *)s, (const unsigned char *)copy,
					    bytes))
				return p->table[place];
			tries += bytes / PMUMAP_POOL_TRY_BYTES_;
		}
		if (++place == p->table_size)
			place = 0;
	}
	p->table[place] = p->m->size;
	p->m->size += bytes + 1;
	return p->table[place];
}
