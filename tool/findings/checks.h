/* SPDX-License-Identifier: BSD-2-Clause
 *
 * checks.h -- the checks of the tool's own: each reports what it finds.
 */
#ifndef CHECKS_H
#define CHECKS_H

#include "found.h"

/*
 * Of a .dts, before its map is built: notes the rows that have too few or too many cells, and puts
 * whole ones in their place. Whether a finding is about one of these; then, they are reported.
 */
void straighten_rows(struct report *r, const char *node);
int has_odd_row(const struct report *r, const struct pmumap_finding *f);
void check_cells(struct report *r, const char *node, pmumap_report_fn *report);

/* That row of a finding; NULL: it is none. */
const struct odd_row *odd_row(const struct report *r, const char *property, uint32_t row);

/*
 * Of a table with cells left over that are no zeros: the first row that cannot be meant, the one
 * behind the last where each can. PMUMAP_NO_ROW: they are zeros, or the table is one of 2021.
 */
uint32_t senseless_row(const struct report *r, const struct pmumap_finding *f);

/* Whether the mask compares nothing of the upper half: then that comes before it is too wide. */
int is_half(uint64_t mask);

/* Finds mistakes that one row of RISC-V shows. */
void check_rows(const struct checker *c);

/*
 * Finds what OpenSBI makes of the node: tables that are not there, rows that it does not read,
 * cycles and instructions that it denies, events whose number selects another event. Whether one
 * of these findings says more about fixed counters than this one does.
 */
void check_opensbi(const struct checker *c);
int is_replaced(struct report *r, const struct pmumap_finding *f);

/* Finds views with counters that no CPU points to, unless there is no CPU at all. */
void check_views(const struct checker *c);

/*
 * Reports what else looks like a mistake. It needs a tree, and rows only if there is a map. The
 * name that a property is near to, or "".
 */
void check_tree(struct report *r, const char *node, pmumap_report_fn *report);
struct text like_property(const struct source *source, int node, const char *name);

/*
 * With the core's events: reports where tree and file disagree; node: the path that was asked for,
 * or NULL. The end of the sentence, the lines below it, and what JSON tells of such a finding.
 */
void check_events(struct report *r, const char *node, pmumap_report_fn *report);
void put_vendor(FILE *out, struct report *r, const struct pmumap_finding *f);
void put_refused(struct report *r, const struct pmumap_finding *f);
void json_vendor(struct report *r, const struct pmumap_finding *f);

#endif /* CHECKS_H */
