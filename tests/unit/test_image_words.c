/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The smallest image with every table of IMC, written word by word. With one word changed,
 * pmumap_open() accepts it only if each number exists and each string and table ends inside.
 */
#include "imc_support.h"
#include "pmumap_amu.h"

/* Offsets of the parts, in words; all are even. */
enum {
	SIZE = 2, /* of the head */
	I_UNITS = 4,
	I_UNIT_CLASSES = 6,
	I_EVENTS = 8,
	I_OVERRIDES = 10,
	I_CHIPS = 12,
	I_STRINGS = 14,
	I_NAMES = 16,
	I_SLOTS,
	I_SLOT_COUNT,
	I_SHIFTS,
	I_BUCKETS,
	I_SEED,
	I_UNIT_BIT,
	I_NTH_BIT,
	I_BY_PREFIX,
	I_CHAIN,
	I_BY_NAME,
	I_NAME_BYTES,
	I_BY_OFFSET,
	I_STARTS,
	UNITS,                  /* 2: name, prefix, reg, first, events, class and bytes of prefix */
	CLASSES = UNITS + 12,   /* 1: scale, measure, type, size, offset, control, chips, count */
	EVENTS = CLASSES + 8,   /* 2: name, reg */
	OVERRIDES = EVENTS + 4, /* 1: event, scale, measure, desc */
	CHIPS = OVERRIDES + 4,  /* 1: base, chip, 0 */
	BY_PREFIX = CHIPS + 4,  /* 2 */
	CHAIN = BY_PREFIX + 2,  /* 2 */
	BY_NAME = CHAIN + 2,    /* 2 */
	SLOTS = BY_NAME + 2,    /* 2 */
	SHIFTS = SLOTS + 2,     /* 4 of 16 bits */
	LENGTHS = SHIFTS + 2,   /* 2 of 8 bits */
	PLACES = LENGTHS + 2,   /* 2 of 16 bits, or of 32 */
	STARTS = PLACES + 2,    /* 2 of 16 bits, or of 32 */
	STRINGS = STARTS + 2,   /* 7 bytes, and a 0 that is none of them */
	STRINGS_END = STRINGS + 2,
	END = STRINGS_END + 4 /* an index has as many bytes behind its strings */
};

#define AT(word) (4 * (uint32_t)(word))
#define TEXT(n) (AT(STRINGS) + (n))
#define A TEXT(1)
#define B TEXT(3)
#define C TEXT(5)
#define LAST TEXT(6) /* the last 0 */
#define BEHIND TEXT(7)
#define BEFORE (AT(STRINGS) - 1)
#define OWN 0x80000000u
#define SAME 0x80000000u
#define NONE 0xffffffffu

struct word {
	uint32_t at, value;
};

static const struct word intact[] = {
	{ 0, PMUMAP_IMC_MAGIC },
	{ 1, PMUMAP_IMAGE_VERSION },
	{ SIZE, AT(END) },
	/* "a" without a prefix, whose event is "a"; "b" with prefix "c", whose event is "b" */
	{ UNITS, A },
	{ UNITS + 1, TEXT(0) },
	{ UNITS + 4, 1 },
	{ UNITS + 6, B },
	{ UNITS + 7, C },
	{ UNITS + 8, 16 },
	{ UNITS + 9, 1 },
	{ UNITS + 10, 1 },
	{ UNITS + 11, 1 },
	{ CLASSES + 2, PMUMAP_IMC_NEST },
	{ CLASSES + 7, 1 },
	{ EVENTS, A },
	{ EVENTS + 2, B | OWN },
	{ EVENTS + 3, 8 },
	{ OVERRIDES, 1 },
	{ OVERRIDES + 1, A },
	{ OVERRIDES + 3, C },
	{ CHIPS + 2, 7 },
	{ BY_PREFIX + 1, 1 },
	{ CHAIN, NONE },
	{ BY_NAME + 1, 1 },
	{ SLOTS + 1, 2 },
	{ LENGTHS, 0x01010101 }, /* the same in either byte order */
	{ I_UNITS, AT(UNITS) },
	{ I_UNITS + 1, 2 },
	{ I_UNIT_CLASSES, AT(CLASSES) },
	{ I_UNIT_CLASSES + 1, 1 },
	{ I_EVENTS, AT(EVENTS) },
	{ I_EVENTS + 1, 2 },
	{ I_OVERRIDES, AT(OVERRIDES) },
	{ I_OVERRIDES + 1, 1 },
	{ I_CHIPS, AT(CHIPS) },
	{ I_CHIPS + 1, 1 },
	{ I_STRINGS, AT(STRINGS) },
	{ I_STRINGS + 1, 7 },
	{ I_NAMES, 2 },
	{ I_BY_PREFIX, AT(BY_PREFIX) },
	{ I_CHAIN, AT(CHAIN) },
	{ I_BY_NAME, AT(BY_NAME) },
	{ I_UNIT_BIT, 1 },
	{ I_NTH_BIT, 2 },
};

static const struct word indexed[] = {
	{ I_SLOTS, AT(SLOTS) }, { I_SLOT_COUNT, 2 },           { I_SHIFTS, AT(SHIFTS) },
	{ I_BUCKETS, 2 },       { I_NAME_BYTES, AT(LENGTHS) },
};

static const struct word placed[] = { { I_BY_OFFSET, AT(PLACES) }, { I_STARTS, AT(STARTS) } };

/* Changes to make together, and whether the image is accepted. */
struct change {
	struct word words[6];
	int good;
};

static const struct change changes[] = {
	/* strings */
	{ { { UNITS, BEFORE } }, 0 },
	{ { { UNITS, TEXT(0) } }, 1 },
	{ { { UNITS, LAST } }, 1 },
	{ { { UNITS, BEHIND } }, 0 },
	{ { { UNITS + 1, BEFORE } }, 0 },
	{ { { UNITS + 1, LAST } }, 1 },
	{ { { UNITS + 1, BEHIND } }, 0 },
	{ { { UNITS + 6, BEHIND } }, 0 },
	{ { { EVENTS, BEFORE } }, 0 },
	{ { { EVENTS, BEHIND } }, 0 },
	{ { { EVENTS + 2, BEHIND | OWN } }, 0 },
	{ { { EVENTS + 2, 0 } }, 0 },
	{ { { CLASSES, BEFORE } }, 0 },
	{ { { CLASSES, TEXT(0) } }, 1 },
	{ { { CLASSES, LAST } }, 1 },
	{ { { CLASSES, BEHIND } }, 0 },
	{ { { CLASSES + 1, BEFORE } }, 0 },
	{ { { CLASSES + 1, LAST } }, 1 },
	{ { { CLASSES + 1, BEHIND } }, 0 },
	{ { { OVERRIDES + 1, BEFORE } }, 0 },
	{ { { OVERRIDES + 1, LAST } }, 1 },
	{ { { OVERRIDES + 1, 0 } }, 1 },
	{ { { OVERRIDES + 1, BEHIND } }, 0 },
	{ { { OVERRIDES + 2, BEFORE } }, 0 },
	{ { { OVERRIDES + 2, LAST } }, 1 },
	{ { { OVERRIDES + 2, BEHIND } }, 0 },
	{ { { OVERRIDES + 3, BEFORE } }, 0 },
	{ { { OVERRIDES + 3, LAST } }, 1 },
	{ { { OVERRIDES + 3, 0 } }, 1 },
	{ { { OVERRIDES + 3, BEHIND } }, 0 },
	{ { { I_STRINGS + 1, 6 } }, 0 }, /* the last byte is a 0 */
	{ { { I_STRINGS + 1, 8 } }, 1 },
	{ { { I_STRINGS + 1, 0 } }, 0 },
	{ { { I_STRINGS + 1, AT(END - STRINGS) + 1 } }, 0 },
	{ { { I_STRINGS, AT(STRINGS) + 4 } }, 0 },
	/* the bytes of a prefix: inside the strings, before a 0 */
	{ { { UNITS + 11, 0 } }, 0 },
	{ { { UNITS + 11, 2 } }, 0 },
	{ { { UNITS + 11, 3 } }, 0 },
	{ { { UNITS + 11, 0xfe } }, 0 },
	{ { { UNITS + 5, 1 } }, 0 },
	{ { { UNITS + 5, 2 } }, 0 },
	{ { { UNITS + 1, LAST }, { UNITS + 5, 1 } }, 0 },
	{ { { I_STRINGS + 1, AT(END - STRINGS) }, { UNITS + 1, AT(END) - 1 }, { UNITS + 5, 1 } },
	  0 },
	/* events of a unit, and of all units */
	{ { { I_NAMES, 0 } }, 0 },
	{ { { I_NAMES, 1 } }, 0 },
	{ { { I_NAMES, 3 } }, 0 },
	{ { { I_NAMES, NONE } }, 0 },
	{ { { UNITS + 4, 2 }, { I_NAMES, 3 } }, 1 },
	{ { { UNITS + 4, 3 }, { I_NAMES, 4 } }, 0 },
	{ { { UNITS + 4, NONE }, { I_NAMES, NONE } }, 0 },
	{ { { UNITS + 10, 2 }, { I_NAMES, 3 } }, 0 },
	{ { { UNITS + 10, NONE }, { I_NAMES, NONE } }, 0 },
	{ { { UNITS + 9, 2 } }, 0 },
	{ { { UNITS + 9, NONE }, { UNITS + 10, 2 }, { I_NAMES, 3 } }, 0 },
	{ { { EVENTS, A | OWN } }, 1 },
	{ { { I_OVERRIDES + 1, 0 } }, 0 },
	{ { { I_OVERRIDES + 1, 0 }, { EVENTS + 2, B } }, 1 },
	{ { { I_OVERRIDES + 1, 0 }, { EVENTS + 2, B }, { EVENTS, A | OWN } }, 0 },
	/* classes and chips */
	{ { { UNITS + 5, 0x100 } }, 0 },
	{ { { UNITS + 11, 0x101 } }, 0 },
	{ { { UNITS + 11, 0xffffff01 } }, 0 },
	{ { { I_UNIT_CLASSES + 1, 0 } }, 0 },
	{ { { CLASSES + 2, 0 } }, 0 },
	{ { { CLASSES + 2, PMUMAP_IMC_NEST + 1 } }, 0 },
	{ { { CLASSES + 2, PMUMAP_IMC_CORE } }, 1 },
	{ { { CLASSES + 2, PMUMAP_IMC_THREAD } }, 1 },
	{ { { CLASSES + 2, PMUMAP_IMC_TRACE } }, 1 },
	{ { { CLASSES + 7, 0 } }, 1 },
	{ { { CLASSES + 7, 2 } }, 0 },
	{ { { CLASSES + 6, 1 } }, 0 },
	{ { { CLASSES + 6, 1 }, { CLASSES + 7, 0 } }, 1 },
	{ { { CLASSES + 6, 2 }, { CLASSES + 7, 0 } }, 0 },
	{ { { CLASSES + 6, 1 }, { CLASSES + 7, NONE } }, 0 },
	{ { { I_CHIPS + 1, 0 } }, 0 },
	{ { { I_CHIPS, AT(END - 4) } }, 1 },
	{ { { I_CHIPS, AT(END - 2) } }, 0 },
	/* the parts */
	{ { { I_UNITS, AT(UNITS - 2) } }, 0 }, /* in the head */
	{ { { I_CHIPS, AT(UNITS - 2) } }, 0 },
	{ { { I_CHIPS, 0 } }, 0 },
	{ { { I_UNITS, AT(END) } }, 0 },
};

/* Without an index: the orders. */
static const struct change searched[] = {
	/* no table has an entry, but there is the empty string */
	{ { { I_UNITS + 1, 0 },
	    { I_UNIT_CLASSES + 1, 0 },
	    { I_EVENTS + 1, 0 },
	    { I_OVERRIDES + 1, 0 },
	    { I_NAMES, 0 },
	    { I_STRINGS + 1, 1 } },
	  1 },
	{ { { I_UNITS + 1, 0 },
	    { I_UNIT_CLASSES + 1, 0 },
	    { I_EVENTS + 1, 0 },
	    { I_OVERRIDES + 1, 0 },
	    { I_NAMES, 0 },
	    { I_STRINGS + 1, 0 } },
	  0 },
	{ { { EVENTS, TEXT(0) } }, 1 },
	{ { { EVENTS, LAST } }, 1 },
	{ { { EVENTS + 2, LAST | OWN } }, 1 },
	{ { { UNITS + 9, 2 }, { UNITS + 10, 0 }, { I_NAMES, 1 } }, 1 },
	{ { { UNITS + 9, 3 }, { UNITS + 10, 0 }, { I_NAMES, 1 } }, 0 },
	{ { { UNITS + 11, 0xff } }, 1 },
	{ { { BY_PREFIX, 1 } }, 1 },
	{ { { BY_PREFIX, 2 } }, 0 },
	{ { { BY_PREFIX + 1, 2 } }, 0 },
	{ { { BY_PREFIX + 1, 3 } }, 0 },
	{ { { BY_PREFIX + 1, NONE } }, 0 },
	{ { { CHAIN, 0 } }, 0 }, /* a chain leads to earlier prefixes */
	{ { { CHAIN, SAME } }, 0 },
	{ { { CHAIN + 1, NONE } }, 1 },
	{ { { CHAIN + 1, SAME } }, 1 },
	{ { { CHAIN + 1, 1 } }, 0 },
	{ { { CHAIN + 1, 2 } }, 0 },
	{ { { CHAIN + 1, SAME | 1 } }, 0 },
	{ { { BY_NAME, 1 } }, 1 },
	{ { { BY_NAME, 2 } }, 0 },
	{ { { BY_NAME + 1, 2 } }, 0 },
	{ { { BY_NAME + 1, NONE } }, 0 },
	{ { { I_BY_PREFIX, AT(END) } }, 0 },
	{ { { I_CHAIN, AT(END) } }, 0 },
	{ { { I_BY_NAME, AT(END) } }, 0 },
	{ { { I_BY_PREFIX, AT(SLOTS) + 4 } }, 0 },
};

/* With an index: the lower bits of a slot are unit and event. */
static const struct change hashed[] = {
	/* a name ends at its first 0, at the stored length; 16 bytes follow the strings */
	{ { { LENGTHS, 0 } }, 0 },
	{ { { LENGTHS, 0 }, { EVENTS, LAST }, { EVENTS + 2, LAST } }, 1 },
	{ { { LENGTHS, 0 }, { EVENTS, TEXT(0) }, { EVENTS + 2, LAST | OWN } }, 1 },
	{ { { EVENTS, LAST } }, 0 },
	{ { { LENGTHS, 0x02020202 } }, 0 },
	{ { { LENGTHS, 0x03030303 } }, 0 },
	{ { { LENGTHS, 0x04040404 }, { EVENTS + 2, A } }, 0 },
	{ { { LENGTHS, 0x05050505 }, { EVENTS + 2, A } }, 0 },
	{ { { LENGTHS, 0x05050505 } }, 0 },
	{ { { LENGTHS, 0xffffffff }, { EVENTS + 2, A } }, 0 },
	{ { { I_NAME_BYTES, AT(LENGTHS) + 4 } }, 0 },
	{ { { I_NAME_BYTES, AT(END) } }, 0 },
	{ { { I_NAME_BYTES, 0 } }, 0 },
	{ { { I_STRINGS + 1, AT(STRINGS_END - STRINGS) } }, 1 },
	{ { { I_STRINGS + 1, AT(STRINGS_END - STRINGS) + 1 } }, 0 },
	{ { { UNITS + 9, 2 }, { UNITS + 10, 0 }, { I_NAMES, 1 }, { SLOTS + 1, 0 } }, 1 },
	{ { { UNITS + 9, 3 }, { UNITS + 10, 0 }, { I_NAMES, 1 }, { SLOTS + 1, 0 } }, 0 },
	{ { { UNITS + 11, 0xff } }, 0 }, /* it goes by the length of a prefix */
	{ { { SLOTS, 1 } }, 0 },
	{ { { SLOTS, 2 } }, 1 },
	{ { { SLOTS, 3 } }, 0 },
	{ { { SLOTS, 0xfffffffe } }, 1 },
	{ { { SLOTS + 1, 0xfffffffc } }, 1 },
	{ { { SLOTS + 1, 0xffffffff } }, 0 },
	{ { { I_UNIT_BIT, 2 }, { I_NTH_BIT, 4 }, { SLOTS + 1, 4 } }, 1 },
	{ { { I_UNIT_BIT, 2 }, { I_NTH_BIT, 4 }, { SLOTS + 1, 5 } }, 0 },
	{ { { I_UNIT_BIT, 2 }, { I_NTH_BIT, 4 }, { SLOTS + 1, 6 } }, 0 },
	{ { { I_UNIT_BIT, 2 }, { I_NTH_BIT, 4 }, { SLOTS + 1, 8 } }, 0 },
	{ { { I_UNIT_BIT, 2 }, { I_NTH_BIT, 4 }, { SLOTS + 1, 8 }, { CLASSES + 4, 5 } }, 0 },
	{ { { I_UNIT_BIT, 2 }, { I_NTH_BIT, 4 }, { SLOTS + 1, 12 } }, 0 },
	{ { { I_UNIT_BIT, 2 }, { I_NTH_BIT, 4 }, { SLOTS + 1, 16 } }, 1 },
	{ { { I_UNIT_BIT, 0 } }, 0 },
	{ { { I_UNIT_BIT, 0 }, { SLOTS + 1, 1 } }, 1 },
	{ { { I_UNIT_BIT, 0 }, { I_NTH_BIT, 0 } }, 0 },
	{ { { I_UNIT_BIT, 2 } }, 0 },
	{ { { I_UNIT_BIT, 3 } }, 0 },
	{ { { I_UNIT_BIT, 3 }, { SLOTS + 1, 0 } }, 0 },
	{ { { I_NTH_BIT, 31 } }, 1 },
	{ { { I_NTH_BIT, 31 }, { I_UNIT_BIT, 31 }, { SLOTS + 1, 0 } }, 1 },
	{ { { I_NTH_BIT, 32 }, { I_UNIT_BIT, 31 }, { SLOTS + 1, 0 } }, 0 },
	{ { { I_NTH_BIT, 32 }, { SLOTS + 1, 0 } }, 0 },
	{ { { I_SLOT_COUNT, 0 } }, 0 },
	{ { { I_SLOT_COUNT, 1 } }, 1 },
	{ { { I_SLOT_COUNT, 1 }, { SLOTS + 1, 1 } }, 1 },
	{ { { I_BUCKETS, 0 } }, 0 },
	{ { { I_BUCKETS, 1 } }, 1 },
	{ { { I_SLOTS, AT(SHIFTS) } }, 1 },
	{ { { I_SLOTS, AT(END) } }, 0 },
	{ { { I_SLOTS, AT(SLOTS) + 4 } }, 0 },
	{ { { I_SHIFTS, AT(END - 2) }, { I_BUCKETS, 4 } }, 1 },
	{ { { I_SHIFTS, AT(END - 2) }, { I_BUCKETS, 5 } }, 0 },
	{ { { I_SHIFTS, AT(END) } }, 0 },
	{ { { I_BY_PREFIX, 0 }, { I_CHAIN, 0 }, { I_BY_NAME, 0 } }, 1 },
};

/* With an order of offsets: entries hold unit and event, in 16 bits if nth_bit is at most 16. */
static const struct change ordered[] = {
	{ { { PLACES, 0 } }, 1 },
	{ { { PLACES, 0x00020002 } }, 1 },
	{ { { PLACES, 0x00010001 } }, 0 }, /* the first unit has one event */
	{ { { PLACES, 0x00030003 } }, 0 },
	{ { { PLACES, 0x00040004 } }, 0 }, /* and there are two units */
	{ { { PLACES, NONE } }, 0 },
	{ { { PLACES + 1, NONE } }, 1 }, /* behind the end */
	{ { { I_NTH_BIT, 16 } }, 1 },
	{ { { PLACES, 2 },
	    { I_NTH_BIT, 17 },
	    { SLOTS, 0 },
	    { SLOTS + 1, 2 },
	    { STARTS, 0 },
	    { STARTS + 1, 2 } },
	  1 },
	{ { { PLACES, 0 }, { PLACES + 1, 4 }, { I_NTH_BIT, 17 }, { STARTS, 0 }, { STARTS + 1, 2 } },
	  0 },
	{ { { PLACES, 0 },
	    { PLACES + 1, 0x80000002 },
	    { I_NTH_BIT, 17 },
	    { STARTS, 0 },
	    { STARTS + 1, 2 } },
	  0 },
	{ { { I_BY_OFFSET, 0 }, { PLACES, NONE }, { I_STARTS, 0 } }, 1 },
	{ { { I_BY_OFFSET, AT(PLACES) + 4 } }, 0 },
	{ { { I_BY_OFFSET, AT(END) } }, 0 },
	{ { { I_STARTS, AT(STARTS) + 4 } }, 0 },
	{ { { I_STARTS, AT(END) } }, 0 },
	{ { { I_STARTS, 0 } }, 0 },
	{ { { STARTS, 0x00020002 } }, 1 }, /* in any order */
	{ { { STARTS, 0x00030000 } }, 0 },
	{ { { STARTS, 0x00000003 } }, 0 },
	{ { { STARTS + 1, NONE } }, 1 }, /* behind the end */
	{ { { PLACES, 0 }, { PLACES + 1, 2 }, { I_NTH_BIT, 17 }, { STARTS, 0 }, { STARTS + 1, 2 } },
	  1 },
	{ { { PLACES, 0 }, { PLACES + 1, 2 }, { I_NTH_BIT, 17 }, { STARTS, 0 }, { STARTS + 1, 3 } },
	  0 },
};

/* The same without an index; bits are checked too. */
static const struct change placed_only[] = {
	{ { { I_UNIT_BIT, 0 }, { PLACES, 0 } }, 1 },
	{ { { I_UNIT_BIT, 0 }, { PLACES, 0x00010001 } }, 1 },
	{ { { I_UNIT_BIT, 2 }, { PLACES, 0 } }, 1 },
	{ { { I_UNIT_BIT, 3 }, { PLACES, 0 } }, 0 },
	{ { { I_UNIT_BIT, 0 }, { PLACES, 0 }, { I_NTH_BIT, 0 } }, 0 },
	{ { { I_NTH_BIT, 31 }, { PLACES, 0 }, { PLACES + 1, 2 }, { STARTS, 0 }, { STARTS + 1, 2 } },
	  1 },
	{ { { I_NTH_BIT, 32 }, { PLACES, 0 }, { PLACES + 1, 2 }, { STARTS, 0 }, { STARTS + 1, 2 } },
	  0 },
	{ { { I_NTH_BIT, 32 }, { I_BY_OFFSET, 0 } }, 1 },
};

static void put(uint32_t *image, const struct word *words, size_t n)
{
	for (; n; n--, words++)
		image[words->at] = words->value;
}

enum { INDEX = 1, OFFSETS = 2 };

/* In a block of its exact size; with or without an index, the latter with an order of offsets. */
static uint32_t *make(int has)
{
	static const uint16_t places[4] = { 0, 2, 0, 0 }, starts[4] = { 0, 2, 0, 0 };
	uint32_t *image = exact(AT(END));

	memset(image, 0, AT(END));
	put(image, intact, sizeof(intact) / sizeof(intact[0]));
	if (has & INDEX)
		put(image, indexed, sizeof(indexed) / sizeof(indexed[0]));
	if (has & OFFSETS)
		put(image, placed, sizeof(placed) / sizeof(placed[0]));
	memcpy(image + PLACES, places, sizeof(places));
	memcpy(image + STARTS, starts, sizeof(starts));
	memcpy(image + STRINGS, "\0a\0b\0c\0", 8);
	return image;
}

/* If it is accepted, every look-up must stay inside. */
static int opens(const uint32_t *image, size_t bytes)
{
	static const char *const names[] = {
		"", "a", "b", "cb", "a/a", "b/cb", "x/cb", "imc/cb", "nest_imc/cb", "nest_b_imc/cb/"
	};
	const struct pmumap_imc *map = NULL;
	enum pmumap_status status = pmumap_imc_open(image, bytes, &map);
	struct pmumap_imc_event e;
	uint64_t sum = 0, phys;
	uint32_t i, k;

	CHECK((status == PMUMAP_OK) == (map != NULL));
	if (!map) {
		CHECK_EQ(status, PMUMAP_E_IMAGE_TABLE);
		return 0;
	}
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *name = exact_copy(names[i], strlen(names[i]));

		for (k = 0; k < 3; k++)
			if (pmumap_imc_find(map, name, strlen(names[i]), k, &e))
				sum += strlen(e.unit) + strlen(e.prefix) + strlen(e.name) +
				       (e.scale ? strlen(e.scale) : 0) +
				       (e.measure ? strlen(e.measure) : 0) +
				       (e.desc ? strlen(e.desc) : 0);
		free(name);
	}
	for (i = 0; i < 3; i++) {
		for (k = 0; k < 3; k++) {
			if (pmumap_imc_event_at(map, i, k, &e))
				sum += strlen(e.name) +
				       (uint64_t)pmumap_imc_address(map, &e, 7, &phys);
			if (pmumap_imc_at(map, k ? "b" : NULL, 8 * i, k, &e))
				sum += strlen(e.name);
		}
	}
	CHECK(sum != ~0ull);
	return 1;
}

static void run(const struct change *c, size_t n, int has)
{
	size_t i, k;

	for (i = 0; i < n; i++) {
		uint32_t *image = make(has);

		for (k = 0; k < 6 && c[i].words[k].at; k++)
			put(image, &c[i].words[k], 1);
		if (!CHECK(opens(image, AT(END)) == c[i].good))
			printf("\thas %d, change %zu: word %" PRIu32 " = 0x%" PRIx32 "\n", has, i,
			       c[i].words[0].at, c[i].words[0].value);
		free(image);
	}
}

/* Contents of the unchanged image. */
static void answers(int has)
{
	uint32_t *image = make(has);
	const struct pmumap_imc *map;
	struct pmumap_imc_event e;
	uint32_t chip = 0;
	uint64_t base = 0;

	CHECK_EQ(pmumap_imc_open(image, AT(END), &map), PMUMAP_OK);
	if (!(has & INDEX)) {
		CHECK(pmumap_imc_find(map, "cb", 2, 0, &e) && !strcmp(e.unit, "b") &&
		      !strcmp(e.prefix, "c") && !strcmp(e.name, "b"));
		CHECK(e.offset == 24 && e.unit_index == 1 && !e.measure && !strcmp(e.scale, "a") &&
		      !strcmp(e.desc, "c"));
		CHECK(pmumap_imc_find(map, "a/a", 3, 0, &e) && e.offset == 0 && !e.scale);
		CHECK(!pmumap_imc_find(map, "a", 1, 1, &e) &&
		      !pmumap_imc_find(map, "c", 1, 0, &e) &&
		      !pmumap_imc_find(map, "ca", 2, 0, &e));
	}
	CHECK(pmumap_imc_at(map, NULL, 24, 0, &e) && e.unit_index == 1);
	CHECK(pmumap_imc_chip(map, 1, 0, &chip, &base) && chip == 7 && base == 0);
	free(image);
}

/* Heads of other data. */
static void heads(void)
{
	static const struct {
		struct word word;
		enum pmumap_status status;
	} rows[] = {
		{ { 0, PMUMAP_MAGIC }, PMUMAP_E_IMAGE_MAGIC },
		{ { 0, PMUMAP_AMU_MAGIC }, PMUMAP_E_IMAGE_MAGIC },
		{ { 0, 0x49554d50 }, PMUMAP_E_IMAGE_ORDER },
		{ { 1, PMUMAP_IMAGE_VERSION - 1 }, PMUMAP_E_IMAGE_VERSION },
		{ { 1, PMUMAP_IMAGE_VERSION + 1 }, PMUMAP_E_IMAGE_VERSION },
		{ { SIZE, AT(UNITS - 2) }, PMUMAP_E_IMAGE_SIZE },
		{ { SIZE, AT(END + 2) }, PMUMAP_E_IMAGE_SIZE },
		{ { SIZE, AT(END) - 4 }, PMUMAP_E_IMAGE_SIZE },
	};
	const struct pmumap_imc *map;
	size_t i;

	test_now = "heads";
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t *image = make(INDEX);

		put(image, &rows[i].word, 1);
		CHECK_EQ(pmumap_imc_open(image, AT(END), &map), rows[i].status);
		CHECK(!map);
		free(image);
	}
	CHECK_EQ(pmumap_imc_open(NULL, 0, &map), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_imc_open(rows, 0, NULL), PMUMAP_E_ARG);
}

/* A size smaller than the block: bytes after the image are not part of it. */
static void sizes(int has)
{
	uint32_t *image = make(has), cut;

	for (cut = UNITS; cut <= END; cut += 2) {
		image[SIZE] = AT(cut);
		CHECK_EQ(opens(image, AT(END)), cut >= (has & INDEX ? END : STRINGS_END));
	}
	free(image);
}

/* Each table just fits at the end of the image; and not at a multiple of 8 from the head. */
static void moved(int has)
{
	static const struct {
		uint32_t at, from, words;
	} tables[] = {
		{ I_UNITS, UNITS, 12 },        { I_UNIT_CLASSES, CLASSES, 8 },
		{ I_EVENTS, EVENTS, 4 },       { I_OVERRIDES, OVERRIDES, 4 },
		{ I_CHIPS, CHIPS, 4 },         { I_SLOTS, SLOTS, 2 },
		{ I_BY_PREFIX, BY_PREFIX, 2 }, { I_CHAIN, CHAIN, 2 },
		{ I_BY_NAME, BY_NAME, 2 },     { I_SHIFTS, SHIFTS, 2 },
		{ I_NAME_BYTES, LENGTHS, 2 },  { I_BY_OFFSET, PLACES, 2 },
		{ I_STARTS, STARTS, 2 },
	};
	uint32_t *first = make(has), *image, by;
	size_t i;

	first[UNITS + 7] = TEXT(0); /* so that a search runs from end to end */
	first[UNITS + 11] = 0;
	first[CHAIN + 1] = SAME;
	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		uint32_t at = tables[i].at;
		int used = at == I_BY_OFFSET || at == I_STARTS ? has & OFFSETS
			   : has & INDEX                       ? at < I_BY_PREFIX || at > I_BY_NAME
					 : at != I_SLOTS && at != I_SHIFTS && at != I_NAME_BYTES;

		for (by = 0; used && by < 2; by++) {
			uint32_t end = END + tables[i].words + 2 * by;

			image = exact(AT(end));
			memset(image, 0, AT(end));
			memcpy(image, first, AT(END));
			memcpy(image + END + by, image + tables[i].from, AT(tables[i].words));
			image[tables[i].at] = AT(END + by);
			image[SIZE] = AT(end);
			if (!CHECK(opens(image, AT(end)) == (by == 0)))
				printf("\tword %" PRIu32 "\n", tables[i].at);
			free(image);
		}
	}
	free(first);
}

/* Names are compared whatever order of prefixes an image claims; texts end at their length. */
static void strangers(void)
{
	static const struct {
		char strings[8];
		struct word words[8];
		const char *finds;
	} images[] = {
		{ "\0a\0b\0c\0", { { 0 } }, "a" },
		{ "\0a\0b\0c\0", { { EVENTS + 2, TEXT(0) } }, "-" },
		{ "\0a\0b\0c\0",
		  { { EVENTS + 2, TEXT(0) }, { BY_NAME, 1 }, { BY_NAME + 1, 0 } },
		  "a" },
		{ "\0a\0b\0c\0",
		  { { EVENTS + 2, TEXT(0) }, { BY_NAME, 1 }, { BY_NAME + 1, 0 } },
		  "c" },
		{ "\0a\0b\0c\0",
		  { { BY_NAME, 1 }, { BY_NAME + 1, 0 }, { UNITS + 4, 2 }, { I_NAMES, 3 } },
		  "-" },
		{ "\0a\0b\0c\0", { { BY_PREFIX, 1 }, { BY_PREFIX + 1, 0 } }, "a" },
		{ "\0a\0b\0c\0",
		  { { BY_PREFIX, 1 },
		    { BY_PREFIX + 1, 0 },
		    { EVENTS + 2, TEXT(0) },
		    { BY_NAME, 1 },
		    { BY_NAME + 1, 0 } },
		  "a" },
		{ "\0cd\0c\0",
		  { { BY_PREFIX, 1 },
		    { BY_PREFIX + 1, 0 },
		    { UNITS + 7, TEXT(1) },
		    { UNITS + 11, 2 },
		    { EVENTS + 2, TEXT(4) },
		    { BY_NAME, 1 },
		    { BY_NAME + 1, 0 } },
		  "cd" },
	};
	static const char *const texts[] = {
		"", "a", "b", "c", "d", "ca", "cb", "cd", "cdc", "cc"
	};
	const struct pmumap_imc *map;
	struct pmumap_imc_event e;
	char name[16];
	size_t i, k;

	test_now = "strange orders";
	for (i = 0; i < sizeof(images) / sizeof(images[0]); i++) {
		uint32_t *image = make(0);

		memcpy(image + STRINGS, images[i].strings, 8);
		for (k = 0; k < 8 && images[i].words[k].at; k++)
			put(image, &images[i].words[k], 1);
		CHECK_EQ(pmumap_imc_open(image, AT(END), &map), PMUMAP_OK);
		for (k = 0; k < sizeof(texts) / sizeof(texts[0]); k++) {
			size_t len = strlen(texts[k]);
			char *block = exact(8), *text = block + 8 - len;
			int found;

			memcpy(text, texts[k], len);
			found = pmumap_imc_find(map, text, len, 0, &e);
			if (found)
				snprintf(name, sizeof(name), "%s%s", e.prefix, e.name);
			CHECK(!found || !strcmp(name, texts[k]));
			CHECK(found || strcmp(texts[k], images[i].finds) != 0);
			free(block);
		}
		free(image);
	}
}

/* Only counted units exist; a window must have room for its unit. */
static void windows(void)
{
	static const struct {
		uint32_t size;
		int counter, control;
	} sizes[] = { { 0, 1, 1 }, { 7, 0, 0 }, { 8, 1, 0 }, { 39, 1, 0 }, { 40, 1, 1 } };
	uint32_t *image = make(0), chip, units;
	struct pmumap_imc_event e;
	const struct pmumap_imc *map;
	struct pmumap_imc_unit unit;
	uint64_t phys;
	size_t i;

	test_now = "windows";
	for (units = 0; units <= 2; units++) {
		image[I_UNITS + 1] = image[I_NAMES] = units;
		memset(&e, 0, sizeof(e));
		e.unit_index = 1;
		CHECK_EQ(pmumap_imc_open(image, AT(END), &map), PMUMAP_OK);
		CHECK_EQ(pmumap_imc_address(map, &e, 7, &phys), units == 2);
		CHECK_EQ(pmumap_imc_control(map, 1, 7, &phys), units == 2);
		CHECK_EQ(pmumap_imc_chip(map, 1, 0, &chip, &phys), units == 2);
		CHECK_EQ(pmumap_imc_unit(map, 1, &unit), units == 2);
		CHECK_EQ(pmumap_imc_event_at(map, 1, 0, &e), units == 2);
	}
	memset(&e, 0, sizeof(e));
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		image[CLASSES + 3] = sizes[i].size;
		CHECK_EQ(pmumap_imc_address(map, &e, 7, &phys), sizes[i].counter);
		CHECK_EQ(pmumap_imc_control(map, 0, 7, &phys), sizes[i].control);
	}
	free(image);
}

/*
 * A text that is compared with a name, since a slot keeps only one bit of the hash. The text is so
 * long that the string would have to continue to the end of the image or past it.
 */
static void long_texts(void)
{
	uint32_t *image = make(1), len, nth, found = 0;
	const struct pmumap_imc *map;
	struct pmumap_imc_event e;

	test_now = "long texts";
	image[I_NTH_BIT] = 31;
	CHECK_EQ(pmumap_imc_open(image, AT(END), &map), PMUMAP_OK);
	for (len = 1; len < AT(END); len++) {
		char *text = exact(len);

		memset(text, 1, len);
		for (nth = 0; nth < 2; nth++)
			found += (uint32_t)pmumap_imc_find(map, text, len, nth, &e);
		free(text);
	}
	CHECK_EQ(found, 0);
	free(image);
}

/* So many names that their number reaches 2^32 - 1 or more; and one fewer. */
static void many(void)
{
	static const struct {
		uint32_t last, names;
		int good;
	} sums[] = { { 65533, 0xfffffffd, 1 }, { 65534, 0xfffffffe, 1 }, { 65534, NONE, 0 },
		     { 65535, NONE, 1 },       { 65535, 0xfffffffe, 0 }, { 65536, NONE, 1 },
		     { 65536, 0, 0 } };
	uint32_t units = 1u << 16, events = 1u << 16, i;
	uint32_t words = END + 6 * units + 2 * events + 2 * units + events, *image, *unit, *event;
	uint32_t *first = make(0);
	const struct pmumap_imc *map;

	test_now = "2^32 names";
	image = exact(4 * (size_t)words);
	memset(image, 0, 4 * (size_t)words);
	memcpy(image, first, AT(END));
	image[SIZE] = AT(words);
	image[I_UNITS] = AT(END);
	image[I_EVENTS] = AT(END + 6 * units);
	image[I_CHAIN] = AT(END + 6 * units + 2 * events);
	image[I_BY_PREFIX] = image[I_CHAIN] + AT(units);
	image[I_BY_NAME] = image[I_BY_PREFIX] + AT(units);
	image[I_UNITS + 1] = units;
	image[I_EVENTS + 1] = events;
	for (i = 0; i < units; i++) {
		unit = image + END + 6 * i;
		unit[0] = unit[1] = TEXT(0);
		unit[4] = events;
		image[image[I_CHAIN] / 4 + i] = NONE;
	}
	for (i = 0; i < events; i++) {
		event = image + END + 6 * units + 2 * i;
		event[0] = TEXT(0);
	}
	for (i = 0; i < sizeof(sums) / sizeof(sums[0]); i++) {
		unit = image + END + 6 * (units - 1);
		unit[4] = sums[i].last;
		image[I_NAMES] = sums[i].names;
		CHECK_EQ(pmumap_imc_open(image, 4 * (size_t)words, &map),
			 sums[i].good ? PMUMAP_OK : PMUMAP_E_IMAGE_TABLE);
	}
	free(image);
	free(first);
}

int main(void)
{
	int has;

	for (has = 0; has <= (INDEX | OFFSETS); has++) {
		test_now = has & INDEX ? "with an index" : "without an index";
		run(changes, sizeof(changes) / sizeof(changes[0]), has);
		if (has == INDEX)
			run(hashed, sizeof(hashed) / sizeof(hashed[0]), has);
		if (has == 0)
			run(searched, sizeof(searched) / sizeof(searched[0]), has);
		if (has & OFFSETS)
			run(ordered, sizeof(ordered) / sizeof(ordered[0]), has);
		if (has == OFFSETS)
			run(placed_only, sizeof(placed_only) / sizeof(placed_only[0]), has);
		answers(has);
		sizes(has);
		moved(has);
	}
	heads();
	strangers();
	windows();
	long_texts();
	many();
	return test_summary();
}
