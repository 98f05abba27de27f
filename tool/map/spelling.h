/* SPDX-License-Identifier: BSD-2-Clause
 *
 * spelling.h -- events as perf's -e takes them: cpu/cache-misses/, cpu/event=0x5,firmware=2/, r0x5,
 * each with modifiers behind it (cycles:u).
 */
#ifndef SPELLING_H
#define SPELLING_H

#include "events.h"

/*
 * As parse_event(), which is asked first, or such a spelling. *modes: 1 if a modifier says in which
 * modes of the hart the event counts.
 */
int parse_spelling(const struct events *events, const char *text, size_t length, uint32_t *event,
		   uint64_t *data, int *modes);

/* Arguments as perf's -e takes them: a,b,{c,d} are four events. To be unloaded. */
struct queries {
	char **list;
	int count;
};
struct queries split_queries(char *const *args, int count);
void unload_queries(struct queries *queries);

#endif /* SPELLING_H */
