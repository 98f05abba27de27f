/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "riscv/pmu.h"
#include "server/api.h"
#include "server/guest.h"

#define PMUMAP_SERVER_SHARED_BYTES_ 4096u /* of shared memory, which is aligned to that */

/* The guest's memory at the address in a[0] and a[1]; NULL: it may not use some of it. */
static inline volatile pmumap_server_word *
pmumap_server_find_memory_(const struct pmumap_server *s, const uint64_t *a, uint64_t bytes)
{
	return (volatile pmumap_server_word *)s->host->memory(s->host->arg, a[0], a[1], bytes);
}

/* SNAPSHOT_SET_SHMEM: set where snapshots go. Returns an error of SBI; nothing is changed then. */
static inline int pmumap_server_set_shmem_(struct pmumap_server *s, const uint64_t *a)
{
	volatile pmumap_server_word *memory;

	if (!s->host || !s->host->memory)
		return PMUMAP_SBI_NOT_SUPPORTED;
	if (a[2])
		return PMUMAP_SBI_INVALID_PARAM;
	if ((a[0] & a[1]) == pmumap_server_register_mask_(s)) {
		s->shared = 0;
		return PMUMAP_SBI_OK;
	}
	if (a[0] & (PMUMAP_SERVER_SHARED_BYTES_ - 1))
		return PMUMAP_SBI_INVALID_PARAM;
	memory = pmumap_server_find_memory_(s, a, PMUMAP_SERVER_SHARED_BYTES_);
	if (!memory)
		return PMUMAP_SBI_INVALID_ADDRESS;
	s->shared = memory;
	return PMUMAP_SBI_OK;
}

/* Where shared memory has a counter's value; i: how far its number is above the base of its set. */
static inline volatile pmumap_server_word *
pmumap_server_find_snapshot_(const struct pmumap_server *s, uint32_t i)
{
	return s->shared + 2 + 2 * i;
}

/* Write the value and the overflow of counter n to shared memory; i: as above. */
static inline void pmumap_server_save_snapshot_(const struct pmumap_server *s, uint32_t n,
						uint32_t i)
{
	volatile pmumap_server_word *value = pmumap_server_find_snapshot_(s, i);
	volatile pmumap_server_word *bits = s->shared + (i >> 5);
	uint32_t overflowed = 0;
	uint64_t x;

	if (n < s->hardware) {
		x = s->pmu->read(s->pmu->arg, n);
		overflowed = s->pmu->overflowed(s->pmu->arg, n) != 0;
	} else {
		x = s->fw_value[n - s->hardware];
	}
	value[0] = pmumap_server_swap_word_((uint32_t)(x & 0xffffffffu));
	value[1] = pmumap_server_swap_word_((uint32_t)(x >> 32));
	i &= 31;
	*bits = pmumap_server_swap_word_((pmumap_server_swap_word_(*bits) & ~(1u << i)) |
					 overflowed << i);
}
