/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "riscv/pmu.h"
#include "server/api.h"

/* A counter's state; each bit comes with those before it. */
#define PMUMAP_SERVER_PRESENT_ 1u
#define PMUMAP_SERVER_CONFIGURED_ 2u
#define PMUMAP_SERVER_STARTED_ 4u

/* Whether all members of a set (bit i of the mask: base + i) are numbers of counters or holes. */
static inline int pmumap_server_is_valid_set_(const struct pmumap_server *s, uint64_t base,
					      uint64_t mask)
{
	for (; mask; mask >>= 1, base++) {
		if (base >= s->hardware + PMUMAP_SERVER_FW_COUNTERS)
			return 0;
	}
	return 1;
}

/* Let counter n, which is configured, count; from *value on unless NULL. */
static inline void pmumap_server_start_counter_(struct pmumap_server *s, uint32_t n,
						const uint64_t *value)
{
	if (n < s->hardware) {
		s->pmu->start(s->pmu->arg, n, value);
	} else {
		if (value)
			s->fw_value[n - s->hardware] = *value;
		s->fw_counting |= 1u << (n - s->hardware);
	}
	s->state[n] |= PMUMAP_SERVER_STARTED_;
}

/* Stop counter n, which is configured; release: it belongs to no event any more. */
static inline void pmumap_server_stop_counter_(struct pmumap_server *s, uint32_t n, int release)
{
	if (n < s->hardware)
		s->pmu->stop(s->pmu->arg, n, release);
	else
		s->fw_counting &= ~(1u << (n - s->hardware));
	s->state[n] = release ? PMUMAP_SERVER_PRESENT_
			      : PMUMAP_SERVER_PRESENT_ | PMUMAP_SERVER_CONFIGURED_;
}
