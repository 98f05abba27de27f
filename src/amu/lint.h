/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "amu/api.h"
#include "builder/report.h"
#include "builder/rows.h"
#include "builder/entries.h"
#include "amu/entries.h"

/* Report what is wrong with a node, without the number of a row. */
static inline void pmumap_amu_report_(struct pmumap_amu_build_ *w, uint32_t node, uint32_t what,
				      uint64_t value)
{
	w->b->own.node = (int)node;
	pmumap_report_row_(w->b, what, PMUMAP_NO_ROW, value);
}

/* What becomes of a counter: nothing; it is there; or it was already, and may still be enabled. */
enum { PMUMAP_AMU_LEFT_OUT_, PMUMAP_AMU_NEW_, PMUMAP_AMU_AGAIN_ };

/*
 * Report what is wrong with a counter; seen: those of its view so far. Returns what becomes of it.
 */
static inline int pmumap_amu_lint_counter_(struct pmumap_amu_build_ *w,
					   const struct pmumap_amu_counter_entry_ *e, uint32_t seen)
{
	uint32_t what = 0;
	int again = 0;

	if (e->kind & PMUMAP_AMU_COUNTER_BAD_NAME_)
		what = PMUMAP_FINDING_(COUNTER_NAME, PMUMAP_WARNING, PMUMAP_IN_NODE_);
	else if (e->kind & PMUMAP_AMU_COUNTER_NO_REG_)
		what = PMUMAP_FINDING_(COUNTER_REG, PMUMAP_ERROR, PMUMAP_IN_REG_);
	else if (e->index >= PMUMAP_AMU_COUNTERS_)
		what = PMUMAP_FINDING_(COUNTER_RANGE, PMUMAP_ERROR, PMUMAP_IN_REG_);
	else
		again = (int)(seen >> e->index & 1);
	if (again)
		what = PMUMAP_FINDING_(COUNTER_DUPLICATE, PMUMAP_ERROR, PMUMAP_IN_REG_);
	else if (!what && (e->kind & PMUMAP_AMU_COUNTER_MISMATCH_))
		pmumap_amu_report_(w, e->node,
				   PMUMAP_FINDING_(UNIT_MISMATCH, PMUMAP_WARNING, PMUMAP_IN_REG_),
				   e->index);
	if (what)
		pmumap_amu_report_(w, e->node, what, e->index);
	if (what && !again)
		return PMUMAP_AMU_LEFT_OUT_;
	if (e->kind & PMUMAP_AMU_COUNTER_ENABLE_VALUE_)
		pmumap_amu_report_(w, e->node,
				   PMUMAP_FINDING_(ENABLE_VALUE, PMUMAP_WARNING, PMUMAP_IN_ENABLE_),
				   e->index);
	return again ? PMUMAP_AMU_AGAIN_ : PMUMAP_AMU_NEW_;
}

/* Report what is wrong with a CPU. Unless it is left out, it is the next one of the map. */
static inline void pmumap_amu_lint_cpu_(struct pmumap_amu_build_ *w,
					const struct pmumap_amu_cpu_entry_ *e, uint32_t view)
{
	uint32_t row = w->a->cpu_count, other = PMUMAP_NO_ROW, what = 0;
	uint32_t cells = (e->kind & PMUMAP_ENTRY_FLAGS_) >> PMUMAP_AMU_CPU_CELLS_SHIFT_;

	w->b->own.node = (int)e->node;
	if (e->kind & PMUMAP_AMU_CPU_BAD_REG_) {
		what = PMUMAP_FINDING_(CPU_REG, PMUMAP_ERROR, PMUMAP_IN_REG_);
	} else if (e->kind & PMUMAP_AMU_CPU_DROPPED_) {
		what = PMUMAP_CONFLICT_(CPU_DUPLICATE, PMUMAP_ERROR, PMUMAP_IN_REG_,
					PMUMAP_IN_REG_);
		other = PMUMAP_ENTRY_AT_(amu_cpu, w->b, e->cpu)->cpu;
	} else if (e->mpidr & ~(uint64_t)PMUMAP_AMU_AFFINITY) {
		what = PMUMAP_FINDING_(CPU_REG, PMUMAP_WARNING, PMUMAP_IN_REG_);
	}
	if (what)
		pmumap_report_(w->b, what, row, other, e->mpidr);
	if (e->kind & PMUMAP_AMU_CPU_LEFT_OUT_)
		return;
	if (e->kind & PMUMAP_AMU_CPU_ODD_NAME_)
		pmumap_report_row_(w->b, PMUMAP_FINDING_(CPU_NAME, PMUMAP_WARNING, PMUMAP_IN_NODE_),
				   row, 0);
	if (e->kind & PMUMAP_AMU_CPU_DISABLED_)
		pmumap_report_row_(w->b,
				   PMUMAP_FINDING_(CPU_DISABLED, PMUMAP_NOTE, PMUMAP_IN_STATUS_),
				   row, 0);
	if ((e->kind & PMUMAP_AMU_CPU_HAS_VIEW_) && view == PMUMAP_NO_ROW)
		pmumap_report_row_(w->b,
				   PMUMAP_FINDING_(VIEW_MISSING, PMUMAP_ERROR, PMUMAP_IN_AMU_), row,
				   e->view);
	if (cells > 1)
		pmumap_report_row_(w->b,
				   PMUMAP_FINDING_(VIEW_EXTRA, PMUMAP_WARNING, PMUMAP_IN_AMU_), row,
				   cells);
}
