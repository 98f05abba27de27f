/* SPDX-License-Identifier: BSD-2-Clause */
/* SNAPSHOT_SET_SHMEM; snapshots, and faults in them */
#pragma once

#include "server/guest.h"
#include "server/counters.h"

#define PMUMAP_SERVER_SHARED_BYTES_ 4096u /* of shared memory, and its alignment */
#define PMUMAP_SERVER_NOT_SHARED_ 1u      /* as the address: no memory is shared */

/* SNAPSHOT_SET_SHMEM: set the address of snapshots. Returns an SBI error; then nothing changes. */
static inline int pmumap_server_set_shmem_(struct pmumap_server *s, const uint64_t *a)
{
	uint64_t low = a[0];

	if (!pmumap_server_has_memory_(s) || (s->flags & PMUMAP_SERVER_NO_SNAPSHOT))
		return PMUMAP_SBI_NOT_SUPPORTED;
	if (a[2])
		return PMUMAP_SBI_INVALID_PARAM;
	if ((a[0] & a[1]) == s->ones) {
		low = PMUMAP_SERVER_NOT_SHARED_;
	} else {
		if (a[0] & (PMUMAP_SERVER_SHARED_BYTES_ - 1))
			return PMUMAP_SBI_INVALID_PARAM;
		if (!pmumap_server_may_access_(s, a, PMUMAP_SERVER_SHARED_BYTES_))
			return PMUMAP_SBI_INVALID_ADDRESS;
	}
	s->shared[0] = low;
	s->shared[1] = a[1];
	return PMUMAP_SBI_OK;
}

/*
 * Copy a 64-bit number from or to shared memory. Index 0: overflows; from 1: values. Returns 0 if
 * the host refuses, because the memory is no longer the guest's.
 */
static inline int pmumap_server_move_shared_(const struct pmumap_server *s, uint32_t index,
					     uint64_t *number, int write)
{
	uint64_t word = pmumap_server_swap_word_(*number);

	if (!pmumap_server_access_(s, s->shared, 8 * index, &word, sizeof(word), write))
		return 0;
	*number = pmumap_server_swap_word_(word);
	return 1;
}

/* Store counter n's value in shared memory; base: the set's base. */
static inline int pmumap_server_save_value_(struct pmumap_server *s, uint32_t n, uint32_t base)
{
	uint64_t value = n < s->hardware ? s->pmu->read(s->pmu->arg, n)
					 : pmumap_server_firmware_(s, n - s->hardware)->value;

	return pmumap_server_move_shared_(s, 1 + n - base, &value, 1);
}

static inline int pmumap_server_has_overflowed_(const struct pmumap_server *s, uint32_t n)
{
	return n < s->hardware && s->pmu->overflowed(s->pmu->arg, n);
}

/*
 * Update the overflow bits of the members in shared memory; others stay. Without Sscofpmf all bits
 * must be 0.
 */
static inline int pmumap_server_save_overflows_(const struct pmumap_server *s, uint64_t members,
						uint64_t overflowed, uint32_t base)
{
	uint64_t bits = 0;

	if (s->features & PMUMAP_CAN_INTERRUPT) {
		if (!pmumap_server_move_shared_(s, 0, &bits, 0))
			return 0;
		bits &= ~pmumap_server_shift_down_(members, base);
		bits |= pmumap_server_shift_down_(overflowed, base);
	}
	return pmumap_server_move_shared_(s, 0, &bits, 1);
}

/*
 * Stop all members, which are configured, and store their values and overflows in shared memory.
 * Returns 0 if the host refused any access.
 */
static inline int pmumap_server_take_snapshot_(struct pmumap_server *s, uint64_t members,
					       uint32_t base)
{
	uint64_t left, overflowed = 0;
	int good = 1;

	for (left = members; left; left &= left - 1) {
		uint32_t n = pmumap_server_lowest_number_(left);
		uint64_t member = left & (0 - left);

		if (s->started & member)
			pmumap_server_stop_counter_(s, n, 0);
		good &= pmumap_server_save_value_(s, n, base);
		if (pmumap_server_has_overflowed_(s, n))
			overflowed |= member;
	}
	return pmumap_server_save_overflows_(s, members, overflowed, base) && good;
}
