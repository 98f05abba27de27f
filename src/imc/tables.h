/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of a map, and texts in them */
#pragma once

#include "core/bits.h"
#include "core/image.h"
#include "imc/unit_name.h"

/*
 * The head of a map; its tables follow in the same block, at offsets in bytes from the head.
 *
 * Names are hashed to 32 bits, and the hashes divided into as many buckets of the same size as
 * there are names. by_name has all events sorted by hash, name, and what decides between equal
 * names; name_starts has where each bucket begins in it, then the end. The same for offsets.
 */
struct pmumap_imc {
	struct pmumap_head_ head;
	uint32_t units, unit_count;
	uint32_t rows, names; /* events */
	uint32_t by_name;     /* the hash's place in its bucket in the upper 16 bits, and the event */
	uint32_t name_starts; /* of 16 bits, as in the next two */
	uint32_t by_offset, offset_starts;
	uint32_t owns, own_count;
	uint32_t chips, chip_count;
	uint32_t strings, string_bytes; /* at least 8; the last 8 are 0 */
	uint32_t first_bytes;           /* bit N: some spelling of a unit begins with 8 N to 8 N + 7 */
	uint32_t unused;
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
	uint16_t length; /* of its name; with OWN_: it has own strings */
};

#define PMUMAP_IMC_OWN_ 0x8000u
#define PMUMAP_IMC_LONGEST_ 4095u
#define PMUMAP_IMC_MOST_ 65535u /* events in all units; units */

/* An event's own strings; 0: its unit's. Sorted by row. */
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

static inline const uint32_t *pmumap_imc_by_name_(const struct pmumap_imc *m)
{
	return (const uint32_t *)pmumap_image_at_(m, m->by_name);
}

static inline const uint16_t *pmumap_imc_numbers_(const struct pmumap_imc *m, uint32_t table)
{
	return (const uint16_t *)pmumap_image_at_(m, table);
}

static inline const char *pmumap_imc_string_(const struct pmumap_imc *m, uint32_t string)
{
	return string ? (const char *)pmumap_image_at_(m, string) : 0;
}

static inline uint32_t pmumap_imc_length_(const struct pmumap_imc_row_ *row)
{
	return row->length & PMUMAP_IMC_LONGEST_;
}

/*
 * Words of 8 bytes, the first byte lowest, so that images do not depend on the order. Where one
 * instruction loads a word from any address, say so: compilers do not always recognise bytes.
 */
#if defined(__GNUC__)
struct pmumap_word_ {
	uint64_t value;
} __attribute__((__packed__, __may_alias__));

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define PMUMAP_WORD_(p) __builtin_bswap64(((const struct pmumap_word_ *)(const void *)(p))->value)
#else
#define PMUMAP_WORD_(p) (((const struct pmumap_word_ *)(const void *)(p))->value)
#endif
#endif

PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_load_word_(const unsigned char *p)
{
#if defined(__GNUC__) && (defined(__powerpc__) || defined(__x86_64__) || defined(__i386__) ||      \
			  defined(__s390__) || defined(__ARM_FEATURE_UNALIGNED))
	return PMUMAP_WORD_(p);
#else
	return (uint64_t)p[7] << 56 | (uint64_t)p[6] << 48 | (uint64_t)p[5] << 40 |
	       (uint64_t)p[4] << 32 | (uint64_t)p[3] << 24 | (uint64_t)p[2] << 16 |
	       (uint64_t)p[1] << 8 | (uint64_t)p[0];
#endif
}

/* p: 8-byte aligned. */
PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_load_aligned_word_(const unsigned char *p)
{
#if defined(__GNUC__)
	return PMUMAP_WORD_(__builtin_assume_aligned(p, 8));
#else
	return pmumap_load_word_(p);
#endif
}

#define PMUMAP_IMC_HASH_ 0x9e3779b97f4a7c15u

/* Less than 8 bytes as a word, the first byte lowest. */
static inline uint64_t pmumap_load_short_word_(const unsigned char *p, size_t n)
{
	uint64_t word = 0;

	while (n--) {
		word = word << 8 | p[n];
		PMUMAP_NO_LIBCALL_();
	}
	return word;
}

/*
 * The hash of a name, in 32 bits. Three words tell almost all names apart. Names that they do not
 * tell apart cost a binary search.
 */
PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_imc_hash_(const unsigned char *p, size_t n)
{
	uint64_t hash = n, last;

	if (n < 8) {
		last = pmumap_load_short_word_(p, n);
	} else {
		n -= 8;
		hash += pmumap_load_word_(p + n / 2) + 2 * pmumap_load_word_(p + n / 8);
		last = pmumap_load_word_(p + n);
	}
	hash *= PMUMAP_IMC_HASH_;
	return ((hash ^ hash >> 32 ^ last) * PMUMAP_IMC_HASH_) >> 32;
}

/* Multiply by an odd number: different offsets have different hashes. */
static inline uint64_t pmumap_imc_hash_offset_(uint32_t offset)
{
	return (uint32_t)(offset * 0x9e3779b1u);
}

/*
 * The place of a hash: its bucket in the upper 32 bits, and in the lower ones its place in that
 * bucket.
 */
static inline uint64_t pmumap_imc_place_(const struct pmumap_imc *m, uint64_t hash)
{
	return hash * m->names;
}

/* 0 if the name of a row, which has n bytes, is this text. */
PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_imc_differ_(const struct pmumap_imc *m,
						  const struct pmumap_imc_row_ *row,
						  const unsigned char *p, size_t n)
{
	const unsigned char *name = (const unsigned char *)pmumap_image_at_(m, row->name);
	uint64_t differ = 0;

	if (n < 8)
		return pmumap_load_short_word_(p, n) ^ pmumap_load_aligned_word_(name);
	for (; n > 8; n -= 8, p += 8, name += 8)
		differ |= pmumap_load_word_(p) ^ pmumap_load_aligned_word_(name);
	return differ | (pmumap_load_word_(p + n - 8) >> (8 - n) * 8 ^
			 pmumap_load_aligned_word_(name));
}
