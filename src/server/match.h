/* SPDX-License-Identifier: BSD-2-Clause */
/* CONFIG_MATCHING: choose a counter for an event */
#pragma once

#include "riscv/pick.h"
#include "server/guest.h"
#include "server/counters.h"

static inline int pmumap_server_has_firmware_event_(const struct pmumap_server *s, uint32_t event,
						    uint64_t data)
{
	uint32_t code = event - PMUMAP_EVENT_FIRMWARE;

	if (!s->host || !s->host->counts)
		return 0;
	if (code >= PMUMAP_SERVER_FW_EVENTS && code < PMUMAP_SERVER_FW_OWN)
		return 0;
	if (code != PMUMAP_SERVER_FW_PLATFORM && data)
		return 0;
	return s->host->counts(s->host->arg, code, data) != 0;
}

/* Which of the free hardware counters can count an event, and its selector. */
PMUMAP_OUTLINE_ uint32_t pmumap_server_find_counters_(const struct pmumap_server *s, uint32_t event,
						      uint64_t data, uint32_t free,
						      uint64_t *selector)
{
	return free ? pmumap_riscv_find_counters_(s->map, event, data, free, s->rule, selector) : 0;
}

/* Choose a free counter for a job's event, and fill in the selector. Returns its number, or -1. */
static inline int pmumap_server_match_event_(const struct pmumap_server *s, struct pmumap_job *job,
					     uint64_t free)
{
	uint32_t counters;

	job->selector = 0;
	if (job->event >= PMUMAP_EVENT_FIRMWARE) {
		free &= ~(uint64_t)s->counters;
		if (free == 0 || !pmumap_server_has_firmware_event_(s, job->event, job->data))
			return -1;
		return (int)pmumap_server_lowest_number_(free);
	}
	counters = pmumap_server_find_counters_(s, job->event, job->data,
						s->counters & (uint32_t)(free & 0xffffffffu),
						&job->selector);
	if (counters == 0)
		return -1;
	counters = pmumap_riscv_best_counter_(counters, s->features);
	if (counters < PMUMAP_FIRST_PROGRAMMABLE_)
		job->selector = 0;
	return (int)counters;
}

/* The hart's modes in which a counter must not count, for the guest's filters and the host's. */
static inline uint32_t pmumap_server_inhibit_modes_(const struct pmumap_server *s, uint32_t flags)
{
	uint32_t modes = flags >> PMUMAP_SBI_INHIBIT_SHIFT & 31;

	if (s->for_vs)
		modes = (modes & PMUMAP_INHIBIT_M) |
			(modes >> 2 & (PMUMAP_INHIBIT_VS | PMUMAP_INHIBIT_VU));
	return modes | s->inhibit;
}

/* Whether an event may have data other than 0. */
static inline int pmumap_server_event_has_data_(uint32_t event)
{
	if (event >= PMUMAP_EVENT_FIRMWARE)
		return event == PMUMAP_EVENT_FIRMWARE + PMUMAP_SERVER_FW_PLATFORM;
	return event >= PMUMAP_EVENT_RAW;
}

/* Configure firmware counter i; set has only its number. */
static inline void pmumap_server_configure_firmware_(struct pmumap_server *s, uint32_t i,
						     uint64_t set, const struct pmumap_job *job)
{
	struct pmumap_server_fw *fw = pmumap_server_firmware_(s, i);
	uint32_t code = job->event - PMUMAP_EVENT_FIRMWARE, bit = (uint32_t)1 << i;

	if (job->clear || !(s->configured & set))
		fw->value = 0;
	fw->event = code;
	s->fw_platform &= ~bit;
	if (code == PMUMAP_SERVER_FW_PLATFORM) {
		fw->event = job->data;
		s->fw_platform |= bit;
	}
}

/* CONFIG_MATCHING: configure one counter of a set, and return its number. */
static inline struct pmumap_sbi_ret pmumap_server_configure_set_(struct pmumap_server *s,
								 const uint64_t *a)
{
	uint32_t flags = (uint32_t)a[2], n;
	uint64_t set, free;
	struct pmumap_job job;
	int counter;

	job.event = (uint32_t)a[3];
	job.data = pmumap_server_join_argument_(s, &a[4]);
	job.inhibit = pmumap_server_inhibit_modes_(s, flags);
	job.clear = (flags & PMUMAP_SBI_CLEAR_VALUE) != 0;
	if (!pmumap_server_take_set_(s, a, &set) || a[2] >> 8 || a[3] >> 20 ||
	    (job.data && !pmumap_server_event_has_data_(job.event)))
		return pmumap_server_make_ret_(PMUMAP_SBI_INVALID_PARAM, 0);

	free = set & s->matched & ~s->configured;
	if (flags & PMUMAP_SBI_SKIP_MATCH) {
		free = set & (0 - set);
		if (free & ~(s->configured | (s->counters & PMUMAP_FIXED_COUNTERS_)))
			return pmumap_server_make_ret_(PMUMAP_SBI_INVALID_PARAM, 0);
		free &= ~s->started;
		/* For perf_user_access 2, Linux skips to mcycle although it cannot filter. */
		if (s->features & PMUMAP_MUST_FILTER)
			free &= s->matched;
	}
	counter = pmumap_server_match_event_(s, &job, free);
	if (counter < 0)
		return pmumap_server_make_ret_(PMUMAP_SBI_NOT_SUPPORTED, 0);
	n = (uint32_t)counter;
	set = pmumap_server_set_of_(n);
	if (n >= s->hardware)
		pmumap_server_configure_firmware_(s, n - s->hardware, set, &job);
	else if (!s->pmu->set(s->pmu->arg, n, &job))
		return pmumap_server_make_ret_(PMUMAP_SBI_NOT_SUPPORTED, 0);
	s->configured |= set;
	if (flags & PMUMAP_SBI_AUTO_START)
		pmumap_server_start_counter_(s, n, 0);
	return pmumap_server_make_ret_(PMUMAP_SBI_OK, n);
}
