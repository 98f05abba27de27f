/* SPDX-License-Identifier: BSD-2-Clause */
/* A builder's memory */
#pragma once

#include "core/api.h"

/* Entries wait at the end of the block, newest first, while the map grows from its start. */
struct pmumap_entries_ {
	unsigned char *mem;
	size_t bytes, room; /* of the block; how many entries fit into it */
	uint32_t count;     /* entries added so far */
	uint64_t need;      /* upper bound of bytes for them and their tables */
	enum pmumap_status status;
};
