/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pmumap.h 0.1.0 -- what a PMU can count, where, and by which selector: one small immutable map.
 *
 * QUICK START
 *	#include "pmumap.h"			// nothing else to define, nothing to link
 *
 *	static uint64_t block[256];		// your memory: 8-byte aligned, any place
 *	const struct pmumap *map;
 *	struct pmumap_builder b;
 *
 *	pmumap_begin(&b, block, sizeof(block));	// or pmumap_fdt_build() of pmumap_fdt.h
 *	pmumap_add_selector(&b, 0x00004, 0x302);	// cache-misses: mhpmevent = 0x302 ...
 *	pmumap_add_counters(&b, 0x00003, 0x00006, 0x18);	// ... on mhpmcounter3 or 4
 *	pmumap_add_raw(&b, 0x1, 0xfffffffffff800ff, 0x18);	// raw event class 1, likewise
 *	if (pmumap_finish(&b, &map) != PMUMAP_OK)
 *		return;
 *	int counter = pmumap_pick(map, 0x00004, 0, 0xfffffff8, 0);	// 3
 *
 * CONTRACT
 *   Memory	no heap, no globals, no recursion. A map and its builder live in one block of yours.
 *   Image	the block is the map: only offsets inside, so it may be copied, put into ROM,
 *		shared, stored and opened again (pmumap_open) by a CPU of the same byte order.
 *   Libc	none, at any optimisation level. Types: <stdint.h> and <stddef.h>, or yours.
 *   Threads	a finished map is never written: any number of harts read it without a lock.
 *   Life	build (may fail, reports findings) -> look up (total: cannot fail, writes nothing).
 *   Input	every row, image and argument may be hostile; only the pointers have to be good.
 *   Failure	a build that fails yields no map. Not found is never confused with 0.
 *
 * LINKAGE (one mode for the whole program)
 *   default			every function is static inline: what is not called is not there
 *				(unoptimised, a few small ones are)
 *   PMUMAP_EXTERN		declarations only, in every file; and in exactly one file also
 *   PMUMAP_IMPLEMENTATION	the definitions
 *   PMUMAP_NO_STDINT		do not include <stdint.h> and <stddef.h>: uint8_t .. uint64_t,
 *				int32_t and size_t are already defined
 *
 * The file in order: status and findings, the image, the builder, look-ups of RISC-V events, event
 * names, picking and assigning counters; all declarations first, then all definitions.
 */
#ifndef PMUMAP_H
#define PMUMAP_H

#ifndef PMUMAP_NO_STDINT
#include <stddef.h>
#include <stdint.h>
#endif

#define PMUMAP_VERSION_MAJOR 0
#define PMUMAP_VERSION_MINOR 1
#define PMUMAP_VERSION_PATCH 0

#if defined(PMUMAP_IMPLEMENTATION) && !defined(PMUMAP_EXTERN)
#define PMUMAP_EXTERN
#endif
#ifdef PMUMAP_EXTERN
#define PMUMAP_LINKAGE_ 2
#define PMUMAP_API extern
#define PMUMAP_DEF
#else
#define PMUMAP_LINKAGE_ 1
#define PMUMAP_API static inline
#define PMUMAP_DEF static inline
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- status and findings ------------------------------------------------------------------- */

/* By whose fault it is: the caller's, the device tree's, the image's. Numbers never change. */
#define PMUMAP_STATUS_LIST(X)                                                                      \
	X(OK, 0, "success")                                                                        \
	X(E_ARG, 1, "a null pointer, or memory that is not 8-byte aligned")                        \
	X(E_NOSPACE, 2, "the block is too small")                                                  \
	X(E_LIMIT, 3, "the map would pass 2 GiB")                                                  \
	X(E_NODE, 4, "the tree has no node at the given offset")                                   \
	X(E_FDT_MAGIC, 10, "not a flattened device tree")                                          \
	X(E_FDT_VERSION, 11, "a device tree format other than version 17")                         \
	X(E_FDT_SIZE, 12, "the device tree is truncated, or its header lies about its parts")      \
	X(E_FDT_STRUCT, 13, "the device tree's structure block is malformed")                      \
	X(E_NOTFOUND, 14, "the tree describes no PMU")                                             \
	X(E_STRICT, 15, "a finding of severity error, and PMUMAP_STRICT is set")                   \
	X(E_IMAGE_MAGIC, 20, "not a map image")                                                    \
	X(E_IMAGE_ORDER, 21, "a map image of the other byte order")                                \
	X(E_IMAGE_VERSION, 22, "a map image of another version")                                   \
	X(E_IMAGE_SIZE, 23, "the map image is truncated")                                          \
	X(E_IMAGE_TABLE, 24, "a table of the map image is out of bounds or out of order")

enum pmumap_status {
#define PMUMAP_X_(name, number, text) PMUMAP_##name = number,
	PMUMAP_STATUS_LIST(PMUMAP_X_)
#undef PMUMAP_X_
};

/* One sentence for people, without a full stop. Never NULL. */
PMUMAP_API const char *pmumap_status_str(enum pmumap_status status);

/*
 * What is wrong with a description. The codes are stable; their severities:
 *   error    the row (or the node) is dropped
 *   warning  kept, but probably not what was meant
 *   note     legal, worth knowing
 */
#define PMUMAP_FINDING_LIST(X)                                                                     \
	X(TRAILING_BYTES, 1, "trailing-bytes")          /* value: bytes after the last row */      \
	X(EVENT_WIDE, 2, "event-wide")                  /* more than 20 bits; value: event */      \
	X(EVENT_INVALID, 3, "event-invalid")            /* no SBI event; value: event */           \
	X(RANGE_REVERSED, 4, "range-reversed")          /* value: first event */                   \
	X(RANGE_OVERLAP, 5, "range-overlap")            /* value: first common event */            \
	X(RANGE_RAW, 6, "range-raw")                    /* covers raw events; value: the first */  \
	X(COUNTERS_EMPTY, 7, "counters-empty")          /* value: first event, or select */        \
	X(FIXED_BIT, 8, "fixed-bit")                    /* value: counters */                      \
	X(TIME_BIT, 9, "time-bit")                      /* value: counters */                      \
	X(FIXED_ONLY, 10, "fixed-only")                 /* value: event */                         \
	X(SELECTOR_DUPLICATE, 11, "selector-duplicate") /* value: event */                         \
	X(SELECTOR_ORPHAN, 12, "selector-orphan")       /* value: event */                         \
	X(COUNTERS_ORPHAN, 13, "counters-orphan")       /* value: first such event of the row */   \
	X(DEFAULT_COLLISION, 14, "default-collision")   /* value: event */                         \
	X(RAW_DEAD, 15, "raw-dead")                     /* value: select */                        \
	X(RAW_DUPLICATE, 16, "raw-duplicate")           /* value: select */                        \
	X(RAW_OVERLAP, 17, "raw-overlap")               /* value: a raw event both match */        \
	X(RAW_WIDE, 18, "raw-wide")                     /* value: mask */                          \
	X(RAW_UNREACHABLE, 19, "raw-unreachable")       /* value: select */                        \
	X(LEGACY_PREFIX, 20, "legacy-prefix")           /* value: 0 */                             \
	X(LEGACY_RAW3, 21, "legacy-raw3")               /* value: number of rows */                \
	X(FOREIGN_NODE, 22, "foreign-node")             /* value: 0 */                             \
	X(EXTRA_NODE, 23, "extra-node")                 /* value: offset of the node in use */     \
	X(NO_SPACE, 24, "no-space")                     /* value: bytes needed */

enum pmumap_code {
#define PMUMAP_X_(name, number, text) PMUMAP_F_##name = number,
	PMUMAP_FINDING_LIST(PMUMAP_X_)
#undef PMUMAP_X_
};

enum pmumap_severity { PMUMAP_NOTE = 1, PMUMAP_WARNING = 2, PMUMAP_ERROR = 3 };

#define PMUMAP_NO_NODE (-1)
#define PMUMAP_NO_ROW 0xffffffffu

/* Rows count from 0 within their property; without a device tree, in the order of the calls. */
struct pmumap_finding {
	enum pmumap_code code;
	enum pmumap_severity severity;
	int node;             /* libfdt's offset of the node; PMUMAP_NO_NODE without a tree */
	const char *property; /* where row lies; NULL: the node itself. Lives as long as the tree */
	uint32_t row;         /* PMUMAP_NO_ROW: all of it */
	const char *other_property; /* where other lies; NULL: no other row */
	uint32_t other;             /* the other row of a conflict, or PMUMAP_NO_ROW */
	uint64_t value;             /* as the list above says */
};

typedef void pmumap_report_fn(void *arg, const struct pmumap_finding *finding);

PMUMAP_API const char *pmumap_code_str(enum pmumap_code code); /* "raw-dead"; never NULL */
PMUMAP_API const char *pmumap_severity_str(enum pmumap_severity severity); /* "error"; never NULL */

/* ---- the image ------------------------------------------------------------------------------ */

#define PMUMAP_MAGIC 0x504d554du
#define PMUMAP_IMAGE_VERSION 1u
#define PMUMAP_EVENT_LIMIT 0x100000u /* event_idx of the SBI specification has 20 bits */

/*
 * What one event resolves to. Two kinds share one table: the records that event_index selects, and
 * a run sorted by first event that ends the table and covers all events that have no index byte.
 */
struct pmumap_record {
	uint64_t selector;
	uint32_t counters;
	uint32_t key; /* bit 31: there is a selector; the rest, in the sorted run: first event */
};

struct pmumap_raw_row {
	uint64_t select, mask;
	uint32_t counters;
	uint32_t more; /* 1: the next row has to be looked at too */
};

/*
 * The head of every map; its tables follow in the same block. Offsets are in bytes from the head.
 * A zeroed struct pmumap is a valid map of nothing. Read it through the functions below: members
 * belong to the image format, which has a version of its own.
 */
struct pmumap {
	uint32_t magic, version;
	uint32_t size;         /* of the whole image, a multiple of 8 */
	uint32_t flags;        /* PMUMAP_HAS_SELECTORS */
	uint32_t records;      /* records in all; record[0] is absent: no selector, no counter */
	uint32_t sorted;       /* the sorted run: its first record, which starts at event 0 ... */
	uint32_t sorted_count; /* ... and its length; record[0] alone where nothing is in it */
	uint32_t raw_rows; /* offset of 1 + raw_count rows, the first of which matches nothing */
	uint32_t raw_count;
	uint32_t raw_index;   /* offset of 2^(32 - raw_shift) 16-bit row numbers; or 0, and then: */
	uint32_t raw_vectors; /* offset of the 64-bit words [row / 64][nibble][value] */
	uint32_t raw_shift;
	uint64_t raw_common;     /* bits that every row compares */
	uint64_t raw_multiplier; /* of the hash: pmumap_raw_place_() */
	uint8_t event_index[128];
	struct pmumap_record record[1];
};

#define PMUMAP_HAS_SELECTORS 1u /* pmumap.flags: the description has a table of selectors */

/*
 * Check a foreign image completely; afterwards no look-up can leave it, whatever it is asked.
 *
 * Returns  PMUMAP_OK and the map, which is the image itself; on failure *map is NULL.
 * Errors   E_ARG, E_IMAGE_MAGIC, E_IMAGE_ORDER, E_IMAGE_VERSION, E_IMAGE_SIZE, E_IMAGE_TABLE.
 * Cost     O(size); writes nothing.
 */
PMUMAP_API enum pmumap_status pmumap_open(const void *image, size_t bytes,
					  const struct pmumap **map);

/* Bytes of the image: what to copy, store or hand on. */
PMUMAP_API size_t pmumap_size(const struct pmumap *m);

/* ---- the builder ---------------------------------------------------------------------------- */

#define PMUMAP_STRICT 1u /* flags: any finding of severity error fails the build */

struct pmumap_row_;

/* One per build, on the stack. After pmumap_begin() flags may be set; the rest is its own. */
struct pmumap_builder {
	uint32_t flags; /* PMUMAP_STRICT */
	int node;
	pmumap_report_fn *report;
	void *arg;
	void (*lint)(struct pmumap_builder *b, const struct pmumap *m, const struct pmumap_row_ *r);
	unsigned char *mem;
	size_t bytes;
	enum pmumap_status status;
	const char *names[4];         /* of the tables; the last one is NULL */
	const unsigned char *rows[3]; /* of the tables in a device tree, or NULL */
	uint32_t row_bytes[3];
	uint32_t errors; /* 0: no finding of that severity */
	uint32_t map_flags;
	uint32_t selector_rows, counter_rows, raw_rows; /* added so far, for the findings */
	size_t room;                                    /* for rows at the end of the block */
	uint32_t staged, raw_staged;                    /* rows there */
	uint32_t sorted_bound;                          /* records of the sorted run at most */
};

/* mem: 8-byte aligned, or NULL to measure only: add all rows, then ask pmumap_need(). */
PMUMAP_API void pmumap_begin(struct pmumap_builder *b, void *mem, size_t bytes);

/*
 * Report every finding from here on; report may be NULL. What is legal but hardly meant is looked
 * for only then: a program without this call does not carry that code.
 */
PMUMAP_API void pmumap_listen(struct pmumap_builder *b, pmumap_report_fn *report, void *arg);

/*
 * The rows of the three tables, in any order. A bad row is reported and dropped, or kept where
 * harmless, and the next one is read all the same.
 *
 * Returns  PMUMAP_OK, also for a dropped row and for one too many: pmumap_finish() tells.
 * Errors   E_ARG, if pmumap_begin() got misaligned memory.
 * Cost     O(1).
 */
PMUMAP_API enum pmumap_status pmumap_add_selector(struct pmumap_builder *b, uint32_t event,
						  uint64_t selector);
PMUMAP_API enum pmumap_status pmumap_add_counters(struct pmumap_builder *b, uint32_t first,
						  uint32_t last, uint32_t counters);
PMUMAP_API enum pmumap_status pmumap_add_raw(struct pmumap_builder *b, uint64_t select,
					     uint64_t mask, uint32_t counters);

/*
 * The block that the rows added so far need; constant for a given set of rows, whatever the block
 * in use. The finished map is smaller: pmumap_size() bytes at its start, the rest is free again.
 */
PMUMAP_API size_t pmumap_need(const struct pmumap_builder *b);

/*
 * Build the map at the start of the block.
 *
 * Returns  PMUMAP_OK and the map (NULL when only measuring); on failure *map is NULL.
 * Errors   E_ARG, E_NOSPACE, E_LIMIT, E_STRICT.
 * Cost     O(n log n) for n rows, whatever they say; the same map for any order of the rows, except
 *          that the first of two selectors for one event counts.
 */
PMUMAP_API enum pmumap_status pmumap_finish(struct pmumap_builder *b, const struct pmumap **map);

/* ---- look-ups of RISC-V events -------------------------------------------------------------- */

#define PMUMAP_EVENT_CACHE 0x10000u
#define PMUMAP_EVENT_RAW 0x20000u    /* the event is in the data, 48 bits */
#define PMUMAP_EVENT_RAW_V2 0x30000u /* the event is in the data, 56 bits */
#define PMUMAP_EVENT_FIRMWARE 0xf0000u

/*
 * The value for mhpmevent. Returns 1; or 0 where the description has none, *selector untouched.
 * Cost     one table access for the 128 codes 0..0x3f and 0x10000..0x1003f, which hold all that SBI
 *          defines; else a binary search.
 */
PMUMAP_API int pmumap_selector(const struct pmumap *m, uint32_t event, uint64_t *selector);

/* Bit N: mhpmcounterN can count it (0, 1, 2: mcycle, time, minstret). The rows' union; 0: none. */
PMUMAP_API uint32_t pmumap_counters(const struct pmumap *m, uint32_t event);

/*
 * As pmumap_counters(), for a raw event: the union of the rows with select == (raw & mask).
 * Cost     one hash probe and at most 16 rows; where the masks have too little in common for that,
 *          16 words for every 64 rows.
 */
PMUMAP_API uint32_t pmumap_raw_counters(const struct pmumap *m, uint64_t raw);

/* What an event without a selector is encoded as. */
enum pmumap_rule {
	PMUMAP_RULE_NONE,   /* nothing */
	PMUMAP_RULE_ABSENT, /* event_idx, where no event has a selector (QEMU's trees, RustSBI) */
	PMUMAP_RULE_ALWAYS  /* event_idx (OpenSBI) */
};

/*
 * The value for mhpmevent of any hardware event: the selector, or event_idx by the rule; of a raw
 * event the data itself, cut to 48 or 56 bits. Returns 1, or 0 and *mhpmevent untouched.
 */
PMUMAP_API int pmumap_encode(const struct pmumap *m, uint32_t event, uint64_t data, unsigned rule,
			     uint64_t *mhpmevent);

/* A run of neighbouring events with the same answers; counters or has_selector is not 0. */
struct pmumap_run {
	uint32_t first, last;
	uint32_t counters;
	uint32_t has_selector;
	uint64_t selector;
};

/* List the map: the next run, none of it below from. Begin at 0, go on at last + 1. 0: no more. */
PMUMAP_API int pmumap_event_next(const struct pmumap *m, uint32_t from, struct pmumap_run *run);

/* List the raw rows, in the map's own order. 0: index is too large. */
PMUMAP_API int pmumap_raw_at(const struct pmumap *m, uint32_t index, uint64_t *select,
			     uint64_t *mask, uint32_t *counters);

/* ---- event names ---------------------------------------------------------------------------- */

/* Whether SBI v3.0 defines the code (firmware: 0..21, 256..65535); not 0, which means no event. */
PMUMAP_API int pmumap_event_valid(uint32_t event);

/* "SBI_PMU_HW_CACHE_MISSES", "SBI_PMU_HW_CACHE_L1D_READ_MISS", "SBI_PMU_FW_SET_TIMER"; or NULL. */
PMUMAP_API const char *pmumap_event_name(uint32_t event);

/*
 * Read an event as people write it, in any case, '-' or '_': SBI names with or without their prefix
 * (cache-misses), perf's names (L1-dcache-load-misses, branches), numbers (0x10019), raw events
 * (r1801, raw:0x1801, raw-v2:0x1801; more than 48 bits make it a v2), firmware events (fw:5,
 * set-timer) and platform:0x1, the firmware event whose code is in the data.
 *
 * Returns  1; or 0, *event and *data untouched.
 */
PMUMAP_API int pmumap_event_parse(const char *text, size_t len, uint32_t *event, uint64_t *data);

/* ---- picking and assigning counters --------------------------------------------------------- */

#define PMUMAP_BUSY (-1)        /* the hart can count it, but no such counter is free */
#define PMUMAP_UNSUPPORTED (-2) /* no counter counts it */

/* What the hart has, and what this count needs. */
#define PMUMAP_SSCOFPMF 1u  /* programmable counters can filter modes and interrupt */
#define PMUMAP_SMCNTRPMF 2u /* mcycle and minstret can filter modes */
#define PMUMAP_FILTER 4u    /* modes have to be filtered: mcycle and minstret only with SMCNTRPMF */

/*
 * A counter for one event, out of free; the lowest of the best. With free 0 the answer is only
 * whether the event is supported at all (BUSY) or not.
 *
 * Events 1 and 2 may also be counted by the fixed counters 0 and 2, whether or not a row says so:
 * first choice without Sscofpmf, else last. Nothing else is ever put on counters 0 to 2. Firmware
 * events have no hardware counter: UNSUPPORTED.
 */
PMUMAP_API int pmumap_pick(const struct pmumap *m, uint32_t event, uint64_t data, uint32_t free,
			   uint32_t features);

struct pmumap_want {
	uint64_t data;
	uint32_t event;
	uint32_t pinned;   /* in: 1, it already runs on counter and stays there */
	int32_t counter;   /* out: as from pmumap_pick(); in, if pinned */
	uint32_t counters; /* out: all counters that could count it, free or not */
};

/*
 * Counters for n events at once. If any assignment places k of them, so does this; among equals the
 * earlier events win. Pinned events keep their counters, in free or not.
 *
 * Returns  how many have a counter, the pinned ones included.
 * Cost     O(n); each event moves at most 32 others.
 */
PMUMAP_API int pmumap_assign(const struct pmumap *m, struct pmumap_want *want, uint32_t n,
			     uint32_t free, uint32_t features);

#ifdef __cplusplus
}
#endif

#endif /* PMUMAP_H */

#if PMUMAP_LINKAGE_ == 1 && (defined(PMUMAP_EXTERN) || defined(PMUMAP_IMPLEMENTATION))
#error "pmumap.h was included here without PMUMAP_EXTERN before: define that for the whole program"
#endif

#if (PMUMAP_LINKAGE_ == 1 || defined(PMUMAP_IMPLEMENTATION)) && !defined(PMUMAP_IMPLEMENTED_)
#define PMUMAP_IMPLEMENTED_

#ifdef __cplusplus
extern "C" {
#endif

/*
 * In loops that look like memset, memcpy or strlen: compilers turn those into calls even when
 * freestanding. `make check-undef` fails where one is missing.
 */
#ifdef __GNUC__
#define PMUMAP_NO_LIBCALL_() __asm__ __volatile__("" : : : "memory")
#else
#define PMUMAP_NO_LIBCALL_() ((void)0)
#endif

/*
 * LOADED: a value that is loaded before the test that uses it, so that the test needs no branch.
 * OUTLINE: a function of its own. Of a look-up the rarer way, so that the usual one has no stack
 * frame; and what gcc -Os would copy into each of its callers.
 */
#ifdef __GNUC__
#define PMUMAP_LOADED_(x) __asm__ __volatile__("" : "+r"(x))
#define PMUMAP_OUTLINE_ static __attribute__((__noinline__, __unused__))
#else
#define PMUMAP_LOADED_(x) ((void)0)
#define PMUMAP_OUTLINE_ static inline
#endif

/* ---- status and findings: definitions ------------------------------------------------------- */

/* The string after n others: strings in a row need no pointers that would have to be relocated. */
static inline const char *pmumap_nth_(const char *texts, uint32_t n)
{
	while (n) {
		if (*texts++ == 0)
			n--;
		PMUMAP_NO_LIBCALL_();
	}
	return texts;
}

/* The text that belongs to a number; the one after the last where it is none of them. */
static inline const char *pmumap_text_(const unsigned char *numbers, uint32_t n, const char *texts,
				       uint32_t number)
{
	uint32_t i = 0;

	while (i < n && numbers[i] != number)
		i++;
	return pmumap_nth_(texts, i);
}

PMUMAP_DEF const char *pmumap_status_str(enum pmumap_status status)
{
#define PMUMAP_X_(name, number, text) number,
	static const unsigned char numbers[] = { PMUMAP_STATUS_LIST(PMUMAP_X_) };
#undef PMUMAP_X_
#define PMUMAP_X_(name, number, text) text "\0"
	static const char texts[] = PMUMAP_STATUS_LIST(PMUMAP_X_) "unknown status";
#undef PMUMAP_X_

	return pmumap_text_(numbers, sizeof(numbers), texts, (uint32_t)status);
}

PMUMAP_DEF const char *pmumap_code_str(enum pmumap_code code)
{
#define PMUMAP_X_(name, number, text) number,
	static const unsigned char numbers[] = { PMUMAP_FINDING_LIST(PMUMAP_X_) };
#undef PMUMAP_X_
#define PMUMAP_X_(name, number, text) text "\0"
	static const char texts[] = PMUMAP_FINDING_LIST(PMUMAP_X_) "unknown-finding";
#undef PMUMAP_X_

	return pmumap_text_(numbers, sizeof(numbers), texts, (uint32_t)code);
}

PMUMAP_DEF const char *pmumap_severity_str(enum pmumap_severity severity)
{
	return severity == PMUMAP_ERROR ? "error" : severity == PMUMAP_WARNING ? "warning" : "note";
}

/* The three tables of a riscv,pmu node, and their names behind "riscv,". */
#define PMUMAP_SELECTORS_NAME_ "event-to-mhpmevent"
#define PMUMAP_RANGES_NAME_ "event-to-mhpmcounters"
#define PMUMAP_RAW_NAME_ "raw-event-to-mhpmcounters"

enum {
	PMUMAP_SELECTORS_,
	PMUMAP_RANGES_,
	PMUMAP_RAW_,
	PMUMAP_TABLES_,
	PMUMAP_NO_TABLE_ = PMUMAP_TABLES_
};

/* What a finding is about, packed: five arguments cost half the code of eight. */
#define PMUMAP_CONFLICT_(code, severity, table, other_table)                                       \
	((uint32_t)PMUMAP_F_##code | (uint32_t)(severity) << 8 | (uint32_t)(table) << 16 |         \
	 (uint32_t)(other_table) << 24)
#define PMUMAP_WHAT_(code, severity, table)                                                        \
	PMUMAP_CONFLICT_(code, severity, table, PMUMAP_NO_TABLE_)

static inline void pmumap_found_(struct pmumap_builder *b, uint32_t what, uint32_t row,
				 uint32_t other, uint64_t value)
{
	struct pmumap_finding f;

	f.severity = (enum pmumap_severity)(what >> 8 & 0xff);
	if (f.severity == PMUMAP_ERROR)
		b->errors++;
	if (!b->report)
		return;
	f.code = (enum pmumap_code)(what & 0xff);
	f.node = b->node;
	f.property = b->names[what >> 16 & 0xff];
	f.row = row;
	f.other_property = b->names[what >> 24];
	f.other = other;
	f.value = value;
	b->report(b->arg, &f);
}

/* ---- the image: definitions ----------------------------------------------------------------- */

/* The layout is the format: the same on every target of one byte order. */
typedef char pmumap_layout_[sizeof(struct pmumap) == 208 && sizeof(struct pmumap_record) == 16 &&
					    sizeof(struct pmumap_raw_row) == 24
				    ? 1
				    : -1];

#define PMUMAP_HAS_SELECTOR_ 0x80000000u /* pmumap_record.key */
#define PMUMAP_CHAIN_ 16u                /* raw rows that one probe compares at most */
#define PMUMAP_VECTORS_ 256u             /* words of the vectors of 64 raw rows */

static inline const void *pmumap_at_(const struct pmumap *m, uint32_t offset)
{
	return (const char *)m + offset;
}

static inline const struct pmumap_raw_row *pmumap_raw_rows_(const struct pmumap *m)
{
	return (const struct pmumap_raw_row *)pmumap_at_(m, m->raw_rows);
}

static inline const uint16_t *pmumap_raw_index_(const struct pmumap *m)
{
	return (const uint16_t *)pmumap_at_(m, m->raw_index);
}

/* Whether count elements lie inside the image; division-free, and nothing can wrap. */
static inline int pmumap_inside_(const struct pmumap *m, uint32_t offset, uint32_t count,
				 uint32_t each)
{
	return offset >= sizeof(struct pmumap) && offset % 8 == 0 && offset <= m->size &&
	       (uint64_t)count * each <= m->size - offset;
}

static inline uint32_t pmumap_start_(const struct pmumap_record *r)
{
	return r->key & ~PMUMAP_HAS_SELECTOR_;
}

static inline int pmumap_open_events_(const struct pmumap *m)
{
	const struct pmumap_record *r = m->record;
	uint32_t i;

	if (m->records == 0 ||
	    (uint64_t)m->records * sizeof(*r) > m->size - sizeof(*m) + sizeof(*r))
		return 0;
	if (r->selector || r->counters || r->key)
		return 0;
	for (i = 0; i < sizeof(m->event_index); i++) {
		if (m->event_index[i] >= m->records)
			return 0;
	}
	if (m->sorted >= m->records || m->sorted_count == 0 ||
	    m->sorted_count > m->records - m->sorted)
		return 0;
	r += m->sorted;
	if (pmumap_start_(r))
		return 0;
	for (i = 1; i < m->sorted_count; i++) {
		if (pmumap_start_(&r[i]) <= pmumap_start_(&r[i - 1]) ||
		    pmumap_start_(&r[i]) >= PMUMAP_EVENT_LIMIT)
			return 0;
	}
	return 1;
}

/* Every row number exists, and from each of them a short chain ends within the rows. */
static inline int pmumap_open_index_(const struct pmumap *m)
{
	const struct pmumap_raw_row *r = pmumap_raw_rows_(m);
	uint32_t i, places, length = 0;

	if (m->raw_shift < 14 || m->raw_shift > 31)
		return 0;
	places = 1u << (32 - m->raw_shift);
	if (!pmumap_inside_(m, m->raw_index, places, sizeof(uint16_t)))
		return 0;
	for (i = 0; i < places; i++) {
		if (pmumap_raw_index_(m)[i] > m->raw_count)
			return 0;
	}
	for (i = 0; i <= m->raw_count; i++) {
		length = r[i].more ? length + 1 : 0;
		if (length == PMUMAP_CHAIN_)
			return 0;
	}
	return length == 0;
}

static inline int pmumap_open_raw_(const struct pmumap *m)
{
	if (m->raw_count == 0)
		return m->raw_index == 0;
	if (m->raw_count >= 0x80000000u ||
	    !pmumap_inside_(m, m->raw_rows, m->raw_count + 1, sizeof(struct pmumap_raw_row)))
		return 0;
	if (m->raw_index)
		return pmumap_open_index_(m);
	return pmumap_inside_(m, m->raw_vectors, (m->raw_count + 63) / 64,
			      PMUMAP_VECTORS_ * sizeof(uint64_t));
}

PMUMAP_DEF enum pmumap_status pmumap_open(const void *image, size_t bytes,
					  const struct pmumap **map)
{
	const struct pmumap *m = (const struct pmumap *)image;

	if (!map)
		return PMUMAP_E_ARG;
	*map = 0;
	if (!image || (size_t)image % 8)
		return PMUMAP_E_ARG;
	if (bytes < 2 * sizeof(uint32_t))
		return PMUMAP_E_IMAGE_SIZE;
	if (m->magic == ((PMUMAP_MAGIC & 0xff) << 24 | (PMUMAP_MAGIC & 0xff00) << 8 |
			 (PMUMAP_MAGIC >> 8 & 0xff00) | PMUMAP_MAGIC >> 24))
		return PMUMAP_E_IMAGE_ORDER;
	if (m->magic != PMUMAP_MAGIC)
		return PMUMAP_E_IMAGE_MAGIC;
	if (m->version != PMUMAP_IMAGE_VERSION)
		return PMUMAP_E_IMAGE_VERSION;
	if (bytes < sizeof(*m) || m->size < sizeof(*m) || m->size > bytes || m->size % 8)
		return PMUMAP_E_IMAGE_SIZE;
	if (!pmumap_open_events_(m) || !pmumap_open_raw_(m))
		return PMUMAP_E_IMAGE_TABLE;
	*map = m;
	return PMUMAP_OK;
}

PMUMAP_DEF size_t pmumap_size(const struct pmumap *m)
{
	return m->size;
}

/* ---- the builder: definitions --------------------------------------------------------------- */

/*
 * A row waits at the end of the block for pmumap_finish(). Sorted by key, the rows of the event
 * tables are in the order of their events, and those of one event in the order of the description.
 */
struct pmumap_row_ {
	uint64_t key;   /* event << 33 | kind << 32 | row; of a raw row: select */
	uint64_t value; /* selector; the event after the last; of a raw row: mask */
	uint32_t counters;
	uint32_t row; /* its number; PMUMAP_RAW_ROW_: in the raw table */
};

enum { PMUMAP_RANGE_, PMUMAP_SELECT_ };

#define PMUMAP_RAW_ROW_ 0x80000000u
#define PMUMAP_MAX_BYTES_ 0x7fffffffu

static inline uint32_t pmumap_row_event_(const struct pmumap_row_ *r)
{
	return (uint32_t)(r->key >> 32) >> 1;
}

static inline int pmumap_row_selects_(const struct pmumap_row_ *r)
{
	return (int)((uint32_t)(r->key >> 32) & PMUMAP_SELECT_);
}

static inline void pmumap_zero_(void *to, size_t bytes)
{
	uint32_t *word = (uint32_t *)to;

	for (bytes /= sizeof(*word); bytes; bytes--) {
		*word++ = 0;
		PMUMAP_NO_LIBCALL_();
	}
}

PMUMAP_DEF void pmumap_begin(struct pmumap_builder *b, void *mem, size_t bytes)
{
	pmumap_zero_(b, sizeof(*b));
	b->node = PMUMAP_NO_NODE;
	b->mem = (unsigned char *)mem;
	b->bytes = bytes;
	b->status = (size_t)mem % 8 ? PMUMAP_E_ARG : PMUMAP_OK;
	if (mem && b->status == PMUMAP_OK)
		b->room = bytes / sizeof(struct pmumap_row_);
}

/* The staged rows so far: the last bytes of the block, newest first. */
static inline struct pmumap_row_ *pmumap_staged_(const struct pmumap_builder *b)
{
	return (struct pmumap_row_ *)(void *)(b->mem + (b->bytes & ~(size_t)7)) - b->staged;
}

PMUMAP_OUTLINE_ enum pmumap_status pmumap_stage_(struct pmumap_builder *b, uint64_t key,
						 uint64_t value, uint32_t counters, uint32_t row)
{
	struct pmumap_row_ *r;

	if (b->staged++ < b->room) {
		r = pmumap_staged_(b);
		r->key = key;
		r->value = value;
		r->counters = counters;
		r->row = row;
	}
	return b->status;
}

/* The hardware events of SBI, types 0 and 1. */
static inline int pmumap_hardware_event_(uint32_t event)
{
	if (event < PMUMAP_EVENT_CACHE)
		return event >= 1 && event <= 10;
	event -= PMUMAP_EVENT_CACHE;
	return event < 7 * 8 && (event & 6) != 6;
}

/* Whether an event has a byte in event_index, which, and back. */
static inline int pmumap_indexed_(uint32_t event)
{
	size_t page = event >> 6; /* as size_t, this is the least code on RISC-V */

	return (page & ~(size_t)(PMUMAP_EVENT_CACHE >> 6)) == 0;
}

static inline uint32_t pmumap_slot_(uint32_t event)
{
	return (event | event >> 10) & 0x7f;
}

static inline uint32_t pmumap_slot_event_(uint32_t slot)
{
	return (slot & 0x3f) | (slot & 0x40) << 10;
}

PMUMAP_DEF enum pmumap_status pmumap_add_selector(struct pmumap_builder *b, uint32_t event,
						  uint64_t selector)
{
	uint32_t row = b->selector_rows++;

	b->map_flags |= PMUMAP_HAS_SELECTORS;
	if (event >= PMUMAP_EVENT_LIMIT) {
		pmumap_found_(b, PMUMAP_WHAT_(EVENT_WIDE, PMUMAP_ERROR, PMUMAP_SELECTORS_), row,
			      PMUMAP_NO_ROW, event);
		return b->status;
	}
	if (!pmumap_indexed_(event))
		b->sorted_bound += 2;
	return pmumap_stage_(b, (uint64_t)(event << 1 | PMUMAP_SELECT_) << 32 | row, selector, 0,
			     row);
}

PMUMAP_DEF enum pmumap_status pmumap_add_counters(struct pmumap_builder *b, uint32_t first,
						  uint32_t last, uint32_t counters)
{
	uint32_t row = b->counter_rows++, what = 0;

	if (first > last)
		what = PMUMAP_WHAT_(RANGE_REVERSED, PMUMAP_ERROR, PMUMAP_RANGES_);
	else if (first >= PMUMAP_EVENT_LIMIT)
		what = PMUMAP_WHAT_(EVENT_WIDE, PMUMAP_ERROR, PMUMAP_RANGES_);
	else if (counters == 0)
		what = PMUMAP_WHAT_(COUNTERS_EMPTY, PMUMAP_WARNING, PMUMAP_RANGES_);
	if (what) {
		pmumap_found_(b, what, row, PMUMAP_NO_ROW, first);
		return b->status;
	}
	if (!pmumap_indexed_(first) || !pmumap_indexed_(last) || last - first >= 0x40)
		b->sorted_bound += 2;
	return pmumap_stage_(b, (uint64_t)(first << 1 | PMUMAP_RANGE_) << 32 | row,
			     (uint64_t)last + 1, counters, row);
}

PMUMAP_DEF enum pmumap_status pmumap_add_raw(struct pmumap_builder *b, uint64_t select,
					     uint64_t mask, uint32_t counters)
{
	uint32_t row = b->raw_rows++, what = 0;

	if (select & ~mask)
		what = PMUMAP_WHAT_(RAW_DEAD, PMUMAP_ERROR, PMUMAP_RAW_);
	else if (counters == 0)
		what = PMUMAP_WHAT_(COUNTERS_EMPTY, PMUMAP_WARNING, PMUMAP_RAW_);
	if (what) {
		pmumap_found_(b, what, row, PMUMAP_NO_ROW, select);
		return b->status;
	}
	b->raw_staged++;
	return pmumap_stage_(b, select, mask, counters, row | PMUMAP_RAW_ROW_);
}

#define PMUMAP_SCRATCH_ 128u /* bytes below the staged rows, for pmumap_sweep_() */

/*
 * A row makes two records at most, where its counters begin and where they end, and at most 128 are
 * indexed. The raw index is smaller than the bit vectors that are there instead of it; up to
 * PMUMAP_CHAIN_ rows there is always an index, of at most 16 places for each row and one more.
 */
static inline uint64_t pmumap_need_(const struct pmumap_builder *b)
{
	uint64_t n = b->raw_staged, indexed = 2 * ((uint64_t)b->staged - n);
	uint64_t records = (indexed < 128 ? indexed : 128) + b->sorted_bound + 1;
	uint64_t bytes = sizeof(struct pmumap) + PMUMAP_SCRATCH_;

	if (n)
		bytes += (n + 1) * sizeof(struct pmumap_raw_row) +
			 (n > PMUMAP_CHAIN_ ? (n / 64 + 1) * PMUMAP_VECTORS_ * sizeof(uint64_t)
					    : (n + 1) * 16 * sizeof(uint16_t));
	return bytes + records * sizeof(struct pmumap_record) +
	       b->staged * sizeof(struct pmumap_row_);
}

PMUMAP_DEF size_t pmumap_need(const struct pmumap_builder *b)
{
	uint64_t need = pmumap_need_(b);

	return need > PMUMAP_MAX_BYTES_ ? PMUMAP_MAX_BYTES_ : (size_t)need;
}

/* A total order, so that the order of the rows in the description cannot show in the map. */
static inline int pmumap_less_(const struct pmumap_row_ *a, const struct pmumap_row_ *b)
{
	if ((a->row ^ b->row) & PMUMAP_RAW_ROW_)
		return a->row < b->row;
	if (a->key != b->key)
		return a->key < b->key;
	if (a->value != b->value)
		return a->value < b->value;
	return a->counters < b->counters;
}

/* Member by member: the assignment of a struct of this size may become a call of memcpy. */
static inline void pmumap_copy_(struct pmumap_row_ *to, const struct pmumap_row_ *from)
{
	to->key = from->key;
	to->value = from->value;
	to->counters = from->counters;
	to->row = from->row;
}

static inline void pmumap_swap_(struct pmumap_row_ *a, struct pmumap_row_ *b)
{
	struct pmumap_row_ t;

	pmumap_copy_(&t, a);
	pmumap_copy_(a, b);
	pmumap_copy_(b, &t);
}

/* Heap sort: in place, no recursion, O(n log n). The heap first grows, then shrinks. */
static inline void pmumap_sort_(struct pmumap_row_ *r, uint32_t n)
{
	uint32_t start = n / 2, i, child;

	while (n > 1) {
		if (start)
			start--;
		else
			pmumap_swap_(&r[0], &r[--n]);
		for (i = start; (child = 2 * i + 1) < n; i = child) {
			if (child + 1 < n && pmumap_less_(&r[child], &r[child + 1]))
				child++;
			if (!pmumap_less_(&r[i], &r[child]))
				break;
			pmumap_swap_(&r[i], &r[child]);
		}
	}
}

static inline void pmumap_add_record_(struct pmumap *m, uint64_t selector, uint32_t counters,
				      uint32_t key)
{
	struct pmumap_record *r = m->record;

	r += m->records++;
	r->selector = selector;
	r->counters = counters;
	r->key = key;
}

/* The index bytes of first to before end, which answer alike. Equal records are stored once. */
static inline void pmumap_emit_indexed_(struct pmumap *m, uint32_t first, uint32_t end,
					const struct pmumap_row_ *selector, uint32_t counters)
{
	const struct pmumap_record *r = m->record;
	uint64_t value = selector ? selector->value : 0;
	uint32_t key = selector ? PMUMAP_HAS_SELECTOR_ : 0, i = 0;

	while (i < m->records &&
	       (r[i].selector != value || r[i].counters != counters || r[i].key != key))
		i++;
	if (i == m->records)
		pmumap_add_record_(m, value, counters, key);
	for (; first < end; first++) {
		m->event_index[pmumap_slot_(first)] = (uint8_t)i;
		PMUMAP_NO_LIBCALL_();
	}
}

/* A record of the sorted run, unless the one before it says the same. */
static inline void pmumap_emit_sorted_(struct pmumap *m, uint32_t first,
				       const struct pmumap_row_ *selector, uint32_t counters)
{
	const struct pmumap_record *before = m->record;

	before += m->records - 1;
	if (selector)
		pmumap_add_record_(m, selector->value, counters, first | PMUMAP_HAS_SELECTOR_);
	else if ((before->key & PMUMAP_HAS_SELECTOR_) || before->counters != counters)
		pmumap_add_record_(m, 0, counters, first);
}

/*
 * From event to event at which the answer may change; indexed: which of the two kinds of events get
 * their records now. reach[i], in the scratch below the staged rows, is where the ranges met so far
 * stop to offer counter i.
 */
static inline void pmumap_sweep_(struct pmumap_builder *b, struct pmumap *m,
				 const struct pmumap_row_ *r, const struct pmumap_row_ *end,
				 int indexed)
{
	const struct pmumap_row_ *selector;
	uint32_t *reach = (uint32_t *)(void *)pmumap_staged_(b) - 32;
	uint32_t at, next, active, counter;

	pmumap_zero_(reach, PMUMAP_SCRATCH_);
	for (at = 0; at < PMUMAP_EVENT_LIMIT; at = next) {
		next = at < PMUMAP_EVENT_CACHE ? PMUMAP_EVENT_CACHE : PMUMAP_EVENT_LIMIT;
		if (pmumap_indexed_(at))
			next = (at | 0x3f) + 1;
		for (selector = 0; r < end && pmumap_row_event_(r) == at; r++) {
			if (pmumap_row_selects_(r)) {
				selector = selector ? selector : r;
				b->errors += r->value != selector->value; /* pmumap_lint_() tells */
			}
			for (active = r->counters, counter = 0; active; active >>= 1, counter++) {
				if ((active & 1) && reach[counter] < r->value)
					reach[counter] = r->value < PMUMAP_EVENT_LIMIT
								 ? (uint32_t)r->value
								 : PMUMAP_EVENT_LIMIT;
			}
		}
		if (r < end && pmumap_row_event_(r) < next)
			next = pmumap_row_event_(r);
		if (selector)
			next = at + 1;
		active = 0;
		for (counter = 0; counter < 32; counter++) {
			if (reach[counter] <= at)
				continue;
			active |= 1u << counter;
			if (reach[counter] < next)
				next = reach[counter];
		}
		if (indexed != pmumap_indexed_(at))
			continue;
		if (indexed)
			pmumap_emit_indexed_(m, at, next, selector, active);
		else
			pmumap_emit_sorted_(m, at, selector, active);
	}
}

static inline void pmumap_build_events_(struct pmumap_builder *b, struct pmumap *m,
					const struct pmumap_row_ *r, uint32_t n)
{
	pmumap_add_record_(m, 0, 0, 0);
	pmumap_sweep_(b, m, r, r + n, 1);
	m->sorted = m->records;
	pmumap_add_record_(m, 0, 0, 0);
	pmumap_sweep_(b, m, r, r + n, 0);
	m->sorted_count = m->records - m->sorted;
	if (m->sorted_count == 1) { /* nothing but the start: record[0] serves as well */
		m->records--;
		m->sorted = 0;
	}
}

/* The place of a raw event. Constant shifts of 64 bits only: 32-bit targets need no libgcc. */
static inline uint32_t pmumap_raw_place_(const struct pmumap *m, uint64_t raw)
{
	return (uint32_t)((raw & m->raw_common) * m->raw_multiplier >> 32) >> m->raw_shift;
}

/* Count the rows of each place. Returns 0 if one has more than most. */
static inline int pmumap_raw_try_(const struct pmumap *m, uint16_t *index,
				  const struct pmumap_row_ *r, uint32_t n, uint32_t most)
{
	uint32_t i;

	pmumap_zero_(index, sizeof(*index) << (32 - m->raw_shift));
	for (i = 0; i < n; i++) {
		if (++index[pmumap_raw_place_(m, r[i].key)] > most)
			return 0;
	}
	return 1;
}

#define PMUMAP_PERFECT_ 64u /* rows up to which one row per place is tried for, then 2, 4, 8, 16 */
#define PMUMAP_INDEXED_ 32768u /* rows up to which there is an index at all */

/*
 * Find a hash in a bounded number of tries, so that no table makes a build slow. Returns 0 if there
 * is none. The number of a try holds the rows per place (1, 2, 4, 8, 16), the size of the index
 * (times 1, 2, 4, 8) and the multiplier (32 of them). With many rows: 8 per place, and double size.
 */
static inline int pmumap_raw_hash_(struct pmumap *m, uint16_t *index, const struct pmumap_row_ *r,
				   uint32_t n)
{
	uint32_t bits = 2, end = n > PMUMAP_PERFECT_ ? 14 * 32 : 20 * 32;
	uint32_t i = n > PMUMAP_PERFECT_ ? 13 * 32 : 0;

	while (n >> bits)
		bits++;
	for (; i < end && n <= PMUMAP_INDEXED_; i++) {
		m->raw_shift = 32 - bits - (i >> 5 & 3);
		m->raw_multiplier = 0x9e3779b19e3779b1u * (2 * i + 1);
		if (pmumap_raw_try_(m, index, r, n, 1u << (i >> 7)))
			return 1;
	}
	m->raw_multiplier = 0;
	m->raw_shift = 0;
	return 0;
}

/* Bit r of the word (r / 64, nibble, value): row r may match an event with this value there. */
static inline void pmumap_build_vectors_(uint64_t *vectors, const struct pmumap_row_ *r, uint32_t n)
{
	uint32_t i, word;

	pmumap_zero_(vectors, (n + 63) / 64 * PMUMAP_VECTORS_ * sizeof(*vectors));
	for (i = 0; i < n; i++) {
		uint64_t select = r[i].key, mask = r[i].value, bit = 1u << (i & 31);

		if (i & 32)
			bit <<= 32;
		for (word = 0; word < PMUMAP_VECTORS_; word++) {
			if (((word ^ (uint32_t)select) & (uint32_t)mask & 15) == 0)
				vectors[word] |= bit;
			if (word % 16 == 15) {
				select >>= 4;
				mask >>= 4;
			}
		}
		if (i % 64 == 63)
			vectors += PMUMAP_VECTORS_;
	}
}

/* Where the rows of each place begin, out of how many it has; row 0 for places without any. */
static inline void pmumap_raw_starts_(uint16_t *index, uint32_t bits)
{
	uint32_t place, next = 1;

	for (place = 0; place >> bits == 0; place++) {
		uint32_t count = index[place];

		index[place] = (uint16_t)(count ? next : 0);
		next += count;
	}
}

/* The raw tables, from m->size on. Rows of one place lie in a row, all but the last with more. */
static inline void pmumap_build_raw_(struct pmumap *m, const struct pmumap_row_ *r, uint32_t n)
{
	struct pmumap_raw_row *rows = (struct pmumap_raw_row *)(void *)((char *)m + m->size), *row;
	uint16_t *index = (uint16_t *)(void *)(rows + n + 1);
	uint32_t i, size = m->size;

	pmumap_zero_(rows, (n + 1) * sizeof(*rows));
	rows->select = 1;
	m->raw_rows = size;
	m->raw_count = n;
	m->raw_common = ~(uint64_t)0;
	for (i = 0; i < n; i++)
		m->raw_common &= r[i].value;
	size += (n + 1) * (uint32_t)sizeof(*rows);
	if (pmumap_raw_hash_(m, index, r, n)) {
		pmumap_raw_starts_(index, 32 - m->raw_shift);
		m->raw_index = size;
		size += (uint32_t)sizeof(*index) << (32 - m->raw_shift);
	} else {
		pmumap_build_vectors_((uint64_t *)(void *)index, r, n);
		m->raw_vectors = size;
		size += (n + 63) / 64 * PMUMAP_VECTORS_ * (uint32_t)sizeof(uint64_t);
	}
	m->size = size;
	for (i = 0; i < n; i++) {
		row = rows + i + 1;
		if (m->raw_index)
			row = rows + index[pmumap_raw_place_(m, r[i].key)];
		for (; row->counters; row++) /* taken: none has 0 */
			row->more = 1;
		row->select = r[i].key;
		row->mask = r[i].value;
		row->counters = r[i].counters;
	}
}

/* The head of a map of nothing; the magic number comes last of all. */
static inline struct pmumap *pmumap_head_(const struct pmumap_builder *b)
{
	struct pmumap *m = (struct pmumap *)(void *)b->mem;

	pmumap_zero_(m, sizeof(*m));
	m->version = PMUMAP_IMAGE_VERSION;
	m->flags = b->map_flags;
	return m;
}

PMUMAP_DEF enum pmumap_status pmumap_finish(struct pmumap_builder *b, const struct pmumap **map)
{
	uint64_t need = pmumap_need_(b);
	uint32_t events = b->staged - b->raw_staged;
	struct pmumap_row_ *r;
	struct pmumap *m;

	if (map)
		*map = 0;
	if (b->status == PMUMAP_E_ARG || (b->mem && !map))
		return PMUMAP_E_ARG;
	if (need > PMUMAP_MAX_BYTES_)
		return b->status = PMUMAP_E_LIMIT;
	if (!b->mem)
		return PMUMAP_OK;
	if (b->bytes < need) {
		pmumap_found_(b, PMUMAP_WHAT_(NO_SPACE, PMUMAP_ERROR, PMUMAP_NO_TABLE_),
			      PMUMAP_NO_ROW, PMUMAP_NO_ROW, need);
		return b->status = PMUMAP_E_NOSPACE;
	}
	r = pmumap_staged_(b);
	pmumap_sort_(r, b->staged);
	m = pmumap_head_(b);
	pmumap_build_events_(b, m, r, events);
	m->size = (uint32_t)sizeof(*m) + (m->records - 1) * (uint32_t)sizeof(m->record[0]);
	if (b->lint)
		b->lint(b, m, r);
	if (b->raw_staged)
		pmumap_build_raw_(m, r + events, b->raw_staged);
	if (b->errors && (b->flags & PMUMAP_STRICT))
		return b->status = PMUMAP_E_STRICT;
	m->magic = PMUMAP_MAGIC;
	*map = m;
	return PMUMAP_OK;
}

/* ---- what is legal but hardly meant --------------------------------------------------------- */

static inline const struct pmumap_record *pmumap_record_(const struct pmumap *m, uint32_t event);

/* Counters of a range or a raw row; fixed: which of the bits 0 and 2 belong there. */
static inline void pmumap_lint_counters_(struct pmumap_builder *b, uint32_t table,
					 const struct pmumap_row_ *r, uint32_t fixed)
{
	uint32_t row = r->row & ~PMUMAP_RAW_ROW_;

	if (r->counters & 2)
		pmumap_found_(b, PMUMAP_WHAT_(TIME_BIT, PMUMAP_WARNING, table), row, PMUMAP_NO_ROW,
			      r->counters);
	if (r->counters & 5 & ~fixed)
		pmumap_found_(b, PMUMAP_WHAT_(FIXED_BIT, PMUMAP_WARNING, table), row, PMUMAP_NO_ROW,
			      r->counters);
}

/* A range; furthest: the one before it in the order of events that reaches furthest, or NULL. */
static inline void pmumap_lint_range_(struct pmumap_builder *b, const struct pmumap_row_ *r,
				      const struct pmumap_row_ *furthest)
{
	uint32_t first = pmumap_row_event_(r), last = (uint32_t)(r->value - 1), event = first;

	if (last >= PMUMAP_EVENT_LIMIT)
		pmumap_found_(b, PMUMAP_WHAT_(EVENT_WIDE, PMUMAP_WARNING, PMUMAP_RANGES_), r->row,
			      PMUMAP_NO_ROW, last);
	if (first < PMUMAP_EVENT_RAW_V2 + 0x10000u && last >= PMUMAP_EVENT_RAW) {
		pmumap_found_(b, PMUMAP_WHAT_(RANGE_RAW, PMUMAP_WARNING, PMUMAP_RANGES_), r->row,
			      PMUMAP_NO_ROW, first > PMUMAP_EVENT_RAW ? first : PMUMAP_EVENT_RAW);
	} else {
		while (event <= last && pmumap_hardware_event_(event))
			event++;
		if (event <= last)
			pmumap_found_(b,
				      PMUMAP_WHAT_(EVENT_INVALID,
						   event == first ? PMUMAP_WARNING : PMUMAP_NOTE,
						   PMUMAP_RANGES_),
				      r->row, PMUMAP_NO_ROW, event);
	}
	pmumap_lint_counters_(b, PMUMAP_RANGES_, r,
			      first != last ? 0
			      : first == 1  ? 1
			      : first == 2  ? 4
					    : 0);
	if (furthest && furthest->value > first) {
		int later = r->row > furthest->row;

		pmumap_found_(b,
			      PMUMAP_CONFLICT_(RANGE_OVERLAP, PMUMAP_WARNING, PMUMAP_RANGES_,
					       PMUMAP_RANGES_),
			      later ? r->row : furthest->row, later ? furthest->row : r->row,
			      first);
	}
}

static inline void pmumap_lint_selector_(struct pmumap_builder *b, const struct pmumap *m,
					 const struct pmumap_row_ *r)
{
	uint32_t event = pmumap_row_event_(r);

	if (!pmumap_hardware_event_(event))
		pmumap_found_(b, PMUMAP_WHAT_(EVENT_INVALID, PMUMAP_WARNING, PMUMAP_SELECTORS_),
			      r->row, PMUMAP_NO_ROW, event);
	if (event != 1 && event != 2 && pmumap_record_(m, event)->counters == 0)
		pmumap_found_(b, PMUMAP_WHAT_(SELECTOR_ORPHAN, PMUMAP_WARNING, PMUMAP_SELECTORS_),
			      r->row, PMUMAP_NO_ROW, event);
}

/* A bit that select requires, between bits that the mask ignores: a mask made of the select. */
static inline int pmumap_scattered_(uint64_t select, uint64_t mask)
{
	uint64_t ignored = ~mask, lowest = ignored & (0 - ignored), above = select & (0 - lowest);

	above &= 0 - above;
	return above && ignored > above;
}

#define PMUMAP_OVERLAPS_ 256u /* rows that each raw row is compared with at most */

/* Raw row i of the sorted ones; against those before it one finding, the nearest that conflicts. */
static inline void pmumap_lint_raw_(struct pmumap_builder *b, const struct pmumap_row_ *r,
				    uint32_t i)
{
	uint32_t row = r[i].row & ~PMUMAP_RAW_ROW_, j;

	if (r[i].key >> 56)
		pmumap_found_(b, PMUMAP_WHAT_(RAW_UNREACHABLE, PMUMAP_WARNING, PMUMAP_RAW_), row,
			      PMUMAP_NO_ROW, r[i].key);
	if (pmumap_scattered_(r[i].key, r[i].value))
		pmumap_found_(b, PMUMAP_WHAT_(RAW_WIDE, PMUMAP_WARNING, PMUMAP_RAW_), row,
			      PMUMAP_NO_ROW, r[i].value);
	pmumap_lint_counters_(b, PMUMAP_RAW_, &r[i], 0);
	for (j = i; j-- > 0 && i - j <= PMUMAP_OVERLAPS_;) {
		uint32_t other = r[j].row & ~PMUMAP_RAW_ROW_;
		uint32_t what = r[i].counters == r[j].counters ? PMUMAP_NOTE : PMUMAP_WARNING;

		if ((r[i].key ^ r[j].key) & r[i].value & r[j].value)
			continue;
		what = PMUMAP_CONFLICT_(RAW_OVERLAP, what, PMUMAP_RAW_, PMUMAP_RAW_);
		if (r[i].key == r[j].key && r[i].value == r[j].value)
			what = PMUMAP_CONFLICT_(RAW_DUPLICATE, PMUMAP_WARNING, PMUMAP_RAW_,
						PMUMAP_RAW_);
		pmumap_found_(b, what, row > other ? row : other, row > other ? other : row,
			      r[i].key | r[j].key);
		break;
	}
}

/* Whether row i of the sorted ones is a selector that counts: the first for its event. */
static inline int pmumap_selector_counts_(const struct pmumap_row_ *r, uint32_t i)
{
	return pmumap_row_selects_(&r[i]) &&
	       !(i && pmumap_row_selects_(&r[i - 1]) &&
		 pmumap_row_event_(&r[i - 1]) == pmumap_row_event_(&r[i]));
}

/* The first row, in its table's own order, that a number selects: a selector, else a raw row. */
static inline uint32_t pmumap_selecting_(const struct pmumap_row_ *r, uint32_t n, uint64_t selector)
{
	uint32_t row = PMUMAP_NO_ROW, i;

	for (i = 0; i < n; i++) {
		if (r[i].row < row &&
		    (r[i].row & PMUMAP_RAW_ROW_
			     ? (selector & r[i].value) == r[i].key
			     : r[i].value == selector && pmumap_selector_counts_(r, i)))
			row = r[i].row;
	}
	return row;
}

/* An event that its first range offers without a selector; worse where its number is one. */
static inline void pmumap_lint_orphan_(struct pmumap_builder *b, const struct pmumap_row_ *r,
				       const struct pmumap_row_ *range, uint32_t event, int again)
{
	uint32_t row = pmumap_selecting_(r, b->staged, event);

	if (!again)
		pmumap_found_(b, PMUMAP_WHAT_(COUNTERS_ORPHAN, PMUMAP_WARNING, PMUMAP_RANGES_),
			      range->row, PMUMAP_NO_ROW, event);
	if (row != PMUMAP_NO_ROW)
		pmumap_found_(
			b,
			PMUMAP_CONFLICT_(DEFAULT_COLLISION, PMUMAP_WARNING, PMUMAP_RANGES_,
					 row & PMUMAP_RAW_ROW_ ? PMUMAP_RAW_ : PMUMAP_SELECTORS_),
			range->row, row & ~PMUMAP_RAW_ROW_, event);
}

/*
 * Events 1 and 2 on fixed counters only, and events without a selector. The first range that covers
 * an event never lies before that of a lower event: one walk over both.
 */
static inline void pmumap_lint_events_(struct pmumap_builder *b, const struct pmumap *m,
				       const struct pmumap_row_ *r)
{
	const struct pmumap_row_ *range = r, *end = r + (b->staged - b->raw_staged), *orphan = 0;
	uint32_t slot, event;

	for (slot = 0; slot < 128; slot++) {
		event = pmumap_slot_event_(slot);
		while (range < end && (pmumap_row_selects_(range) || range->value <= event))
			range++;
		if (range == end || pmumap_row_event_(range) > event ||
		    !pmumap_hardware_event_(event))
			continue;
		if (event > 2 && (b->map_flags & PMUMAP_HAS_SELECTORS) &&
		    !(pmumap_record_(m, event)->key & PMUMAP_HAS_SELECTOR_)) {
			pmumap_lint_orphan_(b, r, range, event, range == orphan);
			orphan = range;
		}
		if (event <= 2 && (pmumap_record_(m, event)->counters & ~7u) == 0)
			pmumap_found_(b, PMUMAP_WHAT_(FIXED_ONLY, PMUMAP_NOTE, PMUMAP_RANGES_),
				      range->row, PMUMAP_NO_ROW, event);
	}
}

/* The sorted rows; m answers for events already. */
static inline void pmumap_lint_(struct pmumap_builder *b, const struct pmumap *m,
				const struct pmumap_row_ *r)
{
	const struct pmumap_row_ *furthest = 0, *selector = r;
	uint32_t events = b->staged - b->raw_staged, i;

	for (i = 0; i < events; i++) {
		if (!pmumap_row_selects_(&r[i])) {
			pmumap_lint_range_(b, &r[i], furthest);
			if (!furthest || furthest->value < r[i].value)
				furthest = &r[i];
		} else if (pmumap_selector_counts_(r, i)) {
			selector = &r[i];
			pmumap_lint_selector_(b, m, selector);
		} else {
			pmumap_found_(b,
				      PMUMAP_CONFLICT_(SELECTOR_DUPLICATE,
						       r[i].value == selector->value
							       ? PMUMAP_WARNING
							       : PMUMAP_ERROR,
						       PMUMAP_SELECTORS_, PMUMAP_SELECTORS_),
				      r[i].row, selector->row, pmumap_row_event_(&r[i]));
		}
	}
	for (i = 0; i < b->raw_staged; i++)
		pmumap_lint_raw_(b, r + events, i);
	pmumap_lint_events_(b, m, r);
}

PMUMAP_DEF void pmumap_listen(struct pmumap_builder *b, pmumap_report_fn *report, void *arg)
{
	b->report = report;
	b->arg = arg;
	b->lint = report ? pmumap_lint_ : 0;
	b->names[PMUMAP_SELECTORS_] = "riscv," PMUMAP_SELECTORS_NAME_;
	b->names[PMUMAP_RANGES_] = "riscv," PMUMAP_RANGES_NAME_;
	b->names[PMUMAP_RAW_] = "riscv," PMUMAP_RAW_NAME_;
}

/* ---- look-ups of RISC-V events: definitions ------------------------------------------------- */

/* The last record of the sorted run that starts at the event or before it. */
PMUMAP_OUTLINE_ const struct pmumap_record *pmumap_search_(const struct pmumap *m, uint32_t event)
{
	const struct pmumap_record *r = m->record;
	uint32_t n = m->sorted_count;

	if (event >= PMUMAP_EVENT_LIMIT)
		return r;
	r += m->sorted;
	while (n > 1) {
		uint32_t half = n / 2;

		r += pmumap_start_(&r[half]) <= event ? half : 0;
		n -= half;
	}
	return r;
}

/* Written so that the offset of the records is part of the load: one instruction less on RISC-V. */
static inline const struct pmumap_record *pmumap_indexed_record_(const struct pmumap *m,
								 uint32_t event)
{
	uint32_t i = m->event_index[pmumap_slot_(event)];

	return ((const struct pmumap *)pmumap_at_(m, i * (uint32_t)sizeof(m->record[0])))->record;
}

static inline const struct pmumap_record *pmumap_record_(const struct pmumap *m, uint32_t event)
{
	return pmumap_indexed_(event) ? pmumap_indexed_record_(m, event) : pmumap_search_(m, event);
}

static inline int pmumap_take_(const struct pmumap_record *r, uint64_t *selector)
{
	uint64_t value = r->selector;
	uint32_t found = r->key >> 31;

	PMUMAP_LOADED_(value);
	if (found)
		*selector = value;
	return (int)found;
}

PMUMAP_OUTLINE_ int pmumap_search_selector_(const struct pmumap *m, uint32_t event,
					    uint64_t *selector)
{
	return pmumap_take_(pmumap_search_(m, event), selector);
}

PMUMAP_DEF int pmumap_selector(const struct pmumap *m, uint32_t event, uint64_t *selector)
{
	if (!pmumap_indexed_(event))
		return pmumap_search_selector_(m, event, selector);
	return pmumap_take_(pmumap_indexed_record_(m, event), selector);
}

PMUMAP_OUTLINE_ uint32_t pmumap_search_counters_(const struct pmumap *m, uint32_t event)
{
	return pmumap_search_(m, event)->counters;
}

PMUMAP_DEF uint32_t pmumap_counters(const struct pmumap *m, uint32_t event)
{
	if (!pmumap_indexed_(event))
		return pmumap_search_counters_(m, event);
	return pmumap_indexed_record_(m, event)->counters;
}

/* Without an index: the rows that match every nibble of the event, 64 rows at a time. */
PMUMAP_OUTLINE_ uint32_t pmumap_raw_vectors_(const struct pmumap *m, uint64_t raw)
{
	const struct pmumap_raw_row *r = pmumap_raw_rows_(m) + 1, *end = r + m->raw_count, *row;
	const uint64_t *words = (const uint64_t *)pmumap_at_(m, m->raw_vectors);
	uint32_t counters = 0;

	for (; r < end; r += 64) {
		const uint64_t *next = words + PMUMAP_VECTORS_;
		uint64_t hits = ~(uint64_t)0, left = raw;

		for (; words < next; words += 16, left >>= 4)
			hits &= words[left & 15];
		for (row = r; hits;) {
			if (!(hits & 0xff)) {
				hits >>= 8;
				row += 8;
				continue;
			}
			if ((hits & 1) && row < end)
				counters |= row->counters;
			hits >>= 1;
			row++;
		}
	}
	return counters;
}

PMUMAP_DEF uint32_t pmumap_raw_counters(const struct pmumap *m, uint64_t raw)
{
	const struct pmumap_raw_row *r;
	uint32_t counters;

	if (!m->raw_index)
		return pmumap_raw_vectors_(m, raw);
	r = pmumap_raw_rows_(m) + pmumap_raw_index_(m)[pmumap_raw_place_(m, raw)];
	for (counters = 0;; r++) {
		uint32_t mine = r->counters;

		PMUMAP_LOADED_(mine);
		counters |= mine & (0u - (uint32_t)((raw & r->mask) == r->select));
		if (!r->more)
			return counters;
	}
}

/* The bits that a raw event has; 0: not a raw event. */
static inline uint64_t pmumap_raw_bits_(uint32_t event)
{
	if (event == PMUMAP_EVENT_RAW)
		return 0xffffffffffffu;
	return event == PMUMAP_EVENT_RAW_V2 ? 0xffffffffffffffu : 0;
}

PMUMAP_DEF int pmumap_encode(const struct pmumap *m, uint32_t event, uint64_t data, unsigned rule,
			     uint64_t *mhpmevent)
{
	uint64_t bits = pmumap_raw_bits_(event);

	if (bits)
		*mhpmevent = data & bits;
	else if (pmumap_selector(m, event, mhpmevent))
		return 1;
	else if (!pmumap_hardware_event_(event) ||
		 (rule != PMUMAP_RULE_ALWAYS &&
		  (rule != PMUMAP_RULE_ABSENT || (m->flags & PMUMAP_HAS_SELECTORS))))
		return 0;
	else
		*mhpmevent = event;
	return 1;
}

/* The last event that answers as this one does because of the same record. */
static inline uint32_t pmumap_run_end_(const struct pmumap *m, uint32_t event,
				       const struct pmumap_record *r)
{
	uint32_t limit = PMUMAP_EVENT_LIMIT - 1;

	if (pmumap_indexed_(event)) {
		while ((event & 0x3f) != 0x3f && pmumap_record_(m, event + 1) == r)
			event++;
		return event;
	}
	if (event < PMUMAP_EVENT_CACHE)
		limit = PMUMAP_EVENT_CACHE - 1;
	if (r + 1 < &m->record[0] + m->sorted + m->sorted_count) {
		uint32_t next = pmumap_start_(&r[1]);

		if (next <= limit)
			return next - 1;
	}
	return limit;
}

PMUMAP_DEF int pmumap_event_next(const struct pmumap *m, uint32_t from, struct pmumap_run *run)
{
	uint32_t last;

	for (; from < PMUMAP_EVENT_LIMIT; from = last + 1) {
		const struct pmumap_record *r = pmumap_record_(m, from);

		last = pmumap_run_end_(m, from, r);
		if (!(r->key & PMUMAP_HAS_SELECTOR_) && r->counters == 0)
			continue;
		run->first = from;
		run->last = last;
		run->counters = r->counters;
		run->has_selector = r->key >> 31;
		run->selector = r->selector;
		return 1;
	}
	return 0;
}

PMUMAP_DEF int pmumap_raw_at(const struct pmumap *m, uint32_t index, uint64_t *select,
			     uint64_t *mask, uint32_t *counters)
{
	const struct pmumap_raw_row *r = pmumap_raw_rows_(m) + 1;

	if (index >= m->raw_count)
		return 0;
	*select = r[index].select;
	*mask = r[index].mask;
	*counters = r[index].counters;
	return 1;
}

/* ---- event names: definitions --------------------------------------------------------------- */

/*
 * Named events in one order: general (codes 1..10), cache (7 caches x 3 operations x 2 results),
 * firmware (codes 0..21, then the platform's).
 */
#define PMUMAP_NAMES_CACHE_ 10u
#define PMUMAP_NAMES_FIRMWARE_ (PMUMAP_NAMES_CACHE_ + 7 * 3 * 2)
#define PMUMAP_NAMES_PLATFORM_ (PMUMAP_NAMES_FIRMWARE_ + 22)
#define PMUMAP_NAMES_ (PMUMAP_NAMES_PLATFORM_ + 1)
#define PMUMAP_EVENT_PLATFORM_ (PMUMAP_EVENT_FIRMWARE | 0xffffu)

static inline const char *pmumap_nth_name_(uint32_t n)
{
#define PMUMAP_OPS_(cache)                                                                         \
	"SBI_PMU_HW_CACHE_" cache "_READ_ACCESS\0"                                                 \
	"SBI_PMU_HW_CACHE_" cache "_READ_MISS\0"                                                   \
	"SBI_PMU_HW_CACHE_" cache "_WRITE_ACCESS\0"                                                \
	"SBI_PMU_HW_CACHE_" cache "_WRITE_MISS\0"                                                  \
	"SBI_PMU_HW_CACHE_" cache "_PREFETCH_ACCESS\0"                                             \
	"SBI_PMU_HW_CACHE_" cache "_PREFETCH_MISS\0"
	/* clang-format off */
	static const char names[] =
		"SBI_PMU_HW_CPU_CYCLES\0" "SBI_PMU_HW_INSTRUCTIONS\0"
		"SBI_PMU_HW_CACHE_REFERENCES\0" "SBI_PMU_HW_CACHE_MISSES\0"
		"SBI_PMU_HW_BRANCH_INSTRUCTIONS\0" "SBI_PMU_HW_BRANCH_MISSES\0"
		"SBI_PMU_HW_BUS_CYCLES\0" "SBI_PMU_HW_STALLED_CYCLES_FRONTEND\0"
		"SBI_PMU_HW_STALLED_CYCLES_BACKEND\0" "SBI_PMU_HW_REF_CPU_CYCLES\0"
		PMUMAP_OPS_("L1D") PMUMAP_OPS_("L1I") PMUMAP_OPS_("LL") PMUMAP_OPS_("DTLB")
		PMUMAP_OPS_("ITLB") PMUMAP_OPS_("BPU") PMUMAP_OPS_("NODE")
		"SBI_PMU_FW_MISALIGNED_LOAD\0" "SBI_PMU_FW_MISALIGNED_STORE\0"
		"SBI_PMU_FW_ACCESS_LOAD\0" "SBI_PMU_FW_ACCESS_STORE\0"
		"SBI_PMU_FW_ILLEGAL_INSN\0" "SBI_PMU_FW_SET_TIMER\0"
		"SBI_PMU_FW_IPI_SENT\0" "SBI_PMU_FW_IPI_RECEIVED\0"
		"SBI_PMU_FW_FENCE_I_SENT\0" "SBI_PMU_FW_FENCE_I_RECEIVED\0"
		"SBI_PMU_FW_SFENCE_VMA_SENT\0" "SBI_PMU_FW_SFENCE_VMA_RECEIVED\0"
		"SBI_PMU_FW_SFENCE_VMA_ASID_SENT\0" "SBI_PMU_FW_SFENCE_VMA_ASID_RECEIVED\0"
		"SBI_PMU_FW_HFENCE_GVMA_SENT\0" "SBI_PMU_FW_HFENCE_GVMA_RECEIVED\0"
		"SBI_PMU_FW_HFENCE_GVMA_VMID_SENT\0" "SBI_PMU_FW_HFENCE_GVMA_VMID_RECEIVED\0"
		"SBI_PMU_FW_HFENCE_VVMA_SENT\0" "SBI_PMU_FW_HFENCE_VVMA_RECEIVED\0"
		"SBI_PMU_FW_HFENCE_VVMA_ASID_SENT\0" "SBI_PMU_FW_HFENCE_VVMA_ASID_RECEIVED\0"
		"SBI_PMU_FW_PLATFORM";
	/* clang-format on */
#undef PMUMAP_OPS_

	return pmumap_nth_(names, n);
}

static inline uint32_t pmumap_nth_event_(uint32_t n)
{
	uint32_t cache = n - PMUMAP_NAMES_CACHE_;

	if (n < PMUMAP_NAMES_CACHE_)
		return n + 1;
	if (n < PMUMAP_NAMES_FIRMWARE_)
		return PMUMAP_EVENT_CACHE | cache / 6 << 3 | cache % 6;
	if (n < PMUMAP_NAMES_PLATFORM_)
		return PMUMAP_EVENT_FIRMWARE | (n - PMUMAP_NAMES_FIRMWARE_);
	return PMUMAP_EVENT_PLATFORM_;
}

PMUMAP_DEF int pmumap_event_valid(uint32_t event)
{
	if (event >= PMUMAP_EVENT_FIRMWARE)
		return event - PMUMAP_EVENT_FIRMWARE < 22 ||
		       (event >= PMUMAP_EVENT_FIRMWARE + 256 && event <= PMUMAP_EVENT_PLATFORM_);
	return pmumap_hardware_event_(event) || event == PMUMAP_EVENT_RAW ||
	       event == PMUMAP_EVENT_RAW_V2;
}

PMUMAP_DEF const char *pmumap_event_name(uint32_t event)
{
	uint32_t n;

	for (n = 0; n < PMUMAP_NAMES_; n++) {
		if (pmumap_nth_event_(n) == event)
			return pmumap_nth_name_(n);
	}
	return 0;
}

/* Texts are read from *at to end, in lower case and with '_' as '-'. */
static inline char pmumap_fold_(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c - 'A' + 'a');
	return c == '_' ? '-' : c;
}

/* Step over a word if the text begins with it. */
static inline int pmumap_skip_(const char **at, const char *end, const char *word)
{
	const char *c = *at;

	for (; *word; word++, c++) {
		if (c == end || pmumap_fold_(*c) != pmumap_fold_(*word))
			return 0;
	}
	*at = c;
	return 1;
}

static inline int pmumap_is_(const char *at, const char *end, const char *word)
{
	return pmumap_skip_(&at, end, word) && at == end;
}

/* All of the text as a number: at least one digit, no overflow. */
static inline int pmumap_digits_(const char *at, const char *end, uint32_t base, uint64_t *value)
{
	if (at == end)
		return 0;
	for (*value = 0; at < end; at++) {
		char c = pmumap_fold_(*at);
		uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
				 : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
							: 16;

		if (digit >= base || *value >> 60)
			return 0;
		*value = *value * base + digit;
	}
	return 1;
}

static inline int pmumap_number_(const char *at, const char *end, uint64_t *value)
{
	uint32_t base = pmumap_skip_(&at, end, "0x") ? 16 : 10;

	return pmumap_digits_(at, end, base, value);
}

/* Step over one of n words, up to '-' or the end. Returns which; n: none of them. */
static inline uint32_t pmumap_word_(const char **at, const char *end, const char *words, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++, words = pmumap_nth_(words, 1)) {
		const char *rest = *at;

		if (!pmumap_skip_(&rest, end, words) || (rest < end && pmumap_fold_(*rest) != '-'))
			continue;
		*at = rest;
		break;
	}
	return i;
}

/* perf's cache events: a cache, then operation and result in any order, each at most once. */
static inline int pmumap_parse_cache_(const char *at, const char *end, uint32_t *event)
{
	/* clang-format off */
	static const unsigned char caches[] = { 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3,
						3, 3, 4, 4, 4, 5, 5, 5, 5, 5, 6 };
	static const char cache_words[] =
		"l1-dcache\0" "l1-data\0" "l1-d\0" "l1d\0"
		"l1-icache\0" "l1-instruction\0" "l1-i\0" "l1i\0"
		"llc\0" "ll\0" "l2\0" "dtlb\0" "d-tlb\0" "data-tlb\0"
		"itlb\0" "i-tlb\0" "instruction-tlb\0"
		"branches\0" "branch\0" "bpu\0" "btb\0" "bpc\0" "node";
	static const unsigned char parts[] = { 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4 };
	static const char part_words[] =
		"load\0" "loads\0" "read\0" "store\0" "stores\0" "write\0"
		"prefetch\0" "prefetches\0" "speculative-read\0" "speculative-load\0"
		"refs\0" "reference\0" "ops\0" "access\0" "misses\0" "miss";
	/* clang-format on */
	uint32_t cache = pmumap_word_(&at, end, cache_words, sizeof(caches));
	uint32_t seen = 0, operation = 0, result = 0;

	if (cache == sizeof(caches))
		return 0;
	while (at < end) {
		uint32_t part, bit;

		at++; /* '-': pmumap_word_() stops nowhere else */
		part = pmumap_word_(&at, end, part_words, sizeof(parts));
		if (part == sizeof(parts))
			return 0;
		bit = parts[part] < 3 ? 1 : 2;
		if (seen & bit)
			return 0;
		seen |= bit;
		if (bit == 1)
			operation = parts[part];
		else
			result = parts[part] - 3u;
	}
	*event = PMUMAP_EVENT_CACHE | (uint32_t)caches[cache] << 3 | operation << 1 | result;
	return 1;
}

static inline int pmumap_parse_name_(const char *at, const char *end, uint32_t *event)
{
	static const unsigned char events[] = { 1, 5, 8, 9, 10 };
	const char *rest = at;
	uint32_t n;

	(void)pmumap_skip_(&at, end, "sbi-pmu-");
	for (n = 0; n < PMUMAP_NAMES_; n++) {
		const char *name = pmumap_nth_name_(n) + sizeof("SBI_PMU_") - 1;

		if (pmumap_is_(at, end, name) || pmumap_is_(at, end, name + sizeof("HW_") - 1) ||
		    (n >= PMUMAP_NAMES_CACHE_ && n < PMUMAP_NAMES_FIRMWARE_ &&
		     pmumap_is_(at, end, name + sizeof("HW_CACHE_") - 1))) {
			*event = pmumap_nth_event_(n);
			return 1;
		}
	}
	at = rest;
	/* clang-format off */
	n = pmumap_word_(&rest, end,
			 "cycles\0" "branches\0" "idle-cycles-frontend\0" "idle-cycles-backend\0"
			 "ref-cycles", sizeof(events));
	/* clang-format on */
	if (n == sizeof(events) || rest < end)
		return pmumap_parse_cache_(at, end, event);
	*event = events[n];
	return 1;
}

static inline int pmumap_parse_raw_(const char *at, const char *end, uint32_t *event,
				    uint64_t *data)
{
	int v2 = pmumap_skip_(&at, end, "raw-v2:");

	if (v2 || pmumap_skip_(&at, end, "raw:")) {
		if (!pmumap_number_(at, end, data))
			return 0;
	} else if (!pmumap_skip_(&at, end, "r") || !pmumap_digits_(at, end, 16, data)) {
		return 0;
	}
	*event = v2 || *data >> 48 ? PMUMAP_EVENT_RAW_V2 : PMUMAP_EVENT_RAW;
	return *data >> 56 == 0;
}

PMUMAP_DEF int pmumap_event_parse(const char *text, size_t len, uint32_t *event, uint64_t *data)
{
	const char *at = text, *end = text + len;
	uint32_t found = PMUMAP_EVENT_PLATFORM_;
	uint64_t value = 0;

	if (pmumap_number_(at, end, &value)) {
		if (value >= PMUMAP_EVENT_LIMIT)
			return 0;
		found = (uint32_t)value;
		value = 0;
	} else if (pmumap_skip_(&at, end, "fw:")) {
		if (!pmumap_number_(at, end, &value) || value > 0xffff ||
		    !pmumap_event_valid(PMUMAP_EVENT_FIRMWARE | (uint32_t)value))
			return 0;
		found = PMUMAP_EVENT_FIRMWARE | (uint32_t)value;
		value = 0;
	} else if (pmumap_skip_(&at, end, "platform:")) {
		if (!pmumap_number_(at, end, &value))
			return 0;
	} else if (!pmumap_parse_raw_(at, end, &found, &value)) {
		value = 0;
		if (!pmumap_parse_name_(at, end, &found))
			return 0;
	}
	*event = found;
	*data = value;
	return 1;
}

/* ---- picking and assigning counters: definitions -------------------------------------------- */

#define PMUMAP_FIXED_ 7u /* mcycle, time, minstret */

static inline uint32_t pmumap_lowest_(uint32_t x)
{
	uint32_t n = 0;

	if (!(x & 0xffff)) {
		n = 16;
		x >>= 16;
	}
	if (!(x & 0xff)) {
		n += 8;
		x >>= 8;
	}
	if (!(x & 0xf)) {
		n += 4;
		x >>= 4;
	}
	if (!(x & 3)) {
		n += 2;
		x >>= 2;
	}
	return n + !(x & 1);
}

/* All counters that may count an event. */
static inline uint32_t pmumap_candidates_(const struct pmumap *m, uint32_t event, uint64_t data,
					  uint32_t features)
{
	uint64_t bits = pmumap_raw_bits_(event);
	uint32_t counters;

	if (bits)
		return pmumap_raw_counters(m, data & bits) & ~PMUMAP_FIXED_;
	if (event >> 16 == 2 || event >> 16 == 3 || event >= PMUMAP_EVENT_FIRMWARE)
		return 0;
	counters = pmumap_counters(m, event) & ~PMUMAP_FIXED_;
	if ((event == 1 || event == 2) &&
	    (!(features & PMUMAP_FILTER) || (features & PMUMAP_SMCNTRPMF)))
		counters |= event == 1 ? 1u : 4u;
	return counters;
}

/* The best of some counters: with Sscofpmf one that can interrupt, the fixed ones last. */
static inline uint32_t pmumap_best_(uint32_t counters, uint32_t features)
{
	if ((features & PMUMAP_SSCOFPMF) && (counters & ~PMUMAP_FIXED_))
		counters &= ~PMUMAP_FIXED_;
	return pmumap_lowest_(counters);
}

PMUMAP_DEF int pmumap_pick(const struct pmumap *m, uint32_t event, uint64_t data, uint32_t free,
			   uint32_t features)
{
	uint32_t counters = pmumap_candidates_(m, event, data, features);

	if (counters == 0)
		return PMUMAP_UNSUPPORTED;
	if ((counters & free) == 0)
		return PMUMAP_BUSY;
	return (int)pmumap_best_(counters & free, features);
}

/* Who has each counter, as far as it is given away. */
struct pmumap_owners_ {
	uint32_t given;
	uint32_t want[32];
};

#define PMUMAP_START_ 32u

/*
 * Place one more event: the shortest chain of events that move on, from one of its counters to a
 * counter that nobody has (an augmenting path). Without one it can never be placed beside those
 * that are, so that asking once per event yields as many as possible.
 */
static inline int pmumap_place_(struct pmumap_want *want, struct pmumap_owners_ *o, uint32_t n,
				uint32_t free, uint32_t features)
{
	uint8_t from[32]; /* the counter whose owner could move here; PMUMAP_START_: n itself */
	uint32_t reached = 0, waiting = 0, mover = n, via = PMUMAP_START_, counter;

	for (;;) {
		uint32_t fresh = want[mover].counters & free & ~reached;

		reached |= fresh;
		waiting |= fresh;
		for (counter = fresh; counter; counter &= counter - 1)
			from[pmumap_lowest_(counter)] = (uint8_t)via;
		if (fresh & ~o->given)
			break;
		if (waiting == 0)
			return 0;
		via = pmumap_lowest_(waiting);
		waiting &= waiting - 1;
		mover = o->want[via];
	}
	counter = pmumap_best_(waiting & ~o->given, features);
	o->given |= 1u << counter;
	while (from[counter] != PMUMAP_START_) {
		o->want[counter] = o->want[from[counter]];
		counter = from[counter];
	}
	o->want[counter] = n;
	return 1;
}

PMUMAP_DEF int pmumap_assign(const struct pmumap *m, struct pmumap_want *want, uint32_t n,
			     uint32_t free, uint32_t features)
{
	struct pmumap_owners_ o;
	uint32_t i;
	int placed = 0;

	for (i = 0; i < n; i++) {
		want[i].counters = pmumap_candidates_(m, want[i].event, want[i].data, features);
		if (!want[i].pinned)
			want[i].counter = want[i].counters ? PMUMAP_BUSY : PMUMAP_UNSUPPORTED;
		else if (want[i].counter >= 0 && want[i].counter < 32)
			free &= ~(1u << want[i].counter);
		placed += want[i].pinned && want[i].counter >= 0;
	}
	o.given = 0;
	for (i = 0; i < n; i++) {
		if (!want[i].pinned)
			placed += pmumap_place_(want, &o, i, free, features);
	}
	for (; o.given; o.given &= o.given - 1) {
		uint32_t counter = pmumap_lowest_(o.given);

		want[o.want[counter]].counter = (int32_t)counter;
	}
	return placed;
}

#ifdef __cplusplus
}
#endif

#endif /* PMUMAP_IMPLEMENTED_ */
