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

static inline void pmumap_amu_begin_part_(struct pmumap_builder *b)
{
	if (b->amu_finish)
		return;
	b->amu_finish = pmumap_amu_finish_part_;
	b->extra += sizeof(struct pmumap_amu) + 128; /* and what tables are rounded up by */
}

static inline enum pmumap_status pmumap_amu_add_view_entry_(struct pmumap_builder *b, uint32_t id,
							    const char *name, uint32_t cells,
							    uint32_t flags)
{
	pmumap_amu_begin_part_(b);
	b->extra += sizeof(struct pmumap_amu_view_row_) + 2 * sizeof(uint32_t);
	(void)pmumap_builder_add_entry_(b, PMUMAP_AMU_VIEW_ | flags, id, cells, (uint32_t)b->node);
	return name ? pmumap_builder_add_entry_(b, PMUMAP_AMU_VIEW_NAME_, (size_t)name, 0, 0)
		    : b->status;
}

static inline enum pmumap_status pmumap_amu_add_counter_entry_(struct pmumap_builder *b,
							       uint32_t index, const char *name,
							       uint32_t flags)
{
	b->extra += sizeof(uint32_t);
	return pmumap_builder_add_entry_(b, PMUMAP_AMU_COUNTER_ | flags,
					 pmumap_builder_reserve_text_(b, name), index,
					 (uint32_t)b->node);
}

static inline enum pmumap_status pmumap_amu_add_cpu_entry_(struct pmumap_builder *b, uint64_t mpidr,
							   uint32_t view, uint32_t flags)
{
	pmumap_amu_begin_part_(b);
	b->extra += sizeof(struct pmumap_amu_cpu_row_) + 2 * sizeof(uint32_t);
	return pmumap_builder_add_entry_(b, PMUMAP_AMU_CPU_ | flags, mpidr, view,
					 (uint32_t)b->node);
}

PMUMAP_DEF enum pmumap_status pmumap_add_amu_view(struct pmumap_builder *b, uint32_t id)
{
	return pmumap_amu_add_view_entry_(b, id, 0, 1, PMUMAP_AMU_LISTED_);
}

PMUMAP_DEF enum pmumap_status pmumap_add_amu_counter(struct pmumap_builder *b, uint32_t index,
						     const char *name, int enable)
{
	return pmumap_amu_add_counter_entry_(b, index, name ? name : "",
					     enable ? (uint32_t)PMUMAP_AMU_ENABLE_ : 0u);
}

PMUMAP_DEF enum pmumap_status pmumap_add_amu_cpu(struct pmumap_builder *b, uint64_t mpidr,
						 uint32_t view)
{
	return pmumap_amu_add_cpu_entry_(
		b, mpidr, view, view ? PMUMAP_AMU_HAS_VIEW_ | 1u << PMUMAP_AMU_CELLS_ : 0u);
}
