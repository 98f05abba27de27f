/* SPDX-License-Identifier: BSD-2-Clause
 *
 * groups.h -- findings that are alike.
 */
#ifndef GROUPS_H
#define GROUPS_H

#include "findings/report.h"

/* Findings of one kind: some in full, of the others where they are. */
struct group {
	struct found *shown;
	uint32_t kept, count, spans;
	struct {
		uint64_t first, last;
	} span[8]; /* of rows, of CPUs, or of the offsets of clashes */
	int cut;   /* there are more than these */
};

/* Adds one to those like it: of its kind, and about its property. */
void add_to_groups(struct report *r, const struct found *found);

/* Prints them, and what the first of its kind means. */
void put_group(struct report *r, const struct group *g);

#endif /* GROUPS_H */
