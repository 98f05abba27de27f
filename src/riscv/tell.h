/* SPDX-License-Identifier: BSD-2-Clause */
/* Report a finding */
#pragma once

#include "riscv/findings_api.h"
#include "riscv/fdt.h"

/* Where a finding is: in a table, in the node as a whole, or in another property. */
enum {
	PMUMAP_IN_SELECTORS_ = PMUMAP_TABLE_SELECTORS,
	PMUMAP_IN_RANGES_ = PMUMAP_TABLE_COUNTERS,
	PMUMAP_IN_RAW_ = PMUMAP_TABLE_RAW,
	PMUMAP_IN_NODE_ = PMUMAP_TABLES_,
	PMUMAP_IN_PROPERTY_,
	PMUMAP_PLACES_
};

/* Each finding's index in the list, and the offset of its name in all names. */
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
 * A finding in one number, because a call with four arguments would double the code. Its bytes,
 * from the lowest: index in the list, severity, place of the row, place of the other row (if it is
 * a conflict).
 */
#define PMUMAP_CONFLICT_(code, severity, place, other_place)                                       \
	((uint32_t)PMUMAP_NTH_##code##_ | (uint32_t)(severity) << 8 | (uint32_t)(place) << 16 |    \
	 (uint32_t)(other_place) << 24)
#define PMUMAP_FINDING_(code, severity, place)                                                     \
	PMUMAP_CONFLICT_(code, severity, place, PMUMAP_IN_NODE_)

struct pmumap_riscv_harts_;

/* State of a check. */
struct pmumap_checker_ {
	struct pmumap_reader_ r;
	struct pmumap_riscv_harts_ *harts;
	pmumap_report_fn *report;
	void *arg;
	const struct pmumap_builder *b;
	const struct pmumap_row_ *rows;    /* once sorted */
	const struct pmumap *m;            /* once it answers for events */
	int node;                          /* that the next finding is about */
	const char *names[PMUMAP_PLACES_]; /* of each place; NULL: the node */
};

/* Report a finding about row and other, rows of their tables, or NO_ROW. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ void pmumap_tell_two_(const struct pmumap_checker_ *c, uint32_t what,
						   uint32_t row, uint32_t other, uint64_t value)
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
	struct pmumap_finding f;

	f.code = numbers[what & 0xff];
	f.name = names + starts[what & 0xff];
	f.severity = (enum pmumap_severity)(what >> 8 & 0xff);
	f.node = c->node;
	f.property = c->names[what >> 16 & 0xff];
	f.row = row;
	f.other_property = c->names[what >> 24];
	f.other = other;
	f.value = value;
	c->report(c->arg, &f);
}

/* Report a finding about one row; NO_ROW: about none. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ void pmumap_tell_(const struct pmumap_checker_ *c, uint32_t what,
					       uint32_t row, uint64_t value)
{
	pmumap_tell_two_(c, what, row, PMUMAP_NO_ROW, value);
}

#define PMUMAP_WARN_(c, code, place, row, value)                                                   \
	pmumap_tell_(c, PMUMAP_FINDING_(code, PMUMAP_WARNING, place), row, value)
