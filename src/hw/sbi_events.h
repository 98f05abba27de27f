/* SPDX-License-Identifier: BSD-2-Clause */
/* Find out which events the firmware counts, as rows */
#pragma once

#include "riscv/add.h"
#include "riscv/pick.h"
#include "hw/sbi.h"

/* EVENT_GET_INFO for one event. 1: it can be counted; 0: it cannot; -1: no answer. */
static inline int pmumap_sbi_ask_event_(struct pmumap_sbi *s, uint32_t event)
{
	volatile unsigned char *entry = (volatile unsigned char *)s->shared;
	uint32_t i;

	if (!entry)
		return -1;
	for (i = 0; i < 16; i++) /* little-endian; no data, no answer yet */
		entry[i] = (unsigned char)(i < 4 ? event >> 8 * i & 0xff : 0);
	if (pmumap_sbi_call_function_(s, PMUMAP_SBI_EVENT_GET_INFO,
				      pmumap_sbi_low_(s, s->shared_address),
				      pmumap_sbi_high_(s, s->shared_address), 1)
		    .error)
		return -1;
	return entry[4] & 1;
}

/* Try each counter for an event, and release it at once. Returns those that can count it. */
static inline uint32_t pmumap_sbi_try_counters_(struct pmumap_sbi *s, uint32_t event)
{
	uint32_t left = ~PMUMAP_FIXED_COUNTERS_ | pmumap_riscv_own_counter_(event);
	uint32_t counters = 0;

	for (left &= s->counters & ~s->used; left; left &= left - 1) {
		uint32_t counter = pmumap_lowest_bit_(left);

		if (!pmumap_sbi_try_match_(s, counter, 0, event, 0))
			continue;
		pmumap_sbi_stop(s, counter, 1);
		counters |= 1u << counter;
	}
	return counters;
}

PMUMAP_DEF enum pmumap_status pmumap_add_sbi(struct pmumap_builder *b, struct pmumap_sbi *s)
{
	enum pmumap_status status = s->counters ? PMUMAP_OK : PMUMAP_E_NOTFOUND;
	uint32_t slot;
	int answer = 0;

	for (slot = 0; slot < PMUMAP_INDEXED_EVENTS_ && status == PMUMAP_OK; slot++) {
		uint32_t event = pmumap_riscv_slot_event_(slot), counters;

		if (!pmumap_riscv_is_hardware_event_(event))
			continue;
		if (answer >= 0)
			answer = pmumap_sbi_ask_event_(s, event);
		/*
		 * Firmware reports cycles and instructions as unsupported without a row, yet counts
		 * them.
		 */
		if (answer == 0 && event > PMUMAP_EVENT_INSTRUCTIONS_)
			continue;
		counters = pmumap_sbi_try_counters_(s, event);
		/* A fixed counter that cannot count its own event counts nothing. */
		s->counters &= ~pmumap_riscv_own_counter_(event) | counters | s->used;
		if (counters)
			status = pmumap_add_counters(b, event, event, counters);
	}
	return status;
}
