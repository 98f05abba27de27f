/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/api.h"
#include "core/compiler.h"

/* The three tables of a riscv,pmu node, and their names behind "riscv,". */
#define PMUMAP_SELECTORS_NAME_ "event-to-mhpmevent"
#define PMUMAP_RANGES_NAME_ "event-to-mhpmcounters"
#define PMUMAP_RAW_NAME_ "raw-event-to-mhpmcounters"

enum {
	PMUMAP_SELECTORS_,
	PMUMAP_RANGES_,
	PMUMAP_RAW_,
	PMUMAP_TABLES_,
	PMUMAP_NO_TABLE_ = PMUMAP_TABLES_
};

/* What a finding is about, packed: five arguments cost half the code of eight. */
#define PMUMAP_CONFLICT_(code, severity, table, other_table)                                       \
	((uint32_t)PMUMAP_F_##code | (uint32_t)(severity) << 8 | (uint32_t)(table) << 16 |         \
	 (uint32_t)(other_table) << 24)

#define PMUMAP_WHAT_(code, severity, table)                                                        \
	PMUMAP_CONFLICT_(code, severity, table, PMUMAP_NO_TABLE_)

static inline void pmumap_found_(struct pmumap_builder *b, uint32_t what, uint32_t row,
				 uint32_t other, uint64_t value)
{
	struct pmumap_finding f;

	f.severity = (enum pmumap_severity)(what >> 8 & 0xff);
	if (f.severity == PMUMAP_ERROR)
		b->errors++;
	if (!b->report)
		return;
	f.code = (enum pmumap_code)(what & 0xff);
	f.node = b->node;
	f.property = b->names[what >> 16 & 0xff];
	f.row = row;
	f.other_property = b->names[what >> 24];
	f.other = other;
	f.value = value;
	b->report(b->arg, &f);
}

PMUMAP_OUTLINE_ void pmumap_other_found_(struct pmumap_builder *b, uint32_t what,
					 const char *property, uint32_t row, uint32_t other,
					 uint64_t value)
{
	struct pmumap_finding f;

	f.severity = (enum pmumap_severity)(what >> 8 & 0xff);
	b->errors += f.severity == PMUMAP_ERROR;
	if (!b->report)
		return;
	f.code = (enum pmumap_code)(what & 0xff);
	f.node = b->node;
	f.property = property;
	f.row = row;
	f.other_property = other == PMUMAP_NO_ROW ? 0 : property;
	f.other = other;
	f.value = value;
	b->report(b->arg, &f);
}
