/* SPDX-License-Identifier: BSD-2-Clause
 *
 * checks.h -- the tool's own checks.
 */
#ifndef CHECKS_H
#define CHECKS_H

#include "found.h"

/*
 * Handles rows of a .dts with too few or too many cells. straighten_rows() runs before the map is
 * built: it records such rows and replaces them by rows of the right width. Findings about them
 * (has_odd_row()) are dropped; check_cells() reports the rows themselves.
 */
void straighten_rows(struct report *r, const struct input *input);
int has_odd_row(const struct report *r, const struct pmumap_finding *f);
void check_cells(struct report *r, const struct input *input, pmumap_report_fn *report);

/* Returns the record of such a row, or NULL if its width is right. */
const struct odd_row *odd_row(const struct report *r, const char *property, uint32_t row);

/*
 * For trailing-bytes: returns the first row whose values make no sense, or the number of rows if
 * all make sense. Returns PMUMAP_NO_ROW if the cells left over are 0, or the table has its name of
 * 2021.
 */
uint32_t senseless_row(const struct report *r, const struct pmumap_finding *f);

/* True if the mask ignores the upper 32 bits. Then mask-half is reported instead of raw-wide. */
int is_half(uint64_t mask);

/*
 * What a table of the node holds instead of its rows, or NULL. check_layout() reports it, and
 * returns whether any table is misread: no other finding of the node then means anything.
 */
const char *layout_of(const struct source *source, int node, unsigned table);
int check_layout(const struct checker *c);

/* Reports mistakes within a single RISC-V row. */
void check_rows(const struct checker *c);

/*
 * Reports how OpenSBI misreads the node: missing tables, rows it does not read, cycles and
 * instructions it does not support, events whose number selects another event. is_replaced(): true
 * if one of these findings says more about the fixed counters than f does. f is then dropped.
 */
void check_opensbi(const struct checker *c);
int is_replaced(struct report *r, const struct pmumap_finding *f);

/* How the firmware that --firmware names reads the node. */
const struct reading *reading_of(struct report *r, int node);

/*
 * With --firmware: a sentence on what this firmware does with the finding's event. "" without the
 * option, or if the finding is about no event. The caller frees it.
 */
char *here(struct report *r, const struct pmumap_finding *f);

/* True if this firmware does not count the event at all. A note then becomes a warning. */
int is_lost_here(struct report *r, const struct pmumap_finding *f);

/* Reports impossible chips of IMC units, and what perf cannot use. */
void check_imc(struct checker *c);

/*
 * Reports other likely mistakes of the tree. Mistakes in rows need a map. like_property(): the
 * known name that is most similar to the property's, or "".
 */
void check_tree(struct report *r, const struct input *input, pmumap_report_fn *report);
struct text like_property(const struct source *source, int node, const char *name);

/*
 * Reports where the tree and the core's event file disagree. put_vendor() ends the line of such a
 * finding, json_vendor() writes its JSON.
 */
void check_events(struct report *r, const struct input *input, pmumap_report_fn *report);
void put_vendor(FILE *out, struct report *r, const struct pmumap_finding *f);
void json_vendor(struct report *r, const struct pmumap_finding *f);

/*
 * Reports mistakes in the event file that the report is about; r->core has its entries. map: the
 * tree to compare it with, or NULL.
 */
void check_entries(struct report *r, const struct pmumap *map);

#endif /* CHECKS_H */
