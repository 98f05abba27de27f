/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shared.h -- findings in a file that several boards include: each is told once.
 */
#ifndef SHARED_H
#define SHARED_H

#include "found.h"

/* Whether it is the first board with this finding, or does not share its line with others. */
int is_first(struct report *r, const struct found *found);

/*
 * Of the finding that is_first() was asked about last: whether other boards may have it, too. Then
 * the result is kept, until all boards are known.
 */
int keep_sarif(char *result);

/* Tells which boards the findings of shared lines affect, where there are several. */
void tell_shared(unsigned options);

#endif /* SHARED_H */
