/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/api.h"
#include "amu/api.h"
#include "builder/entries.h"
#include "amu/tables.h"
#include "amu/entries.h"
#include "amu/build.h"

/* Note that the map gets an AMU part. Only a program that calls this links what builds one. */
static inline void pmumap_amu_begin_part_(struct pmumap_builder *b)
{
	if (b->own.finish_amu)
		return;
	b->own.finish_amu = pmumap_amu_finish_part_;
	b->own.entry_bytes += sizeof(struct pmumap_amu) + 128; /* tables are rounded up */
}

/* Add the name of a view, a label or a path. The text is not copied. */
static inline void pmumap_amu_add_text_(struct pmumap_builder *b, uint32_t kind, const char *text)
{
	struct pmumap_amu_text_entry_ *e =
		(struct pmumap_amu_text_entry_ *)pmumap_builder_add_entry_(b, kind);

	if (e)
		e->text = (size_t)text;
}

/* Add a view; name: NULL unless it lies in /cpus/amus; flags: PMUMAP_AMU_VIEW_LISTED_ or 0. */
static inline enum pmumap_status pmumap_amu_add_view_entry_(struct pmumap_builder *b, uint32_t id,
							    const char *name, uint32_t cells,
							    uint32_t flags)
{
	struct pmumap_amu_view_entry_ *e;

	pmumap_amu_begin_part_(b);
	b->own.entry_bytes += sizeof(struct pmumap_amu_view_row_) + 2 * sizeof(uint32_t);
	e = (struct pmumap_amu_view_entry_ *)pmumap_builder_add_entry_(b, PMUMAP_AMU_VIEW_ | flags);
	if (e) {
		e->id = id;
		e->cells = cells;
		e->node = (uint32_t)b->own.node;
	}
	if (name)
		pmumap_amu_add_text_(b, PMUMAP_AMU_VIEW_NAME_, name);
	return b->own.status;
}

/* Add a counter of the view before it; flags: PMUMAP_AMU_COUNTER_ENABLE_ and so on. */
static inline enum pmumap_status pmumap_amu_add_counter_entry_(struct pmumap_builder *b,
							       uint32_t index, const char *name,
							       uint32_t flags)
{
	struct pmumap_amu_counter_entry_ *e;

	b->own.entry_bytes += sizeof(uint32_t);
	e = (struct pmumap_amu_counter_entry_ *)pmumap_builder_add_entry_(b, PMUMAP_AMU_COUNTER_ |
										     flags);
	if (e) {
		e->name = (size_t)name;
		e->index = index;
		e->node = (uint32_t)b->own.node;
	}
	pmumap_builder_reserve_text_(b, name);
	return b->own.status;
}

/* Add a CPU; view: the id in its property; flags: PMUMAP_AMU_CPU_HAS_VIEW_ and so on. */
static inline enum pmumap_status pmumap_amu_add_cpu_entry_(struct pmumap_builder *b, uint64_t mpidr,
							   uint32_t view, uint32_t flags)
{
	struct pmumap_amu_cpu_entry_ *e;

	pmumap_amu_begin_part_(b);
	b->own.entry_bytes += sizeof(struct pmumap_amu_cpu_row_) + 2 * sizeof(uint32_t);
	e = (struct pmumap_amu_cpu_entry_ *)pmumap_builder_add_entry_(b, PMUMAP_AMU_CPU_ | flags);
	if (e) {
		e->mpidr = mpidr;
		e->view = view;
		e->node = (uint32_t)b->own.node;
	}
	return b->own.status;
}

PMUMAP_DEF enum pmumap_status pmumap_add_amu_view(struct pmumap_builder *b, uint32_t id)
{
	return pmumap_amu_add_view_entry_(b, id, 0, 1, PMUMAP_AMU_VIEW_LISTED_);
}

PMUMAP_DEF enum pmumap_status pmumap_add_amu_counter(struct pmumap_builder *b, uint32_t index,
						     const char *name, int enable)
{
	return pmumap_amu_add_counter_entry_(b, index, name ? name : "",
					     enable ? (uint32_t)PMUMAP_AMU_COUNTER_ENABLE_ : 0u);
}

PMUMAP_DEF enum pmumap_status pmumap_add_amu_cpu(struct pmumap_builder *b, uint64_t mpidr,
						 uint32_t view)
{
	return pmumap_amu_add_cpu_entry_(
		b, mpidr, view,
		view ? PMUMAP_AMU_CPU_HAS_VIEW_ | 1u << PMUMAP_AMU_CPU_CELLS_SHIFT_ : 0u);
}
