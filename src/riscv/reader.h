/* SPDX-License-Identifier: BSD-2-Clause */
/* Walk from node to node */
#pragma once

#include "fdt/next.h"
#include "core/status.h"
#include "riscv/add_table.h"

/*
 * Properties of a node: the tables, their names of 2021, and those only in drafts of 2018 to 2020.
 * The last is only read if harts matter.
 */
#define PMUMAP_RISCV_PROPERTY_LIST_(X)                                                             \
	X(COMPATIBLE, "compatible")                                                                \
	X(SELECTORS, "riscv,event-to-mhpmevent")                                                   \
	X(RANGES, "riscv,event-to-mhpmcounters")                                                   \
	X(RAW, "riscv,raw-event-to-mhpmcounters")                                                  \
	X(OLD_SELECTORS, "pmu,event-to-mhpmevent")                                                 \
	X(OLD_RANGES, "pmu,event-to-mhpmcounters")                                                 \
	X(OLD_RAW, "pmu,raw-event-to-mhpmcounters")                                                \
	X(DRAFT_HW, "riscv,hw-*")                                                                  \
	X(DRAFT_WIDTH, "riscv,width-*")                                                            \
	X(HARTS, "interrupts-extended")

enum {
#define PMUMAP_X_(name, text) PMUMAP_RISCV_PROPERTY_##name##_,
	PMUMAP_RISCV_PROPERTY_LIST_(PMUMAP_X_)
#undef PMUMAP_X_
		PMUMAP_RISCV_PROPERTIES_
};

static inline const char *pmumap_riscv_property_texts_(void)
{
	static const char texts[] = PMUMAP_RISCV_PROPERTY_LIST_(PMUMAP_FDT_WANT_);

	return texts;
}

/* A walk; the node that it has chosen, and its tables. */
struct pmumap_reader_ {
	struct pmumap_fdt_cursor_ w;
	uint32_t found[PMUMAP_RISCV_PROPERTIES_];
	uint32_t chosen;                 /* offset of the node */
	uint32_t tables[PMUMAP_TABLES_]; /* offsets of their values in the blob, or 0 */
	uint32_t old;                    /* bit N: table N has its name of 2021 */
};

/* Begin to read a tree. Of each node, read the properties up to end. */
static inline enum pmumap_status
pmumap_riscv_begin_nodes_(struct pmumap_reader_ *r, const void *fdt, size_t fdt_size, uint32_t end)
{
	static const unsigned char lengths[] = { PMUMAP_RISCV_PROPERTY_LIST_(
		PMUMAP_FDT_WANT_BYTES_) };

	r->w.wanted = pmumap_riscv_property_texts_();
	r->w.lengths = lengths;
	r->w.count = end;
	r->w.found = r->found;
	return pmumap_fdt_begin_(&r->w, fdt, fdt_size);
}

/* Go to the next node. One call of the walk for all readers: only edits pass other arguments. */
static inline int pmumap_riscv_next_(struct pmumap_reader_ *r)
{
	return pmumap_fdt_next_(&r->w, pmumap_fdt_number_);
}
