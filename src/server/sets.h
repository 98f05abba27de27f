/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "riscv/pmu.h"
#include "server/api.h"
#include "server/guest.h"
#include "server/counters.h"
#include "server/snapshot.h"

/* Check the set and the flags of START or STOP. Returns the error of SBI. */
static inline int pmumap_server_check_set_(const struct pmumap_server *s, const uint64_t *a)
{
	if (!pmumap_server_is_valid_set_(s, a[0], a[1]) || a[2] >> 2)
		return PMUMAP_SBI_INVALID_PARAM;
	/* The same bit as PMUMAP_SBI_TAKE_SNAPSHOT. */
	if ((a[2] & PMUMAP_SBI_INIT_SNAPSHOT) && !s->shared)
		return PMUMAP_SBI_NO_SHMEM;
	return PMUMAP_SBI_OK;
}

/* START: start each counter of the set that can be; the error is about the others. */
static inline struct pmumap_sbi_ret pmumap_server_start_set_(struct pmumap_server *s,
							     const uint64_t *a)
{
	uint64_t mask = a[1], value = pmumap_server_join_argument_(s, &a[3]);
	uint32_t flags = (uint32_t)a[2], n = (uint32_t)a[0], i = 0, absent = 0, running = 0;
	int error = pmumap_server_check_set_(s, a);

	if (a[2] == (PMUMAP_SBI_SET_INIT_VALUE | PMUMAP_SBI_INIT_SNAPSHOT))
		error = PMUMAP_SBI_INVALID_PARAM;
	if (error)
		return pmumap_server_make_ret_(error, 0);
	for (; mask; mask >>= 1, n++, i++) {
		if (!(mask & 1))
			continue;
		if (!(s->state[n] & PMUMAP_SERVER_CONFIGURED_)) {
			absent = 1;
		} else if (s->state[n] & PMUMAP_SERVER_STARTED_) {
			running = 1;
		} else {
			if (flags & PMUMAP_SBI_INIT_SNAPSHOT)
				value = pmumap_server_load_value_(
					pmumap_server_find_snapshot_(s, i));
			pmumap_server_start_counter_(s, n, flags ? &value : 0);
		}
	}
	return pmumap_server_make_ret_(absent    ? PMUMAP_SBI_INVALID_PARAM
				       : running ? PMUMAP_SBI_ALREADY_STARTED
						 : PMUMAP_SBI_OK,
				       0);
}

/* STOP: stop each counter of the set that can be; the error is about the others. */
static inline struct pmumap_sbi_ret pmumap_server_stop_set_(struct pmumap_server *s,
							    const uint64_t *a)
{
	uint64_t mask = a[1];
	uint32_t flags = (uint32_t)a[2], n = (uint32_t)a[0], i = 0, idle = 0;
	/* The state without which STOP has nothing to do. */
	uint32_t expected =
		flags & PMUMAP_SBI_RESET ? PMUMAP_SERVER_CONFIGURED_ : PMUMAP_SERVER_STARTED_;
	int error = pmumap_server_check_set_(s, a);

	if (error)
		return pmumap_server_make_ret_(error, 0);
	for (; mask; mask >>= 1, n++, i++) {
		if (!(mask & 1))
			continue;
		if (!(s->state[n] & expected))
			idle = 1;
		if (!(s->state[n] & PMUMAP_SERVER_CONFIGURED_))
			continue;
		if (s->state[n] & PMUMAP_SERVER_STARTED_)
			pmumap_server_stop_counter_(s, n, 0);
		if (flags & PMUMAP_SBI_TAKE_SNAPSHOT)
			pmumap_server_save_snapshot_(s, n, i);
		if (flags & PMUMAP_SBI_RESET)
			pmumap_server_stop_counter_(s, n, 1);
	}
	return pmumap_server_make_ret_(idle ? PMUMAP_SBI_ALREADY_STOPPED : PMUMAP_SBI_OK, 0);
}
