/* SPDX-License-Identifier: BSD-2-Clause
 *
 * firmware.h -- models of firmware: which rows of a riscv,pmu node each one keeps, and how it
 * answers for an event. tests/check/oracle.sh compares them with OpenSBI's own code. A model of
 * Linux asks them.
 */
#ifndef FIRMWARE_H
#define FIRMWARE_H

#include "source/rows.h"

/* Who interrupts on overflow. Linux wants the extension on all harts. */
enum overflow { OVERFLOW_NONE, OVERFLOW_SSCOFPMF, OVERFLOW_THEAD, OVERFLOW_ANDES };

struct cores {
	enum overflow overflow;
	int guessed;   /* the tree lists no harts */
	int delegated; /* all have Smcdeleg and Ssccfg */
};
struct cores cores_of(const struct source *source);

/* True for the tree of QEMU's virt machine, whose counters take an event's number. */
int is_qemu(const struct source *source);

/* What a tree is, if it cannot tell what perf counts. */
enum tree { TREE_WHOLE, TREE_OVERLAY, TREE_FRAGMENT, TREE_FOREIGN };
enum tree tree_of(const struct source *source);

/* ---- the answers of a firmware --------------------------------------------------------------- */

/* Name for --firmware, name in a sentence. OpenSBI's oldest version first. */
#define FIRMWARE_LIST(X)                                                                           \
	X(OPENSBI_1_1, "opensbi-1.1", "OpenSBI 1.1")                                               \
	X(OPENSBI_1_2, "opensbi-1.2", "OpenSBI 1.2")                                               \
	X(OPENSBI_1_3, "opensbi-1.3", "OpenSBI 1.3")                                               \
	X(OPENSBI_1_4, "opensbi-1.4", "OpenSBI 1.4")                                               \
	X(OPENSBI_1_5, "opensbi-1.5", "OpenSBI 1.5")                                               \
	X(OPENSBI_1_6, "opensbi-1.6", "OpenSBI 1.6")                                               \
	X(OPENSBI_1_7, "opensbi-1.7", "OpenSBI 1.7")                                               \
	X(OPENSBI_1_8, "opensbi-1.8", "OpenSBI 1.8")                                               \
	X(OPENSBI_1_9, "opensbi-1.9", "OpenSBI 1.9")                                               \
	X(RUSTSBI, "rustsbi", "RustSBI's prototyper")                                              \
	X(OWN, "pmumap", "firmware with pmumap")                                                   \
	X(DELEGATED, "delegated", "Linux's patches for delegated counters")

enum firmware {
#define X(id, name, text) id,
	FIRMWARE_LIST(X) FIRMWARES
#undef X
};

#define NEWEST_OPENSBI OPENSBI_1_9
#define OPENSBI_ROWS_LIMIT 255u /* ranges and raw rows together; OpenSBI rejects the next one */

/*
 * Reads the argument of --firmware: a name of the list, a bare version of OpenSBI (1.8.1), or
 * opensbi for the newest. NULL: the newest OpenSBI. Returns an exit code.
 */
int read_firmware(const char *name, enum firmware *firmware);

/* For example "opensbi-1.9" and "OpenSBI 1.9". */
const char *firmware_name(enum firmware firmware);
const char *firmware_text(enum firmware firmware);

/* True for every version of OpenSBI. */
int is_opensbi(enum firmware firmware);

/*
 * A row that the firmware keeps. A range has select 0 and mask 0. A raw row covers both kinds of
 * raw events.
 */
struct kept_row {
	int raw;
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
	uint32_t hart;     /* counters of the hart */
	uint32_t features; /* PMUMAP_SSCOFPMF, PMUMAP_SMCNTRPMF */
	struct cores cores;
	const uint64_t *id; /* the answers are for this hart; NULL: for all */
	struct kept_row *rows;
	uint32_t kept;
	uint32_t selectors; /* rows in the table of selectors */
	enum stop stop;
	const char *property; /* where reading stops: before this row of this property */
	uint32_t row;
	const char *why; /* it rejects that row */
	uint32_t lost;   /* rows of all tables that it does not reach */
};

/*
 * The node that a firmware reads: the one of --node or --hart; otherwise OpenSBI's first, RustSBI's
 * last, and for pmumap and delegated the node of the first hart that has one. Negative: none.
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

/*
 * Why an event is not counted, or not counted as intended: name, code in JSON. doc/tool.md lists
 * the codes.
 */
#define REASON_LIST(X)                                                                             \
	X(NONE, NULL)                                                                              \
	X(NO_EVENT, "no-event")                                                                    \
	X(NOT_PERF, "not-perf") /* perf cannot parse the name */                                   \
	X(NO_NODE, "no-node")                                                                      \
	X(NO_TABLES, "no-tables")                                                                  \
	X(TABLES_TAKEN, "tables-taken")                                                            \
	X(PANIC, "panic")                                                                          \
	X(NOT_READ, "row-not-read") /* reading stops before the event's row */                     \
	X(DROPPED, "row-dropped")   /* the event's row overlaps an earlier one */                  \
	X(NO_ROW, "no-row")                                                                        \
	X(NO_COUNTER,                                                                              \
	  "no-counter")           /* the row names none that the hart has and that may count it */ \
	X(DENIED, "fixed-denied") /* see denies_fixed() */                                         \
	X(NO_SELECTOR, "no-selector")                                                              \
	X(ZERO, "selector-zero")                                                                   \
	X(FIRMWARE, "firmware-lacks") /* firmware implements few firmware events */                \
	X(BY_FIRMWARE, "by-firmware") /* without a counter of the hart */                          \
	X(UNLISTED, "unlisted")       /* EVENT_GET_INFO reports it as unsupported */               \
	X(TOO_WIDE, "too-wide")       /* more bits than this Linux passes on */                    \
	X(NO_FILTER, "no-filter")                                                                  \
	X(NOT_PERMITTED, "not-permitted")                                                          \
	X(NO_INTERRUPT, "no-interrupt") /* counted, but perf record gets no samples */             \
	X(SOFTWARE, "software")         /* Linux counts it without the PMU */                      \
	/* With the following reasons, perf prints a wrong count. */                               \
	X(SELECTOR, "selector-not-read")                                                           \
	X(BY_NUMBER, "by-number")     /* mhpmevent gets the event's own number */                  \
	X(OTHER_EVENT, "other-event") /* and that selects another event of the tree */             \
	X(ALL_MODES, "all-modes")     /* Linux asks for a filter that firmware ignores */          \
	X(GUESTS, "counts-guests")                                                                 \
	X(ANY_COUNTER, "any-counter") /* Linux takes counters that the raw row lacks */

enum reason {
#define X(name, code) REASON_##name,
	REASON_LIST(X) REASONS
#undef X
};

extern const char *const reason_codes[REASONS];

enum outlook { ANSWER_NO, ANSWER_YES, ANSWER_WRONG };

/* The answer for an event. counters: all that it gets by asking for one after the other. */
struct verdict {
	int counts; /* firmware gives it a counter */
	uint32_t counters;
	int has_value;
	uint64_t value; /* of mhpmevent, without the mode and overflow bits */
	enum reason reason;
	uint32_t event; /* as asked */
	uint64_t data;
	/* Set by ask_driver() alone. */
	enum outlook answer;
	int samples;
};
struct verdict ask_firmware(const struct reading *r, uint32_t event, uint64_t data);

/* True if firmware implements SBI 3.0: raw events of 56 bits, EVENT_GET_INFO. */
int has_sbi_3(enum firmware firmware);

/* The answer of OpenSBI's EVENT_GET_INFO. */
int opensbi_lists(const struct reading *r, uint32_t event, uint64_t data);

/* Prints the reason as a sentence without the full stop. */
void put_verdict(FILE *out, const struct reading *r, const struct verdict *v);

/* ---- shared by several models ---------------------------------------------------------------- */

/* True for raw events of either kind. */
int is_raw_event(uint32_t event);

/* True if the row covers the event. */
int has_event(const struct kept_row *row, uint32_t event, uint64_t data);

/* Row number row of a table, read as a range or as a raw row. */
struct kept_row row_at(const unsigned char *cell, int raw);

void keep_row(struct reading *r, const struct kept_row *row);

/* True if the table of selectors has a row for the event. *value: the selector of the first. */
int find_selector(const struct reading *r, uint32_t event, uint64_t *value);

/* The bit of mcycle for cycles, of minstret for instructions; 0 for other events. */
uint32_t fixed_of(uint32_t event);

void read_opensbi(struct reading *r);
struct verdict judge_opensbi(const struct reading *r, uint32_t event, uint64_t data);

void read_rustsbi(struct reading *r);
struct verdict judge_rustsbi(const struct reading *r, uint32_t event, uint64_t data);

/* Firmware on pmumap_server.h answers from the source's map. */
struct verdict judge_own(const struct reading *r, uint32_t event, uint64_t data);

/* So does Linux where it owns the counters, if write --linux made its tables from this tree. */
struct verdict judge_delegated(const struct reading *r, uint32_t event, uint64_t data);

/* ---- Linux's driver -------------------------------------------------------------------------- */

/*
 * A model of riscv_pmu_sbi, which asks the firmware for counters. tests/check/matrix.sh compares it
 * with two kernels.
 */
#define LINUX_VERSION(major, minor) ((uint32_t)(major) << 16 | (minor))

struct driver {
	/* LINUX_VERSION(6, 12); 0: there is no Linux, so firmware's answers count */
	uint32_t version;
	int user;   /* an ordinary user, with perf_event_paranoid 2 */
	int legacy; /* perf_user_access is 2, for which there is no model */
};

/* Reads the argument of --linux. NULL: the newest that the model knows. Returns an exit code. */
int read_driver(const char *text, struct driver *driver);

/* What perf counts. excluded: the modes that it leaves out, as in map/suggest.h. */
struct verdict ask_driver(const struct driver *driver, const struct reading *r, uint32_t event,
			  uint64_t data, unsigned excluded);

#endif /* FIRMWARE_H */
