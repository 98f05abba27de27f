/* SPDX-License-Identifier: BSD-2-Clause */
/* GET_INFO; EVENT_GET_INFO and its limits */
#pragma once

#include "server/match.h"

#define PMUMAP_SERVER_CSR_CYCLE_ 0xc00u /* the CSR of counter 0 */
#define PMUMAP_SERVER_ENTRIES_ 16u      /* of EVENT_GET_INFO, copied at once */

/*
 * GET_INFO: the counter's CSR and width, or that it is a firmware counter. SBI ignores the width of
 * those, but Linux truncates their counts to it.
 */
static inline struct pmumap_sbi_ret pmumap_server_get_counter_info_(const struct pmumap_server *s,
								    uint64_t n)
{
	uint32_t width, csr;

	if (n >= s->total || (n < s->hardware && !(s->counters >> n & 1)))
		return pmumap_server_make_ret_(PMUMAP_SBI_INVALID_PARAM, 0);
	if (n >= s->hardware)
		return pmumap_server_make_ret_(PMUMAP_SBI_OK, (s->ones ^ s->ones >> 1) | 63u << 12);
	width = n < 3 ? 64 : s->width;
	csr = PMUMAP_SERVER_CSR_CYCLE_ + (uint32_t)n;
	return pmumap_server_make_ret_(PMUMAP_SBI_OK, csr | ((width - 1) & 63) << 12);
}

/* 1: some counter of the guest could count the event. 0: none could. -1: not an event. */
static inline int pmumap_server_has_event_(const struct pmumap_server *s, uint32_t event,
					   uint64_t data)
{
	uint64_t selector;

	if (event >= PMUMAP_EVENT_FIRMWARE)
		return event >> 20 ? -1 : pmumap_server_has_firmware_event_(s, event, data);
	return pmumap_server_find_counters_(s, event, data, s->usable, &selector) != 0;
}

/*
 * Answer the entry at this offset (event and answer, data). Only the answer is written: another
 * hart may be writing the rest.
 */
static inline int pmumap_server_answer_entry_(const struct pmumap_server *s, const uint64_t *a,
					      uint64_t offset, const uint64_t *entry)
{
	uint32_t event = (uint32_t)pmumap_server_swap_word_(entry[0]);
	int has = pmumap_server_has_event_(s, event, pmumap_server_swap_word_(entry[1]));
	uint64_t answer = pmumap_server_swap_word_((uint64_t)has);

	if (has < 0)
		return PMUMAP_SBI_INVALID_PARAM;
	return pmumap_server_access_(s, a, offset + 4, &answer, 4, 1) ? PMUMAP_SBI_OK
								      : PMUMAP_SBI_FAILED;
}

/* EVENT_GET_INFO: write into each entry whether some counter could count its event. */
static inline int pmumap_server_get_event_info_(const struct pmumap_server *s, const uint64_t *a)
{
	uint64_t entries[2 * PMUMAP_SERVER_ENTRIES_];
	uint32_t i, n, from;
	int error = PMUMAP_SBI_OK;

	if (!pmumap_server_has_memory_(s))
		return PMUMAP_SBI_NOT_SUPPORTED;
	/* Check the limit first: the size of more entries could wrap. */
	if (a[3] || (a[0] & 15) || a[2] > PMUMAP_SERVER_INFO_ENTRIES)
		return PMUMAP_SBI_INVALID_PARAM;
	n = (uint32_t)a[2] << 4;
	if (n && !pmumap_server_may_access_(s, a, n))
		return PMUMAP_SBI_INVALID_ADDRESS;
	for (i = 0; i < n && !error; i += 16) {
		from = i % sizeof(entries);
		if (!from &&
		    !pmumap_server_access_(s, a, i, entries,
					   n - i < sizeof(entries) ? n - i : sizeof(entries), 0))
			return PMUMAP_SBI_FAILED;
		error = pmumap_server_answer_entry_(s, a, i, entries + from / 8);
	}
	return error;
}
