/* SPDX-License-Identifier: BSD-2-Clause
 * Generated from src/ by "make headers": change it there.
 *
 * pmumap.h 0.3.1 -- which events a RISC-V PMU counts, on which counters, by which selectors.
 *
 * QUICK START
 *	#include "pmumap.h"			// nothing to define, nothing to link
 *
 *	static uint64_t block[PMUMAP_BLOCK(1, 1, 1) / 8];	// rows of each kind
 *	const struct pmumap *map;	// with malloc(), measure first: pmumap_begin(&b, 0, 0),
 *	struct pmumap_builder b;	// add the rows, pmumap_need(&b); then begin again
 *	struct pmumap_job job;
 *	enum pmumap_status status;
 *
 *	pmumap_begin(&b, block, sizeof(block));	// or pmumap_fdt_build() of pmumap_fdt.h
 *	pmumap_add_selector(&b, 0x00004, 0x302);	// cache-misses: mhpmevent = 0x302 ...
 *	pmumap_add_counters(&b, 0x00003, 0x00006, 0x18);	// ... on mhpmcounter3 or 4
 *	pmumap_add_raw(&b, 0x1, 0xfffffffffff800ff, 0x18);	// raw event class 1, likewise
 *	status = pmumap_finish(&b, &map);
 *	if (status != PMUMAP_OK) {
 *		puts(pmumap_status_str(status));	// the block is too small, ...
 *		return;
 *	}
 *	uint32_t mine = 0x1d;			// the hart's counters: 0, 2, 3 and 4
 *	// counter 3; write job.selector (0x302) to mhpmevent3
 *	int counter = pmumap_plan(map, 0x00004, 0, mine, 0, PMUMAP_RULE_ABSENT, &job);	// 3
 *
 * CONTRACT
 *   Memory	no heap, no globals, no recursion. A map is built in your block, and stays there.
 *   Image	a map has offsets, no pointers: copy it, store it, put it into ROM, open it again
 *		(pmumap_open()) on a CPU of the same byte order.
 *   Libc	none, at any optimisation level. Types: <stdint.h> and <stddef.h>, or yours.
 *   Threads	a finished map is never written: any number of harts read it without a lock.
 *   Life	building can fail. Looking up cannot, and writes nothing to the map.
 *   Input	any row, image or argument is safe. Only pointers must be valid; a pointer with a
 *		length may be NULL if the length is 0.
 *   Overlap	a block must not overlap the tree, map or strings that its map is built from. Trees
 *		and maps are checked: E_ARG.
 *   Failure	a failed build yields no map. "Not found" is never confused with the answer 0.
 *
 * LINKAGE (one mode for the whole program)
 *   default			every function is static inline; unused functions are not linked
 *				(without optimisation, a few small functions are)
 *   PMUMAP_EXTERN		declarations only, in every file; and in exactly one file also
 *   PMUMAP_IMPLEMENTATION	the definitions of all pmumap headers that the program uses
 *   PMUMAP_NO_STDINT		do not include <stdint.h> and <stddef.h>: you have defined uint8_t,
 *				uint16_t, uint32_t, uint64_t, int32_t and size_t
 *
 * More headers: pmumap_fdt.h reads device trees, pmumap_check.h finds mistakes in them and names
 * events, pmumap_hw.h accesses registers, pmumap_server.h serves the SBI PMU extension to guests.
 */

/* ---- core/version.h: Refuse a header of another version */
/* A header left over from another release would compile, and read a struct of another layout. */
#ifndef PMUMAP_VERSION_MAJOR
#define PMUMAP_VERSION_MAJOR 0
#define PMUMAP_VERSION_MINOR 3
#define PMUMAP_VERSION_PATCH 1
#elif PMUMAP_VERSION_MAJOR != 0 || PMUMAP_VERSION_MINOR != 3 || PMUMAP_VERSION_PATCH != 1
#error "headers of two versions of pmumap meet here: take all of them from one release"
#endif

/* C has no other casts and no other null pointer. A function may have the name of a struct. */
#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
#pragma GCC diagnostic ignored "-Wshadow"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#endif

/* ---- core/linkage.h: How functions are linked */
#ifndef PMUMAP_HAS_CORE_LINKAGE_
#define PMUMAP_HAS_CORE_LINKAGE_
#ifndef PMUMAP_NO_STDINT
#include <stddef.h>
#include <stdint.h>
#endif

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
#endif /* PMUMAP_HAS_CORE_LINKAGE_ */

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PMUMAP_H
#define PMUMAP_H

/* ---- core/api.h: Status codes, and the image */
#ifndef PMUMAP_HAS_CORE_API_
#define PMUMAP_HAS_CORE_API_
/*
 * 1 to 9: the caller's mistake; 10 to 19: the device tree's; from 20: the image's. Numbers never
 * change.
 */
#define PMUMAP_STATUS_LIST(X)                                                                      \
	X(OK, 0, "success")                                                                        \
	X(E_ARG, 1, "a null pointer, or memory that overlaps or is not 8-byte aligned")            \
	X(E_NOSPACE, 2, "the block is too small")                                                  \
	X(E_LIMIT, 3, "the map would pass 2 GiB, or another limit of its kind")                    \
	X(E_NODE, 4, "the tree has no node at the given offset")                                   \
	X(E_FDT_MAGIC, 10, "not a flattened device tree")                                          \
	X(E_FDT_VERSION, 11, "a device tree format other than version 17")                         \
	X(E_FDT_SIZE, 12, "the device tree is truncated, or its header lies about its parts")      \
	X(E_FDT_STRUCT, 13, "the device tree is malformed, or more than 64 levels deep")           \
	X(E_NOTFOUND, 14, "the tree describes no PMU")                                             \
	X(E_FDT_LAYOUT, 16, "strings do not come last in the device tree: fdt_open_into() it")     \
	X(E_IMAGE_MAGIC, 20, "not a map image")                                                    \
	X(E_IMAGE_ORDER, 21, "a map image of the other byte order")                                \
	X(E_IMAGE_VERSION, 22, "a map image of another version")                                   \
	X(E_IMAGE_SIZE, 23, "the map image is truncated, or above 2 GiB")                          \
	X(E_IMAGE_TABLE, 24, "a table of the map image is out of bounds or out of order")

enum pmumap_status {
#define PMUMAP_X_(name, number, text) PMUMAP_##name = number,
	PMUMAP_STATUS_LIST(PMUMAP_X_)
#undef PMUMAP_X_
};

/* A status as a phrase for people, without a full stop; never NULL. */
PMUMAP_API const char *pmumap_status_str(enum pmumap_status status);

#define PMUMAP_IMAGE_VERSION 4u

/* The head of every image, for all kinds of maps. */
struct pmumap_head_ {
	uint32_t magic, version;
	uint32_t size; /* of the whole image, a multiple of 8 */
	uint32_t flags;
};
#endif /* PMUMAP_HAS_CORE_API_ */

/* ---- core/findings_api.h: Findings */
#ifndef PMUMAP_HAS_CORE_FINDINGS_API_
#define PMUMAP_HAS_CORE_FINDINGS_API_
/* How bad a finding is. */
enum pmumap_severity {
	PMUMAP_NOTE = 1,    /* it is legal, and worth knowing */
	PMUMAP_WARNING = 2, /* this is probably a mistake */
	PMUMAP_ERROR = 3    /* the row, the node or the property is dropped */
};

#define PMUMAP_NO_NODE (-1)
#define PMUMAP_NO_ROW 0xffffffffu

/* A mistake in a tree. The comment on the kind's check function says what row and other count. */
struct pmumap_finding {
	uint32_t code;    /* from the kind's list of findings */
	const char *name; /* "raw-dead", as in that list */
	enum pmumap_severity severity;
	int node;             /* libfdt's offset of the node, or PMUMAP_NO_NODE for the whole map */
	const char *property; /* of row, or NULL; points into the tree, may hold any bytes */
	uint32_t row;         /* PMUMAP_NO_ROW: not about a single row */
	const char *other_property; /* the other row's property, or NULL */
	uint32_t other;             /* the other row of a conflict, or PMUMAP_NO_ROW */
	uint64_t value;             /* its meaning is in the list of findings */
};

/*
 * Your callback for each finding, which is valid until it returns. It must not use the builder or
 * the block, must not change the tree, and must return: no longjmp, no exception.
 */
typedef void pmumap_report_fn(void *arg, const struct pmumap_finding *finding);

/* "error", "warning" or "note" */
PMUMAP_API const char *pmumap_severity_str(enum pmumap_severity severity);
#endif /* PMUMAP_HAS_CORE_FINDINGS_API_ */

/* ---- riscv/map_api.h: The image of a map */
#define PMUMAP_MAGIC 0x504d554du
#define PMUMAP_EVENT_LIMIT 0x100000u /* event_idx of the SBI specification has 20 bits */

/*
 * The answers for one event. The table begins with the records that event_index points to. The
 * sorted run follows, up to the end: sorted by first event, it covers all events without an index
 * byte.
 */
struct pmumap_record {
	uint64_t selector;
	uint32_t counters;
	uint32_t key; /* bit 31: has a selector; the rest, in the sorted run: first event */
};

struct pmumap_raw_row {
	uint64_t select, mask;
	uint32_t counters;
	uint32_t more; /* the next row of the same place, in bytes from raw_none; 0: the last */
};

/*
 * The head of every map; its tables follow in the same block, at offsets in bytes from the head. A
 * zeroed struct pmumap is a valid, empty map. Read it through the functions below: its members
 * change with PMUMAP_IMAGE_VERSION.
 */
struct pmumap {
	struct pmumap_head_ head; /* flags: PMUMAP_HAS_SELECTORS */
	uint32_t records;         /* all records; record[0] is absent: no selector, no counter */
	uint32_t sorted;          /* the first record of the sorted run, for event 0 on ... */
	uint32_t sorted_count;    /* ... and how many it has; record[0] alone if it is empty */
	uint32_t raw_rows;        /* offset of raw_count rows, and raw_copies behind them */
	uint32_t raw_count;
	uint32_t raw_copies;
	uint32_t raw_low;               /* the lowest bits of a raw event, which are its place */
	uint32_t reserved;              /* 0 */
	struct pmumap_raw_row raw_none; /* of a place without rows; more: all rows, unindexed */
	uint8_t event_index[128];
	/*
	 * From record[1] on lies the raw index: for each place its first row, in units of 8 bytes
	 * from raw_none. It takes (raw_low + 8) / 8 records.
	 */
	struct pmumap_record record[2];
};

#define PMUMAP_HAS_SELECTORS 1u /* head.flags: the description has a table of selectors */

/*
 * Validate an image from elsewhere; afterwards no look-up reads outside it. image: 8-byte aligned;
 * bytes: at least its size, which is at most 2 GiB.
 *
 * Returns  PMUMAP_OK and the map, which is the image itself; on failure *map is NULL.
 * Errors   E_ARG, E_IMAGE_*.
 * Cost     O(size); writes nothing.
 */
PMUMAP_API enum pmumap_status pmumap_open(const void *image, size_t bytes,
					  const struct pmumap **map);

/* Bytes of the image, for copying or storing it. */
PMUMAP_API size_t pmumap_size(const struct pmumap *m);

/* ---- riscv/builder_api.h: The builder: from rows to a map */
/* One per build, usually on the stack. Its members are private. */
struct pmumap_builder {
	unsigned char *mem;
	size_t bytes, room; /* of the block; how many rows fit into it */
	enum pmumap_status status;
	uint32_t map_flags;
	uint64_t selector_rows, counter_rows, raw_rows; /* added so far, including dropped ones */
	uint32_t kept,
		raw_kept;      /* rows waiting at the end of the block; how many of them are raw */
	uint32_t sorted_bound; /* upper bound of records in the sorted run */
};

/*
 * Begin a map in your block, or only measure it.
 *
 * mem: 8-byte aligned. NULL: measure only; add all rows, then call pmumap_need(). The block belongs
 * to the builder until pmumap_finish(). Trees, maps and strings that you add must not overlap it.
 */
PMUMAP_API void pmumap_begin(struct pmumap_builder *b, void *mem, size_t bytes);

/*
 * Bytes of block that the rows added so far need; the same for any block. The finished map is
 * smaller: it takes pmumap_size() bytes at the start of the block, and you may reuse the rest.
 */
PMUMAP_API size_t pmumap_need(const struct pmumap_builder *b);

/*
 * Build the map at the start of the block. This uses the builder up: its functions return E_ARG
 * until the next pmumap_begin().
 *
 * Returns  PMUMAP_OK and the map (NULL when measuring); on failure *map is NULL.
 * Errors   E_ARG; E_NOSPACE; E_LIMIT, also from 2^30 rows on, including dropped ones.
 * Cost     O(n log n) for any n rows. Their order does not matter, except that the first of two
 *          selectors for one event wins.
 */
PMUMAP_API enum pmumap_status pmumap_finish(struct pmumap_builder *b, const struct pmumap **map);

/* ---- riscv/api.h: Add rows, look up */
/*
 * Add a row to one of the three tables, in any order. Unusable rows are dropped.
 *
 * Returns  PMUMAP_OK, even if the row was dropped or did not fit; then pmumap_finish() fails for
 *          the latter.
 * Errors   E_ARG: pmumap_begin() got misaligned memory, or the builder is used up.
 * Cost     O(1).
 */
PMUMAP_API enum pmumap_status pmumap_add_selector(struct pmumap_builder *b, uint32_t event,
						  uint64_t selector);
PMUMAP_API enum pmumap_status pmumap_add_counters(struct pmumap_builder *b, uint32_t first,
						  uint32_t last, uint32_t counters);
PMUMAP_API enum pmumap_status pmumap_add_raw(struct pmumap_builder *b, uint64_t select,
					     uint64_t mask, uint32_t counters);

/* The tables of a riscv,pmu node. */
enum pmumap_table {
	PMUMAP_TABLE_SELECTORS, /* riscv,event-to-mhpmevent */
	PMUMAP_TABLE_COUNTERS,  /* riscv,event-to-mhpmcounters */
	PMUMAP_TABLE_RAW,       /* riscv,raw-event-to-mhpmcounters */
	PMUMAP_TABLE_RAW_2021   /* pmu,raw-event-to-mhpmcounters: its rows have no mask */
};

/*
 * Add all rows of a table: the value of its property as the tree stores it, big-endian and at any
 * address, and its length. A rest that is no whole row is ignored. NULL: the tree has no such
 * property, whatever bytes says; so pass on what fdt_getprop() returns.
 *
 * Returns  as pmumap_add_selector(); E_ARG also for an unknown table.
 */
PMUMAP_API enum pmumap_status pmumap_add_table(struct pmumap_builder *b, enum pmumap_table table,
					       const void *cells, size_t bytes);

/*
 * Bytes of a block that is always large enough for this many rows, as a constant:
 *	static uint64_t block[PMUMAP_BLOCK(10, 10, 3) / 8];
 * pmumap_need() often asks for less.
 */
#define PMUMAP_BLOCK(selectors, ranges, raws)                                                      \
	(sizeof(struct pmumap) + PMUMAP_BLOCK_SWEEP_ +                                             \
	 sizeof(struct pmumap_record) * (PMUMAP_BLOCK_INDEXED_(2u * ((selectors) + (ranges))) +    \
					 2u * ((selectors) + (ranges)) + 1u) +                     \
	 24u * ((selectors) + (ranges) + (raws)) + PMUMAP_BLOCK_RAW_((raws)))
#define PMUMAP_BLOCK_SWEEP_ 128u
#define PMUMAP_BLOCK_INDEXED_(n) ((n) < 128u ? (n) : 128u)
#define PMUMAP_BLOCK_RAW_(n) ((n) == 0 ? 0u : 48u * (n) + 144u + 2u * PMUMAP_BLOCK_PLACES_((n)))
#define PMUMAP_BLOCK_PLACES_(n) ((n) < 32u ? 16u * (n) + 16u : 512u)

#define PMUMAP_EVENT_CACHE 0x10000u
#define PMUMAP_EVENT_RAW 0x20000u    /* the event is in the data, 48 bits */
#define PMUMAP_EVENT_RAW_V2 0x30000u /* the event is in the data, 56 bits */
#define PMUMAP_EVENT_FIRMWARE 0xf0000u

/*
 * The value for mhpmevent. Returns 1; or 0 if there is none, and *selector is unchanged.
 * Cost     one table access for codes 0..0x3f and 0x10000..0x1003f, which include all hardware
 *          events of SBI; otherwise a binary search.
 */
PMUMAP_API int pmumap_selector(const struct pmumap *m, uint32_t event, uint64_t *selector);

/*
 * The counters that some row offers for an event. Bit N: mhpmcounterN (0 mcycle, 1 time, 2
 * minstret).
 */
PMUMAP_API uint32_t pmumap_counters(const struct pmumap *m, uint32_t event);

/*
 * The counters of all rows that match a raw event: select == (raw & mask).
 * Cost     one row and an index of up to 512 places by the lowest bits. If that row does not match,
 *          the others that begin with the same bits too. All rows above about 10,000.
 */
PMUMAP_API uint32_t pmumap_raw_counters(const struct pmumap *m, uint64_t raw);

/* How to encode an event without a selector. */
enum pmumap_rule {
	PMUMAP_RULE_NONE,   /* not at all */
	PMUMAP_RULE_ABSENT, /* as event_idx if there is no selector table (QEMU's trees, RustSBI) */
	PMUMAP_RULE_ALWAYS  /* as event_idx (OpenSBI) */
};

/*
 * The value for mhpmevent of a hardware event: its selector, or event_idx by the rule; of a raw
 * event its data, cut to 48 or 56 bits. Returns 1; or 0, and *mhpmevent is unchanged.
 */
PMUMAP_API int pmumap_encode(const struct pmumap *m, uint32_t event, uint64_t data, unsigned rule,
			     uint64_t *mhpmevent);

/* Consecutive events with the same answers: counters, a selector, or both. */
struct pmumap_run {
	uint32_t first, last;
	uint32_t counters;
	uint32_t has_selector;
	uint64_t selector;
};

/* List the runs of the map. Begin with from 0, continue with last + 1. Returns 0 at the end. */
PMUMAP_API int pmumap_event_next(const struct pmumap *m, uint32_t from, struct pmumap_run *run);

/* List the raw rows in the map's order. Returns 0 if index is too large. */
PMUMAP_API int pmumap_raw_at(const struct pmumap *m, uint32_t index, uint64_t *select,
			     uint64_t *mask, uint32_t *counters);

/*
 * What a guest may use. A range with PMUMAP_EVENT_RAW (0x20000) grants raw events; a range with
 * PMUMAP_EVENT_RAW_V2 alone grants nothing.
 */
struct pmumap_range {
	uint32_t first, last;
};
struct pmumap_grant {
	uint32_t counters;
	uint32_t count; /* of ranges; 0: all events */
	const struct pmumap_range *ranges;
};

/*
 * Add the rows of a finished map; with grant, only granted events with granted counters. An event
 * without a counter loses its selector too.
 * Errors   E_ARG, as above; also if the map overlaps the builder's block: then nothing is added.
 * Cost     O(runs * ranges).
 */
PMUMAP_API enum pmumap_status pmumap_add_map(struct pmumap_builder *b, const struct pmumap *m,
					     const struct pmumap_grant *grant);

/*
 * Build a guest's map in a block of its own: pmumap_begin(), pmumap_add_map() and pmumap_finish()
 * in one call, with their errors.
 */
PMUMAP_API enum pmumap_status pmumap_restrict(const struct pmumap *m,
					      const struct pmumap_grant *grant, void *mem,
					      size_t bytes, const struct pmumap **map);

/* Whether SBI v3.0 defines the event (firmware: 0..21, 256..65535). 0 means "no event". */
PMUMAP_API int pmumap_event_valid(uint32_t event);

/* ---- riscv/pmu_api.h: Choose counters, and describe what they count */
#define PMUMAP_BUSY (-1)        /* all counters that can count it are in use */
#define PMUMAP_UNSUPPORTED (-2) /* no counter can count it */

/* Features of the hart, and needs of a count. 8 is PMUMAP_MCOUNTINHIBIT. */
#define PMUMAP_CAN_INTERRUPT 1u /* programmable counters interrupt on overflow */
#define PMUMAP_CAN_FILTER 16u   /* programmable counters can filter modes */
#define PMUMAP_SSCOFPMF (PMUMAP_CAN_FILTER | PMUMAP_CAN_INTERRUPT)
#define PMUMAP_SMCNTRPMF 2u   /* mcycle and minstret can filter modes */
#define PMUMAP_MUST_FILTER 4u /* modes must be filtered: mcycle and minstret need SMCNTRPMF */
#define PMUMAP_DELEGATED 32u  /* M-mode can delegate counters: Smcdeleg, Ssccfg */

/* Modes in which a counter must not count, in the order of SBI's filter flags (bit 3 on). */
#define PMUMAP_INHIBIT_VU 1u
#define PMUMAP_INHIBIT_VS 2u
#define PMUMAP_INHIBIT_U 4u
#define PMUMAP_INHIBIT_S 8u
#define PMUMAP_INHIBIT_M 16u

/* What a counter is to count. */
struct pmumap_job {
	uint64_t data;     /* of the event */
	uint64_t selector; /* from pmumap_encode() */
	uint32_t event;
	uint32_t inhibit; /* modes, as far as the counter can filter them */
	uint32_t clear;   /* 1: count from 0 */
};

/*
 * Plan one event: choose the free counter that suits it best, the lowest of equals. *job gets the
 * event, its data and its selector; its other members are 0.
 *
 * free: the hart's unused counters, 0 and 2 included. Pass 0 to learn only whether the event is
 * supported (BUSY). If it is BUSY with all counters free, the tree promises counters that the hart
 * lacks.
 *
 * Fixed counters 0 and 2 count events 1 and 2 (cycles, instructions) even without a row, with
 * selector 0. If programmable counters can interrupt, the fixed ones (which cannot) are chosen
 * last, otherwise first. No other event gets counters 0 to 2.
 *
 * An event without a selector by the rule can use fixed counters only. UNSUPPORTED are also
 * firmware events and SBI's reserved types (4 to 14), even if a row covers them. FILTER does not
 * exclude programmable counters: check CAN_FILTER yourself.
 *
 * Returns  the counter, PMUMAP_BUSY or PMUMAP_UNSUPPORTED.
 */
PMUMAP_API int pmumap_plan(const struct pmumap *m, uint32_t event, uint64_t data, uint32_t free,
			   uint32_t features, unsigned rule, struct pmumap_job *job);

struct pmumap_want {
	uint64_t data;
	uint32_t event;
	uint32_t pinned;   /* in: 1: it already runs on counter, and stays there */
	int32_t counter;   /* out: as from pmumap_plan(); in, if pinned */
	uint32_t counters; /* out: all counters that can count it, free or not */
};

/*
 * Plan n events at once by the same rules. The assignment is optimal: it places as many events as
 * possible; if not all fit, earlier events win. job[i] is for want[i].
 *
 * A pinned event keeps its counter, which need not be free. Below 0 it has none. Above 31 it is a
 * firmware counter, and takes none from the others.
 *
 * Returns  how many events have a counter, including pinned ones.
 * Cost     O(n); each event moves at most 32 others.
 */
PMUMAP_API int pmumap_plan_all(const struct pmumap *m, struct pmumap_want *want, uint32_t n,
			       uint32_t free, uint32_t features, unsigned rule,
			       struct pmumap_job *job);

/*
 * The counters of one hart, numbered like mhpmcounterN. Behind them may be CSRs or SBI firmware
 * (pmumap_hart_as_pmu() and pmumap_sbi_as_pmu() of pmumap_hw.h), an emulator or a test.
 *
 *   set	stop the counter and prepare it for this job; with clear, write 0. Returns 1; or 0
 *		if it cannot do that: nothing changes, but SBI firmware releases the counter
 *   start	start the counter at *value; with NULL, continue. Firmware may refuse silently
 *   stop	stop the counter; release: it no longer belongs to an event
 *   read	the counter's value
 *   overflowed	whether the counter has wrapped since start; 0 if the hart cannot tell
 */
struct pmumap_pmu {
	int (*set)(void *arg, uint32_t counter, const struct pmumap_job *job);
	void (*start)(void *arg, uint32_t counter, const uint64_t *value);
	void (*stop)(void *arg, uint32_t counter, int release);
	uint64_t (*read)(void *arg, uint32_t counter);
	int (*overflowed)(void *arg, uint32_t counter);
	void *arg;
};

/*
 * The same counters with functions that move many at once, for hosts where each call is expensive
 * (pmumap_sbi_sets()): see pmumap_vpmu_restore_sets(). Bit N of a set is counter N; arg is one.arg.
 *
 *   release	store the values of running in value[], add counters that wrapped since start to
 *		*overflowed, then stop and release all of loaded. The values of touched stay secret:
 *		the next load wipes those that it does not reuse. Returns the counters that the hart
 *		refused to stop; they may still count
 *   load	give counters their jobs, start each at its value, and wipe what release left in
 *		others. Returns the failures, all released: of counters, and of those that set and
 *		start loaded before, what the hart refused; of the others, what it could not wipe
 */
struct pmumap_pmu_sets {
	struct pmumap_pmu one;
	uint32_t (*release)(void *arg, uint32_t touched, uint32_t loaded, uint32_t running,
			    uint64_t *value, uint32_t *overflowed);
	uint32_t (*load)(void *arg, uint32_t counters, const struct pmumap_job *job,
			 const uint64_t *value);
};

struct pmumap_sbi_ret {
	int32_t error;
	uint64_t value; /* xlen bits */
};

/* SBI errors that the PMU extension returns. */
#define PMUMAP_SBI_OK 0
#define PMUMAP_SBI_FAILED (-1)
#define PMUMAP_SBI_NOT_SUPPORTED (-2)
#define PMUMAP_SBI_INVALID_PARAM (-3)
#define PMUMAP_SBI_INVALID_ADDRESS (-5)
#define PMUMAP_SBI_ALREADY_STARTED (-7)
#define PMUMAP_SBI_ALREADY_STOPPED (-8)
#define PMUMAP_SBI_NO_SHMEM (-9)

#define PMUMAP_SBI_EID 0x504d55u

/* The functions of the PMU extension, and their flags. */
enum {
	PMUMAP_SBI_NUM_COUNTERS,
	PMUMAP_SBI_GET_INFO,
	PMUMAP_SBI_CONFIG_MATCHING,
	PMUMAP_SBI_START,
	PMUMAP_SBI_STOP,
	PMUMAP_SBI_FW_READ,
	PMUMAP_SBI_FW_READ_HI,
	PMUMAP_SBI_SNAPSHOT_SET_SHMEM,
	PMUMAP_SBI_EVENT_GET_INFO,

	PMUMAP_SBI_SKIP_MATCH = 1, /* of CONFIG_MATCHING; from bit 3 on PMUMAP_INHIBIT_* */
	PMUMAP_SBI_CLEAR_VALUE = 2,
	PMUMAP_SBI_AUTO_START = 4,
	PMUMAP_SBI_INHIBIT_SHIFT = 3,

	PMUMAP_SBI_SET_INIT_VALUE = 1, /* of START */
	PMUMAP_SBI_INIT_SNAPSHOT = 2,

	PMUMAP_SBI_RESET = 1, /* of STOP */
	PMUMAP_SBI_TAKE_SNAPSHOT = 2
};

#endif /* PMUMAP_H */

#if PMUMAP_LINKAGE_ == 1 && (defined(PMUMAP_EXTERN) || defined(PMUMAP_IMPLEMENTATION))
#error "pmumap.h was included here without PMUMAP_EXTERN before: define that for the whole program"
#endif

#if (PMUMAP_LINKAGE_ == 1 || defined(PMUMAP_IMPLEMENTATION)) && !defined(PMUMAP_IMPLEMENTED_)
#define PMUMAP_IMPLEMENTED_

/* ---- core/compiler.h: Keep compilers from calling libc */
#ifndef PMUMAP_HAS_CORE_COMPILER_
#define PMUMAP_HAS_CORE_COMPILER_
#ifdef __GNUC__
/* For loops like memset, memcpy or strlen, which compilers replace by calls, even freestanding. */
#define PMUMAP_NO_LIBCALL_() __asm__ __volatile__("" : : : "memory")
/*
 * Load the value before the branch that depends on it, so that the compiler can select without a
 * branch. On x86-64 a selector takes 3 ns instead of 9 if keys come in random order.
 */
#define PMUMAP_LOADED_(x) __asm__ __volatile__("" : "+r"(x))
/* Never inline: a fast path needs no stack frame then, and gcc -Os makes no copies. */
#define PMUMAP_OUTLINE_ static __attribute__((__noinline__, __unused__))
/* Inline even when optimising for size: the call would be larger. */
#define PMUMAP_ALWAYS_INLINE_ static inline __attribute__((__always_inline__))
/* Inline into callers unless optimising for size: a leaf look-up needs no stack frame. */
#ifdef __OPTIMIZE_SIZE__
#define PMUMAP_INLINE_ static inline
#else
#define PMUMAP_INLINE_ PMUMAP_ALWAYS_INLINE_
#endif
/* Where unaligned big-endian loads are one instruction, a call would be larger. */
#ifdef __powerpc64__
#define PMUMAP_LOAD_ PMUMAP_ALWAYS_INLINE_
#else
#define PMUMAP_LOAD_ static inline
#endif
/* Memory of this type may be accessed as another type. */
#define PMUMAP_MAY_ALIAS_ __attribute__((__may_alias__))
/* Runs once per boot; optimised for size even at -O2. Not for work per node or per name. */
#define PMUMAP_COLD_ __attribute__((__cold__))
#else
#define PMUMAP_NO_LIBCALL_() ((void)0)
#define PMUMAP_LOADED_(x) ((void)0)
#define PMUMAP_OUTLINE_ static inline
#define PMUMAP_ALWAYS_INLINE_ static inline
#define PMUMAP_INLINE_ static inline
#define PMUMAP_LOAD_ static inline
#define PMUMAP_MAY_ALIAS_
#define PMUMAP_COLD_
#endif
#endif /* PMUMAP_HAS_CORE_COMPILER_ */

/* ---- core/status.h: The texts of status codes */
#ifndef PMUMAP_HAS_CORE_STATUS_
#define PMUMAP_HAS_CORE_STATUS_
/* Skip n strings. They are one array because an array of pointers would need relocations. */
static inline const char *pmumap_nth_text_(const char *texts, uint32_t n)
{
	while (n) {
		if (*texts++ == 0)
			n--;
		PMUMAP_NO_LIBCALL_();
	}
	return texts;
}

/* The text of a number; an unknown number gets the text after the last one. */
static inline const char *pmumap_text_of_number_(const unsigned char *numbers, uint32_t n,
						 const char *texts, uint32_t number)
{
	uint32_t i = 0;

	while (i < n && numbers[i] != number)
		i++;
	return pmumap_nth_text_(texts, i);
}

PMUMAP_DEF const char *pmumap_status_str(enum pmumap_status status)
{
#define PMUMAP_X_(name, number, text) number,
	static const unsigned char numbers[] = { PMUMAP_STATUS_LIST(PMUMAP_X_) };
#undef PMUMAP_X_
#define PMUMAP_X_(name, number, text) text "\0"
	static const char texts[] = PMUMAP_STATUS_LIST(PMUMAP_X_) "unknown status";
#undef PMUMAP_X_

	return pmumap_text_of_number_(numbers, sizeof(numbers), texts, (uint32_t)status);
}
#endif /* PMUMAP_HAS_CORE_STATUS_ */

/* ---- core/findings.h: The texts of findings */
#ifndef PMUMAP_HAS_CORE_FINDINGS_
#define PMUMAP_HAS_CORE_FINDINGS_
PMUMAP_DEF const char *pmumap_severity_str(enum pmumap_severity severity)
{
	return severity == PMUMAP_ERROR ? "error" : severity == PMUMAP_WARNING ? "warning" : "note";
}
#endif /* PMUMAP_HAS_CORE_FINDINGS_ */

/* ---- core/image.h: Checks of a foreign image's head, and its offsets */
#ifndef PMUMAP_HAS_CORE_IMAGE_
#define PMUMAP_HAS_CORE_IMAGE_
#define PMUMAP_MAX_BYTES_ 0x7fffffffu

static inline const void *pmumap_image_at_(const void *m, uint32_t offset)
{
	return (const char *)m + offset;
}

/*
 * Whether count elements of this size are in bounds, 8-byte aligned and behind the kind's head.
 * Nothing can wrap, and there is no division.
 */
static inline int pmumap_image_holds_(const struct pmumap_head_ *h, uint32_t head, uint32_t offset,
				      uint32_t count, uint32_t each)
{
	return offset >= head && offset % 8 == 0 && offset <= h->size &&
	       (uint64_t)count * each <= h->size - offset;
}

/* The same for an image with the head of m's type. */
#define PMUMAP_IMAGE_HOLDS_(m, offset, count, each)                                                \
	pmumap_image_holds_(&(m)->head, sizeof(*(m)), offset, count, each)

/* Check the head of a foreign image. head: the size of its kind's head, which includes this one. */
static inline enum pmumap_status pmumap_image_check_(const void *image, size_t bytes,
						     uint32_t magic, size_t head)
{
	const struct pmumap_head_ *h = (const struct pmumap_head_ *)image;

	if (!image || (size_t)image % 8)
		return PMUMAP_E_ARG;
	if (bytes < 2 * sizeof(uint32_t))
		return PMUMAP_E_IMAGE_SIZE;
	if (h->magic ==
	    ((magic & 0xff) << 24 | (magic & 0xff00) << 8 | (magic >> 8 & 0xff00) | magic >> 24))
		return PMUMAP_E_IMAGE_ORDER;
	if (h->magic != magic)
		return PMUMAP_E_IMAGE_MAGIC;
	if (h->version != PMUMAP_IMAGE_VERSION)
		return PMUMAP_E_IMAGE_VERSION;
	if (bytes < head || h->size < head || h->size > bytes || h->size > PMUMAP_MAX_BYTES_ ||
	    h->size % 8)
		return PMUMAP_E_IMAGE_SIZE;
	return PMUMAP_OK;
}
#endif /* PMUMAP_HAS_CORE_IMAGE_ */

/* ---- riscv/tables.h: Tables of events and of raw rows */
#define PMUMAP_EVENT_CYCLES_ 1u       /* the events that a fixed counter can count: mcycle ... */
#define PMUMAP_EVENT_INSTRUCTIONS_ 2u /* ... and minstret */

#define PMUMAP_EVENT_PLATFORM_ (PMUMAP_EVENT_FIRMWARE | 0xffffu) /* its code is in the data */
#define PMUMAP_EVENT_RAW_END_ 0x40000u /* the first event after the codes of raw events */

#define PMUMAP_COUNTERS_ 32u /* of a hart: the bits of a set of counters */

/* The fixed counters, as bits. */
#define PMUMAP_CYCLE_BIT_ 1u
#define PMUMAP_TIME_BIT_ 2u
#define PMUMAP_INSTRET_BIT_ 4u
#define PMUMAP_FIXED_COUNTERS_ (PMUMAP_CYCLE_BIT_ | PMUMAP_TIME_BIT_ | PMUMAP_INSTRET_BIT_)
#define PMUMAP_FIRST_PROGRAMMABLE_ 3

#define PMUMAP_RECORD_HAS_SELECTOR_ 0x80000000u /* pmumap_record.key */
#define PMUMAP_INDEXED_EVENTS_ 128u             /* that have a byte in event_index */
#define PMUMAP_RAW_PLACES_ 512u                 /* of the raw index, at most */

/* raw_count rows, and raw_copies behind them. */
static inline const struct pmumap_raw_row *pmumap_riscv_raw_rows_(const struct pmumap *m)
{
	return (const struct pmumap_raw_row *)pmumap_image_at_(m, m->raw_rows);
}

/* Lies where records were written. */
typedef uint16_t pmumap_raw_place_ PMUMAP_MAY_ALIAS_;

/* For each place, its first row. */
static inline const pmumap_raw_place_ *pmumap_riscv_raw_index_(const struct pmumap *m)
{
	return (const pmumap_raw_place_ *)(const void *)&m->record[1];
}

/* The records that the raw index takes. */
static inline uint32_t pmumap_riscv_raw_records_(const struct pmumap *m)
{
	return (m->raw_low + 8) / 8;
}

/* The row so many bytes from raw_none. That is part of the load, which saves an instruction. */
static inline const struct pmumap_raw_row *pmumap_riscv_raw_row_(const struct pmumap *m,
								 size_t offset)
{
	return &((const struct pmumap *)(const void *)((const char *)m + offset))->raw_none;
}

/* Offsets in struct pmumap; there may be no <stddef.h> to ask. */
#define PMUMAP_RAW_NONE_AT_ 48u
#define PMUMAP_RECORDS_AT_ 200u

/* Where a row is from raw_none on. */
static inline uint32_t pmumap_riscv_raw_offset_(const struct pmumap *m, uint32_t row)
{
	return m->raw_rows - PMUMAP_RAW_NONE_AT_ + row * (uint32_t)sizeof(struct pmumap_raw_row);
}

/* The first event that a record of the sorted run covers. */
static inline uint32_t pmumap_riscv_first_event_(const struct pmumap_record *r)
{
	return r->key & ~PMUMAP_RECORD_HAS_SELECTOR_;
}

/* SBI's hardware events: 1 to 10, and 7 caches with 3 operations (2 bits) and 2 results. */
static inline int pmumap_riscv_is_hardware_event_(uint32_t event)
{
	if (event < PMUMAP_EVENT_CACHE)
		return event >= 1 && event <= 10;
	event -= PMUMAP_EVENT_CACHE;
	return event < 7 * 8 && (event & 6) != 6;
}

/* Whether an event has a byte in event_index: 0 to 0x3f, 0x10000 to 0x1003f. */
static inline int pmumap_riscv_is_indexed_event_(uint32_t event)
{
	size_t page = event >> 6; /* size_t gives the smallest code on RISC-V */

	return (page & ~(size_t)(PMUMAP_EVENT_CACHE >> 6)) == 0;
}

static inline uint32_t pmumap_riscv_index_slot_(uint32_t event)
{
	return (event | event >> 10) & 0x7f;
}

static inline uint32_t pmumap_riscv_slot_event_(uint32_t slot)
{
	return (slot & 0x3f) | (slot & 0x40) << 10;
}

/* The last record of the sorted run that starts at or before the event. */
static inline const struct pmumap_record *pmumap_riscv_search_record_(const struct pmumap *m,
								      uint32_t event)
{
	const struct pmumap_record *r = m->record;
	uint32_t n = m->sorted_count;

	if (event >= PMUMAP_EVENT_LIMIT)
		return r;
	r += m->sorted;
	while (n > 1) {
		uint32_t half = n / 2;

		r += pmumap_riscv_first_event_(&r[half]) <= event ? half : 0;
		n -= half;
	}
	return r;
}

/*
 * The record of an event with an index byte. The offset of the records is part of the load, which
 * saves an instruction on RISC-V.
 */
static inline const struct pmumap_record *pmumap_riscv_indexed_record_(const struct pmumap *m,
								       uint32_t event)
{
	uint32_t i = m->event_index[pmumap_riscv_index_slot_(event)];

	return ((const struct pmumap *)pmumap_image_at_(m, i * (uint32_t)sizeof(m->record[0])))
		->record;
}

static inline const struct pmumap_record *pmumap_riscv_record_of_event_(const struct pmumap *m,
									uint32_t event)
{
	return pmumap_riscv_is_indexed_event_(event) ? pmumap_riscv_indexed_record_(m, event)
						     : pmumap_riscv_search_record_(m, event);
}

#define PMUMAP_RAW_BITS_ 0xffffffffffffu /* the bits of a raw event: 48, or 56 */
#define PMUMAP_RAW_V2_BITS_ 0xffffffffffffffu

/* The bits of a raw event, or 0 for any other event. */
static inline uint64_t pmumap_riscv_raw_bits_(uint32_t event)
{
	if (event == PMUMAP_EVENT_RAW)
		return PMUMAP_RAW_BITS_;
	return event == PMUMAP_EVENT_RAW_V2 ? PMUMAP_RAW_V2_BITS_ : 0;
}

/* The lowest set bit's number; x is not 0. */
static inline uint32_t pmumap_lowest_bit_(uint32_t x)
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

/* How many bits x needs; 0 for 0. */
static inline uint32_t pmumap_bit_width_(uint64_t x)
{
	uint32_t n = 0;

	for (; x; x >>= 1)
		n++;
	return n;
}

/* ---- riscv/open.h: Validate the tables of a foreign image */
/*
 * Whether each selector of the sorted run belongs to one event. One selector for a million events
 * would make pmumap_add_map() add a million rows.
 */
static inline int pmumap_riscv_open_selectors_(const struct pmumap *m)
{
	const struct pmumap_record *r = m->record;
	uint32_t next = PMUMAP_EVENT_LIMIT, first, end, i;

	r += m->sorted;
	for (i = m->sorted_count; i > 0; i--) {
		first = pmumap_riscv_first_event_(&r[i - 1]);
		/* After event 0xffff the run skips the events with an index byte. */
		end = first == PMUMAP_EVENT_CACHE - 1 ? PMUMAP_EVENT_CACHE + 0x40 : first + 1;
		if ((r[i - 1].key & PMUMAP_RECORD_HAS_SELECTOR_) && next != end)
			return 0;
		next = first;
	}
	return 1;
}

/*
 * Whether the records are valid: in bounds, record[0] empty, every index byte in range, the sorted
 * run rising from event 0, and its selectors for one event each.
 */
static inline int pmumap_riscv_open_events_(const struct pmumap *m)
{
	const struct pmumap_record *r = m->record;
	uint32_t i;

	if ((uint64_t)m->records * sizeof(*r) > m->head.size - PMUMAP_RECORDS_AT_)
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
	if (pmumap_riscv_first_event_(r))
		return 0;
	for (i = 1; i < m->sorted_count; i++) {
		if (pmumap_riscv_first_event_(&r[i]) <= pmumap_riscv_first_event_(&r[i - 1]) ||
		    pmumap_riscv_first_event_(&r[i]) >= PMUMAP_EVENT_LIMIT)
			return 0;
	}
	return pmumap_riscv_open_selectors_(m);
}

/*
 * The number of the row at this offset from the first one; too high for any number of rows if there
 * is none. 3 * 0xaaaaaaab is 1 modulo 2^32, and no two offsets have the same number.
 */
static inline uint32_t pmumap_riscv_raw_number_(uint32_t offset)
{
	return (offset >> 3 | offset << 29) * 0xaaaaaaabu;
}

/* Whether an offset is 0, for none, or that of one of the first rows. */
static inline int pmumap_riscv_leads_to_row_(const struct pmumap *m, uint32_t offset, uint32_t rows)
{
	uint32_t first = pmumap_riscv_raw_offset_(m, 0);

	return !offset || (offset >= first && pmumap_riscv_raw_number_(offset - first) < rows);
}

/* Whether the index is in bounds and leads to rows only. */
static inline int pmumap_riscv_open_raw_index_(const struct pmumap *m, uint32_t rows)
{
	const uint16_t *index = pmumap_riscv_raw_index_(m);
	uint32_t i;

	if (m->raw_low >= PMUMAP_RAW_PLACES_ || (m->raw_low & (m->raw_low + 1)) ||
	    m->records < 1 + pmumap_riscv_raw_records_(m))
		return 0;
	for (i = 0; i <= m->raw_low; i++) {
		if (!pmumap_riscv_leads_to_row_(m, (uint32_t)index[i] << 3, rows))
			return 0;
	}
	return pmumap_riscv_leads_to_row_(m, m->raw_none.more, rows);
}

/* Whether the raw rows are in bounds, and each leads to an earlier one, or to none. */
static inline int pmumap_riscv_open_raw_(const struct pmumap *m)
{
	const struct pmumap_raw_row *r;
	uint32_t i, rows = m->raw_count + m->raw_copies;

	if (m->raw_copies > 0xffffffffu - m->raw_count ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->raw_rows, rows, sizeof(struct pmumap_raw_row)))
		return 0;
	r = pmumap_riscv_raw_rows_(m);
	for (i = 0; i < rows; i++) {
		if (!pmumap_riscv_leads_to_row_(m, r[i].more, i))
			return 0;
	}
	return pmumap_riscv_open_raw_index_(m, rows);
}

/* The layout is the image format: the same on every target of one byte order. */
typedef char pmumap_image_layout_[sizeof(struct pmumap) == 232 &&
						  sizeof(struct pmumap_record) == 16 &&
						  sizeof(struct pmumap_raw_row) == 24
					  ? 1
					  : -1];

PMUMAP_DEF enum pmumap_status pmumap_open(const void *image, size_t bytes,
					  const struct pmumap **map)
{
	const struct pmumap *m = (const struct pmumap *)image;
	enum pmumap_status status;

	if (!map)
		return PMUMAP_E_ARG;
	*map = 0;
	status = pmumap_image_check_(image, bytes, PMUMAP_MAGIC, sizeof(*m));
	if (status != PMUMAP_OK)
		return status;
	if (!pmumap_riscv_open_events_(m) || !pmumap_riscv_open_raw_(m))
		return PMUMAP_E_IMAGE_TABLE;
	*map = m;
	return PMUMAP_OK;
}

PMUMAP_DEF size_t pmumap_size(const struct pmumap *m)
{
	return m->head.size;
}

/* ---- riscv/lookup.h: Look up selectors and counters */
/* Get a record's selector. Returns 1; or 0, and *selector is unchanged. */
static inline int pmumap_riscv_take_selector_(const struct pmumap_record *r, uint64_t *selector)
{
	uint64_t value = r->selector;
	uint32_t found = r->key >> 31;

	PMUMAP_LOADED_(value);
	if (found)
		*selector = value;
	return (int)found;
}

/* pmumap_selector() for an event without an index byte. */
PMUMAP_OUTLINE_ int pmumap_riscv_search_selector_(const struct pmumap *m, uint32_t event,
						  uint64_t *selector)
{
	const struct pmumap_record *r = pmumap_riscv_search_record_(m, event);
	uint64_t unused, *to = r->key & PMUMAP_RECORD_HAS_SELECTOR_ ? selector : &unused;

	*to = r->selector;
	return (int)(r->key >> 31);
}

PMUMAP_DEF int pmumap_selector(const struct pmumap *m, uint32_t event, uint64_t *selector)
{
	if (!pmumap_riscv_is_indexed_event_(event))
		return pmumap_riscv_search_selector_(m, event, selector);
	return pmumap_riscv_take_selector_(pmumap_riscv_indexed_record_(m, event), selector);
}

/* pmumap_counters() for an event without an index byte. */
PMUMAP_OUTLINE_ uint32_t pmumap_riscv_search_counters_(const struct pmumap *m, uint32_t event)
{
	return pmumap_riscv_search_record_(m, event)->counters;
}

PMUMAP_DEF uint32_t pmumap_counters(const struct pmumap *m, uint32_t event)
{
	if (!pmumap_riscv_is_indexed_event_(event))
		return pmumap_riscv_search_counters_(m, event);
	return pmumap_riscv_indexed_record_(m, event)->counters;
}

/* The counters of rows that match, from this one on to the last of its place. */
PMUMAP_OUTLINE_ uint32_t pmumap_riscv_more_raw_(const struct pmumap *m, uint64_t raw, size_t more)
{
	uint32_t counters = 0;

	do {
		const struct pmumap_raw_row *r = pmumap_riscv_raw_row_(m, more);

		if ((raw & r->mask) == r->select)
			counters |= r->counters;
		more = r->more;
	} while (more);
	return counters;
}

/* A place's first row has the counters of all rows that match with it. */
PMUMAP_ALWAYS_INLINE_ uint32_t pmumap_riscv_find_raw_(const struct pmumap *m, uint64_t raw)
{
	size_t place = (size_t)raw & m->raw_low;
	size_t first = (size_t)pmumap_riscv_raw_index_(m)[place] << 3;
	const struct pmumap_raw_row *r = pmumap_riscv_raw_row_(m, first);

	if ((raw & r->mask) != r->select) {
		size_t more = r->more;

		if (more)
			return pmumap_riscv_more_raw_(m, raw, more);
		PMUMAP_LOADED_(first); /* keeps the two returns apart: an instruction less */
		return 0;
	}
	return r->counters;
}

PMUMAP_DEF uint32_t pmumap_raw_counters(const struct pmumap *m, uint64_t raw)
{
	return pmumap_riscv_find_raw_(m, raw);
}

/* Whether the rule makes an event its own selector, if the map has none for it. */
static inline int pmumap_riscv_is_own_selector_(const struct pmumap *m, uint32_t event,
						unsigned rule)
{
	return pmumap_riscv_is_hardware_event_(event) &&
	       (rule == PMUMAP_RULE_ALWAYS ||
		(rule == PMUMAP_RULE_ABSENT && !(m->head.flags & PMUMAP_HAS_SELECTORS)));
}

PMUMAP_DEF int pmumap_encode(const struct pmumap *m, uint32_t event, uint64_t data, unsigned rule,
			     uint64_t *mhpmevent)
{
	uint64_t bits = pmumap_riscv_raw_bits_(event);

	if (bits)
		*mhpmevent = data & bits;
	else if (pmumap_selector(m, event, mhpmevent))
		return 1;
	else if (!pmumap_riscv_is_own_selector_(m, event, rule))
		return 0;
	else
		*mhpmevent = event;
	return 1;
}

PMUMAP_DEF int pmumap_event_valid(uint32_t event)
{
	if (event >= PMUMAP_EVENT_FIRMWARE)
		return event - PMUMAP_EVENT_FIRMWARE < 22 ||
		       (event >= PMUMAP_EVENT_FIRMWARE + 256 && event <= PMUMAP_EVENT_PLATFORM_);
	return pmumap_riscv_is_hardware_event_(event) || event == PMUMAP_EVENT_RAW ||
	       event == PMUMAP_EVENT_RAW_V2;
}

/* ---- riscv/list.h: List a map */
/* The last of consecutive events from event on that share record r. */
static inline uint32_t pmumap_riscv_run_end_(const struct pmumap *m, uint32_t event,
					     const struct pmumap_record *r)
{
	uint32_t limit = PMUMAP_EVENT_LIMIT - 1;

	if (pmumap_riscv_is_indexed_event_(event)) {
		while ((event & 0x3f) != 0x3f && pmumap_riscv_record_of_event_(m, event + 1) == r)
			event++;
		return event;
	}
	if (event < PMUMAP_EVENT_CACHE)
		limit = PMUMAP_EVENT_CACHE - 1;
	if (r + 1 < &m->record[0] + m->sorted + m->sorted_count) {
		uint32_t next = pmumap_riscv_first_event_(&r[1]);

		if (next <= limit)
			return next - 1;
	}
	return limit;
}

PMUMAP_DEF int pmumap_event_next(const struct pmumap *m, uint32_t from, struct pmumap_run *run)
{
	uint32_t last;

	for (; from < PMUMAP_EVENT_LIMIT; from = last + 1) {
		const struct pmumap_record *r = pmumap_riscv_record_of_event_(m, from);

		last = pmumap_riscv_run_end_(m, from, r);
		if (!(r->key & PMUMAP_RECORD_HAS_SELECTOR_) && r->counters == 0)
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
	const struct pmumap_raw_row *r = pmumap_riscv_raw_rows_(m);

	if (index >= m->raw_count)
		return 0;
	*select = r[index].select;
	*mask = r[index].mask;
	*counters = r[index].counters;
	return 1;
}

/* ---- core/bits.h: Bits, and words of memory */
#ifndef PMUMAP_HAS_CORE_BITS_
#define PMUMAP_HAS_CORE_BITS_
/* bytes: a multiple of 4; to: aligned to 4. */
static inline void pmumap_zero_words_(void *to, size_t bytes)
{
	uint32_t *word = (uint32_t *)to;

	for (bytes /= sizeof(*word); bytes; bytes--) {
		*word++ = 0;
		PMUMAP_NO_LIBCALL_();
	}
}

/* Big-endian numbers, read byte by byte because they may be unaligned. */
PMUMAP_LOAD_ uint32_t pmumap_load_be32_(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | (uint32_t)p[3];
}

static inline uint64_t pmumap_load_be64_(const unsigned char *p)
{
	return (uint64_t)pmumap_load_be32_(p) << 32 | pmumap_load_be32_(p + 4);
}

static inline int pmumap_is_overlap_(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
	return (size_t)a - (size_t)b < b_bytes || (size_t)b - (size_t)a < a_bytes;
}
#endif /* PMUMAP_HAS_CORE_BITS_ */

/* ---- riscv/pick.h: Which counters can count an event; optimal assignment */
/* The fixed counter for an event, as a bit: mcycle counts event 1, minstret event 2. */
static inline uint32_t pmumap_riscv_own_counter_(uint32_t event)
{
	return event <= PMUMAP_EVENT_INSTRUCTIONS_ ? event * event : 0;
}

/* The counters that can apply mandatory filters: fixed ones only with Smcntrpmf. */
static inline uint32_t pmumap_riscv_usable_counters_(uint32_t features)
{
	return (features & PMUMAP_MUST_FILTER) && !(features & PMUMAP_SMCNTRPMF)
		       ? ~PMUMAP_FIXED_COUNTERS_
		       : ~(uint32_t)0;
}

/* pmumap_riscv_find_counters_() for events without a record. */
static inline uint32_t pmumap_riscv_find_raw_counters_(const struct pmumap *m, uint32_t event,
						       uint64_t data, uint32_t free,
						       uint64_t *selector)
{
	uint64_t bits = pmumap_riscv_raw_bits_(event);

	if (bits == 0)
		return 0;
	*selector = data & bits;
	return pmumap_riscv_find_raw_(m, data & bits) & free & ~PMUMAP_FIXED_COUNTERS_;
}

/*
 * The rule for plans and guests alike: which of the free counters can count an event, and its
 * selector if any of them is programmable. Without a selector only fixed counters qualify. SBI's
 * reserved types 4 to 14 have no counter, even if the map lists some.
 */
PMUMAP_ALWAYS_INLINE_ uint32_t pmumap_riscv_find_counters_(const struct pmumap *m, uint32_t event,
							   uint64_t data, uint32_t free,
							   unsigned rule, uint64_t *selector)
{
	const struct pmumap_record *r;
	uint32_t counters;

	if (!pmumap_riscv_is_indexed_event_(event) && event >= PMUMAP_EVENT_RAW)
		return pmumap_riscv_find_raw_counters_(m, event, data, free, selector);
	r = pmumap_riscv_record_of_event_(m, event);
	counters = free & r->counters & ~PMUMAP_FIXED_COUNTERS_;
	if (counters) {
		*selector = r->selector;
		if (!(r->key & PMUMAP_RECORD_HAS_SELECTOR_)) {
			*selector = event;
			if (!pmumap_riscv_is_own_selector_(m, event, rule))
				counters = 0;
		}
	}
	return counters | (free & pmumap_riscv_own_counter_(event));
}

/* The lowest of these counters. Fixed ones come last if the others can interrupt. */
static inline uint32_t pmumap_riscv_best_counter_(uint32_t counters, uint32_t features)
{
	if ((features & PMUMAP_CAN_INTERRUPT) && (counters & ~PMUMAP_FIXED_COUNTERS_))
		counters &= ~PMUMAP_FIXED_COUNTERS_;
	return pmumap_lowest_bit_(counters);
}

/* The best free candidate, or the reason why there is none. */
static inline int pmumap_riscv_choose_counter_(uint32_t counters, uint32_t free, uint32_t features)
{
	if (counters == 0)
		return PMUMAP_UNSUPPORTED;
	if ((counters & free) == 0)
		return PMUMAP_BUSY;
	return (int)pmumap_riscv_best_counter_(counters & free, features);
}

/* Fill in a job. Returns all counters of a hart that can count its event. */
PMUMAP_OUTLINE_ uint32_t pmumap_riscv_begin_job_(const struct pmumap *m, uint32_t event,
						 uint64_t data, uint32_t features, unsigned rule,
						 struct pmumap_job *job)
{
	job->data = data;
	job->selector = 0;
	job->event = event;
	job->inhibit = 0;
	job->clear = 0;
	return pmumap_riscv_find_counters_(m, event, data, pmumap_riscv_usable_counters_(features),
					   rule, &job->selector);
}

/* A fixed counter takes no selector; nor does a job without a counter. */
static inline void pmumap_riscv_end_job_(struct pmumap_job *job, int32_t counter)
{
	if (counter < PMUMAP_FIRST_PROGRAMMABLE_)
		job->selector = 0;
}

PMUMAP_DEF int pmumap_plan(const struct pmumap *m, uint32_t event, uint64_t data, uint32_t free,
			   uint32_t features, unsigned rule, struct pmumap_job *job)
{
	uint32_t counters = pmumap_riscv_begin_job_(m, event, data, features, rule, job);
	int counter = pmumap_riscv_choose_counter_(counters, free, features);

	pmumap_riscv_end_job_(job, counter);
	return counter;
}

/* Which counters are assigned, and to which want. */
struct pmumap_riscv_owners_ {
	uint32_t given;
	uint32_t want[PMUMAP_COUNTERS_];
};

#define PMUMAP_PATH_START_ PMUMAP_COUNTERS_ /* instead of a counter */

/*
 * Place want[n]; returns 0 if that is impossible. If all its counters are assigned, search the
 * shortest chain of events that each move to the next one's counter, the last to an unassigned one
 * (an augmenting path). If there is none now, later events cannot create one, so one attempt per
 * event is enough.
 */
static inline int pmumap_riscv_place_want_(struct pmumap_want *want, struct pmumap_riscv_owners_ *o,
					   uint32_t n, uint32_t free, uint32_t features)
{
	/* The counter whose owner could move here; PMUMAP_PATH_START_: n itself. */
	uint8_t from[PMUMAP_COUNTERS_];
	uint32_t reached = 0, waiting = 0, mover = n, via = PMUMAP_PATH_START_, counter;

	for (;;) {
		uint32_t fresh = want[mover].counters & free & ~reached;

		reached |= fresh;
		waiting |= fresh;
		for (counter = fresh; counter; counter &= counter - 1)
			from[pmumap_lowest_bit_(counter)] = (uint8_t)via;
		if (fresh & ~o->given)
			break;
		if (waiting == 0)
			return 0;
		via = pmumap_lowest_bit_(waiting);
		waiting &= waiting - 1;
		mover = o->want[via];
	}
	counter = pmumap_riscv_best_counter_(waiting & ~o->given, features);
	o->given |= 1u << counter;
	while (from[counter] != PMUMAP_PATH_START_) {
		o->want[counter] = o->want[from[counter]];
		counter = from[counter];
	}
	o->want[counter] = n;
	return 1;
}

/* Assign counters to all events, once their candidates are known. */
static inline int pmumap_riscv_place_wants_(struct pmumap_want *want, uint32_t n, uint32_t free,
					    uint32_t features)
{
	struct pmumap_riscv_owners_ o;
	uint32_t i;
	int placed = 0;

	for (i = 0; i < n; i++) {
		if (!want[i].pinned)
			want[i].counter = want[i].counters ? PMUMAP_BUSY : PMUMAP_UNSUPPORTED;
		else if (want[i].counter >= 0 && want[i].counter < (int32_t)PMUMAP_COUNTERS_)
			free &= ~(1u << want[i].counter);
		placed += want[i].pinned && want[i].counter >= 0;
	}
	o.given = 0;
	for (i = 0; i < n; i++) {
		if (!want[i].pinned)
			placed += pmumap_riscv_place_want_(want, &o, i, free, features);
	}
	for (; o.given; o.given &= o.given - 1) {
		uint32_t counter = pmumap_lowest_bit_(o.given);

		want[o.want[counter]].counter = (int32_t)counter;
	}
	return placed;
}

PMUMAP_DEF int pmumap_plan_all(const struct pmumap *m, struct pmumap_want *want, uint32_t n,
			       uint32_t free, uint32_t features, unsigned rule,
			       struct pmumap_job *job)
{
	uint32_t i;
	int placed;

	for (i = 0; i < n; i++) {
		want[i].counters = pmumap_riscv_begin_job_(m, want[i].event, want[i].data, features,
							   rule, &job[i]);
		if (!want[i].pinned)
			continue;
		job[i].selector = 0; /* it may run on a counter outside its candidates */
		(void)pmumap_encode(m, want[i].event, want[i].data, rule, &job[i].selector);
	}
	placed = pmumap_riscv_place_wants_(want, n, free, features);
	for (i = 0; i < n; i++)
		pmumap_riscv_end_job_(&job[i], want[i].counter);
	return placed;
}

/* ---- riscv/rows.h: Rows that wait at the end of the block */
/*
 * Rows wait at the end of the block for pmumap_finish(). The three kinds share one type so that one
 * sort orders them, by key and then value.
 *
 *	kind		key			value
 *	range		pmumap_row_key_()	the event after the last
 *	selector	pmumap_row_key_()	selector
 *	raw		select			mask
 */
struct pmumap_row_ {
	uint64_t key;
	uint64_t value;
	uint32_t counters; /* 0: a selector */
	uint32_t row;      /* its number; with PMUMAP_RAW_ROW_: in the raw table */
};

enum { PMUMAP_RANGE_, PMUMAP_SELECT_ };

#define PMUMAP_RAW_ROW_ 0x80000000u

/* The key of rows that are not raw orders them by event, then as they were added. */
static inline uint64_t pmumap_row_key_(uint32_t event, uint32_t kind, uint32_t row)
{
	return (uint64_t)(event << 1 | kind) << 32 | row;
}

/* The event of a selector, or the first event of a range. */
static inline uint32_t pmumap_row_event_(const struct pmumap_row_ *r)
{
	return (uint32_t)(r->key >> 32) >> 1;
}

/* For rows that are not raw: a selector or a range. */
static inline int pmumap_row_is_selector_(const struct pmumap_row_ *r)
{
	return (int)((uint32_t)(r->key >> 32) & PMUMAP_SELECT_);
}

/* The event after the last one of a range; it may need 33 bits. */
static inline uint64_t pmumap_row_end_(const struct pmumap_row_ *r)
{
	return r->value;
}

static inline uint32_t pmumap_row_number_(const struct pmumap_row_ *r)
{
	return r->row & ~PMUMAP_RAW_ROW_;
}

PMUMAP_DEF PMUMAP_COLD_ void pmumap_begin(struct pmumap_builder *b, void *mem, size_t bytes)
{
	pmumap_zero_words_(b, sizeof(*b));
	b->mem = (unsigned char *)mem;
	b->bytes = bytes;
	b->status = (size_t)mem % 8 ? PMUMAP_E_ARG : PMUMAP_OK;
	if (mem && b->status == PMUMAP_OK)
		b->room = bytes / sizeof(struct pmumap_row_);
}

/* The rows so far, newest first, at the end of the block. */
PMUMAP_ALWAYS_INLINE_ struct pmumap_row_ *pmumap_builder_rows_(const struct pmumap_builder *b)
{
	return (struct pmumap_row_ *)(void *)(b->mem + (b->bytes & ~(size_t)7)) - b->kept;
}

/* Keep a row if there is room. It is counted in any case. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ enum pmumap_status
pmumap_builder_add_row_(struct pmumap_builder *b, uint64_t key, uint64_t value, uint32_t counters,
			uint32_t row)
{
	struct pmumap_row_ *r;

	/* Test first, count after: a wrapped count must not index past the block. */
	if (b->kept < b->room) {
		r = pmumap_builder_rows_(b) - 1;
		r->key = key;
		r->value = value;
		r->counters = counters;
		r->row = row;
	}
	b->kept++;
	return b->status;
}

/* ---- riscv/add.h: Take a row, or drop it */
PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_add_selector(struct pmumap_builder *b,
							       uint32_t event, uint64_t selector)
{
	uint32_t row = (uint32_t)b->selector_rows++;

	b->map_flags |= PMUMAP_HAS_SELECTORS;
	if (event >= PMUMAP_EVENT_LIMIT)
		return b->status;
	if (!pmumap_riscv_is_indexed_event_(event))
		b->sorted_bound += 2;
	return pmumap_builder_add_row_(b, pmumap_row_key_(event, PMUMAP_SELECT_, row), selector, 0,
				       row);
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status
pmumap_add_counters(struct pmumap_builder *b, uint32_t first, uint32_t last, uint32_t counters)
{
	uint32_t row = (uint32_t)b->counter_rows++;

	if (first > last || first >= PMUMAP_EVENT_LIMIT || counters == 0)
		return b->status;
	if (!pmumap_riscv_is_indexed_event_(first) || first >> 6 != last >> 6)
		b->sorted_bound += 2;
	return pmumap_builder_add_row_(b, pmumap_row_key_(first, PMUMAP_RANGE_, row),
				       (uint64_t)last + 1, counters, row);
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_add_raw(struct pmumap_builder *b, uint64_t select,
							  uint64_t mask, uint32_t counters)
{
	uint32_t row = (uint32_t)b->raw_rows++;

	if ((select & ~mask) || counters == 0)
		return b->status;
	b->raw_kept++;
	return pmumap_builder_add_row_(b, select, mask, counters, row | PMUMAP_RAW_ROW_);
}

/* ---- riscv/add_table.h: Take the rows of a property */
#define PMUMAP_TABLES_ 3u /* of a node */

/* The unread rows of a table. */
struct pmumap_riscv_rest_ {
	const unsigned char *at;
	size_t bytes;
	uint32_t cells; /* of a row */
};

/* Begin to read a table's rows. In 2021, raw rows had no mask. */
static inline void pmumap_riscv_begin_rows_(struct pmumap_riscv_rest_ *rest, uint32_t table,
					    const void *cells, size_t bytes)
{
	rest->at = (const unsigned char *)cells;
	rest->bytes = bytes;
	rest->cells = table == PMUMAP_TABLE_RAW ? 5 : 3;
}

/* Read the next row's cells. Returns 0 at the end; some bytes may be left. */
static inline int pmumap_riscv_next_row_(struct pmumap_riscv_rest_ *rest, uint32_t *cells)
{
	uint32_t i;

	if (rest->bytes < 4 * rest->cells)
		return 0;
	for (i = 0; i < rest->cells; i++, rest->at += 4)
		cells[i] = pmumap_load_be32_(rest->at);
	rest->bytes -= 4 * rest->cells;
	return 1;
}

/* Join two cells, the upper one first. */
static inline uint64_t pmumap_fdt_join_cells_(const uint32_t *cells)
{
	return (uint64_t)cells[0] << 32 | cells[1];
}

/* Decode a raw row of 5 or 3 cells. With 3 there is no mask: all bits are compared. */
static inline void pmumap_riscv_load_raw_(const uint32_t *cells, uint32_t count, uint64_t *select,
					  uint64_t *mask, uint32_t *counters)
{
	*select = pmumap_fdt_join_cells_(cells);
	*mask = count == 3 ? ~(uint64_t)0 : pmumap_fdt_join_cells_(cells + 2);
	*counters = cells[count - 1];
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status
pmumap_add_table(struct pmumap_builder *b, enum pmumap_table table, const void *cells, size_t bytes)
{
	struct pmumap_riscv_rest_ rest;
	uint32_t row[5], counters;
	uint64_t select, mask;

	if ((uint32_t)table > PMUMAP_TABLE_RAW_2021)
		return PMUMAP_E_ARG;
	if (!cells)
		return b->status;
	if (table == PMUMAP_TABLE_SELECTORS) /* even an empty table disables the default */
		b->map_flags |= PMUMAP_HAS_SELECTORS;
	pmumap_riscv_begin_rows_(&rest, table, cells, bytes);
	while (pmumap_riscv_next_row_(&rest, row)) {
		if (table == PMUMAP_TABLE_SELECTORS) {
			(void)pmumap_add_selector(b, row[0], pmumap_fdt_join_cells_(row + 1));
		} else if (table == PMUMAP_TABLE_COUNTERS) {
			(void)pmumap_add_counters(b, row[0], row[1], row[2]);
		} else {
			pmumap_riscv_load_raw_(row, rest.cells, &select, &mask, &counters);
			(void)pmumap_add_raw(b, select, mask, counters);
		}
	}
	return b->status;
}

/* ---- riscv/sort.h: Merge sort of rows */
/* A total order, so that the order of the description does not matter. Raw rows come last. */
static inline int pmumap_row_before_(const struct pmumap_row_ *a, const struct pmumap_row_ *b)
{
	if ((a->row ^ b->row) & PMUMAP_RAW_ROW_)
		return a->row < b->row;
	if (a->key != b->key)
		return a->key < b->key;
	if (a->value != b->value)
		return a->value < b->value;
	return a->counters < b->counters;
}

/* Member by member, because compilers turn an assignment into memcpy. */
static inline void pmumap_row_copy_(struct pmumap_row_ *to, const struct pmumap_row_ *from)
{
	to->key = from->key;
	to->value = from->value;
	to->counters = from->counters;
	to->row = from->row;
}

/*
 * Merge two sorted runs of rows: run of them at to, and those from to + run up to stop. Copy the
 * left ones out of the way; what is left of them always fits between to and the right ones.
 */
static inline void pmumap_merge_runs_(struct pmumap_row_ *to, size_t run,
				      const struct pmumap_row_ *stop, struct pmumap_row_ *spare)
{
	const struct pmumap_row_ *right = to + run;
	struct pmumap_row_ *left;

	for (left = spare; to < right; to++) {
		pmumap_row_copy_(left, to);
		left++;
	}
	to -= run;
	for (left = spare; to < right; to++) {
		if (right < stop && pmumap_row_before_(right, left))
			pmumap_row_copy_(to, right++);
		else
			pmumap_row_copy_(to, left++);
	}
}

/*
 * Merge sort in O(n log n); spare has room for n rows. It reads memory sequentially, so that tables
 * larger than the cache cost little more per row.
 */
static inline void pmumap_merge_sort_(struct pmumap_row_ *r, size_t n, struct pmumap_row_ *spare)
{
	struct pmumap_row_ *end = r + n, *to, *stop;
	size_t run;

	for (run = 1; run < n; run *= 2) {
		for (to = r; to < end - run; to = stop) {
			stop = to + run < end - run ? to + 2 * run : end;
			pmumap_merge_runs_(to, run, stop, spare);
		}
	}
}

/* Sort all rows, with the start of the block as spare memory. */
static inline void pmumap_builder_sort_rows_(struct pmumap_builder *b)
{
	pmumap_merge_sort_(pmumap_builder_rows_(b), b->kept, (struct pmumap_row_ *)(void *)b->mem);
}

/* ---- riscv/build_events.h: Turn rows into records; which row wins an overlap */
/* Bytes below the rows, for pmumap_riscv_sweep_rows_(). */
#define PMUMAP_SWEEP_BYTES_ (PMUMAP_COUNTERS_ * (uint32_t)sizeof(uint32_t))

#define PMUMAP_EVENT_PAGE_ 0x40u /* events with an index byte: 0 on, and PMUMAP_EVENT_CACHE on */

PMUMAP_OUTLINE_ PMUMAP_COLD_ void pmumap_riscv_add_record_(struct pmumap *m, uint64_t selector,
							   uint32_t counters, uint32_t key)
{
	struct pmumap_record *r = m->record;

	r += m->records++;
	r->selector = selector;
	r->counters = counters;
	r->key = key;
}

/*
 * Set the index bytes of events first to end - 1, which share one answer. Equal records are stored
 * once.
 */
static inline void pmumap_riscv_emit_indexed_(struct pmumap *m, uint32_t first, uint32_t end,
					      const struct pmumap_row_ *selector, uint32_t counters)
{
	const struct pmumap_record *r = m->record;
	uint64_t value = selector ? selector->value : 0;
	uint32_t key = selector ? PMUMAP_RECORD_HAS_SELECTOR_ : 0;
	size_t i = 0;

	while (i < m->records &&
	       (r[i].selector != value || r[i].counters != counters || r[i].key != key))
		i++;
	if (i == m->records)
		pmumap_riscv_add_record_(m, value, counters, key);
	for (; first < end; first++) {
		m->event_index[pmumap_riscv_index_slot_(first)] = (uint8_t)i;
		PMUMAP_NO_LIBCALL_();
	}
}

/*
 * Append a record of the sorted run from event first on, unless the previous one has the same
 * answer.
 */
static inline void pmumap_riscv_emit_sorted_(struct pmumap *m, uint32_t first,
					     const struct pmumap_row_ *selector, uint32_t counters)
{
	const struct pmumap_record *before = m->record;

	before += m->records - 1;
	if (selector)
		pmumap_riscv_add_record_(m, selector->value, counters,
					 first | PMUMAP_RECORD_HAS_SELECTOR_);
	else if ((before->key & PMUMAP_RECORD_HAS_SELECTOR_) || before->counters != counters)
		pmumap_riscv_add_record_(m, 0, counters, first);
}

/* Make the record of events first to end - 1, if they are of the wanted kind. */
static inline void pmumap_riscv_emit_run_(struct pmumap *m, uint32_t first, uint32_t end,
					  const struct pmumap_row_ *selector, uint32_t counters,
					  int indexed)
{
	if (indexed != pmumap_riscv_is_indexed_event_(first))
		return;
	if (indexed)
		pmumap_riscv_emit_indexed_(m, first, end, selector, counters);
	else
		pmumap_riscv_emit_sorted_(m, first, selector, counters);
}

/* A range offers these counters for the events below end, which may need 33 bits. */
static inline void pmumap_riscv_extend_reach_(uint32_t *reach, uint32_t counters, uint64_t end)
{
	uint32_t stop = end < PMUMAP_EVENT_LIMIT ? (uint32_t)end : PMUMAP_EVENT_LIMIT;
	size_t counter;

	for (counter = 0; counters; counters >>= 1, counter++) {
		if ((counters & 1) && reach[counter] < stop)
			reach[counter] = stop;
	}
}

struct pmumap_riscv_taken_ {
	const struct pmumap_row_ *end;
	uint32_t counters;
};

/* Let the rows of an event extend the reach. Returns their counters, and the row behind them. */
static inline struct pmumap_riscv_taken_ pmumap_riscv_take_rows_(const struct pmumap_row_ *r,
								 const struct pmumap_row_ *end,
								 uint32_t at, uint32_t *reach)
{
	struct pmumap_riscv_taken_ taken;

	taken.counters = 0;
	for (; r < end && pmumap_row_event_(r) == at; r++) {
		taken.counters |= r->counters;
		pmumap_riscv_extend_reach_(reach, r->counters, pmumap_row_end_(r));
	}
	taken.end = r;
	return taken;
}

/* The first selector of these rows, or NULL. */
static inline const struct pmumap_row_ *pmumap_riscv_first_selector_(const struct pmumap_row_ *r,
								     const struct pmumap_row_ *end)
{
	for (; r < end; r++) {
		if (pmumap_row_is_selector_(r))
			return r;
	}
	return 0;
}

/* The next event that has an index byte if event at has none, or the other way round. */
static inline uint32_t pmumap_riscv_page_end_(uint32_t at)
{
	if (pmumap_riscv_is_indexed_event_(at))
		return (at / PMUMAP_EVENT_PAGE_ + 1) * PMUMAP_EVENT_PAGE_;
	return at < PMUMAP_EVENT_CACHE ? PMUMAP_EVENT_CACHE : PMUMAP_EVENT_LIMIT;
}

struct pmumap_riscv_span_ {
	uint32_t counters, end;
};

/* Which of these counters reach beyond event at; and where the first ends, if before end. */
static inline struct pmumap_riscv_span_
pmumap_riscv_find_span_(const uint32_t *reach, uint32_t counters, uint32_t at, uint32_t end)
{
	struct pmumap_riscv_span_ span;
	size_t counter;

	span.counters = 0;
	span.end = end;
	for (counter = 0; counters; counters >>= 1, counter++) {
		if (reach[counter] <= at)
			continue;
		span.counters |= 1u << counter;
		if (reach[counter] < span.end)
			span.end = reach[counter];
	}
	return span;
}

/* The counters of event at, and the event at which they or its selector may change. */
static inline struct pmumap_riscv_span_ pmumap_riscv_find_run_(const struct pmumap_row_ *r,
							       const struct pmumap_row_ *end,
							       const struct pmumap_row_ *selector,
							       const uint32_t *reach, uint32_t seen,
							       uint32_t at)
{
	uint32_t next = pmumap_riscv_page_end_(at);

	if (r < end && pmumap_row_event_(r) < next)
		next = pmumap_row_event_(r);
	if (selector)
		next = at + 1;
	return pmumap_riscv_find_span_(reach, seen, at, next);
}

/*
 * Sweep from event to event at which the answer may change, and make the records of either indexed
 * or other events. r to end: the sorted rows of events. reach[i], below the rows, is the first
 * event that no range so far offers counter i for.
 */
static inline PMUMAP_COLD_ void pmumap_riscv_sweep_rows_(struct pmumap_builder *b, struct pmumap *m,
							 const struct pmumap_row_ *r,
							 const struct pmumap_row_ *end, int indexed)
{
	const struct pmumap_row_ *selector, *from;
	uint32_t *reach = (uint32_t *)(void *)pmumap_builder_rows_(b) - PMUMAP_COUNTERS_;
	struct pmumap_riscv_span_ span;
	struct pmumap_riscv_taken_ taken;
	uint32_t at, seen = 0;

	pmumap_zero_words_(reach, PMUMAP_SWEEP_BYTES_);
	for (at = 0; at < PMUMAP_EVENT_LIMIT; at = span.end) {
		from = r;
		taken = pmumap_riscv_take_rows_(r, end, at, reach);
		seen |= taken.counters;
		r = taken.end;
		selector = pmumap_riscv_first_selector_(from, r);
		span = pmumap_riscv_find_run_(r, end, selector, reach, seen, at);
		pmumap_riscv_emit_run_(m, at, span.end, selector, span.counters, indexed);
	}
}

/* Make all records from the n sorted rows of events. Those of the raw index are absent for now. */
static inline void pmumap_riscv_build_events_(struct pmumap_builder *b, struct pmumap *m,
					      const struct pmumap_row_ *r, uint32_t n)
{
	do
		pmumap_riscv_add_record_(m, 0, 0, 0);
	while (m->records <= pmumap_riscv_raw_records_(m));
	pmumap_riscv_sweep_rows_(b, m, r, r + n, 1);
	m->sorted = m->records;
	pmumap_riscv_add_record_(m, 0, 0, 0);
	pmumap_riscv_sweep_rows_(b, m, r, r + n, 0);
	m->sorted_count = m->records - m->sorted;
	if (m->sorted_count == 1) { /* only the start: record[0] serves as well */
		m->records--;
		m->sorted = 0;
	}
}

/* ---- riscv/build_raw.h: Index raw rows by their lowest bits */
#define PMUMAP_RAW_SPARE_ 6u       /* n rows have at most n and this many copies */
#define PMUMAP_RAW_WALK_ 8u        /* rows of its place that a new one is compared with */
#define PMUMAP_RAW_REACH_ 0x80000u /* the index leads to rows in this many bytes */

/* How many places the index of n rows may have. */
static inline uint32_t pmumap_riscv_most_places_(uint64_t n)
{
	return n < PMUMAP_RAW_PLACES_ / 16 ? 16 * (uint32_t)n + 16 : PMUMAP_RAW_PLACES_;
}

static inline struct pmumap_raw_row *pmumap_riscv_built_rows_(struct pmumap *m)
{
	return (struct pmumap_raw_row *)(void *)((char *)m + m->raw_rows);
}

/*
 * The counters of a row, and of those of its place, from the first on, that match whenever it does.
 * 0: others may match too, or there are many.
 */
static inline uint32_t pmumap_riscv_join_raw_(const struct pmumap *m,
					      const struct pmumap_raw_row *row, uint32_t first)
{
	uint32_t counters = row->counters, left = PMUMAP_RAW_WALK_;

	for (;;) {
		const struct pmumap_raw_row *r = pmumap_riscv_raw_row_(m, first);

		if (((r->select ^ row->select) & r->mask & row->mask) == 0) {
			if (r->mask & ~row->mask)
				return 0;
			counters |= r->counters;
		}
		first = r->more;
		if (!first)
			return counters;
		if (--left == 0)
			return 0;
	}
}

/* Put a new copy before the first row of a place. */
static inline void pmumap_riscv_push_raw_(struct pmumap *m, pmumap_raw_place_ *first,
					  uint64_t select, uint64_t mask, uint32_t counters)
{
	uint32_t i = m->raw_count + m->raw_copies++, offset = pmumap_riscv_raw_offset_(m, i);
	struct pmumap_raw_row *row = pmumap_riscv_built_rows_(m) + i;

	row->select = select;
	row->mask = mask;
	row->counters = counters;
	row->more = (uint32_t)*first << 3;
	*first = (uint16_t)(offset >> 3);
}

/*
 * Add row i to a place. The first row of a place has the counters of all that match with it. If
 * that is not known, a guard comes first, which matches nothing: the only one without counters.
 */
static inline void pmumap_riscv_put_raw_(struct pmumap *m, uint32_t i, pmumap_raw_place_ *first)
{
	struct pmumap_raw_row *rows = pmumap_riscv_built_rows_(m), *row = rows + i, *guard;
	uint32_t counters = 0;

	if (!*first) {
		*first = (uint16_t)(pmumap_riscv_raw_offset_(m, i) >> 3);
		return;
	}
	guard = (struct pmumap_raw_row *)(void *)((char *)&m->raw_none + ((size_t)*first << 3));
	if (!guard->counters) {
		guard->select = row->select;
		guard->mask = row->mask;
		guard->counters = row->counters;
	} else {
		counters = pmumap_riscv_join_raw_(m, row, (uint32_t)*first << 3);
		pmumap_riscv_push_raw_(m, first, row->select, row->mask,
				       counters ? counters : row->counters);
	}
	if (counters)
		return;
	pmumap_riscv_push_raw_(m, first, 1, 0, 0);
}

/* Whether the index would not reach all rows, were they stored here. */
static inline int pmumap_riscv_is_raw_far_(const struct pmumap *m)
{
	uint64_t rows = 2 * (uint64_t)m->raw_count + PMUMAP_RAW_SPARE_;

	return m->raw_rows + rows * sizeof(struct pmumap_raw_row) > PMUMAP_RAW_REACH_;
}

/* How crowded an index is: its places with rows, and the rows in them, each as often as it is. */
struct pmumap_riscv_crowd_ {
	uint32_t places, rows;
};

/*
 * Put each row into its places: all values of the low bits that its mask ignores. Returns 0 if that
 * takes too many copies, or the index would not reach them; with apart, also if a place has two.
 */
static inline int pmumap_riscv_place_rows_(struct pmumap *m, int apart,
					   struct pmumap_riscv_crowd_ *crowd)
{
	const struct pmumap_raw_row *r = pmumap_riscv_built_rows_(m);
	pmumap_raw_place_ *index = (pmumap_raw_place_ *)(void *)&m->record[1];
	uint32_t i, low = m->raw_low;

	if (pmumap_riscv_is_raw_far_(m))
		return 0;
	pmumap_zero_words_(index, pmumap_riscv_raw_records_(m) * sizeof(m->record[0]));
	crowd->places = crowd->rows = 0;
	m->raw_copies = 0;
	for (i = 0; i < m->raw_count; i++) {
		uint32_t any = low & ~(uint32_t)r[i].mask, more = 0;

		do {
			pmumap_raw_place_ *first = &index[((uint32_t)r[i].select & low) | more];

			if ((apart && *first) ||
			    m->raw_copies + 2 > m->raw_count + PMUMAP_RAW_SPARE_)
				return 0;
			crowd->places += !*first;
			crowd->rows++;
			pmumap_riscv_put_raw_(m, i, first);
			more = (more - any) & any;
		} while (more);
	}
	return 1;
}

/* Store n rows at this offset. */
static inline void pmumap_riscv_store_raw_(struct pmumap *m, uint32_t offset,
					   const struct pmumap_row_ *r, uint32_t n)
{
	struct pmumap_raw_row *row;
	uint32_t i;

	m->raw_rows = offset;
	m->raw_count = n;
	row = pmumap_riscv_built_rows_(m);
	for (i = 0; i < n; i++) {
		row[i].select = r[i].key;
		row[i].mask = r[i].value;
		row[i].counters = r[i].counters;
		row[i].more = 0;
	}
}

/*
 * Choose the bits of the index, by trial, before records are built behind it: the fewest that give
 * each row places of its own, or those that make places least crowded; a bit more must then gain an
 * eighth.
 */
static inline void pmumap_riscv_choose_raw_(struct pmumap *m, const struct pmumap_row_ *r,
					    uint32_t n)
{
	uint32_t low, chosen = 0, most = pmumap_riscv_most_places_(n);
	struct pmumap_riscv_crowd_ best = { 1, 0 }, crowd;

	best.rows = n;
	pmumap_riscv_store_raw_(m, (uint32_t)sizeof(*m) + 2 * most, r, n);
	for (low = 0; low < most; low = 2 * low + 1) {
		m->raw_low = low;
		if (n <= low + 1 && pmumap_riscv_place_rows_(m, 1, &crowd))
			return;
	}
	for (low = 0; low < most; low = 2 * low + 1) {
		m->raw_low = low;
		if ((n > 4 * low + 4 && low + 1 < most) || !pmumap_riscv_place_rows_(m, 0, &crowd))
			continue;
		if (8 * crowd.rows * best.places < 7 * best.rows * crowd.places) {
			best = crowd;
			chosen = low;
		}
	}
	m->raw_low = chosen;
}

/* Chain all rows, for any place. */
static inline void pmumap_riscv_chain_raw_(struct pmumap *m)
{
	struct pmumap_raw_row *row = pmumap_riscv_built_rows_(m);
	uint32_t i;

	pmumap_zero_words_(&m->record[1], pmumap_riscv_raw_records_(m) * sizeof(m->record[0]));
	m->raw_copies = 0;
	for (i = 1; i < m->raw_count; i++)
		row[i].more = pmumap_riscv_raw_offset_(m, i - 1);
	m->raw_none.select = 1;
	m->raw_none.more = pmumap_riscv_raw_offset_(m, m->raw_count - 1);
}

/* Make the raw rows and their index, for which there is room before the records. */
static inline void pmumap_riscv_build_raw_(struct pmumap *m, const struct pmumap_row_ *r,
					   uint32_t n)
{
	struct pmumap_riscv_crowd_ crowd;

	pmumap_riscv_store_raw_(m, m->head.size, r, n);
	if (!pmumap_riscv_place_rows_(m, 0, &crowd))
		pmumap_riscv_chain_raw_(m);
	m->head.size += (n + m->raw_copies) * (uint32_t)sizeof(struct pmumap_raw_row);
}

/* ---- riscv/build.h: Memory for RISC-V's tables */
#define PMUMAP_MAX_ROWS_ 0x3fffffffu /* of all tables: row numbers have 30 bits */

/*
 * Bytes besides the head, for tables and waiting rows. A row makes at most two records: where its
 * counters begin, and where they end. At most 128 records are indexed. Raw rows have as many copies
 * and some more. Above PMUMAP_MAX_ROWS_ it asks for more than 2 GiB, so that
 * pmumap_finish() returns E_LIMIT.
 */
static inline uint64_t pmumap_riscv_need_(const struct pmumap_builder *b)
{
	uint64_t n = b->raw_kept, indexed = 2 * ((uint64_t)b->kept - n);
	uint64_t records = (indexed < PMUMAP_INDEXED_EVENTS_ ? indexed : PMUMAP_INDEXED_EVENTS_) +
			   b->sorted_bound + 1;
	uint64_t rows = b->selector_rows + b->counter_rows + b->raw_rows;
	uint64_t bytes = PMUMAP_SWEEP_BYTES_;

	if (n)
		bytes += (2 * n + PMUMAP_RAW_SPARE_) * sizeof(struct pmumap_raw_row) +
			 pmumap_riscv_most_places_(n) * sizeof(uint16_t);
	if (rows > PMUMAP_MAX_ROWS_)
		bytes += PMUMAP_MAX_BYTES_;
	return bytes + records * sizeof(struct pmumap_record) +
	       b->kept * sizeof(struct pmumap_row_);
}

/* ---- riscv/finish.h: Memory for a build; the map of all rows */
/* Bytes of block that a build takes at most. Sorting needs room for the rows twice. */
static inline uint64_t pmumap_map_need_(const struct pmumap_builder *b)
{
	uint64_t rows = (uint64_t)b->kept * sizeof(struct pmumap_row_);
	uint64_t bytes = sizeof(struct pmumap) + pmumap_riscv_need_(b);

	return bytes < 2 * rows ? 2 * rows : bytes;
}

PMUMAP_DEF PMUMAP_COLD_ size_t pmumap_need(const struct pmumap_builder *b)
{
	uint64_t need = pmumap_map_need_(b);

	return need > PMUMAP_MAX_BYTES_ ? PMUMAP_MAX_BYTES_ : (size_t)need;
}

/* Begin with the head of an empty map. The magic number comes last, in pmumap_finish(). */
static inline struct pmumap *pmumap_map_begin_image_(const struct pmumap_builder *b)
{
	struct pmumap *m = (struct pmumap *)(void *)b->mem;

	pmumap_zero_words_(m, sizeof(*m));
	m->head.version = PMUMAP_IMAGE_VERSION;
	m->head.flags = b->map_flags;
	m->head.size = (uint32_t)sizeof(*m);
	return m;
}

/* The raw rows, once sorted. */
static inline const struct pmumap_row_ *pmumap_builder_raws_(const struct pmumap_builder *b)
{
	return pmumap_builder_rows_(b) + (b->kept - b->raw_kept);
}

/* Begin the map: sort the rows and build the records of events. Without a block, do nothing. */
static inline enum pmumap_status pmumap_begin_map_(struct pmumap_builder *b, struct pmumap **m)
{
	uint64_t need = pmumap_map_need_(b);

	if (b->status == PMUMAP_E_ARG)
		return PMUMAP_E_ARG;
	if (need > PMUMAP_MAX_BYTES_)
		return b->status = PMUMAP_E_LIMIT;
	if (!b->mem)
		return PMUMAP_OK;
	if (b->bytes < need)
		return b->status = PMUMAP_E_NOSPACE;
	pmumap_builder_sort_rows_(b);
	*m = pmumap_map_begin_image_(b);
	if (b->raw_kept)
		pmumap_riscv_choose_raw_(*m, pmumap_builder_raws_(b), b->raw_kept);
	pmumap_riscv_build_events_(b, *m, pmumap_builder_rows_(b), b->kept - b->raw_kept);
	(*m)->head.size += ((*m)->records - 2) * (uint32_t)sizeof((*m)->record[0]);
	return PMUMAP_OK;
}

/* Complete the map with the raw rows. This uses the builder up. */
static inline const struct pmumap *pmumap_end_map_(struct pmumap_builder *b, struct pmumap *m)
{
	m->raw_rows = m->head.size;
	if (b->raw_kept)
		pmumap_riscv_build_raw_(m, pmumap_builder_raws_(b), b->raw_kept);
	m->head.magic = PMUMAP_MAGIC;
	b->status = PMUMAP_E_ARG;
	b->room = 0;
	return m;
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_finish(struct pmumap_builder *b,
							 const struct pmumap **map)
{
	enum pmumap_status status;
	struct pmumap *m = 0;

	if (map)
		*map = 0;
	if (b->mem && !map)
		return PMUMAP_E_ARG;
	status = pmumap_begin_map_(b, &m);
	if (m)
		*map = pmumap_end_map_(b, m);
	return status;
}

/* ---- riscv/restrict.h: Copy a map, or the part that a guest may use */
/* Intersect a run with a range. Returns 0 if they are disjoint. */
static inline int pmumap_map_common_range_(const struct pmumap_run *run,
					   const struct pmumap_range *range,
					   struct pmumap_range *common)
{
	common->first = run->first > range->first ? run->first : range->first;
	common->last = run->last < range->last ? run->last : range->last;
	return common->first <= common->last;
}

/* Add a part of a run, with the counters of the grant, if any. */
static inline void pmumap_map_add_run_(struct pmumap_builder *b, const struct pmumap_run *run,
				       const struct pmumap_range *part,
				       const struct pmumap_grant *grant)
{
	uint32_t counters = run->counters & (grant ? grant->counters : ~0u), event;

	if (grant && !counters)
		return;
	if (counters)
		pmumap_add_counters(b, part->first, part->last, counters);
	for (event = part->first; run->has_selector && event <= part->last; event++)
		pmumap_add_selector(b, event, run->selector);
}

PMUMAP_DEF enum pmumap_status pmumap_add_map(struct pmumap_builder *b, const struct pmumap *m,
					     const struct pmumap_grant *grant)
{
	const struct pmumap_range all = { 0, ~0u };
	const struct pmumap_range *ranges = grant && grant->count ? grant->ranges : &all;
	uint32_t count = grant && grant->count ? grant->count : 1, from, i, counters;
	struct pmumap_range part;
	struct pmumap_run run;
	uint64_t select, mask;
	int raw = 0;

	if (b->mem && pmumap_is_overlap_(m, m->head.size, b->mem, b->bytes)) {
		b->room = 0; /* so that no further row is kept */
		return b->status = PMUMAP_E_ARG;
	}
	/* Even without selectors this matters: PMUMAP_RULE_ABSENT must not apply. */
	b->map_flags |= m->head.flags & PMUMAP_HAS_SELECTORS;
	for (i = 0; i < count; i++)
		raw |= ranges[i].first <= PMUMAP_EVENT_RAW && ranges[i].last >= PMUMAP_EVENT_RAW;
	for (from = 0; pmumap_event_next(m, from, &run); from = run.last + 1) {
		for (i = 0; i < count; i++) {
			if (pmumap_map_common_range_(&run, &ranges[i], &part))
				pmumap_map_add_run_(b, &run, &part, grant);
		}
	}
	for (i = 0; raw && pmumap_raw_at(m, i, &select, &mask, &counters); i++) {
		counters &= grant ? grant->counters : ~0u;
		if (counters)
			pmumap_add_raw(b, select, mask, counters);
	}
	return b->status;
}

PMUMAP_DEF enum pmumap_status pmumap_restrict(const struct pmumap *m,
					      const struct pmumap_grant *grant, void *mem,
					      size_t bytes, const struct pmumap **map)
{
	struct pmumap_builder b;

	pmumap_begin(&b, mem, bytes);
	(void)pmumap_add_map(&b, m, grant);
	return pmumap_finish(&b, map);
}

#endif /* PMUMAP_IMPLEMENTED_ */

#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
