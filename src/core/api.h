/* SPDX-License-Identifier: BSD-2-Clause */
/* Status codes, findings, and the image */
#pragma once

#include "core/linkage.h"

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

/*
 * How bad a finding is:
 *   error    the row, the node or the property is dropped
 *   warning  this is probably a mistake
 *   note     it is legal, and worth knowing
 */
enum pmumap_severity { PMUMAP_NOTE = 1, PMUMAP_WARNING = 2, PMUMAP_ERROR = 3 };

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
 * Your callback for each finding during a build. The finding is valid until it returns. It must not
 * use the builder or the block, must not change the tree, and must return: no longjmp, no
 * exception.
 */
typedef void pmumap_report_fn(void *arg, const struct pmumap_finding *finding);

/* "error", "warning" or "note" */
PMUMAP_API const char *pmumap_severity_str(enum pmumap_severity severity);

#define PMUMAP_IMAGE_VERSION 4u

/* The head of every image, for all kinds of maps. */
struct pmumap_head_ {
	uint32_t magic, version;
	uint32_t size; /* of the whole image, a multiple of 8 */
	uint32_t flags;
};
