/* SPDX-License-Identifier: BSD-2-Clause */
/* What waits for the builder, and what it works on */
#pragma once

#include "pool/entries.h"
#include "pool/pool.h"
#include "imc/builder_api.h"
#include "imc/tables.h"

/* Entry i of a builder, counted from the oldest, as a struct of its kind: list, event, unit ... */
#define PMUMAP_IMC_ENTRY_(name, b, i)                                                              \
	((struct pmumap_imc_##name##_entry_ *)pmumap_entries_at_(&(b)->entries, i))

/*
 * What the index of names and building it take at most, for each name and besides; and a byte for
 * each event.
 */
#define PMUMAP_IMC_NAME_BYTES_ 26u
#define PMUMAP_IMC_INDEX_BYTES_ 256u

/* Bytes for the index of so many names of so many events, and for building it. */
static inline uint64_t pmumap_imc_index_bytes_(uint64_t names, uint32_t events)
{
	return names * PMUMAP_IMC_NAME_BYTES_ + events + PMUMAP_IMC_INDEX_BYTES_;
}

/*
 * How many names for each event and unit a block of pmumap_imc_need() has room for, of an index and
 * of an order of offsets. More of them get both in a larger block.
 */
#define PMUMAP_IMC_NAMES_EACH_ 4u

/*
 * Bytes of the block for an index of NAMES_EACH_ names, beyond the place of the entries,
 * where it is built. The order of offsets fits there: pmumap_imc_build_offsets_().
 */
static inline uint64_t pmumap_imc_need_indexes_(const struct pmumap_imc_builder *b)
{
	uint64_t names = PMUMAP_IMC_NAMES_EACH_ * (uint64_t)b->names, bytes;
	uint64_t entries = (uint64_t)b->entries.count * sizeof(struct pmumap_pool_entry_);

	bytes = pmumap_imc_index_bytes_(names, b->names);
	return names && bytes > entries ? bytes - entries : 0;
}

/*
 * Kinds of entries. Those from EVENT to PREFIX begin with a text: its address, and once it is in
 * the map, its offset there.
 */
enum {
	PMUMAP_IMC_LIST_ = 1 << 24,
	PMUMAP_IMC_EVENT_ = 2 << 24,
	PMUMAP_IMC_SCALE_ = 3 << 24, /* of the event or unit before it, as the next two are */
	PMUMAP_IMC_MEASURE_ = 4 << 24,
	PMUMAP_IMC_DESC_ = 5 << 24,
	PMUMAP_IMC_UNIT_ = 6 << 24, /* then its PREFIX and CHIPS: pmumap_imc_unit_at_() */
	PMUMAP_IMC_PREFIX_ = 7 << 24,
	PMUMAP_IMC_CHIPS_ = 8 << 24,
	PMUMAP_IMC_CHIP_ = 9 << 24,  /* of the unit before it */
	PMUMAP_IMC_HOMER_ = 10 << 24 /* of every nest unit without chips of its own */
};

struct pmumap_imc_list_entry_ {
	uint64_t id;
	uint32_t events; /* in it */
	uint32_t first;  /* of them in the map, once it is there */
	uint32_t node;
	uint32_t kind; /* flags: */
} PMUMAP_MAY_ALIAS_;

enum {
	PMUMAP_IMC_LIST_USED_ = 1,    /* by a unit ... */
	PMUMAP_IMC_LIST_COUNTED_ = 2, /* ... whose offsets are those of counters */
	PMUMAP_IMC_LIST_TOLD_ = 4     /* a checker has told that it is empty, or is not */
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
	PMUMAP_IMC_UNIT_OWN_LIST_ = 0x100,   /* the list is the one before it */
	PMUMAP_IMC_UNIT_OWN_CHIPS_ = 0x200,  /* no others, even if these are none */
	PMUMAP_IMC_UNIT_OWN_CONTROL_ = 0x400 /* control may be 0, which is then no default */
};

struct pmumap_imc_prefix_entry_ {
	uint64_t prefix;
	uint32_t size, offset, control; /* of the unit's window */
	uint32_t kind;
} PMUMAP_MAY_ALIAS_;

struct pmumap_imc_chips_entry_ {
	uint64_t unused;
	uint32_t first, count; /* in the map, once they are there */
	uint32_t list;         /* of the unit: the entry that it was resolved to, or NO_ENTRY_ */
	uint32_t kind;
} PMUMAP_MAY_ALIAS_;

struct pmumap_imc_chip_entry_ {
	uint64_t base;
	uint32_t chip;
	uint32_t unused[2];
	uint32_t kind;
} PMUMAP_MAY_ALIAS_;

/* The three entries that a unit begins with, as they lie in the block: newest first. */
struct pmumap_imc_unit_entries_ {
	struct pmumap_imc_chips_entry_ chips;
	struct pmumap_imc_prefix_entry_ prefix;
	struct pmumap_imc_unit_entry_ unit;
} PMUMAP_MAY_ALIAS_;

#define PMUMAP_IMC_UNIT_ENTRIES_ 3u /* behind these a unit has its texts and its chips */

/* Those of the unit in entry i. */
static inline struct pmumap_imc_unit_entries_ *
pmumap_imc_unit_at_(const struct pmumap_imc_builder *b, uint32_t i)
{
	return (struct pmumap_imc_unit_entries_ *)pmumap_entries_at_(
		&b->entries, i + PMUMAP_IMC_UNIT_ENTRIES_ - 1);
}

#define PMUMAP_IMC_USUAL_CONTROL_ 0x3fc00u /* where the control block is unless the unit says so */
#define PMUMAP_IMC_NO_CONTROL_ 0xffffffffu /* in no window: nobody can read what the unit says */

/* What a map is built with. */
struct pmumap_imc_build_ {
	struct pmumap_imc_builder *b;
	struct pmumap_imc *m;
	struct pmumap_imc *c;
	struct pmumap_pool_ pool;
	uint32_t *lists; /* numbers of the entries of all lists, by id */
	uint32_t list_count, text_count;
	uint32_t *order; /* numbers of the entries of one list's events; */
	uint32_t *spare; /* room for as many, to sort them */
};

/*
 * Compare two strings of the map; one that is there once is equal to itself, and is not read. By
 * words up to where they end or differ: tables lie behind all strings while a map is built.
 */
PMUMAP_OUTLINE_ int pmumap_imc_compare_strings_(const struct pmumap_imc *m, uint32_t a, uint32_t b)
{
	const unsigned char *s = (const unsigned char *)pmumap_image_at_(m, a);
	const unsigned char *t = (const unsigned char *)pmumap_image_at_(m, b);
	uint64_t word;

	if (a == b)
		return 0;
	for (; (word = pmumap_load_le64_(s)) == pmumap_load_le64_(t); s += 8, t += 8) {
		if (pmumap_zero_bytes_(word) & PMUMAP_HIGH_BITS_)
			return 0;
	}
	return pmumap_compare_strings_((const char *)s, (const char *)t);
}

/* Events by name; of one name by offset. */
static inline int pmumap_imc_order_entry_names_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_imc_build_ *w = (const struct pmumap_imc_build_ *)context;
	const struct pmumap_imc_event_entry_ *x = PMUMAP_IMC_ENTRY_(event, w->b, a);
	const struct pmumap_imc_event_entry_ *y = PMUMAP_IMC_ENTRY_(event, w->b, b);
	int order = pmumap_imc_compare_strings_(w->m, (uint32_t)x->name, (uint32_t)y->name);

	return order ? order : x->reg < y->reg ? -1 : x->reg > y->reg;
}

/* All names of the map as numbers: unit and event, as in a slot of the index. */
static inline void pmumap_imc_number_names_(const struct pmumap_imc *m, uint32_t *to)
{
	uint32_t unit, i;

	for (unit = 0; unit < m->unit_count; unit++) {
		for (i = 0; i < pmumap_imc_unit_rows_(m)[unit].events; i++)
			*to++ = unit << m->unit_bit | i;
	}
}

/* One byte of a full name: of the prefix, then of the name; *name: NULL once it is in that. */
static inline char pmumap_imc_next_byte_(const char **at, const char **name)
{
	if (!**at && *name) {
		*at = *name;
		*name = 0;
	}
	return **at ? *(*at)++ : 0;
}

/*
 * Whether two matches have one full name, of at most so many bytes. Nearly always that is one
 * prefix and one string, which are not read.
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
