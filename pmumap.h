/* SPDX-License-Identifier: BSD-2-Clause
 * Generated from src/ by "make headers": change it there.
 *
 * pmumap.h 0.2.1 -- what a PMU can count, where, and by which selector: one small immutable map.
 *
 * QUICK START
 *	#include "pmumap.h"			// nothing else to define, nothing to link
 *
 *	static uint64_t block[PMUMAP_BLOCK(1, 1, 1) / 8];	// for so many rows of each kind
 *	const struct pmumap *map;	// where there is malloc(), measure first: pmumap_begin(&b,
 *	struct pmumap_builder b;	// 0, 0), the rows, pmumap_need(&b); then begin again
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
 *	uint32_t mine = 0x1d;			// the hart's own counters: 0, 2, 3 and 4
 *	// counter 3, and in job.selector what to write to mhpmevent3: 0x302
 *	int counter = pmumap_plan(map, 0x00004, 0, mine, 0, PMUMAP_RULE_ABSENT, &job);	// 3
 *
 * CONTRACT
 *   Memory	no heap, no globals, no recursion. A map is built in one block of yours, and stays
 *		there.
 *   Image	the map has only offsets inside. So you may copy it, put it into ROM, share it,
 *		store it, and open it again (pmumap_open) on a CPU of the same byte order.
 *   Libc	none, at any optimisation level. Types: <stdint.h> and <stddef.h>, or yours.
 *   Threads	a finished map is never written. Any number of harts read it without a lock.
 *   Life	build a map, which may fail and reports findings; then look things up, which
 *		cannot fail and writes nothing to the map.
 *   Input	every row, image and argument may be hostile. Only pointers have to be valid; one
 *		that comes with a length may be NULL if that is 0.
 *   Overlap	a block never shares a byte with what its map is made from: a tree, another map,
 *		strings. Trees and maps are checked for it, and refused.
 *   Failure	a build that fails yields no map. "Not found" is told apart from an answer of 0.
 *
 * LINKAGE (one mode for the whole program)
 *   default			every function is static inline. What you do not call is not linked
 *				(without optimisation, a few small functions are)
 *   PMUMAP_EXTERN		declarations only, in every file; and in exactly one file also
 *   PMUMAP_IMPLEMENTATION	the definitions
 *   PMUMAP_BINDINGS		the bindings that you use: PMUMAP_RISCV, PMUMAP_IMC, PMUMAP_AMU, or
 *				several with |; default: all. The others are left out
 *   PMUMAP_NO_STDINT		do not include <stdint.h> and <stddef.h>: uint8_t .. uint64_t,
 *				int32_t and size_t are already defined
 *
 * The file in order: first all declarations (status codes, findings and the image; the builder;
 * RISC-V; IMC; AMU), then all definitions, in the same rooms (core, builder, riscv, imc, amu), and
 * last what knows every binding (map). Device trees are in pmumap_fdt.h, registers in pmumap_hw.h,
 * the SBI PMU extension for guests in pmumap_server.h.
 */

/* ---- core/version.h: Refuses a header of another version */

/*
 * Part of every header: all that a program includes are of one version. One that is left over from
 * another release would compile, and read a struct by another layout.
 */
#ifndef PMUMAP_VERSION_MAJOR
#define PMUMAP_VERSION_MAJOR 0
#define PMUMAP_VERSION_MINOR 2
#define PMUMAP_VERSION_PATCH 1
#elif PMUMAP_VERSION_MAJOR != 0 || PMUMAP_VERSION_MINOR != 2 || PMUMAP_VERSION_PATCH != 1
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

#ifndef PMUMAP_H
#define PMUMAP_H

/* ---- core/linkage.h: Bindings, and how functions are linked */

#ifndef PMUMAP_HAS_CORE_LINKAGE_
#define PMUMAP_HAS_CORE_LINKAGE_
#ifndef PMUMAP_NO_STDINT
#include <stddef.h>
#include <stdint.h>
#endif

#define PMUMAP_RISCV 1
#define PMUMAP_IMC 2
#ifndef PMUMAP_BINDINGS
#define PMUMAP_BINDINGS (PMUMAP_RISCV | PMUMAP_IMC)
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

/* ---- core/api.h: Status codes, findings, and the image */

#ifndef PMUMAP_HAS_CORE_API_
#define PMUMAP_HAS_CORE_API_
/*
 * Below 10 it is the caller's fault, below 20 the device tree's, from 20 on the image's. Numbers
 * never change.
 */
#define PMUMAP_STATUS_LIST(X)                                                                      \
	X(OK, 0, "success")                                                                        \
	X(E_ARG, 1, "a null pointer, or memory that overlaps or is not 8-byte aligned")            \
	X(E_NOSPACE, 2, "the block is too small")                                                  \
	X(E_LIMIT, 3, "the map would pass 2 GiB, or 2^30 rows")                                    \
	X(E_NODE, 4, "the tree has no node at the given offset")                                   \
	X(E_FDT_MAGIC, 10, "not a flattened device tree")                                          \
	X(E_FDT_VERSION, 11, "a device tree format other than version 17")                         \
	X(E_FDT_SIZE, 12, "the device tree is truncated, or its header lies about its parts")      \
	X(E_FDT_STRUCT, 13, "the device tree is malformed, or more than 64 levels deep")           \
	X(E_NOTFOUND, 14, "the tree describes no PMU")                                             \
	X(E_STRICT, 15, "a finding of severity error, and PMUMAP_STRICT is set")                   \
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

/* A status as a sentence for people, without a full stop. Never NULL. */
PMUMAP_API const char *pmumap_status_str(enum pmumap_status status);

/*
 * How bad a finding is:
 *   error    the row, the node or the property is dropped
 *   warning  it is kept, but is probably unintended
 *   note     it is legal, and worth knowing
 */
enum pmumap_severity { PMUMAP_NOTE = 1, PMUMAP_WARNING = 2, PMUMAP_ERROR = 3 };

#define PMUMAP_NO_NODE (-1)
#define PMUMAP_NO_ROW 0xffffffffu

/*
 * Rows count from 0 within their property; without a device tree, in the order of the calls. For
 * IMC and AMU, row is the number of a unit or a CPU, and other the number of another one. For a
 * unit or CPU that was dropped, row is the number that the next one gets.
 */
struct pmumap_finding {
	uint32_t code;    /* from the list of its kind of map */
	const char *name; /* "raw-dead", as in that list */
	enum pmumap_severity severity;
	int node;             /* libfdt's offset of the node; PMUMAP_NO_NODE without a tree */
	const char *property; /* where row lies; NULL: the node itself. Its bytes may come from the
				 tree, which may hold any, and are valid as long as it is */
	uint32_t row;         /* PMUMAP_NO_ROW: all of it */
	const char *other_property; /* where other lies; NULL: no other row */
	uint32_t other;             /* the other row of a conflict, or PMUMAP_NO_ROW */
	uint64_t value;             /* as the list above says */
};

/*
 * Your function that is called for each finding while the map is built. The finding is valid until
 * it returns. It must not use the builder or the block, must not call pmumap_add_...() or
 * pmumap_finish(), and must not change the tree. It has to return: no longjmp, no exception.
 */
typedef void pmumap_report_fn(void *arg, const struct pmumap_finding *finding);

/* "error", "warning" or "note" */
PMUMAP_API const char *pmumap_severity_str(enum pmumap_severity severity);

#define PMUMAP_IMAGE_VERSION 3u

/* What every image begins with, whatever kind of map it holds. */
struct pmumap_head_ {
	uint32_t magic, version;
	uint32_t size; /* of the whole image, a multiple of 8 */
	uint32_t flags;
};
#endif /* PMUMAP_HAS_CORE_API_ */

/* ---- builder/map_api.h: The image of a map */

#define PMUMAP_MAGIC 0x504d554du
#define PMUMAP_EVENT_LIMIT 0x100000u /* event_idx of the SBI specification has 20 bits */

/*
 * The answers for one event. Two kinds of records share one table: first those that event_index
 * points to; then, up to the end, the sorted run. It is sorted by first event and covers all events
 * that have no index byte.
 */
struct pmumap_record {
	uint64_t selector;
	uint32_t counters;
	uint32_t key; /* bit 31: there is a selector; the rest, in the sorted run: first event */
};

struct pmumap_raw_row {
	uint64_t select, mask;
	uint32_t counters;
	uint32_t more; /* 1: look at the next row too */
};

/*
 * The head of every map; its tables follow in the same block. Offsets are in bytes from the head.
 * A zeroed struct pmumap is a valid map of nothing. Read it through the functions below, since its
 * members change with PMUMAP_IMAGE_VERSION.
 */
struct pmumap {
	struct pmumap_head_ head; /* flags: PMUMAP_HAS_SELECTORS */
	uint32_t records;         /* records in all; record[0] is absent: no selector, no counter */
	uint32_t sorted;       /* the sorted run: its first record, which starts at event 0 ... */
	uint32_t sorted_count; /* ... and its length; record[0] alone where nothing is in it */
	uint32_t raw_rows; /* offset of 1 + raw_count rows, the first of which matches nothing */
	uint32_t raw_count;
	uint32_t raw_index;   /* offset of 2^(32 - raw_shift) 16-bit row numbers; or 0, and then: */
	uint32_t raw_vectors; /* offset of the 64-bit words [row / 64][nibble][value] */
	uint32_t raw_shift;
	uint32_t imc;            /* offset of struct pmumap_imc, or 0 */
	uint32_t reserved[5];    /* of bindings to come: 0 */
	uint64_t raw_common;     /* bits that every row compares */
	uint64_t raw_multiplier; /* of the hash: pmumap_riscv_raw_place_() */
	uint8_t event_index[128];
	struct pmumap_record record[1];
};

#define PMUMAP_HAS_SELECTORS 1u /* head.flags: the description has a table of selectors */

/*
 * Check an image that comes from elsewhere. After that no look-up reads outside of it, whatever it
 * is asked. image: 8-byte aligned; bytes: at least those of the image, which has at most 2 GiB.
 *
 * Returns  PMUMAP_OK and the map, which is the image itself; on failure *map is NULL.
 * Errors   E_ARG, E_IMAGE_MAGIC, E_IMAGE_ORDER, E_IMAGE_VERSION, E_IMAGE_SIZE, E_IMAGE_TABLE.
 * Cost     O(size); writes nothing.
 */
PMUMAP_API enum pmumap_status pmumap_open(const void *image, size_t bytes,
					  const struct pmumap **map);

/* Bytes of the image: what to copy, store or hand on. */
PMUMAP_API size_t pmumap_size(const struct pmumap *m);

/* ---- builder/api.h: The builder: from rows to a map */

/* flags */
#define PMUMAP_STRICT 1u     /* any finding of severity error fails the build */
#define PMUMAP_DESC 2u       /* IMC: keep the descriptions of events */
#define PMUMAP_NO_INDEX 4u   /* IMC: no name index */
#define PMUMAP_NO_OFFSETS 8u /* IMC: no order of offsets, which takes 2 or 4 bytes a name */

struct pmumap_builder;
struct pmumap_row_;
struct pmumap_imc_build_;

/*
 * What makes the part of IMC in pmumap_finish(). NULL: nothing of it was added. A
 * program that never adds anything of it does not link the function.
 */
typedef void pmumap_finish_part_fn_(struct pmumap_builder *b, struct pmumap *m);

/* To which units the next chips belong. */
enum pmumap_imc_chips_of_ {
	PMUMAP_IMC_CHIPS_OF_ALL_,  /* before the first unit: all nest units without their own */
	PMUMAP_IMC_CHIPS_OF_UNIT_, /* the last unit */
	PMUMAP_IMC_CHIPS_DROPPED_  /* a unit that was dropped */
};

/* What is known of IMC while entries come in. The two checks are set by pmumap_listen(). */
struct pmumap_imc_adding_ {
	pmumap_finish_part_fn_ *finish;
	void (*lint_list)(struct pmumap_imc_build_ *w, uint32_t list, uint32_t n);
	void (*lint_units)(struct pmumap_imc_build_ *w);
	uint32_t events, units; /* added so far, for the findings */
	uint32_t names;         /* how many of both are kept */
	uint32_t left_out;      /* 1: there is, or was, a unit that is not in the map */
	enum pmumap_imc_chips_of_ chips_of;
};

/* The state of a builder, for its own functions only. */
struct pmumap_builder_own_ {
	pmumap_report_fn *report;
	void *arg;
	void (*tell)(struct pmumap_builder *b, uint32_t what, uint32_t row, uint32_t other,
		     uint64_t value); /* pmumap_tell_finding_(), or NULL: nobody listens */
	int node;                     /* the node that findings are about */
	uint32_t errors;              /* 1: there was a finding of that severity */
	const char *properties[3];    /* names of the tables: as in the tree, or today's */
	const unsigned char *rows[3]; /* of the tables in a device tree, or NULL */
	unsigned char *mem;
	size_t bytes, room; /* of the block; how many rows and entries fit into it */
	enum pmumap_status status;
	uint32_t map_flags;

	/* RISC-V; the rows that wait at the end of the block are "kept" */
	void (*lint_rows)(struct pmumap_builder *b, const struct pmumap *m,
			  const struct pmumap_row_ *r);
	uint64_t selector_rows, counter_rows, raw_rows; /* added so far, also those dropped */
	uint32_t kept, raw_kept;
	uint32_t sorted_bound; /* the sorted run has at most so many records */

	/* entries of the other bindings */
	uint32_t entries;
	uint32_t interleaved; /* 1: not all of them came before the RISC-V rows */
	uint64_t entry_bytes; /* at most so many are needed for them and their tables */
	struct pmumap_imc_adding_ imc;
};

/* One for each build, usually on the stack. You may set flags after pmumap_begin(). */
struct pmumap_builder {
	uint32_t flags; /* PMUMAP_STRICT, PMUMAP_DESC, PMUMAP_NO_INDEX, PMUMAP_NO_OFFSETS */
	struct pmumap_builder_own_ own;
};

/*
 * Begin a map in a block of your memory.
 *
 * mem: 8-byte aligned; or NULL, to measure only, whatever bytes is: add all rows, then ask
 * pmumap_need(). The block belongs to the builder until pmumap_finish(): what is added (strings, a
 * tree, a map) lies outside of it.
 */
PMUMAP_API void pmumap_begin(struct pmumap_builder *b, void *mem, size_t bytes);

/*
 * Report every finding from now on; report may be NULL. Only then are rows also checked for what is
 * legal, but probably unintended. A program without this call does not link that code. See
 * pmumap_report_fn for what report must not do.
 */
PMUMAP_API void pmumap_listen(struct pmumap_builder *b, pmumap_report_fn *report, void *arg);

/*
 * Bytes of the block that the rows added so far need. The same rows need the same, whatever block
 * is in use. The finished map is smaller: it takes pmumap_size() bytes at the start of the block,
 * and the rest is free again.
 *
 * For IMC this includes an index of names and an order of offsets, for up to 4 names for each unit
 * and event. In a smaller block the map is built without them, and the finding no-index says what
 * the index would take.
 */
PMUMAP_API size_t pmumap_need(const struct pmumap_builder *b);

/*
 * Build the map at the start of the block. After that the builder is used up: it writes nothing any
 * more, and its functions return E_ARG, until pmumap_begin() is called again.
 *
 * Returns  PMUMAP_OK and the map (NULL when only measuring); on failure *map is NULL.
 * Errors   E_ARG, E_NOSPACE, E_LIMIT, E_STRICT. E_LIMIT also from 2^30 rows on, dropped ones
 *          included, so that no count wraps.
 * Cost     O(n log n) for n rows, whatever they say; the index of names of IMC takes as much again
 *          for each name that the block has room for. The order of the rows does not change the
 *          map, except that the first of two selectors for one event wins.
 */
PMUMAP_API enum pmumap_status pmumap_finish(struct pmumap_builder *b, const struct pmumap **map);

#if PMUMAP_BINDINGS & PMUMAP_RISCV

/* ---- riscv/api.h: RISC-V: rows in, look-ups, event names */

/*
 * The rows of the three tables, in any order. A bad row is reported, and dropped unless it is
 * harmless. The rows after it are read all the same.
 *
 * Returns  PMUMAP_OK, also for a row that was dropped. Also for a row that did not fit, or was one
 *          too many: pmumap_finish() then fails.
 * Errors   E_ARG, if pmumap_begin() got misaligned memory, or pmumap_add_map() a map in the block,
 *          or the builder is used up.
 * Cost     O(1).
 */
PMUMAP_API enum pmumap_status pmumap_add_selector(struct pmumap_builder *b, uint32_t event,
						  uint64_t selector);
PMUMAP_API enum pmumap_status pmumap_add_counters(struct pmumap_builder *b, uint32_t first,
						  uint32_t last, uint32_t counters);
PMUMAP_API enum pmumap_status pmumap_add_raw(struct pmumap_builder *b, uint64_t select,
					     uint64_t mask, uint32_t counters);

/*
 * Bytes of a block that is large enough for every map of so many rows, as a constant:
 *	static uint64_t block[PMUMAP_BLOCK(10, 10, 3) / 8];
 * pmumap_need() often asks for less. Maps of other bindings are not counted.
 */
#define PMUMAP_BLOCK(selectors, ranges, raws)                                                      \
	(sizeof(struct pmumap) + PMUMAP_BLOCK_SWEEP_ +                                             \
	 sizeof(struct pmumap_record) * (PMUMAP_BLOCK_INDEXED_(2u * ((selectors) + (ranges))) +    \
					 2u * ((selectors) + (ranges)) + 1u) +                     \
	 24u * ((selectors) + (ranges) + (raws)) + PMUMAP_BLOCK_RAW_((raws)))
#define PMUMAP_BLOCK_SWEEP_ 128u
#define PMUMAP_BLOCK_INDEXED_(n) ((n) < 128u ? (n) : 128u)
#define PMUMAP_BLOCK_RAW_(n)                                                                       \
	((n) == 0 ? 0u                                                                             \
		  : ((n) + 1u) * sizeof(struct pmumap_raw_row) +                                   \
			    ((n) > 16u ? ((n) / 64u + 1u) * 2048u : ((n) + 1u) * 32u))

#define PMUMAP_EVENT_CACHE 0x10000u
#define PMUMAP_EVENT_RAW 0x20000u    /* the event is in the data, 48 bits */
#define PMUMAP_EVENT_RAW_V2 0x30000u /* the event is in the data, 56 bits */
#define PMUMAP_EVENT_FIRMWARE 0xf0000u

/*
 * The value for mhpmevent. Returns 1; or 0 and *selector untouched, where the description has none.
 * Cost     one table access for the 128 codes 0..0x3f and 0x10000..0x1003f, among which are all of
 *          SBI's hardware events; else a binary search.
 */
PMUMAP_API int pmumap_selector(const struct pmumap *m, uint32_t event, uint64_t *selector);

/*
 * The counters that can count an event, by any row. Bit N: mhpmcounterN (0, 1, 2: mcycle, time,
 * minstret). 0: none can.
 */
PMUMAP_API uint32_t pmumap_counters(const struct pmumap *m, uint32_t event);

/*
 * The same for a raw event: the counters of all rows with select == (raw & mask).
 * Cost     one hash probe and at most 16 rows; if the masks have too few bits in common for a hash,
 *          16 words for every 64 rows.
 */
PMUMAP_API uint32_t pmumap_raw_counters(const struct pmumap *m, uint64_t raw);

/* How to encode an event that has no selector. */
enum pmumap_rule {
	PMUMAP_RULE_NONE,   /* not at all */
	PMUMAP_RULE_ABSENT, /* as event_idx, if there is no table of selectors, not even an empty
				one (QEMU's trees, RustSBI) */
	PMUMAP_RULE_ALWAYS  /* as event_idx (OpenSBI) */
};

/*
 * The value for mhpmevent of any hardware event: its selector, or event_idx by the rule. For a raw
 * event it is the data, cut to 48 or 56 bits. Returns 1; or 0 and *mhpmevent untouched.
 */
PMUMAP_API int pmumap_encode(const struct pmumap *m, uint32_t event, uint64_t data, unsigned rule,
			     uint64_t *mhpmevent);

/* Consecutive events with the same answers. They have counters, or a selector, or both. */
struct pmumap_run {
	uint32_t first, last;
	uint32_t counters;
	uint32_t has_selector;
	uint64_t selector;
};

/* List the map: the next run from event "from" on. Begin at 0, go on at last + 1. 0: no more. */
PMUMAP_API int pmumap_event_next(const struct pmumap *m, uint32_t from, struct pmumap_run *run);

/* List the raw rows, in the order that they have in the map. 0: index is too large. */
PMUMAP_API int pmumap_raw_at(const struct pmumap *m, uint32_t index, uint64_t *select,
			     uint64_t *mask, uint32_t *counters);

/*
 * The part of a map that a guest may use. A range with PMUMAP_EVENT_RAW (0x20000) grants raw
 * events; PMUMAP_EVENT_RAW_V2 alone grants nothing.
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
 * Add the RISC-V rows of a finished map, which lies outside of the builder's block. With grant NULL
 * these are all of them, and the new map answers as the old one. Else they are those of granted
 * events, with the granted counters. An event that keeps no counter keeps no selector either.
 * Errors   E_ARG, as above, and if the map lies in the block: then nothing is added.
 * Cost     O(runs * ranges).
 */
PMUMAP_API enum pmumap_status pmumap_add_map(struct pmumap_builder *b, const struct pmumap *m,
					     const struct pmumap_grant *grant);

/*
 * The map of a guest, in a block of its own: pmumap_begin(), pmumap_add_map(), pmumap_finish(),
 * with their errors.
 */
PMUMAP_API enum pmumap_status pmumap_restrict(const struct pmumap *m,
					      const struct pmumap_grant *grant, void *mem,
					      size_t bytes, const struct pmumap **map);

/* Whether SBI v3.0 defines the code (firmware: 0..21, 256..65535). 0 is none: it means no event. */
PMUMAP_API int pmumap_event_valid(uint32_t event);

/*
 * The name of an event, such as "SBI_PMU_HW_CACHE_MISSES", "SBI_PMU_HW_CACHE_L1D_READ_MISS" or
 * "SBI_PMU_FW_SET_TIMER"; or NULL.
 */
PMUMAP_API const char *pmumap_event_name(uint32_t event);

/*
 * Read an event as people write it, in upper or lower case, with '-' or '_': SBI names with or
 * without their prefix (cache-misses), perf's names (L1-dcache-load-misses, branches), numbers
 * (0x10019), raw events (r1801, raw:0x1801, raw-v2:0x1801; more than 48 bits make it a v2),
 * firmware events (fw:5, set-timer), and platform:0x1, the firmware event whose code is in the
 * data, of up to 64 bits. Behind r, bits 62 and 63 are the kind as in perf: 2 for a firmware event
 * (r8000000000000005 is fw:5), 3 for one of the platform. Numbers are hexadecimal behind 0x, else
 * decimal. Text needs no NUL; with len 0 it may be NULL, and is no event.
 *
 * Returns  1; or 0, and *event and *data untouched.
 */
PMUMAP_API int pmumap_event_parse(const char *text, size_t len, uint32_t *event, uint64_t *data);

/* ---- riscv/pmu_api.h: RISC-V: picking counters, and what a counter shall count */

#define PMUMAP_BUSY (-1)        /* a counter can count it, but none of those is free */
#define PMUMAP_UNSUPPORTED (-2) /* no counter counts it */

/* Features: what the hart has, and what this count needs. 8 is PMUMAP_MCOUNTINHIBIT. */
#define PMUMAP_CAN_INTERRUPT 1u /* programmable counters interrupt when they overflow */
#define PMUMAP_CAN_FILTER 16u   /* programmable counters can filter modes */
#define PMUMAP_SSCOFPMF (PMUMAP_CAN_FILTER | PMUMAP_CAN_INTERRUPT)
#define PMUMAP_SMCNTRPMF 2u /* mcycle and minstret can filter modes */
#define PMUMAP_FILTER 4u    /* filter modes: then mcycle and minstret serve only with SMCNTRPMF */

/*
 * A free counter for one event: the lowest of those that suit it best. With free 0 you only learn
 * whether the event is supported at all (BUSY) or not.
 *
 * free: those of the hart's own counters that are not in use; 0 and 2 are among its own. BUSY ends
 * once others are stopped, unless the tree promises counters that the hart lacks. To find out, ask
 * with all of the hart's own counters in free: what is BUSY even then stays so for ever. The same
 * holds for pmumap_plan() and pmumap_assign().
 *
 * The fixed counters 0 and 2 can count events 1 and 2 (cycles, instructions), whether or not a row
 * says so. With CAN_INTERRUPT they are the last choice, since they cannot interrupt; without, the
 * first. No other event ever gets counter 0, 1 or 2. Firmware events have no hardware counter, nor
 * have the types of events that SBI reserves (4 to 14), even if a row covers them: UNSUPPORTED.
 * Whether a programmable counter can do what FILTER asks for is not checked: see CAN_FILTER.
 */
PMUMAP_API int pmumap_pick(const struct pmumap *m, uint32_t event, uint64_t data, uint32_t free,
			   uint32_t features);

struct pmumap_want {
	uint64_t data;
	uint32_t event;
	uint32_t pinned;   /* in: 1: it runs on counter already, and stays there */
	int32_t counter;   /* out: as from pmumap_pick(); in, if it is pinned */
	uint32_t counters; /* out: all counters that can count it, free or not */
};

/*
 * Counters for n events at once: for as many of them as any assignment could place. If not all can
 * be placed, the earlier events win. Pinned events keep their counters, which need not be in free.
 * One that is pinned to a number below 0 has none. A number above 31 is no counter of the hart, but
 * perhaps one of its firmware: the event runs there, and takes no counter from the others.
 *
 * Returns  how many have a counter, the pinned ones included.
 * Cost     O(n); each event moves at most 32 others.
 */
PMUMAP_API int pmumap_assign(const struct pmumap *m, struct pmumap_want *want, uint32_t n,
			     uint32_t free, uint32_t features);

/* Modes in which a counter shall not count, in the order of SBI's filter flags from bit 3 on. */
#define PMUMAP_INHIBIT_VU 1u
#define PMUMAP_INHIBIT_VS 2u
#define PMUMAP_INHIBIT_U 4u
#define PMUMAP_INHIBIT_S 8u
#define PMUMAP_INHIBIT_M 16u

/* What a counter shall count. */
struct pmumap_job {
	uint64_t data;     /* of the event */
	uint64_t selector; /* pmumap_encode() */
	uint32_t event;
	uint32_t inhibit; /* modes, as far as the counter can filter them */
	uint32_t clear;   /* 1: count from 0 on */
};

/*
 * Plan one event: pick a counter as pmumap_pick() does, and say in *job what to program into it:
 * event, data and selector, all else 0.
 *
 * A fixed counter needs no selector: 0. An event that has none by the rule (enum pmumap_rule) can
 * use fixed counters only, and where none of those can count it, it is UNSUPPORTED. BUSY means that
 * no counter which can count it is in free. If all of the hart's own counters were in free, none
 * ever will be.
 */
PMUMAP_API int pmumap_plan(const struct pmumap *m, uint32_t event, uint64_t data, uint32_t free,
			   uint32_t features, unsigned rule, struct pmumap_job *job);

/*
 * Plan n events at once: assign counters as pmumap_assign() does, but only counters that can count
 * the event by the rule. job[i] says what to program for want[i], as pmumap_plan() does; for a
 * pinned event it is what runs already. An event can be counted on this hart if the hart has one of
 * want[i].counters.
 */
PMUMAP_API int pmumap_plan_all(const struct pmumap *m, struct pmumap_want *want, uint32_t n,
			       uint32_t free, uint32_t features, unsigned rule,
			       struct pmumap_job *job);

/*
 * The counters of one hart, numbered as mhpmcounterN. What drives them may be the hart's CSRs or
 * SBI firmware (pmumap_hart_pmu and pmumap_sbi_pmu of pmumap_hw.h), an emulator or a test.
 *
 *   set		stop the counter, and let it count this job from the next start on. Returns
 *		1; or 0 if it cannot count that, and then changes nothing
 *   start	start the counter, from *value on, or where it stands if value is NULL
 *   stop	stop the counter; release: it belongs to no event any more
 *   read		the value of the counter
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
 * The same counters, and two functions that move many of them at once, where each call below is
 * dear (pmumap_sbi_sets). They serve virtual CPUs that take turns: see pmumap_vpmu_restore_sets().
 * Bit N of a set: counter N. arg is that of one.
 *
 *   release	write to value[] what the counters of running have counted, and add to *overflowed
 *		those that have wrapped since start; then stop and release all of loaded. What is
 *		in the counters of touched is a secret from now on: the next load wipes those that
 *		it does not use. Returns those that the hart refused to stop: they may still count
 *   load	give the counters their jobs, start each at its value, and wipe what release has
 *		left in others. Returns those that failed: of counters, the ones that stand
 *		released; of all others, the ones with a value that could not be wiped
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

/* Errors of SBI that the PMU extension returns. */
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

	PMUMAP_SBI_SKIP_MATCH = 1, /* of CONFIG_MATCHING; from bit 3 on PMUMAP_INHIBIT_BIT_... */
	PMUMAP_SBI_CLEAR_VALUE = 2,
	PMUMAP_SBI_AUTO_START = 4,
	PMUMAP_SBI_INHIBIT_SHIFT = 3,

	PMUMAP_SBI_SET_INIT_VALUE = 1, /* of START */
	PMUMAP_SBI_INIT_SNAPSHOT = 2,

	PMUMAP_SBI_RESET = 1, /* of STOP */
	PMUMAP_SBI_TAKE_SNAPSHOT = 2
};
#endif

#if PMUMAP_BINDINGS & PMUMAP_IMC

/* ---- imc/api.h: IMC: names, units, offsets, addresses */

/* Where the counters of a unit lie. The values are those of the property "type". */
#define PMUMAP_IMC_THREAD 0x1u /* a page for each hardware thread */
#define PMUMAP_IMC_TRACE 0x2u  /* nowhere: the offset is the trace configuration */
#define PMUMAP_IMC_CORE 0x4u   /* a page for each core */
#define PMUMAP_IMC_NEST 0x10u  /* a window in the memory of each chip */

/* Strings lie in the map. The full name of an event is the prefix of its unit, then its name. */
struct pmumap_imc_unit {
	const char *name;            /* of the node: "mcs01@c8" */
	const char *prefix;          /* "PM_MCS01_"; may be "" */
	const char *scale, *measure; /* for events without their own; or NULL */
	uint32_t type;
	uint32_t reg;     /* added to the offset of each event */
	uint32_t size;    /* of the window or page; 0: unknown */
	uint32_t offset;  /* of the window from the chip's base */
	uint32_t control; /* of the control block in the window; to a builder, 0: the usual place */
	uint32_t events, chips;
};

struct pmumap_imc_event {
	const char *unit, *prefix, *name; /* unit: the name of its node */
	const char *scale, *measure;      /* its own, else the unit's, else NULL */
	const char *desc;                 /* NULL, unless built with PMUMAP_DESC */
	uint32_t type;
	uint32_t offset; /* in the window or page; of a trace event its configuration */
	uint32_t unit_index;
};

/*
 * IMC without a device tree: lists of events, and units that use them; any number of units may use
 * one list, before or after it is added. id: not 0. Strings have to live until pmumap_finish(),
 * which copies them; NULL and "" are absent.
 *
 * An event belongs to the list added last. Its name, scale, measure, desc (with PMUMAP_DESC) and
 * offset are used; of a unit, all members but events and chips. Chips belong to the unit added
 * last; chips before the first unit, to every nest unit without chips of its own.
 */
PMUMAP_API enum pmumap_status pmumap_add_imc_list(struct pmumap_builder *b, uint32_t id);
PMUMAP_API enum pmumap_status pmumap_add_imc_event(struct pmumap_builder *b,
						   const struct pmumap_imc_event *event);
PMUMAP_API enum pmumap_status pmumap_add_imc_unit(struct pmumap_builder *b, uint32_t list,
						  const struct pmumap_imc_unit *unit);
PMUMAP_API enum pmumap_status pmumap_add_imc_chip(struct pmumap_builder *b, uint32_t chip,
						  uint64_t base);

/*
 * Find an event by its full name, or in one unit by UNIT/NAME or UNIT/NAME/. A unit is spelled like
 * its node (mcs01@c8), without the address (mcs01), or as Linux calls it (nest_mcs01_imc,
 * core_imc).
 *
 * A name may belong to several units: nth counts the matches from 0, those with a longer prefix
 * first, then in the order of the units, then by offset.
 *
 * Returns  1; or 0, *out untouched.
 * Cost     one hash probe, also for a miss; with UNIT/ one for each match of the name. In a map
 *          without the name index: binary searches for each length that a prefix may have, and for
 *          each list and window of units with that prefix that has the name; with UNIT/, for each
 *          unit that has it. The whole map has no index where a full name has 128 bytes or more,
 *          or where two names hash alike under every seed. A hostile tree can have both.
 */
PMUMAP_API int pmumap_imc_find(const struct pmumap *m, const char *name, size_t len, uint32_t nth,
			       struct pmumap_imc_event *out);

/*
 * The nth event that is counted at an offset, of one unit in any spelling, or of all (unit NULL);
 * in the order of the units.
 *
 * Returns  1; or 0, *out untouched.
 * Cost     a binary search in one bucket of a hash; with a unit also one step for each event that
 *          is counted there. In a map without the order of offsets O(units), and two binary
 *          searches in each unit whose offsets may include it.
 */
PMUMAP_API int pmumap_imc_at(const struct pmumap *m, const char *unit, uint32_t offset,
			     uint32_t nth, struct pmumap_imc_event *out);

/* How many names all units have together, and whether there is an index of them. */
PMUMAP_API uint32_t pmumap_imc_names(const struct pmumap *m, int *indexed);

/* List the map: units in the order of the tree, events by offset. 0: index is too large. */
PMUMAP_API int pmumap_imc_unit(const struct pmumap *m, uint32_t index, struct pmumap_imc_unit *out);
PMUMAP_API int pmumap_imc_event_at(const struct pmumap *m, uint32_t unit, uint32_t index,
				   struct pmumap_imc_event *out);
PMUMAP_API int pmumap_imc_chip(const struct pmumap *m, uint32_t unit, uint32_t index,
			       uint32_t *chip, uint64_t *base);

/*
 * Where a nest counter lies on a chip, and the control block of a nest unit. Returns 1; or 0, *phys
 * untouched: not of type nest, no such chip, not inside the window, or beyond 64 bits.
 */
PMUMAP_API int pmumap_imc_address(const struct pmumap *m, const struct pmumap_imc_event *e,
				  uint32_t chip, uint64_t *phys);
PMUMAP_API int pmumap_imc_control(const struct pmumap *m, uint32_t unit, uint32_t chip,
				  uint64_t *phys);

/*
 * A scale exactly: "1.2207e-4" is 12207 * 10^-8. Returns 0 if it is no positive decimal number, or
 * its digits take more than 64 bits, or its exponent would be beyond -9999 or 9999.
 */
PMUMAP_API int pmumap_imc_scale(const char *scale, uint64_t *mantissa, int32_t *exponent);

/* A counter is 64 bits wide, big-endian, 8-byte aligned, and wraps. */
PMUMAP_API uint64_t pmumap_imc_read(const volatile void *counter);
PMUMAP_API uint64_t pmumap_imc_delta(uint64_t before, uint64_t now);

/* The control block: big-endian 64-bit words at these offsets, and what stands in them. */
enum {
	PMUMAP_IMC_CB_STATUS = 0,
	PMUMAP_IMC_CB_COMMAND = 8,
	PMUMAP_IMC_CB_SPEED = 16,
	PMUMAP_IMC_CB_AVAILABLE = 24, /* the vector for pmumap_imc_available() */
	PMUMAP_IMC_CB_MODE = 32,      /* 0: normal; 1 to 6: debug modes */
	PMUMAP_IMC_CB_BYTES = 40,

	PMUMAP_IMC_INITIALIZING = 0, /* status */
	PMUMAP_IMC_RUNNING = 1,
	PMUMAP_IMC_PAUSED = 2,

	PMUMAP_IMC_NOP = 0, /* command */
	PMUMAP_IMC_RESUME = 1,
	PMUMAP_IMC_PAUSE = 2,
	PMUMAP_IMC_RESTART = 3, /* clears the counters */

	PMUMAP_IMC_128US = 0, /* speed: time between two updates of the counters */
	PMUMAP_IMC_256US = 1,
	PMUMAP_IMC_1MS = 2,
	PMUMAP_IMC_4MS = 3,
	PMUMAP_IMC_16MS = 4,
	PMUMAP_IMC_64MS = 5,
	PMUMAP_IMC_256MS = 6,
	PMUMAP_IMC_1000MS = 7
};

/* The trace SCOM; buffer: 0..4, for 4096 << buffer records of 64 bytes. */
struct pmumap_imc_trace_scom {
	uint32_t sample;         /* 2 bits */
	uint32_t load;           /* 32 bits: events between two records */
	uint32_t event1, event2; /* 7 bits each */
	uint32_t buffer;
};

/* The offset of a trace event, and what perf takes as its configuration. */
struct pmumap_imc_trace_config {
	uint32_t event;  /* 8 bits */
	uint32_t sample; /* 2 bits */
	uint32_t load;   /* 32 bits */
};

/*
 * Fields of the trace SCOM or configuration to its word, and back. Returns 1; or 0 where a field or
 * a reserved bit is out of range, the result untouched.
 */
PMUMAP_API int pmumap_imc_trace_scom_encode(const struct pmumap_imc_trace_scom *fields,
					    uint64_t *scom);
PMUMAP_API int pmumap_imc_trace_scom_decode(uint64_t scom, struct pmumap_imc_trace_scom *fields);
PMUMAP_API int pmumap_imc_trace_config_encode(const struct pmumap_imc_trace_config *fields,
					      uint64_t *config);
PMUMAP_API int pmumap_imc_trace_config_decode(uint64_t config,
					      struct pmumap_imc_trace_config *fields);

/*
 * The generations of processors that have an availability vector. Where an option takes one of
 * these, NO_TRACE can be added, or stand alone: it leaves out the trace unit.
 */
enum { PMUMAP_IMC_P9 = 9, PMUMAP_IMC_P10 = 10 /* and POWER11 */, PMUMAP_IMC_NO_TRACE = 0x100 };

/*
 * Whether a nest unit, in any spelling, is there according to the availability vector of its
 * generation. Units without a bit in it are there, but for those of the debug modes (mcs0 to mcs7),
 * which no firmware enters. A combined unit (mcs01) is there if one of its halves is. If the vector
 * is 0, no microcode runs that would count, and no unit is there. Any other generation, also 0, has
 * no vector, and every unit is there.
 */
PMUMAP_API int pmumap_imc_available(unsigned generation, uint64_t vector, const char *unit);

/*
 * The part of an IMA_CATALOG image that belongs to a processor: xz-compressed, a tree inside. The
 * image may have skiboot's signed header, 4096 bytes that are not checked here; offset counts from
 * the start of the image all the same. An image from before mid-2017 has IMAC instead of IMCC.
 * Returns 1; or 0: no such image, a truncated one, or none for this PVR.
 */
PMUMAP_API int pmumap_imc_catalog(const void *image, size_t bytes, uint32_t pvr, size_t *offset,
				  size_t *size);
#endif

/* ---- builder/findings_api.h: Findings of RISC-V and IMC */

/* What is wrong with a description of RISC-V or IMC. The codes never change. */
#define PMUMAP_FINDING_LIST(X)                                                                     \
	X(TRAILING_BYTES, 1, "trailing-bytes")          /* value: bytes after the last row */      \
	X(EVENT_WIDE, 2, "event-wide")                  /* more than 20 bits; value: event */      \
	X(EVENT_INVALID, 3, "event-invalid")            /* no SBI event; value: event */           \
	X(RANGE_REVERSED, 4, "range-reversed")          /* value: first event */                   \
	X(RANGE_OVERLAP, 5, "range-overlap")            /* value: first common event */            \
	X(RANGE_RAW, 6, "range-raw")                    /* from 0x20000 on; value: the first */    \
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
	X(NO_SPACE, 24, "no-space")                     /* value: bytes needed */                  \
	X(REG_MISSING, 25, "reg-missing")               /* value: 0 */                             \
	X(REG_OVERFLOW, 26, "reg-overflow")             /* value: reg of the first event */        \
	X(NAME_MISSING, 27, "name-missing")             /* value: 0 */                             \
	X(NAME_DUPLICATE, 28, "name-duplicate")         /* value: reg of the second event */       \
	X(UNIT_DUPLICATE, 29, "unit-duplicate")         /* value: 0 */                             \
	X(PREFIX_MISSING, 30, "prefix-missing")         /* value: 0 */                             \
	X(EVENTS_MISSING, 31, "events-missing")         /* value: phandle, or 0 */                 \
	X(LIST_EMPTY, 32, "list-empty")                 /* value: phandle */                       \
	X(OFFSET_RANGE, 33, "offset-range")             /* value: the first offset */              \
	X(OFFSET_ALIGN, 34, "offset-align")             /* value: reg */                           \
	X(OFFSET_CLASH, 35, "offset-clash")             /* value: offset */                        \
	X(CONTROL_OVERLAP, 36, "control-overlap")       /* value: the first offset */              \
	X(SCALE_BAD, 37, "scale-bad")                   /* value: 0 */                             \
	X(TYPE_MISSING, 38, "type-missing")             /* value: 0 */                             \
	X(TYPE_UNKNOWN, 39, "type-unknown")             /* value: type */                          \
	X(CHIP_MISMATCH, 40, "chip-mismatch")           /* value: number of chip ids */            \
	X(OLD_FORMAT, 41, "old-format")                 /* value: 0 */                             \
	X(NO_INDEX, 42, "no-index")                     /* value: bytes needed; 0: never */        \
	X(WINDOW_MISSING, 43, "window-missing")         /* value: 0 */                             \
	X(CELL_WIDTH, 44, "cell-width")                 /* value: bytes, instead of 4 */           \
	X(CONTROL_RANGE, 45, "control-range")           /* value: cb_offset */                     \
	X(SCALE_EMPTY, 46, "scale-empty")               /* value: 0 */                             \
	X(LIST_UNUSED, 47, "list-unused")               /* value: phandle */                       \
	X(OFFSET_ALIAS, 48, "offset-alias")             /* value: offset */                        \
	X(PROPERTY_UNKNOWN, 70, "property-unknown")     /* value: the table it is like: 0 to 2 */  \
	X(SELECTOR_REVERSED, 71, "selector-reversed")   /* value: selector, or select */           \
	X(SELECTOR_BITS, 72, "selector-bits")           /* value: selector */                      \
	X(MASK_REVERSED, 73, "mask-reversed")           /* value: mask */                          \
	X(NODE_DISABLED, 74, "node-disabled")           /* value: 0 */                             \
	X(FIXED_MISSING, 75, "fixed-missing")           /* value: bit 1: event 1, bit 2: event 2 */

enum pmumap_code {
#define PMUMAP_X_(name, number, text) PMUMAP_F_##name = number,
	PMUMAP_FINDING_LIST(PMUMAP_X_)
#undef PMUMAP_X_
};

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

/* ---- core/compiler.h: What keeps compilers from calling libc */

#ifndef PMUMAP_HAS_CORE_COMPILER_
#define PMUMAP_HAS_CORE_COMPILER_
/*
 * For loops that look like memset, memcpy or strlen. Compilers turn those into calls of libc, even
 * when freestanding. `make check-undef` fails where this is missing.
 */
#ifdef __GNUC__
#define PMUMAP_NO_LIBCALL_() __asm__ __volatile__("" : : : "memory")
#else
#define PMUMAP_NO_LIBCALL_() ((void)0)
#endif

/*
 * LOADED: load this value before the test that decides about it, so that the test needs no branch.
 * On x86-64, where keys come in no order, a selector takes 3 ns with it and 9 without.
 * OUTLINE: keep this a function of its own: the rarer way of a look-up, so that the usual one needs
 * no stack frame; and what gcc -Os would copy into each of its callers.
 * COLD: called once at boot: small rather than fast, at -O2 too. Not what a reader or a builder
 * does for each node of a tree or each name of a catalog: those may be many.
 * INLINE: copy this into its callers unless code has to be small: a look-up that calls nothing
 * needs no stack frame.
 * ALWAYS_INLINE: also where code has to be small: a call would take more.
 * MAY_ALIAS: memory of this type may also be used as another type.
 */
#ifdef __GNUC__
#define PMUMAP_LOADED_(x) __asm__ __volatile__("" : "+r"(x))
#define PMUMAP_OUTLINE_ static __attribute__((__noinline__, __unused__))
#define PMUMAP_ALWAYS_INLINE_ static inline __attribute__((__always_inline__))
#ifdef __OPTIMIZE_SIZE__
#define PMUMAP_INLINE_ static inline
#else
#define PMUMAP_INLINE_ PMUMAP_ALWAYS_INLINE_
#endif
#define PMUMAP_MAY_ALIAS_ __attribute__((__may_alias__))
#define PMUMAP_COLD_ __attribute__((__cold__))
#else
#define PMUMAP_LOADED_(x) ((void)0)
#define PMUMAP_OUTLINE_ static inline
#define PMUMAP_ALWAYS_INLINE_ static inline
#define PMUMAP_INLINE_ static inline
#define PMUMAP_MAY_ALIAS_
#define PMUMAP_COLD_
#endif
#endif /* PMUMAP_HAS_CORE_COMPILER_ */

/* ---- core/status.h: The texts of status codes and findings */

#ifndef PMUMAP_HAS_CORE_STATUS_
#define PMUMAP_HAS_CORE_STATUS_
/* The string after n others: strings in a row need no pointers that would have to be relocated. */
static inline const char *pmumap_nth_text_(const char *texts, uint32_t n)
{
	while (n) {
		if (*texts++ == 0)
			n--;
		PMUMAP_NO_LIBCALL_();
	}
	return texts;
}

/* The text of a number; for a number that is not in the list, the text after the last one. */
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

PMUMAP_DEF const char *pmumap_severity_str(enum pmumap_severity severity)
{
	return severity == PMUMAP_ERROR ? "error" : severity == PMUMAP_WARNING ? "warning" : "note";
}
#endif /* PMUMAP_HAS_CORE_STATUS_ */

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

/* Big-endian numbers. They are read byte by byte, as they may lie at any address. */
static inline uint32_t pmumap_load_be32_(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | (uint32_t)p[3];
}

static inline uint64_t pmumap_load_be64_(const unsigned char *p)
{
	return (uint64_t)pmumap_load_be32_(p) << 32 | pmumap_load_be32_(p + 4);
}

/* The number of the lowest bit that is set; x is not 0. */
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

/* How many bits x needs: 0 for 0. */
static inline uint32_t pmumap_bit_width_(uint64_t x)
{
	uint32_t n = 0;

	for (; x; x >>= 1)
		n++;
	return n;
}

/* Whether two pieces of memory share a byte. */
static inline int pmumap_is_overlap_(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
	return (size_t)a - (size_t)b < b_bytes || (size_t)b - (size_t)a < a_bytes;
}
#endif /* PMUMAP_HAS_CORE_BITS_ */

/* ---- core/text.h: Texts that people write: numbers and words */

#ifndef PMUMAP_HAS_CORE_TEXT_
#define PMUMAP_HAS_CORE_TEXT_
/*
 * Texts that people wrote are read from at to end, in lower case and with '_' as '-'.
 */
static inline char pmumap_fold_case_(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c - 'A' + 'a');
	return c == '_' ? '-' : c;
}

/* Step over a word if the text begins with it. Returns 1; or 0 and *at untouched. */
static inline int pmumap_skip_word_(const char **at, const char *end, const char *word)
{
	const char *c = *at;

	for (; *word; word++, c++) {
		if (c == end || pmumap_fold_case_(*c) != pmumap_fold_case_(*word))
			return 0;
	}
	*at = c;
	return 1;
}

/* Whether all of the text is this word. */
static inline int pmumap_is_word_(const char *at, const char *end, const char *word)
{
	return pmumap_skip_word_(&at, end, word) && at == end;
}

#define PMUMAP_TENTH_ 0x1999999999999999u /* a tenth of the largest 64-bit number */

/*
 * All of the text as a number; base: 10 or 16. Returns 0 without a digit, for anything else, and if
 * it has more than 64 bits.
 */
static inline int pmumap_parse_digits_(const char *at, const char *end, uint32_t base,
				       uint64_t *value)
{
	if (at == end)
		return 0;
	for (*value = 0; at < end; at++) {
		char c = pmumap_fold_case_(*at);
		uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
				 : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
							: 16;

		if (digit >= base || *value > (base == 16 ? ~(uint64_t)0 >> 4 : PMUMAP_TENTH_))
			return 0;
		if (digit > ~(uint64_t)0 - *value * base)
			return 0;
		*value = *value * base + digit;
	}
	return 1;
}

/* The same, in hexadecimal behind 0x, else in decimal. */
static inline int pmumap_parse_number_(const char *at, const char *end, uint64_t *value)
{
	uint32_t base = pmumap_skip_word_(&at, end, "0x") ? 16 : 10;

	return pmumap_parse_digits_(at, end, base, value);
}

/* Step over one of n words, if '-' or the end follows it. Returns which; n: none of them. */
static inline uint32_t pmumap_skip_listed_word_(const char **at, const char *end, const char *words,
						uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++, words = pmumap_nth_text_(words, 1)) {
		const char *rest = *at;

		if (!pmumap_skip_word_(&rest, end, words) ||
		    (rest < end && pmumap_fold_case_(*rest) != '-'))
			continue;
		*at = rest;
		break;
	}
	return i;
}
#endif /* PMUMAP_HAS_CORE_TEXT_ */

/* ---- core/image.h: What lies inside of an image */

#ifndef PMUMAP_HAS_CORE_IMAGE_
#define PMUMAP_HAS_CORE_IMAGE_
#define PMUMAP_MAX_BYTES_ 0x7fffffffu

/* What lies at an offset of an image. */
static inline const void *pmumap_image_at_(const void *m, uint32_t offset)
{
	return (const char *)m + offset;
}

/*
 * Whether count elements of so many bytes each lie inside the image, 8-byte aligned and behind its
 * first bytes, which are the head of its kind. Nothing can wrap, and there is no division.
 */
static inline int pmumap_image_holds_(const struct pmumap_head_ *h, uint32_t head, uint32_t offset,
				      uint32_t count, uint32_t each)
{
	return offset >= head && offset % 8 == 0 && offset <= h->size &&
	       (uint64_t)count * each <= h->size - offset;
}

/* The same of an image whose head m points to. */
#define PMUMAP_IMAGE_HOLDS_(m, offset, count, each)                                                \
	pmumap_image_holds_(&(m)->head, sizeof(*(m)), offset, count, each)

/* Check the head of a foreign image, which begins with the head of its kind. */
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

/* ---- builder/rows.h: The rows of RISC-V, which wait at the end of the block */

/*
 * A row of a RISC-V table waits at the end of the block for pmumap_finish(). There are three kinds,
 * in one type so that one sort puts them in order: by key, then by value. Read key and value by the
 * functions below, which are named for what they mean:
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
	uint32_t row; /* its number; PMUMAP_RAW_ROW_: in the raw table; PMUMAP_ENTRY_: neither */
};

enum { PMUMAP_RANGE_, PMUMAP_SELECT_ };

#define PMUMAP_RAW_ROW_ 0x80000000u
#define PMUMAP_ENTRY_ 0xc0000000u

/* The key of a row that is not raw: events in order, and those of one event as they were added. */
static inline uint64_t pmumap_row_key_(uint32_t event, uint32_t kind, uint32_t row)
{
	return (uint64_t)(event << 1 | kind) << 32 | row;
}

/* The event of a selector, or the first event of a range. */
static inline uint32_t pmumap_row_event_(const struct pmumap_row_ *r)
{
	return (uint32_t)(r->key >> 32) >> 1;
}

/* Whether a row that is not raw is a selector. If not, it is a range. */
static inline int pmumap_row_is_selector_(const struct pmumap_row_ *r)
{
	return (int)((uint32_t)(r->key >> 32) & PMUMAP_SELECT_);
}

static inline uint64_t pmumap_row_selector_(const struct pmumap_row_ *r)
{
	return r->value;
}

/* The event after the last one of a range. It may be one more than 32 bits can say. */
static inline uint64_t pmumap_row_end_(const struct pmumap_row_ *r)
{
	return r->value;
}

static inline uint64_t pmumap_row_select_(const struct pmumap_row_ *r)
{
	return r->key;
}

static inline uint64_t pmumap_row_mask_(const struct pmumap_row_ *r)
{
	return r->value;
}

/* The number of a row in its own table. */
static inline uint32_t pmumap_row_number_(const struct pmumap_row_ *r)
{
	return r->row & ~PMUMAP_RAW_ROW_;
}

PMUMAP_DEF PMUMAP_COLD_ void pmumap_begin(struct pmumap_builder *b, void *mem, size_t bytes)
{
	pmumap_zero_words_(b, sizeof(*b));
	b->own.node = PMUMAP_NO_NODE;
	b->own.mem = (unsigned char *)mem;
	b->own.bytes = bytes;
	b->own.status = (size_t)mem % 8 ? PMUMAP_E_ARG : PMUMAP_OK;
	if (mem && b->own.status == PMUMAP_OK)
		b->own.room = bytes / sizeof(struct pmumap_row_);
}

/* Whether there are bindings other than RISC-V. */
#define PMUMAP_HAS_ENTRIES_ ((PMUMAP_BINDINGS & ~PMUMAP_RISCV) != 0)

/* How many entries they have added. */
#if PMUMAP_HAS_ENTRIES_
#define PMUMAP_ENTRIES_(b) ((b)->own.entries)
#else
#define PMUMAP_ENTRIES_(b) 0u
#endif

/* The rows and entries so far, newest first: the last bytes of the block. */
PMUMAP_ALWAYS_INLINE_ struct pmumap_row_ *pmumap_builder_rows_(const struct pmumap_builder *b)
{
	return (struct pmumap_row_ *)(void *)(b->own.mem + (b->own.bytes & ~(size_t)7)) -
	       (b->own.kept + PMUMAP_ENTRIES_(b));
}

/* Keep a row, if there is room. Without room it is counted all the same. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ enum pmumap_status
pmumap_builder_add_row_(struct pmumap_builder *b, uint64_t key, uint64_t value, uint32_t counters,
			uint32_t row)
{
	struct pmumap_row_ *r;

	/* It is counted afterwards: so no count leads behind the block, not even one that wraps. */
	if (b->own.kept + PMUMAP_ENTRIES_(b) < b->own.room) {
		r = pmumap_builder_rows_(b) - 1;
		r->key = key;
		r->value = value;
		r->counters = counters;
		r->row = row;
	}
	b->own.kept++;
	return b->own.status;
}

/* ---- builder/report.h: Report a finding */

/* The three tables of a riscv,pmu node, and their names behind "riscv,". */
#define PMUMAP_SELECTORS_NAME_ "event-to-mhpmevent"
#define PMUMAP_RANGES_NAME_ "event-to-mhpmcounters"
#define PMUMAP_RAW_NAME_ "raw-event-to-mhpmcounters"

enum { PMUMAP_SELECTORS_, PMUMAP_RANGES_, PMUMAP_RAW_, PMUMAP_TABLES_ };

/* Other places of findings: the node as a whole (IN_NODE), or one of these properties. */
#define PMUMAP_PLACE_LIST_(X)                                                                      \
	X(REG, "reg")                                                                              \
	X(EVENT_NAME, "event-name")                                                                \
	X(SCALE, "scale")                                                                          \
	X(COMPATIBLE, "compatible")                                                                \
	X(EVENTS, "events")                                                                        \
	X(EVENTS_PREFIX, "events-prefix")                                                          \
	X(TYPE, "type")                                                                            \
	X(SIZE, "size")                                                                            \
	X(OFFSET, "offset")                                                                        \
	X(CONTROL, "cb_offset")                                                                    \
	X(UNIT, "unit")                                                                            \
	X(CHIP_ID, "chip-id")                                                                      \
	X(STATUS, "status")

enum {
	PMUMAP_IN_SELECTORS_ = PMUMAP_SELECTORS_,
	PMUMAP_IN_RANGES_ = PMUMAP_RANGES_,
	PMUMAP_IN_RAW_ = PMUMAP_RAW_,
	PMUMAP_IN_NODE_ = PMUMAP_TABLES_,
#define PMUMAP_X_(name, text) PMUMAP_IN_##name##_,
	PMUMAP_PLACE_LIST_(PMUMAP_X_)
#undef PMUMAP_X_
};

/* Of each finding: its number in the list, and where its name lies in all their names. */
enum {
#define PMUMAP_X_(name, number, text) PMUMAP_NTH_##name##_,
	PMUMAP_FINDING_LIST(PMUMAP_X_)
#undef PMUMAP_X_
};

enum {
#define PMUMAP_X_(name, number, text)                                                              \
	PMUMAP_NAME_##name##_, PMUMAP_NAME_END_##name##_ = PMUMAP_NAME_##name##_ + sizeof(text) - 1,
	PMUMAP_FINDING_LIST(PMUMAP_X_)
#undef PMUMAP_X_
};

/*
 * A finding in one number, as a call with four arguments would take twice the code. The bytes from
 * the lowest on: number in the list, severity, place of the row, place of the other row. Only a
 * conflict has another row.
 */
#define PMUMAP_CONFLICT_(code, severity, place, other_place)                                       \
	((uint32_t)PMUMAP_NTH_##code##_ | (uint32_t)(severity) << 8 | (uint32_t)(place) << 16 |    \
	 (uint32_t)(other_place) << 24)
#define PMUMAP_FINDING_(code, severity, place)                                                     \
	PMUMAP_CONFLICT_(code, severity, place, PMUMAP_IN_NODE_)

#define PMUMAP_FINDING_SEVERITY_(what) ((enum pmumap_severity)((what) >> 8 & 0xff))

/* The name of a property; NULL: the node itself. Only for findings that somebody listens to. */
static inline const char *pmumap_place_name_(const struct pmumap_builder *b, uint32_t place)
{
#define PMUMAP_X_(name, text) text "\0"
	static const char names[] = PMUMAP_PLACE_LIST_(PMUMAP_X_);
#undef PMUMAP_X_

	if (place < PMUMAP_IN_NODE_)
		return b->own.properties[place];
	return PMUMAP_HAS_ENTRIES_ && place > PMUMAP_IN_NODE_
		       ? pmumap_nth_text_(names, place - PMUMAP_IN_NODE_ - 1)
		       : 0;
}

/* Fill in code and name of the nth finding of the list. */
static inline void pmumap_name_finding_(struct pmumap_finding *f, uint32_t nth)
{
#define PMUMAP_X_(name, number, text) number,
	static const unsigned char numbers[] = { PMUMAP_FINDING_LIST(PMUMAP_X_) };
#undef PMUMAP_X_
#define PMUMAP_X_(name, number, text) PMUMAP_NAME_##name##_,
	static const uint16_t starts[] = { PMUMAP_FINDING_LIST(PMUMAP_X_) };
#undef PMUMAP_X_
#define PMUMAP_X_(name, number, text) text "\0"
	static const char names[] = PMUMAP_FINDING_LIST(PMUMAP_X_);
#undef PMUMAP_X_

	f->code = numbers[nth];
	f->name = names + starts[nth];
}

/* Hand a finding to whoever listens: b->own.tell, from pmumap_listen() on. */
static inline PMUMAP_COLD_ void pmumap_tell_finding_(struct pmumap_builder *b, uint32_t what,
						     uint32_t row, uint32_t other, uint64_t value)
{
	struct pmumap_finding f;

	pmumap_name_finding_(&f, what & 0xff);
	f.severity = PMUMAP_FINDING_SEVERITY_(what);
	f.node = b->own.node;
	f.property = pmumap_place_name_(b, what >> 16 & 0xff);
	f.row = row;
	f.other_property = pmumap_place_name_(b, what >> 24);
	f.other = other;
	f.value = value;
	b->own.report(b->own.arg, &f);
}

/* Report a finding, if somebody listens, and count the errors. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ void pmumap_report_(struct pmumap_builder *b, uint32_t what,
						 uint32_t row, uint32_t other, uint64_t value)
{
	if (PMUMAP_FINDING_SEVERITY_(what) == PMUMAP_ERROR)
		b->own.errors = 1;
	if (b->own.tell)
		b->own.tell(b, what, row, other, value);
}

/* Report what is about one row, or with PMUMAP_NO_ROW about none. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ void pmumap_report_row_(struct pmumap_builder *b, uint32_t what,
						     uint32_t row, uint64_t value)
{
	pmumap_report_(b, what, row, PMUMAP_NO_ROW, value);
}

/* ---- builder/entries.h: The entries of other bindings, which wait there too */

/*
 * What bindings other than RISC-V keep until pmumap_finish(). An entry is as large as a row and
 * waits beside the rows, in the order of the calls, newest first. A binding has a struct for each
 * kind of its entries. It begins with a number to find it by, or with a text, and ends with the
 * kind. Entries are moved as rows are: hence MAY_ALIAS.
 */
struct pmumap_entry_ {
	uint64_t value;
	uint32_t numbers[3];
	uint32_t kind; /* PMUMAP_ENTRY_, the kind and its flags */
} PMUMAP_MAY_ALIAS_;

#define PMUMAP_ENTRY_FLAGS_ 0xffffffu /* the bits of kind that flags may use */

/* Entry i, counted from the oldest, as a struct of its kind: imc_list, amu_view and so on. */
#define PMUMAP_ENTRY_AT_(name, b, i) ((struct pmumap_##name##_entry_ *)pmumap_builder_entry_(b, i))

static inline void *pmumap_builder_entry_(const struct pmumap_builder *b, uint32_t i)
{
	return (struct pmumap_entry_ *)(void *)(b->own.mem + (b->own.bytes & ~(size_t)7)) - 1 - i;
}

static inline uint32_t pmumap_entry_kind_(const struct pmumap_builder *b, uint32_t i)
{
	const struct pmumap_entry_ *e = (const struct pmumap_entry_ *)pmumap_builder_entry_(b, i);

	return e->kind & ~(PMUMAP_ENTRY_ | PMUMAP_ENTRY_FLAGS_);
}

/* The number that an entry begins with. */
static inline uint64_t pmumap_entry_value_(const struct pmumap_builder *b, uint32_t i)
{
	return ((const struct pmumap_entry_ *)pmumap_builder_entry_(b, i))->value;
}

/* Add an entry. The caller fills in all but the kind. NULL: no room, or the build only measures. */
PMUMAP_OUTLINE_ void *pmumap_builder_add_entry_(struct pmumap_builder *b, uint32_t kind)
{
	struct pmumap_entry_ *e = 0;

	b->own.entry_bytes += sizeof(*e);
	if (b->own.entry_bytes > PMUMAP_MAX_BYTES_) /* pmumap_finish() says so */
		return 0;
	b->own.interleaved |= b->own.kept != 0;
	if (b->own.kept + b->own.entries < b->own.room) {
		e = (struct pmumap_entry_ *)(void *)pmumap_builder_rows_(b) - 1;
		e->kind = PMUMAP_ENTRY_ | kind;
	}
	b->own.entries++;
	return e;
}

/* Count the room for a string of the map, and for two places in the table that finds it again. */
static inline void pmumap_builder_reserve_text_(struct pmumap_builder *b, const char *text)
{
	uint32_t bytes = 1;

	while (text[bytes - 1]) {
		bytes++;
		PMUMAP_NO_LIBCALL_();
	}
	b->own.entry_bytes += bytes + 2 * sizeof(uint32_t);
}

/* Entries by their number. */
static inline int pmumap_order_entry_ids_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_builder *builder = (const struct pmumap_builder *)context;
	uint64_t x = pmumap_entry_value_(builder, a), y = pmumap_entry_value_(builder, b);

	return x < y ? -1 : x > y;
}

/* The first of some entries, in that order, with this number. NO_ROW: none; and always for 0. */
static inline uint32_t pmumap_builder_find_entry_(const struct pmumap_builder *b,
						  const uint32_t *entries, uint32_t count,
						  uint32_t value)
{
	uint32_t low = 0, n = count;

	while (n) {
		uint32_t half = n / 2;

		if (pmumap_entry_value_(b, entries[low + half]) < value) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return value && low < count && pmumap_entry_value_(b, entries[low]) == value
		       ? entries[low]
		       : PMUMAP_NO_ROW;
}

/* ---- builder/sort.h: Merge sort of rows */

/*
 * A total order of rows, so that the order of the description does not change the map. Raw rows
 * come after the others; entries come last, in the order that they have.
 */
static inline int pmumap_row_before_(const struct pmumap_row_ *a, const struct pmumap_row_ *b)
{
	if ((a->row ^ b->row) & PMUMAP_ENTRY_)
		return a->row < b->row;
	if (PMUMAP_HAS_ENTRIES_ && a->row >= PMUMAP_ENTRY_)
		return 0;
	if (a->key != b->key)
		return a->key < b->key;
	if (a->value != b->value)
		return a->value < b->value;
	return a->counters < b->counters;
}

/* Member by member, as compilers make a call of memcpy from the assignment of such a struct. */
static inline void pmumap_row_copy_(struct pmumap_row_ *to, const struct pmumap_row_ *from)
{
	to->key = from->key;
	to->value = from->value;
	to->counters = from->counters;
	to->row = from->row;
}

/*
 * Merge sort; spare: room for n rows. O(n log n). It reads memory from end to end, so that a table
 * larger than the cache costs little more for each row.
 */
static inline void pmumap_merge_sort_(struct pmumap_row_ *r, size_t n, struct pmumap_row_ *spare)
{
	struct pmumap_row_ *end = r + n, *to, *left, *right, *stop;
	size_t run;

	for (run = 1; run < n; run *= 2) {
		for (to = r; to < end - run; to = stop) {
			right = to + run;
			stop = right < end - run ? right + run : end;
			for (left = spare; to < right; to++)
				pmumap_row_copy_(left++, to);
			to -= run;
			/* What is left of the left run fits between here and the right one. */
			for (left = spare; to < right; to++) {
				if (right < stop && pmumap_row_before_(right, left))
					pmumap_row_copy_(to, right++);
				else
					pmumap_row_copy_(to, left++);
			}
		}
	}
}

/* Sort all rows, and move entries among them behind them. Needs the start of the block as spare. */
static inline void pmumap_builder_sort_rows_(struct pmumap_builder *b)
{
	uint32_t n = b->own.kept;

	if (PMUMAP_HAS_ENTRIES_ && b->own.interleaved)
		n += b->own.entries;
	pmumap_merge_sort_(pmumap_builder_rows_(b), n, (struct pmumap_row_ *)(void *)b->own.mem);
}

#if PMUMAP_HAS_ENTRIES_

/* ---- pool/text.h: The order and the hash of strings */

#ifndef PMUMAP_HAS_POOL_TEXT_
#define PMUMAP_HAS_POOL_TEXT_
/* One step of a hash: the next 8 bytes go in. */
static inline uint64_t pmumap_hash_mix_(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 32;
}

/* Scale any 32-bit number to one below n, without a division. */
static inline uint32_t pmumap_scale_to_(uint32_t x, uint32_t n)
{
	return (uint32_t)((uint64_t)x * n >> 32);
}

/* Compare two strings, byte by byte. Returns -1, 0 or 1. */
static inline int pmumap_compare_strings_(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return (*a != *b) * ((unsigned char)*a < (unsigned char)*b ? -1 : 1);
}

/* Compare a terminated string with a text of len bytes. Returns -1, 0 or 1. */
static inline int pmumap_compare_text_(const char *s, const unsigned char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if ((unsigned char)s[i] != text[i] || s[i] == 0)
			return s[i] == 0 || (unsigned char)s[i] < text[i] ? -1 : 1;
	}
	return s[len] != 0;
}

/* Eight bytes, the first one lowest. Compilers make one load of it where the target can. */
PMUMAP_INLINE_ uint64_t pmumap_load_le64_(const unsigned char *p)
{
	return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
	       (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
	       (uint64_t)p[7] << 56;
}

/* Of the result, look at PMUMAP_HIGH_BITS_ only: one is set if and only if a byte is 0. */
static inline uint64_t pmumap_zero_bytes_(uint64_t word)
{
	return (word - 0x0101010101010101u) & ~word;
}

#define PMUMAP_HIGH_BITS_ 0x8080808080808080u

/*
 * The hash of a text that comes in parts. pmumap_imc_hash_name_() yields the same number of a whole
 * text: names are put into the index by this one, and found by the other.
 */
struct pmumap_hash_ {
	uint64_t hash, word;
	uint32_t bytes;
};

/* Begin a text. Other seeds make other hashes. */
static inline void pmumap_hash_begin_(struct pmumap_hash_ *h, uint32_t seed)
{
	h->hash = seed;
	h->word = ~(uint64_t)0;
	h->bytes = 0;
}

/* The next byte. */
static inline void pmumap_hash_add_byte_(struct pmumap_hash_ *h, unsigned char byte)
{
	h->word = h->word >> 8 | (uint64_t)byte << 56;
	if (++h->bytes % 8 == 0)
		h->hash = pmumap_hash_mix_(h->hash, h->word);
}

/* The next part of the text. */
static inline void pmumap_hash_add_(struct pmumap_hash_ *h, const char *text)
{
	for (; *text; text++)
		pmumap_hash_add_byte_(h, (unsigned char)*text);
}

/*
 * The next part, if 8 bytes can be read from any of its bytes on: by words, while there is no 0.
 * They begin where a word of the hash does, since to shift one into the other would take a library
 * where there are no registers of 64 bits.
 */
static inline void pmumap_hash_add_words_(struct pmumap_hash_ *h, const char *text)
{
	uint64_t word;

	for (; h->bytes % 8 && *text; text++)
		pmumap_hash_add_byte_(h, (unsigned char)*text);
	for (;; text += 8) {
		word = pmumap_load_le64_((const unsigned char *)text);
		if (pmumap_zero_bytes_(word) & PMUMAP_HIGH_BITS_)
			break;
		h->hash = pmumap_hash_mix_(h->hash, word);
		h->word = word;
		h->bytes += 8;
	}
	pmumap_hash_add_(h, text);
}

/* The hash of all parts so far. */
static inline uint64_t pmumap_hash_end_(const struct pmumap_hash_ *h)
{
	return h->bytes % 8 ? pmumap_hash_mix_(h->hash + h->bytes, h->word) : h->hash;
}

/* The same of four bytes. */
static inline uint32_t pmumap_load_le32_(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Whether n bytes are equal. The last word that is compared may overlap the one before it. */
PMUMAP_INLINE_ int pmumap_equal_bytes_(const unsigned char *a, const unsigned char *b, size_t n)
{
	size_t i;

	if (n >= 8) {
		for (; n > 8; n -= 8) {
			if (pmumap_load_le64_(a) != pmumap_load_le64_(b))
				return 0;
			a += 8;
			b += 8;
		}
		return pmumap_load_le64_(a + n - 8) == pmumap_load_le64_(b + n - 8);
	}
	if (n >= 4)
		return pmumap_load_le32_(a) == pmumap_load_le32_(b) &&
		       pmumap_load_le32_(a + n - 4) == pmumap_load_le32_(b + n - 4);
	for (i = 0; i < n; i++) {
		if (a[i] != b[i])
			return 0;
	}
	return 1;
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

/* What follows in a text that begins with stem; NULL: it does not. */
static inline const char *pmumap_skip_stem_(const char *text, const char *stem)
{
	while (*stem && *text == *stem) {
		text++;
		stem++;
	}
	return *stem ? 0 : text;
}
#endif /* PMUMAP_HAS_POOL_TEXT_ */

/* ---- pool/sort.h: Merge sort and heap sort of numbers */

#ifndef PMUMAP_HAS_POOL_SORT_
#define PMUMAP_HAS_POOL_SORT_
/*
 * Orders two numbers that are sorted: below 0 if a comes first, above 0 if b does, and 0 if they
 * stay as they are.
 */
typedef int pmumap_order_fn_(const void *context, uint32_t a, uint32_t b);

/*
 * Merge sort of numbers; spare: room for n of them. Numbers of equal rank keep their order. Where
 * they stand for texts: after each comparison one of the two is in its place. So a pass reads each
 * text about once, and only up to its own end, however long the others are. A heap would read a
 * long text once for each of the others. Runs that are in order already take one comparison.
 */
static inline void pmumap_sort_numbers_(uint32_t *at, uint32_t n, uint32_t *spare,
					pmumap_order_fn_ *order, const void *context)
{
	uint32_t run, to, i, left, right, stop;

	for (run = 1; run < n; run *= 2) {
		for (to = 0; n - to > run; to = stop) {
			right = to + run;
			stop = n - right > run ? right + run : n;
			if (order(context, at[right - 1], at[right]) <= 0)
				continue;
			for (i = to; i < right; i++) {
				spare[i - to] = at[i];
				PMUMAP_NO_LIBCALL_();
			}
			/* What is left of the left run fits between here and the right one. */
			for (left = 0; left < run; to++) {
				if (right < stop && order(context, spare[left], at[right]) > 0)
					at[to] = at[right++];
				else
					at[to] = spare[left++];
			}
		}
	}
}

/*
 * Heap sort of numbers, in place, where there is no room for as many again; for an order that costs
 * the same for all of them. O(n log n); O(n) if they are in order already.
 */
static inline void pmumap_heap_sort_(uint32_t *at, uint32_t n, pmumap_order_fn_ *order,
				     const void *context)
{
	uint32_t start = n / 2, i, child, t;

	for (i = 1; i < n && order(context, at[i - 1], at[i]) <= 0; i++)
		;
	while (n > 1 && i < n) {
		uint32_t root;

		if (start) {
			start--;
		} else {
			t = at[--n];
			at[n] = at[0];
			at[0] = t;
		}
		for (root = start; (child = 2 * root + 1) < n; root = child) {
			if (child + 1 < n && order(context, at[child], at[child + 1]) < 0)
				child++;
			if (order(context, at[root], at[child]) >= 0)
				break;
			t = at[root];
			at[root] = at[child];
			at[child] = t;
		}
		i = 0;
	}
}
#endif /* PMUMAP_HAS_POOL_SORT_ */

/* ---- pool/pool.h: Tables and strings while a map grows */

#ifndef PMUMAP_HAS_POOL_POOL_
#define PMUMAP_HAS_POOL_POOL_
/* Append a table to the map. Its offset goes to *offset, unless NULL. Its end is padded with 0. */
static inline void *pmumap_append_table_(void *map, uint32_t *offset, uint32_t bytes)
{
	struct pmumap_head_ *m = (struct pmumap_head_ *)map;
	uint32_t at = m->size;

	if (offset)
		*offset = at;
	m->size += (bytes + 7) & ~7u;
	if (bytes % 8) /* so that the same tree yields the same bytes */
		pmumap_zero_words_((unsigned char *)m + m->size - 8, 8);
	return (unsigned char *)m + at;
}

/* Fill the image up to the next multiple of 8. */
static inline void pmumap_pad_image_(void *map)
{
	struct pmumap_head_ *m = (struct pmumap_head_ *)map;
	unsigned char *end = (unsigned char *)m + m->size;

	for (; m->size % 8; m->size++) {
		*end++ = 0;
		PMUMAP_NO_LIBCALL_();
	}
}

/*
 * The memory while a part of the map is made. The map grows from the start of the block. Scratch
 * tables, which are needed only while it is made, grow down from the rows. One of them finds
 * strings again.
 */
struct pmumap_pool_ {
	struct pmumap_head_ *m;
	unsigned char *top; /* the lowest byte in use above the map */
	uint32_t *table;    /* of strings: offsets in the map, or 0 */
	uint32_t table_size;
	uint32_t empty; /* offset of the empty string */
};

/* top: the lowest byte in use above the map, 4-byte aligned. */
static inline void pmumap_pool_init_(struct pmumap_pool_ *p, void *map, void *top)
{
	p->m = (struct pmumap_head_ *)map;
	p->top = (unsigned char *)top;
}

/* A scratch table of numbers, below all others. pmumap_need() has counted it. */
static inline uint32_t *pmumap_pool_scratch_(struct pmumap_pool_ *p, uint32_t count)
{
	p->top -= count * sizeof(uint32_t);
	return (uint32_t *)(void *)p->top;
}

/* Make the table that finds strings again, for so many of them. */
static inline void pmumap_pool_reserve_texts_(struct pmumap_pool_ *p, uint32_t texts)
{
	p->table_size = 2 * texts;
	p->table = pmumap_pool_scratch_(p, p->table_size);
	pmumap_zero_words_(p->table, p->table_size * sizeof(uint32_t));
}

/* The strings of the map begin here, with the empty one. */
static inline void pmumap_pool_begin_texts_(struct pmumap_pool_ *p)
{
	p->empty = p->m->size;
	*((char *)p->m + p->m->size++) = 0;
}

/* Bytes that are compared in a try: longer strings have fewer tries. */
#define PMUMAP_POOL_TRY_BYTES_ 512u

/*
 * Put a string into the map, unless it is there already. Returns its offset. It is copied first: in
 * the map, with tables behind it, it may be read by words. The search is bounded, so that no choice
 * of strings makes it slow. So a string may be there twice.
 */
static inline uint32_t pmumap_pool_keep_text_(struct pmumap_pool_ *p, const char *text)
{
	char *copy = (char *)p->m + p->m->size, *to = copy;
	struct pmumap_hash_ h;
	uint32_t place, tries;
	const char *s;

	if (!*text)
		return p->empty;
	while ((*to++ = *text++) != 0)
		PMUMAP_NO_LIBCALL_();
	pmumap_hash_begin_(&h, 0);
	pmumap_hash_add_words_(&h, copy);
	place = pmumap_scale_to_((uint32_t)(pmumap_hash_end_(&h) >> 32), p->table_size);
	for (tries = 0; tries < 32 && p->table[place]; tries++) {
		s = (const char *)pmumap_image_at_(p->m, p->table[place]);
		if (s + h.bytes < copy && s[h.bytes] == 0) {
			if (pmumap_equal_bytes_((const unsigned char *)s,
						(const unsigned char *)copy, h.bytes))
				return p->table[place];
			tries += h.bytes / PMUMAP_POOL_TRY_BYTES_;
		}
		if (++place == p->table_size)
			place = 0;
	}
	p->table[place] = p->m->size;
	p->m->size += h.bytes + 1;
	return p->table[place];
}
#endif /* PMUMAP_HAS_POOL_POOL_ */
#endif

#if PMUMAP_BINDINGS & PMUMAP_RISCV

/* ---- riscv/tables.h: The tables of events and of raw rows */

#define PMUMAP_EVENT_CYCLES_ 1u       /* the events that a fixed counter can count: mcycle ... */
#define PMUMAP_EVENT_INSTRUCTIONS_ 2u /* ... and minstret */

#define PMUMAP_EVENT_RAW_END_ 0x40000u /* the event after all codes of raw events */

#define PMUMAP_COUNTERS_ 32u /* of a hart: the bits of a set of counters */

/* The fixed counters, as bits. */
#define PMUMAP_CYCLE_BIT_ 1u
#define PMUMAP_TIME_BIT_ 2u
#define PMUMAP_INSTRET_BIT_ 4u
#define PMUMAP_FIXED_COUNTERS_ (PMUMAP_CYCLE_BIT_ | PMUMAP_TIME_BIT_ | PMUMAP_INSTRET_BIT_)
#define PMUMAP_FIRST_PROGRAMMABLE_ 3

#define PMUMAP_RECORD_HAS_SELECTOR_ 0x80000000u /* pmumap_record.key */
#define PMUMAP_INDEXED_EVENTS_ 128u             /* that have a byte in event_index */
#define PMUMAP_RAW_CHAIN_ 16u                   /* raw rows that one probe compares at most */
#define PMUMAP_RAW_VECTOR_WORDS_ 256u           /* words of the vectors of 64 raw rows */

/* The row that matches nothing; raw_count rows follow. Without any, none of it is there. */
static inline const struct pmumap_raw_row *pmumap_riscv_raw_rows_(const struct pmumap *m)
{
	return (const struct pmumap_raw_row *)pmumap_image_at_(m, m->raw_rows);
}

/* For each place of the hash, the number of its first row, or 0. There must be an index. */
static inline const uint16_t *pmumap_riscv_raw_index_(const struct pmumap *m)
{
	return (const uint16_t *)pmumap_image_at_(m, m->raw_index);
}

/* The first event that a record of the sorted run answers for. */
static inline uint32_t pmumap_riscv_first_event_(const struct pmumap_record *r)
{
	return r->key & ~PMUMAP_RECORD_HAS_SELECTOR_;
}

/* The hardware events of SBI: 1 to 10, and 7 caches of 3 operations (2 bits) with 2 results. */
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
	size_t page = event >> 6; /* as size_t, this is the least code on RISC-V */

	return (page & ~(size_t)(PMUMAP_EVENT_CACHE >> 6)) == 0;
}

/* Which byte of event_index an event has, if it has one. */
static inline uint32_t pmumap_riscv_index_slot_(uint32_t event)
{
	return (event | event >> 10) & 0x7f;
}

/* The event of a byte of event_index. */
static inline uint32_t pmumap_riscv_slot_event_(uint32_t slot)
{
	return (slot & 0x3f) | (slot & 0x40) << 10;
}

/* The place of a raw event in the hash. No shift of 64 bits varies: that would need libgcc. */
static inline uint32_t pmumap_riscv_raw_place_(const struct pmumap *m, uint64_t raw)
{
	return (uint32_t)((raw & m->raw_common) * m->raw_multiplier >> 32) >> m->raw_shift;
}

/* The last record of the sorted run that starts at the event or before it. */
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
 * The record of an event that has an index byte. Written so that the offset of the records is part
 * of the load, which is one instruction less on RISC-V.
 */
static inline const struct pmumap_record *pmumap_riscv_indexed_record_(const struct pmumap *m,
								       uint32_t event)
{
	uint32_t i = m->event_index[pmumap_riscv_index_slot_(event)];

	return ((const struct pmumap *)pmumap_image_at_(m, i * (uint32_t)sizeof(m->record[0])))
		->record;
}

/* The record of any event. */
static inline const struct pmumap_record *pmumap_riscv_record_of_event_(const struct pmumap *m,
									uint32_t event)
{
	return pmumap_riscv_is_indexed_event_(event) ? pmumap_riscv_indexed_record_(m, event)
						     : pmumap_riscv_search_record_(m, event);
}

#define PMUMAP_RAW_BITS_ 0xffffffffffffu /* the bits of a raw event: 48, or 56 */
#define PMUMAP_RAW_V2_BITS_ 0xffffffffffffffu

/* The bits that a raw event has; 0: not a raw event. */
static inline uint64_t pmumap_riscv_raw_bits_(uint32_t event)
{
	if (event == PMUMAP_EVENT_RAW)
		return PMUMAP_RAW_BITS_;
	return event == PMUMAP_EVENT_RAW_V2 ? PMUMAP_RAW_V2_BITS_ : 0;
}

/* ---- riscv/open.h: Check them in a foreign image */

/*
 * Whether each selector of the sorted run belongs to one event. A run of a million events with one
 * would make pmumap_add_map() add a million rows.
 */
static inline int pmumap_riscv_open_selectors_(const struct pmumap *m)
{
	const struct pmumap_record *r = m->record;
	uint32_t next = PMUMAP_EVENT_LIMIT, first, end, i;

	r += m->sorted;
	for (i = m->sorted_count; i > 0; i--) {
		first = pmumap_riscv_first_event_(&r[i - 1]);
		/* After event 0xffff the run skips those that have an index byte. */
		end = first == PMUMAP_EVENT_CACHE - 1 ? PMUMAP_EVENT_CACHE + 0x40 : first + 1;
		if ((r[i - 1].key & PMUMAP_RECORD_HAS_SELECTOR_) && next != end)
			return 0;
		next = first;
	}
	return 1;
}

/*
 * Whether the table of records is right: it lies inside the image, record[0] is empty, every index
 * byte points to a record, the sorted run begins at event 0 and rises, and its selectors belong to
 * one event each.
 */
static inline int pmumap_riscv_open_events_(const struct pmumap *m)
{
	const struct pmumap_record *r = m->record;
	uint32_t i;

	if (m->records == 0 ||
	    (uint64_t)m->records * sizeof(*r) > m->head.size - sizeof(*m) + sizeof(*r))
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

/* Whether the index points to rows only, and every chain of rows is short and ends among them. */
static inline int pmumap_riscv_open_raw_index_(const struct pmumap *m)
{
	const struct pmumap_raw_row *r = pmumap_riscv_raw_rows_(m);
	uint32_t i, places, length = 0;

	if (m->raw_shift < 14 || m->raw_shift > 31)
		return 0;
	places = 1u << (32 - m->raw_shift);
	if (!PMUMAP_IMAGE_HOLDS_(m, m->raw_index, places, sizeof(uint16_t)))
		return 0;
	for (i = 0; i < places; i++) {
		if (pmumap_riscv_raw_index_(m)[i] > m->raw_count)
			return 0;
	}
	for (i = 0; i <= m->raw_count; i++) {
		length = r[i].more ? length + 1 : 0;
		if (length == PMUMAP_RAW_CHAIN_)
			return 0;
	}
	return length == 0;
}

/* Whether the raw rows, and the index or the vectors that find them, are right. */
static inline int pmumap_riscv_open_raw_(const struct pmumap *m)
{
	if (m->raw_count == 0)
		return m->raw_index == 0 && m->raw_rows == 0 && m->raw_vectors == 0;
	if (m->raw_count >= 0x80000000u ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->raw_rows, m->raw_count + 1, sizeof(struct pmumap_raw_row)))
		return 0;
	if (m->raw_index)
		return pmumap_riscv_open_raw_index_(m);
	return PMUMAP_IMAGE_HOLDS_(m, m->raw_vectors, (m->raw_count + 63) / 64,
				   PMUMAP_RAW_VECTOR_WORDS_ * sizeof(uint64_t));
}

/* ---- riscv/lookup.h: Event to selector, event to counters, raw event to counters */

/* The selector of a record. Returns 1; or 0 and *selector untouched, where it has none. */
static inline int pmumap_riscv_take_selector_(const struct pmumap_record *r, uint64_t *selector)
{
	uint64_t value = r->selector;
	uint32_t found = r->key >> 31;

	PMUMAP_LOADED_(value);
	if (found)
		*selector = value;
	return (int)found;
}

/* pmumap_selector() of an event without an index byte. */
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

/* pmumap_counters() of an event without an index byte. */
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

/*
 * pmumap_raw_counters() where there is no hash index: the rows that match every nibble of the
 * event, 64 rows at a time. The number of a bit follows from the upper six bits of its product with
 * a de Bruijn sequence: that takes no branch that the processor could guess wrong.
 */
PMUMAP_OUTLINE_ uint32_t pmumap_riscv_search_vectors_(const struct pmumap *m, uint64_t raw)
{
	static const unsigned char place[64] = {
		0,  1,  2,  7,  3,  13, 8,  19, 4,  25, 14, 28, 9,  34, 20, 40,
		5,  17, 26, 38, 15, 46, 29, 48, 10, 31, 35, 54, 21, 50, 41, 57,
		63, 6,  12, 18, 24, 27, 33, 39, 16, 37, 45, 47, 30, 53, 49, 56,
		62, 11, 23, 32, 36, 44, 52, 55, 61, 22, 43, 51, 60, 42, 59, 58,
	};
	const struct pmumap_raw_row *r = pmumap_riscv_raw_rows_(m) + 1, *end = r + m->raw_count,
				    *row;
	const uint64_t *words = (const uint64_t *)pmumap_image_at_(m, m->raw_vectors);
	uint32_t counters = 0;

	for (; r < end; r += 64, words += PMUMAP_RAW_VECTOR_WORDS_) {
		const uint64_t *at = words;
		uint64_t hits = ~(uint64_t)0, left = raw;

		do {
			hits &= at[left & 15];
			at += 16;
			left >>= 4;
		} while (hits && at < words + PMUMAP_RAW_VECTOR_WORDS_);
		for (; hits; hits &= hits - 1) {
			row = r + place[(hits & (0 - hits)) * 0x0218a392cd3d5dbfu >> 58];
			if (row < end)
				counters |= row->counters;
		}
	}
	return counters;
}

PMUMAP_DEF uint32_t pmumap_raw_counters(const struct pmumap *m, uint64_t raw)
{
	const struct pmumap_raw_row *r;
	uint32_t counters;

	if (!m->raw_index)
		return pmumap_riscv_search_vectors_(m, raw);
	r = pmumap_riscv_raw_rows_(m) + pmumap_riscv_raw_index_(m)[pmumap_riscv_raw_place_(m, raw)];
	for (counters = 0;; r++) {
		uint32_t mine = r->counters;

		PMUMAP_LOADED_(mine);
		counters |= mine & (0u - (uint32_t)((raw & r->mask) == r->select));
		if (!r->more)
			return counters;
	}
}

/* Whether an event is its own selector, by the rule, where the map has none for it. */
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

/* ---- riscv/list.h: List a map */

/* The last of the consecutive events, from this one on, that have the same record r. */
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
	const struct pmumap_raw_row *r = pmumap_riscv_raw_rows_(m) + 1;

	if (index >= m->raw_count)
		return 0;
	*select = r[index].select;
	*mask = r[index].mask;
	*counters = r[index].counters;
	return 1;
}

/* ---- riscv/names.h: The names of SBI events */

/*
 * Named events in one order: general (codes 1..10), cache (7 caches x 3 operations x 2 results),
 * firmware (codes 0..21, then the platform's).
 */
#define PMUMAP_FIRST_CACHE_NAME_ 10u
#define PMUMAP_FIRST_FIRMWARE_NAME_ (PMUMAP_FIRST_CACHE_NAME_ + 7 * 3 * 2)
#define PMUMAP_PLATFORM_NAME_ (PMUMAP_FIRST_FIRMWARE_NAME_ + 22)
#define PMUMAP_EVENT_NAMES_ (PMUMAP_PLATFORM_NAME_ + 1)
#define PMUMAP_EVENT_PLATFORM_ (PMUMAP_EVENT_FIRMWARE | 0xffffu)

/* Name n of that order. */
static inline const char *pmumap_riscv_nth_name_(uint32_t n)
{
#define PMUMAP_CACHE_NAMES_(cache)                                                                 \
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
		PMUMAP_CACHE_NAMES_("L1D") PMUMAP_CACHE_NAMES_("L1I") PMUMAP_CACHE_NAMES_("LL")
		PMUMAP_CACHE_NAMES_("DTLB") PMUMAP_CACHE_NAMES_("ITLB") PMUMAP_CACHE_NAMES_("BPU")
		PMUMAP_CACHE_NAMES_("NODE")
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
#undef PMUMAP_CACHE_NAMES_

	return pmumap_nth_text_(names, n);
}

/* The event that name n belongs to. */
static inline uint32_t pmumap_riscv_nth_event_(uint32_t n)
{
	uint32_t cache = n - PMUMAP_FIRST_CACHE_NAME_;

	if (n < PMUMAP_FIRST_CACHE_NAME_)
		return n + 1;
	if (n < PMUMAP_FIRST_FIRMWARE_NAME_)
		return PMUMAP_EVENT_CACHE | cache / 6 << 3 | cache % 6;
	if (n < PMUMAP_PLATFORM_NAME_)
		return PMUMAP_EVENT_FIRMWARE | (n - PMUMAP_FIRST_FIRMWARE_NAME_);
	return PMUMAP_EVENT_PLATFORM_;
}

PMUMAP_DEF int pmumap_event_valid(uint32_t event)
{
	if (event >= PMUMAP_EVENT_FIRMWARE)
		return event - PMUMAP_EVENT_FIRMWARE < 22 ||
		       (event >= PMUMAP_EVENT_FIRMWARE + 256 && event <= PMUMAP_EVENT_PLATFORM_);
	return pmumap_riscv_is_hardware_event_(event) || event == PMUMAP_EVENT_RAW ||
	       event == PMUMAP_EVENT_RAW_V2;
}

PMUMAP_DEF const char *pmumap_event_name(uint32_t event)
{
	uint32_t n;

	for (n = 0; n < PMUMAP_EVENT_NAMES_; n++) {
		if (pmumap_riscv_nth_event_(n) == event)
			return pmumap_riscv_nth_name_(n);
	}
	return 0;
}

/* ---- riscv/parse.h: Events as people write them */

/* A cache event of perf's: a cache, then operation and result in any order, each at most once. */
static inline int pmumap_riscv_parse_cache_(const char *at, const char *end, uint32_t *event)
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
	uint32_t cache = pmumap_skip_listed_word_(&at, end, cache_words, sizeof(caches));
	uint32_t seen = 0, operation = 0, result = 0;

	if (cache == sizeof(caches))
		return 0;
	while (at < end) {
		uint32_t part, bit;

		at++; /* '-': pmumap_skip_listed_word_() stops nowhere else */
		part = pmumap_skip_listed_word_(&at, end, part_words, sizeof(parts));
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

/* A name of SBI's, with or without its prefix; one of perf's; or one of perf's cache events. */
static inline int pmumap_riscv_parse_name_(const char *at, const char *end, uint32_t *event)
{
	static const unsigned char events[] = { 1, 5, 8, 9, 10 };
	const char *rest = at;
	uint32_t n;

	(void)pmumap_skip_word_(&at, end, "sbi-pmu-");
	for (n = 0; n < PMUMAP_EVENT_NAMES_; n++) {
		const char *name = pmumap_riscv_nth_name_(n) + sizeof("SBI_PMU_") - 1;

		if (pmumap_is_word_(at, end, name) ||
		    pmumap_is_word_(at, end, name + sizeof("HW_") - 1) ||
		    (n >= PMUMAP_FIRST_CACHE_NAME_ && n < PMUMAP_FIRST_FIRMWARE_NAME_ &&
		     pmumap_is_word_(at, end, name + sizeof("HW_CACHE_") - 1))) {
			*event = pmumap_riscv_nth_event_(n);
			return 1;
		}
	}
	at = rest;
	/* clang-format off */
	n = pmumap_skip_listed_word_(&rest, end,
			 "cycles\0" "branches\0" "idle-cycles-frontend\0" "idle-cycles-backend\0"
			 "ref-cycles", sizeof(events));
	/* clang-format on */
	if (n == sizeof(events) || rest < end)
		return pmumap_riscv_parse_cache_(at, end, event);
	*event = events[n];
	return 1;
}

/* A raw event by its data alone: of 48 bits, or of 56. */
static inline int pmumap_riscv_is_raw_data_(uint64_t data, int v2, uint32_t *event)
{
	*event = v2 || data >> 48 ? PMUMAP_EVENT_RAW_V2 : PMUMAP_EVENT_RAW;
	return data >> 56 == 0;
}

/*
 * A raw code as perf has it, of which bits 62 and 63 are the kind, as Linux takes it: 0 is a raw
 * event, 2 a firmware event, of 16 bits, 3 the platform's, of 62 bits.
 */
static inline int pmumap_riscv_split_perf_raw_(uint32_t *event, uint64_t *data)
{
	uint64_t kind = *data >> 62, rest = *data & ~(uint64_t)0 >> 2;

	if (kind < 2)
		return pmumap_riscv_is_raw_data_(*data, 0, event);
	*event = PMUMAP_EVENT_PLATFORM_;
	if (kind == 2)
		*event = PMUMAP_EVENT_FIRMWARE | (uint32_t)rest;
	*data = kind == 2 ? 0 : rest;
	return kind == 3 || (rest >> 16 == 0 && pmumap_event_valid(*event));
}

/* raw:NUMBER, raw-v2:NUMBER, or r and hexadecimal digits. On failure *data may have changed. */
static inline int pmumap_riscv_parse_raw_(const char *at, const char *end, uint32_t *event,
					  uint64_t *data)
{
	int v2 = pmumap_skip_word_(&at, end, "raw-v2:");

	if (v2 || pmumap_skip_word_(&at, end, "raw:")) {
		if (!pmumap_parse_number_(at, end, data))
			return 0;
		return pmumap_riscv_is_raw_data_(*data, v2, event);
	}
	return pmumap_skip_word_(&at, end, "r") && pmumap_parse_digits_(at, end, 16, data) &&
	       pmumap_riscv_split_perf_raw_(event, data);
}

PMUMAP_DEF int pmumap_event_parse(const char *text, size_t len, uint32_t *event, uint64_t *data)
{
	const char *at = text, *end = len ? text + len : text;
	uint32_t found = PMUMAP_EVENT_PLATFORM_;
	uint64_t value = 0;

	if (pmumap_parse_number_(at, end, &value)) {
		if (value >= PMUMAP_EVENT_LIMIT)
			return 0;
		found = (uint32_t)value;
		value = 0;
	} else if (pmumap_skip_word_(&at, end, "fw:")) {
		if (!pmumap_parse_number_(at, end, &value) || value > 0xffff ||
		    !pmumap_event_valid(PMUMAP_EVENT_FIRMWARE | (uint32_t)value))
			return 0;
		found = PMUMAP_EVENT_FIRMWARE | (uint32_t)value;
		value = 0;
	} else if (pmumap_skip_word_(&at, end, "platform:")) {
		if (!pmumap_parse_number_(at, end, &value))
			return 0;
	} else if (!pmumap_riscv_parse_raw_(at, end, &found, &value)) {
		value = 0;
		if (!pmumap_riscv_parse_name_(at, end, &found))
			return 0;
	}
	*event = found;
	*data = value;
	return 1;
}

/* ---- riscv/pick.h: Counters for one event, and for many at once */

/* The fixed counter that counts an event, as a bit: mcycle counts event 1, minstret event 2. */
static inline uint32_t pmumap_riscv_own_counter_(uint32_t event)
{
	return event <= PMUMAP_EVENT_INSTRUCTIONS_ ? event * event : 0;
}

/* The fixed counters that may count at all: none if modes have to be filtered and they cannot. */
static inline uint32_t pmumap_riscv_fixed_counters_(uint32_t features)
{
	return (features & PMUMAP_FILTER) && !(features & PMUMAP_SMCNTRPMF)
		       ? 0
		       : PMUMAP_CYCLE_BIT_ | PMUMAP_INSTRET_BIT_;
}

/*
 * The counters that may count an event, for plans and guests alike. A fixed counter counts its own
 * event, and only if it is among fixed. A programmable one needs a selector: it goes to *selector,
 * which is 0 if neither map nor rule has one, and then only a fixed counter is left. With selector
 * NULL that does not matter. Events of types that SBI reserves have no counter, whatever the map
 * says.
 */
PMUMAP_OUTLINE_ uint32_t pmumap_riscv_find_counters_(const struct pmumap *m, uint32_t event,
						     uint64_t data, uint32_t fixed, unsigned rule,
						     uint64_t *selector)
{
	const struct pmumap_record *r;
	uint32_t counters;

	if (event >= PMUMAP_EVENT_RAW) {
		uint64_t bits = pmumap_riscv_raw_bits_(event);

		if (selector)
			*selector = data & bits;
		return bits ? pmumap_raw_counters(m, data & bits) & ~PMUMAP_FIXED_COUNTERS_ : 0;
	}
	r = pmumap_riscv_record_of_event_(m, event);
	counters = r->counters & ~PMUMAP_FIXED_COUNTERS_;
	if (selector) {
		*selector = r->selector;
		if (!(r->key & PMUMAP_RECORD_HAS_SELECTOR_)) {
			*selector = event;
			if (!pmumap_riscv_is_own_selector_(m, event, rule))
				*selector = counters = 0;
		}
	}
	return counters | (fixed & pmumap_riscv_own_counter_(event));
}

/* The lowest of some counters; the fixed ones come last where the others can interrupt. */
static inline uint32_t pmumap_riscv_best_counter_(uint32_t counters, uint32_t features)
{
	if ((features & PMUMAP_CAN_INTERRUPT) && (counters & ~PMUMAP_FIXED_COUNTERS_))
		counters &= ~PMUMAP_FIXED_COUNTERS_;
	return pmumap_lowest_bit_(counters);
}

/* The best of the candidates that is free, or why there is none. */
static inline int pmumap_riscv_choose_counter_(uint32_t counters, uint32_t free, uint32_t features)
{
	if (counters == 0)
		return PMUMAP_UNSUPPORTED;
	if ((counters & free) == 0)
		return PMUMAP_BUSY;
	return (int)pmumap_riscv_best_counter_(counters & free, features);
}

PMUMAP_DEF int pmumap_pick(const struct pmumap *m, uint32_t event, uint64_t data, uint32_t free,
			   uint32_t features)
{
	uint32_t counters = pmumap_riscv_find_counters_(
		m, event, data, pmumap_riscv_fixed_counters_(features), PMUMAP_RULE_NONE, 0);

	return pmumap_riscv_choose_counter_(counters, free, features);
}

/* What to program into a counter. A fixed one, or none, takes no selector. */
static inline void pmumap_riscv_fill_job_(struct pmumap_job *job, uint32_t event, uint64_t data,
					  uint64_t selector, int32_t counter)
{
	job->data = data;
	job->selector = counter < PMUMAP_FIRST_PROGRAMMABLE_ ? 0 : selector;
	job->event = event;
	job->inhibit = 0;
	job->clear = 0;
}

PMUMAP_DEF int pmumap_plan(const struct pmumap *m, uint32_t event, uint64_t data, uint32_t free,
			   uint32_t features, unsigned rule, struct pmumap_job *job)
{
	uint64_t selector;
	uint32_t counters = pmumap_riscv_find_counters_(
		m, event, data, pmumap_riscv_fixed_counters_(features), rule, &selector);
	int counter = pmumap_riscv_choose_counter_(counters, free, features);

	pmumap_riscv_fill_job_(job, event, data, selector, counter);
	return counter;
}

/* Which counters have been given away, and to which want each. */
struct pmumap_riscv_owners_ {
	uint32_t given;
	uint32_t want[PMUMAP_COUNTERS_];
};

#define PMUMAP_PATH_START_ PMUMAP_COUNTERS_ /* instead of a counter */

/*
 * Place one more event, want[n]. Returns 0 if that is impossible. If all its counters are given
 * away, others move: by the shortest chain of events that go to the counter of the next one, the
 * last to a counter that nobody has (an augmenting path). If there is no such chain now, there will
 * be none for this event when more events are placed. So one try for each event is enough.
 */
static inline int pmumap_riscv_place_want_(struct pmumap_want *want, struct pmumap_riscv_owners_ *o,
					   uint32_t n, uint32_t free, uint32_t features)
{
	/* The counter whose owner could move here; PMUMAP_PATH_START_: n itself could. */
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

/* pmumap_assign(), once it is known which counters each event can have. */
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

PMUMAP_DEF int pmumap_assign(const struct pmumap *m, struct pmumap_want *want, uint32_t n,
			     uint32_t free, uint32_t features)
{
	uint32_t fixed = pmumap_riscv_fixed_counters_(features), i;

	for (i = 0; i < n; i++)
		want[i].counters = pmumap_riscv_find_counters_(m, want[i].event, want[i].data,
							       fixed, PMUMAP_RULE_NONE, 0);
	return pmumap_riscv_place_wants_(want, n, free, features);
}

PMUMAP_DEF int pmumap_plan_all(const struct pmumap *m, struct pmumap_want *want, uint32_t n,
			       uint32_t free, uint32_t features, unsigned rule,
			       struct pmumap_job *job)
{
	uint32_t fixed = pmumap_riscv_fixed_counters_(features), i;
	int placed;

	for (i = 0; i < n; i++)
		want[i].counters = pmumap_riscv_find_counters_(m, want[i].event, want[i].data,
							       fixed, rule, &job[i].selector);
	placed = pmumap_riscv_place_wants_(want, n, free, features);
	for (i = 0; i < n; i++)
		pmumap_riscv_fill_job_(&job[i], want[i].event, want[i].data, job[i].selector,
				       want[i].counter);
	return placed;
}

/* ---- riscv/add.h: Take a row */

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_add_selector(struct pmumap_builder *b,
							       uint32_t event, uint64_t selector)
{
	uint32_t row = (uint32_t)b->own.selector_rows++;

	b->own.map_flags |= PMUMAP_HAS_SELECTORS;
	if (event >= PMUMAP_EVENT_LIMIT) {
		pmumap_report_(b, PMUMAP_FINDING_(EVENT_WIDE, PMUMAP_ERROR, PMUMAP_IN_SELECTORS_),
			       row, PMUMAP_NO_ROW, event);
		return b->own.status;
	}
	if (!pmumap_riscv_is_indexed_event_(event))
		b->own.sorted_bound += 2;
	return pmumap_builder_add_row_(b, pmumap_row_key_(event, PMUMAP_SELECT_, row), selector, 0,
				       row);
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status
pmumap_add_counters(struct pmumap_builder *b, uint32_t first, uint32_t last, uint32_t counters)
{
	uint32_t row = (uint32_t)b->own.counter_rows++, what = 0;

	if (first > last)
		what = PMUMAP_FINDING_(RANGE_REVERSED, PMUMAP_ERROR, PMUMAP_IN_RANGES_);
	else if (first >= PMUMAP_EVENT_LIMIT)
		what = PMUMAP_FINDING_(EVENT_WIDE, PMUMAP_ERROR, PMUMAP_IN_RANGES_);
	else if (counters == 0)
		what = PMUMAP_FINDING_(COUNTERS_EMPTY, PMUMAP_WARNING, PMUMAP_IN_RANGES_);
	if (what) {
		pmumap_report_(b, what, row, PMUMAP_NO_ROW, first);
		return b->own.status;
	}
	if (!pmumap_riscv_is_indexed_event_(first) || first >> 6 != last >> 6)
		b->own.sorted_bound += 2;
	return pmumap_builder_add_row_(b, pmumap_row_key_(first, PMUMAP_RANGE_, row),
				       (uint64_t)last + 1, counters, row);
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_add_raw(struct pmumap_builder *b, uint64_t select,
							  uint64_t mask, uint32_t counters)
{
	uint32_t row = (uint32_t)b->own.raw_rows++, what = 0;

	if (select & ~mask)
		what = PMUMAP_FINDING_(RAW_DEAD, PMUMAP_ERROR, PMUMAP_IN_RAW_);
	else if (counters == 0)
		what = PMUMAP_FINDING_(COUNTERS_EMPTY, PMUMAP_WARNING, PMUMAP_IN_RAW_);
	if (what) {
		pmumap_report_(b, what, row, PMUMAP_NO_ROW, select);
		return b->own.status;
	}
	b->own.raw_kept++;
	return pmumap_builder_add_row_(b, select, mask, counters, row | PMUMAP_RAW_ROW_);
}

/* ---- riscv/build_events.h: Rows to records of events */

/* Bytes below the rows, for pmumap_riscv_sweep_rows_(). */
#define PMUMAP_SWEEP_BYTES_ (PMUMAP_COUNTERS_ * (uint32_t)sizeof(uint32_t))

/* Append a record. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ void pmumap_riscv_add_record_(struct pmumap *m, uint64_t selector,
							   uint32_t counters, uint32_t key)
{
	struct pmumap_record *r = m->record;

	r += m->records++;
	r->selector = selector;
	r->counters = counters;
	r->key = key;
}

/* Index bytes for first to end - 1, which have the same answers. Equal records are stored once. */
static inline void pmumap_riscv_emit_indexed_(struct pmumap *m, uint32_t first, uint32_t end,
					      const struct pmumap_row_ *selector, uint32_t counters)
{
	const struct pmumap_record *r = m->record;
	uint64_t value = selector ? pmumap_row_selector_(selector) : 0;
	uint32_t key = selector ? PMUMAP_RECORD_HAS_SELECTOR_ : 0, i = 0;

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

/* A record of the sorted run from event first on, unless the one before it says the same. */
static inline void pmumap_riscv_emit_sorted_(struct pmumap *m, uint32_t first,
					     const struct pmumap_row_ *selector, uint32_t counters)
{
	const struct pmumap_record *before = m->record;

	before += m->records - 1;
	if (selector)
		pmumap_riscv_add_record_(m, pmumap_row_selector_(selector), counters,
					 first | PMUMAP_RECORD_HAS_SELECTOR_);
	else if ((before->key & PMUMAP_RECORD_HAS_SELECTOR_) || before->counters != counters)
		pmumap_riscv_add_record_(m, 0, counters, first);
}

/*
 * Go from event to event at which the answer may change, and make the records for one of the two
 * kinds of events: indexed or not. r to end: the sorted rows of events. reach[i], which lies below
 * the rows, is the event from which on no range so far offers counter i.
 */
static inline PMUMAP_COLD_ void pmumap_riscv_sweep_rows_(struct pmumap_builder *b, struct pmumap *m,
							 const struct pmumap_row_ *r,
							 const struct pmumap_row_ *end, int indexed)
{
	const struct pmumap_row_ *selector;
	uint32_t *reach = (uint32_t *)(void *)pmumap_builder_rows_(b) - PMUMAP_COUNTERS_;
	uint32_t at, next, active, counter, bits, seen = 0;

	pmumap_zero_words_(reach, PMUMAP_SWEEP_BYTES_);
	for (at = 0; at < PMUMAP_EVENT_LIMIT; at = next) {
		next = at < PMUMAP_EVENT_CACHE ? PMUMAP_EVENT_CACHE : PMUMAP_EVENT_LIMIT;
		if (pmumap_riscv_is_indexed_event_(at))
			next = (at | 0x3f) + 1;
		for (selector = 0; r < end && pmumap_row_event_(r) == at; r++) {
			if (pmumap_row_is_selector_(r)) {
				selector = selector ? selector : r;
				/* Which error it is, pmumap_riscv_lint_rows_() tells. */
				if (pmumap_row_selector_(r) != pmumap_row_selector_(selector))
					b->own.errors = 1;
			}
			seen |= r->counters;
			for (bits = r->counters, counter = 0; bits; bits >>= 1, counter++) {
				if ((bits & 1) && reach[counter] < pmumap_row_end_(r))
					reach[counter] = pmumap_row_end_(r) < PMUMAP_EVENT_LIMIT
								 ? (uint32_t)pmumap_row_end_(r)
								 : PMUMAP_EVENT_LIMIT;
			}
		}
		if (r < end && pmumap_row_event_(r) < next)
			next = pmumap_row_event_(r);
		if (selector)
			next = at + 1;
		active = 0;
		for (bits = seen, counter = 0; bits; bits >>= 1, counter++) {
			if (reach[counter] <= at)
				continue;
			active |= 1u << counter;
			if (reach[counter] < next)
				next = reach[counter];
		}
		if (indexed != pmumap_riscv_is_indexed_event_(at))
			continue;
		if (indexed)
			pmumap_riscv_emit_indexed_(m, at, next, selector, active);
		else
			pmumap_riscv_emit_sorted_(m, at, selector, active);
	}
}

/* Make all records, from the n sorted rows of events. */
static inline void pmumap_riscv_build_events_(struct pmumap_builder *b, struct pmumap *m,
					      const struct pmumap_row_ *r, uint32_t n)
{
	pmumap_riscv_add_record_(m, 0, 0, 0);
	pmumap_riscv_sweep_rows_(b, m, r, r + n, 1);
	m->sorted = m->records;
	pmumap_riscv_add_record_(m, 0, 0, 0);
	pmumap_riscv_sweep_rows_(b, m, r, r + n, 0);
	m->sorted_count = m->records - m->sorted;
	if (m->sorted_count == 1) { /* nothing but the start: record[0] serves as well */
		m->records--;
		m->sorted = 0;
	}
}

/* ---- riscv/build_raw.h: Raw rows to a hash index, or to bit vectors */

/* Count the rows of each place. Returns 0 if a place has more than "most". */
static inline int pmumap_riscv_try_raw_hash_(const struct pmumap *m, uint16_t *index,
					     const struct pmumap_row_ *r, uint32_t n, uint32_t most)
{
	uint32_t i;

	pmumap_zero_words_(index, sizeof(*index) << (32 - m->raw_shift));
	for (i = 0; i < n; i++) {
		if (++index[pmumap_riscv_raw_place_(m, pmumap_row_select_(&r[i]))] > most)
			return 0;
	}
	return 1;
}

/* Up to so many rows, one row in each place is tried first, then 2, 4, 8 and 16. */
#define PMUMAP_RAW_PERFECT_ROWS_ 64u

/* With more rows there is no index. */
#define PMUMAP_RAW_INDEXED_ROWS_ 32768u

/*
 * Find a hash in a bounded number of tries, so that no table makes a build slow. Returns 0 if there
 * is none. The number of a try says how many rows a place may have (1, 2, 4, 8, 16: from bit 7 on),
 * how large the index is (1, 2, 4, 8 times its least size: bits 5 and 6), and which of 32
 * multipliers is used. With many rows only 8 in each place and double size are tried.
 */
static inline int pmumap_riscv_find_raw_hash_(struct pmumap *m, uint16_t *index,
					      const struct pmumap_row_ *r, uint32_t n)
{
	uint32_t bits = 2, end = n > PMUMAP_RAW_PERFECT_ROWS_ ? 14 * 32 : 20 * 32;
	uint32_t i = n > PMUMAP_RAW_PERFECT_ROWS_ ? 13 * 32 : 0;

	while (n >> bits)
		bits++;
	for (; i < end && n <= PMUMAP_RAW_INDEXED_ROWS_; i++) {
		m->raw_shift = 32 - bits - (i >> 5 & 3);
		m->raw_multiplier = 0x9e3779b19e3779b1u * (2 * i + 1);
		if (pmumap_riscv_try_raw_hash_(m, index, r, n, 1u << (i >> 7)))
			return 1;
	}
	return 0;
}

/* Set a bit in the words of those values of a nibble that match. select has only bits of mask. */
static inline void pmumap_riscv_build_nibble_(uint64_t *words, uint32_t select, uint32_t mask,
					      uint64_t bit)
{
	uint32_t any = ~mask & 15, value = any;

	do { /* all subsets of any */
		words[(select & 15) | value] |= bit;
		value = (value - 1) & any;
	} while (value != any);
}

/* Word [row / 64][nibble][value], bit row % 64: events with this value there may match the row. */
static inline void pmumap_riscv_build_vectors_(uint64_t *vectors, const struct pmumap_row_ *r,
					       uint32_t n)
{
	uint32_t i, word;

	pmumap_zero_words_(vectors, (n + 63) / 64 * PMUMAP_RAW_VECTOR_WORDS_ * sizeof(*vectors));
	for (i = 0; i < n; i++) {
		uint64_t select = pmumap_row_select_(&r[i]), mask = pmumap_row_mask_(&r[i]);
		uint64_t bit = 1u << (i & 31);

		if (i & 32)
			bit <<= 32;
		for (word = 0; word < PMUMAP_RAW_VECTOR_WORDS_; word += 16) {
			pmumap_riscv_build_nibble_(vectors + word, (uint32_t)select, (uint32_t)mask,
						   bit);
			select >>= 4;
			mask >>= 4;
		}
		if (i % 64 == 63)
			vectors += PMUMAP_RAW_VECTOR_WORDS_;
	}
}

/* Turn the count of rows of each place into the number of its first row; 0: it has none. */
static inline void pmumap_riscv_begin_places_(uint16_t *index, uint32_t bits)
{
	uint32_t place, next = 1;

	for (place = 0; place >> bits == 0; place++) {
		uint32_t count = index[place];

		index[place] = (uint16_t)(count ? next : 0);
		next += count;
	}
}

/* Make the raw tables. The rows of one place lie together; more is 1 in all but the last. */
static inline void pmumap_riscv_build_raw_(struct pmumap *m, const struct pmumap_row_ *r,
					   uint32_t n)
{
	struct pmumap_raw_row *rows = (struct pmumap_raw_row *)(void *)((char *)m + m->head.size),
			      *row;
	uint16_t *index = (uint16_t *)(void *)(rows + n + 1);
	uint32_t i, size = m->head.size;

	pmumap_zero_words_(rows, (n + 1) * sizeof(*rows));
	rows->select = 1;
	m->raw_rows = size;
	m->raw_count = n;
	m->raw_common = ~(uint64_t)0;
	for (i = 0; i < n; i++)
		m->raw_common &= pmumap_row_mask_(&r[i]);
	size += (n + 1) * (uint32_t)sizeof(*rows);
	if (pmumap_riscv_find_raw_hash_(m, index, r, n)) {
		pmumap_riscv_begin_places_(index, 32 - m->raw_shift);
		m->raw_index = size;
		size += (uint32_t)sizeof(*index) << (32 - m->raw_shift);
	} else {
		pmumap_riscv_build_vectors_((uint64_t *)(void *)index, r, n);
		m->raw_vectors = size;
		size += (n + 63) / 64 * PMUMAP_RAW_VECTOR_WORDS_ * (uint32_t)sizeof(uint64_t);
	}
	m->head.size = size;
	for (i = 0; i < n; i++) {
		row = rows + i + 1;
		if (m->raw_index)
			row = rows + index[pmumap_riscv_raw_place_(m, pmumap_row_select_(&r[i]))];
		for (; row->counters; row++) /* taken: none has 0 */
			row->more = 1;
		row->select = pmumap_row_select_(&r[i]);
		row->mask = pmumap_row_mask_(&r[i]);
		row->counters = r[i].counters;
	}
}

/* ---- riscv/build.h: All of that, in order */

#define PMUMAP_MAX_ROWS_ 0x3fffffffu /* of all tables: the number of a row has 30 bits */

/*
 * Bytes besides the head, for the tables of RISC-V and the rows that wait. A row makes at most two
 * records: where its counters begin, and where they end. At most 128 are indexed. Up to
 * PMUMAP_RAW_CHAIN_ raw rows always get an index, of at most 16 places for each row and one more.
 * More rows may get bit vectors instead, which are larger than an index. Above PMUMAP_MAX_ROWS_ the
 * answer is more than 2 GiB, so that pmumap_finish() returns E_LIMIT.
 */
static inline uint64_t pmumap_riscv_need_(const struct pmumap_builder *b)
{
	uint64_t n = b->own.raw_kept, indexed = 2 * ((uint64_t)b->own.kept - n);
	uint64_t records = (indexed < PMUMAP_INDEXED_EVENTS_ ? indexed : PMUMAP_INDEXED_EVENTS_) +
			   b->own.sorted_bound + 1;
	uint64_t rows = b->own.selector_rows + b->own.counter_rows + b->own.raw_rows;
	uint64_t bytes = PMUMAP_SWEEP_BYTES_;

	if (n)
		bytes += (n + 1) * sizeof(struct pmumap_raw_row) +
			 (n > PMUMAP_RAW_CHAIN_
				  ? (n / 64 + 1) * PMUMAP_RAW_VECTOR_WORDS_ * sizeof(uint64_t)
				  : (n + 1) * 16 * sizeof(uint16_t));
	if (rows > PMUMAP_MAX_ROWS_)
		bytes += PMUMAP_MAX_BYTES_;
	return bytes + records * sizeof(struct pmumap_record) +
	       b->own.kept * sizeof(struct pmumap_row_);
}

/* Make the RISC-V part of the map, from sorted rows. It comes before the other parts. */
static inline void pmumap_riscv_finish_part_(struct pmumap_builder *b, struct pmumap *m)
{
	const struct pmumap_row_ *r = pmumap_builder_rows_(b);
	uint32_t events = b->own.kept - b->own.raw_kept;

	pmumap_riscv_build_events_(b, m, r, events);
	m->head.size += (m->records - 1) * (uint32_t)sizeof(m->record[0]);
	if (b->own.lint_rows)
		b->own.lint_rows(b, m, r);
	if (b->own.raw_kept)
		pmumap_riscv_build_raw_(m, r + events, b->own.raw_kept);
}

/* ---- riscv/lint_row.h: What is legal, but probably unintended: in one row */

/* Check the counters of a range or a raw row; fixed: the fixed counters that belong there. */
static inline void pmumap_riscv_lint_counters_(struct pmumap_builder *b, uint32_t table,
					       const struct pmumap_row_ *r, uint32_t fixed)
{
	uint32_t row = pmumap_row_number_(r);

	if (r->counters & PMUMAP_TIME_BIT_)
		pmumap_report_(b, PMUMAP_FINDING_(TIME_BIT, PMUMAP_WARNING, table), row,
			       PMUMAP_NO_ROW, r->counters);
	if (r->counters & (PMUMAP_CYCLE_BIT_ | PMUMAP_INSTRET_BIT_) & ~fixed)
		pmumap_report_(b, PMUMAP_FINDING_(FIXED_BIT, PMUMAP_WARNING, table), row,
			       PMUMAP_NO_ROW, r->counters);
}

/* Check a range; furthest: of the ranges before it, the one that reaches furthest; or NULL. */
static inline void pmumap_riscv_lint_range_(struct pmumap_builder *b, const struct pmumap_row_ *r,
					    const struct pmumap_row_ *furthest)
{
	uint32_t first = pmumap_row_event_(r), last = (uint32_t)(pmumap_row_end_(r) - 1),
		 event = first, fixed = 0;

	if (last >= PMUMAP_EVENT_LIMIT)
		pmumap_report_(b, PMUMAP_FINDING_(EVENT_WIDE, PMUMAP_WARNING, PMUMAP_IN_RANGES_),
			       r->row, PMUMAP_NO_ROW, last);
	if (last >= PMUMAP_EVENT_RAW) {
		pmumap_report_(b, PMUMAP_FINDING_(RANGE_RAW, PMUMAP_WARNING, PMUMAP_IN_RANGES_),
			       r->row, PMUMAP_NO_ROW,
			       first > PMUMAP_EVENT_RAW ? first : PMUMAP_EVENT_RAW);
	} else {
		while (pmumap_riscv_is_hardware_event_(event))
			event++;
		if (event <= last)
			pmumap_report_(
				b,
				PMUMAP_FINDING_(EVENT_INVALID,
						event == first ? PMUMAP_WARNING : PMUMAP_NOTE,
						PMUMAP_IN_RANGES_),
				r->row, PMUMAP_NO_ROW, event);
	}
	if (first == last && first == PMUMAP_EVENT_CYCLES_)
		fixed = PMUMAP_CYCLE_BIT_;
	if (first == last && first == PMUMAP_EVENT_INSTRUCTIONS_)
		fixed = PMUMAP_INSTRET_BIT_;
	pmumap_riscv_lint_counters_(b, PMUMAP_IN_RANGES_, r, fixed);
	if (furthest && pmumap_row_end_(furthest) > first) {
		uint32_t row = r->row, other = furthest->row;

		pmumap_report_(b,
			       PMUMAP_CONFLICT_(RANGE_OVERLAP, PMUMAP_WARNING, PMUMAP_IN_RANGES_,
						PMUMAP_IN_RANGES_),
			       row > other ? row : other, row > other ? other : row, first);
	}
}

/* Whether only the upper of the two cells of a number is not 0: are the two exchanged? */
static inline int pmumap_riscv_is_reversed_number_(uint64_t number)
{
	return number != 0 && (number & 0xffffffffu) == 0;
}

/*
 * Whether a mask compares all bits of the lower cell, and ignores a bit of the upper one below one
 * that it compares: are the two cells exchanged? A mask of only low bits, like 48, is fine; and so
 * is one that would ignore bits of the select if its cells were exchanged.
 */
static inline int pmumap_riscv_is_reversed_mask_(uint64_t select, uint64_t mask)
{
	return (uint32_t)mask == 0xffffffff && (mask & (mask + 1)) != 0 &&
	       ((uint32_t)select & ~(uint32_t)(mask >> 32)) == 0;
}

/* Check the selector that counts for its event. */
static inline void pmumap_riscv_lint_selector_(struct pmumap_builder *b, const struct pmumap *m,
					       const struct pmumap_row_ *r)
{
	uint32_t event = pmumap_row_event_(r);
	uint64_t selector = pmumap_row_selector_(r);

	if (!pmumap_riscv_is_hardware_event_(event))
		pmumap_report_(b,
			       PMUMAP_FINDING_(EVENT_INVALID, PMUMAP_WARNING, PMUMAP_IN_SELECTORS_),
			       r->row, PMUMAP_NO_ROW, event);
	if (event != PMUMAP_EVENT_CYCLES_ && event != PMUMAP_EVENT_INSTRUCTIONS_ &&
	    pmumap_riscv_record_of_event_(m, event)->counters == 0)
		pmumap_report_(
			b, PMUMAP_FINDING_(SELECTOR_ORPHAN, PMUMAP_WARNING, PMUMAP_IN_SELECTORS_),
			r->row, PMUMAP_NO_ROW, event);
	if (selector & ~PMUMAP_RAW_V2_BITS_)
		pmumap_report_row_(
			b, PMUMAP_FINDING_(SELECTOR_BITS, PMUMAP_WARNING, PMUMAP_IN_SELECTORS_),
			r->row, selector);
	else if (pmumap_riscv_is_reversed_number_(selector))
		pmumap_report_row_(
			b, PMUMAP_FINDING_(SELECTOR_REVERSED, PMUMAP_WARNING, PMUMAP_IN_SELECTORS_),
			r->row, selector);
}

/*
 * Whether the mask ignores bits around a bit that select has, as if it were made from select. Bits
 * that no raw event has are no bits around it.
 */
static inline int pmumap_riscv_is_scattered_mask_(uint64_t select, uint64_t mask)
{
	uint64_t above = select & (mask + 1); /* above the lowest bit that is ignored */

	above &= 0 - above;
	return above && (~mask & PMUMAP_RAW_V2_BITS_) > above;
}

/* Check select and mask of a raw row. */
static inline void pmumap_riscv_lint_match_(struct pmumap_builder *b, const struct pmumap_row_ *r)
{
	uint64_t select = pmumap_row_select_(r), mask = pmumap_row_mask_(r);
	uint32_t row = pmumap_row_number_(r);

	if (select & ~PMUMAP_RAW_V2_BITS_)
		pmumap_report_row_(b,
				   PMUMAP_FINDING_(RAW_UNREACHABLE, PMUMAP_WARNING, PMUMAP_IN_RAW_),
				   row, select);
	else if (pmumap_riscv_is_reversed_number_(select) && ((uint32_t)mask & select >> 32) != 0)
		pmumap_report_row_(
			b, PMUMAP_FINDING_(SELECTOR_REVERSED, PMUMAP_WARNING, PMUMAP_IN_RAW_), row,
			select);
	if (pmumap_riscv_is_reversed_mask_(select, mask))
		pmumap_report_row_(b,
				   PMUMAP_FINDING_(MASK_REVERSED, PMUMAP_WARNING, PMUMAP_IN_RAW_),
				   row, mask);
	else if (pmumap_riscv_is_scattered_mask_(select, mask))
		pmumap_report_row_(b, PMUMAP_FINDING_(RAW_WIDE, PMUMAP_WARNING, PMUMAP_IN_RAW_),
				   row, mask);
}

#define PMUMAP_RAW_OVERLAPS_ 256u /* a raw row is compared with at most so many others */

/* Check raw row i of the sorted ones. It is reported against one row before it, the nearest. */
static inline void pmumap_riscv_lint_raw_(struct pmumap_builder *b, const struct pmumap_row_ *r,
					  uint32_t i)
{
	uint64_t select = pmumap_row_select_(&r[i]), mask = pmumap_row_mask_(&r[i]);
	uint32_t row = pmumap_row_number_(&r[i]), j;

	pmumap_riscv_lint_match_(b, &r[i]);
	pmumap_riscv_lint_counters_(b, PMUMAP_IN_RAW_, &r[i], 0);
	for (j = i; j-- > 0 && i - j <= PMUMAP_RAW_OVERLAPS_;) {
		uint64_t other_select = pmumap_row_select_(&r[j]);
		uint64_t other_mask = pmumap_row_mask_(&r[j]);
		uint32_t other = pmumap_row_number_(&r[j]);
		uint32_t what = r[i].counters == r[j].counters ? PMUMAP_NOTE : PMUMAP_WARNING;

		if ((select ^ other_select) & mask & other_mask)
			continue;
		what = PMUMAP_CONFLICT_(RAW_OVERLAP, what, PMUMAP_IN_RAW_, PMUMAP_IN_RAW_);
		if (mask == other_mask)
			what = PMUMAP_CONFLICT_(RAW_DUPLICATE, PMUMAP_WARNING, PMUMAP_IN_RAW_,
						PMUMAP_IN_RAW_);
		pmumap_report_(b, what, row > other ? row : other, row > other ? other : row,
			       select | other_select);
		break;
	}
}

/* ---- riscv/lint.h: The same in an event, and all of these checks in order */

/* Whether row i of the sorted ones is a selector that counts: the first for its event. */
static inline int pmumap_riscv_is_first_selector_(const struct pmumap_row_ *r, uint32_t i)
{
	if (i && pmumap_row_is_selector_(&r[i - 1]) &&
	    pmumap_row_event_(&r[i - 1]) == pmumap_row_event_(&r[i]))
		return 0;
	return pmumap_row_is_selector_(&r[i]);
}

/*
 * The row that this selector belongs to: the first in the table of selectors, else the first raw
 * row that matches it. Returns its row member, or PMUMAP_NO_ROW.
 */
static inline uint32_t pmumap_riscv_find_selecting_row_(const struct pmumap_row_ *r, uint32_t n,
							uint64_t selector)
{
	uint32_t row = PMUMAP_NO_ROW, i;

	for (i = 0; i < n; i++) {
		if (r[i].row >= row)
			continue;
		if (r[i].row & PMUMAP_RAW_ROW_) {
			if ((selector & pmumap_row_mask_(&r[i])) == pmumap_row_select_(&r[i]))
				row = r[i].row;
		} else if (pmumap_row_selector_(&r[i]) == selector &&
			   pmumap_riscv_is_first_selector_(r, i)) {
			row = r[i].row;
		}
	}
	return row;
}

/* Report an event with counters and no selector; and if its number selects something else, that. */
static inline void pmumap_riscv_lint_orphan_(struct pmumap_builder *b, const struct pmumap_row_ *r,
					     const struct pmumap_row_ *range, uint32_t event,
					     int again)
{
	uint32_t row = pmumap_riscv_find_selecting_row_(r, b->own.kept, event);

	if (!again)
		pmumap_report_(b,
			       PMUMAP_FINDING_(COUNTERS_ORPHAN, PMUMAP_WARNING, PMUMAP_IN_RANGES_),
			       range->row, PMUMAP_NO_ROW, event);
	if (row != PMUMAP_NO_ROW)
		pmumap_report_(b,
			       PMUMAP_CONFLICT_(DEFAULT_COLLISION, PMUMAP_WARNING,
						PMUMAP_IN_RANGES_,
						row & PMUMAP_RAW_ROW_ ? PMUMAP_IN_RAW_
								      : PMUMAP_IN_SELECTORS_),
			       range->row, row & ~PMUMAP_RAW_ROW_, event);
}

/*
 * Report events 1 and 2 that have fixed counters only, and others without a selector: 1 and 2 too,
 * where programmable counters are named. The first range that covers an event never lies before
 * that of a lower event: so one walk does for both.
 */
static inline void pmumap_riscv_lint_events_(struct pmumap_builder *b, const struct pmumap *m,
					     const struct pmumap_row_ *r)
{
	const struct pmumap_row_ *range = r, *end = r + (b->own.kept - b->own.raw_kept),
				 *orphan = 0;
	const struct pmumap_record *record;
	uint32_t slot, event;

	for (slot = 0; slot < PMUMAP_INDEXED_EVENTS_; slot++) {
		event = pmumap_riscv_slot_event_(slot);
		while (range < end &&
		       (pmumap_row_is_selector_(range) || pmumap_row_end_(range) <= event))
			range++;
		if (range == end || pmumap_row_event_(range) > event ||
		    !pmumap_riscv_is_hardware_event_(event))
			continue;
		record = pmumap_riscv_record_of_event_(m, event);
		if (event <= PMUMAP_EVENT_INSTRUCTIONS_ &&
		    (record->counters & ~PMUMAP_FIXED_COUNTERS_) == 0) {
			pmumap_report_(b,
				       PMUMAP_FINDING_(FIXED_ONLY, PMUMAP_NOTE, PMUMAP_IN_RANGES_),
				       range->row, PMUMAP_NO_ROW, event);
		} else if ((b->own.map_flags & PMUMAP_HAS_SELECTORS) &&
			   !(record->key & PMUMAP_RECORD_HAS_SELECTOR_)) {
			pmumap_riscv_lint_orphan_(b, r, range, event, range == orphan);
			orphan = range;
		}
	}
}

/* Report which of events 1 and 2 no row names, if anything of RISC-V is described at all. */
static inline void pmumap_riscv_lint_fixed_(struct pmumap_builder *b, const struct pmumap *m)
{
	uint64_t rows = b->own.selector_rows | b->own.counter_rows | b->own.raw_rows;
	uint32_t event, missing = 0;

	for (event = PMUMAP_EVENT_CYCLES_; event <= PMUMAP_EVENT_INSTRUCTIONS_; event++) {
		if (!pmumap_riscv_record_of_event_(m, event)->counters)
			missing |= 1u << event;
	}
	if (missing && (rows || b->own.node != PMUMAP_NO_NODE))
		pmumap_report_row_(b, PMUMAP_FINDING_(FIXED_MISSING, PMUMAP_NOTE, PMUMAP_IN_NODE_),
				   PMUMAP_NO_ROW, missing);
}

/* Check the sorted rows. m answers for events already. */
static inline PMUMAP_COLD_ void pmumap_riscv_lint_rows_(struct pmumap_builder *b,
							const struct pmumap *m,
							const struct pmumap_row_ *r)
{
	const struct pmumap_row_ *furthest = 0, *selector = r;
	uint32_t events = b->own.kept - b->own.raw_kept, i;

	for (i = 0; i < events; i++) {
		if (!pmumap_row_is_selector_(&r[i])) {
			pmumap_riscv_lint_range_(b, &r[i], furthest);
			if (!furthest || pmumap_row_end_(furthest) < pmumap_row_end_(&r[i]))
				furthest = &r[i];
		} else if (pmumap_riscv_is_first_selector_(r, i)) {
			selector = &r[i];
			pmumap_riscv_lint_selector_(b, m, selector);
		} else {
			int same = pmumap_row_selector_(&r[i]) == pmumap_row_selector_(selector);

			pmumap_report_(b,
				       PMUMAP_CONFLICT_(SELECTOR_DUPLICATE,
							same ? PMUMAP_WARNING : PMUMAP_ERROR,
							PMUMAP_IN_SELECTORS_, PMUMAP_IN_SELECTORS_),
				       r[i].row, selector->row, pmumap_row_event_(&r[i]));
		}
	}
	for (i = 0; i < b->own.raw_kept; i++)
		pmumap_riscv_lint_raw_(b, r + events, i);
	pmumap_riscv_lint_events_(b, m, r);
	pmumap_riscv_lint_fixed_(b, m);
}
#endif

#if PMUMAP_BINDINGS & PMUMAP_IMC

/* ---- imc/tables.h: The tables of units, lists, events and strings */

/*
 * The tables of the IMC part; offsets from the head of the map. Units share lists of events, and
 * all share strings. Full names are not stored: the index leads to a unit and one of its events.
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

/* The IMC part of a map that has one. */
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
	       PMUMAP_IMC_CLASS_OF_(u);
}

/* The string at an offset; NULL for 0, which is no string. */
static inline const char *pmumap_imc_string_at_(const struct pmumap *m, uint32_t offset)
{
	return offset ? (const char *)pmumap_image_at_(m, offset) : 0;
}

/* The name of an event by its number, without the prefix of a unit. */
static inline const char *pmumap_imc_event_name_(const struct pmumap *m, uint32_t event)
{
	return (const char *)pmumap_image_at_(m, pmumap_imc_event_rows_(m)[event].name &
							 ~PMUMAP_IMC_HAS_OVERRIDE_);
}

/* A unit of the map and an event of it, both by number. */
struct pmumap_imc_match_ {
	uint32_t unit, event;
};

/* A table of 32-bit numbers. */
static inline const uint32_t *pmumap_imc_numbers_at_(const struct pmumap *m, uint32_t offset)
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
static inline int pmumap_imc_has_wide_numbers_(const struct pmumap_imc *c)
{
	return c->nth_bit > 16;
}

/* A number of by_offset or of its buckets, whose tables are as wide. */
static inline uint32_t pmumap_imc_number_at_(const struct pmumap *m, uint32_t table, uint32_t place,
					     int wide)
{
	return wide ? pmumap_imc_numbers_at_(m, table)[place]
		    : ((const uint16_t *)pmumap_image_at_(m, table))[place];
}

/* The first of the chips that units of a class have. */
static inline const struct pmumap_imc_chip_row_ *
pmumap_imc_chip_rows_(const struct pmumap *m, const struct pmumap_imc_unit_class_ *k)
{
	return (const struct pmumap_imc_chip_row_ *)pmumap_image_at_(m,
								     pmumap_imc_part_(m)->chips) +
	       k->chips;
}

/* Whether a type is one of those that a unit can have. */
static inline int pmumap_imc_is_type_(uint32_t type)
{
	return type == PMUMAP_IMC_NEST || type == PMUMAP_IMC_CORE || type == PMUMAP_IMC_THREAD ||
	       type == PMUMAP_IMC_TRACE;
}

/* Whether an offset is that of a string: it lies in the strings, whose last byte is 0. */
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

/* The unit and the event in a slot of the index, or in a number made like one. */
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

/* Where the counter of a number is, in the window or page of its unit. */
static inline uint32_t pmumap_imc_offset_of_number_(const struct pmumap *m,
						    const struct pmumap_imc *c, uint32_t number)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m) + (number >> c->unit_bit);

	return u->reg +
	       pmumap_imc_event_rows_(m)[u->first + pmumap_imc_event_of_slot_(c, number)].reg;
}

/* ---- imc/hash.h: The hash of names, and where its index has them */

/*
 * Hash a text. It takes the words of eight bytes, and if the length is no multiple of that, the
 * last eight bytes with the length, as they may repeat some of the word before. A text below eight
 * bytes is one word, with its bytes in the upper part and ones below. pmumap_hash_add_() gives the
 * same in parts.
 */
PMUMAP_INLINE_ uint64_t pmumap_imc_hash_name_(const unsigned char *p, size_t len, uint64_t hash)
{
	uint64_t word = ~(uint64_t)0;
	size_t left;

	for (left = len; left >= 8; left -= 8) {
		hash = pmumap_hash_mix_(hash, pmumap_load_le64_(p));
		p += 8;
	}
	if (!left)
		return hash;
	if (len >= 8)
		word = pmumap_load_le64_(p + left - 8);
	for (; len < 8 && left; left--)
		word = word >> 8 | (uint64_t)*p++ << 56;
	return pmumap_hash_mix_(hash + len, word);
}

/* The bucket of a name, by the upper half of its hash. */
static inline uint32_t pmumap_imc_hash_bucket_(const struct pmumap_imc *c, uint64_t hash)
{
	return pmumap_scale_to_((uint32_t)(hash >> 32), c->bucket_count);
}

/* The slot of the nth match of a name; shift: what its bucket was filled with. */
static inline uint32_t pmumap_imc_hash_slot_(const struct pmumap_imc *c, uint64_t hash,
					     uint32_t nth, uint32_t shift)
{
	uint32_t x = ((uint32_t)hash ^ (nth << 16 | shift) * 0x9e3779b1u) * 0x85ebca6bu;

	return pmumap_scale_to_(x, c->slot_count);
}

/*
 * What nth is changed by, in its place above unit and event: bits of the hash, so that most names
 * which are not there differ in the slot already.
 */
static inline uint32_t pmumap_imc_hash_tag_(const struct pmumap_imc *c, uint64_t hash)
{
	return (uint32_t)(hash >> 32) << c->nth_bit;
}

/* ---- imc/text.h: The text that is looked for in it */

/*
 * The text that is looked for in the index, after one pass over it: its words are hashed, and kept
 * for the comparison where it is slow to read them twice. It has INDEXED_BYTES_ at most.
 *
 * On most targets one load reads a word of a text at any address, which is as good as a kept one.
 * Where KEEP_WORDS_ is 1 it takes eight loads, and as many steps to join them. So the words are
 * kept, and the strings of the map, which lies at a multiple of 8, are read by such words.
 */
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ &&                              \
	((defined(__riscv_xlen) && __riscv_xlen == 64) ||                                          \
	 (defined(__aarch64__) && !defined(__ARM_FEATURE_UNALIGNED)))
#define PMUMAP_IMC_KEEP_WORDS_ 1
#else
#define PMUMAP_IMC_KEEP_WORDS_ 0
#endif

#define PMUMAP_IMC_ZERO_DIGITS_ 0x3030303030303030u

struct pmumap_imc_text_ {
	size_t len;
#if PMUMAP_IMC_KEEP_WORDS_
	/* 0xff in place of bytes behind the end; and a word that is read, but does not matter */
	uint64_t word[PMUMAP_IMC_INDEXED_BYTES_ / 8 + 2];
#else
	const unsigned char *at;
#endif
};

/* Take a text to look for. Returns its hash, which is that of pmumap_imc_hash_name_(). */
PMUMAP_INLINE_ uint64_t pmumap_imc_hash_text_(const struct pmumap *m, const unsigned char *p,
					      size_t len, struct pmumap_imc_text_ *text)
{
#if PMUMAP_IMC_KEEP_WORDS_
	uint64_t hash = pmumap_imc_part_(m)->seed, word = ~(uint64_t)0, rest = word;
	uint64_t *to = text->word;
	uint32_t bits = len % 8 * 8;
	size_t left;

	for (left = len; left >= 8; left -= 8, p += 8) {
		word = pmumap_load_le64_(p);
		hash = pmumap_hash_mix_(hash, word);
		*to++ = word;
	}
	while (left)
		rest = rest << 8 | p[--left];
	to[0] = rest;
	to[1] = 0;
	text->len = len;
	return bits ? pmumap_hash_mix_(hash + len, rest << (64 - bits) | word >> bits) : hash;
#else
	text->at = p;
	text->len = len;
	return pmumap_imc_hash_name_(p, len, pmumap_imc_part_(m)->seed);
#endif
}

/* Whether the text has a string of the map, of n bytes, from a byte on. */
PMUMAP_INLINE_ int pmumap_imc_text_has_(const struct pmumap_imc_text_ *text, uint32_t from,
					const struct pmumap *m, uint32_t at, uint32_t n)
{
#if PMUMAP_IMC_KEEP_WORDS_
	typedef uint64_t PMUMAP_MAY_ALIAS_ word;
	const word *s = (const word *)pmumap_image_at_(m, at & ~(uint32_t)7);
	const uint64_t *t = text->word + from / 8;
	uint32_t s_bits = at % 8 * 8, t_bits = from % 8 * 8;
	uint64_t x;

	for (;; n -= 8, s++, t++) {
		x = (s[0] >> s_bits | s[1] << 1 << (63 - s_bits)) ^
		    (t[0] >> t_bits | t[1] << 1 << (63 - t_bits));
		if (n <= 8)
			return (x << (32 - 4 * n) << (32 - 4 * n)) == 0;
		if (x)
			return 0;
	}
#else
	return pmumap_equal_bytes_(text->at + from, (const unsigned char *)pmumap_image_at_(m, at),
				   n);
#endif
}

/* Of the result, look at PMUMAP_HIGH_BITS_ only: one is set if and only if a byte is below '0'. */
static inline uint64_t pmumap_imc_low_bytes_(uint64_t word)
{
	return (word - PMUMAP_IMC_ZERO_DIGITS_) & ~word;
}

/*
 * Whether the text has a byte below '0', as a slash is. That is asked of every name that is not
 * there, so by words; next to no name has one, and a slash alone takes more instructions to find.
 */
PMUMAP_INLINE_ int pmumap_imc_text_has_low_byte_(const struct pmumap_imc_text_ *text)
{
	uint64_t found = 0;
	size_t i;

#if PMUMAP_IMC_KEEP_WORDS_
	for (i = 0; i <= text->len / 8; i++)
		found |= pmumap_imc_low_bytes_(text->word[i]);
#else
	if (text->len < 8) {
		for (i = 0; i < text->len; i++) {
			if (text->at[i] < '0')
				return 1;
		}
		return 0;
	}
	/* The first word, then the others from the end: the last of them may overlap the first. */
	found |= pmumap_imc_low_bytes_(pmumap_load_le64_(text->at));
	for (i = text->len; i > 8; i -= 8)
		found |= pmumap_imc_low_bytes_(pmumap_load_le64_(text->at + i - 8));
#endif
	return (found & PMUMAP_HIGH_BITS_) != 0;
}

/* ---- imc/open.h: Check them in a foreign image */

/*
 * Whether a string has so many bytes, and then ends: what equals them is then all of it. room: from
 * there to the end of the strings.
 */
static inline int pmumap_imc_ends_at_(const char *string, uint32_t room, uint32_t bytes)
{
	uint32_t i;

	if (bytes >= room || string[bytes])
		return 0;
	for (i = 0; i < bytes; i++) {
		if (!string[i])
			return 0;
	}
	return 1;
}

/* Validate units and their classes. Returns 0: one of them would lead outside of its tables. */
static inline int pmumap_imc_open_units_(const struct pmumap *m, const struct pmumap_imc *c)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m);
	const struct pmumap_imc_unit_class_ *k;
	uint64_t names = 0;
	uint32_t i, bytes;

	for (i = 0; i < c->unit_count; i++, u++) {
		names += u->events;
		bytes = PMUMAP_IMC_PREFIX_BYTES_(u);
		if (!pmumap_imc_is_string_(c, u->name) || !pmumap_imc_is_string_(c, u->prefix) ||
		    u->first > c->event_count || u->events > c->event_count - u->first ||
		    PMUMAP_IMC_CLASS_OF_(u) >= c->unit_class_count)
			return 0;
		if (bytes == PMUMAP_IMC_LONG_PREFIX_
			    ? c->slots != 0 && u->events != 0
			    : !pmumap_imc_ends_at_((const char *)pmumap_image_at_(m, u->prefix),
						   c->string_bytes - (u->prefix - c->strings),
						   bytes))
			return 0;
	}
	if (c->names != (names < 0xffffffffu ? names : 0xffffffffu))
		return 0;
	k = (const struct pmumap_imc_unit_class_ *)pmumap_image_at_(m, c->unit_classes);
	for (i = 0; i < c->unit_class_count; i++, k++) {
		if (!pmumap_imc_is_type_(k->type) ||
		    (k->scale && !pmumap_imc_is_string_(c, k->scale)) ||
		    (k->measure && !pmumap_imc_is_string_(c, k->measure)) ||
		    k->chips > c->chip_count || k->chip_count > c->chip_count - k->chips)
			return 0;
	}
	return 1;
}

/* Validate events and overrides. Returns 0: one of their strings lies outside of the strings. */
static inline int pmumap_imc_open_events_(const struct pmumap *m, const struct pmumap_imc *c)
{
	const struct pmumap_imc_event_row_ *e = pmumap_imc_event_rows_(m);
	const struct pmumap_imc_override_ *o =
		(const struct pmumap_imc_override_ *)pmumap_image_at_(m, c->overrides);
	uint32_t i;

	for (i = 0; i < c->event_count; i++) {
		if (!pmumap_imc_is_string_(c, e[i].name & ~PMUMAP_IMC_HAS_OVERRIDE_) ||
		    ((e[i].name & PMUMAP_IMC_HAS_OVERRIDE_) && c->override_count == 0))
			return 0;
	}
	for (i = 0; i < c->override_count; i++) {
		if ((o[i].scale && !pmumap_imc_is_string_(c, o[i].scale)) ||
		    (o[i].measure && !pmumap_imc_is_string_(c, o[i].measure)) ||
		    (o[i].desc && !pmumap_imc_is_string_(c, o[i].desc)))
			return 0;
	}
	return 1;
}

/*
 * Validate the lengths of the names. They are compared by words, so BEHIND_STRINGS_ bytes may be
 * read from any of theirs on.
 */
static inline int pmumap_imc_open_lengths_(const struct pmumap *m, const struct pmumap_imc *c)
{
	const uint8_t *bytes;
	uint32_t i, at;

	if (!PMUMAP_IMAGE_HOLDS_(m, c->name_bytes, c->event_count, 1) ||
	    m->head.size - (c->strings + c->string_bytes) < PMUMAP_IMC_BEHIND_STRINGS_)
		return 0;
	bytes = (const uint8_t *)pmumap_image_at_(m, c->name_bytes);
	for (i = 0; i < c->event_count; i++) {
		at = pmumap_imc_event_rows_(m)[i].name & ~PMUMAP_IMC_HAS_OVERRIDE_;
		if (!pmumap_imc_ends_at_((const char *)pmumap_image_at_(m, at),
					 c->string_bytes - (at - c->strings), bytes[i]))
			return 0;
	}
	return 1;
}

/*
 * Validate the index, or the orders that stand for it. nth_bit is 1 to 31: with 0, a look-up with
 * UNIT/ could count its matches without end.
 */
static inline int pmumap_imc_open_names_(const struct pmumap *m, const struct pmumap_imc *c)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m);
	uint32_t i, slot, unit, event;

	if (c->slots) {
		if (c->slot_count == 0 || c->bucket_count == 0 || c->nth_bit - 1 > 30 ||
		    c->unit_bit > c->nth_bit ||
		    !PMUMAP_IMAGE_HOLDS_(m, c->slots, c->slot_count, sizeof(uint32_t)) ||
		    !PMUMAP_IMAGE_HOLDS_(m, c->shifts, c->bucket_count, sizeof(uint16_t)))
			return 0;
		for (i = 0; i < c->slot_count; i++) {
			slot = pmumap_imc_numbers_at_(m, c->slots)[i];
			event = pmumap_imc_event_of_slot_(c, slot);
			unit = pmumap_imc_unit_of_slot_(c, slot);
			if (unit >= c->unit_count || event >= u[unit].events)
				return 0;
		}
		return pmumap_imc_open_lengths_(m, c);
	}
	if (!PMUMAP_IMAGE_HOLDS_(m, c->by_prefix, c->unit_count, sizeof(uint32_t)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, c->chain, c->unit_count, sizeof(uint32_t)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, c->by_name, c->event_count, sizeof(uint32_t)))
		return 0;
	for (i = 0; i < c->unit_count; i++) {
		if (pmumap_imc_numbers_at_(m, c->by_prefix)[i] >= c->unit_count ||
		    (pmumap_imc_numbers_at_(m, c->chain)[i] != PMUMAP_IMC_NO_PREFIX_ &&
		     (pmumap_imc_numbers_at_(m, c->chain)[i] & ~PMUMAP_IMC_SAME_PREFIX_) >= i))
			return 0;
	}
	for (i = 0; i < c->event_count; i++) {
		if (pmumap_imc_numbers_at_(m, c->by_name)[i] >= c->event_count)
			return 0;
	}
	return 1;
}

/* Validate the order of offsets: its units and events exist, and no bucket ends behind it. */
static inline int pmumap_imc_open_offsets_(const struct pmumap *m, const struct pmumap_imc *c)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m);
	uint32_t buckets = pmumap_imc_count_offset_buckets_(c->names) + 1, i, number, unit, event;
	int wide = pmumap_imc_has_wide_numbers_(c);
	uint32_t each = wide ? sizeof(uint32_t) : sizeof(uint16_t);

	if (!c->by_offset)
		return 1;
	if (c->nth_bit - 1 > 30 || c->unit_bit > c->nth_bit ||
	    !PMUMAP_IMAGE_HOLDS_(m, c->by_offset, c->names, each) ||
	    !PMUMAP_IMAGE_HOLDS_(m, c->offset_buckets, buckets, each))
		return 0;
	for (i = 0; i < c->names; i++) {
		number = pmumap_imc_number_at_(m, c->by_offset, i, wide);
		unit = number >> c->unit_bit;
		event = pmumap_imc_event_of_slot_(c, number);
		if (unit >= c->unit_count || event >= u[unit].events)
			return 0;
	}
	for (i = 0; i < buckets; i++) {
		if (pmumap_imc_number_at_(m, c->offset_buckets, i, wide) > c->names)
			return 0;
	}
	return 1;
}

/*
 * Validate the IMC part of an image, which has one. Returns 0: a look-up could leave the image, or
 * never end.
 */
static inline int pmumap_imc_open_tables_(const struct pmumap *m)
{
	const struct pmumap_imc *c;

	if (!PMUMAP_IMAGE_HOLDS_(m, m->imc, 1, sizeof(*c)))
		return 0;
	c = pmumap_imc_part_(m);
	if (!PMUMAP_IMAGE_HOLDS_(m, c->units, c->unit_count, sizeof(struct pmumap_imc_unit_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, c->unit_classes, c->unit_class_count,
				 sizeof(struct pmumap_imc_unit_class_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, c->events, c->event_count,
				 sizeof(struct pmumap_imc_event_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, c->overrides, c->override_count,
				 sizeof(struct pmumap_imc_override_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, c->chips, c->chip_count, sizeof(struct pmumap_imc_chip_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, c->strings, c->string_bytes, 1) || c->string_bytes == 0 ||
	    *((const char *)pmumap_image_at_(m, c->strings) + c->string_bytes - 1))
		return 0;
	return pmumap_imc_open_units_(m, c) && pmumap_imc_open_events_(m, c) &&
	       pmumap_imc_open_names_(m, c) && pmumap_imc_open_offsets_(m, c);
}

/* ---- imc/unit_name.h: How a unit may be spelled */

/*
 * Take off what Linux puts around the name of a unit, as in nest_mcs01_imc and core_imc. Returns
 * 0: the text has not that form, and is unchanged.
 */
static inline int pmumap_imc_strip_linux_name_(const char **text, size_t *len, int nest)
{
	const char *around = nest ? "nest__imc" : "_imc";
	size_t before = nest ? 5 : 0, all = before + 4, i;

	if (*len <= all)
		return 0;
	for (i = 0; i < all; i++) {
		if ((*text)[i < before ? i : *len - all + i] != around[i])
			return 0;
	}
	for (i = before; i < *len - 4; i++) {
		if ((*text)[i] == '@')
			return 0;
	}
	*text += before;
	*len -= all;
	return 1;
}

/* Whether a text is the name of a node, with or without the address. */
static inline int pmumap_imc_node_is_(const char *node, const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (node[i] != text[i] || node[i] == 0)
			return 0;
	}
	return node[len] == 0 || node[len] == '@';
}

/* Whether a text spells the name of a node, or what Linux calls a unit of this name and type. */
static inline int pmumap_imc_unit_name_matches_(const char *node, uint32_t type, const char *text,
						size_t len)
{
	return pmumap_imc_node_is_(node, text, len) ||
	       (pmumap_imc_strip_linux_name_(&text, &len, type == PMUMAP_IMC_NEST) &&
		pmumap_imc_node_is_(node, text, len));
}

/* The name of a unit of the map, by its number. */
static inline const char *pmumap_imc_node_name_(const struct pmumap *m, uint32_t unit)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m) + unit;

	return (const char *)pmumap_image_at_(m, u->name);
}

/* Whether a text spells the name of a unit of the map, by its number. */
static inline int pmumap_imc_unit_is_(const struct pmumap *m, uint32_t unit, const char *text,
				      size_t len)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m) + unit;

	return pmumap_imc_unit_name_matches_(pmumap_imc_node_name_(m, unit),
					     pmumap_imc_class_of_unit_(m, u)->type, text, len);
}

/* ---- imc/search.h: Find a name without the index */

/* What is looked for: the nth match of a name; unit: only in units spelled like that, or NULL. */
struct pmumap_imc_query_ {
	const unsigned char *name;
	size_t len;
	const char *unit;
	size_t unit_len;
	uint32_t nth;
};

/*
 * Without an index: the units of one prefix, which are places of by_prefix, and the events of the
 * rest of the name, which are places of by_name. Both are from a first place to the one behind the
 * last; of an image that is not in order, they are any.
 */
struct pmumap_imc_group_ {
	uint32_t units, units_end;
	uint32_t events, events_end;
	const unsigned char *rest;
	size_t len;
};

/*
 * The first of sorted numbers, from a place to an end, that is not below this one; or the end. It
 * is looked for in steps that double, then between the last two: what is near costs little.
 */
static inline uint32_t pmumap_imc_find_number_(const uint32_t *numbers, uint32_t from, uint32_t end,
					       uint32_t number)
{
	uint32_t n = 1;

	for (; n <= (end - from) / 2 && numbers[from + n - 1] < number; n *= 2)
		from += n;
	n = n > (end - from) / 2 ? end - from : n - 1;
	while (n) {
		uint32_t half = n / 2;

		if (numbers[from + half] < number) {
			from += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return from;
}

/*
 * The first place of by_name, from this one on, of an event whose name is not below a text; after:
 * whose name is above it.
 */
static inline uint32_t pmumap_imc_find_event_name_(const struct pmumap *m, uint32_t from,
						   const unsigned char *text, size_t len, int after)
{
	const uint32_t *order = pmumap_imc_numbers_at_(m, pmumap_imc_part_(m)->by_name);
	uint32_t low = from, n = pmumap_imc_part_(m)->event_count - from;

	while (n) {
		uint32_t half = n / 2;

		if (pmumap_compare_text_(pmumap_imc_event_name_(m, order[low + half]), text, len) <
		    after) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return low;
}

/* Where the events end that a unit has. Units of one prefix are sorted by that. */
static inline uint32_t pmumap_imc_events_end_(const struct pmumap *m, uint32_t unit)
{
	return pmumap_imc_unit_rows_(m)[unit].first + pmumap_imc_unit_rows_(m)[unit].events;
}

/* The first place from this one on, to an end, of a unit that has events beyond one. */
static inline uint32_t pmumap_imc_find_unit_beyond_(const struct pmumap *m, uint32_t place,
						    uint32_t end, uint32_t event)
{
	const uint32_t *units = pmumap_imc_numbers_at_(m, pmumap_imc_part_(m)->by_prefix);
	uint32_t n = 1;

	for (; n <= (end - place) / 2 && pmumap_imc_events_end_(m, units[place + n - 1]) <= event;
	     n *= 2)
		place += n;
	n = n > (end - place) / 2 ? end - place : n - 1;
	while (n) {
		uint32_t half = n / 2;

		if (pmumap_imc_events_end_(m, units[place + half]) <= event) {
			place += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return place;
}

/*
 * How many matches the units of a group have whose number is below this one. Units with the same
 * names are counted in one step, unless they are to be of a certain spelling, and units that have
 * none of the events are passed over in one. *lowest: the first unit of all that has a match.
 */
static inline uint64_t pmumap_imc_count_matches_(const struct pmumap *m,
						 const struct pmumap_imc_query_ *q,
						 const struct pmumap_imc_group_ *g, uint32_t below,
						 uint32_t *lowest)
{
	const uint32_t *units = pmumap_imc_numbers_at_(m, pmumap_imc_part_(m)->by_prefix);
	const uint32_t *events = pmumap_imc_numbers_at_(m, pmumap_imc_part_(m)->by_name);
	const struct pmumap_imc_unit_row_ *u;
	uint32_t place, next, from = g->events, end = from;
	uint64_t matches = 0;

	*lowest = PMUMAP_NO_ROW;
	for (place = g->units; place < g->units_end; place = next) {
		u = pmumap_imc_unit_rows_(m) + units[place];
		from = pmumap_imc_find_number_(events, from, g->events_end, u->first);
		if (from == g->events_end)
			break;
		if (events[from] - u->first >= u->events) {
			next = pmumap_imc_find_unit_beyond_(m, place + 1, g->units_end,
							    events[from]);
			continue;
		}
		next = place + 1;
		if (!q->unit)
			next = pmumap_imc_find_unit_beyond_(m, next, g->units_end,
							    u->first + u->events);
		if (q->unit && !pmumap_imc_unit_is_(m, units[place], q->unit, q->unit_len))
			continue;
		end = pmumap_imc_find_number_(events, end < from ? from : end, g->events_end,
					      u->first + u->events);
		matches += (uint64_t)(end - from) *
			   (pmumap_imc_find_number_(units, place, next, below) - place);
		if (units[place] < *lowest)
			*lowest = units[place];
	}
	return matches;
}

/*
 * Look for the nth match in a group of units. Returns 0: it has fewer, and nth is that much lower.
 * Which unit has a match that is not the first, is found by counting those of the units before.
 */
static inline int pmumap_imc_search_group_(const struct pmumap *m, struct pmumap_imc_query_ *q,
					   const struct pmumap_imc_group_ *g,
					   struct pmumap_imc_match_ *match)
{
	const uint32_t *events = pmumap_imc_numbers_at_(m, pmumap_imc_part_(m)->by_name);
	const struct pmumap_imc_unit_row_ *u;
	uint32_t unit, place, unused, n;
	const char *prefix;
	uint64_t matches = pmumap_imc_count_matches_(m, q, g, PMUMAP_NO_ROW, &unit);

	if (q->nth >= matches) {
		q->nth -= (uint32_t)matches;
		return 0;
	}
	for (n = pmumap_imc_part_(m)->unit_count - unit; q->nth && n > 1; n -= n / 2) {
		if (pmumap_imc_count_matches_(m, q, g, unit + n / 2, &unused) <= q->nth)
			unit += n / 2;
	}
	if (q->nth)
		q->nth -= (uint32_t)pmumap_imc_count_matches_(m, q, g, unit, &unused);
	u = pmumap_imc_unit_rows_(m) + unit;
	prefix = (const char *)pmumap_image_at_(m, u->prefix);
	place = pmumap_imc_find_number_(events, g->events, g->events_end, u->first);
	/* A foreign image may have any order: so what comes out of it is compared. */
	if (q->nth >= g->events_end - place)
		return 0;
	match->unit = unit;
	match->event = events[place + q->nth];
	return match->event - u->first < u->events &&
	       pmumap_prefix_length_(prefix, q->name, q->len) == q->len - g->len &&
	       pmumap_compare_text_(pmumap_imc_event_name_(m, match->event), g->rest, g->len) == 0;
}

/* Where the units end whose prefix is that of the unit at this place, the first that has it. */
static inline uint32_t pmumap_imc_find_other_prefix_(const uint32_t *chain, uint32_t first,
						     uint32_t end)
{
	uint32_t place = first, n = end - first;

	while (n > 1) {
		uint32_t half = n / 2;

		place += chain[place + half] == (first | PMUMAP_IMC_SAME_PREFIX_) ? half : 0;
		n -= half;
	}
	return place + 1;
}

/*
 * Without an index: look for the nth match. Returns 0: there is none.
 *
 * The last prefix that is not above the name has all prefixes of the name in its chain: what is
 * sorted between a text and a beginning of it has that beginning, too. Of "PM_B_EVENT" that is
 * place 4 in the example of PMUMAP_IMC_NO_PREFIX_, and then 1 and 0.
 */
PMUMAP_OUTLINE_ int pmumap_imc_search_name_(const struct pmumap *m, struct pmumap_imc_query_ *q,
					    struct pmumap_imc_match_ *match)
{
	const struct pmumap_imc *c = pmumap_imc_part_(m);
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m);
	const uint32_t *units = pmumap_imc_numbers_at_(m, c->by_prefix);
	const uint32_t *chain = pmumap_imc_numbers_at_(m, c->chain);
	uint32_t low = 0, n = c->unit_count;
	struct pmumap_imc_group_ g;
	size_t prefix;

	while (n) {
		uint32_t half = n / 2;
		const char *s = (const char *)pmumap_image_at_(m, u[units[low + half]].prefix);

		if (pmumap_compare_text_(s, q->name, q->len) <= 0) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	if (low-- == 0)
		return 0;
	if (chain[low] != PMUMAP_IMC_NO_PREFIX_ && (chain[low] & PMUMAP_IMC_SAME_PREFIX_))
		low = chain[low] & ~PMUMAP_IMC_SAME_PREFIX_;
	for (;; low = chain[low]) {
		const char *s = (const char *)pmumap_image_at_(m, u[units[low]].prefix);

		prefix = pmumap_prefix_length_(s, q->name, q->len);
		if (prefix <= q->len) {
			g.rest = q->name + prefix;
			g.len = q->len - prefix;
			g.units = low;
			g.units_end = pmumap_imc_find_other_prefix_(chain, low, c->unit_count);
			g.events = pmumap_imc_find_event_name_(m, 0, g.rest, g.len, 0);
			g.events_end = pmumap_imc_find_event_name_(m, g.events, g.rest, g.len, 1);
			if (pmumap_imc_search_group_(m, q, &g, match))
				return 1;
		}
		if (chain[low] >= low)
			return 0;
	}
}

/* ---- imc/find.h: Find a name */

/*
 * Whether a text is the full name of an event in a unit, by comparing bytes: prefix, then name. The
 * map has an index: pmumap_open() has checked that both strings end there, and not before.
 */
PMUMAP_INLINE_ int pmumap_imc_is_name_of_(const struct pmumap *m,
					  const struct pmumap_imc_unit_row_ *u, uint32_t event,
					  const struct pmumap_imc_text_ *text)
{
	const uint8_t *bytes =
		(const uint8_t *)pmumap_image_at_(m, pmumap_imc_part_(m)->name_bytes);
	uint32_t n = PMUMAP_IMC_PREFIX_BYTES_(u), rest = bytes[event];
	uint32_t at = pmumap_imc_event_rows_(m)[event].name & ~PMUMAP_IMC_HAS_OVERRIDE_;

	return text->len == n + rest && pmumap_imc_text_has_(text, 0, m, u->prefix, n) &&
	       pmumap_imc_text_has_(text, n, m, at, rest);
}

/* Look for the nth match of a text in the index: one slot is read. Returns 0: there is none. */
PMUMAP_INLINE_ int pmumap_imc_probe_index_(const struct pmumap *m,
					   const struct pmumap_imc_text_ *text, uint64_t hash,
					   uint32_t nth, struct pmumap_imc_match_ *match)
{
	const struct pmumap_imc *c = pmumap_imc_part_(m);
	const struct pmumap_imc_unit_row_ *u;
	uint32_t shift, slot;

	shift = ((const uint16_t *)pmumap_image_at_(m,
						    c->shifts))[pmumap_imc_hash_bucket_(c, hash)];
	slot = ((const uint32_t *)pmumap_image_at_(
		m, c->slots))[pmumap_imc_hash_slot_(c, hash, nth, shift)];
	if ((slot ^ pmumap_imc_hash_tag_(c, hash)) >> c->nth_bit != nth)
		return 0;
	match->unit = pmumap_imc_unit_of_slot_(c, slot);
	u = pmumap_imc_unit_rows_(m) + match->unit;
	match->event = u->first + pmumap_imc_event_of_slot_(c, slot);
	return pmumap_imc_is_name_of_(m, u, match->event, text);
}

/*
 * Look for the nth match of a name, with the index if there is one. Returns 0: there is none; nth
 * may have changed then.
 */
static inline int pmumap_imc_run_query_(const struct pmumap *m, struct pmumap_imc_query_ *q,
					struct pmumap_imc_match_ *match)
{
	struct pmumap_imc_text_ text;
	uint64_t hash;
	uint32_t i;

	if (!pmumap_imc_part_(m)->slots)
		return pmumap_imc_search_name_(m, q, match);
	if (q->len > PMUMAP_IMC_INDEXED_BYTES_)
		return 0;
	hash = pmumap_imc_hash_text_(m, q->name, q->len, &text);
	for (i = 0; pmumap_imc_probe_index_(m, &text, hash, i, match); i++) {
		if ((!q->unit || pmumap_imc_unit_is_(m, match->unit, q->unit, q->unit_len)) &&
		    q->nth-- == 0)
			return 1;
	}
	return 0;
}

/* Split the name of a query at its first slash, as UNIT/NAME or UNIT/NAME/. */
static inline void pmumap_imc_split_query_(struct pmumap_imc_query_ *q, size_t slash)
{
	q->unit = (const char *)q->name;
	q->unit_len = slash;
	q->name += slash + 1;
	q->len -= slash + 1;
	if (q->len && q->name[q->len - 1] == '/')
		q->len--;
}

/*
 * The override of the event. Of an event without one it is that of another event: so check
 * PMUMAP_IMC_HAS_OVERRIDE_ first. The map has overrides.
 */
static inline const struct pmumap_imc_override_ *
pmumap_imc_override_of_event_(const struct pmumap *m, uint32_t event)
{
	const struct pmumap_imc *c = pmumap_imc_part_(m);
	const struct pmumap_imc_override_ *own =
		(const struct pmumap_imc_override_ *)pmumap_image_at_(m, c->overrides);
	uint32_t n = c->override_count;

	while (n > 1) {
		uint32_t half = n / 2;

		own += own[half].event <= event ? half : 0;
		n -= half;
	}
	return own;
}

/*
 * Fill in what a match is. All is loaded before anything is stored: to the compiler, a store might
 * change the map.
 */
PMUMAP_INLINE_ void pmumap_imc_fill_event_(const struct pmumap *m,
					   const struct pmumap_imc_match_ *match,
					   struct pmumap_imc_event *out)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m) + match->unit;
	const struct pmumap_imc_event_row_ *e = pmumap_imc_event_rows_(m) + match->event;
	const struct pmumap_imc_unit_class_ *k = pmumap_imc_class_of_unit_(m, u);
	uint32_t unit = u->name, prefix = u->prefix, name = e->name, offset = u->reg + e->reg;
	uint32_t scale = k->scale, measure = k->measure, desc = 0, type = k->type;

	if (name & PMUMAP_IMC_HAS_OVERRIDE_) {
		const struct pmumap_imc_override_ *own =
			pmumap_imc_override_of_event_(m, match->event);

		scale = own->scale ? own->scale : scale;
		measure = own->measure ? own->measure : measure;
		desc = own->desc;
	}
	out->unit = (const char *)pmumap_image_at_(m, unit);
	out->prefix = (const char *)pmumap_image_at_(m, prefix);
	out->name = (const char *)pmumap_image_at_(m, name & ~PMUMAP_IMC_HAS_OVERRIDE_);
	out->scale = pmumap_imc_string_at_(m, scale);
	out->measure = pmumap_imc_string_at_(m, measure);
	out->desc = pmumap_imc_string_at_(m, desc);
	out->type = type;
	out->offset = offset;
	out->unit_index = match->unit;
}

/* Look up UNIT/NAME; without an index, full names too. */
PMUMAP_OUTLINE_ int pmumap_imc_find_otherwise_(const struct pmumap *m, const char *name, size_t len,
					       uint32_t nth, struct pmumap_imc_event *out)
{
	struct pmumap_imc_match_ match;
	struct pmumap_imc_query_ q;
	size_t slash = 0;

	q.name = (const unsigned char *)name;
	q.len = len;
	q.unit = 0;
	q.unit_len = 0;
	q.nth = nth;
	if (pmumap_imc_part_(m)->slots || !pmumap_imc_run_query_(m, &q, &match)) {
		while (slash < len && q.name[slash] != '/')
			slash++;
		q.nth = 0;
		/* The whole text is a name, but not of so many events: it is no UNIT/NAME. */
		if (slash == len || (nth && pmumap_imc_run_query_(m, &q, &match)))
			return 0;
		q.nth = nth;
		pmumap_imc_split_query_(&q, slash);
		if (!pmumap_imc_run_query_(m, &q, &match))
			return 0;
	}
	pmumap_imc_fill_event_(m, &match, out);
	return 1;
}

PMUMAP_DEF int pmumap_imc_find(const struct pmumap *m, const char *name, size_t len, uint32_t nth,
			       struct pmumap_imc_event *out)
{
	struct pmumap_imc_match_ match;
	struct pmumap_imc_text_ text;
	uint64_t hash;

	if (!m->imc)
		return 0;
	if (pmumap_imc_part_(m)->slots && len <= PMUMAP_IMC_INDEXED_BYTES_) {
		hash = pmumap_imc_hash_text_(m, (const unsigned char *)name, len, &text);
		if (pmumap_imc_probe_index_(m, &text, hash, nth, &match)) {
			pmumap_imc_fill_event_(m, &match, out);
			return 1;
		}
		if (!pmumap_imc_text_has_low_byte_(&text))
			return 0;
	}
	return pmumap_imc_find_otherwise_(m, name, len, nth, out);
}

/* ---- imc/offset.h: Find an offset */

/* Without an order of offsets: look in each unit that spans it. Returns 0: there is none. */
static inline int pmumap_imc_search_offset_(const struct pmumap *m, const char *spelling,
					    size_t len, uint32_t offset, uint32_t nth,
					    struct pmumap_imc_match_ *match)
{
	const struct pmumap_imc_event_row_ *e = pmumap_imc_event_rows_(m);
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m);
	uint32_t unit, event, end, n, reg;

	for (unit = 0; unit < pmumap_imc_part_(m)->unit_count; unit++, u++) {
		reg = offset - u->reg;
		end = u->first + u->events;
		if (u->events == 0 || offset < u->reg || e[u->first].reg > reg ||
		    e[end - 1].reg < reg ||
		    (spelling && !pmumap_imc_unit_is_(m, unit, spelling, len)))
			continue;
		event = pmumap_imc_first_event_from_(m, u, offset);
		n = pmumap_imc_count_events_to_(e + event, end - event, reg);
		if (nth >= n) {
			nth -= n;
			continue;
		}
		match->unit = unit;
		match->event = event + nth;
		return e[event + nth].reg == reg; /* a foreign image may not be sorted */
	}
	return 0;
}

/*
 * The first place in the order of offsets that may have an offset, or one with another: one bucket
 * is bisected. Each step reads a unit and its event. The result lies among the n places before the
 * end, or is the end. What pmumap_imc_offset_of_number_() loads each time is loaded once here.
 */
PMUMAP_INLINE_ uint32_t pmumap_imc_find_place_(const struct pmumap *m, uint32_t offset, int wide)
{
	const struct pmumap_imc *c = pmumap_imc_part_(m);
	const struct pmumap_imc_event_row_ *events = pmumap_imc_event_rows_(m);
	const struct pmumap_imc_unit_row_ *units = pmumap_imc_unit_rows_(m), *u;
	uint32_t unit_bit = c->unit_bit, event_bits = ~(0xffffffffu << unit_bit);
	uint32_t key = pmumap_imc_offset_key_(offset), table = c->by_offset, number, event, n, half;
	uint32_t bucket = pmumap_scale_to_(key, pmumap_imc_count_offset_buckets_(c->names));
	uint32_t begin = pmumap_imc_number_at_(m, c->offset_buckets, bucket, wide);
	uint32_t end = pmumap_imc_number_at_(m, c->offset_buckets, bucket + 1, wide);

	for (n = begin < end ? end - begin : 0; n; n -= half) {
		half = (n + 1) / 2;
		number = pmumap_imc_number_at_(m, table, end - half, wide);
		u = units + (number >> unit_bit);
		event = u->first + (number & event_bits);
		end -= pmumap_imc_offset_key_(u->reg + events[event].reg) < key ? 0 : half;
	}
	return end;
}

/* The match at a place of the order of offsets. Returns 0: it has another offset, or is the end. */
PMUMAP_INLINE_ int pmumap_imc_match_of_place_(const struct pmumap *m, uint32_t place,
					      uint32_t offset, int wide,
					      struct pmumap_imc_match_ *match)
{
	const struct pmumap_imc *c = pmumap_imc_part_(m);
	const struct pmumap_imc_unit_row_ *u;
	uint32_t number;

	if (place >= c->names)
		return 0;
	number = pmumap_imc_number_at_(m, c->by_offset, place, wide);
	match->unit = number >> c->unit_bit;
	u = pmumap_imc_unit_rows_(m) + match->unit;
	match->event = u->first + pmumap_imc_event_of_slot_(c, number);
	return u->reg + pmumap_imc_event_rows_(m)[match->event].reg == offset;
}

/*
 * Look for an offset, whatever the map has and however the unit is spelled. place: where to begin
 * in an order of offsets.
 */
PMUMAP_OUTLINE_ int pmumap_imc_at_otherwise_(const struct pmumap *m, const char *unit,
					     uint32_t offset, uint32_t nth, uint32_t place,
					     struct pmumap_imc_event *out)
{
	const struct pmumap_imc *c = pmumap_imc_part_(m);
	struct pmumap_imc_match_ match;
	size_t len = 0;

	for (; unit && unit[len]; len++)
		PMUMAP_NO_LIBCALL_();
	if (!c->by_offset) {
		if (!pmumap_imc_search_offset_(m, unit, len, offset, nth, &match))
			return 0;
	} else {
		for (;; place++) {
			if (!pmumap_imc_match_of_place_(m, place, offset,
							pmumap_imc_has_wide_numbers_(c), &match))
				return 0;
			if ((!unit || pmumap_imc_unit_is_(m, match.unit, unit, len)) && nth-- == 0)
				break;
		}
	}
	pmumap_imc_fill_event_(m, &match, out);
	return 1;
}

/* The length of a string that is the name of a node, with or without the address; 0: it is not. */
PMUMAP_INLINE_ size_t pmumap_imc_spells_node_(const char *string, const char *node)
{
	size_t i;

	for (i = 0; string[i] == node[i]; i++) {
		if (!string[i])
			return i;
	}
	return !string[i] && node[i] == '@' ? i : 0;
}

/*
 * Look for an offset in an order with numbers of 16 bits. What is not the first match of a node's
 * name is left to the other search, and so is one that ends in _imc: Linux may mean another unit.
 */
PMUMAP_INLINE_ int pmumap_imc_at_place_(const struct pmumap *m, const char *unit, uint32_t offset,
					uint32_t nth, struct pmumap_imc_event *out)
{
	uint32_t place = pmumap_imc_find_place_(m, offset, 0), first = place;
	struct pmumap_imc_match_ match;
	size_t len = 0;

	match.unit = match.event = 0; /* or gcc warns, where it has inlined all of this */
	if (!unit) {
		/* A sum that wraps is below the first place, if they are in order. */
		if (!pmumap_imc_match_of_place_(m, place + nth, offset, 0, &match))
			return 0;
	} else {
		for (; !len; place++) {
			if (!pmumap_imc_match_of_place_(m, place, offset, 0, &match))
				break;
			len = pmumap_imc_spells_node_(unit, pmumap_imc_node_name_(m, match.unit));
		}
		if (!len || nth || unit[len - 1] == 'c')
			return pmumap_imc_at_otherwise_(m, unit, offset, nth, first, out);
	}
	pmumap_imc_fill_event_(m, &match, out);
	return 1;
}

PMUMAP_DEF int pmumap_imc_at(const struct pmumap *m, const char *unit, uint32_t offset,
			     uint32_t nth, struct pmumap_imc_event *out)
{
	uint32_t place = 0;

	if (!m->imc)
		return 0;
	if (pmumap_imc_part_(m)->by_offset) {
		if (!pmumap_imc_has_wide_numbers_(pmumap_imc_part_(m)))
			return pmumap_imc_at_place_(m, unit, offset, nth, out);
		place = pmumap_imc_find_place_(m, offset, 1);
	}
	return pmumap_imc_at_otherwise_(m, unit, offset, nth, place, out);
}

/* ---- imc/list.h: Lists, addresses */

PMUMAP_DEF uint32_t pmumap_imc_names(const struct pmumap *m, int *indexed)
{
	*indexed = m->imc && pmumap_imc_part_(m)->slots;
	return m->imc ? pmumap_imc_part_(m)->names : 0;
}

PMUMAP_DEF int pmumap_imc_unit(const struct pmumap *m, uint32_t index, struct pmumap_imc_unit *out)
{
	const struct pmumap_imc_unit_row_ *u;
	const struct pmumap_imc_unit_class_ *k;

	if (!m->imc || index >= pmumap_imc_part_(m)->unit_count)
		return 0;
	u = pmumap_imc_unit_rows_(m) + index;
	k = pmumap_imc_class_of_unit_(m, u);
	out->name = pmumap_imc_string_at_(m, u->name);
	out->prefix = pmumap_imc_string_at_(m, u->prefix);
	out->scale = pmumap_imc_string_at_(m, k->scale);
	out->measure = pmumap_imc_string_at_(m, k->measure);
	out->type = k->type;
	out->reg = u->reg;
	out->size = k->size;
	out->offset = k->offset;
	out->control = k->control;
	out->events = u->events;
	out->chips = k->chip_count;
	return 1;
}

PMUMAP_DEF int pmumap_imc_event_at(const struct pmumap *m, uint32_t unit, uint32_t index,
				   struct pmumap_imc_event *out)
{
	struct pmumap_imc_match_ match;

	if (!m->imc || unit >= pmumap_imc_part_(m)->unit_count ||
	    index >= pmumap_imc_unit_rows_(m)[unit].events)
		return 0;
	match.unit = unit;
	match.event = pmumap_imc_unit_rows_(m)[unit].first + index;
	pmumap_imc_fill_event_(m, &match, out);
	return 1;
}

PMUMAP_DEF int pmumap_imc_chip(const struct pmumap *m, uint32_t unit, uint32_t index,
			       uint32_t *chip, uint64_t *base)
{
	const struct pmumap_imc_unit_class_ *k;

	if (!m->imc || unit >= pmumap_imc_part_(m)->unit_count)
		return 0;
	k = pmumap_imc_class_of_unit_(m, pmumap_imc_unit_rows_(m) + unit);
	if (index >= k->chip_count)
		return 0;
	*chip = pmumap_imc_chip_rows_(m, k)[index].chip;
	*base = pmumap_imc_chip_rows_(m, k)[index].base;
	return 1;
}

/*
 * Where some bytes of a nest window lie on a chip. Returns 0, *phys untouched, as
 * pmumap_imc_address() does.
 */
static inline int pmumap_imc_place_on_chip_(const struct pmumap *m, uint32_t unit, uint32_t chip,
					    uint32_t offset, uint32_t bytes, uint64_t *phys)
{
	const struct pmumap_imc_unit_class_ *k;
	uint64_t place;
	uint32_t i = 0;

	if (!m->imc || unit >= pmumap_imc_part_(m)->unit_count)
		return 0;
	k = pmumap_imc_class_of_unit_(m, pmumap_imc_unit_rows_(m) + unit);
	if (k->type != PMUMAP_IMC_NEST ||
	    (k->size && (k->size < bytes || offset > k->size - bytes)))
		return 0;
	while (i < k->chip_count && pmumap_imc_chip_rows_(m, k)[i].chip != chip)
		i++;
	if (i == k->chip_count)
		return 0;
	place = (uint64_t)k->offset + offset;
	if (place + bytes - 1 > ~(uint64_t)0 - pmumap_imc_chip_rows_(m, k)[i].base)
		return 0;
	*phys = pmumap_imc_chip_rows_(m, k)[i].base + place;
	return 1;
}

PMUMAP_DEF int pmumap_imc_address(const struct pmumap *m, const struct pmumap_imc_event *e,
				  uint32_t chip, uint64_t *phys)
{
	return pmumap_imc_place_on_chip_(m, e->unit_index, chip, e->offset, 8, phys);
}

PMUMAP_DEF int pmumap_imc_control(const struct pmumap *m, uint32_t unit, uint32_t chip,
				  uint64_t *phys)
{
	struct pmumap_imc_unit u;

	return pmumap_imc_unit(m, unit, &u) &&
	       pmumap_imc_place_on_chip_(m, unit, chip, u.control, PMUMAP_IMC_CB_BYTES, phys);
}

/* ---- imc/words.h: Scales, counters, trace words */

#define PMUMAP_IMC_EXPONENTS_ 9999 /* from -9999 to 9999 */

PMUMAP_DEF int pmumap_imc_scale(const char *scale, uint64_t *mantissa, int32_t *exponent)
{
	int32_t point = 0, tens = 0, sign = 1;
	uint64_t value = 0;

	for (; *scale == '.' || (*scale >= '0' && *scale <= '9'); scale++) {
		uint32_t digit = (uint32_t)(*scale - '0');

		if (*scale == '.') {
			if (point++)
				return 0;
			continue;
		}
		if (value > ~(uint64_t)0 / 10 || (value == ~(uint64_t)0 / 10 && digit > 5))
			return 0;
		value = value * 10 + digit;
		tens -= point;
	}
	if (*scale == 'e' || *scale == 'E') {
		int32_t power = 0;

		scale++;
		if (*scale == '+' || *scale == '-')
			sign = *scale++ == '-' ? -1 : 1;
		if (*scale == 0)
			return 0;
		for (; *scale >= '0' && *scale <= '9' && power <= PMUMAP_IMC_EXPONENTS_; scale++)
			power = power * 10 + (*scale - '0');
		tens += sign * power;
	}
	if (*scale || value == 0 || tens < -PMUMAP_IMC_EXPONENTS_ || tens > PMUMAP_IMC_EXPONENTS_)
		return 0;
	*mantissa = value;
	*exponent = tens;
	return 1;
}

PMUMAP_DEF uint64_t pmumap_imc_read(const volatile void *counter)
{
	static const union {
		uint8_t byte[8];
		uint64_t word;
	} order = { { 0, 1, 2, 3, 4, 5, 6, 7 } };
	uint64_t x = *(const volatile uint64_t *)counter; /* one load, where the target can */

	if (order.word == 0x0001020304050607u)
		return x;
	x = (x & 0x00ff00ff00ff00ffu) << 8 | (x >> 8 & 0x00ff00ff00ff00ffu);
	x = (x & 0x0000ffff0000ffffu) << 16 | (x >> 16 & 0x0000ffff0000ffffu);
	return x << 32 | x >> 32;
}

PMUMAP_DEF uint64_t pmumap_imc_delta(uint64_t before, uint64_t now)
{
	return now - before;
}

/*
 * The trace SCOM, bit 0 the highest: sample 0:1, complement of load 2:33, event1 34:40, event2
 * 41:47, buffer 48:50.
 */
PMUMAP_DEF int pmumap_imc_trace_scom_encode(const struct pmumap_imc_trace_scom *fields,
					    uint64_t *scom)
{
	if (fields->sample > 3 || fields->event1 > 127 || fields->event2 > 127 ||
	    fields->buffer > 4)
		return 0;
	*scom = (uint64_t)fields->sample << 62 | (uint64_t)(uint32_t)~fields->load << 30 |
		(uint64_t)fields->event1 << 23 | (uint64_t)fields->event2 << 16 |
		(uint64_t)fields->buffer << 13;
	return 1;
}

PMUMAP_DEF int pmumap_imc_trace_scom_decode(uint64_t scom, struct pmumap_imc_trace_scom *fields)
{
	if ((scom & 0x1fff) || (scom >> 13 & 7) > 4)
		return 0;
	fields->sample = (uint32_t)(scom >> 62);
	fields->load = ~(uint32_t)(scom >> 30);
	fields->event1 = (uint32_t)(scom >> 23) & 127;
	fields->event2 = (uint32_t)(scom >> 16) & 127;
	fields->buffer = (uint32_t)(scom >> 13) & 7;
	return 1;
}

/* The trace configuration, bit 0 the lowest: event 20:27, sample 28:29, load 30:61. */
PMUMAP_DEF int pmumap_imc_trace_config_encode(const struct pmumap_imc_trace_config *fields,
					      uint64_t *config)
{
	if (fields->event > 255 || fields->sample > 3)
		return 0;
	*config = (uint64_t)fields->load << 30 | (uint64_t)fields->sample << 28 |
		  (uint64_t)fields->event << 20;
	return 1;
}

PMUMAP_DEF int pmumap_imc_trace_config_decode(uint64_t config,
					      struct pmumap_imc_trace_config *fields)
{
	if ((config & 0xfffff) || config >> 62)
		return 0;
	fields->event = (uint32_t)(config >> 20) & 255;
	fields->sample = (uint32_t)(config >> 28) & 3;
	fields->load = (uint32_t)(config >> 30);
	return 1;
}

/* ---- imc/available.h: Which nest units a machine has */

/* Units that have bits in an availability vector, by the stem of their name. */
struct pmumap_imc_vector_row_ {
	char stem[9];
	uint8_t bit, count; /* the first bit; how many units, or 0: one whose name has no number */
	uint8_t state;      /* of a link, whose three bits tell its use; 0: one bit each */
	uint8_t parts;      /* the name may end in _0, _1 and so on, up to so many */
};

#define PMUMAP_IMC_OTHER_UNIT_ 2 /* neither there (1) nor not there (0): not this row's unit */

/* A bit of the vector, in which 0 is the highest. */
static inline uint32_t pmumap_imc_vector_bit_(uint64_t vector, uint32_t bit)
{
	return (uint32_t)(bit < 32 ? vector >> 32 : vector) >> (31 - bit % 32) & 1;
}

/* Step over a number below 100 without leading zeros. Returns it; 100: there is none. */
static inline uint32_t pmumap_imc_take_number_(const char **text)
{
	uint32_t n = 100;

	if (**text >= '0' && **text <= '9') {
		n = (uint32_t)(*(*text)++ - '0');
		if (n && **text >= '0' && **text <= '9')
			n = n * 10 + (uint32_t)(*(*text)++ - '0');
	}
	return n;
}

/* Whether the unit from text to end is there according to one row; or OTHER_UNIT_. */
static inline int pmumap_imc_bit_of_unit_(const struct pmumap_imc_vector_row_ *row, uint64_t vector,
					  const char *text, const char *end)
{
	uint32_t n = 0;

	text = pmumap_skip_stem_(text, row->stem);
	if (!text)
		return PMUMAP_IMC_OTHER_UNIT_;
	if (row->count) {
		n = pmumap_imc_take_number_(&text);
		if (n >= row->count)
			return PMUMAP_IMC_OTHER_UNIT_;
	}
	if (row->parts && text < end && *text == '_') {
		text++;
		if (pmumap_imc_take_number_(&text) >= row->parts)
			return PMUMAP_IMC_OTHER_UNIT_;
	}
	if (text != end)
		return PMUMAP_IMC_OTHER_UNIT_;
	if (!row->state)
		return (int)pmumap_imc_vector_bit_(vector, row->bit + n);
	n = row->bit + 3 * n;
	return (pmumap_imc_vector_bit_(vector, n) << 2 |
		pmumap_imc_vector_bit_(vector, n + 1) << 1 |
		pmumap_imc_vector_bit_(vector, n + 2)) == row->state;
}

/*
 * The same of memory controllers, which all generations have in bits 1 to 8: a pair like mcs01 is
 * there if one of the two is. mcs0 to mcs7 alone are units of the debug modes, and not there.
 */
static inline int pmumap_imc_bit_of_mcs_(uint64_t vector, const char *text, const char *end)
{
	text = pmumap_skip_stem_(text, "mcs");
	if (!text || *text < '0' || *text > '7')
		return PMUMAP_IMC_OTHER_UNIT_;
	if (end - text == 1)
		return 0;
	if (end - text != 2 || *text % 2 || text[1] != *text + 1)
		return PMUMAP_IMC_OTHER_UNIT_;
	return (int)(pmumap_imc_vector_bit_(vector, 1u + (uint32_t)(*text - '0')) |
		     pmumap_imc_vector_bit_(vector, 2u + (uint32_t)(*text - '0')));
}

PMUMAP_DEF int pmumap_imc_available(unsigned generation, uint64_t vector, const char *unit)
{
	static const struct pmumap_imc_vector_row_ p9[] = {
		/* clang-format off */
		{ "powerbus", 0, 1, 0, 0 }, { "mba", 9, 8, 0, 0 }, { "centaur", 17, 8, 0, 0 },
		{ "xlink", 25, 3, 0, 0 }, { "mcd", 28, 2, 0, 0 }, { "phb", 30, 6, 0, 0 },
		{ "nx", 36, 0, 0, 0 }, { "capp", 37, 2, 0, 0 }, { "vas", 39, 0, 0, 0 },
		{ "int", 40, 0, 0, 0 }, { "alink", 41, 4, 0, 0 }, { "nvlink", 45, 6, 0, 0 }
		/* clang-format on */
	};
	static const struct pmumap_imc_vector_row_ p10[] = {
		/* clang-format off */
		{ "pb", 0, 0, 0, 0 }, { "pec", 9, 2, 0, 0 }, { "xlink", 11, 8, 5, 0 },
		{ "alink", 11, 8, 6, 0 }, { "otl", 11, 8, 7, 2 }, { "phb", 35, 6, 0, 3 },
		{ "ocmb", 41, 16, 0, 0 }, { "nx", 57, 0, 0, 0 }
		/* clang-format on */
	};
	const struct pmumap_imc_vector_row_ *row = generation == PMUMAP_IMC_P9 ? p9 : p10;
	const struct pmumap_imc_vector_row_ *end =
		row + (generation == PMUMAP_IMC_P9 ? sizeof(p9) / sizeof(p9[0])
						   : sizeof(p10) / sizeof(p10[0]));
	size_t len = 0;
	int there;

	if (generation != PMUMAP_IMC_P9 && generation != PMUMAP_IMC_P10)
		return 1;
	if (vector == 0)
		return 0;
	for (; unit[len] && unit[len] != '@'; len++)
		;
	(void)pmumap_imc_strip_linux_name_(&unit, &len, 1);
	there = pmumap_imc_bit_of_mcs_(vector, unit, unit + len);
	for (; there == PMUMAP_IMC_OTHER_UNIT_ && row < end; row++)
		there = pmumap_imc_bit_of_unit_(row, vector, unit, unit + len);
	return there != 0;
}

/*
 * Whether a unit stays where an option says which are there: by its generation, with NO_TRACE or
 * without, and its vector.
 */
static inline int pmumap_imc_is_wanted_(unsigned generation, uint64_t vector, uint32_t type,
					const char *unit)
{
	if (type == PMUMAP_IMC_TRACE)
		return !(generation & PMUMAP_IMC_NO_TRACE);
	return type != PMUMAP_IMC_NEST ||
	       pmumap_imc_available(generation & ~(unsigned)PMUMAP_IMC_NO_TRACE, vector, unit);
}

/* ---- imc/catalog.h: The right part of a catalog image */

/* The table of contents: a magic, version, then entries of processor, offset, size. */
#define PMUMAP_IMC_TOC_ 4096u
#define PMUMAP_IMC_TOC_MAGIC_ 0x494d4343u     /* "IMCC" */
#define PMUMAP_IMC_OLD_TOC_MAGIC_ 0x494d4143u /* "IMAC" */
#define PMUMAP_IMC_SIGNED_MAGIC_ 0x17082011u  /* a header ahead of all that, of so many bytes: */
#define PMUMAP_IMC_SIGNED_ 4096u
#define PMUMAP_IMC_TOC_ENTRY_ 12u
#define PMUMAP_IMC_PVR_IGNORED_ 0xf0ffu /* of a PVR what the processor in an entry has not */

/* How many bytes come ahead of the table of contents; or, if there is none, all of them. */
static inline size_t pmumap_imc_bytes_before_toc_(const unsigned char *p, size_t bytes)
{
	size_t before = 0;
	uint32_t magic;

	if (bytes >= PMUMAP_IMC_SIGNED_ && pmumap_load_be32_(p) == PMUMAP_IMC_SIGNED_MAGIC_)
		before = PMUMAP_IMC_SIGNED_;
	if (bytes - before < PMUMAP_IMC_TOC_)
		return bytes;
	magic = pmumap_load_be32_(p + before);
	if (magic != PMUMAP_IMC_TOC_MAGIC_ && magic != PMUMAP_IMC_OLD_TOC_MAGIC_)
		return bytes;
	return pmumap_load_be32_(p + before + 4) == 1 ? before : bytes;
}

PMUMAP_DEF int pmumap_imc_catalog(const void *image, size_t bytes, uint32_t pvr, size_t *offset,
				  size_t *size)
{
	const unsigned char *p = (const unsigned char *)image;
	size_t before = pmumap_imc_bytes_before_toc_(p, bytes);
	uint32_t at, cell[3];

	if (before == bytes)
		return 0;
	p += before;
	bytes -= before;
	for (at = 8; at + PMUMAP_IMC_TOC_ENTRY_ <= PMUMAP_IMC_TOC_; at += PMUMAP_IMC_TOC_ENTRY_) {
		cell[0] = pmumap_load_be32_(p + at);
		cell[1] = pmumap_load_be32_(p + at + 4);
		cell[2] = pmumap_load_be32_(p + at + 8);
		if (!(cell[0] | cell[1] | cell[2]))
			break;
		if (cell[0] != (pvr & ~PMUMAP_IMC_PVR_IGNORED_))
			continue;
		if (cell[1] < PMUMAP_IMC_TOC_ || cell[1] > bytes || cell[2] == 0 ||
		    cell[2] > bytes - cell[1])
			return 0;
		*offset = before + cell[1];
		*size = cell[2];
		return 1;
	}
	return 0;
}

/* ---- imc/entries.h: What waits for the builder, and what it works on */

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
 * How many names for each event and unit a block of pmumap_need() has room for, of an index and of
 * an order of offsets. More of them get both in a larger block.
 */
#define PMUMAP_IMC_NAMES_EACH_ 4u

/*
 * Bytes of the block for an index of NAMES_EACH_ names, beyond the place of the rows and entries,
 * where it is built. The order of offsets fits there: pmumap_imc_build_offsets_().
 */
static inline uint64_t pmumap_imc_need_indexes_(const struct pmumap_builder *b)
{
	uint64_t names = PMUMAP_IMC_NAMES_EACH_ * (uint64_t)b->own.imc.names, bytes;
	uint64_t rows = ((uint64_t)b->own.kept + b->own.entries) * sizeof(struct pmumap_row_);

	bytes = pmumap_imc_index_bytes_(names, b->own.imc.names);
	return !(b->flags & PMUMAP_NO_INDEX) && names && bytes > rows ? bytes - rows : 0;
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
	PMUMAP_IMC_LIST_USED_ = 1,   /* by a unit ... */
	PMUMAP_IMC_LIST_COUNTED_ = 2 /* ... whose offsets are those of counters */
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
	uint32_t list; /* its id; once that is resolved, the number of its entry, or NO_ROW */
	uint32_t kind; /* flags: */
} PMUMAP_MAY_ALIAS_;

enum {
	PMUMAP_IMC_UNIT_TYPE_ = 0xff,         /* PMUMAP_IMC_NEST and so on */
	PMUMAP_IMC_UNIT_OWN_LIST_ = 0x100,    /* the list is the one before it */
	PMUMAP_IMC_UNIT_OWN_CHIPS_ = 0x200,   /* no others, even if these are none */
	PMUMAP_IMC_UNIT_OWN_CONTROL_ = 0x400, /* control may be 0, which is then no default */
	PMUMAP_IMC_UNIT_NO_CONTROL_ = 0x800   /* what it says cannot be read, and is reported */
};

struct pmumap_imc_prefix_entry_ {
	uint64_t prefix;
	uint32_t size, offset, control; /* of the unit's window */
	uint32_t kind;
} PMUMAP_MAY_ALIAS_;

struct pmumap_imc_chips_entry_ {
	uint64_t unused;
	uint32_t first, count; /* in the map, once they are there */
	uint32_t unused_too;
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
static inline struct pmumap_imc_unit_entries_ *pmumap_imc_unit_at_(const struct pmumap_builder *b,
								   uint32_t i)
{
	return (struct pmumap_imc_unit_entries_ *)pmumap_builder_entry_(
		b, i + PMUMAP_IMC_UNIT_ENTRIES_ - 1);
}

#define PMUMAP_IMC_USUAL_CONTROL_ 0x3fc00u /* where the control block is unless the unit says so */
#define PMUMAP_IMC_NO_CONTROL_ 0xffffffffu /* in no window: nobody can read what the unit says */

/* What pmumap_imc_finish_part_() works on. */
struct pmumap_imc_build_ {
	struct pmumap_builder *b;
	struct pmumap *m;
	struct pmumap_imc *c;
	struct pmumap_pool_ pool;
	uint32_t *lists; /* numbers of the entries of all lists, by id */
	uint32_t list_count, text_count;
	uint32_t clashes_unchecked; /* 1: no room to compare the places of counters */
	uint32_t *order;            /* numbers of the entries of one list's events; */
	uint32_t *spare;            /* room for as many, to sort them */
	uint32_t *nodes;            /* of the units */
};

/*
 * Compare two strings of the map; one that is there once is equal to itself, and is not read. By
 * words up to where they end or differ: tables lie behind all strings while a map is built.
 */
PMUMAP_OUTLINE_ int pmumap_imc_compare_strings_(const struct pmumap *m, uint32_t a, uint32_t b)
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
	const struct pmumap_imc_event_entry_ *x = PMUMAP_ENTRY_AT_(imc_event, w->b, a);
	const struct pmumap_imc_event_entry_ *y = PMUMAP_ENTRY_AT_(imc_event, w->b, b);
	int order = pmumap_imc_compare_strings_(w->m, (uint32_t)x->name, (uint32_t)y->name);

	return order ? order : x->reg < y->reg ? -1 : x->reg > y->reg;
}

/* All names of the map as numbers: unit and event, as in a slot of the index. */
static inline void pmumap_imc_number_names_(const struct pmumap *m, uint32_t *to)
{
	uint32_t unit, i;

	for (unit = 0; unit < pmumap_imc_part_(m)->unit_count; unit++) {
		for (i = 0; i < pmumap_imc_unit_rows_(m)[unit].events; i++)
			*to++ = unit << pmumap_imc_part_(m)->unit_bit | i;
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
static inline int pmumap_imc_is_same_name_(const struct pmumap *m,
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

/* ---- imc/build_lists.h: Entries to lists of events, and strings */

/* Count lists, units and texts, and the events of each list. Returns the events of all lists. */
static inline uint32_t pmumap_imc_count_entries_(struct pmumap_imc_build_ *w)
{
	struct pmumap_imc_list_entry_ *list = 0;
	uint32_t i, events = 0;

	for (i = 0; i < w->b->own.entries; i++) {
		switch (pmumap_entry_kind_(w->b, i)) {
		case PMUMAP_IMC_LIST_:
			list = PMUMAP_ENTRY_AT_(imc_list, w->b, i);
			w->list_count++;
			break;
		case PMUMAP_IMC_EVENT_:
			if (list)
				list->events++;
			events++;
			w->text_count++;
			break;
		case PMUMAP_IMC_UNIT_:
			w->c->unit_count++;
			w->text_count += 2;
			break;
		case PMUMAP_IMC_SCALE_:
		case PMUMAP_IMC_MEASURE_:
		case PMUMAP_IMC_DESC_:
			w->text_count++;
			break;
		default:
			break;
		}
	}
	return events;
}

/* Make room for the tables that are needed only now, and put the lists into the first, by id. */
static inline void pmumap_imc_place_scratch_(struct pmumap_imc_build_ *w, uint32_t events)
{
	uint32_t i, n = 0;

	w->lists = pmumap_pool_scratch_(&w->pool, w->list_count);
	w->nodes = pmumap_pool_scratch_(&w->pool, w->c->unit_count);
	w->order = pmumap_pool_scratch_(&w->pool, events);
	w->spare = pmumap_pool_scratch_(&w->pool, events < w->list_count ? w->list_count : events);
	pmumap_pool_reserve_texts_(&w->pool, w->text_count);
	for (i = 0; i < w->b->own.entries; i++) {
		if (pmumap_entry_kind_(w->b, i) == PMUMAP_IMC_LIST_)
			w->lists[n++] = i;
	}
	pmumap_sort_numbers_(w->lists, n, w->spare, pmumap_order_entry_ids_, w->b);
}

/*
 * The entry of a unit's list, or NO_ROW; before: that of the list that came last before it. A unit
 * with a list of its own has one there, since the reader adds it first.
 */
static inline uint32_t pmumap_imc_list_of_unit_(const struct pmumap_imc_build_ *w,
						const struct pmumap_imc_unit_entry_ *unit,
						uint32_t before)
{
	if (!(unit->kind & PMUMAP_IMC_UNIT_OWN_LIST_))
		return pmumap_builder_find_entry_(w->b, w->lists, w->list_count, unit->list);
	return PMUMAP_ENTRY_AT_(imc_list, w->b, before)->events ? before : PMUMAP_NO_ROW;
}

/* Report a list that units use, and that has no event that was kept. */
static inline void pmumap_imc_check_list_(struct pmumap_imc_build_ *w,
					  const struct pmumap_imc_list_entry_ *list)
{
	w->b->own.node = (int)list->node;
	if (list->events == 0)
		pmumap_report_row_(w->b, PMUMAP_FINDING_(LIST_EMPTY, PMUMAP_ERROR, PMUMAP_IN_NODE_),
				   PMUMAP_NO_ROW, list->id);
}

/* Find the list of every unit. Lists that no unit uses stay without the flag, and are left out. */
static inline void pmumap_imc_resolve_lists_(struct pmumap_imc_build_ *w)
{
	uint32_t i, n = 0, before = PMUMAP_NO_ROW, row;
	struct pmumap_imc_unit_entry_ *unit;
	struct pmumap_imc_list_entry_ *list;

	for (i = 0; i < w->b->own.entries; i++) {
		if (pmumap_entry_kind_(w->b, i) == PMUMAP_IMC_LIST_)
			before = i;
		if (pmumap_entry_kind_(w->b, i) != PMUMAP_IMC_UNIT_)
			continue;
		unit = PMUMAP_ENTRY_AT_(imc_unit, w->b, i);
		w->nodes[n] = unit->node;
		row = pmumap_imc_list_of_unit_(w, unit, before);
		if (row == PMUMAP_NO_ROW) {
			w->b->own.node = (int)unit->node;
			pmumap_report_row_(
				w->b,
				PMUMAP_FINDING_(EVENTS_MISSING, PMUMAP_WARNING, PMUMAP_IN_EVENTS_),
				n, unit->list);
		} else {
			list = PMUMAP_ENTRY_AT_(imc_list, w->b, row);
			if (!(list->kind & PMUMAP_IMC_LIST_USED_)) {
				w->c->event_count += list->events;
				pmumap_imc_check_list_(w, list);
			}
			list->kind |= PMUMAP_IMC_LIST_USED_;
			if ((unit->kind & PMUMAP_IMC_UNIT_TYPE_) != PMUMAP_IMC_TRACE)
				list->kind |= PMUMAP_IMC_LIST_COUNTED_;
		}
		unit->list = row;
		n++;
	}
}

/* Copy the strings of all units and used lists into the map; their entries get the offsets. */
static inline void pmumap_imc_build_strings_(struct pmumap_imc_build_ *w)
{
	int used = 0, kept = 0;
	uint32_t i, kind;

	w->c->strings = w->m->head.size;
	pmumap_pool_begin_texts_(&w->pool);
	for (i = 0; i < w->b->own.entries; i++) {
		struct pmumap_imc_text_entry_ *e = PMUMAP_ENTRY_AT_(imc_text, w->b, i);

		kind = pmumap_entry_kind_(w->b, i);
		if (kind == PMUMAP_IMC_LIST_)
			used = (e->kind & PMUMAP_IMC_LIST_USED_) != 0;
		if (kind == PMUMAP_IMC_EVENT_ || kind == PMUMAP_IMC_UNIT_)
			kept = kind == PMUMAP_IMC_UNIT_ || used;
		if (kept && kind >= PMUMAP_IMC_EVENT_ && kind <= PMUMAP_IMC_PREFIX_)
			e->text = pmumap_pool_keep_text_(&w->pool, (const char *)(size_t)e->text);
	}
	pmumap_pad_image_(w->m);
	w->c->string_bytes = w->m->head.size - w->c->strings;
}

/* Events by offset; of one offset by name. */
static inline int pmumap_imc_order_entry_regs_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_imc_build_ *w = (const struct pmumap_imc_build_ *)context;
	uint32_t x = PMUMAP_ENTRY_AT_(imc_event, w->b, a)->reg;
	uint32_t y = PMUMAP_ENTRY_AT_(imc_event, w->b, b)->reg;

	return x < y ? -1 : x > y ? 1 : pmumap_imc_order_entry_names_(context, a, b);
}

/*
 * Append the override of the event in entry i, which has number event in the map. Returns 0: it
 * has no strings besides its name.
 */
static inline int pmumap_imc_emit_override_(struct pmumap_imc_build_ *w, uint32_t i, uint32_t event)
{
	struct pmumap_imc_override_ *o = 0;

	for (i++; i < w->b->own.entries; i++) {
		uint32_t kind = pmumap_entry_kind_(w->b, i);
		uint32_t text = (uint32_t)PMUMAP_ENTRY_AT_(imc_text, w->b, i)->text;

		if (kind < PMUMAP_IMC_SCALE_ || kind > PMUMAP_IMC_DESC_)
			break;
		if (!o) {
			o = (struct pmumap_imc_override_ *)pmumap_append_table_(w->m, 0,
										sizeof(*o));
			o->event = event;
			o->scale = o->measure = o->desc = 0;
			w->c->override_count++;
		}
		if (kind == PMUMAP_IMC_SCALE_)
			o->scale = text;
		else if (kind == PMUMAP_IMC_MEASURE_)
			o->measure = text;
		else
			o->desc = text;
	}
	return o != 0;
}

/* Fill in the n events in order[], the first of which has number first in the map. */
static inline void pmumap_imc_emit_list_(struct pmumap_imc_build_ *w,
					 struct pmumap_imc_event_row_ *to, uint32_t first,
					 uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		const struct pmumap_imc_event_entry_ *e =
			PMUMAP_ENTRY_AT_(imc_event, w->b, w->order[i]);

		to[i].name = (uint32_t)e->name;
		to[i].reg = e->reg;
		if (pmumap_imc_emit_override_(w, w->order[i], first + i))
			to[i].name |= PMUMAP_IMC_HAS_OVERRIDE_;
	}
}

/*
 * Build the lists that units use, each of them once; its entry gets the number of its first event.
 */
static inline void pmumap_imc_build_lists_(struct pmumap_imc_build_ *w)
{
	struct pmumap_imc_event_row_ *events;
	uint32_t i, j, n, first = 0;
	int used;

	events = (struct pmumap_imc_event_row_ *)pmumap_append_table_(
		w->m, &w->c->events, w->c->event_count * (uint32_t)sizeof(*events));
	w->c->overrides = w->m->head.size;
	for (i = 0; i < w->b->own.entries; i++) {
		struct pmumap_imc_list_entry_ *list = PMUMAP_ENTRY_AT_(imc_list, w->b, i);

		if (pmumap_entry_kind_(w->b, i) != PMUMAP_IMC_LIST_)
			continue;
		used = (list->kind & PMUMAP_IMC_LIST_USED_) != 0;
		for (j = i + 1, n = 0; used && n < list->events; j++) {
			if (pmumap_entry_kind_(w->b, j) == PMUMAP_IMC_EVENT_)
				w->order[n++] = j;
		}
		if (w->b->own.imc.lint_list)
			w->b->own.imc.lint_list(w, i, n);
		if (!used)
			continue;
		pmumap_sort_numbers_(w->order, n, w->spare, pmumap_imc_order_entry_regs_, w);
		pmumap_imc_emit_list_(w, events + first, first, n);
		list->first = first;
		first += n;
	}
}

/* ---- imc/build_units.h: Entries to units, classes and chips */

/* Whether two runs of n chips say the same. */
static inline int pmumap_imc_chips_are_equal_(const struct pmumap_imc_chip_row_ *a,
					      const struct pmumap_imc_chip_row_ *b, uint32_t n)
{
	while (n && a->chip == b->chip && a->base == b->base) {
		a++;
		b++;
		n--;
	}
	return n == 0;
}

/* Append a chip to the map. */
static inline void pmumap_imc_emit_chip_(struct pmumap_imc_build_ *w,
					 const struct pmumap_imc_chip_entry_ *e)
{
	struct pmumap_imc_chip_row_ *chip =
		(struct pmumap_imc_chip_row_ *)pmumap_append_table_(w->m, 0, sizeof(*chip));

	chip->base = e->base;
	chip->chip = e->chip;
	chip->unused = 0;
	w->c->chip_count++;
}

/*
 * Append the chips of a unit, from entry i on. Returns how many; *next: the entry of the next
 * unit.
 */
static inline uint32_t pmumap_imc_emit_chips_(struct pmumap_imc_build_ *w, uint32_t i,
					      uint32_t *next)
{
	uint32_t n = 0;

	for (; i < w->b->own.entries; i++) {
		uint32_t kind = pmumap_entry_kind_(w->b, i);

		if (kind == PMUMAP_IMC_UNIT_)
			break;
		if (kind != PMUMAP_IMC_CHIP_)
			continue;
		pmumap_imc_emit_chip_(w, PMUMAP_ENTRY_AT_(imc_chip, w->b, i));
		n++;
	}
	*next = i;
	return n;
}

/* Whether a unit, which has no chips, gets those that are there for all. */
static inline int pmumap_imc_takes_homers_(const struct pmumap_imc_unit_entry_ *unit)
{
	return (unit->kind & PMUMAP_IMC_UNIT_TYPE_) == PMUMAP_IMC_NEST &&
	       !(unit->kind & PMUMAP_IMC_UNIT_OWN_CHIPS_);
}

/*
 * Build the table of chips; the entries of units get their place in it. A unit with the same chips
 * as the one before shares them.
 */
static inline void pmumap_imc_build_chips_(struct pmumap_imc_build_ *w)
{
	const struct pmumap_imc_chip_row_ *chips =
		(const struct pmumap_imc_chip_row_ *)pmumap_append_table_(w->m, &w->c->chips, 0);
	uint32_t i, next, n, first, homers, before = 0, before_n = 0;
	struct pmumap_imc_unit_entries_ *e;

	for (i = 0; i < w->b->own.entries; i++) {
		if (pmumap_entry_kind_(w->b, i) == PMUMAP_IMC_HOMER_)
			pmumap_imc_emit_chip_(w, PMUMAP_ENTRY_AT_(imc_chip, w->b, i));
	}
	homers = w->c->chip_count;
	for (i = 0; i < w->b->own.entries; i = next) {
		next = i + 1;
		if (pmumap_entry_kind_(w->b, i) != PMUMAP_IMC_UNIT_)
			continue;
		e = pmumap_imc_unit_at_(w->b, i);
		first = w->c->chip_count;
		n = pmumap_imc_emit_chips_(w, i + PMUMAP_IMC_UNIT_ENTRIES_, &next);
		if (n && n == before_n &&
		    pmumap_imc_chips_are_equal_(chips + before, chips + first, n)) {
			w->c->chip_count -= n;
			w->m->head.size -= n * (uint32_t)sizeof(*chips);
			first = before;
		}
		if (n) {
			before = first;
			before_n = n;
		} else if (pmumap_imc_takes_homers_(&e->unit)) {
			first = 0;
			n = homers;
		}
		e->chips.first = first;
		e->chips.count = n;
	}
}

/* How many classes a unit is compared with: a bound, so that building stays linear. */
#define PMUMAP_IMC_CLASSES_COMPARED_ 16u

/*
 * The number of the class of the unit in an entry: one of the last classes if one is the same,
 * else a new one.
 */
static inline uint32_t pmumap_imc_build_unit_class_(struct pmumap_imc_build_ *w, uint32_t entry)
{
	const struct pmumap_imc_unit_entries_ *e = pmumap_imc_unit_at_(w->b, entry);
	struct pmumap_imc_unit_class_ *classes, *k;
	uint32_t n = w->c->unit_class_count, tries, i;

	classes = (struct pmumap_imc_unit_class_ *)(void *)((char *)w->m + w->c->unit_classes);
	k = (struct pmumap_imc_unit_class_ *)pmumap_append_table_(w->m, 0, sizeof(*k));
	k->scale = k->measure = 0;
	for (i = entry + PMUMAP_IMC_UNIT_ENTRIES_; i < w->b->own.entries; i++) {
		const struct pmumap_imc_text_entry_ *text = PMUMAP_ENTRY_AT_(imc_text, w->b, i);

		if (pmumap_entry_kind_(w->b, i) == PMUMAP_IMC_SCALE_)
			k->scale = (uint32_t)text->text;
		else if (pmumap_entry_kind_(w->b, i) == PMUMAP_IMC_MEASURE_)
			k->measure = (uint32_t)text->text;
		else
			break;
	}
	k->type = e->unit.kind & PMUMAP_IMC_UNIT_TYPE_;
	k->size = e->prefix.size;
	k->offset = e->prefix.offset;
	k->control = e->prefix.control;
	k->chips = e->chips.first;
	k->chip_count = e->chips.count;
	for (tries = 0; tries < PMUMAP_IMC_CLASSES_COMPARED_ && tries < n; tries++) {
		const uint32_t *x = (const uint32_t *)(const void *)k;
		const uint32_t *y = (const uint32_t *)(const void *)(k - 1 - tries);

		for (i = 0; i < sizeof(*k) / sizeof(*x) && x[i] == y[i]; i++)
			;
		if (i < sizeof(*k) / sizeof(*x))
			continue;
		w->m->head.size -= (uint32_t)sizeof(*k);
		return n - 1 - tries;
	}
	w->c->unit_class_count++;
	return (uint32_t)(k - classes);
}

/* Drop and report the events of a unit that lie outside of its window; they are sorted by reg. */
static inline void pmumap_imc_limit_events_(struct pmumap_imc_build_ *w,
					    struct pmumap_imc_unit_row_ *u,
					    const struct pmumap_imc_unit_class_ *k, uint32_t unit)
{
	const struct pmumap_imc_event_row_ *e = pmumap_imc_event_rows_(w->m) + u->first;
	uint32_t n = pmumap_imc_count_events_to_(e, u->events, ~u->reg), last;

	if (n < u->events)
		pmumap_report_row_(w->b,
				   PMUMAP_FINDING_(REG_OVERFLOW, PMUMAP_ERROR, PMUMAP_IN_REG_),
				   unit, e[n].reg);
	u->events = n;
	if (k->type == PMUMAP_IMC_TRACE)
		return;
	last = k->size - PMUMAP_IMC_COUNTER_BYTES_; /* the last place in the window */
	if (k->size && (k->size < PMUMAP_IMC_COUNTER_BYTES_ || u->reg > last))
		n = 0;
	else if (k->size)
		n = pmumap_imc_count_events_to_(e, n, last - u->reg);
	if (n < u->events)
		pmumap_report_row_(w->b,
				   PMUMAP_FINDING_(OFFSET_RANGE, PMUMAP_ERROR, PMUMAP_IN_REG_),
				   unit, u->reg + e[n].reg);
	u->events = n;
	if (u->reg % PMUMAP_IMC_COUNTER_BYTES_)
		pmumap_report_row_(w->b,
				   PMUMAP_FINDING_(OFFSET_ALIGN, PMUMAP_WARNING, PMUMAP_IN_REG_),
				   unit, u->reg);
}

/* Bytes of a unit's prefix. */
static inline size_t pmumap_imc_prefix_bytes_(const struct pmumap *m,
					      const struct pmumap_imc_unit_row_ *u)
{
	size_t n = PMUMAP_IMC_PREFIX_BYTES_(u);

	if (n == PMUMAP_IMC_LONG_PREFIX_) {
		for (n = 0; ((const char *)pmumap_image_at_(m, u->prefix))[n]; n++)
			PMUMAP_NO_LIBCALL_();
	}
	return n;
}

/* Build the units, in the order of the tree, and their classes. */
static inline void pmumap_imc_build_units_(struct pmumap_imc_build_ *w)
{
	const struct pmumap_imc_unit_entries_ *e;
	struct pmumap_imc_unit_row_ *u;
	uint64_t names = 0;
	uint32_t i, unit = 0, class_of;
	size_t bytes;

	u = (struct pmumap_imc_unit_row_ *)pmumap_append_table_(
		w->m, &w->c->units, w->c->unit_count * (uint32_t)sizeof(*u));
	w->c->unit_classes = w->m->head.size;
	for (i = 0; i < w->b->own.entries; i++) {
		if (pmumap_entry_kind_(w->b, i) != PMUMAP_IMC_UNIT_)
			continue;
		e = pmumap_imc_unit_at_(w->b, i);
		w->b->own.node = (int)e->unit.node;
		class_of = pmumap_imc_build_unit_class_(w, i);
		u->name = (uint32_t)e->unit.name;
		u->prefix = (uint32_t)e->prefix.prefix;
		u->reg = e->unit.reg;
		u->first = u->events = 0;
		if (e->unit.list != PMUMAP_NO_ROW) {
			u->first = PMUMAP_ENTRY_AT_(imc_list, w->b, e->unit.list)->first;
			u->events = PMUMAP_ENTRY_AT_(imc_list, w->b, e->unit.list)->events;
		}
		u->kind = PMUMAP_IMC_LONG_PREFIX_;
		bytes = pmumap_imc_prefix_bytes_(w->m, u);
		u->kind =
			class_of << 8 | (bytes < PMUMAP_IMC_LONG_PREFIX_ ? (uint32_t)bytes
									 : PMUMAP_IMC_LONG_PREFIX_);
		pmumap_imc_limit_events_(w, u, pmumap_imc_class_of_unit_(w->m, u), unit);
		if (u->events == 0)
			u->first = 0; /* so that no two units with other events end in one place */
		names += u->events;
		u++;
		unit++;
	}
	w->c->names = names < 0xffffffffu ? (uint32_t)names : 0xffffffffu;
}

/* ---- imc/build_slots.h: Names to buckets, and buckets to slots */

#define PMUMAP_IMC_BUCKET_NAMES_ 32u /* names in a bucket at most; on average there are 3 */
#define PMUMAP_IMC_SHIFTS_ 4096u     /* tried for each bucket ... */
#define PMUMAP_IMC_NAME_SHIFTS_ 32u  /* ... and for each name, of all buckets together */

/*
 * What an index is built with. All but the first four lies behind the map, and is free afterwards.
 */
struct pmumap_imc_index_build_ {
	struct pmumap *m;
	struct pmumap_imc *c;
	uint32_t *slots;
	uint16_t *shifts;
	uint64_t *hashes;     /* of the names */
	uint32_t *numbers;    /* unit and event, and nth when that is known */
	uint32_t *sorted;     /* names by bucket */
	uint32_t *starts;     /* of the buckets in there, and the end */
	uint8_t *used;        /* a bit for each slot */
	uint32_t shifts_left; /* to try, of all buckets together */
	uint32_t largest;     /* names in a bucket, of all buckets */
};

/* What comes of trying to build an index with a seed. */
enum pmumap_imc_try_ {
	PMUMAP_IMC_DONE_,
	PMUMAP_IMC_FAILED_, /* another seed may do */
	PMUMAP_IMC_NEVER_   /* a name has too many matches */
};

/*
 * Why so many names are in the bucket of name i: chance, or that they are one name; then no other
 * seed would help.
 */
static inline enum pmumap_imc_try_ pmumap_imc_judge_bucket_(const struct pmumap_imc_index_build_ *x,
							    uint32_t i)
{
	struct pmumap_imc_match_ a = pmumap_imc_match_of_slot_(x->m, x->numbers[i]), b;
	uint32_t same = 0, j;

	for (j = 0; j <= i; j++) {
		b = pmumap_imc_match_of_slot_(x->m, x->numbers[j]);
		if (x->hashes[j] == x->hashes[i] &&
		    pmumap_imc_is_same_name_(x->m, &a, &b, PMUMAP_IMC_INDEXED_BYTES_))
			same++;
	}
	return same > PMUMAP_IMC_BUCKET_NAMES_ ? PMUMAP_IMC_NEVER_ : PMUMAP_IMC_FAILED_;
}

/* Sort the names by bucket: count, sum up, and fill from the end. */
static inline enum pmumap_imc_try_ pmumap_imc_sort_by_bucket_(struct pmumap_imc_index_build_ *x)
{
	uint32_t i, bucket;

	pmumap_zero_words_(x->starts, (x->c->bucket_count + 1) * sizeof(uint32_t));
	for (i = 0; i < x->c->names; i++) {
		bucket = pmumap_imc_hash_bucket_(x->c, x->hashes[i]);
		if (++x->starts[bucket] > x->largest)
			x->largest = x->starts[bucket];
		if (x->largest > PMUMAP_IMC_BUCKET_NAMES_)
			return pmumap_imc_judge_bucket_(x, i);
	}
	for (bucket = 0; bucket < x->c->bucket_count; bucket++)
		x->starts[bucket + 1] += x->starts[bucket];
	for (i = x->c->names; i-- > 0;) {
		bucket = pmumap_imc_hash_bucket_(x->c, x->hashes[i]);
		x->sorted[--x->starts[bucket]] = i;
	}
	return PMUMAP_IMC_DONE_;
}

/*
 * Number the matches of each name in a bucket, those with a longer prefix first. FAILED: two names
 * have one hash. NEVER: a name has more matches than a slot can number. Of names with one hash each
 * is compared with the first alone.
 */
static inline enum pmumap_imc_try_ pmumap_imc_number_bucket_(struct pmumap_imc_index_build_ *x,
							     uint32_t first, uint32_t end)
{
	uint32_t i, j, nth, seen;

	for (i = first; i < end; i++) {
		struct pmumap_imc_match_ a =
			pmumap_imc_match_of_slot_(x->m, x->numbers[x->sorted[i]]);
		uint32_t bytes = PMUMAP_IMC_PREFIX_BYTES_(pmumap_imc_unit_rows_(x->m) + a.unit);

		for (j = first, nth = seen = 0; j < end; j++) {
			struct pmumap_imc_match_ b;
			uint32_t other;

			if (x->hashes[x->sorted[i]] != x->hashes[x->sorted[j]])
				continue;
			b = pmumap_imc_match_of_slot_(x->m, x->numbers[x->sorted[j]]);
			other = PMUMAP_IMC_PREFIX_BYTES_(pmumap_imc_unit_rows_(x->m) + b.unit);
			if (!seen++ &&
			    !pmumap_imc_is_same_name_(x->m, &a, &b, PMUMAP_IMC_INDEXED_BYTES_))
				return PMUMAP_IMC_FAILED_;
			if (other != bytes ? other > bytes : j < i)
				nth++;
		}
		if (nth >> (31 - x->c->nth_bit) >> 1)
			return PMUMAP_IMC_NEVER_;
		x->numbers[x->sorted[i]] |= nth << x->c->nth_bit;
	}
	return PMUMAP_IMC_DONE_;
}

/* The slot that a name would take with a shift; place: in the order of buckets. */
static inline uint32_t pmumap_imc_slot_of_place_(const struct pmumap_imc_index_build_ *x,
						 uint32_t place, uint32_t shift)
{
	uint32_t name = x->sorted[place];

	return pmumap_imc_hash_slot_(x->c, x->hashes[name], x->numbers[name] >> x->c->nth_bit,
				     shift);
}

/* Take the slots of a bucket, which are free. Returns 0, with none taken: two names want one. */
static inline int pmumap_imc_take_slots_(struct pmumap_imc_index_build_ *x, uint32_t first,
					 uint32_t end, uint32_t shift)
{
	uint32_t i, slot;

	for (i = first; i < end; i++) {
		slot = pmumap_imc_slot_of_place_(x, i, shift);
		if (x->used[slot / 8] >> slot % 8 & 1)
			break;
		x->used[slot / 8] |= (uint8_t)(1u << slot % 8);
		x->slots[slot] = x->numbers[x->sorted[i]] ^
				 pmumap_imc_hash_tag_(x->c, x->hashes[x->sorted[i]]);
	}
	if (i == end)
		return 1;
	while (i-- > first) {
		slot = pmumap_imc_slot_of_place_(x, i, shift);
		x->used[slot / 8] &= (uint8_t) ~(1u << slot % 8);
	}
	return 0;
}

/*
 * Put the names of a bucket into free slots, with the first shift that has one for each. Most
 * shifts fail at the first four names. These are only looked at, so that nothing is stored for most
 * shifts; not more, since of many names two want one slot.
 */
static inline enum pmumap_imc_try_ pmumap_imc_fill_bucket_(struct pmumap_imc_index_build_ *x,
							   uint32_t bucket)
{
	uint32_t first = x->starts[bucket], end = x->starts[bucket + 1], shift, i, slot;
	uint32_t looks = end - first < 4 ? end : first + 4;

	for (shift = 0; shift < PMUMAP_IMC_SHIFTS_ && shift < x->shifts_left; shift++) {
		for (i = first; i < looks; i++) {
			slot = pmumap_imc_slot_of_place_(x, i, shift);
			if (x->used[slot / 8] >> slot % 8 & 1)
				break;
		}
		if (i == looks && pmumap_imc_take_slots_(x, first, end, shift)) {
			x->shifts[bucket] = (uint16_t)shift;
			x->shifts_left -= shift;
			return PMUMAP_IMC_DONE_;
		}
	}
	return PMUMAP_IMC_FAILED_;
}

/* Fill the slots from all buckets, the largest first, while most slots are free. */
static inline enum pmumap_imc_try_ pmumap_imc_fill_slots_(struct pmumap_imc_index_build_ *x)
{
	enum pmumap_imc_try_ result = PMUMAP_IMC_DONE_;
	uint32_t size, bucket, i, any = x->numbers[0] ^ pmumap_imc_hash_tag_(x->c, x->hashes[0]);

	for (i = 0; i < x->c->slot_count; i++)
		x->slots[i] =
			any; /* a free slot leads to a name, too: all of them are read unchecked */
	for (i = 0; i < x->c->bucket_count; i++) {
		x->shifts[i] = 0;
		PMUMAP_NO_LIBCALL_();
	}
	for (i = 0; i <= x->c->slot_count / 8; i++) {
		x->used[i] = 0;
		PMUMAP_NO_LIBCALL_();
	}
	for (size = x->largest; size; size--) {
		for (bucket = 0; bucket < x->c->bucket_count; bucket++) {
			if (x->starts[bucket + 1] - x->starts[bucket] != size)
				continue;
			result = pmumap_imc_number_bucket_(x, x->starts[bucket],
							   x->starts[bucket + 1]);
			if (result == PMUMAP_IMC_DONE_)
				result = pmumap_imc_fill_bucket_(x, bucket);
			if (result != PMUMAP_IMC_DONE_)
				return result;
		}
	}
	return result;
}

/* ---- imc/build_index.h: The index of names */

/*
 * Choose how many bits of a slot the event and the unit take. nth_bit becomes 0 if no bit would be
 * left for nth.
 */
static inline void pmumap_imc_choose_slot_bits_(struct pmumap_imc_build_ *w)
{
	uint32_t most = 0, i, unit_bit = 1, nth_bit;

	for (i = 0; i < w->c->unit_count; i++) {
		if (most < pmumap_imc_unit_rows_(w->m)[i].events)
			most = pmumap_imc_unit_rows_(w->m)[i].events;
	}
	while (most && (most - 1) >> unit_bit)
		unit_bit++;
	for (nth_bit = unit_bit; nth_bit < 32; nth_bit++) {
		if ((w->c->unit_count - 1) >> (nth_bit - unit_bit) == 0)
			break;
	}
	w->c->unit_bit = unit_bit;
	w->c->nth_bit = nth_bit < 32 ? nth_bit : 0;
}

/*
 * Hash the full name of every number, as pmumap_imc_hash_name_() does: a prefix once for its unit.
 * Behind the strings lies the table of units, which is larger than a word. Returns 0: a name is too
 * long for an index.
 */
static inline int pmumap_imc_hash_names_(struct pmumap_imc_index_build_ *x)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(x->m);
	uint32_t unit, i, n = 0;

	pmumap_imc_number_names_(x->m, x->numbers);
	for (unit = 0; unit < x->c->unit_count; unit++, u++) {
		struct pmumap_hash_ prefix, h;

		pmumap_hash_begin_(&prefix, x->c->seed);
		pmumap_hash_add_(&prefix, (const char *)pmumap_image_at_(x->m, u->prefix));
		for (i = 0; i < u->events; i++) {
			h.hash = prefix.hash;
			h.word = prefix.word;
			h.bytes = prefix.bytes;
			pmumap_hash_add_words_(&h, pmumap_imc_event_name_(x->m, u->first + i));
			if (h.bytes > PMUMAP_IMC_INDEXED_BYTES_)
				return 0;
			x->hashes[n++] = pmumap_hash_end_(&h);
		}
	}
	return 1;
}

/* Try to build the index with a seed, few slots or many. */
static inline enum pmumap_imc_try_ pmumap_imc_try_index_(struct pmumap_imc_build_ *w, int many,
							 uint32_t seed)
{
	struct pmumap_imc *c = w->c;
	struct pmumap_imc_index_build_ x;
	enum pmumap_imc_try_ result;

	c->seed = seed;
	c->slot_count = many ? 2 * c->names + 32 : c->names + c->names / 48 + 1;
	c->bucket_count = c->names / (many ? 4 : 3) + 1;
	x.m = w->m;
	x.c = c;
	x.slots = (uint32_t *)pmumap_append_table_(w->m, &c->slots, c->slot_count * 4);
	x.shifts = (uint16_t *)pmumap_append_table_(w->m, &c->shifts, c->bucket_count * 2);
	x.hashes = (uint64_t *)(void *)((char *)w->m + w->m->head.size);
	x.numbers = (uint32_t *)(x.hashes + c->names);
	x.sorted = x.numbers + c->names;
	x.starts = x.sorted + c->names;
	x.used = (uint8_t *)(x.starts + c->bucket_count + 1);
	x.largest = 0;
	x.shifts_left = PMUMAP_IMC_NAME_SHIFTS_ * c->names + PMUMAP_IMC_SHIFTS_;
	if (!pmumap_imc_hash_names_(&x))
		return PMUMAP_IMC_NEVER_;
	result = pmumap_imc_sort_by_bucket_(&x);
	return result == PMUMAP_IMC_DONE_ ? pmumap_imc_fill_slots_(&x) : result;
}

/*
 * Append the lengths of the names of all events. Returns 0: one is too long for an index. At most
 * so many bytes of each are read.
 */
static inline int pmumap_imc_measure_names_(struct pmumap *m, struct pmumap_imc *c)
{
	uint8_t *bytes = (uint8_t *)pmumap_append_table_(m, &c->name_bytes, c->event_count);
	uint32_t i, n;

	for (i = 0; i < c->event_count; i++) {
		const char *name = pmumap_imc_event_name_(m, i);

		for (n = 0; name[n]; n++) {
			if (n == PMUMAP_IMC_INDEXED_BYTES_)
				return 0;
		}
		bytes[i] = (uint8_t)n;
	}
	return 1;
}

/*
 * Build the index of names, by hash and displace. Returns 0: there is no room, no seed has worked,
 * or a text is too long; the map then gets orders to search in. The first two tries have few free
 * slots; a name with many matches among few others needs more. For each name the map grows by 4 3/4
 * bytes, or 8 1/2 with many slots, and for each event by 1; building takes up to 17 1/2 besides.
 */
static inline int pmumap_imc_build_index_(struct pmumap_imc_build_ *w)
{
	uint32_t size = w->m->head.size, n = w->c->names, seed, begin;
	enum pmumap_imc_try_ result = PMUMAP_IMC_NEVER_;

	if (n == 0 || w->c->nth_bit == 0 ||
	    pmumap_imc_index_bytes_(n, w->c->event_count) >
		    (size_t)(w->pool.top - ((unsigned char *)w->m + size)))
		return 0;
	if (pmumap_imc_measure_names_(w->m, w->c))
		result = PMUMAP_IMC_FAILED_;
	begin = w->m->head.size;
	for (seed = 1; seed <= 4 && result == PMUMAP_IMC_FAILED_; seed++) {
		w->m->head.size = begin;
		result = pmumap_imc_try_index_(w, seed > 2, seed);
	}
	if (result == PMUMAP_IMC_DONE_)
		return 1;
	w->m->head.size = size;
	w->c->name_bytes = w->c->slots = w->c->slot_count = w->c->shifts = w->c->bucket_count = 0;
	return 0;
}

/* ---- imc/build_orders.h: The orders that stand for it where there is no room */

/* Events of the map by name; those of one name keep the order of their numbers. */
static inline int pmumap_imc_order_event_names_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap *m = (const struct pmumap *)context;
	const struct pmumap_imc_event_row_ *e = pmumap_imc_event_rows_(m);

	return pmumap_imc_compare_strings_(m, e[a].name & ~PMUMAP_IMC_HAS_OVERRIDE_,
					   e[b].name & ~PMUMAP_IMC_HAS_OVERRIDE_);
}

/*
 * Units of the map by prefix; those of one prefix by where their events end, so that units with the
 * same names come one after the other, in the order of the tree.
 */
static inline int pmumap_imc_order_unit_prefixes_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap *m = (const struct pmumap *)context;
	const struct pmumap_imc_unit_row_ *x = pmumap_imc_unit_rows_(m) + a;
	const struct pmumap_imc_unit_row_ *y = pmumap_imc_unit_rows_(m) + b;
	int order = pmumap_imc_compare_strings_(m, x->prefix, y->prefix);

	uint32_t i = x->first + x->events, j = y->first + y->events;

	return order ? order : i < j ? -1 : i > j;
}

/*
 * Fill in the chain of prefixes, as PMUMAP_IMC_NO_PREFIX_ describes it; units: those of by_prefix.
 * first: the place of the last prefix that was not the same as the one before it. A prefix that is
 * passed over is in no later chain: so each is compared once, and once more with the next.
 */
static inline void pmumap_imc_chain_prefixes_(struct pmumap_imc_build_ *w, const uint32_t *units,
					      uint32_t *chain)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(w->m);
	uint32_t i, first = 0, other;

	for (i = 0; i < w->c->unit_count; i++) {
		uint32_t prefix = u[units[i]].prefix;
		const char *s = (const char *)pmumap_image_at_(w->m, prefix);
		size_t len = pmumap_imc_prefix_bytes_(w->m, &u[units[i]]);

		if (i && !pmumap_imc_compare_strings_(w->m, u[units[first]].prefix, prefix)) {
			chain[i] = first | PMUMAP_IMC_SAME_PREFIX_;
			continue;
		}
		for (other = i ? first : PMUMAP_IMC_NO_PREFIX_; other != PMUMAP_IMC_NO_PREFIX_;
		     other = chain[other]) {
			const char *t =
				(const char *)pmumap_image_at_(w->m, u[units[other]].prefix);

			if (pmumap_prefix_length_(t, (const unsigned char *)s, len) <= len)
				break;
		}
		chain[i] = other;
		first = i;
	}
}

/* Sort what names are searched in where there is no index. The place of the entries is free. */
static inline void pmumap_imc_build_orders_(struct pmumap_imc_build_ *w)
{
	uint32_t unit_count = w->c->unit_count, event_count = w->c->event_count, i;
	uint32_t bytes = unit_count * (uint32_t)sizeof(uint32_t);
	uint32_t *units = (uint32_t *)pmumap_append_table_(w->m, &w->c->by_prefix, bytes);
	uint32_t *chain = (uint32_t *)pmumap_append_table_(w->m, &w->c->chain, bytes);
	uint32_t *events = (uint32_t *)pmumap_append_table_(
		w->m, &w->c->by_name, event_count * (uint32_t)sizeof(uint32_t));
	uint32_t *spare =
		pmumap_pool_scratch_(&w->pool, unit_count < event_count ? event_count : unit_count);

	for (i = 0; i < unit_count; i++)
		units[i] = i;
	for (i = 0; i < event_count; i++)
		events[i] = i;
	pmumap_sort_numbers_(units, unit_count, spare, pmumap_imc_order_unit_prefixes_, w->m);
	pmumap_sort_numbers_(events, event_count, spare, pmumap_imc_order_event_names_, w->m);
	pmumap_imc_chain_prefixes_(w, units, chain);
}

/* The key of the offset of a number. */
static inline uint32_t pmumap_imc_key_of_number_(const struct pmumap *m, uint32_t number)
{
	return pmumap_imc_offset_key_(pmumap_imc_offset_of_number_(m, pmumap_imc_part_(m), number));
}

/* Numbers by the keys of their offsets; those of one offset stay as they are. */
static inline int pmumap_imc_order_keys_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap *m = (const struct pmumap *)context;
	uint32_t x = pmumap_imc_key_of_number_(m, a), y = pmumap_imc_key_of_number_(m, b);

	return x < y ? -1 : x > y;
}

/*
 * Sort n numbers into another place: by bucket, counted and filled from the end, and then each
 * bucket, since a tree may choose what falls into one. starts gets where they begin, and the end.
 */
static inline void pmumap_imc_sort_by_key_(const struct pmumap *m, uint32_t *numbers, uint32_t n,
					   uint32_t *sorted, uint32_t *starts)
{
	uint32_t count = pmumap_imc_count_offset_buckets_(n), bucket, i;

	pmumap_zero_words_(starts, (count + 1) * sizeof(*starts));
	for (i = 0; i < n; i++)
		starts[pmumap_scale_to_(pmumap_imc_key_of_number_(m, numbers[i]), count)]++;
	for (bucket = 0; bucket < count; bucket++)
		starts[bucket + 1] += starts[bucket];
	for (i = n; i-- > 0;) {
		bucket = pmumap_scale_to_(pmumap_imc_key_of_number_(m, numbers[i]), count);
		sorted[--starts[bucket]] = numbers[i];
	}
	for (bucket = 0; bucket < count; bucket++)
		pmumap_sort_numbers_(sorted + starts[bucket], starts[bucket + 1] - starts[bucket],
				     numbers, pmumap_imc_order_keys_, m);
}

/*
 * Store n numbers with 16 bits each or 32. Of 65536 names with 16 bits the end of their order is
 * one too low. Nothing is lost: a search that does not end before that ends at the last name.
 */
static inline void pmumap_imc_store_numbers_(void *table, const uint32_t *numbers, uint32_t n,
					     int wide)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		if (wide)
			((uint32_t *)table)[i] = numbers[i];
		else
			((uint16_t *)table)[i] =
				(uint16_t)(numbers[i] < 0xffff ? numbers[i] : 0xffff);
		PMUMAP_NO_LIBCALL_();
	}
}

/*
 * Build the order of offsets, unless there are many more names than events and units; the map can
 * do without. For each name it grows by 2 or 4 bytes and an eighth of that; building takes 8 1/2.
 *
 * There is room, which pmumap_finish() has seen to. Building an index left twice as much. Without
 * one, of what pmumap_need() counts for each event 48 bytes are left here, and 88 for each unit:
 * the place of their entries, which are gone, and what they did not need. Up to NAMES_EACH_ names
 * take 34, and 128 bytes for rounding up take care of the names beyond that.
 */
static inline void pmumap_imc_build_offsets_(struct pmumap_imc_build_ *w)
{
	uint32_t n = w->c->names, starts_count = pmumap_imc_count_offset_buckets_(n) + 1;
	int wide = pmumap_imc_has_wide_numbers_(w->c);
	uint32_t each = wide ? 4 : 2, *numbers, *sorted, *starts;
	void *buckets;

	if (n == 0 || w->c->nth_bit == 0 ||
	    (!w->c->slots && n / PMUMAP_IMC_NAMES_EACH_ > w->b->own.imc.names))
		return;
	buckets = pmumap_append_table_(w->m, &w->c->offset_buckets, starts_count * each);
	numbers = (uint32_t *)(void *)((char *)w->m + w->m->head.size);
	sorted = numbers + n;
	starts = sorted + n;
	pmumap_imc_number_names_(w->m, numbers);
	pmumap_imc_sort_by_key_(w->m, numbers, n, sorted, starts);
	pmumap_imc_store_numbers_(buckets, starts, starts_count, wide);
	pmumap_imc_store_numbers_(numbers, sorted, n, wide);
	w->c->by_offset = w->m->head.size;
	w->m->head.size += n * each;
	pmumap_pad_image_(w->m);
}

/* ---- imc/lint.h: What is legal, but probably unintended */

/*
 * Check a list, by the number of its entry. Its n events are in order[], and get sorted. n is 0 for
 * a list that no unit uses; a unit that was left out may have used it.
 */
static inline void pmumap_imc_lint_list_(struct pmumap_imc_build_ *w, uint32_t number, uint32_t n)
{
	const struct pmumap_imc_list_entry_ *list = PMUMAP_ENTRY_AT_(imc_list, w->b, number);
	uint32_t i, name, before = 0;

	w->b->own.node = (int)list->node;
	if (!(list->kind & PMUMAP_IMC_LIST_USED_) && list->events && !w->b->own.imc.left_out)
		pmumap_report_row_(w->b,
				   PMUMAP_FINDING_(LIST_UNUSED, PMUMAP_WARNING, PMUMAP_IN_NODE_),
				   PMUMAP_NO_ROW, list->id);
	pmumap_sort_numbers_(w->order, n, w->spare, pmumap_imc_order_entry_names_, w);
	for (i = 0; i < n; i++, before = name) {
		const struct pmumap_imc_event_entry_ *e =
			PMUMAP_ENTRY_AT_(imc_event, w->b, w->order[i]);

		name = (uint32_t)e->name;
		w->b->own.node = (int)list->node;
		if (before && !pmumap_imc_compare_strings_(w->m, before, name))
			pmumap_report_row_(w->b,
					   PMUMAP_FINDING_(NAME_DUPLICATE, PMUMAP_WARNING,
							   PMUMAP_IN_EVENT_NAME_),
					   PMUMAP_NO_ROW, e->reg);
		w->b->own.node = (int)e->node;
		if ((list->kind & PMUMAP_IMC_LIST_COUNTED_) && e->reg % PMUMAP_IMC_COUNTER_BYTES_)
			pmumap_report_row_(
				w->b, PMUMAP_FINDING_(OFFSET_ALIGN, PMUMAP_WARNING, PMUMAP_IN_REG_),
				PMUMAP_NO_ROW, e->reg);
	}
}

/* Compare units by what Linux calls them: nest units first, then by name without the address. */
static inline int pmumap_imc_order_unit_names_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap *m = (const struct pmumap *)context;
	const struct pmumap_imc_unit_row_ *x = pmumap_imc_unit_rows_(m) + a;
	const struct pmumap_imc_unit_row_ *y = pmumap_imc_unit_rows_(m) + b;
	int nest = pmumap_imc_class_of_unit_(m, x)->type == PMUMAP_IMC_NEST;
	const char *s = (const char *)pmumap_image_at_(m, x->name);
	const char *t = (const char *)pmumap_image_at_(m, y->name);
	unsigned char c, d;

	if (nest != (pmumap_imc_class_of_unit_(m, y)->type == PMUMAP_IMC_NEST))
		return nest ? -1 : 1;
	for (; *s == *t && *s && *s != '@'; s++)
		t++;
	c = (unsigned char)(*s == '@' ? 0 : *s);
	d = (unsigned char)(*t == '@' ? 0 : *t);
	return c < d ? -1 : c > d;
}

/* Report units of one name, whose events Linux cannot tell apart. */
static inline void pmumap_imc_lint_unit_names_(struct pmumap_imc_build_ *w)
{
	uint32_t *units = pmumap_pool_scratch_(&w->pool, w->c->unit_count), i, first = 0;
	uint32_t *spare = pmumap_pool_scratch_(&w->pool, w->c->unit_count);

	for (i = 0; i < w->c->unit_count; i++)
		units[i] = i;
	pmumap_sort_numbers_(units, w->c->unit_count, spare, pmumap_imc_order_unit_names_, w->m);
	for (i = 1; i < w->c->unit_count; i++) {
		if (pmumap_imc_order_unit_names_(w->m, units[first], units[i])) {
			first = i;
			continue;
		}
		w->b->own.node = (int)w->nodes[units[i]];
		pmumap_report_(w->b,
			       PMUMAP_CONFLICT_(UNIT_DUPLICATE, PMUMAP_WARNING, PMUMAP_IN_NODE_,
						PMUMAP_IN_NODE_),
			       units[i], units[first], 0);
	}
}

/* Whether units of a class share a window: those of nest, unless nothing is known of it. */
static inline int pmumap_imc_shares_window_(const struct pmumap_imc_unit_class_ *k)
{
	return k->type == PMUMAP_IMC_NEST && (k->size || k->offset);
}

/* Compare counters by the memory that they lie in, and by where they lie in it. */
static inline int pmumap_imc_order_places_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap *m = (const struct pmumap *)context;
	struct pmumap_imc_match_ x = pmumap_imc_match_of_slot_(m, a),
				 y = pmumap_imc_match_of_slot_(m, b);
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m) + x.unit;
	const struct pmumap_imc_unit_row_ *v = pmumap_imc_unit_rows_(m) + y.unit;
	const struct pmumap_imc_unit_class_ *k = pmumap_imc_class_of_unit_(m, u);
	const struct pmumap_imc_unit_class_ *l = pmumap_imc_class_of_unit_(m, v);
	uint32_t i = u->reg + pmumap_imc_event_rows_(m)[x.event].reg;
	uint32_t j = v->reg + pmumap_imc_event_rows_(m)[y.event].reg;
	int shared = pmumap_imc_shares_window_(k);

	if (shared != pmumap_imc_shares_window_(l))
		return shared ? -1 : 1;
	if (!shared && x.unit != y.unit)
		return x.unit < y.unit ? -1 : 1;
	if (k->offset != l->offset)
		return k->offset < l->offset ? -1 : 1;
	return i < j ? -1 : i > j;
}

/* That order; of one place in the order of units and events. */
static inline int pmumap_imc_order_numbered_places_(const void *context, uint32_t a, uint32_t b)
{
	int order = pmumap_imc_order_places_(context, a, b);

	return order ? order : a < b ? -1 : 1;
}

/*
 * Longer names at one place are taken for different ones unless they are the same two strings: so
 * no choice of names makes it slow to compare them.
 */
#define PMUMAP_IMC_ALIAS_BYTES_ 255u

/*
 * Report a place that the n counters in at[] share: by two that have different names, else by two
 * units that have one name. One unit that has one name twice has name-duplicate for that.
 */
static inline void pmumap_imc_lint_place_(struct pmumap_imc_build_ *w, const uint32_t *at,
					  uint32_t n)
{
	struct pmumap_imc_match_ first = pmumap_imc_match_of_slot_(w->m, at[0]), y, other = first;
	const struct pmumap_imc_unit_row_ *u;
	uint32_t i, what = 0;

	for (i = 1; i < n; i++) {
		y = pmumap_imc_match_of_slot_(w->m, at[i]);
		if (!pmumap_imc_is_same_name_(w->m, &first, &y, PMUMAP_IMC_ALIAS_BYTES_)) {
			other = y;
			what = PMUMAP_CONFLICT_(OFFSET_CLASH, PMUMAP_WARNING, PMUMAP_IN_REG_,
						PMUMAP_IN_REG_);
			break;
		}
		if (!what && y.unit != first.unit) {
			other = y;
			what = PMUMAP_CONFLICT_(OFFSET_ALIAS, PMUMAP_NOTE, PMUMAP_IN_REG_,
						PMUMAP_IN_REG_);
		}
	}
	u = pmumap_imc_unit_rows_(w->m) + other.unit;
	w->b->own.node = (int)w->nodes[other.unit];
	if (what)
		pmumap_report_(w->b, what, other.unit, first.unit,
			       u->reg + pmumap_imc_event_rows_(w->m)[other.event].reg);
}

/* Report places that several counters share, each place once. */
static inline void pmumap_imc_lint_places_(struct pmumap_imc_build_ *w)
{
	uint32_t *at = pmumap_pool_scratch_(&w->pool, w->c->names), i, n;
	const struct pmumap_imc_unit_row_ *u;

	pmumap_imc_number_names_(w->m, at);
	pmumap_heap_sort_(at, w->c->names, pmumap_imc_order_numbered_places_, w->m);
	for (i = 0; i < w->c->names; i += n) {
		for (n = 1; i + n < w->c->names; n++) {
			if (pmumap_imc_order_places_(w->m, at[i], at[i + n]))
				break;
		}
		u = pmumap_imc_unit_rows_(w->m) + pmumap_imc_unit_of_slot_(w->c, at[i]);
		if (n > 1 && pmumap_imc_class_of_unit_(w->m, u)->type != PMUMAP_IMC_TRACE)
			pmumap_imc_lint_place_(w, at + i, n);
	}
}

/* Report nest units that have a counter in their control block. */
static inline void pmumap_imc_lint_controls_(struct pmumap_imc_build_ *w)
{
	const uint32_t before = PMUMAP_IMC_COUNTER_BYTES_ - 1; /* where a counter may still begin */
	uint32_t i, first;

	for (i = 0; i < w->c->unit_count; i++) {
		const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(w->m) + i;
		const struct pmumap_imc_unit_class_ *k = pmumap_imc_class_of_unit_(w->m, u);

		if (k->type != PMUMAP_IMC_NEST || u->events == 0)
			continue;
		first = pmumap_imc_first_event_from_(w->m, u,
						     k->control < before ? 0 : k->control - before);
		w->b->own.node = (int)w->nodes[i];
		if (first < u->first + u->events &&
		    u->reg + pmumap_imc_event_rows_(w->m)[first].reg <
			    (uint64_t)k->control + PMUMAP_IMC_CB_BYTES)
			pmumap_report_row_(
				w->b,
				PMUMAP_FINDING_(CONTROL_OVERLAP, PMUMAP_WARNING, PMUMAP_IN_REG_), i,
				u->reg + pmumap_imc_event_rows_(w->m)[first].reg);
	}
}

/*
 * The places of so many counters for each unit and event of the tree are compared where there is
 * room to sort them; of more only where there would be room for their index, too.
 */
#define PMUMAP_IMC_PLACES_ 16u

/* Check all units. If the places of their counters are not compared, no-index tells. */
static inline void pmumap_imc_lint_units_(struct pmumap_imc_build_ *w)
{
	unsigned char *top = w->pool.top;
	uint32_t names = w->c->names;
	uint64_t bytes = ((uint64_t)names + 1) * sizeof(uint32_t);

	pmumap_imc_lint_controls_(w);
	pmumap_imc_lint_unit_names_(w);
	w->pool.top = top;
	if (names / PMUMAP_IMC_PLACES_ > w->b->own.imc.names)
		bytes = pmumap_imc_index_bytes_(names, w->c->event_count);
	w->clashes_unchecked =
		names &&
		(w->c->nth_bit == 0 ||
		 bytes > (size_t)(w->pool.top - ((unsigned char *)w->m + w->m->head.size)));
	if (names && !w->clashes_unchecked)
		pmumap_imc_lint_places_(w);
	w->pool.top = top;
}

/* ---- imc/build.h: All of that, in order */

/*
 * Free the place of the rows and entries, which are not needed any more. The table of units still
 * is: it moves to the end of the block.
 */
static inline void pmumap_imc_release_rows_(struct pmumap_imc_build_ *w)
{
	uint32_t i, *nodes;

	w->pool.top = w->b->own.mem + (w->b->own.bytes & ~(size_t)7);
	nodes = pmumap_pool_scratch_(&w->pool, w->c->unit_count);
	for (i = w->c->unit_count; i-- > 0;)
		nodes[i] = w->nodes[i]; /* upwards, and perhaps over each other */
	w->nodes = nodes;
}

/* Build the IMC part, behind what the map has already. It is the last part: the entries go. */
static inline void pmumap_imc_finish_part_(struct pmumap_builder *b, struct pmumap *m)
{
	struct pmumap_imc_build_ w;
	uint64_t need;

	w.b = b;
	w.m = m;
	w.list_count = w.text_count = w.clashes_unchecked = 0;
	pmumap_pool_init_(&w.pool, m, pmumap_builder_rows_(b));
	w.c = (struct pmumap_imc *)pmumap_append_table_(m, &m->imc, sizeof(struct pmumap_imc));
	pmumap_zero_words_(w.c, sizeof(struct pmumap_imc));
	pmumap_imc_place_scratch_(&w, pmumap_imc_count_entries_(&w));
	pmumap_imc_resolve_lists_(&w);
	pmumap_imc_build_strings_(&w);
	pmumap_imc_build_lists_(&w);
	pmumap_imc_build_chips_(&w);
	pmumap_imc_build_units_(&w);
	pmumap_imc_choose_slot_bits_(&w);
	pmumap_imc_release_rows_(&w);
	need = m->head.size + (uint64_t)w.c->unit_count * sizeof(uint32_t) +
	       pmumap_imc_index_bytes_(w.c->names, w.c->event_count) + 8;
	if (b->own.imc.lint_units)
		b->own.imc.lint_units(&w);
	if ((!(b->flags & PMUMAP_NO_INDEX) && !pmumap_imc_build_index_(&w) && w.c->names) ||
	    w.clashes_unchecked) {
		b->own.node = PMUMAP_NO_NODE;
		pmumap_report_row_(b, PMUMAP_FINDING_(NO_INDEX, PMUMAP_NOTE, PMUMAP_IN_NODE_),
				   PMUMAP_NO_ROW, w.c->nth_bit && need > b->own.bytes ? need : 0);
	}
	if (!w.c->slots)
		pmumap_imc_build_orders_(&w);
	if (!(b->flags & PMUMAP_NO_OFFSETS))
		pmumap_imc_build_offsets_(&w);
}

/* ---- imc/add.h: Take an event, a unit, a chip */

/* Add a scale, a measure or a description of the event or unit before it, unless it is absent. */
static inline void pmumap_imc_add_text_(struct pmumap_builder *b, uint32_t kind, const char *text)
{
	struct pmumap_imc_text_entry_ *e;

	if (!text || !*text)
		return;
	e = (struct pmumap_imc_text_entry_ *)pmumap_builder_add_entry_(b, kind);
	if (e)
		e->text = (size_t)text;
	pmumap_builder_reserve_text_(b, text);
}

/* Report a scale that is no number. */
static inline void pmumap_imc_lint_scale_(struct pmumap_builder *b, const char *scale, uint32_t row)
{
	uint64_t mantissa;
	int32_t exponent;

	if (scale && *scale && !pmumap_imc_scale(scale, &mantissa, &exponent))
		pmumap_report_row_(b, PMUMAP_FINDING_(SCALE_BAD, PMUMAP_WARNING, PMUMAP_IN_SCALE_),
				   row, 0);
}

/* Note that the map gets an IMC part. Only a program that calls this links what builds one. */
static inline void pmumap_imc_begin_part_(struct pmumap_builder *b)
{
	if (b->own.imc.finish)
		return;
	b->own.imc.finish = pmumap_imc_finish_part_;
	b->own.entry_bytes += sizeof(struct pmumap_imc) + 128; /* tables are rounded up */
}

PMUMAP_DEF enum pmumap_status pmumap_add_imc_list(struct pmumap_builder *b, uint32_t id)
{
	struct pmumap_imc_list_entry_ *e;

	pmumap_imc_begin_part_(b);
	b->own.entry_bytes += 2 * sizeof(uint32_t);
	e = (struct pmumap_imc_list_entry_ *)pmumap_builder_add_entry_(b, PMUMAP_IMC_LIST_);
	if (e) {
		e->id = id;
		e->events = e->first = 0;
		e->node = (uint32_t)b->own.node;
	}
	return b->own.status;
}

PMUMAP_DEF enum pmumap_status pmumap_add_imc_event(struct pmumap_builder *b,
						   const struct pmumap_imc_event *event)
{
	uint32_t row = b->own.imc.events++;
	struct pmumap_imc_event_entry_ *e;

	if (!event->name || !*event->name) {
		pmumap_report_row_(
			b, PMUMAP_FINDING_(NAME_MISSING, PMUMAP_ERROR, PMUMAP_IN_EVENT_NAME_), row,
			0);
		return b->own.status;
	}
	pmumap_imc_lint_scale_(b, event->scale, row);
	b->own.imc.names++;
	b->own.entry_bytes += sizeof(struct pmumap_imc_event_row_) +
			      sizeof(struct pmumap_imc_override_) + 2 * sizeof(uint32_t);
	e = (struct pmumap_imc_event_entry_ *)pmumap_builder_add_entry_(b, PMUMAP_IMC_EVENT_);
	if (e) {
		e->name = (size_t)event->name;
		e->reg = event->offset;
		e->node = (uint32_t)b->own.node;
	}
	pmumap_builder_reserve_text_(b, event->name);
	pmumap_imc_add_text_(b, PMUMAP_IMC_SCALE_, event->scale);
	pmumap_imc_add_text_(b, PMUMAP_IMC_MEASURE_, event->measure);
	if (b->flags & PMUMAP_DESC)
		pmumap_imc_add_text_(b, PMUMAP_IMC_DESC_, event->desc);
	return b->own.status;
}

/* Whether a unit has a known type; reports if not. */
static inline int pmumap_imc_check_type_(struct pmumap_builder *b, uint32_t type)
{
	if (pmumap_imc_is_type_(type))
		return 1;
	pmumap_report_row_(b, PMUMAP_FINDING_(TYPE_UNKNOWN, PMUMAP_ERROR, PMUMAP_IN_TYPE_),
			   b->own.imc.units, type);
	return 0;
}

/* Where the control block of a unit is: by default, of a nest unit, in the usual place. */
static inline uint32_t pmumap_imc_control_of_(const struct pmumap_imc_unit *unit, uint32_t flags)
{
	if (unit->control || unit->type != PMUMAP_IMC_NEST ||
	    (flags & PMUMAP_IMC_UNIT_OWN_CONTROL_))
		return unit->control;
	return PMUMAP_IMC_USUAL_CONTROL_;
}

/*
 * Report a control block that the unit has in a place of its own, if that is not inside of the
 * window. flags: those of the unit.
 */
static inline void pmumap_imc_lint_control_(struct pmumap_builder *b,
					    const struct pmumap_imc_unit *unit, uint32_t flags)
{
	if (unit->type != PMUMAP_IMC_NEST || unit->size == 0 ||
	    (flags & PMUMAP_IMC_UNIT_NO_CONTROL_))
		return;
	if ((unit->control || (flags & PMUMAP_IMC_UNIT_OWN_CONTROL_)) &&
	    (unit->size < PMUMAP_IMC_CB_BYTES || unit->control > unit->size - PMUMAP_IMC_CB_BYTES))
		pmumap_report_row_(
			b, PMUMAP_FINDING_(CONTROL_RANGE, PMUMAP_WARNING, PMUMAP_IN_CONTROL_),
			b->own.imc.units, unit->control);
}

/* Add a unit that uses a list; flags: PMUMAP_IMC_UNIT_OWN_LIST_ and so on. */
static inline enum pmumap_status pmumap_imc_add_unit_entries_(struct pmumap_builder *b,
							      uint32_t list,
							      const struct pmumap_imc_unit *unit,
							      uint32_t flags)
{
	const char *name = unit->name ? unit->name : "", *prefix = unit->prefix ? unit->prefix : "";
	struct pmumap_imc_unit_entries_ *e;

	pmumap_imc_begin_part_(b);
	b->own.imc.chips_of = PMUMAP_IMC_CHIPS_DROPPED_;
	if (!pmumap_imc_check_type_(b, unit->type)) {
		b->own.imc.left_out = 1;
		return b->own.status;
	}
	pmumap_imc_lint_control_(b, unit, flags);
	pmumap_imc_lint_scale_(b, unit->scale, b->own.imc.units);
	b->own.imc.chips_of = PMUMAP_IMC_CHIPS_OF_UNIT_;
	b->own.imc.units++;
	b->own.imc.names++;
	b->own.entry_bytes += sizeof(struct pmumap_imc_unit_row_) +
			      sizeof(struct pmumap_imc_unit_class_) + 4 * sizeof(uint32_t);
	pmumap_builder_reserve_text_(b, name);
	pmumap_builder_reserve_text_(b, prefix);
	(void)pmumap_builder_add_entry_(b, PMUMAP_IMC_UNIT_ | flags | unit->type);
	(void)pmumap_builder_add_entry_(b, PMUMAP_IMC_PREFIX_);
	e = (struct pmumap_imc_unit_entries_ *)pmumap_builder_add_entry_(b, PMUMAP_IMC_CHIPS_);
	if (e) { /* the last one fits: so do the others */
		e->unit.name = (size_t)name;
		e->unit.reg = unit->reg;
		e->unit.node = (uint32_t)b->own.node;
		e->unit.list = list;
		e->prefix.prefix = (size_t)prefix;
		e->prefix.size = unit->size;
		e->prefix.offset = unit->offset;
		e->prefix.control = pmumap_imc_control_of_(unit, flags);
	}
	pmumap_imc_add_text_(b, PMUMAP_IMC_SCALE_, unit->scale);
	pmumap_imc_add_text_(b, PMUMAP_IMC_MEASURE_, unit->measure);
	return b->own.status;
}

PMUMAP_DEF enum pmumap_status pmumap_add_imc_unit(struct pmumap_builder *b, uint32_t list,
						  const struct pmumap_imc_unit *unit)
{
	return pmumap_imc_add_unit_entries_(b, list, unit, 0);
}

/* Add a chip; kind: PMUMAP_IMC_CHIP_ or PMUMAP_IMC_HOMER_. */
static inline enum pmumap_status pmumap_imc_add_chip_entry_(struct pmumap_builder *b, uint32_t kind,
							    uint32_t chip, uint64_t base)
{
	struct pmumap_imc_chip_entry_ *e;

	b->own.entry_bytes += sizeof(struct pmumap_imc_chip_row_);
	e = (struct pmumap_imc_chip_entry_ *)pmumap_builder_add_entry_(b, kind);
	if (e) {
		e->base = base;
		e->chip = chip;
	}
	return b->own.status;
}

PMUMAP_DEF enum pmumap_status pmumap_add_imc_chip(struct pmumap_builder *b, uint32_t chip,
						  uint64_t base)
{
	if (b->own.imc.chips_of == PMUMAP_IMC_CHIPS_DROPPED_)
		return b->own.status;
	return pmumap_imc_add_chip_entry_(b,
					  b->own.imc.chips_of == PMUMAP_IMC_CHIPS_OF_UNIT_
						  ? PMUMAP_IMC_CHIP_
						  : PMUMAP_IMC_HOMER_,
					  chip, base);
}
#endif

/* ---- map/open.h: Open a foreign image */

/* The layout is the image format. So it is the same on every target of one byte order. */
typedef char pmumap_image_layout_[sizeof(struct pmumap) == 232 &&
						  sizeof(struct pmumap_record) == 16 &&
						  sizeof(struct pmumap_raw_row) == 24
					  ? 1
					  : -1];

/*
 * Validate the tables of each binding that this program has (PMUMAP_BINDINGS); it never reads the
 * others. Returns 0: one of them is wrong.
 */
static inline int pmumap_map_open_tables_(const struct pmumap *m)
{
#if PMUMAP_BINDINGS & PMUMAP_RISCV
	if (!pmumap_riscv_open_events_(m) || !pmumap_riscv_open_raw_(m))
		return 0;
#endif
#if PMUMAP_BINDINGS & PMUMAP_IMC
	if (m->imc && !pmumap_imc_open_tables_(m))
		return 0;
#endif
	return 1;
}

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
	/* The map has a part that is unknown here: a newer version built it. */
	if (m->reserved[0] | m->reserved[1] | m->reserved[2] | m->reserved[3] | m->reserved[4])
		return PMUMAP_E_IMAGE_VERSION;
	if (!pmumap_map_open_tables_(m))
		return PMUMAP_E_IMAGE_TABLE;
	*map = m;
	return PMUMAP_OK;
}

PMUMAP_DEF size_t pmumap_size(const struct pmumap *m)
{
	return m->head.size;
}

/* ---- map/finish.h: How much a map needs, and the map itself */

/*
 * Bytes of the block that a map of the rows and entries takes at most, while it is built. Sorting,
 * before that, needs room for the rows twice.
 */
static inline uint64_t pmumap_map_need_(const struct pmumap_builder *b)
{
	uint64_t rows = ((uint64_t)b->own.kept + PMUMAP_ENTRIES_(b)) * sizeof(struct pmumap_row_);
	uint64_t bytes = sizeof(struct pmumap);

#if PMUMAP_HAS_ENTRIES_
	bytes += b->own.entry_bytes;
#endif
#if PMUMAP_BINDINGS & PMUMAP_RISCV
	bytes += pmumap_riscv_need_(b);
#endif
	return bytes < 2 * rows ? 2 * rows : bytes;
}

/* More bytes, for what a map can do without: the index and the orders of IMC. */
static inline uint64_t pmumap_map_need_indexes_(const struct pmumap_builder *b)
{
#if PMUMAP_BINDINGS & PMUMAP_IMC
	return pmumap_imc_need_indexes_(b);
#else
	(void)b;
	return 0;
#endif
}

PMUMAP_DEF PMUMAP_COLD_ size_t pmumap_need(const struct pmumap_builder *b)
{
	uint64_t need = pmumap_map_need_(b) + pmumap_map_need_indexes_(b);

	return need > PMUMAP_MAX_BYTES_ ? PMUMAP_MAX_BYTES_ : (size_t)need;
}

/* Begin with the head of an empty map. The magic number comes last of all, in pmumap_finish(). */
static inline struct pmumap *pmumap_map_begin_image_(const struct pmumap_builder *b)
{
	struct pmumap *m = (struct pmumap *)(void *)b->own.mem;

	pmumap_zero_words_(m, sizeof(*m));
	m->head.version = PMUMAP_IMAGE_VERSION;
	m->head.flags = b->own.map_flags;
	m->head.size = (uint32_t)sizeof(*m);
#if !(PMUMAP_BINDINGS & PMUMAP_RISCV)
	m->records = m->sorted_count = 1; /* none but record[0] */
#endif
	return m;
}

/* Build all parts. IMC's has to be the last: it also uses the place of the entries. */
static inline struct pmumap *pmumap_map_build_(struct pmumap_builder *b)
{
	struct pmumap *m;

#if PMUMAP_BINDINGS & PMUMAP_RISCV
	pmumap_builder_sort_rows_(b);
#endif
	m = pmumap_map_begin_image_(b);
#if PMUMAP_BINDINGS & PMUMAP_RISCV
	pmumap_riscv_finish_part_(b, m);
#endif
#if PMUMAP_BINDINGS & PMUMAP_IMC
	if (b->own.imc.finish)
		b->own.imc.finish(b, m);
#endif
	return m;
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_finish(struct pmumap_builder *b,
							 const struct pmumap **map)
{
	uint64_t need = pmumap_map_need_(b);
	struct pmumap *m;

	if (map)
		*map = 0;
	if (b->own.status == PMUMAP_E_ARG || (b->own.mem && !map))
		return PMUMAP_E_ARG;
	if (need > PMUMAP_MAX_BYTES_)
		return b->own.status = PMUMAP_E_LIMIT;
	if (!b->own.mem)
		return PMUMAP_OK;
	if (b->own.bytes < need) {
		pmumap_report_(b, PMUMAP_FINDING_(NO_SPACE, PMUMAP_ERROR, PMUMAP_IN_NODE_),
			       PMUMAP_NO_ROW, PMUMAP_NO_ROW, need + pmumap_map_need_indexes_(b));
		return b->own.status = PMUMAP_E_NOSPACE;
	}
	m = pmumap_map_build_(b);
	if (b->own.errors && (b->flags & PMUMAP_STRICT))
		return b->own.status = PMUMAP_E_STRICT;
	m->head.magic = PMUMAP_MAGIC;
	*map = m;
	b->own.status = PMUMAP_E_ARG; /* used up: the map is read from now on, */
	b->own.room = 0;              /* and the rest of the block is the caller's */
	return PMUMAP_OK;
}

PMUMAP_DEF PMUMAP_COLD_ void pmumap_listen(struct pmumap_builder *b, pmumap_report_fn *report,
					   void *arg)
{
	b->own.report = report;
	b->own.arg = arg;
	b->own.tell = report ? pmumap_tell_finding_ : 0;
#if PMUMAP_BINDINGS & PMUMAP_RISCV
	b->own.lint_rows = report ? pmumap_riscv_lint_rows_ : 0;
	b->own.properties[PMUMAP_SELECTORS_] = "riscv," PMUMAP_SELECTORS_NAME_;
	b->own.properties[PMUMAP_RANGES_] = "riscv," PMUMAP_RANGES_NAME_;
	b->own.properties[PMUMAP_RAW_] = "riscv," PMUMAP_RAW_NAME_;
#endif
#if PMUMAP_BINDINGS & PMUMAP_IMC
	b->own.imc.lint_list = report ? pmumap_imc_lint_list_ : 0;
	b->own.imc.lint_units = report ? pmumap_imc_lint_units_ : 0;
#endif
}

#if PMUMAP_BINDINGS & PMUMAP_RISCV

/* ---- map/restrict.h: A part of a map, for a guest */

/* The part of a run that lies in a range. Returns 0: there is none. */
static inline int pmumap_map_common_range_(const struct pmumap_run *run,
					   const struct pmumap_range *range,
					   struct pmumap_range *common)
{
	common->first = run->first > range->first ? run->first : range->first;
	common->last = run->last < range->last ? run->last : range->last;
	return common->first <= common->last;
}

/* Add the part of a run that lies in a range, with the counters of the grant if there is one. */
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

	if (b->own.mem && pmumap_is_overlap_(m, m->head.size, b->own.mem, b->own.bytes)) {
		b->own.room = 0; /* no further row is kept */
		return b->own.status = PMUMAP_E_ARG;
	}
	/* This says something where no selector is left, too: PMUMAP_RULE_ABSENT does not hold. */
	b->own.map_flags |= m->head.flags & PMUMAP_HAS_SELECTORS;
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
	return b->own.status;
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
#endif

#ifdef __cplusplus
}
#endif

#endif /* PMUMAP_IMPLEMENTED_ */

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
