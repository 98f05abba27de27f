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

/* How the node at hand is compatible: 0, no unit; 1, one of today; 2, of old. Those have a type. */
static inline int pmumap_imc_node_format_(const struct pmumap_fdt_walk_ *w, uint32_t *type)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_property_value_(w, PMUMAP_FDT_COMPATIBLE_LIST_, &bytes),
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

/* The chips of the unit at hand; without b, only whether it has any of its own. */
static inline int pmumap_imc_read_chips_(const struct pmumap_fdt_walk_ *w, struct pmumap_builder *b)
{
	uint32_t bases, chips, i;
	const unsigned char *base = pmumap_fdt_property_value_(
		w, pmumap_fdt_either_property_(w, PMUMAP_FDT_BASE_, PMUMAP_FDT_DOC_BASE_), &bases);
	const unsigned char *chip = pmumap_fdt_property_value_(
		w, pmumap_fdt_either_property_(w, PMUMAP_FDT_CHIP_, PMUMAP_FDT_DOC_CHIP_), &chips);

	if (!b)
		return base || chip;
	if (bases % 8 || chips % 4 || bases / 8 != chips / 4)
		pmumap_other_found_(b, PMUMAP_WHAT_(CHIP_MISMATCH, PMUMAP_WARNING, 0), "chip-id",
				    b->imc.units - 1, PMUMAP_NO_ROW, chips / 4);
	for (i = 0; i < bases / 8 && i < chips / 4; i++)
		(void)pmumap_add_imc_chip(b, pmumap_load_be32_(chip + 4 * i),
					  pmumap_load_be64_(base + 8 * i));
	return 1;
}

/* What the unit at hand says of itself; defaults from the root, of old formats. */
static inline void pmumap_imc_read_description_(const struct pmumap_fdt_walk_ *w,
						struct pmumap_imc_unit *u, int old)
{
	u->name = (const char *)pmumap_fdt_node_name_(w);
	u->prefix = pmumap_fdt_property_text_(w, PMUMAP_FDT_PREFIX_);
	u->scale = pmumap_fdt_property_text_(w, PMUMAP_FDT_SCALE_);
	u->measure = pmumap_fdt_property_text_(w, PMUMAP_FDT_UNIT_);
	u->reg = u->offset = u->control = 0;
	u->size = 0;
	(void)pmumap_fdt_property_number_(w, PMUMAP_FDT_REG_, &u->reg);
	if (u->type == PMUMAP_IMC_NEST) {
		u->size = old ? w->others->nest_size : 0;
		u->offset = old ? w->others->nest_offset : 0;
		(void)pmumap_fdt_property_number_(w, PMUMAP_FDT_OFFSET_, &u->offset);
		u->control = PMUMAP_IMC_USUAL_CONTROL_;
		(void)pmumap_fdt_property_number_(w, PMUMAP_FDT_CONTROL_, &u->control);
	}
	(void)pmumap_fdt_property_number_(w, PMUMAP_FDT_SIZE_, &u->size);
}

static inline void pmumap_imc_read_unit_(struct pmumap_fdt_walk_ *w, struct pmumap_builder *b)
{
	uint32_t list = 0, id = 0, shared = w->others->properties[PMUMAP_FDT_EVENTS_];
	uint32_t own = PMUMAP_IMC_OWN_CONTROL_;
	uint32_t before = b->imc.units;
	struct pmumap_imc_unit u;
	int kind, nest;

	u.type = 0;
	kind = pmumap_imc_node_format_(w, &u.type);
	(void)pmumap_fdt_property_number_(
		w, pmumap_fdt_either_property_(w, PMUMAP_FDT_PHANDLE_, PMUMAP_FDT_LINUX_PHANDLE_),
		&id);
	(void)pmumap_add_imc_list(b, id);
	if (!kind)
		return;
	if (kind == 2 && w->others->old_formats++ == 0)
		pmumap_other_found_(b, PMUMAP_WHAT_(OLD_FORMAT, PMUMAP_NOTE, 0), "compatible",
				    before, PMUMAP_NO_ROW, 0);
	if (!pmumap_fdt_property_number_(w, PMUMAP_FDT_TYPE_, &u.type) && !u.type) {
		pmumap_other_found_(b, PMUMAP_WHAT_(TYPE_MISSING, PMUMAP_ERROR, 0), "type", before,
				    PMUMAP_NO_ROW, 0);
		return;
	}
	if (!pmumap_imc_check_type_(b, u.type))
		return;
	nest = u.type == PMUMAP_IMC_NEST;
	pmumap_imc_read_description_(w, &u, kind == 2);
	if (nest && w->others->opt &&
	    !pmumap_imc_available(w->others->opt->imc_generation, w->others->opt->imc_available,
				  u.name))
		return;
	if (shared && !pmumap_fdt_property_number_(w, PMUMAP_FDT_REG_, &u.reg)) {
		pmumap_other_found_(b, PMUMAP_WHAT_(REG_MISSING, PMUMAP_ERROR, 0), "reg", before,
				    PMUMAP_NO_ROW, 0);
		return;
	}
	if (shared && !u.prefix)
		pmumap_other_found_(b, PMUMAP_WHAT_(PREFIX_MISSING, PMUMAP_WARNING, 0),
				    "events-prefix", before, PMUMAP_NO_ROW, 0);
	(void)pmumap_fdt_property_number_(w, PMUMAP_FDT_EVENTS_, &list);
	if (!shared)
		own |= PMUMAP_IMC_OWN_LIST_;
	if (nest && pmumap_imc_read_chips_(w, 0))
		own |= PMUMAP_IMC_OWN_CHIPS_;
	(void)pmumap_imc_add_unit_entries_(b, list, &u, own);
	if (own & PMUMAP_IMC_OWN_CHIPS_)
		(void)pmumap_imc_read_chips_(w, b);
}

static inline void pmumap_imc_read_event_(const struct pmumap_fdt_walk_ *w,
					  struct pmumap_builder *b)
{
	struct pmumap_imc_event e;

	if (!w->others->properties[PMUMAP_FDT_REG_] &&
	    !w->others->properties[PMUMAP_FDT_EVENT_NAME_])
		return;
	e.name = pmumap_fdt_property_text_(w, PMUMAP_FDT_EVENT_NAME_);
	e.scale = pmumap_fdt_property_text_(w, PMUMAP_FDT_SCALE_);
	e.measure = pmumap_fdt_property_text_(w, PMUMAP_FDT_UNIT_);
	e.desc = pmumap_fdt_property_text_(w, PMUMAP_FDT_DESC_);
	e.offset = 0;
	if (pmumap_fdt_property_number_(w, PMUMAP_FDT_REG_, &e.offset) || !e.name || !*e.name)
		(void)pmumap_add_imc_event(b, &e);
	else
		pmumap_other_found_(b, PMUMAP_WHAT_(REG_MISSING, PMUMAP_ERROR, 0), "reg",
				    b->imc.events++, PMUMAP_NO_ROW, 0);
}

/* Memory that firmware gave to a chip: the base of its nest window in formats without base-addr. */
static inline void pmumap_imc_read_homer_(const struct pmumap_fdt_walk_ *w,
					  struct pmumap_builder *b)
{
	uint32_t bytes, chip;
	const unsigned char *p = pmumap_fdt_property_value_(w, PMUMAP_FDT_REG_, &bytes);

	if (pmumap_fdt_match_string_(pmumap_fdt_node_name_(w), "ibm,homer-image", 1) &&
	    pmumap_fdt_property_number_(w, PMUMAP_FDT_HOMER_CHIP_, &chip) &&
	    (w->others->reserved_cells == 1 || w->others->reserved_cells == 2) &&
	    bytes >= 4 * w->others->reserved_cells)
		(void)pmumap_imc_add_chip_entry_(b, PMUMAP_IMC_HOMER_, chip,
						 w->others->reserved_cells == 1
							 ? pmumap_load_be32_(p)
							 : pmumap_load_be64_(p));
}

static inline void pmumap_imc_read_node_(struct pmumap_fdt_walk_ *w, struct pmumap_builder *b)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_property_value_(w, PMUMAP_FDT_COMPATIBLE_LIST_, &bytes);

	if (w->others->imc_depth) {
		if (w->depth == w->others->imc_depth + 1)
			pmumap_imc_read_unit_(w, b);
		else if (w->depth == w->others->imc_depth + 2)
			pmumap_imc_read_event_(w, b);
	} else if (pmumap_fdt_match_list_(p, bytes, "ibm,opal-in-memory-counters", 0) &&
		   (!w->wanted || w->wanted == w->offset)) {
		w->others->imc_depth = w->depth;
		w->others->imc_roots++;
		w->others->nest_offset = w->others->nest_size = 0;
		if (!pmumap_fdt_property_number_(w, PMUMAP_FDT_NEST_OFFSET_,
						 &w->others->nest_offset))
			(void)pmumap_fdt_property_number_(w, PMUMAP_FDT_IMA_OFFSET_,
							  &w->others->nest_offset);
		if (!pmumap_fdt_property_number_(w, PMUMAP_FDT_NEST_SIZE_, &w->others->nest_size))
			(void)pmumap_fdt_property_number_(w, PMUMAP_FDT_IMA_SIZE_,
							  &w->others->nest_size);
	} else if (w->depth == w->others->reserved_depth + 1) {
		pmumap_imc_read_homer_(w, b); /* not of the root: no cells are known there */
	} else if (w->depth == 2 &&
		   pmumap_fdt_match_string_(pmumap_fdt_node_name_(w), "reserved-memory", 0)) {
		w->others->reserved_depth = w->depth;
		w->others->reserved_cells = 2;
		(void)pmumap_fdt_property_number_(w, PMUMAP_FDT_ADDRESS_CELLS_,
						  &w->others->reserved_cells);
	}
}
