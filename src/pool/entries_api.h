/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory of a builder */
#pragma once

#include "core/api.h"

/*
 * What is added waits at the end of the block, newest first, until the map is built from its start
 * on.
 */
struct pmumap_entries_ {
	unsigned char *mem;
	size_t bytes, room; /* of the block; how many entries fit into it */
	uint32_t count;     /* of entries added so far */
	uint64_t need;      /* at most so many bytes are needed for them and their tables */
	enum pmumap_status status;
};
