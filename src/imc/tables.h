/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of units, lists, events and strings */
#pragma once

#include "imc/api.h"
#include "core/image.h"

/*
 * The head of a map; its tables follow in the same block. Offsets are in bytes from the head. Units
 * share lists of events, and all share strings. Full names are not stored: a number leads to a unit
 * and one of its events.
 */
struct pmumap_imc {
	struct pmumap_head_ head;
	uint32_t units, unit_count;
	uint32_t unit_classes, unit_class_count;
	uint32_t events, event_count;
	uint32_t overrides, override_count;
	uint32_t chips, chip_count;
	uint32_t strings, string_bytes; /* the last byte is 0 */
	uint32_t names;                 /* of all units; 2^32 - 1: that many or more */
	uint32_t slots;                 /* the name index: number and tag of each name */
	uint64_t key;                   /* of its hashes */
	uint32_t homes;                 /* in its table, which has REACH_ - 1 slots more */
	uint32_t first_bytes;           /* which first bytes of a query UNIT/NAME may have */
	uint32_t unit_bit,
		number_bits;     /* lowest bit of the unit in a number, and all; 0: no room */
	uint32_t by_prefix;      /* for names that are not in it: units sorted by prefix, */
	uint32_t chain;          /* the next shorter prefix of each, */
	uint32_t by_name;        /* and all events sorted by name */
	uint32_t event_bits;     /* mask of the event in a number */
	uint32_t by_offset;      /* all names, sorted by pmumap_imc_offset_key_() */
	uint32_t offset_buckets; /* where each bucket of keys begins, then the end */
};

struct pmumap_imc_unit_row_ {
	uint32_t name, prefix;
	uint32_t reg;
	uint32_t first, events;
	uint32_t kind; /* class << 8 | bytes of the prefix */
};

/* The parts of a unit's kind. LONG_PREFIX_ means that many bytes of prefix or more. */
#define PMUMAP_IMC_CLASS_OF_(u) ((u)->kind >> 8)
#define PMUMAP_IMC_PREFIX_BYTES_(u) ((u)->kind & PMUMAP_IMC_LONG_PREFIX_)
#define PMUMAP_IMC_LONG_PREFIX_ 0xffu

/*
 * The name index is an open-addressing table. A slot has the length of a full name (7 bits), 5 bits
 * of its hash, and its number; 0: free. Length and hash are its tag. A name is in the first free
 * slot from its home on or nearer, less than REACH_ slots from home: a look-up ends there or at a
 * free slot. Matches of one name have different tags and homes: the hash of the nth is
 * nth * NTH_ more, and NTH_ is 1 in its lower 5 bits.
 *
 * Names that do not fit are found by the sorted tables only.
 */
#define PMUMAP_IMC_REACH_ 8u
#define PMUMAP_IMC_INDEXED_BYTES_ 127u  /* the longest full name in an index, */
#define PMUMAP_IMC_INDEXED_MATCHES_ 16u /* and the most matches of a name */
#define PMUMAP_IMC_LENGTH_BITS_ 7u
#define PMUMAP_IMC_TAG_BITS_ 12u
#define PMUMAP_IMC_TAG_ 0xfffu
#define PMUMAP_IMC_HASH_TAGS_ 32u /* of names with one length */
#define PMUMAP_IMC_NTH_ 0x9e3779b97f4a7c01u

/* A class of units: the properties that several units share. */
struct pmumap_imc_unit_class_ {
	uint32_t scale, measure;
	uint32_t type;
	uint32_t size, offset, control;
	uint32_t chips, chip_count;
};

/* Sorted by reg within a list. */
struct pmumap_imc_event_row_ {
	uint32_t name; /* plus PMUMAP_IMC_HAS_OVERRIDE_ if it has one */
	uint32_t reg;
};

/* An event's own strings, which replace its unit's; 0: it has none. Sorted by event. */
struct pmumap_imc_override_ {
	uint32_t event;
	uint32_t scale, measure, desc;
};

struct pmumap_imc_chip_row_ {
	uint64_t base;
	uint32_t chip, unused;
};

#define PMUMAP_IMC_HAS_OVERRIDE_ 0x80000000u
#define PMUMAP_IMC_COUNTER_BYTES_ 8u

static inline const struct pmumap_imc_unit_row_ *pmumap_imc_unit_rows_(const struct pmumap_imc *m)
{
	return (const struct pmumap_imc_unit_row_ *)pmumap_image_at_(m, m->units);
}

static inline const struct pmumap_imc_event_row_ *pmumap_imc_event_rows_(const struct pmumap_imc *m)
{
	return (const struct pmumap_imc_event_row_ *)pmumap_image_at_(m, m->events);
}

static inline const struct pmumap_imc_unit_class_ *
pmumap_imc_class_of_unit_(const struct pmumap_imc *m, const struct pmumap_imc_unit_row_ *u)
{
	return (const struct pmumap_imc_unit_class_ *)pmumap_image_at_(m, m->unit_classes) +
	       PMUMAP_IMC_CLASS_OF_(u);
}

/* The string at an offset; NULL for offset 0. */
static inline const char *pmumap_imc_string_at_(const struct pmumap_imc *m, uint32_t offset)
{
	return offset ? (const char *)pmumap_image_at_(m, offset) : 0;
}

/* The name of an event by its number, without the prefix of a unit. */
static inline const char *pmumap_imc_event_name_(const struct pmumap_imc *m, uint32_t event)
{
	return (const char *)pmumap_image_at_(m, pmumap_imc_event_rows_(m)[event].name &
							 ~PMUMAP_IMC_HAS_OVERRIDE_);
}

/* A unit and one of its events, both by their number in the map. */
struct pmumap_imc_match_ {
	uint32_t unit, event;
};

/* A table of 32-bit numbers. */
static inline const uint32_t *pmumap_imc_numbers_at_(const struct pmumap_imc *m, uint32_t offset)
{
	return (const uint32_t *)pmumap_image_at_(m, offset);
}

/*
 * by_prefix lists the units sorted by prefix. For each place in it, chain holds
 * the place of the next shorter prefix that this one begins with. Of units with the same prefix
 * only the first holds that; the others hold the place of the first, plus SAME_PREFIX_. They are
 * sorted by the end of their events, then in the order of the tree.
 *
 *	place		0	1	2		3	4	5
 *	prefix		""	"PM_"	"PM_A_"		"PM_A_"	"PM_B_"	"X_"
 *	chain		none	0	1		same, 2	1	0
 *
 * A chain ends at a link that is not below its own place. NO_PREFIX_ ("none") never is, nor is a
 * link with SAME_PREFIX_.
 */
#define PMUMAP_IMC_SAME_PREFIX_ 0x80000000u
#define PMUMAP_IMC_NO_PREFIX_ 0xffffffffu

/* The first event of a unit at or above an offset, or the end. The unit must have events. */
static inline uint32_t pmumap_imc_first_event_from_(const struct pmumap_imc *m,
						    const struct pmumap_imc_unit_row_ *u,
						    uint32_t offset)
{
	const struct pmumap_imc_event_row_ *e = pmumap_imc_event_rows_(m) + u->first;
	uint32_t low = 0, n = u->events, reg = offset - u->reg;

	if (offset < u->reg)
		return u->first;
	while (n > 1) {
		uint32_t half = n / 2;

		low += e[low + half].reg < reg ? half : 0;
		n -= half;
	}
	return u->first + low + (e[low].reg < reg);
}

/*
 * How many of n events, sorted by reg, are at or below reg. Bisects, because many units may share
 * one list, and each may drop all of its events.
 */
static inline uint32_t pmumap_imc_count_events_to_(const struct pmumap_imc_event_row_ *e,
						   uint32_t n, uint32_t reg)
{
	uint32_t low = 0;

	while (n) {
		uint32_t half = n / 2;

		if (e[low + half].reg <= reg) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return low;
}

/*
 * Names are sorted by a hash of their offset, the key. Names with equal offsets stay together, and
 * the upper bits of a key predict its place, even if offsets cluster. The multiplier is odd, so two
 * offsets never share a key.
 */
static inline uint32_t pmumap_imc_offset_key_(uint32_t offset)
{
	return offset * 0x9e3779b1u;
}

#define PMUMAP_IMC_OFFSET_BUCKET_ 8u /* average names per bucket of keys */

static inline uint32_t pmumap_imc_count_offset_buckets_(uint32_t names)
{
	return names / PMUMAP_IMC_OFFSET_BUCKET_ + 1;
}

/* Whether a number (unit and event) may exceed 16 bits. */
static inline int pmumap_imc_has_wide_numbers_(const struct pmumap_imc *m)
{
	return m->number_bits > 16;
}

/* A number from by_offset or offset_buckets, which have the same width. */
static inline uint32_t pmumap_imc_number_at_(const struct pmumap_imc *m, uint32_t table,
					     uint32_t place, int wide)
{
	return wide ? pmumap_imc_numbers_at_(m, table)[place]
		    : ((const uint16_t *)pmumap_image_at_(m, table))[place];
}

/* The first chip of a class of units. */
static inline const struct pmumap_imc_chip_row_ *
pmumap_imc_chip_rows_(const struct pmumap_imc *m, const struct pmumap_imc_unit_class_ *k)
{
	return (const struct pmumap_imc_chip_row_ *)pmumap_image_at_(m, m->chips) + k->chips;
}

static inline int pmumap_imc_is_type_(uint32_t type)
{
	return type == PMUMAP_IMC_NEST || type == PMUMAP_IMC_CORE || type == PMUMAP_IMC_THREAD ||
	       type == PMUMAP_IMC_TRACE;
}

/* Whether an offset is in the strings. Their last byte is 0, so every string ends there. */
static inline int pmumap_imc_is_string_(const struct pmumap_imc *m, uint32_t offset)
{
	return offset >= m->strings && offset - m->strings < m->string_bytes;
}

/* The unit of a number. */
static inline uint32_t pmumap_imc_unit_of_number_(const struct pmumap_imc *m, uint32_t number)
{
	return number >> m->unit_bit;
}

/* The event in it, counted from the unit's first. */
static inline uint32_t pmumap_imc_event_of_number_(const struct pmumap_imc *m, uint32_t number)
{
	return number & m->event_bits;
}

static inline struct pmumap_imc_match_ pmumap_imc_match_of_number_(const struct pmumap_imc *m,
								   uint32_t number)
{
	struct pmumap_imc_match_ match;

	match.unit = pmumap_imc_unit_of_number_(m, number);
	match.event =
		pmumap_imc_unit_rows_(m)[match.unit].first + pmumap_imc_event_of_number_(m, number);
	return match;
}

/* The offset of a number's counter in the window or page of its unit. */
static inline uint32_t pmumap_imc_offset_of_number_(const struct pmumap_imc *m, uint32_t number)
{
	const struct pmumap_imc_unit_row_ *u =
		pmumap_imc_unit_rows_(m) + pmumap_imc_unit_of_number_(m, number);

	return u->reg +
	       pmumap_imc_event_rows_(m)[u->first + pmumap_imc_event_of_number_(m, number)].reg;
}

/* The length of s if the text begins with it, otherwise len + 1. */
static inline size_t pmumap_prefix_length_(const char *s, const unsigned char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len && s[i]; i++) {
		if ((unsigned char)s[i] != text[i])
			return len + 1;
	}
	return s[i] ? len + 1 : i;
}
