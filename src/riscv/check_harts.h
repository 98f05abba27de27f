/* SPDX-License-Identifier: BSD-2-Clause */
/* Which harts each node serves */
#pragma once

#include "riscv/tell.h"

#define PMUMAP_RISCV_HARTS_ 128u /* the first ones in the tree; others are not checked */

/* The properties that list a tree's harts. */
#define PMUMAP_RISCV_SERVES_LIST_(X)                                                               \
	PMUMAP_RISCV_HART_LIST_(X)                                                                 \
	PMUMAP_RISCV_CONTROLLER_LIST_(X)                                                           \
	X(STATUS, "status")                                                                        \
	X(SERVED, "interrupts-extended")

enum {
#define PMUMAP_X_(name, text) PMUMAP_RISCV_SERVES_##name##_,
	PMUMAP_RISCV_SERVES_LIST_(PMUMAP_X_)
#undef PMUMAP_X_
		PMUMAP_RISCV_SERVES_PROPERTIES_
};

/* The harts of a tree. The walk comes first, because its callback casts the walk to this struct. */
struct pmumap_riscv_harts_ {
	struct pmumap_fdt_walk_ w;
	uint32_t values[PMUMAP_RISCV_SERVES_PROPERTIES_]; /* of the current node */
	uint32_t count, place, cells;
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
static inline void pmumap_riscv_list_hart_(struct pmumap_fdt_walk_ *w)
{
	struct pmumap_riscv_harts_ *h = (struct pmumap_riscv_harts_ *)(void *)w;
	const uint32_t first = PMUMAP_RISCV_SERVES_REG_;
	const unsigned char *status;
	uint64_t address;
	uint32_t bytes;

	if (w->wanted && w->offset == w->wanted && !h->values[PMUMAP_RISCV_SERVES_SERVED_])
		h->rest = (int)w->offset;
	if (w->depth < 3) {
		h->place = (uint32_t)pmumap_riscv_is_cpus_(w);
		h->cells = pmumap_fdt_address_cells_(w, PMUMAP_RISCV_SERVES_CELLS_);
	} else if (w->depth == 3) {
		h->place &= PMUMAP_RISCV_IN_CPUS_;
		status = pmumap_fdt_property_value_(w, PMUMAP_RISCV_SERVES_STATUS_, &bytes);
		if (h->place && h->count < PMUMAP_RISCV_HARTS_ && pmumap_riscv_is_cpu_(w, first) &&
		    pmumap_riscv_is_enabled_(status, bytes) &&
		    pmumap_fdt_reg_address_(w, first, h->cells, &address)) {
			h->hart[h->count].node = w->offset;
			h->hart[h->count].phandle = 0;
			h->hart[h->count].told = PMUMAP_NO_NODE;
			h->hart[h->count++].server = PMUMAP_NO_NODE;
			h->place |= PMUMAP_RISCV_IN_HART_;
		}
	} else if (h->place & PMUMAP_RISCV_IN_HART_) {
		pmumap_riscv_note_controller_(w, first, &h->hart[h->count - 1].phandle);
	}
}

/* Validate a blob and list its harts. */
static inline enum pmumap_status pmumap_riscv_list_harts_(struct pmumap_riscv_harts_ *h,
							  const void *fdt, size_t fdt_size,
							  const struct pmumap_fdt_options *opt)
{
	static const char texts[] = PMUMAP_RISCV_SERVES_LIST_(PMUMAP_FDT_TEXT_);
	static const unsigned char lengths[] = { PMUMAP_RISCV_SERVES_LIST_(PMUMAP_FDT_BYTES_) };

	pmumap_zero_words_(h, sizeof(*h));
	h->w.blob = (const unsigned char *)fdt;
	h->w.wanted = opt ? (uint32_t)opt->node : 0;
	h->w.read_node = pmumap_riscv_list_hart_;
	h->rest = PMUMAP_NO_NODE;
	pmumap_fdt_want_(&h->w, texts, lengths, PMUMAP_RISCV_SERVES_PROPERTIES_, h->values);
	return pmumap_fdt_walk_blob_(&h->w, fdt_size);
}

/* The harts that a node of a validated blob names, or NULL. *name is the property's own name. */
static inline const unsigned char *pmumap_riscv_served_harts_(const struct pmumap_fdt_walk_ *w,
							      uint32_t node, const char **name,
							      uint32_t *bytes)
{
	const unsigned char *tag = w->blob + w->start + node, *text;

	while ((tag = pmumap_fdt_next_property_(tag)) != 0) {
		text = w->blob + w->names + pmumap_load_be32_(tag + 8);
		if (!pmumap_fdt_match_string_(text, "interrupts-extended", 0))
			continue;
		*name = (const char *)text;
		*bytes = pmumap_load_be32_(tag + 4);
		return tag + PMUMAP_FDT_PROPERTY_HEAD_;
	}
	return 0;
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
	const unsigned char *p = pmumap_riscv_served_harts_(&c->r.w, c->r.w.offset,
							    &c->names[PMUMAP_IN_PROPERTY_], &bytes);

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
