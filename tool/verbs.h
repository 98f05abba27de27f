/* SPDX-License-Identifier: BSD-2-Clause
 *
 * verbs.h -- the verbs: what each is called, takes and does. A new one is a folder with its
 * function, and an entry in verbs.c, from which --help and the pages are made.
 */
#ifndef VERBS_H
#define VERBS_H

#include "source/request.h"

struct verb {
	const char *name, *arguments, *what;
	int (*run)(const struct request *request); /* returns the exit code */
	unsigned options;                          /* that it takes */
	const char *details, *example;
};

extern const struct verb verbs[]; /* the last one has no name */

/* NULL: there is none of that name. */
const struct verb *find_verb(const char *name);

/* Prints what a verb does, its options, an example; of NULL, all verbs. */
void help(const struct verb *verb);

#endif /* VERBS_H */
