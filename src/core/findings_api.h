/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings */
#pragma once

#include "core/api.h"

/* How bad a finding is. */
enum pmumap_severity {
	PMUMAP_NOTE = 1,    /* it is legal, and worth knowing */
	PMUMAP_WARNING = 2, /* this is probably a mistake */
	PMUMAP_ERROR = 3    /* the row, the node or the property is dropped */
};

#define PMUMAP_NO_NODE (-1)
#define PMUMAP_NO_ROW 0xffffffffu

/* A mistake in a tree. The comment on the kind's check function says what row and other count. */
struct pmumap_finding {
	uint32_t code;    /* from the kind's list of findings */
	const char *name; /* "raw-dead", as in that list */
	enum pmumap_severity severity;
	int node;             /* libfdt's offset of the node, or PMUMAP_NO_NODE for the whole map */
	const char *property; /* of row, or NULL; points into the tree, may hold any bytes */
	uint32_t row;         /* PMUMAP_NO_ROW: not about a single row */
	const char *other_property; /* the other row's property, or NULL */
	uint32_t other;             /* the other row of a conflict, or PMUMAP_NO_ROW */
	uint64_t value;             /* its meaning is in the list of findings */
};

/*
 * Your callback for each finding, which is valid until it returns. It must not use the builder or
 * the block, must not change the tree, and must return: no longjmp, no exception.
 */
typedef void pmumap_report_fn(void *arg, const struct pmumap_finding *finding);

/* "error", "warning" or "note" */
PMUMAP_API const char *pmumap_severity_str(enum pmumap_severity severity);
