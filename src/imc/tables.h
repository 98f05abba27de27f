/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of units, lists, events and strings */
#pragma once

#include "imc/api.h"
#include "core/image.h"

/*
 * The head of a map; its tables follow in the same block. Offsets are in bytes from the head. Units
 * share lists of events, and all share strings. Full names are not stored: the index leads to a
 * unit and one of its events.
 */
struct pmumap_imc {
	struct pmumap_head_ head;
	uint32_t units, unit_count;
	uint32_t unit_classes, unit_class_count;
	uint32_t events, event_count;
	uint32_t overrides, override_count;
	uint32_t chips, chip_count;
	uint32_t strings, string_bytes; /* the last byte is 0 */
	uint32_t names;                 /* of all units together; 2^32 - 1: or more */
	uint32_t slots, slot_count;     /* the name index: nth and tag, unit, event of a name */
	uint32_t shifts, bucket_count;  /* 16 bits for each bucket: pmumap_imc_hash_slot_() */
	uint32_t seed;
	uint32_t unit_bit, nth_bit; /* where unit and nth begin in a slot; 0: they do not fit */
	uint32_t by_prefix;         /* without an index: units in the order of their prefixes; */
	uint32_t chain;             /* the next shorter prefix: pmumap_imc_search_name_(); */
	uint32_t by_name;           /* all events in the order of their names */
	uint32_t name_bytes;        /* with one: a byte for each event, the length of its name */
	uint32_t by_offset;         /* all names, as unit and event: pmumap_imc_offset_key_() */
	uint32_t offset_buckets;    /* where the names of each bucket of keys begin, and the end */
};

struct pmumap_imc_unit_row_ {
	uint32_t name, prefix;
	uint32_t reg;
	uint32_t first, events;
	uint32_t kind; /* class << 8 | bytes of the prefix */
};

/*
 * The parts of a unit's kind. So many bytes of prefix, or more, are LONG_PREFIX_: beside an index
 * only units without events have them.
 */
#define PMUMAP_IMC_CLASS_OF_(u) ((u)->kind >> 8)
#define PMUMAP_IMC_PREFIX_BYTES_(u) ((u)->kind & PMUMAP_IMC_LONG_PREFIX_)
#define PMUMAP_IMC_LONG_PREFIX_ 0xffu
#define PMUMAP_IMC_INDEXED_BYTES_ 127u /* no full name in an index has more */

/* Strings are read by words, and so some bytes behind them: that many are there. */
#define PMUMAP_IMC_BEHIND_STRINGS_ 16u

/* What several units have in common: a class of units. */
struct pmumap_imc_unit_class_ {
	uint32_t scale, measure;
	uint32_t type;
	uint32_t size, offset, control;
	uint32_t chips, chip_count;
};

/* Sorted by reg within a list. */
struct pmumap_imc_event_row_ {
	uint32_t name; /* with PMUMAP_IMC_HAS_OVERRIDE_ where there is one for it */
	uint32_t reg;
};

/* Strings of an event that override those of its unit; 0: not this one. Sorted by event. */
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

/* The string at an offset; NULL for 0, which is no string. */
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

/* A unit of the map and an event of it, both by number. */
struct pmumap_imc_match_ {
	uint32_t unit, event;
};

/* A table of 32-bit numbers. */
static inline const uint32_t *pmumap_imc_numbers_at_(const struct pmumap_imc *m, uint32_t offset)
{
	return (const uint32_t *)pmumap_image_at_(m, offset);
}

/*
 * Without an index, by_prefix has the units in the order of their prefixes. For each place in it,
 * chain has the place of the next shorter prefix, with which this one begins. Of units with the
 * same prefix only the first has that; the others have the place of the first, marked by
 * SAME_PREFIX_. They are sorted by where their events end, then as in the tree.
 *
 *	place		0	1	2		3	4	5
 *	prefix		""	"PM_"	"PM_A_"		"PM_A_"	"PM_B_"	"X_"
 *	chain		none	0	1		same, 2	1	0
 *
 * NO_PREFIX_, here "none", ends a chain: it is no lower than the place it stands at, nor is
 * anything with the mark.
 */
#define PMUMAP_IMC_SAME_PREFIX_ 0x80000000u
#define PMUMAP_IMC_NO_PREFIX_ 0xffffffffu

/* The first event of a unit at an offset or above, or the end. The unit has events. */
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
 * How many of n events, which are sorted by reg, lie no higher than reg. A binary search: many
 * units may share a list, and each may leave out all of its events.
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
 * Names are in the order of their offsets' keys, which is that of a hash: names of one offset stay
 * together, and the upper part of a key says nearly where it is, however the offsets lie. The
 * multiplier is odd, so no two offsets have one key.
 */
static inline uint32_t pmumap_imc_offset_key_(uint32_t offset)
{
	return offset * 0x9e3779b1u;
}

#define PMUMAP_IMC_OFFSET_BUCKET_ 8u /* names for each bucket of keys, about */

/* How many buckets there are for so many names. */
static inline uint32_t pmumap_imc_count_offset_buckets_(uint32_t names)
{
	return names / PMUMAP_IMC_OFFSET_BUCKET_ + 1;
}

/* Whether a number, of unit and event as in a slot of the index, may need more than 16 bits. */
static inline int pmumap_imc_has_wide_numbers_(const struct pmumap_imc *m)
{
	return m->nth_bit > 16;
}

/* A number of by_offset or of its buckets, whose tables are as wide. */
static inline uint32_t pmumap_imc_number_at_(const struct pmumap_imc *m, uint32_t table,
					     uint32_t place, int wide)
{
	return wide ? pmumap_imc_numbers_at_(m, table)[place]
		    : ((const uint16_t *)pmumap_image_at_(m, table))[place];
}

/* The first of the chips that units of a class have. */
static inline const struct pmumap_imc_chip_row_ *
pmumap_imc_chip_rows_(const struct pmumap_imc *m, const struct pmumap_imc_unit_class_ *k)
{
	return (const struct pmumap_imc_chip_row_ *)pmumap_image_at_(m, m->chips) + k->chips;
}

/* Whether a type is one of those that a unit can have. */
static inline int pmumap_imc_is_type_(uint32_t type)
{
	return type == PMUMAP_IMC_NEST || type == PMUMAP_IMC_CORE || type == PMUMAP_IMC_THREAD ||
	       type == PMUMAP_IMC_TRACE;
}

/* Whether an offset is that of a string: it lies in the strings, whose last byte is 0. */
static inline int pmumap_imc_is_string_(const struct pmumap_imc *m, uint32_t offset)
{
	return offset >= m->strings && offset - m->strings < m->string_bytes;
}

/* The number of the unit in a slot of the name index. */
static inline uint32_t pmumap_imc_unit_of_slot_(const struct pmumap_imc *m, uint32_t slot)
{
	return (slot & ~(0xffffffffu << m->nth_bit)) >> m->unit_bit;
}

/* The event in it, counted from the first one of that unit. */
static inline uint32_t pmumap_imc_event_of_slot_(const struct pmumap_imc *m, uint32_t slot)
{
	return slot & ~(0xffffffffu << m->unit_bit);
}

/* The unit and the event in a slot of the index, or in a number made like one. */
static inline struct pmumap_imc_match_ pmumap_imc_match_of_slot_(const struct pmumap_imc *m,
								 uint32_t slot)
{
	struct pmumap_imc_match_ match;

	match.unit = pmumap_imc_unit_of_slot_(m, slot);
	match.event =
		pmumap_imc_unit_rows_(m)[match.unit].first + pmumap_imc_event_of_slot_(m, slot);
	return match;
}

/* Where the counter of a number is, in the window or page of its unit. */
static inline uint32_t pmumap_imc_offset_of_number_(const struct pmumap_imc *m, uint32_t number)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m) + (number >> m->unit_bit);

	return u->reg +
	       pmumap_imc_event_rows_(m)[u->first + pmumap_imc_event_of_slot_(m, number)].reg;
}

/* How long a string is that the text begins with. len + 1: the text does not begin with it. */
static inline size_t pmumap_prefix_length_(const char *s, const unsigned char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len && s[i]; i++) {
		if ((unsigned char)s[i] != text[i])
			return len + 1;
	}
	return s[i] ? len + 1 : i;
}
