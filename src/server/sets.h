/* SPDX-License-Identifier: BSD-2-Clause */
/* START and STOP of a set of counters */
#pragma once

#include "server/snapshot.h"

/* Decode the set and check the flags of START or STOP. Returns an SBI error. */
static inline int pmumap_server_check_set_(const struct pmumap_server *s, const uint64_t *a,
					   uint64_t *set)
{
	if (!pmumap_server_take_set_(s, a, set) || a[2] >> 2)
		return PMUMAP_SBI_INVALID_PARAM;
	/* PMUMAP_SBI_TAKE_SNAPSHOT is the same bit. */
	if ((a[2] & PMUMAP_SBI_INIT_SNAPSHOT) && s->shared[0] == PMUMAP_SERVER_NOT_SHARED_)
		return PMUMAP_SBI_NO_SHMEM;
	return PMUMAP_SBI_OK;
}

/*
 * START does nothing unless every counter of the set is configured. Counters that already run do
 * not keep the others from starting.
 */
static inline struct pmumap_sbi_ret pmumap_server_start_set_(struct pmumap_server *s,
							     const uint64_t *a)
{
	uint64_t set, left, value = pmumap_server_join_argument_(s, &a[3]);
	uint32_t flags = (uint32_t)a[2];
	int error = pmumap_server_check_set_(s, a, &set);

	if (a[2] == (PMUMAP_SBI_SET_INIT_VALUE | PMUMAP_SBI_INIT_SNAPSHOT))
		error = PMUMAP_SBI_INVALID_PARAM;
	if (!error && (set & ~s->configured))
		error = PMUMAP_SBI_INVALID_PARAM;
	if (error)
		return pmumap_server_make_ret_(error, 0);
	if (set & s->started)
		error = PMUMAP_SBI_ALREADY_STARTED;
	for (left = set & ~s->started; left; left &= left - 1) {
		uint32_t n = pmumap_server_lowest_number_(left);

		if ((flags & PMUMAP_SBI_INIT_SNAPSHOT) &&
		    !pmumap_server_move_shared_(s, 1 + n - (uint32_t)a[0], &value, 0))
			error = PMUMAP_SBI_NO_SHMEM;
		else
			pmumap_server_start_counter_(s, n, flags ? &value : 0);
	}
	return pmumap_server_make_ret_(error, 0);
}

/* STOP stops each running counter of the set; ALREADY_STOPPED is about the others. */
static inline struct pmumap_sbi_ret pmumap_server_stop_set_(struct pmumap_server *s,
							    const uint64_t *a)
{
	uint64_t set, left;
	int error = pmumap_server_check_set_(s, a, &set), release = (int)(a[2] & PMUMAP_SBI_RESET);

	if (error)
		return pmumap_server_make_ret_(error, 0);
	if (set & ~s->started)
		error = PMUMAP_SBI_ALREADY_STOPPED;
	set &= s->configured;
	if ((a[2] & PMUMAP_SBI_TAKE_SNAPSHOT) &&
	    !pmumap_server_take_snapshot_(s, set, (uint32_t)a[0]))
		error = PMUMAP_SBI_NO_SHMEM;
	for (left = release ? set : set & s->started; left; left &= left - 1)
		pmumap_server_stop_counter_(s, pmumap_server_lowest_number_(left), release);
	return pmumap_server_make_ret_(error, 0);
}
