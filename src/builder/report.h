/* SPDX-License-Identifier: BSD-2-Clause */
/* Report a finding */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/map_api.h"
#include "builder/api.h"
#include "builder/findings_api.h"
#include "core/compiler.h"
#include "core/status.h"
#include "builder/rows.h"

/* The three tables of a riscv,pmu node, and their names behind "riscv,". */
#define PMUMAP_SELECTORS_NAME_ "event-to-mhpmevent"
#define PMUMAP_RANGES_NAME_ "event-to-mhpmcounters"
#define PMUMAP_RAW_NAME_ "raw-event-to-mhpmcounters"

enum { PMUMAP_SELECTORS_, PMUMAP_RANGES_, PMUMAP_RAW_, PMUMAP_TABLES_ };

/* Other places of findings: the node as a whole (IN_NODE), or one of these properties. */
#define PMUMAP_PLACE_LIST_(X)                                                                      \
	X(REG, "reg")                                                                              \
	X(EVENT_NAME, "event-name")                                                                \
	X(SCALE, "scale")                                                                          \
	X(COMPATIBLE, "compatible")                                                                \
	X(EVENTS, "events")                                                                        \
	X(EVENTS_PREFIX, "events-prefix")                                                          \
	X(TYPE, "type")                                                                            \
	X(SIZE, "size")                                                                            \
	X(OFFSET, "offset")                                                                        \
	X(CONTROL, "cb_offset")                                                                    \
	X(UNIT, "unit")                                                                            \
	X(CHIP_ID, "chip-id")                                                                      \
	X(STATUS, "status")

enum {
	PMUMAP_IN_SELECTORS_ = PMUMAP_SELECTORS_,
	PMUMAP_IN_RANGES_ = PMUMAP_RANGES_,
	PMUMAP_IN_RAW_ = PMUMAP_RAW_,
	PMUMAP_IN_NODE_ = PMUMAP_TABLES_,
#define PMUMAP_X_(name, text) PMUMAP_IN_##name##_,
	PMUMAP_PLACE_LIST_(PMUMAP_X_)
#undef PMUMAP_X_
};

/* Of each finding: its number in the list, and where its name lies in all their names. */
enum {
#define PMUMAP_X_(name, number, text) PMUMAP_NTH_##name##_,
	PMUMAP_FINDING_LIST(PMUMAP_X_)
#undef PMUMAP_X_
};

enum {
#define PMUMAP_X_(name, number, text)                                                              \
	PMUMAP_NAME_##name##_, PMUMAP_NAME_END_##name##_ = PMUMAP_NAME_##name##_ + sizeof(text) - 1,
	PMUMAP_FINDING_LIST(PMUMAP_X_)
#undef PMUMAP_X_
};

/*
 * A finding in one number, as a call with four arguments would take twice the code. The bytes from
 * the lowest on: number in the list, severity, place of the row, place of the other row. Only a
 * conflict has another row.
 */
#define PMUMAP_CONFLICT_(code, severity, place, other_place)                                       \
	((uint32_t)PMUMAP_NTH_##code##_ | (uint32_t)(severity) << 8 | (uint32_t)(place) << 16 |    \
	 (uint32_t)(other_place) << 24)
#define PMUMAP_FINDING_(code, severity, place)                                                     \
	PMUMAP_CONFLICT_(code, severity, place, PMUMAP_IN_NODE_)

#define PMUMAP_FINDING_SEVERITY_(what) ((enum pmumap_severity)((what) >> 8 & 0xff))

/* The name of a property; NULL: the node itself. Only for findings that somebody listens to. */
static inline const char *pmumap_place_name_(const struct pmumap_builder *b, uint32_t place)
{
#define PMUMAP_X_(name, text) text "\0"
	static const char names[] = PMUMAP_PLACE_LIST_(PMUMAP_X_);
#undef PMUMAP_X_

	if (place < PMUMAP_IN_NODE_)
		return b->own.properties[place];
	return PMUMAP_HAS_ENTRIES_ && place > PMUMAP_IN_NODE_
		       ? pmumap_nth_text_(names, place - PMUMAP_IN_NODE_ - 1)
		       : 0;
}

/* Fill in code and name of the nth finding of the list. */
static inline void pmumap_name_finding_(struct pmumap_finding *f, uint32_t nth)
{
#define PMUMAP_X_(name, number, text) number,
	static const unsigned char numbers[] = { PMUMAP_FINDING_LIST(PMUMAP_X_) };
#undef PMUMAP_X_
#define PMUMAP_X_(name, number, text) PMUMAP_NAME_##name##_,
	static const uint16_t starts[] = { PMUMAP_FINDING_LIST(PMUMAP_X_) };
#undef PMUMAP_X_
#define PMUMAP_X_(name, number, text) text "\0"
	static const char names[] = PMUMAP_FINDING_LIST(PMUMAP_X_);
#undef PMUMAP_X_

	f->code = numbers[nth];
	f->name = names + starts[nth];
}

/* Hand a finding to whoever listens: b->own.tell, from pmumap_listen() on. */
static inline PMUMAP_COLD_ void pmumap_tell_finding_(struct pmumap_builder *b, uint32_t what,
						     uint32_t row, uint32_t other, uint64_t value)
{
	struct pmumap_finding f;

	pmumap_name_finding_(&f, what & 0xff);
	f.severity = PMUMAP_FINDING_SEVERITY_(what);
	f.node = b->own.node;
	f.property = pmumap_place_name_(b, what >> 16 & 0xff);
	f.row = row;
	f.other_property = pmumap_place_name_(b, what >> 24);
	f.other = other;
	f.value = value;
	b->own.report(b->own.arg, &f);
}

/* Report a finding, if somebody listens, and count the errors. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ void pmumap_report_(struct pmumap_builder *b, uint32_t what,
						 uint32_t row, uint32_t other, uint64_t value)
{
	if (PMUMAP_FINDING_SEVERITY_(what) == PMUMAP_ERROR)
		b->own.errors = 1;
	if (b->own.tell)
		b->own.tell(b, what, row, other, value);
}

/* Report what is about one row, or with PMUMAP_NO_ROW about none. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ void pmumap_report_row_(struct pmumap_builder *b, uint32_t what,
						     uint32_t row, uint64_t value)
{
	pmumap_report_(b, what, row, PMUMAP_NO_ROW, value);
}
