/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of events */
#pragma once

#include "core/linkage.h"

/* The name of an event, such as "SBI_PMU_HW_CACHE_MISSES" or "SBI_PMU_FW_SET_TIMER"; or NULL. */
PMUMAP_API const char *pmumap_event_name(uint32_t event);

/*
 * Parse an event as people write it, in either case and with '-' or '_':
 *   cache-misses, set-timer          SBI's names, with or without their prefix
 *   L1-dcache-load-misses, branches  perf's names
 *   0x10019, 65561                   event_idx
 *   r1801, raw:0x1801, raw-v2:0x1    a raw event; above 48 bits it is a v2 event
 *   fw:5, r8000000000000005          a firmware event; bits 63 and 62 are perf's kind 2
 *   platform:0x1                     a platform event, with up to 64 bits of data; perf's kind is 3
 * text needs no NUL; with len 0 it may be NULL. Returns 1; or 0, and *event, *data are unchanged.
 */
PMUMAP_API int pmumap_event_parse(const char *text, size_t len, uint32_t *event, uint64_t *data);
