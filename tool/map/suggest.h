/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suggest.h -- suggests the known word that is closest to a mistyped one.
 */
#ifndef SUGGEST_H
#define SUGGEST_H

#include "text/text.h"
#include "events.h"

#define WORD_LIMIT 64u /* a longer word gets no suggestion */

struct nearest {
	const char *word; /* as typed */
	char best[WORD_LIMIT];
	unsigned distance; /* of best, at first the limit: about a third of the word */
};

/* Starts a search for the known word closest to this one. */
struct nearest nearest_to(const char *word);

/* Keeps the candidate if it is closer than the best so far. */
void consider(struct nearest *n, const char *candidate);

/* " (did you mean show?)", or "". */
struct text meant(const struct nearest *n);

/* For an event in perf's spelling: the spelling to use here. Otherwise the same as meant(). */
struct text hint_of(const char *word);

/* Events that need no PMU: perf's own make no samples. IN_KERNEL: user mode never does. */
enum software { SOFTWARE_NOT, SOFTWARE, SOFTWARE_IN_KERNEL, SOFTWARE_OF_PERF };
enum software software_event(const char *name);
#define COUNTED_BY_LINUX "Linux counts it itself, without the PMU"

/* True for the name of an event or a term (cpu/period=9/) of perf's own, in any case. */
int is_perfs_own(const char *name);

/* perf's names for SBI events: one per event, ordered by number. */
void each_perf_event(void (*use)(void *arg, const char *name), void *arg);

/* False for a name that is built like perf's, but that perf does not know, and for r0x11. */
int perf_parses(const char *name);

/* All names of events: perf's, then SBI's, each with and without its prefix. */
void each_event_name(void (*use)(void *arg, const char *name), void *arg);

/* The closest name of an event: SBI's with or without its prefix, or one of perf's. */
struct nearest nearest_event(const char *word);

/* ---- events as perf's -e spells them --------------------------------------------------------- */
/* What modifiers exclude, such as cycles:u the kernel and the hypervisor. */
enum {
	EXCLUDE_USER = 1,
	EXCLUDE_KERNEL = 2,
	EXCLUDE_HYPERVISOR = 4,
	EXCLUDE_GUEST = 8,
	EXCLUDE_HOST = 16,
	EXCLUDE_IDLE = 32
};

/*
 * Tries parse_event() first, then perf's spellings: cpu/cache-misses/, cpu/event=0x5,firmware=2/,
 * r0x5, each with optional modifiers. *excluded: modes in which it does not count.
 */
int parse_spelling(const struct events *events, const char *text, size_t length, uint32_t *event,
		   uint64_t *data, unsigned *excluded);

/* Arguments in the syntax of perf's -e: a,b,{c,d} are four events. Unload it at the end. */
struct queries {
	char **list;
	int count;
};
struct queries split_queries(char *const *args, int count);
void unload_queries(struct queries *queries);

#endif /* SUGGEST_H */
