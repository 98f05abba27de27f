/* SPDX-License-Identifier: BSD-2-Clause
 *
 * spelling.h -- events as perf's -e spells them: cpu/cache-misses/, cpu/event=0x5,firmware=2/,
 * r0x5, each with optional modifiers (cycles:u).
 */
#ifndef SPELLING_H
#define SPELLING_H

#include "events.h"

/* What modifiers exclude, such as cycles:u the kernel and the hypervisor. */
enum {
	EXCLUDE_USER = 1,
	EXCLUDE_KERNEL = 2,
	EXCLUDE_HYPERVISOR = 4,
	EXCLUDE_GUEST = 8,
	EXCLUDE_HOST = 16,
	EXCLUDE_IDLE = 32
};

/* Tries parse_event() first, then perf's spellings. *excluded: modes in which it does not count. */
int parse_spelling(const struct events *events, const char *text, size_t length, uint32_t *event,
		   uint64_t *data, unsigned *excluded);

/* Arguments in the syntax of perf's -e: a,b,{c,d} are four events. Unload it at the end. */
struct queries {
	char **list;
	int count;
};
struct queries split_queries(char *const *args, int count);
void unload_queries(struct queries *queries);

#endif /* SPELLING_H */
