/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "riscv/pmu.h"
#include "server/api.h"

/* The result of a call. */
static inline struct pmumap_sbi_ret pmumap_server_make_ret_(int error, uint64_t value)
{
	struct pmumap_sbi_ret r;

	r.error = error;
	r.value = value;
	return r;
}

/* A 32-bit word of the guest to a number and back. */
static inline uint32_t pmumap_server_swap_word_(uint32_t x)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	x = x >> 24 | (x >> 8 & 0xff00) | (x & 0xff00) << 8 | x << 24;
#endif
	return x;
}

/* A 64-bit number from two words of the guest. */
static inline uint64_t pmumap_server_load_value_(const uint32_t *words)
{
	return pmumap_server_swap_word_(words[0]) | (uint64_t)pmumap_server_swap_word_(words[1])
							    << 32;
}

/* The other way round. */
static inline void pmumap_server_store_value_(uint32_t *words, uint64_t value)
{
	words[0] = pmumap_server_swap_word_((uint32_t)(value & 0xffffffffu));
	words[1] = pmumap_server_swap_word_((uint32_t)(value >> 32));
}

/* A 64-bit argument, which takes two registers on RV32. */
static inline uint64_t pmumap_server_join_argument_(const struct pmumap_server *s,
						    const uint64_t *a)
{
	return a[0] | (a[1] << 32 & ~s->ones);
}

/*
 * Whether the host lets the guest's memory be reached at all: without it there is neither
 * SNAPSHOT_SET_SHMEM nor EVENT_GET_INFO.
 */
static inline int pmumap_server_has_memory_(const struct pmumap_server *s)
{
	return s->host && s->host->access;
}

/* access() of the host, at an offset from the address whose halves are in at[0] and at[1]. */
static inline int pmumap_server_access_(const struct pmumap_server *s, const uint64_t *at,
					uint64_t offset, void *data, uint64_t bytes, int write)
{
	uint64_t low = (at[0] + offset) & s->ones;

	return s->host->access(s->host->arg, low, at[1] + (low < at[0]), data, bytes, write);
}
