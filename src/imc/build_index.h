/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/compiler.h"
#include "core/bits.h"
#include "core/text.h"
#include "core/image.h"
#include "builder/pool.h"
#include "imc/tables.h"
#include "imc/hash.h"
#include "imc/entries.h"

/*
 * Choose how many bits of a slot the event and the unit take. nth_bit becomes 0 if no bit would be
 * left for nth.
 */
static inline void pmumap_imc_choose_slot_bits_(struct pmumap_imc_build_ *w)
{
	uint32_t most = 0, i, unit_bit = 1, nth_bit;

	for (i = 0; i < w->c->unit_count; i++) {
		if (most < pmumap_imc_unit_rows_(w->m)[i].events)
			most = pmumap_imc_unit_rows_(w->m)[i].events;
	}
	while (most && (most - 1) >> unit_bit)
		unit_bit++;
	for (nth_bit = unit_bit; nth_bit < 32; nth_bit++) {
		if ((w->c->unit_count - 1) >> (nth_bit - unit_bit) == 0)
			break;
	}
	w->c->unit_bit = unit_bit;
	w->c->nth_bit = nth_bit < 32 ? nth_bit : 0;
}

#define PMUMAP_IMC_BUCKET_NAMES_ 32u /* names in a bucket at most; on average there are 4 */
#define PMUMAP_IMC_SHIFTS_ 4096u     /* tried for each bucket */

/*
 * What an index is built with. All but the first four lies behind the map, and is free afterwards.
 */
struct pmumap_imc_index_build_ {
	struct pmumap *m;
	struct pmumap_imc *c;
	uint32_t *slots;
	uint16_t *shifts;
	uint64_t *hashes;  /* of the names */
	uint32_t *numbers; /* unit and event, and nth when that is known */
	uint32_t *sorted;  /* names by bucket */
	uint32_t *starts;  /* of the buckets in there, and the end */
	uint8_t *used;     /* a bit for each slot */
};

/*
 * Hash the full name of every number, as pmumap_imc_hash_name_() does: a prefix once for its unit.
 */
static inline void pmumap_imc_hash_names_(struct pmumap_imc_index_build_ *x)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(x->m);
	uint32_t unit, i, n = 0;

	pmumap_imc_number_names_(x->m, x->numbers);
	for (unit = 0; unit < x->c->unit_count; unit++, u++) {
		struct pmumap_hash_ prefix, h;

		pmumap_hash_begin_(&prefix, x->c->seed);
		pmumap_hash_add_(&prefix, (const char *)pmumap_image_at_(x->m, u->prefix));
		for (i = 0; i < u->events; i++) {
			h.hash = prefix.hash;
			h.word = prefix.word;
			h.bytes = prefix.bytes;
			pmumap_hash_add_(&h, pmumap_imc_event_name_(x->m, u->first + i));
			x->hashes[n++] = pmumap_hash_end_(&h);
		}
	}
}

/*
 * Sort the names by bucket: count, sum up, and fill from the end. Returns 0: too many in a bucket.
 */
static inline int pmumap_imc_sort_by_bucket_(struct pmumap_imc_index_build_ *x)
{
	uint32_t i, bucket;

	pmumap_zero_words_(x->starts, (x->c->bucket_count + 1) * sizeof(uint32_t));
	for (i = 0; i < x->c->names; i++) {
		bucket = pmumap_imc_hash_bucket_(x->c, x->hashes[i]);
		if (++x->starts[bucket] > PMUMAP_IMC_BUCKET_NAMES_)
			return 0;
	}
	for (bucket = 0; bucket < x->c->bucket_count; bucket++)
		x->starts[bucket + 1] += x->starts[bucket];
	for (i = x->c->names; i-- > 0;) {
		bucket = pmumap_imc_hash_bucket_(x->c, x->hashes[i]);
		x->sorted[--x->starts[bucket]] = i;
	}
	return 1;
}

/* Whether two names, each in two parts, are the same text. */
static inline int pmumap_imc_is_same_name_(const struct pmumap *m, struct pmumap_imc_match_ a,
					   struct pmumap_imc_match_ b)
{
	const char *s = (const char *)pmumap_image_at_(m, pmumap_imc_unit_rows_(m)[a.unit].prefix);
	const char *t = (const char *)pmumap_image_at_(m, pmumap_imc_unit_rows_(m)[b.unit].prefix);
	const char *more_s = pmumap_imc_event_name_(m, a.event),
		   *more_t = pmumap_imc_event_name_(m, b.event);

	for (;; s++, t++) {
		if (!*s && more_s) {
			s = more_s;
			more_s = 0;
		}
		if (!*t && more_t) {
			t = more_t;
			more_t = 0;
		}
		if (*s != *t)
			return 0;
		if (!*s)
			return 1;
	}
}

/*
 * Number the matches of each name in a bucket, those with a longer prefix first. Returns 0: two
 * names have one hash, or a name has more matches than a slot can number.
 */
static inline int pmumap_imc_number_bucket_(struct pmumap_imc_index_build_ *x, uint32_t first,
					    uint32_t end)
{
	uint32_t i, j, nth;

	for (i = first; i < end; i++) {
		struct pmumap_imc_match_ a =
			pmumap_imc_match_of_slot_(x->m, x->numbers[x->sorted[i]]);
		uint32_t bytes = PMUMAP_IMC_PREFIX_BYTES_(pmumap_imc_unit_rows_(x->m) + a.unit);

		for (j = first, nth = 0; j < end; j++) {
			struct pmumap_imc_match_ b =
				pmumap_imc_match_of_slot_(x->m, x->numbers[x->sorted[j]]);
			uint32_t other =
				PMUMAP_IMC_PREFIX_BYTES_(pmumap_imc_unit_rows_(x->m) + b.unit);

			if (i == j || x->hashes[x->sorted[i]] != x->hashes[x->sorted[j]])
				continue;
			if (!pmumap_imc_is_same_name_(x->m, a, b))
				return 0;
			if (other != bytes ? other > bytes : j < i)
				nth++;
		}
		if (nth >> (31 - x->c->nth_bit) >> 1)
			return 0;
		x->numbers[x->sorted[i]] |= nth << x->c->nth_bit;
	}
	return 1;
}

/*
 * Put the names of a bucket into free slots, with the first shift that has one for each. 0: none.
 */
static inline int pmumap_imc_fill_bucket_(struct pmumap_imc_index_build_ *x, uint32_t bucket)
{
	uint32_t first = x->starts[bucket], end = x->starts[bucket + 1], shift, i, slot, number;
	uint64_t hash;

	for (shift = 0; shift < PMUMAP_IMC_SHIFTS_; shift++) {
		for (i = first; i < end; i++) {
			hash = x->hashes[x->sorted[i]];
			number = x->numbers[x->sorted[i]];
			slot = pmumap_imc_hash_slot_(x->c, hash, number >> x->c->nth_bit, shift);
			if (x->used[slot / 8] >> slot % 8 & 1)
				break;
			x->used[slot / 8] |= (uint8_t)(1u << slot % 8);
			x->slots[slot] = number ^ pmumap_imc_hash_tag_(x->c, hash);
		}
		if (i == end) {
			x->shifts[bucket] = (uint16_t)shift;
			return 1;
		}
		while (i-- > first) {
			slot = pmumap_imc_hash_slot_(x->c, x->hashes[x->sorted[i]],
						     x->numbers[x->sorted[i]] >> x->c->nth_bit,
						     shift);
			x->used[slot / 8] &= (uint8_t) ~(1u << slot % 8);
		}
	}
	return 0;
}

/*
 * Fill the slots from all buckets, the largest first, while most slots are free. Returns 0: a
 * bucket finds no slots.
 */
static inline int pmumap_imc_fill_slots_(struct pmumap_imc_index_build_ *x)
{
	uint32_t size, bucket, i, any = x->numbers[0] ^ pmumap_imc_hash_tag_(x->c, x->hashes[0]);

	for (i = 0; i < x->c->slot_count; i++)
		x->slots[i] =
			any; /* a free slot leads to a name, too: all of them are read unchecked */
	for (i = 0; i < x->c->bucket_count; i++) {
		x->shifts[i] = 0;
		PMUMAP_NO_LIBCALL_();
	}
	for (i = 0; i <= x->c->slot_count / 8; i++) {
		x->used[i] = 0;
		PMUMAP_NO_LIBCALL_();
	}
	for (size = PMUMAP_IMC_BUCKET_NAMES_; size; size--) {
		for (bucket = 0; bucket < x->c->bucket_count; bucket++) {
			if (x->starts[bucket + 1] - x->starts[bucket] != size)
				continue;
			if (!pmumap_imc_number_bucket_(x, x->starts[bucket],
						       x->starts[bucket + 1]) ||
			    !pmumap_imc_fill_bucket_(x, bucket))
				return 0;
		}
	}
	return 1;
}

/* Try to build the index with a seed and so many slots. Returns 0: it cannot be filled. */
static inline int pmumap_imc_try_index_(struct pmumap_imc_build_ *w, uint32_t slots, uint32_t seed)
{
	struct pmumap_imc *c = w->c;
	struct pmumap_imc_index_build_ x;

	c->seed = seed;
	c->slot_count = slots;
	c->bucket_count = c->names / 4 + 1;
	x.m = w->m;
	x.c = c;
	x.slots = (uint32_t *)pmumap_append_table_(w->m, &c->slots, c->slot_count * 4);
	x.shifts = (uint16_t *)pmumap_append_table_(w->m, &c->shifts, c->bucket_count * 2);
	x.hashes = (uint64_t *)(void *)((char *)w->m + w->m->size);
	x.numbers = (uint32_t *)(x.hashes + c->names);
	x.sorted = x.numbers + c->names;
	x.starts = x.sorted + c->names;
	x.used = (uint8_t *)(x.starts + c->bucket_count + 1);
	pmumap_imc_hash_names_(&x);
	return pmumap_imc_sort_by_bucket_(&x) && pmumap_imc_fill_slots_(&x);
}

/*
 * Build the index of names, by hash and displace. Returns 0: there is no room, no seed has worked,
 * or a prefix is too long to be compared for each name; the map then gets orders to search in. The
 * first two tries have few free slots; a name with many matches among few others needs more. For
 * each name the map grows by 4 3/4 bytes, at most 8 1/2; building takes 17 1/4 besides.
 */
static inline int pmumap_imc_build_index_(struct pmumap_imc_build_ *w)
{
	uint32_t size = w->m->size, n = w->c->names, seed, i;

	for (i = 0; i < w->c->unit_count; i++) {
		if (PMUMAP_IMC_PREFIX_BYTES_(pmumap_imc_unit_rows_(w->m) + i) ==
		    PMUMAP_IMC_LONG_PREFIX_)
			return 0;
	}
	if (n == 0 || w->c->nth_bit == 0 ||
	    pmumap_imc_index_bytes_(n) > (size_t)(w->pool.top - ((unsigned char *)w->m + size)))
		return 0;
	for (seed = 1; seed <= 4; seed++) {
		if (pmumap_imc_try_index_(w, seed <= 2 ? n + n / 16 + 1 : 2 * n + 32, seed))
			return 1;
		w->m->size = size;
	}
	w->c->slots = w->c->slot_count = w->c->shifts = w->c->bucket_count = 0;
	return 0;
}
