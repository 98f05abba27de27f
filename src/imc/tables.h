/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of a map, hashes, and spellings of units */
#pragma once

#include "core/bits.h"
#include "core/image.h"
#include "imc/api.h"

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
	uint32_t chips, chip_count;
	uint32_t rows, names;           /* events */
	uint32_t strings, string_bytes; /* at least 8; the last 8 are 0 */
	uint32_t by_name, name_starts;
	uint32_t by_offset, offset_starts;
	uint64_t multiplier; /* of hashes, which CPUs load faster from here */
	uint64_t whole;      /* names shorter than this are hashed whole: 9, or more than any */
	uint32_t lowest;     /* no name of a unit begins with a lower byte */
	uint32_t shift;      /* of a hash of 64 bits to its bucket: 48 to 63 */
};

struct pmumap_imc_entry_ {
	uint16_t tag, event;
};

/* In the order of the tree. During a build, strings are in the tree. */
struct pmumap_imc_unit_row_ {
	uint32_t name, prefix, scale, measure; /* strings; 0: none */
	uint32_t reg, size, offset, control;
	uint32_t first, events; /* its rows */
	uint32_t chips, chip_count;
	uint16_t prefix_bytes;
	uint8_t type;
	uint8_t own; /* 1: behind each event's name are its own scale, measure and desc, or "" */
};

/* An event of a unit. Sorted by unit, then by offset. */
struct pmumap_imc_row_ {
	uint32_t name; /* its full name, 8-byte aligned, terminated, padded with 0 to 8 bytes */
	uint32_t offset;
	uint16_t unit;
	uint16_t length; /* of its name */
};

struct pmumap_imc_chip_row_ {
	uint64_t base;
	uint32_t chip;
	uint32_t unused;
};

#define PMUMAP_IMC_MOST_ 65535u /* events in all units; units */
#define PMUMAP_IMC_COUNTER_BYTES_ 8u
#define PMUMAP_IMC_CONTROL_BYTES_ 40u

/* A table of a map, which a build may write. */
#define PMUMAP_IMC_TABLE_(m, type, at) ((type *)(void *)((char *)(size_t)(m) + (at)))
#define PMUMAP_IMC_UNITS_(m) PMUMAP_IMC_TABLE_(m, struct pmumap_imc_unit_row_, (m)->units)
#define PMUMAP_IMC_ROWS_(m) PMUMAP_IMC_TABLE_(m, struct pmumap_imc_row_, (m)->rows)
#define PMUMAP_IMC_CHIPS_(m) PMUMAP_IMC_TABLE_(m, struct pmumap_imc_chip_row_, (m)->chips)
#define PMUMAP_IMC_BY_NAME_(m) PMUMAP_IMC_TABLE_(m, struct pmumap_imc_entry_, (m)->by_name)
#define PMUMAP_IMC_NUMBERS_(m, at) PMUMAP_IMC_TABLE_(m, uint16_t, at)
#define PMUMAP_IMC_TEXT_(m, at) PMUMAP_IMC_TABLE_(m, char, at)
#define PMUMAP_IMC_STRING_(m, at) ((at) ? PMUMAP_IMC_TEXT_(m, at) : 0)
#define PMUMAP_IMC_BYTES_(m, at) PMUMAP_IMC_TABLE_(m, unsigned char, at)

/* UNALIGNED: one instruction loads a word from any address. WORD: any text as words. */
#if defined(__GNUC__) && (defined(__powerpc__) || defined(__x86_64__) || defined(__i386__) ||      \
			  defined(__s390__) || defined(__ARM_FEATURE_UNALIGNED))
#define PMUMAP_UNALIGNED_ 1
#define PMUMAP_PACKED_ __attribute__((__packed__, __may_alias__))
#else
#define PMUMAP_UNALIGNED_ 0
#define PMUMAP_PACKED_ PMUMAP_MAY_ALIAS_
#endif
struct pmumap_word_ {
	uint64_t value;
} PMUMAP_PACKED_;
#define PMUMAP_WORD_(p) (((const struct pmumap_word_ *)(const void *)(p))->value)

/* The XOR of two words, the first byte highest, so that images do not depend on the order. */
PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_load_xor_(const unsigned char *p, const unsigned char *q)
{
#if PMUMAP_UNALIGNED_
	uint64_t x = PMUMAP_WORD_(p) ^ PMUMAP_WORD_(q);

	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? x : __builtin_bswap64(x);
#else
#define PMUMAP_XOR_(i) ((uint64_t)(p[i] ^ q[i]) << (56 - 8 * (i)))
	uint64_t x = PMUMAP_XOR_(0) | PMUMAP_XOR_(1) | PMUMAP_XOR_(2);

	PMUMAP_NO_LIBCALL_(); /* nor spills: not all bytes are loaded first */
	x |= PMUMAP_XOR_(3) | PMUMAP_XOR_(4) | PMUMAP_XOR_(5);
	PMUMAP_NO_LIBCALL_();
	return x | PMUMAP_XOR_(6) | PMUMAP_XOR_(7);
#undef PMUMAP_XOR_
#endif
}

/* The hash of a name of more than 8 bytes: the first and last 16 tell it from almost all others. */
PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_imc_hash_long_(const struct pmumap_imc *m,
						     const unsigned char *p, size_t n)
{
	uint64_t first = pmumap_load_xor_(p, n < 16 ? p + n - 8 : p + 8), last = n;

	if (n >= 16)
		last = pmumap_load_xor_(p + n - 8, p + n - 16);
	first *= m->multiplier;
	return ((first << 32 | first >> 32) ^ last) * m->multiplier;
}

/*
 * The same hash for any name, of which it reads 16 bytes a turn: the first, the last and, if many
 * names have both ends in common, those between. Names that are chosen against that, too, cost a
 * binary search. The word of up to 8 bytes has them all.
 */
static inline uint64_t pmumap_imc_hash_(const struct pmumap_imc *m, const unsigned char *p,
					size_t n)
{
	uint64_t hash = 0, word;
	size_t i = n - 16;

	if (n <= 8) {
		for (; n; n--) {
			hash = hash << 8 | *p++;
			PMUMAP_NO_LIBCALL_();
		}
		return hash * m->multiplier;
	}
	hash = pmumap_load_xor_(p, n < 16 ? p + n - 8 : p + 8);
	do {
		word = n < 16 ? n : pmumap_load_xor_(p + i, p + i + 8);
		hash *= m->multiplier;
		hash = (hash << 32 | hash >> 32) ^ word;
		i = i == n - 16 ? 16 : i + 16;
	} while (n < m->whole && i + 16 < n);
	return hash * m->multiplier;
}

#define PMUMAP_IMC_TAG_(hash) ((uint32_t)((hash) >> 32) & 0xffff)
/* Its bucket. The upper half is enough, and 32-bit CPUs shift it without libgcc. */
#define PMUMAP_IMC_BUCKET_(m, hash) ((uint32_t)((hash) >> 32) >> ((m)->shift & 31))

/* A hash of an offset: an odd factor keeps all different. Its bucket. */
#define PMUMAP_IMC_MIX_OFFSET_ 0x9e3779b1u
#define PMUMAP_IMC_OFFSET_BUCKET_(m, hash) ((uint32_t)((uint64_t)(hash) * ((m)->names + 1) >> 32))

static inline int pmumap_imc_is_type_(uint32_t type)
{
	return type == PMUMAP_IMC_NEST || type == PMUMAP_IMC_CORE || type == PMUMAP_IMC_THREAD ||
	       type == PMUMAP_IMC_TRACE;
}

#define PMUMAP_IMC_LINUX_NEST_ "nest_"
#define PMUMAP_IMC_LINUX_END_ "_imc"

/* Part 0 to 2 of Linux's name of a unit, up to its '@' or end: nest_mcs01_imc, core_imc. */
static inline const char *pmumap_imc_linux_part_(const struct pmumap_imc *m, uint32_t unit,
						 uint32_t part)
{
	const struct pmumap_imc_unit_row_ *u = PMUMAP_IMC_UNITS_(m) + unit;

	if (part == 0)
		return u->type == PMUMAP_IMC_NEST ? PMUMAP_IMC_LINUX_NEST_ : "";
	return part == 1 ? PMUMAP_IMC_TEXT_(m, u->name) : PMUMAP_IMC_LINUX_END_;
}
