/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters, trace words */
#pragma once

#include "imc/hw_api.h"

PMUMAP_DEF uint64_t pmumap_imc_load_counter(const volatile void *counter)
{
	static const union {
		uint8_t byte[8];
		uint64_t word;
	} order = { { 0, 1, 2, 3, 4, 5, 6, 7 } };
	uint64_t x = *(const volatile uint64_t *)counter; /* one load where the target allows */

	if (order.word == 0x0001020304050607u)
		return x;
	x = (x & 0x00ff00ff00ff00ffu) << 8 | (x >> 8 & 0x00ff00ff00ff00ffu);
	x = (x & 0x0000ffff0000ffffu) << 16 | (x >> 16 & 0x0000ffff0000ffffu);
	return x << 32 | x >> 32;
}

/*
 * The trace SCOM, bit 0 the highest: sample 0:1, complement of load 2:33, event1 34:40, event2
 * 41:47, buffer 48:50.
 */
PMUMAP_DEF int pmumap_imc_trace_scom_encode(const struct pmumap_imc_trace_scom *fields,
					    uint64_t *scom)
{
	if (fields->sample > 3 || fields->event1 > 127 || fields->event2 > 127 ||
	    fields->buffer > 4)
		return 0;
	*scom = (uint64_t)fields->sample << 62 | (uint64_t)(uint32_t)~fields->load << 30 |
		(uint64_t)fields->event1 << 23 | (uint64_t)fields->event2 << 16 |
		(uint64_t)fields->buffer << 13;
	return 1;
}

/* The trace configuration, bit 0 the lowest: event 20:27, sample 28:29, load 30:61. */
PMUMAP_DEF int pmumap_imc_trace_config_decode(uint64_t config,
					      struct pmumap_imc_trace_config *fields)
{
	if ((config & 0xfffff) || config >> 62)
		return 0;
	fields->event = (uint32_t)(config >> 20) & 255;
	fields->sample = (uint32_t)(config >> 28) & 3;
	fields->load = (uint32_t)(config >> 30);
	return 1;
}
