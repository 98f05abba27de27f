/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"

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
 * What is wrong with a description. The codes never change. Severities:
 *   error    the row, the node or the property is dropped
 *   warning  it is kept, but is probably unintended
 *   note     it is legal, and worth knowing
 */
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
	X(VIEW_MISSING, 50, "view-missing")             /* value: phandle */                       \
	X(VIEW_FOREIGN, 51, "view-foreign")             /* value: 0 */                             \
	X(VIEW_EXTRA, 52, "view-extra")                 /* value: cells, at most 65535 */          \
	X(CELLS, 53, "cells")                           /* value: #address-cells */                \
	X(COUNTER_REG, 54, "counter-reg")               /* value: 0 */                             \
	X(COUNTER_RANGE, 55, "counter-range")           /* value: index, at most 2^32 - 1 */       \
	X(COUNTER_DUPLICATE, 56, "counter-duplicate")   /* value: index */                         \
	X(COUNTER_NAME, 57, "counter-name")             /* value: index */                         \
	X(UNIT_MISMATCH, 58, "unit-mismatch")           /* value: index */                         \
	X(ENABLE_VALUE, 59, "enable-value")             /* value: index */                         \
	X(CPU_REG, 60, "cpu-reg")                       /* value: MPIDR */                         \
	X(CPU_DUPLICATE, 61, "cpu-duplicate")           /* value: MPIDR */                         \
	X(CPU_DISABLED, 62, "cpu-disabled")             /* value: 0 */                             \
	X(CPU_NAME, 63, "cpu-name")                     /* value: 0 */                             \
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

enum pmumap_severity { PMUMAP_NOTE = 1, PMUMAP_WARNING = 2, PMUMAP_ERROR = 3 };

#define PMUMAP_NO_NODE (-1)
#define PMUMAP_NO_ROW 0xffffffffu

/*
 * Rows count from 0 within their property; without a device tree, in the order of the calls. For
 * IMC and AMU, row is the number of a unit or a CPU, and other the number of another one. For a
 * unit or CPU that was dropped, row is the number that the next one gets.
 */
struct pmumap_finding {
	enum pmumap_code code;
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

/* The names of a finding and of a severity: "raw-dead", "error". Never NULL. */
PMUMAP_API const char *pmumap_code_str(enum pmumap_code code);
PMUMAP_API const char *pmumap_severity_str(enum pmumap_severity severity);

#define PMUMAP_MAGIC 0x504d554du
#define PMUMAP_IMAGE_VERSION 2u
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

/* What every image begins with, whatever kind of map it holds. */
struct pmumap_head_ {
	uint32_t magic, version;
	uint32_t size; /* of the whole image, a multiple of 8 */
	uint32_t flags;
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
	/* the parts of the other bindings: offset of the head of each, or 0 */
	uint32_t imc;            /* struct pmumap_imc */
	uint32_t amu;            /* struct pmumap_amu */
	uint32_t reserved[4];    /* of bindings to come: 0 */
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
