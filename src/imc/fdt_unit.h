/* SPDX-License-Identifier: BSD-2-Clause */
/* A unit of a catalog or of /imc-counters: type, window, chips */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/map_api.h"
#include "builder/api.h"
#include "imc/api.h"
#include "builder/report.h"
#include "imc/available.h"
#include "imc/entries.h"
#include "imc/add.h"
#include "fdt/api.h"
#include "fdt/blob.h"
#include "fdt/walk.h"
#include "fdt/property.h"
#include "fdt/properties.h"
#include "pool/property.h"

/* What is known of IMC while the tree is walked. A depth is 0 outside of its node. */
struct pmumap_imc_reader_ {
	const struct pmumap_fdt_options *opt;
	uint32_t depth;                          /* of the root that the walk is in */
	uint32_t nest_offset, nest_size;         /* of that root, where it says so for its units: */
	uint32_t nest_window;                    /* 1: it does, and both in one cell */
	uint32_t reserved_depth, reserved_cells; /* of /reserved-memory; of addresses in it */
	uint32_t roots, old_formats;             /* roots, and units of old formats, so far */
};

/*
 * The format of the node at hand: 0, no unit; 1, today's; 2, an old one, whose name gives *type.
 */
static inline int pmumap_imc_node_format_(const struct pmumap_fdt_walk_ *w, uint32_t *type)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_property_value_(w, PMUMAP_FDT_COMPATIBLE_, &bytes),
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
		pmumap_report_row_(
			b, PMUMAP_FINDING_(CHIP_MISMATCH, PMUMAP_WARNING, PMUMAP_IN_CHIP_ID_),
			b->own.imc.units - 1, chips / 4);
	for (i = 0; i < bases / 8 && i < chips / 4; i++)
		(void)pmumap_add_imc_chip(b, pmumap_load_be32_(chip + 4 * i),
					  pmumap_load_be64_(base + 8 * i));
	return 1;
}

/* Report a scale or a measure of a tree that is empty; NULL: there is none. */
static inline void pmumap_imc_lint_texts_(struct pmumap_builder *b, const char *scale,
					  const char *measure, uint32_t row)
{
	if (scale && !*scale)
		pmumap_report_row_(
			b, PMUMAP_FINDING_(SCALE_EMPTY, PMUMAP_WARNING, PMUMAP_IN_SCALE_), row, 0);
	if (measure && !*measure)
		pmumap_report_row_(b, PMUMAP_FINDING_(SCALE_EMPTY, PMUMAP_WARNING, PMUMAP_IN_UNIT_),
				   row, 0);
}

/*
 * Read a property of the unit at hand that has to be one cell; place: its own. Returns 1; 0, it is
 * not there; or -1, it is reported. Unless 1, *value is untouched.
 */
static inline int pmumap_imc_read_cell_(const struct pmumap_fdt_walk_ *w, struct pmumap_builder *b,
					uint32_t property, uint32_t place, uint32_t *value)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_property_value_(w, property, &bytes);

	if (!p)
		return 0;
	if (bytes != 4) {
		pmumap_report_row_(b, PMUMAP_FINDING_(CELL_WIDTH, PMUMAP_ERROR, place),
				   b->own.imc.units, bytes);
		return -1;
	}
	*value = pmumap_load_be32_(p);
	return 1;
}

/*
 * Read the window of a nest unit; old: the root may say it for all. Of a unit that has none the
 * size is 0. Returns flags for the unit: with OWN_CHIPS, it has no window, which is reported, and
 * so it gets no chips and has no address.
 */
static inline uint32_t pmumap_imc_read_window_(const struct pmumap_imc_reader_ *r,
					       const struct pmumap_fdt_walk_ *w,
					       struct pmumap_builder *b, struct pmumap_imc_unit *u,
					       int old)
{
	int size, offset, control, known = old && r->nest_window;
	uint32_t flags = 0;

	if (known) {
		u->size = r->nest_size;
		u->offset = r->nest_offset;
	}
	size = pmumap_imc_read_cell_(w, b, PMUMAP_FDT_SIZE_, PMUMAP_IN_SIZE_, &u->size);
	offset = pmumap_imc_read_cell_(w, b, PMUMAP_FDT_OFFSET_, PMUMAP_IN_OFFSET_, &u->offset);
	control = pmumap_imc_read_cell_(w, b, PMUMAP_FDT_CONTROL_, PMUMAP_IN_CONTROL_, &u->control);
	if (control)
		flags |= PMUMAP_IMC_UNIT_OWN_CONTROL_;
	if (control < 0) {
		flags |= PMUMAP_IMC_UNIT_NO_CONTROL_;
		u->control = PMUMAP_IMC_NO_CONTROL_;
	}
	if (size >= 0 && offset >= 0) {
		if (u->size && (offset || known))
			return flags;
		pmumap_report_row_(
			b,
			u->size ? PMUMAP_FINDING_(WINDOW_MISSING, PMUMAP_ERROR, PMUMAP_IN_OFFSET_)
				: PMUMAP_FINDING_(WINDOW_MISSING, PMUMAP_ERROR, PMUMAP_IN_SIZE_),
			b->own.imc.units, 0);
	}
	u->size = 0;
	return flags | PMUMAP_IMC_UNIT_OWN_CHIPS_;
}

/*
 * Fill in all but the type of the unit at hand; old: its format. Reports what is wrong with that.
 * Returns flags for the unit.
 */
static inline uint32_t pmumap_imc_read_description_(const struct pmumap_imc_reader_ *r,
						    const struct pmumap_fdt_walk_ *w,
						    struct pmumap_builder *b,
						    struct pmumap_imc_unit *u, int old)
{
	u->prefix = pmumap_fdt_property_text_(w, PMUMAP_FDT_PREFIX_);
	u->scale = pmumap_fdt_property_text_(w, PMUMAP_FDT_SCALE_);
	u->measure = pmumap_fdt_property_text_(w, PMUMAP_FDT_UNIT_);
	u->offset = u->control = u->size = 0;
	pmumap_imc_lint_texts_(b, u->scale, u->measure, b->own.imc.units);
	if (u->type == PMUMAP_IMC_NEST)
		return pmumap_imc_read_window_(r, w, b, u, old);
	if (!pmumap_imc_read_cell_(w, b, PMUMAP_FDT_SIZE_, PMUMAP_IN_SIZE_, &u->size) && !old)
		pmumap_report_row_(b,
				   PMUMAP_FINDING_(WINDOW_MISSING, PMUMAP_WARNING, PMUMAP_IN_SIZE_),
				   b->own.imc.units, 0);
	return 0;
}

/*
 * Find out the type of the unit at hand; *type: as its format has it. Returns 0: it has none, or a
 * wrong one, and is reported.
 */
static inline int pmumap_imc_read_type_(const struct pmumap_fdt_walk_ *w, struct pmumap_builder *b,
					uint32_t *type)
{
	int found = pmumap_imc_read_cell_(w, b, PMUMAP_FDT_TYPE_, PMUMAP_IN_TYPE_, type);

	if (found < 0)
		return 0;
	if (found || *type)
		return pmumap_imc_check_type_(b, *type);
	pmumap_report_row_(b, PMUMAP_FINDING_(TYPE_MISSING, PMUMAP_ERROR, PMUMAP_IN_TYPE_),
			   b->own.imc.units, 0);
	return 0;
}

/* Read the unit at hand, in today's format or an old one. Returns 0: it is left out. */
static inline int pmumap_imc_read_unit_(const struct pmumap_imc_reader_ *r,
					const struct pmumap_fdt_walk_ *w, struct pmumap_builder *b,
					uint32_t type, int old)
{
	uint32_t list = 0, shared = w->found[PMUMAP_FDT_EVENTS_], flags = 0;
	uint32_t before = b->own.imc.units;
	struct pmumap_imc_unit u;
	int chips;

	u.name = (const char *)pmumap_fdt_node_name_(w);
	u.type = type;
	u.reg = 0;
	if (!pmumap_imc_read_type_(w, b, &u.type) ||
	    (r->opt &&
	     !pmumap_imc_is_wanted_(r->opt->imc_generation, r->opt->imc_available, u.type, u.name)))
		return 0;
	if (!pmumap_fdt_property_number_(w, PMUMAP_FDT_REG_, &u.reg) && shared) {
		pmumap_report_row_(b, PMUMAP_FINDING_(REG_MISSING, PMUMAP_ERROR, PMUMAP_IN_REG_),
				   before, 0);
		return 0;
	}
	flags = pmumap_imc_read_description_(r, w, b, &u, old);
	if (shared && !u.prefix)
		pmumap_report_row_(
			b,
			PMUMAP_FINDING_(PREFIX_MISSING, PMUMAP_WARNING, PMUMAP_IN_EVENTS_PREFIX_),
			before, 0);
	(void)pmumap_fdt_property_number_(w, PMUMAP_FDT_EVENTS_, &list);
	if (!shared)
		flags |= PMUMAP_IMC_UNIT_OWN_LIST_;
	chips = u.type == PMUMAP_IMC_NEST && !(flags & PMUMAP_IMC_UNIT_OWN_CHIPS_) &&
		pmumap_imc_read_chips_(w, 0);
	if (chips)
		flags |= PMUMAP_IMC_UNIT_OWN_CHIPS_;
	(void)pmumap_imc_add_unit_entries_(b, list, &u, flags);
	if (chips)
		(void)pmumap_imc_read_chips_(w, b);
	return 1;
}
