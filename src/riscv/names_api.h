/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of events */
#pragma once

#include "core/linkage.h"

/*
 * The name of an event, such as "SBI_PMU_HW_CACHE_MISSES", "SBI_PMU_HW_CACHE_L1D_READ_MISS" or
 * "SBI_PMU_FW_SET_TIMER"; or NULL.
 */
PMUMAP_API const char *pmumap_event_name(uint32_t event);

/*
 * Read an event as people write it, in upper or lower case, with '-' or '_': SBI names with or
 * without their prefix (cache-misses), perf's names (L1-dcache-load-misses, branches), numbers
 * (0x10019), raw events (r1801, raw:0x1801, raw-v2:0x1801; more than 48 bits make it a v2),
 * firmware events (fw:5, set-timer), and platform:0x1, the firmware event whose code is in the
 * data, of up to 64 bits. Behind r, bits 62 and 63 are the kind as in perf: 2 for a firmware event
 * (r8000000000000005 is fw:5), 3 for one of the platform. Numbers are hexadecimal behind 0x, else
 * decimal. Text needs no NUL; with len 0 it may be NULL, and is no event.
 *
 * Returns  1; or 0, and *event and *data untouched.
 */
PMUMAP_API int pmumap_event_parse(const char *text, size_t len, uint32_t *event, uint64_t *data);
