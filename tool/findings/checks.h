/* SPDX-License-Identifier: BSD-2-Clause
 *
 * checks.h -- the tool's own checks. Each reports what it finds.
 */
#ifndef CHECKS_H
#define CHECKS_H

#include "found.h"

/*
 * Rows of a .dts with too few or too many cells. Before the map is built, straighten_rows() notes
 * them and puts rows of the right width in their place. Findings about such a row (has_odd_row())
 * are dropped. check_cells() reports the rows themselves.
 */
void straighten_rows(struct report *r, const struct input *input);
int has_odd_row(const struct report *r, const struct pmumap_finding *f);
void check_cells(struct report *r, const struct input *input, pmumap_report_fn *report);

/* Returns that row if it has too few or too many cells, else NULL. */
const struct odd_row *odd_row(const struct report *r, const char *property, uint32_t row);

/*
 * For the finding trailing-bytes: returns the first row whose values make no sense, or the number
 * of rows if all make sense. PMUMAP_NO_ROW: the cells left over are 0, or the table's name is one
 * of 2021.
 */
uint32_t senseless_row(const struct report *r, const struct pmumap_finding *f);

/* Whether the mask ignores the upper 32 bits. Then mask-half is reported instead of raw-wide. */
int is_half(uint64_t mask);

/* Reports mistakes that a single RISC-V row shows. */
void check_rows(const struct checker *c);

/*
 * Reports what OpenSBI makes of the node: missing tables, rows that it does not read, cycles and
 * instructions that it does not support, events whose number selects another event.
 * is_replaced(): one of these findings says more about the fixed counters than f, so f is dropped.
 */
void check_opensbi(const struct checker *c);
int is_replaced(struct report *r, const struct pmumap_finding *f);

/* How the firmware that check was asked about reads the node. */
const struct reading *reading_of(struct report *r, int node);

/*
 * With --firmware: what that makes of the finding's event, a sentence to be freed; "" where the
 * option is not given, or the finding is about no event.
 */
char *here(struct report *r, const struct pmumap_finding *f);

/* Whether it does not count that event at all: then a note is a warning. */
int is_lost_here(struct report *r, const struct pmumap_finding *f);

/* Reports AMU views that have counters, but no CPU. Trees without CPUs are not checked. */
void check_views(const struct checker *c);

/*
 * Reports other likely mistakes of the tree; those in rows only if there is a map.
 * like_property(): the known name that is most similar to the property's, or "".
 */
void check_tree(struct report *r, const struct input *input, pmumap_report_fn *report);
struct text like_property(const struct source *source, int node, const char *name);

/*
 * Reports where the tree and the vendor's file of the core's events disagree. The others print such
 * a finding: put_vendor() the end of its line, put_refused() the lines below it, json_vendor() its
 * JSON.
 */
void check_events(struct report *r, const struct input *input, pmumap_report_fn *report);
void put_vendor(FILE *out, struct report *r, const struct pmumap_finding *f);
void put_refused(struct report *r, const struct pmumap_finding *f);
void json_vendor(struct report *r, const struct pmumap_finding *f);

#endif /* CHECKS_H */
