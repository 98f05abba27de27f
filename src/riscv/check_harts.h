/* SPDX-License-Identifier: BSD-2-Clause */
/* Which harts each node serves */
#pragma once

#include "riscv/tell.h"

#define PMUMAP_RISCV_HARTS_ 128u /* the first ones in the tree; others are not checked */

/* The harts of a tree. */
struct pmumap_riscv_harts_ {
	uint32_t count;
	uint32_t named; /* whether any node names harts */
	int rest; /* the wanted node, if it serves all harts that no node names; else NO_NODE */
	struct {
		uint32_t node, phandle; /* 0: no node can name it */
		int server;             /* the first node that names it, or PMUMAP_NO_NODE */
		int told;               /* the last node that shares it */
	} hart[PMUMAP_RISCV_HARTS_];
};

/* Whether a status enables its node. A missing status does. */
static inline int pmumap_riscv_is_enabled_(const unsigned char *status, uint32_t bytes)
{
	return !status || pmumap_fdt_match_list_(status, bytes, "okay", 0) ||
	       pmumap_fdt_match_list_(status, bytes, "ok", 0);
}

/* List the current node if it is an enabled hart, or that hart's interrupt controller. */
static inline void pmumap_riscv_list_hart_(struct pmumap_riscv_harts_ *h,
					   const struct pmumap_fdt_cursor_ *w,
					   struct pmumap_riscv_hart_ *at)
{
	const unsigned char *status;
	uint64_t address;
	uint32_t bytes;

	if (w->depth < 3) {
		at->place = (size_t)pmumap_riscv_is_cpus_(w);
		at->cells = pmumap_fdt_address_cells_(w, PMUMAP_RISCV_PROPERTY_CELLS_);
	} else if (w->depth == 3) {
		at->place &= PMUMAP_RISCV_IN_CPUS_;
		status = pmumap_fdt_value_(w, PMUMAP_RISCV_PROPERTY_STATUS_, &bytes);
		if (at->place && h->count < PMUMAP_RISCV_HARTS_ && pmumap_riscv_is_cpu_(w) &&
		    pmumap_riscv_is_enabled_(status, bytes) &&
		    pmumap_fdt_reg_address_(w, PMUMAP_RISCV_PROPERTY_REG_, at->cells, &address)) {
			h->hart[h->count].node = w->offset;
			h->hart[h->count].phandle = 0;
			h->hart[h->count].told = PMUMAP_NO_NODE;
			h->hart[h->count++].server = PMUMAP_NO_NODE;
			at->place |= PMUMAP_RISCV_IN_HART_;
		}
	} else if (at->place & PMUMAP_RISCV_IN_HART_) {
		pmumap_riscv_note_controller_(w, &h->hart[h->count - 1].phandle);
	}
}

/* Validate a blob and list its harts. */
static inline enum pmumap_status pmumap_riscv_list_harts_(struct pmumap_riscv_harts_ *h,
							  const void *fdt, size_t fdt_size,
							  const struct pmumap_fdt_options *opt)
{
	struct pmumap_reader_ r;
	enum pmumap_status status = pmumap_riscv_begin_nodes_(
		&r, fdt, fdt_size, PMUMAP_RISCV_PROPERTY_HARTS_, PMUMAP_RISCV_PROPERTY_EXTENSIONS_);
	int more = 0;

	h->count = h->named = 0;
	h->rest = PMUMAP_NO_NODE;
	while (status == PMUMAP_OK && (more = pmumap_riscv_next_(&r)) > 0) {
		if (opt && opt->node && r.w.offset == (uint32_t)opt->node &&
		    !r.found[PMUMAP_RISCV_PROPERTY_HARTS_])
			h->rest = opt->node;
		pmumap_riscv_list_hart_(h, &r.w, &r.hart);
	}
	return more < 0 ? PMUMAP_E_FDT_STRUCT : status;
}

/*
 * Record that the current node serves the harts with this phandle. Returns 0 if there are none.
 * Report a hart of another node once for each node, so that hostile trees get few findings.
 */
static inline int pmumap_riscv_serve_hart_(struct pmumap_checker_ *c, uint32_t row,
					   uint32_t phandle)
{
	struct pmumap_riscv_harts_ *h = c->harts;
	uint32_t i;
	int known = 0, told = 0;

	for (i = 0; i < h->count; i++) {
		if (!phandle || h->hart[i].phandle != phandle)
			continue;
		known = 1;
		if (h->hart[i].server == PMUMAP_NO_NODE) {
			h->hart[i].server = c->node;
		} else if (h->hart[i].server != c->node && h->hart[i].told != c->node && !told) {
			told = 1;
			h->hart[i].told = c->node;
			PMUMAP_WARN_(c, HART_SHARED, PMUMAP_IN_PROPERTY_, row,
				     (uint64_t)h->hart[i].server);
		}
	}
	return known;
}

/*
 * Check which harts the current riscv,pmu node serves. A node without interrupts-extended serves
 * all harts that no node names. If two nodes do, the wanted one wins, otherwise the first.
 */
static inline void pmumap_riscv_check_served_(struct pmumap_checker_ *c)
{
	struct pmumap_riscv_harts_ *h = c->harts;
	uint32_t bytes, row;
	int known = h->count == 0 || h->count == PMUMAP_RISCV_HARTS_; /* no hart, or too many */
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
		known |= pmumap_riscv_serve_hart_(c, row, pmumap_load_be32_(p + 8 * (size_t)row));
	if (!known)
		PMUMAP_WARN_(c, HARTS_UNKNOWN, PMUMAP_IN_PROPERTY_, PMUMAP_NO_ROW, 0);
}

/* After all nodes, report the harts that no node serves. */
static inline void pmumap_riscv_check_unserved_(struct pmumap_checker_ *c)
{
	const struct pmumap_riscv_harts_ *h = c->harts;
	uint32_t i;

	if (!h->named || h->rest != PMUMAP_NO_NODE)
		return;
	for (i = 0; i < h->count; i++) {
		if (h->hart[i].server != PMUMAP_NO_NODE)
			continue;
		c->node = (int)h->hart[i].node;
		PMUMAP_WARN_(c, HART_UNSERVED, PMUMAP_IN_NODE_, PMUMAP_NO_ROW, 0);
	}
}
