/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The SBI PMU server, rule by rule: the answers of this table and, after every call, the model's.
 * Counters of the test's server: hardware 0 to 9 without 1, 7 and 8; firmware 10 to 25.
 */
#include <setjmp.h>

#include "sbi_support.h"

#define ONES (~0ull)
#define ONES32 0xffffffffu
#define TOP ONES /* value: the highest bit of the guest's registers, and of 64 bits */
#define ALL 0x3ffffffu
#define BAD PMUMAP_SBI_INVALID_PARAM
#define NOT PMUMAP_SBI_NOT_SUPPORTED
#define ADDRESS PMUMAP_SBI_INVALID_ADDRESS
#define STARTED PMUMAP_SBI_ALREADY_STARTED
#define STOPPED PMUMAP_SBI_ALREADY_STOPPED
#define NO_SHMEM PMUMAP_SBI_NO_SHMEM
#define BOTH (PMUMAP_SSCOFPMF | PMUMAP_SMCNTRPMF)
#define PAGE NEAR_LOW
#define ENTRY(event) (0xeeeeeeee00000000u | (event)) /* word 0: the event, and an old result */

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
	VALUE = 0x1000, /* of a hardware counter; its configuration */
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

/*
 * A row with a rule starts the server of default_world() anew; rows without one continue that case.
 * Names begin with a rule of the specification (R1 NUM_COUNTERS to R9 other functions), or with that
 * of a deliberate deviation in the manual of pmumap_server.h.
 */
static const struct row rules[] = {
	{ "R1 the highest granted counter + 1, and 16 of firmware", NUMBER, { 0 }, 0, 26, 0 },
	{ "R1 without hardware, firmware's numbers begin at 0", GRANTED, { 0 }, 0, 0, 0 },
	{ NULL, NUMBER, { 0 }, 0, 16, 0 },
	{ NULL, INFO, { 0 }, 0, TOP, 0 },
	{ NULL, INFO, { 15 }, 0, TOP, 0 },
	{ NULL, INFO, { 16 }, BAD, 0, 0 },
	{ "R2 mcycle has 64 bits", INFO, { 0 }, 0, 0xc00 | 63 << 12, 0 },
	{ "R2 minstret has 64 bits", INFO, { 2 }, 0, 0xc02 | 63 << 12, 0 },
	{ "R2 programmable counters have as many as set", INFO, { 9 }, 0, 0xc09 | 39 << 12, 0 },
	{ "R2 programmable counters may have 1 bit", WIDTH, { 1 }, 0, 0, 0 },
	{ NULL, INFO, { 3 }, 0, 0xc03, 0 },
	{ "R2 time is a hole", INFO, { 1 }, BAD, 0, 0 },
	{ "R2 a counter that is not granted is a hole", INFO, { 8 }, BAD, 0, 0 },
	{ "R2 the first firmware counter", INFO, { 10 }, 0, TOP, 0 },
	{ "R2 a number beyond the last", INFO, { 26 }, BAD, 0, 0 },
	{ "R2 a number does not wrap at 32 bits", INFO, { 0x100000003u }, BAD, 0, 64 },
	{ "D6 firmware counters have 64 bits", INFO, { 10 }, 0, 1ull << 63 | 63 << 12, 64 },
	{ "D6 firmware counters have 64 bits", INFO, { 10 }, 0, 1u << 31 | 63 << 12, 32 },
	{ "R9 the function after the last", EVENTS + 1, { 0 }, NOT, 0, 0 },

	/* CONFIG_MATCHING: arguments */
	{ "R3 an event of 21 bits", MATCH, { 0, ALL, 0, 0x100003 }, BAD, 0, 0 },
	{ "R3 an event of 33 bits", MATCH, { 0, ALL, 0, 1ull << 32 | 3 }, BAD, 0, 64 },
	{ "D9 data of a general event", MATCH, { 0, ALL, 0, 3, 1 }, BAD, 0, 0 },
	{ "D9 data of a cache event", MATCH, { 0, ALL, 0, 0x10019, 1ull << 63 }, BAD, 0, 0 },
	{ "D9 data of a firmware event", MATCH, { 0, ALL, 0, 0xf0005, 1 }, BAD, 0, 0 },
	{ "R3 a set begins at its base", MATCH, { 4, 1, 0, 3 }, 0, 4, 0 },
	{ "R3 a set may have only the last number", MATCH, { 25, 1, 0, 0xf0000 }, 0, 25, 0 },
	{ "D1 holes are passed over", MATCH, { 7, 7, 0, 7 }, 0, 9, 0 },
	{ "D1 a set of holes", MATCH, { 7, 3, 0, 7 }, NOT, 0, 0 },

	/* CONFIG_MATCHING: the choice */
	{ "R3 an event gets its lowest free counter", MATCH, { 0, ALL, 0, 3 }, 0, 3, 0 },
	{ NULL, CODE, { 3 }, 0, 3, 0 },
	{ NULL, SELECTOR, { 3 }, 0, 0x33, 0 },
	{ NULL, INHIBIT, { 3 }, 0, PMUMAP_INHIBIT_M, 0 },
	{ "R3 a counter that runs or was stopped is not free", MATCH, { 0, ALL, 4, 3 }, 0, 3, 0 },
	{ NULL, MATCH, { 0, ALL, 4, 3 }, 0, 4, 0 },
	{ NULL, STOP, { 3, 1, 0 }, 0, 0, 0 },
	{ NULL, MATCH, { 0, ALL, 0, 3 }, NOT, 0, 0 },
	{ "R3 no selector, no counter", MATCH, { 0, ALL, 0, 5 }, NOT, 0, 0 },
	{ "R3 some of its counters are granted", MATCH, { 0, ALL, 0, 7 }, 0, 5, 0 },
	{ NULL, MATCH, { 0, ALL, 0, 7 }, 0, 9, 0 },
	{ "R3 no event", MATCH, { 0, ALL, 0, 0 }, NOT, 0, 0 },
	{ "R3 a selector of more than 32 bits", MATCH, { 0, ALL, 0, 0x10019 }, 0, 6, 0 },
	{ NULL, SELECTOR, { 6 }, 0, 0x1900000019, 0 },
	{ "R3 a type that SBI lacks, with a row", MATCH, { 0, ALL, 0, 0x40005, 1 }, NOT, 0, 0 },
	{ "R3 event 1 has mcycle, without a selector", MATCH, { 0, ALL, 0, 1 }, 0, 0, 0 },
	{ NULL, MATCH, { 0, ALL, 0, 1 }, NOT, 0, 0 },
	{ "R3 event 2 has minstret, then others", MATCH, { 0, ALL, 0, 2 }, 0, 2, 0 },
	{ NULL, MATCH, { 0, ALL, 0, 2 }, 0, 4, 0 },
	{ NULL, SELECTOR, { 4 }, 0, 0x22, 0 },
	{ "R3 Sscofpmf: never a counter without filter", FEATURES, { PMUMAP_SSCOFPMF }, 0, 0, 0 },
	{ NULL, MATCH, { 0, ALL, 0, 2 }, 0, 4, 0 },
	{ NULL, MATCH, { 0, ALL, 0, 2 }, 0, 5, 0 },
	{ NULL, MATCH, { 0, ALL, 0, 2 }, NOT, 0, 0 },
	{ "R3 Sscofpmf: Linux skips to the fixed ones", FEATURES, { PMUMAP_SSCOFPMF }, 0, 0, 0 },
	{ NULL, MATCH, { 2, 1, 1, 2 }, 0, 2, 0 },
	{ NULL, MATCH, { 0, 1, 1, 2 }, NOT, 0, 0 },
	{ NULL, MATCH, { 0, 1, 1, 1 }, 0, 0, 0 },
	{ "R3 modes are ignored where nothing filters", MATCH, { 0, ALL, 0xf8, 1 }, 0, 0, 0 },
	{ "R3 the host's filter bars fixed counters", FEATURES, { PMUMAP_MUST_FILTER }, 0, 0, 0 },
	{ NULL, MATCH, { 0, ALL, 0, 1 }, NOT, 0, 0 },
	{ NULL, MATCH, { 0, ALL, 0, 2 }, 0, 4, 0 },
	{ NULL, MATCH, { 2, 1, 1, 2 }, NOT, 0, 0 },
	{ "R3 codes select where no event has a selector", RULE, { PMUMAP_RULE_ABSENT }, 0, 0, 0 },
	{ NULL, MATCH, { 0, ALL, 0, 5 }, NOT, 0, 0 },
	{ "R3 codes select where an event has none", RULE, { PMUMAP_RULE_ALWAYS }, 0, 0, 0 },
	{ NULL, MATCH, { 0, ALL, 0, 5 }, 0, 5, 0 },
	{ NULL, SELECTOR, { 5 }, 0, 5, 0 },
	{ "R3 a raw event", MATCH, { 0, ALL, 0, 0x20000, 0x1ff }, 0, 5, 0 },
	{ NULL, SELECTOR, { 5 }, 0, 0x1ff, 0 },
	{ NULL, DATA, { 5 }, 0, 0x1ff, 0 },
	{ "R3 a raw event may be 0", MATCH, { 0, ALL, 0, 0x20000, 0 }, 0, 6, 0 },
	{ NULL, SELECTOR, { 6 }, 0, 0, 0 },
	{ "R3 raw data has 64 bits on RV32", MATCH, { 0, ALL, 0, 0x30000, 0x7700000077 }, 0, 9, 0 },
	{ NULL, SELECTOR, { 9 }, 0, 0x7700000077, 0 },
	{ "D9 raw data is cut to 48 bits",
	  MATCH,
	  { 0, ALL, 0, 0x20000, 0xffff0000000001ff },
	  0,
	  5,
	  0 },
	{ NULL, SELECTOR, { 5 }, 0, 0x1ff, 0 },
	{ NULL, MATCH, { 0, ALL, 0, 0x20000, 0x8000000001ff }, NOT, 0, 0 },
	{ "D9 raw v2 is cut to 56 bits",
	  MATCH,
	  { 0, ALL, 0, 0x30000, 0xff000000000001ff },
	  0,
	  5,
	  0 },
	{ NULL, SELECTOR, { 5 }, 0, 0x1ff, 0 },
	{ NULL, MATCH, { 0, ALL, 0, 0x30000, 0x10000000001ff }, NOT, 0, 0 },
	{ "R3 a counter below refuses: nothing changes", REFUSE, { 8 }, 0, 0, 0 },
	{ NULL, MATCH, { 0, ALL, 6, 3 }, NOT, 0, 0 },
	{ NULL, START, { 3, 1, 0 }, BAD, 0, 0 },
	{ NULL, MATCH, { 4, 1, 0, 3 }, 0, 4, 0 },

	/* CONFIG_MATCHING with SKIP_MATCH */
	{ "R3 skipping to a counter never configured", MATCH, { 4, 3, 1, 3 }, BAD, 0, 0 },
	{ "R3 skipping gives a counter another event", MATCH, { 3, 1, 0, 3 }, 0, 3, 0 },
	{ NULL, MATCH, { 3, 1, 1, 4 }, 0, 3, 0 },
	{ NULL, CODE, { 3 }, 0, 4, 0 },
	{ "R3 skipping leaves a running counter alone", MATCH, { 3, 1, 0, 4 }, 0, 3, 0 },
	{ NULL, START, { 3, 1, 1, 70 }, 0, 0, 0 },
	{ NULL, MATCH, { 3, 1, 1, 3 }, NOT, 0, 0 },
	{ NULL, MATCH, { 3, 1, 3, 4 }, NOT, 0, 0 },
	{ NULL, MATCH, { 3, 1, 5, 3 }, NOT, 0, 0 },
	{ NULL, MATCH, { 3, 1, 0xff, 3 }, NOT, 0, 0 },
	{ NULL, MATCH, { 3, 3, 1, 3 }, NOT, 0, 0 },
	{ NULL, MATCH, { 3, 1, 1, 7 }, NOT, 0, 0 },
	{ "D4 an event that this counter cannot count", MATCH, { 3, 1, 0, 3 }, 0, 3, 0 },
	{ NULL, MATCH, { 3, 1, 1, 7 }, NOT, 0, 0 },
	{ NULL, CODE, { 3 }, 0, 3, 0 },
	{ NULL, MATCH, { 3, 1, 1, 0x40005 }, NOT, 0, 0 },
	{ NULL, MATCH, { 3, 1, 3, 0xf0000 }, NOT, 0, 0 },
	{ "D1 skipping to a hole", MATCH, { 7, 7, 1, 7 }, BAD, 0, 0 },
	{ "R3 skipping to firmware's keeps the value", MATCH, { 12, 1, 4, 0xf0002 }, 0, 12, 0 },
	{ NULL, COUNT, { 2 }, 0, 0, 0 },
	{ NULL, STOP, { 12, 1, 0 }, 0, 0, 0 },
	{ NULL, MATCH, { 12, 3, 1, 0xf0001 }, 0, 12, 0 },
	{ NULL, COUNT, { 1 }, 0, 0, 0 },
	{ NULL, READ, { 12 }, 0, 1, 0 },
	{ "R3 skipping to firmware's with CLEAR_VALUE", MATCH, { 12, 1, 4, 0xf0002 }, 0, 12, 0 },
	{ NULL, COUNT, { 2 }, 0, 0, 0 },
	{ NULL, STOP, { 12, 1, 0 }, 0, 0, 0 },
	{ NULL, MATCH, { 12, 1, 3, 0xf0002 }, 0, 12, 0 },
	{ NULL, READ, { 12 }, 0, 0, 0 },

	/* counters that belong to S-mode */
	{ "R2 delegated counters are holes", DELEGATED, { 0x14 }, 0, 0, 0 },
	{ NULL, NUMBER, { 0 }, 0, 26, 0 },
	{ NULL, INFO, { 2 }, BAD, 0, 0 },
	{ NULL, INFO, { 4 }, BAD, 0, 0 },
	{ NULL, INFO, { 3 }, 0, 0xc03 | 39 << 12, 0 },
	{ NULL, INFO, { 10 }, 0, TOP, 0 },

	/* CONFIG_MATCHING: modes and values */
	{ "R3 VU is inhibited, with the host's modes", MATCH, { 3, 1, 8, 3 }, 0, 3, 0 },
	{ NULL, INHIBIT, { 3 }, 0, 16 | PMUMAP_INHIBIT_VU, 0 },
	{ "R3 M is inhibited", MODES, { 0 }, 0, 0, 0 },
	{ NULL, MATCH, { 3, 1, 0x80, 3 }, 0, 3, 0 },
	{ NULL, INHIBIT, { 3 }, 0, PMUMAP_INHIBIT_M, 0 },
	{ "R3 a virtual guest's U is VU, its S is VS", VIRTUAL, { 1 }, 0, 0, 0 },
	{ NULL, MATCH, { 3, 1, 0x20, 3 }, 0, 3, 0 },
	{ NULL, INHIBIT, { 3 }, 0, 16 | PMUMAP_INHIBIT_VU, 0 },
	{ NULL, MATCH, { 3, 1, 1 | 0x40, 3 }, 0, 3, 0 },
	{ NULL, INHIBIT, { 3 }, 0, 16 | PMUMAP_INHIBIT_VS, 0 },
	{ "R3 AUTO_START alone: the value stays", PUT, { 3, 77 }, 0, 0, 0 },
	{ NULL, MATCH, { 0, ALL, PMUMAP_SBI_AUTO_START, 3 }, 0, 3, 0 },
	{ NULL, VALUE, { 3 }, 0, 77, 0 },
	{ "R3 CLEAR_VALUE alone does not start", MATCH, { 0, ALL, 2, 3 }, 0, 3, 0 },
	{ NULL, VALUE, { 3 }, 0, 0, 0 },
	{ "R3 CLEAR_VALUE and AUTO_START", MATCH, { 5, 1, 6, 7 }, 0, 5, 0 },
	{ NULL, TICK, { 5 }, 0, 0, 0 },
	{ NULL, VALUE, { 5 }, 0, 5, 0 },

	/* firmware events */
	{ "R3 firmware gets the lowest of the set", MATCH, { 0, ALL, 0, 0xf0000 }, 0, 10, 0 },
	{ NULL, MATCH, { 0, ALL, 0, 0xf0015 }, 0, 11, 0 },
	{ NULL, MATCH, { 20, 0x22, 0, 0xf0000 }, 0, 21, 0 },
	{ "R3 no hardware counter counts them", MATCH, { 0, 0x3ff, 0, 0xf0000 }, NOT, 0, 0 },
	{ "R3 a firmware event that the host lacks", MATCH, { 0, ALL, 0, 0xf0003 }, NOT, 0, 0 },
	{ "R3 the platform's data has 64 bits", MATCH, { 0, ALL, 0, 0xfffff, 1 }, 0, 10, 0 },
	{ NULL, MATCH, { 0, ALL, 0, 0xfffff, 2 }, NOT, 0, 0 },
	{ NULL, MATCH, { 0, ALL, 0, 0xfffff, 1ull << 62 }, 0, 11, 0 },
	{ NULL, MATCH, { 0, ALL, 0, 0xfffff, 1ull << 63 }, NOT, 0, 0 },
	{ "R6 only started counters count their event", MATCH, { 10, 1, 0, 0xf0000 }, 0, 10, 0 },
	{ NULL, COUNT, { 0 }, 0, 0, 0 },
	{ NULL, READ, { 10 }, 0, 0, 0 },
	{ NULL, START, { 10, 1, 0 }, 0, 0, 0 },
	{ NULL, COUNT, { 0, 5 }, 0, 0, 0 },
	{ "R6 a released counter restarts at 0", MATCH, { 10, 1, 4, 0xf0001 }, 0, 10, 0 },
	{ NULL, COUNT, { 1 }, 0, 0, 0 },
	{ NULL, STOP, { 10, 1, PMUMAP_SBI_RESET }, 0, 0, 0 },
	{ NULL, READ, { 10 }, BAD, 0, 0 },
	{ "R3 a host without counts() counts nothing", NO_COUNTS, { 0 }, 0, 0, 0 },
	{ NULL, MATCH, { 0, ALL, 0, 0xfffff, 4 }, NOT, 0, 0 },
	{ NULL, MATCH, { 0, ALL, 0, 0xf0000 }, NOT, 0, 0 },
	{ "R3 no host counts nothing, and shares nothing", NO_HOST, { 0 }, 0, 0, 0 },
	{ NULL, MATCH, { 0, ALL, 0, 0xf0000 }, NOT, 0, 0 },
	{ NULL, SHARE, { PAGE, 0, 0 }, NOT, 0, 0 },
	{ NULL, EVENTS, { PAGE, 0, 0, 0 }, NOT, 0, 0 },

	/* START */
	{ "R4 both flags", START, { 3, 1, 3 }, BAD, 0, 0 },
	{ "R4 the value is used only with its flag", PUT, { 3, 1000 }, 0, 0, 0 },
	{ NULL, MATCH, { 3, 1, 0, 3 }, 0, 3, 0 },
	{ NULL, START, { 3, 1, 0, 5 }, 0, 0, 0 },
	{ NULL, VALUE, { 3 }, 0, 1000, 0 },
	{ "R4 a hole in the set: none starts", MATCH, { 0, 1, 0, 1 }, 0, 0, 0 },
	{ NULL, START, { 0, 3, 0 }, BAD, 0, 0 },
	{ "R4 one not configured in the set: none starts", MATCH, { 3, 1, 0, 3 }, 0, 3, 0 },
	{ NULL, START, { 3, 3, 0 }, BAD, 0, 0 },
	{ NULL, START, { 3, 1, 0 }, 0, 0, 0 },
	{ NULL, START, { 3, 3, 0 }, BAD, 0, 0 },
	{ "R4 firmware starts at a value of 64 bits", MATCH, { 15, 1, 0, 0xf0000 }, 0, 15, 0 },
	{ NULL, START, { 15, 1, 1, 0x4ffffffff }, 0, 0, 0 },
	{ NULL, START, { 15, 1, 1, 3 }, STARTED, 0, 0 },
	{ NULL, READ, { 15 }, 0, 0x4ffffffff, 64 },
	{ NULL, READ_HI, { 15 }, 0, 0, 64 },
	{ NULL, READ, { 15 }, 0, 0xffffffff, 32 },
	{ NULL, READ_HI, { 15 }, 0, 4, 32 },
	{ "R6 a hardware counter is not read", MATCH, { 3, 1, 0, 3 }, 0, 3, 0 },
	{ NULL, READ, { 3 }, BAD, 0, 0 },
	{ NULL, READ_HI, { 3 }, BAD, 0, 0 },
	{ "R6 a number does not wrap at 32 bits", MATCH, { 15, 1, 0, 0xf0000 }, 0, 15, 64 },
	{ NULL, READ, { 1ull << 32 | 15 }, BAD, 0, 64 },
	{ NULL, READ_HI, { 1ull << 32 | 15 }, BAD, 0, 64 },

	/* STOP */
	{ "R5 a counter stops once, and stays configured", MATCH, { 3, 1, 4, 3 }, 0, 3, 0 },
	{ NULL, STOP, { 3, 1, 0 }, 0, 0, 0 },
	{ NULL, STOP, { 3, 1, 0 }, STOPPED, 0, 0 },
	{ "D2 STOP of a hole", STOP, { 7, 1, 0 }, STOPPED, 0, 0 },
	{ "D2 STOP of a counter that is not configured", STOP, { 6, 1, 1 }, STOPPED, 0, 0 },
	{ "D2 STOP of all with RESET", MATCH, { 3, 1, 4, 3 }, 0, 3, 0 },
	{ NULL, MATCH, { 0, 1, 4, 1 }, 0, 0, 0 },
	{ NULL, STOP, { 0, ALL, 1 }, STOPPED, 0, 0 },

	/* SNAPSHOT_SET_SHMEM */
	{ "R7 a flag", SHARE, { PAGE, 0, 1 }, BAD, 0, 0 },
	{ "R7 clearing nothing", SHARE, { ONES, ONES, 0 }, 0, 0, 0 },
	{ "R7 all ones of RV32 are no address there", SHARE, { ONES32, ONES32, 0 }, 0, 0, 32 },
	{ "R7 all ones of RV32 are not aligned on RV64", SHARE, { ONES32, ONES32, 0 }, BAD, 0, 64 },
	{ "R7 memory that is not the guest's", SHARE, { 0, 0, 0 }, ADDRESS, 0, 0 },
	{ "R7 the page behind the guest's", SHARE, { PAGE + 0x2000, 0, 0 }, ADDRESS, 0, 0 },
	{ "R7 an address has two registers", SHARE, { FAR_LOW, FAR_HIGH, 0 }, 0, 0, 0 },
	{ "R7 no snapshot before it is shared", STOP, { 3, 1, 2 }, NO_SHMEM, 0, 0 },
	{ NULL, STOP, { 3, 1, 3 }, NO_SHMEM, 0, 0 },
	{ NULL, START, { 3, 1, 2 }, NO_SHMEM, 0, 0 },
	{ "R7 a reset ends it", SHARE, { PAGE, 0, 0 }, 0, 0, 0 },
	{ NULL, RESET, { 0 }, 0, 0, 0 },
	{ NULL, START, { 3, 1, 2 }, NO_SHMEM, 0, 0 },
	{ "R7 after an error the old page stays", SHARE, { PAGE, 0, 0 }, 0, 0, 0 },
	{ NULL, SHARE, { 0x1000, 0, 0 }, ADDRESS, 0, 0 },
	{ NULL, SHARE, { PAGE + 8, 0, 0 }, BAD, 0, 0 },
	{ NULL, SHARE, { PAGE + 0x1000, 0, 2 }, BAD, 0, 0 },
	{ NULL, MATCH, { 14, 1, 4, 0xf0001 }, 0, 14, 0 },
	{ NULL, COUNT, { 1 }, 0, 0, 0 },
	{ NULL, STOP, { 14, 1, 2 }, 0, 0, 0 },
	{ NULL, WORD, { 8 }, 0, 1, 0 },
	{ "R7 a host without access() shares nothing", NO_MEMORY, { 0 }, 0, 0, 0 },
	{ NULL, SHARE, { PAGE + 1, 0, 1 }, NOT, 0, 0 },
	{ NULL, SHARE, { ONES, ONES, 0 }, NOT, 0, 0 },
	{ NULL, EVENTS, { PAGE + 1, 0, 0, 1 }, NOT, 0, 0 },

	/* snapshots */
	{ "R5 a snapshot goes by the bits of the mask", FEATURES, { PMUMAP_SSCOFPMF }, 0, 0, 0 },
	{ NULL, SHARE, { PAGE, 0, 0 }, 0, 0, 0 },
	{ NULL, MATCH, { 3, 1, 4, 3 }, 0, 3, 0 },
	{ NULL, MATCH, { 15, 1, 6, 0xf0000 }, 0, 15, 0 },
	{ NULL, MATCH, { 5, 1, 0, 7 }, 0, 5, 0 },
	{ NULL, COUNT, { 0 }, 0, 0, 0 },
	{ NULL, STOP, { 3, 1, 0 }, 0, 0, 0 },
	{ NULL, START, { 3, 1, 1, 100 }, 0, 0, 0 },
	{ NULL, POKE, { 0, 0xffffffffffffefffu }, 0, 0, 0 },
	{ NULL, POKE, { 24, 0x77 }, 0, 0, 0 },
	{ NULL, STOP, { 2, 1 << 1 | 1 << 2 | 1 << 3 | 1 << 13, 2 }, STOPPED, 0, 0 },
	{ NULL, WORD, { 8 + 8 * 1 }, 0, 103, 0 },
	{ NULL, WORD, { 8 + 8 * 13 }, 0, 1, 0 },
	{ NULL, WORD, { 8 + 8 * 2 }, 0, 0x77, 0 },
	{ NULL, WORD, { 0 }, 0, 0xffffffffffffcff5u, 0 },
	{ "R5 an overflow sets its bit", FEATURES, { PMUMAP_CAN_INTERRUPT }, 0, 0, 0 },
	{ NULL, SHARE, { PAGE, 0, 0 }, 0, 0, 0 },
	{ NULL, MATCH, { 0, 1, 0, 1 }, 0, 0, 0 },
	{ NULL, START, { 0, 1, 1, 0xfffffffffffffff0u }, 0, 0, 0 },
	{ NULL, TICK, { 0x20 }, 0, 0, 0 },
	{ NULL, POKE, { 0, 8 }, 0, 0, 0 },
	{ NULL, STOP, { 0, 1, 2 }, 0, 0, 0 },
	{ NULL, WORD, { 0 }, 0, 9, 0 },
	{ NULL, WORD, { 8 }, 0, 0x13, 0 },
	{ "R5 a STOP without snapshot leaves memory alone", SHARE, { PAGE, 0, 0 }, 0, 0, 0 },
	{ NULL, MATCH, { 3, 1, 4, 3 }, 0, 3, 0 },
	{ NULL, POKE, { 0, ONES }, 0, 0, 0 },
	{ NULL, STOP, { 3, 1, 0 }, 0, 0, 0 },
	{ NULL, WORD, { 0 }, 0, ONES, 0 },
	{ "R4 counters start from the snapshot", SHARE, { PAGE, 0, 0 }, 0, 0, 0 },
	{ NULL, MATCH, { 3, 1, 0, 3 }, 0, 3, 0 },
	{ NULL, MATCH, { 14, 1, 0, 0xf0001 }, 0, 14, 0 },
	{ NULL, POKE, { 8 + 8 * 2, 0x123456789abcdef0u }, 0, 0, 0 },
	{ NULL, START, { 1, 4, 2, 5 }, 0, 0, 0 },
	{ NULL, VALUE, { 3 }, 0, 0x123456789abcdef0u, 0 },
	{ "D7 START from memory that is lost", SHARE, { PAGE, 0, 0 }, 0, 0, 0 },
	{ NULL, MATCH, { 3, 1, 0, 3 }, 0, 3, 0 },
	{ NULL, MATCH, { 15, 1, 0, 0xf0000 }, 0, 15, 0 },
	{ NULL, LOSE, { 0 }, 0, 0, 0 },
	{ NULL, START, { 3, 1, 2 }, NO_SHMEM, 0, 0 },
	{ NULL, START, { 15, 1, 2 }, NO_SHMEM, 0, 0 },
	{ NULL, START, { 3, 3, 2 }, BAD, 0, 0 },
	{ NULL, START, { 3, 1, 0 }, 0, 0, 0 },
	{ "D7 STOP to memory that is lost", SHARE, { PAGE, 0, 0 }, 0, 0, 0 },
	{ NULL, MATCH, { 3, 1, 4, 3 }, 0, 3, 0 },
	{ NULL, LOSE, { 0 }, 0, 0, 0 },
	{ NULL, STOP, { 3, 1, 2 }, NO_SHMEM, 0, 0 },
	{ NULL, STOP, { 3, 1, 3 }, NO_SHMEM, 0, 0 },
	{ NULL, EVENTS, { PAGE, 0, 1, 0 }, ADDRESS, 0, 0 },
	{ NULL, SHARE, { PAGE, 0, 0 }, ADDRESS, 0, 0 },
	{ NULL, SHARE, { ONES, ONES, 0 }, 0, 0, 0 },

	/* EVENT_GET_INFO */
	{ "R8 a flag", EVENTS, { PAGE, 0, 1, 1 }, BAD, 0, 0 },
	{ "R8 no entry, not aligned", EVENTS, { PAGE + 8, 0, 0, 0 }, BAD, 0, 0 },
	{ "R8 memory that is not the guest's", EVENTS, { 0, 0, 1, 0 }, ADDRESS, 0, 0 },
	{ "R8 one entry more than its memory holds", EVENTS, { PAGE, 0, 0x201, 0 }, ADDRESS, 0, 0 },
	{ "R8 an address has two registers",
	  EVENTS,
	  { FAR_LOW, FAR_HIGH, 0x101, 0 },
	  ADDRESS,
	  0,
	  0 },
	{ "R8 an event is known while its counters are busy", MATCH, { 0, ALL, 4, 3 }, 0, 3, 0 },
	{ NULL, MATCH, { 0, ALL, 4, 3 }, 0, 4, 0 },
	{ NULL, POKE, { 0, ENTRY(3) }, 0, 0, 0 },
	{ NULL, POKE, { 8, 0 }, 0, 0, 0 },
	{ NULL, EVENTS, { PAGE, 0, 1, 0 }, 0, 0, 0 },
	{ NULL, WORD, { 0 }, 0, 1ull << 32 | 3, 0 },
	{ "R8 an event of 21 bits ends the call", POKE, { 0, ENTRY(3) }, 0, 0, 0 },
	{ NULL, POKE, { 8, ONES }, 0, 0, 0 },
	{ NULL, POKE, { 16, ENTRY(0x100003) }, 0, 0, 0 },
	{ NULL, POKE, { 32, ENTRY(3) }, 0, 0, 0 },
	{ NULL, EVENTS, { PAGE, 0, 3, 0 }, BAD, 0, 0 },
	{ NULL, WORD, { 0 }, 0, 1ull << 32 | 3, 0 },
	{ NULL, WORD, { 16 }, 0, ENTRY(0x100003), 0 },
	{ NULL, WORD, { 32 }, 0, ENTRY(3), 0 },
	{ "D9 a firmware event with data is not known", POKE, { 0, ENTRY(0xf0000) }, 0, 0, 0 },
	{ NULL, POKE, { 8, 1ull << 32 }, 0, 0, 0 },
	{ NULL, EVENTS, { PAGE, 0, 1, 0 }, 0, 0, 0 },
	{ NULL, WORD, { 0 }, 0, 0xf0000, 0 },
	{ "D5 types that SBI lacks are answered with 0", POKE, { 0, ENTRY(0x40005) }, 0, 0, 0 },
	{ NULL, POKE, { 16, ENTRY(0xe0000) }, 0, 0, 0 },
	{ NULL, POKE, { 32, ENTRY(3) }, 0, 0, 0 },
	{ NULL, EVENTS, { PAGE, 0, 3, 0 }, 0, 0, 0 },
	{ NULL, WORD, { 0 }, 0, 0x40005, 0 },
	{ NULL, WORD, { 16 }, 0, 0xe0000, 0 },
	{ NULL, WORD, { 32 }, 0, 1ull << 32 | 3, 0 },
};

/* Sets and flags that MATCH, START and STOP refuse alike, whatever else is wrong. */
static const struct {
	uint64_t base, mask, flags;
	uint32_t only;
} refused[] = {
	{ 0, 1u << 26 | 8, 0, 0 },    /* a member beyond the last number */
	{ 0, ONES, 0, 0 },            /* all */
	{ 0, 0x80000000u, 0, 0 },     /* the highest bit of RV32 */
	{ 0, 1ull << 63, 0, 64 },     /* and of RV64 */
	{ 0, 1ull << 35, 0, 64 },     /* no bit is lost at 32 */
	{ 26, 1, 0, 0 },              /* a base beyond */
	{ 0x80000000u, 1, 0, 0 },     /* far beyond */
	{ 1ull << 32 | 3, 1, 0, 64 }, /* a base of 33 bits */
	{ ONES, 1, 0, 0 },            /* -1 is a base like others */
	{ ONES, 0x10, 0, 0 },         /* -1 + 4 is beyond */
	{ ONES - 3, 1 << 16, 0, 0 },  /* -4 + 16, likewise */
	{ 0xffffffffu, 0x10, 0, 0 },  /* -1 + 4 in 32 bits */
	{ 3, 0, 0, 0 },               /* no member */
	{ ONES, 0, 0, 0 },            /* nor there */
	{ 3, 1, 0x100, 0 },           /* reserved flags */
	{ 3, 1, 0x80000000u, 0 },
	{ 3, 1, 1ull << 32, 64 },
	{ 3, 1, ONES, 0 },
	{ 3, 0, 2, 0 }, /* before shared memory is missed */
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
	w->s->map = w->map = build_rows(m);
	w->s->xlen = xlen;
	w->s->granted = 0x27f;
	w->s->features = 0;
	w->s->rule = PMUMAP_RULE_NONE;
	w->s->inhibit = PMUMAP_INHIBIT_M;
	w->s->width = 40;
	w->s->for_vs = 0;
	w->s->delegated = 0;
	w->s->flags = 0;
	w->firmware = 0x3ffff7;
	world_init(w);
}

static int runs(const struct world *w, uint32_t counter)
{
	return w->fake.counter[counter].started != 0;
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
		w->s->for_vs = value;
	else if (r->op == DELEGATED)
		w->s->delegated = value;
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
	const struct sbi_model_counter *c = &w->fake.counter[r->a[0] & 31];

	switch (r->op) {
	case VALUE:
		return c->value;
	case SELECTOR:
		return c->selector;
	case INHIBIT:
		return c->inhibit;
	case DATA:
		return c->data;
	case CODE:
		return c->event;
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

/* EVENT_GET_INFO knows the event of a match exactly if that succeeds while all counters are free. */
static void ask(struct world *w, const struct row *r)
{
	static const uint64_t info[6] = { PAGE + 0x40, 0, 1, 0, 0, 0 };

	poke(w, 0x40, ENTRY(r->a[3]));
	poke(w, 0x48, r->a[4]);
	CHECK(!world_call(w, EVENTS, info));
	CHECK_EQ(w->error, 0);
	CHECK_EQ(word_at(w, 0x40), (uint64_t)!r->error << 32 | r->a[3]);
}

static int all_free(const struct world *w)
{
	uint32_t i, busy = w->s->host != &w->host || !w->host.access;

	for (i = 0; i < SBI_MODEL_TOTAL; i++)
		busy += w->model.counter[i].owned;
	return !busy && !w->model.refuse;
}

static void step(struct world *w, const struct row *r)
{
	if (r->op == MATCH && r->a[1] == ALL && !(r->a[2] & 1) && r->error != BAD && all_free(w))
		ask(w, r);
	if (r->op < VALUE || r->op > NO_COUNTS)
		call(w, r);
	else if (r->op <= WORD)
		CHECK_EQ(fact(w, r), r->value);
	else
		action(w, r);
}

static void play(uint32_t xlen)
{
	const struct row *r, *end = rules + sizeof(rules) / sizeof(rules[0]);
	struct world w;

	for (r = rules; r < end;) {
		int skip = r->only && r->only != xlen;

		test_now = r->rule;
		default_world(&w, xlen);
		do
			if (!skip && (!r->only || r->only == xlen))
				step(&w, r);
		while (++r < end && !r->rule);
		world_end(&w);
	}
}

/* Nothing is done: world_call() compares all counters. */
static void refuse(uint32_t xlen)
{
	static const uint32_t functions[] = { MATCH, START, STOP };
	static char now[32];
	struct world w;
	size_t i, j;

	test_now = "sets and flags that every call refuses";
	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		for (j = 0; j < 3; j++) {
			const uint64_t args[6] = { refused[i].base, refused[i].mask,
						   refused[i].flags, 3 };
			const uint64_t match[6] = { 3, 1, 4 * (uint64_t)(j == 2), 3 };

			if (refused[i].only && refused[i].only != xlen)
				continue;
			snprintf(now, sizeof(now), "RV%u, set %u", (unsigned)xlen, (unsigned)i);
			test_input = now;
			default_world(&w, xlen);
			if (j)
				CHECK(!world_call(&w, MATCH, match) && w.error == 0);
			CHECK(!world_call(&w, functions[j], args));
			CHECK_EQ(w.error, BAD);
			world_end(&w);
		}
	test_input = "";
}

/* ---- what no table says ---------------------------------------------------------------------- */

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

/* After n moves, one read for 16 entries or one answer, the guest no longer owns the memory. */
static void memory_is_lost(uint32_t xlen)
{
	uint64_t info[6] = { PAGE, 0, 0x40, 0, 0, 0 };
	uint32_t i, n;
	struct world w;

	test_now = "R8 memory that is lost on the way";
	for (n = 1; n < 70; n++) {
		uint32_t answered = 0;
		struct pmumap_sbi_ret ret;

		default_world(&w, xlen);
		w.guest.lost = n;
		for (i = 0; i < 0x40; i++) {
			poke(&w, 16 * i, ENTRY(3));
			poke(&w, 16 * i + 8, 0);
		}
		ret = pmumap_server_call(w.s, EVENTS, info);
		CHECK_EQ(ret.error, n < 68 ? PMUMAP_SBI_FAILED : 0);
		for (i = 0; i < 0x40; i++)
			answered += word_at(&w, 16 * i) == (1ull << 32 | 3);
		CHECK_EQ(answered, n / 17 * 16 + (n % 17 ? n % 17 - 1 : 0));
		world_end(&w);
	}
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
		pmumap_server_firmware_event(s, 0, 0);
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
		pmumap_server_firmware_event(w.s, random_below(24), 0);
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
		test_input = xlens[i] == 64 ? "RV64" : "RV32";
		play(xlens[i]);
		refuse(xlens[i]);
		other_hart(xlens[i]);
		memory_is_lost(xlens[i]);
		memory_at_0(xlens[i]);
		wrapping(xlens[i]);
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
	size();
	return test_summary();
}
