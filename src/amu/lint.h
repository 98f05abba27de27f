/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "amu/api.h"
#include "builder/report.h"
#include "builder/rows.h"
#include "builder/entries.h"
#include "amu/entries.h"

static inline void pmumap_amu_report_(struct pmumap_amu_build_ *w, const struct pmumap_row_ *r,
				      uint32_t what, const char *property, uint64_t value)
{
	w->b->node = (int)pmumap_entry_y_(r);
	pmumap_other_found_(w->b, what, property, PMUMAP_NO_ROW, PMUMAP_NO_ROW, value);
}

/* What is wrong with one counter. Returns whether it counts. */
static inline int pmumap_amu_lint_counter_(struct pmumap_amu_build_ *w, const struct pmumap_row_ *r,
					   uint32_t seen)
{
	uint32_t index = r->counters, what = 0;
	const char *property = "reg";

	if (r->row & PMUMAP_AMU_BAD_NAME_) {
		what = PMUMAP_WHAT_(COUNTER_NAME, PMUMAP_WARNING, 0);
		property = 0;
	} else if (r->row & PMUMAP_AMU_NO_REG_) {
		what = PMUMAP_WHAT_(COUNTER_REG, PMUMAP_ERROR, 0);
	} else if (index > 15) {
		what = PMUMAP_WHAT_(COUNTER_RANGE, PMUMAP_ERROR, 0);
	} else if (seen >> index & 1) {
		what = PMUMAP_WHAT_(COUNTER_DUPLICATE, PMUMAP_ERROR, 0);
	}
	if (what) {
		pmumap_amu_report_(w, r, what, property, index);
		return 0;
	}
	if (r->row & PMUMAP_AMU_MISMATCH_)
		pmumap_amu_report_(w, r, PMUMAP_WHAT_(UNIT_MISMATCH, PMUMAP_WARNING, 0), "reg",
				   index);
	if (r->row & PMUMAP_AMU_ENABLE_VALUE_)
		pmumap_amu_report_(w, r, PMUMAP_WHAT_(ENABLE_VALUE, PMUMAP_WARNING, 0),
				   "enable-at-el3", index);
	return 1;
}

/* What is wrong with a CPU, which is the next one of the map unless it is dropped. */
static inline void pmumap_amu_lint_cpu_(struct pmumap_amu_build_ *w, const struct pmumap_row_ *r,
					uint32_t view)
{
	uint32_t row = w->a->cpu_count, other = PMUMAP_NO_ROW, what = 0;
	uint32_t cells = (r->row & 0xffffffu) >> PMUMAP_AMU_CELLS_;
	uint64_t value = r->value;

	w->b->node = (int)pmumap_entry_y_(r);
	if (r->row & PMUMAP_AMU_BAD_REG_) {
		what = PMUMAP_WHAT_(CPU_REG, PMUMAP_ERROR, 0);
	} else if (r->row & PMUMAP_AMU_DROPPED_) {
		what = PMUMAP_WHAT_(CPU_DUPLICATE, PMUMAP_ERROR, 0);
		other = pmumap_entry_y_(pmumap_builder_entry_(w->b, r->counters));
	} else if (value & ~(uint64_t)PMUMAP_AMU_AFFINITY) {
		what = PMUMAP_WHAT_(CPU_REG, PMUMAP_WARNING, 0);
	}
	if (what)
		pmumap_other_found_(w->b, what, "reg", row, other, value);
	if (r->row & (PMUMAP_AMU_BAD_REG_ | PMUMAP_AMU_DROPPED_))
		return;
	if (r->row & PMUMAP_AMU_ODD_NAME_)
		pmumap_other_found_(w->b, PMUMAP_WHAT_(CPU_NAME, PMUMAP_NOTE, 0), 0, row,
				    PMUMAP_NO_ROW, 0);
	if (r->row & PMUMAP_AMU_DISABLED_)
		pmumap_other_found_(w->b, PMUMAP_WHAT_(CPU_DISABLED, PMUMAP_NOTE, 0), "status", row,
				    PMUMAP_NO_ROW, 0);
	if ((r->row & PMUMAP_AMU_HAS_VIEW_) && view == PMUMAP_NO_ROW)
		pmumap_other_found_(w->b, PMUMAP_WHAT_(VIEW_MISSING, PMUMAP_ERROR, 0), "amu", row,
				    PMUMAP_NO_ROW, r->counters);
	if (cells > 1)
		pmumap_other_found_(w->b, PMUMAP_WHAT_(VIEW_EXTRA, PMUMAP_WARNING, 0), "amu", row,
				    PMUMAP_NO_ROW, cells);
}
