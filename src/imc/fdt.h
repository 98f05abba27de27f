/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/api.h"
#include "imc/api.h"
#include "builder/report.h"
#include "imc/list.h"
#include "imc/available.h"
#include "imc/entries.h"
#include "imc/add.h"
#include "fdt/blob.h"
#include "fdt/walk.h"
#include "fdt/property.h"

/* What is known of IMC while the tree is walked. A depth is 0 outside of its node. */
struct pmumap_imc_reader_ {
	const struct pmumap_fdt_options *opt;
	uint32_t depth;                          /* of the root that the walk is in */
	uint32_t nest_offset, nest_size;         /* of that root */
	uint32_t reserved_depth, reserved_cells; /* of /reserved-memory; of addresses in it */
	uint32_t roots, old_formats;             /* roots, and units of old formats, so far */
};

/*
 * The format of the node at hand: 0, no unit; 1, today's; 2, an old one, whose name gives *type.
 */
static inline int pmumap_imc_node_format_(const struct pmumap_fdt_node_ *n, uint32_t *type)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_property_value_(n, PMUMAP_FDT_COMPATIBLE_LIST_, &bytes),
			    *suffix;

	suffix = pmumap_fdt_match_list_(p, bytes, "ibm,imc-counters", 1);
	if (!suffix)
		suffix = pmumap_fdt_match_list_(p, bytes, "ibm,ima-counters", 1);
	if (!suffix)
		return 0;
	if (*suffix == 0)
		return 1;
	if (pmumap_fdt_match_string_(suffix, "-nest", 0))
		*type = PMUMAP_IMC_NEST;
	else if (pmumap_fdt_match_string_(suffix, "-core", 0))
		*type = PMUMAP_IMC_CORE;
	else if (pmumap_fdt_match_string_(suffix, "-thread", 0))
		*type = PMUMAP_IMC_THREAD;
	return 2;
}

/* Add the chips of the unit at hand. Without b: only whether it has properties of chips. */
static inline int pmumap_imc_read_chips_(const struct pmumap_fdt_node_ *n, struct pmumap_builder *b)
{
	uint32_t bases, chips, i;
	const unsigned char *base = pmumap_fdt_property_value_(
		n, pmumap_fdt_either_property_(n, PMUMAP_FDT_BASE_, PMUMAP_FDT_DOC_BASE_), &bases);
	const unsigned char *chip = pmumap_fdt_property_value_(
		n, pmumap_fdt_either_property_(n, PMUMAP_FDT_CHIP_, PMUMAP_FDT_DOC_CHIP_), &chips);

	if (!b)
		return base || chip;
	if (bases % 8 || chips % 4 || bases / 8 != chips / 4)
		pmumap_report_row_(
			b, PMUMAP_FINDING_(CHIP_MISMATCH, PMUMAP_WARNING, PMUMAP_IN_CHIP_ID_),
			b->own.imc.units - 1, chips / 4);
	for (i = 0; i < bases / 8 && i < chips / 4; i++)
		(void)pmumap_add_imc_chip(b, pmumap_load_be32_(chip + 4 * i),
					  pmumap_load_be64_(base + 8 * i));
	return 1;
}

/* Fill in all but the type of the unit at hand; old: the root has defaults for its window. */
static inline void pmumap_imc_read_description_(const struct pmumap_imc_reader_ *r,
						const struct pmumap_fdt_node_ *n,
						struct pmumap_imc_unit *u, int old)
{
	u->name = (const char *)pmumap_fdt_node_name_(n->w);
	u->prefix = pmumap_fdt_property_text_(n, PMUMAP_FDT_PREFIX_);
	u->scale = pmumap_fdt_property_text_(n, PMUMAP_FDT_SCALE_);
	u->measure = pmumap_fdt_property_text_(n, PMUMAP_FDT_UNIT_);
	u->reg = u->offset = u->control = 0;
	u->size = 0;
	(void)pmumap_fdt_property_number_(n, PMUMAP_FDT_REG_, &u->reg);
	if (u->type == PMUMAP_IMC_NEST) {
		u->size = old ? r->nest_size : 0;
		u->offset = old ? r->nest_offset : 0;
		(void)pmumap_fdt_property_number_(n, PMUMAP_FDT_OFFSET_, &u->offset);
		u->control = PMUMAP_IMC_USUAL_CONTROL_;
		(void)pmumap_fdt_property_number_(n, PMUMAP_FDT_CONTROL_, &u->control);
	}
	(void)pmumap_fdt_property_number_(n, PMUMAP_FDT_SIZE_, &u->size);
}

/* Read a child of the root: a list of events, a unit, or in old formats both in one. */
static inline void pmumap_imc_read_unit_(struct pmumap_imc_reader_ *r,
					 const struct pmumap_fdt_node_ *n, struct pmumap_builder *b)
{
	uint32_t list = 0, shared = n->at[PMUMAP_FDT_EVENTS_];
	uint32_t flags = PMUMAP_IMC_UNIT_OWN_CONTROL_;
	uint32_t before = b->own.imc.units;
	struct pmumap_imc_unit u;
	int kind, nest;

	u.type = 0;
	kind = pmumap_imc_node_format_(n, &u.type);
	(void)pmumap_add_imc_list(b, pmumap_fdt_phandle_(n));
	if (!kind)
		return;
	if (kind == 2 && r->old_formats++ == 0)
		pmumap_report_row_(b,
				   PMUMAP_FINDING_(OLD_FORMAT, PMUMAP_NOTE, PMUMAP_IN_COMPATIBLE_),
				   before, 0);
	if (!pmumap_fdt_property_number_(n, PMUMAP_FDT_TYPE_, &u.type) && !u.type) {
		pmumap_report_row_(b, PMUMAP_FINDING_(TYPE_MISSING, PMUMAP_ERROR, PMUMAP_IN_TYPE_),
				   before, 0);
		return;
	}
	if (!pmumap_imc_check_type_(b, u.type))
		return;
	nest = u.type == PMUMAP_IMC_NEST;
	pmumap_imc_read_description_(r, n, &u, kind == 2);
	if (nest && r->opt &&
	    !pmumap_imc_available(r->opt->imc_generation, r->opt->imc_available, u.name))
		return;
	if (shared && !pmumap_fdt_property_number_(n, PMUMAP_FDT_REG_, &u.reg)) {
		pmumap_report_row_(b, PMUMAP_FINDING_(REG_MISSING, PMUMAP_ERROR, PMUMAP_IN_REG_),
				   before, 0);
		return;
	}
	if (shared && !u.prefix)
		pmumap_report_row_(
			b,
			PMUMAP_FINDING_(PREFIX_MISSING, PMUMAP_WARNING, PMUMAP_IN_EVENTS_PREFIX_),
			before, 0);
	(void)pmumap_fdt_property_number_(n, PMUMAP_FDT_EVENTS_, &list);
	if (!shared)
		flags |= PMUMAP_IMC_UNIT_OWN_LIST_;
	if (nest && pmumap_imc_read_chips_(n, 0))
		flags |= PMUMAP_IMC_UNIT_OWN_CHIPS_;
	(void)pmumap_imc_add_unit_entries_(b, list, &u, flags);
	if (flags & PMUMAP_IMC_UNIT_OWN_CHIPS_)
		(void)pmumap_imc_read_chips_(n, b);
}

/* Read an event, which belongs to the list added last. */
static inline void pmumap_imc_read_event_(const struct pmumap_fdt_node_ *n,
					  struct pmumap_builder *b)
{
	struct pmumap_imc_event e;

	if (!n->at[PMUMAP_FDT_REG_] && !n->at[PMUMAP_FDT_EVENT_NAME_])
		return;
	e.name = pmumap_fdt_property_text_(n, PMUMAP_FDT_EVENT_NAME_);
	e.scale = pmumap_fdt_property_text_(n, PMUMAP_FDT_SCALE_);
	e.measure = pmumap_fdt_property_text_(n, PMUMAP_FDT_UNIT_);
	e.desc = pmumap_fdt_property_text_(n, PMUMAP_FDT_DESC_);
	e.offset = 0;
	if (pmumap_fdt_property_number_(n, PMUMAP_FDT_REG_, &e.offset) || !e.name || !*e.name)
		(void)pmumap_add_imc_event(b, &e);
	else
		pmumap_report_row_(b, PMUMAP_FINDING_(REG_MISSING, PMUMAP_ERROR, PMUMAP_IN_REG_),
				   b->own.imc.events++, 0);
}

/*
 * Read memory that firmware reserved for a chip: where the nest windows of units begin that have
 * no base-addr.
 */
static inline void pmumap_imc_read_homer_(const struct pmumap_imc_reader_ *r,
					  const struct pmumap_fdt_node_ *n,
					  struct pmumap_builder *b)
{
	uint32_t chip;
	uint64_t base;

	if (pmumap_fdt_match_string_(pmumap_fdt_node_name_(n->w), "ibm,homer-image", 1) &&
	    pmumap_fdt_property_number_(n, PMUMAP_FDT_HOMER_CHIP_, &chip) &&
	    pmumap_fdt_reg_address_(n, r->reserved_cells, &base))
		(void)pmumap_imc_add_chip_entry_(b, PMUMAP_IMC_HOMER_, chip, base);
}

/* Read the node at hand, whose properties are complete. */
static inline void pmumap_imc_read_node_(struct pmumap_imc_reader_ *r,
					 const struct pmumap_fdt_node_ *n, struct pmumap_builder *b)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_property_value_(n, PMUMAP_FDT_COMPATIBLE_LIST_, &bytes);

	if (n->w->depth <= r->depth)
		r->depth = 0;
	if (n->w->depth <= r->reserved_depth)
		r->reserved_depth = 0;
	if (r->depth) {
		if (n->w->depth == r->depth + 1)
			pmumap_imc_read_unit_(r, n, b);
		else if (n->w->depth == r->depth + 2)
			pmumap_imc_read_event_(n, b);
	} else if (pmumap_fdt_match_list_(p, bytes, "ibm,opal-in-memory-counters", 0) &&
		   (!n->w->wanted || n->w->wanted == n->w->offset)) {
		r->depth = n->w->depth;
		r->roots++;
		r->nest_offset = r->nest_size = 0;
		if (!pmumap_fdt_property_number_(n, PMUMAP_FDT_NEST_OFFSET_, &r->nest_offset))
			(void)pmumap_fdt_property_number_(n, PMUMAP_FDT_IMA_OFFSET_,
							  &r->nest_offset);
		if (!pmumap_fdt_property_number_(n, PMUMAP_FDT_NEST_SIZE_, &r->nest_size))
			(void)pmumap_fdt_property_number_(n, PMUMAP_FDT_IMA_SIZE_, &r->nest_size);
	} else if (n->w->depth == r->reserved_depth + 1) {
		pmumap_imc_read_homer_(r, n, b); /* not of the root: no cells are known there */
	} else if (n->w->depth == 2 &&
		   pmumap_fdt_match_string_(pmumap_fdt_node_name_(n->w), "reserved-memory", 0)) {
		r->reserved_depth = n->w->depth;
		r->reserved_cells = pmumap_fdt_address_cells_(n);
	}
}
