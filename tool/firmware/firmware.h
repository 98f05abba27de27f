/* SPDX-License-Identifier: BSD-2-Clause
 *
 * firmware.h -- models of firmware: which rows of a riscv,pmu node each one keeps, and how it
 * answers for an event. tests/check/oracle.sh compares them with OpenSBI's own code.
 */
#ifndef FIRMWARE_H
#define FIRMWARE_H

#include "source/rows.h"

/*
 * Name for --firmware, name in a sentence. Only OpenSBI versions whose PMU code differs; oldest
 * first.
 */
#define FIRMWARE_LIST(X)                                                                           \
	X(OPENSBI_1_6, "opensbi-1.6", "OpenSBI 1.6")                                               \
	X(OPENSBI_1_7, "opensbi-1.7", "OpenSBI 1.7")                                               \
	X(OPENSBI_1_8, "opensbi-1.8", "OpenSBI 1.8")                                               \
	X(OPENSBI_1_9, "opensbi-1.9", "OpenSBI 1.9")                                               \
	X(RUSTSBI, "rustsbi", "RustSBI's prototyper")                                              \
	X(OWN, "pmumap", "firmware with pmumap")

enum firmware {
#define X(id, name, text) id,
	FIRMWARE_LIST(X) FIRMWARES
#undef X
};

#define NEWEST_OPENSBI OPENSBI_1_9
#define OPENSBI_ROWS_LIMIT 255u /* ranges and raw rows together; OpenSBI rejects the next one */

/* Reads the argument of --firmware. NULL: the newest OpenSBI. Returns an exit code. */
int read_firmware(const char *name, enum firmware *firmware);

/* For example "OpenSBI 1.9". */
const char *firmware_text(enum firmware firmware);

/* True for every version of OpenSBI. */
int is_opensbi(enum firmware firmware);

/*
 * A row that the firmware keeps. A range has select 0 and mask 0. A raw row covers both kinds of
 * raw events.
 */
struct kept_row {
	uint32_t first, last, counters;
	uint64_t select, mask;
};

/* Why the firmware stops reading. It reads ranges, then selectors, then raw rows. */
enum stop {
	STOP_NOT,
	STOP_ROW,   /* it rejects a row */
	STOP_FULL,  /* its array of rows is full */
	STOP_EMPTY, /* the table of selectors is empty, and allocating 0 bytes fails */
	STOP_PANIC  /* a table's size is not a multiple of the row size: the hart halts */
};

/* How a firmware reads a node. Zero it before use and unload it at the end. */
struct reading {
	const struct source *source; /* NULL: not read yet */
	enum firmware firmware;
	int node; /* negative: none */
	enum tables tables;
	uint32_t hart;      /* counters of the hart */
	uint32_t features;  /* PMUMAP_SSCOFPMF, PMUMAP_SMCNTRPMF */
	const uint64_t *id; /* the answers are for this hart; NULL: for all */
	struct kept_row *rows;
	uint32_t kept;
	uint32_t selectors; /* rows in the table of selectors */
	enum stop stop;
	const char *property; /* where reading stops: before this row of this property */
	uint32_t row;
	uint32_t lost; /* rows of all tables that it does not reach */
};

/*
 * The node that a firmware reads: the one of --node or --hart; otherwise OpenSBI's first, RustSBI's
 * last, and for pmumap the node of the first hart that has one. Negative: none.
 */
int node_for(enum firmware firmware, const struct source *source, const struct input *input);

/* counters: of the hart; 0: all that the tree names. id: of one hart, or NULL. */
struct reading read_as(enum firmware firmware, const struct source *source, int node,
		       uint32_t counters, const uint64_t *id);
void unload_reading(struct reading *r);

/*
 * True if some hart lists Sscofpmf but not Smcntrpmf, so mcycle and minstret cannot exclude modes.
 * OpenSBI from 1.9 on and pmumap's server then do not hand them out.
 */
int denies_fixed(const struct reading *r);

/* Why an event is not counted, or not counted as intended. */
enum reason {
	REASON_NONE,
	REASON_UNKNOWN, /* not an SBI event */
	REASON_NO_NODE,
	REASON_TABLES, /* the node has no tables, or no longer has them */
	REASON_PANIC,
	REASON_NOT_READ, /* reading stops before the event's row */
	REASON_REFUSED,  /* the event's row overlaps an earlier one */
	REASON_NO_ROW,
	REASON_NO_COUNTER, /* the row names no counter that the hart has and that may count it */
	REASON_DENIED,     /* see denies_fixed() */
	REASON_NO_SELECTOR,
	REASON_ZERO,     /* 0 in mhpmevent counts nothing */
	REASON_FIRMWARE, /* RustSBI implements few firmware events */
	/* With the following reasons, the event is counted. */
	REASON_BY_FIRMWARE, /* without a counter of the hart */
	REASON_UNLISTED,    /* EVENT_GET_INFO reports it as unsupported */
	REASON_SELECTOR,    /* reading stops before the event's selector */
	REASON_BY_NUMBER    /* mhpmevent gets the event's own number */
};

/* The answer for an event. counters: all that it gets by asking for one after the other. */
struct verdict {
	int counts;
	uint32_t counters;
	int has_value;
	uint64_t value; /* of mhpmevent, without the mode and overflow bits */
	enum reason reason;
	uint32_t event; /* as asked */
	uint64_t data;
};
struct verdict ask_firmware(const struct reading *r, uint32_t event, uint64_t data);

/* The answer of OpenSBI's EVENT_GET_INFO. */
int opensbi_lists(const struct reading *r, uint32_t event, uint64_t data);

/* Prints the reason as a sentence without the full stop. */
void put_verdict(FILE *out, const struct reading *r, const struct verdict *v);

#endif /* FIRMWARE_H */
