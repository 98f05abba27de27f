/* SPDX-License-Identifier: BSD-2-Clause */
/* Names to buckets, and buckets to slots */
#pragma once

#include "imc/hash.h"
#include "imc/entries.h"

#define PMUMAP_IMC_BUCKET_NAMES_ 32u /* most names in a bucket; the average is 3 */
#define PMUMAP_IMC_SHIFTS_ 4096u     /* most shifts to try for a bucket ... */
#define PMUMAP_IMC_NAME_SHIFTS_ 32u  /* ... and per name, over all buckets */

/* The state of building an index. hashes to used lie behind the map, and are free afterwards. */
struct pmumap_imc_index_build_ {
	struct pmumap_imc *m;
	struct pmumap_imc *c;
	uint32_t *slots;
	uint16_t *shifts;
	uint64_t *hashes;     /* of the names */
	uint32_t *numbers;    /* unit and event, and nth once it is known */
	uint32_t *sorted;     /* names, sorted by bucket */
	uint32_t *starts;     /* where each bucket begins there, and the end */
	uint8_t *used;        /* one bit per slot */
	uint32_t shifts_left; /* to try, over all buckets */
	uint32_t largest;     /* names in the fullest bucket */
};

/* The result of a try with one seed. */
enum pmumap_imc_try_ {
	PMUMAP_IMC_DONE_,
	PMUMAP_IMC_FAILED_, /* another seed may work */
	PMUMAP_IMC_NEVER_   /* a name has too many matches */
};

/*
 * Why the bucket of name i is too full. FAILED: by chance. NEVER: one name has too many matches, so
 * no seed would help.
 */
static inline enum pmumap_imc_try_ pmumap_imc_judge_bucket_(const struct pmumap_imc_index_build_ *x,
							    uint32_t i)
{
	struct pmumap_imc_match_ a = pmumap_imc_match_of_slot_(x->m, x->numbers[i]), b;
	uint32_t same = 0, j;

	for (j = 0; j <= i; j++) {
		b = pmumap_imc_match_of_slot_(x->m, x->numbers[j]);
		if (x->hashes[j] == x->hashes[i] &&
		    pmumap_imc_is_same_name_(x->m, &a, &b, PMUMAP_IMC_INDEXED_BYTES_))
			same++;
	}
	return same > PMUMAP_IMC_BUCKET_NAMES_ ? PMUMAP_IMC_NEVER_ : PMUMAP_IMC_FAILED_;
}

/* Sort the names by bucket: a counting sort, filled from the end. */
static inline enum pmumap_imc_try_ pmumap_imc_sort_by_bucket_(struct pmumap_imc_index_build_ *x)
{
	uint32_t i, bucket;

	pmumap_zero_words_(x->starts, (x->m->bucket_count + 1) * sizeof(uint32_t));
	for (i = 0; i < x->m->names; i++) {
		bucket = pmumap_imc_hash_bucket_(x->m, x->hashes[i]);
		if (++x->starts[bucket] > x->largest)
			x->largest = x->starts[bucket];
		if (x->largest > PMUMAP_IMC_BUCKET_NAMES_)
			return pmumap_imc_judge_bucket_(x, i);
	}
	for (bucket = 0; bucket < x->m->bucket_count; bucket++)
		x->starts[bucket + 1] += x->starts[bucket];
	for (i = x->m->names; i-- > 0;) {
		bucket = pmumap_imc_hash_bucket_(x->m, x->hashes[i]);
		x->sorted[--x->starts[bucket]] = i;
	}
	return PMUMAP_IMC_DONE_;
}

/*
 * Number the matches of each name in a bucket, longer prefixes first. FAILED: two names share a
 * hash. NEVER: a name has more matches than a slot can number. Names with equal hashes are compared
 * with the first of them only.
 */
static inline enum pmumap_imc_try_ pmumap_imc_number_bucket_(struct pmumap_imc_index_build_ *x,
							     uint32_t first, uint32_t end)
{
	uint32_t i, j, nth, seen;

	for (i = first; i < end; i++) {
		struct pmumap_imc_match_ a =
			pmumap_imc_match_of_slot_(x->m, x->numbers[x->sorted[i]]);
		uint32_t bytes = PMUMAP_IMC_PREFIX_BYTES_(pmumap_imc_unit_rows_(x->m) + a.unit);

		for (j = first, nth = seen = 0; j < end; j++) {
			struct pmumap_imc_match_ b;
			uint32_t other;

			if (x->hashes[x->sorted[i]] != x->hashes[x->sorted[j]])
				continue;
			b = pmumap_imc_match_of_slot_(x->m, x->numbers[x->sorted[j]]);
			other = PMUMAP_IMC_PREFIX_BYTES_(pmumap_imc_unit_rows_(x->m) + b.unit);
			if (!seen++ &&
			    !pmumap_imc_is_same_name_(x->m, &a, &b, PMUMAP_IMC_INDEXED_BYTES_))
				return PMUMAP_IMC_FAILED_;
			if (other != bytes ? other > bytes : j < i)
				nth++;
		}
		if (nth >> (31 - x->m->nth_bit) >> 1)
			return PMUMAP_IMC_NEVER_;
		x->numbers[x->sorted[i]] |= nth << x->m->nth_bit;
	}
	return PMUMAP_IMC_DONE_;
}

/* The slot that a name would take with a shift; place: its place in sorted. */
static inline uint32_t pmumap_imc_slot_of_place_(const struct pmumap_imc_index_build_ *x,
						 uint32_t place, uint32_t shift)
{
	uint32_t name = x->sorted[place];

	return pmumap_imc_hash_slot_(x->m, x->hashes[name], x->numbers[name] >> x->m->nth_bit,
				     shift);
}

/* Take the slots of a bucket. Returns 0 and takes none if a slot is used or wanted twice. */
static inline int pmumap_imc_take_slots_(struct pmumap_imc_index_build_ *x, uint32_t first,
					 uint32_t end, uint32_t shift)
{
	uint32_t i, slot;

	for (i = first; i < end; i++) {
		slot = pmumap_imc_slot_of_place_(x, i, shift);
		if (x->used[slot / 8] >> slot % 8 & 1)
			break;
		x->used[slot / 8] |= (uint8_t)(1u << slot % 8);
		x->slots[slot] = x->numbers[x->sorted[i]] ^
				 pmumap_imc_hash_tag_(x->m, x->hashes[x->sorted[i]]);
	}
	if (i == end)
		return 1;
	while (i-- > first) {
		slot = pmumap_imc_slot_of_place_(x, i, shift);
		x->used[slot / 8] &= (uint8_t) ~(1u << slot % 8);
	}
	return 0;
}

/*
 * Put the names of a bucket into free slots, with the first shift that works for all. Most shifts
 * fail at the first four names, so test these before storing anything. Testing more would not pay:
 * among many names two want the same slot, which the test does not see.
 */
static inline enum pmumap_imc_try_ pmumap_imc_fill_bucket_(struct pmumap_imc_index_build_ *x,
							   uint32_t bucket)
{
	uint32_t first = x->starts[bucket], end = x->starts[bucket + 1], shift, i, slot;
	uint32_t looks = end - first < 4 ? end : first + 4;

	for (shift = 0; shift < PMUMAP_IMC_SHIFTS_ && shift < x->shifts_left; shift++) {
		for (i = first; i < looks; i++) {
			slot = pmumap_imc_slot_of_place_(x, i, shift);
			if (x->used[slot / 8] >> slot % 8 & 1)
				break;
		}
		if (i == looks && pmumap_imc_take_slots_(x, first, end, shift)) {
			x->shifts[bucket] = (uint16_t)shift;
			x->shifts_left -= shift;
			return PMUMAP_IMC_DONE_;
		}
	}
	return PMUMAP_IMC_FAILED_;
}

/* Fill the slots, beginning with the largest buckets while most slots are free. */
static inline enum pmumap_imc_try_ pmumap_imc_fill_slots_(struct pmumap_imc_index_build_ *x)
{
	enum pmumap_imc_try_ result = PMUMAP_IMC_DONE_;
	uint32_t size, bucket, i, any = x->numbers[0] ^ pmumap_imc_hash_tag_(x->m, x->hashes[0]);

	for (i = 0; i < x->m->slot_count; i++)
		x->slots[i] = any; /* free slots hold a valid name too: look-ups do not check */
	for (i = 0; i < x->m->bucket_count; i++) {
		x->shifts[i] = 0;
		PMUMAP_NO_LIBCALL_();
	}
	for (i = 0; i <= x->m->slot_count / 8; i++) {
		x->used[i] = 0;
		PMUMAP_NO_LIBCALL_();
	}
	for (size = x->largest; size; size--) {
		for (bucket = 0; bucket < x->m->bucket_count; bucket++) {
			if (x->starts[bucket + 1] - x->starts[bucket] != size)
				continue;
			result = pmumap_imc_number_bucket_(x, x->starts[bucket],
							   x->starts[bucket + 1]);
			if (result == PMUMAP_IMC_DONE_)
				result = pmumap_imc_fill_bucket_(x, bucket);
			if (result != PMUMAP_IMC_DONE_)
				return result;
		}
	}
	return result;
}
