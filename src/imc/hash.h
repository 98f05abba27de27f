/* SPDX-License-Identifier: BSD-2-Clause */
/* Hashes of names, and their slots in the index */
#pragma once

#include "core/bits.h"
#include "pool/text.h"
#include "imc/tables.h"

/*
 * Hash a text by words of 8 bytes. If the length is not a multiple of 8, hash the last 8 bytes with
 * the length, because they may repeat some of the previous word. A text below 8 bytes is one word:
 * its bytes at the top, ones below. pmumap_hash_add_() gives the same hash in parts.
 */
PMUMAP_INLINE_ uint64_t pmumap_imc_hash_name_(const unsigned char *p, size_t len, uint64_t hash)
{
	uint64_t word = ~(uint64_t)0;
	size_t left;

	for (left = len; left >= 8; left -= 8) {
		hash = pmumap_hash_mix_(hash, pmumap_load_le64_(p));
		p += 8;
	}
	if (!left)
		return hash;
	if (len >= 8)
		word = pmumap_load_le64_(p + left - 8);
	for (; len < 8 && left; left--)
		word = word >> 8 | (uint64_t)*p++ << 56;
	return pmumap_hash_mix_(hash + len, word);
}

/* The bucket of a name, from the upper half of its hash. */
static inline uint32_t pmumap_imc_hash_bucket_(const struct pmumap_imc *m, uint64_t hash)
{
	return pmumap_scale_to_((uint32_t)(hash >> 32), m->bucket_count);
}

/* The slot of the nth match of a name; shift: the one that its bucket was filled with. */
static inline uint32_t pmumap_imc_hash_slot_(const struct pmumap_imc *m, uint64_t hash,
					     uint32_t nth, uint32_t shift)
{
	uint32_t x = ((uint32_t)hash ^ (nth << 16 | shift) * 0x9e3779b1u) * 0x85ebca6bu;

	return pmumap_scale_to_(x, m->slot_count);
}

/*
 * Hash bits to XOR into nth, which is above unit and event in a slot. Most unknown names then fail
 * at the slot, before any string is compared.
 */
static inline uint32_t pmumap_imc_hash_tag_(const struct pmumap_imc *m, uint64_t hash)
{
	return (uint32_t)(hash >> 32) << m->nth_bit;
}
