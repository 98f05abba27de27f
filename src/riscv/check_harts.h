/* SPDX-License-Identifier: BSD-2-Clause */
/* Which harts each node serves */
#pragma once

#include "riscv/tell.h"
#include "riscv/harts.h"

/* The harts of a tree; of each, features is the last node that was told to share it. */
struct pmumap_riscv_harts_ {
	struct pmumap_riscv_list_ list;
	int named; /* whether any node names harts */
	int rest;  /* the wanted node, if it serves all harts that no node names; else NO_NODE */
};

/* Whether a status enables its node. A missing status does. */
static inline int pmumap_riscv_is_enabled_(const unsigned char *status, uint32_t bytes)
{
	return !status || pmumap_fdt_match_list_(status, bytes, "okay", 0) ||
	       pmumap_fdt_match_list_(status, bytes, "ok", 0);
}

/*
 * Validate a blob and list its enabled harts in the block, before that holds rows. Without room for
 * all, none is checked.
 */
static inline enum pmumap_status pmumap_riscv_list_harts_(struct pmumap_riscv_harts_ *h,
							  const void *fdt, size_t fdt_size,
							  uint32_t wanted)
{
	struct pmumap_riscv_list_ *l = &h->list;
	const struct pmumap_fdt_cursor_ *w = &l->r.w;
	enum pmumap_status status =
		pmumap_riscv_begin_list_(l, fdt, fdt_size, PMUMAP_RISCV_HART_PROPERTIES_);
	const unsigned char *value;
	uint32_t bytes;
	int more = 0;

	h->named = 0;
	h->rest = PMUMAP_NO_NODE;
	while (status == PMUMAP_OK && (more = pmumap_riscv_next_(&l->r)) > 0) {
		if (wanted && w->offset == wanted && !w->found[PMUMAP_RISCV_HART_SERVED_])
			h->rest = (int)wanted;
		value = pmumap_fdt_value_(w, PMUMAP_RISCV_HART_STATUS_, &bytes);
		if (pmumap_riscv_list_hart_(l) && !pmumap_riscv_is_enabled_(value, bytes)) {
			l->count--;
			l->place = PMUMAP_RISCV_IN_CPUS_;
		}
	}
	if (more < 0)
		return PMUMAP_E_FDT_STRUCT;
	if (l->count > l->room) {
		l->count = 0;
		return PMUMAP_E_NOSPACE;
	}
	pmumap_riscv_sort_harts_(l->harts, l->count, PMUMAP_RISCV_BY_PHANDLE_);
	return status;
}

/*
 * Record that the current node serves the harts with this phandle. Returns 0 if there are none.
 * Report that they are another node's once, so that hostile trees get few findings.
 */
static inline int pmumap_riscv_check_hart_(struct pmumap_checker_ *c, uint32_t row,
					   uint32_t phandle)
{
	struct pmumap_fdt_hart *h =
		pmumap_riscv_serve_harts_(&c->harts->list, phandle, (uint32_t)c->node);

	if (h && h->node != c->node && h->features != (uint32_t)c->node) {
		h->features = (uint32_t)c->node;
		PMUMAP_WARN_(c, HART_SHARED, PMUMAP_IN_PROPERTY_, row, (uint64_t)h->node);
	}
	return h != 0;
}

/*
 * Check which harts the current riscv,pmu node serves. A node without interrupts-extended serves
 * all harts that no node names. If two nodes do, the wanted one wins, otherwise the first.
 */
static inline void pmumap_riscv_check_served_(struct pmumap_checker_ *c)
{
	struct pmumap_riscv_harts_ *h = c->harts;
	uint32_t bytes, row;
	int known = h->list.count == 0;
	const unsigned char *p = pmumap_fdt_value_(&c->r.w, PMUMAP_RISCV_PROPERTY_HARTS_, &bytes);

	if (!p) {
		if (h->rest == PMUMAP_NO_NODE)
			h->rest = c->node;
		else if (h->rest != c->node)
			PMUMAP_WARN_(c, EXTRA_NODE, PMUMAP_IN_NODE_, PMUMAP_NO_ROW,
				     (uint64_t)h->rest);
		return;
	}
	h->named = 1;
	for (row = 0; row < bytes / 8; row++)
		known |= pmumap_riscv_check_hart_(c, row, pmumap_load_be32_(p + 8 * (size_t)row));
	if (!known)
		PMUMAP_WARN_(c, HARTS_UNKNOWN, PMUMAP_IN_PROPERTY_, PMUMAP_NO_ROW, 0);
}

/* After all nodes, report the harts that no node serves. */
static inline void pmumap_riscv_check_unserved_(struct pmumap_checker_ *c)
{
	const struct pmumap_riscv_harts_ *h = c->harts;
	const struct pmumap_riscv_list_ *l = &h->list;
	size_t i;

	if (!h->named || h->rest != PMUMAP_NO_NODE)
		return;
	pmumap_riscv_sort_harts_(l->harts, l->count, PMUMAP_RISCV_BY_HART_);
	for (i = 0; i < l->count; i++) {
		if (l->harts[i].node != PMUMAP_NO_NODE)
			continue;
		c->node = (int)l->harts[i].cpu;
		PMUMAP_WARN_(c, HART_UNSERVED, PMUMAP_IN_NODE_, PMUMAP_NO_ROW, 0);
	}
}

/* Choose a node of a valid blob. Check how nodes serve harts, and report drafts. */
static inline enum pmumap_status pmumap_riscv_check_nodes_(struct pmumap_checker_ *c,
							   const void *fdt, size_t fdt_size,
							   uint32_t wanted)
{
	int pmu, chosen = 0;

	(void)pmumap_riscv_begin_nodes_(&c->r, fdt, fdt_size, PMUMAP_RISCV_PROPERTIES_);
	while (pmumap_riscv_next_(&c->r) > 0) {
		if (!chosen && pmumap_riscv_fits_(&c->r, wanted)) {
			pmumap_riscv_use_node_(&c->r);
			chosen = 1;
		}
		pmu = pmumap_riscv_is_pmu_node_(&c->r.w);
		c->node = (int)c->r.w.offset;
		if (pmu > 0)
			pmumap_riscv_check_served_(c);
		else if (pmu < 0 && (!wanted || wanted != c->r.w.offset))
			PMUMAP_WARN_(c, FOREIGN_NODE, PMUMAP_IN_NODE_, PMUMAP_NO_ROW, 0);
	}
	pmumap_riscv_check_unserved_(c);
	if (!chosen)
		return wanted ? PMUMAP_E_NODE : PMUMAP_E_NOTFOUND;
	return PMUMAP_OK;
}
