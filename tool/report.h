/* SPDX-License-Identifier: BSD-2-Clause
 *
 * report.h -- what the verb check has found in one file, and how it tells one finding: in a line of
 * text, of JSON, as a result of SARIF.
 */
#ifndef REPORT_H
#define REPORT_H

#include "events.h"
#include "lines.h"
#include "opensbi.h"
#include "text.h"

/* A finding, and where it is in a .dts: line 0 if that is not known. */
struct found {
	struct pmumap_finding f;
	struct spot spot;
	uint32_t number; /* in the order in which they were reported */
};

/* A row of a .dts that has too few or too many cells, and what it may have meant. */
struct odd_row {
	const char *property;
	uint32_t row, cells;
	uint32_t meant[5];
	uint32_t lacks; /* the only cell that can be missing; PMUMAP_NO_ROW: others can be, too */
};

struct group;

struct report {
	struct source source;
	struct lines lines;
	const struct events *core; /* as its vendor names them; may be empty */
	unsigned options;
	uint32_t counters;            /* of the core; 0: that is not known */
	int many;                     /* files: each finding says of which it is */
	unsigned char explained[256]; /* by code: 1, its sentences were printed */
	uint32_t count[PMUMAP_ERROR + 1];
	struct found *found;
	uint32_t finds;
	struct odd_row *odd;
	uint32_t odds;
	struct group *groups;
	uint32_t used;
	struct opensbi opensbi; /* of the node in use */
};

/* Whether two texts are equal; each may be NULL. */
int same(const char *a, const char *b);

/* Whether the finding's row is that of a table. IMC and AMU have units, CPUs ... instead. */
int has_rows(const struct pmumap_finding *f);

/* Whether the row is the number that show gives a CPU. */
int has_cpu(enum pmumap_code code);

/* Where the finding is, in a .dts. */
struct spot spot_of(struct report *r, const struct pmumap_finding *f);

/* The finding in one sentence; to be freed. */
char *describe(struct report *r, const struct pmumap_finding *f);

void finding_text(struct report *r, const struct found *found);
void finding_json(struct report *r, const struct found *found);

/*
 * A log of SARIF 2.1.0 on stdout: its begin, its results, its end. code: the exit code;
 * notifications: of each file that could not be checked, why; the last complaint is what
 * sarif_notification() adds to them.
 */
void begin_sarif(void);
void finding_sarif(struct report *r, const struct found *found);
void sarif_notification(FILE *out, const char *file);
void end_sarif(int code, const char *notifications);

/* Whether it is about a place in memory that counters share. */
int shares_place(enum pmumap_code code);

/* IMC: the sentence of such a finding; what JSON tells of the units of a finding. */
void put_clash(FILE *out, const struct pmumap *map, const struct pmumap_finding *f);
void json_units(const struct pmumap *map, const struct pmumap_finding *f);

/* What the tool itself looks for: in which node, and who is told. */
struct checker {
	struct report *r;
	int node;
	pmumap_report_fn *report;
};

/* Report a finding of the tool's own: code is one of TOOL_FINDING_LIST. */
void tell_mistake(const struct checker *c, int code, enum pmumap_severity severity,
		  const char *property, uint32_t row, uint64_t value);
void tell_conflict(const struct checker *c, int code, enum pmumap_severity severity,
		   const char *property, uint32_t row, const char *other_property, uint32_t other,
		   uint64_t value);

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

#endif /* REPORT_H */
