/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shared.h -- findings in a file that several boards include: each is told once.
 */
#ifndef SHARED_H
#define SHARED_H

#include "found.h"

/* Whether it is the first board with this finding, or does not share its line with others. */
int is_first(struct report *r, const struct found *found);

/* Tells which boards the findings of shared lines affect, where there are several. */
void tell_shared(unsigned options);

#endif /* SHARED_H */
