/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The SBI PMU server, rule by rule: the answers of this table and, after every call, the model's.
 * Counters of the test's server: hardware 0 to 9 without 1, 7 and 8; firmware 10 to 25.
 */
#include <setjmp.h>

#include "sbi_support.h"

#define ONES (~0ull)
#define TOP ONES /* value: the highest bit of the guest's registers, and of 64 bits */
#define ALL 0x3ffffffu
#define BAD PMUMAP_SBI_INVALID_PARAM
#define NOT PMUMAP_SBI_NOT_SUPPORTED
#define ADDRESS PMUMAP_SBI_INVALID_ADDRESS
#define STARTED PMUMAP_SBI_ALREADY_STARTED
#define STOPPED PMUMAP_SBI_ALREADY_STOPPED
#define NO_SHMEM PMUMAP_SBI_NO_SHMEM

#define NUMBER PMUMAP_SBI_NUM_COUNTERS
#define INFO PMUMAP_SBI_GET_INFO
#define MATCH PMUMAP_SBI_CONFIG_MATCHING /* base, mask, flags, event, 64-bit data */
#define START PMUMAP_SBI_START           /* base, mask, flags, 64-bit value */
#define STOP PMUMAP_SBI_STOP
#define READ PMUMAP_SBI_FW_READ
#define READ_HI PMUMAP_SBI_FW_READ_HI
#define SHARE PMUMAP_SBI_SNAPSHOT_SET_SHMEM
#define EVENTS PMUMAP_SBI_EVENT_GET_INFO

/* Other kinds of rows than calls. Those down to CODE compare with value. */
enum {
	RUNNING = 0x1000, /* the set of running hardware counters */
	OWNED,            /* the set that counts an event */
	VALUE,            /* of a hardware counter; its configuration */
	SELECTOR,
	INHIBIT,
	DATA,
	CODE,
	WORD, /* 64 bits at an offset of guest memory */

	POKE,    /* write one */
	PUT,     /* sets a hardware counter's value */
	TICK,    /* all running counters count this much */
	COUNT,   /* a firmware event: code, data */
	REFUSE,  /* these hardware counters refuse to be set */
	LOSE,    /* the guest loses all memory */
	RESET,   /* resets the server */
	GRANTED, /* settings; starts again */
	FEATURES,
	RULE,
	MODES, /* inhibit */
	WIDTH,
	VIRTUAL,
	DELEGATED,
	FLAGS,
	FIRMWARE,
	NO_HOST,
	NO_MEMORY,
	NO_COUNTS
};

struct row {
	const char *rule;
	uint32_t op;
	uint64_t a[5];
	int64_t error;
	uint64_t value;
	uint32_t only; /* 32 or 64: only for such guests */
};

static const struct row numbers[] = {
	{ "R1 the highest granted one, and 16", NUMBER, { 0 }, 0, 26, 0 },
	{ "R1 no register counts", NUMBER, { ONES, ONES, ONES, ONES, ONES }, 0, 26, 0 },
	{ "R2 mcycle has 64 bits", INFO, { 0 }, 0, 0xc00 | 63 << 12, 0 },
	{ "R2 minstret has 64 bits", INFO, { 2 }, 0, 0xc02 | 63 << 12, 0 },
	{ "R2 a programmable one has as many as said", INFO, { 3 }, 0, 0xc03 | 39 << 12, 0 },
	{ "R2 the highest", INFO, { 9 }, 0, 0xc09 | 39 << 12, 0 },
	{ "R2 time is a hole", INFO, { 1 }, BAD, 0, 0 },
	{ "R2 what is not granted is a hole", INFO, { 7 }, BAD, 0, 0 },
	{ "R2 the last hole", INFO, { 8 }, BAD, 0, 0 },
	{ "R2 the first firmware counter", INFO, { 10 }, 0, TOP, 0 },
	{ "R2 the last firmware counter", INFO, { 25 }, 0, TOP, 0 },
	{ "R2 beyond", INFO, { 26 }, BAD, 0, 0 },
	{ "R2 far beyond", INFO, { 32 }, BAD, 0, 0 },
	{ "R2 far beyond", INFO, { 64 }, BAD, 0, 0 },
	{ "R2 negative in 32 bits", INFO, { 0x80000000u }, BAD, 0, 0 },
	{ "R2 all ones in 32 bits", INFO, { 0xffffffffu }, BAD, 0, 0 },
	{ "R2 does not wrap at 32 bits", INFO, { 0x100000000u }, BAD, 0, 64 },
	{ "R2 does not wrap at 32 bits", INFO, { 0x100000003u }, BAD, 0, 64 },
	{ "R2 does not wrap at 32 bits", INFO, { 0x10000000au }, BAD, 0, 64 },
	{ "R2 nor at 63", INFO, { 1ull << 63 }, BAD, 0, 64 },
	{ "R2 all ones", INFO, { ONES }, BAD, 0, 0 },
	{ "R9 one more function", EVENTS + 1, { 0 }, NOT, 0, 0 },
	{ "R9 any more function", 0x100, { 0 }, NOT, 0, 0 },
	{ "R9 negative", 0xffffffffu, { 0 }, NOT, 0, 0 },
	{ "R9 negative", 0x80000000u, { 0 }, NOT, 0, 0 },
	{ "R1 none granted", GRANTED, { 0 }, 0, 0, 0 },
	{ "R1 none granted", NUMBER, { 0 }, 0, 16, 0 },
	{ "R1 then they are firmware's from 0 on", INFO, { 0 }, 0, TOP, 0 },
	{ "R1 then they are firmware's from 0 on", INFO, { 15 }, 0, TOP, 0 },
	{ "R1 then they are firmware's from 0 on", INFO, { 16 }, BAD, 0, 0 },
	{ "R1 time alone is none", GRANTED, { 2 }, 0, 0, 0 },
	{ "R1 time alone is none", NUMBER, { 0 }, 0, 16, 0 },
	{ "R1 time on top does not count", GRANTED, { 3 }, 0, 0, 0 },
	{ "R1 time on top does not count", NUMBER, { 0 }, 0, 17, 0 },
	{ "R1 time on top does not count", INFO, { 1 }, 0, TOP, 0 },
	{ "R1 the last counter alone", GRANTED, { 0x80000000u }, 0, 0, 0 },
	{ "R1 the last counter alone", NUMBER, { 0 }, 0, 48, 0 },
	{ "R2 the last counter alone", INFO, { 31 }, 0, 0xc1f | 39 << 12, 0 },
	{ "R2 the last counter alone", INFO, { 0 }, BAD, 0, 0 },
	{ "R2 the last counter alone", INFO, { 30 }, BAD, 0, 0 },
	{ "R2 the last counter alone", INFO, { 47 }, 0, TOP, 0 },
	{ "R2 the last counter alone", INFO, { 48 }, BAD, 0, 0 },
	{ "R1 all counters", GRANTED, { 0xffffffffu }, 0, 0, 0 },
	{ "R1 all counters", NUMBER, { 0 }, 0, 48, 0 },
	{ "R2 time even so", INFO, { 1 }, BAD, 0, 0 },
	{ "R2 one bit", WIDTH, { 1 }, 0, 0, 0 },
	{ "R2 one bit", INFO, { 3 }, 0, 0xc03, 0 },
	{ "R2 64 bits", WIDTH, { 64 }, 0, 0, 0 },
	{ "R2 64 bits", INFO, { 31 }, 0, 0xc1f | 63 << 12, 0 },
};

/* Arguments of CONFIG_MATCHING that are always wrong, then sets. */
static const struct row sets[] = {
	{ "R3 a member beyond", MATCH, { 0, 1u << 26, 0, 3 }, BAD, 0, 0 },
	{ "R3 a member beyond, among others", MATCH, { 20, 0x7f, 0, 3 }, BAD, 0, 0 },
	{ "R3 all bits", MATCH, { 0, ONES, 0, 3 }, BAD, 0, 0 },
	{ "R3 the highest bit", MATCH, { 0, 0x80000000u, 0, 3 }, BAD, 0, 0 },
	{ "R3 the highest bit", MATCH, { 0, 1ull << 63, 0, 3 }, BAD, 0, 64 },
	{ "R3 bit 32 is one", MATCH, { 0, 1ull << 35, 0, 3 }, BAD, 0, 64 },
	{ "R3 the base beyond", MATCH, { 26, 1, 0, 3 }, BAD, 0, 0 },
	{ "R3 the base far beyond", MATCH, { 0x80000000u, 1, 0, 3 }, BAD, 0, 0 },
	{ "R3 the base does not wrap at 32 bits", MATCH, { 1ull << 32, 0x78, 0, 3 }, BAD, 0, 64 },
	{ "R3 the base does not wrap at 32 bits", MATCH, { 1ull << 32 | 3, 1, 0, 3 }, BAD, 0, 64 },
	{ "R3 -1 is a base like others", MATCH, { ONES, 1, 0, 3 }, BAD, 0, 0 },
	{ "R3 -1 + 1 is beyond", MATCH, { ONES, 2, 0, 3 }, BAD, 0, 0 },
	{ "R3 -1 + 4 is beyond", MATCH, { ONES, 0x10, 0, 3 }, BAD, 0, 0 },
	{ "R3 a sum that wraps to firmware's",
	  MATCH,
	  { ONES - 3, 1 << 16, 0, 0xf0000 },
	  BAD,
	  0,
	  0 },
	{ "R3 -1 in 32 bits + 4", MATCH, { 0xffffffffu, 0x10, 0, 3 }, BAD, 0, 0 },
	{ "R3 an empty set", MATCH, { 0, 0, 0, 3 }, BAD, 0, 0 },
	{ "R3 an empty set beyond", MATCH, { 26, 0, 0, 3 }, BAD, 0, 0 },
	{ "R3 an empty set far beyond", MATCH, { ONES, 0, 0, 3 }, BAD, 0, 0 },
	{ "R3 an empty set and firmware", MATCH, { 0, 0, 0, 0xf0000 }, BAD, 0, 0 },
	{ "R3 an empty set, skipping", MATCH, { 0, 0, 1, 3 }, BAD, 0, 0 },
	{ "R3 a reserved flag", MATCH, { 0, ALL, 0x100, 3 }, BAD, 0, 0 },
	{ "R3 a reserved flag", MATCH, { 0, ALL, 0x80000000u, 3 }, BAD, 0, 0 },
	{ "R3 a reserved flag of the upper half", MATCH, { 0, ALL, 1ull << 32, 3 }, BAD, 0, 64 },
	{ "R3 all flags", MATCH, { 0, ALL, ONES, 3 }, BAD, 0, 0 },
	{ "R3 a reserved flag before matching", MATCH, { 0, 0, 0x100, 3 }, BAD, 0, 0 },
	{ "R3 an event of 21 bits", MATCH, { 0, ALL, 0, 0x100003 }, BAD, 0, 0 },
	{ "R3 an event of 32 bits", MATCH, { 0, ALL, 0, 0x80000003u }, BAD, 0, 0 },
	{ "R3 an event of 33 bits", MATCH, { 0, ALL, 0, 1ull << 32 | 3 }, BAD, 0, 64 },
	{ "R3 such an event before matching", MATCH, { 0, 0, 0, 0x100003 }, BAD, 0, 0 },
	{ "R3 data of a general event", MATCH, { 0, ALL, 0, 3, 1 }, BAD, 0, 0 },
	{ "R3 the upper half of data", MATCH, { 0, ALL, 0, 3, 1ull << 32 }, BAD, 0, 0 },
	{ "R3 the highest bit of data", MATCH, { 0, ALL, 0, 0x10019, 1ull << 63 }, BAD, 0, 0 },
	{ "R3 data of a cache event", MATCH, { 0, ALL, 0, 0x10019, 1 }, BAD, 0, 0 },
	{ "R3 data of a firmware event", MATCH, { 0, ALL, 0, 0xf0005, 1 }, BAD, 0, 0 },
	{ "R3 data of a firmware event", MATCH, { 0, ALL, 0, 0xf0005, 1ull << 32 }, BAD, 0, 0 },
	{ "R3 data of an unknown one", MATCH, { 0, ALL, 0, 0xf0016, 1 }, BAD, 0, 0 },
	{ "R3 data of the one below platform", MATCH, { 0, ALL, 0, 0xffffe, 1 }, BAD, 0, 0 },
	{ "R3 data before matching", MATCH, { 0, ALL, 0, 9, 1 }, BAD, 0, 0 },
	{ "R3 data before an empty set", MATCH, { 0, 0, 0, 3, 1 }, BAD, 0, 0 },
	{ "R3 nothing of that did anything", OWNED, { 0 }, 0, 0, 0 },
	{ "R3 holes are no candidates", MATCH, { 7, 3, 0, 3 }, NOT, 0, 0 },
	{ "R3 time is no candidate", MATCH, { 1, 1, 0, 3 }, NOT, 0, 0 },
	{ "R3 a set without the right ones", MATCH, { 5, 1, 0, 3 }, NOT, 0, 0 },
	{ "R3 a base", MATCH, { 4, 1, 0, 3 }, 0, 4, 0 },
	{ "R3 a mask", MATCH, { 2, 2, 0, 3 }, 0, 3, 0 },
	{ "R3 both are busy", MATCH, { 0, ALL, 0, 3 }, NOT, 0, 0 },
	{ "R3 the last number", MATCH, { 25, 1, 0, 0xf0000 }, 0, 25, 0 },
	{ "R3 the last number by the mask", MATCH, { 0, 1 << 24, 0, 0xf0000 }, 0, 24, 0 },
	{ "R3 no more than these", OWNED, { 0 }, 0, 0x18, 0 },
};

/* The counter that an event gets. */
static const struct row matching[] = {
	{ "R3 the lowest that can", MATCH, { 0, ALL, 0, 3 }, 0, 3, 0 },
	{ "R3 its event", CODE, { 3 }, 0, 3, 0 },
	{ "R3 its selector", SELECTOR, { 3 }, 0, 0x33, 0 },
	{ "R3 its modes", INHIBIT, { 3 }, 0, PMUMAP_INHIBIT_M, 0 },
	{ "R3 it does not run", RUNNING, { 0 }, 0, 0, 0 },
	{ "R3 the next is not configured", MATCH, { 0, ALL, 0, 4 }, 0, 4, 0 },
	{ "R3 its own selector", SELECTOR, { 4 }, 0, 0x44, 0 },
	{ "R3 stopped is configured", MATCH, { 0, ALL, 0, 4 }, NOT, 0, 0 },
	{ "R3 counters that run", START, { 3, 3, 0 }, 0, 0, 0 },
	{ "R3 are busy", MATCH, { 0, ALL, 0, 3 }, NOT, 0, 0 },
	{ "R3 stopped again", STOP, { 3, 3, 0 }, 0, 0, 0 },
	{ "R3 they are busy", MATCH, { 0, ALL, 0, 3 }, NOT, 0, 0 },
	{ "R3 one is reset", STOP, { 4, 1, PMUMAP_SBI_RESET }, STOPPED, 0, 0 },
	{ "R3 and free", MATCH, { 0, ALL, 0, 3 }, 0, 4, 0 },
	{ "R3 no selector", MATCH, { 0, ALL, 0, 5 }, NOT, 0, 0 },
	{ "R3 only on counters not granted", MATCH, { 0, ALL, 0, 6 }, NOT, 0, 0 },
	{ "R3 not granted, or granted", MATCH, { 0, ALL, 0, 7 }, 0, 5, 0 },
	{ "R3 not granted, or granted", MATCH, { 0, ALL, 0, 7 }, 0, 9, 0 },
	{ "R3 no row", MATCH, { 0, ALL, 0, 8 }, NOT, 0, 0 },
	{ "R3 no event", MATCH, { 0, ALL, 0, 0 }, NOT, 0, 0 },
	{ "R3 a selector of more than 32 bits", MATCH, { 0, ALL, 0, 0x10019 }, 0, 6, 0 },
	{ "R3 a selector of more than 32 bits", SELECTOR, { 6 }, 0, 0x1900000019, 0 },
	{ "R3 all of it", RESET, { 0 }, 0, 0, 0 },
	{ "R3 all of it", OWNED, { 0 }, 0, 0, 0 },
	{ "R3 a code that SBI lacks, as the map says", MATCH, { 0, ALL, 0, 0xb }, 0, 3, 0 },
	{ "R3 no such type, whatever the map says", MATCH, { 0, ALL, 0, 0x40005 }, NOT, 0, 0 },
	{ "R3 no such type, with data", MATCH, { 0, ALL, 0, 0x40005, 1 }, NOT, 0, 0 },
	{ "R3 no such type", MATCH, { 0, ALL, 0, 0xe0000 }, NOT, 0, 0 },
	{ "R3 event 1 has mcycle", MATCH, { 0, ALL, 0, 1 }, 0, 0, 0 },
	{ "R3 others need a selector", MATCH, { 0, ALL, 0, 1 }, NOT, 0, 0 },
	{ "R3 event 2 has minstret", MATCH, { 0, ALL, 0, 2 }, 0, 2, 0 },
	{ "R3 and others by selector", MATCH, { 0, ALL, 0, 2 }, 0, 4, 0 },
	{ "R3 and others by selector", SELECTOR, { 4 }, 0, 0x22, 0 },
	{ "R3 and others by selector", MATCH, { 0, ALL, 0, 2 }, 0, 5, 0 },
	{ "R3 and no more", MATCH, { 0, ALL, 0, 2 }, NOT, 0, 0 },
	{ "R3 all of them", OWNED, { 0 }, 0, 0x3d, 0 },
	{ "R3 mcycle is stopped", STOP, { 0, 1, PMUMAP_SBI_RESET }, STOPPED, 0, 0 },
	{ "R3 mcycle only if in the set", MATCH, { 2, 0xffffffu, 0, 1 }, NOT, 0, 0 },
	{ "R3 mcycle only for event 1", MATCH, { 0, 1, 0, 2 }, NOT, 0, 0 },
	{ "R3 minstret only for event 2", MATCH, { 2, 1, 0, 1 }, NOT, 0, 0 },
};

#define BOTH (PMUMAP_SSCOFPMF | PMUMAP_SMCNTRPMF)
static const struct row sscofpmf[] = {
	{ "R3 with Sscofpmf", FEATURES, { PMUMAP_SSCOFPMF }, 0, 0, 0 },
	{ "R3 programmable ones first", MATCH, { 0, ALL, 0, 2 }, 0, 4, 0 },
	{ "R3 programmable ones first", MATCH, { 0, ALL, 0, 2 }, 0, 5, 0 },
	{ "R3 never one that cannot filter", MATCH, { 0, ALL, 0, 2 }, NOT, 0, 0 },
	{ "R3 never one that cannot filter", MATCH, { 0, ALL, 0x40, 2 }, NOT, 0, 0 },
	{ "R3 but skipping, as Linux asks for users", MATCH, { 2, 1, 1, 2 }, 0, 2, 0 },
	{ "R3 but skipping, as Linux asks for users", MATCH, { 0, 1, 1, 1 }, 0, 0, 0 },
	{ "R3 only its own event even so", MATCH, { 0, 1, 1, 2 }, NOT, 0, 0 },
	{ "R3 not even if it is all there is", MATCH, { 0, ALL, 0, 1 }, NOT, 0, 0 },
	{ "R3 fixed ones that can filter", FEATURES, { BOTH }, 0, 0, 0 },
	{ "R3 programmable ones first", MATCH, { 0, ALL, 0, 2 }, 0, 4, 0 },
	{ "R3 programmable ones first", MATCH, { 0, ALL, 0x40, 2 }, 0, 5, 0 },
	{ "R3 the fixed one last", MATCH, { 0, ALL, 0x40, 2 }, 0, 2, 0 },
	{ "R3 without a selector it is all there is", MATCH, { 0, ALL, 0, 1 }, 0, 0, 0 },
	{ "R3 counters that filter only", FEATURES, { PMUMAP_CAN_FILTER }, 0, 0, 0 },
	{ "R3 counters that filter only", MATCH, { 0, ALL, 0, 1 }, NOT, 0, 0 },
	{ "R3 counters that interrupt only", FEATURES, { PMUMAP_CAN_INTERRUPT }, 0, 0, 0 },
	{ "R3 counters that interrupt only", MATCH, { 0, ALL, 0, 1 }, 0, 0, 0 },
	{ "R3 modes that no counter can filter", FEATURES, { 0 }, 0, 0, 0 },
	{ "R3 modes that no counter can filter", MATCH, { 0, ALL, 0xf8, 1 }, 0, 0, 0 },
	{ "R3 modes that no counter can filter", MATCH, { 0, ALL, 0xf8, 2 }, 0, 2, 0 },
};

static const struct row filter[] = {
	{ "R3 fixed counters that cannot filter", FEATURES, { PMUMAP_FILTER }, 0, 0, 0 },
	{ "R3 fixed counters that cannot filter", MATCH, { 0, ALL, 0, 1 }, NOT, 0, 0 },
	{ "R3 a programmable one", MATCH, { 0, ALL, 0, 2 }, 0, 4, 0 },
	{ "R3 likewise, skipping", MATCH, { 2, 1, 1, 2 }, NOT, 0, 0 },
	{ "R3 a programmable one, skipping", MATCH, { 4, 1, 1, 2 }, 0, 4, 0 },
};

static const struct row smcntrpmf[] = {
	{ "R3 ones that can", FEATURES, { PMUMAP_FILTER | PMUMAP_SMCNTRPMF }, 0, 0, 0 },
	{ "R3 ones that can", MATCH, { 0, ALL, 0xf8, 1 }, 0, 0, 0 },
	{ "R3 ones that can", INHIBIT, { 0 }, 0, 31, 0 },
	{ "R3 ones that can", MATCH, { 0, ALL, 0, 2 }, 0, 2, 0 },
};

static const struct row absent[] = {
	{ "R3 the rule: where no event has one", RULE, { PMUMAP_RULE_ABSENT }, 0, 0, 0 },
	{ "R3 the rule: where no event has one", MATCH, { 0, ALL, 0, 5 }, NOT, 0, 0 },
};

static const struct row always[] = {
	{ "R3 the rule: always", RULE, { PMUMAP_RULE_ALWAYS }, 0, 0, 0 },
	{ "R3 the rule: always", MATCH, { 0, ALL, 0, 5 }, 0, 5, 0 },
	{ "R3 the rule: always", SELECTOR, { 5 }, 0, 5, 0 },
	{ "R3 the rule, a fixed one before", MATCH, { 0, ALL, 0, 1 }, 0, 0, 0 },
	{ "R3 the rule, a programmable one then", MATCH, { 0, ALL, 0, 1 }, 0, 3, 0 },
	{ "R3 the rule, a programmable one then", SELECTOR, { 3 }, 0, 1, 0 },
	{ "R3 no event even so", MATCH, { 0, ALL, 0, 0 }, NOT, 0, 0 },
};

static const struct row raw[] = {
	{ "R3 raw", MATCH, { 0, ALL, 0, 0x20000, 0x1ff }, 0, 5, 0 },
	{ "R3 raw: its selector", SELECTOR, { 5 }, 0, 0x1ff, 0 },
	{ "R3 raw: its data", DATA, { 5 }, 0, 0x1ff, 0 },
	{ "R3 raw", MATCH, { 0, ALL, 0, 0x30000, 0x1ff }, 0, 6, 0 },
	{ "R3 raw: busy", MATCH, { 0, ALL, 0, 0x20000, 0x1ff }, NOT, 0, 0 },
	{ "R3 raw: no row", MATCH, { 0, ALL, 0, 0x20000, 0x2ff }, NOT, 0, 0 },
	{ "R3 raw has no code", RESET, { 0 }, 0, 0, 0 },
	{ "R3 raw has no code", MATCH, { 0, ALL, 0, 0x20001, 0x1ff }, NOT, 0, 0 },
	{ "R3 raw v2 has no code", MATCH, { 0, ALL, 0, 0x3ffff, 0x1ff }, NOT, 0, 0 },
	{ "R3 raw has 48 bits", MATCH, { 0, ALL, 0, 0x20000, 0xffff000000000123u }, 0, 5, 0 },
	{ "R3 raw has 48 bits", SELECTOR, { 5 }, 0, 0x123, 0 },
	{ "R3 raw, bit 47", MATCH, { 0, ALL, 0, 0x20000, 0x800000000123u }, NOT, 0, 0 },
	{ "R3 raw v2, bit 48", MATCH, { 0, ALL, 0, 0x30000, 0x1000000000123u }, NOT, 0, 0 },
	{ "R3 raw v2 has 56 bits", MATCH, { 0, ALL, 0, 0x30000, 0xff00000000000124u }, 0, 6, 0 },
	{ "R3 raw v2 has 56 bits", SELECTOR, { 6 }, 0, 0x124, 0 },
	{ "R3 raw on RV32 too", MATCH, { 0, ALL, 0, 0x30000, 0x7700000077 }, 0, 9, 0 },
	{ "R3 raw on RV32 too", SELECTOR, { 9 }, 0, 0x7700000077, 0 },
	{ "R3 raw 0", STOP, { 6, 1, PMUMAP_SBI_RESET }, STOPPED, 0, 0 },
	{ "R3 raw 0", MATCH, { 0, ALL, 0, 0x20000, 0 }, 0, 6, 0 },
	{ "R3 raw 0", SELECTOR, { 6 }, 0, 0, 0 },
};

static const struct row refused[] = {
	{ "R3 refused below", REFUSE, { 8 }, 0, 0, 0 },
	{ "R3 refused below", MATCH, { 0, ALL, 6, 3 }, NOT, 0, 0 },
	{ "R3 refused is as before", OWNED, { 0 }, 0, 0, 0 },
	{ "R3 refused is as before", RUNNING, { 0 }, 0, 0, 0 },
	{ "R3 refused is not configured", START, { 3, 1, 0 }, BAD, 0, 0 },
	{ "R3 others are not", MATCH, { 4, 1, 0, 3 }, 0, 4, 0 },
	{ "R3 no more", REFUSE, { 0 }, 0, 0, 0 },
	{ "R3 no more", MATCH, { 0, ALL, 4, 3 }, 0, 3, 0 },
	{ "R3 no more", RUNNING, { 0 }, 0, 8, 0 },
	{ "R3 refused again", STOP, { 3, 1, 0 }, 0, 0, 0 },
	{ "R3 refused again", REFUSE, { 8 }, 0, 0, 0 },
	{ "R3 refused again", MATCH, { 3, 1, 7, 4 }, NOT, 0, 0 },
	{ "R3 it keeps its event", CODE, { 3 }, 0, 3, 0 },
	{ "R3 refused while it runs", START, { 3, 1, 0 }, 0, 0, 0 },
	{ "R3 refused while it runs", MATCH, { 3, 1, 1, 4 }, NOT, 0, 0 },
	{ "R3 it goes on", RUNNING, { 0 }, 0, 8, 0 },
	{ "R3 it goes on", START, { 3, 1, 0 }, STARTED, 0, 0 },
	{ "R3 it goes on", STOP, { 3, 1, 0 }, 0, 0, 0 },
	{ "R3 it is still busy", MATCH, { 3, 1, 0, 4 }, NOT, 0, 0 },
	{ "R3 it is still stopped", RUNNING, { 0 }, 0, 0, 0 },
	{ "R3 it can be started", START, { 3, 1, 0 }, 0, 0, 0 },
};

static const struct row skip[] = {
	{ "R3 skipping: never configured", MATCH, { 4, 3, 1, 3 }, BAD, 0, 0 },
	{ "R3 skipping: never configured", MATCH, { 12, 3, 1, 0xf0001 }, BAD, 0, 0 },
	{ "R3 skipping: nothing was done", OWNED, { 0 }, 0, 0, 0 },
	{ "R3 skipping: two that are", MATCH, { 3, 1, 0, 3 }, 0, 3, 0 },
	{ "R3 skipping: two that are", MATCH, { 4, 1, 0, 3 }, 0, 4, 0 },
	{ "R3 skipping: the first", MATCH, { 4, 3, 1, 3 }, 0, 4, 0 },
	{ "R3 skipping: the first", MATCH, { 2, 6, 1, 3 }, 0, 3, 0 },
	{ "R3 skipping: again", MATCH, { 3, 1, 1, 4 }, 0, 3, 0 },
	{ "R3 skipping: again", CODE, { 3 }, 0, 4, 0 },
	{ "R3 skipping: again", SELECTOR, { 3 }, 0, 0x44, 0 },
	{ "R3 skipping: it still has to be reset", MATCH, { 3, 1, 0, 4 }, NOT, 0, 0 },
	{ "R3 skipping: started", START, { 3, 1, 1, 70 }, 0, 0, 0 },
	{ "R3 skipping: started, it goes on", MATCH, { 3, 1, 1, 3 }, NOT, 0, 0 },
	{ "R3 skipping: started, to clear", MATCH, { 3, 1, 3, 4 }, NOT, 0, 0 },
	{ "R3 skipping: started, to start", MATCH, { 3, 1, 5, 3 }, NOT, 0, 0 },
	{ "R3 skipping: started, all flags", MATCH, { 3, 1, 0xff, 3 }, NOT, 0, 0 },
	{ "R3 skipping: started, a free one behind it", MATCH, { 3, 3, 1, 3 }, NOT, 0, 0 },
	{ "R3 skipping: started, cannot count this", MATCH, { 3, 1, 1, 7 }, NOT, 0, 0 },
	{ "R3 skipping: started, it goes on", RUNNING, { 0 }, 0, 8, 0 },
	{ "R3 skipping: started, it goes on", CODE, { 3 }, 0, 4, 0 },
	{ "R3 skipping: started, it goes on", INHIBIT, { 3 }, 0, PMUMAP_INHIBIT_M, 0 },
	{ "R3 skipping: started, it goes on", VALUE, { 3 }, 0, 70, 0 },
	{ "R3 skipping: stopped", STOP, { 3, 1, 0 }, 0, 0, 0 },
	{ "R3 skipping: stopped", MATCH, { 3, 1, 1, 3 }, 0, 3, 0 },
	{ "R3 skipping: stopped", CODE, { 3 }, 0, 3, 0 },
	{ "R3 skipping: stopped", VALUE, { 3 }, 0, 73, 0 },
	{ "R3 skipping: stopped, and started", MATCH, { 3, 1, 5, 3 }, 0, 3, 0 },
	{ "R3 skipping: stopped, and started", RUNNING, { 0 }, 0, 8, 0 },
	{ "R3 skipping: stopped, and started", START, { 3, 1, 0 }, STARTED, 0, 0 },
	{ "R3 skipping: a hole", MATCH, { 7, 7, 1, 7 }, BAD, 0, 0 },
	{ "R3 skipping: time", MATCH, { 0, 2, 1, 1 }, BAD, 0, 0 },
	{ "R3 skipping: a hole and firmware", MATCH, { 8, 7, 1, 0xf0000 }, BAD, 0, 0 },
	{ "R3 skipping: released", STOP, { 4, 1, 1 }, STOPPED, 0, 0 },
	{ "R3 skipping: released", MATCH, { 4, 1, 1, 3 }, BAD, 0, 0 },
	{ "R3 skipping: others do not matter", MATCH, { 2, 0xf, 1, 3 }, NOT, 0, 0 },
	{ "R3 skipping: mcycle", MATCH, { 0, ALL, 1, 2 }, NOT, 0, 0 },
	{ "R3 skipping: mcycle", MATCH, { 0, ALL, 1, 1 }, 0, 0, 0 },
	{ "R3 skipping: mcycle, released", STOP, { 0, 1, 1 }, STOPPED, 0, 0 },
	{ "R3 skipping: mcycle, released", MATCH, { 0, 1, 5, 1 }, 0, 0, 0 },
	{ "R3 skipping: mcycle, started", MATCH, { 0, 1, 3, 1 }, NOT, 0, 0 },
	{ "R3 skipping: mcycle, started", RUNNING, { 0 }, 0, 9, 0 },
	{ "R3 skipping: mcycle, stopped", STOP, { 0, 1, 0 }, 0, 0, 0 },
	{ "R3 skipping: mcycle, no event", MATCH, { 0, 1, 1, 0 }, NOT, 0, 0 },
	{ "R3 skipping: beyond", MATCH, { 26, 1, 1, 1 }, BAD, 0, 0 },
	{ "R3 skipping: no such type", MATCH, { 3, 1, 1, 0x40005 }, NOT, 0, 0 },
	{ "R3 skipping: a firmware event", MATCH, { 12, 1, 0, 0xf0001 }, 0, 12, 0 },
	{ "R3 skipping: there, again", MATCH, { 12, 3, 5, 0xf0002 }, 0, 12, 0 },
	{ "R3 skipping: there, started", COUNT, { 2 }, 0, 0, 0 },
	{ "R3 skipping: there, started", MATCH, { 12, 3, 1, 0xf0001 }, NOT, 0, 0 },
	{ "R3 skipping: there, to clear", MATCH, { 12, 3, 7, 0xf0002 }, NOT, 0, 0 },
	{ "R3 skipping: it goes on", COUNT, { 2 }, 0, 0, 0 },
	{ "R3 skipping: it goes on", READ, { 12 }, 0, 2, 0 },
	{ "R3 skipping: there, stopped", STOP, { 12, 1, 0 }, 0, 0, 0 },
	{ "R3 skipping: there, another event", MATCH, { 12, 3, 1, 0xf0001 }, 0, 12, 0 },
	{ "R3 skipping: it keeps its value", COUNT, { 1 }, 0, 0, 0 },
	{ "R3 skipping: it keeps its value", READ, { 12 }, 0, 2, 0 },
	{ "R3 skipping: hardware on firmware's", MATCH, { 12, 1, 1, 1 }, NOT, 0, 0 },
	{ "R3 skipping: firmware on hardware's", MATCH, { 3, 1, 3, 0xf0000 }, NOT, 0, 0 },
	{ "R3 skipping: firmware on mcycle", MATCH, { 0, 1, 3, 0xf0005 }, NOT, 0, 0 },
	{ "R3 skipping: not counted", MATCH, { 12, 1, 1, 0xf0003 }, NOT, 0, 0 },
	{ "R3 skipping: the other is not touched", OWNED, { 0 }, 0, 9, 0 },
};

/* Counters 2 and 4 belong to S-mode. */
static const struct row delegated[] = {
	{ "R2 delegated", DELEGATED, { 0x14 }, 0, 0, 0 },
	{ "R1 numbers stay", NUMBER, { 0 }, 0, 26, 0 },
	{ "R2 delegated", INFO, { 2 }, BAD, 0, 0 },
	{ "R2 delegated", INFO, { 4 }, BAD, 0, 0 },
	{ "R2 others are not", INFO, { 3 }, 0, 0xc03 | 39 << 12, 0 },
	{ "R2 numbers of firmware's stay", INFO, { 10 }, 0, TOP, 0 },
	{ "R3 never matched", MATCH, { 0, ALL, 0, 3 }, 0, 3, 0 },
	{ "R3 never matched", MATCH, { 0, ALL, 0, 3 }, NOT, 0, 0 },
	{ "R3 never matched", MATCH, { 4, 1, 0, 3 }, NOT, 0, 0 },
	{ "R3 nor the fixed one", MATCH, { 2, 1, 0, 2 }, NOT, 0, 0 },
	{ "R3 nor skipping", MATCH, { 2, 1, 1, 2 }, BAD, 0, 0 },
	{ "R4 delegated", START, { 3, 3, 0 }, BAD, 0, 0 },
	{ "R5 delegated", STOP, { 4, 1, 1 }, STOPPED, 0, 0 },
	{ "R8 delegated", POKE, { 0, 6 }, 0, 0, 0 },
	{ "R1 the highest", DELEGATED, { 0x3fd }, 0, 0, 0 },
	{ "R1 the highest", NUMBER, { 0 }, 0, 26, 0 },
	{ "R2 the highest", INFO, { 9 }, BAD, 0, 0 },
	{ "R3 not even firmware's", MATCH, { 0, 0x3ff, 0, 0xf0000 }, NOT, 0, 0 },
	{ "R3 firmware's", MATCH, { 0, ALL, 0, 0xf0000 }, 0, 10, 0 },
};

static const struct row modes[] = {
	{ "R3 VU", MATCH, { 3, 1, 8, 3 }, 0, 3, 0 },
	{ "R3 VU", INHIBIT, { 3 }, 0, 16 | PMUMAP_INHIBIT_VU, 0 },
	{ "R3 VS", MATCH, { 3, 1, 1 | 0x10, 3 }, 0, 3, 0 },
	{ "R3 VS", INHIBIT, { 3 }, 0, 16 | PMUMAP_INHIBIT_VS, 0 },
	{ "R3 U", MATCH, { 3, 1, 1 | 0x20, 3 }, 0, 3, 0 },
	{ "R3 U", INHIBIT, { 3 }, 0, 16 | PMUMAP_INHIBIT_U, 0 },
	{ "R3 S", MATCH, { 3, 1, 1 | 0x40, 3 }, 0, 3, 0 },
	{ "R3 S", INHIBIT, { 3 }, 0, 16 | PMUMAP_INHIBIT_S, 0 },
	{ "R3 all modes", MATCH, { 3, 1, 1 | 0xf8, 3 }, 0, 3, 0 },
	{ "R3 all modes", INHIBIT, { 3 }, 0, 31, 0 },
	{ "R3 the host's modes", RESET, { 0 }, 0, 0, 0 },
	{ "R3 none of the host's", MODES, { 0 }, 0, 0, 0 },
	{ "R3 none at all", MATCH, { 3, 1, 0, 3 }, 0, 3, 0 },
	{ "R3 none at all", INHIBIT, { 3 }, 0, 0, 0 },
	{ "R3 M", MATCH, { 3, 1, 1 | 0x80, 3 }, 0, 3, 0 },
	{ "R3 M", INHIBIT, { 3 }, 0, PMUMAP_INHIBIT_M, 0 },
	{ "R3 the host's modes", RESET, { 0 }, 0, 0, 0 },
	{ "R3 M, S and U of the host", MODES, { 0x1c }, 0, 0, 0 },
	{ "R3 a virtual guest", VIRTUAL, { 1 }, 0, 0, 0 },
	{ "R3 a virtual guest", MATCH, { 3, 1, 0, 3 }, 0, 3, 0 },
	{ "R3 a virtual guest", INHIBIT, { 3 }, 0, 0x1c, 0 },
	{ "R3 its U is VU", MATCH, { 3, 1, 1 | 0x20, 3 }, 0, 3, 0 },
	{ "R3 its U is VU", INHIBIT, { 3 }, 0, 0x1c | PMUMAP_INHIBIT_VU, 0 },
	{ "R3 its S is VS", MATCH, { 3, 1, 1 | 0x40, 3 }, 0, 3, 0 },
	{ "R3 its S is VS", INHIBIT, { 3 }, 0, 0x1c | PMUMAP_INHIBIT_VS, 0 },
	{ "R3 it has no VU and VS", MATCH, { 3, 1, 1 | 0x18, 3 }, 0, 3, 0 },
	{ "R3 it has no VU and VS", INHIBIT, { 3 }, 0, 0x1c, 0 },
	{ "R3 its M stays M", RESET, { 0 }, 0, 0, 0 },
	{ "R3 its M stays M", MODES, { 0 }, 0, 0, 0 },
	{ "R3 its M stays M", MATCH, { 3, 1, 0xf8, 3 }, 0, 3, 0 },
	{ "R3 its M stays M", INHIBIT, { 3 }, 0, 0x13, 0 },
};

static const struct row values[] = {
	{ "R3 the value", PUT, { 3, 77 }, 0, 0, 0 },
	{ "R3 stays", MATCH, { 0, ALL, 0, 3 }, 0, 3, 0 },
	{ "R3 stays", VALUE, { 3 }, 0, 77, 0 },
	{ "R3 becomes 0", MATCH, { 3, 1, 1 | PMUMAP_SBI_CLEAR_VALUE, 3 }, 0, 3, 0 },
	{ "R3 becomes 0", VALUE, { 3 }, 0, 0, 0 },
	{ "R3 becomes 0 and does not run", RUNNING, { 0 }, 0, 0, 0 },
	{ "R3 the value of another", PUT, { 4, 99 }, 0, 0, 0 },
	{ "R3 stays though started", MATCH, { 0, ALL, PMUMAP_SBI_AUTO_START, 4 }, 0, 4, 0 },
	{ "R3 stays though started", VALUE, { 4 }, 0, 99, 0 },
	{ "R3 stays though started", RUNNING, { 0 }, 0, 0x10, 0 },
	{ "R3 becomes 0 and runs", PUT, { 5, 99 }, 0, 0, 0 },
	{ "R3 becomes 0 and runs", MATCH, { 5, 1, 6, 7 }, 0, 5, 0 },
	{ "R3 becomes 0 and runs", VALUE, { 5 }, 0, 0, 0 },
	{ "R3 becomes 0 and runs", RUNNING, { 0 }, 0, 0x30, 0 },
	{ "R3 counts", TICK, { 5 }, 0, 0, 0 },
	{ "R3 counts", VALUE, { 5 }, 0, 5, 0 },
	{ "R3 counts", VALUE, { 3 }, 0, 0, 0 },
};

static const struct row firmware[] = {
	{ "R3 firmware: the lowest", MATCH, { 0, ALL, 0, 0xf0000 }, 0, 10, 0 },
	{ "R3 firmware: the next", MATCH, { 0, ALL, 0, 0xf0015 }, 0, 11, 0 },
	{ "R3 firmware: the lowest of the set", MATCH, { 20, 0x3f, 0, 0xf0000 }, 0, 20, 0 },
	{ "R3 firmware: of the set", MATCH, { 20, 0x22, 0, 0xf0000 }, 0, 21, 0 },
	{ "R3 firmware: not of hardware", MATCH, { 0, 0x3ff, 0, 0xf0000 }, NOT, 0, 0 },
	{ "R3 firmware: not counted", MATCH, { 0, ALL, 0, 0xf0003 }, NOT, 0, 0 },
	{ "R3 firmware: no such event", MATCH, { 0, ALL, 0, 0xf0016 }, NOT, 0, 0 },
	{ "R3 firmware: no such event", MATCH, { 0, ALL, 0, 0xf003f }, NOT, 0, 0 },
	{ "R3 firmware: 0 in its low bits", MATCH, { 0, ALL, 0, 0xf0040 }, NOT, 0, 0 },
	{ "R3 firmware: reserved", MATCH, { 0, ALL, 0, 0xf00ff }, NOT, 0, 0 },
	{ "R3 firmware: of an implementation", MATCH, { 0, ALL, 0, 0xf0101 }, NOT, 0, 0 },
	{ "R3 firmware: below the platform's", MATCH, { 0, ALL, 0, 0xffffe }, NOT, 0, 0 },
	{ "R3 the platform's", MATCH, { 0, ALL, 0, 0xfffff, 1 }, 0, 12, 0 },
	{ "R3 the platform's, not counted", MATCH, { 0, ALL, 0, 0xfffff, 2 }, NOT, 0, 0 },
	{ "R3 the platform's, 64 bits", MATCH, { 0, ALL, 0, 0xfffff, 1ull << 62 }, 0, 13, 0 },
	{ "R3 the platform's, 64 bits", MATCH, { 0, ALL, 0, 0xfffff, 1ull << 63 }, NOT, 0, 0 },
	{ "R3 no counter of hardware", OWNED, { 0 }, 0, 0, 0 },
	{ "R3 nothing runs", COUNT, { 0 }, 0, 0, 0 },
	{ "R6 nothing runs", READ, { 10 }, 0, 0, 0 },
	{ "R4 firmware", START, { 10, 0xf, 0 }, 0, 0, 0 },
	{ "R6 once", COUNT, { 0, 5 }, 0, 0, 0 },
	{ "R6 once", READ, { 10 }, 0, 1, 0 },
	{ "R6 only its own", READ, { 11 }, 0, 0, 0 },
	{ "R6 only configured ones", READ, { 19 }, BAD, 0, 0 },
	{ "R6 only started ones", READ, { 20 }, 0, 0, 0 },
	{ "R6 the last code", COUNT, { 21 }, 0, 0, 0 },
	{ "R6 the last code", READ, { 11 }, 0, 1, 0 },
	{ "R6 the platform's by data", COUNT, { 65535, 1 }, 0, 0, 0 },
	{ "R6 the platform's by data", COUNT, { 65535, 1 }, 0, 0, 0 },
	{ "R6 the platform's by data", COUNT, { 65535, 1ull << 62 }, 0, 0, 0 },
	{ "R6 the platform's by data", COUNT, { 65535, 1ull << 62 | 1 }, 0, 0, 0 },
	{ "R6 the platform's by data", COUNT, { 65535, 0 }, 0, 0, 0 },
	{ "R6 the platform's by data", READ, { 12 }, 0, 2, 0 },
	{ "R6 the platform's by data", READ, { 13 }, 0, 1, 0 },
	{ "R6 other codes count nowhere", COUNT, { 65536 }, 0, 0, 0 },
	{ "R6 other codes count nowhere", COUNT, { 0xf0000 }, 0, 0, 0 },
	{ "R6 other codes count nowhere", COUNT, { 0xffffffffu, 1 }, 0, 0, 0 },
	{ "R6 other codes count nowhere", READ, { 10 }, 0, 1, 0 },
	{ "R5 firmware", STOP, { 10, 1, 0 }, 0, 0, 0 },
	{ "R6 stopped", COUNT, { 0 }, 0, 0, 0 },
	{ "R6 stopped", READ, { 10 }, 0, 1, 0 },
	{ "R3 skipping keeps the value", MATCH, { 10, 1, 1, 0xf0001 }, 0, 10, 0 },
	{ "R3 skipping keeps the value", READ, { 10 }, 0, 1, 0 },
	{ "R3 and clears it", MATCH, { 10, 1, 1 | 2 | 4, 0xf0001 }, 0, 10, 0 },
	{ "R3 and clears it", READ, { 10 }, 0, 0, 0 },
	{ "R3 and starts it", COUNT, { 1 }, 0, 0, 0 },
	{ "R3 and starts it", READ, { 10 }, 0, 1, 0 },
	{ "R5 released", STOP, { 10, 1, PMUMAP_SBI_RESET }, 0, 0, 0 },
	{ "R6 released", READ, { 10 }, BAD, 0, 0 },
	{ "R6 released", READ_HI, { 10 }, BAD, 0, 0 },
	{ "R6 released counts no more", COUNT, { 4 }, 0, 0, 0 },
	{ "R3 free again", MATCH, { 0, ALL, 0, 0xf0004 }, 0, 10, 0 },
	{ "R6 from 0 on", READ, { 10 }, 0, 0, 0 },
};

static const struct row firmware_full[] = {
	{ "R3 firmware 0", MATCH, { 0, ALL, 0, 0xf0000 }, 0, 10, 0 },
	{ "R3 firmware 1", MATCH, { 0, ALL, 0, 0xf0000 }, 0, 11, 0 },
	{ "R3 firmware 2", MATCH, { 0, ALL, 0, 0xf0000 }, 0, 12, 0 },
	{ "R3 firmware 3", MATCH, { 0, ALL, 0, 0xf0000 }, 0, 13, 0 },
	{ "R3 firmware 4", MATCH, { 0, ALL, 0, 0xf0000 }, 0, 14, 0 },
	{ "R3 firmware 5", MATCH, { 0, ALL, 0, 0xf0000 }, 0, 15, 0 },
	{ "R3 firmware 6", MATCH, { 0, ALL, 0, 0xf0000 }, 0, 16, 0 },
	{ "R3 firmware 7", MATCH, { 0, ALL, 0, 0xf0000 }, 0, 17, 0 },
	{ "R3 firmware 8", MATCH, { 0, ALL, 0, 0xf0000 }, 0, 18, 0 },
	{ "R3 firmware 9", MATCH, { 0, ALL, 0, 0xf0000 }, 0, 19, 0 },
	{ "R3 firmware 10", MATCH, { 0, ALL, 0, 0xf0000 }, 0, 20, 0 },
	{ "R3 firmware 11", MATCH, { 0, ALL, 0, 0xf0000 }, 0, 21, 0 },
	{ "R3 firmware 12", MATCH, { 0, ALL, 0, 0xf0000 }, 0, 22, 0 },
	{ "R3 firmware 13", MATCH, { 0, ALL, 0, 0xf0000 }, 0, 23, 0 },
	{ "R3 firmware 14", MATCH, { 0, ALL, 0, 0xf0000 }, 0, 24, 0 },
	{ "R3 firmware 15", MATCH, { 0, ALL, 0, 0xf0000 }, 0, 25, 0 },
	{ "R3 firmware: all are busy", MATCH, { 0, ALL, 0, 0xf0000 }, NOT, 0, 0 },
	{ "R6 all of an event count", START, { 10, 0xffff, 1, 7 }, 0, 0, 0 },
	{ "R6 all of an event count", COUNT, { 0 }, 0, 0, 0 },
	{ "R6 the first", READ, { 10 }, 0, 8, 0 },
	{ "R6 the last", READ, { 25 }, 0, 8, 0 },
};

static const struct row firmware_odd[] = {
	{ "R3 no reserved code, whatever the host says", FIRMWARE, { ONES }, 0, 0, 0 },
	{ "R3 no reserved code, whatever the host says", MATCH, { 0, ALL, 0, 0xf0015 }, 0, 10, 0 },
	{ "R3 no reserved code, whatever the host says", MATCH, { 0, ALL, 0, 0xf0016 }, NOT, 0, 0 },
	{ "R3 no reserved code, whatever the host says", MATCH, { 0, ALL, 0, 0xf003f }, NOT, 0, 0 },
	{ "R3 own codes: the first", MATCH, { 0, ALL, 0, 0xf0100 }, 0, 11, 0 },
	{ "R3 own codes: the last that is counted", MATCH, { 0, ALL, 4, 0xffffb }, 0, 12, 0 },
	{ "R3 own codes: the last", MATCH, { 0, ALL, 0, 0xffffe }, NOT, 0, 0 },
	{ "R3 own codes have no data", MATCH, { 0, ALL, 0, 0xf0100, 1 }, BAD, 0, 0 },
	{ "R6 own codes", START, { 11, 1, 0 }, 0, 0, 0 },
	{ "R6 own codes", COUNT, { 256 }, 0, 0, 0 },
	{ "R6 own codes, whatever the data", COUNT, { 256, 7 }, 0, 0, 0 },
	{ "R6 own codes", COUNT, { 65531 }, 0, 0, 0 },
	{ "R6 own codes", READ, { 11 }, 0, 2, 0 },
	{ "R6 own codes", READ, { 12 }, 0, 1, 0 },
	{ "R6 data is no code", MATCH, { 0, ALL, 4, 0xfffff, 257 }, NOT, 0, 0 },
	{ "R6 data is no code", MATCH, { 0, ALL, 4, 0xfffff, 4 }, 0, 13, 0 },
	{ "R6 data is no code", MATCH, { 0, ALL, 4, 0xf0004 }, 0, 14, 0 },
	{ "R6 data is no code", COUNT, { 65535, 4 }, 0, 0, 0 },
	{ "R6 data is no code", READ, { 13 }, 0, 1, 0 },
	{ "R6 data is no code", READ, { 14 }, 0, 0, 0 },
	{ "R6 a code is no data", COUNT, { 4 }, 0, 0, 0 },
	{ "R6 a code is no data", READ, { 13 }, 0, 1, 0 },
	{ "R6 a code is no data", READ, { 14 }, 0, 1, 0 },
	{ "R6 from data to a code", STOP, { 13, 1, 1 }, 0, 0, 0 },
	{ "R6 from data to a code", MATCH, { 13, 1, 4, 0xf0004 }, 0, 13, 0 },
	{ "R6 from data to a code", COUNT, { 65535, 4 }, 0, 0, 0 },
	{ "R6 from data to a code", READ, { 13 }, 0, 0, 0 },
	{ "R6 from data to a code", COUNT, { 4 }, 0, 0, 0 },
	{ "R6 from data to a code", READ, { 13 }, 0, 1, 0 },
	{ "R3 no event at all", RESET, { 0 }, 0, 0, 0 },
	{ "R3 no event at all", FIRMWARE, { 0 }, 0, 0, 0 },
	{ "R3 no event at all", MATCH, { 0, ALL, 0, 0xf0000 }, NOT, 0, 0 },
	{ "R3 but the platform's", MATCH, { 0, ALL, 0, 0xfffff, 4 }, 0, 10, 0 },
	{ "R3 nothing is counted", RESET, { 0 }, 0, 0, 0 },
	{ "R3 nothing is counted", NO_COUNTS, { 0 }, 0, 0, 0 },
	{ "R3 nothing is counted", MATCH, { 0, ALL, 0, 0xfffff, 4 }, NOT, 0, 0 },
	{ "R3 nothing is counted", MATCH, { 0, ALL, 0, 0xf0000 }, NOT, 0, 0 },
	{ "R3 no host", NO_HOST, { 0 }, 0, 0, 0 },
	{ "R3 no host", MATCH, { 0, ALL, 0, 0xfffff, 4 }, NOT, 0, 0 },
	{ "R3 no host", MATCH, { 0, ALL, 0, 0xf0000 }, NOT, 0, 0 },
};

static const struct row starting[] = {
	{ "R4 four counters", MATCH, { 3, 1, 0, 3 }, 0, 3, 0 },
	{ "R4 four counters", MATCH, { 4, 1, 0, 3 }, 0, 4, 0 },
	{ "R4 four counters", MATCH, { 0, 1, 0, 1 }, 0, 0, 0 },
	{ "R4 four counters", MATCH, { 15, 1, 0, 0xf0000 }, 0, 15, 0 },
	{ "R4 a member beyond", START, { 0, 1u << 26 | 8, 0 }, BAD, 0, 0 },
	{ "R4 a member beyond", START, { 26, 1, 0 }, BAD, 0, 0 },
	{ "R4 a member beyond", START, { 0, ONES, 0 }, BAD, 0, 0 },
	{ "R4 a member beyond by wrapping", START, { ONES, 0x10, 0 }, BAD, 0, 0 },
	{ "R4 a member beyond by wrapping", START, { ONES - 4, 0x300, 0 }, BAD, 0, 0 },
	{ "R4 -1", START, { ONES, 1, 0 }, BAD, 0, 0 },
	{ "R4 does not wrap at 32 bits", START, { 1ull << 32 | 3, 1, 0 }, BAD, 0, 64 },
	{ "R4 a reserved flag", START, { 3, 1, 4 }, BAD, 0, 0 },
	{ "R4 a reserved flag", START, { 3, 1, 5 }, BAD, 0, 0 },
	{ "R4 a reserved flag", START, { 3, 1, 0x80000000u }, BAD, 0, 0 },
	{ "R4 a reserved flag of the upper half", START, { 3, 1, 1ull << 32 }, BAD, 0, 64 },
	{ "R4 both flags", START, { 3, 1, 3 }, BAD, 0, 0 },
	{ "R4 no shared memory", START, { 3, 1, 2 }, NO_SHMEM, 0, 0 },
	{ "R4 a member beyond before that", START, { 26, 1, 2 }, BAD, 0, 0 },
	{ "R4 a flag before that", START, { 3, 1, 6 }, BAD, 0, 0 },
	{ "R4 no shared memory, an empty set", START, { 3, 0, 2 }, BAD, 0, 0 },
	{ "R4 a flag, an empty set", START, { 3, 0, 4 }, BAD, 0, 0 },
	{ "R4 nothing was done", RUNNING, { 0 }, 0, 0, 0 },
	{ "R4 an empty set", START, { 3, 0, 0 }, BAD, 0, 0 },
	{ "R4 an empty set beyond", START, { ONES, 0, 1, 5 }, BAD, 0, 0 },
	{ "R4 nothing was done", RUNNING, { 0 }, 0, 0, 0 },
	{ "R4 from where it was", PUT, { 3, 1000 }, 0, 0, 0 },
	{ "R4 from where it was", START, { 3, 1, 0, 5 }, 0, 0, 0 },
	{ "R4 from where it was", VALUE, { 3 }, 0, 1000, 0 },
	{ "R4 from where it was", RUNNING, { 0 }, 0, 8, 0 },
	{ "R4 one was started before", START, { 3, 3, 1, 0x123456789abcdef0u }, STARTED, 0, 0 },
	{ "R4 it keeps its value", VALUE, { 3 }, 0, 1000, 0 },
	{ "R4 the other has one, of 64 bits", VALUE, { 4 }, 0, 0x123456789abcdef0u, 0 },
	{ "R4 both run", RUNNING, { 0 }, 0, 0x18, 0 },
	{ "R4 a hole", PUT, { 0, 5 }, 0, 0, 0 },
	{ "R4 a hole", START, { 0, 3, 1, ONES }, BAD, 0, 0 },
	{ "R4 others are not started either", RUNNING, { 0 }, 0, 0x18, 0 },
	{ "R4 others are not started either", VALUE, { 0 }, 0, 5, 0 },
	{ "R4 all are stopped", STOP, { 3, 3, 0 }, 0, 0, 0 },
	{ "R4 all are stopped", STOP, { 0, 1, 0 }, STOPPED, 0, 0 },
	{ "R4 not configured", START, { 3, 7, 0 }, BAD, 0, 0 },
	{ "R4 the first is not started either", RUNNING, { 0 }, 0, 0, 0 },
	{ "R4 the first is not started either", START, { 3, 1, 0 }, 0, 0, 0 },
	{ "R4 a hole before already started", START, { 0, 0xa, 0 }, BAD, 0, 0 },
	{ "R4 not configured before already started", START, { 3, 4 | 1, 0 }, BAD, 0, 0 },
	{ "R4 a hole alone", START, { 7, 1, 0 }, BAD, 0, 0 },
	{ "R4 firmware not configured", START, { 16, 1, 0 }, BAD, 0, 0 },
	{ "R4 firmware", START, { 15, 1, 1, 0xfffffffffffffffeu }, 0, 0, 0 },
	{ "R4 firmware, started before", START, { 15, 1, 1, 3 }, STARTED, 0, 0 },
	{ "R6 the low half", READ, { 15 }, 0, 0xfffffffe, 32 },
	{ "R6 all of it", READ, { 15 }, 0, 0xfffffffffffffffeu, 64 },
	{ "R6 the high half", READ_HI, { 15 }, 0, 0xffffffff, 32 },
	{ "R6 0 on RV64", READ_HI, { 15 }, 0, 0, 64 },
	{ "R6 it wraps", COUNT, { 0 }, 0, 0, 0 },
	{ "R6 it wraps", COUNT, { 0 }, 0, 0, 0 },
	{ "R6 it wraps", READ, { 15 }, 0, 0, 0 },
	{ "R6 it wraps", READ_HI, { 15 }, 0, 0, 0 },
	{ "R4 the low half carries", STOP, { 15, 1, 0 }, 0, 0, 0 },
	{ "R4 the low half carries", START, { 15, 1, 1, 0x4ffffffff }, 0, 0, 0 },
	{ "R4 the low half carries", COUNT, { 0 }, 0, 0, 0 },
	{ "R6 the low half carries", READ, { 15 }, 0, 0, 32 },
	{ "R6 the low half carries", READ_HI, { 15 }, 0, 5, 32 },
	{ "R6 the low half carries", READ, { 15 }, 0, 0x500000000, 64 },
	{ "R6 hardware", READ, { 3 }, BAD, 0, 0 },
	{ "R6 a hole", READ, { 1 }, BAD, 0, 0 },
	{ "R6 the last of hardware", READ, { 9 }, BAD, 0, 0 },
	{ "R6 the first of firmware, free", READ, { 10 }, BAD, 0, 0 },
	{ "R6 the last of firmware, free", READ, { 25 }, BAD, 0, 0 },
	{ "R6 beyond", READ, { 26 }, BAD, 0, 0 },
	{ "R6 far beyond", READ, { ONES }, BAD, 0, 0 },
	{ "R6 does not wrap at 32 bits", READ, { 1ull << 32 | 15 }, BAD, 0, 64 },
	{ "R6 high: hardware", READ_HI, { 3 }, BAD, 0, 0 },
	{ "R6 high: the last of hardware", READ_HI, { 9 }, BAD, 0, 0 },
	{ "R6 high: the last of firmware, free", READ_HI, { 25 }, BAD, 0, 0 },
	{ "R6 high: beyond", READ_HI, { 26 }, BAD, 0, 0 },
	{ "R6 high: far beyond", READ_HI, { ONES }, BAD, 0, 0 },
	{ "R6 high: does not wrap at 32 bits", READ_HI, { 1ull << 32 | 15 }, BAD, 0, 64 },
};

static const struct row stopping[] = {
	{ "R5 three that run", MATCH, { 3, 1, 4, 3 }, 0, 3, 0 },
	{ "R5 three that run", MATCH, { 4, 1, 4, 3 }, 0, 4, 0 },
	{ "R5 three that run", MATCH, { 15, 1, 4, 0xf0000 }, 0, 15, 0 },
	{ "R5 and one that does not", MATCH, { 5, 1, 0, 7 }, 0, 5, 0 },
	{ "R5 a member beyond", STOP, { 0, 1u << 26 | 8, 1 }, BAD, 0, 0 },
	{ "R5 a member beyond", STOP, { 26, 1, 1 }, BAD, 0, 0 },
	{ "R5 all bits", STOP, { 0, ONES, 1 }, BAD, 0, 0 },
	{ "R5 a member beyond by wrapping", STOP, { ONES, 0x10, 1 }, BAD, 0, 0 },
	{ "R5 -1", STOP, { ONES, 1, 1 }, BAD, 0, 0 },
	{ "R5 does not wrap at 32 bits", STOP, { 1ull << 32 | 3, 1, 1 }, BAD, 0, 64 },
	{ "R5 a reserved flag", STOP, { 3, 1, 4 }, BAD, 0, 0 },
	{ "R5 a reserved flag", STOP, { 3, 1, 5 }, BAD, 0, 0 },
	{ "R5 a reserved flag", STOP, { 3, 1, 0x80000000u }, BAD, 0, 0 },
	{ "R5 a reserved flag of the upper half", STOP, { 3, 1, 1ull << 32 }, BAD, 0, 64 },
	{ "R5 no shared memory", STOP, { 3, 1, 2 }, NO_SHMEM, 0, 0 },
	{ "R5 no shared memory", STOP, { 3, 1, 3 }, NO_SHMEM, 0, 0 },
	{ "R5 a member beyond before that", STOP, { 26, 1, 2 }, BAD, 0, 0 },
	{ "R5 a flag before that", STOP, { 3, 1, 6 }, BAD, 0, 0 },
	{ "R5 nothing was done", RUNNING, { 0 }, 0, 0x18, 0 },
	{ "R5 nothing was done", OWNED, { 0 }, 0, 0x38, 0 },
	{ "R5 an empty set", STOP, { 3, 0, 0 }, BAD, 0, 0 },
	{ "R5 an empty set beyond", STOP, { ONES, 0, 1 }, BAD, 0, 0 },
	{ "R5 one", STOP, { 3, 1, 0 }, 0, 0, 0 },
	{ "R5 one", RUNNING, { 0 }, 0, 0x10, 0 },
	{ "R5 it is configured", OWNED, { 0 }, 0, 0x38, 0 },
	{ "R5 again", STOP, { 3, 1, 0 }, STOPPED, 0, 0 },
	{ "R5 it and another", STOP, { 3, 3, 0 }, STOPPED, 0, 0 },
	{ "R5 that one is stopped", RUNNING, { 0 }, 0, 0, 0 },
	{ "R5 not configured", STOP, { 6, 1, 0 }, STOPPED, 0, 0 },
	{ "R5 not configured, reset", STOP, { 6, 1, 1 }, STOPPED, 0, 0 },
	{ "R5 configured, stopped, reset", STOP, { 5, 1, 1 }, STOPPED, 0, 0 },
	{ "R5 it is released", OWNED, { 0 }, 0, 0x18, 0 },
	{ "R5 once", STOP, { 5, 1, 1 }, STOPPED, 0, 0 },
	{ "R5 some of both", START, { 3, 3, 0 }, 0, 0, 0 },
	{ "R5 some of both", STOP, { 3, 1, 0 }, 0, 0, 0 },
	{ "R5 some of both", STOP, { 3, 3, 1 }, STOPPED, 0, 0 },
	{ "R5 all are released", OWNED, { 0 }, 0, 0, 0 },
	{ "R5 firmware", STOP, { 15, 1, 0 }, 0, 0, 0 },
	{ "R5 firmware again", STOP, { 15, 1, 0 }, STOPPED, 0, 0 },
	{ "R5 firmware, reset", STOP, { 15, 1, 1 }, STOPPED, 0, 0 },
	{ "R5 firmware, no more", STOP, { 15, 1, 1 }, STOPPED, 0, 0 },
	{ "R5 all that run, with one mask", MATCH, { 3, 1, 4, 3 }, 0, 3, 0 },
	{ "R5 all that run, with one mask", MATCH, { 0, 1, 4, 1 }, 0, 0, 0 },
	{ "R5 all that run, with one mask", MATCH, { 10, 1, 4, 0xf0000 }, 0, 10, 0 },
	{ "R5 holes are no error but do not run", STOP, { 0, ALL, 1 }, STOPPED, 0, 0 },
	{ "R5 everything is stopped all the same", OWNED, { 0 }, 0, 0, 0 },
	{ "R5 everything is stopped all the same", RUNNING, { 0 }, 0, 0, 0 },
	{ "R5 a hole beside one that runs", MATCH, { 0, 1, 4, 1 }, 0, 0, 0 },
	{ "R5 a hole beside one that runs", STOP, { 0, 3, 0 }, STOPPED, 0, 0 },
};

#define PAGE NEAR_LOW

/* Other counters' bits are read before they are written; the read can fail too. */
static const struct row lost[] = {
	{ "R5 with Sscofpmf", FEATURES, { PMUMAP_CAN_INTERRUPT }, 0, 0, 0 },
	{ "R5 with Sscofpmf", SHARE, { PAGE, 0, 0 }, 0, 0, 0 },
	{ "R5 with Sscofpmf", MATCH, { 3, 1, 0, 3 }, 0, 3, 0 },
	{ "R5 with Sscofpmf", START, { 3, 1, 0 }, 0, 0, 0 },
	{ "R5 memory that is lost", LOSE, { 0 }, 0, 0, 0 },
	{ "R5 memory that is lost", STOP, { 3, 1, 2 }, NO_SHMEM, 0, 0 },
	{ "R5 it is stopped even so", RUNNING, { 0 }, 0, 0, 0 },
};

static const struct row sharing[] = {
	{ "R7 with Sscofpmf", FEATURES, { PMUMAP_SSCOFPMF }, 0, 0, 0 },
	{ "R7 a flag", SHARE, { PAGE, 0, 1 }, BAD, 0, 0 },
	{ "R7 a flag", SHARE, { PAGE, 0, 0x80000000u }, BAD, 0, 0 },
	{ "R7 a flag of the upper half", SHARE, { PAGE, 0, 1ull << 32 }, BAD, 0, 64 },
	{ "R7 a flag while clearing", SHARE, { ONES, ONES, 1 }, BAD, 0, 0 },
	{ "R7 clearing nothing", SHARE, { ONES, ONES, 0 }, 0, 0, 0 },
	{ "R7 not aligned", SHARE, { PAGE + 2048, 0, 0 }, BAD, 0, 0 },
	{ "R7 not aligned", SHARE, { PAGE + 1, 0, 0 }, BAD, 0, 0 },
	{ "R7 not aligned", SHARE, { ONES, 0, 0 }, BAD, 0, 0 },
	{ "R7 all ones of RV32", SHARE, { 0xffffffffu, 0xffffffffu, 0 }, BAD, 0, 64 },
	{ "R7 all ones of RV32", SHARE, { 0xffffffffu, 0xffffffffu, 0 }, 0, 0, 32 },
	{ "R7 not aligned and not there", SHARE, { 8, 0, 0 }, BAD, 0, 0 },
	{ "R7 not its own", SHARE, { 0, 0, 0 }, ADDRESS, 0, 0 },
	{ "R7 not its own", SHARE, { 0, ONES, 0 }, ADDRESS, 0, 0 },
	{ "R7 half its own", SHARE, { PAGE + 0x2000, 0, 0 }, ADDRESS, 0, 0 },
	{ "R7 none as yet", STOP, { 3, 1, 2 }, NO_SHMEM, 0, 0 },
	{ "R7 its own", SHARE, { PAGE, 0, 0 }, 0, 0, 0 },
	{ "R7 used with the flag only", MATCH, { 3, 1, 6, 3 }, 0, 3, 0 },
	{ "R7 used with the flag only", MATCH, { 15, 1, 6, 0xf0000 }, 0, 15, 0 },
	{ "R7 used with the flag only", MATCH, { 5, 1, 0, 7 }, 0, 5, 0 },
	{ "R7 used with the flag only", COUNT, { 0 }, 0, 0, 0 },
	{ "R7 used with the flag only", TICK, { 100 }, 0, 0, 0 },
	{ "R7 used with the flag only", STOP, { 3, 1, 0 }, 0, 0, 0 },
	{ "R7 used with the flag only", START, { 3, 1, 1, 100 }, 0, 0, 0 },
	{ "R5 the bits of others", POKE, { 0, 0xffffffffffffefffu }, 0, 0, 0 },
	{ "R5 the values of others", POKE, { 24, 0x77 }, 0, 0, 0 },
	{ "R5 a snapshot", STOP, { 2, 1 << 1 | 1 << 2 | 1 << 3 | 1 << 13, 2 }, STOPPED, 0, 0 },
	{ "R5 by the bit in the mask", WORD, { 8 + 8 * 1 }, 0, 103, 0 },
	{ "R5 firmware's", WORD, { 8 + 8 * 13 }, 0, 1, 0 },
	{ "R5 not of one that is not configured", WORD, { 8 + 8 * 2 }, 0, 0x77, 0 },
	{ "R5 no overflow; other bits stay", WORD, { 0 }, 0, 0xffffffffffffcff5u, 0 },
	{ "R5 stopped after all", RUNNING, { 0 }, 0, 0, 0 },
	{ "R5 still configured", OWNED, { 0 }, 0, 0x28, 0 },
	{ "R5 overflow", START, { 3, 1, 1, 0xfffffffffffffff0u }, 0, 0, 0 },
	{ "R5 overflow", TICK, { 0x20 }, 0, 0, 0 },
	{ "R5 overflow", POKE, { 0, 0 }, 0, 0, 0 },
	{ "R5 overflow", STOP, { 0, 8, 2 }, 0, 0, 0 },
	{ "R5 overflow", WORD, { 0 }, 0, 8, 0 },
	{ "R5 overflow", WORD, { 32 }, 0, 0x13, 0 },
	{ "R5 one that is stopped already", POKE, { 0, ONES }, 0, 0, 0 },
	{ "R5 one that is stopped already", STOP, { 3, 5, 2 }, STOPPED, 0, 0 },
	{ "R5 one that is stopped already", WORD, { 0 }, 0, ONES ^ 4, 0 },
	{ "R5 one that is stopped already", WORD, { 8 }, 0, 0x13, 0 },
	{ "R5 and reset", POKE, { 0, ONES }, 0, 0, 0 },
	{ "R5 and reset", PUT, { 5, 0x55 }, 0, 0, 0 },
	{ "R5 and reset", STOP, { 5, 1, 3 }, STOPPED, 0, 0 },
	{ "R5 the snapshot comes first", WORD, { 8 }, 0, 0x55, 0 },
	{ "R5 the snapshot comes first", OWNED, { 0 }, 0, 8, 0 },
	{ "R5 firmware and reset", STOP, { 15, 1, 3 }, STOPPED, 0, 0 },
	{ "R5 firmware and reset", WORD, { 8 }, 0, 1, 0 },
	{ "R5 nothing of it is configured", STOP, { 15, 1, 2 }, STOPPED, 0, 0 },
	{ "R4 from the snapshot", POKE, { 8 + 8 * 2, 0x123456789abcdef0u }, 0, 0, 0 },
	{ "R4 from the snapshot", START, { 1, 4, 2, 5 }, 0, 0, 0 },
	{ "R4 from the snapshot, by the bit", VALUE, { 3 }, 0, 0x123456789abcdef0u, 0 },
	{ "R4 from the snapshot, by the bit", RUNNING, { 0 }, 0, 8, 0 },
	{ "R4 started before", POKE, { 8 + 8 * 2, 7 }, 0, 0, 0 },
	{ "R4 started before", START, { 1, 4, 2, 5 }, STARTED, 0, 0 },
	{ "R4 started before", VALUE, { 3 }, 0, 0x123456789abcdef0u, 0 },
	{ "R4 firmware", MATCH, { 14, 1, 0, 0xf0001 }, 0, 14, 0 },
	{ "R4 firmware", START, { 12, 4, 2 }, 0, 0, 0 },
	{ "R4 firmware", READ, { 14 }, 0, 7, 0 },
	{ "R7 the old one stays", SHARE, { 0x1000, 0, 0 }, ADDRESS, 0, 0 },
	{ "R7 the old one stays", SHARE, { PAGE + 8, 0, 0 }, BAD, 0, 0 },
	{ "R7 the old one stays", SHARE, { PAGE + 0x1000, 0, 2 }, BAD, 0, 0 },
	{ "R7 the old one stays", STOP, { 14, 1, 2 }, 0, 0, 0 },
	{ "R7 the old one stays", WORD, { 8 }, 0, 7, 0 },
	{ "R7 a new one", SHARE, { PAGE + 0x1000, 0, 0 }, 0, 0, 0 },
	{ "R7 a new one", STOP, { 3, 1, 2 }, 0, 0, 0 },
	{ "R7 a new one", WORD, { 0x1008 }, 0, 0x123456789abcdef3u, 0 },
	{ "R7 an upper half", SHARE, { FAR_LOW, FAR_HIGH, 0 }, 0, 0, 0 },
	{ "R7 an upper half", STOP, { 3, 1, 2 }, STOPPED, 0, 0 },
	{ "R7 the last value", MATCH, { 25, 1, 0, 0xf0001 }, 0, 25, 0 },
	{ "R7 cleared", SHARE, { ONES, ONES, 0 }, 0, 0, 0 },
	{ "R7 cleared", STOP, { 3, 1, 2 }, NO_SHMEM, 0, 0 },
	{ "R7 forgotten by a reset", SHARE, { PAGE, 0, 0 }, 0, 0, 0 },
	{ "R7 forgotten by a reset", RESET, { 0 }, 0, 0, 0 },
	{ "R7 forgotten by a reset", START, { 3, 1, 2 }, NO_SHMEM, 0, 0 },
	{ "R5 the other word of bits", GRANTED, { 0xffffffffu }, 0, 0, 64 },
	{ "R5 the other word of bits", SHARE, { PAGE + 0x1000, 0, 0 }, 0, 0, 64 },
	{ "R5 the other word of bits", MATCH, { 33, 1, 0, 0xf0001 }, 0, 33, 64 },
	{ "R5 the other word of bits", POKE, { 0xff8, ONES }, 0, 0, 64 },
	{ "R5 the other word of bits", POKE, { 0x1000, ONES }, 0, 0, 64 },
	{ "R5 the other word of bits", STOP, { 0, 1ull << 33, 2 }, STOPPED, 0, 64 },
	{ "R5 the other word of bits", WORD, { 0xff8 }, 0, ONES, 64 },
	{ "R5 the other word of bits", WORD, { 0x1000 }, 0, ONES ^ 1ull << 33, 64 },
	{ "R7 none, says the host", FLAGS, { PMUMAP_SERVER_NO_SNAPSHOT }, 0, 0, 0 },
	{ "R7 none, says the host", SHARE, { PAGE, 0, 0 }, NOT, 0, 0 },
	{ "R7 none, says the host", SHARE, { ONES, ONES, 0 }, NOT, 0, 0 },
	{ "R7 none, says the host", STOP, { 3, 1, 2 }, NO_SHMEM, 0, 0 },
	{ "R8 without snapshots", POKE, { 0, 3 }, 0, 0, 0 },
	{ "R8 without snapshots", EVENTS, { PAGE, 0, 1, 0 }, 0, 0, 0 },
	{ "R8 without snapshots", WORD, { 0 }, 0, 1ull << 32 | 3, 0 },
	{ "R7 no memory", NO_MEMORY, { 0 }, 0, 0, 0 },
	{ "R7 no memory", SHARE, { PAGE, 0, 0 }, NOT, 0, 0 },
	{ "R7 no memory, before all", SHARE, { PAGE + 1, 0, 1 }, NOT, 0, 0 },
	{ "R7 no memory, nothing to clear", SHARE, { ONES, ONES, 0 }, NOT, 0, 0 },
	{ "R8 no memory", EVENTS, { PAGE, 0, 1, 0 }, NOT, 0, 0 },
	{ "R8 no memory, before all", EVENTS, { PAGE + 1, 0, 0, 1 }, NOT, 0, 0 },
	{ "R7 no host", NO_HOST, { 0 }, 0, 0, 0 },
	{ "R7 no host", SHARE, { PAGE, 0, 0 }, NOT, 0, 0 },
	{ "R8 no host", EVENTS, { PAGE, 0, 0, 0 }, NOT, 0, 0 },
};

/* Without Sscofpmf there are no overflow bits; and memory that the guest has lost. */
static const struct row sharing_first[] = {
	{ "R5 counter 0", FEATURES, { PMUMAP_CAN_INTERRUPT }, 0, 0, 0 },
	{ "R5 counter 0", MATCH, { 0, ALL, 0, 1 }, 0, 0, 0 },
	{ "R5 counter 0", SHARE, { PAGE, 0, 0 }, 0, 0, 0 },
	{ "R5 counter 0", START, { 0, 1, 1, 0xfffffffffffffff0u }, 0, 0, 0 },
	{ "R5 counter 0", TICK, { 0x20 }, 0, 0, 0 },
	{ "R5 counter 0", STOP, { 0, 1, 2 }, 0, 0, 0 },
	{ "R5 counter 0", RUNNING, { 0 }, 0, 0, 0 },
};

static const struct row sharing_less[] = {
	{ "R5 without Sscofpmf", SHARE, { PAGE, 0, 0 }, 0, 0, 0 },
	{ "R5 without Sscofpmf", MATCH, { 3, 1, 4, 3 }, 0, 3, 0 },
	{ "R5 without Sscofpmf", POKE, { 0, ONES }, 0, 0, 0 },
	{ "R5 without Sscofpmf", PUT, { 3, ONES }, 0, 0, 0 },
	{ "R5 without Sscofpmf", TICK, { 2 }, 0, 0, 0 },
	{ "R5 without Sscofpmf", STOP, { 3, 1, 2 }, 0, 0, 0 },
	{ "R5 without Sscofpmf all bits are 0", WORD, { 0 }, 0, 0, 0 },
	{ "R5 without Sscofpmf, the value", WORD, { 8 }, 0, 4, 0 },
	{ "R5 without Sscofpmf, of nothing", POKE, { 0, ONES }, 0, 0, 0 },
	{ "R5 without Sscofpmf, of nothing", STOP, { 5, 1, 2 }, STOPPED, 0, 0 },
	{ "R5 without Sscofpmf, of nothing", WORD, { 0 }, 0, 0, 0 },
	{ "R5 without a snapshot they stay", POKE, { 0, ONES }, 0, 0, 0 },
	{ "R5 without a snapshot they stay", START, { 3, 1, 0 }, 0, 0, 0 },
	{ "R5 without a snapshot they stay", STOP, { 3, 1, 0 }, 0, 0, 0 },
	{ "R5 without a snapshot they stay", WORD, { 0 }, 0, ONES, 0 },
	{ "R4 memory that is lost", MATCH, { 15, 1, 0, 0xf0000 }, 0, 15, 0 },
	{ "R4 memory that is lost", LOSE, { 0 }, 0, 0, 0 },
	{ "R4 memory that is lost", START, { 3, 1, 2 }, NO_SHMEM, 0, 0 },
	{ "R4 nothing is started from it", RUNNING, { 0 }, 0, 0, 0 },
	{ "R4 memory that is lost, firmware", START, { 15, 1, 2 }, NO_SHMEM, 0, 0 },
	{ "R4 memory that is lost, one is free", START, { 3, 3, 2 }, BAD, 0, 0 },
	{ "R4 without that memory", START, { 3, 1, 0 }, 0, 0, 0 },
	{ "R5 memory that is lost", STOP, { 3, 1, 2 }, NO_SHMEM, 0, 0 },
	{ "R5 it is stopped even so", RUNNING, { 0 }, 0, 0, 0 },
	{ "R5 memory that is lost", STOP, { 3, 1, 3 }, NO_SHMEM, 0, 0 },
	{ "R5 it is released even so", OWNED, { 0 }, 0, 0, 0 },
	{ "R8 memory that is lost", EVENTS, { PAGE, 0, 1, 0 }, ADDRESS, 0, 0 },
	{ "R7 memory that is lost", SHARE, { PAGE, 0, 0 }, ADDRESS, 0, 0 },
	{ "R7 memory that is lost can be given up", SHARE, { ONES, ONES, 0 }, 0, 0, 0 },
};

/* Words 0 and 1 of an entry: the event, and the old result. */
#define ENTRY(event) (0xeeeeeeee00000000u | (event))
static const struct row events[] = {
	{ "R8 a flag", EVENTS, { PAGE, 0, 1, 1 }, BAD, 0, 0 },
	{ "R8 a flag of the upper half", EVENTS, { PAGE, 0, 1, 1ull << 32 }, BAD, 0, 64 },
	{ "R8 not aligned", EVENTS, { PAGE + 8, 0, 1, 0 }, BAD, 0, 0 },
	{ "R8 not aligned", EVENTS, { PAGE + 1, 0, 1, 0 }, BAD, 0, 0 },
	{ "R8 not aligned, no entry", EVENTS, { PAGE + 8, 0, 0, 0 }, BAD, 0, 0 },
	{ "R8 no entry", EVENTS, { PAGE, 0, 0, 0 }, 0, 0, 0 },
	{ "R8 no entry, nowhere", EVENTS, { 0, 0, 0, 0 }, 0, 0, 0 },
	{ "R8 not its own", EVENTS, { 0, 0, 1, 0 }, ADDRESS, 0, 0 },
	{ "R8 one too many", EVENTS, { PAGE, 0, 0x201, 0 }, ADDRESS, 0, 0 },
	{ "R8 one too many", EVENTS, { PAGE + 0x1ff0, 0, 2, 0 }, ADDRESS, 0, 0 },
	{ "R8 a number that overflows", EVENTS, { PAGE, 0, ONES, 0 }, BAD, 0, 0 },
	{ "R8 a number that overflows", EVENTS, { PAGE, 0, 1ull << 60, 0 }, BAD, 0, 64 },
	{ "R8 a number that overflows", EVENTS, { PAGE, 0, 1ull << 60 | 1, 0 }, BAD, 0, 64 },
	{ "R8 a number that overflows", EVENTS, { PAGE, 0, 1ull << 28 | 1, 0 }, BAD, 0, 0 },
	{ "R8 a number that overflows", EVENTS, { PAGE, 0, 1ull << 32 | 1, 0 }, BAD, 0, 64 },
	{ "R8 the most entries", EVENTS, { PAGE, 0, 0x1000, 0 }, ADDRESS, 0, 0 },
	{ "R8 more entries", EVENTS, { PAGE, 0, 0x1001, 0 }, BAD, 0, 0 },
	{ "R8 event 3", POKE, { 0, ENTRY(3) }, 0, 0, 0 },
	{ "R8 event 3", POKE, { 8, 0 }, 0, 0, 0 },
	{ "R8 event 3", EVENTS, { PAGE, 0, 1, 0 }, 0, 0, 0 },
	{ "R8 event 3", WORD, { 0 }, 0, 1ull << 32 | 3, 0 },
	{ "R8 busy is no matter", MATCH, { 0, ALL, 4, 3 }, 0, 3, 0 },
	{ "R8 busy is no matter", MATCH, { 0, ALL, 4, 3 }, 0, 4, 0 },
	{ "R8 busy is no matter", EVENTS, { PAGE, 0, 1, 0 }, 0, 0, 0 },
	{ "R8 busy is no matter", WORD, { 0 }, 0, 1ull << 32 | 3, 0 },
	{ "R8 data of general events is ignored", POKE, { 8, ONES }, 0, 0, 0 },
	{ "R8 data of general events is ignored", EVENTS, { PAGE, 0, 1, 0 }, 0, 0, 0 },
	{ "R8 data of general events is ignored", WORD, { 0 }, 0, 1ull << 32 | 3, 0 },
	{ "R8 an error leaves those after it", POKE, { 0, ENTRY(3) }, 0, 0, 0 },
	{ "R8 an error leaves those after it", POKE, { 16, ENTRY(0x100003) }, 0, 0, 0 },
	{ "R8 an error leaves those after it", POKE, { 32, ENTRY(3) }, 0, 0, 0 },
	{ "R8 an event of 21 bits", EVENTS, { PAGE, 0, 3, 0 }, BAD, 0, 0 },
	{ "R8 those before have their answer", WORD, { 0 }, 0, 1ull << 32 | 3, 0 },
	{ "R8 this one has none", WORD, { 16 }, 0, ENTRY(0x100003), 0 },
	{ "R8 those after have none", WORD, { 32 }, 0, ENTRY(3), 0 },
	{ "R8 the highest bit", POKE, { 0, ENTRY(0x80000003u) }, 0, 0, 0 },
	{ "R8 the highest bit", EVENTS, { PAGE, 0, 1, 0 }, BAD, 0, 0 },
	{ "R8 type 4", POKE, { 0, ENTRY(0x40005) }, 0, 0, 0 },
	{ "R8 type 14", POKE, { 16, ENTRY(0xe0000) }, 0, 0, 0 },
	{ "R8 types that SBI lacks do not end it", POKE, { 32, ENTRY(3) }, 0, 0, 0 },
	{ "R8 types that SBI lacks do not end it", EVENTS, { PAGE, 0, 3, 0 }, 0, 0, 0 },
	{ "R8 type 4, whatever the map says", WORD, { 0 }, 0, 0x40005, 0 },
	{ "R8 type 14", WORD, { 16 }, 0, 0xe0000, 0 },
	{ "R8 those after them", WORD, { 32 }, 0, 1ull << 32 | 3, 0 },
	{ "R8 an upper half", EVENTS, { FAR_LOW, FAR_HIGH, 0x101, 0 }, ADDRESS, 0, 0 },
};

/* Deliberate deviations from SBI, by their names in the manual of pmumap_server.h. */
static const struct row deviations[] = {
	{ "D1 holes are no candidates", MATCH, { 0, ALL, 0, 3 }, 0, 3, 0 },
	{ "D1 holes alone", MATCH, { 7, 3, 0, 7 }, NOT, 0, 0 },
	{ "D1 a hole is an error when skipping", MATCH, { 7, 3, 1, 7 }, BAD, 0, 0 },
	{ "D2 a hole is stopped", STOP, { 7, 1, 0 }, STOPPED, 0, 0 },
	{ "D2 so is what is not configured", STOP, { 6, 1, 1 }, STOPPED, 0, 0 },
	{ "D2 so is all of it", STOP, { 0, ALL, 1 }, STOPPED, 0, 0 },
	{ "D2 and is released by that", OWNED, { 0 }, 0, 0, 0 },
	{ "D4 a counter that has an event", MATCH, { 3, 1, 0, 3 }, 0, 3, 0 },
	{ "D4 skipping to one that it cannot count", MATCH, { 3, 1, 1, 7 }, NOT, 0, 0 },
	{ "D4 it keeps its event", CODE, { 3 }, 0, 3, 0 },
	{ "D5 a type that SBI lacks", POKE, { 0, 0xeeeeeeee00040005 }, 0, 0, 0 },
	{ "D5 another one", POKE, { 16, 0xeeeeeeee000e0001 }, 0, 0, 0 },
	{ "D5 and one that is supported", POKE, { 32, 0xeeeeeeee00000003 }, 0, 0, 0 },
	{ "D5 is no error", EVENTS, { PAGE, 0, 3, 0 }, 0, 0, 0 },
	{ "D5 but not supported", WORD, { 0 }, 0, 0x40005, 0 },
	{ "D5 but not supported", WORD, { 16 }, 0, 0xe0001, 0 },
	{ "D5 and those after it are answered", WORD, { 32 }, 0, 1ull << 32 | 3, 0 },
	{ "D6 firmware counters have 64 bits", INFO, { 10 }, 0, 1ull << 63 | 63 << 12, 64 },
	{ "D6 firmware counters have 64 bits", INFO, { 10 }, 0, 1u << 31 | 63 << 12, 32 },
	{ "D7 memory", SHARE, { PAGE, 0, 0 }, 0, 0, 0 },
	{ "D7 memory that is lost", LOSE, { 0 }, 0, 0, 0 },
	{ "D7 STOP", STOP, { 3, 1, 2 }, NO_SHMEM, 0, 0 },
	{ "D7 it is stopped", RUNNING, { 0 }, 0, 0, 0 },
	{ "D7 START", START, { 3, 1, 2 }, NO_SHMEM, 0, 0 },
	{ "D7 it is not started", RUNNING, { 0 }, 0, 0, 0 },
	{ "D7 STOP with RESET", STOP, { 3, 1, 3 }, NO_SHMEM, 0, 0 },
	{ "D7 it is released", OWNED, { 0 }, 0, 0, 0 },
	{ "D9 48 bits", MATCH, { 0, ALL, 0, 0x20000, 0xffff0000000001ff }, 0, 5, 0 },
	{ "D9 48 bits", SELECTOR, { 5 }, 0, 0x1ff, 0 },
	{ "D9 56 bits", MATCH, { 0, ALL, 0, 0x30000, 0xff000000000001ff }, 0, 6, 0 },
	{ "D9 21 bits", MATCH, { 0, ALL, 0, 0x100003 }, BAD, 0, 0 },
	{ "D9 data", MATCH, { 0, ALL, 0, 3, 1 }, BAD, 0, 0 },
	{ "D9 flags", MATCH, { 0, ALL, 0x100, 3 }, BAD, 0, 0 },
	{ "D9 flags", START, { 5, 1, 4 }, BAD, 0, 0 },
	{ "D9 flags", STOP, { 5, 1, 4 }, BAD, 0, 0 },
};

/* ---- one entry of EVENT_GET_INFO each, and the same question to CONFIG_MATCHING -------------- */

static const struct question {
	const char *rule;
	uint32_t event;
	uint64_t data;
	uint32_t features, answer;
} questions[] = {
	{ "R8 cycles", 1, 0, 0, 1 },
	{ "R8 instructions", 2, 0, 0, 1 },
	{ "R8 cycles that nothing can filter", 1, 0, PMUMAP_FILTER, 0 },
	{ "R8 Sscofpmf implies that", 1, 0, PMUMAP_SSCOFPMF, 0 },
	{ "R8 filters imply it, not interrupts", 1, 0, PMUMAP_CAN_FILTER, 0 },
	{ "R8 filters imply it, not interrupts", 1, 0, PMUMAP_CAN_INTERRUPT, 1 },
	{ "R8 but not where they are filtered", 1, 0, BOTH, 1 },
	{ "R8 instructions on others", 2, 0, PMUMAP_SSCOFPMF | PMUMAP_FILTER, 1 },
	{ "R8 cycles that are filtered", 1, 0, PMUMAP_SMCNTRPMF | PMUMAP_FILTER, 1 },
	{ "R8 no event", 0, 0, 0, 0 },
	{ "R8 an event", 4, 0, 0, 1 },
	{ "R8 no selector", 5, 0, 0, 0 },
	{ "R8 not granted", 6, 0, 0, 0 },
	{ "R8 one of them granted", 7, 0, 0, 1 },
	{ "R8 no row", 8, 0, 0, 0 },
	{ "R8 a code that SBI lacks, as the map says", 0xb, 0, 0, 1 },
	{ "R8 a code that SBI lacks, no row", 0xc, 0, 0, 0 },
	{ "R8 a cache event", 0x10019, 0, 0, 1 },
	{ "R8 another cache event", 0x1001a, 0, 0, 0 },
	{ "R8 raw", 0x20000, 0x1ff, 0, 1 },
	{ "R8 raw, no row", 0x20000, 0xabcdef, 0, 0 },
	{ "R8 raw 0", 0x20000, 0, 0, 1 },
	{ "R8 raw, cut to 48 bits", 0x20000, 0xffff0000000001ffu, 0, 1 },
	{ "R8 raw, bit 47", 0x20000, 0x8000000001ffu, 0, 0 },
	{ "R8 raw has no code", 0x20001, 0x1ff, 0, 0 },
	{ "R8 raw v2", 0x30000, 0x1ff, 0, 1 },
	{ "R8 raw v2, an upper half", 0x30000, 0x7700000077, 0, 1 },
	{ "R8 raw v2, another upper half", 0x30000, 0x7600000077, 0, 0 },
	{ "R8 raw v2, cut to 56 bits", 0x30000, 0xff000000000001ffu, 0, 1 },
	{ "R8 raw v2, bit 48", 0x30000, 0x10000000001ffu, 0, 0 },
	{ "R8 raw v2 has no code", 0x3ffff, 0x1ff, 0, 0 },
	{ "R8 firmware", 0xf0000, 0, 0, 1 },
	{ "R8 the last of firmware", 0xf0015, 0, 0, 1 },
	{ "R8 firmware, not counted", 0xf0003, 0, 0, 0 },
	{ "R8 firmware, no such event", 0xf0016, 0, 0, 0 },
	{ "R8 firmware, of an implementation", 0xf0100, 0, 0, 1 },
	{ "R8 firmware, of one, not counted", 0xf0101, 0, 0, 0 },
	{ "R8 no such type", 0xe0000, 0, 0, 0 },
	{ "R8 no such type, whatever the map says", 0x40005, 0, 0, 0 },
	{ "R8 the platform's", 0xfffff, 1, 0, 1 },
	{ "R8 the platform's, not counted", 0xfffff, 0, 0, 0 },
	{ "R8 the platform's, 64 bits", 0xfffff, 1ull << 62, 0, 1 },
};

/* ---- running the tables ---------------------------------------------------------------------- */

static void default_world(struct world *w, uint32_t xlen)
{
	struct model *m = &w->rows;

	world_begin(w);
	model_add_counters(m, 1, 1, 0x18);
	model_add_counters(m, 2, 2, 0x30);
	model_add_counters(m, 3, 4, 0x18);
	model_add_counters(m, 5, 5, 0x20);
	model_add_counters(m, 6, 6, 0x80);
	model_add_counters(m, 7, 7, 0x2a0);
	model_add_counters(m, 0xb, 0xb, 0x8);
	model_add_counters(m, 0x10019, 0x10019, 0x40);
	model_add_counters(m, 0x40005, 0x40005, 0x18);
	model_add_selector(m, 2, 0x22);
	model_add_selector(m, 3, 0x33);
	model_add_selector(m, 4, 0x44);
	model_add_selector(m, 6, 0x66);
	model_add_selector(m, 7, 0x77);
	model_add_selector(m, 0xb, 0xbb);
	model_add_selector(m, 0x10019, 0x1900000019);
	model_add_selector(m, 0x40005, 0x45);
	model_add_raw(m, 0x100, ~0xffull, 0x60);
	model_add_raw(m, 0, ONES, 0x40);
	model_add_raw(m, 0x7700000077, ONES, 0x200);
	world_map(w, build_rows(m));
	w->s->xlen = xlen;
	w->s->granted = 0x27f;
	w->s->features = 0;
	w->s->rule = PMUMAP_RULE_NONE;
	w->s->inhibit = PMUMAP_INHIBIT_M;
	w->s->width = 40;
	w->s->virtual_ = 0;
	w->s->delegated = 0;
	w->s->flags = 0;
	w->firmware = 0x3ffff7;
	world_init(w);
}

static int runs(const struct world *w, uint32_t counter)
{
	return w->fake.counter[counter].running != 0;
}

static int owned(const struct world *w, uint32_t counter)
{
	return w->fake.counter[counter].owned != 0;
}

static uint32_t set_of(const struct world *w, int (*is)(const struct world *, uint32_t))
{
	uint32_t i, set = 0;

	for (i = 0; i < 32; i++)
		set |= (uint32_t)is(w, i) << i;
	return set;
}

static uint64_t word_at(const struct world *w, uint64_t offset)
{
	uint64_t value = 0;
	uint32_t i;

	for (i = 8; i-- > 0;)
		value = value << 8 | w->guest.near[offset + i];
	return value;
}

static void setting(struct world *w, const struct row *r)
{
	uint32_t value = (uint32_t)r->a[0];

	if (r->op == GRANTED)
		w->s->granted = value;
	else if (r->op == FEATURES)
		w->s->features = value;
	else if (r->op == RULE)
		w->s->rule = value;
	else if (r->op == MODES)
		w->s->inhibit = value;
	else if (r->op == WIDTH)
		w->s->width = value;
	else if (r->op == VIRTUAL)
		w->s->virtual_ = value;
	else if (r->op == DELEGATED)
		w->s->delegated = value;
	else if (r->op == FLAGS)
		w->s->flags = value;
	else if (r->op == FIRMWARE)
		w->firmware = r->a[0];
	else if (r->op == NO_HOST)
		w->s->host = NULL;
	else if (r->op == NO_MEMORY)
		w->host.access = NULL;
	else
		w->host.counts = NULL;
	world_init(w);
}

static uint64_t fact(const struct world *w, const struct row *r)
{
	const struct fake_counter *c = &w->fake.counter[r->a[0] & 31];

	switch (r->op) {
	case RUNNING:
		return set_of(w, runs);
	case OWNED:
		return set_of(w, owned);
	case VALUE:
		return c->value;
	case SELECTOR:
		return c->job.selector;
	case INHIBIT:
		return c->job.inhibit;
	case DATA:
		return c->job.data;
	case CODE:
		return c->job.event;
	default:
		return word_at(w, r->a[0]);
	}
}

static void action(struct world *w, const struct row *r)
{
	const char *differs;

	if (r->op == POKE)
		poke(w, r->a[0], r->a[1]);
	else if (r->op == PUT)
		w->fake.counter[r->a[0]].value = w->model.counter[r->a[0]].value = r->a[1];
	else if (r->op == TICK)
		world_tick(w, r->a[0]);
	else if (r->op == COUNT)
		world_count(w, (uint32_t)r->a[0], r->a[1]);
	else if (r->op == REFUSE)
		w->model.refuse = (uint32_t)r->a[0];
	else if (r->op == LOSE)
		w->guest.gone = w->guest_model.gone = 1;
	else if (r->op == RESET)
		world_reset(w);
	else
		setting(w, r);
	differs = world_differs(w);
	if (!CHECK(!differs))
		printf("\tdiffers in %s\n", differs);
}

static void call(struct world *w, const struct row *r)
{
	uint64_t args[6] = { r->a[0], r->a[1], r->a[2], r->a[3], r->a[4], 0 };
	uint64_t value = r->value;
	const char *differs;

	if (w->s->xlen == 32 && r->op == MATCH)
		args[5] = r->a[4] >> 32;
	if (w->s->xlen == 32 && r->op == START)
		args[4] = r->a[3] >> 32;
	if (value == TOP)
		value = 1ull << (w->s->xlen - 1) | 63 << 12;
	differs = world_call(w, r->op, args);
	CHECK_EQ(w->error, r->error);
	if (r->error == 0)
		CHECK_EQ(w->value, value);
	if (!CHECK(!differs))
		printf("\tdiffers in %s\n", differs);
}

static void play(struct world *w, const struct row *rows, size_t n)
{
	test_input = w->s->xlen == 64 ? "RV64" : "RV32";
	for (; n; n--, rows++) {
		if (rows->only && rows->only != w->s->xlen)
			continue;
		test_now = rows->rule;
		if (rows->op < RUNNING || rows->op > NO_COUNTS)
			call(w, rows);
		else if (rows->op <= WORD)
			CHECK_EQ(fact(w, rows), rows->value);
		else
			action(w, rows);
	}
}
#define PLAY(w, rows) play(w, rows, sizeof(rows) / sizeof((rows)[0]))

static void table(const struct row *rows, size_t n, uint32_t xlen)
{
	struct world w;

	default_world(&w, xlen);
	play(&w, rows, n);
	world_end(&w);
}
#define TABLE(rows, xlen) table(rows, sizeof(rows) / sizeof((rows)[0]), xlen)

static void tables(uint32_t xlen)
{
	TABLE(numbers, xlen);
	TABLE(sets, xlen);
	TABLE(matching, xlen);
	TABLE(sscofpmf, xlen);
	TABLE(filter, xlen);
	TABLE(smcntrpmf, xlen);
	TABLE(absent, xlen);
	TABLE(always, xlen);
	TABLE(raw, xlen);
	TABLE(lost, xlen);
	TABLE(refused, xlen);
	TABLE(skip, xlen);
	TABLE(delegated, xlen);
	TABLE(modes, xlen);
	TABLE(values, xlen);
	TABLE(firmware, xlen);
	TABLE(firmware_full, xlen);
	TABLE(firmware_odd, xlen);
	TABLE(starting, xlen);
	TABLE(stopping, xlen);
	TABLE(sharing, xlen);
	TABLE(sharing_first, xlen);
	TABLE(sharing_less, xlen);
	TABLE(events, xlen);
	TABLE(deviations, xlen);
}

static void ask(uint32_t xlen)
{
	struct world w;
	size_t i;

	for (i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
		const struct question *q = &questions[i];
		uint64_t info[6] = { PAGE + 0x40, 0, 1, 0, 0, 0 };
		uint64_t match[6] = { 0, ALL, 0, q->event, q->data, 0 };

		test_now = q->rule;
		default_world(&w, xlen);
		w.s->features = q->features;
		world_init(&w);
		poke(&w, 0x40, ENTRY(q->event));
		poke(&w, 0x48, q->data);
		CHECK(!world_call(&w, EVENTS, info));
		CHECK_EQ(w.error, 0);
		CHECK_EQ(word_at(&w, 0x40), (uint64_t)q->answer << 32 | q->event);
		CHECK_EQ(word_at(&w, 0x48), q->data);
		match[5] = xlen == 32 ? q->data >> 32 : 0;
		CHECK(!world_call(&w, MATCH, match));
		CHECK_EQ(w.error, q->answer ? 0 : NOT);
		world_end(&w);
	}
}

/* ---- what no table says ---------------------------------------------------------------------- */

/* Data for a firmware event without data: no error, but no match either. */
static void reserved_data(uint32_t xlen)
{
	uint64_t info[6] = { PAGE, 0, 1, 0, 0, 0 };
	struct world w;

	test_now = "R8 data of a firmware event";
	default_world(&w, xlen);
	poke(&w, 0, ENTRY(0xf0000));
	poke(&w, 8, 1ull << 32);
	CHECK(!world_call(&w, EVENTS, info));
	CHECK(w.error == 0 && word_at(&w, 0) == 0xf0000);
	world_end(&w);
}

/* While the host is asked, another hart of the guest changes the entry to one that is refused. */
static int meddle(void *arg, uint32_t code, uint64_t data)
{
	struct world *w = arg;

	(void)code, (void)data;
	poke(w, 0, ENTRY(0x100003));
	poke(w, 8, 77);
	return 1;
}

/* An entry is read once, and only its answer is written: what another hart stores there stays. */
static void other_hart(uint32_t xlen)
{
	uint64_t info[6] = { PAGE, 0, 1, 0, 0, 0 };
	struct pmumap_sbi_ret ret;
	struct world w;

	test_now = "R8 only the answer is written";
	default_world(&w, xlen);
	w.host.counts = meddle;
	poke(&w, 0, ENTRY(0xfffff));
	poke(&w, 8, 1);
	ret = pmumap_server_call(w.s, EVENTS, info);
	CHECK_EQ(ret.error, 0);
	CHECK_EQ(word_at(&w, 0), 1ull << 32 | 0x100003);
	CHECK_EQ(word_at(&w, 8), 77);
	CHECK_EQ(w.guest.misuse, 0);
	world_end(&w);
}

/* The firmware event of each SBI call, by SBI's numbers; 255: none. */
static void events_of_calls(void)
{
	static const struct {
		uint64_t eid, function;
		uint32_t code;
	} calls[] = {
		{ 0x54494d45, 0, 5 },
		{ 0x54494d45, 1, 255 },
		{ 0x735049, 0, 6 },
		{ 0x735049, 1, 255 },
		{ 0x52464e43, 0, 8 },
		{ 0x52464e43, 1, 10 },
		{ 0x52464e43, 2, 12 },
		{ 0x52464e43, 3, 16 },
		{ 0x52464e43, 4, 14 },
		{ 0x52464e43, 5, 20 },
		{ 0x52464e43, 6, 18 },
		{ 0x52464e43, 7, 255 },
		{ 0x52464e43, ONES, 255 },
		{ 0x52464e43, 1ull << 32, 255 },
		{ 0, 0, 5 },
		{ 0, 77, 5 },
		{ 1, 0, 255 },
		{ 3, 0, 255 },
		{ 4, 77, 6 },
		{ 5, 77, 8 },
		{ 6, 77, 10 },
		{ 7, 77, 12 },
		{ 8, 0, 255 },
		{ 0x504d55, 0, 255 },
		{ 1ull << 32 | 4, 0, 255 },
		{ ONES, 0, 255 },
		{ 1ull << 32 | 0x735049, 0, 255 },
	};
	uint32_t counted = 0, code, wrong = 0;
	size_t i;

	test_now = "the events of calls";
	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		CHECK_EQ(pmumap_server_event_of(calls[i].eid, calls[i].function), calls[i].code);
		counted |= calls[i].code < 32 ? 1u << calls[i].code : 0;
	}
	for (code = 0; code < 65536; code++)
		wrong += pmumap_server_counts_calls(NULL, code, 0) !=
			 (code < 32 && (counted >> code & 1));
	CHECK_EQ(wrong, 0);
}

/* pmumap_server_copy() copies all words, or only those of answers, and nothing behind them. */
static void copies(void)
{
	uint32_t write, bytes, i, wrong = 0;

	test_now = "copies";
	for (write = 0; write < 3; write++)
		for (bytes = write == 2 ? 16 : 8; bytes <= 256; bytes += write == 2 ? 16 : 8) {
			unsigned char *guest = exact(bytes), *data = exact(bytes);

			memset(guest, 1, bytes);
			memset(data, 2, bytes);
			pmumap_server_copy(guest, data, bytes, (int)write);
			for (i = 0; i < bytes; i++)
				wrong += guest[i] != (write == 1 || (write == 2 && i % 16 / 4 == 1)
							      ? 2
							      : 1) ||
					 data[i] != (write ? 2 : 1);
			free(guest);
			free(data);
		}
	CHECK_EQ(wrong, 0);
}

/* After n moves of 16 entries each, the guest no longer owns the memory. */
static void memory_is_lost(uint32_t xlen)
{
	uint64_t info[6] = { PAGE, 0, 0x40, 0, 0, 0 };
	uint32_t i, n;
	struct world w;

	test_now = "R8 memory that is lost on the way";
	for (n = 1; n < 9; n++) {
		uint32_t answered = 0;
		struct pmumap_sbi_ret ret;

		default_world(&w, xlen);
		w.guest.lost = n;
		for (i = 0; i < 0x40; i++) {
			poke(&w, 16 * i, ENTRY(3));
			poke(&w, 16 * i + 8, 0);
		}
		ret = pmumap_server_call(w.s, EVENTS, info);
		CHECK_EQ(ret.error, n < 8 ? PMUMAP_SBI_FAILED : 0);
		for (i = 0; i < 0x40; i++)
			answered += word_at(&w, 16 * i) == (1ull << 32 | 3);
		CHECK_EQ(answered, n / 2 * 16);
		world_end(&w);
	}
}

static int refuse_values(void *arg, uint64_t low, uint64_t high, void *data, uint64_t bytes,
			 int write)
{
	return !(data && write && low == PAGE + 8) &&
	       world_access(arg, low, high, data, bytes, write);
}

/* Counter values cannot be written but the overflow bits can: still an error. */
static void value_is_refused(uint32_t xlen)
{
	static const uint64_t share[6] = { PAGE }, match[6] = { 3, 1, 4, 3 }, stop[6] = { 3, 1, 2 };
	struct world w;

	test_now = "R5 a value that is refused";
	default_world(&w, xlen);
	CHECK(!world_call(&w, SHARE, share) && w.error == 0);
	CHECK(!world_call(&w, MATCH, match) && w.error == 0);
	poke(&w, 0, ONES);
	poke(&w, 8, 77);
	w.host.access = refuse_values;
	CHECK_EQ(pmumap_server_call(w.s, STOP, stop).error, NO_SHMEM);
	CHECK_EQ(set_of(&w, runs), 0);
	CHECK_EQ(word_at(&w, 0), 0);
	CHECK_EQ(word_at(&w, 8), 77);
	world_end(&w);
}

static int zeros(void *arg, uint64_t low, uint64_t high, void *data, uint64_t bytes, int write)
{
	(void)arg;
	(void)low;
	(void)high;
	if (data && !write)
		memset(data, 0, (size_t)bytes);
	return 1;
}

/* Guest memory may begin at 0, and can be shared there. */
static void memory_at_0(uint32_t xlen)
{
	static const uint64_t share[6] = { 0 }, match[6] = { 3, 1, 0, 3 }, start[6] = { 3, 1, 2 };
	struct world w;

	test_now = "R5 memory at 0";
	default_world(&w, xlen);
	w.host.access = zeros;
	CHECK_EQ(pmumap_server_call(w.s, SHARE, share).error, 0);
	CHECK_EQ(pmumap_server_call(w.s, MATCH, match).error, 0);
	CHECK_EQ(pmumap_server_call(w.s, START, start).error, 0);
	CHECK_EQ(set_of(&w, runs), 8);
	world_end(&w);
}

/* 512 entries up to the end of the area, with all kinds of events. */
static void many_entries(uint32_t xlen)
{
	uint64_t info[6] = { PAGE, 0, 0x200, 0, 0, 0 };
	uint32_t i, good = 0;
	struct world w;

	test_now = "R8 as many as there is room for";
	default_world(&w, xlen);
	for (i = 0; i < 0x200; i++) {
		poke(&w, 16 * i, ENTRY(i % 16));
		poke(&w, 16 * i + 8, random64());
	}
	CHECK(!world_call(&w, EVENTS, info));
	for (i = 0; i < 0x200; i++)
		good += word_at(&w, 16 * i) == ((uint64_t)(0x89e >> i % 16 & 1) << 32 | i % 16);
	CHECK_EQ(good, 0x200);
	world_end(&w);
}

/* Place of the last call's entries: an address has 128 bits, of which RV32 has 64. */
static uint64_t seen[8][3];
static uint32_t times_seen;

static int see(void *arg, uint64_t low, uint64_t high, void *data, uint64_t bytes, int write)
{
	(void)arg;
	if (!data || write)
		return 1;
	seen[times_seen & 7][0] = low;
	seen[times_seen & 7][1] = high;
	seen[times_seen++ & 7][2] = bytes;
	memset(data, 0, (size_t)bytes);
	return 1;
}

/* On RV32 an array of entries may cross a 4 GiB boundary. */
static void carry(void)
{
	uint64_t info[6] = { 0xffffff00, 5, 0x30, 0, 0, 0 };
	uint32_t i;
	struct world w;

	test_now = "R8 entries across a boundary";
	default_world(&w, 32);
	w.host.access = see;
	times_seen = 0;
	CHECK_EQ(pmumap_server_call(w.s, EVENTS, info).error, 0);
	CHECK_EQ(times_seen, 3);
	for (i = 0; i < 3; i++) {
		CHECK_EQ(seen[i][0], i ? (i - 1) * 0x100 : 0xffffff00);
		CHECK_EQ(seen[i][1], i ? 6 : 5);
		CHECK_EQ(seen[i][2], 0x100);
	}
	world_end(&w);
}

/* Says yes and logs the query. */
static int note(void *arg, uint64_t low, uint64_t high, void *data, uint64_t bytes, int write)
{
	(void)arg;
	if (!data) {
		CHECK(write);
		seen[0][0] = low;
		seen[0][1] = high;
		seen[0][2] = bytes;
		times_seen++;
	} else if (!write) {
		memset(data, 0, (size_t)bytes);
	}
	return 1;
}

/* The host is asked once about all bytes of the call, if they neither wrap nor end at 0. */
static void wrapping(uint32_t xlen)
{
	static const struct {
		const char *rule;
		uint32_t function;
		uint64_t low, high, entries,
			bytes; /* bytes: that the host is asked about; 0: not asked */
		int error;
		uint32_t only;
	} rows[] = {
		{ "R8 one entry", EVENTS, 0xfffff000, 0, 1, 16, 0, 0 },
		{ "R8 the most", EVENTS, 0x10000, 7, 0x1000, 0x10000, 0, 0 },
		{ "R8 too many", EVENTS, 0x10000, 7, 0x1001, 0, BAD, 0 },
		{ "R8 a size of 2^64", EVENTS, 0x10000, 0, 1ull << 60, 0, BAD, 64 },
		{ "R8 a size of 2^32", EVENTS, 0x10000, 0, 1u << 28, 0, BAD, 0 },
		{ "R8 almost the end", EVENTS, ONES << 4, 0, 1, 0, ADDRESS, 64 },
		{ "R8 before the end", EVENTS, ONES << 5, 0, 1, 16, 0, 64 },
		{ "R8 up to the end", EVENTS, ONES << 5, 0, 2, 0, ADDRESS, 64 },
		{ "R8 wraps", EVENTS, ONES << 5, 0, 3, 0, ADDRESS, 64 },
		{ "R8 the upper half is no help", EVENTS, ONES << 5, 5, 3, 0, ADDRESS, 64 },
		{ "R8 before the end", EVENTS, 0xffffffe0, 0xffffffff, 1, 16, 0, 32 },
		{ "R8 up to the end", EVENTS, 0xffffffe0, 0xffffffff, 2, 0, ADDRESS, 32 },
		{ "R8 wraps", EVENTS, 0xffffffe0, 0xffffffff, 3, 0, ADDRESS, 32 },
		{ "R7 a page", SHARE, 0x80000000, 0, 0, 4096, 0, 0 },
		{ "R7 the last page", SHARE, ONES << 12, 0, 0, 0, ADDRESS, 64 },
		{ "R7 the page before", SHARE, ONES << 13, 0, 0, 4096, 0, 64 },
		{ "R7 the last page", SHARE, 0xfffff000, 0xffffffff, 0, 0, ADDRESS, 32 },
		{ "R7 the last page below 4 GiB", SHARE, 0xfffff000, 0, 0, 4096, 0, 32 },
	};
	struct world w;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t a[6] = { rows[i].low, rows[i].high, rows[i].entries, 0, 0, 0 };

		if (rows[i].only && rows[i].only != xlen)
			continue;
		test_now = rows[i].rule;
		default_world(&w, xlen);
		w.host.access = note;
		times_seen = 0;
		CHECK_EQ(pmumap_server_call(w.s, rows[i].function, a).error, rows[i].error);
		CHECK_EQ(times_seen, rows[i].bytes != 0);
		if (times_seen) {
			CHECK_EQ(seen[0][0], rows[i].low);
			CHECK_EQ(seen[0][1], rows[i].high);
			CHECK_EQ(seen[0][2], rows[i].bytes);
		}
		world_end(&w);
	}
}

/* Garbage in the private part is ignored; init does not read it. */
static void init_is_enough(uint32_t xlen, unsigned char garbage)
{
	size_t public_bytes = offsetof(struct pmumap_server, flags) + sizeof(uint32_t);
	struct world w;
	const char *differs;

	test_now = "init";
	default_world(&w, xlen);
	memset((unsigned char *)w.s + public_bytes, garbage, sizeof(*w.s) - public_bytes);
	world_init(&w);
	differs = world_differs(&w);
	CHECK(!differs);
	PLAY(&w, stopping);
	world_end(&w);
}

/* A reset stops and releases exactly the configured counters. */
static void reset(uint32_t xlen)
{
	static const uint64_t matches[][6] = {
		{ 0, ALL, 4, 1, 0, 0 },       { 0, ALL, 0, 3, 0, 0 },       { 0, ALL, 4, 3, 0, 0 },
		{ 0, ALL, 4, 0xf0000, 0, 0 }, { 0, ALL, 0, 0xf0001, 0, 0 },
	};
	uint64_t start[6] = { 13, 1, 1, 5, 0, 0 };
	struct world w;
	size_t i;

	test_now = "reset";
	default_world(&w, xlen);
	for (i = 0; i < sizeof(matches) / sizeof(matches[0]); i++)
		CHECK(!world_call(&w, MATCH, matches[i]) && w.error == 0);
	CHECK_EQ(set_of(&w, runs), 0x11);
	world_reset(&w);
	CHECK_EQ(set_of(&w, runs), 0);
	CHECK_EQ(set_of(&w, owned), 0);
	CHECK(!world_differs(&w));
	world_reset(&w);
	CHECK(!world_differs(&w));
	CHECK(!world_call(&w, START, start) && w.error == BAD);
	world_end(&w);
}

/* Without hardware counters the server needs no map and no backend. */
static void nothing_below(uint32_t xlen)
{
	static const uint64_t asked[] = { 0, 1, 2, 3, 0x10019, 0x20000, 0x30000, 0xf0000, 0xfffff };
	struct world w;
	uint32_t i;

	test_now = "nothing below";
	default_world(&w, xlen);
	w.s->granted = 2;
	w.s->map = NULL;
	w.s->pmu = NULL;
	world_init(&w);
	for (i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		uint64_t info[6] = { PAGE, 0, 1, 0, 0, 0 };
		uint64_t match[6] = { 0, 0xffff, i & 1 ? 4 : 0, asked[i], 0, 0 };
		uint64_t all[6] = { 0, 0xffff, 0, 0, 0, 0 };

		poke(&w, 0, ENTRY(asked[i]));
		poke(&w, 8, 1);
		CHECK(!world_call(&w, EVENTS, info));
		CHECK(!world_call(&w, MATCH, match));
		match[2] |= PMUMAP_SBI_SKIP_MATCH;
		CHECK(!world_call(&w, MATCH, match));
		CHECK(!world_call(&w, START, all));
		CHECK(!world_call(&w, STOP, all));
	}
	world_reset(&w);
	CHECK(!world_differs(&w));
	world_end(&w);
}

/* The register interface: a0 to a7 in, a0 and a1 out, all others unchanged. */
static void ecalls(uint32_t xlen)
{
	const unsigned long top = ~0ul;
	unsigned long a[8] = { 3, 1, 0, 3, 0, 0, MATCH, PMUMAP_SBI_EID };
	struct world w;
	uint32_t i;

	test_now = "ecall";
	default_world(&w, xlen);
	pmumap_server_ecall(w.s, a);
	CHECK(a[0] == 0 && a[1] == 3);
	CHECK(a[2] == 0 && a[3] == 3 && a[6] == MATCH && a[7] == PMUMAP_SBI_EID);
	CHECK_EQ(set_of(&w, owned), 8);
	a[0] = 3, a[1] = 1, a[6] = MATCH;
	pmumap_server_ecall(w.s, a);
	CHECK(a[0] == (unsigned long)-2 && a[1] == 0);
	a[0] = 10, a[6] = INFO;
	pmumap_server_ecall(w.s, a);
	CHECK(a[0] == 0 && a[1] == (unsigned long)(1ull << (xlen - 1) | 63 << 12));
	/* RV32 ignores garbage above 32 bits; on RV64 it makes the function unknown. */
	a[0] = (top << 16 << 16) | 3, a[6] = (top << 16 << 16) | INFO;
	pmumap_server_ecall(w.s, a);
	if (xlen == 32 || sizeof(long) == 4)
		CHECK(a[0] == 0 && a[1] == (0xc03 | 39 << 12));
	else
		CHECK(a[0] == (unsigned long)NOT && a[1] == 0);
	/* A number whose lower bits are a function is unknown too. */
	for (i = 31; i < sizeof(long) * 8; i++) {
		a[0] = 3, a[6] = 1ul << i | INFO;
		pmumap_server_ecall(w.s, a);
		CHECK_EQ(a[0], i > 31 && xlen == 32 ? 0 : (unsigned long)NOT);
	}
	world_end(&w);
}

static int all_count(void *arg, uint32_t code, uint64_t data)
{
	(void)arg, (void)code, (void)data;
	return 1;
}

/* Files with different PMUMAP_SERVER_FW_COUNTERS: a state's length tells how many it has. */
static void other_lengths(uint32_t xlen)
{
	uint64_t number[6] = { 0 }, match[6] = { 0, 0, 4, 0xf0000, 0, 0 };
	uint32_t n;

	test_now = "the length of a state";
	for (n = 1; n <= 32; n++) {
		size_t bytes = sizeof(struct pmumap_server) -
			       PMUMAP_SERVER_FW_COUNTERS * sizeof(struct pmumap_server_fw) +
			       n * sizeof(struct pmumap_server_fw);
		struct pmumap_server *s = exact(bytes);
		struct pmumap_server_host host = { 0 };
		uint32_t i;

		host.counts = all_count;
		memset(s, 0x5a, bytes);
		s->map = NULL;
		s->pmu = NULL;
		s->host = &host;
		s->xlen = xlen;
		s->granted = 0;
		pmumap_server_init_sized(s, bytes);
		CHECK_EQ(pmumap_server_call(s, NUMBER, number).value, n);
		match[1] = 0xffffffffu >> (32 - n);
		for (i = 0; i < n; i++)
			CHECK_EQ(pmumap_server_call(s, MATCH, match).value, i);
		CHECK_EQ(pmumap_server_call(s, MATCH, match).error, NOT);
		match[1] = match[1] << 1 | 1;
		if (n < xlen)
			CHECK_EQ(pmumap_server_call(s, MATCH, match).error, BAD);
		pmumap_server_count(s, 0, 0);
		number[0] = n - 1;
		CHECK_EQ(pmumap_server_call(s, READ, number).value, 1);
		number[0] = n;
		CHECK_EQ(pmumap_server_call(s, READ, number).error, BAD);
		pmumap_server_reset(s);
		free(s);
	}
}

/*
 * Sets from each base, with 64 counters of which the upper half is firmware's: all that are left,
 * one more, and each alone. 32-bit machines shift in halves.
 */
static void all_sets(struct pmumap_server *s)
{
	static const uint64_t release[6] = { 0, ONES, 1 };
	uint64_t base, n, wrong = 0;

	for (base = 0; base < 64; base++) {
		const uint64_t rest[6] = { base, ONES >> base, 0, 0xf0000 };
		const uint64_t more[6] = { base, base ? 1ull << (64 - base) : 0, 0, 0xf0000 };

		wrong += pmumap_server_call(s, MATCH, rest).value != (base < 32 ? 32 : base);
		wrong += pmumap_server_call(s, MATCH, more).error != BAD;
		pmumap_server_call(s, STOP, release);
		for (n = base < 32 ? 32 : base; n < 64; n++) {
			const uint64_t one[6] = { base, 1ull << (n - base), 0, 0xf0000 };

			wrong += pmumap_server_call(s, MATCH, one).value != n;
		}
		pmumap_server_call(s, STOP, release);
	}
	CHECK_EQ(wrong, 0);
}

/* 64 counters: a mask of all of them has no room for others; each bit is one of them. */
static void all_numbers(void)
{
	static const uint64_t all[6] = { 0, ONES }, first[6] = { 0, 1 }, beyond[6] = { 1, ONES };
	static const uint64_t last[6] = { 63 }, none[6] = { 64 }, past[6] = { 64, 1 };
	struct pmumap_server_host host = { 0 };
	size_t bytes = sizeof(struct pmumap_server) -
		       PMUMAP_SERVER_FW_COUNTERS * sizeof(struct pmumap_server_fw) +
		       32 * sizeof(struct pmumap_server_fw);
	struct pmumap_server *s = exact(bytes);

	test_now = "R5 64 counters";
	test_input = "RV64";
	memset(s, 0, bytes);
	s->host = &host;
	s->xlen = 64;
	s->granted = 0x80000000u;
	pmumap_server_init_sized(s, bytes);
	CHECK_EQ(pmumap_server_call(s, NUMBER, first).value, 64);
	CHECK_EQ(pmumap_server_call(s, STOP, all).error, STOPPED);
	CHECK_EQ(pmumap_server_call(s, STOP, first).error, STOPPED);
	CHECK_EQ(pmumap_server_call(s, STOP, beyond).error, BAD);
	CHECK_EQ(pmumap_server_call(s, STOP, past).error, BAD);
	host.counts = all_count;
	all_sets(s);
	s->granted = 0x80000001u;
	pmumap_server_init_sized(s, bytes);
	CHECK_EQ(pmumap_server_call(s, INFO, last).error, 0);
	CHECK_EQ(pmumap_server_call(s, INFO, none).error, BAD);
	free(s);
}

/* ---- a host that fails or lies --------------------------------------------------------------- */

/* Memory that comes and goes, with arbitrary contents. */
static int lying_access(void *arg, uint64_t low, uint64_t high, void *data, uint64_t bytes,
			int write)
{
	uint64_t *word = data;

	(void)arg, (void)low, (void)high;
	for (; data && !write && bytes; bytes -= 8)
		*word++ = random64() >> random_below(64);
	return random_below(4) != 0;
}

static int lying_counts(void *arg, uint32_t code, uint64_t data)
{
	(void)arg, (void)code, (void)data;
	return random_below(4) != 0;
}

static int lying_set(void *arg, uint32_t counter, const struct pmumap_job *job)
{
	((struct fake *)arg)->refuse = (uint32_t)random64();
	return fake_set(arg, counter, job);
}

static uint64_t lying_read(void *arg, uint32_t counter)
{
	fake_at(arg, counter);
	return random64();
}

static int lying_overflowed(void *arg, uint32_t counter)
{
	fake_at(arg, counter);
	return random_below(2) != 0;
}

/*
 * Whatever the callbacks return: every call is answered, the state matches what each counter was
 * told, and a reset leaves none behind.
 */
static void liars(uint32_t xlen)
{
	uint32_t i, j, bad = 0;
	uint64_t a[6];
	struct world w;

	test_now = "a host that lies";
	default_world(&w, xlen);
	w.host.access = lying_access;
	w.host.counts = lying_counts;
	w.pmu.set = lying_set;
	w.pmu.read = lying_read;
	w.pmu.overflowed = lying_overflowed;
	for (i = 0; i < quick(200000, 20000); i++) {
		uint32_t function = random_below(9);
		struct pmumap_sbi_ret r;

		for (j = 0; j < 6; j++)
			a[j] = random64() >> (random_below(4) ? 58 : random_below(64));
		if (function == MATCH)
			a[3] = random_below(2) ? random_below(8) : 0xf0000 + random_below(6);
		if (function == SHARE)
			a[0] &= ~(uint64_t)4095;
		r = pmumap_server_call(w.s, function, a);
		pmumap_server_count(w.s, random_below(24), 0);
		bad += r.error > 0 || r.error < NO_SHMEM || w.fake.misuse ||
		       set_of(&w, owned) != (uint32_t)(w.s->configured & w.s->counters) ||
		       set_of(&w, runs) != (uint32_t)(w.s->started & w.s->counters) ||
		       (w.s->started & ~w.s->configured);
		if (i % 1000 == 999) {
			pmumap_server_reset(w.s);
			bad += set_of(&w, owned) || set_of(&w, runs) || w.s->configured;
		}
	}
	CHECK_EQ(bad, 0);
	world_end(&w);
}

/* ---- a callback that does not return, a state that moves ------------------------------------- */

static jmp_buf trapped;
static uint32_t accesses, trap_at;

static int trapping_access(void *arg, uint64_t low, uint64_t high, void *data, uint64_t bytes,
			   int write)
{
	if (++accesses == trap_at)
		longjmp(trapped, 1);
	return world_access(arg, low, high, data, bytes, write);
}

/* Returns 0 if access() was left by a jump, as from a trap handler. */
static int returns(struct world *w, uint32_t function, const uint64_t *a)
{
	if (setjmp(trapped))
		return 0;
	w->error = pmumap_server_call(w->s, function, a).error;
	return 1;
}

/* Calls that access guest memory, and the answer of the same call repeated. */
static const struct trapping {
	uint32_t function;
	uint64_t a[6];
	uint32_t starts; /* before */
	uint32_t runs;   /* counters 3 and 4 afterwards, as bits, and those that are configured */
	uint32_t owns;
	int error;
} trapping[] = {
	{ SHARE, { PAGE }, 0, 0, 0x18, 0 },
	{ EVENTS, { PAGE, 0, 0x40 }, 4, 0x18, 0x18, 0 },
	{ START, { 3, 3, 2 }, 0, 0x18, 0x18, STARTED },
	{ STOP, { 3, 3, 2 }, 4, 0, 0x18, STOPPED },
	{ STOP, { 3, 3, 3 }, 4, 0, 0, STOPPED },
};

/*
 * The state is consistent at each access: it knows what each counter does, and the guest can repeat
 * the call.
 */
static void traps(uint32_t xlen, const struct trapping *t)
{
	static const uint64_t share[6] = { PAGE };
	const uint64_t left = t->owns ? 0 : SBI_MODEL_GARBAGE; /* in counters that are free */
	uint32_t n, i, done = 0;

	test_now = "a callback that does not return";
	for (n = 1; !done; n++) {
		struct world w;

		default_world(&w, xlen);
		CHECK(pmumap_server_call(w.s, SHARE, share).error == 0);
		for (i = 3; i < 5; i++) {
			const uint64_t match[6] = { i, 1, t->starts, 3 };

			CHECK(pmumap_server_call(w.s, MATCH, match).error == 0);
		}
		for (i = 0; i < 0x40; i++) {
			poke(&w, 16 * i, ENTRY(3));
			poke(&w, 16 * i + 8, 1000 + i);
		}
		if (t->function == EVENTS)
			for (i = 0; i < 0x40; i++)
				poke(&w, 16 * i + 8, 0);
		w.host.access = trapping_access;
		accesses = 0;
		trap_at = n;
		done = (uint32_t)returns(&w, t->function, t->a);
		CHECK(!done || w.error == 0);
		CHECK_EQ(set_of(&w, owned), (uint32_t)(w.s->configured & w.s->counters));
		CHECK_EQ(set_of(&w, runs), (uint32_t)(w.s->started & w.s->counters));
		trap_at = 0;
		if (!done) {
			CHECK(returns(&w, t->function, t->a));
			CHECK(w.error == 0 || w.error == t->error);
		}
		CHECK_EQ(set_of(&w, runs), t->runs);
		CHECK_EQ(set_of(&w, owned), t->owns);
		CHECK(t->function != START || fake_at(&w.fake, 3)->value == 1000);
		CHECK(t->function != STOP || word_at(&w, 8) == (fake_at(&w.fake, 3)->value ^ left));
		CHECK(t->function != EVENTS || word_at(&w, 16 * 0x3f) == (1ull << 32 | 3));
		CHECK_EQ(w.fake.misuse, 0);
		world_end(&w);
	}
	CHECK(n > 2);
}

/* Callback number trap_at does not return: before or after doing its work. */
static int trap_after;

static void trap_here(int after)
{
	accesses += trap_after == after;
	if (trap_after == after && accesses == trap_at)
		longjmp(trapped, 1);
}

static int trapping_set(void *arg, uint32_t counter, const struct pmumap_job *job)
{
	int set;

	trap_here(0);
	set = fake_set(arg, counter, job);
	trap_here(1);
	return set;
}

static void trapping_start(void *arg, uint32_t counter, const uint64_t *value)
{
	trap_here(0);
	fake_start(arg, counter, value);
	trap_here(1);
}

static void trapping_stop(void *arg, uint32_t counter, int release)
{
	trap_here(0);
	fake_stop(arg, counter, release);
	trap_here(1);
}

/*
 * A call on counters 3 and 4 while counter 6 is running. The state of counter 6 stays right. After
 * init and release of the hart's counters, everything works.
 */
static int abandons(uint32_t xlen, uint32_t function, const uint64_t *a, uint32_t at)
{
	static const uint64_t match[3][6] = { { 3, 1, 4, 3 },
					      { 4, 1, 0, 3 },
					      { 6, 1, 4, 0x10019 } };
	struct world w;
	uint32_t i;
	int done;

	default_world(&w, xlen);
	for (i = function == MATCH ? 2 : 0; i < 3; i++)
		CHECK(pmumap_server_call(w.s, MATCH, match[i]).error == 0);
	w.pmu.set = trapping_set;
	w.pmu.start = trapping_start;
	w.pmu.stop = trapping_stop;
	accesses = 0;
	trap_at = at;
	done = returns(&w, function, a);
	trap_at = 0;
	CHECK((w.s->configured >> 6 & 1) && (w.s->started >> 6 & 1));
	CHECK((set_of(&w, owned) >> 6 & 1) && (set_of(&w, runs) >> 6 & 1));
	pmumap_server_init(w.s);
	for (i = 3; i < 8; i++)
		if (w.fake.counter[i].owned)
			fake_stop(&w.fake, i, 1);
	w.fake.misuse = 0;
	for (i = 0; i < 3; i++)
		CHECK(pmumap_server_call(w.s, MATCH, match[i]).error == 0);
	CHECK_EQ(set_of(&w, owned), 0x58);
	CHECK_EQ(set_of(&w, runs), 0x48);
	CHECK_EQ(w.fake.misuse, 0);
	world_end(&w);
	return done;
}

static void abandoned(uint32_t xlen)
{
	static const struct {
		uint32_t function;
		uint64_t a[6];
	} calls[] = {
		{ MATCH, { 3, 3, 6, 3 } },
		{ START, { 3, 3, 1, 5 } },
		{ STOP, { 3, 3, 0 } },
		{ STOP, { 3, 3, 1 } },
	};
	uint32_t i, at;

	test_now = "a callback that does not return";
	for (trap_after = 0; trap_after < 2; trap_after++)
		for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
			for (at = 1; !abandons(xlen, calls[i].function, calls[i].a, at); at++)
				;
			CHECK(at > 1);
		}
}

/* A suspended guest continues elsewhere with a copy of its state. */
static void moves(uint32_t xlen)
{
	static const uint64_t share[6] = { PAGE }, stop[6] = { 3, 1, 2 }, read[6] = { 10 };
	static const uint64_t match[6] = { 3, 1, 4, 3 }, timer[6] = { 10, 1, 4, 0xf0005 };
	struct pmumap_server copy;
	struct world w;

	test_now = "a guest that moves";
	default_world(&w, xlen);
	CHECK(!world_call(&w, SHARE, share) && w.error == 0);
	CHECK(!world_call(&w, MATCH, match) && w.error == 0);
	CHECK(!world_call(&w, MATCH, timer) && w.error == 0);
	copy = *w.s;
	memset(w.s, 0x5a, sizeof(*w.s));
	copy.map = NULL;
	copy.pmu = NULL;
	copy.host = NULL;
	*w.s = copy;
	w.s->map = w.map;
	w.s->pmu = &w.pmu;
	w.s->host = &w.host;
	CHECK(!world_call(&w, READ, read) && w.error == 0);
	CHECK(!world_call(&w, STOP, stop) && w.error == 0);
	CHECK_EQ(set_of(&w, runs), 0);
	world_end(&w);
}

static void size(void)
{
	test_now = "the size of the state";
	CHECK(sizeof(struct pmumap_server) <= 416);
	printf("struct pmumap_server: %u bytes\n", (unsigned)sizeof(struct pmumap_server));
}

int main(void)
{
	static const uint32_t xlens[] = { 64, 32 };
	const struct trapping *t;
	size_t i;

	for (i = 0; i < 2; i++) {
		tables(xlens[i]);
		ask(xlens[i]);
		reserved_data(xlens[i]);
		other_hart(xlens[i]);
		memory_is_lost(xlens[i]);
		value_is_refused(xlens[i]);
		memory_at_0(xlens[i]);
		many_entries(xlens[i]);
		wrapping(xlens[i]);
		init_is_enough(xlens[i], 0);
		init_is_enough(xlens[i], 0xff);
		init_is_enough(xlens[i], 0xa5);
		init_is_enough(xlens[i], 1);
		reset(xlens[i]);
		nothing_below(xlens[i]);
		ecalls(xlens[i]);
		other_lengths(xlens[i]);
		liars(xlens[i]);
		for (t = trapping; t < trapping + sizeof(trapping) / sizeof(*trapping); t++)
			traps(xlens[i], t);
		abandoned(xlens[i]);
		moves(xlens[i]);
	}
	carry();
	all_numbers();
	events_of_calls();
	copies();
	size();
	return test_summary();
}
