/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "riscv/api.h"
#include "riscv/pmu.h"
#include "server/api.h"
#include "server/guest.h"
#include "server/counters.h"

/* Whether an event is of one of the types 4 to 14: SBI reserves them, but a map may have some. */
static inline int pmumap_server_is_reserved_event_(uint32_t event)
{
	return event < PMUMAP_EVENT_FIRMWARE && event >> 16 > PMUMAP_EVENT_RAW_V2 >> 16;
}

/* Whether there is anything that counts a firmware event. */
static inline int pmumap_server_has_firmware_event_(const struct pmumap_server *s,
						    const struct pmumap_job *job)
{
	uint32_t code = job->event - PMUMAP_EVENT_FIRMWARE;

	if (code == PMUMAP_SERVER_FW_PLATFORM)
		return s->host && s->host->platform && s->host->platform(s->host->arg, job->data);
	return code < PMUMAP_SERVER_FW_EVENTS && job->data == 0 &&
	       ((uint32_t)s->firmware >> code & 1);
}

#define PMUMAP_SERVER_FIXED_ 7u /* mcycle, time, minstret */

/*
 * Choose a counter for the event of a job, and fill in its selector. Bit N of hardware, firmware:
 * the hardware or firmware counter N is free. Returns the number of the counter; -1: none of them.
 */
static inline int pmumap_server_match_event_(const struct pmumap_server *s, struct pmumap_job *job,
					     uint32_t hardware, uint32_t firmware)
{
	int counter = (int)s->hardware;

	job->selector = 0;
	if (job->event >= PMUMAP_EVENT_FIRMWARE) {
		if (firmware == 0 || !pmumap_server_has_firmware_event_(s, job))
			return -1;
		for (; !(firmware & 1); firmware >>= 1)
			counter++;
		return counter;
	}
	if (hardware == 0 || pmumap_server_is_reserved_event_(job->event))
		return -1;
	/* Without a selector only fixed counters are left, which count what they always do. */
	if (!pmumap_encode(s->map, job->event, job->data, s->rule, &job->selector))
		hardware &= PMUMAP_SERVER_FIXED_;
	counter = pmumap_pick(s->map, job->event, job->data, hardware, s->features);
	if (counter < 3)
		job->selector = 0;
	return counter < 0 ? -1 : counter;
}

/* The modes of the hart in which a counter must not count: from the guest's flags and the host. */
static inline uint32_t pmumap_server_inhibit_modes_(const struct pmumap_server *s, uint32_t flags)
{
	uint32_t modes = flags >> PMUMAP_SBI_INHIBIT_SHIFT & 31;

	if (s->virtual_)
		modes = (modes & PMUMAP_INHIBIT_M) |
			(modes >> 2 & (PMUMAP_INHIBIT_VS | PMUMAP_INHIBIT_VU));
	return modes | s->inhibit;
}

/* Whether an event may come with data that is not 0. */
static inline int pmumap_server_event_has_data_(uint32_t event)
{
	if (event >= PMUMAP_EVENT_FIRMWARE)
		return event == PMUMAP_EVENT_FIRMWARE + PMUMAP_SERVER_FW_PLATFORM;
	return event >= PMUMAP_EVENT_RAW;
}

/* Configure counter n for a job, and start it if AUTO_START is among the flags. */
static inline struct pmumap_sbi_ret pmumap_server_configure_counter_(struct pmumap_server *s,
								     uint32_t n,
								     const struct pmumap_job *job,
								     uint32_t flags)
{
	if (n < s->hardware) {
		if (!s->pmu->set(s->pmu->arg, n, job))
			return pmumap_server_make_ret_(PMUMAP_SBI_NOT_SUPPORTED, 0);
	} else {
		uint32_t i = n - s->hardware;

		if (job->clear || !(s->state[n] & PMUMAP_SERVER_CONFIGURED_))
			s->fw_value[i] = 0;
		s->fw_code[i] = (uint16_t)(job->event & 0xffff);
		s->fw_data[i] = job->data;
	}
	s->state[n] |= PMUMAP_SERVER_CONFIGURED_;
	if (flags & PMUMAP_SBI_AUTO_START)
		pmumap_server_start_counter_(s, n, 0);
	return pmumap_server_make_ret_(PMUMAP_SBI_OK, n);
}

/* CONFIG_MATCHING: configure one counter of a set. The value is its number. */
static inline struct pmumap_sbi_ret pmumap_server_configure_set_(struct pmumap_server *s,
								 const uint64_t *a)
{
	uint64_t mask = a[1];
	uint32_t flags = (uint32_t)a[2], n = (uint32_t)a[0], hardware = 0, firmware = 0;
	uint32_t busy =
		flags & PMUMAP_SBI_SKIP_MATCH ? PMUMAP_SERVER_STARTED_ : PMUMAP_SERVER_CONFIGURED_;
	struct pmumap_job job;
	int counter;

	job.event = (uint32_t)a[3];
	job.data = pmumap_server_join_argument_(s, &a[4]);
	job.inhibit = pmumap_server_inhibit_modes_(s, flags);
	job.clear = (flags & PMUMAP_SBI_CLEAR_VALUE) != 0;
	if (!pmumap_server_is_valid_set_(s, a[0], mask) || a[2] >> 8 || a[3] >> 20 ||
	    (job.data && !pmumap_server_event_has_data_(job.event)))
		return pmumap_server_make_ret_(PMUMAP_SBI_INVALID_PARAM, 0);

	for (; mask; mask >>= 1, n++) {
		if (!(mask & 1))
			continue;
		if (s->state[n] && !(s->state[n] & busy)) {
			if (n < s->hardware)
				hardware |= 1u << n;
			else
				firmware |= 1u << (n - s->hardware);
		}
		if (!(flags & PMUMAP_SBI_SKIP_MATCH))
			continue;
		if (!s->state[n])
			return pmumap_server_make_ret_(PMUMAP_SBI_INVALID_PARAM, 0);
		break;
	}
	counter = pmumap_server_match_event_(s, &job, hardware, firmware);
	if (counter < 0)
		return pmumap_server_make_ret_(PMUMAP_SBI_NOT_SUPPORTED, 0);
	return pmumap_server_configure_counter_(s, (uint32_t)counter, &job, flags);
}
