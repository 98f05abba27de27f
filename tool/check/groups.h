/* SPDX-License-Identifier: BSD-2-Clause
 *
 * groups.h -- drops, groups, sorts and prints a file's findings.
 */
#ifndef CHECK_GROUPS_H
#define CHECK_GROUPS_H

#include "findings/report.h"

/* Drops consequences of other findings. Finds the places of the rest, and drops ignored ones. */
void drop_ignored(struct report *r);

/* Prints all findings in line order. */
void put_findings(struct report *r);

#endif /* CHECK_GROUPS_H */
