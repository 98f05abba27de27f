/* SPDX-License-Identifier: BSD-2-Clause
 *
 * firmware.h -- models of firmware: which rows of a riscv,pmu node each of them keeps, and what it
 * answers for an event. tests/check/oracle.sh compares them with OpenSBI's own code.
 */
#ifndef FIRMWARE_H
#define FIRMWARE_H

#include "source/rows.h"
#include "source/tables.h"

/* Name for --firmware, name in a sentence. Of OpenSBI those whose PMU differs, oldest first. */
#define FIRMWARE_LIST(X)                                                                           \
	X(OPENSBI_1_6, "opensbi-1.6", "OpenSBI 1.6")                                               \
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
#define OPENSBI_ROWS_LIMIT 255u /* ranges and raw rows together; it refuses the next one */

/* Reads the argument of --firmware; NULL is the newest OpenSBI. Returns an exit code. */
int read_firmware(const char *name, enum firmware *firmware);

/* "OpenSBI 1.9". */
const char *firmware_text(enum firmware firmware);

/* Whether it is some version of OpenSBI. */
int is_opensbi(enum firmware firmware);

/* A row that is kept. A range has select and mask 0; a raw row spans both kinds of raw events. */
struct kept_row {
	uint32_t first, last, counters;
	uint64_t select, mask;
};

/* Why it stops reading; the tables are read as ranges, selectors, raw rows. */
enum stop {
	STOP_NOT,
	STOP_ROW,   /* it refuses a row */
	STOP_FULL,  /* it has as many rows as it can keep */
	STOP_EMPTY, /* of an empty table of selectors: it cannot allocate 0 bytes */
	STOP_PANIC  /* the hart is stopped: a table is no whole number of rows */
};

/* How a firmware reads a node. To be zeroed before, and unloaded at the end. */
struct reading {
	const struct source *source; /* NULL: not read yet */
	enum firmware firmware;
	int node; /* negative: there is none */
	enum tables tables;
	uint32_t hart;     /* the counters of the hart */
	uint32_t features; /* PMUMAP_SSCOFPMF, PMUMAP_SMCNTRPMF */
	struct kept_row *rows;
	uint32_t kept;
	uint32_t selectors; /* rows of that table */
	enum stop stop;
	const char *property; /* where it stops, and before which row */
	uint32_t row;
	uint32_t lost; /* rows of all tables that it does not come to */
};

/*
 * The node that it reads: that of --node or --hart; else its first, of RustSBI its last, of pmumap
 * that of the first hart that has one. Negative: none.
 */
int node_for(enum firmware firmware, const struct source *source, const struct input *input);

/* counters: of the hart; 0: all that the tree names. */
struct reading read_as(enum firmware firmware, const struct source *source, int node,
		       uint32_t counters);
void unload_reading(struct reading *r);

/*
 * Some hart lists Sscofpmf and not Smcntrpmf, so mcycle and minstret cannot leave out modes.
 * OpenSBI from 1.9 on and pmumap's server then do not hand them out.
 */
int denies_fixed(const struct reading *r);

/* Why an event is not counted, or not as it is meant. */
enum reason {
	REASON_NONE,
	REASON_UNKNOWN, /* SBI has no such event */
	REASON_NO_NODE,
	REASON_TABLES, /* the node has none, or no longer */
	REASON_PANIC,
	REASON_NOT_READ, /* it stops before the event's row */
	REASON_REFUSED,  /* the event's row overlaps an earlier one */
	REASON_NO_ROW,
	REASON_NO_COUNTER, /* its row names none that the hart has and that may count it */
	REASON_DENIED,     /* see denies_fixed() */
	REASON_NO_SELECTOR,
	REASON_ZERO,     /* 0 in mhpmevent counts nothing */
	REASON_FIRMWARE, /* RustSBI counts few firmware events */
	/* These are counted. */
	REASON_BY_FIRMWARE, /* without a counter of the hart */
	REASON_UNLISTED,    /* EVENT_GET_INFO says no */
	REASON_SELECTOR,    /* it stops before the event's selector */
	REASON_BY_NUMBER    /* mhpmevent gets the event's number */
};

/* The answer for an event: all counters that it gets, if it asks for one after the other. */
struct verdict {
	int counts;
	uint32_t counters;
	int has_value;
	uint64_t value; /* of mhpmevent, without the bits of modes and overflow */
	enum reason reason;
};
struct verdict ask_firmware(const struct reading *r, uint32_t event, uint64_t data);

/* What OpenSBI's EVENT_GET_INFO answers. */
int opensbi_lists(const struct reading *r, uint32_t event, uint64_t data);

/* Prints the reason as a sentence without its full stop. */
void put_verdict(FILE *out, const struct reading *r, const struct verdict *v);

#endif /* FIRMWARE_H */
