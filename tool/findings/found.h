/* SPDX-License-Identifier: BSD-2-Clause
 *
 * found.h -- the findings of one file, and how a check reports one.
 */
#ifndef FOUND_H
#define FOUND_H

#include "findings.h"
#include "firmware/firmware.h"
#include "map/events.h"
#include "source/groups.h"
#include "text/text.h"

/* A finding and its place in a .dts. Line 0: unknown. */
struct found {
	struct pmumap_finding f;
	struct spot spot;
	uint32_t number; /* its position in the order of reports */
	/* In an event file, otherwise NULL: the event's name; the whole sentence. */
	const char *name;
	char *about;
};

struct group;

struct report {
	struct source source;
	struct lines lines;
	const struct events *core; /* the core's events as its vendor names them; may be empty */
	uint64_t options;
	uint32_t counters;            /* the core's counters; 0: unknown */
	int many;                     /* several files: each finding names its file */
	const char *explained[CODES]; /* by code: the fix that was printed last */
	uint32_t count[PMUMAP_ERROR + 1];
	struct found *found;
	uint32_t finds, ignored, ignored_errors;
	int misread; /* the node with a TABLE_LAYOUT; 0: none */
	struct odd_row *odd;
	uint32_t odds;
	struct group *groups;
	uint32_t used;
	enum firmware firmware;
	struct reading reading; /* how this firmware reads the node */
	struct source written;  /* the tree before straighten_rows(); no data: the same */
	struct reading shifted; /* how this firmware reads that */
};

/* Adds a finding to the report. */
void add_found(struct report *r, const struct found *found);

/* True if the texts are equal. Either may be NULL. */
int same(const char *a, const char *b);

/* True if the finding's row is a table row. IMC and AMU use the field for units, CPUs and so on. */
int has_rows(const struct pmumap_finding *f);

/* True if the row is a CPU number, as show prints it. */
int has_cpu(uint32_t code);

/* The place of the finding in a .dts. */
struct spot spot_of(struct report *r, const struct pmumap_finding *f);

/*
 * Identifies a mistake across edits that move its line: a hash of the code, the names of file, node
 * and property, the value, and the cells of its row. The file's folder does not matter.
 */
uint64_t fingerprint(struct report *r, const struct found *found);

/* True if the finding is about a place in memory that several counters share. */
int shares_place(uint32_t code);

/* Context of a tool check: the node in question and the report that receives findings. */
struct checker {
	struct report *r;
	int node;
	pmumap_report_fn *report;
};

/* Report a finding of the tool. code is one of TOOL_FINDING_LIST. */
void tell_mistake(const struct checker *c, int code, enum pmumap_severity severity,
		  const char *property, uint32_t row, uint64_t value);
void tell_conflict(const struct checker *c, int code, enum pmumap_severity severity,
		   const char *property, uint32_t row, const char *other_property, uint32_t other,
		   uint64_t value);

#endif /* FOUND_H */
