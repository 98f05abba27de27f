/* SPDX-License-Identifier: BSD-2-Clause
 *
 * groups.h -- groups similar findings.
 */
#ifndef CHECK_GROUPS_H
#define CHECK_GROUPS_H

#include "findings/report.h"

/* Findings of one kind. The first few are shown in full; for the rest only their places are. */
struct group {
	struct found *shown;
	uint32_t kept, count, spans;
	struct {
		uint64_t first, last;
	} span[8]; /* of rows, of CPUs, or of the offsets of clashes */
	int cut;   /* true if span[] was too small */
};

/* Adds a finding to the group of its kind and property, or starts a new group. */
void add_to_groups(struct report *r, const struct found *found);

/* Prints a group, and the explanation if this kind was not explained before. */
void put_group(struct report *r, const struct group *g);

#endif /* CHECK_GROUPS_H */
