/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of a map, and texts in them */
#pragma once

#include "core/bits.h"
#include "core/image.h"
#include "imc/unit_name.h"

/*
 * The head of a map; its tables follow in the same block, at offsets in bytes from the head.
 *
 * A hash selects a bucket, and a tag in it. by_name has all events sorted by hash, name, and what
 * decides between equal names; name_starts has where each bucket begins in it, then the end. The
 * same for offsets.
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
	uint64_t multiplier;            /* of hashes: HASH_, which CPUs load faster from here */
	uint64_t bisect; /* 16: bisect for names shorter than half of it; NONE_: for all */
	uint32_t shift;  /* of a hash of 64 bits to its bucket: 48 to 63 */
	uint32_t lowest; /* the lowest byte with which some spelling of a unit begins */
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
};

/* An event of a unit. Sorted by unit, then by offset. */
struct pmumap_imc_row_ {
	uint32_t name; /* its full name, 8-byte aligned, padded with at least one 0 to 8 bytes */
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

static inline const char *pmumap_imc_string_(const struct pmumap_imc *m, uint32_t string)
{
	return string ? (const char *)pmumap_image_at_(m, string) : 0;
}

/* UNALIGNED: one instruction loads a word from any address. WORD: any text as words. */
#if defined(__GNUC__) && (defined(__powerpc__) || defined(__x86_64__) || defined(__i386__) ||      \
			  defined(__s390__) || defined(__ARM_FEATURE_UNALIGNED))
#define PMUMAP_UNALIGNED_ 1
struct pmumap_word_ {
	uint64_t value;
} __attribute__((__packed__, __may_alias__));
#else
#define PMUMAP_UNALIGNED_ 0
struct PMUMAP_MAY_ALIAS_ pmumap_word_ {
	uint64_t value;
};
#endif

#define PMUMAP_WORD_(p) (((const struct pmumap_word_ *)(const void *)(p))->value)

/* The XOR of two words, the first byte highest, so that images do not depend on the order. */
PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_load_xor_(const unsigned char *p, const unsigned char *q)
{
#if PMUMAP_UNALIGNED_ && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return PMUMAP_WORD_(p) ^ PMUMAP_WORD_(q);
#elif PMUMAP_UNALIGNED_
	return __builtin_bswap64(PMUMAP_WORD_(p) ^ PMUMAP_WORD_(q));
#else
#define PMUMAP_XOR_(i) ((uint64_t)(p[i] ^ q[i]) << (56 - 8 * (i)))
	return PMUMAP_XOR_(0) | PMUMAP_XOR_(1) | PMUMAP_XOR_(2) | PMUMAP_XOR_(3) | PMUMAP_XOR_(4) |
	       PMUMAP_XOR_(5) | PMUMAP_XOR_(6) | PMUMAP_XOR_(7);
#undef PMUMAP_XOR_
#endif
}

#define PMUMAP_IMC_HASH_ 0x9e3779b97f4a7c15u

PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_imc_mix_(uint64_t first, uint64_t last, uint64_t multiplier)
{
	first *= multiplier;
	return ((first << 32 | first >> 32) ^ last) * multiplier;
}

/*
 * The hash of a name of at least 16 bytes: the first and the last 16 tell it from almost all
 * others. Names that have both in common cost a binary search.
 */
PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_imc_hash_long_(const struct pmumap_imc *m,
						     const unsigned char *p, size_t n)
{
	return pmumap_imc_mix_(pmumap_load_xor_(p, p + 8), pmumap_load_xor_(p + n - 8, p + n - 16),
			       m->multiplier);
}

/* The same from 8 to 15 bytes. */
static inline uint64_t pmumap_imc_hash_short_(const struct pmumap_imc *m, const unsigned char *p,
					      size_t n)
{
	return pmumap_imc_mix_(pmumap_load_be64_(p), pmumap_load_be64_(p + n - 8), m->multiplier);
}

/* The hash of any name. */
static inline uint64_t pmumap_imc_hash_(const struct pmumap_imc *m, const unsigned char *p,
					size_t n)
{
	uint64_t word = 0;

	if (n >= 8)
		return n < 16 ? pmumap_imc_hash_short_(m, p, n) : pmumap_imc_hash_long_(m, p, n);
	for (; n; n--) {
		word = word << 8 | *p++;
		PMUMAP_NO_LIBCALL_();
	}
	return pmumap_imc_mix_(0, word, m->multiplier);
}

/* The tag of a hash. */
static inline uint32_t pmumap_imc_tag_(uint64_t hash)
{
	return (uint32_t)(hash >> 32) & 0xffff;
}

/* The bucket of a hash. The upper half is enough, and 32-bit CPUs shift it without libgcc. */
static inline uint32_t pmumap_imc_bucket_of_(const struct pmumap_imc *m, uint64_t hash)
{
	return (uint32_t)(hash >> 32) >> (m->shift & 31);
}

/* Multiply by an odd number: different offsets have different hashes. */
static inline uint32_t pmumap_imc_hash_offset_(uint32_t offset)
{
	return offset * 0x9e3779b1u;
}

/* The bucket of a hash of 32 bits, of so many buckets. */
static inline uint32_t pmumap_imc_bucket_(uint32_t hash, uint32_t buckets)
{
	return (uint32_t)((uint64_t)hash * buckets >> 32);
}
