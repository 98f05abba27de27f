/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings: mistakes in a device tree */
#pragma once

#include "core/linkage.h"

/* Mistakes in a RISC-V description. Codes never change. */
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
	X(EXTRA_NODE, 23, "extra-node")                 /* value: offset of the node that wins */  \
	X(PROPERTY_UNKNOWN, 70, "property-unknown")     /* value: the table it is like: 0 to 2 */  \
	X(SELECTOR_REVERSED, 71, "selector-reversed")   /* value: selector, or select */           \
	X(SELECTOR_BITS, 72, "selector-bits")           /* value: selector */                      \
	X(MASK_REVERSED, 73, "mask-reversed")           /* value: mask */                          \
	X(NODE_DISABLED, 74, "node-disabled")           /* value: 0 */                             \
	X(FIXED_MISSING, 75, "fixed-missing")           /* value: bits of the events, 1 and 2 */   \
	X(HART_SHARED, 76, "hart-shared")               /* value: offset of its first node */      \
	X(HART_UNSERVED, 77, "hart-unserved")           /* value: 0; the node is the hart */       \
	X(HARTS_UNKNOWN, 78, "harts-unknown")           /* value: 0 */

enum pmumap_code {
#define PMUMAP_X_(name, number, text) PMUMAP_F_##name = number,
	PMUMAP_FINDING_LIST(PMUMAP_X_)
#undef PMUMAP_X_
};
