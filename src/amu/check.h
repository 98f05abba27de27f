/* SPDX-License-Identifier: BSD-2-Clause */
/* Mistakes in a tree */
#pragma once

#include "amu/findings_api.h"
#include "amu/read.h"

enum {
	PMUMAP_AMU_IN_NODE_, /* the node as a whole */
#define PMUMAP_X_(name, text) PMUMAP_AMU_IN_##name##_,
	PMUMAP_AMU_PLACE_LIST_(PMUMAP_X_)
#undef PMUMAP_X_
};

/* A finding packed into a number: code, severity and place, lowest byte first. */
#define PMUMAP_AMU_FINDING_(code, severity, place)                                                 \
	((uint32_t)PMUMAP_F_##code | (uint32_t)PMUMAP_##severity << 8 |                            \
	 (uint32_t)PMUMAP_AMU_IN_##place##_ << 16)

/* State of a check: the builder of the finished map, and the listener. */
struct pmumap_amu_checker_ {
	const struct pmumap_amu_builder *b;
	const struct pmumap_amu *m;
	const struct pmumap_amu_options *opt;
	uint32_t node;
	uint32_t cpus; /* CPUs of the map that were checked so far */
};

/* Report a finding. row and other: CPUs, or NO_ROW. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ void pmumap_amu_tell_(const struct pmumap_amu_checker_ *c,
						   uint32_t what, uint32_t row, uint32_t other,
						   uint64_t value)
{
#define PMUMAP_X_(name, number, text) number,
	static const unsigned char numbers[] = { PMUMAP_AMU_FINDING_LIST(PMUMAP_X_) };
#undef PMUMAP_X_
#define PMUMAP_X_(name, number, text) text "\0"
	static const char names[] = PMUMAP_AMU_FINDING_LIST(PMUMAP_X_);
#undef PMUMAP_X_
#define PMUMAP_X_(name, text) text "\0"
	static const char places[] = PMUMAP_AMU_PLACE_LIST_(PMUMAP_X_);
#undef PMUMAP_X_
	struct pmumap_finding f;
	uint32_t place = what >> 16;

	f.code = what & 0xff;
	f.name = pmumap_text_of_number_(numbers, sizeof(numbers), names, f.code);
	f.severity = (enum pmumap_severity)(what >> 8 & 0xff);
	f.node = (int)c->node;
	f.property = place == PMUMAP_AMU_IN_NODE_ ? 0 : pmumap_nth_text_(places, place - 1);
	f.row = row;
	f.other_property = other == PMUMAP_NO_ROW ? 0 : f.property;
	f.other = other;
	f.value = value;
	c->opt->report(c->opt->arg, &f);
}

/* Report a finding that is not about a CPU. */
static inline void pmumap_amu_tell_node_(struct pmumap_amu_checker_ *c, uint32_t node,
					 uint32_t what, uint64_t value)
{
	c->node = node;
	pmumap_amu_tell_(c, what, PMUMAP_NO_ROW, PMUMAP_NO_ROW, value);
}

/* Check a counter; seen: the earlier ones of its view. */
static inline void pmumap_amu_check_counter_(struct pmumap_amu_checker_ *c,
					     const struct pmumap_amu_counter_entry_ *e,
					     uint32_t seen)
{
	int fate = pmumap_amu_counter_fate_(e, seen);
	uint32_t what = 0;

	if (fate == PMUMAP_AMU_AGAIN_)
		what = PMUMAP_AMU_FINDING_(COUNTER_DUPLICATE, ERROR, REG);
	else if (e->kind & PMUMAP_AMU_COUNTER_BAD_NAME_)
		what = PMUMAP_AMU_FINDING_(COUNTER_NAME, WARNING, NODE);
	else if (e->kind & PMUMAP_AMU_COUNTER_NO_REG_)
		what = PMUMAP_AMU_FINDING_(COUNTER_REG, ERROR, REG);
	else if (fate == PMUMAP_AMU_LEFT_OUT_)
		what = PMUMAP_AMU_FINDING_(COUNTER_RANGE, ERROR, REG);
	else if (e->kind & PMUMAP_AMU_COUNTER_MISMATCH_)
		what = PMUMAP_AMU_FINDING_(UNIT_MISMATCH, WARNING, REG);
	if (what)
		pmumap_amu_tell_node_(c, e->node, what, e->index);
	if (fate && (e->kind & PMUMAP_AMU_COUNTER_ENABLE_VALUE_))
		pmumap_amu_tell_node_(c, e->node,
				      PMUMAP_AMU_FINDING_(ENABLE_VALUE, WARNING, ENABLE), e->index);
}

/* Check the view in entry i and its counters, which follow it. */
static inline void pmumap_amu_check_view_(struct pmumap_amu_checker_ *c, uint32_t i)
{
	const struct pmumap_amu_view_entry_ *view = PMUMAP_AMU_ENTRY_(view, c->b, i);
	uint32_t seen = 0, any = 0, kind;

	for (i++; i < c->b->entries.count; i++) {
		const struct pmumap_amu_counter_entry_ *e = PMUMAP_AMU_ENTRY_(counter, c->b, i);

		kind = pmumap_entries_kind_(&c->b->entries, i);
		if (kind == PMUMAP_AMU_VIEW_)
			break;
		if (kind != PMUMAP_AMU_COUNTER_)
			continue;
		if (!any++ && view->cells != 1)
			pmumap_amu_tell_node_(c, view->node,
					      PMUMAP_AMU_FINDING_(CELLS, WARNING, ADDRESS_CELLS),
					      view->cells);
		pmumap_amu_check_counter_(c, e, seen);
		if (pmumap_amu_counter_fate_(e, seen))
			seen |= 1u << e->index;
	}
	if (!(view->kind & PMUMAP_AMU_VIEW_LISTED_))
		pmumap_amu_tell_node_(c, view->node,
				      PMUMAP_AMU_FINDING_(VIEW_FOREIGN, WARNING, NODE), 0);
}

/* Check the node of a CPU that the map has. */
static inline void pmumap_amu_check_kept_cpu_(const struct pmumap_amu_checker_ *c,
					      const struct pmumap_amu_cpu_entry_ *e)
{
	uint32_t cells = (e->kind & PMUMAP_POOL_ENTRY_FLAGS_) >> PMUMAP_AMU_CPU_CELLS_SHIFT_;
	struct pmumap_amu_cpu cpu;

	cpu.view = PMUMAP_AMU_NO_VIEW;
	(void)pmumap_amu_cpu_at(c->m, e->cpu, &cpu);
	if (e->kind & PMUMAP_AMU_CPU_ODD_NAME_)
		pmumap_amu_tell_(c, PMUMAP_AMU_FINDING_(CPU_NAME, WARNING, NODE), e->cpu,
				 PMUMAP_NO_ROW, 0);
	if (e->kind & PMUMAP_AMU_CPU_DISABLED_)
		pmumap_amu_tell_(c, PMUMAP_AMU_FINDING_(CPU_DISABLED, NOTE, STATUS), e->cpu,
				 PMUMAP_NO_ROW, 0);
	if ((e->kind & PMUMAP_AMU_CPU_HAS_VIEW_) && cpu.view == PMUMAP_AMU_NO_VIEW)
		pmumap_amu_tell_(c, PMUMAP_AMU_FINDING_(VIEW_MISSING, ERROR, AMU), e->cpu,
				 PMUMAP_NO_ROW, e->view);
	if (cells > 1)
		pmumap_amu_tell_(c, PMUMAP_AMU_FINDING_(VIEW_EXTRA, WARNING, AMU), e->cpu,
				 PMUMAP_NO_ROW, cells);
}

static inline void pmumap_amu_check_cpu_(struct pmumap_amu_checker_ *c,
					 const struct pmumap_amu_cpu_entry_ *e)
{
	uint32_t other = PMUMAP_NO_ROW, what = 0;

	c->node = e->node;
	if (e->kind & PMUMAP_AMU_CPU_BAD_REG_) {
		what = PMUMAP_AMU_FINDING_(CPU_REG, ERROR, REG);
	} else if (e->kind & PMUMAP_AMU_CPU_DROPPED_) {
		what = PMUMAP_AMU_FINDING_(CPU_DUPLICATE, ERROR, REG);
		other = PMUMAP_AMU_ENTRY_(cpu, c->b, e->cpu)->cpu;
	} else if (e->mpidr & ~(uint64_t)PMUMAP_AMU_AFFINITY) {
		what = PMUMAP_AMU_FINDING_(CPU_REG, WARNING, REG);
	}
	if (what)
		pmumap_amu_tell_(c, what, c->cpus, other, e->mpidr);
	if (e->kind & PMUMAP_AMU_CPU_LEFT_OUT_)
		return;
	pmumap_amu_check_kept_cpu_(c, e);
	c->cpus++;
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_amu_check(const void *fdt, size_t fdt_size,
							    const struct pmumap_amu_options *opt,
							    void *mem, size_t bytes,
							    const struct pmumap_amu **map)
{
	struct pmumap_amu_checker_ c;
	struct pmumap_amu_builder b;
	enum pmumap_status status = pmumap_amu_build_tree_(&b, fdt, fdt_size, opt, mem, bytes, map);
	uint32_t i;

	if (status != PMUMAP_OK || !opt || !opt->report)
		return status;
	c.b = &b;
	c.m = *map;
	c.opt = opt;
	c.cpus = 0;
	for (i = 0; i < b.entries.count; i++) {
		if (pmumap_amu_is_kept_view_(&b, i))
			pmumap_amu_check_view_(&c, i);
	}
	for (i = 0; i < b.entries.count; i++) {
		if (pmumap_entries_kind_(&b.entries, i) == PMUMAP_AMU_CPU_)
			pmumap_amu_check_cpu_(&c, PMUMAP_AMU_ENTRY_(cpu, &b, i));
	}
	return status;
}
