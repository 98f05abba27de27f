/* SPDX-License-Identifier: BSD-2-Clause
 *
 * spelling.h -- events as perf's -e spells them: cpu/cache-misses/, cpu/event=0x5,firmware=2/,
 * r0x5, each with optional modifiers (cycles:u).
 */
#ifndef SPELLING_H
#define SPELLING_H

#include "events.h"

/*
 * Tries parse_event() first, then perf's spellings. *modes: 1 if a modifier restricts the modes in
 * which the event counts.
 */
int parse_spelling(const struct events *events, const char *text, size_t length, uint32_t *event,
		   uint64_t *data, int *modes);

/* Arguments in the syntax of perf's -e: a,b,{c,d} are four events. Unload it at the end. */
struct queries {
	char **list;
	int count;
};
struct queries split_queries(char *const *args, int count);
void unload_queries(struct queries *queries);

#endif /* SPELLING_H */
