/* SPDX-License-Identifier: BSD-2-Clause
 *
 * attack.h -- calls of a guest that reach for what is not its own: each is an error, and its memory
 * stays as it is.
 */
#ifndef ATTACK_H
#define ATTACK_H

#include "check.h"
#include <stdint.h>
#include <stdlib.h>

enum { ATTACK_MATCH = 2, ATTACK_START, ATTACK_STOP, ATTACK_FW_READ, ATTACK_EVENTS = 8 };

/*
 * call: a call with four arguments, which returns its error. The guest's memory is at ram, here at
 * memory; firmware: the number of its first firmware counter; ones: of a register.
 */
static void attack(int (*call)(unsigned long function, uint64_t a0, uint64_t a1, uint64_t a2,
			       uint64_t a3),
		   uint64_t ram, const void *memory, size_t bytes, uint64_t firmware, uint64_t ones)
{
	const struct {
		unsigned long function;
		uint64_t a[4];
		int error; /* 1: any */
	} calls[] = {
		/* A size or an end that wraps. */
		{ ATTACK_EVENTS, { ram, 0, (ones >> 4) + 1, 0 }, -3 },
		{ ATTACK_EVENTS, { ram, 0, (ones >> 4) + 2, 0 }, -3 },
		{ ATTACK_EVENTS, { ram, 0, (ones - ram) / 16 + 1, 0 }, -3 },
		{ ATTACK_EVENTS, { ones - 15, 0, 1, 0 }, -5 },
		{ ATTACK_EVENTS, { ones - 15, 0, 2, 0 }, -5 },
		{ ATTACK_EVENTS, { ones - 15, ones, 2, 0 }, -5 },
		/* More than may be asked at once. */
		{ ATTACK_EVENTS, { ram, 0, 4097, 0 }, -3 },
		{ ATTACK_EVENTS, { ram, 0, ones, 0 }, -3 },
		/* Memory that is not there, or not all of it. */
		{ ATTACK_EVENTS, { ram + bytes, 0, 1, 0 }, -5 },
		{ ATTACK_EVENTS, { ram + bytes - 16, 0, 2, 0 }, -5 },
		{ ATTACK_EVENTS, { (ram - 16) & ones, 0, 2, 0 }, -5 },
		{ ATTACK_EVENTS, { ram, 1, 1, 0 }, -5 },
		/* Counters that cannot count the event, or are none. */
		{ ATTACK_MATCH, { 0, 1, 3, 0xf0005 }, 1 },
		{ ATTACK_MATCH, { 0, 1, 7, 0xf0005 }, 1 },
		{ ATTACK_MATCH, { firmware, 1, 3, 1 }, 1 },
		{ ATTACK_MATCH, { 1, 1, 3, 1 }, 1 },
		{ ATTACK_MATCH, { firmware + 16, 1, 3, 0xf0005 }, -3 },
		{ ATTACK_MATCH, { ones, 3, 3, 0xf0005 }, -3 },
		{ ATTACK_MATCH, { ones - 30, (uint64_t)1 << 31 | 1, 3, 0xf0005 }, -3 },
		{ ATTACK_START, { ones, 2, 0, 0 }, -3 },
		{ ATTACK_STOP, { ones, 2, 1, 0 }, -3 },
		{ ATTACK_FW_READ, { 0, 0, 0, 0 }, -3 },
		{ ATTACK_FW_READ, { ones, 0, 0, 0 }, -3 },
		{ ATTACK_FW_READ, { firmware + 16, 0, 0, 0 }, -3 },
	};
	void *before = malloc(bytes);
	size_t i;

	__builtin_memcpy(before, memory, bytes);
	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		const uint64_t *a = calls[i].a;
		const int error = call(calls[i].function, a[0], a[1], a[2], a[3]);

		if (calls[i].error == 1 ? error >= 0 : error != calls[i].error)
			printf("attack %d:\n", (int)i);
		IS(calls[i].error == 1 && error < 0 ? 1 : error, calls[i].error);
	}
	IS(__builtin_memcmp(before, memory, bytes), 0);
	free(before);
}

#endif /* ATTACK_H */
