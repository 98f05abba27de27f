/* SPDX-License-Identifier: BSD-2-Clause */
/* Firmware events of SBI calls */
#pragma once

#include "core/compiler.h"
#include "server/api.h"

PMUMAP_DEF uint32_t pmumap_server_event_of(uint64_t eid, uint64_t function)
{
	/* By function; their order differs from the codes'. */
	static const uint8_t fences[] = { 8, 10, 12, 16, 14, 20, 18 };

	if (eid >= 5 && eid <= 7) /* legacy calls */
		return fences[eid - 5];
	if (eid == 0x52464e43 && function < sizeof(fences))
		return fences[function];
	if (eid == 0 || (eid == 0x54494d45 && function == 0))
		return 5;
	return eid == 4 || (eid == 0x735049 && function == 0) ? 6 : PMUMAP_SERVER_FW_NONE;
}

PMUMAP_DEF int pmumap_server_counts_calls(void *arg, uint32_t code, uint64_t data)
{
	(void)arg, (void)data;
	return code < PMUMAP_SERVER_FW_EVENTS && (0x155560u >> code & 1);
}
