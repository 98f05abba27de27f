/* SPDX-License-Identifier: BSD-2-Clause
 *
 * findings.h -- the texts of each finding: the problem, its effect on current firmware, the fix,
 * and an example. findings_*.c have one entry per finding.
 */
#ifndef FINDINGS_H
#define FINDINGS_H

#include "map/map.h"

/* What pmumap_finding.value means. It decides how the value is printed. */
enum value_kind {
	VALUE_NONE,
	VALUE_EVENT,
	VALUE_KEY,
	VALUE_HEX,
	VALUE_NUMBER,
	VALUE_NODE,
	VALUE_NONZERO, /* like VALUE_HEX, but 0 prints nothing */
	VALUE_COUNTER, /* index of an activity monitor */
	VALUE_NAME,    /* reg of an event in the list; printed with its name */
	VALUE_TEXT,    /* 0; the property's text is printed */
	VALUE_CLASH,   /* an offset in a window; printed with the names of its counters */
	VALUE_TABLE,   /* index of one of the three tables */
	VALUE_FIXED,   /* bit 1: cycles, bit 2: instructions */
	VALUE_CELLS,   /* number of cells in a row */
	VALUE_DEAD,    /* a select; printed with the bits that the mask ignores */
	VALUE_ABSENT,  /* a counter bitmap */
	VALUE_LIKE,    /* 0; the similar name is printed */
	VALUE_LAYOUT,  /* 0; what the table holds is printed */
	VALUE_VENDOR,  /* an event or a number of events; printed with the --events file */
	VALUE_ENTRY    /* a code or a mask in an event file */
};

struct explanation {
	uint32_t code;
	enum value_kind kind; /* VALUE_KEY: a raw row's select, otherwise an event */
	const char *label;    /* printed before a VALUE_HEX, after a VALUE_NUMBER */
	const char *problem, *effect, *fix;
#ifndef PMUMAP_TOOL_NO_HELP
	const char *wrong, *right; /* an example; NULL if no source can have this finding */
#endif
};

/*
 * An example that has the finding, and the same source corrected. tests/tool/examples.py checks
 * both. The page has no --explain, so it leaves them out.
 */
#ifdef PMUMAP_TOOL_NO_HELP
#define EXAMPLE(wrong, right)
#else
#define EXAMPLE(wrong, right) wrong, right
#endif

/* Findings that only the tool reports. Codes start at 1001; those of the headers are below 256. */
#define TOOL_FINDING_LIST(X)                                                                       \
	X(TABLES_GONE, 1001, "tables-taken")              /* value: 0 */                           \
	X(TABLES_ABSENT, 1002, "tables-missing")          /* value: 0 */                           \
	X(ROWS_LOST, 1003, "rows-lost")                   /* value: how many rows */               \
	X(FIXED_DENIED, 1004, "fixed-denied")             /* value: bit 1: cycles, bit 2: ... */   \
	X(LIST_EXTRA, 1005, "list-extra")                 /* value: cells */                       \
	X(VIEW_UNUSED, 1006, "view-unused")               /* value: 0 */                           \
	X(EVENTS_REFUSED, 1007, "events-refused")         /* value: how many events */             \
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
	X(COUNTERS_ABSENT, 1019, "counters-absent")       /* value: counters the core lacks */     \
	X(UNIT_COMPATIBLE, 1020, "unit-compatible")       /* value: 0 */                           \
	X(RAW_CATCH_ALL, 1021, "raw-catch-all")           /* value: 0 */                           \
	X(SELECTORS_EMPTY, 1022, "selectors-empty")       /* value: 0 */                           \
	X(CHIP_DUPLICATE, 1023, "chip-duplicate")         /* value: chip id */                     \
	X(BASE_WRONG, 1024, "base-wrong")                 /* value: base */                        \
	X(CHIPS_DIFFER, 1025, "chips-differ")             /* value: chip id */                     \
	X(NAME_UNUSABLE, 1026, "name-unusable")           /* value: 0 */                           \
	X(MEASURE_LONG, 1027, "measure-long")             /* value: bytes */                       \
	X(TRACE_RESERVED, 1028, "trace-reserved")         /* value: configuration */               \
	X(TABLE_LAYOUT, 1029, "table-layout")             /* value: 0 */                           \
	X(SELECTORS_ABSENT, 1030, "selectors-missing")    /* value: 0 */                           \
	X(EVENT_TWICE, 1031, "event-twice")               /* value: code */                        \
	X(EVENT_NAME, 1032, "event-name")                 /* value: code */                        \
	X(CODE_MISSING, 1033, "code-missing")             /* value: 0 */                           \
	X(CODE_ZERO, 1034, "code-zero")                   /* value: 0 */                           \
	X(CODE_WIDE, 1035, "code-wide")                   /* value: code */                        \
	X(CODE_TWICE, 1036, "code-twice")                 /* value: code */                        \
	X(MASK_WRONG, 1037, "mask-wrong")                 /* value: mask */
#define NUMBER(name, number, text) name = number,
enum { TOOL_FINDING_LIST(NUMBER) CODES };
#undef NUMBER

/* The number of findings of each kind. */
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

/* Returns the name of a code of the headers or of the tool, such as "raw-dead". */
const char *code_text(uint32_t code);

/* The code with this name, or 0. */
uint32_t code_of(const char *text, size_t length);

/* Returns the explanation of a code. */
const struct explanation *explain(uint32_t code);

/* The fix of a finding, which may depend on its table or value. */
const char *fix_of(const struct pmumap_finding *f);

/* Prints the three texts, one per line, each after its label. */
void put_explanation(const struct explanation *x, const char *fix);

/*
 * The option --explain: explains a code, every code that matches a substring or a glob, or "all".
 * Returns an exit code.
 */
int explain_code(const char *code, int json);

#endif /* FINDINGS_H */
