/* SPDX-License-Identifier: BSD-2-Clause */
/* Counter states; start and stop one counter */
#pragma once

#include "riscv/tables.h"
#include "core/bits.h"
#include "server/api.h"

/* Shift a set left by n, below 64, without libgcc on 32-bit machines. */
static inline uint64_t pmumap_server_shift_up_(uint64_t set, uint32_t n)
{
#if defined(__SIZEOF_POINTER__) && __SIZEOF_POINTER__ < 8
	uint32_t low = (uint32_t)(set & 0xffffffffu), high = (uint32_t)(set >> 32);

	if (n & 32) {
		high = low;
		low = 0;
	}
	n &= 31;
	high = high << n | low >> 1 >> (31 - n);
	return low << n | (uint64_t)high << 32;
#else
	return set << n;
#endif
}

/* The same to the right. */
static inline uint64_t pmumap_server_shift_down_(uint64_t set, uint32_t n)
{
#if defined(__SIZEOF_POINTER__) && __SIZEOF_POINTER__ < 8
	uint32_t low = (uint32_t)(set & 0xffffffffu), high = (uint32_t)(set >> 32);

	if (n & 32) {
		low = high;
		high = 0;
	}
	n &= 31;
	low = low >> n | high << 1 << (31 - n);
	return low | (uint64_t)(high >> n) << 32;
#else
	return set >> n;
#endif
}

static inline uint64_t pmumap_server_set_of_(uint32_t n)
{
	return pmumap_server_shift_up_(1, n);
}

/* The lowest number in a set that is not empty. */
static inline uint32_t pmumap_server_lowest_number_(uint64_t set)
{
	uint32_t low = (uint32_t)(set & 0xffffffffu);

	return low ? pmumap_lowest_bit_(low) : 32 + pmumap_lowest_bit_((uint32_t)(set >> 32));
}

/*
 * Decode a call's set: bit i of the mask a[1] is counter a[0] + i. Returns 0 if it is empty or has
 * a member above all counters.
 */
static inline int pmumap_server_take_set_(const struct pmumap_server *s, const uint64_t *a,
					  uint64_t *set)
{
	if (a[0] >= s->total || a[1] - 1 >= pmumap_server_shift_down_(s->numbers, (uint32_t)a[0]))
		return 0;
	*set = pmumap_server_shift_up_(a[1], (uint32_t)a[0]);
	return 1;
}

/* Firmware counter i. The array of this file may be shorter, hence the pointer. */
static inline struct pmumap_server_fw *pmumap_server_firmware_(struct pmumap_server *s, uint32_t i)
{
	struct pmumap_server_fw *first = s->fw;

	return first + i;
}

/* Start configured counter n at *value; with NULL, continue. */
static inline void pmumap_server_start_counter_(struct pmumap_server *s, uint32_t n,
						const uint64_t *value)
{
	if (n < s->hardware)
		s->pmu->start(s->pmu->arg, n, value);
	else if (value)
		pmumap_server_firmware_(s, n - s->hardware)->value = *value;
	s->started |= pmumap_server_set_of_(n);
}

/* Stop configured counter n; release: it loses its event. */
static inline void pmumap_server_stop_counter_(struct pmumap_server *s, uint32_t n, int release)
{
	uint64_t others = ~pmumap_server_set_of_(n);

	if (n < s->hardware)
		s->pmu->stop(s->pmu->arg, n, release);
	s->started &= others;
	if (release)
		s->configured &= others;
}
