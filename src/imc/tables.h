/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of a map, and texts in them */
#pragma once

#include "core/bits.h"
#include "core/image.h"
#include "imc/unit_name.h"

/*
 * The head of a map; its tables follow in the same block, at offsets in bytes from the head.
 *
 * The upper bits of a name's hash select its bucket, and 16 others are its tag. by_name has all
 * events sorted by bucket, tag, name, and what decides between equal names; name_starts has where
 * each bucket begins in it, then the end. The same for offsets.
 */
struct pmumap_imc {
	struct pmumap_head_ head;
	uint32_t units, unit_count;
	uint32_t rows, names; /* events */
	uint32_t by_name, name_starts;
	uint32_t by_offset, offset_starts;
	uint32_t owns, own_count;
	uint32_t chips, chip_count;
	uint32_t strings, string_bytes; /* at least 8; the last 8 are 0 */
	uint64_t multiplier;            /* of hashes: HASH_, for CPUs that load it faster */
	uint32_t shift;    /* of a hash to its bucket, 48 to 63; both orders have so many buckets */
	uint32_t shortest; /* name to look up without bisecting, at least 8; NONE_: none */
	uint32_t lowest;   /* the lowest byte with which some spelling of a unit begins */
	uint32_t unused;
};

struct pmumap_imc_entry_ {
	uint16_t tag, event;
};

/* In the order of the tree. */
struct pmumap_imc_unit_row_ {
	uint32_t name, prefix, scale, measure; /* strings; 0: none */
	uint32_t reg, size, offset, control;
	uint32_t first, events; /* its rows */
	uint32_t chips, chip_count;
	uint16_t type, prefix_bytes;
	uint32_t unused; /* for a check that runs on the builder's block */
};

/* An event of a unit. Sorted by unit, then by offset. */
struct pmumap_imc_row_ {
	uint32_t name;   /* its full name, 8-byte aligned, padded with at least one 0 to 8 bytes */
	uint32_t offset;
	uint16_t unit;
	uint16_t length; /* of its name */
};

#define PMUMAP_IMC_NONE_ 0xffffffffu
#define PMUMAP_IMC_LONGEST_ 4095u
#define PMUMAP_IMC_MOST_ 65535u /* events in all units; units */

/* An event's own strings; 0: its unit's. Sorted by row. Most events have none. */
struct pmumap_imc_own_ {
	uint32_t row, scale, measure, desc;
};

struct pmumap_imc_chip_row_ {
	uint64_t base;
	uint32_t chip;
	uint32_t unused;
};

static inline const struct pmumap_imc_unit_row_ *pmumap_imc_unit_rows_(const struct pmumap_imc *m)
{
	return (const struct pmumap_imc_unit_row_ *)pmumap_image_at_(m, m->units);
}

static inline const struct pmumap_imc_row_ *pmumap_imc_rows_(const struct pmumap_imc *m)
{
	return (const struct pmumap_imc_row_ *)pmumap_image_at_(m, m->rows);
}

static inline const struct pmumap_imc_own_ *pmumap_imc_owns_(const struct pmumap_imc *m)
{
	return (const struct pmumap_imc_own_ *)pmumap_image_at_(m, m->owns);
}

static inline const struct pmumap_imc_chip_row_ *pmumap_imc_chip_rows_(const struct pmumap_imc *m)
{
	return (const struct pmumap_imc_chip_row_ *)pmumap_image_at_(m, m->chips);
}

static inline const struct pmumap_imc_entry_ *pmumap_imc_by_name_(const struct pmumap_imc *m)
{
	return (const struct pmumap_imc_entry_ *)pmumap_image_at_(m, m->by_name);
}

static inline const uint16_t *pmumap_imc_numbers_(const struct pmumap_imc *m, uint32_t table)
{
	return (const uint16_t *)pmumap_image_at_(m, table);
}

/* How many buckets each order has. */
static inline uint32_t pmumap_imc_buckets_(const struct pmumap_imc *m)
{
	return 1u << (64 - m->shift);
}

static inline const char *pmumap_imc_string_(const struct pmumap_imc *m, uint32_t string)
{
	return string ? (const char *)pmumap_image_at_(m, string) : 0;
}

/*
 * Words of 8 bytes, the first byte highest, so that images do not depend on the order. Where one
 * instruction loads a word from any address, say so: in loops, compilers do not recognise bytes.
 */
#if defined(__GNUC__)
struct pmumap_word_ {
	uint64_t value;
} __attribute__((__packed__, __may_alias__));

#define PMUMAP_WORD_(p) (((const struct pmumap_word_ *)(const void *)(p))->value)
#define PMUMAP_IS_LITTLE_ (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#endif

#if defined(__GNUC__) && (defined(__powerpc__) || defined(__x86_64__) || defined(__i386__) ||      \
			  defined(__s390__) || defined(__ARM_FEATURE_UNALIGNED))
#define PMUMAP_UNALIGNED_ 1
#else
#define PMUMAP_UNALIGNED_ 0
#endif

/* The first byte highest from bytes; from a word of memory, as the CPU loads it. */
PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_load_word_(const unsigned char *p)
{
#if PMUMAP_UNALIGNED_
	return PMUMAP_WORD_(p);
#else
	return (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 | (uint64_t)p[2] << 40 |
	       (uint64_t)p[3] << 32 | (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 |
	       (uint64_t)p[6] << 8 | (uint64_t)p[7];
#endif
}

/* Any XOR of such words, the first byte highest. */
PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_order_word_(uint64_t word)
{
#if PMUMAP_UNALIGNED_
	return PMUMAP_IS_LITTLE_ ? __builtin_bswap64(word) : word;
#else
	return word;
#endif
}

/* Less than 8 bytes as a word, the first byte highest of them. */
static inline uint64_t pmumap_load_short_word_(const unsigned char *p, size_t n)
{
	uint64_t word = 0;

	for (; n; n--) {
		word = word << 8 | *p++;
		PMUMAP_NO_LIBCALL_();
	}
	return word;
}

#define PMUMAP_IMC_HASH_ 0x9e3779b97f4a7c15u

/*
 * The hash of a name of at least 8 bytes: the first and the last 16 tell it from almost all others.
 * Names that have both in common cost a binary search.
 */
PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_imc_hash_long_(const unsigned char *p, size_t n,
						     uint64_t multiplier)
{
	uint64_t first = pmumap_load_word_(p), last = pmumap_load_word_(p + n - 8);

	if (n >= 16) {
		first ^= pmumap_load_word_(p + 8);
		last ^= pmumap_load_word_(p + n - 16);
	}
	first = pmumap_order_word_(first) * multiplier;
	return ((first << 32 | first >> 32) ^ pmumap_order_word_(last)) * multiplier;
}

static inline uint64_t pmumap_imc_hash_(const struct pmumap_imc *m, const unsigned char *p,
					size_t n)
{
	return n < 8 ? pmumap_load_short_word_(p, n) * m->multiplier
		     : pmumap_imc_hash_long_(p, n, m->multiplier);
}

static inline uint32_t pmumap_imc_tag_(uint64_t hash)
{
	return (uint32_t)(hash >> 32) & 0xffff;
}

/* Multiply by an odd number: different offsets have different hashes. */
static inline uint32_t pmumap_imc_hash_offset_(uint32_t offset)
{
	return offset * 0x9e3779b1u;
}
