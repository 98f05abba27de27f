/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "riscv/pmu.h"
#include "server/api.h"
#include "server/guest.h"
#include "server/match.h"
#include "server/snapshot.h"

#define PMUMAP_SERVER_CSR_CYCLE_ 0xc00u /* the CSR of counter 0 */

/* GET_INFO: the CSR of counter n, and how wide it is; or that it is a firmware counter. */
static inline struct pmumap_sbi_ret pmumap_server_get_counter_info_(const struct pmumap_server *s,
								    uint64_t n)
{
	uint32_t width, csr;

	if (n >= PMUMAP_SERVER_COUNTERS_ || !s->state[n])
		return pmumap_server_make_ret_(PMUMAP_SBI_INVALID_PARAM, 0);
	if (n >= s->hardware) {
		uint64_t ones = pmumap_server_register_mask_(s);

		return pmumap_server_make_ret_(PMUMAP_SBI_OK, ones ^ ones >> 1);
	}
	width = n < 3 ? 64 : s->width;
	csr = PMUMAP_SERVER_CSR_CYCLE_ + (uint32_t)n;
	return pmumap_server_make_ret_(PMUMAP_SBI_OK, csr | ((width - 1) & 63) << 12);
}

/* EVENT_GET_INFO: write into each entry whether some counter of the guest can count its event. */
static inline int pmumap_server_get_event_info_(const struct pmumap_server *s, const uint64_t *a)
{
	volatile pmumap_server_word *entry = 0;
	uint64_t left = a[2];
	struct pmumap_job job;

	if (!s->host || !s->host->memory)
		return PMUMAP_SBI_NOT_SUPPORTED;
	if (a[3] || (a[0] & 15))
		return PMUMAP_SBI_INVALID_PARAM;
	if (left == 0)
		return PMUMAP_SBI_OK;
	if (left >> 60 == 0) /* else their bytes need more than 64 bits */
		entry = pmumap_server_find_memory_(s, a, left << 4);
	if (!entry)
		return PMUMAP_SBI_INVALID_ADDRESS;
	for (; left; left--, entry += 4) {
		job.event = pmumap_server_swap_word_(entry[0]);
		job.data = pmumap_server_load_value_(entry + 2);
		if (job.event >> 20 || pmumap_server_is_reserved_event_(job.event))
			return PMUMAP_SBI_INVALID_PARAM;
		entry[1] = pmumap_server_swap_word_(
			pmumap_server_match_event_(s, &job, s->granted & ~2u, 0xffff) >= 0);
	}
	return PMUMAP_SBI_OK;
}
