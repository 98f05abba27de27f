/* SPDX-License-Identifier: BSD-2-Clause
 *
 * found.h -- what was found in one file, and how a check reports a finding.
 */
#ifndef FOUND_H
#define FOUND_H

#include "findings.h"
#include "firmware/firmware.h"
#include "map/events.h"
#include "source/guess.h"
#include "source/lines.h"
#include "text/text.h"

/* A finding, and where it is in a .dts: line 0 if that is not known. */
struct found {
	struct pmumap_finding f;
	struct spot spot;
	uint32_t number; /* in the order in which they were reported */
};

struct group;

struct report {
	struct source source;
	struct lines lines;
	const struct events *core; /* as its vendor names them; may be empty */
	unsigned options;
	uint32_t counters;              /* of the core; 0: that is not known */
	int many;                       /* files: each finding says of which it is */
	unsigned char explained[CODES]; /* by code: 1, its sentences were printed */
	uint32_t count[PMUMAP_ERROR + 1];
	struct found *found;
	uint32_t finds, ignored;
	struct odd_row *odd;
	uint32_t odds;
	struct group *groups;
	uint32_t used;
	enum firmware firmware;
	struct reading reading; /* how that reads the node in use */
};

/* Whether two texts are equal; each may be NULL. */
int same(const char *a, const char *b);

/* Whether the finding's row is that of a table. IMC and AMU have units, CPUs ... instead. */
int has_rows(const struct pmumap_finding *f);

/* Whether the row is the number that show gives a CPU. */
int has_cpu(uint32_t code);

/* Where the finding is, in a .dts. */
struct spot spot_of(struct report *r, const struct pmumap_finding *f);

/*
 * The same for the same mistake in the same node, wherever its line and file have moved to: from
 * the code, the names of file, node and property, and the value.
 */
uint64_t fingerprint(struct report *r, const struct found *found);

/* Whether it is about a place in memory that counters share. */
int shares_place(uint32_t code);

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

#endif /* FOUND_H */
