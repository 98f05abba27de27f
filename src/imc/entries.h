/* SPDX-License-Identifier: BSD-2-Clause */
/* A builder's entries, and the state of a build */
#pragma once

#include "pool/entries.h"
#include "pool/pool.h"
#include "imc/builder_api.h"
#include "imc/tables.h"

/* Entry i of a builder, counted from the oldest, as a struct of its kind: list, event, unit ... */
#define PMUMAP_IMC_ENTRY_(name, b, i)                                                              \
	((struct pmumap_imc_##name##_entry_ *)pmumap_entries_at_(&(b)->entries, i))

/* Kinds of entries. EVENT to PREFIX begin with a text: its address, later its offset in the map. */
enum {
	PMUMAP_IMC_LIST_ = 1 << 24,
	PMUMAP_IMC_EVENT_ = 2 << 24,
	PMUMAP_IMC_SCALE_ = 3 << 24, /* like the next two, of the event or unit before it */
	PMUMAP_IMC_MEASURE_ = 4 << 24,
	PMUMAP_IMC_DESC_ = 5 << 24,
	PMUMAP_IMC_UNIT_ = 6 << 24, /* then its PREFIX and CHIPS: pmumap_imc_unit_at_() */
	PMUMAP_IMC_PREFIX_ = 7 << 24,
	PMUMAP_IMC_CHIPS_ = 8 << 24,
	PMUMAP_IMC_CHIP_ = 9 << 24,  /* of the unit before it */
	PMUMAP_IMC_HOMER_ = 10 << 24 /* of every nest unit without its own chips */
};

struct pmumap_imc_list_entry_ {
	uint64_t id;
	uint32_t events; /* how many */
	uint32_t first;  /* its first event in the map, once built */
	uint32_t node;
	uint32_t kind; /* flags: */
} PMUMAP_MAY_ALIAS_;

enum {
	PMUMAP_IMC_LIST_USED_ = 1,    /* by a unit */
	PMUMAP_IMC_LIST_COUNTED_ = 2, /* by a unit whose offsets are counters: not trace */
	PMUMAP_IMC_LIST_TOLD_ = 4     /* already checked for being empty */
};

struct pmumap_imc_event_entry_ {
	uint64_t name;
	uint32_t reg;
	uint32_t node;
	uint32_t unused;
	uint32_t kind;
} PMUMAP_MAY_ALIAS_;

struct pmumap_imc_text_entry_ {
	uint64_t text;
	uint32_t unused[3];
	uint32_t kind;
} PMUMAP_MAY_ALIAS_;

struct pmumap_imc_unit_entry_ {
	uint64_t name;
	uint32_t reg;
	uint32_t node;
	uint32_t list; /* its id */
	uint32_t kind; /* flags: */
} PMUMAP_MAY_ALIAS_;

enum {
	PMUMAP_IMC_UNIT_TYPE_ = 0xff,        /* PMUMAP_IMC_NEST and so on */
	PMUMAP_IMC_UNIT_OWN_LIST_ = 0x100,   /* uses the list before it */
	PMUMAP_IMC_UNIT_OWN_CHIPS_ = 0x200,  /* never takes HOMER chips, even if it has no chips */
	PMUMAP_IMC_UNIT_OWN_CONTROL_ = 0x400 /* a control of 0 is meant, not the default */
};

struct pmumap_imc_prefix_entry_ {
	uint64_t prefix;
	uint32_t size, offset, control; /* of the unit's window */
	uint32_t kind;
} PMUMAP_MAY_ALIAS_;

struct pmumap_imc_chips_entry_ {
	uint64_t unused;
	uint32_t first, count; /* in the map, once built */
	uint32_t list;         /* the entry of the unit's list, or NO_ENTRY_ */
	uint32_t kind;
} PMUMAP_MAY_ALIAS_;

struct pmumap_imc_chip_entry_ {
	uint64_t base;
	uint32_t chip;
	uint32_t unused[2];
	uint32_t kind;
} PMUMAP_MAY_ALIAS_;

/* A unit's first three entries in the order of the block: newest first. */
struct pmumap_imc_unit_entries_ {
	struct pmumap_imc_chips_entry_ chips;
	struct pmumap_imc_prefix_entry_ prefix;
	struct pmumap_imc_unit_entry_ unit;
} PMUMAP_MAY_ALIAS_;

#define PMUMAP_IMC_UNIT_ENTRIES_ 3u /* a unit's texts and chips follow these */

/* The three entries of the unit in entry i. */
static inline struct pmumap_imc_unit_entries_ *
pmumap_imc_unit_at_(const struct pmumap_imc_builder *b, uint32_t i)
{
	return (struct pmumap_imc_unit_entries_ *)pmumap_entries_at_(
		&b->entries, i + PMUMAP_IMC_UNIT_ENTRIES_ - 1);
}

#define PMUMAP_IMC_USUAL_CONTROL_ 0x3fc00u /* place of the control block if the unit gives none */
#define PMUMAP_IMC_NO_CONTROL_ 0xffffffffu /* outside every window: cb_offset is malformed */

/* The state of a build. */
struct pmumap_imc_build_ {
	struct pmumap_imc_builder *b;
	struct pmumap_imc *m;
	struct pmumap_imc *c;
	struct pmumap_pool_ pool;
	uint32_t *lists; /* entries of all lists, sorted by id */
	uint32_t list_count, text_count;
	uint32_t *order; /* entries of one list's events */
	uint32_t *spare; /* scratch to sort either */
};

/*
 * Compare two strings of the map. Most are stored once, so equal offsets need no reading. Reading
 * past an end by words is safe: during a build, tables follow all strings.
 */
PMUMAP_OUTLINE_ int pmumap_imc_compare_strings_(const struct pmumap_imc *m, uint32_t a, uint32_t b)
{
	const unsigned char *s = (const unsigned char *)pmumap_image_at_(m, a);
	const unsigned char *t = (const unsigned char *)pmumap_image_at_(m, b);
	uint64_t word;

	if (a == b)
		return 0;
	for (; (word = pmumap_load_word_(s)) == pmumap_load_word_(t); s += 8, t += 8) {
		if (pmumap_zero_bytes_(word) & PMUMAP_HIGH_BITS_)
			return 0;
	}
	return pmumap_compare_strings_((const char *)s, (const char *)t);
}

/* Compare events by name, then by offset. */
static inline int pmumap_imc_order_entry_names_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_imc_build_ *w = (const struct pmumap_imc_build_ *)context;
	const struct pmumap_imc_event_entry_ *x = PMUMAP_IMC_ENTRY_(event, w->b, a);
	const struct pmumap_imc_event_entry_ *y = PMUMAP_IMC_ENTRY_(event, w->b, b);
	int order = pmumap_imc_compare_strings_(w->m, (uint32_t)x->name, (uint32_t)y->name);

	return order ? order : x->reg < y->reg ? -1 : x->reg > y->reg;
}

/* List all names of the map as numbers: unit and event, as in a slot of the index. */
static inline void pmumap_imc_number_names_(const struct pmumap_imc *m, uint32_t *to)
{
	uint32_t unit, i;

	for (unit = 0; unit < m->unit_count; unit++) {
		for (i = 0; i < pmumap_imc_unit_rows_(m)[unit].events; i++)
			*to++ = unit << m->unit_bit | i;
	}
}

/* The next byte of a full name: prefix, then name; *name is NULL once the prefix has ended. */
static inline char pmumap_imc_next_byte_(const char **at, const char **name)
{
	if (!**at && *name) {
		*at = *name;
		*name = 0;
	}
	return **at ? *(*at)++ : 0;
}

/*
 * Whether two matches have the same full name, of at most this many bytes. Usually both share the
 * prefix and the string, and nothing is read.
 */
static inline int pmumap_imc_is_same_name_(const struct pmumap_imc *m,
					   const struct pmumap_imc_match_ *x,
					   const struct pmumap_imc_match_ *y, uint32_t most)
{
	const char *s = (const char *)pmumap_image_at_(m, pmumap_imc_unit_rows_(m)[x->unit].prefix);
	const char *t = (const char *)pmumap_image_at_(m, pmumap_imc_unit_rows_(m)[y->unit].prefix);
	const char *more_s = pmumap_imc_event_name_(m, x->event);
	const char *more_t = pmumap_imc_event_name_(m, y->event);
	uint32_t i;
	char c;

	if (s == t && more_s == more_t)
		return 1;
	for (i = 0; i <= most; i++) {
		c = pmumap_imc_next_byte_(&s, &more_s);
		if (c != pmumap_imc_next_byte_(&t, &more_t))
			return 0;
		if (!c)
			return 1;
	}
	return 0;
}
