/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "riscv/pmu.h"
#include "server/api.h"

/* A counter's state. Each bit is set only together with those above. */
#define PMUMAP_SERVER_PRESENT_ 1u
#define PMUMAP_SERVER_CONFIGURED_ 2u
#define PMUMAP_SERVER_STARTED_ 4u

/* Whether each member of a set (bit i of mask: base + i) is the number of a counter or a hole. */
static inline int pmumap_server_is_valid_set_(const struct pmumap_server *s, uint64_t base,
					      uint64_t mask)
{
	for (; mask; mask >>= 1, base++) {
		if (base >= s->hardware + PMUMAP_SERVER_FW_COUNTERS)
			return 0;
	}
	return 1;
}

/* Start counter n, which is configured; value: what it counts from, or NULL: as it is. */
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

/* Stop counter n, which is configured; release: it is then no longer configured. */
static inline void pmumap_server_stop_counter_(struct pmumap_server *s, uint32_t n, int release)
{
	if (n < s->hardware)
		s->pmu->stop(s->pmu->arg, n, release);
	else
		s->fw_counting &= ~(1u << (n - s->hardware));
	s->state[n] = release ? PMUMAP_SERVER_PRESENT_
			      : PMUMAP_SERVER_PRESENT_ | PMUMAP_SERVER_CONFIGURED_;
}
