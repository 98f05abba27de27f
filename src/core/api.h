/* SPDX-License-Identifier: BSD-2-Clause */
/* Status codes, findings, and the image */
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
 * What is wrong with a tree. What row and other count, the function says that you put into
 * options.check.
 */
struct pmumap_finding {
	uint32_t code;    /* from the list of its kind of map */
	const char *name; /* "raw-dead", as in that list */
	enum pmumap_severity severity;
	int node;             /* libfdt's offset of the node; PMUMAP_NO_NODE: of the map */
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
