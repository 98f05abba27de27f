/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "imc/api.h"
#include "core/image.h"

/*
 * The tables of the IMC part; offsets from the head of the map. Strings are shared, lists of events
 * are shared by the units that name them, and full names are nowhere: the index finds the numbers
 * of a unit and of one of its events.
 */
struct pmumap_imc {
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
	uint32_t unit_bit, nth_bit; /* where unit and nth begin in a slot */
	uint32_t by_prefix;         /* without an index: units in the order of their prefixes; */
	uint32_t chain;             /* the next shorter prefix: pmumap_imc_search_name_(); */
	uint32_t by_name;           /* events, list by list, in the order of their name; */
	uint32_t by_list;           /* of each unit, the events of its list */
};

struct pmumap_imc_unit_row_ {
	uint32_t name, prefix;
	uint32_t reg;
	uint32_t first, events;
	uint32_t kind; /* class << 8 | bytes of the prefix; PMUMAP_IMC_LONG_PREFIX_: or more */
};

#define PMUMAP_IMC_LONG_PREFIX_ 0xffu

/* What units have in common. */
struct pmumap_imc_unit_class_ {
	uint32_t scale, measure;
	uint32_t type;
	uint32_t size, offset, control;
	uint32_t chips, chip_count;
};

/* Sorted by reg within a list. */
struct pmumap_imc_event_row_ {
	uint32_t name; /* with PMUMAP_IMC_HAS_OVERRIDE_ where it has strings of its own */
	uint32_t reg;
};

/* What an event says besides its unit, which it overrides. Sorted by event. */
struct pmumap_imc_override_ {
	uint32_t event;
	uint32_t scale, measure, desc;
};

struct pmumap_imc_chip_row_ {
	uint64_t base;
	uint32_t chip, unused;
};

#define PMUMAP_IMC_HAS_OVERRIDE_ 0x80000000u

static inline const struct pmumap_imc *pmumap_imc_part_(const struct pmumap *m)
{
	return (const struct pmumap_imc *)pmumap_image_at_(m, m->imc);
}

static inline const struct pmumap_imc_unit_row_ *pmumap_imc_unit_rows_(const struct pmumap *m)
{
	return (const struct pmumap_imc_unit_row_ *)pmumap_image_at_(m, pmumap_imc_part_(m)->units);
}

static inline const struct pmumap_imc_event_row_ *pmumap_imc_event_rows_(const struct pmumap *m)
{
	return (const struct pmumap_imc_event_row_ *)pmumap_image_at_(m,
								      pmumap_imc_part_(m)->events);
}

static inline const struct pmumap_imc_unit_class_ *
pmumap_imc_class_of_unit_(const struct pmumap *m, const struct pmumap_imc_unit_row_ *u)
{
	return (const struct pmumap_imc_unit_class_ *)pmumap_image_at_(
		       m, pmumap_imc_part_(m)->unit_classes) +
	       (u->kind >> 8);
}

static inline const char *pmumap_imc_string_at_(const struct pmumap *m, uint32_t offset)
{
	return offset ? (const char *)pmumap_image_at_(m, offset) : 0;
}

static inline const char *pmumap_imc_event_name_(const struct pmumap *m, uint32_t event)
{
	return (const char *)pmumap_image_at_(m, pmumap_imc_event_rows_(m)[event].name &
							 ~PMUMAP_IMC_HAS_OVERRIDE_);
}

/* A unit of the map and an event of it, both by number. */
struct pmumap_imc_match_ {
	uint32_t unit, event;
};

static inline const uint32_t *pmumap_imc_numbers_at_(const struct pmumap *m, uint32_t offset)
{
	return (const uint32_t *)pmumap_image_at_(m, offset);
}

/* In a chain of prefixes: the place of the first unit with this prefix follows. */
#define PMUMAP_IMC_SAME_PREFIX_ 0x80000000u

/* Of a unit's events the first that is counted at an offset or above it; the unit has some. */
static inline uint32_t pmumap_imc_first_event_from_(const struct pmumap *m,
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

static inline const struct pmumap_imc_chip_row_ *
pmumap_imc_chip_rows_(const struct pmumap *m, const struct pmumap_imc_unit_class_ *k)
{
	return (const struct pmumap_imc_chip_row_ *)pmumap_image_at_(m,
								     pmumap_imc_part_(m)->chips) +
	       k->chips;
}

static inline int pmumap_imc_is_type_(uint32_t type)
{
	return type == PMUMAP_IMC_NEST || type == PMUMAP_IMC_CORE || type == PMUMAP_IMC_THREAD ||
	       type == PMUMAP_IMC_TRACE;
}

/* Whether an offset lies in the strings, all of which end there. */
static inline int pmumap_imc_is_string_(const struct pmumap_imc *c, uint32_t offset)
{
	return offset >= c->strings && offset - c->strings < c->string_bytes;
}

/* The number of the unit in a slot of the name index. */
static inline uint32_t pmumap_imc_unit_of_slot_(const struct pmumap_imc *c, uint32_t slot)
{
	return (slot & ~(0xffffffffu << c->nth_bit)) >> c->unit_bit;
}

/* The event in it, counted from the first one of that unit. */
static inline uint32_t pmumap_imc_event_of_slot_(const struct pmumap_imc *c, uint32_t slot)
{
	return slot & ~(0xffffffffu << c->unit_bit);
}

/* The unit and the event of a number: its bits as in a slot of the index. */
static inline struct pmumap_imc_match_ pmumap_imc_match_of_slot_(const struct pmumap *m,
								 uint32_t slot)
{
	const struct pmumap_imc *c = pmumap_imc_part_(m);
	struct pmumap_imc_match_ match;

	match.unit = pmumap_imc_unit_of_slot_(c, slot);
	match.event =
		pmumap_imc_unit_rows_(m)[match.unit].first + pmumap_imc_event_of_slot_(c, slot);
	return match;
}
