/* SPDX-License-Identifier: BSD-2-Clause */
/* Take a view, a counter, a CPU */
#pragma once

#include "amu/entries.h"

PMUMAP_DEF PMUMAP_COLD_ void pmumap_amu_begin(struct pmumap_amu_builder *b, void *mem, size_t bytes)
{
	pmumap_entries_begin_(&b->entries, mem, bytes);
	b->node = PMUMAP_NO_NODE;
}

/* Add the name of a view, a label or a path. The text is not copied. */
static inline void pmumap_amu_add_text_(struct pmumap_amu_builder *b, uint32_t kind,
					const char *text)
{
	struct pmumap_amu_text_entry_ *e =
		(struct pmumap_amu_text_entry_ *)pmumap_entries_add_(&b->entries, kind);

	if (e)
		e->text = (size_t)text;
}

/* Add a view; name: NULL unless it lies in /cpus/amus; flags: PMUMAP_AMU_VIEW_LISTED_ or 0. */
static inline enum pmumap_status pmumap_amu_add_view_entry_(struct pmumap_amu_builder *b,
							    uint32_t id, const char *name,
							    uint32_t cells, uint32_t flags)
{
	struct pmumap_amu_view_entry_ *e;

	b->entries.need += sizeof(struct pmumap_amu_view_row_) + 2 * sizeof(uint32_t);
	e = (struct pmumap_amu_view_entry_ *)pmumap_entries_add_(&b->entries,
								 PMUMAP_AMU_VIEW_ | flags);
	if (e) {
		e->id = id;
		e->cells = cells;
		e->node = (uint32_t)b->node;
	}
	if (name)
		pmumap_amu_add_text_(b, PMUMAP_AMU_VIEW_NAME_, name);
	return b->entries.status;
}

/* Add a counter of the view before it; flags: PMUMAP_AMU_COUNTER_ENABLE_ and so on. */
static inline enum pmumap_status pmumap_amu_add_counter_entry_(struct pmumap_amu_builder *b,
							       uint32_t index, const char *name,
							       uint32_t flags)
{
	struct pmumap_amu_counter_entry_ *e;

	b->entries.need += sizeof(uint32_t);
	e = (struct pmumap_amu_counter_entry_ *)pmumap_entries_add_(&b->entries,
								    PMUMAP_AMU_COUNTER_ | flags);
	if (e) {
		e->name = (size_t)name;
		e->index = index;
		e->node = (uint32_t)b->node;
	}
	pmumap_entries_reserve_text_(&b->entries, name);
	return b->entries.status;
}

/* Add a CPU; view: the id in its property; flags: PMUMAP_AMU_CPU_HAS_VIEW_ and so on. */
static inline enum pmumap_status pmumap_amu_add_cpu_entry_(struct pmumap_amu_builder *b,
							   uint64_t mpidr, uint32_t view,
							   uint32_t flags)
{
	struct pmumap_amu_cpu_entry_ *e;

	b->entries.need += sizeof(struct pmumap_amu_cpu_row_) + 2 * sizeof(uint32_t);
	e = (struct pmumap_amu_cpu_entry_ *)pmumap_entries_add_(&b->entries,
								PMUMAP_AMU_CPU_ | flags);
	if (e) {
		e->mpidr = mpidr;
		e->view = view;
		e->node = (uint32_t)b->node;
	}
	return b->entries.status;
}

PMUMAP_DEF enum pmumap_status pmumap_amu_add_view(struct pmumap_amu_builder *b, uint32_t id)
{
	return pmumap_amu_add_view_entry_(b, id, 0, 1, PMUMAP_AMU_VIEW_LISTED_);
}

PMUMAP_DEF enum pmumap_status pmumap_amu_add_counter(struct pmumap_amu_builder *b, uint32_t index,
						     const char *name, int enable)
{
	return pmumap_amu_add_counter_entry_(b, index, name ? name : "",
					     enable ? (uint32_t)PMUMAP_AMU_COUNTER_ENABLE_ : 0u);
}

PMUMAP_DEF enum pmumap_status pmumap_amu_add_cpu(struct pmumap_amu_builder *b, uint64_t mpidr,
						 uint32_t view)
{
	return pmumap_amu_add_cpu_entry_(
		b, mpidr, view,
		view ? PMUMAP_AMU_CPU_HAS_VIEW_ | 1u << PMUMAP_AMU_CPU_CELLS_SHIFT_ : 0u);
}
