/* SPDX-License-Identifier: BSD-2-Clause
 *
 * findings.h -- what each finding means to people: the problem, what the firmware of today makes of
 * it, how to correct it, and an example. findings_*.c have one entry for each.
 */
#ifndef FINDINGS_H
#define FINDINGS_H

#include "map/map.h"

/* What pmumap_finding.value is. */
enum value_kind {
	VALUE_NONE,
	VALUE_EVENT,
	VALUE_KEY,
	VALUE_HEX,
	VALUE_NUMBER,
	VALUE_NODE,
	VALUE_NONZERO, /* a VALUE_HEX; 0: none */
	VALUE_COUNTER, /* index of an activity monitor */
	VALUE_NAME,    /* reg of an event of the list; its name tells more */
	VALUE_TEXT,    /* it is 0; the property's text tells more */
	VALUE_CLASH,   /* an offset in a window: by which names it is known tells more */
	VALUE_TABLE,   /* of the three tables, by number */
	VALUE_FIXED,   /* bit 1: cycles, bit 2: instructions */
	VALUE_CELLS,   /* of a row */
	VALUE_DEAD,    /* a select; the mask tells more */
	VALUE_ABSENT,  /* a set of counters */
	VALUE_LIKE,    /* it is 0; the name that the property's is near to tells more */
	VALUE_VENDOR   /* an event, or a number of them: the file of --events tells more */
};

struct explanation {
	uint32_t code;
	enum value_kind kind; /* VALUE_KEY: of a raw row its select, else an event */
	const char *label;    /* before a VALUE_HEX, after a VALUE_NUMBER */
	const char *problem, *effect, *fix;
#ifndef PMUMAP_TOOL_NO_HELP
	const char *wrong, *right; /* source; NULL: no source has this finding */
#endif
};

/*
 * Source that has the finding, and the same corrected. tests/tool/examples.py tries both. The page
 * never asks for --explain, and leaves them out.
 */
#ifdef PMUMAP_TOOL_NO_HELP
#define EXAMPLE(wrong, right)
#else
#define EXAMPLE(wrong, right) wrong, right
#endif

/* What only the tool finds. Its codes begin at 1001; those of the headers are below 256. */
#define TOOL_FINDING_LIST(X)                                                                       \
	X(TABLES_GONE, 1001, "tables-taken")              /* value: 0 */                           \
	X(TABLES_ABSENT, 1002, "tables-missing")          /* value: 0 */                           \
	X(ROWS_LOST, 1003, "rows-lost")                   /* value: how many */                    \
	X(FIXED_DENIED, 1004, "fixed-denied")             /* value: bit 1: cycles, bit 2: ... */   \
	X(LIST_EXTRA, 1005, "list-extra")                 /* value: cells */                       \
	X(VIEW_UNUSED, 1006, "view-unused")               /* value: 0 */                           \
	X(EVENTS_REFUSED, 1007, "events-refused")         /* value: how many */                    \
	X(SELECTOR_EVENT, 1008, "selector-event")         /* value: event */                       \
	X(SELECTOR_UNLISTED, 1009, "selector-unlisted")   /* value: event */                       \
	X(EVENTS_COUNTERS, 1010, "events-counters")       /* value: event, or raw event */         \
	X(ROW_CELLS, 1011, "row-cells")                   /* value: cells */                       \
	X(MASK_HALF, 1012, "mask-half")                   /* value: mask */                        \
	X(SELECTOR_ZERO, 1013, "selector-zero")           /* value: event */                       \
	X(SELECTOR_SHARED, 1014, "selector-shared")       /* value: event */                       \
	X(SELECTOR_UNMATCHED, 1015, "selector-unmatched") /* value: event */                       \
	X(COUNTERS_DIFFER, 1016, "counters-differ")       /* value: event */                       \
	X(COMPATIBLE_MISSING, 1017, "compatible-missing") /* value: 0 */                           \
	X(PROPERTY_NEAR, 1018, "property-near")           /* value: 0 */                           \
	X(COUNTERS_ABSENT, 1019, "counters-absent")       /* value: those that are not there */    \
	X(UNIT_COMPATIBLE, 1020, "unit-compatible")       /* value: 0 */                           \
	X(RAW_CATCH_ALL, 1021, "raw-catch-all")           /* value: 0 */                           \
	X(SELECTORS_EMPTY, 1022, "selectors-empty")       /* value: 0 */
#define NUMBER(name, number, text) name = number,
enum { TOOL_FINDING_LIST(NUMBER) CODES };
#undef NUMBER

/* One for each code. */
#define COUNT(name, number, text) +1
enum {
	RISCV_FINDINGS = 0 PMUMAP_FINDING_LIST(COUNT),
	IMC_FINDINGS = 0 PMUMAP_IMC_FINDING_LIST(COUNT),
	AMU_FINDINGS = 0 PMUMAP_AMU_FINDING_LIST(COUNT),
	TOOL_FINDINGS = 0 TOOL_FINDING_LIST(COUNT),
	EXPLANATIONS = RISCV_FINDINGS + IMC_FINDINGS + AMU_FINDINGS + TOOL_FINDINGS
};
#undef COUNT
extern const struct explanation riscv_explanations[], imc_explanations[], amu_explanations[],
	tool_explanations[];
const struct explanation *explanation_at(size_t i);

/* "raw-dead" of a code, be it of the headers or of the tool. */
const char *code_text(uint32_t code);

/* That of a code. */
const struct explanation *explain(uint32_t code);

/* Prints its three sentences, each on a line behind its label. */
void put_explanation(const struct explanation *x);

/*
 * The option --explain: prints what a code means; or all that have this part in their names, or are
 * like this pattern; or "all". Returns an exit code.
 */
int explain_code(const char *code, int json);

#endif /* FINDINGS_H */
