/* SPDX-License-Identifier: BSD-2-Clause */
/* And the nodes around it: lists, events, roots */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/map_api.h"
#include "builder/api.h"
#include "imc/api.h"
#include "builder/report.h"
#include "imc/entries.h"
#include "imc/add.h"
#include "fdt/api.h"
#include "fdt/blob.h"
#include "fdt/walk.h"
#include "fdt/property.h"
#include "fdt/properties.h"
#include "pool/property.h"
#include "imc/fdt_unit.h"

/* Read a child of the root: a list of events, a unit, or in old formats both in one. */
static inline void pmumap_imc_read_child_(struct pmumap_imc_reader_ *r,
					  const struct pmumap_fdt_walk_ *w,
					  struct pmumap_builder *b)
{
	uint32_t type = 0;
	int format = pmumap_imc_node_format_(w, &type);

	(void)pmumap_add_imc_list(
		b, pmumap_fdt_phandle_(w, PMUMAP_FDT_PHANDLE_, PMUMAP_FDT_LINUX_PHANDLE_));
	if (!format)
		return;
	if (format == 2 && r->old_formats++ == 0)
		pmumap_report_row_(
			b, PMUMAP_FINDING_(OLD_FORMAT, PMUMAP_WARNING, PMUMAP_IN_COMPATIBLE_),
			b->own.imc.units, 0);
	if (!pmumap_imc_read_unit_(r, w, b, type, format == 2) || w->depth > 2 ||
	    pmumap_imc_read_chips_(w, 0))
		b->own.imc.left_out = 1; /* here; or before, by firmware, which leaves the lists */
}

/* Read an event, which belongs to the list added last. */
static inline void pmumap_imc_read_event_(const struct pmumap_fdt_walk_ *w,
					  struct pmumap_builder *b)
{
	struct pmumap_imc_event e;

	if (!w->found[PMUMAP_FDT_REG_] && !w->found[PMUMAP_FDT_EVENT_NAME_])
		return;
	e.name = pmumap_fdt_property_text_(w, PMUMAP_FDT_EVENT_NAME_);
	e.scale = pmumap_fdt_property_text_(w, PMUMAP_FDT_SCALE_);
	e.measure = pmumap_fdt_property_text_(w, PMUMAP_FDT_UNIT_);
	e.desc = pmumap_fdt_property_text_(w, PMUMAP_FDT_DESC_);
	e.offset = 0;
	pmumap_imc_lint_texts_(b, e.scale, e.measure, b->own.imc.events);
	if (pmumap_fdt_property_number_(w, PMUMAP_FDT_REG_, &e.offset) || !e.name || !*e.name)
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
					  const struct pmumap_fdt_walk_ *w,
					  struct pmumap_builder *b)
{
	uint32_t chip;
	uint64_t base;

	if (pmumap_fdt_match_string_(pmumap_fdt_node_name_(w), "ibm,homer-image", 1) &&
	    pmumap_fdt_property_number_(w, PMUMAP_FDT_HOMER_CHIP_, &chip) &&
	    pmumap_fdt_reg_address_(w, PMUMAP_FDT_REG_, r->reserved_cells, &base))
		(void)pmumap_imc_add_chip_entry_(b, PMUMAP_IMC_HOMER_, chip, base);
}

/*
 * Read /reserved-memory and what is in it: also where the root of the tree is that of IMC. Without
 * one the first test is true for the root alone, which is no memory of a chip by its name.
 */
static inline void pmumap_imc_read_reserved_(struct pmumap_imc_reader_ *r,
					     const struct pmumap_fdt_walk_ *w,
					     struct pmumap_builder *b)
{
	if (w->depth == r->reserved_depth + 1) {
		pmumap_imc_read_homer_(r, w, b); /* not of the root: no cells are known there */
	} else if (w->depth == 2 &&
		   pmumap_fdt_match_string_(pmumap_fdt_node_name_(w), "reserved-memory", 0)) {
		r->reserved_depth = w->depth;
		r->reserved_cells = pmumap_fdt_address_cells_(w, PMUMAP_FDT_ADDRESS_CELLS_);
	}
}

/* A property of the root that is one cell, by one of two names. Returns 0: there is none. */
static inline int pmumap_imc_root_cell_(const struct pmumap_fdt_walk_ *w, uint32_t property,
					uint32_t older, uint32_t *value)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_property_value_(
		w, pmumap_fdt_either_property_(w, property, older), &bytes);

	if (bytes != 4)
		return 0;
	*value = pmumap_load_be32_(p);
	return 1;
}

/* Read the node at hand, whose properties are complete. */
static inline void pmumap_imc_read_node_(struct pmumap_imc_reader_ *r,
					 const struct pmumap_fdt_walk_ *w, struct pmumap_builder *b)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_property_value_(w, PMUMAP_FDT_COMPATIBLE_, &bytes);

	if (w->depth <= r->depth)
		r->depth = 0;
	if (w->depth <= r->reserved_depth)
		r->reserved_depth = 0;
	pmumap_imc_read_reserved_(r, w, b);
	if (r->depth) {
		if (w->depth == r->depth + 1)
			pmumap_imc_read_child_(r, w, b);
		else if (w->depth == r->depth + 2)
			pmumap_imc_read_event_(w, b);
	} else if (pmumap_fdt_match_list_(p, bytes, "ibm,opal-in-memory-counters", 0) &&
		   (!w->wanted || w->wanted == w->offset)) {
		r->depth = w->depth;
		r->roots++;
		r->nest_window = pmumap_imc_root_cell_(w, PMUMAP_FDT_NEST_OFFSET_,
						       PMUMAP_FDT_IMA_OFFSET_, &r->nest_offset) &&
				 pmumap_imc_root_cell_(w, PMUMAP_FDT_NEST_SIZE_,
						       PMUMAP_FDT_IMA_SIZE_, &r->nest_size);
	}
}
