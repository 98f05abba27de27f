/* SPDX-License-Identifier: BSD-2-Clause */
/* The states of counters, and to start and stop one */
#pragma once

#include "riscv/tables.h"
#include "core/bits.h"
#include "server/api.h"

/* Shift a set by n, below 64. On 32-bit machines compilers would call a library for that. */
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

/* The set of counter n alone. */
static inline uint64_t pmumap_server_set_of_(uint32_t n)
{
	return pmumap_server_shift_up_(1, n);
}

/* The lowest number in a set; there is one. */
static inline uint32_t pmumap_server_lowest_number_(uint64_t set)
{
	uint32_t low = (uint32_t)(set & 0xffffffffu);

	return low ? pmumap_lowest_bit_(low) : 32 + pmumap_lowest_bit_((uint32_t)(set >> 32));
}

/*
 * The set of a call: bit i of the mask a[1] is number a[0] + i. Returns 0 if it is empty, or if one
 * of its members is above all counters.
 */
static inline int pmumap_server_take_set_(const struct pmumap_server *s, const uint64_t *a,
					  uint64_t *set)
{
	if (a[0] >= s->total || a[1] - 1 >= pmumap_server_shift_down_(s->numbers, (uint32_t)a[0]))
		return 0;
	*set = pmumap_server_shift_up_(a[1], (uint32_t)a[0]);
	return 1;
}

/* Firmware counter i of a state, which may have others than the array of this file. */
static inline struct pmumap_server_fw *pmumap_server_firmware_(struct pmumap_server *s, uint32_t i)
{
	struct pmumap_server_fw *first = s->fw;

	return first + i;
}

/* Start counter n, which is configured; value: what it counts from, or NULL: as it is. */
static inline void pmumap_server_start_counter_(struct pmumap_server *s, uint32_t n,
						const uint64_t *value)
{
	if (n < s->hardware)
		s->pmu->start(s->pmu->arg, n, value);
	else if (value)
		pmumap_server_firmware_(s, n - s->hardware)->value = *value;
	s->started |= pmumap_server_set_of_(n);
}

/* Stop counter n, which is configured; release: it is then no longer configured. */
static inline void pmumap_server_stop_counter_(struct pmumap_server *s, uint32_t n, int release)
{
	uint64_t others = ~pmumap_server_set_of_(n);

	if (n < s->hardware)
		s->pmu->stop(s->pmu->arg, n, release);
	s->started &= others;
	if (release)
		s->configured &= others;
}
