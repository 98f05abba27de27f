/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suggest.h -- what was probably meant: the nearest of the words that are known.
 */
#ifndef SUGGEST_H
#define SUGGEST_H

#include "text/text.h"

#define WORD_LIMIT 64u /* of a longer word nothing is suggested */

struct nearest {
	const char *word; /* what was typed */
	char best[WORD_LIMIT];
	unsigned distance; /* of best; as far as it may be: about a third of the word */
};

/* A search for what is near this word; nothing is found yet. */
struct nearest nearest_to(const char *word);

/* Takes the candidate, if it is nearer than the best so far. */
void consider(struct nearest *n, const char *candidate);

/* " (did you mean show?)", or nothing. */
struct text meant(const struct nearest *n);

/* What to write instead of it, if it is an event in a spelling of perf's; else as meant(). */
struct text hint_of(const char *word);

/* The names that perf has for events of SBI: one for each, in the order of their numbers. */
void each_perf_event(void (*use)(void *arg, const char *name), void *arg);

/* The names of events: perf's, then SBI's, each also without its prefix. */
void each_event_name(void (*use)(void *arg, const char *name), void *arg);

/* The nearest name of an event: SBI's, the same without its prefix, or one of perf's. */
struct nearest nearest_event(const char *word);

#endif /* SUGGEST_H */
