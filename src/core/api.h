/* SPDX-License-Identifier: BSD-2-Clause */
/* Status codes, and the image */
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

#define PMUMAP_IMAGE_VERSION 4u

/* The head of every image, for all kinds of maps. */
struct pmumap_head_ {
	uint32_t magic, version;
	uint32_t size; /* of the whole image, a multiple of 8 */
	uint32_t flags;
};
