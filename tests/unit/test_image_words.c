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
	I_KEY, /* 64 bits */
	I_HOMES = I_KEY + 2,
	I_FIRST_BYTES,
	I_UNIT_BIT,
	I_NUMBER_BITS,
	I_BY_PREFIX,
	I_CHAIN,
	I_BY_NAME,
	I_EVENT_BITS,
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
	SLOTS = BY_NAME + 2,    /* 8: one home, and the 7 slots behind it */
	PLACES = SLOTS + 8,     /* 2 of 16 bits, or of 32 */
	STARTS = PLACES + 2,    /* 2 of 16 bits, or of 32 */
	STRINGS = STARTS + 2,   /* 7 bytes, and a 0 that is none of them */
	END = STRINGS + 2
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
#define SLOT(number, hash, bytes) ((uint32_t)(number) << 12 | (hash) << 7 | (bytes))
#define HASH_A 1u  /* 0x61 * 1, in 5 bits: with key 0, short texts are multiplied by their length */
#define HASH_CB 4u /* 0x6362 * 2 */
#define TAKEN 0x80u

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
	{ SLOTS, SLOT(0, HASH_A, 1) },
	{ SLOTS + 1, SLOT(2, HASH_CB, 2) },
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
	{ I_NUMBER_BITS, 2 },
	{ I_EVENT_BITS, 1 },
};

static const struct word indexed[] = {
	{ I_SLOTS, AT(SLOTS) },
	{ I_HOMES, 1 },
	{ I_FIRST_BYTES, 1u << ('a' >> 3) | 1u << ('n' >> 3) },
};

static const struct word alone[] = { { I_BY_PREFIX, 0 }, { I_CHAIN, 0 }, { I_BY_NAME, 0 } };

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
	{ { { I_STRINGS + 1, 6 },
	    { UNITS + 7, TEXT(0) },
	    { UNITS + 11, 0 },
	    { SLOTS + 1, SLOT(2, 2, 1) } },
	  0 },
	{ { { I_STRINGS + 1, 5 },
	    { UNITS + 7, TEXT(0) },
	    { UNITS + 11, 0 },
	    { SLOTS + 1, SLOT(2, 2, 1) },
	    { OVERRIDES + 3, 0 } },
	  1 },
	{ { { I_STRINGS + 1, 0 } }, 0 },
	{ { { I_STRINGS + 1, AT(END - STRINGS) + 1 } }, 0 },
	{ { { I_STRINGS, AT(STRINGS) + 4 } }, 0 },
	/* the bytes of a prefix: inside the strings, before a 0 */
	{ { { UNITS + 11, 0 } }, 0 },
	{ { { UNITS + 11, 2 } }, 0 },
	{ { { UNITS + 11, 3 } }, 0 },
	{ { { UNITS + 11, 0xfe } }, 0 },
	{ { { UNITS + 5, 1 } }, 0 },
	{ { { UNITS + 5, 7 } }, 0 },
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
	/* a shift; then all numbers are of the first unit */
	{ { { I_UNIT_BIT, 31 }, { SLOTS + 1, 0 } }, 1 },
	{ { { I_UNIT_BIT, 32 }, { SLOTS + 1, 0 } }, 0 },
	{ { { I_UNIT_BIT, NONE }, { SLOTS + 1, 0 } }, 0 },
	/* the parts */
	{ { { I_UNITS, AT(UNITS - 2) } }, 0 }, /* in the head */
	{ { { I_CHIPS, AT(UNITS - 2) } }, 0 },
	{ { { I_CHIPS, 0 } }, 0 },
	{ { { I_UNITS, AT(END) } }, 0 },
};

/* The orders, with an index or without. */
static const struct change sorted[] = {
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
	{ { { I_BY_PREFIX, AT(BY_PREFIX) + 4 } }, 0 },
	{ { { I_BY_PREFIX, AT(BY_PREFIX) + 1 } }, 0 },
	{ { { I_BY_PREFIX, AT(UNITS - 2) } }, 0 },
	{ { { I_CHAIN, 0 } }, 0 },
	{ { { I_CHAIN, AT(CHAIN) + 4 } }, 0 },
	{ { { I_BY_NAME, 0 } }, 0 },
	{ { { I_BY_NAME, AT(BY_NAME) + 4 } }, 0 },
};

/* Without an index. */
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
	/* bytes of a prefix that ends at a later 0; the text is compared up to its first */
	{ { { UNITS + 5, 2 } }, 1 },
	{ { { UNITS + 5, 6 } }, 1 },
	{ { { UNITS + 11, 2 }, { I_STRINGS + 1, 8 } }, 1 },
	{ { { UNITS + 11, 2 } }, 0 },
	/* all names must be found by the orders */
	{ { { I_BY_PREFIX, 0 } }, 0 },
	{ { { I_BY_PREFIX, 0 }, { I_CHAIN, 0 }, { I_BY_NAME, 0 } }, 0 },
	/* the index does not exist, so its fields are not read */
	{ { { I_HOMES, NONE }, { SLOTS, NONE }, { I_FIRST_BYTES, NONE } }, 1 },
	{ { { I_EVENT_BITS, NONE }, { I_NUMBER_BITS, NONE } }, 1 },
};

/* With an index. A slot is unit and event, 5 bits of the hash, and 7 bits of the length. */
static const struct change hashed[] = {
	/* units and events: one each, then with bits for two events */
	{ { { SLOTS, SLOT(1, HASH_A, 1) } }, 0 },
	{ { { SLOTS, SLOT(2, HASH_A, 2) } }, 1 },
	{ { { SLOTS, SLOT(3, HASH_A, 2) } }, 0 },
	{ { { SLOTS, SLOT(4, HASH_A, 1) } }, 0 },
	{ { { SLOTS, SLOT(4, HASH_A, 2) } }, 0 },
	{ { { SLOTS, SLOT(0xfffff, HASH_A, 1) } }, 0 },
	{ { { SLOTS + 7, SLOT(2, 31, 2) } }, 1 }, /* the last slot */
	{ { { SLOTS + 7, SLOT(4, 31, 2) } }, 0 },
	{ { { UNITS + 4, 2 }, { I_NAMES, 3 }, { SLOTS, SLOT(1, 2, 1) } }, 1 },
	{ { { I_UNIT_BIT, 2 }, { I_EVENT_BITS, 3 } }, 0 },
	{ { { I_UNIT_BIT, 2 }, { I_EVENT_BITS, 3 }, { SLOTS + 1, SLOT(4, 4, 2) } }, 1 },
	{ { { I_UNIT_BIT, 2 }, { I_EVENT_BITS, 3 }, { SLOTS + 1, SLOT(5, 4, 2) } }, 0 },
	{ { { I_UNIT_BIT, 2 }, { I_EVENT_BITS, 3 }, { SLOTS + 1, SLOT(8, 4, 2) } }, 0 },
	{ { { I_UNIT_BIT, 0 }, { I_EVENT_BITS, 0 } }, 0 },
	{ { { I_UNIT_BIT, 0 }, { I_EVENT_BITS, 0 }, { SLOTS + 1, SLOT(1, 4, 2) } }, 1 },
	{ { { I_UNIT_BIT, 19 }, { SLOTS + 1, SLOT(0x80000, 4, 2) } }, 1 },
	{ { { I_UNIT_BIT, 19 }, { SLOTS + 1, SLOT(0x80001, 4, 2) } }, 0 },
	{ { { I_UNIT_BIT, 18 }, { SLOTS + 1, SLOT(0x80000, 4, 2) } }, 0 },
	{ { { I_EVENT_BITS, 0 } }, 1 },
	{ { { I_EVENT_BITS, 0 }, { SLOTS, SLOT(1, HASH_A, 1) } }, 1 },
	{ { { I_EVENT_BITS, 2 } }, 0 },
	{ { { I_EVENT_BITS, 0xfffffffd } }, 1 },
	{ { { I_EVENT_BITS, NONE } }, 0 },
	{ { { I_EVENT_BITS, NONE }, { SLOTS + 1, 0 } }, 1 },
	{ { { UNITS + 10, 0 }, { I_NAMES, 1 } }, 0 },
	{ { { UNITS + 10, 0 }, { I_NAMES, 1 }, { SLOTS + 1, 0 } }, 1 },
	{ { { UNITS + 9, 2 }, { UNITS + 10, 0 }, { I_NAMES, 1 }, { SLOTS + 1, 0 } }, 1 },
	{ { { UNITS + 9, 3 }, { UNITS + 10, 0 }, { I_NAMES, 1 }, { SLOTS + 1, 0 } }, 0 },
	{ { { I_UNITS + 1, 1 }, { I_NAMES, 1 }, { BY_PREFIX + 1, 0 } }, 0 },
	{ { { I_UNITS + 1, 1 }, { I_NAMES, 1 }, { SLOTS + 1, 0 } }, 1 },
	{ { { I_UNITS + 1, 0 }, { I_NAMES, 0 }, { SLOTS, 0 }, { SLOTS + 1, 0 } }, 1 },
	{ { { I_UNITS + 1, 0 }, { I_NAMES, 0 }, { SLOTS + 1, 0 } }, 0 },
	/* without a length, a slot has no name, and its number is not used */
	{ { { SLOTS, 0 } }, 1 },
	{ { { SLOTS, TAKEN } }, 1 },
	{ { { SLOTS, SLOT(0xfffff, 31, 0) } }, 1 },
	/* a name may have the length if a 0 follows in the strings, even if it is not the first */
	{ { { SLOTS, SLOT(0, HASH_A, 2) } }, 0 },
	{ { { SLOTS, SLOT(0, HASH_A, 3) } }, 1 },
	{ { { SLOTS, SLOT(0, HASH_A, 5) } }, 1 }, /* at the last byte */
	{ { { SLOTS, SLOT(0, HASH_A, 6) } }, 0 }, /* at the 0 behind */
	{ { { SLOTS, SLOT(0, HASH_A, 6) }, { I_STRINGS + 1, 8 } }, 1 },
	{ { { SLOTS, SLOT(0, HASH_A, 7) }, { I_STRINGS + 1, 8 } }, 0 }, /* behind the image */
	{ { { SLOTS, SLOT(0, HASH_A, 127) } }, 0 },
	{ { { SLOTS, SLOT(0, HASH_A, 127) }, { I_STRINGS + 1, 8 } }, 0 },
	{ { { EVENTS, B }, { SLOTS, SLOT(0, HASH_A, 3) } }, 1 },
	{ { { EVENTS, B }, { SLOTS, SLOT(0, HASH_A, 4) } }, 0 },
	{ { { EVENTS, LAST } }, 0 },
	{ { { EVENTS, LAST }, { I_STRINGS + 1, 8 } }, 1 },
	{ { { EVENTS, LAST }, { SLOTS, TAKEN } }, 1 },
	{ { { EVENTS, A | OWN }, { SLOTS, SLOT(0, HASH_A, 5) } }, 1 },
	{ { { EVENTS, A | OWN }, { SLOTS, SLOT(0, HASH_A, 6) } }, 0 },
	/* the prefix is a part of the length */
	{ { { SLOTS + 1, SLOT(2, HASH_CB, 1) } }, 0 },
	{ { { SLOTS + 1, SLOT(2, HASH_CB, 3) } }, 0 },
	{ { { SLOTS + 1, SLOT(2, HASH_CB, 4) } }, 1 },
	{ { { SLOTS + 1, SLOT(2, HASH_CB, 5) } }, 0 },
	{ { { EVENTS + 2, LAST | OWN } }, 0 },
	{ { { EVENTS + 2, LAST | OWN }, { SLOTS + 1, SLOT(2, HASH_CB, 1) } }, 1 },
	{ { { UNITS + 7, B }, { UNITS + 11, 3 }, { EVENTS + 2, LAST | OWN } }, 0 },
	{ { { UNITS + 7, B },
	    { UNITS + 11, 3 },
	    { EVENTS + 2, LAST | OWN },
	    { SLOTS + 1, SLOT(2, HASH_CB, 3) } },
	  1 },
	{ { { UNITS + 7, B },
	    { UNITS + 11, 3 },
	    { EVENTS + 2, LAST | OWN },
	    { SLOTS + 1, SLOT(2, HASH_CB, 4) } },
	  0 },
	{ { { UNITS + 5, 2 } }, 0 },
	{ { { UNITS + 5, 2 }, { SLOTS, 0 } }, 1 },
	/* 0xff may be more, so it has no length */
	{ { { UNITS + 11, 0xff } }, 0 },
	{ { { UNITS + 11, 0xff }, { SLOTS + 1, SLOT(2, HASH_CB, 127) } }, 0 },
	{ { { UNITS + 11, 0xff }, { SLOTS + 1, 0 } }, 1 },
	/* the table has 7 slots more than homes, and at least one home */
	{ { { I_HOMES, 0 } }, 0 },
	{ { { I_HOMES, 2 }, { PLACES, 0 } }, 1 },
	{ { { I_HOMES, 2 }, { PLACES, SLOT(4, 0, 1) } }, 0 },
	{ { { I_HOMES, 5 }, { PLACES, 0 }, { PLACES + 1, 0 }, { STARTS, 0 }, { STARTS + 1, 0 } },
	  1 },
	{ { { I_HOMES, END - SLOTS - 6 } }, 0 }, /* one slot beyond the image */
	{ { { I_HOMES, 0x7ffffff8 } }, 0 },
	{ { { I_HOMES, 0x7fffffff } }, 0 },
	{ { { I_HOMES, 0x80000000 } }, 0 },
	{ { { I_HOMES, 0xfffffff8 } }, 0 },
	{ { { I_HOMES, 0xfffffff9 } }, 0 }, /* 7 more: 0, then 1 */
	{ { { I_HOMES, 0xfffffffa } }, 0 },
	{ { { I_HOMES, NONE } }, 0 },
	{ { { I_SLOTS, AT(UNITS - 2) } }, 0 },
	{ { { I_SLOTS, 8 } }, 0 },
	{ { { I_SLOTS, 1 } }, 0 },
	{ { { I_SLOTS, AT(SLOTS) + 4 }, { PLACES, 0 } }, 0 },
	{ { { I_SLOTS, AT(END - 6) } }, 0 },
	{ { { I_SLOTS, AT(END) } }, 0 },
	{ { { I_SLOTS, 0xfffffff8 } }, 0 },
	/* the orders may be absent; then their words mean nothing */
	{ { { I_BY_PREFIX, 0 }, { I_CHAIN, 0 }, { I_BY_NAME, 0 } }, 1 },
	{ { { I_BY_PREFIX, 0 }, { I_CHAIN, AT(END) }, { I_BY_NAME, 1 }, { CHAIN, 0 } }, 1 },
	/* so do the key, and which first bytes units have */
	{ { { I_KEY, NONE }, { I_KEY + 1, NONE } }, 1 },
	{ { { I_FIRST_BYTES, 0 } }, 1 },
	{ { { I_FIRST_BYTES, NONE } }, 1 },
	{ { { I_NUMBER_BITS, NONE } }, 1 },
};

#define WIDE                                                                                       \
	{ I_NUMBER_BITS, 17 }, { STARTS, 0 },                                                      \
	{                                                                                          \
		STARTS + 1, 2                                                                      \
	}

/* With an order of offsets: numbers have 16 bits if number_bits is at most 16. */
static const struct change ordered[] = {
	{ { { PLACES, 0 } }, 1 },
	{ { { PLACES, 0x00020002 } }, 1 },
	{ { { PLACES, 0x00010001 } }, 0 }, /* the first unit has one event */
	{ { { PLACES, 0x00030003 } }, 0 },
	{ { { PLACES, 0x00040004 } }, 0 }, /* and there are two units */
	{ { { PLACES, 0x00040000 } }, 0 },
	{ { { PLACES, 0x00000004 } }, 0 },
	{ { { PLACES, NONE } }, 0 },
	{ { { PLACES + 1, NONE } }, 1 }, /* behind the end */
	{ { { I_NUMBER_BITS, 0 } }, 1 },
	{ { { I_NUMBER_BITS, 16 } }, 1 },
	{ { WIDE, { PLACES, 2 } }, 1 },
	{ { WIDE, { PLACES, 0x00020002 } }, 0 },
	{ { WIDE, { PLACES, 0 }, { PLACES + 1, 4 } }, 0 },
	{ { WIDE, { PLACES, 0 }, { PLACES + 1, 2 } }, 1 },
	{ { WIDE, { PLACES, 0 }, { PLACES + 1, 3 } }, 0 },
	{ { WIDE, { PLACES, 0 }, { PLACES + 1, 0x80000002 } }, 0 },
	{ { { PLACES, 0 }, { PLACES + 1, 2 }, WIDE, { STARTS + 1, 3 } }, 0 },
	{ { { PLACES, 0 }, { PLACES + 1, 2 }, WIDE, { STARTS, NONE } }, 0 },
	{ { { PLACES, 0 }, { PLACES + 1, 2 }, WIDE, { I_NUMBER_BITS, NONE } }, 1 },
	{ { { PLACES, 0x00010001 }, { I_EVENT_BITS, 0 } }, 1 },
	{ { { I_EVENT_BITS, 0xfffffffd } }, 1 },
	{ { { I_EVENT_BITS, 2 } }, 0 },
	{ { { I_BY_OFFSET, 0 }, { PLACES, NONE }, { I_STARTS, 0 }, { STARTS, NONE } }, 1 },
	{ { { I_BY_OFFSET, 1 } }, 0 },
	{ { { I_BY_OFFSET, AT(UNITS - 2) } }, 0 },
	{ { { I_BY_OFFSET, AT(PLACES) + 4 } }, 0 },
	{ { { I_BY_OFFSET, AT(END) } }, 0 },
	{ { { I_STARTS, AT(STARTS) + 4 } }, 0 },
	{ { { I_STARTS, AT(UNITS - 2) } }, 0 },
	{ { { I_STARTS, AT(END) } }, 0 },
	{ { { I_STARTS, 0 } }, 0 },
	{ { { STARTS, 0x00020002 } }, 1 }, /* in any order */
	{ { { STARTS, 0x00030000 } }, 0 },
	{ { { STARTS, 0x00000003 } }, 0 },
	{ { { STARTS + 1, NONE } }, 1 }, /* behind the end */
};

/* The same without an index. */
static const struct change placed_only[] = {
	{ { { I_UNIT_BIT, 0 }, { PLACES, 0 } }, 1 },
	{ { { I_UNIT_BIT, 0 }, { PLACES, 0x00010001 } }, 0 }, /* event 1 of one */
	{ { { I_UNIT_BIT, 0 }, { I_EVENT_BITS, 0 }, { PLACES, 0x00010001 } }, 1 },
	{ { { I_UNIT_BIT, 0 }, { I_EVENT_BITS, 0 }, { PLACES, 0x00020002 } }, 0 },
	{ { { I_UNIT_BIT, 2 }, { PLACES, 0x00040004 } }, 1 },
	{ { { I_UNIT_BIT, 2 }, { PLACES, 0x00080008 } }, 0 },
	{ { { I_UNIT_BIT, 31 }, { PLACES, 0x00040004 } }, 1 },
	{ { { I_UNIT_BIT, 31 }, WIDE, { PLACES, 0x80000000 }, { PLACES + 1, 0 } }, 1 },
	{ { { I_UNIT_BIT, 31 }, WIDE, { PLACES, 0x80000001 }, { PLACES + 1, 0 } }, 0 },
	{ { { I_UNIT_BIT, 30 }, WIDE, { PLACES, 0x80000000 }, { PLACES + 1, 0 } }, 0 },
	{ { { I_UNIT_BIT, 32 }, { I_BY_OFFSET, 0 } }, 0 },
};

static void put(uint32_t *image, const struct word *words, size_t n)
{
	for (; n; n--, words++)
		image[words->at] = words->value;
}

enum { INDEX = 1, OFFSETS = 2, ALONE = 4 }; /* ALONE: the index, without the orders */

/* In a block of its exact size. */
static uint32_t *make(int has)
{
	static const uint16_t places[4] = { 0, 2, 0, 0 }, starts[4] = { 0, 2, 0, 0 };
	uint32_t *image = exact(AT(END));

	memset(image, 0, AT(END));
	put(image, intact, sizeof(intact) / sizeof(intact[0]));
	if (has & INDEX)
		put(image, indexed, sizeof(indexed) / sizeof(indexed[0]));
	if (has & ALONE)
		put(image, alone, sizeof(alone) / sizeof(alone[0]));
	if (has & OFFSETS)
		put(image, placed, sizeof(placed) / sizeof(placed[0]));
	memcpy(image + PLACES, places, sizeof(places));
	memcpy(image + STARTS, starts, sizeof(starts));
	memcpy(image + STRINGS, "\0a\0b\0c\0", 8);
	return image;
}

/* Look up a text, in a block of its exact size. Reads all strings of the answers. */
static uint64_t find(const struct pmumap_imc *map, const char *text, size_t len)
{
	char *name = exact_copy(text, len);
	struct pmumap_imc_event e;
	uint64_t sum = 0;
	uint32_t k;

	for (k = 0; k < 3; k++)
		if (pmumap_imc_find(map, name, len, k, &e))
			sum += strlen(e.unit) + strlen(e.prefix) + strlen(e.name) +
			       (e.scale ? strlen(e.scale) : 0) +
			       (e.measure ? strlen(e.measure) : 0) + (e.desc ? strlen(e.desc) : 0);
	free(name);
	return sum;
}

/* Write the text that a slot claims to have. Where its name leaves the image, ones. */
static void spell_slot(const uint32_t *image, uint32_t slot, char *text)
{
	uint32_t number = slot >> 12, bytes = image[SIZE], i, from;
	const uint32_t *unit = image + image[I_UNITS] / 4 + 6 * (number >> image[I_UNIT_BIT]);
	uint32_t event = unit[3] + (number & image[I_EVENT_BITS]), prefix = unit[5] & 0xff;
	uint32_t name = image[image[I_EVENTS] / 4 + 2 * event] & ~OWN;

	for (i = 0; i < (slot & 127); i++) {
		from = i < prefix ? unit[1] + i : name + i - prefix;
		text[i] = 1;
		if (from < bytes)
			text[i] = ((const char *)image)[from];
	}
}

/*
 * A slot is compared with a text of its length and hash. The image may have any hash there, so try
 * all: each text is compared with one. Slots that are free would end the search.
 */
static uint64_t find_slots(const uint32_t *image, size_t bytes)
{
	uint32_t *copy = exact_copy(image, bytes), *slots = copy + copy[I_SLOTS] / 4, i, hash;
	const struct pmumap_imc *map = NULL;
	uint64_t sum = 0;
	char text[128];

	for (hash = 0; hash < 32; hash++) {
		for (i = 0; i < copy[I_HOMES] + 7; i++)
			slots[i] = SLOT(slots[i] >> 12, hash, slots[i] & 127) |
				   (slots[i] & 127 ? 0 : TAKEN);
		CHECK_EQ(pmumap_imc_open(copy, bytes, &map), PMUMAP_OK);
		for (i = 0; map && i < copy[I_HOMES] + 7; i++) {
			uint32_t len = slots[i] & 127;

			if (len == 0)
				continue;
			spell_slot(copy, slots[i], text);
			sum += find(map, text, len);
			text[len - 1] ^= 1;
			sum += find(map, text, len);
			text[len / 2] ^= 1;
			sum += find(map, text, len);
		}
	}
	free(copy);
	return sum;
}

/* Whether an image is accepted or not, as expected. If it is, every look-up must stay inside. */
static int opens(const uint32_t *image, size_t bytes, int good)
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
	if (!map || !good)
		return status == (good ? PMUMAP_OK : PMUMAP_E_IMAGE_TABLE);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		sum += find(map, names[i], strlen(names[i]));
	if (image[I_SLOTS])
		sum += find_slots(image, bytes);
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
		if (!CHECK(opens(image, AT(END), c[i].good)))
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

	if (CHECK(pmumap_imc_open(image, AT(END), &map) == PMUMAP_OK)) {
		CHECK(pmumap_imc_find(map, "cb", 2, 0, &e) && !strcmp(e.unit, "b") &&
		      !strcmp(e.prefix, "c") && !strcmp(e.name, "b") && e.offset == 24 &&
		      e.unit_index == 1 && !e.measure && !strcmp(e.scale, "a") &&
		      !strcmp(e.desc, "c"));
		CHECK(pmumap_imc_find(map, "a/a", 3, 0, &e) && e.offset == 0 && !e.scale);
		CHECK(!pmumap_imc_find(map, "a", 1, 1, &e) &&
		      !pmumap_imc_find(map, "c", 1, 0, &e) &&
		      !pmumap_imc_find(map, "ca", 2, 0, &e));
		CHECK(pmumap_imc_at(map, NULL, 24, 0, &e) && e.unit_index == 1);
		CHECK(pmumap_imc_chip(map, 1, 0, &chip, &base) && chip == 7 && base == 0);
	}
	free(image);
}

/* A name that has no slot, since all of its own are taken: only the orders find it. */
static void left_out(void)
{
	static const int has[] = { INDEX, INDEX | ALONE };
	const struct pmumap_imc *map;
	struct pmumap_imc_event e;
	uint32_t i, k;

	test_now = "no slot left";
	for (i = 0; i < 2; i++) {
		uint32_t *image = make(has[i]);

		image[I_FIRST_BYTES] = 0;
		for (k = 0; k < 8; k++)
			image[SLOTS + k] = TAKEN;
		for (k = 0; k < 2 && CHECK(opens(image, AT(END), 1)); k++) {
			(void)pmumap_imc_open(image, AT(END), &map);
			CHECK_EQ(pmumap_imc_find(map, "cb", 2, 0, &e), i == 0 && k == 0);
			image[SLOTS + 7] = 0;
		}
		free(image);
	}
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
		CHECK(opens(image, AT(END), cut == END));
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
		{ I_CHIPS, CHIPS, 4 },         { I_SLOTS, SLOTS, 8 },
		{ I_BY_PREFIX, BY_PREFIX, 2 }, { I_CHAIN, CHAIN, 2 },
		{ I_BY_NAME, BY_NAME, 2 },     { I_BY_OFFSET, PLACES, 2 },
		{ I_STARTS, STARTS, 2 },
	};
	uint32_t *first = make(has), *image, by;
	size_t i;

	first[CHAIN + 1] = SAME; /* so that a search runs from end to end */
	first[UNITS + 7] = TEXT(0);
	first[UNITS + 11] = 0;
	for (i = 1; i < 8; i++)
		first[SLOTS + i] = TAKEN;
	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		uint32_t at = tables[i].at;
		int used = at == I_BY_OFFSET || at == I_STARTS    ? has & OFFSETS
			   : at == I_SLOTS                        ? has & INDEX
			   : at >= I_BY_PREFIX && at <= I_BY_NAME ? !(has & ALONE)
								  : 1;

		for (by = 0; used && by < 2; by++) {
			uint32_t end = END + tables[i].words + 2 * by;

			image = exact(AT(end));
			memset(image, 0, AT(end));
			memcpy(image, first, AT(END));
			memcpy(image + END + by, image + tables[i].from, AT(tables[i].words));
			image[tables[i].at] = AT(END + by);
			image[SIZE] = AT(end);
			if (!CHECK(opens(image, AT(end), by == 0)))
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

/* The table of slots ends where the image does. A search from any home reads 8 slots. */
static void homes(void)
{
	uint32_t *first = make(INDEX | ALONE), *image, n, i;
	const struct pmumap_imc *map;

	test_now = "homes";
	for (n = 1; n <= 33; n += 2) {
		uint32_t end = END + n + 7;

		image = exact(AT(end));
		memcpy(image, first, AT(END));
		image[SIZE] = AT(end);
		image[I_SLOTS] = AT(END);
		image[I_HOMES] = n;
		for (i = 0; i < n + 7; i++)
			image[END + i] = SLOT(2, i % 32, 2);
		CHECK(opens(image, AT(end), 1));
		for (i = 0; i < 1024 && pmumap_imc_open(image, AT(end), &map) == PMUMAP_OK; i++) {
			char text[8] = { 1, (char)(i >> 5), 2, 3, 4, 5, 6, (char)(i % 32) };

			CHECK_EQ(find(map, text, 8), 0);
		}
		image[I_HOMES] = n + 1;
		CHECK(opens(image, AT(end), 0));
		image[I_HOMES] = n;
		image[end - 1] = SLOT(4, 0, 2);
		CHECK(opens(image, AT(end), 0));
		free(image);
	}
	free(first);
}

/* Write a table of numbers of 16 or 32 bits. */
static void write_number(uint32_t *table, uint32_t i, uint32_t number, uint32_t wide)
{
	uint16_t half = (uint16_t)number;

	if (wide)
		table[i] = number;
	else
		memcpy((unsigned char *)table + 2 * (size_t)i, &half, 2);
}

/*
 * The order of offsets has names / 8 + 1 buckets, and an end. Each of its tables in turn is the
 * last, and is cut.
 */
static void order_of(uint32_t names, uint32_t wide, uint32_t last)
{
	uint32_t starts = names / 8 + 2, each = wide ? 4 : 2, at[2], bytes[2], end, i;
	uint32_t *first = make(INDEX | ALONE), *image, *cut;
	const struct pmumap_imc *map;
	struct pmumap_imc_event e;

	bytes[0] = (names * each + 7) / 8 * 8;
	bytes[1] = (starts * each + 7) / 8 * 8;
	at[!last] = AT(END + 2 * names);
	at[last] = at[!last] + bytes[!last];
	end = at[last] + bytes[last];
	image = exact(end);
	memset(image, 0, end);
	memcpy(image, first, AT(END));
	for (i = 0; i < names; i++) {
		image[END + 2 * i] = A;
		image[END + 2 * i + 1] = 8 * i;
		write_number(image + at[0] / 4, i, i, wide);
	}
	for (i = 0; i < starts; i++)
		write_number(image + at[1] / 4, i, i % 2 ? names : 0, wide);
	image[SIZE] = end;
	image[I_EVENTS] = AT(END);
	image[I_EVENTS + 1] = image[I_NAMES] = image[UNITS + 4] = names;
	image[I_UNITS + 1] = 1;
	image[I_UNIT_BIT] = 8;
	image[I_EVENT_BITS] = 0xff;
	image[I_NUMBER_BITS] = wide ? 17 : 16;
	image[I_BY_OFFSET] = at[0];
	image[I_STARTS] = at[1];
	image[SLOTS + 1] = 0;
	CHECK(opens(image, end, 1));
	for (i = 0; i < 256 && pmumap_imc_open(image, end, &map) == PMUMAP_OK; i++) {
		(void)pmumap_imc_at(map, NULL, 8 * i, 0, &e);
		(void)pmumap_imc_at(map, "a", 8 * i, 1, &e);
	}
	image[SIZE] = end - 8;
	cut = exact_copy(image, end - 8);
	CHECK(opens(cut, end - 8, 0));
	image[SIZE] = end;
	write_number(image + at[1] / 4, starts - 1, names + 1, wide);
	CHECK(opens(image, end, 0));
	write_number(image + at[1] / 4, starts - 1, names, wide);
	write_number(image + at[0] / 4, names - 1, names, wide);
	CHECK(opens(image, end, 0));
	free(cut);
	free(image);
	free(first);
}

static void orders_of_offsets(void)
{
	uint32_t names, i;

	test_now = "orders of offsets";
	for (names = 1; names <= 40; names++)
		for (i = 0; i < 4; i++)
			order_of(names, i % 2, i / 2);
}

/*
 * A full name of up to 127 bytes has a slot, with any prefix; the image ends where the name does.
 * Of the 32 hashes that the slot may have, one is right. A longer text is not looked up there.
 */
static void long_name(uint32_t len, uint32_t prefix)
{
	uint32_t bytes = len + 3, end = (AT(END) + bytes + 7) / 8 * 8, hash, found = 0;
	uint32_t *first = make(INDEX | ALONE), *image = exact(end);
	char *text = exact(len + 1), *at = (char *)image + end - bytes;
	const struct pmumap_imc *map;
	struct pmumap_imc_event e;

	memset(image, 0, end);
	memcpy(image, first, AT(END));
	memset(text, 'x', len + 1);
	memcpy(at + 1, text, prefix);
	memcpy(at + 2 + prefix, text, len - prefix);
	image[SIZE] = end;
	image[I_STRINGS] = AT(END);
	image[I_STRINGS + 1] = end - AT(END);
	image[I_UNITS + 1] = image[I_UNIT_CLASSES + 1] = image[I_EVENTS + 1] = image[I_NAMES] = 1;
	image[I_OVERRIDES + 1] = 0;
	image[UNITS] = AT(END);
	image[UNITS + 1] = end - bytes + 1;
	image[UNITS + 5] = prefix;
	image[EVENTS] = end - bytes + 2 + prefix;
	for (hash = 0; hash < 32; hash++) {
		image[SLOTS] = SLOT(0, hash, len > 127 ? 0 : len);
		image[SLOTS + 1] = 0;
		if (!CHECK(pmumap_imc_open(image, end, &map) == PMUMAP_OK))
			continue;
		found += pmumap_imc_find(map, text, len, 0, &e) != 0;
		CHECK(!pmumap_imc_find(map, text, len + 1, 0, &e));
		CHECK(!pmumap_imc_find(map, text, len - 1, 0, &e));
	}
	CHECK_EQ(found, len <= 127);
	image[SLOTS] = SLOT(0, 0, len < 127 ? len + 1 : 127);
	CHECK(opens(image, end, len == 127));
	image[SLOTS] = SLOT(0, 0, (len < 127 ? len : 127) - 1);
	CHECK(opens(image, end, len == 1));
	free(text);
	free(image);
	free(first);
}

static void long_names(void)
{
	uint32_t len;

	test_now = "long names";
	for (len = 1; len <= 130; len++) {
		long_name(len, 0);
		long_name(len, 1);
		long_name(len, len / 2);
		long_name(len, len);
	}
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

	for (has = 0; has <= (INDEX | OFFSETS | ALONE); has++) {
		if ((has & ALONE) && !(has & INDEX))
			continue;
		test_now = has & ALONE ? "index only" : has & INDEX ? "with an index" : "no index";
		run(changes, sizeof(changes) / sizeof(changes[0]), has);
		if (!(has & ALONE))
			run(sorted, sizeof(sorted) / sizeof(sorted[0]), has);
		if (has == INDEX || has == (INDEX | ALONE))
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
	left_out();
	homes();
	orders_of_offsets();
	long_names();
	many();
	return test_summary();
}
