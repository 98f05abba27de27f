/* SPDX-License-Identifier: BSD-2-Clause */
/* The nodes around units: lists, events, roots */
#pragma once

#include "imc/fdt_unit.h"

/* Read a child of the root: a list of events, a unit, or, in old formats, both. */
static inline void pmumap_imc_read_child_(const struct pmumap_imc_reader_ *r)
{
	uint32_t type;
	int format = pmumap_imc_node_format_(&r->w, &type);

	(void)pmumap_imc_add_list(r->b, pmumap_fdt_phandle_(&r->w, PMUMAP_IMC_PROPERTY_PHANDLE_,
							    PMUMAP_IMC_PROPERTY_LINUX_PHANDLE_));
	if (format)
		pmumap_imc_read_unit_(r, type, format == 2);
}

/* Read an event, which belongs to the list added last. */
static inline void pmumap_imc_read_event_(const struct pmumap_fdt_walk_ *w,
					  struct pmumap_imc_builder *b)
{
	struct pmumap_imc_event e;

	if (!pmumap_fdt_property_number_(w, PMUMAP_IMC_PROPERTY_REG_, &e.offset))
		return;
	e.name = pmumap_fdt_property_text_(w, PMUMAP_IMC_PROPERTY_EVENT_NAME_);
	e.scale = pmumap_fdt_property_text_(w, PMUMAP_IMC_PROPERTY_SCALE_);
	e.measure = pmumap_fdt_property_text_(w, PMUMAP_IMC_PROPERTY_UNIT_);
	e.desc = pmumap_fdt_property_text_(w, PMUMAP_IMC_PROPERTY_DESC_);
	(void)pmumap_imc_add_event(b, &e);
}

/* Read memory that firmware reserved for a chip: the base for nest units without base-addr. */
static inline void pmumap_imc_read_homer_(const struct pmumap_imc_reader_ *r)
{
	const struct pmumap_fdt_walk_ *w = &r->w;
	uint32_t chip;
	uint64_t base;

	if (pmumap_fdt_match_string_(pmumap_fdt_node_name_(w), "ibm,homer-image", 1) &&
	    pmumap_fdt_property_number_(w, PMUMAP_IMC_PROPERTY_HOMER_CHIP_, &chip) &&
	    pmumap_fdt_reg_address_(w, PMUMAP_IMC_PROPERTY_REG_, r->reserved_cells, &base))
		(void)pmumap_imc_add_chip_entry_(r->b, PMUMAP_IMC_HOMER_, chip, base);
}

/*
 * Read /reserved-memory and its children, even if the root of the tree is the IMC root. Outside of
 * it, only the root of the tree passes the first test, and its name is not that of a chip's memory.
 */
static inline void pmumap_imc_read_reserved_(struct pmumap_imc_reader_ *r)
{
	const struct pmumap_fdt_walk_ *w = &r->w;

	if (w->depth == r->reserved_depth + 1) {
		pmumap_imc_read_homer_(r); /* does nothing at the root: its cells are not known */
	} else if (w->depth == 2 &&
		   pmumap_fdt_match_string_(pmumap_fdt_node_name_(w), "reserved-memory", 0)) {
		r->reserved_depth = w->depth;
		r->reserved_cells =
			pmumap_fdt_address_cells_(w, PMUMAP_IMC_PROPERTY_ADDRESS_CELLS_);
	}
}

/* Read the current node, whose properties are complete. */
static inline void pmumap_imc_read_node_(struct pmumap_fdt_walk_ *w)
{
	struct pmumap_imc_reader_ *r = (struct pmumap_imc_reader_ *)(void *)w;
	uint32_t bytes;
	const unsigned char *p =
		pmumap_fdt_property_value_(w, PMUMAP_IMC_PROPERTY_COMPATIBLE_, &bytes);

	r->b->node = (int)w->offset;
	if (w->depth <= r->depth)
		r->depth = 0;
	if (w->depth <= r->reserved_depth)
		r->reserved_depth = 0;
	pmumap_imc_read_reserved_(r);
	if (r->depth) {
		if (w->depth == r->depth + 1)
			pmumap_imc_read_child_(r);
		else if (w->depth == r->depth + 2)
			pmumap_imc_read_event_(w, r->b);
	} else if (pmumap_fdt_match_list_(p, bytes, "ibm,opal-in-memory-counters", 0) &&
		   (!w->wanted || w->wanted == w->offset)) {
		r->depth = w->depth;
		r->roots++;
		r->nest_window =
			pmumap_imc_read_cell_(
				w,
				pmumap_fdt_either_property_(w, PMUMAP_IMC_PROPERTY_NEST_OFFSET_,
							    PMUMAP_IMC_PROPERTY_IMA_OFFSET_),
				&r->nest_offset) > 0 &&
			pmumap_imc_read_cell_(
				w,
				pmumap_fdt_either_property_(w, PMUMAP_IMC_PROPERTY_NEST_SIZE_,
							    PMUMAP_IMC_PROPERTY_IMA_SIZE_),
				&r->nest_size) > 0;
	}
}
