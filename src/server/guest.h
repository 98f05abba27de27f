/* SPDX-License-Identifier: BSD-2-Clause */
/* Guest memory and arguments, results of calls */
#pragma once

#include "server/api.h"

static inline struct pmumap_sbi_ret pmumap_server_make_ret_(int error, uint64_t value)
{
	struct pmumap_sbi_ret r;

	r.error = error;
	r.value = value;
	return r;
}

/* Convert a little-endian word of guest memory, either way. */
static inline uint64_t pmumap_server_swap_word_(uint64_t x)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	x = (x & 0x00ff00ff00ff00ff) << 8 | (x >> 8 & 0x00ff00ff00ff00ff);
	x = (x & 0x0000ffff0000ffff) << 16 | (x >> 16 & 0x0000ffff0000ffff);
	x = x << 32 | x >> 32;
#endif
	return x;
}

/* A 64-bit argument takes two registers on RV32. */
static inline uint64_t pmumap_server_join_argument_(const struct pmumap_server *s,
						    const uint64_t *a)
{
	return a[0] | (a[1] << 32 & ~s->ones);
}

/* Without access to guest memory, SNAPSHOT_SET_SHMEM and EVENT_GET_INFO are unsupported. */
static inline int pmumap_server_has_memory_(const struct pmumap_server *s)
{
	return s->host && s->host->access;
}

/* Call the host's access() at an offset from the address in at[0] and at[1]. */
static inline int pmumap_server_access_(const struct pmumap_server *s, const uint64_t *at,
					uint64_t offset, void *data, uint64_t bytes, int write)
{
	uint64_t low = (at[0] + offset) & s->ones;

	return s->host->access(s->host->arg, low, at[1] + (low < at[0]), data, bytes, write);
}

/*
 * Whether the guest may read and write this range. A range that ends at 2^64 or wraps is refused
 * here, because the host's own arithmetic could wrap too.
 */
static inline int pmumap_server_may_access_(const struct pmumap_server *s, const uint64_t *at,
					    uint64_t bytes)
{
	return bytes <= ~pmumap_server_join_argument_(s, at) &&
	       pmumap_server_access_(s, at, 0, 0, bytes, 1);
}
